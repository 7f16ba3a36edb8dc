//! Describes this machine for `meta.json`, since a sweep refuses to resume on a different one, and finds what disturbs
//! measurements on it. Without /proc and /sys, most values are empty or `unknown`.

use std::time::{Duration, SystemTime};

use crate::board::sizes::ranges;
use crate::os;
use crate::os::proc::Root;
use crate::record::{Finding, Health, Machine};
use crate::spec::CpuList;

/// Describes this machine.
pub fn machine() -> Machine {
    let root = Root::default();
    let unknown = || "unknown".to_owned();
    Machine {
        host: root.read("proc/sys/kernel/hostname").unwrap_or_else(unknown),
        os: os_name(&root),
        kernel: root.read("proc/sys/kernel/osrelease").unwrap_or_else(unknown),
        cpu_model: root.field("proc/cpuinfo", "model name").unwrap_or_else(unknown),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        governor: root.read(&format!("{CPUS}/cpu0/cpufreq/scaling_governor")),
        turbo: turbo(&root).map(|(on, _)| on),
        memory_bytes: root.bytes("proc/meminfo", "MemTotal"),
    }
}

fn os_name(root: &Root) -> String {
    let release = root.read("etc/os-release").unwrap_or_default();
    let pretty = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    pretty.map_or_else(|| std::env::consts::OS.to_owned(), |name| name.trim_matches('"').to_owned())
}

const CPUS: &str = "sys/devices/system/cpu";

/// Whether turbo is on, and the command that turns it off.
fn turbo(root: &Root) -> Option<(bool, String)> {
    let switches = [("intel_pstate/no_turbo", "0", "1"), ("cpufreq/boost", "1", "0")];
    switches.into_iter().find_map(|(file, on, off)| {
        let found = root.read(&format!("{CPUS}/{file}"))?;
        Some((found == on, format!("echo {off} | sudo tee /{CPUS}/{file}")))
    })
}

/// What could disturb measurements; the root is that of this machine, except in tests.
pub fn examine(root: &Root) -> Vec<Finding> {
    let governors = root.numbered(CPUS, "cpu");
    let governors = governors.iter().filter_map(|cpu| root.read(&format!("{cpu}/cpufreq/scaling_governor")));
    let governor = governors.max_by_key(|governor| governor != "performance");
    let is_fixed = governor.as_deref() == Some("performance");
    let turbo = turbo(root);
    let load = root.load();
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
            load <= Some(LOAD),
            "wait, or stop the processes that use CPUs: ps -eo pid,pcpu,etime,args --sort=-pcpu | head",
        ),
    ]
}

/// The largest load average that is fine: one busy CPU for half of the last minute.
const LOAD: f64 = 0.5;

fn finding(check: &str, found: Option<String>, is_fine: bool, advice: &str) -> Finding {
    let health = match &found {
        None => Health::Unknown,
        Some(_) if is_fine => Health::Fine,
        Some(_) => Health::Disturbs,
    };
    Finding {
        check: check.to_owned(),
        health,
        found: found.unwrap_or_else(|| "this system does not report it".to_owned()),
        advice: (health == Health::Disturbs).then(|| advice.to_owned()),
    }
}

/// A one-line warning that names the checks that found a disturbance; `None` if there are none.
pub fn warning(findings: &[Finding]) -> Option<String> {
    let disturbs = findings.iter().filter(|finding| finding.health == Health::Disturbs);
    let names: Vec<&str> = disturbs.map(|finding| finding.check.as_str()).collect();
    let names = (!names.is_empty()).then(|| names.join(", "))?;
    Some(format!("times may be unreliable (findings: {names}); run 'queenlab doctor' for advice"))
}

/// Checks that runs can be bound to these CPUs; the error says why not.
pub fn usable(cpus: &CpuList) -> Result<(), String> {
    let usable = os::usable_cpus().ok_or("this system cannot bind processes to CPUs")?;
    let other = cpus.numbers().iter().find(|cpu| !usable.contains(cpu));
    other.map_or(Ok(()), |cpu| Err(format!("this process cannot use CPU {cpu}, only {}", ranges(&usable))))
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

    const CPU: &str = "sys/devices/system/cpu";

    /// What is found on a machine with these files.
    fn found(files: &[(&str, &str)]) -> Vec<Finding> {
        let root = tempfile::tempdir().expect("temporary directory");
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        examine(&Root(root.path().to_owned()))
    }

    fn health(files: &[(&str, &str)]) -> Vec<Health> {
        found(files).iter().map(|finding| finding.health).collect()
    }

    #[test]
    fn variable_frequencies_and_load_disturb() {
        use Health::{Disturbs, Fine, Unknown};
        assert_eq!(health(&[]), [Unknown; 3]);
        let path = |cpu| format!("{CPU}/cpu{cpu}/cpufreq/scaling_governor");
        let governors = |second| found(&[(&path(0), "performance\n"), (&path(1), second)]).remove(0);
        let mixed = governors("powersave\n");
        assert_eq!((mixed.found.as_str(), mixed.health), ("powersave", Disturbs));
        let advice = mixed.advice.expect("some advice");
        assert!(advice.ends_with(" -g performance"), "{advice}");
        wording::assert_wording!("machine", "advice about the governor", advice);
        assert_eq!(governors("performance\n").health, Fine);
        let switches = [("intel_pstate/no_turbo", ["1", "0"]), ("cpufreq/boost", ["0", "1"])];
        for (file, [off, on]) in switches {
            let turbo = |value| found(&[(&format!("{CPU}/{file}"), value)]).remove(1);
            assert_eq!((turbo(off).health, turbo(on).health), (Fine, Disturbs));
            assert_eq!(turbo(on).advice, Some(format!("echo {off} | sudo tee /{CPU}/{file}")));
        }
        for (load, expected) in [("1.25 0.80", Disturbs), ("0.20 0.80", Fine), ("x", Unknown)] {
            assert_eq!(health(&[("proc/loadavg", load)])[2], expected, "{load}");
        }
    }

    #[test]
    fn the_warning_names_what_disturbs() {
        let found = found(&[("proc/loadavg", "3.00 1 1 1/1 1"), (&format!("{CPU}/cpufreq/boost"), "1")]);
        let warning = warning(&found).expect("a warning");
        assert!(warning.contains("turbo, load"), "{warning}");
        wording::assert_wording!("machine", "warning", warning);
    }
}
