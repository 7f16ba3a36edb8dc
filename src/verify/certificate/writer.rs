//! Writes proofs: LRAT, text or binary, and on request DRAT in addition.
//! A DRAT file has the same lemmas and deletions in the same order, without ids and hints, so that
//! checking the LRAT file also checks the DRAT file; likewise for VeriPB (`veripb.rs`).
//! Memory: a buffer; for DRAT also the lemmas that are not deleted, since its deletions repeat them.

use std::collections::HashMap;
use std::io::{self, Write};

use super::veripb::Lines;
use crate::sat::cnf::Lit;
use crate::sat::dimacs::push_number;

/// Receives the lemmas; each gets the next id.
pub struct Proof<'w> {
    lrat: Stream<&'w mut dyn Write>,
    drat: Option<Drat<'w>>,
    veripb: Option<Lines<'w>>,
    last: u64,
    lemmas: u64,
}

struct Drat<'w> {
    stream: Stream<&'w mut dyn Write>,
    live: HashMap<u64, Box<[Lit]>>,
}

impl<'w> Proof<'w> {
    /// A proof in LRAT for a formula of `clauses` clauses.
    pub fn new(clauses: u64, lrat: &'w mut dyn Write, binary: bool) -> Self {
        Self { lrat: Stream::new(lrat, binary), drat: None, veripb: None, last: clauses, lemmas: 0 }
    }

    /// Also writes the proof in DRAT.
    pub fn with_drat(self, drat: &'w mut dyn Write, binary: bool) -> Self {
        Self { drat: Some(Drat { stream: Stream::new(drat, binary), live: HashMap::new() }), ..self }
    }

    /// Also writes the proof for VeriPB.
    pub fn with_veripb(self, lines: Lines<'w>) -> Self {
        Self { veripb: Some(lines), ..self }
    }

    /// The number of lemmas written.
    pub fn lemmas(&self) -> u64 {
        self.lemmas
    }

    /// Writes a lemma and returns its id.
    pub fn lemma(&mut self, clause: &[Lit], hints: &[u64]) -> io::Result<u64> {
        self.last += 1;
        self.lemmas += 1;
        let out = &mut self.lrat;
        out.add();
        out.id(self.last);
        clause.iter().for_each(|&lit| out.number(lit.dimacs().into()));
        out.zero();
        hints.iter().for_each(|&hint| out.id(hint));
        out.end()?;
        if let Some(Drat { stream, live }) = &mut self.drat {
            stream.add();
            clause.iter().for_each(|&lit| stream.number(lit.dimacs().into()));
            stream.end()?;
            live.insert(self.last, clause.into());
        }
        if let Some(lines) = &mut self.veripb {
            lines.lemma(clause)?;
        }
        Ok(self.last)
    }

    /// Deletes lemmas.
    pub fn delete(&mut self, ids: &[u64]) -> io::Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let out = &mut self.lrat;
        out.delete_at(self.last);
        ids.iter().for_each(|&id| out.id(id));
        out.end()?;
        if let Some(Drat { stream, live }) = &mut self.drat {
            for clause in ids.iter().filter_map(|id| live.remove(id)) {
                stream.delete();
                clause.iter().for_each(|&lit| stream.number(lit.dimacs().into()));
                stream.end()?;
            }
        }
        self.veripb.as_mut().map_or(Ok(()), |lines| lines.delete(ids))
    }

    /// Flushes the buffers.
    pub fn finish(mut self) -> io::Result<()> {
        self.lrat.flush()?;
        self.drat.as_mut().map_or(Ok(()), |drat| drat.stream.flush())?;
        self.veripb.map_or(Ok(()), Lines::finish)
    }
}

/// One proof, written step by step through a buffer.
pub(super) struct Stream<W> {
    out: W,
    binary: bool,
    buffer: Vec<u8>,
}

const FULL: usize = 1 << 16;

impl<W: Write> Stream<W> {
    pub fn new(out: W, binary: bool) -> Self {
        Self { out, binary, buffer: Vec::with_capacity(FULL + (FULL >> 2)) }
    }

    /// Begins a step that adds a lemma; only the binary form marks it.
    pub fn add(&mut self) {
        if self.binary {
            self.buffer.push(b'a');
        }
    }

    /// Begins a step that deletes.
    pub fn delete(&mut self) {
        self.buffer.extend_from_slice(if self.binary { b"d" } else { b"d " });
    }

    /// Begins a deletion in LRAT; the text form repeats the id of the last lemma.
    pub fn delete_at(&mut self, id: u64) {
        if !self.binary {
            self.id(id);
        }
        self.delete();
    }

    /// The id of a clause.
    pub fn id(&mut self, id: u64) {
        self.number(id as i64);
    }

    /// A literal, or a hint of a RAT step.
    pub fn number(&mut self, number: i64) {
        if self.binary {
            return self.seven_bits(2 * number.unsigned_abs() + u64::from(number < 0));
        }
        push_number(&mut self.buffer, number);
        self.buffer.push(b' ');
    }

    pub fn zero(&mut self) {
        self.buffer.extend_from_slice(if self.binary { b"\0" } else { b"0 " });
    }

    pub fn end(&mut self) -> io::Result<()> {
        self.buffer.extend_from_slice(if self.binary { b"\0" } else { b"0\n" });
        if self.buffer.len() >= FULL { self.flush() } else { Ok(()) }
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        self.out.flush()
    }

    fn seven_bits(&mut self, mut code: u64) {
        while code >= 0x80 {
            self.buffer.push(code.to_le_bytes()[0] | 0x80);
            code >>= 7;
        }
        self.buffer.push(code.to_le_bytes()[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lemma "3 -4" from 6 and 2, then 6 and 300 go: the example of drat-trim's documentation.
    fn written(binary: bool) -> (Vec<u8>, Vec<u8>) {
        let (mut lrat, mut drat) = (Vec::new(), Vec::new());
        let mut proof = Proof::new(8, &mut lrat, binary).with_drat(&mut drat, binary);
        let lits = [3, -4].map(|number| Lit::from_dimacs(number).expect("a literal"));
        assert_eq!(proof.lemma(&lits, &[6, 2]).expect("a vector"), 9);
        proof.delete(&[]).expect("a vector");
        proof.delete(&[9, 300]).expect("a vector");
        assert_eq!(proof.lemma(&[], &[u64::MAX >> 1]).expect("a vector"), 10);
        assert_eq!(proof.lemmas(), 2);
        proof.finish().expect("a vector");
        (lrat, drat)
    }

    #[test]
    fn text_is_a_line_a_step() {
        let (lrat, drat) = written(false);
        assert_eq!(
            String::from_utf8_lossy(&lrat),
            "9 3 -4 0 6 2 0\n9 d 9 300 0\n10 0 9223372036854775807 0\n"
        );
        assert_eq!(String::from_utf8_lossy(&drat), "3 -4 0\nd 3 -4 0\n0\n");
    }

    #[test]
    fn binary_holds_the_same_numbers_in_seven_bits_a_byte() {
        let (lrat, drat) = written(true);
        assert_eq!(lrat[..16], [97, 18, 6, 9, 0, 12, 4, 0, 100, 18, 0xd8, 4, 0, 97, 20, 0]);
        assert_eq!(drat, [97, 6, 9, 0, 100, 6, 9, 0, 97, 0]);
    }
}
