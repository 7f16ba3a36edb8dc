//! Boards whose squares stand in fixed places: `n` rows, `n` squares at equal distances in each, whatever is between, above and
//! beside them. Boards may stand beside each other.

use std::collections::HashMap;

use super::candidate::{Board, Candidate, Score, is_permutation, keep_best};
use super::cells::{self, BLANK, Style, Symbol, character, is_blank, plain};
use super::geometry::{Geometry, Margin, is_digit, is_letter};
use super::lines::Line;
use super::roles::{self, Roles, Symbols};
use queens_board::problem::Problem;

/// What is a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    /// Whether colours tell symbols apart.
    pub colours: bool,
    /// Whether each byte is a symbol, as in old code pages, rather than each character of UTF-8.
    pub bytes: bool,
}

/// A line as symbols.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub number: u64,
    pub symbols: Vec<Symbol>,
}

impl Drawn {
    /// The lines of a text.
    pub fn lines(lines: &[Line], look: Look) -> Vec<Self> {
        let mut style = Style::default();
        lines.iter().map(|line| Self::of(line, &mut style, look)).collect()
    }

    /// The same without what stands before the first row of a board, which is longer than those below: a label, or a prompt.
    /// `None` if there is nothing to leave out.
    pub fn without_labels(lines: &[Self], n: usize) -> Option<Vec<Self>> {
        let mut lines = lines.to_vec();
        let mut is_changed = false;
        for at in 0..lines.len() {
            let Some(below) = lines.get(at + 1..at + n) else { break };
            let length = below.first().map_or(0, |line| line.symbols.len());
            let symbols = &lines[at].symbols;
            if length < n || symbols.len() <= length || below.iter().any(|line| line.symbols.len() != length)
            {
                continue;
            }
            let before = symbols[symbols.len() - length - 1];
            if is_blank(before) || character(before).is_some_and(|c| ":?>.)=".contains(c)) {
                let label = symbols.len() - length;
                lines[at].symbols.drain(..label);
                is_changed = true;
            }
        }
        is_changed.then_some(lines)
    }

    fn of(line: &Line, style: &mut Style, look: Look) -> Self {
        let mut symbols = Vec::new();
        read(&line.text, style, look, &mut symbols);
        Self { number: line.number, symbols }
    }
}

fn read(text: &[u8], style: &mut Style, look: Look, symbols: &mut Vec<Symbol>) {
    cells::symbols(text, style, look.bytes, symbols);
    if !look.colours {
        symbols.iter_mut().for_each(|symbol| *symbol = plain(*symbol));
    }
    let end = symbols.iter().rposition(|&symbol| symbol != BLANK).map_or(0, |last| last + 1);
    symbols.truncate(end);
}

/// What may stand between two rows of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Between {
    rules: bool,
    blanks: bool,
}

const BETWEEN: [Between; 4] = [
    Between { rules: false, blanks: false },
    Between { rules: true, blanks: false },
    Between { rules: false, blanks: true },
    Between { rules: true, blanks: true },
];

/// Lines beyond this length, in symbols per square of a row, are not drawn boards.
const MAX_PITCH: usize = 24;

/// The maximum number of different labels that are compared.
const MAX_LABELS: usize = 256;

/// Lines from which the places are found, unless there is no board in them: this many, and so many per row.
const SAMPLE: [usize; 2] = [60, 8];

/// How the boards of a text are drawn.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    geometry: Geometry,
    between: Between,
    look: Look,
    pub roles: Roles,
    /// The margins of rows.
    margins: Vec<Vec<Margin>>,
    /// The different labels beside rows.
    labels: Vec<Vec<i64>>,
    /// The symbols between the squares of rows, for each distance from the square on the left.
    gaps: Vec<Vec<Symbol>>,
    /// The length of a row, to find the first row behind a prompt.
    length: usize,
    /// A line that stands between rows again and again.
    repeated: Option<Vec<Symbol>>,
}

