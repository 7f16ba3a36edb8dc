//! Writes a proof in binary LRAT, which needs less than half the bytes of the text format. Memory: a buffer of 64 KiB.
//!
//! A lemma is the byte `a`, its id, its literals, 0, its hints and 0. A deletion is the byte `d`, ids and 0. A number x is encoded as
//! 2 |x|, or 2 |x| + 1 if x is negative, in seven bits per byte, low bits first. Source: the formats of drat-trim; as in CaDiCaL from
//! version 1.9 on, the id of a lemma is encoded like the other numbers.

use std::io::{self, Write};

use queens_sat::cnf::Lit;

/// The number of buffered bytes at which the buffer is written.
const BUFFER_SIZE: usize = 1 << 16;

/// Writes lemmas and assigns consecutive ids to them.
pub struct Proof<'w> {
    out: &'w mut dyn Write,
    buffer: Vec<u8>,
    last_id: u64,
    /// The number of lemmas written.
    pub lemmas: u64,
}

impl<'w> Proof<'w> {
    /// Begins a proof for a formula with this number of clauses.
    pub fn new(clauses: u64, out: &'w mut dyn Write) -> Self {
        Self {
            out,
            buffer: Vec::with_capacity(BUFFER_SIZE + (BUFFER_SIZE >> 2)),
            last_id: clauses,
            lemmas: 0,
        }
    }

    /// Writes a lemma and returns its id.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn lemma(&mut self, clause: &[Lit], hints: &[u64]) -> io::Result<u64> {
        self.last_id += 1;
        self.lemmas += 1;
        self.buffer.push(b'a');
        self.write_code(2 * self.last_id);
        for lit in clause {
            self.write_code(2 * u64::from(lit.variable()) + u64::from(!lit.is_positive()));
        }
        self.buffer.push(0);
        self.write_ids_and_zero(hints)?;
        Ok(self.last_id)
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
        self.buffer.push(b'd');
        self.write_ids_and_zero(ids)
    }

    /// Writes the ids and the 0 with which a step ends. Writes the buffer to the output if it is full.
    fn write_ids_and_zero(&mut self, ids: &[u64]) -> io::Result<()> {
        ids.iter().for_each(|&id| self.write_code(2 * id));
        self.buffer.push(0);
        if self.buffer.len() >= BUFFER_SIZE { self.flush() } else { Ok(()) }
    }

    /// Writes an encoded number in seven bits per byte.
    fn write_code(&mut self, mut code: u64) {
        while code > 0x7f {
            self.buffer.push(code.to_le_bytes()[0] | 0x80);
            code >>= 7;
        }
        self.buffer.push(code.to_le_bytes()[0]);
    }

    /// Writes the content of the buffer to the output.
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

    /// The example of drat-trim's documentation, in which lemma "3 -4" follows from clauses 6 and 2, with the id of the lemma encoded
    /// like the other numbers. More steps test the lengths of numbers.
    #[test]
    fn binary_numbers_have_seven_bits_per_byte() {
        let mut lrat = Vec::new();
        let mut proof = Proof::new(8, &mut lrat);
        let lits = [3, -4].map(|number| Lit::from_dimacs(number).expect("a literal"));
        assert_eq!(proof.lemma(&lits, &[6, 2]).expect("a vector"), 9);
        proof.delete(&[]).expect("a vector");
        proof.delete(&[9, 63, 64, 300]).expect("a vector");
        assert_eq!(proof.lemma(&[], &[u64::MAX >> 1]).expect("a vector"), 10);
        // The largest number in one byte, and the smallest number in two bytes.
        let lits = [-63, 64].map(|number| Lit::from_dimacs(number).expect("a literal"));
        assert_eq!(proof.lemma(&lits, &[]).expect("a vector"), 11);
        assert_eq!(proof.lemmas, 3);
        proof.flush().expect("a vector");
        let deletion = [b'd', 18, 126, 0x80, 1, 0xd8, 4, 0];
        let largest_hint_bytes = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0];
        let expected = [
            &[b'a', 18, 6, 9, 0, 12, 4, 0][..],
            &deletion,
            b"a\x14\0",
            &largest_hint_bytes,
            b"a\x16\x7f\x80\x01\0\0",
        ]
        .concat();
        assert_eq!(lrat, expected);
    }

    /// Reads the proof with `lrat-check`, which shares no code with the writer.
    #[test]
    fn long_proof_is_read_back_unchanged() {
        let mut formula = String::from("p cnf 3000 6000\n");
        (1..=3000).for_each(|variable| {
            formula += &format!("{variable} 0\n{variable} -{} 0\n", variable % 3000 + 1)
        });
        let mut lrat = Vec::new();
        let mut proof = Proof::new(6000, &mut lrat);
        let mut written_steps = Vec::new();
        for variable in 1..=3000 {
            for clause in [vec![variable], vec![variable, -1, variable % 3000 + 1, 2999]] {
                let lits: Vec<Lit> =
                    clause.iter().map(|&lit| Lit::from_dimacs(lit).expect("a literal")).collect();
                let hints = vec![2 * variable.unsigned_abs() - 1];
                let id = proof.lemma(&lits, &hints.iter().copied().map(u64::from).collect::<Vec<_>>());
                let id = id.expect("a vector");
                written_steps.push((id, clause, hints.into_iter().map(i64::from).collect::<Vec<_>>()));
                if variable > 5 {
                    proof.delete(&[id]).expect("a vector");
                    written_steps.push((0, vec![], vec![id.cast_signed()]));
                }
            }
        }
        proof.flush().expect("a vector");
        assert!(lrat.len() > BUFFER_SIZE, "{}", lrat.len());
        let mut read_steps = Vec::new();
        let checker = lrat_check::Checker::read(formula.as_bytes(), |_| {}).expect("a formula");
        let verdict = checker.check(&lrat[..], |step| {
            read_steps.push(match step {
                lrat_check::Step::Lemma { id, clause, hints } => {
                    (id, clause.iter().map(|lit| lit.dimacs() as i32).collect(), hints.to_vec())
                }
                lrat_check::Step::Deletion { ids } => (0, vec![], ids.to_vec()),
            });
        });
        assert!(!verdict.expect("readable").is_verified());
        assert_eq!(read_steps, written_steps);
    }
}
