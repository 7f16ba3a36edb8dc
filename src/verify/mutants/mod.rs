//! Deliberate faults, which show what each check can catch.
//!
//! Wrong searchers (`edits`), wrong formulas (`encodings`) and wrong certificates (`proofs`) go through the
//! same checks as the right ones: the cross-check, the judge of `queenlab check`, a certificate and its
//! audit. A [`Trial`] records which check caught a mutant, from which size on, and with which board.
//! Cost: seconds for n <= 8. Some mutants visit n! nodes, hence [`LARGEST_BOARD`].

mod edits;
mod encodings;
mod proofs;
mod searchers;

use std::collections::BTreeMap;

use super::Shown;
use crate::board::{BoardSize, Placement};
use crate::registry::Registry;
use crate::solver::{SolveError, Solver};

/// The largest board for mutants.
pub const LARGEST_BOARD: usize = 9;

/// A solver that enumerates correctly.
const REFERENCE: &str = "sat/pairwise/varisat";

words! {
    /// A check that can catch a mutant.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Check {
        /// The number of boards differs from A000170.
        Count = "count",
        /// The number of boards that are the first of their symmetric images differs from A002562.
        Classes = "classes",
        /// The boards differ from the boards that SAT finds.
        Set = "set",
        /// A board is not a solution.
        Legality = "legality",
        /// The nodes or dead ends of a level differ from A319284.
        Profile = "profile",
        /// `queenlab check` reports another order of the boards than the searcher claims.
        Order = "order",
        /// `queenlab check` reports that the boards are wrong.
        Judge = "check",
        /// No certificate can be made, or the checker rejects its proof.
        Proof = "proof",
        /// The audit of a certificate rejects it.
        Audit = "audit",
    }
}

words! {
    /// The kind of a mutant.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Kind {
        /// A searcher.
        Searcher = "searcher",
        /// A formula, or how its models are read.
        Encoding = "encoding",
        /// A certificate: formula, proof, description.
        Proof = "proof",
    }
}

impl Kind {
    /// The checks that a mutant of this kind goes through.
    pub fn checks(self) -> &'static [Check] {
        use Check::{Audit, Classes, Count, Judge, Legality, Order, Profile, Proof, Set};
        match self {
            Kind::Searcher => &[Count, Classes, Set, Legality, Profile, Order, Judge, Proof],
            Kind::Encoding => &[Count, Classes, Set, Legality, Proof, Audit],
            Kind::Proof => &[Proof, Audit],
        }
    }
}

/// The result for one mutant.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Its kind.
    pub kind: Kind,
    /// Its name.
    pub name: &'static str,
    /// The original.
    pub of: &'static str,
    /// The fault, in a sentence.
    pub wrong: &'static str,
    /// The checks that caught it, each with the smallest board on which it did.
    pub caught: BTreeMap<Check, usize>,
    /// The message on the smallest board on which it was caught.
    pub message: Option<String>,
    /// The smallest board size with a board that shows the fault, and that board.
    pub board: Option<(usize, Shown, Placement)>,
}

impl Trial {
    fn new(kind: Kind, name: &'static str, of: &'static str, wrong: &'static str) -> Self {
        Self { kind, name, of, wrong, caught: BTreeMap::new(), message: None, board: None }
    }

    /// Whether any check caught it.
    pub fn is_caught(&self) -> bool {
        !self.caught.is_empty()
    }

    /// The smallest board on which it was caught.
    pub fn n(&self) -> Option<usize> {
        self.caught.values().min().copied()
    }

    /// Records that a check caught it; sizes come in ascending order.
    fn caught(&mut self, n: usize, check: Check, message: String, board: Option<(Shown, Placement)>) {
        self.caught.entry(check).or_insert(n);
        self.message.get_or_insert(message);
        if let Some((shown, placement)) = board {
            self.board.get_or_insert((n, shown, placement));
        }
    }
}

/// Tries every mutant at these sizes. Sizes outside 1 to [`LARGEST_BOARD`] are left out.
pub fn all(sizes: impl IntoIterator<Item = BoardSize>) -> Result<Vec<Trial>, SolveError> {
    let mut sizes: Vec<BoardSize> =
        sizes.into_iter().filter(|n| (1..=LARGEST_BOARD).contains(&n.get())).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let searchers = searchers::trials(&edits::all(), &sizes)?;
    let encodings = encodings::trials(&encodings::all(), &sizes)?;
    let proofs = proofs::trials(&sizes)
        .map_err(|error| SolveError::Failed { id: "certify".to_owned(), reason: error.to_string() })?;
    Ok([searchers, encodings, proofs].concat())
}

/// Cross-checks mutants, each with its trial, against [`REFERENCE`].
fn crosscheck(solvers: &[&dyn Solver], trials: &mut [Trial], n: BoardSize) -> Result<(), SolveError> {
    use crate::board::known::{FUNDAMENTAL_SOURCE, PROFILE_SOURCE, SOLUTIONS_SOURCE};
    let registry = Registry::builtin();
    let reference = registry
        .get(REFERENCE)
        .map_err(|error| SolveError::Failed { id: REFERENCE.to_owned(), reason: error.to_string() })?;
    let entrants: Vec<super::crosscheck::Entrant<'_>> =
        solvers.iter().copied().chain([reference]).map(super::crosscheck::Entrant::new).collect();
    let report = super::crosscheck::crosscheck(
        &entrants,
        [crate::board::problem::Problem::queens(n)],
        &super::crosscheck::Unobserved,
    )?;
    for found in report.discrepancies {
        let Some(trial) = trials.iter_mut().find(|trial| trial.name == found.solver) else { continue };
        let check = match found.against.as_str() {
            SOLUTIONS_SOURCE => Check::Count,
            FUNDAMENTAL_SOURCE => Check::Classes,
            PROFILE_SOURCE => Check::Profile,
            "board" => Check::Legality,
            _ => Check::Set,
        };
        trial.caught(n.get(), check, found.what, found.board);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
