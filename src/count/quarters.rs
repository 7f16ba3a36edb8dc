//! Tables of all legal partial placements of a quarter, by the columns and rows that they use.
//!
//! A cell is a pair (columns used, rows used) of equal size; its entries are masks of crossing
//! diagonals. 8 by 8 quarters have 119,481 placements, 10 by 10 have 7.5 million.
//! For odd n the queens of the middle row and column are part of the top-left quarter: an entry uses
//! the middle row's column c and the middle column's row r as if it stood there, and its mask holds
//! their diagonals. Then odd boards are joined exactly as even ones are.
//! Cost: one visit a placement, then a counting sort by cell. Nothing is allocated afterwards.

use std::ops::Range;

use super::geometry::{Corner, Geometry};
use super::memory;

/// Where the entries of each cell lie; a cell may have two kinds of entries, one behind the other.
pub struct Cells {
    h: u32,
    start: Vec<u32>,
}

impl Cells {
    fn bytes(&self) -> usize {
        size_of_val(&*self.start)
    }

    /// Entries of the given kind (0 or 1) that use exactly these columns and rows.
    pub fn range(&self, columns: u32, rows: u32, kind: usize) -> Range<usize> {
        let cell = 2 * ((columns << self.h | rows) as usize) + kind;
        self.start[cell] as usize..self.start[cell + 1] as usize
    }
}

/// A top quarter. Kind 1 (top left, odd n) is that of the centre queen.
pub struct TopQuarter {
    /// Cell boundaries.
    pub cells: Cells,
    /// S_low and T_low of each entry.
    pub low: Vec<u32>,
    /// S_high and T_high of each entry.
    pub high: Vec<u32>,
}

/// A bottom quarter. Kind 1 (even n) has a queen on a long diagonal.
pub struct BottomQuarter {
    /// Cell boundaries.
    pub cells: Cells,
    /// S_high and T_high, which both bottom quarters reach.
    pub mask: Vec<u32>,
    /// Where an entry looks into a piece's tables; see [`super::pieces`].
    pub lookups: Vec<u64>,
    /// Which key diagonals an entry uses; see [`super::keys`].
    pub keys: Vec<u32>,
}

/// A placement under construction: what is used up, and the diagonals gathered.
#[derive(Clone, Copy, Default)]
struct Partial {
    columns: u32,
    rows: u32,
    rising: u32,
    falling: u32,
    bits: u64,
}

/// The squares of one quarter: what a queen on each adds to an entry's bits.
struct Squares {
    h: u32,
    bits: Vec<u64>,
}

impl Squares {
    fn new(geometry: &Geometry, corner: Corner, bits: impl Fn(u32, u32) -> u64) -> Self {
        let h = geometry.h;
        let squares = (0..h * h).map(|square| geometry.square(corner, square / h, square % h));
        Self { h, bits: squares.map(|(row, column)| bits(row, column)).collect() }
    }

    /// Visits every way of adding queens to `partial` in rows `row..h`, none or one in each free row.
    fn visit(&self, row: u32, partial: Partial, f: &mut impl FnMut(Partial)) {
        let h = self.h;
        if row == h {
            return f(partial);
        }
        self.visit(row + 1, partial, f);
        if partial.rows >> row & 1 == 1 {
            return;
        }
        let mut free = ((1 << h) - 1) & !(partial.columns | partial.rising >> row);
        while free != 0 {
            let column = free.trailing_zeros();
            free &= free - 1;
            let falling = 1 << (row + h - 1 - column);
            if partial.falling & falling != 0 {
                continue;
            }
            let next = Partial {
                columns: partial.columns | 1 << column,
                rows: partial.rows | 1 << row,
                rising: partial.rising | 1 << (row + column),
                falling: partial.falling | falling,
                bits: partial.bits | self.bits[(row * h + column) as usize],
            };
            self.visit(row + 1, next, f);
        }
    }

    /// Visits every placement that extends one of `starts`; each start has a kind.
    fn all(&self, starts: &[(Partial, usize)], f: &mut impl FnMut(usize, u64)) {
        for &(start, kind) in starts {
            self.visit(0, start, &mut |p| f(2 * ((p.columns << self.h | p.rows) as usize) + kind, p.bits));
        }
    }

