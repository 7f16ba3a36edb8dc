//! Compares two results, or two series of one result: first the answers, then the times.
//!
//! Cells are matched by n, variant, goal, solver and threads. The ratio of the second result to the first is estimated from all
//! pairs of runs, or from the common rounds of two series of one sweep. A run that was stopped by a limit counts as longer than all
//! others. There are ratios of cells, of series, and of all series together.
//!
//! The verdict on a ratio depends on where its whole 95 % interval lies. The first of these verdicts that applies is used:
//!
//! - *slower*: above 1
//! - *faster*: below 1
//! - *within x %*: between 1 / (1 + x / 100) and 1 + x / 100
//! - *undecided*: anywhere else
//!
//! The intervals of series are corrected for the number of series. Because there are many cells, a slower or faster cell also
//! needs p < 0.05 in a rank test, corrected for the number of cells.

mod answers;
mod gate;
mod series;
mod times;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::series::ReportKey;
use super::tables::{ReportCell, cells};
use super::{ReportPart, ReportRun, runs};
use crate::experiment::StoredResults;
use crate::record::{LevelRow, SCHEMA_VERSION, Status};
use runlab::machine::Machine;

use answers::CellChanges;
pub use answers::{CellChange, compared_columns};
pub use gate::{Gate, Undecided};
pub use series::SeriesError;
use times::NoRatio;
pub use times::{CellRatio, Overall, Pairing, SolverRatio, TimeRatio, TimeVerdict};

/// The default tolerance in percent.
pub const WITHIN_PERCENT: f64 = 5.0;

/// A comparison of two results, or of two series of one result.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison<'a> {
    /// The version of the JSON layout.
    pub schema_version: u32,
    /// Cells whose answer is wrong only in the second result, or whose answers contradict each other.
    pub wrong: Vec<CellChange<'a>>,
    /// Cells with other changes that should not depend on time or machine.
    pub changed: Vec<CellChange<'a>>,
    /// Cells that the first result answered in every run, and the second result in at most half of the runs.
    pub lost: Vec<CellChange<'a>>,
    /// Cells that the first result answered in at most half of the runs, and the second result in every run.
    pub gained: Vec<CellChange<'a>>,
    /// Other answers, counts and levels that only one of the two results has.
    pub one_sided: Vec<CellChange<'a>>,
    /// The number of cells with an answer in both results.
    pub compared: usize,
    /// The tolerance of the verdicts, in percent.
    pub within_percent: f64,
    /// The times of each cell.
    pub ratios: Vec<CellRatio<'a>>,
    /// The times of each series.
    pub solvers: Vec<SolverRatio<'a>>,
    /// The times of all series.
    pub overall: Option<Overall>,
    /// Cells with a time of 0, which is below the resolution of the clock. Their times are not compared.
    pub unresolved: Vec<ReportCell<'a>>,
    /// Other cells of the first result whose times cannot be compared: the second result lacks them, a median is unknown, or a
    /// run was stopped and the limits of the two results differ.
    pub not_compared: Vec<ReportCell<'a>>,
    /// Cells that only the first result has.
    pub only_first: Vec<ReportCell<'a>>,
    /// Cells that only the second result has.
    pub only_second: Vec<ReportCell<'a>>,
    /// The differences of the machines and programs, or of the programs of two series.
    pub differences: Vec<String>,
    /// Whether the results are from different or unknown machines.
    #[serde(rename = "different_machines")]
    pub are_different_machines: bool,
    /// Which runs are compared with each other.
    #[serde(skip)]
    pairing: Pairing,
}

impl<'a> Comparison<'a> {
    /// Compares the second result with the first, with a tolerance in percent.
    pub fn of(first: &'a StoredResults, second: &'a StoredResults, within_percent: f64) -> Self {
        let differences = differences(first, second).into_iter();
        let comparison = Self {
            differences: differences.map(|(what, was, is)| format!("{what}: {was}, now {is}")).collect(),
            are_different_machines: have_different_machines(first, second),
            ..Self::new(within_percent, Pairing::Independent)
        };
        let mut comparison = comparison.compare_cells(&attempted_cells(first), &attempted_cells(second));
        comparison.compare_levels(first, second);
        comparison
    }

    /// Whether two series of one result are compared.
    pub fn is_of_series(&self) -> bool {
        self.pairing == Pairing::Rounds
    }

    fn new(within_percent: f64, pairing: Pairing) -> Self {
        Self { schema_version: SCHEMA_VERSION, within_percent, pairing, ..Self::default() }
    }

