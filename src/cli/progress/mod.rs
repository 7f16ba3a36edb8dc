//! Progress on standard error: bars on a terminal, plain lines elsewhere, JSON for scripts.
//!
//! `sweep.rs`, `verify.rs` and `count.rs` show the progress of these commands; what they share is here. Bars are drawn only
//! by calls of the functions here; there are none while a run is timed.

mod count;
mod sweep;
mod verify;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;

use super::args::{Global, ProgressStyle};
use super::terminal::{self, ProgressBar};
use super::{color, units};

pub use count::CountProgress;
pub use sweep::SweepProgress;
pub use verify::VerifyProgress;

/// Time between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

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

/// A line of `--progress json`.
fn event(event: serde_json::Value) {
    terminal::note(event);
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
