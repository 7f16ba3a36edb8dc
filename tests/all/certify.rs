//! `queenlab certify` and `queenlab proof-check` as users run them, and every fault that they must catch.

use std::path::{Path, PathBuf};

use queenlab::verify::lrat;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::harness::run;
#[cfg(unix)]
use crate::processes::{Guard, until};

const METHODS: [&str; 3] = ["cubes", "monolithic", "backtrack"];

/// A certificate in a directory of its own.
struct Certified {
    _directory: TempDir,
    proof: PathBuf,
}

impl Certified {
    fn new(n: usize, options: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let proof = directory.path().join("queens.proof");
        let n = n.to_string();
        let arguments = [&["certify", &n, "--proof", proof.to_str().expect("UTF-8")], options].concat();
        let (code, out, err) = run(&arguments);
        assert_eq!(code, 0, "{options:?}: {out}{err}");
        Self { _directory: directory, proof }
    }

    fn formula(&self) -> PathBuf {
        self.proof.with_extension("cnf")
    }

    fn json(&self) -> serde_json::Value {
        let text = std::fs::read(self.proof.with_extension("json")).expect("the certificate");
        serde_json::from_slice(&text).expect("JSON")
    }

    fn check(&self) -> (i32, String, String) {
        check(&self.formula(), &self.proof)
    }
}

