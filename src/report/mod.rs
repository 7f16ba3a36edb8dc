//! Makes tables, plots and a page from the files that a sweep writes. The tables, plots and page can be deleted and made again:
//! the same input always gives the same bytes.
//!
//! ```text
//! merge.rs     combines several directories        tables.rs         timings.csv and nodes.csv
//! series.rs    series and their medians            growth.rs         time as a function of n
//! ratios.rs    ratios to a baseline                export.rs         JSON, Markdown and LaTeX
//! claims.rs    verdicts of claims                  number_format.rs  formats numbers and times
//! headline.rs  the result in a few sentences       styles.rs         colours and markers
//! compare/     compares two results                medians.rs        the table on the terminal
//! plots/       charts, which lineplot draws        page/             report.html
//! ```

pub mod claims;
pub mod compare;
pub mod export;
pub(crate) mod growth;
pub mod headline;
pub mod medians;
pub mod merge;
pub mod number_format;
mod page;
pub mod plots;
pub mod ratios;
pub mod series;
mod styles;
pub mod tables;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use crate::experiment::StoredResults;
use crate::experiment::plan::Plan;
use crate::experiment::statements;
use crate::record::{
    ClaimRow, CrosscheckRow, Meta, NodesRow, RecordError, Row, Stated, TimingsRow, table, write_derived,
};
use crate::solver::Goal;
use crate::spec::Spec;
use crate::spec::claim::Claim;
use claims::ObservedClaim;
use plots::PictureLayout;
use series::{DistinguishingParts, RunSeries};
use tables::Clock;

pub(crate) use crate::words::counted;
pub use number_format::{Unit, rounded, thousands};

/// An error while making a report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The page could not be rendered.
    #[error("report.html: {0}")]
    Page(String),
    /// A chart could not be drawn.
    #[error("plots: {0}")]
    Plot(#[from] lineplot::PlotError),
    /// The folder `plots` is a link, so the plots could be written outside the result directory.
    #[error(
        "{}: this is a link, so the plots would be written outside the result directory; remove it",
        plaintext::path(.0)
    )]
    Link(PathBuf),
}

/// The input of a report.
#[derive(Clone, Default)]
pub struct ReportData<'a> {
    /// The results, one part for each directory.
    pub parts: Vec<ReportPart<'a>>,
    /// The name of each result, with the rows of its `crosscheck.csv`.
    pub crosscheck: Vec<(&'a str, &'a [CrosscheckRow])>,
    /// Remarks about the parts.
    pub remarks: Vec<String>,
    /// Claims to check instead of those of the plans.
    pub claims: Option<&'a [Claim]>,
    /// Which of the measured times is used.
    pub clock: Clock,
}

/// A result directory.
#[derive(Clone, Copy, Default)]
pub struct ReportPart<'a> {
    /// The name of the result that the directory belongs to; empty if there is only one result.
    pub result: &'a str,
    /// The rows of the runs that belong to the plan.
    pub rows: &'a [Row],
    /// The number of runs in the directory that belong to earlier plans.
    pub earlier_plan_runs: usize,
    /// The content of `meta.json`, if it exists.
    pub meta: Option<&'a Meta>,
    /// The plan, if it is known.
    pub plan: Option<&'a Plan>,
    /// The path of the directory, which contains the output of failed runs.
    pub directory: Option<&'a Path>,
}

impl<'a> ReportPart<'a> {
    /// Makes a part of the result with this name from a directory that was read.
    pub fn of(stored: &'a StoredResults, result: &'a str) -> Self {
        let StoredResults { rows, earlier_plan_runs, meta, plan, .. } = stored;
        Self {
            result,
            rows,
            earlier_plan_runs: *earlier_plan_runs,
            meta: meta.as_ref(),
            plan: plan.as_ref(),
            directory: None,
        }
    }
}

impl<'a> ReportData<'a> {
    /// Makes a report of rows without a plan and without `meta.json`.
    pub fn of_rows(rows: &'a [Row]) -> Self {
        Self { parts: vec![ReportPart { rows, ..ReportPart::default() }], ..Self::default() }
    }
}

