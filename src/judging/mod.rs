//! Compares answers with each other and with facts. No other module compares answers. The input is evidence, and the output is
//! findings.
//!
//! [`Evidence`] is the statement of one source (a solver, a publication, the definition) about one problem. A [`Finding`]
//! describes how evidence contradicts itself ([`Evidence::flaws`]) or other evidence ([`Evidence::contradiction`]). If there
//! are several findings, the first one in the order of [`Finding::precedence`] is reported. Each file compares two things:
//!
//! ```text
//! verdict.rs     one answer and facts                     for the verdict of a run
//! review.rs      all answers to a problem                 for the verdicts at the end of a sweep
//! comparison.rs  each answer and a reference              for crosscheck.csv
//! change.rs      the answers of a cell in two results     for the command compare
//! boards.rs      two sets of boards                       for missing, extra, illegal and repeated boards
//! ```
//!
//! This module does not run solvers, read files or parse texts.

mod boards;
mod change;
mod comparison;
mod evidence;
mod finding;
mod review;
mod verdict;

pub use boards::{BoardDifference, BoardFault};
pub use change::{AnswerChange, Answers, ColumnValue, ComparedColumn, changes, compared_columns};
pub use comparison::{AnswerComparison, ComparisonReference, compare, reference};
pub use evidence::{BoardCheck, Evidence, Source};
pub use finding::{Finding, FirstBoard, Quantity, Reference};
pub use review::{Review, review};
pub use verdict::judge;

#[cfg(test)]
mod brute_force;
#[cfg(test)]
mod tests;
