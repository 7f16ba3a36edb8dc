//! Numbers as text.

use std::fmt::Display;
use std::time::Duration;

/// A number with its noun in the singular or plural: `1 run`, `14,200 runs`. `noun` is the singular; the plural is formed by adding `s`.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let number = with_commas(&count.to_string());
    format!("{number} {noun}{}", if count == N::from(1) { "" } else { "s" })
}

/// A whole number with a comma between thousands: `14,200`.
pub fn thousands(number: u64) -> String {
    with_commas(&number.to_string())
}

/// A duration in seconds, without rounding: `60 s`, `0.5 s`.
pub fn seconds(duration: Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}

/// Inserts a comma between thousands.
fn with_commas(digits: &str) -> String {
    let (first, groups) = digits.as_bytes().split_at(digits.len() % 3);
    let groups = Some(first).filter(|first| !first.is_empty()).into_iter().chain(groups.chunks(3));
    groups.map(String::from_utf8_lossy).collect::<Vec<_>>().join(",")
}
