//! The verdict of one answer, from the known facts about its problem.

use super::evidence::{Evidence, Source};
use super::finding::Finding;
use crate::model::Verdict;
use crate::solver::Goal;

/// Judges an answer by itself and by facts: evidence about the same problem that is certain. Returns the finding that comes
/// first, if there is one. The result depends on the arguments only.
pub fn judge(answer: &Evidence<'_>, facts: &[Evidence<'_>]) -> (Verdict, Option<Finding>) {
    debug_assert!(facts.iter().all(|fact| !fact.is_answer()), "facts");
    let contradictions = facts.iter().filter_map(|fact| answer.contradiction(fact));
    if let Some(finding) = answer.flaws().chain(contradictions).min_by_key(Finding::precedence) {
        return (finding.verdict(), Some(finding));
    }
    let knows = |is_known: fn(&Evidence<'_>) -> bool| facts.iter().any(is_known);
    if answer.goal == Goal::First {
        // A board is a proof; for the absence of one there must be another proof.
        let is_proven = answer.solutions > Some(0) || knows(|fact| fact.solutions.is_some());
        return (if is_proven { Verdict::Correct } else { Verdict::Unchecked }, None);
    }
    if !knows(|fact| fact.goal != Goal::First && fact.claim().is_some()) {
        return (Verdict::Unchecked, None);
    }
    // Boards that are all legal and different, and as many as there are solutions, are exactly the solutions.
    let is_proven = answer.goal == Goal::Count
        || answer.has_distinct_solutions()
        || knows(|fact| fact.is_enumeration() && matches!(fact.source, Source::Definition))
        || !answer.source.is_external();
    if is_proven {
        return (Verdict::Correct, None);
    }
    (Verdict::Unchecked, Some(Finding::UncheckedBoards))
}
