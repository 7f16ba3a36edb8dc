//! What every searcher is, and what searchers share.

pub use super::visitor::{Flow, Visitor};
pub use queens_solver::{Info, Order, Pruning, Stat, Task};

/// A way of searching: its properties, and a search that any visitor can follow.
pub trait Searcher: Send + Sync + 'static {
    /// Its properties.
    fn info(&self) -> Info;

    /// Why it cannot carry out a task with these options.
    fn objection(&self, _task: &Task<'_>) -> Option<String> {
        None
    }

    /// Walks the whole tree unless the visitor ends the search.
    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow;
}

/// The properties of a textbook searcher: it walks the published tree row by row, and tests every cell.
pub(super) fn textbook(id: &str) -> Info {
    Info {
        statistics: vec![Stat::Nodes, Stat::DeadEnds, Stat::MaxDepth, Stat::CellsTested],
        order: Order::ByRow,
        walks_published_tree: true,
        tree: Some(Pruning::Nothing),
        ..Info::named(id)
    }
}

/// Whether queens on a square of row `above` and on one of a row below it do not attack each other.
pub(super) fn consistent(above: usize, queen: u32, row: usize, column: usize) -> bool {
    let distance = column.abs_diff(queen as usize);
    distance != 0 && distance != row - above
}
