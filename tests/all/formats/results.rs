//! The files of a result directory.

use std::collections::{BTreeMap, BTreeSet};

use queenlab::board::BoardSize;
use queenlab::board::problem::Problem;
use queenlab::experiment::doctor;
use queenlab::experiment::plan::Plan;
use queenlab::experiment::spec::{Instance, Spec};
use queenlab::record::{
    ClaimRow, CrosscheckRow, Finding, Health, Judgement, LevelRow, Machine, Meta, NodesRow, Row,
    SCHEMA_VERSION, Session, Status, Table, Termination, TimingsRow, Verdict,
};
use queenlab::registry::Registry;
use queenlab::solver::sink::Discard;
use queenlab::solver::{Goal, Outcome, Stat, Task};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{DOCUMENT, code, expected, names, quoted, rows, section, sorted, spec};

/// The file of a table and its columns, as documented and as written.
fn assert_columns<T: Table>() {
    let heading = format!("### `{}`", T::FILE);
    let mut documented = names(&heading, "column");
    // All statistics of a run are in one table, but they are in three places of the file.
    let disturbance = names("#### What disturbed it, and its limit of CPU time", "column");
    documented.sort_by_key(|name| match Stat::named(name).map(|stat| stat as usize) {
        _ if T::FILE != Row::FILE => 0,
        None => 2 * usize::from(disturbance.contains(name)),
        Some(place) => {
            usize::from(place > Stat::ProofBytes as usize) + 2 * usize::from(place > Stat::Repairs as usize)
        }
    });
    assert_eq!(documented, T::columns(), "{}", T::FILE);
}

/// The document's tables of statistics are made from the code: INSTA_UPDATE=always writes them.
#[test]
fn the_documented_statistics_are_those_of_the_code() {
    let mut document = DOCUMENT.clone();
    for (file, stats, is_short) in
        [(Row::FILE, Stat::ALL, false), (NodesRow::FILE, &NodesRow::statistics(), true)]
    {
        let lines: Vec<String> = stats
            .iter()
            .map(|stat| {
                let meaning = stat.meaning();
                let meaning = if is_short { meaning.split(';').next().unwrap_or_default() } else { meaning };
                format!("| `{}` | integer | {meaning} |", stat.name())
            })
            .collect();
        let heading = document.find(&format!("\n### `{file}`\n")).expect("a section");
        let begin = heading + document[heading..].find("\n| `nodes` |").expect("a table") + 1;
        let end = begin + document[begin..].find("\n\n").expect("text after the table");
        document.replace_range(begin..end, &lines.join("\n"));
    }
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write("docs/FORMATS.md", &document).expect("written");
    } else {
        assert!(document == *DOCUMENT, "docs/FORMATS.md is outdated: run this test with INSTA_UPDATE=always");
    }
}

#[test]
fn every_column_is_documented_in_its_order_and_no_other() {
    assert_columns::<Row>();
    assert_columns::<LevelRow>();
    assert_columns::<CrosscheckRow>();
    assert_columns::<TimingsRow>();
    assert_columns::<NodesRow>();
    assert_columns::<ClaimRow>();
    let files =
        [Row::FILE, LevelRow::FILE, CrosscheckRow::FILE, TimingsRow::FILE, NodesRow::FILE, ClaimRow::FILE];
    let headings = DOCUMENT.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix(".csv`"));
    let headings: Vec<String> = headings.map(|name| format!("{name}.csv")).collect();
    assert_eq!(headings, files);
}

/// Words that serde reads are documented, and what is documented is what serde writes.
fn assert_words<T: Serialize + DeserializeOwned>(heading: &str) {
    let documented = names(heading, "word");
    let error = serde_json::from_str::<T>("\"no such word\"").err().expect("unknown word").to_string();
    assert_eq!(documented, expected(&error), "{heading}");
    for word in documented {
        let json = format!("\"{word}\"");
        let value: T = serde_json::from_str(&json).expect("a word");
        assert_eq!(serde_json::to_string(&value).expect("a word"), json);
    }
}

#[test]
fn the_words_of_status_verdict_and_termination_are_those_in_the_tables() {
    assert_words::<Status>("### `status`");
    assert_words::<Verdict>("### `verdict`");
    assert_words::<Termination>("### `termination`");
    assert_words::<Health>("### `findings`");
    assert_words::<Judgement>("### `verdict` of a claim");
}

#[test]
fn every_check_of_the_doctor_is_documented_and_no_other() {
    assert_eq!(names("### `findings`", "check"), doctor::names());
}

fn counted(id: &str, n: usize) -> Outcome {
    let registry = Registry::builtin();
    let size = BoardSize::new(n).expect("a small board");
    let task = Task { counting: true, ..Task::new(size, Goal::Enumerate) };
    registry.get(id).expect("a solver").solve(&task, &mut Discard).expect("solved")
}

