//! Runs each cell in its own process, so that a limit can end the run in any state.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::attempt::Attempt;
use super::program;
use crate::experiment::plan::{Cell, Plan};
use crate::files::temporary_directory;
use crate::os;
use crate::os::proc::Root;
use crate::os::process::{Ended, Process, Stopped, Supervision};
pub use crate::os::process::{GUARD_COMMAND, guard, use_guard};
pub use crate::os::{adopt_orphans, own_executable};
use crate::record::{CPU_LIMIT, Kind, Status, Verdict, nanoseconds};
use crate::spec::CpuList;
use runlab::Executor;

/// The hidden command that runs a cell; its argument is the cell as JSON.
pub const CELL_COMMAND: &str = "__cell";

/// A runner that starts one process per run.
pub struct ProcessRunner<'p> {
    cells: &'p [Cell],
    executable: PathBuf,
    cpus: Option<CpuList>,
}

/// The largest length of a report, in bytes.
const LINE_BYTES: u64 = 1 << 22;

impl<'p> ProcessRunner<'p> {
    /// `executable` is the queenlab executable; its processes are bound to `cpus`.
    pub fn new(plan: &'p Plan, executable: PathBuf, cpus: Option<CpuList>) -> Self {
        Self { cells: &plan.cells, executable, cpus }
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

/// Reads the outcome that a child reports, if any. A line that is something else is returned as the error.
fn listen(child: &mut Process<'_>) -> io::Result<Result<Option<Box<Attempt>>, String>> {
    let mut line = Vec::new();
    // A line without an end must not exhaust the memory.
    if child.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
        return Ok(Ok(None));
    }
    let garbled = |_| String::from_utf8_lossy(&line).trim_end().chars().take(200).collect();
    Ok(serde_json::from_slice(&line).map(Some).map_err(garbled))
}

impl Executor for ProcessRunner<'_> {
    type Measured = Attempt;

    fn run(&mut self, cell: usize, kind: Kind, cancel: &AtomicBool) -> io::Result<Option<Attempt>> {
        let cell = &self.cells[cell];
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
        let reported = listen(&mut child)?;
        if reported.is_err() {
            child.stop(Stopped::Enough)?;
        }
        let ended = child.finish()?;
        if ended.stopped == Some(Stopped::Cancelled) {
            return Ok(None);
        }
        let is_garbled = reported.is_err();
        let mut attempt = outcome(cell, &ended, reported);
        if cell.program.is_some()
            && let Err(reason) = program::read_statistics(&mut attempt.row, &ended.stderr)
        {
            attempt = Attempt::failed(Status::Unreadable, Some(format!("its standard error: {reason}")));
        }
        let row = &mut attempt.row;
        row.wall_ns = Some(nanoseconds(ended.wall));
        row.cpu_stall_ns =
            stalled_before.zip(stalled()).map(|(before, after)| nanoseconds(after.saturating_sub(before)));
        row.cpu = self.cpus.as_ref().map(ToString::to_string);
        // If the cell is a program, the child only starts it: the child's memory is not the program's, and
        // neither are its times if it was ended before it could wait for the program.
        let solves = cell.program.is_none();
        if row.cpu_user_ns.is_none() && (solves || ended.stopped.is_none()) {
            row.cpu_user_ns = Some(nanoseconds(ended.cpu.0));
            row.cpu_sys_ns = Some(nanoseconds(ended.cpu.1));
            row.involuntary_switches = row.involuntary_switches.or(ended.involuntary_switches);
        }
        row.peak_rss_bytes = row.peak_rss_bytes.or(ended.peak_rss_bytes.filter(|_| solves));
        // Those of the program are more informative than the exit code 0 of the process that started it.
        if starts_programs && !is_garbled && row.exit_code.is_none() && row.signal.is_none() {
            (row.exit_code, row.signal) = (ended.status.code(), os::signal(ended.status));
        }
        Ok(Some(attempt))
    }
}

/// The outcome of a run that was not cancelled, by what its process reported and how it ended.
fn outcome(cell: &Cell, ended: &Ended, reported: Result<Option<Box<Attempt>>, String>) -> Attempt {
    let failed = |mut attempt: Attempt| {
        let reason = attempt.row.outcome_reason.take().unwrap_or_default();
        let out_of_memory = is_out_of_memory(&ended.stderr) || is_out_of_memory(&reason);
        if cell.memory_limit_bytes.is_some() && out_of_memory {
            attempt.row.status = Status::Memout;
            return attempt;
        }
        attempt.row.outcome_reason = Some(match ended.last_words() {
            Some(line) => format!("{reason}; last line of its standard error: {line}"),
            None => reason,
        });
        attempt
    };
    match (ended.stopped, reported) {
        (Some(Stopped::Deadline), _) => Attempt::failed(Status::Timeout, None),
        (Some(Stopped::CpuTime), _) => Attempt::failed(Status::Timeout, Some(CPU_LIMIT.to_owned())),
        // The child is ended for this line, or has ended before that: its exit status means nothing.
        (_, Err(line)) => Attempt::crashed(format!("it printed something else than a report: {line}")),
        (_, Ok(Some(attempt))) if attempt.row.verdict == Verdict::Wrong => *attempt,
        (_, Ok(Some(attempt))) if !attempt.row.status.is_solved() => failed(*attempt),
        (_, Ok(Some(attempt))) if ended.status.success() => *attempt,
        _ => failed(Attempt::crashed(format!("the process ended with {}", ended.status))),
    }
}

/// Whether a text has the message of a runtime for a failed allocation: Rust, Python, C++, Java, the C
/// library.
fn is_out_of_memory(text: &str) -> bool {
    let signs =
        ["memory allocation of", "MemoryError", "bad_alloc", "OutOfMemoryError", "Cannot allocate memory"];
    signs.iter().any(|sign| text.contains(sign))
}
