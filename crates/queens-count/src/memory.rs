//! Memory of a count, planned before its tables are built.

use std::num::NonZeroUsize;

/// Number of placements of 0 to h queens on h by h squares, h = 5..=12, rounded up; the last one is
/// extrapolated.
const PLACEMENTS: [usize; 8] = [500, 2_800, 17_500, 120_000, 920_000, 7_600_000, 66_000_000, 620_000_000];

/// Legal placements of 0 to h queens on h by h squares, rounded up.
pub fn placements(h: u32) -> usize {
    PLACEMENTS[(h as usize).clamp(5, 12) - 5]
}

/// Whether the tables of the whole board are small enough for all column sets to share them.
pub fn shared_tables(n: usize) -> bool {
    n < 24
}

/// Memory of a thread where each column set has tables of its own, n = 24..=28: its lists, for a large column set.
/// Measured with 40 to 400 column sets: 0.24, 0.49, 1.3, 2.3 and 9.9 GiB for n = 24 to 28.
const LISTS: [u64; 5] = [512 << 20, 1 << 30, 3 << 30, 6 << 30, 14 << 30];

/// Peak memory of a count in bytes, mostly while the tables are built, rounded up from measurements: 32 bytes
/// per placement at n = 20 and 22; 82 at n = 19 and 69 at n = 21, whose top-left table contains the middle
/// queens. Without shared tables, mostly the lists of the threads.
pub fn peak_bytes(n: usize, threads: NonZeroUsize) -> u64 {
    if !shared_tables(n) {
        let lists = LISTS[n.clamp(24, 28) - 24];
        return (64 << 20) + lists * threads.get() as u64;
    }
    let each = if n.is_multiple_of(2) { 40 } else { 96 };
    (8 << 20) + placements(n as u32 / 2) as u64 * each
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: NonZeroUsize = NonZeroUsize::MIN;

    #[test]
    fn memory_grows_with_the_board() {
        let bytes = |n| peak_bytes(n, ONE);
        assert!((10..=20).chain(24..=26).all(|n| bytes(n) < bytes(n + 2)));
    }
}
