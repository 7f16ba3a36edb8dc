//! `queenlab count`: counts solutions, in one process or in shards.

use std::io::Write;
use std::path::PathBuf;

use crate::app::count::{
    self, CountEnd, CountFault, CountInput, CountResult, CountedBy, CountedShard, Subproblems,
};
use crate::app::{self, estimate::EstimateInput};
use crate::board::problem::Problem;
use crate::count::Shard;
use crate::record::nanoseconds;
use crate::registry::Registry;
use crate::solver::Solver;
use anyhow::Error;
use clap::Args;
use serde_json::{Value, json};

use super::options::{Messages, ProblemArguments, SatPrograms, Seed, Threads, path_except_stdout};
use super::progress::CountProgress;
use super::{Exit, RunCommand, estimate, interrupt, out, terminal, units};

/// Count solutions as fast as possible, or estimate their number.
///
/// Prints only the number. If it contradicts the published number (OEIS), the exit code is 3. The fast counters work
/// only for plain queens; other problems are counted by searching.
///
/// A large count can be divided among several machines: count the shards with --shard I/K --out DIR, on any machine and in any
/// order, then add up the results with --merge DIR.
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
    problem: ProblemArguments,
    /// Solver, as ID or ID:key=value,key=value; `queenlab list` shows all ids and options [default: count/auto for plain
    /// queens, otherwise backtrack/dlx; with --estimate, backtrack/column-scan for plain queens, otherwise
    /// backtrack/forward-checking].
    #[arg(long, value_name = "ID")]
    solver: Option<String>,
    #[command(flatten)]
    threads: Threads,
    /// Count fundamental solutions: a board and its rotations and reflections count as one. For plain queens only.
    #[arg(long)]
    fundamental: bool,
    /// Count classes of solutions that are equal under rotation and reflection. Print one line for each class size (8, 4, 2 and
    /// 1): the size and the number of classes of this size. For plain queens only.
    #[arg(long, conflicts_with = "fundamental")]
    classes: bool,
    /// Save the progress of a count in FILE, and resume from FILE if it exists. A checkpoint of another board size or version
    /// is refused. For the solvers count/* only.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shard", "merge"], value_parser = path_except_stdout())]
    checkpoint: Option<PathBuf>,
    /// Count only the I-th of K shards, for example 3/64, and write the result to the directory of --out. The same command
    /// resumes an interrupted shard, and does nothing if the shard is finished. For plain queens up to n = 28 and the solvers
    /// count/* only.
    #[arg(long, value_name = "I/K", requires = "out", conflicts_with_all = ["fundamental", "classes", "merge"])]
    shard: Option<Shard>,
    /// Directory for the results of shards. Before --merge, the files of all shards must be in one directory.
    #[arg(short, long, value_name = "DIR", requires = "shard", value_parser = path_except_stdout())]
    out: Option<PathBuf>,
    /// Add up the results of all shards in DIR instead of counting.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["solver", "threads"])]
    merge: Option<PathBuf>,
    /// Estimate the number of solutions and the size of the search tree by random probes instead of counting.
    ///
    /// Each probe follows a random path from the empty board to a dead end or a solution. The product of the numbers of
    /// choices on the path estimates the number of nodes on each level (Knuth 1975). The estimates are unbiased. The 95 %
    /// intervals assume a normal distribution: they are too narrow for levels that only few probes reach. With --solver
    /// backtrack/forward-checking:rows=smallest, the number of solutions has a smaller error in the same time.
    #[arg(long, conflicts_with_all = ["fundamental", "classes", "checkpoint", "shard", "merge"])]
    estimate: bool,
    /// Number of probes P of --estimate. The standard error is proportional to 1 / sqrt(P).
    #[arg(
        long,
        value_name = "P",
        requires = "estimate",
        default_value = "10000",
        value_parser = clap::value_parser!(u64).range(2..)
    )]
    probes: u64,
    /// Print the result as JSON, with the solver, the number of threads and the time in nanoseconds.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    sat: SatPrograms,
    #[command(flatten)]
    messages: Messages,
}

