//! The files of a result directory.

use std::collections::BTreeSet;

use queenlab::board::BoardSize;
use queenlab::board::problem::Problem;
use queenlab::experiment::plan::Plan;
use queenlab::instance::Instance;
use queenlab::record::table::Column;
use queenlab::record::{
    ClaimRow, ClaimVerdict, CrosscheckRow, Disturbed, InstanceText, Kind, LevelRow, Meta, NodesRow, Row,
    SCHEMA_VERSION, Stated, Statements, Status, Table, TimingsRow, Verdict,
};
use queenlab::registry::Registry;
use queenlab::solver::sink::Discard;
use queenlab::solver::{Goal, Outcome, Stat, Task};
use runlab::Session;
use runlab::machine::{Health, Machine, MachineFinding};
use serde::Serialize;
use serde_json::Value;

use super::schemas::keys_of;
use super::{DOCUMENT, code, names, quoted, rows, section, sorted, spec};

/// The placeholder for all statistics in a table of the document.
const STATISTICS: &str = "*statistics*";

/// The documented columns of a table, each with the condition under which it is written.
fn documented(file: &str) -> Vec<(&'static str, &'static str)> {
    let rows = rows(&format!("### `{file}`"), "column");
    let columns_of_row = |row: Vec<&'static str>| {
        let names = if row[0] == STATISTICS { vec![STATISTICS] } else { quoted(row[0]) };
        names.into_iter().map(move |name| (name, row[2])).collect::<Vec<_>>()
    };
    rows.into_iter().flat_map(columns_of_row).collect()
}

/// The documented condition under which the column is written.
fn condition(file: &str, column: &str) -> &'static str {
    documented(file).into_iter().find(|(name, _)| *name == column).expect("a documented column").1
}

/// Compares the documented columns of a table with the columns that the code can write.
fn assert_columns<T: Table>(program_columns: &[&str]) {
    let name = |column: &Column| column.name;
    let name_columns: Vec<String> = program_columns.iter().map(|kind| format!("{kind}NAME")).collect();
    let name_columns =
        T::STATISTICS.then_some(STATISTICS).into_iter().chain(name_columns.iter().map(String::as_str));
    let columns = T::HEAD.iter().map(name).chain(name_columns).chain(T::TAIL.iter().map(name));
    let documented = documented(T::FILE);
    assert!(documented.iter().map(|(name, _)| *name).eq(columns), "{}: {documented:?}", T::FILE);
    // A column that is never empty is always written. The columns of runs.csv that depend on the plan are tested below.
    for Column { name, is_optional, .. } in T::HEAD.iter().chain(T::TAIL) {
        let (_, written) = documented.iter().find(|(column, _)| column == name).expect("just compared");
        assert!(*is_optional || *written == "always", "{}: {name}", T::FILE);
        let condition_of_optional_column = condition(LevelRow::FILE, "expected_nodes");
        assert!(
            T::FILE == Row::FILE || !is_optional || *written == condition_of_optional_column,
            "{}: {name}",
            T::FILE
        );
    }
}

/// The table of statistics in the document is made from the code. INSTA_UPDATE=always writes it.
#[test]
fn documented_statistics_match_the_code() {
    let mut document = DOCUMENT.clone();
    let lines = Stat::ALL.iter().map(|stat| format!("| `{}` | {} |", stat.name(), stat.meaning()));
    let begin = document.find("\n| `nodes` | ").expect("a table") + 1;
    let end = begin + document[begin..].find("\n\n").expect("text after the table");
    document.replace_range(begin..end, &lines.collect::<Vec<_>>().join("\n"));
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write("docs/FORMATS.md", &document).expect("written");
    } else {
        assert!(document == *DOCUMENT, "docs/FORMATS.md is outdated: run this test with INSTA_UPDATE=always");
    }
}

#[test]
fn documented_columns_of_tables_match_the_code() {
    assert_columns::<Row>(&["factor.", "stat."]);
    assert_columns::<LevelRow>(&[]);
    assert_columns::<CrosscheckRow>(&[]);
    assert_columns::<TimingsRow>(&["factor."]);
    assert_columns::<NodesRow>(&["stat."]);
    assert_columns::<ClaimRow>(&[]);
    let files =
        [Row::FILE, LevelRow::FILE, CrosscheckRow::FILE, TimingsRow::FILE, NodesRow::FILE, ClaimRow::FILE];
    let headings = DOCUMENT.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix(".csv`"));
    assert!(headings.map(|name| format!("{name}.csv")).eq(files));
}

/// A plan with these settings and tables.
fn plan(sweep: &str, tables: &str) -> Plan {
    let text = format!("schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n{sweep}\n{tables}");
    Plan::new(spec(&text), &Registry::builtin()).expect("a plan")
}

