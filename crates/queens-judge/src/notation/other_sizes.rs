//! Boards of other sizes than the expected one. They are skipped and counted.

use super::candidate::{Candidate, keep_best};
use super::lines::Line;
use super::query::Query;
use super::reading::{Reading, best};
use crate::SkippedSize;
use queens_board::BoardSize;
use queens_board::problem::Problem;

/// The maximum number of unsuccessful searches. After these, only boards of sizes that occurred before are skipped.
const MAX_FAILED_SEARCHES: u32 = 3;

/// The sizes that are recognised. Smaller boards are not, because many sentences look like them.
const SIZES: std::ops::RangeInclusive<usize> = 4..=14;

/// The boards of other sizes in a text.
#[derive(Debug, Default)]
pub(super) struct OtherSizes {
    pub sizes: Vec<SkippedSize>,
    /// The readings of the boards of each side.
    readings: Vec<(usize, Reading)>,
    failed_searches: u32,
}

impl OtherSizes {
    /// Counts a board.
    pub fn count(&mut self, side: usize, line: u64) {
        match self.sizes.iter_mut().find(|size| size.side == side) {
            Some(size) => size.board_count += 1,
            None => self.sizes.push(SkippedSize { side, board_count: 1, first_line: line }),
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
            let count_before = unread.len();
            if let Some((side, mut reading)) = find_other_size(&unread, query) {
                unread = self.skip_boards(side, &mut reading, &unread);
                readings.push((side, reading));
            }
            if unread.len() == count_before {
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

/// Finds the size, other than the expected size, of which some lines contain the most solutions. Returns it with the reading of its
/// boards.
fn find_other_size(lines: &[Line], query: Query<'_>) -> Option<(usize, Reading)> {
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
