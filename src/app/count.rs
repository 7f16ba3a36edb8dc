//! Counts solutions: with any solver, in shards, and as the sum of shards.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{AppError, Event, InputError, Observer, create_output_directory};
use crate::board::problem::Problem;
use crate::board::published;
use crate::count::fundamental::classes;
use crate::count::{self, Job, Shard, Work};
use crate::counters;
use crate::experiment::reference;
use crate::solver::sink::Discard;
use crate::solver::{ConfiguredSolver, Goal, SolveError, Solver, Task};

/// The input of a count.
pub struct CountInput<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The solver.
    pub solver: &'a ConfiguredSolver<'a>,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The seed of a randomized solver.
    pub seed: u64,
    /// The file in which the progress is saved; only for the solvers `count/*`.
    pub checkpoint: Option<&'a Path>,
    /// The shard to count instead of the whole board, and the directory for the result; only for the solvers `count/*`.
    pub shard: Option<(Shard, &'a Path)>,
}

/// How a count ended.
#[derive(Debug)]
pub enum CountEnd {
    /// All solutions of the problem were counted.
    Counted(CountResult),
    /// A shard was counted.
    Shard(CountedShard),
    /// The count was interrupted.
    Interrupted {
        /// The number of solutions that were counted so far.
        solutions: u64,
        /// The progress in subproblems, for the solvers `count/*`.
        subproblems: Option<Subproblems>,
    },
}

/// A number of solutions, and how it was counted.
#[derive(Clone, Debug)]
pub struct CountResult {
    /// The number of solutions.
    pub solutions: u128,
    /// The solver or the shards that the number comes from.
    pub counted_by: CountedBy,
    /// The wall time; for shards, the sum of their wall times.
    pub wall: Duration,
    /// The number to compare with, and its source.
    pub reference: Option<(u64, &'static str)>,
    /// Whether an external program counted the solutions, and there is no other number to compare with. Solutions may
    /// then be missing.
    pub is_unchecked: bool,
}

/// The origin of a number of solutions.
#[derive(Clone, Debug)]
pub enum CountedBy {
    /// A solver.
    Solver {
        /// The id of the solver, with its options.
        id: String,
        /// The number of threads.
        threads: usize,
        /// The work of the fast counter.
        work: Option<Work>,
    },
    /// Shards whose results were added up.
    Shards {
        /// The number of shards.
        shards: usize,
        /// The numbers of the shards with two equal results.
        repeated_shards: Vec<usize>,
    },
}

/// A shard that was counted.
#[derive(Clone, Debug)]
pub struct CountedShard {
    /// The shard.
    pub shard: Shard,
    /// The solutions of this shard.
    pub counted: CountResult,
    /// The number of subproblems of this shard.
    pub subproblems: usize,
    /// Whether the shard had been counted before this call.
    pub was_finished: bool,
}

/// The progress of a count in subproblems.
#[derive(Clone, Copy, Debug)]
pub struct Subproblems {
    /// The number of finished subproblems.
    pub finished: usize,
    /// The number of all subproblems.
    pub total: usize,
    /// The time that the count took so far.
    pub wall: Duration,
}

/// Why a number of solutions is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountFault {
    /// The number differs from the reference. The fields are the number of the reference and its source.
    Contradicts(u64, &'static str),
    /// The number is 0, but the board has solutions.
    NoSolution,
}

impl CountResult {
    /// Why the number of solutions is wrong; `None` if no error is known.
    pub fn fault(&self, problem: &Problem) -> Option<CountFault> {
        match self.reference {
            Some((number, source)) if u128::from(number) != self.solutions => {
                Some(CountFault::Contradicts(number, source))
            }
            None if self.solutions == 0
                && problem.is_plain()
                && published::has_solution(problem.n().get()) =>
            {
                Some(CountFault::NoSolution)
            }
            _ => None,
        }
    }

    /// The classes of solutions under rotation and reflection: for each class size, the number of classes. `None` if they
    /// cannot be determined from the number of solutions.
    pub fn classes(&self, problem: &Problem) -> Option<[(u8, u128); 4]> {
        classes(problem.n().get(), self.solutions)
    }
}

/// The default solver for a count: the fast counter for plain queens, otherwise dancing links.
pub fn default_solver(problem: &Problem) -> &'static str {
    if problem.is_plain() { "count/auto" } else { "backtrack/dlx" }
}

