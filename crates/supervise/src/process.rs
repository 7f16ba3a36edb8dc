//! A supervised child process.
//!
//! A child leads its own process group and runs until it ends, reaches a limit or is cancelled. Then its group is killed, before
//! its process id can be reused. After that, all other processes that the child left behind are killed if this process adopts
//! orphans (`descendants.rs`). The CPU time comes from `wait4` or, if this process had no other child, from `getrusage`. A single
//! thread waits for output and for the end of the child at the same time.
//!
//! A *link* is a socket that is the standard input of a child. When the parent process ends, even by SIGKILL, the socket is closed, and
//! the child ends everything that it started and then itself ([`super::end_with_parent`]). Programs that do not support links are
//! started through a *guard*, an additional process of this program between this process and the other program ([`guard`]).

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::pause::{Clock, Span, Watch};
use super::poller::{ChildLink, OutputPoller, PollEvent};
pub use super::proc::Scope;
use super::proc::{Root, Usage};
use super::run_group::{GroupUsage, RunGroup, start_in_group};
use super::{CpuUse, descendants};

/// The internal command of the executable that runs [`guard`]. Its arguments are the program and the arguments of the program.
pub const GUARD_COMMAND: &str = "__guard";

/// The option of [`GUARD_COMMAND`] whose value is the standard input of the program.
pub const GUARD_INPUT: &str = "--input";

/// The interval between checks for cancellation and file sizes, which cannot wake the waiting thread.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The maximum time between two checks of a child. If it is exceeded and this process has received SIGCONT, this process was
/// stopped and did not enforce the limits of the child.
const MAX_CHECK_GAP: Duration = Duration::from_millis(100);

/// The time that a child with a link has to end everything that it started, after the link was closed.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum time to wait for events that happen immediately on a working machine: the first report of a guard, and the end of a
/// child that was killed.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

/// After the end of a child, its output is complete if nothing arrives for this time. Without this limit, a process that could not be
/// killed would keep the pipe open forever.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(200);

/// The maximum output that is read after the end of a child, in bytes, which is more than fits into a pipe.
const MAX_PIPE_BYTES: usize = 2 << 20;

/// The number of bytes of standard error that are kept, from its end.
const STDERR_BYTES: usize = 64 << 10;

/// The limits of a child.
#[derive(Default)]
pub struct Supervision<'a> {
    /// The time limit. The child is ended when it has run for this time.
    pub time_limit: Option<Duration>,
    /// The child is ended when it and its descendants have used this much CPU time; Linux only.
    pub cpu_limit: Option<Duration>,
    /// Whether the memory of the child and its descendants is measured, which costs some time.
    pub measures_memory: bool,
    /// The processes that are measured and limited, unless there is a `group`.
    pub scope: Scope,
    /// The control group of the processes that are measured and limited. These processes enter the group by themselves. They are
    /// ended when the child has ended.
    pub group: Option<&'a RunGroup>,
    /// Whether the caller can start the child again. If so, the child is stopped with the reason [`Stopped::Unsupervised`] if this
    /// process could not supervise it all the time.
    pub is_repeatable: bool,
    /// Setting this to true ends the child.
    pub cancel: Option<&'a AtomicBool>,
    /// The child is ended when it and its descendants use more resident memory than this, in bytes; Linux only.
    pub memory_limit: Option<u64>,
    /// The child is ended when it and its descendants are more processes than this; Linux only.
    pub process_limit: Option<u64>,
    /// The standard input of the child, which is empty if this is `None`.
    pub input: Option<Vec<u8>>,
    /// The destination of standard output. If `None`, this process reads standard output and standard error.
    pub output: Option<Stdio>,
    /// Returns the current size in bytes of the files that the child writes.
    pub written: Option<&'a dyn Fn() -> u64>,
    /// The maximum size of these files, and of the output that [`Process::output`] reads, in bytes.
    pub max_bytes: Option<u64>,
}

/// The reason why a child was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The deadline passed.
    Deadline,
    /// The child reached its limit of CPU time.
    CpuTime,
    /// The child used more memory than this number of bytes.
    Memory(u64),
    /// The child had more than this number of processes.
    Processes(u64),
    /// This process was stopped, or the machine slept, while it should have supervised the child.
    Unsupervised,
    /// The cancel flag was set.
    Cancelled,
    /// The child wrote more than this number of bytes.
    WrittenBytes(u64),
    /// The remaining output of the child is not needed.
    NotNeeded,
}

