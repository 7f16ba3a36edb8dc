//! The readings of a text, and the best one for some lines. A reading is one way to find boards.

use super::candidate::{Candidate, Score, is_permutation, keep_best};
use super::drawn::SymbolRules;
use super::lines::Line;
use super::models::Models;
use super::number_format::{NumberFormat, is_consecutive};
use super::places;
use super::query::Query;
use super::{Notation, numbers, prose, rows, table};

/// The maximum number of lines that decide on the reading. Of more lines, sentences that are often repeated are ignored, and then the first
/// and the last lines decide.
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
    pub fn take(&mut self, line: &Line, out: &mut Vec<Candidate>) -> bool {
        match self {
            Self::Places(reader) => reader.take(line, out),
            Self::Rows(reader) => reader.take(line, out),
            Self::Numbers(reader) => reader.take(line, out),
            Self::Models(models) => models.take(line, out),
        }
    }

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
            if line.is_break() || !self.take(line, &mut candidates) {
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

    /// Whether what this reading finds are boards. Numbers may be anything if the columns of no board are all different.
    pub fn is_certain(&self, score: Score, n: usize) -> bool {
        match self {
            // On small boards, many sentences have such numbers.
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

    /// The maximum number of boards beside each other. Each may have numbers of columns.
    pub fn width(&self) -> usize {
        if let Self::Places(reader) = self { reader.layout.width() } else { usize::MAX }
    }

    /// Whether columns in a second notation certainly are a board. Drawn boards and models are. Numbers are, if they are all different and
    /// not within a sentence. A line that counts may number the columns of a drawn board.
    pub fn is_certain_board(&self, columns: &[u32]) -> bool {
        let Self::Numbers(numbers::Reader { format, .. }) = self else { return true };
        let is_line = !format.is_list && !matches!(format.notation(), Notation::Squares | Notation::Pairs);
        is_permutation(columns) && !format.is_in_sentence() && !(is_line && is_consecutive(columns))
    }
}

/// The best reading of some lines, and its score. `is_strict`: whether lists with other numbers than those of a board are not boards.
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
    if query.family().is_none_or(Notation::is_number) {
        let are_rows = table::rows(&lines.iter().collect::<Vec<_>>(), n);
        let others = lines.iter().zip(are_rows).filter(|(_, is_row)| !is_row);
        let others: Vec<Line> = others.map(|(line, _)| line.clone()).collect();
        if let Some((score, format)) = NumberFormat::find(&others, query, is_strict) {
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
