//! Finds what disturbs measurements on this machine, and says how to correct it.
//!
//! Each check reads a few files of Linux's /proc and /sys below a root directory, which tests replace. What a
//! system does not report is `unknown`. [`examine`] takes a few milliseconds; the last check watches the machine
//! for a while and is run by `queenlab doctor` only.

use std::collections::HashMap;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::os::proc::Root;
pub use crate::record::{Finding, Health};

/// A check: its name, and the function that fills in the rest of its finding.
type Check = (&'static str, fn(&Root) -> Finding);

const ALL: [Check; 7] = [
    ("governor", governor),
    ("turbo", turbo),
    ("load", load),
    ("CPU limit", cpu_limit),
    ("memory limit", memory_limit),
    ("virtual machine", virtual_machine),
    ("busy processes", busy_processes),
];

/// The names of all checks, in order.
pub fn names() -> [&'static str; ALL.len()] {
    ALL.map(|(name, _)| name)
}

/// Runs all checks that only read files below `root`, which is `/` except in tests.
pub fn examine(root: &Path) -> Vec<Finding> {
    run(&ALL[..ALL.len() - 1], root)
}

/// Runs all checks.
pub fn examine_and_watch(root: &Path) -> Vec<Finding> {
    run(&ALL, root)
}

fn run(checks: &[Check], root: &Path) -> Vec<Finding> {
    let root = Root(root.to_owned());
    checks.iter().map(|(name, check)| Finding { check: (*name).to_owned(), ..check(&root) }).collect()
}

/// A one-line warning that names the checks that found a disturbance; `None` if there are none.
pub fn warning(findings: &[Finding]) -> Option<String> {
    let disturbs = findings.iter().filter(|finding| finding.health == Health::Disturbs);
    let names: Vec<&str> = disturbs.map(|finding| finding.check.as_str()).collect();
    let names = (!names.is_empty()).then(|| names.join(", "))?;
    Some(format!("times may be unreliable (findings: {names}); run 'queenlab doctor' for advice"))
}

fn fine(found: impl Into<String>) -> Finding {
    Finding { check: String::new(), health: Health::Fine, found: found.into(), advice: None }
}

fn unknown(found: impl Into<String>) -> Finding {
    Finding { health: Health::Unknown, ..fine(found) }
}

fn unreported() -> Finding {
    unknown("this system does not report it")
}

fn disturbs(found: impl Into<String>, advice: impl Into<String>) -> Finding {
    Finding { health: Health::Disturbs, advice: Some(advice.into()), ..fine(found) }
}

const CPUS: &str = "sys/devices/system/cpu";

/// The largest load average that is fine: one busy CPU for half of the last minute.
const LOAD: f64 = 0.5;

fn governor(root: &Root) -> Finding {
    let cpus = root.numbered(CPUS, "cpu");
    let files = cpus.iter().filter_map(|cpu| root.read(&format!("{cpu}/cpufreq/scaling_governor")));
    let governors: Vec<String> = files.collect();
    let others: Vec<&String> = governors.iter().filter(|governor| *governor != "performance").collect();
    match (governors.len(), others.first()) {
        (0, _) => unknown("this system does not report frequency governors"),
        (_, None) => fine("performance"),
        (all, Some(governor)) => disturbs(
            format!("{governor} on {} of {all} CPUs: the CPU frequency changes with the load", others.len()),
            "sudo cpupower frequency-set -g performance",
        ),
    }
}

fn turbo(root: &Root) -> Finding {
    let (intel, others) = ("intel_pstate/no_turbo", "cpufreq/boost");
    let on = |path: &str, word: &str| root.read(&format!("{CPUS}/{path}")).map(|found| found == word);
    let (path, off) = match (on(intel, "0"), on(others, "1")) {
        (Some(true), _) => (intel, 1),
        (None, Some(true)) => (others, 0),
        (None, None) => return unknown("this system does not report whether turbo is on"),
        _ => return fine("off"),
    };
    let advice = format!("echo {off} | sudo tee /{CPUS}/{path}");
    disturbs("on: the CPU frequency changes with the temperature and the load of other cores", advice)
}

fn load(root: &Root) -> Finding {
    match root.load() {
        None => unreported(),
        Some(load) if load > LOAD => disturbs(
            format!("{load:.2} over the last minute"),
            "wait, or stop the processes that use CPUs: ps -eo pid,pcpu,etime,args --sort=-pcpu | head",
        ),
        Some(load) => fine(format!("{load:.2} over the last minute")),
    }
}

/// The folders of this process's cgroup and of its ancestors, innermost first, for a controller of cgroups
/// version 1 or for version 2. In a container the path may be that of the host; then only the root folder
/// exists.
fn cgroups(root: &Root, controller: &str) -> Vec<String> {
    let mut folders = Vec::new();
    for line in root.read("proc/self/cgroup").unwrap_or_default().lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let base = match controllers {
            "" => "sys/fs/cgroup".to_owned(),
            names if names.split(',').any(|name| name == controller) => format!("sys/fs/cgroup/{controller}"),
            _ => continue,
        };
        let mut path = path.trim_end_matches('/');
        while let Some((around, _)) = path.rsplit_once('/') {
            folders.push(format!("{base}{path}"));
            path = around;
        }
        folders.push(base);
    }
    folders
}

