//! The cross-check: compares the set of boards of every solver with that of a reference solver (SAT if there
//! is one), and its counts and tree sizes with published values.
//!
//! Each solver enumerates once, in constant memory: each board is checked, counted and digested as it arrives.
//! If two digests differ, both solvers run again to find the exact difference.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::survey::{Difference, Survey, difference};
use super::{Discrepancy, Shown};
use crate::board::known::{self, PublishedLevel};
use crate::board::{BoardSize, Placement};
use crate::record::{CrosscheckRow, LevelRow, Row, SCHEMA_VERSION, Status, VARIANT, is_foreign};
use crate::registry::Registry;
use crate::solver::stats::Level;
use crate::solver::{Budget, Goal, Progress, SolveError, Solver, Task};

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
pub struct Report {
    /// Every comparison made.
    pub rows: Vec<CrosscheckRow>,
    /// The failed comparisons, in words.
    pub discrepancies: Vec<Discrepancy>,
}

impl Report {
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
    fn said(what: String) -> Self {
        Self { what, board: None }
    }
}

/// The results of one solver at one size.
struct Surveyed<'a> {
    id: String,
    solver: &'a dyn Solver,
    survey: Survey,
    levels: Vec<Level>,
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
) -> Result<Report, SolveError> {
    let mut report = Report::default();
    for n in sizes.into_iter().filter_map(|n| BoardSize::new(n).ok()) {
        let mut surveyed = Vec::new();
        for entrant in takes_part(entrants, n) {
            let id = entrant.solver.info().id;
            progress.begins(n, &id);
            let task = Task { counting: true, progress: progress.live(), ..Task::new(n, Goal::Enumerate) };
            let (survey, outcome) = Survey::of(entrant.solver, &task)?;
            surveyed.push(Surveyed { id, solver: entrant.solver, survey, levels: outcome.levels });
            progress.ends();
        }
        compare(n, &surveyed, &mut report)?;
    }
    Ok(report)
}

