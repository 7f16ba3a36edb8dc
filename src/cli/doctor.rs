//! `queenlab doctor`: finds conditions that disturb measurements, and how to correct them.

use std::io::{self, Write};
use std::path::Path;

use crate::experiment::doctor::{self, Finding, Health};
use anyhow::Error;

use super::args::DoctorArguments;
use super::{Exit, print_json};

pub fn run(arguments: &DoctorArguments) -> Result<Exit, Error> {
    let findings = doctor::examine_and_watch(Path::new("/"));
    if arguments.json {
        print_json(&serde_json::json!({ "findings": findings }))?;
    } else {
        print(&findings, &mut super::out())?;
    }
    Ok(Exit::Success)
}

fn print(findings: &[Finding], out: &mut impl Write) -> io::Result<()> {
    let width = findings.iter().map(|finding| finding.check.len()).max().unwrap_or(0);
    for finding in findings {
        writeln!(out, "{:8}  {:width$}  {}", finding.health, finding.check, finding.found)?;
        if let Some(advice) = &finding.advice {
            writeln!(out, "{:8}  {:width$}  -> {advice}", "", "")?;
        }
    }
    let disturbing = findings.iter().filter(|finding| finding.health == Health::Disturbs).count();
    writeln!(out, "{disturbing} of {} checks found a disturbance", findings.len())
}
