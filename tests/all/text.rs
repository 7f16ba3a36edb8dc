//! Text of unknown origin: what comes in is decoded or refused by name, and what goes out stays on its line.

use std::path::Path;

use serde_json::Value;

use crate::harness::{read, run_in, scratch, write};

/// An experiment of these tables.
fn experiment(tables: &str) -> String {
    format!("schema_version = 1\nname = \"t\"\n[sweep]\nn = \"4-5\"\ngoal = \"count\"\nrepeat = 1\n{tables}")
}

/// The runs of a page by the number of their series.
fn runs_of_page(directory: &Path) -> Value {
    let page = read(directory, "report.html");
    let (_, json) = page.split_once("<script type=\"application/json\" id=\"runs\">").expect("the runs");
    serde_json::from_str(json.split("</script>").next().expect("an end")).expect("JSON")
}

#[test]
fn series_with_one_label_keep_their_own_runs() {
    let directory = scratch();
    let solvers = ["backtrack/bitmask", "backtrack/backmarking", "backtrack/column-scan"];
    // A label can also be the id of another solver.
    let labels = ["same", "same", "backtrack/bitmask"];
    let tables: String = solvers
        .iter()
        .zip(labels)
        .map(|(id, label)| format!("[[solver]]\nid = \"{id}\"\nlabel = \"{label}\"\n"))
        .collect();
    write(directory.path(), "x.toml", &experiment(&tables));
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "r", "-q"]);
    assert_eq!((code, &*stderr), (0, ""));
    let runs = runs_of_page(&directory.path().join("r"));
    let page = read(&directory.path().join("r"), "report.html");
    let series = runs["series"].as_object().expect("by number");
    assert_eq!(series.len(), solvers.len());
    let mut names = Vec::new();
    for (number, of) in series {
        let solver = of["solver"].as_str().expect("a name");
        assert_eq!(of["sizes"].as_object().map(serde_json::Map::len), Some(2), "{solver}");
        let row = format!("<tr data-series=\"{number}\"><th scope=\"row\" class=\"text\">");
        let mut rows: Vec<&str> =
            page.split(&row).skip(1).filter_map(|rest| rest.split("</th>").next()).collect();
        rows.dedup();
        assert_eq!(rows.len(), 1, "{solver}: one name in all tables");
        names.push((solver, rows[0].to_owned()));
    }
    names.sort_unstable();
    let distinct: std::collections::BTreeSet<&String> = names.iter().map(|(_, name)| name).collect();
    assert_eq!(distinct.len(), solvers.len(), "{names:?}");
}