/// The line that is more than a third of all lines, if it has letters.
fn repeated(lines: &[Drawn]) -> Option<Vec<Symbol>> {
    let mut counts: HashMap<&[Symbol], usize> = HashMap::new();
    let written = || lines.iter().filter(|line| !line.symbols.is_empty());
    for line in written() {
        *counts.entry(&line.symbols).or_default() += 1;
    }
    let (line, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let has_word = line.iter().filter(|&&symbol| is_letter(symbol)).count() > 2;
    (has_word && count > 3 && 3 * count > written().count()).then(|| line.to_vec())
}

/// A board and the indices of its lines.
struct Window {
    lines: Vec<usize>,
    board: Board,
}

impl Window {
    /// The lines of its rows.
    fn rows<'l>(&self, lines: &'l [Drawn]) -> Vec<&'l [Symbol]> {
        with_indices(lines, &self.lines)
    }
}

/// The lines with these indices.
fn with_indices<'l>(lines: &'l [Drawn], indices: &[usize]) -> Vec<&'l [Symbol]> {
    indices.iter().map(|&at| &lines[at].symbols[..]).collect()
}

/// What a line is for a geometry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Row,
    /// More symbols than a row has.
    Other,
    Rule,
    Blank,
}

impl Layout {
    /// The layout in which the most solutions are found among some lines.
    pub fn find(
        lines: &[Drawn],
        problem: &Problem,
        named: Symbols,
        look: Look,
        is_given: bool,
    ) -> Option<(Score, Self)> {
        let n = problem.n().get();
        if n < 2 {
            return None;
        }
        let repeated = repeated(lines);
        let is_other = |line: &&Drawn| Some(&line.symbols) != repeated.as_ref();
        let lines = &lines.iter().filter(is_other).cloned().collect::<Vec<Drawn>>()[..];
        let first = &lines[..lines.len().min(SAMPLE[0] + SAMPLE[1] * n)];
        let (geometry, between) = best(first, problem, named)
            .or_else(|| if first.len() < lines.len() { best(lines, problem, named) } else { None })?;
        let windows = windows(lines, &geometry, between, named, true);
        // One column of equal symbols may be anything.
        if !is_given && windows.iter().all(|window| window.board.is_constant()) {
            return None;
        }
        let score = Score::of(windows.iter().map(|window| &window.board), problem);
        let mut layout = Self {
            geometry,
            between,
            look,
            roles: Roles::default(),
            margins: Vec::new(),
            labels: Vec::new(),
            gaps: Vec::new(),
            length: 0,
            repeated,
        };
        layout.learn(lines, &windows);
        Some((score, layout))
    }

    /// Collects the symbols, gaps and margins of boards.
    fn learn(&mut self, lines: &[Drawn], windows: &[Window]) {
        self.gaps = vec![Vec::new(); self.geometry.pitch];
        let mut squares: Vec<(Vec<Symbol>, u32)> = Vec::new();
        for Window { lines: indices, board } in windows {
            for (row, symbols) in with_indices(lines, indices).into_iter().enumerate() {
                squares.push((self.geometry.row(symbols, board.start), board.columns[row]));
                for (offset, symbol) in self.geometry.gaps(symbols, board.start) {
                    if !self.gaps[offset].contains(&symbol) {
                        self.gaps[offset].push(symbol);
                    }
                }
                let margins: Vec<Margin> =
                    self.geometry.margins(symbols).into_iter().map(Margin::of).collect();
                self.length = self.length.max(symbols.len());
                let labels = labels(&margins);
                if !self.labels.contains(&labels) && self.labels.len() < MAX_LABELS {
                    self.labels.push(labels);
                }
                if row > 0
                    && !self.margins.iter().any(|other| are_alike(other, &margins))
                    && self.margins.len() < 8
                {
                    self.margins.push(margins);
                }
            }
        }
        self.roles = Roles::of(squares.iter().map(|(row, queen)| (&row[..], *queen)));
    }

    /// The number of boards beside each other.
    pub fn width(&self) -> usize {
        self.geometry.starts.len()
    }
}

/// The labels of all margins of a row.
fn labels(margins: &[Margin]) -> Vec<i64> {
    margins.iter().flat_map(|margin| margin.labels.iter().copied()).collect()
}

/// Whether margins have the same signs, or the second one has none where a board is absent.
fn are_alike(margins: &[Margin], other: &[Margin]) -> bool {
    margins.iter().zip(other).enumerate().all(|(part, (one, other))| {
        one.signs == other.signs && one.labels.len() == other.labels.len() || part > 0 && other.is_empty()
    })
}

