//! Turns a spec into a list of runs. No function here reads the clock or the machine, and only
//! [`Plan::with_files`] reads files.
//!
//! A cell is one thing to measure: a size, a goal, a solver, its limits, and whether to count or to time. A
//! run is one repetition of a cell. Runs are grouped into rounds, so that drift of the machine affects all
//! cells alike: round 0 has the counting run of each cell, small boards first; then come warm-up and timed
//! rounds. Each of them is a pass over all timed cells in its own order, shuffled with the recorded seed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::claim::{Against, Claim};
use super::commands;
use super::cpus::CpuList;
use super::files;
use super::spec::{Factor, Instance, Program, Spec, SpecError, Sweep, at_most_1024};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::command::CommandLine;
use crate::record::{Meta, Row, VARIANT, label, nanoseconds, sha256_hex};
use crate::registry::{Registry, Selected};
use crate::solver::{Goal, Options, SolveError, Solver};

/// The largest number of threads that is accepted from a stored plan.
const MOST_THREADS: usize = 4096;

/// One thing to measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Digest of the fields below; independent of repetition, order, executable, machine, path and time.
    pub id: String,
    /// Board size.
    pub n: usize,
    /// The canonical text of the problem, or `instance:NAME`.
    pub variant: String,
    /// The problem of `instance:NAME`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<CellInstance>,
    /// The goal of the solver.
    pub goal: Goal,
    /// Solver id, or `program/<id>`.
    pub solver: String,
    /// Options of the solver, or factors of the program, that are not the default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Version of the solver, to be recorded in the row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver_version: Option<String>,
    /// The user's program to start, for `program/<id>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramCall>,
    /// The command of an external SAT solver, for example `clasp {cnf}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external: Option<String>,
    /// The SHA-256 of each file named by the command of the program or of the external solver.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Threads that the solver may use.
    pub threads: usize,
    /// Seed for solvers that use random numbers.
    pub seed: u64,
    /// Limit of wall time, in nanoseconds.
    pub time_limit_ns: u64,
    /// Limit of address space, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit_bytes: Option<u64>,
    /// Whether statistics are collected; the times of such runs are not used.
    pub counting: bool,
    /// Why the cell is skipped; `None` if it is run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip: Option<String>,
}

/// A problem that was read from a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellInstance {
    /// The canonical text of the problem.
    pub problem: String,
    /// SHA-256 of the file.
    pub digest: String,
}

/// A user's program with the board size filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgramCall {
    /// Program and arguments.
    pub command: Vec<String>,
    /// A notation's name, or `auto`.
    pub notation: String,
    /// Exit codes that mean success.
    #[serde(default = "only_zero", skip_serializing_if = "is_only_zero")]
    pub accept_exit_codes: Vec<i32>,
}

/// The exit codes that mean success unless a spec names others.
pub fn only_zero() -> Vec<i32> {
    vec![0]
}

fn is_only_zero(codes: &[i32]) -> bool {
    codes == [0]
}

/// Solver, options, variant, goal, threads and seed.
pub type Series<'a> = (&'a str, &'a BTreeMap<String, String>, &'a str, Goal, usize, u64);

impl Cell {
    /// Limit of wall time.
    pub fn time_limit(&self) -> Duration {
        Duration::from_nanos(self.time_limit_ns)
    }

    /// The problem. An error if its text is damaged.
    pub fn problem(&self) -> Result<Problem, String> {
        let text = self.instance.as_ref().map_or(&self.variant, |instance| &instance.problem);
        let n = BoardSize::new(self.n).map_err(|error| error.to_string())?;
        Problem::from_text(n, text).map_err(|error| error.to_string())
    }

    /// The solver with its options, as for `--solver`.
    pub fn label(&self) -> String {
        label(&self.solver, &options_text(&self.options))
    }

