//! What a piece of text looks like, seen by itself: neither the size of the board nor what came
//! before has a say. One function a kind; [`Line::of`] is their order.

use crate::board::Square;

/// The kinds of text between two line ends or brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Nothing but blanks.
    Blank,
    /// Nothing but closing brackets: a list ends.
    Close,
    /// Dashes, equals signs, the frame of a drawn board.
    Rule,
    /// Says that there is no solution.
    NoSolution,
    /// Nothing but numbers.
    Numbers(Numbers),
    /// Rows of cells, at least one.
    Rows(Rows),
    /// Squares such as `b1`, at least one.
    Squares(Vec<Square>),
    /// Literals of a `v` line.
    Literals(Vec<i64>),
    /// Anything else.
    Prose,
}

/// Numbers parted by blanks, commas or brackets.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Numbers {
    /// Their values; what does not fit is `u32::MAX`.
    pub values: Vec<u32>,
    /// Whether a bracket opens before them.
    pub bracketed: bool,
    /// The digits of a lone number.
    pub digits: Vec<u8>,
}

/// Rows of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// The rows, top first.
    pub rows: Vec<Row>,
    /// Whether the cells are 0 and 1.
    pub binary: bool,
    /// Whether bars frame the cells.
    pub framed: bool,
    /// Whether it is one run of one character without a queen, which may be a rule as well.
    pub uniform: bool,
}

/// A row of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The number of cells.
    pub width: usize,
    /// The columns of its queens, from 0.
    pub queens: Vec<usize>,
}

impl Line {
    /// The kind of a segment of text.
    pub fn of(text: &[u8]) -> Line {
        // These two first, because enumerations come as a hundred million of them.
        if let Some(numbers) = numbers(text) {
            return Line::Numbers(numbers);
        }
        if let Some(row) = plain_row(text) {
            return Line::Rows(Rows { rows: vec![row], binary: false, framed: false, uniform: false });
        }
        let text = String::from_utf8_lossy(text);
        let text = text.trim();
        let unlabelled = || without_label(text);
        blank(text)
            .or_else(|| literals(text))
            .or_else(|| squares(text))
            .or_else(|| rows(text))
            .or_else(|| rule(text))
            .or_else(|| no_solution(text))
            .or_else(|| unlabelled().and_then(|rest| numbers(rest.as_bytes()).and_then(several)))
            .or_else(|| unlabelled().and_then(squares))
            .or_else(|| unlabelled().and_then(rows))
            .or_else(|| ranked(text))
            .unwrap_or(Line::Prose)
    }
}

fn blank(text: &str) -> Option<Line> {
    match text {
        "" => Some(Line::Blank),
        _ if text.chars().all(|c| c == ',' || is_closing(c)) => Some(Line::Close),
        _ => None,
    }
}

/// `1 3 0 2`, `[1, 3, 0, 2]`, `2413`, `0 1 0 0`. Several numbers with leading zeros are rows of cells.
fn numbers(text: &[u8]) -> Option<Numbers> {
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

fn value(digits: &[u8]) -> u32 {
    digits.iter().fold(0_u32, |value, digit| match value.checked_mul(10) {
        Some(tens) => tens.saturating_add(u32::from(digit - b'0')),
        None => u32::MAX,
    })
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b']' | b')' | b'}' | b'\'' | b'"') || byte.is_ascii_whitespace()
}

/// Behind a label a lone number is a count or a time, unless a bracket says otherwise.
fn several(numbers: Numbers) -> Option<Line> {
    (numbers.bracketed || numbers.values.len() > 1).then_some(Line::Numbers(numbers))
}

/// `v -1 2 -3 -4 0`; also `s UNSATISFIABLE`.
fn literals(text: &str) -> Option<Line> {
    if text == "s UNSATISFIABLE" {
        return Some(Line::NoSolution);
    }
    let mut words = text.split_ascii_whitespace();
    if words.next() != Some("v") {
        return None;
    }
    words.map(|word| word.parse().ok()).collect::<Option<_>>().map(Line::Literals)
}

/// `b1 d2 a3 c4`: the letter is the column, row 1 the first.
fn squares(text: &str) -> Option<Line> {
    let words = text.split(|c: char| c.is_whitespace() || is_punctuation(c)).filter(|word| !word.is_empty());
    let squares = words.map(square).collect::<Option<Vec<_>>>()?;
    (!squares.is_empty()).then_some(Line::Squares(squares))
}

