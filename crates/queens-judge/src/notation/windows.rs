//! The search for drawn boards: `n` rows that follow each other, and the geometry in which there are most of them.

use super::candidate::{Score, is_permutation, keep_best};
use super::cells::{BLANK, Symbol};
use super::drawn::Drawn;
use super::geometry::Geometry;
use super::lines::Line;
use super::query::Query;
use super::roles;

/// What may stand between two rows of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Between {
    /// Lines of equal symbols.
    pub rules: bool,
    /// Empty lines.
    pub blanks: bool,
}

const BETWEEN: [Between; 4] = [
    Between { rules: false, blanks: false },
    Between { rules: true, blanks: false },
    Between { rules: false, blanks: true },
    Between { rules: true, blanks: true },
];

/// Lines beyond this length, in symbols per square of a row, are not drawn boards.
pub(super) const MAX_PITCH: usize = 24;

/// What a line is for a geometry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Row,
    /// More symbols than a row has.
    Other,
    Rule,
    Blank,
}

/// The rows of lines at one start, and what the lines are.
struct Rows {
    kinds: Vec<Kind>,
    /// `n` symbols for each line.
    cells: Vec<Symbol>,
}

/// A board in a text.
pub(super) struct Window<'l> {
    /// The lines of its rows.
    pub lines: Vec<&'l [Symbol]>,
    /// The first place of its rows.
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

/// Lines in which boards are searched.
#[derive(Clone, Copy)]
pub(super) struct Search<'l> {
    pub lines: &'l [Drawn],
    pub query: Query<'l>,
}

impl<'l> Search<'l> {
    /// The geometry that explains the most solutions, or else the most permutations, or else the most boards.
    pub fn best_geometry(self) -> Option<(Geometry, Between)> {
        let n = self.query.n();
        let is_short = |length: &usize| *length <= MAX_PITCH * n + 200;
        let longest = self.lines.iter().map(|line| line.symbols.len()).filter(is_short).max()?;
        let mut best: Option<(Score, (Geometry, Between))> = None;
        for pitch in 1..=(longest.saturating_sub(1) / (n - 1)).max(1) {
            let width = (n - 1) * pitch + 1;
            // Where boards stand beside each other: the starts of permutations, and those of any boards.
            let mut beside: [[Vec<usize>; 2]; BETWEEN.len()] = Default::default();
            for start in 0..=longest.saturating_sub(width) {
                let mut geometry = Geometry { n, pitch, starts: vec![start], reach: [0, 0] };
                let rows = self.rows(&geometry);
                if rows.kinds.iter().filter(|kind| **kind == Kind::Row).count() < n {
                    continue;
                }
                for (between, beside) in BETWEEN.into_iter().zip(&mut beside) {
                    let windows = self.windows_of(&rows, &geometry, between, false);
                    let is_even = |window: &Window<'_>| geometry.has_equal_gaps(&window.lines);
                    let is_board = [
                        windows.iter().any(|window| is_permutation(&window.columns) && is_even(window)),
                        windows.iter().any(|window| !window.is_constant() && is_even(window)),
                    ];
                    for (starts, is_board) in beside.iter_mut().zip(is_board) {
                        if is_board && starts.last().is_none_or(|last| start > last + width) {
                            starts.push(start);
                        }
                    }
                    let is_explained = |window: &&Window<'_>| geometry.clone().explains(&window.lines);
                    let explained: Vec<&Window<'_>> = windows.iter().filter(is_explained).collect();
                    let Some(first) = explained.first() else { continue };
                    let columns = explained.iter().map(|window| &window.columns[..]);
                    let score = Score::of(columns, self.query.problem);
                    keep_best(&mut best, score, || {
                        geometry.explains(&first.lines);
                        (geometry.clone(), between)
                    });
                }
            }
            let beside = BETWEEN.into_iter().zip(beside);
            let beside = beside.flat_map(|(between, both)| both.map(|starts| (between, starts)));
            for (between, starts) in beside.filter(|(_, starts)| starts.len() > 1) {
                let geometry = Geometry { n, pitch, starts, reach: [0, 0] };
                let Some(geometry) = self.with_reach(geometry, between) else { continue };
                let windows = self.windows(&geometry, between);
                // One column of equal symbols, such as a label beside each row, may be anything.
                let boards = windows.iter().filter(|window| !window.is_constant());
                let score = Score::of(boards.map(|window| &window.columns[..]), self.query.problem);
                // Equal signs at equal distances stand in many texts.
                if score.solutions > 0 {
                    keep_best(&mut best, score, || (geometry, between));
                }
            }
        }
        best.map(|(_, best)| best)
    }

