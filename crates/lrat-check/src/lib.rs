//! Checks LRAT proofs. A formula is unsatisfiable if every lemma of a proof follows from the clauses that the hints of the lemma name,
//! and the last lemma is the empty clause.
//!
//! ```
//! let formula = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";
//! let proof = "5 2 0 1 2 0\n6 0 5 3 4 0\n";
//! let verdict = lrat_check::check(formula.as_bytes(), proof.as_bytes())?;
//! assert!(verdict.is_verified());
//! # Ok::<(), lrat_check::LratReadError>(())
//! ```
//!
//! The checker is small. It reads one step at a time, follows hints exactly, performs deletions and supports RAT steps.
//! It does not panic on any input. It has two rules that other checkers may not have: a deletion must name an active clause, and
//! the id of a lemma must not belong to an active clause.
//!
//! Memory: about 20 bytes for each active clause, 4 bytes for each of its literals, and one byte for each literal of the variables up
//! to the largest variable (at most 2^27). Cost: the lengths of the hinted clauses; a RAT step also visits every active clause.
//!
//! Formats: DIMACS CNF; LRAT in text and in binary, which are distinguished by the first byte.
//! Source: Cruz-Filipe et al., Efficient Certified RAT Verification, CADE 2017.

mod bytes;
mod clauses;
mod formula;
mod malformed;
mod steps;

use std::fmt;
use std::io::{self, Read};
use std::ops::Not;

use clauses::Clauses;
pub use clauses::Fault;
pub use malformed::{FormulaError, FormulaFault, Malformed};
use steps::{Kind, Steps};

/// The result of checking a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofVerdict {
    /// The formula has no model.
    Verified(ProofCounts),
    /// The proof does not show that the formula has no model.
    Rejected(Rejection),
}

impl ProofVerdict {
    /// Whether the proof was accepted.
    pub fn is_verified(&self) -> bool {
        matches!(self, ProofVerdict::Verified(_))
    }
}

/// The numbers of clauses and steps up to the empty clause. Later steps are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofCounts {
    /// The number of clauses of the formula.
    pub clauses: u64,
    /// The number of lemmas, including the empty clause.
    pub lemmas: u64,
    /// The number of deleted clauses.
    pub deletions: u64,
}

/// The first invalid step of a proof, and the reason why the step is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The number of the step, from 1.
    pub step: u64,
    /// The id of the lemma, if the step adds a lemma.
    pub id: Option<u64>,
    /// The offset in the proof at which the step was rejected.
    pub byte: u64,
    /// The reason.
    pub fault: Fault,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}", self.step)?;
        if let Some(id) = self.id {
            write!(f, " (lemma {id})")?;
        }
        write!(f, ", before byte {}: {}", self.byte, self.fault)
    }
}

/// The reason why an input cannot be read. The validity of the proof is unknown then.
#[derive(Debug)]
pub enum LratReadError {
    /// The formula is not valid DIMACS CNF, or reading it failed.
    Formula(FormulaError),
    /// Reading the proof failed.
    Proof(io::Error),
}

impl fmt::Display for LratReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LratReadError::Formula(reason) => write!(f, "the formula is unreadable: {reason}"),
            LratReadError::Proof(error) => write!(f, "cannot read the proof: {error}"),
        }
    }
}

impl std::error::Error for LratReadError {}

/// A step of a proof in text or binary format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// Adds a lemma.
    Lemma {
        /// The id of the lemma.
        id: u64,
        /// The literals of the lemma; the pivot of a RAT step comes first.
        clause: &'a [Literal],
        /// The ids of the clauses from which the lemma follows. A negative id begins a group of a RAT step.
        hints: &'a [i64],
    },
    /// Deletes clauses.
    Deletion {
        /// The ids of the clauses.
        ids: &'a [i64],
    },
}

/// The largest variable that the checker supports. The checker needs two bytes for each variable up to the largest variable in its input.
pub const MAX_VARIABLE: u32 = 1 << 27;

/// A literal as its code in binary LRAT: `2 * variable` for a variable, and `2 * variable + 1` for its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Literal(u32);

