//! Checks the claims of a spec against its plan: their solvers, problems and goals must exist, and runs must be able to decide
//! them.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::Cell;
use crate::board::sizes::ranges;
use crate::model::{ProblemRef, SolverRef};
use crate::registry::{Registry, SelectionError};
use crate::solver::Solver;
use crate::spec::claim::Claim;
use crate::spec::{Located, Place, Spec, SpecError};

/// Why a claim cannot be about this sweep.
#[derive(Debug, thiserror::Error)]
enum ClaimError {
    /// The sweep does not have the value of a key.
    #[error("{solvers}: the sweep has no runs with {claimed}, only with {values}")]
    NoRuns {
        /// The solver of the runs, or a phrase for several solvers, such as `these solvers`.
        solvers: String,
        /// The value in the claim.
        claimed: String,
        /// The values in the sweep.
        values: String,
    },
    /// The sweep has several values of a key, and the claim has none.
    #[error(
        "the sweep has runs of {solvers} with several values of {key} ({values}), and this claim does not say which one it \
         is about: add the key {key}"
    )]
    SeveralValues {
        /// The solver of the runs, or a phrase for several solvers, such as `these solvers`.
        solvers: String,
        /// The key.
        key: &'static str,
        /// The values in the sweep.
        values: String,
    },
    /// The experiment does not have the program.
    #[error("unknown solver '{solver}'; this experiment has no program '{}'", solver.program_id().unwrap_or_default())]
    UnknownProgram {
        /// The name in the claim.
        solver: SolverRef,
    },
    /// The program has series, but no series has this name.
    #[error("no series is named '{solver}': write {names}")]
    OtherSeries {
        /// The name in the claim.
        solver: SolverRef,
        /// The names of the series of the program.
        names: String,
    },
    /// The solver does not exist.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// Tables list the solver under another name.
    #[error("write '{id}' as '{name}', which is its name in the tables")]
    OtherName {
        /// The name in the claim.
        id: String,
        /// The name in the tables.
        name: String,
    },
    /// The solver does not count the statistic.
    #[error("{id} does not count {statistic}; it counts {counted}")]
    NotCounted {
        /// The solver.
        id: String,
        /// The statistic in the claim.
        statistic: String,
        /// The statistics that the solver counts.
        counted: String,
    },
}

