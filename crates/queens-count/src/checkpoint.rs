//! A checkpoint: the finished part of a job, as a small file. The result of a shard is a checkpoint with all subproblems finished.
//!
//! The file is always replaced atomically, so a reader never finds an incomplete file. If two processes count the same job, the file
//! contains the checkpoint that was written last. A checksum detects damage. The lines that identify the job are compared before the
//! numbers of a file are used. Cost: a few hundred bytes, written every two seconds. The finished subproblems are stored as ranges. There
//! are few ranges, because threads take subproblems in order.

use std::fmt;
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::{CountError, io_failure};
use super::shard::Shard;
use super::symmetry::ColumnSet;
use queens_board::sizes::ranges;

/// The first line of a file, with the version of its format.
const TITLE: &str = "queenlab count 1\n";

/// The maximum size of a file, in bytes. Checkpoints have less than 1 KB, unless there were many sessions.
const MAX_BYTES: u64 = 1 << 20;

/// The reason why a file is not a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum CheckpointError {
    /// The file is a directory, a pipe or a device.
    #[error("is not a regular file")]
    NotRegular,
    /// The file is not a text.
    #[error(transparent)]
    NotUtf8(#[from] plaintext::NotUtf8),
    /// The first line is not the first line of this format.
    #[error("is not a checkpoint of a count, or has the format of another version")]
    OtherFormat,
    /// The checksum does not match the other lines.
    #[error("is damaged: its checksum does not match")]
    Damaged,
    /// A line is missing, has an invalid value or contradicts another line.
    #[error("is damaged: a line is missing, invalid or contradicts another line")]
    InvalidLines,
}

impl CheckpointError {
    /// Converts this reason to an error that also names the file.
    fn of_file(self, path: &Path) -> CountError {
        CountError::File(format!("{}: {self}", plaintext::path(path)))
    }
}

/// The finished part of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The lines that identify the job: the board size, the shard, the version and the column sets. Two jobs are the same if these
    /// lines are equal.
    pub identity: String,
    /// Whether each subproblem of the shard is finished, in order.
    pub is_finished: Vec<bool>,
    /// The number of finished subproblems.
    pub finished: usize,
    /// The number of solutions of the finished subproblems.
    pub solutions: u64,
    /// The wall time of all sessions.
    pub wall: Duration,
}

/// The 64-bit hash FNV-1a of Fowler, Noll and Vo, which detects every change of a single word.
fn hash<T: Into<u64>>(words: impl Iterator<Item = T>) -> u64 {
    let add_word = |hash: u64, word: T| (hash ^ word.into()).wrapping_mul(0x0100_0000_01b3);
    words.fold(0xcbf2_9ce4_8422_2325, add_word)
}

/// The lines that identify a shard of a board with these column sets.
pub fn identity(n: usize, shard: Shard, sets: &[ColumnSet]) -> String {
    let (version, subproblems) = (env!("CARGO_PKG_VERSION"), sets.len().max(1));
    let hash = hash(sets.iter().flat_map(|set| [set.left, set.right]));
    format!("n={n}\nshard={shard}\nversion={version}\npartition={subproblems}:{hash:016x}\n")
}

/// Describes the differences between the identity of a job and the expected identity.
pub fn differences(identity: &str, expected: &str) -> String {
    let lines = identity.lines().zip(expected.lines()).filter(|(line, expected)| line != expected);
    lines.map(|(line, expected)| format!("{line} instead of {expected}")).collect::<Vec<_>>().join("; ")
}

impl Checkpoint {
    /// Creates the checkpoint of a job that has not begun.
    pub fn new(identity: String, subproblems: usize) -> Self {
        Self {
            identity,
            is_finished: vec![false; subproblems],
            finished: 0,
            solutions: 0,
            wall: Duration::ZERO,
        }
    }

    /// Whether all subproblems are finished.
    pub fn is_complete(&self) -> bool {
        self.finished == self.is_finished.len()
    }

