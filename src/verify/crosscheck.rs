//! The cross-check: compares the set of boards of every solver with that of a reference solver (SAT if there
//! is one), and its counts and tree sizes with published values.
//!
//! Each solver enumerates once, in constant memory: each board is checked, counted and digested as it arrives.
//! If two digests differ, both solvers run again to find the exact difference.

mod first;

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use super::survey::{Difference, Survey, difference};
use super::{Discrepancy, Shown};
use crate::board::known::{self, PublishedLevel};
use crate::board::problem::Problem;
use crate::board::{BoardSize, Placement};
use crate::record::{CrosscheckRow, LevelRow, Row, SCHEMA_VERSION, Status, is_foreign};
use crate::registry::Registry;
use crate::solver::{Budget, Goal, Progress, SolveError, Solver, Task};
use crate::words::counted;

/// A solver and the sizes at which it takes part.
pub struct Entrant<'a> {
    /// The solver.
    pub solver: &'a dyn Solver,
    /// The largest size at which the solver takes part.
    pub limit: Option<usize>,
}

impl<'a> Entrant<'a> {
    /// An entrant that takes part at every size that its solver can enumerate.
    pub fn new(solver: &'a dyn Solver) -> Self {
        Self { solver, limit: None }
    }
}

/// The result of a cross-check.
#[derive(Clone, Debug, Default)]
pub struct Crosscheck {
    /// Every comparison made.
    pub rows: Vec<CrosscheckRow>,
    /// The failed comparisons, in words.
    pub discrepancies: Vec<Discrepancy>,
}

impl Crosscheck {
    /// Whether at least one comparison was made and all agree.
    pub fn agrees(&self) -> bool {
        self.discrepancies.is_empty() && !self.rows.is_empty()
    }

    fn add(&mut self, row: CrosscheckRow, failure: Option<Failure>) {
        let row = match failure {
            None => row,
            Some(Failure { what, board }) => {
                let discrepancy = Discrepancy {
                    n: row.n,
                    solver: row.solver.clone(),
                    against: row.against.clone(),
                    what,
                    board,
                };
                let first_difference = discrepancy.first_difference();
                self.discrepancies.push(discrepancy);
                CrosscheckRow { agrees: false, first_difference, ..row }
            }
        };
        self.rows.push(row);
    }
}

/// Why a comparison failed.
struct Failure {
    what: String,
    board: Option<(Shown, Placement)>,
}

impl Failure {
    fn new(what: String) -> Self {
        Self { what, board: None }
    }
}

/// The answer of one solver at one size, fresh or recorded.
struct Evidence<'a> {
    id: String,
    /// Runs again to show the boards that differ; `None` if the registry does not have it.
    solver: Option<&'a dyn Solver>,
    /// Whether it is known to be wrong, so that it cannot be the reference.
    is_wrong: bool,
    solutions: u64,
    digest: Option<String>,
    /// Nodes and dead ends of each level; empty if they were not counted.
    levels: Vec<(u64, u64)>,
    /// The enumeration itself; `None` for a record.
    survey: Option<Survey>,
}

