//! `certify --parts` as users run it, and its audit.

use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;

use crate::harness::{queenlab, run, scratch, stderr, stdout};
#[cfg(unix)]
use crate::processes::{Guard, until};

/// A certificate in parts in the directory `q`.
struct InParts {
    directory: TempDir,
}

impl InParts {
    fn new(n: usize, options: &[&str]) -> Self {
        let made = Self { directory: scratch() };
        let n = n.to_string();
        let (code, out, err) = made.run(&[&["certify", &n, "--parts", "q"], options].concat());
        assert_eq!(code, 0, "{out}{err}");
        made
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = queenlab(arguments).current_dir(self.directory.path()).output().expect("it starts");
        (output.status.code().expect("an exit code"), stdout(&output), stderr(&output))
    }

    fn audit(&self, options: &[&str]) -> (i32, String, String) {
        self.run(&[&["certify", "--audit", "q/certificate.json"], options].concat())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join("q").join(name)
    }

    fn json(&self) -> Value {
        let text = std::fs::read(self.path("certificate.json")).expect("the certificate");
        serde_json::from_slice(&text).expect("JSON")
    }

    fn edit(&self, change: impl FnOnce(&mut Value)) {
        let mut json = self.json();
        change(&mut json);
        std::fs::write(self.path("certificate.json"), json.to_string()).expect("writable");
    }

    fn names(&self) -> usize {
        std::fs::read_dir(self.directory.path().join("q")).expect("a directory").count()
    }
}

fn parts(json: &Value) -> &Vec<Value> {
    json["parts"].as_array().expect("a list")
}

#[test]
fn kept_parts_are_audited_and_each_is_checked_by_itself() {
    let made = InParts::new(8, &["--keep", "--symmetry", "full", "--threads", "2"]);
    let json = made.json();
    assert_eq!((json["solutions"].as_u64(), json["kept"].as_bool()), (Some(92), Some(true)));
    assert!(parts(&json).len() > 2, "{json}");
    assert_eq!(made.names(), 2 * parts(&json).len() + 1);
    for part in parts(&json) {
        let [formula, proof] = ["formula", "proof"].map(|key| {
            let path = made.path(part[key]["file"].as_str().expect("a name"));
            path.to_str().expect("UTF-8").to_owned()
        });
        assert_eq!(run(&["proof-check", &formula, &proof]).0, 0);
    }
    let (code, out, err) = made.audit(&["--threads", "2"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("q/certificate.json: valid: n=8: exactly 92 solutions\n"), "{out}");
    let count = format!(" for {} parts by queenlab proof-check", parts(&json).len());
    assert!(out.contains(&count) && out.contains("\nnot checked: checkers, threads, "), "{out}");
}

#[test]
fn without_keep_the_same_parts_are_listed_and_the_audit_says_what_it_cannot_check() {
    let kept = InParts::new(8, &["--keep", "--symmetry", "full"]);
    let listed = InParts::new(8, &["--symmetry", "full"]);
    let (json, kept) = (listed.json(), kept.json());
    assert_eq!((json["solutions"].as_u64(), json["kept"].as_bool()), (Some(92), Some(false)));
    assert_eq!(parts(&json), parts(&kept));
    assert_eq!(listed.names(), 1);
    let (code, out, err) = listed.audit(&[]);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("their files were not kept, so that the number of solutions"), "{err}");
    // What can be checked is checked.
    listed.edit(|json| _ = json["parts"].as_array_mut().map(Vec::pop));
    let (code, _, err) = listed.audit(&[]);
    assert_eq!(code, 3, "{err}");
}

