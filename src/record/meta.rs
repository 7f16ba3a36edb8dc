//! `meta.json`: the plan, the program and the machine of a result.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{RecordError, SCHEMA_VERSION, bytes, write_derived};

/// The content of `meta.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct Meta {
    pub schema_version: u32,
    /// Name, question, expectation and cells of the resolved plan.
    pub plan: serde_json::Value,
    pub plan_sha256: String,
    /// Cells of earlier plans that have rows here but are not in the current plan, in the format of its
    /// `cells`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier_cells: Vec<serde_json::Value>,
    pub order_seed: u64,
    pub queenlab_version: String,
    pub git_revision: Option<String>,
    pub git_dirty: Option<bool>,
    pub executable_sha256: String,
    pub rustc: String,
    pub target: String,
    pub target_features: String,
    pub cargo_lock_sha256: Option<String>,
    pub solver_versions: std::collections::BTreeMap<String, String>,
    pub machine: Machine,
    pub sessions: Vec<Session>,
    pub warnings: Vec<String>,
}

/// The machine. It counts as the same one if model, cores and operating system are the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct Machine {
    pub host: String,
    pub os: String,
    pub kernel: String,
    pub cpu_model: String,
    pub cores: usize,
    pub governor: Option<String>,
    pub turbo: Option<bool>,
    pub memory_bytes: Option<u64>,
}

/// One call of the command that wrote to the directory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct Session {
    pub started_at: String,
    pub ended_at: Option<String>,
    pub argv: Vec<String>,
    /// Number of parallel jobs.
    #[serde(default = "one")]
    pub jobs: usize,
    /// Load average over a minute, before and after.
    pub load_before: Option<f64>,
    pub load_after: Option<f64>,
    pub runs: u64,
    /// What could disturb measurements when the session began.
    #[serde(default)]
    pub findings: Vec<Finding>,
}

/// The result of one check of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct Finding {
    pub check: String,
    pub health: Health,
    pub found: String,
    /// What the user can do about the problem, if there is one.
    pub advice: Option<String>,
}

/// Whether something disturbs measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// Nothing disturbs measurements.
    Fine,
    /// Measurements are disturbed.
    Disturbs,
    /// The system does not provide the information.
    Unknown,
}

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

fn one() -> usize {
    1
}

impl Meta {
    /// Name of the file in a result directory.
    pub const FILE: &'static str = "meta.json";

    /// Writes the file to a result directory.
    pub fn write(&self, directory: &Path) -> Result<(), RecordError> {
        let path = directory.join(Self::FILE);
        let text = self.to_json().map_err(|error| RecordError::io(&path, error))?;
        write_derived(&path, text.as_bytes())
    }

    /// The text of the file.
    pub fn to_json(&self) -> std::io::Result<String> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }

    /// Reads the file from a result directory; `None` if it does not exist.
    pub fn read(directory: &Path) -> Result<Option<Self>, RecordError> {
        let path = directory.join(Self::FILE);
        let text = match bytes(&path) {
            Ok(text) => text,
            Err(RecordError::Io { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        Self::parse(&path, &text).map(Some)
    }

    /// Parses the text of the file; `path` is the name used in errors.
    pub fn parse(path: &Path, text: &[u8]) -> Result<Self, RecordError> {
        let bad = |reason: String| RecordError::Table { path: path.to_owned(), reason };
        let meta: Self = serde_json::from_slice(text).map_err(|error| bad(error.to_string()))?;
        if meta.schema_version != SCHEMA_VERSION {
            return Err(bad(format!(
                "schema version {} instead of {SCHEMA_VERSION}: written by another version; start over with --fresh, or choose another --out",
                meta.schema_version
            )));
        }
        Ok(meta)
    }
}
