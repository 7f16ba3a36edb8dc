//! `queenlab doctor`: finds conditions that disturb measurements, and how to correct them.

use std::io::{self, Write};

use crate::app::doctor::{Diagnosis, doctor};
use crate::registry::Registry;
use anyhow::Error;
use clap::Args;

use super::{Exit, RunCommand, print_json};

/// Check this machine for conditions that disturb time measurements.
///
/// Checks the CPU governor, turbo mode, the load, the limits of a container, and how CPU time and memory are measured. For each
/// problem, prints how to correct it. The exit code is 0 even if problems are found.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab doctor
  queenlab doctor --json")]
pub struct Doctor {
    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,
}

impl RunCommand for Doctor {
    fn run(&self, _registry: &Registry) -> Result<Exit, Error> {
        let diagnosis = doctor();
        if self.json {
            print_json(&diagnosis)?;
        } else {
            print(&diagnosis, &mut super::out())?;
        }
        Ok(Exit::Success)
    }
}

fn print(diagnosis: &Diagnosis, out: &mut impl Write) -> io::Result<()> {
    let findings = &diagnosis.findings;
    let width = findings.iter().map(|finding| finding.check.len()).max().unwrap_or(0);
    for finding in findings {
        writeln!(out, "{:8}  {:width$}  {}", finding.health, finding.check, finding.value)?;
        if let Some(advice) = &finding.advice {
            writeln!(out, "{:8}  {:width$}  -> {advice}", "", "")?;
        }
    }
    let disturbance_count = diagnosis.disturbances();
    writeln!(out, "{disturbance_count} of {} checks found a disturbance", findings.len())
}
