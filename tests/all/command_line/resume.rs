//! Resuming: the same command repeats nothing, another plan is refused, and an interruption loses nothing.

use std::collections::HashSet;
use std::path::Path;

use crate::harness::{levels, read, rows, run_in, scratch, write};

const PLAN: [&str; 9] =
    ["sweep", "--n", "4-5", "--solver", "backtrack/bitmask", "--repeat", "2", "--out", "r"];

fn run_ids(out: &Path) -> Vec<String> {
    rows(out).into_iter().map(|row| row.run_id).collect()
}

fn assert_none_twice(out: &Path) {
    let ids = run_ids(out);
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "a run was repeated");
}

#[test]
fn the_same_command_again_says_that_all_is_done_and_runs_nothing() {
    let directory = scratch();
    let out = directory.path().join("r");
    let (code, first, _) = run_in(directory.path(), &PLAN);
    assert_eq!(code, 0);
    let files = ["runs.csv", "levels.csv", "crosscheck.csv", "timings.csv", "nodes.csv", "meta.json"];
    let before = files.map(|file| read(&out, file));
    let (code, again, stderr) = run_in(directory.path(), &PLAN);
    assert_eq!((code, stderr.as_str()), (0, "r: all 6 runs were already done\n"));
    assert_eq!(again, first);
    assert_eq!(files.map(|file| read(&out, file)), before);
}

