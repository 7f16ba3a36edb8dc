//! Result directories that were damaged, edited or forged.

use std::path::Path;
use std::time::Duration;

use queenlab::record::{Kind, Row, Status, Verdict, table};
use queenlab::solver::{Goal, Stat};

use crate::harness::{
    assert_message, assert_wording, queenlab, read, row, rows, run_in, scratch, with_ids, without_numbers,
    write,
};

const SWEEP: [&str; 10] =
    ["sweep", "--n", "4-6", "--solver", "backtrack/bitmask", "--repeat", "2", "--out", "r", "-q"];

/// A directory with the results `r` of a small sweep.
fn directory_with_results() -> tempfile::TempDir {
    let directory = scratch();
    let (code, _, stderr) = run_in(directory.path(), &SWEEP);
    assert_eq!(code, 0, "{stderr}");
    directory
}

/// Changes the rows of `r`.
fn edit(directory: &Path, change: impl FnOnce(&mut Vec<Row>)) {
    let out = directory.join("r");
    let mut table_rows = rows(&out);
    change(&mut table_rows);
    table::write(&out, &table_rows).expect("written");
}

/// The commands that read `r`.
const READERS: [&[&str]; 4] =
    [&["report", "r"], &["compare", "r", "r"], &["report", "r", "--format", "json"], &["reproduce", "r"]];

/// Asserts that every command that reads `r` refuses it and names the line.
fn assert_refused_everywhere(directory: &Path, line: &str, mistake: &str) {
    let assert_line_and_wording = |stderr: &str| {
        let (_, problem) = stderr.split_once(line).unwrap_or_else(|| panic!("{mistake}: {stderr}"));
        assert_wording("report", &format!("edited row: {mistake}"), problem);
    };
    for reader in READERS {
        let (code, _, stderr) = run_in(directory, reader);
        assert_eq!(code, 2, "{reader:?}: {stderr}");
        assert_line_and_wording(&stderr);
    }
    let table_before = read(&directory.join("r"), "runs.csv");
    let (code, _, stderr) = run_in(directory, &SWEEP);
    assert_eq!(code, 1, "{stderr}");
    assert_line_and_wording(&stderr);
    assert_eq!(read(&directory.join("r"), "runs.csv"), table_before);
}

#[test]
#[ignore = "long: an attack"]
fn edited_answer_with_stored_verdict_correct_is_wrong() {
    let directory = directory_with_results();
    edit(directory.path(), |rows| {
        let row = rows.iter_mut().find(|row| row.n == 6 && row.kind != Kind::Counting).expect("a timed run");
        row.solutions = Some(5);
        assert_eq!(row.verdict, Verdict::Correct);
    });
    let other_directory = directory_with_results();
    let unchanged_results = other_directory.path().join("r");
    let unchanged_results = unchanged_results.to_str().expect("UTF-8");
    for (reader, expected) in [
        (&["report", "r"][..], 0),
        (&["compare", unchanged_results, "r"], 3),
        (&["report", "r", "--format", "json"], 0),
        (&["reproduce", "r"], 3),
        (&SWEEP, 3),
    ] {
        let (code, _, stderr) = run_in(directory.path(), reader);
        assert_eq!(code, expected, "{reader:?}: {stderr}");
        let line = stderr.lines().find(|line| line.contains(" 5 solutions"));
        assert_wording(reader[0], "edited answer", line.unwrap_or_else(|| panic!("{reader:?}: {stderr}")));
    }
    let page = read(&directory.path().join("r"), "report.html");
    assert!(page.contains(" 1 wrong, ") || page.contains(" 1 wrong."), "{page}");
}

#[test]
#[ignore = "long: an attack"]
fn repeated_row_is_refused_with_line_number() {
    let directory = directory_with_results();
    edit(directory.path(), |rows| rows.push(rows[2].clone()));
    let line = format!("runs.csv: line {}: ", rows(&directory.path().join("r")).len() + 1);
    assert_refused_everywhere(directory.path(), &line, "a row twice");
}

