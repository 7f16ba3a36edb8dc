//! Lines of numbers: `1 3 0 2`, `[1, 3, 0, 2]`, `2413`, `0 1 0 0`, `1 -> 3 -> 0 -> 2`.

use super::{NO_VALUE, is_number, is_opening, stands_for_a_number, value, words};

/// Numbers separated by blanks, commas, brackets or arrows.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(in crate::board::notation) struct Numbers {
    /// Their values; [`NO_VALUE`] for a word that is not a number, or for a number that is too large.
    pub values: Vec<u32>,
    /// Whether a bracket opens before them.
    pub bracketed: bool,
    /// The digits of a lone number.
    pub digits: Vec<u8>,
}

/// Reads a line of only numbers and separators. Several numbers with leading zeros are rows of cells.
pub(super) fn plain(text: &[u8]) -> Option<Numbers> {
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

/// `1 -> 3 -> 0 -> 2`.
pub(super) fn chain(text: &str) -> Option<Numbers> {
    let unchained = text.replace("->", " ").replace("=>", " ").replace('→', " ");
    (unchained != text).then(|| plain(unchained.as_bytes())).flatten().filter(|chain| chain.values.len() > 2)
}

/// Reads chains, and text that resembles a board: `[1, 3, None, 2]`, `-1 3 0 2`. In square brackets any word
/// may be in the place of a number, if there are `n` of them in all.
pub(super) fn listed(text: &str, n: usize) -> Option<Numbers> {
    if let Some(chain) = chain(text) {
        return Some(chain);
    }
    let any_word = text.starts_with('[') && words(text).count() == n;
    let mut numbers = Numbers { bracketed: text.starts_with(is_opening), ..Numbers::default() };
    let mut strange = 0;
    for word in words(text) {
        if is_number(word) {
            numbers.values.push(value(word.as_bytes()));
        } else if any_word || stands_for_a_number(word) {
            numbers.values.push(NO_VALUE);
            strange += 1;
        } else {
            return None;
        }
    }
    (numbers.values.len() >= (2 * strange).max(strange + 2)).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_among_numbers_keep_their_place() {
        let values = |text: &str| listed(text, 4).map(|numbers| numbers.values);
        assert_eq!(values("[-1, 3, 0, 2]"), Some(vec![NO_VALUE, 3, 0, 2]));
        assert_eq!(values("1 3 None 2"), Some(vec![1, 3, NO_VALUE, 2]));
        assert_eq!(values("[1, 3, x, 2]"), Some(vec![1, 3, NO_VALUE, 2]));
        for prose in ["1 3 x 2", "[main] 3", "(4 x 4)", "2024-01-01 12 30", "1.5 2.5 3.5 0", "3 ms 4"] {
            assert_eq!(values(prose), None, "{prose}");
        }
        assert_eq!(plain(b"99999999999 0").expect("numbers").values, [NO_VALUE, 0]);
    }
}
