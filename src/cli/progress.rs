//! Prints progress on standard error: bars on a terminal, plain lines elsewhere.
//!
//! Bars are redrawn only when a function here is called. Without parallel runs, no function is called while a run is timed, so
//! drawing does not disturb the measurement.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::interrupt::{self, Graceful};
use super::options::{Messages, ProgressStyle, SweepMessages};
use super::terminal::{self, ProgressBar};
use super::{summary, units};
use crate::app::Event;
use crate::app::verify::MANY_SOLUTIONS;
use crate::backtrack::probe::{ProbeEstimate, Tree};
use crate::board::BoardSize;
use crate::board::sizes::ranges;
use crate::count;
use crate::experiment::plan::{Cell, Plan, Run};
use crate::record::{Kind, Row, Status};
use crate::words::counted;
use runlab::Remaining;

/// Time between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

/// The progress of work that consists of units.
struct UnitProgress {
    style: ProgressStyle,
    total: usize,
    unit: &'static str,
    /// The bar for all units, and the line below it for the current unit; `None` if bars are not drawn.
    bars: Option<[ProgressBar; 2]>,
    /// The time of the last plain line.
    last_line: Mutex<Instant>,
}

impl UnitProgress {
    fn new(messages: &Messages, total: usize, unit: &'static str) -> Self {
        let style = messages.style();
        // The numbers come first, because a narrow terminal cuts off the end of the line.
        let overall_template = format!("{{pos}}/{{len}} {unit}  {{msg}}  {{wide_bar}}");
        let bars = [overall_template.as_str(), "{msg}"].map(|template| terminal::bar(total, template));
        let bars = Some(bars).filter(|_| style == ProgressStyle::Bar);
        if let Some([overall, _]) = &bars {
            overall.tick();
        }
        Self { style, total, unit, bars, last_line: Mutex::new(Instant::now()) }
    }

    /// Redraws the bars, if there are any.
    fn draw(&self, done_count: usize, remaining: Option<Duration>, current_work: &str) {
        if let Some([overall, current]) = &self.bars {
            overall.set_position(done_count as u64);
            overall.set_message(eta(remaining));
            current.set_message(current_work.to_owned());
        }
    }

    /// Redraws the bars; with plain progress, prints a line if the last line is older than [`LINE_INTERVAL`] or the work is done.
    fn show(&self, done_count: usize, remaining: Option<Duration>, current_work: &str) {
        self.draw(done_count, remaining, current_work);
        if self.style == ProgressStyle::Plain {
            let mut last_line = lock(&self.last_line);
            if last_line.elapsed() >= LINE_INTERVAL || done_count == self.total {
                *last_line = Instant::now();
                let [done, total] = [done_count, self.total].map(|count| units::thousands(count as u64));
                let eta = Some(eta(remaining) + ", ").filter(|_| remaining.is_some());
                let (unit, eta) = (self.unit, eta.unwrap_or_default());
                terminal::note(format_args!("{done}/{total} {unit}, {eta}{current_work}"));
            }
        }
    }

    /// Prints a permanent line, above the bars if there are any.
    fn say(&self, line: &str) {
        if self.style != ProgressStyle::None {
            terminal::note(line);
        }
    }
}

