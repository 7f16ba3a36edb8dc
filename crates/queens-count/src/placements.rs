//! Generates the legal placements of queens on a quarter, and sorts them by the sets of columns and rows that the queens use.
//!
//! Placements are generated column by column: either all placements, or only the placements that use a given set of columns.

use std::ops::{Range, RangeInclusive};

use super::geometry::{Diagonals, Geometry};
use super::{ShouldStop, memory};

/// The sets of a quarter's rows or columns, by size.
pub struct Subsets {
    /// The side length of a quarter.
    pub h: u32,
    by_size: Vec<Vec<u32>>,
    /// For each set, its index among the sets of equal size.
    ranks: Vec<u16>,
    /// For each set of columns, the number of cells of all preceding sets; then the number of all cells.
    pub preceding_cells: Vec<u32>,
}

impl Subsets {
    /// The subsets of h rows or columns.
    pub fn new(h: u32) -> Self {
        let mut by_size = vec![Vec::new(); h as usize + 1];
        let mut ranks = Vec::new();
        for set in 0..1_u32 << h {
            let sets_of_size: &mut Vec<u32> = &mut by_size[set.count_ones() as usize];
            ranks.push(sets_of_size.len() as u16);
            sets_of_size.push(set);
        }
        let mut preceding_cells = vec![0];
        for columns in 0..1_u32 << h {
            let cells = by_size[columns.count_ones() as usize].len() as u32;
            preceding_cells.push(preceding_cells[columns as usize] + cells);
        }
        Self { h, by_size, ranks, preceding_cells }
    }

    /// The sets with as many elements as `set`, in ascending order.
    pub fn same_size_sets(&self, set: u32) -> &[u32] {
        &self.by_size[set.count_ones() as usize]
    }

    /// The index of the cell of a set of columns and a set of rows.
    pub fn cell(&self, columns: u32, rows: u32) -> usize {
        self.preceding_cells[columns as usize] as usize + usize::from(self.ranks[rows as usize])
    }
}

/// The number of parts of a cell. Placements are divided by up to two properties, for example by whether each long diagonal of the quarter
/// has a queen.
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
    /// Calls `f` with every legal placement that adds queens in `columns` to this placement, such that the used columns among `columns` are
    /// those of one of `sets`. `sets` contains either one set or all sets.
    fn visit(self, h: u32, columns: Range<u32>, sets: &RangeInclusive<u32>, f: &mut impl FnMut(Self)) {
        if columns.is_empty() {
            return f(self);
        }
        let (column, later_columns) = (columns.start, columns.start + 1..columns.end);
        // The first of `sets` contains the column exactly if all of `sets` contain it, and the last exactly if any of them contains
        // it. This is true of one set, and of all sets, which range from the empty set to the full set.
        let [is_in_all, is_in_any] = [sets.start(), sets.end()].map(|set| set >> column & 1 == 1);
        let is_used = self.columns >> column & 1 == 1;
        if is_used || !is_in_all {
            self.visit(h, later_columns.clone(), sets, f);
        }
        if is_used || !is_in_any {
            return;
        }
        let mut free_rows = self.free_rows(h, column);
        while free_rows != 0 {
            self.with_queen(h, free_rows.trailing_zeros(), column).visit(h, later_columns.clone(), sets, f);
            free_rows &= free_rows - 1;
        }
    }

    /// The rows in which a queen in this column is not attacked.
    fn free_rows(&self, h: u32, column: u32) -> u32 {
        let Diagonals { rising, falling } = self.diagonals;
        ((1 << h) - 1) & !(self.rows | rising >> column | falling >> (h - column))
    }

    /// This placement with one more queen.
    fn with_queen(&self, h: u32, row: u32, column: u32) -> Self {
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
    /// A range that contains either one set of columns or all sets.
    pub column_sets: RangeInclusive<u32>,
    /// The number of cells of the sets of columns that precede `column_sets`.
    pub preceding_cells: u32,
    /// The diagonals of each placement, sorted by cell and part.
    pub sorted: Vec<Diagonals>,
    /// The index in `sorted` of the first placement of each part of each cell; then the number of placements.
    pub part_starts: Vec<u32>,
}

