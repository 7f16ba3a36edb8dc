//! Compares docs/FORMATS.md with the code, in both directions: what it documents exists, and what exists is
//! documented.
//!
//! A table of the document is found by its heading and by the first cell of its header, so prose and other
//! tables may surround it. The names that serde accepts are taken from its error messages, which list every
//! field or variant that it knows.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use queenlab::board::notation::{Notation, Writer};
use queenlab::board::problem::Problem;
use queenlab::board::sizes::Sizes;
use queenlab::board::{BoardSize, Placement};
use queenlab::experiment::doctor;
use queenlab::experiment::plan::Plan;
use queenlab::experiment::spec::{Instance, Own, Spec, parse_duration, parse_memory};
use queenlab::record::{
    ClaimRow, CrosscheckRow, Finding, Health, Judgement, LevelRow, Machine, Meta, NodesRow, Row,
    SCHEMA_VERSION, Session, Status, Table, Termination, TimingsRow, Verdict,
};
use queenlab::registry::Registry;
use queenlab::sat::{am1, encoding};
use queenlab::solver::sink::{Collect, Digest, Discard};
use queenlab::solver::{Goal, Outcome, Stat, Task};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::processes::Guard;

/// Read when the tests run, so that a change of the document needs no new build.
static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    std::fs::read_to_string("docs/FORMATS.md").expect("tests run in the package's directory")
});

/// The lines below a heading, up to the next one of the same or a higher level.
fn section(heading: &str) -> Vec<&'static str> {
    let level = |line: &str| line.chars().take_while(|&c| c == '#').count();
    let mut lines = DOCUMENT.lines().skip_while(|line| *line != heading);
    assert!(lines.next().is_some(), "docs/FORMATS.md has no heading '{heading}'");
    let ends = |line: &&str| (1..=level(heading)).contains(&level(line));
    lines.take_while(|line| !ends(line)).collect()
}

/// The rows of all tables of a section whose header begins with `first`; each a list of cells.
fn rows(heading: &str, first: &str) -> Vec<Vec<&'static str>> {
    let mut rows = Vec::new();
    let mut header = "";
    for line in section(heading) {
        let Some(inner) = line.strip_prefix("| ").and_then(|line| line.strip_suffix('|')) else {
            if !line.starts_with('|') {
                header = "";
            }
            continue;
        };
        let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
        if header.is_empty() {
            header = cells[0];
        } else if header == first {
            rows.push(cells);
        }
    }
    assert!(!rows.is_empty(), "'{heading}' has no table of '{first}'");
    rows
}

