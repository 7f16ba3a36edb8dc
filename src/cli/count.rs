//! `queenlab count`: counts solutions.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::board::known;
use crate::count::column_set::Work;
use crate::count::parallel::{Finished, Method, RunError, Share};
use crate::count::{self, Count, fundamental};
use crate::experiment::runner::process::own_executable;
use crate::record::checkpoint::{Checkpoint, Identity};
use crate::record::{nanoseconds, sha256_of_file};
use crate::registry::Registry;
use crate::solver::sink::Discard;
use crate::solver::{Goal, Task};
use anyhow::{Context, Error, anyhow};
use serde_json::json;

use super::args::{CountArguments, Global};
use super::progress::CountProgress;
use super::{BadInput, Exit, even_unread, interrupt, refuse_unused, terminal, units};

/// Time between two checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(10);

/// A count, possibly interrupted.
struct Counted {
    solutions: u128,
    /// If the count was interrupted: a message about the remaining work.
    interrupted: Option<String>,
    wall: Duration,
    /// The work done in this session and the size of its tables in bytes; only for the solvers count/*.
    work: Option<(Work, u64)>,
}

pub fn run(arguments: &CountArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    let solver = registry.get(&arguments.solver)?;
    let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let asked = arguments.threads.and_then(|threads| NonZeroUsize::new(threads as usize));
    let info = solver.info();
    refuse_unused(std::slice::from_ref(&info), arguments.threads, global)?;
    let threads = asked.unwrap_or_else(|| if info.uses_threads { all() } else { NonZeroUsize::MIN });
    let mut task = Task { threads, seed: global.seed(), ..Task::new(arguments.size.get(), Goal::Count) };
    if let Some(refusal) = info.refusal(task.n, task.goal) {
        return Err(BadInput(format!("{refusal}; choose another --solver, see 'queenlab list'")).into());
    }
    let started = Instant::now();
    let counted = match count::counter(&arguments.solver, task.n.get()) {
        Some((kernel, method)) => {
            // Opening fails only if the tables do not fit into memory.
            let tuning = count::column_set::Tuning::for_size(task.n.get());
            if method == Method::Meet {
                CountProgress::plans(global, task.n, count::memory::table_bytes(task.n.get()));
            }
            let board = kernel.open_with(task.n.get(), method, tuning, threads);
            let board =
                board.map_err(|RunError(reason)| BadInput(format!("{}: {reason}", arguments.solver)))?;
            let graceful = interrupt::graceful();
            task.budget.cancel = Some(graceful.flag());
            subproblems(&*board, &task, arguments, global, started)?
        }
        None if arguments.checkpoint.is_some() => {
            let reason = "--checkpoint works only with the solvers count/* and for n >= 1";
            return Err(BadInput(format!("{reason}: leave it out, or choose count/auto")).into());
        }
        None => {
            let graceful = interrupt::graceful();
            task.budget.cancel = Some(graceful.flag());
            let outcome = solver.solve(&task, &mut Discard)?;
            let interrupted = outcome.stopped.map(|_| "the search was not complete".to_owned());
            let solutions = outcome.solutions.into();
            Counted { solutions, interrupted, wall: started.elapsed(), work: None }
        }
    };
    if let Some(left) = &counted.interrupted {
        let solutions = units::grouped(u64::try_from(counted.solutions).unwrap_or(u64::MAX));
        terminal::say(format_args!("interrupted: at least {solutions} solutions; {left}"));
        return Ok(Exit::Interrupted);
    }
    print(&counted, &task, arguments)
}

/// Prints the number and compares it with the published one.
fn print(counted: &Counted, task: &Task<'_>, arguments: &CountArguments) -> Result<Exit, Error> {
    let n = task.n.get();
    let solutions = u64::try_from(counted.solutions)
        .map_err(|_| anyhow!("{} solutions do not fit into 64 bits", counted.solutions))?;
    let published = known::solutions(n).filter(|&published| published != solutions);
    if let Some(published) = published {
        let source = known::SOLUTIONS_SOURCE;
        terminal::say(format_args!(
            "n={n}: {} counted {solutions}, but {source} gives {published}",
            arguments.solver
        ));
    }
    let none_found = published.is_none() && solutions == 0 && known::has_solution(n);
    if none_found {
        terminal::say(format_args!(
            "n={n}: {} found no solution, but n = {n} has solutions",
            arguments.solver
        ));
    }
    let fundamental = match arguments.fundamental {
        true => Some(fundamental::fundamental(n, counted.solutions).ok_or_else(|| {
            anyhow!(
                "n={n}: {solutions} solutions cannot be grouped by the eight symmetries: the count is wrong"
            )
        })?),
        false => None,
    };
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let mut found = json!({
            "n": n, "solver": arguments.solver, "threads": task.threads, "solutions": solutions,
            "wall_ns": nanoseconds(counted.wall),
        });
        if let Some(fundamental) = fundamental {
            found["fundamental"] = json!(u64::try_from(fundamental)?);
        }
        if let Some((work, table_bytes)) = &counted.work {
            found["work"] = json!({
                "column_sets": work.column_sets, "top_halves": work.top_halves, "bottom_halves": work.bottom_halves,
                "pieces": work.pieces, "meetings": work.meetings, "comparisons": work.comparisons,
                "table_bytes": table_bytes,
            });
        }
        even_unread(writeln!(out, "{found}").map_err(Error::from))?;
    } else {
        let number = fundamental.unwrap_or(counted.solutions);
        even_unread(writeln!(out, "{number}").map_err(Error::from))?;
    }
    Ok(if published.is_some() || none_found { Exit::WrongAnswer } else { Exit::Success })
}

