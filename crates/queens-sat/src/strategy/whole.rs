//! One solver gets the formula of the whole board and enumerates its models without blocking clauses. The budget is checked after each
//! model. Symmetry is broken on the top row, where ties are rare.

use super::division::{Division, DivisionInput};
use super::models::ModelReceiver;
use crate::backend::BackendError;
use crate::encoding::{Formula, encode};
use crate::symmetry::SymmetryBreaking;
use queens_solver::{Outcome, Phase, Sink, Stat};

/// The entry of this strategy in [`super::ALL`].
pub const WHOLE: Division = Division {
    name: "whole",
    about: "all solutions without blocking clauses",
    is_default: true,
    encodes_whole_board: true,
    uses_threads: false,
    statistics: &[Stat::Vars, Stat::AuxVars, Stat::Clauses, Stat::SolverCalls],
    supports_backend: |backend| !backend.blocks_models,
    run,
};

fn run(input: &DivisionInput<'_>, sink: &mut dyn Sink) -> Result<Outcome, BackendError> {
    let &DivisionInput { at_most_one, open, symmetry, task } = input;
    let n = task.n().get();
    let breaking = SymmetryBreaking::on_top_row(n, symmetry).with_shifts_of(&task.problem);
    task.progress.phase(Phase::Encode);
    let mut formula = encode(&task.problem, at_most_one);
    formula.break_symmetry(&breaking);
    let mut solver = open();
    solver.add_formula(&formula.cnf);
    let mut outcome = Outcome::default();
    if task.counting {
        outcome.stats = formula.statistics();
    }
    // The solver has its own copy of the clauses, so only the map from variables to squares is kept.
    let Formula { squares, .. } = formula;

    task.progress.phase(Phase::Solve);
    if let Some(stop) = task.budget.exceeded(0) {
        return Ok(Outcome { stopped: Some(stop), ..Outcome::default() });
    }
    let mut receiver = ModelReceiver::new(task, breaking, sink);
    let (calls, flow) = receiver.enumerate(&mut *solver, &squares, &mut vec![0; n])?;
    outcome.solutions = receiver.solutions;
    outcome.stopped = flow.break_value().flatten();
    if task.counting {
        outcome.stats.set(Stat::SolverCalls, calls);
        outcome.stats.add(&solver.statistics());
    }
    Ok(outcome)
}
