//! Specs, notations and the words of goals.

use queenlab::board::sizes::Sizes;
use queenlab::experiment::plan::Plan;
use queenlab::experiment::spec::{Own, Spec, parse_duration, parse_memory};
use queenlab::judge::notation::Notation;
use queenlab::registry::Registry;
use queenlab::solver::Goal;

use super::{blocks, code, names, quoted, rows, section, solutions, sorted, spec, written};

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
        let (_, keys) = error.reason.split_once("the keys here are ").expect("a list of keys");
        let keys = keys.split(", and ").next().unwrap_or_default();
        assert_eq!(names(heading, "key"), keys.split(", ").collect::<Vec<_>>(), "{heading}");
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
