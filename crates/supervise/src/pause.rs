//! Pauses: this process and everything that it started are stopped and continued together. Time limits do not advance during a
//! pause. Other stops, such as by SIGSTOP from another process, are detected afterwards.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use rustix::time::{ClockId, clock_gettime};

use crate::proc::Root;

/// The start and the end of a time span, as readings of the monotonic clock.
pub type Span = (Duration, Duration);

/// The pauses so far. The lock is held during a pause, so that no thread reads a clock that includes a part of it.
static PAUSES: Mutex<Vec<Span>> = Mutex::new(Vec::new());

/// The stops of this process so far.
static STOPS: LazyLock<Stops> = LazyLock::new(Stops::default);

/// The number of times that this process continued after an unexpected stop.
#[derive(Default)]
struct Stops {
    /// Set by a handler of SIGCONT, and cleared by the next check.
    continued: Arc<AtomicBool>,
    /// Whether the next SIGCONT ends a pause. That signal is not counted, even if this process checks late.
    is_in_pause: AtomicBool,
    number: AtomicU64,
}

impl Stops {
    /// Called before this process stops itself.
    fn pause_begins(&self) {
        // Counts an earlier stop now, because the next SIGCONT will end the pause.
        self.count();
        self.is_in_pause.store(true, Ordering::Release);
    }

    /// Returns the number of unexpected stops so far.
    fn count(&self) -> u64 {
        let is_continued = self.continued.swap(false, Ordering::AcqRel);
        let new_stops = u64::from(is_continued && !self.is_in_pause.swap(false, Ordering::AcqRel));
        self.number.fetch_add(new_stops, Ordering::AcqRel) + new_stops
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

/// A lower and an upper bound of the time that the machine has slept since it started. The bounds differ, because two clocks
/// cannot be read at the same instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SleepTime {
    min: Duration,
    max: Duration,
}

impl SleepTime {
    /// Measures the time until now. Returns zero on systems that do not report it.
    fn measure() -> Self {
        #[cfg(target_os = "linux")]
        let slept = {
            let before = monotonic();
            let since_boot = now(ClockId::Boottime);
            Self::between(before, since_boot, monotonic())
        };
        #[cfg(not(target_os = "linux"))]
        let slept = Self::default();
        #[cfg(test)]
        let slept = slept.plus(tests::EXTRA_SLEEP.get());
        slept
    }

    /// Calculates the bounds from the time since the start of the machine, including sleep, and from the time without sleep,
    /// which was read `before` and `after` the other time.
    fn between(before: Duration, since_boot: Duration, after: Duration) -> Self {
        Self { min: since_boot.saturating_sub(after), max: since_boot.saturating_sub(before) }
    }

    #[cfg(test)]
    fn plus(self, extra: Duration) -> Self {
        Self { min: self.min + extra, max: self.max + extra }
    }

