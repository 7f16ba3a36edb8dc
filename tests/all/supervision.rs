//! The resources of runs, including all processes that they start, and runs that were not supervised for some time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use queenlab::record::{Meta, Row, Status, Verdict};
use rustix::process::Signal;

use crate::harness::processes::{Guard, descendants, until};
use crate::harness::{assert_wording, read, rows, run_in, scratch, write};

/// An experiment with this setting, and with one run of one program, `sh program.sh`.
fn prepare(program: &str, setting: &str) -> tempfile::TempDir {
    let directory = scratch();
    write(directory.path(), "program.sh", program);
    let spec = format!(
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\ngoal = \"count\"\nrepeat = 1\ntimeout = \"1h\"\n{setting}\n\
         [[program]]\nid = \"p\"\ncommand = [\"sh\", \"program.sh\"]\n"
    );
    write(directory.path(), "x.toml", &spec);
    directory
}

const SWEEP: [&str; 4] = ["sweep", "x.toml", "--out", "r"];

/// Sweeps a program. Returns the directory and the only row.
fn sweep_of(program: &str, setting: &str) -> (tempfile::TempDir, Row) {
    let directory = prepare(program, setting);
    run_in(directory.path(), &SWEEP);
    let row = only_row(directory.path());
    (directory, row)
}

fn only_row(directory: &Path) -> Row {
    let mut rows = rows(&directory.join("r"));
    assert_eq!(rows.len(), 1, "{rows:?}");
    rows.remove(0)
}

/// User and system time.
fn cpu(row: &Row) -> Duration {
    let time = row.cpu_user_ns.zip(row.cpu_sys_ns).map(|(user, system)| user + system);
    Duration::from_nanos(time.unwrap_or_else(|| panic!("no CPU time: {row:?}")))
}

/// A script that starts a process in its own session, for which no process waits. This process uses the CPU, and then writes its
/// times to the file `times`.
const CPU_BURNER: &str = "cd $(dirname $0)\n\
    cat > burn.sh <<'END'\ni=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; times > written; mv written times\nEND\n\
    (setsid sh burn.sh &)\n\
    while ! [ -e times ]; do sleep 0.01; done\n";

/// The CPU time that the process of [`CPU_BURNER`] reports. The first line of `times` is like `0m0.310000s 0m0.020000s`, the user
/// and the system time.
fn reported_cpu_time(directory: &Path) -> Duration {
    let text = fs::read_to_string(directory.join("times")).expect("written before the answer");
    let times = text.lines().next().expect("a line").split(' ').map(|time| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').expect("minutes and seconds");
        let seconds = Duration::from_secs_f64(seconds.parse().expect("seconds"));
        seconds + Duration::from_secs(60 * minutes.parse::<u64>().expect("minutes"))
    });
    times.sum()
}

#[test]
fn cpu_time_includes_children_that_were_not_awaited() {
    let (directory, row) = sweep_of(&format!("{CPU_BURNER}echo 2\n"), "");
    assert_eq!((row.status, row.verdict), (Status::Complete, Verdict::Correct));
    let reported_cpu_time = reported_cpu_time(directory.path());
    // Both times are rounded.
    assert!(
        reported_cpu_time > Duration::from_millis(20)
            && cpu(&row) + Duration::from_millis(20) >= reported_cpu_time,
        "{reported_cpu_time:?} {row:?}"
    );
}

/// The program runs as a user who cannot make control groups, as in most containers. Only the superuser can become another user.
#[test]
fn cpu_time_is_complete_without_control_groups() {
    use std::os::unix::fs::PermissionsExt;

    if !rustix::process::getuid().is_root() {
        println!("not possible here: only the superuser can become another user");
        return;
    }
    let directory = prepare(&format!("{CPU_BURNER}echo 2\n"), "");
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o777)).expect("a directory of ours");
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", env!("CARGO_BIN_EXE_queenlab")]);
    command.args(SWEEP).current_dir(directory.path()).env("TMPDIR", directory.path());
    let output = command.output().expect("setpriv starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(accounting(directory.path()), "processes");
    let row = only_row(directory.path());
    assert!(cpu(&row) + Duration::from_millis(20) >= reported_cpu_time(directory.path()), "{row:?}");
}

