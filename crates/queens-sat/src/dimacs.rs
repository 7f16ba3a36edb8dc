//! Writes DIMACS CNF: comment lines, `p cnf VARIABLES CLAUSES`, then one clause per line. The writer uses a buffer of 64 KiB. The crate
//! `lrat-check` contains a reader of the format.
//! Source: Satisfiability: Suggested Format, DIMACS 1993; the SAT Competition's rules.

use std::fmt::Display;
use std::io::{self, Write};

use super::cnf::Cnf;

/// Writes each comment as a line `c COMMENT`, then the formula.
///
/// # Errors
///
/// The output cannot be written.
pub fn write(
    out: &mut dyn Write,
    comments: impl IntoIterator<Item = impl Display>,
    cnf: &Cnf,
) -> io::Result<()> {
    const BUFFER_SIZE: usize = 1 << 16;
    let mut buffer = Vec::with_capacity(BUFFER_SIZE + (1 << 10));
    for comment in comments {
        writeln!(buffer, "c {comment}")?;
        if buffer.len() >= BUFFER_SIZE {
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
        if buffer.len() >= BUFFER_SIZE {
            out.write_all(&buffer)?;
            buffer.clear();
        }
    }
    out.write_all(&buffer)?;
    out.flush()
}

/// Writes a number in decimal. Formatting with `fmt` would take most of the time of writing a formula.
#[inline]
fn push_number(buffer: &mut Vec<u8>, number: impl itoa::Integer) {
    buffer.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cnf::Lit;

    fn to_dimacs(comments: &[&str], cnf: &Cnf) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes, comments, cnf).expect("a vector takes everything");
        String::from_utf8(bytes).expect("DIMACS is ASCII")
    }

    #[test]
    fn formula_is_written_in_dimacs_format() {
        let mut cnf = Cnf::new(i32::MAX as u32);
        for clause in [&[1, -20, 300][..], &[], &[-i32::MAX]] {
            cnf.add_clause(clause.iter().filter_map(|&number| Lit::from_dimacs(number)));
        }
        let text = "c one\nc two words\np cnf 2147483647 3\n1 -20 300 0\n0\n-2147483647 0\n";
        assert_eq!(to_dimacs(&["one", "two words"], &cnf), text);
        assert_eq!(to_dimacs(&[], &Cnf::new(0)), "p cnf 0 0\n");
    }

    #[test]
    fn formula_longer_than_buffer_is_written_completely() {
        let mut cnf = Cnf::new(40_000);
        let mut expected: String = (0..20_000).map(|_| "c comment\n").collect();
        expected += "p cnf 40000 39999\n";
        for variable in 2..=40_000 {
            cnf.add_clause([!Lit::positive(variable), Lit::positive(variable - 1)]);
            expected += &format!("-{variable} {} 0\n", variable - 1);
        }
        assert_eq!(to_dimacs(&["comment"; 20_000], &cnf), expected);
    }
}
