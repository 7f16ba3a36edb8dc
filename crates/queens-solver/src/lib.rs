#![doc = include_str!("../README.md")]
//!
//! Files:
//!
//! ```text
//! stats.rs   the table of everything that is counted      sink.rs      destinations of solutions, digests
//! budget.rs  limits of a search, reports of its progress  options.rs   settings of a solver
//! definition.rs  solutions by the definition of the problem
//! ```

// Tests convert small numbers freely, and may set a deadline.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod words;

pub mod budget;
pub mod definition;
pub mod options;
pub mod sink;
pub mod stats;

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use budget::{Budget, Phase, Progress, Silent, Stop};
pub use options::{Configured, OptionError, Options, SolverOption};
use queens_board::BoardSize;
use queens_board::problem::Problem;
use queens_board::symmetry::Symmetry;
pub use sink::Sink;
pub use stats::{Level, Stat, Statistics};

queens_board::words! {
    /// The goal of a task.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Goal {
        /// One solution, or the proof that there is none.
        First = "first",
        /// The number of solutions; the sink receives no board.
        Count = "count",
        /// Every solution, each passed to the sink once.
        #[default]
        Enumerate = "enumerate",
    }
}

impl FromStr for Goal {
    type Err = UnknownGoal;

    fn from_str(word: &str) -> Result<Self, UnknownGoal> {
        Goal::named(word).ok_or_else(|| UnknownGoal(word.to_owned()))
    }
}

/// A word that is not a goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown goal '{0}': choose first, count or enumerate")]
pub struct UnknownGoal(pub String);

/// The order in which a solver visits solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Lexicographic by the column of each row, top row first.
    ByRow,
    /// Lexicographic by the row of each column, left column first.
    ByColumn,
    /// No particular order.
    Unspecified,
}

/// What a queen removes, which decides where the tree of a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Nothing: the search finds an empty row when it comes to it.
    Nothing,
    /// Attacked squares; a node is a leaf if a row is left without a square.
    Forward,
    /// The same, and squares that have no compatible square in some row.
    ArcConsistent,
}

/// The properties that a solver declares; `queenlab list --json` prints them.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// `family/variant[/backend]`.
    pub id: String,
    /// One line for `queenlab list`.
    pub about: String,
    /// The version of the code that does the work: of this crate, or the name and version of a SAT solver.
    pub version: String,
    /// The goals that it supports.
    pub goals: Vec<Goal>,
    /// The board sizes that it supports.
    pub sizes: RangeInclusive<usize>,
    /// Why it does not support other sizes.
    pub sizes_reason: &'static str,
    /// If a pattern selects the solver, sizes above this one are skipped. The exact id removes this limit.
    pub pattern_limit: Option<usize>,
    /// The statistics that counting runs report; all others stay empty.
    pub statistics: Vec<Stat>,
    /// The order of its solutions.
    pub order: Order,
    /// Whether it walks the published tree (A319284): one queen per row, or per column, on every cell that no earlier queen
    /// attacks. Its counting runs then report the levels of this tree.
    pub walks_published_tree: bool,
    /// What prunes the tree that it walks, if that depends on nothing but the queens so far: probes can then estimate its nodes.
    #[serde(skip)]
    pub tree: Option<Pruning>,
    /// Its options.
    pub options: Vec<SolverOption>,
    /// Whether it solves every problem; otherwise only the plain board.
    pub any_problem: bool,
    /// The symmetries that a problem must have.
    #[serde(skip)]
    pub symmetries: &'static [Symmetry],
    /// Whether it can use more than one thread.
    pub uses_threads: bool,
    /// Whether its search depends on the seed, whatever its options are; with the value `random` of an option, every
    /// search does.
    pub uses_seed: bool,
    /// Whether it runs a program given by the user.
    pub uses_external: bool,
    /// Why it cannot run on this machine; `None` if it can.
    pub unavailable: Option<String>,
    /// Whether the machine decides what is unavailable; otherwise the build or the command line does. An experiment may name
    /// solvers of several machines.
    #[serde(skip)]
    pub depends_on_machine: bool,
}

impl Info {
    /// Every goal, every size, no statistics, no order, no options.
    pub fn named(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            about: String::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            goals: Goal::ALL.to_vec(),
            sizes: 0..=BoardSize::MAX,
            sizes_reason: "the largest board",
            pattern_limit: None,
            statistics: Vec::new(),
            order: Order::Unspecified,
            walks_published_tree: false,
            tree: None,
            options: Vec::new(),
            any_problem: false,
            symmetries: &[],
            uses_threads: false,
            uses_seed: false,
            uses_external: false,
            unavailable: None,
            depends_on_machine: false,
        }
    }

    /// Why this solver cannot carry out this task; `None` if it can.
    pub fn refusal(&self, problem: &Problem, goal: Goal) -> Option<SolveError> {
        let refused = |what: &str| Some(SolveError::Refused(format!("{} {what}", self.id)));
        if !self.any_problem && !problem.is_plain() {
            return refused(ONLY_PLAIN);
        }
        if !problem.has_symmetries(self.symmetries) {
            return refused(NOT_SYMMETRIC);
        }
        if let Some(reason) = &self.unavailable {
            return refused(&format!("is unavailable: {reason}"));
        }
        if !self.goals.contains(&goal) {
            return refused(&format!("does not support goal {goal}"));
        }
        self.size_refusal(problem.n().get())
    }

    /// Why this solver cannot solve boards of a size; `None` if it can.
    pub fn size_refusal(&self, n: usize) -> Option<SolveError> {
        let (first, last) = (self.sizes.start(), self.sizes.end());
        let sizes = if first == last { format!("{first} only") } else { format!("{first} to {last}") };
        let (id, reason) = (&self.id, self.sizes_reason);
        let refusal =
            || SolveError::Size(format!("n = {n} is outside the sizes of {id} ({sizes}: {reason})"));
        (!self.sizes.contains(&n)).then(refusal)
    }
}

