//! `queenlab sweep`: runs an experiment, then the cross-check, then the report.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::count::Shard;
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::runner::Faults;
use crate::experiment::runner::process::{ProcessRunner, own_executable};
use crate::experiment::{self, Options, Results, commands};
use crate::instance;
use crate::model::Judgement;
use crate::record::{ClaimRow, LevelRow, Meta, ResultDir, Row, table};
use crate::registry::Registry;
use crate::report::plots::Look;
use crate::report::{self, Data, Material, Part};
use crate::spec::CpuList;
use crate::verify;
use crate::words::counted;
use anyhow::{Context, Error};
use clap::Args;

use super::options::{SweepMessages, stored};
use super::progress::SweepProgress;
use super::sweep_options::SweepOptions;
use super::{BadInput, Exit, Run, interrupt, out, programs, summary, terminal};

/// Run an experiment and write CSV files, plots and a report.
///
/// Each run is a separate process with a time limit. A run that reaches its limit is recorded, and the sweep continues.
/// Repeat the same command to resume an interrupted sweep. Without an experiment, sizes or a program, the built-in
/// experiment `quick` is run. An option overrides the setting of the experiment. A default shown below applies only
/// if neither the command line nor the experiment gives the setting.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab sweep
  queenlab sweep 4-10
  queenlab sweep textbook --repeat 5
  queenlab sweep 4-8 --program 'python3 my_queens.py {\u{1b}[0mn}'
  queenlab sweep 4-12 --solver 'backtrack/*' --solver 'sat/pairwise/*' --timeout 10s -o results/mine
  queenlab sweep --n 8-30 --goal first --solver backtrack/bitmask --solver sat/pairwise/varisat
  queenlab sweep experiments/textbook.toml --dry-run")]
pub struct Sweep {
    #[command(flatten)]
    experiment: SweepOptions,
    /// Directory for the results [default: results/NAME, by the name of the experiment].
    #[arg(short, long, value_name = "DIR", value_parser = stored())]
    out: Option<PathBuf>,
    /// Carry out only a part of the experiment, for example 3/64: the third of 64 parts, each on its own machine and with
    /// its own --out. `queenlab report DIR DIR...` reads the parts as one result.
    #[arg(long, value_name = "I/K", requires = "out")]
    shard: Option<Shard>,
    /// Print the plan without running it.
    #[arg(long)]
    dry_run: bool,
    /// Resume although the plan, a measured program, queenlab itself or the machine has changed since the directory was
    /// written. Without this option, such a directory is refused with exit code 6.
    #[arg(long)]
    accept: bool,
    /// Start over instead of resuming. An existing result directory is renamed to DIR.old-1, DIR.old-2 and so on.
    #[arg(long, conflicts_with = "accept")]
    fresh: bool,
    /// Exit with code 4 if a run hit its time or memory limit.
    #[arg(long)]
    fail_on_timeout: bool,
    /// Exit with code 7 if a claim of the experiment fails.
    #[arg(long)]
    fail_on_claim: bool,
    #[command(flatten)]
    messages: SweepMessages,
}

impl Run for Sweep {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let external = &self.experiment.external;
        let registry = &external.with(registry);
        let (spec, claims) = self.experiment.resolve()?;
        let instances = match &spec.sweep.instances {
            Some(patterns) => instance::select(&patterns.0)
                .map_err(|error| spec.error_at("instances", patterns.place(), error))?,
            None => Vec::new(),
        };
        let plan = Plan::with_instances(spec, instances, registry)?;
        if plan.spec.claims.len() < claims {
            let (left, claims) = (plan.spec.claims.len(), counted(claims, "claim"));
            terminal::note(format_args!(
                "{left} of {claims} are about what this sweep measures; the others are left out"
            ));
        }
        if external.external.is_some() && plan.cells.iter().all(|cell| cell.external.is_none()) {
            refuse!(
                "--external has no effect: no solver of this sweep runs that program; choose one, as in \
                 --solver sat/pairwise/external, or leave the option out"
            );
        }
        shares(&plan)?;
        let plan = self.shard.map_or(plan.clone(), |shard| plan.of_shard(shard));
        if plan.cells.is_empty() {
            refuse!("--shard: the experiment has fewer cells than parts: this part is empty");
        }
        if self.dry_run {
            summary::plan(&plan, &mut out())?;
            return Ok(Exit::Success);
        }
        commands::build(&plan.spec, &|command| terminal::note(format_args!("building: {command}")))
            .map_err(BadInput)?;
        let plan = plan.with_files().with_versions()?;
        let directory =
            self.out.clone().unwrap_or_else(|| PathBuf::from("results").join(plan.spec.name.as_str()));
        if self.fresh
            && let Some(kept) = ResultDir::set_aside(&directory)?
        {
            terminal::note(format_args!(
                "starting over: the earlier results are now in {}",
                plaintext::path(&kept)
            ));
        }
        let resume = "repeat the same command to resume";
        let found = carry_out(&plan, &directory, self.accept, registry, &self.messages, resume)?;
        let Some(found) = found else { return Ok(Exit::Interrupted) };
        let exit = self.judge(&found);
        if self.messages.messages.quiet.quiet && exit != Exit::Success {
            terminal::say(summary::faults(&found.faults));
            summary::verdicts(&found.claims).iter().for_each(terminal::say);
        }
        Ok(exit)
    }
}

impl Sweep {
    /// The exit code of a completed sweep.
    fn judge(&self, found: &Found) -> Exit {
        let faults = &found.faults;
        if faults.wrong > 0 || !found.discrepancies.is_empty() {
            Exit::WrongAnswer
        } else if faults.failed() > 0 {
            Exit::Failure
        } else if faults.limited > 0 && self.fail_on_timeout {
            Exit::TimedOut
        } else if self.fail_on_claim && found.claims.iter().any(|claim| claim.verdict == Judgement::Fails) {
            Exit::Claim
        } else {
            Exit::Success
        }
    }
}

