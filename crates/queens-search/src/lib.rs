//! Searchers of n queens, one idea per file.
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
