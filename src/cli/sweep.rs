//! `queenlab sweep`: runs an experiment, then the cross-check, then the report.

use std::path::{Path, PathBuf};

use crate::board::problem::Variant;
use crate::board::sizes::Sizes;
use crate::command::quoted;
use crate::experiment::axis::Axis;
use crate::experiment::cpus::CpuList;
use crate::experiment::plan::Plan;
use crate::experiment::runner::Faults;
use crate::experiment::runner::process::{ProcessRunner, own_executable};
use crate::experiment::spec::{Own, Program, SolverChoice, Spec, SpecError, Sweep};
use crate::experiment::{self, Options, Results, builtin, commands, machine, stored};
use crate::record::{ClaimRow, Judgement, Meta, RecordError, ResultDir, Row, sha256_hex, table};
use crate::registry::Registry;
use crate::report::{self, Material, Run};
use crate::solver::Goal;
use crate::verify;
use crate::words::suggestion;
use anyhow::{Context, Error};

use super::args::{Global, SweepArguments};
use super::progress::{self, SweepProgress};
use super::{BadInput, Exit, even_unread, interrupt, programs, summary, terminal};

pub fn run(arguments: &SweepArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    let spec = Spec { external: global.external.clone(), ..resolve(arguments, global)? }.with_instances()?;
    let plan = Plan::new(&spec, registry)?;
    if global.external.is_some() && plan.cells.iter().all(|cell| cell.external.is_none()) {
        refuse!(
            "--external has no effect: no solver of this sweep runs that program; choose one, as in \
                      --solver sat/pairwise/external, or leave the option out"
        );
    }
    shares(&plan)?;
    if arguments.dry_run {
        summary::plan(&plan, &mut super::out())?;
        return Ok(Exit::Success);
    }
    commands::build(&spec, &|command| terminal::note(format_args!("building: {command}")))
        .map_err(BadInput)?;
    let plan = plan.with_files().with_versions(&spec)?;
    let out = arguments.out.clone().unwrap_or_else(|| PathBuf::from("results").join(&plan.name));
    if arguments.fresh
        && let Some(kept) = ResultDir::set_aside(&out).map_err(not_a_sweep)?
    {
        terminal::note(format_args!("starting over: the earlier results are now in {}", kept.display()));
    }
    let carried = carry_out(&plan, &out, arguments.accept, registry, global)?;
    Ok(match carried {
        Carried::Interrupted => Exit::Interrupted,
        Carried::Done { faults, disagreements, failed_claims } => {
            let exit = judged(&faults, disagreements, arguments.fail_on_timeout);
            if exit == Exit::Success && failed_claims > 0 && arguments.fail_on_claim {
                Exit::Claim
            } else {
                exit
            }
        }
    })
}

/// `--fresh` on a directory that has no results is bad input.
fn not_a_sweep(error: RecordError) -> Error {
    match error {
        RecordError::NoResult(_) => BadInput(error.to_string()).into(),
        error => error.into(),
    }
}

/// How a plan ended.
pub enum Carried {
    /// Interrupted by the user.
    Interrupted,
    /// All runs are done.
    Done {
        /// Runs that did not end normally.
        faults: Faults,
        /// Comparisons that disagree.
        disagreements: usize,
        /// Claims that fail.
        failed_claims: usize,
    },
}

/// Runs a plan in a directory, then the cross-check and the report, and prints the outcome.
pub fn carry_out(
    plan: &Plan,
    out: &Path,
    accept: bool,
    registry: &Registry,
    global: &Global,
) -> Result<Carried, Error> {
    let executable = own_executable().context("cannot find this program")?;
    let argv = command_line()?;
    let graceful = interrupt::graceful();
    let cancel = graceful.flag();
    let mut runners: Vec<ProcessRunner> =
        shares(plan)?.into_iter().map(|cpus| ProcessRunner::new(executable.clone(), cpus)).collect();
    let mut progress = SweepProgress::new(global, plan);
    let options = Options {
        directory: out,
        executable: &executable,
        argv,
        accept,
        cancel: &cancel,
        warn: &|warning| progress::warn(global, warning),
    };
    let experiment = experiment::run(plan, &options, &mut runners, &mut progress);
    progress.finish();
    drop(graceful);
    let (results, _taken) = experiment?;
    let derived = derive(&results, plan, registry, out)?;
    if results.interrupted {
        let (done, total) = (results.rows.len(), plan.runs.len());
        let most = if plan.until.is_some() { "at most " } else { "" };
        terminal::say(format_args!(
            "interrupted: {done} of {most}{total} runs are done; repeat the same command to resume"
        ));
        return Ok(Carried::Interrupted);
    }
    if results.done_before == plan.runs.len() {
        let done = match results.rows.len() {
            1 => "its only run was already done".to_owned(),
            runs => format!("all {runs} runs were already done"),
        };
        terminal::note(format_args!("{}: {done}", out.display()));
    }
    let faults = derived.print(&results, plan, out, global)?;
    if let Some(command) = programs::second_look(plan, &results.rows) {
        terminal::note(format_args!("to see what is wrong: {command}"));
    }
    let failed_claims = derived.claims.iter().filter(|claim| claim.verdict == Judgement::Fails).count();
    Ok(Carried::Done { faults, disagreements: derived.discrepancies.len(), failed_claims })
}

