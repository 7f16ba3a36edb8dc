//! Options that several commands share. Each command includes the groups of options that it supports.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error};
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::{BadInput, terminal};
use crate::app::sweep::Invocation;
use crate::board::problem::{Problem, Variant, read_diagonals, read_squares};
use crate::board::{BoardSize, ProblemError};
use crate::experiment::runner::process::own_executable;
use crate::model::SolverRef;
use crate::record::write_atomically;
use crate::registry::Registry;
use crate::solver::Info;
use crate::spec::{Bounded, FormulaProgram};
use crate::{files, instance};

/// The option of commands that write messages.
#[derive(Args, Clone, Copy, Debug)]
pub struct Quiet {
    /// Print only data, errors and wrong answers.
    #[arg(short, long)]
    pub quiet: bool,
}

/// The options of commands that may take a long time.
#[derive(Args, Clone, Copy, Debug)]
pub struct Messages {
    #[command(flatten)]
    pub quiet: Quiet,
    /// How to show progress: auto, bar, plain or none.
    #[arg(long, value_name = "HOW", default_value = "auto", hide_possible_values = true)]
    progress: ProgressStyle,
}

impl Messages {
    /// The requested style; `auto` is resolved for standard error.
    pub fn style(&self) -> ProgressStyle {
        match self.progress {
            _ if self.quiet.quiet => ProgressStyle::None,
            ProgressStyle::Auto if terminal::can_draw() => ProgressStyle::Bar,
            ProgressStyle::Auto => ProgressStyle::Plain,
            style => style,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressStyle {
    /// Bars on a terminal that can move its cursor, otherwise plain lines.
    Auto,
    /// Progress bars.
    Bar,
    /// A line of text every two seconds.
    Plain,
    /// No progress.
    None,
}

/// The options of commands that run a sweep.
#[derive(Args, Clone, Copy, Debug)]
pub struct SweepMessages {
    #[command(flatten)]
    pub messages: Messages,
    /// Print one line for every run as it ends.
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
}

/// The option of commands that use random numbers.
#[derive(Args, Clone, Copy, Debug)]
pub struct Seed {
    /// Random seed, for example 42.
    #[arg(long, value_name = "S", default_value = "1")]
    pub seed: u64,
}

/// The option of commands that run solvers in this process.
#[derive(Args, Clone, Copy, Debug)]
pub struct Threads {
    /// Number of threads [default: one per processor].
    #[arg(short = 'j', long, value_name = "T")]
    pub threads: Option<Bounded<1, 1024>>,
}

impl Threads {
    /// The number of threads.
    pub fn get(&self) -> NonZeroUsize {
        let thread_count = self.threads.and_then(|threads| NonZeroUsize::new(threads.as_usize()));
        thread_count.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    /// The number of threads for a solver. For a solver without support for threads, the number is 1, and requesting more is an
    /// error.
    pub fn for_solver(&self, solver: &Info) -> Result<NonZeroUsize, BadInput> {
        if solver.uses_threads {
            return Ok(self.get());
        }
        if self.threads.is_some_and(|threads| threads.0 > 1) {
            let id = &solver.id;
            refuse!(
                "--threads has no effect on {id}, which uses one thread; count/* and sat/*/*/cubes use several"
            );
        }
        Ok(NonZeroUsize::MIN)
    }
}

/// The option of commands that run SAT solvers.
#[derive(Args, Clone, Debug)]
pub struct SatPrograms {
    /// Add a SAT solver as `sat/<encoding>/NAME`, for example kissat='kissat -q {cnf}' or
    /// minisat='minisat {cnf} {result}'. Repeatable.
    #[arg(id = "sat", long = "sat", value_name = "NAME='CMD {cnf}'", value_parser = sat_program)]
    pub programs: Vec<FormulaProgram>,
}

fn sat_program(text: &str) -> Result<FormulaProgram, BadInput> {
    FormulaProgram::of_option("--sat", text).map_err(|error| BadInput(error.reason))
}

impl SatPrograms {
    /// The registry with these SAT solvers added.
    pub fn registry_with_solvers(&self, registry: &Registry) -> Registry {
        let add_solver = |registry: Registry, program: &FormulaProgram| registry.with_sat(&program.program());
        self.programs.iter().fold(registry.clone(), add_solver)
    }

    /// The program of --sat that a solver starts; `None` if the solver starts none of these programs.
    pub fn program_of_solver(&self, solver: &str) -> Option<&FormulaProgram> {
        let solver = SolverRef::of(solver, []);
        self.programs.iter().find(|program| solver.program_id() == Some(&program.id))
    }

    /// Checks that each program of --sat is used by one of these solvers.
    pub fn check_use(&self, solvers: &[Info]) -> Result<(), BadInput> {
        let used_ids: Vec<&str> = solvers
            .iter()
            .filter_map(|info| self.program_of_solver(&info.id))
            .map(|program| program.id.as_str())
            .collect();
        if let Some(FormulaProgram { id, .. }) =
            self.programs.iter().find(|program| !used_ids.contains(&program.id.as_str()))
        {
            let ids = solvers.iter().map(|info| info.id.as_str()).collect::<Vec<_>>().join(", ");
            refuse!("--sat {id} has no effect on {ids}: add --solver sat/pairwise/{id}");
        }
        Ok(())
    }
}

/// The maximum size of an instance, in bytes. A board of 1024 rows as a list of squares takes 10 MB.
const MAX_BYTES: u64 = 64 << 20;

/// Squares that must or must not hold a queen.
#[derive(Args, Clone, Debug)]
pub struct SquareRules {
    /// Squares that must hold a queen, for example 0:3,5:7 (counted from 0).
    #[arg(long, value_name = "ROW:COLUMN,...", help_heading = "Problem", value_parser = squares)]
    pub place: Option<String>,
    /// Squares that must not hold a queen, for example 2:2.
    #[arg(long, value_name = "ROW:COLUMN,...", help_heading = "Problem", value_parser = squares)]
    pub forbid: Option<String>,
    /// Diagonals without queens: s5 (row+column = 5), d-3 (row-column = -3).
    #[arg(long, value_name = "DIAGONALS", help_heading = "Problem", value_parser = diagonals)]
    pub exclude_diagonals: Option<String>,
}

fn squares(text: &str) -> Result<String, ProblemError> {
    read_squares(text)?;
    Ok(text.to_owned())
}

fn diagonals(text: &str) -> Result<String, ProblemError> {
    read_diagonals(text)?;
    Ok(text.to_owned())
}

impl SquareRules {
    /// The text of a problem of this variant with these squares, as in the key `variant` of a spec.
    pub fn text(&self, variant: &Variant) -> String {
        let lists = [("place", &self.place), ("forbid", &self.forbid), ("exclude", &self.exclude_diagonals)];
        let parts = lists.iter().filter_map(|(name, list)| Some(format!(";{name}={}", list.as_ref()?)));
        parts.fold(variant.name().to_owned(), |text, part| text + &part)
    }

    /// The first of these options that was given.
    pub fn option(&self) -> Option<&'static str> {
        let options = [
            ("--place", &self.place),
            ("--forbid", &self.forbid),
            ("--exclude-diagonals", &self.exclude_diagonals),
        ];
        options.into_iter().find_map(|(option, list)| list.as_ref().map(|_| option))
    }

    /// Whether none of these options was given.
    pub fn is_empty(&self) -> bool {
        self.option().is_none()
    }
}

/// The options that define a problem: rules for a board, whose size is a separate argument, or an instance, whose file contains
/// the size.
#[derive(Args, Debug)]
pub struct ProblemOptions {
    /// Read the problem from FILE: a region puzzle, an instance of CSPLib prob079 or prob080, or TOML;
    /// docs/PROBLEMS.md shows examples.
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Problem",
        conflicts_with_all = ["variant", "place", "forbid", "exclude_diagonals"]
    )]
    pub instance: Option<PathBuf>,
    /// Rules of the board: queens, toroidal, semiqueens, superqueens, reflecting or rooks; docs/PROBLEMS.md defines
    /// them.
    #[arg(long, value_name = "NAME", help_heading = "Problem", default_value = "queens", value_parser = str::parse::<Variant>)]
    variant: Variant,
    #[command(flatten)]
    squares: SquareRules,
}

impl ProblemOptions {
    /// The problem of the rules on a board of size `n`, or the problem of the instance.
    pub fn problem(&self, n: Option<BoardSize>) -> Result<Problem, Error> {
        match (&self.instance, n) {
            (None, Some(n)) => {
                let problem = Problem::from_text(n, &self.squares.text(&self.variant));
                Ok(problem.map_err(BadInput::from_error)?)
            }
            (None, None) => {
                refuse!("the board size is missing: write, for example, 8, or give --instance FILE")
            }
            (Some(path), n) => {
                let problem = read(path)?;
                let size = problem.n();
                if let Some(n) = n.filter(|&n| n != size) {
                    refuse!(
                        "{} has a board of size {size}, not {n}: leave out the size",
                        plaintext::path(path)
                    );
                }
                Ok(problem)
            }
        }
    }
}

fn read(path: &Path) -> Result<Problem, Error> {
    let text = files::read_regular(path, MAX_BYTES)
        .with_context(|| format!("cannot read {}", plaintext::path(path)))?;
    instance::read(&text).map_err(|error| BadInput(format!("{}: {error}", plaintext::path(path))).into())
}

/// The arguments that define a problem: a board size with rules, or an instance.
#[derive(Args, Debug)]
pub struct ProblemArguments {
    /// Board size, for example 8.
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = parse_large_size)]
    n: Option<BoardSize>,
    #[command(flatten)]
    pub options: ProblemOptions,
}

