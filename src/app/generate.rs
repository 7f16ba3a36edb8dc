//! Generates random instances.

use super::{AppError, InputError};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::instance::{completion, excluded_diagonals};

/// A random instance to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenerateInput {
    /// The size of the board.
    pub n: BoardSize,
    /// The rules that are added to plain queens.
    pub kind: RandomKind,
    /// The random seed; the same input gives the same instance.
    pub seed: u64,
}

/// The rules that a random instance adds to plain queens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomKind {
    /// Excluded diagonals, as in CSPLib prob079.
    ExcludedDiagonals {
        /// The number of excluded diagonals.
        count: usize,
        /// The minimum number of squares that may hold a queen in each row and column.
        keep: usize,
    },
    /// Queens that do not attack each other.
    Completion {
        /// The number of queens.
        queens: usize,
    },
}

/// A random instance.
///
/// # Errors
///
/// No such instance was found with this seed.
pub fn generate(input: GenerateInput) -> Result<Problem, AppError> {
    let GenerateInput { n, kind, seed } = input;
    let problem = match kind {
        RandomKind::ExcludedDiagonals { count, keep } => excluded_diagonals(n, count, keep, seed),
        RandomKind::Completion { queens } => completion(n, queens, seed),
    };
    Ok(problem.ok_or(InputError::NoRandomInstance { seed })?)
}
