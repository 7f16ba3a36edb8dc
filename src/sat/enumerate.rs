//! All models of a formula on its squares, by blocking clauses: after each model a clause that
//! forbids its queens together.
//! A blocking clause names the queens only: they determine the empty squares, and auxiliary
//! variables are not determined at all. The clauses stay in the solver, so memory grows with the
//! models.
//! Source: McMillan, CAV 2002 (all-solutions SAT by blocking clauses).

use std::ops::ControlFlow;

use super::backend::{Backend, BackendError};
use super::cnf::{Lit, Variable};

/// Hands to `visit` the true variables among `1..=last` of each model, until it breaks; returns how
/// often the solver was called and what the visitor broke with.
pub fn by_blocking_clauses<B: Backend + ?Sized, T>(
    backend: &mut B,
    last: Variable,
    visit: &mut dyn FnMut(&[Variable]) -> ControlFlow<T>,
) -> Result<(u64, Option<T>), BackendError> {
    let mut queens: Vec<Variable> = Vec::new();
    let mut blocking: Vec<Lit> = Vec::new();
    let mut calls = 1;
    while backend.solve()? {
        backend.true_variables(last, &mut queens);
        if let ControlFlow::Break(reason) = visit(&queens) {
            return Ok((calls, Some(reason)));
        }
        blocking.clear();
        blocking.extend(queens.iter().map(|&variable| !Lit::positive(variable)));
        backend.add_clause(&blocking);
        calls += 1;
    }
    Ok((calls, None))
}
