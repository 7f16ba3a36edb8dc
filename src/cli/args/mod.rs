//! The command line: the global options, and how arguments are parsed. Each command has its own file of arguments.

mod check;
mod completions;
mod count;
mod doctor;
mod encode;
mod generate;
mod internal;
mod list;
mod problem;
mod solve;
mod values;
mod verify;

use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use super::BadInput;
use super::certify::CertifyArguments;

pub use super::compare::CompareArguments;
pub use super::report::ReportArguments;
pub use super::reproduce::ReproduceArguments;
pub use super::sweep::SweepArguments;
pub use check::CheckArguments;
pub use completions::CompletionsArguments;
pub use count::CountArguments;
pub use doctor::DoctorArguments;
pub use encode::EncodeArguments;
pub use generate::{GenerateArguments, GenerateKind};
pub use internal::{CellArguments, InternalCommand};
pub use list::ListArguments;
pub use problem::{ProblemArguments, ProblemOptions, SquareRules};
pub use solve::SolveArguments;
pub use values::{parse_percent, parse_size};
pub use verify::VerifyArguments;

/// A research harness for the N-Queens problem: textbook searchers, SAT, cross-checks, sweeps.
#[derive(Parser, Debug)]
#[command(
    name = "queenlab",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
#[command(after_help = "Examples:
  queenlab sweep                              the built-in experiment, under two minutes
  queenlab sweep --n 4-12 --solver 'backtrack/*' --solver 'sat/pairwise/*' --timeout 10s
  queenlab verify 1-10                        the solutions of every backtracker against SAT
  queenlab check 8 out.txt                    judge solutions that another program printed
  queenlab certify 8                          a proof that there are exactly 92 solutions
  queenlab solve 8 --all --fundamental        the 12 fundamental solutions
  queenlab count 22 --shard 3/64 --out shards a part of a count, for a cluster

Exit codes: 0 success, 1 failure, 2 bad input, 3 wrong answer, 4 timeout (--fail-on-timeout),
5 regression (compare), 6 resume refused, 7 failed claim (--fail-on-claim), 130 interrupted.
Results go to standard output, messages to standard error.")]
pub struct Arguments {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options that several commands share. [`ACTS`] says which.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// How to show progress on standard error.
    #[arg(long, global = true, value_name = "HOW", default_value = "auto")]
    pub progress: ProgressStyle,
    /// The SAT solver that `sat/*/external` runs, for example 'clasp {cnf}'. It must read DIMACS CNF and print `s` and
    /// `v` lines.
    #[arg(long, global = true, value_name = "CMD {cnf}")]
    pub external: Option<String>,
    /// Print only data, errors and wrong answers: no progress, no summary, no warnings.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Random seed for the order of runs, for randomized solvers and for generated instances, for example 42
    /// [default: 1].
    #[arg(long, global = true, value_name = "S")]
    pub seed: Option<u64>,
    /// Print one line for every run of a sweep as it ends.
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// When to colour messages.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}

/// The commands on which a global option acts; the help of other commands leaves it out. An option that is not here
/// acts on all commands.
const ACTS: [(&str, &[&str]); 5] = [
    ("progress", &["sweep", "reproduce", "verify", "count", "certify"]),
    ("external", &["sweep", "verify", "solve", "count", "list"]),
    ("quiet", &["sweep", "report", "compare", "reproduce", "verify", "check", "solve", "count", "certify"]),
    (
        "seed",
        &[
            "sweep",
            "solve",
            "count",
            "generate regions",
            "generate excluded-diagonals",
            "generate completion",
            "generate blocked",
        ],
    ),
    ("verbose", &["sweep", "reproduce"]),
];

/// Global options that change results: where they have no effect, they are refused.
const CHANGES_RESULTS: [&str; 2] = ["external", "seed"];

/// The commands on which a global option acts, if it does not act on all.
fn acts_on(option: &str) -> Option<&'static [&'static str]> {
    ACTS.iter().find(|(id, _)| *id == option).map(|(_, commands)| *commands)
}

/// The command line as clap knows it, with each global option hidden where it has no effect.
pub fn command() -> clap::Command {
    let command = Arguments::command();
    let globals: Vec<clap::Arg> =
        command.get_arguments().filter(|arg| arg.is_global_set()).cloned().collect();
    with_globals(command, "", &globals)
}

