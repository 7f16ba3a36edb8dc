use std::process::Command;

use super::*;
use crate::process::{Process, Supervision};

/// A file tree in place of the system, with a hierarchy of version 2 in which this process has the group `a`.
struct Tree {
    directory: tempfile::TempDir,
    root: Root,
}

const FOLDER: &str = "group/a";

impl Tree {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let root = Root(directory.path().to_owned());
        let tree = Self { directory, root };
        tree.write("proc/self/cgroup", "3:memory:/b\n0::/a\n");
        tree.write("proc/self/mountinfo", "30 23 0:26 / /group rw - cgroup2 cgroup2 rw\n");
        fs::create_dir_all(tree.path(FOLDER)).expect("a folder");
        tree
    }

    fn path(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().expect("a folder")).expect("a folder");
        fs::write(self.path(path), text).expect("written");
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("readable")
    }

    fn groups(&self) -> RunGroups {
        let (root, folder) = (self.root.clone(), FOLDER.to_owned());
        RunGroups { root, folder, kind: GroupKind::Memory, moved_to: None }
    }

    /// A group with these files.
    fn group(&self, files: &[(&str, &str)]) -> RunGroup {
        let folder = format!("{FOLDER}/run");
        files.iter().for_each(|(file, text)| self.write(&format!("{folder}/{file}"), text));
        RunGroup { root: self.root.clone(), folder, kind: GroupKind::Memory }
    }
}

const CPU: (&str, &str) = ("cpu.stat", "usage_usec 5000\nuser_usec 3000\nsystem_usec 2000\nnr_periods 0\n");

#[test]
fn resource_usage_covers_the_whole_group() {
    let tree = Tree::new();
    let files = [
        CPU,
        ("cgroup.procs", "7\n8\n"),
        ("cgroup.kill", "0"),
        ("cgroup.events", "populated 0\nfrozen 0\n"),
        ("memory.peak", "4096000\n"),
        ("memory.events", "low 0\nhigh 0\nmax 3\noom 0\noom_kill 2\n"),
    ];
    let group = tree.group(&files);
    let (user, system) = (Duration::from_millis(3), Duration::from_millis(2));
    assert_eq!(group.usage(), Some(Usage { cpu: user + system, processes: vec![7, 8] }));
    let memory =
        Some(GroupMemory { peak_bytes: 4_096_000, has_killed_process: true, has_reached_limit: false });
    let cpu = CpuUse { user, system, involuntary_switches: None };
    assert_eq!(group.end().expect("all files are there"), GroupUsage { cpu, memory });
    assert_eq!(tree.read("group/a/run/cgroup.kill"), "1");
    tree.write("group/a/run/memory.events", "oom 1\noom_kill 1\n");
    assert!(group.end().is_ok_and(|usage| usage.memory.is_some_and(|memory| memory.has_reached_limit)));
    // A group that should measure memory and cannot is an error.
    fs::remove_file(tree.path("group/a/run/memory.peak")).expect("removed");
    assert!(group.end().is_err());
}

/// The ids are larger than all ids that Linux assigns, because this test kills the members of the group.
#[test]
fn threads_of_a_group_are_counted_as_processes() {
    let tree = Tree::new();
    let thread = |number: u32| 1_000_000_000 + number;
    let members: String = [9, 7, 8, 10].map(|number| format!("{}\n", thread(number))).concat();
    let mut group = tree.group(&[CPU, ("cgroup.threads", &members), ("cgroup.freeze", "0")]);
    group.kind = GroupKind::Threads;
    for (number, leader) in [(7, 7), (8, 7), (9, 9)] {
        let status = format!("Name:\tx\nTgid:\t{}\nPid:\t{}\n", thread(leader), thread(number));
        tree.write(&format!("proc/{}/status", thread(number)), &status);
    }
    // Thread 10 has ended in the meantime.
    assert_eq!(group.usage().map(|usage| usage.processes), Some(vec![thread(7), thread(9)]));
    group.kill();
    assert_eq!(tree.read("group/a/run/cgroup.freeze"), "1", "they start no other processes");
}

