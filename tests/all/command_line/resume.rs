//! Resuming a sweep: the same command repeats no run, another plan is refused, and an interruption loses no finished run.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;

use queenlab::record::{ClaimRow, Stated, TimingsRow, Verdict};

use crate::harness::{
    PUZZLES, assert_message, assert_wording, levels, read, rows, rows_of, run_in, scratch, without_numbers,
    write,
};

const PLAN: [&str; 9] =
    ["sweep", "--n", "4-5", "--solver", "backtrack/bitmask", "--repeat", "2", "--out", "r"];

fn run_ids(out: &Path) -> Vec<String> {
    rows(out).into_iter().map(|row| row.run_id).collect()
}

fn assert_no_run_twice(out: &Path) {
    let ids = run_ids(out);
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "a run was repeated");
}

#[test]
fn repeated_command_reports_completion_and_runs_nothing() {
    let directory = scratch();
    let out = directory.path().join("r");
    let (code, first, _) = run_in(directory.path(), &PLAN);
    assert_eq!(code, 0);
    let files = ["runs.csv", "levels.csv", "crosscheck.csv", "timings.csv", "nodes.csv", "meta.json"];
    let contents_before = files.map(|file| read(&out, file));
    let (code, again, stderr) = run_in(directory.path(), &PLAN);
    assert!(code == 0 && stderr.contains(" 6 runs "), "{stderr}");
    assert_wording("sweep", "nothing left to run", &stderr);
    assert_eq!(again, first);
    assert_eq!(files.map(|file| read(&out, file)), contents_before);
}

