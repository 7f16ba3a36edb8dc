//! The counters as solvers: `count/<kernel>`, `count/auto` and `count/block`.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::block::Block;
use super::kernel::Kernel;
use super::setup::{LARGEST, Method, RunError, Setup, Share};
use crate::solver::{Goal, Info, Order, Outcome, Sink, SolveError, Solver, Stop, Task};

/// Every counter of this family, also if this machine cannot run it.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    let names = Kernel::ALL.map(Kernel::name).into_iter().chain(["auto", "block"]);
    names.map(|name| Box::new(Counter { name }) as Box<dyn Solver>).collect()
}

/// What the counter with this id counts, for a board with queens.
pub fn counter(id: &str, n: usize, threads: NonZeroUsize) -> Option<Setup> {
    let name = id.strip_prefix("count/")?;
    let kernel = match name {
        "auto" | "block" => Kernel::best(),
        _ => Kernel::named(name)?,
    };
    let method = if name == "block" { Method::block(n) } else { Method::for_size(n, kernel) };
    (n > 0).then_some(Setup { n, kernel, method, threads })
}

/// `count/<kernel>` and `count/auto`: the fastest method for a kernel. `count/block`: block depth-first
/// search with the best kernel; also lists boards.
struct Counter {
    name: &'static str,
}

impl Counter {
    fn id(&self) -> String {
        format!("count/{}", self.name)
    }
}

/// Passes every solution to the sink, on one thread.
fn enumerate(task: &Task<'_>, sink: &mut dyn Sink) -> Outcome {
    let n = task.n().get();
    let mut outcome = Outcome::default();
    let mut board = vec![0; n];
    let mut block = Block::new(n);
    let mut batch = |block: &Block| {
        for solution in 0..block.solutions() {
            block.read(solution, &mut board);
            outcome.solutions += 1;
            let flow = sink.solution(&board);
            if task.goal == Goal::First {
                return false;
            }
            if flow == ControlFlow::Break(()) {
                outcome.stopped = Some(Stop::Sink);
                return false;
            }
        }
        task.progress.advance(0, outcome.solutions);
        outcome.stopped = task.budget.exceeded(0);
        outcome.stopped.is_none()
    };
    Kernel::best().search(&mut block, Some(&mut batch)).expect("the best kernel is available");
    outcome
}

impl Solver for Counter {
    fn info(&self) -> Info {
        let named = Info { uses_threads: true, ..Info::named(self.id()) };
        if self.name == "block" {
            return Info {
                about: "block depth-first search, many boards side by side".to_owned(),
                goals: Goal::ALL.to_vec(),
                sizes: 0..=32,
                sizes_reason: "a row's squares fit into 32 bits",
                order: Order::Unspecified,
                ..named
            };
        }
        let kernel = Kernel::named(self.name);
        let about = match kernel {
            None => "meet in the middle, the best kernel of this machine".to_owned(),
            Some(kernel) => format!("meet in the middle, kernel {}", kernel.name()),
        };
        Info {
            about,
            goals: vec![Goal::Count],
            sizes: 0..=LARGEST,
            sizes_reason: "a larger count would take years; --sample estimates it",
            unavailable: kernel.and_then(|kernel| kernel.detect().err()).map(str::to_owned),
            ..named
        }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let n = task.n().get();
        let Some(setup) = counter(&self.id(), n, task.threads) else {
            let stop = task.goal != Goal::Count && sink.solution(&[]).is_break() && task.goal != Goal::First;
            return Ok(Outcome { solutions: 1, stopped: stop.then_some(Stop::Sink), ..Outcome::default() });
        };
        if task.goal != Goal::Count {
            return Ok(enumerate(task, sink));
        }
        let failed = |reason: String| SolveError::Failed { id: self.id(), reason };
        // A board that cannot be prepared does not fit into the memory of this machine.
        let unavailable = |RunError(reason)| SolveError::Unavailable { id: self.id(), reason };
        let board = setup.open().map_err(unavailable)?;
        let so_far = AtomicU64::new(0);
        let total = board.run(Share::ALL, &task.budget, &|_| false, &|finished| {
            let before = so_far.fetch_add(finished.solutions, Ordering::Relaxed);
            task.progress.advance(0, before.saturating_add(finished.solutions));
        });
        let total = total.map_err(|RunError(reason)| failed(reason))?;
        let solutions = u64::try_from(total.solutions)
            .map_err(|_| failed(format!("{} solutions do not fit into 64 bits", total.solutions)))?;
        Ok(Outcome { solutions, stopped: total.stopped, ..Outcome::default() })
    }
}
