//! The contract that every way of solving keeps: a [`Solver`] gets a [`Task`], hands solutions to a
//! [`Sink`] and returns an [`Outcome`]. Solvers never print, and never read the clock beyond their budget.

pub mod budget;
pub mod progress;
pub mod sink;
pub mod stats;

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::board::BoardSize;
pub use budget::{Budget, Stop};
pub use progress::{Phase, Progress};
pub use sink::Sink;
pub use stats::{CellsAsked, SatStats, SearchStats, Stat};

/// The goal of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// One solution, or the proof that there is none.
    First,
    /// The number of solutions; no board is visited by the sink.
    Count,
    /// Every solution, each handed to the sink once.
    #[default]
    Enumerate,
}

impl Goal {
    /// All goals.
    pub const ALL: [Goal; 3] = [Goal::First, Goal::Count, Goal::Enumerate];

    /// The goal's word in specs and CSVs.
    pub fn name(self) -> &'static str {
        match self {
            Goal::First => "first",
            Goal::Count => "count",
            Goal::Enumerate => "enumerate",
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let goal = Goal::ALL.into_iter().find(|goal| goal.name() == word);
        goal.ok_or_else(|| format!("unknown goal '{word}': first, count or enumerate"))
    }
}

/// In which order a solver visits solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Lexicographic by the column of each row, top row first.
    ByRow,
    /// Lexicographic by the row of each column, left column first.
    ByColumn,
    /// None that is promised.
    Unspecified,
}

/// The properties that a solver declares.
#[derive(Clone, Debug)]
pub struct Info {
    /// `family/variant[/backend]`.
    pub id: String,
    /// One line for `queenlab list`.
    pub about: String,
    /// The version of the code that does the work: of this crate, or the name and version of a SAT solver.
    pub version: String,
    /// The goals that it can be given.
    pub goals: Vec<Goal>,
    /// The sizes that it can solve in principle.
    pub sizes: RangeInclusive<usize>,
    /// Why it cannot solve other sizes.
    pub sizes_reason: &'static str,
    /// If a pattern selects the solver, sizes above this one are skipped. The exact id lifts this limit.
    pub pattern_limit: Option<usize>,
    /// The statistics that counting runs report; every other one stays empty.
    pub statistics: Vec<Stat>,
    /// Which cells of each row it tests.
    pub cells_asked: CellsAsked,
    /// The order of its solutions.
    pub order: Order,
    /// Whether it makes use of more than one thread.
    pub uses_threads: bool,
    /// Whether it runs a program that the user names.
    pub uses_external: bool,
    /// Why it cannot run here, if it cannot.
    pub unavailable: Option<String>,
}

impl Info {
    /// Every goal, every size, no statistics, no order.
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
            cells_asked: CellsAsked::None,
            order: Order::Unspecified,
            uses_threads: false,
            uses_external: false,
            unavailable: None,
        }
    }

    /// Why this solver cannot be given this task, if it cannot.
    pub fn refusal(&self, n: BoardSize, goal: Goal) -> Option<SolveError> {
        if let Some(reason) = &self.unavailable {
            return Some(SolveError::Unavailable { id: self.id.clone(), reason: reason.clone() });
        }
        if !self.goals.contains(&goal) {
            return Some(SolveError::Goal { id: self.id.clone(), goal });
        }
        (!self.sizes.contains(&n.get())).then(|| SolveError::Size {
            id: self.id.clone(),
            n: n.get(),
            sizes: self.sizes.clone(),
            reason: self.sizes_reason,
        })
    }
}

/// One problem for a solver.
pub struct Task<'a> {
    /// The board.
    pub n: BoardSize,
    /// What is asked.
    pub goal: Goal,
    /// Whether to collect statistics. In timed runs this is false: statistics then cost nothing and stay empty.
    pub counting: bool,
    /// Threads that the solver may use.
    pub threads: NonZeroUsize,
    /// The seed of randomised solvers.
    pub seed: u64,
    /// When to give up.
    pub budget: Budget,
    /// Receives reports of the progress.
    pub progress: &'a dyn Progress,
}

impl Task<'static> {
    /// One thread, no limits, no statistics, no progress reports.
    pub fn new(n: BoardSize, goal: Goal) -> Self {
        Task {
            n,
            goal,
            counting: false,
            threads: NonZeroUsize::MIN,
            seed: 1,
            budget: Budget::unlimited(),
            progress: &progress::Silent,
        }
    }
}

/// What a solver found out.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Solutions found (goal first: 0 or 1).
    pub solutions: u64,
    /// Why the search ended early, if it did; `None` when the goal was reached.
    pub stopped: Option<Stop>,
    /// What a searcher counted.
    pub search: SearchStats,
    /// What a SAT solver reported.
    pub sat: SatStats,
}

/// Why a solver could not carry out a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The board is too large or too small for this solver.
    #[error("n = {n} is outside the sizes of {id} ({}..={}: {reason})", sizes.start(), sizes.end())]
    Size {
        /// The solver.
        id: String,
        /// The size asked for.
        n: usize,
        /// The sizes that it can solve.
        sizes: RangeInclusive<usize>,
        /// Why no others.
        reason: &'static str,
    },
    /// The solver does not know this goal.
    #[error("{id} cannot be asked to {goal}")]
    Goal {
        /// The solver.
        id: String,
        /// The goal asked for.
        goal: Goal,
    },
    /// The solver cannot run on this machine.
    #[error("{id} is unavailable: {reason}")]
    Unavailable {
        /// The solver.
        id: String,
        /// Why.
        reason: String,
    },
    /// The solver failed.
    #[error("{id} failed: {reason}")]
    Failed {
        /// The solver.
        id: String,
        /// Why.
        reason: String,
    },
    /// The solver gave an answer that contradicts itself or its own question.
    #[error("{id} answered wrongly: {reason}")]
    Wrong {
        /// The solver.
        id: String,
        /// What is wrong.
        reason: String,
    },
}

/// A way of solving N-Queens.
///
/// Implement [`Solver::info`] and [`Solver::search`], and the harness can list it, cross-check it,
/// measure it and test it; see the example in the crate's documentation.
pub trait Solver: Send + Sync {
    /// What it is and what it can do.
    fn info(&self) -> Info;

    /// Carries out a task that [`Info::refusal`] permits: hands solutions to the sink (none for
    /// [`Goal::Count`], at most one for [`Goal::First`], each exactly once for [`Goal::Enumerate`]) and
    /// stops when the sink says so. This is what sweeps time. With any other task it may fail or panic.
    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError>;

    /// Carries out the task, or says why this solver cannot be given it.
    fn solve(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        match self.info().refusal(task.n, task.goal) {
            Some(refusal) => Err(refusal),
            None => self.search(task, sink),
        }
    }
}
