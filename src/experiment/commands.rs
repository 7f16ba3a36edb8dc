//! The commands of users: what they build, their versions, and the files that they name, so that a changed program is noticed.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::command;
use crate::model::SolverRef;
use crate::os::process::{Ended, Process, Supervision};
use crate::record::sha256_of_file;
use crate::spec::{QUEENLAB, Spec, SpecError};

use super::plan::{Cell, Installed, Plan};

/// The longest time that a version command may take.
const VERSION_TIME: Duration = Duration::from_secs(10);

/// The largest output of a command, in bytes.
const MOST_BYTES: u64 = 16 << 20;

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

/// Why a command cannot be started, if its program does not exist.
pub fn missing(command: &[String]) -> Option<String> {
    let program = command.first().filter(|program| **program != format!("{{{QUEENLAB}}}"))?;
    command::find(program).is_none().then(|| format!("the program '{program}' was not found"))
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
    let supervision = Supervision { time_limit, most: Some(MOST_BYTES), ..Supervision::default() };
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
        (id, true, &own.version, &own.install, own.id.place())
    });
    let foreign = plan.spec.foreign();
    let foreign = foreign.map(|own| (own.id.to_string(), false, &own.version, &own.install, own.id.place()));
    for (id, is_program, version, install, place) in programs.chain(foreign) {
        let is_cell_of = |cell: &Cell| match plan.spec.foreign_of(&cell.key.solver) {
            Some(own) => own.id.place() == place,
            None => cell.key.solver.id() == id,
        };
        let cells: Vec<usize> =
            (0..).zip(&plan.cells).filter(|(_, cell)| is_cell_of(cell)).map(|(at, _)| at).collect();
        let Some(command) = cells.first().map(|at| plan.cells[*at].command()) else { continue };
        let printed = match (missing(&command), version) {
            // The runs of a program say so themselves.
            (Some(_), None) if install.is_none() && is_program => continue,
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
