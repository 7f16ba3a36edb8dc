//! The adapter from [`Searcher`] to [`Solver`]: it runs a searcher with the cheapest visitor that the task allows.

use super::searcher::{Flow, Searcher, Visitor};
use queens_solver::{Goal, Info, Level, Outcome, Sink, SolveError, Solver, Stat, Stop, Task};

struct SearchSolver<S>(S);

/// The solver that runs a searcher.
pub fn solver<S: Searcher>(searcher: S) -> Box<dyn Solver> {
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
        let mut outcome = run(&self.0, task, &info.statistics, sink);
        // Levels are reported only for the published tree, and options may change the tree.
        if !(info.walks_published_tree && task.options.is_empty()) {
            outcome.levels = Vec::new();
        }
        Ok(outcome)
    }
}

/// The number of steps between two checks of the budget, at which progress is also reported.
const POLL_INTERVAL: u32 = 1 << 12;

/// The values of the parameter `WATCH` of [`TaskVisitor`]: what the visitor does at each event.
mod watch {
    /// Neither counts events nor checks the budget.
    pub const NOTHING: u8 = 0;
    /// Checks the budget.
    pub const BUDGET: u8 = 1;
    /// Counts every event, and checks the budget.
    pub const COUNTERS: u8 = 2;
}

/// The counters of events, by the number of the statistic.
type Counters = [u64; Stat::ALL.len()];

/// The visitor for a task: counts solutions and events, passes solutions to the sink if `BOARDS` is true, and checks the budget.
struct TaskVisitor<'a, const BOARDS: bool, const WATCH: u8> {
    task: &'a Task<'a>,
    sink: &'a mut dyn Sink,
    solutions: u64,
    /// The number of steps up to the last check of the budget.
    steps_at_last_poll: u64,
    /// The number of steps until the next check of the budget.
    steps_until_poll: u32,
    counters: Counters,
    levels: Vec<Level>,
}

impl<const BOARDS: bool, const WATCH: u8> TaskVisitor<'_, BOARDS, WATCH> {
    #[cold]
    #[inline(never)]
    fn poll(&mut self) -> Flow {
        self.steps_until_poll = POLL_INTERVAL;
        self.steps_at_last_poll += u64::from(POLL_INTERVAL);
        self.task.progress.advance(self.steps_at_last_poll, self.solutions);
        match self.task.budget.exceeded(self.steps_at_last_poll) {
            Some(stop) => Flow::Break(stop),
            None => Flow::Continue(()),
        }
    }
}

impl<const BOARDS: bool, const WATCH: u8> Visitor for TaskVisitor<'_, BOARDS, WATCH> {
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
        self.steps_until_poll -= 1;
        if self.steps_until_poll == 0 { self.poll() } else { Flow::Continue(()) }
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
        let sink_flow = self.sink.solution(columns);
        if sink_flow.is_break() || self.task.goal == Goal::First {
            return Flow::Break(Stop::Sink);
        }
        Flow::Continue(())
    }
}

/// Runs a searcher for a task with the cheapest visitor that the task allows. The outcome of a counting run contains the values of
/// `statistics`.
fn run<S: Searcher>(searcher: &S, task: &Task<'_>, statistics: &[Stat], sink: &mut dyn Sink) -> Outcome {
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
    let mut task_visitor = TaskVisitor::<'_, BOARDS, WATCH> {
        task,
        sink,
        solutions: 0,
        steps_at_last_poll: 0,
        steps_until_poll: POLL_INTERVAL,
        counters: [0; Stat::ALL.len()],
        levels: vec![Level::default(); task.n().get() + 1],
    };
    let stopped = match searcher.run(task, &mut task_visitor) {
        // With goal first, the visitor ends the search at the first solution, which is not an early end.
        Flow::Break(Stop::Sink) if task.goal == Goal::First => None,
        flow => flow.break_value(),
    };
    let mut outcome = Outcome { solutions: task_visitor.solutions, stopped, ..Outcome::default() };
    if task.counting {
        report(&mut outcome, statistics, &task_visitor.counters, task_visitor.levels);
    }
    outcome
}

/// Adds the statistics and the levels of a counting run to its outcome. The compiler makes six copies of [`walk`] for
/// each searcher. If this code were a part of `walk`, it would double the time to compile this crate.
fn report(outcome: &mut Outcome, statistics: &[Stat], counters: &Counters, levels: Vec<Level>) {
    let sum = |value: fn(&Level) -> u64| levels.iter().map(value).sum::<u64>();
    let (nodes, dead_ends) = (sum(|level| level.nodes), sum(|level| level.dead_ends));
    let value = |stat| match stat {
        Stat::Nodes => nodes,
        Stat::DeadEnds | Stat::Failures => dead_ends,
        Stat::InnerNodes => nodes.saturating_sub(dead_ends + outcome.solutions),
        Stat::MaxDepth => levels.iter().rposition(|level| level.nodes > 0).unwrap_or(0) as u64,
        counted => counters[counted as usize],
    };
    outcome.stats = statistics.iter().map(|&stat| (stat, value(stat))).collect();
    outcome.levels = levels;
}