#[test]
fn changed_plan_is_refused_without_option_accept() {
    let directory = scratch();
    let out = directory.path().join("r");
    assert_eq!(run_in(directory.path(), &PLAN).0, 0);
    let table_before = read(&out, "runs.csv");
    let plan_of_three_rounds = PLAN.map(|word| if word == "2" { "3" } else { word });
    let (code, stdout, stderr) = run_in(directory.path(), &plan_of_three_rounds);
    assert_eq!((code, stdout.as_str()), (6, ""));
    for value in ["error: r: ", "sweep.repeat: 2, now 3", " 6 of the 6 runs ", "--accept", "--fresh", "--out"]
    {
        assert!(stderr.contains(value), "{stderr}");
    }
    assert_message(directory.path(), &plan_of_three_rounds, &stderr);
    assert_eq!(read(&out, "runs.csv"), table_before);
    let (code, _, stderr) = run_in(directory.path(), &[&plan_of_three_rounds[..], &["--accept"]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains(" 6 runs "), "{stderr}");
    assert_wording("sweep", "continued with more repetitions", &stderr);
    assert!(read(&out, "runs.csv").starts_with(&table_before));
    assert_eq!(run_ids(&out).len(), 2 * (1 + 3));
    assert_no_run_twice(&out);
    assert!(read(&out, "meta.json").contains("sweep.repeat (2, now 3)"));
}

#[test]
fn runs_of_earlier_plans_are_excluded_from_results() {
    let directory = scratch();
    let out = directory.path().join("r");
    assert_eq!(run_in(directory.path(), &PLAN).0, 0);
    // The new plan has one counting run and one timed run of n = 4. The second timed run of n = 4 and the three runs of n = 5
    // belong only to the first plan.
    let smaller_plan = PLAN.map(|word| match word {
        "4-5" => "4",
        "2" => "1",
        word => word,
    });
    let (code, stdout, stderr) = run_in(directory.path(), &[&smaller_plan[..], &["--accept"]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains(" 2 runs "), "{stderr}");
    assert!(stdout.contains("\n2 runs in "), "{stdout}");
    let excluded_runs_note =
        stdout.lines().find(|line| line.starts_with("4 runs ")).unwrap_or_else(|| panic!("{stdout}"));
    assert_wording("sweep", "runs of earlier plans", excluded_runs_note);
    let page = read(&out, "report.html");
    let summary = page.lines().find(|line| line.contains("<p>2 runs ")).unwrap_or_else(|| panic!("{page}"));
    // In the summary, a remark about disturbed runs may precede the remark about excluded runs.
    assert!(summary.contains("n = 4") && summary.contains(", 4 "), "{summary}");
    let timings = read(&out, "timings.csv");
    assert_eq!(timings.lines().count(), 2, "{timings}");
    // `report` also prints the number of excluded runs, as a warning.
    let (code, _, stderr) = run_in(directory.path(), &["report", "r"]);
    assert!(code == 0 && stderr.contains("warning: r: 4 runs "), "{stderr}");
    assert_wording("report", "runs of earlier plans", &stderr);
    assert_eq!(read(&out, "report.html"), page);
    assert_eq!(read(&out, "timings.csv"), timings);
    assert_eq!(rows(&out).len(), 6, "a row was removed");
    // When the first plan is resumed, all six runs belong to the current plan again.
    let (code, stdout, stderr) = run_in(directory.path(), &[&PLAN[..], &["--accept"]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("\n6 runs in ") && !stdout.contains("\n4 runs "), "{stdout}");
}

#[test]
fn only_last_plan_of_a_directory_is_reproduced() {
    let directory = scratch();
    assert_eq!(run_in(directory.path(), &PLAN).0, 0);
    let smaller_plan = PLAN.map(|word| if word == "4-5" { "4" } else { word });
    let (code, _, stderr) = run_in(directory.path(), &[&smaller_plan[..], &["--accept"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let (code, _, stderr) = run_in(directory.path(), &["reproduce", "r"]);
    assert!(code == 0 && stderr.contains("r: 3 runs "), "{stderr}");
    assert_wording("reproduce", "the last of two plans", &stderr);
}

/// Asserts that a sweep refuses to resume without `--accept`, and resumes with `--accept`. Returns the error message.
fn assert_refused_unless_accepted(directory: &Path, executable: &Path) -> String {
    let table_before = read(&directory.join("r"), "runs.csv");
    let call = |options: &[&str]| {
        let mut command = std::process::Command::new(executable);
        command.args(PLAN).args(options).current_dir(directory);
        loop {
            match command.output() {
                // Another test may have forked while the executable was open for writing. The forked process keeps the file open
                // until it executes its own program.
                Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
                output => break output.expect("the program starts"),
            }
        }
    };
    let output = call(&[]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(6), "{stderr}");
    assert!(stderr.contains("--accept"), "{stderr}");
    assert_eq!(read(&directory.join("r"), "runs.csv"), table_before);
    let accepted_output = call(&["--accept"]);
    assert_eq!(
        accepted_output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&accepted_output.stderr)
    );
    stderr
}

/// Compares an error message with its snapshot. The old and the new value are replaced, because they may depend on this machine.
fn assert_difference(key: &str, stderr: &str) {
    let lines = stderr.lines().map(|line| match line.split_once(": ") {
        Some((key, values)) if values.contains(", now ") => format!("{key}: VALUES"),
        _ => line.to_owned(),
    });
    assert_wording("sweep", &format!("resume: another {key}"), &lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn results_of_another_executable_are_refused_unless_accepted() {
    let directory = scratch();
    assert_eq!(run_in(directory.path(), &PLAN).0, 0);
    let executable = Path::new(env!("CARGO_BIN_EXE_queenlab"));
    let other_executable = directory.path().join("queenlab");
    // An additional byte at the end of the executable does not change its behaviour.
    let mut bytes = std::fs::read(executable).expect("readable");
    bytes.push(0);
    std::fs::copy(executable, &other_executable).expect("a copy");
    std::fs::write(&other_executable, bytes).expect("writable");
    assert_difference("executable", &assert_refused_unless_accepted(directory.path(), &other_executable));
}

#[test]
fn results_of_another_machine_are_refused_unless_accepted() {
    for key in ["cpu_model", "os", "cores"] {
        let directory = scratch();
        let out = directory.path().join("r");
        assert_eq!(run_in(directory.path(), &PLAN).0, 0);
        let mut meta: serde_json::Value = serde_json::from_str(&read(&out, "meta.json")).expect("JSON");
        meta["machine"][key] = if key == "cores" { 999.into() } else { "Other".into() };
        write(&out, "meta.json", &meta.to_string());
        let stderr =
            assert_refused_unless_accepted(directory.path(), Path::new(env!("CARGO_BIN_EXE_queenlab")));
        assert!(stderr.contains(if key == "cores" { ": 999, now " } else { ": Other, now " }), "{stderr}");
        assert_difference(key, &stderr);
    }
}

/// A sweep may start programs of its command line, but no program that is only named in the result directory.
#[cfg(unix)]
#[test]
fn untrusted_directory_cannot_start_programs_or_redirect_writes() {
    let directory = scratch();
    let out = directory.path().join("r");
    let program = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\nrepeat = 1\n[[program]]\nid = \"p\"\n\
                   command = [\"touch\", \"owned\"]\n";
    write(directory.path(), "x.toml", program);
    // The program prints no board, which is a wrong answer.
    assert_eq!(run_in(directory.path(), &["sweep", "x.toml", "--out", "r"]).0, 3);
    std::fs::remove_file(directory.path().join("owned")).expect("a file that the program made");
    // Without the rows of the program, resuming its experiment would start the program again.
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
    assert!(stderr.starts_with("error: r/runs.csv: "), "{stderr}");
    assert_wording("sweep", "runs.csv is a link", &stderr);
    assert_eq!(read(directory.path(), "precious"), "precious");
}

#[test]
fn only_run_of_torn_last_row_is_repeated() {
    let directory = scratch();
    let out = directory.path().join("r");
    assert_eq!(run_in(directory.path(), &PLAN).0, 0);
    let complete_table = read(&out, "runs.csv");
    let without_last_row = &complete_table[..=complete_table.trim_end().rfind('\n').expect("rows")];
    write(&out, "runs.csv", &complete_table[..complete_table.len() - 9]);
    let (code, _, stderr) = run_in(directory.path(), &PLAN);
    assert_eq!(code, 0);
    assert!(stderr.contains(" 5 runs "), "{stderr}");
    assert!(read(&out, "runs.csv").starts_with(without_last_row));
    assert_eq!(run_ids(&out).len(), 6);
    assert_no_run_twice(&out);
    let levels = levels(&out);
    let keys: HashSet<_> = levels.iter().map(|level| (&level.cell_id, level.level)).collect();
    assert_eq!((keys.len(), levels.len()), (5 + 6, 5 + 6));
}

/// The sweep is interrupted while the program hangs in its fourth run. When the file `fast` exists, the program does not hang.
#[cfg(unix)]
#[test]
fn interrupted_sweep_resumes_by_the_same_command() {
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
    let end = stderr.lines().find(|line| line.starts_with("interrupted: "));
    let end = without_numbers(end.unwrap_or_else(|| panic!("{stderr}")));
    assert_wording("sweep", "interrupted", &end);
    let table_before = read(&out, "runs.csv");
    assert!(table_before.ends_with('\n'));
    let finished_runs = rows(&out).len();
    assert!((4..21).contains(&finished_runs), "{finished_runs} runs");
    // The derived tables contain the finished runs.
    assert!(read(&out, "timings.csv").lines().count() > 1);

    write(directory.path(), "fast", "");
    let (code, _, stderr) = run_in(directory.path(), &arguments);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains(&format!(" {finished_runs} runs ")), "{stderr}");
    assert!(read(&out, "runs.csv").starts_with(&table_before));
    assert_eq!(rows(&out).len(), 21);
    assert_no_run_twice(&out);
}

/// Writes an experiment `x.toml` with these lines in `[sweep]` and these tables.
fn experiment(directory: &Path, sweep: &str, tables: &str) {
    let text = format!("schema_version = 1\nname = \"x\"\n[sweep]\nrepeat = 1\n{sweep}\n{tables}\n");
    write(directory, "x.toml", &text);
}

const SWEEP_FILE: [&str; 4] = ["sweep", "x.toml", "--out", "r"];
const DLX: &str = "[[solver]]\nid = \"backtrack/dlx\"\n";

#[test]
fn refusal_lists_every_changed_key_with_both_values() {
    let directory = scratch();
    let dlx = |items: &str| format!("{DLX}items = \"{items}\"\n");
    experiment(directory.path(), "n = \"4\"\ntimeout = \"30s\"", &(dlx("natural") + &dlx("organ-pipe")));
    assert_eq!(run_in(directory.path(), &SWEEP_FILE).0, 0);
    let table_before = read(&directory.path().join("r"), "runs.csv");
    let assert_refused = |differences: &[&str]| {
        let (code, stdout, stderr) = run_in(directory.path(), &SWEEP_FILE);
        assert_eq!((code, stdout.as_str()), (6, ""), "{stderr}");
        assert!(differences.iter().all(|difference| stderr.contains(difference)), "{stderr}");
        assert_wording("sweep", &format!("resume: {}", differences[0]), &stderr);
        assert_eq!(read(&directory.path().join("r"), "runs.csv"), table_before);
    };
    experiment(directory.path(), "n = \"4\"\ntimeout = \"10s\"", &(dlx("natural") + &dlx("organ-pipe")));
    assert_refused(&["sweep.timeout: 30s, now 10s", " 0 of the 4 runs "]);
    // If two tables have the same id, the first table is compared.
    experiment(directory.path(), "n = \"4-5\"\ntimeout = \"30s\"", &(dlx("organ-pipe") + &dlx("organ-pipe")));
    assert_refused(&["'backtrack/dlx'.items: natural, now organ-pipe", "sweep.n: 4, now 4-5"]);
}

/// The directory contains three of six runs. The dry run also reports a changed number of repetitions, and changes no file.
#[test]
fn dry_run_reports_number_of_remaining_runs() {
    let directory = scratch();
    let out = directory.path().join("r");
    let results_section_of_dry_run = |plan: &[&str]| {
        let (code, stdout, stderr) = run_in(directory.path(), &[plan, &["--dry-run"]].concat());
        assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
        stdout.lines().skip_while(|line| !line.starts_with("results ")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(results_section_of_dry_run(&PLAN), "");
    assert!(!out.exists());
    assert_eq!(run_in(directory.path(), &PLAN).0, 0);
    let text = read(&out, "runs.csv");
    let first_rows: String = text.lines().take(1 + 3).map(|line| line.to_owned() + "\n").collect();
    write(&out, "runs.csv", &first_rows);
    let interrupted = results_section_of_dry_run(&PLAN);
    assert!(
        interrupted.contains(" 3 of its 3 runs ") && interrupted.contains(" 3 runs to go"),
        "{interrupted}"
    );
    assert_wording("sweep", "a dry run of half a directory", &interrupted);
    let plan_of_three_rounds = PLAN.map(|word| if word == "2" { "3" } else { word });
    let changed_plan = results_section_of_dry_run(&plan_of_three_rounds);
    assert!(
        changed_plan.contains(" 5 runs to go") && changed_plan.contains("sweep.repeat: 2, now 3"),
        "{changed_plan}"
    );
    assert_wording("sweep", "a dry run of another experiment", &changed_plan);
    assert_eq!(results_section_of_dry_run(&[&plan_of_three_rounds[..], &["--fresh"]].concat()), "");
    assert_eq!(read(&out, "runs.csv"), first_rows);
}

/// The first session, on another machine, has two of three timed runs of each cell. The second session adds the third timed run.
#[test]
fn runs_of_another_machine_are_marked_in_tables() {
    let directory = scratch();
    let out = directory.path().join("r");
    assert_eq!(run_in(directory.path(), &PLAN).0, 0);
    let mut meta: serde_json::Value = serde_json::from_str(&read(&out, "meta.json")).expect("JSON");
    meta["machine"]["cores"] = 999.into();
    write(&out, "meta.json", &meta.to_string());
    let plan_of_three_rounds = PLAN.map(|word| if word == "2" { "3" } else { word });
    let (code, stdout, stderr) =
        run_in(directory.path(), &[&plan_of_three_rounds[..], &["--accept"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let every_row_has_earlier =
        |runs| rows_of::<TimingsRow>(&out).iter().all(|row| row.runs == 3 && row.earlier == runs);
    assert!(every_row_has_earlier(Some(2)), "{}", read(&out, "timings.csv"));
    let marked_row = stdout.lines().find(|line| line.starts_with("backtrack/bitmask")).expect("a row");
    assert_eq!(marked_row.matches(" ‡").count(), 2, "{stdout}");
    let note = stdout.lines().find(|line| line.starts_with('‡')).unwrap_or_else(|| panic!("{stdout}"));
    assert_wording("sweep", "runs of another machine", note);
    assert!(read(&out, "report.html").contains(note));
    let meta: serde_json::Value = serde_json::from_str(&read(&out, "meta.json")).expect("JSON");
    assert_eq!(
        (&meta["sessions"][0]["machine"]["cores"], &meta["sessions"][1]["machine"]),
        (&999.into(), &().into())
    );
}

#[test]
fn changing_a_label_or_question_repeats_no_run() {
    let directory = scratch();
    experiment(directory.path(), "n = \"4\"", DLX);
    assert_eq!(run_in(directory.path(), &SWEEP_FILE).0, 0);
    let runs = read(&directory.path().join("r"), "runs.csv");
    experiment(directory.path(), "n = \"4\"", &format!("{DLX}label = \"Links\"\ngroup = \"G\"\n"));
    let text = read(directory.path(), "x.toml").replacen("[sweep]", "question = \"Why?\"\n[sweep]", 1);
    write(directory.path(), "x.toml", &text);
    let (code, stdout, stderr) = run_in(directory.path(), &SWEEP_FILE);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("\nLinks "), "{stdout}");
    assert_eq!(read(&directory.path().join("r"), "runs.csv"), runs);
}

#[test]
fn results_without_experiment_or_meta_are_not_resumed() {
    for file in ["experiment.toml", "meta.json"] {
        let directory = scratch();
        let out = directory.path().join("r");
        assert_eq!(run_in(directory.path(), &PLAN).0, 0);
        std::fs::remove_file(out.join(file)).expect("a written file");
        let (code, _, stderr) = run_in(directory.path(), &["report", "r"]);
        assert_eq!(code, 0, "{stderr}");
        assert_wording("report", &format!("no {file}"), &stderr);
        let stderr =
            assert_refused_unless_accepted(directory.path(), Path::new(env!("CARGO_BIN_EXE_queenlab")));
        assert_wording("sweep", &format!("resume: no {file}"), &stderr);
        assert_eq!(
            run_in(directory.path(), &PLAN).0,
            0,
            "the accepted sweep must have written the file again"
        );
        // A sweep that was killed before its first run has neither of these files.
        let text = read(&out, "runs.csv");
        write(&out, "runs.csv", &text[..=text.find('\n').expect("a header")]);
        std::fs::remove_file(out.join(file)).expect("a written file");
        let (code, _, stderr) = run_in(directory.path(), &PLAN);
        assert_eq!((code, rows(&out).len()), (0, 6), "{stderr}");
    }
}

#[test]
fn editing_a_claim_after_runs_repeats_no_run() {
    let directory = scratch();
    let claim = |says: &str| {
        let bound = "measure = \"solutions\"\nof = \"backtrack/dlx\"\nvalue = 2\nequal = true\n";
        experiment(directory.path(), "n = \"4\"", &format!("{DLX}[[claim]]\nsays = {says:?}\n{bound}"));
    };
    let claims = || read(&directory.path().join("r"), "claims.csv");
    claim("before");
    assert_eq!(run_in(directory.path(), &SWEEP_FILE).0, 0);
    assert!(claims().contains(",before,"), "{}", claims());
    claim("after, \"quoted\"");
    let (code, _, stderr) = run_in(directory.path(), &SWEEP_FILE);
    assert!(code == 0 && stderr.contains(" 2 runs ") && stderr.lines().count() == 1, "{stderr}");
    assert!(claims().contains(",\"after, \"\"quoted\"\"\","), "{}", claims());
    // `report` reads the claims in the directory.
    let text = read(&directory.path().join("r"), "experiment.toml").replace("after", "later");
    write(&directory.path().join("r"), "experiment.toml", &text);
    assert_eq!(run_in(directory.path(), &["report", "r"]).0, 0);
    assert!(claims().contains("later, "), "{}", claims());
}

/// One claim is stated before the run, another claim is added after it, and then the value of the first claim is changed.
#[test]
fn claims_table_shows_which_claims_preceded_the_run() {
    let directory = scratch();
    let out = directory.path().join("r");
    let claims = |texts: &[(&str, u64)], expected: &str| {
        let claim = |(says, value): &(&str, u64)| {
            format!(
                "[[claim]]\nsays = {says:?}\nmeasure = \"solutions\"\nof = \"backtrack/dlx\"\nvalue = {value}\n\
                 equal = true\n"
            )
        };
        experiment(
            directory.path(),
            "n = \"4\"",
            &(DLX.to_owned() + &texts.iter().map(claim).collect::<String>()),
        );
        let text = read(directory.path(), "x.toml");
        let expected = format!("name = \"x\"\nexpected = {expected:?}\n");
        write(directory.path(), "x.toml", &text.replacen("name = \"x\"\n", &expected, 1));
    };
    let statement_times = || rows_of::<ClaimRow>(&out).iter().map(|claim| claim.stated).collect::<Vec<_>>();
    let page_says = |what: &str| read(&out, "report.html").contains(&format!("Expected {what}: "));
    let sweep = |situation: &str| {
        let (code, stdout, stderr) = run_in(directory.path(), &SWEEP_FILE);
        assert_eq!(code, 0, "{stderr}");
        let lines: Vec<&str> = stdout.lines().skip_while(|line| !line.starts_with("claims: ")).collect();
        let end = lines.iter().position(|line| line.starts_with("report: ")).expect("a report");
        assert_wording("sweep", situation, &lines[..end].join("\n"));
    };
    claims(&[("two", 2)], "two boards");
    sweep("claims before the run");
    assert_eq!(statement_times(), [Some(Stated::Before)]);
    assert!(page_says("(stated before the run)"));
    let digests = read(&out, "meta.json");

    claims(&[("two", 2), ("still two", 2)], "2 boards");
    sweep("a claim after the run");
    assert_eq!(statement_times(), [Some(Stated::Before), Some(Stated::Afterwards)]);
    assert!(page_says("(stated afterwards)"));
    claims(&[("two", 3)], "two boards");
    assert_eq!(run_in(directory.path(), &SWEEP_FILE).0, 0);
    assert_eq!(
        statement_times(),
        [Some(Stated::Afterwards)],
        "a claim with a changed bound must count as a new claim"
    );
    assert_eq!(read(&out, "meta.json"), digests, "a later session must not change the digests of the claims");

    // Results of earlier versions have no digests.
    let mut meta: serde_json::Value = serde_json::from_str(&digests).expect("JSON");
    meta.as_object_mut().expect("an object").remove("stated").expect("digests");
    write(&out, "meta.json", &meta.to_string());
    let (code, _, stderr) = run_in(directory.path(), &["report", "r"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(statement_times(), [None]);
    // The page does not say when the claims were stated, either.
    let page = read(&out, "report.html");
    assert!(!page.contains("stated before") && !page.contains("stated afterwards"));
}

/// The plan in a directory must be readable even if a pattern selects solvers without cells, or if options of the command line
/// exclude sizes, programs and problems.
#[test]
fn options_are_applied_to_the_stored_experiment() {
    let directory = scratch();
    let solvers = format!("{DLX}[[solver]]\nid = \"backtrack/exhausti*\"\n");
    let tables = "[[program]]\nid = \"p\"\nn = \"4\"\ncommand = [\"false\", \"{n}\"]\n\
                  [[claim]]\nsays = \"a\"\nmeasure = \"solutions\"\nof = \"backtrack/dlx\"\npublished = \"A000170\"\n\
                  equal = true\nvariant = \"queens\"\n\
                  [[claim]]\nsays = \"b\"\nmeasure = \"time\"\nof = \"program/p\"\nvalue = \"1s\"\nratio = \"< 1\"\n\
                  n = \"4\"\nvariant = \"queens\"\n\
                  [[claim]]\nsays = \"c\"\nmeasure = \"solutions\"\nof = \"backtrack/dlx\"\nvalue = 0\nequal = true\n\
                  variant = \"toroidal\"\nn = \"9-10\"\n";
    experiment(directory.path(), "n = \"4-10\"\nvariant = [\"queens\", \"toroidal\"]", &(solvers + tables));
    for (options, claims) in [
        (&["-n", "9-11"][..], 2),
        (&["-n", "9"], 2),
        (&["-n", "9", "--variant", "queens"], 1),
        (&["-n", "9", "--solver", "backtrack/bitmask", "--variant", "queens"], 0),
    ] {
        let sweep = [&SWEEP_FILE[..], options, &["--fresh"]].concat();
        let (code, _, stderr) = run_in(directory.path(), &sweep);
        assert_eq!(code, 0, "{stderr}");
        let warning = stderr.lines().find(|line| line.contains(&format!(" {claims} of 3 claims")));
        assert_wording(
            "sweep",
            &format!("{claims} of 3 claims"),
            warning.unwrap_or_else(|| panic!("{stderr}")),
        );
        let (code, _, stderr) = run_in(directory.path(), &["report", "r"]);
        assert!(code == 0 && stderr.lines().all(|line| line.starts_with("claims: ")), "{stderr}");
        assert_eq!(read(&directory.path().join("r"), "claims.csv").lines().count(), 1 + claims);
        let (code, _, stderr) = run_in(directory.path(), &["reproduce", "r", "--out", "again"]);
        assert!(code == 0 && stderr.contains("\nreproduced: "), "{stderr}");
        std::fs::remove_dir_all(directory.path().join("again")).expect("removed");
    }
}

/// A program that gets the path of an instance may read the file, so its cells depend on the content of the instance.
#[test]
fn replaced_instance_file_starts_new_cells() {
    let directory = scratch();
    write(directory.path(), "puzzle.txt", PUZZLES[0]);
    let cat_program = "[[program]]\nid = \"p\"\ncommand = [\"cat\", \"answer.txt\", \"{instance}\"]\naccept_exit_codes = [0, 1]\n";
    experiment(directory.path(), "instances = \"puzzle.txt\"", &format!("{DLX}{cat_program}"));
    let (_, _, stderr) = run_in(directory.path(), &SWEEP_FILE);
    let (code, _, again) = run_in(directory.path(), &["report", "r"]);
    assert_eq!((code, &*again), (0, ""), "{stderr}");
    write(directory.path(), "puzzle.txt", PUZZLES[1]);
    let (code, _, stderr) = run_in(directory.path(), &SWEEP_FILE);
    assert!(code == 6 && stderr.contains("instance puzzle"), "{stderr}");
    assert_wording("sweep", "resume: another puzzle", &stderr);
    let verdicts = || -> Vec<_> {
        let rows_of_dlx =
            rows(&directory.path().join("r")).into_iter().filter(|row| row.solver == "backtrack/dlx");
        rows_of_dlx.map(|row| row.verdict).collect()
    };
    run_in(directory.path(), &[&SWEEP_FILE[..], &["--accept"]].concat());
    let (_, _, stderr) = run_in(directory.path(), &["report", "r"]);
    assert!(stderr.contains(" 3 runs ") && stderr.lines().count() == 1, "{stderr}");
    assert_eq!(verdicts(), [queenlab::record::Verdict::Correct; 4]);
}

#[test]
fn shards_of_sweep_resume_and_cover_all_runs() {
    let directory = scratch();
    let solvers = |first: &str, second: &str| {
        let table = |id: &str| format!("[[solver]]\nid = \"{id}\"\n");
        experiment(directory.path(), "n = \"4-7\"", &(table(first) + &table(second)));
    };
    let (bitmask, mac) = ("backtrack/bitmask", "backtrack/mac");
    solvers(bitmask, mac);
    let shard = |part: &str, out: &str, options: &[&str]| {
        let call = [&["sweep", "x.toml", "--shard", part, "--out", out], options].concat();
        run_in(directory.path(), &call)
    };
    assert_eq!(run_in(directory.path(), &SWEEP_FILE).0, 0);
    let mut ids = Vec::new();
    for (part, out) in [("1/4", "a"), ("2/4", "b"), ("3/4", "c"), ("4/4", "d")] {
        assert_eq!(shard(part, out, &[]).0, 0);
        let runs = || read(&directory.path().join(out), "runs.csv");
        let finished_table = runs();
        let (code, _, stderr) = shard(part, out, &[]);
        assert!(code == 0 && runs() == finished_table, "{stderr}");
        let (code, _, stderr) = run_in(directory.path(), &["report", out]);
        assert!(code == 0 && !stderr.contains("warning"), "{stderr}");
        ids.extend(run_ids(&directory.path().join(out)));
    }
    let mut all_ids = run_ids(&directory.path().join("r"));
    ids.sort();
    all_ids.sort();
    assert_eq!(ids, all_ids);
    // A directory of one shard is not resumed as another shard, or as a shard with another order of the cells.
    let (code, _, stderr) = shard("2/4", "a", &[]);
    assert!(code == 6 && stderr.contains("shard: 1/4, now 2/4"), "{stderr}");
    assert_wording("sweep", "resume: another shard", &stderr);
    solvers(mac, bitmask);
    let (code, _, stderr) = shard("1/4", "a", &[]);
    assert!(code == 6 && stderr.contains(&format!("'{bitmask}'.id: {bitmask}, ")), "{stderr}");
    assert_wording("sweep", "resume: solvers in another order", &stderr);
    let (code, _, stderr) = shard("7/7", "e", &[]);
    assert_eq!(code, 2, "{stderr}");
    assert_wording("sweep", "more shards than cells", &stderr);
}

/// 8 queens have 2,057 nodes (A319283), which are also the sum of `levels.csv`.
#[test]
fn edited_node_count_that_contradicts_levels_is_refused() {
    let directory = scratch();
    let out = directory.path().join("r");
    let sweep = ["sweep", "8", "--solver", "backtrack/bitmask", "--repeat", "1", "--out", "r"];
    assert_eq!(run_in(directory.path(), &sweep).0, 0);
    let text = read(&out, "runs.csv");
    assert_eq!(text.matches(",2057,").count(), 1);
    write(&out, "runs.csv", &text.replace(",2057,", ",99,"));
    for command in [&["report", "r"][..], &["compare", "r", "r"], &["reproduce", "r"], &sweep] {
        let (code, _, stderr) = run_in(directory.path(), command);
        let values = ["r/runs.csv: line 2: ", "nodes", "99", "levels.csv", "2057"];
        assert!([1, 2].contains(&code) && values.iter().all(|value| stderr.contains(value)), "{stderr}");
        assert_wording(command[0], "edited count of nodes", &stderr);
    }
}

/// A killed sweep may have written rows without their final verdicts. A resumed sweep must write these verdicts, whether runs
/// remain or not.
#[test]
fn resumed_sweep_writes_the_final_verdicts() {
    // No count is published for this problem, and enumeration by brute force takes too long.
    let spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"18\"\ngoal = \"count\"\nrepeat = 2\n\
        variant = \"queens;place=0:0,1:2,2:4,3:1,4:7,5:14,6:11,7:15\"\n\
        [[sat]]\nid = \"liar\"\ncommand = \"sh -c 'echo s UNSATISFIABLE' {cnf}\"\n\
        [[solver]]\nid = \"sat/pairwise/liar\"\n[[solver]]\nid = \"backtrack/dlx\"\n";
    let sweep = ["sweep", "x.toml", "--out", "r", "--quiet"];
    let directory = scratch();
    write(directory.path(), "x.toml", spec);
    let out = directory.path().join("r");
    let verdicts = || {
        let rows = rows(&out).into_iter().map(|row| (row.solver.to_string(), row.verdict));
        rows.collect::<HashSet<_>>()
    };
    assert_eq!(run_in(directory.path(), &sweep).0, 3);
    let final_verdicts = verdicts();
    assert!(
        final_verdicts.contains(&("sat/pairwise/liar".to_owned(), Verdict::Disagree)),
        "{final_verdicts:?}"
    );
    let final_table = read(&out, "runs.csv");
    let table_without_verdicts = final_table.replace(",disagree,", ",unchecked,");
    assert_ne!(table_without_verdicts, final_table);
    write(&out, "runs.csv", &table_without_verdicts);
    assert_eq!(run_in(directory.path(), &sweep).0, 3);
    assert_eq!(read(&out, "runs.csv"), final_table);
    let is_last_of_dlx = |line: &&str| line.contains(",backtrack/dlx,") && line.contains(",timed,");
    let last_run = table_without_verdicts.lines().rfind(is_last_of_dlx).expect("a run");
    write(&out, "runs.csv", &table_without_verdicts.replace(&format!("{last_run}\n"), ""));
    assert_eq!(run_in(directory.path(), &sweep).0, 3);
    assert_eq!((verdicts(), rows(&out).len()), (final_verdicts, final_table.lines().count() - 1));
}

/// The shell limits the size of files, in blocks of 512 bytes. The limit acts like a full disk.
#[test]
fn sweep_resumes_after_exceeding_the_file_size_limit() {
    let unlimited_directory = scratch();
    let sweep = ["sweep", "4-6", "--solver", "backtrack/bitmask", "--repeat", "9", "--quiet", "--out", "r"];
    assert_eq!(run_in(unlimited_directory.path(), &sweep).0, 0);
    let length = |file: &str| {
        std::fs::metadata(unlimited_directory.path().join("r").join(file)).expect("a file").len()
    };
    // With the larger limit, meta.json, which is written first, fits, and runs.csv does not fit.
    assert!(length("runs.csv") > length("meta.json") + 1024, "runs.csv must exceed the limit");
    for blocks in [1, length("meta.json") / 512 + 2] {
        let directory = scratch();
        let command = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let limited_output = std::process::Command::new("sh")
            .args(["-c", &command, env!("CARGO_BIN_EXE_queenlab")])
            .args(sweep)
            .current_dir(directory.path())
            .output()
            .expect("a shell");
        let stderr = String::from_utf8_lossy(&limited_output.stderr);
        assert!(limited_output.status.code() == Some(1) && stderr.contains("File too large"), "{stderr}");
        let out = directory.path().join("r");
        let entries = std::fs::read_dir(&out).expect("a directory").flatten();
        let is_temporary = |name: String| name.starts_with(".runlab-");
        assert!(!entries.into_iter().any(|entry| is_temporary(entry.file_name().to_string_lossy().into())));
        if blocks > 1 {
            let text = read(&out, "runs.csv");
            assert!(
                text.ends_with('\n') && text.lines().count() > 2,
                "runs.csv must end with a complete row: {text}"
            );
        }
        assert_eq!(run_in(directory.path(), &sweep).0, 0);
        assert_no_run_twice(&out);
        assert_eq!(run_ids(&out).len(), 3 * 10);
    }
}
