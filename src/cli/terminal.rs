//! Writes to standard error: messages, and progress bars below them.
//!
//! The whole program writes to standard error through this file, so that messages do not overwrite bars and `--quiet` works
//! everywhere. An error while writing to standard error (a full disk, a closed pipe or terminal) is ignored, so that the
//! command completes its work. Only this file uses indicatif and, for `--color`, anstream.

#![expect(clippy::disallowed_methods, reason = "the one place that writes to standard error")]

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use clap::ColorChoice;
pub use indicatif::ProgressBar;
use indicatif::{MultiProgress, ProgressDrawTarget, ProgressStyle, TermLike};

use plaintext::EscapedLines;

/// The maximum number of redraws of the bars per second.
const REDRAW_HZ: u8 = 10;

/// The maximum time that [`leave`] waits for a blocked terminal.
const MAX_WAIT: Duration = Duration::from_millis(200);

/// The width of a terminal that does not report one.
const DEFAULT_COLUMNS: u16 = 80;

/// The minimum width for bars.
const MIN_COLUMNS: u16 = 20;

/// All bars of this process, because a process has only one standard error.
static BARS: LazyLock<MultiProgress> = LazyLock::new(|| {
    let screen = Box::new(Screen::default());
    MultiProgress::with_draw_target(ProgressDrawTarget::term_like_with_hz(screen, REDRAW_HZ))
});
/// Whether [`be_quiet`] was called.
static QUIET: AtomicBool = AtomicBool::new(false);
/// Whether anything was written to standard error.
static WRITTEN: AtomicBool = AtomicBool::new(false);

/// The terminal that indicatif draws on. It replaces indicatif's own type, which pads every line to the full width and panics
/// in `suspend` if a write fails. Here, each line ends with a line break, and the last column stays empty, because some
/// terminals wrap a line that reaches it. All lines are written at once, and a failed write is ignored.
#[derive(Debug, Default)]
struct Screen(Mutex<ScreenLines>);

#[derive(Debug, Default)]
struct ScreenLines {
    /// The lines of the next frame.
    lines: Vec<String>,
    /// The number of lines on the terminal. The cursor is at the beginning of the line below them.
    visible: usize,
}

impl Screen {
    fn lock(&self) -> MutexGuard<'_, ScreenLines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TermLike for Screen {
    /// The width, but at least [`MIN_COLUMNS`], because indicatif computes a negative length for a bar on a narrower terminal.
    /// [`Self::write_str`] cuts lines that are too long.
    fn width(&self) -> u16 {
        size().0.saturating_sub(1).max(MIN_COLUMNS)
    }

    /// The number of rows minus one, because the cursor is below the bars.
    fn height(&self) -> u16 {
        size().1.saturating_sub(1)
    }

    /// Ignores the padding that indicatif writes after each line, because [`Self::flush`] clears the lines.
    fn write_str(&self, text: &str) -> io::Result<()> {
        if !text.trim().is_empty() {
            self.lock().lines.push(cut_to_columns(text, size().0.saturating_sub(1).into()));
        }
        Ok(())
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.write_str(line)
    }

    /// Replaces the lines on the terminal by the new lines.
    fn flush(&self) -> io::Result<()> {
        let mut screen = self.lock();
        let lines = std::mem::take(&mut screen.lines);
        let mut text = match std::mem::replace(&mut screen.visible, lines.len()) {
            0 => String::new(),
            visible => format!("\r\u{1b}[{visible}A\u{1b}[J"),
        };
        text.extend(lines.iter().flat_map(|line| [line, "\n"]));
        if !text.is_empty() {
            draw(&text);
        }
        Ok(())
    }

    // indicatif moves the cursor only to clear the previous lines, which `flush` does.

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Cuts a line to a number of columns. Escape sequences for colours (`ESC [ ... m`) do not count.
fn cut_to_columns(line: &str, columns: usize) -> String {
    let (mut column, mut escape) = (0, false);
    let fits = |&c: &char| {
        if escape || c == '\u{1b}' {
            escape = c != 'm';
            return true;
        }
        column += 1;
        column <= columns
    };
    line.chars().filter(fits).collect()
}

/// The columns and rows of the terminal.
fn size() -> (u16, u16) {
    use terminal_size::{Height, Width};
    terminal_size::terminal_size_of(io::stderr())
        .filter(|(Width(columns), _)| *columns > 0)
        .map_or((DEFAULT_COLUMNS, u16::MAX), |(Width(columns), Height(rows))| (columns, rows))
}

/// Adds a bar below the others, which disappears when it is finished or dropped. `template` has the syntax of indicatif.
pub fn bar(total: usize, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("a template of this program");
    let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden());
    BARS.add(bar.with_style(style.progress_chars("━─")))
}

