//! Decides whether results can be resumed: compares the recorded experiment and executable with the current ones. `runlab` compares
//! the machines.

use std::collections::BTreeMap;
use std::fmt;

use runlab::program;
use toml::{Table, Value};

use crate::record::{InstanceText, Meta};

/// The keys that may change between sessions, because they do not affect any run.
const DESCRIPTIVE_KEYS: [&str; 6] = ["name", "question", "expected", "analysis", "headline", "claim"];

/// The keys of solvers and programs that may change between sessions, because they do not affect any run.
const DESCRIPTIVE_SOLVER_KEYS: [&str; 4] = ["idea", "label", "group", "install"];

/// A difference between the results in a directory and the current sweep, which prevents resuming.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResumeDifference {
    /// A key of the experiment, the shard, the executable or a property of the machine, with the recorded and the current value.
    Value(String, String, String),
    /// A file whose content has changed.
    File(String),
    /// A property that is unknown, because a file of the result directory does not exist. The fields are the property and the
    /// file.
    Unknown(&'static str, &'static str),
}

/// The difference in one line, for the message that refuses to resume.
impl fmt::Display for ResumeDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(what, then, now) => write!(f, "{what}: {then}, now {now}"),
            Self::File(file) => write!(f, "{file}: its content has changed"),
            Self::Unknown(what, file) => write!(f, "{what}: unknown, because {file} does not exist"),
        }
    }
}

impl ResumeDifference {
    /// The text of the difference within a warning, such as `another sweep.repeat (2, now 3)`.
    pub fn warning_text(&self) -> String {
        match self {
            Self::Value(what, then, now) => format!("another {what} ({then}, now {now})"),
            Self::File(file) => format!("a changed {file}"),
            Self::Unknown(what, file) => format!("an unknown {what} ({file} does not exist)"),
        }
    }
}

/// Every difference that prevents resuming. `old_spec` and `new_spec` are experiments as
/// [`Spec::to_toml`](crate::spec::Spec::to_toml) prints them.
pub fn differences(old: &Meta, new: &Meta, old_spec: &str, new_spec: &str) -> Vec<ResumeDifference> {
    let mut result = changed_keys(old_spec, new_spec);
    let mut push_if_different = |what: &str, old: &str, new: &str| {
        if old != new {
            result.push(ResumeDifference::Value(what.to_owned(), old.to_owned(), new.to_owned()));
        }
    };
    let shortened_digest = |digest: &str| digest.get(..12).unwrap_or(digest).to_owned();
    let shard_text = |shard: &Option<String>| shard.clone().unwrap_or_else(|| "none".to_owned());
    push_if_different("shard", &shard_text(&old.shard), &shard_text(&new.shard));
    push_if_different(
        "executable",
        &shortened_digest(&old.executable_sha256),
        &shortened_digest(&new.executable_sha256),
    );
    let machine_differences = new.machine.differences(&old.machine);
    machine_differences
        .iter()
        .for_each(|differing| push_if_different(differing.property, &differing.before, &differing.now));
    result.extend(changed_files(&old.files, &new.files));
    result
}

/// The instances with the same name and different contents.
pub fn changed_instances(
    old: &BTreeMap<String, InstanceText>,
    new: &BTreeMap<String, InstanceText>,
) -> Vec<ResumeDifference> {
    let contents = |instances: &BTreeMap<String, InstanceText>| {
        let content = |(name, instance): (&String, &InstanceText)| {
            (format!("instance {name}"), instance.sha256.clone())
        };
        instances.iter().map(content).collect()
    };
    changed_files(&contents(old), &contents(new))
}

/// The files with the same name and different contents.
pub fn changed_files(
    old: &BTreeMap<String, String>,
    new: &BTreeMap<String, String>,
) -> Vec<ResumeDifference> {
    program::changed(old, new).into_iter().map(|file| ResumeDifference::File(file.to_string())).collect()
}

