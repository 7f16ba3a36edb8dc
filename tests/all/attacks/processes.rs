//! Programs that leave processes behind or use too many resources, and wrong claims of external solvers.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use queenlab::record::{Row, Status, Verdict};
use rustix::process::{Pid, Signal, kill_process};

use crate::harness::{
    assert_wording, interrupting_signals, processes as tree, read, rows, run_in, scratch, write,
};

const EXTERNAL: &[&str] = &["--solver", "sat/pairwise/external", "--sat", "external=sh solver.sh {cnf}"];

/// Runs a command in a directory, with a script as the external solver.
fn run_with_solver(directory: &Path, script: &str, arguments: &[&str]) -> (i32, String, String) {
    write(directory, "solver.sh", script);
    run_in(directory, &[arguments, EXTERNAL].concat())
}

/// A script that prints the solution 1 3 0 2 of 4 queens as a model.
const MODEL: &str = "echo 's SATISFIABLE'\necho 'v -1 2 -3 -4 -5 -6 -7 8 9 -10 -11 -12 -13 -14 15 -16 0'\n";

/// The literals of the clause that excludes this solution.
const BLOCKING_CLAUSE: &str = "-2 -8 -9 -15 0";

#[test]
#[ignore = "long: an attack"]
fn solve_checks_every_model_of_external_solver() {
    let literals: Vec<String> = (1..=16).map(|variable| format!("-{variable}")).collect();
    let all_false_script = format!("echo s SATISFIABLE\necho v {} 0", literals.join(" "));
    for (n, script, code) in [
        ("8", "echo s SATISFIABLE", 1),
        ("4", "echo s SATISFIABLE\necho v 2 8 9 15 0", 1),
        ("4", "echo s SATISFIABLE\necho v 1 -1 0", 1),
        ("4", &all_false_script, 3),
        ("8", "echo s UNSATISFIABLE", 3),
        ("40", "echo s UNSATISFIABLE; exit 20", 3),
        ("8", "echo s UNSATISFIABLE; exit 10", 1),
        ("8", "echo s UNSATISFIABLE; echo out of luck >&2; exit 7", 1),
        ("8", "echo no luck >&2", 1),
        ("3", "echo s UNSATISFIABLE; exit 20", 0),
    ] {
        let directory = scratch();
        let (exit, stdout, stderr) = run_with_solver(directory.path(), script, &["solve", n]);
        assert_eq!((exit, stdout.as_str()), (code, ""), "{script}: {stderr}");
        assert!(code == 0 || stderr.contains("'sh solver.sh {cnf}'"), "{script}: {stderr}");
        assert_wording("solve", &format!("external, n = {n}: {}", script.replace('\n', "; ")), &stderr);
    }
    let directory = scratch();
    let (exit, stdout, stderr) = run_with_solver(directory.path(), MODEL, &["solve", "4"]);
    assert_eq!((exit, stdout.as_str(), stderr.as_str()), (0, "1 3 0 2\n", ""));
}

/// If a solver answers "unsatisfiable", the answer is compared with facts about the problem. If queenlab has no such facts, it
/// reports the answer as a claim of the solver.
#[test]
#[ignore = "long: an attack"]
fn external_unsat_answer_is_checked_against_known_facts() {
    let unsat = "echo s UNSATISFIABLE";
    let one_model = format!("if [ -e second ]; then {unsat}; else touch second\n{MODEL}fi");
    let forbid = ["--forbid", "0:0"];
    let large_problem = ["40", "--forbid", "0:0"];
    for (script, arguments, code) in [
        (unsat, &["solve", "5", "--variant", "toroidal"][..], 3),
        (unsat, &["solve", "4", "--variant", "toroidal"], 0),
        (unsat, &[&["solve", "4"], &forbid[..]].concat(), 3),
        (unsat, &[&["count", "4"], &forbid[..]].concat(), 3),
        (&one_model, &[&["solve", "4", "--all"], &forbid[..]].concat(), 3),
        (&one_model, &["solve", "--all", "--instance", "two.txt"], 3),
        (unsat, &[&["solve"], &large_problem[..]].concat(), 0),
        (unsat, &[&["count"], &large_problem[..]].concat(), 0),
    ] {
        let directory = scratch();
        write(directory.path(), "two.txt", "AABB\nAABB\nCCDD\nCCDD\n");
        let (exit, stdout, stderr) = run_with_solver(directory.path(), script, arguments);
        assert_eq!(exit, code, "{arguments:?}: {stdout}{stderr}");
        assert_wording(arguments[0], &format!("external refutation: {}", arguments.join(" ")), &stderr);
    }
}

