//! Makes untrusted text safe to show: it must not move the cursor, hide a line, or reverse the text that a
//! person reads.

use std::fmt::{self, Display, Write as _};
use std::io;

/// Displays its content on one line: control characters, line feeds, invisible characters and characters that
/// change the direction of text appear as escapes such as `\n` or `\u{1b}`. Quotes and backslashes stay as
/// they are.
pub struct Escaped<T>(pub T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Filter { out: f, kept: &[] }, "{}", self.0)
    }
}

/// Whether a text is shown by [`Escaped`] as it is: it is one line without invisible characters.
pub fn is_plain(text: &str) -> bool {
    Escaped(text).to_string() == text
}

/// Whether a character is one that [`Escaped`] does not show as it is.
pub fn is_invisible(c: char) -> bool {
    c.is_control() || !c.is_ascii() && !is_plain(&format!("a{c}"))
}

/// A JSON text in which strings have escapes such as `\u202e` for all characters that a terminal may obey; serde_json
/// writes some of them as they are.
pub fn json(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\u{7f}' || !c.is_ascii() && is_invisible(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| escaped += &format!("\\u{unit:04x}"));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Like [`Escaped`], but for text of several lines: line feeds and tabs stay as they are.
pub struct EscapedLines<T>(pub T);

impl<T: Display> Display for EscapedLines<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Filter { out: f, kept: &['\n', '\t'] }, "{}", self.0)
    }
}

struct Filter<'a, W> {
    out: &'a mut W,
    kept: &'static [char],
}

impl<W: fmt::Write> fmt::Write for Filter<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // `escape_debug` escapes everything that is not printable, but these as well.
        let kept = |c: char| matches!(c, '\'' | '"' | '\\') || self.kept.contains(&c);
        let mut rest = text;
        while let Some(at) = rest.find(kept) {
            let (before, after) = rest.split_at(at);
            write!(self.out, "{}", before.escape_debug())?;
            let length = after.chars().next().map_or(0, char::len_utf8);
            self.out.write_str(&after[..length])?;
            rest = &after[length..];
        }
        write!(self.out, "{}", rest.escape_debug())
    }
}

/// Writes text of several lines to a terminal, a pipe or a file, escaped as by [`EscapedLines`]. Bytes that
/// are not UTF-8 become U+FFFD.
pub struct EscapingWriter<W>(pub W);

impl<W: io::Write> io::Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A character may arrive in two pieces: its first bytes are left for the next call.
        let complete = match std::str::from_utf8(bytes) {
            Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => error.valid_up_to(),
            _ => bytes.len(),
        };
        write!(self.0, "{}", EscapedLines(String::from_utf8_lossy(&bytes[..complete])))?;
        Ok(complete)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn control_characters_are_shown_escaped() {
        let hostile = "a\u{1b}[2J\u{9b}1m\u{7f}\r\u{202e}b\u{2066}\u{200b}\u{feff}\u{0}\n\tc";
        assert_eq!(
            Escaped(hostile).to_string(),
            "a\\u{1b}[2J\\u{9b}1m\\u{7f}\\r\\u{202e}b\\u{2066}\\u{200b}\\u{feff}\\0\\n\\tc"
        );
        let lines = EscapedLines(hostile).to_string();
        assert!(lines.ends_with("\\0\n\tc"), "{lines}");
        assert!(!lines.chars().any(|c| c.is_control() && !"\n\t".contains(c)), "{lines}");
    }

    #[test]
    fn json_without_control_characters_means_the_same() {
        let hostile = "a\u{1b}[2J\u{9b}1m\u{7f}\r\u{202e}b\u{2066}\u{e0001}\n\tc 皇后 ♛";
        let written = serde_json::json!({ hostile: hostile });
        let text = json(&format!("{written:#}"));
        assert!(text.chars().all(|c| c == '\n' || is_plain(&c.to_string())), "{text}");
        assert!(text.contains("皇后 ♛") && text.contains("\\u202e"), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), written);
    }

    #[test]
    fn ordinary_text_is_unchanged() {
        for text in ["", "it's \"C:\\new\"", "naïve e\u{301} 皇后 ♛", "\\", "''", "a'b"] {
            assert_eq!(Escaped(text).to_string(), text);
        }
        assert_eq!(EscapedLines("a\nb\t\n\nc").to_string(), "a\nb\t\n\nc");
    }

    #[test]
    fn a_writer_escapes_and_takes_characters_in_pieces() {
        let mut out = EscapingWriter(Vec::new());
        let queen = '♛';
        writeln!(out, "{queen}\u{1b}x").expect("a vector");
        let queen = "a♛".as_bytes();
        let taken = out.write(&queen[..2]).expect("a vector");
        assert_eq!(taken, 1);
        out.write_all(&queen[taken..]).expect("a vector");
        out.write_all(b"\xff\x1b").expect("a vector");
        assert_eq!(String::from_utf8_lossy(&out.0), "♛\\u{1b}x\na♛\u{fffd}\\u{1b}");
    }
}