fn check(formula: &Path, proof: &Path) -> (i32, String, String) {
    run(&["proof-check", formula.to_str().expect("UTF-8"), proof.to_str().expect("UTF-8")])
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The formula without one of its clauses, and the header that fits.
fn without_clause(formula: &[u8], remove: usize) -> Vec<u8> {
    let text = String::from_utf8_lossy(formula);
    let (mut clause, mut kept) = (0, Vec::new());
    for line in text.lines().filter(|line| !line.starts_with('c')) {
        match line.strip_prefix("p cnf ").and_then(|sizes| sizes.split_once(' ')) {
            Some((variables, clauses)) => {
                let clauses: usize = clauses.parse().expect("a number");
                kept.push(format!("p cnf {variables} {}", clauses - 1));
            }
            None => {
                if clause != remove {
                    kept.push(line.to_owned());
                }
                clause += 1;
            }
        }
    }
    (kept.join("\n") + "\n").into_bytes()
}

#[test]
fn a_certificate_says_what_its_files_are() {
    for method in METHODS {
        for binary in [&["--binary"][..], &[]] {
            let certified = Certified::new(6, &[&["--method", method], binary].concat());
            let json = certified.json();
            assert_eq!((json["n"].as_u64(), json["solutions"].as_u64()), (Some(6), Some(4)));
            assert_eq!(json["method"], method);
            assert_eq!(json["binary"], !binary.is_empty());
            for (key, path) in [("formula", certified.formula()), ("proof", certified.proof.clone())] {
                let content = read(&path);
                let digest: String =
                    Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(json[key]["bytes"].as_u64(), Some(content.len() as u64));
                assert_eq!(json[key]["sha256"], digest.as_str());
            }
            assert_eq!(certified.check().0, 0);
        }
    }
}

#[test]
fn the_digest_of_the_solutions_is_that_of_what_solve_prints() {
    let (_, printed, _) = run(&["solve", "8", "--all", "--notation", "columns"]);
    // Boards are lines: `columns` parts none with an empty line.
    let lines: String =
        printed.lines().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect();
    let digest: String = Sha256::digest(lines).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(Certified::new(8, &[]).json()["solutions_sha256"], digest.as_str());
}

/// 8 queens have 92 solutions in 12 orbits.
#[test]
fn with_broken_symmetry_the_same_solutions_are_certified_by_a_smaller_proof() {
    let whole = Certified::new(8, &[]);
    let broken = Certified::new(8, &["--symmetry", "full"]);
    let (before, after) = (whole.json(), broken.json());
    for key in ["solutions", "solutions_sha256", "encoding_clauses"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    let representatives = after["symmetry"]["representatives"].as_u64().expect("a number");
    assert!((12..46).contains(&representatives), "{representatives}");
    assert!(after["lemmas"].as_u64() < before["lemmas"].as_u64().map(|lemmas| lemmas / 2));
    assert_eq!(broken.check().0, 0);
    let json = broken.proof.with_extension("json");
    let (code, out, err) = run(&["certify", "--audit", json.to_str().expect("UTF-8"), "-q"]);
    assert!(code == 0 && out.ends_with(": valid: n=8: exactly 92 solutions\n"), "{out}{err}");
    let (code, _, err) = run(&["certify", "6", "--forbid", "0:1", "--symmetry", "full"]);
    assert_eq!(code, 2);
    assert!(
        err.contains("--symmetry full: rotations or reflections do not map this problem onto itself"),
        "{err}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_certification_leaves_no_files() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let files = || std::fs::read_dir(directory.path()).expect("a directory").count();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(["certify", "14", "--symmetry", "none", "--proof", "q.lrat"]).current_dir(directory.path());
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let certify = Guard::start(&mut command);
    until("the formula and the proof", || (files() >= 2).then_some(()));
    certify.signal(rustix::process::Signal::TERM);
    assert_eq!(certify.output().status.code(), Some(130));
    assert_eq!(files(), 0);
}

#[test]
fn every_small_board_is_certified_without_files() {
    for (n, solutions) in [1, 1, 0, 0, 2, 10, 4, 40].into_iter().enumerate() {
        let (code, out, err) = run(&["certify", &n.to_string(), "--quiet"]);
        let plural = if solutions == 1 { "" } else { "s" };
        assert!(out.starts_with(&format!("n={n}: exactly {solutions} solution{plural}, proved\n")), "{out}");
        assert_eq!((code, err.as_str()), (0, ""));
    }
}

#[test]
fn proof_check_says_verified_or_not_and_why() {
    let certified = Certified::new(5, &["--method", "backtrack"]);
    let (code, out, _) = certified.check();
    assert_eq!((code, out.as_str()), (0, "s VERIFIED\n"));
    std::fs::write(&certified.proof, "hello").expect("writable");
    let (code, out, err) = certified.check();
    assert_eq!((code, out.as_str()), (3, "s NOT VERIFIED\n"));
    assert!(err.contains("step 1, before byte 0: unexpected 'h' in a number"), "{err}");
}

#[test]
fn unreadable_files_are_bad_input() {
    let certified = Certified::new(4, &[]);
    let absent = certified.proof.with_extension("absent");
    for (formula, proof) in [(&absent, &certified.proof), (&certified.formula(), &absent)] {
        let (code, out, err) = check(formula, proof);
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(err.contains("queens.absent"), "{err}");
    }
    let (code, _, err) = check(&certified.proof, &certified.formula());
    assert_eq!(code, 2);
    assert!(err.contains("the line 'p cnf VARIABLES CLAUSES' is missing"), "{err}");
}

#[test]
fn a_board_that_is_too_large_and_a_name_that_collides_are_bad_input() {
    let (code, _, err) = run(&["certify", "17"]);
    assert_eq!(code, 2);
    assert!(err.contains("n = 17 exceeds 16, the largest board for certificates"), "{err}");
    let (code, _, err) = run(&["certify", "4", "--proof", "queens.cnf"]);
    assert_eq!(code, 2);
    assert!(err.contains("choose a name for the proof that ends with .lrat, .drat or .pbp"), "{err}");
}

/// Each byte of a proof is changed in each of its bits: nothing panics, and no change proves that one
/// of the two solutions is the only one.
#[test]
fn no_flipped_bit_proves_what_is_not_true() {
    for method in METHODS {
        for binary in [&["--binary"][..], &[]] {
            let certified = Certified::new(4, &[&["--method", method], binary].concat());
            let (formula, proof) = (read(&certified.formula()), read(&certified.proof));
            let clauses = certified.json()["clauses"].as_u64().expect("a number") as usize;
            let satisfiable = without_clause(&formula, clauses - 1);
            let verdict = |formula: &[u8], proof: &[u8]| {
                lrat::check(formula, proof).expect("a readable formula").is_verified()
            };
            assert!(verdict(&formula, &proof) && !verdict(&satisfiable, &proof));
            let mut accepted = 0;
            for at in 0..proof.len() {
                for bit in 0..8 {
                    let mut flipped = proof.clone();
                    flipped[at] ^= 1 << bit;
                    assert!(!verdict(&satisfiable, &flipped), "{method}, byte {at}, bit {bit}");
                    accepted += usize::from(verdict(&formula, &flipped));
                }
            }
            // What is still accepted is another proof of the same: a blank that became another, an id
            // that nobody names.
            assert!(accepted * 4 < proof.len() * 8, "{method}: {accepted} of {} flips", proof.len() * 8);
        }
    }
}

#[test]
fn another_checker_is_asked_and_its_no_counts() {
    let program = env!("CARGO_BIN_EXE_queenlab");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let proof = directory.path().join("q.lrat");
    let proof = proof.to_str().expect("UTF-8");
    let certify = |checker: &str| run(&["certify", "5", "--proof", proof, "--checker", checker]);
    let (code, out, err) = certify(&format!("{program} proof-check {{cnf}} {{proof}}"));
    assert_eq!(code, 0, "{err}");
    assert_eq!(out.lines().filter(|line| line.starts_with("checked")).count(), 2, "{out}");
    assert!(directory.path().join("q.json").exists());
    // The empty proof: not verified.
    let empty = directory.path().join("empty");
    std::fs::write(&empty, "").expect("writable");
    let (code, _, err) = certify(&format!("{program} proof-check {{cnf}} {}", empty.display()));
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("its last message: s NOT VERIFIED"), "{err}");
    assert!(!directory.path().join("q.json").exists(), "the earlier certificate is gone");
    assert_eq!(certify("no-such-checker {cnf} {proof}").0, 1);
}

#[test]
fn a_drat_proof_holds_the_lemmas_of_the_lrat_proof() {
    for method in METHODS {
        let lrat = String::from_utf8(read(&Certified::new(6, &["--method", method]).proof)).expect("text");
        let certified = Certified::new(6, &["--method", method, "--format", "drat"]);
        let drat = String::from_utf8(read(&certified.proof)).expect("text");
        let lemmas = lrat.lines().filter(|line| !line.contains(" d ")).map(|line| {
            let clause = line.split_once(' ').expect("an id").1;
            clause[..=clause
                .find("0 ")
                .filter(|_| clause.starts_with("0 "))
                .unwrap_or_else(|| clause.find(" 0 ").expect("a zero") + 1)]
                .to_owned()
        });
        let of_drat: Vec<&str> = drat.lines().filter(|line| !line.starts_with('d')).collect();
        assert_eq!(lemmas.collect::<Vec<_>>(), of_drat, "{method}");
        assert_eq!(certified.json()["format"], "drat");
        let left: Vec<_> =
            std::fs::read_dir(certified.proof.parent().expect("a directory")).expect("readable").collect();
        assert_eq!(left.len(), 3, "the LRAT proof that was checked is gone: {left:?}");
    }
}
