//! What a piece of text holds by itself, whatever stands around it.
//!
//! A line of prose that ends in a board, or holds one, is that board: numbers, squares or a row of cells behind a prompt, a
//! label or any other words. What else it holds does not matter.

use super::rows::{self, Rows};
use super::tokens::{Token, is_opening, is_punctuation, tokens, value};
use crate::judge::statement;

/// The kinds of text between line ends or brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Only blanks, or closing brackets: the end of a board of several lines. `rule`: dashes, equals signs, the frame
    /// of a drawn board, which may also stand between its rows.
    End { rule: bool },
    /// Numbers.
    Numbers(Numbers),
    /// Rows and columns of queens, at least one.
    Pairs(Vec<[u32; 2]>),
    /// Rows of cells, at least one.
    Rows(Rows),
    /// Rows and columns of squares such as `b1`, from 0, at least one.
    Squares(Vec<[u32; 2]>),
    /// Literals of a `v` line; `None` if one of them is not a number.
    Literals(Option<Vec<i64>>),
    /// Anything else.
    Prose,
}

/// Numbers separated by blanks, commas, brackets or arrows.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Numbers {
    /// Their values; [`super::tokens::NO_VALUE`] for a word that is not a number, or for a number that is too large.
    pub values: Vec<u32>,
    /// Whether a bracket opens before them.
    pub bracketed: bool,
    /// The digits of a lone number.
    pub digits: Vec<u8>,
    /// The words around them, without digits, if they stand in prose; a label is none.
    pub frame: Option<String>,
}

/// At most this many beginnings of a board are tried in a line of prose.
const BEGINNINGS: usize = 16;

impl Line {
    /// The kind of a segment of a text about boards of side `n`.
    pub fn of(text: &[u8], n: usize) -> Line {
        // These two are first, because enumerations have a hundred million such lines.
        if let Some(numbers) = plain_numbers(text) {
            return match flat_pairs(&numbers.values, n) {
                Some(pairs) => Line::Pairs(pairs),
                None => Line::Numbers(numbers),
            };
        }
        if let Some(row) = rows::plain(text) {
            return Line::Rows(Rows { rows: vec![row], bits: false, framed: false, uniform: false });
        }
        let text = String::from_utf8_lossy(text);
        let text = text.trim();
        if text.chars().all(|c| matches!(c, ',' | ']' | ')' | '}')) {
            return Line::End { rule: false };
        }
        if let Some(literals) = text.strip_prefix("v").filter(|rest| rest.starts_with([' ', '\t'])) {
            return Line::Literals(literals.split_ascii_whitespace().map(|word| word.parse().ok()).collect());
        }
        let tokens = tokens(text);
        // `0.` is one cell, not two.
        if tokens.iter().any(|token| matches!(token, Token::Number { dot: true, .. }))
            && let Some(list) = numbers(text, &tokens, n).filter(|list| list.frame.is_none())
        {
            return Line::Numbers(list);
        }
        pairs(&tokens)
            .map(Line::Pairs)
            .or_else(|| squares(text).map(Line::Squares))
            .or_else(|| rows::read(text, n).map(Line::Rows))
            .or_else(|| is_rule(text).then_some(Line::End { rule: true }))
            .or_else(|| numbers(text, &tokens, n).map(Line::Numbers))
            .or_else(|| behind_words(text, n))
            .unwrap_or(Line::Prose)
    }
}

/// Reads a line of only numbers and separators. Several numbers with leading zeros are rows of cells.
fn plain_numbers(text: &[u8]) -> Option<Numbers> {
    let mut numbers = Numbers { values: Vec::with_capacity(16), ..Numbers::default() };
    let mut first: &[u8] = &[];
    let mut leading_zero = false;
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        match byte {
            b'0'..=b'9' => {
                let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let (digits, tail) = rest.split_at(length);
                leading_zero |= byte == b'0' && length > 1;
                if numbers.values.is_empty() {
                    first = digits;
                }
                numbers.values.push(value(digits));
                rest = tail;
                if rest.first().is_some_and(|&byte| !is_separator(byte)) {
                    return None;
                }
                continue;
            }
            b'[' | b'(' | b'{' if numbers.values.is_empty() => numbers.bracketed = true,
            _ if is_separator(byte) => {}
            _ => return None,
        }
        rest = tail;
    }
    if numbers.values.len() == 1 {
        numbers.digits = first.into();
    }
    let rows_of_cells = leading_zero && numbers.values.len() > 1;
    (!numbers.values.is_empty() && !rows_of_cells).then_some(numbers)
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b']' | b')' | b'}' | b'\'' | b'"') || byte.is_ascii_whitespace()
}

