//! Decodes text of unknown origin: UTF-8 with or without a byte order mark, UTF-16, the line ends of any system, and escape sequences
//! of terminals.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::io::{self, BufRead, Read};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
const ESCAPE: u8 = 0x1B;
const BELL: u8 = 0x07;
/// The number of bytes that decide whether a text may be UTF-16, and the number of bytes that are examined in this case.
const FIRST: usize = 4;
const MAX_EXAMINED: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16LittleEndian,
    Utf16BigEndian,
}

/// The encoding of a text and the length of its byte order mark; `None` if more of the text is needed to decide.
fn encoding(start: &[u8], is_all: bool) -> Option<(Encoding, usize)> {
    use Encoding::{Utf8, Utf16BigEndian, Utf16LittleEndian};
    let marks: [(&[u8], Encoding); 3] =
        [(BYTE_ORDER_MARK, Utf8), (b"\xff\xfe", Utf16LittleEndian), (b"\xfe\xff", Utf16BigEndian)];
    if let Some((mark, encoding)) = marks.iter().find(|(mark, _)| start.starts_with(mark)) {
        return Some((*encoding, mark.len()));
    }
    let first = &start[..start.len().min(FIRST)];
    let is_line = matches!(first, [1..=0xFF, b'\n', ..]);
    let may_be_utf16 = !is_line && first.contains(&0);
    if start.len() < (if may_be_utf16 { MAX_EXAMINED } else { FIRST }) && !is_line && !is_all {
        return None;
    }
    // In UTF-16, every second byte of ASCII is 0.
    let examined = if may_be_utf16 { &start[..start.len().min(MAX_EXAMINED)] } else { &[] };
    let pairs = examined.chunks_exact(2);
    let (mut low, mut high, all) = (0, 0, pairs.len());
    for pair in pairs {
        low += usize::from(pair[0] != 0 && pair[1] == 0);
        high += usize::from(pair[0] == 0 && pair[1] != 0);
    }
    Some(match (low * 2 > all, high * 2 > all) {
        (true, _) if high == 0 => (Utf16LittleEndian, 0),
        (_, true) if low == 0 => (Utf16BigEndian, 0),
        _ => (Utf8, 0),
    })
}

/// The reason why a file is not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotUtf8 {
    /// The file is UTF-16, as written by Windows programs.
    Utf16,
    /// The file has a byte that is not valid UTF-8.
    Byte {
        /// The byte.
        byte: u8,
        /// The line of the byte, from 1.
        line: usize,
    },
}

impl Display for NotUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Utf16 => f.write_str("it is UTF-16, not UTF-8: save it as UTF-8"),
            Self::Byte { byte, line } => {
                write!(f, "it is not UTF-8 (line {line} has a byte {byte:#04X}): save it as UTF-8")
            }
        }
    }
}

impl std::error::Error for NotUtf8 {}

impl From<NotUtf8> for io::Error {
    fn from(error: NotUtf8) -> Self {
        io::Error::new(io::ErrorKind::InvalidData, error)
    }
}

/// Decodes a file that must be UTF-8: removes the byte order mark, and converts each line end to a line feed.
///
/// # Errors
///
/// Another encoding. Such a file is not decoded, because files are kept, copied and hashed without changes.
pub fn utf8(bytes: &[u8]) -> Result<Cow<'_, str>, NotUtf8> {
    if matches!(encoding(bytes, true), Some((Encoding::Utf16LittleEndian | Encoding::Utf16BigEndian, _))) {
        return Err(NotUtf8::Utf16);
    }
    let text = str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        NotUtf8::Byte { byte: bytes[at], line: 1 + decode(&bytes[..at]).matches('\n').count() }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Ok(match text.contains('\r') {
        true => text.replace("\r\n", "\n").replace('\r', "\n").into(),
        false => text.into(),
    })
}

/// Decodes the output of a program, as a [`Decoder`] does. Bytes that are not UTF-8 become U+FFFD.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let mut decoder = Decoder::new(bytes);
    match decoder.fill_buf() {
        // Most texts need no change and are not copied.
        Ok(first) if first.as_ptr_range() == bytes.as_ptr_range() => String::from_utf8_lossy(bytes),
        _ => {
            let mut decoded = Vec::with_capacity(bytes.len());
            // Reading from memory does not fail.
            let _ = decoder.read_to_end(&mut decoded);
            String::from_utf8_lossy(&decoded).into_owned().into()
        }
    }
}

