//! Queens as pairs `(row, column)`: `{0: 1, 1: 3}`, `0 -> 1, 1 -> 3`, `{"row": 0, "col": 1}`, `row 0, column
//! 1`, `0,1 1,3`. A lone `(0, 1)` is two numbers whose meaning depends on the following text.

use super::{NO_VALUE, is_punctuation, stands_for_a_number, value};

/// Reads `n` pairs in a line of only numbers: `0,1 1,3 2,0 3,2`, `0 1, 1 3, 2 0, 3 2`, or numbers of which
/// every second one counts the rows.
pub(super) fn flat(text: &[u8], values: &[u32], n: usize) -> Option<Vec<(u32, u32)>> {
    if n < 3 || values.len() != 2 * n {
        return None;
    }
    let pairs: Vec<(u32, u32)> = values.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let counted = pairs[0].0 <= 1 && pairs.windows(2).all(|two| two[1].0 == two[0].0 + 1);
    let numbers =
        |piece: &[u8]| piece.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty()).count();
    let in_twos = |separator: fn(&u8) -> bool| {
        let pieces = text.split(separator).map(numbers).filter(|&count| count > 0);
        pieces.clone().count() == n && pieces.clone().all(|count| count == 2)
    };
    let is_comma: fn(&u8) -> bool = |byte| matches!(byte, b',' | b';');
    (counted || in_twos(u8::is_ascii_whitespace) || in_twos(is_comma)).then_some(pairs)
}

/// Reads pairs with something other than a plain separator between row and column.
pub(super) fn read(text: &str) -> Option<Vec<(u32, u32)>> {
    let tokens = tokens(text)?;
    linked(&tokens).or_else(|| named(&tokens))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Number(u32),
    /// `:`, `=`, `->`.
    Link,
    /// A comma or a bracket.
    Separator,
    Word(&'a str),
}

fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let span = |same: fn(char) -> bool| rest.find(|c| !same(c)).unwrap_or(rest.len());
        let (token, length) = match c {
            '0'..='9' => {
                let length = span(|c| c.is_ascii_digit());
                (Some(Token::Number(value(&rest.as_bytes()[..length]))), length)
            }
            _ if c.is_alphabetic() => {
                let word = &rest[..span(char::is_alphabetic)];
                let token =
                    if stands_for_a_number(word) { Token::Number(NO_VALUE) } else { Token::Word(word) };
                (Some(token), word.len())
            }
            _ if rest.starts_with("->") || rest.starts_with("=>") => (Some(Token::Link), 2),
            ':' | '=' | '→' => (Some(Token::Link), c.len_utf8()),
            '-' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                let digits = rest[1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - 1);
                (Some(Token::Number(NO_VALUE)), 1 + digits)
            }
            '"' | '\'' | '#' => (None, 1),
            _ if c.is_whitespace() => (None, c.len_utf8()),
            _ if is_punctuation(c) => (Some(Token::Separator), 1),
            _ => return None,
        };
        tokens.extend(token);
        rest = &rest[length..];
    }
    Some(tokens)
}

/// `0: 1, 1: 3`, `0 -> 1`.
fn linked(tokens: &[Token<'_>]) -> Option<Vec<(u32, u32)>> {
    let mut pairs = Vec::new();
    let items = tokens.split(|&token| token == Token::Separator).filter(|item| !item.is_empty());
    for item in items {
        for pair in item.chunks(3) {
            let &[Token::Number(row), Token::Link, Token::Number(column)] = pair else { return None };
            pairs.push((row, column));
        }
    }
    (!pairs.is_empty()).then_some(pairs)
}

/// `row: 0, col: 1`, `Queen 1: row 0, column 1`, `r0 c1`.
fn named(tokens: &[Token<'_>]) -> Option<Vec<(u32, u32)>> {
    let mut pairs = Vec::new();
    let (mut row, mut column) = (None, None);
    let mut name = Name::Other;
    for &token in tokens {
        match token {
            Token::Word(word) => name = Name::of(word)?,
            Token::Number(value) => {
                let coordinate = match std::mem::replace(&mut name, Name::Other) {
                    Name::Row => &mut row,
                    Name::Column => &mut column,
                    Name::Queen => continue,
                    Name::Other => return None,
                };
                if coordinate.replace(value).is_some() {
                    return None;
                }
                if let (Some(of_row), Some(of_column)) = (row, column) {
                    pairs.push((of_row, of_column));
                    (row, column) = (None, None);
                }
            }
            Token::Link | Token::Separator => {}
        }
    }
    (row.is_none() && column.is_none() && !pairs.is_empty()).then_some(pairs)
}

/// The meaning of the number after a word.
enum Name {
    Row,
    Column,
    /// The number of the queen itself, as in `Queen 1`.
    Queen,
    Other,
}

impl Name {
    fn of(word: &str) -> Option<Name> {
        Some(match word.to_ascii_lowercase().as_str() {
            "row" | "r" | "y" => Name::Row,
            "column" | "col" | "c" | "x" => Name::Column,
            "queen" | "q" => Name::Queen,
            "queens" | "at" | "in" | "on" | "is" | "and" => Name::Other,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_names_and_pairs_without_parentheses_are_read() {
        let both = Some(vec![(0, 1), (1, 3)]);
        for text in [
            "{0: 1, 1: 3}",
            "0 -> 1, 1 -> 3",
            "0=>1 1=>3",
            "[{\"row\":0,\"col\":1}, {\"row\":1,\"col\":3}",
            "{'col': 1, 'row': 0}, {'col': 3, 'row': 1}",
            "Queen 1: row 0, column 1; Queen 2: row 1, column 3",
            "r0 c1 r1 c3",
        ] {
            assert_eq!(read(text), both, "{text}");
        }
        assert_eq!(read("{0: None}"), Some(vec![(0, NO_VALUE)]));
        assert_eq!(read("row -1, col 2"), Some(vec![(NO_VALUE, 2)]));
        for text in ["4 x 4", "x4", "row 1", "row 1 row 2", "1 -> 3 -> 0", "time: 5 s", "12:30:05", "1 3"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn two_boards_on_a_line_are_no_pairs() {
        let pairs = |text: &str| {
            let values: Vec<u32> = text.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
            flat(text.as_bytes(), &values, 4).map(|pairs| pairs.len())
        };
        for text in ["0,1 1,3 2,0 3,2", "2,0 0,1 1,3 3,2", "2 4, 1 2, 3 1, 4 3", "1 2 2 4 3 1 4 3"] {
            assert_eq!(pairs(text), Some(4), "{text}");
        }
        assert_eq!(pairs("1 3 0 2  2 0 3 1"), None);
        assert_eq!(pairs("0,1 1,3 2,0"), None);
    }
}
