//! The lines of a text in any encoding, each of limited length. Binary files are refused.

use std::io::BufRead;

use plaintext::Decoder;

use super::ReadError;

/// The number of bytes at the beginning of an input that decide whether it is a text, and which notation it is in.
pub(super) const HEAD_BYTES: usize = 64 << 10;

/// A line with more bytes is cut behind a closing bracket, so that a list of a million boards on one line needs the memory of
/// only a few boards.
const MAX_UNCUT: usize = 4 << 10;

/// The maximum number of different control characters in a text. White space, backspace and escape characters are not counted.
const MAX_CONTROLS: u32 = 4;

/// A line, or a piece of a long line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// Its number, from 1.
    pub number: u64,
    /// Its bytes without the line feed, with the sequences that set colours.
    pub text: Vec<u8>,
    /// Whether the text ends here without a line feed.
    pub is_open: bool,
}

impl Line {
    /// Stands for lines that were removed. A board does not continue across it.
    pub const BREAK: Self = Self { number: 0, text: Vec::new(), is_open: false };

    pub fn is_break(&self) -> bool {
        self.number == 0
    }
}

/// Reads the lines of a text.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: Decoder<R>,
    /// The maximum number of bytes of a line.
    limit: usize,
    next_number: u64,
    /// The number of bytes that have been read.
    pub bytes: u64,
    /// The different control characters at the beginning of the text, one bit for each.
    controls: u32,
}

impl<R: BufRead> Lines<R> {
    /// Creates lines of at most `limit` bytes; a longer one is an error.
    pub fn new(input: R, limit: usize) -> Self {
        let input = Decoder::new(input).keeping_colours();
        Self { input, limit, next_number: 1, bytes: 0, controls: 0 }
    }

    /// Reads the next line into `line`. Returns whether there is one.
    pub fn advance(&mut self, line: &mut Line) -> Result<bool, ReadError> {
        line.text.clear();
        (line.number, line.is_open) = (self.next_number, true);
        let mut is_empty = true;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok([]) => {
                    with_ascii_digits(&mut line.text);
                    return Ok(!is_empty);
                }
                Ok(chunk) => chunk,
                Err(error) => return Err(ReadError::Io(error)),
            };
            is_empty = false;
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let mut length = end.map_or(chunk.len(), |end| end + 1);
            let mut is_piece = false;
            if line.text.len() + length > MAX_UNCUT {
                let search_start = MAX_UNCUT.saturating_sub(line.text.len()).min(length);
                let bracket =
                    chunk[search_start..length].iter().position(|byte| matches!(byte, b']' | b')' | b'}'));
                if let Some(bracket) = bracket {
                    (length, is_piece) = (search_start + bracket + 1, true);
                }
            }
            let text = &chunk[..length];
            if self.bytes < HEAD_BYTES as u64 {
                let is_control = |byte: &&u8| **byte < 0x20 && !matches!(**byte, 0x08..=0x0D | 0x1B);
                self.controls |= text.iter().filter(is_control).fold(0, |bits, &byte| bits | 1 << byte);
                if self.controls.count_ones() > MAX_CONTROLS {
                    return Err(ReadError::NotText { line: line.number });
                }
            }
            if line.text.len() + text.len() > self.limit {
                let limit = self.limit;
                return Err(ReadError::TooLong { line: line.number, limit });
            }
            line.text.extend_from_slice(text);
            self.bytes += length as u64;
            self.input.consume(length);
            let is_whole = line.text.last() == Some(&b'\n');
            if is_whole {
                line.text.pop();
                self.next_number += 1;
            }
            if is_whole || is_piece {
                line.is_open = false;
                with_ascii_digits(&mut line.text);
                return Ok(true);
            }
        }
    }
}

/// The digit 0 in other scripts: full-width, Arabic, Persian and Devanagari. The digits 1 to 9 follow it.
const ZEROS: [u32; 4] = [0xFF10, 0x0660, 0x06F0, 0x0966];

/// Converts a digit of another script to the ASCII digit. Other characters are returned unchanged.
pub(crate) fn ascii_digit(c: char) -> char {
    let digit = |zero: &u32| u32::from(c).checked_sub(*zero).and_then(|digit| char::from_digit(digit, 10));
    ZEROS.iter().find_map(digit).unwrap_or(c)
}

fn with_ascii_digits(text: &mut Vec<u8>) {
    // The first bytes of these digits in UTF-8.
    let may_be_digit = |byte: &u8| matches!(byte, 0xEF | 0xD9 | 0xDB | 0xE0);
    if !text.is_ascii()
        && text.iter().any(may_be_digit)
        && let Ok(line) = std::str::from_utf8(text)
    {
        *text = line.chars().map(ascii_digit).collect::<String>().into_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    fn lines(text: &[u8]) -> Vec<(u64, String, bool)> {
        let mut lines = Lines::new(io::BufReader::with_capacity(3, text), 1 << 23);
        let (mut line, mut all) = (Line::default(), Vec::new());
        while lines.advance(&mut line).expect("read from memory") {
            all.push((line.number, String::from_utf8_lossy(&line.text).into_owned(), line.is_open));
        }
        all
    }

    #[test]
    fn lines_have_numbers_and_unterminated_lines_are_marked() {
        let line = |number, text: &str, is_open| (number, text.to_owned(), is_open);
        assert_eq!(lines(b"a\r\n\nb"), [line(1, "a", false), line(2, "", false), line(3, "b", true)]);
        assert_eq!(lines(b""), []);
        assert_eq!(lines("\u{feff}♛\r.\r".as_bytes()), [line(1, "♛", false), line(2, ".", false)]);
    }

    #[test]
    fn long_line_is_split_into_pieces_without_loss() {
        let list = "[1, 3, 0, 2], ".repeat(2000);
        let pieces = lines(list.as_bytes());
        assert!(
            pieces.len() > 1 && pieces.iter().all(|(number, piece, _)| *number == 1 && piece.len() < 5000)
        );
        let joined: String = pieces.iter().map(|(_, piece, _)| piece.as_str()).collect();
        assert_eq!(joined, list);
    }

    #[test]
    fn endless_line_is_refused_at_the_limit() {
        let mut endless = Lines::new(io::BufReader::with_capacity(3, io::repeat(b'x')), 4);
        let error = endless.advance(&mut Line::default());
        assert!(matches!(error, Err(ReadError::TooLong { line: 1, limit: 4 })));
    }

    #[test]
    fn input_with_many_control_characters_is_binary() {
        let mut line = Line::default();
        let mut binary = Lines::new(&b"\x7fELF\x02\x01\x03\0\x04\x05\n"[..], 100);
        assert!(matches!(binary.advance(&mut line), Err(ReadError::NotText { line: 1 })));
        assert!(Lines::new(&b"\0Q\0\0\x07\n"[..], 100).advance(&mut line).expect("a text"));
    }

    /// An input that fails once with each of these errors, and then ends.
    struct FailingInput(Vec<io::ErrorKind>);

    impl io::Read for FailingInput {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            self.0.pop().map_or(Ok(0), |kind| Err(kind.into()))
        }
    }

    #[test]
    fn only_interrupted_read_is_repeated() {
        let read_after_error =
            |kind| Lines::new(io::BufReader::new(FailingInput(vec![kind])), 10).advance(&mut Line::default());
        assert!(!read_after_error(io::ErrorKind::Interrupted).expect("repeated"));
        assert!(matches!(read_after_error(io::ErrorKind::BrokenPipe), Err(ReadError::Io(_))));
    }
}
