//! A full disk, and a directory that cannot be written to: one error message, no incomplete row or file, and the sweep can be
//! resumed.

use std::collections::HashSet;
use std::path::Path;

use crate::harness::disk::Disk;
use crate::harness::{assert_wording, read, rows, run_in, scratch, write};

const SWEEP: [&str; 8] = ["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--out", "disk", "--repeat"];

/// Runs a sweep of one cell. The first argument is the number of timed runs.
fn sweep(directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    run_in(directory, &[&SWEEP[..], arguments].concat())
}

fn one_error(stderr: &str) -> &str {
    let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 1, "{stderr}");
    errors[0]
}

fn ids(out: &Path) -> HashSet<String> {
    rows(out).into_iter().map(|row| row.run_id).collect()
}

#[test]
fn sweep_on_full_disk_reports_error_and_resumes() {
    let directory = scratch();
    let Some(disk) = Disk::new(directory.path().join("disk"), "64k") else { return };
    let (code, stdout, stderr) = sweep(directory.path(), &["300"]);
    assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
    assert!(one_error(&stderr).starts_with("error: disk/runs.csv: "), "{stderr}");
    assert_wording("sweep", "full disk", one_error(&stderr));
    let rows_before = read(&disk.0, "runs.csv");
    assert!(
        rows_before.ends_with('\n') && rows_before.lines().count() > 50,
        "{} lines",
        rows_before.lines().count()
    );
    // While the disk is full, the repeated command fails, too, and changes no file.
    assert_eq!(sweep(directory.path(), &["300"]).0, 1);
    assert_eq!(read(&disk.0, "runs.csv"), rows_before);
    assert!(disk.mount(&["-o", "remount,size=4m"]));
    let (code, _, stderr) = sweep(directory.path(), &["300"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains(&format!(" {} runs ", rows_before.lines().count() - 1)), "{stderr}");
    assert!(read(&disk.0, "runs.csv").starts_with(&rows_before));
    assert_eq!((rows(&disk.0).len(), ids(&disk.0).len()), (301, 301));
}

#[test]
fn full_disk_keeps_previous_derived_tables() {
    let directory = scratch();
    let Some(disk) = Disk::new(directory.path().join("disk"), "256k") else { return };
    assert_eq!(sweep(directory.path(), &["3"]).0, 0);
    let table_before = read(&disk.0, "timings.csv");
    let four_runs = ["4", "--accept"];
    std::fs::write(disk.0.join("ballast"), vec![b'x'; 1 << 20]).expect_err("the disk is full");
    let (code, _, stderr) = sweep(directory.path(), &four_runs);
    assert_eq!(code, 1, "{stderr}");
    assert!(one_error(&stderr).contains("os error 28"), "{stderr}");
    assert_eq!(read(&disk.0, "timings.csv"), table_before);
    std::fs::remove_file(disk.0.join("ballast")).expect("removed");
    let (code, _, stderr) = sweep(directory.path(), &four_runs);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(ids(&disk.0).len(), 5);
}

/// If the disk of temporary files is too small for the formula of a SAT solver or model counter, the sweep stops and records no
/// run.
#[test]
fn full_temporary_disk_stops_the_sweep() {
    let directory = scratch();
    let Some(disk) = Disk::new(directory.path().join("temporary"), "32k") else { return };
    for (table, answer, solver) in
        [("sat", "s UNSATISFIABLE", "sat/pairwise/x"), ("counter", "s mc 92", "counter/pairwise/x")]
    {
        let spec = format!(
            "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"20\"\ngoal = \"count\"\nrepeat = 3\n[[{table}]]\nid = \"x\"\n\
             command = \"sh -c 'echo {answer}' {{cnf}}\"\n[[solver]]\nid = \"{solver}\"\n"
        );
        write(directory.path(), "x.toml", &spec);
        let arguments = ["sweep", "x.toml", "--out", "r"];
        let mut sweep = crate::harness::queenlab(&arguments);
        sweep.current_dir(directory.path()).env("TMPDIR", &disk.0);
        let output = sweep.output().expect("queenlab starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert_wording("sweep", &format!("no room for a formula of {solver}"), one_error(&stderr));
        assert_eq!(rows(&directory.path().join("r")).len(), 0);
        std::fs::remove_dir_all(directory.path().join("r")).expect("removed");
    }
}

#[test]
fn read_only_result_directory_gives_one_error() {
    let directory = scratch();
    let out = directory.path().join("disk");
    let Some(disk) = Disk::new(out, "256k") else { return };
    assert_eq!(sweep(directory.path(), &["3"]).0, 0);
    let table_before = read(&disk.0, "runs.csv");
    assert!(disk.mount(&["-o", "remount,ro"]));
    let (code, stdout, stderr) = sweep(directory.path(), &["4", "--accept"]);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.starts_with("error: disk/.lock: ") && stderr.lines().count() == 1, "{stderr}");
    assert_wording("sweep", "read-only directory", &stderr);
    assert_eq!(read(&disk.0, "runs.csv"), table_before);
}