#[test]
fn another_plan_in_the_same_directory_is_refused_unless_accepted() {
    let directory = scratch();
    let out = directory.path().join("r");
    assert_eq!(run_in(directory.path(), &PLAN).0, 0);
    let before = read(&out, "runs.csv");
    let more = PLAN.map(|word| if word == "2" { "3" } else { word });
    let (code, stdout, stderr) = run_in(directory.path(), &more);
    assert_eq!((code, stdout.as_str()), (6, ""));
    for told in ["error: r: ", "another sweep.repeat (2, now 3)", "--accept", "--out"] {
        assert!(stderr.contains(told), "{stderr}");
    }
    assert_eq!(read(&out, "runs.csv"), before);
    let (code, _, stderr) = run_in(directory.path(), &[&more[..], &["--accept"]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("6 already done"), "{stderr}");
    assert!(read(&out, "runs.csv").starts_with(&before));
    assert_eq!(run_ids(&out).len(), 2 * (1 + 3));
    assert_none_twice(&out);
    assert!(read(&out, "meta.json").contains("continued with another sweep.repeat (2, now 3)"));
}

#[test]
fn runs_of_earlier_plans_are_not_counted_and_their_number_is_said() {
    let directory = scratch();
    let out = directory.path().join("r");
    assert_eq!(run_in(directory.path(), &PLAN).0, 0);
    // Of n = 4: one counting run and one timed run. The other timed run and the three runs of n = 5 are of the first plan.
    let smaller = PLAN.map(|word| match word {
        "4-5" => "4",
        "2" => "1",
        word => word,
    });
    let (code, stdout, stderr) = run_in(directory.path(), &[&smaller[..], &["--accept"]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("all 2 runs were already done"), "{stderr}");
    assert!(stdout.contains("\n2 runs in "), "{stdout}");
    assert!(stdout.contains("\n4 runs of earlier plans in this directory left out"), "{stdout}");
    let page = read(&out, "report.html");
    assert!(page.contains("<dt>Runs</dt><dd>2</dd>"), "{page}");
    assert!(page.contains("<dt>Runs of earlier plans, left out</dt><dd>4</dd>"), "{page}");
    let timings = read(&out, "timings.csv");
    assert_eq!(timings.lines().count(), 2, "{timings}");
    // A report of the directory says the same.
    let (code, _, stderr) = run_in(directory.path(), &["report", "r"]);
    assert!(code == 0 && stderr.contains("warning: r: 4 runs of earlier plans left out"), "{stderr}");
    assert_eq!(read(&out, "report.html"), page);
    assert_eq!(read(&out, "timings.csv"), timings);
    assert_eq!(rows(&out).len(), 6, "no row is removed");
    // The first plan has them all.
    let (code, stdout, stderr) = run_in(directory.path(), &[&PLAN[..], &["--accept"]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("\n6 runs in ") && !stdout.contains("earlier plans"), "{stdout}");
}

#[test]
fn only_the_last_plan_of_a_directory_is_reproduced() {
    let directory = scratch();
    assert_eq!(run_in(directory.path(), &PLAN).0, 0);
    let smaller = PLAN.map(|word| if word == "4-5" { "4" } else { word });
    let (code, _, stderr) = run_in(directory.path(), &[&smaller[..], &["--accept"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let (code, _, stderr) = run_in(directory.path(), &["reproduce", "r"]);
    assert!(code == 0 && stderr.contains("reproduced: all answers and counts are the same"), "{stderr}");
    assert!(stderr.contains("r: 3 runs of earlier plans left out"), "{stderr}");
}

/// What refuses to go on: the exit code, the words that name the difference, and no row more.
fn assert_refused(directory: &Path, executable: &Path, told: &str) {
    let before = read(&directory.join("r"), "runs.csv");
    let call = |options: &[&str]| {
        let mut command = std::process::Command::new(executable);
        command.args(PLAN).args(options).current_dir(directory).output().expect("the program starts")
    };
    let output = call(&[]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(6), "{stderr}");
    assert!(stderr.contains(told) && stderr.contains("--accept"), "{stderr}");
    assert_eq!(read(&directory.join("r"), "runs.csv"), before);
    let accepted = call(&["--accept"]);
    assert_eq!(accepted.status.code(), Some(0), "{}", String::from_utf8_lossy(&accepted.stderr));
}

#[test]
fn another_executable_is_refused_unless_accepted() {
    let directory = scratch();
    assert_eq!(run_in(directory.path(), &PLAN).0, 0);
    let own = Path::new(env!("CARGO_BIN_EXE_queenlab"));
    let other = directory.path().join("queenlab");
    // A byte behind its end changes nothing that it does.
    let mut bytes = std::fs::read(own).expect("readable");
    bytes.push(0);
    std::fs::copy(own, &other).expect("a copy");
    std::fs::write(&other, bytes).expect("writable");
    assert_refused(directory.path(), &other, "made with another executable (");
}

#[test]
fn another_machine_is_refused_unless_accepted() {
    for (key, told) in [
        ("cpu_model", "made with another CPU (Other, now "),
        ("os", "made with another operating system (Other, now "),
        ("cores", "made with another number of cores (999, now "),
    ] {
        let directory = scratch();
        let out = directory.path().join("r");
        assert_eq!(run_in(directory.path(), &PLAN).0, 0);
        let mut meta: serde_json::Value = serde_json::from_str(&read(&out, "meta.json")).expect("JSON");
        meta["machine"][key] = if key == "cores" { 999.into() } else { "Other".into() };
        write(&out, "meta.json", &meta.to_string());
        assert_refused(directory.path(), Path::new(env!("CARGO_BIN_EXE_queenlab")), told);
    }
}

/// What is run comes from the command line, whatever the directory says.
#[cfg(unix)]
#[test]
fn a_directory_from_somebody_else_can_neither_run_a_command_nor_write_elsewhere() {
    let directory = scratch();
    let out = directory.path().join("r");
    let program = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\nrepeat = 1\n[[program]]\nid = \"p\"\n\
                   command = [\"touch\", \"owned\"]\n";
    write(directory.path(), "x.toml", program);
    // It prints no board, which is a wrong answer.
    assert_eq!(run_in(directory.path(), &["sweep", "x.toml", "--out", "r"]).0, 3);
    std::fs::remove_file(directory.path().join("owned")).expect("the program ran");
    // Its rows gone, that program would have to be run again.
    let text = read(&out, "runs.csv");
    write(&out, "runs.csv", &text[..=text.find('\n').expect("a header")]);
    assert_eq!(run_in(directory.path(), &PLAN).0, 6);
    let (code, _, stderr) = run_in(directory.path(), &[&PLAN[..], &["--accept"]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert!(!directory.path().join("owned").exists());
    assert!(rows(&out).iter().all(|row| row.solver == "backtrack/bitmask"));

    write(directory.path(), "precious", "precious");
    std::fs::remove_file(out.join("runs.csv")).expect("removed");
    std::os::unix::fs::symlink("../precious", out.join("runs.csv")).expect("a link");
    let (code, _, stderr) = run_in(directory.path(), &PLAN);
    assert_eq!(code, 1);
    assert!(
        stderr
            .starts_with("error: r/runs.csv: a sweep needs a regular file here, but this is a symbolic link"),
        "{stderr}"
    );
    assert_eq!(read(directory.path(), "precious"), "precious");
}

#[test]
fn a_torn_last_row_is_run_again_and_nothing_else() {
    let directory = scratch();
    let out = directory.path().join("r");
    assert_eq!(run_in(directory.path(), &PLAN).0, 0);
    let whole = read(&out, "runs.csv");
    let kept = &whole[..=whole.trim_end().rfind('\n').expect("rows")];
    write(&out, "runs.csv", &whole[..whole.len() - 9]);
    let (code, _, stderr) = run_in(directory.path(), &PLAN);
    assert_eq!(code, 0);
    assert!(stderr.contains("5 already done"), "{stderr}");
    assert!(read(&out, "runs.csv").starts_with(kept));
    assert_eq!(run_ids(&out).len(), 6);
    assert_none_twice(&out);
    let levels = levels(&out);
    let keys: HashSet<_> = levels.iter().map(|level| (&level.cell_id, level.level)).collect();
    assert_eq!((keys.len(), levels.len()), (5 + 6, 5 + 6));
}

/// Ctrl-C while a program of the user's hangs, at its fourth run; a file in the directory lets it end afterwards.
#[cfg(unix)]
#[test]
fn an_interrupted_sweep_resumes_with_the_same_command_and_repeats_nothing() {
    use std::process::{Command, Stdio};

    use rustix::process::Signal;

    use crate::processes::{Guard, until};

    const SPEC: &str = r#"
schema_version = 1
name = "slow"
[sweep]
n = "4"
repeat = 10
timeout = "1h"
[[solver]]
id = "backtrack/bitmask"
[[program]]
id = "slow"
command = ["sh", "-c", "echo >> calls; [ -e fast ] || [ $(wc -l < calls) -lt 4 ] || sleep 3600; echo 1 3 0 2; echo 2 0 3 1"]
"#;
    let directory = scratch();
    write(directory.path(), "slow.toml", SPEC);
    let arguments = ["sweep", "slow.toml", "--out", "r"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(arguments).current_dir(directory.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let sweep = Guard::start(&mut command);
    let out = directory.path().join("r");
    let calls = || std::fs::read_to_string(directory.path().join("calls")).map_or(0, |text| text.len());
    until("the fourth run of the program", || (calls() == 4).then_some(()));
    sweep.signal(Signal::TERM);
    let output = sweep.output();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(
        stderr.contains("interrupted: ") && stderr.contains("repeat the same command to resume"),
        "{stderr}"
    );
    let before = read(&out, "runs.csv");
    assert!(before.ends_with('\n'));
    let done = rows(&out).len();
    assert!((4..21).contains(&done), "{done} runs");
    // What was measured so far is already a table.
    assert!(read(&out, "timings.csv").lines().count() > 1);

    write(directory.path(), "fast", "");
    let (code, _, stderr) = run_in(directory.path(), &arguments);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains(&format!("{done} already done")), "{stderr}");
    assert!(read(&out, "runs.csv").starts_with(&before));
    assert_eq!(rows(&out).len(), 21);
    assert_none_twice(&out);
}