    /// Marks a subproblem as finished, and adds its number of solutions.
    ///
    /// # Errors
    ///
    /// The sum is 2^64 or more.
    pub fn add(&mut self, subproblem: usize, solutions: u128) -> Result<(), CountError> {
        let sum = u64::try_from(solutions).ok().and_then(|solutions| self.solutions.checked_add(solutions));
        let overflow_error = || CountError::Failed("there are 2^64 solutions or more".to_owned());
        self.solutions = sum.ok_or_else(overflow_error)?;
        self.is_finished[subproblem] = true;
        self.finished += 1;
        Ok(())
    }

    /// Reads the checkpoint of a job; `None` if the file does not exist.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is damaged, or belongs to another job.
    pub fn resume(path: &Path, identity: &str) -> Result<Option<Self>, CountError> {
        if path.metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return Ok(None);
        }
        let file = CheckpointFile::read(path)?;
        if file.identity == identity {
            return file.checkpoint().map(Some);
        }
        let (path, differences) = (plaintext::path(path), differences(&file.identity, identity));
        Err(CountError::OtherJob(format!(
            "{path}: belongs to another count: {differences}; choose another file or directory"
        )))
    }

    /// Writes the checkpoint, and replaces an existing file.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CountError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary_path = path.with_file_name(format!(".{name}.{:016x}", fastrand::u64(..)));
        let write_and_rename = || {
            let mut file = File::create_new(&temporary_path)?;
            file.write_all(self.to_string().as_bytes())?;
            file.sync_all()?;
            fs::rename(&temporary_path, path)
        };
        write_and_rename().map_err(|error| {
            // A failure to remove the file is less important than the error that is reported.
            let _ = fs::remove_file(&temporary_path);
            io_failure(path, error)
        })
    }
}

/// The lines of an undamaged file. The caller must compare the identity before the other lines are parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointFile {
    path: PathBuf,
    /// The lines that identify the job.
    pub identity: String,
    /// The lines after the identity.
    progress: String,
}

impl CheckpointFile {
    /// Reads a file, which may contain any bytes.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is damaged, or is not a checkpoint of this version.
    pub fn read(path: &Path) -> Result<Self, CountError> {
        // Opening a named pipe would wait for a writer.
        let is_file = path.metadata().map_err(|error| io_failure(path, error))?.is_file();
        let mut bytes = Vec::new();
        let read_bytes = |file: File| file.take(MAX_BYTES).read_to_end(&mut bytes);
        let read_bytes = if is_file { File::open(path).and_then(read_bytes) } else { Ok(0) };
        read_bytes.map_err(|error| io_failure(path, error))?;
        let parsed = if is_file { Self::parse(path, &bytes) } else { Err(CheckpointError::NotRegular) };
        parsed.map_err(|error| error.of_file(path))
    }

    fn parse(path: &Path, bytes: &[u8]) -> Result<Self, CheckpointError> {
        let text = plaintext::utf8(bytes)?;
        let Some(lines) = text.strip_prefix(TITLE) else {
            return Err(CheckpointError::OtherFormat);
        };
        let (body, check_line) = text.split_at(text.rfind("check=").unwrap_or(0));
        if check_line != check_line_of(body) {
            return Err(CheckpointError::Damaged);
        }
        let (identity, progress) = lines.split_at(lines.find("done=").ok_or(CheckpointError::InvalidLines)?);
        let names = identity.lines().map(|line| line.split('=').next().unwrap_or_default());
        if !names.eq(["n", "shard", "version", "partition"]) {
            return Err(CheckpointError::InvalidLines);
        }
        Ok(Self { path: path.to_owned(), identity: identity.to_owned(), progress: progress.to_owned() })
    }

    /// The board size.
    pub fn n(&self) -> Option<usize> {
        value(&self.identity, "n")?.parse().ok()
    }

    /// The shard.
    pub fn shard(&self) -> Option<Shard> {
        value(&self.identity, "shard")?.parse().ok()
    }

    /// Parses the checkpoint. The caller must have compared the identity with the expected one, because this function allocates one
    /// byte per subproblem, and the identity contains the number of subproblems.
    ///
    /// # Errors
    ///
    /// The lines of the file contradict each other.
    pub fn checkpoint(self) -> Result<Checkpoint, CountError> {
        self.progress().ok_or_else(|| CheckpointError::InvalidLines.of_file(&self.path))
    }

