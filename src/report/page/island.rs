//! The data island of a page: one JSON text for the script, with the values of the plots and tables and the runs of each cell.

use std::collections::{BTreeMap, HashMap};

use serde::{Serialize, Serializer};

use super::printed::{NumberedTexts, PageOutputs, has_output};
use super::{Baseline, PageCell, PagePart, PageTable};
use crate::record::{Kind, Status};
use crate::report::series::ReportKey;
use crate::report::{DerivedData, ReportRun, Unit};
use crate::solver::Goal;
use lineplot::{Formatter, PlotError};

/// The maximum number of characters of an error that are shown with its run.
const MAX_ERROR_CHARS: usize = 400;

/// The data island of a page, which is all data that the script of the page reads.
#[derive(Serialize)]
struct PageIsland<'p> {
    /// The time units: the length in nanoseconds and the symbol of each.
    time: &'p [(f64, &'p str)],
    /// The plots by the names of their files.
    plots: BTreeMap<&'p str, PlotValues<'p>>,
    /// The tables in the order of the page.
    tables: Vec<TableValues<'p>>,
    /// The runs of the series.
    runs: PageRuns<'p>,
}

/// The values of a plot, and their positions in its pictures.
#[derive(Serialize)]
struct PlotValues<'p> {
    #[serde(flatten)]
    island: &'p lineplot::Island,
    /// The positions in the narrow picture, if there are two pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    narrow: Option<&'p lineplot::Places>,
}

/// The values of a table.
#[derive(Serialize)]
struct TableValues<'p> {
    label: &'p str,
    heads: Vec<&'p str>,
    /// The board size of each column; empty if the table has no runs.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    sizes: &'p [Option<usize>],
    /// The number of the series of each row; empty if the table has no runs.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    series: &'p [usize],
    rows: &'p [Vec<PageCell>],
    /// The cells for each baseline.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    baselines: &'p [Baseline],
}

impl Serialize for PageCell {
    /// Serializes the text alone, or a list of the text, the exact value and the small print. The list ends with the last part
    /// that exists.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (&self.value, &self.small_print) {
            (None, None) => self.text.serialize(serializer),
            (value, None) => (&self.text, value).serialize(serializer),
            (value, small) => (&self.text, value, small).serialize(serializer),
        }
    }
}

/// The runs of each series, with the lists of kinds and outputs, to which runs refer by number.
#[derive(Serialize)]
struct PageRuns<'p> {
    /// The distinct combinations of kind, status, verdict and error.
    kinds: Vec<[String; 4]>,
    /// The result directory, relative to the directory in which the sweep was started; `None` if it was not recorded.
    directory: Option<String>,
    /// The outputs of wrong and failed runs, to which runs refer by number.
    printed: Vec<String>,
    series: BTreeMap<usize, RunsOfSeries<'p>>,
}

/// The runs of a series.
#[derive(Serialize)]
struct RunsOfSeries<'p> {
    /// The value of `--solver` that selects the solver of the series.
    selection: &'p str,
    goal: Goal,
    threads: usize,
    /// The runs of each size.
    sizes: BTreeMap<usize, Vec<PageRun<'p>>>,
}

/// A run: its time in nanoseconds, and the number of its kind unless it is 0. A run that is wrong or failed also has its id, the
/// number of its output, and the file with the complete output.
#[derive(Serialize)]
#[serde(untagged)]
enum PageRun<'p> {
    OfFirstKind(Option<u64>),
    OfKind(Option<u64>, usize),
    WithOutput(Option<u64>, usize, &'p str, Option<usize>, Option<String>),
}

/// The data island of a page with these parts, escaped for an element `<script>`.
///
/// # Errors
///
/// A value cannot be represented in JSON.
pub fn json<'p>(
    data: &DerivedData<'_>,
    outputs: &PageOutputs,
    parts: impl Iterator<Item = &'p PagePart>,
) -> Result<String, PlotError> {
    let (mut plots, mut tables) = (BTreeMap::new(), Vec::new());
    for part in parts {
        if let PagePart::Figure(figure) = part {
            let values = |island| PlotValues { island, narrow: figure.places.as_ref() };
            plots.extend(figure.island.as_ref().map(|island| (figure.name.as_str(), values(island))));
        }
        tables.extend(part.table().map(table_values));
    }
    lineplot::json_for_script(&PageIsland {
        time: Unit::Time.steps(),
        plots,
        tables,
        runs: runs(data, outputs),
    })
}

fn table_values(table: &PageTable) -> TableValues<'_> {
    TableValues {
        label: &table.label,
        heads: table.head.iter().map(|head| head.name.as_str()).collect(),
        sizes: &table.sizes,
        series: &table.series,
        rows: &table.rows,
        baselines: &table.baselines,
    }
}

fn runs<'d>(data: &'d DerivedData<'_>, outputs: &PageOutputs) -> PageRuns<'d> {
    let mut output_texts = NumberedTexts::default();
    let mut kinds: Vec<[String; 4]> = Vec::new();
    let mut numbers: HashMap<[String; 4], usize> = HashMap::new();
    let mut series: BTreeMap<usize, RunsOfSeries<'_>> = BTreeMap::new();
    let ids: HashMap<ReportKey<'_>, usize> =
        data.series.iter().map(|series| (series.key, series.id)).collect();
    let mut runs: Vec<&ReportRun<'_>> =
        data.runs.iter().filter(|run| run.status != Status::Skipped && !run.is_replaced()).collect();
    runs.sort_by_key(|run| {
        (run.kind != Kind::Timed, ReportKey::of(run), &run.variant, run.n, run.seed, run.repetition)
    });
    for run in runs {
        let reason: String = run.row.reason().unwrap_or_default().chars().take(MAX_ERROR_CHARS).collect();
        let kind = [run.kind.to_string(), run.status.to_string(), run.verdict.to_string(), reason];
        let number = *numbers.entry(kind).or_insert_with_key(|kind| {
            kinds.push(kind.clone());
            kinds.len() - 1
        });
        let key = ReportKey::of(run);
        let Some(&id) = ids.get(&key) else { continue };
        let ReportKey { solver, goal, threads, .. } = key;
        let entry_of_series = series.entry(id).or_insert_with(|| RunsOfSeries {
            selection: solver.selection(),
            goal,
            threads,
            sizes: BTreeMap::new(),
        });
        let time = data.source.clock.answered_ns(run).or(run.stopped_ns());
        let page_run = if has_output(run) {
            let text = outputs.beginning_and_end(run).and_then(|text| output_texts.number(text));
            PageRun::WithOutput(time, number, &run.run_id, text, outputs.link(run))
        } else if number == 0 {
            PageRun::OfFirstKind(time)
        } else {
            PageRun::OfKind(time, number)
        };
        entry_of_series.sizes.entry(run.n).or_default().push(page_run);
    }
    PageRuns { kinds, directory: directory(data), printed: output_texts.into_texts(), series }
}

/// The result directory of the last session, relative to the directory in which the command ran.
fn directory(data: &DerivedData<'_>) -> Option<String> {
    let part = data.source.parts.iter().find(|part| part.plan.is_some())?;
    part.meta?.sessions.last()?.directory.clone()
}
