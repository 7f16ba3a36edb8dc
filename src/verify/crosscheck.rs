//! The cross-check: compares the answers of solvers with those of a reference (a SAT solver if there is one), with the rules,
//! and with published numbers of solutions and nodes.
//!
//! `judging` defines what is compared. [`crosscheck`] enumerates once with each solver, in constant memory: each board is
//! checked, counted and added to a digest as it arrives. [`crosscheck_runs`] compares the rows of a sweep, for all goals. If
//! the digests of two enumerations differ, both solvers run again to find the exact difference.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use super::survey::{self, Survey};
use super::{Discrepancy, DiscrepancyBoards, NotShown};
use crate::board::problem::Problem;
use crate::board::{BoardSize, Placement};
use crate::judging::{
    self, AnswerComparison, BoardCheck, BoardDifference, BoardFault, ComparisonReference, Evidence, Finding,
    Source,
};
use crate::model::{Answer, ComparedWith, Kind, ProblemRef, SolverRef, Verdict};
use crate::record::{CrosscheckRow, LevelRow, Row, SCHEMA_VERSION};
use crate::registry::Registry;
use crate::solver::{Budget, Goal, Level, Order, Progress, SolveError, Solver, Task};

/// A solver that takes part in a cross-check.
pub struct Entrant<'a> {
    /// The solver.
    pub solver: &'a dyn Solver,
    /// The maximum size at which the solver takes part.
    pub max_size: Option<usize>,
}

impl<'a> Entrant<'a> {
    /// An entrant that takes part at every size that its solver can enumerate.
    pub fn new(solver: &'a dyn Solver) -> Self {
        Self { solver, max_size: None }
    }

    /// Whether the solver enumerates this problem.
    pub fn takes_part(&self, problem: &Problem) -> bool {
        self.max_size.is_none_or(|max_size| problem.n().get() <= max_size)
            && self.solver.info().refusal(problem, Goal::Enumerate).is_none()
    }
}

/// The result of a cross-check.
#[derive(Clone, Debug, Default)]
pub struct Crosscheck {
    /// All comparisons.
    pub rows: Vec<CrosscheckRow>,
    /// The failed comparisons.
    pub discrepancies: Vec<Discrepancy>,
}

impl Crosscheck {
    /// Whether at least one comparison was made and all agree.
    pub fn agrees(&self) -> bool {
        self.discrepancies.is_empty() && !self.rows.is_empty()
    }

    fn disagree(&mut self, row: CrosscheckRow, finding: Finding, boards: DiscrepancyBoards) {
        let discrepancy = Discrepancy { n: row.n, solver: row.solver.clone(), finding, boards };
        let first_difference = Some(discrepancy.first_difference());
        self.rows.push(CrosscheckRow { agrees: false, first_difference, ..row });
        self.discrepancies.push(discrepancy);
    }
}

/// An answer, and the source of its boards.
struct ComparedAnswer<'a> {
    solver: &'a SolverRef,
    evidence: Evidence<'a>,
    boards: BoardSource<'a>,
    first_illegal: Option<&'a Placement>,
}

/// Where the boards of an answer come from.
enum BoardSource<'a> {
    /// The boards were stored.
    StoredResults(Vec<Placement>),
    /// The solver can run again.
    Solver(&'a dyn Solver),
    /// The boards are not available.
    Unknown,
}

/// Cross-checks solvers on these problems, with one full enumeration per solver and problem. A solver that cannot enumerate a
/// problem is skipped for this problem. Memory: O(n^2), unless two solvers differ. A wrong answer is a [`Discrepancy`], not an
/// error. `on_start` is called when a solver starts on a size, after the previous solver has finished; it returns the receiver of
/// progress events.
///
/// # Errors
///
/// A solver failed.
pub fn crosscheck<'p>(
    entrants: &[Entrant<'_>],
    problems: impl IntoIterator<Item = Problem>,
    on_start: &dyn Fn(BoardSize, &str) -> &'p dyn Progress,
) -> Result<Crosscheck, SolveError> {
    let mut report = Crosscheck::default();
    for problem in problems {
        let mut surveys = Vec::new();
        for entrant in entrants.iter().filter(|entrant| entrant.takes_part(&problem)) {
            let id = entrant.solver.id();
            let progress = on_start(problem.n(), &id);
            let task = Task { counting: true, progress, ..Task::of(&problem, Goal::Enumerate) };
            let (survey, outcome) = Survey::of(entrant.solver, &task)?;
            let check = BoardCheck { illegal: Some(survey.judge.illegal), ..BoardCheck::default() };
            let digest = survey.judge.digest.to_string();
            surveys.push((entrant.solver, SolverRef::of(&id, []), survey, digest, check, outcome.levels));
        }
        let variant = ProblemRef::from(&problem);
        let answers = surveys.iter().map(|(solver, id, survey, digest, check, levels)| ComparedAnswer {
            solver: id,
            evidence: Evidence {
                has_judged_boards: true,
                boards: Some(check),
                verdict: if survey.judge.illegal > 0 { Verdict::Wrong } else { Verdict::Unchecked },
                fundamental: Some(survey.fundamental),
                levels,
                ..Evidence::new(
                    Source::Solver(id),
                    problem.n().get(),
                    &variant,
                    Answer::with_boards(Goal::Enumerate, survey.judge.digest.count(), digest),
                )
            },
            boards: BoardSource::Solver(*solver),
            first_illegal: survey.judge.first_illegal.as_ref(),
        });
        compare(&problem, &answers.collect::<Vec<_>>(), &Budget::default(), &mut report)?;
    }
    Ok(report)
}

