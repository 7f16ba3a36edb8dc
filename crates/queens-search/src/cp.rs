//! Constraint programming: n queens as all-different constraints for the solver Pumpkin, which is compiled with the cargo feature
//! `cp`. Without the feature, the solver is listed as unavailable.

#[cfg(feature = "cp")]
mod pumpkin;

use queens_board::BoardSize;
use queens_solver::{Info, Outcome, Sink, SolveError, Solver, Stat, Task};

/// Every constraint programming solver.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    vec![Box::new(Pumpkin)]
}

struct Pumpkin;

const NOT_BUILT: &str =
    "this build does not include Pumpkin: use cargo build --features cp, with Rust 1.95 or later";

impl Solver for Pumpkin {
    fn info(&self) -> Info {
        Info {
            about: "constraint programming with learning (lazy clause generation): the solver Pumpkin"
                .to_owned(),
            version: "pumpkin-core 0.5.0".to_owned(),
            sizes: 0..=BoardSize::MAX / 4,
            sizes_reason: "on a larger board, the constraints of some problems exceed 2 GiB",
            statistics: vec![Stat::Decisions, Stat::Conflicts, Stat::Propagations, Stat::Restarts],
            any_problem: true,
            uses_seed: true,
            unavailable: (!cfg!(feature = "cp")).then(|| NOT_BUILT.to_owned()),
            ..Info::named("cp/pumpkin")
        }
    }

    #[cfg(feature = "cp")]
    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        Ok(pumpkin::search(task, sink))
    }

    #[cfg(not(feature = "cp"))]
    fn search(&self, _: &Task<'_>, _: &mut dyn Sink) -> Result<Outcome, SolveError> {
        Err(SolveError::Refused(NOT_BUILT.to_owned()))
    }
}
