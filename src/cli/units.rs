//! Numbers for people: grouped digits, times with a unit.

use std::time::Duration;

pub use crate::report::thousands;
use crate::report::{Unit, rounded};
pub use crate::words::counted;

/// A factor: `1.0`, `9.9`, `10`, `21,000`.
pub fn factor(factor: f64) -> String {
    if factor < 9.95 { format!("{factor:.1}") } else { thousands(rounded(factor)) }
}

/// A time to three digits: `417 ns`, `23.1 µs`, `1.05 s`, `312 s`.
pub fn time(nanoseconds: u64) -> String {
    Unit::Time.show_padded(nanoseconds)
}

/// A long time to the second: `45s`, `3m 20s`, `2h 5m`; below one to the millisecond.
pub fn rough(duration: Duration) -> String {
    if !duration.is_zero() && duration < Duration::from_secs(1) {
        return format!("{}ms", duration.as_millis().max(1));
    }
    let seconds = duration.as_secs() + u64::from(duration.subsec_millis() >= 500);
    let kept = if seconds >= 3600 { seconds - seconds % 60 } else { seconds };
    humantime::format_duration(Duration::from_secs(kept)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_have_two_digits_below_ten() {
        assert_eq!([1.0, 9.94, 9.96, 21_000.4].map(factor), ["1.0", "9.9", "10", "21,000"]);
    }

    #[test]
    fn long_times_are_rough() {
        assert_eq!(rough(Duration::from_millis(300)), "300ms");
        assert_eq!(rough(Duration::from_millis(44_600)), "45s");
        assert_eq!(rough(Duration::from_secs(200)), "3m 20s");
        assert_eq!(rough(Duration::from_secs(7_515)), "2h 5m");
    }
}
