//! `queenlab compare`: compares result directories with the first of them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::record::SCHEMA_VERSION;
use crate::registry::Registry;
use crate::report::compare::{
    CellRatio, Change, Comparison, Gate, Overall, SolverRatio, TimeRatio, TimeVerdict, Undecided,
    WITHIN_PERCENT,
};
use crate::report::tables::Cell;
use crate::words::counted;
use anyhow::Error;
use clap::Args;
use plaintext::Escaped;
use serde_json::json;
use timestats::Range;

use super::options::Quiet;
use super::{Exit, Run, out, print_json, read_result, terminal, units};

/// Compare the answers and the times of two or more result directories, or of two series of one.
///
/// To compare two versions of a program, measure both in one sweep, as two programs or solvers of one experiment, and
/// compare these series: queenlab compare DIR --of new --baseline old. Their runs take turns, so that their ratio is taken within
/// each round, and what slows the machine down slows both. Two directories are compared run by run with all runs of the other one; of three or
/// more, each is compared with the first one.
///
/// A ratio says how many times as long the second side takes. Each solver has one line over all of its sizes: `faster` or `slower` if its
/// whole 95 % interval lies on one side of 1, `within 5 %` if the whole interval lies within this tolerance, and `undecided` otherwise,
/// with the number of runs that would decide. The intervals are corrected for the number of solvers. A run that a limit stopped counts
/// as longer than all others.
///
/// Differences between the machines, programs and plans are reported on standard error. Exit codes: 3 if an answer
/// is wrong on the second side only; with --fail-on-regression, 5 for a regression and 8 if none can be excluded.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab compare results/versions --of program/new --baseline program/old
  queenlab compare results/versions --of program/new --baseline program/old --fail-on-regression 5
  queenlab compare results/before results/after
  queenlab compare results/monday results/tuesday results/wednesday --json")]
pub struct Compare {
    /// Result directories, each of which is compared with the first one; with --of, the only one.
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
    /// Series to compare with --baseline: a solver of the directory, or its label.
    #[arg(long, value_name = "SERIES", requires = "baseline")]
    of: Option<String>,
    /// Series that --of is compared with.
    #[arg(long, value_name = "SERIES", requires = "of")]
    baseline: Option<String>,
    /// Exit with code 5 if a solver is slower by more than PCT percent, for example 5, or no longer answers a cell, and with code 8
    /// if the runs cannot exclude it: different machines, nothing to compare, too few runs, or an interval that contains the bound.
    #[arg(long, value_name = "PCT", value_parser = parse_percent)]
    fail_on_regression: Option<f64>,
    /// Exit with code 0 where --fail-on-regression cannot decide.
    #[arg(long, requires = "fail_on_regression")]
    allow_undecided: bool,
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
        let within = self.fail_on_regression.unwrap_or(WITHIN_PERCENT);
        let [first_path, later_paths @ ..] = &self.directories[..] else { unreachable!("clap requires one") };
        let first = read_result(first_path, registry)?;
        let read = later_paths.iter().map(|path| read_result(path, registry));
        let later = read.collect::<Result<Vec<_>, _>>()?;
        let all: Vec<Compared<'_>> = match (&self.of, &self.baseline) {
            (Some(of), Some(baseline)) => {
                if !later.is_empty() {
                    refuse!("--of and --baseline compare two series of one directory: give one DIR");
                }
                let comparison = Comparison::of_series(&first, of, baseline, within);
                vec![(first_path, comparison.map_err(|error| super::BadInput(error.to_string()))?)]
            }
            _ if later.is_empty() => {
                refuse!("give two directories, or two series of this one: --of SERIES --baseline SERIES");
            }
            _ => {
                let compared = later_paths.iter().zip(&later);
                compared.map(|(path, later)| (&**path, Comparison::of(&first, later, within))).collect()
            }
        };
        let several = all.len() > 1;
        match &all[..] {
            [(_, comparison)] if self.json => print_json(comparison)?,
            several if self.json => print_json(&self.several_as_json(several))?,
            _ => {}
        }
        let is_gate = self.fail_on_regression.is_some();
        for (path, comparison) in &all {
            let heading =
                format!("{}, compared with {}:", plaintext::path(path), plaintext::path(first_path));
            if several && !comparison.differences.is_empty() {
                terminal::note(&heading);
            }
            warn(comparison);
            if !self.json && !self.quiet.quiet {
                let mut out = out();
                if several {
                    writeln!(out, "{heading}")?;
                }
                print(comparison, is_gate, &mut out)?;
            }
        }
        let gates: Vec<(&Path, Gate<'_>)> =
            all.iter().filter(|_| is_gate).map(|(path, comparison)| (*path, comparison.gate())).collect();
        if all.iter().any(|(_, comparison)| !comparison.wrong.is_empty()) {
            return Ok(Exit::WrongAnswer);
        }
        if gates.iter().any(|(_, gate)| *gate == Gate::Regression) {
            return Ok(Exit::Regression);
        }
        let mut exit = Exit::Success;
        for (path, gate) in gates {
            let Gate::Undecided(reasons) = gate else { continue };
            let prefix = if several { format!("{}: ", plaintext::path(path)) } else { String::new() };
            for reason in &reasons {
                terminal::say(format_args!("{prefix}undecided: {}", advice(reason, within)));
            }
            exit = if self.allow_undecided { exit } else { Exit::Undecided };
        }
        Ok(exit)
    }
}

