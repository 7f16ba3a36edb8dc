//! The command line: one file per command. Only this layer prints.
//!
//! [`main`] is the whole program `queenlab`. Another program can call it with a registry that contains its own solver. All
//! commands, such as `list`, `sweep` and `verify`, then include this solver; `examples/own_solver.rs` is such a program.
//!
//! A command is one file with its arguments and its `run`, and one line in `COMMANDS`. The commands share `options.rs` (options
//! of several commands), `terminal.rs` (messages, colours and progress bars), `progress.rs`, `summary.rs`, `comparison.rs` and
//! `interrupt.rs`.

/// Returns a usage error with this message from a command.
macro_rules! refuse {
    ($($message:tt)+) => {
        return Err($crate::cli::BadInput(format!($($message)+)).into())
    };
}

mod agreement;
mod certify;
mod check;
mod compare;
mod comparison;
mod completions;
mod count;
mod doctor;
mod encode;
mod estimate;
mod generate;
mod internal;
mod interrupt;
mod list;
mod options;
mod progress;
mod report;
mod reproduce;
mod solve;
mod summary;
mod sweep;
mod sweep_options;
mod terminal;
mod verify;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write, stdout};
use std::process::ExitCode;

use crate::app::AppError;
use crate::count::{CountError, JobError};
use crate::experiment::ExperimentError;
use crate::experiment::runner::process::{
    CELL_COMMAND, GUARD_COMMAND, adopt_orphans, own_executable, use_guard,
};
use crate::files::undeleted_paths;
use crate::judge::notation::NotationError;
use crate::record::RecordError;
use crate::registry::{Registry, SelectionError};
use crate::report::number_format as units;
use crate::solver::SolveError;
use crate::spec::SpecError;
use crate::words::nearest;
use anyhow::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Args, Parser};
use plaintext::EscapingWriter;
use serde::Serialize;

use internal::InternalCommand;

/// A command with its parsed arguments.
trait RunCommand {
    fn run(&self, registry: &Registry) -> Result<Exit, Error>;
}

/// A command: its name, and functions that declare and parse its arguments.
struct Command {
    name: &'static str,
    arguments: fn(clap::Command) -> clap::Command,
    read: fn(&ArgMatches) -> Result<Box<dyn RunCommand>, clap::Error>,
}

const fn command<C: Args + RunCommand + 'static>(name: &'static str) -> Command {
    Command { name, arguments: C::augment_args, read: |matches| Ok(Box::new(C::from_arg_matches(matches)?)) }
}

/// Every command, in the order of the help.
const COMMANDS: [Command; 14] = [
    command::<sweep::Sweep>("sweep"),
    command::<report::Report>("report"),
    command::<compare::Compare>("compare"),
    command::<reproduce::Reproduce>("reproduce"),
    command::<verify::Verify>("verify"),
    command::<check::Check>("check"),
    command::<solve::Solve>("solve"),
    command::<count::Count>("count"),
    command::<encode::Encode>("encode"),
    command::<generate::Generate>("generate"),
    command::<certify::Certify>("certify"),
    command::<list::List>("list"),
    command::<doctor::Doctor>("doctor"),
    command::<completions::Completions>("completions"),
];

const EXAMPLES: &str = "Examples:
  queenlab help sweep        show the options of a command
  queenlab sweep             run the built-in experiment (less than a minute)
  queenlab sweep 4-12 --solver 'backtrack/*'
                             measure all backtrackers on boards of size 4 to 12
  queenlab verify 1-10       compare the solutions of all backtrackers with SAT
  queenlab check 8 out.txt   check the solutions that your program printed
  queenlab certify 8         prove that there are exactly 92 solutions
  queenlab solve 8 --all     print all 92 solutions
  queenlab count 16          count the solutions as fast as possible";

const OVERVIEW: &str = "Similar commands:
  verify    compares the solvers of queenlab with each other
  check     checks the output of any program
  certify   proves the number of solutions (lrat-check checks the proof alone)
  compare   shows how two results differ
  reproduce repeats a sweep and compares the new results with the old ones

