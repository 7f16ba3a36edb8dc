//! The description of a certificate, `certificate.json`: what it claims, and its parts. Shared by the makers of certificates
//! and the audit.

use std::path::Path;

use plaintext::misread;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{DescriptionError, LARGEST_FILE, LONGEST, VERSION, hexadecimal};
use queens_board::BoardSize;
use queens_board::problem::{Problem, Variant};

/// The largest board of plain queens: n = 17 has 95,815,104 solutions, and the audit would hold each of them.
const LARGEST_BOARD: usize = 16;

/// The largest board of other problems, which may have few solutions.
const LARGEST_OTHER: usize = 32;

/// A certificate. Its parts have one formula and one proof each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct Certificate {
    pub schema_version: u32,
    pub n: usize,
    #[serde(default = "plain", skip_serializing_if = "is_plain")]
    pub variant: String,
    pub solutions: u64,
    pub solutions_sha256: String,
    pub method: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symmetry: Option<BrokenSymmetry>,
    pub cube_rows: Vec<usize>,
    pub kept: bool,
    pub parts: Vec<Part>,
    pub checkers: Vec<CheckedBy>,
    pub threads: usize,
    pub enumerate_ns: u64,
    pub prove_ns: u64,
    pub queenlab_version: String,
}

/// How the formulas deny only some solutions of each orbit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct BrokenSymmetry {
    pub rows: Vec<usize>,
    pub clauses: u64,
}

/// A part of a certificate: the solutions with the queens of its cube.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct Part {
    pub cube: Vec<usize>,
    pub solutions: u64,
    pub formula: Digested,
    pub proof: Digested,
    pub lemmas: u64,
}

/// A file of a certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digested {
    /// Its name, beside the description.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
}

/// A checker that accepted the proofs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/CERTIFICATES.md defines each key")]
pub struct CheckedBy {
    pub name: String,
    pub parts: usize,
    pub check_ns: u64,
}

impl Digested {
    /// A file with this content.
    pub fn of(file: String, content: &[u8]) -> Self {
        Self { file, bytes: content.len() as u64, sha256: hexadecimal(&Sha256::digest(content)) }
    }
}

impl Certificate {
    /// A description of a problem, without claims and parts.
    pub fn new(problem: &Problem) -> Self {
        Self {
            schema_version: VERSION,
            n: problem.n().get(),
            variant: problem.to_string(),
            ..Self::default()
        }
    }

    /// The number of solutions that the parts deny.
    pub fn denied(&self) -> u64 {
        self.parts.iter().map(|part| part.solutions).fold(0, u64::saturating_add)
    }

    /// The content of the file.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("texts and numbers are JSON") + "\n"
    }

    /// Reads the content of a file.
    ///
    /// # Errors
    ///
    /// It is not a description, or one that the audit does not accept.
    pub fn parse(json: &[u8]) -> Result<Self, DescriptionError> {
        #[derive(Deserialize)]
        struct Versioned {
            schema_version: u32,
        }
        if json.len() as u64 > LONGEST {
            return Err(DescriptionError::Long);
        }
        let json = plaintext::utf8(json).map_err(DescriptionError::NotUtf8)?;
        let error = |error: serde_json::Error| DescriptionError::Json(misread(&error.to_string()));
        let Versioned { schema_version } = serde_json::from_str(&json).map_err(error)?;
        if schema_version != VERSION {
            return Err(DescriptionError::Version(schema_version));
        }
        let certificate: Self = serde_json::from_str(&json).map_err(error)?;
        certificate.problem().map(|_| certificate)
    }

    /// The problem that the certificate is about, if its audit can begin.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be audited.
    pub fn problem(&self) -> Result<Problem, DescriptionError> {
        let (n, variant) = (self.n, &self.variant);
        let (maximum, problems) = match is_plain(variant) {
            true => (LARGEST_BOARD, "plain queens"),
            false => (LARGEST_OTHER, "other problems"),
        };
        let size = BoardSize::new(n).ok().filter(|size| size.get() <= maximum);
        let size = size.ok_or(DescriptionError::LargeBoard { n, maximum, problems })?;
        let problem = Problem::from_text(size, variant);
        let text = || variant.clone();
        let problem = problem.map_err(|error| DescriptionError::Problem { text: text(), error })?;
        if problem.to_string() != *variant {
            return Err(DescriptionError::NotCanonical { text: text(), problem: Box::new(problem) });
        }
        if self.symmetry.as_ref().is_some_and(|broken| broken.rows.len() > n) {
            return Err(DescriptionError::SymmetryRows(n));
        }
        let mut files = self.parts.iter().flat_map(|part| [&part.formula, &part.proof]);
        files.try_for_each(Digested::is_acceptable).map(|()| problem)
    }
}

impl Digested {
    fn is_acceptable(&self) -> Result<(), DescriptionError> {
        let Self { file, bytes, .. } = self;
        if Path::new(file).file_name().is_none_or(|name| name != file.as_str()) {
            return Err(DescriptionError::FileName(file.clone()));
        }
        if *bytes > LARGEST_FILE {
            return Err(DescriptionError::LargeFile { file: file.clone(), bytes: *bytes });
        }
        Ok(())
    }
}

/// The text of plain queens, which descriptions leave out.
fn plain() -> String {
    Variant::Queens.name().to_owned()
}

fn is_plain(variant: &str) -> bool {
    variant == Variant::Queens.name()
}