/// A user may enter the groups that it makes, but may not leave a threaded group, because only `cgroup.procs` is delegated.
#[test]
fn cgroup_that_cannot_be_left_is_not_entered() {
    use std::os::unix::fs::{PermissionsExt, chown};

    const NOBODY: Option<u32> = Some(65534);
    let mounts = fs::read_to_string("/proc/self/mountinfo").expect("Linux");
    let groups = fs::read_to_string("/proc/self/cgroup").expect("Linux");
    let has_groups = mounts.contains(" - cgroup2 ") && groups.contains("0::/");
    let folder = has_groups.then(|| group_folder(&groups).join(format!("test-{}", std::process::id())));
    let created_folder =
        folder.filter(|folder| rustix::process::getuid().is_root() && fs::create_dir(folder).is_ok());
    let Some(folder) = created_folder else {
        println!("not possible here: only the superuser can delegate a control group");
        return;
    };
    let members = folder.join("cgroup.procs");
    for path in [&folder, &members] {
        chown(path, NOBODY, NOBODY).expect("the superuser may change owners");
    }
    let directory = prepare("echo 2\n", "");
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o777)).expect("a directory of ours");
    let script = "echo 0 > \"$0\" && exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(&members).arg(env!("CARGO_BIN_EXE_queenlab")).args(SWEEP);
    command.current_dir(directory.path()).env("TMPDIR", directory.path()).stdout(Stdio::null());
    let mut sweep = Guard::start(&mut command);
    let status = until("the sweep ends", || sweep.try_wait().expect("a child"));
    let removal = fs::remove_dir(&folder);
    assert_eq!(status.code(), Some(0));
    assert_eq!(accounting(directory.path()), "cgroup-cpu");
    removal.expect("no group is left in it");
}

/// A run is stopped because of the CPU time of a descendant for which no process waits. The recorded CPU time must include the time
/// of the descendant.
#[test]
fn cpu_time_of_stopped_run_includes_descendants() {
    let endless_program = "(setsid sh -c 'while :; do :; done' &)\nexec sleep 600\n";
    let (_directory, row) = sweep_of(endless_program, "cpu_timeout = \"300ms\"");
    assert_eq!(row.status, Status::Timeout, "{row:?}");
    assert!(cpu(&row) >= Duration::from_millis(300), "{row:?}");
    // The recorded time of a failed run also includes the time of descendants.
    let (directory, row) = sweep_of(&format!("{CPU_BURNER}exit 3\n"), "");
    assert_eq!((row.status, row.exit_code), (Status::Crashed, Some(3)));
    assert!(cpu(&row) + Duration::from_millis(20) >= reported_cpu_time(directory.path()), "{row:?}");
}

/// Eight processes together exceed the limit, although each of them uses much less: a shell may need three times the memory of a
/// text that it stores. The last command of a shell may replace the shell and its memory, so a command follows the one that waits.
#[test]
fn memory_limit_holds_for_all_processes_together() {
    let child = "(x=$(head -c 20000000 /dev/zero | tr '\\0' a); sleep 600; echo) &\n";
    let (_directory, row) = sweep_of(&format!("{}wait\n", child.repeat(8)), "memory = \"100MiB\"");
    assert_eq!(row.status, Status::Memout, "{row:?}");
    assert!(row.peak_rss_bytes > row.memory_limit_bytes, "{row:?}");
    assert_eq!(row.outcome_reason.as_deref(), Some(queenlab::record::MEMORY_STOP_REASON));
}