Exit codes:
  0  success                5  regression (compare --fail-on-regression)
  1  failure                6  resume refused
  2  bad input              7  a claim fails (--fail-on-claim)
  3  wrong answer           8  regression undecided (compare)
  4  timeout (--fail-on-timeout)
  130 interrupted

Results go to standard output, messages to standard error.";

const MIN_HELP_COLUMNS: usize = 40;
const MAX_HELP_COLUMNS: usize = 100;

/// The width of help on a terminal with this number of columns. Narrower lines than the minimum would have only one or two
/// words.
fn help_columns(columns: usize) -> usize {
    columns.clamp(MIN_HELP_COLUMNS, MAX_HELP_COLUMNS)
}

/// The definition of the command line. If a command is named, only its arguments are declared, which takes less time than to declare
/// the arguments of all commands.
fn command_line(named_command: Option<&str>) -> clap::Command {
    let color = Arg::new("color").long("color").value_name("WHEN").global(true);
    let color = color.value_parser(clap::value_parser!(clap::ColorChoice)).default_value("auto");
    let help = Arg::new("help").short('h').long("help").global(true).action(ArgAction::HelpShort);
    clap::Command::new("queenlab")
        .version(env!("CARGO_PKG_VERSION"))
        .about("A research harness for the N-Queens problem: textbook searchers, SAT, cross-checks, sweeps")
        .before_help(EXAMPLES)
        .after_help(OVERVIEW)
        .help_template("{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}")
        .term_width(terminal::output_columns().map_or(MAX_HELP_COLUMNS, help_columns))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .disable_help_flag(true)
        .next_help_heading("General options")
        .arg(color.help("When to colour messages"))
        .arg(help.help("Print help"))
        .subcommands(COMMANDS.iter().map(|command| {
            let subcommand = clap::Command::new(command.name);
            let needs_arguments = named_command.is_none_or(|name| name == command.name);
            with_full_help(if needs_arguments { (command.arguments)(subcommand) } else { subcommand })
        }))
}

/// Makes `-h` and `--help` print the same help: the whole description, the examples, and one paragraph for each option.
fn with_full_help(command: clap::Command) -> clap::Command {
    let description = command.get_long_about().or(command.get_about()).cloned();
    let examples = command.get_after_help().map(with_placeholders).unwrap_or_default();
    command
        .mut_args(|arg| match arg.get_help().map(with_placeholders) {
            Some(help) => arg.help(help),
            None => arg,
        })
        .after_help(examples)
        .before_help(description.unwrap_or_default())
        .help_template("{before-help}{usage-heading} {usage}{after-help}\n\n{all-args}")
}

/// Protects `{n}` in a help text. clap replaces `{n}` by a line break, unless an invisible escape sequence separates its
/// characters.
fn with_placeholders(help: &clap::builder::StyledStr) -> String {
    help.ansi().to_string().replace("{n}", "{\u{1b}[0mn}")
}

/// Converts `help` and `help COMMAND` to `--help` and `COMMAND --help`.
fn with_help_as_option(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_some_and(|word| word == "help") {
        arguments.remove(1);
        arguments.push("--help".into());
    }
    arguments
}

/// Parses a command line, whose first word is the name of the program. `--quiet` takes effect here.
fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Box<dyn RunCommand>, clap::Error> {
    let arguments = with_help_as_option(arguments.into_iter().collect());
    let is_command = |word: &&str| COMMANDS.iter().any(|command| command.name == *word);
    let named_command = arguments.iter().skip(1).filter_map(|argument| argument.to_str()).find(is_command);
    let mut root = command_line(named_command).color(terminal::color());
    let matches = root.try_get_matches_from_mut(&arguments).map_err(|error| match error.kind() {
        // The message of clap does not name the argument.
        kind @ ErrorKind::InvalidUtf8 => {
            let invalid_arguments = arguments.iter().filter(|argument| argument.to_str().is_none());
            let invalid_arguments: Vec<String> =
                invalid_arguments.map(|argument| format!("'{}'", plaintext::path(argument))).collect();
            let rule = "not valid UTF-8; only the names of files may contain other bytes";
            root.error(kind, format!("{}: {rule}", invalid_arguments.join(", ")))
        }
        ErrorKind::UnknownArgument => with_suggestion(error, &root, &arguments),
        _ => error,
    })?;
    let (name, arguments) = matches.subcommand().expect("clap requires a command");
    if arguments.try_get_one("quiet").is_ok_and(|quiet| quiet == Some(&true)) {
        terminal::be_quiet();
    }
    let command = COMMANDS.iter().find(|command| command.name == name).expect("a command of this list");
    (command.read)(arguments)
}

