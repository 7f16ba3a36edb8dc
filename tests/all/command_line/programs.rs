//! `[[program]]`: a user's program is timed and judged like a built-in solver. If the program fails, the sweep continues.
#![cfg(unix)]

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use queenlab::record::{CrosscheckRow, Kind, Row, Status, TimingsRow, Verdict};
use queenlab::solver::Stat;

use crate::harness::{assert_wording, queenlab, read, refused_in, rows, rows_of, run_in, scratch, write};
#[cfg(target_os = "linux")]
use crate::processes::{until_gone, within_some_limit};

/// Runs a sweep of 4 queens with a shell script as the program. Returns the exit code, standard error and the rows.
fn sweep(directory: &Path, script: &str, options: &[&str]) -> (i32, String, Vec<Row>) {
    write(directory, "queens.sh", script);
    let spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\nrepeat = 2\n[[solver]]\n\
                id = \"backtrack/bitmask\"\n[[program]]\nid = \"mine\"\n\
                command = [\"sh\", \"queens.sh\", \"{n}\"]\n";
    write(directory, "x.toml", spec);
    let (code, _, stderr) =
        run_in(directory, &[&["sweep", "x.toml", "--out", "r", "--progress", "plain"], options].concat());
    let rows = rows(&directory.join("r"));
    let (program_rows, others): (Vec<Row>, Vec<Row>) =
        rows.into_iter().partition(|row| row.solver == "program/mine");
    assert!(others.iter().all(|row| row.verdict == Verdict::Correct), "{others:?}");
    assert_eq!((program_rows.len(), others.len()), (2, 3));
    (code, stderr, program_rows)
}

#[test]
fn program_that_prints_the_solutions_is_correct() {
    for boards in [
        "1 3 0 2\n2 0 3 1",
        ". Q . .\n. . . Q\nQ . . .\n. . Q .\n\n. . Q .\nQ . . .\n. . . Q\n. Q . .",
        "b1 d2 a3 c4\nc1 a2 d3 b4",
    ] {
        let directory = scratch();
        let script = format!("[ \"$1\" = 4 ] || exit 9\ncat <<end\n{boards}\nend\n");
        let (code, stderr, rows_of_mine) = sweep(directory.path(), &script, &[]);
        assert_eq!(code, 0, "{boards}: {stderr}");
        for row in rows_of_mine {
            assert_eq!((row.status, row.verdict), (Status::Complete, Verdict::Correct), "{row:?}");
            assert_eq!((row.solutions, row.kind, row.stats.get(Stat::Nodes)), (Some(2), Kind::Timed, None));
            assert!(row.solve_ns.is_some());
        }
    }
}

#[test]
fn wrong_program_is_reported_with_check_command() {
    // In the explanation, this text precedes the command that shows the wrong answer.
    const COMMAND_PREFIX: &str = ": queenlab ";
    for (goal, script) in [("enumerate", "echo 1 3 0 2"), ("first", "echo 0 1 2 3"), ("count", "echo 3")] {
        let directory = scratch();
        let (code, stderr, _) = sweep(directory.path(), script, &["--goal", goal]);
        assert_eq!(code, 3, "{stderr}");
        let explanation = stderr
            .lines()
            .find(|explanation| explanation.contains(COMMAND_PREFIX))
            .unwrap_or_else(|| panic!("{stderr}"));
        assert_wording("sweep", &format!("command that shows the mistake, {goal}"), explanation);
        let (_, command) = explanation.split_once(COMMAND_PREFIX).expect("a command");
        let words: Vec<&str> = command.split(' ').collect();
        assert!(words.ends_with(&["--", "sh", "queens.sh", "4"]), "{words:?}");
        let (code, stdout, stderr) = run_in(directory.path(), &words);
        assert!(code == 3 && stdout.starts_with("wrong: "), "{stdout}{stderr}");
        assert_wording("check", &format!("wrong program, {goal}"), &stdout);
    }
    let directory = scratch();
    let (_, stderr, _) = sweep(directory.path(), "echo 1 3 0 2; echo 2 0 3 1", &[]);
    assert!(!stderr.contains(COMMAND_PREFIX), "{stderr}");
}

#[test]
fn program_answers_are_judged_by_goal() {
    for (goal, printed, verdict) in [
        ("count", "2", Verdict::Correct),
        ("count", "3", Verdict::Wrong),
        ("first", "2 0 3 1", Verdict::Correct),
        ("first", "no solution", Verdict::Wrong),
        ("count", "Found 2 solutions in 0.1 s", Verdict::Correct),
    ] {
        let directory = scratch();
        let (code, stderr, rows_of_mine) =
            sweep(directory.path(), &format!("echo {printed}"), &["--goal", goal]);
        assert_eq!(code, if verdict == Verdict::Correct { 0 } else { 3 }, "{goal} {printed}: {stderr}");
        assert!(rows_of_mine.iter().all(|row| row.verdict == verdict), "{goal} {printed}: {rows_of_mine:?}");
    }
}

