//! `meta.json`: what was run, by which program, on which machine.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{RecordError, SCHEMA_VERSION, bytes, write_derived};

/// The content of `meta.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct Meta {
    pub schema_version: u32,
    /// Name, question, expectation, cells and runs, as resolved.
    pub plan: serde_json::Value,
    pub plan_sha256: String,
    /// Cells of earlier plans that have rows here and are not in this one, as in its `cells`.
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

/// The machine. Model, cores and operating system say whether it is the same one.
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

/// One call of the command that wrote here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct Session {
    pub started_at: String,
    pub ended_at: Option<String>,
    pub argv: Vec<String>,
    /// Runs side by side.
    #[serde(default = "one")]
    pub jobs: usize,
    /// Load average over a minute, before and after.
    pub load_before: Option<f64>,
    pub load_after: Option<f64>,
    pub runs: u64,
    /// What disturbs measurements, at the beginning.
    #[serde(default)]
    pub findings: Vec<Finding>,
}

/// What a check of the machine found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct Finding {
    pub check: String,
    pub health: Health,
    pub found: String,
    /// What to do, if there is something to mend.
    pub advice: Option<String>,
}

/// Whether something disturbs measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// It does not.
    Fine,
    /// It does.
    Disturbs,
    /// The system does not tell.
    Unknown,
}

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Health::Fine => "fine",
            Health::Disturbs => "disturbs",
            Health::Unknown => "unknown",
        })
    }
}

fn one() -> usize {
    1
}

impl Meta {
    /// Its name in a result directory.
    pub const FILE: &'static str = "meta.json";

    /// Writes it to a result directory.
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

    /// Reads it from a result directory; `None` if there is none.
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

    /// Reads the text of the file; `path` names it in errors.
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
