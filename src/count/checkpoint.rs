//! What is done of a job, as a small file. A finished shard is a checkpoint in which everything is done.
//!
//! The file is always replaced as a whole, so that it is complete or does not exist, and two processes that count the same
//! job cannot damage each other's work: the last one to write only decides which of it is kept.
//! Its check detects damage; what identifies the job must be equal before its numbers are used.
//! Cost: a few hundred bytes, written every two seconds. The finished subproblems are a few ranges, because threads take
//! them in order.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::shard::Shard;
use super::symmetry::ColumnSet;
use crate::board::sizes::ranges;

/// The first line of a file, with the version of its format.
const TITLE: &str = "queenlab count 1";

/// A killed process loses the work of this interval, and of the subproblems that it was counting.
const INTERVAL: Duration = Duration::from_secs(2);

/// The largest file that is read, in bytes. Real ones have less than 1 KB, unless there were many sessions.
const LARGEST: u64 = 1 << 20;

/// What makes two jobs the same: their results can be added or go on from each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Side of the board.
    pub n: usize,
    /// The part of its subproblems.
    pub shard: Shard,
    /// The version of the counter.
    pub(super) version: String,
    /// The number of all subproblems, and a hash of them.
    pub(super) partition: String,
}

/// The finished subproblems of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The job.
    pub identity: Identity,
    /// Whether each subproblem of the shard is finished, in order.
    pub done: Vec<bool>,
    /// Number of finished subproblems.
    pub finished: usize,
    /// Their solutions.
    pub solutions: u64,
    /// Wall time of all sessions.
    pub wall: Duration,
}

/// Why a count or a merge failed.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The job is impossible, or impossible on this machine.
    #[error("{0}")]
    Job(String),
    /// A file is damaged, or does not belong here.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A checkpoint of another job.
    #[error("{}: belongs to another count: {differences}; choose another place for this one", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// In what the jobs differ.
        differences: String,
    },
    /// Two results of one shard have different numbers of solutions.
    #[error("{0}")]
    Disagree(String),
    /// Some shards have no result.
    #[error("{0}")]
    Incomplete(String),
    /// The number of solutions does not fit into 64 bits.
    #[error("there are 2^64 solutions or more")]
    Overflow,
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
}

impl CountError {
    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }

    pub(super) fn file(path: &Path, reason: impl fmt::Display) -> Self {
        Self::File { path: path.to_owned(), reason: reason.to_string() }
    }
}

/// The 64-bit hash of Fowler, Noll and Vo (FNV-1a): a single change always changes it.
fn hash<T: Into<u64>>(words: impl Iterator<Item = T>) -> u64 {
    let add = |hash: u64, word: T| (hash ^ word.into()).wrapping_mul(0x0100_0000_01b3);
    words.fold(0xcbf2_9ce4_8422_2325, add)
}

impl Identity {
    /// Of a shard of a board with these column sets.
    pub fn new(n: usize, shard: Shard, sets: &[ColumnSet]) -> Self {
        let halves = hash(sets.iter().flat_map(|set| [set.left, set.right]));
        let partition = format!("{}:{halves:016x}", sets.len().max(1));
        Self { n, shard, version: env!("CARGO_PKG_VERSION").to_owned(), partition }
    }

    fn fields(&self) -> [(&'static str, String); 4] {
        let Self { n, shard, version, partition } = self;
        [
            ("n", n.to_string()),
            ("shard", shard.to_string()),
            ("version", version.clone()),
            ("partition", partition.clone()),
        ]
    }

    /// In what this job differs from the one here, in words.
    pub fn differences(&self, here: &Self) -> String {
        let fields = self.fields().into_iter().zip(here.fields()).filter(|(there, here)| there != here);
        let named = fields.map(|((name, there), (_, here))| format!("{name} ({there} there, {here} here)"));
        named.collect::<Vec<_>>().join(", ")
    }
}

impl Checkpoint {
    /// Nothing is done yet of a job with this number of subproblems.
    pub fn new(identity: Identity, subproblems: usize) -> Self {
        Self { identity, done: vec![false; subproblems], finished: 0, solutions: 0, wall: Duration::ZERO }
    }

    /// Whether everything is done.
    pub fn is_complete(&self) -> bool {
        self.finished == self.done.len()
    }

    /// Adds the solutions of a subproblem.
    pub fn add(&mut self, subproblem: usize, solutions: u128) -> Result<(), CountError> {
        let sum = u64::try_from(solutions).ok().and_then(|solutions| self.solutions.checked_add(solutions));
        self.solutions = sum.ok_or(CountError::Overflow)?;
        self.done[subproblem] = true;
        self.finished += 1;
        Ok(())
    }