/// What the rows of a sweep say.
pub struct Found {
    /// Runs that did not end normally.
    pub faults: Faults,
    /// Comparisons that disagree.
    pub discrepancies: Vec<verify::Discrepancy>,
    /// The verdicts of the claims.
    pub claims: Vec<ClaimRow>,
    /// The table of median times.
    pub table: Vec<u8>,
}

/// Runs a plan in a directory, then the cross-check and the report, and prints the outcome. `None`: the user interrupted, and
/// is advised what to do.
pub fn carry_out(
    plan: &Plan,
    directory: &Path,
    accept: bool,
    registry: &Registry,
    how: &SweepMessages,
    after_interruption: &str,
) -> Result<Option<Found>, Error> {
    let executable = own_executable().context("cannot find this program")?;
    let argv = command_line()?;
    let mut runners: Vec<ProcessRunner> =
        shares(plan)?.into_iter().map(|cpus| ProcessRunner::new(executable.clone(), cpus)).collect();
    let options = Options {
        directory,
        executable: &executable,
        argv,
        accept,
        warn: &|warning| terminal::warn(warning),
    };
    // An interruption ends the program at once while it reads the directory, and later between two runs.
    let prepared = experiment::prepare(plan, &options)?;
    let graceful = interrupt::graceful();
    let cancel = graceful.flag();
    let mut progress = SweepProgress::new(how, plan);
    let experiment = experiment::run(prepared, &mut runners, &cancel, &mut progress);
    drop(progress);
    drop(graceful);
    let (results, _taken) = experiment?;
    let found = derive(&results, plan, registry, directory)?;
    let (done, planned) = (results.rows.len(), plan.runs.len());
    if results.interrupted {
        let most = if plan.repeat.until.is_some() { "at most " } else { "" };
        terminal::say(format_args!(
            "interrupted: {done} of {most}{planned} runs are done; {after_interruption}"
        ));
        return Ok(None);
    }
    if results.done_before == planned {
        let done = if done == 1 { "its only run was" } else { &format!("all {done} runs were") };
        terminal::note(format_args!("{}: {done} already done", plaintext::path(directory)));
    }
    if !how.messages.quiet.quiet {
        summary::results(plan, &results, &found, directory, &mut out())?;
    }
    found.discrepancies.iter().for_each(terminal::say);
    if let Some(command) = programs::second_look(plan, &results.rows) {
        terminal::note(format_args!("to see what is wrong: {command}"));
    }
    Ok(Some(found))
}

/// Writes the files that are derived from the rows: cross-check, tables, plots and the page.
fn derive(results: &Results, plan: &Plan, registry: &Registry, directory: &Path) -> Result<Found, Error> {
    let meta = Meta::read(directory)?;
    let checked = crosscheck(&results.rows, &results.levels, std::iter::once(plan), registry)?;
    table::write(directory, &checked.rows)?;
    let (rows, others) = (&results.rows[..], results.others);
    let part = Part { rows, others, meta: meta.as_ref(), plan: Some(plan), result: "" };
    let crosscheck = vec![("", &checked.rows[..])];
    let material = Material { parts: vec![part], crosscheck, ..Material::default() };
    let data = Data::of(&material);
    report::write(directory, &data, &Look::default())?;
    let mut table = Vec::new();
    summary::times(&data, terminal::output_columns().unwrap_or(100), &mut table)?;
    let (faults, discrepancies, claims) = (Faults::of(rows), checked.discrepancies, data.claims);
    Ok(Found { faults, discrepancies, claims, table })
}

/// The CPUs of each job: an equal share of the CPUs of --pin, or any CPU.
fn shares(plan: &Plan) -> Result<Vec<Option<CpuList>>, Error> {
    let Some(cpus) = &plan.pin else { return Ok(vec![None; plan.jobs]) };
    cpus.check_usable().map_err(|reason| BadInput(format!("pin: {reason}")))?;
    let shares = cpus.shares(plan.jobs).ok_or_else(|| {
        let (jobs, number) = (plan.jobs, cpus.numbers().len());
        BadInput(format!("pin: {number} CPUs ({cpus}) cannot be divided evenly among {jobs} jobs"))
    })?;
    Ok(shares.into_iter().map(Some).collect())
}

/// The command line of this program, for the record. The path of the program is left out.
pub(super) fn command_line() -> Result<Vec<String>, BadInput> {
    let arguments = std::env::args_os().skip(1).map(|argument| {
        argument.into_string().map_err(|argument| {
            let argument = plaintext::path(&argument);
            BadInput(format!(
                "{argument}: the results record this argument in JSON, which takes valid UTF-8 only; rename the \
                 file or directory"
            ))
        })
    });
    std::iter::once(Ok("queenlab".to_owned())).chain(arguments).collect()
}

/// The total time for running solvers again to show the boards in which recorded runs differ.
const SECOND_LOOK: Duration = Duration::from_secs(60);

/// Compares the runs of these plans with each other and with published values.
pub fn crosscheck<'p>(
    rows: &[Row],
    levels: &[LevelRow],
    plans: impl Iterator<Item = &'p Plan>,
    registry: &Registry,
) -> Result<verify::crosscheck::Crosscheck, Error> {
    let cells: HashMap<&str, &Cell> =
        plans.flat_map(|plan| &plan.cells).map(|cell| (cell.id.as_str(), cell)).collect();
    let problem = |row: &Row| cells.get(row.cell_id.as_str())?.problem().ok();
    Ok(verify::crosscheck_runs(rows, levels, &problem, registry, Instant::now() + SECOND_LOOK)?)
}
