//! `certify --audit`: a stored certificate is judged, and each fault in it is found.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::harness::run;

struct Stored {
    _directory: TempDir,
    json: PathBuf,
}

impl Stored {
    fn new(n: usize, options: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        // A blank in the path: no shell is in between.
        let proof = directory.path().join("six queens.lrat");
        let n = n.to_string();
        let arguments =
            [&["certify", &n, "--quiet", "--proof", proof.to_str().expect("UTF-8")], options].concat();
        assert_eq!(run(&arguments).0, 0, "{options:?}");
        Self { json: proof.with_extension("json"), _directory: directory }
    }

    fn audit(&self) -> (i32, String, String) {
        run(&["certify", "--audit", self.json.to_str().expect("UTF-8")])
    }

    /// Exit code 3, and what is wrong.
    fn wrong(&self) -> String {
        let (code, stdout, stderr) = self.audit();
        assert_eq!((code, stdout.as_str()), (3, ""), "{stderr}");
        stderr.split_once("not valid: ").expect("what is wrong").1.trim().to_owned()
    }

    fn edit(&self, extension: &str, change: impl FnOnce(String) -> String) {
        let path = self.json.with_extension(extension);
        let before = fs::read_to_string(&path).expect("text");
        let after = change(before.clone());
        assert_ne!(after, before);
        fs::write(&path, after).expect("writable");
    }

