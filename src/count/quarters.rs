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
//!
//! Where tables of all columns are too large, each column set gets tables of its own: a 12 by 12 quarter has about
//! 620 million placements, but only 150,000 for a set of columns on average.

use std::ops::{Range, RangeInclusive};

use fastrand::Rng;
use rayon::prelude::*;

use super::geometry::{Corner, Diagonals, Geometry, MaskTable};
use super::placements::{PARTS, Placement, Placements, Subsets, middle_queens};
use super::symmetry::ColumnSet;

/// The entries of a quarter. Kind 1 means: in the top-left quarter for odd n, with the centre queen; in a
/// bottom quarter for even n, with a queen on a long diagonal. Ranks in bottom quarters are the ranks of the
/// reversed rows.
#[derive(Default)]
pub struct Quarter {
    /// Number of cells of the sets of columns before the first one of this table.
    before: u32,
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
        let cells = subsets.cells[columns as usize] - self.before;
        let (first, ranks) = (2 * cells as usize, subsets.like(columns).len());
        [&self.starts[first..=first + ranks], &self.starts[first + ranks..=first + 2 * ranks]]
    }

    /// Arranges the placements of a quarter; `kinds` has the parts of each kind.
    fn new(geometry: &Geometry, placements: &Placements<'_>, corner: Corner, kinds: Kinds) -> Self {
        let Placements { subsets, columns, before, sorted, start } = placements;
        let with_room = || Vec::with_capacity(sorted.len());
        let (mut low, mut high) = (with_room(), with_room());
        let mut starts = Vec::with_capacity(start.len() / (PARTS / 2) + 1);
        let top = matches!(corner, Corner::TopLeft | Corner::TopRight);
        let masks = MaskTable::new(&geometry.fields(corner));
        let mut arranged = Vec::new();
        for columns in columns.clone() {
            arranged.clear();
            for parts in kinds {
                for &rows in subsets.like(columns) {
                    starts.push((low.len() + arranged.len()) as u32);
                    let rows = if top { rows } else { subsets.reversed(rows) };
                    let cell = PARTS * (subsets.cell(columns, rows) - *before as usize);
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
                let mask = masks.mask(diagonals);
                (*low, *high) = (mask.low, mask.high);
            }
        }
        starts.push(low.len() as u32);
        Self { before: *before, starts, low, high }
    }
}

/// Random descents for an estimate of a number of entries.
const DESCENTS: usize = 256;

