//! The description of a certificate: the content of `p.json`.

use serde::{Deserialize, Serialize};

use super::{Digested, Format, Formula, ProofMethod, Solutions, cube_rows};
use crate::board::problem::Variant;
use crate::sat::symmetry::SymmetryGroup;

/// The description of a certificate, `p.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct Certificate {
    pub schema_version: u32,
    pub n: usize,
    #[serde(default = "plain", skip_serializing_if = "is_plain")]
    pub variant: String,
    pub solutions: u64,
    pub solutions_sha256: String,
    pub method: ProofMethod,
    pub cube_rows: Vec<usize>,
    pub cubes: u64,
    pub formula: Digested,
    pub variables: u64,
    pub encoding_clauses: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symmetry: Option<BrokenSymmetry>,
    pub clauses: u64,
    pub proof: Digested,
    pub format: Format,
    pub binary: bool,
    pub lemmas: u64,
    pub checkers: Vec<CheckedBy>,
    pub enumerate_ns: u64,
    pub formula_ns: u64,
    pub prove_ns: u64,
    pub queenlab_version: String,
}

/// How a formula denies only some solutions of each orbit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct BrokenSymmetry {
    pub rows: Vec<usize>,
    pub clauses: u64,
    pub representatives: u64,
}

impl BrokenSymmetry {
    /// `None` if the condition is that no symmetry is broken.
    fn of(formula: &Formula, solutions: &Solutions) -> Option<Self> {
        let breaking = solutions.breaking();
        let rows = [breaking.row(), breaking.tie_row()].into_iter().filter(|&row| row < formula.n());
        (breaking.symmetry() != SymmetryGroup::None).then(|| Self {
            rows: rows.collect(),
            clauses: formula.symmetry_clauses,
            representatives: solutions.len() as u64,
        })
    }
}

/// The text of plain queens, which certificates leave out.
fn plain() -> String {
    Variant::Queens.name().to_owned()
}

pub(super) fn is_plain(variant: &str) -> bool {
    variant == Variant::Queens.name()
}

impl Certificate {
    /// Describes a formula and its proof, without files, checkers and times.
    pub(in crate::verify) fn new(
        method: ProofMethod,
        (format, binary): (Format, bool),
        formula: &Formula,
        solutions: &Solutions,
        [cubes, lemmas]: [u64; 2],
    ) -> Self {
        let n = formula.n();
        let (all, solutions_sha256) = solutions.all();
        Self {
            schema_version: 1,
            n,
            variant: formula.problem().to_string(),
            solutions: all,
            solutions_sha256: solutions_sha256.to_owned(),
            method,
            cube_rows: if method == ProofMethod::Cubes { cube_rows(solutions) } else { Vec::new() },
            cubes,
            formula: Digested::default(),
            variables: u64::from(formula.cnf.variables()),
            encoding_clauses: formula.encoding_clauses,
            symmetry: BrokenSymmetry::of(formula, solutions),
            clauses: formula.cnf.len() as u64,
            proof: Digested::default(),
            format,
            binary,
            lemmas,
            checkers: Vec::new(),
            enumerate_ns: 0,
            formula_ns: 0,
            prove_ns: 0,
            queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// A checker that accepted the proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct CheckedBy {
    pub name: String,
    pub check_ns: u64,
}