/// Runs a sweep of one cell with a script as the external solver. Returns the exit code and the last row.
fn sweep_with_solver(script: &str, goal: &str) -> (i32, Row) {
    let directory = scratch();
    let sweep = ["sweep", "--n", "4", "--goal", goal, "--repeat", "1", "--out", "r"];
    let (code, _, _) = run_with_solver(directory.path(), script, &sweep);
    let mut rows = rows(&directory.path().join("r"));
    (code, rows.pop().expect("a row"))
}

#[test]
#[ignore = "long: an attack"]
fn external_solver_that_repeats_a_board_is_wrong() {
    let clause = format!("'{BLOCKING_CLAUSE}'");
    for (arguments, printed) in [(["solve", "4", "--all"], "1 3 0 2\n"), (["count", "4", "--threads=1"], "")]
    {
        let directory = scratch();
        let (code, stdout, stderr) = run_with_solver(directory.path(), MODEL, &arguments);
        assert_eq!((code, stdout.as_str()), (3, printed), "{stderr}");
        assert!(stderr.contains(&clause), "{stderr}");
    }
    for goal in ["count", "enumerate"] {
        let (code, row) = sweep_with_solver(MODEL, goal);
        assert_eq!((code, row.status, row.verdict), (3, Status::Crashed, Verdict::Wrong), "{row:?}");
        assert!(row.reason().is_some_and(|error| error.contains(&clause)), "{row:?}");
    }
}

#[test]
#[ignore = "long: an attack"]
fn external_solver_that_omits_a_board_is_wrong() {
    let script = format!("if grep -q '^{BLOCKING_CLAUSE}' $1; then echo s UNSATISFIABLE; else\n{MODEL}fi");
    let directory = scratch();
    let (code, stdout, stderr) = run_with_solver(directory.path(), &script, &["solve", "4", "--all"]);
    assert_eq!((code, stdout.as_str()), (3, "1 3 0 2\n"), "{stderr}");
    assert!(stderr.contains("A000170"), "{stderr}");
    assert_wording("solve", "external solver with one of two solutions", &stderr);
    let (code, stdout, stderr) = run_with_solver(directory.path(), &script, &["count", "4"]);
    assert_eq!((code, stdout.as_str()), (3, "1\n"), "{stderr}");
    // For n = 28, no number of solutions is published, but solutions exist.
    let unsat = "echo s UNSATISFIABLE";
    let (code, _, stderr) = run_with_solver(directory.path(), unsat, &["count", "28"]);
    assert_eq!(code, 3, "{stderr}");
    for goal in ["count", "enumerate"] {
        let (code, row) = sweep_with_solver(&script, goal);
        assert_eq!((code, row.verdict), (3, Verdict::Wrong), "{row:?}");
    }
}

/// A script that leaves daemons behind: a process in a separate session without inherited environment variables, and an orphan with
/// a child. At the end of this script, the file `pids` contains the process ids of these three daemons and of the script.
const DAEMONS: &str = "cd $(dirname $0)\n\
    env -i PATH=$PATH setsid sh -c 'echo $$ >> pids; exec sleep 600' &\n\
    (setsid sh -c 'sleep 600 & echo $! >> pids; echo $$ >> pids; wait' &)\n\
    echo $$ >> pids\n\
    while [ $(wc -l < pids) -lt 4 ]; do sleep 0.01; done\n";

/// The processes listed in the file `pids`. They are killed when the test ends.
struct Pids(PathBuf);

impl Pids {
    fn read(&self) -> Vec<u32> {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }

    /// Waits until the file is complete.
    fn wait_until_complete(&self) -> Vec<u32> {
        tree::until("the daemons write their process ids", || {
            Some(self.read()).filter(|pids| pids.len() == 4)
        })
    }

