//! Searchers of n queens, one idea per file.
//!
//! ```
//! use queens_board::BoardSize;
//! use queens_solver::{Goal, Task, sink::Discard};
//!
//! let solvers = queens_search::backtrack::solvers();
//! let bitmask = solvers.iter().find(|solver| solver.id() == "backtrack/bitmask").expect("it is there");
//! let outcome = bitmask.solve(&Task::new(BoardSize::new(8)?, Goal::Count), &mut Discard)?;
//! assert_eq!(outcome.solutions, 92);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//! backtrack/     backtracking, look-ahead, dancing links, probes     construct.rs  solutions by a formula
//! local/         local search                                        cp.rs         constraint programming
//! ```

// Tests convert small numbers freely, and may set a deadline.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod backtrack;
pub mod construct;
pub mod cp;
pub mod local;
#[cfg(test)]
mod tests;
