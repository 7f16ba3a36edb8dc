//! The properties of a finished run that the harness uses.

use std::time::Duration;

use timestats::Time;

/// How a run ended, as far as decisions about later runs depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunOutcome {
    /// The run has an answer that is not wrong.
    Answered,
    /// The run was stopped by a time limit.
    TimedOut,
    /// The run has no answer or a wrong one.
    Failed,
    /// The run was skipped.
    Skipped,
}

/// The row of a finished run, with the properties that the harness uses.
pub trait FinishedRun {
    /// The id that [`RunPlan::run_id`](crate::plan::RunPlan::run_id) gave to the run.
    fn run_id(&self) -> &str;

    /// How the run ended.
    fn outcome(&self) -> RunOutcome;

    /// The time of the run in nanoseconds, which is censored if a limit stopped the run; `None` if the time is unknown.
    fn time(&self) -> Option<Time>;

    /// The wall time of the process.
    fn wall(&self) -> Duration;

    /// Whether another run replaces this run, because other processes disturbed it.
    fn is_replaced(&self) -> bool {
        false
    }
}

impl<R: FinishedRun> FinishedRun for &R {
    fn run_id(&self) -> &str {
        R::run_id(self)
    }

    fn outcome(&self) -> RunOutcome {
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
