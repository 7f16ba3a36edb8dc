//! Evidence: statements about a problem, and how one contradicts another.

use serde::{Deserialize, Serialize};

use super::finding::{Finding, FirstBoard, Reference};
use crate::board::BoardSize;
use crate::model::{Answer, ProblemRef, SolutionCount, SolverRef, Verdict};
use crate::solver::{Goal, Level, Statistics};

/// Where evidence comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// A solver.
    Solver(&'a SolverRef),
    /// A published number; the text is the name of the sequence.
    Published(&'static str),
    /// The set of all solutions, from an enumeration that uses only the definition of a solution.
    Definition,
    /// A proof that the problem has a solution or does not have one.
    Proof,
}

impl Source<'_> {
    /// Whether the source is a solver that starts an external program.
    pub fn is_external(self) -> bool {
        matches!(self, Self::Solver(solver) if solver.starts_programs())
    }

    /// Whether the source is a SAT solver that gets the formula of the whole board.
    pub fn encodes_whole_board(self) -> bool {
        matches!(self, Self::Solver(solver) if solver.encodes_whole_board())
    }
}

/// The result of checking the boards of a run while it ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardCheck {
    /// The number of solutions that the solver reported, if it differs from the number of its boards.
    pub claimed: Option<u64>,
    /// The number of boards that are not solutions; `None` if the boards were not judged.
    pub illegal: Option<u64>,
    /// The number of legal boards that repeat an earlier board; `None` if repetitions were not detected.
    pub repeated: Option<u64>,
    /// The first illegal board; its columns count from 0.
    pub first_illegal: Option<String>,
}

/// The statement of one source about one problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence<'a> {
    /// The size of the board.
    pub n: usize,
    /// The problem of this size, as in the column `variant`.
    pub problem: &'a ProblemRef,
    /// The source of the answer.
    pub source: Source<'a>,
    /// The statement.
    pub answer: Answer<'a>,
    /// Whether the boards were judged by the rules.
    pub has_judged_boards: bool,
    /// The result of checking the boards; `None` if it was not stored.
    pub boards: Option<&'a BoardCheck>,
    /// Whether the answer is to the goal `first` and the solver searches in lexicographic order, so that its board must be the
    /// lexicographically first solution.
    pub is_lexicographically_first: bool,
    /// The verdict before this answer is compared with other answers.
    pub verdict: Verdict,
    /// The number of fundamental solutions among the boards.
    pub fundamental: Option<u64>,
    /// The levels of the search tree; empty if they were not counted.
    pub levels: &'a [Level],
    /// The statistics of the solver.
    pub statistics: Option<&'a Statistics>,
}

impl<'a> Evidence<'a> {
    /// Evidence that consists only of an answer.
    pub fn new(source: Source<'a>, n: usize, problem: &'a ProblemRef, answer: Answer<'a>) -> Self {
        Self {
            n,
            problem,
            source,
            answer,
            has_judged_boards: false,
            boards: None,
            is_lexicographically_first: false,
            verdict: Verdict::Unchecked,
            fundamental: None,
            levels: &[],
            statistics: None,
        }
    }

    /// Whether the answer contains a board that was judged to be a solution.
    pub fn shows_solution(&self) -> bool {
        self.has_judged_boards && self.answer.digest.is_some() && self.answer.has_solution()
    }

    /// Whether all boards were judged to be legal and distinct.
    pub fn has_distinct_solutions(&self) -> bool {
        self.boards.is_some_and(|boards| boards.illegal == Some(0) && boards.repeated == Some(0))
    }

    /// The findings that follow from the answer alone.
    pub fn flaws(&self) -> impl Iterator<Item = Finding> {
        let solutions = self.answer.solutions.unwrap_or(0);
        let empty_check = BoardCheck::default();
        let boards = self.boards.unwrap_or(&empty_check);
        let nonzero = |number: Option<u64>| number.filter(|&number| number > 0);
        let first_board = match &boards.first_illegal {
            Some(board) => FirstBoard::Text(board.clone()),
            None if self.n > BoardSize::MAX => FirstBoard::NotShown,
            None => FirstBoard::Malformed,
        };
        let illegal_boards =
            nonzero(boards.illegal).map(|boards| Finding::IllegalBoards { boards, first: first_board });
        let wrong_claim = boards.claimed.map(|claimed| Finding::ClaimedNumber { claimed, boards: solutions });
        let lacks_board = self.answer.goal == Goal::First && solutions > 0 && self.answer.digest.is_none();
        let repeated_boards = nonzero(boards.repeated)
            .filter(|_| self.answer.is_enumeration())
            .map(|repeated| Finding::RepeatedBoards { repeated, boards: solutions });
        [illegal_boards, wrong_claim, lacks_board.then_some(Finding::NoBoard), repeated_boards]
            .into_iter()
            .flatten()
    }

    /// How the answer contradicts other evidence about the same problem; `None` if it does not.
    pub fn contradiction(&self, other: &Evidence<'_>) -> Option<Finding> {
        debug_assert_eq!((self.n, self.problem), (other.n, other.problem), "one problem");
        let reference = || other.as_reference();
        match (self.answer.number()?, other.answer.number()?) {
            (SolutionCount::Exactly(0), SolutionCount::AtLeastOne) => {
                return Some(Finding::NoSolution { reference: reference() });
            }
            (SolutionCount::AtLeastOne, SolutionCount::Exactly(0)) => {
                return Some(Finding::ImpossibleSolution { reference: reference() });
            }
            (SolutionCount::Exactly(solutions), SolutionCount::Exactly(expected))
                if solutions != expected =>
            {
                return Some(Finding::of_solutions(solutions, expected, reference()));
            }
            _ => {}
        }
        let are_enumerations = self.answer.is_enumeration() && other.answer.is_enumeration();
        let are_lexicographically_first = self.is_lexicographically_first && other.is_lexicographically_first;
        match self.answer.digest != other.answer.digest {
            true if are_enumerations => Some(Finding::OtherBoards { reference: reference() }),
            true if are_lexicographically_first => Some(Finding::OtherFirst { reference: reference() }),
            _ => None,
        }
    }

    /// The source, as findings name it.
    pub fn as_reference(&self) -> Reference {
        match self.source {
            Source::Solver(solver) => Reference::Solver(solver.clone()),
            Source::Published(sequence) => Reference::Published(sequence),
            Source::Definition => Reference::Definition,
            Source::Proof => Reference::Problem(match self.problem.is_plain() {
                true => format!("n = {}", self.n),
                false => format!("{} at n = {}", self.problem, self.n),
            }),
        }
    }
}
