//! Control groups of version 2, one for each run. A group counts the CPU time of all processes of its run, including those that nobody
//! waited for, and kills all of them at once. With the memory controller, it also measures and limits their memory.
//!
//! The groups are made below that of this process, and only if no other process has to be moved for them. Where this is impossible, as in
//! most containers, runs are measured by their processes ([`crate::Accounting`]).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::cgroup::{Folder, value};
use crate::proc::{Root, Usage};
use crate::{CpuUse, exists};

/// The beginning of the names of groups.
const PREFIX: &str = "supervised";

/// How long to wait for the end of killed processes. A process that is stuck in the kernel is ignored.
const END_TIMEOUT: Duration = Duration::from_secs(10);

/// The number of groups that this process made so far.
static GROUPS_MADE: AtomicU64 = AtomicU64::new(0);

/// The parent of the groups of runs.
#[derive(Debug)]
pub struct RunGroups {
    root: Root,
    /// The folder of the group in which this process was started. Paths are relative to the root.
    folder: String,
    measures_memory: bool,
    /// The group that this process moved to, because a group that contains processes cannot give the memory controller to its children.
    moved_to: Option<RunGroup>,
}

impl RunGroups {
    /// Tries to make a group, and removes the groups of processes that were killed. The memory controller is enabled if this process may
    /// do that. If this process is the only one in its group, it moves to a group below it for that, and back when this value is dropped.
    /// Returns `None` if groups cannot be made: on systems without control groups of version 2, or without permission.
    ///
    /// Takes up to 20 ms on most systems, because the kernel waits for an RCU grace period before it moves a process.
    pub fn open(root: &Root) -> Option<Self> {
        let folder = Folder::of_version_2(root)?.path;
        remove_leftovers(root, &folder);
        let mut groups = Self { root: root.clone(), folder, measures_memory: false, moved_to: None };
        let trial = groups.create(None).ok()?;
        let has = |file: &str| root.0.join(&trial.folder).join(file).exists();
        let is_complete = ["cgroup.events", "cgroup.kill", "cgroup.procs", "cpu.stat"].into_iter().all(has);
        let can_enter = || enter(&trial.path()).and_then(|()| enter(&root.0.join(&groups.folder))).is_ok();
        if !is_complete || !can_enter() {
            return None;
        }
        drop(trial);
        if groups.enable_memory() {
            let trial = groups.create(None).ok()?;
            groups.measures_memory = root.0.join(&trial.folder).join("memory.peak").exists();
        }
        Some(groups)
    }

    /// Whether the groups measure and limit memory. Otherwise, they measure only CPU time.
    pub fn measures_memory(&self) -> bool {
        self.measures_memory
    }

    /// Makes a group for a run. It has this limit of memory in bytes, without swap, if groups limit memory.
    ///
    /// # Errors
    ///
    /// The system refuses the group or its limit.
    pub fn create(&self, memory_limit: Option<u64>) -> io::Result<RunGroup> {
        let number = GROUPS_MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}{number}", prefix_of(&self.root, std::process::id()));
        let folder = format!("{}/{name}", self.folder);
        fs::create_dir(self.root.0.join(&folder))?;
        let group = RunGroup { root: self.root.clone(), folder, measures_memory: self.measures_memory };
        if let Some(limit) = memory_limit.filter(|_| self.measures_memory) {
            group.limit_memory(limit)?;
        }
        Ok(group)
    }

    /// Whether groups below that of this process have the memory controller, after an attempt to enable it.
    fn enable_memory(&mut self) -> bool {
        let (root, folder) = (self.root.clone(), self.folder.clone());
        let lists_memory = |file: &str| {
            let list = root.read(&format!("{folder}/{file}")).unwrap_or_default();
            list.split(' ').any(|controller| controller == "memory")
        };
        if lists_memory("cgroup.subtree_control") {
            return true;
        }
        let enable = || root.write(&format!("{folder}/cgroup.subtree_control"), "+memory").is_ok();
        if !lists_memory("cgroup.controllers") || enable() {
            return lists_memory("cgroup.controllers");
        }
        // A group with processes refuses it.
        let processes = root.read(&format!("{folder}/cgroup.procs"));
        let is_alone = processes.is_some_and(|list| list == std::process::id().to_string());
        let Some(target) = is_alone.then(|| self.create(None).ok()).flatten() else { return false };
        if enter(&target.path()).is_err() {
            return false;
        }
        let is_enabled = enable();
        self.moved_to = Some(target);
        if !is_enabled {
            self.move_back();
        }
        is_enabled
    }

    /// Moves this process back to the group in which it was started.
    fn move_back(&mut self) {
        if let Some(group) = self.moved_to.take() {
            // An error would leave this process in a group that is removed later.
            let _ = self.root.write(&format!("{}/cgroup.subtree_control", self.folder), "-memory");
            let is_back = enter(&self.root.0.join(&self.folder)).is_ok();
            if is_back { drop(group) } else { std::mem::forget(group) }
        }
    }
}