/// A reader that converts a text of unknown origin to UTF-8: it removes a byte order mark and escape sequences (colours, titles), decodes
/// UTF-16 with or without a byte order mark, and converts each line end (CR, LF, CRLF) to a line feed. Other bytes are not changed, even
/// if they are not UTF-8. Bytes that need no change are not copied.
#[derive(Debug)]
pub struct Decoder<R> {
    input: R,
    encoding: Option<Encoding>,
    /// Decoded text, of which the part from `start` on has not been consumed. If all of it has been consumed, bytes come directly from the
    /// input.
    decoded: Vec<u8>,
    start: usize,
    /// The number of bytes at the beginning of the input that need no change. They are examined only once, even if calls consume few of
    /// them.
    plain: usize,
    filter: LineFilter,
    pair: Pair,
}

/// The maximum number of bytes that are examined or decoded per call.
const PIECE: usize = 1 << 16;

impl<R: BufRead> Decoder<R> {
    /// Creates a decoder of an input. Reads nothing yet.
    pub fn new(input: R) -> Self {
        Self {
            input,
            encoding: None,
            decoded: Vec::new(),
            start: 0,
            plain: 0,
            filter: LineFilter::default(),
            pair: Pair::default(),
        }
    }

    /// Keeps the sequences that set colours (`ESC [ ... m`), for texts in which colours have a meaning.
    #[must_use]
    pub fn keeping_colours(mut self) -> Self {
        self.filter.parameters = Some(Vec::new());
        self
    }

    /// Detects the encoding and removes the byte order mark. The beginning may arrive in several reads.
    fn begin(&mut self) -> io::Result<()> {
        let mut start = Vec::new();
        loop {
            let chunk = filled(&mut self.input)?;
            let (length, is_all) = (chunk.len(), chunk.is_empty());
            start.extend_from_slice(&chunk[..length.min(MAX_EXAMINED)]);
            let Some((encoding, mark)) = encoding(&start, is_all) else {
                self.input.consume(length);
                continue;
            };
            self.encoding = Some(encoding);
            // The bytes of earlier chunks are decoded here, and the rest of this chunk in the next call.
            let before = start.len() - length.min(MAX_EXAMINED);
            self.input.consume(mark.saturating_sub(before));
            let start = start.get(mark..before).unwrap_or_default();
            append(encoding, start, &mut self.pair, &mut self.filter, &mut self.decoded);
            return Ok(());
        }
    }
}

/// The next bytes of an input; an interrupted system call is repeated.
fn filled<R: BufRead>(input: &mut R) -> io::Result<&[u8]> {
    loop {
        match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
            Ok(_) => break,
        }
    }
    // Returns the buffer again, without another system call.
    input.fill_buf()
}

fn append(encoding: Encoding, bytes: &[u8], pair: &mut Pair, filter: &mut LineFilter, decoded: &mut Vec<u8>) {
    match encoding {
        Encoding::Utf8 => filter.append(bytes, decoded),
        Encoding::Utf16LittleEndian => {
            filter.append(pair.utf8(bytes, u16::from_le_bytes).as_bytes(), decoded)
        }
        Encoding::Utf16BigEndian => filter.append(pair.utf8(bytes, u16::from_be_bytes).as_bytes(), decoded),
    }
}

impl<R: BufRead> BufRead for Decoder<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.start == self.decoded.len() {
            self.decoded.clear();
            self.start = 0;
            let Some(encoding) = self.encoding else {
                self.begin()?;
                continue;
            };
            if self.plain > 0 {
                return Ok(&filled(&mut self.input)?[..self.plain]);
            }
            let chunk = filled(&mut self.input)?;
            let chunk = &chunk[..chunk.len().min(PIECE)];
            if encoding == Encoding::Utf8 && self.filter.is_at_rest() {
                let is_special = |byte: &u8| matches!(*byte, b'\r' | ESCAPE);
                self.plain = chunk.iter().position(is_special).unwrap_or(chunk.len());
                if self.plain > 0 {
                    continue;
                }
            }
            if chunk.is_empty() {
                let end = self.pair.end();
                self.filter.append(end.as_bytes(), &mut self.decoded);
                self.filter.end(&mut self.decoded);
                break;
            }
            let length = chunk.len();
            append(encoding, chunk, &mut self.pair, &mut self.filter, &mut self.decoded);
            self.input.consume(length);
        }
        Ok(&self.decoded[self.start..])
    }

    fn consume(&mut self, amount: usize) {
        match self.start < self.decoded.len() {
            true => self.start += amount,
            false => {
                self.plain -= amount;
                self.input.consume(amount);
            }
        }
    }
}

