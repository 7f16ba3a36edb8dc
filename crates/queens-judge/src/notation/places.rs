//! Reads drawn boards: `n` rows with `n` squares at equal distances, and any symbols between, above and beside the squares.
//! Boards may stand side by side.

use std::collections::HashMap;

use super::candidate::{Candidate, Score};
use super::cells::{BLANK, Style, Symbol, is_blank};
use super::drawn::{DrawnLine, SymbolRules, draw, ends_label};
use super::geometry::{Geometry, Margin, is_digit, is_letter};
use super::lines::Line;
use super::query::Query;
use super::roles::Roles;
use super::windows::{LinesBetweenRows, MAX_PITCH, Search, Window};

/// The maximum number of different labels that are compared.
const MAX_LABELS: usize = 256;

/// The maximum number of different margins that are compared.
const MAX_MARGINS: usize = 8;

/// The number of lines from which the geometry is derived. If these lines have no board, all lines are used.
fn sample_size(n: usize) -> usize {
    60 + 8 * n
}

/// How the boards of a text are drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    geometry: Geometry,
    lines_between: LinesBetweenRows,
    symbol_rules: SymbolRules,
    pub roles: Roles,
    /// The different margins of rows, without the first row of each board, which may follow a prompt.
    margins: Vec<Vec<Margin>>,
    /// The different labels beside rows.
    labels: Vec<Vec<i64>>,
    /// The symbols between the squares of rows, for each distance from the square on the left.
    gaps: Vec<Vec<Symbol>>,
    /// The maximum length of a row. The reader uses it to find the first row of a board behind a prompt.
    max_length: usize,
    /// A line that is often repeated between rows.
    repeated_line: Option<Vec<Symbol>>,
}

