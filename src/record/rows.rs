//! The rows of the other tables: recorded levels and cross-checks, derived times and counts. docs/FORMATS.md
//! defines each column; a test keeps the two consistent.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::row::factors_of_label;
use super::table::table;
use crate::solver::{Goal, Stat};

table! {
    /// A row of `levels.csv`: one level of the search tree of a full enumeration.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    LevelRow in "levels.csv" {
        schema_version: u32,
        cell_id: String,
        n: usize,
        variant: String,
        solver: String,
        level: usize,
        nodes: u64,
        dead_ends: u64,
        expected_nodes: Option<u64>,
        expected_source: Option<String>,
    }
}

table! {
    /// A row of `crosscheck.csv`: a solver compared with another one or with a published value.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    CrosscheckRow in "crosscheck.csv" {
        schema_version: u32,
        n: usize,
        variant: String,
        goal: Goal,
        solver: String,
        against: String,
        solutions: u64,
        digest: Option<String>,
        agrees: bool,
        missing: Option<u64>,
        extra: Option<u64>,
        illegal: Option<u64>,
        duplicates: Option<u64>,
        first_difference: Option<String>,
    }
}

fn factors_of_timings(row: &TimingsRow) -> Option<&str> {
    factors_of_label(&row.solver)
}

table! {
    /// A row of `timings.csv`, derived: the times of a cell's timed runs.
    #[derive(Clone, Debug, Default, PartialEq)]
    TimingsRow in "timings.csv" since "mean_ns" with factors_of_timings {
        n: usize,
        variant: String,
        goal: String,
        solver: String,
        threads: usize,
        runs: u64,
        solved: u64,
        timeouts: u64,
        median_ns: Option<u64>,
        mad_ns: Option<u64>,
        min_ns: Option<u64>,
        p25_ns: Option<u64>,
        p75_ns: Option<u64>,
        ci95_low_ns: Option<u64>,
        ci95_high_ns: Option<u64>,
        outliers: Option<u64>,
        par2_ns: Option<u64>,
        mean_ns: Option<u64>,
        sd_ns: Option<u64>,
        cpu_ns: Option<u64>,
        peak_rss_bytes: Option<u64>,
        wrong: u64,
        crashed: u64,
        unreadable: u64,
        disturbed: u64,
    }
}

table! {
    /// A row of `nodes.csv`, derived: the counters of a cell's counting run.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    NodesRow in "nodes.csv" {
        n: usize,
        variant: String,
        goal: String,
        solver: String,
        solutions: Option<u64>,
        ..stats = &NodesRow::statistics(),
        threads: usize,
        ..&[],
        ..&[],
    }
}

/// What the results say about a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// The claim holds at each of its sizes.
    Holds,
    /// The claim is false at one of its sizes at least.
    Fails,
    /// Runs are missing, or the times vary too much.
    #[default]
    Undecided,
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

table! {
    /// A row of `claims.csv`, derived: a claim and its verdict.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    ClaimRow in "claims.csv" {
        schema_version: u32,
        claim: usize,
        says: String,
        source: Option<String>,
        measure: String,
        of: String,
        compared_with: Option<String>,
        n: String,
        observed: Option<String>,
        bound: String,
        verdict: Judgement,
        counterexample: Option<String>,
    }
}

impl NodesRow {
    /// The statistics that have columns here.
    pub fn statistics() -> Vec<Stat> {
        let left_out = [Stat::MaxDepth, Stat::AuxVars, Stat::Cubes, Stat::ProofBytes];
        Stat::ALL.iter().copied().filter(|stat| !left_out.contains(stat)).collect()
    }
}
