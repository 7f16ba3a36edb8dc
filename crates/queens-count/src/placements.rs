//! The legal placements of queens on a quarter, by the sets of columns and rows that they use.
//!
//! Placements are visited column by column: all of them, or only placements that use exactly one set of columns.

use std::ops::{Range, RangeInclusive};

use super::geometry::{Diagonals, Geometry};
use super::{ShouldStop, memory};

/// The sets of a quarter's rows or columns, by size.
pub struct Subsets {
    /// Side of a quarter.
    pub h: u32,
    by_size: Vec<Vec<u32>>,
    /// Index of a set among the sets of its size.
    ranks: Vec<u16>,
    /// For a set of columns, the number of cells of the sets before it.
    pub cells: Vec<u32>,
}

impl Subsets {
    /// The sets of h rows.
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

    /// The sets with the same number of elements as `set`, in order.
    pub fn like(&self, set: u32) -> &[u32] {
        &self.by_size[set.count_ones() as usize]
    }

    /// The number of a cell.
    pub fn cell(&self, columns: u32, rows: u32) -> usize {
        self.cells[columns as usize] as usize + usize::from(self.ranks[rows as usize])
    }
}

/// Parts of a cell's placements: four combinations of two properties.
pub const PARTS: usize = 4;

/// A placement, possibly incomplete.
#[derive(Clone, Copy, Default)]
pub struct QuarterPlacement {
    /// The columns that it uses.
    pub columns: u32,
    /// The rows that it uses.
    pub rows: u32,
    /// The diagonals that it uses.
    pub diagonals: Diagonals,
}

impl QuarterPlacement {
    /// Visits every way of adding queens in these columns for which the queens use the columns of one of `sets`, a range
    /// of one set or of all sets.
    fn visit(self, h: u32, columns: Range<u32>, sets: &RangeInclusive<u32>, f: &mut impl FnMut(Self)) {
        if columns.is_empty() {
            return f(self);
        }
        let (column, others) = (columns.start, columns.start + 1..columns.end);
        // A column is used by all, by some or by none of the sets.
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

    /// The rows in which a queen of this column is not attacked.
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

/// The placements on h by h squares that use one set of columns, or all placements, sorted by cell and part.
pub struct QuarterPlacements<'a> {
    /// The sets of rows and columns.
    pub subsets: &'a Subsets,
    /// The sets of columns.
    pub columns: RangeInclusive<u32>,
    /// Number of cells of the sets of columns before the first one.
    pub before: u32,
    /// The diagonals of each placement.
    pub sorted: Vec<Diagonals>,
    /// The first placement of each part of each cell, and the end.
    pub start: Vec<u32>,
}

/// Columns that are filled before the first time that the caller may stop the visit, and placements that are sorted.
const COLUMNS_AT_ONCE: u32 = 2;
const SORTED_AT_ONCE: usize = 1 << 20;

impl<'a> QuarterPlacements<'a> {
    /// The placements that extend `starts` and use one of these sets of columns: a range of one set or of all sets.
    /// `None` if it was stopped.
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

/// The queens of the middle row, at (h, c), and of the middle column, at (r, h), as starts of the top-left
/// quarter. r < c < h, because every other pair is a mirror image; then the centre queen.
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
