//! Proofs of node counts: for each level k, the searcher visits exactly the legal placements on the first
//! k rows.
//!
//! Each visited placement is checked on the board, and all are distinct. The formula "a queen in
//! each of the first k rows, no two attack each other, and none of these placements" is refuted by varisat,
//! and [`lrat_check`] checks the proof. This gives the number of nodes on level k, which every searcher of
//! the textbook search tree must count; dead ends are counted on the board.
//! Cost: milliseconds per level for n <= 8; above, minutes.

use std::io;

use lrat_check::ProofVerdict;
use serde::Serialize;

use super::{Discrepancy, DiscrepancyBoards};
use crate::backtrack::{Flow, Searcher, Visitor};
use crate::board::problem::Problem;
use crate::board::{BoardSize, Placement, Square, column, first_attack, squares};
use crate::certify::{CertifyError, Proof, refute};
use crate::judging::{BoardFault, Finding, Quantity, Reference};
use crate::model::SolverRef;
use crate::sat::cnf::{Cnf, variable};
use crate::sat::dimacs;
use crate::sat::encoding::queen;
use crate::solver::{Goal, SolveError, Solver, Task};

/// The largest board for proofs of levels.
pub const LARGEST_BOARD: usize = 8;

/// One level of the search tree of a board.
#[derive(Clone, Debug, Serialize)]
pub struct ProvedLevel {
    /// Side length of the board.
    pub n: usize,
    /// Queens placed.
    pub level: usize,
    /// Nodes: legal placements of queens on the first `level` rows.
    pub placements: u64,
    /// Placements with no free square in the next row.
    pub dead_ends: u64,
    /// Clauses of the refuted formula.
    pub clauses: u64,
    /// Lemmas of the proof.
    pub lemmas: u64,
    /// The searchers whose counts agree.
    pub solvers: Vec<String>,
}

/// The proved levels, and what disagrees with them.
#[derive(Clone, Debug, Default)]
pub struct ProvedLevels {
    /// Every proved level.
    pub levels: Vec<ProvedLevel>,
    /// Every disagreement.
    pub discrepancies: Vec<Discrepancy>,
}

impl ProvedLevels {
    /// Whether every level was proved and every searcher agrees.
    pub fn agrees(&self) -> bool {
        self.discrepancies.is_empty() && !self.levels.is_empty()
    }
}

/// Proves the levels of a searcher that goes row by row and reports the cells it enters, and compares
/// the counts of `solvers` with them. Solvers that do not count nodes are left out.
///
/// # Errors
///
/// A solver failed.
pub fn levels(
    searcher: &impl Searcher,
    solvers: &[&dyn Solver],
    sizes: impl IntoIterator<Item = BoardSize>,
) -> Result<ProvedLevels, SolveError> {
    let mut report = ProvedLevels::default();
    for n in sizes {
        let mut visited = Visited { queens: Vec::new(), levels: vec![Vec::new(); n.get() + 1] };
        // This visitor never stops the search.
        let _ = searcher.run(&Task::new(n, Goal::Enumerate), &mut visited);
        let first = report.levels.len();
        for (level, placements) in visited.levels.into_iter().enumerate() {
            let proved = prove(n.get(), level, placements)
                .map_err(|error| SolveError::Failed { id: searcher.info().id, reason: error.to_string() })?;
            match proved {
                LevelProof::Proved(proved) => report.levels.push(proved),
                LevelProof::Fault(finding, boards) => report.discrepancies.push(Discrepancy {
                    n: n.get(),
                    solver: SolverRef::of(&searcher.info().id, []),
                    finding,
                    boards,
                }),
            }
        }
        for solver in solvers {
            compare(*solver, n, &mut report.levels[first..], &mut report.discrepancies)?;
        }
    }
    Ok(report)
}

/// Runs a solver and compares its counts with the proved ones.
fn compare(
    solver: &dyn Solver,
    n: BoardSize,
    levels: &mut [ProvedLevel],
    discrepancies: &mut Vec<Discrepancy>,
) -> Result<(), SolveError> {
    let info = solver.info();
    if info.refusal(&Problem::queens(n), Goal::Enumerate).is_some() || !info.walks_published_tree {
        return Ok(());
    }
    let task = Task { counting: true, ..Task::new(n, Goal::Enumerate) };
    let counted = solver.solve(&task, &mut crate::solver::sink::Discard)?.levels;
    let mut disagree = |finding| {
        discrepancies.push(Discrepancy {
            n: n.get(),
            solver: SolverRef::of(&info.id, []),
            finding,
            boards: DiscrepancyBoards::None,
        });
    };
    let maximum = n.get() + 1;
    if counted.len() > maximum {
        disagree(Finding::TooManyLevels { levels: counted.len(), maximum });
    }
    for level in levels {
        let (nodes, dead_ends) =
            counted.get(level.level).map_or((0, 0), |counted| (counted.nodes, counted.dead_ends));
        let other =
            |of, number, expected| Finding::OtherNumber { of, number, expected, by: Reference::ProofOfLevel };
        if nodes != level.placements {
            disagree(other(Quantity::Nodes(level.level), nodes, level.placements));
        } else if dead_ends != level.dead_ends {
            disagree(other(Quantity::DeadEnds(level.level), dead_ends, level.dead_ends));
        } else {
            level.solvers.push(info.id.clone());
        }
    }
    Ok(())
}

