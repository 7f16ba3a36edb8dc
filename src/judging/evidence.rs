//! What answers are judged by.

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
    /// A published number, by the name of its sequence.
    Published(&'static str),
    /// All solutions, by the definition.
    Definition,
    /// A proof that the problem has a solution, or that it has none.
    Proof,
}

impl Source<'_> {
    /// Whether it starts a program that is not part of queenlab.
    pub fn is_external(self) -> bool {
        matches!(self, Self::Solver(solver) if solver.starts_programs())
    }

    /// Whether it is a SAT solver on the formula of the whole board.
    pub fn encodes_whole_board(self) -> bool {
        matches!(self, Self::Solver(solver) if solver.encodes_whole_board())
    }
}

/// The result of checking the boards of a run while it ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardCheck {
    /// The number of solutions that the solver reported, if it differs from the number of its boards.
    pub claimed: Option<u64>,
    /// Number of judged boards that are not solutions; `None` if no board was judged.
    pub illegal: Option<u64>,
    /// Number of legal boards that repeat an earlier one; `None` if repetitions were not looked for.
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
    /// What it says.
    pub answer: Answer<'a>,
    /// Whether the boards were judged by the rules.
    pub has_judged_boards: bool,
    /// The result of checking them, if it is still known.
    pub boards: Option<&'a BoardCheck>,
    /// Whether the board of the goal first is the lexicographically first solution.
    pub is_lexicographically_first: bool,
    /// The verdict so far.
    pub verdict: Verdict,
    /// The number of fundamental solutions among the boards.
    pub fundamental: Option<u64>,
    /// The levels of the search tree; empty if they were not counted.
    pub levels: &'a [Level],
    /// What the solver counted.
    pub statistics: Option<&'a Statistics>,
}

impl<'a> Evidence<'a> {
    /// An answer about which nothing else is known.
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

    /// Whether it shows a board that is known to be a solution.
    pub fn shows_solution(&self) -> bool {
        self.has_judged_boards && self.answer.digest.is_some() && self.answer.has_solution()
    }

    /// Whether its boards are all legal and none is repeated.
    pub fn has_distinct_solutions(&self) -> bool {
        self.boards.is_some_and(|boards| boards.illegal == Some(0) && boards.repeated == Some(0))
    }

    /// The finding that follows from the answer alone, without other answers.
    pub fn flaws(&self) -> impl Iterator<Item = Finding> {
        let solutions = self.answer.solutions.unwrap_or(0);
        let none = BoardCheck::default();
        let boards = self.boards.unwrap_or(&none);
        let counted = |number: Option<u64>| number.filter(|&number| number > 0);
        let first = match &boards.first_illegal {
            Some(board) => FirstBoard::Text(board.clone()),
            None if self.n > BoardSize::MAX => FirstBoard::NotShown,
            None => FirstBoard::Malformed,
        };
        let illegal = counted(boards.illegal).map(|boards| Finding::IllegalBoards { boards, first });
        let claimed = boards.claimed.map(|claimed| Finding::ClaimedNumber { claimed, boards: solutions });
        let lacks_board = self.answer.goal == Goal::First && solutions > 0 && self.answer.digest.is_none();
        let repeated = counted(boards.repeated)
            .filter(|_| self.answer.is_enumeration())
            .map(|repeated| Finding::RepeatedBoards { repeated, boards: solutions });
        [illegal, claimed, lacks_board.then_some(Finding::NoBoard), repeated].into_iter().flatten()
    }

    /// How it contradicts other evidence about the same problem.
    pub fn contradiction(&self, other: &Evidence<'_>) -> Option<Finding> {
        debug_assert_eq!((self.n, self.problem), (other.n, other.problem), "one problem");
        let by = || other.as_reference();
        match (self.answer.number()?, other.answer.number()?) {
            (SolutionCount::Exactly(0), SolutionCount::AtLeastOne) => {
                return Some(Finding::NoSolution { by: by() });
            }
            (SolutionCount::AtLeastOne, SolutionCount::Exactly(0)) => {
                return Some(Finding::ImpossibleSolution { by: by() });
            }
            (SolutionCount::Exactly(solutions), SolutionCount::Exactly(expected))
                if solutions != expected =>
            {
                return Some(Finding::of_solutions(solutions, expected, by()));
            }
            _ => {}
        }
        let both_enumerate = self.answer.is_enumeration() && other.answer.is_enumeration();
        let both_first = self.is_lexicographically_first && other.is_lexicographically_first;
        match self.answer.digest != other.answer.digest {
            true if both_enumerate => Some(Finding::OtherBoards { by: by() }),
            true if both_first => Some(Finding::OtherFirst { by: by() }),
            _ => None,
        }
    }

    /// Its source, as a finding names it.
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