/// The folder of a process in the hierarchy of version 2, from the text of `/proc/PID/cgroup`.
fn group_folder(text: &str) -> PathBuf {
    let group = text.lines().find_map(|line| line.strip_prefix("0::/")).expect("a group");
    let mounts = fs::read_to_string("/proc/self/mountinfo").expect("Linux");
    let mount = mounts.lines().find(|line| line.contains(" - cgroup2 ")).expect("it is mounted");
    Path::new(mount.split(' ').nth(4).expect("a mount point")).join(group)
}

/// How the last session of a sweep measured programs, from `meta.json`. If control groups are not available, prints a
/// remark.
fn accounting(directory: &Path) -> String {
    let meta = Meta::read(&directory.join("r")).expect("readable").expect("it exists");
    let accounting = meta.sessions.last().and_then(|session| session.accounting.clone()).expect("recorded");
    if accounting == "processes" {
        println!(
            "not possible here: sweeps cannot make control groups; runs are measured by their processes"
        );
    }
    accounting
}

#[test]
fn each_program_runs_in_its_own_cgroup() {
    let program =
        "cd $(dirname $0)\ncat /proc/self/cgroup > program\ncat /proc/$PPID/cgroup > parent\necho 2\n";
    let (directory, row) = sweep_of(program, "");
    assert_eq!((row.status, row.verdict), (Status::Complete, Verdict::Correct));
    let [program, parent] = ["program", "parent"].map(|name| read(directory.path(), name));
    let doctor = run_in(directory.path(), &["doctor", "--json"]).1;
    let is_by_group = accounting(directory.path()).starts_with("cgroup");
    assert_eq!(is_by_group, doctor.contains("by control group"), "{doctor}");
    // The process that judges the output is not in the group.
    assert_eq!(program != parent, is_by_group, "{program} {parent}");
    if is_by_group {
        assert!(cpu(&row) > Duration::ZERO, "{row:?}");
        let folder = group_folder(&program);
        assert!(!folder.exists(), "{folder:?}");
        assert!(group_folder(&parent).exists(), "{parent}");
    }
}

