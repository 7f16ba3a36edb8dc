//! Finds the submissions in a directory. Each file or folder is the submission of one student.

use std::cmp::Ordering;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::build::BuildCommand;
use super::files::{FileState, MAX_FILES, SubmissionFiles, files_below};
use super::programs::{FileKind, kind_of};
use super::{AppError, Event, Observer};
use plaintext::Escaped;

/// The text that follows the name and number of a student in the folder names of Moodle.
const MOODLE_SUFFIX: &str = "_assignsubmission_";

/// A submission as it was at the beginning of a batch.
#[derive(Debug)]
pub(super) struct Submission {
    /// The name of the file or folder, with unprintable characters escaped.
    pub name: String,
    /// The name without the extension, or without the suffix of Moodle.
    pub stem: String,
    pub content: SubmissionContent,
    /// The directory of the files.
    folder: PathBuf,
}

/// The way to judge a submission.
#[derive(Debug)]
pub(super) enum SubmissionContent {
    /// Boards to read.
    PrintOut { path: PathBuf, state: FileState },
    /// A program to run. `main` is its name among the files.
    Program { files: SubmissionFiles, main: PathBuf },
    /// Source code to compile. `main` is the main file.
    Source { files: SubmissionFiles, main: PathBuf },
    /// The submission cannot be judged, for this reason.
    Refused(String),
}

impl Submission {
    /// Whether judging this submission may start a program.
    pub fn may_start_program(&self) -> bool {
        matches!(self.content, SubmissionContent::Program { .. } | SubmissionContent::Source { .. })
    }

    /// Whether the file of the submission, or of its program, was changed or deleted.
    pub fn was_changed(&self) -> bool {
        match &self.content {
            SubmissionContent::PrintOut { path, state } => FileState::at_path(path) != Some(*state),
            SubmissionContent::Program { files, main } | SubmissionContent::Source { files, main } => {
                // Only the main file is checked, because reading all files after each program would take too long.
                files.was_changed(&self.folder, main)
            }
            SubmissionContent::Refused(_) => false,
        }
    }
}

