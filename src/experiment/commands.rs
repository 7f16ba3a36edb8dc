//! The commands of users: what they build, their versions, and the files that they name, so that a changed program is noticed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::command;
use crate::files;
use crate::model::SolverRef;
use crate::os::process::{Ended, Process, Supervision};
use crate::record::sha256_of_file;
use crate::spec::{QUEENLAB, Spec, SpecError};

use super::plan::{Cell, Installed, Plan};

/// The longest time that a version command may take.
const VERSION_TIME: Duration = Duration::from_secs(10);

/// The largest output of a command, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The first line that a command prints on its standard output or else on its standard error, however it ends; with
/// `is_probe`, a command that fails and prints nothing on its standard output has no version.
pub fn first_line(command: &[String], is_probe: bool) -> Result<String, String> {
    let (printed, ended) = run(command, Some(VERSION_TIME))?;
    let line = |text: &str| text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    let error = Some(ended.stderr.as_str()).filter(|_| !is_probe || ended.status.success());
    let found = line(&plaintext::decode(&printed)).or_else(|| line(error?));
    found.ok_or_else(|| {
        let why = ended.last_words().map_or(String::new(), |line| format!(": {line}"));
        format!("'{}' printed no version ({}{why})", command.join(" "), ended.status)
    })
}

/// Why a command cannot be started: its program does not exist, or is a script that no interpreter reads.
pub fn missing(command: &[String]) -> Option<String> {
    let program = command.first().filter(|program| **program != format!("{{{QUEENLAB}}}"))?;
    let Some(path) = command::find(program) else {
        return Some(format!("the program '{program}' was not found"));
    };
    fault_of_file(&path).map(|fault| format!("the program '{program}' {fault}"))
}

/// Why the system would not start a file; what only the attempt can show is not a fault.
fn fault_of_file(path: &Path) -> Option<String> {
    const BEGINNING: u64 = 256;
    let mode = path.metadata().ok()?.permissions().mode();
    if mode & 0o111 == 0 {
        return Some("is not executable: make it so with chmod +x, or name its interpreter first".to_owned());
    }
    let mut beginning = Vec::new();
    files::open_regular(path).ok()?.take(BEGINNING).read_to_end(&mut beginning).ok()?;
    let Some(line) = beginning.strip_prefix(b"#!") else {
        let is_text = !beginning.contains(&0) && std::str::from_utf8(&beginning).is_ok();
        let fault = "is a script without a line '#!' that names its interpreter: add one, or name the interpreter first";
        return is_text.then(|| fault.to_owned());
    };
    let line = String::from_utf8_lossy(line.split(|&byte| byte == b'\n').next().unwrap_or_default());
    let interpreter = line.trim_matches([' ', '\t']).split([' ', '\t']).next().unwrap_or_default();
    if let Some(interpreter) = interpreter.strip_suffix('\r') {
        return Some(format!(
            "has a carriage return after '#!{interpreter}': save it with line ends of Unix"
        ));
    }
    let is_missing = interpreter.starts_with('/') && !Path::new(interpreter).is_file();
    is_missing.then(|| format!("needs the interpreter '{interpreter}', which does not exist"))
}

/// The programs for formulas that no cell of a plan runs.
pub fn unused(plan: &Plan) -> Vec<&str> {
    let started: HashSet<&str> = plan.cells.iter().filter_map(|cell| cell.key.solver.started()).collect();
    plan.spec.foreign().map(|own| own.id.as_str()).filter(|id| !started.contains(id)).collect()
}

/// Carries out the build commands of the programs, one after the other; `begins` receives each before it starts.
///
/// # Errors
///
/// A command that cannot be started or does not succeed, with the end of its output.
pub fn build(spec: &Spec, begins: &dyn Fn(&str)) -> Result<(), String> {
    for program in &spec.programs {
        let Some(command) = &program.build else { continue };
        let shown = command.join(" ");
        begins(&shown);
        let (printed, ended) = run(command, None)?;
        if !ended.status.success() {
            let text = plaintext::decode(&printed) + ended.stderr.as_str();
            let lines: Vec<&str> = text.lines().collect();
            let last = lines[lines.len().saturating_sub(20)..].join("\n");
            let id = &program.id;
            return Err(format!(
                "the build of program '{id}' failed: '{shown}' ended with {}\n{last}",
                ended.status
            ));
        }
    }
    Ok(())
}

fn run(words: &[String], time_limit: Option<Duration>) -> Result<(Vec<u8>, Ended), String> {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    let supervision = Supervision { time_limit, most: Some(MAX_BYTES), ..Supervision::default() };
    Process::output(command, supervision).map_err(|error| format!("cannot start '{}': {error}", words[0]))
}

