//! The messages from the process of a run to its parent: one JSON object per line, on standard output.

use serde::{Deserialize, Serialize};

use crate::record::{Row, Status};
use crate::solver::Level;
use crate::solver::sink::{Digest, Judge};

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
    Ended(Box<Attempt>),
}

/// The outcome of a run: its process and then the parent fill in what they know.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Attempt {
    /// The row of the run, without what follows from the plan.
    pub row: Row,
    /// What was found on the boards.
    pub seen: Seen,
    /// The levels of the search tree.
    pub levels: Vec<Level>,
}

/// What was found on the boards during a run, and a row does not have.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Seen {
    /// The number of solutions that the solver claims, if it differs from the number of boards shown.
    pub claimed: Option<u64>,
    /// Number of judged boards that are not solutions; `None` if no board was judged.
    pub illegal: Option<u64>,
    /// Number of legal boards that had been shown before; `None` if repetitions were not checked.
    pub repeated: Option<u64>,
    /// The first illegal board; its columns count from 0.
    pub first_illegal: Option<String>,
}

impl Attempt {
    /// A run without a result, with the reason if the status does not say it.
    pub fn failed(status: Status, error: Option<String>) -> Self {
        Self { row: Row { status, error, ..Row::default() }, ..Self::default() }
    }

    /// A run that failed for this reason.
    pub fn crashed(reason: impl ToString) -> Self {
        Self::failed(Status::Crashed, Some(reason.to_string()))
    }

    /// Sets the number of solutions to the number of boards shown; keeps a different number as a claim.
    pub fn with_digest(mut self, shown: &Digest) -> Self {
        self.seen.claimed = self.row.solutions.filter(|&claimed| claimed != shown.count());
        self.row.solutions = Some(shown.count());
        self.row.digest = Some(shown.to_string());
        self
    }

    /// Like [`Attempt::with_digest`], with the judgement of the boards.
    pub fn with_boards(mut self, mut judge: Judge) -> Self {
        self.seen.illegal = Some(judge.illegal);
        self.seen.repeated = judge.repeated();
        self.seen.first_illegal = judge.first_illegal.as_ref().map(ToString::to_string);
        self.with_digest(&judge.digest)
    }
}
