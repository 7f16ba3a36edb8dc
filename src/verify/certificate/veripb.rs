//! VeriPB: the problem as pseudo-Boolean constraints, and a proof that logs each solution and refutes the rest.
//!
//! Each clause of the encoding is one constraint, in the same order. The proof begins with one line `solx` per solution,
//! which VeriPB checks and then excludes; then come the lemmas of the LRAT proof as lines `rup`, without hints. VeriPB
//! numbers constraints as LRAT numbers clauses, so deletions keep their numbers. The last constraint, `0 >= 1`, has the
//! name `complete`: no solution was left.
//! Source: version 3.0 of the proof format, <https://gitlab.com/MIAOresearch/software/VeriPB>.

use std::io::{self, Write};

use super::formula::Formula;
use super::solutions::Solutions;
use crate::board::squares;
use crate::sat::cnf::Lit;
use crate::sat::encoding::queen;

/// Writes the constraints of the problem, without the solutions, as OPB.
pub fn write_formula(out: &mut dyn Write, about: &str, formula: &Formula) -> io::Result<()> {
    let (n, constraints) = (formula.n(), formula.encoding_clauses);
    writeln!(out, "* #variable= {} #constraint= {constraints}", n * n)?;
    writeln!(out, "* {about}")?;
    writeln!(out, "* Variable x1 is the left square of the top row, x{n} the right one.")?;
    let mut line = Vec::new();
    for (_, clause) in (0..constraints).zip(formula.cnf.clauses()) {
        line.clear();
        constraint(&mut line, clause);
        line.extend_from_slice(b" ;\n");
        out.write_all(&line)?;
    }
    out.flush()
}

/// A proof that is written step by step.
pub struct Lines<'w> {
    out: &'w mut dyn Write,
    buffer: Vec<u8>,
    /// Whether there is a solution, so that the formula is satisfiable.
    is_satisfiable: bool,
}

impl<'w> Lines<'w> {
    /// Begins a proof with the solutions.
    pub fn new(out: &'w mut dyn Write, formula: &Formula, solutions: &Solutions) -> io::Result<Self> {
        let header = format!("pseudo-Boolean proof version 3.0\nf {};\n", formula.encoding_clauses);
        let mut lines = Self { out, buffer: header.into_bytes(), is_satisfiable: !solutions.is_empty() };
        for solution in solutions.iter() {
            lines.buffer.extend_from_slice(b"solx");
            for square in squares(solution) {
                lines.buffer.push(b' ');
                literal(&mut lines.buffer, queen(formula.n(), square));
            }
            lines.end()?;
        }
        Ok(lines)
    }

    /// A lemma, which follows by propagation.
    pub fn lemma(&mut self, clause: &[Lit]) -> io::Result<()> {
        self.buffer.extend_from_slice(if clause.is_empty() { b"@complete rup ".as_slice() } else { b"rup " });
        constraint(&mut self.buffer, clause);
        self.end()
    }

    /// Lemmas that are no longer needed.
    pub fn delete(&mut self, ids: &[u64]) -> io::Result<()> {
        self.buffer.extend_from_slice(b"del id");
        ids.iter().for_each(|id| self.buffer.extend_from_slice(format!(" {id}").as_bytes()));
        self.end()
    }

    /// Ends the proof.
    pub fn finish(mut self) -> io::Result<()> {
        let conclusion = if self.is_satisfiable { "SAT" } else { "UNSAT : @complete" };
        let footer = format!("output NONE;\nconclusion {conclusion};\nend pseudo-Boolean proof;\n");
        self.buffer.extend_from_slice(footer.as_bytes());
        self.out.write_all(&self.buffer)?;
        self.out.flush()
    }

    fn end(&mut self) -> io::Result<()> {
        self.buffer.extend_from_slice(b";\n");
        if self.buffer.len() >= 1 << 16 {
            self.out.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }
}

/// `1 x1 1 ~x2 >= 1`.
fn constraint(line: &mut Vec<u8>, clause: &[Lit]) {
    for &lit in clause {
        line.extend_from_slice(b"1 ");
        literal(line, lit);
        line.push(b' ');
    }
    line.extend_from_slice(b">= 1");
}

fn literal(line: &mut Vec<u8>, lit: Lit) {
    let sign = if lit.is_positive() { "" } else { "~" };
    line.extend_from_slice(format!("{sign}x{}", lit.variable()).as_bytes());
}
