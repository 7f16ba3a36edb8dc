//! The events of a search, and the visitors that receive them.
//!
//! Searchers are generic over the visitor, so events that a visitor ignores are compiled away: a timed run
//! has no cost for counters.

use std::ops::ControlFlow;

use crate::solver::{Goal, Level, Outcome, Sink, Stat, Stop, Task};

/// Continue, or the reason for ending the search early.
pub type Flow = ControlFlow<Stop>;

/// Receives the events of a search, and ignores those for which it has no method. A level is the number of
/// queens placed.
pub trait Visitor {
    /// Whether [`Visitor::solution`] reads its columns; if not, a searcher may skip building them.
    #[inline]
    fn reads_boards(&self) -> bool {
        true
    }

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

    /// The safety of a cell is tested.
    #[inline]
    fn cell_tested(&mut self) {}

    /// Two queens are compared.
    #[inline]
    fn comparison(&mut self) {}

    /// Whether [`Visitor::consistency_checks`] reads its number; if not, a searcher may skip counting.
    #[inline]
    fn counts(&self) -> bool {
        false
    }

    /// The consistency of this number of pairs of squares is tested.
    #[inline]
    fn consistency_checks(&mut self, _number: u64) {}

    /// The search begins again at the root.
    #[inline]
    fn restart(&mut self) {}

    /// A complete assignment is tested.
    #[inline]
    fn candidate(&mut self) -> Flow {
        Flow::Continue(())
    }

    /// A solution is reached: the column of each row.
    fn solution(&mut self, columns: &[u16]) -> Flow;
}

/// The number of nodes or candidates between two checks of the budget, at which progress is also reported.
pub(super) const POLL_INTERVAL: u32 = 1 << 12;

/// How closely a [`Walk`] watches the search.
mod watch {
    /// Not at all: no counters, no budget.
    pub const NOTHING: u8 = 0;
    /// The budget only.
    pub const BUDGET: u8 = 1;
    /// Every counter, and the budget.
    pub const COUNTERS: u8 = 2;
}

/// The visitor of [`run`].
struct Walk<'a, const BOARDS: bool, const WATCH: u8> {
    task: &'a Task<'a>,
    sink: &'a mut dyn Sink,
    solutions: u64,
    /// Nodes and candidates up to the last check, and the number left until the next one.
    polled: u64,
    until_poll: u32,
    cells_tested: u64,
    comparisons: u64,
    consistency_checks: u64,
    restarts: u64,
    candidates: u64,
    levels: Vec<Level>,
}

impl<const BOARDS: bool, const WATCH: u8> Walk<'_, BOARDS, WATCH> {
    #[inline]
    fn step(&mut self) -> Flow {
        if WATCH == watch::NOTHING {
            return Flow::Continue(());
        }
        self.until_poll -= 1;
        if self.until_poll == 0 { self.poll() } else { Flow::Continue(()) }
    }

    #[cold]
    #[inline(never)]
    fn poll(&mut self) -> Flow {
        self.until_poll = POLL_INTERVAL;
        self.polled += u64::from(POLL_INTERVAL);
        self.task.progress.advance(self.polled, self.solutions);
        match self.task.budget.exceeded(self.polled) {
            Some(stop) => Flow::Break(stop),
            None => Flow::Continue(()),
        }
    }
}

impl<const BOARDS: bool, const WATCH: u8> Visitor for Walk<'_, BOARDS, WATCH> {
    #[inline]
    fn reads_boards(&self) -> bool {
        BOARDS
    }

    #[inline]
    fn node(&mut self, level: usize) -> Flow {
        if WATCH == watch::COUNTERS {
            self.levels[level].nodes += 1;
        }
        self.step()
    }

    #[inline]
    fn dead_end(&mut self, level: usize) {
        if WATCH == watch::COUNTERS {
            self.levels[level].dead_ends += 1;
        }
    }

    #[inline]
    fn cell_tested(&mut self) {
        if WATCH == watch::COUNTERS {
            self.cells_tested += 1;
        }
    }

    #[inline]
    fn comparison(&mut self) {
        if WATCH == watch::COUNTERS {
            self.comparisons += 1;
        }
    }

    #[inline]
    fn counts(&self) -> bool {
        WATCH == watch::COUNTERS
    }

    #[inline]
    fn consistency_checks(&mut self, number: u64) {
        if WATCH == watch::COUNTERS {
            self.consistency_checks += number;
        }
    }

    #[inline]
    fn restart(&mut self) {
        self.restarts += 1;
    }

    #[inline]
    fn candidate(&mut self) -> Flow {
        if WATCH == watch::COUNTERS {
            self.candidates += 1;
        }
        self.step()
    }

    #[inline]
    fn solution(&mut self, columns: &[u16]) -> Flow {
        self.solutions += 1;
        if !BOARDS {
            return Flow::Continue(());
        }
        let wanted = self.sink.solution(columns);
        if wanted.is_break() || self.task.goal == Goal::First {
            return Flow::Break(Stop::Sink);
        }
        Flow::Continue(())
    }
}

