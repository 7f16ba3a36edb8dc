//! The description of a certificate, `certificate.json`: its claims and its parts. `certify` writes descriptions and the audit reads
//! them with the types of this file.

use std::path::Path;

use plaintext::explain_serde_error;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{DescriptionError, MAX_DESCRIPTION_BYTES, MAX_FILE_BYTES, VERSION, hexadecimal};
use queens_board::BoardSize;
use queens_board::problem::{Problem, Variant};

/// The largest board of plain queens. The audit holds all solutions in memory, and for n = 17, there are 95,815,104 solutions.
const MAX_PLAIN_SIZE: usize = 16;

/// The largest board of other problems, which may have few solutions.
const MAX_OTHER_SIZE: usize = 32;

/// A certificate. Each part has one formula and one proof.
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

/// The symmetry breaking of a certificate, whose formulas deny only some solutions of each orbit.
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
    /// The name of the file, which is in the directory of the description.
    pub file: String,
    /// The size of the file, in bytes.
    pub bytes: u64,
    /// The SHA-256 digest, in lower-case hexadecimal digits.
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
    /// Describes a file with this name and content.
    pub fn of(file: String, content: &[u8]) -> Self {
        Self { file, bytes: content.len() as u64, sha256: hexadecimal(&Sha256::digest(content)) }
    }
}

impl Certificate {
    /// Creates the description of a problem, without claims and parts.
    pub fn new(problem: &Problem) -> Self {
        Self {
            schema_version: VERSION,
            n: problem.n().get(),
            variant: problem.to_string(),
            ..Self::default()
        }
    }

    /// The number of solutions that the parts deny.
    pub fn denied_solutions(&self) -> u64 {
        self.parts.iter().map(|part| part.solutions).fold(0, u64::saturating_add)
    }

    /// The content of the description file.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("texts and numbers are JSON") + "\n"
    }

    /// Parses the content of a description file.
    ///
    /// # Errors
    ///
    /// The content is not a description, or the audit does not support it.
    pub fn parse(json: &[u8]) -> Result<Self, DescriptionError> {
        #[derive(Deserialize)]
        struct Versioned {
            schema_version: u32,
        }
        if json.len() as u64 > MAX_DESCRIPTION_BYTES {
            return Err(DescriptionError::Long);
        }
        let json = plaintext::utf8(json).map_err(DescriptionError::NotUtf8)?;
        let error =
            |error: serde_json::Error| DescriptionError::Json(explain_serde_error(&error.to_string()));
        let Versioned { schema_version } = serde_json::from_str(&json).map_err(error)?;
        if schema_version != VERSION {
            return Err(DescriptionError::Version(schema_version));
        }
        let certificate: Self = serde_json::from_str(&json).map_err(error)?;
        certificate.problem().map(|_| certificate)
    }

    /// The problem of the certificate.
    ///
    /// # Errors
    ///
    /// The audit does not support the problem.
    pub fn problem(&self) -> Result<Problem, DescriptionError> {
        let (n, variant) = (self.n, &self.variant);
        let (maximum, problems) = match is_plain(variant) {
            true => (MAX_PLAIN_SIZE, "plain queens"),
            false => (MAX_OTHER_SIZE, "other problems"),
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
        files.try_for_each(Digested::check_claims).map(|()| problem)
    }
}

impl Digested {
    /// Checks that the name is a plain file name, and that the size is below the limit.
    fn check_claims(&self) -> Result<(), DescriptionError> {
        let Self { file, bytes, .. } = self;
        if Path::new(file).file_name().is_none_or(|name| name != file.as_str()) {
            return Err(DescriptionError::FileName(file.clone()));
        }
        if *bytes > MAX_FILE_BYTES {
            return Err(DescriptionError::LargeFile { file: file.clone(), bytes: *bytes });
        }
        Ok(())
    }
}

/// The text of the plain queens problem, which is the default in descriptions.
fn plain() -> String {
    Variant::Queens.name().to_owned()
}

fn is_plain(variant: &str) -> bool {
    variant == Variant::Queens.name()
}
