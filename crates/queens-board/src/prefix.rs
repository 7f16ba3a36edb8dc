//! Partial placements: placements of one queen on each row of a list of rows, such that no two queens attack each other. All partial
//! placements on the same rows divide a problem into disjoint subproblems, because each solution contains exactly one of these
//! placements. A prefix is a partial placement on the first rows of a board without other rules.

use std::mem;

use super::problem::Problem;
use super::{BoardSize, Square, column};

/// An iterator over all partial placements on a list of rows of a problem. The order is lexicographic by the columns of the queens, in
/// the order of the list. A queen is added only if `allows` returns true for the queens on the previous rows of the list and the square
/// of the new queen. Memory: one placement. Cost: the iterator visits the tree of all legal placements on the first rows of the list, and
/// tests each square in O(rows) time.
#[derive(Clone, Debug)]
pub struct Placements<F> {
    problem: Problem,
    rows: Vec<usize>,
    allows: F,
    queens: Vec<Square>,
    has_begun: bool,
}

impl<F: Fn(&[Square], Square) -> bool> Placements<F> {
    /// Creates an iterator over the partial placements on these rows.
    pub fn new(problem: &Problem, rows: impl IntoIterator<Item = usize>, allows: F) -> Self {
        let rows = rows.into_iter().collect();
        Self { problem: problem.clone(), rows, allows, queens: Vec::new(), has_begun: false }
    }

    fn may_be_next(&self, square: Square) -> bool {
        let (n, variant) = (self.problem.n().get(), self.problem.variant());
        self.problem.is_open(square)
            && !self.queens.iter().any(|&queen| variant.attacks(n, queen, square))
            && (self.allows)(&self.queens, square)
    }
}

impl<F: Fn(&[Square], Square) -> bool> Iterator for Placements<F> {
    type Item = Vec<Square>;

    fn next(&mut self) -> Option<Vec<Square>> {
        let mut column = 0;
        if mem::replace(&mut self.has_begun, true) {
            column = self.queens.pop()?.column + 1;
        }
        while let Some(&row) = self.rows.get(self.queens.len()) {
            let mut squares = (column..self.problem.n().get()).map(|column| Square { row, column });
            if let Some(queen) = squares.find(|&square| self.may_be_next(square)) {
                self.queens.push(queen);
                column = 0;
            } else {
                column = self.queens.pop()?.column + 1;
            }
        }
        Some(self.queens.clone())
    }
}

/// A prefix: a legal placement of queens on the first rows of the plain board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix(Vec<u32>);

impl Prefix {
    /// All prefixes of `depth` rows on an `n` by `n` board, in lexicographic order. If `depth` is larger than `n`, these are the solutions.
    ///
    /// # Panics
    /// If `n` is larger than [`BoardSize::MAX`].
    pub fn all(n: usize, depth: usize) -> Vec<Prefix> {
        let problem = Problem::queens(BoardSize::new(n).expect("a board size"));
        let placements = Placements::new(&problem, 0..depth.min(n), |_, _| true);
        placements.map(|queens| Prefix(queens.iter().map(|queen| column(queen.column)).collect())).collect()
    }

    /// The column of each of the first rows.
    pub fn columns(&self) -> &[u32] {
        &self.0
    }

    /// Whether a placement begins with this prefix.
    pub fn is_start_of(&self, columns: &[u32]) -> bool {
        columns.starts_with(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values are rows 4 and 8 of A319284: the numbers of legal placements of k queens on the first k rows.
    #[test]
    fn numbers_of_prefixes_match_published_levels() {
        let levels = |n: usize| (0..=n).map(|k| Prefix::all(n, k).len()).collect::<Vec<_>>();
        assert_eq!(levels(4), [1, 4, 6, 4, 2]);
        assert_eq!(levels(8), [1, 8, 42, 140, 344, 568, 550, 312, 92]);
        assert_eq!(levels(0), [1]);
    }

    /// The list of rows has the lower row first.
    #[test]
    fn placements_on_two_rows_match_the_definition() {
        for text in ["queens", "toroidal", "rooks", "superqueens", "queens;place=3:1;forbid=1:0,1:4"] {
            let problem = Problem::from_text(BoardSize::new(5).expect("small"), text).expect("a problem");
            let pairs = (0..25).map(|pair| [(3, pair / 5), (1, pair % 5)]);
            let pairs = pairs.map(|pair| pair.map(|(row, column)| Square { row, column }));
            let legal_pairs = pairs.filter(|&[a, b]| {
                problem.is_open(a) && problem.is_open(b) && !problem.variant().attacks(5, a, b)
            });
            let legal_pairs: Vec<Vec<Square>> = legal_pairs.map(|pair| pair.to_vec()).collect();
            assert!(Placements::new(&problem, [3, 1], |_, _| true).eq(legal_pairs.clone()), "{text}");
            let allows = |queens: &[Square], square: Square| queens.is_empty() || square.column > 1;
            let expected = legal_pairs.into_iter().filter(|pair| pair[1].column > 1);
            assert!(Placements::new(&problem, [3, 1], allows).eq(expected), "{text}");
        }
    }

    #[test]
    fn prefix_matches_placements_that_begin_with_its_columns() {
        let prefixes = Prefix::all(4, 2);
        let columns = [[0, 2], [0, 3], [1, 3], [2, 0], [3, 0], [3, 1]];
        assert!(prefixes.iter().map(Prefix::columns).eq(columns));
        let matching_prefix =
            |placement: [u32; 4]| prefixes.iter().position(|prefix| prefix.is_start_of(&placement));
        assert_eq!([[1, 3, 0, 2], [2, 0, 3, 1], [1, 2, 3, 0]].map(matching_prefix), [Some(2), Some(3), None]);
    }

    #[test]
    fn prefix_depth_beyond_the_board_gives_the_solutions() {
        let solutions: Vec<Vec<u32>> = Prefix::all(4, 9).into_iter().map(|p| p.0).collect();
        assert_eq!(solutions, [[1, 3, 0, 2], [2, 0, 3, 1]]);
    }
}