    /// The geometry of boards beside each other with the reach of their squares, if it explains their lines.
    fn with_reach(self, mut geometry: Geometry, between: Between) -> Option<Geometry> {
        let windows = self.windows_of(&self.rows(&geometry), &geometry, between, false);
        let last = *geometry.starts.last()?;
        let mut full = windows.iter().filter(|window| window.start == last);
        full.any(|window| geometry.explains(&window.lines)).then_some(geometry)
    }

    /// The boards of a geometry that explains their lines.
    pub fn windows(self, geometry: &Geometry, between: Between) -> Vec<Window<'l>> {
        self.windows_of(&self.rows(geometry), geometry, between, true)
    }

    /// The boards of a geometry. `is_sure`: whether the geometry must explain their lines.
    fn windows_of(
        self,
        rows: &Rows,
        geometry: &Geometry,
        between: Between,
        is_sure: bool,
    ) -> Vec<Window<'l>> {
        let n = geometry.n;
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
            let boards = roles::queens(&cells, self.query.hints.symbols).and_then(|columns| {
                let lines: Vec<&[Symbol]> =
                    indices[first..].iter().map(|&at| &self.lines[at].symbols[..]).collect();
                let boards = self.boards(&lines, columns, geometry, is_sure)?;
                Some((lines, boards))
            });
            let Some((lines, boards)) = boards else {
                first += 1;
                continue;
            };
            let window = |(start, columns)| Window { lines: lines.clone(), start, columns };
            all.extend(boards.into_iter().map(window));
            first = indices.len();
        }
        all
    }

    /// The start and the queens of each board in the lines of `n` rows; `None` if there is something else. `columns`: the queens of
    /// the first board.
    fn boards(
        self,
        lines: &[&[Symbol]],
        columns: Vec<u32>,
        geometry: &Geometry,
        is_sure: bool,
    ) -> Option<Vec<(usize, Vec<u32>)>> {
        let start = geometry.starts[0];
        let last_column = start + (geometry.n - 1) * geometry.pitch;
        if lines.iter().all(|line| line.len() <= last_column) || is_sure && !geometry.clone().explains(lines)
        {
            return None;
        }
        let mut boards = vec![(start, columns)];
        for &start in &geometry.starts[1..] {
            let rows: Vec<Vec<Symbol>> = lines.iter().map(|line| geometry.row(line, start)).collect();
            // Beside a board are boards, or nothing.
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
        for Drawn { number, symbols } in self.lines {
            let from = cells.len();
            cells.extend((0..n).map(|column| geometry.cell(symbols, geometry.starts[0], column)));
            let row = &cells[from..];
            kinds.push(if *number == Line::BREAK.number {
                Kind::Other
            } else if symbols.is_empty() {
                Kind::Blank
            } else if row.iter().all(|&symbol| symbol == row[0]) || symbols.len() > MAX_PITCH * n + 200 {
                Kind::Rule
            } else if self.query.hints.symbols.queen.is_none() && !roles::may_be_row(row) {
                Kind::Other
            } else {
                Kind::Row
            });
        }
        Rows { kinds, cells }
    }
}
