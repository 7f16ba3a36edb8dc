//! Handles signals. Ctrl-Z (SIGTSTP) pauses queenlab together with all processes that it started. Ctrl-C (SIGINT), SIGTERM and
//! SIGHUP interrupt queenlab with exit code 130.
//!
//! By default, an interruption ends the process at once. A step that calls [`graceful_step`] checks a flag instead, reports its
//! progress and ends by itself. A second interruption always ends the process at once. Files stay complete, because they are
//! replaced as a whole or extended line by line.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::{Duration, Instant};

use anyhow::{Context, Error};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGXFSZ};
use signal_hook::iterator::Signals;

use super::{Exit, terminal};
use crate::files::remove_temporary;
use crate::os::pause;
use crate::os::proc::Root;
use crate::os::with_signals_blocked;

/// Signals within this time count as one interruption, because `timeout` sends its signal twice, to the command and to the
/// process group.
const REPEAT_INTERVAL: Duration = Duration::from_secs(1);

/// The time of the first signal.
static FIRST_SIGNAL: OnceLock<Instant> = OnceLock::new();
/// The flag that a signal sets.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Whether a [`Graceful`] step is running.
static GRACEFUL: AtomicBool = AtomicBool::new(false);

/// While this value exists, the first signal only sets the flag and does not end the process.
pub struct Graceful(());

/// Begins a step that checks the flag and ends soon after it is set.
pub fn graceful_step() -> Graceful {
    GRACEFUL.store(true, Ordering::Relaxed);
    Graceful(())
}

/// The flag that a signal sets.
pub fn flag() -> Arc<AtomicBool> {
    Arc::clone(&INTERRUPTED)
}

impl Graceful {
    /// The flag that a signal sets.
    pub fn flag(&self) -> Arc<AtomicBool> {
        flag()
    }
}

impl Drop for Graceful {
    fn drop(&mut self) {
        GRACEFUL.store(false, Ordering::Relaxed);
    }
}

fn handle_signal(signal: i32) {
    if signal == SIGTSTP {
        pause::pause();
    } else {
        interrupt();
    }
}

fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
    let elapsed = FIRST_SIGNAL.get_or_init(Instant::now).elapsed();
    if !GRACEFUL.load(Ordering::Relaxed) || elapsed >= REPEAT_INTERVAL {
        terminal::leave(Exit::Interrupted.message());
        remove_temporary();
        std::process::exit(Exit::Interrupted as i32)
    }
}

/// Turns a write beyond the limit of file sizes (`ulimit -f`) into the error "File too large". Without a handler, SIGXFSZ would
/// end this process; if the signal were ignored, the programs that this process starts would ignore it, too.
pub fn survive_file_size_limit() -> Result<(), Error> {
    signal_hook::flag::register(SIGXFSZ, Arc::default()).context("cannot handle signals")?;
    Ok(())
}

/// Installs the signal handlers.
pub fn listen() -> Result<(), Error> {
    let initially_ignored_signals = initially_ignored_signals();
    let is_handled = |signal: &i32| initially_ignored_signals & 1 << (signal - 1) == 0;
    let handled_signals: Vec<i32> =
        [SIGINT, SIGTERM, SIGHUP, SIGTSTP].into_iter().filter(is_handled).collect();
    // signal-hook ignores a signal that arrives after it has installed the handler and before it has stored the action.
    let registration = with_signals_blocked(|| {
        // The signal handler itself sets this flag. A thread that continues after a pause therefore cannot read the clock
        // before the flag is set.
        signal_hook::flag::register(SIGCONT, pause::continued())?;
        Signals::new(handled_signals)
    });
    let mut signals = registration.flatten().context("cannot handle signals")?;
    let listener_thread =
        std::thread::Builder::new().spawn(move || signals.forever().for_each(handle_signal));
    listener_thread.context("cannot start a thread for signals")?;
    Ok(())
}

/// The bit set of the signals that were ignored when this process started: SIGHUP under `nohup`, SIGINT in a background job of
/// a shell script. They stay ignored. Empty on systems other than Linux.
fn initially_ignored_signals() -> u64 {
    let mask = Root::default().field("proc/self/status", "SigIgn");
    mask.and_then(|mask| u64::from_str_radix(&mask, 16).ok()).unwrap_or(0)
}