impl<R: BufRead> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let chunk = self.fill_buf()?;
        let length = chunk.len().min(buffer.len());
        buffer[..length].copy_from_slice(&chunk[..length]);
        self.consume(length);
        Ok(length)
    }
}

/// Converts UTF-16 that arrives in chunks to UTF-8.
#[derive(Debug, Default)]
struct Pair {
    /// The first byte of an incomplete code unit.
    byte: Option<u8>,
    /// The first code unit of an incomplete surrogate pair.
    unit: Option<u16>,
}

impl Pair {
    fn utf8(&mut self, bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
        let mut units: Vec<u16> = self.unit.take().into_iter().collect();
        for &byte in bytes {
            match self.byte.take() {
                Some(first) => units.push(unit([first, byte])),
                None => self.byte = Some(byte),
            }
        }
        if units.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit)) {
            self.unit = units.pop();
        }
        String::from_utf16_lossy(&units)
    }

    /// The replacement character if the text ends with an incomplete character; empty otherwise.
    fn end(&mut self) -> &'static str {
        match (self.byte.take(), self.unit.take()) {
            (None, None) => "",
            _ => "\u{fffd}",
        }
    }
}

/// Converts line ends to line feeds, and removes escape sequences.
#[derive(Debug, Default, PartialEq, Eq)]
struct LineFilter {
    state: State,
    /// Whether the previous byte was a carriage return.
    is_after_return: bool,
    /// The parameters of the current sequence, if colours are kept.
    parameters: Option<Vec<u8>>,
}

/// The maximum length of the parameters of a sequence that is kept, in bytes.
const MAX_PARAMETERS: usize = 64;

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// After the escape character.
    Escape,
    /// In `ESC ( B`.
    Intermediate,
    /// In `ESC [ 1 ; 31 m`.
    Control,
    /// In `ESC ] 0 ; title BEL`, which may also end in `ESC \`.
    Title,
    /// After the escape character in a title.
    TitleEscape,
}

impl LineFilter {
    /// Whether the next byte is not inside a sequence or a line end.
    fn is_at_rest(&self) -> bool {
        self.state == State::Text && !self.is_after_return
    }

    /// Keeps the parameters of a control sequence, and the whole sequence if it sets a colour.
    fn control(&mut self, byte: u8, out: &mut Vec<u8>) {
        let Some(parameters) = &mut self.parameters else { return };
        match byte {
            b'[' => parameters.clear(),
            b'm' if parameters.len() <= MAX_PARAMETERS => {
                out.extend_from_slice(b"\x1b[");
                out.extend_from_slice(parameters);
                out.push(b'm');
            }
            _ if parameters.len() <= MAX_PARAMETERS => parameters.push(byte),
            _ => {}
        }
    }

    fn append(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) {
        while let Some(&byte) = bytes.first() {
            // A byte that ends a sequence too early is read again, as text.
            let (state, is_read) = match (&self.state, byte) {
                (State::Text, _) => {
                    bytes = self.text(bytes, out);
                    continue;
                }
                (State::Escape, b'[') => (State::Control, true),
                (State::Escape, b']' | b'P' | b'X' | b'^' | b'_') => (State::Title, true),
                (State::Escape | State::Intermediate, 0x20..=0x2F) => (State::Intermediate, true),
                (State::Escape | State::Intermediate, 0x30..=0x7E) => (State::Text, true),
                (State::Control, 0x20..=0x3F) => (State::Control, true),
                (State::Control, 0x40..=0x7E) => (State::Text, true),
                (State::Title, ESCAPE) => (State::TitleEscape, true),
                (State::Title, BELL) | (State::TitleEscape, b'\\') => (State::Text, true),
                (State::TitleEscape, _) => (State::Escape, false),
                (State::Title, b'\n' | b'\r') => (State::Text, false),
                (State::Title, _) => (State::Title, true),
                (State::Escape, _) => {
                    out.push(ESCAPE);
                    (State::Text, false)
                }
                (State::Intermediate | State::Control, _) => (State::Text, false),
            };
            if matches!((&self.state, &state), (State::Control, _) | (_, State::Control)) && is_read {
                self.control(byte, out);
            }
            self.state = state;
            bytes = &bytes[usize::from(is_read)..];
        }
    }

