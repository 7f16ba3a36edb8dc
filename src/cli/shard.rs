//! `queenlab shard`: the commands that a batch system calls.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use crate::board::problem::Variant;
use crate::cluster::lex::{self, Cost};
use crate::cluster::{self, ClusterError, Estimated, Job, Merged, Partition, Ran, ShardPlan};
use crate::count::{Estimate, Thin};
use crate::experiment::runner::Unobserved;
use crate::experiment::runner::process::{ProcessRunner, own_executable};
use crate::experiment::{self, Results, spec::Spec};
use crate::registry::Registry;
use crate::words::counted;
use anyhow::{Context, Error};

use super::args::{
    Global, ShardCommand, ShardMergeArguments, ShardMissingArguments, ShardPlanArguments, ShardRunArguments,
    ShardTask,
};
use super::interrupt;
use super::{Exit, even_unread, sample, sweep, terminal, units, write_out};

pub fn run(command: &ShardCommand, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    match command {
        ShardCommand::Plan(arguments) => plan(arguments, global, registry),
        ShardCommand::Run(arguments) => run_shard(arguments, registry),
        ShardCommand::Missing(arguments) => missing(arguments),
        ShardCommand::Merge(arguments) => merge(arguments, global, registry),
    }
}

/// The exit code of an error that stops a shard or a merge.
pub fn exit_of(error: &ClusterError) -> Exit {
    match error {
        ClusterError::Request(_) | ClusterError::Spec(_) | ClusterError::File { .. } => Exit::BadInput,
        ClusterError::Foreign(_) => Exit::ResumeRefused,
        ClusterError::Wrong(_) => Exit::WrongAnswer,
        ClusterError::Interrupted { .. } => Exit::Interrupted,
        ClusterError::Failed(_) | ClusterError::Record(_) | ClusterError::Experiment { .. } => Exit::Failure,
    }
}

fn plan(arguments: &ShardPlanArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    let ShardPlanArguments { task, depth, shards, .. } = *arguments;
    let solver = arguments.solver.as_deref();
    if arguments.known.is_some() && task != ShardTask::Lex {
        refuse!("--known works only with --task lex: leave it out");
    }
    if arguments.sample.is_some() && task != ShardTask::Sample {
        refuse!("--sample works only with --task sample: leave it out");
    }
    if global.seed.is_some() && task != ShardTask::Sample {
        refuse!("--seed works only with --task sample: leave it out");
    }
    if global.external.is_some() && task != ShardTask::Sweep {
        refuse!("--external works only with --task sweep: leave it out");
    }
    if arguments.other.as_deref().is_some_and(|variant| variant != Variant::Queens.name()) {
        refuse!(
            "only plain queens are searched in shards: count another problem in one process with 'queenlab count', \
             or distribute a sweep over it with --task sweep"
        );
    }
    let plan = match (task, &arguments.spec, arguments.n) {
        (ShardTask::Sweep, Some(spec), None) => {
            let origin = spec.display().to_string();
            ShardPlan::sweep(&origin, &Spec::text_of(spec)?, global.external.as_deref(), shards, registry)?
        }
        (ShardTask::Sweep, ..) => {
            refuse!("--task sweep takes --spec FILE, but not --n: the experiment sets the sizes");
        }
        (ShardTask::Count, None, Some(n)) => {
            ShardPlan::count(n.get(), solver.unwrap_or("count/auto"), depth, shards)?
        }
        (ShardTask::Sample, None, Some(n)) => {
            let Some(sample) = arguments.sample else {
                refuse!("--task sample takes --sample K, the number of column sets");
            };
            if depth.is_some() {
                refuse!("--depth does not work with --task sample, which draws column sets: leave it out");
            }
            let thin = Thin { step: arguments.thin, seed: global.seed() };
            ShardPlan::sample(n.get(), solver.unwrap_or("count/auto"), sample, thin, shards)?
        }
        (ShardTask::Sample, ..) => refuse!("--task sample takes --n N, but not --spec"),
        (ShardTask::Enumerate, None, Some(n)) => {
            if let Some(other) = solver.filter(|solver| *solver != "count/block") {
                refuse!("--solver {other}: the task enumerate supports only count/block");
            }
            ShardPlan::enumerate(n.get(), depth, shards)?
        }
        (ShardTask::Lex, None, Some(n)) => {
            if let Some(other) = solver.filter(|solver| *solver != "backtrack/lex") {
                refuse!("--solver {other}: the task lex supports only backtrack/lex");
            }
            ShardPlan::lex(n.get(), arguments.known.clone(), depth, shards)?
        }
        (ShardTask::Lex, ..) => refuse!("--task lex takes --n N, but not --spec"),
        (ShardTask::Count, ..) => refuse!("--task count takes --n N, but not --spec"),
        (ShardTask::Enumerate, ..) => refuse!("--task enumerate takes --n N, but not --spec"),
    };
    let text = plan.to_json()?;
    write_out(arguments.output.as_deref(), text.as_bytes())?;
    terminal::note(described(&plan));
    Ok(Exit::Success)
}

