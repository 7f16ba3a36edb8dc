//! Block depth-first search: processes many partial boards of one row at a time, and can reconstruct boards.
//!
//! A state is three masks (columns, rising and falling diagonals, as seen from the next row) and the position
//! of its parent in the row above. The children of a block of states are computed together, and children
//! whose next row has a free square are packed together. Blocks of children are searched before the next
//! block of the row above, so all ancestors of a state still exist when the state becomes a solution. Sizes
//! 1..=32. Memory: `BLOCK` x n states per row. Cost: about 15 instructions per vector of states.

use super::isa::{Isa, first_lanes};

/// States whose children are computed together.
const BLOCK: usize = 256;

/// Solutions are reported in batches, with their number and their states. Returning `false` ends the search.
pub type Batch<'a> = dyn FnMut(&Block) -> bool + 'a;

/// States: for each, the columns, rising diagonals and falling diagonals of its queens, and its parent.
struct Row {
    states: [Vec<u32>; 4],
    len: usize,
}

/// The states of every row that are part of the current search.
pub struct Block {
    n: usize,
    /// Rows above this one are fixed.
    root: usize,
    fixed: Vec<u16>,
    rows: Vec<Row>,
    stopped: bool,
}

impl Block {
    /// Allocates the buffers for searches of n by n boards, 1 <= n <= 32.
    pub fn new(n: usize) -> Self {
        assert!((1..=32).contains(&n), "a block search has 1 to 32 rows");
        let room = BLOCK * n + 16;
        let row = |_| Row { states: std::array::from_fn(|_| vec![0; room]), len: 0 };
        let mut block =
            Self { n, root: 0, fixed: Vec::new(), rows: (0..n).map(row).collect(), stopped: false };
        block.fix(&[]);
        block
    }

    /// Starts the next search below a legal prefix: the columns of fewer than n rows.
    pub fn fix(&mut self, prefix: &[u16]) {
        assert!(prefix.len() < self.n, "a block search needs a free row");
        self.root = prefix.len();
        self.fixed.clear();
        self.fixed.extend(prefix);
        let (mut columns, mut rising, mut falling) = (0_u32, 0_u32, 0_u32);
        for &column in prefix {
            let queen = 1 << column;
            columns |= queen;
            rising = (rising | queen) << 1;
            falling = (falling | queen) >> 1;
        }
        let root = &mut self.rows[prefix.len()];
        for (words, word) in root.states.iter_mut().zip([columns, rising, falling]) {
            words[0] = word;
        }
        root.len = usize::from(free(self.n, columns | rising | falling) != 0);
    }

    /// Solutions of the current batch.
    pub fn solutions(&self) -> usize {
        self.rows[self.n - 1].len
    }

    /// Writes a solution of the current batch to `board`, the column of each row.
    pub fn read(&self, solution: usize, board: &mut [u16]) {
        board[..self.root].copy_from_slice(&self.fixed);
        let (mut row, mut state) = (self.n - 1, solution);
        let [mut columns, rising, falling, _] = self.rows[row].states.each_ref().map(|words| words[state]);
        board[row] = free(self.n, columns | rising | falling).trailing_zeros() as u16;
        while row > self.root {
            state = self.rows[row].states[3][state] as usize;
            row -= 1;
            let above = self.rows[row].states[0][state];
            board[row] = (columns ^ above).trailing_zeros() as u16;
            columns = above;
        }
    }
}

/// Squares of a row that are not taken.
fn free(n: usize, taken: u32) -> u32 {
    (!0 >> (32 - n)) & !taken
}

/// Searches the block from its root; returns the number of solutions.
pub fn search<K: Isa>(k: K, block: &mut Block, mut batch: Option<&mut Batch<'_>>) -> u64 {
    k.vectorize(
        #[inline(always)]
        || {
            block.stopped = false;
            let (root, len) = (block.root, block.rows[block.root].len);
            if root + 1 == block.n {
                if let Some(batch) = batch {
                    batch(block);
                }
                return len as u64;
            }
            // An explicit stack: the next state of each row.
            let mut next = [0_usize; 33];
            let mut row = root;
            let mut total = 0;
            loop {
                if next[row] >= block.rows[row].len || block.stopped {
                    if row == root {
                        return total;
                    }
                    row -= 1;
                    continue;
                }
                let from = next[row];
                let to = block.rows[row].len.min(from + BLOCK);
                next[row] = to;
                let last = row + 2 == block.n;
                let found = children(k, block, row, from, to, last && batch.is_none());
                if !last {
                    row += 1;
                    next[row] = 0;
                    continue;
                }
                total += found as u64;
                if let Some(batch) = batch.as_mut()
                    && found > 0
                {
                    block.stopped = !batch(block);
                }
            }
        },
    )
}

/// Computes the children of states `from..to` of a row that have a free square in their next row.
#[inline(always)]
fn children<K: Isa>(k: K, block: &mut Block, row: usize, from: usize, to: usize, only_count: bool) -> usize {
    let all = k.splat(!0 >> (32 - block.n));
    let numbers = k.load(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    let (above, below) = block.rows.split_at_mut(row + 1);
    let (states, children) = (&above[row].states, &mut below[0]);
    let mut len = 0;
    for at in (from..to).step_by(K::LANES) {
        let present = first_lanes(to - at) & first_lanes(K::LANES);
        let (columns, rising, falling) =
            (k.load(&states[0][at..]), k.load(&states[1][at..]), k.load(&states[2][at..]));
        let parents = k.or(k.splat(at as u32), numbers);
        let mut open = k.and_not(all, k.or(k.or(columns, rising), falling));
        loop {
            let with_queen = !k.zero_lanes(open) & present;
            if with_queen == 0 {
                break;
            }
            let queen = k.and(open, k.sub(k.splat(0), open));
            open = k.xor(open, queen);
            let columns = k.or(columns, queen);
            let rising = k.shl(k.or(rising, queen), 1);
            let falling = k.shr(k.or(falling, queen), 1);
            let next = k.and_not(all, k.or(k.or(columns, rising), falling));
            let live = !k.zero_lanes(next) & with_queen;
            if !only_count {
                for (words, v) in children.states.iter_mut().zip([columns, rising, falling, parents]) {
                    k.compress_store(live, v, &mut words[len..]);
                }
            }
            len += live.count_ones() as usize;
        }
    }
    children.len = len;
    len
}
