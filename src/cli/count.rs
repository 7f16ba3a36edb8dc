//! `queenlab count`: counts solutions, in one process or in shards.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::board::known;
use crate::board::problem::Problem;
use crate::count::fundamental::classes;
use crate::count::{self, CountError, Counted, Job, JobError, Shard};
use crate::counters;
use crate::experiment::reference;
use crate::files;
use crate::record::nanoseconds;
use crate::registry::Registry;
use crate::solver::sink::Discard;
use crate::solver::{Goal, Info, SolveError, Solver, Task};
use anyhow::{Context, Error};
use clap::Args;
use serde_json::{Value, json};

use super::options::{Messages, ProblemArguments, SatPrograms, Seed, Threads, stored};
use super::progress::CountProgress;
use super::{Exit, Run, estimate, interrupt, out, terminal, units};

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

/// Count solutions as fast as possible, or estimate their number.
///
/// Prints only the number. If it contradicts the published number (OEIS), the exit code is 3. The fast counters work
/// only for plain queens; other problems are counted by searching.
///
/// A count for several machines: count each shard with --shard I/K --out DIR, on any machine, in any order, and then add
/// up the results with --merge DIR.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab count 16
  queenlab count 18 --threads 1
  queenlab count 12 --solver backtrack/bitmask --json
  queenlab count 12 --classes
  queenlab count 13 --variant toroidal
  queenlab count 22 --shard 3/64 --out shards
  queenlab count 22 --merge shards
  queenlab count 27 --estimate --probes 1000000 --seed 7")]
pub struct Count {
    #[command(flatten)]
    pub problem: ProblemArguments,
    /// Solver to count with, or whose tree is probed, as ID or ID:key=value,key=value; `queenlab list` shows all [default:
    /// count/auto for plain queens, otherwise backtrack/dlx; with --estimate, backtrack/column-scan for plain queens,
    /// otherwise backtrack/forward-checking].
    #[arg(long, value_name = "ID")]
    pub solver: Option<String>,
    #[command(flatten)]
    pub threads: Threads,
    /// Count fundamental solutions: rotations and reflections of a board count as one. For plain queens only.
    #[arg(long)]
    fundamental: bool,
    /// Group the solutions into classes: two solutions are in the same class if a rotation or reflection maps one to the
    /// other. Print one line for each class size (8, 4, 2 and 1): the size and the number of such classes. For plain
    /// queens only.
    #[arg(long, conflicts_with = "fundamental")]
    classes: bool,
    /// Save the progress of a count in FILE, and resume from FILE if it exists; for the solvers count/* only. A checkpoint of
    /// another board size or version is refused.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shard", "merge"], value_parser = stored())]
    checkpoint: Option<PathBuf>,
    /// Count only the I-th of K shards, for example 3/64, and leave the result in the directory --out. A shard that was
    /// interrupted resumes; one that has its result does nothing. For plain queens up to n = 28 and the solvers count/*.
    #[arg(long, value_name = "I/K", requires = "out", conflicts_with_all = ["fundamental", "classes", "merge"])]
    shard: Option<Shard>,
    /// Directory for the results of shards. All shards of a count need the same one, or their files are collected in one.
    #[arg(short, long, value_name = "DIR", requires = "shard", value_parser = stored())]
    out: Option<PathBuf>,
    /// Add up the results of all shards in DIR instead of counting.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["solver", "threads"])]
    merge: Option<PathBuf>,
    /// Estimate the number of solutions, and the size of the search tree, by random probes instead of counting.
    ///
    /// Each probe follows a random path from the empty board to a dead end or a solution. The product of the numbers of
    /// choices on the path estimates the number of nodes on each level (Knuth 1975). The estimates are unbiased. The 95 %
    /// intervals assume a normal distribution: they are too narrow for levels that only few probes reach. With --solver
    /// backtrack/forward-checking:rows=smallest, the number of solutions has a smaller error in the same time.
    #[arg(long, conflicts_with_all = ["fundamental", "classes", "checkpoint", "shard", "merge"])]
    estimate: bool,
    /// Number of probes of --estimate. The standard error shrinks with its square root.
    #[arg(
        long,
        value_name = "P",
        requires = "estimate",
        default_value = "10000",
        value_parser = clap::value_parser!(u64).range(2..)
    )]
    pub probes: u64,
    /// Print JSON: what was counted or estimated, with the solver, its threads and the time in nanoseconds.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub seed: Seed,
    #[command(flatten)]
    sat: SatPrograms,
    #[command(flatten)]
    pub messages: Messages,
}