/// The submissions in a directory, in the natural order of their names. Hidden files are ignored. Links are also ignored, because
/// they may lead to files outside the submission.
pub(super) fn submissions_in(
    directory: &Path,
    builds: &[BuildCommand],
    observe: Observer<'_>,
) -> Result<Vec<Submission>, AppError> {
    let name = plaintext::path(directory).to_string();
    let failed = |what: String| move |error| AppError::Io { what, error };
    let directory = directory.canonicalize().map_err(failed(format!("cannot open {name}")))?;
    let entries = fs::read_dir(&directory).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = entries.map_err(failed(format!("cannot read {name}")))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let mut submissions = Vec::new();
    for entry in entries {
        let name = Escaped(entry.file_name().to_string_lossy()).to_string();
        if name.starts_with('.') || name == "__MACOSX" {
            continue;
        }
        let kind = entry.file_type().map_err(failed(format!("cannot read {name}")))?;
        if kind.is_dir() {
            let stem = moodle_name(&name).to_owned();
            let folder = entry.path();
            submissions.push(Submission { stem, content: content_of_folder(&folder, builds), folder, name });
        } else if kind.is_file() {
            match kind_of_submitted_file(&entry.path(), builds) {
                FileKind::Other(what) => observe(Event::Warning(&format!("{name} is ignored: it is {what}"))),
                kind => {
                    let stem =
                        Path::new(&name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    let main = PathBuf::from(entry.file_name());
                    let content = content_of_file(kind, &directory, main, &[]);
                    submissions.push(Submission { name, stem, content, folder: directory.clone() });
                }
            }
        } else {
            let kind_name = if kind.is_symlink() { "a symbolic link" } else { "not a file" };
            observe(Event::Warning(&format!("{name} is ignored: it is {kind_name}")));
        }
    }
    submissions.sort_by(|one, other| natural_order(&one.name, &other.name));
    Ok(submissions)
}

/// The natural order of names: numbers are compared by their values, and letters regardless of case.
fn natural_order(one: &str, other: &str) -> Ordering {
    natord::compare_ignore_case(one, other).then_with(|| one.cmp(other))
}

/// The name of the student in the name of a folder from Moodle: `Ada Lovelace_1234_assignsubmission_file`.
fn moodle_name(folder: &str) -> &str {
    let name_and_id = folder.find(MOODLE_SUFFIX).map(|start| &folder[..start]);
    let student = name_and_id.and_then(|text| text.rsplit_once('_'));
    match student {
        Some((name, id)) if !name.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => folder,
    }
}

/// The kind of a file. If a command of --build compiles the file, it is source code even if an interpreter could run it.
fn kind_of_submitted_file(path: &Path, builds: &[BuildCommand]) -> FileKind {
    if builds.iter().any(|build| build.is_for(path)) { FileKind::Source } else { kind_of(path) }
}

/// The content of a submission whose main file has this kind. `program_files` are all its files; if this list is empty, `main` is the
/// only file.
fn content_of_file(
    kind: FileKind,
    folder: &Path,
    main: PathBuf,
    program_files: &[PathBuf],
) -> SubmissionContent {
    if kind == FileKind::PrintOut {
        let path = folder.join(main);
        // An unreadable file is reported when it is judged.
        let state = FileState::at_path(&path).unwrap_or_default();
        return SubmissionContent::PrintOut { path, state };
    }
    let names = if program_files.is_empty() { std::slice::from_ref(&main) } else { program_files };
    match SubmissionFiles::read(folder, names) {
        Ok(files) if kind == FileKind::Source => SubmissionContent::Source { files, main },
        Ok(files) => SubmissionContent::Program { files, main },
        Err(error) => SubmissionContent::Refused(error.to_string()),
    }
}

/// The only program in the folder of a student, or if there is no program, the only text file.
fn content_of_folder(folder: &Path, builds: &[BuildCommand]) -> SubmissionContent {
    let Some(names) = files_below(folder) else {
        return SubmissionContent::Refused(format!(
            "the folder cannot be read, or has more than {MAX_FILES} files"
        ));
    };
    let files_of_kind = |is_wanted: fn(&FileKind) -> bool| -> Vec<PathBuf> {
        names
            .iter()
            .filter(|name| is_wanted(&kind_of_submitted_file(&folder.join(name), builds)))
            .cloned()
            .collect()
    };
    let programs = files_of_kind(|kind| matches!(kind, FileKind::Program(_) | FileKind::Source));
    let (candidates, noun) = match programs.is_empty() {
        true => (files_of_kind(|kind| *kind == FileKind::PrintOut), "text files"),
        false => (programs, "programs"),
    };
    let Some(main) = main_file(folder, &candidates, builds) else {
        let list = |names: &[PathBuf]| -> String {
            let paths: Vec<_> = names.iter().map(|name| plaintext::path(name).to_string()).collect();
            paths.join(", ")
        };
        return SubmissionContent::Refused(match &candidates[..] {
            [] if names.is_empty() => "the folder is empty".to_owned(),
            [] => format!("the folder has no program, only {}", list(&names)),
            several => format!(
                "the folder has {} {noun}, and it is unclear which one to judge: {}; name one of them main",
                several.len(),
                list(several)
            ),
        });
    };
    content_of_file(kind_of_submitted_file(&folder.join(main), builds), folder, main.clone(), &names)
}

/// The file to start, to compile or to read. The first of these rules that applies chooses the file:
///
/// 1. the only file
/// 2. the only file named `main`
/// 3. the only file named `main` in the topmost folder
/// 4. if all files are compiled together: the only file with a function `main`
/// 5. the only file in the topmost folder
/// 6. if all files are compiled together: the first file
fn main_file<'f>(folder: &Path, files: &'f [PathBuf], builds: &[BuildCommand]) -> Option<&'f PathBuf> {
    let is_main = |name: &&PathBuf| {
        name.file_stem()
            .is_some_and(|stem| ["main", "__main__"].iter().any(|main| stem.eq_ignore_ascii_case(main)))
    };
    let depth = |name: &PathBuf| name.components().count();
    let only_match = |is_wanted: &dyn Fn(&&PathBuf) -> bool| {
        let mut matching = files.iter().filter(is_wanted);
        matching.next().filter(|_| matching.next().is_none())
    };
    let min_depth = files.iter().map(depth).min()?;
    let is_topmost = |name: &&PathBuf| depth(name) == min_depth;
    let has_main_function = |name: &&PathBuf| {
        fs::read(folder.join(name)).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(" main("))
    };
    let are_compiled_together = builds.iter().any(|build| build.is_for_all(files));
    only_match(&|_| true)
        .or_else(|| only_match(&is_main))
        .or_else(|| only_match(&|name| is_main(name) && is_topmost(name)))
        .or_else(|| only_match(&|name| are_compiled_together && has_main_function(name)))
        .or_else(|| only_match(&is_topmost))
        .or_else(|| files.first().filter(|_| are_compiled_together))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submission_names_sort_naturally_ignoring_case() {
        let mut names = ["zoe.py", "Bob2.py", "bob10.py", "Ada.py", "bob1.py"];
        names.sort_by(|one, other| natural_order(one, other));
        assert_eq!(names, ["Ada.py", "bob1.py", "Bob2.py", "bob10.py", "zoe.py"]);
    }

    #[test]
    fn moodle_folder_name_gives_the_student_name() {
        assert_eq!(moodle_name("Ada Lovelace_1234_assignsubmission_file"), "Ada Lovelace");
        assert_eq!(moodle_name("Ada_Lovelace"), "Ada_Lovelace");
        assert_eq!(moodle_name("x_assignsubmission_file"), "x_assignsubmission_file");
    }
}
