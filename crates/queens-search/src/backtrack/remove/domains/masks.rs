//! Domains as bit masks, several per word, for boards up to 64. Placing a queen copies the masks of all rows. There is no
//! allocation during the search.

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
    keeps: Vec<u64>,
    /// The domains of each level, and the index of the last level.
    levels: Vec<u64>,
    last: usize,
    /// The squares that at least one column of a row does not attack. Used by `support`.
    union: Vec<u64>,
    most_support: usize,
}

/// The layout of the masks of a board in words. Masks of rows beyond the board have all bits set.
#[derive(Clone, Copy)]
struct MaskLayout {
    /// The base-2 logarithms of the number of bits per mask and of the number of masks per word.
    bits: u32,
    per_word: u32,
    /// The number of words for a board.
    words: usize,
    /// A word with the lowest bit of each mask set.
    lowest: u64,
}

impl MaskLayout {
    fn of(n: usize) -> Self {
        let bits = match n {
            0..=16 => 4,
            17..=32 => 5,
            _ => 6,
        };
        let per_word = 6 - bits;
        let lowest = (0..1 << per_word).map(|mask| 1 << (mask << bits)).sum();
        Self { bits, per_word, words: n.div_ceil(1 << per_word), lowest }
    }

    /// The index of the word with the mask of a row, and the shift of the mask in this word.
    #[inline]
    fn place(self, row: usize) -> (usize, usize) {
        (row >> self.per_word, (row & ((1 << self.per_word) - 1)) << self.bits)
    }

    /// A word with all bits of its first mask set.
    #[inline]
    fn full(self) -> u64 {
        u64::MAX >> (64 - (1 << self.bits))
    }

    /// The mask of a row.
    #[inline]
    fn row(self, words: &[u64], row: usize) -> u64 {
        let (word, place) = self.place(row);
        words[word] >> place & self.full()
    }

    /// Replaces the mask of a row.
    fn set_row(self, words: &mut [u64], row: usize, mask: u64) {
        let (word, place) = self.place(row);
        words[word] = words[word] & !(self.full() << place) | mask << place;
    }

    /// A word in which the highest bit of a mask is set if the mask is empty. It may also be set if a lower mask of the word is empty,
    /// because subtraction borrows.
    #[inline]
    fn borrows(self, word: u64) -> u64 {
        word.wrapping_sub(self.lowest) & !word
    }

    /// Whether a mask is empty in one of the words whose results of `borrows` were combined by or.
    #[inline]
    fn is_any_empty(self, borrows: u64) -> bool {
        borrows & self.lowest.rotate_right(1) != 0
    }
}

impl Masks {
    /// The largest board.
    pub const MAX: usize = 64;

    /// The columns in the domain of a row.
    #[inline]
    pub fn row(&self, row: usize) -> u64 {
        self.layout.row(&self.levels[self.last..], row)
    }

    /// Replaces the domain of a row by these columns.
    pub fn set_row(&mut self, row: usize, columns: u64) {
        self.layout.set_row(&mut self.levels[self.last..], row, columns);
    }

    /// The columns of each row that a queen on this square does not attack.
    #[inline]
    fn keeps(&self, row: usize, column: usize) -> &[u64] {
        &self.keeps[(row * self.n + column) * self.layout.words..][..self.layout.words]
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

    fn of(problem: &Problem) -> Self {
        let n = problem.n().get();
        let layout = MaskLayout::of(n);
        let mut keeps = vec![u64::MAX; n * n * layout.words];
        for line in problem.lines() {
            for &Square { row, column } in &line.squares {
                let square_masks = &mut keeps[(row * n + column) * layout.words..][..layout.words];
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
            let open = squares.into_iter().filter(|&square| problem.is_open(square));
            layout.set_row(&mut levels, row, open.map(|square| 1 << square.column).sum());
        }
        let full = u64::MAX >> (64 - n.max(1));
        let attacked = keeps.chunks(layout.words.max(1)).enumerate().flat_map(|(square, keeps)| {
            let others = (0..n).filter(move |row| *row != square / n);
            others.map(move |row| (full & !layout.row(keeps, row)).count_ones() as usize)
        });
        let most_support = attacked.max().unwrap_or(0);
        Self { n, layout, keeps, levels, last: 0, union: vec![0; layout.words], most_support }
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
        let keeps = &self.keeps[(row * self.n + column) * layout.words..][..layout.words];
        let (old, new) = self.levels[self.last..][..2 * layout.words].split_at_mut(layout.words);
        self.last += layout.words;
        let mut borrows = 0;
        for ((new, old), keep) in new.iter_mut().zip(old).zip(keeps) {
            *new = *old & keep;
            borrows |= layout.borrows(*new);
        }
        !layout.is_any_empty(borrows)
    }

    #[inline]
    fn undo(&mut self) {
        self.last -= self.layout.words;
    }

    #[inline]
    fn for_each_reduced(&self, mut visit: impl FnMut(usize)) {
        let Self { layout, last, .. } = *self;
        let (before, now) = self.levels[last - layout.words..][..2 * layout.words].split_at(layout.words);
        for (word, (before, now)) in before.iter().zip(now).enumerate() {
            let mut removed = before & !now;
            while removed != 0 {
                let mask = removed.trailing_zeros() >> layout.bits;
                visit((word << layout.per_word) + mask as usize);
                removed &= !(layout.full() << (mask << layout.bits));
            }
        }
    }

    fn support(&mut self, row: usize) -> Change {
        let Self { n, layout, .. } = *self;
        self.union.fill(0);
        for column in self.values(row) {
            let keeps = &self.keeps[(row * n + column) * layout.words..][..layout.words];
            self.union.iter_mut().zip(keeps).for_each(|(union, keep)| *union |= keep);
        }
        let (mut removed, mut borrows) = (0, 0);
        for (domains, union) in self.levels[self.last..][..layout.words].iter_mut().zip(&self.union) {
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

    fn most_support(&self) -> usize {
        self.most_support
    }

    fn removed_by(&self, row: usize, column: usize) -> usize {
        let removed = self.levels[self.last..]
            .iter()
            .zip(self.keeps(row, column))
            .map(|(domains, keep)| domains & !keep);
        removed.map(|removed| removed.count_ones() as usize).sum()
    }
}
