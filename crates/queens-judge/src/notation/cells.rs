//! Symbols: the characters of a line in the places of a terminal, with their colours.

/// A character and its colours.
pub(super) type Symbol = u64;

/// A blank without colours, and what stands beyond the end of a line.
pub(super) const BLANK: Symbol = b' ' as Symbol;

/// A byte that is not part of a character is a symbol beyond the last character of Unicode.
const BYTE: Symbol = 0x11_0000;

/// The bits of a symbol that are its character.
const CHARACTER: Symbol = (1 << 21) - 1;

/// The number of bits of the colour of a letter. The bits above it are the colour of the ground.
const COLOUR_BITS: u32 = 20;

/// The colours that escape sequences have set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    letter: u64,
    ground: u64,
    is_inverse: bool,
}

impl Style {
    /// Applies the parameters of `ESC [ ... m`.
    fn apply(&mut self, parameters: &[u8]) {
        let mut codes = parameters.split(|&byte| byte == b';' || byte == b':').map(|code| {
            code.iter()
                .fold(0_u64, |value, byte| (value * 10 + u64::from(byte.saturating_sub(b'0'))) & 0xFFFF)
        });
        while let Some(code) = codes.next() {
            match code {
                0 => *self = Self::default(),
                7 => self.is_inverse = true,
                27 => self.is_inverse = false,
                30..=37 | 90..=97 => self.letter = code,
                39 => self.letter = 0,
                40..=47 | 100..=107 => self.ground = code - 10,
                49 => self.ground = 0,
                38 | 48 => {
                    let count = if codes.next() == Some(5) { 1 } else { 3 };
                    let colour = (0..count).fold(1, |sum, _| sum * 257 + codes.next().unwrap_or(0));
                    let colour = 1 << 19 | colour & ((1 << 19) - 1);
                    if code == 38 { self.letter = colour } else { self.ground = colour }
                }
                _ => {}
            }
        }
    }

    /// The symbol of a character in this style. The colour of a blank is only that of the ground.
    fn symbol(self, character: u64) -> Symbol {
        let (letter, ground) =
            if self.is_inverse { (self.ground, self.letter.max(1)) } else { (self.letter, self.ground) };
        let letter = if character == BLANK { 0 } else { letter };
        character | letter << 21 | ground << (21 + COLOUR_BITS)
    }
}

/// The character of a symbol, without its colours.
pub(super) fn plain(symbol: Symbol) -> Symbol {
    symbol & CHARACTER
}

/// The character of a symbol, if it is one.
pub(super) fn character(symbol: Symbol) -> Option<char> {
    u32::try_from(plain(symbol)).ok().and_then(char::from_u32)
}

/// Whether a symbol is a blank of any colour.
pub(super) fn is_blank(symbol: Symbol) -> bool {
    plain(symbol) == BLANK
}

/// Replaces `out` by the symbols of a line. Each character takes one place, combining marks take none, and a byte that is not UTF-8 is a
/// symbol. `style`: the colours at the end of the line before. `as_bytes`: whether each byte is a character, as in old code pages.
pub(super) fn symbols(text: &[u8], style: &mut Style, as_bytes: bool, out: &mut Vec<Symbol>) {
    out.clear();
    if text.is_ascii() && !text.contains(&0x1B) {
        let style = *style;
        return out.extend(text.iter().map(|&byte| style.symbol(one_blank(byte.into()))));
    }
    for chunk in text.utf8_chunks() {
        let mut valid = chunk.valid();
        while !valid.is_empty() {
            if let Some(rest) = valid.strip_prefix("\u{1b}[")
                && let Some(end) = rest.find('m')
                && rest[..end].bytes().all(|byte| matches!(byte, 0x20..=0x3F))
            {
                style.apply(&rest.as_bytes()[..end]);
                valid = &rest[end + 1..];
                continue;
            }
            let mut characters = valid.chars();
            let Some(character) = characters.next() else { break };
            let length = character.len_utf8();
            let (first, rest) = valid.split_at(length);
            valid = rest;
            if as_bytes && length > 1 {
                out.extend(first.bytes().map(|byte| style.symbol(BYTE | u64::from(byte))));
            } else if !is_combining(character) {
                out.push(style.symbol(one_blank(u64::from(u32::from(character)))));
            }
        }
        out.extend(chunk.invalid().iter().map(|&byte| style.symbol(BYTE | u64::from(byte))));
    }
}

/// Replaces blanks of other widths by the usual one. A tab is not a blank.
fn one_blank(character: u64) -> u64 {
    match character {
        0x00A0 | 0x2000..=0x200A | 0x202F | 0x3000 | 0x0C => BLANK,
        character => character,
    }
}

fn is_combining(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{200B}'..='\u{200F}' | '\u{20E3}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &[u8]) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        super::symbols(text, &mut Style::default(), false, &mut symbols);
        symbols
    }

    #[test]
    fn each_character_is_one_symbol() {
        assert_eq!(of("♛\u{fe0f}a\u{301}后".as_bytes()).len(), 3);
        assert_eq!(of(b"\xba \xcd").len(), 3);
        assert_ne!(of(b"\xba"), of("º".as_bytes()));
        assert_eq!(of("\u{a0}".as_bytes()), [BLANK]);
    }

    #[test]
    fn colours_make_other_symbols() {
        let [red, none] = of(b"\x1b[31mQ\x1b[0mQ")[..] else { panic!("two symbols") };
        assert!(red != none && plain(red) == plain(none) && character(red) == Some('Q'));
        assert_eq!(of(b"\x1b[31m \x1b[0m "), [BLANK, BLANK], "a blank has no colour");
        let grounds =
            [&b"\x1b[41m "[..], b"\x1b[101m ", b"\x1b[48;5;1m ", b"\x1b[48;2;255;0;0m ", b"\x1b[7m ", b" "];
        let mut different: Vec<Symbol> = grounds.iter().map(|text| of(text)[0]).collect();
        assert!(different.iter().all(|&symbol| is_blank(symbol)));
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), grounds.len());
    }

    #[test]
    fn style_lasts_beyond_the_end_of_a_line() {
        let (mut style, mut out) = (Style::default(), Vec::new());
        symbols(b"\x1b[31m", &mut style, false, &mut out);
        symbols(b"Q", &mut style, false, &mut out);
        assert_eq!(out, of(b"\x1b[31mQ"));
    }
}