    /// The cells of a series differ in their size only, and in whether they count.
    pub fn series(&self) -> Series<'_> {
        (&self.solver, &self.options, &self.variant, self.goal, self.threads, self.seed)
    }

    /// The problem and the solver, as in `n=8 toroidal backtrack/dlx`.
    pub fn name(&self) -> String {
        let variant = if self.variant == VARIANT { String::new() } else { format!("{} ", self.variant) };
        format!("n={} {variant}{}", self.n, self.label())
    }

    /// Whether this cell is run to measure its time.
    fn is_timed(&self) -> bool {
        !self.counting && self.skip.is_none()
    }

    /// Whether the process of a run starts other programs.
    pub fn starts_programs(&self) -> bool {
        self.program.is_some() || self.external.is_some()
    }

    /// Computes the id from the other fields.
    fn digest(&self) -> String {
        let mut identity = serde_json::json!([
            self.n,
            self.variant,
            self.goal,
            self.solver,
            self.program,
            self.external,
            self.threads,
            self.seed,
            self.time_limit_ns,
            self.memory_limit_bytes,
            self.counting,
        ]);
        // What a cell does not have leaves its id as it was before there were such cells.
        let later = [
            (!self.files.is_empty()).then(|| serde_json::json!(self.files)),
            self.instance.as_ref().map(|instance| serde_json::json!({ "instance": instance })),
            (!self.options.is_empty()).then(|| serde_json::json!({ "options": self.options })),
        ];
        if let Some(identity) = identity.as_array_mut() {
            identity.extend(later.into_iter().flatten());
        }
        sha256_hex(identity.to_string().as_bytes())[..16].to_owned()
    }

    fn with_id(mut self) -> Self {
        self.id = self.digest();
        self
    }

    /// The cell described by the fields of a row, with the id that follows from them. A row does not contain
    /// the command of a program or the problem of an instance; they are taken from `like`.
    pub fn of_row(row: &Row, like: Option<&Cell>) -> Self {
        let cell = Self {
            id: String::new(),
            n: row.n,
            variant: row.variant.clone(),
            instance: row.instance_digest.clone().map(|digest| CellInstance {
                problem: like
                    .and_then(|cell| cell.instance.clone())
                    .map_or(String::new(), |like| like.problem),
                digest,
            }),
            goal: row.goal,
            solver: row.solver.clone(),
            options: read_options(row.options.as_deref().unwrap_or_default()),
            solver_version: row.solver_version.clone(),
            program: like.and_then(|cell| cell.program.clone()),
            external: like.and_then(|cell| cell.external.clone()),
            files: like.map(|cell| cell.files.clone()).unwrap_or_default(),
            threads: row.threads,
            seed: row.seed,
            time_limit_ns: row.time_limit_ns.unwrap_or(0),
            memory_limit_bytes: row.memory_limit_bytes,
            counting: row.counting,
            skip: None,
        };
        cell.with_id()
    }
}

/// The solvers of claims must exist, even if this sweep does not run them, and have their canonical text; so must their
/// problems.
fn check_claims(spec: &Spec, registry: &Registry, problems: &[Posed]) -> Result<(), SpecError> {
    for claim in &spec.claims {
        let fail = |reason: String| SpecError { place: claim.place.clone(), reason };
        let variants: BTreeSet<&str> = problems.iter().map(|posed| posed.variant.as_str()).collect();
        if let Some(variant) = claim.variant.as_deref().filter(|variant| !variants.contains(variant)) {
            let known = Vec::from_iter(variants).join(", ");
            return Err(fail(format!("variant: '{variant}' is not in this sweep, which has {known}")));
        }
        let other = claim.against.as_ref().and_then(|against| match against {
            Against::Solver(id) => Some(id),
            Against::Value(..) | Against::Published(_) => None,
        });
        for id in std::iter::once(&claim.of).chain(other) {
            let is_program = |program: &Program| id.strip_prefix("program/") == Some(&program.id);
            if !spec.programs.iter().any(is_program) {
                let known = registry.choose(id).map_err(|error| fail(error.to_string()))?.info().id;
                if known != *id {
                    return Err(fail(format!("write '{id}' as '{known}', which is its name in the tables")));
                }
            }
        }
    }
    Ok(())
}

/// One repetition of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Index into [`Plan::cells`].
    pub cell: usize,
    /// Number of the pass over all cells.
    pub round: u32,
    /// Repetition, from 1; 0 for counting runs and skipped cells.
    pub repetition: u32,
    /// Whether this is a warm-up run: recorded, but excluded from statistics.
    pub warmup: bool,
}

/// Everything that an experiment will do, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Name of the experiment.
    pub name: String,
    /// The question that the experiment asks.
    pub question: String,
    /// The expected answer.
    pub expected: String,
    /// Timed runs of each cell.
    pub repeat: u32,
    /// Warm-up runs of each cell before the timed runs.
    pub warmup: u32,
    /// Seed of the order of the runs.
    pub order_seed: u64,
    /// Number of parallel jobs.
    pub jobs: usize,
    /// CPUs that runs are bound to.
    pub pin: Option<CpuList>,
    /// After timeouts at this many consecutive sizes, a solver is not run on larger sizes.
    pub stop_after_timeouts: Option<usize>,
    /// What the results are said to show; for reports only.
    #[serde(default)]
    pub claims: Vec<Claim>,
    /// The cells to measure.
    pub cells: Vec<Cell>,
    /// The runs in order; determined by the cells, the number of rounds and the seed.
    #[serde(skip)]
    pub runs: Vec<Run>,
}

