//! The geometry of drawn boards: where the squares are, and which symbols are between and beside them. Each row has `n` squares
//! at equal distances.

use std::collections::HashMap;

use super::cells::{BLANK, Symbol, character, is_blank, without_colours};

/// The places of the squares of boards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Geometry {
    pub n: usize,
    /// The distance between two neighbouring squares, in symbols.
    pub pitch: usize,
    /// The place of the first square of each board. Boards may stand side by side.
    pub starts: Vec<usize>,
    /// How many symbols on the left of its place belong to a square, and how many on the right.
    pub reach: [usize; 2],
}

impl Geometry {
    /// The symbol on a square.
    pub fn cell(&self, line: &[Symbol], start: usize, column: usize) -> Symbol {
        line.get(start + column * self.pitch).copied().unwrap_or(BLANK)
    }

    /// The symbols on the squares of a row.
    pub fn row(&self, line: &[Symbol], start: usize) -> Vec<Symbol> {
        (0..self.n).map(|column| self.cell(line, start, column)).collect()
    }

    /// The symbols between the squares of a row, each with its distance from the square on the left. The line may end within the
    /// row, because blanks at the end of a line are often not printed.
    pub fn gaps(&self, line: &[Symbol], start: usize) -> impl Iterator<Item = (usize, Symbol)> {
        let width = (self.n - 1) * self.pitch;
        let symbols = line.iter().skip(start).take(width).enumerate();
        symbols.filter_map(|(at, &symbol)| {
            let offset = at % self.pitch;
            (offset > 0 && !is_digit(symbol)).then_some((offset, symbol))
        })
    }

    /// The parts of a line before, between and behind the boards.
    pub fn margins<'l>(&self, line: &'l [Symbol]) -> Vec<&'l [Symbol]> {
        let width = (self.n - 1) * self.pitch + 1;
        let mut margin_start = 0;
        let mut margins = Vec::with_capacity(self.starts.len() + 1);
        for &start in &self.starts {
            let margin_end = start.saturating_sub(self.reach[0]).max(margin_start);
            margins.push(&line[margin_start.min(line.len())..margin_end.min(line.len())]);
            margin_start = start + width + self.reach[1];
        }
        margins.push(&line[margin_start.min(line.len())..]);
        margins
    }

    /// Whether the geometry explains the lines of some rows, and sets `reach`. The symbols between the squares must be the same
    /// everywhere, or depend on a neighbouring square. The symbols beside the board must be the same in all rows, or number the
    /// rows.
    pub fn explains(&mut self, lines: &[&[Symbol]]) -> bool {
        let varying_offsets: Vec<usize> =
            (1..self.pitch).filter(|&offset| self.varies(lines, offset)).collect();
        // The first offsets that vary belong to the square on the left, the other offsets to the square on the right.
        (0..=varying_offsets.len()).rev().any(|split| {
            let (of_left, of_right) = varying_offsets.split_at(split);
            self.reach = [
                of_right.first().map_or(0, |first| self.pitch - first),
                of_left.last().copied().unwrap_or(0),
            ];
            of_left.iter().all(|&offset| self.depends_on_square(lines, offset, 0))
                && of_right.iter().all(|&offset| self.depends_on_square(lines, offset, 1))
                && self.has_equal_margins(lines)
                && !self.has_squares_beyond(lines)
                && self.has_no_words_beside(lines)
        })
    }

    /// For each square except the last square of a row: the row and column of the square, the start of its board, and the symbol at
    /// an offset behind the square.
    fn symbols_behind<'l>(
        &'l self,
        lines: &'l [&[Symbol]],
        offset: usize,
    ) -> impl Iterator<Item = (usize, usize, usize, Option<Symbol>)> + 'l {
        let boards = lines
            .iter()
            .enumerate()
            .flat_map(|(row, line)| self.starts.iter().map(move |&start| (row, line, start)));
        boards.flat_map(move |(row, line, start)| {
            let symbol = move |column| line.get(start + column * self.pitch + offset).copied();
            (0..self.n - 1).map(move |column| (row, column, start, symbol(column)))
        })
    }

    /// Whether different symbols stand at an offset behind the squares.
    fn varies(&self, lines: &[&[Symbol]], offset: usize) -> bool {
        let mut symbols = self.symbols_behind(lines, offset).map(|(.., symbol)| symbol.unwrap_or(BLANK));
        symbols.next().is_some_and(|first| symbols.any(|symbol| symbol != first))
    }

    /// Whether the symbols at an offset are determined by the square on the left (`next` = 0) or on the right (1) and its colour
    /// on a chessboard. Digits are ignored, because the numbers `1` and `10` have the same first digit.
    fn depends_on_square(&self, lines: &[&[Symbol]], offset: usize, next: usize) -> bool {
        let mut symbols: HashMap<(Symbol, usize), Symbol> = HashMap::new();
        self.symbols_behind(lines, offset).all(|(row, column, start, symbol)| {
            let square = (self.cell(lines[row], start, column + next), (row + column + next) % 2);
            // Blanks at the end of a line are often not printed.
            symbol.is_none_or(|symbol| is_digit(symbol) || *symbols.entry(square).or_insert(symbol) == symbol)
        })
    }

    /// Whether there are squares beyond the board, so that it is a part of a larger board.
    fn has_squares_beyond(&self, lines: &[&[Symbol]]) -> bool {
        let squares: Vec<Symbol> = lines.iter().flat_map(|line| self.row(line, self.starts[0])).collect();
        // A sign behind a board is a square if it also occurs on the board.
        let has_square = |margin: &&[Symbol]| {
            Margin::from_symbols(margin)
                .signs
                .iter()
                .any(|sign| squares.iter().any(|square| without_colours(*square) == *sign))
        };
        if lines.iter().any(|line| self.margins(line)[1..].iter().any(has_square)) {
            return true;
        }
        let width = (self.n - 1) * self.pitch + 1;
        let is_in_board = |at: usize| {
            let board_start = |start: usize| start.saturating_sub(self.reach[0]);
            self.starts.iter().any(|&start| (board_start(start)..start + width + self.reach[1]).contains(&at))
        };
        let places_beyond = self
            .starts
            .iter()
            .flat_map(|&start| [start.checked_sub(self.pitch), Some(start + self.n * self.pitch)]);
        places_beyond.flatten().filter(|&at| !is_in_board(at)).any(|at| {
            // Row numbers are not squares. A row number may be 0 or 1, as a square may be.
            let digit = |line: &&[Symbol]| character(*line.get(at)?)?.to_digit(10);
            let digits: Option<Vec<u32>> = lines.iter().map(digit).collect();
            let are_labels =
                digits.is_some_and(|digits| self.n > 2 && super::number_format::is_consecutive(&digits));
            let is_square = |&symbol: &Symbol| symbol != BLANK && squares.contains(&symbol);
            !are_labels && lines.iter().any(|line| line.get(at).is_some_and(is_square))
        })
    }

    /// Whether the symbols between the squares are the same everywhere or depend on a neighbouring square.
    pub fn has_equal_gaps(&self, lines: &[&[Symbol]]) -> bool {
        (1..self.pitch).all(|offset| {
            !self.varies(lines, offset)
                || self.depends_on_square(lines, offset, 0)
                || self.depends_on_square(lines, offset, 1)
        })
    }

    /// Whether no words are between and behind the boards. For n up to 3, no letters but those of the first board may be on a
    /// line, because a sentence looks like a small board.
    fn has_no_words_beside(&self, lines: &[&[Symbol]]) -> bool {
        if self.n <= 3 {
            let cells: Vec<Symbol> = lines.iter().flat_map(|line| self.row(line, self.starts[0])).collect();
            return lines
                .iter()
                .all(|line| line.iter().all(|symbol| !is_letter(*symbol) || cells.contains(symbol)));
        }
        let has_words =
            |margin: &[Symbol]| margin.windows(2).any(|two| two.iter().all(|&symbol| is_letter(symbol)));
        !lines.iter().any(|line| self.margins(line)[1..].iter().any(|margin| has_words(margin)))
    }

    /// Whether the symbols beside the boards are the same in all rows, or number the rows.
    fn has_equal_margins(&self, lines: &[&[Symbol]]) -> bool {
        let margins: Vec<Vec<Margin>> = lines
            .iter()
            .map(|line| self.margins(line).into_iter().map(Margin::from_symbols).collect())
            .collect();
        (0..=self.starts.len()).all(|part| {
            let column: Vec<&Margin> = margins.iter().map(|margins| &margins[part]).collect();
            // A label or a prompt may stand before the first row. Then nothing stands before the other rows.
            Margin::are_equal(&column) || part == 0 && column[1..].iter().all(|margin| margin.is_empty())
        })
    }
}

