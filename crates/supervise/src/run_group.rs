//! Control groups of version 2, one for each run. A group counts the CPU time of all processes of its run, including those that
//! no process waited for. All processes of a group can be killed at once. With the memory controller, a group also measures
//! and limits their memory.
//!
//! The groups are made below the group of this process, and only if no other process has to be moved. Where this is impossible,
//! as in most containers, runs are measured by their processes ([`crate::Accounting`]).
//!
//! Groups without the memory controller are threaded groups if possible. A single thread enters such a group, starts the program,
//! and leaves the group again. Since Linux 6.0, this takes microseconds. A whole process takes longer, because the kernel waits
//! for an RCU grace period (about 10 ms) before it moves the process.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

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
    kind: GroupKind,
    /// The group that this process moved to, because a group that contains processes cannot give the memory controller to its children.
    moved_to: Option<RunGroup>,
}

/// The kind of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GroupKind {
    /// A group of processes with the memory controller.
    Memory,
    /// A group of processes without the memory controller.
    Processes,
    /// A threaded group, which cannot have the memory controller.
    Threads,
}

impl GroupKind {
    /// The file that lists the members, and to which a member writes 0 to enter the group.
    fn members(self) -> &'static str {
        if self == Self::Threads { "cgroup.threads" } else { "cgroup.procs" }
    }

    /// The file through which all members are killed or, in a threaded group, stopped before they are killed one by one.
    fn control(self) -> &'static str {
        if self == Self::Threads { "cgroup.freeze" } else { "cgroup.kill" }
    }

    /// The kind of an existing group. A group with the memory controller counts as `Processes`, because it has the same files for
    /// members.
    fn of_folder(folder: &Path) -> Self {
        let kind = fs::read_to_string(folder.join("cgroup.type"));
        if kind.is_ok_and(|kind| kind.trim() == "threaded") { Self::Threads } else { Self::Processes }
    }
}

impl RunGroups {
    /// Tries to make a group, and removes the groups of processes that were killed. Enables the memory controller if possible. If
    /// that is possible only in a group without processes, and this process is alone in its group, this process moves to a new
    /// group below its group. It moves back when this value is dropped. Returns `None` if groups cannot be made: on systems
    /// without control groups of version 2, or without permission.
    ///
    /// If the groups are not threaded, this takes up to 20 ms.
    pub fn open(root: &Root) -> Option<Self> {
        let folder = Folder::of_version_2(root)?.path;
        remove_leftovers(root, &folder);
        let mut groups = Self { root: root.clone(), folder, kind: GroupKind::Processes, moved_to: None };
        let has_memory = groups.lists_memory("cgroup.controllers");
        if has_memory && groups.can_use(GroupKind::Processes) && groups.enable_memory() {
            let trial_group = groups.create(None).ok()?;
            if trial_group.path().join("memory.peak").exists() {
                groups.kind = GroupKind::Memory;
            }
        } else {
            let kinds = [GroupKind::Threads, GroupKind::Processes];
            groups.kind = kinds.into_iter().find(|&kind| groups.can_use(kind))?;
        }
        Some(groups)
    }

    /// Whether this process can make and enter groups of this kind.
    fn can_use(&self, kind: GroupKind) -> bool {
        let Ok(trial_group) = self.create_kind(kind, None) else { return false };
        let has_file = |file: &str| trial_group.path().join(file).exists();
        let is_complete =
            ["cgroup.events", "cpu.stat", kind.members(), kind.control()].into_iter().all(has_file);
        // A process that could enter the group, but not leave it, would be ended with the group.
        let open_member_file = |folder: &str| open_members(&self.root.0.join(folder), kind);
        let (Ok(inside), Ok(outside)) =
            (open_member_file(&trial_group.folder), open_member_file(&self.folder))
        else {
            return false;
        };
        if !is_complete || enter_by(&inside).is_err() {
            return false;
        }
        let is_outside = enter_by(&outside).is_ok();
        if !is_outside {
            std::mem::forget(trial_group);
        }
        is_outside
    }

    /// Whether the groups measure and limit memory. Otherwise, they measure only CPU time.
    pub fn measures_memory(&self) -> bool {
        self.kind == GroupKind::Memory
    }

    /// Makes a group for a run. If the groups limit memory, this group has the limit `memory_limit`, in bytes, and no swap.
    ///
    /// # Errors
    ///
    /// The system refuses the group or its limit.
    pub fn create(&self, memory_limit: Option<u64>) -> io::Result<RunGroup> {
        self.create_kind(self.kind, memory_limit)
    }

