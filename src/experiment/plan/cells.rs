//! Makes the cells of a spec, and decides whether a cell of `plan.json` belongs to a spec.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use super::{Cell, MAX_CELLS, MAX_RUNS, Plan, ProgramCall, claims};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::command::filled;
use crate::instance::Instance;
use crate::model::{CellKey, ProblemRef, SolverRef};
use crate::record::{InstanceText, nanoseconds};
use crate::registry::{Registry, SelectedSolver, is_selected};
use crate::solver::{Goal, Options, SolveError, Stat};
use crate::spec::axis::TextValues;
use crate::spec::{
    Factors, FormulaProgram, Located, Naming, Place, Program, Settings, SolverChoice, Spec, SpecError,
    placeholders_of_run,
};

/// The values of options or factors, by name.
type FactorValues = BTreeMap<String, String>;

impl Plan {
    /// Resolves a spec with the solvers of a registry. A pattern selects the solvers that support the problem and the goal, at the
    /// sizes for which they are intended. A solver with an exact id must support all sizes at which the spec
    /// runs it.
    ///
    /// # Errors
    ///
    /// A solver is unknown, a solver with an exact id does not support a size or is not in this build, a claim cannot be decided by
    /// any run, or there are too many cells or runs.
    pub fn new(spec: Spec, registry: &Registry) -> Result<Self, SpecError> {
        Self::with_instances(spec, Vec::new(), registry)
    }

    /// Like [`Self::new`], for a spec with instances. `instances` are those that its patterns select.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::new`].
    pub fn with_instances(
        spec: Spec,
        instances: Vec<Instance>,
        registry: &Registry,
    ) -> Result<Self, SpecError> {
        let registry =
            spec.sat.iter().fold(registry.clone(), |all, program| all.with_sat(&program.program()));
        let with_counter =
            |all: Registry, program: &FormulaProgram| all.with_counter(&program.program(), program.projects);
        let registry = &spec.counters.iter().fold(registry, with_counter);
        let mut plan = Self::with_cells(spec, instances, registry)?;
        check_available(&plan, registry)?;
        claims::check_decidable(&mut plan.spec, &plan.cells, registry)?;
        Ok(plan)
    }

    fn with_cells(spec: Spec, instances: Vec<Instance>, registry: &Registry) -> Result<Self, SpecError> {
        let problems = problems(&spec, &instances)?;
        let mut builder = PlanBuilder::default();
        for choice in &spec.solvers {
            builder.add_solvers(&spec, choice, registry, &problems)?;
        }
        for program in &spec.programs {
            builder.add_program(&spec, program, &problems)?;
        }
        let fail = |reason: String| spec.error(reason);
        let PlanBuilder { cells, versions, statistics, names } = builder;
        if cells.is_empty() {
            return Err(fail(
                "the sweep has no cell: no solver that it selects supports its sizes, problems and goals"
                    .to_owned(),
            ));
        }
        let mut cells: Vec<Cell> = cells.into_iter().map(Cell::with_id).collect();
        // A solver that two patterns select is measured once. If one of its equal cells is skipped and the other is run, the cell that
        // is run is kept.
        cells.sort_by_key(|cell| cell.skip.is_some());
        let mut distinct_ids = HashSet::new();
        cells.retain(|cell| distinct_ids.insert(cell.id.clone()));
        cells.sort_by_key(|cell| cell.key.n);
        if spec.sweep.repeats().maximum == 0 {
            check_counting_only(&spec)?;
        }
        check_number_of_runs(&spec, &cells)?;
        let variants: Vec<(usize, &ProblemRef)> =
            problems.iter().map(|planned| (planned.problem.n().get(), &planned.variant)).collect();
        for claim in &spec.claims {
            claims::check(claim, &spec, registry, &variants, &cells)?;
        }
        Ok(Self::of_cells(spec, cells, instances, versions, statistics, names))
    }
}

