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
    fn with_number(self, number: u64) -> String {
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
    /// The column of the queen in each row, counted from 0.
    Text(String),
    /// The board does not have exactly one queen in each row.
    Malformed,
    /// The board is too large for a message, or is printed elsewhere.
    NotShown,
}

/// How an answer is wrong, contradicts another one, or remains unproven. The text of a finding follows the name of the solver:
/// `found 3 solutions, but ...`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Boards are not solutions.
    IllegalBoards {
        /// The number of these boards.
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
    /// The answer states that no solution exists, but a solution exists.
    NoSolution {
        /// The source of a solution.
        reference: Reference,
    },
    /// The answer claims a solution, but no solution exists.
    ImpossibleSolution {
        /// The source of the proof.
        reference: Reference,
    },
    /// The answer states that a solution exists, but contains no board.
    NoBoard,
    /// A number differs from that of the reference.
    OtherNumber {
        /// The quantity.
        quantity: Quantity,
        /// The number of this answer.
        number: u64,
        /// The number of the reference.
        expected: u64,
        /// The reference.
        reference: Reference,
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
        reference: Reference,
    },
    /// Two solvers that search row by row have different first solutions.
    OtherFirst {
        /// The other solver.
        reference: Reference,
    },
    /// The solver reports more levels than the search tree has.
    TooManyLevels {
        /// The number of reported levels.
        levels: usize,
        /// The number of levels of the tree.
        maximum: usize,
    },
    /// The placements that a search visits on a level are not exactly the legal placements of the level.
    WrongVisit {
        /// The level.
        level: usize,
        /// The fault of the first placement that is missing, repeated or illegal.
        fault: BoardFault,
    },
    /// The checker rejects the proof that a search visits all legal placements of a level.
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
    pub fn of_solutions(number: u64, expected: u64, reference: Reference) -> Self {
        Self::OtherNumber { quantity: Quantity::Solutions, number, expected, reference }
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
            Self::WrongVisit { .. } => 11,
            Self::RejectedProof { .. } => 12,
            Self::UncheckedBoards => 13,
        }
    }

    /// The verdict of the answer: `wrong` if the reference is certain, `disagree` if it is the answer of a solver.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::ImpossibleSolution { reference }
            | Self::OtherNumber { reference, .. }
            | Self::OtherBoards { reference }
            | Self::OtherFirst { reference } => match reference {
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
        // The text says that a solver `found` a number, and that a publication or a proof `has` it.
        let verb_for =
            |reference: &Reference| if matches!(reference, Reference::Solver(_)) { "found" } else { "has" };
        match self {
            Self::IllegalBoards { boards, first } => {
                let board_description = if *boards == 1 {
                    "board that is not a solution"
                } else {
                    "boards that are not solutions"
                };
                write!(f, "found {boards} {board_description}")?;
                match first {
                    FirstBoard::Text(board) => write!(f, "; the first one: {board}"),
                    FirstBoard::Malformed => {
                        f.write_str("; the first one: a row does not have exactly one queen")
                    }
                    FirstBoard::NotShown => Ok(()),
                }
            }
            Self::ClaimedNumber { claimed, boards } => {
                write!(
                    f,
                    "reported {}, but showed {}",
                    counted(*claimed, "solution"),
                    counted(*boards, "board")
                )
            }
            Self::NoSolution { reference: reference @ Reference::Solver(_) } => {
                write!(f, "found no solution, but {reference} showed one")
            }
            Self::NoSolution { reference } => write!(f, "found no solution, but {reference} has one"),
            Self::ImpossibleSolution { reference } => {
                write!(f, "claimed a solution, but {reference} {} none", verb_for(reference))
            }
            Self::NoBoard => f.write_str("claimed a solution, but showed no board"),
            Self::OtherNumber { quantity, number, expected, reference } => {
                write!(
                    f,
                    "found {}, but {reference} {} {expected}",
                    quantity.with_number(*number),
                    verb_for(reference)
                )
            }
            Self::RepeatedBoards { repeated, boards } => {
                let verb = if *repeated == 1 { "repeats" } else { "repeat" };
                write!(f, "found {}, of which {repeated} {verb} an earlier one", counted(*boards, "board"))
            }
            Self::OtherBoards { reference } => {
                write!(f, "found as many solutions as {reference}, but not the same ones")
            }
            Self::OtherFirst { reference } => write!(f, "found another first solution than {reference}"),
            Self::TooManyLevels { levels, maximum } => {
                write!(f, "reports {levels} levels, but the tree has {maximum}")
            }
            Self::WrongVisit { level, fault } => match fault {
                BoardFault::Missing => write!(f, "does not visit a legal placement on level {level}"),
                BoardFault::Duplicate => write!(f, "visits a placement on level {level} twice"),
                BoardFault::Illegal | BoardFault::Extra => {
                    write!(f, "visits an illegal placement on level {level}")
                }
            },
            Self::RejectedProof { level, reason } => {
                write!(
                    f,
                    "visits only legal placements on level {level}, but the checker rejects the proof that it visits all of them: {reason}"
                )
            }
            Self::NoNumber { run } => write!(f, "has no number of solutions in its complete run {run}"),
            Self::UncheckedBoards => f.write_str(
                "found the right number of solutions, but its boards were not checked for repetitions",
            ),
        }
    }
}