#[test]
#[ignore = "long: an attack"]
fn row_of_an_unplanned_cell_is_never_counted() {
    let directory = directory_with_results();
    edit(directory.path(), |rows| rows.push(with_ids(Row { n: 7, solutions: Some(41), ..rows[1].clone() })));
    for reader in READERS {
        let (code, _, stderr) = run_in(directory.path(), reader);
        assert!(code == 0 && stderr.contains("r: 1 run "), "{reader:?}: {code}: {stderr}");
    }
    assert_eq!(run_in(directory.path(), &SWEEP).0, 0);
    assert!(!read(&directory.path().join("r"), "timings.csv").contains("\n7,"));
}

#[test]
#[ignore = "long: an attack"]
fn row_that_contradicts_its_cell_is_refused() {
    for mistake in ["size", "solver", "limit", "seed"] {
        let change = |row: &mut Row| match mistake {
            "size" => row.n = 7,
            "solver" => row.solver = "backtrack/column-scan".parse().expect("a solver"),
            "limit" => row.time_limit_ns = Some(1),
            _ => row.seed = 2,
        };
        let directory = directory_with_results();
        edit(directory.path(), |rows| change(&mut rows[1]));
        assert_refused_everywhere(directory.path(), "runs.csv: line 3: ", mistake);
    }
}

#[test]
#[ignore = "long: an attack"]
fn results_with_removed_answers_are_not_reproduced() {
    let directory = directory_with_results();
    edit(directory.path(), |rows| rows[1].solutions = None);
    assert_refused_everywhere(directory.path(), "runs.csv: line 3: ", "no number of solutions");
    let directory = directory_with_results();
    edit(directory.path(), |rows| rows[1].digest = None);
    assert_refused_everywhere(directory.path(), "runs.csv: line 3: ", "no digest");
    let directory = directory_with_results();
    edit(directory.path(), |rows| rows.iter_mut().for_each(|row| row.stats.set(Stat::Nodes, None)));
    let (code, stdout, stderr) = run_in(directory.path(), &["reproduce", "r", "--progress", "none"]);
    assert!(code == 3 && stdout.contains("nodes: "), "{code}: {stdout}{stderr}");
    assert_wording("reproduce", "nodes that were blanked", stderr.lines().last().expect("a verdict"));
}

#[test]
#[ignore = "long: an attack"]
fn results_with_deleted_levels_are_not_reproduced() {
    let directory = directory_with_results();
    let out = directory.path().join("r");
    let levels = read(&out, "levels.csv");
    write(&out, "levels.csv", &(levels.lines().next().expect("a header").to_owned() + "\n"));
    let (code, stdout, stderr) = run_in(directory.path(), &["reproduce", "r", "--progress", "none"]);
    assert!(code == 3 && stdout.contains("level 0: "), "{code}: {stdout}{stderr}");
    assert_wording("reproduce", "levels that were deleted", stderr.lines().last().expect("a verdict"));
    let (before, after) = levels.split_once(",5,10,").expect("a level with ten nodes");
    write(&out, "levels.csv", &format!("{before},5,11,{after}"));
    assert_refused_everywhere(directory.path(), "runs.csv: line 3: ", "levels");
}

/// Runs a sweep with two runs of a shell script.
fn sweep_of_script(directory: &Path, script: &str) -> (i32, String, String) {
    let spec = format!(
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\ngoal = \"count\"\nrepeat = 2\n\
         [[program]]\nid = \"p\"\ncommand = [\"sh\", \"-c\", \"{script}\"]\n"
    );
    write(directory, "x.toml", &spec);
    run_in(directory, &["sweep", "x.toml", "--out", "r", "--progress", "none"])
}

#[test]
#[ignore = "long: an attack"]
fn reproduction_without_common_answers_is_a_failure() {
    // The first script fails in the second sweep. The second script gives up in both sweeps, so that their answers are equal.
    for script in ["test ! -e broken && echo 2", "echo unknown"] {
        let directory = scratch();
        let (code, _, stderr) = sweep_of_script(directory.path(), script);
        assert_eq!(code, 0, "{script}: {stderr}");
        write(directory.path(), "broken", "");
        let reproduce = ["reproduce", "r", "--allow-programs", "--progress", "none"];
        let (code, _, stderr) = run_in(directory.path(), &reproduce);
        assert_eq!(code, 3, "{script}: {stderr}");
        assert_wording("reproduce", "no answer in common", stderr.lines().last().expect("a verdict"));
    }
}

