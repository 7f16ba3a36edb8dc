//! Standard error: messages, and below them the lines that show progress. Everything that this program writes to standard
//! error goes through this file. Messages never land inside those lines, `--quiet` holds everywhere, and a standard error
//! that cannot be written to (a full disk, a closed pipe, a terminal that was closed) stops no work. The home of anstream,
//! for `--color`.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use clap::ColorChoice;

use crate::escape::EscapedLines;

/// Time between two pictures of the progress.
const REDRAW: Duration = Duration::from_millis(100);

/// How long [`leave`] waits for a terminal that accepts no more text.
const PATIENCE: Duration = Duration::from_millis(200);

/// The width of a terminal that does not report one.
const COLUMNS: u16 = 80;

/// The progress of this process, because a process has only one standard error.
static PROGRESS: Mutex<Picture> = Mutex::new(Picture { lines: Vec::new(), visible: 0, drawn: None });
static QUIET: AtomicBool = AtomicBool::new(false);

struct Picture {
    /// What is below the messages.
    lines: Vec<String>,
    /// The number of lines on the terminal. The cursor is at the beginning of the line below them.
    visible: usize,
    drawn: Option<Instant>,
}

fn progress() -> MutexGuard<'static, Picture> {
    PROGRESS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Picture {
    /// Writes a text, and below it the lines, in place of those on the terminal. The last column and the last row stay free,
    /// because some terminals wrap a line that reaches the end.
    fn draw(&mut self, text: &str) {
        let (columns, rows) = size();
        let up = match self.visible {
            0 => String::new(),
            before => format!("\r\u{1b}[{before}A\u{1b}[J"),
        };
        let lines = self.lines.iter().take(usize::from(rows.saturating_sub(1)));
        let lines: Vec<String> =
            lines.map(|line| fit(line, columns.saturating_sub(1).into()) + "\n").collect();
        self.visible = lines.len();
        self.drawn = Some(Instant::now());
        put(&(up + text + &lines.concat()));
    }
}

/// Shows these lines below all messages, in place of earlier ones: ten times per second at most, unless `now`.
pub fn show(lines: Vec<String>, now: bool) {
    let mut progress = progress();
    progress.lines = lines;
    if now || progress.drawn.is_none_or(|drawn| drawn.elapsed() >= REDRAW) {
        progress.draw("");
    }
}

/// Cuts a line to a number of columns.
fn fit(line: &str, columns: usize) -> String {
    line.chars().take(columns).collect()
}

/// Columns and rows of the terminal.
fn size() -> (u16, u16) {
    use terminal_size::{Height, Width};
    terminal_size::terminal_size_of(io::stderr())
        .map_or((COLUMNS, u16::MAX), |(Width(columns), Height(rows))| (columns, rows))
}

/// Columns of the terminal that standard output is; without a terminal, the value of COLUMNS, if there is one.
pub fn output_columns() -> Option<usize> {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.map(|(terminal_size::Width(columns), _)| columns.into()).or_else(said)
}

/// Whether standard error is a terminal.
pub fn is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// From now on [`note`] and [`warn`] write nothing.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Writes a line that is never left out: a wrong answer, or why the program ended before its work was done.
pub fn say(line: impl Display) {
    write("", &line);
}

/// Writes a line that `--quiet` leaves out.
pub fn note(line: impl Display) {
    if !QUIET.load(Ordering::Relaxed) {
        say(line);
    }
}

/// Writes an error message.
pub fn error(text: impl Display) {
    write(&heading("error: ", RED), &text);
}

/// Writes a warning, which `--quiet` leaves out.
pub fn warn(text: impl Display) {
    if !QUIET.load(Ordering::Relaxed) {
        write(&heading("warning: ", YELLOW), &text);
    }
}

/// Lines after the first one are indented, so that no line within a foreign text can be mistaken for a message.
fn write(heading: &str, text: &dyn Display) {
    let text = format!("{heading}{}\n", indented(&EscapedLines(text).to_string()));
    progress().draw(&text);
}

fn indented(text: &str) -> String {
    let mut lines = text.split('\n');
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |text, line| {
        let indent = if line.is_empty() || line.starts_with("  ") { "" } else { "  " };
        text + "\n" + indent + line
    })
}

/// One write, so that lines of several processes do not mix. A failure is ignored: there is no place to report it.
fn put(text: &str) {
    if text.is_empty() {
        return;
    }
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Removes the progress for good before the program ends. Waits at most `PATIENCE`, because another thread may be
/// blocked in a write to the terminal.
pub fn leave() {
    let (sender, removed) = mpsc::channel();
    let remove = move || {
        let mut progress = progress();
        progress.lines.clear();
        progress.draw("");
        // Nothing is drawn after this.
        std::mem::forget(progress);
        let _ = sender.send(());
    };
    if std::thread::Builder::new().spawn(remove).is_ok() {
        let _ = removed.recv_timeout(PATIENCE);
    }
}

/// Applies `--color` before the command line is parsed, because clap colours its own messages.
pub fn color() -> ColorChoice {
    let choice = asked(std::env::args_os().skip(1));
    let global = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::AlwaysAnsi,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    global.write_global();
    choice
}

fn asked(arguments: impl Iterator<Item = OsString>) -> ColorChoice {
    let (mut choice, mut named) = (ColorChoice::Auto, false);
    for argument in arguments.take_while(|argument| argument != "--") {
        let text = argument.to_string_lossy();
        let value = text.strip_prefix("--color=").or(named.then_some(&*text));
        choice = value.and_then(|value| value.parse().ok()).unwrap_or(choice);
        named = text == "--color";
    }
    choice
}

/// ANSI colour codes.
const RED: &str = "31";
const YELLOW: &str = "33";

/// A word in bold and in a colour, where standard error may be coloured.
fn heading(word: &str, color: &str) -> String {
    let is_on = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
    if is_on { format!("\u{1b}[1;{color}m{word}\u{1b}[0m") } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_choice_before_a_command_counts() {
        let asked = |arguments: &[&str]| asked(arguments.iter().map(OsString::from));
        assert_eq!(asked(&[]), ColorChoice::Auto);
        assert_eq!(asked(&["list", "--color", "never"]), ColorChoice::Never);
        assert_eq!(asked(&["--color=never", "list", "--color=always"]), ColorChoice::Always);
        assert_eq!(asked(&["check", "8", "--", "ls", "--color=always"]), ColorChoice::Auto);
    }
}