#[test]
fn wrong_answer_is_recorded_and_exits_with_3() {
    for script in [
        "echo 1 3 0 2; echo 0 1 2 3",
        "echo 1 3 0 2",
        "echo 1 3 0 2; echo 2 0 3 1; echo 2 0 3 1",
        "echo 1 3 0 2; echo 1 3 0 2",
    ] {
        let directory = scratch();
        let (code, stderr, rows_of_mine) = sweep(directory.path(), script, &[]);
        assert_eq!(code, 3, "{script}: {stderr}");
        for row in rows_of_mine {
            assert_eq!(row.status, Status::Complete, "{script}: {row:?}");
            assert!(row.verdict.is_fault(), "{script}: {row:?}");
            assert_eq!(row.expected_solutions, Some(2));
            let reason = row.verdict_reason.expect("a reason");
            assert_wording("sweep", &format!("wrong: {script}"), &reason);
            assert!(stderr.contains(&format!("n=4 program/mine: wrong: {reason}\n")), "{stderr}");
        }
        let checks = read(&directory.path().join("r"), "crosscheck.csv");
        assert!(
            checks.lines().any(|line| line.contains("program/mine") && line.contains("false")),
            "{checks}"
        );
    }
}

#[test]
fn wrong_answer_on_closed_output_exits_with_3() {
    let directory = scratch();
    assert_eq!(sweep(directory.path(), "echo 0 1 2 3", &[]).0, 3);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_queenlab"))
        .args(["sweep", "x.toml", "--out", "r"])
        .current_dir(directory.path())
        .stdout(writer)
        .output()
        .expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(!stderr.contains("Broken pipe") && stderr.contains("program/mine"), "{stderr}");
}

#[test]
fn failing_program_is_recorded_and_exits_with_1() {
    for (script, value, (code, signal)) in [
        ("echo 1 3 0 2; echo 'no more queens' >&2; exit 1", "no more queens", (Some(1), None)),
        ("kill -KILL $$", "SIGKILL", (None, Some(9))),
    ] {
        let directory = scratch();
        let (exit, stderr, rows_of_mine) = sweep(directory.path(), script, &[]);
        assert_eq!(exit, 1, "{script}: {stderr}");
        for row in rows_of_mine {
            assert_eq!((row.status, row.verdict), (Status::Crashed, Verdict::Unchecked), "{row:?}");
            assert_eq!((row.exit_code, row.signal), (code, signal), "{row:?}");
            assert_eq!((row.solve_ns, row.solutions), (None, None));
            let reason = row.outcome_reason.expect("a reason");
            assert!(reason.contains(value), "{reason}");
            assert_wording("sweep", &format!("crashed: {script}"), &reason);
        }
        assert!(stderr.contains("n=4 program/mine: crashed: "), "{stderr}");
    }
}

/// The solutions of 4 queens are 1 3 0 2 and 2 0 3 1.
#[test]
fn missing_and_extra_boards_are_reported_without_rerun() {
    for (boards, missing, illegal, first) in [
        ("1 3 0 2", 1, 0, "2 0 3 1"),
        ("1 3 0 2\n2 0 3 1\n0 1 2 3", 0, 1, "0 1 2 3"),
        ("1 3 0 2\n3 1 0 2", 1, 1, "3 1 0 2"),
    ] {
        let directory = scratch();
        let script = format!("echo once >> \"{}/log\"; printf '{boards}\\n'", directory.path().display());
        let (code, stderr, rows_of_mine) = sweep(directory.path(), &script, &[]);
        assert_eq!((code, rows_of_mine[0].verdict), (3, Verdict::Wrong), "{stderr}");
        assert_eq!(
            read(directory.path(), "log").lines().count(),
            rows_of_mine.len(),
            "only the sweep must start the program"
        );
        let comparisons = rows_of::<CrosscheckRow>(&directory.path().join("r"));
        let row = comparisons
            .iter()
            .find(|row| row.missing.is_some() && !row.agrees)
            .expect("a comparison of boards");
        assert_eq!((row.missing, row.illegal), (Some(missing), Some(illegal)), "{row:?}");
        assert!(row.first_difference.as_deref().is_some_and(|text| text.ends_with(first)), "{row:?}");
        let queen: usize = first.split(' ').next().expect("a row").parse().expect("a column");
        let drawn_row: Vec<&str> =
            (0..4).map(|column: usize| if column == queen { "Q" } else { "." }).collect();
        assert!(stderr.lines().any(|line| line.trim() == drawn_row.join(" ")), "{stderr}");
    }
}

