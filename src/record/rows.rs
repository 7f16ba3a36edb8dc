//! The rows of the other tables: recorded levels and cross-checks, derived times and counts. docs/FORMATS.md
//! defines each column; a test keeps the two consistent.

use std::collections::BTreeMap;

use super::row::{Status, factors_of};
use super::table::{Column, Field, table, word_fields};
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

table! {
    /// A row of `timings.csv`, derived: the times of the timed runs of a cell.
    #[derive(Clone, Debug, Default, PartialEq)]
    TimingsRow in "timings.csv" {
        result: Option<String>,
        n: usize,
        variant: String,
        goal: String,
        solver: String,
        threads: usize,
        runs: u64,
        solved: u64,
        timeouts: u64,
        memouts: u64,
        limit_ns: Option<u64>,
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

    fn factors(&self) -> BTreeMap<&str, &str> {
        factors_of(&self.solver)
    }
}

table! {
    /// A row of `nodes.csv`, derived: the counters of a counting run.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    NodesRow in "nodes.csv" {
        result: Option<String>,
        n: usize,
        variant: String,
        goal: String,
        solver: String,
        threads: usize,
        status: Status,
        solutions: Option<u64>,
        ..stats,
    }
}

words! {
    /// What the results say about a claim.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Judgement {
        /// The claim holds at each of its sizes.
        Holds = "holds",
        /// The claim is false at one of its sizes at least.
        Fails = "fails",
        /// Runs are missing, or the times vary too much.
        #[default]
        Undecided = "undecided",
    }
}

word_fields!(Judgement);

table! {
    /// A row of `claims.csv`, derived: a claim and its verdict.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    ClaimRow in "claims.csv" {
        schema_version: u32,
        result: Option<String>,
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
        caveat: Option<String>,
    }
}
