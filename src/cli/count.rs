//! `queenlab count`: counts solutions.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::board::{BoardSize, known};
use crate::cluster::{Search, ShardPlan, Tally};
use crate::count::fundamental::Classes;
use crate::count::{self, Method, Setup, Work};
use crate::experiment::reference;
use crate::experiment::runner::process::own_executable;
use crate::record::{nanoseconds, sha256_of_file};
use crate::registry::Registry;
use crate::solver::sink::Discard;
use crate::solver::{Budget, Goal, Info, SolveError, Solver, Task};
use anyhow::{Context, Error, anyhow};
use serde_json::json;

use super::args::{CountArguments, Global};
use super::progress::CountProgress;
use super::{BadInput, Exit, even_unread, interrupt, refuse_unused, sample, terminal, threads, units};

/// The solver without --solver: a fast counter for plain queens, a search for other problems.
const USUAL: &str = "count/auto";
const USUAL_OF_ANY: &str = "backtrack/dlx";

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
    let problem = arguments.problem.get()?;
    let usual = if problem.is_plain() { USUAL } else { USUAL_OF_ANY };
    let solver = registry.choose(arguments.solver.as_deref().unwrap_or(usual))?;
    let info = solver.info();
    refuse_unused(std::slice::from_ref(&info), arguments.threads, global)?;
    let threads = if info.uses_threads { threads(arguments.threads) } else { NonZeroUsize::MIN };
    let mut task = Task { threads, seed: global.seed(), ..Task::of(&problem, Goal::Count) };
    // A sample may be of a board that is too large for a count.
    let of_sample =
        |refusal: &SolveError| arguments.sample.is_some() && matches!(refusal, SolveError::Size { .. });
    if let Some(refusal) = info.refusal(&task.problem, task.goal).filter(|refusal| !of_sample(refusal)) {
        refuse!("{refusal}; choose another --solver, see 'queenlab list'");
    }
    let plain_only = [
        ("--fundamental", arguments.fundamental),
        ("--classes", arguments.classes),
        ("--checkpoint", arguments.checkpoint.is_some()),
        ("--sample", arguments.sample.is_some()),
    ];
    if let Some((option, _)) = plain_only.iter().find(|(_, given)| *given && !problem.is_plain()) {
        refuse!("{option} works only for plain queens: leave it out");
    }
    if arguments.solver.is_none() && !problem.is_plain() {
        terminal::note(format_args!("{USUAL} counts only plain queens; {USUAL_OF_ANY} counts this problem"));
    }
    let started = Instant::now();
    let counted = match count::counter(&info.id, task.n().get(), threads) {
        Some(setup) if arguments.sample.is_some() => {
            return sample::run(setup, task.n(), &info.id, arguments, global);
        }
        Some(setup) => subproblems(setup, task.n(), arguments, global, started)?,
        None if arguments.checkpoint.is_some() => {
            refuse!(
                "--checkpoint works only with the solvers count/* and for n >= 1: leave it out, or choose count/auto"
            );
        }
        None if arguments.sample.is_some() => {
            refuse!(
                "--sample works only with the solvers count/* and for n >= 14: leave it out, or choose count/auto"
            );
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
        let solutions = units::thousands(u64::try_from(counted.solutions).unwrap_or(u64::MAX));
        terminal::say(format_args!("interrupted: at least {solutions} solutions; {left}"));
        return Ok(Exit::Interrupted);
    }
    print(&counted, &task, &info, arguments)
}

