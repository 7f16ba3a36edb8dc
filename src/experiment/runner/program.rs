//! A program of the user's as a solver: it is started, timed from start to end, and what it printed
//! is then read and judged board by board.
//!
//! For goal enumerate it prints every solution, for first one (or nothing), for count the number.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::protocol::{Failure, Report};
use crate::board::notation::{Board, Notation, Reader};
use crate::experiment::plan::{Cell, ProgramCall};
use crate::os;
use crate::record::nanoseconds;
use crate::solver::sink::Judge;
use crate::solver::{Goal, Sink};

/// Starts the program of a cell, waits for it, and judges its output.
pub fn run(cell: &Cell, call: &ProgramCall) -> Result<Report, Failure> {
    let name = call.command.first().map_or("", String::as_str);
    let fail = |what: &str, error: std::io::Error| format!("{what} '{name}': {error}");
    // A file, not a pipe: a pipe would make the program wait for its reader.
    let output = tempfile::tempfile().map_err(|error| fail("cannot keep the output of", error))?;
    let stdout = output.try_clone().map_err(|error| fail("cannot keep the output of", error))?;
    let mut command = Command::new(name);
    command.args(&call.command[1..]).stdin(Stdio::null()).stdout(stdout).stderr(Stdio::inherit());
    let started = Instant::now();
    let mut child = command.spawn().map_err(|error| fail("cannot start", error))?;
    let ended = os::wait(&mut child).map_err(|error| fail("cannot wait for", error))?;
    let solve_ns = nanoseconds(started.elapsed());
    let exit_code = ended.status.code();
    if !exit_code.is_some_and(|code| call.accept_exit_codes.contains(&code)) {
        return Err(Failure {
            reason: format!("'{name}' ended with {}", ended.status),
            exit_code,
            signal: os::signal(ended.status),
            unreadable: false,
        });
    }
    let started = Instant::now();
    let unreadable = |reason| Failure { reason, exit_code, signal: None, unreadable: true };
    let mut report = judge(cell, call, output).map_err(unreadable)?;
    report.exit_code = exit_code;
    report.verify_ns = Some(nanoseconds(started.elapsed()));
    report.solve_ns = solve_ns;
    report.cpu_ns = ended.cpu.map(|(user, system)| (nanoseconds(user), nanoseconds(system)));
    // Started by a small process, so that ru_maxrss is the program's own.
    report.peak_rss_bytes = ended.max_rss_bytes;
    Ok(report)
}

fn judge(cell: &Cell, call: &ProgramCall, mut output: File) -> Result<Report, String> {
    output.seek(SeekFrom::Start(0)).map_err(|error| format!("cannot read its output: {error}"))?;
    if cell.goal == Goal::Count {
        return Ok(Report { solutions: number(output)?, ..Report::default() });
    }
    let notation = match call.notation.as_str() {
        "auto" => None,
        name => Some(name.parse::<Notation>().map_err(|error| error.to_string())?),
    };
    let unreadable = |error: &dyn std::fmt::Display| format!("its output: {error}");
    let boards = Reader::new(BufReader::new(output), cell.n, notation).map_err(|error| unreadable(&error))?;
    let mut judge = if cell.goal == Goal::First { Judge::of(cell.n) } else { Judge::of_distinct(cell.n) };
    let mut malformed = 0;
    let mut first_fault = None;
    for found in boards {
        let found = found.map_err(|error| unreadable(&error))?;
        match found.board {
            Board::Placement(placement) => {
                let _ = judge.solution(placement.columns());
            }
            Board::Malformed { fault, .. } => {
                malformed += 1;
                first_fault.get_or_insert_with(|| format!("line {}: {fault}", found.line));
            }
        }
        if cell.goal == Goal::First {
            break;
        }
    }
    let report = Report::default().with_boards(judge);
    Ok(Report {
        solutions: report.solutions + malformed,
        claimed: None,
        digest: report.digest.filter(|_| cell.goal != Goal::First || report.solutions > 0),
        illegal: report.illegal.map(|illegal| illegal + malformed),
        first_illegal: report.first_illegal.or(first_fault),
        ..report
    })
}

/// The number that is all of a short output.
fn number(output: File) -> Result<u64, String> {
    let mut text = String::new();
    output.take(1 << 16).read_to_string(&mut text).map_err(|error| format!("its output: {error}"))?;
    let text = text.trim();
    text.parse().map_err(|_| {
        let shown: String = text.chars().take(40).collect();
        format!("its output is not a number alone: '{shown}'")
    })
}
