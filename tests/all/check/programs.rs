//! `check` starts a program or a batch of programs, and judges their output.

use std::fs;

use super::*;
use crate::processes::{until, until_gone, within_some_limit};

/// Runs `check` on a Python program. The arguments before `--` are options of `check`.
fn check_python(arguments: &[&str]) -> Output {
    let (options, command) = arguments.split_at(arguments.iter().position(|&a| a == "--").expect("--") + 1);
    queenlab(&[&["check", "--timeout", "1h"], options, &["python3", "-B"], command].concat())
}

#[test]
fn correct_programs_are_judged_correct() {
    for n in ["4", "6", "8"] {
        let output = check_python(&[n, "--", "queens_lists.py", n]);
        assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    }
    for n in ["2", "3", "4", "8"] {
        assert_eq!(code(&check_python(&[n, "--first", "--", "queens_first_matrix.py", n])), 0, "{n}");
    }
}

#[test]
fn wrong_programs_are_detected() {
    let output = check_python(&["8", "--", "queens_half_board.py", "8"]);
    assert_eq!(code(&output), 3);
    assert_wording("check", "a program that prints one of each mirror pair", &stdout(&output));
    let output = check_python(&["5", "--", "queens_one_diagonal.py", "5"]);
    assert_eq!(code(&output), 3);
    assert_wording("check", "a program that ignores a diagonal", &stdout(&output));
    assert_eq!(code(&check_python(&["8", "--", "queens_first_matrix.py", "8"])), 3);
}