    fn assert_gone(&self, what: &str) {
        let pids = self.read();
        assert_eq!(pids.len(), 4, "{what}");
        for pid in pids {
            tree::until(what, || (!tree::is_alive(pid)).then_some(()));
        }
    }
}

impl Drop for Pids {
    fn drop(&mut self) {
        self.read().into_iter().for_each(|pid| send_signal(pid, Signal::KILL));
    }
}

fn send_signal(process: u32, signal: Signal) {
    let id = i32::try_from(process).ok().and_then(Pid::from_raw).expect("a process");
    // The process may have ended already.
    let _ = kill_process(id, signal);
}

/// Makes a directory with the script [`DAEMONS`], followed by more lines, and with an experiment that runs this script.
fn directory_with_daemons(last_lines: &str) -> (tempfile::TempDir, Pids) {
    let directory = scratch();
    write(directory.path(), "daemons.sh", &format!("{DAEMONS}{last_lines}\n"));
    write(
        directory.path(),
        "x.toml",
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\nrepeat = 1\ntimeout = \"1h\"\n[[program]]\n\
         id = \"p\"\ncommand = [\"sh\", \"daemons.sh\"]\n",
    );
    let pids = Pids(directory.path().join("pids"));
    (directory, pids)
}

const SWEEP: &[&str] = &["sweep", "x.toml", "--out", "r"];
const CHECK: &[&str] = &["check", "4", "--timeout", "1h", "--", "sh", "daemons.sh"];
const SOLVE: &[&str] =
    &["solve", "4", "--solver", "sat/pairwise/external", "--sat", "external=sh daemons.sh {cnf}"];
const CERTIFY: &[&str] = &["certify", "4", "--checker", "sh daemons.sh {cnf} {proof}"];

#[test]
#[ignore = "long: an attack"]
fn daemons_of_a_finished_program_are_killed() {
    for (arguments, answer) in [
        (SWEEP, "echo 1 3 0 2; echo 2 0 3 1"),
        (CHECK, "echo 1 3 0 2; echo 2 0 3 1"),
        (SOLVE, MODEL),
        (CERTIFY, "echo s VERIFIED"),
    ] {
        let (directory, pids) = directory_with_daemons(answer);
        let (code, _, stderr) = run_in(directory.path(), arguments);
        assert_eq!(code, 0, "{arguments:?}: {stderr}");
        // The command waits until these processes have ended, so the test does not wait.
        let living_daemons: Vec<u32> = pids.read().into_iter().filter(|&pid| tree::is_alive(pid)).collect();
        assert!(living_daemons.is_empty(), "{arguments:?}: {living_daemons:?}");
        pids.assert_gone("a daemon of a finished program ends");
    }
}

/// A command that is killed when the value is dropped.
struct StartedCommand(Child);

impl Drop for StartedCommand {
    fn drop(&mut self) {
        // The command may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(directory: &Path, arguments: &[&str]) -> StartedCommand {
    start_with_temporary(directory, arguments, &std::env::temp_dir())
}

/// Starts a command, with another directory for temporary files.
fn start_with_temporary(directory: &Path, arguments: &[&str], temporary: &Path) -> StartedCommand {
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(arguments).current_dir(directory).env("TMPDIR", temporary);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    StartedCommand(command.spawn().expect("the program starts"))
}

fn file_names(directory: &Path) -> Vec<std::ffi::OsString> {
    std::fs::read_dir(directory)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name())
        .collect()
}

#[test]
#[ignore = "long: an attack"]
fn daemons_end_when_command_is_interrupted_or_killed() {
    for arguments in [SWEEP, CHECK, SOLVE, CERTIFY] {
        for signal in interrupting_signals().into_iter().chain([Signal::KILL]) {
            let (directory, pids) = directory_with_daemons("exec sleep 600");
            let mut command = start(directory.path(), arguments);
            pids.wait_until_complete();
            send_signal(command.0.id(), signal);
            command.0.wait().expect("the command ends");
            pids.assert_gone(&format!("a daemon ends with {arguments:?} after {signal:?}"));
        }
    }
}

