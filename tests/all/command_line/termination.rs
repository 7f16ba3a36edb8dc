//! When `sweep` or `check` ends for any reason, every process that it started ends. The result directory of a sweep is then
//! released.

use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::Signal;

use crate::harness::{assert_wording, interrupting_signals, run_in, scratch, write};
use crate::processes::{Guard, descendants, signal_process, until, until_gone};

const PROGRAM: &str = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n[[program]]\nid = \"p\"\n\
                       command = [\"sh\", \"-c\", \"sleep 600; echo never\"]\n";

/// Arguments of sweeps whose first run does not end during the test, and the number of processes of that run.
const ENDLESS: [(&[&str], usize); 3] = [
    (&["--n", "24", "--solver", "backtrack/bitmask", "--timeout", "1h"], 1),
    (&["x.toml"], 3),
    (&["--n", "4", "--solver", "sat/pairwise/external", "--sat", "external=sh slow.sh {cnf}"], 3),
];

fn start(directory: &Path, arguments: &[&str]) -> Guard {
    write(directory, "x.toml", PROGRAM);
    write(directory, "slow.sh", "sleep 600; echo never\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.arg("sweep").args(arguments).args(["--out", "r"]).current_dir(directory);
    Guard::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
}

/// Waits until all processes of the run have started, and returns their process ids.
fn processes_of_run(sweep: &Guard, number: usize) -> Vec<u32> {
    until("the processes of a run", || Some(descendants(sweep.id())).filter(|pids| pids.len() == number))
}

/// The files in the result directory that a process has open.
fn open_result_files(process: u32, directory: &Path) -> Vec<std::path::PathBuf> {
    let descriptors = std::fs::read_dir(format!("/proc/{process}/fd")).expect("files").flatten();
    let open_files = descriptors.filter_map(|fd| std::fs::read_link(fd.path()).ok());
    open_files.filter(|path| path.starts_with(directory.join("r"))).collect()
}

#[test]
fn processes_of_killed_sweep_end_and_release_lock() {
    for (arguments, number) in ENDLESS {
        let directory = scratch();
        let mut sweep = start(directory.path(), arguments);
        let processes = processes_of_run(&sweep, number);
        for process in &processes {
            // Between fork and exec, a process still has the files of its parent open.
            until("a run has no result file open", || {
                open_result_files(*process, directory.path()).is_empty().then_some(())
            });
        }
        let second_sweep = ["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--out", "r"];
        let (code, _, stderr) = run_in(directory.path(), &second_sweep);
        assert!(code == 1 && stderr.starts_with("error: r: "), "{stderr}");
        assert_wording("sweep", "directory in use", &stderr);
        sweep.kill().expect("a running command");
        sweep.wait().expect("the command ends");
        until_gone(&processes);
        // The second sweep is refused because of its plan, and not because the directory is in use.
        assert_eq!(run_in(directory.path(), &second_sweep).0, 6);
    }
}

#[test]
fn sweep_interrupted_twice_explains_resuming_and_exits_130() {
    for (arguments, number) in ENDLESS {
        for signal in interrupting_signals() {
            let directory = scratch();
            let sweep = start(directory.path(), arguments);
            let processes = processes_of_run(&sweep, number);
            // `timeout` sends the signal twice: to the command, and to its process group.
            sweep.signal(signal);
            sweep.signal(signal);
            let output = sweep.output();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(130), "{stderr}");
            let end =
                stderr.lines().find(|line| line.contains(" 0 of ")).unwrap_or_else(|| panic!("{stderr}"));
            assert_wording("sweep", &format!("interrupted: {}", arguments.join(" ")), end);
            until_gone(&processes);
        }
    }
}

/// Only the process of the run is killed. The program of the run must end, too, and the sweep must record the run.
#[test]
fn program_with_killed_parent_ends_and_sweep_continues() {
    let directory = scratch();
    let mut sweep = start(directory.path(), &["x.toml", "--repeat", "1"]);
    let processes = processes_of_run(&sweep, 3);
    signal_process(processes[0], Signal::KILL);
    assert_eq!(sweep.wait().expect("the command ends").code(), Some(1));
    until_gone(&processes);
    let rows = crate::harness::rows(&directory.path().join("r"));
    assert_eq!((rows.len(), rows[0].signal), (1, Some(9)));
}

/// The child of the checked program has left the process group of the program.
#[test]
fn killed_check_ends_checked_program_and_child() {
    let directory = scratch();
    write(directory.path(), "slow.sh", "setsid sleep 600 &\nsleep 600; echo never\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(["check", "4", "--", "sh", "slow.sh"]).current_dir(directory.path());
    let mut check = Guard::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
    // The guard, the shell and its two children.
    let processes = processes_of_run(&check, 4);
    check.kill().expect("a running command");
    check.wait().expect("the command ends");
    until_gone(&processes);
}