/// A search that any visitor can follow.
pub trait Search {
    /// Walks the whole tree of an `n` by `n` board unless the visitor ends the search.
    fn search<V: Visitor>(n: usize, visitor: &mut V) -> Flow;
}

/// A search for a task that any visitor can follow. A [`Search`] is one: it depends on the size of the board only.
pub trait TaskSearch {
    /// Walks the whole tree unless the visitor ends the search.
    fn search<V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow;
}

impl<S: Search> TaskSearch for S {
    fn search<V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow {
        S::search(task.n().get(), visitor)
    }
}

/// Runs a search for a task with the cheapest visitor that the task allows. Statistics that the searcher
/// never reported are zero; the caller removes them.
pub(super) fn run<S: TaskSearch>(task: &Task<'_>, sink: &mut dyn Sink) -> Outcome {
    let boards = task.goal != Goal::Count;
    match (boards, task.counting, task.budget.is_unlimited()) {
        (false, false, true) => walk::<S, false, { watch::NOTHING }>(task, sink),
        (false, false, false) => walk::<S, false, { watch::BUDGET }>(task, sink),
        (false, true, _) => walk::<S, false, { watch::COUNTERS }>(task, sink),
        (true, false, true) => walk::<S, true, { watch::NOTHING }>(task, sink),
        (true, false, false) => walk::<S, true, { watch::BUDGET }>(task, sink),
        (true, true, _) => walk::<S, true, { watch::COUNTERS }>(task, sink),
    }
}

fn walk<S: TaskSearch, const BOARDS: bool, const WATCH: u8>(task: &Task<'_>, sink: &mut dyn Sink) -> Outcome {
    let n = task.n().get();
    let mut walk = Walk::<'_, BOARDS, WATCH> {
        task,
        sink,
        solutions: 0,
        polled: 0,
        until_poll: POLL_INTERVAL,
        cells_tested: 0,
        comparisons: 0,
        consistency_checks: 0,
        restarts: 0,
        candidates: 0,
        levels: vec![Level::default(); n + 1],
    };
    let stopped = match S::search(task, &mut walk) {
        // Goal first ends at the first solution, so the search was not stopped early.
        Flow::Break(Stop::Sink) if task.goal == Goal::First => None,
        Flow::Break(stop) => Some(stop),
        Flow::Continue(()) => None,
    };
    let mut outcome = Outcome { solutions: walk.solutions, stopped, ..Outcome::default() };
    if task.counting {
        let total = |count: fn(&Level) -> u64| walk.levels.iter().map(count).sum();
        let (nodes, leaves) = (total(|level| level.nodes), total(|level| level.dead_ends) + walk.solutions);
        let depth = walk.levels.iter().rposition(|level| level.nodes > 0).unwrap_or(0);
        outcome.stats = [
            (Stat::Nodes, nodes),
            (Stat::DeadEnds, total(|level| level.dead_ends)),
            (Stat::CellsTested, walk.cells_tested),
            (Stat::Comparisons, walk.comparisons),
            (Stat::Candidates, walk.candidates),
            (Stat::MaxDepth, depth as u64),
            (Stat::Failures, total(|level| level.dead_ends)),
            (Stat::ConsistencyChecks, walk.consistency_checks),
            (Stat::Restarts, walk.restarts),
            (Stat::InnerNodes, nodes.saturating_sub(leaves)),
        ]
        .into();
        outcome.levels = walk.levels;
    }
    outcome
}
