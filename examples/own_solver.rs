//! A `queenlab` with an additional solver. Sweeps, cross-checks and reports treat it like a built-in solver:
//! `cargo run --release --example own_solver -- sweep --n 4-8 --solver 'mine/*' --solver backtrack/bitmask`

use std::ops::ControlFlow;
use std::process::ExitCode;

use queenlab::board::prefix::Prefix;
use queenlab::registry::Registry;
use queenlab::solver::{Goal, Info, Outcome, Sink, SolveError, Solver, Stop, Task};

/// Breadth-first search: all legal placements on the first row, then on the first two rows, and so on.
struct BreadthFirst;

impl Solver for BreadthFirst {
    fn info(&self) -> Info {
        Info { sizes: 0..=10, goals: vec![Goal::Enumerate], ..Info::named("mine/breadth-first") }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let mut outcome = Outcome::default();
        for solution in Prefix::all(task.n().get(), task.n().get()) {
            outcome.solutions += 1;
            if sink.solution(solution.columns()) == ControlFlow::Break(()) {
                outcome.stopped = Some(Stop::Sink);
                break;
            }
        }
        Ok(outcome)
    }
}

fn main() -> ExitCode {
    let mut registry = Registry::builtin();
    registry.register(Box::new(BreadthFirst));
    queenlab::cli::main(registry)
}
