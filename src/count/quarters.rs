//! Tables of all legal partial placements of a quarter, by the columns and rows that they use.
//!
//! A cell is a pair (columns used, rows used) of equal size; its entries are masks of crossing
//! diagonals. 8 by 8 quarters have 119,481 placements, 10 by 10 have 7.5 million.
//! The entries of one set of columns lie together: in order of their kind, then of the *rank* of their rows among the
//! row sets of that size. Ranks of a quarter's rows and of their complements run in opposite directions, so that
//! the cell that completes an entry is found from its rank.
//! For odd n the queens of the middle row and column are part of the top-left quarter: an entry uses
//! the middle row's column c and the middle column's row r as if it stood there, and its mask holds
//! their diagonals. Then odd boards are joined exactly as even ones are.
//! Cost: one visit a placement for all quarters (two for odd n), a counting sort, and a copy for each quarter.
//! Nothing is allocated afterwards.

use super::geometry::{Corner, Diagonals, Geometry};
use super::memory;

/// Words behind the last entry of a table, so that a vector can be loaded anywhere.
pub const PADDING: usize = 16;

/// The sets of a quarter's rows or columns, by size.
pub struct Subsets {
    h: u32,
    by_size: Vec<Vec<u32>>,
    /// Place of a set among those of its size.
    ranks: Vec<u16>,
    /// For a set of columns, how many cells those before it have.
    cells: Vec<u32>,
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

    /// Those of as many elements as `set` has, in order.
    pub fn like(&self, set: u32) -> &[u32] {
        &self.by_size[set.count_ones() as usize]
    }

    fn cell(&self, columns: u32, rows: u32) -> usize {
        self.cells[columns as usize] as usize + usize::from(self.ranks[rows as usize])
    }

    fn reversed(&self, rows: u32) -> u32 {
        rows.reverse_bits() >> (32 - self.h)
    }
}

/// Where the entries of each cell lie.
#[derive(Default)]
pub struct Cells {
    /// The first entry of each kind and rank, for one set of columns behind the other.
    starts: Vec<u32>,
    /// Rank of each entry's rows.
    pub ranks: Vec<u16>,
}

impl Cells {
    fn bytes(&self) -> usize {
        size_of_val(&*self.starts) + size_of_val(&*self.ranks)
    }

    /// Where the cells of these columns begin: those of kind 0 by rank, those of kind 1, and the end.
    pub fn starts(&self, subsets: &Subsets, columns: u32) -> &[u32] {
        let [from, to] = [columns, columns + 1].map(|columns| 2 * subsets.cells[columns as usize] as usize);
        &self.starts[from..to + 1]
    }

    /// Entries of each rank that use these columns.
    pub fn lens(&self, subsets: &Subsets, columns: u32) -> impl DoubleEndedIterator<Item = u32> {
        let starts = self.starts(subsets, columns);
        let len = |first: usize| starts[first + 1] - starts[first];
        let ranks = starts.len() / 2;
        (0..ranks).map(move |rank| len(rank) + len(ranks + rank))
    }
}

/// A top quarter. Kind 1 (top left, odd n) is that of the centre queen.
#[derive(Default)]
pub struct TopQuarter {
    /// Cell boundaries.
    pub cells: Cells,
    /// S_low and T_low of each entry, and [`PADDING`].
    pub low: Vec<u32>,
    /// S_high and T_high of each entry, and [`PADDING`].
    pub high: Vec<u32>,
}

/// A bottom quarter. Kind 1 (even n) has a queen on a long diagonal. Ranks are those of the reversed rows.
#[derive(Default)]
pub struct BottomQuarter {
    /// Cell boundaries.
    pub cells: Cells,
    /// S_high and T_high, which both bottom quarters reach, and [`PADDING`].
    pub mask: Vec<u32>,
    /// Where an entry looks into a piece's tables; see [`super::pieces`].
    pub lookups: Vec<u64>,
    /// Which key diagonals an entry uses; see [`super::keys`].
    pub keys: Vec<u32>,
}

/// A placement, which may be under construction.
#[derive(Clone, Copy, Default)]
struct Placement {
    columns: u32,
    rows: u32,
    diagonals: Diagonals,
}

