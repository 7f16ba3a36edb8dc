//! Results in the formats of other tools, each as text for standard output.
//!
//! - json: the derived tables, growth and ranking, with units in the names of the keys.
//! - markdown, latex (booktabs, siunitx): a table of medians with one row per solver and one column per size, or the reverse.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::growth::{Growth, Law};
use super::ratios::Ratios;
use super::{Data, Material, Scale, instances, ranking};
use crate::escape::is_invisible;
use crate::record::{SCHEMA_VERSION, TimingsRow, table};

/// Why an export is not possible.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The solver has no timed run.
    #[error("there is no timed run of '{solver}'; there are {}", known.join(", "))]
    Unknown {
        /// The solver that was requested.
        solver: String,
        /// The solvers that have timed runs.
        known: Vec<String>,
    },
}

/// The tables of this solver, or of all solvers if none is named.
fn chosen<'a>(material: &Material<'a>, solver: Option<&str>) -> Result<Data<'a>, ExportError> {
    let mut data = Data::of(material);
    if let Some(solver) = solver {
        if !data.timings.iter().any(|cell| cell.solver == solver) {
            let solver = solver.to_owned();
            return Err(ExportError::Unknown { solver, known: solvers(&data) });
        }
        data.timings.retain(|cell| cell.solver == solver);
        data.nodes.retain(|row| row.solver == solver);
    }
    Ok(data)
}

/// The solvers that have timed runs, sorted.
fn solvers(data: &Data<'_>) -> Vec<String> {
    data.timings.iter().map(|cell| cell.solver.clone()).collect::<BTreeSet<_>>().into_iter().collect()
}

