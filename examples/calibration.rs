//! A `queenlab` with four equal solvers, `equal/1` to `equal/4`, and with `slower/3`, which takes 3 % longer.
//! `scripts/calibrate` sweeps them to measure how often the statistics report a difference that does not exist, and how often
//! they detect the difference that exists.

use std::hint::spin_loop;
use std::process::ExitCode;
use std::time::Instant;

use queenlab::registry::Registry;
use queenlab::solver::{Info, Outcome, Sink, SolveError, Solver, Task};

/// The solver that all of these solvers run.
const ORIGINAL: &str = "backtrack/bitmask";

struct SlowedSolver {
    id: String,
    registry: Registry,
    /// The added time, in percent of the time of the search.
    percent: u32,
}

impl SlowedSolver {
    fn original(&self) -> &dyn Solver {
        self.registry.get(ORIGINAL).expect("a solver of the registry")
    }
}

impl Solver for SlowedSolver {
    fn info(&self) -> Info {
        Info { id: self.id.clone(), ..self.original().info() }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let started = Instant::now();
        let outcome = self.original().search(task, sink);
        let total_time = started.elapsed() * (100 + self.percent) / 100;
        while started.elapsed() < total_time {
            spin_loop();
        }
        outcome
    }
}

fn main() -> ExitCode {
    let mut registry = Registry::builtin();
    let equal = (1..=4).map(|number| (format!("equal/{number}"), 0));
    for (id, percent) in equal.chain([("slower/3".to_owned(), 3)]) {
        registry.register(Box::new(SlowedSolver { id, registry: Registry::builtin(), percent }));
    }
    queenlab::cli::main(registry)
}
