//! What was handed in: the files and folders of a directory, each a submission of one student.

use std::cmp::Ordering;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::programs::{FileKind, kind_of};
use super::{AppError, Event, Observer};
use plaintext::Escaped;

/// The largest size of a program with the files beside it, in bytes: they are kept in memory.
const LARGEST_SUBMISSION: u64 = 64 << 20;

/// What stands behind the name of a student in the names of the folders that Moodle packs.
const MOODLE: &str = "_assignsubmission_";

/// A submission, as it was when the batch began.
#[derive(Debug)]
pub(super) struct HandedIn {
    /// The name of its file or folder, safe to print on a terminal.
    pub name: String,
    /// The same without the extension, or without what Moodle adds.
    pub stem: String,
    pub work: Work,
    /// The directory of its files.
    home: PathBuf,
}

/// What is to be done with a submission.
#[derive(Debug)]
pub(super) enum Work {
    /// Boards to read.
    PrintOut(PathBuf),
    /// A program to run, by its name among these files.
    Program { files: Files, main: PathBuf },
    /// Source code to compile.
    Source { files: Files, main: PathBuf },
    /// Nothing that can be judged, and why.
    Refused(String),
}

/// The files of a program, by their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Files(Vec<(PathBuf, Content)>);

#[derive(Clone, Debug)]
struct Content {
    bytes: Vec<u8>,
    permissions: Permissions,
}

impl HandedIn {
    /// Whether one of its programs may run.
    pub fn runs(&self) -> bool {
        matches!(self.work, Work::Program { .. } | Work::Source { .. })
    }

    /// Whether the file of the program is not any more what it was.
    pub fn was_changed(&self) -> bool {
        let (Work::Program { files, main } | Work::Source { files, main }) = &self.work else { return false };
        let before = files.0.iter().find(|(name, _)| name == main);
        before.is_some_and(|(_, file)| fs::read(self.home.join(main)).ok().as_ref() != Some(&file.bytes))
    }
}

impl Files {
    fn read(directory: &Path, names: &[PathBuf]) -> Result<Self, String> {
        let (mut files, mut bytes) = (Vec::new(), 0);
        for name in names {
            let path = directory.join(name);
            let failed =
                |error| Escaped(format_args!("cannot read {}: {error}", plaintext::path(name))).to_string();
            let file = path.metadata().map_err(failed)?;
            bytes += file.len();
            if bytes > LARGEST_SUBMISSION {
                return Err(format!("its files are larger than {} MiB", LARGEST_SUBMISSION >> 20));
            }
            let content =
                Content { bytes: fs::read(&path).map_err(failed)?, permissions: file.permissions() };
            files.push((name.clone(), content));
        }
        Ok(Self(files))
    }

    /// Adds an executable file.
    pub fn add(&mut self, name: &str, bytes: Vec<u8>) {
        self.0.push((name.into(), Content { bytes, permissions: Permissions::from_mode(0o755) }));
    }

    /// Writes the files into a directory.
    pub fn write_to(&self, directory: &Path) -> io::Result<()> {
        for (name, content) in &self.0 {
            let path = directory.join(name);
            fs::write(&path, &content.bytes)?;
            // The owner can always read and replace it.
            let mode = content.permissions.mode() | 0o600;
            fs::set_permissions(&path, Permissions::from_mode(mode))?;
        }
        Ok(())
    }
}

/// The submissions in a directory, in the natural order of their names. Hidden files are ignored, and so are links: they may
/// lead to files that nobody handed in.
pub(super) fn handed_in(directory: &Path, observe: Observer<'_>) -> Result<Vec<HandedIn>, AppError> {
    let shown = plaintext::path(directory).to_string();
    let failed = |what: String| move |error| AppError::Io { what, error };
    let directory = directory.canonicalize().map_err(failed(format!("cannot open {shown}")))?;
    let entries = fs::read_dir(&directory).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = entries.map_err(failed(format!("cannot read {shown}")))?;
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
            let home = entry.path();
            submissions.push(HandedIn { stem, work: folder(&home), home, name });
        } else if kind.is_file() {
            match kind_of(&entry.path()) {
                FileKind::Other(what) => observe(Event::Warning(&format!("{name} is ignored: it is {what}"))),
                kind => {
                    let stem =
                        Path::new(&name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    let main = PathBuf::from(entry.file_name());
                    let work = work(kind, &directory, main, &[]);
                    submissions.push(HandedIn { name, stem, work, home: directory.clone() });
                }
            }
        } else {
            let what = if kind.is_symlink() { "a symbolic link" } else { "not a file" };
            observe(Event::Warning(&format!("{name} is ignored: it is {what}")));
        }
    }
    submissions.sort_by(|one, other| natural(&one.name, &other.name));
    Ok(submissions)
}