/// The symbols beside the squares of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Margin {
    /// The symbols without blanks, brackets, quotes, commas, semicolons and labels.
    pub signs: Vec<Symbol>,
    /// The numbers, and the single letters as negative numbers.
    pub labels: Vec<i64>,
}

impl Margin {
    pub fn from_symbols(text: &[Symbol]) -> Self {
        let mut margin = Self::default();
        let class = |symbol: Symbol| (is_digit(symbol), is_letter(symbol));
        for run in text.chunk_by(|&one, &next| class(one) == class(next)) {
            let c = |symbol: Symbol| character(symbol).unwrap_or('\u{fffd}');
            if is_digit(run[0]) {
                let digit = |symbol: Symbol| i64::from(c(symbol).to_digit(10).unwrap_or(0));
                let value = run.iter().fold(0, |value, &symbol| (10 * value + digit(symbol)).min(1 << 40));
                margin.labels.push(value);
            } else if is_letter(run[0]) && run.len() == 1 {
                margin.labels.push(-i64::from(u32::from(c(run[0]).to_ascii_lowercase())));
            } else {
                let is_sign = |&symbol: &Symbol| !is_blank(symbol) && !"\t\"'()[]{},;".contains(c(symbol));
                margin.signs.extend(run.iter().copied().filter(is_sign).map(without_colours));
            }
        }
        margin
    }

    pub fn is_empty(&self) -> bool {
        self.signs.is_empty() && self.labels.is_empty()
    }

    /// Whether the margins of the rows are the same, apart from labels that count up or down.
    fn are_equal(margins: &[&Self]) -> bool {
        let first = margins[0];
        let is_like_first =
            |other: &&Self| other.signs == first.signs && other.labels.len() == first.labels.len();
        if !margins.iter().all(is_like_first) {
            return false;
        }
        let have_equal_steps = |label: usize| {
            let values: Vec<i64> = margins.iter().map(|margin| margin.labels[label]).collect();
            let mut steps = values.windows(2).map(|two| two[1] - two[0]);
            let step = steps.next().unwrap_or(0);
            step.abs() <= 1 && steps.all(|other| other == step)
        };
        (0..first.labels.len()).all(have_equal_steps)
    }
}

pub(super) fn is_digit(symbol: Symbol) -> bool {
    character(symbol).is_some_and(|c| c.is_ascii_digit())
}

pub(super) fn is_letter(symbol: Symbol) -> bool {
    character(symbol).is_some_and(char::is_alphabetic)
}
