//! Runs each cell in a process of its own, so that a limit can end it whatever it is doing.

use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::protocol::{Failure, Message, Report};
use super::{Attempt, Ending, Runner};
use crate::experiment::cpus::CpuList;
use crate::experiment::plan::Cell;
use crate::os;
pub use crate::os::own_executable;

/// The hidden command that runs a cell: its argument is the cell as JSON.
pub const CELL_COMMAND: &str = "__cell";

/// Starts a process for each run.
pub struct ProcessRunner {
    executable: PathBuf,
    cpus: Option<CpuList>,
}

/// How often a wait looks whether it was interrupted, or the child has ended.
const LOOK: Duration = Duration::from_millis(50);

/// What a child said before it ended has arrived after so long without anything new.
const DRAIN: Duration = Duration::from_millis(200);

/// How much of a child's standard error is kept.
const STDERR_BYTES: u64 = 1 << 16;

/// The longest line that a report can be; and how many lines are read ahead.
const LINE_BYTES: u64 = 1 << 22;
const LINES_AHEAD: usize = 64;

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
        // Where the child starts programs, it holds this pipe to hear of our end.
        let stdin = if cell.starts_programs() { Stdio::piped() } else { Stdio::null() };
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        os::own_group(&mut command);
        Ok(command)
    }
}

/// Why listening to a child ended.
enum Listened {
    /// It ended, or closed its output, and had said this last.
    Ended(Option<Result<Box<Report>, Failure>>),
    /// It said what no child says.
    Garbage(String),
    TimeUp,
    Interrupted,
}

