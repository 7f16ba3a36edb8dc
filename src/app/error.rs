//! The errors of all commands.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use crate::board::sizes::ranges;
use crate::count::CountError;
use crate::experiment::ExperimentError;
use crate::experiment::commands::BuildError;
use crate::record::{RecordError, Status, Verdict};
use crate::registry::SelectionError;
use crate::report::ReportError;
use crate::report::compare::SeriesError;
use crate::report::merge::GatherError;
use crate::sat::am1::{self, AtMostOne};
use crate::solver::SolveError;
use crate::spec::SpecError;
use crate::verify::levels::MAX_SIZE;
use plaintext::{Escaped, path};

/// An error of a command.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The input is not accepted.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The experiment cannot be read or planned.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// No solver was selected.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A result directory cannot be read.
    #[error("{0}")]
    Results(RecordError),
    /// The experiment was not completed.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A file of the results could not be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The report cannot be made.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A solver failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A count failed.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The system refuses to start threads.
    #[error("cannot start {threads} threads: {reason}; choose a smaller number with --threads")]
    Threads {
        /// The number of threads.
        threads: usize,
        /// The error of the system.
        reason: String,
    },
    /// A directory could not be read or created, or output could not be printed.
    #[error("{what}: {error}")]
    Io {
        /// What failed, for example `cannot print`.
        what: String,
        /// The error of the system.
        error: io::Error,
    },
}

