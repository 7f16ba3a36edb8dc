//! Executes a single run in the child process.

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::attempt::Attempt;
use super::program;
use crate::experiment::plan::Cell;
use crate::model::SolverKind;
use crate::os::{self, pause::monotonic};
use crate::record::{Excerpt, Kind, Row, Status, Verdict, nanoseconds};
use crate::registry::Registry;
use crate::sat::program::DimacsProgram;
use crate::solver::sink::{Digest, Discard, First, Judge};
use crate::solver::{
    Budget, ConfiguredSolver, Goal, Outcome, Phase, Progress, Sink, SolveError, Solver, Task,
};

/// Runs a cell in this process with a solver of `registry`. An invalid cell results in a failed attempt, not in a panic.
pub fn run(cell: &Cell, kind: Kind, registry: &Registry) -> Attempt {
    match &cell.program {
        Some(call) => program::run(cell, call),
        None => {
            let solver = &cell.key.solver;
            let command_and_name = cell.external.as_ref().zip(solver.program_id());
            let external_program = command_and_name.map(|(command, name)| {
                let codes = cell.unknown_exit_codes.as_slice();
                // The pattern is valid: it was checked when the plan was made.
                let answer = cell.answer.as_ref().and_then(|answer| answer.parse().ok());
                DimacsProgram::new(name, command).with_unknown_exit_codes(codes).with_answer(answer)
            });
            let extended_registry = external_program.as_ref().map(|program| match solver.kind() {
                // The plan contains a model counter only with encodings that it supports.
                SolverKind::ModelCounter => registry.with_counter(program, true),
                _ => registry.with_sat(program),
            });
            let result = solve(cell, kind, extended_registry.as_ref().unwrap_or(registry));
            let mut attempt = result.unwrap_or_else(|failure| match failure {
                RunFailure::Wrong(reason) => {
                    let attempt = Attempt::failed(Status::Crashed, None);
                    let row = Row { verdict: Verdict::Wrong, verdict_reason: Some(reason), ..attempt.row };
                    Attempt { row, ..attempt }
                }
                RunFailure::Unknown(reason) => Attempt::failed(Status::Unknown, Some(reason)),
                RunFailure::Machine(fault) => {
                    Attempt { environment_fault: Some(fault), ..Attempt::default() }
                }
                RunFailure::Crash(reason) => Attempt::crashed(reason),
            });
            if let Some(program) = external_program.filter(|_| !program::is_certainly_correct(cell, &attempt))
            {
                attempt.output.output = Excerpt::of_bytes(program.last_output());
            }
            attempt
        }
    }
}

/// Why a run has no result.
enum RunFailure {
    /// The answer was wrong.
    Wrong(String),
    /// The solver gave up.
    Unknown(String),
    /// This machine could not execute the run.
    Machine(String),
    /// The solver failed.
    Crash(String),
}

fn crash(error: impl ToString) -> RunFailure {
    RunFailure::Crash(error.to_string())
}

fn solve(cell: &Cell, kind: Kind, registry: &Registry) -> Result<Attempt, RunFailure> {
    let ConfiguredSolver { solver, options } = registry.choose(&cell.key.solver).map_err(crash)?;
    let counting = kind == Kind::Counting;
    let clock = PhaseClock(Mutex::new(PhaseTimes::new()));
    let task = Task {
        problem: cell.problem().map_err(crash)?,
        goal: cell.key.goal,
        counting,
        threads: NonZeroUsize::new(cell.key.threads).unwrap_or(NonZeroUsize::MIN),
        seed: cell.key.seed,
        options,
        // The parent process enforces the time limit, because checking the clock in the solver would cost time.
        budget: Budget::default(),
        progress: &clock,
    };
    let mut attempt = solve_with_sink(solver, &task, cell.external.is_some(), &clock)?;
    attempt.row.peak_rss_bytes = os::peak_memory(None);
    Ok(attempt)
}

