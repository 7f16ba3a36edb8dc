//! `meta.json`: the version of queenlab, the machine and the sessions of a result.

use std::collections::BTreeMap;
use std::path::Path;

use plaintext::{explain_serde_error, one_line};
use runlab::Session;
use runlab::machine::Machine;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::table::{OTHER_VERSION_ADVICE, decode_text};
use super::{RecordError, SCHEMA_VERSION, bytes_if_any, write_derived};

/// The content of `meta.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each key")]
pub struct Meta {
    pub schema_version: u32,
    pub queenlab_version: String,
    pub git_revision: Option<String>,
    pub git_dirty: Option<bool>,
    pub executable_sha256: String,
    pub rustc: String,
    pub target: String,
    pub target_features: String,
    pub cargo_lock_sha256: Option<String>,
    /// The version of each solver of the plan, by id.
    pub solvers: BTreeMap<String, String>,
    /// The SHA-256 of each file that a command names. Each key is the name of the file as written in the command.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// The shard of the plan that was run, as in `3/64`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// Digests of the expectation and the claims when the first session started; `None` in results of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<Statements>,
    pub machine: Machine,
    pub sessions: Vec<Session>,
    pub warnings: Vec<String>,
}

/// SHA-256 digests of the statements that an experiment makes about its results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statements {
    /// The digest of `expected`, if the experiment has this key.
    pub expected: Option<String>,
    /// The digests of the claims.
    pub claims: Vec<String>,
}

/// A problem that was read from a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstanceText {
    /// The size of the board.
    pub n: usize,
    /// The canonical text of the problem.
    pub problem: String,
    /// The path of the file, as in the command line or the experiment.
    pub path: String,
    /// SHA-256 of the file.
    pub sha256: String,
}

/// Escapes unprintable characters in all texts of a JSON value.
fn make_one_line(value: &mut Value) {
    match value {
        Value::String(text) => *text = one_line(text).into_owned(),
        Value::Array(values) => values.iter_mut().for_each(make_one_line),
        Value::Object(object) => {
            let escaped = std::mem::take(object).into_iter().map(|(key, mut value)| {
                make_one_line(&mut value);
                (one_line(&key).into_owned(), value)
            });
            *object = escaped.collect();
        }
        _ => {}
    }
}

impl Meta {
    /// Name of the file in a result directory.
    pub const FILE: &'static str = "meta.json";

    /// Writes the file to a result directory.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn write(&self, directory: &Path) -> Result<(), RecordError> {
        let path = directory.join(Self::FILE);
        write_derived(&path, self.to_json().as_bytes())
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        plaintext::json(
            &serde_json::to_string_pretty(self).expect("it has only texts, numbers and lists of them"),
        ) + "\n"
    }

    /// Reads the file from a result directory; `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or the errors of [`Self::parse`].
    pub fn read(directory: &Path) -> Result<Option<Self>, RecordError> {
        let path = directory.join(Self::FILE);
        bytes_if_any(&path)?.map(|text| Self::parse(&path, &text)).transpose()
    }

    /// Parses the text of the file; `path` is the name used in errors.
    ///
    /// # Errors
    ///
    /// The file has another version, or is not a valid `meta.json`; the error gives the line.
    pub fn parse(path: &Path, text: &[u8]) -> Result<Self, RecordError> {
        let (Meta { files, .. }, meta) = parse_json(path, text)?;
        // Names of files are not escaped, because they are compared with those of the experiment.
        Ok(Meta { files, ..meta })
    }
}

/// Parses a JSON file of a result directory. Returns the value twice: unchanged, and with unprintable characters escaped, for
/// printing. `path` is the name used in errors.
///
/// # Errors
///
/// The file has another version, or is not valid; the error gives the line.
pub(crate) fn parse_json<T: DeserializeOwned>(path: &Path, text: &[u8]) -> Result<(T, T), RecordError> {
    let error = |error: serde_json::Error| RecordError::table(path, explain_serde_error(&error.to_string()));
    let text = decode_text(path, text)?;
    // The version is read first, because another version has other keys.
    #[derive(Deserialize)]
    struct Version {
        schema_version: u32,
    }
    let Version { schema_version } = serde_json::from_str(&text).map_err(error)?;
    if schema_version != SCHEMA_VERSION {
        return Err(RecordError::table(
            path,
            format!("schema version {schema_version}: {OTHER_VERSION_ADVICE}"),
        ));
    }
    // Only parsing the text into the final type gives errors with a line number.
    let value_from_text = serde_json::from_str(&text).map_err(error)?;
    let mut value: Value = serde_json::from_str(&text).map_err(error)?;
    make_one_line(&mut value);
    Ok((value_from_text, serde_json::from_value(value).map_err(error)?))
}
