#![doc = include_str!("../README.md")]
//!
//! Files:
//!
//! ```text
//! process.rs      supervised children                      cgroup.rs     limits of control groups
//! poller.rs       input, output and end of a child         run_group.rs  a control group for each run
//! descendants.rs  processes that children leave behind     proc.rs       files of /proc and /sys
//! pause.rs        pauses, and detection of other stops     command.rs    commands that are given as text
//! files.rs        untrusted files, and temporary files     lib.rs        limits, CPUs, peak memory
//! ```

// Tests convert small numbers freely, and may set a deadline.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{SigSet, SigmaskHow};
use nix::sys::time::{TimeVal, TimeValLike};
use rustix::io::Errno;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getrlimit, kill_process_group, setrlimit, test_kill_process,
};
use wait4::{ResUse, Wait4};

pub mod cgroup;
pub mod command;
mod descendants;
pub mod files;
pub mod pause;
mod poller;
pub mod proc;
pub mod process;
pub mod run_group;

pub use descendants::{adopt_orphans, end_with_parent};
use run_group::{GroupError, RunGroups};

/// Reaps a child that has ended. Returns its resource usage, and the CPU time of the child and of the descendants that it waited for.
fn wait(child: &mut Child) -> io::Result<(ResUse, CpuUse)> {
    // The system reports sums over all reaped children. The difference of two sums is the value of this child.
    let _lock = descendants::reaping_lock();
    let sum_before = CpuUse::of_reaped_children();
    let usage = child.wait4()?;
    let switches = sum_before.until(&CpuUse::of_reaped_children()).involuntary_switches;
    let cpu = CpuUse { user: usage.rusage.utime, system: usage.rusage.stime, involuntary_switches: switches };
    Ok((usage, cpu))
}

/// The method by which the CPU time and the memory of a child and its descendants are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Accounting {
    /// The CPU time is measured by waiting for each process, including adopted ones. The memory of all processes is read
    /// repeatedly. The peak memory of several processes is a lower bound.
    #[default]
    Processes,
    /// A control group for each run measures the CPU time. The memory is measured as for `Processes`.
    GroupsForCpu,
    /// A control group for each run measures the CPU time and the memory.
    Groups,
}

impl Accounting {
    /// The method for runs in these control groups, or in none.
    pub fn of(groups: Option<&RunGroups>) -> Self {
        match groups {
            None => Self::Processes,
            Some(groups) if groups.measures_memory() => Self::Groups,
            Some(_) => Self::GroupsForCpu,
        }
    }

    /// The name of the method in result files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Processes => "processes",
            Self::GroupsForCpu => "cgroup-cpu",
            Self::Groups => "cgroup",
        }
    }
}

/// The CPU usage of processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuUse {
    /// The user time.
    pub user: Duration,
    /// The system time.
    pub system: Duration,
    /// The number of involuntary context switches; `None` if the system does not report it.
    pub involuntary_switches: Option<u64>,
}

impl CpuUse {
    /// The sum over all reaped children of this process and the descendants that they waited for.
    pub fn of_reaped_children() -> Self {
        let Ok(used) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return Self::default() };
        let duration = |time: TimeVal| {
            let microseconds = u64::try_from(time.num_microseconds()).unwrap_or(0);
            Duration::from_micros(microseconds)
        };
        Self {
            user: duration(used.user_time()),
            system: duration(used.system_time()),
            involuntary_switches: u64::try_from(used.involuntary_context_switches()).ok(),
        }
    }

    /// The difference between a later sum and this one.
    fn until(&self, later: &Self) -> Self {
        let switches = self.involuntary_switches.zip(later.involuntary_switches);
        Self {
            user: later.user.saturating_sub(self.user),
            system: later.system.saturating_sub(self.system),
            involuntary_switches: switches.map(|(before, after)| after.saturating_sub(before)),
        }
    }
}

fn kill_group(leader: u32) {
    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        // An error means that the group has ended already.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Whether a process with this id exists, including a process that has ended and that its parent has not waited for.
pub fn exists(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    // An error other than ESRCH means that the process belongs to another user.
    process.is_some_and(|process| test_kill_process(process) != Err(Errno::SRCH))
}

/// The signal that ended a process.
pub fn signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Calls a function while signals to this thread are blocked. Blocked signals are delivered afterwards. This prevents the loss of
/// a signal that arrives after a handler was installed and before the action of the handler was registered. Other threads may
/// receive signals. Threads that the function starts receive none.
///
/// # Errors
///
/// The system cannot block signals.
pub fn with_signals_blocked<T>(call: impl FnOnce() -> T) -> io::Result<T> {
    let previous_mask = SigSet::all().thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
    let result = call();
    previous_mask.thread_set_mask()?;
    Ok(result)
}

/// Limits the address space of this process and of its children, in bytes.
///
/// # Errors
///
/// The system refuses the limit.
pub fn limit_memory(bytes: u64) -> io::Result<()> {
    let hard_limit = getrlimit(Resource::As).maximum;
    let limit = hard_limit.map_or(bytes, |hard_limit| hard_limit.min(bytes));
    setrlimit(Resource::As, Rlimit { current: Some(limit), maximum: hard_limit }).map_err(io::Error::from)
}

#[cfg(target_os = "linux")]
mod linux {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use super::*;

    /// Makes the system end this process when its parent ends.
    pub fn die_with(parent: u32) {
        // An error is ignored: without its parent, this process then runs to its end.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
        // The parent may have ended before the call above.
        let is_parent_alive =
            getppid().is_some_and(|id| u32::try_from(id.as_raw_nonzero().get()) == Ok(parent));
        if !is_parent_alive {
            std::process::exit(1);
        }
    }

    /// Binds this process, and the threads and processes that it will start, to CPUs.
    ///
    /// # Errors
    ///
    /// There is no such CPU, or the process may not use it.
    pub fn bind_to(cpus: &[usize]) -> io::Result<()> {
        let mut set = CpuSet::new();
        for &cpu in cpus.iter().filter(|&&cpu| cpu < CpuSet::MAX_CPU) {
            set.set(cpu);
        }
        sched_setaffinity(None, &set).map_err(io::Error::from)
    }

    /// The CPUs that this process is allowed to use; `None` if the system cannot bind processes to CPUs.
    pub fn usable_cpus() -> Option<Vec<usize>> {
        let set = sched_getaffinity(None).ok()?;
        Some((0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect())
    }
}

#[cfg(not(target_os = "linux"))]
mod linux {
    use super::*;

    /// Makes the system end this process when its parent ends.
    pub fn die_with(_parent: u32) {}

    /// Binds this process, and the threads and processes that it will start, to CPUs.
    pub fn bind_to(_cpus: &[usize]) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "this system cannot bind processes to CPUs"))
    }

    /// The CPUs that this process is allowed to use; `None` if the system cannot bind processes to CPUs.
    pub fn usable_cpus() -> Option<Vec<usize>> {
        None
    }
}