/// The best geometry for some lines.
fn best(lines: &[Drawn], problem: &Problem, named: Symbols) -> Option<(Geometry, Between)> {
    let n = problem.n().get();
    let is_short = |length: &usize| *length <= MAX_PITCH * n + 200;
    let longest = lines.iter().map(|line| line.symbols.len()).filter(is_short).max()?;
    let mut best: Option<(Score, (Geometry, Between))> = None;
    for pitch in 1..=(longest.saturating_sub(1) / (n - 1)).max(1) {
        let width = (n - 1) * pitch + 1;
        let mut beside: [[Vec<usize>; 2]; BETWEEN.len()] = Default::default();
        for start in 0..=longest.saturating_sub(width) {
            let mut geometry = Geometry { n, pitch, starts: vec![start], reach: [0, 0] };
            let rows = Rows::of(lines, &geometry, start, named);
            if rows.kinds.iter().filter(|kind| **kind == Kind::Row).count() < n {
                continue;
            }
            for (between, beside) in BETWEEN.into_iter().zip(&mut beside) {
                let all_windows = windows_of(&rows, lines, &geometry, between, named, false);
                if all_windows.is_empty() {
                    continue;
                }
                // With permutations, and also without.
                let is_even = |window: &Window| geometry.has_equal_gaps(&window.rows(lines));
                let is_board = [
                    all_windows.iter().any(|window| is_permutation(&window.board.columns) && is_even(window)),
                    all_windows.iter().any(|window| !window.board.is_constant() && is_even(window)),
                ];
                for (beside, is_board) in beside.iter_mut().zip(is_board) {
                    if is_board && beside.last().is_none_or(|last| start > last + width) {
                        beside.push(start);
                    }
                }
                let explained = |window: &&Window| geometry.clone().explains(&window.rows(lines));
                let explained: Vec<&Window> = all_windows.iter().filter(explained).collect();
                let Some(first) = explained.first() else { continue };
                let score = Score::of(explained.iter().map(|window| &window.board), problem);
                keep_best(&mut best, score, || {
                    geometry.explains(&first.rows(lines));
                    (geometry.clone(), between)
                });
            }
        }
        let beside =
            BETWEEN.into_iter().zip(beside).flat_map(|(between, both)| both.map(|starts| (between, starts)));
        for (between, starts) in beside.filter(|(_, starts)| starts.len() > 1) {
            let geometry = Geometry { n, pitch, starts, reach: [0, 0] };
            let Some(geometry) = beside_each_other(lines, geometry, between, named) else { continue };
            let all_windows = windows(lines, &geometry, between, named, true);
            // One column of equal symbols, such as a label beside each row, may be anything.
            let boards = all_windows.iter().map(|window| &window.board).filter(|board| !board.is_constant());
            let score = Score::of(boards, problem);
            // Equal signs at equal distances stand in many texts.
            if score.solutions > 0 {
                keep_best(&mut best, score, || (geometry, between));
            }
        }
    }
    best.map(|(_, best)| best)
}

/// The geometry with its reach, if boards beside each other explain their lines.
fn beside_each_other(
    lines: &[Drawn],
    geometry: Geometry,
    between: Between,
    named: Symbols,
) -> Option<Geometry> {
    let all_windows = windows(lines, &geometry, between, named, false);
    let last = *geometry.starts.last()?;
    let mut full = all_windows.iter().filter(|window| window.board.start == last);
    full.find_map(|window| {
        let mut geometry = geometry.clone();
        geometry.explains(&window.rows(lines)).then_some(geometry)
    })
}

/// The rows of lines at one start, and what the lines are.
struct Rows {
    kinds: Vec<Kind>,
    /// `n` symbols for each line.
    cells: Vec<Symbol>,
}

impl Rows {
    fn of(lines: &[Drawn], geometry: &Geometry, start: usize, named: Symbols) -> Self {
        let n = geometry.n;
        let mut cells = Vec::with_capacity(n * lines.len());
        let mut kinds = Vec::with_capacity(lines.len());
        for Drawn { number, symbols } in lines {
            let from = cells.len();
            cells.extend((0..n).map(|column| geometry.cell(symbols, start, column)));
            let row = &cells[from..];
            kinds.push(if *number == Line::BREAK.number {
                Kind::Other
            } else if symbols.is_empty() {
                Kind::Blank
            } else if row.iter().all(|&symbol| symbol == row[0]) || symbols.len() > MAX_PITCH * n + 200 {
                Kind::Rule
            } else if named.queen.is_none() && !roles::may_be_row(row) {
                Kind::Other
            } else {
                Kind::Row
            });
        }
        Self { kinds, cells }
    }
}

