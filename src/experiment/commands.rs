//! Commands that prepare a sweep: they build programs and print versions.

use std::process::Command;
use std::time::Duration;

use super::plan::Plan;
use super::spec::{SatProgram, Spec, SpecError};
use crate::command::{self, CommandLine};
use crate::os::process::{Ended, Process, Supervision};

/// The longest time that a version command may take.
const VERSION_TIME: Duration = Duration::from_secs(10);

/// The largest output of a command, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// The first line that a command prints, which must succeed.
pub fn first_line(command: &[String]) -> Result<String, String> {
    let (printed, ended) = run(command, Some(VERSION_TIME))?;
    let shown = command.join(" ");
    if !ended.status.success() {
        return Err(format!("'{shown}' ended with {}", ended.status));
    }
    let text = String::from_utf8_lossy(&printed);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    line.map(str::to_owned).ok_or_else(|| format!("'{shown}' printed nothing"))
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
            let text = String::from_utf8_lossy(&printed) + ended.stderr.as_str();
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

/// Checks that the external SAT solvers that a plan runs exist.
pub fn find_sat_programs(plan: &Plan) -> Result<(), SpecError> {
    for SatProgram { id, command, place, .. } in &plan.spec.sat {
        let is_used = plan.cells.iter().any(|cell| cell.external.as_ref() == Some(command));
        let program = CommandLine::parse(command).map(|line| line.program().to_owned()).unwrap_or_default();
        if is_used && command::find(&program).is_none() {
            let reason = format!(
                "the program '{program}' of the SAT solver '{id}' was not found: install it, or correct the command"
            );
            return Err(SpecError { place: place.clone(), reason });
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
