//! Digests and JSON output.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use queenlab::board::{BoardSize, Placement};
use queenlab::judge::notation::Notation;
use queenlab::registry::Registry;
use queenlab::solver::sink::{Digest, First};
use queenlab::solver::{Goal, Task};

use super::{blocks, code, names, quoted, rows, section, solutions, sorted, written_text};
use crate::harness::run;
use crate::processes::Guard;

fn digest(boards: &[Placement]) -> String {
    let mut digest = Digest::default();
    boards.iter().for_each(|board| digest.add(board.columns()));
    digest.to_string()
}

#[test]
fn documented_digests_match_the_code() {
    let solutions_of_4 = solutions(4);
    let documented: Vec<&str> = rows("## 6. The digest", "boards").iter().map(|row| code(row[1])).collect();
    let boards = [&solutions_of_4[..1], &solutions_of_4[1..], &solutions_of_4, &solutions(0), &solutions(3)];
    assert_eq!(documented, boards.map(digest));
    let columns: Vec<String> = solutions_of_4.iter().map(ToString::to_string).collect();
    assert_eq!(names_of_single_boards(), columns);
}

fn names_of_single_boards() -> Vec<&'static str> {
    let rows = rows("## 6. The digest", "boards");
    rows.iter().filter(|row| row[0].starts_with('`')).map(|row| code(row[0])).collect()
}

#[test]
fn documented_python_computes_the_same_digests() {
    let [program] = &blocks("python")[..] else { panic!("one block of Python") };
    let main_code = "import sys\nprint(digest([[int(x) for x in line.split()] for line in sys.stdin]))\n";
    let small_boards =
        [0, 1, 6, 8].map(|n| (written_text(Notation::Columns, n, &solutions(n)), digest(&solutions(n))));
    // On boards above 1024, each word of the hashed data contains two columns.
    let large_boards = [1025, 100_000].map(|n| {
        let columns = large_solution(n);
        let mut digest = Digest::default();
        digest.add(&columns);
        (columns.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "), digest.to_string())
    });
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: python3 not found; the digests of docs/FORMATS.md are not computed");
        return;
    }
    for (text, expected) in small_boards.into_iter().chain(large_boards) {
        let mut command = Command::new("python3");
        command.arg("-c").arg(format!("{program}\n{main_code}")).stdin(Stdio::piped()).stdout(Stdio::piped());
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
    let mut board = First::default();
    let registry = Registry::builtin();
    let pauls = registry.get("construct/pauls").expect("a solver");
    pauls.solve(&task, &mut board).expect("within its sizes and goals");
    board.0.expect("a solution").columns().to_vec()
}

/// The keys of the first object of this list in the output of a command.
fn keys_of_first(arguments: &[&str], list: &str) -> BTreeSet<String> {
    let answer: serde_json::Value = serde_json::from_str(&run(arguments).1).expect("JSON");
    answer[list][0].as_object().expect("a list of objects").keys().cloned().collect()
}

#[test]
fn every_line_of_a_shard_file_is_documented() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.current_dir(directory.path()).args(["count", "14", "--shard", "2/3", "--out", "."]);
    assert!(command.status().expect("the program starts").success());
    let text = std::fs::read_to_string(directory.path().join("n14-shard-2-of-3.count")).expect("a result");
    let keys = text.lines().skip(1).filter_map(|line| Some(line.split_once('=')?.0.to_owned()));
    assert_eq!(names("### A shard's result", "key"), keys.collect::<Vec<_>>(), "{text}");
}

#[test]
fn documented_keys_of_json_levels_match_the_output() {
    let sections = section("## 10. JSON").join(" ");
    let (_, levels) = sections.split_once("`levels`,").expect("a list");
    let levels = levels.split_once("###").map_or(levels, |(levels, _)| levels);
    let levels = levels.split('.').next().expect("a sentence");
    assert_eq!(keys_of_first(&["verify", "2", "--levels", "--json"], "levels"), sorted(quoted(levels)));
}
