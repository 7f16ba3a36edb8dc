//! `queenlab compare`: compares result directories with the first of them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::record::SCHEMA_VERSION;
use crate::registry::Registry;
use crate::report::compare::{Change, Comparison, Ratio, Undecided};
use crate::report::tables::Cell;
use crate::words::counted;
use anyhow::Error;
use clap::Args;
use plaintext::Escaped;
use serde_json::json;
use timestats::Range;

use super::options::Quiet;
use super::{Exit, Run, out, print_json, read_result, terminal, units};

/// Compare the answers and the times of two or more result directories.
///
/// A cell is one solver at one board size. Its ratio is the median time in the second directory divided by the median
/// time in the first one. Of three or more directories, each is compared with the first one. A cell is a regression
/// beyond PCT percent if the 95 % interval of its ratio lies above that bound and the Mann-Whitney test gives p < 0.05, which requires five runs on both sides. A cell that
/// was answered in every run of the first directory and in half of those of the second at most is a regression as well.
/// A run that a limit stopped counts as longer than all others.
///
/// Differences between the machines, programs and plans are reported on standard error. Exit codes: 3 if an answer
/// is wrong in the second directory only, 5 if --fail-on-regression finds a regression, 8 if it cannot exclude one.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab compare results/before results/after
  queenlab compare results/before results/after --fail-on-regression 5
  queenlab compare results/before results/after --json
  queenlab compare results/monday results/tuesday results/wednesday")]
pub struct Compare {
    /// Result directory of the earlier sweep (the baseline).
    #[arg(value_name = "DIR")]
    first: PathBuf,
    /// Result directories of later sweeps, each of which is compared with the first one.
    #[arg(value_name = "DIR", required = true)]
    later: Vec<PathBuf>,
    /// Exit with code 5 if a cell is slower by more than PCT percent, for example 5, and with code 8 if the runs cannot exclude
    /// it: nothing to compare, too few runs, or an interval that contains the bound.
    #[arg(long, value_name = "PCT", value_parser = parse_percent)]
    fail_on_regression: Option<f64>,
    /// Print the comparison as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    quiet: Quiet,
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let percent =
        text.trim_end_matches('%').parse::<f64>().ok().filter(|&value| value.is_finite() && value >= 0.0);
    percent.ok_or_else(|| format!("'{text}' is not a percentage of at least 0: write, for example, 5"))
}

impl Run for Compare {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let first = read_result(&self.first, registry)?;
        let read = self.later.iter().map(|path| read_result(path, registry));
        let later = read.collect::<Result<Vec<_>, _>>()?;
        let all: Vec<Compared<'_>> = self
            .later
            .iter()
            .zip(&later)
            .map(|(path, later)| (&**path, Comparison::of(&first, later)))
            .collect();
        let several = all.len() > 1;
        match &all[..] {
            [(_, comparison)] if self.json => print_json(comparison)?,
            several if self.json => print_json(&self.several_as_json(several))?,
            _ => {}
        }
        for (path, comparison) in &all {
            let heading =
                format!("{}, compared with {}:", plaintext::path(path), plaintext::path(&self.first));
            if several && !comparison.differences.is_empty() {
                terminal::note(&heading);
            }
            warn(comparison);
            if !self.json && !self.quiet.quiet {
                let mut out = out();
                if several {
                    writeln!(out, "{heading}")?;
                }
                print(comparison, self.fail_on_regression, &mut out)?;
            }
        }
        let any = |is: &dyn Fn(&Comparison<'_>) -> bool| all.iter().any(|(_, comparison)| is(comparison));
        Ok(if any(&|comparison| !comparison.wrong.is_empty()) {
            Exit::WrongAnswer
        } else if self.fail_on_regression.is_some_and(|bound| any(&|of| is_regression(of, bound))) {
            Exit::Regression
        } else {
            // A gate that cannot decide does not pass.
            let undecided =
                all.iter().filter_map(|(path, of)| Some((path, of.undecided(self.fail_on_regression?)?)));
            let mut exit = Exit::Success;
            for (path, reason) in undecided {
                let prefix = if several { format!("{}: ", plaintext::path(path)) } else { String::new() };
                terminal::say(format_args!("{prefix}undecided: {}", advice(&reason)));
                exit = Exit::Undecided;
            }
            exit
        })
    }
}

/// Why no regression can be excluded, and what to do.
fn advice(reason: &Undecided<'_>) -> String {
    let cells = |cells: &[Cell<'_>]| match cells {
        [first, rest @ ..] if !rest.is_empty() => format!("{first} and {}", counted(rest.len(), "more cell")),
        cells => cells.iter().map(ToString::to_string).collect(),
    };
    match reason {
        Undecided::NothingInCommon => "no timed cell was answered in both results".to_owned(),
        Undecided::NotCompared(of) => {
            format!("no time in the second result that can be compared: {}", cells(of))
        }
        Undecided::Unresolved(of) => {
            format!("times of 0 are below the resolution of their clock: {}; compare larger sizes", cells(of))
        }
        Undecided::FewRuns(of) => format!(
            "too few runs: {}; a test needs at least five on both sides, and more if there are many cells: repeat both sweeps \
             with more runs (--repeat), or compare fewer cells",
            cells(of)
        ),
        Undecided::WideIntervals(of) => {
            format!(
                "the interval contains the bound: {}; repeat both sweeps with more runs (--repeat)",
                cells(of)
            )
        }
    }
}

