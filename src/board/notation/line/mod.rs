//! Classifies a piece of text on its own, independently of the text before it. There is one file per kind of
//! line; [`Line::of`] tries them in order.

mod numbers;
mod pairs;
mod rows;
mod squares;
mod statement;

use crate::board::Square;
pub(super) use numbers::Numbers;
pub(super) use rows::{Glyphs, Row, Rows};
pub use statement::stated_count;

/// The value of a word that is not a number, such as `None`, and of numbers too large for any board.
pub(super) const NO_VALUE: u32 = u32::MAX;

/// The kinds of text between line ends or brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Only blanks.
    Blank,
    /// Only closing brackets: the end of a list.
    Close,
    /// Dashes, equals signs, the frame of a drawn board.
    Rule,
    /// A sentence that states the number of solutions, and nothing else.
    Says(u64),
    /// Only numbers.
    Numbers(Numbers),
    /// Rows and columns of queens, at least one.
    Pairs(Vec<(u32, u32)>),
    /// Rows of cells, at least one.
    Rows(Rows),
    /// Squares such as `b1`, at least one, and the first word that is not a square, if there is one.
    Squares(Vec<Square>, Option<String>),
    /// Literals of a `v` line; `None` if one of them is not a number.
    Literals(Option<Vec<i64>>),
    /// Anything else.
    Prose,
}

/// Labels are searched only at the first few marks of a line, because a line may contain a million colons.
const MARKS: usize = 16;

impl Line {
    /// The kind of a segment of a text about boards of side `n`.
    pub fn of(text: &[u8], n: usize) -> Line {
        // These two are first, because enumerations have a hundred million such lines.
        if let Some(numbers) = numbers::plain(text) {
            return match pairs::flat(text, &numbers.values, n) {
                Some(pairs) => Line::Pairs(pairs),
                None => Line::Numbers(numbers),
            };
        }
        if let Some(row) = rows::plain(text) {
            return Line::Rows(Rows {
                rows: vec![row],
                glyphs: Glyphs::Drawn,
                framed: false,
                uniform: false,
            });
        }
        let text = String::from_utf8_lossy(text);
        let text = text.trim();
        let labelled = || labels(text).find_map(|at| behind_label(&text[..at], text[at..].trim(), n));
        unlabelled(text, n).or_else(labelled).unwrap_or(Line::Prose)
    }
}

fn unlabelled(text: &str, n: usize) -> Option<Line> {
    blank(text)
        .or_else(|| literals(text))
        .or_else(|| statement::stated_count(text, n).map(Line::Says))
        .or_else(|| pairs::read(text).map(Line::Pairs))
        .or_else(|| squares::read(text, n))
        .or_else(|| rows::read(text, n).map(Line::Rows))
        .or_else(|| rule(text))
        .or_else(|| numbers::listed(text, n).map(Line::Numbers))
}

/// Reads the text after a label. Without brackets, a lone number is a count or a time, `12:30` is not a
/// queen, and `-1` is not part of a list.
fn behind_label(label: &str, text: &str, n: usize) -> Option<Line> {
    // The notation of a single queen is so short that `error: [0]` must not be read as a board.
    if n == 1 && !statement::is_label(label) {
        return None;
    }
    let bracketed = text.starts_with(is_opening);
    if let Some(numbers) = numbers::plain(text.as_bytes()) {
        let several = bracketed || numbers.values.len() > 1;
        return several.then(|| {
            let pairs = pairs::flat(text.as_bytes(), &numbers.values, n);
            pairs.map_or(Line::Numbers(numbers), Line::Pairs)
        });
    }
    let list = || match pairs::read(text).map(Line::Pairs) {
        None => numbers::listed(text, n).map(Line::Numbers),
        pairs => pairs,
    };
    squares::read(text, n)
        .or_else(|| rows::read(text, n).map(Line::Rows))
        .or_else(|| if bracketed { list() } else { numbers::chain(text).map(Line::Numbers) })
}

/// The end of a label: after `Solution 1:`, `x =`, `#1 ->` and the number in `1. 2 4 1 3`, and before a
/// bracket.
fn labels(text: &str) -> impl Iterator<Item = usize> + '_ {
    let number = |label: &str| label.trim_start_matches('#').bytes().all(|byte| byte.is_ascii_digit());
    let marks = text.char_indices().filter_map(move |(at, c)| {
        let behind = at + c.len_utf8();
        match c {
            ':' | '=' | '→' => Some(behind),
            '>' if text[..at].ends_with(['-', '=']) => Some(behind),
            '.' if at > 0 && number(&text[..at]) => Some(behind),
            _ if is_opening(c) && at > 0 => Some(at),
            _ => None,
        }
    });
    marks.take(MARKS)
}

