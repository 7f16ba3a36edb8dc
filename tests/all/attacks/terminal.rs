//! Escape sequences from files and programs must not reach a terminal, where they could move the cursor,
//! hide a verdict or forge a verdict.

use std::fs;
use std::path::Path;

use crate::harness::{read, run_in, scratch, with_checksum, write};

/// A text with escape sequences that clear the screen, move the cursor and hide the following text, a C1 control code, and a
/// character that reverses the direction of text.
const HOSTILE: &str = "\u{1b}[2J\u{1b}[1;1Hit holds\u{1b}[8m\u{9b}2J\u{202e}\u{7f}\r";

/// Runs the program, and asserts that its outputs contain no control characters except line feeds. Returns the exit code and both
/// outputs.
fn run_without_escapes(directory: &Path, arguments: &[&str]) -> (i32, String) {
    let (code, stdout, stderr) = run_in(directory, arguments);
    for output in [&stdout, &stderr] {
        let controls_terminal =
            |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!output.contains(controls_terminal), "{arguments:?}: {output:?}");
    }
    (code, stdout + &stderr)
}

#[test]
#[ignore = "long: an attack"]
fn certificate_cannot_forge_a_valid_verdict() {
    let directory = scratch();
    let directory = directory.path();
    assert_eq!(run_in(directory, &["certify", "6", "--quiet", "--out", "q", "--keep"]).0, 0);
    const CERTIFICATE: &str = "q/certificate.json";
    let certificate: serde_json::Value = serde_json::from_str(&read(directory, CERTIFICATE)).expect("JSON");
    let verdict = format!("{CERTIFICATE}: valid: n=6: exactly 5 solutions");
    let forged_text = format!("x\n{HOSTILE}\n{verdict}\n");
    let exit_code_after = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut json = certificate.clone();
        change(&mut json);
        write(directory, CERTIFICATE, &json.to_string());
        let (code, output) = run_without_escapes(directory, &["certify", "--audit", CERTIFICATE]);
        assert!(!output.lines().any(|line| line.starts_with(&verdict)), "{output}");
        code
    };
    assert_eq!(exit_code_after(&|json| json["parts"][0]["formula"]["file"] = forged_text.as_str().into()), 2);
    assert_eq!(
        exit_code_after(&|json| json["parts"][0]["formula"]["file"] = format!("/{forged_text}").into()),
        2
    );
    assert_eq!(exit_code_after(&|json| json["variant"] = forged_text.as_str().into()), 2);
    assert_eq!(exit_code_after(&|json| json["n"] = forged_text.as_str().into()), 2);
    assert_eq!(
        exit_code_after(&|json| json["parts"][0]["formula"]["sha256"] = forged_text.as_str().into()),
        3
    );
    assert_eq!(exit_code_after(&|json| json["solutions_sha256"] = forged_text.as_str().into()), 3);
    assert_eq!(exit_code_after(&|json| json["method"] = forged_text.as_str().into()), 0);
    assert_eq!(exit_code_after(&|json| json["checkers"][0]["name"] = forged_text.as_str().into()), 0);
    assert_eq!(exit_code_after(&|json| json["queenlab_version"] = forged_text.as_str().into()), 0);
    // The output of an external checker is untrusted, too.
    fs::write(directory.join("output"), format!("s NOT VERIFIED {HOSTILE}")).expect("writable");
    write(directory, CERTIFICATE, &certificate.to_string());
    let (code, output) = run_without_escapes(
        directory,
        &["certify", "--audit", CERTIFICATE, "--checker", "sh -c 'cat output' {cnf} {proof}"],
    );
    assert_eq!(code, 3);
    assert!(output.contains("s NOT VERIFIED"), "{output}");
}

#[test]
#[ignore = "long: an attack"]
fn names_in_results_cannot_control_the_terminal() {
    let directory = scratch();
    let directory = directory.path();
    for out in ["a", "b"] {
        let sweep = ["sweep", "--n", "4-5", "--solver", "backtrack/bitmask", "--repeat", "1", "--out", out];
        assert_eq!(run_in(directory, &sweep).0, 0);
    }
    // The table reader would take a carriage return as the end of a row.
    let hostile_name = format!("\"program/{} regression: none\"", HOSTILE.trim_end_matches('\r'));
    let rows = read(directory, "b/runs.csv").replace("backtrack/bitmask", &hostile_name);
    write(directory, "b/runs.csv", &rows);
    // If the directory has a plan, a row of another solver is refused without printing the name of the solver.
    for name in ["meta.json", "plan.json", "experiment.toml", "levels.csv"] {
        fs::remove_file(directory.join("b").join(name)).expect("removed");
    }
    for arguments in
        [&["compare", "a", "b"][..], &["compare", "b", "a"], &["report", "b"], &["reproduce", "b"]]
    {
        let (_, output) = run_without_escapes(directory, arguments);
        assert!(!output.lines().any(|line| line.starts_with("regression")), "{arguments:?}: {output}");
    }
}

