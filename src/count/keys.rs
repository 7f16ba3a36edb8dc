//! Key diagonals: a filter that drops pairs which no top of a piece can meet.
//!
//! A dozen crossing diagonals that are used most are the keys. A key that *all* tops of a piece use rules
//! out every pair that uses it as well, so pieces are chosen to share keys: of all sets of keys
//! that at least a whole piece of the remaining tops use, the one that leaves the fewest pairs makes the
//! next piece. How many tops use a set of keys, and how many pairs avoid it, are sums over supersets and
//! subsets of a histogram. Keys only drop what would count 0: any choice of keys and pieces is correct.
//! Cost: 2^12 x 12 additions a piece, and one comparison a pair and piece.

use super::geometry::Geometry;
use super::isa::Isa;
use super::pieces::Lookups;
use super::quarters::BottomQuarter;

/// The most keys: choosing a piece looks at 2^keys sets of them.
pub const MAX_KEYS: usize = 12;

/// The chosen diagonals, most important first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Rows of a piece's bit matrix.
    rows: Vec<u32>,
    /// All sets of keys, those that leave the fewest pairs first. The last one is empty.
    sets: Vec<u16>,
}

impl Keys {
    /// Keys from samples of tops and pairs, the crossing diagonals that each uses: those used most by both.
    pub fn choose(tops: &[u64], pairs: &[u64], count: usize) -> Self {
        let uses =
            |sample: &[u64], row: u32| sample.iter().filter(|&uses| uses >> row & 1 == 1).count() as f64;
        let scores: Vec<f64> = (0..64).map(|row| uses(tops, row) * uses(pairs, row)).collect();
        let mut rows: Vec<u32> = (0..64).collect();
        rows.sort_by(|&a, &b| scores[b as usize].total_cmp(&scores[a as usize]));
        rows.truncate(count.min(MAX_KEYS));
        let mut left = vec![0_u32; 1 << rows.len()];
        for pair in pairs {
            let unused = rows.iter().enumerate().map(|(rank, row)| (!pair >> row & 1) << rank).sum::<u64>();
            left[unused as usize] += 1;
        }
        // Pairs that use none of a set: those whose unused keys are a superset of it.
        add_supersets(&mut left);
        let mut sets: Vec<u16> = (0..left.len() as u16).rev().collect();
        sets.sort_by_key(|&set| left[usize::from(set)]);
        Self { rows, sets }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The chosen rows.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The bit that stands for the key of this rank.
    pub fn bit(rank: usize) -> u32 {
        1 << rank
    }

    /// Marks in each entry of a bottom quarter the keys that it uses.
    pub fn mark(&self, lookups: &Lookups, quarter: &mut BottomQuarter, right: bool) {
        let key = |&entry: &u64| {
            let uses = lookups.uses(entry, right);
            let ranks = self.rows.iter().enumerate();
            ranks.map(|(rank, &row)| (uses >> row & 1) as u32 * Self::bit(rank)).sum()
        };
        quarter.keys = quarter.lookups.iter().map(key).collect();
    }
}

/// Turns counts of sets into counts of their supersets, themselves included.
#[inline(always)]
fn add_supersets(counts: &mut [u32]) {
    let mut width = 1;
    while width < counts.len() {
        for block in counts.chunks_exact_mut(2 * width) {
            let (without, with) = block.split_at_mut(width);
            without.iter_mut().zip(with).for_each(|(without, with)| *without += *with);
        }
        width *= 2;
    }
}

/// Parts of the tops that are sorted side by side.
const PARTS: usize = 4;

/// Buffers of [`Sorter::sort`].
#[derive(Default)]
pub struct Sorter {
    keys: Vec<u32>,
    low: Vec<u32>,
    high: Vec<u32>,
    /// Remaining tops of each set of keys, and of its supersets.
    exact: Vec<u32>,
    supersets: Vec<u32>,
    /// Where the remaining tops of each set of keys begin.
    next: Vec<u32>,
}

impl Sorter {
    /// Orders top halves so that each piece of them shares keys.
    #[inline(always)]
    pub fn sort<K: Isa>(
        &mut self,
        k: K,
        geometry: &Geometry,
        keys: &Keys,
        low: &mut [u32],
        high: &mut [u32],
    ) {
        let len = low.len();
        self.by_keys(k, geometry, keys, low, high);
        let mut done = 0;
        while len - done > K::WIDTH {
            self.supersets.clone_from(&self.exact);
            add_supersets(&mut self.supersets);
            let shared = keys.sets.iter().find(|&&set| self.supersets[usize::from(set)] >= K::WIDTH as u32);
            let shared = shared.map_or(0, |&set| usize::from(set));
            let end = done + K::WIDTH;
            let others = (self.exact.len() - 1) & !shared;
            let mut other = 0;
            while done < end {
                done += self.take(shared | other, end - done, &mut low[done..], &mut high[done..]);
                other = other.wrapping_sub(others) & others;
            }
        }
        for set in 0..self.exact.len() {
            done += self.take(set, len - done, &mut low[done..], &mut high[done..]);
        }
    }