/// The most frequent line, if it has letters and makes up more than a third of all lines that are not empty.
fn repeated_line(lines: &[DrawnLine]) -> Option<Vec<Symbol>> {
    let mut counts: HashMap<&[Symbol], usize> = HashMap::new();
    let nonempty = || lines.iter().filter(|line| !line.symbols.is_empty());
    for line in nonempty() {
        *counts.entry(&line.symbols).or_default() += 1;
    }
    let (line, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let has_word = line.iter().filter(|&&symbol| is_letter(symbol)).count() > 2;
    (has_word && count > 3 && 3 * count > nonempty().count()).then(|| line.to_vec())
}

impl Layout {
    /// The layout in which the most solutions are found among some lines.
    pub fn find(lines: &[Line], query: Query<'_>, symbol_rules: SymbolRules) -> Option<(Score, Self)> {
        let lines = DrawnLine::lines(lines, symbol_rules);
        let best = Self::find_drawn(&lines, query, symbol_rules);
        if best.as_ref().is_some_and(|(score, _)| score.permutations > 0) {
            return best;
        }
        let unlabelled_lines = DrawnLine::without_labels(&lines, query.n());
        unlabelled_lines.and_then(|lines| Self::find_drawn(&lines, query, symbol_rules)).or(best)
    }

    fn find_drawn(lines: &[DrawnLine], query: Query<'_>, symbol_rules: SymbolRules) -> Option<(Score, Self)> {
        let n = query.n();
        if n < 2 {
            return None;
        }
        let repeated_line = repeated_line(lines);
        let is_not_repeated = |line: &&DrawnLine| Some(&line.symbols) != repeated_line.as_ref();
        let lines: Vec<DrawnLine> = lines.iter().filter(is_not_repeated).cloned().collect();
        let full_search = Search { lines: &lines, query };
        let sample_search = Search { lines: &lines[..lines.len().min(sample_size(n))], query };
        let has_more_lines = sample_search.lines.len() < lines.len();
        let best = sample_search.best_geometry();
        let best = best.or_else(|| if has_more_lines { full_search.best_geometry() } else { None });
        let (geometry, lines_between) = best?;
        let windows = full_search.windows(&geometry, lines_between);
        // Equal symbols in one column may be something other than queens.
        if query.hints.notation.is_none() && windows.iter().all(Window::is_constant) {
            return None;
        }
        let score = Score::from_boards(windows.iter().map(|window| &window.columns[..]), query.problem);
        let gaps = vec![Vec::new(); geometry.pitch];
        let mut layout =
            Self { geometry, lines_between, symbol_rules, gaps, repeated_line, ..Self::default() };
        layout.collect(&windows);
        Some((score, layout))
    }

    /// Collects the symbols, gaps, margins and labels of boards.
    fn collect(&mut self, windows: &[Window<'_>]) {
        let mut squares: Vec<(Vec<Symbol>, u32)> = Vec::new();
        for Window { lines, start, columns } in windows {
            for (row, (symbols, &queen)) in lines.iter().zip(columns).enumerate() {
                squares.push((self.geometry.row(symbols, *start), queen));
                for (offset, symbol) in self.geometry.gaps(symbols, *start) {
                    if !self.gaps[offset].contains(&symbol) {
                        self.gaps[offset].push(symbol);
                    }
                }
                let margins: Vec<Margin> =
                    self.geometry.margins(symbols).into_iter().map(Margin::from_symbols).collect();
                self.max_length = self.max_length.max(symbols.len());
                let labels = labels(&margins);
                if !self.labels.contains(&labels) && self.labels.len() < MAX_LABELS {
                    self.labels.push(labels);
                }
                let is_new = || !self.margins.iter().any(|other| are_alike(other, &margins));
                if row > 0 && self.margins.len() < MAX_MARGINS && is_new() {
                    self.margins.push(margins);
                }
            }
        }
        self.roles = Roles::from_rows(squares.iter().map(|(row, queen)| (&row[..], *queen)));
    }

    /// The number of boards that stand side by side.
    pub fn boards_side_by_side(&self) -> usize {
        self.geometry.starts.len()
    }
}

/// The labels of all margins of a row.
fn labels(margins: &[Margin]) -> Vec<i64> {
    margins.iter().flat_map(|margin| margin.labels.iter().copied()).collect()
}

/// Whether two rows have the same signs and equally many labels in each margin. In the second row, margins other than the first
/// one may be empty, because a board may be absent there.
fn are_alike(margins: &[Margin], second: &[Margin]) -> bool {
    margins.iter().zip(second).enumerate().all(|(part, (margin, second))| {
        let is_equal = margin.signs == second.signs && margin.labels.len() == second.labels.len();
        is_equal || part > 0 && second.is_empty()
    })
}

/// One row of boards that stand side by side: for each board the columns of the queens in this row, or `None` if the board is
/// absent.
type Row = Vec<Option<Vec<u32>>>;

/// What a line is in a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// One row of each board that stands in the line.
    Row(Row),
    /// A line of equal symbols.
    Rule,
    /// An empty line.
    Blank,
    /// The line that is often repeated between rows.
    Repeated,
    /// A line that does not belong to a board.
    Other,
}

/// The maximum number of lines in the cache. Framed boards have few different lines.
const MAX_CACHED_LINES: usize = 1 << 13;

/// Reads the boards of a layout, line by line.
#[derive(Clone, Debug, Default)]
pub(super) struct Reader {
    pub layout: Layout,
    /// The colours at the end of the previous line.
    style: Style,
    /// The symbols of the current line. The buffer is reused.
    symbols: Vec<Symbol>,
    /// For lines without colours: what each line is.
    cache: HashMap<Vec<u8>, Part>,
    /// The rows of the boards that are being read, each with the number of its line.
    rows: Vec<(u64, Row)>,
}

impl Reader {
    pub fn new(layout: Layout) -> Self {
        Self { layout, ..Self::default() }
    }

    /// Reads a line, and adds the boards that it completes to `out`. Returns whether the line belongs to a board or separates
    /// boards.
    pub fn read_line(&mut self, line: &Line, out: &mut Vec<Candidate>) -> bool {
        let part = self.part(&line.text);
        match part {
            Part::Row(row) => {
                self.rows.push((line.number, row));
                if self.rows.len() == self.layout.geometry.n {
                    self.end(out);
                }
                true
            }
            Part::Repeated => true,
            Part::Rule if self.layout.lines_between.rules => true,
            Part::Blank if self.layout.lines_between.blanks => true,
            Part::Rule | Part::Blank | Part::Other => {
                self.end(out);
                part != Part::Other
            }
        }
    }

    /// Ends the current board, because it is complete, the text ends, or something else follows.
    pub fn end(&mut self, out: &mut Vec<Candidate>) {
        let mut rows = std::mem::take(&mut self.rows);
        let is_complete = rows.len() == self.layout.geometry.n;
        let count = if is_complete { self.layout.boards_side_by_side() } else { rows.len().min(1) };
        for board in 0..count {
            if board == 0 || rows.iter().any(|(_, row)| row[board].is_some()) {
                let queens = rows.iter_mut().map(|(_, row)| row[board].take().unwrap_or_default());
                let queens: Vec<Vec<u32>> = queens.collect();
                out.push(Candidate::from_rows(rows[0].0, &queens, is_complete));
            }
        }
    }

    /// What a line is. The answer for a short line is cached.
    fn part(&mut self, text: &[u8]) -> Part {
        let is_plain = self.style == Style::default();
        if is_plain && let Some(part) = self.cache.get(text) {
            return part.clone();
        }
        let mut symbols = std::mem::take(&mut self.symbols);
        draw(text, &mut self.style, self.layout.symbol_rules, &mut symbols);
        let part = self.layout.part(&symbols);
        let is_cached = part != Part::Other && is_plain && self.style == Style::default();
        if is_cached && text.len() <= 64 * MAX_PITCH {
            if self.cache.len() >= MAX_CACHED_LINES {
                self.cache.clear();
            }
            self.cache.insert(text.to_vec(), part.clone());
        }
        // Only the first row of a board may stand behind a prompt.
        let row = if self.rows.is_empty() && matches!(part, Part::Rule | Part::Other) {
            self.layout.first_row(&symbols)
        } else {
            None
        };
        self.symbols = symbols;
        row.map_or(part, Part::Row)
    }
}

impl Layout {
    fn part(&self, line: &[Symbol]) -> Part {
        if line.is_empty() {
            return Part::Blank;
        }
        if self.repeated_line.as_ref().is_some_and(|repeated_line| repeated_line == line) {
            return Part::Repeated;
        }
        if let Some(row) = self.row(line, false) {
            return Part::Row(row);
        }
        let is_uniform = self.geometry.starts.iter().all(|&start| {
            let row = self.geometry.row(line, start);
            row.iter().all(|&symbol| symbol == row[0])
        });
        let has_words = line.iter().any(|&symbol| is_digit(symbol) || is_letter(symbol));
        if is_uniform && !has_words { Part::Rule } else { Part::Other }
    }

    /// The first row of a board behind a prompt or a label.
    fn first_row(&self, line: &[Symbol]) -> Option<Row> {
        // Text that consists only of squares is not a label.
        let is_label = |label_end: usize| {
            !line[..label_end].iter().all(|&symbol| is_blank(symbol) || self.roles.contains(symbol))
        };
        let label_end = line
            .len()
            .checked_sub(self.max_length)
            .filter(|&label_end| label_end > 0 && ends_label(line[label_end - 1]) && is_label(label_end));
        label_end.and_then(|label_end| self.row(&line[label_end..], false)).or_else(|| self.row(line, true))
    }

    /// The queens of a row, if the line is a row. `with_label`: whether a label stands before the first board.
    fn row(&self, line: &[Symbol], with_label: bool) -> Option<Row> {
        let geometry = &self.geometry;
        if line.is_empty() {
            return None;
        }
        let margins: Vec<Margin> = geometry.margins(line).into_iter().map(Margin::from_symbols).collect();
        let has_same_margins = |other: &Vec<Margin>| {
            if with_label {
                other[0].is_empty() && are_alike(&other[1..], &margins[1..])
            } else {
                are_alike(other, &margins)
            }
        };
        if !self.margins.iter().any(has_same_margins) {
            return None;
        }
        let mut boards = Vec::with_capacity(geometry.starts.len());
        for &start in &geometry.starts {
            let row = geometry.row(line, start);
            let has_squares = row.iter().any(|&symbol| symbol != BLANK);
            if !has_squares && !boards.is_empty() {
                boards.push(None);
                continue;
            }
            let queens = self.roles.queens(&row)?;
            // A short line, or a line without exactly one queen, is a row only if the signs between its squares occur in other
            // rows.
            let is_certain = queens.len() == 1 && line.len() > start + (geometry.n - 1) * geometry.pitch;
            let is_gap = |(offset, symbol): (usize, Symbol)| self.gaps[offset].contains(&symbol);
            if !is_certain && has_squares && !geometry.gaps(line, start).all(is_gap) {
                return None;
            }
            let has_margin_signs = || margins.iter().any(|margin| !margin.signs.is_empty());
            if queens.is_empty() && !has_squares && !has_margin_signs() {
                return None;
            }
            boards.push(Some(queens));
        }
        // A heading such as `10.` may look like a row without a queen, but its label differs from those of all rows.
        let has_queen = boards.iter().flatten().any(|queens| !queens.is_empty());
        (has_queen || self.labels.len() == MAX_LABELS || self.labels.contains(&labels(&margins)))
            .then_some(boards)
    }
}
