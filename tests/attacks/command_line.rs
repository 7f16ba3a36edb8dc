//! Closed or failing outputs, unusual arguments and signals.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::harness::{interrupting, read, run, run_in, scratch, write};

/// Commands that end soon and write to both outputs, each with its exit code.
const COMMANDS: [(&[&str], i32); 29] = [
    (&["sweep", "--n", "4-5", "--solver", "backtrack/*", "--repeat", "1", "--verbose", "--out", "sweep"], 0),
    (&["report", "results"], 0),
    (&["compare", "results", "results"], 0),
    (&["reproduce", "results"], 0),
    (&["export", "results", "--format", "markdown"], 0),
    (&["verify", "4-5"], 0),
    (&["verify", "4", "--levels"], 0),
    (&["check", "4", "boards.txt"], 3),
    (&["check", "4", "missing.txt"], 1),
    (&["solve", "3"], 0),
    (&["count", "5", "--checkpoint", "count.json"], 0),
    (&["certify", "5"], 0),
    (&["shard", "plan", "--n", "6", "-o", "plan.json"], 0),
    (&["list", "no-such-solver"], 2),
    (&["help", "formats"], 0),
    (&["sweep", "--no-such-option"], 2),
    (
        &[
            "sweep",
            "--instance",
            "puzzle.txt",
            "--solver",
            "backtrack/dlx",
            "--repeat",
            "1",
            "--out",
            "sweep",
        ],
        0,
    ),
    (&["report", "results", "--spec", "quick"], 0),
    (&["check", "--batch", "class", "--n", "4", "--csv", "class.csv", "--junit", "class.xml"], 3),
    (&["check", "--instance", "puzzle.txt", "boards.txt"], 3),
    (&["solve", "8", "--lex"], 0),
    (&["solve", "--instance", "puzzle.txt"], 0),
    (&["count", "14", "--sample", "3"], 0),
    (&["estimate", "8", "--probes", "10"], 0),
    (&["generate", "blocked", "8", "--squares", "5"], 0),
    (&["certify", "5", "--symmetry", "full"], 0),
    (&["certify", "5", "--format", "veripb"], 0),
    (&["encode", "4", "-o", "formula.cnf"], 0),
    (&["init", "-o", "new.toml"], 0),
];

/// A directory with what [`COMMANDS`] read.
fn prepared() -> tempfile::TempDir {
    let directory = scratch();
    write(directory.path(), "boards.txt", "1 3 0 2\n");
    write(directory.path(), "puzzle.txt", "AABB\nAABB\nCCDD\nCCDD\n");
    std::fs::create_dir(directory.path().join("class")).expect("a directory");
    write(&directory.path().join("class"), "ada_4.txt", "1 3 0 2\n");
    let sweep = ["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--repeat", "1", "--out", "results"];
    assert_eq!(run_in(directory.path(), &sweep).0, 0);
    directory
}

fn program(directory: &Path, arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(arguments).current_dir(directory).stdin(Stdio::null());
    command
}

fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("Linux has it").into()
}

