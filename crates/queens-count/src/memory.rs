//! Estimates the memory of a count before its tables are built.

use std::num::NonZeroUsize;

/// The number of legal placements of 0 to h queens on h by h squares for h = 5..=12, rounded up.
const PLACEMENTS: [usize; 8] = [500, 2_800, 17_500, 120_000, 920_000, 7_600_000, 66_000_000, 634_000_000];

/// The number of legal placements of 0 to h queens on h by h squares, rounded up.
pub fn max_placements(h: u32) -> usize {
    PLACEMENTS[(h as usize).clamp(5, 12) - 5]
}

/// Whether the tables of the whole board are small enough for all column sets to share them.
pub fn shared_tables(n: usize) -> bool {
    n < 24
}

/// The memory of a thread's lists for a large column set, in bytes, for n = 24..=28, where tables are not shared. Measured with 40 to 400
/// column sets: 0.24, 0.49, 1.3, 2.3 and 9.9 GiB.
const LIST_BYTES: [u64; 5] = [512 << 20, 1 << 30, 3 << 30, 6 << 30, 14 << 30];

/// The peak memory of a count in bytes, rounded up from measurements. With shared tables, the peak usually occurs while the tables
/// are built. It is 32 bytes per placement at n = 20 and 22, but 82 bytes at n = 19 and 69 bytes at n = 21, because the top-left
/// table of an odd board contains the middle queens. Without shared tables, most of the memory is used for the lists of the
/// threads.
pub fn peak_bytes(n: usize, threads: NonZeroUsize) -> u64 {
    if !shared_tables(n) {
        let list_bytes = LIST_BYTES[n.clamp(24, 28) - 24];
        return (64 << 20) + list_bytes * threads.get() as u64;
    }
    let bytes_per_placement = if n.is_multiple_of(2) { 40 } else { 96 };
    (8 << 20) + max_placements(n as u32 / 2) as u64 * bytes_per_placement
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE_THREAD: NonZeroUsize = NonZeroUsize::MIN;

    #[test]
    fn memory_estimate_grows_with_board_size() {
        let bytes = |n| peak_bytes(n, ONE_THREAD);
        assert!((10..=20).chain(24..=26).all(|n| bytes(n) < bytes(n + 2)));
    }
}