#[test]
fn report_prints_output_of_failed_run() {
    for (script, status) in [
        ("echo one; echo two >&2; exit 1", Status::Crashed),
        ("echo one; echo two >&2; exec yes", Status::Crashed),
        ("echo one; echo two >&2; echo 'what a day'", Status::Unreadable),
        ("echo one; echo two >&2; echo 1 3 0 2; echo 0 1 2 3", Status::Complete),
    ] {
        let directory = scratch();
        let (_, stderr, rows_of_mine) = sweep(directory.path(), script, &[]);
        assert_eq!(rows_of_mine[0].status, status, "{stderr}");
        let report_of = |id: &str| run_in(directory.path(), &["report", "r", "--run", id]);
        for row in &rows_of_mine {
            let (code, stdout, stderr) = report_of(&row.run_id);
            assert_eq!(
                (code, stdout),
                (0, read(directory.path(), &format!("r/outputs/{}.txt", row.run_id))),
                "{stderr}"
            );
            let lines: Vec<String> = read(directory.path(), &format!("r/outputs/{}.txt", row.run_id))
                .lines()
                .map(str::to_owned)
                .collect();
            assert!(lines.contains(&"one".to_owned()) && lines.contains(&"two".to_owned()), "{lines:?}");
        }
        assert!(
            read(directory.path(), "r/report.html")
                .contains(&format!("outputs/{}.txt", rows_of_mine[0].run_id))
        );
        let correct_row =
            rows(&directory.path().join("r")).into_iter().find(|row| row.verdict == Verdict::Correct);
        for id in [correct_row.expect("a run of the built-in solver").run_id.as_str(), "../runs", "x"] {
            let (code, stdout, stderr) = report_of(id);
            assert_eq!((code, stdout.as_str(), stderr.lines().count()), (2, "", 1), "{id}: {stderr}");
        }
    }
}

/// A program is killed when its output exceeds the limit.
#[test]
fn program_that_prints_too_much_is_killed() {
    let directory = scratch();
    let (code, stderr, rows_of_mine) = sweep(directory.path(), "exec yes", &[]);
    assert_eq!(code, 1, "{stderr}");
    for row in rows_of_mine {
        assert_eq!((row.status, row.exit_code, row.signal), (Status::Crashed, None, Some(9)), "{row:?}");
    }
}

/// For external SAT solvers and model counters, the output of the last call is kept if the call failed or the answer was wrong.
#[test]
fn report_prints_output_of_failed_sat_solver() {
    let directory = scratch();
    let spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\nrepeat = 1\ngoal = \"count\"\n\
                [[solver]]\nid = \"sat/pairwise/{crashes,result}\"\n[[solver]]\nid = \"counter/pairwise/{crashes,wrong}\"\n\
                [[sat]]\nid = \"crashes\"\ncommand = \"sh -c 'echo c one; echo two >&2; exit 1' {cnf}\"\n\
                [[sat]]\nid = \"result\"\ncommand = \"sh -c 'echo c one; echo two >&2; echo SAT > $1; exit 1' {cnf} {result}\"\n\
                [[counter]]\nid = \"crashes\"\ncommand = \"sh -c 'echo c one; echo two >&2; exit 1' {cnf}\"\n\
                [[counter]]\nid = \"wrong\"\ncommand = \"sh -c 'echo c one; echo s mc 7' {cnf}\"\n";
    write(directory.path(), "x.toml", spec);
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "r"]);
    assert_eq!(code, 3, "{stderr}");
    let rows = rows(&directory.path().join("r"));
    assert_eq!(rows.len(), 8);
    for row in rows {
        let (code, stdout, stderr) = run_in(directory.path(), &["report", "r", "--run", &row.run_id]);
        assert_eq!(code, 0, "{}: {stderr}", row.solver);
        assert!(stdout.lines().any(|line| line == "c one"), "{}: {stdout}", row.solver);
    }
}

