//! Makes the cells of a spec, and the runs of cells.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use super::{Cell, MOST_CELLS, MOST_RUNS, Naming, Plan, ProgramCall, Run};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::board::sizes::ranges;
use crate::command::filled;
use crate::experiment::axis::Words;
use crate::experiment::claim::Claim;
use crate::experiment::spec::{Factors, Program, Settings, SolverChoice, Spec, SpecError};
use crate::record::{InstanceText, Kind, PROGRAM, Series, VARIANT, nanoseconds};
use crate::registry::{Registry, Selected};
use crate::solver::{Goal, Options, SolveError, Solver, Stat};

/// The values of options or factors, by name.
type Values = BTreeMap<String, String>;

impl Plan {
    /// Resolves a spec against the available solvers. A pattern selects the solvers that support the problem and the goal, at the
    /// sizes at which they are meant to run; a solver that is named by its exact id must support its sizes.
    ///
    /// # Errors
    ///
    /// An unknown solver, an exact id with a size beyond its limit, a claim that no run can decide, or too many cells or runs.
    pub fn new(spec: Spec, registry: &Registry) -> Result<Self, SpecError> {
        let mut plan = Self::selecting(spec, registry, &|_| true)?;
        let Self { spec, cells, .. } = &mut plan;
        let is_narrowed = spec.is_narrowed;
        spec.claims.retain(|claim| !is_narrowed || undecidable(claim, cells).is_none());
        let timed = spec.sweep.repeats().most > 0;
        for claim in &spec.claims {
            let untimed = "measure: with repeat = 0 there are only counting runs, and no times".to_owned();
            let reason = if claim.is_time() && !timed { Some(untimed) } else { undecidable(claim, cells) };
            if let Some(reason) = reason {
                return Err(SpecError { place: claim.place.clone(), reason });
            }
        }
        Ok(plan)
    }

    /// The same with patterns that select some solvers only, by their id: the solvers that existed when a result was made.
    pub fn selecting(
        spec: Spec,
        registry: &Registry,
        is_selected: &dyn Fn(&str) -> bool,
    ) -> Result<Self, SpecError> {
        let with_sat = |registry: Registry| {
            let registry =
                spec.sat.iter().fold(registry, |registry, own| registry.with_sat(&own.id, &own.command));
            spec.counters
                .iter()
                .fold(registry, |registry, own| registry.with_counter(&own.id, &own.command, own.projects))
        };
        let (known, registry) = (with_sat(registry.clone()), &with_sat(registry.only(is_selected)));
        let problems = problems(&spec)?;
        let mut made = Made::default();
        for choice in &spec.solvers {
            made.solvers(&spec, choice, registry, &problems)?;
        }
        for program in &spec.programs {
            made.program(&spec, program, &problems)?;
        }
        let fail = |reason: String| SpecError { place: spec.origin.clone(), reason };
        let Made { cells, versions, statistics, names } = made;
        if cells.is_empty() {
            return Err(fail(
                "the sweep has no cell: no solver that it selects supports its sizes, problems and goals"
                    .to_owned(),
            ));
        }
        let mut cells: Vec<Cell> = cells.into_iter().map(Cell::with_id).collect();
        // A solver that two patterns select is measured once; naming its exact id takes precedence over a skip.
        cells.sort_by_key(|cell| cell.skip.is_some());
        let mut seen = HashSet::new();
        cells.retain(|cell| seen.insert(cell.id.clone()));
        cells.sort_by_key(|cell| cell.n);
        let (repeat, warmup) = (spec.sweep.repeats(), spec.sweep.warmups());
        if repeat.most == 0 {
            only_counting(&spec)?;
        }
        let run = cells.iter().filter(|cell| cell.skip.is_none());
        let counting = run.clone().filter(|cell| cell.program.is_none()).count() as u64;
        let timed = (u64::from(warmup) + u64::from(repeat.most)).saturating_mul(run.count() as u64);
        let all = timed.saturating_add(counting);
        if all > MOST_RUNS {
            let reason = format!(
                "{all} runs exceed the maximum of {MOST_RUNS}: narrow n, drop solvers or lower sweep.repeat"
            );
            return Err(fail(reason));
        }
        for claim in &spec.claims {
            check_claim(claim, &spec, &known, &problems, &cells)
                .map_err(|reason| SpecError { place: claim.place.clone(), reason })?;
        }
        let mut plan = Self {
            repeat,
            warmup,
            jobs: spec.sweep.parallel(),
            pin: spec.sweep.pin.clone(),
            stop_after_timeouts: spec.sweep.stop_after_timeouts.map(|sizes| sizes.as_usize()),
            shard: None,
            versions,
            statistics,
            names,
            cells,
            runs: Vec::new(),
            spec,
        };
        plan.runs = runs(&plan);
        Ok(plan)
    }
}