/// The entrants that enumerate at this size.
pub fn takes_part<'e, 'a>(
    entrants: &'e [Entrant<'a>],
    n: BoardSize,
) -> impl Iterator<Item = &'e Entrant<'a>> {
    entrants.iter().filter(move |entrant| {
        entrant.limit.is_none_or(|limit| n.get() <= limit)
            && entrant.solver.info().refusal(n, Goal::Enumerate).is_none()
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

/// The position of the solver with which all others are compared. `solvers` gives each id and whether the solver
/// is known to be wrong. Preferred in this order: solvers not known to be wrong, queenlab's own solvers, SAT,
/// the bit mask, the first in the list.
fn reference<'s>(solvers: impl Iterator<Item = (&'s str, bool)>) -> Option<usize> {
    let rank = |&(position, (id, wrong)): &(usize, (&str, bool))| {
        (wrong, is_foreign(id), !id.starts_with("sat/"), id != "backtrack/bitmask", position)
    };
    solvers.enumerate().min_by_key(rank).map(|(position, _)| position)
}

fn compare(n: BoardSize, surveyed: &[Surveyed<'_>], report: &mut Report) -> Result<(), SolveError> {
    let Some(reference) = reference(surveyed.iter().map(|s| (s.id.as_str(), s.survey.illegal > 0))) else {
        return Ok(());
    };
    let against = &surveyed[reference];
    for (position, own) in surveyed.iter().enumerate() {
        let solutions = own.survey.all.count();
        let row = |against: &str| CrosscheckRow {
            digest: Some(own.survey.all.to_string()),
            illegal: Some(own.survey.illegal),
            ..agreeing(n.get(), &own.id, against, solutions)
        };
        if position != reference {
            let none = Some(0);
            let row = CrosscheckRow { missing: none, extra: none, duplicates: none, ..row(&against.id) };
            if own.survey.all == against.survey.all {
                report.add(row, None);
            } else {
                let task = Task::new(n, Goal::Enumerate);
                let found = difference((own.solver, &own.survey), (against.solver, &against.survey), &task)?;
                let others = against.survey.all.count();
                let (row, failure) = match found {
                    Some(found) => set_failure(row, found, others),
                    None => unknown_difference(row, Some(others)),
                };
                report.add(row, Some(failure));
            }
        }
        let illegal = own.survey.first_illegal.clone().map(|board| Failure {
            what: format!("found {} boards that are not solutions", own.survey.illegal),
            board: Some((Shown::Illegal, board)),
        });
        report.add(row("board"), illegal);
        if let Some(published) = known::solutions(n.get()) {
            report.add(row(known::SOLUTIONS_SOURCE), count_failure(solutions, published));
        }
        if let Some(published) = known::fundamental_solutions(n.get()) {
            let found = own.survey.fundamental;
            let failure = (found != published).then(|| {
                let source = known::FUNDAMENTAL_SOURCE;
                Failure::said(format!("found {found} fundamental solutions, {source} says {published}"))
            });
            report.add(row(known::FUNDAMENTAL_SOURCE), failure);
        }
        if let Some(published) = known::profile(n.get()).filter(|_| !own.levels.is_empty()) {
            let counted = own.levels.iter().map(|level| (level.nodes, level.dead_ends));
            report.add(row(known::PROFILE_SOURCE), profile_failure(counted, published));
        }
    }
    Ok(())
}

fn agreeing(n: usize, solver: &str, against: &str, solutions: u64) -> CrosscheckRow {
    CrosscheckRow {
        schema_version: SCHEMA_VERSION,
        n,
        variant: VARIANT.to_owned(),
        solver: solver.to_owned(),
        against: against.to_owned(),
        solutions,
        digest: None,
        agrees: true,
        missing: None,
        extra: None,
        illegal: None,
        duplicates: None,
        first_difference: None,
    }
}

/// The row and the description of two sets that differ.
fn set_failure(row: CrosscheckRow, found: Difference, others: u64) -> (CrosscheckRow, Failure) {
    let Difference { missing, extra, illegal, duplicates, first } = found;
    let what = format!(
        "found {} boards, {} found {others}: {missing} missing, {extra} extra, {illegal} illegal, {duplicates} \
         duplicate",
        row.solutions, row.against
    );
    let row = CrosscheckRow {
        missing: Some(missing),
        extra: Some(extra),
        illegal: Some(illegal),
        duplicates: Some(duplicates),
        ..row
    };
    (row, Failure { what, board: first })
}

/// Like [`set_failure`], if it is not known which boards differ.
fn unknown_difference(row: CrosscheckRow, others: Option<u64>) -> (CrosscheckRow, Failure) {
    let others = others.unwrap_or(0);
    let what =
        format!("found {} boards, {} found {others}, and the digests differ", row.solutions, row.against);
    (row, Failure::said(what))
}

fn count_failure(found: u64, published: u64) -> Option<Failure> {
    let source = known::SOLUTIONS_SOURCE;
    (found != published).then(|| Failure::said(format!("found {found} solutions, {source} says {published}")))
}

fn profile_failure(
    counted: impl Iterator<Item = (u64, u64)>,
    published: &[PublishedLevel],
) -> Option<Failure> {
    let source = known::PROFILE_SOURCE;
    let mut levels = counted.zip(published).enumerate();
    levels.find_map(|(level, ((nodes, dead_ends), published))| {
        let differs = |what, found, says| {
            Failure::said(format!("has {found} {what} on level {level}, {source} says {says}"))
        };
        if nodes != published.nodes {
            Some(differs("nodes", nodes, published.nodes))
        } else if dead_ends != published.dead_ends {
            Some(differs("dead ends", dead_ends, published.dead_ends))
        } else {
            None
        }
    })
}

/// The total time for running solvers again to show the boards in which recorded runs differ.
const SECOND_LOOK: Duration = Duration::from_secs(60);

/// Cross-checks the records of a sweep: digests against those of the reference, counts and levels against
/// published values. If two solvers of the registry differ, both run again to show a board, for at most one
/// minute in total.
pub fn crosscheck_runs(rows: &[Row], levels: &[LevelRow], registry: &Registry) -> Result<Report, SolveError> {
    crosscheck_runs_until(Instant::now() + SECOND_LOOK, rows, levels, registry)
}

/// Like [`crosscheck_runs`]; no solver runs again after the deadline.
fn crosscheck_runs_until(
    deadline: Instant,
    rows: &[Row],
    levels: &[LevelRow],
    registry: &Registry,
) -> Result<Report, SolveError> {
    let mut report = Report::default();
    let mut found: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
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
        let of_size = found.entry(row.n).or_default();
        match of_size.iter_mut().find(|other| other.solver == row.solver) {
            // One row per solver: the first wrong one if there is any, otherwise that of the counting run.
            Some(other) if row.verdict.is_fault() && !other.verdict.is_fault() => *other = row,
            Some(_) => {}
            None => of_size.push(row),
        }
    }
    for (n, of_size) in found {
        let solvers = of_size.iter().map(|row| (row.solver.as_str(), row.verdict.is_fault()));
        let Some(reference) = reference(solvers) else { continue };
        let against = of_size[reference];
        for (position, own) in of_size.iter().enumerate() {
            let Some(solutions) = own.solutions else { continue };
            let row = |against: &str| CrosscheckRow {
                digest: own.solutions_digest.clone(),
                ..agreeing(n, &own.solver, against, solutions)
            };
            if position != reference {
                if own.solutions_digest == against.solutions_digest && own.solutions == against.solutions {
                    let none = Some(0);
                    report.add(
                        CrosscheckRow {
                            missing: none,
                            extra: none,
                            duplicates: none,
                            ..row(&against.solver)
                        },
                        None,
                    );
                } else {
                    differing(own, against, registry, deadline, &mut report, row(&against.solver))?;
                }
            }
            if let Some(published) = known::solutions(n) {
                report.add(row(known::SOLUTIONS_SOURCE), count_failure(solutions, published));
            }
            let mut counted = levels.iter().filter(|level| level.n == n && level.solver == own.solver);
            if let (Some(published), Some(_)) = (known::profile(n), counted.clone().next()) {
                let counted = counted.by_ref().map(|level| (level.nodes, level.dead_ends));
                report.add(row(known::PROFILE_SOURCE), profile_failure(counted, published));
            }
        }
    }
    Ok(report)
}

/// Adds the comparison of two recorded enumerations that differ.
fn differing(
    own: &Row,
    against: &Row,
    registry: &Registry,
    deadline: Instant,
    report: &mut Report,
    row: CrosscheckRow,
) -> Result<(), SolveError> {
    let n = BoardSize::new(own.n).ok();
    let (Some(n), Ok(solver), Ok(other)) = (n, registry.get(&own.solver), registry.get(&against.solver))
    else {
        let (row, failure) = unknown_difference(row, against.solutions);
        report.add(row, Some(failure));
        return Ok(());
    };
    let budget = Budget { deadline: Some(deadline), ..Budget::default() };
    let task = Task { budget, ..Task::new(n, Goal::Enumerate) };
    let survey = |solver| {
        let (survey, outcome) = Survey::of(solver, &task)?;
        Ok::<_, SolveError>(outcome.stopped.is_none().then_some(survey))
    };
    let Some((own_survey, other_survey)) = survey(solver)?.zip(survey(other)?) else {
        let (row, failure) = unknown_difference(row, against.solutions);
        report.add(row, Some(failure));
        return Ok(());
    };
    if own_survey.all == other_survey.all {
        let what =
            format!("differed from {} in the recorded run, but not when both were run again", against.solver);
        report.add(row, Some(Failure::said(what)));
        return Ok(());
    }
    let found = difference((solver, &own_survey), (other, &other_survey), &task)?;
    let (row, failure) = match found {
        Some(found) => set_failure(row, found, other_survey.all.count()),
        None => unknown_difference(row, against.solutions),
    };
    report.add(row, Some(failure));
    Ok(())
}

#[cfg(test)]
mod tests;
