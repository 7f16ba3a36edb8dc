//! `queenlab check`: checks the solutions that another program printed.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::build::BuildCommand;
use crate::app::check::{
    BUFFER_BYTES, CheckInput, Conditions, DEFAULT_INPUT, DEFAULT_MEMORY_BYTES, Grade, JudgedAnswer,
    SIZE_PLACEHOLDER, check,
};
use crate::app::programs;
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::board::sizes::Sizes;
use crate::judge::notation::{Notation, Symbols};
use crate::judge::{AnswerKind, Question};
use crate::registry::Registry;
use crate::spec::{Memory, parse_duration};
use anyhow::{Context, Error};
use clap::Args;

use super::options::{Messages, ProblemOptions, parse_size};
use super::{BadInput, Exit, RunCommand, interrupt, out, print_json, terminal};

mod batch;

/// Time limit of a command without --timeout.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// The exit code for a submission with this grade.
fn exit_of(grade: Grade) -> Exit {
    match grade {
        Grade::Correct => Exit::Success,
        Grade::Unfinished => Exit::Failure,
        Grade::Unreadable => Exit::BadInput,
        Grade::Wrong => Exit::WrongAnswer,
    }
}

/// Check the solutions that another program printed.
///
/// Reads boards from FILE, from standard input or from the output of a command. Reports which boards are illegal,
/// repeated or missing, and draws the first few of each kind.
///
/// With --batch, checks every submission in a directory at several board sizes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab check 8 out.txt
  python3 my_queens.py 8 | queenlab check 8
  queenlab check 8 --timeout 30s -- python3 my_queens.py {n}
  queenlab check 8 -- ./reads_the_size
  queenlab check 20 --first --json -- ./one_solution 20
  queenlab check 12 --count answer.txt
  queenlab check 7 --variant toroidal out.txt
  queenlab check --instance puzzle.txt out.txt
  queenlab check --batch submissions --n 4-8 --timeout 10s --grades grades.csv

Exit codes: 0 correct; 1 unfinished (the program failed or was stopped, and nothing that it printed is wrong); \
2 unreadable (no board of this size, or ambiguous); 3 wrong. With --batch, the highest of the exit codes of all submissions.")]
pub struct Check {
    /// Board size, for example 8. Omit it with --instance, because the file determines the size.
    // The type is not a number, because with --instance the first argument is FILE.
    #[arg(value_name = "N", allow_negative_numbers = true, required_unless_present_any = ["batch", "instance"])]
    n: Option<OsString>,
    /// File with the boards [default: standard input].
    #[arg(conflicts_with = "command")]
    file: Option<PathBuf>,
    #[command(flatten)]
    problem: ProblemOptions,
    /// Read boards in this notation only, for example columns, matrix or list; docs/FORMATS.md lists all names
    /// [default: detect the notation, see docs/CHECKING.md].
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    /// Symbol of a queen in drawn boards, if it cannot be inferred.
    #[arg(long, value_name = "X", value_parser = parse_symbol, conflicts_with = "count")]
    queen: Option<char>,
    /// Symbol of an empty square in drawn boards, if it cannot be inferred.
    #[arg(long, value_name = "Y", value_parser = parse_symbol, conflicts_with = "count")]
    empty: Option<char>,
    /// Check only the first board; the program is expected to print one solution.
    #[arg(long)]
    first: bool,
    /// Expect the number of solutions instead of boards.
    #[arg(long, conflicts_with_all = ["first", "notation"])]
    count: bool,
    /// Check every submission in DIR: a program, a text file with boards, or a folder that contains one of them. A program
    /// gets the board size as its only argument and on standard input; see docs/CLASS.md.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "command"])]
    batch: Option<PathBuf>,
    /// Board sizes for --batch, for example 4-8 or 4,6,8.
    #[arg(short = 'n', long = "n", value_name = "SIZES", requires = "batch")]
    sizes: Option<Sizes>,
    /// Write the results of --batch to a CSV file with one line per submission and size; if FILE is `-`, the lines are printed
    /// instead of the table.
    #[arg(long, value_name = "FILE", requires = "batch")]
    csv: Option<PathBuf>,
    /// Write the grades of --batch to a CSV file with one line per submission: student, points, maximum points (`of`) and one
    /// sentence of feedback.
    #[arg(long, value_name = "FILE", requires = "batch")]
    grades: Option<PathBuf>,
    /// Compile the source files *.EXT of --batch with CMD, for example 'c=cc -O2 -o {exe} {file}' or
    /// 'java=javac -d {dir} {files}': {file} is the source file, {files} are all files with this extension, {exe} is the
    /// program, {dir} the directory for classes. Repeatable.
    #[arg(long, value_name = "EXT=CMD", requires = "batch")]
    build: Vec<BuildCommand>,
    /// Do not give a point for a correct answer if the program ends with an exit code other than 0.
    #[arg(long, requires = "batch")]
    strict_exit: bool,
    /// Number of programs that --batch runs at the same time.
    #[arg(short, long, value_name = "J", requires = "batch", default_value = "1")]
    jobs: NonZeroUsize,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// Time limit (wall clock) of a program, for example 500ms, 10s or 5m [default: 60s, or
    /// 10 times --cpu-timeout if that is longer].
    #[arg(long, value_name = "D", value_parser = parse_duration)]
    timeout: Option<Duration>,
    /// CPU time limit of a program (Linux). Unlike wall-clock time, CPU time hardly depends on other programs.
    #[arg(long, value_name = "D", value_parser = parse_duration)]
    cpu_timeout: Option<Duration>,
    /// Limit of the resident memory of a program and all processes that it starts (Linux) [default: 4GiB].
    #[arg(long, value_name = "SIZE")]
    memory: Option<Memory>,
    /// Standard input of a program; {n} stands for the board size, and \n for a line break [default: the board size].
    #[arg(long, value_name = "TEXT", default_value = DEFAULT_INPUT, hide_default_value = true)]
    input: String,
    /// Command that prints the boards, with its arguments; {n} stands for the board size.
    #[arg(last = true, value_name = "CMD ARG")]
    command: Vec<OsString>,
    #[command(flatten)]
    messages: Messages,
}