#[test]
fn the_documented_statistics_of_8_queens_are_what_is_counted() {
    let rows = rows("### `runs.csv`", "column");
    let meaning = |column: &str| {
        let row = rows.iter().find(|row| code(row[0]) == column).expect("a column");
        row[2]
    };
    let counted = |id| {
        let stats = counted(id, 8).stats;
        Stat::ALL.iter().filter_map(move |&stat| Some((stat.name(), stats.get(stat)?)))
    };
    let solvers = ["backtrack/column-scan", "backtrack/exhaustive", "sat/pairwise/varisat"];
    // How many clauses the solver learns depends on its version.
    for (column, value) in solvers.into_iter().flat_map(counted).filter(|stat| stat.0 != "learned_clauses") {
        let numbers = meaning(column).split(|c: char| !c.is_ascii_digit());
        assert!(numbers.into_iter().any(|number| number == value.to_string()), "{column}: {value}");
    }
    for (column, permutations) in counted("backtrack/permutations") {
        assert!(meaning(column).contains(&format!("{permutations} (permutations)")));
    }
}

fn keys(value: &impl Serialize) -> BTreeSet<String> {
    let value = serde_json::to_value(value).expect("JSON");
    value.as_object().expect("an object").keys().cloned().collect()
}

/// A plan with every kind of cell: counting, timed, skipped, a program's, with a memory limit.
fn plan() -> Plan {
    let text = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"8-9\"\nmemory = \"1GiB\"\nrepeat = \"until 2%\"\ncpu_timeout = \"1m\"\n\
                instances = \"i\"\n[[solver]]\nid = \"backtrack/exhaust*\"\n\
                [[solver]]\nid = \"backtrack/dlx\"\nitems = \"natural\"\n\
                [[solver]]\nid = \"sat/pairwise/external\"\n[[program]]\nid = \"p\"\ncommand = [\"p\"]\n\
                accept_exit_codes = [0, 10]\n";
    let external = Some("true {cnf}".to_owned());
    let registry = Registry::builtin().with_external(external.as_deref());
    let instance = Instance {
        name: "i".to_owned(),
        path: "i".into(),
        digest: String::new(),
        problem: Problem::queens(BoardSize::new(8).expect("a small board")),
    };
    let mut spec = Spec { external, instances: vec![instance], ..spec(text) };
    spec.sweep.variant = vec!["queens".to_owned()];
    Plan::new(&spec, &registry).expect("a plan").with_files()
}

fn meta() -> Meta {
    Meta {
        schema_version: SCHEMA_VERSION,
        plan: serde_json::to_value(plan()).expect("JSON"),
        plan_sha256: String::new(),
        earlier_cells: vec![serde_json::Value::Null],
        order_seed: 1,
        queenlab_version: String::new(),
        git_revision: None,
        git_dirty: None,
        executable_sha256: String::new(),
        rustc: String::new(),
        target: String::new(),
        target_features: String::new(),
        cargo_lock_sha256: None,
        solver_versions: BTreeMap::new(),
        machine: Machine {
            host: String::new(),
            os: String::new(),
            kernel: String::new(),
            cpu_model: String::new(),
            cores: 1,
            governor: None,
            turbo: None,
            memory_bytes: None,
        },
        sessions: vec![Session {
            started_at: String::new(),
            ended_at: None,
            argv: Vec::new(),
            jobs: 1,
            load_before: None,
            load_after: None,
            runs: 0,
            findings: vec![Finding {
                check: String::new(),
                health: Health::Unknown,
                found: String::new(),
                advice: None,
            }],
        }],
        warnings: Vec::new(),
    }
}

#[test]
fn every_key_of_meta_json_is_documented_and_no_other() {
    let (meta, plan) = (meta(), plan());
    let cells: BTreeSet<String> = plan.cells.iter().flat_map(keys).collect();
    let top: Vec<&str> =
        section("## 7. `meta.json`").into_iter().take_while(|l| !l.starts_with('#')).collect();
    let top = top.iter().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(sorted(top), keys(&meta), "meta.json");
    for (heading, found) in [
        ("### `plan`", keys(&plan)),
        ("### `cells`", cells),
        ("### `machine`", keys(&meta.machine)),
        ("### `sessions`", keys(&meta.sessions[0])),
        ("### `findings`", keys(&meta.sessions[0].findings[0])),
    ] {
        assert_eq!(sorted(names(heading, "key")), found, "{heading}");
    }
    let program = plan.cells.iter().find_map(|cell| cell.program.as_ref()).expect("a program");
    let rows = rows("### `cells`", "key");
    let documented = rows.iter().find(|row| row[0] == "`program`").expect("documented");
    assert_eq!(sorted(quoted(documented[2])), keys(program));
}