/// The number of columns that are filled before the first call of `stop`.
const PREFIX_COLUMNS: u32 = 2;

/// The number of placements that are sorted between two calls of `stop`.
const SORTED_AT_ONCE: usize = 1 << 20;

impl<'a> QuarterPlacements<'a> {
    /// Generates and sorts the placements that extend one of `initial` and use one of `column_sets`, which contains either one set or all
    /// sets. `part` returns the part of a placement with these diagonals. `None` if `stop` returned true.
    pub fn new(
        subsets: &'a Subsets,
        column_sets: RangeInclusive<u32>,
        initial: &[QuarterPlacement],
        part: impl Fn(Diagonals) -> usize,
        stop: ShouldStop<'_>,
    ) -> Option<Self> {
        let preceding_cells = subsets.preceding_cells[*column_sets.start() as usize];
        let cells = (subsets.preceding_cells[*column_sets.end() as usize + 1] - preceding_cells) as usize;
        let mut part_starts = vec![0_u32; PARTS * cells + 2];
        let has_one_set = column_sets.start() == column_sets.end();
        let mut placements =
            Vec::with_capacity(if has_one_set { 0 } else { memory::max_placements(subsets.h) });
        let mut prefixes = Vec::new();
        let may_extend = |p: &&QuarterPlacement| !has_one_set || p.columns & !column_sets.start() == 0;
        for placement in initial.iter().filter(may_extend) {
            placement.visit(subsets.h, 0..PREFIX_COLUMNS, &column_sets, &mut |p| prefixes.push(p));
        }
        for placement in prefixes {
            if stop() {
                return None;
            }
            placement.visit(subsets.h, PREFIX_COLUMNS..subsets.h, &column_sets, &mut |p| {
                let cell = subsets.cell(p.columns, p.rows) - preceding_cells as usize;
                let part = PARTS * cell + part(p.diagonals);
                part_starts[part + 2] += 1;
                placements.push((part as u32, p.diagonals));
            });
        }
        for part in 2..part_starts.len() {
            let sum = part_starts[part].checked_add(part_starts[part - 1]);
            part_starts[part] = sum.expect("a quarter has fewer than 2^32 entries");
        }
        let mut sorted = vec![Diagonals::default(); placements.len()];
        for chunk in placements.chunks(SORTED_AT_ONCE) {
            if stop() {
                return None;
            }
            for &(part, diagonals) in chunk {
                let next_index = &mut part_starts[part as usize + 1];
                sorted[*next_index as usize] = diagonals;
                *next_index += 1;
            }
        }
        part_starts.pop();
        Some(Self { subsets, column_sets, preceding_cells, sorted, part_starts })
    }
}

/// The placements of the queens in the middle row and the middle column of an odd board. The last placement is a queen in the centre.
/// All others are two queens at (h, c) and (r, h) with r < c < h. The symmetries of the board map every other legal pair to such a pair.
/// The placements on the top-left quarter extend these placements.
pub fn middle_queens(geometry: &Geometry) -> Vec<QuarterPlacement> {
    let h = geometry.h;
    let pairs = (1..h).flat_map(|c| (0..c).map(move |r| (r, c)));
    let pairs = pairs.map(|(r, c)| {
        let (row_queen, column_queen) = (geometry.diagonals(h, c), geometry.diagonals(r, h));
        let rising = row_queen.rising | column_queen.rising;
        let diagonals = Diagonals { rising, falling: row_queen.falling | column_queen.falling };
        QuarterPlacement { columns: 1 << c, rows: 1 << r, diagonals }
    });
    let centre = QuarterPlacement { diagonals: geometry.diagonals(h, h), ..QuarterPlacement::default() };
    pairs.chain([centre]).collect()
}
