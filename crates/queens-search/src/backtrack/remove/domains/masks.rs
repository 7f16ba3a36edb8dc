//! Domains as bit masks, for boards up to 64. A word contains one, two or four masks. Placing a queen copies the masks of all rows.
//! The search allocates no memory.

use queens_board::problem::Problem;
use queens_board::{Square, lines};

use super::{Change, Domains};

/// Domains as bit masks, one per row. A mask has 16 bits on boards up to 16, 32 bits on boards up to 32, and 64 bits on larger
/// boards.
pub struct Masks {
    n: usize,
    /// The layout of the masks in words.
    layout: MaskLayout,
    /// For each square, the columns of each row that a queen on the square does not attack.
    compatible: Vec<u64>,
    /// The domains of each level.
    levels: Vec<u64>,
    /// The index of the first word of the current level in `levels`.
    current: usize,
    /// The squares that at least one column in the domain of a row does not attack. Used by `remove_unsupported`.
    union: Vec<u64>,
    max_support: usize,
}

/// The layout of the masks of a board in words. Masks of rows beyond the board have all bits set.
#[derive(Clone, Copy)]
struct MaskLayout {
    /// The base-2 logarithm of the number of bits per mask.
    log2_bits: u32,
    /// The base-2 logarithm of the number of masks per word.
    log2_masks_per_word: u32,
    /// The number of words for a board.
    words: usize,
    /// A word with the lowest bit of each mask set.
    lowest_bits: u64,
}

impl MaskLayout {
    fn for_size(n: usize) -> Self {
        let log2_bits = match n {
            0..=16 => 4,
            17..=32 => 5,
            _ => 6,
        };
        let log2_masks_per_word = 6 - log2_bits;
        let lowest_bits = (0..1 << log2_masks_per_word).map(|mask| 1 << (mask << log2_bits)).sum();
        Self { log2_bits, log2_masks_per_word, words: n.div_ceil(1 << log2_masks_per_word), lowest_bits }
    }

    /// The index of the word with the mask of a row, and the shift of the mask in this word.
    #[inline]
    fn position(self, row: usize) -> (usize, usize) {
        (row >> self.log2_masks_per_word, (row & ((1 << self.log2_masks_per_word) - 1)) << self.log2_bits)
    }

    /// A word with all bits of its first mask set.
    #[inline]
    fn full_mask(self) -> u64 {
        u64::MAX >> (64 - (1 << self.log2_bits))
    }

    /// The mask of a row.
    #[inline]
    fn row(self, words: &[u64], row: usize) -> u64 {
        let (word, shift) = self.position(row);
        words[word] >> shift & self.full_mask()
    }

    /// Replaces the mask of a row.
    fn set_row(self, words: &mut [u64], row: usize, mask: u64) {
        let (word, shift) = self.position(row);
        words[word] = words[word] & !(self.full_mask() << shift) | mask << shift;
    }

    /// A word in which the highest bit of each empty mask is set. If a mask is empty, subtraction borrows from the masks above it in
    /// the word, so their highest bits may be set, too.
    #[inline]
    fn borrows(self, word: u64) -> u64 {
        word.wrapping_sub(self.lowest_bits) & !word
    }

    /// Whether any mask is empty. `borrows` is the bitwise or of the results of [`MaskLayout::borrows`] for all words.
    #[inline]
    fn is_any_empty(self, borrows: u64) -> bool {
        borrows & self.lowest_bits.rotate_right(1) != 0
    }
}

impl Masks {
    /// The largest board.
    pub const MAX: usize = 64;

    /// The columns in the domain of a row.
    #[inline]
    pub fn row(&self, row: usize) -> u64 {
        self.layout.row(&self.levels[self.current..], row)
    }

    /// Replaces the domain of a row by these columns.
    pub fn set_row(&mut self, row: usize, columns: u64) {
        self.layout.set_row(&mut self.levels[self.current..], row, columns);
    }

    /// The columns of each row that a queen on this square does not attack.
    #[inline]
    fn compatible(&self, row: usize, column: usize) -> &[u64] {
        &self.compatible[(row * self.n + column) * self.layout.words..][..self.layout.words]
    }
}

/// An iterator over the members of a bit set, in ascending order.
#[derive(Clone, Copy)]
pub struct Members(pub u64);

