//! Sweeps of solvers that crash, hang, exhaust memory, print without end or report wrong answers. Every row must have the right
//! status, verdict and reason. The solvers are in `examples/faults.rs`.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Output};

use queenlab::record::{Row, Status, Verdict};

use crate::harness::{assert_wording, example, rows};
use crate::processes::{until, within_some_limit};

fn sweep(directory: &Path, spec: &str, options: &[&str]) -> Output {
    std::fs::write(directory.join("x.toml"), spec).expect("a writable directory");
    Command::new(example("faults"))
        .args(["sweep", "x.toml", "--out", "r", "--progress", "none"])
        .args(options)
        .env("QUEENLAB_FAULTS", directory)
        // The last line of a panic is its message, not a remark about the backtrace.
        .env("RUST_BACKTRACE", "0")
        .current_dir(directory)
        .output()
        .expect("the program starts")
}

fn solver(id: &str, sizes: &str) -> String {
    format!("[[solver]]\nid = \"{id}\"\nn = \"{sizes}\"\n")
}

fn sweep_head(sizes: &str, timeout: &str) -> String {
    format!(
        "schema_version = 1\nname = \"faults\"\n[sweep]\nn = \"{sizes}\"\nrepeat = 1\n\
         timeout = \"{timeout}\"\nmemory = \"64MiB\"\n"
    )
}

/// The expected row of a solver: its status, its verdict, and a part of its reason, if it has a reason.
type Expected = (Status, Verdict, Option<&'static str>);

fn expected(solver: &str) -> Expected {
    use Status::{Complete, Crashed, Memout, Timeout};
    use Verdict::{Correct, Unchecked, Wrong};
    let expected_crash = |reason_part| (Crashed, Unchecked, Some(reason_part));
    match solver {
        "faults/abort" => expected_crash("signal: 6"),
        "faults/panic" => expected_crash("a queen fell"),
        "faults/fail" => expected_crash("no more queens"),
        "faults/exit" => expected_crash("exit status: 0"),
        "faults/garbage" => expected_crash("{\"report\": "),
        "faults/flood" => expected_crash("QQQQ"),
        "faults/hang" | "faults/mute" => (Timeout, Unchecked, None),
        "faults/memory" => (Memout, Unchecked, None),
        "faults/wrong" => (Complete, Wrong, Some("A000170")),
        "faults/twice" => (Complete, Wrong, Some("the definition")),
        "faults/litter" | "backtrack/bitmask" => (Complete, Correct, None),
        other => panic!("{other} is not one of the solvers of this sweep"),
    }
}

fn assert_expected(row: &Row) {
    let (status, verdict, reason_part) = expected(&row.solver);
    assert_eq!((row.status, row.verdict), (status, verdict), "{row:?}");
    // Only programs and external solvers have an exit code or a signal.
    assert_eq!((row.exit_code, row.signal), (None, None), "{row:?}");
    assert_eq!(row.reason().is_some(), reason_part.is_some(), "{row:?}");
    if let (Some(reason), Some(reason_part)) = (row.reason(), reason_part) {
        assert!(reason.contains(reason_part), "{row:?}");
        if row.n == 6 {
            assert_wording("sweep", &row.solver, reason);
        }
    }
    assert_eq!(row.solve_ns.is_some(), row.status.is_solved(), "{row:?}");
    assert!(row.wall_ns.is_some(), "{row:?}");
}

/// Processes that a sweep in this directory started and that are still running.
fn surviving_processes(directory: &Path) -> Vec<String> {
    let variable = format!("QUEENLAB_FAULTS={}", directory.display());
    let processes = std::fs::read_dir("/proc").expect("/proc").flatten();
    let ids = processes.filter_map(|entry| entry.file_name().into_string().ok());
    ids.filter(|id| {
        let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry == variable.as_bytes())
    })
    .collect()
}

/// Waits, because a killed process needs a moment to end.
fn until_no_process_survives(directory: &Path) {
    until("the end of processes that a run left behind", || {
        surviving_processes(directory).is_empty().then_some(())
    });
}

#[test]
fn crashing_and_hanging_children_give_correct_rows() {
    assert_rows_of_faults(7, 47);
}

