//! The counters as solvers: `count/<kernel>`, `count/auto` and `count/block`.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Kernel;
use super::block::Block;
use super::geometry::Geometry;
use super::parallel::{Method, RunError, Share};
use crate::solver::{Goal, Info, Order, Outcome, Sink, SolveError, Solver, Stop, Task};

/// Every counter of this family, including those that this machine cannot run.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    let mut solvers: Vec<Box<dyn Solver>> = Vec::new();
    for kernel in Kernel::ALL {
        solvers.push(Box::new(MeetCounter { kernel: Some(kernel) }));
    }
    solvers.push(Box::new(MeetCounter { kernel: None }));
    solvers.push(Box::new(BlockCounter));
    solvers
}

/// The kernel and the method of a counter's id, for a board with queens.
pub fn counter(id: &str, n: usize) -> Option<(Kernel, Method)> {
    let kernel = match id.strip_prefix("count/")? {
        _ if n == 0 => return None,
        "block" => return Some((Kernel::best(), Method::Block)),
        "auto" => Kernel::best(),
        name => Kernel::ALL.into_iter().find(|kernel| kernel.name() == name)?,
    };
    Some((kernel, Method::for_size(n)))
}

/// `count/<kernel>`: the fastest method for this kernel.
pub struct MeetCounter {
    /// The kernel; `None` for the best one of this machine.
    pub kernel: Option<Kernel>,
}

impl MeetCounter {
    fn id(&self) -> String {
        format!("count/{}", self.kernel.map_or("auto", Kernel::name))
    }
}

impl Solver for MeetCounter {
    fn info(&self) -> Info {
        let about = match self.kernel {
            None => "meet in the middle, the best kernel of this machine".to_owned(),
            Some(kernel) => format!("meet in the middle, kernel {}", kernel.name()),
        };
        Info {
            about,
            goals: vec![Goal::Count],
            uses_threads: true,
            sizes: 0..=*Geometry::SIZES.end(),
            sizes_reason: "a larger quarter has more placements than its tables can number",
            unavailable: self.kernel.and_then(|kernel| kernel.detect().err()).map(str::to_owned),
            ..Info::named(self.id())
        }
    }

    fn search(&self, task: &Task<'_>, _sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let n = task.n().get();
        let failed = |reason: String| SolveError::Failed { id: self.id(), reason };
        if n == 0 {
            return Ok(Outcome { solutions: 1, ..Outcome::default() });
        }
        let kernel = self.kernel.unwrap_or_else(Kernel::best);
        // A board that cannot be prepared does not fit into the memory of this machine.
        let unavailable = |RunError(reason)| SolveError::Unavailable { id: self.id(), reason };
        let board = kernel.open(n, task.threads).map_err(unavailable)?;
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

/// `count/block`: block depth-first search with the best kernel; also lists boards.
pub struct BlockCounter;

impl BlockCounter {
    const ID: &str = "count/block";

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
                if sink.solution(&board) == ControlFlow::Break(()) {
                    outcome.stopped = Some(Stop::Sink);
                    return false;
                }
                if task.goal == Goal::First {
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
}

impl Solver for BlockCounter {
    fn info(&self) -> Info {
        Info {
            about: "block depth-first search, many boards side by side".to_owned(),
            goals: Goal::ALL.to_vec(),
            uses_threads: true,
            sizes: 0..=32,
            sizes_reason: "a row's squares fit into 32 bits",
            order: Order::Unspecified,
            ..Info::named(Self::ID)
        }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let n = task.n().get();
        if n == 0 {
            let stop = task.goal == Goal::Enumerate && sink.solution(&[]).is_break();
            if task.goal == Goal::First {
                let _ = sink.solution(&[]);
            }
            return Ok(Outcome { solutions: 1, stopped: stop.then_some(Stop::Sink), ..Outcome::default() });
        }
        if task.goal != Goal::Count {
            return Ok(Self::enumerate(task, sink));
        }
        let failed = |reason: String| SolveError::Failed { id: Self::ID.to_owned(), reason };
        let tuning = super::Tuning::for_size(n);
        let board = Kernel::best().open_with(n, Method::Block, tuning, task.threads);
        let board = board.map_err(|RunError(reason)| failed(reason))?;
        let total = board.run(Share::ALL, &task.budget, &|_| false, &|_| {});
        let total = total.map_err(|RunError(reason)| failed(reason))?;
        let solutions = u64::try_from(total.solutions)
            .map_err(|_| failed(format!("{} solutions do not fit into 64 bits", total.solutions)))?;
        Ok(Outcome { solutions, stopped: total.stopped, ..Outcome::default() })
    }
}
