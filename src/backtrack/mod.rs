//! Hand-written searchers, one idea per file, all of the same shape. This file is their table.
//!
//! Each searcher walks the tree of legal partial placements, one row (or column) deeper on each level, and
//! reports to a [`Visitor`]; the exceptions, which only test complete assignments, say so.
//! They differ in how they know that a cell is safe.

mod bitmask;
mod board_scan;
mod board_scan_columns;
mod column_scan;
mod exhaustive;
mod flag_arrays;
mod line_by_line;
mod nested_loops;
mod permutations;
mod permutations_pruned;
mod solutions;
mod visitor;

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use crate::board::BoardSize;
use crate::solver::{CellsAsked, Info, Order, Outcome, SearchStats, Sink, SolveError, Solver, Stat, Task};
pub use bitmask::Bitmask;
pub(crate) use line_by_line::Cells;
pub use solutions::{Solutions, solutions};
pub use visitor::{Flow, Search, Visitor};

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
    ]
}

/// What a searcher declares beside its search.
pub trait Textbook: Search + Send + Sync + 'static {
    /// Its idea.
    const IDEA: Idea;
}

/// The declaration of a searcher.
#[derive(Clone, Debug)]
pub struct Idea {
    /// `backtrack/<name>`.
    pub id: &'static str,
    /// One line for `queenlab list`.
    pub about: &'static str,
    /// Sizes that it can search, and why no others.
    pub sizes: (RangeInclusive<usize>, &'static str),
    /// See [`Info::pattern_limit`].
    pub pattern_limit: Option<usize>,
    /// What it counts.
    pub counts: Counts,
    /// The order of its solutions.
    pub order: Order,
}

/// What a searcher counts.
#[derive(Clone, Copy, Debug)]
pub enum Counts {
    /// Complete assignments only.
    Candidates,
    /// Nodes and dead ends, the cells that it asks about, and perhaps comparisons of queens.
    Nodes {
        /// Which cells of a row it asks about.
        cells: CellsAsked,
        /// Whether it compares queens one by one.
        comparisons: bool,
    },
}

impl Counts {
    fn statistics(self) -> Vec<Stat> {
        match self {
            Counts::Candidates => vec![Stat::Candidates],
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

pub(crate) const ANY_SIZE: (RangeInclusive<usize>, &str) = (0..=BoardSize::MAX, "the largest board");

struct Searcher<T>(PhantomData<T>);

/// The solver that runs a searcher.
pub(crate) fn searcher<T: Textbook>() -> Box<dyn Solver> {
    Box::new(Searcher::<T>(PhantomData))
}

impl<T: Textbook> Solver for Searcher<T> {
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
                Counts::Candidates => CellsAsked::None,
            },
            order: idea.order,
            ..Info::named(idea.id)
        }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let outcome = visitor::run::<T>(task, sink);
        let search = match task.counting {
            true => declared(&T::IDEA.counts.statistics(), outcome.search),
            false => SearchStats::default(),
        };
        Ok(Outcome { search, ..outcome })
    }
}

/// Leaves out what the searcher does not count.
fn declared(statistics: &[Stat], stats: SearchStats) -> SearchStats {
    let has = |stat| statistics.contains(&stat);
    SearchStats {
        nodes: stats.nodes.filter(|_| has(Stat::Nodes)),
        dead_ends: stats.dead_ends.filter(|_| has(Stat::DeadEnds)),
        cells_tested: stats.cells_tested.filter(|_| has(Stat::CellsTested)),
        comparisons: stats.comparisons.filter(|_| has(Stat::Comparisons)),
        candidates: stats.candidates.filter(|_| has(Stat::Candidates)),
        max_depth: stats.max_depth.filter(|_| has(Stat::MaxDepth)),
        levels: if has(Stat::Nodes) { stats.levels } else { Vec::new() },
    }
}