/// The content of a cell that is nothing but code.
fn code(cell: &str) -> &str {
    let inner = cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`'));
    inner.unwrap_or_else(|| panic!("'{cell}' is not in backticks"))
}

/// The words in backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn names(heading: &str, first: &str) -> Vec<&'static str> {
    rows(heading, first).iter().map(|row| code(row[0])).collect()
}

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = DOCUMENT.lines();
    while let Some(line) = lines.next() {
        if let Some(found) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if found == language {
                blocks.push(block.join("\n") + "\n");
            }
        }
    }
    assert!(!blocks.is_empty(), "docs/FORMATS.md has no block of {language}");
    blocks
}

/// What serde lists behind "expected" when it meets something that it does not know.
fn expected(error: &str) -> Vec<&str> {
    let (_, list) = error.split_once("expected").unwrap_or_else(|| panic!("'{error}' lists nothing"));
    quoted(list)
}

fn sorted<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

fn spec(text: &str) -> Spec {
    Spec::parse("x.toml", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Each table of a spec: its heading, and a spec that ends inside it, without optional keys.
const SPEC_TABLES: [(&str, &str); 6] = [
    ("### Keys at the top", "schema_version = 1\nname = \"x\"\n"),
    ("### `[sweep]`", "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n"),
    (
        "### `[[solver]]`",
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n[[solver]]\nid = \"backtrack/bitmask\"\n",
    ),
    (
        "### `[[program]]`",
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n[[program]]\nid = \"p\"\ncommand = [\"p\"]\n",
    ),
    (
        "### `[[sat]]`",
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n[[solver]]\nid = \"*\"\n[[sat]]\nid = \"s\"\ncommand = \"s {cnf}\"\n",
    ),
    (
        "### `[[claim]]`",
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4-5\"\n[[solver]]\nid = \"*\"\n[[claim]]\nsays = \"x\"\nmeasure = \"time\"\nof = \"a\"\n\
         compared_with = \"b\"\nratio = \"< 1\"\n",
    ),
];

#[test]
fn every_key_of_a_spec_is_documented_and_every_documented_key_is_one() {
    for (heading, text) in SPEC_TABLES {
        if heading == "### `[[solver]]`" {
            // Every other key is an option.
            assert_eq!(names(heading, "key"), [&["id"][..], &Own::KEYS].concat());
            continue;
        }
        let error = Spec::parse("x.toml", &format!("{text}no_such_key = 1\n")).expect_err("unknown key");
        assert_eq!(names(heading, "key"), expected(&error.reason), "{heading}");
    }
}

#[test]
fn every_example_of_a_spec_is_one_and_the_first_has_every_key() {
    let examples = blocks("toml");
    for example in &examples {
        let mut spec = spec(example);
        // The files do not exist.
        spec.sweep.instances.clear();
        let plan = Plan::new(&spec, &Registry::builtin());
        assert!(plan.is_ok_and(|plan| !plan.runs.is_empty()), "{example}");
    }
    let full: toml::Table = examples[0].parse().expect("TOML");
    let table = |name: &str| full[name].as_table().expect("a table").clone();
    let list = |name: &str| {
        let tables = full[name].as_array().expect("a list").iter().filter_map(|table| table.as_table());
        tables.flatten().map(|(key, value)| (key.clone(), value.clone())).collect::<toml::Table>()
    };
    let found = [full.clone(), table("sweep"), list("solver"), list("program"), list("sat")];
    let claim = list("claim");
    assert!(claim.keys().all(|key| names("### `[[claim]]`", "key").contains(&key.as_str())), "{claim:?}");
    for ((heading, _), found) in SPEC_TABLES.iter().zip(&found) {
        // An option of a solver, and a factor of the program.
        let keys = found.keys().map(String::as_str).filter(|key| !["items", "h"].contains(key));
        assert_eq!(sorted(keys), sorted(names(heading, "key")), "{heading}");
    }
}

/// All of a spec but where its lines stand.
fn placeless(text: &str) -> String {
    let mut spec = spec(text);
    spec.solvers.iter_mut().for_each(|solver| solver.place.clear());
    spec.claims.iter_mut().for_each(|claim| claim.place.clear());
    format!("{spec:?}")
}

/// A spec without a key and one that gives the key its documented default are the same.
#[test]
fn the_documented_defaults_are_those_of_the_parser() {
    let mut checked = Vec::new();
    for (heading, text) in SPEC_TABLES {
        let rest = match heading {
            "### Keys at the top" => "[sweep]\nn = \"4\"\n[[solver]]\nid = \"*\"\n",
            "### `[sweep]`" => "[[solver]]\nid = \"*\"\n",
            _ => "",
        };
        let without = placeless(&format!("{text}{rest}"));
        for row in rows(heading, "key") {
            let (key, default) = (code(row[0]), row[2]);
            if default.starts_with('`') {
                let with = placeless(&format!("{text}{key} = {}\n{rest}", code(default)));
                assert_eq!(with, without, "default of {key}");
                checked.push(key);
            } else if default == "required" {
                let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(key)).collect();
                let removed = if key == "sweep" { text.to_owned() } else { lines.join("\n") };
                let rest = if key == "sweep" { "" } else { rest };
                assert!(Spec::parse("x.toml", &format!("{removed}\n{rest}")).is_err(), "{key} is required");
            }
        }
    }
    let given = [
        "question", "expected", "analysis", "goal", "repeat", "warmup", "timeout", "threads", "seed", "jobs",
    ];
    assert_eq!(checked, [&given[..], &["notation", "accept_exit_codes"]].concat());
}

#[test]
fn sizes_durations_and_memory_are_read_as_documented() {
    for row in rows("### SIZES", "text") {
        let sizes: Sizes = code(row[0]).parse().expect("sizes");
        let listed: Vec<String> = sizes.iter().map(|n| n.to_string()).collect();
        assert_eq!(listed.join(", "), row[1], "{}", row[0]);
    }
    let words = |heading| section(heading).into_iter().flat_map(quoted).collect::<Vec<_>>();
    for word in words("### Durations") {
        let text = if word.starts_with(char::is_numeric) { word.to_owned() } else { format!("2{word}") };
        assert!(parse_duration(&text).is_ok(), "{text}");
    }
    for word in words("### Memory") {
        let text = if word.starts_with(char::is_numeric) { word.to_owned() } else { format!("2{word}") };
        assert!(parse_memory(&text).is_ok(), "{text}");
    }
    assert!(parse_duration("10").is_err());
    assert_eq!(["2KiB", "2kB", "512"].map(|text| parse_memory(text).ok()), [2048, 2000, 512].map(Some));
}