impl Plan {
    /// Resolves a spec against the available solvers. A size that a pattern selects beyond a solver's limit
    /// is skipped.
    ///
    /// # Errors
    ///
    /// An unknown solver, an exact id with a size beyond its limit, or too many cells or runs.
    pub fn new(spec: &Spec, registry: &Registry) -> Result<Self, SpecError> {
        let too_large = |what: String| SpecError {
            place: spec.origin.clone(),
            reason: format!("{what}: narrow n, drop solvers or lower sweep.repeat"),
        };
        let mut cells: Vec<Cell> = Vec::new();
        let few = |cells: &[Cell]| match cells.len() {
            0..=MOST_CELLS => Ok(()),
            _ => Err(too_large(format!("more than {MOST_CELLS} cells"))),
        };
        let problems = problems(spec)?;
        let registry = &spec
            .sat
            .iter()
            .fold(registry.clone(), |registry, program| registry.with_sat(&program.id, &program.command));
        for choice in &spec.solvers {
            let fail = |reason: String| SpecError { place: choice.place.clone(), reason };
            let selected = registry.select(&choice.pattern).map_err(|error| fail(error.to_string()))?;
            let sweep = choice.own.over(&spec.sweep);
            for solver in &selected {
                let external = spec.command_of(&solver.info);
                for chosen in combinations(&choice.options) {
                    let given = solver.options.iter();
                    let chosen = chosen.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                    let options = Options::of(given.chain(chosen), &solver.info);
                    let options = options.map_err(|reason| SpecError {
                        place: choice.options.first().map_or(&choice.place, |factor| &factor.place).clone(),
                        reason,
                    })?;
                    let options: BTreeMap<String, String> = owned(options.iter());
                    let seeds = solver.info.uses_seed || options.values().any(|value| value == "random");
                    for posed in problems.iter().filter(|posed| sweep.n.contains(posed.problem.n())) {
                        for &goal in sweep.goal.values() {
                            let skip = skip(solver, &posed.problem, goal).map_err(fail)?;
                            for settings in settings(&sweep, solver.info.uses_threads, seeds) {
                                let cell = Cell {
                                    solver_version: Some(solver.info.version.clone()),
                                    external: external.clone(),
                                    options: options.clone(),
                                    skip: skip.clone(),
                                    ..cell(&sweep, &solver.info.id, posed, goal, settings)
                                };
                                cells.extend(with_counting(cell));
                            }
                        }
                        few(&cells)?;
                    }
                }
            }
        }
        for program in &spec.programs {
            let sweep = program.own.over(&spec.sweep);
            if sweep.goal.values().len() > 1 && !program.mentions("goal") {
                return Err(SpecError {
                    place: spec.origin.clone(),
                    reason: format!(
                        "the sweep has several goals, and the command of program '{}' does not contain {{goal}}: add it, \
                         or give the program a goal of its own",
                        program.id
                    ),
                });
            }
            for factors in combinations(&program.factors) {
                for posed in problems.iter().filter(|posed| sweep.n.contains(posed.problem.n())) {
                    for &goal in sweep.goal.values() {
                        let settings =
                            settings(&sweep, program.mentions("threads"), program.mentions("seed"));
                        let cell = |settings| {
                            let cell =
                                cell(&sweep, &format!("program/{}", program.id), posed, goal, settings);
                            program_cell(program, &factors, posed, cell)
                        };
                        cells.extend(settings.map(cell));
                    }
                    few(&cells)?;
                }
            }
        }
        if cells.is_empty() {
            return Err(SpecError {
                place: spec.origin.clone(),
                reason: "the sweep has no cell: no instance has a size in n".to_owned(),
            });
        }
        // A solver that two patterns select is measured once; naming its exact id takes precedence over a
        // skip.
        cells.sort_by_key(|cell| cell.skip.is_some());
        let mut seen = std::collections::HashSet::new();
        cells.retain(|cell| seen.insert(cell.id.clone()));
        cells.sort_by_key(|cell| cell.n);
        let timed = cells.iter().filter(|cell| cell.is_timed()).count() as u64;
        let rounds = u64::from(spec.sweep.warmup) + u64::from(spec.sweep.repeat);
        let count = (cells.len() as u64 - timed).saturating_add(timed.saturating_mul(rounds));
        if count > MOST_RUNS {
            return Err(too_large(format!("{count} runs exceed the maximum of {MOST_RUNS}")));
        }
        let mut plan = Self {
            name: spec.name.clone(),
            question: spec.question.clone(),
            expected: spec.expected.clone(),
            repeat: spec.sweep.repeat,
            warmup: spec.sweep.warmup,
            order_seed: *spec.sweep.seed.first(),
            jobs: spec.sweep.jobs,
            pin: spec.sweep.pin.clone(),
            stop_after_timeouts: spec.sweep.stop_after_timeouts,
            claims: spec.claims.clone(),
            cells,
            runs: Vec::new(),
        };
        check_claims(spec, registry, &problems)?;
        plan.make_runs();
        Ok(plan)
    }

    /// Sets the runs, which follow from the other fields.
    fn make_runs(&mut self) {
        self.runs = runs(&self.cells, self.warmup, self.repeat, self.order_seed);
        if self.stop_after_timeouts.is_some() {
            small_boards_first(&self.cells, &mut self.runs);
        }
    }

