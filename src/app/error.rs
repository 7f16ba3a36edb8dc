//! Why a command could not be carried out.

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
use crate::verify::levels::LARGEST_BOARD;
use plaintext::{Escaped, path};

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The input is not accepted.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The experiment cannot be read, or makes no plan.
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
    /// The report is not complete.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A solver failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A count failed.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The system refuses threads.
    #[error("cannot start {threads} threads: {reason}; choose fewer")]
    Threads {
        /// Their number.
        threads: usize,
        /// Why.
        reason: String,
    },
    /// A directory or a program could not be used.
    #[error("{what}: {error}")]
    Io {
        /// The directory or the program.
        what: String,
        /// Why.
        error: io::Error,
    },
}

/// Why an input is not accepted, with what to do.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// A program of the experiment could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The CPUs of the experiment cannot be used.
    #[error("pin: {0}")]
    Cpus(String),
    /// A shard without cells.
    #[error(
        "--shard: the experiment has fewer sizes (with their problems and goals) than parts: this part is empty"
    )]
    EmptyShard,
    /// A result directory whose plan is unknown.
    #[error("{}: there is no plan to repeat", path(.0))]
    NoPlan(PathBuf),
    /// A plan that starts programs, which was not allowed.
    #[error(
        "{}: its plan starts these programs; read them, then repeat the command with --allow-programs:{}",
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
    #[error("--out: give another directory for the new results")]
    SameDirectory,
    /// The directory for the new results exists, or cannot be made.
    #[error(
        "{}: {error}; reproduce makes every run itself: name a new directory with --out, or remove this one",
        path(directory)
    )]
    NotANewDirectory {
        /// The directory.
        directory: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A directory without a name: the new results cannot be written beside it.
    #[error("{}: the directory has no name; give one for the new results with --out", path(.0))]
    NoName(PathBuf),
    /// Two series that cannot be compared.
    #[error(transparent)]
    Series(#[from] SeriesError),
    /// A single directory, and no series.
    #[error("give two directories, or two series of this one: --of SERIES --baseline SERIES")]
    OneDirectory,
    /// Series of several directories.
    #[error("--of and --baseline compare two series of one directory: give one DIR")]
    DirectoriesWithSeries,
    /// No directory for the temporary files of programs can be created.
    #[error("no temporary directory can be made ({0}); set TMPDIR to a directory that can be written to")]
    NoTemporaryDirectory(io::Error),
    /// A run that a result directory does not have.
    #[error("there is no run '{}': the column run_id of runs.csv names them", Escaped(.0))]
    NoSuchRun(String),
    /// A run of which nothing that it printed is kept.
    #[error(
        "nothing that run {run} ({status}, {verdict}) printed is kept: only failed, wrong and unreadable runs keep it, up to 64 MiB \
         in all"
    )]
    NothingPrinted {
        /// The run.
        run: String,
        /// How it ended.
        status: Status,
        /// What its answer is worth.
        verdict: Verdict,
    },
    /// A directory that was named twice.
    #[error("{}: given twice", path(.0))]
    GivenTwice(PathBuf),
    /// Directories that cannot be read as one.
    #[error(transparent)]
    NotOneResult(GatherError),
    /// A solver without runs.
    #[error("no timed run of '{solver}' in these results; solvers with timed runs: {names}")]
    NoRunOf {
        /// The requested solver.
        solver: String,
        /// Those that have runs.
        names: String,
    },
    /// Several directories, and none to write to.
    #[error("--out: name a directory for the report of these results")]
    NoDirectoryForReport,
    /// A report would be written among the runs of a sweep.
    #[error("--out: {} holds the runs of a sweep; name another directory", path(.0))]
    HoldsRuns(PathBuf),
    /// A plot that these results do not have.
    #[error("--figure: these results have no plot '{name}'; choose one of {names}")]
    NoPlot {
        /// The requested name.
        name: String,
        /// Those that there are.
        names: String,
    },
    /// A problem that the solver does not solve.
    #[error("{0}; choose another --solver, see 'queenlab list'")]
    OtherSolver(SolveError),
    /// An option of the fast counter, for another solver.
    #[error("{0} works only with the solvers count/*: leave it out, or choose count/auto")]
    OnlyCounters(&'static str),
    /// A solver whose tree cannot be probed.
    #[error("the tree of {id} cannot be probed: choose --solver among {usable}")]
    NoProbes {
        /// The solver.
        id: String,
        /// Those whose tree can be probed.
        usable: String,
    },
    /// A solver whose options make its search depend on chance or on earlier failures.
    #[error("{id}: {reason}")]
    NoFixedTree {
        /// The solver.
        id: String,
        /// Why.
        reason: String,
    },
    /// A board whose numbers do not fit.
    #[error("n = {0}: the numbers are too large for an estimate: choose a smaller n")]
    TooLargeToEstimate(usize),
    /// No solver enumerates the boards.
    #[error("none of these solvers enumerates n = {}; see 'queenlab list'", ranges(.0))]
    NoEnumeration(Vec<usize>),
    /// A board whose levels are not proved.
    #[error("--levels works up to n = {LARGEST_BOARD}, not {0}: narrow the sizes")]
    TooLargeForLevels(usize),
    /// A directory without submissions.
    #[error("{0}: this directory has no submissions; put one file or folder per student into it")]
    NoSubmissions(String),
    /// An encoding that does not exist.
    #[error("unknown encoding '{0}': choose one of {names}", names = am1::ALL.map(|am1| am1.name).join(", "))]
    UnknownEncoding(String),
    /// A board whose formula would be too large.
    #[error(
        "n = {n} exceeds the limit of encoding {} ({}): its formula would not fit in 2 GiB",
        encoding.name,
        encoding.largest_board
    )]
    TooLargeToEncode {
        /// The board size.
        n: usize,
        /// The encoding.
        encoding: &'static AtMostOne,
    },
    /// A problem without the symmetries that are to be broken.
    #[error("the symmetries do not map this problem onto itself: leave out --symmetry")]
    NoSymmetries,
    /// No random instance was found.
    #[error(
        "no such instance was found with seed {seed}: ask for fewer queens or diagonals, or choose another --seed"
    )]
    NoRandomInstance {
        /// The random seed.
        seed: u64,
    },
    /// A board that no default solver solves.
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
