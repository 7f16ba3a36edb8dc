//! `[[program]]`: a user's program.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::axis::{Factors, TextValues};
use super::names::{as_file_name, check_file_name, check_placeholders};
use super::place::{Located, Place, SpecError, SpecSource};
use super::settings::Settings;
use super::solver::{Naming, check_excluded, is_empty, is_empty_list};
use super::table::{SpecTable, arguments, combinations, line, numbers, unknown_key};
use crate::board::sizes::Sizes;
use crate::command::CommandLine;
use crate::judge::notation::Notation;
use crate::model::{MAX_NAME_BYTES, is_name};
use crate::sat::answer_pattern::AnswerPattern;
use crate::solver::Goal;
use plaintext::Escaped;

/// The name of the placeholder for the path of the executable of queenlab.
pub const QUEENLAB: &str = "queenlab";

/// The placeholders of a run, with braces, and their values. `{timeout}` is in seconds.
pub fn placeholders_of_run(
    n: usize,
    goal: Goal,
    seed: u64,
    threads: usize,
    timeout: Duration,
) -> [(&'static str, String); 5] {
    [
        ("{n}", n.to_string()),
        ("{goal}", goal.to_string()),
        ("{seed}", seed.to_string()),
        ("{threads}", threads.to_string()),
        ("{timeout}", timeout.as_secs_f64().to_string()),
    ]
}

/// A user's program.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Program {
    /// The id of the program. The id of the solver is `program/<id>`.
    pub id: Located<String>,
    /// Program and arguments; [`Program::PLACEHOLDERS`] and factors in braces are replaced by their values.
    pub command: Located<Vec<String>>,
    /// The notation in which the program prints boards, or `auto`.
    pub notation: Located<String>,
    /// The name of the series in reports; empty if the experiment does not give one.
    #[serde(skip_serializing_if = "is_empty")]
    pub label: Located<String>,
    /// The group of the series in reports; empty if the experiment does not give one.
    #[serde(skip_serializing_if = "is_empty")]
    pub group: Located<String>,
    /// Settings that replace those of the sweep.
    #[serde(flatten)]
    pub settings: Settings,
    /// Parameters that the user defined for the command, with their values.
    #[serde(flatten)]
    pub factors: Factors,
    /// Combinations of factors that are not run.
    #[serde(skip_serializing_if = "is_empty_list")]
    pub exclude: Located<Vec<Factors>>,
    /// Where the answer is in the output: [`AnswerPattern::LAST_LINE`] or a regular expression. If missing, the whole output is
    /// the answer.
    pub answer: Option<Located<String>>,
    /// Files of the program that its command does not name, such as modules.
    pub files: Option<Located<Vec<String>>>,
    /// A command that installs the program.
    pub install: Option<Located<String>>,
    /// Exit codes that mean success; if missing, only 0.
    pub accept_exit_codes: Option<Located<Vec<i32>>>,
    /// Exit codes that mean that the program gave up.
    pub unknown_exit_codes: Option<Located<Vec<i32>>>,
    /// A command that is run once before the sweep.
    pub build: Option<Located<Vec<String>>>,
    /// A command that prints the version of the program.
    pub version: Option<Located<Vec<String>>>,
}

impl Program {
    /// The names that a command may contain in braces, besides factors.
    pub const PLACEHOLDERS: [&str; 8] =
        ["n", "goal", "seed", "timeout", "threads", "variant", "instance", QUEENLAB];

    /// The keys of `[[program]]` other than settings and factors.
    const KEYS: [&str; 13] = [
        "id",
        "command",
        "notation",
        "answer",
        "accept_exit_codes",
        "unknown_exit_codes",
        "files",
        "build",
        "version",
        "install",
        "label",
        "group",
        "exclude",
    ];

