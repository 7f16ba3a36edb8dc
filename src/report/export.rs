//! Results in the formats of other tools, each as text for standard output.
//!
//! - json: the derived tables, growth, ratios, comparisons, and the wrong and failed runs, with units in the names of the keys.
//! - markdown, latex (booktabs): a table of medians with one row per solver and one column per size.

use serde_json::{Value, json};

use super::headline::Headline;
use super::ratios::Ratios;
use super::series::{Grid, RunSeries, median_text};
use super::tables::Clock;
use super::{DerivedData, growth};
use crate::record::{Row, SCHEMA_VERSION, table};
use plaintext::one_line;
use timestats::growth::Law;

/// All derived results as JSON, for other programs.
pub fn json(data: &DerivedData<'_>) -> Value {
    let faults = data.runs.iter().filter(|run| run.verdict.is_fault() || run.status.is_failure());
    let faults: Vec<Row> = faults.map(|run| run.row.clone()).collect();
    let crosscheck = data.source.crosscheck.iter().flat_map(|(result, rows)| {
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
        "ratios": Ratios::of(data),
        "crosscheck": crosscheck.collect::<Vec<_>>(),
    })
}

fn growth(data: &DerivedData<'_>, series: &RunSeries<'_>) -> Option<Value> {
    let fit = growth::fit_cells(&data.medians(series)).ok()?;
    let mut value = json!(series.key);
    value["law"] = fit.law.name().into();
    value[if fit.law == Law::Exponential { "factor" } else { "power" }] = fit.rate.into();
    value["ci95_low"] = fit.ci95.low.into();
    value["ci95_high"] = fit.ci95.high.into();
    value["log_standard_error"] = fit.slope_error.into();
    value["log_residual"] = fit.residual.into();
    value["sizes"] = fit.points.iter().map(|&(n, _)| n).collect();
    Some(value)
}

/// The cells of the table of medians, escaped for a format. The first line contains the column heads.
fn lines(data: &DerivedData<'_>, escape: fn(&str) -> String) -> Vec<Vec<String>> {
    let grid = Grid::of(data, |_| true);
    let corner_cell = match data.source.clock {
        Clock::Wall => "solver, wall time",
        _ => "solver",
    };
    let heads = grid.sizes.iter().map(|n| format!("n = {n}"));
    let mut lines = vec![std::iter::once(corner_cell.to_owned()).chain(heads).collect::<Vec<_>>()];
    for (name, cells) in &grid.rows {
        let cell = |n| cells.get(n).map_or(String::new(), |cell| median_text(cell).to_string());
        lines.push(std::iter::once(name.clone()).chain(grid.sizes.iter().map(cell)).collect());
    }
    lines.into_iter().map(|line| line.iter().map(|cell| escape(cell)).collect()).collect()
}

/// The headline and a table of medians in Markdown.
pub fn markdown(data: &DerivedData<'_>) -> String {
    let lines = lines(data, in_markdown);
    let rule = format!("|---|{}\n", "---:|".repeat(lines[0].len() - 1));
    let mut lines = lines.into_iter().map(|line| format!("| {} |\n", line.join(" | ")));
    let head = lines.next().unwrap_or_default();
    let notes = Grid::of(data, |_| true).notes(data).into_iter();
    let notes = notes.map(|note| format!("\n{}\n", in_markdown(note)));
    let headline = format!("{}\n\n", in_markdown(&Headline::of(data).to_string()));
    [headline, head, rule].into_iter().chain(lines).chain(notes).collect()
}

/// A table of medians in LaTeX, for the package booktabs.
pub fn latex(data: &DerivedData<'_>) -> String {
    let lines = lines(data, plaintext::latex);
    let columns = "r".repeat(lines[0].len() - 1);
    let mut lines = lines.into_iter().map(|line| format!("{} \\\\\n", line.join(" & ")));
    let head = lines.next().unwrap_or_default();
    let rows: String = lines.collect();
    let notes = Grid::of(data, |_| true).notes(data).into_iter();
    let notes: String = notes.map(|note| format!("% {}\n", one_line(note))).collect();
    format!(
        "\\begin{{tabular}}{{l{columns}}}\n\\toprule\n{head}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n{notes}"
    )
}

