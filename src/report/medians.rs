//! The median times of a result as a value: what a terminal shows when a sweep ends.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::series::{Grid, Problems, RunSeries};
use super::{Data, Unit};
use crate::record::{Status, TimingsRow};

/// The median times of a result, and which runs have none.
#[derive(Clone, Debug, Default)]
pub struct Medians {
    /// The sizes, ascending.
    pub sizes: Vec<usize>,
    /// The series of problems that exist at every size.
    pub rows: Vec<MedianRow>,
    /// The series of instances.
    pub instances: Vec<InstancesRow>,
    /// What the mark of a name means, if one has it.
    pub started: Option<&'static str>,
    /// How runs ended that have no time or no counts.
    pub endings: Vec<Ending>,
}

/// The median times of a series.
#[derive(Clone, Debug)]
pub struct MedianRow {
    /// What the series is called.
    pub name: String,
    /// Its group; empty if it has none.
    pub group: String,
    /// Its cells by size.
    pub cells: BTreeMap<usize, TimingsRow>,
}

/// The times of a solver of instances.
#[derive(Clone, Debug)]
pub struct InstancesRow {
    /// What the series is called.
    pub name: String,
    /// A cell for each instance.
    pub cells: Vec<TimingsRow>,
}

/// How runs of a series ended that have no time or no counts.
#[derive(Clone, Debug)]
pub struct Ending {
    /// What the series is called.
    pub name: String,
    /// How they ended, in words.
    pub how: String,
    /// The sizes at which they ended so, ascending.
    pub sizes: Vec<usize>,
}

impl Medians {
    /// Those of a report.
    pub fn of(data: &Data<'_>) -> Self {
        let of_instances = |series: &RunSeries<'_>| series.key.problems == Problems::Instances;
        let Grid { sizes, rows, groups, .. } = Grid::of(data, |series| !of_instances(series));
        let row = |((name, cells), group): ((String, BTreeMap<usize, &TimingsRow>), &str)| MedianRow {
            name,
            group: group.to_owned(),
            cells: cells.into_iter().map(|(n, cell)| (n, cell.clone())).collect(),
        };
        let instances = data.series.iter().filter(|series| of_instances(series)).map(|series| InstancesRow {
            name: data.timed_name(&series.key),
            cells: data.cells(series).into_iter().cloned().collect(),
        });
        Self {
            sizes,
            rows: rows.into_iter().zip(groups).map(row).collect(),
            instances: instances.filter(|row| !row.cells.is_empty()).collect(),
            started: data.started(),
            endings: endings(data),
        }
    }
}

/// Which cells reached which limit or gave up, which counting runs have no counts, and which cells were skipped: one value for all sizes at
/// which a solver ended alike.
fn endings(data: &Data<'_>) -> Vec<Ending> {
    let mut sizes: BTreeMap<(String, String), BTreeSet<usize>> = BTreeMap::new();
    let mut add = |name: String, how: String, n: usize| {
        sizes.entry((name, how)).or_default().insert(n);
    };
    for (series, cell) in
        data.series.iter().flat_map(|series| data.cells(series).into_iter().map(move |cell| (series, cell)))
    {
        let limit = cell.limit_ns.map_or(String::new(), |limit| format!(" ({})", Unit::Time.show(limit)));
        for (count, how) in [
            (cell.timeouts, format!("reached the time limit{limit}")),
            (cell.memouts, "reached the memory limit".to_owned()),
            (cell.unknown, "gave up".to_owned()),
        ] {
            let some = format!("{count} of {} runs", cell.runs);
            let runs = if count == cell.runs { "all runs" } else { &some };
            if count > 0 {
                add(data.timed_name(&series.key), format!("{runs} {how}"), cell.n);
            }
        }
    }
    for series in &data.series {
        for row in data.counts(series).iter().filter(|row| !row.status.is_solved()) {
            let how = format!("no counts, because the counting run ended with {}", row.status);
            add(data.name(&series.key), how, row.n);
        }
    }
    let mut reasons: HashMap<&str, &str> = HashMap::new();
    let rows = data.material.parts.iter().flat_map(|part| part.rows);
    for row in rows.filter(|row| row.status == Status::Skipped) {
        let reason = reasons.entry(&row.solver).or_insert(row.reason().unwrap_or_default());
        add(row.solver.to_string(), format!("skipped: {reason}"), row.n);
    }
    let ending =
        |((name, how), sizes): (_, BTreeSet<usize>)| Ending { name, how, sizes: sizes.into_iter().collect() };
    sizes.into_iter().map(ending).collect()
}