impl RunCommand for Count {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let registry = self.sat.registry_with_solvers(registry);
        let problem = self.problem.get()?;
        let plain_queens_options = [
            ("--fundamental", self.fundamental),
            ("--classes", self.classes),
            ("--checkpoint", self.checkpoint.is_some()),
            ("--shard", self.shard.is_some()),
            ("--merge", self.merge.is_some()),
        ];
        if let Some((option, _)) =
            plain_queens_options.iter().find(|(_, is_given)| *is_given && !problem.is_plain())
        {
            refuse!("{option} works only for plain queens: leave it out");
        }
        if self.estimate {
            return self.estimate(&problem, &registry);
        }
        if let Some(directory) = &self.merge {
            let sum = count::merge(&problem, directory)?;
            note_shards(&sum, &problem);
            return self.print(&sum, &problem);
        }
        let default = count::default_solver(&problem);
        let solver = registry.choose(self.solver.as_deref().unwrap_or(default))?;
        let info = solver.info();
        self.sat.check_use(std::slice::from_ref(&info))?;
        let threads = self.threads.for_solver(&info)?;
        if self.solver.is_none() && !problem.is_plain() {
            terminal::note(format_args!(
                "count/auto counts only plain queens; {default} counts this problem"
            ));
        }
        let input = CountInput {
            problem: &problem,
            solver: &solver,
            threads,
            seed: self.seed.seed,
            checkpoint: self.checkpoint.as_deref(),
            shard: self.shard.zip(self.out.as_deref()),
        };
        let end = {
            let graceful_step = interrupt::graceful_step();
            let progress = CountProgress::new(&self.messages, problem.n(), "subproblems");
            count::count(&input, &graceful_step.flag(), &|event| progress.observe(&event))?
        };
        let n = problem.n();
        match end {
            CountEnd::Counted(counted) => {
                if counted.is_unchecked {
                    terminal::note(format_args!(
                        "n={n}: {} claims that there are no more solutions; this claim was not checked",
                        info.id
                    ));
                }
                self.print(&counted, &problem)
            }
            CountEnd::Interrupted { solutions, subproblems } => {
                let solutions = units::thousands(solutions);
                let progress = subproblems.map(|subproblems| self.describe_progress(subproblems));
                let progress = progress.unwrap_or_else(|| "the search was not complete".to_owned());
                terminal::say(format_args!("interrupted: at least {solutions} solutions; {progress}"));
                Ok(Exit::Interrupted)
            }
            CountEnd::Shard(CountedShard { shard, counted, subproblems, was_finished }) => {
                let state = if was_finished { "already done" } else { "done" };
                let (all, time) =
                    (units::counted(subproblems, "subproblem"), units::approximate_duration(counted.wall));
                // The number of solutions of a shard fits in 64 bits.
                let solutions = u64::try_from(counted.solutions).unwrap_or(u64::MAX);
                let solutions = units::counted(solutions, "solution");
                terminal::note(format_args!(
                    "n={n}: shard {shard}: {state}, {all} with {solutions} in {time}"
                ));
                if self.json {
                    let mut details = details(&counted);
                    details["shard"] = shard.to_string().into();
                    print_line(&as_json(details, &problem, counted.solutions))?;
                }
                Ok(Exit::Success)
            }
        }
    }
}

impl Count {
    fn estimate(&self, problem: &Problem, registry: &Registry) -> Result<Exit, Error> {
        let default = app::estimate::default_solver(problem);
        let solver = registry.choose(self.solver.as_deref().unwrap_or(default))?;
        let input = EstimateInput {
            problem,
            solver: &solver,
            threads: self.threads.get(),
            seed: self.seed.seed,
            probes: self.probes,
        };
        let tree_estimate = {
            let progress = CountProgress::new(&self.messages, problem.n(), "probes");
            app::estimate::estimate(&input, registry, &|event| progress.observe(&event))?
        };
        estimate::print(&tree_estimate, &input, self.json)?;
        Ok(Exit::Success)
    }

