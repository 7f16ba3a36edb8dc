//! A proof from the search tree of a backtracker for plain queens. No SAT solver is used.
//!
//! When the searcher leaves a node, the lemma of the node (`tree.rs`) is written. If a searcher skips a node, the proof lacks a lemma,
//! and checkers reject it. The searcher visits the whole tree for each part of a certificate. Only nodes of the part get lemmas: a
//! node gets no lemma if it has a queen on a square that a clause of the part excludes.

use super::CertifyError;
use super::formula::HintedFormula;
use super::proof::Proof;
use super::solutions::Solutions;
use super::tree::LemmaWriter;
use queens_board::Square;
use queens_search::backtrack::{Flow, Visitor};
use queens_solver::Stop;

/// The number of cube rows of the parts, from the top. With this number, proofs of parts have at most about 100 MB.
pub fn part_row_count(n: usize) -> usize {
    match n {
        0..=5 => 0,
        15..=16 => 2,
        _ => 1,
    }
}

/// Calls `search` with the size of the board, and writes the tree that it visits as a proof.
pub fn write(
    search: impl Fn(usize, &mut LemmaVisitor<'_, '_>) -> Flow,
    formula: &HintedFormula,
    solutions: &Solutions,
    proof: &mut Proof<'_>,
) -> Result<(), CertifyError> {
    let n = formula.n;
    let writer = LemmaWriter::new(formula, proof);
    let children = vec![vec![0; n]; n];
    let mut visitor =
        LemmaVisitor { writer, solutions, queens: Vec::new(), excluded_depth: 0, children, failure: None };
    let _ = search(n, &mut visitor);
    visitor.failure.map_or(Ok(()), Err)
}

/// A visitor that writes a lemma for each node of a search.
pub struct LemmaVisitor<'a, 'w> {
    writer: LemmaWriter<'a, 'w>,
    solutions: &'a Solutions,
    queens: Vec<Square>,
    /// The number of queens from the first queen on an excluded square to the last queen; 0 if no queen is on an excluded square.
    excluded_depth: usize,
    /// By row and column, the id of the lemma or clause that excludes the child node; 0 if there is none.
    children: Vec<Vec<u64>>,
    failure: Option<CertifyError>,
}

impl LemmaVisitor<'_, '_> {
    /// Leaves a node, and stores the id of the lemma or clause that excludes it.
    fn leave_node(&mut self, clause: Result<u64, CertifyError>) -> Flow {
        match clause {
            Ok(clause) => {
                if let Some(queen) = self.queens.pop() {
                    self.children[queen.row][queen.column] = clause;
                }
                Flow::Continue(())
            }
            Err(error) => {
                self.failure = Some(error);
                Flow::Break(Stop::Sink)
            }
        }
    }

    /// Whether the node that the search leaves has a queen on an excluded square. Must be called exactly once when the search
    /// leaves a node.
    fn had_excluded_queen(&mut self) -> bool {
        let had_excluded_queen = self.excluded_depth > 0;
        self.excluded_depth -= usize::from(had_excluded_queen);
        had_excluded_queen
    }
}

impl Visitor for LemmaVisitor<'_, '_> {
    fn node(&mut self, _: usize) -> Flow {
        if self.failure.is_some() { Flow::Break(Stop::Sink) } else { Flow::Continue(()) }
    }

    fn enter(&mut self, row: usize, column: usize) {
        let queen = Square { row, column };
        if self.excluded_depth == 0 && self.writer.formula.is_open(&self.queens, queen) {
            self.queens.push(queen);
        } else {
            self.excluded_depth += 1;
        }
    }

    fn leave(&mut self, level: usize) {
        if self.had_excluded_queen() {
            return;
        }
        let lemma = self.writer.lemma(&self.queens, level, &self.children[level]);
        self.children[level].fill(0);
        let _ = self.leave_node(lemma.map_err(CertifyError::from));
    }

    fn solution(&mut self, columns: &[u32]) -> Flow {
        if self.had_excluded_queen() {
            return Flow::Continue(());
        }
        let position = self.solutions.position(columns);
        self.leave_node(position.map(|position| self.writer.formula.solution_clause(position)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_board::problem::Problem;
    use queens_board::{self as board, BoardSize};
    use queens_sat::symmetry::{SymmetryBreaking, SymmetryGroup};
    use queens_search::backtrack::Bitmask;

    const N: usize = 6;

    /// A faulty searcher, which skips a free column at each node with two queens.
    fn incomplete_search(n: usize, columns: &mut Vec<u32>, visitor: &mut LemmaVisitor<'_, '_>) -> Flow {
        let row = columns.len();
        visitor.node(row)?;
        if row == n {
            return visitor.solution(columns);
        }
        let is_attacked =
            |column: usize| board::squares(columns).any(|queen| queen.attacks(Square { row, column }));
        let free_columns: Vec<usize> = (0..n).filter(|&column| !is_attacked(column)).collect();
        for column in free_columns.into_iter().skip(usize::from(row == 2)) {
            visitor.enter(row, column);
            columns.push(board::column(column));
            incomplete_search(n, columns, visitor)?;
            columns.pop();
        }
        visitor.leave(row);
        Flow::Continue(())
    }

    /// Whether the proof of a searcher is valid, for the whole problem and for each queen of the top row.
    fn verdicts(search: impl Fn(usize, &mut LemmaVisitor<'_, '_>) -> Flow) -> Vec<bool> {
        let problem = Problem::queens(BoardSize::new(N).expect("small"));
        let breaking = SymmetryBreaking::on_middle_row(N, SymmetryGroup::None);
        let all_solutions = Solutions::enumerate(&problem, breaking).expect("small");
        let prefix = (0..N).map(|column| vec![Square { row: 0, column }]);
        let verified = std::iter::once(Vec::new()).chain(prefix).map(|prefix| {
            let contains_prefix =
                |columns: &&[u32]| prefix.iter().all(|queen| columns[0] == board::column(queen.column));
            let solutions = Solutions::from_sorted(N, all_solutions.iter().filter(contains_prefix));
            let problem = problem.clone().place(prefix.iter().copied()).expect("on the board");
            let formula = HintedFormula::new(problem, &breaking, &solutions);
            let (mut cnf, mut lrat) = (Vec::new(), Vec::new());
            formula.write(&mut cnf).expect("a vector");
            let mut proof = Proof::new(formula.cnf.len() as u64, &mut lrat);
            write(&search, &formula, &solutions, &mut proof).expect("all solutions are there");
            proof.flush().expect("a vector");
            lrat_check::check(&cnf[..], &lrat[..]).expect("readable").is_verified()
        });
        verified.collect()
    }

    #[test]
    fn proof_of_a_searcher_that_skips_columns_fails() {
        assert_eq!(verdicts(|n, visitor| Bitmask::search(n, visitor)), [true; 1 + N]);
        assert_eq!(verdicts(|n, visitor| incomplete_search(n, &mut Vec::new(), visitor)), [false; 1 + N]);
    }
}