/// Cross-checks solvers at some sizes. A solver that cannot enumerate a size is left out at that size.
///
/// `sizes` above [`BoardSize::MAX`] are left out. Cost: one full enumeration per solver and size. Memory:
/// O(n^2), unless two solvers differ. An error means that a solver failed; a wrong answer is a
/// [`Discrepancy`].
pub fn crosscheck(
    entrants: &[Entrant<'_>],
    sizes: impl IntoIterator<Item = usize>,
    progress: &dyn CrosscheckProgress,
) -> Result<Crosscheck, SolveError> {
    let sizes = sizes.into_iter().filter_map(|n| BoardSize::new(n).ok());
    crosscheck_problems(entrants, sizes.map(Problem::queens), progress)
}

/// Cross-checks solvers on some problems; see [`crosscheck`]. A solver that cannot enumerate a problem is left out there.
pub fn crosscheck_problems(
    entrants: &[Entrant<'_>],
    problems: impl IntoIterator<Item = Problem>,
    progress: &dyn CrosscheckProgress,
) -> Result<Crosscheck, SolveError> {
    let mut report = Crosscheck::default();
    for problem in problems {
        let mut found = Vec::new();
        for entrant in takes_part(entrants, &problem) {
            let id = entrant.solver.id();
            progress.begins(problem.n(), &id);
            let task =
                Task { counting: true, progress: progress.live(), ..Task::of(&problem, Goal::Enumerate) };
            let (survey, outcome) = Survey::of(entrant.solver, &task)?;
            found.push(Evidence {
                id,
                solver: Some(entrant.solver),
                is_wrong: survey.illegal > 0,
                solutions: survey.all().count(),
                digest: Some(survey.all().to_string()),
                levels: outcome.levels.iter().map(|level| (level.nodes, level.dead_ends)).collect(),
                survey: Some(survey),
            });
            progress.ends();
        }
        compare(&problem, &problem.to_string(), &found, &Budget::unlimited(), &mut report)?;
    }
    Ok(report)
}

/// The entrants that enumerate this problem.
pub fn takes_part<'e, 'a>(
    entrants: &'e [Entrant<'a>],
    problem: &'e Problem,
) -> impl Iterator<Item = &'e Entrant<'a>> {
    entrants.iter().filter(move |entrant| {
        entrant.limit.is_none_or(|limit| problem.n().get() <= limit)
            && entrant.solver.info().refusal(problem, Goal::Enumerate).is_none()
    })
}

/// Receives the progress of a cross-check.
pub trait CrosscheckProgress {
    /// A solver starts on a size.
    fn begins(&self, _n: BoardSize, _solver: &str) {}
    /// That solver has finished.
    fn ends(&self) {}
    /// Receives the running totals of the solver at work.
    fn live(&self) -> &dyn Progress {
        &crate::solver::progress::Silent
    }
}

/// Ignores all progress.
pub struct Unobserved;

impl CrosscheckProgress for Unobserved {}

/// The evidence with which all other evidence is compared. Preferred in this order: solvers not known to be wrong,
/// queenlab's own solvers, SAT, the bit mask, the first in the list.
fn reference<'e, 'a>(found: &'e [Evidence<'a>]) -> Option<&'e Evidence<'a>> {
    found.iter().min_by_key(|Evidence { id, is_wrong, .. }| {
        (*is_wrong, is_foreign(id), !id.starts_with("sat/"), id != "backtrack/bitmask")
    })
}

