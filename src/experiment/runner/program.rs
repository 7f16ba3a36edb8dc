//! A program of the user's as a solver: it is started, timed from start to end, and what it printed
//! is then read and judged board by board.
//!
//! For goal enumerate it prints every solution, for first one (or nothing), for count the number.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::protocol::{Failure, Report};
use crate::board::notation::{Board, Notation, Reader, printable};
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
    if !ended.status.success() {
        return Err(Failure {
            reason: format!("'{name}' ended with {}", ended.status),
            exit_code: ended.status.code(),
            signal: os::signal(ended.status),
        });
    }
    let started = Instant::now();
    let mut report = judge(cell, call, output)?;
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
    let mut judge = Judge::default();
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
    Ok(Report {
        solutions: judge.digest.count() + malformed,
        digest: (cell.goal != Goal::First || judge.digest.count() > 0).then(|| judge.digest.to_string()),
        illegal: Some(judge.illegal + malformed),
        first_illegal: judge.first_illegal.map(|board| board.to_string()).or(first_fault),
        ..Report::default()
    })
}

/// A number with blanks around it is no longer, in bytes.
const NUMBER_LIMIT: u64 = 1 << 16;

/// The number that is all of a short output.
fn number(output: File) -> Result<u64, String> {
    let mut text = Vec::new();
    output.take(NUMBER_LIMIT + 1).read_to_end(&mut text).map_err(|error| format!("its output: {error}"))?;
    if text.len() as u64 > NUMBER_LIMIT {
        return Err(format!("its output is longer than {NUMBER_LIMIT} bytes: print the number alone"));
    }
    let text = String::from_utf8_lossy(&text);
    let text = text.trim();
    text.parse().map_err(|_| {
        let shown = printable(&text.chars().take(40).collect::<String>());
        format!("its output is not a number alone: '{shown}'")
    })
}