    /// Adds the versions of programs: the first line that their version commands print. Starts those programs.
    pub fn with_versions(mut self, spec: &Spec) -> Result<Self, SpecError> {
        let programs =
            spec.programs.iter().map(|program| (format!("program/{}", program.id), &program.version));
        let sat = spec.sat.iter().map(|program| (program.id.clone(), &program.version));
        let mut versions = BTreeMap::new();
        for (id, command) in programs.chain(sat) {
            let Some(command) = command else { continue };
            let version = commands::first_line(command).map_err(|reason| SpecError {
                place: spec.origin.clone(),
                reason: format!("the version of '{id}': {reason}"),
            })?;
            versions.insert(id, version);
        }
        for cell in &mut self.cells {
            let version = match cell.external {
                Some(_) => versions.get(sat_program(&cell.solver)),
                None => versions.get(&cell.solver),
            };
            if let Some(version) = version {
                cell.solver_version = Some(version.clone());
            }
        }
        Ok(self)
    }

    /// Adds the digests of the files that its commands name; they become part of the ids of their cells.
    /// Reads those files.
    pub fn with_files(mut self) -> Self {
        let mut known = files::Known::new();
        for cell in self.cells.iter_mut().filter(|cell| cell.skip.is_none()) {
            let words = match (&cell.program, &cell.external) {
                (Some(call), _) => call.command.clone(),
                (None, Some(command)) => {
                    CommandLine::parse(command).map(|line| line.words()).unwrap_or_default()
                }
                (None, None) => continue,
            };
            let files = files::of_command(&words, &mut known);
            *cell = Cell { files, ..cell.clone() }.with_id();
        }
        self
    }

    /// Reads the plan stored in `meta.json`, which may come from an untrusted source: each cell must match
    /// its digest, and its solver must be in `registry`. [`Plan::commands`] lists the programs that the plan
    /// would start.
    pub fn of_meta(meta: &Meta, registry: &Registry) -> Result<Self, String> {
        let mut plan: Self = serde_json::from_value(meta.plan.clone()).map_err(|error| error.to_string())?;
        let repetitions = u64::from(plan.warmup) + u64::from(plan.repeat) + 1;
        if repetitions.saturating_mul(plan.cells.len() as u64) > MOST_RUNS {
            return Err(format!("more than {MOST_RUNS} runs"));
        }
        let mut external: BTreeMap<(&str, Option<&str>), Registry> = BTreeMap::new();
        for cell in &plan.cells {
            let problem = cell.problem()?;
            if cell.digest() != cell.id {
                return Err(format!("the fields of cell {} do not match its id", cell.id));
            }
            if cell.threads == 0 || cell.threads > MOST_THREADS {
                return Err(format!("a cell has {} threads, outside 1 to {MOST_THREADS}", cell.threads));
            }
            if cell.program.is_none() && cell.skip.is_none() {
                let registry = external
                    .entry((sat_program(&cell.solver), cell.external.as_deref()))
                    .or_insert_with_key(|(name, command)| {
                        command.map_or(registry.clone(), |command| registry.with_sat(name, command))
                    });
                let solver = registry.get(&cell.solver).map_err(|error| error.to_string())?;
                let info = solver.info();
                let options = cell.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                Options::of(options, &info)?;
                if let Some(refusal) = info.refusal(&problem, cell.goal) {
                    return Err(refusal.to_string());
                }
            }
        }
        at_most_1024::<usize>(&plan.jobs.to_string()).map_err(|reason| format!("jobs {reason}"))?;
        if plan.stop_after_timeouts == Some(0) {
            return Err("stop_after_timeouts is 0, and must be at least 1".to_owned());
        }
        plan.make_runs();
        if plan.sha256() != meta.plan_sha256 {
            return Err("its cells and runs do not match plan_sha256".to_owned());
        }
        Ok(plan)
    }

    /// Every command that the runs would start: programs, and external SAT solvers (`sat/*/external`).
    pub fn commands(&self) -> BTreeSet<String> {
        let cells = self.cells.iter().filter(|cell| cell.skip.is_none());
        let programs =
            cells.clone().filter_map(|cell| cell.program.as_ref()).map(|call| call.command.join(" "));
        programs.chain(cells.filter_map(|cell| cell.external.clone())).collect()
    }

    /// SHA-256 of the plan's cells and runs, and of `jobs`, `pin` and `stop_after_timeouts` if any of them is
    /// not the default. The same work has the same digest, whatever the texts around it.
    pub fn sha256(&self) -> String {
        let ids: Vec<&str> = self.cells.iter().map(|cell| cell.id.as_str()).collect();
        let plain = self.jobs == 1 && self.pin.is_none() && self.stop_after_timeouts.is_none();
        let work = if plain {
            serde_json::json!([ids, self.runs])
        } else {
            serde_json::json!([ids, self.runs, self.jobs, self.pin, self.stop_after_timeouts])
        };
        sha256_hex(work.to_string().as_bytes())
    }

