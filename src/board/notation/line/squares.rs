//! Squares in chess notation: `b1 d2 a3 c4`, `Qb1 Qd2`. The letter is the column, the number is the row, from
//! 1.

use super::{Line, value, words};
use crate::board::Square;
use crate::escape::Escaped;

/// Reads a line of only squares; or, if there are `n` words, of mostly squares.
pub(super) fn read(text: &str, n: usize) -> Option<Line> {
    let mut squares = Vec::new();
    let mut strange = None;
    let mut count = 0;
    for word in words(text) {
        count += 1;
        match square(word) {
            Some(square) => squares.push(square),
            None => {
                strange.get_or_insert(word);
            }
        }
        // Stops at the first word of prose.
        if count > 2 * squares.len() {
            return None;
        }
    }
    let whole = strange.is_none() || count == n && squares.len() > 1;
    (!squares.is_empty() && whole)
        .then(|| Line::Squares(squares, strange.map(|text| Escaped(text).to_string())))
}

fn square(word: &str) -> Option<Square> {
    // `Q1` is itself a square.
    let word = word.strip_prefix('Q').filter(|rest| rest.starts_with(char::is_alphabetic)).unwrap_or(word);
    let (&letter, digits) = word.as_bytes().split_first()?;
    if !letter.is_ascii_alphabetic() || digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let column = usize::from(letter.to_ascii_lowercase() - b'a');
    let row = (value(digits) as usize).checked_sub(1)?;
    Some(Square { row, column })
}
