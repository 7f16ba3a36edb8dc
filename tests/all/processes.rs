//! Processes that tests start. No process outlives its test, and the results of tests do not depend on timing.

use std::ops::{Deref, DerefMut};
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

/// A process that a test started. When the guard is dropped, also by a failing test, the process and all
/// its descendants are killed.
pub struct Guard(Option<Child>);

impl Guard {
    pub fn start(command: &mut Command) -> Self {
        Self(Some(command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"))))
    }

    #[cfg(unix)]
    pub fn signal(&self, signal: rustix::process::Signal) {
        signal_process(self.id(), signal);
    }

    /// Waits for the end of the process, and returns what it wrote to its pipes.
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
            // A stopped process starts no new processes while its descendants are killed.
            signal_process(child.id(), Signal::STOP);
            for process in descendants(child.id()) {
                signal_process(process, Signal::KILL);
            }
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Sends a signal to a process. It is not an error if the process has ended.
#[cfg(unix)]
pub fn signal_process(id: u32, signal: rustix::process::Signal) {
    let id = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw).expect("a process id");
    let _ = rustix::process::kill_process(id, signal);
}

/// The state and the parent of a process; `None` if it has ended, also if its parent has not waited for it yet.
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

/// All descendants of a process.
#[cfg(target_os = "linux")]
pub fn descendants(id: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("/proc").flatten();
    let ids: Vec<u32> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    let parents: Vec<(u32, u32)> = ids.iter().filter_map(|&id| Some((id, status(id)?.1))).collect();
    let mut tree = vec![id];
    let mut next_index = 0;
    while next_index < tree.len() {
        let parent = tree[next_index];
        tree.extend(parents.iter().filter(|(_, parent_id)| *parent_id == parent).map(|(id, _)| id));
        next_index += 1;
    }
    tree.split_off(1)
}

/// Repeats a check until it returns a value. The time limit is minutes, because the machine may be busy.
pub fn until<T>(description: &str, mut check: impl FnMut() -> Option<T>) -> T {
    let start_time = Instant::now();
    loop {
        if let Some(value) = check() {
            return value;
        }
        assert!(start_time.elapsed() < Duration::from_secs(600), "waited ten minutes for: {description}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until these processes, which another process ends, have ended.
#[cfg(unix)]
pub fn until_gone(processes: &[u32]) {
    for &process in processes {
        until(&format!("the end of process {process}"), || (!is_alive(process)).then_some(()));
    }
}

/// Repeats an attempt with increasing time limits, so that it also succeeds on a busy machine.
#[cfg(unix)]
pub fn within_some_limit<T>(description: &str, attempt: impl FnMut(Duration) -> Option<T>) -> T {
    let limits = [1, 5, 25, 125, 625].map(Duration::from_secs);
    limits.into_iter().find_map(attempt).unwrap_or_else(|| panic!("not within ten minutes: {description}"))
}
