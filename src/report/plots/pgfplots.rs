//! A chart as code for the LaTeX package pgfplots, with the values in a table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use plaintext::latex as in_latex;

use super::chart::{Chart, Series};
use crate::report::Unit;

/// The marks that differ most in print.
const MARKS: [&str; 7] = ["*", "square*", "triangle*", "diamond*", "pentagon*", "+", "x"];

/// A picture of the environment `tikzpicture` that needs `\usepackage{pgfplots}` alone.
pub fn code(chart: &Chart) -> String {
    let named: Vec<&Series> = chart.series.iter().filter(|series| !series.line.is_empty()).collect();
    let numbers: BTreeSet<u64> = named.iter().flat_map(|series| &series.line).map(|&(n, _)| n).collect();
    let values: Vec<BTreeMap<u64, u64>> =
        named.iter().map(|series| series.line.iter().copied().collect()).collect();
    let mut table = String::new();
    let heads: String = (1..=named.len()).map(|at| format!(" y{at}")).collect();
    let _ = writeln!(table, "x{heads}");
    for n in &numbers {
        let cells = values
            .iter()
            .map(|column| column.get(n).map_or("nan".to_owned(), |&y| value(y, Some(chart.unit))));
        let _ = writeln!(table, "{} {}", value(*n, chart.across_unit), cells.collect::<Vec<_>>().join(" "));
    }
    let mut plots = String::new();
    for (at, series) in named.iter().enumerate() {
        let (mark, color) = (MARKS[series.style.0 % MARKS.len()], &series.style.color()[1..]);
        let name = series.name.iter().map(|name| in_latex(name)).collect::<Vec<_>>().join(",\\\\ ");
        let _ = writeln!(plots, "  \\definecolor{{queenlab{at}}}{{HTML}}{{{color}}}");
        let _ = writeln!(
            plots,
            "  \\addplot[queenlab{at}, mark={mark}] table[x=x, y=y{}] {{\\queenlabdata}};",
            at + 1
        );
        let _ = writeln!(plots, "  \\addlegendentry{{{name}}}");
    }
    // Runs that were stopped: outlines at the limit.
    for (at, series) in named.iter().enumerate().filter(|(_, series)| !series.limits.is_empty()) {
        let point = |&(n, y): &(u64, u64)| {
            format!("({},{})", value(n, chart.across_unit), value(y, Some(chart.unit)))
        };
        let points: String = series.limits.iter().map(point).collect();
        let _ = writeln!(
            plots,
            "  \\addplot[queenlab{at}, only marks, mark=o, forget plot] coordinates {{{points}}};"
        );
    }
    let columns = if named.iter().all(|series| series.name.len() == 1) { 2 } else { 1 };
    let width = chart.look.inches.unwrap_or(3.5);
    let height = width * chart.look.height / chart.look.width;
    let xmode = if chart.across_unit.is_some() { "log" } else { "linear" };
    let ymode = if chart.unit == Unit::Share && chart.across_unit.is_none() { "linear" } else { "log" };
    let axis = |name: &str, unit| in_latex(&format!("{name}{}", in_words(unit)));
    format!(
        "% {}\n% Needs \\usepackage{{pgfplots}} and \\pgfplotsset{{compat=1.17}} or later.\n\
         \\begin{{tikzpicture}}\n\
         \\pgfplotstableread{{\n{table}}}\\queenlabdata\n\
         \\begin{{axis}}[width={width}in, height={height:.2}in, scale only axis=false, xmode={xmode}, ymode={ymode},\n  \
         xlabel={{{}}}, ylabel={{{}}}, grid=major, unbounded coords=discard,\n  \
         font=\\footnotesize, mark size=1.5pt, legend cell align=left,\n  \
         legend style={{at={{(0.5,-0.25)}}, anchor=north, draw=none, legend columns={columns}, cells={{align=left}}, \
         font=\\scriptsize}}]\n\
         {plots}\\end{{axis}}\n\\end{{tikzpicture}}\n",
        in_latex(&chart.title),
        axis(&chart.across, chart.across_unit),
        axis(&chart.axis, Some(chart.unit)),
    )
}

/// A value in the unit of its axis: seconds, per cent, or a number.
fn value(value: u64, unit: Option<Unit>) -> String {
    match unit {
        Some(Unit::Time) => format!("{:e}", value as f64 / 1e9),
        Some(Unit::Share) => format!("{}", value as f64 / 1e4),
        Some(Unit::Count) | None => value.to_string(),
    }
}

/// The unit of an axis, behind its name.
fn in_words(unit: Option<Unit>) -> &'static str {
    match unit {
        Some(Unit::Time) => " in seconds",
        Some(Unit::Share) => " in %",
        Some(Unit::Count) | None => "",
    }
}