    /// Moves up to `most` of the remaining tops with exactly these keys; returns how many.
    #[inline(always)]
    fn take(&mut self, set: usize, most: usize, low: &mut [u32], high: &mut [u32]) -> usize {
        let count = most.min(self.exact[set] as usize);
        let from = self.next[set] as usize;
        low[..count].copy_from_slice(&self.low[from..from + count]);
        high[..count].copy_from_slice(&self.high[from..from + count]);
        self.exact[set] -= count as u32;
        self.next[set] += count as u32;
        count
    }

    /// Copies the tops in order of their keys.
    #[inline(always)]
    fn by_keys<K: Isa>(&mut self, k: K, geometry: &Geometry, keys: &Keys, low: &[u32], high: &[u32]) {
        let len = low.len();
        for buffer in [&mut self.keys, &mut self.low, &mut self.high] {
            if buffer.len() < len + K::LANES {
                buffer.resize(2 * len + K::LANES, 0);
            }
        }
        let one = k.splat(1);
        for at in (0..len).step_by(K::LANES) {
            let (lows, highs) = (k.load(&low[at..]), k.load(&high[at..]));
            let mut used = k.splat(0);
            for (rank, &row) in keys.rows.iter().enumerate() {
                let bit = match row.checked_sub(2 * geometry.high) {
                    None => k.shr(highs, row),
                    Some(row) => k.shr(lows, row),
                };
                used = k.or(used, k.shl(k.and(bit, one), rank as u32));
            }
            k.store(used, &mut self.keys[at..]);
        }
        // Neighbours often have the same keys: four parts side by side do not wait for each other's counters.
        let sets = keys.sets.len();
        self.next.clear();
        self.next.resize(PARTS * sets, 0);
        let part = len / PARTS;
        for i in 0..part {
            for (p, next) in self.next.chunks_exact_mut(sets).enumerate() {
                next[self.keys[p * part + i] as usize] += 1;
            }
        }
        for &set in &self.keys[PARTS * part..len] {
            self.next[(PARTS - 1) * sets + set as usize] += 1;
        }
        self.exact.clear();
        let mut start = 0;
        for set in 0..sets {
            let before = start;
            for p in 0..PARTS {
                let count = std::mem::replace(&mut self.next[p * sets + set], start);
                start += count;
            }
            self.exact.push(start - before);
        }
        for i in 0..part {
            for (p, next) in self.next.chunks_exact_mut(sets).enumerate() {
                let top = p * part + i;
                let place = &mut next[self.keys[top] as usize];
                (self.low[*place as usize], self.high[*place as usize]) = (low[top], high[top]);
                *place += 1;
            }
        }
        for top in PARTS * part..len {
            let place = &mut self.next[(PARTS - 1) * sets + self.keys[top] as usize];
            (self.low[*place as usize], self.high[*place as usize]) = (low[top], high[top]);
            *place += 1;
        }
        // The last part of each set ends where the next set begins.
        self.next.drain(..(PARTS - 1) * sets);
        for (next, &count) in self.next.iter_mut().zip(&self.exact) {
            *next -= count;
        }
    }
}
