//! How answers are wrong.

use std::fmt::{self, Display, Formatter};

use super::boards::BoardFault;
use crate::model::{SolverRef, Verdict};
use crate::words::counted;

/// What an answer was compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The answer of a solver, by its id.
    Solver(SolverRef),
    /// A published number, by the name of its sequence.
    Published(&'static str),
    /// All solutions, by the definition.
    Definition,
    /// A proof about the problem, which is named.
    Problem(String),
    /// The proof of a level of the search tree.
    ProofOfLevel,
}

impl Display for Reference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Solver(solver) => write!(f, "{solver}"),
            Self::Problem(name) => f.write_str(name),
            Self::Published(sequence) => f.write_str(sequence),
            Self::Definition => f.write_str("the definition"),
            Self::ProofOfLevel => f.write_str("the proof"),
        }
    }
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Solutions.
    Solutions,
    /// Solutions that differ by more than a symmetry.
    FundamentalSolutions,
    /// Nodes on this level of the search tree.
    Nodes(usize),
    /// Dead ends on this level of the search tree.
    DeadEnds(usize),
}

impl Quantity {
    fn with(self, number: u64) -> String {
        match self {
            Self::Solutions => counted(number, "solution"),
            Self::FundamentalSolutions => counted(number, "fundamental solution"),
            Self::Nodes(level) => format!("{} on level {level}", counted(number, "node")),
            Self::DeadEnds(level) => format!("{} on level {level}", counted(number, "dead end")),
        }
    }
}

/// The first board that is not a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FirstBoard {
    /// Its columns, which count from 0.
    Text(String),
    /// It does not have one queen in each row.
    Malformed,
    /// It is too large, or shown elsewhere.
    NotShown,
}

/// How an answer is wrong, contradicts another one, or proves less than it seems to. As text, it follows the name of its
/// solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Boards are not solutions.
    IllegalBoards {
        /// How many.
        boards: u64,
        /// The first of them.
        first: FirstBoard,
    },
    /// The number of solutions is not that of the boards.
    ClaimedNumber {
        /// The number of solutions.
        claimed: u64,
        /// The number of boards.
        boards: u64,
    },
    /// It denies that there is a solution.
    NoSolution {
        /// What shows one.
        by: Reference,
    },
    /// The answer claims a solution, but none exists.
    ImpossibleSolution {
        /// What says so.
        by: Reference,
    },
    /// It claims a solution without a board.
    NoBoard,
    /// A number differs.
    OtherNumber {
        /// Of what.
        of: Quantity,
        /// The number of this answer.
        number: u64,
        /// The other number.
        expected: u64,
        /// Whose number it is.
        by: Reference,
    },
    /// Boards are repeated.
    RepeatedBoards {
        /// How many repeat an earlier one.
        repeated: u64,
        /// Of all boards.
        boards: u64,
    },
    /// As many boards, but not the same.
    OtherBoards {
        /// Whose boards it was compared with.
        by: Reference,
    },
    /// Two solvers that go row by row have different first solutions.
    OtherFirst {
        /// The other one.
        by: Reference,
    },
    /// More levels than the search tree has.
    TooManyLevels {
        /// How many.
        levels: usize,
        /// How many there are.
        maximum: usize,
    },
    /// A level of the search is not that of the tree.
    Visits {
        /// The level.
        level: usize,
        /// The fault of a placement of this level.
        fault: BoardFault,
    },
    /// The checker rejects the proof of a level.
    RejectedProof {
        /// The level.
        level: usize,
        /// Why.
        reason: String,
    },
    /// A run that is complete has no number of solutions.
    NoNumber {
        /// The run.
        run: String,
    },
    /// The number is right, but the boards were not checked for repetitions.
    UncheckedBoards,
}

impl Finding {
    /// A number of solutions that differs.
    pub fn of_solutions(number: u64, expected: u64, by: Reference) -> Self {
        Self::OtherNumber { of: Quantity::Solutions, number, expected, by }
    }