/// The end of a pipe that nobody reads.
fn unread() -> std::io::PipeWriter {
    std::io::pipe().expect("a pipe").1
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

#[test]
fn a_standard_error_that_cannot_be_written_to_changes_neither_the_work_nor_the_exit_code() {
    for (arguments, expected) in COMMANDS {
        for stderr in [full as fn() -> Stdio, || unread().into()] {
            let directory = prepared();
            let output = program(directory.path(), arguments).stderr(stderr()).output().expect("it starts");
            assert_eq!(code(&output), Some(expected), "{arguments:?}");
            if arguments[0] == "sweep" && expected == 0 {
                assert!(read(&directory.path().join("sweep"), "report.html").contains("</html>"));
            }
        }
    }
}

/// `queenlab ... 2>&1 | head -1`
#[test]
fn both_outputs_in_one_closed_pipe_are_no_failure() {
    for (arguments, expected) in COMMANDS {
        let directory = prepared();
        let pipe = unread();
        let stderr = pipe.try_clone().expect("a second end");
        let status =
            program(directory.path(), arguments).stdout(pipe).stderr(stderr).status().expect("it starts");
        assert_eq!(status.code(), Some(expected), "{arguments:?}");
    }
}

#[test]
fn a_standard_output_that_is_full_is_a_failure_and_no_panic() {
    let commands: [&[&str]; 22] = [
        &["report", "results", "--spec", "quick"],
        &["check", "--batch", "class", "--n", "4", "--json"],
        &["solve", "8", "--lex"],
        &["count", "14", "--sample", "3", "--json"],
        &["estimate", "8", "--probes", "10"],
        &["generate", "blocked", "8", "--squares", "5"],
        &["certify", "5", "--symmetry", "full"],
        &["shard", "plan", "--n", "6"],
        &["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--out", "sweep"],
        &["sweep", "--dry-run"],
        &["report", "results"],
        &["compare", "results", "results"],
        &["export", "results", "--format", "latex"],
        &["verify", "4"],
        &["solve", "8"],
        &["count", "5"],
        &["encode", "4"],
        &["certify", "4"],
        &["list"],
        &["man"],
        &["help", "formats"],
        &["--help"],
    ];
    for arguments in commands {
        let directory = prepared();
        let output = program(directory.path(), arguments).stdout(full()).output().expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(code(&output), Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.contains("No space left on device"), "{arguments:?}: {stderr}");
        let output = program(directory.path(), arguments).stdout(unread()).output().expect("it starts");
        // A closed pipe changes no verdict: the batch has a wrong submission.
        let unread_code = if arguments.contains(&"--batch") { 3 } else { 0 };
        assert_eq!(
            code(&output),
            Some(unread_code),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// A process that is killed when its test ends, however it ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw).expect("a process");
        kill_process(id, signal).expect("it runs");
    }

    /// Which signals the program handles and which it ignores, as bit masks, once it handles SIGTERM.
    fn dispositions(&mut self) -> [u64; 2] {
        until("the program handles signals", || {
            if let Some(status) = self.0.try_wait().expect("a child") {
                panic!("it ended before: {status}");
            }
            let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
            let mask = |name: &str| {
                let line = status.lines().find_map(|line| line.strip_prefix(name))?;
                u64::from_str_radix(line.trim(), 16).ok()
            };
            let masks = [mask("SigCgt:")?, mask("SigIgn:")?];
            (masks[0] & bit(Signal::TERM) != 0).then_some(masks)
        })
    }

    fn exit_code(&mut self) -> Option<i32> {
        until("the program ends", || self.0.try_wait().expect("a child")).code()
    }
}

fn bit(signal: Signal) -> u64 {
    1 << (signal.as_raw() - 1)
}

/// Waits for something that must happen; only a program that hangs takes this long.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

const ENDLESS: [&str; 8] =
    ["sweep", "--n", "24", "--solver", "backtrack/bitmask", "--timeout", "1h", "--progress=plain"];

#[test]
fn signals_that_were_ignored_at_the_start_stay_ignored() {
    for (name, signal) in [("HUP", Signal::HUP), ("INT", Signal::INT)] {
        let directory = scratch();
        let child = Command::new("sh")
            .args(["-c", &format!("trap '' {name}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_queenlab")])
            .args(ENDLESS)
            .current_dir(directory.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut running = Running(child.expect("a shell"));
        let [handled, ignored] = running.dispositions();
        assert_eq!((handled & bit(signal), ignored & bit(signal)), (0, bit(signal)), "SIG{name}");
        running.signal(signal);
        running.signal(Signal::TERM);
        assert_eq!(running.exit_code(), Some(130));
    }
}

#[test]
fn signals_that_were_not_ignored_at_the_start_are_handled() {
    let directory = scratch();
    let child = program(directory.path(), &ENDLESS).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let [handled, _] = Running(child.expect("it starts")).dispositions();
    for signal in interrupting() {
        assert_ne!(handled & bit(signal), 0, "{signal:?}");
    }
}

#[test]
fn every_long_command_ends_with_130_when_it_is_interrupted() {
    let directory = scratch();
    let plan = ["shard", "plan", "--n", "22", "--shards", "1", "-o", "plan.json"];
    assert_eq!(run_in(directory.path(), &plan).0, 0);
    std::fs::create_dir(directory.path().join("class")).expect("a directory");
    write(&directory.path().join("class"), "slow.sh", "sleep 600\n");
    let commands: [&[&str]; 17] = [
        &["check", "--batch", "class", "--n", "4", "--timeout", "1h"],
        &["count", "18", "--sample", "1000000", "--threads", "1"],
        &["estimate", "100", "--probes", "1000000000000"],
        &["generate", "completion", "1000", "--queens", "1000"],
        &["generate", "excluded-diagonals", "1024", "--count", "2000"],
        &["certify", "14", "--symmetry", "full", "--method", "monolithic", "--proof", "p.lrat"],
        &["certify", "14", "--format", "veripb", "--proof", "p.pbp"],
        &ENDLESS,
        &["verify", "16"],
        &["certify", "14", "--proof", "p.lrat"],
        &["solve", "20", "--all"],
        &["count", "22", "--threads", "2"],
        &["count", "20", "--solver", "backtrack/bitmask"],
        &["count", "14", "--solver", "sat/pairwise/varisat"],
        &["check", "20", "--timeout", "1h", "--", "sleep", "600"],
        &["shard", "run", "--plan", "plan.json", "--index", "0", "--out", "shards"],
        &["check", "8", "never"],
    ];
    rustix::fs::mkfifoat(rustix::fs::CWD, directory.path().join("never"), rustix::fs::Mode::RWXU)
        .expect("a pipe with a name, which nobody writes to");
    for arguments in commands {
        for signal in interrupting() {
            let child =
                program(directory.path(), arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
            let mut running = Running(child.expect("it starts"));
            running.dispositions();
            running.signal(signal);
            assert_eq!(running.exit_code(), Some(130), "{arguments:?}");
            assert!(!directory.path().join("p.json").exists(), "a certificate of an interrupted proof");
        }
    }
}

#[test]
fn more_threads_than_any_machine_has_are_refused() {
    for arguments in [
        &["count", "16", "--threads", "5000"][..],
        &["solve", "8", "-j", "5000"],
        &["sweep", "--n", "4", "--threads", "5000"],
        &["shard", "run", "--plan", "p", "--index", "0", "--out", "o", "--threads", "5000"],
    ] {
        let (code, _, stderr) = run(arguments);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains("a whole number from 1 to 1024"), "{stderr}");
    }
}

#[test]
fn squares_of_a_board_that_is_too_large_for_them_are_refused() {
    for squares in [["--forbid", "0:0"], ["--exclude-diagonals", "d0"], ["--place", "0:0"]] {
        for n in ["1025", "100000", "10000000"] {
            let (code, _, stderr) = run(&[&["solve", n], &squares[..]].concat());
            assert_eq!(code, 2, "{stderr}");
            assert!(stderr.contains("exceeds 1024, the largest board with squares"), "{stderr}");
        }
    }
}

fn odd(prefix: &str) -> OsString {
    OsString::from_vec([prefix.as_bytes(), b"\xff\xfe"].concat())
}

#[test]
fn a_path_that_does_not_fit_into_json_is_refused_by_name_before_the_work() {
    let directory = prepared();
    write(directory.path(), "plan.json", "");
    std::fs::remove_file(directory.path().join("plan.json")).expect("just written");
    assert_eq!(run_in(directory.path(), &["shard", "plan", "--n", "6", "-o", "plan.json"]).0, 0);
    let with = |arguments: &[&str], path: OsString| {
        arguments.iter().map(OsString::from).chain([path]).collect::<Vec<_>>()
    };
    for arguments in [
        with(&["sweep", "--n", "4", "--out"], odd("r")),
        with(&["reproduce", "results", "--out"], odd("r")),
        with(&["shard", "run", "--plan", "plan.json", "--index", "0", "--out"], odd("r")),
    ] {
        let output = program(directory.path(), &arguments).output().expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(code(&output), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("r\u{fffd}\u{fffd}") && stderr.contains("UTF-8"), "{stderr}");
        assert!(!directory.path().join(odd("r")).exists(), "{arguments:?}");
    }
}

/// Paths that appear in no JSON work as they are; everything else is refused.
#[test]
fn no_argument_that_is_not_utf_8_makes_any_command_panic() {
    let directory = prepared();
    for name in ["boards", "spec"] {
        std::fs::write(directory.path().join(odd(name)), "1 3 0 2\n2 0 3 1\n").expect("written");
    }
    let bytes = |arguments: &[&[u8]]| {
        arguments.iter().map(|argument| OsStr::from_bytes(argument).to_owned()).collect::<Vec<_>>()
    };
    for (arguments, expected) in [
        (bytes(&[b"check", b"4", b"boards\xff\xfe"]), 0),
        (bytes(&[b"encode", b"4", b"-o", b"formula\xff"]), 0),
        (bytes(&[b"count", b"5", b"--checkpoint", b"count\xff"]), 0),
        (bytes(&[b"shard", b"plan", b"--n", b"6", b"-o", b"plan\xff"]), 0),
        (bytes(&[b"sweep", b"spec\xff\xfe"]), 2),
        (bytes(&[b"report", b"results\xff"]), 2),
        (bytes(&[b"\xff"]), 2),
        (bytes(&[b"solve", b"\xff"]), 2),
        (bytes(&[b"solve", b"4", b"--solver", b"\xff"]), 2),
        (bytes(&[b"--external", b"\xff {cnf}", b"list"]), 2),
        (bytes(&[b"list", b"\xff"]), 2),
        (bytes(&[b"help", b"\xff"]), 2),
        (bytes(&[b"--color\xff", b"list"]), 2),
        (bytes(&[b"sweep", b"--instance", b"spec\xff\xfe"]), 2),
        (bytes(&[b"solve", b"--instance", b"spec\xff\xfe"]), 2),
        (bytes(&[b"check", b"--batch", b"class\xff", b"--n", b"4"]), 1),
        (bytes(&[b"reproduce", b"r\xff.tar.zst"]), 2),
        (bytes(&[b"pack", b"results", b"--out", b"r\xff.tar.zst"]), 0),
        (bytes(&[b"generate", b"regions", b"6", b"-o", b"puzzle\xff"]), 0),
        (bytes(&[b"init", b"-o", b"new\xff.toml"]), 0),
    ] {
        let output = program(directory.path(), &arguments).output().expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(code(&output), Some(expected), "{arguments:?}: {stderr}");
        assert!(expected == 0 || stderr.contains('\u{fffd}'), "it is not named: {arguments:?}: {stderr}");
    }
    let certify = bytes(&[b"certify", b"4", b"--proof", b"proof\xff.lrat"]);
    let output = program(directory.path(), &certify).output().expect("it starts");
    assert!(matches!(code(&output), Some(0 | 2)), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Words that a command line may have; none of them starts a program.
const WORDS: [&str; 44] = [
    "sweep",
    "report",
    "compare",
    "reproduce",
    "export",
    "verify",
    "check",
    "solve",
    "count",
    "encode",
    "certify",
    "proof-check",
    "shard",
    "plan",
    "run",
    "missing",
    "merge",
    "list",
    "doctor",
    "completions",
    "man",
    "help",
    "--n",
    "-n",
    "--solver",
    "--goal",
    "--repeat",
    "--timeout",
    "--memory",
    "--threads",
    "-j",
    "--jobs",
    "--pin",
    "--out",
    "--seed",
    "--external",
    "--progress",
    "--notation",
    "--symmetry",
    "--fail-on-regression",
    "--limit",
    "--all",
    "-q",
    "--json",
];

/// Values, good and bad, for options that read sizes, durations, bytes, lists and names.
const VALUES: [&str; 28] = [
    "",
    "0",
    "8",
    "4-8",
    "4-20:2",
    "8-4",
    "-1",
    "1025",
    "18446744073709551616",
    "1,2,,3",
    "4-:",
    "99999999999s",
    "10s",
    "1e400ms",
    "2GiB",
    "-5MiB",
    "9999999999999TiB",
    "0-3,7",
    "3-1",
    "columns",
    "unicode",
    "\u{202e}",
    "first",
    "nan",
    "inf",
    "1e308%",
    "{cnf}",
    "backtrack/*",
];

/// The parser is asked for help at the end, so that it reads all values and no command runs.
#[test]
fn no_generated_command_line_makes_the_parser_panic() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % below
    };
    let mut seen = [0; 2];
    for _ in 0..400 {
        let mut arguments: Vec<OsString> = vec![WORDS[draw(22)].into()];
        for _ in 0..draw(7) {
            arguments.push(match draw(8) {
                0..=3 => WORDS[draw(WORDS.len())].into(),
                4..=6 => VALUES[draw(VALUES.len())].into(),
                _ => OsString::from_vec((0..draw(12)).map(|_| draw(255) as u8 + 1).collect()),
            });
        }
        arguments.retain(|argument| argument != "--");
        arguments.push("--help".into());
        let output = program(Path::new(env!("CARGO_TARGET_TMPDIR")), &arguments).output().expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let code = code(&output).expect("no signal");
        assert!(code == 0 || code == 2, "{arguments:?}: {code}: {stderr}");
        seen[usize::from(code == 2)] += 1;
    }
    assert!(seen.iter().all(|&seen| seen > 20), "help and refusals: {seen:?}");
}

/// A pseudo-terminal, and the screen that a user would see.
mod screen {
    use std::os::fd::OwnedFd;

    use rustix::fs::{Mode, OFlags};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{Winsize, tcsetwinsize};

    /// The user's side and the program's side.
    pub fn terminal(rows: u16, columns: u16) -> (OwnedFd, OwnedFd) {
        let user = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&user).expect("it is ours");
        unlockpt(&user).expect("it is ours");
        let name = ptsname(&user, Vec::new()).expect("a name");
        let program =
            rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("its other side");
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&user, size).expect("a terminal");
        (user, program)
    }

    /// The lines of every picture that the program drew, and the last one.
    pub fn pictures(text: &[u8], rows: u16, columns: u16) -> Vec<Vec<String>> {
        const REMOVAL: &[u8] = b"\x1b[J";
        let mut parser =
            vt100::Parser::new(rows.try_into().expect("some"), columns.try_into().expect("some"), 1000);
        let mut pictures = Vec::new();
        let mut look = |parser: &vt100::Parser| {
            let screen = parser.screen();
            for (row, line) in (0..rows).zip(screen.rows(0, columns)) {
                let wraps = super::is_bar(&line) && screen.row_wrapped(row);
                assert!(
                    !wraps,
                    "a bar wraps:
{}",
                    screen.contents()
                );
            }
            let lines = screen.rows(0, columns).map(|line| line.trim_end().to_owned());
            pictures.push(lines.filter(|line| !line.is_empty()).collect());
        };
        let mut rest = text;
        while let Some(at) = rest.windows(REMOVAL.len()).position(|window| window == REMOVAL) {
            // What stands before the cursor's way up is a whole picture.
            let up = rest[..at].iter().rposition(|&byte| byte == b'\r').unwrap_or(at);
            parser.process(&rest[..up]);
            look(&parser);
            parser.process(&rest[up..at + REMOVAL.len()]);
            rest = &rest[at + REMOVAL.len()..];
        }
        parser.process(rest);
        look(&parser);
        pictures
    }
}

/// What a program writes to a terminal.
struct Recording {
    text: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Recording {
    fn of(user: OwnedFd) -> Self {
        let text = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&text);
        let reader = std::thread::spawn(move || {
            let (mut file, mut buffer) = (File::from(user), [0; 4096]);
            // Linux says EIO when the other side is closed.
            while let Ok(length @ 1..) = file.read(&mut buffer) {
                all.lock().expect("no panic").extend_from_slice(&buffer[..length]);
            }
        });
        Self { text, reader }
    }

    fn has(&self, word: &str) -> Option<()> {
        String::from_utf8_lossy(&self.text.lock().expect("no panic")).contains(word).then_some(())
    }

    /// All of it, once the program has ended.
    fn whole(self) -> Vec<u8> {
        self.reader.join().expect("no panic");
        self.text.lock().expect("no panic").clone()
    }
}

fn is_bar(line: &str) -> bool {
    line.contains(['━', '─'])
}

#[test]
fn bars_fit_every_terminal_and_leave_nothing_behind() {
    for (rows, columns) in [(24, 60), (24, 80), (50, 200), (10, 80)] {
        let directory = scratch();
        let (user, terminal) = screen::terminal(rows, columns);
        let sweep = ["sweep", "--n", "4-6", "--solver", "backtrack/*", "--repeat", "1", "--out", "r"];
        let mut running = Running(
            program(directory.path(), &sweep)
                .stdout(Stdio::null())
                .stderr(terminal)
                .spawn()
                .expect("it starts"),
        );
        let recording = Recording::of(user);
        assert_eq!(running.exit_code(), Some(0));
        let text = recording.whole();
        let pictures = screen::pictures(&text, rows, columns);
        let (last, drawn) = pictures.split_last().expect("one at least");
        assert!(last.iter().all(|line| !is_bar(line)), "{rows} x {columns}: a stray bar: {last:#?}");
        assert!(!drawn.is_empty());
        for picture in drawn {
            let overall = picture.iter().position(|line| line.contains('/') && line.contains(" runs"));
            let bars = picture.iter().position(|line| is_bar(line));
            assert!(overall.is_some() && bars >= overall, "{rows} x {columns}: {picture:#?}");
        }
        // On a low terminal the bars push it off the screen.
        assert!(rows < 20 || last.concat().contains(" runs of "), "{last:#?}");
    }
}

#[test]
fn ctrl_c_leaves_no_stray_bar() {
    let directory = scratch();
    let (user, terminal) = screen::terminal(24, 60);
    let keyboard = user.try_clone().expect("a second handle");
    let sweep =
        ["sweep", "--n", "4,24", "--solver", "backtrack/bitmask", "--solver", "backtrack/flag-arrays"];
    let child = program(directory.path(), &sweep)
        .args(["--timeout", "1h"])
        .stdout(Stdio::null())
        .stderr(terminal)
        .spawn();
    let mut running = Running(child.expect("it starts"));
    let recording = Recording::of(user);
    until("a run that does not end", || recording.has("n=24"));
    rustix::io::write(&keyboard, b"\x03").expect("a terminal");
    until("the terminal's echo", || recording.has("^C"));
    running.signal(Signal::TERM);
    assert_eq!(running.exit_code(), Some(130));
    drop(keyboard);
    let text = recording.whole();
    assert!(String::from_utf8_lossy(&text).contains("repeat the same command to resume"));
    let pictures = screen::pictures(&text, 24, 60);
    let last = pictures.last().expect("one at least");
    assert!(last.iter().all(|line| !is_bar(line)), "a stray bar: {last:#?}");
}