/// Compares the answers to one problem, and describes how they differ.
fn compare(
    problem: &Problem,
    answers: &[ComparedAnswer<'_>],
    budget: &Budget,
    report: &mut Crosscheck,
) -> Result<(), SolveError> {
    let all_evidence: Vec<Evidence<'_>> = answers.iter().map(|answer| answer.evidence).collect();
    for AnswerComparison { answer, reference, finding } in judging::compare(problem, &all_evidence) {
        let ComparedAnswer { solver, evidence, first_illegal, .. } = &answers[answer];
        let against = match reference {
            ComparisonReference::Answer(index) => ComparedWith::Solver(answers[index].solver.clone()),
            ComparisonReference::Board => ComparedWith::Board,
            ComparisonReference::Published(sequence) => ComparedWith::Published(sequence.to_owned()),
        };
        let row = CrosscheckRow {
            schema_version: SCHEMA_VERSION,
            n: evidence.n,
            variant: evidence.problem.clone(),
            goal: evidence.answer.goal,
            solver: (*solver).clone(),
            against,
            solutions: evidence.answer.solutions.unwrap_or_default(),
            digest: evidence
                .answer
                .digest
                .filter(|_| evidence.answer.is_enumeration())
                .map(ToOwned::to_owned),
            agrees: true,
            illegal: evidence.boards.and_then(|boards| boards.illegal),
            ..CrosscheckRow::default()
        };
        match (reference, finding) {
            (ComparisonReference::Answer(index), finding)
                if evidence.answer.is_enumeration() && all_evidence[index].answer.is_enumeration() =>
            {
                let Some(finding) = finding else {
                    report.rows.push(with_difference_counts(row, &BoardDifference::default()));
                    continue;
                };
                let boards = differing_boards(problem, &answers[answer], &answers[index], budget)?;
                let row = match &boards {
                    DiscrepancyBoards::Differ(difference) => with_difference_counts(
                        CrosscheckRow { illegal: Some(difference.illegal), ..row },
                        difference,
                    ),
                    _ => row,
                };
                report.disagree(row, finding, boards);
            }
            (ComparisonReference::Board, Some(finding)) => {
                let board =
                    first_illegal.map(|board| DiscrepancyBoards::Single(BoardFault::Illegal, board.clone()));
                report.disagree(row, finding, board.unwrap_or(DiscrepancyBoards::None));
            }
            (_, Some(finding)) => report.disagree(row, finding, DiscrepancyBoards::None),
            (_, None) => report.rows.push(row),
        }
    }
    Ok(())
}

fn with_difference_counts(row: CrosscheckRow, difference: &BoardDifference) -> CrosscheckRow {
    let BoardDifference { missing, extra, duplicates, .. } = *difference;
    CrosscheckRow { missing: Some(missing), extra: Some(extra), duplicates: Some(duplicates), ..row }
}

/// How the boards of two enumerations differ, or why the difference is unknown. If boards are not stored, the solvers run again
/// within the budget.
fn differing_boards(
    problem: &Problem,
    answer: &ComparedAnswer<'_>,
    reference: &ComparedAnswer<'_>,
    budget: &Budget,
) -> Result<DiscrepancyBoards, SolveError> {
    let both_answers = [answer, reference];
    if let Some(unknown) = both_answers.iter().find(|answer| matches!(answer.boards, BoardSource::Unknown)) {
        return Ok(DiscrepancyBoards::Unknown(NotShown::NotRepeated(unknown.solver.clone())));
    }
    let task = Task { budget: budget.clone(), ..Task::of(problem, Goal::Enumerate) };
    let mut boards = Vec::new();
    for answer in both_answers {
        let boards_of_problem = match &answer.boards {
            BoardSource::StoredResults(stored) => Some(stored.clone()),
            BoardSource::Solver(solver) => survey::boards(*solver, &task)?,
            BoardSource::Unknown => None,
        };
        let Some(boards_of_problem) = boards_of_problem else {
            return Ok(DiscrepancyBoards::Unknown(NotShown::TooMany));
        };
        boards.push(boards_of_problem);
    }
    let boards_of_reference = boards.pop().unwrap_or_default();
    let boards_of_answer = boards.pop().unwrap_or_default();
    let difference = BoardDifference::between(problem, boards_of_answer, boards_of_reference);
    Ok(match difference.first {
        Some(_) => DiscrepancyBoards::Differ(difference),
        None => DiscrepancyBoards::Unknown(NotShown::Same),
    })
}

/// Size and variant, which identify a problem in rows.
type ProblemKey<'a> = (usize, &'a ProblemRef);