/// Reads numbers among other words: a list with something else in place of a number, `1 -> 3 -> 0 -> 2`, numbers
/// behind a label, or the last `n` numbers in a row in prose.
fn numbers(text: &str, tokens: &[Token<'_>], n: usize) -> Option<Numbers> {
    let is_bare = !tokens.iter().any(|token| matches!(token, Token::Word(_) | Token::Link));
    let has_arrows = tokens.contains(&Token::Arrow);
    if is_bare && (!has_arrows || tokens.iter().filter_map(|token| token.value()).count() > 2) {
        return listed(tokens, n);
    }
    let items = || tokens.iter().filter(|token| token.value().is_some() || matches!(token, Token::Word(_)));
    if text.starts_with('[') && !has_arrows && !tokens.contains(&Token::Link) && items().count() == n {
        let holes: Vec<Token<'_>> =
            tokens.iter().map(|&token| if token.parts() { Token::Hole } else { token }).collect();
        return listed(&holes, n);
    }
    // A label is no part of the notation of one queen, which is so short that `error: [0]` must not be a board.
    if n == 1 {
        let at = text.rfind(|c| is_opening(c) || c == ':')?;
        let list = plain_numbers(text[at..].trim_start_matches(':').as_bytes())?;
        return Some(list).filter(|list| list.bracketed && statement::is_label(&text[..at]));
    }
    let last = tokens.iter().rposition(|token| token.parts()).map_or(0, |at| at + 1);
    let end = &tokens[last..];
    let is_labelled = end.contains(&Token::Open) || last > 0 && !matches!(tokens[last - 1], Token::Word(_));
    let labelled = Some(end).filter(|_| is_labelled).and_then(|end| listed(end, n));
    if let Some(list) = labelled.filter(|list| list.values.len() > 1 || list.bracketed) {
        return Some(list);
    }
    let runs = tokens.split(|token| token.parts() || *token == Token::Hole);
    let count = |run: &[Token<'_>]| run.iter().filter(|token| token.value().is_some()).count();
    let whole = runs.clone().rfind(|run| count(run) >= n);
    // Only digits, or one queen of several.
    let part = || match runs.clone().last()? {
        [.., last @ Token::Number { digits, .. }] if digits.len() == n => Some(std::slice::from_ref(last)),
        run => Some(run).filter(|run| count(run) == 2),
    };
    let run = whole.or_else(part)?;
    let mut list = listed(run, n)?;
    // The number of the board stands before it.
    if list.values.len() == n + 1 {
        list.values.remove(0);
    }
    let words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(word.replace(|c: char| c.is_ascii_digit(), "")),
        _ => None,
    });
    Some(Numbers { frame: Some(words.collect::<Vec<_>>().join(" ")), ..list })
}

