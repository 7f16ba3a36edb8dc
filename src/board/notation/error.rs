//! Errors of reading: what is wrong, where, and what to do.

use crate::escape::Escaped;
use std::fmt;
use std::io;

use super::Notation;

/// Why reading stopped before the end of the text.
#[derive(Debug)]
pub enum ReadError {
    /// A line can be read in several notations.
    Ambiguous {
        /// The line, from 1.
        line: u64,
        /// The beginning of the line.
        text: String,
        /// The notations that are possible.
        readings: Vec<Notation>,
        /// Whether the line may also be a plain number, such as a count.
        or_number: bool,
    },
    /// There is text, but no board in it.
    Unreadable {
        /// The first line with text, from 1.
        line: u64,
        /// The beginning of that line.
        text: String,
        /// The side of the expected boards.
        n: usize,
    },
    /// A line is longer than any board.
    TooLong {
        /// The line, from 1.
        line: u64,
        /// The limit in bytes.
        limit: usize,
    },
    /// The input failed.
    Io(io::Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Ambiguous { line, text, readings, or_number } => {
                let names: Vec<&str> = readings.iter().map(|reading| reading.name()).collect();
                let number = if *or_number { " or a plain number" } else { "" };
                let (names, flags) = (names.join(" or "), names.join(" or --notation "));
                write!(f, "line {line}: '{text}' may be {names}{number}: give --notation {flags}")
            }
            ReadError::Unreadable { line, text, n } => {
                write!(f, "line {line}: '{text}': no board of side {n} on this line or below: ")?;
                if text.trim().parse::<u64>().is_ok() {
                    return f.write_str(
                        "to judge a lone number as a count, use --count (in an experiment: goal = \"count\")",
                    );
                }
                f.write_str("check n, or give --notation")
            }
            ReadError::TooLong { line, limit } => {
                write!(
                    f,
                    "line {line}: longer than a board can be ({limit} bytes): put one board or row on a line"
                )
            }
            ReadError::Io(error) => write!(f, "cannot read the boards: {error}"),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReadError::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// The beginning of a text of unknown origin, safe for a terminal: control characters are escaped.
pub(super) fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    let shown = Escaped(text.chars().take(40).collect::<String>()).to_string();
    if text.chars().nth(40).is_some() { shown + "…" } else { shown }
}