    /// An upper bound for the duration of the plan: every run takes up to its limit. With several jobs, a
    /// round takes at most the total divided by the jobs, plus the longest chain of runs that wait for each
    /// other (Graham 1966).
    pub fn worst_case(&self) -> Duration {
        let jobs = u32::try_from(self.jobs).unwrap_or(u32::MAX).max(1);
        let rounds = self.runs.chunk_by(|a, b| a.round == b.round);
        rounds.map(|round| self.worst_round(round, jobs)).fold(Duration::ZERO, Duration::saturating_add)
    }

    fn worst_round(&self, round: &[Run], jobs: u32) -> Duration {
        let cells = || round.iter().map(|run| &self.cells[run.cell]).filter(|cell| cell.skip.is_none());
        let sum = cells().map(Cell::time_limit).fold(Duration::ZERO, Duration::saturating_add);
        if jobs == 1 {
            return sum;
        }
        let mut chains: BTreeMap<Series<'_>, Duration> = BTreeMap::new();
        for cell in cells() {
            let chain = chains.entry(cell.series()).or_default();
            *chain = match self.stop_after_timeouts {
                Some(_) => chain.saturating_add(cell.time_limit()),
                None => cell.time_limit().max(*chain),
            };
        }
        let longest = chains.into_values().max().unwrap_or_default();
        sum.min((sum / jobs).saturating_add(longest))
    }

    /// The key of a run, by which a resumed sweep knows that the run is done.
    pub fn run_id(&self, run: &Run) -> String {
        run_id(&self.cells[run.cell].id, run.warmup, run.repetition)
    }
}

/// The key of a repetition of a cell.
pub fn run_id(cell_id: &str, warmup: bool, repetition: u32) -> String {
    let mark = if warmup { "w" } else { "" };
    format!("{cell_id}.{mark}{repetition}")
}

/// Limits of a plan. A plan beyond them would take too long to wait for, and gigabytes of memory before its
/// first run.
const MOST_CELLS: usize = 200_000;
const MOST_RUNS: u64 = 1_000_000;

/// The name of the SAT solver in a solver id.
pub fn sat_program(solver: &str) -> &str {
    solver.split('/').nth(2).unwrap_or_default()
}

/// Options as in the column `options`: `items=natural,rows=first`, sorted by name.
pub fn options_text(options: &BTreeMap<String, String>) -> String {
    options.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",")
}

fn read_options(text: &str) -> BTreeMap<String, String> {
    owned(text.split(',').filter_map(|pair| pair.split_once('=')))
}

