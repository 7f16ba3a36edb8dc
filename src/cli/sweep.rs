//! `queenlab sweep`: runs an experiment, then the cross-check, then the report.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::board::problem::Variant;
use crate::board::sizes::Sizes;
use crate::command::quoted;
use crate::count::Shard;
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::runner::Faults;
use crate::experiment::runner::process::{ProcessRunner, own_executable};
use crate::experiment::{self, Options, Results, commands, machine};
use crate::record::{self, ClaimRow, Judgement, LevelRow, Meta, ResultDir, Row, sha256_hex, table};
use crate::registry::Registry;
use crate::report::plots::Look;
use crate::report::{self, Data, Material, Part};
use crate::solver::Goal;
use crate::spec::CpuList;
use crate::spec::axis::{Axis, Words};
use crate::spec::builtin;
use crate::spec::{
    EXTERNAL, FormulaProgram, Program, Settings, SolverChoice, Spec, SpecError, SweepSizes, Variants,
};
use crate::verify;
use crate::words::{counted, suggestion};
use anyhow::{Context, Error};
use clap::Args;

use super::options::{External, SquareRules, SweepMessages, stored};
use super::progress::SweepProgress;
use super::{BadInput, Exit, Run, interrupt, out, programs, summary, terminal};

// clap makes a line break of a plain `{n}` in help; a style code inside it keeps it, and is never seen.
const PROGRAM: &str = "Also measure your own program, for example 'python3 mine.py {\u{1b}[0mn}': the command that starts it, \
    with {\u{1b}[0mn} in place of the board size. Repeat the option for several programs";

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
    asked: Asked,
    /// Also measure a program of your own.
    #[arg(long = "program", value_name = "CMD {n}", help = PROGRAM)]
    programs: Vec<String>,
    #[command(flatten)]
    messages: SweepMessages,
}

/// What to sweep, and how.
#[derive(Args, Debug)]
struct Asked {
    /// Board sizes (4-8), the name of a built-in experiment (quick, textbook, sat-vs-backtracking,
    /// sat-vs-backtracking-first, encodings, enumeration, first-solution, counting, variants), or a TOML file.
    experiment: Option<PathBuf>,
    /// Board sizes, for example 8, 4-12, 4-20:2 (every second size) or 4,8,10-12. Above 1024, only construct/* and
    /// local/* find a first solution; without --solver, they run above 256.
    #[arg(short, long, value_name = "SIZES", allow_hyphen_values = true)]
    n: Option<SweepSizes>,
    /// Measure the solvers whose ids match this glob pattern, for example 'backtrack/*', instead of the solvers of the
    /// experiment. They run at all sizes of the sweep that they support. Repeat the option for several patterns;
    /// `queenlab list` shows all ids.
    #[arg(long = "solver", value_name = "PATTERN")]
    solvers: Vec<String>,
    #[command(flatten)]
    settings: Settings,
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
    /// Rules of the board: queens, toroidal, semiqueens, superqueens, reflecting or rooks. Repeat the option for several
    /// variants. Replaces the problems of the experiment.
    #[arg(long = "variant", value_name = "NAME", help_heading = "Problem", value_parser = str::parse::<Variant>)]
    variants: Vec<Variant>,
    /// Measure the problems in files, for example 'puzzles/*.txt': region puzzles, instances of CSPLib prob079 or
    /// prob080, or TOML. Repeat the option for several files. Replaces the problems of the experiment.
    #[arg(long = "instance", value_name = "FILE", help_heading = "Problem")]
    instances: Vec<String>,
    #[command(flatten)]
    squares: SquareRules,
    #[command(flatten)]
    external: External,
}

impl Run for Sweep {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let asked = &self.asked;
        let registry = &asked.external.with(registry);
        let (spec, claims) = self.resolve()?;
        let plan = Plan::new(spec.with_instances()?, registry)?;
        if plan.spec.claims.len() < claims {
            let (left, claims) = (plan.spec.claims.len(), counted(claims, "claim"));
            terminal::note(format_args!(
                "{left} of {claims} are about what this sweep measures; the others are left out"
            ));
        }
        if asked.external.external.is_some() && plan.cells.iter().all(|cell| cell.external.is_none()) {
            refuse!(
                "--external has no effect: no solver of this sweep runs that program; choose one, as in \
                 --solver sat/pairwise/external, or leave the option out"
            );
        }
        shares(&plan)?;
        let plan = asked.shard.map_or(plan.clone(), |shard| plan.of_shard(shard));
        if plan.cells.is_empty() {
            refuse!("--shard: the experiment has fewer cells than parts: this part is empty");
        }
        if asked.dry_run {
            summary::plan(&plan, &mut out())?;
            return Ok(Exit::Success);
        }
        commands::build(&plan.spec, &|command| terminal::note(format_args!("building: {command}")))
            .map_err(BadInput)?;
        let plan = plan.with_files().with_versions()?;
        let directory = asked.out.clone().unwrap_or_else(|| PathBuf::from("results").join(&plan.spec.name));
        if asked.fresh
            && let Some(kept) = ResultDir::set_aside(&directory)?
        {
            terminal::note(format_args!(
                "starting over: the earlier results are now in {}",
                plaintext::path(&kept)
            ));
        }
        let resume = "repeat the same command to resume";
        let found = carry_out(&plan, &directory, asked.accept, registry, &self.messages, resume)?;
        let Some(found) = found else { return Ok(Exit::Interrupted) };
        let exit = asked.judge(&found);
        if self.messages.messages.quiet.quiet && exit != Exit::Success {
            terminal::say(summary::faults(&found.faults));
            summary::verdicts(&found.claims).iter().for_each(terminal::say);
        }
        Ok(exit)
    }
}

