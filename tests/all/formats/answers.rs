//! Digests, formulas, JSON output and the files of shards.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use queenlab::board::{BoardSize, Placement};
use queenlab::judge::notation::Notation;
use queenlab::registry::Registry;
use queenlab::sat::{am1, encoding};
use queenlab::solver::sink::{Digest, FirstOfAnySize};
use queenlab::solver::{Goal, Task};

use super::{blocks, code, names, quoted, rows, section, solutions, sorted, written};
use crate::processes::Guard;

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
    let small = [0, 1, 6, 8].map(|n| (written(Notation::Columns, n, &solutions(n)), digest(&solutions(n))));
    // Above 1024, a word has two columns.
    let large = [1025, 100_000].map(|n| {
        let columns = large_solution(n);
        let mut digest = Digest::default();
        digest.add(&columns);
        (columns.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "), digest.to_string())
    });
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: python3 not found; the digests of docs/FORMATS.md are not computed");
        return;
    }
    for (text, expected) in small.into_iter().chain(large) {
        let mut command = Command::new("python3");
        command.arg("-c").arg(format!("{program}\n{main}")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = Guard::start(&mut command);
        child.stdin.take().expect("piped").write_all(text.as_bytes()).expect("python3 reads");
        let output = child.output();
        assert!(output.status.success(), "python3 failed");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout).trim(),
            expected,
            "{}",
            &text[..text.len().min(100)]
        );
    }
}

/// A solution of a board above 1024.
fn large_solution(n: usize) -> Vec<u32> {
    let task = Task::new(BoardSize::large(n).expect("a size"), Goal::First);
    let mut found = FirstOfAnySize::default();
    let registry = Registry::builtin();
    let pauls = registry.get("construct/pauls").expect("a solver");
    pauls.solve(&task, &mut found).expect("within its sizes and goals");
    found.0.expect("a solution")
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
    for options in [
        &["--n", "8", "--task", "enumerate"][..],
        &["--n", "8"],
        &["--n", "8", "--task", "lex"],
        &["--n", "14", "--task", "sample", "--sample", "9"],
        &["--task", "sweep", "--spec", "spec.toml"],
    ] {
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
