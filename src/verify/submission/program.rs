//! Starts a program and judges what it prints while it prints it.
//!
//! The program is the head of a process group of its own, which is ended as a whole: at the time
//! limit, when enough was read, and when the program itself has ended. What left the group is known,
//! on Linux, by a variable in its environment. Its output is read by a thread
//! as it comes, a few chunks ahead, so that neither waits for the other's end.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::judge::Submission;
use super::{Cut, Question, Report, SubmissionError};
use crate::board::notation::{ReadError, printable};
use crate::os;

/// Ends the program when it becomes true.
pub type Cancel = Arc<AtomicBool>;

/// How often a wait looks whether it was interrupted, or the program has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// What was printed before the program ended has arrived after so long without anything new.
const DRAIN: Duration = Duration::from_millis(200);

/// A chunk of output, and how many of them are read ahead.
const CHUNK_BYTES: usize = 64 << 10;
const CHUNKS_AHEAD: usize = 32;

/// The variable by which its descendants are known.
const MARK: &str = "QUEENLAB_CHECK";

/// The hidden command of queenlab that [`guard`] is: process group and mark are its arguments.
pub const GUARD_COMMAND: &str = "__guard";

/// Waits for the end of standard input, which is that of the process that judges, then ends a program
/// and what it started. For a process of its own: whoever is killed can end nothing.
pub fn guard(group: u32, mark: &str) {
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    os::kill_group_of(group);
    os::kill_marked(MARK, mark);
}

/// How much of the end of its standard error is kept.
const STDERR_BYTES: usize = 4 << 10;

/// Runs `program` with `arguments` for so long at most, and judges what it prints. With the path of
/// queenlab itself a second process sees to it that the program ends even if this one is killed.
pub fn judge_program(
    (program, arguments): (&OsString, &[OsString]),
    timeout: Duration,
    question: &Question,
    cancel: &Cancel,
    queenlab: Option<&Path>,
) -> Result<Report, SubmissionError> {
    let mut command = Command::new(program);
    command.args(arguments);
    let mut running = Program::start(command, timeout, cancel, queenlab).map_err(|source| {
        SubmissionError::Start { program: program.to_string_lossy().into_owned(), source }
    })?;
    let read = Submission::read(&mut running, question);
    let cut = running.end()?;
    match (read, cut) {
        // That the program failed says more than that it had printed no board by then.
        (
            Err(SubmissionError::Read(ReadError::Unreadable { .. }) | SubmissionError::NoCount(_)),
            Some(cut),
        ) => Ok(Submission::empty(question).report(Some(cut))),
        (read, cut) => Ok(read?.report(cut)),
    }
}

struct Program {
    child: Child,
    guard: Option<Child>,
    chunks: Receiver<Vec<u8>>,
    chunk: Vec<u8>,
    /// How much of the chunk is read.
    taken: usize,
    timeout: Duration,
    deadline: Option<Instant>,
    cancel: Cancel,
    /// Why its output ended, once it did.
    ended: Option<Ended>,
    last_words: Receiver<String>,
    mark: String,
    /// Nothing of it is left.
    over: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    Itself,
    /// By the limit; what had been printed is read until then.
    OutOfTime(Instant),
    Interrupted,
}

