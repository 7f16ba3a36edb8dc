#![doc = include_str!("../README.md")]
//!
//! Files:
//!
//! ```text
//! stats.rs       the table of statistics              sink.rs      destinations of solutions, digests
//! budget.rs      limits and progress of a search      options.rs   options of solvers
//! definition.rs  solutions according to the definition of a problem
//! words.rs       suggestions for misspelled words, plurals, thousands separators
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
pub use options::{ConfiguredSolver, OptionError, Options, SolverOption};
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

/// The squares that a search removes from the domains of the rows without a queen when it places a queen. The pruning determines
/// the leaves of the search tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// No squares: plain backtracking.
    Nothing,
    /// The attacked squares, as in forward checking: a node is a leaf if a domain is empty.
    Forward,
    /// The attacked squares, and the squares without support in some row (arc consistency).
    ArcConsistent,
}

/// The properties that a solver declares; `queenlab list --json` prints them.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// `family/variant[/backend]`.
    pub id: String,
    /// The one-line description in `queenlab list`.
    pub about: String,
    /// The version of this crate, or the name and version of the library or program that solves the task.
    pub version: String,
    /// The supported goals.
    pub goals: Vec<Goal>,
    /// The supported board sizes.
    pub sizes: RangeInclusive<usize>,
    /// The reason why other sizes are not supported.
    pub sizes_reason: &'static str,
    /// The largest board that is solved if a pattern such as `backtrack/*` selects the solver; `None` if there is no such limit.
    /// The limit does not apply if the solver is selected by its exact id.
    pub pattern_limit: Option<usize>,
    /// The statistics that counting runs report; all other statistics stay empty.
    pub statistics: Vec<Stat>,
    /// The order in which solutions are visited.
    pub order: Order,
    /// Whether the solver walks the published tree (A319284), in which a child of a node has one more queen, on a cell of the next row
    /// (or column) that no earlier queen attacks. Its counting runs then report the levels of this tree.
    pub walks_published_tree: bool,
    /// The pruning of the search tree, from which probes estimate the number of nodes; `None` if probes cannot estimate this tree.
    #[serde(skip)]
    pub pruning: Option<Pruning>,
    /// The options of the solver.
    pub options: Vec<SolverOption>,
    /// Whether the solver supports every problem; if not, it supports only the plain board.
    pub any_problem: bool,
    /// The symmetries that a problem must have, because the solver breaks them.
    #[serde(skip)]
    pub symmetries: &'static [Symmetry],
    /// Whether the solver can use more than one thread.
    pub uses_threads: bool,
    /// Whether the search always depends on the seed. If this is false, the search depends on the seed only if an option has the value
    /// `random`.
    pub uses_seed: bool,
    /// Whether the solver runs an external program, which the user names.
    pub uses_external: bool,
    /// The reason why the solver cannot run on this machine; `None` if it can.
    pub unavailable: Option<String>,
    /// Whether the availability depends on the machine, and not only on the build or the command line. An experiment may name such
    /// solvers even if no machine supports all of them.
    #[serde(skip)]
    pub depends_on_machine: bool,
}

impl Info {
    /// Creates the properties of a solver with every goal, the sizes up to [`BoardSize::MAX`], no statistics, no particular order
    /// and no options.
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
            pruning: None,
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

    /// The reason why this solver cannot carry out a task; `None` if it can.
    pub fn refusal(&self, problem: &Problem, goal: Goal) -> Option<SolveError> {
        let refusal = |what: &str| Some(SolveError::Refused(format!("{} {what}", self.id)));
        if !self.any_problem && !problem.is_plain() {
            return refusal(ONLY_PLAIN);
        }
        if !problem.has_symmetries(self.symmetries) {
            return refusal(NOT_SYMMETRIC);
        }
        if let Some(reason) = &self.unavailable {
            return refusal(&format!("is unavailable: {reason}"));
        }
        if !self.goals.contains(&goal) {
            return refusal(&format!("does not support goal {goal}"));
        }
        self.size_refusal(problem.n().get())
    }