/// The result of proving a level.
#[derive(Debug)]
enum LevelProof {
    /// The placements are exactly the legal ones.
    Proved(ProvedLevel),
    /// They are not, with one of them that shows it, or the proof was rejected.
    Fault(Finding, DiscrepancyBoards),
}

fn visits(level: usize, fault: BoardFault, placement: &Placement) -> LevelProof {
    LevelProof::Fault(Finding::Visits { level, fault }, DiscrepancyBoards::One(fault, placement.clone()))
}

/// Proves that these are exactly the legal placements on the first `level` rows.
fn prove(n: usize, level: usize, mut placements: Vec<Placement>) -> Result<LevelProof, CertifyError> {
    placements.sort_unstable();
    for placement in &placements {
        let columns = placement.columns();
        let on_the_board = columns.len() == level && columns.iter().all(|&column| (column as usize) < n);
        if !on_the_board || first_attack(columns).is_some() {
            return Ok(visits(level, BoardFault::Illegal, placement));
        }
    }
    if let Some(twice) = placements.windows(2).find(|pair| pair[0] == pair[1]) {
        return Ok(visits(level, BoardFault::Duplicate, &twice[0]));
    }

    let cnf = formula(n, level, &placements);
    let clauses = cnf.len() as u64;
    let mut lrat = Vec::new();
    let mut proof = Proof::new(clauses, &mut lrat);
    let ids = (1..=clauses).collect();
    if let Err(model) = refute(&cnf, ids, &|lit| lit, Vec::new(), &mut proof)? {
        let columns: Vec<u32> = model.iter().map(|lit| column((lit.variable() as usize - 1) % n)).collect();
        let missing = Placement::new(&columns);
        return Ok(visits(level, BoardFault::Missing, &missing));
    }
    let lemmas = proof.lemmas;
    proof.flush()?;
    let mut text = Vec::new();
    dimacs::write(&mut text, [""; 0], &cnf)?;
    let verdict = lrat_check::check(text.as_slice(), lrat.as_slice());
    if let ProofVerdict::Rejected(rejection) = verdict.map_err(io::Error::other)? {
        let finding = Finding::RejectedProof { level, reason: rejection.to_string() };
        return Ok(LevelProof::Fault(finding, DiscrepancyBoards::None));
    }
    let is_dead_end = |placement: &&Placement| {
        let is_free = |column| {
            let cell = Square { row: level, column };
            !squares(placement.columns()).any(|queen| queen.attacks(cell))
        };
        level < n && !(0..n).any(is_free)
    };
    Ok(LevelProof::Proved(ProvedLevel {
        n,
        level,
        placements: placements.len() as u64,
        dead_ends: placements.iter().filter(is_dead_end).count() as u64,
        clauses,
        lemmas,
        solvers: Vec::new(),
    }))
}

/// The formula "a queen in each of the first rows, no two attack each other, and none of these placements".
fn formula(n: usize, rows: usize, placements: &[Placement]) -> Cnf {
    let mut cnf = Cnf::new(variable(rows * n));
    let squares_of = |row: usize| (0..n).map(move |column| Square { row, column });
    for row in 0..rows {
        cnf.add_clause(squares_of(row).map(|square| queen(n, square)));
    }
    let all: Vec<Square> = (0..rows).flat_map(squares_of).collect();
    for (index, &a) in all.iter().enumerate() {
        for &b in all[..index].iter().filter(|b| b.attacks(a)) {
            cnf.add_clause([!queen(n, a), !queen(n, b)]);
        }
    }
    for placement in placements {
        cnf.add_clause(squares(placement.columns()).map(|square| !queen(n, square)));
    }
    cnf
}

/// Records every placement that a searcher visits.
struct Visited {
    queens: Vec<u32>,
    levels: Vec<Vec<Placement>>,
}

impl Visitor for Visited {
    fn node(&mut self, level: usize) -> Flow {
        self.levels[level].push(Placement::new(&self.queens));
        Flow::Continue(())
    }

    fn enter(&mut self, _: usize, cell: usize) {
        self.queens.push(column(cell));
    }

    fn leave(&mut self, _: usize) {
        self.queens.pop();
    }

    fn solution(&mut self, _: &[u32]) -> Flow {
        self.queens.pop();
        Flow::Continue(())
    }
}

#[cfg(test)]
mod tests;
