//! Standard error: messages, and progress bars below them. Everything that this program writes there goes through
//! this file, so that a line never lands inside a bar, `--quiet` holds everywhere, and a standard error that
//! cannot be written to (a full disk, a closed pipe, a terminal that is gone) stops no work.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::escape::EscapedLines;

use super::color;

/// Bars are redrawn at most this often.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// How long a program that is about to end waits for a terminal that does not take more text.
const PATIENCE: Duration = Duration::from_millis(200);

/// Columns of a terminal that does not say how wide it is.
const COLUMNS: usize = 80;

/// One process has one standard error: this is its state.
static BARS: Mutex<Bars> = Mutex::new(Bars { lines: Vec::new(), visible: 0, drawn: None });
static QUIET: AtomicBool = AtomicBool::new(false);

/// Lines at the bottom of the terminal that change in place.
struct Bars {
    lines: Vec<String>,
    /// How many of them are on the screen. The cursor stands at the beginning of the line below them.
    visible: usize,
    drawn: Option<Instant>,
}

impl Bars {
    /// What removes the bars from the screen.
    fn removal(&mut self) -> String {
        match std::mem::take(&mut self.visible) {
            0 => String::new(),
            lines => format!("\r\u{1b}[{lines}A\u{1b}[J"),
        }
    }

    /// The bars as text, as many as the terminal has room for: the first ones say most.
    fn drawing(&mut self) -> String {
        let (_, rows) = size();
        self.visible = self.lines.len().min(rows.saturating_sub(1));
        self.lines[..self.visible].iter().map(|line| format!("{line}\n")).collect()
    }
}

fn bars() -> MutexGuard<'static, Bars> {
    BARS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Columns and rows of the terminal.
fn size() -> (usize, usize) {
    use terminal_size::{Height, Width};
    terminal_size::terminal_size_of(std::io::stderr())
        .map_or((COLUMNS, usize::MAX), |(Width(columns), Height(rows))| (columns.into(), rows.into()))
}

/// How many characters a line of a bar may have. The last column stays free: a line that reaches it may wrap.
pub fn columns() -> usize {
    size().0.saturating_sub(1)
}

/// Columns of the terminal that standard output is; `None` where it is none.
pub fn output_columns() -> Option<usize> {
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(std::io::stdout())?;
    Some(columns.into())
}

/// Whether standard error is a terminal.
pub fn is_terminal() -> bool {
    std::io::stderr().is_terminal()
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
    write(&color::heading("error: ", color::RED), &text);
}

/// Writes a warning, which `--quiet` leaves out.
pub fn warn(text: impl Display) {
    if !QUIET.load(Ordering::Relaxed) {
        write(&color::heading("warning: ", color::YELLOW), &text);
    }
}

fn write(heading: &str, text: &dyn Display) {
    let text = EscapedLines(text);
    let mut bars = bars();
    let (removal, drawing) = (bars.removal(), bars.drawing());
    put(&format!("{removal}{heading}{text}\n{drawing}"));
}

/// In one piece, so that lines of several processes do not mix. A failure cannot be reported anywhere.
fn put(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Replaces the bars. Each line has at most [`columns`] characters.
pub fn draw(lines: Vec<String>) {
    let mut bars = bars();
    bars.lines = lines;
    if bars.drawn.is_none_or(|before| before.elapsed() >= REDRAW_INTERVAL) {
        bars.drawn = Some(Instant::now());
        let (removal, drawing) = (bars.removal(), bars.drawing());
        put(&format!("{removal}{drawing}"));
    }
}

/// Removes the bars for good.
pub fn clear() {
    remove(&mut bars());
}

fn remove(bars: &mut Bars) {
    bars.lines.clear();
    bars.drawn = None;
    let removal = bars.removal();
    if !removal.is_empty() {
        put(&removal);
    }
}

/// Removes the bars before the program ends, unless another thread is stuck in writing to the terminal.
pub fn leave() {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        if let Ok(mut bars) = BARS.try_lock() {
            return remove(&mut bars);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
