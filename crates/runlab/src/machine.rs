//! Describes this machine, so that results of different machines are not mixed unnoticed, and finds conditions that disturb
//! measurements. Without /proc and /sys, most values are missing or `unknown`.

use std::fmt;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use supervise::proc::Root;
use supervise::{Accounting, cgroup};

/// A machine. Two descriptions are of the same machine if the CPU model, the number of cores and the operating system are the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The name of the host.
    pub host: String,
    /// The name of the operating system with its version.
    pub os: String,
    /// The release of the kernel.
    pub kernel: String,
    /// The model of the CPU.
    pub cpu_model: String,
    /// The number of CPUs that this process may use.
    pub cores: usize,
    /// The frequency governor of the first CPU.
    pub governor: Option<String>,
    /// Whether CPUs may exceed their base frequency.
    pub turbo: Option<bool>,
    /// The size of the memory in bytes.
    pub memory_bytes: Option<u64>,
    /// The number of CPUs that the control group of this process may use on average, as in a container.
    #[serde(default)]
    pub cpu_quota: Option<f64>,
    /// The memory that the control group of this process may use, in bytes.
    #[serde(default)]
    pub memory_limit_bytes: Option<u64>,
}

/// The result of one check of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineFinding {
    /// The name of the check: `governor`, `turbo`, `load`, `quota`, `memory` or `accounting`.
    pub check: String,
    /// Whether the condition disturbs measurements.
    pub health: Health,
    /// The value, for example `powersave`.
    #[serde(rename = "found")]
    pub value: String,
    /// How to stop the disturbance; `None` if there is no disturbance.
    pub advice: Option<String>,
}

/// Whether a condition disturbs measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// Measurements are not disturbed.
    Fine,
    /// Measurements are disturbed.
    Disturbs,
    /// The system does not provide the information.
    Unknown,
}

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A property in which a machine differs from an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineDifference {
    /// The property, for example `number of cores`.
    pub property: &'static str,
    /// Its value on the earlier machine.
    pub before: String,
    /// Its value on this machine.
    pub now: String,
}

impl Machine {
    /// The properties in which this machine differs from an earlier one. If there are none, both are the same machine.
    pub fn differences(&self, earlier: &Self) -> Vec<MachineDifference> {
        let cores = |machine: &Self| machine.cores.to_string();
        let properties = [
            ("CPU", earlier.cpu_model.clone(), self.cpu_model.clone()),
            ("number of cores", cores(earlier), cores(self)),
            ("operating system", earlier.os.clone(), self.os.clone()),
        ];
        let differing_properties = properties.into_iter().filter(|(_, before, now)| before != now);
        differing_properties
            .map(|(property, before, now)| MachineDifference { property, before, now })
            .collect()
    }

    /// Describes this machine.
    pub fn current() -> Self {
        Self::with_root(&Root::default())
    }

    /// Describes the machine whose `/proc` and `/sys` are below `root`.
    fn with_root(root: &Root) -> Self {
        let cgroup::Limits { cpus, memory } = cgroup::Limits::of(root);
        let unknown_value = || "unknown".to_owned();
        Self {
            host: root.read("proc/sys/kernel/hostname").unwrap_or_else(unknown_value),
            os: os_name(root),
            kernel: root.read("proc/sys/kernel/osrelease").unwrap_or_else(unknown_value),
            cpu_model: root.field("proc/cpuinfo", "model name").unwrap_or_else(unknown_value),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            governor: root.read(&format!("{CPUS}/cpu0/cpufreq/scaling_governor")),
            turbo: turbo(root).map(|(on, _)| on),
            memory_bytes: root.bytes("proc/meminfo", "MemTotal"),
            cpu_quota: cpus,
            memory_limit_bytes: memory,
        }
    }
}

fn os_name(root: &Root) -> String {
    let release = root.read("etc/os-release").unwrap_or_default();
    let pretty_name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    pretty_name.map_or_else(|| std::env::consts::OS.to_owned(), |name| name.trim_matches('"').to_owned())
}

const CPUS: &str = "sys/devices/system/cpu";

