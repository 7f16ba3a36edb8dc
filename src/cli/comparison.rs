//! Prints the comparison of two results, for `compare` and `reproduce`.

use std::io::{self, Write};

use crate::report::compare::{
    CellChange, CellRatio, Comparison, Gate, Overall, SolverRatio, TimeRatio, TimeVerdict,
};
use crate::words::counted;
use plaintext::Escaped;
use timestats::Range;

use super::{terminal, units};

/// The names of the two sides of a comparison.
pub struct Sides {
    /// The heads of the columns of the two sides.
    heads: [&'static str; 2],
    /// The name of each side within a sentence.
    pub names: [&'static str; 2],
    /// The noun for one side.
    pub singular: &'static str,
    /// The noun for both sides.
    pub plural: &'static str,
}

impl Sides {
    /// The names for two results, or for a series and its baseline.
    pub fn new(comparison: &Comparison<'_>) -> Self {
        match comparison.is_of_series() {
            true => Self {
                heads: ["baseline", "series"],
                names: ["the baseline", "the series"],
                singular: "series",
                plural: "series",
            },
            false => Self {
                heads: ["first", "second"],
                names: ["the first result", "the second result"],
                singular: "result",
                plural: "results",
            },
        }
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
    print_changes("new wrong answers:", &comparison.wrong, out)?;
    print_changes("changed counts:", &comparison.changed, out)?;
    print_changes("cells that are no longer answered:", &comparison.lost, out)?;
    print_changes("newly answered cells:", &comparison.gained, out)?;
    print_changes("answers and counts in only one of the two results:", &comparison.one_sided, out)?;
    let sides = Sides::new(comparison);
    print_times(comparison, &sides, out)?;
    for cell in &comparison.unresolved {
        writeln!(out, "time below the resolution of the clock: {cell}")?;
    }
    for (side, cells) in sides.names.iter().zip([&comparison.only_first, &comparison.only_second]) {
        for cell in cells {
            writeln!(out, "only in {side}: {cell}")?;
        }
    }
    if is_gate { print_gate(comparison, out) } else { Ok(()) }
}

fn print_gate(comparison: &Comparison<'_>, out: &mut impl Write) -> io::Result<()> {
    let bound = comparison.within_percent;
    for SolverRatio { key, time, .. } in comparison.regressions() {
        writeln!(out, "regression beyond {bound} %: {key} takes {} times as long", ratio(time.ratio))?;
    }
    for change in &comparison.lost {
        writeln!(out, "regression: {}, {}", change.cell, Escaped(&change.what))?;
    }
    if comparison.gate() == Gate::Passed {
        writeln!(out, "no regression beyond {bound} %")?;
    }
    Ok(())
}

fn print_changes(title: &str, changes: &[CellChange<'_>], out: &mut impl Write) -> io::Result<()> {
    if !changes.is_empty() {
        writeln!(out, "{title}")?;
    }
    for change in changes {
        writeln!(out, "  {}: {}", change.cell, Escaped(&change.what))?;
    }
    Ok(())
}

fn print_times(comparison: &Comparison<'_>, sides: &Sides, out: &mut impl Write) -> io::Result<()> {
    let Comparison { ratios, solvers, overall, within_percent, .. } = comparison;
    if ratios.is_empty() {
        return writeln!(out, "the two {} have no timed answer in common", sides.plural);
    }
    let names = || {
        let cells = ratios.iter().map(|ratio| ratio.cell.to_string());
        cells.chain(solvers.iter().map(|solver| solver.key.to_string()))
    };
    let width = names().map(|name| name.chars().count()).max().unwrap_or(0);
    let heads = (sides.heads[0], sides.heads[1], "ratio", "95 %", "p");
    writeln!(
        out,
        "{:width$}  {:>8}  {:>8}   {:>6}  {:15}  {:>6}",
        "times", heads.0, heads.1, heads.2, heads.3, heads.4
    )?;
    for CellRatio { cell, stopped, median_ns, p_holm, time, .. } in ratios {
        // The asterisk marks a median that includes stopped runs.
        let [first, second] = [0, 1].map(|side| {
            format!("{:>8}{}", units::time(median_ns[side]), if stopped[side] > 0 { "*" } else { " " })
        });
        let p = p_holm.map_or(String::new(), |p| format!("{p:.3}"));
        let line = times_line(time, &p, *within_percent, sides);
        writeln!(out, "{:width$}  {first} {second}  {line}", cell.to_string())?;
    }
    writeln!(out, "{:width$}  {:>8}  {:>8}", "over all sizes", "runs", "runs")?;
    for SolverRatio { key, time, .. } in solvers {
        let line = times_line(time, "", *within_percent, sides);
        writeln!(out, "{:width$}  {:>8}  {:>8}   {line}", key.to_string(), time.runs[0], time.runs[1])?;
    }
    if let Some(Overall { cells, time }) = overall.as_ref().filter(|_| solvers.len() > 1) {
        let (name, line) =
            (format!("all {}", counted(*cells, "cell")), times_line(time, "", *within_percent, sides));
        writeln!(out, "{name:width$}  {:>8}  {:>8}   {line}", time.runs[0], time.runs[1])?;
    }
    if ratios.iter().any(|ratio| ratio.stopped != [0, 0]) {
        writeln!(out, "* some runs were stopped by a limit; they count as longer than all others")?;
    }
    Ok(())
}

/// Formats the ratio, the interval, p and the verdict.
fn times_line(time: &TimeRatio, p: &str, within: f64, sides: &Sides) -> String {
    let interval = time.ci95.map_or(String::new(), |Range { low, high }| match high.is_finite() {
        true => format!("{} to {}", decimal(low), decimal(high)),
        false => format!("more than {}", decimal(low)),
    });
    let verdict = match (time.verdict, time.ci95, time.runs_needed) {
        (TimeVerdict::Faster, ..) => "faster".to_owned(),
        (TimeVerdict::Slower, ..) => "slower".to_owned(),
        (TimeVerdict::Within, ..) => format!("within {within} %"),
        (TimeVerdict::Undecided, None, Some(runs_needed)) => {
            format!("undecided (too few runs: each {} needs at least {runs_needed})", sides.singular)
        }
        (TimeVerdict::Undecided, Some(_), Some(runs_needed)) => {
            format!("undecided ({} in each {} would decide)", approximate_runs(runs_needed), sides.singular)
        }
        (TimeVerdict::Undecided, _, None) => "undecided".to_owned(),
    };
    format!("{:>6}  {interval:15}  {p:>6}  {verdict}", ratio(time.ratio))
}

/// Formats a ratio, or its bound if only one end of its range is known.
fn ratio(ratio: Range) -> String {
    match ratio.value() {
        Some(value) => decimal(value),
        None if ratio.low > 0.0 => format!(">{}", decimal(ratio.low)),
        None if ratio.high.is_finite() => format!("<{}", decimal(ratio.high)),
        None => String::new(),
    }
}

/// Formats a ratio with three decimals, or with three significant digits if it is small.
fn decimal(ratio: f64) -> String {
    if ratio > 0.0 && ratio < 0.01 { units::digits(ratio) } else { format!("{ratio:.3}") }
}

/// Formats an approximate number of runs, rounded up.
pub fn approximate_runs(runs: usize) -> String {
    let unit = match runs {
        ..=20 => 1,
        21..=200 => 10,
        _ => 100,
    };
    if runs > 1000 {
        "more than 1,000 runs".to_owned()
    } else {
        format!("about {} runs", runs.div_ceil(unit) * unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_ratio_has_three_significant_digits() {
        let formatted = [0.000_123_45, 0.0099, 0.5, 1.2345].map(decimal);
        assert_eq!(formatted, ["0.000123", "0.00990", "0.500", "1.234"]);
    }
}
