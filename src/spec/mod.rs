//! Reads an experiment from a TOML file: the question, the expected answer, the sweep, the solvers. The options of `queenlab sweep`
//! make the same values, and [`Spec::check`] checks both. Every error shows its place; docs/FORMATS.md describes every key.
//!
//! ```text
//! experiment.rs  the whole                        place.rs   where a value was written; errors
//! settings.rs    [sweep], and what solvers share  table.rs   reads tables of TOML
//! solver.rs      [[solver]]                       axis.rs    one value or several
//! program.rs     [[program]]                      sizes.rs   sizes, perhaps by goal
//! formula.rs     [[sat]] and [[counter]]          values.rs  other values: limits, variants
//! claim.rs       [[claim]]                        bound.rs   the bound of a claim
//! builtin.rs     the files of experiments/        names.rs   ids and placeholders
//! ```
//!
//! A value is a [`Located`]: it knows where it was written. Nothing here reads an instance, starts a program or knows the solvers
//! that exist.

pub mod axis;
mod bound;
pub mod builtin;
pub mod claim;
mod experiment;
mod formula;
mod names;
mod place;
mod program;
mod settings;
mod sizes;
mod solver;
mod table;
#[cfg(test)]
mod tests;
mod values;

<<<<<<< HEAD
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::de::DeTable;

use crate::command::CommandLine;
use crate::model::{SolverKind, SolverRef};
use crate::sat::program::DimacsProgram;
use axis::{Words, words};
use claim::Claim;
use instances::Instance;
use plaintext::Escaped;
pub use runlab::{CpuList, Repeat};
pub use settings::{Bounded, Memory, Settings, SweepSizes, Time, Variants, parse_duration};
pub use tables::as_file_name;
use tables::{Raw, Source, placeholders, told};

/// The version of experiment files.
pub const SPEC_VERSION: u32 = 1;

/// The name of the external SAT solver that has ids without a program.
pub const EXTERNAL: &str = "external";

/// A checked spec. It is written to a result directory as `experiment.toml`, with what the command line has changed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Spec {
    /// [`SPEC_VERSION`].
    pub schema_version: u32,
    /// The file or built-in experiment that it was read from, for messages.
    #[serde(skip)]
    pub origin: String,
    /// Name of the experiment and of its result directory.
    pub name: String,
    /// The question that the experiment asks.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub question: String,
    /// The expected answer, written before the run.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub expected: String,
    /// What the results showed, written after the run.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub analysis: String,
    /// Sizes, goal, repetitions and limits.
    pub sweep: Settings,
    /// The solvers to run, by pattern.
    #[serde(rename = "solver")]
    pub solvers: Vec<SolverChoice>,
    /// The user's own programs.
    #[serde(rename = "program", skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<Program>,
    /// External SAT solvers, for example `kissat` of `sat/pairwise/kissat`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sat: Vec<FormulaProgram>,
    /// Model counters, for example `d4` of `counter/pairwise/d4`.
    #[serde(rename = "counter", skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<FormulaProgram>,
    /// What the results show, for reports to check.
    #[serde(rename = "claim", skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// Whether a command line has left out a part of it; claims about that part are left out, too.
    #[serde(skip)]
    pub is_narrowed: bool,
    /// The instances that `sweep.instances` selects, once [`Spec::with_instances`] has read them.
    #[serde(skip)]
    pub instances: Vec<Instance>,
}

/// Parameters with their values, by name.
pub type Factors = BTreeMap<String, Words>;

/// How series are shown; an empty text where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Naming {
    /// What a series is called in place of its id.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The group that it belongs to.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub group: String,
}

/// A pattern that selects solvers, optionally with their own settings.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SolverChoice {
    /// Glob pattern over solver ids.
    #[serde(rename = "id")]
    pub pattern: String,
    /// What the solver adds to the one before it, for the report; empty if nothing is said.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub idea: String,
    /// How its series are shown.
    #[serde(flatten)]
    pub naming: Naming,
    /// Combinations of options that are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<Factors>,
    /// Settings that replace those of the sweep.
    #[serde(flatten)]
    pub settings: Settings,
    /// Options of the solvers.
    #[serde(flatten)]
    pub options: Factors,
    /// Where the pattern was given: `experiments/x.toml:12:6`, or the command-line option.
    #[serde(skip)]
    pub place: String,
    /// Where the first option was given.
    #[serde(skip)]
    pub place_of_options: String,
}