fn square(word: &str) -> Option<Square> {
    let (&letter, digits) = word.as_bytes().split_first()?;
    if !letter.is_ascii_alphabetic() || digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let column = usize::from(letter.to_ascii_lowercase() - b'a');
    let row = (value(digits) as usize).checked_sub(1)?;
    Some(Square { row, column })
}

/// `. Q . .`, `.Q..`: what [`rows`] finds as well, at a tenth of the cost.
fn plain_row(text: &[u8]) -> Option<Row> {
    let mut row = Row { width: 0, queens: Vec::new() };
    for byte in text {
        match byte {
            b'Q' => row.queens.push(row.width),
            b'.' | b'_' | b'*' | b'-' => {}
            b' ' | b'\t' | b'\r' => continue,
            _ => return None,
        }
        row.width += 1;
    }
    (!row.queens.is_empty()).then_some(row)
}

/// `. Q . .`, `.Q..`, `[.Q.., ...Q, Q..., ..Q.]`, `['.', 'Q', '.', '.']`, `|   | Q |   |   |`.
fn rows(text: &str) -> Option<Line> {
    let inner = text.trim_matches(is_bar);
    let outer_bars = inner.len() < text.len();
    let inner_bars = inner.contains(is_bar);
    let pieces: Vec<&str> = if inner_bars {
        inner.split(is_bar).collect()
    } else {
        inner.split(is_punctuation).filter(|piece| !piece.trim().is_empty()).collect()
    };
    let glyphs = |piece: &str| piece.chars().filter(|&c| !is_blank(c)).count();
    // One glyph a piece: the pieces are the cells of one row. Otherwise each piece is a row.
    let cells: Vec<Vec<char>> = if pieces.iter().all(|piece| glyphs(piece) <= 1) {
        let cell = |piece: &&str| piece.chars().find(|&c| !is_blank(c)).unwrap_or('.');
        vec![pieces.iter().map(cell).collect()]
    } else if inner_bars {
        return None;
    } else {
        pieces.iter().map(|piece| piece.chars().filter(|&c| !is_blank(c)).collect()).collect()
    };
    let style = Style::of(&cells)?;
    let uniform = cells.len() == 1 && text.chars().all(|c| c == cells[0][0]) && !style.is_queen(cells[0][0]);
    let row = |row: &Vec<char>| {
        let queens = (0..row.len()).filter(|&column| style.is_queen(row[column])).collect();
        Row { width: row.len(), queens }
    };
    let rows: Vec<Row> = cells.iter().map(row).collect();
    let framed = outer_bars || inner_bars;
    Some(Line::Rows(Rows { rows, binary: style == Style::Binary, framed, uniform }))
}

/// `8 | . Q . . |`, `8  . Q . .  8`: a row with its number before it, and perhaps behind it too.
/// Without a queen it may be anything.
fn ranked(text: &str) -> Option<Line> {
    let digit = |c: char| c.is_ascii_digit();
    let row = text.trim_start_matches(digit);
    let parted = |row: &str| row.starts_with(|c: char| c.is_whitespace() || is_bar(c));
    if row.len() == text.len() || !parted(row) {
        return None;
    }
    let cells = row.trim_end_matches(digit).trim().trim_start_matches(is_bar);
    match rows(cells)? {
        Line::Rows(found) if !found.binary && found.rows.len() == 1 => {
            let row = &found.rows[0];
            (row.width > 1 && !row.queens.is_empty() && text.contains(is_queen)).then_some(Line::Rows(found))
        }
        _ => None,
    }
}

/// Which glyphs are queens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `Q`, `♕`, `♛`; the rest is empty.
    Queens,
    /// `1`; 0 is empty.
    Binary,
    /// `*`, `X`, `#` among dots, underscores or dashes.
    Marks,
}

impl Style {
    fn of(rows: &[Vec<char>]) -> Option<Style> {
        let all = || rows.iter().flatten().copied();
        if rows.iter().any(Vec::is_empty) || rows.is_empty() {
            return None;
        }
        if all().all(|c| matches!(c, '0' | '1')) {
            return Some(Style::Binary);
        }
        if !all().all(|c| is_queen(c) || is_mark(c) || is_empty_cell(c)) {
            return None;
        }
        let marked = !all().any(is_queen) && all().any(is_mark) && all().any(is_empty_cell);
        Some(if marked { Style::Marks } else { Style::Queens })
    }

