//! `report`, `compare`, `reproduce` and `completions`: exit codes, files, messages.

use std::fs;
use std::path::Path;
use std::process::Command;

use queenlab::record::{Row, SCHEMA_VERSION, Status, Verdict, table};
use queenlab::solver::{Goal, Stat};

use sha2::{Digest, Sha256};

use crate::harness::{assert_wording, row, run_in, scratch, with_ids};

fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_queenlab"))
        .args(arguments)
        .env_remove("CLICOLOR_FORCE")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("no signal"), text(&output.stdout), text(&output.stderr))
}

fn path(directory: &Path) -> &str {
    directory.to_str().expect("UTF-8")
}

/// A directory with runs of one cell that took these times.
fn result(times: &[u64], change: impl Fn(Row) -> Row) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("temporary directory");
    let rows: Vec<Row> = times
        .iter()
        .zip(1..)
        .map(|(&time, repetition)| {
            let row = row(8, Goal::Count, "backtrack/bitmask");
            let (status, verdict) = (Status::Complete, Verdict::Correct);
            let row = Row { status, verdict, solutions: Some(92), solve_ns: Some(time), repetition, ..row };
            with_ids(change(row))
        })
        .collect();
    table::write(directory.path(), &rows).expect("written");
    on_machine(directory.path(), "m");
    directory
}

/// Writes a `meta.json` that names this machine.
fn on_machine(directory: &Path, host: &str) {
    let meta = serde_json::json!({
        "schema_version": SCHEMA_VERSION, "queenlab_version": "", "executable_sha256": "", "rustc": "", "target": "",
        "target_features": "", "solvers": {}, "sessions": [], "warnings": [],
        "machine": {"host": host, "os": "", "kernel": "", "cpu_model": "", "cores": 1},
    });
    fs::write(directory.join("meta.json"), meta.to_string()).expect("written");
}

const TIMES: [u64; 5] = [1000, 1010, 1020, 1030, 1040];

#[test]
fn compare_exit_code_ranks_wrong_above_slower() {
    let old_result = result(&TIMES, |row| row);
    let slower_result = result(&TIMES.map(|time| time * 3 / 2), |row| row);
    let wrong_result = result(&TIMES.map(|time| time * 3 / 2), |row| Row { verdict: Verdict::Wrong, ..row });
    let compare = |new: &tempfile::TempDir, options: &[&str]| {
        run(&[&["compare", path(old_result.path()), path(new.path())], options].concat())
    };
    assert_eq!(compare(&old_result, &["--fail-on-regression", "0"]).0, 8, "the interval contains 1");
    assert_eq!(compare(&old_result, &["--fail-on-regression", "5"]).0, 0);
    let (code, stdout, _) = compare(&slower_result, &[]);
    assert_eq!(code, 0);
    assert_wording("compare", "a slower solver", &stdout);
    let (code, stdout, _) = compare(&slower_result, &["--fail-on-regression", "5"]);
    assert_eq!(code, 5);
    let line = stdout
        .lines()
        .find(|line| line.contains("5 %: backtrack/bitmask "))
        .unwrap_or_else(|| panic!("{stdout}"));
    assert!(line.contains("1.500"), "{line}");
    assert_wording("compare", "regression", line);
    assert_eq!(compare(&slower_result, &["--fail-on-regression", "60"]).0, 0);
    let (code, stdout, _) = compare(&wrong_result, &["--fail-on-regression", "5"]);
    assert_eq!(code, 3);
    let (heading, cells) = stdout.split_once('\n').unwrap_or_else(|| panic!("{stdout}"));
    assert!(cells.starts_with("  n=8 "), "{stdout}");
    assert_wording("compare", "heading of wrong answers", heading);
    let (code, stdout, _) = compare(&slower_result, &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout).expect("JSON alone");
    assert_eq!((code, &json["ratios"][0]["verdict"]), (0, &"slower".into()));
}