/// A user's program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Program {
    /// `program/<id>` in the tables.
    pub id: String,
    /// Program and arguments; [`Program::PLACEHOLDERS`] and factors in braces are replaced by their values.
    #[serde(deserialize_with = "words")]
    pub command: Vec<String>,
    /// The notation in which it prints boards, or `auto`.
    #[serde(default = "auto")]
    pub notation: String,
    /// How its series are shown.
    #[serde(flatten)]
    pub naming: Naming,
    /// Settings that replace those of the sweep.
    #[serde(flatten)]
    pub settings: Settings,
    /// The user's own parameters of the command.
    #[serde(flatten)]
    pub factors: Factors,
    /// Combinations of factors that are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<Factors>,
    /// Where its answer is among other output: `last-line` or a regular expression.
    pub answer: Option<String>,
    /// Files of the program that its command does not name, such as modules.
    #[serde(deserialize_with = "words")]
    pub files: Option<Vec<String>>,
    /// What installs it.
    pub install: Option<String>,
    /// Exit codes that mean success; only 0 if none are given.
    pub accept_exit_codes: Option<Vec<i32>>,
    /// Exit codes that mean that it gave up.
    pub unknown_exit_codes: Option<Vec<i32>>,
    /// A command to carry out once before the sweep.
    #[serde(deserialize_with = "words")]
    pub build: Option<Vec<String>>,
    /// A command that prints the version of the program.
    #[serde(deserialize_with = "words")]
    pub version: Option<Vec<String>>,
    /// Where it was given.
    #[serde(skip)]
    pub place: String,
}

fn auto() -> String {
    "auto".to_owned()
}

/// An external SAT solver or a model counter: a part of solver ids.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FormulaProgram {
    /// Its part of solver ids, as in `sat/pairwise/kissat` or `counter/pairwise/d4`.
    pub id: String,
    /// Its command, with `{cnf}` for the file of the formula, and [`FormulaProgram::PLACEHOLDERS`].
    pub command: String,
    /// A command that prints its version.
    #[serde(deserialize_with = "words")]
    pub version: Option<Vec<String>>,
    /// What installs it.
    pub install: Option<String>,
    /// Exit codes that mean that it gave up, besides 0 and 15 without an answer.
    pub unknown_exit_codes: Option<Vec<i32>>,
    /// Of model counters: whether it counts models once that differ only in variables other than those of squares.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub projects: bool,
    /// Where it was given.
    #[serde(skip)]
    pub place: String,
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_yes(truth: &bool) -> bool {
    *truth
}

impl FormulaProgram {
    /// The SAT solver of an option `NAME=CMD`.
    ///
    /// # Errors
    ///
    /// The name is not one, or is that of a built-in SAT solver; or the command has no place for the formula.
    pub fn of_option(place: &str, text: &str) -> Result<Self, SpecError> {
        let fail = |reason| SpecError { place: place.to_owned(), reason };
        let Some((id, command)) = text.split_once('=') else {
            return Err(fail(format!(
                "'{text}' has no name: write NAME='CMD {{cnf}}', as in kissat='kissat -q {{cnf}}'"
            )));
        };
        let (id, command, place) = (id.to_owned(), command.trim().to_owned(), place.to_owned());
        let own = Self { id, command, place, projects: true, ..Self::default() };
        tables::check_formula_program(&own, true).map_err(|(_, reason)| fail(reason))?;
        Ok(own)
    }

    /// What is started.
    pub fn program(&self) -> DimacsProgram {
        let codes = self.unknown_exit_codes.clone().unwrap_or_default();
        DimacsProgram::new(&self.id, &self.command).with_unknown_exit_codes(codes)
    }
}

/// An error in a spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {}", Escaped(place), Escaped(reason))]
pub struct SpecError {
    /// `file:line:column`.
    pub place: String,
    /// What is wrong, and how to correct it.
    pub reason: String,
}

/// The largest spec file, in bytes; anything longer is some other file.
const LONGEST: usize = 256 << 10;

impl Spec {
    /// A spec without anything.
    pub fn empty() -> Self {
        Self { schema_version: SPEC_VERSION, ..Self::default() }
    }

    /// Name of the file in a result directory.
    pub const FILE: &'static str = "experiment.toml";

    /// The external SAT solvers and the model counters.
    pub fn foreign(&self) -> impl Iterator<Item = &FormulaProgram> {
        self.sat.iter().chain(&self.counters)
    }

    /// The external SAT solver or the model counter that a solver runs, if it runs one.
    pub fn foreign_of(&self, solver: &SolverRef) -> Option<&FormulaProgram> {
        let own = match solver.kind() {
            SolverKind::ModelCounter => &self.counters,
            SolverKind::ExternalSat => &self.sat,
            SolverKind::Builtin | SolverKind::Program => return None,
        };
        own.iter().find(|own| Some(own.id.as_str()) == solver.started())
    }

