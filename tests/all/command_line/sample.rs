//! `count --sample`: estimates that say that they are estimates.

use crate::harness::{run, run_in, scratch};

fn json(arguments: &[&str]) -> serde_json::Value {
    let (code, stdout, stderr) = run(arguments);
    assert_eq!(code, 0, "{stderr}");
    serde_json::from_str(&stdout).expect("JSON")
}

#[test]
fn an_estimate_has_an_interval_and_the_number_of_column_sets() {
    let (code, stdout, stderr) = run(&["count", "15", "--sample", "300", "--seed", "4"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let lines: Vec<&str> = stdout.lines().collect();
    let [solutions, sample, published, time, ..] = lines[..] else { panic!("{stdout}") };
    assert!(
        solutions.starts_with("n=15: estimated 2.") && solutions.contains("95 % interval 2."),
        "{solutions}"
    );
    assert!(
        sample.starts_with("from 300 of 3,432 column sets, drawn with seed 4; standard error"),
        "{sample}"
    );
    assert!(published.starts_with("A000170 has 2,279,184: the estimate is "), "{published}");
    assert!(
        time.starts_with("CPU time of the whole count: estimated ") && time.contains("95 % interval"),
        "{time}"
    );
    assert!(lines[4].starts_with("64 workers of this speed") && lines[4].contains("estimated "), "{stdout}");
    assert!(
        lines[5].starts_with("1,024 workers of this speed") && lines[5].contains("estimated "),
        "{stdout}"
    );
}

#[test]
fn the_json_of_an_estimate_has_the_interval_around_it_and_no_count() {
    let found = json(&["count", "16", "--sample", "500", "--json", "--threads", "1"]);
    assert_eq!(
        (&found["sampled"], &found["column_sets"], &found["exact"], &found["seed"]),
        (&500.into(), &6470.into(), &false.into(), &1.into())
    );
    assert!(found["solutions"].is_null(), "{found}");
    for key in ["estimated_solutions", "estimated_cpu_s"] {
        let part = |name: &str| found[key][name].as_f64().unwrap_or_else(|| panic!("{key} {name}: {found}"));
        let [low, middle, high] = ["ci95_low", "estimate", "ci95_high"].map(part);
        assert!(low < middle && middle < high && part("standard_error") > 0.0, "{found}");
    }
    let estimate = found["estimated_solutions"]["estimate"].as_f64().expect("a number");
    assert!((estimate / 14_772_512.0 - 1.0).abs() < 0.05, "{found}");
    assert!(found["table_cpu_s"].as_f64() < found["estimated_cpu_s"]["estimate"].as_f64(), "{found}");
    for (schedule, workers) in [(&found["schedules"][0], 64), (&found["schedules"][1], 1024)] {
        assert_eq!(schedule["workers"], workers);
        assert!(schedule["idle"].as_f64().is_some_and(|idle| (0.0..1.0).contains(&idle)), "{found}");
    }
    let again = json(&["count", "16", "--sample", "500", "--json", "--solver", "count/portable"]);
    assert_eq!(again["estimated_solutions"], found["estimated_solutions"], "the same sample");
    let other = json(&["count", "16", "--sample", "500", "--json", "--seed", "2"]);
    assert_ne!(other["estimated_solutions"], found["estimated_solutions"]);
}

#[test]
#[ignore = "long: tables of 21 queens, four times"]
fn a_thinned_out_sample_says_so_and_belongs_to_its_own_checkpoint() {
    let directory = scratch();
    let here = directory.path();
    let arguments = ["count", "21", "--sample", "300", "--thin", "16", "--checkpoint", "log"];
    let (code, stdout, stderr) = run_in(here, &arguments);
    assert_eq!(code, 0, "{stderr}");
    let sample = stdout.lines().nth(1).expect("a second line");
    let expected = "from 300 of 184,756 column sets, with about one in 16 of their top halves, drawn with seed 1; standard error";
    assert!(sample.starts_with(expected) && stdout.contains("CPU time of the whole count"), "{stdout}");
    let (code, stdout, stderr) = run_in(here, &[&arguments[..], &["--json"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let found: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((&found["thin"], &found["exact"]), (&16.into(), &false.into()));
    assert!(found["peak_rss_bytes"].as_u64() > Some(1 << 20), "{found}");
    let estimate = found["estimated_solutions"]["estimate"].as_f64().expect("a number");
    assert!((estimate / 314_666_222_712.0 - 1.0).abs() < 0.3, "{found}");
    let cpu = found["estimated_cpu_s"]["estimate"].as_f64().expect("a number");
    assert!(cpu > found["table_cpu_s"].as_f64().expect("a number"), "{found}");
    let other = arguments.map(|word| if word == "16" { "4" } else { word });
    let (code, _, stderr) = run_in(here, &other);
    assert!(code == 6 && stderr.contains("thin:4 here)"), "{stderr}");
    let (code, _, stderr) = run(&["count", "21", "--sample", "184000", "--thin", "16"]);
    assert!(code == 2 && stderr.contains("choose a smaller --sample"), "{stderr}");
}

#[test]
fn a_small_board_is_not_thinned_out() {
    let (code, stdout, stderr) = run(&["count", "16", "--sample", "500", "--thin", "16"]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("those of n = 16 are too small for that: choose n = 21 or more"), "{stderr}");
}

#[test]
fn a_sample_of_all_column_sets_is_an_exact_count_and_says_so() {
    let (code, stdout, _) = run(&["count", "14", "--sample", "2000"]);
    assert_eq!(code, 0);
    let first = stdout.lines().next().expect("a line");
    assert_eq!(first, "n=14: exactly 365,596 solutions: the sample has all 1,716 column sets");
    let found = json(&["count", "14", "--sample", "2000", "--json"]);
    assert_eq!((&found["solutions"], &found["exact"]), (&365_596.into(), &true.into()));
    assert!(found["estimated_solutions"].is_null(), "{found}");
}

#[test]
fn a_sample_of_what_has_no_column_sets_is_refused_with_advice() {
    for (arguments, told) in [
        (&["8", "--sample", "10"][..], "choose n = 14 or more"),
        (&["0", "--sample", "10"], "--sample"),
        (&["16", "--sample", "10", "--solver", "count/block"], "other than count/block"),
        (&["12", "--sample", "10", "--solver", "backtrack/bitmask"], "choose count/auto"),
        (&["14", "--sample", "10", "--variant", "toroidal"], "only for plain queens"),
        (&["16", "--sample", "1"], "'--sample <K>'"),
        (&["16", "--sample", "10", "--fundamental"], "cannot be used with"),
    ] {
        let (code, stdout, stderr) = run(&[&["count"], arguments].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(told), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_sample_resumes_from_its_checkpoint_and_refuses_that_of_another() {
    let directory = scratch();
    let here = directory.path();
    let whole = ["count", "16", "--sample", "300", "--json", "--checkpoint", "whole"];
    let (code, expected, stderr) = run_in(here, &whole);
    assert_eq!(code, 0, "{stderr}");
    // The header, and the column sets that a killed process would have left, the last one cut off.
    let text = std::fs::read_to_string(here.join("whole")).expect("ASCII");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(lines.iter().filter(|line| line.contains(" cpu=")).count(), 300, "{text}");
    let cut = lines[..100].concat();
    std::fs::write(here.join("half"), &cut[..cut.len() - 3]).expect("a writable directory");
    let half = whole.map(|word| if word == "whole" { "half" } else { word });
    let (code, found, stderr) = run_in(here, &half);
    assert_eq!((code, stderr.as_str()), (0, "resuming: 98 of 300 subproblems are already done\n"));
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    let (found, expected) = (json(&found), json(&expected));
    assert_eq!(found["estimated_solutions"], expected["estimated_solutions"]);
    let resumed = std::fs::read_to_string(here.join("half")).expect("ASCII");
    assert_eq!((&found["sampled"], resumed.matches(" cpu=").count()), (&300.into(), 300), "{resumed}");
    let (code, stdout, stderr) = run_in(here, &[&whole[..], &["--seed", "2"]].concat());
    assert_eq!((code, stdout.as_str()), (6, ""), "{stderr}");
    let said = "sample (300,seed:1,thin:1 there, 300,seed:2,thin:1 here)";
    assert!(stderr.contains(said), "{stderr}");
    let (code, _, stderr) = run_in(here, &["count", "16", "--checkpoint", "whole"]);
    assert!(code == 6 && stderr.contains("sample (300,seed:1,thin:1 there, all here)"), "{stderr}");
    assert_eq!(std::fs::read_to_string(here.join("whole")).expect("ASCII"), text);
}

#[test]
#[cfg(unix)]
fn an_interrupted_sample_prints_no_estimate() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::{Command, Stdio};
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(["count", "20", "--solver", "count/portable", "--sample", "90000"]);
    let mut count = crate::processes::Guard::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let mut stderr = BufReader::new(count.stderr.take().expect("piped"));
    let mut said = String::new();
    stderr.read_line(&mut said).expect("a line");
    assert_eq!(said, "n=20: needs up to 297 MiB of memory\n");
    count.signal(rustix::process::Signal::TERM);
    stderr.read_to_string(&mut said).expect("text");
    let output = count.output();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0), "{said}");
    assert!(
        said.contains("of the 90000 column sets of the sample") && said.contains("no estimate"),
        "{said}"
    );
}
