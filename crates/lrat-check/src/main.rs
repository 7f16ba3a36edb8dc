//! `lrat-check FORMULA PROOF`.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use lrat_check::{Checked, LratReadError, ProofVerdict, check};

const HELP: &str = "\
Checks a proof in LRAT, text or binary, that a formula in DIMACS CNF has no model.

Usage: lrat-check FORMULA PROOF

  FORMULA, PROOF   files; one of them may be -, standard input
  --help           this text
  --version        the version

Prints 's VERIFIED' (exit code 0), or 's NOT VERIFIED' (exit code 3) with the step and the reason on standard error.
The exit code is 2 for bad usage and for files that cannot be read, and 1 if the verdict cannot be written.
";

/// A failure that ends the program without a verdict: the exit code and the message.
type Failure = (u8, String);

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let arguments: Vec<&OsStr> = arguments.iter().map(OsString::as_os_str).collect();
    let result = match arguments[..] {
        [word] if word == "--help" || word == "-h" => print(HELP).map(|()| 0),
        [word] if word == "--version" || word == "-V" => {
            print(concat!("lrat-check ", env!("CARGO_PKG_VERSION"), "\n")).map(|()| 0)
        }
        [formula, proof] => judge(formula, proof),
        _ => Err((2, "two files are expected: lrat-check FORMULA PROOF (see --help)".to_owned())),
    };
    let code = result.unwrap_or_else(|(code, message)| {
        print_error(&format!("lrat-check: {message}"));
        code
    });
    ExitCode::from(code)
}

fn judge(formula: &OsStr, proof: &OsStr) -> Result<u8, Failure> {
    if formula == "-" && proof == "-" {
        return Err((2, "only one of the two files can be standard input".to_owned()));
    }
    let verdict = check(open(formula)?, open(proof)?).map_err(|error| {
        let name = if matches!(error, LratReadError::Formula(_)) { formula } else { proof };
        (2, format!("{}: {error}", display_name(name)))
    })?;
    match verdict {
        ProofVerdict::Verified(Checked { clauses, lemmas, deleted }) => {
            print("s VERIFIED\n")?;
            print_error(&format!("clauses: {clauses}, lemmas: {lemmas}, deletions: {deleted}"));
            Ok(0)
        }
        ProofVerdict::Rejected(rejection) => {
            print("s NOT VERIFIED\n")?;
            print_error(&format!("lrat-check: {}: {rejection}", display_name(proof)));
            Ok(3)
        }
    }
}

fn open(name: &OsStr) -> Result<Box<dyn Read>, Failure> {
    if name == "-" {
        return Ok(Box::new(io::stdin()));
    }
    match File::open(name) {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => Err((2, format!("cannot read {}: {error}", display_name(name)))),
    }
}

/// Formats a name for one line of a terminal.
fn display_name(name: &OsStr) -> String {
    name.to_string_lossy().escape_debug().to_string()
}

/// Writes to standard output. A closed pipe is not a failure, because the exit code also reports the verdict.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err((1, format!("cannot write the verdict: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes to standard error, and ignores errors.
fn print_error(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
