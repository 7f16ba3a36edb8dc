//! `solve --lex --proof`: a proof that a solution is the lexicographically first one, and its audit.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::harness::run;

struct Proved {
    _directory: TempDir,
    proof: PathBuf,
    /// What `solve` printed.
    solution: String,
    note: String,
}

impl Proved {
    fn new(problem: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let proof = directory.path().join("first.lrat");
        let to = ["--lex", "--proof", proof.to_str().expect("UTF-8")];
        let (code, solution, note) = run(&[&["solve"], problem, &to].concat());
        assert_eq!(code, 0, "{problem:?}: {note}");
        Self { _directory: directory, proof, solution, note }
    }

    fn file(&self, extension: &str) -> String {
        self.proof.with_extension(extension).display().to_string()
    }

    fn audit(&self) -> (i32, String, String) {
        run(&["certify", "--audit", &self.file("json")])
    }
}

#[test]
fn the_first_solution_of_any_problem_is_proved_and_audited() {
    let puzzle = ["--variant", "toroidal", "--forbid", "0:0"];
    for problem in [&["0"][..], &["1"], &["8"], &["13"], &[&["7"][..], &puzzle].concat()] {
        let proved = Proved::new(problem);
        assert!(proved.note.contains("this solution is the first, proved: "), "{}", proved.note);
        let (code, stdout, stderr) = proved.audit();
        assert_eq!((code, stderr.as_str()), (0, ""), "{problem:?}");
        let claim = format!("the lexicographically first solution is {}", proved.solution);
        assert!(stdout.contains(&claim), "{stdout}");
        let (code, verdict, _) = run(&["proof-check", &proved.file("cnf"), &proved.file("lrat")]);
        assert_eq!((code, verdict.as_str()), (0, "s VERIFIED\n"), "{problem:?}");
    }
}

#[test]
fn a_problem_without_solutions_is_proved_to_have_none() {
    let proved = Proved::new(&["3"]);
    assert!(
        proved.solution.is_empty() && proved.note.contains("there is no solution, proved"),
        "{}",
        proved.note
    );
    let (code, stdout, _) = proved.audit();
    assert!(code == 0 && stdout.contains("valid: n=3: exactly 0 solutions"), "{stdout}");
}

/// 5 queens: the clauses that begin with line 138 exclude the boards after 0 2 4 1 3.
#[test]
fn a_changed_claim_or_formula_is_not_valid() {
    let proved = Proved::new(&["5"]);
    let text = fs::read_to_string(proved.file("json")).expect("readable");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["first"], serde_json::json!([0, 2, 4, 1, 3]));
    for (first, code, message) in [
        (serde_json::json!([0, 3, 1, 4, 2]), 3, "it does not say that row 2 has no queen to the right"),
        (serde_json::json!([0, 2, 4, 1]), 2, "first is not one column of the board for each row"),
        (serde_json::json!([0, 2, 4, 1, 5]), 2, "first is not one column of the board for each row"),
        (serde_json::Value::Null, 3, "clause "),
    ] {
        let mut changed = json.clone();
        changed["first"] = first;
        fs::write(proved.file("json"), changed.to_string()).expect("writable");
        let (found, _, stderr) = proved.audit();
        assert!(found == code && stderr.contains(message), "{stderr}");
    }
}

#[test]
fn a_proof_that_cannot_be_written_is_refused_before_the_search() {
    let (code, stdout, stderr) = run(&["solve", "12", "--lex", "--proof", "p.json"]);
    assert!(code == 2 && stdout.is_empty() && stderr.contains("choose a name for the proof"), "{stderr}");
    let large = ["solve", "65", "--lex", "--solver", "sat/product/varisat", "--proof", "p.lrat"];
    let (code, _, stderr) = run(&large);
    assert!(code == 2 && stderr.contains("n = 65 exceeds 64, the largest board for proofs"), "{stderr}");
    let (code, _, stderr) = run(&["solve", "12", "--proof", "p.lrat"]);
    assert!(code == 2 && stderr.contains("--lex"), "{stderr}");
}

#[test]
#[ignore = "long: the refutations of all smaller prefixes of 24 queens"]
fn the_first_solution_of_24_queens_is_proved() {
    let proved = Proved::new(&["24"]);
    let (code, stdout, stderr) = proved.audit();
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
}
