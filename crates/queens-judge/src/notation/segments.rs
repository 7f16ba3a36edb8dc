//! Splits the input into segments of limited length, which are then classified.
//!
//! A segment ends at the end of its line, and after each closing bracket, so a list of a million boards on
//! one line needs only the memory of one board. A line that ends in a comma inside an open bracket, or in an
//! open bracket, continues on the next line, as pretty-printers write it. The encoding, line ends and colours of
//! the input do not matter: it is read through a [`Decoder`].

use std::io::BufRead;

use plaintext::Decoder;

use super::ReadError;

/// How much of the beginning of the text is kept: a little more than may state a number of solutions.
pub(super) const HEAD: usize = 64 << 10;

/// Splits its input into segments.
#[derive(Debug)]
pub(super) struct Segments<R> {
    input: Decoder<R>,
    limit: usize,
    next_line: u64,
    inside_line: bool,
    /// The text of the latest segment, with its brackets and without its line feed.
    pub text: Vec<u8>,
    /// The beginning of the input.
    pub head: Vec<u8>,
}

/// Properties of the segment whose text is in [`Segments`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// The line on which it begins, from 1.
    pub line: u64,
    /// Whether the text ends in it, before a line feed or a bracket.
    pub open: bool,
}

impl<R: BufRead> Segments<R> {
    /// Creates segments of at most `limit` bytes; a longer one is an error.
    pub fn new(input: R, limit: usize) -> Self {
        Self {
            input: Decoder::new(input),
            limit,
            next_line: 1,
            inside_line: false,
            text: Vec::new(),
            head: Vec::new(),
        }
    }

    /// Reads the next segment; `None` at the end of the input. Blanks between a bracket and the end of its
    /// line are not a segment.
    pub fn advance(&mut self) -> Result<Option<Segment>, ReadError> {
        loop {
            let behind_bracket = self.inside_line;
            let segment = self.take()?;
            let rest = self.text.iter().all(|&byte| byte == b',' || byte.is_ascii_whitespace());
            if segment.is_none() || !(behind_bracket && rest) {
                return Ok(segment);
            }
        }
    }

