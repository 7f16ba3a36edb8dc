//! Tables of all legal partial placements of a quarter, by the columns and rows that the queens use.
//!
//! A *cell* is a pair (set of columns, set of rows) with sets of equal size; its *entries* are masks of crossing diagonals, one per
//! placement. An 8 by 8 quarter has 118,969 placements, and a 10 by 10 quarter 7.5 million. The entries of one set of columns are
//! contiguous, ordered by *kind*, then by the *rank* of their rows among the row sets of equal size. The
//! ranks of row sets and of their complements run in opposite directions, so complementary cells
//! are read from opposite ends. For odd n, the queens of the middle row and column are part of the top-left
//! quarter: an entry treats the middle row's column c and the middle column's row r as used, and its mask
//! contains their diagonals. Odd boards are then joined like even boards. Cost: each placement is generated once
//! for all quarters (twice for odd n), sorted by a counting sort, and copied for each quarter. Nothing is allocated
//! afterwards.
//!
//! If tables of all columns would be too large, each column set builds separate tables: a 12 by 12 quarter has
//! 633 million placements, but only 155,000 per set of columns on average.

use std::ops::{Range, RangeInclusive};

use super::ShouldStop;
use super::geometry::{Corner, Diagonals, Geometry, MaskTable};
use super::placements::{PARTS, QuarterPlacement, QuarterPlacements, Subsets, middle_queens};
use super::symmetry::ColumnSet;

/// The entries of a quarter. Kind 1 are, in the top-left quarter for odd n, the entries with the centre queen, and in a
/// bottom quarter for even n, the entries with a queen on a long diagonal; all others have kind 0. Ranks in bottom quarters are the
/// ranks of the reversed rows.
#[derive(Default)]
pub struct Quarter {
    /// The number of cells of the column sets before the first column set of this table.
    before: u32,
    /// By column set, kind and rank, the index of the first entry.
    starts: Vec<u32>,
    /// The word [`Mask::low`](super::geometry::Mask::low) of each entry, unless masks have one word.
    pub low: Vec<u32>,
    /// The word [`Mask::high`](super::geometry::Mask::high) of each entry.
    pub high: Vec<u32>,
}

impl Quarter {
    /// For each kind, the starts of the cells of these columns by rank, followed by the end of the last cell.
    pub fn starts(&self, subsets: &Subsets, columns: u32) -> [&[u32]; 2] {
        let cells = subsets.cells[columns as usize] - self.before;
        let (first, ranks) = (2 * cells as usize, subsets.like(columns).len());
        [&self.starts[first..=first + ranks], &self.starts[first + ranks..=first + 2 * ranks]]
    }

    /// Converts the placements to the entries of a quarter. `None` if `stop` returned true.
    fn new(
        geometry: &Geometry,
        placements: &QuarterPlacements<'_>,
        recipe: &Recipe,
        stop: ShouldStop<'_>,
    ) -> Option<Self> {
        let Recipe { corner, kinds, .. } = *recipe;
        let QuarterPlacements { subsets, columns, before, sorted, start } = placements;
        let with_room = || Vec::with_capacity(sorted.len());
        let (mut low, mut high) = (if geometry.one_word { Vec::new() } else { with_room() }, with_room());
        let mut starts = Vec::with_capacity(start.len() / (PARTS / 2) + 1);
        let top = matches!(corner, Corner::TopLeft | Corner::TopRight);
        let masks = MaskTable::new(&geometry.fields(corner));
        let mut arranged = Vec::new();
        for columns in columns.clone() {
            if stop() {
                return None;
            }
            arranged.clear();
            for parts in kinds {
                for &rows in subsets.like(columns) {
                    starts.push((high.len() + arranged.len()) as u32);
                    let rows = if top { rows } else { geometry.reversed(rows) };
                    let cell = PARTS * (subsets.cell(columns, rows) - *before as usize);
                    for part in parts {
                        let start = |part: usize| start[cell + part] as usize;
                        arranged.extend_from_slice(&sorted[start(part.start)..start(part.end)]);
                    }
                }
            }
            let from = high.len();
            high.resize(from + arranged.len(), 0);
            if geometry.one_word {
                for (high, &diagonals) in high[from..].iter_mut().zip(&arranged) {
                    *high = masks.mask(diagonals).high;
                }
                continue;
            }
            low.resize(from + arranged.len(), 0);
            for ((low, high), &diagonals) in low[from..].iter_mut().zip(&mut high[from..]).zip(&arranged) {
                let mask = masks.mask(diagonals);
                (*low, *high) = (mask.low, mask.high);
            }
        }
        starts.push(high.len() as u32);
        Some(Self { before: *before, starts, low, high })
    }
}

