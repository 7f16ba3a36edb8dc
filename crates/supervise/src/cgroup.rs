//! Reads the limits of the Linux control groups (version 1 and 2) that this process is in, for example those of its container.

use std::path::Path;

use crate::proc::Root;

/// The limits of the control groups that a process is in. A value is `None` if there is no limit, or if the system does not
/// report it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// The number of CPUs that these groups may use on average.
    pub cpus: Option<f64>,
    /// The memory that these groups may use, in bytes.
    pub memory: Option<u64>,
}

/// The folder of a control group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folder {
    /// The version of the hierarchy: 1 or 2.
    version: u8,
    /// The mount point of the hierarchy.
    mount: String,
    /// The folder, in or below `mount`.
    pub path: String,
}

/// Memory limits from this value on mean "no limit". For "no limit", version 1 reports the largest multiple of the page size
/// below 2^63.
const NO_LIMIT: u64 = 1 << 60;

impl Folder {
    /// The group of this process for a controller. Paths are relative to the root.
    fn of_controller(root: &Root, controller: &str) -> Option<Self> {
        let contains_controller = |list: &str| list.split(',').any(|name| name == controller);
        Self::in_hierarchy(root, 1, contains_controller, |kind, options| {
            kind == "cgroup" && contains_controller(options)
        })
        .or_else(|| Self::of_version_2(root))
    }

    /// The group of this process in the hierarchy of version 2.
    pub fn of_version_2(root: &Root) -> Option<Self> {
        Self::in_hierarchy(root, 2, str::is_empty, |kind, _| kind == "cgroup2")
    }

    /// The group of this process in the first hierarchy whose list of controllers satisfies `has_controllers`. The file system
    /// kind and the options of its mount must satisfy `is_mount`.
    fn in_hierarchy(
        root: &Root,
        version: u8,
        has_controllers: impl Fn(&str) -> bool,
        is_mount: impl Fn(&str, &str) -> bool,
    ) -> Option<Self> {
        let groups = root.read("proc/self/cgroup")?;
        let (_, group) = groups.lines().filter_map(group).find(|(list, _)| has_controllers(list))?;
        let mounts = root.read("proc/self/mountinfo")?;
        let (mount_root, mount) = mounts.lines().find_map(|line| {
            let (before, after) = line.split_once(" - ")?;
            let (kind, options) = (after.split(' ').next()?, after.split(' ').next_back()?);
            let mut fields = before.split(' ').skip(3);
            Some((fields.next()?, fields.next()?)).filter(|_| is_mount(kind, options))
        })?;
        // A container may show only its own part of the hierarchy.
        let path_in_mount = Path::new(group).strip_prefix(mount_root).unwrap_or(Path::new(""));
        let mount = mount.trim_matches('/').to_owned();
        let path = Path::new(&mount).join(path_in_mount).to_str()?.trim_end_matches('/').to_owned();
        Some(Self { version, mount, path })
    }

    /// This folder and the folders above it, up to the mount point of the hierarchy.
    fn ancestry(&self) -> impl Iterator<Item = &str> {
        let folders = Path::new(&self.path).ancestors().filter_map(Path::to_str);
        folders.take_while(|folder| folder.len() >= self.mount.len())
    }

    fn memory(&self, root: &Root) -> Option<u64> {
        let file = if self.version == 2 { "memory.max" } else { "memory.limit_in_bytes" };
        let limits =
            self.ancestry().filter_map(|folder| root.read(&format!("{folder}/{file}"))?.parse().ok());
        limits.min().filter(|&limit| limit < NO_LIMIT)
    }

    fn cpus(&self, root: &Root) -> Option<f64> {
        let quota = |folder: &str| {
            let (quota, period) = if self.version == 2 {
                let text = root.read(&format!("{folder}/cpu.max"))?;
                let (quota, period) = text.split_once(' ')?;
                (quota.to_owned(), period.to_owned())
            } else {
                let value = |name: &str| root.read(&format!("{folder}/cpu.cfs_{name}_us"));
                (value("quota")?, value("period")?)
            };
            let (quota, period): (f64, f64) = (quota.parse().ok()?, period.parse().ok()?);
            (quota > 0.0 && period > 0.0).then_some(quota / period)
        };
        self.ancestry().filter_map(quota).reduce(f64::min)
    }

    /// The number of processes of this group that the system killed for lack of memory.
    fn out_of_memory_kills(&self, root: &Root) -> Option<u64> {
        let file = if self.version == 2 { "memory.events" } else { "memory.oom_control" };
        value(&root.read(&format!("{}/{file}", self.path))?, "oom_kill")
    }
}

