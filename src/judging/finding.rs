//! Findings: how answers are wrong or contradict others.

use std::fmt::{self, Display, Formatter};

use super::boards::BoardFault;
use crate::model::{SolverRef, Verdict};
use crate::words::counted;

/// What an answer was compared with, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The answer of this solver.
    Solver(SolverRef),
    /// A published number, by the name of its sequence.
    Published(&'static str),
    /// All solutions, by the definition.
    Definition,
    /// A proof about the problem with this name.
    Problem(String),
    /// The proof of the number of nodes on a level of the search tree.
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

/// A quantity that solvers count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Solutions.
    Solutions,
    /// Solutions that are not equal under rotation and reflection.
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

/// The first illegal board of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FirstBoard {
    /// The columns, which count from 0.
    Text(String),
    /// The board does not have exactly one queen in each row.
    Malformed,
    /// The board is too large for a message, or shown elsewhere.
    NotShown,
}

/// How an answer is wrong, contradicts another one, or remains unproven. The text of a finding follows the name of the solver:
/// `found 3 solutions, but ...`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Boards are not solutions.
    IllegalBoards {
        /// How many.
        boards: u64,
        /// The first such board.
        first: FirstBoard,
    },
    /// The stated number of solutions differs from the number of boards.
    ClaimedNumber {
        /// The number of solutions.
        claimed: u64,
        /// The number of boards.
        boards: u64,
    },
    /// The answer states that no solution exists, but one does.
    NoSolution {
        /// The source of a solution.
        by: Reference,
    },
    /// The answer claims a solution, but none exists.
    ImpossibleSolution {
        /// The source of the proof.
        by: Reference,
    },
    /// The answer states that a solution exists, but does not show it.
    NoBoard,
    /// A number differs from that of the reference.
    OtherNumber {
        /// The quantity.
        of: Quantity,
        /// The number of this answer.
        number: u64,
        /// The number of the reference.
        expected: u64,
        /// The reference.
        by: Reference,
    },
    /// Boards are repeated.
    RepeatedBoards {
        /// The number of boards that repeat an earlier one.
        repeated: u64,
        /// The number of all boards.
        boards: u64,
    },
    /// The number of boards is that of the reference, but the boards differ.
    OtherBoards {
        /// The reference.
        by: Reference,
    },
    /// Two solvers that search row by row have different first solutions.
    OtherFirst {
        /// The other solver.
        by: Reference,
    },
    /// The solver reports more levels than the search tree has.
    TooManyLevels {
        /// How many.
        levels: usize,
        /// The number of levels of the tree.
        maximum: usize,
    },
    /// The placements that a search visits on a level are not exactly the legal ones.
    Visits {
        /// The level.
        level: usize,
        /// How the first such placement differs.
        fault: BoardFault,
    },
    /// The checker rejects the proof of a level.
    RejectedProof {
        /// The level.
        level: usize,
        /// The reason.
        reason: String,
    },
    /// A complete run has no number of solutions.
    NoNumber {
        /// The id of the run.
        run: String,
    },
    /// The number of boards is right, but repeated boards were not detected.
    UncheckedBoards,
}

impl Finding {
    /// The finding that a number of solutions differs.
    pub fn of_solutions(number: u64, expected: u64, by: Reference) -> Self {
        Self::OtherNumber { of: Quantity::Solutions, number, expected, by }
    }

    /// The rank of the finding. Of several findings about an answer, the one with the lowest rank is reported. Illegal boards
    /// and wrong claims about existence precede wrong numbers, and these precede different boards.
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

    /// The verdict of the answer: `wrong` if the reference is certain, `disagree` if it is the answer of a solver.
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
        // Solvers `found` a number; publications and proofs have one.
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