    /// The reason why this solver cannot solve boards of a size; `None` if it can.
    pub fn size_refusal(&self, n: usize) -> Option<SolveError> {
        let (first, last) = (self.sizes.start(), self.sizes.end());
        let sizes = if first == last { format!("{first} only") } else { format!("{first} to {last}") };
        let (id, reason) = (&self.id, self.sizes_reason);
        let refusal =
            || SolveError::Size(format!("n = {n} is outside the sizes of {id} ({sizes}: {reason})"));
        (!self.sizes.contains(&n)).then(refusal)
    }
}

/// The reason why most solvers refuse a problem other than plain queens.
const ONLY_PLAIN: &str =
    "solves only the plain board; for other problems use sat/*, backtrack/dlx or backtrack/forward-checking";

/// The reason why a solver that breaks symmetry refuses a problem.
const NOT_SYMMETRIC: &str = "breaks symmetries that do not map this problem onto itself: use a strategy without symmetry \
                             breaking";

/// A problem and a goal for a solver.
#[derive(Clone)]
pub struct Task<'a> {
    /// The problem.
    pub problem: Problem,
    /// The goal.
    pub goal: Goal,
    /// Whether to collect statistics. In timed runs, this is false; statistics then cost nothing and stay empty.
    pub counting: bool,
    /// The maximum number of threads.
    pub threads: NonZeroUsize,
    /// The seed of randomised solvers.
    pub seed: u64,
    /// The values of the solver's options.
    pub options: Options,
    /// The limits of the search.
    pub budget: Budget,
    /// Receives reports of the progress.
    pub progress: &'a dyn Progress,
}

impl Task<'static> {
    /// Creates a task for the plain board with one thread, and without limits, statistics and progress reports.
    pub fn new(n: BoardSize, goal: Goal) -> Self {
        Self::of(&Problem::queens(n), goal)
    }

    /// Creates a task for a problem with one thread, and without limits, statistics and progress reports.
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
    /// The number of solutions (goal first: 0 or 1).
    pub solutions: u64,
    /// The reason why the search ended early; `None` if the goal was reached.
    pub stopped: Option<Stop>,
    /// The statistics; empty in timed runs.
    pub stats: Statistics,
    /// The levels 0..=n of the search tree; empty if the solver counts no nodes.
    pub levels: Vec<Level>,
}

/// The reason why a solver did not carry out a task.
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
    /// The solver gave up: it ended without an answer, but did not fail.
    #[error("{id} gave up: {reason}")]
    Unknown {
        /// The solver.
        id: String,
        /// The reason.
        reason: String,
    },
    /// The machine could not carry out the task, for example because of a full disk, or a process or thread that could not be created.
    /// This is not a failure of the solver.
    #[error("{id}: {reason}")]
    Machine {
        /// The solver.
        id: String,
        /// The reason.
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

/// A solver of N-Queens problems.
///
/// queenlab can list, cross-check, measure and test every type that implements [`Solver::info`] and [`Solver::search`]; see the
/// example in the documentation of the crate.
pub trait Solver: Send + Sync {
    /// The properties of the solver.
    fn info(&self) -> Info;

    /// The id in [`Solver::info`]. A solver may override this method by a faster one, because a registry calls it for each solver when
    /// the program starts.
    fn id(&self) -> String {
        self.info().id
    }

    /// Carries out a task that [`Info::refusal`] permits, with options that the solver declares; with other tasks, the function may fail
    /// or panic. Passes solutions to the sink: none for [`Goal::Count`], at most one for [`Goal::First`], and each solution exactly
    /// once for [`Goal::Enumerate`]. Stops when the sink returns `Break`. Sweeps measure the time of this function.
    ///
    /// # Errors
    ///
    /// The solver gave up or failed.
    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError>;

    /// Checks the options of a task with [`Options::of`] and the task with [`Info::refusal`], and carries out the task.
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
