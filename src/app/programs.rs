//! Finds the command that starts a user's program in a file.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::command::{find, joined, quoted};
use crate::experiment::plan::{Plan, ProgramCall};
use crate::record::Row;
use crate::solver::Goal;

/// The interpreters of scripts, by file name extension.
const INTERPRETERS: [(&str, &[&str]); 14] = [
    ("py", &["python3"]),
    ("js", &["node"]),
    ("mjs", &["node"]),
    ("rb", &["ruby"]),
    ("sh", &["sh"]),
    ("bash", &["bash"]),
    ("pl", &["perl"]),
    ("lua", &["lua"]),
    ("php", &["php"]),
    ("jl", &["julia"]),
    ("r", &["Rscript"]),
    ("java", &["java"]),
    ("jar", &["java", "-jar"]),
    ("go", &["go", "run"]),
];

/// Extensions of text files with boards. The permissions of these files are ignored, because on some file systems every file is
/// executable.
const TEXT_FILES: [&str; 6] = ["txt", "out", "csv", "json", "log", "md"];

/// Extensions of source code that must be compiled before it runs.
const SOURCES: [&str; 37] = [
    "adb", "asm", "c", "c++", "cc", "clj", "cpp", "cs", "cxx", "d", "dart", "erl", "ex", "f", "f03", "f08",
    "f90", "f95", "for", "fs", "hs", "ipynb", "kt", "lhs", "lisp", "m", "ml", "nim", "pas", "pp", "rs", "s",
    "scala", "swift", "ts", "vb", "zig",
];

/// The kinds of files that are neither programs nor texts with boards, with their extensions.
const OTHER_FILES: [(&str, &[&str]); 4] = [
    ("an image", &["png", "jpg", "jpeg", "gif", "bmp", "webp", "heic", "ico", "tiff"]),
    ("an archive", &["zip", "tar", "gz", "tgz", "bz2", "xz", "7z", "rar"]),
    ("a document", &["pdf", "doc", "docx", "odt", "rtf", "html", "htm", "tex"]),
    (
        "part of a program",
        &["h", "hh", "hpp", "class", "o", "obj", "pyc", "hi", "cmi", "cmo", "toml", "lock"],
    ),
];

/// The kind of a file in a batch of submissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A program, with the command that starts it.
    Program(Vec<OsString>),
    /// Source code that must be compiled first.
    Source,
    /// A text with boards.
    PrintOut,
    /// Another kind of file, with the name of the kind.
    Other(&'static str),
}

/// The kind of a file, determined from its name, its permissions and its first line.
pub fn kind_of(path: &Path) -> FileKind {
    let extension = extension(path);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    if stem == "readme" || stem == "makefile" {
        return FileKind::Other("not a submission");
    }
    if let Some((what, _)) = OTHER_FILES.iter().find(|(_, all)| all.contains(&extension.as_str())) {
        return FileKind::Other(what);
    }
    if SOURCES.contains(&extension.as_str()) {
        return FileKind::Source;
    }
    match program(path, &extension) {
        Some(command) => FileKind::Program(command),
        None => FileKind::PrintOut,
    }
}

/// The extension of a file name, in lower case.
pub fn extension(path: &Path) -> String {
    path.extension().map_or_else(String::new, |extension| extension.to_string_lossy().to_lowercase())
}

/// The command that starts the program in a file, without arguments; `None` if the file is not a program.
pub fn command(path: &Path) -> Option<Vec<OsString>> {
    match kind_of(path) {
        FileKind::Program(command) => Some(command),
        _ => None,
    }
}

fn program(path: &Path, extension: &str) -> Option<Vec<OsString>> {
    if TEXT_FILES.contains(&extension) {
        return None;
    }
    let append_path = |words: Vec<OsString>| words.into_iter().chain([path.as_os_str().to_owned()]).collect();
    if let Some(words) = first_line_command(path) {
        return Some(append_path(words));
    }
    if let Some((_, words)) = INTERPRETERS.iter().find(|(suffix, _)| *suffix == extension) {
        return Some(append_path(words.iter().map(OsString::from).collect()));
    }
    let is_executable = |file: Metadata| file.is_file() && file.permissions().mode() & 0o111 != 0;
    path.metadata().is_ok_and(is_executable).then(|| append_path(Vec::new()))
}

/// The interpreter in the `#!` line of a script, with its argument. `None` if there is no such line, or if the interpreter is not
/// installed, because scripts come from other machines.
fn first_line_command(path: &Path) -> Option<Vec<OsString>> {
    let mut start = Vec::new();
    File::open(path).ok()?.take(256).read_to_end(&mut start).ok()?;
    let text = String::from_utf8_lossy(&start);
    let line = text.trim_start_matches('\u{feff}').strip_prefix("#!")?.lines().next()?.trim();
    let (interpreter, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let argument = argument.trim();
    let is_env = Path::new(interpreter).file_name().is_some_and(|name| name == "env");
    // Skips `env` and its option -S, which splits its argument.
    let program =
        if is_env { argument.trim_start_matches("-S").split_whitespace().next()? } else { interpreter };
    (find(interpreter).is_some() && find(program).is_some()).then(|| {
        let words = [interpreter, argument].into_iter().filter(|word| !word.is_empty());
        words.map(OsString::from).collect()
    })
}

/// The command that starts the program in a file, as text for a shell, with `{n}` for the board size.
pub fn start_command(path: &Path) -> Option<String> {
    let command = command(path)?;
    let (file, interpreter) = command.split_last()?;
    let interpreter = interpreter.iter().map(|word| format!("{} ", word.to_string_lossy()));
    let mut file = quoted(&file.to_string_lossy());
    if command.len() == 1 && !file.contains('/') {
        file.insert_str(0, "./");
    }
    Some(interpreter.collect::<String>() + &file + " {n}")
}

/// A `queenlab check` command that explains the first wrong answer of a program in a sweep; `None` if no answer is wrong.
pub fn explaining_command(plan: &Plan, rows: &[Row]) -> Option<String> {
    let calls = plan.cells.iter().filter_map(|cell| Some((cell.id.as_str(), cell.program.as_ref()?)));
    let calls: HashMap<&str, &ProgramCall> = calls.collect();
    let wrong_rows = rows.iter().filter(|row| row.verdict.is_fault() && row.variant.is_plain());
    let (row, call) = wrong_rows.filter_map(|row| Some((row, *calls.get(row.cell_id.as_str())?))).next()?;
    let goal = match row.goal {
        Goal::First => " --first",
        Goal::Count => " --count",
        Goal::Enumerate => "",
    };
    let notation = match call.notation.as_str() {
        name if name != "auto" && row.goal != Goal::Count => format!(" --notation {name}"),
        _ => String::new(),
    };
    let command = joined(call.command.iter().map(String::as_str));
    Some(format!("queenlab check {}{goal}{notation} -- {command}", row.n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_command_is_printed_as_typed() {
        let typed = |path: &str| start_command(Path::new(path));
        assert_eq!(typed("my queens.py").as_deref(), Some("python3 'my queens.py' {n}"));
        assert_eq!(typed("a/Queens.JAR").as_deref(), Some("java -jar a/Queens.JAR {n}"));
        assert_eq!(typed("out.txt"), None);
        assert_eq!(typed("no-such-file"), None);
    }
}