    /// Reads the file of a job; `None` if there is none.
    pub fn resume(path: &Path, identity: &Identity) -> Result<Option<Self>, CountError> {
        match Self::read(path) {
            Ok(found) if found.identity == *identity => Ok(Some(found)),
            Ok(found) => {
                let differences = found.identity.differences(identity);
                Err(CountError::Foreign { path: path.to_owned(), differences })
            }
            Err(CountError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads a file; accepts any bytes.
    pub fn read(path: &Path) -> Result<Self, CountError> {
        let io = |error| CountError::io(path, error);
        // To open a pipe would wait for its writer.
        if !path.metadata().map_err(io)?.is_file() {
            return Err(CountError::file(path, "is not a regular file"));
        }
        let mut bytes = Vec::new();
        File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes)).map_err(io)?;
        Self::parse(&String::from_utf8_lossy(&bytes)).map_err(|reason| CountError::file(path, reason))
    }

    fn parse(text: &str) -> Result<Self, &'static str> {
        let Some(rest) = text.strip_prefix(TITLE).and_then(|rest| rest.strip_prefix('\n')) else {
            return Err("is not a checkpoint of a count of this version");
        };
        let (body, check) = text.split_at(text.rfind("check=").unwrap_or(0));
        if check != check_of(body) {
            return Err("is damaged: its check does not match");
        }
        Self::of_fields(rest).ok_or("is damaged: its fields do not fit together")
    }

    fn of_fields(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix('=');
        let identity = Identity {
            n: value("n")?.parse().ok()?,
            shard: value("shard")?.parse().ok()?,
            version: value("version")?.to_owned(),
            partition: value("partition")?.to_owned(),
        };
        let subproblems: usize = identity.partition.split(':').next()?.parse().ok()?;
        // A text of a few bytes must not take any amount of memory.
        let of_shard = identity.shard.of_all(subproblems.min(1 << 26)).len();
        let mut checkpoint = Self::new(identity, of_shard);
        for range in value("done")?.split(',').filter(|range| !range.is_empty()) {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let done = checkpoint.done.get_mut(first.parse().ok()?..=last.parse().ok()?)?;
            done.fill(true);
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
            CountError::io(path, error)
        })
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = self.identity.fields().map(|(name, value)| format!("{name}={value}\n")).concat();
        let done: Vec<usize> = (0..self.done.len()).filter(|&at| self.done[at]).collect();
        let (done, solutions, wall) = (ranges(&done), self.solutions, self.wall.as_nanos());
        let body = format!("{TITLE}\n{fields}done={done}\nsolutions={solutions}\nwall_ns={wall}\n");
        write!(f, "{body}{}", check_of(&body))
    }
}

/// The last line of a file.
fn check_of(body: &str) -> String {
    format!("check={:016x}\n", hash(body.bytes()))
}

/// Saves a checkpoint now and then, if there is a file for it, and measures the time.
pub struct Saving {
    path: Option<PathBuf>,
    /// Wall time of earlier sessions.
    before: Duration,
    started: Instant,
    saved: Instant,
}

impl Saving {
    /// Begins a session, with the checkpoint of earlier ones.
    pub fn begin(path: Option<&Path>, checkpoint: &Checkpoint) -> Self {
        let now = Instant::now();
        Self { path: path.map(Path::to_owned), before: checkpoint.wall, started: now, saved: now }
    }

    /// Saves the checkpoint if this was last done two seconds ago.
    pub fn save_sometimes(&mut self, checkpoint: &mut Checkpoint) -> Result<(), CountError> {
        if self.path.is_none() || self.saved.elapsed() < INTERVAL {
            return Ok(());
        }
        self.save(checkpoint)
    }

    /// Saves the checkpoint, with the wall time.
    pub fn save(&mut self, checkpoint: &mut Checkpoint) -> Result<(), CountError> {
        checkpoint.wall = self.before + self.started.elapsed();
        self.saved = Instant::now();
        self.path.as_ref().map_or(Ok(()), |path| checkpoint.write(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::symmetry::column_sets;

    fn checkpoint() -> Checkpoint {
        let identity = Identity::new(14, "2/3".parse().expect("a shard"), &column_sets(14));
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
        assert_eq!(Checkpoint::parse(&text), Ok(checkpoint()));
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1;
            assert!(Checkpoint::parse(&String::from_utf8_lossy(&changed)).is_err(), "byte {at}");
            assert!(Checkpoint::parse(&text[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn fields_that_do_not_fit_together_are_refused() {
        let text = checkpoint().to_string();
        let with = |from: &str, to: &str| {
            let body = text[..text.rfind("check=").expect("its last line")].replace(from, to);
            Checkpoint::parse(&format!("{body}{}", check_of(&body)))
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
            assert_eq!(with(from, to), Err("is damaged: its fields do not fit together"), "{from}: {to}");
        }
    }

    #[test]
    fn the_sum_of_a_job_does_not_wrap() {
        let mut checkpoint = checkpoint();
        assert!(matches!(checkpoint.add(3, u128::from(u64::MAX)), Err(CountError::Overflow)));
        assert!(matches!(checkpoint.add(3, 1 << 64), Err(CountError::Overflow)));
        assert_eq!((checkpoint.finished, checkpoint.solutions), (5, 5000));
    }
}
