//! The legal placements of queens on a quarter, by the sets of columns and rows that the queens use.
//!
//! Placements are generated column by column: all of them, or only placements that use exactly one set of columns.

use std::ops::{Range, RangeInclusive};

use super::geometry::{Diagonals, Geometry};
use super::{ShouldStop, memory};

/// The sets of a quarter's rows or columns, by size.
pub struct Subsets {
    /// The side length of a quarter.
    pub h: u32,
    by_size: Vec<Vec<u32>>,
    /// By set, its index among the sets of equal size.
    ranks: Vec<u16>,
    /// By set of columns, the number of cells of all preceding sets.
    pub cells: Vec<u32>,
}

impl Subsets {
    /// The subsets of h rows or columns.
    pub fn new(h: u32) -> Self {
        let mut by_size = vec![Vec::new(); h as usize + 1];
        let mut ranks = Vec::new();
        for set in 0..1_u32 << h {
            let same: &mut Vec<u32> = &mut by_size[set.count_ones() as usize];
            ranks.push(same.len() as u16);
            same.push(set);
        }
        let mut cells = vec![0];
        for columns in 0..1_u32 << h {
            cells.push(cells[columns as usize] + by_size[columns.count_ones() as usize].len() as u32);
        }
        Self { h, by_size, ranks, cells }
    }

    /// The sets with as many elements as `set`, in ascending order.
    pub fn like(&self, set: u32) -> &[u32] {
        &self.by_size[set.count_ones() as usize]
    }

    /// The index of the cell of a set of columns and a set of rows.
    pub fn cell(&self, columns: u32, rows: u32) -> usize {
        self.cells[columns as usize] as usize + usize::from(self.ranks[rows as usize])
    }
}

/// The number of parts of a cell: four combinations of two properties.
pub const PARTS: usize = 4;

/// A placement of queens on a quarter.
#[derive(Clone, Copy, Default)]
pub struct QuarterPlacement {
    /// The columns of the queens.
    pub columns: u32,
    /// The rows of the queens.
    pub rows: u32,
    /// The diagonals of the queens.
    pub diagonals: Diagonals,
}

impl QuarterPlacement {
    /// Calls `f` with every placement that adds queens in `columns` such that, within `columns`, the used columns agree with one of
    /// `sets`. `sets` is a range of one set or of all sets.
    fn visit(self, h: u32, columns: Range<u32>, sets: &RangeInclusive<u32>, f: &mut impl FnMut(Self)) {
        if columns.is_empty() {
            return f(self);
        }
        let (column, others) = (columns.start, columns.start + 1..columns.end);
        // A column is in all, in some or in none of the sets.
        let [all, some] = [sets.start(), sets.end()].map(|set| set >> column & 1 == 1);
        let used = self.columns >> column & 1 == 1;
        if used || !all {
            self.visit(h, others.clone(), sets, f);
        }
        if used || !some {
            return;
        }
        let mut free = self.free(h, column);
        while free != 0 {
            self.with(h, free.trailing_zeros(), column).visit(h, others.clone(), sets, f);
            free &= free - 1;
        }
    }

    /// The rows in which a queen in this column is not attacked.
    fn free(&self, h: u32, column: u32) -> u32 {
        let Diagonals { rising, falling } = self.diagonals;
        ((1 << h) - 1) & !(self.rows | rising >> column | falling >> (h - column))
    }

    /// This placement with one more queen.
    fn with(&self, h: u32, row: u32, column: u32) -> Self {
        let Diagonals { rising, falling } = self.diagonals;
        Self {
            columns: self.columns | 1 << column,
            rows: self.rows | 1 << row,
            diagonals: Diagonals {
                rising: rising | 1 << (row + column),
                falling: falling | 1 << (row + h - column),
            },
        }
    }
}

/// All placements on h by h squares, or the placements with one set of columns, sorted by cell and part.
pub struct QuarterPlacements<'a> {
    /// The sets of rows and columns.
    pub subsets: &'a Subsets,
    /// The range of column sets: one set or all sets.
    pub columns: RangeInclusive<u32>,
    /// The number of cells of the column sets before `columns`.
    pub before: u32,
    /// The diagonals of each placement, sorted by cell and part.
    pub sorted: Vec<Diagonals>,
    /// The index of the first placement of each part of each cell, and the end.
    pub start: Vec<u32>,
}

/// The number of columns that are filled before the first call of `stop`.
const COLUMNS_AT_ONCE: u32 = 2;

/// The number of placements that are sorted between two calls of `stop`.
const SORTED_AT_ONCE: usize = 1 << 20;

impl<'a> QuarterPlacements<'a> {
    /// Generates and sorts the placements that extend `starts` and use one of these column sets, a range of one set or of all sets.
    /// `None` if `stop` returned true.
    pub fn new(
        subsets: &'a Subsets,
        columns: RangeInclusive<u32>,
        starts: &[QuarterPlacement],
        part: impl Fn(Diagonals) -> usize,
        stop: ShouldStop<'_>,
    ) -> Option<Self> {
        let before = subsets.cells[*columns.start() as usize];
        let cells = (subsets.cells[*columns.end() as usize + 1] - before) as usize;
        let mut start = vec![0_u32; PARTS * cells + 2];
        let is_one = columns.start() == columns.end();
        let mut visited = Vec::with_capacity(if is_one { 0 } else { memory::placements(subsets.h) });
        let mut begun = Vec::new();
        for placement in starts.iter().filter(|start| !is_one || start.columns & !columns.start() == 0) {
            placement.visit(subsets.h, 0..COLUMNS_AT_ONCE, &columns, &mut |p| begun.push(p));
        }
        for placement in begun {
            if stop() {
                return None;
            }
            placement.visit(subsets.h, COLUMNS_AT_ONCE..subsets.h, &columns, &mut |p| {
                let cell = subsets.cell(p.columns, p.rows) - before as usize;
                let cell = PARTS * cell + part(p.diagonals);
                start[cell + 2] += 1;
                visited.push((cell as u32, p.diagonals));
            });
        }
        for cell in 2..start.len() {
            start[cell] = start[cell].checked_add(start[cell - 1]).expect("a quarter has below 2^32 entries");
        }
        let mut sorted = vec![Diagonals::default(); visited.len()];
        for visited in visited.chunks(SORTED_AT_ONCE) {
            if stop() {
                return None;
            }
            for &(cell, diagonals) in visited {
                let next = &mut start[cell as usize + 1];
                sorted[*next as usize] = diagonals;
                *next += 1;
            }
        }
        start.pop();
        Some(Self { subsets, columns, before, sorted, start })
    }
}

/// The placements of the middle queens of an odd board: first, each pair of a queen in the middle row at (h, c) and in the middle
/// column at (r, h) with r < c < h, because every other pair is a mirror image; then the centre queen. The placements on the top-left
/// quarter extend them.
pub fn middle_queens(geometry: &Geometry) -> Vec<QuarterPlacement> {
    let h = geometry.h;
    let pairs = (1..h).flat_map(|c| (0..c).map(move |r| (r, c)));
    let pairs = pairs.map(|(r, c)| {
        let (row, column) = (geometry.diagonals(h, c), geometry.diagonals(r, h));
        let diagonals =
            Diagonals { rising: row.rising | column.rising, falling: row.falling | column.falling };
        QuarterPlacement { columns: 1 << c, rows: 1 << r, diagonals }
    });
    let centre = QuarterPlacement { diagonals: geometry.diagonals(h, h), ..QuarterPlacement::default() };
    pairs.chain([centre]).collect()
}