/// The parts of each kind.
type Kinds = [&'static [Range<usize>]; 2];

/// The tables of the four quarters.
pub struct Quarters {
    /// Top left and top right.
    pub top: [Quarter; 2],
    /// Bottom left and bottom right.
    pub bottom: [Quarter; 2],
}

/// The conversion from placements to the entries of a quarter.
struct Recipe {
    corner: Corner,
    starts: Vec<QuarterPlacement>,
    /// Returns the part of a placement, from the side length and the diagonals.
    part: fn(u32, Diagonals) -> usize,
    kinds: Kinds,
}

impl Recipe {
    /// The quarters in the order of [`Quarters::top`] and [`Quarters::bottom`].
    #[expect(clippy::single_range_in_vec_init, reason = "a kind is one range of parts or two")]
    fn all(geometry: &Geometry) -> [Self; 4] {
        const ALL: Kinds = [&[0..4], &[]];
        const CENTRE: Kinds = [&[0..1], &[1..2]];
        const BY_FALLING: Kinds = [&[0..1, 2..3], &[1..2, 3..4]];
        const BY_RISING: Kinds = [&[0..2], &[2..4]];
        // Even n: part 1 has a queen on the long falling diagonal, part 2 on the long rising diagonal, part 3 on both.
        let long = |h: u32, on: Diagonals| (2 * (on.rising >> (h - 1) & 1) + (on.falling >> h & 1)) as usize;
        // Odd n, top-left quarter: only the centre queen is on s = 2h.
        let centre = |h: u32, on: Diagonals| (on.rising >> (2 * h) & 1) as usize;
        let corners = [Corner::TopLeft, Corner::TopRight, Corner::BottomLeft, Corner::BottomRight];
        // The top quarters of even boards have no queen on the long diagonals.
        let kinds = match geometry.odd() {
            true => [CENTRE, ALL, ALL, ALL],
            false => [[BY_FALLING[0], &[]], [BY_RISING[0], &[]], BY_RISING, BY_FALLING],
        };
        std::array::from_fn(|at| {
            let middle = geometry.odd() && corners[at] == Corner::TopLeft;
            let starts = if middle { middle_queens(geometry) } else { vec![QuarterPlacement::default()] };
            Self { corner: corners[at], starts, part: if middle { centre } else { long }, kinds: kinds[at] }
        })
    }

    fn placements<'a>(
        &self,
        subsets: &'a Subsets,
        columns: RangeInclusive<u32>,
        stop: ShouldStop<'_>,
    ) -> Option<QuarterPlacements<'a>> {
        QuarterPlacements::new(subsets, columns, &self.starts, |on| (self.part)(subsets.h, on), stop)
    }
}

impl Quarters {
    /// Builds the tables of all column sets; `None` if `stop` returned true.
    pub fn new(geometry: &Geometry, subsets: &Subsets, stop: ShouldStop<'_>) -> Option<Self> {
        let [top_left, top_right, bottom_left, bottom_right] = Recipe::all(geometry);
        let all = || 0..=geometry.full();
        let quarter = |recipe: &Recipe, placements: &QuarterPlacements<'_>| {
            Quarter::new(geometry, placements, recipe, stop)
        };
        let with_middle_queens = || quarter(&top_left, &top_left.placements(subsets, all(), stop)?);
        let others = || {
            let placements = top_right.placements(subsets, all(), stop)?;
            let quarter = |recipe: &Recipe| quarter(recipe, &placements);
            let top = || ((!geometry.odd()).then(|| quarter(&top_left)), quarter(&top_right));
            let bottom = || rayon::join(|| quarter(&bottom_left), || quarter(&bottom_right));
            Some(rayon::join(top, bottom))
        };
        let (odd, others) = rayon::join(|| geometry.odd().then(with_middle_queens), others);
        let ((even, top_right), bottom) = others?;
        Some(Self { top: [odd.or(even)??, top_right?], bottom: [bottom.0?, bottom.1?] })
    }

    /// Builds the tables of one column set. `below` are the columns of the bottom half. `None` if `stop` returned true.
    pub fn of_set(
        geometry: &Geometry,
        subsets: &Subsets,
        [set, below]: [ColumnSet; 2],
        stop: ShouldStop<'_>,
    ) -> Option<Self> {
        let quarter = |recipe: &Recipe, columns: u32| {
            let placements = recipe.placements(subsets, columns..=columns, stop)?;
            Quarter::new(geometry, &placements, recipe, stop)
        };
        let [a, b, c, d] = Recipe::all(geometry);
        Some(Self {
            top: [quarter(&a, set.left)?, quarter(&b, set.right)?],
            bottom: [quarter(&c, below.left)?, quarter(&d, below.right)?],
        })
    }

    /// The size of the tables in bytes.
    pub fn bytes(&self) -> usize {
        let all = self.top.iter().chain(&self.bottom);
        4 * all.map(|quarter| quarter.starts.len() + quarter.low.len() + quarter.high.len()).sum::<usize>()
    }
}
