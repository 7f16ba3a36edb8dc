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

/// A computing time to three digits, from two hours on in hours: `312 s`, `4.17 h`, `1,520,000 h`, `2.31e12 h`.
pub fn computing_time(seconds: f64) -> String {
    let hours = seconds / 3600.0;
    match hours {
        ..2.0 => time(rounded(1e9 * seconds.max(0.0))),
        ..9.995 => format!("{hours:.2} h"),
        ..99.95 => format!("{hours:.1} h"),
        ..1e9 => {
            let rounded_to_three = format!("{hours:.2e}").parse().unwrap_or(hours);
            format!("{} h", thousands(rounded(rounded_to_three)))
        }
        _ => format!("{hours:.2e} h"),
    }
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
    fn computing_times_of_hours_are_in_hours() {
        let shown = [0.0, 0.585, 312.4, 7199.0, 7200.0, 550_187.0, 5.47e9, 8.3e15].map(computing_time);
        assert_eq!(
            shown,
            ["0 ns", "585 ms", "312 s", "7199 s", "2.00 h", "153 h", "1,520,000 h", "2.31e12 h"]
        );
    }

    #[test]
    fn long_times_are_rough() {
        assert_eq!(rough(Duration::from_millis(300)), "300ms");
        assert_eq!(rough(Duration::from_millis(44_600)), "45s");
        assert_eq!(rough(Duration::from_secs(200)), "3m 20s");
        assert_eq!(rough(Duration::from_secs(7_515)), "2h 5m");
    }
}
