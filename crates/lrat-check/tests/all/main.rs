//! Tests of the program, and tests of the checker on files that a fuzzer found and on random steps. The verdicts on these files and
//! steps are compared with the truth table of all assignments.

mod command;
#[path = "../readers/mod.rs"]
mod readers;

use std::fs;
use std::path::Path;

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let files = entries.map(|entry| fs::read(entry.expect("an entry").path()).expect("a readable file"));
    files.collect()
}

#[test]
fn corpus_files_cause_no_wrong_verdict() {
    let files = corpus("lrat");
    assert!(files.len() > 10);
    files.iter().for_each(|bytes| readers::lrat::check(bytes));
}

#[test]
fn accepted_proof_steps_in_corpus_are_sound() {
    let files = corpus("lrat_steps");
    assert!(files.len() > 10);
    files.iter().for_each(|bytes| readers::lrat_steps::check(bytes));
}

/// The files of the corpus are short and chosen for code coverage. Long random sequences of steps also test combinations of steps.
#[test]
fn random_steps_are_accepted_only_if_sound() {
    let mut state = 1_u64;
    let mut random_byte = move || {
        // xorshift64.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    for _ in 0..10_000 {
        let length = usize::from(random_byte()) + usize::from(random_byte() % 150);
        let steps: Vec<u8> = (0..length).map(|_| random_byte()).collect();
        readers::lrat_steps::check(&steps);
    }
}
