//! queenlab: a research harness for the N-Queens problem.

pub mod backtrack;
pub mod board;
pub mod experiment;
pub mod record;
pub mod registry;
pub mod report;
pub mod sat;
pub mod solver;
pub mod verify;