/// Whether turbo is on, and the command that turns it off.
fn turbo(root: &Root) -> Option<(bool, String)> {
    let switches = [("intel_pstate/no_turbo", "0", "1"), ("cpufreq/boost", "1", "0")];
    switches.into_iter().find_map(|(file, on, off)| {
        let setting = root.read(&format!("{CPUS}/{file}"))?;
        Some((setting == on, format!("echo {off} | sudo tee /{CPUS}/{file}")))
    })
}

/// Checks for conditions that disturb measurements. `root` is the root directory of the machine, and `accounting` is the method
/// that measures runs that start programs.
pub fn examine(root: &Root, accounting: Accounting) -> Vec<MachineFinding> {
    let governors = root.numbered(CPUS, "cpu");
    let governors = governors.iter().filter_map(|cpu| root.read(&format!("{cpu}/cpufreq/scaling_governor")));
    let governor = governors.max_by_key(|governor| governor != "performance");
    let is_fixed = governor.as_deref() == Some("performance");
    let turbo = turbo(root);
    let load = root.load();
    let limits = cgroup::Limits::of(root);
    let is_linux = root.read("proc/self/cgroup").is_some();
    let quota = match limits.cpus {
        Some(cpus) => Some(format!("{cpus:.2} CPUs for this control group")),
        None => is_linux.then(|| "none".to_owned()),
    };
    vec![
        finding("governor", governor, is_fixed, "sudo cpupower frequency-set -g performance"),
        finding(
            "turbo",
            turbo.as_ref().map(|(on, _)| if *on { "on" } else { "off" }.to_owned()),
            turbo.as_ref().is_some_and(|(on, _)| !on),
            turbo.as_ref().map_or("", |(_, advice)| advice),
        ),
        finding(
            "load",
            load.map(|load| format!("{load:.2} over the last minute")),
            load <= Some(MAX_LOAD),
            "wait, or stop the processes that use CPUs: ps -eo pid,pcpu,etime,args --sort=-pcpu | head",
        ),
        finding(
            "quota",
            quota,
            limits.cpus.is_none(),
            "run the container without a CPU quota, and bind it to CPUs instead: docker run --cpuset-cpus 0,1",
        ),
        finding("memory", is_linux.then(|| memory(root, limits.memory)), true, ""),
        finding("accounting", is_linux.then(|| description(accounting).to_owned()), true, ""),
    ]
}

/// A description of the method that measures runs that start programs.
fn description(accounting: Accounting) -> &'static str {
    match accounting {
        Accounting::Processes => "CPU time and memory of programs by process; peak memory is a lower bound",
        Accounting::GroupsForCpu => {
            "CPU time of programs by control group; peak memory by process, a lower bound"
        }
        Accounting::Groups => "CPU time and memory of programs by control group",
    }
}

/// A description of the memory limit, and of the number of processes that the system killed for lack of memory.
fn memory(root: &Root, limit: Option<u64>) -> String {
    let limit = limit.map_or_else(
        || "no limit for this control group".to_owned(),
        |bytes| format!("{} MiB for this control group", bytes >> 20),
    );
    match cgroup::OutOfMemoryKills::new(root).count() {
        None | Some(0) => limit,
        Some(1) => format!("{limit}; the system has killed 1 process for lack of memory"),
        Some(kills) => format!("{limit}; the system has killed {kills} processes for lack of memory"),
    }
}

/// The maximum load average that does not disturb measurements: one busy CPU for half of the last minute.
const MAX_LOAD: f64 = 0.5;

fn finding(check: &str, value: Option<String>, is_fine: bool, advice: &str) -> MachineFinding {
    let health = match &value {
        None => Health::Unknown,
        Some(_) if is_fine => Health::Fine,
        Some(_) => Health::Disturbs,
    };
    MachineFinding {
        check: check.to_owned(),
        health,
        value: value.unwrap_or_else(|| "this system does not report it".to_owned()),
        advice: (health == Health::Disturbs).then(|| advice.to_owned()),
    }
}

