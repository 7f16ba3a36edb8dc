//! Conditions of runs: pinning to CPUs, parallel jobs, large boards and timeouts; and the findings of `doctor`.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;

use queenlab::record::{Row, Status, Verdict};

use crate::harness::{assert_wording, read, refused_in, rows, run, run_in, scratch, write};
use crate::processes::within_some_limit;

fn spec(sweep: &str, script: &str) -> String {
    format!(
        "schema_version = 1\nname = \"x\"\n[sweep]\n{sweep}\n[[program]]\nid = \"p\"\n\
         command = [\"sh\", \"-c\", {script:?}, \"sh\", \"{{n}}\"]\n"
    )
}

const PRINT_SOLUTIONS: &str = "echo 1 3 0 2; echo 2 0 3 1";

#[test]
fn pinned_run_is_bound_to_the_recorded_cpus() {
    let directory = scratch();
    let script = format!("grep Cpus_allowed_list /proc/self/status >> allowed; {PRINT_SOLUTIONS}");
    write(directory.path(), "x.toml", &spec("n = \"4\"\nrepeat = 2\npin = \"0\"", &script));
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "r"]);
    assert_eq!(code, 0, "{stderr}");
    let status_lines = read(directory.path(), "allowed");
    let cpu_lists: Vec<&str> =
        status_lines.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(cpu_lists, ["0", "0"]);
    let rows = rows(&directory.path().join("r"));
    assert!(rows.iter().all(|row| row.cpu.as_deref() == Some("0")), "{rows:?}");
    // Without --pin, the run may use all CPUs of the machine.
    let unpinned_sweep = ["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--out", "u"];
    assert_eq!(run_in(directory.path(), &unpinned_sweep).0, 0);
    assert!(crate::harness::rows(&directory.path().join("u")).iter().all(|row| row.cpu.is_none()));
}

#[test]
fn invalid_run_conditions_are_refused() {
    for (options, values) in [
        (&["--pin", "1023"][..], ["pin", "1023"]),
        (&["--pin", "0", "--jobs", "2"], ["pin", "2 jobs"]),
        (&["--pin", "x"], ["'x'", "0-3"]),
        (&["--jobs", "0"], ["--jobs", "1024"]),
        (&["--stop-after-timeouts", "0"], ["--stop-after-timeouts", "from 1"]),
    ] {
        let (code, stdout, stderr) = run(&[&["sweep", "--n", "4", "--out", "never"], options].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{options:?}: {stderr}");
        assert!(values.iter().all(|value| stderr.contains(value)), "{options:?}: {stderr}");
        // The rest of the message lists the CPUs of this machine.
        let message = stderr.split(", only ").next().unwrap_or_default();
        assert_wording("sweep", &options.join(" "), message);
    }
}

/// Sizes above 1024. From n = 65,537 on, the number of a column needs more than 16 bits.
#[test]
fn large_boards_are_measured_judged_and_resumed() {
    let directory = scratch();
    let path = directory.path();
    let sweep = ["sweep", "--n", "1000,100000", "--goal", "first", "--repeat", "1", "--out", "r"];
    let sweep =
        [&sweep[..], &["--solver", "local/queen-search:start=random", "--solver", "construct/*"]].concat();
    let (code, stdout, stderr) = run_in(path, &sweep);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let recorded_rows = rows(&path.join("r"));
    let is_correct = |row: &&Row| row.status == Status::Sat && row.verdict == Verdict::Correct;
    assert_eq!((recorded_rows.len(), recorded_rows.iter().filter(is_correct).count()), (8, 8), "{stdout}");
    assert!(recorded_rows.iter().all(|row| row.digest.is_some()));
    let repeated_result = run_in(path, &sweep);
    assert_eq!((repeated_result.0, rows(&path.join("r"))), (0, recorded_rows), "{}", repeated_result.2);
    for (options, limit) in [
        (&["--solver", "backtrack/bitmask"][..], "n = 2000"),
        (&["--variant", "toroidal"], "1024"),
        (&["--n", "10000001"], "10000000"),
        (&["--n", "1-1000000"], "1-1000000"),
    ] {
        let n: &[&str] = if options[0] == "--n" { &[] } else { &["--n", "2000"] };
        let error = refused_in(path, &[&["sweep", "--goal", "first", "--out", "never"], n, options].concat());
        assert!(error.contains(limit), "{options:?}: {error}");
    }
    let program = ["--program", "sh -c 'echo 1 3 0 2' {n}", "--solver", "construct/pauls"];
    let sweep = [&["sweep", "4,2000", "--goal", "first", "--repeat", "1", "-o", "p"][..], &program].concat();
    let result = run_in(path, &sweep);
    assert_eq!(result.0, 0, "{}", result.2);
    let rows_of_program = rows(&path.join("p")).into_iter().filter(|row| row.solver.starts_with("program/"));
    let statuses: BTreeMap<usize, Status> = rows_of_program.map(|row| (row.n, row.status)).collect();
    assert_eq!(statuses, [(4, Status::Sat), (2000, Status::Skipped)].into());
}

#[test]
fn default_solvers_for_large_boards_support_the_size() {
    let directory = scratch();
    let printed_plan = |options: &[&str]| {
        let sweep = [&["sweep", "--dry-run"], options].concat();
        let (code, stdout, stderr) = run_in(directory.path(), &sweep);
        assert_eq!(code, 0, "{stderr}");
        stdout
    };
    let large_plan = printed_plan(&["1000000"]);
    assert!(
        large_plan.contains("local/min-conflicts") && large_plan.contains("construct/pauls"),
        "{large_plan}"
    );
    assert!(large_plan.contains("first") && !large_plan.contains("backtrack/"), "{large_plan}");
    let plan_around_256 = printed_plan(&["256-257", "--goal", "first"]);
    for (solver, sizes) in [("sat/pairwise/varisat", "256"), ("local/queen-search", "256-257")] {
        let line = plan_around_256.lines().find(|line| line.trim_start().starts_with(solver));
        assert!(line.is_some_and(|line| line.contains(&format!("n = {sizes}"))), "{plan_around_256}");
        assert!(!line.is_some_and(|line| sizes == "256" && line.contains("257")), "{plan_around_256}");
    }
    assert!(!printed_plan(&["256"]).contains("local/"));
}

#[test]
fn parallel_runs_are_recorded_and_cause_warning() {
    let directory = scratch();
    let sweep =
        ["sweep", "--n", "4-7", "--solver", "backtrack/*", "--out", "r", "--jobs", "2", "--seed", "5"];
    let (code, stdout, stderr) = run_in(directory.path(), &sweep);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("2 parallel jobs"), "{stdout}");
    assert_wording("sweep", "heading of parallel runs", stdout.lines().next().expect("a heading"));
    let meta: serde_json::Value =
        serde_json::from_str(&read(&directory.path().join("r"), "meta.json")).expect("JSON");
    assert_eq!(meta["sessions"][0]["jobs"], 2);
    let experiment: toml::Table = read(&directory.path().join("r"), "experiment.toml").parse().expect("TOML");
    assert_eq!(experiment["sweep"]["seed"].as_str(), Some("5"));
    assert_wording("sweep", "warning of parallel runs", meta["warnings"][0].as_str().expect("a warning"));
    // A changed number of jobs is a changed plan, because times of different numbers of jobs must not be mixed in one table.
    let sweep_with_one_job = sweep.map(|word| if word == "2" { "1" } else { word });
    let (code, _, stderr) = run_in(directory.path(), &sweep_with_one_job);
    assert_eq!(code, 6, "{stderr}");
    assert!(stderr.contains("    sweep.jobs: 2, now 1\n"), "{stderr}");
}

