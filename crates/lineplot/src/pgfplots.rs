//! A chart as code for the LaTeX package pgfplots, with the values in a table.

use std::collections::HashMap;
use std::fmt::Write;

use plaintext::latex;

use crate::chart::{Chart, PlotError, Series};
use crate::frame::Ruler;
use crate::limits::LIMIT_ROOM;
use crate::style::{FAULT, LABEL};
use crate::svg::text_width;

/// The marks of pgfplots that are easiest to distinguish in print, each with its outlined form.
const MARKS: [(&str, &str); 7] = [
    ("*", "o"),
    ("square*", "square"),
    ("triangle*", "triangle"),
    ("diamond*", "diamond"),
    ("pentagon*", "pentagon"),
    ("oplus*", "oplus"),
    ("otimes*", "otimes"),
];

impl Chart {
    /// Returns an environment `tikzpicture` that needs only `\usepackage{pgfplots}`. It has the same content as the picture: lines, bands,
    /// single observations, limits, outlined markers, crosses and question marks. Axes of few whole numbers have the same ticks. The title
    /// and the caption are comments.
    ///
    /// # Errors
    ///
    /// The errors of [`Chart::draw`].
    pub fn pgfplots(&self) -> Result<String, PlotError> {
        self.check()?;
        Ok(code(self))
    }
}

/// The axes of a chart, with the same ends and scales as in its picture.
struct Axes<'c> {
    chart: &'c Chart,
    x_axis: Ruler<'c>,
    y_axis: Ruler<'c>,
}

impl<'c> Axes<'c> {
    fn new(chart: &'c Chart) -> Self {
        let ascending = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values.dedup();
            values
        };
        let points = || {
            chart.series.iter().flat_map(|series| {
                let band = series.band.iter().flat_map(|&(x, low, high)| [(x, low), (x, high)]);
                let label_room =
                    series.limits.iter().map(|&(x, limit)| (x, (limit * LIMIT_ROOM).min(f64::MAX)));
                let observations = series.dots.iter().chain(&series.rejected).chain(&series.unanswered);
                let series_points = series.line.iter().chain(&series.limits).chain(observations);
                series_points.copied().chain(band).chain(label_room)
            })
        };
        let x_axis = Ruler::new(&chart.x, &ascending(points().map(|(x, _)| x).collect()), chart.layout.width);
        let y_axis =
            Ruler::new(&chart.y, &ascending(points().map(|(_, y)| y).collect()), chart.layout.height);
        Self { chart, x_axis, y_axis }
    }

    /// Formats a value of the horizontal axis.
    fn x(&self, value: f64) -> String {
        self.chart.x.unit.in_table(value)
    }

    /// Formats a value of the vertical axis. Values below a logarithmic scale become the position of 0.
    fn y(&self, value: f64) -> String {
        match (self.y_axis.floor, self.y_axis.zero) {
            (Some(floor), Some(zero)) if value < floor => self.chart.y.unit.in_table(10_f64.powf(zero)),
            _ => self.chart.y.unit.in_table(value),
        }
    }

    fn point(&self, (x, y): (f64, f64)) -> String {
        format!("({},{})", self.x(x), self.y(y))
    }

    /// The options of the axis: scales, ends and ticks.
    fn options(&self) -> String {
        let mut options = Vec::new();
        for (name, ruler, axis) in [("x", &self.x_axis, &self.chart.x), ("y", &self.y_axis, &self.chart.y)] {
            let is_log = ruler.floor.is_some();
            options.push(format!("{name}mode={}", if is_log { "log" } else { "linear" }));
            let value = |scaled: f64| axis.unit.in_table(if is_log { 10_f64.powf(scaled) } else { scaled });
            options.push(format!("{name}min={}, {name}max={}", value(ruler.low), value(ruler.high)));
            if !ruler.tick_values.is_empty() {
                let ticks: Vec<String> =
                    ruler.tick_values.iter().map(|&value| axis.unit.in_table(value)).collect();
                options.push(format!("{name}tick={{{}}}", ticks.join(",")));
                if is_log {
                    options.push("log ticks with fixed point".to_owned());
                }
            }
            if let Some(zero) = ruler.zero {
                let label = label(&axis.unit.format(0.0));
                let zero = axis.unit.in_table(10_f64.powf(zero));
                options.push(format!("extra {name} ticks={{{zero}}}, extra {name} tick labels={{{label}}}"));
            }
        }
        options.join(",\n  ")
    }

    /// The table of the lines, with a column for each line. An interruption of a line is a row without values.
    fn table(&self, lines: &[&Series]) -> String {
        let mut x_values: Vec<f64> = lines.iter().flat_map(|series| &series.line).map(|&(x, _)| x).collect();
        x_values.sort_by(f64::total_cmp);
        x_values.dedup();
        let columns: Vec<HashMap<u64, f64>> =
            lines.iter().map(|series| series.line.iter().map(|&(x, y)| (x.to_bits(), y)).collect()).collect();
        let column_names: String = (1..=lines.len()).map(|number| format!(" y{number}")).collect();
        let mut table = format!("x{column_names}\n");
        for (index, &x) in x_values.iter().enumerate() {
            if index > 0 && lines.iter().any(|series| series.interrupted_before.contains(&x)) {
                let middle_x = self.x(f64::midpoint(x_values[index - 1], x));
                let _ = writeln!(table, "{middle_x}{}", " nan".repeat(lines.len()));
            }
            let cell = |column: &HashMap<u64, f64>| {
                column.get(&x.to_bits()).map_or("nan".to_owned(), |&y| self.y(y))
            };
            let cells: Vec<String> = columns.iter().map(cell).collect();
            let _ = writeln!(table, "{} {}", self.x(x), cells.join(" "));
        }
        table
    }

    /// The shaded band of small values, as a plot below all other plots.
    fn shade(&self) -> String {
        let (Some(shade), Some(floor)) = (&self.chart.shade, self.y_axis.floor) else { return String::new() };
        let end_value =
            |ruler: &Ruler<'_>, scaled: f64| if ruler.floor.is_some() { 10_f64.powf(scaled) } else { scaled };
        let low_end = end_value(&self.y_axis, self.y_axis.low);
        if shade.below <= low_end || shade.below <= floor {
            return String::new();
        }
        let (left, right) =
            (end_value(&self.x_axis, self.x_axis.low), end_value(&self.x_axis, self.x_axis.high));
        let low = self.chart.y.unit.in_table(low_end);
        let high = self.chart.y.unit.in_table(shade.below.min(end_value(&self.y_axis, self.y_axis.high)));
        let (left, right) = (self.x(left), self.x(right));
        format!(
            "  \\addplot[draw=none, fill=black!7, on layer=axis background, forget plot] coordinates \
             {{({left},{low}) ({right},{low}) ({right},{high}) ({left},{high})}} -- cycle;\n  \
             \\node[anchor=south east, inner sep=2pt, font=\\tiny, black!70] at (rel axis cs:1,0) {{{}}};\n",
            label(&shade.label)
        )
    }
}

