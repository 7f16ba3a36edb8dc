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
mod conflicts;
pub mod dlx;
mod domains;
mod dxz;
mod exhaustive;
mod fc_cbj;
mod flag_arrays;
mod forward_checking;
mod gac;
mod lds;
mod line_by_line;
mod look_ahead;
mod mac;
mod nested_loops;
mod orders;
mod permutations;
mod permutations_pruned;
pub mod probe;
mod solutions;
#[cfg(test)]
mod tests;
mod unit_propagation;
mod visitor;

pub use bitmask::Bitmask;
use queens_solver::{Info, Order, Outcome, Sink, SolveError, Solver, Stat, Task};
pub use solutions::solutions;
pub use visitor::{Flow, Visitor};

/// Every backtracker, simplest idea first.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    vec![
        solver(exhaustive::Exhaustive),
        solver(permutations::Permutations),
        solver(permutations_pruned::PermutationsPruned),
        solver(nested_loops::NestedLoops),
        solver(board_scan::BoardScan),
        solver(board_scan_columns::BoardScanColumns),
        solver(column_scan::ColumnScan),
        solver(flag_arrays::FlagArrays),
        solver(bitmask::Bitmask),
        solver(backmarking::Backmarking),
        solver(backjumping::Backjumping),
        solver(cbj::Cbj),
        solver(forward_checking::ForwardChecking),
        solver(fc_cbj::FcCbj),
        solver(mac::Mac),
        solver(gac::Gac),
        solver(unit_propagation::UnitPropagation),
        solver(lds::Lds),
        solver(dlx::Dlx),
        solver(dxz::Dxz),
    ]
}

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
fn textbook(id: &str) -> Info {
    Info {
        statistics: vec![Stat::Nodes, Stat::DeadEnds, Stat::MaxDepth, Stat::CellsTested],
        order: Order::ByRow,
        walks_published_tree: true,
        ..Info::named(id)
    }
}

/// Whether queens on a square of row `above` and on one of a row below it do not attack each other.
fn consistent(above: usize, queen: u32, row: usize, column: usize) -> bool {
    let distance = column.abs_diff(queen as usize);
    distance != 0 && distance != row - above
}

struct SearchSolver<S>(S);

/// The solver that runs a searcher.
fn solver<S: Searcher>(searcher: S) -> Box<dyn Solver> {
    Box::new(SearchSolver(searcher))
}

impl<S: Searcher> Solver for SearchSolver<S> {
    fn info(&self) -> Info {
        self.0.info()
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let info = self.0.info();
        if let Some(reason) = self.0.objection(task) {
            return Err(SolveError::Refused(format!("{}: {reason}", info.id)));
        }
        let mut outcome = visitor::run(&self.0, task, &info.statistics, sink);
        // Levels are those of the published tree, which is walked by default only.
        if !(info.walks_published_tree && task.options.is_empty()) {
            outcome.levels = Vec::new();
        }
        Ok(outcome)
    }
}
