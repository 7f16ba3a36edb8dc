//! Statements about the solutions of a problem, for a goal.

use crate::solver::Goal;

/// What a run, a publication or a proof states about the solutions of a problem. A field is `None` if the source does not state
/// its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Answer<'a> {
    /// The goal that the answer belongs to.
    pub goal: Goal,
    /// The number of solutions. For the goal `first`, 1 if there is a solution, else 0.
    pub solutions: Option<u64>,
    /// The digest of the set of all boards, for the goal `enumerate`.
    pub digest: Option<&'a str>,
}

/// What an answer states about the number of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolutionCount {
    /// There are exactly this many solutions.
    Exactly(u64),
    /// There is a solution; the number is not stated.
    AtLeastOne,
}

impl<'a> Answer<'a> {
    /// An answer that states nothing.
    pub fn none(goal: Goal) -> Self {
        Self { goal, solutions: None, digest: None }
    }

    /// An answer with a number of solutions and without boards.
    pub fn number_of(goal: Goal, solutions: u64) -> Self {
        Self { solutions: Some(solutions), ..Self::none(goal) }
    }

    /// An answer with a number of solutions and the digest of the boards.
    pub fn with_boards(goal: Goal, solutions: u64, digest: &'a str) -> Self {
        Self { digest: Some(digest), ..Self::number_of(goal, solutions) }
    }

    /// Whether the goal was to list all boards.
    pub fn is_enumeration(&self) -> bool {
        self.goal == Goal::Enumerate
    }

    /// The statement about the number of solutions; `None` if the answer has no number.
    pub fn number(&self) -> Option<SolutionCount> {
        Some(match self.solutions? {
            solutions if self.goal != Goal::First || solutions == 0 => SolutionCount::Exactly(solutions),
            _ => SolutionCount::AtLeastOne,
        })
    }

    /// The exact number of solutions; `None` if the answer does not state one.
    pub fn claim(&self) -> Option<u64> {
        match self.number()? {
            SolutionCount::Exactly(solutions) => Some(solutions),
            SolutionCount::AtLeastOne => None,
        }
    }

    /// Whether the answer states that a solution exists.
    pub fn has_solution(&self) -> bool {
        self.solutions > Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_solution_does_not_give_exact_count() {
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
