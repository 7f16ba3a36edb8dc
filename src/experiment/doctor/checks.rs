//! One function per check. Each returns what it found and, if that disturbs measurements, how to correct it.

use super::{Finding, Root, disturbs, fine, unknown, unreported};

const CPUS: &str = "sys/devices/system/cpu";

/// The largest load average that is fine: one busy CPU for half of the last minute.
const LOAD: f64 = 0.5;

/// Temperature in degrees Celsius from which CPUs may slow down.
const HOT: f64 = 85.0;

/// The largest acceptable share of CPU time taken by the host, in percent.
const STEAL: f64 = 1.0;

pub fn governor(root: &Root) -> Finding {
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

pub fn turbo(root: &Root) -> Finding {
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

pub fn smt(root: &Root) -> Finding {
    match root.read(&format!("{CPUS}/smt/active")).as_deref() {
        None => unreported(),
        Some("1") => disturbs(
            "on: two logical CPUs share a core",
            format!("echo off | sudo tee /{CPUS}/smt/control, or --pin to one CPU per core"),
        ),
        Some(_) => fine("off"),
    }
}

pub fn load(root: &Root) -> Finding {
    match root.load() {
        None => unreported(),
        Some(load) if load > LOAD => disturbs(
            format!("{load:.2} over the last minute"),
            "wait, or stop the processes that use CPUs: ps -eo pid,pcpu,etime,args --sort=-pcpu | head",
        ),
        Some(load) => fine(format!("{load:.2} over the last minute")),
    }
}

pub fn swap(root: &Root) -> Finding {
    let memory = |key| root.bytes("proc/meminfo", key);
    let (Some(total), Some(free)) = (memory("SwapTotal"), memory("SwapFree")) else {
        return unreported();
    };
    match (total >> 20, total.saturating_sub(free) >> 20) {
        (0, _) => fine("none"),
        (total, 0) => fine(format!("{total} MiB, none of it in use")),
        (total, used) => {
            let found = format!("{used} of {total} MiB in use: runs may have to wait for the disk");
            disturbs(found, "sudo swapoff -a")
        }
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

pub fn cpu_limit(root: &Root) -> Finding {
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

pub fn memory_limit(root: &Root) -> Finding {
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

pub fn virtual_machine(root: &Root) -> Finding {
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

pub fn steal(root: &Root) -> Finding {
    let times = root.read("proc/stat").and_then(|text| {
        let line = text.lines().next()?.strip_prefix("cpu ")?.to_owned();
        line.split_whitespace().map(|field| field.parse::<f64>().ok()).collect::<Option<Vec<f64>>>()
    });
    let (Some(times), true) = (&times, times.as_ref().is_some_and(|times| times.len() >= 8)) else {
        return unreported();
    };
    // user nice system idle iowait irq softirq steal; the fields after them are included in the first two.
    let percent = 100.0 * times[7] / times[..8].iter().sum::<f64>().max(1.0);
    let found = format!("the host took {percent:.1} % of CPU time since boot");
    if percent > STEAL {
        disturbs(found, "use a dedicated host, or measure at another time")
    } else {
        fine(found)
    }
}

/// A container costs no time; its limits are reported by other checks.
pub fn container(root: &Root) -> Finding {
    let marks = [(".dockerenv", "docker"), ("run/.containerenv", "podman")];
    let marked = marks.into_iter().find(|(mark, _)| root.exists(mark)).map(|(_, name)| name.to_owned());
    match root.read("run/systemd/container").or(marked) {
        Some(name) => fine(name),
        None => fine("none detected"),
    }
}

pub fn thermal(root: &Root) -> Finding {
    let cpus = root.numbered(CPUS, "cpu");
    let count = |cpu: &String| root.number::<u64>(&format!("{cpu}/thermal_throttle/core_throttle_count"));
    let throttled: Vec<u64> = cpus.iter().filter_map(count).collect();
    let zones = root.numbered("sys/class/thermal", "thermal_zone");
    let degrees = |zone: &String| root.number::<f64>(&format!("{zone}/temp")).map(|milli| milli / 1000.0);
    let hottest = zones.iter().filter_map(degrees).max_by(f64::total_cmp);
    let times: u64 = throttled.iter().sum();
    let found = match (hottest, throttled.is_empty()) {
        (None, true) => return unknown("this system does not report temperatures"),
        (Some(degrees), true) => format!("{degrees:.0} °C"),
        (None, false) => format!("throttled {times} times since boot"),
        (Some(degrees), false) => format!("{degrees:.0} °C; throttled {times} times since boot"),
    };
    if times > 0 || hottest.is_some_and(|degrees| degrees >= HOT) {
        disturbs(found, "let the machine cool down, clean its fans, or turn turbo off")
    } else {
        fine(found)
    }
}

pub fn clock(root: &Root) -> Finding {
    let folder = "sys/devices/system/clocksource/clocksource0";
    match root.read(&format!("{folder}/current_clocksource")) {
        None => unreported(),
        // Reading these takes a system call or a slow device access.
        Some(slow) if ["hpet", "acpi_pm", "jiffies", "refined-jiffies", "xen"].contains(&slow.as_str()) => {
            let advice = format!("echo tsc | sudo tee /{folder}/current_clocksource");
            disturbs(format!("{slow}: slow to read"), advice)
        }
        Some(name) => fine(name),
    }
}