/// Compares the solvers of one problem with the reference, with the rules and with published values.
fn compare(
    problem: &Problem,
    variant: &str,
    found: &[Evidence<'_>],
    budget: &Budget,
    report: &mut Crosscheck,
) -> Result<(), SolveError> {
    let Some(reference) = reference(found) else { return Ok(()) };
    for own in found {
        let row = |against: &str| CrosscheckRow {
            schema_version: SCHEMA_VERSION,
            n: problem.n().get(),
            variant: variant.to_owned(),
            solver: own.id.clone(),
            against: against.to_owned(),
            solutions: own.solutions,
            digest: own.digest.clone(),
            agrees: true,
            illegal: own.survey.as_ref().map(|survey| survey.illegal),
            ..CrosscheckRow::default()
        };
        if !std::ptr::eq(own, reference) {
            if (own.solutions, &own.digest) == (reference.solutions, &reference.digest) {
                let none = Some(0);
                let row = row(&reference.id);
                report.add(CrosscheckRow { missing: none, extra: none, duplicates: none, ..row }, None);
            } else {
                let (row, failure) = differing(problem, row(&reference.id), own, reference, budget)?;
                report.add(row, Some(failure));
            }
        }
        if let Some(survey) = &own.survey {
            let illegal = survey.first_illegal.clone().map(|board| Failure {
                what: match survey.illegal {
                    1 => "found 1 board that is not a solution".to_owned(),
                    illegal => format!("found {illegal} boards that are not solutions"),
                },
                board: Some((Shown::Illegal, board)),
            });
            report.add(row("board"), illegal);
        }
        let mut published = |source: &str, what: &str, found: u64, published: Option<u64>| {
            if let Some(published) = published {
                let failure = (found != published).then(|| {
                    Failure::new(format!("found {}, {source} has {published}", counted(found, what)))
                });
                report.add(row(source), failure);
            }
        };
        if let Some((known, source)) = known::published(problem) {
            published(source, "solution", own.solutions, Some(known));
        }
        if !problem.is_plain() {
            continue;
        }
        let n = problem.n().get();
        if let Some(survey) = &own.survey {
            let (source, known) = (known::FUNDAMENTAL_SOURCE, known::fundamental_solutions(n));
            published(source, "fundamental solution", survey.fundamental, known);
        }
        if let Some(published) = known::profile(n).filter(|_| !own.levels.is_empty()) {
            report.add(row(known::PROFILE_SOURCE), profile_failure(&own.levels, published));
        }
    }
    Ok(())
}

/// The row and the description of two enumerations that differ. Unless both are fresh, both solvers run again to find
/// the boards, within the budget.
fn differing(
    problem: &Problem,
    row: CrosscheckRow,
    own: &Evidence<'_>,
    reference: &Evidence<'_>,
    budget: &Budget,
) -> Result<(CrosscheckRow, Failure), SolveError> {
    let found =
        |others: u64| format!("found {}, {} found {others}", counted(row.solutions, "board"), row.against);
    let unknown = found(reference.solutions) + ", and the digests differ";
    let (Some(solver), Some(other)) = (own.solver, reference.solver) else {
        return Ok((row, Failure::new(unknown)));
    };
    let task = Task { budget: budget.clone(), ..Task::of(problem, Goal::Enumerate) };
    let again = |solver| {
        let (survey, outcome) = Survey::of(solver, &task)?;
        Ok::<_, SolveError>(outcome.stopped.is_none().then_some(survey))
    };
    let repeated = match (&own.survey, &reference.survey) {
        (Some(_), Some(_)) => None,
        _ => again(solver)?.zip(again(other)?),
    };
    let fresh = own.survey.as_ref().zip(reference.survey.as_ref());
    let Some((ours, theirs)) = fresh.or(repeated.as_ref().map(|(ours, theirs)| (ours, theirs))) else {
        return Ok((row, Failure::new(unknown)));
    };
    if ours.all() == theirs.all() {
        let what =
            format!("differed from {} in the recorded run, but not when both were run again", row.against);
        return Ok((row, Failure::new(what)));
    }
    let Some(difference) = difference((solver, ours), (other, theirs), &task)? else {
        return Ok((row, Failure::new(unknown)));
    };
    let Difference { missing, extra, illegal, duplicates, first } = difference;
    let what = found(theirs.all().count())
        + &format!(": {missing} missing, {extra} extra, {illegal} illegal, {duplicates} duplicate");
    let [missing, extra, illegal, duplicates] = [missing, extra, illegal, duplicates].map(Some);
    let row = CrosscheckRow { missing, extra, illegal, duplicates, ..row };
    Ok((row, Failure { what, board: first }))
}

fn profile_failure(counted: &[(u64, u64)], published: &[PublishedLevel]) -> Option<Failure> {
    let source = known::PROFILE_SOURCE;
    let mut levels = counted.iter().zip(published).enumerate();
    levels.find_map(|(level, (&(nodes, dead_ends), published))| {
        let numbers = [("nodes", nodes, published.nodes), ("dead ends", dead_ends, published.dead_ends)];
        let (what, found, has) = numbers.into_iter().find(|(_, found, has)| found != has)?;
        Some(Failure::new(format!("has {found} {what} on level {level}, {source} has {has}")))
    })
}

/// Size, variant and digest of the instance: what identifies a problem in rows.
type Posed<'a> = (usize, &'a str);

