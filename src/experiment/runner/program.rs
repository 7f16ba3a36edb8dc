//! Runs a user's program as a solver: the program is started and timed from start to end, then its output is
//! read and judged board by board.
//!
//! For goal enumerate it prints every solution, for first one solution or nothing, for count the number of
//! solutions.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::num::{IntErrorKind, ParseIntError};
use std::process::Command;

use super::protocol::{Ended, Ending, Report};
use crate::board::known;
use crate::board::notation::{Notation, ParsedBoard, Reader};
use crate::escape::Escaped;
use crate::experiment::plan::{Cell, ProgramCall};
use crate::os;
use crate::os::process::{Output, Process, Supervision};
use crate::record::nanoseconds;
use crate::solver::sink::Judge;
use crate::solver::{Goal, Sink};

/// Starts the program of a cell, waits for it, and judges its output.
pub fn run(cell: &Cell, call: &ProgramCall) -> Ended {
    attempt(cell, call).unwrap_or_else(|reason| Ending::Failed(reason).into())
}

fn attempt(cell: &Cell, call: &ProgramCall) -> Result<Ended, String> {
    let name = call.command.first().map_or("", String::as_str);
    let fail = |what: &str, error: std::io::Error| format!("{what} '{name}': {error}");
    // A pipe would make the program wait for its reader; a file does not.
    let output = tempfile::tempfile().map_err(|error| fail("cannot keep the output of", error))?;
    let stdout = output.try_clone().map_err(|error| fail("cannot keep the output of", error))?;
    let mut command = Command::new(name);
    command.args(&call.command[1..]);
    let written = || output.metadata().map_or(0, |file| file.len());
    let supervision = Supervision {
        output: Output::To(stdout.into()),
        written: Some(&written),
        most: most_bytes(cell),
        ..Supervision::default()
    };
    let child = Process::start(command, supervision).map_err(|error| fail("cannot start", error))?;
    let ended = child.finish().map_err(|error| fail("cannot wait for", error))?;
    if ended.stopped.is_some() {
        return Err(format!(
            "'{name}' was stopped because it printed more than {} MiB, the limit for n = {}",
            most_bytes(cell) >> 20,
            cell.n
        ));
    }
    let exit_code = ended.status.code();
    if !exit_code.is_some_and(|code| call.accept_exit_codes.contains(&code)) {
        let ending = Ending::Failed(format!("'{name}' ended with {}", ended.status));
        return Ok(Ended { ending, exit_code, signal: os::signal(ended.status) });
    }
    let ending = match judge(cell, call, output) {
        Err(reason) => Ending::Unreadable(reason),
        Ok(report) => Ending::Reported(Box::new(Report {
            solve_ns: nanoseconds(ended.wall),
            cpu_ns: ended.cpu.map(|(user, system)| (nanoseconds(user), nanoseconds(system))),
            involuntary_switches: ended.involuntary_switches,
            // The program was started by a small process, so ru_maxrss is its own memory.
            peak_rss_bytes: ended.max_rss_bytes,
            ..report
        })),
    };
    Ok(Ended { ending, exit_code, signal: None })
}

/// The largest output of a program in bytes: twice the space of all solutions in any notation, plus 64 MiB.
/// The limit keeps a program from filling the disk.
fn most_bytes(cell: &Cell) -> u64 {
    let boards = match cell.goal {
        Goal::Enumerate => known::of_variant(cell.n, &cell.variant).map_or(u64::MAX, |(count, _)| count),
        _ => 0,
    };
    let board = 16 * (cell.n as u64 + 1).pow(2);
    boards.saturating_mul(2 * board).saturating_add(64 << 20).min(64 << 30)
}

fn judge(cell: &Cell, call: &ProgramCall, mut output: File) -> Result<Report, String> {
    output.seek(SeekFrom::Start(0)).map_err(|error| format!("its output cannot be read: {error}"))?;
    if cell.goal == Goal::Count {
        return Ok(Report { solutions: number(output)?, ..Report::default() });
    }
    let notation = match call.notation.as_str() {
        "auto" => None,
        name => Some(name.parse::<Notation>().map_err(|error| error.to_string())?),
    };
    let unreadable = |error: &dyn std::fmt::Display| format!("its output: {error}");
    let boards = Reader::new(BufReader::new(output), cell.n, notation).map_err(|error| unreadable(&error))?;
    let problem = cell.problem()?;
    let mut judge = if cell.goal == Goal::First { Judge::of(&problem) } else { Judge::of_distinct(&problem) };
    let mut malformed = 0;
    let mut first_fault = None;
    for found in boards {
        let found = found.map_err(|error| unreadable(&error))?;
        match found.board {
            ParsedBoard::Placement(placement) => {
                let _ = judge.solution(placement.columns());
            }
            ParsedBoard::Malformed { fault, .. } => {
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

/// The largest output for goal count, in bytes: a number with some white space.
const NUMBER_LIMIT: u64 = 1 << 16;

/// Reads an output that must contain a number and nothing else.
fn number(output: File) -> Result<u64, String> {
    let mut text = Vec::new();
    output.take(NUMBER_LIMIT + 1).read_to_end(&mut text).map_err(|error| format!("its output: {error}"))?;
    if text.len() as u64 > NUMBER_LIMIT {
        return Err(format!(
            "its output is longer than {NUMBER_LIMIT} bytes; for goal count, print one number and nothing else"
        ));
    }
    let text = String::from_utf8_lossy(&text);
    let text = text.trim();
    text.parse().map_err(|error: ParseIntError| {
        let shown: String = text.chars().take(40).collect();
        let shown = Escaped(shown);
        match error.kind() {
            IntErrorKind::PosOverflow => format!("its number of solutions exceeds 64 bits: '{shown}'"),
            _ => format!("its output is not a single number: '{shown}'"),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_count_is_a_single_number_and_all_of_the_output_is_read() {
        let read = |text: &str| {
            let mut file = tempfile::tempfile().expect("a temporary file");
            file.write_all(text.as_bytes()).expect("written");
            file.seek(SeekFrom::Start(0)).expect("from its beginning");
            number(file)
        };
        assert_eq!(read("\n 92\n"), Ok(92));
        let error = |text: &str| read(text).expect_err("no number alone");
        assert!(error(&format!("92{}93", " ".repeat(1 << 16))).contains("longer than 65536 bytes"));
        assert!(error("92 93").contains("not a single number: '92 93'"));
        assert!(error("18446744073709551616").contains("exceeds 64 bits"));
    }
}
