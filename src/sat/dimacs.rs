//! Writes and reads DIMACS CNF.
//! Writing: comment lines, `p cnf VARIABLES CLAUSES`, then one clause per line; uses a buffer of 64 KiB for
//! any formula. Reading: clauses may span lines, comments may be anywhere, and `%` ends a SATLIB file.
//! Every error names its line. Memory: the formula and one line.
//! Source: Satisfiability: Suggested Format, DIMACS 1993; the SAT Competition's rules.

use std::fmt::Display;
use std::io::{self, BufRead, Read, Write};

use super::cnf::{Cnf, Lit};

/// Writes each comment as a line `c COMMENT`, then the formula.
pub fn write(
    out: &mut dyn Write,
    comments: impl IntoIterator<Item = impl Display>,
    cnf: &Cnf,
) -> io::Result<()> {
    const FULL: usize = 1 << 16;
    let mut buffer = Vec::with_capacity(FULL + (1 << 10));
    for comment in comments {
        writeln!(buffer, "c {comment}")?;
        if buffer.len() >= FULL {
            out.write_all(&buffer)?;
            buffer.clear();
        }
    }
    writeln!(buffer, "p cnf {} {}", cnf.variables(), cnf.len())?;
    for clause in cnf.clauses() {
        for lit in clause {
            push_number(&mut buffer, lit.dimacs());
            buffer.push(b' ');
        }
        buffer.extend_from_slice(b"0\n");
        if buffer.len() >= FULL {
            out.write_all(&buffer)?;
            buffer.clear();
        }
    }
    out.write_all(&buffer)?;
    out.flush()
}

/// Formatting through `fmt` would take most of the time of writing a formula.
fn push_number(buffer: &mut Vec<u8>, number: i32) {
    let mut digits = [0; 10];
    let mut start = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        buffer.push(b'-');
    }
    buffer.extend_from_slice(&digits[start..]);
}

/// Why and where a text is not valid DIMACS CNF.
#[derive(Debug, thiserror::Error)]
pub enum DimacsError {
    /// The text could not be read.
    #[error("cannot read the formula: {0}")]
    Io(#[from] io::Error),
    /// A line has an error.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The error.
        reason: String,
    },
    /// The text ends too early.
    #[error("the formula ends too early: {0}")]
    End(String),
}

/// The most bytes of a line: enough for a literal of every square of the largest board.
const LONGEST_LINE: usize = 16 << 20;

/// The most bytes of a number.
const LONGEST_WORD: usize = 20;

/// Reads a formula; its comments are skipped.
pub fn read(mut input: impl BufRead) -> Result<Cnf, DimacsError> {
    let mut cnf = None;
    let mut promised = 0;
    let mut clause: Vec<Lit> = Vec::new();
    let mut bytes = Vec::new();
    let mut number = 0;
    loop {
        bytes.clear();
        if input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        number += 1;
        let wrong = |reason: String| DimacsError::Line { line: number, reason };
        if bytes.len() > LONGEST_LINE {
            return Err(wrong(format!(
                "longer than {} MiB: split the clause over several lines",
                LONGEST_LINE >> 20
            )));
        }
        let line = bytes.trim_ascii();
        if line.is_empty() || line == b"c" || line.starts_with(b"c ") || line.starts_with(b"c\t") {
            continue;
        }
        let line = std::str::from_utf8(line).map_err(|_| wrong("not valid UTF-8".into()))?;
        if line == "%" {
            break;
        }
        if line.starts_with('p') {
            if cnf.is_some() {
                return Err(wrong("a second 'p' line".into()));
            }
            let (variables, clauses) = header(line).map_err(wrong)?;
            promised = clauses;
            cnf = Some(Cnf::new(variables));
            continue;
        }
        let Some(cnf) = &mut cnf else {
            return Err(wrong("a clause before the line 'p cnf VARIABLES CLAUSES'".into()));
        };
        for word in line.split_ascii_whitespace() {
            match literal(word, cnf.variables()).map_err(wrong)? {
                Some(lit) => clause.push(lit),
                None if cnf.len() == promised => {
                    return Err(wrong(format!("more clauses than the {promised} declared in the 'p' line")));
                }
                None => cnf.add_clause(clause.drain(..)),
            }
        }
    }
    let cnf = cnf.ok_or_else(|| DimacsError::End("the line 'p cnf VARIABLES CLAUSES' is missing".into()))?;
    if !clause.is_empty() {
        return Err(DimacsError::End("the last clause has no final 0".into()));
    }
    if cnf.len() < promised {
        let reason = format!("it has {} of the {promised} clauses declared in the 'p' line", cnf.len());
        return Err(DimacsError::End(reason));
    }
    Ok(cnf)
}

fn header(line: &str) -> Result<(u32, usize), String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let numbers = match words[..] {
        ["p", "cnf", variables, clauses] if variables.len().max(clauses.len()) <= LONGEST_WORD => {
            variables.parse::<i32>().ok().zip(clauses.parse().ok())
        }
        _ => None,
    };
    numbers
        .and_then(|(variables, clauses)| Some((u32::try_from(variables).ok()?, clauses)))
        .ok_or_else(|| format!("'{}' is not 'p cnf VARIABLES CLAUSES'", excerpt(line)))
}

