//! Experiment files, notations, and the names of goals.

use std::collections::BTreeSet;

use queenlab::board::sizes::Sizes;
use queenlab::experiment::plan::Plan;
use queenlab::judge::notation::Notation;
use queenlab::registry::Registry;
use queenlab::solver::Goal;
use queenlab::spec::CpuList;
use queenlab::spec::{Memory, Settings, Spec, parse_duration};

use super::{blocks, code, names, quoted, rows, section, solutions, sorted, spec, written_text};

/// Each table of an experiment file: its heading, and an experiment that ends inside this table and has no optional key.
pub(super) const SPEC_TABLES: [(&str, &str); 6] = [
    ("### Keys at the top", "schema_version = 1\nname = \"x\"\n"),
    ("### `[sweep]`", "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n"),
    (
        "### `[[program]]`",
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n[[program]]\nid = \"p\"\ncommand = [\"p\"]\n",
    ),
    (
        "### `[[sat]]`",
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n[[solver]]\nid = \"*\"\n[[sat]]\nid = \"s\"\ncommand = \"s {cnf}\"\n",
    ),
    (
        "### `[[counter]]`",
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n[[solver]]\nid = \"*\"\n[[counter]]\nid = \"s\"\ncommand = \"s {cnf}\"\n",
    ),
    (
        "### `[[claim]]`",
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4-5\"\n[[solver]]\nid = \"*\"\n[[claim]]\nsays = \"x\"\nmeasure = \"time\"\nof = \"a\"\n\
         compared_with = \"b\"\nratio = \"< 1\"\n",
    ),
];

#[test]
fn documented_keys_of_experiments_match_the_parser() {
    // The settings of solvers and programs are documented with the solver.
    let solver_keys: BTreeSet<String> = sorted(section("### `[[solver]]`").into_iter().flat_map(quoted));
    for (heading, text) in SPEC_TABLES {
        let error = Spec::parse("x.toml", &format!("{text}no_such_key = 1\n")).expect_err("unknown key");
        let (_, list) = error.reason.split_once("keys here are ").expect("a list of keys");
        let keys = list.split("; ").next().unwrap_or_default().split(", ");
        let is_program = heading == "### `[[program]]`";
        let (settings, keys): (Vec<&str>, Vec<&str>) = keys.partition(|key| {
            is_program && solver_keys.contains(*key) && !names(heading, "key").contains(key)
        });
        assert_eq!(names(heading, "key"), keys, "{heading}");
        assert_eq!(settings.len(), if is_program { 7 } else { 0 }, "{settings:?}");
    }
}

#[test]
fn documented_experiment_is_valid_and_has_every_key() {
    let [example] = &blocks("toml")[..] else { panic!("one block of TOML") };
    let mut full_spec = spec(example);
    // The files that the example names do not exist.
    full_spec.sweep.instances = None;
    let plan = Plan::new(full_spec, &Registry::builtin());
    assert!(plan.is_ok_and(|plan| !plan.runs.is_empty()), "{example}");
    let full_table: toml::Table = example.parse().expect("TOML");
    let list = |name: &str| {
        let tables = full_table[name].as_array().expect("a list").iter().filter_map(|table| table.as_table());
        tables.flatten().map(|(key, value)| (key.clone(), value.clone())).collect::<toml::Table>()
    };
    let sweep = full_table["sweep"].as_table().expect("a table").clone();
    let keys_in_example =
        [full_table.clone(), sweep, list("program"), list("sat"), list("counter"), list("claim")];
    for ((heading, _), keys_in_example) in SPEC_TABLES.iter().zip(&keys_in_example) {
        let (documented, keys_in_example) =
            (sorted(names(heading, "key")), sorted(keys_in_example.keys().map(String::as_str)));
        let has_alternative_keys = heading.contains("claim");
        // The example also sets `h`, a factor of the program, and `seed`, a setting of the program.
        let is_undocumented =
            |key: &String| !documented.contains(key) && !["h", "seed"].contains(&key.as_str());
        assert!(!keys_in_example.iter().any(is_undocumented), "{heading}: {keys_in_example:?}");
        assert!(
            has_alternative_keys || documented.is_subset(&keys_in_example),
            "{heading}: {keys_in_example:?}"
        );
    }
}

/// Describes the sweep that results from these settings.
fn effect(settings: &Settings) -> String {
    let s = settings;
    let ([goals, repeats], [threads, seeds]) = (
        [s.goals().to_string(), s.repeats().to_string()],
        [s.thread_counts().to_string(), s.seeds().to_string()],
    );
    format!("{goals} {repeats} {} {:?} {threads} {seeds} {}", s.warmups(), s.time_limit(), s.parallel_runs())
}