    /// Compares the cells of both results.
    fn compare_cells(mut self, old: &Cells<'a>, new: &Cells<'a>) -> Self {
        let only_in_first = |a: &Cells<'a>, b: &Cells<'a>| {
            a.keys().filter(|cell| !b.contains_key(*cell)).copied().collect::<Vec<_>>()
        };
        (self.only_first, self.only_second) = (only_in_first(old, new), only_in_first(new, old));
        for (cell, old) in old {
            let Some(new) = new.get(cell) else {
                self.not_compared.extend(has_time(old).then_some(*cell));
                continue;
            };
            self.compare_answers(*cell, old, new);
            match CellRatio::of(*cell, self.pairing, [old, new]) {
                Ok(ratio) => self.ratios.push(ratio),
                Err(NoRatio::Unresolved) => self.unresolved.push(*cell),
                Err(NoRatio::Unknown) => self.not_compared.extend(has_time(old).then_some(*cell)),
            }
        }
        times::judge_cells(&mut self.ratios, self.within_percent);
        (self.solvers, self.overall) = times::over_sizes(&self.ratios, self.pairing, self.within_percent);
        self
    }

    /// Compares the answers of a cell.
    fn compare_answers(&mut self, cell: ReportCell<'a>, old: &[ReportRun<'_>], new: &[ReportRun<'_>]) {
        let change = |what: String| CellChange { cell, what };
        let CellChanges { wrong, changed, one_sided } = CellChanges::of(old, new);
        self.wrong.extend(wrong.map(change));
        if self.pairing == Pairing::Independent {
            // Different solvers count different statistics, and may find different first solutions.
            self.changed.extend(changed.into_iter().map(change));
            self.one_sided.extend(one_sided.into_iter().map(change));
        }
        self.compared += usize::from([old, new].iter().all(|runs| runs.iter().any(|run| run.is_answered())));
        if answers::is_lost(old, new) {
            self.lost.push(change(answers::statuses_in_words(new)));
        } else if answers::is_lost(new, old) {
            self.gained.push(change(answers::statuses_in_words(old)));
        }
    }

    /// Compares the levels of cells that were answered in both results. A cell has the same id in both results if the plans agree.
    fn compare_levels(&mut self, first: &'a StoredResults, second: &'a StoredResults) {
        let (old, new) = (levels(first), levels(second));
        for (id, (cell, old)) in &old {
            let Some((_, new)) = new.get(id) else { continue };
            let numbers: BTreeSet<&usize> = old.keys().chain(new.keys()).collect();
            for level in numbers {
                let count_text = |pair: Option<&(u64, u64)>| {
                    pair.map_or("none".to_owned(), |(nodes, dead)| format!("{nodes} nodes, {dead} dead ends"))
                };
                let (was, is) = (old.get(level), new.get(level));
                if was != is {
                    let what = format!("level {level}: {}, now {}", count_text(was), count_text(is));
                    let is_in_both = was.is_some() && is.is_some();
                    let list = if is_in_both { &mut self.changed } else { &mut self.one_sided };
                    list.push(CellChange { cell: *cell, what });
                }
            }
        }
    }
}

/// The runs that were not skipped, by cell.
fn attempted_cells(stored: &StoredResults) -> Cells<'_> {
    let runs = runs(&[ReportPart::of(stored, "")]);
    cells(runs.iter().filter(|run| run.status != Status::Skipped))
}

