//! The text of a problem, which CSVs hold in the column `variant`: `toroidal;place=0:3,5:7;forbid=2:2;exclude=s5,d-3`,
//! `regions;regions=AAB/ABB/CCC`. Parts that are empty are left out, and regions keep their letters.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::{Problem, Regions, Variant};
use crate::{BoardSize, ProblemError, Square};

/// A diagonal: `s5` has the squares with row + column = 5, `d-3` those with row - column = -3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Diagonal {
    /// A rising diagonal: row + column is this number.
    Sum(u32),
    /// A falling diagonal: row - column is this number.
    Difference(i32),
}

impl Diagonal {
    /// Its squares on an `n` by `n` board, from the top.
    pub fn squares(self, n: usize) -> impl Iterator<Item = Square> {
        let column = move |row: usize| match self {
            Diagonal::Sum(sum) => (sum as usize).checked_sub(row),
            Diagonal::Difference(difference) => row.checked_add_signed(-(difference as isize)),
        };
        (0..n).filter_map(move |row| Some(Square { row, column: column(row).filter(|&column| column < n)? }))
    }
}

impl fmt::Display for Diagonal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Diagonal::Sum(sum) => write!(f, "s{sum}"),
            Diagonal::Difference(difference) => write!(f, "d{difference}"),
        }
    }
}

impl FromStr for Diagonal {
    type Err = ProblemError;

    fn from_str(word: &str) -> Result<Self, ProblemError> {
        let sum = word.strip_prefix('s').and_then(|number| number.parse().ok().map(Diagonal::Sum));
        let difference = || word.strip_prefix('d').and_then(|number| number.parse().ok());
        let diagonal = sum.or_else(|| difference().map(Diagonal::Difference));
        diagonal.ok_or_else(|| ProblemError::NotADiagonal(word.to_owned()))
    }
}

/// Reads squares: `ROW:COLUMN`, separated by commas, from 0.
///
/// # Errors
///
/// An item that is not a square.
pub fn read_squares(text: &str) -> Result<Vec<Square>, ProblemError> {
    let square = |word: &str| {
        let (row, column) = word.trim().split_once(':')?;
        Some(Square { row: row.parse().ok()?, column: column.parse().ok()? })
    };
    let read = |word: &str| square(word).ok_or_else(|| ProblemError::NotASquare(word.to_owned()));
    text.split(',').map(read).collect()
}

/// Reads diagonals: `s5` or `d-3`, separated by commas.
///
/// # Errors
///
/// An item that is not a diagonal.
pub fn read_diagonals(text: &str) -> Result<Vec<Diagonal>, ProblemError> {
    text.split(',').map(|word| word.trim().parse()).collect()
}

impl Problem {
    /// Reads the text of a problem on an `n` by `n` board.
    ///
    /// # Errors
    ///
    /// A part that is not known or is there twice, or rules that make no problem of this size.
    pub fn from_text(n: BoardSize, text: &str) -> Result<Self, ProblemError> {
        let mut parts = text.split(';');
        let name = parts.next().unwrap_or_default();
        let mut lists: Vec<(&str, &str)> = Vec::new();
        for part in parts {
            let (key, list) = part.split_once('=').unwrap_or((part, ""));
            if !["place", "forbid", "exclude", "regions"].contains(&key)
                || key == "regions" && name != "regions"
            {
                return Err(ProblemError::UnknownPart(part.to_owned()));
            }
            if lists.iter().any(|(earlier, _)| *earlier == key) {
                return Err(ProblemError::RepeatedPart(key.to_owned()));
            }
            lists.push((key, list));
        }
        let list = |key: &str| lists.iter().find(|(name, _)| *name == key).map(|(_, list)| *list);
        let squares = |key| list(key).map_or(Ok(Vec::new()), read_squares);
        let variant = match (name, list("regions")) {
            ("regions", Some(rows)) => Variant::Regions(Regions::from_rows(rows.split('/'), 1)?),
            ("regions", None) => return Err(ProblemError::MissingRegions),
            _ => name.parse()?,
        };
        let excluded = list("exclude").map_or(Ok(Vec::new()), read_diagonals)?;
        Problem::new(n, variant)?.forbid(squares("forbid")?)?.exclude(excluded)?.place(squares("place")?)
    }

    /// Checks what is the same for every size: that a text begins with the name of a variant, or with `regions`.
    ///
    /// # Errors
    ///
    /// It begins with something else.
    pub fn check_name(text: &str) -> Result<(), ProblemError> {
        match text.split(';').next() {
            Some("regions") => Ok(()),
            name => Variant::from_str(name.unwrap_or_default()).map(drop),
        }
    }

    /// The text, without the size, in which regions are A, B, ... in the order in which they appear: puzzles that differ
    /// only in their letters have the same one.
    pub fn canonical_text(&self) -> String {
        let mut renamed = self.clone();
        if let Variant::Regions(regions) = &mut renamed.variant {
            regions.rename();
        }
        renamed.to_string()
    }
}

impl Display for Problem {
    /// The text, without the size.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.variant.name())?;
        let squares = |squares: &[Square]| list(squares.iter().map(|s| format!("{}:{}", s.row, s.column)));
        let regions = match &self.variant {
            Variant::Regions(regions) => regions.rows().collect::<Vec<_>>().join("/"),
            _ => String::new(),
        };
        let parts = [
            ("regions", regions),
            ("place", squares(&self.placed)),
            ("forbid", squares(&self.forbidden)),
            ("exclude", list(self.excluded.iter().map(Diagonal::to_string))),
        ];
        parts
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .try_for_each(|(key, value)| write!(f, ";{key}={value}"))
    }
}

fn list(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(",")
}
