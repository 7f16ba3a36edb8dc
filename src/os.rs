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
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            // An error means that it is gone already.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    pub fn signal(status: ExitStatus) -> Option<i32> {
        status.signal()
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

    pub fn signal(_status: ExitStatus) -> Option<i32> {
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
    cpu_time, kill_group, let_others_enter, let_others_read, limit_memory, own_group, signal, wait,
};

/// Asks to be killed when the process that started this one ends. Linux only.
pub fn die_with_parent() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        // Without it, an orphan would merely run on to its end.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
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