#[test]
fn every_goal_is_documented_where_a_spec_chooses_one() {
    let rows = rows("### `[sweep]`", "key");
    let goal = rows.iter().find(|row| row[0] == "`goal`").expect("a goal");
    assert_eq!(quoted(goal[3]), Goal::ALL.map(Goal::name));
}

fn written(notation: Notation, n: usize, boards: &[Placement]) -> String {
    let mut writer = Writer::new(Vec::new(), notation, n).expect("the size fits");
    for board in boards {
        writer.solution(board.columns()).expect("written to memory");
    }
    String::from_utf8(writer.finish().expect("written to memory")).expect("UTF-8")
}

#[test]
fn every_notation_is_documented_with_what_it_prints() {
    let rows = rows("## 3. Notations", "name");
    let documented: Vec<&str> = rows.iter().map(|row| code(row[0])).collect();
    assert_eq!(documented, Notation::ALL.map(Notation::name));
    for (row, notation) in rows.iter().zip(Notation::ALL) {
        let four = written(notation, 4, &solutions(4));
        if row[1].starts_with('`') {
            let example = code(row[1]).replace("<TAB>", "\t");
            assert!(four.lines().any(|line| line == example), "{notation}: {four}");
        }
        assert_eq!(row[2].starts_with("several"), four.contains("\n\n"), "{notation}");
        assert_eq!(row[3] == "yes", notation.is_readable(), "{notation}");
        let empty = written(notation, 0, &solutions(0));
        match row[4] {
            "an empty line" => assert_eq!(empty, "\n", "{notation}"),
            cell if cell.starts_with('`') => assert_eq!(empty, format!("{}\n", code(cell)), "{notation}"),
            _ => assert!(empty.len() > 1, "{notation}"),
        }
    }
}

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

fn solutions(n: usize) -> Vec<Placement> {
    let registry = Registry::builtin();
    let task = Task::new(BoardSize::new(n).expect("a small board"), Goal::Enumerate);
    let mut boards = Collect::default();
    registry.get("backtrack/bitmask").expect("a solver").solve(&task, &mut boards).expect("solved");
    boards.0
}

fn digest(boards: &[Placement]) -> String {
    let mut digest = Digest::default();
    boards.iter().for_each(|board| digest.add(board.columns()));
    digest.to_string()
}

#[test]
fn the_documented_digests_are_those_of_the_code() {
    let four = solutions(4);
    let documented: Vec<&str> =
        rows("## 6. `solutions_digest`", "boards").iter().map(|row| code(row[1])).collect();
    let boards = [&four[..1], &four[1..], &four, &solutions(0), &solutions(3)];
    assert_eq!(documented, boards.map(digest));
    let columns: Vec<String> = four.iter().map(ToString::to_string).collect();
    assert_eq!(names_of_single_boards(), columns);
}

fn names_of_single_boards() -> Vec<&'static str> {
    let rows = rows("## 6. `solutions_digest`", "boards");
    rows.iter().filter(|row| row[0].starts_with('`')).map(|row| code(row[0])).collect()
}

#[test]
fn the_documented_python_computes_the_same_digests() {
    let [program] = &blocks("python")[..] else { panic!("one block of Python") };
    let main = "import sys\nprint(digest([[int(x) for x in line.split()] for line in sys.stdin]))\n";
    for n in [0, 1, 3, 4, 5, 6, 8] {
        let boards = solutions(n);
        let mut command = Command::new("python3");
        command.arg("-c").arg(format!("{program}\n{main}")).stdin(Stdio::piped()).stdout(Stdio::piped());
        if Command::new("python3").arg("--version").output().is_err() {
            println!("skipped: python3 not found; the digests of docs/FORMATS.md are not computed");
            return;
        }
        let mut child = Guard::start(&mut command);
        let text = written(Notation::Columns, n, &boards);
        child.stdin.take().expect("piped").write_all(text.as_bytes()).expect("python3 reads");
        let output = child.output();
        assert!(output.status.success(), "python3 failed");
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), digest(&boards), "n = {n}");
    }
}

#[test]
fn the_documented_formula_is_what_encode_writes() {
    let pairwise = am1::by_name("pairwise").expect("an encoding");
    let formula = |n| {
        let mut text = Vec::new();
        encoding::direct(n, pairwise).write_dimacs(&mut text).expect("written to memory");
        String::from_utf8(text).expect("ASCII")
    };
    assert_eq!(blocks("text"), [formula(2)]);
    let lines = section("## 9. DIMACS of `encode`").join(" ");
    let empty = formula(0);
    assert!(lines.contains(&format!("`{}`", empty.lines().last().expect("a header"))), "{empty}");
}

#[test]
fn the_schema_version_is_the_documented_one() {
    let said = format!("The version is `{SCHEMA_VERSION}`.");
    assert!(section("## 11. `schema_version`").join(" ").contains(&said), "{said}");
}