/// The end of a child, and what the child used.
#[derive(Clone, Default)]
pub struct EndedProcess {
    /// The exit status.
    pub status: ExitStatus,
    /// Why the child was stopped; `None` if it ended by itself.
    pub stopped: Option<Stopped>,
    /// Wall time from start to end, without pauses.
    pub wall: Duration,
    /// The pauses, in the time of the monotonic clock.
    pub pauses: Vec<Span>,
    /// The CPU usage of the child and its descendants. Of descendants that the child did not wait for, only those are included that this
    /// process adopted while it had no other child.
    pub cpu: CpuUse,
    /// `ru_maxrss` in bytes: the peak of the largest process that was waited for. It includes the memory of the process that
    /// started the program, so it is meaningful only if that process was small.
    pub max_rss_bytes: u64,
    /// The observed peak memory of the scope in bytes, which is a lower bound if there are several processes. `None` if memory was not
    /// measured and the child was not stopped.
    pub peak_rss_bytes: Option<u64>,
    /// The resource usage of the control group, if there was one.
    pub group: Option<GroupUsage>,
    /// The last part of the child's standard error, if this process read it.
    pub stderr: String,
}

impl EndedProcess {
    /// The last line of standard error with content, cut to 200 characters.
    pub fn last_error_line(&self) -> Option<String> {
        // The panic message of a Rust program ends with a note about backtraces.
        let is_message = |line: &&str| !line.is_empty() && !line.starts_with("note: ");
        let line = self.stderr.lines().rev().map(str::trim).find(is_message)?;
        Some(line.chars().take(200).collect())
    }
}

static GUARD: OnceLock<PathBuf> = OnceLock::new();

/// Makes this process start programs through a guard. `executable` must support the command [`GUARD_COMMAND`].
pub fn use_guard(executable: PathBuf) {
    // Later calls change nothing.
    let _ = GUARD.set(executable);
}

/// Runs a program with this standard input for another process, which called `Process::start` and holds the other end of the link. When
/// the program ends or the link is closed, everything that the program started is ended. Writes one number per line to the link:
/// first 0 or the number of the error that prevented the start of the program, and later the wait status.
///
/// # Errors
///
/// This process cannot adopt orphans, or cannot write to the link.
pub fn guard(program: &OsStr, arguments: &[OsString], input: Option<&OsStr>) -> io::Result<()> {
    use std::io::Write;
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;

    descendants::adopt_orphans();
    let mut link = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    match descendants::end_with_parent(|| {}) {
        // The system cannot start a thread, so the program is not started. This counts as an error of its start.
        Err(error) if error.raw_os_error().is_some() => {
            return writeln!(link, "{}", error.raw_os_error().unwrap_or(-1));
        }
        result => result?,
    }
    let mut command = Command::new(program);
    command.args(arguments);
    let input = input.map(|input| input.as_bytes().to_owned());
    let supervision = Supervision { input, output: Some(Stdio::inherit()), ..Supervision::default() };
    match Process::launch(command, supervision, false) {
        Err(error) => writeln!(link, "{}", error.raw_os_error().unwrap_or(-1)),
        Ok(mut process) => {
            link.write_all(b"0\n")?;
            let ended = process.finish()?;
            writeln!(link, "{}", ended.status.into_raw())
        }
    }
}

/// A supervised child. Reading from it reads its standard output. Dropping it ends the child.
pub struct Process<'a> {
    child: Child,
    poller: OutputPoller,
    link: Option<ChildLink>,
    supervision: Supervision<'a>,
    clock: Clock,
    watch: Watch,
    /// The registration as the only child of this process.
    only_child: Option<descendants::OnlyChild>,
    last_orphan_reaping: Instant,
    /// The time of the last check of resource limits.
    last_usage_check: Instant,
    /// The interval until the next check.
    usage_interval: Duration,
    /// Standard output that was read last. The reader has consumed the first `consumed` bytes.
    chunk: Vec<u8>,
    consumed: usize,
    /// Whether standard output has not reached its end.
    is_output_open: bool,
    /// The number of bytes of output that were read since the end of the child.
    bytes_after_end: usize,
    stderr: Vec<u8>,
    stopped: Option<Stopped>,
    peak_rss_bytes: Option<u64>,
    /// The ending, after the child and all processes that it left behind have ended.
    end: Option<EndedProcess>,
}

