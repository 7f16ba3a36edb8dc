//! Pumpkin 0.5, a constraint programming solver with lazy clause generation, in this process; only this file uses the Pumpkin
//! crates. Pumpkin runs with its default search, which decides the variables by their activity in recent conflicts, and at random
//! before the first conflict.
//!
//! The variable of a row is the column of its queen. There are three all-different constraints: on the columns, on the indices of
//! the falling diagonals, and on the indices of the rising diagonals. Pumpkin decomposes each all-different constraint into pairs.
//! For the lines of other problems, each pair of squares is a clause. After each solution, a blocking clause excludes this
//! solution.
//! Source: Marijnissen, Flippo & Demirović, "From literals to atomic constraints: generalising conflict-driven clause
//! learning for constraint programming", CP 2026.

use std::cell::RefCell;
use std::io::{self, Write};
use std::ops::ControlFlow;

use pumpkin_conflict_resolvers::resolvers::ResolutionResolver;
use pumpkin_constraints::all_different;
use pumpkin_core::constraints::Constraint;
use pumpkin_core::options::SolverOptions;
use pumpkin_core::rand::SeedableRng;
use pumpkin_core::rand::rngs::SmallRng;
use pumpkin_core::results::{ProblemSolution, SatisfactionResult};
use pumpkin_core::statistics::configure_statistic_logging;
use pumpkin_core::termination::TerminationCondition;
use pumpkin_core::variables::{DomainId, TransformableVariable};
use pumpkin_core::{DefaultBrancher, Solver, predicate};

use queens_board::problem::{Problem, Variant};
use queens_board::{Square, column};
use queens_solver::{Budget, Goal, Outcome, Phase, Sink, Stat, Statistics, Stop, Task};

/// The number of solver steps between two checks of the budget. A step ends with a decision or a conflict.
const CHECK_INTERVAL: u32 = 64;

/// The number of solutions between two progress reports.
const REPORT_INTERVAL: u64 = 1024;

/// Carries out a task, and passes the solutions to the sink.
pub fn search(task: &Task<'_>, sink: &mut dyn Sink) -> Outcome {
    let mut outcome = Outcome::default();
    task.progress.phase(Phase::Encode);
    let random_generator = SmallRng::seed_from_u64(task.seed);
    let mut solver = Solver::with_options(SolverOptions { random_generator, ..SolverOptions::default() });
    let queens = post(&task.problem, &mut solver);
    task.progress.phase(Phase::Solve);
    let mut brancher = solver.default_brancher();
    let mut resolver = ResolutionResolver::default();
    let mut limit = BudgetCondition { budget: &task.budget, steps: 0 };
    while let Some(queens) = &queens {
        outcome.stopped = task.budget.exceeded(0);
        if outcome.stopped.is_some() {
            break;
        }
        let columns: Vec<u32> = match solver.satisfy(&mut brancher, &mut limit, &mut resolver) {
            SatisfactionResult::Satisfiable(satisfiable) => {
                let value =
                    |&queen: &DomainId| usize::try_from(satisfiable.solution().get_integer_value(queen));
                queens.iter().map(|queen| column(value(queen).unwrap_or_default())).collect()
            }
            SatisfactionResult::Unsatisfiable(..) => break,
            // Only the termination condition ends a search without an answer.
            SatisfactionResult::Unknown(..) => continue,
        };
        outcome.solutions += 1;
        let flow = if task.goal == Goal::Count { ControlFlow::Continue(()) } else { sink.solution(&columns) };
        if task.goal == Goal::First {
            break;
        }
        if flow.is_break() {
            outcome.stopped = Some(Stop::Sink);
            break;
        }
        if outcome.solutions.is_multiple_of(REPORT_INTERVAL) {
            task.progress.advance(0, outcome.solutions);
        }
        let tag = solver.new_constraint_tag();
        let blocking_clause =
            queens.iter().zip(&columns).map(|(queen, &column)| predicate!(queen != column.cast_signed()));
        solver.add_clause(blocking_clause.collect::<Vec<_>>(), tag);
    }
    if task.counting {
        outcome.stats = statistics(&solver, &brancher, &resolver);
    }
    outcome
}

/// Adds the constraints of a problem to the solver. Returns the variable of each row; `None` if a row has no allowed square.
fn post(problem: &Problem, solver: &mut Solver) -> Option<Vec<DomainId>> {
    let n = problem.n().get();
    let to_integer = |index: usize| column(index).cast_signed();
    let mut queens = Vec::new();
    for row in 0..n {
        let open_columns = (0..n).filter(|&column| problem.is_open(Square { row, column }));
        let columns: Vec<i32> = open_columns.map(to_integer).collect();
        if columns.is_empty() {
            return None;
        }
        queens.push(solver.new_sparse_integer(columns));
    }
    let tag = solver.new_constraint_tag();
    all_different(queens.clone(), tag).post(solver);
    if *problem.variant() == Variant::Queens {
        for sign in [-1, 1] {
            let diagonals = queens.iter().zip(0..).map(|(queen, row): (_, i32)| queen.offset(sign * row));
            all_different(diagonals.collect::<Vec<_>>(), tag).post(solver);
        }
        return Some(queens);
    }
    for line in problem.lines().skip(2 * n) {
        let open_squares: Vec<Square> =
            line.squares.into_iter().filter(|&square| problem.is_open(square)).collect();
        for (index, a) in open_squares.iter().enumerate() {
            for b in open_squares[..index].iter().filter(|b| b.row != a.row) {
                let (queen_a, queen_b) = (queens[a.row], queens[b.row]);
                let clause = [
                    predicate!(queen_a != to_integer(a.column)),
                    predicate!(queen_b != to_integer(b.column)),
                ];
                solver.add_clause(clause, tag);
                if solver.is_inconsistent() {
                    return None;
                }
            }
        }
    }
    Some(queens)
}

/// Ends a search of Pumpkin when the budget is exceeded.
struct BudgetCondition<'a> {
    budget: &'a Budget,
    steps: u32,
}

impl TerminationCondition for BudgetCondition<'_> {
    fn should_stop(&mut self) -> bool {
        self.steps = self.steps.wrapping_add(1);
        self.steps.is_multiple_of(CHECK_INTERVAL) && self.budget.exceeded(0).is_some()
    }
}

thread_local! {
    /// The statistics that Pumpkin has written about a search on this thread.
    static STATISTICS: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The writer for Pumpkin's statistics. Pumpkin has one writer per process; this writer separates the threads.
struct StatisticsLog;

impl Write for StatisticsLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        STATISTICS.with_borrow_mut(|statistics_log| statistics_log.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Parses Pumpkin's statistics: a line `name=value` for each. Pumpkin's "nodes" are decisions, and its "failures" are conflicts.
fn statistics(solver: &Solver, brancher: &DefaultBrancher, resolver: &ResolutionResolver) -> Statistics {
    configure_statistic_logging("", None, None, Some(Box::new(StatisticsLog)));
    STATISTICS.take();
    solver.log_statistics(brancher, resolver, false);
    let statistics_log = STATISTICS.take();
    let statistics_log = String::from_utf8_lossy(&statistics_log);
    let names = [
        (Stat::Decisions, "nodes"),
        (Stat::Conflicts, "failures"),
        (Stat::Propagations, "propagations"),
        (Stat::Restarts, "restarts"),
    ];
    let mut statistics = Statistics::default();
    for (stat, name) in names {
        let value = statistics_log.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix('='));
        statistics.set(stat, value.and_then(|value| value.parse::<u64>().ok()));
    }
    statistics
}
