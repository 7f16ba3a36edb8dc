//! The budget of a search (a deadline, a node limit, a cancellation flag), and progress reports.

#![expect(clippy::disallowed_methods, reason = "this is the clock of every solver")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The reason why a search ended before its goal was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The sink stopped the search.
    Sink,
    /// The deadline passed.
    Deadline,
    /// The node limit was reached.
    NodeLimit,
    /// The cancellation flag was set.
    Cancelled,
}

/// The limits of a search. Searchers check them every few thousand nodes.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The search stops after this instant.
    pub deadline: Option<Instant>,
    /// The search stops after about this many nodes.
    pub node_limit: Option<u64>,
    /// The cancellation flag: the search stops when it becomes true.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// Whether there is no limit to check.
    pub fn is_unlimited(&self) -> bool {
        self.deadline.is_none() && self.node_limit.is_none() && self.cancel.is_none()
    }

    /// The time until the deadline; `None` if there is no deadline.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The limit that is exceeded after this number of nodes; `None` if no limit is exceeded.
    pub fn exceeded(&self, nodes: u64) -> Option<Stop> {
        if self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Stop::Cancelled);
        }
        if self.node_limit.is_some_and(|limit| nodes >= limit) {
            return Some(Stop::NodeLimit);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::Deadline)
    }
}

/// A phase of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Writing a formula or constraints, and passing them to a library or program that solves them.
    Encode,
    /// Searching.
    Solve,
}

/// Receives progress reports of a solver.
pub trait Progress: Sync {
    /// A phase begins. A solver that never reports a phase is in the search phase throughout.
    fn phase(&self, _phase: Phase) {}

    /// Reports the numbers of nodes and solutions so far. Counting runs and long enumerations call this from time to time.
    fn advance(&self, _nodes: u64, _solutions: u64) {}
}

/// Ignores all reports.
pub struct Silent;

impl Progress for Silent {}
