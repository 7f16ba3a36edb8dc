//! Parses an experiment from a TOML file: the question, the expected answer, the sweep, the solvers. Every
//! error has a line and a column; docs/FORMATS.md describes every key.
//!
//! ```text
//! keys.rs     the keys of [sweep]        tables.rs   the other tables
//! values.rs   parsers of values
//! ```

mod keys;
mod tables;
#[cfg(test)]
mod tests;
mod values;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::claim::Claim;
use super::plan::{only_zero, sat_program};
use crate::board::problem::Problem;
use crate::command::{self, CommandLine};
use crate::solver::Info;
#[cfg(feature = "cli")]
pub(crate) use keys::sweep_keys;
use keys::unknown_key;
pub use keys::{Own, Sweep};
use tables::{Raw, Source};
pub use values::{
    as_file_name, at_least_one, at_most_1024, goals, parse_duration, parse_memory, seeds, threads,
};

/// A checked spec.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The file or built-in experiment that it was read from, for messages.
    pub origin: String,
    /// Name of the experiment and of its result directory.
    pub name: String,
    /// The question that the experiment asks.
    pub question: String,
    /// The expected answer, written before the run.
    pub expected: String,
    /// What the results showed, written after the run.
    pub analysis: String,
    /// Sizes, goal, repetitions and limits.
    pub sweep: Sweep,
    /// The solvers to run, by pattern.
    pub solvers: Vec<SolverChoice>,
    /// The user's own programs.
    pub programs: Vec<Program>,
    /// External SAT solvers, for example `kissat` of `sat/pairwise/kissat`.
    pub sat: Vec<SatProgram>,
    /// The instances that `sweep.instances` selects, once [`Spec::with_instances`] has read them.
    pub instances: Vec<Instance>,
    /// What the results show, for reports to check.
    pub claims: Vec<Claim>,
    /// The command of the external SAT solver (`sat/*/external`), which only the command line can set.
    pub external: Option<String>,
}
/// A parameter of a solver or a program with its values.
#[derive(Clone, Debug)]
pub struct Factor {
    /// Name of the parameter.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
    /// Where it was given.
    pub place: String,
}

/// A pattern that selects solvers, optionally with their own settings.
#[derive(Clone, Debug)]
pub struct SolverChoice {
    /// Glob pattern over solver ids.
    pub pattern: String,
    /// Settings that replace those of the sweep.
    pub own: Own,
    /// Options of the solvers.
    pub options: Vec<Factor>,
    /// Where the pattern was given: `experiments/x.toml:12:6`, or the command-line option.
    pub place: String,
}

/// A user's program.
#[derive(Clone, Debug)]
pub struct Program {
    /// `program/<id>` in the tables.
    pub id: String,
    /// Program and arguments; [`Program::PLACEHOLDERS`] and factors in braces are replaced by their values.
    pub command: Vec<String>,
    /// The notation in which it prints boards, or `auto`.
    pub notation: String,
    /// Settings that replace those of the sweep.
    pub own: Own,
    /// The user's own parameters of the command.
    pub factors: Vec<Factor>,
    /// Exit codes that mean success.
    pub accept_exit_codes: Vec<i32>,
    /// A command to carry out once before the sweep.
    pub build: Option<Vec<String>>,
    /// A command that prints the version of the program.
    pub version: Option<Vec<String>>,
}

/// An external SAT solver: a part of solver ids.
#[derive(Clone, Debug)]
pub struct SatProgram {
    /// Its part of solver ids, as in `sat/pairwise/kissat`.
    pub id: String,
    /// Its command, with `{cnf}` for the file of the formula.
    pub command: String,
    /// A command that prints its version.
    pub version: Option<Vec<String>>,
}

/// A problem in a file.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The name of the file without its extension.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// SHA-256 of the file.
    pub digest: String,
    /// The problem.
    pub problem: Problem,
}

/// An error in a spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct SpecError {
    /// `file:line:column`.
    pub place: String,
    /// What is wrong, and how to correct it.
    pub reason: String,
}

/// The largest spec file, in bytes; anything longer is some other file.
const LONGEST: usize = 256 << 10;

impl Spec {
    /// The command of a SAT solver that is an external program.
    pub fn command_of(&self, info: &Info) -> Option<String> {
        let name = sat_program(&info.id);
        let own = self.sat.iter().find(|program| program.id == name).map(|program| &program.command);
        own.or(self.external.as_ref()).filter(|_| info.uses_external).cloned()
    }

    /// Reads a spec file.
    pub fn read(path: &Path) -> Result<Self, SpecError> {
        Self::parse(&path.display().to_string(), &Self::text_of(path)?)
    }

    /// Reads the text of a spec, which may come from a pipe; the end of a text that is too long is left out.
    pub fn text_of(path: &Path) -> Result<String, SpecError> {
        let mut text = String::new();
        let file = File::open(path).map(|file| file.take(LONGEST as u64 + 1));
        file.and_then(|mut file| file.read_to_string(&mut text)).map_err(|error| SpecError {
            place: path.display().to_string(),
            reason: format!("cannot be read: {error}"),
        })?;
        Ok(text)
    }

    /// Parses the text of a spec; `origin` names it in messages.
    pub fn parse(origin: &str, text: &str) -> Result<Self, SpecError> {
        if text.len() > LONGEST {
            let reason = format!("longer than {} KiB; an experiment file is never that long", LONGEST >> 10);
            return Err(SpecError { place: origin.to_owned(), reason });
        }
        let source = Source { origin, text };
        let raw: Raw = toml::from_str(text).map_err(|error| {
            let message = error.message();
            // serde puts the key and those that it expects in backquotes.
            let reason = message.strip_prefix("unknown field `").map(|rest| {
                let mut names = rest.split('`').step_by(2);
                unknown_key(names.next().unwrap_or_default(), &names.collect::<Vec<_>>())
            });
            source.error(error.span().unwrap_or(0..0), reason.unwrap_or_else(|| message.replace('\n', " ")))
        })?;
        source.spec(raw)
    }
}

impl Program {
    /// Parses a program from a command line in which `{n}` marks the board size; `place` names its origin in
    /// errors. The id is the name of its script or executable.
    pub fn of_command(place: &str, command: &str) -> Result<Self, SpecError> {
        let fail = |reason: String| SpecError { place: place.to_owned(), reason };
        let line = CommandLine::parse(command).map_err(fail)?;
        if !line.mentions("{n}") {
            return Err(fail(format!(
                "'{command}' does not contain {{n}}: write {{n}} where the board size belongs, as in '{command} {{n}}'; for a \
                 program that reads it from standard input: \"sh -c 'echo {{n}} | {command}'\""
            )));
        }
        let command = line.words();
        let script = command[1..].iter().find(|word| Path::new(word).is_file()).unwrap_or(&command[0]);
        let id = as_file_name(Path::new(script));
        Ok(Self {
            id,
            command,
            notation: "auto".to_owned(),
            own: Own::default(),
            factors: Vec::new(),
            accept_exit_codes: only_zero(),
            build: None,
            version: None,
        })
    }

    /// What a command may contain in braces beside factors.
    pub const PLACEHOLDERS: [&str; 6] = ["n", "seed", "threads", "goal", "variant", "instance"];

    /// Whether the command contains this name in braces.
    pub fn mentions(&self, name: &str) -> bool {
        let place = format!("{{{name}}}");
        self.command.iter().any(|word| word.contains(&place))
    }

    /// Whether its executable exists.
    pub fn is_found(&self) -> bool {
        command::find(&self.command[0]).is_some()
    }
}
