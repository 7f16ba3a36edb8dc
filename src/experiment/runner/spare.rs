//! Which sizes a solver is spared after it timed out at smaller ones.
//!
//! A pure function of rows: runs of a solver in a round, small boards first; K timeouts at consecutive
//! sizes of one round spare every larger size from there on, in later rounds too. Counting runs decide
//! about counting runs, timed and warm-up ones about each other: the former are slower.

use std::collections::HashMap;

use crate::experiment::plan::Cell;
use crate::record::Status;

/// Remembers the timeouts of each solver.
pub struct Spare {
    after: Option<usize>,
    tracks: HashMap<(String, bool), Track>,
}

#[derive(Default)]
struct Track {
    round: u32,
    /// Sizes at which it timed out without an answer in between, in this round.
    row: Vec<usize>,
    /// The sizes whose timeouts spare what is larger.
    decided_by: Option<Vec<usize>>,
}

impl Spare {
    /// Spares after timeouts at so many consecutive sizes, or never.
    pub fn after(timeouts: Option<usize>) -> Self {
        Self { after: timeouts, tracks: HashMap::new() }
    }

    /// A run ended, or was skipped. In the order of the plan, for each solver.
    pub fn observe(&mut self, cell: &Cell, round: u32, status: Status) {
        let Some(after) = self.after else { return };
        if status == Status::Skipped {
            return;
        }
        let track = self.tracks.entry(key(cell)).or_default();
        if track.round != round {
            track.round = round;
            track.row.clear();
        }
        if status != Status::Timeout {
            track.row.clear();
            return;
        }
        track.row.push(cell.n);
        let smaller = track.decided_by.as_ref().is_none_or(|sizes| sizes.last() > Some(&cell.n));
        if track.row.len() >= after && smaller {
            track.decided_by = Some(track.row[track.row.len() - after..].to_vec());
        }
    }

    /// Why this cell is not run, if it is not.
    pub fn reason(&self, cell: &Cell) -> Option<String> {
        let sizes = self.tracks.get(&key(cell))?.decided_by.as_ref()?;
        if sizes.last() >= Some(&cell.n) {
            return None;
        }
        let named: Vec<String> = sizes.iter().map(usize::to_string).collect();
        Some(format!(
            "spared: it timed out at n = {} (stop_after_timeouts = {})",
            named.join(", "),
            sizes.len()
        ))
    }
}

fn key(cell: &Cell) -> (String, bool) {
    (cell.solver.clone(), cell.counting)
}
