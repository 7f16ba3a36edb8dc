//! Progress on standard error: bars on a terminal, plain lines elsewhere, JSON for scripts.
//!
//! Bars are drawn only by calls of the functions here; there are none while a run is timed.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::backtrack::probe::{Estimate, Tree};
use crate::board::BoardSize;
use crate::experiment::estimate::Estimator;
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::runner::Observer;
use crate::record::Row;
use crate::solver::Progress;
use crate::verify::crosscheck::CrosscheckProgress;
use crate::words::counted;
use serde_json::json;

use super::args::{Global, ProgressStyle};
use super::terminal::{self, ProgressBar};
use super::{color, units};

/// Time between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

/// With more solvers than this, there are no bars for single solvers.
const MOST_BARS: usize = 12;

/// A plan of more runs than this says how long it takes before it starts.
const LARGE: usize = 100_000;

/// How often the remaining runs are examined for the ETA.
const LOOK_AHEAD: Duration = Duration::from_millis(500);

/// A count or an estimate that takes less time than this shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long to wait before the progress of a count or an estimate is shown again. A program that asked for events gets
/// the first one at once.
fn interval(global: &Global, shown: Option<&Output>) -> Duration {
    match shown {
        // Called after each subproblem, so it does not ask the system what standard error is.
        None if global.progress == ProgressStyle::Json && !global.quiet => Duration::ZERO,
        None => PATIENCE,
        Some(Output::Lines) => LINE_INTERVAL,
        Some(_) => Duration::from_millis(200),
    }
}

/// The requested style, or the one that suits standard error.
fn style(global: &Global) -> ProgressStyle {
    match global.progress {
        _ if global.quiet => ProgressStyle::None,
        ProgressStyle::Auto if terminal::is_terminal() => ProgressStyle::Bar,
        ProgressStyle::Auto => ProgressStyle::Plain,
        style => style,
    }
}

enum Output {
    Bars(Mutex<Bars>),
    Lines,
    Json,
    Nothing,
}

/// The first line shows all work, the second one the current run; then there is one line per solver.
struct Bars {
    overall: ProgressBar,
    current: ProgressBar,
    solvers: Vec<(String, ProgressBar)>,
}

impl Output {
    fn new(global: &Global, total: usize, unit: &'static str) -> Self {
        match style(global) {
            ProgressStyle::Bar | ProgressStyle::Auto => Output::Bars(Mutex::new(Bars::new(total, unit))),
            ProgressStyle::Plain => Output::Lines,
            ProgressStyle::Json => Output::Json,
            ProgressStyle::None => Output::Nothing,
        }
    }

