//! Progress bars on terminals of several sizes.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use rustix::process::Signal;

use crate::attacks::command_line::program;
use crate::attacks::signals::exit_code;
use crate::harness::processes::{Guard, until};
use crate::harness::{assert_wording, scratch};

/// A pseudo-terminal, and its screen as the user sees it.
mod screen {
    use std::os::fd::OwnedFd;

    use rustix::fs::{Mode, OFlags};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{Winsize, tcsetwinsize};

    /// Opens a pseudo-terminal of this size. Returns the file descriptors of the user's side and the program's side.
    pub fn terminal(rows: u16, columns: u16) -> (OwnedFd, OwnedFd) {
        let user = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&user).expect("a terminal of this process");
        unlockpt(&user).expect("a terminal of this process");
        let name = ptsname(&user, Vec::new()).expect("a name");
        let program =
            rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("the program's side");
        resize(&user, rows, columns);
        (user, program)
    }

    /// Changes the size of the window.
    pub fn resize(user: &OwnedFd, rows: u16, columns: u16) {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(user, size).expect("a terminal");
    }

    /// The lines on the screen before each time the program redraws its bars, and at the end. Fails if a bar is longer than a line.
    pub fn pictures(text: &[u8], rows: u16, columns: u16) -> Vec<Vec<String>> {
        // The escape sequence that erases the screen below the cursor.
        const REMOVAL: &[u8] = b"\x1b[J";
        let mut parser =
            vt100::Parser::new(rows.try_into().expect("a row"), columns.try_into().expect("a column"), 1000);
        let mut pictures = Vec::new();
        let mut add_picture = |parser: &vt100::Parser| {
            let screen = parser.screen();
            for (row, line) in (0..rows).zip(screen.rows(0, columns)) {
                let is_wrapped = super::is_bar(&line) && screen.row_wrapped(row);
                assert!(!is_wrapped, "a bar wraps:\n{}", screen.contents());
            }
            let lines = screen.rows(0, columns).map(|line| line.trim_end().to_owned());
            pictures.push(lines.filter(|line| !line.is_empty()).collect());
        };
        let mut remaining = text;
        while let Some(removal_start) = remaining.windows(REMOVAL.len()).position(|window| window == REMOVAL)
        {
            // The screen is complete before the cursor moves up to redraw the bars.
            let redraw_start =
                remaining[..removal_start].iter().rposition(|&byte| byte == b'\r').unwrap_or(removal_start);
            parser.process(&remaining[..redraw_start]);
            add_picture(&parser);
            parser.process(&remaining[redraw_start..removal_start + REMOVAL.len()]);
            remaining = &remaining[removal_start + REMOVAL.len()..];
        }
        parser.process(remaining);
        add_picture(&parser);
        pictures
    }
}