/// Adds a similar option to an error about an unknown option, if clap does not suggest one.
fn with_suggestion(mut error: clap::Error, root: &clap::Command, arguments: &[OsString]) -> clap::Error {
    let mut command = root;
    for word in arguments.iter().skip(1).filter_map(|word| word.to_str()) {
        command = command.find_subcommand(word).unwrap_or(command);
    }
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else { return error };
    let long_names = command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(Arg::get_long);
    let suggestion = unknown.strip_prefix("--").and_then(|unknown| nearest(unknown, long_names));
    if let Some(option) = suggestion.filter(|_| error.get(ContextKind::SuggestedArg).is_none()) {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{option}")));
    }
    error
}

/// The exit code of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    Success = 0,
    Failure = 1,
    BadInput = 2,
    WrongAnswer = 3,
    TimedOut = 4,
    Regression = 5,
    ResumeRefused = 6,
    Claim = 7,
    Undecided = 8,
    Interrupted = 130,
}

impl Exit {
    /// The message that queenlab prints if the command itself wrote nothing to standard error.
    fn message(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failed (exit code 1)",
            Self::BadInput => "bad input (exit code 2)",
            Self::WrongAnswer => "wrong answer (exit code 3)",
            Self::TimedOut => "a run reached its limit (exit code 4)",
            Self::Regression => "regression (exit code 5)",
            Self::ResumeRefused => "resume refused (exit code 6)",
            Self::Claim => "a claim fails (exit code 7)",
            Self::Undecided => "undecided (exit code 8)",
            Self::Interrupted => "interrupted (exit code 130)",
        }
    }
}

/// A usage error. The message explains how to correct the command.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(String);

impl BadInput {
    /// A usage error with the message of another error that the input caused.
    fn from_error(error: impl Display) -> Self {
        Self(error.to_string())
    }
}

/// Standard output. If the reader closes the pipe, as in `queenlab sweep | head -1`, the rest of the output is discarded, so
/// that the command still writes its files and ends with its exit code.
struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        stdout().write(bytes).or_else(|error| if is_closed(&error) { Ok(bytes.len()) } else { Err(error) })
    }

    fn flush(&mut self) -> io::Result<()> {
        stdout().flush().or_else(|error| if is_closed(&error) { Ok(()) } else { Err(error) })
    }
}