/// The cells made so far, and what is known about their solvers.
#[derive(Default)]
struct Made {
    cells: Vec<Cell>,
    versions: BTreeMap<String, String>,
    statistics: BTreeSet<Stat>,
    names: BTreeMap<String, Naming>,
}

impl Made {
    /// Adds a cell. Too many are an error before they fill the memory.
    fn add(&mut self, cell: Cell, origin: &str) -> Result<(), SpecError> {
        self.cells.push(cell);
        if self.cells.len() <= MOST_CELLS { Ok(()) } else { Err(too_many_cells(origin)) }
    }

    /// The cells of the solvers that a pattern selects.
    fn solvers(
        &mut self,
        spec: &Spec,
        choice: &SolverChoice,
        registry: &Registry,
        problems: &[Posed],
    ) -> Result<(), SpecError> {
        let fail = |reason: String| SpecError { place: choice.place.clone(), reason };
        let selected = registry.select(&choice.pattern).map_err(|error| fail(error.to_string()))?;
        let settings = choice.settings.clone().over(&spec.sweep);
        for solver in &selected {
            let info = &solver.info;
            // Also of a solver without a cell: the patterns of a result select the solvers that are recorded with it.
            self.versions.entry(info.id.clone()).or_insert_with(|| info.version.clone());
            let foreign = spec.foreign_of(&info.id);
            let uses = |name: &str| foreign.is_some_and(|own| own.command.contains(name));
            for values in combinations(&choice.options, &choice.exclude, &spec.origin)? {
                let chosen = values.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                let options = Options::of(solver.options.iter().chain(chosen), info);
                let options = options.map_err(|reason| SpecError {
                    place: if choice.options.is_empty() { &choice.place } else { &choice.place_of_options }
                        .clone(),
                    reason,
                })?;
                let label =
                    if options.is_empty() { info.id.clone() } else { format!("{}:{options}", info.id) };
                self.name(&label, &choice.label, &choice.group, &choice.options, &values);
                let is_random = info.uses_seed || options.iter().any(|(_, value)| value == "random");
                let uses = [info.uses_threads || uses("{threads}"), is_random || uses("{seed}")];
                each_cell(&settings, problems, &label, uses, |posed, cell| {
                    let skip = match suits(solver, &posed.problem, cell.goal).map_err(fail)? {
                        Suits::Yes => None,
                        Suits::Skipped(reason) => Some(reason),
                        Suits::LeftOut => return Ok(()),
                    };
                    self.statistics.extend(&info.statistics);
                    let external = foreign.map(|own| fill(&own.command, &values_of(&cell)));
                    self.add(Cell { external, skip, ..cell }, &spec.origin)
                })?;
            }
        }
        Ok(())
    }

    /// Notes how a series is shown. A label may have `{NAME}` for the value of a factor; those with several values that it does
    /// not have follow it.
    fn name(&mut self, solver: &str, label: &str, group: &str, factors: &Factors, values: &Values) {
        let varies = |(name, _): &(&String, &String)| {
            factors.get(*name).is_some_and(|all| all.0.len() > 1) && !label.contains(&format!("{{{name}}}"))
        };
        let others: Vec<String> =
            values.iter().filter(varies).map(|(name, value)| format!("{name}={value}")).collect();
        let places: Vec<(String, String)> =
            values.iter().map(|(name, value)| (format!("{{{name}}}"), value.clone())).collect();
        let mut shown = fill(label, &places);
        if !(shown.is_empty() || others.is_empty()) {
            shown = format!("{shown} ({})", others.join(", "));
        }
        let naming = self.names.entry(solver.to_owned()).or_default();
        // The first table that says something decides.
        for (own, text) in [(&mut naming.label, shown), (&mut naming.group, group.to_owned())] {
            if own.is_empty() {
                *own = text;
            }
        }
    }