    fn progress(&self) -> Option<Checkpoint> {
        let subproblems: usize = value(&self.identity, "partition")?.split(':').next()?.parse().ok()?;
        let shard_subproblems = self.shard()?.subproblems(subproblems).len();
        let mut checkpoint = Checkpoint::new(self.identity.clone(), shard_subproblems);
        let mut end = 0;
        for range in value(&self.progress, "done")?.split(',').filter(|range| !range.is_empty()) {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let range = first.parse::<usize>().ok()?..last.parse::<usize>().ok()?.checked_add(1)?;
            // Ranges must be ascending and disjoint, as they are written. Otherwise a short file could take unlimited time.
            if range.start < end || range.is_empty() {
                return None;
            }
            end = range.end;
            checkpoint.finished += range.len();
            checkpoint.is_finished.get_mut(range)?.fill(true);
        }
        checkpoint.solutions = value(&self.progress, "solutions")?.parse().ok()?;
        checkpoint.wall = Duration::from_nanos(value(&self.progress, "wall_ns")?.parse().ok()?);
        Some(checkpoint)
    }
}

/// The value of the first line with this name.
fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finished_subproblems: Vec<usize> =
            (0..self.is_finished.len()).filter(|&at| self.is_finished[at]).collect();
        let (identity, ranges, solutions) = (&self.identity, ranges(&finished_subproblems), self.solutions);
        let wall_ns = self.wall.as_nanos();
        let body = format!("{TITLE}{identity}done={ranges}\nsolutions={solutions}\nwall_ns={wall_ns}\n");
        write!(f, "{body}{}", check_line_of(&body))
    }
}

/// The last line of a file, with the checksum of `body`, which is all other lines.
fn check_line_of(body: &str) -> String {
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
    fn checkpoint_text_round_trips_and_detects_changed_bytes() {
        let text = checkpoint().to_string();
        assert!(text.contains("\ndone=0-2,7,571\nsolutions=5000\n"), "{text}");
        let parse = |bytes: &[u8]| CheckpointFile::parse(Path::new("x"), bytes);
        assert_eq!(parse(text.as_bytes()).map(CheckpointFile::checkpoint), Ok(Ok(checkpoint())));
        for at in 0..text.len() {
            let mut changed_text = text.clone().into_bytes();
            changed_text[at] ^= 1;
            assert!(parse(&changed_text).is_err(), "byte {at}");
            assert!(parse(&text.as_bytes()[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn missing_invalid_or_contradictory_lines_are_refused() {
        let text = checkpoint().to_string();
        let parse_with = |from: &str, to: &str| {
            let body = text[..text.rfind("check=").expect("its last line")].replace(from, to);
            let text = format!("{body}{}", check_line_of(&body));
            CheckpointFile::parse(Path::new("x"), text.as_bytes()).ok().and_then(|file| file.progress())
        };
        assert!(parse_with("done=0-2", "done=0-3").is_some());
        for (from, to) in [
            ("571", "572"),
            ("0-2", "2-0"),
            ("0-2", "-1"),
            ("0-2,7", "0-2,2,7"),
            ("0-2,7", "0-7,7"),
            ("0-2,7", "7,0-2"),
            ("0-2", "0-18446744073709551615"),
            ("2/3", "4/3"),
            ("solutions=5000", "solutions=-1"),
            ("solutions=5000", "solutions=99999999999999999999"),
            ("wall_ns", "wall"),
            ("n=14\n", ""),
        ] {
            assert_eq!(parse_with(from, to), None, "{to} instead of {from}");
        }
    }

    #[test]
    fn sum_of_counts_is_checked_for_overflow() {
        let mut checkpoint = checkpoint();
        assert!(matches!(checkpoint.add(3, u128::from(u64::MAX)), Err(CountError::Failed(_))));
        assert!(matches!(checkpoint.add(3, 1 << 64), Err(CountError::Failed(_))));
        assert_eq!((checkpoint.finished, checkpoint.solutions), (5, 5000));
    }
}
