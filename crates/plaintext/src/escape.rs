//! Escaping of text for output: one line, several lines, JSON, spreadsheet cells, LaTeX.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};
use std::io;
use std::path::Path;

/// Displays its content on one line. Control characters, line feeds, invisible characters and characters that change the direction of text
/// are displayed as escapes such as `\n` or `\u{1b}`. Quotes and backslashes are not escaped, so that escaping twice is the same as escaping
/// once.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<T>(pub T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(CharacterEscaper { out: f, unescaped: &[] }, "{}", self.0)
    }
}

/// Escapes a text for one line, as [`Escaped`] does.
pub fn one_line(text: &str) -> Cow<'_, str> {
    match is_plain(text) {
        true => text.into(),
        false => Escaped(text).to_string().into(),
    }
}

/// Displays a path on one line. Bytes that are not UTF-8 become U+FFFD.
#[expect(clippy::disallowed_methods, reason = "the one place that displays paths")]
pub fn path<P: AsRef<Path> + ?Sized>(path: &P) -> Escaped<std::path::Display<'_>> {
    Escaped(path.as_ref().display())
}

/// Whether [`Escaped`] does not change a text: the text is one line without invisible characters.
pub fn is_plain(text: &str) -> bool {
    text.chars().all(is_printable)
}

/// Whether [`Escaped`] does not change a character.
pub fn is_printable(c: char) -> bool {
    match c {
        ' '..='~' => true,
        _ if c.is_ascii() => false,
        // These characters are letters, marks or symbols according to their Unicode category, but they are invisible.
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' => false,
        '\u{2800}' | '\u{3164}' | '\u{ffa0}' | '\u{1d159}' => false,
        _ => {
            // `str::escape_debug` escapes unprintable characters anywhere, but combining marks only at the beginning of a text. The character is
            // therefore tested after an `a`.
            let mut bytes = [b'a', 0, 0, 0, 0];
            let length = 1 + c.encode_utf8(&mut bytes[1..]).len();
            str::from_utf8(&bytes[..length]).is_ok_and(|text| text.escape_debug().count() == 2)
        }
    }
}

/// Escapes all characters in a JSON text that a terminal may interpret, for example U+202E as `\u202e`. serde_json does not escape
/// all of them.
pub fn json(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\u{7f}' || !c.is_ascii() && !is_printable(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| escaped += &format!("\\u{unit:04x}"));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Escapes a text for a cell of a table that may be opened in a spreadsheet: a text that the spreadsheet would interpret as a formula
/// gets an apostrophe as prefix. Numbers are not changed.
pub fn cell(text: &str) -> Cow<'_, str> {
    let text = one_line(text);
    let is_formula =
        text.trim_start().starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    if is_formula && text.parse::<f64>().is_err() { format!("'{text}").into() } else { text }
}

/// Escapes a text so that LaTeX typesets it unchanged, apart from characters that [`one_line`] escapes. No character starts a command,
/// not even at the beginning of a table row, and no two characters become a dash or a quotation mark. Characters outside ASCII are typeset
/// only if the engine and its fonts support them.
pub fn latex(text: &str) -> String {
    let mut escaped = String::new();
    let text = one_line(text);
    // After `\\`, LaTeX would interpret a star or a bracket as an argument of `\\`.
    if text.trim_start().starts_with(['[', '*']) {
        escaped += "{}";
    }
    let mut previous = None;
    for c in text.chars() {
        match c {
            // LaTeX would replace two of these characters by a dash or a quotation mark.
            '-' | ',' if previous == Some(c) => escaped.extend(['{', '}', c]),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '\\' => escaped += "\\textbackslash{}",
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            '<' => escaped += "\\textless{}",
            '>' => escaped += "\\textgreater{}",
            '|' => escaped += "\\textbar{}",
            '`' => escaped += "\\textasciigrave{}",
            '\'' => escaped += "\\textquotesingle{}",
            // OT1, the default encoding of LaTeX, has no \textquotedbl, but the typewriter font has the character.
            '"' => escaped += "\\texttt{\\symbol{34}}",
            'µ' => escaped += "\\textmu{}",
            '†' => escaped += "\\textdagger{}",
            '·' => escaped += "\\textperiodcentered{}",
            c => escaped.push(c),
        }
        previous = Some(c);
    }
    escaped
}

/// Like [`Escaped`], but for text of several lines: line feeds and tabs are not escaped.
#[derive(Clone, Copy, Debug)]
pub struct EscapedLines<T>(pub T);

impl<T: Display> Display for EscapedLines<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(CharacterEscaper { out: f, unescaped: &['\n', '\t'] }, "{}", self.0)
    }
}

/// A writer that escapes unprintable characters.
struct CharacterEscaper<'a, W> {
    out: &'a mut W,
    /// The unprintable characters that are not escaped.
    unescaped: &'static [char],
}

impl<W: fmt::Write> fmt::Write for CharacterEscaper<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut remaining = text;
        while let Some((index, c)) =
            remaining.char_indices().find(|&(_, c)| !is_printable(c) && !self.unescaped.contains(&c))
        {
            self.out.write_str(&remaining[..index])?;
            match c.is_ascii() {
                true => write!(self.out, "{}", c.escape_debug())?,
                false => write!(self.out, "{}", c.escape_unicode())?,
            }
            remaining = &remaining[index + c.len_utf8()..];
        }
        self.out.write_str(remaining)
    }
}