    /// Describes the progress of an interrupted count, and how to resume it.
    fn describe_progress(&self, Subproblems { finished, total, wall }: Subproblems) -> String {
        let resume_hint = match self.checkpoint.is_some() || self.shard.is_some() {
            true => "repeat the same command to resume",
            false => "use --checkpoint FILE to make a count resumable",
        };
        let [finished, total] = [finished, total].map(|number| units::thousands(number as u64));
        format!(
            "{finished} of {total} subproblems done in {}; {resume_hint}",
            units::approximate_duration(wall)
        )
    }

    /// Prints the number of solutions and compares it with the published one.
    fn print(&self, counted: &CountResult, problem: &Problem) -> Result<Exit, Error> {
        let (n, solutions) = (problem.n().get(), counted.solutions);
        let fault = counted.fault(problem).map(|fault| match fault {
            CountFault::Contradicts(published, source) => {
                format!("counted {solutions}, but {source} has {published}")
            }
            CountFault::NoSolution => format!("found no solution, but n = {n} has solutions"),
        });
        if let Some(fault) = &fault {
            let origin = match &counted.counted_by {
                CountedBy::Solver { id, .. } => id.clone(),
                CountedBy::Shards { shards, .. } => {
                    format!("the sum of {}", units::counted(*shards, "shard"))
                }
            };
            terminal::say(format_args!("n={n}: {origin} {fault}"));
        }
        let mut details = details(counted);
        let text = if self.fundamental || self.classes {
            let Some(classes) = counted.classes(problem) else {
                terminal::say(format_args!(
                    "n={n}: {solutions} solutions cannot be grouped by the eight symmetries: the count is wrong"
                ));
                return Ok(Exit::WrongAnswer);
            };
            if self.fundamental {
                let fundamental_count: u128 = classes.iter().map(|(_, number)| number).sum();
                details["fundamental"] = json!(fundamental_count);
                fundamental_count.to_string()
            } else {
                for (size, number) in classes {
                    details["classes"][size.to_string()] = json!(number);
                }
                classes.map(|(size, number)| format!("{size}\t{number}")).join("\n")
            }
        } else {
            solutions.to_string()
        };
        print_line(&if self.json { as_json(details, problem, solutions) } else { text })?;
        Ok(if fault.is_some() { Exit::WrongAnswer } else { Exit::Success })
    }
}

/// Prints how many shards were added up, and the source of the published number that the sum is compared with.
fn note_shards(sum: &CountResult, problem: &Problem) {
    let n = problem.n();
    let CountedBy::Shards { shards, repeated_shards } = &sum.counted_by else { return };
    for shard in repeated_shards {
        terminal::note(format_args!("n={n}: shard {shard}/{shards} was counted twice, with equal results"));
    }
    let comparison = match sum.reference {
        Some((_, source)) => format!("compared with {source}"),
        None => "there is no published number to compare with".to_owned(),
    };
    let (shards, time) = (units::counted(*shards, "shard"), units::approximate_duration(sum.wall));
    terminal::note(format_args!("n={n}: {shards}, counted in {time} in total; {comparison}"));
}

/// The fields of the JSON output other than the number.
fn details(counted: &CountResult) -> Value {
    let wall_ns = nanoseconds(counted.wall);
    match &counted.counted_by {
        CountedBy::Shards { shards, .. } => json!({ "shards": shards, "wall_ns": wall_ns }),
        CountedBy::Solver { id, threads, work: None } => {
            json!({ "solver": id, "threads": threads, "wall_ns": wall_ns })
        }
        CountedBy::Solver { id, threads, work: Some(work) } => json!({
            "solver": id, "threads": threads, "wall_ns": wall_ns,
            "work": {
                "column_sets": work.column_sets, "top_halves": work.top_halves, "bottom_halves": work.bottom_halves,
                "pieces": work.pieces, "meetings": work.meetings, "comparisons": work.comparisons,
                "table_bytes": work.table_bytes,
            },
        }),
    }
}

/// Adds the problem and the number of solutions to `details`, and formats the JSON output. A number of more than 64 bits, which
/// only a wrong merge can produce, is written as a string, because JSON readers would round it.
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