/// Ends this process when its parent process ends, or now if the parent has ended already.
pub use linux::die_with;

/// Binds this process, and the threads and processes that it will start, to CPUs.
pub use linux::bind_to;

/// The CPUs that this process is allowed to use; `None` if the system cannot bind processes to CPUs.
pub use linux::usable_cpus;

/// The peak resident memory of a process so far, in bytes; `None` means this process. The value is VmHWM, which is reset when a
/// process executes a program, unlike `ru_maxrss`. Linux only.
pub fn peak_memory(process: Option<u32>) -> Option<u64> {
    let process = process.map_or("self".to_owned(), |id| id.to_string());
    proc::Root::default().bytes(&format!("proc/{process}/status"), "VmHWM")
}

/// The path of the running executable, valid in this process even if its file has been replaced since.
///
/// # Errors
///
/// The system does not report it.
pub fn own_executable() -> io::Result<PathBuf> {
    let exe_link = PathBuf::from("/proc/self/exe");
    if exe_link.exists() { Ok(exe_link) } else { std::env::current_exe() }
}

/// A path of the running executable that other processes can use as long as this process runs.
///
/// # Errors
///
/// The system does not report it.
pub fn shared_executable() -> io::Result<PathBuf> {
    let path = std::env::current_exe()?;
    // The file may have been replaced.
    let exe_link = PathBuf::from(format!("/proc/{}/exe", std::process::id()));
    Ok(if path.exists() || !exe_link.exists() { path } else { exe_link })
}

/// Writes to standard output without taking its lock, which another thread may hold.
///
/// # Errors
///
/// The system refuses the bytes, or writes only a part of them.
pub fn write_unlocked(bytes: &[u8]) -> io::Result<()> {
    let length = rustix::io::write(rustix::stdio::stdout(), bytes)?;
    if length == bytes.len() { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
}

/// Whether the machine causes an error, and not the program to be started. The machine causes these errors: a full or read-only
/// disk, a reached limit on processes or files, and a control group that cannot be entered. Too little memory is also an error of
/// the machine, unless this process has a memory limit.
pub fn is_fault_of_machine(error: &io::Error) -> bool {
    use io::ErrorKind::{OutOfMemory, QuotaExceeded, ReadOnlyFilesystem, StorageFull, WouldBlock};
    match error.kind() {
        QuotaExceeded | ReadOnlyFilesystem | StorageFull | WouldBlock => true,
        OutOfMemory => getrlimit(Resource::As).current.is_none(),
        // ENFILE and EMFILE have no kind.
        _ => {
            matches!(error.raw_os_error(), Some(23 | 24))
                || error.get_ref().is_some_and(|error| error.is::<GroupError>())
        }
    }
}

/// A duration in nanoseconds.
pub fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Without the block, the signal would end this process.
    #[test]
    fn blocked_signal_reaches_a_later_handler() {
        let is_handled = Arc::new(AtomicBool::new(false));
        let registered = with_signals_blocked(|| {
            nix::sys::signal::raise(nix::sys::signal::SIGUSR1).expect("a signal to this thread");
            signal_hook::flag::register(signal_hook::consts::SIGUSR1, Arc::clone(&is_handled))
                .map(|_| is_handled.load(Ordering::Relaxed))
        });
        assert!(!registered.expect("blocked").expect("a handler"), "the signal is blocked");
        assert!(is_handled.load(Ordering::Relaxed));
    }

    #[test]
    fn full_disks_and_exhausted_limits_are_machine_faults() {
        let is_fault = |code| is_fault_of_machine(&io::Error::from_raw_os_error(code));
        // EAGAIN, ENFILE, EMFILE, ENOSPC, EROFS; ENOENT, EACCES, ENOEXEC.
        assert!([11, 23, 24, 28, 30].into_iter().all(is_fault));
        assert!(![2, 13, 8].into_iter().any(is_fault));
        // EDQUOT; ENOMEM, which may come from a limit of this process.
        #[cfg(target_os = "linux")]
        assert_eq!([122, 12].map(is_fault), [true, getrlimit(Resource::As).current.is_none()]);
    }
}