#[test]
fn changed_parts_are_not_valid() {
    let [digits, hole, claim] = [
        (
            (|json| json["parts"][0]["proof"]["sha256"] = json["parts"][1]["proof"]["sha256"].clone())
                as fn(&mut Value),
            "part-0001.lrat: the certificate claims SHA-256 ",
        ),
        (
            |json| {
                let part = json["parts"].as_array_mut().expect("a list").remove(0);
                let left = json["symmetry"]["representatives"].as_u64().expect("a number");
                json["symmetry"]["representatives"] =
                    (left - part["solutions"].as_u64().expect("a number")).into();
            },
            "the cubes: no part has queens on 3:0",
        ),
        (
            |json| json["solutions"] = 91.into(),
            "the certificate claims solutions 91, but the correct value is 92",
        ),
    ];
    for (change, told) in [digits, hole, claim] {
        let made = InParts::new(8, &["--keep", "--symmetry", "full"]);
        made.edit(change);
        let (code, out, err) = made.audit(&[]);
        assert_eq!((code, out.as_str()), (3, ""), "{err}");
        assert!(err.contains("not valid: ") && err.contains(told), "{err}");
    }
    let made = InParts::new(6, &["--keep"]);
    std::fs::remove_file(made.path("part-0002.cnf")).expect("it is there");
    assert_eq!(made.audit(&[]).0, 2);
    made.edit(|json| json["parts"][0]["formula"]["file"] = "../q.cnf".into());
    let (code, _, err) = made.audit(&[]);
    assert!(code == 2 && err.contains("q/certificate.json: not a certificate"), "{err}");
}

/// n = 8 has fewer than 20 parts: the sample is the first one.
#[test]
fn another_checker_gets_a_sample_of_the_parts_and_the_audit_gives_it_all() {
    let made = InParts::new(8, &["--keep", "--checker", "echo s VERIFIED {cnf} {proof}"]);
    let json = made.json();
    let checkers = json["checkers"].as_array().expect("a list");
    let checked: Vec<Option<usize>> =
        checkers.iter().map(|checker| checker["parts"].as_u64().map(|parts| parts as usize)).collect();
    assert_eq!(checked, [Some(parts(&json).len()), Some(1)]);
    let (code, out, err) = made.audit(&["--checker", "echo s VERIFIED {cnf} {proof}"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains(&format!(" for {} parts by echo", parts(&json).len())), "{out}");
    assert_eq!(made.audit(&["--checker", "echo s NOT VERIFIED"]).0, 3);
    let refused = scratch();
    let made = InParts { directory: refused };
    let (code, _, err) = made.run(&["certify", "8", "--parts", "q", "--keep", "--checker", "echo no"]);
    assert_eq!(code, 3, "{err}");
    assert!(!made.directory.path().join("q").exists(), "a certificate that failed leaves no files");
}

#[test]
#[ignore = "long: the certificates of 12 and 13 queens"]
fn from_n_13_on_a_certificate_is_in_parts_unless_one_proof_is_wanted() {
    let (code, out, err) = run(&["certify", "13", "--quiet"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("n=13: exactly 73712 solutions, proved\nparts    "), "{out}");
    let (code, out, _) = run(&["certify", "12", "--quiet"]);
    assert!(code == 0 && out.contains("\nproof    "), "{out}");
}

#[test]
fn options_that_contradict_parts_are_bad_input() {
    for options in [
        &["--parts", "q", "--proof", "p.lrat"][..],
        &["--parts", "q", "--format", "drat"],
        &["--parts", "q", "--method", "backtrack"],
        &["--keep"],
        &["--threads", "2"],
        &["--parts", "no/such/q"],
        &["--parts", "."],
    ] {
        let made = InParts { directory: scratch() };
        let (code, _, err) = made.run(&[&["certify", "6"], options].concat());
        let expected = if options.contains(&"no/such/q") { 1 } else { 2 };
        assert_eq!(code, expected, "{options:?}: {err}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_certificate_in_parts_leaves_no_files() {
    let directory = scratch();
    let files = || std::fs::read_dir(directory.path().join("q")).map_or(0, Iterator::count);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(["certify", "14", "--parts", "q", "--keep", "--threads", "2"]);
    command.current_dir(directory.path());
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let certify = Guard::start(&mut command);
    until("the files of some parts", || (files() >= 3).then_some(()));
    certify.signal(rustix::process::Signal::TERM);
    assert_eq!(certify.output().status.code(), Some(130));
    assert!(!directory.path().join("q").exists());
}
