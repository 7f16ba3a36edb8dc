//! The solvers `count/auto` and `count/<kernel>`, which run the fast counter.

use std::num::NonZeroUsize;

use crate::count::{CountError, Counted, Job, Kernel, count};
use crate::os::proc::Root;
use crate::solver::{Goal, Info, Outcome, Sink, SolveError, Solver, Stop, Task};

/// The maximum board size for one process. Counts of larger boards would take years and must be divided into shards.
const MAX_SIZE: usize = 25;

/// All counters, including those that this machine cannot run.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    let kernels = Kernel::ALL.into_iter().map(Some).chain([None]);
    kernels.map(|kernel| Box::new(Counter(kernel)) as Box<dyn Solver>).collect()
}

/// The job that counts the whole board with the counter `id`; `None` if `id` is not a counter.
pub fn job(id: &str, n: usize, threads: NonZeroUsize) -> Option<Job> {
    let mut kernels = Kernel::ALL.into_iter().map(Some).chain([None]).map(Counter);
    kernels.find(|counter| counter.full_id() == id).map(|counter| counter.job(n, threads))
}

/// The solver that counts with one kernel, or with the best kernel of this machine if `None`.
struct Counter(Option<Kernel>);

impl Counter {
    fn name(&self) -> &'static str {
        self.0.map_or("auto", Kernel::name)
    }

    fn full_id(&self) -> String {
        format!("count/{}", self.name())
    }

    fn job(&self, n: usize, threads: NonZeroUsize) -> Job {
        let memory = Root::default().bytes("proc/meminfo", "MemAvailable");
        Job { kernel: self.0.unwrap_or_else(Kernel::best), threads, memory, ..Job::new(n) }
    }
}

impl Solver for Counter {
    fn info(&self) -> Info {
        let name = self.name();
        let kernel =
            self.0.map_or("the best kernel of this machine".to_owned(), |_| format!("kernel {name}"));
        Info {
            about: format!("meet in the middle, {kernel}"),
            goals: vec![Goal::Count],
            sizes: 0..=MAX_SIZE,
            sizes_reason: "a larger count takes years: divide it with --shard up to n = 28, or estimate it with --estimate",
            uses_threads: true,
            depends_on_machine: true,
            unavailable: self.0.and_then(|kernel| kernel.detect().err()).map(str::to_owned),
            ..Info::named(self.full_id())
        }
    }

    fn search(&self, task: &Task<'_>, _sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let job = self.job(task.n().get(), task.threads);
        let should_stop = || task.budget.exceeded(0).is_some();
        let count_result = count(&job, None, &should_stop, &mut |at| {
            task.progress.advance(0, at.checkpoint.solutions);
        });
        let Counted { checkpoint, .. } = count_result.map_err(|error| match error {
            CountError::Job(reason) => SolveError::Refused(format!("{} is unavailable: {reason}", self.id())),
            error => SolveError::Failed { id: self.id(), reason: error.to_string() },
        })?;
        let stopped = (!checkpoint.is_complete()).then(|| task.budget.exceeded(0).unwrap_or(Stop::Cancelled));
        Ok(Outcome { solutions: checkpoint.solutions, stopped, ..Outcome::default() })
    }
}
