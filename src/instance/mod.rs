//! Instances: problems in files. Reads region puzzles, instances of CSPLib, and a TOML form of our own that can express
//! every problem; [`generate`] makes new ones.
//!
//! | format | example |
//! |---|---|
//! | region puzzle | one row per line, one letter per region: `AAB` |
//! | excluded diagonals, CSPLib prob079 | `n = 10`, `diags = [[4, 1], [2, 0]]`: number and type, 1 for row + column, 0 for row - column + n - 1 |
//! | completion, CSPLib prob079 | `letting n = 8`, `letting init = [[0, 3]]`: row and column of given queens, from 0 |
//! | blocked squares, CSPLib prob080 | `letting n = 8`, `letting blocks = [[1, 4]]`: row and column, from 1 |
//! | our own | TOML with the keys `n`, `variant`, `regions`, `place`, `forbid`, `exclude_diagonals` |

mod file;
pub mod generate;
#[cfg(test)]
mod tests;

use crate::board::BoardSize;
use crate::board::problem::{Problem, Regions, Variant};
pub use file::to_toml;

/// Reads an instance in any of the formats. A byte order mark before it is left out. An error begins with its line and column,
/// from 1, if it has a place.
pub fn read(text: &str) -> Result<Problem, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('=') || text.contains(" be ") {
        return file::read(text);
    }
    // Blank lines before or after a puzzle are no rows.
    let above = text.lines().take_while(|line| line.trim().is_empty()).count();
    let rows: Vec<&str> = text.trim().lines().map(str::trim).collect();
    if rows.is_empty() {
        let what = "the file is empty: an instance is a region puzzle, an instance of CSPLib, or TOML";
        return Err(what.to_owned());
    }
    let regions = Regions::from_rows(rows.iter().copied(), above + 1)?;
    Problem::new(BoardSize::new(regions.size())?, Variant::Regions(regions))
}
