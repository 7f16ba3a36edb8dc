//! What is done of a job, as a small file. A finished shard is a checkpoint in which everything is done.
//!
//! The file is always replaced as a whole, so that it is complete or does not exist, and two processes that count the same
//! job cannot damage each other's work: the last one to write only decides which of it is kept.
//! Its check detects damage; the lines that identify the job must be equal before its numbers are used.
//! Cost: a few hundred bytes, written every two seconds. The finished subproblems are a few ranges, because threads take
//! them in order.

use std::fmt;
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::time::Duration;

use super::shard::Shard;
use super::symmetry::ColumnSet;
use queens_board::sizes::ranges;

/// The first line of a file, with the version of its format.
const TITLE: &str = "queenlab count 1\n";

/// The largest file that is read, in bytes. Real ones have less than 1 KB, unless there were many sessions.
const LARGEST: u64 = 1 << 20;

/// The finished subproblems of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The lines that must be the same for two jobs to be the same: the board, the shard, the version, the partition.
    pub identity: String,
    /// Whether each subproblem of the shard is finished, in order.
    pub done: Vec<bool>,
    /// Number of finished subproblems.
    pub finished: usize,
    /// Their solutions.
    pub solutions: u64,
    /// Wall time of all sessions.
    pub wall: Duration,
}

/// Why a count or a merge failed. Messages name the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The job is impossible, or impossible on this machine.
    #[error("{0}")]
    Job(String),
    /// A file is damaged, or does not belong here.
    #[error("{0}")]
    File(String),
    /// A checkpoint of another job.
    #[error("{0}")]
    Foreign(String),
    /// Two results of one shard have different numbers of solutions.
    #[error("{0}")]
    Disagree(String),
    /// Some shards have no result; a file cannot be read or written; there are 2^64 solutions or more.
    #[error("{0}")]
    Failed(String),
}

/// The error for a file that cannot be read or written.
pub fn failed(path: &Path, error: impl fmt::Display) -> CountError {
    CountError::Failed(format!("{}: {error}", path.display()))
}

/// The 64-bit hash of Fowler, Noll and Vo (FNV-1a): a single change always changes it.
fn hash<T: Into<u64>>(words: impl Iterator<Item = T>) -> u64 {
    let add = |hash: u64, word: T| (hash ^ word.into()).wrapping_mul(0x0100_0000_01b3);
    words.fold(0xcbf2_9ce4_8422_2325, add)
}

/// The lines that identify a shard of a board with these column sets.
pub fn identity(n: usize, shard: Shard, sets: &[ColumnSet]) -> String {
    let (version, subproblems) = (env!("CARGO_PKG_VERSION"), sets.len().max(1));
    let hash = hash(sets.iter().flat_map(|set| [set.left, set.right]));
    format!("n={n}\nshard={shard}\nversion={version}\npartition={subproblems}:{hash:016x}\n")
}

/// In what two jobs differ, in words.
pub fn differences(there: &str, here: &str) -> String {
    let lines = there.lines().zip(here.lines()).filter(|(there, here)| there != here);
    lines.map(|(there, here)| format!("{there} there, {here} here")).collect::<Vec<_>>().join("; ")
}

impl Checkpoint {
    /// Nothing is done yet of a job with this number of subproblems.
    pub fn new(identity: String, subproblems: usize) -> Self {
        Self { identity, done: vec![false; subproblems], finished: 0, solutions: 0, wall: Duration::ZERO }
    }

    /// Whether everything is done.
    pub fn is_complete(&self) -> bool {
        self.finished == self.done.len()
    }

    /// Adds the solutions of a subproblem.
    pub fn add(&mut self, subproblem: usize, solutions: u128) -> Result<(), CountError> {
        let sum = u64::try_from(solutions).ok().and_then(|solutions| self.solutions.checked_add(solutions));
        let too_many = || CountError::Failed("there are 2^64 solutions or more".to_owned());
        self.solutions = sum.ok_or_else(too_many)?;
        self.done[subproblem] = true;
        self.finished += 1;
        Ok(())
    }

