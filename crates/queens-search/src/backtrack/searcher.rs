//! The trait of searchers, and functions that several searchers use.

pub use super::visitor::{Flow, Visitor};
pub use queens_solver::{Info, Order, Pruning, Stat, Task};

/// A search algorithm: its properties, and a search that reports events to a visitor.
pub trait Searcher: Send + Sync + 'static {
    /// The properties of the searcher.
    fn info(&self) -> Info;

    /// The reason why the searcher cannot carry out a task with these options; `None` if it can.
    fn objection(&self, _task: &Task<'_>) -> Option<String> {
        None
    }

    /// Walks the whole tree unless the visitor ends the search.
    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow;
}

/// The properties of a textbook searcher, which walks the tree of OEIS A319283 row by row and tests every cell of a row.
pub(super) fn textbook(id: &str) -> Info {
    Info {
        statistics: vec![Stat::Nodes, Stat::DeadEnds, Stat::MaxDepth, Stat::CellsTested],
        order: Order::ByRow,
        walks_published_tree: true,
        pruning: Some(Pruning::Nothing),
        ..Info::named(id)
    }
}

/// Whether the squares (`above`, `queen`) and (`row`, `column`) do not attack each other. `above` is a row above `row`, and `queen`
/// is the column of its queen.
pub(super) fn are_consistent(above: usize, queen: u32, row: usize, column: usize) -> bool {
    let distance = column.abs_diff(queen as usize);
    distance != 0 && distance != row - above
}
