//! The rows of the tables: runs, levels and cross-checks, and derived times, counts and claims. docs/FORMATS.md defines each
//! column, and a test compares these rows with that document.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::table::{Column, Field, table};
use crate::model::{
    ClaimVerdict, ComparedWith, Disturbed, Kind, ProblemRef, ProgramColumn, SeriesKey, SolverRef, Stated,
    Status, Verdict, is_name,
};
use crate::solver::{Goal, Stat, Statistics};
use timestats::Time;

/// The column `outcome_reason` of a run that reached its limit of CPU time.
pub const CPU_LIMIT_REASON: &str = "limit of CPU time";

/// The column `outcome_reason` of a run that answered after its limit of wall time.
const LATE_ANSWER_REASON: &str = "answered after its time limit";

/// The column `outcome_reason` of a run that was stopped because its processes together used more memory than its limit.
pub const MEMORY_STOP_REASON: &str = "limit of memory";

/// The column `outcome_reason` of a run that answered with more memory than its limit.
const EXCESS_MEMORY_REASON: &str = "answered with more memory than its limit";

/// The columns and values of the factors of a program, from its full name such as `program/mine:h=1`; empty for other solvers.
fn factors_of(solver: &SolverRef) -> BTreeMap<String, String> {
    let factors = solver.factors().filter(|(name, _)| is_name(name));
    factors.map(|(name, value)| (ProgramColumn::Factor(name).to_string(), value.to_owned())).collect()
}

/// The value of a statistic that a program printed or a solver counted. `name` is the name of the statistic or of its column
/// `stat.NAME`.
fn statistic(stats: &Statistics, program_stats: &BTreeMap<String, u64>, name: &str) -> Option<u64> {
    let name = ProgramColumn::of(name).map_or(name, ProgramColumn::name);
    program_stats.get(name).copied().or_else(|| stats.get(Stat::named(name)?))
}

/// The columns and values of the statistics that a program printed.
fn statistics_of(program_stats: &BTreeMap<String, u64>) -> impl Iterator<Item = (String, String)> {
    program_stats.iter().map(|(name, value)| (ProgramColumn::Statistic(name).to_string(), value.to_string()))
}

table! {
    /// A row of `runs.csv`. Times in nanoseconds, memory in bytes; `None` means "not measured".
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    Row in "runs.csv" {
        schema_version: u32,
        run_id: String,
        cell_id: String,
        started_at: String,
        round: u32,
        n: usize,
        variant: ProblemRef,
        goal: Goal,
        solver: SolverRef,
        threads: usize,
        seed: u64,
        repetition: u32,
        kind: Kind,
        status: Status,
        verdict: Verdict,
        solutions: Option<u64>,
        expected_solutions: Option<u64>,
        digest: Option<String>,
        encode_ns: Option<u64>,
        solve_ns: Option<u64>,
        wall_ns: Option<u64>,
        cpu_user_ns: Option<u64>,
        cpu_sys_ns: Option<u64>,
        peak_rss_bytes: Option<u64>,
        ..stats,
        time_limit_ns: Option<u64>,
        cpu_limit_ns: Option<u64>,
        memory_limit_bytes: Option<u64>,
        attempt: Option<u32>,
        cpu: Option<String>,
        involuntary_switches: Option<u64>,
        cpu_stall_ns: Option<u64>,
        disturbed: Option<Disturbed>,
        exit_code: Option<i32>,
        signal: Option<i32>,
        reported_solve_ns: Option<u64>,
        outcome_reason: Option<String>,
        verdict_reason: Option<String>,
    }

    fn extra_values(&self) -> BTreeMap<String, String> {
        factors_of(&self.solver).into_iter().chain(statistics_of(&self.program_stats)).collect()
    }
}

/// How long after its limit of wall time a run may end without being a timeout, in nanoseconds. The parent notices the end of a
/// process with a delay.
const GRACE_NS: u64 = 100_000_000;

