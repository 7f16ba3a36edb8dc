//! The readings of a text: the ways to find boards in it. [`best`] chooses the reading with the best score for some lines.

use super::candidate::{Candidate, Score, is_permutation, keep_best};
use super::drawn::SymbolRules;
use super::lines::Line;
use super::models::Models;
use super::number_format::{NumberFormat, is_consecutive};
use super::places;
use super::query::Query;
use super::{Notation, numbers, prose, rows, table};

/// The maximum number of lines from which a reading is chosen, in addition to 8 lines per row of a board. If there are more
/// lines, sentences that are often repeated are removed first, and then the lines in the middle.
const MAX_LINES: usize = 1500;

/// A way to find boards in a text.
#[derive(Clone, Debug)]
pub(super) enum Reading {
    Places(places::Reader),
    Rows(rows::Reader),
    Numbers(numbers::Reader),
    Models(Models),
}

impl Reading {
    /// Reads a line, and adds the boards that it completes to `out`. Returns whether the line belongs to a board.
    pub fn read_line(&mut self, line: &Line, out: &mut Vec<Candidate>) -> bool {
        match self {
            Self::Places(reader) => reader.read_line(line, out),
            Self::Rows(reader) => reader.read_line(line, out),
            Self::Numbers(reader) => reader.read_line(line, out),
            Self::Models(models) => models.read_line(line, out),
        }
    }

    /// Ends the text, or a part of it. A board that is not complete is added to `out` as a malformed board.
    pub fn end(&mut self, out: &mut Vec<Candidate>) {
        match self {
            Self::Places(reader) => reader.end(out),
            Self::Rows(reader) => reader.end(out),
            Self::Numbers(reader) => reader.end(out),
            Self::Models(models) => models.end(out),
        }
    }

    /// Reads some lines. Returns the candidates, and the lines that do not belong to boards.
    pub fn read(&mut self, lines: &[Line]) -> (Vec<Candidate>, Vec<Line>) {
        let (mut candidates, mut unread) = (Vec::new(), Vec::new());
        for line in lines {
            if line.is_break() {
                self.end(&mut candidates);
            }
            if line.is_break() || !self.read_line(line, &mut candidates) {
                unread.push(line.clone());
            }
        }
        self.end(&mut candidates);
        (candidates, unread)
    }

    pub fn notation(&self) -> Notation {
        match self {
            Self::Places(reader) if reader.layout.roles.is_binary() => Notation::Binary,
            Self::Rows(reader) if reader.layout.roles.is_binary() => Notation::Binary,
            Self::Rows(reader) if reader.layout.is_fen() => Notation::Fen,
            Self::Places(_) | Self::Rows(_) => Notation::Matrix,
            Self::Models(_) => Notation::Dimacs,
            Self::Numbers(reader) => reader.format.notation(),
        }
    }

    /// Whether the candidates of this reading are certainly boards. Drawn boards and models always are. Boards that are written as
    /// numbers are certain if they cannot be a table, and if the lines consist only of numbers or at least one board is a
    /// permutation.
    pub fn is_certain(&self, score: Score, n: usize) -> bool {
        match self {
            // Many sentences contain two or three numbers that look like a small board.
            Self::Numbers(reader) => {
                !reader.format.may_be_table
                    && (reader.format.has_only_numbers() || score.permutations > 0 && !matches!(n, 2 | 3))
            }
            _ => true,
        }
    }

    /// Whether boards are drawn.
    pub fn is_drawn(&self) -> bool {
        matches!(self, Self::Places(_) | Self::Rows(_))
    }

    /// The maximum number of boards side by side; `usize::MAX` if it is not limited.
    pub fn max_boards_side_by_side(&self) -> usize {
        if let Self::Places(reader) = self { reader.layout.boards_side_by_side() } else { usize::MAX }
    }

    /// Whether columns in a second notation are certainly a board. Drawn boards and models always are. Columns that are written as
    /// numbers are a board if they are a permutation and not within a sentence, except that a line of consecutive numbers may label
    /// the columns of a drawn board.
    pub fn is_certain_board(&self, columns: &[u32]) -> bool {
        let Self::Numbers(numbers::Reader { format, .. }) = self else { return true };
        let is_line = !format.is_list && !matches!(format.notation(), Notation::Squares | Notation::Pairs);
        is_permutation(columns) && !format.is_in_sentence() && !(is_line && is_consecutive(columns))
    }
}

/// The best reading of some lines, and its score. `is_strict`: whether a list that contains more numbers than a board is rejected.
pub(super) fn best(lines: &[Line], query: Query<'_>, is_strict: bool) -> Option<(Score, Reading)> {
    let n = query.n();
    let is_long = |lines: &[Line]| lines.len() > MAX_LINES + 8 * n;
    let mut sample: Vec<Line>;
    let mut lines = lines;
    if is_long(lines) {
        sample = prose::without_repeats(lines, n);
        if is_long(&sample) {
            sample.splice(MAX_LINES / 2..sample.len() - MAX_LINES / 2, [Line::BREAK]);
        }
        lines = &sample;
    }
    let mut best: Option<(Score, Reading)> = None;
    let mut offer = |score: Score, reading: Reading| {
        if query.family().is_none_or(|family| family == reading.notation()) {
            keep_best(&mut best, score, || reading);
        }
    };
    if query.family().is_none_or(Notation::has_rows) {
        let has_colours = lines.iter().any(|line| line.text.contains(&0x1B));
        let has_bytes = lines.iter().any(|line| std::str::from_utf8(&line.text).is_err());
        for (colours, bytes) in [(false, true), (false, false), (true, true), (true, false)] {
            if colours && !has_colours || bytes && !has_bytes {
                continue;
            }
            if let Some((score, layout)) = places::Layout::find(lines, query, SymbolRules { colours, bytes })
            {
                offer(score, Reading::Places(places::Reader::new(layout)));
            }
        }
        if let Some((score, layout)) = rows::Layout::find(lines, query) {
            offer(score, Reading::Rows(rows::Reader::new(layout)));
        }
    }
    if query.hints.symbols.queen.is_some() {
        return best;
    }
    if query.family().is_none_or(Notation::has_numbers) {
        let are_rows = table::rows(&lines.iter().collect::<Vec<_>>(), n);
        let without_tables = lines.iter().zip(are_rows).filter(|(_, is_row)| !is_row);
        let without_tables: Vec<Line> = without_tables.map(|(line, _)| line.clone()).collect();
        if let Some((score, format)) = NumberFormat::find(&without_tables, query, is_strict) {
            offer(score, Reading::Numbers(numbers::Reader::new(format)));
        }
    }
    if query.family().is_none_or(|family| family == Notation::Dimacs) {
        let score = Models::score(lines, query.problem);
        if score.boards > 0 || query.hints.notation == Some(Notation::Dimacs) {
            offer(score, Reading::Models(Models::new(n, lines)));
        }
    }
    best
}
