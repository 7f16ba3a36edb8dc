//! Changes verdicts by comparing all answers to a problem, after each answer was judged alone.

use std::collections::{BTreeMap, HashMap};

use super::evidence::Evidence;
use super::finding::Finding;
use crate::board::published;
use crate::model::{Answer, ProblemRef, Verdict};
use crate::solver::Goal;

/// A verdict that other answers changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// The index of the answer.
    pub answer: usize,
    /// The new verdict.
    pub verdict: Verdict,
    /// The reason; `None` if other answers confirm the answer.
    pub finding: Option<Finding>,
}

/// Compares answers with all other answers to the same problem. A board that is a solution refutes every answer that states that
/// no solution exists. Different numbers or boards are a disagreement. Wrong answers are neither judged nor used as evidence. The
/// order of the answers only decides which solver a finding names. A second review does not change anything.
pub fn review<'a>(answers: impl Iterator<Item = Evidence<'a>> + Clone) -> Vec<Review> {
    let is_not_wrong = |(_, answer): &(usize, Evidence<'a>)| answer.verdict != Verdict::Wrong;
    let judged_answers = answers.enumerate().filter(is_not_wrong);
    let mut problems: HashMap<(usize, &ProblemRef), AcceptedAnswers<'a>> = HashMap::new();
    for (_, answer) in judged_answers.clone() {
        problems.entry((answer.n, answer.problem)).or_default().add(answer);
    }
    for accepted_answers in problems.values_mut() {
        accepted_answers.exclude_refuted();
    }
    let review = |(index, answer): (usize, Evidence<'a>)| {
        let accepted_answers = problems.get(&(answer.n, answer.problem))?;
        let (verdict, finding) = accepted_answers.judge(&answer)?;
        Some(Review { answer: index, verdict, finding })
    };
    judged_answers.filter_map(review).collect()
}

/// The different statements about one problem, each with the first answer that makes it.
#[derive(Default)]
struct AcceptedAnswers<'a> {
    /// An answer that shows a solution.
    witness: Option<Evidence<'a>>,
    /// The answers of built-in solvers, by number of solutions.
    builtin: BTreeMap<u64, Evidence<'a>>,
    /// The answers of external programs, by number of solutions.
    external: BTreeMap<u64, Evidence<'a>>,
    /// The enumerations of built-in solvers whose boards were judged, by digest.
    enumerations: BTreeMap<&'a str, Evidence<'a>>,
}

impl<'a> AcceptedAnswers<'a> {
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
            // In this map, an enumeration is evidence only for its number of boards.
            let number = Answer::number_of(Goal::Count, solutions);
            claims.entry(solutions).or_insert(Evidence { answer: number, ..answer });
        }
    }

    /// Removes answers without solutions if another answer shows a solution.
    fn exclude_refuted(&mut self) {
        if self.witness.is_some() {
            self.builtin.remove(&0);
            self.external.remove(&0);
        }
    }

    fn judge(&self, answer: &Evidence<'a>) -> Option<(Verdict, Option<Finding>)> {
        if let Some(witness) = self.witness.as_ref().filter(|_| answer.answer.claim() == Some(0)) {
            let finding = Finding::NoSolution { reference: witness.as_reference() };
            return Some((finding.verdict(), Some(finding)));
        }
        // If no built-in solver answered, the answers of external programs are compared with each other.
        let claims = if self.builtin.is_empty() { &self.external } else { &self.builtin };
        // Two numbers suffice: an answer cannot agree with both.
        let numbers = claims.values().take(2).filter(|_| answer.answer.claim().is_some());
        let boards = self.enumerations.values().take(2).filter(|_| answer.answer.is_enumeration());
        let contradictions = numbers.chain(boards).filter_map(|other| answer.contradiction(other));
        if let Some(finding) = contradictions.min_by_key(Finding::precedence) {
            return Some((finding.verdict(), Some(finding)));
        }
        // The number of boards is the published number, and the boards of a built-in solver, which were judged to be solutions, are
        // the same.
        let is_confirmed = answer.verdict == Verdict::Unchecked
            && answer.answer.is_enumeration()
            && !self.enumerations.is_empty()
            && published::of_variant(answer.n, answer.problem).is_some();
        is_confirmed.then_some((Verdict::Correct, None))
    }
}
