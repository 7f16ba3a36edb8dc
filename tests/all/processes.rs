//! Processes that tests start: none outlives its test, and no test depends on timing.

use std::ops::{Deref, DerefMut};
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

/// A process that a test started. It is killed, with everything that it started, when this is dropped: also by a test
/// that fails.
pub struct Guard(Option<Child>);

impl Guard {
    pub fn start(command: &mut Command) -> Self {
        Self(Some(command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"))))
    }

    #[cfg(unix)]
    pub fn signal(&self, signal: rustix::process::Signal) {
        signal_process(self.id(), signal);
    }

    /// Waits for its end, with what it wrote to the pipes that it was given.
    pub fn output(mut self) -> Output {
        let child = self.0.take().expect("it has not been waited for");
        child.wait_with_output().expect("a process")
    }
}

impl Deref for Guard {
    type Target = Child;

    fn deref(&self) -> &Child {
        self.0.as_ref().expect("it has not been waited for")
    }
}

impl DerefMut for Guard {
    fn deref_mut(&mut self) -> &mut Child {
        self.0.as_mut().expect("it has not been waited for")
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let Some(child) = &mut self.0 else { return };
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        #[cfg(target_os = "linux")]
        {
            use rustix::process::Signal;
            // Stopped, it starts nothing new while its descendants are killed.
            signal_process(child.id(), Signal::STOP);
            for process in descendants(child.id()) {
                signal_process(process, Signal::KILL);
            }
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Sends a signal to a process. One that has ended since then does not matter.
#[cfg(unix)]
pub fn signal_process(id: u32, signal: rustix::process::Signal) {
    let id = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw).expect("a process id");
    let _ = rustix::process::kill_process(id, signal);
}

/// State and parent of a process; `None` if it is gone. A zombie, which has ended and waits to be collected, is gone.
#[cfg(target_os = "linux")]
fn status(id: u32) -> Option<(char, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    let state = fields.next()?.chars().next()?;
    let parent = fields.next()?.parse().ok()?;
    (!['Z', 'X'].contains(&state)).then_some((state, parent))
}

#[cfg(target_os = "linux")]
pub fn is_alive(id: u32) -> bool {
    status(id).is_some()
}

#[cfg(all(unix, not(target_os = "linux")))]
pub fn is_alive(id: u32) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", &id.to_string()]).output().expect("ps runs");
    let state = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// The children of a process, and theirs, and so on.
#[cfg(target_os = "linux")]
pub fn descendants(id: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("/proc").flatten();
    let ids: Vec<u32> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    let parents: Vec<(u32, u32)> = ids.iter().filter_map(|&id| Some((id, status(id)?.1))).collect();
    let mut tree = vec![id];
    let mut next = 0;
    while next < tree.len() {
        let parent = tree[next];
        tree.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(id, _)| id));
        next += 1;
    }
    tree.split_off(1)
}

/// Looks until there is something. A machine may be busy for minutes; that is no reason to fail.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(value) = look() {
            return value;
        }
        assert!(started.elapsed() < Duration::from_secs(600), "not after ten minutes: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end of processes that something else ended.
#[cfg(unix)]
pub fn until_gone(processes: &[u32]) {
    for &process in processes {
        until(&format!("the end of process {process}"), || (!is_alive(process)).then_some(()));
    }
}

/// Tries with longer and longer time limits until the machine, however busy, did within one what an idle machine does
/// within the first.
#[cfg(unix)]
pub fn within_some_limit<T>(what: &str, attempt: impl FnMut(Duration) -> Option<T>) -> T {
    let limits = [1, 5, 25, 125, 625].map(Duration::from_secs);
    limits.into_iter().find_map(attempt).unwrap_or_else(|| panic!("not within ten minutes: {what}"))
}
