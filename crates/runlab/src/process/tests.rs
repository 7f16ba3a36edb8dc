use std::sync::atomic::Ordering;

use supervise::process::Stopped;

use super::*;

/// Executes runs with a shell script, which gets the request on standard input.
fn shell(script: &str) -> Processes {
    Processes::new("sh", ["-c", script])
}

fn run<J: Serialize>(script: &str, job: &J, limits: RunLimits) -> Measured<u64> {
    let cancel = AtomicBool::new(false);
    let measured = shell(script).run(job, Kind::Timed, limits, Programs::None, &cancel).expect("sh starts");
    measured.expect("it is not cancelled")
}

fn report(script: &str) -> ProcessReport<u64> {
    run(script, &(), RunLimits::default()).report
}

#[test]
fn child_reads_job_of_any_size_from_stdin() {
    // On Linux, an argument has at most 128 KiB, and a pipe holds 64 KiB.
    for size in [0, 5000, 300_000] {
        let job = "x".repeat(size);
        let measured = run("tr -dc x | wc -c", &job, RunLimits::default());
        assert_eq!(measured.report, ProcessReport::Received(size as u64));
    }
}

#[test]
fn child_that_reads_no_job_is_still_limited() {
    let limits = RunLimits { time: Some(Duration::from_millis(100)), ..RunLimits::default() };
    let measured = run("exec sleep 600", &"x".repeat(1 << 20), limits);
    assert_eq!((measured.report, measured.ended.stopped), (ProcessReport::Missing, Some(Stopped::Deadline)));
    let measured = run("exec true", &"x".repeat(1 << 20), limits);
    assert_eq!(measured.report, ProcessReport::Missing);
}

#[test]
fn first_line_is_the_report_if_it_parses() {
    let received_report = report("read -r request; echo 42; echo more");
    let missing_report = report("read -r request; exit 3");
    let garbled_report = report("echo hello; exec sleep 600");
    let expected_reports =
        [ProcessReport::Received(42), ProcessReport::Missing, ProcessReport::Garbled("hello".to_owned())];
    assert_eq!([received_report, missing_report, garbled_report], expected_reports);
    let failed_run = run("echo 42; echo why >&2; exit 3", &(), RunLimits::default());
    assert_eq!((failed_run.report, failed_run.ended.status.code()), (ProcessReport::Received(42), Some(3)));
    assert_eq!(failed_run.ended.last_error_line().as_deref(), Some("why"));
}

#[test]
fn cancelled_run_has_no_result() {
    let cancel = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            shell("exec sleep 600").run::<_, u64>(
                &(),
                Kind::Timed,
                RunLimits::default(),
                Programs::None,
                &cancel,
            )
        });
        cancel.store(true, Ordering::Relaxed);
        assert!(thread.join().expect("no panic").expect("sh starts").is_none());
    });
}

#[cfg(target_os = "linux")]
#[test]
fn cpu_time_limit_stops_a_busy_run() {
    let limits = RunLimits { cpu: Some(Duration::from_millis(50)), ..RunLimits::default() };
    let measured = run("while :; do :; done", &(), limits);
    assert_eq!(measured.ended.stopped, Some(Stopped::CpuTime));
}

#[test]
fn runs_that_start_programs_have_a_temporary_directory() {
    let script = r#"read -r request; touch "$TMPDIR/file"; echo "\"$TMPDIR\"""#;
    let cancel = AtomicBool::new(false);
    let run = |programs| {
        let measured = shell(script).run(&(), Kind::Timed, RunLimits::default(), programs, &cancel);
        measured.expect("sh starts").expect("not cancelled").report
    };
    let ProcessReport::Received(directory) = run(Programs::Whole) else { panic!("a report") };
    let directory: String = directory;
    assert!(!directory.is_empty() && !Path::new(&directory).exists(), "{directory}");
}

/// A machine in whose control group three processes were killed for lack of memory.
fn machine() -> (tempfile::TempDir, Root) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |path: &str, text: &str| {
        let path = directory.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("written");
    };
    file("proc/self/cgroup", "0::/\n");
    file("proc/self/mountinfo", "30 23 0:26 / /group ro - cgroup2 cgroup2 rw\n");
    file("group/memory.events", "oom_kill 3\n");
    let root = Root(directory.path().to_owned());
    (directory, root)
}

#[test]
fn out_of_memory_kill_is_detected() {
    let (directory, machine) = machine();
    let events = directory.path().join("group/memory.events");
    let run = |script: String| {
        let cancel = AtomicBool::new(false);
        let processes = shell(&script).on_machine(machine.clone());
        let measured =
            processes.run::<_, u64>(&(), Kind::Timed, RunLimits::default(), Programs::None, &cancel);
        measured.expect("sh starts").expect("not cancelled")
    };
    // The script writes the number of kills, as the kernel does.
    let killed_run = run(format!("echo oom_kill 4 > '{}'; kill -KILL $$", events.display()));
    assert_eq!((killed_run.kills_for_memory, supervise::signal(killed_run.ended.status)), (true, Some(9)));
    assert!(!run("kill -KILL $$".to_owned()).kills_for_memory);
}

/// A process may fail before its job begins, for example if the system starts no thread. This is not a result of the job.
#[test]
fn process_that_cannot_be_prepared_is_an_error() {
    let cancel = AtomicBool::new(false);
    let report =
        serde_json::to_string(&NotPrepared { cannot_prepare: "no thread".to_owned() }).expect("JSON");
    let processes = shell(&format!("echo '{report}'; exit 1"));
    let error = processes.run::<_, u64>(&(), Kind::Timed, RunLimits::default(), Programs::None, &cancel);
    assert_eq!(error.err().map(|error| error.to_string()).as_deref(), Some("no thread"));
}

#[test]
fn missing_program_is_an_error() {
    let cancel = AtomicBool::new(false);
    let processes = Processes::new("/no/such/program", [""; 0]);
    let error = processes.run::<_, u64>(&(), Kind::Timed, RunLimits::default(), Programs::None, &cancel);
    assert_eq!(error.err().map(|error| error.kind()), Some(io::ErrorKind::NotFound));
}

#[test]
fn failed_allocations_are_recognised() {
    let message = "terminate called after throwing an instance of 'std::bad_alloc'";
    assert!(is_out_of_memory(message));
    assert!(!is_out_of_memory("Segmentation fault"));
}