impl Row {
    /// The status and the reason that replace those of a solved run that exceeded a limit; `None` for all other runs. A solved
    /// run can exceed its limit if the parent was suspended and could not stop the run, if a table was edited, or if the memory
    /// of the process was above the limit from the start.
    pub fn exceeded_limit(&self) -> Option<(Status, String)> {
        let is_exceeded = |used: Option<u64>, limit: Option<u64>| {
            used.zip(limit).is_some_and(|(used, limit)| self.status.is_solved() && used > limit)
        };
        let latest_end = self.time_limit_ns.map(|limit| limit.saturating_add(GRACE_NS));
        let cpu_ns = self.cpu_user_ns.zip(self.cpu_sys_ns).map(|(user, system)| user.saturating_add(system));
        if is_exceeded(self.wall_ns, latest_end) {
            Some((Status::Timeout, LATE_ANSWER_REASON.to_owned()))
        } else if is_exceeded(cpu_ns, self.cpu_limit_ns) {
            Some((Status::Timeout, CPU_LIMIT_REASON.to_owned()))
        } else if is_exceeded(self.peak_rss_bytes, self.memory_limit_bytes) {
            Some((Status::Memout, EXCESS_MEMORY_REASON.to_owned()))
        } else {
            None
        }
    }

    /// Removes the answer and the statistics from the row, and sets its status and the reason of the status.
    pub fn without_answer(self, status: Status, reason: String) -> Self {
        Self {
            status,
            verdict: Verdict::Unchecked,
            outcome_reason: Some(reason),
            verdict_reason: None,
            solutions: None,
            digest: None,
            encode_ns: None,
            solve_ns: None,
            reported_solve_ns: None,
            stats: Statistics::default(),
            program_stats: BTreeMap::new(),
            ..self
        }
    }

    /// The row of a skipped run, for tests: only the fields that identify the run are set.
    #[cfg(test)]
    pub fn skipped(run_id: &str, cell_id: &str, n: usize, goal: Goal, solver: &str) -> Self {
        let defaults = Self { schema_version: super::SCHEMA_VERSION, threads: 1, seed: 1, ..Self::default() };
        let (run_id, cell_id) = (run_id.to_owned(), cell_id.to_owned());
        Self { run_id, cell_id, n, goal, solver: solver.parse().expect("a solver"), ..defaults }
    }

    /// The series that the run belongs to.
    pub fn series(&self) -> SeriesKey<'_> {
        let Self { solver, variant, goal, threads, seed, .. } = self;
        SeriesKey { solver, problem: variant, goal: *goal, threads: *threads, seed: *seed }
    }

    /// The value of a statistic. `name` is the name of the statistic or of its column.
    pub fn statistic(&self, name: &str) -> Option<u64> {
        statistic(&self.stats, &self.program_stats, name)
    }

    /// The time of encoding plus solving; `None` if the solving time was not measured.
    pub fn job_ns(&self) -> Option<u64> {
        Some(self.encode_ns.unwrap_or(0).saturating_add(self.solve_ns?))
    }

    /// Whether the run reached its goal, with an answer that is not wrong.
    pub fn is_answered(&self) -> bool {
        self.status.is_solved() && self.verdict != Verdict::Wrong
    }

    /// The time of encoding plus solving of an answered run.
    pub fn answered_ns(&self) -> Option<u64> {
        if self.is_answered() { self.job_ns() } else { None }
    }

    /// The time after which a limit stopped the run or the solver gave up, a lower bound of the time for an answer. `None` if
    /// neither happened, or if the verdict is `wrong`.
    pub fn stopped_ns(&self) -> Option<u64> {
        let is_unanswered = self.status.is_limit() || self.status == Status::Unknown;
        let is_stopped = is_unanswered && self.verdict != Verdict::Wrong;
        // A limit of CPU time or memory may stop a run before its limit of wall time.
        is_stopped.then(|| [self.time_limit_ns, self.wall_ns].into_iter().flatten().min().unwrap_or(0))
    }

    /// The time of encoding and solving in nanoseconds. The time is censored if a limit stopped the run or the solver gave up.
    /// `None` for other runs without an answer.
    pub fn time(&self) -> Option<Time> {
        self.stopped_ns().map(Time::Censored).or(self.answered_ns().map(Time::Exact))
    }

    /// Whether the run may be attempted again: it has no answer, and it was not ended because of a wrong answer.
    pub fn is_repeatable(&self) -> bool {
        !self.status.is_solved() && !self.verdict.is_fault()
    }

    /// Whether this is a later attempt at the run.
    pub fn is_repeated(&self) -> bool {
        self.attempt > Some(1)
    }

    /// Whether another run replaced this run, because other processes disturbed it.
    pub fn is_replaced(&self) -> bool {
        self.disturbed == Some(Disturbed::Replaced)
    }

    /// The reason of the verdict, or else of the status.
    pub fn reason(&self) -> Option<&str> {
        self.verdict_reason.as_deref().or(self.outcome_reason.as_deref())
    }

    /// Whether this is a timed run, solved or not, that was neither skipped nor replaced.
    pub fn is_timed(&self) -> bool {
        self.kind == Kind::Timed && !self.is_replaced() && self.status != Status::Skipped
    }
}