#[test]
fn option_retry_records_attempts_and_counts_last_attempt() {
    let directory = scratch();
    let flag = directory.path().join("flag").display().to_string();
    let script = format!("[ -e '{flag}' ] || {{ echo no flag; exit 7; }}; printf '1 3 0 2\\n2 0 3 1\\n'");
    let (code, _, rows_of_mine) = sweep(directory.path(), &script, &[]);
    assert_eq!((code, rows_of_mine[0].status, rows_of_mine[0].attempt), (1, Status::Crashed, Some(1)));
    let sweep_again = |options: &[&str]| {
        let (code, _, stderr) =
            run_in(directory.path(), &[&["sweep", "x.toml", "--out", "r"], options].concat());
        let rows = rows(&directory.path().join("r"));
        let rows_of_mine = rows.into_iter().filter(|row| row.solver == "program/mine");
        (code, rows_of_mine.map(|row| (row.status, row.attempt)).collect::<Vec<_>>(), stderr)
    };
    let crashed_attempt = |attempt| (Status::Crashed, Some(attempt));
    assert_eq!(sweep_again(&[]).1, [crashed_attempt(1); 2], "without --retry, no run is repeated");
    assert_eq!(
        sweep_again(&["--retry", "timeout,unreadable"]).1,
        [crashed_attempt(1); 2],
        "runs with another status are not repeated"
    );
    assert_eq!(
        sweep_again(&["--retry", "failed"]).1,
        [crashed_attempt(1), crashed_attempt(1), crashed_attempt(2), crashed_attempt(2)]
    );
    write(directory.path(), "flag", "");
    let complete_attempt = (Status::Complete, Some(3));
    let expected_attempts = [
        crashed_attempt(1),
        crashed_attempt(1),
        crashed_attempt(2),
        crashed_attempt(2),
        complete_attempt,
        complete_attempt,
    ];
    let (code, attempts, stderr) = sweep_again(&["--retry", "crashed"]);
    assert_eq!((code, &attempts[..]), (0, &expected_attempts[..]), "{stderr}");
    assert!(read(directory.path(), "r/report.html").contains("2 repeated"));
    let timings = rows_of::<TimingsRow>(&directory.path().join("r"));
    let cell = timings.iter().find(|cell| cell.solver == "program/mine").expect("a cell");
    assert_eq!((cell.runs, cell.solved, cell.crashed), (2, 2, 0));
    assert_eq!(std::fs::read_dir(directory.path().join("r/outputs")).expect("a directory").count(), 0);
    let (code, attempts, _) = sweep_again(&["--retry", "failed,unknown,memout,skipped"]);
    assert_eq!((code, &attempts[..]), (0, &expected_attempts[..]), "no run has one of these statuses");
    let (code, _, stderr) = sweep_again(&["--retry", "complete"]);
    assert_eq!(code, 2, "{stderr}");
    // A row that repeats the number of an attempt is refused.
    let table = read(directory.path(), "r/runs.csv");
    let last_row = table.lines().last().expect("a row");
    write(directory.path(), "r/runs.csv", &format!("{table}{last_row}\n"));
    let (code, _, stderr) = run_in(directory.path(), &["report", "r"]);
    assert!(code == 2 && stderr.contains("runs.csv: line "), "{stderr}");
}

#[test]
fn run_of_solver_that_gives_up_is_unknown() {
    let directory = scratch();
    let spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\nrepeat = 2\ntimeout = \"1h\"\ngoal = \"count\"\n\
                [[solver]]\nid = \"backtrack/bitmask\"\n[[solver]]\nid = \"sat/pairwise/{says,ends}\"\n\
                [[solver]]\nid = \"counter/pairwise/mc\"\n\
                [[sat]]\nid = \"says\"\ncommand = \"sh -c 'echo s UNKNOWN' {cnf}\"\n\
                [[sat]]\nid = \"ends\"\ncommand = \"sh -c 'exit 9' {cnf}\"\nunknown_exit_codes = [9]\n\
                [[counter]]\nid = \"mc\"\ncommand = \"sh -c 'exit 9' {cnf}\"\nunknown_exit_codes = [9]\n\
                [[program]]\nid = \"prints\"\ncommand = [\"echo\", \"Unknown\"]\n\
                [[program]]\nid = \"stops\"\ncommand = [\"sh\", \"-c\", \"echo 2; exit 9\"]\nunknown_exit_codes = [9]\n";
    write(directory.path(), "x.toml", spec);
    let (exit, stdout, stderr) = run_in(
        directory.path(),
        &["sweep", "x.toml", "--out", "r", "--fail-on-timeout", "--progress", "plain"],
    );
    assert_eq!(exit, 0, "{stderr}");
    let rows = rows(&directory.path().join("r"));
    let (solved, others): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| row.solver == "backtrack/bitmask");
    assert!(solved.iter().all(|row| row.verdict == Verdict::Correct), "{solved:?}");
    let solvers: HashSet<&str> = others.iter().map(|row| row.solver.as_str()).collect();
    assert_eq!(solvers.len(), 5);
    for row in &others {
        assert_eq!((row.status, row.verdict, row.solutions), (Status::Unknown, Verdict::Unchecked, None));
        assert!(row.wall_ns.is_some() && row.solve_ns.is_none(), "{row:?}");
        let code = if row.solver.as_str().contains("says") || row.solver == "program/prints" { 0 } else { 9 };
        let reason = row.outcome_reason.as_deref().expect("a reason");
        assert!(code == 0 || reason.contains('9'), "{reason}");
        assert_wording("sweep", &format!("unknown: {}", row.solver), reason);
    }
    for cell in rows_of::<TimingsRow>(&directory.path().join("r")) {
        let is_unknown = cell.solver != "backtrack/bitmask";
        assert_eq!((cell.solved, cell.unknown), if is_unknown { (0, 2) } else { (2, 0) }, "{cell:?}");
        assert_eq!(cell.par2_ns == Some(2 * 3_600_000_000_000), is_unknown, "{cell:?}");
        assert_eq!((cell.timeouts, cell.crashed), (0, 0));
    }
    let line =
        stdout.lines().find(|line| line.contains("gave up, ")).expect("the number of runs that gave up");
    assert!(line.contains(&format!(" {} gave up", others.len())), "{line}");
    // When the command is repeated, no row is refused and no run is repeated.
    let (exit, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "r"]);
    assert_eq!((exit, self::rows(&directory.path().join("r")).len()), (0, rows.len()), "{stderr}");
}