/// The anchor that GitHub gives to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

#[test]
fn every_link_leads_to_a_heading() {
    let anchors: Vec<String> = DOCUMENT.lines().filter(|line| line.starts_with('#')).map(anchor).collect();
    let links: Vec<&str> = DOCUMENT.split("](#").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() > 10);
    for link in links {
        assert!(anchors.iter().any(|anchor| anchor == link), "#{link} is in no heading");
    }
}

/// The keys of the first object of a list that `verify --json` prints.
fn keys_of_first(arguments: &[&str], list: &str) -> BTreeSet<String> {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_queenlab"))
        .args(arguments)
        .output()
        .expect("it starts");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    found[list][0].as_object().expect("a list of objects").keys().cloned().collect()
}

#[test]
fn every_key_of_mutants_and_levels_is_documented_and_no_other() {
    for (heading, list, option) in
        [("### A mutant", "mutants", "--mutants"), ("### A level", "levels", "--levels")]
    {
        let keys = keys_of_first(&["verify", "2", option, "--json"], list);
        assert_eq!(keys, sorted(names(heading, "key")), "{heading}");
    }
    let checks = queenlab::verify::mutants::Check::ALL.map(|check| check.name());
    let documented = rows("### A mutant", "key").into_iter().find(|row| code(row[0]) == "caught_by");
    assert_eq!(quoted(documented.expect("a row")[2]), checks);
}

/// The lines of a JSON file of shards, a key each.
fn keys_in_order(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("  \""));
    lines.map(|line| line.split('"').next().unwrap_or_default().to_owned()).collect()
}

/// As documented: no white space between keys and values, the digest empty.
fn digest_as_documented(text: &str) -> (String, String) {
    use sha2::{Digest, Sha256};
    let mut told = String::new();
    let lines = text.lines().map(|line| {
        let line = line.trim().replacen("\": ", "\":", 1);
        match line.strip_prefix("\"sha256\":\"") {
            Some(digest) => {
                told = digest.trim_end_matches('"').to_owned();
                "\"sha256\":\"\"".to_owned()
            }
            None => line,
        }
    });
    let compact: String = lines.collect();
    (Sha256::digest(compact.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect(), told)
}

#[test]
fn every_key_of_shards_is_documented_in_its_order_and_digests_are_as_documented() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let shard = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
        let ended = command.current_dir(directory.path()).arg("shard").args(arguments).output();
        assert!(ended.expect("the program starts").status.success(), "{arguments:?}");
    };
    shard(&["plan", "--n", "8", "--task", "enumerate", "--shards", "1", "-o", "plan.json"]);
    shard(&["run", "--plan", "plan.json", "--out", ".", "--index", "0"]);
    shard(&["merge", "--plan", "plan.json", "--out", "."]);
    std::fs::write(
        directory.path().join("spec.toml"),
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n[[solver]]\nid = \"backtrack/bitmask\"\n",
    )
    .expect("a writable directory");
    let mut keys = BTreeSet::new();
    for options in
        [&["--n", "8", "--task", "enumerate"][..], &["--n", "8"], &["--task", "sweep", "--spec", "spec.toml"]]
    {
        shard(&[&["plan", "-o", "job.json"], options].concat());
        let text = std::fs::read(directory.path().join("job.json")).expect("a plan");
        let plan: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        keys.extend(plan["job"].as_object().expect("an object").keys().cloned());
    }
    assert_eq!(keys, sorted(names("### The job of a plan", "key")));
    for (file, heading) in [
        ("plan.json", "### A plan"),
        ("shard-0.json", "### A shard's result"),
        ("merged.json", "### `merged.json`"),
    ] {
        let text = std::fs::read_to_string(directory.path().join(file)).expect(file);
        assert_eq!(names(heading, "key"), keys_in_order(&text), "{file}");
        if file != "merged.json" {
            let (expected, told) = digest_as_documented(&text);
            assert_eq!(told, expected, "{file}");
        }
    }
}

/// docs/TRUST.md names the test behind each promise.
#[test]
fn every_test_that_a_promise_names_is_there() {
    let page = std::fs::read_to_string("docs/TRUST.md").expect("the page");
    let mut named = 0;
    for name in page.split('`').skip(1).step_by(2).filter(|name| name.contains("::")) {
        let (file, test) = name.rsplit_once("::").expect("just seen");
        let file = if file.contains('/') { file.to_owned() } else { format!("tests/attacks/{file}.rs") };
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(text.contains(&format!("fn {test}()")), "{file} has no test {test}");
        named += 1;
    }
    assert!(named > 30, "{named} tests are named");
}