const SAT_SWEEP: &[&str] = &[
    "sweep",
    "4",
    "--solver",
    "sat/pairwise/external",
    "--sat",
    "external=sh daemons.sh {cnf}",
    "--repeat",
    "1",
    "--timeout",
    "1h",
    "--out",
    "r",
];
const COUNT: &[&str] =
    &["count", "4", "--solver", "sat/pairwise/external", "--sat", "external=sh daemons.sh {cnf}"];
const AUDIT: &[&str] =
    &["certify", "--audit", "p/certificate.json", "--checker", "sh daemons.sh {cnf} {proof}"];
const CERTIFY_TO: &[&str] = &["certify", "4", "--out", "q", "--checker", "sh daemons.sh {cnf} {proof}"];

#[test]
#[ignore = "long: an attack"]
fn interrupted_or_killed_command_leaves_no_temporary_file() {
    for arguments in [SWEEP, SAT_SWEEP, SOLVE, COUNT, CERTIFY, CERTIFY_TO, AUDIT] {
        let is_sweep = arguments[0] == "sweep";
        for signal in interrupting_signals().into_iter().chain(is_sweep.then_some(Signal::KILL)) {
            // Each run has a separate temporary directory. When the directory is removed, its files are removed, too.
            let last_lines =
                if is_sweep { "echo x > $TMPDIR/left\nexec sleep 600" } else { "exec sleep 600" };
            let (directory, pids) = directory_with_daemons(last_lines);
            assert_eq!(run_in(directory.path(), &["certify", "4", "--quiet", "--out", "p", "--keep"]).0, 0);
            let entries_before = file_names(directory.path()).len();
            let temporary = scratch();
            let mut command = start_with_temporary(directory.path(), arguments, temporary.path());
            pids.wait_until_complete();
            assert_ne!(
                file_names(temporary.path()),
                [""; 0],
                "{arguments:?}: a running command must have a temporary directory"
            );
            send_signal(command.0.id(), signal);
            let status = command.0.wait().expect("the command ends");
            assert_eq!(status.code(), (signal != Signal::KILL).then_some(130), "{arguments:?}");
            if signal == Signal::KILL {
                let is_empty = || file_names(temporary.path()).is_empty().then_some(());
                tree::until("the run removes its temporary files", is_empty);
            }
            assert_eq!(file_names(temporary.path()), [""; 0], "{arguments:?}, {signal:?}");
            if !is_sweep {
                // The only new file is `pids`, which the script has written.
                assert_eq!(
                    file_names(directory.path()).len(),
                    entries_before + 1,
                    "{arguments:?}, {signal:?}"
                );
            }
            pids.assert_gone("a daemon of an interrupted or killed command ends");
        }
    }
}

#[test]
#[ignore = "long: an attack"]
fn run_with_any_status_leaves_no_temporary_file() {
    let answer = "echo 1 3 0 2; echo 2 0 3 1";
    for (arguments, last_line, options) in [
        (SWEEP, answer, &[][..]),
        (SAT_SWEEP, "echo s UNKNOWN", &[]),
        (SAT_SWEEP, "exec sleep 600", &["--timeout", "2s"]),
        (SAT_SWEEP, "kill -KILL $PPID; exec sleep 600", &[]),
        (SWEEP, "kill -KILL $PPID; exec sleep 600", &[]),
    ] {
        let (directory, pids) = directory_with_daemons(&format!("echo x > $TMPDIR/left\n{last_line}"));
        let temporary = scratch();
        let arguments: Vec<&str> = arguments
            .iter()
            .copied()
            .filter(|word| options.is_empty() || !["--timeout", "1h"].contains(word))
            .collect();
        let mut command =
            start_with_temporary(directory.path(), &[&arguments[..], options].concat(), temporary.path());
        command.0.wait().expect("the command ends");
        assert_eq!(file_names(temporary.path()), [""; 0], "{last_line}");
        assert!(!rows(&directory.path().join("r")).is_empty(), "{last_line}");
        drop(pids);
    }
}