#[test]
#[ignore = "long: an attack"]
fn experiment_cannot_control_the_terminal() {
    let directory = scratch();
    let escaped = HOSTILE.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect::<String>();
    let spec = format!(
        "schema_version = 1\nname = \"x\"\nquestion = \"{escaped}\"\n[sweep]\nn = \"4\"\n\
         [[solver]]\nid = \"backtrack/bitmask\"\n"
    );
    write(directory.path(), "x.toml", &spec);
    let (code, output) = run_without_escapes(directory.path(), &["sweep", "x.toml", "--dry-run"]);
    assert!(code == 2 && output.contains("\\u{1b}"), "{output}");
    write(directory.path(), "x.toml", &spec.replace("backtrack/bitmask", &escaped));
    let (code, output) = run_without_escapes(directory.path(), &["sweep", "x.toml", "--dry-run"]);
    assert_eq!(code, 2, "{output}");
}

#[test]
#[ignore = "long: an attack"]
fn submission_and_file_name_cannot_control_the_terminal() {
    let directory = scratch();
    let directory = directory.path();
    for text in [format!("{HOSTILE}\n"), format!("1 3 0 2\n0 1 2 3 {HOSTILE}\n"), format!("[[{HOSTILE}")] {
        write(directory, "boards.txt", &text);
        run_without_escapes(directory, &["check", "4", "boards.txt"]);
    }
    let name = "\u{1b}[2J\u{202e}it holds";
    for arguments in [
        &["certify", "--audit", name][..],
        &["check", "4", name],
        &["report", name],
        &["compare", name, name],
        &["count", "4", "--merge", name],
        &["verify", "4", "--solver", name],
        &["solve", "4", "--solver", name],
    ] {
        let (code, output) = run_without_escapes(directory, arguments);
        assert!([1, 2].contains(&code), "{arguments:?}: {output}");
        assert!(output.contains("it holds"), "the message must contain the name: {arguments:?}: {output}");
    }
}

/// Asserts that the command fails, and that no line of its output begins with the forged verdict.
fn assert_no_forged_verdict(directory: &Path, arguments: &[&str]) -> String {
    let (code, output) = run_without_escapes(directory, arguments);
    assert!(matches!(code, 1 | 2 | 6), "{arguments:?}: {output}");
    assert!(!output.lines().any(|line| line.starts_with("valid: ")), "{arguments:?}: {output}");
    output
}

#[test]
#[ignore = "long: an attack"]
fn result_of_a_shard_cannot_control_the_terminal() {
    let directory = scratch();
    let directory = directory.path();
    assert_eq!(run_in(directory, &["count", "6", "--shard", "1/1", "--out", "out"]).0, 0);
    let original_result = read(directory, "out/n6-shard-1-of-1.count");
    let body = original_result.split("check=").next().expect("a text");
    assert_eq!(with_checksum(body), original_result);
    for forged_text in [format!("x\n{HOSTILE}\nvalid: total 724"), HOSTILE.replace('\n', "")] {
        for line in body.lines() {
            let field = line.split_once('=').map_or(String::new(), |(name, _)| format!("{name}="));
            let body = body.replacen(line, &format!("{field}{forged_text}"), 1);
            for text in [body.clone(), with_checksum(&body)] {
                write(directory, "out/n6-shard-1-of-1.count", &text);
                assert_no_forged_verdict(directory, &["count", "6", "--merge", "out"]);
            }
        }
    }
}

#[test]
#[ignore = "long: an attack"]
fn instance_cannot_control_the_terminal() {
    let directory = scratch();
    let directory = directory.path();
    let escaped = HOSTILE.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect::<String>();
    let forged_text = format!("x\\n{escaped}\\nvalid: one solution");
    for instance in [
        format!("n = 4\nvariant = \"{forged_text}\"\n"),
        format!("n = 4\nplace = \"{forged_text}\"\n"),
        format!("n = 4\nexclude_diagonals = \"{forged_text}\"\n"),
        format!("n = 4\nregions = [\"{forged_text}\"]\n"),
        format!("n = 4\n\"{forged_text}\" = 1\n"),
        format!("n = \"{forged_text}\"\n"),
        format!("letting n = 4\nletting init = [[{HOSTILE}]]\n"),
        format!("AABB\nA{HOSTILE}\n"),
    ] {
        write(directory, "i.txt", &instance);
        for command in ["solve", "certify", "encode"] {
            assert_no_forged_verdict(directory, &[command, "--instance", "i.txt"]);
        }
        assert_no_forged_verdict(directory, &["check", "--instance", "i.txt", "i.txt"]);
        assert_no_forged_verdict(directory, &["sweep", "--instance", "i.txt", "--dry-run"]);
    }
}

