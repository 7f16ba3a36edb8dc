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
    /// The run has ended.
    Ended(Ended),
}

/// How a run ended, as its process reports it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ended {
    /// How it ended.
    pub ending: Ending,
    /// Exit code of the user's program.
    pub exit_code: Option<i32>,
    /// Signal that ended the user's program.
    pub signal: Option<i32>,
}

impl From<Ending> for Ended {
    fn from(ending: Ending) -> Self {
        Self { ending, exit_code: None, signal: None }
    }
}

/// How a run ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Ending {
    /// The process reported a result.
    Reported(Box<Report>),
    /// The run hit its limit of wall time.
    Timeout,
    /// The run hit its limit of CPU time.
    CpuTimeout,
    /// The run hit its memory limit.
    Memout,
    /// There is no result; the text gives the reason.
    Failed(String),
    /// There is no result, because the answer was wrong; the text gives the reason.
    Wrong(String),
    /// The program succeeded, but its output could not be read; the text gives the reason.
    Unreadable(String),
    /// The user interrupted the run. It has no row and will be repeated.
    Interrupted,
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
    /// Peak resident memory of the process that solved, in bytes.
    pub peak_rss_bytes: Option<u64>,
    /// User and system time in nanoseconds of the process that solved, if another process reports.
    pub cpu_ns: Option<(u64, u64)>,
    /// Context switches of the process that solved because others got the CPU, if another process reports.
    pub involuntary_switches: Option<u64>,
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
