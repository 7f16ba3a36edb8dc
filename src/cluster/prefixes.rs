//! The subproblems of a row-by-row search: prefixes, up to the mirror image that swaps left and right. A
//! prefix that is ordered before its mirror image represents both and counts twice. A prefix that is its own
//! image (only the empty one, or a single queen in the middle column) counts once.

use std::ops::ControlFlow;

use crate::board::prefix;

/// The weight of a prefix, by which its solutions are multiplied: 2, 1, or 0 if it is not a subproblem.
pub fn weight(n: usize, columns: &[u16]) -> u64 {
    let last = n.saturating_sub(1) as u16;
    let image = columns.iter().map(|&column| last - column);
    match columns.iter().copied().cmp(image) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 0,
    }
}

/// Receives a subproblem: its number, its prefix and its weight.
pub type Show<'a> = dyn FnMut(usize, &[u16], u64) -> ControlFlow<()> + 'a;

/// Passes every subproblem to `show`.
pub fn each(n: usize, depth: usize, show: &mut Show<'_>) -> ControlFlow<()> {
    let mut number = 0;
    prefix::each(n, depth, &mut |columns| {
        let weight = weight(n, columns);
        if weight == 0 {
            return ControlFlow::Continue(());
        }
        number += 1;
        show(number - 1, columns, weight)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::prefix::Prefix;

    #[test]
    fn weights_add_up_to_all_prefixes_of_every_depth() {
        for n in 0..=9 {
            for depth in 0..=n {
                let mut sum = 0;
                let mut numbers = Vec::new();
                let _ = each(n, depth, &mut |number, _, weight| {
                    numbers.push(number);
                    sum += weight;
                    ControlFlow::Continue(())
                });
                assert_eq!(sum as usize, Prefix::all(n, depth).len(), "n={n} depth {depth}");
                assert!(numbers.iter().copied().eq(0..numbers.len()));
            }
        }
    }
}
