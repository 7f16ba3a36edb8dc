//! Reads and writes the text of a problem, as in the column `variant` of CSV files: `toroidal;place=0:3,5:7;forbid=2:2;exclude=s5,d-3`, or
//! `regions;regions=AAB/ABB/CCC`. Empty parts are omitted.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::{Diagonal, Problem, Regions, Variant};
use crate::{BoardSize, MAX_REGIONS, ProblemError, Square};

impl FromStr for Diagonal {
    type Err = ProblemError;

    fn from_str(word: &str) -> Result<Self, ProblemError> {
        let sum = word.strip_prefix('s').and_then(|number| number.parse().ok().map(Diagonal::Sum));
        let difference = || word.strip_prefix('d').and_then(|number| number.parse().ok());
        let diagonal = sum.or_else(|| difference().map(Diagonal::Difference));
        diagonal.ok_or_else(|| ProblemError::NotADiagonal(word.to_owned()))
    }
}

/// Reads a list of squares, such as `0:3,5:7`. Each square is `ROW:COLUMN`, counted from 0.
///
/// # Errors
///
/// An item that is not a square.
pub fn read_squares(text: &str) -> Result<Vec<Square>, ProblemError> {
    let square = |word: &str| {
        let (row, column) = word.trim().split_once(':')?;
        Some(Square { row: row.parse().ok()?, column: column.parse().ok()? })
    };
    let read_square = |word: &str| square(word).ok_or_else(|| ProblemError::NotASquare(word.to_owned()));
    text.split(',').map(read_square).collect()
}

/// Reads a list of diagonals, such as `s5,d-3`.
///
/// # Errors
///
/// An item that is not a diagonal.
pub fn read_diagonals(text: &str) -> Result<Vec<Diagonal>, ProblemError> {
    text.split(',').map(|word| word.trim().parse()).collect()
}

impl FromStr for Variant {
    type Err = ProblemError;

    /// Parses the name of a variant that is defined for every board size.
    fn from_str(word: &str) -> Result<Self, ProblemError> {
        let variant = Variant::NAMED.into_iter().find(|variant| variant.name() == word);
        variant.ok_or_else(|| ProblemError::UnknownVariant(word.to_owned()))
    }
}

impl Regions {
    /// Reads rows of letters, one letter for each square. The squares with the same letter are a region. `first_line` is the number of the
    /// first row's line in its file, for errors. Lines and columns of a file count from 1.
    ///
    /// # Errors
    ///
    /// The rows are not a square of letters, there are more than 26 regions, or the number of regions differs from the number of rows.
    pub fn from_rows<'a>(
        rows: impl IntoIterator<Item = &'a str>,
        first_line: usize,
    ) -> Result<Self, ProblemError> {
        let rows: Vec<&str> = rows.into_iter().collect();
        let n = rows.len();
        let (mut letters, mut region_of) = (Vec::new(), Vec::new());
        for (line, row) in (first_line..).zip(&rows) {
            for (column, letter) in (1..).zip(row.chars()) {
                if !letter.is_ascii_alphabetic() {
                    return Err(ProblemError::NotALetter { line, column, letter });
                }
                let region = letters.iter().position(|earlier| *earlier == letter).unwrap_or_else(|| {
                    letters.push(letter);
                    letters.len() - 1
                });
                if region == MAX_REGIONS {
                    return Err(ProblemError::TooManyRegions { line, column, letter });
                }
                region_of.push(u8::try_from(region).expect("at most 26 regions"));
            }
            let width = row.chars().count();
            if width != n {
                return Err(ProblemError::RowLength { line, letters: width, rows: n });
            }
        }
        if letters.len() != n {
            return Err(ProblemError::RegionCount { regions: letters.len(), rows: n });
        }
        Ok(Self::new(region_of, letters))
    }
}

impl Problem {
    /// Reads the text of a problem on an `n` by `n` board.
    ///
    /// # Errors
    ///
    /// An unknown or repeated part, or rules that are not a valid problem of this size.
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

    /// Checks the part of a problem's text that does not depend on the size: the text must begin with the name of a variant, or with
    /// `regions`.
    ///
    /// # Errors
    ///
    /// The text begins with another word.
    pub fn check_name(text: &str) -> Result<(), ProblemError> {
        match text.split(';').next() {
            Some("regions") => Ok(()),
            name => Variant::from_str(name.unwrap_or_default()).map(drop),
        }
    }

    /// The canonical text, without the size. The regions have the letters A, B, ... in the order of their first squares, so puzzles that
    /// differ only in their letters have the same canonical text.
    pub fn canonical_text(&self) -> String {
        let mut renamed = self.clone();
        if let Variant::Regions(regions) = &mut renamed.variant {
            regions.rename();
        }
        renamed.to_string()
    }
}

impl Display for Problem {
    /// Writes the text of the problem, without the size. Regions keep their letters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.variant.name())?;
        let squares =
            |squares: &[Square]| join_words(squares.iter().map(|s| format!("{}:{}", s.row, s.column)));
        let regions = match &self.variant {
            Variant::Regions(regions) => regions.rows().collect::<Vec<_>>().join("/"),
            _ => String::new(),
        };
        let parts = [
            ("regions", regions),
            ("place", squares(&self.placed)),
            ("forbid", squares(&self.forbidden)),
            ("exclude", join_words(self.excluded.iter().map(Diagonal::to_string))),
        ];
        parts
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .try_for_each(|(key, value)| write!(f, ";{key}={value}"))
    }
}

fn join_words(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(",")
}
