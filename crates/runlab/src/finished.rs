//! A run that ended, as far as the harness reads its row.

use std::time::Duration;

use timestats::Time;

/// How a run ended, as far as it decides what is run next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It has an answer that is not known to be wrong.
    Answered,
    /// A limit of time stopped it.
    TimedOut,
    /// It has no answer, or a wrong one.
    Failed,
    /// It was not run.
    Skipped,
}

/// The row of a run in the results, as far as the harness reads it.
pub trait FinishedRun {
    /// The id that [`Plan::run_id`](crate::plan::Plan::run_id) gave to the run.
    fn run_id(&self) -> &str;

    /// How it ended.
    fn outcome(&self) -> Outcome;

    /// Its time, or the limit that stopped it, in nanoseconds; `None` if neither is known.
    fn time(&self) -> Option<Time>;

    /// How long its process ran.
    fn wall(&self) -> Duration;

    /// Whether another run takes its place, because other processes disturbed it.
    fn is_replaced(&self) -> bool {
        false
    }
}

impl<R: FinishedRun> FinishedRun for &R {
    fn run_id(&self) -> &str {
        R::run_id(self)
    }

    fn outcome(&self) -> Outcome {
        R::outcome(self)
    }

    fn time(&self) -> Option<Time> {
        R::time(self)
    }

    fn wall(&self) -> Duration {
        R::wall(self)
    }

    fn is_replaced(&self) -> bool {
        R::is_replaced(self)
    }
}
