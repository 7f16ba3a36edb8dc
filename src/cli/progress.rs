//! Progress on standard error: bars on a terminal, plain lines elsewhere, JSON for scripts. The home of indicatif.
//!
//! Bars are drawn only when something calls here, and nothing does while a run is timed.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};
use queenlab::board::BoardSize;
use queenlab::experiment::estimate::Estimator;
use queenlab::experiment::plan::{Cell, Plan};
use queenlab::experiment::runner::Observer;
use queenlab::record::Row;
use queenlab::solver::Progress;
use queenlab::verify::crosscheck::CrosscheckProgress;
use serde_json::json;

use super::args::{Global, ProgressStyle};
use super::{color, units};

/// Between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

/// Bars are redrawn so often a second at most.
const DRAWS_PER_SECOND: u8 = 10;

/// More solvers than these get no bars of their own.
const MOST_BARS: usize = 12;

/// How often the runs ahead are looked through.
const LOOK_AHEAD: Duration = Duration::from_millis(500);

enum Output {
    Bars { bars: MultiProgress, overall: ProgressBar, current: ProgressBar },
    Lines,
    Json,
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
                Output::Bars { bars, overall, current }
            }
            ProgressStyle::Plain => Output::Lines,
            ProgressStyle::Json => Output::Json,
            ProgressStyle::None => Output::Nothing,
        }
    }

    /// A bar for each solver, where there is room for all.
    fn solvers(&self, plan: &Plan) -> BTreeMap<String, ProgressBar> {
        let mut runs: BTreeMap<String, u64> = BTreeMap::new();
        for run in &plan.runs {
            *runs.entry(plan.cells[run.cell].solver.clone()).or_default() += 1;
        }
        let Output::Bars { bars, overall, .. } = self else { return BTreeMap::new() };
        if runs.len() > MOST_BARS || runs.len() < 2 {
            return BTreeMap::new();
        }
        let width = runs.keys().map(|solver| solver.chars().count()).max().unwrap_or(0);
        let bar = |(solver, runs): (String, u64)| {
            let bar = bars.insert_before(overall, ProgressBar::new(runs));
            bar.set_style(bar_style("{prefix} {bar:20} {pos:>4}/{len:4} {msg}").progress_chars("━╸─"));
            bar.set_prefix(format!("{solver:width$}"));
            (solver, bar)
        };
        runs.into_iter().map(bar).collect()
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
            // What it says is in an event, too.
            Output::Json | Output::Nothing => {}
        }
    }

    fn finish(&self) {
        if let Output::Bars { overall, current, .. } = self {
            current.finish_and_clear();
            overall.finish_and_clear();
        }
    }
}

/// Says what should be known before the first run.
pub fn warn(global: &Global, warning: &str) {
    match global.progress {
        _ if global.quiet => {}
        ProgressStyle::Json => event(json!({"event": "warning", "message": warning})),
        _ => eprintln!("warning: {warning}"),
    }
}

fn bar_style(template: &str) -> BarStyle {
    BarStyle::with_template(template).unwrap_or_else(|_| BarStyle::default_bar())
}

/// Shows how a sweep goes.
pub struct SweepProgress {
    output: Output,
    plan: Plan,
    /// Runs that ended, those before this session included.
    done: usize,
    estimator: Estimator,
    remaining: Duration,
    /// Whether a run ahead is expected to be ended by its limit: what remains is then a bound.
    bounded: bool,
    looked_ahead: Option<Instant>,
    last_line: Instant,
    verbose: bool,
    solvers: BTreeMap<String, ProgressBar>,
}

impl SweepProgress {
    pub fn new(global: &Global, plan: &Plan) -> Self {
        let output = Output::new(global, plan.runs.len(), "runs");
        Self {
            solvers: output.solvers(plan),
            output,
            plan: plan.clone(),
            done: 0,
            estimator: Estimator::default(),
            remaining: Duration::ZERO,
            bounded: false,
            looked_ahead: None,
            last_line: Instant::now(),
            verbose: global.verbose,
        }
    }

    pub fn finish(&self) {
        for bar in self.solvers.values() {
            bar.finish_and_clear();
        }
        self.output.finish();
    }