/// Finds the programs of a plan, and starts those that have a version command. The cells of a program that is not installed are
/// missing if the experiment says what installs it.
///
/// # Errors
///
/// A program is not installed or has no version, and the experiment does not say what installs it.
pub fn installed(plan: &Plan) -> Result<Installed, SpecError> {
    let mut installed = Installed::default();
    let programs = plan.spec.programs.iter().map(|own| {
        let id = SolverRef::program(&own.id, []).to_string();
        (id, &own.version, &own.install, own.id.place())
    });
    let foreign = plan.spec.foreign();
    let foreign = foreign.map(|own| (own.id.to_string(), &own.version, &own.install, own.id.place()));
    for (id, version, install, place) in programs.chain(foreign) {
        let is_cell_of = |cell: &Cell| match plan.spec.foreign_of(&cell.key.solver) {
            Some(own) => own.id.place() == place,
            None => cell.key.solver.id() == id,
        };
        let cells: Vec<usize> =
            (0..).zip(&plan.cells).filter(|(_, cell)| is_cell_of(cell)).map(|(at, _)| at).collect();
        if cells.is_empty() {
            continue;
        }
        let missing = cells.iter().find_map(|at| missing(&plan.cells[*at].command()));
        let printed = match (missing, version) {
            (Some(missing), _) => Err(missing),
            (None, Some(command)) => first_line(command, install.is_some()),
            (None, None) => continue,
        };
        match (printed, install) {
            (Ok(version), _) => drop(installed.versions.insert(id, version)),
            (Err(reason), Some(install)) => {
                let reason = format!("not installed ({reason}); to install it: {install}");
                installed.missing.extend(cells.into_iter().map(|at| (at, reason.clone())));
            }
            (Err(reason), None) => {
                let reason = format!("'{id}': {reason}; install it, or correct the command");
                return Err(plan.spec.error_at("", place, reason));
            }
        }
    }
    Ok(installed)
}

/// The SHA-256 of each file that the commands of a plan name, by the word that names it. Reads those files.
pub fn digests(plan: &Plan) -> BTreeMap<String, String> {
    let mut by_path = Digests::new();
    let cells = plan.cells.iter().filter(|cell| cell.starts_programs());
    cells.flat_map(|cell| files_of(&cell.words().collect::<Vec<_>>(), &mut by_path)).collect()
}

/// Digests of files by path; caches them so that each file is read once.
pub type Digests = HashMap<PathBuf, String>;

/// The SHA-256 of each regular file that a command names, keyed by the word that names it: the program, which
/// is looked up on PATH, and every argument that is the path of a file. An unreadable file has the value
/// `unreadable`.
pub fn files_of(words: &[String], known: &mut Digests) -> BTreeMap<String, String> {
    let Some((program, arguments)) = words.split_first() else { return BTreeMap::new() };
    let named = arguments.iter().map(|word| (word, PathBuf::from(word)));
    let program = command::find(program).map(|path| (program, path));
    let files = program.into_iter().chain(named).filter(|(_, path)| path.is_file());
    let sha256 = |path: &PathBuf| sha256_of_file(path).unwrap_or_else(|_| "unreadable".to_owned());
    files.map(|(word, path)| (word.clone(), known.entry(path).or_insert_with_key(sha256).clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_must_name_an_interpreter_that_exists() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join("p");
        for (content, mode, is_startable) in [
            (&b"#!/bin/sh\necho 1\n"[..], 0o755, true),
            (b"#! /bin/sh -e\n", 0o755, true),
            (b"\x7fELF\0\0", 0o755, true),
            (b"#!/bin/sh\necho 1\n", 0o644, false),
            (b"#!/bin/sh\r\necho 1\r\n", 0o755, false),
            (b"#!/no/such/interpreter\n", 0o755, false),
            (b"echo 1\n", 0o755, false),
        ] {
            std::fs::write(&path, content).expect("written");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("changed");
            let missing = missing(&[path.display().to_string()]);
            assert_eq!(missing.is_none(), is_startable, "{missing:?}");
        }
        assert!(missing(&["./no-such-program".to_owned()]).is_some());
        assert_eq!(missing(&["sh".to_owned()]), None);
    }

    #[test]
    fn a_command_has_digests_of_its_program_and_of_files_among_its_arguments() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let script = directory.path().join("mine.sh").display().to_string();
        std::fs::write(&script, "echo 1").expect("written");
        let words: Vec<String> = ["sh", &script, "8", directory.path().to_str().expect("UTF-8"), "/dev/null"]
            .map(str::to_owned)
            .into();
        let digests = |words: &[String]| files_of(words, &mut Digests::new());
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
