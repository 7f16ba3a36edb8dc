//! The progress of a sweep.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{LINE_INTERVAL, Output, event, totals};
use crate::cli::args::Global;
use crate::cli::terminal::{self, ProgressBar};
use crate::cli::{summary, units};
use crate::experiment::estimate::Estimator;
use crate::experiment::plan::{Cell, Plan, Run};
use crate::experiment::runner::Observer;
use crate::record::{Kind, Row};
use crate::words::counted;

/// With more solvers than this, there are no bars for single solvers.
const MOST_BARS: usize = 12;

/// A plan of more runs than this says how long it takes before it starts.
const LARGE: usize = 100_000;

/// How often the remaining runs are examined for the ETA.
const LOOK_AHEAD: Duration = Duration::from_millis(500);

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
            let ahead = self.plan.runs.iter().skip(self.done);
            self.bounded = self.plan.repeat.until.is_some()
                || ahead
                    .map(|run| (&self.plan.cells[run.cell], run.kind))
                    .filter(|(cell, _)| cell.skip.is_none())
                    .any(|(cell, kind)| self.estimator.is_capped(cell, kind));
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
                "event": "begins", "experiment": plan.spec.name, "runs": runs, "cells": cells, "done": done,
                "worst_case_s": worst,
            }));
        }
        let before = if done > 0 {
            format!(", of which {} are already done", counted(done, "run"))
        } else {
            String::new()
        };
        self.output.say(&format!("{}: {}{before}", plan.spec.name, summary::work(plan)));
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

    fn run_begins(&mut self, cell: &Cell, run: &Run, remaining: Duration) {
        self.remaining = remaining;
        self.look_ahead();
        if matches!(self.output, Output::Json) {
            event(json!({
                "event": "run_begins", "n": cell.n, "variant": cell.variant, "goal": cell.goal.name(), "solver": cell.solver,
                "kind": run.kind.name(), "eta_s": remaining.as_secs_f64(), "eta_is_bound": self.bounded,
            }));
        }
        let what = if run.kind == Kind::Counting { "counting" } else { "timing" };
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
            if let Some((_, bar)) = bars.solvers.iter().find(|(id, _)| *id == cell.solver) {
                bar.inc(1);
            }
        });
    }

    fn run_ends(&mut self, cell: &Cell, row: &Row) {
        self.done += 1;
        if cell.skip.is_none() {
            self.estimator.observe(cell, row.kind, Duration::from_nanos(row.wall_ns.unwrap_or(0)));
        }
        let took = row.job_ns().map_or_else(|| row.status.to_string(), units::time);
        self.output.bars(|bars| {
            bars.overall.set_position(self.done as u64);
            if let Some((_, bar)) = bars.solvers.iter().find(|(id, _)| *id == cell.solver) {
                bar.inc(1);
                bar.set_message(format!("n={} {took}", cell.n));
            }
        });
        if matches!(self.output, Output::Json) {
            event(json!({
                "event": "run_ends", "n": cell.n, "variant": cell.variant, "goal": cell.goal.name(), "solver": cell.solver,
                "kind": row.kind.name(), "repetition": row.repetition,
                "status": row.status.name(), "verdict": row.verdict.name(), "wall_ns": row.wall_ns, "job_ns": row.job_ns(),
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
        let [before, total] = runs.entry(plan.cells[run.cell].solver.clone()).or_default();
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
