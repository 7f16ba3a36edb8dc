//! Errors of notations and of reading: what is wrong, where, and what to do.

use std::io;

/// A notation that does not exist or cannot be used, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotationError(pub(super) String);

/// Why reading stopped before the end of the text.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A line can be read in several notations, in words.
    #[error("{0}")]
    Ambiguous(String),
    /// There is text, but no board in it.
    #[error(
        "line {line}: '{text}': no board of side {n}, and no other line comes nearer: check n, or give --notation"
    )]
    NoBoard {
        /// The line that comes nearest to a board, from 1.
        line: u64,
        /// The beginning of that line, or what is wrong with its board.
        text: String,
        /// The side of the expected boards.
        n: usize,
        /// Whether that line resembles a board: it has several numbers, or a board of another size.
        resembles: bool,
    },
    /// No board in this many bytes of text.
    #[error("no board in {} MiB of text: check n, or name the notation with --notation", .0 >> 20)]
    Endless(u64),
    /// A line is longer than any board.
    #[error("line {line}: longer than a board can be ({limit} bytes): put one board or row on a line")]
    TooLong {
        /// The line, from 1.
        line: u64,
        /// The limit in bytes.
        limit: usize,
    },
    /// The input failed.
    #[error("cannot read the boards: {0}")]
    Io(#[source] io::Error),
}

/// The beginning of a text of unknown origin, safe for a terminal.
pub fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    let shown = super::super::printable(&text.chars().take(40).collect::<String>());
    if text.chars().nth(40).is_some() { shown + "…" } else { shown }
}