/// Checks that a plan with these cells does not have too many runs.
pub(super) fn check_number_of_runs(spec: &Spec, cells: &[Cell]) -> Result<(), SpecError> {
    let executed_cells = cells.iter().filter(|cell| cell.skip.is_none());
    let counting_runs = executed_cells.clone().filter(|cell| cell.program.is_none()).count() as u64;
    let (repeat, warmup) = (spec.sweep.repeats(), spec.sweep.warmups());
    let timed_runs =
        (u64::from(warmup) + u64::from(repeat.maximum)).saturating_mul(executed_cells.count() as u64);
    let all_runs = timed_runs.saturating_add(counting_runs);
    if all_runs <= MAX_RUNS {
        return Ok(());
    }
    let reason = format!(
        "{all_runs} runs exceed the maximum of {MAX_RUNS}: narrow n, drop solvers or lower sweep.repeat"
    );
    Err(spec.error(reason))
}

/// Decides whether a cell of `plan.json` belongs to an experiment, without the registry of solvers. Whether a pattern selects a
/// built-in solver is decided by the id of the solver alone.
pub(super) struct ExpectedCells<'s> {
    spec: &'s Spec,
    problems: HashMap<(usize, ProblemRef), PlannedProblem>,
    /// The patterns of solvers, with their settings.
    solvers: Vec<(&'s SolverChoice, Settings)>,
    /// The programs by id, with their settings.
    programs: HashMap<&'s str, (&'s Program, Settings)>,
}

impl<'s> ExpectedCells<'s> {
    pub fn new(spec: &'s Spec, instances: &[Instance]) -> Result<Self, SpecError> {
        let key = |planned: &PlannedProblem| (planned.problem.n().get(), planned.variant.clone());
        let settings = |settings: &Settings| settings.clone().or(spec.sweep.clone());
        let solvers = spec.solvers.iter().map(|choice| (choice, settings(&choice.settings)));
        let programs =
            spec.programs.iter().map(|program| (program.id.as_str(), (program, settings(&program.settings))));
        Ok(Self {
            spec,
            problems: problems(spec, instances)?
                .into_iter()
                .map(|planned| (key(&planned), planned))
                .collect(),
            solvers: solvers.collect(),
            programs: programs.collect(),
        })
    }

    /// Whether the experiment has this cell. The digests of files and the reason to skip the cell are not compared.
    pub fn contains(&self, cell: &Cell) -> bool {
        let CellKey { n, problem, goal, solver, threads, seed } = &cell.key;
        let Some(planned) = self.problems.get(&(*n, problem.clone())) else { return false };
        let has_cell_values = |settings: &Settings| {
            settings.goals().values().contains(goal)
                && settings.has_size(*goal, planned.problem.n())
                && settings.thread_counts().values().contains(threads)
                && settings.seeds().values().contains(seed)
        };
        let planned_cell = |settings: &Settings| Cell {
            files: cell.files.clone(),
            skip: cell.skip.clone(),
            ..cell_of(cell.key.clone(), planned, settings)
        };
        let is_cell = |candidate: Cell| candidate.with_id() == *cell;
        if !solver.is_program() {
            return self.solvers.iter().any(|(choice, settings)| {
                let is_planned = || {
                    let candidate = planned_cell(settings);
                    is_cell(with_formula_program(candidate, self.spec.formula_program_of(solver)))
                };
                is_selected(&choice.pattern, solver.id()) && has_cell_values(settings) && is_planned()
            });
        }
        let id = solver.program_id().unwrap_or_default();
        let Some((program, settings)) =
            self.programs.get(id).filter(|(_, settings)| has_cell_values(settings))
        else {
            return false;
        };
        let factors: FactorValues =
            solver.factors().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let is_factor = |(name, value): (&String, &String)| {
            program.factors.get(name).is_some_and(|values| values.0.contains(value))
        };
        let pairs = factors.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let candidate = || program_cell(program, &factors, planned, planned_cell(settings));
        factors.len() == program.factors.len()
            && factors.iter().all(is_factor)
            && SolverRef::program(&program.id, pairs) == *solver
            && is_cell(Cell { skip: cell.skip.clone(), ..candidate() })
    }

