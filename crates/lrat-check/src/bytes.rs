//! Reads a file byte by byte through a buffer. A byte order mark at the beginning is skipped. Reading a UTF-16 or compressed file fails
//! with an error that names the format.
//!
//! After a read error, [`Bytes::next`] returns `None`, as at the end of the file. [`Bytes::failure`] distinguishes a read error from the
//! end of the file. Cost: 1 ns per byte.

use std::io::{self, Read};

const BUFFER_SIZE: usize = 1 << 16;

/// The length of the longest signature at the beginning of a compressed file.
const MAX_SIGNATURE_BYTES: usize = 6;

/// The reason why a file that begins with these bytes is neither DIMACS nor LRAT, with advice; `None` if it may be DIMACS or LRAT.
fn unreadable_reason(beginning: &[u8]) -> Option<&'static str> {
    let has_byte_order_mark = beginning.starts_with(b"\xff\xfe") || beginning.starts_with(b"\xfe\xff");
    let is_utf16 = has_byte_order_mark
        || matches!(beginning, [b' '..=b'~', 0, b' '..=b'~', 0, ..] | [0, b' '..=b'~', 0, b' '..=b'~', ..]);
    let formats: [(&[u8], &str); 5] = [
        (b"\x1f\x8b", "it is compressed with gzip: decompress it first"),
        (b"BZh", "it is compressed with bzip2: decompress it first"),
        (b"\xfd7zXZ\0", "it is compressed with xz: decompress it first"),
        (b"\x28\xb5\x2f\xfd", "it is compressed with zstd: decompress it first"),
        (b"PK\x03\x04", "it is a ZIP archive: unpack it first"),
    ];
    let compressed_format = formats.into_iter().find(|(signature, _)| beginning.starts_with(signature));
    compressed_format
        .map(|(_, advice)| advice)
        .or(is_utf16.then_some("it is UTF-16, not ASCII: convert it first"))
}

/// Reads bytes through a buffer, and counts them.
pub struct Bytes<R> {
    input: R,
    buffer: Vec<u8>,
    /// The index of the next byte in the buffer.
    start: usize,
    /// The number of bytes in the buffer.
    end: usize,
    /// The offset of the buffer in the file.
    buffer_offset: u64,
    /// The read error, until [`Bytes::failure`] has returned it.
    failure: Option<io::Error>,
}

impl<R: Read> Bytes<R> {
    pub fn new(input: R) -> Self {
        Self { input, buffer: vec![0; BUFFER_SIZE], start: 0, end: 0, buffer_offset: 0, failure: None }
    }

    /// Returns the next byte without consuming it.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        if self.start == self.end {
            self.fill();
        }
        self.buffer[..self.end].get(self.start).copied()
    }

    /// Consumes the next byte, and returns it.
    #[inline]
    pub fn next(&mut self) -> Option<u8> {
        let byte = self.peek();
        self.start += usize::from(byte.is_some());
        byte
    }

    #[cold]
    #[inline(never)]
    fn fill(&mut self) {
        if self.failure.is_some() {
            return;
        }
        let is_first_fill = self.buffer_offset == 0 && self.end == 0;
        self.buffer_offset += self.end as u64;
        (self.start, self.end) = (0, 0);
        // At first, the buffer must contain enough bytes to recognise the file format.
        let min_length = if is_first_fill { MAX_SIGNATURE_BYTES } else { 1 };
        while self.end < min_length {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(length) => self.end += length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error);
                    self.end = 0;
                    return;
                }
            }
        }
        if is_first_fill {
            self.recognise_format();
        }
    }

    /// Skips a byte order mark, and fails if the file is UTF-16 or compressed.
    fn recognise_format(&mut self) {
        let beginning = &self.buffer[..self.end];
        if let Some(advice) = unreadable_reason(beginning) {
            self.failure = Some(io::Error::new(io::ErrorKind::InvalidData, advice));
            self.end = 0;
        } else if beginning.starts_with(b"\xef\xbb\xbf") {
            self.start = 3;
        }
    }

    /// The number of bytes consumed.
    pub fn offset(&self) -> u64 {
        self.buffer_offset + self.start as u64
    }

    /// Takes the read error that ended the bytes, if there was one.
    pub fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns one byte per call, and is interrupted before each byte.
    struct InterruptedReader<'a> {
        bytes: &'a [u8],
        is_interrupted: bool,
    }

    impl<'a> InterruptedReader<'a> {
        fn new(bytes: &'a [u8]) -> Self {
            Self { bytes, is_interrupted: false }
        }
    }

    impl Read for InterruptedReader<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.is_interrupted = !self.is_interrupted;
            if self.is_interrupted {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let length = self.bytes.len().min(1);
            self.bytes.read(&mut buffer[..length])
        }
    }

    #[test]
    fn reader_returns_single_bytes_and_counts_them() {
        let mut bytes = Bytes::new(InterruptedReader::new(b"abc"));
        assert_eq!((bytes.peek(), bytes.next(), bytes.offset()), (Some(b'a'), Some(b'a'), 1));
        assert_eq!((bytes.next(), bytes.next(), bytes.next()), (Some(b'b'), Some(b'c'), None));
        assert_eq!((bytes.next(), bytes.offset()), (None, 3));
        assert!(bytes.failure().is_none());
    }

    #[test]
    fn byte_order_mark_is_skipped_and_advances_offset() {
        for input in [&b"\xef\xbb\xbfp"[..], b"\xef\xbb\xbfp cnf"] {
            let mut bytes = Bytes::new(InterruptedReader::new(input));
            assert_eq!((bytes.peek(), bytes.offset()), (Some(b'p'), 3));
        }
        let mut bytes = Bytes::new(&b"p \xef\xbb\xbf"[..]);
        let _ = (bytes.next(), bytes.next());
        assert_eq!(bytes.next(), Some(0xef), "skipped only at the beginning");
    }

    #[test]
    fn compressed_or_utf16_input_is_a_read_error() {
        let little_endian: Vec<u8> = "p cnf 1 1".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big_endian: Vec<u8> = "1 0 1 0".encode_utf16().flat_map(u16::to_be_bytes).collect();
        let text_with_mark = [&b"\xff\xfe"[..], &little_endian].concat();
        for input in [
            &little_endian[..],
            &big_endian,
            &text_with_mark,
            b"\x1f\x8b\x08",
            b"BZh91",
            b"\xfd7zXZ\0\0",
            b"PK\x03\x04",
            b"\x28\xb5\x2f\xfd",
        ] {
            let mut bytes = Bytes::new(InterruptedReader::new(input));
            assert_eq!(bytes.peek(), None, "{input:?}");
            assert_eq!(
                bytes.failure().map(|error| error.kind()),
                Some(io::ErrorKind::InvalidData),
                "{input:?}"
            );
        }
        for input in [&b""[..], b"a", b"d\0", b"a\x04\0", b"p", b"BZ", b"PK"] {
            let mut bytes = Bytes::new(InterruptedReader::new(input));
            assert_eq!(bytes.peek(), input.first().copied(), "{input:?}");
            assert!(bytes.failure().is_none(), "{input:?}");
        }
    }

    #[test]
    fn read_error_ends_the_stream_and_is_reported() {
        struct BrokenReader;
        impl Read for BrokenReader {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut bytes = Bytes::new(BrokenReader);
        assert_eq!(bytes.next(), None);
        assert_eq!(bytes.failure().map(|error| error.to_string()).as_deref(), Some("broken"));
    }
}
