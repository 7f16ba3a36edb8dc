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

/// What is shown.
struct Shown {
    finished: u64,
    total: u64,
    remaining: Option<Duration>,
    found: String,
    event: Value,
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
    pub fn counted(&mut self, at: &count::Progress) {
        let count::Progress { subproblems, finished, solutions, done, left } = *at;
        if done == 0.0 {
            self.begins(subproblems, finished);
        } else if self.is_due(subproblems as u64) {
            // The first subproblems say little about the others.
            let spent = self.started.elapsed();
            self.show(Shown {
                finished: finished as u64,
                total: subproblems as u64,
                remaining: (spent >= PATIENCE).then(|| spent.mul_f64(left.max(0.0) / done)),
                found: found(solutions),
                event: json!({ "event": "counted", "subproblems": subproblems, "solutions": solutions.to_string() }),
            });
        }
    }

    /// Prints how much earlier sessions completed.
    fn begins(&self, total: usize, finished: usize) {
        if finished == 0 {
            return;
        }
        match style(&self.global) {
            ProgressStyle::Json => event(json!({
                "event": "goes_on", "n": self.n.get(), "subproblems": total, "finished": finished,
            })),
            _ => terminal::note(format_args!("resuming: {finished} of {total} subproblems are already done")),
        }
    }

    /// The progress of an estimate: what the probes so far say.
    pub fn probed(&mut self, finished: u64, total: u64, tree: &Tree) {
        if !self.is_due(total) {
            return;
        }
        let Estimate { mean, standard_error, .. } = tree.levels[self.n.get()];
        let found = format!("{mean:.3e} solutions, standard error {:.2} %", 100.0 * standard_error / mean);
        let left = (total - finished) as f64 / finished.max(1) as f64;
        self.show(Shown {
            finished,
            total,
            remaining: Some(self.started.elapsed().mul_f64(left)),
            found: if mean > 0.0 { found } else { "no solution yet".to_owned() },
            event: json!({
                "event": "probed", "probes": total, "solutions": mean, "standard_error": standard_error,
            }),
        });
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

    fn show(&self, shown: Shown) {
        let (n, unit) = (self.n, self.unit);
        let Shown { finished, total, remaining, found, mut event } = shown;
        let eta = remaining.map(|remaining| format!("ETA {}", units::rough(remaining)));
        match &self.output {
            Some(output @ Output::Bars(_)) => output.bars(|bars| {
                bars.overall.set_position(finished);
                bars.overall.set_message(eta.unwrap_or_default());
                bars.current.set_message(format!("n={n}  {found}"));
            }),
            Some(Output::Lines) => {
                let eta = eta.map_or_else(String::new, |eta| format!("{eta}, "));
                let [finished, total] = [finished, total].map(units::thousands);
                terminal::note(format_args!("n={n}: {finished} of {total} {unit}, {eta}{found}"));
            }
            Some(Output::Json) => {
                event["n"] = n.get().into();
                event["finished"] = finished.into();
                event["eta_s"] = remaining.map(|remaining| remaining.as_secs_f64()).into();
                super::event(event);
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
