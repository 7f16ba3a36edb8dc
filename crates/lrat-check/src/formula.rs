//! Reads DIMACS CNF for the checker: each clause is passed on as it is read, and none is stored here.
//! Strict where the meaning is at stake: the number of clauses and the range of variables must match the
//! `p` line. Shares no code with the writer in `sat::dimacs`.

use std::io::Read;

use crate::Literal;
use crate::bytes::Bytes;

/// Reads a formula and passes on its clauses in order. An error names the line.
pub fn read(input: impl Read, mut clause: impl FnMut(&[Literal])) -> Result<(), String> {
    let mut text = Text { bytes: Bytes::new(input), line: 1, line_begins: true };
    let result = text.formula(&mut clause);
    match text.bytes.failure() {
        Some(error) => Err(error.to_string()),
        None => result.map_err(|reason| format!("line {}: {reason}", text.line)),
    }
}

struct Text<R> {
    bytes: Bytes<R>,
    line: u64,
    /// Whether only blanks have been read on this line.
    line_begins: bool,
}

impl<R: Read> Text<R> {
    fn formula(&mut self, hand_on: &mut impl FnMut(&[Literal])) -> Result<(), String> {
        let [variables, clauses] = self.header()?;
        let mut clause = Vec::new();
        let mut read = 0;
        while let Some(word) = self.word()? {
            if word == b"%" {
                break;
            }
            let number = number(&word)?;
            if number == 0 {
                if read == clauses {
                    return Err(format!("more clauses than the {clauses} declared in the 'p' line"));
                }
                read += 1;
                hand_on(&clause);
                clause.clear();
                continue;
            }
            if number.unsigned_abs() > variables {
                return Err(format!(
                    "literal {number} exceeds the {variables} variables declared in the 'p' line"
                ));
            }
            let literal = Literal::from_dimacs(number);
            clause.push(literal.ok_or_else(|| format!("variable {number} is too large for this checker"))?);
        }
        if !clause.is_empty() {
            return Err("the last clause has no final 0".into());
        }
        if read < clauses {
            return Err(format!(
                "the formula ends after {read} of the {clauses} clauses declared in the 'p' line"
            ));
        }
        Ok(())
    }

    fn header(&mut self) -> Result<[u64; 2], String> {
        let missing = || "the line 'p cnf VARIABLES CLAUSES' is missing".to_owned();
        for expected in [&b"p"[..], b"cnf"] {
            if self.word()?.as_deref() != Some(expected) {
                return Err(missing());
            }
        }
        let mut count = || {
            let word = self.word()?.ok_or_else(missing)?;
            u64::try_from(number(&word)?).map_err(|_| missing())
        };
        Ok([count()?, count()?])
    }

    /// The next word. Lines that begin with `c` are comments.
    fn word(&mut self) -> Result<Option<Vec<u8>>, String> {
        let mut word = Vec::new();
        let mut comment = false;
        while let Some(byte) = self.bytes.peek() {
            if byte.is_ascii_whitespace() && !word.is_empty() {
                break;
            }
            self.bytes.next();
            match byte {
                b'\n' => {
                    self.line += 1;
                    (self.line_begins, comment) = (true, false);
                }
                // Where the comment ends would be a guess, and other programs guess otherwise.
                b'\r' if comment && !matches!(self.bytes.peek(), None | Some(b'\n')) => {
                    return Err("a carriage return within a comment: convert the line ends first".into());
                }
                _ if comment || byte.is_ascii_whitespace() => {}
                b'c' if self.line_begins => comment = true,
                _ if word.len() == LONGEST_WORD => return Err("a word is too long".into()),
                _ => {
                    self.line_begins = false;
                    word.push(byte);
                }
            }
        }
        Ok((!word.is_empty()).then_some(word))
    }
}

const LONGEST_WORD: usize = 20;

fn number(word: &[u8]) -> Result<i64, String> {
    let text = std::str::from_utf8(word).ok();
    let number = text.and_then(|text| text.parse().ok());
    number.ok_or_else(|| format!("'{}' is not a number", String::from_utf8_lossy(word).escape_debug()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clauses(text: &str) -> Result<Vec<String>, String> {
        let mut found = Vec::new();
        let written =
            |clause: &[Literal]| clause.iter().map(Literal::to_string).collect::<Vec<_>>().join(" ");
        read(text.as_bytes(), |clause| found.push(written(clause)))?;
        Ok(found)
    }

    #[test]
    fn clauses_may_span_lines_and_share_them() {
        let text = "c cnf\n\nc\np  cnf 3 4\r\n1 2\nc in between 7 0\n3 0 -1 0\n\t-2 0 0\n%\n0\n";
        assert_eq!(clauses(text), Ok(["1 2 3", "-1", "-2", ""].map(String::from).to_vec()));
        assert_eq!(clauses("p cnf 0 0"), Ok(Vec::new()));
    }

    #[test]
    fn an_error_names_the_line_and_what_is_wrong() {
        let error = |text: &str| clauses(text).expect_err("invalid");
        for text in [
            "",
            "c p cnf 1 1\n",
            "p cnf",
            "p sat 1 1\n",
            "cnf 1 1\n",
            "p\ncnf 1 1\n",
            "p cnf 1",
            "p cnf -1 1\n",
        ] {
            assert!(
                error(text).contains("the line 'p cnf VARIABLES CLAUSES' is missing"),
                "{text:?}: {}",
                error(text)
            );
        }
        assert_eq!(error("p cnf 1 1\nx 0\n"), "line 2: 'x' is not a number");
        assert_eq!(
            error("p cnf 2 1\n1 -3 0\n"),
            "line 2: literal -3 exceeds the 2 variables declared in the 'p' line"
        );
        assert!(error("p cnf 2 1\n1 0 2 0\n").contains("more clauses than the 1"));
        assert!(error("p cnf 2 2\n1 0\n").contains("ends after 1 of the 2 clauses"));
        assert!(error("p cnf 2 1\n1 2\n").contains("has no final 0"));
        assert!(error("p cnf 999999999 1\n999999999 0\n").contains("too large for this checker"));
        assert!(error(&"9".repeat(1000)).contains("too long"));
        assert!(error("c a\rp cnf 1 1\r1 0\r").contains("carriage return"));
        assert_eq!(clauses("p cnf 1 2\r1 0\r-1 0\r"), Ok(["1", "-1"].map(String::from).to_vec()));
        assert_eq!(clauses("c a\r\np cnf 0 0\nc b\r"), Ok(Vec::new()));
    }
}
