//! Results in the formats of other tools, each as text for standard output.
//!
//! - mkplot: the JSON of <https://github.com/alexeyignatiev/mkplot>, one file per solver: `preamble` names
//!   the solver, `stats` has `status` and `rtime` (seconds) of each instance.
//! - json: the derived tables, growth and ranking, with units in the names of the keys.
//! - markdown, latex (booktabs): a table of medians with one row per solver and one column per size.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::Run;
use super::Unit;
use super::growth::Growth;
use super::plots::keys::Keys;
use super::{Material, instances, ranking, tables};
use crate::record::{SCHEMA_VERSION, Status, TimingsRow};

/// Why an export is not possible.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file for mkplot holds the results of one solver.
    #[error("mkplot reads one file per solver; choose a solver with --solver: {}", .0.join(", "))]
    Several(Vec<String>),
    /// The solver has no timed run.
    #[error("there is no timed run of '{solver}'; there are {}", known.join(", "))]
    Unknown {
        /// The solver that was requested.
        solver: String,
        /// The solvers that have timed runs.
        known: Vec<String>,
    },
}

/// The timings of this solver, or of all solvers if none is named.
fn chosen(rows: &[Run], solver: Option<&str>) -> Result<Vec<TimingsRow>, ExportError> {
    let mut timings = tables::timings(rows);
    if let Some(solver) = solver {
        let known: BTreeSet<String> = timings.iter().map(|cell| cell.solver.clone()).collect();
        if !known.contains(solver) {
            return Err(ExportError::Unknown {
                solver: solver.to_owned(),
                known: known.into_iter().collect(),
            });
        }
        timings.retain(|cell| cell.solver == solver);
    }
    Ok(timings)
}

/// The JSON that mkplot reads.
pub fn mkplot(material: &Material<'_>, solver: Option<&str>) -> Result<Value, ExportError> {
    let timings = chosen(material.rows, solver)?;
    let solvers: BTreeSet<String> = timings.iter().map(|cell| cell.solver.clone()).collect();
    if solvers.len() > 1 {
        return Err(ExportError::Several(solvers.into_iter().collect()));
    }
    let name = solvers.first().cloned().unwrap_or_default();
    let ended = material.rows.iter().filter(|row| row.is_timed && row.status == Status::Timeout);
    let limits: BTreeMap<_, _> =
        ended.map(|row| ((row.n, &*row.solver, row.goal.name(), row.threads), row.time_limit_ns)).collect();
    let mut stats = serde_json::Map::new();
    for cell in &timings {
        let key = (cell.n, cell.solver.as_str(), cell.goal.as_str(), cell.threads);
        let solved = instances::solved_ns(cell);
        let time = solved.or_else(|| limits.get(&key).copied().flatten());
        let threads = if cell.threads == 1 { String::new() } else { format!(" threads={}", cell.threads) };
        let instance = format!("{} n={} {}{threads}", cell.variant, cell.n, cell.goal);
        let mut about = serde_json::Map::from_iter([("status".to_owned(), solved.is_some().into())]);
        about.extend(time.map(|time| ("rtime".to_owned(), (time as f64 / 1e9).into())));
        stats.insert(instance, about.into());
    }
    let benchmark = material.titles().experiment;
    Ok(json!({
        "preamble": { "program": name, "prog_alias": name, "prog_args": "", "benchmark": benchmark },
        "stats": stats,
    }))
}

/// All derived results as JSON, for use by other programs.
pub fn json(material: &Material<'_>, solver: Option<&str>) -> Result<Value, ExportError> {
    let timings = chosen(material.rows, solver)?;
    let mine = |of: &str| solver.is_none_or(|solver| solver == of);
    let mut nodes = tables::nodes(material.rows);
    nodes.retain(|row| mine(&row.solver));
    let crosscheck: Vec<_> = material.crosscheck.iter().filter(|row| mine(&row.solver)).collect();
    let keys = Keys::of(material.rows);
    let growth = keys.iter().filter_map(|(key, _)| {
        let fit = Growth::of(&instances::of_key(&timings, &key))?;
        Some(json!({
            "solver": key.solver,
            "variant": key.variant,
            "goal": key.goal.name(),
            "threads": key.threads,
            "factor": fit.factor,
            "ci95_low": fit.ci95.0,
            "ci95_high": fit.ci95.1,
            "log_standard_error": fit.log_error,
            "log_residual": fit.residual,
            "sizes": fit.points.iter().map(|&(n, _)| n).collect::<Vec<_>>(),
        }))
    });
    let growth: Vec<Value> = growth.collect();
    let ranking = ranking::ranking(&timings);
    let ranked: Vec<Value> = ranking
        .ranked
        .iter()
        .map(|place| {
            let (solver, threads) = place.entrant;
            json!({
                "solver": solver, "threads": threads, "geometric_mean_ns": place.mean_ns,
                "ratio": place.ratio, "par2_ns": place.par2_ns, "solved": place.solved, "attempted": place.attempted,
            })
        })
        .collect();
    let titles = material.titles();
    Ok(json!({
        "schema_version": SCHEMA_VERSION,
        "experiment": titles.experiment,
        "question": titles.question,
        "timings": timings,
        "nodes": nodes,
        "growth": growth,
        "ranking": { "common_instances": ranking.common, "short_instances": ranking.short, "ranked": ranked },
        "crosscheck": crosscheck,
    }))
}

