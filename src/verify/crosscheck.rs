//! The cross-check: compares the answers of every solver with those of a reference solver (SAT if there is one), with the
//! rules, and with published numbers of solutions and of search nodes.
//!
//! [`crosscheck`] enumerates once with each solver, in constant memory: each board is checked, counted and digested as it
//! arrives. [`crosscheck_runs`] takes the rows of a sweep, of every goal. If the digests of two enumerations differ, both
//! solvers run again to find the exact difference.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use super::survey::{Difference, Survey, difference};
use super::{Discrepancy, Fault, Shown};
use crate::board::BoardSize;
use crate::board::known::{self, PublishedLevel};
use crate::board::problem::Problem;
use crate::model::{Kind, ProblemRef, SolverRef};
use crate::record::{CrosscheckRow, LevelRow, Row, SCHEMA_VERSION};
use crate::registry::Registry;
use crate::solver::sink::Judge;
use crate::solver::{Budget, Goal, Info, Order, Outcome, Progress, Sink, SolveError, Solver, Task};
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

    /// Whether it enumerates this problem.
    pub fn takes_part(&self, problem: &Problem) -> bool {
        self.limit.is_none_or(|limit| problem.n().get() <= limit)
            && self.solver.info().refusal(problem, Goal::Enumerate).is_none()
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

    fn add(&mut self, row: CrosscheckRow, failure: Option<Fault>) {
        let Some(Fault { what, board }) = failure else {
            self.rows.push(row);
            return;
        };
        let discrepancy = Discrepancy { n: row.n, solver: row.solver.to_string(), what, board };
        let first_difference = Some(discrepancy.first_difference());
        self.rows.push(CrosscheckRow { agrees: false, first_difference, ..row });
        self.discrepancies.push(discrepancy);
    }
}

/// The answer of one solver to one goal, fresh or recorded.
struct Answer<'a> {
    id: SolverRef,
    goal: Goal,
    /// Runs again to show the boards that differ; `None` if the registry does not have it.
    solver: Option<&'a dyn Solver>,
    /// Whether it is the lexicographically first solution.
    is_lexicographically_first: bool,
    /// Whether it is known to be wrong, so that it cannot be the reference.
    is_wrong: bool,
    solutions: u64,
    digest: Option<String>,
    /// Nodes and dead ends of each level; empty if they were not counted.
    levels: Vec<(u64, u64)>,
    /// The enumeration itself; `None` for a record.
    survey: Option<Survey>,
}

impl Answer<'_> {
    fn is_enumeration(&self) -> bool {
        self.goal == Goal::Enumerate
    }

    /// Whether a number of solutions can be that of the problem. The goal first says only whether there are any.
    fn agrees_with_number(&self, solutions: u64) -> bool {
        if self.goal == Goal::First {
            return (self.solutions > 0) == (solutions > 0);
        }
        self.solutions == solutions
    }

    fn agrees_with(&self, reference: &Answer<'_>) -> bool {
        let both_enumerate = self.is_enumeration() && reference.is_enumeration();
        if both_enumerate || self.is_lexicographically_first && reference.is_lexicographically_first {
            return (self.solutions, &self.digest) == (reference.solutions, &reference.digest);
        }
        // The goal first of the reference says no more than that of the other.
        self.agrees_with_number(reference.solutions) || reference.agrees_with_number(self.solutions)
    }
}

/// Cross-checks solvers on some problems: one full enumeration per solver and problem. A solver that cannot enumerate a
/// problem is left out there. Memory: O(n^2), unless two solvers differ. An error means that a solver failed; a wrong
/// answer is a [`Discrepancy`]. `begins` is called when a solver starts on a size, and the one before has finished; it
/// returns what receives its running totals.
pub fn crosscheck<'p>(
    entrants: &[Entrant<'_>],
    problems: impl IntoIterator<Item = Problem>,
    begins: &dyn Fn(BoardSize, &str) -> &'p dyn Progress,
) -> Result<Crosscheck, SolveError> {
    let mut report = Crosscheck::default();
    for problem in problems {
        let mut answers = Vec::new();
        for entrant in entrants.iter().filter(|entrant| entrant.takes_part(&problem)) {
            let id = entrant.solver.id();
            let progress = begins(problem.n(), &id);
            let task = Task { counting: true, progress, ..Task::of(&problem, Goal::Enumerate) };
            let (survey, outcome) = Survey::of(entrant.solver, &task)?;
            answers.push(Answer {
                id: SolverRef::of(&id, []),
                goal: Goal::Enumerate,
                solver: Some(entrant.solver),
                is_lexicographically_first: false,
                is_wrong: survey.judge.illegal > 0,
                solutions: survey.judge.digest.count(),
                digest: Some(survey.judge.digest.to_string()),
                levels: outcome.levels.iter().map(|level| (level.nodes, level.dead_ends)).collect(),
                survey: Some(survey),
            });
        }
        compare(&problem, &ProblemRef::from(&problem), &answers, &Budget::default(), &mut report)?;
    }
    Ok(report)
}

