//! Proofs of node counts: for each level k, a searcher visits exactly the legal placements on the first k rows.
//!
//! Each visited placement is checked to be legal and distinct. A formula states that the first k rows have queens that do not
//! attack each other and are not one of these placements. varisat refutes the formula, and [`lrat_check`] checks the proof. The
//! number of placements is then the number of nodes on level k, which every searcher of the textbook search tree must count.
//! Dead ends are counted by testing each square of the next row. Cost: milliseconds per level for n <= 8, minutes for larger
//! boards.

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

/// The maximum board size for proofs of levels.
pub const MAX_SIZE: usize = 8;

/// One level of the search tree of a board.
#[derive(Clone, Debug, Serialize)]
pub struct ProvedLevel {
    /// Side length of the board.
    pub n: usize,
    /// The number of placed queens.
    pub level: usize,
    /// The number of nodes: legal placements of queens on the first `level` rows.
    pub placements: u64,
    /// The number of placements without a free square in the next row.
    pub dead_ends: u64,
    /// The number of clauses of the refuted formula.
    pub clauses: u64,
    /// The number of lemmas of the proof.
    pub lemmas: u64,
    /// The solvers whose counts agree.
    pub solvers: Vec<String>,
}

/// The proved levels, and the solvers that disagree with them.
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

/// Proves the levels of a searcher, which must search row by row and report the squares that it enters. Compares the counts of
/// `solvers` with the proved levels. Solvers that do not count the nodes of this tree are skipped.
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
        let mut recorder = VisitRecorder { queens: Vec::new(), levels: vec![Vec::new(); n.get() + 1] };
        // This visitor never stops the search.
        let _ = searcher.run(&Task::new(n, Goal::Enumerate), &mut recorder);
        let first_new_level = report.levels.len();
        for (level, placements) in recorder.levels.into_iter().enumerate() {
            let proof = prove(n.get(), level, placements)
                .map_err(|error| SolveError::Failed { id: searcher.info().id, reason: error.to_string() })?;
            match proof {
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
            compare(*solver, n, &mut report.levels[first_new_level..], &mut report.discrepancies)?;
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
    let counted_levels = solver.solve(&task, &mut crate::solver::sink::Discard)?.levels;
    let mut add_disagreement = |finding| {
        discrepancies.push(Discrepancy {
            n: n.get(),
            solver: SolverRef::of(&info.id, []),
            finding,
            boards: DiscrepancyBoards::None,
        });
    };
    let maximum = n.get() + 1;
    if counted_levels.len() > maximum {
        add_disagreement(Finding::TooManyLevels { levels: counted_levels.len(), maximum });
    }
    for level in levels {
        let (nodes, dead_ends) =
            counted_levels.get(level.level).map_or((0, 0), |counted| (counted.nodes, counted.dead_ends));
        let wrong_number = |quantity, number, expected| Finding::OtherNumber {
            quantity,
            number,
            expected,
            reference: Reference::ProofOfLevel,
        };
        if nodes != level.placements {
            add_disagreement(wrong_number(Quantity::Nodes(level.level), nodes, level.placements));
        } else if dead_ends != level.dead_ends {
            add_disagreement(wrong_number(Quantity::DeadEnds(level.level), dead_ends, level.dead_ends));
        } else {
            level.solvers.push(info.id.clone());
        }
    }
    Ok(())
}

/// The result of proving a level.
#[derive(Debug)]
enum LevelProof {
    /// The visited placements are exactly the legal ones.
    Proved(ProvedLevel),
    /// A placement is missing, repeated or illegal, or the checker rejected the proof.
    Fault(Finding, DiscrepancyBoards),
}

fn faulty_proof(level: usize, fault: BoardFault, placement: &Placement) -> LevelProof {
    LevelProof::Fault(
        Finding::WrongVisit { level, fault },
        DiscrepancyBoards::Single(fault, placement.clone()),
    )
}

/// Proves that `placements` are exactly the legal placements on the first `level` rows.
fn prove(n: usize, level: usize, mut placements: Vec<Placement>) -> Result<LevelProof, CertifyError> {
    placements.sort_unstable();
    for placement in &placements {
        let columns = placement.columns();
        let is_on_the_board = columns.len() == level && columns.iter().all(|&column| (column as usize) < n);
        if !is_on_the_board || first_attack(columns).is_some() {
            return Ok(faulty_proof(level, BoardFault::Illegal, placement));
        }
    }
    if let Some(repeated) = placements.windows(2).find(|pair| pair[0] == pair[1]) {
        return Ok(faulty_proof(level, BoardFault::Duplicate, &repeated[0]));
    }

    let cnf = formula(n, level, &placements);
    let clauses = cnf.len() as u64;
    let mut lrat = Vec::new();
    let mut proof = Proof::new(clauses, &mut lrat);
    let ids = (1..=clauses).collect();
    if let Err(model) = refute(&cnf, ids, &|lit| lit, Vec::new(), &mut proof)? {
        let columns: Vec<u32> = model.iter().map(|lit| column((lit.variable() as usize - 1) % n)).collect();
        let missing = Placement::new(&columns);
        return Ok(faulty_proof(level, BoardFault::Missing, &missing));
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

/// The formula that states: each of the first `rows` rows has a queen, no two queens attack each other, and the queens are not
/// one of these placements.
fn formula(n: usize, rows: usize, placements: &[Placement]) -> Cnf {
    let mut cnf = Cnf::new(variable(rows * n));
    let squares_of = |row: usize| (0..n).map(move |column| Square { row, column });
    for row in 0..rows {
        cnf.add_clause(squares_of(row).map(|square| queen(n, square)));
    }
    let all_squares: Vec<Square> = (0..rows).flat_map(squares_of).collect();
    for (index, &a) in all_squares.iter().enumerate() {
        for &b in all_squares[..index].iter().filter(|b| b.attacks(a)) {
            cnf.add_clause([!queen(n, a), !queen(n, b)]);
        }
    }
    for placement in placements {
        cnf.add_clause(squares(placement.columns()).map(|square| !queen(n, square)));
    }
    cnf
}

/// Records every placement that a searcher visits.
struct VisitRecorder {
    queens: Vec<u32>,
    levels: Vec<Vec<Placement>>,
}

impl Visitor for VisitRecorder {
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
