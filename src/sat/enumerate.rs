//! All models of a formula on the squares: one solver, and after each model a clause that forbids
//! its N queens together (strategy `blocking`).
//! A blocking clause names the N queens only: they determine the empty squares, and auxiliary
//! variables are not determined at all. The clauses stay, so memory grows with the solutions.
//! The budget is looked at between two calls of the solver.
//! Source: McMillan, CAV 2002 (all-solutions SAT by blocking clauses).

use std::ops::ControlFlow;

use super::backend::{Backend, BackendError};
use super::cnf::{Lit, Variable};
use super::encoding::Formula;
use crate::solver::{Goal, Outcome, Phase, Sink, Stop, Task};

/// Models between two reports of progress.
const REPORT: u64 = 1024;

/// Carries out a task on a formula and a backend that holds nothing yet.
pub fn run(
    task: &Task<'_>,
    sink: &mut dyn Sink,
    encode: impl FnOnce() -> Formula,
    open: impl FnOnce() -> Box<dyn Backend>,
) -> Result<Outcome, BackendError> {
    task.progress.phase(Phase::Encode);
    let formula = encode();
    let mut backend = open();
    backend.add_formula(&formula.cnf);
    let mut outcome = Outcome::default();
    if task.counting {
        outcome.sat.vars = Some(u64::from(formula.cnf.variables()));
        outcome.sat.aux_vars = Some(u64::from(formula.auxiliary_variables()));
        outcome.sat.clauses = Some(formula.cnf.len() as u64);
    }

    task.progress.phase(Phase::Solve);
    // Only the map from variables to squares is needed from here on.
    let Formula { n, squares, .. } = formula;
    let mut columns = vec![0; n];
    let mut queens: Vec<Variable> = Vec::with_capacity(n);
    let mut blocking: Vec<Lit> = Vec::with_capacity(n);
    let mut calls = 0_u64;
    outcome.stopped = loop {
        if let Some(stop) = task.budget.exceeded(0) {
            break Some(stop);
        }
        calls += 1;
        if !backend.solve()? {
            break None;
        }
        outcome.solutions += 1;
        backend.true_variables(squares.len() as Variable, &mut queens);
        for &variable in &queens {
            let square = squares[variable as usize - 1];
            columns[square.row] = square.column as u16;
        }
        let answer = match task.goal {
            Goal::Count => ControlFlow::Continue(()),
            Goal::First | Goal::Enumerate => sink.solution(&columns),
        };
        if task.goal == Goal::First {
            break None;
        }
        if answer.is_break() {
            break Some(Stop::Sink);
        }
        if outcome.solutions % REPORT == 0 {
            task.progress.advance(0, outcome.solutions);
        }
        blocking.clear();
        blocking.extend(queens.iter().map(|&variable| !Lit::positive(variable)));
        backend.add_clause(&blocking);
    };
    if task.counting {
        let reported = backend.statistics();
        outcome.sat.solver_calls = Some(calls);
        outcome.sat.learned_clauses = reported.learned_clauses;
        outcome.sat.decisions = reported.decisions;
        outcome.sat.conflicts = reported.conflicts;
        outcome.sat.propagations = reported.propagations;
    }
    Ok(outcome)
}