/// Checks that the solvers of a claim exist under these names and that its problem is in the sweep. `variants` are the problems of
/// each size. If there are several problems, the claim must name one.
///
/// # Errors
///
/// A name does not exist, or a key is missing.
pub fn check(
    claim: &Claim,
    spec: &Spec,
    registry: &Registry,
    variants: &[(usize, &ProblemRef)],
    cells: &[Cell],
) -> Result<(), SpecError> {
    let claim_error = |reason: &dyn Display| spec.error_at("", claim.of.place(), reason);
    let problems_of_size = |n: Option<usize>| {
        let variants = variants.iter().filter(move |(size, _)| n.is_none_or(|n| *size == n));
        variants.map(|(_, variant)| variant.as_str()).collect::<BTreeSet<_>>()
    };
    let all_problems = problems_of_size(None);
    if let Some(variant) = claim.variant().filter(|variant| !all_problems.contains(variant)) {
        let place = claim.variant.as_ref().map_or(claim.of.place(), Located::place);
        let reason = format!("'{variant}' is not in this sweep, which has {}", list(&all_problems));
        return Err(spec.error_at("variant", place, reason));
    }
    let mut sizes = claim.sizes().into_iter().filter(|_| claim.variant().is_none());
    if let Some((n, problems)) =
        sizes.find_map(|n| Some((n, problems_of_size(Some(n)))).filter(|(_, problems)| problems.len() > 1))
    {
        return Err(claim_error(&format!(
            "the sweep has several problems at n = {n} ({}), and this claim does not say which one it is about: add, for \
             example, variant = \"{}\"",
            list(&problems),
            problems.first().unwrap_or(&ProblemRef::default().as_str())
        )));
    }
    for (key, solver) in [("of", Some(&claim.of)), ("compared_with", claim.compared_with.as_ref())] {
        let Some(solver) = solver else { continue };
        let result = match solver.is_program() {
            true => check_program(spec, solver, cells),
            false => check_solver(registry, solver),
        };
        result.map_err(|reason| spec.error_at(key, solver.place(), reason))?;
        if !solver.is_program() {
            check_statistic(registry, solver, claim)
                .map_err(|reason| spec.error_at("measure", claim.measure.place(), reason))?;
        }
    }
    // A claim compares runs with one goal, and for each solver, runs with one number of threads.
    let values = |is_of: &dyn Fn(&SolverRef) -> bool, value: fn(&Cell) -> String| -> BTreeSet<String> {
        cells.iter().filter(|cell| cell.skip.is_none() && is_of(&cell.key.solver)).map(value).collect()
    };
    let goals = |is_of: &dyn Fn(&SolverRef) -> bool| values(is_of, |cell| cell.key.goal.to_string());
    let goal = claim.goal().map(|goal| goal.to_string());
    let place_of_goal = claim.goal.as_ref().map(Located::place);
    let check_value = |key, solvers: &str, claimed: Option<&String>, values: &_, place: Option<&Place>| {
        self::check_value(key, solvers, claimed, values).map_err(|reason| match place {
            Some(place) => spec.error_at(key, place, reason),
            None => claim_error(&reason),
        })
    };
    let all_goals = goals(&|id| claim.solvers().any(|solver| solver == id));
    check_value("goal", "these solvers", goal.as_ref(), &all_goals, place_of_goal)?;
    for solver in claim.solvers() {
        check_value("goal", solver, goal.as_ref(), &goals(&|id| id == solver), place_of_goal)?;
        // If all runs of the solver have the same number of threads, the key `threads` of the claim does not apply to it.
        let threads = values(&|id| id == solver, |cell| cell.key.threads.to_string());
        if threads.len() > 1 {
            let claimed_threads = claim.threads().map(|threads| threads.to_string());
            let place = claim.threads.as_ref().map(Located::place);
            check_value("threads", solver, claimed_threads.as_ref(), &threads, place)?;
        }
    }
    Ok(())
}

/// Checks that runs of these cells can decide the claims of a spec. If options of the command line excluded the runs of a claim,
/// the claim is removed instead.
pub fn check_decidable(spec: &mut Spec, cells: &[Cell], registry: &Registry) -> Result<(), SpecError> {
    let has_timed_runs = spec.sweep.repeats().maximum > 0;
    let mut decidable_claims = Vec::new();
    for claim in std::mem::take(&mut spec.claims) {
        let untimed_error = (claim.is_time() && !has_timed_runs).then(|| {
            let reason = "with repeat = 0 there are only counting runs, and no times";
            spec.error_at("measure", claim.measure.place(), reason)
        });
        let undecidable_error = || {
            let reason = reason_undecidable(&claim, spec, cells, registry)?;
            Some(spec.error_at("", claim.of.place(), reason))
        };
        match untimed_error.or_else(undecidable_error) {
            None => decidable_claims.push(claim),
            Some(_) if spec.context.is_narrowed => {}
            Some(error) => return Err(error),
        }
    }
    spec.claims = decidable_claims;
    Ok(())
}