#[test]
fn columns_of_runs_csv_are_written_as_documented() {
    let bitmask = "[[solver]]\nid = \"backtrack/bitmask\"\n";
    let program = "[[program]]\nid = \"p\"\ncommand = [\"p\", \"{NAME}\"]\nNAME = 1\n";
    let sat = "[[sat]]\nid = \"mine\"\ncommand = \"mine {cnf}\"\n[[solver]]\nid = \"sat/pairwise/mine\"\n";
    let unconditional_columns: Vec<&str> = documented(Row::FILE)
        .iter()
        .filter(|(_, written)| *written == "always")
        .map(|(name, _)| *name)
        .collect();
    // Each setting adds this column, and all columns with the same documented condition.
    let settings = [
        ("repeat = 1", bitmask, STATISTICS),
        ("cpu_timeout = \"1s\"\nmemory = \"1GiB\"", program, "cpu_limit_ns"),
        ("pin = \"0\"", program, "cpu"),
        ("repeat = 1", program, "factor.NAME"),
        ("repeat = 1", sat, "exit_code"),
        ("repeat = 1", program, "reported_solve_ns"),
    ];
    for (sweep, tables, column) in settings {
        let condition = condition(Row::FILE, column);
        assert_ne!(condition, "always", "{column}");
        let columns = plan(sweep, tables).columns();
        let conditional_columns =
            documented(Row::FILE).into_iter().filter(|(_, written)| *written == condition);
        for (name, _) in conditional_columns {
            let name = if name == STATISTICS { "nodes" } else { name };
            assert!(columns.iter().any(|column| column == name), "{name}: {condition}: {columns:?}");
        }
        assert!(
            unconditional_columns.iter().all(|name| columns.iter().any(|column| column == name)),
            "{columns:?}"
        );
    }
    let solver_table = "[[solver]]\nid = \"construct/pauls\"\ngoal = \"first\"\n";
    assert_eq!(plan("repeat = 1", solver_table).columns(), unconditional_columns);
}

#[test]
fn status_and_verdict_words_match_the_code() {
    assert_eq!(names("### `status`", "word"), Status::WORDS);
    assert_eq!(names("### `verdict`", "word"), Verdict::WORDS);
    let words_of = |file: &str, column: &str| {
        let rows = rows(&format!("### `{file}`"), "column");
        quoted(rows.into_iter().find(|row| row[0] == format!("`{column}`")).expect("a column")[3])
    };
    assert_eq!(words_of("runs.csv", "kind"), Kind::WORDS);
    assert_eq!(words_of("runs.csv", "disturbed")[..3], *Disturbed::WORDS);
    assert_eq!(words_of("runs.csv", "goal"), Goal::WORDS);
    assert_eq!(words_of("claims.csv", "verdict"), ClaimVerdict::WORDS);
    assert_eq!(words_of("claims.csv", "stated"), Stated::WORDS);
}

fn counted_outcome(id: &str, n: usize) -> Outcome {
    let registry = Registry::builtin();
    let size = BoardSize::new(n).expect("a small board");
    let task = Task { counting: true, ..Task::new(size, Goal::Enumerate) };
    registry.get(id).expect("a solver").solve(&task, &mut Discard).expect("solved")
}

#[test]
fn documented_statistics_of_8_queens_are_counted() {
    let rows = rows("### Statistics", "statistic");
    let meaning = |column: &str| rows.iter().find(|row| code(row[0]) == column).expect("a statistic")[1];
    let counted_statistics = |id| {
        let stats = counted_outcome(id, 8).stats;
        Stat::ALL.iter().filter_map(move |&stat| Some((stat.name(), stats.get(stat)?)))
    };
    let solvers = ["backtrack/column-scan", "backtrack/exhaustive", "sat/pairwise/varisat"];
    // The number of learned clauses depends on the version of the solver.
    for (column, value) in
        solvers.into_iter().flat_map(counted_statistics).filter(|stat| stat.0 != "learned_clauses")
    {
        let numbers = meaning(column).split(|c: char| !c.is_ascii_digit());
        assert!(numbers.into_iter().any(|number| number == value.to_string()), "{column}: {value}");
    }
    for (column, permutations) in counted_statistics("backtrack/permutations") {
        assert!(meaning(column).contains(&format!("{permutations} (permutations)")));
    }
}

fn keys(value: &impl Serialize) -> BTreeSet<String> {
    let value = serde_json::to_value(value).expect("JSON");
    value.as_object().expect("an object").keys().cloned().collect()
}

/// A description of a sweep in which no key is missing.
fn meta() -> Meta {
    let text = String::new;
    let finding = MachineFinding { check: text(), health: Health::Unknown, value: text(), advice: None };
    let machine = Machine {
        host: text(),
        os: text(),
        kernel: text(),
        cpu_model: text(),
        cores: 1,
        governor: None,
        turbo: None,
        memory_bytes: None,
        cpu_quota: None,
        memory_limit_bytes: None,
    };
    Meta {
        schema_version: SCHEMA_VERSION,
        queenlab_version: text(),
        git_revision: None,
        git_dirty: None,
        executable_sha256: text(),
        rustc: text(),
        target: text(),
        target_features: text(),
        cargo_lock_sha256: None,
        solvers: Default::default(),
        files: [(text(), text())].into(),
        shard: Some(text()),
        stated: Some(Statements { expected: Some(text()), claims: vec![text()] }),
        machine: machine.clone(),
        sessions: vec![Session {
            started_at: text(),
            ended_at: None,
            argv: Vec::new(),
            directory: Some(text()),
            jobs: 1,
            accounting: Some(text()),
            load_before: None,
            load_after: None,
            runs: None,
            findings: vec![finding],
            machine: Some(machine),
        }],
        warnings: Vec::new(),
    }
}

