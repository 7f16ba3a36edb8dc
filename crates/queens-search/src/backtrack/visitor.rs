//! The visitor, which receives the events of a search.
//!
//! Searchers are generic over the visitor, so the compiler removes the code for events that a visitor ignores. Timed runs ignore
//! counters, which therefore cost no time.

use std::ops::ControlFlow;

use queens_solver::{Stat, Stop};

/// Whether the search continues: `Break` contains the reason why the search ends early.
pub type Flow = ControlFlow<Stop>;

/// Receives the events of a search, and ignores those for which it has no method. A level is the number of
/// queens placed.
pub trait Visitor {
    /// Whether [`Visitor::solution`] reads its columns; if not, a searcher may skip building them.
    const BOARDS: bool = true;

    /// Whether [`Visitor::count`] reads its number; if not, a searcher may skip computing it.
    const COUNTERS: bool = false;

    /// Is called at each node: a legal partial placement of `level` queens.
    #[inline]
    fn node(&mut self, _level: usize) -> Flow {
        Flow::Continue(())
    }

    /// Is called when the search leaves a node of `level` queens that had no legal cell in its next row. A look-ahead searcher also
    /// reports a node that it did not enter because a domain was empty.
    #[inline]
    fn dead_end(&mut self, _level: usize) {}

    /// Is called when a queen is placed on a cell of a line: a row, or a column for searchers that place queens column by column.
    /// [`Visitor::node`] follows.
    #[inline]
    fn enter(&mut self, _line: usize, _cell: usize) {}

    /// Is called after the whole subtree of a node of `level` queens has been visited. It is not called for solutions.
    #[inline]
    fn leave(&mut self, _level: usize) {}

    /// Is called when a statistic increases by `number`. For nodes and dead ends, [`Visitor::node`] and [`Visitor::dead_end`] are
    /// called instead.
    #[inline]
    fn count(&mut self, _stat: Stat, _number: u64) {}

    /// Is called at each step of a search that does not call [`Visitor::node`]. In other searches, each node is a step. The budget
    /// is checked every few thousand steps.
    #[inline]
    fn step(&mut self) -> Flow {
        Flow::Continue(())
    }

    /// Is called instead of [`Visitor::solution`] by searchers that count `number` solutions without visiting them, if
    /// [`Visitor::BOARDS`] is false.
    #[inline]
    fn solutions(&mut self, _number: u64) {}

    /// Is called at each solution, with the column of each row.
    fn solution(&mut self, columns: &[u32]) -> Flow;
}

impl<F: FnMut(&[u32]) -> Flow> Visitor for F {
    fn solution(&mut self, columns: &[u32]) -> Flow {
        self(columns)
    }
}
