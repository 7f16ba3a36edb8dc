//! Makes tables, plots and a page from rows. Everything here is derived from `runs.csv` and can be made again; the same
//! rows give the same bytes.
//!
//! ```text
//! run.rs      what a report needs of a row        tables.rs    timings.csv and nodes.csv
//! paired.rs   comparisons within rounds           growth.rs    the time as a function of n
//! ranking.rs  solvers by their mean times         instances.rs what a solver is measured on
//! compare/    two results                         export.rs    the formats of other tools
//! plots/      the plots as SVG                    keys.rs      names and styles of series
//! page/       report.html                         unit.rs      numbers for readers
//! ```

pub mod claims;
pub mod compare;
pub mod export;
#[cfg(test)]
mod fixture;
pub(crate) mod growth;
pub(crate) mod instances;
mod keys;
mod page;
pub(crate) mod paired;
pub mod plots;
pub(crate) mod ranking;
pub mod ratios;
mod run;
pub mod tables;
mod unit;

use std::path::{Path, PathBuf};

use crate::experiment::Stored;
use crate::experiment::claim::Claim;
use crate::experiment::plan::Plan;
use crate::experiment::spec::Spec;
use crate::record::{ClaimRow, CrosscheckRow, Meta, NodesRow, RecordError, TimingsRow, table, write_derived};
use keys::Keys;
use plots::{PLOTS, Picture};

pub(crate) use crate::experiment::stats;
pub(crate) use crate::words::counted;
pub use run::{Fault, Run};
pub use unit::{Scale, Unit, rounded, thousands};

/// Why a report is not complete.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The page could not be rendered.
    #[error("report.html: {0}")]
    Page(String),
    /// The folder `plots` is a link that leads out of the result directory.
    #[error(
        "{}: this is a link, so the plots would be written outside the result directory; remove it",
        .0.display()
    )]
    Link(PathBuf),
}

/// The input of a report.
#[derive(Clone, Copy, Default)]
pub struct Material<'a> {
    /// Every run of the plan.
    pub rows: &'a [Run],
    /// Number of runs of earlier plans of the same directory.
    pub others: usize,
    /// Every comparison.
    pub crosscheck: &'a [CrosscheckRow],
    /// Build and machine, if `meta.json` exists.
    pub meta: Option<&'a Meta>,
    /// The plan, if it is known.
    pub plan: Option<&'a Plan>,
    /// What the results are said to show.
    pub claims: &'a [Claim],
    /// The two solvers of the scatter plot; chosen automatically if absent.
    pub pair: Option<&'a [String; 2]>,
}

impl<'a> Material<'a> {
    /// What was read of a result; `runs` are those of its rows.
    pub fn of(stored: &'a Stored, runs: &'a [Run]) -> Self {
        let Stored { others, crosscheck, meta, plan, .. } = stored;
        let claims = plan.as_ref().map_or(&[][..], |plan| &plan.spec.claims);
        let (meta, plan) = (meta.as_ref(), plan.as_ref());
        Self { rows: runs, others: *others, crosscheck, meta, plan, claims, pair: None }
    }
}

/// Name and question of an experiment; empty if unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Titles {
    /// The name.
    pub experiment: String,
    /// The question.
    pub question: String,
    /// The expected answer.
    pub expected: String,
}

/// The input of a report and the tables derived from it.
pub struct Data<'a> {
    /// The input.
    pub material: Material<'a>,
    /// The series of its runs.
    pub keys: Keys<'a>,
    /// The table of times.
    pub timings: Vec<TimingsRow>,
    /// The table of counts.
    pub nodes: Vec<NodesRow>,
    /// The claims with their verdicts.
    pub claims: Vec<ClaimRow>,
    /// Name and question of the experiment.
    pub titles: Titles,
}

impl<'a> Data<'a> {
    /// Derives the tables.
    pub fn of(material: &Material<'a>) -> Self {
        let text =
            |text: fn(&Spec) -> &String| material.plan.map_or(String::new(), |plan| text(&plan.spec).clone());
        let nodes = tables::nodes(material.rows);
        Self {
            material: *material,
            keys: Keys::of(material.rows),
            timings: tables::timings(material.rows),
            claims: claims::judge(material.claims, material.rows),
            nodes,
            titles: Titles {
                experiment: text(|spec| &spec.name),
                question: text(|spec| &spec.question),
                expected: text(|spec| &spec.expected),
            },
        }
    }
}