/// Collects what a program writes to a terminal.
struct Recording {
    text: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Recording {
    fn start(user: OwnedFd) -> Self {
        let text = Arc::new(Mutex::new(Vec::new()));
        let shared_text = Arc::clone(&text);
        let reader = std::thread::spawn(move || {
            let (mut file, mut buffer) = (File::from(user), [0; 4096]);
            // On Linux, reading fails with EIO when the program's side is closed.
            while let Ok(length @ 1..) = file.read(&mut buffer) {
                shared_text.lock().expect("no panic").extend_from_slice(&buffer[..length]);
            }
        });
        Self { text, reader }
    }

    fn contains(&self, word: &str) -> Option<()> {
        String::from_utf8_lossy(&self.text.lock().expect("no panic")).contains(word).then_some(())
    }

    /// The complete output, after the program has ended.
    fn complete_output(self) -> Vec<u8> {
        self.reader.join().expect("no panic");
        self.text.lock().expect("no panic").clone()
    }
}

fn is_bar(line: &str) -> bool {
    line.contains(['━', '─'])
}

#[test]
#[ignore = "long: an attack"]
fn progress_bars_fit_terminal_and_leave_no_trace() {
    for (rows, columns) in [(24, 60), (24, 80), (50, 200), (10, 80)] {
        let directory = scratch();
        let (user, terminal) = screen::terminal(rows, columns);
        let sweep = ["sweep", "--n", "4-6", "--solver", "backtrack/*", "--repeat", "1", "--out", "r"];
        let mut running =
            Guard::start(program(directory.path(), &sweep).stdout(Stdio::null()).stderr(terminal));
        let recording = Recording::start(user);
        assert_eq!(exit_code(&mut running), Some(0));
        let text = recording.complete_output();
        let pictures = screen::pictures(&text, rows, columns);
        let (last_picture, pictures_with_bars) = pictures.split_last().expect("at least one picture");
        assert!(
            last_picture.iter().all(|line| !is_bar(line)),
            "{rows} x {columns}: a stray bar: {last_picture:#?}"
        );
        assert!(!pictures_with_bars.is_empty());
        for picture in pictures_with_bars {
            let total_line = picture.iter().position(|line| line.contains('/') && line.contains(" runs"));
            let first_bar = picture.iter().position(|line| is_bar(line));
            assert!(total_line.is_some() && first_bar >= total_line, "{rows} x {columns}: {picture:#?}");
        }
        // On a terminal with few rows, the bars push the summary off the screen.
        assert!(rows < 20 || last_picture.concat().contains(" cells, "), "{last_picture:#?}");
    }
}

/// The terminal is too narrow for bars from the start, or becomes too narrow during the sweep.
#[test]
#[ignore = "long: an attack"]
fn sweep_on_too_narrow_terminal_succeeds() {
    for columns in [0, 1, 2, 7] {
        for narrow_at_first in [true, false] {
            let directory = scratch();
            let (user, terminal) = screen::terminal(24, if narrow_at_first { columns } else { 80 });
            let window = user.try_clone().expect("a second handle");
            let sweep = ["sweep", "--n", "4-7", "--solver", "backtrack/*", "--repeat", "1", "--out", "r"];
            let mut running =
                Guard::start(program(directory.path(), &sweep).stdout(Stdio::null()).stderr(terminal));
            let recording = Recording::start(user);
            screen::resize(&window, 24, columns);
            assert_eq!(exit_code(&mut running), Some(0), "{columns} columns");
            drop(window);
            recording.complete_output();
        }
    }
}

#[test]
#[ignore = "long: an attack"]
fn interruption_removes_every_progress_bar() {
    let directory = scratch();
    let (user, terminal) = screen::terminal(24, 60);
    let keyboard = user.try_clone().expect("a second handle");
    let sweep =
        ["sweep", "--n", "4,24", "--solver", "backtrack/bitmask", "--solver", "backtrack/flag-arrays"];
    let sweep = [&sweep[..], &["--timeout", "1h"]].concat();
    let mut running = Guard::start(program(directory.path(), &sweep).stdout(Stdio::null()).stderr(terminal));
    let recording = Recording::start(user);
    until("a run that does not end", || recording.contains("n=24"));
    rustix::io::write(&keyboard, b"\x03").expect("a terminal");
    until("the terminal's echo", || recording.contains("^C"));
    running.signal(Signal::TERM);
    assert_eq!(exit_code(&mut running), Some(130));
    drop(keyboard);
    let text = recording.complete_output();
    let output = String::from_utf8_lossy(&text).into_owned();
    let (_, message) = output.rsplit_once("interrupted: ").expect("a message about the interruption");
    // The numbers of finished and planned runs depend on time.
    let words =
        message.split(' ').skip_while(|word| word.starts_with(|c: char| c.is_ascii_digit()) || *word == "of");
    let message = words.collect::<Vec<_>>().join(" ");
    assert_wording("sweep", "interrupted on a terminal", message.lines().next().expect("a line").trim_end());
    let pictures = screen::pictures(&text, 24, 60);
    let last_picture = pictures.last().expect("at least one picture");
    assert!(last_picture.iter().all(|line| !is_bar(line)), "a stray bar: {last_picture:#?}");
}

/// A terminal of the type `dumb` has no control sequences.
#[test]
fn dumb_terminal_gets_plain_lines() {
    for (terminal_type, has_bars) in [("dumb", false), ("xterm", true)] {
        let directory = scratch();
        let (user, terminal) = screen::terminal(24, 80);
        let sweep = ["sweep", "--n", "4-5", "--solver", "backtrack/bitmask", "--repeat", "1", "--out", "r"];
        let mut command = program(directory.path(), &sweep);
        command
            .env("TERM", terminal_type)
            .env("CI", "true")
            .env_remove("NO_COLOR")
            .stdout(Stdio::null())
            .stderr(terminal);
        let mut running = Guard::start(&mut command);
        drop(command);
        let recording = Recording::start(user);
        assert_eq!(exit_code(&mut running), Some(0));
        let text = recording.complete_output();
        assert_eq!(text.contains(&b'\x1b'), has_bars, "{terminal_type}: {}", String::from_utf8_lossy(&text));
        assert!(String::from_utf8_lossy(&text).contains(" cells, "));
    }
}
