//! Results in the formats of other tools, each as text for standard output.
//!
//! - json: the derived tables, growth and ranking, with units in the names of the keys.
//! - markdown, latex (booktabs, siunitx): a table of medians with one row per solver and one column per size, or the reverse.

use serde_json::{Value, json};

use super::grid::{Grid, shown};
use super::growth::{Growth, Law};
use super::ratios::Ratios;
use super::series::Series;
use super::tables::Clock;
use super::{Data, Scale, ranking};
use crate::escape::is_invisible;
use crate::record::{Row, SCHEMA_VERSION, table};

/// All derived results as JSON, for other programs.
pub fn json(data: &Data<'_>) -> Value {
    let faults = data.runs.iter().filter(|run| run.verdict.is_fault() || run.status.is_failure());
    let faults: Vec<Row> = faults.map(|run| run.row.clone()).collect();
    let crosscheck = data.material.crosscheck.iter().flat_map(|(result, rows)| {
        let mut rows = table::json(rows);
        for row in rows.as_array_mut().into_iter().flatten().filter(|_| !result.is_empty()) {
            row["result"] = (*result).into();
        }
        rows.as_array().cloned().unwrap_or_default()
    });
    json!({
        "schema_version": SCHEMA_VERSION,
        "experiment": data.text(|spec| &spec.name),
        "question": data.text(|spec| &spec.question),
        "claims": table::json(&data.claims),
        "faults": table::json(&faults),
        "timings": table::json(&data.timings),
        "nodes": table::json(&data.nodes),
        "growth": data.series.iter().filter_map(|series| growth(data, series)).collect::<Vec<_>>(),
        "ranking": ranking::ranking(&data.timings),
        "ratios": Ratios::of(data),
        "crosscheck": crosscheck.collect::<Vec<_>>(),
    })
}

fn growth(data: &Data<'_>, series: &Series<'_>) -> Option<Value> {
    let fit = Growth::of(&data.medians(series)).ok()?;
    let mut value = json!(series.key);
    value["law"] = fit.law.name().into();
    value[if fit.law == Law::Exponential { "factor" } else { "power" }] = fit.rate.into();
    value["ci95_low"] = fit.ci95.0.into();
    value["ci95_high"] = fit.ci95.1.into();
    value["log_standard_error"] = fit.slope_error.into();
    value["log_residual"] = fit.residual.into();
    value["sizes"] = fit.points.iter().map(|&(n, _)| n).collect();
    Some(value)
}

/// How a table of medians is laid out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    /// One unit for all times, which the cells then leave out.
    pub unit: Option<Scale>,
    /// A row per size and a column per solver, instead of the reverse.
    pub transpose: bool,
    /// LaTeX: columns of the package siunitx, aligned at the decimal point.
    pub siunitx: bool,
}

/// The lines of a table of medians, the first one with the heads. `size` and `text` format sizes and words, `number` formats
/// times.
fn lines(
    grid: &Grid<'_>,
    layout: Layout,
    corner: &str,
    size: impl Fn(usize) -> String,
    text: impl Fn(&str) -> String,
    number: impl Fn(&str) -> String,
) -> Vec<Vec<String>> {
    let heads = std::iter::once(text(corner)).chain(grid.sizes.iter().map(|&n| size(n)));
    let mut lines = vec![heads.collect::<Vec<_>>()];
    for (name, cells) in &grid.rows {
        let cell = |n: &usize| match cells.get(n).map(|cell| shown(cell, layout.unit)) {
            None => String::new(),
            Some(cell) if cell.is_time && cell.lost.is_empty() => number(&cell.text),
            Some(cell) => text(&cell.to_string()),
        };
        lines.push(std::iter::once(text(name)).chain(grid.sizes.iter().map(cell)).collect());
    }
    if !layout.transpose {
        return lines;
    }
    (0..lines[0].len()).map(|at| lines.iter().map(|line| line[at].clone()).collect()).collect()
}

