//! varisat 0.2, a CDCL solver in Rust, in this process; only this file uses the crate `varisat` for solving.
//! varisat cannot be interrupted and reports no statistics. To count learned clauses, counting runs parse varisat's native proof while
//! it is written. They do not store the proof.
//!
//! A **learned clause** is a clause that conflict analysis derived; there is one per conflict. In the proof, a learned clause is an
//! `AtClause` step that follows from two or more clauses, or the empty clause at the end of an unsatisfiable search. varisat also writes
//! an `AtClause` step when it removes permanently false literals from a clause; such a step follows from exactly one clause and is not
//! counted.

use std::cell::Cell;
use std::io::{self, Write};
use std::rc::Rc;

use varisat::{ExtendFormula, ProofFormat, Solver};
use varisat_internal_proof::ProofStep;
use varisat_internal_proof::binary_format::Parser;

use super::kind::{BackendError, BackendKind, IncrementalSolver};
use crate::cnf::{Lit, Variable, variable};
use queens_solver::{Stat, Statistics};

/// The entry of varisat in the table of backends.
pub const KIND: BackendKind = BackendKind {
    name: "varisat",
    version: "varisat 0.2.2",
    about: "varisat 0.2, in this process",
    statistics: &[Stat::LearnedClauses],
    blocks_models: true,
    largest_board: |n| n,
    unavailable: |_| None,
    open: |options| Box::new(Varisat::new(options.counting)),
};

struct Varisat {
    solver: Solver<'static>,
    /// The number of learned clauses; `None` in runs that count nothing.
    learned_clauses: Option<Rc<Cell<u64>>>,
    /// The variables `1..=last_negated` are negated in the solver, because varisat tries false first.
    last_negated: Variable,
    clause: Vec<varisat::Lit>,
}

impl Varisat {
    fn new(counting: bool) -> Self {
        let mut solver = Solver::new();
        let learned_clauses = counting.then(|| {
            let counter = LearnedClauseCounter::default();
            let count = Rc::clone(&counter.count);
            // varisat does not accept a proof target after the first clause.
            solver.write_proof(counter, ProofFormat::Varisat);
            count
        });
        Self { solver, learned_clauses, last_negated: 0, clause: Vec::new() }
    }
}

impl IncrementalSolver for Varisat {
    fn prefer_true(&mut self, last: Variable) {
        self.last_negated = last;
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let to_varisat = |lit: &Lit| {
            let variable = lit.variable();
            varisat::Lit::from_index(
                variable as usize - 1,
                lit.is_positive() != (variable <= self.last_negated),
            )
        };
        self.clause.clear();
        self.clause.extend(clause.iter().map(to_varisat));
        self.solver.add_clause(&self.clause);
    }

    fn solve(&mut self) -> Result<bool, BackendError> {
        self.solver.solve().map_err(|error| BackendError::Library(error.to_string()))
    }

    fn true_variables(&mut self, last: Variable, variables: &mut Vec<Variable>) {
        variables.clear();
        // The model lists all variables in ascending order.
        let model = self.solver.model().unwrap_or_default();
        let numbers = model.iter().map(|lit| lit.to_dimacs());
        for number in numbers.take_while(|number| number.unsigned_abs() <= last as usize) {
            let variable = variable(number.unsigned_abs());
            if (number > 0) != (variable <= self.last_negated) {
                variables.push(variable);
            }
        }
    }

    fn statistics(&self) -> Statistics {
        let mut stats = Statistics::default();
        stats.set(Stat::LearnedClauses, self.learned_clauses.as_ref().map(|count| count.get()));
        stats
    }
}

/// A writer that parses a native proof while varisat writes it, and counts its learned clauses.
///
/// Memory: the bytes of the current step, but at least `MIN_PARSED_BYTES`. If a step is incomplete, it is parsed again when twice as many
/// bytes have been written, so that the time is linear in the length of a step.
struct LearnedClauseCounter {
    count: Rc<Cell<u64>>,
    parser: Parser,
    /// The bytes that have not been parsed yet.
    pending: Vec<u8>,
    /// The pending bytes are parsed when their number reaches this value.
    next_parse: usize,
}

/// The minimum number of pending bytes that are parsed before the proof is flushed.
const MIN_PARSED_BYTES: usize = 1 << 15;

impl Default for LearnedClauseCounter {
    fn default() -> Self {
        Self {
            count: Rc::default(),
            parser: Parser::default(),
            pending: Vec::new(),
            next_parse: MIN_PARSED_BYTES,
        }
    }
}

