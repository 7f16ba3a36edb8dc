//! The JSON schemas of docs/schemas, by which editors complete and check experiments.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::{Value, json};

use super::specs::SPEC_TABLES;
use super::{blocks, code, names, rows, sorted};

fn schema(name: &str) -> Value {
    let path = format!("docs/schemas/{name}.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("a schema")).expect("JSON")
}

/// The keys that an object of a schema may have.
pub(super) fn keys_of(name: &str, pointer: &str) -> BTreeSet<String> {
    let schema = schema(name);
    let properties = schema.pointer(&format!("{pointer}/properties")).and_then(Value::as_object);
    properties.expect("keys").keys().cloned().collect()
}

fn validator(schema: &Value) -> Validator {
    jsonschema::validator_for(schema).expect("a schema")
}

/// The files in `experiments` with this ending, including those of recorded results.
fn files(ending: &str) -> Vec<PathBuf> {
    fn collect(folder: &Path, ending: &str, files: &mut Vec<PathBuf>) {
        for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                collect(&path, ending, files);
            } else if path.to_string_lossy().ends_with(ending) && !path.ends_with("Cargo.toml") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    collect(Path::new("experiments"), ending, &mut files);
    files
}

fn value(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("readable");
    match path.extension().is_some_and(|extension| extension == "toml") {
        true => toml::from_str(&text).expect("TOML"),
        false => serde_json::from_str(&text).expect("JSON"),
    }
}

fn assert_valid(validator: &Validator, value: &Value, at: &str) {
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{at}: {}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
}

/// The table with this heading in the document: its name, and its part of the schema of experiments.
fn table_of<'s>(schema: &'s Value, heading: &'static str) -> (&'static str, &'s Value) {
    let name = heading.trim_matches(|c: char| !c.is_ascii_alphabetic());
    (name, if name == "Keys at the top" { schema } else { &schema["$defs"][name] })
}

#[test]
fn schema_of_experiments_has_the_documented_keys() {
    let schema = schema("experiment");
    for (heading, _) in SPEC_TABLES {
        let (name, table) = table_of(&schema, heading);
        let keys = sorted(table["properties"].as_object().expect("keys").keys().map(String::as_str));
        let mut documented = sorted(names(heading, "key"));
        if name == "program" {
            documented.extend(queenlab::spec::Settings::SOLVER_KEYS.map(str::to_owned));
        }
        assert_eq!(keys, documented, "{heading}");
    }
}

/// Replaces each link in a cell of the document by its text.
fn without_links(cell: &str) -> String {
    let mut text = cell.to_owned();
    while let Some(end) = text.find("](") {
        let start = text[..end].rfind('[').expect("the start of a link");
        let target = end + text[end..].find(')').expect("the end of a link");
        text = [&text[..start], &text[start + 1..end], &text[target + 1..]].concat();
    }
    text
}

/// A description is the meaning of the key in the document, with its default.
#[test]
fn schema_descriptions_match_the_documentation() {
    let schema = schema("experiment");
    for (heading, _) in SPEC_TABLES {
        let (_, table) = table_of(&schema, heading);
        for row in rows(heading, "key") {
            let (key, default, meaning) = (code(row[0]), row[2], row[3]);
            let has_default = default != "none" && !default.starts_with("required");
            let default = if has_default { format!(". Default: {default}") } else { String::new() };
            let expected = without_links(&format!("{meaning}{default}"));
            assert_eq!(table["properties"][key]["description"], expected, "{heading}: {key}");
        }
    }
}

#[test]
fn experiments_and_recorded_results_match_their_schemas() {
    for (name, ending, minimum) in
        [("experiment", ".toml", 50), ("plan", "plan.json", 30), ("meta", "meta.json", 30)]
    {
        let validator = validator(&schema(name));
        let files = files(ending);
        assert!(files.len() >= minimum, "{ending}: {} files", files.len());
        for path in files {
            assert_valid(&validator, &value(&path), &plaintext::path(&path).to_string());
        }
    }
    for example in blocks("toml") {
        let example: Value = toml::from_str(&example).expect("TOML");
        assert_valid(&validator(&schema("experiment")), &example, "docs/FORMATS.md");
    }
}

#[test]
fn wrong_keys_and_types_do_not_match_schema() {
    let experiment = validator(&schema("experiment"));
    let with_entry = |table: &str, key: &str, entry: Value| {
        let mut value = json!({
            "schema_version": 1, "name": "x", "sweep": {"n": "4"},
            "solver": [{"id": "*"}], "program": [{"id": "p", "command": ["p", "{n}"]}],
            "claim": [{"says": "s", "measure": "time", "of": "x"}]
        });
        let place = match table {
            "" => &mut value,
            "sweep" => &mut value[table],
            _ => &mut value[table][0],
        };
        place[key] = entry;
        experiment.is_valid(&value)
    };
    assert!(
        with_entry("", "question", json!("why?")) && with_entry("program", "heuristic", json!(["a", "b"]))
    );
    assert!(with_entry("solver", "rows", json!("smallest")) && with_entry("sweep", "seed", json!([1, 2])));
    let wrong_entries = [
        ("", "questions", json!("why?")),
        ("", "schema_version", json!(2)),
        ("", "name", json!("a/b")),
        ("sweep", "timeouts", json!("1s")),
        ("sweep", "timeout", json!(1)),
        ("sweep", "n", json!({"all": "4"})),
        ("solver", "id", json!(1)),
        ("program", "accept_exit_codes", json!([256])),
        ("program", "command", json!("p {n}")),
        ("claim", "ratios", json!("< 1")),
        ("claim", "most", json!(1.5)),
    ];
    for (table, key, entry) in wrong_entries {
        assert!(!with_entry(table, key, entry.clone()), "[{table}] {key} = {entry}");
    }
    for name in ["plan", "meta"] {
        let path = files(&format!("{name}.json")).remove(0);
        let mut value = value(&path);
        value["no_such_key"] = json!(1);
        assert!(!validator(&schema(name)).is_valid(&value), "{name}");
    }
}