/// Numbers by their values, and small letters beside capitals.
fn natural(one: &str, other: &str) -> Ordering {
    natord::compare_ignore_case(one, other).then_with(|| one.cmp(other))
}

/// The name of a student in that of a folder from Moodle: `Ada Lovelace_1234_assignsubmission_file`.
fn moodle_name(folder: &str) -> &str {
    let before = folder.find(MOODLE).map(|at| &folder[..at]);
    let student = before.and_then(|before| before.rsplit_once('_'));
    match student {
        Some((name, id)) if !name.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => folder,
    }
}

fn work(kind: FileKind, home: &Path, main: PathBuf, beside: &[PathBuf]) -> Work {
    if kind == FileKind::PrintOut {
        return Work::PrintOut(home.join(main));
    }
    let names = if beside.is_empty() { std::slice::from_ref(&main) } else { beside };
    match Files::read(home, names) {
        Ok(files) if kind == FileKind::Source => Work::Source { files, main },
        Ok(files) => Work::Program { files, main },
        Err(reason) => Work::Refused(reason),
    }
}

/// The one program in a folder of a student, or else the one print-out.
fn folder(home: &Path) -> Work {
    let Ok(entries) = fs::read_dir(home) else {
        return Work::Refused("the folder cannot be read".to_owned());
    };
    let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let is_hidden = |name: &PathBuf| name.to_string_lossy().starts_with('.');
    let mut names: Vec<PathBuf> =
        entries.flatten().filter(is_file).map(|entry| entry.file_name().into()).collect();
    names.retain(|name| !is_hidden(name));
    names.sort();
    let is_of = |name: &PathBuf, is_wanted: fn(&FileKind) -> bool| is_wanted(&kind_of(&home.join(name)));
    let all_of = |is_wanted: fn(&FileKind) -> bool| -> Vec<PathBuf> {
        names.iter().filter(|name| is_of(name, is_wanted)).cloned().collect()
    };
    let programs = all_of(|kind| matches!(kind, FileKind::Program(_) | FileKind::Source));
    let candidates = if programs.is_empty() { all_of(|kind| *kind == FileKind::PrintOut) } else { programs };
    let is_main = |name: &&PathBuf| {
        name.file_stem()
            .is_some_and(|stem| ["main", "__main__"].iter().any(|main| stem.eq_ignore_ascii_case(main)))
    };
    let main = match &candidates[..] {
        [] => return Work::Refused("the folder has no program".to_owned()),
        [only] => only,
        several => match several.iter().find(is_main) {
            Some(main) => main,
            None => {
                let shown: Vec<_> = several.iter().map(|name| plaintext::path(name).to_string()).collect();
                let reason = format!(
                    "the folder has {} programs, and none is called main: {}",
                    several.len(),
                    shown.join(", ")
                );
                return Work::Refused(reason);
            }
        },
    };
    work(kind_of(&home.join(main)), home, main.clone(), &names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_natural_order_in_any_case() {
        let mut names = ["zoe.py", "Bob2.py", "bob10.py", "Ada.py", "bob1.py"];
        names.sort_by(|one, other| natural(one, other));
        assert_eq!(names, ["Ada.py", "bob1.py", "Bob2.py", "bob10.py", "zoe.py"]);
    }

    #[test]
    fn folders_of_moodle_have_names_of_students() {
        assert_eq!(moodle_name("Ada Lovelace_1234_assignsubmission_file"), "Ada Lovelace");
        assert_eq!(moodle_name("Ada_Lovelace"), "Ada_Lovelace");
        assert_eq!(moodle_name("x_assignsubmission_file"), "x_assignsubmission_file");
    }
}
