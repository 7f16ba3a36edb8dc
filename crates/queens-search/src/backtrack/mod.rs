//! Hand-written searchers with the same structure, one algorithm per file. This file contains the table of searchers.
//!
//! Each searcher walks the tree of legal partial placements and reports its nodes and solutions to a [`Visitor`]. Each level of the
//! tree adds the queen of one more row (or column). Three searchers have no such tree: `exhaustive` and `permutations` test
//! complete assignments only, and `dxz` visits sets of open squares.

mod back;
mod cover;
pub mod probe;
mod remove;
mod safe;
mod searcher;
mod solutions;
#[cfg(test)]
mod tests;
mod visitor;
mod walk;

pub use cover::dlx;
use queens_solver::Solver;
pub use safe::bitmask::Bitmask;
pub use searcher::Searcher;
pub use solutions::solutions;
pub use visitor::{Flow, Visitor};
use walk::solver;

/// Every searcher; simple algorithms come first.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    vec![
        solver(safe::exhaustive::Exhaustive),
        solver(safe::permutations::Permutations),
        solver(safe::permutations_pruned::PermutationsPruned),
        solver(safe::nested_loops::NestedLoops),
        solver(safe::board_scan::BoardScan),
        solver(safe::board_scan_columns::BoardScanColumns),
        solver(safe::column_scan::ColumnScan),
        solver(safe::flag_arrays::FlagArrays),
        solver(safe::bitmask::Bitmask),
        solver(safe::bitmask_recursive::BitmaskRecursive),
        solver(safe::backmarking::Backmarking),
        solver(back::backjumping::Backjumping),
        solver(back::cbj::Cbj),
        solver(remove::forward_checking::ForwardChecking),
        solver(remove::fc_cbj::FcCbj),
        solver(remove::mac::Mac),
        solver(remove::gac::Gac),
        solver(remove::unit_propagation::UnitPropagation),
        solver(remove::lds::Lds),
        solver(cover::dlx::Dlx),
        solver(cover::dxz::Dxz),
    ]
}
