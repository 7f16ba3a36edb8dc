//! Reads DIMACS CNF for the checker, and passes each clause to a callback. Only the current clause is kept in memory.
//! The `p` line must give the number of clauses and an upper bound of the variables. This file shares no code with the writer in
//! `queens_sat::dimacs`.

use std::io::Read;

use crate::Literal;
use crate::bytes::Bytes;
use crate::malformed::{FormulaError, FormulaFault};

/// Reads a formula and passes its clauses to `on_clause` in order.
pub fn read(input: impl Read, mut on_clause: impl FnMut(&[Literal])) -> Result<(), FormulaError> {
    let mut text = Text { bytes: Bytes::new(input), line: 1, is_line_start: true };
    let result = text.formula(&mut on_clause);
    match text.bytes.failure() {
        Some(error) => Err(FormulaError::Io(error)),
        None => result.map_err(|fault| FormulaError::Invalid { line: text.line, fault }),
    }
}

struct Text<R> {
    bytes: Bytes<R>,
    line: u64,
    /// Whether only blanks have been read on this line.
    is_line_start: bool,
}

impl<R: Read> Text<R> {
    fn formula(&mut self, on_clause: &mut impl FnMut(&[Literal])) -> Result<(), FormulaFault> {
        let [variables, clauses] = self.header()?;
        let mut clause = Vec::new();
        let mut clauses_read = 0;
        while let Some(word) = self.word()? {
            if word == b"%" {
                break;
            }
            let number = number(&word)?;
            if number == 0 {
                if clauses_read == clauses {
                    return Err(FormulaFault::TooManyClauses { declared: clauses });
                }
                clauses_read += 1;
                on_clause(&clause);
                clause.clear();
                continue;
            }
            if number.unsigned_abs() > variables {
                return Err(FormulaFault::UndeclaredVariable { literal: number, variables });
            }
            let literal = Literal::from_dimacs(number);
            clause.push(literal.ok_or(FormulaFault::LargeVariable(number))?);
        }
        if !clause.is_empty() {
            return Err(FormulaFault::OpenClause);
        }
        if clauses_read < clauses {
            return Err(FormulaFault::TooFewClauses { read: clauses_read, declared: clauses });
        }
        Ok(())
    }

    /// Reads the `p` line. Returns the numbers of variables and clauses.
    fn header(&mut self) -> Result<[u64; 2], FormulaFault> {
        for expected in [&b"p"[..], b"cnf"] {
            if self.word()?.as_deref() != Some(expected) {
                return Err(FormulaFault::NoHeader);
            }
        }
        let mut count = || {
            let word = self.word()?.ok_or(FormulaFault::NoHeader)?;
            u64::try_from(number(&word)?).map_err(|_| FormulaFault::NoHeader)
        };
        Ok([count()?, count()?])
    }

    /// Reads the next word. Skips comments, which are lines that begin with `c`.
    fn word(&mut self) -> Result<Option<Vec<u8>>, FormulaFault> {
        let mut word = Vec::new();
        let mut is_comment = false;
        while let Some(byte) = self.bytes.peek() {
            if byte.is_ascii_whitespace() && !word.is_empty() {
                break;
            }
            self.bytes.next();
            match byte {
                b'\n' => {
                    self.line += 1;
                    (self.is_line_start, is_comment) = (true, false);
                }
                // Programs disagree about whether a carriage return ends a comment, so it is refused.
                b'\r' if is_comment && !matches!(self.bytes.peek(), None | Some(b'\n')) => {
                    return Err(FormulaFault::CarriageReturn);
                }
                _ if is_comment || byte.is_ascii_whitespace() => {}
                b'c' if self.is_line_start => is_comment = true,
                _ if word.len() == MAX_WORD_BYTES => return Err(FormulaFault::LongWord),
                _ => {
                    self.is_line_start = false;
                    word.push(byte);
                }
            }
        }
        Ok((!word.is_empty()).then_some(word))
    }
}

/// The maximum length of a word, in bytes: that of the smallest `i64`.
const MAX_WORD_BYTES: usize = 20;

fn number(word: &[u8]) -> Result<i64, FormulaFault> {
    let text = std::str::from_utf8(word).ok();
    let number = text.and_then(|text| text.parse().ok());
    number.ok_or_else(|| FormulaFault::NotANumber(String::from_utf8_lossy(word).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a formula. Returns the clauses, or the line and the fault.
    fn clauses(text: &str) -> Result<Vec<String>, (u64, FormulaFault)> {
        let mut clauses = Vec::new();
        let to_text =
            |clause: &[Literal]| clause.iter().map(Literal::to_string).collect::<Vec<_>>().join(" ");
        match read(text.as_bytes(), |clause| clauses.push(to_text(clause))) {
            Ok(()) => Ok(clauses),
            Err(FormulaError::Invalid { line, fault }) => Err((line, fault)),
            Err(FormulaError::Io(error)) => panic!("{error}"),
        }
    }

    #[test]
    fn clause_may_span_lines_or_share_a_line() {
        let text = "c cnf\n\nc\np  cnf 3 4\r\n1 2\nc in between 7 0\n3 0 -1 0\n\t-2 0 0\n%\n0\n";
        assert_eq!(clauses(text), Ok(["1 2 3", "-1", "-2", ""].map(String::from).to_vec()));
        assert_eq!(clauses("p cnf 0 0"), Ok(Vec::new()));
    }

    #[test]
    fn formula_error_names_the_line_and_the_fault() {
        for (text, line) in [
            ("", 1),
            ("c p cnf 1 1\n", 2),
            ("p cnf", 1),
            ("p sat 1 1\n", 1),
            ("cnf 1 1\n", 2),
            ("p\ncnf 1 1\n", 3),
            ("p cnf 1", 1),
            ("p cnf -1 1\n", 1),
        ] {
            assert_eq!(clauses(text), Err((line, FormulaFault::NoHeader)), "{text:?}");
        }
        let undeclared = FormulaFault::UndeclaredVariable { literal: -3, variables: 2 };
        for (text, line, fault) in [
            ("p cnf 1 1\nx 0\n", 2, FormulaFault::NotANumber("x".to_owned())),
            ("p cnf 2 1\n1 -3 0\n", 2, undeclared),
            ("p cnf 2 1\n1 0 2 0\n", 2, FormulaFault::TooManyClauses { declared: 1 }),
            ("p cnf 2 2\n1 0\n", 3, FormulaFault::TooFewClauses { read: 1, declared: 2 }),
            ("p cnf 2 1\n1 2\n", 3, FormulaFault::OpenClause),
            ("p cnf 999999999 1\n999999999 0\n", 2, FormulaFault::LargeVariable(999_999_999)),
            (&"9".repeat(1000), 1, FormulaFault::LongWord),
            ("c a\rp cnf 1 1\r1 0\r", 1, FormulaFault::CarriageReturn),
        ] {
            assert_eq!(clauses(text), Err((line, fault)), "{text:?}");
        }
        assert_eq!(clauses("p cnf 1 2\r1 0\r-1 0\r"), Ok(["1", "-1"].map(String::from).to_vec()));
        assert_eq!(clauses("c a\r\np cnf 0 0\nc b\r"), Ok(Vec::new()));
    }
}
