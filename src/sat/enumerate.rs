//! Enumerates all models of a formula on its squares by blocking clauses: after each model, a clause
//! forbids its set of queens.
//! A blocking clause contains the queens only: they determine the empty squares, and auxiliary
//! variables do not matter. The clauses stay in the solver, so memory grows with the number of
//! models.
//! Source: McMillan, CAV 2002 (all-solutions SAT by blocking clauses).

use std::ops::ControlFlow;

use super::backend::{Backend, BackendError};
use super::cnf::{Lit, Variable};
use crate::solver::Stop;

/// Passes the true variables among `1..=last` of each model to `visit`, until it breaks. Returns the number
/// of solver calls, and `Break` if there may be more models.
pub fn by_blocking_clauses<B: Backend + ?Sized>(
    backend: &mut B,
    last: Variable,
    visit: &mut dyn FnMut(&[Variable]) -> ControlFlow<Option<Stop>>,
) -> Result<(u64, ControlFlow<Option<Stop>>), BackendError> {
    let mut queens: Vec<Variable> = Vec::new();
    let mut blocking: Vec<Lit> = Vec::new();
    let mut calls = 0;
    loop {
        calls += 1;
        match backend.solve() {
            Ok(true) => backend.true_variables(last, &mut queens),
            Ok(false) => return Ok((calls, ControlFlow::Continue(()))),
            Err(BackendError::Stopped(stop)) => return Ok((calls, ControlFlow::Break(Some(stop)))),
            Err(error) => return Err(error),
        }
        let flow = visit(&queens);
        if flow.is_break() {
            return Ok((calls, flow));
        }
        blocking.clear();
        blocking.extend(queens.iter().map(|&variable| !Lit::positive(variable)));
        backend.add_clause(&blocking);
    }
}
