//! All-different by matching: the columns of the queens differ, and so do their rising and falling diagonals. Of each of
//! these three conditions, a square is kept only if it is part of a matching of all rows to different lines; besides, the
//! squares are kept arc-consistent as by `backtrack/mac`.
//! Source: Régin, "A filtering algorithm for constraints of difference in CSPs", 1994.

use super::domains::Masks;
use super::look_ahead::LookAhead;
use super::mac::make_consistent;
use super::matching::all_different;
use super::orders::{Orders, ROWS, VALUES};
use super::{Counts, Flow, Idea, Order, Searcher, TaskSearch, Visitor};
use crate::solver::{SolverOption, Stat, Task};

pub struct Gac;

impl Searcher for Gac {
    const IDEA: Idea = Idea {
        id: "backtrack/gac",
        about: "mac, and all-different by matching for columns and diagonals (Régin 1994)",
        sizes: (0..=Masks::MAX, "a mask holds 32 columns"),
        pattern_limit: None,
        counts: Counts::Listed(&[Stat::Nodes, Stat::Failures, Stat::MaxDepth]),
        order: Order::ByRow,
    };
    const OPTIONS: &'static [SolverOption] = &[ROWS, VALUES];
}

impl TaskSearch for Gac {
    fn search<V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow {
        <Self as LookAhead<Masks>>::search(task, visitor)
    }
}

impl LookAhead<Masks> for Gac {
    /// Removes squares until nothing changes. `false` if a condition cannot be met.
    fn filter(domains: &mut Masks, orders: &Orders) -> bool {
        loop {
            if !make_consistent(domains, orders) {
                return false;
            }
            let before = domains.rows().to_vec();
            let n = before.len();
            for line in [|_, _| 0, |row, _| row, |row, n| n - 1 - row] as [fn(usize, usize) -> usize; 3] {
                let lines = domains.rows().iter().enumerate();
                let mut lines: Vec<u64> = lines.map(|(row, &left)| u64::from(left) << line(row, n)).collect();
                if !all_different(&mut lines) {
                    return false;
                }
                let kept = lines.iter().enumerate().map(|(row, lines)| columns(lines >> line(row, n)));
                domains.rows().iter_mut().zip(kept).for_each(|(row, kept)| *row = kept);
            }
            if *domains.rows() == before {
                return true;
            }
        }
    }
}

/// The lines of the first 32 columns.
#[allow(clippy::cast_possible_truncation, reason = "the lines behind them are left out on purpose")]
fn columns(lines: u64) -> u32 {
    lines as u32
}