impl Literal {
    /// The exclusive upper bound of codes.
    pub const CODES: usize = 2 * MAX_VARIABLE as usize + 2;

    /// The literal of a code; `None` if the code is not valid, or if the variable is too large.
    pub fn from_code(code: u64) -> Option<Self> {
        let code = u32::try_from(code).ok()?;
        (1..=MAX_VARIABLE).contains(&(code / 2)).then_some(Self(code))
    }

    /// The literal of a DIMACS number; `None` for 0, or if the variable is too large.
    pub fn from_dimacs(number: i64) -> Option<Self> {
        let code = number.unsigned_abs().checked_mul(2)?;
        Self::from_code(code + u64::from(number < 0))
    }

    /// The DIMACS number of the literal.
    pub fn dimacs(self) -> i64 {
        let variable = i64::from(self.0 / 2);
        if self.0 & 1 == 1 { -variable } else { variable }
    }

    /// The code of the literal, as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 & 1 == 1 { "-" } else { "" };
        write!(f, "{sign}{}", self.0 / 2)
    }
}

/// Checks whether a proof in text or binary LRAT proves that a formula in DIMACS CNF is unsatisfiable.
///
/// # Errors
///
/// An input cannot be read, or the formula is not valid.
pub fn check(formula: impl Read, proof: impl Read) -> Result<ProofVerdict, LratReadError> {
    Checker::read(formula, |_| {})?.check(proof, |_| {})
}

/// A formula against which a proof can be checked.
pub struct Checker {
    clauses: Clauses,
    counts: ProofCounts,
}

impl Checker {
    /// Reads a formula in DIMACS CNF, and passes each clause to `on_clause`.
    ///
    /// # Errors
    ///
    /// The formula is not valid, or cannot be read.
    pub fn read(formula: impl Read, mut on_clause: impl FnMut(&[Literal])) -> Result<Self, LratReadError> {
        let mut checker = Self { clauses: Clauses::default(), counts: ProofCounts::default() };
        let result = formula::read(formula, |clause| {
            checker.counts.clauses += 1;
            checker.clauses.add(checker.counts.clauses, clause);
            on_clause(clause);
        });
        result.map_err(LratReadError::Formula)?;
        Ok(checker)
    }

    /// Checks a proof in LRAT up to its empty clause, and passes each accepted step to `on_step`. If the formula contains the empty
    /// clause, the proof is not read.
    ///
    /// # Errors
    ///
    /// The proof cannot be read.
    pub fn check(
        mut self,
        proof: impl Read,
        mut on_step: impl FnMut(Step<'_>),
    ) -> Result<ProofVerdict, LratReadError> {
        let mut steps = Steps::new(proof);
        let mut step = 0;
        while !self.clauses.refuted {
            step += 1;
            let result = self.apply_next(&mut steps);
            if let Some(error) = steps.failure() {
                return Err(LratReadError::Proof(error));
            }
            match result {
                Ok(Kind::Lemma) => {
                    on_step(Step::Lemma { id: steps.id, clause: &steps.clause, hints: &steps.hints });
                }
                Ok(Kind::Deletion) => on_step(Step::Deletion { ids: &steps.hints }),
                Err(fault) => {
                    let id = (steps.id > 0).then_some(steps.id);
                    return Ok(ProofVerdict::Rejected(Rejection { step, id, byte: steps.offset(), fault }));
                }
            }
        }
        Ok(ProofVerdict::Verified(self.counts))
    }

    /// Reads the next step, checks it, and adds or deletes its clauses.
    fn apply_next(&mut self, steps: &mut Steps<impl Read>) -> Result<Kind, Fault> {
        let kind = steps.next().map_err(Fault::Malformed)?.ok_or(Fault::NotRefuted)?;
        match kind {
            Kind::Lemma => {
                self.clauses.add_lemma(steps.id, &steps.clause, &steps.hints)?;
                self.counts.lemmas += 1;
            }
            Kind::Deletion => {
                for &id in &steps.hints {
                    self.clauses.delete(id)?;
                    self.counts.deletions += 1;
                }
            }
        }
        Ok(kind)
    }
}

#[cfg(test)]
mod tests;
