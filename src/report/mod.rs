//! Rows in; tables and plots out. Everything here is derived from `runs.csv` and can be made again;
//! the same rows give the same bytes.

pub mod plots;
pub mod stats;
pub mod tables;

use std::path::Path;

use crate::record::{RecordError, Row, table, write_atomically};
use plots::{Data, PLOTS};

pub use plots::Titles;

/// Why a report is not complete.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A plot could not be drawn.
    #[error("plots/{plot}.svg: cannot be drawn: {reason}")]
    Plot {
        /// Name of the plot.
        plot: &'static str,
        /// Why.
        reason: String,
    },
}

/// Writes `timings.csv`, `nodes.csv` and `plots/*.svg` into a result directory, in place of older ones.
pub fn write(directory: &Path, rows: &[Row], titles: &Titles) -> Result<(), ReportError> {
    let (timings, nodes) = (tables::timings(rows), tables::nodes(rows));
    table::write(directory, &timings)?;
    table::write(directory, &nodes)?;
    let folder = directory.join("plots");
    std::fs::create_dir_all(&folder).map_err(|error| RecordError::Io { path: folder.clone(), error })?;
    let data = Data { rows, timings: &timings, nodes: &nodes, titles };
    for plot in PLOTS {
        let svg = plot.svg(&data).map_err(|reason| ReportError::Plot { plot: plot.name, reason })?;
        write_atomically(&folder.join(plot.name).with_extension("svg"), svg.as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{NodesRow, Status, TimingsRow};
    use crate::solver::Goal;

    const FILES: [&str; 4] = ["timings.csv", "nodes.csv", "plots/time.svg", "plots/nodes.svg"];

    fn rows() -> Vec<Row> {
        let run = |n: usize, solver: &str, counting: bool| {
            let row = Row::skipped("r".into(), "c".into(), n, Goal::Count, solver.into());
            let solve_ns = Some(1000 * n as u64);
            Row { status: Status::Complete, counting, solve_ns, nodes: counting.then_some(n as u64), ..row }
        };
        let cells = (4..9).flat_map(|n| ["a/b", "c/d"].map(|solver| (n, solver)));
        cells
            .flat_map(|(n, solver)| [run(n, solver, false), run(n, solver, false), run(n, solver, true)])
            .collect()
    }

    fn written(rows: &[Row]) -> [Vec<u8>; 4] {
        let directory = tempfile::tempdir().expect("temporary directory");
        let titles = Titles { experiment: "e".into(), question: "q?".into() };
        write(directory.path(), rows, &titles).expect("written");
        // A second report replaces the first.
        write(directory.path(), rows, &titles).expect("written again");
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
        write(directory.path(), &rows(), &Titles::default()).expect("written");
        let timings = table::read::<TimingsRow>(directory.path()).expect("timings");
        assert_eq!(timings, tables::timings(&rows()));
        assert_eq!(timings.len(), 10);
        assert_eq!(table::read::<NodesRow>(directory.path()).expect("nodes"), tables::nodes(&rows()));
    }

    #[test]
    fn no_runs_give_empty_tables_and_plots_that_say_so() {
        let [timings, nodes, time, tree] = written(&[]).map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        assert_eq!((timings.lines().count(), nodes.lines().count()), (1, 1));
        assert!(time.contains("no timed runs") && tree.contains("no nodes counted"));
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_an_error_that_names_it() {
        let directory = tempfile::tempdir().expect("temporary directory");
        std::fs::write(directory.path().join("plots"), "a file in the way").expect("write");
        let error = write(directory.path(), &rows(), &Titles::default()).expect_err("no directory");
        assert!(error.to_string().contains("plots: "), "{error}");
    }
}
