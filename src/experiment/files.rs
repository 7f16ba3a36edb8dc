//! Digests of the files that a command names, so that a changed program is noticed.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use crate::command;
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
