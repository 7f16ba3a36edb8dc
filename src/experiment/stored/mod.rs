//! Reads a result directory: for a sweep that is resumed, and for reports, comparisons and exports. The
//! directory may come from an untrusted source, may have been cut off in the middle of a line, and may
//! contain any bytes. All of it is treated as data; nothing in it is used as a path or a command.
//!
//! The claims of a row are checked: its cell and its run must match its other fields and the plan, no run may
//! occur twice, and its answer is judged again.

//!
//! `judging.rs` checks and judges the rows.

mod judging;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

use serde_json::Value;

use super::builtin;
use super::claim::Claim;
use super::plan::{Cell, Plan};
use crate::record::{CrosscheckRow, LevelRow, Meta, RecordError, Row, Table, table};
pub use judging::judge;
use judging::{Judge, check_levels};

/// The content of a result directory. `R` is the part of each run that is kept.
#[derive(Clone, Debug, Default)]
pub struct Stored<R = Row> {
    /// Every run of the plan, judged again; without a plan, every run.
    pub rows: Vec<R>,
    /// Number of the runs that belong to earlier plans of the directory (`sweep --accept`) and are left out.
    pub others: usize,
    /// Every level of the runs' search trees.
    pub levels: Vec<LevelRow>,
    /// Every comparison; empty if the table is missing.
    pub crosscheck: Vec<CrosscheckRow>,
    /// What the results were made with, if `meta.json` exists.
    pub meta: Option<Meta>,
    /// What the results are said to show: the claims of the plan or, if it has none, those of the
    /// built-in experiment of its name.
    pub claims: Vec<Claim>,
    /// Remarks for the user.
    pub remarks: Vec<String>,
}

impl Stored {
    /// Reads a result directory. Memory is proportional to the size of its tables.
    pub fn read(directory: &Path) -> Result<Self, RecordError> {
        Self::read_as(directory, |row| row)
    }
}

impl<R> Stored<R> {
    /// Reads a result directory and keeps `part` of each checked row of `runs.csv`. Memory: the parts, and about 50 bytes
    /// per run while the table is read; the table itself is never in memory.
    pub fn read_as(directory: &Path, mut part: impl FnMut(Row) -> R) -> Result<Self, RecordError> {
        let mut remarks = Vec::new();
        if !directory.is_dir() {
            let error = io::Error::new(io::ErrorKind::NotFound, "this result directory does not exist");
            return Err(RecordError::Io { path: directory.to_owned(), error });
        }
        let runs = directory.join(Row::FILE);
        if runs.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            let reason = "this file does not exist: give the directory of a sweep (its --out)".to_owned();
            return Err(RecordError::Table { path: runs, reason });
        }
        // Errors of runs.csv come first.
        crate::files::open_regular(&runs).map_err(|error| RecordError::Io { path: runs.clone(), error })?;
        let meta = Meta::read(directory)?;
        let cells = meta.as_ref().map(|meta| cells(directory, meta)).transpose()?;
        let planned = meta.as_ref().map(|meta| Planned::of(&meta.plan));
        let mut judge = Judge::new(directory, cells.as_ref());
        let mut all: Vec<Row> = Vec::new();
        let torn = table::for_each_complete(directory, |mut row: Row| {
            judge.row(&mut row)?;
            all.push(row);
            Ok(())
        })?;
        let contradictions = judging::contradictions(directory, &mut all);
        let found = all.len();
        all.retain(|row| planned.as_ref().is_none_or(|planned| planned.has(row)));
        let others = found - all.len();
        let rows: Vec<R> = all.into_iter().map(&mut part).collect();
        if torn {
            remarks.push(torn_remark::<Row>(directory));
        }
        if meta.is_none() {
            remarks.push(format!(
                "{}: meta.json does not exist: the machine, plan and command are unknown",
                directory.display()
            ));
        }
        let (mut firsts, remark) = judge.finish();
        remarks.extend(remark.into_iter().chain(contradictions));
        if others > 0 {
            let (directory, runs) = (directory.display(), if others == 1 { "run" } else { "runs" });
            remarks.push(format!(
                "{directory}: {others} {runs} of earlier plans left out; the last plan does not have them"
            ));
        } else if rows.is_empty() {
            remarks.push(format!("{}: the table contains no runs", runs.display()));
        }
        let mut levels: Vec<LevelRow> = optional(directory, &mut remarks)?;
        if let Some(planned) = &planned {
            firsts.retain(|id, _| planned.cells.contains(id.as_str()));
        }
        check_levels(directory, &firsts, &mut levels)?;
        let claims = meta.as_ref().map(|meta| claims(directory, meta)).transpose()?.unwrap_or_default();
        Ok(Self {
            rows,
            others,
            levels,
            crosscheck: optional(directory, &mut remarks)?,
            meta,
            claims,
            remarks,
        })
    }
}

