//! How a run ended (its status), whether its answer is right (its verdict), and the verdicts on claims.

use serde::{Deserialize, Serialize};

crate::board::words! {
    /// How a run ended.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Status {
        /// A count or an enumeration was completed.
        Complete = "complete",
        /// Goal first: a solution was found.
        Sat = "sat",
        /// Goal first: no solution exists.
        Unsat = "unsat",
        /// The solver gave up: it has neither a solution nor a proof that none exists.
        Unknown = "unknown",
        /// The run was stopped by a limit of wall time or CPU time.
        Timeout = "timeout",
        /// The run was stopped by the memory limit.
        Memout = "memout",
        /// The process died, failed, or sent an invalid report.
        Crashed = "crashed",
        /// A program exited successfully, but its output could not be read.
        Unreadable = "unreadable",
        /// The run was interrupted, and its answer is missing.
        Interrupted = "interrupted",
        /// The run was skipped; the column `outcome_reason` gives the reason.
        #[default]
        Skipped = "skipped",
    }
}

impl Status {
    /// Whether the goal was reached.
    pub fn is_solved(self) -> bool {
        matches!(self, Status::Complete | Status::Sat | Status::Unsat)
    }

    /// Whether the process of the run failed or its output could not be read. A run whose solver gave up did not fail.
    pub fn is_failure(self) -> bool {
        matches!(self, Status::Crashed | Status::Unreadable)
    }

    /// Whether the run was stopped by a limit.
    pub fn is_limit(self) -> bool {
        matches!(self, Status::Timeout | Status::Memout)
    }
}

crate::board::words! {
    /// Whether the answer of a run is right.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Verdict {
        /// The answer agrees with a published value or with boards that another solver found.
        Correct = "correct",
        /// The answer contradicts a published value or boards that another solver found.
        Wrong = "wrong",
        /// The answer contradicts the answer of another solver, but no published value and no boards.
        Disagree = "disagree",
        /// There was nothing to check the answer with.
        #[default]
        Unchecked = "unchecked",
    }
}

impl Verdict {
    /// Whether the answer is wrong or contradicts another one.
    pub fn is_fault(self) -> bool {
        matches!(self, Verdict::Wrong | Verdict::Disagree)
    }
}

crate::board::words! {
    /// Whether other processes disturbed a run; docs/METHODOLOGY.md defines the exact condition.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Disturbed {
        /// The run was not disturbed.
        No = "no",
        /// The run was disturbed; tables use its time.
        Yes = "yes",
        /// The run was disturbed, and another run replaced it; tables do not use its time.
        Replaced = "replaced",
    }
}

crate::board::words! {
    /// The verdict of the results on a claim.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ClaimVerdict {
        /// The claim holds for each of its sizes.
        Holds = "holds",
        /// The claim is false for at least one of its sizes.
        Fails = "fails",
        /// Runs are missing, or the times vary too much.
        #[default]
        Undecided = "undecided",
    }
}

crate::board::words! {
    /// Whether a claim was stated before the runs that decide it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Stated {
        /// The experiment contained the claim, in its present form, when the first session started.
        Before = "before",
        /// The claim was added or changed later.
        Afterwards = "afterwards",
    }
}

impl Stated {
    /// The text for reports: `stated before the run`.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Before => "stated before the run",
            Self::Afterwards => "stated afterwards",
        }
    }
}
