//! How a comparison of two results is printed: for `compare` and `reproduce`.

use std::io::{self, Write};

use crate::report::compare::{Change, Comparison, Ratio};
use crate::words::counted;
use plaintext::Escaped;
use timestats::Range;

use super::{terminal, units};

/// Warns of differences between the machines, programs and plans.
pub fn warn(comparison: &Comparison<'_>) {
    for difference in &comparison.differences {
        terminal::warn(format_args!("different {}", Escaped(difference)));
    }
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
