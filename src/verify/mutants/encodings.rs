//! Wrong formulas: the direct encoding with one thing changed, enumerated by varisat.
//!
//! Each goes through the cross-check; through the test of a certificate, whether it has a model when all
//! solutions are denied; and, if it has no auxiliary variables, through the audit of a certificate.
//! A formula that is too strong has no such model: the proof cannot show the fault, but the sets and the
//! audit can.

use std::io;
use std::ops::ControlFlow;

use super::edits::{Names, edits};
use super::{Check, Kind, Trial};
use crate::board::problem::Problem;
use crate::board::{self, BoardSize, Square};
use crate::sat::am1::{AtMostOne, BITWISE, PAIRWISE, SEQUENTIAL};
use crate::sat::backend::{self, BackendError, Options};
use crate::sat::cnf::{Cnf, Lit, variable};
use crate::sat::encoding::{self, queen};
use crate::solver::{Goal, Info, Outcome, Sink, SolveError, Solver, Stop, Task};
use crate::verify::certificate::{self, Proof, Solutions, audit_formula};

/// A wrong formula, or a wrong way to read its models.
pub struct Mutant {
    name: &'static str,
    wrong: &'static str,
    am1: &'static AtMostOne,
    /// Whether a clause of the right formula is kept.
    keeps: fn(n: usize, clause: &[Lit]) -> bool,
    /// Adds clauses.
    adds: fn(n: usize) -> Vec<Vec<Lit>>,
    /// Whether models that differ only in auxiliary variables count as several.
    counts_auxiliary: bool,
}

const RIGHT: Mutant = Mutant {
    name: "unchanged",
    wrong: "nothing",
    am1: &PAIRWISE,
    keeps: |_, _| true,
    adds: |_| Vec::new(),
    counts_auxiliary: false,
};

/// Every wrong formula.
pub fn all() -> Vec<Mutant> {
    edits! { changed, Mutant, RIGHT;
        "clause dropped": "one clause of the main diagonal, 'not both' of its ends, is dropped" {
            keeps: |n, clause| squares(n, clause) != [(0, 0), (n - 1, n - 1)]
        }
        "diagonal forgotten": "the main rising diagonal may hold any number of queens" {
            keeps: |n, clause| !is_pair(clause) || squares(n, clause).iter().any(|(r, c)| r + c + 1 != n)
        }
        "short diagonals forgotten": "diagonals of two squares may hold two queens" {
            keeps: |n, clause| !is_pair(clause) || !ends_on_adjacent_edges(n, &squares(n, clause))
        }
        "row and column free": "the first row and the first column need no queen" {
            keeps: |n, clause| {
                let squares = squares(n, clause);
                is_pair(clause) || !(squares.iter().all(|s| s.0 == 0) || squares.iter().all(|s| s.1 == 0))
            }
        }
        "row free": "no clause requires a queen in the first row: the columns' clauses imply it for n > 1" {
            keeps: |n, clause| n == 1 || is_pair(clause) || squares(n, clause).iter().any(|s| s.0 > 0)
        }
        "corner forbidden": "a clause says that the first corner is empty" {
            adds: |n| vec![vec![!queen(n, Square { row: 0, column: 0 })]]
        }
        "half of the first row": "symmetry breaking removes the mirror images, and they are not added again" {
            adds: |n| {
                let right = n.div_ceil(2)..n;
                right.map(|column| vec![!queen(n, Square { row: 0, column })]).collect()
            }
        }
        "auxiliary variable left free": "in the sequential encoding, the first literal of a line does not set its counter" {
            am1: &SEQUENTIAL,
            keeps: |n, clause| !sets_first_counter(n, clause)
        }
        "auxiliary variables counted": "in the bitwise encoding, whole models are blocked, and bits that no queen sets are free" {
            am1: &BITWISE,
            counts_auxiliary: true
        }
    }
}

fn changed((name, wrong): Names, mutant: Mutant) -> Mutant {
    Mutant { name, wrong, ..mutant }
}

/// Row and column of the square of each literal, without auxiliary variables.
fn squares(n: usize, clause: &[Lit]) -> Vec<(usize, usize)> {
    let indices = clause.iter().map(|lit| lit.variable() as usize - 1).filter(|&index| index < n * n);
    indices.map(|index| (index / n, index % n)).collect()
}

/// Whether a clause means "not both".
fn is_pair(clause: &[Lit]) -> bool {
    clause.len() == 2 && clause.iter().all(|lit| !lit.is_positive())
}

/// The two squares of a diagonal next to a corner.
fn ends_on_adjacent_edges(n: usize, squares: &[(usize, usize)]) -> bool {
    let edge = |index: usize| index == 0 || index + 1 == n;
    let [(a, b), (c, d)] = squares[..] else { return false };
    a.abs_diff(c) == 1 && b.abs_diff(d) == 1 && (edge(a) && edge(d) || edge(b) && edge(c))
}

/// A clause "this square sets the counter" of a row's first square.
fn sets_first_counter(n: usize, clause: &[Lit]) -> bool {
    clause.len() == 2 && clause[1].is_positive() && matches!(squares(n, clause)[..], [(_, 0)])
}