#[test]
fn unreadable_output_is_recorded_and_exits_with_1() {
    for (goal, script) in [
        ("enumerate", "echo what a lovely day"),
        ("enumerate", "echo 2"),
        ("count", "echo there are 2 of them"),
        ("first", "true"),
    ] {
        let directory = scratch();
        let (exit, stderr, rows_of_mine) = sweep(directory.path(), script, &["--goal", goal]);
        assert_eq!(exit, 1, "{script}: {stderr}");
        for row in rows_of_mine {
            assert_eq!((row.status, row.verdict), (Status::Unreadable, Verdict::Unchecked), "{row:?}");
            assert_eq!((row.exit_code, row.signal), (Some(0), None), "{row:?}");
            assert_eq!((row.solve_ns, row.solutions), (None, None));
            assert_wording("sweep", &format!("unreadable: {script}"), &row.outcome_reason.expect("a reason"));
        }
        assert!(stderr.contains("n=4 program/mine: unreadable: "), "{stderr}");
    }
}

/// For a size without solutions, a program may print nothing, as textbook programs do for n = 2 and 3.
#[test]
fn empty_output_is_not_read_as_unsatisfiable() {
    let directory = scratch();
    let statuses = |variant: &str, n: &str, goal: &str, script: &str| {
        write(directory.path(), "queens.sh", script);
        let spec = format!(
            "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"{n}\"\ngoal = \"{goal}\"\nvariant = \"{variant}\"\n\
             repeat = 1\n[[program]]\nid = \"mine\"\ncommand = [\"sh\", \"queens.sh\", \"{{n}}\", \"{{variant}}\"]\n"
        );
        write(directory.path(), "x.toml", &spec);
        let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "r", "--fresh"]);
        let mut rows = rows(&directory.path().join("r"));
        rows.sort_by_key(|row| row.n);
        (code, rows.iter().map(|row| (row.status, row.verdict)).collect::<Vec<_>>(), stderr)
    };
    let placed = "queens;place=0:0";
    let (code, rows, stderr) = statuses(placed, "18", "first", "true");
    assert_eq!((code, rows), (1, vec![(Status::Unreadable, Verdict::Unchecked)]), "{stderr}");
    let (code, rows, stderr) = statuses(placed, "18", "first", "echo no solution");
    assert_eq!((code, rows), (0, vec![(Status::Unsat, Verdict::Unchecked)]), "{stderr}");
    let (code, rows, stderr) = statuses(placed, "18", "enumerate", "true");
    assert_eq!((code, rows), (0, vec![(Status::Complete, Verdict::Unchecked)]), "{stderr}");
    for goal in ["first", "enumerate"] {
        let (code, rows, stderr) = statuses("queens", "2-3", goal, "true");
        let status = if goal == "first" { Status::Unsat } else { Status::Complete };
        assert_eq!((code, rows), (0, vec![(status, Verdict::Correct); 2]), "{goal}: {stderr}");
    }
}

/// A SAT solver exits with code 10 if it finds a model, and with code 20 if the formula is unsatisfiable.
#[test]
fn accepted_exit_codes_are_not_crashes() {
    let directory = scratch();
    write(directory.path(), "queens.sh", "[ $1 = 4 ] || exit 20\necho 1 3 0 2\nexit 10\n");
    let spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"3-4\"\ngoal = \"first\"\nrepeat = 1\n\
                [[program]]\nid = \"mine\"\ncommand = [\"sh\", \"queens.sh\", \"{n}\"]\n";
    let verdicts = |spec: &str, out: &str| {
        write(directory.path(), "x.toml", spec);
        let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", out]);
        let mut rows = rows(&directory.path().join(out));
        rows.sort_by_key(|row| row.n);
        (code, rows.iter().map(|row| (row.status, row.exit_code)).collect::<Vec<_>>(), stderr)
    };
    let (code, crashed, stderr) = verdicts(spec, "strict");
    let expected = vec![(Status::Crashed, Some(20)), (Status::Crashed, Some(10))];
    assert_eq!((code, crashed), (1, expected), "{stderr}");
    let (code, accepted, stderr) = verdicts(&format!("{spec}accept_exit_codes = [0, 10, 20]\n"), "lenient");
    let expected = vec![(Status::Unsat, Some(20)), (Status::Sat, Some(10))];
    assert_eq!((code, accepted), (0, expected), "{stderr}");
}

