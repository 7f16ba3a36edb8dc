//! The command `lrat-check FORMULA PROOF`, which checks a proof and prints the verdict.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use lrat_check::{LratReadError, ProofCounts, ProofVerdict, check};

const HELP: &str = "\
Checks a proof that a formula has no model. The formula is in DIMACS CNF, and the proof in text or binary LRAT.

Usage: lrat-check FORMULA PROOF

  FORMULA, PROOF   files; one of the two names may be '-' for standard input
  --help           print this help
  --version        print the version

Prints 's VERIFIED' (exit code 0) or 's NOT VERIFIED' (exit code 3). If the proof is rejected, standard error
gives the step and the reason. The exit code is 2 for bad usage and for files that cannot be read, and 1 if
standard output cannot be written.
";

/// A failure that ends the program without a verdict: the exit code and the message.
type Failure = (u8, String);

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let arguments: Vec<&OsStr> = arguments.iter().map(OsString::as_os_str).collect();
    let result = match arguments[..] {
        [option] if option == "--help" || option == "-h" => print(HELP).map(|()| 0),
        [option] if option == "--version" || option == "-V" => {
            print(concat!("lrat-check ", env!("CARGO_PKG_VERSION"), "\n")).map(|()| 0)
        }
        [formula, proof] => check_files(formula, proof),
        _ => Err((2, "two files are expected: lrat-check FORMULA PROOF (see --help)".to_owned())),
    };
    let code = result.unwrap_or_else(|(code, message)| {
        print_error(&format!("lrat-check: {message}"));
        code
    });
    ExitCode::from(code)
}

fn check_files(formula: &OsStr, proof: &OsStr) -> Result<u8, Failure> {
    if formula == "-" && proof == "-" {
        return Err((2, "only one of the two files can be standard input".to_owned()));
    }
    let verdict = check(open(formula)?, open(proof)?).map_err(|error| {
        let name = if matches!(error, LratReadError::Formula(_)) { formula } else { proof };
        (2, format!("{}: {error}", display_name(name)))
    })?;
    match verdict {
        ProofVerdict::Verified(ProofCounts { clauses, lemmas, deletions }) => {
            print("s VERIFIED\n")?;
            print_error(&format!("clauses: {clauses}, lemmas: {lemmas}, deletions: {deletions}"));
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
            Err((1, format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes to standard error, and ignores errors.
fn print_error(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