/// The width of standard output in columns: the width of the terminal, or the value of the variable COLUMNS if standard output
/// is not a terminal. `None` if the width is unknown or 0.
pub fn output_columns() -> Option<usize> {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    let columns = terminal.map(|(terminal_size::Width(columns), _)| columns.into()).or_else(variable);
    columns.filter(|columns| *columns > 0)
}

/// Whether standard error is a terminal that can replace lines.
pub fn can_draw() -> bool {
    io::stderr().is_terminal() && !is_dumb()
}

/// Whether the terminal can only write one line after another.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|name| name == "dumb")
}

/// Silences [`note`] and [`warn`] for the rest of the process.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether the program has tried to write anything to standard error.
pub fn has_written() -> bool {
    WRITTEN.load(Ordering::Relaxed)
}

/// Records that clap wrote a usage error to standard error.
pub fn record_message_of_clap() {
    WRITTEN.store(true, Ordering::Relaxed);
}

/// Whether [`be_quiet`] was called.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Writes a line even with `--quiet`: a wrong answer, or the reason why the work is not complete.
pub fn say(line: impl Display) {
    write("", &line);
}

/// Writes a line, unless `--quiet` is given.
pub fn note(line: impl Display) {
    if !QUIET.load(Ordering::Relaxed) {
        say(line);
    }
}

/// Writes an error message.
pub fn error(text: impl Display) {
    write(&heading("error: ", RED), &text);
}

/// Writes a warning, unless `--quiet` is given.
pub fn warn(text: impl Display) {
    if !QUIET.load(Ordering::Relaxed) {
        write(&heading("warning: ", YELLOW), &text);
    }
}

/// Writes a message. All lines except the first one are indented, so that a line of an untrusted text cannot look like a
/// message of queenlab.
fn write(heading: &str, text: &dyn Display) {
    let text = format!("{heading}{}\n", indent_lines(&EscapedLines(text).to_string()));
    BARS.suspend(|| write_text(&text));
}

fn indent_lines(text: &str) -> String {
    let mut lines = text.split('\n');
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |text, line| {
        let indent = if line.is_empty() || line.starts_with("  ") { "" } else { "  " };
        text + "\n" + indent + line
    })
}

fn write_text(text: &str) {
    WRITTEN.store(true, Ordering::Relaxed);
    draw(text);
}

/// Writes a text with a single call, so that lines of several processes do not mix. A failed write is ignored, because it
/// cannot be reported.
fn draw(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Removes the bars before the process ends, and writes a last line. Waits at most [`MAX_WAIT`], because another thread may be
/// blocked while it writes to the terminal.
pub fn leave(line: &str) {
    let line = format!("{line}\n");
    let (sender, receiver) = mpsc::channel();
    let remove_bars = move || {
        let _ = BARS.clear();
        BARS.set_draw_target(ProgressDrawTarget::hidden());
        write_text(&line);
        let _ = sender.send(());
    };
    if std::thread::Builder::new().spawn(remove_bars).is_ok() {
        let _ = receiver.recv_timeout(MAX_WAIT);
    }
}

/// Determines and applies `--color` before the command line is parsed, because parse errors are coloured as well.
pub fn color() -> ColorChoice {
    // anstream colours a dumb terminal if the variable CI is set.
    let choice = match color_option(std::env::args_os().skip(1)) {
        ColorChoice::Auto if is_dumb() => ColorChoice::Never,
        choice => choice,
    };
    let anstream_choice = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::AlwaysAnsi,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    anstream_choice.write_global();
    choice
}

fn color_option(arguments: impl Iterator<Item = OsString>) -> ColorChoice {
    let (mut choice, mut is_next_the_value) = (ColorChoice::Auto, false);
    for argument in arguments.take_while(|argument| argument != "--") {
        let text = argument.to_string_lossy();
        let value = text.strip_prefix("--color=").or(is_next_the_value.then_some(&*text));
        choice = value.and_then(|value| value.parse().ok()).unwrap_or(choice);
        is_next_the_value = text == "--color";
    }
    choice
}

/// The ANSI codes of colours.
const RED: &str = "31";
const YELLOW: &str = "33";

/// A word in bold and coloured, if standard error may be coloured.
fn heading(word: &str, color: &str) -> String {
    let is_colored = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
    if is_colored { format!("\u{1b}[1;{color}m{word}\u{1b}[0m") } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_colour_option_before_a_command_wins() {
        let color_option = |arguments: &[&str]| color_option(arguments.iter().map(OsString::from));
        assert_eq!(color_option(&[]), ColorChoice::Auto);
        assert_eq!(color_option(&["list", "--color", "never"]), ColorChoice::Never);
        assert_eq!(color_option(&["--color=never", "list", "--color=always"]), ColorChoice::Always);
        assert_eq!(color_option(&["check", "8", "--", "ls", "--color=always"]), ColorChoice::Auto);
    }
}
