//! Key diagonals: a filter that drops entries and pairs which no top of a piece can meet.
//!
//! A few crossing diagonals that are used most are the keys. Top halves are sorted by them in Gray-code
//! order before they are cut into pieces; a key that *all* tops of a piece use rules out every entry and
//! pair that uses it as well. Keys only drop what would count 0, so that any choice of keys is correct.
//! Kept: n = 19 .8 of the pairs, n = 20 .4, n = 22 .2. Cost: one comparison a pair and piece.

use super::geometry::Geometry;
use super::isa::Isa;
use super::quarters::BottomQuarter;

/// The most keys: the bits of a pair that slots leave free.
pub const MAX_KEYS: usize = 12;

/// The chosen diagonals, most important first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Rows of a piece's bit matrix.
    rows: Vec<u32>,
}

impl Keys {
    /// Keys from the use of each crossing diagonal by tops and by pairs: those by which most is ruled out.
    pub fn choose(uses: &[(f64, f64)], count: usize) -> Self {
        let mut rows: Vec<u32> = (0..uses.len() as u32).collect();
        let score = |row: u32| uses[row as usize].0 * uses[row as usize].1;
        rows.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        rows.truncate(count.min(MAX_KEYS));
        Self { rows }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The chosen rows.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The bit of a pair that stands for the key of this rank: 0..6, then 16..22.
    pub fn bit(rank: usize) -> u32 {
        1 << if rank < 6 { rank } else { rank + 10 }
    }

    /// Marks in each entry of a bottom quarter the keys that it uses.
    pub fn mark(&self, geometry: &Geometry, quarter: &mut BottomQuarter, right: bool) {
        let (shared, own) = (2 * geometry.high, geometry.low);
        // The bit of a mask in which a key shows, if this quarter reaches it.
        let shown: Vec<(u32, u32)> = self
            .rows
            .iter()
            .enumerate()
            .filter_map(|(rank, &row)| {
                let bit = match row {
                    row if row < shared => row,
                    row if !right && row < shared + own => row,
                    row if right && row >= shared + own => row - own,
                    _ => return None,
                };
                Some((bit, Self::bit(rank)))
            })
            .collect();
        let key =
            |mask: u32| shown.iter().map(|&(bit, key)| if mask >> bit & 1 == 1 { key } else { 0 }).sum();
        quarter.keys = quarter.mask.iter().map(|&mask| key(mask)).collect();
    }
}

/// Buffers of [`sort`].
#[derive(Default)]
pub struct Sorter {
    ranks: Vec<u32>,
    low: Vec<u32>,
    high: Vec<u32>,
}

impl Sorter {
    /// Sorts top halves by the Gray-code rank of their first keys, as many as pieces ask for.
    #[inline(always)]
    pub fn sort<K: Isa>(
        &mut self,
        k: K,
        geometry: &Geometry,
        keys: &Keys,
        low: &mut [u32],
        high: &mut [u32],
    ) {
        let pieces = low.len().div_ceil(K::WIDTH);
        let used = keys.rows.len().min(pieces.next_power_of_two().trailing_zeros() as usize + 1);
        let len = low.len();
        for buffer in [&mut self.ranks, &mut self.low, &mut self.high] {
            if buffer.len() < len + K::LANES {
                buffer.resize(2 * len + K::LANES, 0);
            }
        }
        let one = k.splat(1);
        for at in (0..len).step_by(K::LANES) {
            let (lows, highs) = (k.load(&low[at..]), k.load(&high[at..]));
            let (mut gray, mut rank) = (k.splat(0), k.splat(0));
            for &row in &keys.rows[..used] {
                let bit = match row.checked_sub(2 * geometry.high) {
                    None => k.shr(highs, row),
                    Some(row) => k.shr(lows, row),
                };
                gray = k.xor(gray, k.and(bit, one));
                rank = k.or(k.shl(rank, 1), gray);
            }
            k.store(rank, &mut self.ranks[at..]);
        }
        let mut next = [0_u32; (1 << MAX_KEYS) + 1];
        for &rank in &self.ranks[..len] {
            next[(rank as usize & ((1 << MAX_KEYS) - 1)) + 1] += 1;
        }
        for rank in 1..=1 << used {
            next[rank] += next[rank - 1];
        }
        for ((&rank, &l), &h) in self.ranks[..len].iter().zip(low.iter()).zip(high.iter()) {
            let place = &mut next[rank as usize & ((1 << MAX_KEYS) - 1)];
            self.low[*place as usize] = l;
            self.high[*place as usize] = h;
            *place += 1;
        }
        low.copy_from_slice(&self.low[..len]);
        high.copy_from_slice(&self.high[..len]);
    }
}