fn is_closed(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Standard output for text. Escapes control characters from files and programs, so that they cannot control the terminal.
fn out() -> EscapingWriter<Output> {
    EscapingWriter(Output)
}

/// Prints JSON. Control characters from files and programs are escaped.
fn print_json(value: &impl Serialize) -> Result<(), Error> {
    let json = plaintext::json(&serde_json::to_string_pretty(value)?);
    Ok(writeln!(Output, "{json}")?)
}

/// Combines the exit code of a command with the result of printing its output. A wrong answer takes precedence over an error of the
/// output.
fn exit_after_printing(exit: Exit, print_result: Result<(), Error>) -> Result<Exit, Error> {
    match print_result {
        Err(error) if exit == Exit::WrongAnswer => {
            terminal::error(format_args!("{error:#}"));
            Ok(exit)
        }
        print_result => print_result.map(|()| exit),
    }
}

/// Parses the command line of this process and runs the command with the solvers of `registry`. Messages go to standard error.
/// docs/FORMATS.md lists the exit codes.
///
/// The runs of a sweep are processes of the same executable, started with a hidden command. A program must therefore
/// call this function before anything else, for any arguments.
pub fn main(registry: Registry) -> ExitCode {
    let exit = run(&registry).unwrap_or_else(|error| {
        // It is not an error if the reader closed the pipe, as in `queenlab solve 12 --all | head`.
        if error.chain().filter_map(|cause| cause.downcast_ref()).any(is_closed) {
            return Exit::Success;
        }
        terminal::error(format_args!("{error:#}"));
        exit_of(&error)
    });
    for path in undeleted_paths() {
        let path = plaintext::path(&path);
        terminal::warn(format_args!("{path}: cannot remove this temporary directory; please remove it"));
    }
    // On a terminal, the printed results already show why the exit code is not 0.
    let is_visible = !terminal::is_quiet() && stdout().is_terminal();
    if exit != Exit::Success && !terminal::has_written() && !is_visible {
        terminal::say(exit.message());
    }
    ExitCode::from(exit as u8)
}

fn run(registry: &Registry) -> Result<Exit, Error> {
    interrupt::survive_file_size_limit()?;
    if std::env::args_os().nth(1).is_some_and(|first| first == CELL_COMMAND || first == GUARD_COMMAND) {
        // Other commands start the hidden commands, which end when the process that started them ends. Therefore, no signal
        // handlers are needed.
        return InternalCommand::try_parse()
            .map_or_else(|error| usage(&error), |command| command.run(registry));
    }
    let command = match read(std::env::args_os()) {
        Ok(command) => command,
        Err(error) => return usage(&error),
    };
    interrupt::listen()?;
    adopt_orphans();
    if let Ok(queenlab) = own_executable() {
        use_guard(queenlab);
    }
    let exit = command.run(registry)?;
    match Output.flush() {
        // The error was reported when the output was printed.
        Err(_) if exit == Exit::WrongAnswer => {}
        flushed => flushed?,
    }
    Ok(exit)
}

/// Parses a command line, including the name of the program, without running the command.
///
/// # Errors
///
/// The exit code and the message with which the program would end. For help and the version, the exit code is 0.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<(), (u8, String)> {
    match read(arguments) {
        Ok(_) => Ok(()),
        Err(error) => Err((u8::try_from(error.exit_code()).unwrap_or(2), error.to_string())),
    }
}

/// Prints help or the version to standard output, where a failed write is an error, or a usage error to standard error.
fn usage(error: &clap::Error) -> Result<Exit, Error> {
    let print_result = error.print();
    if error.use_stderr() {
        terminal::record_message_of_clap();
        return Ok(Exit::BadInput);
    }
    print_result.and_then(|()| stdout().flush())?;
    Ok(Exit::Success)
}

/// The exit code of an error.
fn exit_of(error: &Error) -> Exit {
    if let Some(error) = error.downcast_ref() {
        return exit_of_app(error);
    }
    if let Some(error) = error.downcast_ref() {
        return exit_of_solver(error);
    }
    let is_bad_input = error.is::<BadInput>()
        || error.is::<SpecError>()
        || error.is::<SelectionError>()
        || error.is::<NotationError>();
    if is_bad_input { Exit::BadInput } else { Exit::Failure }
}

fn exit_of_app(error: &AppError) -> Exit {
    match error {
        AppError::Input(_) | AppError::Spec(_) | AppError::Selection(_) | AppError::Results(_) => {
            Exit::BadInput
        }
        AppError::Experiment(ExperimentError::Refused(_)) => Exit::ResumeRefused,
        AppError::Record(RecordError::NoResult(_)) => Exit::BadInput,
        AppError::Solve(error) => exit_of_solver(error),
        AppError::Count(error) => exit_of_counter(error),
        AppError::Experiment(_)
        | AppError::Record(_)
        | AppError::Report(_)
        | AppError::Threads { .. }
        | AppError::Io { .. } => Exit::Failure,
    }
}

