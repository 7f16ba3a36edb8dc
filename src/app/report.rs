//! Reads one or several result directories, and makes a report, a table or a figure.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::run::crosscheck;
use super::{AppError, InputError, Observer, create_output_directory, read_result};
use crate::record::{ClaimRow, Outputs, Row, Table, table};
use crate::registry::Registry;
use crate::report::merge::{self, Directory};
use crate::report::plots::{self, PictureLayout};
use crate::report::tables::Clock;
use crate::report::{self, DerivedData, ReportData, ReportError, ReportPart};
use crate::spec::claim::Claim;
use crate::verify::Discrepancy;
use crate::verify::crosscheck::Crosscheck;

/// The results to read.
#[derive(Clone, Debug, Default)]
pub struct ReportInput {
    /// The result directories.
    pub directories: Vec<PathBuf>,
    /// If given, only the runs of this solver are read.
    pub solver: Option<String>,
    /// Which measured time of a run is used.
    pub clock: Clock,
}

/// The combined results of one or several directories.
#[derive(Debug)]
pub struct ReadResults {
    paths: Vec<PathBuf>,
    /// The directories, each with the name of the result that it is a part of.
    pub directories: Vec<Directory>,
    /// Remarks for the user, for example about differences between machines.
    pub remarks: Vec<String>,
    /// Descriptions of missing shards and missing runs.
    pub incomplete: Vec<String>,
    /// The comparisons of answers, by the name of the result.
    crosschecks: Vec<(String, Crosscheck)>,
    clock: Clock,
}

/// The target and the content of a report.
#[derive(Clone, Debug, Default)]
pub struct ReportOutput<'a> {
    /// The directory to write to; `None` for the directory of the results, if there is only one.
    pub directory: Option<&'a Path>,
    /// Claims to check instead of those of the experiments.
    pub claims: Option<&'a [Claim]>,
    /// Whether each plot is drawn as small panels.
    pub panels: bool,
}

/// A report that was written.
#[derive(Debug)]
pub struct WrittenReport {
    /// The path of report.html.
    pub page: PathBuf,
    /// The verdicts of the claims.
    pub claims: Vec<ClaimRow>,
}

/// Reads and combines result directories.
///
/// # Errors
///
/// A directory is not a result directory, or the directories cannot be combined.
pub fn read(
    input: &ReportInput,
    registry: &Registry,
    observe: Observer<'_>,
) -> Result<ReadResults, AppError> {
    let mut canonical = BTreeSet::new();
    let mut named_results = Vec::new();
    for path in &input.directories {
        if !canonical.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            return Err(InputError::GivenTwice(path.clone()).into());
        }
        named_results.push((plaintext::path(path).to_string(), read_result(path, observe)?));
    }
    let incomplete = merge::missing_parts(&named_results);
    let (mut directories, remarks) = merge::gather(named_results).map_err(InputError::NotOneResult)?;
    if let Some(solver) = &input.solver {
        retain_solver(&mut directories, solver)?;
    }
    let crosschecks = crosschecks(&directories, &input.directories, registry)?;
    let (paths, clock) = (input.directories.clone(), input.clock);
    Ok(ReadResults { paths, directories, remarks, incomplete, crosschecks, clock })
}

/// The stored output of a run.
///
/// # Errors
///
/// The directory does not contain the run, or the output of the run was not stored.
pub fn stored_output(directory: &Path, run_id: &str, observe: Observer<'_>) -> Result<String, AppError> {
    let stored = read_result(directory, observe)?;
    let Some(row) = stored.rows.iter().find(|row| row.run_id == run_id) else {
        return Err(InputError::NoSuchRun(run_id.to_owned()).into());
    };
    let output = Outputs::of(directory).read(&row.run_id)?;
    output.ok_or_else(|| {
        let (run, status, verdict) = (row.run_id.clone(), row.status, row.verdict);
        InputError::OutputNotStored { run, status, verdict }.into()
    })
}

