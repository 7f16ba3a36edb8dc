//! The terms of the domain as types. The texts of each type are parsed and printed only here. Other modules do not look into
//! ids, texts of problems or names of columns.
//!
//! ```text
//! solver.rs   which solver, with its options or factors      cell.rs     what is measured: a cell, and its series
//! problem.rs  which problem: a variant or an instance        outcome.rs  status and verdict of a run, verdict of a claim
//! measure.rs  measures of runs, columns of programs          answer.rs   what a run or publication states
//! reference.rs  what an answer is compared with
//! ```

mod answer;
mod cell;
mod measure;
mod outcome;
mod problem;
mod reference;
mod solver;

pub use answer::{Answer, SolutionCount};
pub use cell::{CellKey, SeriesKey};
pub use measure::{MAX_NAME_BYTES, Measure, MeasureError, ProgramColumn, is_name};
pub use outcome::{ClaimVerdict, Disturbed, Stated, Status, Verdict};
pub use problem::{ProblemRef, ProblemRefError};
pub use reference::ComparedWith;
pub use runlab::Kind;
pub use solver::{SolverError, SolverKind, SolverRef, family, id_parts, split_selection};
