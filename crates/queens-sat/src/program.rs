//! External programs that read a formula as a DIMACS file: SAT solvers and model counters. Each run starts one process, without a
//! shell. The process is killed when the budget is exceeded.
//!
//! In the command, `{cnf}` is replaced by the file of the formula, and `{result}`, if present, by a file that the program writes:
//! `cadical -q {cnf}`, `clasp {cnf}`, `minisat {cnf} {result}`.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, PoisonError};

use crate::answer_pattern::AnswerPattern;
use crate::cnf::{Cnf, Variable};
use crate::dimacs;
use queens_solver::{Budget, Stop};
use supervise::command::{self, CommandError, CommandLine};
use supervise::files::{self, Temporary};
use supervise::process::{EndedProcess, Process, Stopped, Supervision};
use tempfile::TempDir;

/// The maximum number of bytes that a program may print, or write to its result file.
const MAX_BYTES: u64 = 64 << 20;

/// A program that reads a formula.
#[derive(Clone, Debug)]
pub struct DimacsProgram {
    name: String,
    command: String,
    /// Exit codes that mean that the program gave up, in addition to [`UNKNOWN_EXIT_CODES`].
    unknown_exit_codes: Vec<i32>,
    /// The pattern that selects a model counter's count, if its output has none of the formats of [`crate::counter`].
    answer: Option<AnswerPattern>,
    /// The standard output of the last run, which clones of this value share.
    last_output: Arc<Mutex<Vec<u8>>>,
}

/// The reasons why a program cannot run, or has no usable answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DimacsProgramError {
    /// The user named no program.
    #[error("no program is given: name one with --sat external='CMD {{cnf}}'")]
    NotGiven,
    /// The text is not a command.
    #[error("{0}: use --sat NAME='CMD {{cnf}}'")]
    Command(CommandError),
    /// The command has no place for the formula.
    #[error("'{0}' does not contain {{cnf}}: write {{cnf}} where the file of the formula belongs")]
    NoPlaceholder(String),
    /// There is no such program.
    #[error("'{0}' was not found")]
    NotFound(String),
    /// A run of the program failed.
    #[error("'{command}': {reason}")]
    Run {
        /// The command.
        command: String,
        /// The reason.
        reason: RunError,
    },
    /// The budget was exceeded.
    #[error("stopped: {0:?}")]
    Stopped(Stop),
}

/// The reasons why a run of a program has no usable answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The text is not a command.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The program did not start.
    #[error("{0}")]
    System(String),
    /// The formula could not be written, or the system could not start any program. The machine caused the failure, not the program.
    #[error("{0}")]
    Machine(String),
    /// The result file of the program cannot be read.
    #[error("its result file cannot be read: {0}")]
    Result(String),
    /// The program wrote more than the maximum number of bytes.
    #[error("it was stopped because it wrote more than {} MiB", MAX_BYTES >> 20)]
    TooMuchOutput,
    /// The program ended with an exit status that means a failure.
    #[error("it ended with {status}{}", last_message(.message.as_deref()))]
    Status {
        /// The status.
        status: ExitStatus,
        /// The last line of its standard error.
        message: Option<String>,
    },
    /// The program gave up: it ended without an answer, but not because of a failure.
    #[error("it ended with {status} and without an answer{}", last_message(.message.as_deref()))]
    GaveUp {
        /// The status.
        status: ExitStatus,
        /// The last line of its standard error.
        message: Option<String>,
    },
    /// A SAT solver gave no answer.
    #[error("it printed neither 's SATISFIABLE' nor 's UNSATISFIABLE'{}", last_message(.0.as_deref()))]
    NoAnswer(Option<String>),
    /// A SAT solver ended with the exit status of an answer, but printed no answer.
    #[error(
        "it ended with {0}, and printed no line 's SATISFIABLE' or 's UNSATISFIABLE'; if it writes its answer to a file, add \
         {{result}}, as in 'minisat {{cnf}} {{result}}'"
    )]
    OnlyStatus(ExitStatus),
    /// The exit status of a SAT solver contradicts the answer that it printed.
    #[error("it answered {answer}, but ended with {status}")]
    Contradiction {
        /// The printed answer.
        answer: &'static str,
        /// The exit status.
        status: ExitStatus,
    },
    /// A model has a variable and its negation.
    #[error("it answered SATISFIABLE, but its model has both {0} and -{0}")]
    BothValues(Variable),
    /// There is no model.
    #[error("it answered SATISFIABLE without a model: 'v' lines are missing")]
    NoModel,
    /// The values in the model do not satisfy a clause, and the model has no value for this variable of the clause.
    #[error(
        "it answered SATISFIABLE, but its model has no value for variable {0}, and the other values do not satisfy all clauses"
    )]
    NoValue(Variable),
    /// A model counter printed something that is not a count.
    #[error("'{0}' is not a count below 2^64")]
    NotACount(String),
    /// A model counter printed an approximate count.
    #[error("'{0}' is an approximate count: use an exact counter")]
    Approximate(String),
    /// A model counter printed two different counts.
    #[error("it printed two different counts")]
    TwoCounts,
    /// A model counter printed no count.
    #[error("it printed no count: expected a line 'c s exact arb int N', 's mc N', 's N' or '# solutions N'")]
    NoCount,
    /// No line of a model counter's output matches the pattern of the experiment.
    #[error("no line of its output matches the pattern 'answer'")]
    NoMatch,
}

