//! Tables of all legal placements of queens on a quarter, ordered by the columns and rows that the queens use. Some columns and rows of
//! the quarter may stay empty. An 8 by 8 quarter has 118,969 placements, and a 10 by 10 quarter has 7.5 million.
//!
//! An *entry* represents a placement by its mask of crossing diagonals. A *cell* contains the entries whose queens use the same set of
//! columns and the same set of rows. The entries of one set of columns are contiguous. They are ordered by *kind* (see [`Quarter`]) and
//! then by the *rank* of their row set, which is its index among the row sets of equal size. If row sets are in ascending order, their
//! complements are in descending order. A list of cells and the list of the complementary cells are therefore read from opposite ends.
//!
//! On odd boards, entries of the top-left quarter also contain the queens of the middle row and the middle column. If these queens are
//! in column c and in row r, an entry treats column c and row r as used, and its mask contains the diagonals of both queens. Odd boards
//! are then joined like even boards.
//!
//! If tables of all column sets would be too large, separate tables are built for each column set: a 12 by 12 quarter has
//! 633 million placements, but only 155,000 per set of columns on average. Cost of the tables of all column sets: each placement is
//! generated once for all quarters (and once more for the top-left quarter of an odd board), sorted by a counting sort, and copied for
//! each quarter.

use std::ops::{Range, RangeInclusive};

use super::ShouldStop;
use super::geometry::{Corner, Diagonals, Geometry, MaskTable};
use super::placements::{PARTS, QuarterPlacement, QuarterPlacements, Subsets, middle_queens};
use super::symmetry::ColumnSet;

/// The entries of a quarter. In the top-left quarter of an odd board, entries with a queen in the centre have kind 1. In a bottom
/// quarter of an even board, entries with a queen on a long diagonal of the board have kind 1. All other entries have kind 0. In bottom
/// quarters, the rank of an entry is the rank of its reversed row set.
#[derive(Default)]
pub struct Quarter {
    /// The number of cells of the sets of columns that precede the first set of columns of this table.
    preceding_cells: u32,
    /// By set of columns, kind and rank, the index of the first entry.
    starts: Vec<u32>,
    /// The word [`Mask::low`](super::geometry::Mask::low) of each entry, unless masks have one word.
    pub low: Vec<u32>,
    /// The word [`Mask::high`](super::geometry::Mask::high) of each entry.
    pub high: Vec<u32>,
}

impl Quarter {
    /// For each kind, the starts of the cells of these columns by rank, followed by the end of the last cell.
    pub fn starts(&self, subsets: &Subsets, columns: u32) -> [&[u32]; 2] {
        let cells = subsets.preceding_cells[columns as usize] - self.preceding_cells;
        let (first_entry, ranks) = (2 * cells as usize, subsets.same_size_sets(columns).len());
        [
            &self.starts[first_entry..=first_entry + ranks],
            &self.starts[first_entry + ranks..=first_entry + 2 * ranks],
        ]
    }

    /// Converts the placements to the entries of a quarter. `None` if `stop` returned true.
    fn new(
        geometry: &Geometry,
        placements: &QuarterPlacements<'_>,
        spec: &QuarterSpec,
        stop: ShouldStop<'_>,
    ) -> Option<Self> {
        let QuarterSpec { corner, kinds, .. } = *spec;
        let QuarterPlacements { subsets, column_sets, preceding_cells, sorted, part_starts } = placements;
        let new_words = || Vec::with_capacity(sorted.len());
        let (mut low, mut high) = (if geometry.one_word { Vec::new() } else { new_words() }, new_words());
        let mut starts = Vec::with_capacity(part_starts.len() / (PARTS / 2) + 1);
        let is_top = matches!(corner, Corner::TopLeft | Corner::TopRight);
        let masks = MaskTable::new(&geometry.fields(corner));
        // The diagonals of the placements with one set of columns, in the order of their entries.
        let mut diagonals = Vec::new();
        for columns in column_sets.clone() {
            if stop() {
                return None;
            }
            diagonals.clear();
            for parts in kinds {
                for &rows in subsets.same_size_sets(columns) {
                    starts.push((high.len() + diagonals.len()) as u32);
                    let rows = if is_top { rows } else { geometry.mirrored_set(rows) };
                    let first_part = PARTS * (subsets.cell(columns, rows) - *preceding_cells as usize);
                    for part in parts {
                        let start = |part: usize| part_starts[first_part + part] as usize;
                        diagonals.extend_from_slice(&sorted[start(part.start)..start(part.end)]);
                    }
                }
            }
            let first_entry = high.len();
            high.resize(first_entry + diagonals.len(), 0);
            if geometry.one_word {
                for (high, &diagonals) in high[first_entry..].iter_mut().zip(&diagonals) {
                    *high = masks.mask(diagonals).high;
                }
                continue;
            }
            low.resize(first_entry + diagonals.len(), 0);
            let words = low[first_entry..].iter_mut().zip(&mut high[first_entry..]);
            for ((low, high), &diagonals) in words.zip(&diagonals) {
                let mask = masks.mask(diagonals);
                (*low, *high) = (mask.low, mask.high);
            }
        }
        starts.push(high.len() as u32);
        Some(Self { preceding_cells: *preceding_cells, starts, low, high })
    }
}