    /// Changes the bars, if there are any.
    fn bars(&self, change: impl FnOnce(&mut Bars)) {
        if let Output::Bars(bars) = self {
            change(&mut bars.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Writes a permanent line, above the bars if there are any.
    fn say(&self, line: &str) {
        match self {
            Output::Bars(_) | Output::Lines => terminal::note(line),
            // A JSON event has the same content.
            Output::Json | Output::Nothing => {}
        }
    }

    /// Removes the bars, the last line first, so that no line moves.
    fn finish(&self) {
        self.bars(|bars| {
            for (_, bar) in bars.solvers.drain(..).rev() {
                bar.finish_and_clear();
            }
            bars.current.finish_and_clear();
            bars.overall.finish_and_clear();
        });
    }
}

impl Bars {
    fn new(total: usize, unit: &'static str) -> Self {
        let [on, off] = if color::is_on() { ["\u{1b}[36m", "\u{1b}[0m"] } else { [""; 2] };
        // Numbers first: on a narrow terminal the end of the line is cut.
        let overall = format!("{{pos}}/{{len}} {unit}  {{msg}}  {on}{{wide_bar}}{off}");
        let bars = Self {
            overall: terminal::bar(total, &overall),
            current: terminal::bar(total, "{msg}"),
            solvers: Vec::new(),
        };
        bars.overall.tick();
        bars
    }
}

/// Prints a warning before the first run.
pub fn warn(global: &Global, warning: &str) {
    match style(global) {
        ProgressStyle::Json => event(json!({"event": "warning", "message": warning})),
        _ => terminal::warn(warning),
    }
}

/// Shows the progress of a sweep.
pub struct SweepProgress {
    output: Output,
    plan: Plan,
    /// Runs that ended, including earlier sessions.
    done: usize,
    estimator: Estimator,
    remaining: Duration,
    /// Whether a remaining run is expected to hit its limit; the remaining time is then an upper bound.
    bounded: bool,
    looked_ahead: Option<Instant>,
    last_line: Instant,
    verbose: bool,
}

impl SweepProgress {
    pub fn new(global: &Global, plan: &Plan) -> Self {
        Self {
            output: Output::new(global, plan.runs.len(), "runs"),
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
        self.output.finish();
    }

    /// Runs are done in the order of the plan, so that the remaining runs are its last ones.
    fn look_ahead(&mut self) {
        if self.looked_ahead.is_none_or(|before| before.elapsed() >= LOOK_AHEAD) {
            let ahead = self.plan.runs.iter().skip(self.done).map(|run| &self.plan.cells[run.cell]);
            self.bounded = self.plan.until.is_some()
                || ahead.filter(|cell| cell.skip.is_none()).any(|cell| self.estimator.is_capped(cell));
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
        let (runs, cells) = (plan.runs.len(), plan.cells.len());
        if matches!(self.output, Output::Json) {
            let worst = plan.worst_case().as_secs_f64();
            event(json!({
                "event": "begins", "experiment": plan.name, "runs": runs, "cells": cells, "done": done,
                "worst_case_s": worst,
            }));
        }
        let before = if done > 0 { format!(", {done} already done") } else { String::new() };
        let most = if plan.until.is_some() { "at most " } else { "" };
        self.output.say(&format!(
            "{}: {most}{} of {}{before}",
            plan.name,
            counted(runs, "run"),
            counted(cells, "cell")
        ));
        if runs > LARGE {
            let expected = match (done, units::rough(estimate)) {
                (0, least) => format!("at least {least} for the processes of its runs alone"),
                (_, rest) => format!("about {rest} for the remaining runs"),
            };
            let most = units::rough(plan.worst_case());
            self.output.say(&format!(
                "this large plan takes {expected}, and at most {most} in all; you can interrupt it, and repeat the command \
                 to resume"
            ));
        }
        self.output.bars(|bars| {
            bars.overall.set_position(done as u64);
            bars.solvers = solver_bars(plan, done);
            bars.solvers.iter().for_each(|(_, bar)| bar.tick());
        });
    }

    fn run_begins(&mut self, cell: &Cell, remaining: Duration) {
        self.remaining = remaining;
        self.look_ahead();
        if matches!(self.output, Output::Json) {
            event(json!({
                "event": "run_begins", "n": cell.n, "variant": cell.variant, "goal": cell.goal.name(), "solver": cell.label(),
                "counting": cell.counting, "eta_s": remaining.as_secs_f64(), "eta_is_bound": self.bounded,
            }));
        }
        let what = if cell.counting { "counting" } else { "timing" };
        let eta = self.eta();
        self.output.bars(|bars| {
            bars.overall.set_message(eta);
            bars.current.set_message(format!("{}  {what}", cell.name()));
            // Exempt from the redraw limit: otherwise a long run may be shown under the name of the previous one.
            bars.current.force_draw();
        });
    }

    fn live(&mut self, cell: &Cell, nodes: u64, solutions: u64) {
        let totals = totals(nodes, solutions);
        self.output.bars(|bars| {
            bars.current.set_message(format!("{}  counting  {totals}", cell.name()));
        });
    }

    fn leaves_out(&mut self, cell: &Cell) {
        self.done += 1;
        self.output.bars(|bars| {
            bars.overall.set_position(self.done as u64);
            if let Some((_, bar)) = bars.solvers.iter().find(|(id, _)| *id == cell.label()) {
                bar.inc(1);
            }
        });
    }

    fn run_ends(&mut self, cell: &Cell, row: &Row) {
        self.done += 1;
        if cell.skip.is_none() {
            self.estimator.observe(cell, Duration::from_nanos(row.wall_ns.unwrap_or(0)));
        }
        let took = row.job_ns().map_or_else(|| row.status.to_string(), units::time);
        self.output.bars(|bars| {
            bars.overall.set_position(self.done as u64);
            if let Some((_, bar)) = bars.solvers.iter().find(|(id, _)| *id == cell.label()) {
                bar.inc(1);
                bar.set_message(format!("n={} {took}", cell.n));
            }
        });
        if matches!(self.output, Output::Json) {
            event(json!({
                "event": "run_ends", "n": cell.n, "variant": cell.variant, "goal": cell.goal.name(), "solver": cell.label(),
                "counting": cell.counting, "warmup": row.warmup, "repetition": row.repetition,
                "status": row.status, "verdict": row.verdict, "wall_ns": row.wall_ns, "job_ns": row.job_ns(),
                "error": row.error, "done": self.done, "runs": self.plan.runs.len(),
            }));
        }
        // Report only the first repetition of a cell: the others fail in the same way.
        if row.repetition <= 1 && (row.verdict.is_fault() || row.status.is_failure()) {
            let error = row.error.as_deref().unwrap_or("");
            let what = if row.status.is_failure() { row.status.to_string() } else { "wrong".to_owned() };
            self.output.say(&format!("{}: {what}: {error}", cell.name()));
        }
        let total = self.plan.runs.len();
        let due = self.verbose || self.last_line.elapsed() >= LINE_INTERVAL || self.done == total;
        if due && matches!(self.output, Output::Lines) {
            self.last_line = Instant::now();
            let (done, eta) = (self.done, self.eta());
            let took = if self.verbose { format!(" {took}") } else { String::new() };
            let eta = if done == total { String::new() } else { format!(" {eta},") };
            let line = format!("{done}/{total} runs,{eta} last: {} {}{took}", cell.name(), row.status);
            self.output.say(&line);
        }
    }
}

/// One bar per solver, unless there is only one solver or the terminal has no room for all.
fn solver_bars(plan: &Plan, done: usize) -> Vec<(String, ProgressBar)> {
    let mut runs: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for (position, run) in plan.runs.iter().enumerate() {
        let [before, total] = runs.entry(plan.cells[run.cell].label()).or_default();
        *before += usize::from(position < done);
        *total += 1;
    }
    if !(2..=MOST_BARS).contains(&runs.len()) {
        return Vec::new();
    }
    let width = runs.keys().map(|id| id.len()).max().unwrap_or(0);
    let bar = |(id, [before, total]): (String, [usize; 2])| {
        let template = format!("{{prefix:{width}}} {{bar:12}} {{pos:>4}}/{{len:<4}} {{msg}}");
        let bar = terminal::bar(total, &template).with_prefix(id.clone()).with_position(before as u64);
        (id, bar)
    };
    runs.into_iter().map(bar).collect()
}

/// A line of `--progress json`.
fn event(event: serde_json::Value) {
    terminal::note(event);
}

/// Shows the progress of a cross-check.
pub struct VerifyProgress {
    output: Output,
    /// The board size of the last plain line.
    line: Mutex<Option<BoardSize>>,
}

impl VerifyProgress {
    pub fn new(global: &Global, total: usize) -> Self {
        Self { output: Output::new(global, total, "enumerations"), line: Mutex::default() }
    }

    pub fn finish(&self) {
        self.output.finish();
    }
}

impl CrosscheckProgress for VerifyProgress {
    fn begins(&self, n: BoardSize, solver: &str) {
        self.output.bars(|bars| bars.current.set_message(format!("n={n} {solver}")));
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(self.output, Output::Lines) && line.replace(n) != Some(n) {
            self.output.say(&format!("n={n} ..."));
        }
    }

    fn ends(&self) {
        self.output.bars(|bars| bars.overall.inc(1));
    }

    fn live(&self) -> &dyn Progress {
        self
    }
}

impl Progress for VerifyProgress {
    fn advance(&self, nodes: u64, solutions: u64) {
        self.output.bars(|bars| bars.overall.set_message(totals(nodes, solutions)));
    }
}

/// Shows the progress of a long count. The ETA weights subproblems by their estimated cost.
pub struct CountProgress {
    global: Global,
    n: BoardSize,
    total: usize,
    started: Instant,
    shown: Option<Output>,
    last: Instant,
    /// The subproblems that the ETA uses, with their costs; empty until it is needed.
    costs: Vec<(usize, f64)>,
}

impl CountProgress {
    /// The ETA uses about this many subproblems, because the estimate of a cost takes some time. Subproblems are done in
    /// order.
    const SAMPLE: usize = 1000;

    /// Prints how much memory a count may need, if it is much.
    pub fn plans(global: &Global, n: BoardSize, bytes: u64) {
        const MUCH: u64 = 100 << 20;
        match style(global) {
            _ if bytes < MUCH => {}
            ProgressStyle::None => {}
            ProgressStyle::Json => event(json!({ "event": "plans", "n": n.get(), "memory_bytes": bytes })),
            _ => terminal::note(format_args!(
                "n={n}: needs up to {} MiB of memory",
                units::thousands(bytes >> 20)
            )),
        }
    }

    /// Prints how much an earlier session completed.
    pub fn goes_on(&self, finished: usize) {
        let (global, total) = (&self.global, self.total);
        match style(global) {
            ProgressStyle::Json => event(json!({
                "event": "goes_on", "n": self.n.get(), "subproblems": total, "finished": finished,
            })),
            _ => terminal::note(format_args!("resuming: {finished} of {total} subproblems are already done")),
        }
    }

    pub fn new(global: &Global, n: BoardSize, total: usize) -> Self {
        let now = Instant::now();
        Self { global: global.clone(), n, total, started: now, shown: None, last: now, costs: Vec::new() }
    }

    /// Call this after each subproblem. `before` says which were done in earlier sessions, `done` which are done now.
    pub fn finished(
        &mut self,
        cost: &dyn Fn(usize) -> f64,
        before: &dyn Fn(usize) -> bool,
        done: &dyn Fn(usize) -> bool,
        finished: usize,
        solutions: u128,
    ) {
        if self.last.elapsed() < interval(&self.global, self.shown.as_ref()) {
            return;
        }
        self.last = Instant::now();
        let (global, n, total) = (&self.global, self.n, self.total);
        let output = self.shown.get_or_insert_with(|| Output::new(global, total, "subproblems"));
        if matches!(output, Output::Nothing) {
            return;
        }
        if self.costs.is_empty() {
            let sample = (0..total).step_by(total.div_ceil(Self::SAMPLE).max(1));
            self.costs = sample.filter(|&index| !before(index)).map(|index| (index, cost(index))).collect();
        }
        let (mut now, mut left) = (0.0, 0.0);
        for &(index, cost) in &self.costs {
            *(if done(index) { &mut now } else { &mut left }) += cost;
        }
        let remaining = (now > 0.0).then(|| self.started.elapsed().mul_f64(left / now));
        let eta = remaining.map_or_else(String::new, |eta| format!("ETA {}, ", units::rough(eta)));
        let found = found(u64::try_from(solutions).unwrap_or(u64::MAX));
        match output {
            Output::Bars(_) => output.bars(|bars| {
                bars.overall.set_position(finished as u64);
                bars.overall.set_message(eta.trim_end_matches(", ").to_owned());
                bars.current.set_message(format!("n={n}  {found}"));
            }),
            Output::Lines => {
                output.say(&format!("n={n}: {finished}/{total} subproblems, {eta}{found}"));
            }
            Output::Json => {
                let eta_s = remaining.map(|eta| eta.as_secs_f64());
                event(json!({
                    "event": "counted", "n": n.get(), "subproblems": total, "finished": finished,
                    "solutions": solutions.to_string(), "eta_s": eta_s,
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

/// Shows the progress of a long estimate, with what the probes so far estimate.
pub struct ProbeProgress {
    global: Global,
    n: BoardSize,
    probes: u64,
    started: Instant,
    shown: Option<Output>,
    last: Instant,
}

impl ProbeProgress {
    pub fn new(global: &Global, n: BoardSize, probes: u64) -> Self {
        let now = Instant::now();
        Self { global: global.clone(), n, probes, started: now, shown: None, last: now }
    }

    /// Call this now and then.
    pub fn probed(&mut self, done: u64, tree: &Tree) {
        if self.last.elapsed() < interval(&self.global, self.shown.as_ref()) {
            return;
        }
        self.last = Instant::now();
        let (global, n, probes) = (&self.global, self.n, self.probes);
        let remaining = self.started.elapsed().mul_f64((probes - done) as f64 / done.max(1) as f64);
        let total = usize::try_from(probes).unwrap_or(usize::MAX);
        let output = self.shown.get_or_insert_with(|| Output::new(global, total, "probes"));
        let Estimate { mean, standard_error, .. } = tree.levels[n.get()];
        let found = format!("{mean:.3e} solutions, standard error {:.2} %", 100.0 * standard_error / mean);
        let found = if mean > 0.0 { found } else { "no solution yet".to_owned() };
        let eta = units::rough(remaining);
        match output {
            Output::Bars(_) => output.bars(|bars| {
                bars.overall.set_position(done);
                bars.overall.set_message(format!("ETA {eta}"));
                bars.current.set_message(format!("n={n}  {found}"));
            }),
            Output::Lines => output.say(&format!(
                "n={n}: {} of {} probes, ETA {eta}, {found}",
                units::thousands(done),
                units::thousands(probes)
            )),
            Output::Json => event(json!({
                "event": "probed", "n": n.get(), "probes": probes, "finished": done, "solutions": mean,
                "standard_error": standard_error, "eta_s": remaining.as_secs_f64(),
            })),
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
    let nodes = if nodes > 0 { format!("{} nodes, ", units::thousands(nodes)) } else { String::new() };
    format!("{nodes}{}", found(solutions))
}

/// `1 solution`, `14,200 solutions`.
fn found(solutions: u64) -> String {
    format!("{} solution{}", units::thousands(solutions), if solutions == 1 { "" } else { "s" })
}
