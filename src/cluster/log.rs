//! The log of finished subproblems, from which a killed shard or count resumes.
//!
//! The first line names the owner: a shard of a plan, or a count. Then follows one line per subproblem:
//! `SUBPROBLEM SOLUTIONS DIGEST CHECK`. The check of each line covers the owner, so that lines of another
//! owner do not match. Each line is written as a whole. Reading stops at the first line whose check does not
//! match: a subproblem whose line a killed process cut off, or a crashed machine never stored, is searched
//! again.
//!
//! Each attempt at a shard writes a log of its own, because two nodes may not see each other's locks. The
//! checkpoint of a count is one log, to which each session appends.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{ClusterError, Job, ShardPlan};
use crate::record::{RecordError, nanoseconds, sha256_hex, whole_lines, write_atomically};
use crate::{files, os};

/// Log files in a shard's working directory have this extension.
const ENDING: &str = "log";

/// A crash of the machine loses at most the work of this interval; a killed process loses one subproblem.
const SYNC_INTERVAL: Duration = Duration::from_secs(2);

/// Stands for the number of a subproblem in a line with the wall time spent so far, in nanoseconds.
const TIME: &str = "time";

/// The result of a subproblem, including its images under symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Number of solutions.
    pub solutions: u64,
    /// Sum of the solutions' hashes; `None` where solutions are only counted.
    pub digest: Option<u128>,
}

/// The finished subproblems, by number.
pub type Done = BTreeMap<usize, Found>;

/// What a log belongs to.
pub struct Owner<'a> {
    plan: &'a ShardPlan,
    index: usize,
    title: &'static str,
    key: String,
}

/// The lines of a log before the first one whose check fails.
#[derive(Debug, Default, PartialEq)]
struct Lines {
    found: Vec<(usize, Found)>,
    wall: Duration,
    /// Length of these lines and the header in bytes.
    length: usize,
}

/// The first 8 hexadecimal digits of a SHA-256.
fn check(text: &str) -> String {
    let mut digits = sha256_hex(text.as_bytes());
    digits.truncate(8);
    digits
}

impl<'a> Owner<'a> {
    /// A shard of a plan.
    pub fn shard(plan: &'a ShardPlan, index: usize) -> Self {
        Self { plan, index, title: "queenlab shard log 1", key: format!("{} {index}", plan.sha256) }
    }

    /// A count in one process by the executable with this SHA-256. The kernel may differ between sessions.
    pub fn count(plan: &'a ShardPlan, executable: &str) -> Self {
        let n = plan.job.board().map_or(0, |(n, _)| n);
        let ShardPlan { subproblems, queenlab_version, partition_sha256, .. } = plan;
        let key = format!(
            "n={n} subproblems={subproblems} version={queenlab_version} executable={executable} \
             partition={partition_sha256}"
        );
        Self { plan, index: 0, title: "queenlab checkpoint 2", key }
    }

    fn header(&self) -> String {
        let body = format!("{} {}", self.title, self.key);
        format!("{body} {}\n", check(&body))
    }

    /// The key in the first line of a log; `None` if that line is not an undamaged header of this kind.
    fn key_in<'t>(&self, text: &'t str) -> Option<&'t str> {
        let (body, found) = text.split_once('\n')?.0.rsplit_once(' ')?;
        let key = body.strip_prefix(self.title)?.strip_prefix(' ')?;
        (found == check(body)).then_some(key)
    }

    fn line(&self, name: &str, number: u64, digest: Option<u128>) -> String {
        let digest = digest.map_or_else(|| "-".to_owned(), |digest| format!("{digest:032x}"));
        let body = format!("{name} {number} {digest}");
        format!("{body} {}\n", check(&format!("{} {body}", self.key)))
    }

    /// Reads the lines behind the first one.
    fn lines(&self, text: &str) -> Lines {
        let digests = matches!(self.plan.job, Job::Enumerate { .. });
        let mut read = Lines::default();
        for (number, text) in text.split_inclusive('\n').enumerate() {
            let mut line = || {
                let mut fields = text.split(' ');
                let (name, value): (_, u64) = (fields.next()?, fields.next()?.parse().ok()?);
                let digest = match fields.next()? {
                    "-" => None,
                    digits => Some(u128::from_str_radix(digits, 16).ok()?),
                };
                if text != self.line(name, value, digest) {
                    return None;
                }
                if name == TIME {
                    read.wall = Duration::from_nanos(value);
                    return Some(());
                }
                let subproblem: usize = name.parse().ok()?;
                let own = subproblem < self.plan.subproblems && subproblem % self.plan.shards == self.index;
                let found =
                    (own && digest.is_some() == digests).then_some(Found { solutions: value, digest })?;
                read.found.push((subproblem, found));
                Some(())
            };
            if number > 0 && line().is_none() {
                break;
            }
            read.length += text.len();
        }
        read
    }
}

