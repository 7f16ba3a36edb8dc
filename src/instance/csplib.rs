//! Instances of CSPLib, problems 079 and 080: assignments of numbers and lists of numbers to names, in the syntax of
//! Essence' parameter files or of the generators' output.

use super::InstanceError;
use crate::board::problem::{Diagonal, Problem};
use crate::board::{BoardSize, Square, column};

/// The names of lists; a text that assigns one of them is such an instance.
const LISTS: [&str; 3] = ["diags", "init", "blocks"];

/// Whether a text assigns a list of CSPLib.
pub fn is_one(text: &str) -> bool {
    tokens(text).any(|token| LISTS.contains(&token.text))
}

struct Token<'a> {
    text: &'a str,
    line: usize,
    /// The text before it on its line.
    before: &'a str,
}

impl Token<'_> {
    fn error(&self, what: impl Into<String>) -> InstanceError {
        let column = self.before.chars().count() + 1;
        InstanceError::At { line: self.line, column, what: what.into() }
    }
}

/// Words and numbers; `$` begins a comment.
fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    (1..).zip(text.lines()).flat_map(|(line, content)| {
        let content = content.split('$').next().unwrap_or_default();
        let separates = |c: char| !(c.is_alphanumeric() || "-_.'".contains(c));
        content.split(separates).filter(|word| !word.is_empty()).map(move |word| {
            let before = word.as_ptr() as usize - content.as_ptr() as usize;
            Token { text: word, line, before: &content[..before] }
        })
    })
}

/// Reads an instance.
pub fn read(text: &str) -> Result<Problem, InstanceError> {
    let mut size = None;
    let mut lists: Vec<(Token<'_>, Vec<(i64, Token<'_>)>)> = Vec::new();
    for token in tokens(text) {
        match (token.text.parse::<i64>(), lists.last_mut()) {
            (Ok(number), Some((name, numbers))) => {
                if name.text == "n" {
                    size = Some(number);
                }
                numbers.push((number, token));
            }
            (Ok(_), None) => return Err(token.error("a number without a name: write for example n = 8")),
            (Err(_), _) if ["letting", "be", "language", "ESSENCE'", "1.0"].contains(&token.text) => {}
            (Err(_), _) if token.text == "n" || token.text == "numdiags" || LISTS.contains(&token.text) => {
                if lists.iter().any(|(name, _)| name.text == token.text) {
                    return Err(token.error(format!("'{}' has a value already", token.text)));
                }
                lists.push((token, Vec::new()));
            }
            (Err(_), _) => {
                return Err(
                    token.error(format!("unexpected '{}': expected n, diags, init or blocks", token.text))
                );
            }
        }
    }
    let size = size.ok_or_else(|| InstanceError::At {
        line: 1,
        column: 1,
        what: "the size of the board is missing: write n = 8".to_owned(),
    })?;
    let n = BoardSize::new(usize::try_from(size).unwrap_or(usize::MAX))?;
    let mut problem = Problem::queens(n);
    for (name, numbers) in &lists {
        if !LISTS.contains(&name.text) {
            continue;
        }
        let announced = lists.iter().find(|(other, _)| name.text == "diags" && other.text == "numdiags");
        if announced.is_some_and(|(_, count)| {
            count.iter().all(|(count, _)| count.checked_mul(2) != i64::try_from(numbers.len()).ok())
        }) {
            return Err(
                name.error("'diags' has another number of pairs than 'numdiags' says: is the file complete?")
            );
        }
        if numbers.len() % 2 == 1 {
            return Err(name.error(format!(
                "'{}' needs pairs of numbers, but has {} numbers",
                name.text,
                numbers.len()
            )));
        }
        let pairs = numbers.chunks_exact(2).map(|pair| (&pair[0], &pair[1]));
        problem = match name.text {
            "diags" => {
                let diagonals = pairs.map(|(number, kind)| diagonal(n, number, kind));
                problem.exclude(diagonals.collect::<Result<Vec<_>, _>>()?)?
            }
            "init" => problem
                .place(pairs.map(|(row, column)| square(row, column, 0)).collect::<Result<Vec<_>, _>>()?)?,
            _ => problem
                .forbid(pairs.map(|(row, column)| square(row, column, 1)).collect::<Result<Vec<_>, _>>()?)?,
        };
    }
    Ok(problem)
}

type Number<'a> = (i64, Token<'a>);

/// Type 1: row + column; type 0: row - column + n - 1.
fn diagonal(
    n: BoardSize,
    (number, at): &Number<'_>,
    (kind, kind_at): &Number<'_>,
) -> Result<Diagonal, InstanceError> {
    let last = 2 * i64::from(column(n.get())) - 2;
    let on_board = u16::try_from(*number).ok().filter(|_| *number <= last);
    let number = on_board.ok_or_else(|| {
        at.error(format!("there is no diagonal {number}: diagonals are numbered from 0 to {last}"))
    })?;
    match kind {
        1 => Ok(Diagonal::Sum(number)),
        0 => Ok(Diagonal::Difference(number.cast_signed() - column(n.get()).cast_signed() + 1)),
        _ => Err(kind_at.error(format!("a diagonal has type 1 (sum) or 0 (difference), not {kind}"))),
    }
}

fn square(
    (row, at): &Number<'_>,
    (column, column_at): &Number<'_>,
    first: i64,
) -> Result<Square, InstanceError> {
    let from_0 = |number: &i64, at: &Token<'_>| {
        let from_0 = number.checked_sub(first).and_then(|number| usize::try_from(number).ok());
        from_0
            .ok_or_else(|| at.error(format!("rows and columns count from {first} here, so {number} is none")))
    };
    Ok(Square { row: from_0(row, at)?, column: from_0(column, column_at)? })
}
