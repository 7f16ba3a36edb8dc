//! The active clauses, and the check of a lemma by reverse unit propagation (RUP) along its hints, or by the RAT property.
//!
//! All literals of the lemma are assumed to be false. Each hint names a clause that must be unit or false under the current assignment.
//! If the clause is unit, its only literal that is not false becomes true. If the clause is false, there is a conflict, and the lemma
//! follows. No other clauses are propagated.
//!
//! If the first hints end without a conflict, the step may be a RAT step on its first literal, the pivot: every clause with the negated
//! pivot must be satisfied, or have a group of hints that ends in a conflict.
//!
//! Memory: the active clauses, one byte per literal, and the longest step. Cost of a step: the lengths of its hinted clauses. Each hint
//! except the last must assign a variable, so a step over v variables propagates at most v + 1 hints, or v + 1 in each group of a RAT
//! step. A RAT step also visits every active clause.
//! Source: Cruz-Filipe et al., CADE 2017; Heule, Hunt, Kaufmann, Wetzler, ITP 2017.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

use crate::Literal;
use crate::malformed::Malformed;

/// The reason why a step is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A step is malformed, or the proof ends within a step.
    Malformed(Malformed),
    /// The lemma's id belongs to an active clause.
    IdInUse,
    /// A hint does not name an active clause.
    UnknownHint(i64),
    /// A hinted clause has two or more literals that are not false.
    NotUnit(i64),
    /// A hinted clause is already satisfied.
    Satisfied(i64),
    /// The hints end without a conflict.
    NoConflict,
    /// A RAT step has no pivot: its lemma is empty.
    NoPivot,
    /// A RAT step has no group of hints for this clause, which contains the negated pivot.
    Unresolved(u64),
    /// A deletion does not name an active clause.
    UnknownDeletion(i64),
    /// The proof ends without the empty clause.
    NotRefuted,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Malformed(malformed) => malformed.fmt(f),
            Fault::IdInUse => f.write_str("its id belongs to an active clause"),
            Fault::UnknownHint(hint) => write!(f, "hint {hint} does not name an active clause"),
            Fault::NotUnit(hint) => {
                write!(f, "the clause of hint {hint} has more than one literal that is not false")
            }
            Fault::Satisfied(hint) => write!(f, "the clause of hint {hint} is already satisfied"),
            Fault::NoConflict => f.write_str("its hints end without a conflict"),
            Fault::NoPivot => f.write_str("an empty lemma has no pivot to resolve on"),
            Fault::Unresolved(clause) => {
                write!(f, "clause {clause} contains the negated pivot, but has no group of hints")
            }
            Fault::UnknownDeletion(id) => write!(f, "it deletes {id}, which is not an active clause"),
            Fault::NotRefuted => f.write_str("the proof ends without the empty clause"),
        }
    }
}

impl std::error::Error for Fault {}

/// The active clauses.
#[derive(Default)]
pub struct Clauses {
    clauses: HashMap<u64, Box<[Literal]>, IdHasherBuilder>,
    /// By literal, whether it is false during the check of a lemma.
    falsified: Vec<bool>,
    /// The false literals, in the order of assignment.
    trail: Vec<Literal>,
    /// Whether the empty clause was added.
    pub refuted: bool,
}

/// The result of propagation along hints.
#[derive(PartialEq)]
enum Propagation {
    /// A hinted clause is false.
    Conflict,
    /// The hints ended without a conflict.
    NoConflict,
}

impl Clauses {
    /// Adds a clause without a check.
    pub fn add(&mut self, id: u64, clause: &[Literal]) {
        self.make_room(clause);
        self.refuted |= clause.is_empty();
        self.clauses.insert(id, clause.into());
    }

    /// Checks a lemma by its hints, and adds the lemma.
    pub fn add_lemma(&mut self, id: u64, clause: &[Literal], hints: &[i64]) -> Result<(), Fault> {
        if self.clauses.contains_key(&id) {
            return Err(Fault::IdInUse);
        }
        // A RAT step may introduce a variable.
        self.make_room(clause);
        let result = self.check_lemma(clause, hints);
        self.undo(0);
        result?;
        self.add(id, clause);
        Ok(())
    }

    /// Deletes a clause.
    pub fn delete(&mut self, id: i64) -> Result<(), Fault> {
        let clause = u64::try_from(id).ok().and_then(|id| self.clauses.remove(&id));
        clause.map(drop).ok_or(Fault::UnknownDeletion(id))
    }

    /// Allocates memory for the literals of a clause. Must not be called while literals are false. The system maps zeroed pages only
    /// when they are written, so a short file with a large variable is read quickly.
    fn make_room(&mut self, clause: &[Literal]) {
        let literals = clause.iter().map(|literal| (literal.index() | 1) + 1).max().unwrap_or(0);
        let capacity = self.falsified.len();
        if literals > capacity {
            debug_assert!(self.trail.is_empty());
            self.falsified = Vec::new();
            self.falsified = vec![false; literals.max((2 * capacity).min(Literal::CODES))];
        }
    }

