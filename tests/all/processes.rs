//! Processes of a sweep, as /proc shows them.

use std::time::{Duration, Instant};

/// State and parent of a process; `None` if it is gone. A zombie, which ended and that nobody waited
/// for yet, is gone.
fn status(id: u32) -> Option<(char, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    let state = fields.next()?.chars().next()?;
    let parent = fields.next()?.parse().ok()?;
    (!['Z', 'X'].contains(&state)).then_some((state, parent))
}

pub fn is_alive(id: u32) -> bool {
    status(id).is_some()
}

/// The children of a process, and theirs, and so on.
pub fn descendants(id: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("/proc").flatten();
    let ids: Vec<u32> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    let parents: Vec<(u32, u32)> = ids.iter().filter_map(|&id| Some((id, status(id)?.1))).collect();
    let mut found = vec![id];
    let mut next = 0;
    while next < found.len() {
        let parent = found[next];
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(id, _)| id));
        next += 1;
    }
    found.split_off(1)
}

/// Looks until it is so, for half a minute.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "not after half a minute: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