#[test]
fn compare_of_three_results_uses_first_as_reference() {
    let [first, same, slower] =
        [TIMES, TIMES, TIMES.map(|time| time * 3 / 2)].map(|times| result(&times, |row| row));
    let compare = |options: &[&str]| {
        run(&[&["compare", path(first.path()), path(same.path()), path(slower.path())], options].concat())
    };
    let (code, stdout, _) = compare(&[]);
    let verdict_against = |later: &tempfile::TempDir| {
        let heading = format!("{}, compared with {}:", path(later.path()), path(first.path()));
        let table = stdout.lines().skip_while(|line| *line != heading);
        let row = table.skip(1).find(|line| line.starts_with("n=8 ")).expect("a row");
        ["within 5 %", "slower"].into_iter().find(|verdict| row.ends_with(verdict))
    };
    assert_eq!(
        (code, verdict_against(&same), verdict_against(&slower)),
        (0, Some("within 5 %"), Some("slower")),
        "{stdout}"
    );
    // A regression in any of the results counts. The JSON contains all comparisons.
    assert_eq!(compare(&["--fail-on-regression", "5"]).0, 5);
    assert_eq!(compare(&["--fail-on-regression", "60"]).0, 0);
    let (_, stdout, _) = compare(&["--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let verdict = |at: usize| json["comparisons"][at]["comparison"]["ratios"][0]["verdict"].clone();
    assert_eq!([verdict(0), verdict(1)], ["within", "slower"]);
    assert_eq!(json["comparisons"][1]["directory"], path(slower.path()));
}

/// Several exit codes apply: a wrong answer comes first, then output that cannot be written, then a regression, then an undecided
/// gate.
#[cfg(target_os = "linux")]
#[test]
fn compare_exit_codes_follow_their_order_of_precedence() {
    let old_result = result(&TIMES, |row| row);
    let same_result = result(&TIMES, |row| row);
    let slower_result = result(&TIMES.map(|time| time * 3 / 2), |row| row);
    let undecided_result = result(&[600, 800, 1000, 1300, 1700], |row| row);
    let wrong_result = result(&TIMES, |row| Row { verdict: Verdict::Wrong, ..row });
    let gate = |newer: &[&tempfile::TempDir], full: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
        command.args(["compare", path(old_result.path())]).args(newer.iter().map(|result| result.path()));
        command.args(["--fail-on-regression", "5"]);
        if full {
            command.stdout(fs::File::options().write(true).open("/dev/full").expect("Linux has it"));
        }
        let output = command.output().expect("the program starts");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(message.matches("os error 28").count(), usize::from(full), "{message}");
        output.status.code()
    };
    for (newer, code, code_without_output) in [
        (&[&same_result][..], 0, 1),
        (&[&undecided_result, &same_result], 8, 1),
        (&[&undecided_result, &slower_result], 5, 1),
        (&[&slower_result, &undecided_result], 5, 1),
        (&[&undecided_result, &wrong_result], 3, 3),
        (&[&wrong_result, &slower_result], 3, 3),
    ] {
        assert_eq!((gate(newer, false), gate(newer, true)), (Some(code), Some(code_without_output)));
    }
}

/// A gate that cannot decide does not pass, and says why even with --quiet.
#[test]
fn undecided_regression_gate_exits_with_8() {
    let with_other_solver = |row: Row| Row { solver: "backtrack/dlx".parse().expect("a solver"), ..row };
    let old_result = result(&TIMES, |row| row);
    for (key, first, second) in [
        ("too few runs", result(&TIMES[..3], |row| row), result(&[9000; 3], |row| row)),
        ("no cell in common", result(&TIMES, |row| row), result(&TIMES, with_other_solver)),
        ("times of 0", result(&TIMES, |row| row), result(&[0; 5], |row| row)),
        ("one time of 0", result(&[0, 1000, 1000, 1000, 1000], |row| row), result(&TIMES, |row| row)),
        ("a wide interval", result(&TIMES, |row| row), result(&[600, 800, 1000, 1300, 1700], |row| row)),
    ] {
        let arguments =
            ["compare", path(first.path()), path(second.path()), "--fail-on-regression", "5", "-q"];
        let (code, stdout, message) = run(&arguments);
        assert_eq!((code, stdout.as_str()), (8, ""), "{key}: {message}");
        let message: Vec<&str> = message.lines().filter(|line| !line.starts_with("warning:")).collect();
        wording::assert_wording!("compare", &format!("undecided: {key}"), message.join("\n"));
        let (code, stdout, _) = run(&arguments[..5]);
        assert_eq!((code, stdout), (8, run(&arguments[..3]).1), "{key}: as without a gate");
        let allowed_output = run(&[&arguments[..], &["--allow-undecided"]].concat());
        assert_eq!(allowed_output.0, 0, "{key}: {}", allowed_output.2);
        assert_eq!(run(&arguments[..3]).0, 0, "{key}: without a gate");
    }
    // A missing cell may be one that became slower.
    let two_solvers = result(&TIMES, |row| row);
    let mut rows: Vec<Row> = crate::harness::rows(two_solvers.path());
    let added_rows: Vec<Row> = rows.iter().cloned().map(|row| with_ids(with_other_solver(row))).collect();
    rows.extend(added_rows);
    table::write(two_solvers.path(), &rows).expect("written");
    let gate = |first: &tempfile::TempDir, second: &tempfile::TempDir| {
        run(&["compare", path(first.path()), path(second.path()), "--fail-on-regression", "5", "-q"])
    };
    let (code, _, message) = gate(&two_solvers, &old_result);
    assert_eq!(code, 8, "{message}");
    let message: Vec<&str> = message.lines().filter(|line| !line.starts_with("warning:")).collect();
    wording::assert_wording!("compare", "undecided: a cell is gone", message.join("\n"));
    assert_eq!(gate(&old_result, &two_solvers).0, 0, "a new cell must not be compared");
    // Times of different machines cannot show that there is no regression, but a solver that is certainly slower is a regression.
    let slower_result = result(&TIMES.map(|time| time * 3 / 2), |row| row);
    for (result, expected) in [(&slower_result, 5), (&two_solvers, 8)] {
        on_machine(result.path(), "another");
        let (code, _, message) = gate(&old_result, result);
        assert_eq!(code, expected, "{message}");
        assert!(expected == 5 || message.contains("--baseline"), "{message}");
    }
}

/// Two versions of a program are measured in one sweep, in which whole rounds are slower or faster.
#[test]
fn series_of_one_sweep_are_paired_by_rounds() {
    let directory = scratch();
    let drift = [1000, 1400, 1100, 2000, 1250, 3000, 900];
    let rows: Vec<Row> = (1..)
        .zip(drift)
        .flat_map(|(round, time)| {
            [("program/old", 100), ("program/new", 104), ("program/slow", 130)].map(|(solver, factor)| {
                let (status, verdict) = (Status::Complete, Verdict::Correct);
                let solve_ns = Some(time * 100_000 * factor / 100);
                let row = row(8, Goal::Count, solver);
                with_ids(Row {
                    round,
                    repetition: round,
                    status,
                    verdict,
                    solutions: Some(92),
                    solve_ns,
                    ..row
                })
            })
        })
        .collect();
    table::write(directory.path(), &rows).expect("written");
    let compare = |series: &str, options: &[&str]| {
        let compare_arguments =
            ["compare", path(directory.path()), "--of", series, "--baseline", "program/old"];
        run(&[&compare_arguments, options].concat())
    };
    let (code, stdout, stderr) = compare("program/new", &[]);
    assert_eq!(code, 0, "{stderr}");
    assert_wording("compare", "two series", &stdout);
    let gate = ["--fail-on-regression", "5"];
    assert_eq!(["program/new", "program/slow"].map(|series| compare(series, &gate).0), [0, 5]);
    assert_eq!(compare("program/old", &[]).0, 2, "a series must not be compared with itself");
    let (code, _, message) = compare("program/none", &[]);
    assert_eq!(code, 2);
    let message = message.lines().find(|line| line.starts_with("error:")).expect("an error");
    assert_wording("compare", "an unknown series", message);
    let directory = path(directory.path());
    for arguments in [
        &["compare", directory][..],
        &["compare", directory, "--of", "program/new"],
        &["compare", directory, directory, "--of", "program/new", "--baseline", "program/old"],
        &["compare", directory, directory, "--allow-undecided"],
    ] {
        assert_eq!(run(arguments).0, 2, "{arguments:?}");
    }
}

#[test]
fn directory_without_runs_is_refused_with_file_name() {
    let empty_directory = tempfile::tempdir().expect("temporary directory");
    let directory = path(empty_directory.path());
    for arguments in [
        &["report", directory][..],
        &["compare", directory, directory],
        &["reproduce", directory],
        &["report", directory, "--format", "json"],
    ] {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
        let (_, problem) = stderr.split_once("runs.csv: ").unwrap_or_else(|| panic!("{stderr}"));
        assert_wording(arguments[0], "no runs.csv", problem);
    }
    assert_eq!(fs::read_dir(directory).expect("there").count(), 0, "a file was written");
    fs::write(empty_directory.path().join("runs.csv"), "a,b\n1,2\n").expect("write");
    let (code, _, stderr) = run(&["report", directory]);
    assert!(code == 2 && stderr.contains("no column 'schema_version'"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn report_does_not_write_through_links() {
    let other_directory = tempfile::tempdir().expect("temporary directory");
    fs::write(other_directory.path().join("mine"), "mine").expect("write");
    let directory = result(&TIMES, |row| row);
    std::os::unix::fs::symlink(other_directory.path(), directory.path().join("plots")).expect("link");
    let (code, _, stderr) = run(&["report", path(directory.path())]);
    let (_, problem) = stderr.split_once("/plots: ").unwrap_or_else(|| panic!("{stderr}"));
    assert_eq!(code, 1, "{stderr}");
    assert_wording("report", "plots is a link", problem);
    fs::remove_file(directory.path().join("plots")).expect("removed");
    // A file that is a link is replaced, not written through.
    fs::create_dir(directory.path().join("plots")).expect("made");
    for name in ["plots/time.svg", "report.html", "timings.csv"] {
        std::os::unix::fs::symlink(other_directory.path().join("mine"), directory.path().join(name))
            .expect("link");
    }
    assert_eq!(run(&["report", path(directory.path())]).0, 0);
    assert_eq!(fs::read_to_string(other_directory.path().join("mine")).expect("there"), "mine");
    assert_eq!(fs::read_dir(other_directory.path()).expect("there").count(), 1);
}

#[test]
fn report_writes_the_same_files_as_sweep() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let out = path(directory.path());
    let sweep = ["sweep", "--n", "4-6", "--solver", "backtrack/bitmask", "--out", out, "--quiet"];
    assert_eq!(run(&sweep).0, 0);
    let files = ["report.html", "timings.csv", "plots/time.svg", "plots/rate.svg"];
    let read_files = || files.map(|file| fs::read(directory.path().join(file)).expect("there"));
    let files_before = read_files();
    for file in files {
        fs::remove_file(directory.path().join(file)).expect("removed");
    }
    assert_eq!(run(&["report", out]).0, 0);
    assert!(read_files() == files_before);
    let page = String::from_utf8(files_before[0].clone()).expect("UTF-8");
    assert!(
        page.contains("queenlab sweep --n 4-6 --solver backtrack/bitmask"),
        "the page shows the exact command"
    );
}

#[test]
fn reproduce_exits_with_3_unless_answers_are_equal() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let (first, second) = (directory.path().join("a"), directory.path().join("b"));
    let (a, b) = (path(&first), path(&second));
    let sweep = ["sweep", "--n", "4-6", "--solver", "backtrack/bitmask", "--solver", "sat/pairwise/varisat"];
    assert_eq!(run(&[&sweep[..], &["--repeat", "1", "--out", a, "--quiet"]].concat()).0, 0);
    let (code, _, stderr) = run(&["reproduce", a, "--out", b, "--progress", "none"]);
    assert_eq!(code, 0, "{stderr}");
    assert_wording("reproduce", "reproduced", stderr.lines().last().expect("a verdict"));
    // The recorded depths are changed, so the reproduced depths differ from them.
    let mut rows: Vec<Row> = table::read(&first).expect("rows").0;
    for row in &mut rows {
        row.stats.set(Stat::MaxDepth, row.stats.get(Stat::MaxDepth).map(|depth| depth + 1));
    }
    table::write(&first, &rows).expect("written");
    let (code, stdout, stderr) = run(&["reproduce", a, "--progress", "none"]);
    assert!(code == 3 && stdout.contains("max_depth: "), "{code}: {stdout}");
    assert_wording("reproduce", "another depth", stderr.lines().last().expect("a verdict"));
    assert!(directory.path().join("a-reproduced").is_dir());
}

#[test]
fn report_about_one_solver_is_complete() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let out = directory.path().join("out");
    let solvers = ["--solver", "backtrack/bitmask", "--solver", "backtrack/dlx"];
    let sweep = ["sweep", "4-5", "--repeat", "1", "--quiet", "--out", path(&out)];
    assert_eq!(run(&[&sweep[..], &solvers].concat()).0, 0);
    let (code, markdown, stderr) =
        run(&["report", path(&out), "--format", "markdown", "--solver", "backtrack/dlx"]);
    assert!(code == 0 && markdown.contains("| backtrack/dlx |"), "{code}: {stderr}");
    assert!(!markdown.contains("Incomplete") && !markdown.contains("backtrack/bitmask"), "{markdown}");
}

#[test]
fn reproduce_starts_programs_only_if_allowed() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let spec = directory.path().join("x.toml");
    let marker = directory.path().join("marker");
    fs::write(
        &spec,
        format!(
            "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\nrepeat = 1\n[[program]]\nid = \"p\"\ncommand = [\"touch\", \"{}\"]\n",
            marker.display()
        ),
    )
    .expect("written");
    let out = directory.path().join("out");
    run(&["sweep", path(&spec), "--out", path(&out), "--quiet"]);
    assert!(marker.exists(), "the sweep must start the program");
    fs::remove_file(&marker).expect("removed");
    let (code, _, stderr) = run(&["reproduce", path(&out)]);
    assert!(
        code == 2 && stderr.contains("--allow-programs") && stderr.contains("touch "),
        "{code}: {stderr}"
    );
    assert!(!marker.exists());
    run(&["reproduce", path(&out), "--allow-programs"]);
    assert!(marker.exists());
}

