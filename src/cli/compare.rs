//! `queenlab compare`: compares result directories with the first of them.

use std::io::Write;
use std::path::PathBuf;

use crate::app::compare::{self, Compared};
use crate::record::SCHEMA_VERSION;
use crate::registry::Registry;
use crate::report::compare::{Comparison, Undecided};
use crate::report::tables::Cell;
use crate::words::counted;
use anyhow::Error;
use clap::Args;
use serde_json::json;

use super::options::Quiet;
use super::{Exit, Run, comparison, out, print_json, progress, terminal};

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
        let results = compare::read(&self.first, &self.later, registry, &progress::notice)?;
        let all = results.compare();
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
            comparison::warn(comparison);
            if !self.json && !self.quiet.quiet {
                let mut out = out();
                if several {
                    writeln!(out, "{heading}")?;
                }
                comparison::print(comparison, self.fail_on_regression, &mut out)?;
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

impl Compare {
    fn several_as_json(&self, all: &[Compared<'_>]) -> serde_json::Value {
        let of = |(path, comparison): &Compared<'_>| json!({ "directory": path, "comparison": comparison });
        let comparisons: Vec<_> = all.iter().map(of).collect();
        json!({ "schema_version": SCHEMA_VERSION, "first": self.first, "comparisons": comparisons })
    }
}

fn is_regression(comparison: &Comparison<'_>, bound: f64) -> bool {
    comparison.regressions(bound).next().is_some() || !comparison.lost.is_empty()
}
