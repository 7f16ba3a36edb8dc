//! `queenlab count`: counts solutions, in one process or in shards.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::board::known;
use crate::board::problem::Problem;
use crate::count::fundamental::Classes;
use crate::count::{self, CountError, Counted, Job};
use crate::counters;
use crate::experiment::reference;
use crate::record::nanoseconds;
use crate::registry::Registry;
use crate::solver::sink::Discard;
use crate::solver::{Goal, SolveError, Solver, Task};
use anyhow::{Error, anyhow};
use serde_json::{Value, json};

use super::args::{CountArguments, Global};
use super::progress::CountProgress;
use super::{Exit, estimate, even_unread, interrupt, refuse_unused, terminal, threads, units};

/// The solver without --solver: a fast counter for plain queens, a search for other problems.
const USUAL: &str = "count/auto";
const USUAL_OF_ANY: &str = "backtrack/dlx";

/// The number of solutions, and how it was found.
struct Found {
    solutions: u128,
    by: String,
    /// The number that is known, and its source.
    known: Option<(u64, &'static str)>,
    /// What JSON says beside the number.
    details: Value,
}

pub fn run(arguments: &CountArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    let problem = arguments.problem.get()?;
    let plain_only = [
        ("--fundamental", arguments.fundamental),
        ("--classes", arguments.classes),
        ("--checkpoint", arguments.checkpoint.is_some()),
        ("--shard", arguments.shard.is_some()),
        ("--merge", arguments.merge.is_some()),
    ];
    if let Some((option, _)) = plain_only.iter().find(|(_, given)| *given && !problem.is_plain()) {
        refuse!("{option} works only for plain queens: leave it out");
    }
    if arguments.estimate {
        return estimate::run(&problem, arguments, global, registry);
    }
    if let Some(directory) = &arguments.merge {
        return merge(&problem, directory, arguments);
    }
    let usual = if problem.is_plain() { USUAL } else { USUAL_OF_ANY };
    let solver = registry.choose(arguments.solver.as_deref().unwrap_or(usual))?;
    let info = solver.info();
    refuse_unused(std::slice::from_ref(&info), arguments.threads, global)?;
    let threads = if info.uses_threads { threads(arguments.threads) } else { NonZeroUsize::MIN };
    // A shard may be of a board that is too large for one process.
    let of_shard =
        |refusal: &SolveError| arguments.shard.is_some() && matches!(refusal, SolveError::Size { .. });
    if let Some(refusal) = info.refusal(&problem, Goal::Count).filter(|refusal| !of_shard(refusal)) {
        refuse!("{refusal}; choose another --solver, see 'queenlab list'");
    }
    if arguments.solver.is_none() && !problem.is_plain() {
        terminal::note(format_args!("{USUAL} counts only plain queens; {USUAL_OF_ANY} counts this problem"));
    }
    if let Some(job) = counters::job(&info.id, problem.n().get(), threads) {
        return subproblems(&job, &info.id, &problem, arguments, global);
    }
    if let Some((option, _)) = plain_only.iter().skip(2).find(|(_, given)| *given) {
        refuse!("{option} works only with the solvers count/*: leave it out, or choose count/auto");
    }
    let graceful = interrupt::graceful();
    let mut task = Task { threads, seed: global.seed(), ..Task::of(&problem, Goal::Count) };
    task.budget.cancel = Some(graceful.flag());
    let started = Instant::now();
    let outcome = solver.solve(&task, &mut Discard)?;
    if outcome.stopped.is_some() {
        return Ok(interrupted(outcome.solutions, "the search was not complete"));
    }
    let details = json!({ "solver": info.id, "threads": threads, "wall_ns": nanoseconds(started.elapsed()) });
    // The answers of a foreign program are compared with all that can be known quickly.
    let known = if info.uses_external { reference::count(&problem) } else { known::published(&problem) };
    if info.uses_external && known.is_none() {
        terminal::note(format_args!(
            "n={}: {} claims that there are no more solutions; nothing has checked this claim",
            problem.n(),
            info.id
        ));
    }
    print(Found { solutions: outcome.solutions.into(), by: info.id, known, details }, &problem, arguments)
}

fn interrupted(solutions: u64, left: &str) -> Exit {
    let solutions = units::thousands(solutions);
    terminal::say(format_args!("interrupted: at least {solutions} solutions; {left}"));
    Exit::Interrupted
}

/// Counts one subproblem after the other: of the board, or of a shard of it.
fn subproblems(
    job: &Job,
    solver: &str,
    problem: &Problem,
    arguments: &CountArguments,
    global: &Global,
) -> Result<Exit, Error> {
    let n = problem.n();
    CountProgress::plans(global, n, count::peak_bytes(job.n, job.threads));
    let graceful = interrupt::graceful();
    let flag = graceful.flag();
    let stop = || flag.load(Ordering::Relaxed);
    let mut progress = CountProgress::new(global, n, "subproblems");
    let mut watch = |at: &count::Progress<'_>| progress.counted(at);
    let shard = arguments.shard.zip(arguments.out.as_deref());
    let counted = match shard {
        Some((shard, out)) => count::count_shard(&Job { shard, ..*job }, out, &stop, &mut watch),
        None => count::count(job, arguments.checkpoint.as_deref(), &stop, &mut watch),
    };
    progress.finish();
    let Counted { checkpoint, earlier, work } = counted?;
    let (finished, all, solutions) = (checkpoint.finished, checkpoint.done.len(), checkpoint.solutions);
    let spent = units::rough(checkpoint.wall);
    if !checkpoint.is_complete() {
        let how = match arguments.checkpoint.is_some() || shard.is_some() {
            true => "repeat the same command to resume",
            false => "use --checkpoint FILE to make a count resumable",
        };
        let left = format!("{finished} of {all} subproblems done in {spent}; {how}");
        return Ok(interrupted(solutions, &left));
    }
    let mut details = json!({
        "solver": solver, "threads": job.threads, "wall_ns": nanoseconds(checkpoint.wall),
        "work": {
            "column_sets": work.column_sets, "top_halves": work.top_halves, "bottom_halves": work.bottom_halves,
            "pieces": work.pieces, "meetings": work.meetings, "comparisons": work.comparisons,
            "table_bytes": work.table_bytes,
        },
    });
    let Some((shard, _)) = shard else {
        let (by, known) = (solver.to_owned(), known::published(problem));
        return print(Found { solutions: solutions.into(), by, known, details }, problem, arguments);
    };
    let when = if earlier == all { "already done" } else { "done" };
    let (all, found) = (units::counted(all, "subproblem"), units::counted(solutions, "solution"));
    terminal::note(format_args!("n={n}: shard {shard}: {when}, {all} with {found} in {spent}"));
    if arguments.json {
        details["shard"] = shard.to_string().into();
        print_line(&as_json(details, problem, solutions))?;
    }
    Ok(Exit::Success)
}

/// Adds up the shards of a count.
fn merge(problem: &Problem, directory: &Path, arguments: &CountArguments) -> Result<Exit, Error> {
    let n = problem.n();
    let merged = count::merge(n.get(), directory)?;
    let (shards, known) = (units::counted(merged.shards, "shard"), known::published(problem));
    for doubled in &merged.doubled {
        terminal::note(format_args!("n={n}: shard {doubled}/{} has two equal results", merged.shards));
    }
    let compared = match known {
        Some((_, source)) => format!("compared with {source}"),
        None => "there is no published number to compare with".to_owned(),
    };
    let spent = units::computing_time(merged.wall.as_secs_f64());
    terminal::note(format_args!("n={n}: {shards}, together {spent}; {compared}"));
    let details = json!({ "shards": merged.shards, "wall_ns": nanoseconds(merged.wall) });
    let by = format!("the sum of {shards}");
    print(Found { solutions: merged.solutions, by, known, details }, problem, arguments)
}

/// Prints the number and compares it with the known one.
fn print(found: Found, problem: &Problem, arguments: &CountArguments) -> Result<Exit, Error> {
    let Found { solutions, by, known, mut details } = found;
    let n = problem.n().get();
    let wrong = match known {
        Some((published, source)) if u128::from(published) != solutions => {
            Some(format!("counted {solutions}, but {source} has {published}"))
        }
        None if solutions == 0 && problem.is_plain() && known::has_solution(n) => {
            Some(format!("found no solution, but n = {n} has solutions"))
        }
        _ => None,
    };
    if let Some(wrong) = &wrong {
        terminal::say(format_args!("n={n}: {by} {wrong}"));
    }
    let text = if arguments.fundamental || arguments.classes {
        let classes = Classes::of(n, solutions).ok_or_else(|| {
            anyhow!(
                "n={n}: {solutions} solutions cannot be grouped by the eight symmetries: the count is wrong"
            )
        })?;
        let by_size = classes.by_size();
        if arguments.fundamental {
            details["fundamental"] = json!(classes.fundamental());
            classes.fundamental().to_string()
        } else {
            for (size, number) in by_size {
                details["classes"][size.to_string()] = json!(number);
            }
            by_size.map(|(size, number)| format!("{size}\t{number}")).join("\n")
        }
    } else {
        solutions.to_string()
    };
    let solutions =
        u64::try_from(solutions).map_err(|_| anyhow!("{solutions} solutions do not fit into 64 bits"))?;
    print_line(&if arguments.json { as_json(details, problem, solutions) } else { text })?;
    Ok(if wrong.is_some() { Exit::WrongAnswer } else { Exit::Success })
}

fn as_json(mut details: Value, problem: &Problem, solutions: u64) -> String {
    details["n"] = problem.n().get().into();
    details["variant"] = problem.to_string().into();
    details["solutions"] = solutions.into();
    details.to_string()
}

fn print_line(text: &str) -> Result<(), Error> {
    even_unread(writeln!(std::io::stdout().lock(), "{text}").map_err(Error::from))
}

/// The exit code of an error of the counter. A file that does not belong to a merge is bad input, like one that is no
/// checkpoint.
pub fn exit_of(error: &CountError) -> Exit {
    match error {
        CountError::Job(_) | CountError::File(_) => Exit::BadInput,
        CountError::Foreign(_) => Exit::ResumeRefused,
        CountError::Disagree(_) => Exit::WrongAnswer,
        CountError::Failed(_) => Exit::Failure,
    }
}
