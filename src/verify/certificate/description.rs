//! The description of a certificate: the content of `p.json`, or of `certificate.json` for a certificate in parts.

use serde::{Deserialize, Serialize};

use super::{CertifyError, Digested, Format, Formula, ProofMethod, Solutions, cube_rows};
use crate::board::problem::{Problem, Variant};
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Vec<u16>>,
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

/// The description of a certificate in parts, one formula and one proof per cube.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct Composition {
    pub schema_version: u32,
    pub n: usize,
    #[serde(default = "plain", skip_serializing_if = "is_plain")]
    pub variant: String,
    pub solutions: u64,
    pub solutions_sha256: String,
    pub encoding_clauses: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symmetry: Option<BrokenSymmetry>,
    pub cube_rows: Vec<usize>,
    pub binary: bool,
    pub kept: bool,
    pub parts: Vec<Part>,
    pub checkers: Vec<CheckedBy>,
    pub threads: usize,
    pub enumerate_ns: u64,
    pub prove_ns: u64,
    pub queenlab_version: String,
}

/// A part of a certificate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct Part {
    pub cube: Vec<usize>,
    pub solutions: u64,
    pub formula: Digested,
    pub proof: Digested,
    pub lemmas: u64,
}

impl Composition {
    /// Describes parts whose formulas begin like this one, without the parts, checkers and times.
    pub(super) fn new(formula: &Formula, solutions: &Solutions, cube_rows: &[usize], binary: bool) -> Self {
        Self {
            schema_version: 1,
            n: formula.n(),
            variant: formula.problem().to_string(),
            solutions: 0,
            solutions_sha256: String::new(),
            encoding_clauses: formula.encoding_clauses,
            symmetry: BrokenSymmetry::of(formula, solutions),
            cube_rows: cube_rows.to_vec(),
            binary,
            kept: false,
            parts: Vec::new(),
            checkers: Vec::new(),
            threads: 1,
            enumerate_ns: 0,
            prove_ns: 0,
            queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// How symmetry is broken; the claim that none is, in the same words.
    pub(super) fn broken(&self) -> BrokenSymmetry {
        let none = || BrokenSymmetry { rows: Vec::new(), clauses: 0, representatives: self.solutions };
        self.symmetry.clone().unwrap_or_else(none)
    }

    /// The statements about the files of a part, as those of a certificate of its own. The problem is that of the part,
    /// which requires `required` queens more than the whole.
    pub(super) fn certificate(&self, part: &Part, problem: &Problem, required: usize) -> Certificate {
        let broken = BrokenSymmetry { representatives: part.solutions, ..self.broken() };
        let encoding_clauses = self.encoding_clauses.saturating_add(required as u64);
        Certificate {
            schema_version: self.schema_version,
            n: self.n,
            variant: problem.to_string(),
            solutions: part.solutions,
            solutions_sha256: String::new(),
            first: None,
            method: ProofMethod::Cubes,
            cube_rows: self.cube_rows.clone(),
            cubes: 1,
            formula: part.formula.clone(),
            variables: (self.n * self.n) as u64,
            encoding_clauses,
            clauses: encoding_clauses.saturating_add(broken.clauses).saturating_add(part.solutions),
            symmetry: Some(broken),
            proof: part.proof.clone(),
            format: Format::Lrat,
            binary: self.binary,
            lemmas: part.lemmas,
            checkers: Vec::new(),
            enumerate_ns: 0,
            formula_ns: 0,
            prove_ns: 0,
            queenlab_version: String::new(),
        }
    }
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
    ) -> Result<Self, CertifyError> {
        let n = formula.n();
        let (all, solutions_sha256) = solutions.all()?;
        let in_rows = method == ProofMethod::Cubes && solutions.first().is_none();
        Ok(Self {
            schema_version: 1,
            n,
            variant: formula.problem().to_string(),
            solutions: all,
            solutions_sha256,
            first: solutions.first().map(<[u16]>::to_vec),
            method,
            cube_rows: if in_rows { cube_rows(solutions) } else { Vec::new() },
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
        })
    }
}

/// A checker that accepted the proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct CheckedBy {
    pub name: String,
    pub check_ns: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<usize>,
}
