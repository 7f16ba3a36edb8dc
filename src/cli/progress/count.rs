//! The progress of a count, of a sample of one, and of an estimate.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{LINE_INTERVAL, Output, event, found, style};
use crate::backtrack::probe::{Estimate, Tree};
use crate::board::BoardSize;
use crate::cli::args::{Global, ProgressStyle};
use crate::cli::{terminal, units};

/// A count or an estimate that takes less time than this shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// The progress of a computation on one board, now and then.
struct Display {
    global: Global,
    n: BoardSize,
    total: usize,
    /// What is computed: subproblems or probes.
    unit: &'static str,
    started: Instant,
    last: Instant,
    /// Where it is shown; `None` until it is shown for the first time.
    output: Option<Output>,
}

impl Display {
    fn new(global: &Global, n: BoardSize, total: usize, unit: &'static str) -> Self {
        let now = Instant::now();
        Self { global: global.clone(), n, total, unit, started: now, last: now, output: None }
    }

    /// Whether it is time to show the progress again. A program that asked for events gets the first one at once.
    fn is_due(&mut self) -> bool {
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
        let (global, total, unit) = (&self.global, self.total, self.unit);
        let output = self.output.get_or_insert_with(|| Output::new(global, total, unit));
        !matches!(output, Output::Nothing)
    }

    /// Shows how much is done, as a number and in words, the remaining time, and what was found. The event gets the size
    /// and the times.
    fn show(
        &self,
        (number, done): (u64, &str),
        remaining: Option<Duration>,
        found: &str,
        name: &str,
        mut details: Value,
    ) {
        let n = self.n;
        let eta = remaining.map(|remaining| format!("ETA {}", units::rough(remaining)));
        match &self.output {
            Some(output @ Output::Bars(_)) => output.bars(|bars| {
                bars.overall.set_position(number);
                bars.overall.set_message(eta.unwrap_or_default());
                bars.current.set_message(format!("n={n}  {found}"));
            }),
            Some(Output::Lines) => {
                let eta = eta.map_or_else(String::new, |eta| format!("{eta}, "));
                terminal::note(format_args!("n={n}: {done}, {eta}{found}"));
            }
            Some(Output::Json) => {
                details["event"] = name.into();
                details["n"] = n.get().into();
                details["finished"] = number.into();
                details["eta_s"] = remaining.map(|remaining| remaining.as_secs_f64()).into();
                event(details);
            }
            Some(Output::Nothing) | None => {}
        }
    }

    fn finish(&self) {
        if let Some(output) = &self.output {
            output.finish();
        }
    }
}

/// Shows the progress of a long count. The ETA weights subproblems by their estimated cost.
pub struct CountProgress {
    display: Display,
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
        let Display { global, n, total, .. } = &self.display;
        match style(global) {
            ProgressStyle::Json => event(json!({
                "event": "goes_on", "n": n.get(), "subproblems": total, "finished": finished,
            })),
            _ => terminal::note(format_args!("resuming: {finished} of {total} subproblems are already done")),
        }
    }

    pub fn new(global: &Global, n: BoardSize, total: usize) -> Self {
        Self { display: Display::new(global, n, total, "subproblems"), costs: Vec::new() }
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
        if !self.display.is_due() {
            return;
        }
        let total = self.display.total;
        if self.costs.is_empty() {
            let sample = (0..total).step_by(total.div_ceil(Self::SAMPLE).max(1));
            self.costs = sample.filter(|&index| !before(index)).map(|index| (index, cost(index))).collect();
        }
        let (mut now, mut left) = (0.0, 0.0);
        for &(index, cost) in &self.costs {
            *(if done(index) { &mut now } else { &mut left }) += cost;
        }
        // The first subproblems say little about the others.
        let spent = self.display.started.elapsed();
        let remaining = (now > 0.0 && spent >= PATIENCE).then(|| spent.mul_f64(left / now));
        self.display.show(
            (finished as u64, &format!("{finished}/{total} subproblems")),
            remaining,
            &found(u64::try_from(solutions).unwrap_or(u64::MAX)),
            "counted",
            json!({ "subproblems": total, "solutions": solutions.to_string() }),
        );
    }

    pub fn finish(&self) {
        self.display.finish();
    }
}

/// Shows the progress of a long estimate, with what the probes so far estimate.
pub struct ProbeProgress {
    display: Display,
    probes: u64,
}

impl ProbeProgress {
    pub fn new(global: &Global, n: BoardSize, probes: u64) -> Self {
        let total = usize::try_from(probes).unwrap_or(usize::MAX);
        Self { display: Display::new(global, n, total, "probes"), probes }
    }

    /// Call this now and then.
    pub fn probed(&mut self, done: u64, tree: &Tree) {
        if !self.display.is_due() {
            return;
        }
        let (display, probes) = (&self.display, self.probes);
        let remaining = display.started.elapsed().mul_f64((probes - done) as f64 / done.max(1) as f64);
        let Estimate { mean, standard_error, .. } = tree.levels[display.n.get()];
        let found = format!("{mean:.3e} solutions, standard error {:.2} %", 100.0 * standard_error / mean);
        display.show(
            (done, &format!("{} of {} probes", units::thousands(done), units::thousands(probes))),
            Some(remaining),
            if mean > 0.0 { &found } else { "no solution yet" },
            "probed",
            json!({ "probes": probes, "solutions": mean, "standard_error": standard_error }),
        );
    }

    pub fn finish(&self) {
        self.display.finish();
    }
}
