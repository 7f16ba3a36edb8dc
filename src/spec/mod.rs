//! Reads an experiment from a TOML file: the question, the expected answer, the sweep, the solvers. The options of `queenlab
//! sweep` are converted to the same types, and [`Spec::check`] checks the result in both cases. An error shows where the invalid
//! value was written. docs/FORMATS.md describes every key.
//!
//! ```text
//! experiment.rs  the whole experiment             place.rs   where a value was written; errors
//! settings.rs    [sweep], and keys of solvers     table.rs   reads tables of TOML
//! solver.rs      [[solver]]                       axis.rs    lists of values
//! program.rs     [[program]]                      sizes.rs   sizes for all goals or for each
//! formula.rs     [[sat]] and [[counter]]          values.rs  other values: limits, variants
//! claim.rs       [[claim]]                        bound.rs   the bound of a claim
//! builtin.rs     the files of experiments/        names.rs   ids and placeholders
//! ```
//!
//! A value that later checks may reject is a [`Located`], which stores the place where the value was written. This module does
//! not read instance files, start programs or depend on the registry of solvers.

pub mod axis;
mod bound;
pub mod builtin;
pub mod claim;
mod experiment;
mod formula;
mod names;
mod place;
mod program;
mod settings;
mod sizes;
mod solver;
mod table;
#[cfg(test)]
mod tests;
mod value_error;
mod values;

pub use axis::Factors;
pub use experiment::{SPEC_VERSION, Spec};
pub use formula::{EXTERNAL, FormulaProgram};
pub use names::as_file_name;
pub use place::{Located, Place, SpecError};
pub use program::{Program, QUEENLAB, placeholders_of_run};
pub use runlab::{CpuList, Repeat};
pub use settings::Settings;
pub use sizes::SweepSizes;
pub use solver::{Naming, SolverChoice};
pub use value_error::{NameError, ValueError};
pub use values::{Bounded, Memory, PositiveDuration, Variants, parse_duration};