impl ProblemArguments {
    /// The problem.
    pub fn get(&self) -> Result<Problem, Error> {
        self.options.problem(self.n)
    }
}

/// Writes a file that the user named, or standard output if the name is `-`.
pub fn write_output(path: &Path, content: &[u8]) -> Result<(), Error> {
    if is_standard_output(path) {
        super::Output.write_all(content)?
    } else {
        write_atomically(path, content)?
    }
    Ok(())
}

/// Whether an output path stands for standard output.
pub fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == STANDARD_OUTPUT
}

const STANDARD_OUTPUT: &str = "-";

/// The parser of an output path that cannot be standard output, because it is a directory or a file that is also read.
pub fn path_except_stdout() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match is_standard_output(&path) {
        true => Err("this cannot be standard output; for a directory or file named '-', write './-'"),
        false => Ok(path),
    })
}

/// Parses a board size that may exceed [`BoardSize::MAX`], because some solvers take larger boards.
fn parse_large_size(text: &str) -> Result<BoardSize, BadInput> {
    let n = text.parse().map_err(|_| BadInput("a board size is a whole number from 0".to_owned()))?;
    BoardSize::large(n).map_err(BadInput::from_error)
}

/// Parses a board size of at most [`BoardSize::MAX`].
pub fn parse_size(text: &str) -> Result<BoardSize, BadInput> {
    BoardSize::new(parse_large_size(text)?.get()).map_err(BadInput::from_error)
}

/// The path of the executable, which a sweep starts for each run, and the command line. In the command line, `queenlab`
/// replaces the path, so that results do not record it.
pub fn invocation() -> Result<Invocation, Error> {
    let arguments = std::env::args_os().skip(1).map(|argument| {
        argument.into_string().map_err(|argument| {
            let argument = plaintext::path(&argument);
            BadInput(format!(
                "{argument}: the results record this argument in JSON, which takes valid UTF-8 only; rename the \
                 file or directory"
            ))
        })
    });
    let argv: Result<_, BadInput> = std::iter::once(Ok("queenlab".to_owned())).chain(arguments).collect();
    let executable = own_executable().context("cannot find the executable of queenlab")?;
    Ok(Invocation { executable, argv: argv? })
}
