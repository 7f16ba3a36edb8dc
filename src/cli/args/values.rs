//! Values that several commands read from their arguments.

use crate::board::BoardSize;
use crate::judge::notation::Notation;
use crate::sat::symmetry::SymmetryGroup;

pub fn parse_percent(text: &str) -> Result<f64, String> {
    let percent =
        text.trim_end_matches('%').parse::<f64>().ok().filter(|&value| value.is_finite() && value >= 0.0);
    percent.ok_or_else(|| format!("'{text}' is not a percentage of at least 0: write, for example, 5"))
}

pub fn parse_size(text: &str) -> Result<BoardSize, String> {
    let n: usize = text.parse().map_err(|_| "a board size is a whole number from 0".to_owned())?;
    BoardSize::new(n).map_err(|error| error.to_string())
}

/// A size for solvers of which some take boards above [`BoardSize::MAX`].
pub fn parse_large_size(text: &str) -> Result<BoardSize, String> {
    let n: usize = text.parse().map_err(|_| "a board size is a whole number from 0".to_owned())?;
    BoardSize::large(n).map_err(|error| error.to_string())
}

pub fn parse_notation(text: &str) -> Result<Notation, String> {
    text.parse().map_err(|error: crate::judge::notation::NotationError| error.to_string())
}

pub fn parse_symmetry(text: &str) -> Result<SymmetryGroup, String> {
    text.parse().map_err(|_| format!("unknown symmetry '{text}': none, mirror or full"))
}
