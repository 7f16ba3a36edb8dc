//! `queenlab compare`: compares result directories with the first one.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::app::compare::{self, CompareInput, Compared};
use crate::record::SCHEMA_VERSION;
use crate::registry::Registry;
use crate::report::compare::{Gate, Undecided, WITHIN_PERCENT};
use crate::report::tables::ReportCell;
use crate::words::counted;
use anyhow::Error;
use clap::Args;
use serde_json::json;

use super::comparison::{self, Sides, approximate_runs};
use super::options::Quiet;
use super::{BadInput, Exit, RunCommand, exit_after_printing, out, print_json, progress, terminal};

/// Compare the answers and the times of result directories, or of two series.
///
/// To compare two versions of a program, measure both in one sweep, as two programs or two solvers of one experiment, and
/// compare the two series: queenlab compare DIR --of new --baseline old. The runs of the two versions alternate, so that
/// anything that slows down the machine slows down both, and ratios are computed within each round. The results of two
/// directories are less certain, because their runs were made at different times. If there are three or more directories,
/// each is compared with the first one.
///
/// A ratio is the time of the second result divided by the time of the first, or the time of --of divided by the time of
/// --baseline. The verdict of each solver covers all of its sizes: `faster` or `slower` if the whole 95 % interval lies
/// on one side of 1; `within 5 %` if the whole interval lies within this tolerance; otherwise `undecided`, with the number of
/// runs that would decide. The intervals are corrected for the number of solvers. A run that was stopped by a limit counts
/// as longer than all others.
///
/// Differences between machines, programs and plans are reported on standard error.
///
/// Exit codes: 3 if an answer is wrong only in the second result, or if two answers contradict each other; with
/// --fail-on-regression, 5 for a regression and 8 if a regression cannot be excluded.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab compare results/versions --of program/new --baseline program/old
  queenlab compare results/versions --of program/new --baseline program/old --fail-on-regression 5
  queenlab compare results/before results/after
  queenlab compare results/monday results/tuesday results/wednesday --json")]
pub struct Compare {
    /// Result directories; each is compared with the first one. With --of, exactly one directory.
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
    /// Series to compare with the baseline: the id or the label of a solver.
    #[arg(long, value_name = "SERIES", requires = "baseline")]
    of: Option<String>,
    /// Baseline series: the id or the label of a solver.
    #[arg(long, value_name = "SERIES", requires = "of")]
    baseline: Option<String>,
    /// Exit with code 5 if a solver is more than PCT percent slower, or no longer solves a problem that it solved. Exit with
    /// code 8 if a regression cannot be excluded: different machines, nothing to compare, too few runs, or an interval that
    /// contains the bound.
    #[arg(long, value_name = "PCT", value_parser = parse_percent)]
    fail_on_regression: Option<f64>,
    /// Exit with code 0 instead of 8 if a regression cannot be excluded.
    #[arg(long, requires = "fail_on_regression")]
    allow_undecided: bool,
    /// Print the comparison as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    quiet: Quiet,
}

fn parse_percent(text: &str) -> Result<f64, BadInput> {
    let percent =
        text.trim_end_matches('%').parse::<f64>().ok().filter(|&value| value.is_finite() && value >= 0.0);
    percent
        .ok_or_else(|| BadInput(format!("'{text}' is not a percentage of at least 0: write, for example, 5")))
}

impl RunCommand for Compare {
    fn run(&self, _: &Registry) -> Result<Exit, Error> {
        let tolerance = self.fail_on_regression.unwrap_or(WITHIN_PERCENT);
        let input = CompareInput {
            directories: self.directories.clone(),
            series: self.of.clone().zip(self.baseline.clone()),
            within_percent: tolerance,
        };
        let results = compare::read(input, &progress::notice)?;
        let compared_results = results.compare()?;
        let is_gate = self.fail_on_regression.is_some();
        let print_result = self.print(&compared_results);
        exit_after_printing(self.exit(&compared_results, tolerance, is_gate), print_result)
    }
}

