//! Finds what disturbs measurements on this machine, and says how to correct it.
//!
//! Each check reads a few files of Linux's /proc and /sys below a root directory, which tests replace. What a
//! system does not report is `unknown`. [`examine`] takes a few milliseconds; the last two checks watch the machine
//! for a while and are run by `queenlab doctor` only.

mod busy;
mod checks;
mod jitter;

use std::path::Path;

use crate::os::proc::Root;
pub use crate::record::{Finding, Health};

/// A check: its name, and the function that fills in the rest of its finding.
type Check = (&'static str, fn(&Root) -> Finding);

const ALL: [Check; 14] = [
    ("governor", checks::governor),
    ("turbo", checks::turbo),
    ("SMT", checks::smt),
    ("load", checks::load),
    ("swap", checks::swap),
    ("CPU limit", checks::cpu_limit),
    ("memory limit", checks::memory_limit),
    ("virtual machine", checks::virtual_machine),
    ("steal", checks::steal),
    ("container", checks::container),
    ("thermal", checks::thermal),
    ("clock", checks::clock),
    ("busy processes", busy::busy),
    ("jitter", jitter::jitter),
];

/// The names of all checks, in order.
pub fn names() -> [&'static str; ALL.len()] {
    ALL.map(|(name, _)| name)
}

/// Runs all checks that only read files below `root`, which is `/` except in tests.
pub fn examine(root: &Path) -> Vec<Finding> {
    run(&ALL[..ALL.len() - 2], root)
}

/// Runs all checks.
pub fn examine_and_watch(root: &Path) -> Vec<Finding> {
    run(&ALL, root)
}

fn run(checks: &[Check], root: &Path) -> Vec<Finding> {
    let root = Root(root.to_owned());
    checks.iter().map(|(name, check)| Finding { check: (*name).to_owned(), ..check(&root) }).collect()
}

/// A one-line warning that names the checks that found a disturbance; `None` if there are none.
pub fn warning(findings: &[Finding]) -> Option<String> {
    let disturbs = findings.iter().filter(|finding| finding.health == Health::Disturbs);
    let names: Vec<&str> = disturbs.map(|finding| finding.check.as_str()).collect();
    let names = (!names.is_empty()).then(|| names.join(", "))?;
    Some(format!("times may be unreliable (findings: {names}); run 'queenlab doctor' for advice"))
}

fn fine(found: impl Into<String>) -> Finding {
    Finding { check: String::new(), health: Health::Fine, found: found.into(), advice: None }
}

fn unknown(found: impl Into<String>) -> Finding {
    Finding { health: Health::Unknown, ..fine(found) }
}

fn unreported() -> Finding {
    unknown("this system does not report it")
}

fn disturbs(found: impl Into<String>, advice: impl Into<String>) -> Finding {
    Finding { health: Health::Disturbs, advice: Some(advice.into()), ..fine(found) }
}

#[cfg(test)]
mod tests;
