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