/// The head of the first column.
fn corner(data: &Data<'_>, layout: Layout) -> String {
    let what = if layout.transpose { "n" } else { "solver" };
    let unit = layout.unit.map(|unit| format!("times in {}", unit.name()));
    let clock = (data.material.clock == Clock::Wall).then(|| "wall time".to_owned());
    [Some(what.to_owned()), clock, unit].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A table of medians in Markdown.
pub fn markdown(data: &Data<'_>, layout: Layout) -> String {
    let grid = Grid::of(data, |_| true);
    let lines = lines(&grid, layout, &corner(data, layout), |n| format!("n = {n}"), in_markdown, in_markdown);
    let mut lines: Vec<String> =
        lines.into_iter().map(|line| format!("| {} |\n", line.join(" | "))).collect();
    let columns = lines[0].matches(" | ").count();
    lines.insert(1, format!("|---|{}\n", "---:|".repeat(columns)));
    lines.extend(grid.notes(data).iter().map(|note| format!("\n{}\n", in_markdown(note))));
    lines.concat()
}

/// A table of medians in LaTeX, for the package booktabs and, if the layout says so, siunitx.
pub fn latex(data: &Data<'_>, layout: Layout) -> String {
    // A column of numbers needs one unit.
    let unit = layout.unit.or(layout.siunitx.then_some(Scale::Milliseconds));
    let layout = Layout { unit, ..layout };
    let grid = Grid::of(data, |_| true);
    let text = |text: String| if layout.siunitx && !text.is_empty() { format!("{{{text}}}") } else { text };
    // siunitx reads a comma as a decimal point.
    let number = |time: &str| if layout.siunitx { time.replace(',', "") } else { in_latex(time) };
    let lines = lines(
        &grid,
        layout,
        &corner(data, layout),
        |n| text(format!("$n = {n}$")),
        |words| text(in_latex(words)),
        number,
    );
    let columns = (if layout.siunitx { "S" } else { "r" }).repeat(lines[0].len() - 1);
    // The first column holds no numbers.
    let bare = |head: &String| {
        head.strip_prefix('{').and_then(|head| head.strip_suffix('}')).unwrap_or(head).to_owned()
    };
    let line = |line: &Vec<String>| {
        let cells = std::iter::once(bare(&line[0])).chain(line[1..].iter().cloned());
        format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "))
    };
    let rows: String = lines[1..].iter().map(line).collect();
    let notes: String = grid.notes(data).iter().map(|note| format!("% {note}\n")).collect();
    format!(
        "\\begin{{tabular}}{{l{columns}}}\n\\toprule\n{}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n{notes}",
        line(&lines[0])
    )
}

/// Escapes text so that Markdown shows it unchanged.
fn in_markdown(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            c if is_invisible(c) => shown.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' => shown.extend(['\\', c]),
            '<' => shown += "&lt;",
            '>' => shown += "&gt;",
            '&' => shown += "&amp;",
            c => shown.push(c),
        }
    }
    shown
}