impl DimacsProgramError {
    /// Whether the program gave up, which is not a failure.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self, Self::Run { reason: RunError::GaveUp { .. }, .. })
    }

    /// Whether the program could not run because of the machine.
    pub(crate) fn is_fault_of_machine(&self) -> bool {
        matches!(self, Self::Run { reason: RunError::Machine(_), .. })
    }
}

/// Exit codes of programs that give up: 0 in the SAT Competition, and 15 of MiniSat when it reaches one of its own limits.
const UNKNOWN_EXIT_CODES: [i32; 2] = [0, 15];

/// Exit codes of programs that have found an answer. A program that ends with one of them must also print the answer.
const ANSWER_EXIT_CODES: [i32; 3] = [10, 20, 30];

fn last_message(message: Option<&str>) -> String {
    message.map(|line| format!("; its last message: {line}")).unwrap_or_default()
}

/// The name of the file of a formula. Each file is in its own temporary directory.
const FORMULA_FILE_NAME: &str = "formula.cnf";

/// The file of a formula, which is removed when this value is dropped.
pub(crate) struct FormulaFile(Temporary<TempDir>);

/// The output of a program that has ended.
#[derive(Clone, Debug)]
pub(crate) struct ProgramOutput {
    /// The result file, or the standard output if the program wrote no result file.
    pub text: String,
    /// The exit status.
    pub status: ExitStatus,
    /// The last line on standard error.
    pub message: Option<String>,
}

impl ProgramOutput {
    /// Whether a line says that the program has no answer: `s UNKNOWN`, `s INDETERMINATE`, `c UNKNOWN`, or MiniSat's `INDET` and
    /// `INDETERMINATE`.
    fn reports_unknown(&self) -> bool {
        self.text.lines().any(|line| {
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            matches!(
                words[..],
                ["s" | "c", "UNKNOWN" | "INDETERMINATE" | "INDET"] | ["UNKNOWN" | "INDETERMINATE" | "INDET"]
            )
        })
    }
}