impl RunCommand for Check {
    fn run(&self, _registry: &Registry) -> Result<Exit, Error> {
        let answer_kind = match (self.first, self.count) {
            (true, _) => AnswerKind::One,
            (_, true) => AnswerKind::Count,
            _ => AnswerKind::All,
        };
        if let Some(directory) = &self.batch {
            return batch::run(directory, answer_kind, self);
        }
        let (n, file) = size_and_file(self)?;
        let problem = self.problem.problem(n)?;
        self.judge_submission(&self.question(problem, answer_kind), file)
    }
}

/// Parses a symbol, which is one character. Variation selectors and joiners of emoji are ignored.
fn parse_symbol(text: &str) -> Result<char, &'static str> {
    let mut characters = text.chars().filter(|c| !matches!(c, '\u{FE0F}' | '\u{200D}'));
    match (characters.next(), characters.next()) {
        (Some(symbol), None) => Ok(symbol),
        _ => Err("a symbol is one character, for example '*'"),
    }
}

impl Check {
    /// The question that a submission for this problem is judged by.
    fn question(&self, problem: Problem, answer_kind: AnswerKind) -> Question {
        Question { problem, notation: self.notation, symbols: self.symbols(), answer_kind }
    }

    /// Judges one submission.
    fn judge_submission(&self, question: &Question, file: Option<&Path>) -> Result<Exit, Error> {
        let judged = if self.command.is_empty() {
            // These options require CMD. clap's `requires` cannot express this, because clap ignores `requires` for arguments that
            // conflict, and FILE and CMD conflict.
            let command_only_options = [
                ("--timeout", self.timeout.is_some()),
                ("--cpu-timeout", self.cpu_timeout.is_some()),
                ("--memory", self.memory.is_some()),
                ("--input", self.input != DEFAULT_INPUT),
            ];
            if let Some((option, _)) = command_only_options.into_iter().find(|(_, is_given)| *is_given) {
                refuse!("{option} works only with a command: queenlab check N {option} ... -- CMD ARG...");
            }
            check(question, CheckInput::Text(&mut open(file)?, file), &interrupt::flag())
        } else {
            let interrupt_guard = interrupt::graceful_step();
            let input = self.input();
            let conditions = Conditions {
                timeout: self.timeout(),
                cpu_timeout: self.cpu_timeout,
                memory: self.memory(),
                input: &input,
                place: None,
            };
            check(question, CheckInput::Command(&self.command, conditions), &interrupt_guard.flag())
        };
        let Some(judged) = judged else {
            terminal::say("interrupted: the program was stopped");
            return Ok(Exit::Interrupted);
        };
        self.print(&judged, question, file)?;
        let has_boards = judged.report.is_some_and(|report| report.board_count > 0);
        if judged.grade != Grade::Correct && !has_boards {
            advise(self, file);
        }
        Ok(exit_of(judged.grade))
    }

