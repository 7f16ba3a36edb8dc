//! Verdicts from the comparison of answers with each other, after each answer was judged alone.

use std::collections::{BTreeMap, HashMap};

use super::evidence::Evidence;
use super::finding::Finding;
use crate::board::published;
use crate::model::{Answer, ProblemRef, Verdict};
use crate::solver::Goal;

/// A verdict that other answers change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// The index of the answer.
    pub answer: usize,
    /// Its new verdict.
    pub verdict: Verdict,
    /// The reason; `None` if it is confirmed.
    pub finding: Option<Finding>,
}

/// Judges answers, of any problems, by the others to the same problem. A board that is a solution refutes every answer
/// that there is none; numbers or boards that differ are a disagreement. Answers that are wrong are neither judged nor evidence.
/// The order of the answers does not matter, except for who is named, and a second review changes nothing.
pub fn review<'a>(answers: impl Iterator<Item = Evidence<'a>> + Clone) -> Vec<Review> {
    let is_open = |(_, answer): &(usize, Evidence<'a>)| answer.verdict != Verdict::Wrong;
    let open = answers.enumerate().filter(is_open);
    let mut problems: HashMap<(usize, &ProblemRef), Accepted<'a>> = HashMap::new();
    for (_, answer) in open.clone() {
        problems.entry((answer.n, answer.problem)).or_default().add(answer);
    }
    for accepted in problems.values_mut() {
        accepted.exclude_refuted();
    }
    let review = |(index, answer): (usize, Evidence<'a>)| {
        let accepted = problems.get(&(answer.n, answer.problem))?;
        let (verdict, finding) = accepted.judge(&answer)?;
        Some(Review { answer: index, verdict, finding })
    };
    open.filter_map(review).collect()
}

/// The statements about one problem, each with the first answer that makes it.
#[derive(Default)]
struct Accepted<'a> {
    /// Shows a solution.
    witness: Option<Evidence<'a>>,
    /// The numbers of solutions, by built-in solvers and by external programs.
    builtin: BTreeMap<u64, Evidence<'a>>,
    external: BTreeMap<u64, Evidence<'a>>,
    /// The digests of enumerations by built-in solvers whose boards were judged.
    enumerations: BTreeMap<&'a str, Evidence<'a>>,
}

impl<'a> Accepted<'a> {
    fn add(&mut self, answer: Evidence<'a>) {
        let is_external = answer.source.is_external();
        if answer.shows_solution() {
            self.witness.get_or_insert(answer);
            if let Some(digest) =
                answer.answer.digest.filter(|_| answer.answer.is_enumeration() && !is_external)
            {
                self.enumerations.entry(digest).or_insert(answer);
            }
        }
        let claims = if is_external { &mut self.external } else { &mut self.builtin };
        if let Some(solutions) = answer.answer.claim() {
            // Only the number of an enumeration is evidence here, not its boards.
            let number = Answer::number_of(Goal::Count, solutions);
            claims.entry(solutions).or_insert(Evidence { answer: number, ..answer });
        }
    }

    /// An answer that a board refutes is not evidence.
    fn exclude_refuted(&mut self) {
        if self.witness.is_some() {
            self.builtin.remove(&0);
            self.external.remove(&0);
        }
    }

    fn judge(&self, answer: &Evidence<'a>) -> Option<(Verdict, Option<Finding>)> {
        if let Some(witness) = self.witness.as_ref().filter(|_| answer.answer.claim() == Some(0)) {
            let finding = Finding::NoSolution { by: witness.as_reference() };
            return Some((finding.verdict(), Some(finding)));
        }
        // If no built-in solver answered, the only evidence is an answer on which external programs agree.
        let claims = if self.builtin.is_empty() { &self.external } else { &self.builtin };
        // Of three answers that differ pairwise, one of the first two contradicts the third.
        let numbers = claims.values().take(2).filter(|_| answer.answer.claim().is_some());
        let boards = self.enumerations.values().take(2).filter(|_| answer.answer.is_enumeration());
        let contradictions = numbers.chain(boards).filter_map(|other| answer.contradiction(other));
        if let Some(finding) = contradictions.min_by_key(Finding::precedence) {
            return Some((finding.verdict(), Some(finding)));
        }
        // The number is the published one, and the boards are the solutions.
        let is_confirmed = answer.verdict == Verdict::Unchecked
            && answer.answer.is_enumeration()
            && !self.enumerations.is_empty()
            && published::of_variant(answer.n, answer.problem).is_some();
        is_confirmed.then_some((Verdict::Correct, None))
    }
}