/// The exit code of a completed plan.
pub fn judged(faults: &Faults, disagreements: usize, fail_on_timeout: bool) -> Exit {
    if faults.wrong > 0 || disagreements > 0 {
        Exit::WrongAnswer
    } else if faults.failed() > 0 {
        Exit::Failure
    } else if faults.limited > 0 && fail_on_timeout {
        Exit::TimedOut
    } else {
        Exit::Success
    }
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
pub fn command_line() -> Result<Vec<String>, BadInput> {
    let arguments = std::env::args_os().skip(1).map(|argument| {
        argument.into_string().map_err(|argument| {
            let argument = argument.display();
            BadInput(format!(
                "{argument}: the results record this argument in JSON, which takes valid UTF-8 only; rename the \
                 file or directory"
            ))
        })
    });
    std::iter::once(Ok("queenlab".to_owned())).chain(arguments).collect()
}

/// Writes the files that are derived from the rows: cross-check, tables, plots and the page.
pub fn derive(results: &Results, plan: &Plan, registry: &Registry, out: &Path) -> Result<Derived, Error> {
    let meta = Meta::read(out)?;
    let cells = meta.as_ref().map(|meta| stored::cells(out, meta)).transpose()?.unwrap_or_default();
    let problem =
        |row: &Row| cells.get(&row.cell_id).map_or_else(|| verify::plain(row), |cell| cell.problem().ok());
    let checked = verify::crosscheck_runs(&results.rows, &results.levels, &problem, registry)?;
    table::write(out, &checked.rows)?;
    let runs = Run::all(&results.rows);
    let (crosscheck, claims) = (&checked.rows, &plan.claims);
    let others = results.others;
    let material = Material { rows: &runs, others, crosscheck, meta: meta.as_ref(), claims, pair: None };
    let claims = report::write(out, &material)?;
    Ok(Derived { discrepancies: checked.discrepancies, claims })
}

/// What the rows of a sweep say.
pub struct Derived {
    /// Comparisons that disagree.
    pub discrepancies: Vec<verify::Discrepancy>,
    /// The verdicts of the claims.
    pub claims: Vec<ClaimRow>,
}

impl Derived {
    /// Prints the results and the disagreements. Returns the runs that did not end normally.
    pub fn print(
        &self,
        results: &Results,
        plan: &Plan,
        out: &Path,
        global: &Global,
    ) -> Result<Faults, Error> {
        let faults = Faults::of(&results.rows);
        if !global.quiet {
            let printed = summary::results(plan, results, &faults, &self.claims, out, &mut super::out());
            even_unread(printed.map_err(Error::from))?;
        }
        self.discrepancies.iter().for_each(terminal::say);
        Ok(faults)
    }
}

/// The spec, overridden by the options of the command line.
fn resolve(arguments: &SweepArguments, global: &Global) -> Result<Spec, Error> {
    let (named, sizes) = asked(arguments)?;
    let programs = arguments.programs.iter().map(|command| Program::of_command("--program", command));
    let programs = programs.collect::<Result<Vec<Program>, SpecError>>()?;
    let is_custom = named.is_none();
    let mut spec = match (named, &sizes) {
        (Some(spec), _) => spec,
        (None, Some(n)) => custom(n, !programs.is_empty()),
        (None, None) => custom(&"4-8".parse().expect("a range"), true),
    };
    add(&mut spec, programs)?;
    arguments.keys.apply(&mut spec.sweep);
    if let Some(seed) = global.seed {
        spec.sweep.seed = Axis::of(seed);
    }
    let variants = match arguments.variants.as_slice() {
        [] if arguments.squares.is_empty() => &[],
        [] => &[Variant::Queens][..],
        variants => variants,
    };
    if !(variants.is_empty() && arguments.instances.is_empty()) {
        spec.sweep.variant = variants.iter().map(|variant| arguments.squares.text(variant)).collect();
        spec.sweep.instances = arguments.instances.clone();
    }
    if !arguments.solvers.is_empty() {
        spec.solvers = arguments.solvers.iter().map(|pattern| choice(pattern)).collect();
    }
    if let Some(n) = &sizes {
        narrow(&mut spec, n)?;
    }
    if is_custom {
        // Each set of options gets its own directory, so that the same command resumes in it.
        let mut options = format!("{:?} {:?}", spec.sweep, spec.solvers);
        if !spec.programs.is_empty() {
            options += &format!(" {:?}", spec.programs);
        }
        spec.name = format!("custom-{}", &sha256_hex(options.as_bytes())[..8]);
    }
    Ok(spec)
}

/// The experiment and the board sizes of the command line, if given.
fn asked(arguments: &SweepArguments) -> Result<(Option<Spec>, Option<Sizes>), Error> {
    let sizes = arguments.n.clone();
    let Some(path) = &arguments.experiment else {
        let (name, _) = builtin::ALL[0];
        let asks_nothing = sizes.is_none()
            && arguments.programs.is_empty()
            && arguments.instances.is_empty()
            && arguments.variants.is_empty()
            && arguments.squares.is_empty();
        let quick = if asks_nothing { builtin::named(name) } else { None };
        let sizes = sizes.or_else(|| (!arguments.instances.is_empty()).then(Sizes::all));
        return Ok((quick.transpose()?, sizes));
    };
    let text = path.to_str().unwrap_or_default();
    let looks_like_sizes = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || "-,: ".contains(c));
    match Sizes::of_large(text) {
        Ok(own) if sizes.is_none() => return Ok((None, Some(own))),
        Ok(own) => {
            refuse!("the sizes are given twice, {own} and --n: leave one out");
        }
        Err(error) if looks_like_sizes && !path.exists() => return Err(BadInput(error.to_string()).into()),
        Err(_) => {}
    }
    Ok((Some(named(path)?), sizes))
}

