//! Reads problems from TOML. The keys are those of the command line, which can express every problem, or those of CSPLib's
//! problems 079 and 080. Parameter files in Essence' (`letting n be 8 $ rows`) are first translated to TOML.

use plaintext::explain_serde_error;
use serde::Deserialize;
use toml::Spanned;

use super::error::{InstanceError, InstanceFault};
use crate::board::problem::{Diagonal, Problem, Regions, Variant, read_diagonals, read_squares};
use crate::board::{BoardSize, ProblemError, Square, column};

/// The value of a key with its place in the text; `None` if the key is missing.
type OptionalValue<T> = Option<Spanned<T>>;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct InstanceFile {
    n: OptionalValue<usize>,
    variant: OptionalValue<String>,
    regions: OptionalValue<Vec<String>>,
    place: OptionalValue<String>,
    forbid: OptionalValue<String>,
    exclude_diagonals: OptionalValue<String>,
    /// Excluded diagonals, each as number and type.
    diags: OptionalValue<Vec<[i64; 2]>>,
    /// The number of excluded diagonals.
    numdiags: OptionalValue<usize>,
    /// Row and column of placed queens, from 0.
    init: OptionalValue<Vec<[usize; 2]>>,
    /// Row and column of forbidden squares, from 1.
    blocks: OptionalValue<Vec<[usize; 2]>>,
}

/// Reads an instance.
///
/// # Errors
///
/// The text is not an instance, or the rules do not define a valid problem.
pub fn read(text: &str) -> Result<Problem, InstanceError> {
    let text = &toml_from_essence(text);
    let file: InstanceFile = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        InstanceError::with_place(text, start, InstanceFault::Toml(explain_serde_error(error.message())))
    })?;
    let n = convert_value(text, &file.n, |&n| Ok(BoardSize::new(n).map_err(ProblemError::from)?))?;
    let n = n.ok_or(InstanceFault::NoSize)?;
    let variant = match (&file.variant, &file.regions) {
        (Some(name), Some(_)) if name.get_ref() != "regions" => {
            return Err(InstanceError::with_place(text, name.span().start, InstanceFault::UnexpectedRegions));
        }
        (_, Some(_)) => convert_value(text, &file.regions, |rows| {
            Ok(Variant::Regions(Regions::from_rows(rows.iter().map(String::as_str), 1)?))
        })?,
        (_, None) => convert_value(text, &file.variant, |name| Ok(name.parse()?))?,
    };
    let variant = variant.unwrap_or(Variant::Queens);
    let squares = |list: &String| Ok(read_squares(list)?);
    let mut placed_squares = convert_value(text, &file.place, squares)?.unwrap_or_default();
    let mut forbidden_squares = convert_value(text, &file.forbid, squares)?.unwrap_or_default();
    let excluded_diagonals = convert_value(text, &file.exclude_diagonals, |list| Ok(read_diagonals(list)?))?;
    let mut excluded_diagonals = excluded_diagonals.unwrap_or_default();
    placed_squares
        .extend(convert_value(text, &file.init, |pairs| zero_based_squares(pairs, 0))?.unwrap_or_default());
    forbidden_squares
        .extend(convert_value(text, &file.blocks, |pairs| zero_based_squares(pairs, 1))?.unwrap_or_default());
    let number = file.diags.as_ref().map_or(0, |pairs| pairs.get_ref().len());
    if let Some(count) = file.numdiags.as_ref().filter(|count| *count.get_ref() != number) {
        let span = file.diags.as_ref().map_or(count.span(), Spanned::span);
        return Err(InstanceError::with_place(text, span.start, InstanceFault::NumberOfDiagonals));
    }
    let diagonals = |pairs: &Vec<[i64; 2]>| pairs.iter().map(|&pair| diagonal(n, pair)).collect();
    let diagonals: Option<Vec<Diagonal>> = convert_value(text, &file.diags, diagonals)?;
    excluded_diagonals.extend(diagonals.unwrap_or_default());
    let problem = Problem::new(n, variant)?.forbid(forbidden_squares)?.exclude(excluded_diagonals)?;
    Ok(problem.place(placed_squares)?)
}

/// Converts the value of a key, if the key exists. An error has the place of the value.
fn convert_value<T, V>(
    text: &str,
    spanned: &OptionalValue<T>,
    read: impl FnOnce(&T) -> Result<V, InstanceFault>,
) -> Result<Option<V>, InstanceError> {
    let Some(spanned) = spanned else { return Ok(None) };
    read(spanned.get_ref())
        .map(Some)
        .map_err(|fault| InstanceError::with_place(text, spanned.span().start, fault))
}

/// Translates Essence' to TOML. The lines and columns of keys and values stay the same.
fn toml_from_essence(text: &str) -> String {
    let line = |line: &str| {
        let line = line.split('$').next().unwrap_or_default();
        let statement = line.trim_start();
        match statement.split_once(' ') {
            Some((keyword @ "letting", assignment)) => {
                let indentation = line.len() - statement.len();
                " ".repeat(indentation + keyword.len() + 1) + &assignment.replacen(" be ", " =  ", 1)
            }
            Some(("language", _)) => String::new(),
            _ => line.to_owned(),
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Converts pairs of row and column that are numbered from `first`.
fn zero_based_squares(pairs: &[[usize; 2]], first: usize) -> Result<Vec<Square>, InstanceFault> {
    let zero_based = |number: usize| number.checked_sub(first).ok_or(InstanceFault::NoLine { number, first });
    pairs
        .iter()
        .map(|&[row, column]| Ok(Square { row: zero_based(row)?, column: zero_based(column)? }))
        .collect()
}

/// Converts a diagonal of CSPLib. The number is row + column for type 1, and row - column + n - 1 for type 0.
fn diagonal(n: BoardSize, [number, kind]: [i64; 2]) -> Result<Diagonal, InstanceFault> {
    let last_number = 2 * i64::from(column(n.get())) - 2;
    let checked_number = u32::try_from(number).ok().filter(|_| number <= last_number);
    let checked_number = checked_number.ok_or(InstanceFault::NoDiagonal { number, last: last_number })?;
    match kind {
        1 => Ok(Diagonal::Sum(checked_number)),
        0 => Ok(Diagonal::Difference(checked_number.cast_signed() - column(n.get()).cast_signed() + 1)),
        _ => Err(InstanceFault::TypeOfDiagonal(kind)),
    }
}

/// Prints a problem as TOML with the keys of the command line.
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
