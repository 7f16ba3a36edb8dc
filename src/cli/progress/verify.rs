//! The progress of a cross-check.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::{Output, totals};
use crate::board::BoardSize;
use crate::cli::args::Global;
use crate::solver::Progress;
use crate::verify::crosscheck::CrosscheckProgress;

/// Shows the progress of a cross-check.
pub struct VerifyProgress {
    output: Output,
    /// The enumerations that have begun.
    begun: AtomicU64,
    /// The board size of the last plain line.
    line: Mutex<Option<BoardSize>>,
}

impl VerifyProgress {
    pub fn new(global: &Global, total: usize) -> Self {
        Self {
            output: Output::new(global, total, "enumerations"),
            begun: AtomicU64::new(0),
            line: Mutex::default(),
        }
    }

    pub fn finish(&self) {
        self.output.finish();
    }
}

impl CrosscheckProgress for VerifyProgress {
    fn begins(&self, n: BoardSize, solver: &str) -> &dyn Progress {
        self.output.bars(|bars| {
            bars.overall.set_position(self.begun.fetch_add(1, Ordering::Relaxed));
            bars.current.set_message(format!("n={n} {solver}"));
        });
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(self.output, Output::Lines) && line.replace(n) != Some(n) {
            self.output.say(&format!("n={n} ..."));
        }
        self
    }
}

impl Progress for VerifyProgress {
    fn advance(&self, nodes: u64, solutions: u64) {
        self.output.bars(|bars| bars.overall.set_message(totals(nodes, solutions)));
    }
}
