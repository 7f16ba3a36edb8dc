//! Checks LRAT proofs. A formula has no model if every lemma of a proof follows from the clauses that it names, and the
//! last lemma is empty.
//!
//! ```
//! let formula = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";
//! let proof = "5 2 0 1 2 0\n6 0 5 3 4 0\n";
//! let verdict = lrat_check::check(formula.as_bytes(), proof.as_bytes())?;
//! assert!(verdict.is_verified());
//! # Ok::<(), lrat_check::LratReadError>(())
//! ```
//!
//! Small and streaming: it reads one step at a time, follows hints exactly, honours deletions and supports RAT steps.
//! No input makes it panic. Stricter than other checkers where that costs nothing: a deletion must name an active
//! clause, and a lemma must have an unused id.
//!
//! Memory: the active clauses, about 20 bytes each and 4 per literal, and one byte per literal up to the largest variable
//! (at most 2^27 variables). Cost: the lengths of the hinted clauses; a RAT step looks at every clause.
//!
//! Formats: DIMACS CNF; LRAT in text and in binary, told apart by the first byte.
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
    Verified(Checked),
    /// The proof does not show that the formula has no model.
    Rejected(Rejection),
}

impl ProofVerdict {
    /// Whether the proof was accepted.
    pub fn is_verified(&self) -> bool {
        matches!(self, ProofVerdict::Verified(_))
    }
}

/// Counts up to the empty clause; anything after it is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Clauses of the formula.
    pub clauses: u64,
    /// Lemmas, the empty clause included.
    pub lemmas: u64,
    /// Clauses deleted.
    pub deleted: u64,
}

/// The first step that is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// Its number, from 1.
    pub step: u64,
    /// The id of its lemma, if it adds one.
    pub id: Option<u64>,
    /// The offset in the proof at which the step was rejected.
    pub byte: u64,
    /// Why the step is rejected.
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

/// An input that cannot be read; the proof may still be right.
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

/// A step of a proof. A text and a binary proof have the same steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// Adds a lemma.
    Lemma {
        /// Its id.
        id: u64,
        /// Its literals, the pivot of a RAT step first.
        clause: &'a [Literal],
        /// The ids of the clauses from which it follows; a negative one begins a group of a RAT step.
        hints: &'a [i64],
    },
    /// Deletes clauses.
    Deletion {
        /// Their ids.
        ids: &'a [i64],
    },
}

/// The checker uses one byte per literal, up to the largest variable in its input.
pub const MAX_VARIABLE: u32 = 1 << 27;

/// A literal as its code: `2 * variable`, and 1 more for a negation, as binary LRAT writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Literal(u32);

impl Literal {
    /// The limit of codes: every code is smaller.
    pub const CODES: usize = 2 * MAX_VARIABLE as usize + 2;

    /// The literal of a code; `None` if there is none, or if its variable is too large.
    pub fn from_code(code: u64) -> Option<Self> {
        let code = u32::try_from(code).ok()?;
        (1..=MAX_VARIABLE).contains(&(code / 2)).then_some(Self(code))
    }

    /// The literal of a DIMACS number.
    pub fn from_dimacs(number: i64) -> Option<Self> {
        let code = number.unsigned_abs().checked_mul(2)?;
        Self::from_code(code + u64::from(number < 0))
    }

    /// Its DIMACS number.
    pub fn dimacs(self) -> i64 {
        let variable = i64::from(self.0 / 2);
        if self.0 & 1 == 1 { -variable } else { variable }
    }

    /// Its code, as an index.
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

/// Checks that a proof in LRAT, text or binary, shows that a formula in DIMACS CNF has no model.
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
    checked: Checked,
}

impl Checker {
    /// Reads a formula in DIMACS CNF, and passes on each clause.
    ///
    /// # Errors
    ///
    /// The formula is not valid, or cannot be read.
    pub fn read(formula: impl Read, mut each: impl FnMut(&[Literal])) -> Result<Self, LratReadError> {
        let mut checker = Self { clauses: Clauses::default(), checked: Checked::default() };
        let read = formula::read(formula, |clause| {
            checker.checked.clauses += 1;
            checker.clauses.add(checker.checked.clauses, clause);
            each(clause);
        });
        read.map_err(LratReadError::Formula)?;
        Ok(checker)
    }

    /// Checks a proof in LRAT up to its empty clause, and passes on each accepted step. If the formula has an empty
    /// clause, the proof is not read.
    ///
    /// # Errors
    ///
    /// The proof cannot be read.
    pub fn check(
        mut self,
        proof: impl Read,
        mut each: impl FnMut(Step<'_>),
    ) -> Result<ProofVerdict, LratReadError> {
        let mut steps = Steps::new(proof);
        let mut step = 0;
        while !self.clauses.refuted {
            step += 1;
            let taken = self.take(&mut steps);
            if let Some(error) = steps.failure() {
                return Err(LratReadError::Proof(error));
            }
            match taken {
                Ok(Kind::Lemma) => {
                    each(Step::Lemma { id: steps.id, clause: &steps.clause, hints: &steps.hints });
                }
                Ok(Kind::Deletion) => each(Step::Deletion { ids: &steps.hints }),
                Err(fault) => {
                    let is_lemma = steps.id > 0 && !matches!(fault, Fault::UnknownDeletion(_));
                    let id = is_lemma.then_some(steps.id);
                    return Ok(ProofVerdict::Rejected(Rejection { step, id, byte: steps.offset(), fault }));
                }
            }
        }
        Ok(ProofVerdict::Verified(self.checked))
    }

    fn take(&mut self, steps: &mut Steps<impl Read>) -> Result<Kind, Fault> {
        let kind = steps.next().map_err(Fault::Malformed)?.ok_or(Fault::NotRefuted)?;
        match kind {
            Kind::Lemma => {
                self.clauses.lemma(steps.id, &steps.clause, &steps.hints)?;
                self.checked.lemmas += 1;
            }
            Kind::Deletion => {
                for &id in &steps.hints {
                    self.clauses.delete(id)?;
                    self.checked.deleted += 1;
                }
            }
        }
        Ok(kind)
    }
}

#[cfg(test)]
mod tests;