impl Asked {
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
    machine::usable(cpus).map_err(|reason| BadInput(format!("pin: {reason}")))?;
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

/// The spec, overridden by the options of the command line.
impl Sweep {
    /// The spec, and the number of claims of the experiment.
    fn resolve(&self) -> Result<(Spec, usize), Error> {
        let (named, sizes) = self.named()?;
        let programs = self.programs.iter().map(|command| Program::of_command("--program", command));
        let programs = programs.collect::<Result<Vec<Program>, SpecError>>()?;
        let asked = &self.asked;
        let is_custom = named.is_none();
        let mut spec = match (named, &sizes) {
            (Some(spec), _) => spec,
            (None, Some(n)) => custom(n, !programs.is_empty()),
            (None, None) => custom(&"4-8".parse().expect("a range"), true),
        };
        add(&mut spec, programs)?;
        let claims = spec.claims.len();
        let goals = spec.sweep.goals();
        spec.sweep = asked.settings.clone().over(&spec.sweep);
        // A claim without a goal is about that of the experiment.
        let asked_for = spec.sweep.goals();
        if asked_for != goals {
            spec.claims.retain(|claim| claim.goal.is_some_and(|goal| asked_for.values().contains(&goal)));
        }
        let variants = match asked.variants.as_slice() {
            [] if asked.squares.is_empty() => &[],
            [] => &[Variant::Queens][..],
            variants => variants,
        };
        if !(variants.is_empty() && asked.instances.is_empty()) {
            let texts: Vec<String> = variants.iter().map(|variant| asked.squares.text(variant)).collect();
            spec.sweep.variant = Some(Variants(texts)).filter(|texts| !texts.0.is_empty());
            spec.sweep.instances = Some(Words(asked.instances.clone())).filter(|files| !files.0.is_empty());
            let posed = spec.sweep.variants();
            let is_posed = |variant: &String| posed.contains(variant) || !asked.instances.is_empty();
            spec.claims.retain(|claim| claim.variant.as_ref().is_none_or(is_posed));
        }
        if !asked.solvers.is_empty() {
            spec.solvers =
                asked.solvers.iter().map(|pattern| SolverChoice::of(pattern, "--solver")).collect();
        }
        if let Some(command) = &asked.external.external {
            if spec.sat.iter().any(|own| own.id == EXTERNAL) {
                refuse!(
                    "--external: the experiment has a [[sat]] program '{EXTERNAL}' of its own: leave the option out"
                );
            }
            let (id, command, place) = (EXTERNAL.to_owned(), command.clone(), "--external".to_owned());
            spec.sat.push(FormulaProgram { id, command, place, projects: true, ..FormulaProgram::default() });
        }
        if let Some(n) = &sizes {
            narrow(&mut spec, n)?;
        }
        if is_custom {
            // Each set of options gets its own directory, so that the same command resumes in it.
            spec.name = "custom".to_owned();
            spec.name = format!("custom-{}", &sha256_hex(spec.to_toml().as_bytes())[..8]);
        }
        spec.is_narrowed = sizes.is_some()
            || asked_for != goals
            || !(asked.solvers.is_empty() && asked.variants.is_empty() && asked.instances.is_empty())
            || !asked.squares.is_empty();
        // The result directory has this text, and every command reads it there.
        Spec::parse(&spec.origin, &spec.to_toml())?;
        Ok((spec, claims))
    }

    /// The experiment and the board sizes of the command line, if given.
    fn named(&self) -> Result<(Option<Spec>, Option<Sizes>), Error> {
        let asked = &self.asked;
        let sizes = asked.n.clone().map(|n| n.all);
        let Some(path) = &asked.experiment else {
            let (name, _) = builtin::ALL[0];
            let asks_nothing = sizes.is_none()
                && self.programs.is_empty()
                && asked.instances.is_empty()
                && asked.variants.is_empty()
                && asked.squares.is_empty();
            let quick = if asks_nothing { builtin::named(name) } else { None };
            let sizes = sizes.or_else(|| (!asked.instances.is_empty()).then(Sizes::all));
            return Ok((quick.transpose()?, sizes));
        };
        let text = path.to_str().unwrap_or_default();
        let looks_like_sizes =
            !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || "-,: ".contains(c));
        match Sizes::of_large(text) {
            Ok(own) if sizes.is_none() => return Ok((None, Some(own))),
            Ok(own) => {
                refuse!("the sizes are given twice, {own} and --n: leave one out");
            }
            Err(error) if looks_like_sizes && !path.exists() => {
                return Err(BadInput::because(error).into());
            }
            Err(_) => {}
        }
        Ok((Some(named(path)?), sizes))
    }
}