    /// The cells of a program.
    fn program(&mut self, spec: &Spec, program: &Program, problems: &[Posed]) -> Result<(), SpecError> {
        let settings = program.settings.clone().over(&spec.sweep);
        if settings.goals().values().len() > 1 && !program.mentions("goal") {
            return Err(SpecError {
                place: program.place.clone(),
                reason: format!(
                    "the sweep has several goals, and the command of program '{}' does not contain {{goal}}: add it, \
                     or give the program a goal of its own",
                    program.id
                ),
            });
        }
        let id = format!("{PROGRAM}{}", program.id);
        for factors in combinations(&program.factors, &program.exclude, &spec.origin)? {
            let pairs: Vec<String> = factors.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let label = if pairs.is_empty() { id.clone() } else { format!("{id}:{}", pairs.join(",")) };
            self.name(&label, &program.label, &program.group, &program.factors, &factors);
            let uses = ["threads", "seed"].map(|name| program.mentions(name));
            each_cell(&settings, problems, &label, uses, |posed, cell| {
                self.add(program_cell(program, &factors, posed, cell), &spec.origin)
            })?;
        }
        Ok(())
    }
}

/// Visits the cells of a solver at the sizes of these settings, with their problems. What does not use threads or seeds gets the
/// first value only.
fn each_cell(
    settings: &Settings,
    problems: &[Posed],
    solver: &str,
    [uses_threads, uses_seed]: [bool; 2],
    mut visit: impl FnMut(&Posed, Cell) -> Result<(), SpecError>,
) -> Result<(), SpecError> {
    let goals = settings.goals();
    let (all_threads, all_seeds) = (settings.thread_counts(), settings.seeds());
    for posed in problems {
        for &goal in goals.values().iter().filter(|goal| settings.has(**goal, posed.problem.n())) {
            for &threads in all_threads.values_if(uses_threads) {
                for &seed in all_seeds.values_if(uses_seed) {
                    let cell = Cell {
                        n: posed.problem.n().get(),
                        variant: posed.variant.clone(),
                        instance: posed.instance.clone(),
                        goal,
                        solver: solver.to_owned(),
                        threads,
                        seed,
                        time_limit_ns: nanoseconds(settings.time_limit()),
                        cpu_limit_ns: settings.cpu_timeout.map(|limit| nanoseconds(limit.0)),
                        memory_limit_bytes: settings.memory.map(|limit| limit.0),
                        ..Cell::default()
                    };
                    visit(posed, cell)?;
                }
            }
        }
    }
    Ok(())
}

/// A problem of the experiment, with what its cells record.
struct Posed {
    problem: Problem,
    variant: String,
    instance: Option<InstanceText>,
}

/// The problems of an experiment, small boards first: its variants at all sizes, and its instances of those sizes.
fn problems(spec: &Spec) -> Result<Vec<Posed>, SpecError> {
    let (sizes, variants) = (spec.sweep.sizes(), spec.sweep.variants());
    let fail = |reason: String| SpecError { place: spec.origin.clone(), reason };
    let has_instances = !spec.sweep.patterns().is_empty();
    if has_instances && spec.instances.is_empty() {
        return Err(fail("instances: this command reads no instances; use 'queenlab sweep'".to_owned()));
    }
    let plain = [VARIANT.to_owned()];
    let variants = if variants.is_empty() && !has_instances { &plain[..] } else { variants };
    let mut posed = Vec::new();
    for text in variants {
        for n in sizes.iter() {
            let problem = Problem::from_text(n, text)
                .map_err(|error| fail(format!("variant '{text}' at n = {n}: {error}")))?;
            posed.push(Posed { variant: problem.to_string(), problem, instance: None });
        }
    }
    for instance in spec.instances.iter().filter(|instance| sizes.contains(instance.problem.n())) {
        let (problem, variant) = (instance.problem.clone(), format!("instance:{}", instance.name));
        posed.push(Posed { problem, variant, instance: Some(instance.text.clone()) });
    }
    posed.sort_by_key(|posed| posed.problem.n());
    Ok(posed)
}

