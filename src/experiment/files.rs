//! Digests of the files that a command names, so that a changed program is noticed.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::command;
use crate::experiment::plan::Plan;
use crate::record::sha256_of_file;

/// Digests of files by path; caches them so that each file is read once.
pub type Known = HashMap<PathBuf, String>;

/// The SHA-256 of each regular file that a command names, keyed by the word that names it: the program, which
/// is looked up on PATH, and every argument that is the path of a file. An unreadable file has the value
/// `unreadable`.
pub fn of_command(words: &[String], known: &mut Known) -> BTreeMap<String, String> {
    let Some((program, arguments)) = words.split_first() else { return BTreeMap::new() };
    let named = arguments.iter().map(|word| (word, PathBuf::from(word)));
    let program = command::find(program).map(|path| (program, path));
    let files = program.into_iter().chain(named).filter(|(_, path)| path.is_file());
    files.map(|(word, path)| (word.clone(), digest(path, known))).collect()
}

fn digest(path: PathBuf, known: &mut Known) -> String {
    let sha256 = |path: &Path| sha256_of_file(path).unwrap_or_else(|_: io::Error| "unreadable".to_owned());
    known.entry(path).or_insert_with_key(|path| sha256(path)).clone()
}

/// The files that have changed since the plan was made, as in `mine.py of program/mine`.
pub fn changed_since(plan: &Plan) -> Vec<String> {
    let then = serde_json::to_value(plan).unwrap_or_default();
    let now = serde_json::to_value(plan.clone().with_files()).unwrap_or_default();
    changes(&then, &now).into_iter().map(|change| change.to_string()).collect()
}

/// A file that has the same name in two plans but different content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The solver whose command names the file.
    pub solver: String,
    /// The word of the command that names the file.
    pub file: String,
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.file, self.solver)
    }
}

/// The files that differ between two plans in the form that `meta.json` stores; each file once.
pub fn changes(old: &Value, new: &Value) -> Vec<Change> {
    let (old, new) = (files(old), files(new));
    let differs = |(named, digest): (&(String, String), &&str)| {
        let then = old.get(named)?;
        (then != digest).then(|| Change { solver: named.0.clone(), file: named.1.clone() })
    };
    new.iter().filter_map(differs).collect()
}

/// The digests in a plan, keyed by solver and file.
fn files(plan: &Value) -> BTreeMap<(String, String), &str> {
    let cells = plan.get("cells").and_then(Value::as_array).into_iter().flatten();
    let mut found = BTreeMap::new();
    for cell in cells {
        let Some(solver) = cell.get("solver").and_then(Value::as_str) else { continue };
        for (file, digest) in cell.get("files").and_then(Value::as_object).into_iter().flatten() {
            if let Some(digest) = digest.as_str() {
                found.insert((solver.to_owned(), file.clone()), digest);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_digests_of_its_program_and_of_files_among_its_arguments() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let script = directory.path().join("mine.sh").display().to_string();
        std::fs::write(&script, "echo 1").expect("written");
        let words: Vec<String> = ["sh", &script, "8", directory.path().to_str().expect("UTF-8"), "/dev/null"]
            .map(str::to_owned)
            .into();
        let digests = |words: &[String]| of_command(words, &mut Known::new());
        let before = digests(&words);
        let names: Vec<&str> = before.keys().map(String::as_str).collect();
        assert_eq!(names, [script.as_str(), "sh"], "a folder and a device are no files");
        std::fs::write(&script, "echo 2").expect("written");
        let after = digests(&words);
        assert_ne!(before[&script], after[&script]);
        assert_eq!(before["sh"], after["sh"]);
        assert_eq!(digests(&["no-such-program".to_owned()]), BTreeMap::new());
        assert_eq!(digests(&[]), BTreeMap::new());
    }
}