/// A corrected program is a different program. Its sweep is not resumed without `--accept`, and the old runs do not count in the
/// results.
#[test]
fn changed_program_is_refused_or_starts_new_cells() {
    let directory = scratch();
    assert_eq!(sweep(directory.path(), "echo 1 3 0 2", &[]).0, 3);
    write(directory.path(), "queens.sh", "echo 1 3 0 2; echo 2 0 3 1");
    let command = ["sweep", "x.toml", "--out", "r"];
    let (code, _, stderr) = run_in(directory.path(), &command);
    assert_eq!(code, 6, "{stderr}");
    assert!(
        ["queens.sh", "--fresh", "--accept", "--out"].iter().all(|value| stderr.contains(value)),
        "{stderr}"
    );
    assert_wording("sweep", "resume with a changed program", &stderr);

    let (code, _, stderr) = run_in(directory.path(), &[&command[..], &["--accept"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let out = directory.path().join("r");
    let all_rows = rows(&out);
    let rows_of_mine =
        |verdict| all_rows.iter().filter(move |row| row.solver == "program/mine" && row.verdict == verdict);
    assert_eq!(
        (rows_of_mine(Verdict::Wrong).count(), rows_of_mine(Verdict::Correct).count()),
        (2, 2),
        "old and new runs must be in the table"
    );
    let cells: HashSet<&str> = rows_of_mine(Verdict::Wrong).map(|row| row.cell_id.as_str()).collect();
    assert!(rows_of_mine(Verdict::Correct).all(|row| !cells.contains(row.cell_id.as_str())));
    // The derived tables contain only the new program, after the sweep and after `report`.
    let timings = || {
        let timings_row = rows_of::<TimingsRow>(&out)
            .into_iter()
            .find(|row| row.solver == "program/mine")
            .expect("a timed cell");
        (timings_row.runs, timings_row.solved)
    };
    assert_eq!(timings(), (2, 2));
    assert_eq!(run_in(directory.path(), &["report", "r"]).0, 0);
    assert_eq!(timings(), (2, 2));
    assert_eq!(run_in(directory.path(), &command).0, 0, "the sweep with the new program must be resumable");
}

#[test]
fn option_fresh_starts_over_and_preserves_old_results() {
    let directory = scratch();
    assert_eq!(sweep(directory.path(), "echo 1 3 0 2", &[]).0, 3);
    let table_before = read(&directory.path().join("r"), "runs.csv");
    let (code, stderr, rows_of_mine) = sweep(directory.path(), "echo 1 3 0 2; echo 2 0 3 1", &["--fresh"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(rows_of_mine.iter().all(|row| row.verdict == Verdict::Correct));
    let moved = stderr.lines().find(|line| line.contains("r.old-1")).unwrap_or_else(|| panic!("{stderr}"));
    assert_wording("sweep", "fresh", moved);
    assert_eq!(read(&directory.path().join("r.old-1"), "runs.csv"), table_before);
    std::fs::create_dir(directory.path().join("precious")).expect("a directory");
    write(directory.path(), "precious/file", "");
    let error = refused_in(directory.path(), &["sweep", "x.toml", "--out", "precious", "--fresh"]);
    assert!(error.starts_with("error: precious: "), "{error}");
}

/// The program appends a line to its own file.
#[test]
fn program_that_changes_during_the_sweep_is_reported() {
    let directory = scratch();
    let script = "echo 1 3 0 2; echo 2 0 3 1; echo '#' >> queens.sh";
    let (code, stderr, _) = sweep(directory.path(), script, &[]);
    assert_eq!(code, 0, "{stderr}");
    let warning = stderr.lines().find(|line| line.contains("queens.sh") && line.starts_with("warning: "));
    assert_wording(
        "sweep",
        "program that changes during the sweep",
        warning.unwrap_or_else(|| panic!("{stderr}")),
    );
    assert_eq!(run_in(directory.path(), &["sweep", "x.toml", "--out", "r"]).0, 6);
}

#[test]
fn option_program_needs_no_experiment_file() {
    let directory = scratch();
    write(directory.path(), "mine.sh", "[ $1 = 4 ] && echo 1 3 0 2 && echo 2 0 3 1\nexit 0\n");
    let call = ["sweep", "4,3", "--program", "sh mine.sh {n}", "--repeat", "1", "-o", "r", "-j", "2"];
    let (code, stdout, stderr) = run_in(directory.path(), &call);
    assert_eq!(code, 0, "{stderr}");
    let rows = rows(&directory.path().join("r"));
    let sizes = rows.iter().filter(|row| row.solver == "program/mine").map(|row| row.n);
    let mut sizes: Vec<_> = sizes.collect();
    // The two runs are parallel, and their order may vary.
    sizes.sort_unstable();
    assert_eq!(sizes, [3, 4]);
    assert!(rows.iter().any(|row| row.solver == "backtrack/bitmask") && stdout.contains("program/mine"));
    // The boards of the program are compared with those of a SAT solver.
    let crosscheck = read(&directory.path().join("r"), "crosscheck.csv");
    assert!(crosscheck.contains(",4,queens,enumerate,program/mine,sat/pairwise/varisat,2,"), "{crosscheck}");
    let plan_line_of_sat = |sizes: &str| {
        let call = ["sweep", sizes, "--program", "sh mine.sh {n}", "--dry-run"];
        run_in(directory.path(), &call).1.lines().find(|line| line.contains("sat/")).map(str::to_owned)
    };
    assert_eq!(plan_line_of_sat("8-12").as_deref(), Some("  sat/pairwise/varisat   n = 8-10"));
    assert_eq!(plan_line_of_sat("11-12"), None);
    let error = refused_in(directory.path(), &["sweep", "4", "--program", "sh mine.sh {n} {size}"]);
    assert!(error.starts_with("error: --program: ") && error.contains("{size}"), "{error}");
}

/// The program reads the size from standard input, as in `check`.
#[test]
fn program_without_placeholder_reads_size_from_input() {
    let directory = scratch();
    let text = "read n; [ $n = 4 ] && echo 1 3 0 2 && echo 2 0 3 1; read more && echo 0 0 0 0; exit 0\n";
    for folder in ["a", "b"] {
        fs::create_dir(directory.path().join(folder)).expect("a folder");
        write(directory.path(), &format!("{folder}/mine.sh"), text);
    }
    let programs = ["--program", "sh a/mine.sh", "--program", "sh b/mine.sh"];
    let call = [&["sweep", "3,4", "--repeat", "1", "-o", "r"][..], &programs].concat();
    let (code, _, stderr) = run_in(directory.path(), &call);
    assert_eq!(code, 0, "{stderr}");
    let rows = rows(&directory.path().join("r"));
    for id in ["program/mine", "program/b-mine"] {
        let rows_of_program = rows.iter().filter(|row| row.solver == id);
        let verdicts: Vec<_> = rows_of_program.map(|row| (row.n, row.verdict)).collect();
        assert!(verdicts.len() == 2 && verdicts.iter().all(|(_, verdict)| *verdict == Verdict::Correct));
    }
}

#[test]
fn stored_experiment_with_programs_can_be_rerun() {
    let directory = scratch();
    write(directory.path(), "my queens.sh", "[ $1 = 4 ] && echo 1 3 0 2 && echo 2 0 3 1\nexit 0\n");
    let call = ["sweep", "4", "--repeat", "1", "--out", "r", "--program", "sh 'my queens.sh' \"{n}\""];
    assert_eq!(run_in(directory.path(), &call).0, 0);
    let text = read(directory.path(), "r/experiment.toml");
    write(directory.path(), "mine.toml", &text.replace("name = \"custom-", "name = \"mine-"));
    let call = ["sweep", "mine.toml", "--out", "mine", "--quiet"];
    let (code, _, stderr) = run_in(directory.path(), &call);
    assert_eq!(code, 0, "{stderr}");
    let rows = rows(&directory.path().join("mine"));
    let rows_of_mine: Vec<_> = rows.iter().filter(|row| row.solver == "program/my-queens").collect();
    assert!(rows_of_mine.len() == 1 && rows_of_mine[0].verdict == Verdict::Correct, "{rows_of_mine:?}");
}

#[test]
fn program_that_cannot_start_prevents_the_sweep() {
    let directory = scratch();
    let spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\nrepeat = 1\n[[program]]\nid = \"mine\"\n\
                command = [\"./no-such-program\", \"{n}\"]\n";
    write(directory.path(), "x.toml", spec);
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "r"]);
    assert!(code == 2 && stderr.contains("'./no-such-program'"), "{stderr}");
    assert_wording("sweep", "program that does not exist", &stderr);
    write(directory.path(), "x.toml", &spec.replace("./no-such-program", "echo"));
    let sweep = ["sweep", "x.toml", "--out", "r"];
    let output = queenlab(&sweep).current_dir(directory.path()).env("TMPDIR", "/no/such/directory").output();
    let output = output.expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && stderr.contains("TMPDIR"), "{stderr}");
    assert!(!directory.path().join("r").exists(), "a run was started");
}

#[test]
fn unused_sat_table_gives_a_warning() {
    let directory = scratch();
    let spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\nrepeat = 1\n[[solver]]\nid = \"backtrack/bitmask\"\n\
                [[sat]]\nid = \"spare\"\ncommand = \"true {cnf}\"\n";
    write(directory.path(), "x.toml", spec);
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "r"]);
    assert!(code == 0 && stderr.lines().any(|line| line.contains("'spare'")), "{stderr}");
    write(directory.path(), "x.toml", &(spec.to_owned() + "[[solver]]\nid = \"sat/pairwise/spare\"\n"));
    let (_, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "s"]);
    assert!(!stderr.contains("'spare'"), "{stderr}");
}

