//! Results in the formats of other tools, each as text for standard output.
//!
//! - mkplot: the JSON of <https://github.com/alexeyignatiev/mkplot>, one file per solver: `preamble` names the solver,
//!   and `stats` has `status` and `rtime` (seconds) of each instance.
//! - json: the derived tables, growth and ranking, with units in the names of the keys.
//! - markdown, latex (booktabs): a table of medians with one row per solver and one column per size.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::growth::Growth;
use super::{Data, Material, instances, ranking};
use crate::record::SCHEMA_VERSION;

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

/// The JSON that mkplot reads.
pub fn mkplot(material: &Material<'_>, solver: Option<&str>) -> Result<Value, ExportError> {
    let data = chosen(material, solver)?;
    let solvers = solvers(&data);
    if solvers.len() > 1 {
        return Err(ExportError::Several(solvers));
    }
    let limits = instances::limits(material.rows);
    let mut stats = serde_json::Map::new();
    for cell in &data.timings {
        let solved = instances::solved_ns(cell);
        let key = (instances::entrant(cell), instances::instance(cell));
        let time = solved.or_else(|| limits.get(&key).copied());
        let threads = if cell.threads == 1 { String::new() } else { format!(" threads={}", cell.threads) };
        let instance = format!("{} n={} {}{threads}", cell.variant, cell.n, cell.goal);
        let mut about = serde_json::Map::from_iter([("status".to_owned(), solved.is_some().into())]);
        about.extend(time.map(|time| ("rtime".to_owned(), (time as f64 / 1e9).into())));
        stats.insert(instance, about.into());
    }
    let (name, benchmark) = (solvers.first().cloned().unwrap_or_default(), &data.titles.experiment);
    Ok(json!({
        "preamble": { "program": name, "prog_alias": name, "prog_args": "", "benchmark": benchmark },
        "stats": stats,
    }))
}

/// All derived results as JSON, for other programs.
pub fn json(material: &Material<'_>, solver: Option<&str>) -> Result<Value, ExportError> {
    let data = chosen(material, solver)?;
    let mine = |of: &str| solver.is_none_or(|solver| solver == of);
    let crosscheck: Vec<_> = material.crosscheck.iter().filter(|row| mine(&row.solver)).collect();
    let growth = data.keys.iter().filter_map(|(key, _)| {
        let fit = Growth::of(&instances::of_key(&data.timings, &key))?;
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
    let ranking = ranking::ranking(&data.timings);
    let ranked = ranking.ranked.iter().map(|place| {
        let (solver, threads) = place.entrant;
        json!({
            "solver": solver, "threads": threads, "geometric_mean_ns": place.mean_ns,
            "ratio": place.ratio, "par2_ns": place.par2_ns, "solved": place.solved, "attempted": place.attempted,
        })
    });
    let ranked: Vec<Value> = ranked.collect();
    Ok(json!({
        "schema_version": SCHEMA_VERSION,
        "experiment": data.titles.experiment,
        "question": data.titles.question,
        "timings": data.timings,
        "nodes": data.nodes,
        "growth": growth,
        "ranking": { "common_instances": ranking.common, "short_instances": ranking.short, "ranked": ranked },
        "crosscheck": crosscheck,
    }))
}

/// A table of medians: the number of sizes, the line of heads, and the other lines. `line` is what a format has before,
/// between and after the cells of a line.
fn medians(
    material: &Material<'_>,
    solver: Option<&str>,
    head: fn(usize) -> String,
    escape: fn(&str) -> String,
    [before, between, after]: [&str; 3],
) -> Result<(usize, String, String), ExportError> {
    let data = chosen(material, solver)?;
    let sizes: BTreeSet<usize> = data.timings.iter().map(|cell| cell.n).collect();
    let line = |name: &str, cells: &mut dyn Iterator<Item = String>| {
        let cells: Vec<String> = std::iter::once(name.to_owned()).chain(cells).collect();
        format!("{before}{}{after}\n", cells.join(between))
    };
    let mut rows = String::new();
    for (key, _) in data.keys.iter() {
        let cells = instances::of_key(&data.timings, &key).into_iter();
        let own: BTreeMap<usize, String> =
            cells.map(|cell| (cell.n, escape(&instances::median(cell)))).collect();
        if !own.is_empty() {
            let mut cells = sizes.iter().map(|n| own.get(n).cloned().unwrap_or_default());
            rows += &line(&escape(&data.keys.name(&key, true)), &mut cells);
        }
    }
    Ok((sizes.len(), line("solver", &mut sizes.iter().copied().map(head)), rows))
}

/// A table of medians in Markdown.
pub fn markdown(material: &Material<'_>, solver: Option<&str>) -> Result<String, ExportError> {
    let line = ["| ", " | ", " |"];
    let (sizes, heads, rows) = medians(material, solver, |n| format!("n = {n}"), in_markdown, line)?;
    Ok(format!("{heads}|---|{}\n{rows}", "---:|".repeat(sizes)))
}

/// A table of medians in LaTeX, for the package booktabs.
pub fn latex(material: &Material<'_>, solver: Option<&str>) -> Result<String, ExportError> {
    let line = ["", " & ", " \\\\"];
    let (sizes, heads, rows) = medians(material, solver, |n| format!("$n = {n}$"), in_latex, line)?;
    let columns = "r".repeat(sizes);
    Ok(format!(
        "\\begin{{tabular}}{{l{columns}}}\n\\toprule\n{heads}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n"
    ))
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
    fn mkplot_gets_seconds_and_the_limit_of_what_was_not_solved() {
        let value = of(&rows(), |material| mkplot(material, Some("a_b/c|d"))).expect("one solver");
        assert_eq!(value["preamble"]["program"], "a_b/c|d");
        assert_eq!(
            value["stats"],
            json!({
                "queens n=4 count": { "status": true, "rtime": 1.5e-6 },
                "queens n=5 count": { "status": false, "rtime": 1e-6 },
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