    /// All placements that extend `starts`, sorted by cell. `kind_of` adds to the start's kind.
    fn sorted(&self, starts: &[(Partial, usize)], kind_of: impl Fn(u64) -> usize) -> (Cells, Vec<u64>) {
        let mut start = vec![0_u32; 2 * (1 << (2 * self.h)) + 2];
        let mut visited = Vec::with_capacity(memory::placements(self.h));
        self.all(starts, &mut |cell, bits| {
            let cell = cell + kind_of(bits);
            start[cell + 2] += 1;
            visited.push((cell as u32, bits));
        });
        for cell in 2..start.len() {
            start[cell] = start[cell].checked_add(start[cell - 1]).expect("a quarter has below 2^32 entries");
        }
        let mut sorted = vec![0; visited.len()];
        for (cell, bits) in visited {
            let next = &mut start[cell as usize + 1];
            sorted[*next as usize] = bits;
            *next += 1;
        }
        start.pop();
        (Cells { h: self.h, start }, sorted)
    }
}

/// The queens of the middle row, at (h, c), and of the middle column, at (r, h), as starts of the
/// top-left quarter: r < c < h, every other pair being a mirror image; then the centre queen (kind 1).
fn middle_queens(geometry: &Geometry, bits: impl Fn(u32, u32) -> u64) -> Vec<(Partial, usize)> {
    let h = geometry.h;
    let pairs = (1..h).flat_map(|c| (0..c).map(move |r| (r, c)));
    let pairs = pairs.map(|(r, c)| {
        let start = Partial {
            columns: 1 << c,
            rows: 1 << r,
            rising: 1 << (h + c) | 1 << (h + r),
            // t = r - h lies outside of the quarter for r = 0.
            falling: 1 << (2 * h - 1 - c) | (1 << r) >> 1,
            bits: bits(h, c) | bits(r, h),
        };
        (start, 0)
    });
    let centre = Partial { falling: 1 << (h - 1), bits: bits(h, h), ..Partial::default() };
    pairs.chain([(centre, 1)]).collect()
}

impl TopQuarter {
    /// The top-left quarter: even n, no queen on the long diagonal; odd n, with the middle queens.
    pub fn left(geometry: &Geometry) -> Self {
        let free = Partial { falling: 1 << (geometry.h - 1), ..Partial::default() };
        let bits = |row, column| top_bits(geometry, row, column);
        let starts = if geometry.odd() { middle_queens(geometry, bits) } else { vec![(free, 0)] };
        Self::new(&Squares::new(geometry, Corner::TopLeft, bits), &starts)
    }

    /// The top-right quarter: even n, no queen on the long diagonal.
    pub fn right(geometry: &Geometry) -> Self {
        let free = Partial { rising: 1 << (geometry.h - 1), ..Partial::default() };
        let start = if geometry.odd() { Partial::default() } else { free };
        let squares = Squares::new(geometry, Corner::TopRight, |row, column| top_bits(geometry, row, column));
        Self::new(&squares, &[(start, 0)])
    }

    /// Bytes of the table.
    pub fn bytes(&self) -> usize {
        self.cells.bytes() + size_of_val(&*self.low) + size_of_val(&*self.high)
    }

    fn new(squares: &Squares, starts: &[(Partial, usize)]) -> Self {
        let (cells, sorted) = squares.sorted(starts, |_| 0);
        let low = sorted.iter().map(|&bits| bits as u32).collect();
        let high = sorted.iter().map(|&bits| (bits >> 32) as u32).collect();
        Self { cells, low, high }
    }
}

fn top_bits(geometry: &Geometry, row: u32, column: u32) -> u64 {
    let mask = geometry.top_mask(row, column);
    u64::from(mask.low) | u64::from(mask.high) << 32
}

impl BottomQuarter {
    /// Bytes of the table.
    pub fn bytes(&self) -> usize {
        let entries = size_of_val(&*self.mask) + size_of_val(&*self.lookups) + size_of_val(&*self.keys);
        self.cells.bytes() + entries
    }

    /// A bottom quarter; `lookups` turns a mask into its places in a piece's tables.
    pub fn new(geometry: &Geometry, corner: Corner, lookups: impl Fn(u64) -> u64) -> Self {
        const LONG: u32 = 63;
        let squares = Squares::new(geometry, corner, |row, column| {
            let mask = geometry.bottom_mask(corner, row, column);
            mask.bits | u64::from(mask.long) << LONG
        });
        let (cells, sorted) = squares.sorted(&[(Partial::default(), 0)], |bits| (bits >> LONG) as usize);
        let shared = (1_u64 << (2 * geometry.high)) - 1;
        let mask = sorted.iter().map(|&bits| (bits & shared) as u32).collect();
        let lookups = sorted.iter().map(|&bits| lookups(bits & !(1 << LONG))).collect();
        let keys = vec![0; sorted.len()];
        Self { cells, mask, lookups, keys }
    }
}
