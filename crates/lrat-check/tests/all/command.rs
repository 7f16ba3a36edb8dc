//! Tests of the program `lrat-check`.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FORMULA: &str = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";
const PROOF: &str = "5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n";

/// A directory with the files `formula` and `proof`.
struct Files(PathBuf);

impl Files {
    fn new(test: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir(&directory).expect("a writable directory");
        let files = Self(directory);
        files.write("formula", FORMULA);
        files.write("proof", PROOF);
        files
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), content).expect("writable");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lrat-check"));
        command.args(arguments).current_dir(&self.0);
        command
    }

    /// The exit code, standard output and standard error.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = self.command(arguments).output().expect("it starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
    }
}

#[test]
fn proof_is_verified_or_its_error_is_located() {
    let files = Files::new("verdicts");
    let expected = (0, "s VERIFIED\n".to_owned(), "clauses: 4, lemmas: 2, deletions: 2\n".to_owned());
    assert_eq!(files.run(&["formula", "proof"]), expected);
    files.write("proof", "5 2 0 1 2 0\n6 0 5 3 0\n");
    let (code, out, err) = files.run(&["formula", "proof"]);
    assert_eq!((code, out.as_str()), (3, "s NOT VERIFIED\n"));
    wording::assert_wording!("command", "a step that does not follow", err);
}

/// The `console` block of README.md.
#[test]
fn readme_shows_the_printed_output() {
    let readme = include_str!("../../README.md");
    let (_, block) = readme.split_once("```console\n$ lrat-check ").expect("an example");
    let (command, printed) = block.split_once('\n').expect("its output");
    let (printed, _) = printed.split_once("```").expect("its end");
    let names: Vec<&str> = command.split(' ').collect();
    let files = Files::new("readme");
    files.write(names[0], FORMULA);
    files.write(names[1], PROOF);
    let (code, out, err) = files.run(&names);
    assert_eq!((code, out + &err), (0, printed.to_owned()));
}

#[test]
fn error_names_file_that_cannot_be_read() {
    let files = Files::new("unreadable");
    for arguments in [
        ["absent\u{1b}", "proof"],
        ["formula", "absent"],
        ["proof", "formula"],
        [".", "proof"],
        ["formula", "."],
    ] {
        let (code, out, err) = files.run(&arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        wording::assert_wording!("command", &arguments.join(" ").escape_default().to_string(), err);
    }
}

#[test]
fn bad_usage_is_explained_and_help_works() {
    let files = Files::new("usage");
    for arguments in [&[][..], &["formula"], &["formula", "proof", "more"], &["--unknown"]] {
        let (code, out, err) = files.run(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        wording::assert_wording!("command", "bad usage", err);
    }
    for name in ["--help", "-h"] {
        let (code, out, _) = files.run(&[name]);
        assert!(code == 0 && out.contains("Usage: lrat-check FORMULA PROOF\n"), "{out}");
    }
    for name in ["--version", "-V"] {
        let version = format!("lrat-check {}\n", env!("CARGO_PKG_VERSION"));
        assert_eq!(files.run(&[name]), (0, version, String::new()));
    }
}

#[test]
fn one_of_the_files_may_be_standard_input() {
    let files = Files::new("stdin");
    for (arguments, input) in [(["-", "proof"], FORMULA), (["formula", "-"], PROOF)] {
        let mut command = files.command(&arguments);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b"s VERIFIED\n"[..]));
    }
    let (code, out, err) = files.run(&["-", "-"]);
    assert_eq!((code, out.as_str()), (2, ""));
    wording::assert_wording!("command", "- -", err);
}

#[cfg(target_os = "linux")]
#[test]
fn unwritable_verdict_fails_unless_the_pipe_is_closed() {
    let files = Files::new("output");
    let full_disk = || File::options().write(true).open("/dev/full").expect("a full disk");
    let output = files.command(&["formula", "proof"]).stdout(full_disk()).output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    wording::assert_wording!("command", "a full disk", String::from_utf8_lossy(&output.stderr));
    let mut unwritable_stderr = files.command(&["formula", "proof"]);
    assert_eq!(unwritable_stderr.stderr(full_disk()).status().expect("it starts").code(), Some(0));
    for (proof, code) in [("proof", 0), ("formula", 3)] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = files.command(&["formula", proof]);
        assert_eq!(command.stdout(writer).output().expect("it starts").status.code(), Some(code));
    }
}

/// The checker supports at most 2^27 variables and needs one byte per literal, whatever the header of a file states.
#[cfg(target_os = "linux")]
#[test]
fn hostile_files_do_not_exhaust_memory() {
    let files = Files::new("memory");
    let repeated = |text: &str| text.repeat(8 << 20);
    let growing_variables: String = (10..28).map(|bits| format!("{} 0\n", (1 << bits) - 1)).collect();
    let unit_formula = "p cnf 1 1\n1 0\n";
    for (formula, proof, code) in [
        ("p cnf 999999999 999999999\n", "1 0 0\n".to_owned(), 2),
        (&format!("p cnf 999999999 18\n{growing_variables}"), "19 134217728 0 1 0\n".to_owned(), 3),
        (unit_formula, repeated("1"), 3),
        (unit_formula, format!("a{}", repeated("\u{80}")), 3),
        (&format!("p cnf 1 1\n{}", repeated("1 ")), String::new(), 2),
        (unit_formula, format!("2 0 {}", repeated("1 ")), 3),
        (unit_formula, format!("c{}", repeated("x")), 3),
        (&format!("p cnf 1 1\n{}", repeated("x")), String::new(), 2),
    ] {
        files.write("formula", formula);
        files.write("proof", proof);
        let script = "ulimit -v 500000; exec \"$0\" formula proof";
        let mut command = Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_lrat-check")]).current_dir(&files.0);
        let output = command.output().expect("sh");
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
