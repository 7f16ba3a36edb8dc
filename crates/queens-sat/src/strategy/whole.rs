//! One formula, one solver: SAT does everything. Most solvers get a blocking clause after each model, so that memory grows
//! with the number of models; `chrono` needs none. The budget is checked between two calls of the solver.
//! Symmetry is broken on the top row, where ties are rare.

use super::Models;
use crate::am1::AtMostOne;
use crate::backend::{Backend, BackendError};
use crate::encoding::{Formula, encode};
use crate::symmetry::{Breaking, SymmetryGroup};
use queens_solver::{Outcome, Phase, Sink, Stat, Task};

pub fn run(
    am1: &AtMostOne,
    open: &dyn Fn() -> Box<dyn Backend>,
    symmetry: SymmetryGroup,
    task: &Task<'_>,
    sink: &mut dyn Sink,
) -> Result<Outcome, BackendError> {
    let n = task.n().get();
    let breaking = Breaking::border(n, symmetry).with_shifts_of(&task.problem);
    task.progress.phase(Phase::Encode);
    let mut formula = encode(&task.problem, am1);
    formula.break_symmetry(&breaking);
    let mut solver = open();
    solver.add_formula(&formula.cnf);
    let mut outcome = Outcome::default();
    if task.counting {
        outcome.stats = formula.statistics();
    }
    // The solver has its own copy of the clauses; only the map from variables to squares is needed.
    let Formula { squares, .. } = formula;

    task.progress.phase(Phase::Solve);
    if let Some(stop) = task.budget.exceeded(0) {
        return Ok(Outcome { stopped: Some(stop), ..Outcome::default() });
    }
    let mut models = Models::new(task, breaking, sink);
    let (calls, ended) = models.take_all(&mut *solver, &squares, &mut vec![0; n])?;
    outcome.solutions = models.solutions;
    outcome.stopped = ended.break_value().flatten();
    if task.counting {
        outcome.stats.set(Stat::SolverCalls, calls);
        outcome.stats.add(&solver.statistics());
    }
    Ok(outcome)
}