/// Counts the solutions of a problem, or of a shard of it.
///
/// # Errors
///
/// The solver does not support this problem, or failed. A wrong number is not an error; see [`CountResult::fault`].
pub fn count(
    input: &CountInput<'_>,
    cancel: &Arc<AtomicBool>,
    observe: Observer<'_>,
) -> Result<CountEnd, AppError> {
    let info = input.solver.info();
    // A shard may belong to a board that is too large for a single process.
    let is_allowed =
        |refusal: &SolveError| input.shard.is_some() && matches!(refusal, SolveError::Size { .. });
    if let Some(refusal) = info.refusal(input.problem, Goal::Count).filter(|refusal| !is_allowed(refusal)) {
        return Err(InputError::OtherSolver(refusal).into());
    }
    if let Some(job) = counters::job(&info.id, input.problem.n().get(), input.threads) {
        return count_with_fast_counter(&job, &info.id, input, cancel, observe);
    }
    for (option, is_given) in
        [("--checkpoint", input.checkpoint.is_some()), ("--shard", input.shard.is_some())]
    {
        if is_given {
            return Err(InputError::OnlyCounters(option).into());
        }
    }
    let (problem, threads) = (input.problem, input.threads);
    let mut task = Task { threads, seed: input.seed, ..Task::of(problem, Goal::Count) };
    task.budget.cancel = Some(Arc::clone(cancel));
    let started = Instant::now();
    let outcome = input.solver.solve(&task, &mut Discard)?;
    if outcome.stopped.is_some() {
        return Ok(CountEnd::Interrupted { solutions: outcome.solutions, subproblems: None });
    }
    // If no number is published, the answer of an external program is compared with the number of boards that satisfy the rules, if
    // counting them is fast.
    let reference =
        if info.uses_external { reference::count(problem) } else { published::of_problem(problem) };
    let is_unchecked = info.uses_external && reference.is_none();
    let counted_by = CountedBy::Solver { id: info.id, threads: threads.get(), work: None };
    let (solutions, wall) = (outcome.solutions.into(), started.elapsed());
    Ok(CountEnd::Counted(CountResult { solutions, counted_by, wall, reference, is_unchecked }))
}

/// Counts the solutions of the whole board or of a shard with the fast counter, which divides them into subproblems.
fn count_with_fast_counter(
    job: &Job,
    solver: &str,
    input: &CountInput<'_>,
    cancel: &AtomicBool,
    observe: Observer<'_>,
) -> Result<CountEnd, AppError> {
    let stop = || cancel.load(Ordering::Relaxed);
    if job.n <= count::MAX_SIZE {
        observe(Event::CountBegins { peak_bytes: count::peak_bytes(job.n, job.threads) });
    }
    let mut report_progress = |progress: &count::JobProgress<'_>| observe(Event::CountAdvances(progress));
    let job_result = match input.shard {
        Some((shard, out)) => {
            create_output_directory(out)?;
            count::count_shard(&Job { shard, ..*job }, out, &stop, &mut report_progress)
        }
        None => count::count(job, input.checkpoint, &stop, &mut report_progress),
    };
    let count::Counted { checkpoint, earlier, work } = job_result?;
    let (finished, total, solutions) =
        (checkpoint.finished, checkpoint.is_finished.len(), checkpoint.solutions);
    if !checkpoint.is_complete() {
        let subproblems = Some(Subproblems { finished, total, wall: checkpoint.wall });
        return Ok(CountEnd::Interrupted { solutions, subproblems });
    }
    let counted_by =
        CountedBy::Solver { id: solver.to_owned(), threads: job.threads.get(), work: Some(work) };
    let reference = if input.shard.is_some() { None } else { published::of_problem(input.problem) };
    let (solutions, wall) = (solutions.into(), checkpoint.wall);
    let counted = CountResult { solutions, counted_by, wall, reference, is_unchecked: false };
    Ok(match input.shard {
        None => CountEnd::Counted(counted),
        Some((shard, _)) => CountEnd::Shard(CountedShard {
            shard,
            counted,
            subproblems: total,
            was_finished: earlier == total,
        }),
    })
}

/// Adds up the results of the shards in a directory.
///
/// # Errors
///
/// A result is missing or damaged, or two results contradict each other.
pub fn merge(problem: &Problem, directory: &Path) -> Result<CountResult, AppError> {
    let count::Merged { shards, solutions, wall, repeated_shards } =
        count::merge(problem.n().get(), directory)?;
    let counted_by = CountedBy::Shards { shards, repeated_shards };
    Ok(CountResult {
        solutions,
        counted_by,
        wall,
        reference: published::of_problem(problem),
        is_unchecked: false,
    })
}
