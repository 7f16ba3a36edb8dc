//! The board of one square. Any symbol may be its queen, so the line that is least like a sentence is taken.

use super::alone;
use super::lines::Line;
use crate::statement;

/// How a line shows the board of one square, the clearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Clarity {
    /// One symbol, perhaps framed.
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

/// Signs that frame a square.
fn is_frame(c: char) -> bool {
    c.is_whitespace() || "|+-=[](){}'\",.:;".contains(c) || matches!(c, '\u{2500}'..='\u{257F}' | '\u{FFFD}')
}

fn clarity(line: &Line) -> Option<Clarity> {
    let text = String::from_utf8_lossy(&line.text);
    let mut core = text.trim_matches(is_frame);
    // A border of stars.
    if let Some(inner) = core.strip_prefix('*').and_then(|inner| inner.strip_suffix('*')) {
        core = inner.trim_matches(is_frame);
        if core.chars().all(|c| c == '*') {
            return None;
        }
    }
    let mut characters = core.chars().filter(|c| !matches!(c, '\u{FE0F}' | '\u{200D}'));
    let symbols: Vec<char> = characters.by_ref().take(6).collect();
    match symbols[..] {
        [] => return None,
        [c] if !c.is_ascii_digit() => return Some(Clarity::Symbol),
        [one, other] if one == other && !one.is_ascii_digit() => return Some(Clarity::Word),
        _ => {}
    }
    // Behind the label.
    let ends = [text.find([':', '：', '>', '=']), text.find(" - ")];
    let end = ends.into_iter().flatten().min().filter(|&end| statement::is_about_solutions(&text[..end]));
    let behind = end.map_or(&text[..], |end| &text[end..]);
    let behind = if behind.contains(|c: char| c.is_ascii_digit()) { behind } else { &text };
    if statement::is_failure(&text) {
        return None;
    }
    if let Some(is_list) = alone::is_one_square(behind.as_bytes()) {
        return Some(if is_list { Clarity::List } else { Clarity::Positions });
    }
    (core.eq_ignore_ascii_case("queen")).then_some(Clarity::Word)
}

/// The lines that are boards of one square. `is_given`: each line with a symbol in a frame is one.
pub(super) fn boards(lines: &[Line], is_given: bool) -> Vec<u64> {
    if is_given {
        let has_symbol = |line: &&Line| !plaintext::decode(&line.text).trim_matches(is_frame).is_empty();
        return lines.iter().filter(has_symbol).map(|line| line.number).collect();
    }
    let mut numbers: Vec<(Clarity, u64)> = Vec::new();
    // A list may go on for several lines.
    let mut list = Line::default();
    let mut is_behind_heading = false;
    for line in lines {
        let text = line.text.trim_ascii();
        if is_behind_heading && matches!(text, b"0" | b"1") {
            numbers.push((Clarity::Number, line.number));
        }
        is_behind_heading = text.ends_with(b":") || is_behind_heading && text.is_empty();
        let opens = |text: &[u8], signs: &[u8]| text.iter().filter(|byte| signs.contains(byte)).count();
        if list.text.is_empty() {
            list.number = line.number;
        }
        // Without the brackets of colours.
        list.text.extend_from_slice(self::text(&line.text).as_bytes());
        list.text.push(b' ');
        if opens(&list.text, b"[({") > opens(&list.text, b"])}") && list.text.len() < 200 {
            continue;
        }
        numbers.extend(clarity(&list).map(|clarity| (clarity, list.number)));
        list.text.clear();
    }
    numbers.extend(clarity(&list).map(|clarity| (clarity, list.number)));
    let best = numbers.iter().map(|(clarity, _)| *clarity).min();
    numbers.iter().filter(|(clarity, _)| Some(*clarity) == best).map(|(_, line)| *line).collect()
}
