//! Which run begins next, and which is skipped.
//!
//! While other runs are active, a round begins when the previous one has ended. With `stop_after_timeouts`, a run also waits for smaller
//! boards of the same series in its round, because their timeouts decide whether it is run at all.
//!
//! Larger sizes of a solver that timed out at smaller ones are skipped. The decision depends only on rows. The runs of a solver in a
//! round go from small to large boards; after K timeouts at consecutive sizes in one round, every larger size is skipped, in later
//! rounds too. Counting runs are slower than timed ones: timeouts of counting runs skip counting runs only, those of timed and
//! warm-up runs skip such runs only.

use std::collections::{HashMap, VecDeque};

use crate::experiment::plan::{Cell, Plan, Run};
use crate::model::{CellKey, Kind, Status};

/// The remaining runs, in plan order.
pub struct Queue<'a> {
    plan: &'a Plan,
    pending: VecDeque<&'a Run>,
    under_way: Vec<&'a Run>,
}

impl<'a> Queue<'a> {
    pub fn new(plan: &'a Plan, pending: Vec<&'a Run>) -> Self {
        Self { plan, pending: pending.into(), under_way: Vec::new() }
    }

    /// The runs that have not begun.
    pub fn pending(&self) -> impl Iterator<Item = &'a Run> {
        self.pending.iter().copied()
    }

    /// Begins a run; `None` if all remaining runs must wait, or none remains.
    pub fn next(&mut self) -> Option<&'a Run> {
        let round = self.under_way.first().or(self.pending.front())?.round;
        let mut of_round = self.pending.iter().take_while(|run| run.round == round);
        let place = of_round.position(|run| !self.waits(run))?;
        let run = self.pending.remove(place)?;
        self.under_way.push(run);
        Some(run)
    }

    /// Records that a run has ended, with or without a row.
    pub fn ended(&mut self, run: &Run) {
        self.under_way.retain(|other| *other != run);
    }

    fn waits(&self, run: &Run) -> bool {
        let series = |run: &Run| self.plan.cells[run.cell].series();
        self.plan.stop_after_timeouts.is_some()
            && self.under_way.iter().any(|other| series(other) == series(run))
    }
}

/// Remembers the timeouts of each series of cells.
pub struct Skips {
    timeouts: Option<usize>,
    tracks: HashMap<Key, Track>,
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
        track.consecutive.push(cell.key.n);
        let smaller = track.decided_by.as_ref().is_none_or(|sizes| sizes.last() > Some(&cell.key.n));
        if track.consecutive.len() >= timeouts && smaller {
            track.decided_by = Some(track.consecutive[track.consecutive.len() - timeouts..].to_vec());
        }
    }

    /// Why this cell is skipped; `None` if it is run.
    pub fn reason(&self, cell: &Cell, kind: Kind) -> Option<String> {
        self.timeouts?;
        let sizes = self.tracks.get(&key(cell, kind))?.decided_by.as_ref()?;
        if sizes.last() >= Some(&cell.key.n) {
            return None;
        }
        let named: Vec<String> = sizes.iter().map(usize::to_string).collect();
        Some(format!("it timed out at n = {} (stop_after_timeouts = {})", named.join(", "), sizes.len()))
    }
}

/// The series of a cell, with any size, and whether the runs count.
type Key = (CellKey, bool);

fn key(cell: &Cell, kind: Kind) -> Key {
    (CellKey { n: 0, ..cell.key.clone() }, kind == Kind::Counting)
}