/// Why no regression can be excluded, and what to do.
fn advice(reason: &Undecided<'_>, within: f64) -> String {
    let cells = |cells: &[Cell<'_>]| match cells {
        [first, rest @ ..] if !rest.is_empty() => format!("{first} and {}", counted(rest.len(), "more cell")),
        cells => cells.iter().map(ToString::to_string).collect(),
    };
    match reason {
        Undecided::DifferentMachines => {
            "the results are of different machines; measure both versions in one sweep, and compare them \
             with --of and --baseline"
                .to_owned()
        }
        Undecided::NothingInCommon => "no timed cell was answered on both sides".to_owned(),
        Undecided::NotCompared(of) => {
            format!("no time on the second side that can be compared: {}", cells(of))
        }
        Undecided::Unresolved(of) => {
            format!("times of 0 are below the resolution of their clock: {}; compare larger sizes", cells(of))
        }
        Undecided::FewRounds(of, needed) => {
            format!("too few runs of {of}: at least {needed} a side are needed (--repeat)")
        }
        Undecided::WideInterval(of, Some(needed)) => format!(
            "the interval of {of} contains {within} %: {} a side would decide at this spread (--repeat)",
            about(*needed)
        ),
        Undecided::WideInterval(of, None) => {
            format!("the interval of {of} contains {within} %, because a limit stopped runs: raise the limit")
        }
    }
}

/// A number of runs, rounded up.
fn about(runs: usize) -> String {
    let unit = match runs {
        ..=20 => 1,
        21..=200 => 10,
        _ => 100,
    };
    if runs > 1000 {
        "more than 1000 runs".to_owned()
    } else {
        format!("about {} runs", runs.div_ceil(unit) * unit)
    }
}

/// A later directory, and its comparison with the first one.
type Compared<'a> = (&'a Path, Comparison<'a>);

