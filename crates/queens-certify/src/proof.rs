//! Writes a proof in LRAT, as text. Memory: a buffer.

use std::io::{self, Write};

use queens_sat::cnf::Lit;
use queens_sat::dimacs::push_number;

const FULL: usize = 1 << 16;

/// Receives the lemmas; each gets the next id.
pub struct Proof<'w> {
    out: &'w mut dyn Write,
    buffer: Vec<u8>,
    last: u64,
    /// The number of lemmas written.
    pub lemmas: u64,
}

impl<'w> Proof<'w> {
    /// A proof for a formula of `clauses` clauses.
    pub fn new(clauses: u64, out: &'w mut dyn Write) -> Self {
        Self { out, buffer: Vec::with_capacity(FULL + (FULL >> 2)), last: clauses, lemmas: 0 }
    }

    /// Writes a lemma and returns its id.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn lemma(&mut self, clause: &[Lit], hints: &[u64]) -> io::Result<u64> {
        self.last += 1;
        self.lemmas += 1;
        self.id(self.last);
        clause.iter().for_each(|lit| {
            push_number(&mut self.buffer, lit.dimacs());
            self.buffer.push(b' ');
        });
        self.buffer.extend_from_slice(b"0 ");
        self.step_ends_with(hints)?;
        Ok(self.last)
    }

    /// Deletes lemmas.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn delete(&mut self, ids: &[u64]) -> io::Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        // The first number of a deletion has no meaning; it repeats the id of the last lemma.
        self.id(self.last);
        self.buffer.extend_from_slice(b"d ");
        self.step_ends_with(ids)
    }

    fn id(&mut self, id: u64) {
        push_number(&mut self.buffer, id);
        self.buffer.push(b' ');
    }

    fn step_ends_with(&mut self, ids: &[u64]) -> io::Result<()> {
        ids.iter().for_each(|&id| self.id(id));
        self.buffer.extend_from_slice(b"0\n");
        if self.buffer.len() >= FULL { self.flush() } else { Ok(()) }
    }

    /// Writes what is in the buffer.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lemma "3 -4" from 6 and 2, then 9 and 300 go: the example of drat-trim's documentation.
    #[test]
    fn a_step_is_a_line() {
        let mut lrat = Vec::new();
        let mut proof = Proof::new(8, &mut lrat);
        let lits = [3, -4].map(|number| Lit::from_dimacs(number).expect("a literal"));
        assert_eq!(proof.lemma(&lits, &[6, 2]).expect("a vector"), 9);
        proof.delete(&[]).expect("a vector");
        proof.delete(&[9, 300]).expect("a vector");
        assert_eq!(proof.lemma(&[], &[u64::MAX >> 1]).expect("a vector"), 10);
        assert_eq!(proof.lemmas, 2);
        proof.flush().expect("a vector");
        assert_eq!(
            String::from_utf8_lossy(&lrat),
            "9 3 -4 0 6 2 0\n9 d 9 300 0\n10 0 9223372036854775807 0\n"
        );
    }
}