/// Reads a literal; `None` is the 0 that ends a clause.
fn literal(word: &str, variables: u32) -> Result<Option<Lit>, String> {
    let number = word.parse().ok().filter(|_| word.len() <= LONGEST_WORD);
    let number: i32 = number.ok_or_else(|| format!("'{}' is not a literal", excerpt(word)))?;
    if number == 0 {
        return Ok(None);
    }
    let lit = Lit::from_dimacs(number).filter(|lit| lit.variable() <= variables);
    lit.map(Some)
        .ok_or_else(|| format!("literal {number} exceeds the {variables} variables declared in the 'p' line"))
}

/// The beginning of a text, for messages.
fn excerpt(text: &str) -> String {
    const SHOWN: usize = 40;
    let more = if text.chars().nth(SHOWN).is_some() { "…" } else { "" };
    text.chars().take(SHOWN).collect::<String>() + more
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(comments: &[&str], cnf: &Cnf) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes, comments, cnf).expect("a vector takes everything");
        String::from_utf8(bytes).expect("DIMACS is ASCII")
    }

    fn small() -> Cnf {
        let mut cnf = Cnf::new(i32::MAX as u32);
        for clause in [&[1, -20, 300][..], &[], &[-i32::MAX]] {
            cnf.add_clause(clause.iter().filter_map(|&number| Lit::from_dimacs(number)));
        }
        cnf
    }

    #[test]
    fn a_formula_is_written_as_dimacs_says() {
        let text = "c one\nc two words\np cnf 2147483647 3\n1 -20 300 0\n0\n-2147483647 0\n";
        assert_eq!(written(&["one", "two words"], &small()), text);
    }

    #[test]
    fn a_formula_longer_than_the_buffer_comes_back() {
        let mut cnf = Cnf::new(40_000);
        for variable in 2..=40_000 {
            cnf.add_clause([!Lit::positive(variable), Lit::positive(variable - 1)]);
        }
        let comments: Vec<String> = (0..20_000).map(|i| format!("comment {i}")).collect();
        let mut text = Vec::new();
        write(&mut text, &comments, &cnf).expect("a vector takes everything");
        assert_eq!(read(text.as_slice()).expect("valid"), cnf);
        assert_eq!(text.iter().filter(|&&byte| byte == b'c').count(), 20_000 * 2 + 1);
    }

    #[test]
    fn what_was_written_is_read_back() {
        assert_eq!(read(written(&["x"], &small()).as_bytes()).expect("valid"), small());
        assert_eq!(read(written(&[], &Cnf::new(0)).as_bytes()).expect("valid"), Cnf::new(0));
    }

    #[test]
    fn clauses_may_span_lines_and_share_them() {
        let text = "c\nc x\n\np cnf 3 3\r\n1 2\nc in between\n3 0 -1 0\n\t-2 0\n%\n0\n";
        let clauses: Vec<Vec<i32>> = read(text.as_bytes())
            .expect("valid")
            .clauses()
            .map(|c| c.iter().map(|l| l.dimacs()).collect())
            .collect();
        assert_eq!(clauses, [vec![1, 2, 3], vec![-1], vec![-2]]);
    }

    #[test]
    fn an_error_names_the_line_and_what_is_wrong() {
        let message = |text: &str| read(text.as_bytes()).expect_err("invalid").to_string();
        assert_eq!(message(""), "the formula ends too early: the line 'p cnf VARIABLES CLAUSES' is missing");
        assert_eq!(message("c x\n1 0\n"), "line 2: a clause before the line 'p cnf VARIABLES CLAUSES'");
        assert_eq!(message("p cnf 1\n"), "line 1: 'p cnf 1' is not 'p cnf VARIABLES CLAUSES'");
        assert_eq!(message("p cnf -1 2\n"), "line 1: 'p cnf -1 2' is not 'p cnf VARIABLES CLAUSES'");
        let long = format!("p cnf 1 {}1\n1 0\n", "0".repeat(20));
        assert!(message(&long).contains("is not 'p cnf VARIABLES CLAUSES'"));
        assert_eq!(message("p cnf 1 1\np cnf 1 1\n"), "line 2: a second 'p' line");
        assert_eq!(message("p cnf 2 1\n\n1 x 0\n"), "line 3: 'x' is not a literal");
        assert_eq!(
            message("p cnf 2 1\n1 -3 0\n"),
            "line 2: literal -3 exceeds the 2 variables declared in the 'p' line"
        );
        assert_eq!(
            message("p cnf 2 1\n1 0 2 0\n"),
            "line 2: more clauses than the 1 declared in the 'p' line"
        );
        assert_eq!(
            message("p cnf 2 2\n1 0\n"),
            "the formula ends too early: it has 1 of the 2 clauses declared in the 'p' line"
        );
        assert_eq!(message("p cnf 2 1\n1 2\n"), "the formula ends too early: the last clause has no final 0");
    }

    #[test]
    fn a_clause_with_a_byte_that_is_no_text_is_no_comment() {
        let message = |text: &[u8]| read(text).expect_err("invalid").to_string();
        assert_eq!(message(b"p cnf 2 1\n-1 \xff\n2 0\n"), "line 2: not valid UTF-8");
        assert!(read(&b"c \xff\np cnf 2 1\n2 0\n"[..]).is_ok());
    }

    #[test]
    fn a_line_without_an_end_is_not_kept_and_messages_stay_short() {
        let endless = io::BufReader::new(io::repeat(b'7'));
        assert_eq!(
            read(endless).expect_err("invalid").to_string(),
            "line 1: longer than 16 MiB: split the clause over several lines"
        );
        let error = read(format!("p cnf 1 1\n{}", "7".repeat(99)).as_bytes()).expect_err("invalid");
        assert_eq!(error.to_string(), format!("line 2: '{}…' is not a literal", "7".repeat(40)));
    }
}
