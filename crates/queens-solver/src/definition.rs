//! Enumerates the solutions of a small problem by its definition. This file shares no code with any searcher, because it is used to
//! judge searchers.

use queens_board::problem::Problem;
use queens_board::{self as board, Square};

use crate::sink::Digest;

/// The solutions of a problem according to its definition, from an independent search that uses only the pairs of squares that
/// attack each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defined {
    /// The number of solutions.
    pub solutions: u64,
    /// The digest of all solutions, as in the column `digest`.
    pub digest: String,
}

impl Defined {
    /// The largest board that is searched. Its rows fit into 32 bits, and the table of attacks into 300 kB.
    const MAX_SIZE: usize = 16;
    /// The maximum number of visited placements, which take about 20 ms.
    const MAX_NODES: u32 = 200_000;

    /// Enumerates all solutions; `None` if the search exceeds its limits. The row with the fewest squares left is next.
    pub fn of(problem: &Problem) -> Option<Self> {
        let n = problem.n().get();
        if n > Self::MAX_SIZE {
            return None;
        }
        let squares = || (0..n * n).map(|at| Square { row: at / n, column: at % n });
        let mut left: Rows = [0; Self::MAX_SIZE];
        for square in squares().filter(|&square| problem.is_open(square)) {
            left[square.row] |= 1 << square.column;
        }
        let in_row = |queen: Square, row: usize| {
            let free = |&column: &usize| !problem.variant().attacks(n, queen, Square { row, column });
            (0..n).filter(free).fold(0, |mask, column| mask | 1 << column)
        };
        let rows = |queen: Square| std::array::from_fn(|row| if row < n { in_row(queen, row) } else { 0 });
        let kept = squares().map(rows).collect();
        let mut search = Definition { n, kept, digest: Digest::of(problem), nodes: 0, columns: vec![0; n] };
        search
            .fill(&left, (1_u32 << n) - 1)
            .then(|| Self { solutions: search.digest.count(), digest: search.digest.to_string() })
    }
}

/// A set of columns for each row, as bit masks.
type Rows = [u32; Defined::MAX_SIZE];

struct Definition {
    n: usize,
    /// For each square, the columns of each row that a queen there does not attack.
    kept: Vec<Rows>,
    digest: Digest,
    nodes: u32,
    columns: Vec<u32>,
}

impl Definition {
    /// Places queens in the rows of `open`, on the columns that are left in each row. Returns `false` if the search exceeds its limits.
    fn fill(&mut self, left: &Rows, open: u32) -> bool {
        self.nodes += 1;
        let rows = (0..self.n).filter(|row| open >> row & 1 == 1);
        let Some(row) = rows.min_by_key(|&row| left[row].count_ones()) else {
            self.digest.add(&self.columns);
            return true;
        };
        (0..self.n).filter(|column| left[row] >> column & 1 == 1).all(|column| {
            self.columns[row] = board::column(column);
            let kept = &self.kept[row * self.n + column];
            let left = std::array::from_fn(|row| left[row] & kept[row]);
            self.nodes < Defined::MAX_NODES && self.fill(&left, open & !(1 << row))
        })
    }
}

#[cfg(test)]
mod tests {
    use queens_board::problem::Variant;
    use queens_board::{BoardSize, published};

    use super::*;

    #[test]
    fn definition_agrees_with_published_counts_and_placement_check() {
        for variant in Variant::NAMED {
            for n in 1..=7 {
                let problem =
                    Problem::new(BoardSize::new(n).expect("small"), variant.clone()).expect("a problem");
                let defined = Defined::of(&problem).expect("small");
                let published = published::of_problem(&problem).map(|(count, _)| count);
                assert!(published.is_none_or(|count| count == defined.solutions), "{problem} {n}");
            }
        }
        let large = |n| Defined::of(&Problem::queens(BoardSize::new(n).expect("a board")));
        assert_eq!((large(16), large(17)), (None, None), "too many nodes, too many rows");
    }
}