/// A run with the result that it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct ReportRun<'a> {
    /// The row of the run.
    pub row: &'a Row,
    /// The name of the result; empty if there is only one.
    pub result: &'a str,
    /// The number of the part.
    pub part: usize,
    /// The number of the session in this part. Only rounds of the same session are close in time.
    pub session: usize,
    /// Whether the run was made on a different day or machine than the last session of the part.
    pub is_earlier: bool,
}

impl Deref for ReportRun<'_> {
    type Target = Row;

    fn deref(&self) -> &Row {
        self.row
    }
}

/// The runs of all parts.
pub fn runs<'a>(parts: &[ReportPart<'a>]) -> Vec<ReportRun<'a>> {
    let runs_of_part = |(part, &ReportPart { result, rows, meta, .. }): (usize, &ReportPart<'a>)| {
        let sessions = meta.map_or(&[][..], |meta| &meta.sessions);
        rows.iter().map(move |row| {
            // The session of a run is the last session that began before the run. All points in time have the same format, so they
            // can be compared as texts.
            let session = sessions.partition_point(|session| session.started_at <= row.started_at);
            let run_session = session.checked_sub(1).and_then(|session| sessions.get(session));
            let is_earlier = run_session.zip(sessions.last()).is_some_and(|(run_session, last)| {
                run_session != last
                    && (run_session.day() != last.day() || run_session.machine != last.machine)
            });
            ReportRun { row, result, part, session, is_earlier }
        })
    };
    parts.iter().enumerate().flat_map(runs_of_part).collect()
}

/// The input of a report and the tables derived from it.
#[derive(Clone)]
pub struct DerivedData<'a> {
    /// The input.
    pub source: &'a ReportData<'a>,
    /// All runs.
    pub runs: Vec<ReportRun<'a>>,
    /// The rows of `timings.csv`.
    pub timings: Vec<TimingsRow>,
    /// The rows of `nodes.csv`.
    pub nodes: Vec<NodesRow>,
    /// The claims with their verdicts.
    pub claims: Vec<ClaimRow>,
    /// The same claims with their values as numbers, in the same order.
    observed_claims: Vec<ObservedClaim<'a>>,
    /// The series of all runs that were not skipped, sorted.
    pub series: Vec<RunSeries<'a>>,
    /// The names of the solvers that have a label, by their full ids.
    labels: HashMap<&'a str, String>,
    /// The properties other than the solver in which series differ.
    differing: DistinguishingParts,
}

impl<'a> DerivedData<'a> {
    /// Derives the tables.
    pub fn of(source: &'a ReportData<'a>) -> Self {
        let runs = runs(&source.parts);
        let (timings_cells, timings) = tables::timings(&runs, source.clock).into_iter().unzip();
        let (nodes_cells, nodes) = tables::nodes(&runs).into_iter().unzip();
        let series = series::of(&source.parts, &runs, timings_cells, nodes_cells);
        let (observed_claims, claims) = claims::judge(source, &runs).into_iter().unzip();
        let labels = series::labels(&source.parts, &series);
        let differing = DistinguishingParts::of(&series);
        Self { source, runs, timings, nodes, claims, observed_claims, series, labels, differing }
    }

    /// The same data with only the series of one goal. Series keep their styles, and their names do not contain the goal.
    pub fn of_goal(&self, goal: Goal) -> Self {
        let series = self.series.iter().filter(|series| series.key.goal == goal).cloned().collect();
        Self { series, differing: self.differing.without_goal(), ..self.clone() }
    }

    /// Whether the expected answer was stated before the runs; `None` if there is no expected answer or its time was not
    /// recorded.
    fn expected_stated(&self) -> Option<Stated> {
        let parts = &self.source.parts;
        let plan = parts.iter().find_map(|part| part.plan)?;
        statements::expected_stated(&plan.spec, parts.iter().map(|part| part.meta))
    }

    /// A text of the experiment: its name, its question or its expected answer; empty if unknown.
    fn text(&self, text: fn(&Spec) -> &String) -> &str {
        let plan = self.source.parts.iter().find_map(|part| part.plan);
        plan.map_or("", |plan| text(&plan.spec)).trim()
    }
}