    /// Reads a spec file, which may be a pipe; the end of a text that is too long is left out.
    pub fn read(path: &Path) -> Result<Self, SpecError> {
        let place = plaintext::path(path).to_string();
        let mut text = Vec::new();
        let read = File::open(path).and_then(|file| file.take(LONGEST as u64 + 1).read_to_end(&mut text));
        let unreadable =
            |error| SpecError { place: place.clone(), reason: format!("cannot be read: {error}") };
        read.map_err(unreadable)?;
        Self::decode(&place, &text)
    }

    /// Parses the bytes of a spec; `origin` names it in messages.
    pub fn decode(origin: &str, text: &[u8]) -> Result<Self, SpecError> {
        let fail = |reason| SpecError { place: origin.to_owned(), reason };
        if text.len() > LONGEST {
            let reason = format!("longer than {} KiB; an experiment file is never that long", LONGEST >> 10);
            return Err(fail(reason));
        }
        let text = plaintext::utf8(text).map_err(|error| fail(error.to_string()))?;
        Self::parse(origin, &text)
    }

    /// Parses the text of a spec; `origin` names it in messages.
    pub fn parse(origin: &str, text: &str) -> Result<Self, SpecError> {
        if text.len() > LONGEST {
            let reason = format!("longer than {} KiB; an experiment file is never that long", LONGEST >> 10);
            return Err(SpecError { place: origin.to_owned(), reason });
        }
        let source = Source { origin, text };
        let fail = |error: toml::de::Error| source.error(error.span().unwrap_or(0..0), told(&error));
        texts::check(&source, DeTable::parse(text).map_err(fail)?.get_ref())?;
        let raw: Raw = toml::from_str(text).map_err(fail)?;
        source.spec(raw)
    }

    /// The text of the file, with what the command line has changed.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a spec has only texts, numbers and tables of them")
    }
}

impl FormulaProgram {
    /// What its command may contain in braces beside `{cnf}` and `{result}`.
    pub const PLACEHOLDERS: [&str; 5] = ["n", "goal", "seed", "timeout", "threads"];
}

/// The word for the last line in `answer`.
pub const LAST_LINE: &str = "last-line";

/// The placeholder of the path of this program.
pub const QUEENLAB: &str = "queenlab";

impl Program {
    /// What a command may contain in braces beside factors.
    pub const PLACEHOLDERS: [&str; 8] =
        ["n", "goal", "seed", "timeout", "threads", "variant", "instance", QUEENLAB];

    /// Parses a program from a command line in which `{n}` marks the board size; `place` names its origin in
    /// errors. The id is the name of its script or executable.
    pub fn of_command(place: &str, command: &str) -> Result<Self, SpecError> {
        let fail = |reason: String| SpecError { place: place.to_owned(), reason };
        let line = CommandLine::parse(command).map_err(|error| fail(error.to_string()))?;
        if !line.mentions("{n}") {
            return Err(fail(format!(
                "'{command}' does not contain {{n}}: write {{n}} where the board size belongs, as in '{command} {{n}}'; for a \
                 program that reads it from standard input: \"sh -c 'echo {{n}} | {command}'\""
            )));
        }
        let command = line.words();
        placeholders(command.iter().map(String::as_str), &Self::PLACEHOLDERS).map_err(fail)?;
        let script = command[1..].iter().find(|word| Path::new(word).is_file()).unwrap_or(&command[0]);
        let id = as_file_name(Path::new(script));
        Ok(Self { id, command, notation: auto(), place: place.to_owned(), ..Self::default() })
    }

    /// Whether the command contains this name in braces.
    pub fn mentions(&self, name: &str) -> bool {
        let place = format!("{{{name}}}");
        self.command.iter().any(|word| word.contains(&place))
    }
}

impl SolverChoice {
    /// A pattern without settings of its own.
    pub fn of(pattern: &str, place: &str) -> Self {
        Self { pattern: pattern.to_owned(), place: place.to_owned(), ..Self::default() }
    }
}
=======
pub use axis::Factors;
pub use experiment::{SPEC_VERSION, Spec};
pub use formula::{EXTERNAL, FormulaProgram};
pub use names::as_file_name;
pub use place::{Located, Place, SpecError};
pub use program::{LAST_LINE, Program, QUEENLAB};
pub use runlab::{CpuList, Repeat};
pub use settings::Settings;
pub use sizes::SweepSizes;
pub use solver::{Naming, SolverChoice};
pub use values::{Bounded, Memory, Time, Variants, parse_duration};
>>>>>>> main
