//! queenlab: a research harness for the N-Queens problem.

pub mod board;
pub mod solver;
