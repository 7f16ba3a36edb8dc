//! The definitions of the statistics.
//!
//! - **node**: a legal partial placement that the search visits, the empty board included
//!   (8 queens, all solutions: 2057; A319283).
//! - **dead end**: a node that is not a solution and whose next row has no legal cell (8 queens: 644).
//! - **cell tested**: a (row, column) pair whose safety was tested (8 queens: 15720).
//! - **comparison**: two queens compared; earlier queens in order, until the first conflict (46752).
//! - **candidate**: a complete assignment that was tested; a searcher that counts candidates has no nodes.
//! - **learned clause**: a clause that a SAT solver reports as learned. It is not a node.

use serde::{Deserialize, Serialize};

/// A statistic, named after its CSV column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is defined at the head of this module")]
#[non_exhaustive]
pub enum Stat {
    Nodes,
    DeadEnds,
    CellsTested,
    Comparisons,
    Candidates,
    MaxDepth,
    Vars,
    AuxVars,
    Clauses,
    SolverCalls,
    Cubes,
    LearnedClauses,
    Decisions,
    Conflicts,
    Propagations,
}

impl Stat {
    /// Name of the CSV column.
    pub fn name(self) -> &'static str {
        match self {
            Stat::Nodes => "nodes",
            Stat::DeadEnds => "dead_ends",
            Stat::CellsTested => "cells_tested",
            Stat::Comparisons => "comparisons",
            Stat::Candidates => "candidates",
            Stat::MaxDepth => "max_depth",
            Stat::Vars => "vars",
            Stat::AuxVars => "aux_vars",
            Stat::Clauses => "clauses",
            Stat::SolverCalls => "solver_calls",
            Stat::Cubes => "cubes",
            Stat::LearnedClauses => "learned_clauses",
            Stat::Decisions => "decisions",
            Stat::Conflicts => "conflicts",
            Stat::Propagations => "propagations",
        }
    }
}

/// The cells of the next row that a searcher tests at a node; they determine `cells_tested`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellsAsked {
    /// None: the searcher tests no cells.
    None,
    /// Every column of the row.
    EveryColumn,
    /// Every column, except for the first queen, which is not tested.
    EveryColumnAfterTheFirstQueen,
    /// Only columns without a queen so far.
    UnusedColumns,
}

impl CellsAsked {
    /// Cells tested in a full enumeration of a tree, given its number of nodes on each level `0..=n`.
    pub fn total(self, nodes: &[u64]) -> Option<u64> {
        let n = nodes.len().saturating_sub(1);
        let asked = |level: usize| match self {
            CellsAsked::None => 0,
            CellsAsked::EveryColumn => n,
            CellsAsked::EveryColumnAfterTheFirstQueen => n * usize::from(level > 0),
            CellsAsked::UnusedColumns => n - level,
        };
        let total = nodes[..n].iter().enumerate().map(|(level, nodes)| nodes * asked(level) as u64).sum();
        (self != CellsAsked::None).then_some(total)
    }
}

/// Nodes and dead ends of one level of a search tree; level k has k queens placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each is defined at the head of this module")]
pub struct Level {
    pub nodes: u64,
    pub dead_ends: u64,
}

/// Statistics of a searcher; `None` is "not counted", never 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each is defined at the head of this module")]
#[non_exhaustive]
pub struct SearchStats {
    pub nodes: Option<u64>,
    pub dead_ends: Option<u64>,
    pub cells_tested: Option<u64>,
    pub comparisons: Option<u64>,
    pub candidates: Option<u64>,
    /// Most queens placed at once.
    pub max_depth: Option<u64>,
    /// Levels 0..=n; empty if the searcher has no nodes.
    pub levels: Vec<Level>,
}

/// Statistics of a SAT solver; `None` is "not reported", never 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SatStats {
    /// Variables of the formula, including the variables of the squares.
    pub vars: Option<u64>,
    /// Variables of the formula that do not represent a square.
    pub aux_vars: Option<u64>,
    /// Clauses of the formula, blocking clauses not included.
    pub clauses: Option<u64>,
    /// Calls of the solver.
    pub solver_calls: Option<u64>,
    /// Subproblems (cubes) that were enumerated outside the SAT solver, each solved by SAT.
    pub cubes: Option<u64>,
    /// Clauses that the solver reports as learned.
    pub learned_clauses: Option<u64>,
    /// Decisions that the solver reports.
    pub decisions: Option<u64>,
    /// Conflicts that the solver reports.
    pub conflicts: Option<u64>,
    /// Propagations that the solver reports.
    pub propagations: Option<u64>,
}