fn with_globals(command: clap::Command, path: &str, globals: &[clap::Arg]) -> clap::Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| {
        let path = format!("{path} {name}").trim_start().to_owned();
        command.mut_subcommand(name, |sub| {
            let own = globals.iter().map(|arg| {
                let acts =
                    acts_on(arg.get_id().as_str()).is_none_or(|commands| commands.contains(&path.as_str()));
                let arg = arg.clone().hide(!acts);
                if arg.get_id() == "seed" { arg.help(seed_help(&path)) } else { arg }
            });
            with_globals(sub.args(own), &path, globals)
        })
    })
}

/// What the seed of a command decides.
fn seed_help(path: &str) -> &'static str {
    match path.split(' ').next() {
        Some("sweep") => {
            "Random seed for the order of runs and for randomized solvers, for example 42 [default: 1]"
        }
        Some("count") => {
            "Random seed for randomized solvers and for the probes of --estimate, for example 42 [default: 1]"
        }
        Some("generate") => "Random seed of the instance, for example 42 [default: 1]",
        _ => "Random seed for randomized solvers, for example 42 [default: 1]",
    }
}

/// Why a command line gives no arguments.
pub enum ParseError {
    /// The user requested help, or the command line is wrong.
    Usage(clap::Error),
    /// An option was given that would change nothing, or an argument that is not text.
    Refused(BadInput),
}

/// Parses a command line, the name of the program first.
pub fn parse(
    arguments: impl IntoIterator<Item = OsString>,
    color: clap::ColorChoice,
) -> Result<Arguments, ParseError> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let matches = command().color(color).try_get_matches_from(&arguments).map_err(|error| {
        // The message of clap does not name the argument.
        let odd = arguments.iter().filter(|argument| argument.to_str().is_none());
        let odd: Vec<String> = odd.map(|argument| format!("'{}'", argument.display())).collect();
        match error.kind() {
            clap::error::ErrorKind::InvalidUtf8 => ParseError::Refused(BadInput(format!(
                "{}: not valid UTF-8, which options and arguments other than files must be",
                odd.join(", ")
            ))),
            _ => ParseError::Usage(error),
        }
    })?;
    refuse_without_effect(&matches).map_err(ParseError::Refused)?;
    Arguments::from_arg_matches(&matches).map_err(ParseError::Usage)
}

fn refuse_without_effect(matches: &ArgMatches) -> Result<(), BadInput> {
    let (mut path, mut leaf) = (Vec::new(), matches);
    while let Some((name, sub)) = leaf.subcommand() {
        path.push(name);
        leaf = sub;
    }
    let path = path.join(" ");
    for option in CHANGES_RESULTS {
        let given = leaf.value_source(option) == Some(ValueSource::CommandLine);
        let commands = acts_on(option).unwrap_or_default();
        if given && !commands.contains(&path.as_str()) {
            let commands = commands.join(", ");
            refuse!("--{option} has no effect on 'queenlab {path}': leave it out. It applies to: {commands}");
        }
    }
    Ok(())
}

impl Global {
    /// The random seed, or its default.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// Colour on a terminal, unless NO_COLOR is set.
    Auto,
    /// Colour even if standard error is not a terminal.
    Always,
    /// No colour.
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressStyle {
    /// Bars on a terminal, otherwise plain lines.
    Auto,
    /// Progress bars.
    Bar,
    /// A line of text every two seconds.
    Plain,
    /// One JSON object per line, for scripts.
    Json,
    /// No progress.
    None,
}

#[derive(Subcommand, Debug)]
#[expect(clippy::large_enum_variant, reason = "a process has one")]
pub enum Command {
    Sweep(SweepArguments),
    Report(ReportArguments),
    Compare(CompareArguments),
    Reproduce(ReproduceArguments),
    Verify(VerifyArguments),
    Check(CheckArguments),
    Solve(SolveArguments),
    Count(CountArguments),
    Encode(EncodeArguments),
    Generate(GenerateArguments),
    Certify(CertifyArguments),
    List(ListArguments),
    Doctor(DoctorArguments),
    Completions(CompletionsArguments),
}
