//! Key diagonals exclude bottom halves that are compatible with no top half of a list.
//!
//! The keys of a list are a few crossing diagonals that most of its top halves and most bottom halves use. If *all*
//! top halves of a part of the list use a key, no bottom half that uses this key is compatible with any of them. The list is
//! therefore divided into parts with common keys. For each part, the algorithm chooses, among all sets of keys that enough of the
//! remaining top halves use, the set that leaves the fewest bottom halves. The number of top halves that use a set,
//! and the number of bottom halves that avoid it, are sums over supersets of a histogram. Keys exclude only incompatible
//! pairs, so any choice of keys and parts is correct. Cost: 2^keys * keys additions per
//! part, and a few operations per top half.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use super::geometry::Mask;
use super::halves::{self, BottomHalves};
use super::isa::{Bits, Isa};

/// The maximum number of keys. Choosing a part examines 2^keys sets of keys.
pub const MAX_KEYS: usize = 12;

/// The approximate number of top halves, and of bottom halves, in the samples from which keys are chosen.
const SAMPLE: usize = 1024;

/// The keys: bit numbers in a mask's high word, and 32 plus bit numbers in its low word.
pub struct Keys(Vec<u32>);

impl Keys {
    /// Chooses the diagonals that are used most in both lists.
    fn choose(tops: &[u32; 64], bottoms: &[u32; 64], len: usize) -> Self {
        let mut bits: Vec<u32> = (0..64).collect();
        let uses = |bit: u32| u64::from(tops[bit as usize]) * u64::from(bottoms[bit as usize]);
        bits.sort_unstable_by_key(|&bit| Reverse(uses(bit)));
        bits.truncate(len.min(MAX_KEYS));
        Self(bits)
    }

    fn chosen(&self) -> impl Iterator<Item = (usize, u32)> {
        self.0.iter().copied().enumerate()
    }

    /// The number of sets of keys: 2^keys.
    fn sets(&self) -> usize {
        1 << self.0.len()
    }

    /// The mask of a set of keys, which has one bit per key.
    pub fn mask(&self, set: usize) -> Mask {
        let chosen = self.chosen().filter(|(rank, _)| set >> rank & 1 == 1);
        let bits = chosen.fold(0_u64, |bits, (_, bit)| bits | 1 << bit);
        Mask { high: bits as u32, low: (bits >> 32) as u32 }
    }

    /// The set of keys that each mask in a vector uses.
    #[inline(always)]
    fn used<K: Isa>(&self, k: K, lows: K::Vector, highs: K::Vector) -> K::Vector {
        let one = k.splat(1);
        let mut used = k.splat(0);
        for (rank, bit) in self.chosen() {
            let word = if bit < 32 { highs } else { lows };
            used = k.or(used, k.shl(k.and(k.shr(word, bit % 32), one), rank as u32));
        }
        used
    }
}

/// Counts the masks that use each diagonal, in a sample of every `stride`-th vector of masks.
#[inline(always)]
fn add_uses<K: Isa>(k: K, used: Mask, low: &[u32], high: &[u32], stride: usize, counts: &mut [u32; 64]) {
    for at in (0..low.len()).step_by(stride * K::LANES) {
        for (from, words, used) in [(0, high, used.high), (32, low, used.low)] {
            let words = k.load(&words[at..]);
            for bit in (0..32).filter(|bit| used >> bit & 1 == 1) {
                let without = k.zero_lanes(k.and(words, k.splat(1 << bit))).count_ones();
                counts[from + bit] += K::LANES as u32 - without;
            }
        }
    }
}

/// Replaces the count of each set by the sum over its supersets, including the set itself (superset zeta transform).
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

/// Sorts lists of top halves into parts with common keys, and reuses its buffers.
#[derive(Default)]
pub struct Sorter {
    /// The parts of the list that was sorted last: the set of keys that all top halves of a part use, and the end of the part.
    pub parts: Vec<(usize, usize)>,
    /// The set of keys that each top half uses.
    sets: Vec<u32>,
    /// The masks of the top halves ordered by set of keys, with the high word in the upper 32 bits.
    sorted: Vec<u64>,
    /// By set of keys, the number of remaining top halves that use exactly this set, and that use this set or a superset.
    exact: Vec<u32>,
    supersets: Vec<u32>,
    /// By set of keys, the index of the first remaining top half.
    next: Vec<u32>,
    /// By set of keys, the number of sampled bottom halves that avoid all its keys.
    avoiding: Vec<u32>,
}

