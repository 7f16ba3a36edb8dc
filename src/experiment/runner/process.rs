//! Runs each cell in a process of its own, so that a limit can end it whatever it is doing.

use std::io::{self, BufRead, Read};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::protocol::{Failure, Message, Report};
use super::{Attempt, Ending, Runner};
use crate::experiment::cpus::CpuList;
use crate::experiment::plan::Cell;
use crate::os;
pub use crate::os::process::{GUARD_COMMAND, guard, use_guard};
use crate::os::process::{Process, Stopped, Supervision};
pub use crate::os::{adopt_orphans, own_executable};

/// The hidden command that runs a cell: its argument is the cell as JSON.
pub const CELL_COMMAND: &str = "__cell";

/// Starts a process for each run.
pub struct ProcessRunner {
    executable: PathBuf,
    cpus: Option<CpuList>,
}

/// The longest line that a report can be.
const LINE_BYTES: u64 = 1 << 22;

impl ProcessRunner {
    /// `executable` is queenlab itself; its processes are bound to `cpus`.
    pub fn new(executable: PathBuf, cpus: Option<CpuList>) -> Self {
        Self { executable, cpus }
    }

    fn command(&self, cell: &Cell) -> io::Result<Command> {
        let mut command = Command::new(&self.executable);
        command.arg(CELL_COMMAND).arg(serde_json::to_string(cell)?);
        command.arg("--parent").arg(std::process::id().to_string());
        if let Some(cpus) = &self.cpus {
            command.arg("--pin").arg(cpus.to_string());
        }
        Ok(command)
    }
}

/// What a child said last.
type Told = Option<Result<Box<Report>, Failure>>;

/// Listens to what a child says until it closes its output, or says what no child says: that line.
fn listen(child: &mut Process<'_>, live: &mut dyn FnMut(u64, u64)) -> io::Result<Result<Told, String>> {
    let mut told = None;
    loop {
        let mut line = Vec::new();
        // A line without an end must not fill the memory.
        if child.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(Ok(told));
        }
        match serde_json::from_slice(&line) {
            Ok(Message::Progress { nodes, solutions }) => live(nodes, solutions),
            Ok(Message::Report(report)) => told = Some(Ok(report)),
            Ok(Message::Failed(failure)) => told = Some(Err(failure)),
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
        cancel: &AtomicBool,
        live: &mut dyn FnMut(u64, u64),
    ) -> io::Result<Attempt> {
        let supervision = Supervision {
            deadline: Instant::now().checked_add(cell.time_limit()),
            cancel: Some(cancel),
            ..Supervision::default()
        };
        let mut child = Process::start_own(self.command(cell)?, supervision, cell.starts_programs())?;
        let told = listen(&mut child, live)?;
        if told.is_err() {
            child.stop(Stopped::Enough)?;
        }
        let ended = child.finish()?;
        // The process that starts a program says nothing about the program: neither its memory, nor,
        // where it did not live to wait for the program, its times.
        let stands_for_itself = cell.program.is_none();
        let mut attempt = Attempt {
            ending: Ending::Interrupted,
            wall: ended.wall,
            cpu: ended.cpu.filter(|_| stands_for_itself || ended.stopped.is_none()),
            peak_rss_bytes: ended.peak_rss_bytes.filter(|_| stands_for_itself),
            exit_code: ended.status.code(),
            signal: os::signal(ended.status),
            cpus: self.cpus.clone(),
        };
        attempt.ending = match (ended.stopped, told) {
            (Some(Stopped::Cancelled), _) => Ending::Interrupted,
            (Some(Stopped::Deadline), _) => Ending::Timeout,
            (_, Err(line)) => {
                // It was ended for what it said, unless it was faster: how it ended says nothing.
                (attempt.exit_code, attempt.signal) = (None, None);
                Ending::Failed(format!("it said something else: {line}"))
            }
            (_, Ok(Some(Ok(report)))) if ended.status.success() => Ending::Reported(report),
            (_, Ok(Some(Err(failure)))) if failure.wrong => Ending::Wrong(failure.reason),
            (_, Ok(told)) => {
                let unreadable = matches!(&told, Some(Err(failure)) if failure.unreadable);
                let reason = match told {
                    Some(Err(failure)) => {
                        // What the program of the user's ended with says more than its starter's 0.
                        if failure.exit_code.is_some() || failure.signal.is_some() {
                            (attempt.exit_code, attempt.signal) = (failure.exit_code, failure.signal);
                        }
                        failure.reason
                    }
                    _ => format!("the process ended with {}", ended.status),
                };
                let out_of_memory = is_out_of_memory(&ended.stderr) || is_out_of_memory(&reason);
                if cell.memory_limit_bytes.is_some() && out_of_memory {
                    Ending::Memout
                } else {
                    let reason = match ended.last_words() {
                        Some(line) => format!("{reason}; it said: {line}"),
                        None => reason,
                    };
                    if unreadable { Ending::Unreadable(reason) } else { Ending::Failed(reason) }
                }
            }
        };
        Ok(attempt)
    }
}

/// What runtimes say when memory is refused: Rust, Python, C++, Java, the C library.
fn is_out_of_memory(said: &str) -> bool {
    let signs =
        ["memory allocation of", "MemoryError", "bad_alloc", "OutOfMemoryError", "Cannot allocate memory"];
    signs.iter().any(|sign| said.contains(sign))
}