#[test]
fn next_sweep_removes_cgroup_of_killed_sweep() {
    let program = "cd $(dirname $0)\ncat /proc/self/cgroup > group.tmp\nmv group.tmp group\nexec sleep 600\n";
    let directory = prepare(program, "");
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(SWEEP).current_dir(directory.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let sweep = Guard::start(&mut command);
    until("the program starts", || directory.path().join("group").exists().then_some(()));
    if accounting(directory.path()) == "processes" {
        return;
    }
    let folder = group_folder(&read(directory.path(), "group"));
    assert!(folder.exists(), "{folder:?}");
    sweep.signal(Signal::KILL);
    sweep.output();
    write(directory.path(), "program.sh", "echo 2\n");
    let (code, _, stderr) = run_in(directory.path(), &[&SWEEP[..], &["--accept"]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert!(!folder.exists(), "{folder:?}");
}

/// A sweep whose program has started and waits for the file `go`.
struct WaitingSweep {
    directory: tempfile::TempDir,
    start_time: Instant,
    sweep: Guard,
}

impl WaitingSweep {
    fn start() -> Self {
        let program = "cd $(dirname $0)\necho x >> starts\nwhile ! [ -e go ]; do sleep 0.01; done\necho $$ > answered\necho 2\n";
        let directory = prepare(program, "");
        let start_time = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
        command.args(SWEEP).current_dir(directory.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let sweep = Guard::start(&mut command);
        until("the program starts", || directory.path().join("starts").exists().then_some(()));
        Self { directory, start_time, sweep }
    }

    /// Whether a process cannot run: it is stopped, waits for a stopped child to execute a program, or has ended and its stopped
    /// parent has not reaped it.
    fn is_stopped(process: u32) -> bool {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, fields)| fields.starts_with(['T', 'D', 'Z']))
    }

    fn until_stopped(&self) {
        until("the sweep is stopped", || Self::is_stopped(self.sweep.id()).then_some(()));
    }

    /// Lets the program answer, and waits for the end of the sweep. Passes the warnings, the row, and the number of starts of the
    /// program to `evaluate`.
    fn finish<T>(self, evaluate: impl FnOnce(Vec<String>, Row, usize) -> T) -> T {
        write(self.directory.path(), "go", "");
        let output = self.sweep.output();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let starts = fs::read_to_string(self.directory.path().join("starts")).expect("it was started");
        let row = only_row(self.directory.path());
        assert_eq!((row.status, row.verdict), (Status::Complete, Verdict::Correct));
        let meta = Meta::read(&self.directory.path().join("r")).expect("readable").expect("it exists");
        // Whether other processes disturbed the times depends on the load of the machine.
        let warnings = meta.warnings.into_iter().filter(|warning| !warning.starts_with("times "));
        evaluate(warnings.collect(), row, starts.lines().count())
    }
}

#[test]
fn pausing_a_sweep_stops_runs_and_clocks() {
    let waiting = WaitingSweep::start();
    waiting.sweep.signal(Signal::TSTP);
    waiting.until_stopped();
    let pause_start = Instant::now();
    until("every process of the run is stopped", || {
        let processes = descendants(waiting.sweep.id());
        let are_stopped = processes.iter().all(|&process| WaitingSweep::is_stopped(process));
        (!processes.is_empty() && are_stopped).then_some(())
    });
    std::thread::sleep(Duration::from_secs(1));
    let pause_duration = pause_start.elapsed();
    waiting.sweep.signal(Signal::CONT);
    let start_time = waiting.start_time;
    let (row, starts) = waiting.finish(|_, row, starts| (row, starts));
    let max_time = start_time.elapsed() - pause_duration;
    assert_eq!(starts, 1, "the program was started again");
    for time in [row.wall_ns, row.solve_ns] {
        assert!(Duration::from_nanos(time.expect("measured")) <= max_time, "{row:?} {max_time:?}");
    }
}

/// `check` starts the program again, and judges its second answer.
#[test]
fn check_repeats_program_that_ran_unsupervised() {
    let program = "cd $(dirname $0)\necho x >> starts\n[ $(wc -l < starts) -gt 1 ] && { echo '1 3 0 2'; echo '2 0 3 1'; exit; }\n\
        while ! [ -e go ]; do sleep 0.01; done\necho $$ > answered\n";
    let directory = prepare(program, "");
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(["check", "4", "--timeout", "10m", "--", "sh", "program.sh"]).current_dir(directory.path());
    let check = Guard::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
    let check_exists = |file: &str| directory.path().join(file).exists().then_some(());
    until("the program starts", || check_exists("starts"));
    check.signal(Signal::STOP);
    until("the check is stopped", || WaitingSweep::is_stopped(check.id()).then_some(()));
    write(directory.path(), "go", "");
    until("the program ends", || check_exists("answered"));
    std::thread::sleep(Duration::from_millis(300));
    check.signal(Signal::CONT);
    assert_eq!(check.output().status.code(), Some(0));
    assert_eq!(read(directory.path(), "starts").lines().count(), 2);
}

/// The program answers in time while the sweep is stopped, so that its time is not measured.
#[test]
fn unsupervised_run_is_repeated_with_warning() {
    let waiting = WaitingSweep::start();
    waiting.sweep.signal(Signal::STOP);
    waiting.until_stopped();
    write(waiting.directory.path(), "go", "");
    until("the program answers", || waiting.directory.path().join("answered").exists().then_some(()));
    std::thread::sleep(Duration::from_millis(300));
    waiting.sweep.signal(Signal::CONT);
    let (warnings, starts) = waiting.finish(|warnings, _, starts| (warnings, starts));
    assert_eq!((starts, warnings.len()), (2, 1), "{warnings:?}");
    assert_wording("sweep", "a run that nobody supervised", &warnings[0]);
}
