//! Boards of other sizes than the expected one. They are skipped and counted.

use super::candidate::{Candidate, keep_best};
use super::lines::Line;
use super::query::Query;
use super::reading::{Reading, best};
use queens_board::BoardSize;
use queens_board::problem::Problem;

/// The maximum number of unsuccessful searches. After these, only boards of sizes that occurred before are skipped.
const MAX_FAILED_SEARCHES: u32 = 3;

/// The sizes that are recognised. Many sentences are like smaller boards.
const SIZES: std::ops::RangeInclusive<usize> = 4..=14;

/// The boards of other sizes in a text.
#[derive(Debug, Default)]
pub(super) struct OtherSizes {
    /// For each size: the side, how many boards there are, and the line of the first.
    pub counts: Vec<(usize, u64, u64)>,
    /// How the boards of each size are written.
    readings: Vec<(usize, Reading)>,
    failed_searches: u32,
}

impl OtherSizes {
    /// Counts a board.
    pub fn count(&mut self, side: usize, line: u64) {
        match self.counts.iter_mut().find(|(other, ..)| *other == side) {
            Some((_, count, _)) => *count += 1,
            None => self.counts.push((side, 1, line)),
        }
    }

    /// Counts the boards in some lines. Returns the lines that do not belong to them.
    pub fn skip(&mut self, lines: &[Line], query: Query<'_>) -> Vec<Line> {
        let mut unread = lines.to_vec();
        if query.hints.notation.is_some() {
            return unread;
        }
        let mut readings = std::mem::take(&mut self.readings);
        for (side, reading) in &mut readings {
            unread = self.skip_boards(*side, reading, &unread);
        }
        while self.failed_searches < MAX_FAILED_SEARCHES && !unread.is_empty() {
            let before = unread.len();
            if let Some((side, mut reading)) = find(&unread, query) {
                unread = self.skip_boards(side, &mut reading, &unread);
                readings.push((side, reading));
            }
            if unread.len() == before {
                self.failed_searches += 1;
                break;
            }
        }
        self.readings = readings;
        unread
    }

    /// Counts the boards of one size in some lines. Returns the lines that do not belong to them.
    fn skip_boards(&mut self, side: usize, reading: &mut Reading, lines: &[Line]) -> Vec<Line> {
        let (candidates, unread) = reading.read(lines);
        for candidate in candidates {
            if let Candidate::Board { line, .. } = candidate {
                self.count(side, line);
            }
        }
        unread
    }
}

/// The other size of which some lines have the most solutions, and the reading of its boards.
fn find(lines: &[Line], query: Query<'_>) -> Option<(usize, Reading)> {
    let mut best_size = None;
    for side in SIZES.filter(|&side| side != query.n()) {
        let Ok(size) = BoardSize::new(side) else { continue };
        let problem = Problem::queens(size);
        let best_reading = best(lines, Query { problem: &problem, ..query }, true);
        if let Some((score, reading)) = best_reading.filter(|(score, _)| score.solutions > 0) {
            keep_best(&mut best_size, score, || (side, reading));
        }
    }
    best_size.map(|(_, size)| size)
}
