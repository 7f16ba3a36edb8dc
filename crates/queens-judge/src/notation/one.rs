//! Reads boards of one square. Any symbol may be the queen, so the boards are the lines that show a square most clearly.

use super::lines::Line;
use super::sequences::{Piece, split};
use crate::statement;

/// How a line shows the board of one square, from the clearest to the least clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Clarity {
    /// One symbol, with or without a frame.
    Symbol,
    /// A list or pair of zeros and ones.
    List,
    /// Names and positions: `q1 = 1`.
    Positions,
    /// One symbol twice, or one word that names the queen.
    Word,
    /// A number behind a heading.
    Number,
}

/// The text of a line without colours. In an old code page, each byte is a character, and those between 0xB3 and 0xDA are frames.
fn text(line: &[u8]) -> String {
    if std::str::from_utf8(line).is_ok() {
        return plaintext::decode(line).into_owned();
    }
    let character = |&byte: &u8| match byte {
        0xB3..=0xDA => ' ',
        byte => char::from(byte),
    };
    plaintext::decode(line.iter().map(character).collect::<String>().as_bytes()).into_owned()
}

/// Whether a character may be a part of the frame of a square.
fn is_frame(c: char) -> bool {
    c.is_whitespace() || "|+-=[](){}'\",.:;".contains(c) || matches!(c, '\u{2500}'..='\u{257F}')
}

/// How clearly a text shows the board of one square; `None` if it does not show one.
fn clarity(text: &str) -> Option<Clarity> {
    let mut core = text.trim_matches(is_frame);
    // The border may consist of stars.
    if let Some(inner) = core.strip_prefix('*').and_then(|inner| inner.strip_suffix('*')) {
        core = inner.trim_matches(|c| c == '*' || is_frame(c));
    }
    let symbols: Vec<char> = core.chars().filter(|c| !matches!(c, '\u{FE0F}' | '\u{200D}')).take(3).collect();
    match symbols[..] {
        [] => return None,
        [c] if !c.is_ascii_digit() => return Some(Clarity::Symbol),
        [first, second] if first == second && !first.is_ascii_digit() => return Some(Clarity::Word),
        _ if core.eq_ignore_ascii_case("queen") => return Some(Clarity::Word),
        _ if statement::is_failure(text) => return None,
        _ => {}
    }
    let label_ends = [text.find([':', '：', '>', '=']), text.find(" - ")];
    let is_label = |&end: &usize| statement::is_about_solutions(&text[..end]);
    let label_end = label_ends.into_iter().flatten().min().filter(is_label);
    let has_digit = |text: &&str| text.contains(|c: char| c.is_ascii_digit());
    let text = label_end.map(|end| &text[end..]).filter(has_digit).unwrap_or(text);
    if has_zeros_and_ones(text, true, 1) {
        return Some(Clarity::List);
    }
    let is_positions = has_zeros_and_ones(text, false, 2) && !statement::is_about_solutions(text);
    is_positions.then_some(Clarity::Positions)
}

/// Whether a list or line consists of zeros and ones, and has between `min` and three of them.
fn has_zeros_and_ones(text: &str, is_list: bool, min: usize) -> bool {
    split(text.as_bytes(), is_list, 1).iter().filter_map(Piece::sequence).any(|sequence| {
        (min..=3).contains(&sequence.numbers.len())
            && sequence.numbers.iter().all(|number| matches!(number.value, 0 | 1))
    })
}

/// The numbers of the lines that are boards of one square. `is_given`: whether the notation is given. Then each line with a
/// symbol is a board.
pub(super) fn boards(lines: &[Line], is_given: bool) -> Vec<u64> {
    if is_given {
        let has_symbol = |line: &&Line| !text(&line.text).trim_matches(is_frame).is_empty();
        return lines.iter().filter(has_symbol).map(|line| line.number).collect();
    }
    let mut boards: Vec<(Clarity, u64)> = Vec::new();
    // A list may extend over several lines.
    let (mut list, mut first_line) = (String::new(), 0);
    let mut is_behind_heading = false;
    for line in lines {
        let text = text(&line.text);
        if is_behind_heading && matches!(text.trim(), "0" | "1") {
            boards.push((Clarity::Number, line.number));
        }
        is_behind_heading = text.trim().ends_with(':') || is_behind_heading && text.trim().is_empty();
        if list.is_empty() {
            first_line = line.number;
        }
        list += &(text + " ");
        let count = |signs: &str| list.matches(|c| signs.contains(c)).count();
        if count("[({") <= count("])}") || list.len() >= 200 {
            boards.extend(clarity(&list).map(|clarity| (clarity, first_line)));
            list.clear();
        }
    }
    boards.extend(clarity(&list).map(|clarity| (clarity, first_line)));
    let best = boards.iter().map(|(clarity, _)| *clarity).min();
    boards.iter().filter(|(clarity, _)| Some(*clarity) == best).map(|(_, line)| *line).collect()
}