#[test]
fn memory_limit_allows_no_swap() {
    let tree = Tree::new();
    let files = [("memory.max", "max\n"), ("memory.swap.max", "max\n"), ("memory.oom.group", "0\n")];
    let group = tree.group(&files);
    group.limit_memory(12_345).expect("the file exists");
    // The files of this tree are not truncated, so that `0` replaces only the first letter of `max`.
    let values = ["memory.max", "memory.swap.max", "memory.oom.group"]
        .map(|file| tree.read(&format!("group/a/run/{file}")).lines().next().map(str::to_owned));
    assert_eq!(values.map(Option::unwrap_or_default), ["12345", "0ax", "1"]);
    fs::remove_file(tree.path("group/a/run/memory.max")).expect("removed");
    assert!(group.limit_memory(12_345).is_err());
}

#[test]
fn groups_are_created_only_where_they_work() {
    let tree = Tree::new();
    // In this tree, new folders contain no files, so groups do not work.
    assert!(RunGroups::open(&tree.root).is_none());
    assert_eq!(fs::read_dir(tree.path(FOLDER)).expect("it is there").count(), 0, "the trial is removed");
    tree.write("proc/self/cgroup", "3:memory:/b\n");
    assert!(RunGroups::open(&tree.root).is_none());
}

#[test]
fn memory_controller_is_enabled_without_moving_processes() {
    let enable_with_files = |files: &[(&str, &str)]| {
        let tree = Tree::new();
        files.iter().for_each(|(file, text)| tree.write(&format!("{FOLDER}/{file}"), text));
        let is_enabled = tree.groups().enable_memory();
        let control = fs::read_to_string(tree.path("group/a/cgroup.subtree_control")).unwrap_or_default();
        (is_enabled, control, fs::read_dir(tree.path(FOLDER)).expect("it is there").count() - files.len())
    };
    let (controllers, control) = (("cgroup.controllers", "cpu memory\n"), "cgroup.subtree_control");
    assert!(enable_with_files(&[controllers, (control, "cpu memory\n")]).0);
    assert_eq!(enable_with_files(&[controllers, (control, "")]), (true, "+memory".to_owned(), 0));
    assert_eq!(
        enable_with_files(&[("cgroup.controllers", "cpu\n"), (control, "")]),
        (false, String::new(), 0)
    );
    // The system refuses the controller in both cases. In the first case, the group has another process; in the second one, this
    // process cannot move.
    assert_eq!(enable_with_files(&[controllers, ("cgroup.procs", "1\n")]), (false, String::new(), 0));
    let process_id = format!("{}\n", std::process::id());
    assert_eq!(enable_with_files(&[controllers, ("cgroup.procs", &process_id)]), (false, String::new(), 0));
}

#[test]
fn groups_of_ended_processes_are_removed() {
    let tree = Tree::new();
    let mut child = Command::new("true").spawn().expect("it starts");
    let ended_id = child.id();
    child.wait().expect("it ends");
    let group_name = |process| format!("{}3", prefix_of(&tree.root, process));
    let remaining_names =
        [group_name(std::process::id()), format!("supervised-99-{ended_id}-3"), "other".to_owned()];
    for name in remaining_names.iter().chain(&[group_name(ended_id)]) {
        fs::create_dir_all(tree.path(&format!("{FOLDER}/{name}/inner"))).expect("a folder");
    }
    remove_leftovers(&tree.root, FOLDER);
    let names = fs::read_dir(tree.path(FOLDER)).expect("it is there").flatten();
    let mut names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let mut expected = remaining_names.to_vec();
    expected.sort();
    assert_eq!(names, expected);
}

/// The groups of this machine, if it has them.
fn groups() -> Option<RunGroups> {
    let groups = RunGroups::open(&Root::default());
    if groups.is_none() {
        println!(
            "not possible here: this user cannot make control groups; they are tested with a file tree only"
        );
    }
    groups
}

/// The run leaves behind a process in another session, which the process group of the run does not contain.
#[test]
fn group_processes_end_when_the_run_ends() {
    let Some(mut groups) = groups() else { return };
    processes_end_with_their_run(&groups);
    // Where threaded groups are impossible, for example on older kernels, groups of processes are used.
    if groups.kind == GroupKind::Threads {
        groups.kind = GroupKind::Processes;
        processes_end_with_their_run(&groups);
    }
}