impl Run for Count {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let registry = self.sat.with(registry);
        let problem = self.problem.get()?;
        let plain_only = [
            ("--fundamental", self.fundamental),
            ("--classes", self.classes),
            ("--checkpoint", self.checkpoint.is_some()),
            ("--shard", self.shard.is_some()),
            ("--merge", self.merge.is_some()),
        ];
        if let Some((option, _)) = plain_only.iter().find(|(_, given)| *given && !problem.is_plain()) {
            refuse!("{option} works only for plain queens: leave it out");
        }
        if self.estimate {
            return estimate::run(&problem, self, &registry);
        }
        if let Some(directory) = &self.merge {
            return merge(&problem, directory, self);
        }
        let usual = if problem.is_plain() { USUAL } else { USUAL_OF_ANY };
        let solver = registry.choose(self.solver.as_deref().unwrap_or(usual))?;
        let info = solver.info();
        self.sat.must_act_on(std::slice::from_ref(&info))?;
        let threads = self.threads.of(&info)?;
        // A shard may be of a board that is too large for one process.
        let of_shard =
            |refusal: &SolveError| self.shard.is_some() && matches!(refusal, SolveError::Size { .. });
        if let Some(refusal) = info.refusal(&problem, Goal::Count).filter(|refusal| !of_shard(refusal)) {
            refuse!("{refusal}; choose another --solver, see 'queenlab list'");
        }
        if self.solver.is_none() && !problem.is_plain() {
            terminal::note(format_args!(
                "{USUAL} counts only plain queens; {USUAL_OF_ANY} counts this problem"
            ));
        }
        if let Some(job) = counters::job(&info.id, problem.n().get(), threads) {
            return subproblems(&job, &info.id, &problem, self);
        }
        if let Some((option, _)) = plain_only.iter().skip(2).find(|(_, given)| *given) {
            refuse!("{option} works only with the solvers count/*: leave it out, or choose count/auto");
        }
        let task = Task { threads, seed: self.seed.seed, ..Task::of(&problem, Goal::Count) };
        by_search(&solver, &info, task, self)
    }
}

/// Counts with any solver.
fn by_search(solver: &dyn Solver, info: &Info, mut task: Task<'_>, arguments: &Count) -> Result<Exit, Error> {
    let graceful = interrupt::graceful();
    task.budget.cancel = Some(graceful.flag());
    let started = Instant::now();
    let outcome = solver.solve(&task, &mut Discard)?;
    if outcome.stopped.is_some() {
        return Ok(interrupted(outcome.solutions, "the search was not complete"));
    }
    let (problem, id, threads) = (&task.problem, info.id.clone(), task.threads);
    let details = json!({ "solver": id, "threads": threads, "wall_ns": nanoseconds(started.elapsed()) });
    // The answers of a foreign program are compared with all that can be known quickly.
    let known = if info.uses_external { reference::count(problem) } else { known::published(problem) };
    if info.uses_external && known.is_none() {
        let n = task.n();
        terminal::note(format_args!(
            "n={n}: {id} claims that there are no more solutions; nothing has checked this claim"
        ));
    }
    print(Found { solutions: outcome.solutions.into(), by: id, known, details }, problem, arguments)
}