/// The reason why these cells cannot decide a claim: a solver does not run at one of the sizes of the claim. `None` if they can.
/// Solvers and programs that are not available on this machine are not a reason.
fn reason_undecidable(claim: &Claim, spec: &Spec, cells: &[Cell], registry: &Registry) -> Option<String> {
    let goal_phrase = claim.goal().map_or(String::new(), |goal| format!(" with goal {goal}"));
    let is_formula_program = |solver: &SolverRef| spec.formula_program_of(solver).is_some();
    let is_unavailable =
        |solver: &SolverRef| registry.choose(solver).is_ok_and(|chosen| chosen.info().unavailable.is_some());
    let solvers = claim.solvers().zip([0, claim.shift()]);
    let mut solvers = solvers.filter(|(solver, _)| !is_formula_program(solver) && !is_unavailable(solver));
    solvers.find_map(|(solver, shift)| {
        let claimed_cells = cells.iter().filter(|cell| cell.skip.is_none() && cell.key.solver == *solver);
        let claimed_cells =
            claimed_cells.filter(|cell| claim.goal().is_none_or(|goal| cell.key.goal == goal));
        let claimed_cells = claimed_cells
            .filter(|cell| claim.variant().is_none_or(|variant| cell.key.problem.as_str() == variant));
        let sizes: BTreeSet<usize> = claimed_cells.map(|cell| cell.key.n).collect();
        let missing_sizes: Vec<usize> =
            claim.sizes().iter().map(|n| n + shift).filter(|n| !sizes.contains(n)).collect();
        let (missing, existing) =
            (ranges(&missing_sizes), ranges(&sizes.iter().copied().collect::<Vec<_>>()));
        match (missing_sizes.is_empty(), sizes.is_empty()) {
            (true, _) => None,
            (_, true) => {
                Some(format!("this experiment has no runs of {solver}{goal_phrase}, which the claim is about"))
            }
            _ => Some(format!(
                "{solver} has runs{goal_phrase} only at n = {existing}, but this claim is also about n = {missing}"
            )),
        }
    })
}

fn list<T: AsRef<str>>(values: &BTreeSet<T>) -> String {
    values.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

/// Checks that the value of a key is one of the values in the sweep. The value may be missing only if the sweep has a single value.
fn check_value(
    key: &'static str,
    solvers: &str,
    claimed: Option<&String>,
    all_values: &BTreeSet<String>,
) -> Result<(), ClaimError> {
    let (solvers, values) = (solvers.to_owned(), list(all_values));
    match claimed {
        Some(claimed) if !all_values.is_empty() && !all_values.contains(claimed) => {
            Err(ClaimError::NoRuns { solvers, claimed: claimed.clone(), values })
        }
        None if all_values.len() > 1 => Err(ClaimError::SeveralValues { solvers, key, values }),
        _ => Ok(()),
    }
}

/// Checks that a claim about a program names one of the series of the program.
fn check_program(spec: &Spec, named: &SolverRef, cells: &[Cell]) -> Result<(), ClaimError> {
    let id = named.program_id().unwrap_or_default();
    if spec.programs.iter().all(|program| program.id.as_str() != id) {
        return Err(ClaimError::UnknownProgram { solver: named.clone() });
    }
    let programs = cells.iter().map(|cell| &cell.key.solver);
    let series: BTreeSet<&SolverRef> = programs.filter(|solver| solver.id() == named.id()).collect();
    if !series.is_empty() && !series.contains(named) {
        let names: Vec<String> = series.iter().map(|solver| format!("'{solver}'")).collect();
        return Err(ClaimError::OtherSeries { solver: named.clone(), names: names.join(" or ") });
    }
    Ok(())
}

/// Checks that a claim about a solver uses the name of the solver in the tables.
fn check_solver(registry: &Registry, id: &str) -> Result<(), ClaimError> {
    let info = registry.choose(id)?.info();
    if info.id != id {
        return Err(ClaimError::OtherName { id: id.to_owned(), name: info.id });
    }
    Ok(())
}

/// Checks that a solver counts the statistic of a claim.
fn check_statistic(registry: &Registry, id: &str, claim: &Claim) -> Result<(), ClaimError> {
    let info = registry.choose(id)?.info();
    let counted_names: Vec<&str> = info.statistics.iter().map(|stat| stat.name()).collect();
    let Some(name) = claim.statistic().filter(|name| !counted_names.contains(name)) else { return Ok(()) };
    let counted = if counted_names.is_empty() { "none".to_owned() } else { counted_names.join(", ") };
    Err(ClaimError::NotCounted { id: id.to_owned(), statistic: name.to_owned(), counted })
}