impl<'a> Process<'a> {
    /// Starts a program, through a guard if [`use_guard`] was called.
    ///
    /// # Errors
    ///
    /// The program cannot be started.
    pub fn start(command: Command, mut supervision: Supervision<'a>) -> io::Result<Self> {
        let Some(executable) = GUARD.get() else { return Self::launch(command, supervision, false) };
        supervision.scope = Scope::Descendants;
        let mut guard = Command::new(executable);
        guard.arg(GUARD_COMMAND);
        // The standard input of the guard is its link.
        if let Some(input) = supervision.input.take() {
            guard.arg(GUARD_INPUT).arg(OsString::from_vec(input));
        }
        guard.arg("--").arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => guard.env(name, value),
                None => guard.env_remove(name),
            };
        }
        if let Some(directory) = command.get_current_dir() {
            guard.current_dir(directory);
        }
        let mut process = Self::launch(guard, supervision, true)?;
        let answer = process.link.as_mut().map(|link| link.number_within(RESPONSE_TIMEOUT));
        match answer.transpose()?.flatten() {
            Some(0) => Ok(process),
            Some(error) if error > 0 => Err(io::Error::from_raw_os_error(error)),
            _ => {
                process.stop(Stopped::NotNeeded)?;
                let reason = process.finish()?.last_error_line();
                let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
                Err(io::Error::other(format!("the guard process failed{reason}")))
            }
        }
    }

    /// Runs a program and reads its output, up to the limit of the supervision.
    ///
    /// # Errors
    ///
    /// The program cannot be started or its output cannot be read.
    pub fn output(command: Command, supervision: Supervision<'a>) -> io::Result<(Vec<u8>, EndedProcess)> {
        let max_bytes = supervision.max_bytes.unwrap_or(u64::MAX);
        let mut process = Self::start(command, supervision)?;
        let mut output = Vec::new();
        process.by_ref().take(max_bytes.saturating_add(1)).read_to_end(&mut output)?;
        if output.len() as u64 > max_bytes {
            process.stop(Stopped::WrittenBytes(max_bytes))?;
        }
        Ok((output, process.finish()?))
    }

    /// Starts a program without a guard. `has_link` must be true if the program itself starts other programs; it must then
    /// support links.
    ///
    /// # Errors
    ///
    /// The program cannot be started, or the system does not support its limits.
    pub fn launch(
        mut command: Command,
        mut supervision: Supervision<'a>,
        has_link: bool,
    ) -> io::Result<Self> {
        if supervision.cpu_limit.is_some() && !cfg!(target_os = "linux") {
            let reason = "this system cannot limit the CPU time of a process and its descendants";
            return Err(io::Error::new(io::ErrorKind::Unsupported, reason));
        }
        // A Rust program that runs out of memory hangs when it tries to print a backtrace. Messages about memory must be in
        // English to be recognised. The encoding is UTF-8, because programs may print characters other than ASCII.
        command.env("RUST_BACKTRACE", "0").env_remove("RUST_LIB_BACKTRACE");
        command.env("LC_ALL", "C.UTF-8").env_remove("LANGUAGE");
        command.stdin(if supervision.input.is_some() { Stdio::piped() } else { Stdio::null() });
        match supervision.output.take() {
            None => command.stdout(Stdio::piped()).stderr(Stdio::piped()),
            Some(stdout) => command.stdout(stdout).stderr(Stdio::inherit()),
        };
        let link = if has_link { Some(ChildLink::attach(&mut command)?) } else { None };
        let writer = link.as_ref().map(ChildLink::writer).transpose()?;
        command.process_group(0);
        let start = || (Clock::start(), Instant::now(), descendants::start(&mut command));
        let ((clock, now, started), left_group) = start_in_group(start)?;
        let (mut child, only_child) = started?;
        let poller = OutputPoller::new(&mut child, writer, supervision.input.take());
        let is_output_open = poller.stdout.is_some();
        let process = Self {
            child,
            poller,
            link,
            supervision,
            clock,
            watch: Watch::start(MAX_CHECK_GAP),
            only_child,
            last_orphan_reaping: now,
            last_usage_check: now,
            usage_interval: CHECK_INTERVAL,
            chunk: Vec::new(),
            consumed: 0,
            is_output_open,
            bytes_after_end: 0,
            stderr: Vec::new(),
            stopped: None,
            peak_rss_bytes: None,
            end: None,
        };
        // If this process cannot leave the group of the program, the group would also count what this process uses.
        left_group.map(|()| process)
    }

    /// Whether standard output has been read to its end.
    pub fn is_at_end_of_output(&self) -> bool {
        !self.is_output_open && self.consumed == self.chunk.len()
    }

    /// Stops the child, unless it has ended.
    ///
    /// # Errors
    ///
    /// The system does not end the child.
    pub fn stop(&mut self, reason: Stopped) -> io::Result<()> {
        if self.end.is_some() {
            return Ok(());
        }
        self.stopped.get_or_insert(reason);
        if let Some(usage) = self.usage() {
            self.measure_memory(&usage.processes);
        }
        if let Some(group) = self.supervision.group {
            group.kill();
        }
        if self.link.take().is_some() {
            let since = Instant::now();
            while !descendants::has_ended(&self.child) && since.elapsed() < CLEANUP_TIMEOUT {
                self.poller.wait_for_end(CHECK_INTERVAL);
            }
        }
        super::kill_group(self.child.id());
        // A process in an uninterruptible state ends later.
        let since = Instant::now();
        while !descendants::has_ended(&self.child) {
            if since.elapsed() >= RESPONSE_TIMEOUT {
                let id = self.child.id();
                return Err(io::Error::other(format!("process {id} does not end although it was killed")));
            }
            self.poller.wait_for_end(CHECK_INTERVAL);
        }
        self.reap()
    }

    /// Waits until the child ends or reaches a limit. Discards output that was not read.
    ///
    /// # Errors
    ///
    /// The system does not report the end of the child.
    pub fn finish(&mut self) -> io::Result<EndedProcess> {
        while self.end.is_none() || self.poller.is_open() {
            self.advance()?;
        }
        let Some(mut ended) = self.end.clone() else {
            return Err(io::Error::other("the end of the process was missed"));
        };
        // A guard has ended, so its report is already in the link.
        let status = self.link.as_mut().map(|link| link.number_within(RESPONSE_TIMEOUT));
        if let Some(status) = status.transpose()?.flatten() {
            ended.status = ExitStatus::from_raw(status);
        }
        ended.stderr = plaintext::decode(&self.stderr).into_owned();
        Ok(ended)
    }

    /// Checks the limits once, then waits briefly for output.
    fn advance(&mut self) -> io::Result<()> {
        if self.end.is_none() {
            if self.supervision.is_repeatable && self.watch.was_interrupted(&self.clock) {
                self.stop(Stopped::Unsupervised)?;
            } else if descendants::has_ended(&self.child) {
                self.reap()?;
            } else {
                if let Some(reason) = self.exceeded_limit() {
                    self.stop(reason)?;
                }
            }
        }
        let event = if self.end.is_some() {
            if !self.poller.is_open() {
                return Ok(());
            }
            self.poller.poll(DRAIN_TIMEOUT, false)?
        } else {
            let limit = self.supervision.time_limit;
            let remaining_time =
                limit.map_or(CHECK_INTERVAL, |limit| limit.saturating_sub(self.clock.elapsed()));
            self.poller.poll(remaining_time.min(CHECK_INTERVAL), true)?
        };
        match event {
            PollEvent::Stdout(bytes) => {
                if self.end.is_some() {
                    self.bytes_after_end += bytes.len();
                }
                let is_unwanted = !matches!(
                    self.stopped,
                    None | Some(Stopped::Deadline | Stopped::CpuTime | Stopped::Memory(_))
                );
                if bytes.is_empty() || is_unwanted || self.bytes_after_end > MAX_PIPE_BYTES {
                    self.is_output_open = false;
                    self.poller.stdout = None;
                } else {
                    (self.chunk, self.consumed) = (bytes, 0);
                }
            }
            PollEvent::Stderr(bytes) => {
                self.stderr.extend_from_slice(&bytes);
                if self.stderr.len() > 2 * STDERR_BYTES || self.end.is_some() {
                    self.stderr.drain(..self.stderr.len().saturating_sub(STDERR_BYTES));
                }
            }
            PollEvent::Nothing if self.end.is_some() => {
                self.is_output_open = false;
                (self.poller.stdout, self.poller.stderr) = (None, None);
            }
            PollEvent::Nothing => {}
        }
        if self.last_orphan_reaping.elapsed() > Duration::from_secs(1) {
            descendants::reap_orphans();
            self.last_orphan_reaping = Instant::now();
        }
        Ok(())
    }

    /// The CPU time so far, and the processes that are measured.
    fn usage(&self) -> Option<Usage> {
        match self.supervision.group {
            Some(group) => group.usage(),
            None => Root::default().usage(self.child.id(), self.supervision.scope),
        }
    }

    /// Measures the memory of these processes, unless their control group measures it.
    fn measure_memory(&mut self, processes: &[u32]) {
        if self.supervision.group.is_some_and(RunGroup::measures_memory) {
            return;
        }
        let start = Instant::now();
        self.peak_rss_bytes = self.peak_rss_bytes.max(Root::default().memory(processes));
        // With this interval, measurements take at most a twentieth of the time, however large the processes are.
        self.usage_interval = CHECK_INTERVAL.max(20 * start.elapsed());
    }

    /// The limit that is exceeded or the cancellation, if there is one.
    fn exceeded_limit(&mut self) -> Option<Stopped> {
        let Supervision { time_limit, cancel, .. } = self.supervision;
        if cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            Some(Stopped::Cancelled)
        } else if time_limit.is_some_and(|limit| self.clock.elapsed() >= limit) {
            Some(Stopped::Deadline)
        } else if self.last_usage_check.elapsed() < self.usage_interval {
            None
        } else {
            self.last_usage_check = Instant::now();
            self.exceeded_resource().or_else(|| self.exceeded_size())
        }
    }

    /// The resource limit that is exceeded, if there is one.
    fn exceeded_resource(&mut self) -> Option<Stopped> {
        let Supervision { cpu_limit, memory_limit, process_limit, measures_memory, .. } = self.supervision;
        let measures_memory = measures_memory || memory_limit.is_some();
        if cpu_limit.is_none() && process_limit.is_none() && !measures_memory {
            return None;
        }
        let usage = self.usage()?;
        if cpu_limit.is_some_and(|limit| usage.cpu > limit) {
            return Some(Stopped::CpuTime);
        }
        if process_limit.is_some_and(|limit| usage.processes.len() as u64 > limit) {
            // This limit is checked before the memory limit, because many small processes can also exceed the memory limit.
            return process_limit.map(Stopped::Processes);
        }
        if measures_memory {
            self.measure_memory(&usage.processes);
        }
        memory_limit.filter(|&limit| self.peak_rss_bytes > Some(limit)).map(Stopped::Memory)
    }

    /// The limit of the written files, if it is exceeded.
    fn exceeded_size(&self) -> Option<Stopped> {
        let Supervision { max_bytes, written, .. } = self.supervision;
        max_bytes
            .filter(|&max_bytes| written.is_some_and(|written| written() > max_bytes))
            .map(Stopped::WrittenBytes)
    }

    /// Reaps a child that has ended, and ends everything that it left behind.
    fn reap(&mut self) -> io::Result<()> {
        let wall = self.clock.elapsed();
        // The process id, and so the group id, cannot be reused before the child is reaped.
        super::kill_group(self.child.id());
        let result = super::wait(&mut self.child);
        descendants::forget(&self.child);
        descendants::end_orphans();
        let group = self.supervision.group.map(RunGroup::end).transpose()?;
        let (usage, cpu) = result?;
        let cpu = self.only_child.and_then(|only_child| only_child.used()).unwrap_or(cpu);
        self.stopped = self.stopped.or_else(|| self.exceeded_size());
        self.end = Some(EndedProcess {
            status: usage.status,
            stopped: self.stopped,
            wall,
            pauses: self.clock.pauses(),
            cpu,
            max_rss_bytes: usage.rusage.maxrss,
            peak_rss_bytes: self.peak_rss_bytes,
            group,
            stderr: String::new(),
        });
        Ok(())
    }
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        // An error leaves a zombie until this process ends.
        let _ = self.stop(Stopped::NotNeeded);
    }
}

impl Read for Process<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(bytes)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Process<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.consumed == self.chunk.len() && self.is_output_open {
            self.advance()?;
        }
        Ok(&self.chunk[self.consumed..])
    }

    fn consume(&mut self, amount: usize) {
        self.consumed += amount;
    }
}