    /// Whether the label and group of a series match the experiment. If the name of its solver lacks an option, the option has its
    /// default value, which is unknown here. Therefore any of the values in the experiment matches.
    pub fn has_naming(&self, solver: &SolverRef, naming: &Naming) -> bool {
        let program =
            self.programs.get(solver.program_id().unwrap_or_default()).filter(|_| solver.is_program());
        let program_table = program.map(|(program, _)| (program.naming(), &program.factors));
        let choices = self.solvers.iter().filter(|(choice, _)| is_selected(&choice.pattern, solver.id()));
        let choice_tables = choices.map(|(choice, _)| (choice.naming(), &choice.options));
        let tables: Vec<(Naming, &Factors)> = program_table.into_iter().chain(choice_tables).collect();
        let has_label = |(table, factors): &(Naming, &Factors)| {
            let mut possible_factors = (*factors).clone();
            for (name, value) in solver.options() {
                // The experiment may write a value differently from the solver, such as 07 instead of 7.
                if let Some(values) = possible_factors.get_mut(name)
                    && values.0.iter().any(|candidate| candidate == value)
                {
                    *values = TextValues(vec![value.to_owned()]).into();
                }
            }
            let values = combinations(&possible_factors, &[], self.spec).unwrap_or_default();
            values.iter().any(|values| label_of(table, factors, values) == naming.label)
        };
        tables.iter().any(has_label) && tables.iter().any(|(table, _)| table.group == naming.group)
    }
}

/// The cells that were made so far, and the versions, statistics and names of their solvers.
#[derive(Default)]
struct PlanBuilder {
    cells: Vec<Cell>,
    versions: BTreeMap<String, String>,
    statistics: BTreeSet<Stat>,
    names: BTreeMap<String, Naming>,
}

impl PlanBuilder {
    /// Adds a cell. Returns an error if there are more than [`MAX_CELLS`], which would take too much memory.
    fn add(&mut self, cell: Cell, spec: &Spec) -> Result<(), SpecError> {
        self.cells.push(cell);
        if self.cells.len() <= MAX_CELLS { Ok(()) } else { Err(too_many_cells(spec)) }
    }

    /// Adds the cells of the solvers that a pattern selects.
    fn add_solvers(
        &mut self,
        spec: &Spec,
        choice: &SolverChoice,
        registry: &Registry,
        problems: &[PlannedProblem],
    ) -> Result<(), SpecError> {
        let fail = |reason: String| spec.error_at("", choice.pattern.place(), reason);
        let selected_solvers = registry.select(&choice.pattern).map_err(|error| fail(error.to_string()))?;
        let settings = choice.settings.clone().or(spec.sweep.clone());
        for solver in &selected_solvers {
            let info = &solver.info;
            // The version of a solver without cells is added, too, because the results record all solvers that the patterns select.
            self.versions.entry(info.id.clone()).or_insert_with(|| info.version.clone());
            let formula_program = spec.formula_program_of(&SolverRef::of(&info.id, []));
            let command_contains =
                |name: &str| formula_program.is_some_and(|program| program.command.contains(name));
            for values in combinations(&choice.options, &choice.exclude, spec)? {
                let chosen_options = values.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                let options = Options::of(solver.options.iter().chain(chosen_options), info);
                let options = options.map_err(|error| spec.error_in_key(choice.place_of_options(), error))?;
                let full_name = SolverRef::of(&info.id, options.iter());
                self.add_naming(&full_name, &choice.naming(), &choice.options, &values);
                let is_random = info.uses_seed || options.iter().any(|(_, value)| value == "random");
                let uses_threads_and_seed = [
                    info.uses_threads || command_contains("{threads}"),
                    is_random || command_contains("{seed}"),
                ];
                each_cell(&settings, problems, &full_name, uses_threads_and_seed, |planned, cell| {
                    let skip = match suitability(solver, &planned.problem, cell.key.goal) {
                        Suitability::Yes => None,
                        Suitability::Skipped(reason) => Some(reason),
                        Suitability::NotSelected => return Ok(()),
                        Suitability::Refused(refusal) => {
                            return Err(fail(format!("{refusal}: narrow n or drop the solver")));
                        }
                    };
                    self.statistics.extend(&info.statistics);
                    self.add(Cell { skip, ..with_formula_program(cell, formula_program) }, spec)
                })?;
            }
        }
        Ok(())
    }

    /// Stores the label and the group of a series. If several tables give them, the first one takes precedence.
    fn add_naming(&mut self, solver: &SolverRef, table: &Naming, factors: &Factors, values: &FactorValues) {
        let naming = self.names.entry(solver.to_string()).or_default();
        let label = label_of(table, factors, values);
        for (name, text) in [(&mut naming.label, label), (&mut naming.group, table.group.clone())] {
            if name.is_empty() {
                *name = text;
            }
        }
    }

