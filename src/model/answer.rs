//! What is answered to a question about a problem.

use crate::solver::Goal;

/// An answer to a question about a problem: that of a run, of a publication, or of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Answer<'a> {
    /// The question.
    pub goal: Goal,
    /// The number of solutions. For the goal first, 0 or 1: whether there are any.
    pub solutions: Option<u64>,
    /// The digest of the boards.
    pub digest: Option<&'a str>,
}

/// What a number of solutions says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolutionCount {
    /// There are as many.
    Exactly(u64),
    /// There are some.
    AtLeastOne,
}

impl<'a> Answer<'a> {
    /// An answer that says nothing.
    pub fn none(goal: Goal) -> Self {
        Self { goal, solutions: None, digest: None }
    }

    /// A number of solutions without boards.
    pub fn number_of(goal: Goal, solutions: u64) -> Self {
        Self { solutions: Some(solutions), ..Self::none(goal) }
    }

    /// A number of solutions with the digest of its boards.
    pub fn with_boards(goal: Goal, solutions: u64, digest: &'a str) -> Self {
        Self { digest: Some(digest), ..Self::number_of(goal, solutions) }
    }

    /// Whether it is about all boards.
    pub fn is_enumeration(&self) -> bool {
        self.goal == Goal::Enumerate
    }

    /// What it says about the number of solutions.
    pub fn number(&self) -> Option<SolutionCount> {
        Some(match self.solutions? {
            solutions if self.goal != Goal::First || solutions == 0 => SolutionCount::Exactly(solutions),
            _ => SolutionCount::AtLeastOne,
        })
    }

    /// The number of solutions that it claims; `None` if it says only that there are some.
    pub fn claim(&self) -> Option<u64> {
        match self.number()? {
            SolutionCount::Exactly(solutions) => Some(solutions),
            SolutionCount::AtLeastOne => None,
        }
    }

    /// Whether it says that there is a solution.
    pub fn has_solution(&self) -> bool {
        self.solutions > Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_solution_only_proves_that_one_exists() {
        for (goal, solutions, number) in [
            (Goal::First, 0, SolutionCount::Exactly(0)),
            (Goal::First, 1, SolutionCount::AtLeastOne),
            (Goal::Count, 0, SolutionCount::Exactly(0)),
            (Goal::Enumerate, 92, SolutionCount::Exactly(92)),
        ] {
            let answer = Answer::number_of(goal, solutions);
            assert_eq!(answer.number(), Some(number));
            assert_eq!(answer.claim(), Some(solutions).filter(|_| number != SolutionCount::AtLeastOne));
            assert_eq!(answer.has_solution(), solutions > 0);
        }
        assert_eq!(Answer::none(Goal::First).number(), None);
        assert!(!Answer::none(Goal::Count).has_solution());
    }
}