    fn is_queen(self, c: char) -> bool {
        match self {
            Style::Queens => is_queen(c),
            Style::Binary => c == '1',
            Style::Marks => is_mark(c),
        }
    }
}

fn is_queen(c: char) -> bool {
    matches!(c, 'Q' | 'q' | '♕' | '♛')
}

fn is_mark(c: char) -> bool {
    matches!(c, '*' | 'X' | 'x' | '#' | '@')
}

fn is_empty_cell(c: char) -> bool {
    matches!(c, '.' | '_' | '-' | '·' | '□' | '■' | '▢' | '░' | '▒' | '█' | '⬜' | '⬛')
}

/// Blanks, and the selector that makes a queen an emoji.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{fe0f}'
}

fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║')
}

fn is_closing(c: char) -> bool {
    matches!(c, ']' | ')' | '}')
}

fn is_punctuation(c: char) -> bool {
    is_closing(c) || matches!(c, ',' | ';' | '"' | '\'' | '[' | '(' | '{')
}

/// `=====`, `+---+---+`, `├───┼───┤`, `┌─────────┐`.
fn rule(text: &str) -> Option<Line> {
    let drawn = |c: char| {
        matches!(c, '-' | '=' | '+' | '_' | '~' | '*' | '#' | '|' | '—' | '–' | '\u{2500}'..='\u{257f}')
    };
    text.chars().all(|c| c.is_whitespace() || drawn(c)).then_some(Line::Rule)
}

fn no_solution(text: &str) -> Option<Line> {
    let text = text.to_lowercase();
    let anywhere = ["no solution", "not exist", "no valid solution", "unsatisfiable"];
    // An empty list, with a label or without: not the brackets that stand anywhere.
    let empty_list = |label: &str| label.chars().all(|c| c.is_alphanumeric() || " :=_".contains(c));
    let says = anywhere.into_iter().any(|words| text.contains(words))
        || text.starts_with("0 solutions")
        || text.strip_suffix("[]").is_some_and(empty_list);
    says.then_some(Line::NoSolution)
}

/// The text behind `Solution 1:` or before the first bracket.
fn without_label(text: &str) -> Option<&str> {
    match text.find(':') {
        Some(colon) => text.get(colon + 1..),
        None => text.find(['[', '(', '{']).and_then(|bracket| text.get(bracket..)),
    }
    .map(str::trim)
    .filter(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_way_to_a_row_finds_what_the_long_way_finds() {
        for text in [". Q . .", "*\t*\tQ\t*\r", "_Q__", "Q", "--Q-", "QQ.Q", "Q Q"] {
            let short = plain_row(text.as_bytes()).expect(text);
            let Some(Line::Rows(long)) = rows(text) else { panic!("{text}") };
            assert_eq!(long, Rows { rows: vec![short], binary: false, framed: false, uniform: false });
        }
        for text in ["", "....", ".Q..,", "hello", "|Q|"] {
            assert_eq!(plain_row(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn each_kind_of_line_is_told_by_itself() {
        let kind = |text: &str| Line::of(text.as_bytes());
        assert_eq!(kind(" \r"), Line::Blank);
        assert_eq!(kind(" ]"), Line::Close);
        assert_eq!(kind("+---+---+"), Line::Rule);
        assert_eq!(kind("Solution does not exist"), Line::NoSolution);
        assert_eq!(kind("Solutions: []"), Line::NoSolution);
        assert_eq!(kind("10 solutions"), Line::Prose);
        assert_eq!(kind("public static void main(String[]"), Line::Prose);
        assert_eq!(kind("v -1 2 0"), Line::Literals(vec![-1, 2, 0]));
        assert_eq!(kind("c2"), Line::Squares(vec![Square { row: 1, column: 2 }]));
        assert_eq!(kind("time: 5"), Line::Prose);
        for prose in ["4 x 4", "8 queens", "2 * x", "3 Q", "12"] {
            assert!(!matches!(kind(prose), Line::Rows(_)), "{prose}");
        }
        assert_eq!(kind("0.000107 time was taken(in miliseconds)"), Line::Prose);
        let huge = Numbers { values: vec![u32::MAX, 0], bracketed: false, digits: Vec::new() };
        assert_eq!(kind("99999999999 0"), Line::Numbers(huge));
    }
}
