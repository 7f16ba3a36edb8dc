//! `queenlab report`: makes tables, plots and a page from result directories, or prints their results in another format.

use std::collections::BTreeSet;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::files;
use crate::record::{Judgement, Row, Table, table};
use crate::registry::Registry;
use crate::report::export;
use crate::report::plots::{self, Look};
use crate::report::several::{self, Directory};
use crate::report::tables::Clock;
use crate::report::{self, Data, Material, Part};
use crate::verify::crosscheck::Crosscheck;
use anyhow::{Context, Error};
use clap::{Args, ValueEnum};

use super::options::{Quiet, stored};
use super::{BadInput, Exit, Run, read_result, summary, sweep, sweep_options, terminal};

/// Make tables, plots and an HTML page from a result directory, or from several as one.
///
/// Writes report.html (a single file that needs no network), plots/*.svg, timings.csv, nodes.csv and claims.csv to DIR, or to the
/// directory of --out. `queenlab sweep` writes the same files when it ends. If a sweep was interrupted, the report covers its
/// completed runs. With --format, the results are printed in that format instead, and nothing is written.
///
/// With --figure, one plot is printed as a figure for a paper with two columns: names below the plot, no title, text of about 7.5
/// points. PDF is made by rsvg-convert (Debian's package librsvg2-bin).
///
/// Shards of one experiment are read as one result, and compared with each other as a sweep does at its end. Other directories
/// (another machine, another day) are shown beside each other, by the names of the directories.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab report results/quick
  queenlab report results/textbook --spec experiments/textbook.toml --fail-on-claim
  queenlab report shards/* --out results/all
  queenlab report results/quick --format markdown --wall
  queenlab report results/quick --format latex > table.tex
  queenlab report results/quick --format json | jq .ratios.overall
  queenlab report results/quick --figure time --format pdf --font 'Linux Libertine' > time.pdf
  queenlab report results/quick --figure nodes --format pgfplots --columns 2 > nodes.tex")]
pub struct Report {
    /// Result directories to read; a single one is also written to.
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
    /// Directory to write to; needed for several directories.
    #[arg(short, long, value_name = "DIR", value_parser = stored())]
    out: Option<PathBuf>,
    /// Check the claims of this experiment: a TOML file or the name of a built-in experiment [default: the claims that
    /// the sweep recorded].
    #[arg(long, value_name = "EXPERIMENT")]
    spec: Option<PathBuf>,
    /// Exit with code 7 if a claim fails.
    #[arg(long)]
    fail_on_claim: bool,
    /// Draw each plot as small panels, one for each group of series, or for each series, with the others in grey.
    #[arg(long, conflicts_with = "format")]
    panels: bool,
    /// Print the results in this format.
    #[arg(long, conflicts_with_all = ["out", "spec", "fail_on_claim"])]
    format: Option<Format>,
    /// Print this plot: the name of a file in plots, for example time.
    #[arg(long, value_name = "NAME", requires = "format")]
    figure: Option<String>,
    /// How many columns of a page the figure is wide: 1 (3.5 inches) or 2 (7.16 inches).
    #[arg(long, value_name = "C", requires = "figure", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    columns: u8,
    /// Font family of the figure [default: Helvetica or Arial; pgfplots: that of the document].
    #[arg(long, value_name = "FAMILY", requires = "figure")]
    font: Option<String>,
    /// Print only this solver, for example backtrack/bitmask.
    #[arg(long, value_name = "ID", requires = "format")]
    solver: Option<String>,
    /// Print wall times of whole processes, instead of the times of encoding and solving.
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

impl Run for Report {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let (mut directories, remarks) = read(&self.directories, registry)?;
        if let Some(solver) = &self.solver {
            only(&mut directories, solver)?;
        }
        let checked = crosschecks(&directories, registry)?;
        let mut material = Material {
            parts: directories
                .iter()
                .map(|directory| Part::of(&directory.stored, &directory.result))
                .collect(),
            crosscheck: checked.iter().map(|(result, checked)| (*result, &checked.rows[..])).collect(),
            remarks,
            clock: if self.wall { Clock::Wall } else { Clock::Solving },
            ..Material::default()
        };
        if let Some(format) = self.format {
            return self.print(format, &Data::of(&material));
        }
        let out = directory(self)?;
        let spec = self.spec.as_ref().map(|spec| sweep_options::named(spec)).transpose()?;
        material.claims = spec.as_ref().map(|spec| &spec.claims[..]);
        let data = Data::of(&material);
        let look = if self.panels { Look::panels() } else { Look::default() };
        report::write(out, &data, &look)?;
        if let ([(_, one)], true) = (&checked[..], directories.len() > 1) {
            table::write(out, &one.rows)?;
        }
        if !self.quiet.quiet {
            let page = out.join("report.html");
            writeln!(super::out(), "{}", plaintext::path(&page))?;
        }
        for line in material.remarks.iter().cloned().chain(summary::verdicts(&data.claims)) {
            terminal::note(line);
        }
        let disagreements = checked.iter().flat_map(|(_, checked)| &checked.discrepancies);
        disagreements.clone().for_each(terminal::say);
        let fails = data.claims.iter().any(|claim| claim.verdict == Judgement::Fails);
        Ok(match () {
            () if disagreements.count() > 0 => Exit::WrongAnswer,
            () if fails && self.fail_on_claim => Exit::Claim,
            () => Exit::Success,
        })
    }
}

/// Reads the directories, and finds out which belong together.
fn read(paths: &[PathBuf], registry: &Registry) -> Result<(Vec<Directory>, Vec<String>), Error> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for path in paths {
        if !seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            refuse!("{}: given twice", plaintext::path(path));
        }
        all.push((plaintext::path(path).to_string(), read_result(path, registry)?));
    }
    Ok(several::gather(all).map_err(BadInput)?)
}

/// Leaves out all solvers but one.
fn only(directories: &mut [Directory], solver: &str) -> Result<(), Error> {
    let rows =
        || directories.iter().flat_map(|directory| &directory.stored.rows).filter(|row| row.is_timed());
    if !rows().any(|row| row.solver == solver) {
        let known: BTreeSet<&str> = rows().map(|row| row.solver.as_str()).collect();
        let known = Vec::from_iter(known).join(", ");
        refuse!("there is no timed run of '{solver}'; there are {known}");
    }
    for Directory { stored, .. } in directories {
        stored.rows.retain(|row| row.solver == solver);
        stored.crosscheck.retain(|row| row.solver == solver);
    }
    Ok(())
}

/// The comparisons of each result. Those of shards are made here: no shard has all solvers of a size.
fn crosschecks<'d>(
    directories: &'d [Directory],
    registry: &Registry,
) -> Result<Vec<(&'d str, Crosscheck)>, Error> {
    let results: BTreeSet<&str> = directories.iter().map(|directory| directory.result.as_str()).collect();
    let one = |result: &'d str| {
        let parts: Vec<&Directory> = directories.iter().filter(|part| part.result == result).collect();
        let crosscheck = match &parts[..] {
            [only] => Crosscheck { rows: only.stored.crosscheck.clone(), ..Crosscheck::default() },
            parts => {
                let rows: Vec<Row> = parts.iter().flat_map(|part| part.stored.rows.clone()).collect();
                let levels: Vec<_> = parts.iter().flat_map(|part| part.stored.levels.clone()).collect();
                let plans = parts.iter().filter_map(|part| part.stored.plan.as_ref());
                sweep::crosscheck(&rows, &levels, plans, registry)?
            }
        };
        Ok((result, crosscheck))
    };
    results.into_iter().map(one).collect()
}

/// The directory to write to: the only one that was read, or that of --out, which must not hold the runs of another sweep.
fn directory(arguments: &Report) -> Result<&Path, Error> {
    match (&arguments.directories[..], &arguments.out) {
        ([only], None) => Ok(only),
        (_, None) => refuse!("--out: name a directory for the report of these results"),
        (_, Some(out)) => {
            if out.join(Row::FILE).exists() {
                refuse!("--out: {} holds the runs of a sweep; name another directory", plaintext::path(out));
            }
            files::create_directory(out).with_context(|| format!("--out: {}", plaintext::path(out)))?;
            Ok(out)
        }
    }
}

impl Report {
    /// Prints the results, or a figure.
    fn print(&self, format: Format, data: &Data<'_>) -> Result<Exit, Error> {
        let text = match format {
            Format::Json | Format::Markdown | Format::Latex if self.figure.is_some() => {
                refuse!("--figure: a figure is printed with --format svg, pdf or pgfplots")
            }
            Format::Json => plaintext::json(&format!("{:#}\n", export::json(data))).into_bytes(),
            Format::Markdown => export::markdown(data).into_bytes(),
            Format::Latex => export::latex(data).into_bytes(),
            Format::Svg | Format::Pdf | Format::Pgfplots => self.figure(format, data)?,
        };
        data.material.remarks.iter().for_each(terminal::warn);
        let mut out = std::io::stdout().lock();
        out.write_all(&text).and_then(|()| out.flush())?;
        Ok(Exit::Success)
    }

    fn figure(&self, format: Format, data: &Data<'_>) -> Result<Vec<u8>, Error> {
        let look = Look::figure(self.columns == 2, self.font.as_deref());
        if format == Format::Pgfplots && self.font.is_some() {
            refuse!("--font: a figure for pgfplots has the font of its document");
        }
        let Some(name) = &self.figure else {
            refuse!("--format: name the plot of the figure, for example --figure time");
        };
        let all = plots::all(data);
        let plot = all.iter().find(|plot| plot.name == **name);
        let text = match plot {
            Some(plot) if format == Format::Pgfplots => plot.pgfplots(data, &look)?,
            Some(plot) => plot.draw(data, &look)?.map(|picture| picture.svg),
            None => None,
        };
        let Some(text) = text else {
            let shown = all.iter().filter(|plot| plot.shows_something(data));
            let names = shown.map(|plot| plot.name.as_ref()).collect::<Vec<_>>().join(", ");
            refuse!("--figure: there is no plot '{name}' of these results; there are {names}");
        };
        if format == Format::Pdf { pdf(&text) } else { Ok(text.into_bytes()) }
    }
}

/// Converts SVG to PDF.
fn pdf(svg: &str) -> Result<Vec<u8>, Error> {
    if std::io::stdout().is_terminal() {
        refuse!("--format pdf: redirect the output to a file, for example > figure.pdf");
    }
    let mut file = tempfile::Builder::new().prefix("queenlab-").suffix(".svg").tempfile()?;
    file.write_all(svg.as_bytes())?;
    let output = match Command::new("rsvg-convert").args(["--format", "pdf"]).arg(file.path()).output() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            refuse!("--format pdf: rsvg-convert is not installed: install librsvg2-bin, or use --format svg")
        }
        output => output.context("rsvg-convert")?,
    };
    anyhow::ensure!(
        output.status.success(),
        "rsvg-convert: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(output.stdout)
}