#[test]
fn documented_defaults_of_a_sweep_match_the_code() {
    let mut checked_count = 0;
    let default_effect = effect(&Settings::default());
    for row in rows("### `[sweep]`", "key").into_iter().filter(|row| row[2].starts_with('`')) {
        let key = format!("{} = {}", code(row[0]), code(row[2]));
        let spec_with_key = spec(&format!("{}{key}\n[[solver]]\nid = \"*\"\n", SPEC_TABLES[1].1));
        assert_eq!(effect(&spec_with_key.sweep), default_effect, "{}", row[0]);
        checked_count += 1;
    }
    assert_eq!(checked_count, 7);
}

/// An experiment without a key must equal one that sets the key to its documented default.
#[test]
fn documented_defaults_match_the_parser() {
    let mut checked_keys = Vec::new();
    for (heading, text) in SPEC_TABLES {
        let other_tables = match heading {
            "### Keys at the top" => "[sweep]\nn = \"4\"\n[[solver]]\nid = \"*\"\n",
            "### `[sweep]`" => "[[solver]]\nid = \"*\"\n",
            _ => "",
        };
        let spec_without_key = spec(&format!("{text}{other_tables}"));
        for row in rows(heading, "key") {
            let (key, default) = (code(row[0]), row[2]);
            if default.starts_with('`') && heading != "### `[sweep]`" {
                let spec_with_default = spec(&format!("{text}{key} = {}\n{other_tables}", code(default)));
                assert_eq!(spec_with_default, spec_without_key, "default of {key}");
                checked_keys.push(key);
            } else if default == "required" {
                let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(key)).collect();
                let text_without_key = if key == "sweep" { text.to_owned() } else { lines.join("\n") };
                let other_tables = if key == "sweep" { "" } else { other_tables };
                assert!(
                    Spec::parse("x.toml", &format!("{text_without_key}\n{other_tables}")).is_err(),
                    "{key} is required"
                );
            }
        }
    }
    assert_eq!(checked_keys, ["question", "expected", "analysis", "notation", "projects"]);
}

#[test]
fn sizes_durations_and_memory_are_read_as_documented() {
    for row in rows("### SIZES", "text") {
        let sizes: Sizes = code(row[0]).parse().expect("sizes");
        let listed_sizes: Vec<String> = sizes.iter().map(|n| n.to_string()).collect();
        assert_eq!(listed_sizes.join(", "), row[1], "{}", row[0]);
    }
    let section = section("### Durations, memory, CPUS").join(" ");
    let (durations, others) = section.split_once("Memory is").expect("two sentences");
    let (memory, cpus) = others.split_once("CPUS is").expect("two sentences");
    // Units that are documented without a number get one.
    let with_number =
        |word: &str| if word.starts_with(char::is_numeric) { word.to_owned() } else { format!("2{word}") };
    for word in quoted(durations).into_iter().map(with_number) {
        assert!(parse_duration(&word).is_ok(), "{word}");
    }
    for word in quoted(memory).into_iter().map(with_number) {
        assert!(word.parse::<Memory>().is_ok(), "{word}");
    }
    for word in quoted(cpus) {
        assert!(word.parse::<CpuList>().is_ok(), "{word}");
    }
    assert!(parse_duration("10").is_err());
    let bytes = |text: &str| text.parse::<Memory>().ok().map(|memory| memory.0);
    assert_eq!(["2KiB", "2kB", "512"].map(bytes), [2048, 2000, 512].map(Some));
}

#[test]
fn documented_goals_match_the_code() {
    let rows = rows("### `[sweep]`", "key");
    let goal = rows.iter().find(|row| row[0] == "`goal`").expect("a goal");
    assert_eq!(quoted(goal[3]), Goal::ALL.map(Goal::name));
}

#[test]
fn documented_notations_match_the_printed_boards() {
    let rows = rows("## 3. Notations", "name");
    let documented: Vec<&str> = rows.iter().map(|row| code(row[0])).collect();
    assert_eq!(documented, Notation::ALL.map(Notation::name));
    for (row, notation) in rows.iter().zip(Notation::ALL) {
        let text_of_4 = written_text(notation, 4, &solutions(4));
        if row[1].starts_with('`') {
            let example = code(row[1]).replace("<TAB>", "\t");
            assert!(text_of_4.lines().any(|line| line == example), "{notation}: {text_of_4}");
        }
        assert_eq!(row[2].starts_with("several"), text_of_4.contains("\n\n"), "{notation}");
        assert_eq!(row[3] == "yes", notation.is_readable(), "{notation}");
        let text_of_empty_board = written_text(notation, 0, &solutions(0));
        match row[4] {
            "an empty line" => assert_eq!(text_of_empty_board, "\n", "{notation}"),
            cell if cell.starts_with('`') => {
                assert_eq!(text_of_empty_board, format!("{}\n", code(cell)), "{notation}")
            }
            _ => assert!(text_of_empty_board.len() > 1, "{notation}"),
        }
    }
}
