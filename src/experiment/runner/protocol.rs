//! What the process of a run says to the one that started it: JSON, a message a line, on its
//! standard output.

use serde::{Deserialize, Serialize};

use crate::solver::sink::{Digest, Judge};
use crate::solver::{SatStats, SearchStats};

/// A line of a run's process.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Totals so far; counting runs only.
    Progress {
        /// Nodes or candidates.
        nodes: u64,
        /// Solutions.
        solutions: u64,
    },
    /// The job is done.
    Report(Box<Report>),
    /// The job could not be done.
    Failed(Failure),
}

/// Why a job could not be done.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Failure {
    /// In words.
    pub reason: String,
    /// Exit code of the program of the user's that failed.
    pub exit_code: Option<i32>,
    /// Signal that ended it.
    pub signal: Option<i32>,
    /// Whether it failed because the answer was wrong.
    #[serde(default)]
    pub wrong: bool,
    /// Whether the program ended well and only its output could not be read.
    #[serde(default)]
    pub unreadable: bool,
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Self { reason, ..Self::default() }
    }
}

/// What a run found out.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// Solutions found: the number of boards that it showed, except for counts.
    pub solutions: u64,
    /// The number of solutions that it claims, where that is not the number of boards that it showed.
    pub claimed: Option<u64>,
    /// Digest of the boards visited, 32 hexadecimal digits; none for counts, and where no board was shown.
    pub digest: Option<String>,
    /// Boards that were looked at one by one and are no solutions; `None` if none was looked at.
    pub illegal: Option<u64>,
    /// Legal boards that it had shown before; `None` if that was not looked for.
    pub repeated: Option<u64>,
    /// The first illegal board, its columns from 0.
    pub first_illegal: Option<String>,
    /// Time of encoding; `None` for solvers that encode nothing.
    pub encode_ns: Option<u64>,
    /// Time of the search.
    pub solve_ns: u64,
    /// Time of judging boards, where that is a step of its own.
    pub verify_ns: Option<u64>,
    /// Greatest memory of the process that did the job.
    pub peak_rss_bytes: Option<u64>,
    /// User and system time of the job's process, where it is not the one that reports.
    pub cpu_ns: Option<(u64, u64)>,
    /// Exit code of the job's process, where it is not the one that reports.
    pub exit_code: Option<i32>,
    /// What a searcher counted.
    pub search: SearchStats,
    /// What a SAT solver reported.
    pub sat: SatStats,
}

impl Report {
    /// Takes the number of solutions from the boards that were shown, and keeps another one as a claim.
    pub fn with_digest(self, shown: &Digest) -> Self {
        Self {
            claimed: Some(self.solutions).filter(|&claimed| claimed != shown.count()),
            solutions: shown.count(),
            digest: Some(shown.to_string()),
            ..self
        }
    }

    /// The same, with what was found on the boards.
    pub fn with_boards(self, mut judge: Judge) -> Self {
        Self {
            illegal: Some(judge.illegal),
            repeated: judge.repeated(),
            first_illegal: judge.first_illegal.as_ref().map(ToString::to_string),
            ..self.with_digest(&judge.digest)
        }
    }
}