#[test]
fn placeholder_n_is_replaced_by_board_size() {
    let output = check_python(&["6", "--", "queens_lists.py", "{n}"]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let output = queenlab(&[
        "check",
        "4",
        "--",
        "sh",
        "-c",
        "echo {n} >&2; echo 1 3 0 2; echo 2 0 3 1; [ n{n} = n4 ]",
    ]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    // The first program gets no argument and fails. The second program reads the size from standard input.
    let output = check_python(&["5", "--", "queens_lists.py"]);
    assert_eq!(code(&output), 1, "{}", stdout(&output));
    assert!(stderr(&output).contains("{n}"), "{}", stderr(&output));
    assert_wording("check", "a command without the size", &stderr(&output));
    let size_reading_script = "read n; [ $n = 4 ] && echo 1 3 0 2 && echo 2 0 3 1";
    let output =
        queenlab(&["check", "4", "--", "sh", "-c", &format!("echo {{n}} | sh -c '{size_reading_script}'")]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
}

/// Three programs read the size from standard input; the fourth program gets the size as an argument.
#[test]
fn programs_that_read_size_from_input_are_judged() {
    let directory = tempfile::tempdir().expect("a directory");
    let class = directory.path().to_str().expect("UTF-8");
    let boards = "print({4: '1 3 0 2\\n2 0 3 1', 6: '1 3 5 0 2 4'}[n])";
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).expect("written");
    write("ada.py", &format!("n = int(input('Board size? '))\n{boards}\n"));
    write(
        "bob.sh",
        "read n || { echo 'end of file' >&2; exit 1; }\necho 1 3 0 2; if [ $n = 4 ]; then echo 2 0 3 1; fi\n",
    );
    write("cleo.py", &format!("import sys\nn = int(sys.argv[1])\n{boards}\n"));
    write("dora.py", "print({4: 2, 6: 4}[int(input())])\n");
    let output = queenlab(&["check", "--batch", class, "--n", "4,6", "--timeout", "1h"]);
    let text = stdout(&output);
    let cells = |name: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.starts_with(name)).expect(name);
        line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
    };
    assert_eq!(cells("ada.py"), ["ada.py", "correct", "wrong", "1 of 2"], "{text}");
    assert_eq!(cells("bob.sh"), ["bob.sh", "correct", "unreadable", "1 of 2"], "{text}");
    assert_eq!(cells("cleo.py"), ["cleo.py", "correct", "wrong", "1 of 2"], "{text}");
    assert_eq!(cells("dora.py"), ["dora.py", "count only", "count only", "0 of 2"], "{text}");
    let ada = directory.path().join("ada.py");
    let ada = ada.to_str().expect("UTF-8");
    let output = queenlab(&["check", "4", "--", "python3", "-B", ada]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn batch_follows_no_links_and_judges_original_files() {
    let directory = tempfile::tempdir().expect("a directory");
    let class = directory.path().join("class");
    fs::create_dir(&class).expect("a directory");
    let secret = directory.path().join("secret");
    fs::write(&secret, "the first line of a secret\n").expect("written");
    std::os::unix::fs::symlink(&secret, class.join("ada_4.txt")).expect("a link");
    let printout = class.join("zoe_4.txt");
    fs::write(&printout, "1 3 0 2\n2 0 3 1\n").expect("written");
    let program = class.join("zed.sh");
    fs::write(&program, "echo 1 3 0 2; echo 2 0 3 1\n").expect("written");
    let [printout_path, program_path] = [&printout, &program].map(|path| path.display().to_string());
    let attacking_script = format!(
        "for f in '{printout_path}' '{program_path}'; do echo 0 0 0 0 > $f; done; echo 1 3 0 2; echo 2 0 3 1\n"
    );
    fs::write(class.join("eve.sh"), attacking_script).expect("written");
    let csv = directory.path().join("points.csv");
    let path = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let output = queenlab(&["check", "--batch", &path(&class), "--n", "4", "--csv", &path(&csv)]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let (names, text) = (["ada_4.txt", "eve.sh", "zed.sh", "zoe_4.txt"], stderr(&output));
    assert!(text.lines().count() == 2 && names.iter().all(|name| text.contains(name)), "{text}");
    assert_wording("check", "links and changed files of a batch", &stderr(&output));
    let rows = fs::read_to_string(&csv).expect("a table");
    assert!(!rows.contains("secret"), "{rows}");
    assert!(
        ["zoe_4.txt", "zed.sh"].iter().all(|name| rows.contains(&format!("\n{name},4,correct,1,"))),
        "{rows}"
    );
}

#[test]
fn interrupted_batch_writes_results_and_exits_with_130() {
    let directory = tempfile::tempdir().expect("a directory");
    let class = directory.path().join("class");
    fs::create_dir(&class).expect("a directory");
    let (csv, pid) = (directory.path().join("p.csv"), directory.path().join("pid"));
    fs::write(class.join("ada.sh"), "echo 1 3 0 2; echo 2 0 3 1\n").expect("written");
    fs::write(class.join("bob.sh"), format!("echo $$ > {}; sleep 3600\n", pid.display())).expect("written");
    fs::write(class.join("cleo.sh"), "echo 1 3 0 2\n").expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.arg("check").arg("--batch").arg(&class).args(["--n", "4", "--timeout", "1h", "--csv"]);
    command.arg(&csv).stdout(Stdio::piped()).stderr(Stdio::piped());
    let batch = Guard::start(&mut command);
    let program = until("the process id of the second program", || written_pid(&pid));
    batch.signal(rustix::process::Signal::TERM);
    let output = batch.output();
    assert_eq!(code(&output), 130, "{}", stderr(&output));
    assert!(
        ["bob.sh: ", " 1 of 3 "].iter().all(|part| stderr(&output).contains(part)),
        "{}",
        stderr(&output)
    );
    assert_wording("check", "an interrupted batch", &stderr(&output));
    let text = stdout(&output);
    let summary = text.lines().last().expect("a summary");
    assert_eq!(["correct", "wrong"].map(|word| number_before(summary, word)), [1, 0].map(Some), "{text}");
    let rows = fs::read_to_string(&csv).expect("a table");
    assert!(rows.lines().count() == 2 && rows.contains("\nada.sh,4,correct,1,"), "{rows}");
    until_gone(&[program]);
}

#[test]
fn batch_judges_programs_and_printouts_at_every_size() {
    let directory = tempfile::tempdir().expect("a directory");
    let class = directory.path().join("class");
    fs::create_dir(&class).expect("a directory");
    for file in ["queens_lists.py", "queens_half_board.py", "queens_dies.py", "java_lists_4.txt", "prose.txt"]
    {
        fs::copy(data().join(file), class.join(file)).expect("copied");
    }
    fs::create_dir(class.join("folder")).expect("a directory");
    let csv = directory.path().join("points.csv");
    let path = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let output = queenlab(&[
        "check",
        "--batch",
        &path(&class),
        "--n",
        "4-6",
        "--csv",
        &path(&csv),
        "--progress",
        "none",
    ]);
    assert_eq!(code(&output), 3, "{}{}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).expect(name).to_owned();
    assert_eq!(
        line("queens_lists.py").split_whitespace().collect::<Vec<_>>(),
        ["queens_lists.py", "correct", "correct", "correct", "3", "of", "3"]
    );
    assert!(line("java_lists_4.txt").ends_with("1 of 1"), "{text}");
    assert!(line("queens_half_board.py").ends_with("0 of 3"), "{text}");
    assert!(line("prose.txt").contains("unreadable"), "{text}");
    let summary = text.lines().find(|line| line.starts_with("6 submissions: ")).expect("a summary");
    let numbers = ["correct", "wrong", "unreadable", "unfinished"].map(|word| number_before(summary, word));
    assert_eq!(numbers, [2, 1, 2, 1].map(Some), "{text}");
    assert!(line("folder").ends_with("0 of 3"), "{text}");
    assert_wording("check", "a batch", &(text + &stderr(&output)));
    let rows = fs::read_to_string(&csv).expect("a table");
    assert_eq!(rows.lines().count(), 1 + 4 * 3 + 2, "{rows}");
    assert!(rows.contains("\nqueens_half_board.py,6,wrong,0,2,2,4,0,0,2,,"), "{rows}");
    let output = queenlab(&["check", "--batch", &path(&class), "--n", "4", "--json"]);
    let submissions = json(&output).as_array().expect("a list").len();
    assert_eq!((code(&output), submissions), (3, 6));
    assert_eq!(code(&queenlab(&["check", "--batch", &path(&class)])), 2, "a batch without sizes");
    assert_eq!(code(&queenlab(&["check", "--batch", &path(&class.join("folder")), "--n", "4"])), 2);
    assert_eq!(code(&queenlab(&["check"])), 2, "check without a size");
}

#[test]
fn printout_is_judged_only_at_size_in_filename() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().to_str().expect("UTF-8");
    fs::copy(data().join("java_lists_4.txt"), directory.path().join("java_14.txt")).expect("copied");
    let output = queenlab(&["check", "--batch", path, "--n", "4-6"]);
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    assert!(stdout(&output).contains("java_14.txt"), "{}", stdout(&output));
    assert_wording("check", "a batch of no size", &(stdout(&output) + &stderr(&output)));
}

/// The process id that a program wrote into a file; `None` if the line is not complete yet.
fn written_pid(file: &Path) -> Option<u32> {
    fs::read_to_string(file).ok()?.strip_suffix('\n')?.parse().ok()
}

/// Runs `check` with a time limit on a program that hangs. Returns the output of `check`, the limit as messages print it, and the
/// process id that the program wrote.
fn run_hanging_program(file: &Path, command: &[&str]) -> (Output, String, u32) {
    within_some_limit("the process id of the child", |limit| {
        let seconds = 2 * limit.as_secs();
        let _ = fs::remove_file(file);
        let output =
            queenlab(&[&["check", "4", "--timeout", &format!("{seconds}s"), "--"], command].concat());
        written_pid(file).map(|child| (output, format!("{seconds} s"), child))
    })
}

#[test]
fn hanging_program_and_child_are_killed_and_reported() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("child");
    let path = file.to_str().expect("UTF-8");
    for (printed, expected) in [("1 3 0 2", 1), ("2 0 3 1\n1 3 0", 1), ("1 3 0 2\n1 3 0 2\n0 0 0 3", 3)] {
        let (output, limit, child) =
            run_hanging_program(&file, &["python3", "-B", "queens_hangs.py", path, printed]);
        assert_eq!(code(&output), expected, "{printed}: {}{}", stdout(&output), stderr(&output));
        let text = stdout(&output);
        let line = text.lines().find(|line| line.contains(&limit)).unwrap_or_else(|| panic!("{text}"));
        assert_wording("check", "a program that hangs", &line.replace(&limit, "LIMIT"));
        until_gone(&[child]);
    }
}

#[test]
fn program_with_endless_output_is_stopped() {
    let output = check_python(&["4", "--", "queens_floods.py"]);
    assert_eq!(code(&output), 3);
    let text = stdout(&output);
    let mut reasons = text.lines().skip(1);
    let reason = reasons.find(|line| line.contains("1,000 boards")).unwrap_or_else(|| panic!("{text}"));
    assert_wording("check", "a program that floods", reason);
    let endless_line = "tr '\\0' x < /dev/zero";
    let output = queenlab(&["check", "4", "--json", "--timeout", "1h", "--", "sh", "-c", endless_line]);
    assert_eq!((code(&output), &json(&output)["verdict"]), (2, &Value::from("unreadable")));
    assert_wording("check", "a program that floods one line", &stderr(&output));
}

#[test]
fn crashed_program_is_reported_with_its_cause() {
    let output = check_python(&["4", "--", "queens_dies.py"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert!(text.starts_with("unfinished: ") && text.contains("exit code 1; "), "{text}");
    assert!(text.contains("IndexError: "), "{text}");
    assert_wording("check", "a program that dies", &text);
    let output = queenlab(&["check", "4", "--", "sh", "-c", "echo 0 2 3 1; kill -9 $$"]);
    assert_eq!(code(&output), 3);
    assert!(stdout(&output).contains("killed by signal 9"), "{}", stdout(&output));
    assert_eq!(code(&queenlab(&["check", "4", "--", "./no-such-program"])), 1);
}

#[test]
fn check_does_not_wait_for_orphan_processes() {
    let script = "echo 1 3 0 2; echo 2 0 3 1; sleep 3600 &";
    let output = queenlab(&["check", "4", "--timeout", "10m", "--", "sh", "-c", script]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert_wording("check", "a program that leaves a child behind", &(stdout(&output) + &stderr(&output)));
}

#[test]
#[cfg(target_os = "linux")]
fn child_outside_the_process_group_is_killed() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("child");
    let script = format!("setsid sh -c 'echo $$ > {}; exec sleep 3600' & sleep 3600", file.display());
    let (output, _, child) = run_hanging_program(&file, &["sh", "-c", &script]);
    assert_eq!(code(&output), 1, "{}", stdout(&output));
    until_gone(&[child]);
}

/// In a new PID namespace that is started without a new session, `getsid` returns 0.
#[test]
#[cfg(target_os = "linux")]
fn check_succeeds_in_a_new_pid_namespace() {
    let container = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
    let succeeds = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    if !succeeds(Command::new("unshare").args(container).arg("true")) {
        println!("not tested: this user cannot start a process in new namespaces");
        return;
    }
    let script = "echo 1 3 0 2; echo 2 0 3 1; setsid sleep 3600 & sleep 3600 &";
    let mut command = Command::new("unshare");
    command.args(container).arg(env!("CARGO_BIN_EXE_queenlab"));
    let output = command.args(["check", "4", "--timeout", "10m", "--", "sh", "-c", script]).output();
    let output = output.expect("unshare runs");
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn interrupted_check_kills_the_checked_program() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("child");
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(["check", "4", "--timeout", "1h", "--", "python3", "-B", "queens_hangs.py"]);
    command.arg(&file).arg("1 3 0 2").current_dir(data()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut check = Guard::start(&mut command);
    let child = until("the process id of the child", || written_pid(&file));
    check.signal(rustix::process::Signal::TERM);
    assert_eq!(check.wait().expect("queenlab ends").code(), Some(130));
    until_gone(&[child]);
}