    /// Reads the file of a job; `None` if there is none.
    pub fn resume(path: &Path, identity: &str) -> Result<Option<Self>, CountError> {
        if path.metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return Ok(None);
        }
        let found = Self::read(path)?;
        if found.identity == identity {
            return Ok(Some(found));
        }
        let (path, differences) = (path.display(), differences(&found.identity, identity));
        Err(CountError::Foreign(format!(
            "{path}: belongs to another count: {differences}; choose another place for this one"
        )))
    }

    /// Reads a file; accepts any bytes.
    pub fn read(path: &Path) -> Result<Self, CountError> {
        // To open a pipe would wait for its writer.
        let is_file = path.metadata().map_err(|error| failed(path, error))?.is_file();
        let mut bytes = Vec::new();
        let read = |file: File| file.take(LARGEST).read_to_end(&mut bytes);
        let read = if is_file { File::open(path).and_then(read) } else { Ok(0) };
        read.map_err(|error| failed(path, error))?;
        let parsed = if is_file { Self::parse(&bytes) } else { Err("is not a regular file") };
        parsed.map_err(|reason| CountError::File(format!("{}: {reason}", path.display())))
    }

    fn parse(bytes: &[u8]) -> Result<Self, &'static str> {
        let text = String::from_utf8_lossy(bytes);
        let Some(rest) = text.strip_prefix(TITLE) else {
            return Err("is not a checkpoint of a count of this version");
        };
        let (body, check) = text.split_at(text.rfind("check=").unwrap_or(0));
        if check != check_of(body) {
            return Err("is damaged: its check does not match");
        }
        Self::of_lines(rest).ok_or("is damaged: its lines do not fit together")
    }

    fn of_lines(text: &str) -> Option<Self> {
        let (identity, rest) = text.split_at(text.find("done=")?);
        let names = identity.lines().map(|line| line.split('=').next().unwrap_or_default());
        if !names.eq(["n", "shard", "version", "partition"]) {
            return None;
        }
        let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        let subproblems: usize = value("partition")?.split(':').next()?.parse().ok()?;
        // A text of a few bytes must not take any amount of memory.
        let of_shard = value("shard")?.parse::<Shard>().ok()?.of_all(subproblems.min(1 << 26)).len();
        let mut checkpoint = Self::new(identity.to_owned(), of_shard);
        let ranges = rest.lines().next()?.strip_prefix("done=")?;
        for range in ranges.split(',').filter(|range| !range.is_empty()) {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            checkpoint.done.get_mut(first.parse().ok()?..=last.parse().ok()?)?.fill(true);
        }
        checkpoint.finished = checkpoint.done.iter().filter(|done| **done).count();
        checkpoint.solutions = value("solutions")?.parse().ok()?;
        checkpoint.wall = Duration::from_nanos(value("wall_ns")?.parse().ok()?);
        Some(checkpoint)
    }

    /// Replaces a file.
    pub fn write(&self, path: &Path) -> Result<(), CountError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let own = path.with_file_name(format!(".{name}.{:016x}", fastrand::u64(..)));
        let write = || {
            let mut file = File::create_new(&own)?;
            file.write_all(self.to_string().as_bytes())?;
            file.sync_all()?;
            fs::rename(&own, path)
        };
        write().map_err(|error| {
            // The error to report is the first one.
            let _ = fs::remove_file(&own);
            failed(path, error)
        })
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done: Vec<usize> = (0..self.done.len()).filter(|&at| self.done[at]).collect();
        let (identity, done, solutions) = (&self.identity, ranges(&done), self.solutions);
        let wall = self.wall.as_nanos();
        let body = format!("{TITLE}{identity}done={done}\nsolutions={solutions}\nwall_ns={wall}\n");
        write!(f, "{body}{}", check_of(&body))
    }
}

/// The last line of a file.
fn check_of(body: &str) -> String {
    format!("check={:016x}\n", hash(body.bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symmetry::column_sets;

    fn checkpoint() -> Checkpoint {
        let identity = identity(14, "2/3".parse().expect("a shard"), &column_sets(14));
        let mut checkpoint = Checkpoint::new(identity, 572);
        for subproblem in [0, 1, 2, 7, 571] {
            checkpoint.add(subproblem, 1000).expect("few solutions");
        }
        checkpoint
    }

    #[test]
    fn a_checkpoint_is_read_as_it_was_written_and_no_changed_byte_goes_unnoticed() {
        let text = checkpoint().to_string();
        assert!(text.contains("\ndone=0-2,7,571\nsolutions=5000\n"), "{text}");
        assert_eq!(Checkpoint::parse(text.as_bytes()), Ok(checkpoint()));
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1;
            assert!(Checkpoint::parse(&changed).is_err(), "byte {at}");
            assert!(Checkpoint::parse(&text.as_bytes()[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn lines_that_do_not_fit_together_are_refused() {
        let text = checkpoint().to_string();
        let with = |from: &str, to: &str| {
            let body = text[..text.rfind("check=").expect("its last line")].replace(from, to);
            Checkpoint::parse(format!("{body}{}", check_of(&body)).as_bytes())
        };
        assert!(with("done=0-2", "done=0-3").is_ok());
        for (from, to) in [
            ("571", "572"),
            ("0-2", "2-0"),
            ("0-2", "-1"),
            ("2/3", "4/3"),
            ("solutions=5000", "solutions=-1"),
            ("solutions=5000", "solutions=99999999999999999999"),
            ("wall_ns", "wall"),
            ("n=14\n", ""),
        ] {
            assert_eq!(with(from, to), Err("is damaged: its lines do not fit together"), "{from}: {to}");
        }
    }

    #[test]
    fn the_sum_of_a_job_does_not_wrap() {
        let mut checkpoint = checkpoint();
        assert!(matches!(checkpoint.add(3, u128::from(u64::MAX)), Err(CountError::Failed(_))));
        assert!(matches!(checkpoint.add(3, 1 << 64), Err(CountError::Failed(_))));
        assert_eq!((checkpoint.finished, checkpoint.solutions), (5, 5000));
    }
}
