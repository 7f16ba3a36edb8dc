//! Pauses: this process and everything that it started are stopped and continued together, and time limits do not advance in between.
//! Other stops, such as SIGSTOP, are detected afterwards.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use rustix::time::{ClockId, clock_gettime};

use crate::proc::Root;

/// A span of the monotonic clock, as durations since its beginning.
pub type Span = (Duration, Duration);

/// The pauses so far. The lock is held during a pause, so that no thread reads a clock that includes it.
static PAUSES: Mutex<Vec<Span>> = Mutex::new(Vec::new());

/// The stops of this process so far.
static STOPS: LazyLock<Stops> = LazyLock::new(Stops::default);

/// The number of times that this process continued after an unexpected stop.
#[derive(Default)]
struct Stops {
    /// Set by a handler of SIGCONT, and cleared by the next check.
    continued: Arc<AtomicBool>,
    /// Whether the next signal ends a pause, which is no reason to distrust a run, however late this process looks at it.
    is_in_pause: AtomicBool,
    number: AtomicU64,
}

impl Stops {
    /// Called before this process stops itself.
    fn pause_begins(&self) {
        // An earlier stop is counted before the signal gets another meaning.
        self.until_now();
        self.is_in_pause.store(true, Ordering::Release);
    }

    fn until_now(&self) -> u64 {
        let is_continued = self.continued.swap(false, Ordering::AcqRel);
        let new = u64::from(is_continued && !self.is_in_pause.swap(false, Ordering::AcqRel));
        self.number.fetch_add(new, Ordering::AcqRel) + new
    }
}

fn pauses() -> MutexGuard<'static, Vec<Span>> {
    PAUSES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The time of the monotonic clock, which is the same in all processes and does not advance while the machine sleeps.
pub fn monotonic() -> Duration {
    now(ClockId::Monotonic)
}

fn now(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// A lower and an upper bound of the time that the machine has slept since it started. They differ, because two clocks cannot be read
/// at the same instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Slept {
    min: Duration,
    max: Duration,
}

impl Slept {
    /// Zero on systems where it is unknown.
    fn until_now() -> Self {
        #[cfg(target_os = "linux")]
        let slept = {
            let before = monotonic();
            let awake_and_asleep = now(ClockId::Boottime);
            Self::of(before, awake_and_asleep, monotonic())
        };
        #[cfg(not(target_os = "linux"))]
        let slept = Self::default();
        #[cfg(test)]
        let slept = slept.later(tests::EXTRA_SLEEP.get());
        slept
    }

    /// From the time that the machine was awake, before and after its whole time was read.
    fn of(before: Duration, whole: Duration, after: Duration) -> Self {
        Self { min: whole.saturating_sub(after), max: whole.saturating_sub(before) }
    }

    #[cfg(test)]
    fn later(self, extra: Duration) -> Self {
        Self { min: self.min + extra, max: self.max + extra }
    }

    /// A lower bound of the time that the machine has slept since an earlier measurement.
    fn since(self, earlier: Self) -> Duration {
        self.min.saturating_sub(earlier.max)
    }
}

/// How much of a span lies in others.
pub fn overlap((from, to): Span, others: &[Span]) -> Duration {
    let common = |&(begin, end): &Span| end.min(to).saturating_sub(begin.max(from));
    others.iter().map(common).fold(Duration::ZERO, Duration::saturating_add)
}

/// Stops all descendants of this process and then this process itself. When this process is continued, it continues them. The clocks of
/// supervised processes do not advance in between.
pub fn pause() {
    // The signal is sent to this thread, because otherwise this thread would continue until another thread has received the signal. After
    // an error, this process and its descendants simply continue.
    pause_by(|| {
        STOPS.pause_begins();
        let _ = nix::sys::signal::raise(nix::sys::signal::SIGSTOP);
    });
}

fn pause_by(stop: impl FnOnce()) {
    let mut pauses = pauses();
    let begin = monotonic();
    let stopped = stop_descendants();
    stop();
    for &process in &stopped {
        // An error means that the process has ended.
        let _ = kill_process(process, Signal::CONT);
    }
    pauses.push((begin, monotonic()));
}