impl Drop for RunGroups {
    fn drop(&mut self) {
        self.move_back();
    }
}

/// The name of the groups of a process up to their number. Processes in different namespaces may have the same id.
fn prefix_of(root: &Root, process: u32) -> String {
    let namespace = fs::read_link(root.0.join("proc/self/ns/pid")).unwrap_or_default();
    let digits: String = namespace.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    format!("{PREFIX}-{digits}-{process}-")
}

/// Ends and removes the groups in a folder whose processes have ended without removing them, as after SIGKILL.
fn remove_leftovers(root: &Root, folder: &str) {
    for entry in fs::read_dir(root.0.join(folder)).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let process = name.split('-').nth(2).and_then(|process| process.parse().ok());
        if process.is_some_and(|process| name.starts_with(&prefix_of(root, process)) && !exists(process)) {
            let folder = format!("{folder}/{name}");
            drop(RunGroup { root: root.clone(), folder, measures_memory: false });
        }
    }
}

/// The group of a run. Dropping it ends its processes and removes it.
#[derive(Debug)]
pub struct RunGroup {
    root: Root,
    folder: String,
    measures_memory: bool,
}

/// What the processes of a group used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupUsage {
    /// The CPU time of all its processes. The system does not count their context switches.
    pub cpu: CpuUse,
    /// The memory, if the group measures it.
    pub memory: Option<GroupMemory>,
}

/// The memory of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupMemory {
    /// The peak in bytes, with the part of the files that the group read or wrote first.
    pub peak_bytes: u64,
    /// Whether the system killed a process of the group for lack of memory.
    pub is_killed: bool,
    /// Whether the group reached its own limit, and not only that of a group above it.
    pub is_at_limit: bool,
}

impl RunGroup {
    /// The folder of the group.
    pub fn path(&self) -> PathBuf {
        self.root.0.join(&self.folder)
    }

    /// Whether the group measures and limits memory.
    pub fn measures_memory(&self) -> bool {
        self.measures_memory
    }

    fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        // Not every system has swap, and killing a part of the processes is better than nothing.
        let _ = self.write("memory.swap.max", "0");
        let _ = self.write("memory.oom.group", "1");
        self.write("memory.max", &bytes.to_string())
    }

    /// The CPU time so far, and the processes that run now; `None` if the system does not report it.
    pub fn usage(&self) -> Option<Usage> {
        let CpuUse { user, system, .. } = self.cpu()?;
        let processes = self.read("cgroup.procs").unwrap_or_default();
        let processes = processes.lines().filter_map(|id| id.parse().ok()).collect();
        Some(Usage { cpu: user + system, processes })
    }

    /// Kills all processes of the group.
    pub fn kill(&self) {
        // An error means that the group does not exist any more.
        let _ = self.write("cgroup.kill", "1");
    }

    /// Kills all processes of the group, waits for their end, and returns what all of them used.
    ///
    /// # Errors
    ///
    /// The system does not report it.
    pub fn end(&self) -> io::Result<GroupUsage> {
        self.kill();
        self.wait_until_empty();
        let missing = |file: &str| io::Error::other(format!("{}/{file} cannot be read", self.folder));
        let cpu = self.cpu().ok_or_else(|| missing("cpu.stat"))?;
        let memory = if self.measures_memory {
            let peak = self.read("memory.peak").and_then(|bytes| bytes.parse().ok());
            let events = self.read("memory.events").unwrap_or_default();
            let is_any = |event: &str| value(&events, event) > Some(0);
            let peak_bytes = peak.ok_or_else(|| missing("memory.peak"))?;
            Some(GroupMemory { peak_bytes, is_killed: is_any("oom_kill"), is_at_limit: is_any("oom") })
        } else {
            None
        };
        Ok(GroupUsage { cpu, memory })
    }

    fn cpu(&self) -> Option<CpuUse> {
        let text = self.read("cpu.stat")?;
        let time = |key: &str| value(&text, key).map(Duration::from_micros);
        let (user, system) = (time("user_usec")?, time("system_usec")?);
        Some(CpuUse { user, system, involuntary_switches: None })
    }

    fn wait_until_empty(&self) {
        let since = Instant::now();
        let is_populated = || value(&self.read("cgroup.events").unwrap_or_default(), "populated") == Some(1);
        while is_populated() && since.elapsed() < END_TIMEOUT {
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    fn read(&self, file: &str) -> Option<String> {
        self.root.read(&format!("{}/{file}", self.folder))
    }

    fn write(&self, file: &str, text: &str) -> io::Result<()> {
        self.root.write(&format!("{}/{file}", self.folder), text)
    }
}

impl Drop for RunGroup {
    fn drop(&mut self) {
        self.kill();
        self.wait_until_empty();
        // A group that cannot be removed is removed by a later process.
        let _ = remove(&self.path());
    }
}

/// Removes the folder of a group, and those of groups that its processes made in it.
fn remove(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)?.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove(&entry.path())?;
        }
    }
    fs::remove_dir(folder)
}

/// Moves this process to the group with this folder. The processes that it starts from now on belong to the group, too.
///
/// # Errors
///
/// The system refuses it.
pub fn enter(folder: &Path) -> io::Result<()> {
    let file = fs::OpenOptions::new().write(true).open(folder.join("cgroup.procs"));
    let moved = file.and_then(|mut file| io::Write::write_all(&mut file, b"0"));
    moved.map_err(|error| io::Error::other(GroupError(error)))
}

/// This process cannot enter a control group.
#[derive(Debug)]
pub(crate) struct GroupError(io::Error);

impl std::fmt::Display for GroupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot enter a control group: {}", self.0)
    }
}

impl std::error::Error for GroupError {}

/// The group of the programs that this process starts, and that of this process itself.
struct ProgramGroup {
    of_programs: PathBuf,
    of_process: PathBuf,
}

static PROGRAM_GROUP: OnceLock<ProgramGroup> = OnceLock::new();

/// Makes the programs that this process starts from now on enter this group. This process itself stays outside.
///
/// # Errors
///
/// The group of this process is unknown.
pub fn use_for_programs(of_programs: PathBuf) -> io::Result<()> {
    let root = Root::default();
    let folder = Folder::of_version_2(&root).ok_or(io::ErrorKind::Unsupported)?.path;
    // Later calls change nothing.
    let _ = PROGRAM_GROUP.set(ProgramGroup { of_programs, of_process: root.0.join(folder) });
    Ok(())
}

/// Calls a function that starts a program, such that the program is in its group before it executes anything. A new process has the
/// group of its parent, so this process is in the group for a moment. The inner error is that of leaving the group again.
///
/// # Errors
///
/// The group cannot be entered.
pub(crate) fn start_in_group<T>(start: impl FnOnce() -> T) -> io::Result<(T, io::Result<()>)> {
    let Some(ProgramGroup { of_programs, of_process }) = PROGRAM_GROUP.get() else {
        return Ok((start(), Ok(())));
    };
    enter(of_programs)?;
    let started = start();
    Ok((started, enter(of_process)))
}

#[cfg(test)]
mod tests;