#[cfg(target_os = "linux")]
#[test]
fn cpu_time_of_program_and_children_is_limited() {
    let directory = scratch();
    // Two loops start processes at the same time. Each of these processes uses a small part of the CPU time limit.
    let chain = "while :; do sh -c 'i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done'; done";
    let script = format!("{chain} &\n{chain} &\nwait\n");
    let options = ["--cpu-timeout", "400ms", "--timeout", "10m"];
    let (code, stderr, rows_of_mine) = sweep(directory.path(), &script, &options);
    assert_eq!(code, 0, "{stderr}");
    for row in rows_of_mine {
        assert_eq!(row.status, Status::Timeout, "{row:?}");
        assert_wording(
            "sweep",
            "a run at its limit of CPU time",
            row.outcome_reason.as_deref().expect("a reason"),
        );
        assert_eq!((row.cpu_limit_ns, row.solve_ns), (Some(400_000_000), None));
        assert!(row.wall_ns < Some(600_000_000_000), "the run must be stopped by its limit of CPU time");
    }
    let repeated_command = [&["sweep", "x.toml", "--out", "r", "--fail-on-timeout"][..], &options].concat();
    let (code, _, stderr) = run_in(directory.path(), &repeated_command);
    assert!(code == 4 && stderr.contains(" 5 runs "), "{stderr}");
}