fn blank(text: &str) -> Option<Line> {
    match text {
        "" => Some(Line::Blank),
        _ if text.chars().all(|c| c == ',' || is_closing(c)) => Some(Line::Close),
        _ => None,
    }
}

/// `v -1 2 -3 -4 0`.
fn literals(text: &str) -> Option<Line> {
    let mut words = text.split_ascii_whitespace();
    if words.next() != Some("v") {
        return None;
    }
    Some(Line::Literals(words.map(|word| word.parse().ok()).collect()))
}

/// `=====`, `+---+---+`, `├───┼───┤`, `┌─────────┐`.
fn rule(text: &str) -> Option<Line> {
    let drawn = |c: char| {
        matches!(c, '-' | '=' | '+' | '_' | '~' | '*' | '#' | '|' | '—' | '–' | '\u{2500}'..='\u{257f}')
    };
    text.chars().all(|c| c.is_whitespace() || drawn(c)).then_some(Line::Rule)
}

/// The value of decimal digits; [`NO_VALUE`] if there are too many.
fn value(digits: &[u8]) -> u32 {
    digits.iter().fold(0_u32, |value, digit| match value.checked_mul(10) {
        Some(tens) => tens.saturating_add(u32::from(digit - b'0')),
        None => NO_VALUE,
    })
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// What programs print in place of a column number: `None`, `-1`, `0.5`, `?`.
fn stands_for_a_number(word: &str) -> bool {
    const WORDS: [&str; 8] = ["none", "null", "nil", "nan", "undefined", "inf", "?", "-"];
    WORDS.iter().any(|other| word.eq_ignore_ascii_case(other))
        || word.parse::<f64>().is_ok_and(|_| word.ends_with(|c: char| c.is_ascii_digit()))
}

fn is_opening(c: char) -> bool {
    matches!(c, '[' | '(' | '{')
}

fn is_closing(c: char) -> bool {
    matches!(c, ']' | ')' | '}')
}

fn is_punctuation(c: char) -> bool {
    is_opening(c) || is_closing(c) || matches!(c, ',' | ';' | '"' | '\'')
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || is_punctuation(c)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> Line {
        Line::of(text.as_bytes(), 4)
    }

    #[test]
    fn each_kind_of_line_is_told_by_itself() {
        assert_eq!(kind(" \r"), Line::Blank);
        assert_eq!(kind(" ]"), Line::Close);
        assert_eq!(kind("+---+---+"), Line::Rule);
        assert_eq!(kind("v -1 2 0"), Line::Literals(Some(vec![-1, 2, 0])));
        assert_eq!(kind("v -1 x 0"), Line::Literals(None));
        assert_eq!(kind("c2"), Line::Squares(vec![Square { row: 1, column: 2 }], None));
        for prose in
            ["time: 5", "public static void main(String[]", "0.000107 time was taken(in miliseconds)"]
        {
            assert_eq!(kind(prose), Line::Prose, "{prose}");
        }
        for prose in ["4 x 4", "8 queens", "2 * x", "3 Q", "12", "e.g.", "oxen", "hello"] {
            assert!(!matches!(kind(prose), Line::Rows(_) | Line::Pairs(_)), "{prose}");
        }
        assert_eq!(kind("Started at 12:30"), Line::Prose);
    }

    #[test]
    fn labels_are_passed_over() {
        let board = |text: &str| match kind(text) {
            Line::Numbers(numbers) => numbers.values,
            other => panic!("{text}: {other:?}"),
        };
        for text in [
            "Solution 1: 2 4 1 3",
            "Solution #1 -> 2,4,1,3",
            "1. 2 4 1 3",
            "#1: 2 4 1 3",
            "x = [2, 4, 1, 3]",
            "Solution [2, 4, 1, 3]",
            "{\"n\": 4, \"solutions\": [[2,4,1,3]",
            "2 -> 4 -> 1 -> 3",
            "2→4→1→3",
            "Board 1: 2->4->1->3",
        ] {
            assert_eq!(board(text), [2, 4, 1, 3], "{text}");
        }
    }
}