/// The boards of a geometry: `n` rows that follow each other. `is_sure`: only those whose lines are explained.
fn windows(
    lines: &[Drawn],
    geometry: &Geometry,
    between: Between,
    named: Symbols,
    is_sure: bool,
) -> Vec<Window> {
    let rows = Rows::of(lines, geometry, geometry.starts[0], named);
    windows_of(&rows, lines, geometry, between, named, is_sure)
}

fn windows_of(
    rows: &Rows,
    lines: &[Drawn],
    geometry: &Geometry,
    between: Between,
    named: Symbols,
    is_sure: bool,
) -> Vec<Window> {
    let n = geometry.n;
    let start = geometry.starts[0];
    let mut all = Vec::new();
    // The indices of the rows that follow each other, from `first` on.
    let (mut indices, mut first): (Vec<usize>, usize) = (Vec::new(), 0);
    let mut cells: Vec<&[Symbol]> = Vec::with_capacity(n);
    for (index, kind) in rows.kinds.iter().enumerate() {
        match kind {
            Kind::Row => indices.push(index),
            Kind::Rule if between.rules => continue,
            Kind::Blank if between.blanks => continue,
            Kind::Rule | Kind::Blank | Kind::Other => first = indices.len(),
        }
        if indices.len() - first < n {
            continue;
        }
        cells.clear();
        cells.extend(indices[first..].iter().map(|&at| &rows.cells[at * n..(at + 1) * n]));
        let reaches_last_column = || {
            let end = start + (n - 1) * geometry.pitch;
            indices[first..].iter().any(|&at| lines[at].symbols.len() > end)
        };
        let of_board = &indices[first..];
        // Beside a board are boards, or nothing.
        let beside = |&start: &usize| {
            let rows: Vec<Vec<Symbol>> =
                with_indices(lines, of_board).iter().map(|line| geometry.row(line, start)).collect();
            let cells: Vec<&[Symbol]> = rows.iter().map(Vec::as_slice).collect();
            let is_absent = rows.iter().flatten().all(|&symbol| symbol == BLANK);
            if is_absent {
                Some(None)
            } else {
                roles::queens(&cells, named).map(|columns| Some((start, columns)))
            }
        };
        let is_board = || {
            reaches_last_column() && (!is_sure || geometry.clone().explains(&with_indices(lines, of_board)))
        };
        let board = roles::queens(&cells, named).filter(|_| is_board()).map(|columns| Some((start, columns)));
        let boards = [board].into_iter().chain(geometry.starts[1..].iter().map(beside));
        let Some(boards) = boards.collect::<Option<Vec<_>>>() else {
            first += 1;
            continue;
        };
        let line = lines[of_board[0]].number;
        let window =
            |(start, columns)| Window { lines: of_board.to_vec(), board: Board { line, start, columns } };
        all.extend(boards.into_iter().flatten().map(window));
        first = indices.len();
    }
    all
}

/// For each board beside each other: the columns of its queens in this row, or `None` if it has nothing there.
type Row = Vec<Option<Vec<u32>>>;

/// What a line holds for a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// Rows of boards.
    Row(Row),
    Rule,
    Blank,
    /// The line that stands between rows again and again.
    Repeated,
    Other,
}

/// Lines that are remembered. Framed boards have few different ones.
const MAX_REMEMBERED: usize = 1 << 13;

/// Reads the boards of a layout, line by line.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    pub layout: Layout,
    style: Style,
    symbols: Vec<Symbol>,
    /// Lines without colours, and what they are.
    remembered: HashMap<Vec<u8>, Part>,
    /// The rows of the board that is being read.
    rows: Vec<(u64, Row)>,
}

impl Reader {
    pub fn new(layout: Layout) -> Self {
        Self {
            layout,
            style: Style::default(),
            symbols: Vec::new(),
            remembered: HashMap::new(),
            rows: Vec::new(),
        }
    }