impl Sorter {
    /// Chooses keys for top halves and bottom halves, and sorts the top halves into parts with common keys. The number of top halves
    /// of a part is within `sizes`; the last part has the remaining top halves.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "two lists, and how to cut one by the other")]
    pub fn sort<K: Isa>(
        &mut self,
        k: K,
        used: Mask,
        keys: usize,
        bottoms: &BottomHalves,
        sizes: RangeInclusive<usize>,
        low: &mut [u32],
        high: &mut [u32],
    ) -> Keys {
        let len = low.len();
        let keys = self.choose(k, used, keys, bottoms, low, high);
        self.by_keys(k, &keys, low, high);
        self.parts.clear();
        let mut done = 0;
        while done < len {
            self.supersets.clone_from(&self.exact);
            add_supersets(&mut self.supersets);
            let wanted = (*sizes.start()).min(len - done) as u32;
            let (mut shared, mut fewest) = (0, u32::MAX);
            for (set, (&tops, &avoiding)) in self.supersets.iter().zip(&self.avoiding).enumerate() {
                if tops >= wanted && avoiding <= fewest {
                    (shared, fewest) = (set, avoiding);
                }
            }
            let end = done + (*sizes.end()).min(self.supersets[shared] as usize);
            let others = (self.exact.len() - 1) & !shared;
            let mut other = 0;
            while done < end {
                done += self.take(shared | other, end - done, &mut low[done..], &mut high[done..]);
                other = other.wrapping_sub(others) & others;
            }
            self.parts.push((shared, done));
        }
        keys
    }

    /// Chooses keys from samples, and counts the sampled bottom halves that avoid each set of keys.
    #[inline(always)]
    fn choose<K: Isa>(
        &mut self,
        k: K,
        used: Mask,
        keys: usize,
        bottoms: &BottomHalves,
        low: &[u32],
        high: &[u32],
    ) -> Keys {
        let stride = halves::count(bottoms) / SAMPLE + 1;
        let (mut by_tops, mut by_bottoms) = ([0; 64], [0; 64]);
        add_uses(k, used, low, high, low.len() / SAMPLE + 1, &mut by_tops);
        for halves in bottoms {
            let (low, high) = (&halves.low[..halves.len], &halves.high[..halves.len]);
            add_uses(k, used, low, high, stride, &mut by_bottoms);
        }
        let keys = Keys::choose(&by_tops, &by_bottoms, keys);
        self.avoiding.clear();
        self.avoiding.resize(keys.sets(), 0);
        for halves in bottoms {
            for at in (0..halves.len).step_by(stride * K::LANES) {
                let mut sets = Bits::default();
                k.store(keys.used(k, k.load(&halves.low[at..]), k.load(&halves.high[at..])), &mut sets);
                for &set in &sets[..K::LANES.min(halves.len - at)] {
                    self.avoiding[(keys.sets() - 1) & !(set as usize)] += 1;
                }
            }
        }
        add_supersets(&mut self.avoiding);
        keys
    }

    /// Moves up to `most` remaining top halves with exactly these keys to the output; returns the number of moved top halves.
    #[inline(always)]
    fn take(&mut self, set: usize, most: usize, low: &mut [u32], high: &mut [u32]) -> usize {
        let count = most.min(self.exact[set] as usize);
        let from = self.next[set] as usize;
        let sorted = &self.sorted[from..from + count];
        for ((low, high), &top) in low[..count].iter_mut().zip(&mut high[..count]).zip(sorted) {
            (*low, *high) = (top as u32, (top >> 32) as u32);
        }
        self.exact[set] -= count as u32;
        self.next[set] += count as u32;
        count
    }

    /// Copies the top halves to `sorted` by a counting sort on their sets of keys.
    #[inline(always)]
    fn by_keys<K: Isa>(&mut self, k: K, keys: &Keys, low: &[u32], high: &[u32]) {
        let len = low.len();
        if self.sorted.len() < len {
            self.sorted.resize(halves::with_room(len), 0);
            self.sets.resize(halves::with_room(len) + K::LANES, 0);
        }
        for at in (0..len).step_by(K::LANES) {
            k.store(keys.used(k, k.load(&low[at..]), k.load(&high[at..])), &mut self.sets[at..]);
        }
        self.exact.clear();
        self.exact.resize(keys.sets(), 0);
        for &set in &self.sets[..len] {
            self.exact[set as usize] += 1;
        }
        self.next.clear();
        let mut start = 0;
        for &count in &self.exact {
            self.next.push(start);
            start += count;
        }
        for ((&set, &low), &high) in self.sets.iter().zip(low).zip(high) {
            let place = &mut self.next[set as usize];
            self.sorted[*place as usize] = u64::from(low) | u64::from(high) << 32;
            *place += 1;
        }
        for (next, &count) in self.next.iter_mut().zip(&self.exact) {
            *next -= count;
        }
    }
}