impl LearnedClauseCounter {
    fn parse(&mut self) -> io::Result<()> {
        let mut parsed = 0;
        loop {
            let mut unparsed = &self.pending[parsed..];
            match self.parser.parse_step(&mut unparsed) {
                Ok(step) => {
                    if let ProofStep::AtClause { clause, propagation_hashes, .. } = step
                        && (clause.is_empty() || propagation_hashes.len() > 1)
                    {
                        self.count.set(self.count.get() + 1);
                    }
                    parsed = self.pending.len() - unparsed.len();
                }
                Err(error) => match error.downcast_ref::<io::Error>() {
                    Some(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
                    _ => return Err(io::Error::other(error.to_string())),
                },
            }
        }
        self.pending.drain(..parsed);
        self.next_parse = MIN_PARSED_BYTES.max(2 * self.pending.len());
        Ok(())
    }
}

impl Write for LearnedClauseCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= self.next_parse {
            self.parse()?;
        }
        Ok(bytes.len())
    }

    /// varisat flushes complete steps at the end of each call.
    fn flush(&mut self) -> io::Result<()> {
        self.parse()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::HashSet;

    use varisat::checker::{CheckedProofStep, CheckerData, ProofProcessor};

    use super::*;
    use crate::am1::PAIRWISE;
    use crate::encoding::direct;

    /// The number of solutions of n queens, enumerated by blocking clauses with a solver that `prepare` sets up.
    fn enumerate<'a>(n: usize, prepare: impl FnOnce(&mut Solver<'a>)) -> usize {
        let mut solver = Solver::new();
        prepare(&mut solver);
        for clause in direct(n, &PAIRWISE).cnf.clauses() {
            let clause: Vec<_> =
                clause.iter().map(|l| varisat::Lit::from_dimacs(l.dimacs() as isize)).collect();
            solver.add_clause(&clause);
        }
        let mut models = 0;
        while solver.solve().expect("varisat answers") {
            let model = solver.model().expect("satisfiable");
            let blocking_clause: Vec<_> =
                model.into_iter().filter(|lit| lit.is_positive()).map(|lit| !lit).collect();
            solver.add_clause(&blocking_clause);
            models += 1;
        }
        models
    }

    #[derive(Clone, Default)]
    struct SharedBuffer(Rc<RefCell<Vec<u8>>>);

    impl Write for SharedBuffer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Counts learned clauses with varisat's checker, which reports the clauses from which a clause follows. A clause is a learned
    /// clause if it is empty or follows from two or more clauses that are not unit clauses.
    #[derive(Default)]
    struct CheckerCounter {
        units: HashSet<u64>,
        count: u64,
    }

    impl ProofProcessor for CheckerCounter {
        fn process_step(
            &mut self,
            step: &CheckedProofStep<'_>,
            _: CheckerData<'_, '_>,
        ) -> Result<(), anyhow::Error> {
            if let CheckedProofStep::AtClause { id, clause, propagations, .. } = step {
                let parents = propagations.iter().filter(|&parent| !self.units.contains(parent)).count();
                self.count += u64::from(clause.is_empty() || parents > 1);
                if clause.len() == 1 {
                    self.units.insert(*id);
                }
            }
            Ok(())
        }
    }

    #[test]
    fn number_of_learned_clauses_agrees_with_varisat() {
        for n in 4..=8 {
            let counter = LearnedClauseCounter::default();
            let count = Rc::clone(&counter.count);
            enumerate(n, |solver| solver.write_proof(counter, ProofFormat::Varisat));
            let mut checker = CheckerCounter::default();
            enumerate(n, |solver| solver.add_proof_processor(&mut checker));
            assert_eq!(count.get(), checker.count, "n = {n}");
            assert!(count.get() > 0);
        }
    }

    #[test]
    fn proof_is_parsed_from_chunks_of_any_size() {
        let proof = SharedBuffer::default();
        assert_eq!(enumerate(9, |solver| solver.write_proof(proof.clone(), ProofFormat::Varisat)), 352);
        let proof = proof.0.borrow();
        assert!(proof.len() > 4 * MIN_PARSED_BYTES);
        let count = |size: usize| {
            let mut counter = LearnedClauseCounter::default();
            let mut max_pending = 0;
            for chunk in proof.chunks(size) {
                counter.write_all(chunk).expect("a valid proof");
                max_pending = max_pending.max(counter.pending.len());
            }
            counter.flush().expect("a valid proof");
            assert!(counter.pending.is_empty());
            assert!(max_pending < 2 * MIN_PARSED_BYTES + size, "{max_pending} bytes were held");
            counter.count.get()
        };
        let count_in_one_chunk = count(proof.len());
        assert!(count_in_one_chunk > 0);
        assert_eq!([1, 2, 3, 7, 8192].map(count), [count_in_one_chunk; 5]);
    }
}