/// For each kind, the parts of a cell (see [`PARTS`]) whose placements have this kind.
type Kinds = [&'static [Range<usize>]; 2];

/// The tables of the four quarters.
pub struct Quarters {
    /// Top left and top right.
    pub top: [Quarter; 2],
    /// Bottom left and bottom right.
    pub bottom: [Quarter; 2],
}

/// Describes which placements a quarter has, and the kinds of its entries.
struct QuarterSpec {
    corner: Corner,
    /// The placements of middle queens that the placements of the quarter extend; otherwise, only the empty placement.
    initial: Vec<QuarterPlacement>,
    /// Returns the part of a placement from the side length of the quarter and the diagonals of the queens.
    part: fn(u32, Diagonals) -> usize,
    kinds: Kinds,
}

impl QuarterSpec {
    /// All quarters, in the order of [`Quarters::top`] and [`Quarters::bottom`].
    #[expect(clippy::single_range_in_vec_init, reason = "a kind is one range of parts or two")]
    fn all(geometry: &Geometry) -> [Self; 4] {
        const ONE_KIND: Kinds = [&[0..4], &[]];
        const BY_CENTRE: Kinds = [&[0..1], &[1..2]];
        const BY_FALLING: Kinds = [&[0..1, 2..3], &[1..2, 3..4]];
        const BY_RISING: Kinds = [&[0..2], &[2..4]];
        // Other quarters: part 1 has a queen on the long falling diagonal of the quarter, part 2 on the long rising diagonal, part 3 on both.
        let long_part = |h: u32, Diagonals { rising, falling }: Diagonals| {
            (2 * (rising >> (h - 1) & 1) + (falling >> h & 1)) as usize
        };
        // Top-left quarter of odd n: part 1 has a queen in the centre, which is the only queen of the quarter on s = 2h.
        let centre_part = |h: u32, diagonals: Diagonals| (diagonals.rising >> (2 * h) & 1) as usize;
        let corners = [Corner::TopLeft, Corner::TopRight, Corner::BottomLeft, Corner::BottomRight];
        // In the top quarters of even boards, placements with a queen on a long diagonal of the board are left out.
        let kinds = match geometry.is_odd() {
            true => [BY_CENTRE, ONE_KIND, ONE_KIND, ONE_KIND],
            false => [[BY_FALLING[0], &[]], [BY_RISING[0], &[]], BY_RISING, BY_FALLING],
        };
        std::array::from_fn(|index| {
            let (corner, kinds) = (corners[index], kinds[index]);
            if geometry.is_odd() && corner == Corner::TopLeft {
                return Self { corner, initial: middle_queens(geometry), part: centre_part, kinds };
            }
            Self { corner, initial: vec![QuarterPlacement::default()], part: long_part, kinds }
        })
    }

    fn placements<'a>(
        &self,
        subsets: &'a Subsets,
        column_sets: RangeInclusive<u32>,
        stop: ShouldStop<'_>,
    ) -> Option<QuarterPlacements<'a>> {
        let part = |diagonals| (self.part)(subsets.h, diagonals);
        QuarterPlacements::new(subsets, column_sets, &self.initial, part, stop)
    }
}

impl Quarters {
    /// Builds the tables of all column sets; `None` if `stop` returned true.
    pub fn new(geometry: &Geometry, subsets: &Subsets, stop: ShouldStop<'_>) -> Option<Self> {
        let [top_left, top_right, bottom_left, bottom_right] = QuarterSpec::all(geometry);
        let all_sets = || 0..=geometry.full_set();
        let quarter = |spec: &QuarterSpec, placements: &QuarterPlacements<'_>| {
            Quarter::new(geometry, placements, spec, stop)
        };
        let odd_top_left = || quarter(&top_left, &top_left.placements(subsets, all_sets(), stop)?);
        let other_quarters = || {
            let placements = top_right.placements(subsets, all_sets(), stop)?;
            let quarter = |spec: &QuarterSpec| quarter(spec, &placements);
            let top = || ((!geometry.is_odd()).then(|| quarter(&top_left)), quarter(&top_right));
            let bottom = || rayon::join(|| quarter(&bottom_left), || quarter(&bottom_right));
            Some(rayon::join(top, bottom))
        };
        let (odd_top_left, others) = rayon::join(|| geometry.is_odd().then(odd_top_left), other_quarters);
        let ((even_top_left, top_right), (bottom_left, bottom_right)) = others?;
        let top_left = odd_top_left.or(even_top_left)?;
        Some(Self { top: [top_left?, top_right?], bottom: [bottom_left?, bottom_right?] })
    }

    /// Builds the tables of one column set. `bottom_set` is its complement, for the bottom half. `None` if `stop` returned true.
    pub fn for_column_set(
        geometry: &Geometry,
        subsets: &Subsets,
        [top_set, bottom_set]: [ColumnSet; 2],
        stop: ShouldStop<'_>,
    ) -> Option<Self> {
        let quarter = |spec: &QuarterSpec, columns: u32| {
            let placements = spec.placements(subsets, columns..=columns, stop)?;
            Quarter::new(geometry, &placements, spec, stop)
        };
        let [top_left, top_right, bottom_left, bottom_right] = QuarterSpec::all(geometry);
        Some(Self {
            top: [quarter(&top_left, top_set.left)?, quarter(&top_right, top_set.right)?],
            bottom: [quarter(&bottom_left, bottom_set.left)?, quarter(&bottom_right, bottom_set.right)?],
        })
    }

    /// The size of the tables in bytes.
    pub fn bytes(&self) -> usize {
        let quarters = self.top.iter().chain(&self.bottom);
        4 * quarters
            .map(|quarter| quarter.starts.len() + quarter.low.len() + quarter.high.len())
            .sum::<usize>()
    }
}
