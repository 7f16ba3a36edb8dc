//! The progress of a count, and of an estimate.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{LINE_INTERVAL, Output, event, found, style};
use crate::backtrack::probe::{Estimate, Tree};
use crate::board::BoardSize;
use crate::cli::args::{Global, ProgressStyle};
use crate::cli::{terminal, units};
use crate::count;

/// A count or an estimate that takes less time than this shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows the progress of a computation on one board, now and then.
pub struct CountProgress {
    global: Global,
    n: BoardSize,
    /// What is counted: subproblems or probes.
    unit: &'static str,
    started: Instant,
    last: Instant,
    /// Where it is shown; `None` until it is shown for the first time.
    output: Option<Output>,
}

impl CountProgress {
    pub fn new(global: &Global, n: BoardSize, unit: &'static str) -> Self {
        let now = Instant::now();
        Self { global: global.clone(), n, unit, started: now, last: now, output: None }
    }

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

    /// The progress of a count. The remaining time weights subproblems by their estimated work.
    pub fn counted(&mut self, at: &count::Progress<'_>) {
        let (finished, subproblems) = (at.checkpoint.finished as u64, at.checkpoint.done.len() as u64);
        if at.done == 0.0 && finished > 0 {
            match style(&self.global) {
                ProgressStyle::Json => event(json!({
                    "event": "goes_on", "n": self.n.get(), "subproblems": subproblems, "finished": finished,
                })),
                _ => terminal::note(format_args!(
                    "resuming: {finished} of {subproblems} subproblems are already done"
                )),
            }
        }
        if at.done > 0.0 && self.is_due(subproblems) {
            // The first subproblems say little about the others.
            let spent = self.started.elapsed();
            let remaining = (spent >= PATIENCE).then(|| spent.mul_f64(at.left.max(0.0) / at.done));
            let solutions = at.checkpoint.solutions;
            let details =
                json!({ "event": "counted", "subproblems": subproblems, "solutions": solutions.to_string() });
            self.show([finished, subproblems], remaining, &found(solutions), details);
        }
    }

    /// The progress of an estimate: what the probes so far say.
    pub fn probed(&mut self, probed: u64, probes: u64, tree: &Tree) {
        if !self.is_due(probes) {
            return;
        }
        let Estimate { mean, standard_error, .. } = tree.levels[self.n.get()];
        let found = match mean > 0.0 {
            true => format!("{mean:.3e} solutions, standard error {:.2} %", 100.0 * standard_error / mean),
            false => "no solution yet".to_owned(),
        };
        let remaining = self.started.elapsed().mul_f64((probes - probed) as f64 / probed.max(1) as f64);
        let details = json!({
            "event": "probed", "probes": probes, "solutions": mean, "standard_error": standard_error,
        });
        self.show([probed, probes], Some(remaining), &found, details);
    }

    /// Whether it is time to show the progress again. A program that asked for events gets the first one at once.
    fn is_due(&mut self, total: u64) -> bool {
        let interval = match self.output {
            // Called after each subproblem, so it does not ask the system what standard error is.
            None if self.global.progress == ProgressStyle::Json && !self.global.quiet => Duration::ZERO,
            None => PATIENCE,
            Some(Output::Lines) => LINE_INTERVAL,
            Some(_) => Duration::from_millis(200),
        };
        if self.last.elapsed() < interval {
            return false;
        }
        self.last = Instant::now();
        let total = usize::try_from(total).unwrap_or(usize::MAX);
        let (global, unit) = (&self.global, self.unit);
        let output = self.output.get_or_insert_with(|| Output::new(global, total, unit));
        !matches!(output, Output::Nothing)
    }

    /// Shows how much is done of how much, the remaining time, and what was found; `details` are those of the event.
    fn show(
        &self,
        [finished, total]: [u64; 2],
        remaining: Option<Duration>,
        found: &str,
        mut details: Value,
    ) {
        let (n, unit) = (self.n, self.unit);
        let eta = remaining.map_or_else(String::new, |left| format!("ETA {}", units::rough(left)));
        match &self.output {
            Some(output @ Output::Bars(_)) => output.bars(|bars| {
                bars.overall.set_position(finished);
                bars.overall.set_message(eta);
                bars.current.set_message(format!("n={n}  {found}"));
            }),
            Some(Output::Lines) => {
                let eta = if eta.is_empty() { eta } else { format!("{eta}, ") };
                let [finished, total] = [finished, total].map(units::thousands);
                terminal::note(format_args!("n={n}: {finished} of {total} {unit}, {eta}{found}"));
            }
            Some(Output::Json) => {
                details["n"] = n.get().into();
                details["finished"] = finished.into();
                details["eta_s"] = remaining.map(|remaining| remaining.as_secs_f64()).into();
                event(details);
            }
            Some(Output::Nothing) | None => {}
        }
    }

    pub fn finish(&self) {
        if let Some(output) = &self.output {
            output.finish();
        }
    }
}