impl DimacsProgram {
    /// Creates a program from a command. The name becomes part of solver ids.
    pub fn new(name: impl Into<String>, command: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            command: command.into(),
            unknown_exit_codes: Vec::new(),
            answer: None,
            last_output: Arc::default(),
        }
    }

    /// Sets further exit codes that mean that the program gave up.
    #[must_use]
    pub fn with_unknown_exit_codes(self, codes: impl Into<Vec<i32>>) -> Self {
        Self { unknown_exit_codes: codes.into(), ..self }
    }

    /// Sets the pattern that selects a model counter's count.
    #[must_use]
    pub fn with_answer(self, answer: Option<AnswerPattern>) -> Self {
        Self { answer, ..self }
    }

    /// The pattern that selects a model counter's count.
    pub(crate) fn answer(&self) -> Option<&AnswerPattern> {
        self.answer.as_ref()
    }

    /// The standard output of the last run that ended, whether this value or a clone ran the program; empty before the first run.
    pub fn last_output(&self) -> Vec<u8> {
        self.last_output.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn store_output(&self, output: Vec<u8>) {
        *self.last_output.lock().unwrap_or_else(PoisonError::into_inner) = output;
    }

    /// The name, which is part of solver ids.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The command with its placeholders.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Checks whether the program can be started.
    ///
    /// # Errors
    /// The command cannot be parsed, has no placeholder `{cnf}`, or names a program that does not exist.
    pub fn check(&self) -> Result<(), DimacsProgramError> {
        let line = CommandLine::parse(&self.command).map_err(DimacsProgramError::Command)?;
        let program = line.program();
        if !line.mentions("{cnf}") {
            return Err(DimacsProgramError::NoPlaceholder(self.command.clone()));
        }
        command::find(program).map(|_| ()).ok_or_else(|| DimacsProgramError::NotFound(program.to_owned()))
    }

    /// Adds the command to the error of a run.
    pub(crate) fn error(&self, reason: impl Into<RunError>) -> DimacsProgramError {
        DimacsProgramError::Run { command: self.command.clone(), reason: reason.into() }
    }

    /// The error of a run that printed no answer:
    ///
    /// - [`RunError::GaveUp`] if the exit code or a line of the output says that the program gave up;
    /// - `missing_answer` if the exit code says that the program has found an answer;
    /// - [`RunError::Status`] otherwise.
    pub(crate) fn missing_answer_error(
        &self,
        output: ProgramOutput,
        missing_answer: impl FnOnce(Option<String>) -> RunError,
    ) -> DimacsProgramError {
        let ProgramOutput { status, .. } = output;
        // If a pattern matches nothing, it is more likely that the pattern is wrong than that the program gave up with exit code 0.
        let claims_answer = |code| ANSWER_EXIT_CODES.contains(&code) || code == 0 && self.answer.is_some();
        let gave_up = status.code().is_some_and(|code| {
            self.gives_up_with(code)
                || UNKNOWN_EXIT_CODES.contains(&code) && !claims_answer(code)
                || !ANSWER_EXIT_CODES.contains(&code) && output.reports_unknown()
        });
        let message = output.message;
        self.error(match status.code() {
            _ if gave_up => RunError::GaveUp { status, message },
            Some(code) if claims_answer(code) => missing_answer(message),
            _ => RunError::Status { status, message },
        })
    }

    /// Whether the user configured this exit code to mean that the program gave up.
    pub(crate) fn gives_up_with(&self, code: i32) -> bool {
        self.unknown_exit_codes.contains(&code)
    }

    /// Writes a formula with comments to a temporary file for the program.
    pub(crate) fn write(
        &self,
        cnf: &Cnf,
        comments: impl IntoIterator<Item = impl Display>,
    ) -> Result<FormulaFile, DimacsProgramError> {
        let file_error = |error: io::Error| {
            self.error(RunError::Machine(format!("the file of its formula cannot be written: {error}")))
        };
        let directory = files::temporary_directory("queenlab-").map_err(file_error)?;
        let mut file = File::create(directory.path().join(FORMULA_FILE_NAME)).map_err(file_error)?;
        dimacs::write(&mut file, comments, cnf).map_err(file_error)?;
        Ok(FormulaFile(directory))
    }

    /// Runs the program on a formula.
    pub(crate) fn run(
        &self,
        formula: &FormulaFile,
        budget: &Budget,
    ) -> Result<ProgramOutput, DimacsProgramError> {
        let directory = formula.0.path();
        let result_path = directory.join("result");
        let (printed, ended) = self.run_process(&directory.join(FORMULA_FILE_NAME), &result_path, budget)?;
        let result = match files::read_regular(&result_path, MAX_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            result => result.map(Some).map_err(|error| self.error(RunError::Result(error.to_string()))),
        };
        let text = result.map(|file| plaintext::decode(file.as_ref().unwrap_or(&printed)).into_owned());
        self.store_output(printed);
        let text = text?;
        Ok(ProgramOutput { text, status: ended.status, message: ended.last_error_line() })
    }

    /// Runs the process to its end. Returns its standard output, and how it ended.
    fn run_process(
        &self,
        cnf: &Path,
        result: &Path,
        budget: &Budget,
    ) -> Result<(Vec<u8>, EndedProcess), DimacsProgramError> {
        if let Some(stop) = budget.exceeded(0) {
            return Err(DimacsProgramError::Stopped(stop));
        }
        let line = CommandLine::parse(&self.command).map_err(|error| self.error(error))?;
        let result_bytes = || fs::metadata(result).map_or(0, |file| file.len());
        let supervision = Supervision {
            time_limit: budget.time_left(),
            cancel: budget.cancel.as_deref(),
            written: Some(&result_bytes),
            max_bytes: Some(MAX_BYTES),
            ..Supervision::default()
        };
        let command = line.command(&[("{cnf}", cnf), ("{result}", result)]);
        let (printed, ended) = Process::output(command, supervision).map_err(|error| {
            let reason =
                if supervise::is_fault_of_machine(&error) { RunError::Machine } else { RunError::System };
            self.error(reason(error.to_string()))
        })?;
        match ended.stopped {
            Some(Stopped::Deadline) => Err(DimacsProgramError::Stopped(Stop::Deadline)),
            Some(Stopped::Cancelled) => Err(DimacsProgramError::Stopped(Stop::Cancelled)),
            Some(_) => {
                self.store_output(printed);
                Err(self.error(RunError::TooMuchOutput))
            }
            None => Ok((printed, ended)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_names_missing_program_or_option() {
        let check = |command: &str| DimacsProgram::new("external", command).check();
        for (key, command) in [
            ("an empty command", " "),
            ("no placeholder", "sat"),
            ("a missing program", "no-such-solver {cnf}"),
            ("a missing file", "./no/such/solver {cnf}"),
        ] {
            wording::assert_wording!("external", key, check(command).expect_err(key));
        }
        wording::assert_wording!("external", "no program", DimacsProgramError::NotGiven);
        assert_eq!(
            check("no-such-solver {cnf}"),
            Err(DimacsProgramError::NotFound("no-such-solver".to_owned()))
        );
        assert_eq!(check("sat"), Err(DimacsProgramError::NoPlaceholder("sat".to_owned())));
        assert_eq!(check(" "), Err(DimacsProgramError::Command(CommandError::Empty)));
        assert_eq!(check("sh {cnf}"), Ok(()));
    }
}
