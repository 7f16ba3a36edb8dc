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
    /// Whether a foreign program found it.
    by_external: bool,
    /// What JSON says about the count.
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
    let details = json!({ "threads": threads, "wall_ns": nanoseconds(started.elapsed()) });
    let by_external = info.uses_external;
    let found = Found { solutions: outcome.solutions.into(), by: info.id, by_external, details };
    print(&found, &problem, arguments)
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
        "threads": job.threads, "wall_ns": nanoseconds(checkpoint.wall),
        "work": {
            "column_sets": work.column_sets, "top_halves": work.top_halves, "bottom_halves": work.bottom_halves,
            "pieces": work.pieces, "meetings": work.meetings, "comparisons": work.comparisons,
            "table_bytes": work.table_bytes,
        },
    });
    let Some((shard, _)) = shard else {
        let found = Found { solutions: solutions.into(), by: solver.to_owned(), by_external: false, details };
        return print(&found, problem, arguments);
    };
    let when = if earlier == all { "already done" } else { "done" };
    let (all, found) = (units::counted(all, "subproblem"), units::counted(solutions, "solution"));
    terminal::note(format_args!("n={n}: shard {shard}: {when}, {all} with {found} in {spent}"));
    if arguments.json {
        details["shard"] = shard.to_string().into();
        print_json(problem, solver, solutions, details)?;
    }
    Ok(Exit::Success)
}

/// Adds up the shards of a count.
fn merge(problem: &Problem, directory: &Path, arguments: &CountArguments) -> Result<Exit, Error> {
    let n = problem.n();
    let merged = count::merge(n.get(), directory)?;
    let shards = units::counted(merged.shards, "shard");
    let compared = match known::published(problem) {
        Some((_, source)) => format!("compared with {source}"),
        None => "there is no published number to compare with".to_owned(),
    };
    for doubled in &merged.doubled {
        terminal::note(format_args!("n={n}: shard {doubled}/{} has two equal results", merged.shards));
    }
    let spent = units::computing_time(merged.wall.as_secs_f64());
    terminal::note(format_args!("n={n}: {shards}, together {spent}; {compared}"));
    let details = json!({ "shards": merged.shards, "wall_ns": nanoseconds(merged.wall) });
    let by = format!("the sum of {shards}");
    print(&Found { solutions: merged.solutions, by, by_external: false, details }, problem, arguments)
}

/// Prints the number and compares it with the published one.
fn print(found: &Found, problem: &Problem, arguments: &CountArguments) -> Result<Exit, Error> {
    let (n, by) = (problem.n().get(), &found.by);
    let solutions = u64::try_from(found.solutions)
        .map_err(|_| anyhow!("{} solutions do not fit into 64 bits", found.solutions))?;
    // The answers of a foreign program are compared with all that can be known quickly.
    let known = if found.by_external { reference::count(problem) } else { known::published(problem) };
    let published = known.filter(|&(published, _)| published != solutions);
    if let Some((published, source)) = published {
        terminal::say(format_args!("n={n}: {by} counted {solutions}, but {source} has {published}"));
    }
    if found.by_external && known.is_none() {
        terminal::note(format_args!(
            "n={n}: {by} claims that there are no more solutions; nothing has checked this claim"
        ));
    }
    let has_solution = problem.is_plain() && known::has_solution(n);
    let none_found = published.is_none() && solutions == 0 && has_solution;
    if none_found {
        terminal::say(format_args!("n={n}: {by} found no solution, but n = {n} has solutions"));
    }
    let grouped = (arguments.fundamental || arguments.classes).then(|| Classes::of(n, found.solutions));
    let not_whole = || {
        anyhow!("n={n}: {solutions} solutions cannot be grouped by the eight symmetries: the count is wrong")
    };
    let classes = grouped.map(|classes| classes.ok_or_else(not_whole)).transpose()?;
    if arguments.json {
        let mut details = found.details.clone();
        if let Some(classes) = classes.filter(|_| arguments.fundamental) {
            details["fundamental"] = json!(u64::try_from(classes.fundamental())?);
        }
        if let Some(classes) = classes.filter(|_| arguments.classes) {
            for (size, number) in classes.by_size() {
                details["classes"][size.to_string()] = json!(u64::try_from(number)?);
            }
        }
        print_json(problem, by, solutions, details)?;
    } else {
        let text = match classes {
            Some(classes) if arguments.classes => {
                classes.by_size().map(|(size, number)| format!("{size}\t{number}")).join("\n")
            }
            Some(classes) => classes.fundamental().to_string(),
            None => solutions.to_string(),
        };
        even_unread(writeln!(std::io::stdout().lock(), "{text}").map_err(Error::from))?;
    }
    Ok(if published.is_some() || none_found { Exit::WrongAnswer } else { Exit::Success })
}

fn print_json(problem: &Problem, solver: &str, solutions: u64, mut details: Value) -> Result<(), Error> {
    details["n"] = json!(problem.n().get());
    details["variant"] = json!(problem.to_string());
    details["solver"] = json!(solver);
    details["solutions"] = json!(solutions);
    even_unread(writeln!(std::io::stdout().lock(), "{details}").map_err(Error::from))
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
