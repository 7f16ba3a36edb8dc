//! The statistics that solvers count: the table of statistics, and the type of their values.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Declares [`Stat`]. Each entry consists of the meaning of a statistic, as in docs/FORMATS.md, with its value for all solutions of
/// 8 queens; the name of the variant of [`Stat`]; and the name of the CSV column.
macro_rules! statistics {
    ($($(#[doc = $meaning:literal])+ $stat:ident = $column:literal;)+) => {
        /// A statistic of a solver. Its value depends only on the task and the seed, not on the time or the machine.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum Stat {
            $($(#[doc = $meaning])+ #[serde(rename = $column)] $stat,)+
        }

        impl Stat {
            /// All statistics, in the order of the tables.
            pub const ALL: &[Stat] = &[$(Stat::$stat),+];

            /// The name of the CSV column.
            pub const fn name(self) -> &'static str {
                match self { $(Stat::$stat => $column),+ }
            }

            /// The meaning, as in docs/FORMATS.md.
            pub fn meaning(self) -> &'static str {
                match self { $(Stat::$stat => concat!($($meaning),+).trim_start()),+ }
            }
        }
    };
}

// To add a statistic, add an entry at the end, and set its value in the solvers that count it.
statistics! {
    /// legal partial placements visited, including the empty board; 2057 (A319283)
    Nodes = "nodes";
    /// nodes that are not solutions and whose next row has no legal square; 644
    DeadEnds = "dead_ends";
    /// squares tested for attacks; 15720; empty for solvers that do not test single squares
    CellsTested = "cells_tested";
    /// pairs of queens compared: the new queen is compared with earlier queens in order, until the first conflict; 46752
    Comparisons = "comparisons";
    /// complete assignments tested; 16777216 (exhaustive), 40320 (permutations). A solver that counts candidates has
    /// no nodes
    Candidates = "candidates";
    /// maximum number of queens on the board at the same time; 8
    MaxDepth = "max_depth";
    /// variables of the formula, including those of squares; 64
    Vars = "vars";
    /// variables that do not represent a square; 0
    AuxVars = "aux_vars";
    /// clauses of the formula, without blocking clauses; 744. `vars`, `aux_vars` and `clauses` are empty for the `cubes`
    /// strategies, which have one formula per cube
    Clauses = "clauses";
    /// answers of the SAT solver; 93: one for each of the 92 models, and one that says that there is no further model. The number
    /// is the same if the SAT solver finds all models in one call
    SolverCalls = "solver_calls";
    /// subproblems (cubes) that queenlab made and the SAT solver solved; empty without a `cubes` strategy
    Cubes = "cubes";
    /// clauses that the SAT solver learned from conflicts; only varisat reports them
    LearnedClauses = "learned_clauses";
    /// decisions of the SAT solver or of `cp/pumpkin`; batsat, chrono and cadical report them
    Decisions = "decisions";
    /// conflicts of the SAT solver or of `cp/pumpkin`, without conflicts that only exclude a model; batsat, chrono and cadical
    /// report them
    Conflicts = "conflicts";
    /// propagations of the SAT solver, or calls of propagators of `cp/pumpkin`; of the SAT solvers, batsat, chrono and cadical
    /// report them
    Propagations = "propagations";
    /// removals of a node from a linked list by dancing links; 16680
    Updates = "updates";
    /// pairs of squares in different rows whose consistency was tested; 46752 in plain backtracking, 12308 with backmarking,
    /// 13024 with forward checking
    ConsistencyChecks = "consistency_checks";
    /// nodes that are not solutions and have no child node; 560 with forward checking, which also counts the nodes that
    /// leave a row without a legal square
    Failures = "failures";
    /// number of times that a searcher with restarts or iterations, or `cp/pumpkin`, began again at the root
    Restarts = "restarts";
    /// moves of a local search; a move changes the square of one queen, or exchanges the columns of two queens
    Repairs = "repairs";
    /// nodes that are neither failures nor solutions; 239 with unit propagation
    InnerNodes = "inner_nodes";
    /// conflicts on the first full board of a local search: for each column and diagonal with queens, their number minus 1
    StartConflicts = "start_conflicts";
    /// inner nodes of the decision diagram of all solutions; 460, and 373 with `next=in-order`
    ZddNodes = "zdd_nodes";
    /// different sets of open squares that a search with memoization solved; it solves each set once
    MemoStates = "memo_states";
}

impl Stat {
    /// The statistic of a CSV column.
    pub fn named(column: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|stat| stat.name() == column)
    }
}

/// The values of statistics. A statistic that was not counted has no value, which is different from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Statistics(BTreeMap<Stat, u64>);

impl Statistics {
    /// The value of a statistic; `None` if it was not counted.
    pub fn get(&self, stat: Stat) -> Option<u64> {
        self.0.get(&stat).copied()
    }

    /// Sets the value of a statistic; `None` removes it.
    pub fn set(&mut self, stat: Stat, value: impl Into<Option<u64>>) {
        match value.into() {
            Some(value) => self.0.insert(stat, value),
            None => self.0.remove(&stat),
        };
    }

    /// The statistics that were counted, with their values.
    pub fn iter(&self) -> impl Iterator<Item = (Stat, u64)> {
        self.0.iter().map(|(&stat, &value)| (stat, value))
    }

    /// Adds the values that another part of the same search has counted.
    pub fn add(&mut self, part: &Statistics) {
        for (&stat, value) in &part.0 {
            *self.0.entry(stat).or_default() += value;
        }
    }
}

impl FromIterator<(Stat, u64)> for Statistics {
    fn from_iter<I: IntoIterator<Item = (Stat, u64)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl<const N: usize> From<[(Stat, u64); N]> for Statistics {
    fn from(values: [(Stat, u64); N]) -> Self {
        Self(values.into())
    }
}

/// Nodes and dead ends of one level of a search tree; level k has k queens placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// [`Stat::Nodes`] of this level.
    pub nodes: u64,
    /// [`Stat::DeadEnds`] of this level.
    pub dead_ends: u64,
}
