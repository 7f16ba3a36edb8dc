//! The command line: each line is an argument. Nothing is run.

use std::ffi::OsString;

use args::ParseError;

#[path = "../../src/cli/args/mod.rs"]
#[allow(
    dead_code,
    unused_imports,
    reason = "the arguments of the binary, of which only the parser is used here"
)]
mod args;

/// As in the binary.
struct BadInput(String);

pub fn check(bytes: &[u8]) {
    let arguments = bytes.split(|&byte| byte == b'\n').filter(|line| !line.contains(&0)).map(argument);
    match args::parse(std::iter::once("queenlab".into()).chain(arguments), clap::ColorChoice::Never) {
        Ok(arguments) => assert!(!format!("{arguments:?}").is_empty()),
        Err(ParseError::NoEffect(BadInput(reason))) => assert!(reason.starts_with("--"), "{reason}"),
        Err(ParseError::Usage(error)) => {
            assert!([0, 2].contains(&error.exit_code()), "{error}");
            assert!(!error.to_string().is_empty());
        }
    }
}

#[cfg(unix)]
fn argument(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).to_owned()
}

#[cfg(not(unix))]
fn argument(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}