/// Every combination of the values of some factors that is not excluded. There is one combination of no factors. Too many are
/// an error before they fill the memory.
fn combinations(factors: &Factors, excluded: &[Factors], origin: &str) -> Result<Vec<Values>, SpecError> {
    let number = factors.values().map(|values| values.0.len()).try_fold(1, usize::checked_mul);
    if number.is_none_or(|number| number > MOST_CELLS) {
        return Err(too_many_cells(origin));
    }
    let mut all = factors.iter().fold(vec![Values::new()], |all, (name, values)| {
        let mut longer = Vec::new();
        for chosen in &all {
            for value in &values.0 {
                let mut chosen = chosen.clone();
                chosen.insert(name.clone(), value.clone());
                longer.push(chosen);
            }
        }
        longer
    });
    let has = |chosen: &Values, (name, values): (&String, &Words)| values.0.contains(&chosen[name]);
    all.retain(|chosen| !excluded.iter().any(|of| of.iter().all(|pair| has(chosen, pair))));
    Ok(all)
}

/// What a command gets in place of `{n}` and the like.
fn values_of(cell: &Cell) -> Vec<(String, String)> {
    let timeout = cell.time_limit().as_secs_f64().to_string();
    let values = [
        ("{n}", cell.n.to_string()),
        ("{goal}", cell.goal.to_string()),
        ("{seed}", cell.seed.to_string()),
        ("{threads}", cell.threads.to_string()),
        ("{timeout}", timeout),
    ];
    values.map(|(place, value)| (place.to_owned(), value)).into()
}

/// A word of a command with values in their places.
fn fill(word: &str, values: &[(String, String)]) -> String {
    let places: Vec<(&str, &Path)> =
        values.iter().map(|(place, value)| (place.as_str(), Path::new(value))).collect();
    filled(word, &places).to_string_lossy().into_owned()
}

fn too_many_cells(origin: &str) -> SpecError {
    let reason =
        format!("more than {MOST_CELLS} cells: narrow n, drop solvers, or give factors fewer values");
    SpecError { place: origin.to_owned(), reason }
}

/// Whether a solver is run at a point of a sweep.
enum Suits {
    Yes,
    /// It was asked for, and is recorded as skipped for this reason.
    Skipped(String),
    /// A pattern does not select it there.
    LeftOut,
}

/// Whether a solver is run at a point. For a solver that is named by its exact id, a size that it does not support is an error.
fn suits(solver: &Selected, problem: &Problem, goal: Goal) -> Result<Suits, String> {
    let info = &solver.info;
    let refusal = info.refusal(problem, goal);
    if !solver.by_exact_id {
        let too_large = info.pattern_limit.is_some_and(|limit| problem.n().get() > limit);
        return Ok(if refusal.is_none() && !too_large { Suits::Yes } else { Suits::LeftOut });
    }
    let Some(refusal) = refusal else { return Ok(Suits::Yes) };
    // A solver for a single size is skipped for all others, even if it is named by its exact id.
    let is_single = info.sizes.start() == info.sizes.end();
    if matches!(refusal, SolveError::Size { .. }) && !is_single {
        return Err(format!("{refusal}: narrow n or drop the solver"));
    }
    Ok(Suits::Skipped(refusal.to_string()))
}

/// Without timed runs, there must be nothing that has only these.
fn only_counting(spec: &Spec) -> Result<(), SpecError> {
    let fail = |place: &str, what: String| {
        let reason = format!("with repeat = 0 there are only counting runs, {what}");
        Err(SpecError { place: place.to_owned(), reason })
    };
    if let Some(Program { id, place, .. }) = spec.programs.first() {
        let what = format!("but program '{id}' has only timed runs: set repeat to at least 1");
        return fail(place, what);
    }
    if spec.sweep.warmups() > 0 {
        let what = "and these need no warm-up: leave out warmup, or set repeat to at least 1".to_owned();
        return fail(&spec.origin, what);
    }
    Ok(())
}

/// A program collects no statistics, so it gets no counting run; every board of each run is judged.
fn program_cell(program: &Program, factors: &Values, posed: &Posed, cell: Cell) -> Cell {
    let path = posed.instance.as_ref().map(|instance| instance.path.clone());
    let mut values = values_of(&cell);
    values.push(("{variant}".to_owned(), posed.problem.to_string()));
    values.push(("{instance}".to_owned(), path.clone().unwrap_or_default()));
    values.extend(factors.iter().map(|(name, value)| (format!("{{{name}}}"), value.clone())));
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
        command: program.command.iter().map(|word| fill(word, &values)).collect(),
        notation: program.notation.clone(),
        accept_exit_codes: program.accept_exit_codes.clone().unwrap_or_else(|| vec![0]),
        answer: program.answer.clone(),
        files: program.files.clone().unwrap_or_default(),
    };
    Cell { program: Some(call), skip: skip.map(str::to_owned), ..cell }
}