/// Solves with a sink for the goal. For the goal `enumerate`, a counting run judges every board, and a timed run only computes the
/// digest. If an external program finds the boards, both kinds of runs judge them and detect repeated boards, because this takes
/// little time compared with starting a process per board.
fn solve_with_sink(
    solver: &dyn Solver,
    task: &Task<'_>,
    is_external: bool,
    clock: &PhaseClock,
) -> Result<Attempt, RunFailure> {
    // The solver's properties are queried before the measured time begins.
    if let Some(refusal) = solver.info().refusal(&task.problem, task.goal) {
        return Err(crash(refusal));
    }
    let run = |sink: &mut dyn Sink| {
        *clock.times() = PhaseTimes::new();
        let outcome = solver.search(task, sink);
        clock.phase(Phase::Solve);
        let PhaseTimes { start, encode, solve, .. } = *clock.times();
        let measured_span = Some((start, monotonic()));
        match outcome {
            // A search that ended at a limit without a solution has not proved that no solution exists.
            Ok(Outcome { solutions: 0, stopped: Some(stop), .. }) => {
                Err(RunFailure::Unknown(format!("it gave up without a solution ({stop:?})")))
            }
            Ok(Outcome { solutions, stats, levels, .. }) => {
                let row = Row {
                    status: Status::Complete,
                    solutions: Some(solutions),
                    encode_ns: encode.map(nanoseconds),
                    solve_ns: Some(nanoseconds(solve)),
                    stats,
                    ..Row::default()
                };
                Ok(Attempt { row, levels, timed: measured_span, ..Attempt::default() })
            }
            Err(error @ SolveError::Wrong { .. }) => Err(RunFailure::Wrong(error.to_string())),
            Err(error @ SolveError::Unknown { .. }) => Err(RunFailure::Unknown(error.to_string())),
            Err(error @ SolveError::Machine { .. }) => Err(RunFailure::Machine(error.to_string())),
            Err(error) => Err(crash(error)),
        }
    };
    let problem = &task.problem;
    match (task.goal, task.counting || is_external) {
        (Goal::Count, _) => run(&mut Discard),
        (Goal::First, _) => {
            let mut first_board = First::default();
            let attempt = run(&mut first_board)?;
            let mut judge = Judge::of(problem);
            if let Some(board) = &first_board.0 {
                let _ = judge.solution(board.columns());
            }
            let mut attempt = attempt.with_boards(judge);
            attempt.row.digest = attempt.row.digest.filter(|_| attempt.row.solutions > Some(0));
            Ok(attempt)
        }
        (Goal::Enumerate, false) => {
            let mut digest = Digest::of(problem);
            Ok(run(&mut digest)?.with_digest(&digest))
        }
        (Goal::Enumerate, true) => {
            let mut judge = if is_external { Judge::of_distinct(problem) } else { Judge::of(problem) };
            Ok(run(&mut judge)?.with_boards(judge))
        }
    }
}

/// Measures the time of each phase of a solver.
struct PhaseClock(Mutex<PhaseTimes>);

struct PhaseTimes {
    /// The start of the measurement, on the monotonic clock.
    start: Duration,
    phase: Phase,
    /// The start of the current phase.
    phase_start: Instant,
    /// The time of the phase `Encode`, if the solver has one.
    encode: Option<Duration>,
    solve: Duration,
}

impl PhaseTimes {
    fn new() -> Self {
        Self {
            start: monotonic(),
            phase: Phase::Solve,
            phase_start: Instant::now(),
            encode: None,
            solve: Duration::ZERO,
        }
    }
}

