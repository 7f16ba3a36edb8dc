//! Input, output and the end of a child: `poll` waits for all of them at the same time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStderr, ChildStdout, Command};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::descendants;

/// The interval between checks for the end of a child on systems where the end of a child cannot wake the waiting thread.
const END_CHECK_INTERVAL: Duration = Duration::from_millis(2);

/// The size of one read, in bytes.
const CHUNK_BYTES: usize = 64 << 10;

/// The result of one call of [`OutputPoller::poll`]: bytes from standard output or standard error, or nothing. An empty vector
/// means the end of the pipe.
pub enum PollEvent {
    Stdout(Vec<u8>),
    Stderr(Vec<u8>),
    Nothing,
}

/// This process's end of the link to a child. The child ends when the link is closed.
pub struct ChildLink(BufReader<UnixStream>);

impl ChildLink {
    /// Makes the other end the standard input of the child.
    pub fn attach(command: &mut Command) -> io::Result<Self> {
        let (local_end, child_end) = UnixStream::pair()?;
        command.stdin(OwnedFd::from(child_end));
        Ok(Self(BufReader::new(local_end)))
    }

    /// A handle for writing to the child.
    pub fn writer(&self) -> io::Result<File> {
        Ok(OwnedFd::from(self.0.get_ref().try_clone()?).into())
    }

    /// Reads the next number that the child writes to the link. Returns `None` if the child ends without writing a
    /// number, and an error if the child writes nothing for `timeout`.
    pub fn number_within(&mut self, timeout: Duration) -> io::Result<Option<i32>> {
        self.0.get_ref().set_read_timeout(Some(timeout))?;
        let mut line = String::new();
        match self.0.by_ref().take(32).read_line(&mut line) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                let reason = "the process that guards a program does not answer";
                Err(io::Error::new(io::ErrorKind::TimedOut, reason))
            }
            _ => Ok(line.trim_end().parse().ok()),
        }
    }
}

/// The remaining input of a child.
struct Input {
    file: File,
    bytes: Vec<u8>,
    written: usize,
}

/// The maximum size of one write, in bytes. After `poll` reported that a pipe or socket is writable, a write of this size does not block
/// (PIPE_BUF of Linux).
const INPUT_CHUNK_BYTES: usize = 4096;

impl Input {
    /// Writes a part of the input. Returns whether some input remains. Returns false after an error, because the child no longer
    /// reads.
    fn write(&mut self) -> bool {
        let remaining_bytes = &self.bytes[self.written..];
        match self.file.write(&remaining_bytes[..remaining_bytes.len().min(INPUT_CHUNK_BYTES)]) {
            Ok(written) => self.written += written,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
        self.written < self.bytes.len()
    }
}

/// Writes the input of a child, reads its output, and waits for its end.
pub struct OutputPoller {
    input: Option<Input>,
    pub stdout: Option<ChildStdout>,
    pub stderr: Option<ChildStderr>,
    /// Becomes readable when the child ends.
    end: Option<OwnedFd>,
    buffer: Vec<u8>,
}

impl OutputPoller {
    /// Writes `input` to the link or, if there is none, to the standard input of the child, which is then closed.
    pub fn new(child: &mut Child, link: Option<File>, input: Option<Vec<u8>>) -> Self {
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let file = link.or(child.stdin.take().map(|stdin| OwnedFd::from(stdin).into()));
        let input = input.zip(file).map(|(bytes, file)| Input { file, bytes, written: 0 });
        let end = descendants::pidfd_of(child);
        let mut poller = Self { input, stdout, stderr, end, buffer: vec![0; CHUNK_BYTES] };
        poller.write_input();
        poller
    }

    fn write_input(&mut self) {
        self.input = self.input.take().and_then(|mut input| input.write().then_some(input));
    }

    /// Whether standard output or standard error may still have content.
    pub fn is_open(&self) -> bool {
        self.stdout.is_some() || self.stderr.is_some()
    }

    /// Waits at most this time for the end of the child.
    pub fn wait_for_end(&self, timeout: Duration) {
        if self.ready([None, None, None, self.end.as_ref().map(AsFd::as_fd)], timeout, true).is_err() {
            // The caller checks again after a short time.
            std::thread::sleep(END_CHECK_INTERVAL);
        }
    }

    /// Waits at most this time for output. Returns early without output if a running child ends or has read input.
    pub fn poll(&mut self, timeout: Duration, is_running: bool) -> io::Result<PollEvent> {
        let sources = [
            self.input.as_ref().filter(|_| is_running).map(|input| input.file.as_fd()),
            self.stdout.as_ref().map(AsFd::as_fd),
            self.stderr.as_ref().map(AsFd::as_fd),
            self.end.as_ref().filter(|_| is_running).map(AsFd::as_fd),
        ];
        let [can_write, has_stdout, has_stderr, _] = self.ready(sources, timeout, is_running)?;
        if can_write {
            self.write_input();
        }
        let read = match (&mut self.stdout, &mut self.stderr) {
            (Some(pipe), _) if has_stdout => pipe.read(&mut self.buffer),
            (_, Some(pipe)) if has_stderr => pipe.read(&mut self.buffer),
            _ => return Ok(PollEvent::Nothing),
        };
        let bytes = match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(PollEvent::Nothing),
            read => self.buffer[..read?].to_vec(),
        };
        if has_stdout {
            return Ok(PollEvent::Stdout(bytes));
        }
        if bytes.is_empty() {
            self.stderr = None;
        }
        Ok(PollEvent::Stderr(bytes))
    }

    /// Waits for at least one of these sources. Returns whether input can be written, standard output can be read, standard error
    /// can be read, and the child has ended. All are false after the timeout.
    fn ready(
        &self,
        [input, sources @ ..]: [Option<BorrowedFd<'_>>; 4],
        timeout: Duration,
        is_running: bool,
    ) -> io::Result<[bool; 4]> {
        let needs_check = is_running && self.end.is_none();
        let timeout = if needs_check { timeout.min(END_CHECK_INTERVAL) } else { timeout };
        let read_sources = sources.into_iter().flatten();
        let mut poll_fds: Vec<_> =
            read_sources.map(|source| PollFd::from_borrowed_fd(source, PollFlags::IN)).collect();
        poll_fds.extend(input.map(|input| PollFd::from_borrowed_fd(input, PollFlags::OUT)));
        let timeout = Timespec {
            tv_sec: timeout.as_secs().try_into().unwrap_or(1),
            tv_nsec: timeout.subsec_nanos().into(),
        };
        match poll(&mut poll_fds, Some(&timeout)) {
            // The caller tries again.
            Err(Errno::INTR) => return Ok([false; 4]),
            result => result?,
        };
        let mut ready = poll_fds.iter().map(|source| !source.revents().is_empty());
        let [output, error, end] = sources.map(|source| source.is_some() && ready.next() == Some(true));
        Ok([ready.next() == Some(true), output, error, end])
    }
}