/// The solvers of a claim must exist, even if this sweep does not run them, and have their name in the tables; its
/// problem must be in the sweep. If there are several, the claim must name its own.
fn check_claim(
    claim: &Claim,
    spec: &Spec,
    registry: &Registry,
    problems: &[Posed],
    cells: &[Cell],
) -> Result<(), String> {
    let at = |n: Option<BoardSize>| {
        let problems = problems.iter().filter(move |posed| n.is_none_or(|n| posed.problem.n() == n));
        problems.map(|posed| posed.variant.as_str()).collect::<BTreeSet<_>>()
    };
    let all = at(None);
    if let Some(variant) = claim.variant.as_deref().filter(|variant| !all.contains(variant)) {
        return Err(format!("variant: '{variant}' is not in this sweep, which has {}", list(&all)));
    }
    let mut sizes = claim.n.iter().flat_map(|n| n.all.iter()).filter(|_| claim.variant.is_none());
    if let Some((n, known)) = sizes.find_map(|n| Some((n, at(Some(n)))).filter(|(_, known)| known.len() > 1))
    {
        return Err(format!(
            "the sweep has several problems at n = {n} ({}), and this claim does not say which one it is about: add, for \
             example, variant = \"{}\"",
            list(&known),
            known.first().unwrap_or(&VARIANT)
        ));
    }
    for id in claim.solvers() {
        match id.strip_prefix(PROGRAM) {
            Some(name) => check_program(spec, name, cells)?,
            None => check_solver(registry, id, claim.statistic())?,
        }
    }
    // A claim compares runs of one goal, and of a solver those with one number of threads.
    let values = |is_of: &dyn Fn(&str) -> bool, value: fn(&Cell) -> String| -> BTreeSet<String> {
        cells.iter().filter(|cell| cell.skip.is_none() && is_of(&cell.solver)).map(value).collect()
    };
    let goals = |is_of: &dyn Fn(&str) -> bool| values(is_of, |cell| cell.goal.to_string());
    let goal = claim.goal.map(|goal| goal.to_string());
    one_of("goal", "these solvers", goal.as_ref(), &goals(&|id| claim.solvers().any(|solver| solver == id)))?;
    for solver in claim.solvers() {
        one_of("goal", solver, goal.as_ref(), &goals(&|id| id == solver))?;
        // A solver that uses one thread has one number of them.
        let threads = values(&|id| id == solver, |cell| cell.threads.to_string());
        if threads.len() > 1 {
            one_of("threads", solver, claim.threads.map(|threads| threads.to_string()).as_ref(), &threads)?;
        }
    }
    Ok(())
}

/// Why no run of these cells can decide a claim, if none can: a solver does not run at one of its sizes.
fn undecidable(claim: &Claim, cells: &[Cell]) -> Option<String> {
    let goals = claim.goal.map_or(String::new(), |goal| format!(" with goal {goal}"));
    claim.solvers().zip([0, claim.shift.unwrap_or(0)]).find_map(|(solver, shift)| {
        let own = cells.iter().filter(|cell| cell.skip.is_none() && cell.solver == solver);
        let own = own.filter(|cell| claim.goal.is_none_or(|goal| cell.goal == goal));
        let own = own.filter(|cell| claim.variant.as_ref().is_none_or(|variant| cell.variant == *variant));
        let sizes: BTreeSet<usize> = own.map(|cell| cell.n).collect();
        let lacking: Vec<usize> =
            claim.sizes().iter().map(|n| n + shift).filter(|n| !sizes.contains(n)).collect();
        let (at, has) = (ranges(&lacking), ranges(&sizes.iter().copied().collect::<Vec<_>>()));
        match (lacking.is_empty(), sizes.is_empty()) {
            (true, _) => None,
            (_, true) => {
                Some(format!("this experiment has no runs of {solver}{goals}, which the claim is about"))
            }
            _ => Some(format!("{solver} runs{goals} at n = {has}, and this claim is about n = {at}, too")),
        }
    })
}