/// A log that this process writes.
pub struct Log<'a> {
    owner: Owner<'a>,
    file: File,
    path: PathBuf,
    /// Wall time of earlier sessions.
    before: Duration,
    started: Instant,
    synced: Instant,
}

impl<'a> Log<'a> {
    fn new(owner: Owner<'a>, file: File, path: PathBuf, before: Duration) -> Self {
        let now = Instant::now();
        Self { owner, file, path, before, started: now, synced: now }
    }

    /// Creates the log of a new attempt in the shard's working directory, and reads what earlier attempts have
    /// finished.
    ///
    /// # Errors
    ///
    /// A log that cannot be read or written or belongs to another plan or shard, or two attempts with different
    /// results.
    pub fn begin(directory: &Path, plan: &'a ShardPlan, index: usize) -> Result<(Self, Done), ClusterError> {
        let owner = Owner::shard(plan, index);
        let fail = |error| ClusterError::io(index, directory, error);
        let mut done = Done::new();
        for entry in std::fs::read_dir(directory).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            if path.extension().is_none_or(|ending| ending != ENDING) {
                continue;
            }
            let io = |error| ClusterError::io(index, &path, error);
            let text = whole(files::read_regular(&path, u64::MAX).map_err(io)?).map_err(io)?;
            // A damaged header costs nothing, because the check of each line covers the owner.
            if owner.key_in(&text).is_some_and(|key| key != owner.key) {
                return Err(ClusterError::Foreign { index, path });
            }
            add(&mut done, owner.lines(&text), index, &path)?;
        }
        let file =
            tempfile::Builder::new().prefix("attempt-").suffix(&format!(".{ENDING}")).tempfile_in(directory);
        let mut file = file.map_err(fail)?;
        file.write_all(owner.header().as_bytes()).map_err(fail)?;
        os::let_others_read(file.as_file()).map_err(fail)?;
        let (file, path) = file.keep().map_err(|error| fail(error.error))?;
        Ok((Self::new(owner, file, path, Duration::ZERO), done))
    }

    /// Opens the checkpoint of a count by this executable (its SHA-256), or creates it. Lines from the first
    /// damaged one on are cut off.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or written, that is not a checkpoint, or that belongs to another count.
    pub fn resume(path: &Path, plan: &'a ShardPlan, executable: &str) -> Result<(Self, Done), ClusterError> {
        let owner = Owner::count(plan, executable);
        let not_one = |reason: String| {
            ClusterError::file(path, format!("{reason}; choose another file for --checkpoint"))
        };
        let io = |error| RecordError::Io { path: path.to_owned(), error };
        let text = match files::read_regular(path, u64::MAX) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                write_atomically(path, owner.header().as_bytes())?;
                owner.header().into_bytes()
            }
            Err(error) if error.kind() == ErrorKind::InvalidInput => {
                return Err(not_one(format!("is not a checkpoint: {error}")));
            }
            Err(error) => return Err(io(error).into()),
        };
        let length = text.len();
        let text = whole(text).map_err(io)?;
        let key =
            owner.key_in(&text).ok_or_else(|| not_one("is not a checkpoint of this version".to_owned()))?;
        if key != owner.key {
            let differences = differences(key, &owner.key);
            return Err(ClusterError::OtherCount { path: path.to_owned(), differences });
        }
        let lines = owner.lines(&text);
        let (before, kept) = (lines.wall, lines.length);
        let mut done = Done::new();
        add(&mut done, lines, 0, path)?;
        let file = File::options().append(true).open(path).map_err(io)?;
        if kept < length {
            file.set_len(kept as u64).map_err(io)?;
        }
        Ok((Self::new(owner, file, path.to_owned(), before), done))
    }

    /// Appends the result of a subproblem. It is flushed to disk every two seconds.
    pub fn append(&mut self, subproblem: usize, found: Found) -> Result<(), String> {
        self.write(&subproblem.to_string(), found.solutions, found.digest)?;
        if self.synced.elapsed() >= SYNC_INTERVAL { self.save() } else { Ok(()) }
    }

    /// Appends the wall time, and flushes the log to disk (fdatasync).
    pub fn save(&mut self) -> Result<(), String> {
        self.write(TIME, nanoseconds(self.wall()), None)?;
        self.synced = Instant::now();
        self.file.sync_data().map_err(|error| self.failure(&error))
    }

    fn write(&mut self, name: &str, number: u64, digest: Option<u128>) -> Result<(), String> {
        let line = self.owner.line(name, number, digest);
        self.file.write_all(line.as_bytes()).map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &std::io::Error) -> String {
        format!("{}: {error}", self.path.display())
    }

    /// Wall time of all sessions.
    pub fn wall(&self) -> Duration {
        self.before + self.started.elapsed()
    }
}