/// The seed determines the order of the runs.
#[test]
fn baseline_is_the_first_program_for_every_seed() {
    let directory = scratch();
    let program = |id: &str| format!("[[program]]\nid = \"{id}\"\ncommand = [\"echo\", \"2\"]\n");
    let spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\ngoal = \"count\"\nrepeat = 1\n";
    write(directory.path(), "x.toml", &[spec, &program("b"), &program("a")].concat());
    let mut first_solvers: HashSet<String> = HashSet::new();
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let (code, _, stderr) =
            run_in(directory.path(), &["sweep", "x.toml", "-q", "--seed", seed, "--out", seed]);
        assert_eq!(code, 0, "{stderr}");
        first_solvers.insert(rows(&directory.path().join(seed))[0].solver.to_string());
        let json = run_in(directory.path(), &["report", seed, "--format", "json"]).1;
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(json["ratios"]["reference"]["solver"], "program/b", "seed {seed}");
    }
    assert_eq!(first_solvers.len(), 2, "all seeds give the same order");
}

/// The file `pids` contains the process ids of the script and of its child.
#[cfg(target_os = "linux")]
#[test]
fn hanging_program_times_out_and_leaves_no_process() {
    let script = "sleep 600 &\necho $$ $! >> pids\nwait\n";
    let (directory, limit, rows_of_mine) = within_some_limit("the process ids of both runs", |limit| {
        let directory = scratch();
        let limit = format!("{}ms", limit.as_millis() / 3);
        let (code, stderr, rows_of_mine) = sweep(directory.path(), script, &["--timeout", &limit]);
        assert_eq!(code, 0, "{stderr}");
        let pid_lines = std::fs::read_to_string(directory.path().join("pids")).unwrap_or_default();
        (pid_lines.lines().count() == 2).then_some((directory, limit, rows_of_mine))
    });
    for row in rows_of_mine {
        assert_eq!((row.status, row.verdict), (Status::Timeout, Verdict::Unchecked), "{row:?}");
        assert_eq!(row.outcome_reason, None, "a reason would mean another limit");
        assert!(row.wall_ns >= Some(333_000_000) && row.solve_ns.is_none());
    }
    let pids = read(directory.path(), "pids");
    let pids: Vec<u32> = pids.split_whitespace().map(|pid| pid.parse().expect("a process id")).collect();
    assert_eq!(pids.len(), 4, "{pids:?}");
    until_gone(&pids);
    let repeated_command = ["sweep", "x.toml", "--out", "r", "--timeout", &limit, "--fail-on-timeout"];
    assert_eq!(run_in(directory.path(), &repeated_command).0, 4);
}
