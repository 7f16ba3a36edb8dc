//! The events of a search, which a visitor receives.
//!
//! Searchers are generic over the visitor, whose type says what it reads: what it ignores is compiled away, so that a
//! timed run has no cost for counters.

use std::ops::ControlFlow;

use queens_solver::{Stat, Stop};

/// Continue, or the reason for ending the search early.
pub type Flow = ControlFlow<Stop>;

/// Receives the events of a search, and ignores those for which it has no method. A level is the number of
/// queens placed.
pub trait Visitor {
    /// Whether [`Visitor::solution`] reads its columns; if not, a searcher may skip building them.
    const BOARDS: bool = true;

    /// Whether [`Visitor::count`] reads its number; if not, a searcher may skip working it out.
    const COUNTERS: bool = false;

    /// A legal partial placement of `level` queens is reached.
    #[inline]
    fn node(&mut self, _level: usize) -> Flow {
        Flow::Continue(())
    }

    /// The node of `level` queens just left had no legal cell in its next row; a searcher that looks ahead also reports a
    /// node that it did not enter because a row had none left.
    #[inline]
    fn dead_end(&mut self, _level: usize) {}

    /// A queen is put on a cell of a line (a row; a column for searchers that go by columns). The
    /// node that this reaches follows.
    #[inline]
    fn enter(&mut self, _line: usize, _cell: usize) {}

    /// The whole subtree of the node of `level` queens was visited. A solution has no such event.
    #[inline]
    fn leave(&mut self, _level: usize) {}

    /// Something that is neither a node nor a dead end happened this number of times.
    #[inline]
    fn count(&mut self, _stat: Stat, _number: u64) {}

    /// A search without nodes made a step; [`Visitor::node`] is a step, too. The budget is checked every few thousand
    /// steps.
    #[inline]
    fn step(&mut self) -> Flow {
        Flow::Continue(())
    }

    /// This number of solutions is known without their boards; only if [`Visitor::BOARDS`] is false.
    #[inline]
    fn solutions(&mut self, _number: u64) {}

    /// A solution is reached: the column of each row.
    fn solution(&mut self, columns: &[u32]) -> Flow;
}

impl<F: FnMut(&[u32]) -> Flow> Visitor for F {
    fn solution(&mut self, columns: &[u32]) -> Flow {
        self(columns)
    }
}
