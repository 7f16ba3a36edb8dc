//! All solutions as an iterator: the search of `backtrack/bitmask` with an explicit stack, which stops at
//! each solution and continues from there. Memory: one level of three masks per row, regardless of the number
//! of solutions.

use std::iter::FusedIterator;

use super::{Bitmask, Searcher};
use crate::board::{Placement, column};
use crate::solver::{Info, SolveError};

/// The solutions of a board, made by [`solutions`].
#[derive(Clone, Debug)]
pub struct Solutions {
    n: usize,
    /// The root and one level for each queen.
    levels: Vec<Level>,
    queens: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    columns: u32,
    falling: u32,
    rising: u32,
    /// The columns of this row that have not been tried yet.
    free: u32,
}

/// Returns every solution of the `n` by `n` board, each once, in lexicographic order of the column of each
/// row. The search begins at the first call of `next`. Returns an error for `n` above 32.
///
/// ```
/// let boards: Vec<String> = queenlab::solutions(4)?.map(|board| board.to_string()).collect();
/// assert_eq!(boards, ["1 3 0 2", "2 0 3 1"]);
/// # Ok::<(), queenlab::solver::SolveError>(())
/// ```
pub fn solutions(n: usize) -> Result<Solutions, SolveError> {
    let Info { id, sizes, sizes_reason: reason, .. } = Bitmask.info();
    if !sizes.contains(&n) {
        return Err(SolveError::Size { id, n, sizes, reason });
    }
    let mut levels = Vec::with_capacity(n + 1);
    levels.push(Level { columns: 0, falling: 0, rising: 0, free: full(n) });
    Ok(Solutions { n, levels, queens: vec![0; n] })
}

fn full(n: usize) -> u32 {
    if n == 0 { 0 } else { u32::MAX >> (32 - n) }
}

impl Iterator for Solutions {
    type Item = Placement;

    fn next(&mut self) -> Option<Placement> {
        while let Some(level) = self.levels.last_mut() {
            let queen = level.free & level.free.wrapping_neg();
            level.free ^= queen;
            let (columns, falling, rising) =
                (level.columns | queen, (level.falling | queen) << 1, (level.rising | queen) >> 1);
            let row = self.levels.len() - 1;
            if row == self.n {
                self.levels.pop();
                return Some(Placement::new(&self.queens));
            }
            if queen == 0 {
                self.levels.pop();
                continue;
            }
            self.queens[row] = column(queen.trailing_zeros() as usize);
            let free = full(self.n) & !(columns | falling | rising);
            self.levels.push(Level { columns, falling, rising, free });
        }
        None
    }
}

impl FusedIterator for Solutions {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backtrack::solver;
    use crate::board::{BoardSize, known};
    use crate::solver::sink::Collect;
    use crate::solver::{Goal, Task};

    #[test]
    fn the_iterator_visits_the_boards_of_bitmask_in_its_order() {
        for n in 0..=9 {
            let task = Task::new(BoardSize::new(n).expect("a small board"), Goal::Enumerate);
            let mut expected = Collect::default();
            solver(Bitmask).solve(&task, &mut expected).expect("within its sizes");
            assert_eq!(solutions(n).expect("within its sizes").collect::<Vec<_>>(), expected.0, "n = {n}");
        }
    }

    #[test]
    fn there_are_as_many_solutions_as_published_and_nothing_follows_the_last() {
        for n in 0..=11 {
            let mut iterator = solutions(n).expect("within its sizes");
            let found = iterator.by_ref().inspect(|board| assert!(board.is_solution())).count();
            assert_eq!(Some(found as u64), known::solutions(n), "n = {n}");
            assert_eq!(iterator.next(), None);
        }
    }

    /// All 39,029,188,884 solutions would take hours, and more memory than any machine has.
    #[test]
    fn the_first_solutions_of_a_large_board_come_without_the_others() {
        let first: Vec<Placement> = solutions(20).expect("within its sizes").take(3).collect();
        assert!(first.len() == 3 && first.is_sorted() && first.iter().all(Placement::is_solution));
    }

    #[test]
    fn a_board_above_32_is_refused_with_the_reason() {
        let error = solutions(33).expect_err("too large").to_string();
        assert!(error.starts_with("n = 33 is outside the sizes of backtrack/bitmask (0 to 32"), "{error}");
    }
}
