//! Bug reports about other benchmark harnesses, SAT tools, CSV readers and progress bars, tested on this program. The comment of a
//! test names its reports, if there are any.

use std::fs;
use std::path::Path;

use queenlab::record::{Row, Status, Verdict, table};
use queenlab::solver::Goal;

use crate::harness::{queenlab, row, run_in, scratch, stdout, with_ids, write};

const SWEEP: [&str; 9] =
    ["sweep", "--n", "4-5", "--solver", "backtrack/bitmask", "--repeat", "1", "--out", "out"];

type Edit = fn(&str) -> String;

/// Runs `report` on a sweep whose `runs.csv` was edited. Returns the exit code and the message.
fn report_after(edit: impl Fn(&str) -> String) -> (i32, String) {
    let directory = scratch();
    assert_eq!(run_in(directory.path(), &SWEEP).0, 0);
    let path = directory.path().join("out/runs.csv");
    let edited_table = edit(&fs::read_to_string(&path).expect("a table"));
    fs::write(&path, edited_table).expect("a writable file");
    let (code, _, message) = run_in(directory.path(), &["report", "out"]);
    (code, message)
}

/// pola-rs/polars 25166, fsprojects/FSharp.Data 688, sergejsha/csv 24: a table with empty lines before the header and at the end,
/// with the empty last column that a spreadsheet adds, and with CR LF.
#[test]
fn tables_saved_by_a_spreadsheet_are_read() {
    let edits: [Edit; 4] = [
        |text| format!("\n{text}"),
        |text| format!("{text}\n\n"),
        |text| text.replace('\n', ",\n"),
        |text| text.replace('\n', "\r\n"),
    ];
    for edit in edits {
        assert_eq!(report_after(edit), (0, String::new()));
    }
}

/// chasegan/Kalix 179, ExcelDataReader 499: another separator, a comment, or two columns of the same name must give an error of
/// this program, not of its CSV reader. The error names the file.
#[test]
fn damaged_tables_are_refused_with_file_name() {
    let edits: [(&str, Edit); 3] = [
        ("semicolons", |text| text.replace(',', ";")),
        ("a comment", |text| text.replacen('\n', "\n# a comment\n", 1)),
        ("two columns of one name", |text| text.replacen("verdict", "status", 1)),
    ];
    for (key, edit) in edits {
        let (code, message) = report_after(edit);
        assert_eq!(code, 2, "{key}: {message}");
        assert!(message.starts_with("error: out/runs.csv: ") && !message.contains("CSV error"), "{message}");
        wording::assert_wording!("report", &format!("a table with {key}"), message);
    }
}

/// sahib/rmlint 110, rpminspect 643: a terminal that reports a width of zero.
#[test]
fn terminal_width_of_zero_is_treated_as_unknown() {
    let help = |columns: &str| {
        let output =
            queenlab(&["sweep", "--help"]).env("COLUMNS", columns).output().expect("the program starts");
        stdout(&output)
    };
    let max_width = |help: &str| help.lines().map(|line| line.chars().count()).max();
    assert_eq!(help("0"), help("100"));
    assert_eq!(help("5"), help("40"), "the minimum width is 40 columns");
    assert!(max_width(&help("100")) <= Some(100));
}

/// criterion.rs: names of benchmarks become names of files, and a name that is too long for a file fails only when the file is
/// written.
#[test]
fn name_too_long_for_a_file_is_refused() {
    let directory = scratch();
    let spec = format!(
        "schema_version = 1\nname = \"{}\"\n[sweep]\nn = \"4\"\n[[solver]]\nid = \"backtrack/bitmask\"\n",
        "x".repeat(101)
    );
    write(directory.path(), "long.toml", &spec);
    let (code, _, message) = run_in(directory.path(), &["sweep", "long.toml"]);
    assert_eq!(code, 2, "{message}");
    assert!(message.starts_with("error: long.toml:2:8: "), "{message}");
    write(directory.path(), "long.toml", &spec.replacen('x', "", 1));
    assert_eq!(run_in(directory.path(), &["sweep", "long.toml", "--dry-run"]).0, 0);
}

/// hyperfine 756 and many others: a list with commas in place of a repeated option.
#[test]
fn solver_list_with_commas_is_refused_with_hint() {
    let arguments = ["sweep", "--n", "4", "--solver", "backtrack/bitmask,backtrack/dlx"];
    let (code, _, message) = run_in(Path::new("."), &arguments);
    assert_eq!(code, 2);
    assert!(message.contains("{a,b}") && message.contains("--solver"), "{message}");
}

/// A sweep of a program that starts no other process.
const PROGRAM: [&str; 9] = [
    "sweep",
    "4",
    "--program",
    "sh -c 'echo 1 3 0 2; echo 2 0 3 1' {n}",
    "--repeat",
    "1",
    "--out",
    "out",
    "-q",
];