/// Escapes a text so that Markdown shows it unchanged. Unprintable characters are escaped by [`one_line`].
fn in_markdown(text: &str) -> String {
    let mut escaped = String::new();
    for c in one_line(text).chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' => escaped.extend(['\\', c]),
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Status, Verdict};
    use crate::report::fixture::{run, unanswered_run, with_data};

    fn rows() -> Vec<Row> {
        let timeout = unanswered_run(5, "a_b/c|d", Status::Timeout);
        vec![run(4, "a_b/c|d", 1500), timeout, run(4, "z<50%>\\", 2_000_000_000)]
    }

    #[test]
    fn markdown_table_has_size_columns_and_escapes_names() {
        let text = with_data(&rows(), markdown);
        let (_, table) = text.split_once("\n\n").expect("a headline");
        assert_eq!(
            table,
            "| solver | n = 4 | n = 5 |\n|---|---:|---:|\n| a\\_b/c\\|d | 1.50 µs | &gt; 1 µs |\n\
             | z&lt;50%&gt;\\\\ | 2.00 s |  |\n"
        );
    }

    #[test]
    fn latex_table_uses_booktabs_and_escapes_names() {
        let text = with_data(&rows(), latex);
        assert_eq!(
            text,
            "\\begin{tabular}{lrr}\n\\toprule\nsolver & n = 4 & n = 5 \\\\\n\\midrule\n\
             a\\_b/c\\textbar{}d & 1.50 \\textmu{}s & \\textgreater{} 1 \\textmu{}s \\\\\n\
             z\\textless{}50\\%\\textgreater{}\\textbackslash{} & 2.00 s &  \\\\\n\\bottomrule\n\\end{tabular}\n"
        );
    }

    #[test]
    fn unprintable_characters_are_escaped_in_every_format() {
        let solver = "a\u{1b}[2J\nb\u{202e}c\u{85}";
        let (markdown, latex) =
            (with_data(&[run(4, solver, 1500)], markdown), with_data(&[run(4, solver, 1500)], latex));
        assert!(markdown.contains(r"| a\\u{1b}\[2J\\nb\\u{202e}c\\u{85} |"), "{markdown}");
        let backslash = r"\textbackslash{}";
        let escaped =
            format!(r"a{backslash}u\{{1b\}}[2J{backslash}nb{backslash}u\{{202e\}}c{backslash}u\{{85\}}");
        assert!(latex.contains(&format!("\n{escaped} & ")), "{latex}");
    }

    #[test]
    fn latex_row_never_starts_with_star_or_bracket() {
        let latex_table = with_data(&[run(4, "*a", 1500), run(4, "[b]", 1500)], latex);
        assert!(latex_table.contains("\n{}*a & ") && latex_table.contains("\\\\\n{}[b] & "), "{latex_table}");
    }

    /// One of five runs was stopped after 10 s. The median of all five runs is printed with a mark.
    #[test]
    fn every_format_marks_medians_with_stopped_runs() {
        let ns_per_second = 1_000_000_000;
        let mut rows =
            [8410, 7900, 8390, 8070].map(|time| run(12, "a", time * ns_per_second / 1000)).to_vec();
        rows.push(unanswered_run(12, "a", Status::Timeout));
        rows.iter_mut().for_each(|row| row.time_limit_ns = Some(10 * ns_per_second));
        assert!(with_data(&rows, markdown).contains("| a | 8.39 s (1 timeout) |"));
        assert!(with_data(&rows, latex).contains("a & 8.39 s (1 timeout) "));
        let timings = with_data(&rows, |data| json(data)["timings"][0].clone());
        assert_eq!(
            (&timings["median_ns"], &timings["runs"], &timings["solved"], &timings["timeouts"]),
            (&json!(8390 * ns_per_second / 1000), &json!(5), &json!(4), &json!(1))
        );
    }

    #[test]
    fn exports_mark_wrong_and_crashed_runs() {
        let rows = vec![
            Row { verdict: Verdict::Wrong, verdict_reason: Some("no".into()), ..run(4, "a", 1) },
            unanswered_run(5, "a", Status::Crashed),
            unanswered_run(6, "a", Status::Unreadable),
        ];
        let text = with_data(&rows, markdown);
        assert!(text.contains("| a | wrong | crashed | unreadable |"), "{text}");
        let value = with_data(&rows, json);
        let faults = value["faults"].as_array().expect("a list").iter();
        let faults: Vec<_> = faults.map(|fault| (fault["n"].as_u64(), fault["verdict"].as_str())).collect();
        assert_eq!(
            faults,
            [(Some(4), Some("wrong")), (Some(5), Some("unchecked")), (Some(6), Some("unchecked"))]
        );
    }

    #[test]
    fn json_export_contains_the_derived_tables() {
        let value = with_data(&rows(), json);
        assert_eq!(value["timings"].as_array().map(Vec::len), Some(3));
        assert_eq!(value["timings"][0]["median_ns"], 1500);
    }
}
