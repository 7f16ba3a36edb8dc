//! Replaces CaDiCaL if the feature `cadical` is off: its ids are listed, and their error says how to build it.

use super::{Backend, BackendError, BackendKind};
use crate::sat::cnf::{Lit, Variable};

/// The table entry of CaDiCaL.
pub const KIND: BackendKind = BackendKind {
    name: "cadical",
    version: "not built",
    about: "CaDiCaL 2.2, in this process",
    statistics: &[],
    largest_board: |n| n / 2,
    unavailable: |_| Some(REASON.into()),
    open: |_| Box::new(Absent),
};

const REASON: &str = "this build does not include it: use cargo build --features cadical";

struct Absent;

impl Backend for Absent {
    fn add_clause(&mut self, _: &[Lit]) {}

    fn solve(&mut self) -> Result<bool, BackendError> {
        Err(BackendError::Failed(REASON.into()))
    }

    fn true_variables(&mut self, _: Variable, variables: &mut Vec<Variable>) {
        variables.clear();
    }
}