/// Prints the number and compares it with the published one.
fn print(counted: &Counted, task: &Task<'_>, info: &Info, arguments: &CountArguments) -> Result<Exit, Error> {
    let (n, solver) = (task.n().get(), &info.id);
    let solutions = u64::try_from(counted.solutions)
        .map_err(|_| anyhow!("{} solutions do not fit into 64 bits", counted.solutions))?;
    // The answers of a foreign program are compared with all that can be known quickly.
    let known =
        if info.uses_external { reference::count(&task.problem) } else { known::published(&task.problem) };
    let published = known.filter(|&(published, _)| published != solutions);
    if let Some((published, source)) = published {
        terminal::say(format_args!("n={n}: {solver} counted {solutions}, but {source} has {published}"));
    }
    if info.uses_external && known.is_none() {
        terminal::note(format_args!(
            "n={n}: {solver} claims that there are no more solutions; nothing has checked this claim"
        ));
    }
    let has_solution = task.problem.is_plain() && known::has_solution(n);
    let none_found = published.is_none() && solutions == 0 && has_solution;
    if none_found {
        terminal::say(format_args!("n={n}: {solver} found no solution, but n = {n} has solutions"));
    }
    let classes = match arguments.fundamental || arguments.classes {
        true => Some(Classes::of(n, counted.solutions).ok_or_else(|| {
            anyhow!(
                "n={n}: {solutions} solutions cannot be grouped by the eight symmetries: the count is wrong"
            )
        })?),
        false => None,
    };
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let mut found = json!({
            "n": n, "variant": task.problem.to_string(), "solver": solver, "threads": task.threads,
            "solutions": solutions, "wall_ns": nanoseconds(counted.wall),
        });
        if let Some(classes) = classes {
            if arguments.fundamental {
                found["fundamental"] = json!(u64::try_from(classes.fundamental())?);
            }
            if arguments.classes {
                for (size, number) in classes.by_size() {
                    found["classes"][size.to_string()] = json!(u64::try_from(number)?);
                }
            }
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
        let text = match classes {
            Some(classes) if arguments.classes => {
                let lines = classes.by_size().map(|(size, number)| format!("{size}\t{number}"));
                lines.join("\n")
            }
            Some(classes) => classes.fundamental().to_string(),
            None => counted.solutions.to_string(),
        };
        even_unread(writeln!(out, "{text}").map_err(Error::from))?;
    }
    Ok(if published.is_some() || none_found { Exit::WrongAnswer } else { Exit::Success })
}

/// The SHA-256 of this executable, if there is a checkpoint.
pub fn own_digest(checkpoint: Option<&Path>) -> Result<Option<String>, Error> {
    let digest = checkpoint.map(|_| own_executable().and_then(|path| sha256_of_file(&path)));
    digest.transpose().context("cannot read this executable")
}

/// Counts one subproblem after the other, with progress and a checkpoint: a plan of one shard.
fn subproblems(
    Setup { n, kernel, method, threads }: Setup,
    size: BoardSize,
    arguments: &CountArguments,
    global: &Global,
    started: Instant,
) -> Result<Counted, Error> {
    if matches!(method, Method::Meet(_)) {
        CountProgress::plans(global, size, count::peak_bytes(n, threads));
    }
    let plan = ShardPlan::single_count(n, method)?;
    let path = arguments.checkpoint.as_deref();
    let executable = own_digest(path)?;
    let mut search = Search::single(&plan, path.zip(executable.as_deref()))?;
    // Opening fails only if the tables do not fit into memory.
    let board = search.open(kernel, threads);
    let board = board
        .map_err(|reason| BadInput(format!("{}: {reason}", arguments.solver.as_deref().unwrap_or(USUAL))))?;
    let graceful = interrupt::graceful();
    let budget = Budget { cancel: Some(graceful.flag()), ..Budget::unlimited() };
    let mut progress = CountProgress::new(global, size, plan.subproblems);
    let Tally { finished, done: before, .. } = search.tally().clone();
    if finished > 0 {
        progress.goes_on(finished);
    }
    let ran = search.run(&board, &budget, &mut |tally, cost| {
        progress.finished(cost, &|at| before[at], &|at| tally.done[at], tally.finished, tally.number);
    });
    progress.finish();
    let work = ran.map_err(Error::msg)?;
    search.save().map_err(Error::msg)?;
    let wall = search.wall().unwrap_or_else(|| started.elapsed());
    let tally = search.tally();
    let interrupted = (!tally.is_complete()).then(|| {
        let how = match path {
            Some(_) => "repeat the same command to resume",
            None => "use --checkpoint FILE to make a count resumable",
        };
        let (spent, total) = (units::rough(wall), plan.subproblems);
        format!("{} of {total} subproblems done in {spent}; {how}", tally.finished)
    });
    let work = (work, board.table_bytes());
    Ok(Counted { solutions: tally.number, interrupted, wall, work: Some(work) })
}