/// The answer with which all others are compared. Preferred in this order: answers not known to be wrong, solvers of this
/// program, enumerations, then counts, SAT, the first in the list.
fn reference<'e, 'a>(answers: &'e [Answer<'a>]) -> Option<&'e Answer<'a>> {
    let preferred = [Goal::Enumerate, Goal::Count, Goal::First];
    answers.iter().min_by_key(|Answer { id, goal, is_wrong, .. }| {
        let goal = preferred.iter().position(|preferred| preferred == goal);
        (*is_wrong, id.starts_programs(), goal, !id.is_sat())
    })
}

/// Compares the answers to one problem with the reference, with the rules and with published values.
fn compare(
    problem: &Problem,
    variant: &ProblemRef,
    answers: &[Answer<'_>],
    budget: &Budget,
    report: &mut Crosscheck,
) -> Result<(), SolveError> {
    let Some(reference) = reference(answers) else { return Ok(()) };
    let first = answers.iter().find(|answer| answer.is_lexicographically_first && !answer.is_wrong);
    let n = problem.n().get();
    for own in answers {
        let row = |against: &str| CrosscheckRow {
            schema_version: SCHEMA_VERSION,
            n,
            variant: variant.clone(),
            goal: own.goal,
            solver: own.id.clone(),
            against: against.to_owned(),
            solutions: own.solutions,
            digest: own.digest.clone().filter(|_| own.is_enumeration()),
            agrees: true,
            illegal: own.survey.as_ref().map(|survey| survey.judge.illegal),
            ..CrosscheckRow::default()
        };
        let is_other = |first: &&Answer<'_>| own.is_lexicographically_first && !std::ptr::eq(own, *first);
        let other = first.filter(is_other).unwrap_or(reference);
        if !std::ptr::eq(own, other) {
            let (row, failure) = against_other(problem, row(&other.id), own, other, budget)?;
            report.add(row, failure);
        }
        if let Some(survey) = &own.survey {
            let Judge { illegal, first_illegal, .. } = &survey.judge;
            let boards =
                if *illegal == 1 { "board that is not a solution" } else { "boards that are not solutions" };
            let what = format!("found {illegal} {boards}");
            let fault = first_illegal.as_ref().map(|board| Fault::shown(what, Shown::Illegal, board));
            report.add(row("board"), fault);
        }
        if let Some((published, source)) = known::published(problem) {
            let failure = || published_failure(own.solutions, "solution", source, published);
            report.add(row(source), (!own.agrees_with_number(published)).then(failure));
        }
        if !problem.is_plain() {
            continue;
        }
        if let (Some(survey), Some(published)) = (&own.survey, known::fundamental_solutions(n)) {
            let (found, source) = (survey.fundamental, known::FUNDAMENTAL_SOURCE);
            let failure = || published_failure(found, "fundamental solution", source, published);
            report.add(row(source), (found != published).then(failure));
        }
        if let Some(published) = known::profile(n).filter(|_| !own.levels.is_empty()) {
            report.add(row(known::PROFILE_SOURCE), profile_failure(&own.levels, published));
        }
    }
    Ok(())
}

/// Completes the row that compares an answer with another one, and describes how they differ.
fn against_other(
    problem: &Problem,
    row: CrosscheckRow,
    own: &Answer<'_>,
    other: &Answer<'_>,
    budget: &Budget,
) -> Result<(CrosscheckRow, Option<Fault>), SolveError> {
    let both_enumerate = own.is_enumeration() && other.is_enumeration();
    let shown = match own.agrees_with(other) {
        true if both_enumerate => Ok(Difference::default()),
        true => return Ok((row, None)),
        false if both_enumerate => boards_that_differ(problem, own, other, budget)?,
        false => Err(String::new()),
    };
    let what = counted(row.solutions, if both_enumerate { "board" } else { "solution" });
    let mut found = format!("found {what}, {} found {}", row.against, other.solutions);
    if !both_enumerate && own.solutions == other.solutions {
        found = format!("found another first solution than {}", row.against);
    }
    match shown {
        Err(reason) => Ok((row, Some(Fault::new(found + &reason)))),
        Ok(Difference { missing, extra, illegal, duplicates, first }) => {
            let failure = first.map(|first| {
                let numbers =
                    format!("{missing} missing, {extra} extra, {illegal} illegal, {duplicates} duplicate");
                Fault { what: format!("{found}: {numbers}"), board: Some(first) }
            });
            let illegal = if failure.is_some() { Some(illegal) } else { row.illegal };
            let [missing, extra, duplicates] = [missing, extra, duplicates].map(Some);
            Ok((CrosscheckRow { missing, extra, illegal, duplicates, ..row }, failure))
        }
    }
}

/// How the boards of two enumerations differ, or why that is not shown. Both solvers run again, within the budget.
fn boards_that_differ(
    problem: &Problem,
    own: &Answer<'_>,
    reference: &Answer<'_>,
    budget: &Budget,
) -> Result<Result<Difference, String>, SolveError> {
    let differ = ", and the digests differ; the boards are not shown: ";
    let (Some(solver), Some(other)) = (own.solver, reference.solver) else {
        let foreign = if own.solver.is_none() { own } else { reference };
        return Ok(Err(format!("{differ}{} does not run again for that", foreign.id)));
    };
    let task = Task { budget: budget.clone(), ..Task::of(problem, Goal::Enumerate) };
    Ok(match difference(solver, other, &task)? {
        None => Err(format!("{differ}there are too many, or there is no time left to run both again")),
        Some(Difference { first: None, .. }) => {
            Err(", and the digests differ, but not when both were run again".to_owned())
        }
        Some(difference) => Ok(difference),
    })
}

fn published_failure(found: u64, what: &str, source: &str, published: u64) -> Fault {
    Fault::new(format!("found {}, {source} has {published}", counted(found, what)))
}

fn profile_failure(counted: &[(u64, u64)], published: &[PublishedLevel]) -> Option<Fault> {
    let source = known::PROFILE_SOURCE;
    let mut levels = counted.iter().zip(published).enumerate();
    levels.find_map(|(level, (&(nodes, dead_ends), published))| {
        let numbers = [("nodes", nodes, published.nodes), ("dead ends", dead_ends, published.dead_ends)];
        let (what, found, has) = numbers.into_iter().find(|(_, found, has)| found != has)?;
        Some(Fault::new(format!("has {found} {what} on level {level}, {source} has {has}")))
    })
}

/// Size and variant: what identifies a problem in rows.
type Posed<'a> = (usize, &'a ProblemRef);

