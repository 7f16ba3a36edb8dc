//! Reads LRAT steps, text and binary, one at a time.
//!
//! Text: `ID LITERALS 0 HINTS 0` adds a lemma, and `ID d IDS 0` deletes clauses (the id before `d` is ignored). A line that begins
//! with `c` is a comment. Binary: a lemma is the byte `a` and the codes of the same numbers, including both zeros; a deletion is
//! the byte `d`, the codes of the ids, and a zero. The code of a number x is 2 |x|, or 2 |x| + 1 if x is negative. A code is
//! written in seven bits per byte, low bits first.
//! The first byte distinguishes the formats, because a text begins with a digit, a blank or `c`.
//! Source: Cruz-Filipe et al., Efficient Certified RAT Verification, CADE 2017; drat-trim's formats.

use std::io::{self, Read};

use crate::Literal;
use crate::bytes::Bytes;
use crate::malformed::Malformed;

/// A reader of the steps of a proof. The fields contain the parts of the last step; their memory is reused.
pub struct Steps<R> {
    bytes: Bytes<R>,
    is_binary: bool,
    /// The id of the lemma; 0 for a deletion.
    pub id: u64,
    /// The literals of the lemma, the pivot first.
    pub clause: Vec<Literal>,
    /// The hints of a lemma, in which a negative hint begins a group of a RAT step; for a deletion, the ids of the deleted clauses.
    pub hints: Vec<i64>,
}

/// The kind of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Adds the lemma `clause`.
    Lemma,
    /// Deletes the clauses in `hints`.
    Deletion,
}

impl<R: Read> Steps<R> {
    pub fn new(input: R) -> Self {
        let mut bytes = Bytes::new(input);
        let is_binary = matches!(bytes.peek(), Some(b'a' | b'd'));
        Self { bytes, is_binary, id: 0, clause: Vec::new(), hints: Vec::new() }
    }

    /// The number of bytes read.
    pub fn offset(&self) -> u64 {
        self.bytes.offset()
    }

    /// The read error that ended the proof, if there was one.
    pub fn failure(&mut self) -> Option<io::Error> {
        self.bytes.failure()
    }

    /// Reads the next step; `None` at the end. An error describes the malformed part.
    pub fn next(&mut self) -> Result<Option<Kind>, Malformed> {
        self.clause.clear();
        self.hints.clear();
        self.id = 0;
        if self.is_binary { self.binary_step() } else { self.text_step() }
    }

    fn text_step(&mut self) -> Result<Option<Kind>, Malformed> {
        loop {
            match self.skip_blanks() {
                None => return Ok(None),
                Some(b'c') => self.comment()?,
                Some(_) => break,
            }
        }
        let id = step_id(self.text_number()?)?;
        let kind = if self.skip_blanks() == Some(b'd') { Kind::Deletion } else { Kind::Lemma };
        if kind == Kind::Deletion {
            self.bytes.next();
        } else {
            self.id = id;
            loop {
                match self.text_number()? {
                    0 => break,
                    number => self.clause.push(Literal::from_dimacs(number).ok_or(Malformed::LargeVariable)?),
                }
            }
        }
        self.numbers(Self::text_number)?;
        Ok(Some(kind))
    }

    fn comment(&mut self) -> Result<(), Malformed> {
        while let Some(byte) = self.bytes.next().filter(|&byte| byte != b'\n') {
            // Programs disagree about whether a carriage return ends a comment, so it is refused.
            if byte == b'\r' && !matches!(self.bytes.peek(), None | Some(b'\n')) {
                return Err(Malformed::CarriageReturn);
            }
        }
        Ok(())
    }

    fn binary_step(&mut self) -> Result<Option<Kind>, Malformed> {
        let kind = match self.bytes.next() {
            None => return Ok(None),
            Some(b'a') => Kind::Lemma,
            Some(b'd') => Kind::Deletion,
            Some(byte) => return Err(Malformed::UnknownStep(byte)),
        };
        if kind == Kind::Lemma {
            self.id = step_id(self.binary_number()?)?;
            loop {
                match self.binary_code()? {
                    0 => break,
                    code => self.clause.push(Literal::from_code(code).ok_or(Malformed::LargeVariable)?),
                }
            }
        }
        self.numbers(Self::binary_number)?;
        Ok(Some(kind))
    }

    /// Reads numbers up to a zero into `hints`.
    fn numbers(&mut self, read: impl Fn(&mut Self) -> Result<i64, Malformed>) -> Result<(), Malformed> {
        loop {
            match read(self)? {
                0 => return Ok(()),
                number => self.hints.push(number),
            }
        }
    }

