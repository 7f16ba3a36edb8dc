//! Symbols: the characters of a line with their colours, one for each place on a terminal.

/// A character and its colours.
pub(super) type Symbol = u64;

/// A blank without colours. Places beyond the end of a line are also blanks.
pub(super) const BLANK: Symbol = b' ' as Symbol;

/// The first symbol beyond the characters of Unicode. This symbol plus a byte stands for a byte that is not a character.
const BYTE: Symbol = 0x11_0000;

/// The bits of a symbol that are its character.
const CHARACTER: Symbol = (1 << 21) - 1;

/// The number of bits of the foreground colour. The bits above are the background colour.
const COLOUR_BITS: u32 = 20;

/// The colours that escape sequences have set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    foreground: u64,
    background: u64,
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
                30..=37 | 90..=97 => self.foreground = code,
                39 => self.foreground = 0,
                40..=47 | 100..=107 => self.background = code - 10,
                49 => self.background = 0,
                38 | 48 => {
                    let count = if codes.next() == Some(5) { 1 } else { 3 };
                    let colour = (0..count).fold(1, |sum, _| sum * 257 + codes.next().unwrap_or(0));
                    let colour = 1 << 19 | colour & ((1 << 19) - 1);
                    if code == 38 { self.foreground = colour } else { self.background = colour }
                }
                _ => {}
            }
        }
    }

    /// The symbol of a character in this style. A blank has only a background colour.
    fn symbol(self, character: u64) -> Symbol {
        let (foreground, background) = if self.is_inverse {
            (self.background, self.foreground.max(1))
        } else {
            (self.foreground, self.background)
        };
        let foreground = if character == BLANK { 0 } else { foreground };
        character | foreground << 21 | background << (21 + COLOUR_BITS)
    }
}

/// The character of a symbol, without its colours.
pub(super) fn without_colours(symbol: Symbol) -> Symbol {
    symbol & CHARACTER
}

/// The character of a symbol, if it is one.
pub(super) fn character(symbol: Symbol) -> Option<char> {
    u32::try_from(without_colours(symbol)).ok().and_then(char::from_u32)
}

/// Whether a symbol is a blank of any colour.
pub(super) fn is_blank(symbol: Symbol) -> bool {
    without_colours(symbol) == BLANK
}

/// Replaces the content of `out` with the symbols of a line. Each character is one symbol, a combining mark is none, and each
/// byte that is not UTF-8 is one. `style`: the colours at the end of the previous line. `as_bytes`: whether each byte of a
/// character that is not ASCII is one symbol, as in old code pages.
pub(super) fn symbols(text: &[u8], style: &mut Style, as_bytes: bool, out: &mut Vec<Symbol>) {
    out.clear();
    if text.is_ascii() && !text.contains(&0x1B) {
        let style = *style;
        return out.extend(text.iter().map(|&byte| style.symbol(with_ascii_blank(byte.into()))));
    }
    for chunk in text.utf8_chunks() {
        let mut valid = chunk.valid();
        while !valid.is_empty() {
            if let Some(parameters) = valid.strip_prefix("\u{1b}[")
                && let Some(end) = parameters.find('m')
                && parameters[..end].bytes().all(|byte| matches!(byte, 0x20..=0x3F))
            {
                style.apply(&parameters.as_bytes()[..end]);
                valid = &parameters[end + 1..];
                continue;
            }
            let mut characters = valid.chars();
            let Some(character) = characters.next() else { break };
            let length = character.len_utf8();
            let (first, text_behind) = valid.split_at(length);
            valid = text_behind;
            if as_bytes && length > 1 {
                out.extend(first.bytes().map(|byte| style.symbol(BYTE | u64::from(byte))));
            } else if !is_combining(character) {
                out.push(style.symbol(with_ascii_blank(u64::from(u32::from(character)))));
            }
        }
        out.extend(chunk.invalid().iter().map(|&byte| style.symbol(BYTE | u64::from(byte))));
    }
}

/// Replaces a blank of another width, or a form feed, with the ASCII blank. A tab is not a blank.
fn with_ascii_blank(character: u64) -> u64 {
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

    fn symbols_of(text: &[u8]) -> Vec<Symbol> {
        let mut out = Vec::new();
        symbols(text, &mut Style::default(), false, &mut out);
        out
    }

    #[test]
    fn each_character_is_one_symbol() {
        assert_eq!(symbols_of("♛\u{fe0f}a\u{301}后".as_bytes()).len(), 3);
        assert_eq!(symbols_of(b"\xba \xcd").len(), 3);
        assert_ne!(symbols_of(b"\xba"), symbols_of("º".as_bytes()));
        assert_eq!(symbols_of("\u{a0}".as_bytes()), [BLANK]);
    }

    #[test]
    fn same_character_in_other_colour_differs() {
        let [red, colourless] = symbols_of(b"\x1b[31mQ\x1b[0mQ")[..] else { panic!("two symbols") };
        assert!(
            red != colourless
                && without_colours(red) == without_colours(colourless)
                && character(red) == Some('Q')
        );
        assert_eq!(symbols_of(b"\x1b[31m \x1b[0m "), [BLANK, BLANK], "a blank has no foreground colour");
        let backgrounds =
            [&b"\x1b[41m "[..], b"\x1b[101m ", b"\x1b[48;5;1m ", b"\x1b[48;2;255;0;0m ", b"\x1b[7m ", b" "];
        let mut blanks: Vec<Symbol> = backgrounds.iter().map(|text| symbols_of(text)[0]).collect();
        assert!(blanks.iter().all(|&symbol| is_blank(symbol)));
        blanks.sort_unstable();
        blanks.dedup();
        assert_eq!(blanks.len(), backgrounds.len());
    }

    #[test]
    fn colour_continues_on_the_next_line() {
        let (mut style, mut out) = (Style::default(), Vec::new());
        symbols(b"\x1b[31m", &mut style, false, &mut out);
        symbols(b"Q", &mut style, false, &mut out);
        assert_eq!(out, symbols_of(b"\x1b[31mQ"));
    }
}