#[test]
fn larger_boards_are_skipped_after_a_timeout() {
    let script = format!("[ $1 = 4 ] || sleep 3600; {PRINT_SOLUTIONS}");
    let statuses = |rows: &[Row], n: usize| -> Vec<Status> {
        rows.iter().filter(|row| row.n == n).map(|row| row.status).collect()
    };
    let rows = within_some_limit("a program that prints two boards", |limit| {
        let directory = scratch();
        let limit = limit.as_secs();
        let sweep = format!("n = \"4-7\"\nrepeat = 2\ntimeout = \"{limit}s\"\nstop_after_timeouts = 1");
        write(directory.path(), "x.toml", &spec(&sweep, &script));
        let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "r"]);
        assert_eq!(code, 0, "{stderr}");
        let rows = rows(&directory.path().join("r"));
        (!statuses(&rows, 4).contains(&Status::Timeout)).then_some(rows)
    });
    assert_eq!(
        (statuses(&rows, 4), statuses(&rows, 5)),
        (vec![Status::Complete; 2], vec![Status::Timeout; 2])
    );
    assert_eq!(
        (statuses(&rows, 6), statuses(&rows, 7)),
        (vec![Status::Skipped; 2], vec![Status::Skipped; 2])
    );
    let reason =
        rows.iter().find(|row| row.n == 7).and_then(|row| row.outcome_reason.as_deref()).expect("a reason");
    assert!(reason.contains("n = 5") && reason.contains("stop_after_timeouts = 1"), "{reason}");
    assert_wording("sweep", "run skipped after a timeout", reason);
}

#[test]
fn doctor_reports_every_check_and_exits_with_0() {
    let (code, stdout, stderr) = run(&["doctor"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let checks = ["governor", "turbo", "load", "quota", "memory", "accounting"];
    for check in checks {
        let line = stdout.lines().find(|line| line.get(10..).is_some_and(|name| name.starts_with(check)));
        let line = line.unwrap_or_else(|| panic!("no {check}:\n{stdout}"));
        assert!(["fine", "disturbs", "unknown"].contains(&line[..8].trim()), "{line}");
    }
    let (code, stdout, _) = run(&["doctor", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let findings = report["findings"].as_array().expect("a list");
    let names: Vec<&str> = findings.iter().filter_map(|finding| finding["check"].as_str()).collect();
    assert_eq!((code, names), (0, checks.to_vec()));
    for finding in findings {
        assert_eq!(finding["advice"].is_string(), finding["health"] == "disturbs", "{finding}");
    }
}

#[test]
fn row_contains_involuntary_context_switches_and_cpu_stall() {
    let directory = scratch();
    let solver = "[[solver]]\nid = \"backtrack/bitmask\"\n";
    write(directory.path(), "x.toml", &(spec("n = \"4\"\nrepeat = 2", PRINT_SOLUTIONS) + solver));
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "r"]);
    assert_eq!(code, 0, "{stderr}");
    let pressure = std::fs::read_to_string("/proc/pressure/cpu").is_ok();
    for row in rows(&directory.path().join("r")) {
        assert!(row.involuntary_switches.is_some(), "{row:?}");
        assert_eq!((row.cpu_stall_ns.is_some(), row.disturbed.is_some()), (pressure, pressure), "{row:?}");
    }
    let timings = read(&directory.path().join("r"), "timings.csv");
    assert!(timings.lines().next().is_some_and(|header| header.ends_with(",disturbed")), "{timings}");
}