impl Mutant {
    fn formula(&self, n: usize) -> Cnf {
        let right = encoding::direct(n, self.am1).cnf;
        let mut cnf = Cnf::new(right.variables());
        let kept = right.clauses().filter(|clause| (self.keeps)(n, clause)).map(<[Lit]>::to_vec);
        kept.chain((self.adds)(n)).for_each(|clause| cnf.add_clause(clause));
        cnf
    }

    /// Enumerates board by board. A row without exactly one queen gets a queen outside the board.
    fn models(&self, n: usize, sink: &mut dyn Sink) -> Result<Outcome, BackendError> {
        let cnf = self.formula(n);
        let varisat = backend::ALL.iter().find(|kind| kind.name == "varisat");
        let varisat =
            varisat.ok_or_else(|| BackendError::Failed("this build does not include varisat".into()))?;
        let mut solver = (varisat.open)(&Options::default());
        solver.add_formula(&cnf);
        let all = variable(n * n);
        let last = if self.counts_auxiliary { cnf.variables() } else { all };
        let mut solutions = 0;
        let (_, ended) = solver.models(last, &mut |variables| {
            let queens = variables.iter().filter(|&&variable| variable <= all);
            let board = columns(n, queens.map(|&variable| variable as usize - 1));
            solutions += 1;
            match sink.solution(&board) {
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
                ControlFlow::Break(()) => ControlFlow::Break(Some(Stop::Sink)),
            }
        })?;
        Ok(Outcome { solutions, stopped: ended.break_value().flatten(), ..Outcome::default() })
    }
}

/// The column of each row, `n` unless the row holds exactly one queen.
fn columns(n: usize, queens: impl Iterator<Item = usize>) -> Vec<u16> {
    let mut columns: Vec<Option<usize>> = vec![None; n];
    for square in queens {
        let row = &mut columns[square / n];
        *row = Some(if row.is_none() { square % n } else { n });
    }
    columns.into_iter().map(|queen| board::column(queen.unwrap_or(n))).collect()
}

impl Solver for Mutant {
    fn info(&self) -> Info {
        Info { goals: vec![Goal::Enumerate], ..Info::named(self.name) }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let failed =
            |error: BackendError| SolveError::Failed { id: self.name.to_owned(), reason: error.to_string() };
        self.models(task.n().get(), sink).map_err(failed)
    }
}

/// Tries formulas at these sizes, in ascending order.
pub fn trials(mutants: &[Mutant], sizes: &[BoardSize]) -> Result<Vec<Trial>, SolveError> {
    let trial = |mutant: &Mutant| Trial::new(Kind::Encoding, mutant.name, mutant.am1.name, mutant.wrong);
    let mut trials: Vec<Trial> = mutants.iter().map(trial).collect();
    let solvers: Vec<&dyn Solver> = mutants.iter().map(|mutant| mutant as &dyn Solver).collect();
    for &n in sizes {
        super::crosscheck(&solvers, &mut trials, n)?;
        for (mutant, trial) in mutants.iter().zip(&mut trials) {
            certify(mutant, n, trial)?;
        }
    }
    Ok(trials)
}

/// Whether a certificate could be made with this formula, and would pass its audit.
fn certify(mutant: &Mutant, n: BoardSize, trial: &mut Trial) -> Result<(), SolveError> {
    let failed = |reason: String| SolveError::Failed { id: mutant.name.to_owned(), reason };
    let problem = Problem::queens(n);
    let n = n.get();
    let solutions = Solutions::enumerate(&problem).map_err(|error| failed(error.to_string()))?;
    let mut cnf = mutant.formula(n);
    let encoding_clauses = cnf.len() as u64;
    for solution in solutions.iter() {
        cnf.add_clause(board::squares(solution).map(|square| !queen(n, square)));
    }
    let (ids, mut nowhere) = ((1..=cnf.len() as u64).collect(), io::sink());
    let mut proof = Proof::new(cnf.len() as u64, &mut nowhere, true);
    let refuted = certificate::refute_into(&cnf, ids, &|lit| lit, Vec::new(), &mut proof);
    if let Err(model) = refuted.map_err(|error| failed(error.to_string()))? {
        let squares = model.iter().map(|lit| lit.variable() as usize - 1).filter(|&square| square < n * n);
        let board: Vec<String> = columns(n, squares).iter().map(u16::to_string).collect();
        let message =
            format!("with all solutions denied, the formula still has a model: {}", board.join(" "));
        trial.caught(n, Check::Proof, message, None);
    }
    if mutant.am1.name == PAIRWISE.name
        && let Err(fault) = audit_formula(&problem, encoding_clauses, solutions.len() as u64, &cnf)
    {
        trial.caught(n, Check::Audit, fault.to_string(), None);
    }
    Ok(())
}

/// The right formulas: no check may catch them.
#[cfg(test)]
pub fn unchanged() -> Vec<Mutant> {
    vec![
        RIGHT,
        Mutant { name: "unchanged, sequential", am1: &SEQUENTIAL, ..RIGHT },
        Mutant { name: "unchanged, bitwise", am1: &BITWISE, ..RIGHT },
    ]
}