/// Checks the printed text, and that no file is written.
#[test]
fn report_format_prints_without_writing_files() {
    let directory = result(&TIMES, |row| Row { wall_ns: Some(3_000_000), ..row });
    let print_report = |options: &[&str]| {
        let (code, stdout, stderr) =
            run(&[&["report", path(directory.path()), "--format"], options].concat());
        assert_eq!(code, 0, "{options:?}: {stderr}");
        stdout
    };
    let json: serde_json::Value = serde_json::from_str(&print_report(&["json"])).expect("JSON");
    assert_eq!(json["timings"][0]["median_ns"], 1020);
    let markdown = print_report(&["markdown"]);
    let (headline, table) = markdown.split_once("\n\n").expect("a headline");
    assert!(headline.contains("n = 8") && headline.contains("1.02 µs"), "{headline}");
    assert!(table.starts_with("| solver | n = 8 |") && table.contains("| backtrack/bitmask | 1.02 µs |"));
    let wall = print_report(&["markdown", "--wall"]);
    let (headline, table) = wall.split_once("\n\n").expect("a headline");
    assert!(headline.contains("3 ms"), "{headline}");
    assert!(table.starts_with("| solver, wall time | n = 8 |") && table.contains("| 3.00 ms |"), "{wall}");
    assert!(print_report(&["latex"]).contains("\\toprule"));
    let (code, _, stderr) = run(&["report", path(directory.path()), "--format", "latex", "--solver", "x"]);
    assert!(code == 2 && stderr.contains("'x'"), "{stderr}");
    assert_eq!(fs::read_dir(directory.path()).expect("there").count(), 2, "a file was written");
}

