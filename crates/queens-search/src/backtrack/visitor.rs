//! The events of a search, and the visitors that receive them.
//!
//! Searchers are generic over the visitor, whose type says what it reads: what it ignores is compiled away, so that a
//! timed run has no cost for counters.

use std::ops::ControlFlow;

use super::Searcher;
use queens_solver::{Goal, Level, Outcome, Sink, Stat, Stop, Task};

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

/// The number of steps between two checks of the budget, at which progress is also reported.
const POLL_INTERVAL: u32 = 1 << 12;

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
    /// Steps up to the last check, and the number left until the next one.
    polled: u64,
    until_poll: u32,
    counters: [u64; Stat::ALL.len()],
    levels: Vec<Level>,
}

impl<const BOARDS: bool, const WATCH: u8> Walk<'_, BOARDS, WATCH> {
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

    fn value(&self, stat: Stat) -> u64 {
        let sum = |of: fn(&Level) -> u64| self.levels.iter().map(of).sum::<u64>();
        let (nodes, dead_ends) = (sum(|level| level.nodes), sum(|level| level.dead_ends));
        match stat {
            Stat::Nodes => nodes,
            Stat::DeadEnds | Stat::Failures => dead_ends,
            Stat::InnerNodes => nodes.saturating_sub(dead_ends + self.solutions),
            Stat::MaxDepth => self.levels.iter().rposition(|level| level.nodes > 0).unwrap_or(0) as u64,
            counted => self.counters[counted as usize],
        }
    }
}

impl<const BOARDS: bool, const WATCH: u8> Visitor for Walk<'_, BOARDS, WATCH> {
    const BOARDS: bool = BOARDS;
    const COUNTERS: bool = WATCH == watch::COUNTERS;

    #[inline]
    fn node(&mut self, level: usize) -> Flow {
        if Self::COUNTERS {
            self.levels[level].nodes += 1;
        }
        self.step()
    }

    #[inline]
    fn dead_end(&mut self, level: usize) {
        if Self::COUNTERS {
            self.levels[level].dead_ends += 1;
        }
    }

    #[inline]
    fn count(&mut self, stat: Stat, number: u64) {
        if Self::COUNTERS {
            self.counters[stat as usize] += number;
        }
    }

    #[inline]
    fn step(&mut self) -> Flow {
        if WATCH == watch::NOTHING {
            return Flow::Continue(());
        }
        self.until_poll -= 1;
        if self.until_poll == 0 { self.poll() } else { Flow::Continue(()) }
    }

    #[inline]
    fn solutions(&mut self, number: u64) {
        self.solutions += number;
    }

    #[inline]
    fn solution(&mut self, columns: &[u32]) -> Flow {
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

/// Runs a searcher for a task with the cheapest visitor that the task allows, which reports these statistics.
pub(super) fn run<S: Searcher>(
    searcher: &S,
    task: &Task<'_>,
    statistics: &[Stat],
    sink: &mut dyn Sink,
) -> Outcome {
    let walk = match (task.goal != Goal::Count, task.counting, task.budget.is_unlimited()) {
        (false, false, true) => walk::<S, false, { watch::NOTHING }>,
        (false, false, false) => walk::<S, false, { watch::BUDGET }>,
        (true, false, true) => walk::<S, true, { watch::NOTHING }>,
        (true, false, false) => walk::<S, true, { watch::BUDGET }>,
        (false, true, _) => walk::<S, false, { watch::COUNTERS }>,
        (true, true, _) => walk::<S, true, { watch::COUNTERS }>,
    };
    walk(searcher, task, statistics, sink)
}

fn walk<S: Searcher, const BOARDS: bool, const WATCH: u8>(
    searcher: &S,
    task: &Task<'_>,
    statistics: &[Stat],
    sink: &mut dyn Sink,
) -> Outcome {
    let mut walk = Walk::<'_, BOARDS, WATCH> {
        task,
        sink,
        solutions: 0,
        polled: 0,
        until_poll: POLL_INTERVAL,
        counters: [0; Stat::ALL.len()],
        levels: vec![Level::default(); task.n().get() + 1],
    };
    let stopped = match searcher.run(task, &mut walk) {
        // Goal first ends at the first solution, so the search was not stopped early.
        Flow::Break(Stop::Sink) if task.goal == Goal::First => None,
        flow => flow.break_value(),
    };
    let mut outcome = Outcome { solutions: walk.solutions, stopped, ..Outcome::default() };
    if task.counting {
        outcome.stats = statistics.iter().map(|&stat| (stat, walk.value(stat))).collect();
        outcome.levels = walk.levels;
    }
    outcome
}