impl ReadResults {
    /// The input of a report about these results.
    pub fn report_data(&self) -> ReportData<'_> {
        let parts = self.directories.iter().zip(&self.paths).map(|(directory, path)| ReportPart {
            directory: Some(path),
            ..ReportPart::of(&directory.stored, &directory.result)
        });
        ReportData {
            parts: parts.collect(),
            crosscheck: self.crosschecks.iter().map(|(result, check)| (&**result, &check.rows[..])).collect(),
            remarks: self.remarks.clone(),
            clock: self.clock,
            ..ReportData::default()
        }
    }

    /// The comparisons between shards that disagree.
    pub fn discrepancies(&self) -> Vec<&Discrepancy> {
        self.crosschecks.iter().flat_map(|(_, crosscheck)| &crosscheck.discrepancies).collect()
    }

    /// Writes tables, plots and the page.
    ///
    /// # Errors
    ///
    /// There is no directory to write to, the directory contains the runs of another sweep, or a file cannot be written.
    pub fn write(&self, output: &ReportOutput<'_>) -> Result<WrittenReport, AppError> {
        let out = self.output_directory(output.directory)?;
        let report_data = ReportData { claims: output.claims, ..self.report_data() };
        let data = DerivedData::of(&report_data);
        let layout = if output.panels { PictureLayout::panels() } else { PictureLayout::default() };
        report::write(&out, &data, &layout)?;
        if let ([(_, crosscheck)], true) = (&self.crosschecks[..], self.directories.len() > 1) {
            table::write(&out, &crosscheck.rows)?;
        }
        Ok(WrittenReport { page: out.join("report.html"), claims: data.claims })
    }

    /// A plot as a figure.
    ///
    /// # Errors
    ///
    /// The results have no plot of this name, or it cannot be drawn.
    pub fn figure(
        &self,
        name: &str,
        layout: &PictureLayout,
        notation: FigureNotation,
    ) -> Result<String, AppError> {
        let report_data = self.report_data();
        let data = DerivedData::of(&report_data);
        let plots = plots::all(&data);
        let plot = plots.iter().find(|plot| plot.name == *name);
        let text = match plot {
            Some(plot) if notation == FigureNotation::Pgfplots => plot.pgfplots(&data, layout),
            Some(plot) => plot.draw(&data, layout).map(|picture| picture.map(|picture| picture.svg)),
            None => Ok(None),
        };
        text.map_err(ReportError::from)?.ok_or_else(|| {
            let drawn_plots = plots.iter().filter(|plot| plot.has_content(&data));
            let names = drawn_plots.map(|plot| plot.name.as_ref()).collect::<Vec<_>>().join(", ");
            InputError::NoPlot { name: name.to_owned(), names }.into()
        })
    }

    /// The directory to write to: the requested directory, which must not contain the runs of a sweep, or the only directory that was
    /// read.
    fn output_directory(&self, requested: Option<&Path>) -> Result<PathBuf, AppError> {
        let Some(out) = requested else {
            let [only] = &self.paths[..] else { return Err(InputError::NoDirectoryForReport.into()) };
            return Ok(only.clone());
        };
        if out.join(Row::FILE).exists() {
            return Err(InputError::HoldsRuns(out.to_owned()).into());
        }
        create_output_directory(out)?;
        Ok(out.to_owned())
    }
}

/// The notation of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureNotation {
    /// An image in SVG.
    Svg,
    /// LaTeX code for the package pgfplots.
    Pgfplots,
}

/// Removes the runs of all solvers except one.
fn retain_solver(directories: &mut [Directory], solver: &str) -> Result<(), InputError> {
    let rows =
        || directories.iter().flat_map(|directory| &directory.stored.rows).filter(|row| row.is_timed());
    if !rows().any(|row| row.solver == solver) {
        let names: BTreeSet<&str> = rows().map(|row| row.solver.as_str()).collect();
        let names = Vec::from_iter(names).join(", ");
        return Err(InputError::NoRunOf { solver: solver.to_owned(), names });
    }
    for Directory { stored, .. } in directories {
        stored.rows.retain(|row| row.solver == solver);
        stored.crosscheck.retain(|row| row.solver == solver);
        stored.plan = stored.plan.take().map(|plan| plan.of_solver(solver));
    }
    Ok(())
}

/// The comparisons of each result. The answers of shards are compared here, because the runs of one problem with different goals may
/// be in different shards.
fn crosschecks(
    directories: &[Directory],
    paths: &[PathBuf],
    registry: &Registry,
) -> Result<Vec<(String, Crosscheck)>, AppError> {
    let results: BTreeSet<&str> = directories.iter().map(|directory| directory.result.as_str()).collect();
    let crosscheck_of = |result: &str| {
        let parts: Vec<&Directory> = directories.iter().filter(|part| part.result == result).collect();
        let crosscheck = match &parts[..] {
            [only] => Crosscheck { rows: only.stored.crosscheck.clone(), ..Crosscheck::default() },
            parts => {
                let rows: Vec<Row> = parts.iter().flat_map(|part| part.stored.rows.clone()).collect();
                let levels: Vec<_> = parts.iter().flat_map(|part| part.stored.levels.clone()).collect();
                let plans = parts.iter().filter_map(|part| part.stored.plan.as_ref());
                let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
                crosscheck(&rows, &levels, plans, &paths, registry)?
            }
        };
        Ok((result.to_owned(), crosscheck))
    };
    results.into_iter().map(crosscheck_of).collect()
}