#[test]
fn completion_scripts_contain_every_command() {
    let (_, help, _) = run(&["--help"]);
    let commands =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 9, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (code, script, _) = run(&["completions", shell]);
        assert_eq!(code, 0);
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
}

#[test]
fn option_color_always_overrides_pipe_and_no_color() {
    let escape = |arguments: &[&str], no_color: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
        command.args(arguments).env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let output = command.output().expect("starts");
        (output.stderr.contains(&0x1b), output.status.code())
    };
    let unknown_solver = ["solve", "8", "--solver", "x"];
    assert_eq!(escape(&unknown_solver, false), (false, Some(2)));
    assert_eq!(escape(&[&unknown_solver[..], &["--color", "always"]].concat(), false), (true, Some(2)));
    assert_eq!(escape(&[&unknown_solver[..], &["--color=never"]].concat(), false), (false, Some(2)));
    assert_eq!(escape(&["solve", "x", "--color=always"], true), (true, Some(2)), "clap's own messages, too");
    assert_eq!(escape(&unknown_solver, true), (false, Some(2)));
}

#[test]
fn option_verbose_prints_a_line_for_every_run() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let sweep = ["sweep", "--n", "4-5", "--solver", "backtrack/bitmask", "--repeat", "2", "-v"];
    let (_, _, stderr) = run(&[&sweep[..], &["--out", path(directory.path())]].concat());
    assert_eq!(stderr.lines().filter(|line| line.contains("/6 runs, ")).count(), 6, "{stderr}");
}