impl Compare {
    /// Prints the comparisons, unless --quiet, and the differences of each.
    fn print(&self, compared_results: &[Compared<'_>]) -> Result<(), Error> {
        let has_several = compared_results.len() > 1;
        match compared_results {
            [(_, comparison)] if self.json => print_json(comparison)?,
            _ if self.json => print_json(&self.comparisons_as_json(compared_results))?,
            _ => {}
        }
        for (path, comparison) in compared_results {
            let heading = format!(
                "{}, compared with {}:",
                plaintext::path(path),
                plaintext::path(&self.directories[0])
            );
            if has_several && !comparison.differences.is_empty() {
                terminal::note(&heading);
            }
            comparison::warn(comparison);
            if !self.json && !self.quiet.quiet {
                let mut out = out();
                if has_several {
                    writeln!(out, "{heading}")?;
                }
                comparison::print(comparison, self.fail_on_regression.is_some(), &mut out)?;
            }
        }
        Ok(())
    }

    /// Prints the reasons for undecided gates, and returns the exit code.
    fn exit(&self, compared_results: &[Compared<'_>], tolerance: f64, is_gate: bool) -> Exit {
        let gates = compared_results.iter().filter(|_| is_gate);
        let gates: Vec<(&Path, Gate<'_>, Sides)> =
            gates.map(|(path, comparison)| (*path, comparison.gate(), Sides::new(comparison))).collect();
        if compared_results.iter().any(|(_, comparison)| !comparison.wrong.is_empty()) {
            return Exit::WrongAnswer;
        }
        if gates.iter().any(|(_, gate, _)| *gate == Gate::Regression) {
            return Exit::Regression;
        }
        let mut exit = Exit::Success;
        for (path, gate, sides) in gates {
            let Gate::Undecided(reasons) = gate else { continue };
            let prefix = if compared_results.len() > 1 {
                format!("{}: ", plaintext::path(path))
            } else {
                String::new()
            };
            for reason in &reasons {
                terminal::say(format_args!("{prefix}undecided: {}", advice(reason, tolerance, &sides)));
            }
            exit = if self.allow_undecided { exit } else { Exit::Undecided };
        }
        exit
    }
}

/// Why a regression cannot be excluded, and what to do.
fn advice(reason: &Undecided<'_>, tolerance: f64, sides: &Sides) -> String {
    let Sides { names: [_, second], singular, plural, .. } = sides;
    let cells = |cells: &[ReportCell<'_>]| match cells {
        [first, others @ ..] if !others.is_empty() => {
            format!("{first} and {}", counted(others.len(), "more cell"))
        }
        cells => cells.iter().map(ToString::to_string).collect(),
    };
    match reason {
        Undecided::DifferentMachines => {
            "the results are from different machines; measure both versions in one sweep, and compare them \
             with --of and --baseline"
                .to_owned()
        }
        Undecided::NothingInCommon => format!("the two {plural} have no timed answer in common"),
        Undecided::NotCompared(of) => {
            format!("{second} has no time to compare: {}", cells(of))
        }
        Undecided::Unresolved(of) => {
            format!("the times are below the resolution of the clock: {}; compare larger sizes", cells(of))
        }
        Undecided::FewRounds(of, runs) => {
            format!("too few runs of {of}: each {singular} needs at least {runs} (--repeat)")
        }
        Undecided::WideInterval(of, Some(runs)) => format!(
            "the interval of {of} contains {tolerance} %: with this spread, {} in each {singular} would decide (--repeat)",
            approximate_runs(*runs)
        ),
        Undecided::WideInterval(of, None) => {
            format!(
                "the interval of {of} contains {tolerance} %, because runs were stopped by a limit: raise the limit"
            )
        }
    }
}

impl Compare {
    fn comparisons_as_json(&self, compared_results: &[Compared<'_>]) -> serde_json::Value {
        let comparison_as_json =
            |(path, comparison): &Compared<'_>| json!({ "directory": path, "comparison": comparison });
        let comparisons: Vec<_> = compared_results.iter().map(comparison_as_json).collect();
        json!({ "schema_version": SCHEMA_VERSION, "first": self.directories[0], "comparisons": comparisons })
    }
}
