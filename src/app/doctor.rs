//! Finds conditions on this machine that disturb measurements.

use runlab::machine::{self, Health, MachineFinding};
use serde::Serialize;

use crate::os::Accounting;
use crate::os::proc::Root;
use crate::os::run_group::RunGroups;

/// The conditions that may disturb measurements.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnosis {
    /// One finding for each check.
    pub findings: Vec<MachineFinding>,
}

impl Diagnosis {
    /// The number of findings that disturb measurements.
    pub fn disturbances(&self) -> usize {
        self.findings.iter().filter(|finding| finding.health == Health::Disturbs).count()
    }
}

/// Examines this machine.
pub fn doctor() -> Diagnosis {
    let root = Root::default();
    let accounting = Accounting::of(RunGroups::open(&root).as_ref());
    Diagnosis { findings: machine::examine(&root, accounting) }
}
