//! Skips larger sizes of a solver that timed out at smaller ones.
//!
//! The decision depends only on rows. The runs of a solver in a round go from small to large boards; after K
//! timeouts at consecutive sizes in one round, every larger size is skipped, in later rounds too. Counting
//! runs are slower than timed ones: timeouts of counting runs skip counting runs only, those of timed and
//! warm-up runs skip such runs only.

use std::collections::HashMap;

use crate::experiment::plan::{Cell, Run};
use crate::record::{Kind, Status};

/// Remembers the timeouts of each series of cells.
pub struct Skips {
    timeouts: Option<usize>,
    tracks: HashMap<(String, bool), Track>,
}

#[derive(Default)]
struct Track {
    round: u32,
    /// Sizes with consecutive timeouts in this round.
    consecutive: Vec<usize>,
    /// The sizes whose timeouts make larger sizes skipped.
    decided_by: Option<Vec<usize>>,
}

impl Skips {
    /// Skips larger sizes after timeouts at this many consecutive sizes; `None` never skips.
    pub fn new(timeouts: Option<usize>) -> Self {
        Self { timeouts, tracks: HashMap::new() }
    }

    /// Records the status of a run. For each solver, call this in plan order.
    pub fn observe(&mut self, cell: &Cell, run: &Run, status: Status) {
        let Some(timeouts) = self.timeouts else { return };
        if status == Status::Skipped {
            return;
        }
        let track = self.tracks.entry(key(cell, run.kind)).or_default();
        if track.round != run.round {
            track.round = run.round;
            track.consecutive.clear();
        }
        if status != Status::Timeout {
            track.consecutive.clear();
            return;
        }
        track.consecutive.push(cell.n);
        let smaller = track.decided_by.as_ref().is_none_or(|sizes| sizes.last() > Some(&cell.n));
        if track.consecutive.len() >= timeouts && smaller {
            track.decided_by = Some(track.consecutive[track.consecutive.len() - timeouts..].to_vec());
        }
    }

    /// Why this cell is skipped; `None` if it is run.
    pub fn reason(&self, cell: &Cell, kind: Kind) -> Option<String> {
        self.timeouts?;
        let sizes = self.tracks.get(&key(cell, kind))?.decided_by.as_ref()?;
        if sizes.last() >= Some(&cell.n) {
            return None;
        }
        let named: Vec<String> = sizes.iter().map(usize::to_string).collect();
        Some(format!(
            "skipped: it timed out at n = {} (stop_after_timeouts = {})",
            named.join(", "),
            sizes.len()
        ))
    }
}

fn key(cell: &Cell, kind: Kind) -> (String, bool) {
    (format!("{:?}", cell.series()), kind == Kind::Counting)
}
