//! An iterator over all solutions. A prefix is a legal placement on the first rows: on a third of the rows up to n = 18, and on half of
//! the rows of larger boards. `backtrack/bitmask` completes one prefix after another. Memory: the solutions of one prefix.

use super::safe::bitmask::Bitmask;
use super::searcher::{Flow, Searcher};
use queens_board::prefix::Placements;
use queens_board::problem::Problem;
use queens_board::{BoardSize, Placement};
use queens_solver::SolveError;

/// Returns every solution of the `n` by `n` board, each once, in lexicographic order of the column of each
/// row. The search begins at the first call of `next`.
///
/// ```
/// let boards: Vec<String> = queens_search::backtrack::solutions(4)?.map(|board| board.to_string()).collect();
/// assert_eq!(boards, ["1 3 0 2", "2 0 3 1"]);
/// # Ok::<(), queens_solver::SolveError>(())
/// ```
///
/// # Errors
///
/// `n` is above 64.
pub fn solutions(n: usize) -> Result<impl Iterator<Item = Placement>, SolveError> {
    Bitmask.info().size_refusal(n).map_or(Ok(()), Err)?;
    let board = BoardSize::new(n).map_err(|error| SolveError::Size(error.to_string()))?;
    let depth = if n <= 18 { n / 3 } else { n / 2 };
    let prefixes = Placements::new(&Problem::queens(board), 0..depth, |_, _| true);
    Ok(prefixes.flat_map(move |prefix| {
        let mut boards = Vec::new();
        let _ = Bitmask::search_below(&prefix, n, &mut |columns: &[u32]| {
            boards.push(Placement::new(columns));
            Flow::Continue(())
        });
        boards
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backtrack::solver;
    use queens_board::{BoardSize, published};
    use queens_solver::sink::Collect;
    use queens_solver::{Goal, Task};

    #[test]
    fn iterator_yields_boards_in_order_of_solver_bitmask() {
        for n in 0..=9 {
            let task = Task::new(BoardSize::new(n).expect("a small board"), Goal::Enumerate);
            let mut expected = Collect::default();
            solver(Bitmask).solve(&task, &mut expected).expect("within its sizes");
            assert_eq!(solutions(n).expect("within its sizes").collect::<Vec<_>>(), expected.0, "n = {n}");
        }
    }

    #[test]
    fn iterator_ends_after_published_number_of_solutions() {
        for n in 0..=11 {
            let mut iterator = solutions(n).expect("within its sizes");
            let count = iterator.by_ref().inspect(|board| assert!(board.is_solution())).count();
            assert_eq!(Some(count as u64), published::solutions(n), "n = {n}");
            assert_eq!(iterator.next(), None);
        }
    }

    /// Finding all 39,029,188,884 solutions first would take hours, and more memory than any machine has.
    #[test]
    fn first_solutions_need_no_full_search() {
        let first_solutions: Vec<Placement> = solutions(20).expect("within its sizes").take(3).collect();
        assert!(first_solutions.len() == 3 && first_solutions.is_sorted());
        assert!(first_solutions.iter().all(Placement::is_solution));
    }

    #[test]
    fn iterator_refuses_boards_above_64() {
        let error = solutions(65).err().expect("too large");
        assert!(matches!(error, SolveError::Size(_)), "{error}");
        wording::assert_wording!("solutions", "a board above 64", error);
    }
}
