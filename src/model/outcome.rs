//! How a run ended, and what its answer is worth.

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
        /// The solver gave up: it neither has a solution nor a proof that none exists.
        Unknown = "unknown",
        /// The run hit a time limit.
        Timeout = "timeout",
        /// The run hit the memory limit.
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

    /// Whether the run ended without an answer for a reason other than a limit.
    pub fn is_failure(self) -> bool {
        matches!(self, Status::Crashed | Status::Unreadable)
    }

    /// Whether the run was ended by a limit.
    pub fn is_limit(self) -> bool {
        matches!(self, Status::Timeout | Status::Memout)
    }
}

crate::board::words! {
    /// Whether the answer of a run is right.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Verdict {
        /// The answer agrees with a published value or with the boards that were found.
        Correct = "correct",
        /// The answer contradicts a published value or the boards that were found.
        Wrong = "wrong",
        /// The answer contradicts only that of another solver.
        Disagree = "disagree",
        /// There is nothing to check the answer against.
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
    /// Whether others held the CPU during a run; docs/METHODOLOGY.md defines it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Disturbed {
        /// No other process held the CPU long enough to matter.
        No = "no",
        /// Others did.
        Yes = "yes",
        /// Others did, and another run takes the place of this one, whose time no table uses.
        Replaced = "replaced",
    }
}

crate::board::words! {
    /// What the results say about a claim.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ClaimVerdict {
        /// The claim holds at each of its sizes.
        Holds = "holds",
        /// The claim is false at one of its sizes at least.
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
        /// When the first session started, the experiment had the claim as it is now.
        Before = "before",
        /// It was added or changed later.
        Afterwards = "afterwards",
    }
}

impl Stated {
    /// For readers: `stated before the run`.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Before => "stated before the run",
            Self::Afterwards => "stated afterwards",
        }
    }
}