/// State that the threads share.
struct Shared {
    checkpoint: Option<Checkpoint>,
    done: Vec<bool>,
    finished: usize,
    solutions: u128,
    progress: CountProgress,
    written: Instant,
    failed: Option<Error>,
}

/// Counts one subproblem after the other, with progress and checkpoints.
fn subproblems(
    board: &dyn Count,
    task: &Task<'_>,
    arguments: &CountArguments,
    global: &Global,
    started: Instant,
) -> Result<Counted, Error> {
    let path = arguments.checkpoint.as_deref();
    let checkpoint = path.map(|path| open(path, board, task)).transpose()?;
    let total = board.subproblems();
    let before = checkpoint.as_ref().map_or(Duration::ZERO, |old| Duration::from_nanos(old.wall_ns));
    let done = checkpoint.as_ref().map_or_else(|| vec![false; total], Checkpoint::done);
    let skipped = done.clone();
    let finished = done.iter().filter(|&&done| done).count();
    let solutions = checkpoint.as_ref().map_or(0, Checkpoint::solutions);
    let progress = CountProgress::new(global, task.n, total);
    if finished > 0 {
        progress.goes_on(finished);
    }
    let shared = Shared { checkpoint, done, finished, solutions, progress, written: started, failed: None };
    let shared = Mutex::new(shared);
    let wall = || before + started.elapsed();
    let cancel = task.budget.cancel.clone().unwrap_or_default();
    let tell = |Finished { subproblem, solutions }| {
        let mut shared = shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let shared = &mut *shared;
        shared.done[subproblem] = true;
        shared.finished += 1;
        shared.solutions += u128::from(solutions);
        shared.progress.finished(
            &|index| board.cost(index),
            &skipped,
            &shared.done,
            shared.finished,
            shared.solutions,
        );
        if shared.checkpoint.is_some() && shared.written.elapsed() >= CHECKPOINT_INTERVAL {
            shared.written = Instant::now();
            if let Err(error) = save(shared, path, wall()) {
                shared.failed = Some(error);
                cancel.store(true, Ordering::Relaxed);
            }
        }
    };
    let run = board.run(Share::ALL, &task.budget, &|subproblem| skipped[subproblem], &tell);
    let mut shared = shared.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    shared.progress.finish();
    if let Some(error) = shared.failed.take() {
        return Err(error);
    }
    let run = run?;
    save(&mut shared, path, wall())?;
    let interrupted = (shared.finished < total).then(|| {
        let how = match path {
            Some(_) => "repeat the same command to resume",
            None => "use --checkpoint FILE to make a count resumable",
        };
        let spent = units::rough(wall());
        format!("{} of {total} subproblems done in {spent}; {how}", shared.finished)
    });
    let work = (run.work, board.table_bytes());
    Ok(Counted { solutions: shared.solutions, interrupted, wall: wall(), work: Some(work) })
}

/// Opens the checkpoint of this count, or creates it.
fn open(path: &Path, board: &dyn Count, task: &Task<'_>) -> Result<Checkpoint, Error> {
    let executable = own_executable().context("cannot find this executable")?;
    let identity = Identity {
        n: task.n.get(),
        subproblems: board.subproblems(),
        queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
        executable_sha256: sha256_of_file(&executable).context("cannot read this executable")?,
    };
    let checkpoint = Checkpoint::open(path, identity)?;
    // Writing fails now rather than after an hour.
    checkpoint.write(path)?;
    Ok(checkpoint)
}

fn save(shared: &mut Shared, path: Option<&Path>, wall: Duration) -> Result<(), Error> {
    if let (Some(checkpoint), Some(path)) = (&mut shared.checkpoint, path) {
        checkpoint.update(&shared.done, shared.solutions, nanoseconds(wall));
        checkpoint.write(path)?;
    }
    Ok(())
}