    /// A program with only the required keys.
    fn of(id: Located<String>, command: Located<Vec<String>>) -> Self {
        Self {
            id,
            command,
            notation: Located::from("auto".to_owned()),
            label: Located::default(),
            group: Located::default(),
            settings: Settings::default(),
            factors: Factors::new(),
            exclude: Located::default(),
            answer: None,
            files: None,
            install: None,
            accept_exit_codes: None,
            unknown_exit_codes: None,
            build: None,
            version: None,
        }
    }

    /// Makes a program from a command line. The id is the name of the script or executable.
    ///
    /// # Errors
    ///
    /// The command cannot be split into words, or contains an unknown placeholder.
    pub fn of_command(option: &'static str, command: &str) -> Result<Self, SpecError> {
        let place = Place::Option(option);
        let spec_error = |reason: String| SpecSource::default().error("", &place, reason);
        let line = CommandLine::parse(command).map_err(|error| spec_error(error.to_string()))?;
        let command = line.words();
        check_placeholders(command.iter().map(String::as_str), &Self::PLACEHOLDERS)
            .map_err(|error| spec_error(error.to_string()))?;
        let id = as_file_name(script(&command));
        Ok(Self::of(Located::new(id, place.clone()), Located::new(command, place)))
    }

    /// The id with the name of the folder as a prefix, for programs with the same file name; `None` if the path has no folder.
    pub fn longer_id(&self) -> Option<String> {
        let folder = script(&self.command).parent()?.file_name()?;
        Some(format!("{}-{}", as_file_name(Path::new(folder)), self.id.as_str()))
    }

    pub(super) fn read(mut table: SpecTable<'_>) -> Result<Self, SpecError> {
        let (id, command) = (table.required("id", line)?, table.required("command", arguments)?);
        let defaults = Self::of(id, command);
        let program = Self {
            notation: table.optional("notation", line)?.unwrap_or(defaults.notation),
            answer: table.optional("answer", line)?,
            accept_exit_codes: table.optional("accept_exit_codes", numbers)?,
            unknown_exit_codes: table.optional("unknown_exit_codes", numbers)?,
            files: table.optional("files", arguments)?,
            build: table.optional("build", arguments)?,
            version: table.optional("version", arguments)?,
            install: table.optional("install", line)?,
            label: table.optional("label", line)?.unwrap_or_default(),
            group: table.optional("group", line)?.unwrap_or_default(),
            exclude: table.optional("exclude", combinations)?.unwrap_or_default(),
            settings: Settings::read_for_solver(&mut table)?,
            ..defaults
        };
        Ok(Self { factors: table.unread_keys()?.into_iter().collect(), ..program })
    }

    /// Checks what can be checked without starting the program. `sizes` are those of the sweep.
    pub(super) fn check(&self, source: &SpecSource, sizes: &Sizes) -> Result<(), SpecError> {
        self.settings.check_sizes(source, sizes)?;
        check_file_name(&self.id).map_err(|reason| source.error("id", self.id.place(), reason))?;
        check_command(source, "command", Some(&self.command), "[\"python3\", \"my_queens.py\", \"{n}\"]")?;
        check_command(source, "build", self.build.as_ref(), "[\"make\", \"all\"]")?;
        check_command(source, "version", self.version.as_ref(), "[\"python3\", \"--version\"]")?;
        if self.notation.as_str() != "auto"
            && let Err(error) = self.notation.parse::<Notation>()
        {
            return Err(source.error("notation", self.notation.place(), error));
        }
        check_answer(source, self.answer.as_ref())?;
        let (accepted, unknown) = (self.accept_exit_codes.as_ref(), self.unknown_exit_codes.as_ref());
        check_exit_codes(source, "accept_exit_codes", accepted, "[0, 10, 20]")?;
        check_exit_codes(source, "unknown_exit_codes", unknown, "[2]")?;
        let is_accepted = |code: &&i32| accepted.is_some_and(|codes| codes.contains(code));
        if let Some(unknown) = unknown
            && let Some(code) = unknown.iter().find(is_accepted)
        {
            let reason = format!("{code} is also in accept_exit_codes");
            return Err(source.error("unknown_exit_codes", unknown.place(), reason));
        }
        for (name, values) in &self.factors {
            self.check_factor(source, name, values)?;
        }
        let factors = self.factors.keys().map(String::as_str);
        let names: Vec<&str> = Self::PLACEHOLDERS.into_iter().chain(factors).collect();
        check_placeholders(self.command.iter().map(String::as_str), &names)
            .map_err(|reason| source.error("command", self.command.place(), reason))?;
        check_excluded(source, &self.exclude, &self.factors)
    }