/// A writer that escapes text of several lines as [`EscapedLines`] does. Bytes that are not UTF-8 become U+FFFD.
#[derive(Debug)]
pub struct EscapingWriter<W>(pub W);

impl<W: io::Write> io::Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // If the last character is incomplete, its first bytes are not consumed, and the caller passes them again.
        let complete_len = match str::from_utf8(bytes) {
            Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => error.valid_up_to(),
            _ => bytes.len(),
        };
        write!(self.0, "{}", EscapedLines(String::from_utf8_lossy(&bytes[..complete_len])))?;
        Ok(complete_len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write as _;

    #[test]
    fn text_never_starts_a_latex_command() {
        for (text, expected) in [
            ("[2em]", "{}[2em]"),
            (" *x", "{} *x"),
            ("a*[b]", "a*[b]"),
            (
                "`a' \"b\"",
                "\\textasciigrave{}a\\textquotesingle{} \\texttt{\\symbol{34}}b\\texttt{\\symbol{34}}",
            ),
            ("--h---i,,", "-{}-h-{}-{}-i,{},"),
            ("!`?`", "!\\textasciigrave{}?\\textasciigrave{}"),
        ] {
            assert_eq!(latex(text), expected);
        }
    }

    #[test]
    fn control_and_invisible_characters_are_escaped() {
        let unsafe_text = "a\u{1b}[2J\u{9b}1m\u{7f}\r\u{202e}b\u{2066}\u{200b}\u{feff}\u{0}\n\tc";
        assert_eq!(
            Escaped(unsafe_text).to_string(),
            "a\\u{1b}[2J\\u{9b}1m\\u{7f}\\r\\u{202e}b\\u{2066}\\u{200b}\\u{feff}\\0\\n\\tc"
        );
        let lines = EscapedLines(unsafe_text).to_string();
        assert!(lines.ends_with("\\0\n\tc"), "{lines}");
        let invisible_characters =
            "\u{b}\u{c}\u{85}\u{2028}\u{2029}\u{61c}\u{ad}\u{a0}\u{3164}\u{e0001}\u{fffe}\u{10ffff}";
        for c in invisible_characters.chars() {
            let escaped = Escaped(c).to_string();
            assert!(escaped.starts_with("\\u{") && escaped.is_ascii(), "{escaped}");
        }
    }

    #[test]
    fn escaped_json_parses_to_the_same_value() {
        let unsafe_text = "a\u{1b}[2J\u{9b}1m\u{7f}\r\u{202e}b\u{2066}\u{e0001}\n\tc 皇后 ♛";
        let value = serde_json::json!({ unsafe_text: unsafe_text });
        let text = json(&format!("{value:#}"));
        assert!(text.chars().all(|c| c == '\n' || is_printable(c)), "{text}");
        assert!(text.contains("皇后 ♛") && text.contains("\\u202e"), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), value);
    }

    #[test]
    fn ordinary_text_is_unchanged() {
        for text in ["", "it's \"C:\\new\"", "naïve e\u{301} 皇后 ♛ ♛\u{fe0f}", "\\", "''", "a'b", "שלום"]
        {
            assert_eq!(Escaped(text).to_string(), text);
        }
        assert_eq!(EscapedLines("a\nb\t\n\nc").to_string(), "a\nb\t\n\nc");
    }

    #[test]
    fn spreadsheet_cell_never_begins_a_formula() {
        for formula in ["=1+1", "+1+1", "-1+cmd|'/c calc'!A0", "@SUM(A1)", " =1", "\u{ff1d}1+1", "=\t1"] {
            let escaped = cell(formula);
            assert_eq!(escaped, format!("'{}", one_line(formula)));
            assert_eq!(cell(&escaped), escaped);
        }
        for text in ["", "a=1", "-1", "+1.5e3", "1-2", "'=1", "a@b"] {
            assert_eq!(cell(text), text);
        }
    }

    proptest! {
        #[test]
        fn escaping_an_escaped_text_changes_nothing(text in any::<String>()) {
            let escaped = Escaped(&text).to_string();
            prop_assert!(is_plain(&escaped) && escaped.chars().all(|c| !c.is_control()));
            prop_assert_eq!(Escaped(&escaped).to_string(), escaped.clone());
            prop_assert_eq!(is_plain(&text), escaped == text);
        }
    }

    #[test]
    fn escaping_writer_accepts_characters_split_between_writes() {
        let mut writer = EscapingWriter(Vec::new());
        let queen = '♛';
        writeln!(writer, "{queen}\u{1b}x").expect("a vector");
        let queen = "a♛".as_bytes();
        let consumed = writer.write(&queen[..2]).expect("a vector");
        assert_eq!(consumed, 1);
        writer.write_all(&queen[consumed..]).expect("a vector");
        writer.write_all(b"\xff\x1b").expect("a vector");
        assert_eq!(String::from_utf8_lossy(&writer.0), "♛\\u{1b}x\na♛\u{fffd}\\u{1b}");
    }
}
