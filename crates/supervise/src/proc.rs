//! Reads and writes files in /proc and /sys of Linux. On other systems, these files do not exist.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// The unit of times in `/proc/PID/stat`, which is 1/100 s on every Linux system.
const TICKS_PER_SECOND: u64 = 100;

/// The processes whose CPU time, memory and number are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// A process and its descendants.
    #[default]
    Tree,
    /// Only the descendants, because the process itself only starts the measured program.
    Descendants,
}

/// The resource usage of processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The CPU time, including that of ended processes that were waited for. Resolution: 10 ms for each process.
    pub cpu: Duration,
    /// The processes.
    pub processes: Vec<u32>,
}

/// The directory that contains /proc and /sys: `/`, except in tests. Paths are relative to it.
#[derive(Clone, Debug)]
pub struct Root(pub PathBuf);

impl Default for Root {
    fn default() -> Self {
        Self(PathBuf::from("/"))
    }
}

impl Root {
    /// The trimmed text of a file; `None` if it is empty or cannot be read.
    pub fn read(&self, path: &str) -> Option<String> {
        let text = fs::read(self.0.join(path)).ok()?;
        let text = String::from_utf8_lossy(&text).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// Writes to a file, which must exist.
    ///
    /// # Errors
    ///
    /// The file does not exist, or the system refuses the text.
    pub fn write(&self, path: &str, text: &str) -> io::Result<()> {
        fs::OpenOptions::new().write(true).open(self.0.join(path))?.write_all(text.as_bytes())
    }

    /// The value of the first line `key: value` of a file; there may be white space before the colon.
    pub fn field(&self, path: &str, key: &str) -> Option<String> {
        let text = self.read(path)?;
        let mut fields = text.lines().filter_map(|line| line.split_once(':'));
        fields.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim().to_owned())
    }

    /// The value of a line `key: value kB`, in bytes.
    pub fn bytes(&self, path: &str, key: &str) -> Option<u64> {
        self.field(path, key)?.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    }

