//! `queenlab shard`: the commands that a batch system calls.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;

use crate::cluster::{self, ClusterError, Merged, Options, Partition, Ran, ShardPlan, TaskKind};
use crate::experiment::runner::process::{ProcessRunner, own_executable};
use crate::experiment::runner::{Faults, Unobserved};
use crate::experiment::{Results, spec::SpecError};
use crate::registry::Registry;
use anyhow::{Context, Error};

use super::args::{
    Global, ShardCommand, ShardMergeArguments, ShardMissingArguments, ShardPlanArguments, ShardRunArguments,
};
use super::interrupt::{self, Graceful};
use super::{BadInput, Exit, even_unread, summary, sweep, terminal, units};

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
        ClusterError::Request(_)
        | ClusterError::Spec(_)
        | ClusterError::Plan { .. }
        | ClusterError::Index { .. } => Exit::BadInput,
        ClusterError::Version { .. } | ClusterError::Foreign { .. } => Exit::ResumeRefused,
        ClusterError::Disagree { .. } | ClusterError::WrongTotal { .. } => Exit::WrongAnswer,
        ClusterError::Interrupted { .. } => Exit::Interrupted,
        ClusterError::Shard { .. }
        | ClusterError::Incomplete { .. }
        | ClusterError::Record(_)
        | ClusterError::Experiment { .. } => Exit::Failure,
    }
}

fn plan(arguments: &ShardPlanArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    if global.external.is_some() && TaskKind::from(arguments.task) != TaskKind::Sweep {
        return Err(BadInput("--external works only with --task sweep: leave it out".into()).into());
    }
    let plan = match (arguments.task.into(), &arguments.spec, arguments.n) {
        (TaskKind::Sweep, Some(spec), None) => {
            let origin = spec.display().to_string();
            let text = std::fs::read_to_string(spec).map_err(|error| SpecError {
                place: origin.clone(),
                reason: format!("cannot be read: {error}"),
            })?;
            ShardPlan::sweep(&origin, &text, global.external.as_deref(), arguments.shards, registry)?
        }
        (TaskKind::Sweep, ..) => {
            return Err(BadInput(
                "--task sweep takes --spec FILE, but not --n: the experiment sets the sizes".into(),
            )
            .into());
        }
        (task, None, Some(n)) => {
            let solver = arguments.solver.as_deref();
            ShardPlan::search(task, n.get(), solver, arguments.depth, arguments.shards)?
        }
        (task, ..) => {
            return Err(BadInput(format!("--task {} takes --n N, but not --spec", task.name())).into());
        }
    };
    match &arguments.output {
        Some(path) => plan.write(path)?,
        None => std::io::stdout().lock().write_all(plan.to_json()?.as_bytes())?,
    }
    terminal::note(described(&plan));
    Ok(Exit::Success)
}

fn described(plan: &ShardPlan) -> String {
    let n = plan.n.map_or(String::new(), |n| format!("n={n}: "));
    let what = match (plan.partition, plan.depth) {
        (Partition::ColumnSets, _) => "column sets".to_owned(),
        (Partition::Prefixes, depth) => format!("prefixes of {} rows", depth.unwrap_or(0)),
        (Partition::Cells, _) => "cells".to_owned(),
    };
    format!("{n}{} {what} in {} shards", units::grouped(plan.subproblems as u64), plan.shards)
}

fn run_shard(arguments: &ShardRunArguments, registry: &Registry) -> Result<Exit, Error> {
    let plan = ShardPlan::read(&arguments.plan)?;
    let executable = own_executable().context("cannot find this program")?;
    // Other tasks may be killed at any time: their log has the completed work.
    let graceful = (plan.task == TaskKind::Sweep).then(interrupt::graceful);
    let cancel = graceful.as_ref().map(Graceful::flag).unwrap_or_default();
    let mut options = Options {
        out: &arguments.out,
        registry,
        threads: NonZeroUsize::new(arguments.threads as usize).unwrap_or(NonZeroUsize::MIN),
        executable: &executable,
        argv: sweep::command_line()?,
        runners: &mut [ProcessRunner::new(executable.clone(), None)],
        cancel: &cancel,
        observer: &mut Unobserved,
    };
    let ran = cluster::run(&plan, arguments.index, &mut options)?;
    let (result, when) = match &ran {
        Ran::Before(result) => (result, "already done"),
        Ran::Now(result) => (result, "done"),
    };
    let found = result.solutions.as_ref().map_or(String::new(), |found| format!(", {found} solutions"));
    let (index, subproblems) = (result.index, result.subproblems);
    terminal::note(format_args!("shard {index}: {when}, {subproblems} subproblems{found}"));
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
    if let Some(total) = total {
        even_unread(writeln!(std::io::stdout().lock(), "{total}").map_err(Error::from))?;
    }
    let mut told = vec![format!("{} shards", summary.shards)];
    told.extend((summary.repeats > 0).then(|| format!("{} repeated results", summary.repeats)));
    told.extend(summary.expected_source.map(|source| format!("matches {source}")));
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
    let results = Results { rows, levels, done_before: 0, interrupted: false, took: None };
    let discrepancies = sweep::derive(&results, registry, out)?;
    let faults = Faults::of(&results.rows);
    if !global.quiet {
        let printed = summary::results(&plan, &results, &faults, out, &mut super::out());
        even_unread(printed.map_err(Error::from))?;
    }
    for discrepancy in &discrepancies {
        terminal::say(discrepancy);
    }
    Ok(sweep::judged(&faults, discrepancies.len(), false))
}
