//! The inside of a run: what the process of a single run does.

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::program;
use super::protocol::{Failure, Message, Report};
use crate::board::BoardSize;
use crate::experiment::cpus::CpuList;
use crate::experiment::plan::Cell;
use crate::os;
use crate::record::nanoseconds;
use crate::registry::Registry;
use crate::solver::sink::{Digest, Discard, First, Judge};
use crate::solver::{Budget, Goal, Outcome, Phase, Progress, Sink, SolveError, Solver, Task};

/// Runs a cell in this process with a solver of `registry`, bound to `cpus`, tells `out`, and never panics on a bad cell. With the
/// process id of its `parent` it ends with that one, and so does what it started.
pub fn run(
    cell: &Cell,
    registry: &Registry,
    parent: Option<u32>,
    cpus: Option<&CpuList>,
    out: impl Write + Send,
) -> std::io::Result<()> {
    match parent {
        // Killed by the system at its parent's end, it could not take along what it started.
        Some(_) if cell.starts_programs() => {
            os::adopt_orphans();
            os::end_with_leash();
        }
        Some(parent) => os::die_with(parent),
        None => {}
    }
    if let Some(cpus) = cpus {
        os::bind_to(cpus.numbers())?;
    }
    if let Some(bytes) = cell.memory_limit_bytes {
        os::limit_memory(bytes)?;
    }
    let teller = Teller { out: Mutex::new(out) };
    let result = match &cell.program {
        Some(call) => program::run(cell, call),
        None => solve(cell, &registry.with_external(cell.external.as_deref()), &teller),
    };
    let message = match result {
        Ok(report) => Message::Report(Box::new(report)),
        Err(failure) => Message::Failed(failure),
    };
    teller.tell(&message)
}

fn solve<W: Write + Send>(cell: &Cell, registry: &Registry, teller: &Teller<W>) -> Result<Report, Failure> {
    let solver = registry.get(&cell.solver).map_err(|error| error.to_string())?;
    let clock = Clock { state: Mutex::new(ClockState::new()), teller, tells: cell.counting };
    let task = Task {
        n: BoardSize::new(cell.n).map_err(|error| error.to_string())?,
        goal: cell.goal,
        counting: cell.counting,
        threads: NonZeroUsize::new(cell.threads).unwrap_or(NonZeroUsize::MIN),
        seed: cell.seed,
        // The parent ends a run that takes too long: looking at the clock here would cost time.
        budget: Budget::unlimited(),
        progress: &clock,
    };
    let mut report = carry_out(solver, &task, cell.external.is_some(), &clock)?;
    report.peak_rss_bytes = os::peak_memory(None);
    Ok(report)
}

/// Solves with the sink that the task wants: a counting enumeration judges every board, a timed one
/// only digests them. One that a foreign program answers is judged whole each time, repetitions included:
/// beside a process per board that costs nothing.
fn carry_out<W: Write + Send>(
    solver: &dyn Solver,
    task: &Task<'_>,
    foreign: bool,
    clock: &Clock<'_, W>,
) -> Result<Report, Failure> {
    // What a solver declares about itself is not part of its time.
    if let Some(refusal) = solver.info().refusal(task.n, task.goal) {
        return Err(Failure::from(refusal.to_string()));
    }
    let run = |sink: &mut dyn Sink| {
        clock.start();
        let outcome = solver.search(task, sink);
        let times = clock.stop();
        outcome.map(|outcome| report(outcome, times)).map_err(|error| Failure {
            wrong: matches!(error, SolveError::Wrong { .. }),
            ..Failure::from(error.to_string())
        })
    };
    let n = task.n.get();
    match (task.goal, task.counting || foreign) {
        (Goal::Count, _) => run(&mut Discard),
        (Goal::First, _) => {
            let mut first = First::default();
            let report = run(&mut first)?;
            let started = Instant::now();
            let mut judge = Judge::of(n);
            if let Some(board) = &first.0 {
                let _ = judge.solution(board.columns());
            }
            let report = report.with_boards(judge);
            Ok(Report {
                digest: report.digest.filter(|_| report.solutions > 0),
                verify_ns: Some(nanoseconds(started.elapsed())),
                ..report
            })
        }
        (Goal::Enumerate, false) => {
            let mut digest = Digest::default();
            let report = run(&mut digest)?;
            Ok(report.with_digest(&digest))
        }
        (Goal::Enumerate, true) => {
            let mut judge = if foreign { Judge::of_distinct(n) } else { Judge::of(n) };
            let report = run(&mut judge)?;
            Ok(report.with_boards(judge))
        }
    }
}

