//! Divides a list of top halves into parts, such that many bottom halves can be excluded for a whole part.
//!
//! The *keys* of a list are the few crossing diagonals that the top halves of the list and the bottom halves use most. If *all* top
//! halves of a part use a key, then a bottom half that uses this key is compatible with none of them. The parts are chosen one after
//! another. For the next part, the algorithm considers all sets of keys that enough of the remaining top halves use, and chooses the
//! set that the fewest bottom halves avoid, because only these bottom halves must be compared with the part. A sum over supersets in a
//! histogram gives the number of top halves that use all keys of a set, and another such sum gives the number of bottom halves that
//! avoid all keys of a set. Keys exclude only incompatible pairs, so the choice of keys and parts affects the time but not the count.
//! Cost: 2^keys * keys additions per part, and a few operations per top half.

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
    /// Chooses the diagonals for which the product of their uses in both lists is largest.
    fn choose(top_uses: &[u32; 64], bottom_uses: &[u32; 64], len: usize) -> Self {
        let mut bits: Vec<u32> = (0..64).collect();
        let uses = |bit: u32| u64::from(top_uses[bit as usize]) * u64::from(bottom_uses[bit as usize]);
        bits.sort_unstable_by_key(|&bit| Reverse(uses(bit)));
        bits.truncate(len.min(MAX_KEYS));
        Self(bits)
    }

    /// The rank and the bit number of each key.
    fn ranked_bits(&self) -> impl Iterator<Item = (usize, u32)> {
        self.0.iter().copied().enumerate()
    }

    /// The number of sets of keys: 2^keys.
    fn set_count(&self) -> usize {
        1 << self.0.len()
    }

    /// The mask of the diagonals in a set of keys. The bits of `set` are the ranks of keys.
    pub fn mask(&self, set: usize) -> Mask {
        let keys = self.ranked_bits().filter(|(rank, _)| set >> rank & 1 == 1);
        let bits = keys.fold(0_u64, |bits, (_, bit)| bits | 1 << bit);
        Mask { high: bits as u32, low: (bits >> 32) as u32 }
    }

    /// The set of keys that each mask in a vector uses.
    #[inline(always)]
    fn sets_used<K: Isa>(&self, k: K, lows: K::Vector, highs: K::Vector) -> K::Vector {
        let ones = k.splat(1);
        let mut sets = k.splat(0);
        for (rank, bit) in self.ranked_bits() {
            let word = if bit < 32 { highs } else { lows };
            sets = k.or(sets, k.shl(k.and(k.shr(word, bit % 32), ones), rank as u32));
        }
        sets
    }
}

