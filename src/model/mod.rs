//! The words of the domain as types. Each is parsed from its text in one place, here, and printed in one place: nothing else
//! looks into an id, a problem's text or a column's name.
//!
//! ```text
//! solver.rs   which solver, with its options or factors      cell.rs     what is measured: a cell, and its series
//! problem.rs  which problem: a variant or an instance        outcome.rs  how a run ended, and what its answer is worth
//! measure.rs  what of runs is compared, names of columns     answer.rs   what is answered to a question
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
pub use measure::{MAX_NAME, Measure, MeasureError, ProgramColumn, is_name};
pub use outcome::{ClaimVerdict, Disturbed, Stated, Status, Verdict};
pub use problem::{ProblemRef, ProblemRefError};
pub use reference::ComparedWith;
pub use runlab::Kind;
pub use solver::{SolverError, SolverKind, SolverRef, family, id_parts, split_selection};