impl Placement {
    /// Visits every way of adding queens in rows `row..h`, none or one in each free row.
    fn visit(self, h: u32, row: u32, f: &mut impl FnMut(Self)) {
        if row == h {
            return f(self);
        }
        self.visit(h, row + 1, f);
        if self.rows >> row & 1 == 1 {
            return;
        }
        let Diagonals { rising, falling } = self.diagonals;
        let mut free = ((1 << h) - 1) & !(self.columns | rising >> row);
        while free != 0 {
            let column = free.trailing_zeros();
            free &= free - 1;
            let on = 1 << (row + h - column);
            if falling & on == 0 {
                let next = Self {
                    columns: self.columns | 1 << column,
                    rows: self.rows | 1 << row,
                    diagonals: Diagonals { rising: rising | 1 << (row + column), falling: falling | on },
                };
                next.visit(h, row + 1, f);
            }
        }
    }
}

/// Parts of a cell's placements: four combinations of two properties.
const PARTS: usize = 4;

/// All placements on h by h squares, sorted by cell and part.
struct Placements<'a> {
    subsets: &'a Subsets,
    sorted: Vec<Diagonals>,
    start: Vec<u32>,
}

impl<'a> Placements<'a> {
    /// All that extend `starts`.
    fn new(subsets: &'a Subsets, starts: &[Placement], part: impl Fn(Diagonals) -> usize) -> Self {
        let cells = subsets.cells[subsets.cells.len() - 1] as usize;
        let mut start = vec![0_u32; PARTS * cells + 2];
        let mut visited = Vec::with_capacity(memory::placements(subsets.h));
        for placement in starts {
            placement.visit(subsets.h, 0, &mut |p| {
                let cell = PARTS * subsets.cell(p.columns, p.rows) + part(p.diagonals);
                start[cell + 2] += 1;
                visited.push((cell as u32, p.diagonals));
            });
        }
        for cell in 2..start.len() {
            start[cell] = start[cell].checked_add(start[cell - 1]).expect("a quarter has below 2^32 entries");
        }
        let mut sorted = vec![Diagonals::default(); visited.len()];
        for (cell, diagonals) in visited {
            let next = &mut start[cell as usize + 1];
            sorted[*next as usize] = diagonals;
            *next += 1;
        }
        start.pop();
        Self { subsets, sorted, start }
    }

    /// Tells `add` the entries of a quarter in their order; `kinds` are the parts that each kind has.
    /// `reversed`: ranks are those of reversed rows.
    #[inline(always)]
    fn arrange(&self, kinds: [&[usize]; 2], reversed: bool, mut add: impl FnMut(Diagonals)) -> Cells {
        let mut cells = Cells::default();
        let Cells { starts, ranks } = &mut cells;
        starts.reserve_exact(self.start.len() / (PARTS / 2) + 1);
        ranks.reserve_exact(self.sorted.len());
        for columns in 0..1 << self.subsets.h {
            for parts in kinds {
                for (rank, &rows) in self.subsets.like(columns).iter().enumerate() {
                    starts.push(ranks.len() as u32);
                    let rows = if reversed { self.subsets.reversed(rows) } else { rows };
                    let cell = PARTS * self.subsets.cell(columns, rows);
                    for part in parts {
                        let range = self.start[cell + part] as usize..self.start[cell + part + 1] as usize;
                        for &diagonals in &self.sorted[range] {
                            add(diagonals);
                            ranks.push(rank as u16);
                        }
                    }
                }
            }
        }
        starts.push(ranks.len() as u32);
        cells
    }
}

/// The queens of the middle row, at (h, c), and of the middle column, at (r, h), as starts of the
/// top-left quarter: r < c < h, every other pair being a mirror image; then the centre queen.
fn middle_queens(geometry: &Geometry) -> Vec<Placement> {
    let h = geometry.h;
    let pairs = (1..h).flat_map(|c| (0..c).map(move |r| (r, c)));
    let pairs = pairs.map(|(r, c)| {
        let (row, column) = (geometry.diagonals(h, c), geometry.diagonals(r, h));
        let diagonals =
            Diagonals { rising: row.rising | column.rising, falling: row.falling | column.falling };
        Placement { columns: 1 << c, rows: 1 << r, diagonals }
    });
    let centre = Placement { diagonals: geometry.diagonals(h, h), ..Placement::default() };
    pairs.chain([centre]).collect()
}

/// The tables of the four quarters.
pub struct Quarters {
    /// Top left and top right.
    pub top: [TopQuarter; 2],
    /// Bottom left and bottom right.
    pub bottom: [BottomQuarter; 2],
}

