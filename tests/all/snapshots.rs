//! Printed texts, word for word: the list of commands, the help, and the plan of the built-in experiment. After an intended change,
//! `cargo insta review` or `INSTA_UPDATE=always cargo test` updates the snapshots.

use std::process::Command;

use insta::assert_snapshot;

use crate::harness::queenlab;

/// The standard output of the program at a fixed width, which no terminal influences.
fn stdout(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_queenlab"))
        .args(arguments)
        .env("COLUMNS", "100")
        .env_remove("CLICOLOR_FORCE")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    // Windows calls the program by its full name.
    String::from_utf8(output.stdout).expect("UTF-8").replace("queenlab.exe", "queenlab")
}

#[test]
fn program_help_matches_its_snapshot() {
    assert_snapshot!("help", stdout(&["--help"]));
}

#[test]
fn every_command_has_help_with_examples() {
    let commands: Vec<String> = stdout(&["--help"])
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .filter(|command| command != "help")
        .collect();
    assert!(commands.len() >= 5, "{commands:?}");
    for command in commands {
        let help = stdout(&[&command, "--help"]);
        assert_eq!([stdout(&["help", &command]), stdout(&[&command, "-h"])], [help.clone(), help.clone()]);
        let lines: Vec<&str> = help.lines().collect();
        for columns in ["80", "100"] {
            let help =
                queenlab(&[&command, "--help"]).env("COLUMNS", columns).output().expect("the program starts");
            let number = String::from_utf8(help.stdout).expect("UTF-8").lines().count();
            assert!((5..=100).contains(&number), "{command}: {number} lines of {columns} columns");
        }
        let line_of = |start: &str| {
            let line = lines.iter().position(|line| line.trim_start().starts_with(start));
            line.unwrap_or_else(|| panic!("{command} has no {start}"))
        };
        // The usage has one line for each form of the command.
        let forms = lines[line_of("Usage:")..].iter().take_while(|line| !line.is_empty()).count();
        assert_eq!(line_of("Examples:"), line_of("Usage:") + forms + 1, "{help}");
        assert!(help.contains(&format!("Examples:\n  queenlab {command}")), "{help}");
        assert_eq!(line_of("-h, --help"), lines.len() - 1, "{help}");
        assert!(line_of("--color") > lines.len() - 4, "{help}");
    }
}

/// clap replaces `{n}` in help texts by a line break, unless the program prevents it.
#[test]
fn help_prints_the_board_size_placeholder_literally() {
    for (command, count) in [("sweep", 3), ("verify", 2), ("check", 3)] {
        assert_eq!(stdout(&[command, "--help"]).matches("{n}").count(), count, "{command}");
    }
}

#[test]
fn plan_of_quick_experiment_matches_its_snapshot() {
    // Without --out, the plan would depend on results/quick, which exists if somebody ran the commands of README.md.
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path().join("none");
    let print_plan = |arguments: &[&str]| {
        let out = ["--dry-run", "--out", out.to_str().expect("UTF-8")];
        stdout(&[&["sweep"], arguments, &out].concat())
    };
    let plan = print_plan(&["experiments/quick.toml"]);
    assert_eq!(print_plan(&[]), plan, "the built-in experiment must equal this file");
    assert_snapshot!("plan_quick", plan);
}