/// Writes `timings.csv`, `nodes.csv`, `claims.csv`, `plots/*.svg` and `report.html` to a directory, and replaces older files. Other
/// SVG files in `plots` are removed.
///
/// # Errors
///
/// `plots` is a link, a chart cannot be drawn, or a file cannot be written.
pub fn write(directory: &Path, data: &DerivedData<'_>, layout: &PictureLayout) -> Result<(), ReportError> {
    let folder = directory.join("plots");
    if folder.is_symlink() {
        return Err(ReportError::Link(folder));
    }
    fs::create_dir_all(&folder).map_err(|error| RecordError::Io { path: folder.clone(), error })?;
    table::write(directory, &data.timings)?;
    table::write(directory, &data.nodes)?;
    table::write(directory, &data.claims)?;
    let name = |plot: &plots::Plot| format!("{}.svg", plot.name);
    let plots = plots::all(data);
    let mut drawn_files: HashSet<String> = HashSet::new();
    for plot in &plots {
        if let Some(picture) = plot.draw(data, layout)? {
            write_derived(&folder.join(name(plot)), picture.svg.as_bytes())?;
            drawn_files.insert(name(plot));
        }
    }
    // Removes the plots of earlier reports that have no content for these rows.
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        let (path, file) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if file.ends_with(".svg") && !path.is_dir() && !drawn_files.contains(&file) {
            fs::remove_file(&path).map_err(|error| RecordError::Io { path, error })?;
        }
    }
    let html = page::html(data, &plots, layout, directory)?;
    write_derived(&directory.join("report.html"), html.as_bytes())?;
    Ok(())
}

/// Rows for tests.
#[cfg(test)]
mod fixture {
    use std::path::Path;

    use serde_json::json;

    use super::{DerivedData, ReportData};
    use crate::record::{Meta, Row, SCHEMA_VERSION, Status, Verdict};
    use crate::solver::Goal;

    /// A `meta.json` with these sessions: the start time of each, and the number of cores of its machine.
    pub fn meta(sessions: &[(&str, usize)]) -> Meta {
        let (_, last) = sessions.last().expect("a session");
        let machine =
            |cores: usize| json!({"host": "", "os": "", "kernel": "", "cpu_model": "", "cores": cores});
        let session = |(start, cores): &(&str, usize)| {
            let machine = Some(machine(*cores)).filter(|_| cores != last);
            json!({"started_at": start, "argv": [], "machine": machine})
        };
        let sessions: Vec<_> = sessions.iter().map(session).collect();
        let meta = json!({
            "schema_version": SCHEMA_VERSION, "queenlab_version": "", "executable_sha256": "", "rustc": "", "target": "",
            "target_features": "", "solvers": {}, "machine": machine(*last), "sessions": sessions, "warnings": [],
        });
        Meta::parse(Path::new(Meta::FILE), meta.to_string().as_bytes()).expect("what a sweep writes")
    }

    /// A timed run with a limit of 1 µs, which found the correct count in `solve_ns`.
    pub fn run(n: usize, solver: &str, solve_ns: u64) -> Row {
        let row = Row::skipped("r", "c", n, Goal::Count, solver);
        let (status, verdict) = (Status::Complete, Verdict::Correct);
        Row { status, verdict, solve_ns: Some(solve_ns), time_limit_ns: Some(1000), ..row }
    }

    /// A timed run without an answer.
    pub fn unanswered_run(n: usize, solver: &str, status: Status) -> Row {
        Row { status, verdict: Verdict::Unchecked, solve_ns: None, ..run(n, solver, 0) }
    }