fn cpu_limit(root: &Root) -> Finding {
    let quota = |folder: &String| {
        let (quota, period) = match root.read(&format!("{folder}/cpu.max")) {
            Some(both) => {
                let (quota, period) = both.split_once(' ')?;
                (quota.parse::<f64>().ok()?, period.parse::<f64>().ok()?)
            }
            None => (
                root.number(&format!("{folder}/cpu.cfs_quota_us"))?,
                root.number(&format!("{folder}/cpu.cfs_period_us"))?,
            ),
        };
        (quota > 0.0 && period > 0.0).then_some(quota / period)
    };
    if !root.exists("proc/self/cgroup") {
        return unknown("this system does not report cgroups");
    }
    match cgroups(root, "cpu").iter().filter_map(quota).min_by(f64::total_cmp) {
        None => fine("none"),
        Some(cpus) => disturbs(
            format!("{cpus:.2} CPUs: processes that use more are stopped for the rest of each period"),
            "start the container without --cpus, or: sudo systemctl set-property UNIT CPUQuota=",
        ),
    }
}

fn memory_limit(root: &Root) -> Finding {
    let limit = |folder: &String| {
        let of_2 = root.number::<u64>(&format!("{folder}/memory.max"));
        let of_1 = || root.number::<u64>(&format!("{folder}/memory.limit_in_bytes"));
        of_2.or_else(of_1)
    };
    let Some(physical) = root.bytes("proc/meminfo", "MemTotal") else {
        return unknown("this system does not report the size of its memory");
    };
    let limits = cgroups(root, "memory");
    match limits.iter().filter_map(limit).min().filter(|&limit| limit < physical) {
        None => fine("none below the memory of the machine"),
        Some(limit) => disturbs(
            format!("{} MiB: a run that uses more is killed and recorded as crashed", limit >> 20),
            "use queenlab sweep --memory with a lower limit: such runs are then recorded as memout",
        ),
    }
}

fn virtual_machine(root: &Root) -> Finding {
    let Some(cpuinfo) = root.read("proc/cpuinfo") else {
        return unreported();
    };
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"));
    if !flags.is_some_and(|flags| flags.split_whitespace().any(|flag| flag == "hypervisor")) {
        return fine("none detected");
    }
    let names = ["sys_vendor", "product_name"].map(|name| root.read(&format!("sys/class/dmi/id/{name}")));
    let name = names.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let found = if name.is_empty() { "yes".to_owned() } else { format!("yes: {name}") };
    let advice = "measure on a physical machine, or compare ratios within one sweep only";
    disturbs(found, advice)
}

/// A process that uses at least this many percent of a CPU is reported.
const BUSY: f64 = 5.0;

/// Clock ticks per second in /proc, the same on every Linux (`USER_HZ`).
const TICKS: f64 = 100.0;

/// How long processes are watched.
const WATCH: Duration = Duration::from_millis(500);

/// Watches the processes below a root directory.
fn busy_processes(root: &Root) -> Finding {
    let before = ticks(root);
    let started = Instant::now();
    thread::sleep(WATCH);
    busy_between(&before, &ticks(root), started.elapsed(), std::process::id())
}

/// The name and the CPU ticks used so far, for each process id.
fn ticks(root: &Root) -> HashMap<u32, (String, u64)> {
    let processes = root.numbered("proc", "");
    let of = |folder: &String| {
        let stat = root.read(&format!("{folder}/stat"))?;
        // A process name can contain anything, including parentheses and spaces.
        let (head, fields) = stat.rsplit_once(") ")?;
        let (id, name) = head.split_once(" (")?;
        let fields: Vec<&str> = fields.split(' ').collect();
        let used = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        Some((id.parse().ok()?, (name.to_owned(), used)))
    };
    processes.iter().filter_map(of).collect()
}