fn problem_key(row: &Row) -> ProblemKey<'_> {
    (row.n, &row.variant)
}

/// Returns all boards of an enumeration, if they were stored.
pub type StoredBoards<'a> = &'a dyn Fn(&Row) -> Option<Vec<Placement>>;

/// The answers of a sweep.
pub struct RecordedAnswers<'a> {
    /// The runs.
    pub rows: &'a [Row],
    /// The counts of the runs, one row for each level of a search tree.
    pub levels: &'a [LevelRow],
    /// The problem of a row; rows for which it is `None` are skipped.
    pub problem: &'a dyn Fn(&Row) -> Option<Problem>,
    /// All boards of an enumeration, if they were stored.
    pub boards: StoredBoards<'a>,
}

/// Cross-checks the answers of a sweep, one for each problem, solver and goal. If two enumerations differ and boards were not
/// stored, solvers that are in the registry run again, until the deadline.
///
/// # Errors
///
/// A solver that ran again failed.
pub fn crosscheck_runs(
    recorded: &RecordedAnswers<'_>,
    registry: &Registry,
    deadline: Instant,
) -> Result<Crosscheck, SolveError> {
    let mut report = Crosscheck::default();
    let budget = Budget { deadline: Some(deadline), ..Budget::default() };
    // Only the counting run of a cell has levels.
    let mut levels_of_cell: HashMap<&str, Vec<Level>> = HashMap::new();
    for &LevelRow { ref cell_id, nodes, dead_ends, .. } in recorded.levels {
        levels_of_cell.entry(cell_id).or_default().push(Level { nodes, dead_ends });
    }
    for (_, rows) in rows_to_compare(recorded.rows, &mut report) {
        let Some(problem) = rows.first().and_then(|row| (recorded.problem)(row)) else { continue };
        let solvers: Vec<_> = rows.iter().map(|row| registry.of_full_name(&row.solver)).collect();
        let answers = rows.iter().zip(&solvers).map(|(row, solver)| ComparedAnswer {
            solver: &row.solver,
            evidence: Evidence {
                is_lexicographically_first: row.goal == Goal::First
                    && solver.as_ref().is_some_and(|solver| solver.info().order == Order::ByRow),
                levels: levels_of_cell.get(row.cell_id.as_str()).map_or(&[][..], Vec::as_slice),
                ..row.evidence()
            },
            boards: match (solver, (recorded.boards)(row)) {
                (_, Some(stored)) => BoardSource::StoredResults(stored),
                (Some(solver), None) => BoardSource::Solver(solver),
                (None, None) if row.solutions == Some(0) => BoardSource::StoredResults(Vec::new()),
                (None, None) => BoardSource::Unknown,
            },
            first_illegal: None,
        });
        compare(&problem, &answers.collect::<Vec<_>>(), &budget, &mut report)?;
    }
    Ok(report)
}

/// The rows to compare, by problem: one for each solver and goal. Rows that are wrong or disagree are preferred, then counting
/// runs, then earlier rows. A complete run without a number of solutions is reported as a discrepancy.
fn rows_to_compare<'r>(rows: &'r [Row], report: &mut Crosscheck) -> BTreeMap<ProblemKey<'r>, Vec<&'r Row>> {
    let mut rows_of_problem: BTreeMap<ProblemKey<'_>, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.status.is_solved()) {
        if row.solutions.is_none() {
            report.discrepancies.push(Discrepancy {
                n: row.n,
                solver: row.solver.clone(),
                finding: Finding::NoNumber { run: row.run_id.clone() },
                boards: DiscrepancyBoards::None,
            });
            continue;
        }
        let rows_of_this_problem = rows_of_problem.entry(problem_key(row)).or_default();
        let has_same_solver_and_goal =
            |listed_row: &&mut &Row| (&listed_row.solver, listed_row.goal) == (&row.solver, row.goal);
        let preference = |row: &Row| (row.verdict.is_fault(), row.kind == Kind::Counting);
        match rows_of_this_problem.iter_mut().find(has_same_solver_and_goal) {
            Some(listed_row) if preference(row) > preference(listed_row) => *listed_row = row,
            Some(_) => {}
            None => rows_of_this_problem.push(row),
        }
    }
    rows_of_problem
}

#[cfg(test)]
mod tests;