    /// Checks that a lemma follows by its hints. Does not undo the assignment.
    fn check_lemma(&mut self, clause: &[Literal], hints: &[i64]) -> Result<(), Fault> {
        for &literal in clause {
            if self.falsified[(!literal).index()] {
                // The lemma is a tautology.
                return Ok(());
            }
            if !std::mem::replace(&mut self.falsified[literal.index()], true) {
                self.trail.push(literal);
            }
        }
        let first_group = hints.iter().position(|&hint| hint < 0).unwrap_or(hints.len());
        let (hints, groups) = hints.split_at(first_group);
        if self.propagate(hints)? == Propagation::Conflict {
            return Ok(());
        }
        match clause {
            [] if groups.is_empty() => Err(Fault::NoConflict),
            [] => Err(Fault::NoPivot),
            // A step without groups is a valid RAT step if the resolvent of every clause with the negated pivot is satisfied.
            [pivot, ..] => self.resolve(!*pivot, groups).map_err(|fault| match fault {
                Fault::Unresolved(_) if groups.is_empty() => Fault::NoConflict,
                fault => fault,
            }),
        }
    }

    /// Propagates the clauses of positive hints, up to a conflict or to the last hint.
    fn propagate(&mut self, hints: &[i64]) -> Result<Propagation, Fault> {
        let Self { clauses, falsified, trail, .. } = self;
        for &hint in hints {
            let clause = clauses.get(&hint.cast_unsigned()).ok_or(Fault::UnknownHint(hint))?;
            let mut unit_literal = None;
            for &literal in clause {
                if falsified[literal.index()] || unit_literal == Some(literal) {
                    continue;
                }
                if unit_literal.replace(literal).is_some() {
                    return Err(Fault::NotUnit(hint));
                }
            }
            let Some(literal) = unit_literal else { return Ok(Propagation::Conflict) };
            // A satisfied clause is refused, so that each hint assigns a variable, and the cost of a step is bounded.
            if std::mem::replace(&mut falsified[(!literal).index()], true) {
                return Err(Fault::Satisfied(hint));
            }
            trail.push(!literal);
        }
        Ok(Propagation::NoConflict)
    }

    /// Checks the RAT property: for every clause with the negated pivot, the resolvent is satisfied, or its group of hints ends in a
    /// conflict.
    fn resolve(&mut self, negated_pivot: Literal, groups: &[i64]) -> Result<(), Fault> {
        let mut hints_by_clause = HashMap::new();
        for group in groups.chunk_by(|_, &next| next > 0) {
            // Each group begins with the negated id of its clause.
            let id = group[0].unsigned_abs();
            let is_candidate = self.clauses.get(&id).is_some_and(|clause| clause.contains(&negated_pivot));
            if !is_candidate || hints_by_clause.insert(id, &group[1..]).is_some() {
                return Err(Fault::UnknownHint(group[0]));
            }
        }
        let candidates = self.clauses.iter().filter(|(_, clause)| clause.contains(&negated_pivot));
        let mut candidates: Vec<u64> = candidates.map(|(&id, _)| id).collect();
        candidates.sort_unstable();
        let trail_length = self.trail.len();
        for id in candidates {
            self.undo(trail_length);
            if self.falsify_except(id, negated_pivot) {
                continue;
            }
            let hints = *hints_by_clause.get(&id).ok_or(Fault::Unresolved(id))?;
            if self.propagate(hints)? != Propagation::Conflict {
                return Err(Fault::NoConflict);
            }
        }
        Ok(())
    }

    /// Makes all literals of a clause except `exception` false. Returns `true` if one of these literals is already true.
    fn falsify_except(&mut self, id: u64, exception: Literal) -> bool {
        let Self { clauses, falsified, trail, .. } = self;
        for &literal in clauses.get(&id).into_iter().flatten().filter(|&&literal| literal != exception) {
            if falsified[(!literal).index()] {
                return true;
            }
            if !falsified[literal.index()] {
                falsified[literal.index()] = true;
                trail.push(literal);
            }
        }
        false
    }

    /// Undoes all assignments except the first `length`.
    fn undo(&mut self, length: usize) {
        for literal in self.trail.drain(length..) {
            self.falsified[literal.index()] = false;
        }
    }
}

/// Hashes ids by one multiplication with a secret number. Looking up hints takes most of the time of a check, and this hasher takes a
/// third of the time of the standard hasher. Because of the secret, the author of a file cannot choose ids that collide.
struct IdHasherBuilder([u64; 2]);

impl Default for IdHasherBuilder {
    fn default() -> Self {
        let random_state = RandomState::new();
        Self([random_state.hash_one(0), random_state.hash_one(1) | 1])
    }
}

impl BuildHasher for IdHasherBuilder {
    type Hasher = IdHasher;

    fn build_hasher(&self) -> IdHasher {
        IdHasher { secret: self.0, hash: 0 }
    }
}

struct IdHasher {
    secret: [u64; 2],
    hash: u64,
}

impl Hasher for IdHasher {
    #[allow(clippy::cast_possible_truncation, reason = "the two halves of the product")]
    fn write_u64(&mut self, id: u64) {
        let product = u128::from(id ^ self.secret[0]) * u128::from(self.secret[1]);
        self.hash = (product >> 64) as u64 ^ product as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.hash ^ u64::from(byte));
        }
    }

    fn finish(&self) -> u64 {
        self.hash
    }
}