fn described(plan: &ShardPlan) -> String {
    let subproblems = format!("{} {}", units::thousands(plan.subproblems as u64), plan.job.subproblems());
    let what = match (&plan.job, plan.job.board()) {
        (_, Some((n, Partition::Prefixes { depth }))) => format!("n={n}: {subproblems} of {depth} rows"),
        (_, Some((n, Partition::ColumnSets))) => format!("n={n}: {subproblems}"),
        (Job::Lex { n, depth, .. }, None) => format!("n={n}: {subproblems} with at least {depth} queens"),
        _ => subproblems,
    };
    let what = format!("{what} in {}", counted(plan.shards, "shard"));
    match lex::cost(plan, PROBING) {
        Some(cost) => format!("{what}; {}", described_cost(&cost)),
        None => what,
    }
}

/// The estimates of a sample, in lines.
fn described_sample(plan: &ShardPlan, estimated: &Estimated) -> String {
    let Job::Sample { n, seed, thin, .. } = plan.job else { return String::new() };
    let (sets, thinned) = (units::thousands(plan.subproblems as u64), sample::thinned(thin));
    let from = match plan.shards {
        1 => format!("{sets} column sets{thinned}, drawn with seed {seed}"),
        shards => {
            let last = seed.wrapping_add(shards as u64 - 1);
            format!("{sets} column sets{thinned}, drawn with seeds {seed} to {last}")
        }
    };
    let mut lines = sample::described(n, &estimated.solutions, &from);
    lines.extend(estimated.cpu_s.map(|cpu_s| sample::described_time(&cpu_s)));
    lines.join("\n")
}

/// How long the trees of a search for the first solution are probed.
const PROBING: Duration = Duration::from_secs(4);

fn described_cost(cost: &Cost) -> String {
    let reach = 1.96 * cost.standard_error;
    let (low, high) = ((cost.nodes - reach).max(0.0), cost.nodes + reach);
    let time = |nodes: f64| units::computing_time(nodes / cost.speed);
    format!(
        "about {:.2e} nodes (95 %: {low:.2e} to {high:.2e}), which take one core of this machine {} ({} to {})",
        cost.nodes,
        time(cost.nodes),
        time(low),
        time(high)
    )
}

