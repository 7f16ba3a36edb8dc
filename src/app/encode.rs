//! Encodes a problem as a formula.

use super::{AppError, InputError};
use crate::board::problem::Problem;
use crate::sat::am1::{self, AtMostOne};
use crate::sat::encoding::{self, Formula};
use crate::sat::symmetry::{SymmetryBreaking, SymmetryGroup};

/// The input of an encoding.
#[derive(Clone, Debug)]
pub struct EncodeInput {
    /// The problem.
    pub problem: Problem,
    /// The name of the at-most-one encoding.
    pub encoding: String,
    /// The symmetries that are broken.
    pub symmetry: SymmetryGroup,
}

/// Encodes a problem as a formula, and breaks symmetries.
///
/// # Errors
///
/// The encoding is unknown, its formula would be too large, or the problem does not have the symmetries.
pub fn encode(input: &EncodeInput) -> Result<Formula, AppError> {
    let EncodeInput { problem, encoding, symmetry } = input;
    let am1: &'static AtMostOne =
        am1::by_name(encoding).ok_or_else(|| InputError::UnknownEncoding(encoding.clone()))?;
    let n = problem.n().get();
    if n > am1.largest_board {
        return Err(InputError::TooLargeToEncode { n, encoding: am1 }.into());
    }
    if !problem.has_symmetries(symmetry.group()) {
        return Err(InputError::NoSymmetries.into());
    }
    let mut formula = encoding::encode(problem, am1);
    formula.break_symmetry(&SymmetryBreaking::on_top_row(n, *symmetry));
    Ok(formula)
}
