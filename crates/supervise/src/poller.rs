//! Output and the end of a child: `poll` waits for both at the same time.

use std::io::{self, BufRead, BufReader, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStderr, ChildStdout, Command};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::descendants;

/// How often the end of a child is checked where it cannot wake the waiting thread.
const SHORT_LOOK: Duration = Duration::from_millis(2);

/// The size of one read, in bytes.
const CHUNK_BYTES: usize = 64 << 10;

/// Output from a child; an empty vector is the end of a pipe.
pub enum Chunk {
    Output(Vec<u8>),
    Error(Vec<u8>),
    Nothing,
}

/// The end of the leash that this process holds.
pub struct Leash(BufReader<UnixStream>);

impl Leash {
    pub fn tie(command: &mut Command) -> io::Result<Self> {
        let (own, other) = UnixStream::pair()?;
        command.stdin(OwnedFd::from(other));
        Ok(Self(BufReader::new(own)))
    }

    /// Reads the next number that the child writes to the leash; `None` if it ends without one. An error means that the child
    /// wrote nothing for this long.
    pub fn number_within(&mut self, longest: Duration) -> io::Result<Option<i32>> {
        self.0.get_ref().set_read_timeout(Some(longest))?;
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

/// The pipes of a child, and its end.
pub struct OutputPoller {
    pub output: Option<ChildStdout>,
    pub error: Option<ChildStderr>,
    /// Becomes readable when the child ends.
    end: Option<OwnedFd>,
    buffer: Vec<u8>,
}

impl OutputPoller {
    pub fn of(child: &mut Child) -> Self {
        let (output, error) = (child.stdout.take(), child.stderr.take());
        Self { output, error, end: descendants::end_of(child), buffer: vec![0; CHUNK_BYTES] }
    }

    pub fn has_open_pipes(&self) -> bool {
        self.output.is_some() || self.error.is_some()
    }

    pub fn wait_for_end(&self, longest: Duration) {
        if self.ready([None, None, self.end.as_ref().map(AsFd::as_fd)], longest, true).is_err() {
            // The caller looks again, but not at once.
            std::thread::sleep(SHORT_LOOK);
        }
    }

    /// Waits at most `longest` for output; returns early, with nothing, if a running child ends.
    pub fn next_chunk(&mut self, longest: Duration, runs: bool) -> io::Result<Chunk> {
        let sources = [
            self.output.as_ref().map(AsFd::as_fd),
            self.error.as_ref().map(AsFd::as_fd),
            self.end.as_ref().filter(|_| runs).map(AsFd::as_fd),
        ];
        let [output, error, _] = self.ready(sources, longest, runs)?;
        let read = match (&mut self.output, &mut self.error) {
            (Some(pipe), _) if output => pipe.read(&mut self.buffer),
            (_, Some(pipe)) if error => pipe.read(&mut self.buffer),
            _ => return Ok(Chunk::Nothing),
        };
        let bytes = match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(Chunk::Nothing),
            read => self.buffer[..read?].to_vec(),
        };
        if output {
            return Ok(Chunk::Output(bytes));
        }
        if bytes.is_empty() {
            self.error = None;
        }
        Ok(Chunk::Error(bytes))
    }

    fn ready(
        &self,
        sources: [Option<BorrowedFd<'_>>; 3],
        longest: Duration,
        runs: bool,
    ) -> io::Result<[bool; 3]> {
        let longest = if runs && self.end.is_none() { longest.min(SHORT_LOOK) } else { longest };
        let present = sources.into_iter().flatten();
        let mut polled: Vec<_> =
            present.map(|source| PollFd::from_borrowed_fd(source, PollFlags::IN)).collect();
        let timeout = Timespec {
            tv_sec: longest.as_secs().try_into().unwrap_or(1),
            tv_nsec: longest.subsec_nanos().into(),
        };
        match poll(&mut polled, Some(&timeout)) {
            // The caller tries again.
            Err(Errno::INTR) => return Ok([false; 3]),
            polled => polled?,
        };
        let mut ready = polled.iter().map(|source| !source.revents().is_empty());
        Ok(sources.map(|source| source.is_some() && ready.next() == Some(true)))
    }
}