/// All derived results as JSON, for other programs.
pub fn json(material: &Material<'_>, solver: Option<&str>) -> Result<Value, ExportError> {
    let data = chosen(material, solver)?;
    let mine = |of: &str| solver.is_none_or(|solver| solver == of);
    let crosscheck: Vec<_> = material.crosscheck.iter().filter(|row| mine(&row.solver)).cloned().collect();
    let growth = data.keys.iter().filter_map(|(key, _)| {
        let fit = Growth::of(&instances::of_key(&data.timings, &key)).ok()?;
        Some(json!({
            "solver": key.solver,
            "variant": key.variant,
            "goal": key.goal.name(),
            "threads": key.threads,
            "law": fit.law.name(),
            "factor": (fit.law == Law::Exponential).then_some(fit.rate),
            "power": (fit.law == Law::Power).then_some(fit.rate),
            "ci95_low": fit.ci95.0,
            "ci95_high": fit.ci95.1,
            "log_standard_error": fit.slope_error,
            "log_residual": fit.residual,
            "sizes": fit.points.iter().map(|&(n, _)| n).collect::<Vec<_>>(),
        }))
    });
    let growth: Vec<Value> = growth.collect();
    let ranking = ranking::ranking(&data.timings);
    let ranked = ranking.ranked.iter().map(|place| {
        let (solver, threads) = place.entrant;
        json!({
            "solver": solver, "threads": threads, "geometric_mean_ns": place.mean_ns,
            "ratio": place.ratio, "par2_ns": place.par2_ns, "solved": place.solved, "attempted": place.attempted,
        })
    });
    let ranked: Vec<Value> = ranked.collect();
    let ratios = Ratios::of(&data);
    let overall = ratios.overall.iter().filter(|overall| mine(overall.ratio.key.solver)).map(|overall| {
        let ratio = &overall.ratio;
        json!({
            "solver": ratio.key.solver, "threads": ratio.key.threads, "sizes": overall.sizes, "rounds": ratio.rounds,
            "ratio": ratio.ratio, "ci95": ratio.ci95.map(|(low, high)| [low, high]), "p_holm": ratio.p,
        })
    });
    let overall: Vec<Value> = overall.collect();
    let pairs = ratios.cells.iter().filter(|cell| mine(cell.key.solver)).map(|cell| {
        json!({
            "n": cell.n, "variant": cell.key.variant, "goal": cell.key.goal.name(), "solver": cell.key.solver,
            "threads": cell.key.threads, "rounds": cell.rounds, "ratio": cell.ratio,
            "ci95": cell.ci95.map(|(low, high)| [low, high]), "p_holm": cell.p,
        })
    });
    let pairs: Vec<Value> = pairs.collect();
    let faults = material.rows.iter().filter(|run| mine(&run.solver)).filter_map(|run| {
        let fault = run.fault.as_deref()?;
        Some(json!({
            "n": run.n, "variant": &*run.variant, "goal": run.goal.name(), "solver": &*run.solver, "threads": run.threads,
            "status": run.status.to_string(), "verdict": run.verdict.name(), "solutions": run.solutions,
            "expected_solutions": fault.expected_solutions, "error": fault.error.as_deref(),
        }))
    });
    let faults: Vec<Value> = faults.collect();
    Ok(json!({
        "schema_version": SCHEMA_VERSION,
        "experiment": data.titles.experiment,
        "question": data.titles.question,
        "claims": table::json(&data.claims),
        "faults": faults,
        "timings": table::json(&data.timings),
        "nodes": table::json(&data.nodes),
        "growth": growth,
        "ranking": { "common_instances": ranking.common, "short_instances": ranking.short, "ranked": ranked },
        "ratios": { "reference": ratios.reference.solver, "overall": overall, "cells": pairs },
        "crosscheck": table::json(&crosscheck),
    }))
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

/// A table of medians.
struct Grid {
    /// The heads of the columns, and the unit of their times.
    heads: Vec<(Head, Option<Scale>)>,
    rows: Vec<(Head, Vec<Option<TimingsRow>>)>,
    /// The unit of all columns, if the layout names it.
    unit: Option<Scale>,
}

/// Head of a row or a column.
#[derive(Clone)]
enum Head {
    Solver(String),
    Size(usize),
}

impl Grid {
    fn of(material: &Material<'_>, solver: Option<&str>, layout: Layout) -> Result<Self, ExportError> {
        let data = chosen(material, solver)?;
        let sizes: BTreeSet<usize> = data.timings.iter().map(|cell| cell.n).collect();
        let mut rows: Vec<(Head, Vec<Option<TimingsRow>>)> = Vec::new();
        for (key, _) in data.keys.iter() {
            let cells = instances::of_key(&data.timings, &key).into_iter();
            let own: BTreeMap<usize, &TimingsRow> = cells.map(|cell| (cell.n, cell)).collect();
            if !own.is_empty() {
                let cells = sizes.iter().map(|n| own.get(n).copied().cloned()).collect();
                rows.push((Head::Solver(data.keys.name(&key, true)), cells));
            }
        }
        let mut heads: Vec<Head> = sizes.iter().copied().map(Head::Size).collect();
        if layout.transpose {
            let turned = heads.into_iter().enumerate();
            let turned =
                turned.map(|(at, head)| (head, rows.iter().map(|(_, cells)| cells[at].clone()).collect()));
            let turned = turned.collect();
            heads = rows.into_iter().map(|(head, _)| head).collect();
            rows = turned;
        }
        let heads = heads.into_iter().enumerate().map(|(at, head)| {
            let times = rows.iter().filter_map(|(_, cells)| cells[at].as_ref()?.median_ns);
            (head, layout.unit.or_else(|| Scale::of(times)))
        });
        Ok(Self { heads: heads.collect(), rows, unit: layout.unit })
    }

    /// The head of the first column.
    fn corner(&self) -> String {
        let what = if matches!(self.heads.first(), Some((Head::Solver(_), _))) { "n" } else { "solver" };
        self.unit.map_or(what.to_owned(), |unit| format!("{what}, times in {}", unit.name()))
    }

    /// The heads of the columns, with their units unless all columns have the same.
    fn heads(&self, head: impl Fn(&Head) -> String, escape: fn(&str) -> String) -> Vec<String> {
        let units = self.heads.iter().map(|(_, unit)| unit.filter(|_| self.unit.is_none()));
        let unit =
            |unit: Option<Scale>| unit.map_or(String::new(), |unit| format!(", {}", escape(unit.name())));
        self.heads.iter().zip(units).map(|((of, _), own)| head(of) + &unit(own)).collect()
    }

    /// The texts of the cells of a row, and whether they are numbers.
    fn cells<'g>(&'g self, row: &'g [Option<TimingsRow>]) -> impl Iterator<Item = (String, bool)> + use<'g> {
        row.iter().zip(&self.heads).map(|(cell, (_, unit))| {
            let Some(cell) = cell else { return (String::new(), false) };
            let Some((median, unit)) = cell.median_ns.zip(*unit) else {
                return (instances::failure(cell).to_owned(), false);
            };
            match instances::faults(cell) {
                faults if !faults.is_empty() => (format!("{} ({faults})", unit.show(median)), false),
                _ => (unit.show(median), true),
            }
        })
    }
}

impl Head {
    fn text(&self, size: fn(usize) -> String, escape: fn(&str) -> String) -> String {
        match self {
            Self::Solver(name) => escape(name),
            Self::Size(n) => size(*n),
        }
    }
}

/// A table of medians in Markdown.
pub fn markdown(
    material: &Material<'_>,
    solver: Option<&str>,
    layout: Layout,
) -> Result<String, ExportError> {
    let grid = Grid::of(material, solver, layout)?;
    let head = |head: &Head| head.text(|n| format!("n = {n}"), in_markdown);
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let heads = std::iter::once(grid.corner()).chain(grid.heads(head, in_markdown)).collect();
    let rows = grid.rows.iter().map(|(name, cells)| {
        let cells = grid.cells(cells).map(|(text, _)| in_markdown(&text));
        line(std::iter::once(head(name)).chain(cells).collect())
    });
    Ok(format!("{}|---|{}\n{}", line(heads), "---:|".repeat(grid.heads.len()), rows.collect::<String>()))
}

/// A table of medians in LaTeX, for the package booktabs and, if the layout says so, siunitx.
pub fn latex(material: &Material<'_>, solver: Option<&str>, layout: Layout) -> Result<String, ExportError> {
    // A column of numbers needs one unit.
    let unit = layout.unit.or(layout.siunitx.then_some(Scale::Milliseconds));
    let grid = Grid::of(material, solver, Layout { unit, ..layout })?;
    let head = |head: &Head| head.text(|n| format!("$n = {n}$"), in_latex);
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let text = |text: String| if layout.siunitx { format!("{{{text}}}") } else { text };
    let heads = grid.heads(head, in_latex).into_iter().map(text);
    let heads = std::iter::once(in_latex(&grid.corner())).chain(heads).collect();
    let rows = grid.rows.iter().map(|(name, cells)| {
        let cells = grid.cells(cells).map(|cell| match cell {
            // siunitx reads a comma as a decimal point.
            (shown, true) if layout.siunitx => shown.replace(',', ""),
            (shown, true) => shown,
            (shown, false) if shown.is_empty() => shown,
            (shown, false) => text(in_latex(&shown)),
        });
        line(std::iter::once(head(name)).chain(cells).collect())
    });
    let rows: String = rows.collect();
    let columns = (if layout.siunitx { "S" } else { "r" }).repeat(grid.heads.len());
    let heads = line(heads);
    Ok(format!(
        "\\begin{{tabular}}{{l{columns}}}\n\\toprule\n{heads}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n"
    ))
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
            '·' => shown += "\\textperiodcentered{}",
            c => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Row, Status};
    use crate::report::Run;
    use crate::report::fixture::{ended, run};

    fn rows() -> Vec<Row> {
        let timeout = ended(5, "a_b/c|d", Status::Timeout);
        vec![run(4, "a_b/c|d", 1500), timeout, run(4, "z<50%>\\", 2_000_000_000)]
    }

    fn of<T>(rows: &[Row], export: impl FnOnce(&Material<'_>) -> T) -> T {
        export(&Material { rows: &Run::all(rows), ..Material::default() })
    }

    #[test]
    fn a_markdown_table_has_a_column_per_size_and_no_markup_from_names() {
        let text = of(&rows(), |material| markdown(material, None, Layout::default())).expect("a table");
        assert_eq!(
            text,
            "| solver | n = 4, s | n = 5 |\n|---|---:|---:|\n| a\\_b/c\\|d | 1.5e-6 | timeout |\n\
             | z&lt;50%&gt;\\\\ | 2.00 |  |\n"
        );
    }

    #[test]
    fn a_latex_table_is_for_booktabs_and_has_no_command_from_names() {
        let text = of(&rows(), |material| latex(material, None, Layout::default())).expect("a table");
        assert_eq!(
            text,
            "\\begin{tabular}{lrr}\n\\toprule\nsolver & $n = 4$, s & $n = 5$ \\\\\n\\midrule\n\
             a\\_b/c\\textbar{}d & 1.5e-6 & timeout \\\\\n\
             z\\textless{}50\\%\\textgreater{}\\textbackslash{} & 2.00 &  \\\\\n\\bottomrule\n\\end{tabular}\n"
        );
    }

    #[test]
    fn a_table_can_have_one_unit_its_sizes_as_rows_and_columns_of_numbers() {
        let layout = Layout { unit: Some(Scale::Microseconds), transpose: true, siunitx: true };
        let mut rows = rows();
        rows.push(Row { verdict: crate::record::Verdict::Wrong, ..run(4, "z<50%>\\", 1) });
        let text = of(&rows, |material| latex(material, None, layout)).expect("a table");
        assert_eq!(
            text,
            "\\begin{tabular}{lSS}\n\\toprule\nn, times in \\textmu{}s & {a\\_b/c\\textbar{}d} & \
             {z\\textless{}50\\%\\textgreater{}\\textbackslash{}} \\\\\n\\midrule\n\
             $n = 4$ & 1.50 & {2,000,000 (1 wrong)} \\\\\n$n = 5$ & {timeout} &  \\\\\n\\bottomrule\n\\end{tabular}\n"
        );
        let markdown = of(&rows, |material| {
            markdown(material, None, Layout { siunitx: false, transpose: false, ..layout })
        });
        assert!(markdown.expect("a table").starts_with("| solver, times in µs | n = 4 | n = 5 |\n"));
    }

    #[test]
    fn wrong_and_crashed_runs_are_named() {
        let rows = vec![
            Row { verdict: crate::record::Verdict::Wrong, error: Some("no".into()), ..run(4, "a", 1) },
            ended(5, "a", Status::Crashed),
            ended(6, "a", Status::Unreadable),
        ];
        let text = of(&rows, |material| markdown(material, None, Layout::default())).expect("a table");
        assert!(text.contains("| a | wrong | crashed | unreadable |"), "{text}");
        let value = of(&rows, |material| json(material, None)).expect("all");
        let told = value["faults"].as_array().expect("a list").iter();
        let told: Vec<_> = told.map(|fault| (fault["n"].as_u64(), fault["verdict"].as_str())).collect();
        assert_eq!(
            told,
            [(Some(4), Some("wrong")), (Some(5), Some("unchecked")), (Some(6), Some("unchecked"))]
        );
    }

    #[test]
    fn json_has_the_derived_tables() {
        let value = of(&rows(), |material| json(material, None)).expect("all");
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
        let value = of(&longer, |material| json(material, None)).expect("all");
        assert_eq!(value["ranking"]["ranked"][0]["geometric_mean_ns"], 1_500_000);
    }
}
