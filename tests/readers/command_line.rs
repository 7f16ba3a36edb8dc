//! The command line. Each line of the input is an argument. No command is run.

use std::ffi::OsString;

pub fn check(bytes: &[u8]) {
    let arguments = bytes.split(|&byte| byte == b'\n').filter(|line| !line.contains(&0)).map(argument);
    if let Err((code, message)) = queenlab::cli::parse(std::iter::once("queenlab".into()).chain(arguments)) {
        assert!([0, 2].contains(&code), "exit code {code}: {message}");
        assert!(!message.is_empty());
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