/// Escapes text so that LaTeX typesets it unchanged.
fn in_latex(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            c if is_invisible(c) => shown.push(' '),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => shown.extend(['\\', c]),
            '\\' => shown += "\\textbackslash{}",
            '~' => shown += "\\textasciitilde{}",
            '^' => shown += "\\textasciicircum{}",
            '<' => shown += "\\textless{}",
            '>' => shown += "\\textgreater{}",
            '|' => shown += "\\textbar{}",
            '"' => shown += "\\textquotedbl{}",
            'µ' => shown += "\\textmu{}",
            '†' => shown += "\\textdagger{}",
            '·' => shown += "\\textperiodcentered{}",
            c => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Status, Verdict};
    use crate::report::fixture::{ended, plotted as of, run};

    fn rows() -> Vec<Row> {
        let timeout = ended(5, "a_b/c|d", Status::Timeout);
        vec![run(4, "a_b/c|d", 1500), timeout, run(4, "z<50%>\\", 2_000_000_000)]
    }

    #[test]
    fn a_markdown_table_has_a_column_per_size_and_no_markup_from_names() {
        let text = of(&rows(), |data| markdown(data, Layout::default()));
        assert_eq!(
            text,
            "| solver | n = 4 | n = 5 |\n|---|---:|---:|\n| a\\_b/c\\|d | 1.50 µs | &gt; 1 µs |\n\
             | z&lt;50%&gt;\\\\ | 2.00 s |  |\n"
        );
    }

    #[test]
    fn a_latex_table_is_for_booktabs_and_has_no_command_from_names() {
        let text = of(&rows(), |data| latex(data, Layout::default()));
        assert_eq!(
            text,
            "\\begin{tabular}{lrr}\n\\toprule\nsolver & $n = 4$ & $n = 5$ \\\\\n\\midrule\n\
             a\\_b/c\\textbar{}d & 1.50 \\textmu{}s & \\textgreater{} 1 \\textmu{}s \\\\\n\
             z\\textless{}50\\%\\textgreater{}\\textbackslash{} & 2.00 s &  \\\\\n\\bottomrule\n\\end{tabular}\n"
        );
    }

    #[test]
    fn a_table_can_have_one_unit_its_sizes_as_rows_and_columns_of_numbers() {
        let layout = Layout { unit: Some(Scale::Microseconds), transpose: true, siunitx: true };
        let mut rows = rows();
        rows.push(Row { verdict: Verdict::Wrong, ..run(4, "z<50%>\\", 1) });
        let text = of(&rows, |data| latex(data, layout));
        assert_eq!(
            text,
            "\\begin{tabular}{lSS}\n\\toprule\nn, times in \\textmu{}s & {a\\_b/c\\textbar{}d} & \
             {z\\textless{}50\\%\\textgreater{}\\textbackslash{}} \\\\\n\\midrule\n\
             $n = 4$ & 1.50 & {2,000,000 (1 wrong)} \\\\\n$n = 5$ & {\\textgreater{} 1.00} &  \\\\\n\\bottomrule\n\
             \\end{tabular}\n% A median counts a run that a limit stopped as longer than all others; other runs without an \
             answer are left out.\n"
        );
        let markdown =
            of(&rows, |data| markdown(data, Layout { siunitx: false, transpose: false, ..layout }));
        assert!(markdown.starts_with("| solver, times in µs | n = 4 | n = 5 |\n"));
    }

    /// One of five runs was stopped after 10 s: the median is that of all five, and is marked.
    #[test]
    fn a_median_with_a_stopped_run_is_marked_in_every_format() {
        let second = 1_000_000_000;
        let mut rows = [8410, 7900, 8390, 8070].map(|time| run(12, "a", time * second / 1000)).to_vec();
        rows.push(ended(12, "a", Status::Timeout));
        rows.iter_mut().for_each(|row| row.time_limit_ns = Some(10 * second));
        assert!(of(&rows, |data| markdown(data, Layout::default())).contains("| a | 8.39 s (1 timeout) |"));
        assert!(of(&rows, |data| latex(data, Layout::default())).contains("a & 8.39 s (1 timeout) "));
        let timings = of(&rows, |data| json(data)["timings"][0].clone());
        assert_eq!(
            (&timings["median_ns"], &timings["runs"], &timings["solved"], &timings["timeouts"]),
            (&json!(8390 * second / 1000), &json!(5), &json!(4), &json!(1))
        );
    }

    #[test]
    fn wrong_and_crashed_runs_are_named() {
        let rows = vec![
            Row { verdict: Verdict::Wrong, error: Some("no".into()), ..run(4, "a", 1) },
            ended(5, "a", Status::Crashed),
            ended(6, "a", Status::Unreadable),
        ];
        let text = of(&rows, |data| markdown(data, Layout::default()));
        assert!(text.contains("| a | wrong | crashed | unreadable |"), "{text}");
        let value = of(&rows, json);
        let told = value["faults"].as_array().expect("a list").iter();
        let told: Vec<_> = told.map(|fault| (fault["n"].as_u64(), fault["verdict"].as_str())).collect();
        assert_eq!(
            told,
            [(Some(4), Some("wrong")), (Some(5), Some("unchecked")), (Some(6), Some("unchecked"))]
        );
    }

    #[test]
    fn json_has_the_derived_tables() {
        let value = of(&rows(), json);
        assert_eq!(value["timings"].as_array().map(Vec::len), Some(3));
        assert_eq!(value["timings"][0]["median_ns"], 1500);
        // 1.5 µs is too short to be compared.
        assert_eq!(
            (&value["ranking"]["short_instances"], &value["ranking"]["ranked"]),
            (&json!(1), &json!([]))
        );
        let longer: Vec<Row> = rows()
            .into_iter()
            .map(|row| Row { solve_ns: row.solve_ns.map(|time| 1000 * time), ..row })
            .collect();
        let value = of(&longer, json);
        assert_eq!(value["ranking"]["ranked"][0]["geometric_mean_ns"], 1_500_000);
    }
}
