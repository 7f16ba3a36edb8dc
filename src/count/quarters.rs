//! Tables of all legal partial placements of a quarter, by the columns and rows that they use.
//!
//! A cell is a pair (columns used, rows used) of equal size; its entries are masks of crossing diagonals. 8
//! by 8 quarters have 119,481 placements, 10 by 10 have 7.5 million. The entries of one set of columns are
//! contiguous: ordered by their kind, then by the *rank* of their rows among the row sets of that size. The
//! ranks of a quarter's row sets and of their complements run in opposite directions, so complementary cells
//! are read from opposite ends. For odd n the queens of the middle row and column are part of the top-left
//! quarter: an entry treats the middle row's column c and the middle column's row r as used, and its mask
//! contains their diagonals. Odd boards are then joined exactly like even ones. Cost: one visit per placement
//! for all quarters (two for odd n), a counting sort, and a copy for each quarter. Nothing is allocated
//! afterwards.

use std::ops::Range;

use super::geometry::{Corner, Diagonals, Geometry};
use super::memory;

/// The sets of a quarter's rows or columns, by size.
pub struct Subsets {
    h: u32,
    by_size: Vec<Vec<u32>>,
    /// Index of a set among the sets of its size.
    ranks: Vec<u16>,
    /// For a set of columns, the number of cells of the sets before it.
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

    /// The sets with the same number of elements as `set`, in order.
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

/// The entries of a quarter. Kind 1 means: in the top-left quarter for odd n, with the centre queen; in a
/// bottom quarter for even n, with a queen on a long diagonal. Ranks in bottom quarters are the ranks of the
/// reversed rows.
#[derive(Default)]
pub struct Quarter {
    /// The first entry of each kind and rank, one set of columns after the other.
    starts: Vec<u32>,
    /// The word [`Mask::low`](super::geometry::Mask::low) of each entry.
    pub low: Vec<u32>,
    /// The word [`Mask::high`](super::geometry::Mask::high) of each entry.
    pub high: Vec<u32>,
}

impl Quarter {
    /// The starts of the cells of these columns, by kind and then by rank; each kind is followed by its end.
    pub fn starts(&self, subsets: &Subsets, columns: u32) -> [&[u32]; 2] {
        let (first, ranks) = (2 * subsets.cells[columns as usize] as usize, subsets.like(columns).len());
        [&self.starts[first..=first + ranks], &self.starts[first + ranks..=first + 2 * ranks]]
    }

    /// Arranges the placements of a quarter; `kinds` has the parts of each kind.
    fn new(geometry: &Geometry, placements: &Placements<'_>, corner: Corner, kinds: Kinds) -> Self {
        let Placements { subsets, sorted, start } = placements;
        let with_room = || Vec::with_capacity(sorted.len());
        let (mut low, mut high) = (with_room(), with_room());
        let mut starts = Vec::with_capacity(start.len() / (PARTS / 2) + 1);
        let top = matches!(corner, Corner::TopLeft | Corner::TopRight);
        let fields = geometry.fields(corner);
        let mut arranged = Vec::new();
        for columns in 0..1 << subsets.h {
            arranged.clear();
            for parts in kinds {
                for &rows in subsets.like(columns) {
                    starts.push((low.len() + arranged.len()) as u32);
                    let rows = if top { rows } else { subsets.reversed(rows) };
                    let cell = PARTS * subsets.cell(columns, rows);
                    for part in parts {
                        let start = |part: usize| start[cell + part] as usize;
                        arranged.extend_from_slice(&sorted[start(part.start)..start(part.end)]);
                    }
                }
            }
            let from = low.len();
            low.resize(from + arranged.len(), 0);
            high.resize(from + arranged.len(), 0);
            for ((low, high), &diagonals) in low[from..].iter_mut().zip(&mut high[from..]).zip(&arranged) {
                let mask = fields.mask(diagonals);
                (*low, *high) = (mask.low, mask.high);
            }
        }
        starts.push(low.len() as u32);
        Self { starts, low, high }
    }
}

/// A placement, possibly incomplete.
#[derive(Clone, Copy, Default)]
struct Placement {
    columns: u32,
    rows: u32,
    diagonals: Diagonals,
}

impl Placement {
    /// Visits every way of adding queens in rows `row..h`, with none or one in each free row.
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

/// The parts that make up each kind.
type Kinds = [&'static [Range<usize>]; 2];

/// All placements on h by h squares, sorted by cell and part.
struct Placements<'a> {
    subsets: &'a Subsets,
    sorted: Vec<Diagonals>,
    start: Vec<u32>,
}

impl<'a> Placements<'a> {
    /// All placements that extend `starts`.
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
}

/// The queens of the middle row, at (h, c), and of the middle column, at (r, h), as starts of the top-left
/// quarter. r < c < h, because every other pair is a mirror image; then the centre queen.
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
    pub top: [Quarter; 2],
    /// Bottom left and bottom right.
    pub bottom: [Quarter; 2],
}

impl Quarters {
    /// Builds the tables.
    #[expect(clippy::single_range_in_vec_init, reason = "a kind is one range of parts or two")]
    pub fn new(geometry: &Geometry, subsets: &Subsets) -> Self {
        const NONE: Kinds = [&[], &[]];
        const ALL: Kinds = [&[0..4], &[]];
        const BY_FALLING: Kinds = [&[0..1, 2..3], &[1..2, 3..4]];
        const BY_RISING: Kinds = [&[0..2], &[2..4]];
        let h = geometry.h;
        // Even n: part 1 is on the long falling diagonal, 2 on the rising one, 3 on both.
        let part = |on: Diagonals| (2 * (on.rising >> (h - 1) & 1) + (on.falling >> h & 1)) as usize;
        let corners = [Corner::TopLeft, Corner::TopRight, Corner::BottomLeft, Corner::BottomRight];
        // The top quarters of even boards have no queen on the long diagonals.
        let kinds = match geometry.odd() {
            true => [NONE, ALL, ALL, ALL],
            false => [[BY_FALLING[0], &[]], [BY_RISING[0], &[]], BY_RISING, BY_FALLING],
        };
        let all_but_middle_queens = || {
            let placements = Placements::new(subsets, &[Placement::default()], part);
            let quarter = |at: usize| Quarter::new(geometry, &placements, corners[at], kinds[at]);
            rayon::join(|| [quarter(0), quarter(1)], || rayon::join(|| quarter(2), || quarter(3)))
        };
        let with_middle_queens = || {
            // Only the centre queen is on s = 2h.
            let part = |on: Diagonals| (on.rising >> (2 * h) & 1) as usize;
            let placements = Placements::new(subsets, &middle_queens(geometry), part);
            Quarter::new(geometry, &placements, Corner::TopLeft, [&[0..1], &[1..2]])
        };
        let (top_left, (mut top, bottom)) =
            rayon::join(|| geometry.odd().then(with_middle_queens), all_but_middle_queens);
        if let Some(top_left) = top_left {
            top[0] = top_left;
        }
        Self { top, bottom: bottom.into() }
    }

    /// Bytes of the tables.
    pub fn bytes(&self) -> usize {
        let all = self.top.iter().chain(&self.bottom);
        4 * all.map(|quarter| quarter.starts.len() + quarter.low.len() + quarter.high.len()).sum::<usize>()
    }
}
