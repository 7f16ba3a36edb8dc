//! The rows of the other tables: recorded levels and cross-checks, derived times and counts. docs/FORMATS.md
//! defines each column; a test keeps the two consistent.

use serde::{Deserialize, Serialize};

use super::table::Table;
#[cfg(test)]
use super::{SCHEMA_VERSION, VARIANT};

/// A row of `levels.csv`: one level of the search tree of a full enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each column")]
#[non_exhaustive]
pub struct LevelRow {
    pub schema_version: u32,
    pub cell_id: String,
    pub n: usize,
    pub variant: String,
    pub solver: String,
    pub level: usize,
    pub nodes: u64,
    pub dead_ends: u64,
    pub expected_nodes: Option<u64>,
    pub expected_source: Option<String>,
}

/// A row of `crosscheck.csv`: a solver compared with another one or with a published value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each column")]
pub struct CrosscheckRow {
    pub schema_version: u32,
    pub n: usize,
    pub variant: String,
    pub solver: String,
    pub against: String,
    pub solutions: u64,
    pub digest: Option<String>,
    pub agrees: bool,
    pub missing: Option<u64>,
    pub extra: Option<u64>,
    pub illegal: Option<u64>,
    pub duplicates: Option<u64>,
    pub first_difference: Option<String>,
}

/// A row of `timings.csv`, derived: the times of a cell's timed runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each column")]
#[non_exhaustive]
pub struct TimingsRow {
    pub n: usize,
    pub variant: String,
    pub goal: String,
    pub solver: String,
    pub threads: usize,
    pub runs: u64,
    pub solved: u64,
    pub timeouts: u64,
    pub median_ns: Option<u64>,
    pub mad_ns: Option<u64>,
    pub min_ns: Option<u64>,
    pub p25_ns: Option<u64>,
    pub p75_ns: Option<u64>,
    pub ci95_low_ns: Option<u64>,
    pub ci95_high_ns: Option<u64>,
    pub outliers: Option<u64>,
    pub par2_ns: Option<u64>,
}

/// A row of `nodes.csv`, derived: the counters of a cell's counting run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/FORMATS.md defines each column")]
#[non_exhaustive]
pub struct NodesRow {
    pub n: usize,
    pub variant: String,
    pub goal: String,
    pub solver: String,
    pub solutions: Option<u64>,
    pub nodes: Option<u64>,
    pub dead_ends: Option<u64>,
    pub cells_tested: Option<u64>,
    pub comparisons: Option<u64>,
    pub candidates: Option<u64>,
    pub vars: Option<u64>,
    pub clauses: Option<u64>,
    pub solver_calls: Option<u64>,
    pub learned_clauses: Option<u64>,
    pub decisions: Option<u64>,
    pub conflicts: Option<u64>,
    pub propagations: Option<u64>,
}

#[cfg(test)]
impl LevelRow {
    pub(super) fn example() -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            cell_id: "c".into(),
            n: 8,
            variant: VARIANT.into(),
            solver: "s".into(),
            level: 4,
            nodes: 344,
            dead_ends: 18,
            expected_nodes: Some(344),
            expected_source: None,
        }
    }
}

#[cfg(test)]
impl CrosscheckRow {
    pub(super) fn example() -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            n: 8,
            variant: VARIANT.into(),
            solver: "s".into(),
            against: "t".into(),
            solutions: 92,
            digest: None,
            agrees: true,
            missing: None,
            extra: None,
            illegal: None,
            duplicates: None,
            first_difference: None,
        }
    }
}

impl Table for LevelRow {
    const FILE: &'static str = "levels.csv";
    const COLUMNS: &'static [&'static str] = &[
        "schema_version",
        "cell_id",
        "n",
        "variant",
        "solver",
        "level",
        "nodes",
        "dead_ends",
        "expected_nodes",
        "expected_source",
    ];
}

impl Table for CrosscheckRow {
    const FILE: &'static str = "crosscheck.csv";
    const COLUMNS: &'static [&'static str] = &[
        "schema_version",
        "n",
        "variant",
        "solver",
        "against",
        "solutions",
        "digest",
        "agrees",
        "missing",
        "extra",
        "illegal",
        "duplicates",
        "first_difference",
    ];
}

impl Table for TimingsRow {
    const FILE: &'static str = "timings.csv";
    const COLUMNS: &'static [&'static str] = &[
        "n",
        "variant",
        "goal",
        "solver",
        "threads",
        "runs",
        "solved",
        "timeouts",
        "median_ns",
        "mad_ns",
        "min_ns",
        "p25_ns",
        "p75_ns",
        "ci95_low_ns",
        "ci95_high_ns",
        "outliers",
        "par2_ns",
    ];
}

impl Table for NodesRow {
    const FILE: &'static str = "nodes.csv";
    const COLUMNS: &'static [&'static str] = &[
        "n",
        "variant",
        "goal",
        "solver",
        "solutions",
        "nodes",
        "dead_ends",
        "cells_tested",
        "comparisons",
        "candidates",
        "vars",
        "clauses",
        "solver_calls",
        "learned_clauses",
        "decisions",
        "conflicts",
        "propagations",
    ];
}
