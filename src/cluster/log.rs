//! The log of finished subproblems, from which a killed shard or count resumes.
//!
//! The first line names the owner: a shard of a plan, or a count. Then follows one line per subproblem:
//! `SUBPROBLEM NUMBER DETAIL CHECK`. The check of each line covers the owner, so that lines of another
//! owner do not match. Each line is written as a whole. Reading stops at the first line whose check does not
//! match: a subproblem whose line a killed process cut off, or a crashed machine never stored, is searched
//! again.
//!
//! Each attempt at a shard writes a log of its own, because two nodes may not see each other's locks. The
//! checkpoint of a count is one log, to which each session appends.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{ClusterError, Job, ShardPlan};
use crate::record::{RecordError, complete_lines, nanoseconds, sha256_hex, write_atomically};
use crate::{files, os};

/// Log files in a shard's working directory have this extension.
const ENDING: &str = "log";

/// A crash of the machine loses at most the work of this interval; a killed process loses one subproblem.
const SYNC_INTERVAL: Duration = Duration::from_secs(2);

/// Stands for the number of a subproblem in a line with the wall time spent so far, in nanoseconds.
const TIME: &str = "time";

/// The result of a subproblem, including its images under symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Number of solutions; of nodes, where the first solution is searched.
    pub number: u64,
    /// What else was found.
    pub detail: Detail,
}

/// What a search finds in a subproblem besides a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Solutions are only counted, or there is none.
    Nothing,
    /// Sum of the solutions' hashes.
    Digest(u128),
    /// A solution that is smaller than the known one.
    Queens(Vec<u16>),
    /// The CPU time of a subproblem of a sample, if the system reports it.
    Sampled(Option<Duration>),
}

/// Stands before the CPU time of a subproblem, in nanoseconds.
const CPU: &str = "cpu=";

impl Detail {
    /// The digest, or 0.
    pub fn digest(&self) -> u128 {
        if let Detail::Digest(digest) = self { *digest } else { 0 }
    }

    /// Reads what [`Display`] writes.
    fn parse(text: &str) -> Option<Self> {
        if text == "-" {
            return Some(Detail::Nothing);
        }
        if let Some(cpu) = text.strip_prefix(CPU) {
            let cpu = if cpu == "-" { None } else { Some(Duration::from_nanos(cpu.parse().ok()?)) };
            return Some(Detail::Sampled(cpu));
        }
        if text.contains(',') {
            return queens(text).map(Detail::Queens);
        }
        u128::from_str_radix(text, 16).ok().map(Detail::Digest)
    }

    /// Whether a job has such results.
    fn fits(&self, job: &Job) -> bool {
        match self {
            Detail::Nothing => !matches!(job, Job::Enumerate { .. } | Job::Sample { .. }),
            Detail::Digest(_) => matches!(job, Job::Enumerate { .. }),
            Detail::Queens(_) => matches!(job, Job::Lex { .. }),
            Detail::Sampled(_) => matches!(job, Job::Sample { .. }),
        }
    }
}

impl Display for Detail {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Detail::Nothing => f.write_str("-"),
            Detail::Digest(digest) => write!(f, "{digest:032x}"),
            Detail::Queens(columns) => f.write_str(&joined(columns)),
            Detail::Sampled(None) => write!(f, "{CPU}-"),
            Detail::Sampled(Some(cpu)) => write!(f, "{CPU}{}", nanoseconds(*cpu)),
        }
    }
}

/// Columns with commas between them.
pub fn joined(columns: &[u16]) -> String {
    columns.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
}

/// Reads what [`joined`] writes.
pub fn queens(text: &str) -> Option<Vec<u16>> {
    text.split(',').map(|column| column.parse().ok()).collect()
}

/// The finished subproblems, by number.
pub type Done = BTreeMap<usize, Found>;

/// What a log belongs to. The key is part of the header, and each line's check covers it.
struct Owner<'a> {
    plan: &'a ShardPlan,
    index: usize,
    title: &'static str,
    key: String,
}

/// The first 8 hexadecimal digits of a SHA-256.
fn check(text: &str) -> String {
    let mut digits = sha256_hex(text.as_bytes());
    digits.truncate(8);
    digits
}

impl<'a> Owner<'a> {
    /// A shard of a plan.
    fn shard(plan: &'a ShardPlan, index: usize) -> Self {
        Self { plan, index, title: "queenlab shard log 1", key: format!("{} {index}", plan.sha256) }
    }

    /// A count in one process by the executable with this SHA-256, or a sample of it. The kernel may differ between
    /// sessions.
    fn count(plan: &'a ShardPlan, executable: &str) -> Self {
        let n = plan.job.board().map_or(0, |(n, _)| n);
        let ShardPlan { subproblems, queenlab_version, partition_sha256, .. } = plan;
        let sample = match plan.job {
            Job::Sample { sample, seed, thin, .. } => format!("{sample},seed:{seed},thin:{thin}"),
            _ => "all".to_owned(),
        };
        let key = format!(
            "n={n} subproblems={subproblems} version={queenlab_version} executable={executable} \
             partition={partition_sha256} sample={sample}"
        );
        Self { plan, index: 0, title: "queenlab checkpoint 3", key }
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

    fn line(&self, name: &str, found: &Found) -> String {
        let body = format!("{name} {} {}", found.number, found.detail);
        format!("{body} {}\n", check(&format!("{} {body}", self.key)))
    }

    /// The name and the result in a line whose check matches.
    fn parse<'t>(&self, line: &'t str) -> Option<(&'t str, Found)> {
        let mut fields = line.split(' ');
        let (name, number) = (fields.next()?, fields.next()?.parse().ok()?);
        let found = Found { number, detail: Detail::parse(fields.next()?)? };
        (line == self.line(name, &found)).then_some((name, found))
    }