/// Writes `timings.csv`, `nodes.csv`, `claims.csv`, `plots/*.svg` and `report.html` to a result directory and replaces older
/// ones. The names of the files do not depend on the material. Returns the verdicts of the claims.
pub fn write(directory: &Path, material: &Material<'_>) -> Result<Vec<ClaimRow>, ReportError> {
    let folder = directory.join("plots");
    if folder.is_symlink() {
        return Err(ReportError::Link(folder));
    }
    let data = Data::of(material);
    table::write(directory, &data.timings)?;
    table::write(directory, &data.nodes)?;
    table::write(directory, &data.claims)?;
    std::fs::create_dir_all(&folder).map_err(|error| RecordError::Io { path: folder.clone(), error })?;
    let pictures: Vec<Picture> = PLOTS.iter().map(|plot| plot.draw(&data)).collect();
    for (plot, picture) in PLOTS.iter().zip(&pictures) {
        write_derived(&folder.join(plot.name).with_extension("svg"), picture.svg.as_bytes())?;
    }
    let html = page::html(&data, pictures)?;
    write_derived(&directory.join("report.html"), html.as_bytes())?;
    Ok(data.claims)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Row;
    use crate::report::fixture::run;
    use crate::solver::Stat;

    const FILES: [&str; 13] = [
        "timings.csv",
        "nodes.csv",
        "claims.csv",
        "plots/time.svg",
        "plots/nodes.svg",
        "plots/growth.svg",
        "plots/rate.svg",
        "plots/cactus.svg",
        "plots/scatter.svg",
        "plots/encodings.svg",
        "plots/conflicts.svg",
        "plots/memory.svg",
        "report.html",
    ];

    fn rows() -> Vec<Row> {
        let cells = (4..9).flat_map(|n| ["a/b", "c/d"].map(|solver| (n, solver)));
        let runs = cells.map(|(n, solver)| run(n, solver, 1000 * n as u64));
        runs.flat_map(|run| {
            [
                run.clone(),
                run.clone(),
                Row {
                    kind: crate::record::Kind::Counting,
                    stats: [(Stat::Nodes, run.n as u64)].into(),
                    ..run
                },
            ]
        })
        .collect()
    }

    fn written(rows: &[Row]) -> [Vec<u8>; 13] {
        let directory = tempfile::tempdir().expect("temporary directory");
        let material = Material { rows: &Run::all(rows), ..Material::default() };
        write(directory.path(), &material).expect("written");
        // A second report replaces the first.
        write(directory.path(), &material).expect("written again");
        FILES.map(|file| std::fs::read(directory.path().join(file)).expect("there"))
    }

    #[test]
    fn the_same_runs_give_the_same_bytes_in_any_order() {
        let mut rows = rows();
        let forwards = written(&rows);
        rows.reverse();
        assert_eq!(written(&rows), forwards);
    }

    #[test]
    fn tables_can_be_read_back() {
        let directory = tempfile::tempdir().expect("temporary directory");
        write(directory.path(), &Material { rows: &Run::all(&rows()), ..Material::default() })
            .expect("written");
        let (timings, _) = table::read::<TimingsRow>(directory.path()).expect("timings");
        assert_eq!(timings, tables::timings(&Run::all(&rows())));
        assert_eq!(timings.len(), 10);
        assert_eq!(
            table::read::<NodesRow>(directory.path()).expect("nodes").0,
            tables::nodes(&Run::all(&rows()))
        );
    }

    #[test]
    fn no_runs_give_empty_tables_and_plots_that_say_so() {
        let [timings, nodes, _, time, tree, ..] =
            written(&[]).map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        assert_eq!((timings.lines().count(), nodes.lines().count()), (1, 1));
        assert!(time.contains("no timed runs") && tree.contains("no nodes counted"));
    }

    #[test]
    fn a_growth_that_no_law_describes_is_said_to_have_none() {
        let page = |times: [u64; 5]| {
            let rows: Vec<Row> = (8..).zip(times).map(|(n, time)| run(n, "a/b", 100_000 * time)).collect();
            String::from_utf8(written(&rows)[12].clone()).expect("UTF-8")
        };
        let jumps = page([2, 900, 3, 700, 3]);
        assert!(jumps.contains("That is so for a/b (×") && jumps.contains("id=\"growth\""), "{jumps}");
        assert!(!page([1, 2, 4, 8, 16]).contains("That is so"));
        // Three sizes are too few.
        assert!(!page([1, 2, 4, 0, 0]).contains("id=\"growth\""));
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_an_error_that_names_it() {
        let directory = tempfile::tempdir().expect("temporary directory");
        std::fs::write(directory.path().join("plots"), "a file in the way").expect("write");
        let error = write(directory.path(), &Material { rows: &Run::all(&rows()), ..Material::default() })
            .expect_err("no directory");
        assert!(error.to_string().contains("plots: "), "{error}");
    }
}
