//! The built-in checker of LRAT proofs. A formula has no model if every lemma of a proof follows from the
//! clauses that it names, and the last lemma is empty.
//!
//! Small and streaming: it reads one step at a time, follows hints exactly, honours deletions and supports RAT
//! steps. It shares no code with the writers of formulas and proofs. No input makes it panic.
//! Stricter than other checkers where that costs nothing: a deletion must name an active clause, and a lemma
//! must have an unused id.
//! Memory: the active clauses, about 20 bytes each and 4 per literal, and one byte per literal up to the
//! largest variable (at most 2^27 variables). Formats: see `steps.rs`.

mod bytes;
mod clauses;
mod formula;
mod literal;
mod steps;

use std::fmt;
use std::io::{self, Read};

use clauses::Clauses;
pub use clauses::Fault;
pub(super) use steps::{Kind, Steps};

/// The result of checking a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The formula has no model.
    Verified(Checked),
    /// The proof does not show that the formula has no model.
    Rejected(Rejection),
}

impl Verdict {
    /// Whether the proof was accepted.
    pub fn is_verified(&self) -> bool {
        matches!(self, Verdict::Verified(_))
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
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The formula is not valid DIMACS CNF.
    #[error("the formula is unreadable: {0}")]
    Formula(String),
    /// Reading the proof failed.
    #[error("cannot read the proof: {0}")]
    Proof(#[from] io::Error),
}

/// Checks that a proof in LRAT, text or binary, shows that a formula in DIMACS CNF has no model.
pub fn check(formula: impl Read, proof: impl Read) -> Result<Verdict, ReadError> {
    Ok(Checker::of(formula, |_| {})?.check(proof, |_, _| {})?.0)
}

/// A formula against which a proof can be checked.
pub(super) struct Checker {
    clauses: Clauses,
    checked: Checked,
}

impl Checker {
    /// Reads a formula in DIMACS CNF and passes on each clause.
    pub fn of(formula: impl Read, mut each: impl FnMut(&[i64])) -> Result<Self, ReadError> {
        let mut checker = Self { clauses: Clauses::default(), checked: Checked::default() };
        let mut numbers = Vec::new();
        formula::read(formula, |clause| {
            checker.checked.clauses += 1;
            checker.clauses.add(checker.checked.clauses, clause);
            numbers.clear();
            numbers.extend(clause.iter().map(|literal| literal.dimacs()));
            each(&numbers);
        })
        .map_err(ReadError::Formula)?;
        Ok(checker)
    }

    /// Checks a proof in LRAT up to its empty clause, and passes on each accepted step. Also returns whether the
    /// proof is binary.
    pub fn check<R: Read>(
        self,
        proof: R,
        mut each: impl FnMut(Kind, &Steps<R>),
    ) -> io::Result<(Verdict, bool)> {
        let Self { mut clauses, mut checked } = self;
        let mut steps = Steps::new(proof);
        let mut step = 0;
        while !clauses.refuted() {
            step += 1;
            let outcome = take(&mut steps, &mut clauses, &mut checked);
            if let Some(error) = steps.failure() {
                return Err(error);
            }
            match outcome {
                Ok(kind) => each(kind, &steps),
                Err(fault) => {
                    let id =
                        (steps.id > 0 && !matches!(fault, Fault::UnknownDeletion(_))).then_some(steps.id);
                    let rejection = Rejection { step, id, byte: steps.offset(), fault };
                    return Ok((Verdict::Rejected(rejection), steps.is_binary()));
                }
            }
        }
        Ok((Verdict::Verified(checked), steps.is_binary()))
    }
}

/// Reads a proof in DRAT up to its empty clause or its end, and passes on each step. Returns the number of lemmas.
/// Checks the syntax of the steps only.
pub(super) fn read_drat<R: Read>(
    proof: R,
    binary: bool,
    mut each: impl FnMut(Kind, &Steps<R>),
) -> io::Result<Result<u64, Rejection>> {
    let mut steps = Steps::without_hints(proof, binary);
    let (mut step, mut lemmas) = (0, 0);
    loop {
        step += 1;
        let next = steps.next();
        if let Some(error) = steps.failure() {
            return Err(error);
        }
        match next {
            Ok(Some(kind)) => {
                each(kind, &steps);
                lemmas += u64::from(kind == Kind::Lemma);
                if kind == Kind::Lemma && steps.clause.is_empty() {
                    return Ok(Ok(lemmas));
                }
            }
            Ok(None) => return Ok(Ok(lemmas)),
            Err(reason) => {
                let (byte, fault) = (steps.offset(), Fault::Malformed(reason));
                return Ok(Err(Rejection { step, id: None, byte, fault }));
            }
        }
    }
}

fn take<R: Read>(steps: &mut Steps<R>, clauses: &mut Clauses, checked: &mut Checked) -> Result<Kind, Fault> {
    let kind = steps.next().map_err(Fault::Malformed)?.ok_or(Fault::NotRefuted)?;
    match kind {
        Kind::Lemma => {
            clauses.lemma(steps.id, &steps.clause, &steps.hints)?;
            checked.lemmas += 1;
        }
        Kind::Deletion => {
            for &id in &steps.hints {
                clauses.delete(id)?;
                checked.deleted += 1;
            }
        }
    }
    Ok(kind)
}

#[cfg(test)]
mod tests;