fn owned<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> BTreeMap<String, String> {
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// A problem of the experiment, with what its cells record.
struct Posed {
    problem: Problem,
    variant: String,
    instance: Option<(PathBuf, CellInstance)>,
}

/// The problems of an experiment, small boards first: its variants at all sizes, and its instances of those sizes.
fn problems(spec: &Spec) -> Result<Vec<Posed>, SpecError> {
    let Sweep { n: sizes, variant, instances, .. } = &spec.sweep;
    let fail = |reason: String| SpecError { place: spec.origin.clone(), reason };
    if !instances.is_empty() && spec.instances.is_empty() {
        return Err(fail("instances: this command reads no instances; use 'queenlab sweep'".to_owned()));
    }
    let plain = [VARIANT.to_owned()];
    let variants = if variant.is_empty() && instances.is_empty() { &plain[..] } else { variant };
    let mut posed = Vec::new();
    for text in variants {
        for n in sizes.iter() {
            let problem = Problem::from_text(n, text)
                .map_err(|error| fail(format!("variant '{text}' at n = {n}: {error}")))?;
            let variant = problem.to_string();
            posed.push(Posed { problem, variant, instance: None });
        }
    }
    for instance in spec.instances.iter().filter(|instance| sizes.contains(instance.problem.n())) {
        let Instance { name, path, digest, problem } = instance;
        let recorded = CellInstance { problem: problem.to_string(), digest: digest.clone() };
        let variant = format!("instance:{name}");
        posed.push(Posed { problem: problem.clone(), variant, instance: Some((path.clone(), recorded)) });
    }
    posed.sort_by_key(|posed| posed.problem.n());
    Ok(posed)
}

/// Every combination of the values of some factors. There is one combination of no factors.
fn combinations(factors: &[Factor]) -> Vec<BTreeMap<String, String>> {
    let mut all = vec![BTreeMap::new()];
    for factor in factors {
        let with = |chosen: &BTreeMap<String, String>| {
            let chosen = chosen.clone();
            factor
                .values
                .iter()
                .map(move |value| {
                    let mut chosen = chosen.clone();
                    chosen.insert(factor.name.clone(), value.clone());
                    chosen
                })
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// Every combination of threads and seeds. What does not use one of them gets its first value only.
fn settings(sweep: &Sweep, threads: bool, seeds: bool) -> impl Iterator<Item = (usize, u64)> + use<'_> {
    let seeds = sweep.seed.values_if(seeds);
    sweep
        .threads
        .values_if(threads)
        .iter()
        .flat_map(move |&threads| seeds.iter().map(move |&seed| (threads, seed)))
}

/// Why a solver is skipped for this problem. If the solver was named by its exact id, a size that is too large
/// is an error.
fn skip(solver: &Selected, problem: &Problem, goal: Goal) -> Result<Option<String>, String> {
    let n = problem.n().get();
    if let Some(refusal) = solver.info.refusal(problem, goal) {
        let by_size = matches!(refusal, SolveError::Size { .. });
        // A solver for a single size is skipped for all others, even if it is named by its exact id.
        let single = solver.info.sizes.start() == solver.info.sizes.end();
        if solver.by_exact_id && by_size && !single {
            return Err(format!("{refusal}: narrow n or drop the solver"));
        }
        return Ok(Some(refusal.to_string()));
    }
    let limit = solver.info.pattern_limit.filter(|&limit| !solver.by_exact_id && n > limit);
    Ok(limit.map(|limit| {
        let id = &solver.info.id;
        format!("patterns select {id} only up to n = {limit}; name its exact id to run larger sizes")
    }))
}

/// The counting and the timed cell of a solver, or the one cell that is skipped.
fn with_counting(cell: Cell) -> impl Iterator<Item = Cell> {
    let counting = cell.skip.is_none().then(|| Cell { counting: true, ..cell.clone() });
    counting.into_iter().chain([cell]).map(Cell::with_id)
}

/// A program collects no statistics, so it gets no counting run; every board of each run is judged.
fn program_cell(program: &Program, factors: &BTreeMap<String, String>, posed: &Posed, cell: Cell) -> Cell {
    let path = posed.instance.as_ref().map(|(path, _)| path.display().to_string());
    let own = [
        ("n", cell.n.to_string()),
        ("seed", cell.seed.to_string()),
        ("threads", cell.threads.to_string()),
        ("goal", cell.goal.to_string()),
        ("variant", posed.problem.to_string()),
        ("instance", path.clone().unwrap_or_default()),
    ];
    let factors_of = factors.iter().map(|(name, value)| (name.as_str(), value.clone()));
    let values: BTreeMap<String, String> =
        own.into_iter().chain(factors_of).map(|(name, value)| (format!("{{{name}}}"), value)).collect();
    let skip = if program.mentions("instance") && path.is_none() {
        Some("the command contains {instance}, and this problem is not from a file")
    } else if !posed.problem.is_plain() && !program.mentions("variant") && !program.mentions("instance") {
        Some(
            "the command contains neither {variant} nor {instance}, so that the program would solve the plain board",
        )
    } else {
        None
    };
    let call = ProgramCall {
        command: program.command.iter().map(|word| filled(word, &values)).collect(),
        notation: program.notation.clone(),
        accept_exit_codes: program.accept_exit_codes.clone(),
    };
    Cell { program: Some(call), options: factors.clone(), skip: skip.map(str::to_owned), ..cell }.with_id()
}

/// A word with its placeholders replaced, in one pass: a value may contain braces.
fn filled(word: &str, values: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    let mut rest = word;
    while let Some(at) = rest.find('{') {
        let (before, place) = rest.split_at(at);
        text += before;
        let value = place.find('}').and_then(|end| Some((values.get(&place[..=end])?, &place[end + 1..])));
        (text, rest) = match value {
            Some((value, after)) => (text + value, after),
            None => (text + "{", &place[1..]),
        };
    }
    text + rest
}

/// A timed cell with the settings of the sweep, without its id.
fn cell(sweep: &Sweep, solver: &str, posed: &Posed, goal: Goal, (threads, seed): (usize, u64)) -> Cell {
    Cell {
        id: String::new(),
        n: posed.problem.n().get(),
        variant: posed.variant.clone(),
        instance: posed.instance.as_ref().map(|(_, instance)| instance.clone()),
        goal,
        solver: solver.to_owned(),
        options: BTreeMap::new(),
        solver_version: None,
        program: None,
        external: None,
        files: BTreeMap::new(),
        threads,
        seed,
        time_limit_ns: nanoseconds(sweep.timeout),
        memory_limit_bytes: sweep.memory,
        counting: false,
        skip: None,
    }
}

fn runs(cells: &[Cell], warmup: u32, repeat: u32, seed: u64) -> Vec<Run> {
    let once = |wanted: fn(&Cell) -> bool| {
        cells.iter().enumerate().filter(move |(_, cell)| wanted(cell)).map(|(cell, _)| cell)
    };
    let first = once(|cell| !cell.is_timed());
    let mut runs: Vec<Run> = first.map(|cell| Run { cell, round: 0, repetition: 0, warmup: false }).collect();
    // Without a timed cell every round would be empty, and their number would be unlimited.
    let rounds = if cells.iter().any(Cell::is_timed) { warmup.saturating_add(repeat) } else { 0 };
    for round in 1..=rounds {
        let warm = round <= warmup;
        let repetition = if warm { round } else { round - warmup };
        let timed = once(Cell::is_timed);
        let mut pass: Vec<Run> = timed.map(|cell| Run { cell, round, repetition, warmup: warm }).collect();
        fastrand::Rng::with_seed(seed.wrapping_add(u64::from(round))).shuffle(&mut pass);
        runs.extend(pass);
    }
    runs
}

/// Sorts the runs of each solver within each pass by board size, keeping the places that the shuffle gave to
/// that solver. Whether a size is skipped after timeouts then depends only on earlier runs, whatever the
/// seed.
fn small_boards_first(cells: &[Cell], runs: &mut [Run]) {
    for pass in runs.chunk_by_mut(|a, b| a.round == b.round) {
        let mut places: BTreeMap<Series<'_>, Vec<usize>> = BTreeMap::new();
        for (place, run) in pass.iter().enumerate() {
            places.entry(cells[run.cell].series()).or_default().push(place);
        }
        for places in places.values() {
            let mut own: Vec<Run> = places.iter().map(|&place| pass[place].clone()).collect();
            own.sort_by_key(|run| cells[run.cell].n);
            for (&place, run) in places.iter().zip(own) {
                pass[place] = run;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Result<Plan, String> {
        let head = "schema_version = 1\nname = \"test\"\n";
        let spec = Spec::parse("x.toml", &format!("{head}{text}")).map_err(|error| error.to_string())?;
        Plan::new(&spec, &Registry::builtin()).map_err(|error| error.to_string())
    }

    const TWO: &str = "[sweep]\nn = \"4-8\"\nwarmup = 1\n[[solver]]\nid = \"backtrack/bitmask\"\n[[solver]]\nid = \"backtrack/flag-arrays\"\n";

    #[test]
    fn each_cell_is_counted_once_warmed_up_and_timed_in_every_round() {
        let plan = plan(TWO).expect("a plan");
        assert_eq!(plan.cells.len(), 5 * 2 * 2);
        let round = |round| plan.runs.iter().filter(move |run| run.round == round);
        assert!(round(0).all(|run| plan.cells[run.cell].counting && run.repetition == 0));
        assert!(round(1).all(|run| run.warmup && run.repetition == 1));
        for timed in 1..=4 {
            let mut cells: Vec<usize> = round(timed).map(|run| run.cell).collect();
            assert!(!cells.is_sorted(), "round {timed} is not shuffled");
            cells.sort_unstable();
            cells.dedup();
            assert_eq!(cells.len(), 10);
            assert!(cells.iter().all(|&cell| !plan.cells[cell].counting));
        }
        assert_eq!(plan.runs.len(), 10 + 4 * 10);
    }

    #[test]
    fn the_same_spec_gives_the_same_plan_and_another_seed_another_order() {
        let same = plan(TWO).expect("a plan");
        assert_eq!(plan(TWO).expect("a plan").sha256(), same.sha256());
        let other = plan(&TWO.replace("[sweep]", "[sweep]\nseed = 2")).expect("a plan");
        assert_ne!(other.sha256(), same.sha256());
    }

    #[test]
    fn with_stop_after_timeouts_each_solver_runs_from_small_to_large_in_every_pass() {
        let shuffled = plan(TWO).expect("a plan");
        let plan = plan(&TWO.replace("[sweep]", "[sweep]\nstop_after_timeouts = 1")).expect("a plan");
        assert_ne!(plan.sha256(), shuffled.sha256());
        for round in 1..=4 {
            let solvers = |plan: &Plan| {
                let runs = plan.runs.iter().filter(|run| run.round == round);
                runs.map(|run| plan.cells[run.cell].solver.clone()).collect::<Vec<_>>()
            };
            assert_eq!(solvers(&plan), solvers(&shuffled), "solvers still take turns as drawn");
            for solver in ["backtrack/bitmask", "backtrack/flag-arrays"] {
                let runs = plan.runs.iter().filter(|run| run.round == round);
                let cells = runs.map(|run| &plan.cells[run.cell]).filter(|cell| cell.solver == solver);
                assert!(cells.map(|cell| cell.n).eq(4..=8), "{solver}");
            }
        }
    }

    #[test]
    fn jobs_and_pinning_are_part_of_the_plan() {
        let digest =
            |keys: &str| plan(&TWO.replace("[sweep]", &format!("[sweep]\n{keys}"))).expect("a plan").sha256();
        let plain = plan(TWO).expect("a plan").sha256();
        assert_eq!(digest("jobs = 1"), plain);
        assert_ne!(digest("jobs = 2"), plain);
        assert_ne!(digest("pin = \"0\""), plain);
    }

    #[test]
    fn run_ids_are_distinct_and_survive_another_number_of_repetitions() {
        let ids = |text: &str| {
            let plan = plan(text).expect("a plan");
            plan.runs.iter().map(|run| plan.run_id(run)).collect::<std::collections::HashSet<_>>()
        };
        let few = ids(TWO);
        assert_eq!(few.len(), 50);
        let more = ids(&TWO.replace("[sweep]", "[sweep]\nrepeat = 4"));
        assert!(few.is_subset(&more));
    }

    #[test]
    fn a_pattern_stops_at_the_limit_of_a_solver_and_an_exact_id_does_not() {
        let skipped = |id: &str| {
            let text = format!("[sweep]\nn = \"4-12\"\n[[solver]]\nid = \"{id}\"\n");
            let plan = plan(&text).expect("a plan");
            let skips = plan.cells.iter().filter(|cell| cell.skip.is_some());
            skips.map(|cell| (cell.solver.clone(), cell.n)).collect::<Vec<_>>()
        };
        let exhaustive: Vec<_> = (9..=12).map(|n| ("backtrack/exhaustive".to_owned(), n)).collect();
        assert_eq!(skipped("backtrack/exhausti*"), exhaustive);
        assert_eq!(skipped("backtrack/exhaustive"), []);
        let loops: Vec<_> = (5..=12).map(|n| ("backtrack/nested-loops".to_owned(), n)).collect();
        assert_eq!(skipped("backtrack/nested-loops"), loops);
    }

    #[test]
    fn an_exact_id_beside_a_pattern_lifts_its_limit() {
        let text = "[sweep]\nn = \"8-9\"\n[[solver]]\nid = \"backtrack/exhaust*\"\n\
                    [[solver]]\nid = \"backtrack/exhaustive\"\nn = \"9\"\n";
        let plan = plan(text).expect("a plan");
        let cells: Vec<_> = plan.cells.iter().map(|c| (c.n, c.counting, c.skip.is_some())).collect();
        assert_eq!(cells, [(8, true, false), (8, false, false), (9, true, false), (9, false, false)]);
    }

    #[test]
    fn a_size_beyond_the_limit_of_a_named_solver_is_a_mistake() {
        let text = "[sweep]\nn = \"30-40\"\n[[solver]]\nid = \"backtrack/bitmask\"\n";
        assert_eq!(
            plan(text),
            Err("x.toml:6:6: n = 33 is outside the sizes of backtrack/bitmask (0..=32: a mask holds 32 \
                 columns): narrow n or drop the solver"
                .to_owned())
        );
    }

    #[test]
    fn too_many_runs_are_a_mistake() {
        let error = plan(&TWO.replace("[sweep]", "[sweep]\nrepeat = 4000000000")).expect_err("too many");
        assert_eq!(
            error,
            "x.toml: 40000000020 runs exceed the maximum of 1000000: narrow n, drop solvers or lower sweep.repeat"
        );
    }

    #[test]
    fn a_program_is_called_with_the_size() {
        let text =
            "[sweep]\nn = \"5\"\n[[program]]\nid = \"mine\"\ncommand = [\"python3\", \"q.py\", \"{n}\"]\n";
        let plan = plan(text).expect("a plan");
        let call = plan.cells[0].program.clone().expect("a program");
        assert_eq!((plan.cells.len(), call.command), (1, vec!["python3".into(), "q.py".into(), "5".into()]));
        assert_eq!(plan.cells[0].solver, "program/mine");
    }

    #[test]
    fn a_plan_of_skipped_cells_has_no_rounds_whatever_repeat_is() {
        let text = "[sweep]\nn = \"5-6\"\nrepeat = 4294967295\nwarmup = 1\n[[solver]]\nid = \"backtrack/nested-loops\"\n";
        let plan = plan(text).expect("a plan");
        assert!(plan.cells.iter().all(|cell| cell.skip.is_some()));
        assert_eq!(plan.runs.len(), 2);
    }

    /// A cell that names no file has the same id as in published results.
    #[test]
    fn the_files_of_a_command_are_part_of_the_ids_of_its_cells_and_of_no_others() {
        let text =
            format!("{TWO}[[program]]\nid = \"p\"\ncommand = [\"Cargo.toml\", \"src/lib.rs\", \"{{n}}\"]\n");
        let before = plan(&text).expect("a plan");
        let after = before.clone().with_files();
        assert_ne!(before.sha256(), after.sha256());
        for (before, after) in before.cells.iter().zip(&after.cells) {
            assert_eq!(before.id == after.id, before.program.is_none(), "{after:?}");
            assert_eq!(after.files.contains_key("src/lib.rs"), after.program.is_some());
        }
    }

    #[test]
    fn an_oversized_plan_is_refused_before_it_takes_memory() {
        let text = "[sweep]\nn = \"4\"\nrepeat = 4294967295\nwarmup = 4294967295\n[[solver]]\nid = \"backtrack/bitmask\"\n";
        let advice = "narrow n, drop solvers or lower sweep.repeat";
        let told = format!("x.toml: 8589934591 runs exceed the maximum of 1000000: {advice}");
        assert_eq!(plan(text), Err(told));
        let many = "[[solver]]\nid = \"*\"\n".repeat(1000);
        let told = format!("x.toml: more than 200000 cells: {advice}");
        assert_eq!(plan(&format!("[sweep]\nn = \"0-1024\"\n{many}")), Err(told));
    }
}
