//! The ways to read a text, and the best one for some lines.

use super::candidate::{Candidate, Score, is_permutation, keep_best};
use super::lines::Line;
use super::models::Models;
use super::places::{self, Drawn, Look};
use super::roles::Symbols;
use super::shape::{Shape, is_counting};
use super::{Notation, numbers, prose, rows, table};
use queens_board::problem::Problem;

/// The known facts about a text before it is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// The notation; `None` to detect it.
    pub notation: Option<Notation>,
    /// The symbols of queens and empty squares.
    pub symbols: Symbols,
    /// Whether nothing is read behind the first board.
    pub first_only: bool,
}

/// Of more lines than these, the first and the last ones decide on the reading, without sentences that occur again and again.
const MAX_LINES: usize = 1500;

/// A way to read a text.
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

    /// Reads some lines. Returns what is found, and the lines that are left over.
    pub fn read(&mut self, lines: &[Line]) -> (Vec<Candidate>, Vec<Line>) {
        let (mut candidates, mut rest) = (Vec::new(), Vec::new());
        for line in lines {
            if line.is_break() {
                self.end(&mut candidates);
            }
            if line.is_break() || !self.take(line, &mut candidates) {
                rest.push(line.clone());
            }
        }
        self.end(&mut candidates);
        (candidates, rest)
    }

    pub fn notation(&self) -> Notation {
        match self {
            Self::Places(reader) if reader.layout.roles.is_binary() => Notation::Binary,
            Self::Rows(reader) if reader.layout.roles.is_binary() => Notation::Binary,
            Self::Rows(reader) if reader.layout.is_fen() => Notation::Fen,
            Self::Places(_) | Self::Rows(_) => Notation::Matrix,
            Self::Models(_) => Notation::Dimacs,
            Self::Numbers(reader) => reader.shape.notation(),
        }
    }

    /// Whether boards of this reading are boards even if their columns are never all different.
    pub fn is_certain(&self, score: Score, n: usize) -> bool {
        match self {
            // On small boards, many sentences have such numbers.
            Self::Numbers(reader) => {
                !reader.shape.is_table
                    && (reader.shape.is_bare() || score.permutations > 0 && !matches!(n, 2 | 3))
            }
            _ => true,
        }
    }

    /// Whether columns that are not a solution, in a second notation, are an illegal board. Drawn boards and models are; numbers only if
    /// they are all different, and not in a sentence; otherwise they may be something else. A line that counts may number the columns of a
    /// drawn board.
    pub fn is_certain_board(&self, columns: &[u32]) -> bool {
        let Self::Numbers(numbers::Reader { shape, .. }) = self else { return true };
        let is_line = !shape.is_list && !matches!(shape.notation(), Notation::Squares | Notation::Pairs);
        is_permutation(columns) && !shape.has_words() && !(is_line && is_counting(columns))
    }
}

/// The best reading of some lines, and how much speaks for it. `is_exact`: whether lists with other numbers than those of a board
/// are left alone.
pub(super) fn best(
    lines: &[Line],
    problem: &Problem,
    hints: Hints,
    is_exact: bool,
) -> Option<(Score, Reading)> {
    let n = problem.n().get();
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
    let family = hints.notation.map(Notation::family);
    let is_allowed = |families: &[Notation]| family.is_none_or(|family| families.contains(&family));
    let mut best: Option<(Score, Reading)> = None;
    let mut offer = |score: Score, reading: Reading| {
        let matches_hint = hints.notation.is_none_or(|notation| {
            let family = notation.family();
            let actual = reading.notation();
            family == actual
                || family == Notation::Matrix && actual == Notation::Fen && notation != Notation::Matrix
        });
        if matches_hint {
            keep_best(&mut best, score, || reading);
        }
    };
    if is_allowed(&[Notation::Matrix, Notation::Binary, Notation::Fen]) {
        let has_colours = lines.iter().any(|line| line.text.contains(&0x1B));
        let has_bytes = lines.iter().any(|line| std::str::from_utf8(&line.text).is_err());
        for (colours, bytes) in [(false, true), (false, false), (true, true), (true, false)] {
            if colours && !has_colours || bytes && !has_bytes {
                continue;
            }
            let look = Look { colours, bytes };
            let drawn = Drawn::lines(lines, look);
            let find =
                |drawn: &[Drawn]| places::Layout::find(drawn, problem, hints.symbols, look, family.is_some());
            let best_layout = find(&drawn);
            let has_permutation = best_layout.as_ref().is_some_and(|(score, _)| score.permutations > 0);
            let unlabelled = if has_permutation { None } else { Drawn::without_labels(&drawn, n) };
            let best_layout = unlabelled.and_then(|drawn| find(&drawn)).or(best_layout);
            if let Some((score, layout)) = best_layout {
                offer(score, Reading::Places(places::Reader::new(layout)));
            }
        }
        if let Some((score, layout)) = rows::Layout::find(lines, problem, hints.symbols, family) {
            offer(score, Reading::Rows(rows::Reader::new(layout)));
        }
    }
    let lines_of_boards = || {
        let are_rows = table::rows(&lines.iter().collect::<Vec<_>>(), n);
        lines
            .iter()
            .zip(are_rows)
            .filter(|(_, is_row)| !is_row)
            .map(|(line, _)| line.clone())
            .collect::<Vec<Line>>()
    };
    let has_symbols = hints.symbols.queen.is_some();
    if !has_symbols
        && is_allowed(&NUMBERS)
        && let Some((score, shape)) = Shape::find(&lines_of_boards(), problem, family, is_exact)
    {
        offer(score, Reading::Numbers(numbers::Reader::new(shape)));
    }
    if !has_symbols && is_allowed(&[Notation::Dimacs]) {
        let score = Models::score(lines, problem);
        if score.boards > 0 || hints.notation == Some(Notation::Dimacs) {
            offer(score, Reading::Models(Models::new(problem.n().get(), lines)));
        }
    }
    best
}

pub(super) const NUMBERS: [Notation; 6] = [
    Notation::Columns,
    Notation::Columns1,
    Notation::Digits,
    Notation::Digits0,
    Notation::Squares,
    Notation::Pairs,
];
