//! Progress on standard error: bars on a terminal, plain lines elsewhere. The home of indicatif.
//!
//! Bars are drawn only when something calls here, and nothing does while a run is timed.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};
use queenlab::board::BoardSize;
use queenlab::experiment::plan::{Cell, Plan};
use queenlab::experiment::runner::Observer;
use queenlab::record::{Row, Status};
use queenlab::solver::Progress;
use queenlab::verify::crosscheck::CrosscheckProgress;

use super::args::{Global, ProgressStyle};
use super::{color, units};

/// Between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

/// Bars are redrawn so often a second at most.
const DRAWS_PER_SECOND: u8 = 10;

enum Output {
    Bars { overall: ProgressBar, current: ProgressBar },
    Lines,
    Nothing,
}

impl Output {
    fn new(global: &Global, total: usize, unit: &str) -> Self {
        let style = match global.progress {
            _ if global.quiet => ProgressStyle::None,
            ProgressStyle::Auto if std::io::stderr().is_terminal() => ProgressStyle::Bar,
            ProgressStyle::Auto => ProgressStyle::Plain,
            style => style,
        };
        match style {
            ProgressStyle::Bar | ProgressStyle::Auto => {
                let target = ProgressDrawTarget::stderr_with_hz(DRAWS_PER_SECOND);
                let bars = MultiProgress::with_draw_target(target);
                let overall = bars.add(ProgressBar::new(total as u64));
                let template = format!(
                    "{{wide_bar{}}} {{pos}}/{{len}} {unit}  {{msg}}",
                    if color::is_on() { ":.cyan/dim" } else { "" }
                );
                overall.set_style(bar_style(&template).progress_chars("━╸─"));
                let current = bars.add(ProgressBar::new_spinner());
                current.set_style(bar_style("{wide_msg}"));
                Output::Bars { overall, current }
            }
            ProgressStyle::Plain => Output::Lines,
            ProgressStyle::None => Output::Nothing,
        }
    }

    fn current(&self, message: String) {
        if let Output::Bars { current, .. } = self {
            current.set_message(message);
        }
    }

    /// Says something that stays: above the bars, or as a line.
    fn say(&self, line: &str) {
        match self {
            Output::Bars { overall, .. } => overall.suspend(|| eprintln!("{line}")),
            Output::Lines => eprintln!("{line}"),
            Output::Nothing => {}
        }
    }

    fn finish(&self) {
        if let Output::Bars { overall, current } = self {
            current.finish_and_clear();
            overall.finish_and_clear();
        }
    }
}

fn bar_style(template: &str) -> BarStyle {
    BarStyle::with_template(template).unwrap_or_else(|_| BarStyle::default_bar())
}

/// Shows how a sweep goes.
pub struct SweepProgress {
    output: Output,
    done: usize,
    total: usize,
    remaining: Duration,
    last_line: Instant,
}

impl SweepProgress {
    pub fn new(global: &Global, plan: &Plan) -> Self {
        let total = plan.runs.len();
        let output = Output::new(global, total, "runs");
        Self { output, done: 0, total, remaining: Duration::ZERO, last_line: Instant::now() }
    }

    pub fn finish(&self) {
        self.output.finish();
    }
}

impl Observer for SweepProgress {
    fn begins(&mut self, plan: &Plan, done: usize, _estimate: Duration) {
        (self.done, self.total) = (done, plan.runs.len());
        if let Output::Bars { overall, .. } = &self.output {
            overall.set_position(done as u64);
        }
        let before = if done > 0 { format!(", {done} of them done before") } else { String::new() };
        self.output.say(&format!("{}: {} runs of {} cells{before}", plan.name, self.total, plan.cells.len()));
    }

    fn run_begins(&mut self, cell: &Cell, remaining: Duration) {
        self.remaining = remaining;
        if let Output::Bars { overall, .. } = &self.output {
            overall.set_message(format!("ETA {}", units::rough(remaining)));
        }
        let what = if cell.counting { "counting" } else { "timing" };
        self.output.current(format!("n={} {}  {what}", cell.n, cell.solver));
    }

    fn live(&mut self, cell: &Cell, nodes: u64, solutions: u64) {
        let totals = totals(nodes, solutions);
        self.output.current(format!("n={} {}  counting  {totals}", cell.n, cell.solver));
    }

    fn run_ends(&mut self, cell: &Cell, row: &Row) {
        self.done += 1;
        if let Output::Bars { overall, .. } = &self.output {
            overall.set_position(self.done as u64);
        }
        // Once a cell is enough: repetitions fail alike.
        if row.repetition <= 1 && (row.verdict.is_fault() || row.status == Status::Crashed) {
            let error = row.error.as_deref().unwrap_or("");
            let what = if row.status == Status::Crashed { "crashed" } else { "wrong" };
            self.output.say(&format!("n={} {}: {what}: {error}", cell.n, cell.solver));
        }
        let due = self.last_line.elapsed() >= LINE_INTERVAL || self.done == self.total;
        if due && matches!(self.output, Output::Lines) {
            self.last_line = Instant::now();
            let (done, total, eta) = (self.done, self.total, units::rough(self.remaining));
            eprintln!("{done}/{total} runs, ETA {eta}, last: n={} {} {}", cell.n, cell.solver, row.status);
        }
    }
}

/// Shows how a cross-check goes.
pub struct VerifyProgress {
    output: Output,
    /// The size of the last plain line.
    line: std::sync::Mutex<Option<BoardSize>>,
}

impl VerifyProgress {
    pub fn new(global: &Global, total: usize) -> Self {
        Self { output: Output::new(global, total, "enumerations"), line: std::sync::Mutex::default() }
    }

    pub fn finish(&self) {
        self.output.finish();
    }
}

impl CrosscheckProgress for VerifyProgress {
    fn begins(&self, n: BoardSize, solver: &str) {
        self.output.current(format!("n={n} {solver}"));
        let mut line = self.line.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if matches!(self.output, Output::Lines) && line.replace(n) != Some(n) {
            eprintln!("n={n} ...");
        }
    }

    fn ends(&self) {
        if let Output::Bars { overall, .. } = &self.output {
            overall.inc(1);
        }
    }

    fn live(&self) -> &dyn Progress {
        self
    }
}

impl Progress for VerifyProgress {
    fn advance(&self, nodes: u64, solutions: u64) {
        if let Output::Bars { overall, .. } = &self.output {
            overall.set_message(totals(nodes, solutions));
        }
    }
}

/// SAT solvers have no nodes.
fn totals(nodes: u64, solutions: u64) -> String {
    let nodes = if nodes > 0 { format!("{} nodes, ", units::grouped(nodes)) } else { String::new() };
    format!("{nodes}{} solutions", units::grouped(solutions))
}
