//! `queenlab compare`: compares two result directories.

use std::io::{self, Write};

use crate::escape::Escaped;
use crate::experiment::Stored;
use crate::registry::Registry;
use crate::report::Scale;
use crate::report::compare::{Change, Comparison, Ratio};
use crate::words::counted;
use anyhow::Error;

use super::args::{CompareArguments, Global};
use super::{Exit, checked, print_json, terminal};

pub fn run(arguments: &CompareArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    let (first, second) = (
        checked(Stored::read(&arguments.first, registry))?,
        checked(Stored::read(&arguments.second, registry))?,
    );
    show(&first, &second, arguments.fail_on_regression, arguments.json, global)
}

/// Compares and prints; returns the exit code.
pub fn show(
    first: &Stored,
    second: &Stored,
    bound: Option<f64>,
    json: bool,
    global: &Global,
) -> Result<Exit, Error> {
    let comparison = Comparison::of(first, second);
    for difference in &comparison.differences {
        terminal::warn(format_args!("different {}", Escaped(difference)));
    }
    let decided = comparison.ratios.iter().any(|ratio| ratio.ci95.is_some());
    if bound.is_some() && !decided {
        terminal::warn("no cell has five answered runs on both sides: regressions cannot be detected");
    }
    if let Some((cells, runs)) = comparison.undecidable().filter(|_| bound.is_some()) {
        terminal::warn(format_args!(
            "no regression can be detected: {runs} runs per cell are too few for a test of {cells} cells; repeat both sweeps with \
             more runs (--repeat), or compare fewer cells"
        ));
    }
    if json {
        print_json(&comparison)?;
    } else if !global.quiet {
        super::even_unread(text(&comparison, bound, &mut super::out()).map_err(Error::from))?;
    }
    Ok(if !comparison.wrong.is_empty() {
        Exit::WrongAnswer
    } else if bound.is_some_and(|bound| is_regression(&comparison, bound)) {
        Exit::Regression
    } else {
        Exit::Success
    })
}

fn is_regression(comparison: &Comparison, bound: f64) -> bool {
    comparison.regressions(bound).next().is_some() || !comparison.lost.is_empty()
}

fn text(comparison: &Comparison, bound: Option<f64>, out: &mut impl Write) -> io::Result<()> {
    changes("new wrong answers", &comparison.wrong, out)?;
    changes("counts that changed", &comparison.changed, out)?;
    changes("cells that are no longer answered", &comparison.lost, out)?;
    changes("newly answered cells", &comparison.gained, out)?;
    changes("answers and counts in only one of the two results", &comparison.one_sided, out)?;
    times(&comparison.ratios, out)?;
    if let Some(overall) = &comparison.overall {
        let ([low, high], cells) = (overall.ci95, counted(overall.cells, "cell"));
        let ratio = overall.ratio;
        writeln!(out, "all  geometric mean of {cells}: {ratio:.3} (95 %: {low:.3} to {high:.3})")?;
    }
    for (which, cells) in [("first", &comparison.only_first), ("second", &comparison.only_second)] {
        for cell in cells {
            writeln!(out, "only in the {which}: {cell}")?;
        }
    }
    if let Some(bound) = bound {
        let slower: Vec<&Ratio> = comparison.regressions(bound).collect();
        for ratio in &slower {
            writeln!(out, "regression beyond {bound} %: {}, {:.3} times", ratio.cell, ratio.ratio)?;
        }
        for change in &comparison.lost {
            writeln!(out, "regression: {}, {}", change.cell, Escaped(&change.what))?;
        }
        if slower.is_empty() && comparison.lost.is_empty() {
            writeln!(out, "no regression beyond {bound} %")?;
        }
    }
    Ok(())
}

fn changes(title: &str, changes: &[Change], out: &mut impl Write) -> io::Result<()> {
    if !changes.is_empty() {
        writeln!(out, "{title}")?;
    }
    for change in changes {
        writeln!(out, "  {}: {}", change.cell, Escaped(&change.what))?;
    }
    Ok(())
}

fn times(ratios: &[Ratio], out: &mut impl Write) -> io::Result<()> {
    if ratios.is_empty() {
        return writeln!(out, "no timed cell was answered in both results");
    }
    let width = ratios.iter().map(|ratio| ratio.cell.to_string().len()).max().unwrap_or(0);
    writeln!(
        out,
        "{:width$}  {:>8}  {:>8}     {:>6}  {:15}  {:>6}",
        "times", "first", "second", "ratio", "95 %", "p"
    )?;
    for ratio in ratios {
        let interval = ratio.ci95.map_or(String::new(), |[low, high]| format!("{low:.3} to {high:.3}"));
        let scale = Scale::of(ratio.median_ns).unwrap_or(Scale::Nanoseconds);
        writeln!(
            out,
            "{:width$}  {:>8}  {:>8} {:2}  {:>6.3}  {interval:15}  {:>6.3}  {}",
            ratio.cell.to_string(),
            scale.show(ratio.median_ns[0]),
            scale.show(ratio.median_ns[1]),
            scale.name(),
            ratio.ratio,
            ratio.p_holm.unwrap_or(ratio.p),
            if ratio.verdict == "unknown" { "too few runs" } else { ratio.verdict }
        )?;
    }
    Ok(())
}