    /// Skips whitespace. Returns the next byte without consuming it.
    fn skip_blanks(&mut self) -> Option<u8> {
        while let Some(byte) = self.bytes.peek() {
            if !byte.is_ascii_whitespace() {
                return Some(byte);
            }
            self.bytes.next();
        }
        None
    }

    fn text_number(&mut self) -> Result<i64, Malformed> {
        let is_negative = self.skip_blanks() == Some(b'-');
        if is_negative {
            self.bytes.next();
        }
        let mut number: i64 = 0;
        let mut digits = 0;
        while let Some(byte) = self.bytes.peek() {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            self.bytes.next();
            digits += 1;
            // Every number of 18 digits fits into 64 bits.
            if digits > 18 {
                return Err(Malformed::LongNumber);
            }
            number = number * 10 + i64::from(digit);
        }
        match self.bytes.peek() {
            None if digits == 0 => Err(Malformed::Truncated),
            Some(byte) if digits == 0 || !byte.is_ascii_whitespace() => Err(Malformed::UnexpectedByte(byte)),
            _ if is_negative && number == 0 => Err(Malformed::NegativeZero),
            _ => Ok(if is_negative { -number } else { number }),
        }
    }

    fn binary_number(&mut self) -> Result<i64, Malformed> {
        let code = self.binary_code()?;
        let number = (code >> 1) as i64;
        Ok(if code & 1 == 1 { -number } else { number })
    }

    fn binary_code(&mut self) -> Result<u64, Malformed> {
        let mut code = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.bytes.next().ok_or(Malformed::Truncated)?;
            code |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return if code == 1 { Err(Malformed::CodeOne) } else { Ok(code) };
            }
        }
        Err(Malformed::LongNumber)
    }
}

fn step_id(number: i64) -> Result<u64, Malformed> {
    u64::try_from(number).ok().filter(|&id| id > 0).ok_or(Malformed::NotAnId(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    type StepFields = (Kind, u64, Vec<String>, Vec<i64>);

    fn steps(proof: &[u8]) -> Result<Vec<StepFields>, Malformed> {
        let mut steps = Steps::new(proof);
        let mut read_steps = Vec::new();
        while let Some(kind) = steps.next()? {
            let clause = steps.clause.iter().map(Literal::to_string).collect();
            read_steps.push((kind, steps.id, clause, steps.hints.clone()));
        }
        Ok(read_steps)
    }

    /// The first lemma is the example in drat-trim's documentation of the binary format, in which "3 -4" follows from 6 and 2.
    #[test]
    fn text_and_binary_proof_give_the_same_steps() {
        let text = steps(b"c x\n\n9 3 -4 0 6 2 -300 1 0\r\n9 d 6 2 0\nc y\n10 0 0");
        let binary = steps(&[97, 18, 6, 9, 0, 12, 4, 0xd9, 4, 2, 0, 100, 12, 4, 0, 97, 20, 0, 0]);
        let expected = vec![
            (Kind::Lemma, 9, vec!["3".to_owned(), "-4".to_owned()], vec![6, 2, -300, 1]),
            (Kind::Deletion, 0, vec![], vec![6, 2]),
            (Kind::Lemma, 10, vec![], vec![]),
        ];
        assert_eq!(text, Ok(expected.clone()));
        assert_eq!(binary, Ok(expected));
        assert_eq!(steps(b""), Ok(vec![]));
    }

    #[test]
    fn malformed_step_is_reported_with_its_reason() {
        for proof in
            [&b"9"[..], b"9 ", b"9 3", b"9 3 0", b"9 3 0 1", b"9 d", b"9 d 1", b"a", b"a\x12", b"d\x80"]
        {
            assert_eq!(steps(proof), Err(Malformed::Truncated), "{proof:?}");
        }
        for (proof, error) in [
            (&b"hello"[..], Malformed::UnexpectedByte(b'h')),
            (b"9 3x 0 0\n", Malformed::UnexpectedByte(b'x')),
            (b"9 3-4 0 0\n", Malformed::UnexpectedByte(b'-')),
            (b"9 -0 0\n", Malformed::NegativeZero),
            (b"-9 0 1 0\n", Malformed::NotAnId(-9)),
            (b"a\x00", Malformed::NotAnId(0)),
            (b"a\x12\x00\x01", Malformed::CodeOne),
            (b"a\x12\x01", Malformed::CodeOne),
            (b"a\x12\x00\x00b", Malformed::UnknownStep(b'b')),
            (b"1 1111111111111111111 0\n", Malformed::LongNumber),
            (b"d\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", Malformed::LongNumber),
            (b"9 999999999 0 0\n", Malformed::LargeVariable),
            (b"c a\r9 0 0\r", Malformed::CarriageReturn),
        ] {
            assert_eq!(steps(proof), Err(error), "{proof:?}");
        }
    }
}