/// BenchExec 1161, GNU parallel: a limit on the number of processes that leaves no room for a thread. Each small limit stops another
/// thread from starting.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_start_cause_no_panic() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    // This limit does not apply to root.
    let is_root = rustix::process::getuid().is_root();
    let directory = scratch();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o777)).expect("a directory of ours");
    for limit in 1..=4 {
        for arguments in [&SWEEP[..], &PROGRAM, &["solve", "6", "--all"], &["count", "8", "--threads", "4"]] {
            let mut command = Command::new(if is_root { "setpriv" } else { "prlimit" });
            if is_root {
                command.args(["--reuid", "65534", "--clear-groups", "prlimit"]);
            }
            command.arg(format!("--nproc={limit}"));
            command.arg(env!("CARGO_BIN_EXE_queenlab")).args(arguments).current_dir(directory.path());
            let output = command.env("TMPDIR", directory.path()).output().expect("a shell");
            let message = String::from_utf8_lossy(&output.stderr);
            // A panic would end the program with exit code 101 or by SIGABRT.
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 1)), "{limit} {arguments:?}: {code:?} {message}");
            assert!(code == Some(0) || !message.trim().is_empty(), "{limit} {arguments:?}");
            // The limit is a fault of the environment, and not a result of the solver or program.
            let rows =
                table::read::<Row>(&directory.path().join("out")).map(|(rows, ..)| rows).unwrap_or_default();
            assert!(
                rows.iter().all(|row| row.verdict == Verdict::Correct),
                "{limit} {arguments:?}: {rows:?}"
            );
            let _ = fs::remove_dir_all(directory.path().join("out"));
        }
    }
}

/// If the system cannot start a script, every command that would start it refuses it; a sweep refuses it before its first run.
#[cfg(unix)]
#[test]
fn unstartable_script_is_refused_by_every_command() {
    use std::os::unix::fs::PermissionsExt;

    let directory = scratch();
    let directory = directory.path();
    for (name, text, mode, cause) in [
        ("bare", "echo 1 3 0 2; echo 2 0 3 1\n", 0o755, "'#!'"),
        ("windows", "#!/bin/sh\r\necho 1 3 0 2\r\n", 0o755, "carriage return"),
        ("elsewhere", "#!/no/such/shell\necho 1 3 0 2\n", 0o755, "'/no/such/shell'"),
        ("closed", "#!/bin/sh\necho 1 3 0 2\n", 0o644, "chmod +x"),
    ] {
        write(directory, name, text);
        fs::set_permissions(directory.join(name), fs::Permissions::from_mode(mode)).expect("changed");
        let (program, formula) = (format!("./{name} {{n}}"), format!("k=./{name} {{cnf}}"));
        for arguments in [
            &["sweep", "4", "--program", program.as_str(), "-o", "r"][..],
            &["sweep", "4", "--solver", "sat/pairwise/k", "--sat", &formula, "-o", "r"],
            &["check", "4", "--", &program[..program.len() - 4], "4"],
            &["verify", "4", "--program", &program],
        ] {
            let (code, stdout, message) = run_in(directory, arguments);
            assert!(matches!(code, 1 | 2), "{arguments:?}: {code} {stdout}{message}");
            assert!(message.contains(cause), "{arguments:?}: {message}");
        }
        assert!(!directory.join("r").exists(), "{name}: a sweep made a directory");
    }
}

/// The CPU time in seconds of a command and of all processes that it starts.
#[cfg(unix)]
fn cpu_seconds(directory: &Path, arguments: &[&str]) -> f64 {
    let script = "\"$0\" \"$@\" > /dev/null || exit 1; times";
    let shell = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_queenlab")])
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("a shell");
    assert!(shell.status.success(), "{arguments:?}: {}", crate::harness::stderr(&shell));
    // The second line has the user and system time of the children, for example `0m1.230000s 0m0.040000s`.
    let text = stdout(&shell);
    let child_times = text.lines().nth(1).expect("two lines").split(' ');
    let times = child_times.map(|time| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').expect("minutes and seconds");
        60.0 * minutes.parse::<f64>().expect("minutes") + seconds.parse::<f64>().expect("seconds")
    });
    times.sum()
}

/// asv, Criterion: a bootstrap over all runs takes minutes if a sweep has many runs. Both commands read all rows, and `compare`
/// reads them twice.
#[cfg(unix)]
#[test]
#[ignore = "long: 20,000 runs"]
fn compare_takes_less_time_than_four_reports() {
    let directory = scratch();
    let runs = (4..9).flat_map(|n| (1..4001).map(move |repetition| (n, repetition)));
    let rows: Vec<Row> = runs
        .map(|(n, repetition)| {
            let (status, verdict) = (Status::Complete, Verdict::Correct);
            let solve_ns = Some(1_000_000 * n as u64 + u64::from(repetition * 7919 % 4001));
            let row = row(n, Goal::Count, "backtrack/bitmask");
            let round = repetition;
            with_ids(Row { status, verdict, solutions: Some(7), repetition, round, solve_ns, ..row })
        })
        .collect();
    for name in ["old", "new"] {
        fs::create_dir(directory.path().join(name)).expect("a directory");
        table::write(&directory.path().join(name), &rows).expect("written");
    }
    let report = cpu_seconds(directory.path(), &["report", "old"]);
    let compare = cpu_seconds(directory.path(), &["compare", "old", "new"]);
    assert!(compare < 4.0 * report, "{compare} s, report: {report} s");
}
