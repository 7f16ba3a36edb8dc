//! `[[program]]`: a program of the user.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::axis::{Factors, TextValues};
use super::names::{as_file_name, check_file_name, check_placeholders};
use super::place::{Located, Place, SpecError, SpecSource};
use super::settings::Settings;
use super::solver::{Naming, check_excluded, has_none, is_empty};
use super::table::{SpecTable, arguments, combinations, line, numbers, unknown_key};
use crate::board::sizes::Sizes;
use crate::command::CommandLine;
use crate::judge::notation::Notation;
use crate::model::{MAX_NAME, is_name};
use crate::sat::answer_pattern::AnswerPattern;
use crate::solver::Goal;
use plaintext::Escaped;

/// The placeholder of the path of this program.
pub const QUEENLAB: &str = "queenlab";

/// The values of the placeholders for a run, with their names in braces. `{timeout}` is in seconds.
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
    /// `program/<id>` in the tables.
    pub id: Located<String>,
    /// Program and arguments; [`Program::PLACEHOLDERS`] and factors in braces are replaced by their values.
    pub command: Located<Vec<String>>,
    /// The notation in which it prints boards, or `auto`.
    pub notation: Located<String>,
    /// The names of its series; empty if none is given.
    #[serde(skip_serializing_if = "is_empty")]
    pub label: Located<String>,
    /// The group that its series belong to; empty if nothing is given.
    #[serde(skip_serializing_if = "is_empty")]
    pub group: Located<String>,
    /// Settings that replace those of the sweep.
    #[serde(flatten)]
    pub settings: Settings,
    /// The user's own parameters of the command.
    #[serde(flatten)]
    pub factors: Factors,
    /// Combinations of factors that are left out.
    #[serde(skip_serializing_if = "has_none")]
    pub exclude: Located<Vec<Factors>>,
    /// Where its answer is among other output: [`AnswerPattern::LAST_LINE`] or a regular expression.
    pub answer: Option<Located<String>>,
    /// Files of the program that its command does not name, such as modules.
    pub files: Option<Located<Vec<String>>>,
    /// What installs it.
    pub install: Option<Located<String>>,
    /// Exit codes that mean success; only 0 if none are given.
    pub accept_exit_codes: Option<Located<Vec<i32>>>,
    /// Exit codes that mean that it gave up.
    pub unknown_exit_codes: Option<Located<Vec<i32>>>,
    /// A command to carry out once before the sweep.
    pub build: Option<Located<Vec<String>>>,
    /// A command that prints the version of the program.
    pub version: Option<Located<Vec<String>>>,
}

impl Program {
    /// What a command may contain in braces beside factors.
    pub const PLACEHOLDERS: [&str; 8] =
        ["n", "goal", "seed", "timeout", "threads", "variant", "instance", QUEENLAB];

    /// The keys that are not those of every solver.
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

    /// A program without settings of its own.
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

    /// Reads a program from a command line, in which `{n}` stands for the board size. The id is the name of its script or
    /// executable.
    ///
    /// # Errors
    ///
    /// A command that cannot be divided into words, or an unknown name in braces.
    pub fn of_command(option: &'static str, command: &str) -> Result<Self, SpecError> {
        let place = Place::Option(option);
        let fail = |reason: String| SpecSource::default().error("", &place, reason);
        let line = CommandLine::parse(command).map_err(|error| fail(error.to_string()))?;
        let command = line.words();
        check_placeholders(command.iter().map(String::as_str), &Self::PLACEHOLDERS)
            .map_err(|error| fail(error.to_string()))?;
        let id = as_file_name(script(&command));
        Ok(Self::of(Located::new(id, place.clone()), Located::new(command, place)))
    }

    /// An id that tells it apart from another program with the same file name: with the name of its folder, if it has one.
    pub fn longer_id(&self) -> Option<String> {
        let folder = script(&self.command).parent()?.file_name()?;
        Some(format!("{}-{}", as_file_name(Path::new(folder)), self.id.as_str()))
    }

    pub(super) fn read(mut table: SpecTable<'_>) -> Result<Self, SpecError> {
        let (id, command) = (table.required("id", line)?, table.required("command", arguments)?);
        let plain = Self::of(id, command);
        let program = Self {
            notation: table.optional("notation", line)?.unwrap_or(plain.notation),
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
            ..plain
        };
        Ok(Self { factors: table.others()?.into_iter().collect(), ..program })
    }

    /// Checks what can be checked without starting it; the sizes are those of the sweep.
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

    /// Checks a key that is not one of [`Self::KEYS`] or a setting.
    fn check_factor(
        &self,
        source: &SpecSource,
        name: &str,
        values: &Located<TextValues>,
    ) -> Result<(), SpecError> {
        let wrong = |reason: String| Err(source.error_in_key(values.place(), reason));
        if !is_name(name) {
            let most = MAX_NAME;
            return wrong(format!(
                "'{name}' is not the name of a factor: use up to {most} letters, digits, '-' and '_'"
            ));
        }
        if let Some(value) = values.0.iter().find(|value| value.contains([',', '\n', '\r'])) {
            let value = Escaped(value);
            return wrong(format!(
                "{name}: the value '{value}' must not contain commas or line ends, which separate values in the tables"
            ));
        }
        if Self::PLACEHOLDERS.contains(&name) {
            return wrong(format!("'{name}' is not the name of a factor: its value is that of the run"));
        }
        if !self.mentions(name) {
            let unknown = unknown_key(name, &[&Self::KEYS[..], &Settings::OF_SOLVERS].concat());
            return wrong(format!(
                "{unknown}, and factors of your own, which the command must contain, as in {{{name}}}"
            ));
        }
        Ok(())
    }

    /// How its series are shown.
    pub fn naming(&self) -> Naming {
        Naming { label: self.label.to_string(), group: self.group.to_string() }
    }

    /// Whether the command contains this name in braces.
    pub fn mentions(&self, name: &str) -> bool {
        let place = format!("{{{name}}}");
        self.command.iter().any(|word| word.contains(&place))
    }
}

/// The file that a command runs: the first argument that is a file, or else its first word.
fn script(command: &[String]) -> &Path {
    Path::new(command[1..].iter().find(|word| Path::new(word).is_file()).unwrap_or(&command[0]))
}

/// Checks where an answer is among other output.
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
    let are_none =
        |codes: &&Located<Vec<i32>>| codes.is_empty() || !codes.iter().all(|code| (0..=255).contains(code));
    codes.filter(are_none).map_or(Ok(()), |codes| {
        let reason = format!("give at least one exit code from 0 to 255, as in {example}");
        Err(source.error(key, codes.place(), reason))
    })
}

/// Checks that a command has words.
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