/// The parts that make up each kind.
type Kinds = [&'static [Range<usize>]; 2];

/// The tables of the four quarters.
pub struct Quarters {
    /// Top left and top right.
    pub top: [Quarter; 2],
    /// Bottom left and bottom right.
    pub bottom: [Quarter; 2],
}

/// Estimated numbers of entries of the four quarters, for each set of columns and kind.
pub struct Entries([Vec<[f64; 2]>; 4]);

impl Entries {
    /// Estimates them; the estimates are always the same.
    pub fn estimate(geometry: &Geometry) -> Self {
        let estimate = |recipe: &Recipe| {
            let sets = (0..=geometry.full()).into_par_iter();
            let entries = |columns| recipe.entries(geometry.h, columns, &mut Rng::with_seed(columns.into()));
            sets.map(entries).collect()
        };
        Self(Recipe::all(geometry).each_ref().map(estimate))
    }

    /// Estimates, for [`halves::pairs`](super::halves::pairs), the halves that joins list before diagonals are
    /// compared: as if each rank had the same number of entries.
    pub fn joined(
        &self,
        subsets: &Subsets,
        [set, below]: [ColumnSet; 2],
    ) -> impl Fn(usize, [usize; 2], Range<usize>) -> f64 {
        let [a, b, c, d] = &self.0;
        let entries = |quarter: &[[f64; 2]], columns: u32| {
            let ranks = subsets.like(columns).len() as f64;
            quarter[columns as usize].map(|entries| entries / ranks)
        };
        let sides = [
            [entries(a, set.left), entries(b, set.right)],
            [entries(c, below.left), entries(d, below.right)],
        ];
        move |half, [l, r], ranks| sides[half][0][l] * sides[half][1][r] * ranks.len() as f64
    }
}

/// How the entries of a quarter arise from placements.
struct Recipe {
    corner: Corner,
    starts: Vec<Placement>,
    /// Number of the property that each part is about.
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
        // Even n: part 1 is on the long falling diagonal, 2 on the rising one, 3 on both.
        let long = |h: u32, on: Diagonals| (2 * (on.rising >> (h - 1) & 1) + (on.falling >> h & 1)) as usize;
        // Odd n, top left: only the centre queen is on s = 2h.
        let centre = |h: u32, on: Diagonals| (on.rising >> (2 * h) & 1) as usize;
        let corners = [Corner::TopLeft, Corner::TopRight, Corner::BottomLeft, Corner::BottomRight];
        // The top quarters of even boards have no queen on the long diagonals.
        let kinds = match geometry.odd() {
            true => [CENTRE, ALL, ALL, ALL],
            false => [[BY_FALLING[0], &[]], [BY_RISING[0], &[]], BY_RISING, BY_FALLING],
        };
        std::array::from_fn(|at| {
            let middle = geometry.odd() && corners[at] == Corner::TopLeft;
            let starts = if middle { middle_queens(geometry) } else { vec![Placement::default()] };
            Self { corner: corners[at], starts, part: if middle { centre } else { long }, kinds: kinds[at] }
        })
    }

    /// Estimates the number of entries of each kind that use a set of columns, by random descents (Knuth 1975).
    fn entries(&self, h: u32, columns: u32, random: &mut Rng) -> [f64; 2] {
        let starts: Vec<Placement> =
            self.starts.iter().copied().filter(|start| start.columns & !columns == 0).collect();
        let mut entries = [0.0; 2];
        if starts.is_empty() {
            return entries;
        }
        for _ in 0..DESCENTS {
            let mut weight = starts.len() as f64 / DESCENTS as f64;
            let mut at = starts[random.usize(..starts.len())];
            let open = columns & !at.columns;
            for column in (0..h).filter(|column| open >> column & 1 == 1) {
                let free = at.free(h, column);
                weight *= f64::from(free.count_ones());
                if free == 0 {
                    break;
                }
                let row = (0..random.u32(..free.count_ones())).fold(free, |free, _| free & (free - 1));
                at = at.with(h, row.trailing_zeros(), column);
            }
            let part = (self.part)(h, at.diagonals);
            let kind = self.kinds.iter().position(|parts| parts.iter().any(|parts| parts.contains(&part)));
            if let Some(kind) = kind {
                entries[kind] += weight;
            }
        }
        entries
    }

    fn placements<'a>(&self, subsets: &'a Subsets, columns: RangeInclusive<u32>) -> Placements<'a> {
        Placements::new(subsets, columns, &self.starts, |on| (self.part)(subsets.h, on))
    }
}

impl Quarters {
    /// Builds the tables of all sets of columns.
    pub fn new(geometry: &Geometry, subsets: &Subsets) -> Self {
        let [top_left, top_right, bottom_left, bottom_right] = Recipe::all(geometry);
        let all = || 0..=geometry.full();
        let quarter = |recipe: &Recipe, placements: &Placements<'_>| {
            Quarter::new(geometry, placements, recipe.corner, recipe.kinds)
        };
        let with_middle_queens =
            || geometry.odd().then(|| quarter(&top_left, &top_left.placements(subsets, all())));
        let others = || {
            let placements = top_right.placements(subsets, all());
            let quarter = |recipe: &Recipe| quarter(recipe, &placements);
            let top = || ((!geometry.odd()).then(|| quarter(&top_left)), quarter(&top_right));
            rayon::join(top, || rayon::join(|| quarter(&bottom_left), || quarter(&bottom_right)))
        };
        let (odd, ((even, top_right), bottom)) = rayon::join(with_middle_queens, others);
        let top_left = odd.or(even).expect("a board is odd or even");
        Self { top: [top_left, top_right], bottom: bottom.into() }
    }

    /// Builds the tables of one column set; `below` has the columns of the bottom half.
    pub fn of_set(geometry: &Geometry, subsets: &Subsets, [set, below]: [ColumnSet; 2]) -> Self {
        let columns = [set.left, set.right, below.left, below.right];
        let mut recipes = Recipe::all(geometry).into_iter().zip(columns);
        let mut quarter = || {
            let (recipe, columns) = recipes.next().expect("four quarters");
            Quarter::new(
                geometry,
                &recipe.placements(subsets, columns..=columns),
                recipe.corner,
                recipe.kinds,
            )
        };
        Self { top: [quarter(), quarter()], bottom: [quarter(), quarter()] }
    }

    /// Bytes of the tables.
    pub fn bytes(&self) -> usize {
        let all = self.top.iter().chain(&self.bottom);
        4 * all.map(|quarter| quarter.starts.len() + quarter.low.len() + quarter.high.len()).sum::<usize>()
    }
}