fn has_time(runs: &[ReportRun<'_>]) -> bool {
    runs.iter().any(|run| run.is_timed() && run.is_answered())
}

type Cells<'a> = BTreeMap<ReportCell<'a>, Vec<ReportRun<'a>>>;

type Levels<'a> = BTreeMap<&'a str, (ReportCell<'a>, BTreeMap<usize, (u64, u64)>)>;

/// The nodes and dead ends of each level, by the id of the cell. Answered cells without levels have an empty list.
fn levels(stored: &StoredResults) -> Levels<'_> {
    let mut levels: Levels<'_> = BTreeMap::new();
    for run in runs(&[ReportPart::of(stored, "")]).iter().filter(|run| run.is_answered()) {
        levels.entry(&run.row.cell_id).or_insert_with(|| (ReportCell::of(run), BTreeMap::new()));
    }
    for LevelRow { cell_id, level, nodes, dead_ends, .. } in &stored.levels {
        if let Some((_, cell_levels)) = levels.get_mut(cell_id.as_str()) {
            cell_levels.insert(*level, (*nodes, *dead_ends));
        }
    }
    levels
}

/// Whether two results are from different or unknown machines.
fn have_different_machines(first: &StoredResults, second: &StoredResults) -> bool {
    match (&first.meta, &second.meta) {
        (Some(old), Some(new)) => !machine_differences(&old.machine, &new.machine).is_empty(),
        _ => true,
    }
}

/// The differences between the machines and programs of two results, with both values.
pub fn differences(first: &StoredResults, second: &StoredResults) -> Vec<(String, String, String)> {
    let (Some(old), Some(new)) = (&first.meta, &second.meta) else {
        let is_recorded =
            |stored: &StoredResults| if stored.meta.is_some() { "known" } else { "unknown" }.to_owned();
        return vec![("machine and program".to_owned(), is_recorded(first), is_recorded(second))];
    };
    let mut pairs = vec![
        ("queenlab".to_owned(), old.queenlab_version.clone(), new.queenlab_version.clone()),
        (
            "executable".to_owned(),
            shortened_digest(&old.executable_sha256),
            shortened_digest(&new.executable_sha256),
        ),
        ("compiler".to_owned(), old.rustc.clone(), new.rustc.clone()),
        ("target features".to_owned(), old.target_features.clone(), new.target_features.clone()),
    ];
    for (solver, was) in &old.solvers {
        pairs.extend(new.solvers.get(solver).map(|is| (solver.clone(), was.clone(), is.clone())));
    }
    for (file, was) in &old.files {
        pairs.extend(
            new.files
                .get(file)
                .map(|is| (format!("file {file}"), shortened_digest(was), shortened_digest(is))),
        );
    }
    let cells = first.plan.iter().flat_map(|plan| &plan.cells).filter(|cell| cell.starts_programs());
    for solver in cells.map(|cell| cell.key.solver.to_string()).collect::<BTreeSet<_>>() {
        let files = different_files([(first, &solver), (second, &solver)]);
        pairs.extend(files.map(|[was, is]| (format!("files of {solver}"), was, is)));
    }
    pairs.retain(|(_, was, is)| was != is);
    let mut differences = machine_differences(&old.machine, &new.machine);
    differences.append(&mut pairs);
    differences
}

/// The first 12 digits of a digest.
fn shortened_digest(digest: &str) -> String {
    digest.chars().take(12).collect()
}

/// The files that only one of two solvers names, with their digests, as a text for each solver. `None` if all contents are the
/// same, or if one of the solvers is not a program.
fn different_files(sides: [(&StoredResults, &str); 2]) -> Option<[String; 2]> {
    let [old, new] = sides.map(|(stored, solver)| files_of(stored, solver));
    let contents = [&old, &new].map(|files| files.values().collect::<BTreeSet<_>>());
    if old.is_empty() || new.is_empty() || contents[0] == contents[1] {
        return None;
    }
    let text = |files: &FileDigests<'_>, other_files: &FileDigests<'_>| {
        let unique_files = files.iter().filter(|(file, _)| !other_files.contains_key(*file));
        let texts: Vec<String> =
            unique_files.map(|(file, digest)| format!("{file} {}", shortened_digest(digest))).collect();
        if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
    };
    let texts = [text(&old, &new), text(&new, &old)];
    (texts[0] != texts[1]).then_some(texts)
}

/// The digests of files, by the words of a command that name them.
type FileDigests<'a> = BTreeMap<&'a str, &'a str>;

/// The files that the commands of a solver name.
fn files_of<'a>(stored: &'a StoredResults, solver: &str) -> FileDigests<'a> {
    let (Some(plan), Some(meta)) = (&stored.plan, &stored.meta) else { return FileDigests::new() };
    let cells = plan.cells.iter().filter(|cell| cell.starts_programs());
    let cells = cells.filter(|cell| {
        let id = cell.key.solver.to_string();
        id == solver
    });
    let words: BTreeSet<String> = cells.flat_map(|cell| cell.words()).collect();
    let files = meta.files.iter().filter(|(word, _)| words.contains(*word));
    files.map(|(word, digest)| (word.as_str(), digest.as_str())).collect()
}

/// The differences between two machines, with both values.
fn machine_differences(old: &Machine, new: &Machine) -> Vec<(String, String, String)> {
    let value_or_unknown = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
    let turbo_text = |on: Option<bool>| on.map_or("unknown".to_owned(), |on| on.to_string());
    let quota_text = |cpus: Option<f64>| cpus.map_or("none".to_owned(), |cpus| format!("{cpus:.2} CPUs"));
    let mut pairs = vec![
        ("host", old.host.clone(), new.host.clone()),
        ("CPU", old.cpu_model.clone(), new.cpu_model.clone()),
        ("cores", old.cores.to_string(), new.cores.to_string()),
        ("operating system", old.os.clone(), new.os.clone()),
        ("kernel", old.kernel.clone(), new.kernel.clone()),
        ("governor", value_or_unknown(&old.governor), value_or_unknown(&new.governor)),
        ("turbo", turbo_text(old.turbo), turbo_text(new.turbo)),
        ("CPU quota", quota_text(old.cpu_quota), quota_text(new.cpu_quota)),
    ];
    pairs.retain(|(_, was, is)| was != is);
    pairs.into_iter().map(|(what, was, is)| (what.to_owned(), was, is)).collect()
}

#[cfg(test)]
mod tests;
