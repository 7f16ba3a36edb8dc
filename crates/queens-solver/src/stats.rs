//! The statistics that solvers count: the table of statistics, and the type of their values.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Declares [`Stat`]. Each entry has the meaning of a statistic, as in docs/FORMATS.md, with its value for all
/// solutions of 8 queens; its name in Rust; and its column in the tables.
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
    /// legal partial placements visited, the empty board included; 2057 (A319283)
    Nodes = "nodes";
    /// nodes that are not solutions and whose next row has no legal cell; 644
    DeadEnds = "dead_ends";
    /// (row, column) pairs tested for safety; 15720; empty for solvers that do not test single cells (bitmask)
    CellsTested = "cells_tested";
    /// pairs of queens compared, earlier queens in order, until the first conflict; 46752
    Comparisons = "comparisons";
    /// complete assignments tested; 16777216 (exhaustive), 40320 (permutations). A solver that counts candidates has
    /// no nodes
    Candidates = "candidates";
    /// most queens placed at once; 8
    MaxDepth = "max_depth";
    /// variables of the formula, including those of squares; 64
    Vars = "vars";
    /// variables that do not represent a square; 0
    AuxVars = "aux_vars";
    /// clauses of the formula, without blocking clauses; 744. `vars`, `aux_vars` and `clauses` are empty for `cubes`,
    /// which has one formula per cube
    Clauses = "clauses";
    /// answers of the SAT solver; 93: one per model, and one that there are no more. The same for every SAT solver, also for
    /// one that gives all of them in one call
    SolverCalls = "solver_calls";
    /// subproblems that queenlab enumerated, each solved by SAT; empty without `cubes`
    Cubes = "cubes";
    /// clauses that the SAT solver learned from conflicts; reported in varisat's native proof stream
    LearnedClauses = "learned_clauses";
    /// decisions that the SAT solver or `cp/pumpkin` reports; batsat and chrono report them, varisat does not
    Decisions = "decisions";
    /// conflicts that the SAT solver or `cp/pumpkin` reports, without models that were rejected; batsat and chrono report them,
    /// varisat does not
    Conflicts = "conflicts";
    /// propagations that the SAT solver or `cp/pumpkin` reports; batsat and chrono report them; those of `cp/pumpkin` are
    /// calls of propagators
    Propagations = "propagations";
    /// nodes that dancing links removes from its lists; 16680
    Updates = "updates";
    /// pairs of squares in different rows whose consistency was tested; 46752 without any of the search ideas, 12308 with
    /// backmarking, 13024 with forward checking
    ConsistencyChecks = "consistency_checks";
    /// nodes that are not solutions and from which no node was reached; 560 with forward checking, whose wiped-out nodes
    /// count
    Failures = "failures";
    /// searches begun again at the root by a searcher with restarts or iterations, or by `cp/pumpkin`
    Restarts = "restarts";
    /// moves of a local search: of one queen, or an exchange of two
    Repairs = "repairs";
    /// nodes that are neither failures nor solutions; 239 with unit propagation
    InnerNodes = "inner_nodes";
    /// conflicts on the first full board of a local search: on each column and diagonal, the queens after the first one
    StartConflicts = "start_conflicts";
    /// inner nodes of the decision diagram of all solutions; 373 with the rows in order
    ZddNodes = "zdd_nodes";
    /// different sets of open squares that a search with memo solved, each once
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