#[test]
fn keys_of_meta_json_are_documented_and_exist() {
    let (meta, rows) = (meta(), rows("## 7. `meta.json`", "key"));
    assert_eq!(sorted(rows.iter().flat_map(|row| quoted(row[0]))), keys(&meta));
    let stated_meaning = rows.iter().find(|row| row[0] == "`stated`").expect("a key")[2];
    assert_eq!(sorted(quoted(stated_meaning)), keys(&meta.stated));
    // The texts in backticks in the bullet of a key. The bullet of `findings` also lists the values of `health`.
    let section = section("## 7. `meta.json`").join(" ");
    let bullet = |name: &str| {
        let (_, text) = section.split_once(&format!("- `{name}`:")).expect("a bullet");
        let text = text.split(" - `").next().expect("text");
        sorted(quoted(text.split("`doctor").next().expect("text")))
    };
    assert_eq!(bullet("machine"), keys(&meta.machine));
    assert_eq!(bullet("sessions"), keys(&meta.sessions[0]));
    let health = ["fine", "disturbs", "unknown"].map(str::to_owned);
    let expected: BTreeSet<String> = keys(&meta.sessions[0].findings[0]).into_iter().chain(health).collect();
    assert_eq!(bullet("findings"), expected);
    assert_eq!(keys_of("meta", ""), keys(&meta));
    assert_eq!(keys_of("meta", "/$defs/machine"), keys(&meta.machine));
    assert_eq!(keys_of("meta", "/$defs/session"), keys(&meta.sessions[0]));
    assert_eq!(keys_of("meta", "/$defs/finding"), keys(&meta.sessions[0].findings[0]));
    assert_eq!(keys_of("meta", "/properties/stated"), keys(&meta.stated));
}

#[test]
fn every_exit_code_is_documented() {
    let codes: Vec<&str> = rows("## 8. Exit codes", "code").iter().map(|row| row[0]).collect();
    assert_eq!(codes, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "130"]);
}

#[test]
fn keys_of_plan_json_are_documented_and_exist() {
    let text = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\ncpu_timeout = \"9s\"\nmemory = \"1GiB\"\n[[program]]\n\
                id = \"p\"\ncommand = [\"sh\", \"{n}\"]\nfiles = \"Cargo.toml\"\nanswer = \"last-line\"\nlabel = \"L\"\ngroup = \"G\"\n";
    let plan = Plan::new(spec(text), &Registry::builtin()).expect("a plan");
    let digests = [("sh".to_owned(), "0".to_owned())].into();
    let mut plan = plan.with_files(&digests);
    let program_call = plan.cells[0].program.clone().expect("a program");
    plan.cells[0].external = Some("s {cnf}".to_owned());
    plan.cells[0].unknown_exit_codes = vec![2];
    plan.cells[0].answer = Some("last-line".to_owned());
    plan.cells[0].skip = Some("it is not there".to_owned());
    let text =
        InstanceText { n: 4, problem: "queens".to_owned(), path: "i.txt".to_owned(), sha256: String::new() };
    let problem = Problem::queens(BoardSize::new(4).expect("a size"));
    plan.instances = vec![Instance { name: "i".to_owned(), text, problem }];
    let json: Value = serde_json::from_str(&plan.to_json()).expect("JSON");
    let documented = |first: &str| {
        sorted(rows("### `plan.json`", first).iter().flat_map(|row| quoted(row[0])).collect::<Vec<_>>())
    };
    assert_eq!(keys(&json), documented("key"));
    assert_eq!(keys(&json["cells"][0]), documented("key of a cell"));
    let cell_rows = rows("### `plan.json`", "key of a cell");
    let program = cell_rows.iter().find(|row| row[0] == "`program`").expect("a key")[2];
    let named_fields = sorted(quoted(program)).into_iter().filter(|name| !name.contains(['<', '{']));
    assert_eq!(named_fields.collect::<BTreeSet<_>>(), keys(&program_call));
    let names = rows("### `plan.json`", "key").into_iter().find(|row| row[0] == "`names`").expect("a key");
    assert_eq!(sorted(quoted(names[2])), keys(&json["names"]["program/p"]));
    let instances =
        rows("### `plan.json`", "key").into_iter().find(|row| row[0] == "`instances`").expect("a key");
    assert_eq!(sorted(quoted(instances[2])), keys(&json["instances"]["i"]));
    assert_eq!(keys_of("plan", "/properties/instances/additionalProperties"), keys(&json["instances"]["i"]));
    assert_eq!(keys_of("plan", ""), keys(&json));
    assert_eq!(keys_of("plan", "/$defs/cell"), keys(&json["cells"][0]));
    assert_eq!(keys_of("plan", "/$defs/cell/properties/program"), keys(&program_call));
    assert_eq!(keys_of("plan", "/properties/names/additionalProperties"), keys(&json["names"]["program/p"]));
}
