//! Describes this machine for `meta.json`; a sweep refuses to resume on a different one. On
//! systems without /proc and /sys, most values are empty or `unknown`.

use std::time::{Duration, SystemTime};

use crate::experiment::cpus::CpuList;
use crate::os;
use crate::os::proc::Root;
use crate::record::Machine;

/// Describes this machine.
pub fn machine() -> Machine {
    let root = Root::default();
    let governor = root.read("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    let no_turbo = root.read("sys/devices/system/cpu/intel_pstate/no_turbo").map(|value| value == "1");
    let boost = root.read("sys/devices/system/cpu/cpufreq/boost").map(|value| value == "1");
    let unknown = || "unknown".to_owned();
    Machine {
        host: root.read("proc/sys/kernel/hostname").unwrap_or_else(unknown),
        os: os_name(&root),
        kernel: root.read("proc/sys/kernel/osrelease").unwrap_or_else(unknown),
        cpu_model: root.field("proc/cpuinfo", "model name").unwrap_or_else(unknown),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        governor,
        turbo: no_turbo.map(|off| !off).or(boost),
        memory_bytes: root.bytes("proc/meminfo", "MemTotal"),
    }
}

fn os_name(root: &Root) -> String {
    let release = root.read("etc/os-release").unwrap_or_default();
    let pretty = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    pretty.map_or_else(|| std::env::consts::OS.to_owned(), |name| name.trim_matches('"').to_owned())
}

/// Checks that runs can be bound to these CPUs; the error says why not.
pub fn usable(cpus: &CpuList) -> Result<(), String> {
    let Some(usable) = os::usable_cpus() else {
        return Err("this system cannot bind processes to CPUs".to_owned());
    };
    let Some(cpu) = cpus.numbers().iter().find(|cpu| !usable.contains(cpu)) else { return Ok(()) };
    let present = Root::default().number::<CpuList>("sys/devices/system/cpu/present");
    let usable: Vec<String> = usable.iter().map(usize::to_string).collect();
    let usable = usable.join(",").parse::<CpuList>().map_or(String::new(), |list| list.to_string());
    Err(match present.is_none_or(|present| present.numbers().contains(cpu)) {
        true => format!("this process is not allowed to use CPU {cpu}, only {usable}"),
        false => format!("this machine has no CPU {cpu}, only {usable}"),
    })
}

/// The current time in UTC, in the format of the tables (RFC 3339).
pub fn now() -> String {
    timestamp(SystemTime::now())
}

/// The tables have the years 1970 to 9999. A clock outside of that range is reported as its nearer end.
fn timestamp(time: SystemTime) -> String {
    let last = SystemTime::UNIX_EPOCH + Duration::from_secs(LAST_SECOND);
    humantime::format_rfc3339(time.clamp(SystemTime::UNIX_EPOCH, last)).to_string()
}

/// 9999-12-31T23:59:59Z.
const LAST_SECOND: u64 = 253_402_300_799;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_beyond_the_calendar_does_not_panic() {
        let after = |seconds: u64| timestamp(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(after(0), "1970-01-01T00:00:00Z");
        assert_eq!(after(1_792_000_000), "2026-10-14T17:46:40Z");
        assert_eq!(after(253_402_300_800), after(1 << 40), "from the year 10000 on");
        assert_eq!(after(1 << 40), "9999-12-31T23:59:59Z");
        let fraction = SystemTime::UNIX_EPOCH + Duration::new(1_792_000_000, 120_000_000);
        assert_eq!(timestamp(fraction), "2026-10-14T17:46:40.120000000Z");
        let before = SystemTime::UNIX_EPOCH - Duration::from_secs(1 << 40);
        assert_eq!(timestamp(before), "1970-01-01T00:00:00Z");
    }
}