fn report(outcome: Outcome, times: Times) -> Report {
    Report {
        solutions: outcome.solutions,
        encode_ns: times.encode.map(nanoseconds),
        solve_ns: nanoseconds(times.solve),
        search: outcome.search,
        sat: outcome.sat,
        ..Report::default()
    }
}

/// Writes messages, a line each.
struct Teller<W> {
    out: Mutex<W>,
}

impl<W: Write> Teller<W> {
    fn tell(&self, message: &Message) -> std::io::Result<()> {
        let line = serde_json::to_string(message)? + "\n";
        let mut out = self.out.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        out.write_all(line.as_bytes())?;
        out.flush()
    }
}

/// Times the phases of a solver, and passes on what counting runs tell.
struct Clock<'a, W> {
    state: Mutex<ClockState>,
    teller: &'a Teller<W>,
    tells: bool,
}

struct ClockState {
    phase: Phase,
    since: Instant,
    encode: Option<Duration>,
    solve: Duration,
    told: Instant,
}

struct Times {
    encode: Option<Duration>,
    solve: Duration,
}

/// Between two lines of live totals.
const TELL_INTERVAL: Duration = Duration::from_millis(100);

impl ClockState {
    fn new() -> Self {
        let now = Instant::now();
        Self { phase: Phase::Solve, since: now, encode: None, solve: Duration::ZERO, told: now }
    }

    fn turn(&mut self, next: Phase) {
        let now = Instant::now();
        let spent = now - self.since;
        match self.phase {
            Phase::Solve => self.solve += spent,
            Phase::Encode => *self.encode.get_or_insert(Duration::ZERO) += spent,
        }
        (self.phase, self.since) = (next, now);
    }
}

impl<W: Write + Send> Clock<'_, W> {
    fn state(&self) -> std::sync::MutexGuard<'_, ClockState> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn start(&self) {
        *self.state() = ClockState::new();
    }

    fn stop(&self) -> Times {
        let mut state = self.state();
        state.turn(Phase::Solve);
        Times { encode: state.encode, solve: state.solve }
    }
}

impl<W: Write + Send> Progress for Clock<'_, W> {
    fn phase(&self, phase: Phase) {
        self.state().turn(phase);
    }

    fn advance(&self, nodes: u64, solutions: u64) {
        if !self.tells {
            return;
        }
        let mut state = self.state();
        if state.told.elapsed() >= TELL_INTERVAL {
            state.told = Instant::now();
            // Whoever listened is gone: the search will soon be, too.
            let _ = self.teller.tell(&Message::Progress { nodes, solutions });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::plan::Plan;
    use crate::experiment::spec::Spec;
    use crate::solver::{Info, Sink, SolveError};

    /// What a run of a count of 8 queens reports, at another size if `n` says so.
    fn message(solver: &str, n: usize, registry: &Registry) -> String {
        let spec = format!(
            "schema_version = 1\nname = \"t\"\n[sweep]\nn = \"8\"\ngoal = \"count\"\n[[solver]]\nid = \"{solver}\"\n"
        );
        let plan = Plan::new(&Spec::parse("t", &spec).expect("a spec"), registry).expect("a plan");
        let mut out = Vec::new();
        let cell = Cell { n, ..plan.cells[0].clone() };
        run(&cell, registry, None, None, &mut out).expect("it reports");
        String::from_utf8(out).expect("JSON")
    }

    /// Its `solve`, which begins with what the solver declares, would be timed with it.
    struct Timed;

    impl Solver for Timed {
        fn info(&self) -> Info {
            Info { sizes: 0..=8, ..Info::named("test/timed") }
        }

        fn search(&self, _: &Task<'_>, _: &mut dyn Sink) -> Result<Outcome, SolveError> {
            Ok(Outcome { solutions: 92, ..Outcome::default() })
        }

        fn solve(&self, _: &Task<'_>, _: &mut dyn Sink) -> Result<Outcome, SolveError> {
            panic!("what a solver declares is none of its time")
        }
    }

    #[test]
    fn a_run_times_the_search_alone_of_whatever_solver_the_registry_has() {
        let mut registry = Registry::builtin();
        registry.register(Box::new(Timed));
        let message = message("test/timed", 8, &registry);
        assert!(message.contains("\"solutions\":92"), "{message}");
    }

    #[test]
    fn a_run_that_its_solver_refuses_says_why() {
        let message = message("backtrack/bitmask", 33, &Registry::builtin());
        assert!(message.contains("n = 33 is outside the sizes of backtrack/bitmask"), "{message}");
    }
}
