//! batsat 0.6, a CDCL solver in Rust derived from MiniSat, in this process; only this file uses the crate `batsat`.
//! batsat counts decisions, conflicts and propagations. One call enumerates all models: when the search finds a model, a blocking clause
//! rejects the model, and the search continues instead of restarting at the root.
//!
//! Blocking clauses are never deleted. batsat counts each rejected model as a conflict. Rejected models are not conflicts of the search,
//! so this file subtracts their number.

use std::cell::Cell;
use std::ops::ControlFlow;

use batsat::lbool;
use batsat::theory::{Theory, TheoryArg};
use batsat::{BasicSolver, SolverInterface};

use super::kind::{BackendError, BackendKind, BackendOptions, IncrementalSolver};
use crate::cnf::{Lit, Variable};
use queens_solver::{Budget, Stat, Statistics, Stop};

/// The entry of batsat in the table of backends.
pub const KIND: BackendKind = BackendKind {
    name: "batsat",
    version: "batsat 0.6.0",
    about: "batsat 0.6, in this process",
    statistics: &[Stat::Decisions, Stat::Conflicts, Stat::Propagations],
    blocks_models: true,
    largest_board: |n| n,
    unavailable: |_| None,
    open: |options| Box::new(Batsat::new(options)),
};

struct Batsat {
    solver: BasicSolver,
    budget: Budget,
    clause: Vec<batsat::Lit>,
    /// The number of models whose rejection batsat counted as a conflict.
    rejected_models: u64,
}

/// The number of decisions between two checks of the budget.
const CHECK_INTERVAL: u32 = 64;

impl Batsat {
    fn new(options: &BackendOptions<'_>) -> Self {
        let mut solver = BasicSolver::default();
        let budget = options.budget.clone();
        if !budget.is_unlimited() {
            let (budget, polls) = (budget.clone(), Cell::new(0_u32));
            solver.cb_mut().set_stop(move || {
                polls.set(polls.get().wrapping_add(1));
                polls.get().is_multiple_of(CHECK_INTERVAL) && budget.exceeded(0).is_some()
            });
        }
        Self { solver, budget, clause: Vec::new(), rejected_models: 0 }
    }

    /// The reason why batsat returned without an answer: it was interrupted, or it failed.
    fn missing_answer(&self) -> BackendError {
        let missing_answer = || BackendError::NoAnswer("batsat");
        self.budget.exceeded(0).map_or_else(missing_answer, BackendError::Stopped)
    }
}

impl IncrementalSolver for Batsat {
    fn prefer_true(&mut self, last: Variable) {
        while self.solver.num_vars() < last {
            self.solver.new_var(lbool::TRUE, true);
        }
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.clause.clear();
        for lit in clause {
            let variable = self.solver.var_of_int(lit.variable() - 1);
            self.clause.push(batsat::Lit::new(variable, lit.is_positive()));
        }
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn solve(&mut self) -> Result<bool, BackendError> {
        let answer = self.solver.solve_limited(&[]);
        if answer == lbool::UNDEF { Err(self.missing_answer()) } else { Ok(answer == lbool::TRUE) }
    }

    fn true_variables(&mut self, last: Variable, variables: &mut Vec<Variable>) {
        variables.clear();
        let model = self.solver.get_model().iter().zip(1..=last);
        variables.extend(model.filter(|&(&value, _)| value == lbool::TRUE).map(|(_, variable)| variable));
    }

    fn models(
        &mut self,
        last: Variable,
        visit: &mut dyn FnMut(&[Variable]) -> ControlFlow<Option<Stop>>,
    ) -> Result<(u64, ControlFlow<Option<Stop>>), BackendError> {
        let mut rejecter = ModelRejecter {
            last,
            visit,
            flow: ControlFlow::Continue(()),
            levels: 0,
            queens: Vec::new(),
            blocking_clause: Vec::new(),
            models: 0,
            rejected_models: 0,
        };
        let answer = self.solver.solve_limited_th(&mut rejecter, &[]);
        let ModelRejecter { flow, models, rejected_models, .. } = rejecter;
        self.rejected_models += rejected_models;
        if answer == lbool::UNDEF {
            return self
                .budget
                .exceeded(0)
                .map(|stop| (models + 1, ControlFlow::Break(Some(stop))))
                .ok_or(self.missing_answer());
        }
        // Each model counts as one solver call. If the enumeration is complete, the answer "no further model" counts as another
        // call.
        Ok((models + u64::from(flow.is_continue()), flow))
    }

    fn statistics(&self) -> Statistics {
        [
            (Stat::Decisions, self.solver.num_decisions()),
            (Stat::Conflicts, self.solver.num_conflicts().saturating_sub(self.rejected_models)),
            (Stat::Propagations, self.solver.num_propagations()),
        ]
        .into()
    }
}

/// A theory for batsat that passes every model to the visitor and rejects the model, until the visitor breaks.
struct ModelRejecter<'a> {
    last: Variable,
    visit: &'a mut dyn FnMut(&[Variable]) -> ControlFlow<Option<Stop>>,
    flow: ControlFlow<Option<Stop>>,
    levels: usize,
    queens: Vec<Variable>,
    blocking_clause: Vec<batsat::Lit>,
    models: u64,
    /// The number of models whose rejection batsat counts as a conflict.
    rejected_models: u64,
}

impl Theory for ModelRejecter<'_> {
    fn final_check(&mut self, search: &mut TheoryArg<'_>) {
        self.blocking_clause.clear();
        let queens = search.model().iter().filter(|lit| lit.sign() && lit.var().idx() < self.last);
        self.blocking_clause.extend(queens.map(|&lit| !lit));
        self.queens.clear();
        self.queens.extend(self.blocking_clause.iter().map(|lit| lit.var().idx() + 1));
        self.queens.sort_unstable();
        self.models += 1;
        self.flow = (self.visit)(&self.queens);
        if self.flow.is_continue() && !self.blocking_clause.is_empty() {
            // A model without queens is the only model, so accepting it ends the search.
            self.rejected_models += 1;
            search.raise_conflict(&self.blocking_clause, true);
        }
    }

    fn create_level(&mut self) {
        self.levels += 1;
    }

    fn pop_levels(&mut self, n: usize) {
        self.levels -= n;
    }

    fn n_levels(&self) -> usize {
        self.levels
    }

    fn explain_propagation(&mut self, _: batsat::Lit) -> &[batsat::Lit] {
        // batsat calls this function only for literals that the theory propagated, and this theory propagates none.
        &[]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formula says that exactly one of three variables is true.
    #[test]
    fn batsat_does_not_count_rejected_models_as_conflicts() {
        let mut batsat = Batsat::new(&BackendOptions::default());
        for clause in [&[1, 2, 3][..], &[-1, -2], &[-1, -3], &[-2, -3]] {
            let lit = |number: &i32| {
                let lit = Lit::positive(number.unsigned_abs());
                if *number < 0 { !lit } else { lit }
            };
            batsat.add_clause(&clause.iter().map(lit).collect::<Vec<_>>());
        }
        let mut models = Vec::new();
        let mut visit = |queens: &[Variable]| {
            models.push(queens.to_vec());
            ControlFlow::Continue(())
        };
        let (answers, _) = batsat.models(3, &mut visit).expect("no limit");
        models.sort_unstable();
        assert_eq!((answers, models), (4, vec![vec![1], vec![2], vec![3]]));
        assert_eq!(batsat.rejected_models, 3);
        let conflicts = batsat.statistics().get(Stat::Conflicts);
        assert_eq!(conflicts, batsat.solver.num_conflicts().checked_sub(3));
    }
}
