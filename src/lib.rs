//! queenlab: a research harness for the N-Queens problem.
//!
//! It solves N-Queens with hand-written backtrackers and with SAT, enumerates and cross-checks the
//! solutions, and records times and node counts. The `queenlab` command is a thin layer over this
//! library, which can check and measure any [`solver::Solver`], including your own.
//!
//! # All solutions of a board
//!
//! ```
//! assert_eq!(queenlab::solutions(8)?.count(), 92);
//! # Ok::<(), queenlab::solver::SolveError>(())
//! ```
//!
//! # A solver of your own, judged by SAT
//!
//! ```
//! use queenlab::board::prefix::Prefix;
//! use queenlab::registry::Registry;
//! use queenlab::solver::{Goal, Info, Outcome, Sink, SolveError, Solver, Stop, Task};
//! use queenlab::board::BoardSize;
//! use queenlab::board::problem::Problem;
//! use queenlab::verify::crosscheck::{Entrant, Unobserved, crosscheck};
//!
//! /// Breadth first: all legal queens on the first row, then on the first two, and so on.
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
//! let report = crosscheck(&entrants, problems, &Unobserved)?;
//! assert!(report.agrees(), "{:?}", report.discrepancies);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the cargo feature `cli`, a program that registers its solver and calls `cli::main` is a
//! `queenlab` that sweeps and reports it: `examples/own_solver.rs`. Users of the library alone turn the
//! feature `cli` off and compile neither clap nor indicatif.
//!
//! # The layers
//!
//! Each layer imports only layers below it.
//!
//! ```text
//! L6  cli                      commands, progress; only this layer prints
//! L5  report                   rows in; tables and plots out
//! L4  verify · experiment      cross-checks, levels · spec -> plan -> one process per run
//!     submission               programs and texts of others, for the judge
//!     certify                  makes certificates: formulas and proofs in parts
//! L3  registry                 every solver by id
//!     record · instance        the result directory · problems in files
//! L2  backtrack · sat          searchers, one idea per file · encodings, backends, strategies
//!     local · construct · cp   local search · solutions by a formula · constraint programming
//!     counters                 the fast counter as solvers
//! L1  solver                   Solver, Task, Sink, Outcome; THE definitions of what is counted
//!     audit · judge            judge certificates · boards that others printed; import no solver
//! L0  board · os · files       squares, placements, symmetry, published counts · the system · files of others
//!     command · escape         a command in words · text of others on a terminal
//!     count                    the fast counter: meeting in the middle
//!     words                    enums whose variants have a word
//! ```

// Tests convert small numbers freely.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]

#[macro_use]
mod words;

pub mod audit;
pub mod backtrack;
pub mod board;
pub mod certify;
#[cfg(feature = "cli")]
pub mod cli;
mod command;
pub mod construct;
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "its words of lanes are narrowed and widened on purpose; tests compare every kernel with the portable one"
)]
pub mod count;
pub mod counters;
pub mod cp;
pub mod escape;
pub mod experiment;
mod files;
pub mod instance;
pub mod judge;
pub mod local;
mod os;
pub mod record;
pub mod registry;
pub mod report;
pub mod sat;
pub mod solver;
pub mod submission;
pub mod verify;

pub use backtrack::solutions;
