//! Makes the cells of a spec, and the runs of cells.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;

use super::cell::owned;
use super::{Cell, CellInstance, MOST_CELLS, MOST_RUNS, Plan, ProgramCall, Run, Series};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::experiment::claim::Against;
use crate::experiment::spec::{Factor, Instance, Program, Spec, SpecError, Sweep};
use crate::record::{PROGRAM, VARIANT, nanoseconds};
use crate::registry::{Registry, Selected};
use crate::solver::{Goal, Options, SolveError, Solver};

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
                                cells.extend(with_counting(cell, spec.sweep.repeat.most > 0));
                            }
                        }
                        few(&cells)?;
                    }
                }
            }
        }
        if spec.sweep.repeat.most == 0 {
            only_counting(spec)?;
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
        let mut seen = HashSet::new();
        cells.retain(|cell| seen.insert(cell.id.clone()));
        cells.sort_by_key(|cell| cell.n);
        let timed = cells.iter().filter(|cell| cell.is_timed()).count() as u64;
        let rounds = u64::from(spec.sweep.warmup) + u64::from(spec.sweep.repeat.most);
        let count = (cells.len() as u64 - timed).saturating_add(timed.saturating_mul(rounds));
        if count > MOST_RUNS {
            return Err(too_large(format!("{count} runs exceed the maximum of {MOST_RUNS}")));
        }
        let mut plan = Self {
            name: spec.name.clone(),
            question: spec.question.clone(),
            expected: spec.expected.clone(),
            repeat: spec.sweep.repeat.most,
            until: spec.sweep.repeat.until,
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
    pub(super) fn make_runs(&mut self) {
        self.runs = runs(&self.cells, self.warmup, self.repeat, self.order_seed);
        if self.stop_after_timeouts.is_some() {
            small_boards_first(&self.cells, &mut self.runs);
        }
    }
}

/// The solvers of claims must exist, even if this sweep does not run them, and have their name in the tables; their
/// problems must be in the sweep. If there are several, a claim must name its own.
fn check_claims(spec: &Spec, registry: &Registry, problems: &[Posed]) -> Result<(), SpecError> {
    for claim in &spec.claims {
        let fail = |reason: String| SpecError { place: claim.place.clone(), reason };
        let variants: BTreeSet<&str> = problems.iter().map(|posed| posed.variant.as_str()).collect();
        if let Some(variant) = claim.variant.as_deref().filter(|variant| !variants.contains(variant)) {
            let known = Vec::from_iter(variants).join(", ");
            return Err(fail(format!("variant: '{variant}' is not in this sweep, which has {known}")));
        }
        let at = |n| {
            problems.iter().filter(move |posed| posed.problem.n() == n).map(|posed| posed.variant.as_str())
        };
        let several = |n: &BoardSize| at(*n).collect::<BTreeSet<_>>().len() > 1;
        if let (None, Some(n)) = (&claim.variant, claim.n.iter().find(several)) {
            let known = at(n).collect::<Vec<_>>().join(", ");
            let one = at(n).next().unwrap_or_default();
            return Err(fail(format!(
                "the sweep has several problems at n = {n} ({known}), and this claim does not say which one it is about: \
                 add, for example, variant = \"{one}\""
            )));
        }
        let other = claim.against.as_ref().and_then(|against| match against {
            Against::Solver(id) => Some(id),
            Against::Value(..) | Against::Published(_) => None,
        });
        for id in std::iter::once(&claim.of).chain(other) {
            let program = id.strip_prefix(PROGRAM).map(|label| label.split(':').next().unwrap_or_default());
            if spec.programs.iter().any(|own| program == Some(&own.id)) {
                continue;
            }
            let known = registry.choose(id).map_err(|error| fail(error.to_string()))?.info().id;
            if known != *id {
                return Err(fail(format!("write '{id}' as '{known}', which is its name in the tables")));
            }
        }
    }
    Ok(())
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

/// The counting and, if there are timed runs, the timed cell of a solver; or the one cell that is skipped.
fn with_counting(cell: Cell, timed: bool) -> impl Iterator<Item = Cell> {
    let counting = cell.skip.is_none().then(|| Cell { counting: true, ..cell.clone() });
    let timed = (timed || cell.skip.is_some()).then_some(cell);
    counting.into_iter().chain(timed).map(Cell::with_id)
}

/// Without timed runs, there must be nothing that has only these.
fn only_counting(spec: &Spec) -> Result<(), SpecError> {
    let fail = |what: String| {
        Err(SpecError {
            place: spec.origin.clone(),
            reason: format!("with repeat = 0 there are only counting runs, {what}"),
        })
    };
    if let Some(program) = spec.programs.first() {
        return fail(format!("but program '{}' has only timed runs: set repeat to at least 1", program.id));
    }
    if spec.sweep.warmup > 0 {
        return fail("and these need no warm-up: leave out warmup, or set repeat to at least 1".to_owned());
    }
    Ok(())
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
    let values: BTreeMap<&str, String> = own.into_iter().chain(factors_of).collect();
    let skip = if cell.n > BoardSize::MAX {
        Some("only boards up to n = 1024 are read from programs")
    } else if program.mentions("instance") && path.is_none() {
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
fn filled(word: &str, values: &BTreeMap<&str, String>) -> String {
    let mut text = String::new();
    let mut rest = word;
    while let Some(at) = rest.find('{') {
        let (before, place) = rest.split_at(at);
        text += before;
        let value = place.find('}').and_then(|end| Some((values.get(&place[1..end])?, &place[end + 1..])));
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
        cpu_limit_ns: sweep.cpu_timeout.map(nanoseconds),
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
