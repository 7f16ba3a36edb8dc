//! What machine and what build this is: for `meta.json`, and to refuse to go on elsewhere.
//! Reads /proc and /sys where there are such; elsewhere much of it is empty.

use std::fs;
use std::path::Path;

use crate::experiment::plan::sha256_hex;
use crate::record::Machine;

fn read(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The value of the first line `key : value` or `key: value` of a /proc file.
fn field(path: &str, key: &str) -> Option<String> {
    let text = read(path)?;
    let line = text.lines().find(|line| line.split(':').next().is_some_and(|k| k.trim() == key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// This machine.
pub fn machine() -> Machine {
    let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    let no_turbo = read("/sys/devices/system/cpu/intel_pstate/no_turbo").map(|value| value == "1");
    let boost = read("/sys/devices/system/cpu/cpufreq/boost").map(|value| value == "1");
    let memory = field("/proc/meminfo", "MemTotal")
        .and_then(|value| value.strip_suffix("kB")?.trim().parse::<u64>().ok());
    let unknown = || "unknown".to_owned();
    Machine {
        host: read("/proc/sys/kernel/hostname").unwrap_or_else(unknown),
        os: os_name(),
        kernel: read("/proc/sys/kernel/osrelease").unwrap_or_else(unknown),
        cpu_model: field("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        governor,
        turbo: no_turbo.map(|off| !off).or(boost),
        memory_bytes: memory.map(|kibibytes| kibibytes * 1024),
    }
}

fn os_name() -> String {
    let release = read("/etc/os-release").unwrap_or_default();
    let pretty = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    pretty.map_or_else(|| std::env::consts::OS.to_owned(), |name| name.trim_matches('"').to_owned())
}

/// Load average of the last minute.
pub fn load() -> Option<f64> {
    read("/proc/loadavg")?.split(' ').next()?.parse().ok()
}

/// SHA-256 of an executable.
pub fn executable_sha256(path: &Path) -> std::io::Result<String> {
    Ok(sha256_hex(&fs::read(path)?))
}