/// Listens to what a child says until it ends, the time is up or the user has enough.
fn listen(
    child: &Child,
    heard: &Receiver<Heard>,
    deadline: Option<Instant>,
    cancel: &AtomicBool,
    live: &mut dyn FnMut(u64, u64),
) -> Listened {
    let mut report = None;
    let mut ended = None;
    loop {
        if cancel.load(Ordering::Relaxed) {
            return Listened::Interrupted;
        }
        let left = deadline.map_or(LOOK, |deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_zero() && ended.is_none() {
            return Listened::TimeUp;
        }
        match heard.recv_timeout(if ended.is_some() { LOOK } else { left.min(LOOK) }) {
            Ok(Heard::Line(line)) => match serde_json::from_slice(&line) {
                Ok(Message::Progress { nodes, solutions }) => live(nodes, solutions),
                Ok(Message::Report(told)) => report = Some(Ok(told)),
                Ok(Message::Failed(failure)) => report = Some(Err(failure)),
                Err(_) => return Listened::Garbage(shortened(String::from_utf8_lossy(&line).trim_end())),
            },
            Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => {
                return outlast(child, deadline, cancel).unwrap_or(Listened::Ended(report));
            }
            // A process that it left behind may hold the pipe for ever.
            Err(RecvTimeoutError::Timeout) if os::has_ended(child) == Some(true) => {
                let since: Instant = *ended.get_or_insert_with(Instant::now);
                if report.is_some() || since.elapsed() >= DRAIN {
                    return Listened::Ended(report);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Waits for the end of a child that has closed its output: `None`, or what came before that.
fn outlast(child: &Child, deadline: Option<Instant>, cancel: &AtomicBool) -> Option<Listened> {
    let mut nap = Duration::from_micros(20);
    while os::has_ended(child) == Some(false) {
        if cancel.load(Ordering::Relaxed) {
            return Some(Listened::Interrupted);
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Listened::TimeUp);
        }
        thread::sleep(nap);
        nap = (nap * 2).min(LOOK);
    }
    None
}

impl Runner for ProcessRunner {
    fn run(
        &mut self,
        cell: &Cell,
        cancel: &AtomicBool,
        live: &mut dyn FnMut(u64, u64),
    ) -> io::Result<Attempt> {
        let mut command = self.command(cell)?;
        let started = Instant::now();
        let mut child = command.spawn()?;
        let heard = lines_of(&mut child);
        let stderr = start_of_stderr(&mut child);
        let listened = listen(&child, &heard, started.checked_add(cell.time_limit()), cancel, live);
        let by_itself = matches!(listened, Listened::Ended(_));
        // The process that starts a program says nothing about the program: neither its memory, nor,
        // where it did not live to wait for the program, its times.
        let stands_for_itself = cell.program.is_none();
        let peak = if by_itself || !stands_for_itself { None } else { os::peak_memory(Some(child.id())) };
        if !by_itself {
            os::kill_group(&mut child);
        }
        // What it left behind must not disturb the next run.
        let ended = os::wait_and_clear(&mut child)?;
        let wall = started.elapsed();
        // A descendant that left the group may hold the pipe: do not wait for it.
        let stderr = stderr.recv_timeout(DRAIN).unwrap_or_default();
        let mut attempt = Attempt {
            ending: Ending::Interrupted,
            wall,
            cpu: ended.cpu.filter(|_| stands_for_itself || by_itself),
            peak_rss_bytes: peak,
            exit_code: ended.status.code(),
            signal: os::signal(ended.status),
            cpus: self.cpus.clone(),
        };
        attempt.ending = match listened {
            Listened::Interrupted => Ending::Interrupted,
            Listened::TimeUp => Ending::Timeout,
            Listened::Garbage(line) => {
                // It was ended for what it said, unless it was faster: how it ended says nothing.
                (attempt.exit_code, attempt.signal) = (None, None);
                Ending::Failed(format!("it said something else: {line}"))
            }
            Listened::Ended(Some(Ok(report))) if ended.status.success() => Ending::Reported(report),
            Listened::Ended(told) => {
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
                if cell.memory_limit_bytes.is_some() && is_out_of_memory(&stderr) {
                    Ending::Memout
                } else if unreadable {
                    Ending::Unreadable(with_last_line(reason, &stderr))
                } else {
                    Ending::Failed(with_last_line(reason, &stderr))
                }
            }
        };
        Ok(attempt)
    }
}

enum Heard {
    Line(Vec<u8>),
    End,
}

fn lines_of(child: &mut Child) -> Receiver<Heard> {
    let (sender, heard) = sync_channel(LINES_AHEAD);
    if let Some(stdout) = child.stdout.take() {
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            loop {
                let mut line = Vec::new();
                // A line without an end must not fill the memory.
                let read = stdout.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line);
                let told = if matches!(read, Ok(1..)) { Heard::Line(line) } else { Heard::End };
                let last = matches!(told, Heard::End);
                if sender.send(told).is_err() || last {
                    return;
                }
            }
        });
    }
    heard
}

fn start_of_stderr(child: &mut Child) -> Receiver<String> {
    let (sender, text): (Sender<String>, _) = channel();
    if let Some(mut stderr) = child.stderr.take() {
        thread::spawn(move || {
            let mut kept = Vec::new();
            let _ = stderr.by_ref().take(STDERR_BYTES).read_to_end(&mut kept);
            let _ = sender.send(String::from_utf8_lossy(&kept).into_owned());
            // Read on, or a child that says more would stand still.
            let _ = io::copy(&mut stderr, &mut io::sink());
        });
    }
    text
}

/// What runtimes say when memory is refused: Rust, Python, C++, Java, the C library.
fn is_out_of_memory(stderr: &str) -> bool {
    let signs =
        ["memory allocation of", "MemoryError", "bad_alloc", "OutOfMemoryError", "Cannot allocate memory"];
    signs.iter().any(|sign| stderr.contains(sign))
}

fn with_last_line(reason: String, stderr: &str) -> String {
    // A panic ends with a remark about backtraces.
    let says_something = |line: &&str| !line.trim().is_empty() && !line.starts_with("note: ");
    match stderr.lines().rev().find(says_something) {
        Some(line) => format!("{reason}; it said: {}", shortened(line.trim())),
        None => reason,
    }
}

fn shortened(line: &str) -> String {
    line.chars().take(200).collect()
}
