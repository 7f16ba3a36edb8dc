//! Programs of users in files: which command starts them.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::command::{joined, quoted};
use crate::experiment::plan::{Plan, ProgramCall};
use crate::record::Row;
use crate::solver::Goal;

/// Interpreters of programs that are not executable, by file name extension.
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

/// Extensions of text files with boards, whatever their permissions: some file systems make every file executable.
const PRINT_OUTS: [&str; 6] = ["txt", "out", "csv", "json", "log", "md"];

/// The command that starts the program in a file, without arguments; `None` if the file is not a program.
pub fn command(path: &Path) -> Option<Vec<OsString>> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let extension = extension.as_deref().unwrap_or_default();
    if let Some((_, words)) = INTERPRETERS.iter().find(|(known, _)| *known == extension) {
        let words = words.iter().map(OsString::from);
        return Some(words.chain([path.as_os_str().to_owned()]).collect());
    }
    let is_executable = |file: Metadata| file.is_file() && file.permissions().mode() & 0o111 != 0;
    let is_program = !PRINT_OUTS.contains(&extension) && path.metadata().is_ok_and(is_executable);
    is_program.then(|| vec![path.as_os_str().to_owned()])
}

/// The command as one would type it, with `{n}` for the board size.
pub fn typed(path: &Path) -> Option<String> {
    let command = command(path)?;
    let (file, interpreter) = command.split_last()?;
    let interpreter = interpreter.iter().map(|word| format!("{} ", word.to_string_lossy()));
    let mut file = quoted(&file.to_string_lossy());
    if command.len() == 1 && !file.contains('/') {
        file.insert_str(0, "./");
    }
    Some(interpreter.collect::<String>() + &file + " {n}")
}

/// The command that shows what is wrong with the first wrong answer of a program in a sweep, if there is one.
pub fn second_look(plan: &Plan, rows: &[Row]) -> Option<String> {
    let calls = plan.cells.iter().filter_map(|cell| Some((cell.id.as_str(), cell.program.as_ref()?)));
    let calls: HashMap<&str, &ProgramCall> = calls.collect();
    let wrong = rows.iter().filter(|row| row.verdict.is_fault() && row.variant.is_plain());
    let (row, call) = wrong.filter_map(|row| Some((row, *calls.get(row.cell_id.as_str())?))).next()?;
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
    fn the_command_of_a_program_is_shown_as_one_would_type_it() {
        let typed = |path: &str| typed(Path::new(path));
        assert_eq!(typed("my queens.py").as_deref(), Some("python3 'my queens.py' {n}"));
        assert_eq!(typed("a/Queens.JAR").as_deref(), Some("java -jar a/Queens.JAR {n}"));
        assert_eq!(typed("out.txt"), None);
        assert_eq!(typed("no-such-file"), None);
    }
}
