use std::io;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use runlab::Executor;

use super::*;
use crate::board::published;
use crate::experiment::plan::Cell;
use crate::experiment::reference;
use crate::experiment::stored_results::{self, RowFindings, of_plan};
use crate::record::{Disturbed, Kind, Verdict, table};
use crate::registry::Registry;
use crate::solver::{Level, Stat};
use crate::spec::Spec;

/// A runner that returns scripted answers and does not start processes.
struct ScriptedRunner<'p, F>(&'p Plan, F);

impl<F: FnMut(&Cell, Kind) -> Option<Attempt> + Send> Executor for ScriptedRunner<'_, F> {
    type Measured = Attempt;

    fn run(&mut self, cell: usize, kind: Kind, _cancel: &AtomicBool) -> io::Result<Option<Attempt>> {
        let wall_time_ns = |row: &Row| row.wall_ns.or(Some(5_000_000));
        let measured_run = |attempt: Attempt| Attempt {
            row: Row { wall_ns: wall_time_ns(&attempt.row), ..attempt.row },
            ..attempt
        };
        Ok((self.1)(&self.0.cells[cell], kind).map(measured_run))
    }
}

fn plan(sweep: &str) -> Plan {
    let text = format!(
        "schema_version = 1\nname = \"t\"\n[sweep]\n{sweep}\n[[solver]]\nid = \"backtrack/bitmask\"\n"
    );
    Plan::new(Spec::parse("t", &text).expect("a spec"), &Registry::builtin()).expect("a plan")
}

fn answered_attempt(solutions: u64, digest: Option<String>) -> Option<Attempt> {
    let (solutions, solve_ns) = (Some(solutions), Some(0));
    let row = Row { status: Status::Complete, solutions, solve_ns, digest, ..Row::default() };
    Some(Attempt { row, ..Attempt::default() })
}

fn attempt_with_digest(solutions: u64, digest: &str) -> Option<Attempt> {
    answered_attempt(solutions, Some(digest.to_owned()))
}

fn timeout() -> Option<Attempt> {
    Some(Attempt::failed(Status::Timeout, None))
}

/// An answer with all solutions.
fn correct_answer(n: usize) -> Option<Attempt> {
    attempt_with_digest(published::solutions(n).expect("known"), reference::digest(n).expect("a small board"))
}

/// The error of a sweep that the script interrupted.
#[derive(Debug)]
struct Interrupted;

fn execute_in_directory(
    directory: &std::path::Path,
    plan: &Plan,
    script: impl FnMut(&Cell, Kind) -> Option<Attempt> + Send,
) -> Result<Vec<Row>, Interrupted> {
    let (logs, rows, _) = crate::experiment::open(plan, directory, &|_| {}).expect("a directory");
    let mut logs = logs.with_columns(&rows, &plan.columns()).expect("a directory");
    let harness = plan.run_plan();
    let mut history = History::new(&harness, rows);
    let mut recorder = RunRecorder::new(plan, &mut logs);
    let runners = &mut [ScriptedRunner(plan, script)];
    let cancel = AtomicBool::new(false);
    let result = runlab::execute(&harness, &mut history, runners, &mut recorder, &cancel, &mut |_| {});
    if result.expect("it starts") { Ok(of_plan(history.into_rows(), plan)) } else { Err(Interrupted) }
}

fn rows(plan: &Plan, script: impl FnMut(&Cell, Kind) -> Option<Attempt> + Send) -> Vec<Row> {
    let directory = tempfile::tempdir().expect("temporary directory");
    execute_in_directory(directory.path(), plan, script).expect("no interruption")
}

/// Up to n = 12, the digest of all solutions is known. For larger boards, it is unknown which of two different digests is right.
#[test]
fn right_count_with_wrong_digest_is_not_correct() {
    for (n, verdict) in [(8, Verdict::Wrong), (13, Verdict::Disagree)] {
        let plan = plan(&format!("n = \"{n}\"\nrepeat = 1"));
        let solutions = published::solutions(n).expect("known");
        let digest = reference::digest(n).unwrap_or("x");
        let mut rows = rows(&plan, |_, kind| {
            attempt_with_digest(solutions, if kind == Kind::Counting { digest } else { "y" })
        });
        crate::experiment::verdict::review(&mut rows, |_| true);
        assert_eq!((rows[0].verdict, rows[1].verdict), (Verdict::Correct, verdict), "n = {n}");
    }
}