/// The total time for running solvers again to show the boards in which recorded runs differ.
const SECOND_LOOK: Duration = Duration::from_secs(60);

/// Cross-checks the records of a sweep: digests against those of the reference, counts and levels against
/// published values, and the first solutions of solvers that find the lexicographically first one. If two solvers of the registry differ, both run again to show a board, for at most one
/// minute in total.
///
/// `problem` gives the problem of a row; rows without one are left out.
pub fn crosscheck_runs(
    rows: &[Row],
    levels: &[LevelRow],
    problem: &dyn Fn(&Row) -> Option<Problem>,
    registry: &Registry,
) -> Result<Crosscheck, SolveError> {
    crosscheck_runs_until(Instant::now() + SECOND_LOOK, rows, levels, problem, registry)
}

/// The problem of a row whose variant says it all: the plain one.
pub fn plain(row: &Row) -> Option<Problem> {
    BoardSize::new(row.n).ok().map(Problem::queens)
}

/// Like [`crosscheck_runs`]; no solver runs again after the deadline.
fn crosscheck_runs_until(
    deadline: Instant,
    rows: &[Row],
    levels: &[LevelRow],
    problem: &dyn Fn(&Row) -> Option<Problem>,
    registry: &Registry,
) -> Result<Crosscheck, SolveError> {
    let mut report = Crosscheck::default();
    let mut found: BTreeMap<Posed<'_>, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.goal == Goal::Enumerate && row.status == Status::Complete) {
        if row.solutions.is_none() {
            report.discrepancies.push(Discrepancy {
                n: row.n,
                solver: row.solver.clone(),
                against: "its record".to_owned(),
                what: format!("has no number of solutions in its complete run {}", row.run_id),
                board: None,
            });
            continue;
        }
        let posed = (row.n, row.variant.as_str());
        let of_size = found.entry(posed).or_default();
        match of_size.iter_mut().find(|other| other.solver == row.solver) {
            // One row per solver: the first wrong one if there is any, otherwise that of the counting run.
            Some(other) if row.verdict.is_fault() && !other.verdict.is_fault() => *other = row,
            Some(_) => {}
            None => of_size.push(row),
        }
    }
    let budget = Budget { deadline: Some(deadline), ..Budget::default() };
    // A run has levels only if it counts, and its cell no other.
    let mut of_cell: HashMap<&str, Vec<(u64, u64)>> = HashMap::new();
    for level in levels {
        of_cell.entry(&level.cell_id).or_default().push((level.nodes, level.dead_ends));
    }
    let mut counted: HashMap<(Posed<'_>, String), &str> = HashMap::new();
    for row in rows.iter().filter(|row| of_cell.contains_key(row.cell_id.as_str())) {
        let posed = (row.n, row.variant.as_str());
        counted.entry((posed, row.solver.clone())).or_insert(&row.cell_id);
    }
    for (posed, of_size) in found {
        let Some(problem) = of_size.first().and_then(|row| problem(row)) else { continue };
        let solvers: Vec<_> = of_size.iter().map(|row| registry.of_label(&row.solver)).collect();
        let mut evidence = Vec::new();
        for (row, solver) in of_size.into_iter().zip(&solvers) {
            let Some(solutions) = row.solutions else { continue };
            let levels = counted.get(&(posed, row.solver.clone())).and_then(|cell| of_cell.get(cell));
            evidence.push(Evidence {
                id: row.solver.clone(),
                solver: solver.as_ref().map(|solver| solver as &dyn Solver),
                is_wrong: row.verdict.is_fault(),
                solutions,
                digest: row.digest.clone(),
                levels: levels.cloned().unwrap_or_default(),
                survey: None,
            });
        }
        compare(&problem, posed.1, &evidence, &budget, &mut report)?;
    }
    first::compare(rows, registry, &mut report);
    Ok(report)
}

#[cfg(test)]
mod tests;