    /// The paths in a folder whose name is `prefix` followed by a number.
    pub fn numbered(&self, folder: &str, prefix: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(folder)).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let is_number = |suffix: &str| !suffix.is_empty() && suffix.bytes().all(|byte| byte.is_ascii_digit());
        names
            .filter(|name| name.strip_prefix(prefix).is_some_and(is_number))
            .map(|name| format!("{folder}/{name}"))
            .collect()
    }

    /// The total time, since the start of the system, during which at least one process waited for a CPU.
    pub fn cpu_stall(&self) -> Option<Duration> {
        let text = self.read("proc/pressure/cpu")?;
        let fields = text.lines().find_map(|line| line.strip_prefix("some "))?;
        let microseconds = fields.split(' ').find_map(|field| field.strip_prefix("total="))?;
        Some(Duration::from_micros(microseconds.parse().ok()?))
    }

    /// The resource usage of a process and its descendants, or of the descendants only; `None` if the process does not exist.
    pub fn usage(&self, process: u32, scope: Scope) -> Option<Usage> {
        let [process_time, ended_children_time] = self.cpu_times(process)?;
        let mut processes = self.descendants(process);
        let times = processes.iter().filter_map(|&id| self.cpu_times(id)).flatten();
        let mut cpu = times.fold(ended_children_time, Duration::saturating_add);
        if scope == Scope::Tree {
            processes.push(process);
            cpu += process_time;
        }
        Some(Usage { cpu, processes })
    }

    /// The CPU time of a process, and that of its ended children that were waited for.
    fn cpu_times(&self, process: u32) -> Option<[Duration; 2]> {
        let stat = self.read(&format!("proc/{process}/stat"))?;
        // The second field is the name of the program in parentheses, which may contain any characters. The state is field 3; utime,
        // stime, cutime and cstime are fields 14 to 17.
        let ticks = stat.rsplit_once(") ")?.1.split(' ').skip(11).take(4);
        let ticks: Vec<u64> = ticks.filter_map(|ticks| ticks.parse().ok()).collect();
        let &[user, system, ended_user, ended_system] = ticks.as_slice() else { return None };
        let time = |user: u64, system: u64| {
            Duration::from_millis(user.saturating_add(system).saturating_mul(1000 / TICKS_PER_SECOND))
        };
        Some([time(user, system), time(ended_user, ended_system)])
    }

    /// The children of a process.
    pub fn children(&self, process: u32) -> Vec<u32> {
        let tasks = self.numbered(&format!("proc/{process}/task"), "");
        let lists = tasks.iter().filter_map(|task| self.read(&format!("{task}/children")));
        lists.flat_map(|list| list.split(' ').filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect()
    }

    /// The descendants of a process; parents come before their children.
    pub fn descendants(&self, process: u32) -> Vec<u32> {
        let mut descendants = self.children(process);
        let mut index = 0;
        while index < descendants.len() {
            descendants.extend(self.children(descendants[index]));
            index += 1;
        }
        descendants
    }

    /// The state of a process, as `R`, `S`, `D`, `T` or `Z`; `None` if it does not exist.
    pub fn state(&self, process: u32) -> Option<char> {
        self.read(&format!("proc/{process}/stat"))?.rsplit_once(") ")?.1.chars().next()
    }

    /// A lower bound of the peak resident memory of processes so far, in bytes. For a single process, this is the peak. For several
    /// processes, it is their current memory, in which shared memory is counted once.
    pub fn memory(&self, processes: &[u32]) -> Option<u64> {
        match processes {
            [process] => self.bytes(&format!("proc/{process}/status"), "VmHWM"),
            _ => {
                let share = |id: &u32| self.bytes(&format!("proc/{id}/smaps_rollup"), "Pss");
                processes.iter().filter_map(share).reduce(u64::saturating_add)
            }
        }
    }

    /// The load average over the last minute.
    pub fn load(&self) -> Option<f64> {
        self.read("proc/loadavg")?.split(' ').next()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resource_usage_includes_descendants() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let process = |id: u32, times: &str, children: &str| {
            let folder = directory.path().join(format!("proc/{id}/task/{id}"));
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(folder.join("children"), children).expect("written");
            let stat = format!("{id} (a) b) S 1 {id} {id} 0 -1 4194560 10 0 0 0 {times} 20 0 1 0 100 0 0\n");
            fs::write(directory.path().join(format!("proc/{id}/stat")), stat).expect("written");
        };
        process(7, "1 2 30 40", "8 9 ");
        process(8, "100 0 0 0", "");
        // Process 9 has ended in the meantime.
        let root = Root(directory.path().to_owned());
        let usage = |scope| root.usage(7, scope).map(|usage| (usage.cpu.as_millis(), usage.processes));
        assert_eq!(usage(Scope::Tree), Some((1730, vec![8, 9, 7])));
        assert_eq!(usage(Scope::Descendants), Some((1700, vec![8, 9])));
        assert_eq!(root.usage(9, Scope::Tree), None);
        let usage = Root::default().usage(std::process::id(), Scope::Tree);
        assert_eq!(usage.is_some(), cfg!(target_os = "linux"));
    }

    #[test]
    fn memory_of_several_processes_uses_proportional_shares() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let root = Root(directory.path().to_owned());
        let write = |path: &str, text: &str| {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("written");
        };
        for id in [7, 8] {
            write(&format!("proc/{id}/status"), "VmHWM:\t  30 kB\nVmRSS:\t  20 kB\n");
            write(
                &format!("proc/{id}/smaps_rollup"),
                "00400000-7ffc ---p 0 00:00 0 [rollup]\nRss: 20 kB\nPss: 12 kB\n",
            );
        }
        // Process 9 has ended in the meantime.
        assert_eq!((root.memory(&[7]), root.memory(&[7, 8, 9])), (Some(30 << 10), Some(24 << 10)));
        assert_eq!((root.memory(&[9]), root.memory(&[])), (None, None));
    }

    #[test]
    fn cpu_stall_is_read_if_kernel_reports_it() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let root = Root(directory.path().to_owned());
        assert_eq!(root.cpu_stall(), None);
        fs::create_dir_all(directory.path().join("proc/pressure")).expect("a folder");
        let text = "some avg10=1.00 avg60=2.00 avg300=3.00 total=4567\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=9\n";
        fs::write(directory.path().join("proc/pressure/cpu"), text).expect("written");
        assert_eq!(root.cpu_stall(), Some(Duration::from_micros(4567)));
        fs::write(directory.path().join("proc/pressure/cpu"), "some total=x\n").expect("written");
        assert_eq!(root.cpu_stall(), None);
    }
}
