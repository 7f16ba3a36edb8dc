//! The reasons why the value of a claim is unknown at a size.

use crate::model::SolverRef;
use crate::report::counted;

/// The reason why the value of a claim is unknown at a size, so that the claim is undecided there.
#[derive(Debug, thiserror::Error)]
pub enum Doubt {
    #[error("answers of {0} are wrong, or contradict those of another solver")]
    Faults(SolverRef),
    #[error("{0} has several goals, variants or numbers of threads")]
    SeveralSeries(SolverRef),
    #[error("{0} and {1} ran with different goals or on different problems")]
    OtherProblems(SolverRef, SolverRef),
    #[error("{0} has several seeds")]
    SeveralSeeds(SolverRef),
    /// The solver has no run of this kind.
    #[error("no {kind} run of {solver}")]
    NoRun { kind: &'static str, solver: SolverRef },
    #[error("{solver} does not report {what}")]
    NotReported { what: String, solver: SolverRef },
    /// Some runs or seeds of the solver have no answer.
    #[error("{missing} of {all} {what} of {solver} have no answer")]
    Unanswered { missing: usize, all: usize, what: &'static str, solver: SolverRef },
    #[error("{0} has times of 0, which are below the resolution of its clock")]
    ZeroTime(SolverRef),
    #[error("{0} has no known term")]
    NoTerm(String),
    #[error("the ratio is 0 / 0")]
    ZeroByZero,
    #[error("a count is 0, which has no logarithm")]
    ZeroCount,
    #[error("a growth needs at least two sizes")]
    OneSize,
    #[error("no round has all runs that are compared")]
    NoRound,
    #[error("no run was faster than its limit")]
    NotFaster,
    /// There are too few rounds for an interval, or too many of them were stopped. `value` is the text of the estimate.
    #[error(
        "{value}, without an interval: {}{}",
        counted(*rounds, "round"),
        match stopped { 0 => String::new(), some => format!(", {some} of them stopped by a limit") }
    )]
    NoInterval { value: String, rounds: usize, stopped: usize },
    /// The growth cannot be computed, because there is no value at this size.
    #[error("at n = {n}, {doubt}")]
    At { n: usize, doubt: Box<Doubt> },
}