fn list<T: AsRef<str>>(values: &BTreeSet<T>) -> String {
    values.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

/// An error if the value of a key is not among those of a sweep, or is not given and there are several.
fn one_of(key: &str, solvers: &str, wanted: Option<&String>, known: &BTreeSet<String>) -> Result<(), String> {
    match wanted {
        Some(wanted) if !known.is_empty() && !known.contains(wanted) => {
            Err(format!("{key}: {solvers}: the sweep has no runs with {wanted}, only with {}", list(known)))
        }
        None if known.len() > 1 => Err(format!(
            "the sweep has runs of {solvers} with several values of {key} ({}), and this claim does not say which it is \
             about: add the key {key}",
            list(known)
        )),
        _ => Ok(()),
    }
}

/// A claim about a program must name one of its series.
fn check_program(spec: &Spec, name: &str, cells: &[Cell]) -> Result<(), String> {
    let (id, full) = (name.split(':').next().unwrap_or_default(), format!("{PROGRAM}{name}"));
    if spec.programs.iter().all(|program| program.id != id) {
        return Err(format!("unknown solver '{full}'; this experiment has no program '{id}'"));
    }
    let programs = cells.iter().filter_map(|cell| cell.solver.strip_prefix(PROGRAM));
    let own: BTreeSet<&str> = programs.filter(|label| label.split(':').next() == Some(id)).collect();
    if !own.is_empty() && !own.contains(name) {
        let known: Vec<String> = own.iter().map(|label| format!("'{PROGRAM}{label}'")).collect();
        return Err(format!("no series is named '{full}': write {}", known.join(" or ")));
    }
    Ok(())
}

/// A claim about a solver must use its name in the tables, and a statistic that it counts.
fn check_solver(registry: &Registry, id: &str, statistic: Option<&str>) -> Result<(), String> {
    let info = registry.choose(id).map_err(|error| error.to_string())?.info();
    if info.id != id {
        return Err(format!("write '{id}' as '{}', which is its name in the tables", info.id));
    }
    let own: Vec<&str> = info.statistics.iter().map(|stat| stat.name()).collect();
    let Some(name) = statistic.filter(|name| !own.contains(name)) else { return Ok(()) };
    let own = if own.is_empty() { "none".to_owned() } else { own.join(", ") };
    Err(format!("measure: {id} does not count {name}; it counts {own}"))
}

/// The runs of a plan: round 0 with counting runs and skipped cells, then the rounds of warm-up and timed runs.
pub(super) fn runs(plan: &Plan) -> Vec<Run> {
    let Plan { cells, warmup, repeat, .. } = plan;
    let seed = *plan.spec.sweep.seeds().first();
    let is_timed = |cell: &Cell| repeat.most > 0 && cell.skip.is_none();
    let first = (0..).zip(cells).filter_map(|(at, cell)| {
        let kind = match (&cell.skip, &cell.program) {
            (Some(_), _) => Kind::Timed,
            (None, None) => Kind::Counting,
            (None, Some(_)) => return None,
        };
        Some(Run { cell: at, round: 0, kind, repetition: 0 })
    });
    let mut runs: Vec<Run> = first.collect();
    // Without a timed cell every round would be empty, and their number would be unlimited.
    let rounds = if cells.iter().any(is_timed) { warmup.saturating_add(repeat.most) } else { 0 };
    for round in 1..=rounds {
        let (kind, repetition) =
            if round <= *warmup { (Kind::Warmup, round) } else { (Kind::Timed, round - warmup) };
        let timed = (0..).zip(cells).filter(|(_, cell)| is_timed(cell));
        let mut pass: Vec<Run> = timed.map(|(cell, _)| Run { cell, round, kind, repetition }).collect();
        fastrand::Rng::with_seed(seed.wrapping_add(u64::from(round))).shuffle(&mut pass);
        if plan.stop_after_timeouts.is_some() {
            small_boards_first(cells, &mut pass);
        }
        runs.extend(pass);
    }
    runs
}

/// Sorts the runs of each series within a pass by board size, keeping the places that the shuffle gave to that series. Whether
/// a size is skipped after timeouts then depends only on earlier runs, whatever the seed. Cells are in the order of sizes.
fn small_boards_first(cells: &[Cell], pass: &mut [Run]) {
    let mut left: BTreeMap<Series<'_>, BTreeSet<usize>> = BTreeMap::new();
    for run in pass.iter() {
        left.entry(cells[run.cell].series()).or_default().insert(run.cell);
    }
    for run in pass {
        let smallest = left.get_mut(&cells[run.cell].series()).and_then(BTreeSet::pop_first);
        run.cell = smallest.unwrap_or(run.cell);
    }
}
