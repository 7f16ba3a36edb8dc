//! Runs each cell in its own process, so that a limit can end the run in any state.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::protocol::{Ended, Message};
use super::{Attempt, Ending, Runner};
use crate::experiment::cpus::CpuList;
use crate::experiment::plan::Cell;
use crate::files::temporary_directory;
use crate::os;
use crate::os::proc::Root;
pub use crate::os::process::{GUARD_COMMAND, guard, use_guard};
use crate::os::process::{Process, Stopped, Supervision};
pub use crate::os::{adopt_orphans, own_executable};
use crate::record::{Kind, nanoseconds};

/// The hidden command that runs a cell; its argument is the cell as JSON.
pub const CELL_COMMAND: &str = "__cell";

/// A runner that starts one process per run.
pub struct ProcessRunner {
    executable: PathBuf,
    cpus: Option<CpuList>,
}

/// The largest length of a message, in bytes.
const LINE_BYTES: u64 = 1 << 22;

impl ProcessRunner {
    /// `executable` is the queenlab executable; its processes are bound to `cpus`.
    pub fn new(executable: PathBuf, cpus: Option<CpuList>) -> Self {
        Self { executable, cpus }
    }

    /// The command of a run; programs that it starts find `scratch` in TMPDIR.
    fn command(&self, cell: &Cell, kind: Kind, scratch: Option<&Path>) -> io::Result<Command> {
        let mut command = Command::new(&self.executable);
        command.arg(CELL_COMMAND).arg(serde_json::to_string(cell)?).arg(kind.name());
        command.arg("--parent").arg(std::process::id().to_string());
        if let Some(scratch) = scratch {
            command.arg("--scratch").arg(scratch).env("TMPDIR", scratch);
        }
        if let Some(cpus) = &self.cpus {
            command.arg("--pin").arg(cpus.to_string());
        }
        Ok(command)
    }
}

/// Reads the messages of a child until it closes its output, and returns the final one, if any. A line that is
/// not a message is returned as the error.
fn listen(
    child: &mut Process<'_>,
    live: &mut dyn FnMut(u64, u64),
) -> io::Result<Result<Option<Ended>, String>> {
    let mut reported = None;
    loop {
        let mut line = Vec::new();
        // A line without an end must not exhaust the memory.
        if child.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(Ok(reported));
        }
        match serde_json::from_slice(&line) {
            Ok(Message::Progress { nodes, solutions }) => live(nodes, solutions),
            Ok(Message::Ended(ended)) => reported = Some(ended),
            Err(_) => {
                let line = String::from_utf8_lossy(&line);
                return Ok(Err(line.trim_end().chars().take(200).collect()));
            }
        }
    }
}

impl Runner for ProcessRunner {
    fn run(
        &mut self,
        cell: &Cell,
        kind: Kind,
        cancel: &AtomicBool,
        live: &mut dyn FnMut(u64, u64),
    ) -> io::Result<Attempt> {
        let supervision = Supervision {
            time_limit: Some(cell.time_limit()),
            cpu_limit: cell.cpu_limit_ns.map(Duration::from_nanos),
            cancel: Some(cancel),
            ..Supervision::default()
        };
        let stalled = || Root::default().cpu_stall();
        let stalled_before = stalled();
        let starts_programs = cell.starts_programs();
        // Removed with what the run leaves there, however it ends. Without one, the run reports what it cannot write.
        let scratch = if starts_programs { temporary_directory().ok() } else { None };
        let command = self.command(cell, kind, scratch.as_ref().map(|scratch| scratch.path()))?;
        let mut child = Process::launch(command, supervision, starts_programs)?;
        let reported = listen(&mut child, live)?;
        if reported.is_err() {
            child.stop(Stopped::Enough)?;
        }
        let ended = child.finish()?;
        let cpu_stall = stalled_before.zip(stalled()).map(|(before, after)| after.saturating_sub(before));
        // If the cell is a program, the child only starts it: the child's memory is not the program's, and
        // neither are its times if it was ended before it could wait for the program.
        let solves = cell.program.is_none();
        let mut attempt = Attempt {
            ending: Ending::Interrupted,
            wall: ended.wall,
            cpu: ended.cpu.filter(|_| solves || ended.stopped.is_none()),
            involuntary_switches: ended.involuntary_switches.filter(|_| solves || ended.stopped.is_none()),
            cpu_stall,
            peak_rss_bytes: ended.peak_rss_bytes.filter(|_| solves),
            exit_code: ended.status.code(),
            signal: os::signal(ended.status),
            cpus: self.cpus.clone(),
        };
        if let Ok(Some(Ended { exit_code, signal, .. })) = &reported
            && ended.stopped.is_none()
            && (exit_code.is_some() || signal.is_some())
        {
            // These are more informative than the exit code 0 of the process that started the user's program.
            (attempt.exit_code, attempt.signal) = (*exit_code, *signal);
        }
        let failed = |ending: fn(String) -> Ending, reason: String| {
            let out_of_memory = is_out_of_memory(&ended.stderr) || is_out_of_memory(&reason);
            if cell.memory_limit_bytes.is_some() && out_of_memory {
                return Ending::Memout;
            }
            ending(match ended.last_words() {
                Some(line) => format!("{reason}; last line of its standard error: {line}"),
                None => reason,
            })
        };
        let reported = reported.map(|reported| reported.map(|reported| reported.ending));
        attempt.ending = match (ended.stopped, reported) {
            (Some(Stopped::Cancelled), _) => Ending::Interrupted,
            (Some(Stopped::Deadline), _) => Ending::Timeout,
            (Some(Stopped::CpuTime), _) => Ending::CpuTimeout,
            (_, Err(line)) => {
                // The child is ended for this line, or has ended before that: its exit status means nothing.
                (attempt.exit_code, attempt.signal) = (None, None);
                Ending::Failed(format!("it printed something else than a report: {line}"))
            }
            (_, Ok(Some(Ending::Wrong(reason)))) => Ending::Wrong(reason),
            (_, Ok(Some(Ending::Unreadable(reason)))) => failed(Ending::Unreadable, reason),
            (_, Ok(Some(Ending::Failed(reason)))) => failed(Ending::Failed, reason),
            (_, Ok(Some(reported))) if ended.status.success() => reported,
            _ => failed(Ending::Failed, format!("the process ended with {}", ended.status)),
        };
        if exceeds_cpu_limit(cell, &attempt) {
            attempt.ending = Ending::CpuTimeout;
        }
        Ok(attempt)
    }
}

/// Whether a run ended by itself after it had used too much CPU time, before this was noticed.
fn exceeds_cpu_limit(cell: &Cell, attempt: &Attempt) -> bool {
    let Ending::Reported(report) = &attempt.ending else { return false };
    let outside = attempt.cpu.map(|(user, system)| (nanoseconds(user), nanoseconds(system)));
    let used = report.cpu_ns.or(outside).map(|(user, system)| user.saturating_add(system));
    cell.cpu_limit_ns.zip(used).is_some_and(|(limit, used)| used > limit)
}

/// Whether a text has the message of a runtime for a failed allocation: Rust, Python, C++, Java, the C
/// library.
fn is_out_of_memory(text: &str) -> bool {
    let signs =
        ["memory allocation of", "MemoryError", "bad_alloc", "OutOfMemoryError", "Cannot allocate memory"];
    signs.iter().any(|sign| text.contains(sign))
}
