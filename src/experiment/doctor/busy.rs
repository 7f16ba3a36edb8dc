//! Finds other processes that use a CPU at the moment.

use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

use super::{Finding, Root, disturbs, fine, unknown};

/// A process that uses at least this many percent of a CPU is reported.
const BUSY: f64 = 5.0;

/// Clock ticks per second in /proc, the same on every Linux (`USER_HZ`).
const TICKS: f64 = 100.0;

/// How long processes are watched.
const WATCH: Duration = Duration::from_millis(500);

/// Watches the processes below a root directory.
pub fn busy(root: &Root) -> Finding {
    let before = ticks(root);
    let started = Instant::now();
    thread::sleep(WATCH);
    judged(&before, &ticks(root), started.elapsed(), std::process::id())
}

/// The name and the CPU ticks used so far, for each process id.
fn ticks(root: &Root) -> HashMap<u32, (String, u64)> {
    let processes = root.numbered("proc", "");
    let of = |folder: &String| {
        let stat = root.read(&format!("{folder}/stat"))?;
        // A process name can contain anything, including parentheses and spaces.
        let (head, fields) = stat.rsplit_once(") ")?;
        let (id, name) = head.split_once(" (")?;
        let fields: Vec<&str> = fields.split(' ').collect();
        let used = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        Some((id.parse().ok()?, (name.to_owned(), used)))
    };
    processes.iter().filter_map(of).collect()
}

fn judged(
    before: &HashMap<u32, (String, u64)>,
    after: &HashMap<u32, (String, u64)>,
    elapsed: Duration,
    own: u32,
) -> Finding {
    if after.is_empty() {
        return unknown("no processes are visible");
    }
    let mut busy: Vec<(f64, u32, &str)> = Vec::new();
    for (&id, (name, used)) in after {
        let earlier = before.get(&id).map_or(0, |(_, used)| *used);
        let percent = 100.0 * used.saturating_sub(earlier) as f64 / TICKS / elapsed.as_secs_f64().max(1e-9);
        if id != own && before.contains_key(&id) && percent >= BUSY {
            busy.push((percent, id, name));
        }
    }
    busy.sort_by(|a, b| b.0.total_cmp(&a.0));
    if busy.is_empty() {
        return fine("none");
    }
    let shown: Vec<String> =
        busy.iter().take(5).map(|(percent, id, name)| format!("{name} ({id}) {percent:.0} %")).collect();
    let ids: Vec<String> = busy.iter().take(5).map(|(_, id, _)| id.to_string()).collect();
    let advice = format!("stop them, or wait until they end: ps -o pid,pcpu,etime,args -p {}", ids.join(","));
    disturbs(shown.join(", "), advice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::doctor::Health;

    fn processes(list: &[(u32, &str, u64)]) -> HashMap<u32, (String, u64)> {
        list.iter().map(|&(id, name, used)| (id, (name.to_owned(), used))).collect()
    }

    #[test]
    fn a_process_that_uses_a_cpu_is_named_and_this_one_is_not() {
        let before = processes(&[(1, "init", 500), (7, "stress", 100), (9, "queenlab", 0)]);
        let after = processes(&[(1, "init", 500), (7, "stress", 149), (9, "queenlab", 50), (11, "new", 90)]);
        let found = judged(&before, &after, Duration::from_millis(500), 9);
        assert_eq!((found.health, found.found.as_str()), (Health::Disturbs, "stress (7) 98 %"));
        assert!(found.advice.is_some_and(|advice| advice.ends_with("-p 7")));
        let quiet = judged(&before, &before, Duration::from_millis(500), 9);
        assert_eq!(quiet.health, Health::Fine);
        assert_eq!(judged(&before, &HashMap::new(), Duration::from_secs(1), 9).health, Health::Unknown);
    }

    #[test]
    fn names_with_spaces_and_parentheses_are_read() {
        let root = tempfile::tempdir().expect("temporary directory");
        let folder = root.path().join("proc/42");
        std::fs::create_dir_all(&folder).expect("a folder");
        let stat = "42 (a) b (c) S 1 42 42 0 -1 4194560 1 0 0 0 30 12 0 0 20 0 1 0 100 0 0";
        std::fs::write(folder.join("stat"), stat).expect("a file");
        assert_eq!(ticks(&Root(root.path().to_owned())), processes(&[(42, "a) b (c", 42)]));
    }
}
