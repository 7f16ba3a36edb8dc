//! The errors of jobs, counts and merges.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;

use queens_board::number;

use super::geometry::Geometry;
use super::memory;

/// The reason why a job is impossible, or impossible on this machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// A board of this size is too large.
    #[error("n = {0} is too large for this counter: choose n up to {largest}", largest = Geometry::SIZES.end())]
    TooLarge(usize),
    /// There are more shards than subproblems.
    #[error("n = {n}: the maximum number of shards is {max_shards}")]
    Shards {
        /// The size of the board.
        n: usize,
        /// The maximum number of shards.
        max_shards: usize,
    },
    /// The processor lacks instructions, or the program was built without them.
    #[error("{0}")]
    Kernel(&'static str),
    /// The threads cannot be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// The number of threads.
        threads: NonZeroUsize,
        /// The reason.
        reason: String,
    },
    /// The count needs more memory than is available.
    #[error(
        "n = {n} with {} needs {} MiB of memory, but {} MiB are available: {}count a smaller board, or use a machine with \
         more memory",
        number::counted(threads.get(), "thread"),
        needed >> 20,
        available >> 20,
        if !memory::shared_tables(*n) && threads.get() > 1 { "use fewer --threads, " } else { "" }
    )]
    Memory {
        /// The size of the board.
        n: usize,
        /// The number of threads.
        threads: NonZeroUsize,
        /// The memory that the job needs, in bytes.
        needed: u64,
        /// The available memory, in bytes.
        available: u64,
    },
}

/// The reason why a count or a merge failed. Messages name the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The job is impossible, or impossible on this machine.
    #[error(transparent)]
    Job(#[from] JobError),
    /// A file is damaged, or is not a result of this board.
    #[error("{0}")]
    File(String),
    /// A checkpoint belongs to another job.
    #[error("{0}")]
    OtherJob(String),
    /// Two results of one shard have different numbers of solutions.
    #[error("{0}")]
    Disagree(String),
    /// Some shards have no result; a file cannot be read or written; threads cannot be started; there are 2^64 solutions or more.
    #[error("{0}")]
    Failed(String),
}

/// The error for a file that cannot be read or written.
pub fn io_failure(path: &Path, error: impl fmt::Display) -> CountError {
    CountError::Failed(format!("{}: {error}", plaintext::path(path)))
}