/// Input that is not accepted. The message explains how to correct the input.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// A program of the experiment could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The CPUs of the experiment cannot be used.
    #[error("pin: {0}")]
    Cpus(String),
    /// The shard has no cells.
    #[error(
        "--shard: this shard has no runs, because the experiment has fewer combinations of size, problem and goal than shards"
    )]
    EmptyShard,
    /// The result directory has no plan.
    #[error("{}: the directory has no plan to repeat", path(.0))]
    NoPlan(PathBuf),
    /// The plan starts programs, and this was not allowed.
    #[error(
        "{}: the plan starts other programs; read their commands, then repeat this command with --allow-programs:{}",
        path(directory),
        commands.iter().map(|command| format!("\n  {}", Escaped(command))).collect::<String>()
    )]
    ProgramsNotAllowed {
        /// The result directory.
        directory: PathBuf,
        /// The commands of the programs.
        commands: BTreeSet<String>,
    },
    /// The new results would be in the directory of the old ones.
    #[error("--out: this is the directory of the old results; name another directory")]
    SameDirectory,
    /// The output directory is a symbolic link.
    #[error(
        "{}: this is a symbolic link, through which nothing is written: give the directory itself to --out",
        path(.0)
    )]
    OutputIsLink(PathBuf),
    /// The directory for the new results exists, or cannot be created.
    #[error(
        "{}: {error}; reproduce needs a new directory: name one with --out, or remove this directory",
        path(directory)
    )]
    NotANewDirectory {
        /// The directory.
        directory: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The directory has no name, as in `..`, so that a name for the new results cannot be derived.
    #[error("{}: cannot derive a directory for the new results from this name; give one with --out", path(.0))]
    NoName(PathBuf),
    /// The two series cannot be compared.
    #[error(transparent)]
    Series(#[from] SeriesError),
    /// There is only one directory, and no series were given.
    #[error("give two directories, or two series of this directory: --of SERIES --baseline SERIES")]
    OneDirectory,
    /// Series were given with several directories.
    #[error("--of and --baseline compare two series of one directory: give one DIR")]
    DirectoriesWithSeries,
    /// A directory for the temporary files of programs cannot be created.
    #[error("cannot create a temporary directory ({0}); set TMPDIR to a writable directory")]
    NoTemporaryDirectory(io::Error),
    /// The result directory does not have the run.
    #[error("unknown run '{}': the column run_id of runs.csv lists all runs", Escaped(.0))]
    NoSuchRun(String),
    /// The output of the run was not stored.
    #[error(
        "the output of run {run} ({status}, {verdict}) was not stored: only the output of failed, wrong and unreadable runs is stored, \
         up to 64 MiB in total"
    )]
    OutputNotStored {
        /// The run.
        run: String,
        /// The status of the run.
        status: Status,
        /// The verdict on its answer.
        verdict: Verdict,
    },
    /// A directory was given twice.
    #[error("{}: this directory is given twice", path(.0))]
    GivenTwice(PathBuf),
    /// The directories cannot be combined.
    #[error(transparent)]
    NotOneResult(GatherError),
    /// The solver has no timed runs.
    #[error("no timed run of '{solver}' in these results; solvers with timed runs: {names}")]
    NoRunOf {
        /// The requested solver.
        solver: String,
        /// The solvers that have timed runs.
        names: String,
    },
    /// Several directories were given, and none to write to.
    #[error("--out: name a directory for the report of these results")]
    NoDirectoryForReport,
    /// The report would be written into the directory of another sweep.
    #[error("--out: {} contains the runs of a sweep; name another directory", path(.0))]
    HoldsRuns(PathBuf),
    /// The results do not have the plot.
    #[error("--figure: these results have no plot '{name}'; choose one of {names}")]
    NoPlot {
        /// The requested name.
        name: String,
        /// The existing plots.
        names: String,
    },
    /// The solver does not support the problem.
    #[error("{0}; choose another --solver, see 'queenlab list'")]
    OtherSolver(SolveError),
    /// An option of the fast counter was given with another solver.
    #[error("{0} works only with the solvers count/*: leave it out, or choose count/auto")]
    OnlyCounters(&'static str),
    /// The tree of the solver cannot be probed.
    #[error("the search tree of {id} cannot be probed: choose --solver from {solvers}")]
    NoProbes {
        /// The solver.
        id: String,
        /// The solvers whose tree can be probed.
        solvers: String,
    },
    /// The options of the solver make its search depend on random numbers or on earlier failures.
    #[error("{id}: {reason}")]
    NoFixedTree {
        /// The solver.
        id: String,
        /// Why the search tree is not fixed.
        reason: String,
    },
    /// The estimates would exceed the range of numbers.
    #[error("n = {0}: the numbers are too large for an estimate: choose a smaller n")]
    TooLargeToEstimate(usize),
    /// None of the solvers enumerates these sizes.
    #[error("none of these solvers enumerates n = {}; see 'queenlab list'", ranges(.0))]
    NoEnumeration(Vec<usize>),
    /// The board is too large to prove the number of search nodes on each level.
    #[error("--levels works only up to n = {MAX_SIZE}, not for n = {0}: choose smaller sizes")]
    TooLargeForLevels(usize),
    /// The directory has no submissions.
    #[error("{0}: this directory has no submissions; it must contain one file or folder per student")]
    NoSubmissions(String),
    /// The encoding does not exist.
    #[error("unknown encoding '{0}': choose one of {names}", names = am1::ALL.map(|am1| am1.name).join(", "))]
    UnknownEncoding(String),
    /// The formula would be too large.
    #[error(
        "n = {n} exceeds the limit of encoding {} ({}): the formula would not fit in 2 GiB",
        encoding.name,
        encoding.largest_board
    )]
    TooLargeToEncode {
        /// The board size.
        n: usize,
        /// The encoding.
        encoding: &'static AtMostOne,
    },
    /// The problem does not have the symmetries to be broken.
    #[error("this problem does not have these symmetries: leave out --symmetry")]
    NoSymmetries,
    /// A random instance was not found.
    #[error(
        "no such instance was found with seed {seed}: ask for fewer queens or diagonals, or choose another --seed"
    )]
    NoRandomInstance {
        /// The random seed.
        seed: u64,
    },
    /// No default solver supports the board.
    #[error(
        "n = {n} is too large for {solvers}: choose another --solver, for example local/queen-search; see 'queenlab list'"
    )]
    TooLargeForDefaults {
        /// The board size.
        n: usize,
        /// The default solvers.
        solvers: String,
    },
}