#[test]
fn paper_figure_shows_medians_in_requested_format() {
    let directory = result(&TIMES, |row| row);
    let rows: Vec<Row> = [8, 9]
        .into_iter()
        .flat_map(|n| {
            TIMES.iter().zip(1..).map(move |(&time, repetition)| {
                let (row, solutions) =
                    (row(n, Goal::Count, "backtrack/bitmask"), Some(if n == 8 { 92 } else { 352 }));
                let solve_ns = Some(time * n as u64);
                with_ids(Row {
                    status: Status::Complete,
                    verdict: Verdict::Correct,
                    solutions,
                    solve_ns,
                    repetition,
                    ..row
                })
            })
        })
        .collect();
    table::write(directory.path(), &rows).expect("written");
    let figure =
        |options: &[&str]| run(&[&["report", path(directory.path()), "--figure", "time"], options].concat());
    let (code, svg, _) = figure(&["--format", "svg", "--font", "My \"Serif\""]);
    assert!(code == 0 && svg.starts_with("<svg "), "{svg}");
    assert!(svg.contains("width=\"3.5in\"") && svg.contains("font-family=\"My &quot;Serif&quot;\""), "{svg}");
    assert!(
        svg.contains(">backtrack/bitmask</text>") && !svg.contains(">Time to count all solutions</text>"),
        "{svg}"
    );
    assert!(figure(&["--format", "svg", "--columns", "2"]).1.contains("width=\"7.16in\""));
    // The values in the pgfplots code are the medians in seconds.
    let (code, tex, _) = figure(&["--format", "pgfplots"]);
    let values = tex.split_once("x y1\n").expect("a table").1.split_once('}').expect("its end").0;
    let values: Vec<Vec<f64>> = values
        .lines()
        .map(|line| line.split(' ').map(|number| number.parse().expect("a number")).collect())
        .collect();
    assert_eq!((code, values), (0, vec![vec![8.0, 8.16e-6], vec![9.0, 9.18e-6]]), "{tex}");
    assert!(tex.contains("\\addlegendentry{backtrack/bitmask}") && tex.contains("ymode=log"), "{tex}");
    // Names that are not figures, and plots that these results do not have, are refused, and the message lists the valid names.
    let refused = |options: &[&str]| {
        let (code, out, stderr) = run(&[&["report", path(directory.path())], options].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{stderr}");
        stderr
    };
    let stderr = refused(&["--figure", "times", "--format", "svg"]);
    assert!(stderr.ends_with("time, rate\n"), "{stderr}");
    refused(&["--figure", "time", "--format", "json"]);
    refused(&["--format", "svg"]);
    refused(&["--figure", "time", "--format", "pgfplots", "--font", "x"]);
    refused(&["--figure", "time", "--format", "svg", "--columns", "3"]);
    refused(&["--panels", "--format", "json"]);
    // PDF output needs a converter.
    let pdf = Command::new(env!("CARGO_BIN_EXE_queenlab"))
        .args(["report", path(directory.path()), "--figure", "time", "--format", "pdf"])
        .output()
        .expect("starts");
    let stderr = String::from_utf8_lossy(&pdf.stderr);
    match Command::new("rsvg-convert").arg("--version").output() {
        Ok(_) => assert!(pdf.status.success() && pdf.stdout.starts_with(b"%PDF-"), "{stderr}"),
        Err(_) => assert!(pdf.status.code() == Some(2) && stderr.contains("librsvg2-bin"), "{stderr}"),
    }
}

#[cfg(unix)]
#[test]
fn compare_lists_changed_programs_with_digests() {
    let directory = tempfile::tempdir().expect("directory");
    let write_program = |name: &str, text: &str| {
        fs::write(directory.path().join(name), text).expect("written");
        let digest = Sha256::digest(text.as_bytes());
        digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let old_digest = write_program("old.sh", "echo 2\n");
    let new_digest = write_program("new.sh", "echo 2 # again\n");
    let copy_digest = write_program("copy.sh", "echo 2\n");
    assert_eq!(old_digest, copy_digest);
    let programs = ["old", "new", "copy"].map(|name| format!("sh {name}.sh {{n}}"));
    let options = programs.iter().flat_map(|program| ["--program", program]);
    let sweep_arguments =
        ["sweep", "4", "--goal", "count", "--repeat", "1", "-o", "r"].into_iter().chain(options);
    let (code, _, stderr) = run_in(directory.path(), &sweep_arguments.collect::<Vec<_>>());
    assert_eq!(code, 0, "{stderr}");
    let differences = |arguments: &[&str]| {
        let (_, stdout, stderr) =
            run_in(directory.path(), &[&["compare", "r", "--json"], arguments].concat());
        let comparison: serde_json::Value = serde_json::from_str(&stdout).expect(&stderr);
        let list = comparison["differences"].as_array().expect("a list").clone();
        list.iter().map(|text| text.as_str().expect("a text").to_owned()).collect::<Vec<_>>()
    };
    let differences_of_new = differences(&["--of", "program/new", "--baseline", "program/old"]);
    let [line] = &differences_of_new[..] else { panic!("one difference: {differences_of_new:?}") };
    let [first, second] =
        [format!("old.sh {old_digest}"), format!("new.sh {new_digest}")].map(|file| line.find(&file));
    assert!(first.is_some() && first < second, "{line}");
    let differences_of_copy = differences(&["--of", "program/copy", "--baseline", "program/old"]);
    assert!(differences_of_copy.is_empty(), "the same content: {differences_of_copy:?}");
    assert!(differences(&["r"]).is_empty(), "the same result");
    // The file of the program is replaced by another one of the same name.
    fs::create_dir(directory.path().join("moved")).expect("directory");
    let moved_digest = write_program("moved/old.sh", "echo 2 # moved\n");
    let sweep_arguments =
        ["sweep", "4", "--goal", "count", "--repeat", "1", "-o", "s", "--program", "sh moved/old.sh {n}"];
    let (code, _, stderr) = run_in(directory.path(), &sweep_arguments);
    assert_eq!(code, 0, "{stderr}");
    let differences_of_moved = differences(&["s"]);
    assert!(
        differences_of_moved.iter().any(|line| line.contains(&old_digest) && line.contains(&moved_digest)),
        "{differences_of_moved:?}"
    );
}