/// A solver can write to the directory of its result file, so it can replace the file by a link, a FIFO or a directory.
#[test]
#[ignore = "long: an attack"]
fn result_file_that_is_not_regular_is_refused() {
    for script in ["ln -s /dev/zero $2", "mkfifo $2", "mkdir $2"] {
        let directory = scratch();
        write(directory.path(), "solver.sh", script);
        let solve = [
            "solve",
            "4",
            "--solver",
            "sat/pairwise/external",
            "--sat",
            "external=sh solver.sh {cnf} {result}",
        ];
        let (code, stdout, stderr) = run_in(directory.path(), &solve);
        assert_eq!((code, stdout.as_str()), (1, ""), "{script}: {stderr}");
        assert_wording("solve", &format!("result file: {script}"), &stderr);
    }
}

/// A program may kill its parent, which is the process of the run. The system may also kill this process if memory is short.
#[test]
#[ignore = "long: an attack"]
fn daemons_of_killed_run_end_and_sweep_continues() {
    let (directory, pids) = directory_with_daemons("kill -KILL $PPID; exec sleep 600");
    let (code, _, stderr) = run_in(directory.path(), SWEEP);
    assert_eq!(code, 1, "{stderr}");
    pids.assert_gone("a daemon of a killed run ends");
    let rows = rows(&directory.path().join("r"));
    assert_eq!((rows.len(), rows[0].status, rows[0].signal), (1, Status::Crashed, Some(9)));
}

#[test]
#[ignore = "long: an attack"]
fn daemons_of_a_timed_out_run_are_killed() {
    let (directory, pids) = tree::within_some_limit("the process ids of the daemons", |limit| {
        let (directory, pids) = directory_with_daemons("exec sleep 600");
        let limit = format!("{}s", limit.as_secs());
        let (code, _, stderr) = run_in(directory.path(), &[SWEEP, &["--timeout", &limit]].concat());
        assert_eq!(code, 0, "{stderr}");
        (pids.read().len() == 4).then_some((directory, pids))
    });
    pids.assert_gone("a daemon of a timed-out run ends");
    let rows = rows(&directory.path().join("r"));
    assert_eq!((rows.len(), rows[0].status, rows[0].signal), (1, Status::Timeout, Some(9)));
}

/// When the first program has ended, its daemons must be killed, but not the second program, which still runs.
#[test]
#[ignore = "long: an attack"]
fn orphans_are_killed_while_another_job_runs() {
    let directory = scratch();
    let pids = Pids(directory.path().join("pids"));
    write(directory.path(), "daemons.sh", &format!("{DAEMONS}echo 1 3 0 2; echo 2 0 3 1\n"));
    // The second program answers only after the daemons of the first program have ended.
    let waiting_script = "while ! [ -e pids ] || [ $(wc -l < pids) -lt 4 ]; do sleep 0.01; done\n\
                for pid in $(cat pids); do while kill -0 $pid 2>&-; do sleep 0.01; done; done\n\
                echo 1 3 0 2; echo 2 0 3 1\n";
    write(directory.path(), "slow.sh", waiting_script);
    let spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\nrepeat = 1\ntimeout = \"1h\"\njobs = 2\n\
                [[program]]\nid = \"a\"\ncommand = [\"sh\", \"daemons.sh\"]\n\
                [[program]]\nid = \"b\"\ncommand = [\"sh\", \"slow.sh\"]\n";
    write(directory.path(), "x.toml", spec);
    let (code, _, stderr) = run_in(directory.path(), SWEEP);
    assert_eq!(code, 0, "{stderr}");
    let rows = rows(&directory.path().join("r"));
    assert!(rows.len() == 2 && rows.iter().all(|row| row.status == Status::Complete), "{rows:?}");
    pids.assert_gone("a daemon of the first program ends");
}