    /// Digests the files as they are now.
    fn redigest(&self) {
        let mut json: serde_json::Value = serde_json::from_slice(&read(&self.json)).expect("JSON");
        for (key, extension) in [("formula", "cnf"), ("proof", "lrat")] {
            let content = read(&self.json.with_extension(extension));
            let digest: String = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
            json[key]["bytes"] = content.len().into();
            json[key]["sha256"] = digest.into();
        }
        fs::write(&self.json, json.to_string()).expect("writable");
    }
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_certificate_of_ours_holds() {
    for n in 0..=7 {
        for method in ["cubes", "monolithic", "backtrack"] {
            for binary in [&["--binary"][..], &[]] {
                let stored = Stored::new(n, &[&["--method", method], binary].concat());
                let (code, stdout, stderr) = stored.audit();
                assert_eq!((code, stderr.as_str()), (0, ""), "n = {n}, {method}");
                assert!(stdout.contains(&format!(": valid: n={n}: exactly ")), "{stdout}");
            }
        }
    }
}

#[test]
fn a_file_of_another_run_is_named_with_its_digest() {
    let stored = Stored::new(6, &[]);
    stored.edit("cnf", |text| text.replacen("c 6 queens", "c 6 Queens", 1));
    assert!(stored.wrong().starts_with("six queens.cnf: the certificate claims SHA-256 "));
    let stored = Stored::new(6, &[]);
    stored.edit("lrat", |text| text + "c more\n");
    assert!(stored.wrong().starts_with("six queens.lrat: the certificate claims bytes "));
}

#[test]
fn a_wrong_claim_is_named_with_the_correct_value() {
    for (from, to, told) in [
        (
            "\"solutions\": 4",
            "\"solutions\": 5",
            "the certificate claims solutions 5, but the correct value is 4",
        ),
        ("\"n\": 6", "\"n\": 5", "the certificate claims variables 36, but the correct value is 25"),
        ("\"lemmas\": ", "\"lemmas\": 1", "the certificate claims lemmas "),
        (
            "\"solutions_sha256\": \"",
            "\"solutions_sha256\": \"0",
            "the certificate claims solutions_sha256 0",
        ),
        ("\"clauses\": ", "\"clauses\": 1", "the certificate claims clauses "),
        ("\"encoding_clauses\": ", "\"encoding_clauses\": 1", "clause 303 of the formula: "),
    ] {
        let stored = Stored::new(6, &[]);
        stored.edit("json", |text| text.replacen(from, to, 1));
        assert!(stored.wrong().starts_with(told), "{from}: {}", stored.wrong());
    }
}

/// The clauses of 6 queens: 12 lines, 290 pairs, 4 solutions. The proof stays right where the formula says more.
#[test]
fn a_formula_that_is_not_the_board_is_refused_with_its_clause() {
    let faults: [(&str, &str, &str); 5] = [
        ("\n-1 -2 0\n", "\n-1 0\n", "clause 2 of the formula: it is neither a row or column"),
        (
            "\n-1 -2 0\n",
            "\n-1 -9 0\n",
            "clause 2 of the formula: it forbids two queens that do not attack each other",
        ),
        ("\n-1 -2 0\n", "\n-1 -3 0\n", "clause 3 of the formula: it is repeated"),
        ("\n1 2 3 4 5 6 0\n", "\n1 2 3 4 5 0\n", "clause 1 of the formula: it is neither"),
        (
            "-2 -10 -18 -19 -27 -35 0\n",
            "-2 -10 -18 -19 -27 0\n",
            "clause 303 of the formula: it does not deny",
        ),
    ];
    for (from, to, told) in faults {
        let stored = Stored::new(6, &[]);
        stored.edit("cnf", |text| text.replacen(from, to, 1));
        stored.redigest();
        assert!(stored.wrong().starts_with(told), "{from:?}: {}", stored.wrong());
    }
    let stored = Stored::new(6, &[]);
    stored.edit("cnf", |text| text.replacen("p cnf 36 306", "p cnf 36 305", 1));
    stored.redigest();
    assert!(stored.wrong().contains("more clauses than the 305"), "{}", stored.wrong());
}

#[test]
fn a_solution_too_few_or_too_many_is_refused() {
    let last = "-5 -9 -13 -24 -28 -32 0\n";
    let stored = Stored::new(6, &[]);
    stored.edit("cnf", |text| text.replacen(last, "", 1).replacen("36 306", "36 305", 1));
    stored.redigest();
    assert_eq!(stored.wrong(), "the certificate claims solutions 4, but the correct value is 3");
    let stored = Stored::new(6, &[]);
    stored.edit("cnf", |text| text.replacen(last, &last.repeat(2), 1).replacen("36 306", "36 307", 1));
    stored.redigest();
    assert!(
        stored.wrong().contains("clause 307 of the formula: it denies a solution twice"),
        "{}",
        stored.wrong()
    );
    let stored = Stored::new(6, &[]);
    stored.edit("cnf", |text| text.replacen(last, "-1 -8 -15 -22 -29 -36 0\n", 1));
    stored.redigest();
    assert_eq!(
        stored.wrong(),
        "clause 306 of the formula: the board that it denies is not a solution: 0 1 2 3 4 5"
    );
}

#[test]
fn a_file_that_is_not_a_certificate_is_bad_input() {
    let stored = Stored::new(4, &[]);
    let right = fs::read_to_string(&stored.json).expect("text");
    let refused = |json: &[u8]| {
        fs::write(&stored.json, json).expect("writable");
        let (code, stdout, stderr) = stored.audit();
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        stderr
    };
    for json in [&b""[..], b"{}", b"[1", b"\xff\xfe", b"null", &b"[".repeat(100_000), &b" ".repeat(2 << 20)] {
        assert!(
            refused(json).contains("not a certificate of queenlab certify"),
            "{:?}",
            &json[..json.len().min(9)]
        );
    }
    for (from, to, told) in [
        ("\"schema_version\": 1", "\"schema_version\": 7", "schema_version 7 is not supported"),
        ("\"n\": 4", "\"n\": 400000", "n = 400000 exceeds 16"),
        ("\"n\": 4", "\"n\": -4", "not a certificate of queenlab certify"),
        ("\"six queens.cnf\"", "\"../six queens.cnf\"", "is not the name of a file in the same directory"),
        ("\"six queens.cnf\"", "\"/etc/passwd\"", "is not the name of a file in the same directory"),
        ("\"six queens.cnf\"", "\"other.cnf\"", "cannot read "),
        ("\"six queens.cnf\"", "\"..\"", "is not the name of a file in the same directory"),
    ] {
        let stderr = refused(right.replacen(from, to, 1).as_bytes());
        assert!(stderr.contains(told), "{to}: {stderr}");
    }
    let (code, _, stderr) = run(&["certify", "--audit", "no/such.json"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("cannot read no/such.json"), "{stderr}");
}

#[test]
fn drat_is_left_to_another_checker_and_its_no_counts() {
    let stored = Stored::new(5, &["--format", "drat"]);
    let (code, _, stderr) = stored.audit();
    assert_eq!(code, 2);
    assert!(stderr.contains("name another checker, such as --checker"), "{stderr}");
    let audited = |checker: &str| {
        run(&["certify", "--audit", stored.json.to_str().expect("UTF-8"), "--checker", checker])
    };
    // Any program will do: one that says yes, one that says no, one that is not there.
    let (code, stdout, stderr) = audited("echo 's VERIFIED' {cnf}");
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains(" by echo 's VERIFIED' {cnf}\n"), "{stdout}");
    let (code, _, stderr) = audited("echo s NOT VERIFIED");
    assert_eq!(code, 3, "{stderr}");
    assert_eq!(audited("no-such-checker {cnf} {proof}").0, 1);
    assert_eq!(audited("'unclosed {cnf}").0, 2);
}

#[test]
fn a_board_or_a_certificate_has_to_be_named_and_not_both() {
    assert_eq!(run(&["certify"]).0, 2);
    assert_eq!(run(&["certify", "4", "--audit", "x.json"]).0, 2);
}
