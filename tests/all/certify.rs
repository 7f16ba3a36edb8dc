//! `queenlab certify` and `queenlab certify --audit`.

use std::path::PathBuf;

use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::harness::{assert_wording, refused, run, run_in, scratch};
#[cfg(unix)]
use crate::processes::{Guard, until};

const METHODS: [&str; 2] = ["cubes", "backtrack"];

/// A certificate in the directory `a b`, whose name would be split by a shell.
struct Certified(TempDir);

impl Certified {
    fn new(n: usize, options: &[&str]) -> Self {
        let certified = Self(scratch());
        let (code, out, err) = certified.certify(n, options);
        assert_eq!(code, 0, "{options:?}: {out}{err}");
        certified
    }

    fn certify(&self, n: usize, options: &[&str]) -> (i32, String, String) {
        run_in(self.0.path(), &[&["certify", &n.to_string(), "--out", "a b"], options].concat())
    }

    fn audit(&self, options: &[&str]) -> (i32, String, String) {
        run_in(self.0.path(), &[&["certify", "--audit", "a b/certificate.json"], options].concat())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("a b").join(name)
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

    fn file_count(&self) -> usize {
        std::fs::read_dir(self.0.path().join("a b")).expect("a directory").count()
    }
}

fn parts(json: &Value) -> &Vec<Value> {
    json["parts"].as_array().expect("a list")
}

fn sha256(content: impl AsRef<[u8]>) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn certificate_lists_its_files_and_passes_the_audit() {
    for (n, solutions) in [1, 1, 0, 0, 2, 10, 4, 40].into_iter().enumerate() {
        for method in METHODS {
            let certified = Certified::new(n, &["--method", method, "--keep"]);
            let json = certified.json();
            assert_eq!((json["n"].as_u64(), json["solutions"].as_u64()), (Some(n as u64), Some(solutions)));
            assert_eq!(json["method"], method);
            assert!(json.get("variant").is_none() && json.get("symmetry").is_none());
            assert_eq!(certified.file_count(), 2 * parts(&json).len() + 1);
            for part in parts(&json) {
                for key in ["formula", "proof"] {
                    let name = part[key]["file"].as_str().expect("a name");
                    let content = std::fs::read(certified.path(name)).expect("a file");
                    assert_eq!(part[key]["bytes"].as_u64(), Some(content.len() as u64));
                    assert_eq!(part[key]["sha256"], sha256(content).as_str());
                }
            }
            let (code, out, err) = certified.audit(&["--threads", "2"]);
            assert_eq!((code, err.as_str()), (0, ""), "n = {n}, {method}");
            let (valid, unchecked_lines) = out.split_once('\n').expect("two lines");
            assert!(valid.starts_with("a b/certificate.json: valid: "), "{out}");
            assert!(valid.contains(&format!(" {solutions} ")), "{out}");
            assert_wording("certify", &format!("valid for n = {n}"), valid);
            let unchecked = unchecked_lines.lines().last().expect("a second line");
            assert!(unchecked.contains("method, checkers, "), "{unchecked}");
            if n == 6 {
                assert_wording("certify", &format!("not checked by the audit, {method}"), unchecked);
            }
        }
    }
}

#[test]
fn digest_of_solutions_matches_the_output_of_solve() {
    let (_, printed, _) = run(&["solve", "8", "--all", "--notation", "columns"]);
    assert_eq!(Certified::new(8, &[]).json()["solutions_sha256"], sha256(printed).as_str());
}

/// 8 queens have 92 solutions in 12 orbits.
#[test]
fn symmetry_breaking_certifies_all_solutions_with_smaller_proofs() {
    let (all_proofs, with_symmetry) =
        (Certified::new(8, &[]), Certified::new(8, &["--symmetry", "full", "--keep"]));
    let (before, after) = (all_proofs.json(), with_symmetry.json());
    for key in ["solutions", "solutions_sha256"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    let sum = |json: &Value, key: &str| {
        parts(json).iter().map(|part| part[key].as_u64().expect("a number")).sum::<u64>()
    };
    assert!((12..46).contains(&sum(&after, "solutions")), "{after}");
    assert!(sum(&after, "lemmas") < sum(&before, "lemmas") / 2);
    assert_eq!(with_symmetry.audit(&[]).0, 0);
    let err = refused(&["certify", "6", "--forbid", "0:1", "--symmetry", "full"]);
    assert!(err.contains("--symmetry full"), "{err}");
}

#[test]
fn audit_without_part_files_exits_with_2() {
    let certificate_with_parts = Certified::new(8, &["--keep", "--symmetry", "full"]);
    let certificate_without_parts = Certified::new(8, &["--symmetry", "full"]);
    let (json, certificate_with_parts) = (certificate_without_parts.json(), certificate_with_parts.json());
    assert_eq!((json["solutions"].as_u64(), json["kept"].as_bool()), (Some(92), Some(false)));
    assert_eq!(parts(&json), parts(&certificate_with_parts));
    assert_eq!(certificate_without_parts.file_count(), 1);
    let (code, out, err) = certificate_without_parts.audit(&[]);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert_wording("certify", "audit without files", &err);
    // The audit still checks the statements that need no files: here, a part is missing.
    certificate_without_parts.edit(|json| _ = json["parts"].as_array_mut().map(Vec::pop));
    assert_eq!(certificate_without_parts.audit(&[]).0, 3);
}

#[test]
fn audit_error_names_the_invalid_file() {
    let certified = Certified::new(6, &["--keep"]);
    certified.edit(|json| json["solutions"] = 5.into());
    let (code, out, err) = certified.audit(&[]);
    assert_eq!((code, out.as_str()), (3, ""));
    assert!(
        err.starts_with("a b/certificate.json: not valid: ") && err.contains('5') && err.contains('4'),
        "{err}"
    );
    assert_wording("certify", "a wrong number of solutions", &err);
    std::fs::remove_file(certified.path("part-0002.cnf")).expect("a file of a part");
    let (code, _, err) = certified.audit(&[]);
    assert!(code == 2 && err.contains("part-0002.cnf: "), "{err}");
    assert_wording("certify", "a missing file", &err);
    certified.edit(|json| json["parts"][0]["formula"]["file"] = "../q.cnf".into());
    let (code, _, err) = certified.audit(&[]);
    assert!(code == 2 && err.contains("a b/certificate.json: "), "{err}");
    assert_wording("certify", "a file outside the directory", &err);
    for json in [&b""[..], b"{}", b"[1", b"\xff\xfe", b"null", &b"[".repeat(100_000), &b" ".repeat(5 << 20)] {
        std::fs::write(certified.path("certificate.json"), json).expect("writable");
        let (code, out, err) = certified.audit(&[]);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
    }
    let err = refused(&["certify", "--audit", "no/such.json"]);
    assert!(err.contains("no/such.json"), "{err}");
}

/// `certify` passes a sample of the parts to an external checker: here, 1 of 8 parts. The audit passes all parts.
#[test]
fn certify_checks_sample_and_audit_checks_all_parts() {
    let accepting_checker = ["--checker", "echo 's VERIFIED' {cnf} {proof}"];
    let certified = Certified::new(8, &[&accepting_checker[..], &["--keep"]].concat());
    let json = certified.json();
    let checkers = json["checkers"].as_array().expect("a list").iter();
    let checked_parts: Vec<Option<u64>> = checkers.map(|checker| checker["parts"].as_u64()).collect();
    assert_eq!(checked_parts, [Some(8), Some(1)]);
    let (code, out, err) = certified.audit(&accepting_checker);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("8 parts") && out.contains("echo"), "{out}");
    for (checker, code, value) in [
        ("sh -c 'echo s NOT VERIFIED' {cnf} {proof}", 3, ": s NOT VERIFIED"),
        ("sh -c 'echo no' {cnf} {proof}", 3, ": no"),
        ("sh -c 'echo s VERIFIED; kill -9 $$' {cnf} {proof}", 3, ": s VERIFIED"),
        ("no-such-checker {cnf} {proof}", 1, "'no-such-checker'"),
        ("'unclosed {cnf}", 2, "--checker: "),
        ("echo s VERIFIED {cnf}", 2, "{proof}"),
        ("echo s VERIFIED {proof}", 2, "{cnf}"),
    ] {
        let (exit, _, err) = certified.audit(&["--checker", checker]);
        assert!(exit == code && err.contains(value), "{checker}: {err}");
        // The parts are checked in several threads, and any part may be the first that is rejected.
        let problem = if code == 3 { err.split_once("': ").expect("a part").1 } else { &err };
        assert_wording("certify", &format!("audit, --checker {checker}"), problem);
        let rejected_certificate = Certified(scratch());
        let (exit, _, err) = rejected_certificate.certify(8, &["--keep", "--checker", checker]);
        assert!(exit == code && err.contains(value), "{checker}: {err}");
        assert!(
            !rejected_certificate.0.path().join("a b").exists(),
            "a rejected certificate must leave no files"
        );
    }
}

#[test]
#[ignore = "long: the certificates of 12 and 13 queens"]
fn symmetry_is_broken_by_default_from_n_13() {
    let (code, out, err) = run(&["certify", "13", "--quiet"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.starts_with("n=13: ") && out.contains(" 73,712 ") && out.contains("\nproof    71 parts, "),
        "{out}"
    );
    assert!(out.contains("\nsymmetry "), "{out}");
    let (code, out, _) = run(&["certify", "12", "--quiet"]);
    assert!(code == 0 && out.contains("\nproof    12 parts, ") && !out.contains("\nsymmetry "), "{out}");
}

#[test]
fn invalid_certify_options_exit_with_1_or_2() {
    for (options, code) in [
        (&["certify", "17"][..], 2),
        (&["certify"], 2),
        (&["certify", "4", "--audit", "x.json"], 2),
        (&["certify", "4", "--keep"], 2),
        (&["certify", "4", "--out", "no/such/q"], 1),
        (&["certify", "4", "--out", "."], 2),
        (&["certify", "4", "--symmetry", "mirror"], 2),
    ] {
        let (exit, _, err) = run(options);
        assert_eq!(exit, code, "{options:?}: {err}");
        assert_wording("certify", &options.join(" "), &err);
    }
}

#[cfg(unix)]
#[test]
fn interrupted_certify_leaves_no_files() {
    let directory = scratch();
    let files = || std::fs::read_dir(directory.path().join("q")).map_or(0, Iterator::count);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(["certify", "14", "--out", "q", "--keep", "--threads", "2"]);
    command.current_dir(directory.path());
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let certify = Guard::start(&mut command);
    until("the files of some parts", || (files() >= 3).then_some(()));
    certify.signal(rustix::process::Signal::TERM);
    assert_eq!(certify.output().status.code(), Some(130));
    assert!(!directory.path().join("q").exists());
}