#[test]
fn existence_answer_is_judged_by_solvability_of_board() {
    let plan = plan("n = \"2-4\"\ngoal = \"first\"\nrepeat = 1");
    let verdict = |solutions, digest: Option<&str>| {
        let digest = digest.map(str::to_owned);
        let rows = rows(&plan, |_, _| answered_attempt(solutions, digest.clone()));
        let statuses: Vec<Status> = rows.iter().map(|row| row.status).collect();
        assert!(statuses.iter().all(|&s| s == if solutions == 0 { Status::Unsat } else { Status::Sat }));
        rows.iter().filter(|row| row.kind == Kind::Counting).map(|row| row.verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdict(0, None), [Verdict::Correct, Verdict::Correct, Verdict::Wrong]);
    assert_eq!(verdict(1, Some("x")), [Verdict::Wrong, Verdict::Wrong, Verdict::Correct]);
    assert_eq!(verdict(1, None), [Verdict::Wrong; 3], "a claim without a board");
}

/// The row without the time at which the run started.
fn without_start_time(row: &Row) -> Row {
    Row { started_at: String::new(), ..row.clone() }
}

#[test]
fn interrupted_and_resumed_sweep_gives_the_same_table() {
    let plan = plan("n = \"4-9\"\nrepeat = 2\nstop_after_timeouts = 2");
    let attempt_of_cell = |cell: &Cell, _| match cell.key.n {
        4 | 6 | 7 | 9 => timeout(),
        n => correct_answer(n),
    };
    let complete_table = rows(&plan, attempt_of_cell);
    assert_eq!(complete_table.len(), plan.runs.len());
    let skipped_sizes: Vec<usize> =
        complete_table.iter().filter(|row| row.status == Status::Skipped).map(|row| row.n).collect();
    assert_eq!(skipped_sizes, [8, 9, 8, 9, 8, 9]);
    let reason = complete_table.iter().find_map(|row| row.outcome_reason.as_deref()).expect("a skipped size");
    assert!(reason.contains("n = 6, 7") && reason.contains("stop_after_timeouts = 2"), "{reason}");
    wording::assert_wording!("runner", "skipped after timeouts", reason);
    assert_eq!(Faults::of(&complete_table).limited, 3 * 3);
    for interrupted_at in 1..=complete_table.len() - skipped_sizes.len() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let calls = Mutex::new(0);
        let script = |cell: &Cell, _| {
            let mut calls = calls.lock().expect("no panic");
            *calls += 1;
            if *calls == interrupted_at { None } else { attempt_of_cell(cell, Kind::Timed) }
        };
        assert!(execute_in_directory(directory.path(), &plan, script).is_err(), "{interrupted_at}");
        let rows = execute_in_directory(directory.path(), &plan, script).expect("interrupted once only");
        assert!(
            rows.iter().map(without_start_time).eq(complete_table.iter().map(without_start_time)),
            "{interrupted_at}"
        );
        let repeated_rows =
            execute_in_directory(directory.path(), &plan, |_, _| panic!("all runs are done")).expect("done");
        assert_eq!(
            (repeated_rows.len(), count_done(&plan, &repeated_rows)),
            (complete_table.len(), plan.runs.len())
        );
    }
}

#[test]
fn repeat_until_replaces_disturbed_runs() {
    let disturbances = |repeat: &str, is_disturbed: fn(u32) -> bool| {
        let plan = plan(&format!("n = \"8\"\nrepeat = {repeat}"));
        let mut calls = 0;
        let rows = rows(&plan, |cell, _| {
            calls += 1;
            let involuntary_switches = Some(u64::from(is_disturbed(calls)));
            let attempt = correct_answer(cell.key.n)?;
            let row = Row { involuntary_switches, cpu_stall_ns: Some(2_000_000), ..attempt.row };
            Some(Attempt { row, ..attempt })
        });
        let timed_rows = rows.iter().filter(|row| row.kind != Kind::Counting);
        timed_rows.map(|row| row.disturbed.expect("known")).collect::<Vec<_>>()
    };
    use Disturbed::{No, Replaced, Yes};
    // The first run is the counting run.
    assert_eq!(disturbances("3", |call| call == 3), [No, Yes, No]);
    let repeat_until = "\"until 2%, at most 9\"";
    assert_eq!(
        disturbances(repeat_until, |call| call == 3 || call == 5),
        [No, Replaced, No, Replaced, No, No, No, No]
    );
}

