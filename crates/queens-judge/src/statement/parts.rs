//! Splits a line into words, numbers and signs.

use super::words::{SOLUTIONS, begins_with_any};
use crate::notation::ascii_digit;

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    Number(u64),
    /// A number that cannot be a number of solutions: a fraction, a negative number, a power of ten, or a hexadecimal or very
    /// large number.
    OtherNumber,
    Word(String),
    /// `:`, `=` or an arrow.
    Link,
    /// A comma, a bracket or another sign that ends a clause.
    Stop,
}

impl Part {
    pub fn word(&self) -> Option<&str> {
        if let Self::Word(word) = self { Some(word) } else { None }
    }

    pub fn number(&self) -> Option<u64> {
        if let Self::Number(value) = self { Some(*value) } else { None }
    }
}

pub(super) fn parts(line: &str) -> Vec<Part> {
    let characters: Vec<char> = line.to_lowercase().replace('\'', "’").chars().map(ascii_digit).collect();
    let mut parts = Vec::new();
    let mut index = 0;
    let is_digit_at = |index: usize| characters.get(index).is_some_and(char::is_ascii_digit);
    while let Some(&c) = characters.get(index) {
        if c.is_ascii_digit() {
            let (part, end) = number(&characters, index);
            parts.push(part);
            // Python 2 prints long integers as `92L`, and JavaScript prints BigInt values as `92n`.
            let is_suffix = matches!(characters.get(end), Some('l' | 'n'))
                && !characters.get(end + 1).is_some_and(|c| c.is_alphanumeric());
            index = end + usize::from(is_suffix);
        } else if c.is_alphabetic() || c == '%' {
            let is_ideograph = |c: char| c >= '\u{2E80}';
            let length = characters[index..]
                .iter()
                .take_while(|&&other| {
                    (other.is_alphabetic() || other == '’' || other == '%')
                        && is_ideograph(other) == is_ideograph(c)
                })
                .count();
            let word: String = characters[index..index + length].iter().filter(|c| **c != '’').collect();
            parts.push(Part::Word(word));
            index += length;
        } else {
            let is_arrow = matches!(c, '-' | '=') && characters.get(index + 1) == Some(&'>');
            let is_minus = c == '-'
                && is_digit_at(index + 1)
                && index.checked_sub(1).is_none_or(|before| characters[before].is_whitespace());
            if is_minus {
                let (_, end) = number(&characters, index + 1);
                parts.push(Part::OtherNumber);
                index = end;
                continue;
            }
            match c {
                ':' | '=' | '→' | '：' => parts.push(Part::Link),
                _ if is_arrow => parts.push(Part::Link),
                ',' | ';' | '(' | ')' | '.' | '|' | '[' | ']' | '{' | '}' | '?' | '，' | '。' => {
                    parts.push(Part::Stop)
                }
                _ => {}
            }
            index += if is_arrow { 2 } else { 1 };
        }
    }
    parts
}

/// The number that begins at an index, which may have separators of thousands, and the index behind it.
fn number(characters: &[char], index: usize) -> (Part, usize) {
    let digit_run_len = |from: usize| {
        characters[from.min(characters.len())..].iter().take_while(|c| c.is_ascii_digit()).count()
    };
    let first_run_len = digit_run_len(index);
    let mut end = index + first_run_len;
    let mut digits: String = characters[index..end].iter().collect();
    let mut separator = None;
    while let Some(&c) = characters.get(end) {
        let is_group_of_three = digit_run_len(end + 1) == 3
            && first_run_len <= 3
            && digits != "0"
            && separator.is_none_or(|other| other == c);
        let counts_solutions = || {
            // Dots and blanks separate thousands only before a word for solutions.
            let mut end_of_groups = end;
            while characters.get(end_of_groups) == Some(&c) && digit_run_len(end_of_groups + 1) == 3 {
                end_of_groups += 4;
            }
            let text_behind: String = characters[end_of_groups.min(characters.len())..].iter().collect();
            let word =
                text_behind.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
            begins_with_any(word, SOLUTIONS)
        };
        let is_separator = matches!(c, ',' | '_' | '’')
            || matches!(c, '.' | ' ' | '\u{a0}' | '\u{202f}') && counts_solutions();
        if !(is_group_of_three && is_separator) {
            break;
        }
        separator = Some(c);
        digits.extend(&characters[end + 1..end + 4]);
        end += 4;
    }
    let is_fraction = characters.get(end) == Some(&'.') && digit_run_len(end + 1) > 0;
    let is_power =
        matches!(characters.get(end), Some('e' | 'x')) && digit_run_len(end + 1) > 0 && digits != "0";
    if is_fraction || is_power && characters[end] == 'e' || digits == "0" && characters.get(end) == Some(&'x')
    {
        end += 1;
        end += characters[end..].iter().take_while(|c| c.is_ascii_alphanumeric()).count();
        return (Part::OtherNumber, end);
    }
    (digits.parse().map_or(Part::OtherNumber, Part::Number), end)
}

/// The words of a text.
pub(super) fn words_of(text: &str) -> Vec<String> {
    parts(text).iter().filter_map(Part::word).map(str::to_owned).collect()
}

/// The fields of a line: between commas, semicolons or bars, or else between blanks.
pub(crate) fn fields(line: &str) -> Vec<String> {
    let line = line.to_lowercase();
    match [',', ';', '|', '\t'].into_iter().find(|&c| line.contains(c)) {
        Some(c) => line.trim().trim_matches('|').split(c).map(|field| field.trim().to_owned()).collect(),
        None => line.split_whitespace().map(str::to_owned).collect(),
    }
}
