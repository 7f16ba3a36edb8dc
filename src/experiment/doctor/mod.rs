//! Finds what disturbs measurements on this machine, and says how to correct it.
//!
//! Each check reads a few files of Linux's /proc and /sys below a root directory, which tests replace. What a
//! system does not report is `unknown`. [`examine`] takes a few milliseconds; [`busy()`] and [`jitter()`]
//! watch the machine for a while and are run by `queenlab doctor` only.

mod busy;
mod checks;
mod jitter;

use std::fs;
use std::path::{Path, PathBuf};

pub use crate::record::{Finding, Health};
pub use busy::busy;
pub use jitter::jitter;

/// The names of all checks, in order.
pub const CHECKS: [&str; 14] = [
    "governor",
    "turbo",
    "SMT",
    "load",
    "swap",
    "CPU limit",
    "memory limit",
    "virtual machine",
    "steal",
    "container",
    "thermal",
    "clock",
    "busy processes",
    "jitter",
];

/// Runs all checks that only read files below `root`, which is `/` except in tests.
pub fn examine(root: &Path) -> Vec<Finding> {
    let root = Root(root.to_owned());
    vec![
        checks::governor(&root),
        checks::turbo(&root),
        checks::smt(&root),
        checks::load(&root),
        checks::swap(&root),
        checks::cpu_limit(&root),
        checks::memory_limit(&root),
        checks::virtual_machine(&root),
        checks::steal(&root),
        checks::container(&root),
        checks::thermal(&root),
        checks::clock(&root),
    ]
}

/// A one-line warning that names the checks that found a disturbance; `None` if there are none.
pub fn warning(findings: &[Finding]) -> Option<String> {
    let disturbs = findings.iter().filter(|finding| finding.health == Health::Disturbs);
    let names: Vec<&str> = disturbs.map(|finding| finding.check.as_str()).collect();
    let told = || format!("times may be disturbed by {}; run 'queenlab doctor' for advice", names.join(", "));
    (!names.is_empty()).then(told)
}

fn fine(check: &str, found: impl Into<String>) -> Finding {
    Finding { check: check.to_owned(), health: Health::Fine, found: found.into(), advice: None }
}

fn unknown(check: &str, found: impl Into<String>) -> Finding {
    Finding { health: Health::Unknown, ..fine(check, found) }
}

fn disturbs(check: &str, found: impl Into<String>, advice: impl Into<String>) -> Finding {
    Finding { health: Health::Disturbs, advice: Some(advice.into()), ..fine(check, found) }
}

/// The directory that contains /proc and /sys.
struct Root(PathBuf);

impl Root {
    /// The trimmed text of a file; `None` if it is empty or cannot be read.
    fn read(&self, path: &str) -> Option<String> {
        let text = fs::read(self.0.join(path)).ok()?;
        let text = String::from_utf8_lossy(&text).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    fn exists(&self, path: &str) -> bool {
        self.0.join(path).exists()
    }

    fn number<T: std::str::FromStr>(&self, path: &str) -> Option<T> {
        self.read(path)?.parse().ok()
    }

    /// The entries of a folder whose name is `prefix` followed by a number.
    fn numbered(&self, folder: &str, prefix: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(folder)).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
        names
            .filter(|name| name.strip_prefix(prefix).is_some_and(is_number))
            .map(|name| format!("{folder}/{name}"))
            .collect()
    }
}

#[cfg(test)]
mod tests;