    /// Appends text up to the next escape character or carriage return. Returns the rest.
    fn text<'a>(&mut self, bytes: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
        let is_second = std::mem::take(&mut self.is_after_return) && bytes.first() == Some(&b'\n');
        let bytes = &bytes[usize::from(is_second)..];
        let end = bytes.iter().position(|&byte| byte == b'\r' || byte == ESCAPE).unwrap_or(bytes.len());
        out.extend_from_slice(&bytes[..end]);
        match bytes.get(end) {
            Some(&ESCAPE) => self.state = State::Escape,
            Some(_) => {
                out.push(b'\n');
                self.is_after_return = true;
            }
            None => return &[],
        }
        &bytes[end + 1..]
    }

    /// Appends an incomplete sequence at the end of a text.
    fn end(&mut self, out: &mut Vec<u8>) {
        self.is_after_return = false;
        if std::mem::take(&mut self.state) == State::Escape {
            out.push(ESCAPE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::BufReader;

    /// Decodes a text at once and in chunks of every length, and compares the results.
    fn decoded(bytes: &[u8]) -> String {
        let whole = decode(bytes).into_owned();
        for size in 1..=bytes.len().min(9) {
            let mut pieces = Vec::new();
            Decoder::new(BufReader::with_capacity(size, bytes)).read_to_end(&mut pieces).expect("memory");
            assert_eq!(String::from_utf8_lossy(&pieces), whole, "in pieces of {size}");
        }
        whole
    }

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn every_encoding_decodes_to_the_same_text() {
        let text = "♛ . . .\n. 👑 . .\n4\n";
        let marked = format!("\u{feff}{text}");
        assert_eq!(decoded(text.as_bytes()), text);
        assert_eq!(decoded(marked.as_bytes()), text);
        for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            assert_eq!(decoded(&utf16(text, bytes)), text);
            assert_eq!(decoded(&utf16(&marked, bytes)), text);
            assert_eq!(decoded(&utf16("4", bytes)), "4");
            assert_eq!(decoded(&utf16("92\r\n", bytes)), "92\n");
        }
        assert_eq!(decoded(b"\xff\xfe4\x00\x3d\xd8"), "4\u{fffd}", "half of a pair");
        assert_eq!(decoded(b"\xff\xfe4\x00x"), "4\u{fffd}", "half of a unit");
    }

    #[test]
    fn text_with_some_zero_bytes_is_not_utf16() {
        for text in ["ab\n\0", "1 3 0 2\n\0", "\0\0\0\0", "a\0\0b", "naïve\n", "\0abcd"] {
            assert_eq!(decoded(text.as_bytes()), text);
        }
    }

    #[test]
    fn every_line_ending_becomes_a_line_feed() {
        assert_eq!(decoded(b"a\rb\r\nc\n\rd\r\r\ne\r"), "a\nb\nc\n\nd\n\ne\n");
    }

    #[test]
    fn colours_are_kept_on_request() {
        let text = b"\x1b[1;31mQ\x1b[0m . .\x1b[K\r\n\x1b]0;m\x07\x1b[41m \x1b[m\x1b[3\n\x1b";
        for size in 1..=9 {
            let mut kept = String::new();
            let input = BufReader::with_capacity(size, &text[..]);
            Decoder::new(input).keeping_colours().read_to_string(&mut kept).expect("memory");
            assert_eq!(kept, "\x1b[1;31mQ\x1b[0m . .\n\x1b[41m \x1b[m\n\x1b");
        }
    }

    #[test]
    fn escape_sequences_are_removed() {
        assert_eq!(decoded(b"\x1b[1;31mQ\x1b[0m . .\x1b[K\x1b[?25l\n"), "Q . .\n");
        assert_eq!(decoded(b"\x1b]0;title\x07a\x1b]8;;https://x\x1b\\b\x1b(Bc\x1b7d\x1b[0"), "abcd");
        assert_eq!(decoded(b"\x1b]unfinished\n4\x1bPx\r5"), "\n4\n5", "a title ends with its line");
        assert_eq!(decoded(b"a\x1b\x1b[1m\x1b\n\x1b[31\nb\x1b"), "a\x1b\x1b\n\nb\x1b");
        assert_eq!(decoded(&utf16("\x1b[1m92\x1b[0m", u16::to_le_bytes)), "92");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_kept() {
        let mut read = Vec::new();
        Decoder::new(&b"a\xff\xe9\r\nb"[..]).read_to_end(&mut read).expect("memory");
        assert_eq!(read, b"a\xff\xe9\nb");
        assert_eq!(decoded(b"a\xffb"), "a\u{fffd}b");
    }

    #[test]
    fn file_in_another_encoding_is_refused_naming_it() {
        assert_eq!(utf8(b"\xef\xbb\xbfa\r\nb\rc").as_deref(), Ok("a\nb\nc"));
        for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            for text in ["n = 4", "\u{feff}n = 4"] {
                assert_eq!(utf8(&utf16(text, bytes)), Err(NotUtf8::Utf16));
            }
        }
        let error = utf8(b"a\r\nb\nna\xefve").expect_err("Latin-1");
        assert_eq!(error, NotUtf8::Byte { byte: 0xEF, line: 3 });
        wording::assert_wording!("decode", "utf-16", NotUtf8::Utf16.to_string());
        wording::assert_wording!("decode", "latin-1", error.to_string());
    }

    #[test]
    fn beginning_is_decoded_before_the_end_arrives() {
        struct NeverEnds(usize);
        impl Read for NeverEnds {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let text = b"1\n";
                assert!(self.0 < text.len(), "reads on");
                buffer[0] = text[self.0];
                self.0 += 1;
                Ok(1)
            }
        }
        let mut line = String::new();
        let mut decoder = Decoder::new(BufReader::with_capacity(1, NeverEnds(0)));
        decoder.read_line(&mut line).expect("a line");
        assert_eq!(line, "1\n");
    }

    #[test]
    fn interrupted_read_is_repeated() {
        struct Interrupted(Vec<io::ErrorKind>);
        impl Read for Interrupted {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                match self.0.pop() {
                    Some(kind) => Err(kind.into()),
                    None => b"4".as_slice().read(buffer),
                }
            }
        }
        let read = |kind| {
            let mut first = [0];
            Decoder::new(BufReader::new(Interrupted(vec![kind]))).read(&mut first).map(|_| first)
        };
        assert_eq!(read(io::ErrorKind::Interrupted).expect("repeated"), *b"4");
        assert_eq!(read(io::ErrorKind::BrokenPipe).expect_err("an error").kind(), io::ErrorKind::BrokenPipe);
    }

    proptest! {
        #[test]
        fn decoded_text_does_not_depend_on_chunks(bytes in proptest::collection::vec(
            prop_oneof![Just(0), Just(ESCAPE), Just(b'\r'), Just(b'\n'), Just(b'['), Just(0xFE), Just(0xFF), any::<u8>()], 0..40))
        {
            let text = decoded(&bytes);
            prop_assert!(!text.contains('\r'));
        }

        #[test]
        fn text_without_escapes_decodes_equally_from_any_encoding(text in "[ -~\n♛é👑]{4,40}") {
            let marked = format!("\u{feff}{text}");
            prop_assert_eq!(decoded(text.as_bytes()), text.clone());
            prop_assert_eq!(decoded(&utf16(&marked, u16::to_be_bytes)), text.clone());
            prop_assert_eq!(decoded(&utf16(&marked, u16::to_le_bytes)), text.clone());
            prop_assert_eq!(utf8(marked.as_bytes()), Ok(text.into()));
        }
    }
}