/// Why most solvers refuse a problem.
const ONLY_PLAIN: &str =
    "solves only the plain board; for other problems use sat/*, backtrack/dlx or backtrack/forward-checking";

/// Why a solver that breaks symmetry refuses a problem.
const NOT_SYMMETRIC: &str = "breaks symmetries that do not map this problem onto itself: use a strategy without symmetry \
                             breaking";

/// A problem and a goal for a solver.
#[derive(Clone)]
pub struct Task<'a> {
    /// The problem.
    pub problem: Problem,
    /// The goal.
    pub goal: Goal,
    /// Whether to collect statistics. In timed runs this is false: statistics then cost nothing and stay empty.
    pub counting: bool,
    /// Threads that the solver may use.
    pub threads: NonZeroUsize,
    /// The seed of randomised solvers.
    pub seed: u64,
    /// Values of the solver's options.
    pub options: Options,
    /// The limits of the search.
    pub budget: Budget,
    /// Receives reports of the progress.
    pub progress: &'a dyn Progress,
}

impl Task<'static> {
    /// The plain board, one thread, no limits, no statistics, no progress reports.
    pub fn new(n: BoardSize, goal: Goal) -> Self {
        Self::of(&Problem::queens(n), goal)
    }

    /// One thread, no limits, no statistics, no progress reports.
    pub fn of(problem: &Problem, goal: Goal) -> Self {
        Task {
            problem: problem.clone(),
            goal,
            counting: false,
            threads: NonZeroUsize::MIN,
            seed: 1,
            options: Options::default(),
            budget: Budget::default(),
            progress: &Silent,
        }
    }
}

impl Task<'_> {
    /// The size of the board.
    pub fn n(&self) -> BoardSize {
        self.problem.n()
    }
}

/// The result of a solver.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Solutions found (goal first: 0 or 1).
    pub solutions: u64,
    /// Why the search ended early, if it did; `None` when the goal was reached.
    pub stopped: Option<Stop>,
    /// The statistics; empty unless the task asks for them.
    pub stats: Statistics,
    /// The levels 0..=n of the search tree; empty if the solver counts no nodes.
    pub levels: Vec<Level>,
}

/// Why a solver could not carry out a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The board is too large or too small for this solver.
    #[error("{0}")]
    Size(String),
    /// The solver does not support this problem, this goal or an option, or cannot run on this machine.
    #[error("{0}")]
    Refused(String),
    /// The solver failed.
    #[error("{id} failed: {reason}")]
    Failed {
        /// The solver.
        id: String,
        /// The reason.
        reason: String,
    },
    /// The solver gave up: it neither has an answer nor failed.
    #[error("{id} gave up: {reason}")]
    Unknown {
        /// The solver.
        id: String,
        /// How it ended.
        reason: String,
    },
    /// This machine could not carry out the task, which says nothing about the solver: a full disk, or a process or thread that
    /// cannot be created.
    #[error("{id}: {reason}")]
    Machine {
        /// The solver.
        id: String,
        /// What the machine could not do.
        reason: String,
    },
    /// The solver gave an answer that contradicts itself or the task.
    #[error("{id} gave a wrong answer: {reason}")]
    Wrong {
        /// The solver.
        id: String,
        /// The contradiction.
        reason: String,
    },
}

/// A way of solving N-Queens.
///
/// Implement [`Solver::info`] and [`Solver::search`], and the harness can list it, cross-check it,
/// measure it and test it; see the example in the crate's documentation.
pub trait Solver: Send + Sync {
    /// The properties of the solver.
    fn info(&self) -> Info;

    /// The id of [`Solver::info`]. A registry asks each of its solvers for it whenever the program starts.
    fn id(&self) -> String {
        self.info().id
    }

    /// Carries out a task that [`Info::refusal`] permits, with options that the solver declares: passes solutions to the sink (none for
    /// [`Goal::Count`], at most one for [`Goal::First`], each exactly once for [`Goal::Enumerate`]) and stops
    /// when the sink returns `Break`. Sweeps time this function. With any other task it may fail or panic.
    ///
    /// # Errors
    ///
    /// The solver gave up or failed.
    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError>;

    /// Carries out a task.
    ///
    /// # Errors
    ///
    /// The solver does not support the task, gave up or failed.
    fn solve(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let info = self.info();
        Options::of(task.options.iter(), &info).map_err(|error| SolveError::Refused(error.to_string()))?;
        match info.refusal(&task.problem, task.goal) {
            Some(refusal) => Err(refusal),
            None => self.search(task, sink),
        }
    }
}
