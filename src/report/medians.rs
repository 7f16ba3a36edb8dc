//! The median times of a result, which a sweep prints at its end.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::series::{Grid, Problems, ReportKey, RunSeries};
use super::{DerivedData, ReportRun, Unit};
use crate::record::{Status, TimingsRow};

/// The median times of a result, and the cells without a median.
#[derive(Clone, Debug, Default)]
pub struct Medians {
    /// The sizes, ascending.
    pub sizes: Vec<usize>,
    /// The series of variants, which exist at every size.
    pub rows: Vec<MedianRow>,
    /// The series of instances.
    pub instances: Vec<InstancesRow>,
    /// The explanation of the mark after names; `None` if no name has the mark.
    pub mark_explanation: Option<&'static str>,
    /// The endings of runs without a time or without counts.
    pub endings: Vec<Ending>,
}

/// The median times of a series.
#[derive(Clone, Debug)]
pub struct MedianRow {
    /// The name of the series.
    pub name: String,
    /// The group of the series; empty if it has none.
    pub group: String,
    /// The cells by size.
    pub cells: BTreeMap<usize, TimingsRow>,
}

/// The median times of a series of instances.
#[derive(Clone, Debug)]
pub struct InstancesRow {
    /// The name of the series.
    pub name: String,
    /// The cells: one for each instance.
    pub cells: Vec<TimingsRow>,
}

/// The ending of runs of a series that have no time or no counts.
#[derive(Clone, Debug)]
pub struct Ending {
    /// The name of the series.
    pub name: String,
    /// The ending in words.
    pub description: String,
    /// The sizes with this ending, ascending.
    pub sizes: Vec<usize>,
}

impl Medians {
    /// The median times of a report.
    pub fn of(data: &DerivedData<'_>) -> Self {
        let has_instances = |series: &RunSeries<'_>| series.key.problems == Problems::Instances;
        let Grid { sizes, rows, groups, .. } = Grid::of(data, |series| !has_instances(series));
        let row = |((name, cells), group): ((String, BTreeMap<usize, &TimingsRow>), &str)| MedianRow {
            name,
            group: group.to_owned(),
            cells: cells.into_iter().map(|(n, cell)| (n, cell.clone())).collect(),
        };
        let instances =
            data.series.iter().filter(|series| has_instances(series)).map(|series| InstancesRow {
                name: data.timed_name(&series.key),
                cells: data.cells(series).into_iter().cloned().collect(),
            });
        Self {
            sizes,
            rows: rows.into_iter().zip(groups).map(row).collect(),
            instances: instances.filter(|row| !row.cells.is_empty()).collect(),
            mark_explanation: data.started_note(),
            endings: endings(data),
        }
    }
}

/// The endings of runs without a time or without counts: timed runs that reached a limit or gave up, counting runs without counts,
/// and skipped runs. Sizes at which a solver has the same ending are combined.
fn endings(data: &DerivedData<'_>) -> Vec<Ending> {
    let mut sizes: BTreeMap<(String, String), BTreeSet<usize>> = BTreeMap::new();
    let mut add_ending = |name: String, description: String, n: usize| {
        sizes.entry((name, description)).or_default().insert(n);
    };
    for (series, cell) in
        data.series.iter().flat_map(|series| data.cells(series).into_iter().map(move |cell| (series, cell)))
    {
        let limit = cell.limit_ns.map_or(String::new(), |limit| format!(" ({})", Unit::Time.show(limit)));
        let is_in_cell = |run: &&ReportRun<'_>| run.n == cell.n && ReportKey::of(run) == series.key;
        let has_cpu_limit = data.runs.iter().filter(is_in_cell).any(|run| run.cpu_limit_ns.is_some());
        let limits = if has_cpu_limit { "a limit on time or CPU time" } else { "the time limit" };
        for (count, predicate) in [
            (cell.timeouts, format!("reached {limits}{limit}")),
            (cell.memouts, "reached the memory limit".to_owned()),
            (cell.unknown, "gave up".to_owned()),
        ] {
            let count_text = format!("{count} of {} runs", cell.runs);
            let subject = if count == cell.runs { "all runs" } else { &count_text };
            if count > 0 {
                add_ending(data.timed_name(&series.key), format!("{subject} {predicate}"), cell.n);
            }
        }
    }
    for series in &data.series {
        for row in data.counts(series).iter().filter(|row| !row.status.is_solved()) {
            let description = format!("no counts, because the counting run has the status {}", row.status);
            add_ending(data.name(&series.key), description, row.n);
        }
    }
    let mut reasons: HashMap<&str, &str> = HashMap::new();
    let rows = data.source.parts.iter().flat_map(|part| part.rows);
    for row in rows.filter(|row| row.status == Status::Skipped) {
        let reason = reasons.entry(&row.solver).or_insert(row.reason().unwrap_or_default());
        add_ending(row.solver.to_string(), format!("skipped: {reason}"), row.n);
    }
    let ending = |((name, description), sizes): (_, BTreeSet<usize>)| Ending {
        name,
        description,
        sizes: sizes.into_iter().collect(),
    };
    sizes.into_iter().map(ending).collect()
}
