//! Domains as bit masks, one per row and level: a queen copies a level. Sizes up to 32. No allocation during the search.

use super::{Change, Domains};
use queens_board::problem::Problem;
use queens_board::{self as board, Square, lines};

/// Domains as bit masks, one per row.
pub struct Masks {
    n: usize,
    /// The number of masks of a level: `n`, rounded up; the masks above are full.
    lanes: usize,
    /// For each square the columns of each row that a queen on it leaves.
    keeps: Vec<u32>,
    /// The domains of each level.
    levels: Vec<u32>,
    level: usize,
    most_support: usize,
}

impl Masks {
    /// The largest board.
    pub const MAX: usize = 32;

    /// The columns left for each row.
    pub fn rows(&mut self) -> &mut [u32] {
        let n = self.n;
        &mut self.levels[self.level * self.lanes..][..n]
    }

    fn keeps(&self, row: usize, column: usize) -> &[u32] {
        &self.keeps[(row * self.n + column) * self.lanes..][..self.lanes]
    }
}

impl Domains for Masks {
    fn of(problem: &Problem) -> Self {
        let n = problem.n().get();
        let lanes = n.next_multiple_of(4);
        let mut keeps = vec![u32::MAX; n * n * lanes];
        for line in problem.lines() {
            for &Square { row, column } in &line.squares {
                let own = &mut keeps[(row * n + column) * lanes..][..lanes];
                line.squares.iter().for_each(|other| own[other.row] &= !(1 << other.column));
                own[row] = 1 << column;
            }
        }
        let mut levels = vec![u32::MAX; (n + 1) * lanes];
        for (row, squares) in lines::rows(n).enumerate() {
            let open = squares.into_iter().filter(|&square| problem.is_open(square));
            levels[row] = open.map(|square| 1 << square.column).sum();
        }
        let full = u32::MAX >> (32 - n.max(1));
        let attacked = keeps.chunks(lanes.max(1)).enumerate().flat_map(|(square, keeps)| {
            let others = keeps[..n].iter().enumerate().filter(move |(row, _)| *row != square / n);
            others.map(|(_, keeps)| (full & !keeps).count_ones() as usize)
        });
        let most_support = attacked.max().unwrap_or(0);
        Self { n, lanes, keeps, levels, level: 0, most_support }
    }

    #[inline]
    fn size(&self, row: usize) -> usize {
        self.levels[self.level * self.lanes + row].count_ones() as usize
    }

    #[inline]
    fn values(&self, row: usize, into: &mut Vec<u32>) {
        let mut left = self.levels[self.level * self.lanes + row];
        while left != 0 {
            into.push(board::column(left.trailing_zeros() as usize));
            left &= left - 1;
        }
    }

    #[inline]
    fn place(&mut self, row: usize, column: usize) -> bool {
        let keeps = &self.keeps[(row * self.n + column) * self.lanes..][..self.lanes];
        let (above, below) = self.levels.split_at_mut((self.level + 1) * self.lanes);
        let old = &above[self.level * self.lanes..];
        self.level += 1;
        let mut wiped = 0;
        for ((new, old), keep) in below[..self.lanes].iter_mut().zip(old).zip(keeps) {
            *new = old & keep;
            wiped |= u32::from(*new == 0);
        }
        wiped == 0
    }

    #[inline]
    fn undo(&mut self) {
        self.level -= 1;
    }

    fn support(&mut self, row: usize) -> Change {
        let mut union = [0; Self::MAX];
        let mut left = self.rows()[row];
        while left != 0 {
            let keeps = self.keeps(row, left.trailing_zeros() as usize);
            union.iter_mut().zip(keeps).for_each(|(union, keep)| *union |= keep);
            left &= left - 1;
        }
        let (mut removed, mut wiped) = (0, 0);
        for (domain, union) in self.rows().iter_mut().zip(union) {
            removed |= *domain & !union;
            *domain &= union;
            wiped |= u32::from(*domain == 0);
        }
        match (removed, wiped) {
            (_, 1) => Change::Wiped,
            (0, _) => Change::Nothing,
            _ => Change::Smaller,
        }
    }

    fn most_support(&self) -> usize {
        self.most_support
    }

    fn removed_by(&self, row: usize, column: usize) -> usize {
        let domains = &self.levels[self.level * self.lanes..];
        let removed = domains.iter().zip(self.keeps(row, column)).map(|(domain, keep)| domain & !keep);
        removed.map(|removed| removed.count_ones() as usize).sum()
    }
}