/// Rows and columns of the table of medians.
fn medians(
    material: &Material<'_>,
    solver: Option<&str>,
) -> Result<(Vec<usize>, Vec<Vec<String>>), ExportError> {
    let timings = chosen(material.rows, solver)?;
    let sizes: BTreeSet<usize> = timings.iter().map(|cell| cell.n).collect();
    let keys = Keys::of(material.rows);
    let mut rows = Vec::new();
    for (key, _) in keys.iter() {
        let own: BTreeMap<usize, &TimingsRow> =
            instances::of_key(&timings, &key).into_iter().map(|cell| (cell.n, cell)).collect();
        if own.is_empty() {
            continue;
        }
        let show = |n: &usize| match own.get(n) {
            None => String::new(),
            Some(cell) => match cell.median_ns {
                Some(median) => Unit::Time.show(median),
                None if cell.timeouts > 0 => "timeout".to_owned(),
                None => "no answer".to_owned(),
            },
        };
        rows.push(std::iter::once(keys.name(&key, true)).chain(sizes.iter().map(show)).collect());
    }
    Ok((sizes.into_iter().collect(), rows))
}

/// A table of medians in Markdown.
pub fn markdown(material: &Material<'_>, solver: Option<&str>) -> Result<String, ExportError> {
    let (sizes, rows) = medians(material, solver)?;
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let heads: Vec<String> =
        std::iter::once("solver".to_owned()).chain(sizes.iter().map(|n| format!("n = {n}"))).collect();
    let mut text = line(&heads);
    text += &format!("|---|{}\n", "---:|".repeat(sizes.len()));
    for row in rows {
        text += &line(&row.iter().map(|cell| in_markdown(cell)).collect::<Vec<_>>());
    }
    Ok(text)
}

/// Escapes text so that Markdown shows it unchanged.
fn in_markdown(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            c if c.is_control() => shown.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' => shown.extend(['\\', c]),
            '<' => shown += "&lt;",
            '>' => shown += "&gt;",
            '&' => shown += "&amp;",
            c => shown.push(c),
        }
    }
    shown
}

/// A table of medians in LaTeX, for the package booktabs.
pub fn latex(material: &Material<'_>, solver: Option<&str>) -> Result<String, ExportError> {
    let (sizes, rows) = medians(material, solver)?;
    let heads: Vec<String> = sizes.iter().map(|n| format!(" & $n = {n}$")).collect();
    let mut text = format!("\\begin{{tabular}}{{l{}}}\n\\toprule\n", "r".repeat(sizes.len()));
    text += &format!("solver{} \\\\\n\\midrule\n", heads.concat());
    for row in rows {
        text += &format!("{} \\\\\n", row.iter().map(|cell| in_latex(cell)).collect::<Vec<_>>().join(" & "));
    }
    text += "\\bottomrule\n\\end{tabular}\n";
    Ok(text)
}

/// Escapes text so that LaTeX typesets it unchanged.
fn in_latex(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            c if c.is_control() => shown.push(' '),
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
    use crate::record::Row;
    use crate::solver::Goal;

    fn run(n: usize, solver: &str, time: Option<u64>) -> Row {
        let row = Row::skipped("r".into(), "c".into(), n, Goal::Count, solver.into());
        let status = if time.is_some() { Status::Complete } else { Status::Timeout };
        Row { status, solve_ns: time, time_limit_ns: Some(10_000_000_000), ..row }
    }

    fn rows() -> Vec<Row> {
        vec![run(4, "a_b/c|d", Some(1500)), run(5, "a_b/c|d", None), run(4, "z<50%>\\", Some(2_000_000_000))]
    }

    fn of<T>(rows: &[Row], export: impl FnOnce(&Material<'_>) -> T) -> T {
        export(&Material { rows: &Run::all(rows), ..Material::default() })
    }

    #[test]
    fn mkplot_gets_seconds_and_the_limit_of_what_was_not_solved() {
        let value = of(&rows(), |material| mkplot(material, Some("a_b/c|d"))).expect("one solver");
        assert_eq!(value["preamble"]["program"], "a_b/c|d");
        assert_eq!(
            value["stats"],
            json!({
                "queens n=4 count": { "status": true, "rtime": 1.5e-6 },
                "queens n=5 count": { "status": false, "rtime": 10.0 },
            })
        );
        let several = of(&rows(), |material| mkplot(material, None)).expect_err("two solvers");
        assert!(several.to_string().contains("--solver: a_b/c|d, z<50%>"), "{several}");
        let unknown = of(&rows(), |material| mkplot(material, Some("x"))).expect_err("nobody");
        assert!(unknown.to_string().contains("no timed run of 'x'"), "{unknown}");
    }

    #[test]
    fn a_markdown_table_has_a_column_per_size_and_no_markup_from_names() {
        let text = of(&rows(), |material| markdown(material, None)).expect("a table");
        assert_eq!(
            text,
            "| solver | n = 4 | n = 5 |\n|---|---:|---:|\n| a\\_b/c\\|d | 1.5 µs | timeout |\n\
             | z&lt;50%&gt;\\\\ | 2 s |  |\n"
        );
    }

    #[test]
    fn a_latex_table_is_for_booktabs_and_has_no_command_from_names() {
        let text = of(&rows(), |material| latex(material, None)).expect("a table");
        assert_eq!(
            text,
            "\\begin{tabular}{lrr}\n\\toprule\nsolver & $n = 4$ & $n = 5$ \\\\\n\\midrule\n\
             a\\_b/c\\textbar{}d & 1.5 \\textmu{}s & timeout \\\\\n\
             z\\textless{}50\\%\\textgreater{}\\textbackslash{} & 2 s &  \\\\\n\\bottomrule\n\\end{tabular}\n"
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