/// The names of the checks that found a disturbance.
pub fn disturbances(findings: &[MachineFinding]) -> Vec<&str> {
    let disturbing_findings = findings.iter().filter(|finding| finding.health == Health::Disturbs);
    disturbing_findings.map(|finding| finding.check.as_str()).collect()
}

/// A wait for a CPU is a disturbance only if it is longer than this duration and longer than a hundredth of the run.
const MIN_STALL: Duration = Duration::from_millis(1);

/// Whether other processes disturbed a run of duration `wall`. This is the case if the run lost its CPU at least once, and `stall`
/// is long enough. `stall` is the time during which some process of the machine waited for a CPU.
pub fn is_disturbed(involuntary_switches: u64, stall: Duration, wall: Duration) -> bool {
    involuntary_switches > 0 && stall > MIN_STALL.max(wall / 100)
}

/// The current time in UTC, as text (RFC 3339).
pub fn now() -> String {
    timestamp(SystemTime::now())
}

/// Formats a time as text (RFC 3339). A time before 1970 or after 9999 is replaced by the first or the last second of these years.
fn timestamp(time: SystemTime) -> String {
    let last_time = SystemTime::UNIX_EPOCH + Duration::from_secs(LAST_SECOND);
    humantime::format_rfc3339(time.clamp(SystemTime::UNIX_EPOCH, last_time)).to_string()
}