/// The whole lines of a log. Bytes that are not UTF-8 were never written: the check of their line fails.
fn whole(mut text: Vec<u8>) -> std::io::Result<String> {
    let (length, _) = whole_lines(text.as_slice(), |byte| byte == b'\n')?;
    text.truncate(length as usize);
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Adds the subproblems of a log; those that are known already must have the same result.
fn add(done: &mut Done, lines: Lines, index: usize, path: &Path) -> Result<(), ClusterError> {
    for (subproblem, found) in lines.found {
        let earlier = *done.entry(subproblem).or_insert(found);
        if earlier != found {
            return Err(ClusterError::Disagree {
                index,
                first: format!("subproblem {subproblem}: {earlier:?}"),
                second: format!("{found:?} in {}", path.display()),
            });
        }
    }
    Ok(())
}

/// The words `name=value` in which two keys of counts differ.
fn differences(there: &str, here: &str) -> Vec<String> {
    let words = there.split(' ').zip(here.split(' ')).filter(|(there, here)| there != here);
    let named = words.filter_map(|(there, here)| {
        let ((name, there), (_, here)) = (there.split_once('=')?, here.split_once('=')?);
        Some(format!("{name} ({there} there, {here} here)"))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plan(shards: usize) -> ShardPlan {
        ShardPlan::enumerate(10, Some(2), Some(shards)).expect("a plan")
    }

    fn log_of(owner: &Owner<'_>, found: &[(usize, Found)]) -> String {
        let lines = found
            .iter()
            .map(|&(subproblem, found)| owner.line(&subproblem.to_string(), found.solutions, found.digest));
        owner.header() + &lines.collect::<String>()
    }

    fn three() -> Vec<(usize, Found)> {
        let found = |solutions| Found { solutions, digest: Some(u128::from(solutions) << 70) };
        [(1, found(7)), (5, found(0)), (9, found(u64::MAX))].into()
    }

    /// What shard 1 takes over from this text; `None` if it is the log of another owner.
    fn parse(text: &[u8], plan: &ShardPlan) -> Option<Vec<(usize, Found)>> {
        let directory = tempfile::tempdir().expect("a temporary directory");
        std::fs::write(directory.path().join("x.log"), text).expect("a writable directory");
        match Log::begin(directory.path(), plan, 1) {
            Ok((_, done)) => Some(done.into_iter().collect()),
            Err(error) => {
                assert!(matches!(error, ClusterError::Foreign { .. }), "{error}");
                None
            }
        }
    }

    #[test]
    fn every_byte_may_be_the_last_one_and_whole_lines_count() {
        let plan = plan(4);
        let text = log_of(&Owner::shard(&plan, 1), &three());
        for end in 0..=text.len() {
            let lines = text[..end].matches('\n').count().saturating_sub(1);
            assert_eq!(parse(&text.as_bytes()[..end], &plan), Some(three()[..lines].to_vec()), "{end}");
        }
    }

    #[test]
    fn a_log_of_another_plan_or_shard_is_told_from_a_torn_one() {
        let (one, other) = (plan(4), plan(5));
        assert_eq!(parse(log_of(&Owner::shard(&one, 1), &three()).as_bytes(), &other), None);
        assert_eq!(parse(log_of(&Owner::shard(&one, 3), &three()).as_bytes(), &one), None);
    }

    #[test]
    fn a_damaged_header_costs_nothing_and_lines_of_another_plan_are_not_believed_behind_one() {
        let plan = plan(4);
        let text = log_of(&Owner::shard(&plan, 1), &three());
        let length = text.find('\n').expect("a header");
        for at in 0..length {
            for bit in 0..8 {
                let mut changed = text.clone().into_bytes();
                changed[at] ^= 1 << bit;
                // A new line end makes a second line, and no line after one that fails its check is used.
                let expected = if changed[at] == b'\n' { Vec::new() } else { three() };
                assert_eq!(parse(&changed, &plan), Some(expected), "bit {bit} of byte {at}");
            }
        }
        let foreign =
            log_of(&Owner::shard(&plan, 3), &[(3, three()[0].1)]).replacen("queenlab", "queenlap", 1);
        assert_eq!(parse(foreign.as_bytes(), &plan), Some(Vec::new()));
    }

    #[test]
    fn a_line_that_does_not_fit_the_shard_is_not_believed() {
        let plan = plan(4);
        let owner = Owner::shard(&plan, 1);
        let found = three()[0].1;
        for (subproblem, found) in [(2, found), (1_000_001, found), (1, Found { solutions: 7, digest: None })]
        {
            let text = log_of(&owner, &[(subproblem, found)]);
            assert_eq!(parse(text.as_bytes(), &plan), Some(Vec::new()), "{text}");
        }
    }

    fn whole_count(n: usize) -> ShardPlan {
        ShardPlan::whole_count(n, crate::count::parallel::Method::Block).expect("a plan")
    }

    #[test]
    fn a_checkpoint_is_cut_at_any_byte_behind_its_header_and_completed() {
        let plan = whole_count(8);
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("c");
        let found = |solutions| Found { solutions, digest: None };
        let (mut log, done) = Log::resume(&path, &plan, "ab").expect("a new one");
        assert_eq!(done, Done::new());
        log.append(1, found(7)).and_then(|()| log.save()).expect("written");
        log.append(0, found(5)).expect("written");
        let text = std::fs::read(&path).expect("a checkpoint");
        let ends: Vec<usize> = (1..=text.len()).filter(|&end| text[end - 1] == b'\n').collect();
        for end in ends[0]..=text.len() {
            std::fs::write(&path, &text[..end]).expect("a writable directory");
            let (mut log, done) = Log::resume(&path, &plan, "ab").expect("the same count");
            let all = [(1, found(7)), (0, found(5))];
            let known = usize::from(end >= ends[1]) + usize::from(end == ends[3]);
            assert_eq!(done, all[..known].iter().copied().collect(), "{end}");
            assert_eq!(log.before.is_zero(), end < ends[2]);
            for &(subproblem, found) in &all[known..] {
                log.append(subproblem, found).expect("written");
            }
            let (_, done) = Log::resume(&path, &plan, "ab").expect("the same count");
            assert_eq!(done, all.into(), "{end}");
        }
    }

    #[test]
    fn a_checkpoint_of_another_count_is_refused_with_what_differs() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("c");
        let plan = whole_count(8);
        drop(Log::resume(&path, &plan, "ab").expect("a new one"));
        let before = std::fs::read(&path).expect("a checkpoint");
        for (plan, executable, words) in [
            (whole_count(9), "ab", "n (8 there, 9 here), subproblems ("),
            (
                ShardPlan { queenlab_version: "2".into(), ..plan.clone() },
                "ab",
                "version (0.1.0 there, 2 here)",
            ),
            (ShardPlan { partition_sha256: "x".into(), ..plan.clone() }, "ab", "partition ("),
            (plan, "cd", "executable (ab there, cd here)"),
        ] {
            let refusal = Log::resume(&path, &plan, executable).err().expect("another count");
            assert!(matches!(refusal, ClusterError::OtherCount { .. }), "{refusal}");
            assert!(refusal.to_string().contains(words), "{refusal}");
            assert_eq!(std::fs::read(&path).expect("a checkpoint"), before);
        }
    }

    #[test]
    fn a_file_that_is_not_a_checkpoint_is_refused_and_left_as_it_was() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("c");
        let plan = whole_count(8);
        let header = Owner::count(&plan, "ab").header();
        for text in ["", "notes", "{\"schema_version\":1}\n", &header[1..], &header[..header.len() - 1]] {
            std::fs::write(&path, text).expect("a writable directory");
            let refusal = Log::resume(&path, &plan, "ab").err().expect("not a checkpoint");
            assert!(matches!(refusal, ClusterError::File { .. }), "{refusal}");
            assert_eq!(std::fs::read_to_string(&path).expect("text"), text);
        }
    }

    proptest! {
        #[test]
        fn no_changed_byte_is_believed(at in 0_usize..1000, byte: u8) {
            let plan = plan(4);
            let text = log_of(&Owner::shard(&plan, 1), &three());
            let mut changed = text.clone().into_bytes();
            let lines = text.find('\n').expect("a header") + 1;
            let at = lines + at % (changed.len() - lines);
            prop_assume!(changed[at] != byte);
            changed[at] = byte;
            let found = parse(&changed, &plan).unwrap_or_default();
            let line = text[..at].matches('\n').count().saturating_sub(1);
            prop_assert!(found.len() <= line && three().starts_with(&found), "{found:?}");
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes: Vec<u8>) {
            let plan = plan(4);
            let _ = parse(&bytes, &plan);
            let after = [log_of(&Owner::shard(&plan, 1), &three()).into_bytes(), bytes].concat();
            prop_assert_eq!(parse(&after, &plan), Some(three()));
        }
    }
}
