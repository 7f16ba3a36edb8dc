//! `queenlab report`: makes tables, plots and a page from result directories, or prints their results in another format.

use std::io::{ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::process::Command;

use crate::app::report::{self, FigureNotation, ReadResults, ReportInput, ReportOutput};
use crate::os::process::{Process, Supervision};
use crate::record::ClaimVerdict;
use crate::registry::Registry;
use crate::report::plots::PictureLayout;
use crate::report::tables::Clock;
use crate::report::{DerivedData, export};
use anyhow::{Context, Error};
use clap::{Args, ValueEnum};
use plaintext::EscapedLines;

use super::options::{Quiet, path_except_stdout};
use super::{Exit, RunCommand, progress, summary, sweep_options, terminal};

/// Make tables, plots and an HTML page from a result directory, or from several as one.
///
/// Writes report.html (a single file that needs no network), plots/*.svg, timings.csv, nodes.csv and claims.csv to DIR, or
/// to the directory of --out. `queenlab sweep` writes the same files when it ends. If a sweep was interrupted, the report
/// covers the completed runs. With --format, the results are printed in that format instead, and no file is written.
///
/// With --figure, one plot is printed as a figure for a paper with two columns: the legend is below the plot, there is no
/// title, and the text is about 7.5 points high. PDF needs rsvg-convert (Debian package librsvg2-bin).
///
/// Shards of one experiment are combined into one result, and their answers are compared. Other directories, for example from
/// another machine or another day, are shown side by side under their names.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab report results/quick
  queenlab report results/textbook --spec experiments/textbook.toml --fail-on-claim
  queenlab report shards/* --out results/all
  queenlab report results/quick --run c629362fa4acbf7fe.1
  queenlab report results/quick --format markdown --wall
  queenlab report results/quick --format latex > table.tex
  queenlab report results/quick --format json | jq .ratios.overall
  queenlab report results/quick --figure time --format pdf --font 'Linux Libertine' > time.pdf
  queenlab report results/quick --figure nodes --format pgfplots --columns 2 > nodes.tex")]
pub struct Report {
    /// Result directories to read. The report about a single directory is written to this directory.
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
    /// Write the report to this directory. Required for the report about several directories.
    #[arg(short, long, value_name = "DIR", value_parser = path_except_stdout())]
    out: Option<PathBuf>,
    /// Check the claims of this experiment: a TOML file or the name of a built-in experiment [default: the claims that
    /// the sweep recorded].
    #[arg(long, value_name = "EXPERIMENT")]
    spec: Option<PathBuf>,
    /// Exit with code 7 if a claim fails.
    #[arg(long)]
    fail_on_claim: bool,
    /// Exit with code 1 if a shard or a run is missing.
    #[arg(long)]
    require_complete: bool,
    /// Draw each plot as small panels, one for each group of series, or for each series if there are no groups. A panel shows the
    /// other series in grey.
    #[arg(long, conflicts_with = "format")]
    panels: bool,
    /// Print the results in this format; svg, pdf and pgfplots need --figure.
    #[arg(long, conflicts_with_all = ["out", "spec", "fail_on_claim"])]
    format: Option<Format>,
    /// Print this plot: the name of a file in plots/ without its extension, for example time.
    #[arg(long, value_name = "NAME", requires = "format")]
    figure: Option<String>,
    /// Width of the figure in columns of the page: 1 (3.5 inches) or 2 (7.16 inches).
    #[arg(long, value_name = "C", requires = "figure", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    columns: u8,
    /// Font family of the figure [default: Helvetica or Arial; pgfplots: the font of the document].
    #[arg(long, value_name = "FAMILY", requires = "figure")]
    font: Option<String>,
    /// Print the output of this failed, wrong or unreadable run; ID is its run_id in runs.csv.
    #[arg(long, value_name = "ID", conflicts_with_all = ["out", "spec", "fail_on_claim", "require_complete", "panels", "format"])]
    run: Option<String>,
    /// With --format, print only the results of this solver, for example backtrack/bitmask.
    #[arg(long, value_name = "ID", requires = "format")]
    solver: Option<String>,
    /// With --format, print the wall times of whole processes instead of the times of encoding and solving.
    #[arg(long, requires = "format")]
    wall: bool,
    #[command(flatten)]
    quiet: Quiet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Markdown table of median times.
    Markdown,
    /// LaTeX table of median times, for the package booktabs.
    Latex,
    /// JSON with every derived table, the growth rates and the ratios.
    Json,
    /// A figure as SVG.
    Svg,
    /// A figure as PDF.
    Pdf,
    /// A figure as LaTeX code for the package pgfplots, with a table of its values.
    Pgfplots,
}

impl RunCommand for Report {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        if let Some(run) = &self.run {
            let [directory] = &self.directories[..] else {
                refuse!("--run: give only the directory that contains this run")
            };
            let output = report::stored_output(directory, run, &progress::notice)?;
            write!(super::out(), "{}", EscapedLines(output))?;
            return Ok(Exit::Success);
        }
        let input = ReportInput {
            directories: self.directories.clone(),
            solver: self.solver.clone(),
            clock: if self.wall { Clock::Wall } else { Clock::Solving },
        };
        let results = report::read(&input, registry, &progress::notice)?;
        if let Some(format) = self.format {
            let exit = self.print(format, &results)?;
            return Ok(if self.is_incomplete(&results) { Exit::Failure } else { exit });
        }
        let spec = self.spec.as_ref().map(|spec| sweep_options::read_experiment(spec)).transpose()?;
        let written = results.write(&ReportOutput {
            directory: self.out.as_deref(),
            claims: spec.as_ref().map(|spec| &spec.claims[..]),
            panels: self.panels,
        })?;
        if !self.quiet.quiet {
            writeln!(super::out(), "{}", plaintext::path(&written.page))?;
        }
        for line in results.remarks.iter().cloned().chain(summary::verdicts(&written.claims)) {
            terminal::note(line);
        }
        let discrepancies = results.discrepancies();
        discrepancies.iter().for_each(terminal::say);
        let has_failed_claim = written.claims.iter().any(|claim| claim.verdict == ClaimVerdict::Fails);
        let is_incomplete = self.is_incomplete(&results);
        Ok(match () {
            () if !discrepancies.is_empty() => Exit::WrongAnswer,
            () if is_incomplete => Exit::Failure,
            () if has_failed_claim && self.fail_on_claim => Exit::Claim,
            () => Exit::Success,
        })
    }
}

impl Report {
    /// With --require-complete, prints which runs and shards are missing, and returns whether there are any.
    fn is_incomplete(&self, results: &ReadResults) -> bool {
        let missing = if self.require_complete { &results.incomplete[..] } else { &[] };
        missing.iter().for_each(|what| terminal::say(format_args!("incomplete: {what}")));
        !missing.is_empty()
    }

    /// Prints the results, or a figure.
    fn print(&self, format: Format, results: &ReadResults) -> Result<Exit, Error> {
        let report_data = results.report_data();
        let text = match format {
            Format::Json | Format::Markdown | Format::Latex if self.figure.is_some() => {
                refuse!("--figure: add --format svg, pdf or pgfplots")
            }
            Format::Json => {
                plaintext::json(&format!("{:#}\n", export::json(&DerivedData::of(&report_data)))).into_bytes()
            }
            Format::Markdown => export::markdown(&DerivedData::of(&report_data)).into_bytes(),
            Format::Latex => export::latex(&DerivedData::of(&report_data)).into_bytes(),
            Format::Svg => self.draw(FigureNotation::Svg, results)?.into_bytes(),
            Format::Pgfplots => self.draw(FigureNotation::Pgfplots, results)?.into_bytes(),
            Format::Pdf => pdf(&self.draw(FigureNotation::Svg, results)?)?,
        };
        results.remarks.iter().for_each(terminal::warn);
        let mut out = std::io::stdout().lock();
        out.write_all(&text).and_then(|()| out.flush())?;
        Ok(Exit::Success)
    }

    fn draw(&self, notation: FigureNotation, results: &ReadResults) -> Result<String, Error> {
        let layout = PictureLayout::figure(self.columns == 2, self.font.as_deref());
        if notation == FigureNotation::Pgfplots && self.font.is_some() {
            refuse!("--font: a pgfplots figure has the font of its document");
        }
        let Some(name) = &self.figure else {
            refuse!("--format: name the plot, for example --figure time");
        };
        Ok(results.figure(name, &layout, notation)?)
    }
}

/// Converts SVG to PDF.
fn pdf(svg: &str) -> Result<Vec<u8>, Error> {
    if std::io::stdout().is_terminal() {
        refuse!("--format pdf: redirect the output to a file, for example > figure.pdf");
    }
    let mut command = Command::new("rsvg-convert");
    command.args(["--format", "pdf"]);
    let supervision = Supervision { input: Some(svg.as_bytes().to_vec()), ..Supervision::default() };
    let (pdf, ended) = match Process::output(command, supervision) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            refuse!("--format pdf: rsvg-convert is not installed: install librsvg2-bin, or use --format svg")
        }
        output => output.context("rsvg-convert")?,
    };
    anyhow::ensure!(ended.status.success(), "rsvg-convert: {}", ended.stderr.trim());
    Ok(pdf)
}
