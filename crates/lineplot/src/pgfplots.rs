//! A chart as code for the LaTeX package pgfplots, with the values in a table.

use std::collections::HashMap;
use std::fmt::Write;

use plaintext::latex;

use crate::chart::{Axis, Chart, PlotError, Scale, Series};

/// The marks that differ most in print.
const MARKS: [&str; 7] = ["*", "square*", "triangle*", "diamond*", "pentagon*", "+", "x"];

impl Chart {
    /// Returns an environment `tikzpicture` that needs `\usepackage{pgfplots}` alone. It has the lines and the limits, and no
    /// titles, bands or observations.
    ///
    /// # Errors
    ///
    /// As of [`Chart::draw`].
    pub fn pgfplots(&self) -> Result<String, PlotError> {
        self.check()?;
        Ok(code(self))
    }
}

fn code(chart: &Chart) -> String {
    let lines: Vec<&Series> = chart.series.iter().filter(|series| !series.line.is_empty()).collect();
    let mut places: Vec<f64> = lines.iter().flat_map(|series| &series.line).map(|&(x, _)| x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let mut table = String::new();
    let heads: String = (1..=lines.len()).map(|at| format!(" y{at}")).collect();
    let _ = writeln!(table, "x{heads}");
    let columns: Vec<HashMap<u64, f64>> =
        lines.iter().map(|series| series.line.iter().map(|&(x, y)| (x.to_bits(), y)).collect()).collect();
    for place in places {
        let at_place = |column: &HashMap<u64, f64>| column.get(&place.to_bits()).copied();
        let cell = |column| at_place(column).map_or("nan".to_owned(), |y| chart.y.unit.in_table(y));
        let cells = columns.iter().map(cell);
        let _ = writeln!(table, "{} {}", chart.x.unit.in_table(place), cells.collect::<Vec<_>>().join(" "));
    }
    let mut plots = String::new();
    for (at, series) in lines.iter().enumerate() {
        let (mark, color) = (MARKS[series.style.0 % MARKS.len()], &series.style.color()[1..]);
        let name = series.name.iter().map(|name| latex(name)).collect::<Vec<_>>().join(",\\\\ ");
        let _ = writeln!(plots, "  \\definecolor{{lineplot{at}}}{{HTML}}{{{color}}}");
        let _ = writeln!(
            plots,
            "  \\addplot[lineplot{at}, mark={mark}] table[x=x, y=y{}] {{\\lineplotdata}};",
            at + 1
        );
        let _ = writeln!(plots, "  \\addlegendentry{{{name}}}");
    }
    for (at, series) in lines.iter().enumerate().filter(|(_, series)| !series.limits.is_empty()) {
        let point =
            |&(x, y): &(f64, f64)| format!("({},{})", chart.x.unit.in_table(x), chart.y.unit.in_table(y));
        let points: String = series.limits.iter().map(point).collect();
        let _ = writeln!(
            plots,
            "  \\addplot[lineplot{at}, only marks, mark=o, forget plot] coordinates {{{points}}};"
        );
    }
    let legend_columns = if lines.iter().all(|series| series.name.len() == 1) { 2 } else { 1 };
    let width = chart.look.inches.unwrap_or(3.5);
    let height = width * chart.look.height / chart.look.width;
    let mode = |axis: &Axis| if matches!(axis.scale, Scale::Log { .. }) { "log" } else { "linear" };
    let (xmode, ymode) = (mode(&chart.x), mode(&chart.y));
    let label = |axis: &Axis| latex(&format!("{}{}", axis.title, axis.unit.in_title()));
    format!(
        "% {}\n% Needs \\usepackage{{pgfplots}} and \\pgfplotsset{{compat=1.17}} or later.\n\
         \\begin{{tikzpicture}}\n\
         \\pgfplotstableread{{\n{table}}}\\lineplotdata\n\
         \\begin{{axis}}[width={width}in, height={height:.2}in, scale only axis=false, xmode={xmode}, ymode={ymode},\n  \
         xlabel={{{}}}, ylabel={{{}}}, grid=major, unbounded coords=discard,\n  \
         font=\\footnotesize, mark size=1.5pt, legend cell align=left,\n  \
         legend style={{at={{(0.5,-0.25)}}, anchor=north, draw=none, legend columns={legend_columns}, cells={{align=left}}, \
         font=\\scriptsize}}]\n\
         {plots}\\end{{axis}}\n\\end{{tikzpicture}}\n",
        latex(&chart.title),
        label(&chart.x),
        label(&chart.y),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Style;

    #[test]
    fn the_table_has_nan_where_there_is_no_value() {
        let series = |name: &str, line: &[(f64, f64)], limits: &[(f64, f64)]| Series {
            name: vec![name.to_owned()],
            style: Style(1),
            line: line.to_vec(),
            limits: limits.to_vec(),
            ..Series::default()
        };
        let all = vec![
            series("a_b", &[(8.0, 0.5), (9.0, 1e6)], &[]),
            series("c", &[(9.0, 3.0), (10.0, 4.0)], &[(11.0, 20.0)]),
        ];
        let code = Chart { series: all, ..Chart::default() }.pgfplots().expect("finite");
        let (_, table) = code.split_once("\\pgfplotstableread{\n").expect("a table");
        let (table, _) = table.split_once('}').expect("its end");
        assert_eq!(table, "x y1 y2\n8 0.5 nan\n9 1000000 3\n10 nan 4\n");
        assert!(code.contains("\\addlegendentry{a\\_b}") && code.contains("coordinates {(11,20)}"), "{code}");
        assert!(code.contains("xmode=linear, ymode=log"), "{code}");
    }
}
