//! Compares two sets of boards.

use crate::board::Placement;
use crate::board::problem::Problem;

crate::board::words! {
    /// In which way a board differs from the reference.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BoardFault {
        /// A solution that the solver did not find.
        Missing = "missing",
        /// A solution that only this solver found.
        Extra = "extra",
        /// A board that is not a solution.
        Illegal = "illegal",
        /// A solution that the solver found more than once.
        Duplicate = "duplicate",
    }
}

/// How the boards of an answer differ from those of a reference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardDifference {
    /// Boards of the reference that the answer lacks.
    pub missing: u64,
    /// Legal boards that the reference lacks.
    pub extra: u64,
    /// Boards that are not solutions.
    pub illegal: u64,
    /// Boards that repeat an earlier one.
    pub duplicates: u64,
    /// The first board that differs, with illegal boards before all others, and otherwise in lexicographic order.
    pub first: Option<(BoardFault, Placement)>,
}

impl BoardDifference {
    /// Compares the boards of an answer to this problem with those of a reference, both in any order. Does not run a solver.
    pub fn between(problem: &Problem, mut boards: Vec<Placement>, mut reference: Vec<Placement>) -> Self {
        boards.sort_unstable();
        reference.sort_unstable();
        reference.dedup();
        let mut difference = Self::default();
        for equal_boards in boards.chunk_by(|a, b| a == b) {
            let (board, repetitions) = (&equal_boards[0], equal_boards.len() as u64 - 1);
            if repetitions > 0 {
                difference.duplicates += repetitions;
                difference.keep_first(BoardFault::Duplicate, board);
            }
            if !problem.is_solution(board.columns()) {
                difference.illegal += 1;
                difference.keep_first(BoardFault::Illegal, board);
            } else if reference.binary_search(board).is_err() {
                difference.extra += 1;
                difference.keep_first(BoardFault::Extra, board);
            }
        }
        for board in reference.iter().filter(|board| boards.binary_search(board).is_err()) {
            difference.missing += 1;
            difference.keep_first(BoardFault::Missing, board);
        }
        difference
    }

    /// Stores a board in `first` if it precedes the stored one.
    fn keep_first(&mut self, fault: BoardFault, board: &Placement) {
        let rank = |fault: BoardFault| fault != BoardFault::Illegal;
        let is_earlier = self
            .first
            .as_ref()
            .is_none_or(|(first_fault, first)| (rank(fault), board) < (rank(*first_fault), first));
        if is_earlier {
            self.first = Some((fault, board.clone()));
        }
    }
}
