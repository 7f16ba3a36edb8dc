//! queenlab: a research harness for the N-Queens problem.
//!
//! queenlab solves N-Queens with hand-written backtrackers and with SAT solvers, enumerates and cross-checks the solutions, and
//! records times and node counts. The `queenlab` command is a thin layer over this library, which can check and measure any
//! [`solver::Solver`], including your own.
//!
//! # All solutions of a board
//!
//! ```
//! assert_eq!(queenlab::solutions(8)?.count(), 92);
//! # Ok::<(), queenlab::solver::SolveError>(())
//! ```
//!
//! # A solver of your own, compared with a SAT solver
//!
//! ```
//! use queenlab::board::prefix::Prefix;
//! use queenlab::registry::Registry;
//! use queenlab::solver::Silent;
//! use queenlab::solver::{Goal, Info, Outcome, Sink, SolveError, Solver, Stop, Task};
//! use queenlab::board::BoardSize;
//! use queenlab::board::problem::Problem;
//! use queenlab::verify::crosscheck::{Entrant, crosscheck};
//!
//! /// Lists all legal placements on the first row, then on the first two rows, and so on.
//! struct BreadthFirst;
//!
//! impl Solver for BreadthFirst {
//!     fn info(&self) -> Info {
//!         Info { sizes: 0..=10, goals: vec![Goal::Enumerate], ..Info::named("mine/breadth-first") }
//!     }
//!
//!     fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
//!         let mut outcome = Outcome::default();
//!         for solution in Prefix::all(task.n().get(), task.n().get()) {
//!             outcome.solutions += 1;
//!             if sink.solution(solution.columns()).is_break() {
//!                 outcome.stopped = Some(Stop::Sink);
//!                 break;
//!             }
//!         }
//!         Ok(outcome)
//!     }
//! }
//!
//! let registry = Registry::builtin();
//! let sat = registry.get("sat/pairwise/varisat")?;
//! let entrants = [&BreadthFirst as &dyn Solver, sat].map(Entrant::new);
//! let problems = (0..=7).map(|n| BoardSize::new(n).map(Problem::queens)).collect::<Result<Vec<_>, _>>()?;
//! let report = crosscheck(&entrants, problems, &|_, _| &Silent)?;
//! assert!(report.agrees(), "{:?}", report.discrepancies);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the cargo feature `cli`, a program can register its solver and call `cli::main`. The program then has all commands of
//! `queenlab`, including the new solver: see `examples/own_solver.rs`. Without the feature `cli`, the library depends
//! on neither clap nor indicatif.
//!
//! docs/ARCHITECTURE.md describes the modules of this crate and the crates that it depends on.

// Tests may use conversions with truncation, and methods that clippy.toml disallows.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod app;
#[cfg(feature = "cli")]
pub mod cli;
pub mod counters;
pub mod experiment;
pub mod instance;
pub mod judging;
pub mod model;
pub mod record;
pub mod registry;
pub mod report;
pub mod spec;
pub mod submission;
pub mod verify;

pub use queens_audit as audit;
pub use queens_board as board;
pub use queens_certify as certify;
pub use queens_count as count;
pub use queens_judge as judge;
pub use queens_sat as sat;
pub use queens_search::backtrack::solutions;
pub use queens_search::{backtrack, construct, cp, local};
pub use queens_solver as solver;

use queens_solver::words;
use supervise as os;
use supervise::{command, files};