    /// Adds the cells of a program.
    fn add_program(
        &mut self,
        spec: &Spec,
        program: &Program,
        problems: &[PlannedProblem],
    ) -> Result<(), SpecError> {
        let settings = program.settings.clone().or(spec.sweep.clone());
        if settings.goals().values().len() > 1 && !program.mentions("goal") {
            let reason = format!(
                "the sweep has several goals, and the command of program '{}' does not contain {{goal}}: add it, or give \
                 the program a goal of its own",
                program.id
            );
            return Err(spec.error_at("", program.id.place(), reason));
        }
        for factors in combinations(&program.factors, &program.exclude, spec)? {
            let pairs = factors.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            let full_name = SolverRef::program(&program.id, pairs);
            self.add_naming(&full_name, &program.naming(), &program.factors, &factors);
            let uses_threads_and_seed = ["threads", "seed"].map(|name| program.mentions(name));
            each_cell(&settings, problems, &full_name, uses_threads_and_seed, |planned, cell| {
                self.add(program_cell(program, &factors, planned, cell), spec)
            })?;
        }
        Ok(())
    }
}

/// The label of a series. In the label of the table, `{NAME}` is replaced by the value of a factor. Other factors with several
/// values follow in parentheses.
fn label_of(Naming { label, .. }: &Naming, factors: &Factors, values: &FactorValues) -> String {
    let varies = |(name, _): &(&String, &String)| {
        factors.get(*name).is_some_and(|all| all.0.len() > 1) && !label.contains(&format!("{{{name}}}"))
    };
    let other_factors: Vec<String> =
        values.iter().filter(varies).map(|(name, value)| format!("{name}={value}")).collect();
    let placeholders: Vec<(String, String)> =
        values.iter().map(|(name, value)| (format!("{{{name}}}"), value.clone())).collect();
    let text = fill(label, &placeholders);
    if text.is_empty() || other_factors.is_empty() {
        text
    } else {
        format!("{text} ({})", other_factors.join(", "))
    }
}

/// Visits the cells of a solver at the sizes and with the problems of these settings. A solver that does not use threads is
/// visited only with the first number of threads, and a solver that does not use seeds only with the first seed.
fn each_cell(
    settings: &Settings,
    problems: &[PlannedProblem],
    solver: &SolverRef,
    [uses_threads, uses_seed]: [bool; 2],
    mut visit: impl FnMut(&PlannedProblem, Cell) -> Result<(), SpecError>,
) -> Result<(), SpecError> {
    let goals = settings.goals();
    let (all_threads, all_seeds) = (settings.thread_counts(), settings.seeds());
    for planned in problems {
        for &goal in goals.values().iter().filter(|goal| settings.has_size(**goal, planned.problem.n())) {
            for &threads in all_threads.values_if(uses_threads) {
                for &seed in all_seeds.values_if(uses_seed) {
                    let key = CellKey {
                        n: planned.problem.n().get(),
                        problem: planned.variant.clone(),
                        goal,
                        solver: solver.clone(),
                        threads,
                        seed,
                    };
                    visit(planned, cell_of(key, planned, settings))?;
                }
            }
        }
    }
    Ok(())
}

/// A cell without its id. Fields for programs are empty.
fn cell_of(key: CellKey, planned: &PlannedProblem, settings: &Settings) -> Cell {
    Cell {
        key,
        instance: planned.instance.clone(),
        time_limit_ns: nanoseconds(settings.time_limit()),
        cpu_limit_ns: settings.cpu_limit().map(nanoseconds),
        memory_limit_bytes: settings.memory_limit(),
        ..Cell::default()
    }
}

/// A problem of the experiment, with its text and instance as recorded in cells.
struct PlannedProblem {
    problem: Problem,
    variant: ProblemRef,
    instance: Option<InstanceText>,
}

