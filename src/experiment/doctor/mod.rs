//! Finds what disturbs measurements on this machine, and says how to correct it.
//!
//! Each check reads a few files of Linux's /proc and /sys below a root directory, which tests replace. What a
//! system does not report is `unknown`. [`examine`] takes a few milliseconds; [`busy()`] and [`jitter()`]
//! watch the machine for a while and are run by `queenlab doctor` only.

mod busy;
mod checks;
mod jitter;

use std::path::Path;

use crate::os::proc::Root;
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

#[cfg(test)]
mod tests;