    /// Runs come in the plan's order: those that are not done are its last ones.
    fn look_ahead(&mut self) {
        if self.looked_ahead.is_none_or(|before| before.elapsed() >= LOOK_AHEAD) {
            let ahead = self.plan.runs.iter().skip(self.done).map(|run| &self.plan.cells[run.cell]);
            self.bounded =
                ahead.filter(|cell| cell.skip.is_none()).any(|cell| self.estimator.is_capped(cell));
            self.looked_ahead = Some(Instant::now());
        }
    }

    fn eta(&self) -> String {
        let most = if self.bounded { "at most " } else { "" };
        format!("ETA {most}{}", units::rough(self.remaining))
    }
}

impl Observer for SweepProgress {
    fn begins(&mut self, plan: &Plan, done: usize, estimate: Duration) {
        self.done = done;
        self.remaining = estimate;
        if let Output::Bars { overall, .. } = &self.output {
            overall.set_position(done as u64);
        }
        for run in plan.runs.iter().take(done) {
            if let Some(bar) = self.solvers.get(&plan.cells[run.cell].solver) {
                bar.inc(1);
            }
        }
        let (runs, cells) = (plan.runs.len(), plan.cells.len());
        if matches!(self.output, Output::Json) {
            let worst = plan.worst_case().as_secs_f64();
            event(json!({
                "event": "begins", "experiment": plan.name, "runs": runs, "cells": cells, "done": done,
                "worst_case_s": worst,
            }));
        }
        let before = if done > 0 { format!(", {done} of them done before") } else { String::new() };
        self.output.say(&format!("{}: {runs} runs of {cells} cells{before}", plan.name));
    }