/// The problems of an experiment, small boards first: the variants at all sizes, and the instances that have one of these sizes.
fn problems(spec: &Spec, instances: &[Instance]) -> Result<Vec<PlannedProblem>, SpecError> {
    let (sizes, variants) = (spec.sweep.sizes(), spec.sweep.variants());
    let has_instances = !spec.sweep.patterns().is_empty();
    if let Some(patterns) = spec.sweep.instances.as_ref().filter(|_| instances.is_empty()) {
        let reason = "this command reads no instances; use 'queenlab sweep'";
        return Err(spec.error_at("instances", patterns.place(), reason));
    }
    let place = spec.sweep.variant.as_ref().map_or(&Place::Nowhere, Located::place);
    let plain = [ProblemRef::default().to_string()];
    let variants = if variants.is_empty() && !has_instances { &plain[..] } else { variants };
    let mut planned = Vec::new();
    for text in variants {
        for n in sizes.iter() {
            let problem = Problem::from_text(n, text)
                .map_err(|error| spec.error_at("variant", place, format!("'{text}' at n = {n}: {error}")))?;
            planned.push(PlannedProblem { variant: ProblemRef::from(&problem), problem, instance: None });
        }
    }
    for instance in instances.iter().filter(|instance| sizes.contains(instance.problem.n())) {
        let (problem, variant) = (instance.problem.clone(), ProblemRef::instance(&instance.name));
        planned.push(PlannedProblem { problem, variant, instance: Some(instance.text.clone()) });
    }
    planned.sort_by_key(|planned| planned.problem.n());
    Ok(planned)
}

/// All combinations of the values of factors, except the excluded ones. Without factors, there is one empty combination.
/// Returns an error if there are more than [`MAX_CELLS`], which would take too much memory.
fn combinations(
    factors: &Factors,
    excluded: &[Factors],
    spec: &Spec,
) -> Result<Vec<FactorValues>, SpecError> {
    let combination_count = factors.values().map(|values| values.0.len()).try_fold(1, usize::checked_mul);
    if combination_count.is_none_or(|combination_count| combination_count > MAX_CELLS) {
        return Err(too_many_cells(spec));
    }
    let mut combinations = factors.iter().fold(vec![FactorValues::new()], |combinations, (name, values)| {
        let mut longer_combinations = Vec::new();
        for chosen in &combinations {
            for value in &values.0 {
                let mut chosen = chosen.clone();
                chosen.insert(name.clone(), value.clone());
                longer_combinations.push(chosen);
            }
        }
        longer_combinations
    });
    let contains_pair = |chosen: &FactorValues, (name, values): (&String, &Located<TextValues>)| {
        values.0.contains(&chosen[name])
    };
    combinations.retain(|chosen| {
        !excluded.iter().any(|factors| factors.iter().all(|pair| contains_pair(chosen, pair)))
    });
    Ok(combinations)
}

/// The values of the placeholders of a command, such as `{n}`.
fn values_of(cell: &Cell) -> Vec<(String, String)> {
    let CellKey { n, goal, threads, seed, .. } = cell.key;
    placeholders_of_run(n, goal, seed, threads, cell.time_limit())
        .map(|(placeholder, value)| (placeholder.to_owned(), value))
        .into()
}

/// A word of a command with its placeholders replaced.
fn fill(word: &str, values: &[(String, String)]) -> String {
    let placeholders: Vec<(&str, &Path)> =
        values.iter().map(|(placeholder, value)| (placeholder.as_str(), Path::new(value))).collect();
    filled(word, &placeholders).to_string_lossy().into_owned()
}

fn too_many_cells(spec: &Spec) -> SpecError {
    spec.error(format!("more than {MAX_CELLS} cells: narrow n, drop solvers, or give factors fewer values"))
}

/// Whether a solver is run for a problem and a goal.
enum Suitability {
    Yes,
    /// The experiment names the solver by its exact id, and the cell is recorded as skipped for this reason.
    Skipped(String),
    /// The solver was selected by a pattern, which does not select it for this problem and goal.
    NotSelected,
    /// The solver is named by its exact id, and does not support this size.
    Refused(SolveError),
}

/// Decides whether a solver is run for a problem and a goal.
fn suitability(solver: &SelectedSolver, problem: &Problem, goal: Goal) -> Suitability {
    let info = &solver.info;
    let refusal = info.refusal(problem, goal);
    if !solver.by_exact_id {
        let is_too_large = info.pattern_limit.is_some_and(|limit| problem.n().get() > limit);
        return if refusal.is_none() && !is_too_large { Suitability::Yes } else { Suitability::NotSelected };
    }
    let Some(refusal) = refusal else { return Suitability::Yes };
    // A solver that supports a single size is skipped at all other sizes, even if the experiment has its exact id.
    let is_single = info.sizes.start() == info.sizes.end();
    if matches!(refusal, SolveError::Size { .. }) && !is_single {
        return Suitability::Refused(refusal);
    }
    Suitability::Skipped(refusal.to_string())
}