impl PhaseClock {
    fn times(&self) -> MutexGuard<'_, PhaseTimes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for PhaseClock {
    fn phase(&self, phase: Phase) {
        let mut times = self.times();
        let now = Instant::now();
        let duration = now - times.phase_start;
        match times.phase {
            Phase::Solve => times.solve += duration,
            Phase::Encode => *times.encode.get_or_insert(Duration::ZERO) += duration,
        }
        (times.phase, times.phase_start) = (phase, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardSize;
    use crate::experiment::plan::Plan;
    use crate::model::CellKey;
    use crate::solver::{Info, Sink, SolveError};
    use crate::spec::Spec;

    /// The message of a run that counts the solutions of 8 queens, with the size of the cell replaced by `n`.
    fn message(solver: &str, n: usize, registry: &Registry) -> String {
        message_of(solver, "8", "count", registry, |cell| Cell { key: CellKey { n, ..cell.key }, ..cell })
    }

    fn message_of(
        solver: &str,
        n: &str,
        goal: &str,
        registry: &Registry,
        change: impl Fn(Cell) -> Cell,
    ) -> String {
        let spec = format!(
            "schema_version = 1\nname = \"t\"\n[sweep]\nn = \"{n}\"\ngoal = \"{goal}\"\n[[solver]]\nid = \"{solver}\"\n"
        );
        let plan = Plan::new(Spec::parse("t", &spec).expect("a spec"), registry).expect("a plan");
        let attempt = run(&change(plan.cells[0].clone()), Kind::Counting, registry);
        serde_json::to_string(&attempt).expect("JSON")
    }

    /// A run must call `search` and not `solve`, which first queries the solver's properties and would take longer.
    struct SearchOnly;

    impl Solver for SearchOnly {
        fn info(&self) -> Info {
            Info { sizes: 0..=8, ..Info::named("test/timed") }
        }

        fn search(&self, _: &Task<'_>, _: &mut dyn Sink) -> Result<Outcome, SolveError> {
            Ok(Outcome { solutions: 92, ..Outcome::default() })
        }

        fn solve(&self, _: &Task<'_>, _: &mut dyn Sink) -> Result<Outcome, SolveError> {
            panic!("querying the solver is not part of its time")
        }
    }

    #[test]
    fn time_of_a_run_covers_only_the_search() {
        let mut registry = Registry::builtin();
        registry.register(Box::new(SearchOnly));
        let message = message("test/timed", 8, &registry);
        assert!(message.contains("\"solutions\":92"), "{message}");
    }

    /// Places all queens on the main diagonal.
    struct Diagonal;

    impl Solver for Diagonal {
        fn info(&self) -> Info {
            Info { sizes: 0..=BoardSize::LARGEST, goals: vec![Goal::First], ..Info::named("test/diagonal") }
        }

        fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
            let columns: Vec<u32> = (0..task.n().get()).map(crate::board::column).collect();
            let _ = sink.solution(&columns);
            Ok(Outcome { solutions: 1, ..Outcome::default() })
        }
    }

    #[test]
    fn boards_of_a_million_queens_are_judged() {
        let mut registry = Registry::builtin();
        registry.register(Box::new(Diagonal));
        let reports_zero_or_one_illegal = |solver: &str| {
            let message = message_of(solver, "1000000", "first", &registry, |cell| cell);
            assert!(message.contains("\"solutions\":1"), "{message}");
            ["\"illegal\":0", "\"illegal\":1"].map(|judged| message.contains(judged))
        };
        assert_eq!(reports_zero_or_one_illegal("construct/pauls"), [true, false]);
        assert_eq!(reports_zero_or_one_illegal("test/diagonal"), [false, true]);
    }

    #[test]
    fn refused_run_reports_its_reason() {
        let message = message("backtrack/bitmask", 65, &Registry::builtin());
        let message: serde_json::Value = serde_json::from_str(&message).expect("JSON");
        let error = message["row"]["outcome_reason"].as_str().expect("an error");
        assert!(error.contains("n = 65") && error.contains("backtrack/bitmask"), "{error}");
        wording::assert_wording!("runner", "a size that a solver refuses", error);
    }
}
