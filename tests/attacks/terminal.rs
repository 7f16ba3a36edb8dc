//! Escape sequences from files and programs: none may reach a terminal, where they could move the cursor,
//! hide a verdict or draw another one.

use std::fs;
use std::path::Path;

use crate::harness::{read, run_in, scratch, write};

/// Clears the screen, draws a line, and hides what follows; then the same by C1 codes, and text that runs backwards.
const HOSTILE: &str = "\u{1b}[2J\u{1b}[1;1Hit holds\u{1b}[8m\u{9b}2J\u{202e}\u{7f}\r";

/// Runs the program; nothing that a terminal would obey may be in its outputs.
fn tame(directory: &Path, arguments: &[&str]) -> (i32, String) {
    let (code, stdout, stderr) = run_in(directory, arguments);
    for output in [&stdout, &stderr] {
        let steers = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!output.contains(steers), "{arguments:?}: {output:?}");
    }
    (code, stdout + &stderr)
}

#[test]
fn a_certificate_cannot_draw_that_it_holds() {
    let directory = scratch();
    let directory = directory.path();
    assert_eq!(run_in(directory, &["certify", "6", "--quiet", "--proof", "p.lrat"]).0, 0);
    let right: serde_json::Value = serde_json::from_str(&read(directory, "p.json")).expect("JSON");
    let forged = format!("x\n{HOSTILE}\np.json: valid: n=6: exactly 5 solutions\n");
    let audited = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut json = right.clone();
        change(&mut json);
        write(directory, "p.json", &json.to_string());
        let (code, output) = tame(directory, &["certify", "--audit", "p.json"]);
        assert!(!output.lines().any(|line| line.starts_with("p.json: valid: n=6: exactly 5")), "{output}");
        code
    };
    assert_eq!(audited(&|json| json["formula"]["file"] = forged.as_str().into()), 2);
    assert_eq!(audited(&|json| json["formula"]["file"] = format!("/{forged}").into()), 2);
    assert_eq!(audited(&|json| json["method"] = forged.as_str().into()), 2);
    assert_eq!(audited(&|json| json["formula"]["sha256"] = forged.as_str().into()), 3);
    assert_eq!(audited(&|json| json["solutions_sha256"] = forged.as_str().into()), 3);
    assert_eq!(audited(&|json| json["checkers"][0]["name"] = forged.as_str().into()), 0);
    assert_eq!(audited(&|json| json["queenlab_version"] = forged.as_str().into()), 0);
    // What a checker prints is foreign as well.
    fs::write(directory.join("said"), format!("s NOT VERIFIED {HOSTILE}")).expect("writable");
    write(directory, "p.json", &right.to_string());
    let (code, output) = tame(directory, &["certify", "--audit", "p.json", "--checker", "cat said"]);
    assert_eq!(code, 3);
    assert!(output.contains("s NOT VERIFIED \\u{1b}[2J"), "{output}");
}

#[test]
fn names_in_a_result_directory_cannot_steer_the_terminal() {
    let directory = scratch();
    let directory = directory.path();
    for out in ["a", "b"] {
        let sweep = ["sweep", "--n", "4-5", "--solver", "backtrack/bitmask", "--repeat", "1", "--out", out];
        assert_eq!(run_in(directory, &sweep).0, 0);
    }
    let hostile = format!("\"backtrack/{HOSTILE}\nregression: none\"");
    let rows = read(directory, "b/runs.csv").replace("backtrack/bitmask", &hostile);
    write(directory, "b/runs.csv", &rows);
    for arguments in
        [&["compare", "a", "b"][..], &["compare", "b", "a"], &["report", "b"], &["reproduce", "b"]]
    {
        let (_, output) = tame(directory, arguments);
        assert!(!output.lines().any(|line| line.starts_with("regression")), "{arguments:?}: {output}");
    }
}

#[test]
fn an_experiment_cannot_steer_the_terminal() {
    let directory = scratch();
    let question = HOSTILE.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect::<String>();
    let spec = format!(
        "schema_version = 1\nname = \"x\"\nquestion = \"{question}\"\n[sweep]\nn = \"4\"\n\
         [[solver]]\nid = \"backtrack/bitmask\"\n"
    );
    write(directory.path(), "x.toml", &spec);
    let (code, output) = tame(directory.path(), &["sweep", "x.toml", "--dry-run"]);
    assert_eq!(code, 0, "{output}");
    assert!(output.contains("\\u{1b}[2J"), "{output}");
    write(directory.path(), "x.toml", &spec.replace("backtrack/bitmask", &question));
    let (code, output) = tame(directory.path(), &["sweep", "x.toml", "--dry-run"]);
    assert_eq!(code, 2, "{output}");
}

#[test]
fn a_submission_and_a_file_name_cannot_steer_the_terminal() {
    let directory = scratch();
    let directory = directory.path();
    for text in [format!("{HOSTILE}\n"), format!("1 3 0 2\n0 1 2 3 {HOSTILE}\n"), format!("[[{HOSTILE}")] {
        write(directory, "boards.txt", &text);
        tame(directory, &["check", "4", "boards.txt"]);
    }
    let name = "\u{1b}[2J\u{202e}it holds";
    for arguments in [
        &["certify", "--audit", name][..],
        &["proof-check", name, name],
        &["check", "4", name],
        &["report", name],
        &["compare", name, name],
        &["shard", "missing", "--plan", name, "--out", "x"],
        &["verify", "4", "--solver", name],
        &["solve", "4", "--solver", name],
    ] {
        let (code, output) = tame(directory, arguments);
        assert!([1, 2].contains(&code), "{arguments:?}: {output}");
        assert!(output.contains("it holds"), "the name is shown: {arguments:?}: {output}");
    }
}
