//! What a long computation tells while it runs. No dependency; whoever listens decides what to show.

/// What a solver is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Writing a formula and handing it to a SAT solver.
    Encode,
    /// Searching.
    Solve,
}

/// Listens to a solver.
pub trait Progress: Sync {
    /// A phase begins; solvers that never say so only search.
    fn phase(&self, _phase: Phase) {}

    /// Totals so far, told now and then by counting runs and long enumerations.
    fn advance(&self, _nodes: u64, _solutions: u64) {}
}

/// Listens to nothing.
pub struct Silent;

impl Progress for Silent {}
