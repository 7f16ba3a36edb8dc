//! Events by which a running command reports progress and warnings.

use std::path::Path;

use runlab::Remaining;

use super::judged::JudgedSubmission;
use crate::backtrack::probe::Tree;
use crate::board::BoardSize;
use crate::count;
use crate::experiment::plan::{Cell, Plan, Run};
use crate::record::Row;

/// Receives events. Any thread may call the observer. The observer must return quickly, because a sweep waits for it.
pub type Observer<'a> = &'a (dyn Fn(Event<'_>) + Sync);

/// An event while a command runs.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A warning, for example about a condition that disturbs measurements, or about unusual results.
    Warning(&'a str),
    /// The command that builds a program of the experiment starts.
    Building(&'a str),
    /// The earlier results were renamed to this directory.
    SetAside(&'a Path),
    /// The effect of the cancel flag changes. With `true`, setting the flag ends the work soon. With `false`, setting the
    /// flag does not end the work soon, and the process must be killed instead.
    Cancellable(bool),
    /// The runs of a sweep begin.
    SweepBegins {
        /// The plan to carry out.
        plan: &'a Plan,
        /// The number of runs that were completed earlier.
        completed: usize,
        /// The remaining runs.
        remaining: Remaining,
    },
    /// A run begins. The observer must not draw anything until a run ends, because drawing would disturb the measurement.
    RunBegins {
        /// The measured cell.
        cell: &'a Cell,
        /// The repetition.
        run: &'a Run,
        /// The remaining runs, including this one.
        remaining: Remaining,
    },
    /// A run of this cell is not needed, because its median is precise enough.
    RunNotNeeded(&'a Cell),
    /// A run ended.
    RunEnds {
        /// The measured cell.
        cell: &'a Cell,
        /// The result.
        row: &'a Row,
    },
    /// All runs of a sweep have ended, or it was interrupted.
    SweepEnds,
    /// Solvers begin to enumerate the boards of problems.
    EnumerationsBegin {
        /// The number of enumerations.
        total: usize,
        /// The sizes at which the enumerations take hours, ascending.
        long_sizes: &'a [usize],
    },
    /// A solver begins to enumerate the boards of a problem.
    EnumerationBegins {
        /// The board size.
        n: BoardSize,
        /// The id of the solver.
        solver: &'a str,
    },
    /// The totals of the current enumeration so far.
    EnumerationAdvances {
        /// The number of visited nodes.
        nodes: u64,
        /// The number of solutions.
        solutions: u64,
    },
    /// All enumerations have ended.
    EnumerationsEnd,
    /// The fast counter begins.
    CountBegins {
        /// The maximum memory that the fast counter will use, in bytes.
        peak_bytes: u64,
    },
    /// The progress of the fast counter: when it begins, and after each subproblem.
    CountAdvances(&'a count::JobProgress<'a>),
    /// The progress of an estimate.
    Probed {
        /// The number of completed probes.
        completed: u64,
        /// The number of all probes.
        probes: u64,
        /// The estimated search tree.
        tree: &'a Tree,
    },
    /// The names of the submissions in the order of judging.
    SubmissionsFound(&'a [&'a str]),
    /// The program of a submission is started.
    SubmissionBegins {
        /// The name of the submission.
        name: &'a str,
        /// The board size.
        n: BoardSize,
    },
    /// A submission was judged at all its sizes.
    SubmissionJudged(&'a JudgedSubmission),
}