    /// A lower bound of the time that the machine has slept since an earlier measurement.
    fn since(self, earlier: Self) -> Duration {
        self.min.saturating_sub(earlier.max)
    }
}

/// The time of a span that lies in other spans, which must not overlap each other.
pub fn overlap((from, to): Span, others: &[Span]) -> Duration {
    let overlap_with = |&(begin, end): &Span| end.min(to).saturating_sub(begin.max(from));
    others.iter().map(overlap_with).fold(Duration::ZERO, Duration::saturating_add)
}

/// Stops all descendants of this process and then this process itself. When this process is continued, it continues its
/// descendants. The clocks of supervised processes do not advance during the pause.
pub fn pause() {
    // The signal is sent to this thread, because otherwise this thread would run on until another thread has received the signal.
    // After an error, this process and its descendants simply continue.
    pause_by(|| {
        STOPS.pause_begins();
        let _ = nix::sys::signal::raise(nix::sys::signal::SIGSTOP);
    });
}

fn pause_by(stop: impl FnOnce()) {
    let mut pauses = pauses();
    let begin = monotonic();
    let stopped_processes = stop_descendants();
    stop();
    for &process in &stopped_processes {
        // An error means that the process has ended.
        let _ = kill_process(process, Signal::CONT);
    }
    pauses.push((begin, monotonic()));
}

/// The maximum time to wait until processes have stopped. Processes that still run after this time are ignored.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// Stops all descendants of this process. Returns the processes to which it sent SIGSTOP, that is, all that were not stopped
/// before.
fn stop_descendants() -> Vec<Pid> {
    let (root, began, mut stopped) = (Root::default(), monotonic(), Vec::new());
    while monotonic().saturating_sub(began) < STOP_TIMEOUT {
        let mut all_stopped = true;
        for process in root.descendants(std::process::id()) {
            let Some(id) = i32::try_from(process).ok().and_then(Pid::from_raw) else { continue };
            let was_signalled = stopped.contains(&id);
            let is_running = match root.state(process) {
                None | Some('T' | 't' | 'Z' | 'X') => false,
                // A process in state D may wait in the kernel until its child executes a program, while the child is stopped. The
                // process stops when this wait ends.
                Some('D') => !was_signalled,
                // A running process may start another process before it receives the signal.
                _ => true,
            };
            if is_running && !was_signalled {
                let _ = kill_process(id, Signal::STOP);
                stopped.push(id);
            }
            all_stopped &= !is_running;
        }
        if all_stopped {
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
    slept: SleepTime,
    /// The maximum time between two checks.
    max_gap: Duration,
}

impl Watch {
    pub fn start(max_gap: Duration) -> Self {
        Self { last_check: Duration::ZERO, stops: STOPS.count(), slept: SleepTime::measure(), max_gap }
    }

    /// Records a check at the present time of this clock. Returns whether this process was stopped, or the machine slept, since
    /// the last check.
    pub fn was_interrupted(&mut self, clock: &Clock) -> bool {
        let is_late = |now: Duration| now.saturating_sub(self.last_check) > self.max_gap;
        let mut now = clock.elapsed();
        if is_late(now) {
            // The signal that ended a stop may arrive in another thread a moment later. The clock is read again, because a pause
            // may begin in that moment.
            std::thread::sleep(Duration::from_millis(5));
            now = clock.elapsed();
        }
        let stops = STOPS.count();
        let was_stopped = is_late(now) && stops > self.stops;
        let has_slept = SleepTime::measure().since(self.slept) > self.max_gap;
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
        /// A simulated sleep time of the machine. It is added to the real sleep time that this thread measures.
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
        assert!(
            !Watch::start(ms(100)).was_interrupted(&Clock::start()),
            "the machine slept before the start"
        );
    }

    #[test]
    fn deliberate_pause_is_not_counted_as_a_stop() {
        let stops = Stops::default();
        let receive_signal = || stops.continued.store(true, Ordering::Release);
        assert_eq!(stops.count(), 0);
        receive_signal();
        assert_eq!([stops.count(), stops.count()], [1, 1], "a stop by somebody else");
        stops.pause_begins();
        assert_eq!(stops.count(), 1, "the signal has not arrived");
        receive_signal();
        assert_eq!(stops.count(), 1, "a pause");
        receive_signal();
        stops.pause_begins();
        receive_signal();
        assert_eq!(stops.count(), 2, "the stop before the pause counts");
        receive_signal();
        assert_eq!(stops.count(), 3, "a stop after the pause");
    }

    /// On a busy machine, a thread may wait between the readings of two clocks for longer than the maximum time between two checks.
    #[test]
    fn delay_between_clock_readings_is_not_sleep() {
        let slept = ms(50_000);
        let measure = |waits: [u64; 2], at: u64| {
            SleepTime::between(ms(at), slept + ms(at + waits[0]), ms(at + waits[0] + waits[1]))
        };
        for (first, second) in
            [([0, 0], [0, 0]), ([0, 900], [0, 0]), ([900, 0], [0, 900]), ([0, 900], [900, 0])]
        {
            let (first, second) = (measure(first, 1000), measure(second, 5000));
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
        let (pause_began, elapsed_before) = (Instant::now(), clock.elapsed());
        let mut in_pause = Duration::ZERO;
        // Another thread that reads the clock has to wait for the end of the pause.
        std::thread::scope(|scope| {
            let mut reader = None;
            pause_by(|| {
                reader = Some(scope.spawn(|| clock.elapsed()));
                std::thread::sleep(ms(30));
                in_pause = pause_began.elapsed();
            });
            let elapsed = reader.expect("it was started").join().expect("no panic");
            let total = pause_began.elapsed() + elapsed_before;
            assert!(elapsed + in_pause.min(ms(30)) <= total + elapsed_before, "{elapsed:?} of {total:?}");
        });
        let pauses = clock.pauses();
        assert!(pauses.len() == 1 && pauses[0].1 - pauses[0].0 >= ms(30), "{pauses:?}");
    }
}