/// A built-in experiment or a TOML file.
pub fn named(path: &Path) -> Result<Spec, Error> {
    if let Some(spec) = builtin::named(path.to_str().unwrap_or_default()) {
        return Ok(spec?);
    }
    if !path.exists() {
        let (near, names) =
            (suggestion(&path.to_string_lossy(), builtin::ALL.map(|(name, _)| name)), builtin::names());
        let path = path.display();
        refuse!(
            "unknown experiment '{path}'; {near}give board sizes (4-8), a built-in experiment ({names}) or an existing \
             TOML file"
        );
    }
    Spec::read(path).map_err(|error| match programs::typed(path) {
        Some(command) if path.extension().is_none_or(|extension| extension != "toml") => BadInput(format!(
            "{} is a program, not an experiment; to measure it: queenlab sweep 4-8 --program {}",
            path.display(),
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

fn choice(pattern: &str) -> SolverChoice {
    let pattern = pattern.to_owned();
    SolverChoice { pattern, own: Own::default(), options: Vec::new(), place: "--solver".to_owned() }
}

/// The sizes at which SAT with blocking clauses takes about a second or less.
const SAT_SIZES: &str = "0-10";

/// The sizes at which a sweep without an experiment compares the searchers with SAT. On larger boards, a first solution
/// is constructed or found by local search.
const SEARCHED: &str = "0-256";

/// The spec of a sweep without an experiment. With a program, fewer solvers are compared, and SAT only on small boards.
fn custom(n: &Sizes, with_programs: bool) -> Spec {
    const SAT: &str = "sat/pairwise/varisat";
    let at = |pattern, sizes: &str| {
        let common = n.common(&sizes.parse().expect("a range"));
        common.map(|n| SolverChoice { own: Own { n: Some(n), ..Own::default() }, ..choice(pattern) })
    };
    let searched = n.common(&SEARCHED.parse().expect("a range"));
    let mut sweep = Sweep { n: n.clone(), ..Sweep::default() };
    let solvers = if with_programs {
        ["backtrack/column-scan", "backtrack/bitmask"]
            .map(choice)
            .into_iter()
            .chain(at(SAT, SAT_SIZES))
            .collect()
    } else if searched.as_ref() == Some(n) {
        ["backtrack/*", SAT].map(choice).into()
    } else {
        if searched.is_none() {
            sweep.goal = Axis::of(Goal::First);
        }
        let searchers = ["backtrack/*", SAT].into_iter().filter_map(|pattern| at(pattern, SEARCHED));
        searchers.chain(["construct/*", "local/*"].map(choice)).collect()
    };
    Spec {
        origin: "the command line".to_owned(),
        name: String::new(),
        question: String::new(),
        expected: String::new(),
        analysis: String::new(),
        sweep,
        solvers,
        programs: Vec::new(),
        sat: Vec::new(),
        instances: Vec::new(),
        claims: Vec::new(),
        external: None,
    }
}

/// Replaces the sizes of the spec by `--n`. A solver with its own sizes keeps the sizes that are in both lists.
fn narrow(spec: &mut Spec, n: &Sizes) -> Result<(), BadInput> {
    spec.sweep.n = n.clone();
    let keep = |own: &mut Option<Sizes>| match own {
        None => true,
        Some(sizes) => {
            let common = sizes.common(n);
            let some = common.is_some();
            *own = common;
            some
        }
    };
    spec.solvers.retain_mut(|solver| keep(&mut solver.own.n));
    spec.programs.retain_mut(|program| keep(&mut program.own.n));
    if spec.solvers.is_empty() && spec.programs.is_empty() {
        refuse!("no solver of {} runs at n = {n}: choose others with --solver", spec.origin);
    }
    Ok(())
}