/// Counts the masks that use each diagonal, in a sample of every `stride`-th vector of masks.
#[inline(always)]
fn add_uses<K: Isa>(k: K, crossing: Mask, low: &[u32], high: &[u32], stride: usize, counts: &mut [u32; 64]) {
    for at in (0..low.len()).step_by(stride * K::LANES) {
        for (first_bit, words, crossing) in [(0, high, crossing.high), (32, low, crossing.low)] {
            let words = k.load(&words[at..]);
            for bit in (0..32).filter(|bit| crossing >> bit & 1 == 1) {
                let unused_lanes = k.zero_lanes(k.and(words, k.splat(1 << bit))).count_ones();
                counts[first_bit + bit] += K::LANES as u32 - unused_lanes;
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
            let (without_key, with_key) = block.split_at_mut(width);
            without_key.iter_mut().zip(with_key).for_each(|(subset, superset)| *subset += *superset);
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
    /// By set of keys, the number of remaining top halves that use these keys and no other keys.
    exact_counts: Vec<u32>,
    /// By set of keys, the number of remaining top halves that use these keys and possibly other keys.
    superset_counts: Vec<u32>,
    /// By set of keys, the index in `sorted` of the first remaining top half that uses these keys and no other keys.
    next_indices: Vec<u32>,
    /// By set of keys, the number of sampled bottom halves that use none of these keys.
    avoiding_counts: Vec<u32>,
}

impl Sorter {
    /// Chooses `key_count` keys, and sorts the top halves into parts with common keys. The number of top halves of a part is within
    /// `sizes`; the last part may be smaller. `low` and `high` are the words of the top halves, and `crossing` is the mask of all
    /// crossing diagonals.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "two lists, and the parameters of the parts")]
    pub fn sort<K: Isa>(
        &mut self,
        k: K,
        crossing: Mask,
        key_count: usize,
        bottoms: &BottomHalves,
        sizes: RangeInclusive<usize>,
        low: &mut [u32],
        high: &mut [u32],
    ) -> Keys {
        let len = low.len();
        let keys = self.choose(k, crossing, key_count, bottoms, low, high);
        self.sort_by_set(k, &keys, low, high);
        self.parts.clear();
        let mut position = 0;
        while position < len {
            self.superset_counts.clone_from(&self.exact_counts);
            add_supersets(&mut self.superset_counts);
            let min_tops = (*sizes.start()).min(len - position) as u32;
            let (mut best_set, mut best_avoiding) = (0, u32::MAX);
            for (set, (&tops, &avoiding)) in
                self.superset_counts.iter().zip(&self.avoiding_counts).enumerate()
            {
                if tops >= min_tops && avoiding <= best_avoiding {
                    (best_set, best_avoiding) = (set, avoiding);
                }
            }
            let end = position + (*sizes.end()).min(self.superset_counts[best_set] as usize);
            let other_keys = (self.exact_counts.len() - 1) & !best_set;
            // Enumerates all subsets of the other keys in ascending order.
            let mut extra_keys = 0;
            while position < end {
                let (low, high) = (&mut low[position..], &mut high[position..]);
                position += self.move_tops(best_set | extra_keys, end - position, low, high);
                extra_keys = extra_keys.wrapping_sub(other_keys) & other_keys;
            }
            self.parts.push((best_set, position));
        }
        keys
    }

    /// Chooses keys from samples, and counts the sampled bottom halves that avoid each set of keys.
    #[inline(always)]
    fn choose<K: Isa>(
        &mut self,
        k: K,
        crossing: Mask,
        key_count: usize,
        bottoms: &BottomHalves,
        low: &[u32],
        high: &[u32],
    ) -> Keys {
        let stride = halves::count(bottoms) / SAMPLE + 1;
        let (mut top_uses, mut bottom_uses) = ([0; 64], [0; 64]);
        add_uses(k, crossing, low, high, low.len() / SAMPLE + 1, &mut top_uses);
        for halves in bottoms {
            let (low, high) = (&halves.low[..halves.len], &halves.high[..halves.len]);
            add_uses(k, crossing, low, high, stride, &mut bottom_uses);
        }
        let keys = Keys::choose(&top_uses, &bottom_uses, key_count);
        self.avoiding_counts.clear();
        self.avoiding_counts.resize(keys.set_count(), 0);
        for halves in bottoms {
            for at in (0..halves.len).step_by(stride * K::LANES) {
                let mut sets = Bits::default();
                k.store(keys.sets_used(k, k.load(&halves.low[at..]), k.load(&halves.high[at..])), &mut sets);
                for &set in &sets[..K::LANES.min(halves.len - at)] {
                    self.avoiding_counts[(keys.set_count() - 1) & !(set as usize)] += 1;
                }
            }
        }
        add_supersets(&mut self.avoiding_counts);
        keys
    }

    /// Moves up to `max_tops` remaining top halves that use these keys and no other keys to the output. Returns the number of moved top
    /// halves.
    #[inline(always)]
    fn move_tops(&mut self, set: usize, max_tops: usize, low: &mut [u32], high: &mut [u32]) -> usize {
        let count = max_tops.min(self.exact_counts[set] as usize);
        let start = self.next_indices[set] as usize;
        let tops = &self.sorted[start..start + count];
        for ((low, high), &top) in low[..count].iter_mut().zip(&mut high[..count]).zip(tops) {
            (*low, *high) = (top as u32, (top >> 32) as u32);
        }
        self.exact_counts[set] -= count as u32;
        self.next_indices[set] += count as u32;
        count
    }

    /// Copies the top halves to `sorted` by a counting sort on their sets of keys.
    #[inline(always)]
    fn sort_by_set<K: Isa>(&mut self, k: K, keys: &Keys, low: &[u32], high: &[u32]) {
        let len = low.len();
        if self.sorted.len() < len {
            self.sorted.resize(halves::buffer_capacity(len), 0);
            self.sets.resize(halves::buffer_capacity(len) + K::LANES, 0);
        }
        for at in (0..len).step_by(K::LANES) {
            k.store(keys.sets_used(k, k.load(&low[at..]), k.load(&high[at..])), &mut self.sets[at..]);
        }
        self.exact_counts.clear();
        self.exact_counts.resize(keys.set_count(), 0);
        for &set in &self.sets[..len] {
            self.exact_counts[set as usize] += 1;
        }
        self.next_indices.clear();
        let mut start = 0;
        for &count in &self.exact_counts {
            self.next_indices.push(start);
            start += count;
        }
        for ((&set, &low), &high) in self.sets.iter().zip(low).zip(high) {
            let next_index = &mut self.next_indices[set as usize];
            self.sorted[*next_index as usize] = u64::from(low) | u64::from(high) << 32;
            *next_index += 1;
        }
        for (next_index, &count) in self.next_indices.iter_mut().zip(&self.exact_counts) {
            *next_index -= count;
        }
    }
}