impl Program {
    fn start(
        mut command: Command,
        timeout: Duration,
        cancel: &Cancel,
        queenlab: Option<&Path>,
    ) -> io::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        os::own_group(&mut command);
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mark = format!("{}-{}", std::process::id(), since_1970.as_nanos());
        command.env(MARK, &mark);
        let mut child = command.spawn()?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        // Without a guard all is as well as long as nobody kills this process.
        let guard = queenlab.and_then(|queenlab| start_guard(queenlab, child.id(), &mark).ok());
        Ok(Self {
            child,
            guard,
            chunks: chunks(stdout),
            chunk: Vec::new(),
            taken: 0,
            timeout,
            deadline: Instant::now().checked_add(timeout),
            cancel: Arc::clone(cancel),
            ended: None,
            last_words: last_words(stderr),
            mark,
            over: false,
        })
    }

    fn kill(&mut self) {
        os::kill_group(&mut self.child);
        os::kill_marked(MARK, &self.mark);
        // Before the program is waited for: the group that it guards must not become somebody else's.
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.kill();
            let _ = guard.wait();
        }
    }

    fn time_left(&self) -> Duration {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        self.deadline.map_or(Duration::MAX, left)
    }

    /// What it prints next; `None` at the end of that.
    fn next_chunk(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut quiet_since = None;
        loop {
            match self.ended {
                Some(Ended::Itself | Ended::Interrupted) => return Ok(None),
                Some(Ended::OutOfTime(until)) if Instant::now() >= until => return Ok(None),
                Some(Ended::OutOfTime(_)) => return Ok(self.chunks.recv_timeout(DRAIN).ok()),
                None => {}
            }
            if self.cancel.load(Ordering::Relaxed) {
                self.ended = Some(Ended::Interrupted);
                continue;
            }
            let left = self.time_left();
            if left.is_zero() {
                self.kill();
                self.ended = Some(Ended::OutOfTime(Instant::now() + 10 * DRAIN));
                continue;
            }
            match self.chunks.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(chunk) => return Ok(Some(chunk)),
                Err(RecvTimeoutError::Disconnected) => self.ended = Some(Ended::Itself),
                // A child that it left behind may hold the pipe for ever.
                Err(RecvTimeoutError::Timeout) if self.child.try_wait()?.is_some() => {
                    let since: &mut Instant = quiet_since.get_or_insert_with(Instant::now);
                    if since.elapsed() >= DRAIN {
                        self.ended = Some(Ended::Itself);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Waits for it as long as it may run, then ends what is left of it.
    fn end(&mut self) -> Result<Option<Cut>, SubmissionError> {
        let mut status = None;
        if self.ended == Some(Ended::Itself) {
            // It may go on after it has closed its output.
            while status.is_none() && !self.time_left().is_zero() && !self.cancel.load(Ordering::Relaxed) {
                status = self.child.try_wait().map_err(ReadError::Io)?;
                if status.is_none() {
                    thread::sleep(POLL_INTERVAL.min(self.time_left()));
                }
            }
        }
        self.kill();
        self.child.wait().map_err(ReadError::Io)?;
        self.over = true;
        if self.cancel.load(Ordering::Relaxed) {
            return Err(SubmissionError::Interrupted);
        }
        Ok(match (self.ended, status) {
            // Enough was read.
            (None, _) => None,
            (_, Some(status)) if status.success() => None,
            (_, Some(status)) => Some(self.died(status)),
            (_, None) => Some(Cut::Timeout(self.timeout)),
        })
    }

    fn died(&self, status: ExitStatus) -> Cut {
        // A descendant that left the group may hold the pipe: do not wait for it.
        let text = self.last_words.recv_timeout(DRAIN).unwrap_or_default();
        let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
        let said = last.map(|line| printable(&line.chars().take(200).collect::<String>()));
        Cut::Died { exit_code: status.code(), signal: os::signal(status), said }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if !self.over {
            self.kill();
            // An error leaves a zombie until this process ends.
            let _ = self.child.wait();
        }
    }
}

impl Read for Program {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(bytes)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Program {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.chunk.len() {
            self.chunk = self.next_chunk()?.unwrap_or_default();
            self.taken = 0;
        }
        Ok(&self.chunk[self.taken..])
    }

    fn consume(&mut self, amount: usize) {
        self.taken += amount;
    }
}

fn start_guard(queenlab: &Path, group: u32, mark: &str) -> io::Result<Child> {
    let mut command = Command::new(queenlab);
    command.arg(GUARD_COMMAND).arg(group.to_string()).arg(mark);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // Not of the terminal's group: Ctrl-C is for the judge.
    os::own_group(&mut command);
    command.spawn()
}

fn chunks(stdout: Option<ChildStdout>) -> Receiver<Vec<u8>> {
    let (sender, chunks) = sync_channel(CHUNKS_AHEAD);
    thread::spawn(move || {
        let Some(mut stdout) = stdout else { return };
        let mut buffer = vec![0; CHUNK_BYTES];
        loop {
            match stdout.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => return,
                Ok(read) => {
                    if sender.send(buffer[..read].to_vec()).is_err() {
                        return;
                    }
                }
            }
        }
    });
    chunks
}

/// The end of what it says on standard error, once it has said it.
fn last_words(stderr: Option<ChildStderr>) -> Receiver<String> {
    let (sender, text) = channel();
    thread::spawn(move || {
        let Some(mut stderr) = stderr else { return };
        let mut kept: VecDeque<u8> = VecDeque::new();
        let mut buffer = vec![0; STDERR_BYTES];
        while let Ok(read @ 1..) = stderr.read(&mut buffer) {
            kept.extend(&buffer[..read]);
            kept.drain(..kept.len().saturating_sub(STDERR_BYTES));
        }
        let _ = sender.send(String::from_utf8_lossy(kept.make_contiguous()).into_owned());
    });
    text
}