impl Quarters {
    /// Builds them; `lookups` turns a bottom quarter's mask into its places in a piece's tables.
    pub fn new(geometry: &Geometry, subsets: &Subsets, lookups: impl Fn(u64, bool) -> u64 + Sync) -> Self {
        const ALL: [&[usize]; 2] = [&[0, 1, 2, 3], &[]];
        let h = geometry.h;
        let top =
            |placements: &Placements<'_>, corner, kinds| TopQuarter::new(geometry, placements, corner, kinds);
        let bottom = |placements: &Placements<'_>, corner, kinds| {
            let right = corner == Corner::BottomRight;
            BottomQuarter::new(geometry, placements, corner, kinds, |mask| lookups(mask, right))
        };
        // Even n: part 1 is on the long falling diagonal, 2 on the rising one, 3 on both.
        let part = |on: Diagonals| (2 * (on.rising >> (h - 1) & 1) | on.falling >> h & 1) as usize;
        let (left, right): ([&[usize]; 2], [&[usize]; 2]) =
            if geometry.odd() { (ALL, ALL) } else { ([&[0, 1], &[2, 3]], [&[0, 2], &[1, 3]]) };
        let rest = || {
            let placements = Placements::new(subsets, &[Placement::default()], part);
            let bottom = || {
                rayon::join(
                    || bottom(&placements, Corner::BottomLeft, left),
                    || bottom(&placements, Corner::BottomRight, right),
                )
            };
            // The top quarters keep off the long diagonals.
            let top_right: [&[usize]; 2] = if geometry.odd() { ALL } else { [&[0, 1], &[]] };
            let tops = || {
                let left = (!geometry.odd()).then(|| top(&placements, Corner::TopLeft, [&[0, 2], &[]]));
                (left, top(&placements, Corner::TopRight, top_right))
            };
            rayon::join(tops, bottom)
        };
        let with_middle_queens = || {
            // Only the centre queen stands on s = 2h.
            let part = |on: Diagonals| (on.rising >> (2 * h) & 1) as usize;
            let placements = Placements::new(subsets, &middle_queens(geometry), part);
            top(&placements, Corner::TopLeft, [&[0], &[1]])
        };
        let with_middle_queens = || geometry.odd().then(with_middle_queens);
        let (odd_left, ((even_left, top_right), bottom)) = rayon::join(with_middle_queens, rest);
        let top_left = odd_left.or(even_left).unwrap_or_default();
        Self { top: [top_left, top_right], bottom: bottom.into() }
    }

    /// Bytes of the tables.
    pub fn bytes(&self) -> usize {
        let top = self
            .top
            .iter()
            .map(|quarter| quarter.cells.bytes() + size_of_val(&*quarter.low) + size_of_val(&*quarter.high));
        let bottom = self.bottom.iter().map(|quarter| {
            let entries =
                size_of_val(&*quarter.mask) + size_of_val(&*quarter.lookups) + size_of_val(&*quarter.keys);
            quarter.cells.bytes() + entries
        });
        top.chain(bottom).sum()
    }
}

impl TopQuarter {
    fn new(geometry: &Geometry, placements: &Placements<'_>, corner: Corner, kinds: [&[usize]; 2]) -> Self {
        let room = placements.sorted.len() + PADDING;
        let (mut low, mut high) = (Vec::with_capacity(room), Vec::with_capacity(room));
        let cells = placements.arrange(kinds, false, |diagonals| {
            let mask = geometry.top_mask(corner, diagonals);
            low.push(mask.low);
            high.push(mask.high);
        });
        low.extend([0; PADDING]);
        high.extend([0; PADDING]);
        Self { cells, low, high }
    }
}

impl BottomQuarter {
    fn new(
        geometry: &Geometry,
        placements: &Placements<'_>,
        corner: Corner,
        kinds: [&[usize]; 2],
        to_lookups: impl Fn(u64) -> u64,
    ) -> Self {
        let room = placements.sorted.len() + PADDING;
        let (mut mask, mut lookups) = (Vec::with_capacity(room), Vec::with_capacity(room));
        let shared = (1_u64 << (2 * geometry.high)) - 1;
        let cells = placements.arrange(kinds, true, |diagonals| {
            let bits = geometry.bottom_mask(corner, diagonals);
            mask.push((bits & shared) as u32);
            lookups.push(to_lookups(bits));
        });
        mask.extend([0; PADDING]);
        let keys = vec![0; lookups.len()];
        Self { cells, mask, lookups, keys }
    }
}
