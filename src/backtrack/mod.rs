//! Hand-written searchers, one idea per file, all with the same structure. This file is the table of them.
//!
//! Each searcher walks the tree of legal partial placements, one row (or column) deeper on each level, and
//! reports to a [`Visitor`]; the documentation of a searcher notes if it tests only complete assignments. The
//! searchers differ in how they test whether a cell is safe.

mod backjumping;
mod backmarking;
mod bitmask;
mod board_scan;
mod board_scan_columns;
mod cbj;
mod column_scan;
pub mod dlx;
mod domains;
mod exhaustive;
mod fc_cbj;
mod flag_arrays;
mod forward_checking;
mod gac;
mod lds;
mod line_by_line;
mod look_ahead;
mod mac;
mod matching;
mod nested_loops;
mod orders;
mod permutations;
mod permutations_pruned;
pub mod probe;
mod solutions;
mod unit_propagation;
mod visitor;

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use crate::board::BoardSize;
use crate::solver::{
    CellsAsked, Goal, Info, Order, Outcome, Sink, SolveError, Solver, SolverOption, Stat, Task,
};
pub use bitmask::Bitmask;
pub use solutions::{Solutions, solutions};
pub use visitor::{Flow, Search, TaskSearch, Visitor};

/// Every backtracker, simplest idea first.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    vec![
        searcher::<exhaustive::Exhaustive>(),
        searcher::<permutations::Permutations>(),
        searcher::<permutations_pruned::PermutationsPruned>(),
        searcher::<nested_loops::NestedLoops>(),
        searcher::<board_scan::BoardScan>(),
        searcher::<board_scan_columns::BoardScanColumns>(),
        searcher::<column_scan::ColumnScan>(),
        searcher::<flag_arrays::FlagArrays>(),
        searcher::<bitmask::Bitmask>(),
        searcher::<backmarking::Backmarking>(),
        searcher::<backjumping::Backjumping>(),
        searcher::<cbj::Cbj>(),
        searcher::<forward_checking::ForwardChecking>(),
        searcher::<fc_cbj::FcCbj>(),
        searcher::<mac::Mac>(),
        searcher::<gac::Gac>(),
        searcher::<unit_propagation::UnitPropagation>(),
        searcher::<lds::Lds>(),
        Box::new(dlx::Dlx),
    ]
}

/// A searcher and its declared properties.
trait Searcher: TaskSearch + Send + Sync + 'static {
    /// Its idea, in a few words.
    const IDEA: Idea;
    /// Its options.
    const OPTIONS: &'static [SolverOption] = &[];
    /// The goals that it supports.
    const GOALS: &'static [Goal] = &Goal::ALL;
    /// Whether it solves every problem.
    const ANY_PROBLEM: bool = false;

    /// Why it cannot carry out a task with these options.
    fn objection(_task: &Task<'_>) -> Option<String> {
        None
    }
}

/// The properties of a searcher.
#[derive(Clone, Debug)]
struct Idea {
    /// `backtrack/<name>`.
    pub id: &'static str,
    /// One line for `queenlab list`.
    pub about: &'static str,
    /// Supported sizes, and why other sizes are not supported.
    pub sizes: (RangeInclusive<usize>, &'static str),
    /// See [`Info::pattern_limit`].
    pub pattern_limit: Option<usize>,
    /// The statistics that it counts.
    pub counts: Counts,
    /// The order of its solutions.
    pub order: Order,
}

impl Idea {
    /// What most searchers share: one queen per row, every column of the row tested, at any size.
    const USUAL: Idea = Idea {
        id: "",
        about: "",
        sizes: (0..=BoardSize::MAX, "the largest board"),
        pattern_limit: None,
        counts: Counts::Nodes { cells: CellsAsked::EveryColumn, comparisons: false },
        order: Order::ByRow,
    };
}

/// The statistics that a searcher counts.
#[derive(Clone, Copy, Debug)]
enum Counts {
    /// Only complete assignments.
    Candidates,
    /// These.
    Listed(&'static [Stat]),
    /// Nodes, dead ends, cells tested, and perhaps comparisons of queens.
    Nodes {
        /// The cells of a row that it tests.
        cells: CellsAsked,
        /// Whether it compares queens one by one.
        comparisons: bool,
    },
}

impl Counts {
    fn statistics(self) -> Vec<Stat> {
        match self {
            Counts::Candidates => vec![Stat::Candidates],
            Counts::Listed(statistics) => statistics.to_vec(),
            Counts::Nodes { cells, comparisons } => {
                let mut statistics = vec![Stat::Nodes, Stat::DeadEnds, Stat::MaxDepth];
                if cells != CellsAsked::None {
                    statistics.push(Stat::CellsTested);
                }
                if comparisons {
                    statistics.push(Stat::Comparisons);
                }
                statistics
            }
        }
    }
}

/// Whether queens on a square of row `above` and on one of a row below it do not attack each other.
fn consistent(above: usize, queen: u16, row: usize, column: usize) -> bool {
    let distance = column.abs_diff(queen.into());
    distance != 0 && distance != row - above
}

struct SearchSolver<T>(PhantomData<T>);

/// The solver that runs a searcher.
fn searcher<T: Searcher>() -> Box<dyn Solver> {
    Box::new(SearchSolver::<T>(PhantomData))
}

impl<T: Searcher> Solver for SearchSolver<T> {
    fn info(&self) -> Info {
        let idea = T::IDEA;
        Info {
            about: idea.about.to_owned(),
            sizes: idea.sizes.0,
            sizes_reason: idea.sizes.1,
            pattern_limit: idea.pattern_limit,
            statistics: idea.counts.statistics(),
            cells_asked: match idea.counts {
                Counts::Nodes { cells, .. } => cells,
                Counts::Candidates | Counts::Listed(_) => CellsAsked::None,
            },
            order: idea.order,
            options: T::OPTIONS.to_vec(),
            goals: T::GOALS.to_vec(),
            any_problem: T::ANY_PROBLEM,
            ..Info::named(idea.id)
        }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        if let Some(reason) = T::objection(task) {
            return Err(SolveError::Option(format!("{}: {reason}", T::IDEA.id)));
        }
        let mut outcome = visitor::run::<T>(task, sink);
        // The visitor counts everything; a searcher reports only some of it.
        let declared = if task.counting { T::IDEA.counts.statistics() } else { Vec::new() };
        outcome.stats.retain(&declared);
        // Levels are those of the published tree, which is walked by default only.
        let is_default = T::OPTIONS.iter().all(|option| task.options.value(option) == option.default);
        if !is_default || !declared.contains(&Stat::DeadEnds) {
            outcome.levels = Vec::new();
        }
        Ok(outcome)
    }
}