fn run_shard(arguments: &ShardRunArguments, registry: &Registry) -> Result<Exit, Error> {
    let plan = ShardPlan::read(&arguments.plan)?;
    let (index, out) = (arguments.index, &arguments.out);
    // Paths in the files of shards must be UTF-8, whatever the job is.
    let argv = sweep::command_line()?;
    let ran = if let Job::Sweep { .. } = plan.job {
        let executable = own_executable().context("cannot find this program")?;
        let (graceful, warn) = (interrupt::graceful(), |_: &str| {});
        let (executable, cancel) = (&executable, &graceful.flag());
        cluster::sweep(&plan, index, out, registry, |part, directory| {
            let options =
                experiment::Options { directory, executable, argv, accept: true, cancel, warn: &warn };
            let runner = ProcessRunner::new(executable.clone(), None);
            experiment::run(part, &options, &mut [runner], &mut Unobserved)
        })?
    } else {
        // A search may be killed at any time: its log has the finished subproblems.
        let threads = NonZeroUsize::new(arguments.threads as usize).unwrap_or(NonZeroUsize::MIN);
        cluster::search(&plan, index, out, threads)?
    };
    let (result, when) = match &ran {
        Ran::Before(result) => (result, "already done"),
        Ran::Now(result) => (result, "done"),
    };
    let estimated = result.estimated.map(|estimated| estimated.solutions);
    let found = match (&result.solutions, &result.nodes, &result.smaller) {
        (Some(found), ..) => format!(", {found} solution{}", if found == "1" { "" } else { "s" }),
        (_, Some(nodes), None) => format!(", all refuted in {nodes} nodes"),
        (_, Some(nodes), Some(smaller)) => {
            format!(", {nodes} nodes; the known solution is not the first: {smaller} is smaller")
        }
        _ => estimated.map_or(String::new(), |Estimate { sum, standard_error, .. }| {
            format!(", estimated {sum:.2e} solutions, standard error {standard_error:.2e}")
        }),
    };
    let (index, subproblems) = (result.index, result.subproblems);
    terminal::note(format_args!("shard {index}: {when}, {}{found}", counted(subproblems, "subproblem")));
    Ok(Exit::Success)
}

fn missing(arguments: &ShardMissingArguments) -> Result<Exit, Error> {
    let plan = ShardPlan::read(&arguments.plan)?;
    let missing = cluster::missing(&plan, &arguments.out, arguments.max.unwrap_or(usize::MAX))?;
    let mut out = std::io::stdout().lock();
    if arguments.ranges {
        if !missing.is_empty() {
            writeln!(out, "{}", cluster::ranges(&missing))?;
        }
    } else {
        let lines: String = missing.iter().map(|index| format!("{index}\n")).collect();
        out.write_all(lines.as_bytes())?;
    }
    Ok(Exit::Success)
}

fn merge(arguments: &ShardMergeArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    let plan = ShardPlan::read(&arguments.plan)?;
    let Merged { summary, total, sweep } = cluster::merge(&plan, &arguments.out, registry)?;
    if let Some(tables) = sweep {
        return merged_sweep(tables, global, registry);
    }
    let estimates = summary.estimated.map(|estimated| described_sample(&plan, &estimated));
    let answer = total.map(|total| total.to_string()).or_else(|| summary.first.clone()).or(estimates);
    if let Some(answer) = answer {
        even_unread(writeln!(std::io::stdout().lock(), "{answer}").map_err(Error::from))?;
    }
    let mut told = vec![counted(summary.shards, "shard")];
    told.extend((summary.repeats > 0).then(|| counted(summary.repeats, "repeated result")));
    told.extend(summary.expected_source.map(|source| format!("matches {source}")));
    told.extend(summary.nodes.map(|nodes| format!("all smaller prefixes refuted in {nodes} nodes")));
    told.extend(summary.digest.map(|digest| format!("digest {digest}")));
    told.extend(summary.cpu_ns.map(|cpu| format!("{} of CPU time", units::time(cpu))));
    told.extend(summary.imbalance.map(|imbalance| format!("the longest took {imbalance} times the mean")));
    terminal::note(told.join(", "));
    Ok(Exit::Success)
}

/// Writes and prints for the merged directory what a sweep writes and prints after its runs.
fn merged_sweep(tables: cluster::Tables, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    let cluster::Tables { plan, rows, levels, directory } = tables;
    let out: &Path = directory.path();
    let results = Results { rows, others: 0, levels, done_before: 0, interrupted: false, took: None };
    let derived = sweep::derive(&results, &plan, registry, out)?;
    let faults = derived.print(&results, &plan, out, global)?;
    Ok(sweep::judged(&faults, derived.discrepancies.len(), false))
}