#[cfg(unix)]
#[test]
#[ignore = "long: an attack"]
fn sweep_with_externally_changed_table_exits_with_1() {
    for (script, place) in [
        ("rm -f r/runs.csv; echo 2", "runs.csv: "),
        ("cp r/runs.csv r/x; mv r/x r/runs.csv; echo 2", "runs.csv: "),
        ("echo x >>r/runs.csv; echo 2", "runs.csv: "),
        (": >r/levels.csv; echo 2", "levels.csv: "),
        // When the first run starts, the table has only its header, which contains no digits, so the script changes nothing.
        ("tr 12 34 <r/runs.csv >x; cat x >r/runs.csv; echo 2", "runs.csv: "),
    ] {
        let directory = scratch();
        let (code, _, stderr) = sweep_of_script(directory.path(), script);
        assert_eq!(code, 1, "{script}: {stderr}");
        let (_, problem) = stderr.split_once(place).unwrap_or_else(|| panic!("{script}: {stderr}"));
        assert_wording("sweep", &format!("during a sweep: {script}"), &without_numbers(problem));
    }
}

/// If the pipe is closed before a command writes to it, the command must not print an error or fail.
#[test]
#[ignore = "long: an attack"]
fn commands_reading_results_accept_a_closed_pipe() {
    let directory = directory_with_results();
    for reader in READERS {
        let (read_end, write_end) = std::io::pipe().expect("a pipe");
        drop(read_end);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_queenlab"));
        command.args(reader).current_dir(directory.path()).stdout(write_end);
        let output = command.output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{reader:?}: {stderr}");
        assert!(!stderr.contains("panicked") && !stderr.contains("error"), "{reader:?}: {stderr}");
    }
}

#[test]
#[ignore = "long: an attack"]
fn resume_keeps_unknown_columns_and_appends_missing_rows() {
    let directory = directory_with_results();
    let out = directory.path().join("r");
    let lines: Vec<String> = read(&out, "runs.csv").lines().map(str::to_owned).collect();
    let (header, rows) = lines.split_first().expect("a header");
    let first_rows: String = rows[..3].iter().map(|row| format!("{row},x\n")).collect();
    write(&out, "runs.csv", &format!("{header},mood\n{first_rows}"));
    let table_before = read(&out, "runs.csv");
    let (code, _, stderr) = run_in(directory.path(), &SWEEP);
    assert_eq!(code, 0, "{stderr}");
    let table_after = read(&out, "runs.csv");
    assert!(
        table_after.starts_with(&table_before) && table_after.lines().count() == lines.len(),
        "{table_after}"
    );
}