/// Each process of the chain starts the next process in a new session and ends, so that it can usually not be listed before it
/// ends.
#[test]
#[ignore = "long: an attack"]
fn chain_of_forking_processes_is_killed() {
    let directory = scratch();
    let script = directory.path().join("chain.sh");
    let script = script.to_str().expect("UTF-8");
    // The chain ends when its script is removed with the directory.
    write(directory.path(), "chain.sh", "echo x >> links\nsetsid sh $0 &\n");
    write(
        directory.path(),
        "daemons.sh",
        &format!(
            "setsid sh {script} &\nwhile ! [ -e links ] || [ $(wc -l < links) -lt 20 ]; do sleep 0.01; done\n\
             echo 1 3 0 2; echo 2 0 3 1\n"
        ),
    );
    let (code, _, stderr) = run_in(directory.path(), CHECK);
    assert_eq!(code, 0, "{stderr}");
    let links = read(directory.path(), "links");
    let is_link = |id: &String| {
        let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(script)
    };
    for _ in 0..50 {
        let processes = std::fs::read_dir("/proc").expect("/proc").flatten();
        let ids = processes.filter_map(|entry| entry.file_name().into_string().ok());
        assert_eq!(ids.filter(is_link).collect::<Vec<_>>(), Vec::<String>::new());
    }
    assert_eq!(read(directory.path(), "links"), links, "the chain of processes continues");
}

#[test]
#[ignore = "long: an attack"]
fn lack_of_memory_is_memout_even_with_backtraces() {
    let directory = scratch();
    let sweep =
        "sweep --n 4 --solver faults/memory --goal first --repeat 1 --memory 256MiB --timeout 1h --out r";
    let output = Command::new(crate::harness::example("faults"))
        .args(sweep.split(' '))
        .env("RUST_BACKTRACE", "full")
        .env("RUST_LIB_BACKTRACE", "1")
        .current_dir(directory.path())
        .output()
        .expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let rows = rows(&directory.path().join("r"));
    assert!(!rows.is_empty() && rows.iter().all(|row| row.status == Status::Memout), "{stderr} {rows:?}");
}

/// In the locale of this test, the script prints a German message, as the runtime of a program would do. queenlab must start
/// programs with the locale C.UTF-8, so that it can recognise the message.
#[test]
#[ignore = "long: an attack"]
fn lack_of_memory_is_recognised_in_any_locale() {
    let directory = scratch();
    let script = "case \"$LANGUAGE$LC_ALL\" in C*) echo Cannot allocate memory;; *) echo Kein Speicher;; esac >&2; exit 1";
    write(directory.path(), "daemons.sh", script);
    let spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\nrepeat = 1\nmemory = \"1GiB\"\n[[program]]\n\
                id = \"p\"\ncommand = [\"sh\", \"daemons.sh\"]\n";
    write(directory.path(), "x.toml", spec);
    let output = crate::harness::queenlab(SWEEP)
        .envs([("LANGUAGE", "de"), ("LC_ALL", "de_DE.UTF-8")])
        .current_dir(directory.path())
        .output()
        .expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let rows = rows(&directory.path().join("r"));
    assert!(rows.len() == 1 && rows[0].status == Status::Memout, "{stderr} {rows:?}");
}

#[test]
#[ignore = "long: an attack"]
fn program_that_prints_endlessly_is_stopped() {
    let flood = "exec yes 'what a lovely day'";
    let (directory, _pids) = directory_with_daemons("");
    write(directory.path(), "daemons.sh", flood);
    let (code, _, stderr) = run_in(directory.path(), SWEEP);
    assert_eq!(code, 1, "{stderr}");
    let rows = rows(&directory.path().join("r"));
    assert_eq!((rows.len(), rows[0].status), (1, Status::Crashed));
    let error = rows[0].outcome_reason.as_deref().unwrap_or_default();
    assert!(error.contains("'sh'") && error.contains("64 MiB"), "{error}");
    assert_wording("sweep", "program that prints without end", error);
    for arguments in [SOLVE, CERTIFY] {
        let (code, _, stderr) = run_in(directory.path(), arguments);
        assert_eq!(code, 1, "{arguments:?}: {stderr}");
        assert!(stderr.contains("64 MiB"), "{arguments:?}: {stderr}");
    }
    // The size of a solver's result file is limited, too.
    let result = "sat/pairwise/external --sat";
    let mut arguments: Vec<&str> = ["solve", "4", "--solver"].into_iter().chain(result.split(' ')).collect();
    arguments.push("external=sh result.sh {cnf} {result}");
    write(directory.path(), "result.sh", "exec yes > $2");
    let (code, _, stderr) = run_in(directory.path(), &arguments);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("64 MiB"), "{stderr}");
    assert_wording("solve", "result file without end", &stderr);
}
