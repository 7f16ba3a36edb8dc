//! The one place where answers are compared: evidence in, findings out.
//!
//! [`Evidence`] is what one source says about one problem: a solver, a publication, or the definition. A [`Finding`] is how
//! evidence contradicts itself or other evidence ([`Evidence::flaws`], [`Evidence::contradiction`]); where several apply, the
//! order of [`Finding::precedence`] decides. Everything else is a view of that:
//!
//! ```text
//! verdict.rs     one answer by what is known              the verdict of a run
//! review.rs      all answers to a problem by each other   the verdicts at the end of a sweep
//! comparison.rs  each answer by a reference               crosscheck.csv
//! change.rs      the answers of a cell in two results     compare
//! boards.rs      two sets of boards                       the boards that are missing, and the first one
//! ```
//!
//! It runs no solver, reads no file, and looks into no text.

mod boards;
mod change;
mod comparison;
mod evidence;
mod finding;
mod review;
mod verdict;

pub use boards::{BoardDifference, BoardFault};
pub use change::{AnswerChange, Answers, ColumnValue, ComparedColumn, changes, deterministic};
pub use comparison::{AnswerComparison, With, compare, reference};
pub use evidence::{BoardCheck, Evidence, Source};
pub use finding::{Finding, FirstBoard, Quantity, Reference};
pub use review::{Review, review};
pub use verdict::judge;

#[cfg(test)]
mod brute_force;
#[cfg(test)]
mod tests;
