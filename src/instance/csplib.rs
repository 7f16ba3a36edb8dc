//! Instances of CSPLib, problems 079 and 080: assignments of a number or of a list of pairs to names, in the syntax of
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

/// A word, a number or a sign, and its place; lines and columns count from 1.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

impl Token<'_> {
    fn error(&self, what: impl Into<String>) -> InstanceError {
        InstanceError::At { line: self.line, column: self.column, what: what.into() }
    }

    fn number(&self) -> Option<i64> {
        self.text.parse().ok()
    }
}

/// The tokens of a text; `$` and `#` begin a comment.
fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    (1..).zip(text.lines()).flat_map(|(line, content)| {
        let content = content.split(['$', '#']).next().unwrap_or_default();
        let in_word = |c: char| c.is_alphanumeric() || "-_.'".contains(c);
        let (mut rest, mut next_column) = (content, 1);
        std::iter::from_fn(move || {
            let blanks = rest.len() - rest.trim_start().len();
            next_column += rest[..blanks].chars().count();
            rest = &rest[blanks..];
            let sign = rest.chars().next()?;
            let word = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
            let (text, after) = rest.split_at(word.max(sign.len_utf8()));
            let token = Token { text, line, column: next_column };
            next_column += text.chars().count();
            rest = after;
            Some(token)
        })
    })
}

/// Two numbers, and where they are.
type Pair<'a> = [(i64, Token<'a>); 2];

/// Reads an instance.
pub fn read(text: &str) -> Result<Problem, InstanceError> {
    let start = Token { text: "", line: 1, column: 1 };
    let (mut size, mut announced) = (None, None);
    let mut lists: Vec<(Token<'_>, Vec<Pair<'_>>)> = Vec::new();
    let mut tokens = tokens(text);
    while let Some(name) = tokens.next() {
        match name.text {
            "letting" => continue,
            "language" => {
                tokens.nth(1);
                continue;
            }
            _ => {}
        }
        let known = ["n", "numdiags"].contains(&name.text) || LISTS.contains(&name.text);
        if name.number().is_some() {
            return Err(name.error("a number without a name: write for example n = 8"));
        } else if !known {
            return Err(name.error(format!("unexpected '{}': expected n, diags, init or blocks", name.text)));
        } else if !tokens.next().is_some_and(|sign| ["=", "be"].contains(&sign.text)) {
            return Err(name.error(format!("'{0}' has no value: write {0} = and its value", name.text)));
        }
        let again = match name.text {
            "n" => size.replace(number(name, &mut tokens)?).is_some(),
            "numdiags" => announced.replace(number(name, &mut tokens)?).is_some(),
            _ => {
                lists.push((name, pairs(name, &mut tokens)?));
                lists.iter().filter(|(other, _)| other.text == name.text).count() > 1
            }
        };
        if again {
            return Err(name.error(format!("'{}' has a value already", name.text)));
        }
    }
    let size = size.ok_or_else(|| start.error("the size of the board is missing: write n = 8"))?;
    let n = BoardSize::new(usize::try_from(size).unwrap_or(usize::MAX))?;
    let mut problem = Problem::queens(n);
    for (name, pairs) in lists {
        let complete = announced.is_none_or(|count| usize::try_from(count) == Ok(pairs.len()));
        if name.text == "diags" && !complete {
            return Err(
                name.error("'diags' has another number of pairs than 'numdiags' says: is the file complete?")
            );
        }
        let squares = |first| pairs.iter().map(|pair| square(pair, first)).collect::<Result<Vec<_>, _>>();
        problem = match name.text {
            "diags" => {
                problem.exclude(pairs.iter().map(|pair| diagonal(n, pair)).collect::<Result<Vec<_>, _>>()?)?
            }
            "init" => problem.place(squares(0)?)?,
            _ => problem.forbid(squares(1)?)?,
        };
    }
    Ok(problem)
}

/// The number that is the value of a name.
fn number<'a>(name: Token<'_>, tokens: &mut impl Iterator<Item = Token<'a>>) -> Result<i64, InstanceError> {
    let value = tokens.next().ok_or_else(|| name.error(format!("'{}' needs a number", name.text)))?;
    value.number().ok_or_else(|| value.error(format!("'{}' is not a number", value.text)))
}

/// The list of pairs that is the value of a name: `[[4, 1], [5, 0]]`.
fn pairs<'a>(
    name: Token<'_>,
    tokens: &mut impl Iterator<Item = Token<'a>>,
) -> Result<Vec<Pair<'a>>, InstanceError> {
    let bad = || name.error(format!("'{}' needs pairs of numbers, as in [[4, 1], [5, 0]]", name.text));
    let mut next = || tokens.next().ok_or_else(bad);
    if next()?.text != "[" {
        return Err(bad());
    }
    let mut pairs = Vec::new();
    loop {
        match next()?.text {
            "]" => return Ok(pairs),
            "," => {}
            "[" => {
                let [first, comma, second, end] = [next()?, next()?, next()?, next()?];
                let (Some(one), ",", Some(other), "]") =
                    (first.number(), comma.text, second.number(), end.text)
                else {
                    return Err(bad());
                };
                pairs.push([(one, first), (other, second)]);
            }
            _ => return Err(bad()),
        }
    }
}

/// Type 1: row + column; type 0: row - column + n - 1.
fn diagonal(n: BoardSize, [(number, at), (kind, kind_at)]: &Pair<'_>) -> Result<Diagonal, InstanceError> {
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

/// A square whose row and column count from `first`.
fn square([row, column]: &Pair<'_>, first: i64) -> Result<Square, InstanceError> {
    let from_0 = |(number, at): &(i64, Token<'_>)| {
        let from_0 = number.checked_sub(first).and_then(|number| usize::try_from(number).ok());
        from_0
            .ok_or_else(|| at.error(format!("rows and columns count from {first} here, so {number} is none")))
    };
    Ok(Square { row: from_0(row)?, column: from_0(column)? })
}