    /// Takes a line. Returns whether it belongs to a board, or separates boards.
    pub fn take(&mut self, line: &Line, out: &mut Vec<Candidate>) -> bool {
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
            Part::Rule if self.layout.between.rules => true,
            Part::Blank if self.layout.between.blanks => true,
            Part::Rule | Part::Blank | Part::Other => {
                self.end(out);
                part != Part::Other
            }
        }
    }

    /// The board is whole, or the text ends, or something else follows: rows that are too few are not a board.
    pub fn end(&mut self, out: &mut Vec<Candidate>) {
        let mut rows = std::mem::take(&mut self.rows);
        let is_whole = rows.len() == self.layout.geometry.n;
        let width = if is_whole { self.layout.width() } else { rows.len().min(1) };
        for board in 0..width {
            let mut boards = rows.iter_mut().map(|(_, row)| row[board].take());
            let of_board: Vec<Option<Vec<u32>>> = boards.by_ref().collect();
            if board == 0 || of_board.iter().any(Option::is_some) {
                let of_board: Vec<Vec<u32>> = of_board.into_iter().map(Option::unwrap_or_default).collect();
                out.push(Candidate::of_rows(rows[0].0, &of_board, is_whole));
            }
        }
    }

    /// What a line is, remembered if it is short.
    fn part(&mut self, text: &[u8]) -> Part {
        let is_plain = self.style == Style::default();
        if is_plain && let Some(part) = self.remembered.get(text) {
            return part.clone();
        }
        let mut symbols = std::mem::take(&mut self.symbols);
        read(text, &mut self.style, self.layout.look, &mut symbols);
        let part = self.layout.part(&symbols);
        let is_known = part != Part::Other && is_plain && self.style == Style::default();
        if is_known && text.len() <= 64 * MAX_PITCH {
            if self.remembered.len() >= MAX_REMEMBERED {
                self.remembered.clear();
            }
            self.remembered.insert(text.to_vec(), part.clone());
        }
        // The first row behind a prompt is one only if no row came before.
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
        if self.repeated.as_ref().is_some_and(|repeated| repeated == line) {
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
        let is_behind_prompt = |at: usize| {
            let before = line[at - 1];
            is_blank(before) || character(before).is_some_and(|c| ":?>.)=".contains(c))
        };
        // More squares are not a label.
        let is_label =
            |at: usize| !line[..at].iter().all(|&symbol| is_blank(symbol) || self.roles.contains(symbol));
        let at =
            line.len().checked_sub(self.length).filter(|&at| at > 0 && is_behind_prompt(at) && is_label(at));
        at.and_then(|at| self.row(&line[at..], false)).or_else(|| self.row(line, true))
    }

    /// The queens of a row, if the line is one. `with_label`: something may stand before the row.
    fn row(&self, line: &[Symbol], with_label: bool) -> Option<Row> {
        let geometry = &self.geometry;
        if line.is_empty() {
            return None;
        }
        let margins: Vec<Margin> = geometry.margins(line).into_iter().map(Margin::of).collect();
        let is_known = |earlier: &Vec<Margin>| {
            if with_label {
                earlier[0].is_empty() && are_alike(&earlier[1..], &margins[1..])
            } else {
                are_alike(earlier, &margins)
            }
        };
        if !self.margins.iter().any(is_known) {
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
            // A line without one queen, or a short one, may be anything: the signs between its squares must be those of rows.
            let is_whole = queens.len() == 1 && line.len() > start + (geometry.n - 1) * geometry.pitch;
            let is_gap = |(offset, symbol): (usize, Symbol)| self.gaps[offset].contains(&symbol);
            if !is_whole && has_squares && !geometry.gaps(line, start).all(is_gap) {
                return None;
            }
            let has_sides = || margins.iter().any(|margin| !margin.signs.is_empty());
            if queens.is_empty() && !has_squares && !has_sides() {
                return None;
            }
            boards.push(Some(queens));
        }
        // A heading such as `10.` may look like a row without a queen, but has a label that no row has.
        let has_queen = boards.iter().flatten().any(|queens| !queens.is_empty());
        (has_queen || self.labels.len() == MAX_LABELS || self.labels.contains(&labels(&margins)))
            .then_some(boards)
    }
}