#[test]
#[ignore = "long: a thousand runs"]
fn thousand_crashing_runs_give_a_thousand_correct_rows() {
    assert_rows_of_faults(83, 509);
}

/// Sweeps the faulty solvers on boards from size 4 to `largest`, and checks the rows of all `cells` cells.
fn assert_rows_of_faults(largest: usize, cells: usize) {
    let (directory, spec, output) = within_some_limit("only hanging solvers time out", |limit| {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let spec = faulty_cells(largest, &format!("{}s", 2 * limit.as_secs()));
        let output = sweep(directory.path(), &spec, &["--jobs", "2"]);
        let rows = rows(&directory.path().join("r"));
        let is_unexpected_timeout =
            |row: &Row| row.status == Status::Timeout && expected(&row.solver).0 != Status::Timeout;
        (!rows.iter().any(is_unexpected_timeout)).then_some((directory, spec, output))
    });
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    let rows = rows(&directory.path().join("r"));
    let ids: HashSet<&str> = rows.iter().map(|row| row.cell_id.as_str()).collect();
    // Each cell has one counting run and one timed run.
    assert_eq!((rows.len(), ids.len()), (2 * cells, cells));
    rows.iter().for_each(assert_expected);
    until_no_process_survives(directory.path());
    // The repeated command runs nothing, and reports the same.
    let repeated_output = sweep(directory.path(), &spec, &["--jobs", "2"]);
    assert_eq!((repeated_output.status.code(), &repeated_output.stdout), (Some(3), &output.stdout));
}

fn faulty_cells(largest: usize, timeout: &str) -> String {
    let mut spec = sweep_head(&format!("4-{largest}"), timeout);
    let sizes_up_to = |n: usize| format!("4-{}", n.min(largest));
    // This solver comes first, because later enumerations are compared with its boards.
    spec += &solver("backtrack/bitmask", &sizes_up_to(8));
    for fault in ["abort", "panic", "fail", "exit", "garbage", "flood"] {
        spec += &solver(&format!("faults/{fault}"), &format!("4-{largest}"));
    }
    for (fault, sizes) in [
        ("hang", sizes_up_to(5)),
        ("mute", sizes_up_to(4)),
        ("memory", sizes_up_to(9)),
        ("wrong", sizes_up_to(8)),
        ("twice", sizes_up_to(8)),
        ("litter", sizes_up_to(8)),
    ] {
        spec += &solver(&format!("faults/{fault}"), &sizes);
    }
    spec
}

#[test]
fn orphan_neither_delays_its_run_nor_survives_it() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let spec = sweep_head("6", "1h") + &solver("faults/litter", "6");
    let output = sweep(directory.path(), &spec, &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = rows(&directory.path().join("r"));
    assert_eq!(rows.len(), 2);
    for row in &rows {
        assert_expected(row);
        assert!(row.wall_ns < Some(1_800_000_000_000), "the run waited for the orphan: {row:?}");
    }
    until_no_process_survives(directory.path());
}

/// With the goal `first`, the reported board is judged by the rules of the task's problem.
#[test]
fn missing_or_undersized_board_is_wrong() {
    for fault in ["no-board", "small-board"] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let spec = sweep_head("2-3,8", "60s").replace("repeat = 1", "repeat = 1\ngoal = \"first\"");
        let output = sweep(directory.path(), &(spec + &solver(&format!("faults/{fault}"), "2-3,8")), &[]);
        assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
        let rows = rows(&directory.path().join("r"));
        assert_eq!(rows.len(), 6);
        for row in &rows {
            assert_eq!(row.verdict, Verdict::Wrong, "{row:?}");
            let reason = row.reason().expect("a reason");
            assert_wording("sweep", &row.solver, reason);
        }
    }
}

#[test]
fn only_a_matching_pattern_selects_faulty_solvers() {
    for (pattern, is_selected) in [("backtrack/*", false), ("faults/*", true)] {
        let output = Command::new(example("faults"))
            .args(["sweep", "--n", "4", "--solver", pattern, "--dry-run"])
            .output()
            .expect("the program starts");
        assert!(output.status.success(), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout).contains("faults/"), is_selected, "{pattern}");
    }
}
