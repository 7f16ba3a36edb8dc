//! Very large numbers in small files. Such a number must not cause a long loop or a large allocation.

use std::path::Path;
use std::process::Command;

use crate::harness::{read, run_in, scratch, write};

/// Large numbers: the maximum of 64 bits, a number of bytes that exceeds the memory, and the maximum of 32 bits.
const LARGE: [&str; 3] = ["18446744073709551615", "1000000000000", "4294967295"];

/// Runs the program with 2 GiB of address space and a minute of CPU time. Returns the exit code, or `None` if it was killed.
fn run_limited(directory: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "ulimit -v 2097152; ulimit -t 60; exec \"$0\" \"$@\"",
        env!("CARGO_BIN_EXE_queenlab"),
    ]);
    let output = command.args(arguments).current_dir(directory).output().expect("a shell");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The positions of the numbers in a text. Digits in a word do not count.
fn numbers(text: &str) -> Vec<std::ops::Range<usize>> {
    let is_joined = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "._-".contains(c));
    let starts = text
        .char_indices()
        .filter(|&(index, c)| c.is_ascii_digit() && !is_joined(text[..index].chars().next_back()));
    let ends = starts.map(|(index, _)| {
        let length = text[index..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - index);
        index..index + length
    });
    ends.filter(|position| !is_joined(text[position.end..].chars().next())).collect()
}

/// Replaces each number of a file by each large number. The command must accept or refuse the file with little memory and time.
fn assert_large_numbers_need_few_resources(directory: &Path, file: &str, arguments: &[&str], codes: &[i32]) {
    let text = read(directory, file);
    let positions = numbers(&text);
    assert!(positions.len() > 5, "{file}: {text}");
    for position in positions {
        for large in LARGE {
            let forged = format!("{}{large}{}", &text[..position.start], &text[position.end..]);
            write(directory, file, &forged);
            let (code, stderr) = run_limited(directory, arguments);
            let (before, after) =
                (forged[..position.start].lines().last(), forged[position.start..].lines().next());
            let change = format!("{file}: {}{}", before.unwrap_or_default(), after.unwrap_or_default());
            assert!(code.is_some_and(|code| codes.contains(&code)), "{change}: {code:?}: {stderr}");
        }
    }
    write(directory, file, &text);
}

#[test]
fn numbers_in_results_cannot_cause_large_allocations() {
    let directory = scratch();
    let path = directory.path();
    let sweep = ["sweep", "4-6", "--solver", "backtrack/bitmask", "--shard", "2/3", "--out", "r", "-q"];
    let (code, _, stderr) = run_in(path, &sweep);
    assert_eq!(code, 0, "{stderr}");
    let report = ["report", "r", "--format", "json"];
    assert_large_numbers_need_few_resources(path, "r/meta.json", &report, &[0, 2]);
    assert_large_numbers_need_few_resources(path, "r/runs.csv", &report, &[0, 2]);
    assert_large_numbers_need_few_resources(path, "r/levels.csv", &report, &[0, 2]);
}

#[test]
fn numbers_in_certificates_cannot_cause_large_allocations() {
    let directory = scratch();
    let path = directory.path();
    let (code, _, stderr) = run_in(path, &["certify", "4", "--out", "c", "--keep", "--progress", "none"]);
    assert_eq!(code, 0, "{stderr}");
    let audit = ["certify", "--audit", "c/certificate.json"];
    assert_large_numbers_need_few_resources(path, "c/certificate.json", &audit, &[0, 2, 3]);
    write(path, "c/part-0001.cnf", "p cnf 4000000000 4000000000\n1 2147483647 0\n1 134217727 0\n");
    let (code, stderr) = run_limited(path, &audit);
    assert_eq!(code, Some(3), "{stderr}");
}

#[test]
fn numbers_in_experiments_cannot_cause_large_allocations() {
    let directory = scratch();
    let path = directory.path();
    let spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4-5\"\nrepeat = 2\nwarmup = 1\njobs = 1\nthreads = 1\n\
                seed = \"1-2\"\nstop_after_timeouts = 1\ntimeout = \"1s\"\n[[program]]\nid = \"p\"\n\
                command = [\"true\", \"{h}\"]\n[program.factors]\nh = [\"1\", \"2\"]\n";
    write(path, "x.toml", spec);
    assert_large_numbers_need_few_resources(path, "x.toml", &["sweep", "x.toml", "--dry-run"], &[0, 2]);
    let instance =
        "n = 4\nvariant = \"toroidal\"\nplace = \"0:1\"\nforbid = \"0:0,1:3\"\nexclude_diagonals = \"s1\"\n";
    write(path, "i.toml", instance);
    assert_large_numbers_need_few_resources(path, "i.toml", &["encode", "--instance", "i.toml"], &[0, 2]);
}