/// Adds the external SAT solver or model counter to the cell of its solver.
fn with_formula_program(cell: Cell, formula_program: Option<&FormulaProgram>) -> Cell {
    let Some(program) = formula_program else { return cell };
    let external = Some(fill(&program.command, &values_of(&cell)));
    let unknown_exit_codes = program.unknown_exit_codes.as_deref().cloned().unwrap_or_default();
    let answer = program.answer.as_deref().cloned();
    Cell { external, unknown_exit_codes, answer, ..cell }
}

/// Refuses a solver with an exact id that cannot run. A solver that could run on another machine is refused only if the
/// experiment has no other runs. External programs are not checked here, because `commands::installed_programs` checks them.
fn check_available(plan: &Plan, registry: &Registry) -> Result<(), SpecError> {
    let has_runs = plan.cells.iter().any(|cell| cell.skip.is_none());
    for choice in &plan.spec.solvers {
        for (info, reason) in registry.unavailable_solvers(&choice.pattern) {
            let may_run_elsewhere = info.depends_on_machine && has_runs;
            if !may_run_elsewhere && plan.spec.formula_program_of(&SolverRef::of(&info.id, [])).is_none() {
                let reason = format!("{} is unavailable: {reason}", info.id);
                return Err(plan.spec.error_at("", choice.pattern.place(), reason));
            }
        }
    }
    Ok(())
}

/// Refuses programs and warm-up runs in an experiment without timed runs.
fn check_counting_only(spec: &Spec) -> Result<(), SpecError> {
    let fail = |key: &str, place: &Place, reason: String| {
        Err(spec.error_at(key, place, format!("with repeat = 0 there are only counting runs, {reason}")))
    };
    if let Some(Program { id, .. }) = spec.programs.first() {
        let reason = format!("but program '{id}' has only timed runs: set repeat to at least 1");
        return fail("", id.place(), reason);
    }
    if let Some(warmup) = spec.sweep.warmup.as_ref().filter(|_| spec.sweep.warmups() > 0) {
        let reason = "and these need no warm-up: leave out warmup, or set repeat to at least 1".to_owned();
        return fail("warmup", warmup.place(), reason);
    }
    Ok(())
}

/// The cell of a program. A program has no counting run: its timed runs report its statistics, and all their boards are judged.
fn program_cell(program: &Program, factors: &FactorValues, planned: &PlannedProblem, cell: Cell) -> Cell {
    let path = planned.instance.as_ref().map(|instance| instance.path.clone());
    let mut values = values_of(&cell);
    values.push(("{variant}".to_owned(), planned.problem.to_string()));
    values.push(("{instance}".to_owned(), path.clone().unwrap_or_default()));
    values.extend(factors.iter().map(|(name, value)| (format!("{{{name}}}"), value.clone())));
    let skip = if cell.key.n > BoardSize::MAX {
        Some("only boards up to n = 1024 are read from programs")
    } else if program.mentions("instance") && path.is_none() {
        Some("the command contains {instance}, and this problem is not from a file")
    } else if !planned.problem.is_plain() && !program.mentions("variant") && !program.mentions("instance") {
        Some(
            "the command contains neither {variant} nor {instance}, so the program would solve the plain board",
        )
    } else {
        None
    };
    let call = ProgramCall {
        command: program.command.iter().map(|word| fill(word, &values)).collect(),
        notation: program.notation.to_string(),
        accept_exit_codes: program.accept_exit_codes.as_deref().cloned().unwrap_or_else(|| vec![0]),
        answer: program.answer.as_deref().cloned(),
        files: program.files.as_deref().cloned().unwrap_or_default(),
    };
    let unknown_exit_codes = program.unknown_exit_codes.as_deref().cloned().unwrap_or_default();
    Cell { program: Some(call), unknown_exit_codes, skip: skip.map(str::to_owned), ..cell }
}
