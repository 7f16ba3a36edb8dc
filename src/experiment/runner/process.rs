//! Runs each cell in a process of its own, so that a limit can end it whatever it is doing.

use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::protocol::{Failure, Message, Report};
use super::{Attempt, Ending, Runner};
use crate::experiment::plan::Cell;
use crate::os;
pub use crate::os::own_executable;

/// The hidden command that runs a cell: its argument is the cell as JSON.
pub const CELL_COMMAND: &str = "__cell";

/// Starts a process for each run.
pub struct ProcessRunner {
    executable: PathBuf,
    cancel: Arc<AtomicBool>,
}

/// How often a wait looks whether it was interrupted.
const CANCEL_INTERVAL: Duration = Duration::from_millis(50);

/// How much of a child's standard error is kept.
const STDERR_BYTES: u64 = 1 << 16;

enum Heard {
    Line(String),
    End,
}

impl ProcessRunner {
    /// `executable` is queenlab itself; a run ends early when `cancel` becomes true.
    pub fn new(executable: PathBuf, cancel: Arc<AtomicBool>) -> Self {
        Self { executable, cancel }
    }

    /// Reads what the child says until it ends, the time is up or the user has enough.
    fn listen(
        &self,
        heard: &Receiver<Heard>,
        deadline: Option<Instant>,
        live: &mut dyn FnMut(u64, u64),
    ) -> Listened {
        let mut report = None;
        loop {
            if self.cancel.load(Ordering::Relaxed) {
                return Listened::Interrupted;
            }
            let now = Instant::now();
            let left = deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(now));
            if left.is_zero() {
                return Listened::TimeUp;
            }
            match heard.recv_timeout(left.min(CANCEL_INTERVAL)) {
                Ok(Heard::Line(line)) => match serde_json::from_str(&line) {
                    Ok(Message::Progress { nodes, solutions }) => live(nodes, solutions),
                    Ok(Message::Report(told)) => report = Some(Ok(told)),
                    Ok(Message::Failed(failure)) => report = Some(Err(failure)),
                    Err(_) => {
                        let reason = format!("it said something else: {}", shortened(&line));
                        report = Some(Err(Failure::from(reason)));
                    }
                },
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => return Listened::Ended(report),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

enum Listened {
    Ended(Option<Result<Box<Report>, Failure>>),
    TimeUp,
    Interrupted,
}

impl Runner for ProcessRunner {
    fn run(&mut self, cell: &Cell, live: &mut dyn FnMut(u64, u64)) -> io::Result<Attempt> {
        let mut command = Command::new(&self.executable);
        command.arg(CELL_COMMAND).arg(serde_json::to_string(cell)?);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        os::own_group(&mut command);
        let started = Instant::now();
        let mut child = command.spawn()?;
        let heard = lines_of(&mut child);
        let stderr = start_of_stderr(&mut child);
        let listened = self.listen(&heard, started.checked_add(cell.time_limit()), live);
        let peak = match listened {
            Listened::Ended(_) => None,
            // That of the process that started the program says nothing about the program.
            _ if cell.program.is_some() => None,
            Listened::TimeUp | Listened::Interrupted => os::peak_memory(Some(child.id())),
        };
        if !matches!(listened, Listened::Ended(_)) {
            os::kill_group(&mut child);
        }
        let ended = os::wait(&mut child)?;
        // Nor do its times, where it did not live to wait for the program.
        let waited = cell.program.is_none() || matches!(listened, Listened::Ended(_));
        let cpu = ended.cpu.filter(|_| waited);
        if cell.program.is_some() {
            // What a program left behind must not disturb the next run.
            os::kill_group(&mut child);
        }
        let wall = started.elapsed();
        // A descendant that left the group may hold the pipe: do not wait for it.
        let stderr = stderr.recv_timeout(Duration::from_millis(200)).unwrap_or_default();
        let (mut exit_code, mut signal) = (ended.status.code(), os::signal(ended.status));
        let ending = match listened {
            Listened::Interrupted => Ending::Interrupted,
            Listened::TimeUp => Ending::Timeout,
            Listened::Ended(Some(Ok(report))) if ended.status.success() => Ending::Reported(report),
            Listened::Ended(told) => {
                let reason = match told {
                    Some(Err(failure)) => {
                        // What the program of the user's ended with says more than its starter's 0.
                        if failure.exit_code.is_some() || failure.signal.is_some() {
                            (exit_code, signal) = (failure.exit_code, failure.signal);
                        }
                        failure.reason
                    }
                    _ => format!("the process ended with {}", ended.status),
                };
                if cell.memory_limit_bytes.is_some() && is_out_of_memory(&stderr) {
                    Ending::Memout
                } else {
                    Ending::Failed(with_last_line(reason, &stderr))
                }
            }
        };
        Ok(Attempt { ending, wall, cpu, peak_rss_bytes: peak, exit_code, signal })
    }
}

fn lines_of(child: &mut Child) -> Receiver<Heard> {
    let (sender, heard) = channel();
    if let Some(stdout) = child.stdout.take() {
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(Heard::Line(line)).is_err() {
                    return;
                }
            }
            let _ = sender.send(Heard::End);
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
    match stderr.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => format!("{reason}; it said: {}", shortened(line.trim())),
        None => reason,
    }
}

fn shortened(line: &str) -> String {
    line.chars().take(200).collect()
}