/// A later directory, and its comparison with the first one.
type Compared<'a> = (&'a Path, Comparison<'a>);

impl Compare {
    fn several_as_json(&self, all: &[Compared<'_>]) -> serde_json::Value {
        let of = |(path, comparison): &Compared<'_>| json!({ "directory": path, "comparison": comparison });
        let comparisons: Vec<_> = all.iter().map(of).collect();
        json!({ "schema_version": SCHEMA_VERSION, "first": self.first, "comparisons": comparisons })
    }
}

/// Warns of differences between the machines, programs and plans.
pub fn warn(comparison: &Comparison<'_>) {
    for difference in &comparison.differences {
        terminal::warn(format_args!("different {}", Escaped(difference)));
    }
}

fn is_regression(comparison: &Comparison<'_>, bound: f64) -> bool {
    comparison.regressions(bound).next().is_some() || !comparison.lost.is_empty()
}

/// Prints all differences.
pub fn print(comparison: &Comparison<'_>, bound: Option<f64>, out: &mut impl Write) -> io::Result<()> {
    changes("new wrong answers", &comparison.wrong, out)?;
    changes("counts that changed", &comparison.changed, out)?;
    changes("cells that are no longer answered", &comparison.lost, out)?;
    changes("newly answered cells", &comparison.gained, out)?;
    changes("answers and counts in only one of the two results", &comparison.one_sided, out)?;
    times(&comparison.ratios, out)?;
    if let Some(overall) = &comparison.overall {
        let (Range { low, high }, cells) = (overall.ci95, counted(overall.cells, "cell"));
        let ratio = overall.ratio;
        writeln!(out, "all  geometric mean of {cells}: {ratio:.3} (95 %: {low:.3} to {high:.3})")?;
    }
    for cell in &comparison.unresolved {
        writeln!(out, "times of 0, below the resolution of their clock: {cell}")?;
    }
    for (which, cells) in [("first", &comparison.only_first), ("second", &comparison.only_second)] {
        for cell in cells {
            writeln!(out, "only in the {which}: {cell}")?;
        }
    }
    bound.map_or(Ok(()), |bound| print_regressions(comparison, bound, out))
}

fn print_regressions(comparison: &Comparison<'_>, bound: f64, out: &mut impl Write) -> io::Result<()> {
    let slower: Vec<&Ratio<'_>> = comparison.regressions(bound).collect();
    for ratio in &slower {
        writeln!(out, "regression beyond {bound} %: {}, {:.3} times", ratio.cell, ratio.ratio)?;
    }
    for change in &comparison.lost {
        writeln!(out, "regression: {}, {}", change.cell, Escaped(&change.what))?;
    }
    if slower.is_empty() && comparison.lost.is_empty() && comparison.undecided(bound).is_none() {
        writeln!(out, "no regression beyond {bound} %")?;
    }
    Ok(())
}

fn changes(title: &str, changes: &[Change<'_>], out: &mut impl Write) -> io::Result<()> {
    if !changes.is_empty() {
        writeln!(out, "{title}")?;
    }
    for change in changes {
        writeln!(out, "  {}: {}", change.cell, Escaped(&change.what))?;
    }
    Ok(())
}

fn times(ratios: &[Ratio<'_>], out: &mut impl Write) -> io::Result<()> {
    if ratios.is_empty() {
        return writeln!(out, "no timed cell was answered in both results");
    }
    let width = ratios.iter().map(|ratio| ratio.cell.to_string().len()).max().unwrap_or(0);
    let heads = ("first", "second", "ratio", "95 %", "p");
    writeln!(
        out,
        "{:width$}  {:>8}  {:>8}   {:>6}  {:15}  {:>6}",
        "times", heads.0, heads.1, heads.2, heads.3, heads.4
    )?;
    for Ratio { cell, stopped, median_ns, ratio, ci95, p_holm, verdict, .. } in ratios {
        let interval = ci95.map_or(String::new(), |Range { low, high }| match high.is_finite() {
            true => format!("{low:.3} to {high:.3}"),
            false => format!("more than {low:.3}"),
        });
        // A median that counts a run that was stopped.
        let [first, second] = [0, 1].map(|at| {
            format!("{:>8}{}", units::time(median_ns[at]), if stopped[at] > 0 { "*" } else { " " })
        });
        let p = p_holm.map_or(String::new(), |p| format!("{p:.3}"));
        let verdict = if *verdict == "unknown" { "too few runs" } else { verdict };
        writeln!(
            out,
            "{:width$}  {first} {second}  {ratio:>6.3}  {interval:15}  {p:>6}  {verdict}",
            cell.to_string()
        )?;
    }
    if ratios.iter().any(|ratio| ratio.stopped != [0, 0]) {
        writeln!(out, "* counts runs that a limit stopped as longer than all others")?;
    }
    Ok(())
}