    fn run_begins(&mut self, cell: &Cell, remaining: Duration) {
        self.remaining = remaining;
        self.look_ahead();
        if let Output::Bars { overall, .. } = &self.output {
            overall.set_message(self.eta());
        }
        if matches!(self.output, Output::Json) {
            event(json!({
                "event": "run_begins", "n": cell.n, "goal": cell.goal.name(), "solver": cell.solver,
                "counting": cell.counting, "eta_s": remaining.as_secs_f64(), "eta_is_bound": self.bounded,
            }));
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
        if cell.skip.is_none() {
            self.estimator.observe(cell, Duration::from_nanos(row.wall_ns.unwrap_or(0)));
        }
        let took = row.job_ns().map_or_else(|| row.status.to_string(), units::time);
        if let Output::Bars { overall, .. } = &self.output {
            overall.set_position(self.done as u64);
        }
        if let Some(bar) = self.solvers.get(&cell.solver) {
            bar.set_message(format!("n={} {took}", cell.n));
            bar.inc(1);
        }
        if matches!(self.output, Output::Json) {
            event(json!({
                "event": "run_ends", "n": cell.n, "goal": cell.goal.name(), "solver": cell.solver,
                "counting": cell.counting, "warmup": row.warmup, "repetition": row.repetition,
                "status": row.status, "verdict": row.verdict, "wall_ns": row.wall_ns, "job_ns": row.job_ns(),
                "error": row.error, "done": self.done, "runs": self.plan.runs.len(),
            }));
        }
        // Once a cell is enough: repetitions fail alike.
        if row.repetition <= 1 && (row.verdict.is_fault() || row.status.is_failure()) {
            let error = row.error.as_deref().unwrap_or("");
            let what = if row.status.is_failure() { row.status.to_string() } else { "wrong".to_owned() };
            self.output.say(&format!("n={} {}: {what}: {error}", cell.n, cell.solver));
        }
        let total = self.plan.runs.len();
        let due = self.verbose || self.last_line.elapsed() >= LINE_INTERVAL || self.done == total;
        if due && matches!(self.output, Output::Lines) {
            self.last_line = Instant::now();
            let (done, eta) = (self.done, self.eta());
            let took = if self.verbose { format!(" {took}") } else { String::new() };
            let eta = if done == total { String::new() } else { format!(" {eta},") };
            eprintln!("{done}/{total} runs,{eta} last: n={} {} {}{took}", cell.n, cell.solver, row.status);
        }
    }
}

/// A line of `--progress json`.
fn event(event: serde_json::Value) {
    eprintln!("{event}");
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

/// Shows how a count goes, once it takes long: what is done, weighted by the work to expect of it.
pub struct CountProgress {
    global: Global,
    n: BoardSize,
    total: usize,
    started: Instant,
    shown: Option<Output>,
    last: Instant,
}

impl CountProgress {
    /// A count that is over by then shows nothing.
    const PATIENCE: Duration = Duration::from_secs(1);
    /// One subproblem in so many is weighed; they are taken in order.
    const SAMPLE: usize = 16;

    /// Says beforehand how much memory a count may take, if that is much.
    pub fn plans(global: &Global, n: BoardSize, bytes: u64) {
        const MUCH: u64 = 100 << 20;
        match global.progress {
            _ if global.quiet || bytes < MUCH => {}
            ProgressStyle::None => {}
            ProgressStyle::Json => event(json!({ "event": "plans", "n": n.get(), "memory_bytes": bytes })),
            _ => eprintln!("n={n}: takes up to {} MiB of memory", units::grouped(bytes >> 20)),
        }
    }

    /// Says how much an earlier session had done.
    pub fn goes_on(&self, finished: usize) {
        let (global, total) = (&self.global, self.total);
        match global.progress {
            _ if global.quiet => {}
            ProgressStyle::Json => event(json!({
                "event": "goes_on", "n": self.n.get(), "subproblems": total, "finished": finished,
            })),
            _ => eprintln!("going on: {finished} of {total} subproblems were done before"),
        }
    }

    pub fn new(global: &Global, n: BoardSize, total: usize) -> Self {
        let now = Instant::now();
        Self { global: global.clone(), n, total, started: now, shown: None, last: now }
    }

    /// One more is finished; `before` were done in an earlier session, `done` are now.
    pub fn finished(
        &mut self,
        cost: &dyn Fn(usize) -> f64,
        before: &[bool],
        done: &[bool],
        finished: usize,
        solutions: u128,
    ) {
        let interval = match &self.shown {
            None => Self::PATIENCE,
            Some(Output::Lines) => LINE_INTERVAL,
            Some(_) => Duration::from_millis(200),
        };
        if self.last.elapsed() < interval {
            return;
        }
        self.last = Instant::now();
        let (mut now, mut left) = (0.0, 0.0);
        for index in (0..self.total).step_by(Self::SAMPLE).filter(|&index| !before[index]) {
            *(if done[index] { &mut now } else { &mut left }) += cost(index);
        }
        let remaining = (now > 0.0).then(|| self.started.elapsed().mul_f64(left / now));
        let eta = remaining.map_or_else(String::new, |eta| format!("ETA {}, ", units::rough(eta)));
        let (global, n, total) = (&self.global, self.n, self.total);
        let output = self.shown.get_or_insert_with(|| Output::new(global, total, "subproblems"));
        let solutions = units::grouped(u64::try_from(solutions).unwrap_or(u64::MAX));
        match output {
            Output::Bars { overall, current, .. } => {
                overall.set_position(finished as u64);
                overall.set_message(eta.trim_end_matches(", ").to_owned());
                current.set_message(format!("n={n}  {solutions} solutions"));
            }
            Output::Lines => eprintln!("n={n}: {finished}/{total} subproblems, {eta}{solutions} solutions"),
            Output::Json => {
                let eta_s = remaining.map(|eta| eta.as_secs_f64());
                event(json!({
                    "event": "counted", "n": n.get(), "subproblems": total, "finished": finished,
                    "solutions": solutions.replace(',', ""), "eta_s": eta_s,
                }));
            }
            Output::Nothing => {}
        }
    }

    pub fn finish(&self) {
        if let Some(output) = &self.shown {
            output.finish();
        }
    }
}

/// SAT solvers have no nodes.
fn totals(nodes: u64, solutions: u64) -> String {
    let nodes = if nodes > 0 { format!("{} nodes, ", units::grouped(nodes)) } else { String::new() };
    format!("{nodes}{} solutions", units::grouped(solutions))
}