fn exit_of_solver(error: &SolveError) -> Exit {
    match error {
        SolveError::Wrong { .. } => Exit::WrongAnswer,
        SolveError::Size(_) | SolveError::Refused(_) => Exit::BadInput,
        _ => Exit::Failure,
    }
}

/// The exit code of an error of the counter. A file that is not a checkpoint, or not a shard of the merged count, is bad input.
fn exit_of_counter(error: &CountError) -> Exit {
    match error {
        // The system cannot start the threads, so this is not bad input.
        CountError::Job(JobError::Threads { .. }) => Exit::Failure,
        CountError::Job(_) | CountError::File(_) => Exit::BadInput,
        CountError::OtherJob(_) => Exit::ResumeRefused,
        CountError::Disagree(_) => Exit::WrongAnswer,
        CountError::Failed(_) => Exit::Failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects the options of a command and of its subcommands: for each option, the words that select the command, and the long name.
    fn options(words: &[String], command: &clap::Command, collected: &mut Vec<(Vec<String>, String)>) {
        let long_names = command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(Arg::get_long);
        collected.extend(long_names.map(|long| (words.to_vec(), long.to_owned())));
        for subcommand in command.get_subcommands() {
            options(&[words, &[subcommand.get_name().to_owned()]].concat(), subcommand, collected);
        }
    }

    /// The option that an error suggests in place of a mistyped one.
    fn suggested_option(words: &[&str], mistyped: &str) -> Option<String> {
        let error = read(words.iter().map(OsString::from)).err()?;
        let context_text = |kind| match error.get(kind) {
            Some(ContextValue::String(text)) => Some(text.clone()),
            Some(ContextValue::Strings(texts)) => texts.first().cloned(),
            _ => None,
        };
        assert_eq!(context_text(ContextKind::InvalidArg).as_deref(), Some(mistyped), "{words:?}: {error}");
        context_text(ContextKind::SuggestedArg)
    }

    #[test]
    fn mistyped_option_is_answered_with_the_nearest_option() {
        let mut root = command_line(None);
        root.build();
        let mut all_options = Vec::new();
        options(&[], &root, &mut all_options);
        assert!(all_options.len() > 100);
        for (words, long) in all_options.iter().filter(|(words, _)| !words.is_empty()) {
            let mut mistyped_name = long.clone();
            mistyped_name.remove(mistyped_name.len() / 2);
            let is_existing_option =
                all_options.iter().any(|(path, other)| path == words && *other == mistyped_name);
            // Very short names may be similar to several options: 'pn' to 'pin' and 'n'.
            if mistyped_name.len() < 3 || is_existing_option {
                continue;
            }
            let mistyped = format!("--{mistyped_name}");
            let command: Vec<&str> =
                std::iter::once("queenlab").chain(words.iter().map(String::as_str)).collect();
            let options_before_size =
                [&[&*mistyped][..], &[&mistyped, "8"], &["--color", "never", &mistyped, "8"]];
            let takes_size = words.last().is_some_and(|name| {
                ["sweep", "verify", "check", "solve", "count", "encode", "certify", "completion"]
                    .contains(&&**name)
            });
            let option_after_size = Some(["8", &mistyped]).filter(|_| takes_size);
            for arguments in options_before_size
                .into_iter()
                .chain(option_after_size.as_ref().map(|arguments| &arguments[..]))
            {
                let suggestion = suggested_option(&[&command, arguments].concat(), &mistyped);
                assert_eq!(suggestion.as_deref(), Some(&*format!("--{long}")), "{command:?} {arguments:?}");
            }
        }
    }

    #[test]
    fn short_option_accepts_an_attached_value() {
        for arguments in [&["count", "-j2", "8"][..], &["count", "-qj2", "8"], &["certify", "-oout", "4"]] {
            let parse_result =
                read(std::iter::once("queenlab").chain(arguments.iter().copied()).map(OsString::from));
            assert!(parse_result.is_ok(), "{arguments:?}");
        }
    }
}
