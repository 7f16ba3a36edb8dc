//! Signals. Ctrl-Z (SIGTSTP) pauses this program together with all processes that it started. Ctrl-C (SIGINT), SIGTERM and
//! SIGHUP interrupt it with exit code 130.
//!
//! During most steps, an interruption ends the program at once. A step that calls [`graceful`] instead checks a flag, reports
//! its progress and ends by itself. A second interruption always ends the program at once. Files stay complete, because they
//! are replaced as a whole or extended line by line.

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

/// Signals within this time count as one interruption, because `timeout` sends its signal twice: to its command and to the
/// process group.
const ONE_INTERRUPTION: Duration = Duration::from_secs(1);

static FIRST: OnceLock<Instant> = OnceLock::new();
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static GRACEFUL: AtomicBool = AtomicBool::new(false);

/// While this value exists, the first signal only sets the flag and does not end the program.
pub struct Graceful(());

/// Begins a step that checks the flag and ends soon after it is set.
pub fn graceful() -> Graceful {
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

fn handle(number: i32) {
    if number == SIGTSTP {
        pause::pause();
    } else {
        signal();
    }
}

fn signal() {
    INTERRUPTED.store(true, Ordering::Relaxed);
    let since = FIRST.get_or_init(Instant::now).elapsed();
    if !GRACEFUL.load(Ordering::Relaxed) || since >= ONE_INTERRUPTION {
        terminal::leave(Exit::Interrupted.meaning());
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
    let ignored = ignored();
    let is_handled = |signal: &i32| ignored & 1 << (signal - 1) == 0;
    let handled: Vec<i32> = [SIGINT, SIGTERM, SIGHUP, SIGTSTP].into_iter().filter(is_handled).collect();
    // signal-hook ignores a signal that arrives after it has installed the handler and before it has stored the action.
    let registered = with_signals_blocked(|| {
        // The handler itself sets this flag, so that no thread can read the clock after a pause while the flag is not set yet.
        signal_hook::flag::register(SIGCONT, pause::continued())?;
        Signals::new(handled)
    });
    let mut signals = registered.flatten().context("cannot handle signals")?;
    let listening = std::thread::Builder::new().spawn(move || signals.forever().for_each(handle));
    listening.context("cannot start a thread for signals")?;
    Ok(())
}

/// The bit set of the signals that were ignored when this process started, which stay ignored: SIGHUP under `nohup`, SIGINT in
/// a background job of a shell script. Empty on systems other than Linux.
fn ignored() -> u64 {
    let mask = Root::default().field("proc/self/status", "SigIgn");
    mask.and_then(|mask| u64::from_str_radix(&mask, 16).ok()).unwrap_or(0)
}