table! {
    /// A row of `levels.csv`: one level of the search tree of a full enumeration.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    LevelRow in "levels.csv" {
        schema_version: u32,
        cell_id: String,
        n: usize,
        variant: ProblemRef,
        solver: SolverRef,
        level: usize,
        nodes: u64,
        dead_ends: u64,
        expected_nodes: Option<u64>,
        expected_source: Option<String>,
    }
}

table! {
    /// A row of `crosscheck.csv`: the answer of a solver compared with another answer, with the definition or with a
    /// published value.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    CrosscheckRow in "crosscheck.csv" {
        schema_version: u32,
        n: usize,
        variant: ProblemRef,
        goal: Goal,
        solver: SolverRef,
        against: ComparedWith,
        solutions: u64,
        digest: Option<String>,
        agrees: bool,
        missing: Option<u64>,
        extra: Option<u64>,
        illegal: Option<u64>,
        duplicates: Option<u64>,
        first_difference: Option<String>,
    }
}

table! {
    /// A row of `timings.csv`, derived: the times of the timed runs of a cell.
    #[derive(Clone, Debug, Default, PartialEq)]
    TimingsRow in "timings.csv" {
        result: Option<String>,
        n: usize,
        variant: ProblemRef,
        goal: Goal,
        solver: SolverRef,
        threads: usize,
        runs: u64,
        solved: u64,
        timeouts: u64,
        memouts: u64,
        unknown: u64,
        limit_ns: Option<u64>,
        median_ns: Option<u64>,
        mad_ns: Option<u64>,
        min_ns: Option<u64>,
        p25_ns: Option<u64>,
        p75_ns: Option<u64>,
        ci95_low_ns: Option<u64>,
        ci95_high_ns: Option<u64>,
        outliers: Option<u64>,
        par2_ns: Option<u64>,
        mean_ns: Option<u64>,
        sd_ns: Option<u64>,
        cpu_ns: Option<u64>,
        peak_rss_bytes: Option<u64>,
        wrong: u64,
        crashed: u64,
        unreadable: u64,
        disturbed: u64,
        startup_ns: Option<u64>,
        earlier: Option<u64>,
    }

    fn extra_values(&self) -> BTreeMap<String, String> {
        factors_of(&self.solver)
    }
}

table! {
    /// A row of `nodes.csv`, derived: the statistics of a counting run, or the statistics that a program printed.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    NodesRow in "nodes.csv" {
        result: Option<String>,
        n: usize,
        variant: ProblemRef,
        goal: Goal,
        solver: SolverRef,
        threads: usize,
        status: Status,
        solutions: Option<u64>,
        ..stats,
    }

    fn extra_values(&self) -> BTreeMap<String, String> {
        statistics_of(&self.program_stats).collect()
    }
}

impl NodesRow {
    /// The value of a statistic. `name` is the name of the statistic or of its column.
    pub fn statistic(&self, name: &str) -> Option<u64> {
        statistic(&self.stats, &self.program_stats, name)
    }
}

table! {
    /// A row of `claims.csv`, derived: a claim and its verdict.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    ClaimRow in "claims.csv" {
        schema_version: u32,
        result: Option<String>,
        claim: usize,
        says: String,
        source: Option<String>,
        measure: String,
        of: SolverRef,
        compared_with: Option<String>,
        n: String,
        observed: Option<String>,
        bound: String,
        verdict: ClaimVerdict,
        counterexample: Option<String>,
        caveat: Option<String>,
        stated: Option<Stated>,
    }
}