/// The rows of a plan, and the number of the other rows: those of earlier plans (`sweep --accept`).
pub fn of_plan(mut rows: Vec<Row>, plan: &Value) -> (Vec<Row>, usize) {
    let (planned, all) = (Planned::of(plan), rows.len());
    rows.retain(|row| planned.has(row));
    let others = all - rows.len();
    (rows, others)
}

/// The runs of a plan: the ids of its cells, and how often a cell is repeated.
struct Planned<'a> {
    cells: HashSet<&'a str>,
    repeat: u64,
    warmup: u64,
}

impl<'a> Planned<'a> {
    fn of(plan: &'a Value) -> Self {
        let cells = plan.get("cells").and_then(Value::as_array).into_iter().flatten();
        let most = |key| plan.get(key).and_then(Value::as_u64).unwrap_or(u64::MAX);
        Self {
            cells: cells.filter_map(|cell| cell.get("id")?.as_str()).collect(),
            repeat: most("repeat"),
            warmup: most("warmup"),
        }
    }

    fn has(&self, row: &Row) -> bool {
        let most = if row.warmup { self.warmup } else { self.repeat };
        u64::from(row.repetition) <= most && self.cells.contains(row.cell_id.as_str())
    }
}

fn torn_remark<T: Table>(directory: &Path) -> String {
    format!("{}: the last line is incomplete and is ignored", directory.join(T::FILE).display())
}

/// Reads an optional table without its torn last row, which a killed process may have left behind.
fn optional<T: Table>(directory: &Path, remarks: &mut Vec<String>) -> Result<Vec<T>, RecordError> {
    let mut rows = Vec::new();
    let read = table::for_each_complete(directory, |row| {
        rows.push(row);
        Ok(())
    });
    match read {
        Err(RecordError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {}
        Ok(false) => {}
        Ok(true) => remarks.push(torn_remark::<T>(directory)),
        Err(error) => return Err(error),
    }
    Ok(rows)
}

/// The cells that are allowed to have rows, by id.
pub type Cells = HashMap<String, Cell>;

/// The cells of a plan, by id.
pub fn planned(plan: &Plan) -> Cells {
    plan.cells.iter().map(|cell| (cell.id.clone(), cell.clone())).collect()
}

/// The cells of the plan that a directory was made with, and of its earlier plans.
pub fn cells(directory: &Path, meta: &Meta) -> Result<Cells, RecordError> {
    let planned = meta.plan.get("cells").and_then(|cells| cells.as_array()).into_iter().flatten();
    let mut cells = Cells::new();
    for cell in planned.chain(&meta.earlier_cells) {
        let cell: Cell = serde::Deserialize::deserialize(cell).map_err(|error| RecordError::Table {
            path: directory.join(Meta::FILE),
            reason: format!("a cell of its plan cannot be read: {error}"),
        })?;
        cells.insert(cell.id.clone(), cell);
    }
    Ok(cells)
}

/// The claims of the plan that a directory was made with.
fn claims(directory: &Path, meta: &Meta) -> Result<Vec<Claim>, RecordError> {
    let is_given = |claims: &&serde_json::Value| claims.as_array().is_none_or(|claims| !claims.is_empty());
    let Some(claims) = meta.plan.get("claims").filter(is_given) else {
        let name = meta.plan.get("name").and_then(Value::as_str).unwrap_or_default();
        return Ok(builtin::named(name).and_then(Result::ok).map_or(Vec::new(), |spec| spec.claims));
    };
    serde::Deserialize::deserialize(claims).map_err(|error| RecordError::Table {
        path: directory.join(Meta::FILE),
        reason: format!("a claim of its plan cannot be read: {error}"),
    })
}
