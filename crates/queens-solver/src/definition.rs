//! Enumerates the solutions of a small problem according to its definition. This file shares no code with any searcher, because it is
//! used to judge searchers.

use queens_board::problem::Problem;
use queens_board::{self as board, Square};

use crate::sink::Digest;

/// The number and the digest of all solutions of a problem, from an independent search that uses only the definition: which pairs of
/// squares attack each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionsByDefinition {
    /// The number of solutions.
    pub solutions: u64,
    /// The digest of all solutions, as in the column `digest`.
    pub digest: String,
}

impl SolutionsByDefinition {
    /// The largest board that is searched. A row fits into 32 bits, and the table of unattacked columns needs 16 KiB.
    const MAX_SIZE: usize = 16;
    /// The maximum number of visited partial placements. Visiting this number takes about 20 ms.
    const MAX_NODES: u32 = 200_000;

    /// Enumerates all solutions; `None` if the search exceeds its limits. The search branches on the row with
    /// the fewest open squares.
    pub fn of(problem: &Problem) -> Option<Self> {
        let n = problem.n().get();
        if n > Self::MAX_SIZE {
            return None;
        }
        let squares = || (0..n * n).map(|index| Square { row: index / n, column: index % n });
        let mut open_columns: Rows = [0; Self::MAX_SIZE];
        for square in squares().filter(|&square| problem.is_open(square)) {
            open_columns[square.row] |= 1 << square.column;
        }
        let safe_columns = |queen: Square, row: usize| {
            let is_safe = |&column: &usize| !problem.variant().attacks(n, queen, Square { row, column });
            (0..n).filter(is_safe).fold(0, |mask, column| mask | 1 << column)
        };
        let safe_columns_by_row =
            |queen: Square| std::array::from_fn(|row| if row < n { safe_columns(queen, row) } else { 0 });
        let unattacked_columns = squares().map(safe_columns_by_row).collect();
        let mut search = DefinitionSearch {
            n,
            unattacked_columns,
            digest: Digest::of(problem),
            nodes: 0,
            columns: vec![0; n],
        };
        search
            .fill(&open_columns, (1_u32 << n) - 1)
            .then(|| Self { solutions: search.digest.count(), digest: search.digest.to_string() })
    }
}

/// A set of columns for each row, as bit masks.
type Rows = [u32; SolutionsByDefinition::MAX_SIZE];

/// The search for [`SolutionsByDefinition`].
struct DefinitionSearch {
    n: usize,
    /// For each square, the columns of each row that a queen on the square does not attack.
    unattacked_columns: Vec<Rows>,
    digest: Digest,
    nodes: u32,
    columns: Vec<u32>,
}

impl DefinitionSearch {
    /// Places a queen in each row of `rows`, on a column in `open_columns[row]`, in every possible way. Returns `false` if the
    /// search exceeds its limits.
    fn fill(&mut self, open_columns: &Rows, rows: u32) -> bool {
        self.nodes += 1;
        let free_rows = (0..self.n).filter(|row| rows >> row & 1 == 1);
        let Some(row) = free_rows.min_by_key(|&row| open_columns[row].count_ones()) else {
            self.digest.add(&self.columns);
            return true;
        };
        (0..self.n).filter(|column| open_columns[row] >> column & 1 == 1).all(|column| {
            self.columns[row] = board::column(column);
            let unattacked_columns = &self.unattacked_columns[row * self.n + column];
            let open_columns = std::array::from_fn(|row| open_columns[row] & unattacked_columns[row]);
            self.nodes < SolutionsByDefinition::MAX_NODES && self.fill(&open_columns, rows & !(1 << row))
        })
    }
}

#[cfg(test)]
mod tests {
    use queens_board::problem::Variant;
    use queens_board::{BoardSize, published};

    use super::*;

    #[test]
    fn enumeration_by_definition_agrees_with_published_counts() {
        for variant in Variant::NAMED {
            for n in 1..=7 {
                let problem =
                    Problem::new(BoardSize::new(n).expect("small"), variant.clone()).expect("a problem");
                let solutions = SolutionsByDefinition::of(&problem).expect("small");
                let published_count = published::of_problem(&problem).map(|(count, _)| count);
                assert!(published_count.is_none_or(|count| count == solutions.solutions), "{problem} {n}");
            }
        }
    }

    #[test]
    fn enumeration_above_its_limits_has_no_result() {
        let enumerate = |n| SolutionsByDefinition::of(&Problem::queens(BoardSize::new(n).expect("a board")));
        assert_eq!((enumerate(16), enumerate(17)), (None, None), "too many nodes, too many rows");
    }
}
