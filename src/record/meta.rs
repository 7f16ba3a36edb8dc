//! `meta.json`: what was run, by which program, on which machine.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{RecordError, SCHEMA_VERSION, write_atomically};

/// The content of `meta.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct Meta {
    pub schema_version: u32,
    /// Name, question, expectation, cells and runs, as resolved.
    pub plan: serde_json::Value,
    pub plan_sha256: String,
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
    /// Load average over a minute, before and after.
    pub load_before: Option<f64>,
    pub load_after: Option<f64>,
    pub runs: u64,
}

impl Meta {
    /// Its name in a result directory.
    pub const FILE: &'static str = "meta.json";

    /// Writes it to a result directory.
    pub fn write(&self, directory: &Path) -> Result<(), RecordError> {
        let mut text = serde_json::to_string_pretty(self)
            .map_err(std::io::Error::from)
            .map_err(|error| RecordError::io(&directory.join(Self::FILE), error))?;
        text.push('\n');
        write_atomically(&directory.join(Self::FILE), text.as_bytes())
    }

    /// Reads it from a result directory; `None` if there is none.
    pub fn read(directory: &Path) -> Result<Option<Self>, RecordError> {
        let path = directory.join(Self::FILE);
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(RecordError::io(&path, error)),
        };
        let bad = |reason: String| RecordError::Table { path: path.clone(), reason };
        let meta: Self = serde_json::from_slice(&text).map_err(|error| bad(error.to_string()))?;
        if meta.schema_version != SCHEMA_VERSION {
            return Err(bad(format!(
                "schema version {} instead of {SCHEMA_VERSION}: written by another version; choose another --out",
                meta.schema_version
            )));
        }
        Ok(Some(meta))
    }
}