impl Iterator for Members {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let first = (self.0 != 0).then(|| self.0.trailing_zeros() as usize);
        self.0 &= self.0.wrapping_sub(1);
        first
    }
}

impl Domains for Masks {
    type Values = Members;

    fn initial(problem: &Problem) -> Self {
        let n = problem.n().get();
        let layout = MaskLayout::for_size(n);
        let mut compatible = vec![u64::MAX; n * n * layout.words];
        for line in problem.lines() {
            for &Square { row, column } in &line.squares {
                let square_masks = &mut compatible[(row * n + column) * layout.words..][..layout.words];
                for other in &line.squares {
                    layout.set_row(
                        square_masks,
                        other.row,
                        layout.row(square_masks, other.row) & !(1 << other.column),
                    );
                }
                layout.set_row(square_masks, row, 1 << column);
            }
        }
        let mut levels = vec![u64::MAX; (n + 1) * layout.words];
        for (row, squares) in lines::rows(n).enumerate() {
            let open_squares = squares.into_iter().filter(|&square| problem.is_open(square));
            layout.set_row(&mut levels, row, open_squares.map(|square| 1 << square.column).sum());
        }
        let all_columns = u64::MAX >> (64 - n.max(1));
        let attacked = compatible.chunks(layout.words.max(1)).enumerate().flat_map(|(square, compatible)| {
            let other_rows = (0..n).filter(move |row| *row != square / n);
            other_rows.map(move |row| (all_columns & !layout.row(compatible, row)).count_ones() as usize)
        });
        let max_support = attacked.max().unwrap_or(0);
        Self { n, layout, compatible, levels, current: 0, union: vec![0; layout.words], max_support }
    }

    #[inline]
    fn size(&self, row: usize) -> usize {
        self.row(row).count_ones() as usize
    }

    #[inline]
    fn values(&self, row: usize) -> Members {
        Members(self.row(row))
    }

    #[inline]
    fn place(&mut self, row: usize, column: usize) -> bool {
        let Self { layout, .. } = *self;
        let compatible = &self.compatible[(row * self.n + column) * layout.words..][..layout.words];
        let (old, new) = self.levels[self.current..][..2 * layout.words].split_at_mut(layout.words);
        self.current += layout.words;
        let mut borrows = 0;
        for ((new, old), compatible) in new.iter_mut().zip(old).zip(compatible) {
            *new = *old & compatible;
            borrows |= layout.borrows(*new);
        }
        !layout.is_any_empty(borrows)
    }

    #[inline]
    fn undo(&mut self) {
        self.current -= self.layout.words;
    }

    #[inline]
    fn for_each_reduced(&self, mut visit: impl FnMut(usize)) {
        let Self { layout, current, .. } = *self;
        let (masks_before, masks_after) =
            self.levels[current - layout.words..][..2 * layout.words].split_at(layout.words);
        for (word, (before, after)) in masks_before.iter().zip(masks_after).enumerate() {
            let mut removed = before & !after;
            while removed != 0 {
                let mask = removed.trailing_zeros() >> layout.log2_bits;
                visit((word << layout.log2_masks_per_word) + mask as usize);
                removed &= !(layout.full_mask() << (mask << layout.log2_bits));
            }
        }
    }

    fn remove_unsupported(&mut self, row: usize) -> Change {
        let Self { n, layout, .. } = *self;
        self.union.fill(0);
        for column in self.values(row) {
            let compatible = &self.compatible[(row * n + column) * layout.words..][..layout.words];
            self.union.iter_mut().zip(compatible).for_each(|(union, compatible)| *union |= compatible);
        }
        let (mut removed, mut borrows) = (0, 0);
        for (domains, union) in self.levels[self.current..][..layout.words].iter_mut().zip(&self.union) {
            removed |= *domains & !union;
            *domains &= union;
            borrows |= layout.borrows(*domains);
        }
        match (removed, layout.is_any_empty(borrows)) {
            (_, true) => Change::Wiped,
            (0, _) => Change::Nothing,
            _ => Change::Smaller,
        }
    }

    fn max_support(&self) -> usize {
        self.max_support
    }

    fn removed_by(&self, row: usize, column: usize) -> usize {
        let removed = self.levels[self.current..]
            .iter()
            .zip(self.compatible(row, column))
            .map(|(domains, compatible)| domains & !compatible);
        removed.map(|removed| removed.count_ones() as usize).sum()
    }
}