    /// The one to report of several comes first. What the boards themselves show, and what denies every other answer, precedes
    /// numbers, and these precede boards.
    pub fn precedence(&self) -> usize {
        match self {
            Self::IllegalBoards { .. } => 0,
            Self::ClaimedNumber { .. } => 1,
            Self::NoSolution { .. } => 2,
            Self::ImpossibleSolution { .. } => 3,
            Self::NoBoard => 4,
            Self::NoNumber { .. } => 5,
            Self::OtherNumber { .. } => 6,
            Self::RepeatedBoards { .. } => 7,
            Self::OtherBoards { .. } => 8,
            Self::OtherFirst { .. } => 9,
            Self::TooManyLevels { .. } => 10,
            Self::Visits { .. } => 11,
            Self::RejectedProof { .. } => 12,
            Self::UncheckedBoards => 13,
        }
    }

    /// The verdict of the answer: wrong if the contradicted fact is certain.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::ImpossibleSolution { by }
            | Self::OtherNumber { by, .. }
            | Self::OtherBoards { by }
            | Self::OtherFirst { by } => match by {
                Reference::Solver(_) => Verdict::Disagree,
                _ => Verdict::Wrong,
            },
            Self::UncheckedBoards => Verdict::Unchecked,
            _ => Verdict::Wrong,
        }
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // What a solver found, and what a publication has.
        let has = |by: &Reference| if matches!(by, Reference::Solver(_)) { "found" } else { "has" };
        match self {
            Self::IllegalBoards { boards, first } => {
                let are = if *boards == 1 {
                    "board that is not a solution"
                } else {
                    "boards that are not solutions"
                };
                write!(f, "found {boards} {are}")?;
                match first {
                    FirstBoard::Text(board) => write!(f, "; the first one: {board}"),
                    FirstBoard::Malformed => {
                        f.write_str("; the first one: a row does not have exactly one queen")
                    }
                    FirstBoard::NotShown => Ok(()),
                }
            }
            Self::ClaimedNumber { claimed, boards } => {
                write!(f, "reported {}, but showed {boards}", counted(*claimed, "solution"))
            }
            Self::NoSolution { by: by @ Reference::Solver(_) } => {
                write!(f, "found no solution, but {by} showed one")
            }
            Self::NoSolution { by } => write!(f, "found no solution, but {by} has one"),
            Self::ImpossibleSolution { by } => write!(f, "claimed a solution, but {by} {} none", has(by)),
            Self::NoBoard => f.write_str("claimed a solution, but showed no board"),
            Self::OtherNumber { of, number, expected, by } => {
                write!(f, "found {}, but {by} {} {expected}", of.with(*number), has(by))
            }
            Self::RepeatedBoards { repeated, boards } => {
                let repeat = if *repeated == 1 { "repeats" } else { "repeat" };
                write!(f, "found {}, of which {repeated} {repeat} an earlier one", counted(*boards, "board"))
            }
            Self::OtherBoards { by } => write!(f, "found as many solutions as {by}, but not the same ones"),
            Self::OtherFirst { by } => write!(f, "found another first solution than {by}"),
            Self::TooManyLevels { levels, maximum } => {
                write!(f, "reports {levels} levels, but the tree has {maximum}")
            }
            Self::Visits { level, fault } => match fault {
                BoardFault::Missing => write!(f, "does not visit a legal placement on level {level}"),
                BoardFault::Duplicate => write!(f, "visits a placement on level {level} twice"),
                BoardFault::Illegal | BoardFault::Extra => {
                    write!(f, "visits an illegal placement on level {level}")
                }
            },
            Self::RejectedProof { level, reason } => {
                write!(
                    f,
                    "visits no other placement on level {level}, but the checker rejects the proof: {reason}"
                )
            }
            Self::NoNumber { run } => write!(f, "has no number of solutions in its complete run {run}"),
            Self::UncheckedBoards => f.write_str(
                "found the right number of solutions, but its boards were not checked for repetitions",
            ),
        }
    }
}