    /// Reads the lines behind the header up to the first one whose check does not match, and adds their results.
    /// Returns the length of these lines and the header in bytes, and the wall time in the last such line.
    fn read(&self, text: &str, path: &Path, done: &mut Done) -> Result<(usize, Duration), ClusterError> {
        let (mut length, mut wall) = (text.find('\n').map_or(0, |end| end + 1), Duration::ZERO);
        for line in text[length..].split_inclusive('\n') {
            let Some((name, found)) = self.parse(line) else { break };
            if name == TIME {
                wall = Duration::from_nanos(found.number);
            } else {
                let own = |number: &usize| {
                    *number < self.plan.subproblems
                        && number % self.plan.shards == self.index
                        && found.detail.fits(&self.plan.job)
                };
                let Some(subproblem) = name.parse().ok().filter(own) else { break };
                let earlier = done.entry(subproblem).or_insert_with(|| found.clone());
                if *earlier != found {
                    let first = format_args!("subproblem {subproblem}: {earlier:?}");
                    let second = format_args!("{found:?} in {}", path.display());
                    return Err(ClusterError::disagree(self.index, first, second));
                }
            }
            length += line.len();
        }
        Ok((length, wall))
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
            let text = complete_text(files::read_regular(&path, u64::MAX).map_err(io)?).map_err(io)?;
            // A damaged header costs nothing, because the check of each line covers the owner.
            if owner.key_in(&text).is_some_and(|key| key != owner.key) {
                return Err(ClusterError::foreign(index, &path));
            }
            owner.read(&text, &path, &mut done)?;
        }
        let file =
            tempfile::Builder::new().prefix("attempt-").suffix(&format!(".{ENDING}")).tempfile_in(directory);
        let mut file = file.map_err(fail)?;
        file.write_all(owner.header().as_bytes()).map_err(fail)?;
        os::let_others_read(file.as_file()).map_err(fail)?;
        let (file, path) = file.keep().map_err(|error| fail(error.error))?;
        Ok((Self::new(owner, file, path, Duration::ZERO), done))
    }

    /// Opens the checkpoint of a count by this executable (its SHA-256), or of a sample of it, or creates it. Lines
    /// from the first damaged one on are cut off.
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
        let text = complete_text(text).map_err(io)?;
        let key =
            owner.key_in(&text).ok_or_else(|| not_one("is not a checkpoint of this version".to_owned()))?;
        if key != owner.key {
            let (path, differences) = (path.display(), differences(key, &owner.key));
            return Err(ClusterError::Foreign(format!(
                "{path}: belongs to another count: {differences}; choose another file for --checkpoint"
            )));
        }
        let mut done = Done::new();
        let (kept, before) = owner.read(&text, path, &mut done)?;
        let file = File::options().append(true).open(path).map_err(io)?;
        if kept < length {
            file.set_len(kept as u64).map_err(io)?;
        }
        Ok((Self::new(owner, file, path.to_owned(), before), done))
    }

    /// Appends the result of a subproblem. It is flushed to disk every two seconds.
    pub fn append(&mut self, subproblem: usize, found: &Found) -> Result<(), String> {
        self.write(&subproblem.to_string(), found)?;
        if self.synced.elapsed() >= SYNC_INTERVAL { self.save() } else { Ok(()) }
    }

    /// Appends the wall time, and flushes the log to disk (fdatasync).
    pub fn save(&mut self) -> Result<(), String> {
        self.write(TIME, &Found { number: nanoseconds(self.wall()), detail: Detail::Nothing })?;
        self.synced = Instant::now();
        self.named(self.file.sync_data())
    }

    fn write(&mut self, name: &str, found: &Found) -> Result<(), String> {
        let written = self.file.write_all(self.owner.line(name, found).as_bytes());
        self.named(written)
    }

    fn named(&self, done: std::io::Result<()>) -> Result<(), String> {
        done.map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// Wall time of all sessions.
    pub fn wall(&self) -> Duration {
        self.before + self.started.elapsed()
    }
}

/// The complete lines of a log. Bytes that are not UTF-8 were never written: the check of their line fails.
fn complete_text(mut text: Vec<u8>) -> std::io::Result<String> {
    let (length, _) = complete_lines(text.as_slice(), |byte| byte == b'\n')?;
    text.truncate(length);
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The words `name=value` in which two keys of counts differ.
fn differences(there: &str, here: &str) -> String {
    let words = there.split(' ').zip(here.split(' ')).filter(|(there, here)| there != here);
    let named = words.filter_map(|(there, here)| {
        let ((name, there), (_, here)) = (there.split_once('=')?, here.split_once('=')?);
        Some(format!("{name} ({there} there, {here} here)"))
    });
    named.collect::<Vec<_>>().join(", ")
}