fn posed(row: &Row) -> Posed<'_> {
    (row.n, &row.variant)
}

/// Cross-checks the answers of a sweep, one for each solver and goal: with the reference, and numbers and levels with
/// published ones. If two enumerations of solvers of the registry differ, both run again to show a board, until the
/// deadline.
///
/// `problem` gives the problem of a row; rows without one are left out.
pub fn crosscheck_runs(
    rows: &[Row],
    levels: &[LevelRow],
    problem: &dyn Fn(&Row) -> Option<Problem>,
    registry: &Registry,
    deadline: Instant,
) -> Result<Crosscheck, SolveError> {
    let mut report = Crosscheck::default();
    let budget = Budget { deadline: Some(deadline), ..Budget::default() };
    // A run has levels only if it counts, and its cell no other.
    let mut of_cell: HashMap<&str, Vec<(u64, u64)>> = HashMap::new();
    for level in levels {
        of_cell.entry(&level.cell_id).or_default().push((level.nodes, level.dead_ends));
    }
    for (posed, rows) in answered(rows, &mut report) {
        let Some(problem) = rows.first().and_then(|row| problem(row)) else { continue };
        let solvers: Vec<_> = rows.iter().map(|row| registry.of_label(&row.solver)).collect();
        let answers = rows.iter().zip(&solvers).map(|(row, solver)| Answer {
            id: row.solver.clone(),
            goal: row.goal,
            solver: match solver {
                Some(solver) => Some(solver),
                None => (row.solutions == Some(0)).then_some(&NoBoards),
            },
            is_lexicographically_first: row.goal == Goal::First
                && solver.as_ref().is_some_and(|solver| solver.info().order == Order::ByRow),
            is_wrong: row.verdict.is_fault(),
            solutions: row.solutions.unwrap_or_default(),
            digest: row.digest.clone(),
            levels: of_cell.get(row.cell_id.as_str()).cloned().unwrap_or_default(),
            survey: None,
        });
        compare(&problem, posed.1, &answers.collect::<Vec<_>>(), &budget, &mut report)?;
    }
    Ok(report)
}

/// Stands for a program that found no board: that needs no second run.
struct NoBoards;

impl Solver for NoBoards {
    fn info(&self) -> Info {
        Info { any_problem: true, ..Info::named("no boards") }
    }

    fn search(&self, _: &Task<'_>, _: &mut dyn Sink) -> Result<Outcome, SolveError> {
        Ok(Outcome::default())
    }
}

/// The rows to compare, by problem: one for each solver and goal, the first wrong one if there is any, otherwise that of the
/// counting run. A row that says nothing is a discrepancy.
fn answered<'r>(rows: &'r [Row], report: &mut Crosscheck) -> BTreeMap<Posed<'r>, Vec<&'r Row>> {
    let mut found: BTreeMap<Posed<'_>, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.status.is_solved()) {
        if row.solutions.is_none() {
            report.discrepancies.push(Discrepancy {
                n: row.n,
                solver: row.solver.to_string(),
                what: format!("has no number of solutions in its complete run {}", row.run_id),
                board: None,
            });
            continue;
        }
        let of_problem = found.entry(posed(row)).or_default();
        let same = |other: &&mut &Row| (&other.solver, other.goal) == (&row.solver, row.goal);
        let rank = |row: &Row| (row.verdict.is_fault(), row.kind == Kind::Counting);
        match of_problem.iter_mut().find(same) {
            Some(other) if rank(row) > rank(other) => *other = row,
            Some(_) => {}
            None => of_problem.push(row),
        }
    }
    found
}

#[cfg(test)]
mod tests;