/// Removes the bars. The last line is removed first, so that the other lines do not move.
impl Drop for UnitProgress {
    fn drop(&mut self) {
        self.bars.iter().flatten().rev().for_each(ProgressBar::finish_and_clear);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn eta(remaining: Option<Duration>) -> String {
    remaining.map_or_else(String::new, |duration| format!("ETA {}", units::approximate_duration(duration)))
}

/// The text of the numbers of nodes and solutions. SAT solvers do not count nodes, so 0 nodes are not printed.
fn totals(nodes: u64, solutions: u64) -> String {
    let nodes = if nodes > 0 { format!("{} nodes, ", units::thousands(nodes)) } else { String::new() };
    format!("{nodes}{}", counted(solutions, "solution"))
}

/// Prints warnings and notes. Ignores progress events.
pub fn notice(event: Event<'_>) {
    print_notice(&event);
}

fn print_notice(event: &Event<'_>) {
    match event {
        Event::Warning(warning) => terminal::warn(warning),
        Event::Building(command) => terminal::note(format_args!("building: {command}")),
        Event::SetAside(directory) => terminal::note(format_args!(
            "starting over: the earlier results are now in {}",
            plaintext::path(directory)
        )),
        _ => {}
    }
}

/// The progress of a sweep.
pub struct SweepProgress {
    messages: SweepMessages,
    runs: Mutex<Option<RunProgress>>,
    graceful: Mutex<Option<Graceful>>,
}

/// After the first round, the expected time of a sweep is announced if it is at least this long.
const MIN_ANNOUNCED_TIME: Duration = Duration::from_secs(10);

/// The progress of the runs of a sweep.
struct RunProgress {
    progress: UnitProgress,
    verbose: bool,
    /// The name of the experiment.
    name: String,
    /// The number of runs that ended, including those of earlier sessions.
    ended_count: usize,
    remaining: Remaining,
}

impl SweepProgress {
    pub fn new(messages: &SweepMessages) -> Self {
        Self { messages: *messages, runs: Mutex::default(), graceful: Mutex::default() }
    }

    pub fn observe(&self, event: &Event<'_>) {
        let mut runs = lock(&self.runs);
        match (event, &mut *runs) {
            (Event::Cancellable(yes), _) => *lock(&self.graceful) = yes.then(interrupt::graceful_step),
            (Event::SweepBegins { plan, completed, remaining }, _) => {
                *runs = Some(RunProgress::begin(&self.messages, plan, *completed, *remaining));
            }
            (Event::RunBegins { cell, run, remaining }, Some(runs)) => runs.run_begins(cell, run, *remaining),
            (Event::RunNotNeeded(_), Some(runs)) => runs.ended_count += 1,
            (Event::RunEnds { cell, row }, Some(runs)) => runs.run_ends(cell, row),
            (Event::SweepEnds, _) => *runs = None,
            (event, _) => print_notice(event),
        }
    }
}

impl RunProgress {
    fn begin(messages: &SweepMessages, plan: &Plan, completed: usize, remaining: Remaining) -> Self {
        let progress = UnitProgress::new(&messages.messages, plan.runs.len(), "runs");
        let name = plan.spec.name.to_string();
        let earlier_runs = match completed {
            0 => String::new(),
            completed => format!("; {} already done", counted(completed, "run")),
        };
        let is_estimated_later = remaining.expected.is_none() && plan.repeat.maximum > 1;
        let note = if is_estimated_later { "; an estimate follows after the first round" } else { "" };
        let (remaining_text, work) = (summary::remaining_text(&remaining), summary::work(plan));
        progress.say(&format!("{name}: {remaining_text}; {work}{earlier_runs}{note}"));
        progress.draw(completed, remaining.expected, "");
        Self { progress, verbose: messages.verbose, name, ended_count: completed, remaining }
    }

    fn run_begins(&mut self, cell: &Cell, run: &Run, remaining: Remaining) {
        let had_no_estimate = self.remaining.expected.is_none();
        self.remaining = remaining;
        if had_no_estimate && remaining.expected.is_some_and(|expected| expected >= MIN_ANNOUNCED_TIME) {
            self.progress.say(&format!("{}: {}", self.name, summary::remaining_text(&remaining)));
        }
        let run_kind = if run.kind == Kind::Counting { "counting" } else { "timing" };
        self.progress.draw(self.ended_count, remaining.expected, &format!("{}  {run_kind}", cell.name()));
        // `force_draw` ignores the limit of redraws. Otherwise, the name of the previous run could stay visible during a long run.
        if let Some([_, current]) = &self.progress.bars {
            current.force_draw();
        }
    }

    fn run_ends(&mut self, cell: &Cell, row: &Row) {
        self.ended_count += 1;
        let (total, name) = (self.progress.total, cell.name());
        let has_no_answer = row.status.is_failure() || row.status == Status::Unknown;
        // Only the first repetition of a cell is reported, because the others usually fail in the same way.
        if row.repetition <= 1 && (row.verdict.is_fault() || has_no_answer) {
            let reason = row.reason().unwrap_or_default();
            let outcome = if has_no_answer { row.status.name() } else { "wrong" };
            self.progress.say(&format!("{name}: {outcome}: {reason}"));
        }
        let last_run = format!("last: {name} {}", row.status);
        if self.verbose {
            let run_time = row.job_ns().map_or_else(String::new, units::time);
            let [ended, total] = [self.ended_count, total].map(|count| units::thousands(count as u64));
            self.progress.say(&format!("{ended}/{total} runs, {last_run} {run_time}"));
        } else {
            let expected = self.remaining.expected.filter(|_| self.ended_count < total);
            self.progress.show(self.ended_count, expected, &last_run);
        }
    }
}

/// The progress of a cross-check.
pub struct VerifyProgress {
    messages: Messages,
    enumerations: Mutex<Option<Enumerations>>,
}

struct Enumerations {
    progress: UnitProgress,
    /// The number of enumerations that have started.
    started_count: usize,
    /// The name of the current enumeration.
    current: String,
}

impl VerifyProgress {
    pub fn new(messages: &Messages) -> Self {
        Self { messages: *messages, enumerations: Mutex::default() }
    }

    pub fn observe(&self, event: &Event<'_>) {
        let mut enumerations = lock(&self.enumerations);
        match (event, &mut *enumerations) {
            (Event::EnumerationsBegin { total, long_sizes }, _) => {
                warn_of_long_sizes(long_sizes);
                let progress = UnitProgress::new(&self.messages, *total, "enumerations");
                *enumerations = Some(Enumerations { progress, started_count: 0, current: String::new() });
            }
            (Event::EnumerationBegins { n, solver }, Some(enumerations)) => {
                enumerations.current = format!("n={n} {solver}");
                enumerations.progress.draw(enumerations.started_count, None, &enumerations.current);
                enumerations.started_count += 1;
            }
            (Event::EnumerationAdvances { nodes, solutions }, Some(enumerations)) => {
                let current_work = format!("{}  {}", enumerations.current, totals(*nodes, *solutions));
                let finished_count = enumerations.started_count.saturating_sub(1);
                enumerations.progress.show(finished_count, None, &current_work);
            }
            (Event::EnumerationsEnd, _) => *enumerations = None,
            (event, _) => print_notice(event),
        }
    }
}

/// The progress of a batch of submissions.
pub struct BatchProgress {
    messages: Messages,
    total: usize,
    progress: Option<UnitProgress>,
}

impl BatchProgress {
    pub fn new(messages: &Messages, total: usize) -> Self {
        Self { messages: *messages, total, progress: None }
    }

    /// Shows which submission is started.
    pub fn submission_started(&mut self, judged_count: usize, name: &str, n: BoardSize) {
        let new_progress = || UnitProgress::new(&self.messages, self.total, "submissions");
        self.progress.get_or_insert_with(new_progress).show(judged_count, None, &format!("{name}  n = {n}"));
    }

    /// Removes the bars, so that a line of the table can be printed.
    pub fn clear(&mut self) {
        self.progress = None;
    }
}

fn warn_of_long_sizes(sizes: &[usize]) {
    if !sizes.is_empty() {
        let (sizes, number) = (ranges(sizes), units::thousands(MANY_SOLUTIONS));
        terminal::note(format_args!(
            "n = {sizes} may take hours or longer: every solver enumerates more than {number} solutions"
        ));
    }
}

/// The progress of a count or an estimate is shown only after this time.
const MIN_SHOWN_TIME: Duration = Duration::from_secs(1);

/// The progress of a count or an estimate.
pub struct CountProgress(Mutex<CountState>);

struct CountState {
    messages: Messages,
    n: BoardSize,
    /// The unit of the progress: subproblems or probes.
    unit: &'static str,
    started: Instant,
    /// The time when the progress was last shown, or when the work began.
    last_shown: Instant,
    /// The shown progress; `None` before it is shown for the first time.
    progress: Option<UnitProgress>,
}

impl CountProgress {
    pub fn new(messages: &Messages, n: BoardSize, unit: &'static str) -> Self {
        let now = Instant::now();
        let state =
            CountState { messages: *messages, n, unit, started: now, last_shown: now, progress: None };
        Self(Mutex::new(state))
    }

    pub fn observe(&self, event: &Event<'_>) {
        let mut state = lock(&self.0);
        match event {
            Event::CountBegins { peak_bytes } => state.announce_memory(*peak_bytes),
            Event::CountAdvances(progress) => state.show_count(progress),
            Event::Probed { completed, probes, tree } => state.show_probes(*completed, *probes, tree),
            event => print_notice(event),
        }
    }
}

impl CountState {
    /// Prints how much memory a count may need, if this is more than 100 MiB.
    fn announce_memory(&self, bytes: u64) {
        const MIN_ANNOUNCED_BYTES: u64 = 100 << 20;
        let n = self.n;
        if bytes >= MIN_ANNOUNCED_BYTES && self.messages.style() != ProgressStyle::None {
            let mebibytes = units::thousands(bytes >> 20);
            terminal::note(format_args!("n={n}: the count needs up to {mebibytes} MiB of memory"));
        }
    }

    /// Shows the progress of a count. The remaining time is computed from the estimated work of the subproblems.
    fn show_count(&mut self, progress: &count::JobProgress<'_>) {
        let &count::JobProgress { checkpoint, finished_work, remaining_work } = progress;
        let (finished, all, solutions) =
            (checkpoint.finished, checkpoint.is_finished.len(), checkpoint.solutions);
        if finished_work == 0.0 && finished > 0 {
            let [finished, all] = [finished, all].map(|number| units::thousands(number as u64));
            terminal::note(format_args!("resuming: {finished} of {all} subproblems are already done"));
        }
        if finished_work > 0.0 && self.is_due(all) {
            // The speed of the first subproblems does not predict the speed of the others.
            let elapsed = self.started.elapsed();
            let work_ratio = remaining_work.max(0.0) / finished_work;
            let remaining = (elapsed >= MIN_SHOWN_TIME).then(|| elapsed.mul_f64(work_ratio));
            self.show(finished, remaining, &counted(solutions, "solution"));
        }
    }

    /// Shows the progress of an estimate, with the current estimate of the number of solutions and its standard error.
    fn show_probes(&mut self, completed: u64, probes: u64, tree: &Tree) {
        let [completed_count, total] =
            [completed, probes].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        if !self.is_due(total) {
            return;
        }
        let ProbeEstimate { mean, standard_error, .. } = tree.levels[self.n.get()];
        let status = match mean > 0.0 {
            true => format!("{mean:.3e} solutions, standard error {:.2} %", 100.0 * standard_error / mean),
            false => "no solution yet".to_owned(),
        };
        let remaining = self.started.elapsed().mul_f64((probes - completed) as f64 / completed.max(1) as f64);
        self.show(completed_count, Some(remaining), &status);
    }

    /// Whether enough time has passed to show the progress again. This function is called after each subproblem or probe.
    fn is_due(&mut self, total: usize) -> bool {
        let interval = if self.progress.is_none() { MIN_SHOWN_TIME } else { Duration::from_millis(200) };
        if self.last_shown.elapsed() < interval {
            return false;
        }
        self.last_shown = Instant::now();
        let (messages, unit) = (&self.messages, self.unit);
        self.progress.get_or_insert_with(|| UnitProgress::new(messages, total, unit));
        true
    }

    fn show(&self, finished: usize, remaining: Option<Duration>, status: &str) {
        if let Some(progress) = &self.progress {
            progress.show(finished, remaining, &format!("n={}  {status}", self.n));
        }
    }
}
