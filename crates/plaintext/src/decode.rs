//! Decodes text of unknown origin: UTF-8 with or without a byte order mark, UTF-16, the line ends of any system, and escape sequences
//! of terminals.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::io::{self, BufRead, Read};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
const ESCAPE: u8 = 0x1B;
const BELL: u8 = 0x07;
/// The length of the prefix that decides whether a text may be UTF-16, in bytes.
const PREFIX_LEN: usize = 4;
/// The maximum number of bytes that are examined if the text may be UTF-16.
const MAX_EXAMINED: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16LittleEndian,
    Utf16BigEndian,
}

/// The encoding of a text and the length of its byte order mark, from the beginning of the text. `None` if more of the text is needed to
/// decide; never `None` if `is_whole_text`.
fn encoding(start: &[u8], is_whole_text: bool) -> Option<(Encoding, usize)> {
    use Encoding::{Utf8, Utf16BigEndian, Utf16LittleEndian};
    let marks: [(&[u8], Encoding); 3] =
        [(BYTE_ORDER_MARK, Utf8), (b"\xff\xfe", Utf16LittleEndian), (b"\xfe\xff", Utf16BigEndian)];
    if let Some((mark, encoding)) = marks.iter().find(|(mark, _)| start.starts_with(mark)) {
        return Some((*encoding, mark.len()));
    }
    let prefix = &start[..start.len().min(PREFIX_LEN)];
    // A first line of one byte, such as `4`, is decoded as soon as it arrives.
    let is_first_line_short = matches!(prefix, [1..=0xFF, b'\n', ..]);
    let may_be_utf16 = !is_first_line_short && prefix.contains(&0);
    if start.len() < (if may_be_utf16 { MAX_EXAMINED } else { PREFIX_LEN })
        && !is_first_line_short
        && !is_whole_text
    {
        return None;
    }
    // In UTF-16, one byte of each ASCII character is 0: the second byte if it is little-endian, the first byte if it is big-endian.
    let examined_bytes = if may_be_utf16 { &start[..start.len().min(MAX_EXAMINED)] } else { &[] };
    let pairs = examined_bytes.chunks_exact(2);
    let (mut little_endian, mut big_endian, pair_count) = (0, 0, pairs.len());
    for pair in pairs {
        little_endian += usize::from(pair[0] != 0 && pair[1] == 0);
        big_endian += usize::from(pair[0] == 0 && pair[1] != 0);
    }
    Some(match (little_endian * 2 > pair_count, big_endian * 2 > pair_count) {
        (true, _) if big_endian == 0 => (Utf16LittleEndian, 0),
        (_, true) if little_endian == 0 => (Utf16BigEndian, 0),
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
            Self::Utf16 => f.write_str("the file is UTF-16, not UTF-8: save it as UTF-8"),
            Self::Byte { byte, line } => {
                write!(f, "the file is not UTF-8 (line {line} has a byte {byte:#04X}): save it as UTF-8")
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
/// The file has another encoding. It is not converted, because files are kept, copied and hashed without changes.
pub fn utf8(bytes: &[u8]) -> Result<Cow<'_, str>, NotUtf8> {
    if matches!(encoding(bytes, true), Some((Encoding::Utf16LittleEndian | Encoding::Utf16BigEndian, _))) {
        return Err(NotUtf8::Utf16);
    }
    let text = str::from_utf8(bytes).map_err(|error| {
        let valid_len = error.valid_up_to();
        NotUtf8::Byte { byte: bytes[valid_len], line: 1 + decode(&bytes[..valid_len]).matches('\n').count() }
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
        Ok(chunk) if chunk.as_ptr_range() == bytes.as_ptr_range() => String::from_utf8_lossy(bytes),
        _ => {
            let mut decoded = Vec::with_capacity(bytes.len());
            // Reading from memory does not fail.
            let _ = decoder.read_to_end(&mut decoded);
            String::from_utf8_lossy(&decoded).into_owned().into()
        }
    }
}

/// A reader that converts a text of unknown origin to UTF-8. It removes a byte order mark and the escape sequences of terminals (colours,
/// titles). It decodes UTF-16 with or without a byte order mark. It converts each line end (CR, LF, CRLF) to a line feed. Other bytes are
/// not changed, even if they are not UTF-8. Bytes that need no change are not copied.
#[derive(Debug)]
pub struct Decoder<R> {
    input: R,
    encoding: Option<Encoding>,
    /// Decoded text. After all of it has been consumed, bytes that need no change come directly from the input.
    decoded: Vec<u8>,
    /// The number of bytes of `decoded` that have been consumed.
    consumed_len: usize,
    /// The number of bytes at the beginning of the input that need no change. They are examined only once, even if calls consume few of
    /// them.
    unchanged_len: usize,
    filter: TextFilter,
    utf16: Utf16Decoder,
}

/// The maximum number of bytes that are examined or decoded per call.
const MAX_CHUNK: usize = 1 << 16;

impl<R: BufRead> Decoder<R> {
    /// Creates a decoder of an input. Reads nothing yet.
    pub fn new(input: R) -> Self {
        Self {
            input,
            encoding: None,
            decoded: Vec::new(),
            consumed_len: 0,
            unchanged_len: 0,
            filter: TextFilter::default(),
            utf16: Utf16Decoder::default(),
        }
    }

    /// Keeps the sequences that set colours (`ESC [ ... m`), for texts in which colours have a meaning.
    #[must_use]
    pub fn keeping_colours(mut self) -> Self {
        self.filter.parameters = Some(Vec::new());
        self
    }

    /// Detects the encoding and removes the byte order mark. The beginning may arrive in several reads.
    fn detect_encoding(&mut self) -> io::Result<()> {
        let mut start = Vec::new();
        loop {
            let chunk = fill_buf_uninterrupted(&mut self.input)?;
            let (length, is_at_end) = (chunk.len(), chunk.is_empty());
            start.extend_from_slice(&chunk[..length.min(MAX_EXAMINED)]);
            let Some((encoding, mark_len)) = encoding(&start, is_at_end) else {
                self.input.consume(length);
                continue;
            };
            self.encoding = Some(encoding);
            // The bytes of earlier chunks are decoded here, and the rest of this chunk in the next call.
            let earlier_len = start.len() - length.min(MAX_EXAMINED);
            self.input.consume(mark_len.saturating_sub(earlier_len));
            let start = start.get(mark_len..earlier_len).unwrap_or_default();
            append(encoding, start, &mut self.utf16, &mut self.filter, &mut self.decoded);
            return Ok(());
        }
    }
}

/// The next bytes of an input. An interrupted system call is repeated.
fn fill_buf_uninterrupted<R: BufRead>(input: &mut R) -> io::Result<&[u8]> {
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

/// Decodes bytes and appends the text.
fn append(
    encoding: Encoding,
    bytes: &[u8],
    utf16: &mut Utf16Decoder,
    filter: &mut TextFilter,
    decoded: &mut Vec<u8>,
) {
    match encoding {
        Encoding::Utf8 => filter.append(bytes, decoded),
        Encoding::Utf16LittleEndian => {
            filter.append(utf16.decode(bytes, u16::from_le_bytes).as_bytes(), decoded)
        }
        Encoding::Utf16BigEndian => {
            filter.append(utf16.decode(bytes, u16::from_be_bytes).as_bytes(), decoded)
        }
    }
}

impl<R: BufRead> BufRead for Decoder<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.consumed_len == self.decoded.len() {
            self.decoded.clear();
            self.consumed_len = 0;
            let Some(encoding) = self.encoding else {
                self.detect_encoding()?;
                continue;
            };
            if self.unchanged_len > 0 {
                return Ok(&fill_buf_uninterrupted(&mut self.input)?[..self.unchanged_len]);
            }
            let chunk = fill_buf_uninterrupted(&mut self.input)?;
            let chunk = &chunk[..chunk.len().min(MAX_CHUNK)];
            if encoding == Encoding::Utf8 && self.filter.is_between_sequences() {
                let is_special = |byte: &u8| matches!(*byte, b'\r' | ESCAPE);
                self.unchanged_len = chunk.iter().position(is_special).unwrap_or(chunk.len());
                if self.unchanged_len > 0 {
                    continue;
                }
            }
            if chunk.is_empty() {
                let end = self.utf16.finish();
                self.filter.append(end.as_bytes(), &mut self.decoded);
                self.filter.finish(&mut self.decoded);
                break;
            }
            let length = chunk.len();
            append(encoding, chunk, &mut self.utf16, &mut self.filter, &mut self.decoded);
            self.input.consume(length);
        }
        Ok(&self.decoded[self.consumed_len..])
    }

    fn consume(&mut self, amount: usize) {
        match self.consumed_len < self.decoded.len() {
            true => self.consumed_len += amount,
            false => {
                self.unchanged_len -= amount;
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

/// Converts UTF-16 that arrives in chunks to UTF-8. A chunk may end within a code unit or within a surrogate pair.
#[derive(Debug, Default)]
struct Utf16Decoder {
    /// The first byte of an incomplete code unit.
    first_byte: Option<u8>,
    /// The first code unit of an incomplete surrogate pair.
    first_unit: Option<u16>,
}

impl Utf16Decoder {
    /// Decodes a chunk. `unit` converts two bytes to a code unit.
    fn decode(&mut self, bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
        let mut units: Vec<u16> = self.first_unit.take().into_iter().collect();
        for &byte in bytes {
            match self.first_byte.take() {
                Some(first) => units.push(unit([first, byte])),
                None => self.first_byte = Some(byte),
            }
        }
        if units.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit)) {
            self.first_unit = units.pop();
        }
        String::from_utf16_lossy(&units)
    }

    /// The replacement character if the text ends with an incomplete character; empty otherwise.
    fn finish(&mut self) -> &'static str {
        match (self.first_byte.take(), self.first_unit.take()) {
            (None, None) => "",
            _ => "\u{fffd}",
        }
    }
}

/// Converts line ends to line feeds, and removes escape sequences. The states have the names of ECMA-48.
#[derive(Debug, Default, PartialEq, Eq)]
struct TextFilter {
    state: State,
    /// Whether the previous byte was a carriage return.
    is_after_return: bool,
    /// The parameters of the current control sequence; `None` if colours are removed.
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
    /// In an escape sequence with intermediate bytes, such as `ESC ( B`.
    Intermediate,
    /// In a control sequence, such as `ESC [ 1 ; 31 m`.
    ControlSequence,
    /// In a control string, such as `ESC ] 0 ; title BEL`, which may also end in `ESC \`.
    ControlString,
    /// After the escape character in a control string.
    ControlStringEscape,
}

impl TextFilter {
    /// Whether the next byte is not inside a sequence or a line end.
    fn is_between_sequences(&self) -> bool {
        self.state == State::Text && !self.is_after_return
    }

    /// Reads a byte of a control sequence. If colours are kept and the sequence sets one, the last byte of the sequence
    /// appends the whole sequence to the text.
    fn read_control_sequence(&mut self, byte: u8, out: &mut Vec<u8>) {
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

    /// Filters bytes and appends the text.
    fn append(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) {
        while let Some(&byte) = bytes.first() {
            // A byte that cannot belong to the current sequence ends it, and is read again in the next state.
            let (state, is_read) = match (&self.state, byte) {
                (State::Text, _) => {
                    bytes = self.append_text(bytes, out);
                    continue;
                }
                (State::Escape, b'[') => (State::ControlSequence, true),
                (State::Escape, b']' | b'P' | b'X' | b'^' | b'_') => (State::ControlString, true),
                (State::Escape | State::Intermediate, 0x20..=0x2F) => (State::Intermediate, true),
                (State::Escape | State::Intermediate, 0x30..=0x7E) => (State::Text, true),
                (State::ControlSequence, 0x20..=0x3F) => (State::ControlSequence, true),
                (State::ControlSequence, 0x40..=0x7E) => (State::Text, true),
                (State::ControlString, ESCAPE) => (State::ControlStringEscape, true),
                (State::ControlString, BELL) | (State::ControlStringEscape, b'\\') => (State::Text, true),
                (State::ControlStringEscape, _) => (State::Escape, false),
                (State::ControlString, b'\n' | b'\r') => (State::Text, false),
                (State::ControlString, _) => (State::ControlString, true),
                (State::Escape, _) => {
                    out.push(ESCAPE);
                    (State::Text, false)
                }
                (State::Intermediate | State::ControlSequence, _) => (State::Text, false),
            };
            if matches!((&self.state, &state), (State::ControlSequence, _) | (_, State::ControlSequence))
                && is_read
            {
                self.read_control_sequence(byte, out);
            }
            self.state = state;
            bytes = &bytes[usize::from(is_read)..];
        }
    }

    /// Appends text up to the next escape character or carriage return. Returns the bytes after this character.
    fn append_text<'a>(&mut self, bytes: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
        let is_crlf = std::mem::take(&mut self.is_after_return) && bytes.first() == Some(&b'\n');
        let bytes = &bytes[usize::from(is_crlf)..];
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

    /// Ends the text. An escape character that is the last byte is kept; other incomplete sequences are removed.
    fn finish(&mut self, out: &mut Vec<u8>) {
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

    /// Decodes a text as a whole and in chunks of 1 to 9 bytes, and asserts that the results are equal.
    fn decode_in_chunks(bytes: &[u8]) -> String {
        let expected = decode(bytes).into_owned();
        for size in 1..=bytes.len().min(9) {
            let mut decoded_chunks = Vec::new();
            Decoder::new(BufReader::with_capacity(size, bytes))
                .read_to_end(&mut decoded_chunks)
                .expect("memory");
            assert_eq!(String::from_utf8_lossy(&decoded_chunks), expected, "in chunks of {size}");
        }
        expected
    }

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn every_encoding_decodes_to_the_same_text() {
        let text = "♛ . . .\n. 👑 . .\n4\n";
        let text_with_mark = format!("\u{feff}{text}");
        assert_eq!(decode_in_chunks(text.as_bytes()), text);
        assert_eq!(decode_in_chunks(text_with_mark.as_bytes()), text);
        for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            assert_eq!(decode_in_chunks(&utf16(text, bytes)), text);
            assert_eq!(decode_in_chunks(&utf16(&text_with_mark, bytes)), text);
            assert_eq!(decode_in_chunks(&utf16("4", bytes)), "4");
            assert_eq!(decode_in_chunks(&utf16("92\r\n", bytes)), "92\n");
        }
        assert_eq!(decode_in_chunks(b"\xff\xfe4\x00\x3d\xd8"), "4\u{fffd}", "half of a pair");
        assert_eq!(decode_in_chunks(b"\xff\xfe4\x00x"), "4\u{fffd}", "half of a unit");
    }

    #[test]
    fn text_with_some_zero_bytes_is_not_utf16() {
        for text in ["ab\n\0", "1 3 0 2\n\0", "\0\0\0\0", "a\0\0b", "naïve\n", "\0abcd"] {
            assert_eq!(decode_in_chunks(text.as_bytes()), text);
        }
    }

    #[test]
    fn every_line_ending_becomes_a_line_feed() {
        assert_eq!(decode_in_chunks(b"a\rb\r\nc\n\rd\r\r\ne\r"), "a\nb\nc\n\nd\n\ne\n");
    }

    #[test]
    fn colours_are_kept_on_request() {
        let text = b"\x1b[1;31mQ\x1b[0m . .\x1b[K\r\n\x1b]0;m\x07\x1b[41m \x1b[m\x1b[3\n\x1b";
        for size in 1..=9 {
            let mut decoded = String::new();
            let input = BufReader::with_capacity(size, &text[..]);
            Decoder::new(input).keeping_colours().read_to_string(&mut decoded).expect("memory");
            assert_eq!(decoded, "\x1b[1;31mQ\x1b[0m . .\n\x1b[41m \x1b[m\n\x1b");
        }
    }

    #[test]
    fn escape_sequences_are_removed() {
        assert_eq!(decode_in_chunks(b"\x1b[1;31mQ\x1b[0m . .\x1b[K\x1b[?25l\n"), "Q . .\n");
        assert_eq!(decode_in_chunks(b"\x1b]0;title\x07a\x1b]8;;https://x\x1b\\b\x1b(Bc\x1b7d\x1b[0"), "abcd");
        assert_eq!(decode_in_chunks(b"\x1b]unfinished\n4\x1bPx\r5"), "\n4\n5", "a title ends with its line");
        assert_eq!(decode_in_chunks(b"a\x1b\x1b[1m\x1b\n\x1b[31\nb\x1b"), "a\x1b\x1b\n\nb\x1b");
        assert_eq!(decode_in_chunks(&utf16("\x1b[1m92\x1b[0m", u16::to_le_bytes)), "92");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_kept() {
        let mut decoded_bytes = Vec::new();
        Decoder::new(&b"a\xff\xe9\r\nb"[..]).read_to_end(&mut decoded_bytes).expect("memory");
        assert_eq!(decoded_bytes, b"a\xff\xe9\nb");
        assert_eq!(decode_in_chunks(b"a\xffb"), "a\u{fffd}b");
    }

    #[test]
    fn error_for_another_encoding_names_the_encoding() {
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
        struct EndlessReader(usize);
        impl Read for EndlessReader {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let text = b"1\n";
                assert!(self.0 < text.len(), "reads beyond the first line");
                buffer[0] = text[self.0];
                self.0 += 1;
                Ok(1)
            }
        }
        let mut line = String::new();
        let mut decoder = Decoder::new(BufReader::with_capacity(1, EndlessReader(0)));
        decoder.read_line(&mut line).expect("a line");
        assert_eq!(line, "1\n");
    }

    #[test]
    fn interrupted_read_is_repeated() {
        struct InterruptedReader(Vec<io::ErrorKind>);
        impl Read for InterruptedReader {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                match self.0.pop() {
                    Some(kind) => Err(kind.into()),
                    None => b"4".as_slice().read(buffer),
                }
            }
        }
        let read_after = |kind| {
            let mut buffer = [0];
            Decoder::new(BufReader::new(InterruptedReader(vec![kind]))).read(&mut buffer).map(|_| buffer)
        };
        assert_eq!(read_after(io::ErrorKind::Interrupted).expect("repeated"), *b"4");
        assert_eq!(
            read_after(io::ErrorKind::BrokenPipe).expect_err("an error").kind(),
            io::ErrorKind::BrokenPipe
        );
    }

    proptest! {
        #[test]
        fn decoded_text_does_not_depend_on_chunks(bytes in proptest::collection::vec(
            prop_oneof![Just(0), Just(ESCAPE), Just(b'\r'), Just(b'\n'), Just(b'['), Just(0xFE), Just(0xFF), any::<u8>()], 0..40))
        {
            let text = decode_in_chunks(&bytes);
            prop_assert!(!text.contains('\r'));
        }

        #[test]
        fn plain_text_decodes_equally_from_any_encoding(text in "[ -~\n♛é👑]{4,40}") {
            let text_with_mark = format!("\u{feff}{text}");
            prop_assert_eq!(decode_in_chunks(text.as_bytes()), text.clone());
            prop_assert_eq!(decode_in_chunks(&utf16(&text_with_mark, u16::to_be_bytes)), text.clone());
            prop_assert_eq!(decode_in_chunks(&utf16(&text_with_mark, u16::to_le_bytes)), text.clone());
            prop_assert_eq!(utf8(text_with_mark.as_bytes()), Ok(text.into()));
        }
    }
}
