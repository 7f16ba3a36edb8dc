//! CaDiCaL 2.2, a CDCL solver with inprocessing, written in C++, in this process; only this file uses the
//! crates rustsat and rustsat-cadical, which compile it. CaDiCaL counts the decisions, conflicts and propagations of its search,
//! without inprocessing. It runs in its default configuration.
//!
//! If memory runs out while clauses are added, the next call of `solve` returns the error.
//! Source: Biere, Faller, Fazekas, Fleury, Froleyks & Pollitt, CAV 2024.

use rustsat::solvers::{ControlSignal, GetInternalStats, Solve, SolverResult, Terminate};
use rustsat::types::TernaryVal;
use rustsat_cadical::CaDiCaL;

use super::kind::{BackendError, BackendKind, BackendOptions, IncrementalSolver};
use crate::cnf::{Lit, Variable};
use queens_solver::{Budget, Stat, Statistics};

/// The entry of CaDiCaL in the table of backends.
pub const KIND: BackendKind = BackendKind {
    name: "cadical",
    version: concat!("cadical 2.2.1 (", "rustsat-cadical 0.7.5", ")"),
    about: "CaDiCaL 2.2, in this process",
    statistics: &[Stat::Decisions, Stat::Conflicts, Stat::Propagations],
    blocks_models: true,
    // CaDiCaL uses about 200 bytes per binary clause, batsat 50.
    largest_board: |n| n / 2,
    unavailable: |_| None,
    open: |options| Box::new(Cadical::new(options)),
};

struct Cadical {
    solver: CaDiCaL<'static, 'static>,
    budget: Budget,
    clause: Vec<rustsat::types::Lit>,
    failure: Option<BackendError>,
}

impl Cadical {
    fn new(options: &BackendOptions<'_>) -> Self {
        let mut solver = CaDiCaL::default();
        let budget = options.budget.clone();
        if !budget.is_unlimited() {
            let budget = budget.clone();
            // CaDiCaL itself limits how often it calls the terminator.
            solver.attach_terminator(move || match budget.exceeded(0) {
                Some(_) => ControlSignal::Terminate,
                None => ControlSignal::Continue,
            });
        }
        Self { solver, budget, clause: Vec::new(), failure: None }
    }
}

/// This implementation keeps the default method `prefer_true`, which does nothing, because CaDiCaL assigns true to decision variables
/// first.
impl IncrementalSolver for Cadical {
    fn add_clause(&mut self, clause: &[Lit]) {
        self.clause.clear();
        let to_cadical = |lit: &Lit| rustsat::types::Lit::new(lit.variable() - 1, !lit.is_positive());
        self.clause.extend(clause.iter().map(to_cadical));
        if let Err(error) = self.solver.add_clause_ref(&self.clause) {
            self.failure = Some(BackendError::Library(error.to_string()));
        }
    }

    fn solve(&mut self) -> Result<bool, BackendError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        match self.solver.solve() {
            Ok(SolverResult::Sat) => Ok(true),
            Ok(SolverResult::Unsat) => Ok(false),
            Ok(SolverResult::Interrupted) => {
                let missing_answer = || BackendError::NoAnswer("cadical");
                Err(self.budget.exceeded(0).map_or_else(missing_answer, BackendError::Stopped))
            }
            Err(error) => Err(BackendError::Library(error.to_string())),
        }
    }

    fn true_variables(&mut self, last: Variable, variables: &mut Vec<Variable>) {
        variables.clear();
        let value = |variable: Variable| self.solver.lit_val(rustsat::types::Lit::positive(variable - 1));
        variables.extend((1..=last).filter(|&variable| matches!(value(variable), Ok(TernaryVal::True))));
    }

    fn statistics(&self) -> Statistics {
        [
            (Stat::Decisions, self.solver.decisions() as u64),
            (Stat::Conflicts, self.solver.conflicts() as u64),
            (Stat::Propagations, self.solver.propagations() as u64),
        ]
        .into()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use queens_solver::Stop;

    #[test]
    fn cadical_version_matches_the_linked_library() {
        let signature = CaDiCaL::default().signature().replace('-', " ");
        assert!(KIND.version.starts_with(&format!("{signature} (rustsat-cadical 0.7.")), "{}", KIND.version);
    }

    /// A CDCL solver needs far longer than the deadline for twelve pigeons in eleven holes.
    #[test]
    fn search_stops_at_the_deadline() {
        let deadline = Instant::now() + Duration::from_millis(50);
        let budget = Budget { deadline: Some(deadline), ..Budget::default() };
        let mut backend = Cadical::new(&BackendOptions { budget, ..BackendOptions::default() });
        let pigeon_in_hole =
            |pigeon: i32, hole: i32| Lit::from_dimacs(pigeon * 11 + hole + 1).expect("not 0");
        for pigeon in 0..12 {
            backend.add_clause(&(0..11).map(|hole| pigeon_in_hole(pigeon, hole)).collect::<Vec<_>>());
            for (earlier_pigeon, hole) in (0..pigeon).flat_map(|p| (0..11).map(move |hole| (p, hole))) {
                backend.add_clause(&[!pigeon_in_hole(pigeon, hole), !pigeon_in_hole(earlier_pigeon, hole)]);
            }
        }
        assert_eq!(backend.solve(), Err(BackendError::Stopped(Stop::Deadline)));
    }
}