fn processes_end_with_their_run(groups: &RunGroups) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let group = groups.create(None).expect("a group");
    let path = group.path();
    let script = format!(
        "echo 0 > '{}'; cd '{}'; (setsid sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; \
         times > written; mv written times; exec sleep 600' &); while ! [ -e times ]; do sleep 0.01; done",
        path.join(group.kind.members()).display(),
        directory.path().display()
    );
    let mut command = Command::new("sh");
    command.args(["-c", &script]);
    let supervision = Supervision { group: Some(&group), ..Supervision::default() };
    let ended = Process::launch(command, supervision, false).and_then(|mut process| process.finish());
    let usage = ended.expect("it ends").group.expect("it was measured");
    let times = fs::read_to_string(directory.path().join("times")).expect("written before the end");
    let seconds =
        times.lines().next().and_then(|line| line.split_once("0m")?.1.split('s').next()?.parse().ok());
    let process_time = Duration::from_secs_f64(seconds.expect("user time"));
    // The time that the process reports is rounded.
    assert!(
        usage.cpu.user + usage.cpu.system + Duration::from_millis(20) >= process_time,
        "{usage:?} {process_time:?}"
    );
    assert!(usage.cpu.user > Duration::ZERO, "{usage:?}");
    assert_eq!(group.usage().map(|usage| usage.processes), Some(Vec::new()));
    assert_eq!(usage.memory.is_some(), groups.measures_memory());
    drop(group);
    assert!(!path.exists());
}

/// Each process of the chain starts the next process in a new session, and then ends.
#[test]
fn chain_of_processes_ends_with_its_group() {
    let Some(groups) = groups() else { return };
    let directory = tempfile::tempdir().expect("a temporary directory");
    let group = groups.create(None).expect("a group");
    let link = "echo x >> links; setsid sh link.sh &\n";
    fs::write(directory.path().join("link.sh"), link).expect("written");
    let mut command = Command::new("sh");
    let members = group.path().join(group.kind.members());
    command.args(["-c", &format!("echo 0 > '{}' && exec sh link.sh", members.display())]);
    command.current_dir(directory.path()).spawn().and_then(|mut shell| shell.wait()).expect("it ends");
    let links = || fs::read(directory.path().join("links")).map_or(0, |links| links.len());
    let since = Instant::now();
    while links() < 20 && since.elapsed() < Duration::from_secs(600) {
        std::thread::sleep(Duration::from_millis(1));
    }
    group.end().expect("it ends");
    let links_at_end = links();
    assert_eq!(group.members(), [0_u32; 0]);
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(links(), links_at_end, "the chain does not go on");
}

#[test]
fn memory_limit_of_group_ends_all_processes() {
    let Some(groups) = groups() else { return };
    if !groups.measures_memory() {
        println!(
            "not possible here: control groups without the memory controller; memory is tested with a file tree only"
        );
        return;
    }
    let limit = 32 << 20;
    let group = groups.create(Some(limit)).expect("a group");
    let procs = group.path().join(group.kind.members());
    // `tail` keeps everything that it reads in memory, because the input contains no line end.
    let script =
        format!("echo 0 > '{}'; head -c 200000000 /dev/zero | tail -n 1 | wc -c; sleep 600", procs.display());
    let mut command = Command::new("sh");
    command.args(["-c", &script]);
    let supervision = Supervision { group: Some(&group), ..Supervision::default() };
    let ended = Process::launch(command, supervision, false).and_then(|mut process| process.finish());
    let ended = ended.expect("it ends");
    assert_eq!((ended.stopped, crate::signal(ended.status)), (None, Some(9)));
    let memory = ended.group.and_then(|usage| usage.memory).expect("it was measured");
    assert!(memory.has_killed_process && memory.has_reached_limit, "{memory:?}");
    assert!((limit / 2..=limit).contains(&memory.peak_bytes), "{memory:?}");
}
