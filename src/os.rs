//! What depends on the system: waiting for a child with its own times, ending it with all that it
//! started, limits, peak memory. Elsewhere than on Unix, what cannot be known is empty.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

/// How a child ended, and the times of that very child (with the descendants that it waited for).
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// User and system time.
    pub cpu: Option<(Duration, Duration)>,
    /// `ru_maxrss` in bytes. It includes the memory of whoever started the program: sound only
    /// where that was a small process.
    pub max_rss_bytes: Option<u64>,
}

#[cfg(unix)]
mod system {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::{CommandExt, ExitStatusExt};

    use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process_group, setrlimit};
    use rustix::time::{ClockId, clock_gettime};
    use wait4::Wait4;

    use super::*;

    pub fn wait(child: &mut Child) -> io::Result<Ended> {
        let used = child.wait4()?;
        Ok(Ended {
            status: used.status,
            cpu: Some((used.rusage.utime, used.rusage.stime)),
            max_rss_bytes: Some(used.rusage.maxrss),
        })
    }

    pub fn own_group(command: &mut Command) {
        command.process_group(0);
    }

    pub fn kill_group(child: &mut Child) {
        kill_group_of(child.id());
    }

    pub fn kill_group_of(leader: u32) {
        if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
            // An error means that it is gone already.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    pub fn signal(status: ExitStatus) -> Option<i32> {
        status.signal()
    }

    pub fn terminal_width() -> Option<usize> {
        let columns = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?.ws_col;
        Some(usize::from(columns)).filter(|&columns| columns > 0)
    }

    pub fn let_others_read(file: &File) -> io::Result<()> {
        file.set_permissions(Permissions::from_mode(0o644))
    }

    pub fn let_others_enter(directory: &Path) -> io::Result<()> {
        std::fs::set_permissions(directory, Permissions::from_mode(0o755))
    }

    pub fn cpu_time() -> Option<Duration> {
        let spent = clock_gettime(ClockId::ProcessCPUTime);
        Some(Duration::new(spent.tv_sec.try_into().ok()?, spent.tv_nsec.try_into().ok()?))
    }

    pub fn limit_memory(bytes: u64) -> io::Result<()> {
        let hard = getrlimit(Resource::As).maximum;
        let limit = hard.map_or(bytes, |hard| hard.min(bytes));
        setrlimit(Resource::As, Rlimit { current: Some(limit), maximum: hard }).map_err(io::Error::from)
    }
}

#[cfg(not(unix))]
mod system {
    use super::*;

    pub fn wait(child: &mut Child) -> io::Result<Ended> {
        Ok(Ended { status: child.wait()?, cpu: None, max_rss_bytes: None })
    }

    pub fn own_group(_command: &mut Command) {}

    pub fn kill_group(child: &mut Child) {
        // An error means that it is gone already.
        let _ = child.kill();
    }

    pub fn kill_group_of(_leader: u32) {}

    pub fn signal(_status: ExitStatus) -> Option<i32> {
        None
    }

    pub fn terminal_width() -> Option<usize> {
        None
    }

    pub fn let_others_read(_file: &File) -> io::Result<()> {
        Ok(())
    }

    pub fn let_others_enter(_directory: &Path) -> io::Result<()> {
        Ok(())
    }

    pub fn cpu_time() -> Option<Duration> {
        None
    }

    pub fn limit_memory(_bytes: u64) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "no memory limit on this system"))
    }
}

pub use system::{
    cpu_time, kill_group, kill_group_of, let_others_enter, let_others_read, limit_memory, own_group, signal,
    terminal_width, wait,
};

#[cfg(target_os = "linux")]
mod linux {
    use rustix::process::{
        Pid, Signal, WaitId, WaitIdOptions, getppid, kill_current_process_group,
        set_parent_process_death_signal, waitid,
    };
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use super::*;

    pub fn die_with(parent: u32) {
        // Without it, an orphan would merely run on to its end.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
        // It may have ended before this one could ask.
        let alive = getppid().is_some_and(|now| u32::try_from(now.as_raw_nonzero().get()) == Ok(parent));
        if !alive {
            std::process::exit(1);
        }
    }