fn busy_between(
    before: &HashMap<u32, (String, u64)>,
    after: &HashMap<u32, (String, u64)>,
    elapsed: Duration,
    own: u32,
) -> Finding {
    if after.is_empty() {
        return unknown("no processes are visible");
    }
    let mut busy: Vec<(f64, u32, &str)> = Vec::new();
    for (&id, (name, used)) in after {
        let earlier = before.get(&id).map_or(0, |(_, used)| *used);
        let percent = 100.0 * used.saturating_sub(earlier) as f64 / TICKS / elapsed.as_secs_f64().max(1e-9);
        if id != own && before.contains_key(&id) && percent >= BUSY {
            busy.push((percent, id, name));
        }
    }
    busy.sort_by(|a, b| b.0.total_cmp(&a.0));
    if busy.is_empty() {
        return fine("none");
    }
    let shown: Vec<String> =
        busy.iter().take(5).map(|(percent, id, name)| format!("{name} ({id}) {percent:.0} %")).collect();
    let ids: Vec<String> = busy.iter().take(5).map(|(_, id, _)| id.to_string()).collect();
    let advice = format!("stop them, or wait until they end: ps -o pid,pcpu,etime,args -p {}", ids.join(","));
    disturbs(shown.join(", "), advice)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A root directory with these files.
    fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("temporary directory");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        root
    }

    fn finding(files: &[(&str, &str)], check: &str) -> Finding {
        let found = examine(machine(files).path());
        found.into_iter().find(|finding| finding.check == check).unwrap_or_else(|| panic!("no check {check}"))
    }

    /// Asserts the health that a check reports, and a part of its finding and of its advice.
    fn says(check: &str, files: &[(&str, &str)], health: Health, found: &str, advice: &str) {
        let finding = finding(files, check);
        assert_eq!(finding.health, health, "{finding:?}");
        assert!(finding.found.contains(found), "{finding:?}");
        assert!(finding.advice.as_deref().unwrap_or("").contains(advice), "{finding:?}");
        assert_eq!(finding.advice.is_some(), health == Health::Disturbs, "{finding:?}");
    }

    const CPU: &str = "sys/devices/system/cpu";

    #[test]
    fn a_machine_without_information_is_unknown_and_never_disturbs() {
        let found = examine(machine(&[]).path());
        let names: Vec<&str> = found.iter().map(|finding| finding.check.as_str()).collect();
        assert_eq!(names, super::names()[..6]);
        assert!(found.iter().all(|finding| finding.health != Health::Disturbs), "{found:?}");
        assert_eq!(warning(&found), None);
        for check in ["governor", "turbo", "load", "CPU limit", "memory limit", "virtual machine"] {
            let finding = found.iter().find(|finding| finding.check == check).expect("a check");
            assert_eq!(finding.health, Health::Unknown, "{check}");
        }
    }

    #[test]
    fn variable_frequencies_disturb() {
        let governors = |first: &str, second: &str| {
            let path = |cpu| format!("{CPU}/cpu{cpu}/cpufreq/scaling_governor");
            finding(&[(&path(0), first), (&path(1), second)], "governor")
        };
        let mixed = governors("performance\n", "powersave\n");
        assert!(mixed.found.starts_with("powersave on 1 of 2 CPUs"), "{mixed:?}");
        assert_eq!(mixed.advice.as_deref(), Some("sudo cpupower frequency-set -g performance"));
        assert_eq!(governors("performance\n", "performance\n").health, Health::Fine);
        let intel = format!("{CPU}/intel_pstate/no_turbo");
        let others = format!("{CPU}/cpufreq/boost");
        says("turbo", &[(&intel, "0\n")], Health::Disturbs, "on", "echo 1 | sudo tee /sys");
        says("turbo", &[(&intel, "1\n")], Health::Fine, "off", "");
        says("turbo", &[(&others, "1\n")], Health::Disturbs, "on", "echo 0 | sudo tee /sys");
        says("turbo", &[(&others, "0\n")], Health::Fine, "off", "");
    }

    #[test]
    fn load_disturbs() {
        says("load", &[("proc/loadavg", "1.25 0.80 0.40 2/300 99\n")], Health::Disturbs, "1.25", "ps -eo");
        says("load", &[("proc/loadavg", "0.20 0.80 0.40 2/300 99\n")], Health::Fine, "0.20", "");
    }

    #[test]
    fn limits_of_both_versions_of_cgroups_are_found_also_those_around_the_own_group() {
        let of_2 = ("proc/self/cgroup", "0::/user/me\n");
        says(
            "CPU limit",
            &[of_2, ("sys/fs/cgroup/user/me/cpu.max", "max 100000\n")],
            Health::Fine,
            "none",
            "",
        );
        let around = ("sys/fs/cgroup/user/cpu.max", "150000 100000\n");
        says("CPU limit", &[of_2, around], Health::Disturbs, "1.50 CPUs", "--cpus");
        let of_1 = ("proc/self/cgroup", "4:memory:/job\n3:cpu,cpuacct:/job\n");
        let quota = |us| [of_1, ("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", us)];
        let period = ("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
        says("CPU limit", &[&quota("50000\n")[..], &[period]].concat(), Health::Disturbs, "0.50 CPUs", "");
        says("CPU limit", &[&quota("-1\n")[..], &[period]].concat(), Health::Fine, "none", "");
        // In a container the path is that of the host, and the limit is in the root folder.
        let inside =
            [("proc/self/cgroup", "0::/../elsewhere\n"), ("sys/fs/cgroup/cpu.max", "100000 100000\n")];
        says("CPU limit", &inside, Health::Disturbs, "1.00 CPUs", "");
        let memory = ("proc/meminfo", "MemTotal: 1048576 kB\n");
        let limit = |bytes| [of_2, memory, ("sys/fs/cgroup/user/me/memory.max", bytes)];
        says("memory limit", &limit("536870912\n"), Health::Disturbs, "512 MiB", "--memory");
        says("memory limit", &limit("max\n"), Health::Fine, "none", "");
        let none = ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
        says("memory limit", &[of_1, memory, none], Health::Fine, "none", "");
    }

    #[test]
    fn virtual_machines_are_named() {
        let guest = ("proc/cpuinfo", "processor: 0\nflags\t\t: fpu sse hypervisor avx\n");
        let vendor =
            [("sys/class/dmi/id/sys_vendor", "QEMU\n"), ("sys/class/dmi/id/product_name", "Standard PC\n")];
        says(
            "virtual machine",
            &[&[guest][..], &vendor].concat(),
            Health::Disturbs,
            "QEMU Standard PC",
            "ratios",
        );
        says("virtual machine", &[("proc/cpuinfo", "flags : fpu sse\n")], Health::Fine, "none", "");
    }

    #[test]
    fn malformed_files_are_unknown_or_fine() {
        for text in ["", "\0\u{fffd}", "x", ":", "cpu ", "-1 -1", "99999999999999999999999", "cpu 1 2 3"] {
            let files =
                ["proc/loadavg", "proc/meminfo", "proc/cpuinfo", "proc/self/cgroup", "sys/fs/cgroup/cpu.max"];
            let found = examine(machine(&files.map(|file| (file, text))).path());
            assert_eq!(found.len(), 6);
        }
    }

    #[test]
    fn the_warning_names_what_disturbs() {
        let root = machine(&[("proc/loadavg", "3.00 1 1 1/1 1"), (&format!("{CPU}/cpufreq/boost"), "1")]);
        let warning = warning(&examine(root.path())).expect("a warning");
        assert_eq!(
            warning,
            "times may be unreliable (findings: turbo, load); run 'queenlab doctor' for advice"
        );
    }

    fn processes(list: &[(u32, &str, u64)]) -> HashMap<u32, (String, u64)> {
        list.iter().map(|&(id, name, used)| (id, (name.to_owned(), used))).collect()
    }

    #[test]
    fn a_process_that_uses_a_cpu_is_named_and_this_one_is_not() {
        let before = processes(&[(1, "init", 500), (7, "stress", 100), (9, "queenlab", 0)]);
        let after = processes(&[(1, "init", 500), (7, "stress", 149), (9, "queenlab", 50), (11, "new", 90)]);
        let found = busy_between(&before, &after, Duration::from_millis(500), 9);
        assert_eq!((found.health, found.found.as_str()), (Health::Disturbs, "stress (7) 98 %"));
        assert!(found.advice.is_some_and(|advice| advice.ends_with("-p 7")));
        let quiet = busy_between(&before, &before, Duration::from_millis(500), 9);
        assert_eq!(quiet.health, Health::Fine);
        assert_eq!(busy_between(&before, &HashMap::new(), Duration::from_secs(1), 9).health, Health::Unknown);
    }

    #[test]
    fn names_with_spaces_and_parentheses_are_read() {
        let root = tempfile::tempdir().expect("temporary directory");
        let folder = root.path().join("proc/42");
        std::fs::create_dir_all(&folder).expect("a folder");
        let stat = "42 (a) b (c) S 1 42 42 0 -1 4194560 1 0 0 0 30 12 0 0 20 0 1 0 100 0 0";
        std::fs::write(folder.join("stat"), stat).expect("a file");
        assert_eq!(ticks(&Root(root.path().to_owned())), processes(&[(42, "a) b (c", 42)]));
    }
}