    fn create_kind(&self, kind: GroupKind, memory_limit: Option<u64>) -> io::Result<RunGroup> {
        let number = GROUPS_MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}{number}", prefix_of(&self.root, std::process::id()));
        let folder = format!("{}/{name}", self.folder);
        fs::create_dir(self.root.0.join(&folder))?;
        let group = RunGroup { root: self.root.clone(), folder, kind };
        match kind {
            GroupKind::Threads => group.write("cgroup.type", "threaded")?,
            GroupKind::Memory => memory_limit.map_or(Ok(()), |limit| group.limit_memory(limit))?,
            GroupKind::Processes => {}
        }
        Ok(group)
    }

    /// Whether this file of the group of this process lists the memory controller.
    fn lists_memory(&self, file: &str) -> bool {
        let list = self.root.read(&format!("{}/{file}", self.folder)).unwrap_or_default();
        list.split(' ').any(|controller| controller == "memory")
    }

    /// Tries to enable the memory controller in groups below the group of this process. Returns whether it is enabled.
    fn enable_memory(&mut self) -> bool {
        let (root, folder) = (self.root.clone(), self.folder.clone());
        if self.lists_memory("cgroup.subtree_control") {
            return true;
        }
        let enable_controller = || root.write(&format!("{folder}/cgroup.subtree_control"), "+memory").is_ok();
        if !self.lists_memory("cgroup.controllers") || enable_controller() {
            return self.lists_memory("cgroup.controllers");
        }
        // The system does not enable the controller below a group that contains processes.
        let processes = root.read(&format!("{folder}/cgroup.procs"));
        let is_alone = processes.is_some_and(|list| list == std::process::id().to_string());
        let Some(target) = is_alone.then(|| self.create(None).ok()).flatten() else { return false };
        if enter(&target.path()).is_err() {
            return false;
        }
        let is_enabled = enable_controller();
        self.moved_to = Some(target);
        if !is_enabled {
            self.move_back();
        }
        is_enabled
    }

    /// Moves this process back to the group in which it was started.
    fn move_back(&mut self) {
        if let Some(group) = self.moved_to.take() {
            // After an error, this process stays in the group, which a later process removes.
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

/// The names of the groups of a process, without the number at their end. Processes in different namespaces may have the same id.
fn prefix_of(root: &Root, process: u32) -> String {
    let namespace = fs::read_link(root.0.join("proc/self/ns/pid")).unwrap_or_default();
    let digits: String = namespace.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    format!("{PREFIX}-{digits}-{process}-")
}

/// Ends and removes the groups in a folder that were made by processes that have ended without removing them, as after SIGKILL.
fn remove_leftovers(root: &Root, folder: &str) {
    for entry in fs::read_dir(root.0.join(folder)).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let process = name.split('-').nth(2).and_then(|process| process.parse().ok());
        if process.is_some_and(|process| name.starts_with(&prefix_of(root, process)) && !exists(process)) {
            let folder = format!("{folder}/{name}");
            let kind = GroupKind::of_folder(&root.0.join(&folder));
            drop(RunGroup { root: root.clone(), folder, kind });
        }
    }
}

/// The group of a run. Dropping it ends its processes and removes it.
#[derive(Debug)]
pub struct RunGroup {
    root: Root,
    folder: String,
    kind: GroupKind,
}

/// What the processes of a group used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupUsage {
    /// The CPU time of all processes of the group. The system does not count their context switches.
    pub cpu: CpuUse,
    /// The memory, if the group measures it.
    pub memory: Option<GroupMemory>,
}

/// The memory of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupMemory {
    /// The peak in bytes. It includes the cached content of files that this group was the first to read or write.
    pub peak_bytes: u64,
    /// Whether the system killed a process of the group for lack of memory.
    pub has_killed_process: bool,
    /// Whether the group reached its own limit, and not only the limit of a group above it.
    pub has_reached_limit: bool,
}

impl RunGroup {
    /// The folder of the group.
    pub fn path(&self) -> PathBuf {
        self.root.0.join(&self.folder)
    }

    /// Whether the group measures and limits memory.
    pub fn measures_memory(&self) -> bool {
        self.kind == GroupKind::Memory
    }

    fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        // Errors are ignored: not every system has swap, and without `memory.oom.group`, the limit still ends a part of the
        // processes.
        let _ = self.write("memory.swap.max", "0");
        let _ = self.write("memory.oom.group", "1");
        self.write("memory.max", &bytes.to_string())
    }

    /// The CPU time so far, and the processes that run now; `None` if the system does not report it.
    pub fn usage(&self) -> Option<Usage> {
        let CpuUse { user, system, .. } = self.cpu()?;
        let mut processes = self.members();
        if self.kind == GroupKind::Threads {
            let process =
                |thread: &u32| self.root.field(&format!("proc/{thread}/status"), "Tgid")?.parse().ok();
            processes = processes.iter().filter_map(process).collect();
            processes.sort_unstable();
            processes.dedup();
        }
        Some(Usage { cpu: user + system, processes })
    }

    /// The ids of the processes or threads in the group.
    fn members(&self) -> Vec<u32> {
        let members = self.read(self.kind.members()).unwrap_or_default();
        members.lines().filter_map(|id| id.parse().ok()).collect()
    }

    /// Kills all processes of the group. The processes of a threaded group are stopped first, so that they cannot start
    /// other processes.
    pub fn kill(&self) {
        // An error means that the group does not exist any more.
        let _ = self.write(self.kind.control(), "1");
        if self.kind == GroupKind::Threads {
            self.kill_members();
        }
    }

    /// Kills the processes to which the members belong.
    fn kill_members(&self) {
        for member in self.members() {
            if let Some(process) = i32::try_from(member).ok().and_then(Pid::from_raw) {
                // An error means that the process has ended.
                let _ = kill_process(process, Signal::KILL);
            }
        }
    }

    /// Kills all processes of the group, waits for their end, and returns what all of them used.
    ///
    /// # Errors
    ///
    /// The system does not report the usage.
    pub fn end(&self) -> io::Result<GroupUsage> {
        self.kill();
        self.wait_until_empty();
        let read_error = |file: &str| io::Error::other(format!("{}/{file} cannot be read", self.folder));
        let cpu = self.cpu().ok_or_else(|| read_error("cpu.stat"))?;
        let memory = if self.measures_memory() {
            let peak = self.read("memory.peak").and_then(|bytes| bytes.parse().ok());
            let events = self.read("memory.events").unwrap_or_default();
            let has_occurred = |event: &str| value(&events, event) > Some(0);
            let peak_bytes = peak.ok_or_else(|| read_error("memory.peak"))?;
            Some(GroupMemory {
                peak_bytes,
                has_killed_process: has_occurred("oom_kill"),
                has_reached_limit: has_occurred("oom"),
            })
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
            if self.kind == GroupKind::Threads {
                // A process may have been started before the group was stopped.
                self.kill_members();
            }
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

/// Removes the folder of a group, and the folders of groups that processes of the group made in it.
fn remove(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)?.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove(&entry.path())?;
        }
    }
    fs::remove_dir(folder)
}

/// Moves this process to the group with this folder, or only this thread if the group is threaded. Threads and processes
/// that are started from it afterwards belong to the group, too.
///
/// # Errors
///
/// The system refuses the move.
pub fn enter(folder: &Path) -> io::Result<()> {
    enter_by(&open_members(folder, GroupKind::of_folder(folder))?)
}

/// The file that lists the members of a group of this kind, opened such that this process or thread can enter the group.
fn open_members(folder: &Path, kind: GroupKind) -> io::Result<File> {
    let file = fs::OpenOptions::new().write(true).open(folder.join(kind.members()));
    file.map_err(|error| io::Error::other(GroupError(error)))
}

/// Enters the group whose members this file lists.
fn enter_by(mut members: &File) -> io::Result<()> {
    members.write_all(b"0").map_err(|error| io::Error::other(GroupError(error)))
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

/// The files that list the members of the group of the programs that this process starts, and of the group of this process itself.
struct ProgramGroup {
    program_members: File,
    process_members: File,
}

static PROGRAM_GROUP: OnceLock<ProgramGroup> = OnceLock::new();

/// Makes the programs that this process starts from now on enter this group. This process itself stays outside.
///
/// # Errors
///
/// The group of this process is unknown, or one of the two groups cannot be entered.
pub fn use_for_programs(group_folder: PathBuf) -> io::Result<()> {
    let root = Root::default();
    let process_folder = Folder::of_version_2(&root).ok_or(io::ErrorKind::Unsupported)?.path;
    let kind = GroupKind::of_folder(&group_folder);
    let process_members = open_members(&root.0.join(process_folder), kind)?;
    let program_members = open_members(&group_folder, kind)?;
    let group = ProgramGroup { program_members, process_members };
    // Later calls change nothing.
    let _ = PROGRAM_GROUP.set(group);
    Ok(())
}

/// Calls a function that starts a program, such that the program is in its group before it executes anything. A new process has
/// the group of the thread that starts it, so this process or thread is in the group for a moment. The inner result says whether
/// it left the group again.
///
/// # Errors
///
/// The group cannot be entered.
pub(crate) fn start_in_group<T>(start: impl FnOnce() -> T) -> io::Result<(T, io::Result<()>)> {
    let Some(ProgramGroup { program_members, process_members }) = PROGRAM_GROUP.get() else {
        return Ok((start(), Ok(())));
    };
    enter_by(program_members)?;
    let started = start();
    Ok((started, enter_by(process_members)))
}

#[cfg(test)]
mod tests;
