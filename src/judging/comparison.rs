//! Compares each answer to a problem with a reference answer, with the rules, and with published values.

use super::evidence::{Evidence, Source};
use super::finding::{Finding, FirstBoard, Quantity, Reference};
use crate::board::problem::Problem;
use crate::board::published::{self, PublishedLevel};
use crate::model::Answer;
use crate::solver::{Goal, Level};

/// What an answer is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonReference {
    /// Another answer, by its index.
    Answer(usize),
    /// The rules.
    Board,
    /// A published sequence.
    Published(&'static str),
}

/// The result of one comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerComparison {
    /// The index of the answer.
    pub answer: usize,
    /// What the answer was compared with.
    pub reference: ComparisonReference,
    /// How the answer differs; `None` if it agrees.
    pub finding: Option<Finding>,
}

/// The index of the reference, with which all other answers are compared; `None` if there are no answers. The
/// reference is chosen by these criteria, in this order:
///
/// 1. The answer is neither wrong nor in disagreement.
/// 2. The solver is a built-in solver.
/// 3. An enumeration precedes a count, and a count precedes a first solution.
/// 4. The solver is a SAT solver that gets the formula of the whole board.
/// 5. The answer is earlier in the list.
pub fn reference(answers: &[Evidence<'_>]) -> Option<usize> {
    let goals = [Goal::Enumerate, Goal::Count, Goal::First];
    let rank = |answer: &Evidence<'_>| {
        let goal = goals.iter().position(|goal| *goal == answer.answer.goal);
        (answer.verdict.is_fault(), answer.source.is_external(), goal, !answer.source.encodes_whole_board())
    };
    (0..answers.len()).min_by_key(|&index| rank(&answers[index]))
}

/// Compares each answer to a problem with the reference, the rules and published values. The first solutions of solvers that
/// search row by row are not compared with the reference but with each other, because they must be equal.
pub fn compare(problem: &Problem, answers: &[Evidence<'_>]) -> Vec<AnswerComparison> {
    let Some(reference) = reference(answers) else { return Vec::new() };
    let first_solution =
        answers.iter().position(|answer| answer.is_lexicographically_first && !answer.verdict.is_fault());
    let mut comparisons = Vec::new();
    for (index, answer) in answers.iter().enumerate() {
        let mut add_comparison =
            |reference, finding| comparisons.push(AnswerComparison { answer: index, reference, finding });
        let reference_index =
            first_solution.filter(|&first| answer.is_lexicographically_first && first != index);
        let reference_index = reference_index.unwrap_or(reference);
        if reference_index != index {
            add_comparison(
                ComparisonReference::Answer(reference_index),
                answer.contradiction(&answers[reference_index]),
            );
        }
        if let Some(boards) = answer.boards.and_then(|boards| boards.illegal) {
            let finding = Finding::IllegalBoards { boards, first: FirstBoard::NotShown };
            add_comparison(ComparisonReference::Board, (boards > 0).then_some(finding));
        }
        if let Some((solutions, source)) = published::of_problem(problem) {
            let published = Source::Published(source);
            let number = Answer::number_of(Goal::Count, solutions);
            let published = Evidence::new(published, answer.n, answer.problem, number);
            add_comparison(ComparisonReference::Published(source), answer.contradiction(&published));
        }
        if !problem.is_plain() {
            continue;
        }
        if let (Some(number), Some(expected)) =
            (answer.fundamental, published::fundamental_solutions(answer.n))
        {
            let source = published::FUNDAMENTAL_SOURCE;
            add_comparison(
                ComparisonReference::Published(source),
                number_finding(Quantity::FundamentalSolutions, number, expected, source),
            );
        }
        if let Some(published) = published::profile(answer.n).filter(|_| !answer.levels.is_empty()) {
            add_comparison(
                ComparisonReference::Published(published::PROFILE_SOURCE),
                level_finding(answer.levels, published),
            );
        }
    }
    comparisons
}

fn number_finding(quantity: Quantity, number: u64, expected: u64, source: &'static str) -> Option<Finding> {
    let reference = Reference::Published(source);
    (number != expected).then_some(Finding::OtherNumber { quantity, number, expected, reference })
}

/// The finding about the first level that differs.
fn level_finding(levels: &[Level], published: &[PublishedLevel]) -> Option<Finding> {
    let source = published::PROFILE_SOURCE;
    levels.iter().zip(published).enumerate().find_map(|(level, (counted, published))| {
        number_finding(Quantity::Nodes(level), counted.nodes, published.nodes, source).or_else(|| {
            number_finding(Quantity::DeadEnds(level), counted.dead_ends, published.dead_ends, source)
        })
    })
}