/// A built-in experiment or a TOML file.
pub fn named(path: &Path) -> Result<Spec, Error> {
    if let Some(spec) = builtin::named(path.to_str().unwrap_or_default()) {
        return Ok(spec?);
    }
    if !path.exists() {
        let (near, names) =
            (suggestion(&path.to_string_lossy(), builtin::ALL.map(|(name, _)| name)), builtin::names());
        let path = plaintext::path(path);
        refuse!(
            "unknown experiment '{path}'; {near}give board sizes (4-8), a built-in experiment ({names}) or an existing \
             TOML file"
        );
    }
    Spec::read(path).map_err(|error| match programs::typed(path) {
        Some(command) if path.extension().is_none_or(|extension| extension != "toml") => BadInput(format!(
            "{} is a program, not an experiment; to measure it: queenlab sweep 4-8 --program {}",
            plaintext::path(path),
            quoted(&command)
        ))
        .into(),
        _ => error.into(),
    })
}

/// Adds programs to those of a spec. If an id is taken, a number is appended.
fn add(spec: &mut Spec, programs: Vec<Program>) -> Result<(), BadInput> {
    for mut program in programs {
        if spec.programs.iter().any(|other| other.command == program.command) {
            let reason = format!("--program: '{}' is already measured", program.command.join(" "));
            return Err(BadInput(reason));
        }
        let taken = |id: &str| spec.programs.iter().any(|other| other.id == id);
        if taken(&program.id) {
            let numbered = (2..).map(|number: u32| format!("{}-{number}", program.id));
            program.id = numbered.into_iter().find(|id| !taken(id)).unwrap_or_default();
        }
        spec.programs.push(program);
    }
    Ok(())
}

/// The sizes at which SAT with blocking clauses takes about a second or less.
const SAT_SIZES: &str = "0-10";

/// The sizes at which a sweep without an experiment compares the searchers with SAT. On larger boards, a first solution
/// is constructed or found by local search.
const SEARCHED: &str = "0-256";

/// The spec of a sweep without an experiment. With a program, fewer solvers are compared, and SAT only on small boards.
fn custom(n: &Sizes, with_programs: bool) -> Spec {
    const SAT: &str = "sat/pairwise/varisat";
    let choice = |pattern: &str| SolverChoice::of(pattern, "--solver");
    let at = |pattern: &str, sizes: &str| {
        let n = Some(SweepSizes::of(n.common(&sizes.parse().expect("a range"))?));
        Some(SolverChoice { settings: Settings { n, ..Settings::default() }, ..choice(pattern) })
    };
    let searched = n.common(&SEARCHED.parse().expect("a range"));
    let mut sweep = Settings { n: Some(SweepSizes::of(n.clone())), ..Settings::default() };
    let solvers = if with_programs {
        let own = ["backtrack/column-scan", "backtrack/bitmask"].map(choice);
        own.into_iter().chain(at(SAT, SAT_SIZES)).collect()
    } else if searched.as_ref() == Some(n) {
        ["backtrack/*", SAT].map(choice).into()
    } else {
        if searched.is_none() {
            sweep.goal = Some(Axis::of(Goal::First));
        }
        let searchers = ["backtrack/*", SAT].into_iter().filter_map(|pattern| at(pattern, SEARCHED));
        searchers.chain(["construct/*", "local/*"].map(choice)).collect()
    };
    Spec { origin: "the command line".to_owned(), sweep, solvers, ..Spec::empty() }
}

/// Replaces the sizes of the spec by `--n`. A solver with its own sizes, and a claim, keeps the sizes that are in both lists.
fn narrow(spec: &mut Spec, n: &Sizes) -> Result<(), BadInput> {
    let by_goal = spec.sweep.n.take().filter(SweepSizes::is_by_goal);
    spec.sweep.n = match by_goal {
        Some(sizes) => sizes.common(n),
        None => Some(SweepSizes::of(n.clone())),
    };
    if spec.sweep.n.is_none() {
        refuse!("n = {n}: the experiment, whose sizes differ by goal, has none of them");
    }
    let keep = |own: &mut Settings| {
        let had_sizes = own.n.is_some();
        own.n = own.n.take().and_then(|sizes| sizes.common(n));
        own.n.is_some() || !had_sizes
    };
    spec.solvers.retain_mut(|solver| keep(&mut solver.settings));
    let mut gone = HashSet::new();
    spec.programs.retain_mut(|program| {
        let is_kept = keep(&mut program.settings);
        if !is_kept {
            gone.insert(format!("{}{}", record::PROGRAM, program.id));
        }
        is_kept
    });
    let is_gone = |solver: &str| solver.split(':').next().is_some_and(|id| gone.contains(id));
    spec.claims.retain(|claim| !claim.solvers().any(is_gone));
    spec.claims = spec.claims.iter().filter_map(|claim| claim.at(n)).collect();
    if spec.solvers.is_empty() && spec.programs.is_empty() {
        refuse!("no solver of {} runs at n = {n}: choose others with --solver", spec.origin);
    }
    Ok(())
}