    /// Applies a function to the data derived from rows.
    pub fn with_data<T>(rows: &[Row], plot: impl FnOnce(&DerivedData<'_>) -> T) -> T {
        plot(&DerivedData::of(&ReportData::of_rows(rows)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Kind, Status};
    use crate::report::fixture::{run, unanswered_run};
    use crate::solver::Stat;
    use std::collections::BTreeMap;

    fn rows() -> Vec<Row> {
        let cells = (4..9).flat_map(|n| ["a/b", "c/d"].map(|solver| (n, solver)));
        let runs = cells.map(|(n, solver)| run(n, solver, 1000 * n as u64));
        runs.flat_map(|run| {
            let counting =
                Row { kind: Kind::Counting, stats: [(Stat::Nodes, 1 << run.n)].into(), ..run.clone() };
            [run.clone(), run, counting]
        })
        .collect()
    }

    /// The files of a report, by name.
    fn report_files(rows: &[Row]) -> BTreeMap<String, String> {
        let directory = tempfile::tempdir().expect("temporary directory");
        // A second report replaces the first.
        for rows in [&self::rows(), rows] {
            write(directory.path(), &DerivedData::of(&ReportData::of_rows(rows)), &PictureLayout::default())
                .expect("a report");
        }
        let read_entry = |entry: fs::DirEntry| {
            let text = fs::read_to_string(entry.path()).ok()?;
            Some((entry.file_name().into_string().expect("UTF-8"), text))
        };
        let folders = [directory.path().to_owned(), directory.path().join("plots")];
        folders
            .iter()
            .flat_map(|folder| fs::read_dir(folder).expect("there").flatten().filter_map(read_entry))
            .collect()
    }

    #[test]
    fn report_bytes_do_not_depend_on_run_order() {
        let mut rows = rows();
        let forwards = report_files(&rows);
        rows.reverse();
        let backwards = report_files(&rows);
        let different_files: Vec<&String> =
            forwards.keys().filter(|name| forwards[*name] != backwards[*name]).collect();
        assert_eq!(different_files, [] as [&str; 0]);
    }

    #[test]
    fn empty_plot_is_omitted_and_its_file_removed() {
        let names = |rows: &[Row]| {
            report_files(rows).into_keys().filter(|name| name.ends_with("svg")).collect::<Vec<_>>()
        };
        assert_eq!(names(&rows()), ["nodes.svg", "time.svg"]);
        assert_eq!(names(&[run(4, "a/b", 1)]), ["time.svg"]);
        assert_eq!(names(&[]), [] as [&str; 0]);
        let empty_report = report_files(&[]);
        assert!(
            ["timings.csv", "nodes.csv", "claims.csv"]
                .iter()
                .all(|name| empty_report[*name].lines().count() == 1)
        );
    }

    #[test]
    fn solver_without_growth_law_is_named_above_table() {
        let page = |times: [u64; 5]| {
            let rows: Vec<Row> = (8..).zip(times).map(|(n, time)| run(n, "a/b", 100_000 * time)).collect();
            report_files(&rows)["report.html"].clone()
        };
        let page_with_jumps = page([2, 900, 3, 700, 3]);
        // A solver without a fitted law has no row in the table of growth. A paragraph above the table names it.
        let growth = |page: &str| page.split_once("id=\"growth\"").map(|(_, rest)| rest.to_owned());
        let unfitted_line = |page: &str| {
            let section = growth(page).expect("a section");
            let section = section.split("</section>").next().expect("its beginning").to_owned();
            section.lines().find(|line| line.contains("a/b (")).map(ToOwned::to_owned)
        };
        let line = unfitted_line(&page_with_jumps).unwrap_or_else(|| panic!("{page_with_jumps}"));
        wording::assert_wording!("report", "a growth without a law", line);
        assert_eq!(unfitted_line(&page([1, 2, 4, 8, 16])), None);
        // A law cannot be fitted to three sizes.
        assert_eq!(growth(&page([1, 2, 4, 0, 0])), None);
    }

    #[test]
    fn repeated_error_is_one_row_with_run_count() {
        let crashed_run =
            || Row { outcome_reason: Some("it died".into()), ..unanswered_run(4, "a/b", Status::Crashed) };
        let page = &report_files(&[crashed_run(), crashed_run(), crashed_run()])["report.html"];
        let (page, _) = page.split_once("<script").expect("a script");
        assert_eq!(page.matches("it died").count(), 1);
        assert!(page.contains("<td>3</td>"), "{page}");
    }

    #[test]
    fn unwritable_directory_is_an_error_that_names_it() {
        let directory = tempfile::tempdir().expect("temporary directory");
        fs::write(directory.path().join("plots"), "a file in the way").expect("write");
        let error = write(
            directory.path(),
            &DerivedData::of(&ReportData::of_rows(&rows())),
            &PictureLayout::default(),
        )
        .expect_err("no directory");
        assert!(error.to_string().contains("plots: "), "{error}");
    }
}
