//! Progress reports of a long computation. No dependencies; the receiver decides what to show.

/// The phase that a solver is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Writing a formula and passing it to a SAT solver.
    Encode,
    /// Searching.
    Solve,
}

/// Receives progress reports of a solver.
pub trait Progress: Sync {
    /// A phase begins. A solver that never reports a phase is in the search phase throughout.
    fn phase(&self, _phase: Phase) {}

    /// The totals so far. Counting runs and long enumerations report them from time to time.
    fn advance(&self, _nodes: u64, _solutions: u64) {}
}

/// Ignores all reports.
pub struct Silent;

impl Progress for Silent {}