/// If the directory has no plan, the rows may contain any solver id.
#[test]
#[ignore = "long: an attack"]
fn exports_cannot_control_the_terminal() {
    let directory = scratch();
    let directory = directory.path();
    let sweep = ["sweep", "--n", "4-5", "--solver", "backtrack/bitmask", "--repeat", "1", "--out", "r"];
    assert_eq!(run_in(directory, &sweep).0, 0);
    for name in ["meta.json", "plan.json", "levels.csv", "experiment.toml"] {
        fs::remove_file(directory.join("r").join(name)).expect("removed");
    }
    // The table reader would take a carriage return as the end of a row.
    let hostile_name = format!("\"program/{} valid none\"", HOSTILE.trim_end_matches('\r'));
    for name in ["runs.csv", "crosscheck.csv"] {
        let rows = read(directory, &format!("r/{name}")).replace("backtrack/bitmask", &hostile_name);
        write(directory, &format!("r/{name}"), &rows);
    }
    for format in ["json", "markdown", "latex"] {
        let (code, output) = run_without_escapes(directory, &["report", "r", "--format", format]);
        assert_eq!(code, 0, "{output}");
        assert!(!output.lines().any(|line| line.starts_with("valid")), "{output}");
    }
    for arguments in [&["compare", "r", "r", "--json"][..], &["report", "r"], &["compare", "r", "r"]] {
        let (code, output) = run_without_escapes(directory, arguments);
        assert_eq!(code, 0, "{output}");
        assert!(!output.lines().any(|line| line.starts_with("valid")), "{output}");
    }
    assert_no_forged_verdict(directory, &["report", "r", "--format", "latex", "--solver", "x"]);
    std::fs::create_dir_all(directory.join("s")).expect("a directory");
    std::fs::copy(directory.join("r/runs.csv"), directory.join("s/runs.csv")).expect("copied");
    run_without_escapes(directory, &["report", "r", "s", "--out", "both"]);
}

/// The names, programs, problems and claims in a result directory are untrusted text.
#[test]
#[ignore = "long: an attack"]
fn stored_experiment_cannot_control_the_terminal() {
    let directory = scratch();
    let directory = directory.path();
    let spec = "schema_version = 1\nname = \"x\"\nquestion = \"why\"\nexpected = \"because\"\n[sweep]\nn = \"4\"\nrepeat = 1\n\
                [[solver]]\nid = \"backtrack/bitmask\"\n[[program]]\nid = \"p\"\n\
                command = [\"sh\", \"-c\", \"echo 1 3 0 2; echo 2 0 3 1\", \"{f}\"]\nf = [\"one\"]\n\
                [[claim]]\nsays = \"so\"\nsource = \"me\"\nmeasure = \"solutions\"\nof = \"backtrack/bitmask\"\nvalue = 3\nequal = true\n";
    write(directory, "x.toml", spec);
    assert_eq!(run_in(directory, &["sweep", "x.toml", "--out", "r"]).0, 0);
    let experiment = read(directory, "r/experiment.toml");
    let meta = read(directory, "r/meta.json");
    let forged_text = format!("x\n{HOSTILE}\nvalid: reproduced\n  valid: reproduced");
    let text: String = forged_text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
    let assert_no_forged_lines = |out: &str| {
        for arguments in [
            &["report", "r"][..],
            &["compare", "r", "r"],
            &["reproduce", "r", "--out", out, "--allow-programs"],
            &["sweep", "x.toml", "--out", "r"],
        ] {
            let (_, output) = run_without_escapes(directory, arguments);
            assert!(!output.lines().any(|line| line.starts_with("valid: ")), "{arguments:?}: {output}");
        }
    };
    for (at, word) in
        ["x", "why", "because", "4", "backtrack/bitmask", "p", "sh", "one", "so", "me", "solutions"]
            .iter()
            .enumerate()
    {
        let quoted = format!("\"{word}\"");
        assert!(experiment.contains(&quoted), "{word}: {experiment}");
        write(directory, "r/experiment.toml", &experiment.replace(&quoted, &format!("\"{text}\"")));
        assert_no_forged_lines(&format!("again-{at}"));
    }
    write(directory, "r/experiment.toml", &experiment);
    for word in ["backtrack/bitmask", "queenlab"] {
        let quoted = format!("\"{word}\"");
        assert!(meta.contains(&quoted), "{word}: {meta}");
        write(directory, "r/meta.json", &meta.replace(&quoted, &format!("\"{text}\"")));
        assert_no_forged_lines(&format!("again-{word}").replace('/', "-"));
    }
    let spec = spec.replace("question = \"why\"", "question = \"\"\"a\nvalid: b\"\"\"");
    write(directory, "x.toml", &spec);
    let (_, output) = run_without_escapes(directory, &["sweep", "x.toml", "--dry-run"]);
    assert!(output.contains("  a valid: b\n"), "{output}");
}