    /// Checks a key that is neither in [`Self::KEYS`] nor a setting, and must therefore be a factor.
    fn check_factor(
        &self,
        source: &SpecSource,
        name: &str,
        values: &Located<TextValues>,
    ) -> Result<(), SpecError> {
        let key_error = |reason: String| Err(source.error_in_key(values.place(), reason));
        if !is_name(name) {
            let max = MAX_NAME_BYTES;
            return key_error(format!(
                "'{name}' is not a valid name of a factor: use up to {max} letters, digits, '-' and '_'"
            ));
        }
        if let Some(value) = values.0.iter().find(|value| value.contains([',', '\n', '\r'])) {
            let value = Escaped(value);
            return key_error(format!(
                "{name}: the value '{value}' must not contain commas or line ends, which separate values in the tables"
            ));
        }
        if Self::PLACEHOLDERS.contains(&name) {
            return key_error(format!(
                "a factor cannot have the name '{name}', which is a placeholder of queenlab"
            ));
        }
        if !self.mentions(name) {
            let unknown = unknown_key(name, &[&Self::KEYS[..], &Settings::SOLVER_KEYS].concat());
            return key_error(format!(
                "{unknown}; if '{name}' is a factor, the command must contain {{{name}}}"
            ));
        }
        Ok(())
    }

    /// The names of the series in reports.
    pub fn naming(&self) -> Naming {
        Naming { label: self.label.to_string(), group: self.group.to_string() }
    }

    /// Whether the command contains this name in braces.
    pub fn mentions(&self, name: &str) -> bool {
        let placeholder = format!("{{{name}}}");
        self.command.iter().any(|word| word.contains(&placeholder))
    }
}

/// The script or executable of a command: the first argument that is a file, or else the first word.
fn script(command: &[String]) -> &Path {
    Path::new(command[1..].iter().find(|word| Path::new(word).is_file()).unwrap_or(&command[0]))
}

/// Checks the key `answer`.
pub(super) fn check_answer(source: &SpecSource, answer: Option<&Located<String>>) -> Result<(), SpecError> {
    let Some((answer, Err(error))) = answer.map(|answer| (answer, answer.parse::<AnswerPattern>())) else {
        return Ok(());
    };
    let reason = format!("write \"{}\" or a regular expression: {error}", AnswerPattern::LAST_LINE);
    Err(source.error("answer", answer.place(), reason))
}

/// Checks a list of exit codes.
pub(super) fn check_exit_codes(
    source: &SpecSource,
    key: &str,
    codes: Option<&Located<Vec<i32>>>,
    example: &str,
) -> Result<(), SpecError> {
    let is_invalid =
        |codes: &&Located<Vec<i32>>| codes.is_empty() || !codes.iter().all(|code| (0..=255).contains(code));
    codes.filter(is_invalid).map_or(Ok(()), |codes| {
        let reason = format!("write one or more exit codes from 0 to 255, as in {example}");
        Err(source.error(key, codes.place(), reason))
    })
}

/// Checks that a command is not empty.
pub(super) fn check_command(
    source: &SpecSource,
    key: &str,
    words: Option<&Located<Vec<String>>>,
    example: &str,
) -> Result<(), SpecError> {
    let is_empty = |words: &&Located<Vec<String>>| words.first().is_none_or(String::is_empty);
    words.filter(is_empty).map_or(Ok(()), |words| {
        Err(source.error(key, words.place(), format!("name a program and its arguments, as in {example}")))
    })
}
