//! Memory of the quarter tables, planned before they are built.

use super::geometry::Geometry;

/// Number of placements of 0 to h queens on h by h squares, h = 5..=12, rounded up; the last one is
/// extrapolated.
const PLACEMENTS: [usize; 8] = [500, 2_800, 17_500, 120_000, 920_000, 7_600_000, 66_000_000, 620_000_000];

/// Legal placements of 0 to h queens on h by h squares, rounded up.
pub fn placements(h: u32) -> usize {
    PLACEMENTS[(h as usize).clamp(5, 12) - 5]
}

/// Peak memory of a count in bytes, mostly while the tables are built, rounded up from measurements: 32 bytes
/// per placement at n = 20 and 22; 82 at n = 19 and 69 at n = 21, whose top-left table contains the middle
/// queens.
pub fn table_bytes(n: usize) -> u64 {
    let each = if n.is_multiple_of(2) { 40 } else { 96 };
    (8 << 20) + placements(n as u32 / 2) as u64 * each
}

/// Bytes available without swapping; `None` where the system does not report them.
fn available_bytes() -> Option<u64> {
    crate::os::proc::Root::default().bytes("proc/meminfo", "MemAvailable")
}

/// Rejects a board whose masks or tables do not fit.
pub fn check(n: usize) -> Result<(), String> {
    if !Geometry::SIZES.contains(&n) {
        let (least, most) = (Geometry::SIZES.start(), Geometry::SIZES.end());
        return Err(format!("meeting in the middle takes n = {least} to {most}, not {n}"));
    }
    fits(n, available_bytes())
}

fn fits(n: usize, available: Option<u64>) -> Result<(), String> {
    let wanted = table_bytes(n);
    match available {
        Some(available) if available < wanted => Err(format!(
            "the tables of n = {n} take {} MiB and {} MiB are available: count a smaller board or on a larger machine",
            wanted >> 20,
            available >> 20
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_that_does_not_fit_is_refused_with_both_figures() {
        assert_eq!(fits(20, None), Ok(()));
        assert_eq!(fits(20, Some(table_bytes(20))), Ok(()));
        let refusal = fits(20, Some(100 << 20)).expect_err("100 MiB are too few");
        assert!(refusal.contains("n = 20 take 297 MiB and 100 MiB"), "{refusal}");
        assert!(check(25).is_err() && check(9).is_err());
    }

    #[test]
    fn tables_grow_with_the_board() {
        assert!((10..=22).all(|n| table_bytes(n) < table_bytes(n + 2)));
    }
}