/// 9999-12-31T23:59:59Z.
const LAST_SECOND: u64 = 253_402_300_799;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_outside_rfc_3339_is_clamped() {
        let text_of = |seconds: u64| timestamp(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(text_of(0), "1970-01-01T00:00:00Z");
        assert_eq!(text_of(1_792_000_000), "2026-10-14T17:46:40Z");
        assert_eq!(text_of(253_402_300_800), "9999-12-31T23:59:59Z", "the year 10000");
        assert_eq!(text_of(1 << 40), "9999-12-31T23:59:59Z");
        let fraction = SystemTime::UNIX_EPOCH + Duration::new(1_792_000_000, 120_000_000);
        assert_eq!(timestamp(fraction), "2026-10-14T17:46:40.120000000Z");
        let before_1970 = SystemTime::UNIX_EPOCH - Duration::from_secs(1 << 40);
        assert_eq!(timestamp(before_1970), "1970-01-01T00:00:00Z");
    }

    const CPU: &str = "sys/devices/system/cpu";

    /// The root of a machine with these files.
    fn machine_with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("temporary directory");
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        root
    }

    /// The findings on a machine with these files.
    fn findings(files: &[(&str, &str)]) -> Vec<MachineFinding> {
        examine(&Root(machine_with(files).path().to_owned()), Accounting::Processes)
    }

    fn health(files: &[(&str, &str)]) -> Vec<Health> {
        findings(files).iter().map(|finding| finding.health).collect()
    }

    #[test]
    fn frequency_scaling_and_load_disturb_measurements() {
        use Health::{Disturbs, Fine, Unknown};
        assert_eq!(health(&[]), [Unknown; 6]);
        let path = |cpu| format!("{CPU}/cpu{cpu}/cpufreq/scaling_governor");
        let governor_finding =
            |second| findings(&[(&path(0), "performance\n"), (&path(1), second)]).remove(0);
        let mixed_finding = governor_finding("powersave\n");
        assert_eq!((mixed_finding.value.as_str(), mixed_finding.health), ("powersave", Disturbs));
        let advice = mixed_finding.advice.expect("some advice");
        assert!(advice.ends_with(" -g performance"), "{advice}");
        wording::assert_wording!("runlab", "advice about the governor", advice);
        assert_eq!(governor_finding("performance\n").health, Fine);
        let switches = [("intel_pstate/no_turbo", ["1", "0"]), ("cpufreq/boost", ["0", "1"])];
        for (file, [off, on]) in switches {
            let turbo = |value| findings(&[(&format!("{CPU}/{file}"), value)]).remove(1);
            assert_eq!((turbo(off).health, turbo(on).health), (Fine, Disturbs));
            assert_eq!(turbo(on).advice, Some(format!("echo {off} | sudo tee /{CPU}/{file}")));
        }
        for (load, expected) in [("1.25 0.80", Disturbs), ("0.20 0.80", Fine), ("x", Unknown)] {
            assert_eq!(health(&[("proc/loadavg", load)])[2], expected, "{load}");
        }
    }

    #[test]
    fn container_limits_are_reported_as_findings() {
        let files = |cpus, memory| {
            [
                ("proc/self/cgroup", "0::/\n"),
                ("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n"),
                ("sys/fs/cgroup/cpu.max", cpus),
                ("sys/fs/cgroup/memory.max", memory),
                ("sys/fs/cgroup/memory.events", "oom 4\noom_kill 3\n"),
            ]
        };
        let files_with_limits = files("30000 100000\n", "1073741824\n");
        let checks = findings(&files_with_limits);
        assert_eq!((checks[3].health, checks[4].health), (Health::Disturbs, Health::Fine));
        wording::assert_wording!("runlab", "a quota", &checks[3].value);
        wording::assert_wording!(
            "runlab",
            "advice about a quota",
            checks[3].advice.as_deref().unwrap_or_default()
        );
        wording::assert_wording!("runlab", "a limit of memory", &checks[4].value);
        let checks_without_limits = findings(&files("max 100000\n", "max\n"));
        assert_eq!(
            (checks_without_limits[3].health, checks_without_limits[4].health),
            (Health::Fine, Health::Fine)
        );
        wording::assert_wording!("runlab", "no limit of memory", &checks_without_limits[4].value);
        let directory = machine_with(&files_with_limits);
        let machine = Machine::with_root(&Root(directory.path().to_owned()));
        assert_eq!((machine.cpu_quota, machine.memory_limit_bytes), (Some(0.3), Some(1 << 30)));
    }

    #[test]
    fn accounting_method_is_never_a_disturbance() {
        let directory = machine_with(&[("proc/self/cgroup", "0::/\n")]);
        for accounting in [Accounting::Processes, Accounting::GroupsForCpu, Accounting::Groups] {
            let finding = examine(&Root(directory.path().to_owned()), accounting).remove(5);
            assert_eq!((finding.check.as_str(), finding.health), ("accounting", Health::Fine));
            wording::assert_wording!("runlab", &format!("accounting: {}", accounting.name()), finding.value);
        }
    }

    #[test]
    fn machine_identity_ignores_host_name_and_kernel() {
        let machine = Machine::current();
        let renamed_machine =
            Machine { host: "b".into(), kernel: "9".into(), memory_bytes: None, ..machine.clone() };
        assert_eq!(renamed_machine.differences(&machine), []);
        let changed_machine =
            Machine { os: "OS 2".into(), cores: machine.cores + 1, cpu_model: "x".into(), ..machine.clone() };
        let differences = changed_machine.differences(&machine);
        let properties: Vec<&str> = differences.iter().map(|differing| differing.property).collect();
        assert_eq!(properties, ["CPU", "number of cores", "operating system"]);
        assert_eq!((&differences[2].before, &differences[2].now), (&machine.os, &changed_machine.os));
    }

    #[test]
    fn each_disturbance_has_the_name_of_its_check() {
        let findings =
            findings(&[("proc/loadavg", "3.00 1 1 1/1 1"), (&format!("{CPU}/cpufreq/boost"), "1")]);
        assert_eq!(disturbances(&findings), ["turbo", "load"]);
    }

    #[test]
    fn run_is_disturbed_if_it_lost_the_cpu() {
        let ms = Duration::from_millis;
        let slightly_longer = |stall: Duration| stall + Duration::from_nanos(1);
        for (switches, stall, wall, expected) in [
            (1, slightly_longer(ms(1)), ms(10), true),
            (0, ms(500), ms(1000), false),
            (9, ms(1), ms(10), false),
            (9, ms(10), ms(1000), false),
            (9, slightly_longer(ms(10)), ms(1000), true),
        ] {
            assert_eq!(is_disturbed(switches, stall, wall), expected, "{switches} {stall:?} {wall:?}");
        }
    }
}
