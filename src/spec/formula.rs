//! `[[sat]]` and `[[counter]]`: external SAT solvers and model counters.

use serde::Serialize;

use super::names::{check_file_name, check_placeholders};
use super::place::{Located, Place, SpecError, SpecSource};
use super::program::{check_answer, check_command, check_exit_codes};
use super::table::{SpecTable, arguments, boolean, line, numbers, text};
use crate::command::CommandLine;
use crate::sat;
use crate::sat::program::DimacsProgram;

/// The name of the built-in SAT backend that starts an external program. It is the only name of a built-in backend that an
/// experiment may use as an id, as in `sat/pairwise/external`.
pub const EXTERNAL: &str = "external";

/// An external SAT solver or a model counter. Its id is a part of solver ids.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FormulaProgram {
    /// The third part of solver ids, as in `sat/pairwise/kissat` or `counter/pairwise/d4`.
    pub id: Located<String>,
    /// The command line. `{cnf}` stands for the file of the formula; [`FormulaProgram::PLACEHOLDERS`] lists the other
    /// placeholders.
    pub command: Located<String>,
    /// A command that prints the version of the program.
    pub version: Option<Located<Vec<String>>>,
    /// A command that installs the program.
    pub install: Option<Located<String>>,
    /// Exit codes that mean that the program gave up. If there is no answer, 15 always has this meaning, and 0 has it unless the
    /// key `answer` is set.
    pub unknown_exit_codes: Option<Located<Vec<i32>>>,
    /// Where the count is in the output of a model counter: `last-line` or a regular expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Located<String>>,
    /// Whether a model counter counts projected models: models that differ only in auxiliary variables count once.
    #[serde(skip_serializing_if = "is_true")]
    pub projects: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_true(truth: &bool) -> bool {
    *truth
}

impl FormulaProgram {
    /// The names that the command may contain in braces, besides `{cnf}` and `{result}`.
    pub const PLACEHOLDERS: [&str; 5] = ["n", "goal", "seed", "timeout", "threads"];

    /// Parses the SAT solver in an option `NAME=CMD`.
    ///
    /// # Errors
    ///
    /// The name is missing, invalid or that of a built-in SAT solver, or the command does not contain `{cnf}`.
    pub fn of_option(option: &'static str, text: &str) -> Result<Self, SpecError> {
        let (place, source) = (Place::Option(option), SpecSource::default());
        let Some((id, command)) = text.split_once('=') else {
            let reason =
                format!("'{text}' has no name: write NAME='CMD {{cnf}}', as in kissat='kissat -q {{cnf}}'");
            return Err(source.error("", &place, reason));
        };
        let [id, command] = [id, command.trim()].map(|text| Located::new(text.to_owned(), place.clone()));
        let program = Self {
            id,
            command,
            version: None,
            install: None,
            unknown_exit_codes: None,
            answer: None,
            projects: true,
        };
        program.check_sat(&source)?;
        Ok(program)
    }

    /// The program to start.
    pub fn program(&self) -> DimacsProgram {
        let codes = self.unknown_exit_codes.as_deref().cloned().unwrap_or_default();
        // The pattern is valid: it was checked when the experiment was read.
        let answer = self.answer.as_ref().and_then(|answer| answer.parse().ok());
        DimacsProgram::new(self.id.as_str(), self.command.as_str())
            .with_unknown_exit_codes(codes)
            .with_answer(answer)
    }

    pub(super) fn read_sat(mut table: SpecTable<'_>) -> Result<Self, SpecError> {
        let program = Self {
            id: table.required("id", line)?,
            command: table.required("command", text)?,
            version: table.optional("version", arguments)?,
            install: table.optional("install", line)?,
            unknown_exit_codes: table.optional("unknown_exit_codes", numbers)?,
            answer: None,
            projects: true,
        };
        table.finish()?;
        Ok(program)
    }

    pub(super) fn read_counter(mut table: SpecTable<'_>) -> Result<Self, SpecError> {
        let program = Self {
            id: table.required("id", line)?,
            command: table.required("command", text)?,
            version: table.optional("version", arguments)?,
            install: table.optional("install", line)?,
            unknown_exit_codes: table.optional("unknown_exit_codes", numbers)?,
            answer: table.optional("answer", line)?,
            projects: table.optional("projects", boolean)?.is_none_or(|projects| *projects),
        };
        table.finish()?;
        Ok(program)
    }

    /// Checks an external SAT solver; its id must not be that of a built-in SAT solver.
    pub(super) fn check_sat(&self, source: &SpecSource) -> Result<(), SpecError> {
        let is_built_in = sat::backend::ALL.iter().any(|backend| backend.name == self.id.as_str());
        if is_built_in && self.id.as_str() != EXTERNAL {
            let reason = format!("'{}' is a built-in SAT solver: choose another id", *self.id);
            return Err(source.error("id", self.id.place(), reason));
        }
        self.check(source)
    }

    /// Checks what can be checked without starting the program.
    pub(super) fn check(&self, source: &SpecSource) -> Result<(), SpecError> {
        check_file_name(&self.id).map_err(|reason| source.error("id", self.id.place(), reason))?;
        let command_error = |reason: String| source.error("command", self.command.place(), reason);
        let line = CommandLine::parse(&self.command).map_err(|error| command_error(error.to_string()))?;
        if !line.mentions("{cnf}") {
            let reason = "write {cnf} where the file of the formula belongs, as in \"kissat -q {cnf}\"";
            return Err(command_error(reason.to_owned()));
        }
        let names = ["cnf", "result"].into_iter().chain(Self::PLACEHOLDERS);
        check_placeholders(std::iter::once(self.command.as_str()), &names.collect::<Vec<_>>())
            .map_err(|error| command_error(error.to_string()))?;
        check_answer(source, self.answer.as_ref())?;
        check_exit_codes(source, "unknown_exit_codes", self.unknown_exit_codes.as_ref(), "[2]")?;
        check_command(source, "version", self.version.as_ref(), "[\"kissat\", \"--version\"]")
    }
}
