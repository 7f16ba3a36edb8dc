//! Problems as TOML: with the words of the command line, which can express every problem, or with the names of CSPLib's
//! problems 079 and 080. What Essence' parameter files write differently (`letting n be 8 $ rows`) is translated first.

use std::fmt::Display;

use plaintext::misread;
use serde::Deserialize;

use crate::board::problem::{Diagonal, Problem, Regions, Variant, read_diagonals, read_squares};
use crate::board::{BoardSize, ProblemError, Square, column};

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Instance {
    n: Option<usize>,
    variant: Option<String>,
    regions: Vec<String>,
    place: String,
    forbid: String,
    exclude_diagonals: String,
    /// Excluded diagonals, each as number and type, and how many there are.
    diags: Vec<[i64; 2]>,
    numdiags: Option<usize>,
    /// Row and column of placed queens, from 0.
    init: Vec<[usize; 2]>,
    /// Row and column of forbidden squares, from 1.
    blocks: Vec<[usize; 2]>,
}

/// Reads an instance.
pub fn read(text: &str) -> Result<Problem, String> {
    let text = translated(text);
    let read: Instance = toml::from_str(&text).map_err(|error| {
        let before = &text[..error.span().map_or(0, |span| span.start)];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        format!("line {line}, column {column}: {}", misread(error.message()))
    })?;
    let n = read.n.ok_or_else(|| at(&text, "n")("the size of the board is missing: write n = 8"))?;
    let n = BoardSize::new(n).map_err(|error| error.to_string())?;
    let variant = match (read.variant.as_deref(), read.regions.is_empty()) {
        (None | Some("regions"), false) => {
            let rows = read.regions.iter().map(String::as_str);
            Variant::Regions(Regions::from_rows(rows, 1).map_err(at(&text, "regions"))?)
        }
        (Some(_), false) => return Err(at(&text, "variant")("only the variant 'regions' has regions")),
        (None, true) => Variant::Queens,
        (Some(name), true) => name.parse().map_err(at(&text, "variant"))?,
    };
    fn list<T>(text: &str, read: fn(&str) -> Result<Vec<T>, ProblemError>) -> Result<Vec<T>, ProblemError> {
        if text.is_empty() { Ok(Vec::new()) } else { read(text) }
    }
    let mut placed = list(&read.place, read_squares).map_err(at(&text, "place"))?;
    let mut forbidden = list(&read.forbid, read_squares).map_err(at(&text, "forbid"))?;
    let mut excluded =
        list(&read.exclude_diagonals, read_diagonals).map_err(at(&text, "exclude_diagonals"))?;
    placed.extend(squares(&read.init, 0).map_err(at(&text, "init"))?);
    forbidden.extend(squares(&read.blocks, 1).map_err(at(&text, "blocks"))?);
    if read.numdiags.is_some_and(|count| count != read.diags.len()) {
        let what = "'diags' has another number of pairs than 'numdiags' says: is the file complete?";
        return Err(at(&text, "diags")(what));
    }
    let diagonals: Result<Vec<Diagonal>, String> = read.diags.iter().map(|&pair| diagonal(n, pair)).collect();
    excluded.extend(diagonals.map_err(at(&text, "diags"))?);
    let problem = Problem::new(n, variant).and_then(|problem| problem.forbid(forbidden));
    let problem = problem.and_then(|problem| problem.exclude(excluded)?.place(placed));
    problem.map_err(|error| error.to_string())
}

/// The message of an error at the line of a key.
fn at<E: Display>(text: &str, key: &str) -> impl FnOnce(E) -> String {
    let line = text.lines().position(|line| line.trim_start().starts_with(key)).unwrap_or(0) + 1;
    move |error| format!("line {line}, column 1: {error}")
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
fn squares(pairs: &[[usize; 2]], first: usize) -> Result<Vec<Square>, String> {
    let from_0 = |number: usize| {
        let error = || format!("rows and columns count from {first} here, so {number} is none");
        number.checked_sub(first).ok_or_else(error)
    };
    pairs.iter().map(|&[row, column]| Ok(Square { row: from_0(row)?, column: from_0(column)? })).collect()
}

/// Type 1: row + column; type 0: row - column + n - 1.
fn diagonal(n: BoardSize, [number, kind]: [i64; 2]) -> Result<Diagonal, String> {
    let last = 2 * i64::from(column(n.get())) - 2;
    let on_board = u32::try_from(number).ok().filter(|_| number <= last);
    let on_board = on_board
        .ok_or_else(|| format!("there is no diagonal {number}: diagonals are numbered from 0 to {last}"))?;
    match kind {
        1 => Ok(Diagonal::Sum(on_board)),
        0 => Ok(Diagonal::Difference(on_board.cast_signed() - column(n.get()).cast_signed() + 1)),
        _ => Err(format!("a diagonal has type 1 (sum) or 0 (difference), not {kind}")),
    }
}

/// The problem in our own form.
pub fn to_toml(problem: &Problem) -> String {
    let mut toml = format!("n = {}\nvariant = \"{}\"\n", problem.n(), problem.variant().name());
    if let Variant::Regions(regions) = problem.variant() {
        toml += &format!("regions = {:?}\n", regions.rows().collect::<Vec<_>>());
    }
    for (key, list) in problem.to_string().split(';').filter_map(|part| part.split_once('=')) {
        match key {
            "regions" => {}
            "exclude" => toml += &format!("exclude_diagonals = \"{list}\"\n"),
            _ => toml += &format!("{key} = \"{list}\"\n"),
        }
    }
    toml
}
