//! The messages from the process of a run to its parent: one JSON object per line, on standard output.

use serde::{Deserialize, Serialize};

use crate::solver::sink::{Digest, Judge};
use crate::solver::{Level, Statistics};

/// A message from the process of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Current totals, in counting runs only.
    Progress {
        /// Nodes or candidates.
        nodes: u64,
        /// Solutions.
        solutions: u64,
    },
    /// The run succeeded.
    Report(Box<Report>),
    /// The run failed.
    Failed(Failure),
}

/// Why a run failed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Failure {
    /// Description of the failure.
    pub reason: String,
    /// Exit code of the user's program.
    pub exit_code: Option<i32>,
    /// Signal that ended the user's program.
    pub signal: Option<i32>,
    /// Whether the run failed because the answer was wrong.
    #[serde(default)]
    pub wrong: bool,
    /// Whether the program succeeded and only its output could not be read.
    #[serde(default)]
    pub unreadable: bool,
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Self { reason, ..Self::default() }
    }
}

/// The result of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// Number of solutions: the number of boards that were shown, except for goal count.
    pub solutions: u64,
    /// The number of solutions that the solver claims, if it differs from the number of boards shown.
    pub claimed: Option<u64>,
    /// Digest of the boards shown, 32 hexadecimal digits; `None` for goal count and if no board was shown.
    pub digest: Option<String>,
    /// Number of judged boards that are not solutions; `None` if no board was judged.
    pub illegal: Option<u64>,
    /// Number of legal boards that had been shown before; `None` if repetitions were not checked.
    pub repeated: Option<u64>,
    /// The first illegal board; its columns count from 0.
    pub first_illegal: Option<String>,
    /// Time of encoding in nanoseconds; `None` for solvers without an encoding.
    pub encode_ns: Option<u64>,
    /// Time of the search in nanoseconds.
    pub solve_ns: u64,
    /// Time of judging boards in nanoseconds, if that was a separate step.
    pub verify_ns: Option<u64>,
    /// Peak resident memory of the process that solved, in bytes.
    pub peak_rss_bytes: Option<u64>,
    /// User and system time in nanoseconds of the process that solved, if another process reports.
    pub cpu_ns: Option<(u64, u64)>,
    /// Exit code of the process that solved, if another process reports.
    pub exit_code: Option<i32>,
    /// What the solver counted.
    pub stats: Statistics,
    /// The levels of its search tree.
    pub levels: Vec<Level>,
}

impl Report {
    /// Sets the number of solutions to the number of boards shown; keeps a different number as a claim.
    pub fn with_digest(self, shown: &Digest) -> Self {
        Self {
            claimed: Some(self.solutions).filter(|&claimed| claimed != shown.count()),
            solutions: shown.count(),
            digest: Some(shown.to_string()),
            ..self
        }
    }

    /// Like [`Report::with_digest`], with the judgement of the boards.
    pub fn with_boards(self, mut judge: Judge) -> Self {
        Self {
            illegal: Some(judge.illegal),
            repeated: judge.repeated(),
            first_illegal: judge.first_illegal.as_ref().map(ToString::to_string),
            ..self.with_digest(&judge.digest)
        }
    }
}
