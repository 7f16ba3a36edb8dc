//! The search for drawn boards: for `n` consecutive rows, and for the geometry in which there are most boards.

use super::candidate::{Score, is_permutation, keep_best};
use super::cells::{BLANK, Symbol};
use super::drawn::DrawnLine;
use super::geometry::Geometry;
use super::lines::Line;
use super::query::Query;
use super::roles;

/// What may stand between two rows of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LinesBetweenRows {
    /// Lines of equal symbols.
    pub rules: bool,
    /// Empty lines.
    pub blanks: bool,
}

/// The combinations of lines between rows that are tried.
const LINES_BETWEEN_ROWS: [LinesBetweenRows; 4] = [
    LinesBetweenRows { rules: false, blanks: false },
    LinesBetweenRows { rules: true, blanks: false },
    LinesBetweenRows { rules: false, blanks: true },
    LinesBetweenRows { rules: true, blanks: true },
];

/// The maximum length of a line with drawn boards, in symbols per square of a row. A line may have 200 more symbols, for example
/// for labels.
pub(super) const MAX_PITCH: usize = 24;

/// What a line is in a geometry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    /// A possible row of a board.
    Row,
    /// A line with more different symbols than a row has, or a break.
    Other,
    /// A line with equal symbols on all squares, or a very long line.
    Rule,
    /// An empty line.
    Blank,
}

/// The squares of all lines at one start.
struct Rows {
    /// What each line is.
    kinds: Vec<LineKind>,
    /// The symbols on the `n` squares of each line.
    cells: Vec<Symbol>,
}

/// A possible board in a text.
pub(super) struct Window<'l> {
    /// The lines of its rows.
    pub lines: Vec<&'l [Symbol]>,
    /// The place of the first square of each row.
    pub start: usize,
    /// The columns of its queens, from 0.
    pub columns: Vec<u32>,
}

impl Window<'_> {
    /// Whether all queens stand in one column.
    pub fn is_constant(&self) -> bool {
        self.columns.iter().all(|&column| column == self.columns[0])
    }
}

/// The lines in which the search looks for boards.
#[derive(Clone, Copy)]
pub(super) struct Search<'l> {
    pub lines: &'l [DrawnLine],
    pub query: Query<'l>,
}

impl<'l> Search<'l> {
    /// The geometry that explains the boards with the best [`Score`], and the lines between their rows.
    pub fn best_geometry(self) -> Option<(Geometry, LinesBetweenRows)> {
        let n = self.query.n();
        let is_short = |length: &usize| *length <= MAX_PITCH * n + 200;
        let max_len = self.lines.iter().map(|line| line.symbols.len()).filter(is_short).max()?;
        let mut best: Option<(Score, (Geometry, LinesBetweenRows))> = None;
        for pitch in 1..=(max_len.saturating_sub(1) / (n - 1)).max(1) {
            let width = (n - 1) * pitch + 1;
            // For boards side by side: the starts of boards that are permutations, and the starts of any boards.
            let mut starts_side_by_side: [[Vec<usize>; 2]; LINES_BETWEEN_ROWS.len()] = Default::default();
            for start in 0..=max_len.saturating_sub(width) {
                let mut geometry = Geometry { n, pitch, starts: vec![start], reach: [0, 0] };
                let rows = self.rows(&geometry);
                if rows.kinds.iter().filter(|kind| **kind == LineKind::Row).count() < n {
                    continue;
                }
                for (lines_between, starts_of_kinds) in
                    LINES_BETWEEN_ROWS.into_iter().zip(&mut starts_side_by_side)
                {
                    let windows = self.windows_of(&rows, &geometry, lines_between, false);
                    let has_equal_gaps = |window: &Window<'_>| geometry.has_equal_gaps(&window.lines);
                    let is_board = [
                        windows
                            .iter()
                            .any(|window| is_permutation(&window.columns) && has_equal_gaps(window)),
                        windows.iter().any(|window| !window.is_constant() && has_equal_gaps(window)),
                    ];
                    for (starts, is_board) in starts_of_kinds.iter_mut().zip(is_board) {
                        if is_board && starts.last().is_none_or(|last| start > last + width) {
                            starts.push(start);
                        }
                    }
                    let is_explained = |window: &&Window<'_>| geometry.clone().explains(&window.lines);
                    let explained_windows: Vec<&Window<'_>> = windows.iter().filter(is_explained).collect();
                    let Some(first) = explained_windows.first() else { continue };
                    let columns = explained_windows.iter().map(|window| &window.columns[..]);
                    let score = Score::from_boards(columns, self.query.problem);
                    keep_best(&mut best, score, || {
                        geometry.explains(&first.lines);
                        (geometry.clone(), lines_between)
                    });
                }
            }
            let pairs = LINES_BETWEEN_ROWS.into_iter().zip(starts_side_by_side);
            let pairs = pairs.flat_map(|(lines_between, kinds)| kinds.map(|starts| (lines_between, starts)));
            for (lines_between, starts) in pairs.filter(|(_, starts)| starts.len() > 1) {
                let geometry = Geometry { n, pitch, starts, reach: [0, 0] };
                let Some(geometry) = self.with_reach(geometry, lines_between) else { continue };
                let windows = self.windows(&geometry, lines_between);
                // Equal symbols in one column, such as a label beside each row, may be something other than queens.
                let boards = windows.iter().filter(|window| !window.is_constant());
                let score = Score::from_boards(boards.map(|window| &window.columns[..]), self.query.problem);
                // Boards side by side must contain a solution, because many texts contain equal signs at equal distances.
                if score.solutions > 0 {
                    keep_best(&mut best, score, || (geometry, lines_between));
                }
            }
        }
        best.map(|(_, best)| best)
    }