/// Escapes a text so that every LaTeX engine can compile it: pdfTeX prints the code points of characters that its fonts may lack.
fn label(text: &str) -> String {
    let is_in_every_font = |c: char| c.is_ascii() || ('À'..='ÿ').contains(&c) && !"×÷ÐðÞþ".contains(c);
    let escape_char = |c: char| match is_in_every_font(c) {
        true => c.to_string(),
        false => format!("\\lineplotchar{{{:04X}}}{{{c}}}", u32::from(c)),
    };
    latex(text).chars().map(escape_char).collect()
}

/// The title of an axis. A title of one letter is in math mode.
fn title(axis: &crate::Axis) -> String {
    let title = format!("{}{}", axis.title, axis.unit.in_title());
    match title.strip_prefix(&axis.name) {
        Some(suffix) if axis.name.chars().count() == 1 && !suffix.starts_with(char::is_alphanumeric) => {
            format!("${}$", label(&axis.name)) + &label(suffix)
        }
        _ => label(&title),
    }
}

fn code(chart: &Chart) -> String {
    let axes = Axes::new(chart);
    let lines: Vec<&Series> = chart.series.iter().collect();
    let mut plots = axes.shade();
    for (index, series) in lines.iter().enumerate() {
        let _ =
            writeln!(plots, "  \\definecolor{{lineplot{index}}}{{HTML}}{{{}}}", &series.style.color()[1..]);
        for segment in series.band_segments() {
            let upper_edge = segment.iter().map(|&(x, _, high)| axes.point((x, high)));
            let lower_edge = segment.iter().rev().map(|&(x, low, _)| axes.point((x, low)));
            let polygon: String = upper_edge.chain(lower_edge).collect();
            let _ = writeln!(
                plots,
                "  \\addplot[draw=none, fill=lineplot{index}, fill opacity=0.18, forget plot] coordinates {{{polygon}}} -- cycle;"
            );
        }
    }
    let mut limits: Vec<f64> = lines.iter().flat_map(|series| &series.limits).map(|&(_, y)| y).collect();
    limits.sort_by(f64::total_cmp);
    limits.dedup();
    for &limit in &limits {
        let y = axes.y(limit);
        let text = label(&format!("{} {}", chart.words.limit, chart.y.unit.format(limit)));
        let _ = writeln!(
            plots,
            "  \\draw[densely dotted, black!60] ({{rel axis cs:0,0}} |- {{axis cs:{},{y}}}) -- ({{rel axis cs:1,0}} |- {{axis cs:{0},{y}}}) \
             node[pos=0.02, above right, inner sep=1pt, font=\\tiny] {{{text}}};",
            axes.x(lines.iter().flat_map(|series| &series.limits).map(|&(x, _)| x).next().unwrap_or(1.0)),
        );
    }
    for (index, series) in lines.iter().enumerate() {
        let (mark, outline) = MARKS[series.style.0 % MARKS.len()];
        let only_marks = |marks: &str, points: &[(f64, f64)]| {
            let points: String = points.iter().map(|&point| axes.point(point)).collect();
            format!("  \\addplot[only marks, {marks}, forget plot] coordinates {{{points}}};\n")
        };
        if !series.dots.is_empty() {
            plots +=
                &only_marks(&format!("lineplot{index}, mark=*, mark size=0.6pt, opacity=0.45"), &series.dots);
        }
        let forget_option = if series.shares_name { ", forget plot" } else { "" };
        let unbounded_option = if series.interrupted_before.is_empty() { "discard" } else { "jump" };
        let _ = writeln!(
            plots,
            "  \\addplot[lineplot{index}, mark={mark}, unbounded coords={unbounded_option}{forget_option}] table[x=x, y=y{}] {{\\lineplotdata}};",
            index + 1
        );
        let name = series.name.iter().map(|name| label(name)).collect::<Vec<_>>().join(",\\\\ ");
        if !series.shares_name {
            let _ = writeln!(plots, "  \\addlegendentry{{{name}}}");
        }
        let hollow_points: Vec<(f64, f64)> =
            series.line.iter().filter(|(x, _)| series.hollow_at.contains(x)).copied().collect();
        let outlined_mark = format!("lineplot{index}, mark={outline}, mark options={{fill=white}}");
        if !hollow_points.is_empty() {
            plots += &only_marks(
                &format!("lineplot{index}, mark={mark}, mark options={{fill=white}}"),
                &hollow_points,
            );
        }
        if !series.limits.is_empty() {
            plots += &only_marks(&outlined_mark, &series.limits);
        }
        if !series.unanswered.is_empty() {
            plots += &only_marks(
                &format!("lineplot{index}, mark=text, text mark={{\\bfseries ?}}"),
                &series.unanswered,
            );
        }
        if !series.rejected.is_empty() {
            plots += &only_marks("lineplotfault, mark=x, mark size=3pt, very thick", &series.rejected);
        }
    }
    let layout = &chart.layout;
    let (width, max_columns) = match layout.width > 600.0 {
        true => ("\\textwidth", 3),
        false => ("\\columnwidth", 2),
    };
    let max_name_width =
        lines.iter().map(|series| text_width(&series.name.join(", "), LABEL)).fold(0.0, f64::max);
    let legend_columns = (1..=max_columns)
        .rev()
        .find(|&columns| max_name_width + 45.0 < layout.width / f64::from(columns))
        .unwrap_or(1);
    let comment = |text: &str| latex(text);
    let caption = if chart.caption.is_empty() { &chart.subtitle } else { &chart.caption };
    format!(
        "% {}\n% Caption: {}\n% Needs \\usepackage{{pgfplots}} and \\pgfplotsset{{compat=1.17}} or later.\n\
         \\providecommand\\lineplotchar[2]{{\\ifdefined\\Umathcode#2\\else U+#1\\fi}}%\n\
         \\begin{{tikzpicture}}\n\
         \\definecolor{{lineplotfault}}{{HTML}}{{{}}}%\n\
         \\pgfplotstableread{{\n{}}}\\lineplotdata\n\
         \\begin{{axis}}[width={width}, height={:.2}{width}, {},\n  \
         xlabel={{{}}}, ylabel={{{}}}, grid=major, set layers, clip mode=individual,\n  \
         font=\\footnotesize, mark size=1.5pt, legend cell align=left,\n  \
         legend style={{at={{(0.5,-0.25)}}, anchor=north, draw=none, legend columns={legend_columns}, cells={{align=left}}, \
         font=\\scriptsize}}]\n\
         {plots}\\end{{axis}}\n\\end{{tikzpicture}}\n",
        comment(&chart.title),
        comment(caption),
        &FAULT[1..],
        axes.table(&lines),
        layout.height / layout.width * 1.1,
        axes.options(),
        title(&chart.x),
        title(&chart.y),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Scale, Style};

    fn series(name: &str, line: &[(f64, f64)], limits: &[(f64, f64)]) -> Series {
        Series {
            name: vec![name.to_owned()],
            style: Style(1),
            line: line.to_vec(),
            limits: limits.to_vec(),
            ..Series::default()
        }
    }

    /// The table of the code.
    fn table(code: &str) -> &str {
        let (_, table) = code.split_once("\\pgfplotstableread{\n").expect("a table");
        table.split_once('}').expect("its end").0
    }

    #[test]
    fn table_has_nan_where_there_is_no_value() {
        let all_series = vec![
            series("a_b", &[(8.0, 1.5), (9.0, 1e6)], &[]),
            series("c", &[(9.0, 3.0), (10.0, 4.0)], &[(11.0, 20.0)]),
        ];
        let code = Chart { series: all_series, ..Chart::default() }.pgfplots().expect("finite");
        assert_eq!(table(&code), "x y1 y2\n8 1.5 nan\n9 1000000 3\n10 nan 4\n");
        assert!(code.contains("\\addlegendentry{a\\_b}") && code.contains("coordinates {(11,20)}"), "{code}");
        assert!(code.contains("xmode=linear") && code.contains("ymode=log"), "{code}");
        assert!(code.contains("xtick={8,9,10,11}"), "{code}");
    }

    #[test]
    fn gap_in_a_line_becomes_a_nan_row() {
        let interrupted_before = vec![10.0];
        let all_series = vec![Series { interrupted_before, ..series("a", &[(4.0, 1.0), (10.0, 2.0)], &[]) }];
        let code = Chart { series: all_series, ..Chart::default() }.pgfplots().expect("finite");
        assert_eq!(table(&code), "x y1\n4 1\n7 nan\n10 2\n");
        assert!(code.contains("unbounded coords=jump"), "{code}");
    }

    #[test]
    fn pgfplots_code_contains_every_chart_element() {
        let line = [(4.0, 0.0), (5.0, 10.0), (6.0, 100.0)];
        let (band, hollow_at, rejected) = (vec![(5.0, 8.0, 12.0)], vec![6.0], vec![(6.0, 7.0)]);
        let unanswered = vec![(7.0, 9.0)];
        let dots = vec![(5.0, 9.0), (5.0, 11.0)];
        let all_series =
            vec![Series { band, hollow_at, rejected, unanswered, dots, ..series("a", &line, &[]) }];
        let x =
            Axis { title: "n, the size".into(), name: "n".into(), scale: Scale::Whole, ..Axis::default() };
        let caption = "Median of 7 runs; 100 % of them".to_owned();
        let shade = Some(crate::Shade { below: 9.0, label: "too short".to_owned() });
        let code =
            Chart { series: all_series, x, caption, shade, ..Chart::default() }.pgfplots().expect("finite");
        for part in [
            "{too short}",
            "on layer=axis background",
            "{(5,12)(5,8)}",
            "{(5,9)(5,11)}",
            "{(6,100)}",
            "{(6,7)}",
            "extra y tick labels={0}",
            "xlabel={$n$, the size}",
            "% Caption: Median of 7 runs; 100 \\% of",
        ] {
            assert!(code.contains(part), "{part}: {code}");
        }
        assert!(!table(&code).contains("4 0\n"), "{code}");
    }

    #[test]
    fn characters_missing_in_latex_are_written_as_codes() {
        assert_eq!(label("é日"), "é\\lineplotchar{65E5}{日}");
    }
}
