//! Signals that end a command, and signals that were ignored when it started.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::Signal;

use queenlab::record::{Row, table};

use crate::attacks::command_line::program;
use crate::harness::processes::{Guard, until};
use crate::harness::{interrupting_signals, rows, run_in, scratch, with_ids, write};

/// Waits until the program has installed its signal handlers. Returns the handled and the ignored signals as bit masks.
fn dispositions(child: &mut Child) -> [u64; 2] {
    until("the program handles signals", || {
        if let Some(status) = child.try_wait().expect("a child") {
            panic!("the program ended before it handled signals: {status}");
        }
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let mask = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            u64::from_str_radix(line.trim(), 16).ok()
        };
        let masks = [mask("SigCgt:")?, mask("SigIgn:")?];
        (masks[0] & signal_bit(Signal::TERM) != 0).then_some(masks)
    })
}

pub fn exit_code(child: &mut Child) -> Option<i32> {
    let command = std::fs::read_to_string(format!("/proc/{}/cmdline", child.id())).unwrap_or_default();
    let awaited_event = format!("the end of '{}'", command.replace('\0', " "));
    until(&awaited_event, || child.try_wait().expect("a child")).code()
}

fn signal_bit(signal: Signal) -> u64 {
    1 << (signal.as_raw() - 1)
}

const ENDLESS: [&str; 8] =
    ["sweep", "--n", "24", "--solver", "backtrack/bitmask", "--timeout", "1h", "--progress=plain"];

#[test]
#[ignore = "long: an attack"]
fn signals_ignored_at_the_start_stay_ignored() {
    for (name, signal) in [("HUP", Signal::HUP), ("INT", Signal::INT)] {
        let directory = scratch();
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("trap '' {name}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_queenlab")])
            .args(ENDLESS)
            .current_dir(directory.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut running = Guard::start(&mut command);
        let [handled, ignored] = dispositions(&mut running);
        assert_eq!(
            (handled & signal_bit(signal), ignored & signal_bit(signal)),
            (0, signal_bit(signal)),
            "SIG{name}"
        );
        running.signal(signal);
        running.signal(Signal::TERM);
        assert_eq!(exit_code(&mut running), Some(130));
    }
}

#[test]
#[ignore = "long: an attack"]
fn signals_not_ignored_at_the_start_are_handled() {
    let directory = scratch();
    let mut command = program(directory.path(), &ENDLESS);
    let mut running = Guard::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
    let [handled, _] = dispositions(&mut running);
    for signal in interrupting_signals() {
        assert_ne!(handled & signal_bit(signal), 0, "{signal:?}");
    }
}

#[test]
#[ignore = "long: an attack"]
fn every_long_command_exits_with_130_when_interrupted() {
    let directory = scratch();
    std::fs::create_dir(directory.path().join("class")).expect("a directory");
    write(&directory.path().join("class"), "slow.sh", "sleep 600\n");
    let commands: &[&[&str]] = &[
        &["check", "--batch", "class", "--n", "4", "--timeout", "1h"],
        &["count", "25", "--threads", "1"],
        &["count", "100", "--estimate", "--probes", "1000000000000"],
        &["generate", "completion", "1000", "--queens", "1000"],
        &["generate", "excluded-diagonals", "1024", "--count", "2000"],
        &["certify", "14", "--symmetry", "full", "--out", "q"],
        &["certify", "14", "--method", "backtrack", "--out", "q"],
        &ENDLESS,
        &["verify", "16"],
        &["solve", "20", "--all"],
        &["check", "20", "--timeout", "1h", "--", "sleep", "600"],
        &["count", "27", "--shard", "2/3", "--out", "shards", "--threads", "1"],
        &["check", "8", "never"],
    ];
    rustix::fs::mkfifoat(rustix::fs::CWD, directory.path().join("never"), rustix::fs::Mode::RWXU)
        .expect("a FIFO to which no process writes");
    for arguments in commands {
        for signal in interrupting_signals() {
            let mut command = program(directory.path(), arguments);
            let mut running = Guard::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
            dispositions(&mut running);
            running.signal(signal);
            assert_eq!(exit_code(&mut running), Some(130), "{arguments:?}");
            assert!(!directory.path().join("q").exists(), "an interrupted proof left a certificate");
        }
    }
}

/// The number of bytes that a process has read.
fn bytes_read(child: &Child) -> Option<u64> {
    let io = std::fs::read_to_string(format!("/proc/{}/io", child.id())).ok()?;
    io.lines().find_map(|line| line.strip_prefix("rchar: "))?.parse().ok()
}

/// The additional rows belong to an earlier plan, so the sweep has no run to do. Without the signal, it would exit with 0.
#[test]
#[ignore = "long: an attack"]
fn sweep_reading_a_long_table_ends_when_interrupted() {
    let directory = scratch();
    let sweep = ["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--repeat", "1", "--out", "r", "-q"];
    let (code, _, stderr) = run_in(directory.path(), &sweep);
    assert_eq!(code, 0, "{stderr}");
    let out = directory.path().join("r");
    let mut all_rows = rows(&out);
    let first_row = all_rows[0].clone();
    all_rows.extend((0..200_000).map(|seed| with_ids(Row { n: 7, seed, ..first_row.clone() })));
    table::write(&out, &all_rows).expect("written");
    let size = |path: &Path| std::fs::metadata(path).expect("a file").len();
    // The sweep reads its executable to compute the digest. It reads the table twice: to look for an earlier sweep, and for its
    // rows.
    let expected_bytes = size(env!("CARGO_BIN_EXE_queenlab").as_ref()) + 2 * size(&out.join("runs.csv"));
    for signal in interrupting_signals() {
        let mut command = program(directory.path(), &sweep);
        let mut running = Guard::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
        until("the table is read", || bytes_read(&running).filter(|&bytes| bytes >= expected_bytes));
        running.signal(signal);
        assert_eq!(exit_code(&mut running), Some(130), "{signal:?}");
    }
}
