//! The verdict of one answer, from facts about its problem.

use super::evidence::Evidence;
use super::finding::Finding;
use crate::model::{Answer, Verdict};
use crate::solver::Goal;

/// Judges an answer by itself and by facts, which are certain evidence about the same problem. Returns the verdict and the
/// finding with the lowest rank, if there is one. The result depends only on the arguments.
pub fn judge(answer: &Evidence<'_>, facts: &[Evidence<'_>]) -> (Verdict, Option<Finding>) {
    let contradictions = facts.iter().filter_map(|fact| answer.contradiction(fact));
    if let Some(finding) = answer.flaws().chain(contradictions).min_by_key(Finding::precedence) {
        return (finding.verdict(), Some(finding));
    }
    let has_fact = |is_known: fn(&Answer<'_>) -> bool| facts.iter().any(|fact| is_known(&fact.answer));
    let goal = answer.answer.goal;
    if goal == Goal::First {
        // A legal board proves that a solution exists. Only a fact can prove that no solution exists.
        let is_proven = answer.answer.has_solution() || has_fact(|fact| fact.solutions.is_some());
        return (if is_proven { Verdict::Correct } else { Verdict::Unchecked }, None);
    }
    if !has_fact(|fact| fact.goal != Goal::First && fact.claim().is_some()) {
        return (Verdict::Unchecked, None);
    }
    // If all boards are legal and distinct, and their number is that of the solutions, they are exactly the solutions.
    let is_proven = goal == Goal::Count
        || answer.has_distinct_solutions()
        || has_fact(|fact| fact.is_enumeration())
        || !answer.source.is_external();
    if is_proven {
        return (Verdict::Correct, None);
    }
    (Verdict::Unchecked, Some(Finding::UncheckedBoards))
}
