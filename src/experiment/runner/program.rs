//! Runs a user's program as a solver: the program is started and timed from start to end, then its output is judged as
//! by `queenlab check`.

use std::process::Command;

use super::attempt::{Attempt, Seen};
use crate::board::known;
use crate::experiment::plan::{Cell, ProgramCall};
use crate::judge::{Cut, Question, judge};
use crate::os;
use crate::record::{Row, Status, nanoseconds};
use crate::solver::Goal;
use crate::solver::sink::Digest;
use crate::submission::{asks, run as run_program};

/// Starts the program of a cell, waits for it, and judges its output.
pub fn run(cell: &Cell, call: &ProgramCall) -> Attempt {
    attempt(cell, call).unwrap_or_else(Attempt::crashed)
}

fn attempt(cell: &Cell, call: &ProgramCall) -> Result<Attempt, String> {
    let name = call.command.first().map_or("", String::as_str);
    let mut command = Command::new(name);
    command.args(&call.command[1..]);
    let most = most_bytes(cell);
    let (mut output, ended) =
        run_program(command, most).map_err(|error| format!("cannot start '{name}': {error}"))?;
    if ended.stopped.is_some() {
        return Err(format!(
            "'{name}' was stopped because it printed more than {} MiB, the limit for n = {}",
            most >> 20,
            cell.n
        ));
    }
    let exit_code = ended.status.code();
    if !exit_code.is_some_and(|code| call.accept_exit_codes.contains(&code)) {
        let mut failed = Attempt::crashed(format!("'{name}' ended with {}", ended.status));
        (failed.row.exit_code, failed.row.signal) = (exit_code, os::signal(ended.status));
        return Ok(failed);
    }
    let notation = match call.notation.as_str() {
        "auto" => None,
        name => Some(name.parse().map_err(|error| format!("{error}"))?),
    };
    let problem = cell.problem()?;
    let mut digest = Digest::of(&problem);
    let question = Question { problem, notation, asks: asks(cell.goal) };
    let judged = match judge(&mut output, &question, None, &mut |columns| digest.add(columns)) {
        Ok(judged) => judged,
        Err(reason) => {
            let mut failed = Attempt::failed(Status::Unreadable, Some(format!("its output: {reason}")));
            failed.row.exit_code = exit_code;
            return Ok(failed);
        }
    };
    let row = Row {
        status: Status::Complete,
        solutions: Some(judged.stated.unwrap_or(judged.boards)),
        digest: Some(digest.to_string()).filter(|_| digest.count() > 0 || cell.goal == Goal::Enumerate),
        solve_ns: Some(nanoseconds(ended.wall)),
        cpu_user_ns: Some(nanoseconds(ended.cpu.0)),
        cpu_sys_ns: Some(nanoseconds(ended.cpu.1)),
        involuntary_switches: ended.involuntary_switches,
        // The program was started by a small process, so ru_maxrss is its own memory.
        peak_rss_bytes: Some(ended.max_rss_bytes),
        exit_code,
        ..Row::default()
    };
    let checked = cell.goal == Goal::Enumerate && !matches!(judged.cut, Some(Cut::Memory(_)));
    let seen = Seen {
        claimed: None,
        illegal: Some(judged.illegal).filter(|_| cell.goal != Goal::Count),
        repeated: Some(judged.duplicates).filter(|_| checked),
        first_illegal: judged.illegal_shown.first().map(ToString::to_string),
    };
    Ok(Attempt { row, seen, ..Attempt::default() })
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
