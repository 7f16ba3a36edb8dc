//! The examples in README.md and docs/ match the program: every command in a `console` block is run, and its output is compared.
//! Blocks marked `text` contain recorded output that depends on time or machine.

use std::path::Path;
use std::process::Command;

/// The documents with `console` blocks.
const DOCUMENTS: [&str; 6] =
    ["README.md", "docs/CERTIFICATES.md", "docs/CHECKING.md", "docs/CI.md", "docs/CLASS.md", "docs/TOUR.md"];

/// The example of this crate is run by its own test, `readme_shows_the_printed_output`.
const TESTED_BY_ITS_CRATE: &str = "crates/lrat-check/README.md";

/// A command of a `console` block, and the output that the block shows.
struct Example {
    place: String,
    command: String,
    output: String,
}

fn examples_of(document: &str) -> Vec<Example> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(document)).expect(document);
    let mut examples: Vec<Example> = Vec::new();
    let mut is_in_block = false;
    for (line, number) in text.lines().zip(1..) {
        match line {
            "```console" => is_in_block = true,
            "```" => is_in_block = false,
            _ if !is_in_block => {}
            line => match line.strip_prefix("$ ") {
                Some(command) => examples.push(Example {
                    place: format!("{document}:{number}"),
                    command: command.to_owned(),
                    output: String::new(),
                }),
                None => {
                    let last_example = examples.last_mut().expect("a block begins with a command");
                    last_example.output += line;
                    last_example.output.push('\n');
                }
            },
        }
    }
    examples
}

/// Runs each command of a document with `sh`, in which `queenlab` is this build and the output goes to a pipe.
fn check(document: &str, min_commands: usize) {
    let binary = Path::new(env!("CARGO_BIN_EXE_queenlab"));
    let path = std::env::var("PATH").unwrap_or_default();
    let commands = examples_of(document);
    assert!(commands.len() >= min_commands, "{document} shows {} commands", commands.len());
    for Example { place, command, output } in commands {
        let directory = tempfile::tempdir().expect("temporary directory");
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        std::os::unix::fs::symlink(data.join("class"), directory.path().join("class")).expect("a link");
        for program in data.join("submissions").read_dir().expect("a folder").flatten() {
            let link = directory.path().join(program.file_name());
            std::os::unix::fs::symlink(program.path(), link).expect("a link");
        }
        let result = Command::new("sh")
            .args(["-c", &command])
            .env("PATH", format!("{}:{path}", binary.parent().expect("a folder").display()))
            .current_dir(&directory)
            .output()
            .expect("sh starts");
        let printed =
            String::from_utf8_lossy(&result.stdout).into_owned() + &String::from_utf8_lossy(&result.stderr);
        assert_eq!(printed.trim_end(), output.trim_end(), "{place}: {command}");
    }
}

#[test]
fn every_example_with_output_is_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = root.join("docs").read_dir().expect("documents").flatten().map(|entry| entry.path());
    let crates = root.join("crates").read_dir().expect("crates").flatten();
    let crates = crates.map(|entry| entry.path().join("README.md")).filter(|path| path.exists());
    let root_documents =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].map(|name| root.join(name));
    for path in docs
        .chain(crates)
        .chain(root_documents)
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
    {
        let file = path.strip_prefix(root).expect("a part").to_str().expect("UTF-8");
        let text = std::fs::read_to_string(&path).expect(file);
        let prompts = text.lines().filter(|line| line.trim_start().starts_with("$ ")).count();
        assert_eq!(prompts, examples_of(file).len(), "{file} has a `$` example that is not run");
        let is_tested = DOCUMENTS.contains(&file) || file == TESTED_BY_ITS_CRATE;
        assert_eq!(prompts > 0, is_tested, "{file}");
    }
}

#[test]
fn checking_guide_shows_the_actual_output() {
    check("docs/CHECKING.md", 2);
}

#[test]
fn certificate_guide_shows_the_actual_output() {
    check("docs/CERTIFICATES.md", 2);
}

#[test]
fn class_guide_shows_the_actual_output() {
    check("docs/CLASS.md", 3);
}

#[test]
fn tour_shows_the_actual_output() {
    check("docs/TOUR.md", 10);
}

#[test]
fn ci_recipes_show_the_actual_output() {
    check("docs/CI.md", 2);
}

#[test]
fn readme_shows_the_actual_output() {
    check("README.md", 5);
}
