//! Errors of notations and of reading: what is wrong, where, and what to do.

use std::io;

use super::Notation;
use crate::board::BoardSize;

/// A notation that does not exist or cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// No notation has this name.
    #[error("unknown notation '{0}': choose one of {names}", names = Notation::ALL.map(Notation::name).join(", "))]
    Unknown(String),
    /// The board is too large for the notation.
    #[error("notation {notation}: n = {n} exceeds its limit ({limit}): choose {instead}",
        limit = notation.max_size(), instead = if *notation == Notation::Digits { "columns1" } else { "columns" })]
    Size {
        /// The chosen notation.
        notation: Notation,
        /// The side of the board.
        n: usize,
    },
    /// The notation can be written but not read.
    #[error("notation {0} can be written but not read: choose another")]
    WriteOnly(Notation),
    /// There is no way to write such a board that could be recognised.
    #[error("boards are read from n = 1 to n = {max}, not for n = {0}", max = BoardSize::MAX)]
    Unreadable(usize),
}

/// Why reading stopped before the end of the text.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A line can be read in several notations.
    #[error("line {line}: '{text}' may be {readings}: give --notation {flags}",
        readings = names(readings, " or "), flags = names(readings, " or --notation "))]
    Ambiguous {
        /// The line, from 1.
        line: u64,
        /// The beginning of the line.
        text: String,
        /// The notations that are possible.
        readings: Vec<Notation>,
    },
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

fn names(notations: &[Notation], between: &str) -> String {
    notations.iter().map(|notation| notation.name()).collect::<Vec<_>>().join(between)
}

/// The beginning of a text of unknown origin, safe for a terminal.
pub fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    let shown = super::super::printable(&text.chars().take(40).collect::<String>());
    if text.chars().nth(40).is_some() { shown + "…" } else { shown }
}
