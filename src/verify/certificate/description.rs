//! The description of a certificate: the content of `p.json`, or of `certificate.json` for a certificate in parts.

use serde::{Deserialize, Serialize};

use super::{CertifyError, Digested, Format, Formula, ProofMethod, Solutions, cube_rows};
use crate::board::problem::{Problem, Variant};
use crate::sat::symmetry::SymmetryGroup;

/// What the descriptions of both kinds state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct Stated {
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
    pub checkers: Vec<CheckedBy>,
    pub enumerate_ns: u64,
    pub prove_ns: u64,
    pub queenlab_version: String,
}

/// The description of a certificate, `p.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct Certificate {
    #[serde(flatten)]
    pub stated: Stated,
    pub method: ProofMethod,
    pub cubes: u64,
    pub formula: Digested,
    pub variables: u64,
    pub clauses: u64,
    pub proof: Digested,
    pub format: Format,
    pub lemmas: u64,
    pub formula_ns: u64,
}

/// How a formula denies only some solutions of each orbit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    #[serde(flatten)]
    pub stated: Stated,
    pub kept: bool,
    pub threads: usize,
    pub parts: Vec<Part>,
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

impl Stated {
    /// Describes a formula whose solutions are denied, without the number of all solutions, checkers and times.
    pub(super) fn of(formula: &Formula, solutions: &Solutions, cube_rows: Vec<usize>, binary: bool) -> Self {
        Self {
            schema_version: 1,
            n: formula.n(),
            variant: formula.problem().to_string(),
            encoding_clauses: formula.encoding_clauses,
            symmetry: BrokenSymmetry::of(formula, solutions),
            cube_rows,
            binary,
            queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
            ..Self::default()
        }
    }

    /// How symmetry is broken; the claim that none is, in the same words.
    pub(super) fn broken(&self) -> BrokenSymmetry {
        let none = || BrokenSymmetry { representatives: self.solutions, ..BrokenSymmetry::default() };
        self.symmetry.clone().unwrap_or_else(none)
    }

    /// The statements about the files of a part, as those of a certificate of its own. The problem is that of the part,
    /// which requires `required` queens more than the whole.
    pub(super) fn of_part(&self, part: &Part, problem: &Problem, required: usize) -> Certificate {
        let broken = BrokenSymmetry { representatives: part.solutions, ..self.broken() };
        let encoding_clauses = self.encoding_clauses.saturating_add(required as u64);
        Certificate {
            method: ProofMethod::Cubes,
            cubes: 1,
            formula: part.formula.clone(),
            variables: (self.n * self.n) as u64,
            clauses: encoding_clauses.saturating_add(broken.clauses).saturating_add(part.solutions),
            proof: part.proof.clone(),
            format: Format::Lrat,
            lemmas: part.lemmas,
            formula_ns: 0,
            stated: Stated {
                variant: problem.to_string(),
                solutions: part.solutions,
                encoding_clauses,
                symmetry: Some(broken),
                ..self.clone()
            },
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
        let (all, solutions_sha256) = solutions.all()?;
        let cube_rows = if method == ProofMethod::Cubes { cube_rows(solutions) } else { Vec::new() };
        let stated = Stated::of(formula, solutions, cube_rows, binary);
        Ok(Self {
            stated: Stated { solutions: all, solutions_sha256, ..stated },
            method,
            cubes,
            formula: Digested::default(),
            variables: u64::from(formula.cnf.variables()),
            clauses: formula.cnf.len() as u64,
            proof: Digested::default(),
            format,
            lemmas,
            formula_ns: 0,
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