#[test]
fn disturbance_is_unknown_without_its_measures() {
    let measured_row =
        Row { involuntary_switches: Some(1), cpu_stall_ns: Some(1), wall_ns: Some(1), ..Row::default() };
    let run = runlab::Run { cell: 0, round: 1, kind: Kind::Timed, repetition: 1 };
    let disturbance = |row: &Row| attempt::disturbance(row, &run, runlab::Repeat::times(1));
    assert_eq!(disturbance(&measured_row), Some(Disturbed::No));
    assert_eq!(disturbance(&Row { cpu_stall_ns: None, ..measured_row.clone() }), None);
    assert_eq!(disturbance(&Row { involuntary_switches: None, ..measured_row }), None);
}

/// Checks that these rows and levels can be read without a remark.
fn assert_readable(plan: &Plan, rows: &[Row], levels: &[LevelRow]) {
    let findings = stored_results::check(std::path::Path::new("r"), &mut rows.to_vec(), levels, Some(plan));
    assert_eq!(findings.expect("what a sweep writes is read"), RowFindings::default());
}

#[test]
fn run_with_impossible_levels_has_status_crashed() {
    let plan = plan("n = \"8\"\nrepeat = 2\ngoal = \"enumerate\"");
    let level = Level { nodes: 1, dead_ends: 0 };
    let statistics = |nodes: u64| [(Stat::Nodes, nodes)].into_iter().collect();
    for (levels, nodes, expected) in [
        (9, 9, Status::Complete),
        (10, 10, Status::Crashed),
        (4000, 4000, Status::Crashed),
        (9, 8, Status::Crashed),
    ] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let rows = execute_in_directory(directory.path(), &plan, |cell, _| {
            let attempt = correct_answer(cell.key.n)?;
            let row = Row { stats: statistics(nodes), ..attempt.row };
            Some(Attempt { row, levels: vec![level; levels], ..attempt })
        })
        .expect("no interruption");
        let statuses: Vec<Status> = rows.iter().map(|row| row.status).collect();
        // Only the levels of a counting run are read.
        assert_eq!(statuses, [expected, Status::Complete, Status::Complete]);
        let (levels, _) = table::read::<LevelRow>(directory.path()).expect("a table");
        assert_eq!(levels.len(), if expected == Status::Complete { 9 } else { 0 });
        assert_readable(&plan, &rows, &levels);
    }
}

#[test]
fn answer_after_a_limit_counts_as_stopped() {
    const SECOND: u64 = 1_000_000_000;
    let plan = plan(
        "n = \"8\"\nrepeat = 1\ngoal = \"count\"\ntimeout = \"1s\"\ncpu_timeout = \"1s\"\nmemory = \"1MiB\"",
    );
    for (wall, cpu, memory, expected) in [
        (SECOND, SECOND / 2, 1 << 20, Status::Complete),
        (SECOND + SECOND / 10, 0, 0, Status::Complete),
        (SECOND + SECOND / 10 + 1, 0, 0, Status::Timeout),
        (u64::MAX, u64::MAX, u64::MAX, Status::Timeout),
        (0, SECOND / 2 + 1, 0, Status::Timeout),
        (0, 0, (1 << 20) + 1, Status::Memout),
    ] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let rows = execute_in_directory(directory.path(), &plan, |_, _| {
            let attempt = answered_attempt(92, None)?;
            let row = Row {
                wall_ns: Some(wall),
                cpu_user_ns: Some(cpu),
                cpu_sys_ns: Some(cpu),
                peak_rss_bytes: Some(memory),
                ..attempt.row
            };
            Some(Attempt { row, ..attempt })
        })
        .expect("no interruption");
        for row in &rows {
            assert_eq!(
                (row.status, row.solve_ns.is_some()),
                (expected, expected == Status::Complete),
                "{row:?}"
            );
            assert_eq!(row.stopped_ns().is_some(), expected != Status::Complete);
        }
        assert_readable(&plan, &rows, &[]);
    }
}