fn interrupted(solutions: u64, left: &str) -> Exit {
    let solutions = units::thousands(solutions);
    terminal::say(format_args!("interrupted: at least {solutions} solutions; {left}"));
    Exit::Interrupted
}

/// Counts one subproblem after the other: of the board, or of a shard of it.
fn subproblems(job: &Job, solver: &str, problem: &Problem, arguments: &Count) -> Result<Exit, Error> {
    let n = problem.n();
    let graceful = interrupt::graceful();
    let flag = graceful.flag();
    let stop = || flag.load(Ordering::Relaxed);
    let mut progress = CountProgress::new(&arguments.messages, n, "subproblems");
    progress.plans(count::peak_bytes(job.n, job.threads));
    let mut watch = |at: &count::Progress<'_>| progress.counted(at);
    let shard = arguments.shard.zip(arguments.out.as_deref());
    if let Some((_, out)) = shard {
        files::create_directory(out).with_context(|| format!("--out: {}", plaintext::path(out)))?;
    }
    let counted = match shard {
        Some((shard, out)) => count::count_shard(&Job { shard, ..*job }, out, &stop, &mut watch),
        None => count::count(job, arguments.checkpoint.as_deref(), &stop, &mut watch),
    };
    drop(progress);
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
        print_line(&as_json(details, problem, solutions.into()))?;
    }
    Ok(Exit::Success)
}

/// Adds up the shards of a count.
fn merge(problem: &Problem, directory: &Path, arguments: &Count) -> Result<Exit, Error> {
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
    let spent = units::rough(merged.wall);
    terminal::note(format_args!("n={n}: {shards}, together {spent}; {compared}"));
    let details = json!({ "shards": merged.shards, "wall_ns": nanoseconds(merged.wall) });
    let by = format!("the sum of {shards}");
    print(Found { solutions: merged.solutions, by, known, details }, problem, arguments)
}

/// Prints the number and compares it with the known one.
fn print(found: Found, problem: &Problem, arguments: &Count) -> Result<Exit, Error> {
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
        let Some(classes) = classes(n, solutions) else {
            terminal::say(format_args!(
                "n={n}: {solutions} solutions cannot be grouped by the eight symmetries: the count is wrong"
            ));
            return Ok(Exit::WrongAnswer);
        };
        if arguments.fundamental {
            let fundamental: u128 = classes.iter().map(|(_, number)| number).sum();
            details["fundamental"] = json!(fundamental);
            fundamental.to_string()
        } else {
            for (size, number) in classes {
                details["classes"][size.to_string()] = json!(number);
            }
            classes.map(|(size, number)| format!("{size}\t{number}")).join("\n")
        }
    } else {
        solutions.to_string()
    };
    print_line(&if arguments.json { as_json(details, problem, solutions) } else { text })?;
    Ok(if wrong.is_some() { Exit::WrongAnswer } else { Exit::Success })
}

/// A number beyond 64 bits, which only a wrong merge can have, is a string: JSON readers would round it.
fn as_json(mut details: Value, problem: &Problem, solutions: u128) -> String {
    details["n"] = problem.n().get().into();
    details["variant"] = problem.to_string().into();
    details["solutions"] =
        u64::try_from(solutions).map_or_else(|_| solutions.to_string().into(), Value::from);
    details.to_string()
}

fn print_line(text: &str) -> Result<(), Error> {
    Ok(writeln!(out(), "{text}")?)
}

/// The exit code of an error of the counter. A file that does not belong to a merge is bad input, like one that is no
/// checkpoint.
pub fn exit_of(error: &CountError) -> Exit {
    match error {
        // The system refuses the threads, not the program.
        CountError::Job(JobError::Threads { .. }) => Exit::Failure,
        CountError::Job(_) | CountError::File(_) => Exit::BadInput,
        CountError::Foreign(_) => Exit::ResumeRefused,
        CountError::Disagree(_) => Exit::WrongAnswer,
        CountError::Failed(_) => Exit::Failure,
    }
}
