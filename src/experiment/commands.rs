//! Builds the programs of an experiment, and determines their versions and the digests of their files. `runlab::program` does
//! this for a single command.

use std::collections::{BTreeMap, HashSet};
use std::process::ExitStatus;

use runlab::program::{self, Digests, ProgramError, files_of};

use crate::model::SolverRef;
use crate::spec::{QUEENLAB, Spec, SpecError};

use super::plan::{Cell, InstalledPrograms, Plan};

/// A program of an experiment that could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The build command cannot be started.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The build command did not succeed.
    #[error("the build of program '{program}' failed: '{command}' ended with {status}\n{output}")]
    Failed {
        /// The id of the program.
        program: String,
        /// The build command.
        command: String,
        /// The exit status of the command.
        status: ExitStatus,
        /// The last lines that the command printed.
        output: String,
    },
}

/// The external SAT solvers and model counters that no cell of a plan uses.
pub fn unused_formula_programs(plan: &Plan) -> Vec<&str> {
    let used_ids: HashSet<&str> = plan.cells.iter().filter_map(|cell| cell.key.solver.program_id()).collect();
    plan.spec
        .formula_programs()
        .map(|program| program.id.as_str())
        .filter(|id| !used_ids.contains(id))
        .collect()
}

/// Runs the build commands of the programs one after the other. `on_start` is called before each command.
///
/// # Errors
///
/// A command cannot be started, or ends with an error.
pub fn build(spec: &Spec, on_start: &dyn Fn(&str)) -> Result<(), BuildError> {
    for program in &spec.programs {
        let Some(words) = &program.build else { continue };
        let command = words.join(" ");
        on_start(&command);
        let (stdout, process) = program::run(words, None)?;
        if !process.status.success() {
            let text = plaintext::decode(&stdout) + process.stderr.as_str();
            let lines: Vec<&str> = text.lines().collect();
            let output = lines[lines.len().saturating_sub(20)..].join("\n");
            let program = program.id.to_string();
            return Err(BuildError::Failed { program, command, status: process.status, output });
        }
    }
    Ok(())
}

/// Checks that the programs of a plan are installed, and runs their version commands. If a program is not installed and the
/// experiment has an `install` key for it, the cells of the program are returned as missing.
///
/// # Errors
///
/// A program is not installed or has no version, and the experiment has no `install` key for it.
pub fn installed_programs(plan: &Plan) -> Result<InstalledPrograms, SpecError> {
    let mut installed = InstalledPrograms::default();
    let programs = plan.spec.programs.iter().map(|program| {
        let id = SolverRef::program(&program.id, []).to_string();
        (id, &program.version, &program.install, program.id.place())
    });
    let formula_programs = plan.spec.formula_programs();
    let formula_programs = formula_programs
        .map(|program| (program.id.to_string(), &program.version, &program.install, program.id.place()));
    for (id, version, install, place) in programs.chain(formula_programs) {
        let is_cell_of = |cell: &Cell| match plan.spec.formula_program_of(&cell.key.solver) {
            Some(program) => program.id.place() == place,
            None => cell.key.solver.id() == id,
        };
        let cells: Vec<usize> =
            (0..).zip(&plan.cells).filter(|(_, cell)| is_cell_of(cell)).map(|(at, _)| at).collect();
        if cells.is_empty() {
            continue;
        }
        let version_line = match (cells.iter().try_for_each(|at| check(&plan.cells[*at].command())), version)
        {
            (Err(error), _) => Err(error),
            (Ok(()), Some(command)) => program::first_line(command, install.is_some()),
            (Ok(()), None) => continue,
        };
        match (version_line, install) {
            (Ok(version), _) => drop(installed.versions.insert(id, version)),
            (Err(reason), Some(install)) => {
                let reason = format!("not installed ({reason}); to install it: {install}");
                installed.missing.extend(cells.into_iter().map(|at| (at, reason.clone())));
            }
            (Err(reason), None) => {
                // The messages of all other kinds of `ProgramError` name a more specific cause.
                let is_missing = matches!(reason, ProgramError::NotFound(_) | ProgramError::NoVersion { .. });
                let advice = if is_missing { "; install it, or correct the command" } else { "" };
                let reason = format!("'{id}': {reason}{advice}");
                return Err(plan.spec.error_at("", place, reason));
            }
        }
    }
    Ok(installed)
}

/// Checks that the program of a command can be started.
fn check(command: &[String]) -> Result<(), ProgramError> {
    let program = command.first().filter(|program| **program != format!("{{{QUEENLAB}}}"));
    program.map_or(Ok(()), |program| program::check(program))
}

/// Reads the files that the commands of a plan name, and returns their SHA-256 digests. Each key is a word of a command, and its
/// value is the digest of the file that this word names.
pub fn digests(plan: &Plan) -> BTreeMap<String, String> {
    let mut by_path = Digests::new();
    let cells = plan.cells.iter().filter(|cell| cell.starts_programs());
    cells.flat_map(|cell| files_of(&cell.words().collect::<Vec<_>>(), &mut by_path)).collect()
}