    pub fn end_group_at_end_of_input() {
        std::thread::spawn(|| {
            let _ = io::copy(&mut io::stdin(), &mut io::sink());
            // An error could only be that nobody is left.
            let _ = kill_current_process_group(Signal::KILL);
        });
    }

    pub fn has_ended(child: &Child) -> Option<bool> {
        let id = Pid::from_raw(i32::try_from(child.id()).ok()?)?;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Some(waitid(WaitId::Pid(id), options).ok()?.is_some())
    }

    pub fn wait_and_clear(child: &mut Child) -> io::Result<Ended> {
        if let Some(id) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            // An error is met again by the wait below.
            let _ = waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        }
        // As long as it is not waited for, nobody else can have its number.
        kill_group(child);
        wait(child)
    }

    pub fn bind_to(cpus: &[usize]) -> io::Result<()> {
        let mut set = CpuSet::new();
        for &cpu in cpus.iter().filter(|&&cpu| cpu < CpuSet::MAX_CPU) {
            set.set(cpu);
        }
        sched_setaffinity(None, &set).map_err(io::Error::from)
    }

    pub fn usable_cpus() -> Option<Vec<usize>> {
        let set = sched_getaffinity(None).ok()?;
        Some((0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect())
    }
}

#[cfg(not(target_os = "linux"))]
mod linux {
    use super::*;

    pub fn die_with(_parent: u32) {}

    pub fn end_group_at_end_of_input() {}

    pub fn has_ended(_child: &Child) -> Option<bool> {
        None
    }

    pub fn wait_and_clear(child: &mut Child) -> io::Result<Ended> {
        let ended = wait(child)?;
        kill_group(child);
        Ok(ended)
    }

    pub fn bind_to(_cpus: &[usize]) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "no binding to CPUs on this system"))
    }

    pub fn usable_cpus() -> Option<Vec<usize>> {
        None
    }
}

/// Ends this process when the one that started it ends, also if that has happened already.
pub use linux::die_with;

/// Ends this process's group, itself included, at the end of standard input: whoever holds the other
/// end of that pipe takes all with it, however it ends.
pub use linux::end_group_at_end_of_input;

/// Whether a child has ended; it stays to be waited for. `None` where that cannot be known.
pub use linux::has_ended;

/// Waits for a child, then kills what is left of its group.
pub use linux::wait_and_clear;

/// Binds this process, and the threads and processes that it will start, to CPUs.
pub use linux::bind_to;

/// The CPUs that this process may run on; `None` where binding to CPUs is not known.
pub use linux::usable_cpus;

/// Sends what this process prints from now on nowhere; whoever reads it meets the end.
#[cfg(feature = "faults")]
pub fn close_output() {
    #[cfg(unix)]
    if let Ok(nowhere) = File::options().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(nowhere);
    }
}

/// Ends every process that was started with this variable in its environment, also those that left
/// their group and their parent. Linux only; what forks faster than it is looked for may survive.
pub fn kill_marked(variable: &str, value: &str) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Pid, Signal, kill_process};
        let mark = format!("{variable}={value}");
        let is_marked = |process: &i32| {
            let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
            environment.split(|&byte| byte == 0).any(|entry| entry == mark.as_bytes())
        };
        for _ in 0..10 {
            let Ok(processes) = std::fs::read_dir("/proc") else { return };
            let ids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
            let marked: Vec<Pid> = ids.filter(is_marked).filter_map(Pid::from_raw).collect();
            if marked.is_empty() {
                return;
            }
            for process in marked {
                // An error means that it is gone already.
                let _ = kill_process(process, Signal::KILL);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (variable, value);
}

/// Greatest resident memory so far of a process (`None`: this one), in bytes: VmHWM, which begins
/// anew with the program, unlike `ru_maxrss`. Linux only.
pub fn peak_memory(process: Option<u32>) -> Option<u64> {
    let process = process.map_or("self".to_owned(), |id| id.to_string());
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The program that is running, even if its file has been replaced since.
pub fn own_executable() -> io::Result<PathBuf> {
    let held = PathBuf::from("/proc/self/exe");
    if held.exists() { Ok(held) } else { std::env::current_exe() }
}