    fn take(&mut self) -> Result<Option<Segment>, ReadError> {
        self.text.clear();
        let mut went_on = 0;
        let mut segment = Segment { line: self.next_line, open: true };
        let mut empty = true;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok([]) => break,
                Ok(chunk) => chunk,
                Err(error) => return Err(ReadError::Io(error)),
            };
            empty = false;
            let end = chunk.iter().position(|byte| matches!(byte, b'\n' | b']' | b')' | b'}'));
            let piece = &chunk[..end.map_or(chunk.len(), |end| end + 1)];
            if self.text.len() + piece.len() > self.limit {
                return Err(ReadError::TooLong { line: segment.line, limit: self.limit });
            }
            self.text.extend_from_slice(piece);
            if self.head.len() <= HEAD {
                self.head.extend_from_slice(piece);
            }
            let (taken, last) = (piece.len(), end.map(|end| chunk[end]));
            self.input.consume(taken);
            segment.open = last.is_none();
            self.inside_line = last != Some(b'\n');
            if last == Some(b'\n') {
                self.next_line += 1;
                if self.goes_on(went_on) {
                    went_on = self.text.len();
                    continue;
                }
            }
            if last.is_some() {
                break;
            }
        }
        if self.text.last() == Some(&b'\n') {
            self.text.pop();
        }
        Ok(if empty { None } else { Some(segment) })
    }

    /// Whether a list continues on the next line. `before` is the end of the previous line, if that line was
    /// continued: each byte is examined only once, however many lines there are.
    fn goes_on(&self, before: usize) -> bool {
        let line = &self.text[before..];
        match line.trim_ascii_end().last() {
            None => before > 0,
            Some(b',') => before > 0 || line.iter().any(|byte| matches!(byte, b'[' | b'(' | b'{')),
            Some(b'[' | b'(' | b'{') => true,
            Some(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    fn segments(text: &str) -> Vec<(u64, String)> {
        let mut segments = Segments::new(io::BufReader::with_capacity(3, text.as_bytes()), 1 << 23);
        let mut all = Vec::new();
        while let Some(segment) = segments.advance().expect("read from memory") {
            all.push((segment.line, String::from_utf8_lossy(&segments.text).into_owned()));
        }
        all
    }

    fn texts(text: &str) -> Vec<String> {
        segments(text).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_segment_ends_with_its_line_or_a_closing_bracket() {
        assert_eq!(texts("a\n\nb"), ["a", "", "b"]);
        assert_eq!(texts("[[1, 3], [2, 0]]\nx\n"), ["[[1, 3]", ", [2, 0]", "]", "x"]);
        assert_eq!(texts("\u{feff}a\n"), ["a"]);
        assert_eq!(texts(""), [""; 0]);
    }

    #[test]
    fn a_line_that_ends_in_a_comma_behind_an_open_bracket_continues() {
        assert_eq!(
            segments("[['a',\n 'b'],\n ['c',\n 'd']]\n1,\n2\n[\n 3\n]"),
            [
                (1, "[['a',\n 'b']"),
                (3, " ['c',\n 'd']"),
                (4, "]"),
                (5, "1,"),
                (6, "2"),
                (7, "[\n 3"),
                (9, "]")
            ]
            .map(|(line, text)| (line, text.to_owned()))
        );
    }

    #[test]
    fn colours_are_left_out() {
        assert_eq!(texts("\u{1b}[1;31mQ\u{1b}[0m . .\na\u{1b}b\u{1b}["), ["Q . .", "a"]);
    }

    #[test]
    fn encodings_and_line_ends_do_not_matter() {
        let text = "Q . .\r\n♛ . .\r[1]";
        let utf16 =
            |bytes: fn(u16) -> [u8; 2]| format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect();
        for bytes in [text.as_bytes().to_vec(), utf16(u16::to_le_bytes), utf16(u16::to_be_bytes)] {
            let mut segments = Segments::new(&bytes[..], 1 << 23);
            for (line, piece) in [(1, "Q . ."), (2, "♛ . ."), (3, "[1]")] {
                assert_eq!(segments.advance().expect("memory").map(|segment| segment.line), Some(line));
                assert_eq!(segments.text, piece.as_bytes());
            }
        }
    }

    /// Each of these lines is continued: if the text were examined from its beginning, or its end, for each
    /// of them, they would take hours.
    #[test]
    fn a_list_of_a_million_lines_is_read_in_time_proportional_to_its_length() {
        for line in [",\n", "\n"] {
            let text = format!("{}[,{}", "a".repeat(1 << 20), line.repeat(1 << 20));
            assert_eq!(segments(&text).len(), 1);
        }
    }

    #[test]
    fn text_beyond_the_limit_is_an_error_before_it_ends() {
        let mut segments = Segments::new(io::BufReader::with_capacity(3, io::repeat(b'x')), 4);
        assert!(matches!(segments.advance(), Err(ReadError::TooLong { line: 1, limit: 4 })));
        for (text, fits) in [("1234", true), ("12345", false), ("123\n12345", true)] {
            assert_eq!(Segments::new(text.as_bytes(), 4).advance().is_ok(), fits, "{text}");
        }
    }

    #[test]
    fn the_beginning_of_the_text_is_kept() {
        let text = "hello\n".repeat(HEAD);
        let mut segments = Segments::new(text.as_bytes(), 10);
        while segments.advance().expect("read from memory").is_some() {}
        assert!(
            (1 << 16..1 << 17).contains(&segments.head.len()) && text.as_bytes().starts_with(&segments.head)
        );
    }

    /// Fails once with each of these errors, then ends.
    struct Failing(Vec<io::ErrorKind>);

    impl io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            self.0.pop().map_or(Ok(0), |kind| Err(kind.into()))
        }
    }

    #[test]
    fn an_interrupted_system_call_is_repeated_and_other_errors_end_the_reading() {
        let read = |kind| Segments::new(io::BufReader::new(Failing(vec![kind])), 10).advance();
        assert_eq!(read(io::ErrorKind::Interrupted).expect("repeated"), None);
        assert!(matches!(read(io::ErrorKind::BrokenPipe), Err(ReadError::Io(_))));
    }
}