/// The keys whose values differ between two experiments.
fn changed_keys(old: &str, new: &str) -> Vec<ResumeDifference> {
    let keys = |text: &str| {
        let mut table: Table = text.parse().unwrap_or_default();
        DESCRIPTIVE_KEYS.iter().for_each(|key| drop(table.remove(*key)));
        for solvers in ["solver", "program", "sat", "counter"] {
            let solvers = table.get_mut(solvers).and_then(Value::as_array_mut).into_iter().flatten();
            for solver in solvers.filter_map(Value::as_table_mut) {
                DESCRIPTIVE_SOLVER_KEYS.iter().for_each(|key| drop(solver.remove(*key)));
            }
        }
        let mut keys = BTreeMap::new();
        flatten("", &Value::Table(table), &mut keys);
        keys
    };
    let (old, new) = (keys(old), keys(new));
    let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
    let value = |keys: &BTreeMap<String, String>, name: &str| {
        keys.get(name).cloned().unwrap_or_else(|| "not given".to_owned())
    };
    let values = names.map(|name| (name, value(&old, name), value(&new, name)));
    let changed_values = values.filter(|(_, old, new)| old != new);
    changed_values.map(|(name, old, new)| ResumeDifference::Value(name.clone(), old, new)).collect()
}

/// Collects the values of a document by their paths. The path of a table in a list contains its number and its `id`. The number
/// matters, because the shards of a sweep depend on the order of the tables.
fn flatten(path: &str, value: &Value, keys: &mut BTreeMap<String, String>) {
    let path_of_key = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Table(table) => {
            table.iter().for_each(|(name, value)| flatten(&path_of_key(name), value, keys))
        }
        Value::Array(list) if list.iter().any(Value::is_table) => {
            for (at, table) in (1..).zip(list) {
                let id = table.get("id").and_then(Value::as_str).unwrap_or_default();
                flatten(&format!("{path} {at} '{id}'"), table, keys);
            }
        }
        Value::String(text) => drop(keys.insert(path.to_owned(), text.clone())),
        other => drop(keys.insert(path.to_owned(), other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_with_changed_values_are_differences() {
        let spec =
            |keys: &str| format!("name = \"x\"\nquestion = \"{}\"\n[sweep]\nn = \"4-6\"\n{keys}", keys.len());
        let differences_of = |old: &str, new: &str| {
            let differences = changed_keys(&spec(old), &spec(new));
            differences.iter().map(ResumeDifference::warning_text).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(differences_of("", "[[claim]]\nsays = \"y\""), "");
        let timeout = "another sweep.timeout (30s, now 10s)";
        assert_eq!(differences_of("timeout = \"30s\"", "timeout = \"10s\""), timeout);
        let names = |difference: String, names: &[&str]| {
            assert_eq!(difference.matches("another ").count(), names.len(), "{difference}");
            assert!(
                names.iter().all(|name| difference.contains(&format!("another {name} "))),
                "{difference}"
            );
            wording::assert_wording!("resume", &names.join(", "), difference);
        };
        names(differences_of("", "repeat = 5"), &["sweep.repeat"]);
        let solver = |more: &str| format!("[[solver]]\nid = \"a/b\"\n{more}");
        names(differences_of(&solver(""), &solver("threads = [1, 2]")), &["solver 1 'a/b'.threads"]);
        names(differences_of("", &solver("")), &["solver 1 'a/b'.id"]);
        let texts = "label = \"L\"\ngroup = \"G\"\n";
        let program = "[[program]]\nid = \"p\"\ncommand = [\"p\"]\ninstall = \"apt install p\"\n";
        assert_eq!(differences_of(&solver(""), &solver(texts)), "");
        assert_eq!(differences_of(&solver("idea = \"a\"\n"), &solver("idea = \"b\"\n")), "");
        assert_eq!(differences_of(&format!("{program}{texts}"), &program.replace("apt install p", "p")), "");
        // The shards of a sweep depend on the order of the solvers.
        let second_solver = "[[solver]]\nid = \"c\"\n";
        let [ab, ba] = [solver("") + second_solver, second_solver.to_owned() + &solver("")];
        let expected_names = ["solver 1 'a/b'.id", "solver 2 'c'.id", "solver 1 'c'.id", "solver 2 'a/b'.id"];
        names(differences_of(&ab, &ba), &expected_names);
    }
}