#[cfg(unix)]
#[test]
#[ignore = "long: an attack"]
fn special_files_are_neither_read_nor_written() {
    let fifo = |path: &Path| {
        let status = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo starts");
        assert!(status.success());
    };
    let run_with_deadline = |directory: &Path, arguments: &[&str]| {
        let mut command = queenlab(arguments);
        let output = command.current_dir(directory).timeout(Duration::from_secs(120)).output();
        let output = output.expect("the program starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let directory = directory_with_results();
    let out = directory.path().join("r");
    write(directory.path(), "precious", "precious");
    let derived_files = ["crosscheck.csv", "timings.csv", "report.html", "plots/time.svg"];
    let contents_before = derived_files.map(|name| read(&out, name));
    let remove = |name: &str| std::fs::remove_file(out.join(name)).expect("removed");
    derived_files.into_iter().for_each(remove);
    fifo(&out.join("crosscheck.csv"));
    std::os::unix::fs::symlink("/dev/full", out.join("timings.csv")).expect("a link");
    std::os::unix::fs::symlink(directory.path().join("precious"), out.join("report.html")).expect("a link");
    fifo(&out.join("plots/time.svg"));
    assert_eq!(run_with_deadline(directory.path(), &SWEEP), (Some(0), String::new()));
    assert_eq!(derived_files.map(|name| read(&out, name)), contents_before);
    assert!(
        derived_files
            .iter()
            .all(|name| out.join(name).symlink_metadata().is_ok_and(|metadata| metadata.is_file()))
    );
    assert_eq!(read(directory.path(), "precious"), "precious");
    for name in ["crosscheck.csv", "levels.csv", "runs.csv", "meta.json"] {
        remove(name);
        fifo(&out.join(name));
        for reader in READERS {
            let (code, stderr) = run_with_deadline(directory.path(), reader);
            let error_names_file = stderr.contains(name) && stderr.contains("a FIFO");
            assert!(code == Some(2) && error_names_file, "{reader:?}: {stderr}");
        }
    }
    let (code, stderr) = run_with_deadline(directory.path(), &SWEEP);
    assert!(code == Some(1) && stderr.contains("--out"), "{stderr}");
    assert_wording("sweep", "special files", &stderr);
}

#[cfg(unix)]
#[test]
#[ignore = "long: an attack"]
fn fifo_as_checkpoint_is_refused() {
    let directory = scratch();
    let status = std::process::Command::new("mkfifo").arg(directory.path().join("c.json")).status();
    assert!(status.expect("mkfifo starts").success());
    let mut command = queenlab(&["count", "8", "--solver", "count/portable", "--checkpoint", "c.json"]);
    let output = command.current_dir(directory.path()).timeout(Duration::from_secs(120)).output();
    let output = output.expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_wording("count", "checkpoint that is a FIFO", &stderr);
}

#[cfg(unix)]
#[test]
#[ignore = "long: an attack"]
fn endless_input_files_are_refused() {
    for arguments in [
        &["count", "8", "--checkpoint", "/dev/zero"][..],
        &["sweep", "/dev/zero"],
        &["sweep", "--instance", "/dev/zero"],
        &["solve", "--instance", "/dev/zero"],
        &["check", "--instance", "/dev/zero", "-"],
        &["certify", "--instance", "/dev/zero"],
        &["report", "r", "--spec", "/dev/zero"],
    ] {
        let directory = directory_with_results();
        let mut command = queenlab(arguments);
        let output = command.current_dir(directory.path()).timeout(Duration::from_secs(120)).output();
        let output = output.expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {:?}", output.status);
        assert!(stderr.contains("/dev/zero"), "{arguments:?}: {stderr}");
        assert_message(directory.path(), arguments, &stderr);
    }
}

/// A table escapes control characters, so the name would have changed when the table is read.
#[cfg(unix)]
#[test]
#[ignore = "long: an attack"]
fn instance_name_with_control_characters_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    for (character, name) in [
        ("a line feed", &b"two\nlines.txt"[..]),
        ("an escape sequence", b"\x1b[2J.txt"),
        ("a byte that is not UTF-8", b"not\xff.txt"),
    ] {
        let directory = scratch();
        std::fs::write(directory.path().join(std::ffi::OsStr::from_bytes(name)), "n = 4\n").expect("written");
        let sweep = ["sweep", "--instance", "*.txt", "--solver", "backtrack/dlx", "--out", "r"];
        let (code, _, stderr) = run_in(directory.path(), &sweep);
        assert_eq!(code, 2, "{stderr}");
        assert_wording("sweep", &format!("instance whose name has {character}"), &stderr);
        assert!(!directory.path().join("r").exists());
    }
}

#[test]
#[ignore = "long: an attack"]
fn report_of_10000_cells_stays_below_5_megabytes() {
    let directory = scratch();
    let out = directory.path().join("r");
    std::fs::create_dir(&out).expect("a directory");
    let run = |solver: usize, n: usize, repetition: u32| {
        let row = row(n, Goal::Count, &format!("backtrack/solver-{solver}"));
        let solve_ns = Some(200_000 + 1000 * (solver + n) as u64 + u64::from(repetition));
        let status = Status::Complete;
        with_ids(Row { status, solutions: Some(7), repetition, solve_ns, ..row })
    };
    let cells = (0..250).flat_map(|solver| (30..70).map(move |n| (solver, n)));
    let rows: Vec<Row> = cells.flat_map(|(solver, n)| (1..3).map(move |i| run(solver, n, i))).collect();
    assert_eq!(rows.len(), 20_000);
    table::write(&out, &rows).expect("written");
    let (code, _, stderr) = run_in(directory.path(), &["report", "r"]);
    assert_eq!(code, 0, "{stderr}");
    let page = read(&out, "report.html");
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    for value in ["200 of 250 rows; timings.csv", "24 of 40 sizes; timings.csv"] {
        assert!(page.contains(value), "{value}");
    }
    assert!(page.contains("<svg"), "the page does not have one plot for 250 series");
    assert_eq!(read(&out, "timings.csv").lines().count(), 1 + 250 * 40);
}