/// How long to wait until processes have stopped. After that, those that still run are ignored.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// Stops all descendants of this process, and returns them without those that had been stopped before.
fn stop_descendants() -> Vec<Pid> {
    let (root, began, mut stopped) = (Root::default(), monotonic(), Vec::new());
    while monotonic().saturating_sub(began) < STOP_TIMEOUT {
        let mut is_done = true;
        for process in root.descendants(std::process::id()) {
            let Some(id) = i32::try_from(process).ok().and_then(Pid::from_raw) else { continue };
            let was_signalled = stopped.contains(&id);
            let does_run = match root.state(process) {
                None | Some('T' | 't' | 'Z' | 'X') => false,
                // It waits in the kernel until a child executes its program, but the child is stopped. It stops when the wait ends.
                Some('D') => !was_signalled,
                // It may start another process before it receives the signal.
                _ => true,
            };
            if does_run && !was_signalled {
                let _ = kill_process(id, Signal::STOP);
                stopped.push(id);
            }
            is_done &= !does_run;
        }
        if is_done {
            break;
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    stopped
}

/// The flag that a handler of SIGCONT must set. It shows that this process may have been stopped by SIGSTOP, which cannot be handled.
pub fn continued() -> Arc<AtomicBool> {
    Arc::clone(&STOPS.continued)
}

/// A clock that does not advance during pauses.
pub(crate) struct Clock {
    started: Duration,
    /// The number of pauses before the start.
    pauses: usize,
}

impl Clock {
    pub fn start() -> Self {
        let pauses = pauses().len();
        Self { started: monotonic(), pauses }
    }

    /// The pauses since the start.
    pub fn pauses(&self) -> Vec<Span> {
        pauses()[self.pauses..].to_vec()
    }

    pub fn elapsed(&self) -> Duration {
        let pauses = pauses();
        let now = monotonic();
        let paused = overlap((self.started, now), &pauses[self.pauses..]);
        now.saturating_sub(self.started).saturating_sub(paused)
    }
}

/// Detects that this process could not check another process for some time, because it was stopped or the machine slept.
pub(crate) struct Watch {
    /// The time of the clock at the last check.
    last_check: Duration,
    stops: u64,
    slept: Slept,
    /// The maximum time between two checks.
    max_gap: Duration,
}

impl Watch {
    pub fn start(max_gap: Duration) -> Self {
        Self { last_check: Duration::ZERO, stops: STOPS.until_now(), slept: Slept::until_now(), max_gap }
    }

    /// Records a check at the present time of this clock. Returns whether this process was stopped, or the machine slept, since the last check.
    pub fn was_interrupted(&mut self, clock: &Clock) -> bool {
        let is_late = |now: Duration| now.saturating_sub(self.last_check) > self.max_gap;
        let mut now = clock.elapsed();
        if is_late(now) {
            // The signal that ended a stop may arrive in another thread a moment later, and a pause may begin with it.
            std::thread::sleep(Duration::from_millis(5));
            now = clock.elapsed();
        }
        let stops = STOPS.until_now();
        let was_stopped = is_late(now) && stops > self.stops;
        let has_slept = Slept::until_now().since(self.slept) > self.max_gap;
        (self.last_check, self.stops) = (now, stops);
        was_stopped || has_slept
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;
    use std::time::Instant;

    use super::*;

    thread_local! {
        /// How long the machine has slept, as this thread sees it, beyond the time that it has really slept.
        pub static EXTRA_SLEEP: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    }

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn suspended_machine_is_detected_at_the_next_check() {
        let (clock, mut watch) = (Clock::start(), Watch::start(ms(100)));
        EXTRA_SLEEP.set(ms(90));
        assert!(!watch.was_interrupted(&clock), "too short");
        EXTRA_SLEEP.set(ms(3_600_000));
        assert!(watch.was_interrupted(&clock));
        assert!(!Watch::start(ms(100)).was_interrupted(&Clock::start()), "it slept before");
    }

    #[test]
    fn deliberate_pause_is_not_counted_as_a_stop() {
        let stops = Stops::default();
        let is_continued = || stops.continued.store(true, Ordering::Release);
        assert_eq!(stops.until_now(), 0);
        is_continued();
        assert_eq!([stops.until_now(), stops.until_now()], [1, 1], "a stop by somebody else");
        stops.pause_begins();
        assert_eq!(stops.until_now(), 1, "the signal has not arrived");
        is_continued();
        assert_eq!(stops.until_now(), 1, "a pause");
        is_continued();
        stops.pause_begins();
        is_continued();
        assert_eq!(stops.until_now(), 2, "the stop before the pause counts");
        is_continued();
        assert_eq!(stops.until_now(), 3, "a stop after the pause");
    }

    /// On a busy machine, a thread may wait between the reading of two clocks for longer than any gap that counts.
    #[test]
    fn delay_between_clock_readings_is_not_sleep() {
        let slept = ms(50_000);
        let look = |waits: [u64; 2], at: u64| {
            Slept::of(ms(at), slept + ms(at + waits[0]), ms(at + waits[0] + waits[1]))
        };
        for (first, second) in
            [([0, 0], [0, 0]), ([0, 900], [0, 0]), ([900, 0], [0, 900]), ([0, 900], [900, 0])]
        {
            let (first, second) = (look(first, 1000), look(second, 5000));
            assert_eq!(second.since(first), Duration::ZERO, "{first:?} {second:?}");
            assert!(first.min <= slept && slept <= first.max);
        }
    }

    #[test]
    fn overlap_of_spans_is_their_common_part() {
        let pauses = [(ms(10), ms(20)), (ms(30), ms(50))];
        for (span, expected) in [((0, 100), 30), ((15, 40), 15), ((20, 30), 0), ((12, 13), 1), ((60, 70), 0)]
        {
            assert_eq!(overlap((ms(span.0), ms(span.1)), &pauses), ms(expected), "{span:?}");
        }
    }

    #[test]
    fn clock_stands_still_during_a_pause() {
        let clock = Clock::start();
        let (pause_began, before) = (Instant::now(), clock.elapsed());
        let mut in_pause = Duration::ZERO;
        // Another thread that reads the clock has to wait for the end of the pause.
        std::thread::scope(|scope| {
            let mut reader = None;
            pause_by(|| {
                reader = Some(scope.spawn(|| clock.elapsed()));
                std::thread::sleep(ms(30));
                in_pause = pause_began.elapsed();
            });
            let read = reader.expect("it was started").join().expect("no panic");
            let whole = pause_began.elapsed() + before;
            assert!(read + in_pause.min(ms(30)) <= whole + before, "{read:?} of {whole:?}");
        });
        let pauses = clock.pauses();
        assert!(pauses.len() == 1 && pauses[0].1 - pauses[0].0 >= ms(30), "{pauses:?}");
    }
}