/// The numbers of a list; at most half of it may be something else.
fn listed(tokens: &[Token<'_>], n: usize) -> Option<Numbers> {
    let opening = tokens.iter().rposition(|token| *token == Token::Open);
    let tokens = &tokens[opening.unwrap_or(0)..];
    let mut values: Vec<u32> = tokens.iter().filter_map(|token| token.value()).collect();
    let holes = tokens.iter().filter(|token| **token == Token::Hole).count();
    if values.is_empty() || holes > 0 && values.len() < (2 * holes).max(holes + 2) {
        return None;
    }
    let mut dots = tokens.iter().filter_map(|token| match token {
        Token::Number { dot, .. } => Some(*dot),
        _ => None,
    });
    // `1. 2 4 1 3`: the number of the board.
    if values.len() == n + 1 && dots.next() == Some(true) && !dots.any(|dot| dot) {
        values.remove(0);
    }
    let digits = match tokens {
        [Token::Number { digits, .. }] => digits.as_bytes().into(),
        _ => Vec::new(),
    };
    Some(Numbers { values, bracketed: opening.is_some(), digits, frame: None })
}

/// Reads `n` pairs in a line of only numbers, of which every second one counts the rows: `0,1 1,3 2,0 3,2`.
fn flat_pairs(values: &[u32], n: usize) -> Option<Vec<[u32; 2]>> {
    let pairs = || values.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    let counted = n > 2
        && values.len() == 2 * n
        && values[0] <= 1
        && (values[0]..).zip(pairs()).all(|(row, pair)| row == pair[0]);
    counted.then(|| pairs().collect())
}

/// Reads queens as pairs of row and column: `{0: 1, 1: 3}`, `0 -> 1`, or numbers behind words for rows, columns and
/// queens: `{"row": 0, "col": 1}`, `Place queen in row 0 at column 1`, `Queen 1: column 3`. A lone `(0, 1)` is two
/// numbers, whose meaning depends on the following text.
fn pairs(tokens: &[Token<'_>]) -> Option<Vec<[u32; 2]>> {
    let behind_words =
        tokens.iter().rposition(|token| matches!(token, Token::Word(_))).map_or(0, |at| at + 1);
    let list = match (behind_words, tokens[behind_words..].iter().position(|token| *token == Token::Open)) {
        (0, _) => Some(tokens),
        (_, opening) => opening.map(|at| &tokens[behind_words + at..]),
    };
    list.and_then(linked).or_else(|| named(tokens))
}

fn linked(tokens: &[Token<'_>]) -> Option<Vec<[u32; 2]>> {
    let mut pairs = Vec::new();
    let items = tokens.split(|token| matches!(token, Token::Separator | Token::Open));
    for pair in items.filter(|item| !item.is_empty()).flat_map(|item| item.chunks(3)) {
        let &[row, Token::Link | Token::Arrow, column] = pair else { return None };
        pairs.push([row.value()?, column.value()?]);
    }
    (!pairs.is_empty()).then_some(pairs)
}

fn named(tokens: &[Token<'_>]) -> Option<Vec<[u32; 2]>> {
    let mut pairs = Vec::new();
    // The numbers of the row, the column and the queen, and which of them comes next.
    let mut found = [None; 3];
    let mut next = None;
    for token in tokens {
        if let Token::Word(word) = token {
            next = match word.to_ascii_lowercase().as_str() {
                "row" | "r" | "y" => Some(0),
                "column" | "col" | "c" | "x" => Some(1),
                "queen" | "q" => Some(2),
                _ => next,
            };
        } else if let (Some(value), Some(which)) = (token.value(), next.take_if(|_| token.value().is_some()))
        {
            found[which] = Some(value);
            if let [Some(row), Some(column), _] = found {
                pairs.push([row, column]);
                found = [None; 3];
            }
        }
    }
    // Queens are numbered like rows.
    if let [None, Some(column), Some(row)] = found {
        pairs.push([row, column]);
    }
    (!pairs.is_empty()).then_some(pairs)
}

/// Reads a line of only squares such as `b1 d2 a3 c4` or `Qb1 Qd2`, in which the letter is the column and the number
/// is the row, from 1.
fn squares(text: &str) -> Option<Vec<[u32; 2]>> {
    let words = text.split(|c: char| c.is_whitespace() || is_punctuation(c)).filter(|word| !word.is_empty());
    let squares: Vec<[u32; 2]> = words.map(square).collect::<Option<_>>()?;
    (!squares.is_empty()).then_some(squares)
}

fn square(word: &str) -> Option<[u32; 2]> {
    // `Q1` is itself a square.
    let word = word.strip_prefix('Q').filter(|rest| rest.starts_with(char::is_alphabetic)).unwrap_or(word);
    let (&letter, digits) = word.as_bytes().split_first()?;
    if !letter.is_ascii_alphabetic() || digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let column = u32::from(letter.to_ascii_lowercase() - b'a');
    Some([value(digits).checked_sub(1)?, column])
}

/// Reads squares or a row of cells behind other words: all `n` of them, and, unless behind a label, with a queen.
fn behind_words(text: &str, n: usize) -> Option<Line> {
    let begins = |(at, c): (usize, char)| {
        (c.is_whitespace() || ":=>→?".contains(c)).then(|| (at + c.len_utf8(), !c.is_whitespace()))
    };
    let mut beginnings = text.char_indices().filter_map(begins).take(BEGINNINGS);
    beginnings.find_map(|(at, marked)| {
        if n == 1 && !statement::is_label(&text[..at]) {
            return None;
        }
        let rest = text[at..].trim();
        if let Some(squares) = squares(rest).filter(|squares| squares.len() == n) {
            return Some(Line::Squares(squares));
        }
        let is_whole = |rows: &Rows| {
            let shows = rows.rows.iter().any(|row| !row.queens.is_empty() || !row.marks.is_empty());
            rows.rows.iter().all(|row| row.width == n) && (marked || shows)
        };
        rows::read(rest, n).filter(is_whole).map(Line::Rows)
    })
}

/// `=====`, `+---+---+`, `├───┼───┤`, `┌─────────┐`.
fn is_rule(text: &str) -> bool {
    let drawn = |c: char| {
        matches!(c, '-' | '=' | '+' | '_' | '~' | '*' | '#' | '|' | '—' | '–' | '\u{2500}'..='\u{257f}')
    };
    text.chars().all(|c| c.is_whitespace() || drawn(c))
}

/// Whether numbers count up or down by one, like column numbers.
pub(super) fn counts(values: &[u32]) -> bool {
    values.windows(2).all(|two| two[1] == two[0].wrapping_add(1))
        || values.windows(2).all(|two| two[0] == two[1].wrapping_add(1))
}
