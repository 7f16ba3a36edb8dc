//! Problems as TOML: with the words of the command line, which can express every problem, or with the names of CSPLib's
//! problems 079 and 080. What Essence' parameter files write differently (`letting n be 8 $ rows`) is translated first.

use plaintext::misread;
use serde::Deserialize;
use toml::Spanned;

use super::error::{InstanceError, InstanceFault};
use crate::board::problem::{Diagonal, Problem, Regions, Variant, read_diagonals, read_squares};
use crate::board::{BoardSize, ProblemError, Square, column};

/// A value with its place in the text, if it is given.
type Given<T> = Option<Spanned<T>>;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct InstanceFile {
    n: Given<usize>,
    variant: Given<String>,
    regions: Given<Vec<String>>,
    place: Given<String>,
    forbid: Given<String>,
    exclude_diagonals: Given<String>,
    /// Excluded diagonals, each as number and type, and how many there are.
    diags: Given<Vec<[i64; 2]>>,
    numdiags: Given<usize>,
    /// Row and column of placed queens, from 0.
    init: Given<Vec<[usize; 2]>>,
    /// Row and column of forbidden squares, from 1.
    blocks: Given<Vec<[usize; 2]>>,
}

/// Reads an instance.
///
/// # Errors
///
/// Another text, or rules that make no problem.
pub fn read(text: &str) -> Result<Problem, InstanceError> {
    let text = &translated(text);
    let given: InstanceFile = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        InstanceError::at(text, start, InstanceFault::Toml(misread(error.message())))
    })?;
    let n = read_each(text, &given.n, |&n| Ok(BoardSize::new(n).map_err(ProblemError::from)?))?;
    let n = n.ok_or(InstanceFault::NoSize)?;
    let variant = match (&given.variant, &given.regions) {
        (Some(name), Some(_)) if name.get_ref() != "regions" => {
            return Err(InstanceError::at(text, name.span().start, InstanceFault::NoRegions));
        }
        (_, Some(_)) => read_each(text, &given.regions, |rows| {
            Ok(Variant::Regions(Regions::from_rows(rows.iter().map(String::as_str), 1)?))
        })?,
        (_, None) => read_each(text, &given.variant, |name| Ok(name.parse()?))?,
    };
    let variant = variant.unwrap_or(Variant::Queens);
    let squares = |list: &String| Ok(read_squares(list)?);
    let mut placed = read_each(text, &given.place, squares)?.unwrap_or_default();
    let mut forbidden = read_each(text, &given.forbid, squares)?.unwrap_or_default();
    let excluded = read_each(text, &given.exclude_diagonals, |list| Ok(read_diagonals(list)?))?;
    let mut excluded = excluded.unwrap_or_default();
    placed.extend(read_each(text, &given.init, |pairs| squares_from(pairs, 0))?.unwrap_or_default());
    forbidden.extend(read_each(text, &given.blocks, |pairs| squares_from(pairs, 1))?.unwrap_or_default());
    let number = given.diags.as_ref().map_or(0, |pairs| pairs.get_ref().len());
    if let Some(count) = given.numdiags.as_ref().filter(|count| *count.get_ref() != number) {
        let span = given.diags.as_ref().map_or(count.span(), Spanned::span);
        return Err(InstanceError::at(text, span.start, InstanceFault::NumberOfDiagonals));
    }
    let diagonals = |pairs: &Vec<[i64; 2]>| pairs.iter().map(|&pair| diagonal(n, pair)).collect();
    let diagonals: Option<Vec<Diagonal>> = read_each(text, &given.diags, diagonals)?;
    excluded.extend(diagonals.unwrap_or_default());
    let problem = Problem::new(n, variant)?.forbid(forbidden)?.exclude(excluded)?;
    Ok(problem.place(placed)?)
}

/// Reads the value of a key, if it is given; an error has its place.
fn read_each<T, V>(
    text: &str,
    given: &Given<T>,
    read: impl FnOnce(&T) -> Result<V, InstanceFault>,
) -> Result<Option<V>, InstanceError> {
    let Some(value) = given else { return Ok(None) };
    read(value.get_ref()).map(Some).map_err(|fault| InstanceError::at(text, value.span().start, fault))
}

/// A text with the signs of Essence' as TOML; each line keeps its place.
fn translated(text: &str) -> String {
    let line = |line: &str| {
        let line = line.split('$').next().unwrap_or_default();
        match line.trim_start().split_once(' ') {
            Some(("letting", assignment)) => " ".repeat(8) + &assignment.replacen(" be ", " =  ", 1),
            Some(("language", _)) => String::new(),
            _ => line.to_owned(),
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Squares whose rows and columns count from `first`.
fn squares_from(pairs: &[[usize; 2]], first: usize) -> Result<Vec<Square>, InstanceFault> {
    let from_0 = |number: usize| number.checked_sub(first).ok_or(InstanceFault::NoLine { number, first });
    pairs.iter().map(|&[row, column]| Ok(Square { row: from_0(row)?, column: from_0(column)? })).collect()
}

/// Type 1: row + column; type 0: row - column + n - 1.
fn diagonal(n: BoardSize, [number, kind]: [i64; 2]) -> Result<Diagonal, InstanceFault> {
    let last = 2 * i64::from(column(n.get())) - 2;
    let on_board = u32::try_from(number).ok().filter(|_| number <= last);
    let on_board = on_board.ok_or(InstanceFault::NoDiagonal { number, last })?;
    match kind {
        1 => Ok(Diagonal::Sum(on_board)),
        0 => Ok(Diagonal::Difference(on_board.cast_signed() - column(n.get()).cast_signed() + 1)),
        _ => Err(InstanceFault::TypeOfDiagonal(kind)),
    }
}

/// The problem in our own form.
pub fn to_toml(problem: &Problem) -> String {
    let mut toml = format!("n = {}\nvariant = \"{}\"\n", problem.n(), problem.variant().name());
    if let Variant::Regions(regions) = problem.variant() {
        toml += &format!("regions = {:?}\n", regions.rows().collect::<Vec<_>>());
    }
    let squares = |squares: &[Square]| list(squares.iter().map(|s| format!("{}:{}", s.row, s.column)));
    for (key, list) in [
        ("place", squares(problem.placed())),
        ("forbid", squares(problem.forbidden())),
        ("exclude_diagonals", list(problem.excluded().iter().map(Diagonal::to_string))),
    ] {
        if !list.is_empty() {
            toml += &format!("{key} = \"{list}\"\n");
        }
    }
    toml
}

fn list(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(",")
}