/// The controllers and the path of a line of `/proc/self/cgroup`.
fn group(line: &str) -> Option<(&str, &str)> {
    line.split_once(':')?.1.split_once(':')
}

/// The value of the line `key value`.
pub(crate) fn value(text: &str, key: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == key)?.1.trim().parse().ok()
}

impl Limits {
    /// The limits of the groups of this process.
    pub fn of(root: &Root) -> Self {
        Self {
            cpus: Folder::of_controller(root, "cpu").and_then(|folder| folder.cpus(root)),
            memory: Folder::of_controller(root, "memory").and_then(|folder| folder.memory(root)),
        }
    }
}

/// Counts the processes that the system kills for lack of memory, in the control group of this process or, if there is none, on the
/// whole machine.
#[derive(Clone, Debug)]
pub struct OutOfMemoryKills {
    root: Root,
    group: Option<Folder>,
}

impl OutOfMemoryKills {
    /// The counter for this process.
    pub fn new(root: &Root) -> Self {
        let group =
            Folder::of_controller(root, "memory").filter(|group| group.out_of_memory_kills(root).is_some());
        Self { root: root.clone(), group }
    }

    /// The number of killed processes so far; `None` if the system does not report it.
    pub fn count(&self) -> Option<u64> {
        match &self.group {
            Some(group) => group.out_of_memory_kills(&self.root),
            None => value(&self.root.read("proc/vmstat")?, "oom_kill"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A machine with these files.
    fn machine(files: &[(&str, &str)]) -> (tempfile::TempDir, Root) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for (path, text) in files {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("written");
        }
        let root = Root(directory.path().to_owned());
        (directory, root)
    }

    fn limits(files: &[(&str, &str)]) -> (Option<f64>, Option<u64>, Option<u64>) {
        let (_directory, root) = machine(files);
        let Limits { cpus, memory } = Limits::of(&root);
        (cpus, memory, OutOfMemoryKills::new(&root).count())
    }

    const V2: [(&str, &str); 2] = [
        ("proc/self/cgroup", "0::/a/b\n"),
        (
            "proc/self/mountinfo",
            "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
        ),
    ];

    #[test]
    fn tightest_limit_among_parent_groups_applies() {
        let group = "sys/fs/cgroup/a";
        let files = [
            (&format!("{group}/cpu.max"), "30000 100000\n"),
            (&format!("{group}/b/cpu.max"), "max 100000\n"),
            (&format!("{group}/memory.max"), "1000000\n"),
            (&format!("{group}/b/memory.max"), "2000000\n"),
            (&format!("{group}/b/memory.events"), "low 0\noom 2\noom_kill 3\noom_group_kill 1\n"),
        ];
        let files = files.map(|(path, text)| (path.as_str(), text));
        assert_eq!(limits(&[&V2[..], &files].concat()), (Some(0.3), Some(1_000_000), Some(3)));
        assert_eq!(limits(&V2), (None, None, None));
    }

    #[test]
    fn cgroup_v1_has_a_hierarchy_for_each_controller() {
        let memory = "sys/fs/cgroup/memory";
        // A container that shows its own group alone, beside a hierarchy of version 2 without controllers.
        let limits = |limit| {
            limits(&[
                ("proc/self/cgroup", "4:memory:/docker/x\n2:cpu,cpuacct:/docker/x/y\n0::/\n"),
                (
                    "proc/self/mountinfo",
                    "31 2 0:1 / /sys/fs/cgroup/unified rw - cgroup2 none rw\n\
                     32 2 0:2 /docker/x /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                     33 2 0:3 /docker/x /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n",
                ),
                (&format!("{memory}/memory.limit_in_bytes"), limit),
                (&format!("{memory}/memory.oom_control"), "oom_kill_disable 0\nunder_oom 0\noom_kill 7\n"),
                ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "150000\n"),
                ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
                ("sys/fs/cgroup/cpu,cpuacct/y/cpu.cfs_quota_us", "-1\n"),
                ("sys/fs/cgroup/cpu,cpuacct/y/cpu.cfs_period_us", "100000\n"),
            ])
        };
        assert_eq!(limits("4096\n"), (Some(1.5), Some(4096), Some(7)));
        assert_eq!(limits("9223372036854771712\n"), (Some(1.5), None, Some(7)));
    }

    #[test]
    fn oom_kills_are_machine_wide_without_a_cgroup() {
        assert_eq!(limits(&[]), (None, None, None));
        assert_eq!(limits(&[("proc/vmstat", "nr_free_pages 1\noom_kill 5\n")]), (None, None, Some(5)));
        let unreadable_files = [("proc/self/cgroup", "x\n"), ("proc/self/mountinfo", "1 2 - cgroup2\n- x")];
        assert_eq!(limits(&unreadable_files), (None, None, None));
    }
}
