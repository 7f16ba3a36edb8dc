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
    assert_eq!(names, super::names()[..12]);
    assert!(found.iter().all(|finding| finding.health != Health::Disturbs), "{found:?}");
    assert_eq!(warning(&found), None);
    for check in ["governor", "turbo", "SMT", "load", "swap", "CPU limit", "memory limit", "steal", "clock"] {
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
    let smt = format!("{CPU}/smt/active");
    says("SMT", &[(&smt, "1\n")], Health::Disturbs, "share a core", "smt/control");
    says("SMT", &[(&smt, "0\n")], Health::Fine, "off", "");
}

#[test]
fn load_swap_and_heat_disturb() {
    says("load", &[("proc/loadavg", "1.25 0.80 0.40 2/300 99\n")], Health::Disturbs, "1.25", "ps -eo");
    says("load", &[("proc/loadavg", "0.20 0.80 0.40 2/300 99\n")], Health::Fine, "0.20", "");
    let swap =
        |total: u64, free: u64| format!("MemTotal: 1 kB\nSwapTotal:  {total} kB\nSwapFree: {free} kB\n");
    let with = |text: &str, health, found| says("swap", &[("proc/meminfo", text)], health, found, "");
    with(&swap(0, 0), Health::Fine, "none");
    with(&swap(2048, 2048), Health::Fine, "2 MiB, none of it");
    with(&swap(4096, 2048), Health::Disturbs, "2 of 4 MiB");
    let zone = "sys/class/thermal/thermal_zone0/temp";
    says("thermal", &[(zone, "45000\n")], Health::Fine, "45 °C", "");
    says("thermal", &[(zone, "91500\n")], Health::Disturbs, "92 °C", "cool down");
    let throttled = format!("{CPU}/cpu0/thermal_throttle/core_throttle_count");
    says("thermal", &[(&throttled, "12\n"), (zone, "45000\n")], Health::Disturbs, "12 times", "cool");
    says("thermal", &[(&throttled, "0\n")], Health::Fine, "0 times", "");
}

#[test]
fn limits_of_both_versions_of_cgroups_are_found_also_those_around_the_own_group() {
    let of_2 = ("proc/self/cgroup", "0::/user/me\n");
    says("CPU limit", &[of_2, ("sys/fs/cgroup/user/me/cpu.max", "max 100000\n")], Health::Fine, "none", "");
    let around = ("sys/fs/cgroup/user/cpu.max", "150000 100000\n");
    says("CPU limit", &[of_2, around], Health::Disturbs, "1.50 CPUs", "--cpus");
    let of_1 = ("proc/self/cgroup", "4:memory:/job\n3:cpu,cpuacct:/job\n");
    let quota = |us| [of_1, ("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", us)];
    let period = ("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    says("CPU limit", &[&quota("50000\n")[..], &[period]].concat(), Health::Disturbs, "0.50 CPUs", "");
    says("CPU limit", &[&quota("-1\n")[..], &[period]].concat(), Health::Fine, "none", "");
    // In a container the path is that of the host, and the limit is in the root folder.
    let inside = [("proc/self/cgroup", "0::/../elsewhere\n"), ("sys/fs/cgroup/cpu.max", "100000 100000\n")];
    says("CPU limit", &inside, Health::Disturbs, "1.00 CPUs", "");
    let memory = ("proc/meminfo", "MemTotal: 1048576 kB\n");
    let limit = |bytes| [of_2, memory, ("sys/fs/cgroup/user/me/memory.max", bytes)];
    says("memory limit", &limit("536870912\n"), Health::Disturbs, "512 MiB", "--memory");
    says("memory limit", &limit("max\n"), Health::Fine, "none", "");
    let none = ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
    says("memory limit", &[of_1, memory, none], Health::Fine, "none", "");
}

#[test]
fn virtual_machines_their_hosts_containers_and_slow_clocks_are_named() {
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
    let stat = |steal: u64| format!("cpu  100 0 100 700 0 0 0 {steal} 0 0\ncpu0 1 2\n");
    says("steal", &[("proc/stat", &stat(100))], Health::Disturbs, "10.0 %", "host");
    says("steal", &[("proc/stat", &stat(1))], Health::Fine, "0.1 %", "");
    says("container", &[(".dockerenv", "")], Health::Fine, "docker", "");
    says("container", &[("run/systemd/container", "lxc\n")], Health::Fine, "lxc", "");
    let clock = "sys/devices/system/clocksource/clocksource0/current_clocksource";
    says("clock", &[(clock, "tsc\n")], Health::Fine, "tsc", "");
    says("clock", &[(clock, "hpet\n")], Health::Disturbs, "hpet", "echo tsc | sudo tee");
}

#[test]
fn malformed_files_are_unknown_or_fine() {
    for text in ["", "\0\u{fffd}", "x", ":", "cpu ", "-1 -1", "99999999999999999999999", "cpu 1 2 3"] {
        let files = [
            "proc/loadavg",
            "proc/meminfo",
            "proc/stat",
            "proc/cpuinfo",
            "proc/self/cgroup",
            "sys/fs/cgroup/cpu.max",
            "sys/class/thermal/thermal_zone0/temp",
        ];
        let found = examine(machine(&files.map(|file| (file, text))).path());
        assert_eq!(found.len(), 12);
    }
}

#[test]
fn the_warning_names_what_disturbs() {
    let root = machine(&[("proc/loadavg", "3.00 1 1 1/1 1"), (&format!("{CPU}/smt/active"), "1")]);
    let warning = warning(&examine(root.path())).expect("a warning");
    assert_eq!(warning, "times may be unreliable (findings: SMT, load); run 'queenlab doctor' for advice");
}