    /// FILE and the command that would start it; `None` if FILE is not a program.
    fn program<'f>(&self, file: Option<&'f Path>) -> Option<(&'f Path, String)> {
        let file = file.filter(|_| self.command.is_empty())?;
        Some((file, programs::start_command(file)?))
    }

    fn symbols(&self) -> Symbols {
        Symbols { queen: self.queen, empty: self.empty }
    }

    fn timeout(&self) -> Duration {
        let default =
            self.cpu_timeout.map_or(DEFAULT_TIMEOUT, |limit| limit.saturating_mul(10).max(DEFAULT_TIMEOUT));
        self.timeout.unwrap_or(default)
    }

    fn memory(&self) -> u64 {
        self.memory.map_or(DEFAULT_MEMORY_BYTES, |limit| limit.0)
    }

    /// The standard input of a program.
    fn input(&self) -> String {
        self.input.replace("\\n", "\n")
    }

    fn print(&self, judged: &JudgedAnswer, question: &Question, file: Option<&Path>) -> Result<(), Error> {
        if self.json {
            print_json(&judged.answer_with_boards(&question.problem))?;
        }
        if let Some(report) = &judged.report {
            if !self.json && (!self.messages.quiet.quiet || judged.grade != Grade::Correct) {
                write!(out(), "{report}")?;
            }
            return Ok(());
        }
        let file = file.filter(|_| self.command.is_empty());
        let file_prefix = file.map_or(String::new(), |file| format!("{}: ", plaintext::path(file)));
        terminal::error(format_args!("{file_prefix}{}", judged.message));
        Ok(())
    }
}

/// Prints the right command if FILE is a program, or a hint if the command may lack the board size.
fn advise(arguments: &Check, file: Option<&Path>) {
    let n = arguments.n.as_ref().map_or(String::new(), |n| format!("{} ", n.to_string_lossy()));
    let words: Vec<_> = arguments.command.iter().map(|word| word.to_string_lossy()).collect();
    if !words.is_empty() {
        let has_size = words.iter().any(|word| word.contains(SIZE_PLACEHOLDER) || word.contains(n.trim()));
        if !has_size {
            terminal::note(format_args!(
                "the program gets the board size only on its standard input; if it expects the size as an argument, write \
                 {SIZE_PLACEHOLDER} in the command"
            ));
        }
    } else if let Some((file, command)) = arguments.program(file) {
        let file = plaintext::path(file);
        terminal::note(format_args!(
            "{file} is a program; to check what it prints: queenlab check {n}-- {command}"
        ));
    }
}

/// The board size and the file with the boards. With --instance, a single argument is the file.
fn size_and_file(arguments: &Check) -> Result<(Option<BoardSize>, Option<&Path>), Error> {
    let file = arguments.file.as_deref();
    match (&arguments.n, &arguments.problem.instance) {
        (Some(file_argument), Some(_)) if file.is_none() => Ok((None, Some(Path::new(file_argument)))),
        (Some(n), _) => {
            let text = n.to_string_lossy();
            let n = parse_size(&text).map_err(|reason| {
                let hint = if file.is_none() {
                    "; write the size before the file, as in queenlab check 8 out.txt"
                } else {
                    ""
                };
                BadInput(format!("'{text}': {reason}{hint}"))
            })?;
            Ok((Some(n), file))
        }
        (None, _) => Ok((None, file)),
    }
}

fn open(file: Option<&Path>) -> Result<BufReader<Box<dyn Read>>, Error> {
    let input: Box<dyn Read> = match file {
        Some(path) if path != Path::new("-") => {
            let displayed_path = plaintext::path(path);
            let file = File::open(path).with_context(|| format!("cannot open {displayed_path}"))?;
            let is_directory = file.metadata().is_ok_and(|metadata| metadata.is_dir());
            anyhow::ensure!(
                !is_directory,
                "{displayed_path} is a directory: name a file with boards, or use --batch"
            );
            Box::new(file)
        }
        _ => {
            if io::stdin().is_terminal() {
                terminal::note("reading boards from the terminal; end them with Ctrl-D");
            }
            Box::new(io::stdin())
        }
    };
    Ok(BufReader::with_capacity(BUFFER_BYTES, input))
}