    /// Sets the reach of the squares in a geometry of boards side by side. Returns `None` if the geometry explains no line with
    /// all boards.
    fn with_reach(self, mut geometry: Geometry, lines_between: LinesBetweenRows) -> Option<Geometry> {
        let windows = self.windows_of(&self.rows(&geometry), &geometry, lines_between, false);
        let last_start = *geometry.starts.last()?;
        let mut last_boards = windows.iter().filter(|window| window.start == last_start);
        last_boards.any(|window| geometry.explains(&window.lines)).then_some(geometry)
    }

    /// The boards of a geometry whose lines the geometry explains.
    pub fn windows(self, geometry: &Geometry, lines_between: LinesBetweenRows) -> Vec<Window<'l>> {
        self.windows_of(&self.rows(geometry), geometry, lines_between, true)
    }

    /// The boards of a geometry. `must_explain`: whether the geometry must explain their lines.
    fn windows_of(
        self,
        rows: &Rows,
        geometry: &Geometry,
        lines_between: LinesBetweenRows,
        must_explain: bool,
    ) -> Vec<Window<'l>> {
        let n = geometry.n;
        let mut windows = Vec::new();
        // The indices of the rows so far. No other text separates the rows from `indices[first]` on.
        let (mut indices, mut first): (Vec<usize>, usize) = (Vec::new(), 0);
        let mut cells: Vec<&[Symbol]> = Vec::with_capacity(n);
        for (index, kind) in rows.kinds.iter().enumerate() {
            match kind {
                LineKind::Row => indices.push(index),
                LineKind::Rule if lines_between.rules => continue,
                LineKind::Blank if lines_between.blanks => continue,
                LineKind::Rule | LineKind::Blank | LineKind::Other => first = indices.len(),
            }
            if indices.len() - first < n {
                continue;
            }
            cells.clear();
            cells.extend(indices[first..].iter().map(|&at| &rows.cells[at * n..(at + 1) * n]));
            let boards = roles::queens(&cells, self.query.hints.symbols).and_then(|columns| {
                let lines: Vec<&[Symbol]> =
                    indices[first..].iter().map(|&at| &self.lines[at].symbols[..]).collect();
                let boards = self.boards(&lines, columns, geometry, must_explain)?;
                Some((lines, boards))
            });
            let Some((lines, boards)) = boards else {
                first += 1;
                continue;
            };
            let window = |(start, columns)| Window { lines: lines.clone(), start, columns };
            windows.extend(boards.into_iter().map(window));
            first = indices.len();
        }
        windows
    }

    /// The start and the queens of each board in the lines of `n` rows. Returns `None` if the lines contain anything else.
    /// `columns`: the queens of the first board.
    fn boards(
        self,
        lines: &[&[Symbol]],
        columns: Vec<u32>,
        geometry: &Geometry,
        must_explain: bool,
    ) -> Option<Vec<(usize, Vec<u32>)>> {
        let start = geometry.starts[0];
        let last_column = start + (geometry.n - 1) * geometry.pitch;
        if lines.iter().all(|line| line.len() <= last_column)
            || must_explain && !geometry.clone().explains(lines)
        {
            return None;
        }
        let mut boards = vec![(start, columns)];
        for &start in &geometry.starts[1..] {
            let rows: Vec<Vec<Symbol>> = lines.iter().map(|line| geometry.row(line, start)).collect();
            // Only boards and blanks may stand beside a board.
            if rows.iter().flatten().any(|&symbol| symbol != BLANK) {
                let rows: Vec<&[Symbol]> = rows.iter().map(Vec::as_slice).collect();
                boards.push((start, roles::queens(&rows, self.query.hints.symbols)?));
            }
        }
        Some(boards)
    }

    /// The rows of the lines at the first start of a geometry.
    fn rows(self, geometry: &Geometry) -> Rows {
        let n = geometry.n;
        let mut cells = Vec::with_capacity(n * self.lines.len());
        let mut kinds = Vec::with_capacity(self.lines.len());
        for DrawnLine { number, symbols } in self.lines {
            let row_start = cells.len();
            cells.extend((0..n).map(|column| geometry.cell(symbols, geometry.starts[0], column)));
            let row = &cells[row_start..];
            kinds.push(if *number == Line::BREAK.number {
                LineKind::Other
            } else if symbols.is_empty() {
                LineKind::Blank
            } else if row.iter().all(|&symbol| symbol == row[0]) || symbols.len() > MAX_PITCH * n + 200 {
                LineKind::Rule
            } else if self.query.hints.symbols.queen.is_none() && !roles::may_be_row(row) {
                LineKind::Other
            } else {
                LineKind::Row
            });
        }
        Rows { kinds, cells }
    }
}