impl Compare {
    fn several_as_json(&self, all: &[Compared<'_>]) -> serde_json::Value {
        let of = |(path, comparison): &Compared<'_>| json!({ "directory": path, "comparison": comparison });
        let comparisons: Vec<_> = all.iter().map(of).collect();
        json!({ "schema_version": SCHEMA_VERSION, "first": self.directories[0], "comparisons": comparisons })
    }
}

/// Warns of differences between the machines, programs and plans.
pub fn warn(comparison: &Comparison<'_>) {
    for difference in &comparison.differences {
        terminal::warn(format_args!("different {}", Escaped(difference)));
    }
}

/// Prints all differences.
pub fn print(comparison: &Comparison<'_>, is_gate: bool, out: &mut impl Write) -> io::Result<()> {
    changes("new wrong answers", &comparison.wrong, out)?;
    changes("counts that changed", &comparison.changed, out)?;
    changes("cells that are no longer answered", &comparison.lost, out)?;
    changes("newly answered cells", &comparison.gained, out)?;
    changes("answers and counts in only one of the two results", &comparison.one_sided, out)?;
    times(comparison, out)?;
    for cell in &comparison.unresolved {
        writeln!(out, "times of 0, below the resolution of their clock: {cell}")?;
    }
    for (which, cells) in [("first", &comparison.only_first), ("second", &comparison.only_second)] {
        for cell in cells {
            writeln!(out, "only in the {which}: {cell}")?;
        }
    }
    if is_gate { print_gate(comparison, out) } else { Ok(()) }
}

fn print_gate(comparison: &Comparison<'_>, out: &mut impl Write) -> io::Result<()> {
    let bound = comparison.within_percent;
    for SolverRatio { key, time, .. } in comparison.regressions() {
        writeln!(out, "regression beyond {bound} %: {key}, {} times", ratio(time.ratio))?;
    }
    for change in &comparison.lost {
        writeln!(out, "regression: {}, {}", change.cell, Escaped(&change.what))?;
    }
    if comparison.gate() == Gate::Passed {
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

fn times(comparison: &Comparison<'_>, out: &mut impl Write) -> io::Result<()> {
    let Comparison { ratios, solvers, overall, within_percent, .. } = comparison;
    if ratios.is_empty() {
        return writeln!(out, "no timed cell was answered on both sides");
    }
    let names = || {
        let cells = ratios.iter().map(|ratio| ratio.cell.to_string());
        cells.chain(solvers.iter().map(|solver| solver.key.to_string()))
    };
    let width = names().map(|name| name.chars().count()).max().unwrap_or(0);
    let heads = ("first", "second", "ratio", "95 %", "p");
    writeln!(
        out,
        "{:width$}  {:>8}  {:>8}   {:>6}  {:15}  {:>6}",
        "times", heads.0, heads.1, heads.2, heads.3, heads.4
    )?;
    for CellRatio { cell, stopped, median_ns, p_holm, time, .. } in ratios {
        // A median that counts a run that was stopped.
        let [first, second] = [0, 1].map(|at| {
            format!("{:>8}{}", units::time(median_ns[at]), if stopped[at] > 0 { "*" } else { " " })
        });
        let p = p_holm.map_or(String::new(), |p| format!("{p:.3}"));
        let line = times_line(time, &p, *within_percent);
        writeln!(out, "{:width$}  {first} {second}  {line}", cell.to_string())?;
    }
    writeln!(out, "{:width$}  {:>8}  {:>8}", "over all sizes", "runs", "runs")?;
    for SolverRatio { key, time, .. } in solvers {
        let line = times_line(time, "", *within_percent);
        writeln!(out, "{:width$}  {:>8}  {:>8}   {line}", key.to_string(), time.runs[0], time.runs[1])?;
    }
    if let Some(Overall { cells, time }) = overall.as_ref().filter(|_| solvers.len() > 1) {
        let (name, line) =
            (format!("all {}", counted(*cells, "cell")), times_line(time, "", *within_percent));
        writeln!(out, "{name:width$}  {:>8}  {:>8}   {line}", time.runs[0], time.runs[1])?;
    }
    if ratios.iter().any(|ratio| ratio.stopped != [0, 0]) {
        writeln!(out, "* counts runs that a limit stopped as longer than all others")?;
    }
    Ok(())
}

/// Ratio, interval, p and verdict.
fn times_line(time: &TimeRatio, p: &str, within: f64) -> String {
    let interval = time.ci95.map_or(String::new(), |Range { low, high }| match high.is_finite() {
        true => format!("{low:.3} to {high:.3}"),
        false => format!("more than {low:.3}"),
    });
    let verdict = match (time.verdict, time.ci95, time.runs_needed) {
        (TimeVerdict::Faster, ..) => "faster".to_owned(),
        (TimeVerdict::Slower, ..) => "slower".to_owned(),
        (TimeVerdict::Within, ..) => format!("within {within} %"),
        (TimeVerdict::Undecided, None, Some(needed)) => {
            format!("undecided (too few runs: at least {needed} a side)")
        }
        (TimeVerdict::Undecided, Some(_), Some(needed)) => {
            format!("undecided ({} a side for {within} %)", about(needed))
        }
        (TimeVerdict::Undecided, _, None) => "undecided".to_owned(),
    };
    format!("{:>6}  {interval:15}  {p:>6}  {verdict}", ratio(time.ratio))
}

/// A ratio, or the end of it that is known.
fn ratio(ratio: Range) -> String {
    match ratio.value() {
        Some(value) => format!("{value:.3}"),
        None if ratio.low > 0.0 => format!(">{:.3}", ratio.low),
        None if ratio.high.is_finite() => format!("<{:.3}", ratio.high),
        None => String::new(),
    }
}
