//! Derives `timings.csv` and `nodes.csv` from the rows of `runs.csv`. Both are sorted by n, variant, goal
//! (first, count, enumerate), solver and threads; the order of the runs does not matter.
//!
//! A run is *answered* if it reached its goal and its verdict is not `wrong`. A run that was stopped by a limit or gave up
//! counts as longer than all answered runs. Wrong and crashed runs are included in the number of runs, but not in medians, spreads
//! and minima, because they did not solve the task. Their statistics are not used either. An answer that only disagrees with
//! another solver is used, because it is unknown which of the two is wrong; crosscheck.csv lists both. For PAR-2, a run without
//! an answer counts as twice its limit; PAR-2 is empty if such a run had no limit.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::{ReportRun, rounded};
use crate::model::{Disturbed, Kind, ProblemRef, SolverRef, Status, Verdict};
use crate::record::{NodesRow, Row, TimingsRow};
use crate::solver::Goal;
use plaintext::Escaped;
use timestats::{Sample, Summary, Time, mean};

/// Which measured time of a run is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// The time of encoding and solving, measured by the process of the run.
    #[default]
    Solving,
    /// The wall time of the whole process.
    Wall,
    /// The time that an external program reports; for built-in solvers, the time of encoding and solving.
    Reported,
}

impl Clock {
    /// The time of a run, if it is answered.
    pub fn answered_ns(self, run: &Row) -> Option<u64> {
        match self {
            Self::Solving => run.answered_ns(),
            Self::Wall => run.wall_ns.filter(|_| run.is_answered()),
            Self::Reported if run.solver.starts_programs() => {
                run.reported_solve_ns.filter(|_| run.is_answered())
            }
            Self::Reported => run.answered_ns(),
        }
    }

    /// The time of a run, which is censored if the run was stopped by a limit or gave up. `None` if the run
    /// failed, is wrong or has no such time.
    pub fn time(self, run: &Row) -> Option<Time> {
        run.stopped_ns().map(Time::Censored).or(self.answered_ns(run).map(Time::Exact))
    }
}

/// The key by which the rows of both tables are grouped and sorted: the result, and a [`crate::model::CellKey`] without its seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[expect(missing_docs, reason = "the fields are those of CellKey and Run")]
pub struct ReportCell<'a> {
    pub n: usize,
    #[serde(rename = "variant")]
    pub problem: &'a ProblemRef,
    pub goal: Goal,
    pub solver: &'a SolverRef,
    pub threads: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub result: &'a str,
}

impl<'a> ReportCell<'a> {
    /// The cell of a run.
    pub fn of(&ReportRun { row, result, .. }: &ReportRun<'a>) -> Self {
        let Row { n, variant, goal, solver, threads, .. } = row;
        Self { n: *n, problem: variant, goal: *goal, solver, threads: *threads, result }
    }
}

impl fmt::Display for ReportCell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = if self.problem.is_plain() { String::new() } else { format!("{} ", self.problem) };
        write!(f, "n={} {}{} {}", self.n, Escaped(problem), Escaped(self.solver), self.goal)?;
        if self.threads == 1 { Ok(()) } else { write!(f, " {} threads", self.threads) }
    }
}

/// The runs of each cell.
pub fn cells<'r, 'a: 'r>(
    runs: impl IntoIterator<Item = &'r ReportRun<'a>>,
) -> BTreeMap<ReportCell<'a>, Vec<ReportRun<'a>>> {
    let mut cells: BTreeMap<ReportCell<'a>, Vec<ReportRun<'a>>> = BTreeMap::new();
    for run in runs {
        cells.entry(ReportCell::of(run)).or_default().push(*run);
    }
    cells
}

/// One row for each cell that has a timed run.
pub fn timings<'a>(runs: &[ReportRun<'a>], clock: Clock) -> Vec<(ReportCell<'a>, TimingsRow)> {
    let timed_cells = cells(runs.iter().filter(|run| run.is_timed())).into_iter();
    timed_cells.map(|(cell, runs)| (cell, timings_row(cell, &runs, clock))).collect()
}

fn timings_row(cell: ReportCell<'_>, runs: &[ReportRun<'_>], clock: Clock) -> TimingsRow {
    let count = |is: fn(&Row) -> bool| runs.iter().filter(|run| is(run)).count() as u64;
    let count_with_status = |status| runs.iter().filter(|run| run.status == status).count() as u64;
    let answered_runs = || runs.iter().filter(|run| run.is_answered());
    let times: Sample = runs.iter().filter_map(|run| clock.time(run)).collect();
    let summary = times.summary();
    let exact_time = |time: fn(&Summary) -> Option<Time>| time(summary.as_ref()?)?.exact();
    let timeouts = runs.iter().filter(|run| run.status == Status::Timeout);
    let cpu = |run: &ReportRun<'_>| Some(run.cpu_user_ns?.saturating_add(run.cpu_sys_ns?));
    let startup = |run: &ReportRun<'_>| run.solve_ns?.checked_sub(run.reported_solve_ns?);
    TimingsRow {
        result: Some(cell.result.to_owned()).filter(|result| !result.is_empty()),
        n: cell.n,
        variant: cell.problem.clone(),
        goal: cell.goal,
        solver: cell.solver.clone(),
        threads: cell.threads,
        runs: runs.len() as u64,
        solved: answered_runs().count() as u64,
        timeouts: count_with_status(Status::Timeout),
        memouts: count_with_status(Status::Memout),
        unknown: count_with_status(Status::Unknown),
        limit_ns: timeouts.filter_map(|run| run.stopped_ns()).min(),
        median_ns: exact_time(|times| Some(times.median)),
        mad_ns: times.mad(),
        min_ns: exact_time(|times| Some(times.min)),
        p25_ns: exact_time(|times| Some(times.p25)),
        p75_ns: exact_time(|times| Some(times.p75)),
        ci95_low_ns: exact_time(|times| Some(times.ci95?.0)),
        ci95_high_ns: exact_time(|times| Some(times.ci95?.1)),
        outliers: times.outliers(),
        par2_ns: par2(runs, clock),
        mean_ns: times.mean().map(rounded),
        sd_ns: times.standard_deviation().map(rounded),
        cpu_ns: median(answered_runs().filter_map(cpu)),
        peak_rss_bytes: answered_runs().filter_map(|run| run.peak_rss_bytes).max(),
        wrong: count(|run| run.status.is_solved() && run.verdict == Verdict::Wrong),
        crashed: count_with_status(Status::Crashed),
        unreadable: count_with_status(Status::Unreadable),
        disturbed: count(|run| run.disturbed == Some(Disturbed::Yes)),
        startup_ns: median(answered_runs().filter_map(startup)),
        earlier: Some(runs.iter().filter(|run| run.is_earlier).count() as u64).filter(|&runs| runs > 0),
    }
}

/// The median of values in any order; `None` if there are no values.
pub fn median(values: impl Iterator<Item = u64>) -> Option<u64> {
    values.collect::<Sample>().median()?.exact()
}

/// The mean time in which a run without an answer counts as twice its limit; `None` if a time or a limit is missing.
fn par2(runs: &[ReportRun<'_>], clock: Clock) -> Option<u64> {
    let cost = |run: &ReportRun<'_>| match run.is_answered() {
        true => clock.answered_ns(run),
        false => run.time_limit_ns.map(|limit| limit.saturating_mul(2)),
    };
    let costs: Option<Vec<f64>> = runs.iter().map(|run| Some(cost(run)? as f64)).collect();
    mean(&costs?).map(rounded)
}

/// One row for each cell that has a counting run, or whose program printed statistics. The counts are empty if the run has no
/// answer. If a cell has several such runs, the first one with an answer is used.
pub fn nodes<'a>(runs: &[ReportRun<'a>]) -> Vec<(ReportCell<'a>, NodesRow)> {
    let counting = |run: &&ReportRun<'_>| has_statistics(run) && run.status != Status::Skipped;
    let cells = cells(runs.iter().filter(counting)).into_iter();
    let rows = cells.filter_map(|(cell, runs)| {
        let run = runs.into_iter().min_by_key(|run| (!run.is_answered(), run.repetition, run.seed))?;
        Some((cell, nodes_row(cell, &run)))
    });
    rows.collect()
}

fn nodes_row(cell: ReportCell<'_>, run: &Row) -> NodesRow {
    let row = NodesRow {
        result: Some(cell.result.to_owned()).filter(|result| !result.is_empty()),
        n: cell.n,
        variant: cell.problem.clone(),
        goal: cell.goal,
        solver: cell.solver.clone(),
        threads: cell.threads,
        status: run.status,
        ..NodesRow::default()
    };
    if !run.is_answered() {
        return row;
    }
    NodesRow {
        solutions: run.solutions,
        stats: run.stats.clone(),
        program_stats: run.program_stats.clone(),
        ..row
    }
}

/// Whether a run may have statistics: counting runs have them, and programs may print some in any run.
pub fn has_statistics(run: &Row) -> bool {
    run.kind == Kind::Counting || !run.program_stats.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture::{run, unanswered_run};
    use crate::report::{ReportData, runs};
    use crate::solver::Stat;
    use proptest::prelude::*;

    fn timings(rows: &[Row]) -> Vec<TimingsRow> {
        super::timings(&runs(&ReportData::of_rows(rows).parts), Clock::Solving)
            .into_iter()
            .map(|(_, row)| row)
            .collect()
    }

    fn nodes(rows: &[Row]) -> Vec<NodesRow> {
        super::nodes(&runs(&ReportData::of_rows(rows).parts)).into_iter().map(|(_, row)| row).collect()
    }

    fn timeout(n: usize, solver: &str) -> Row {
        unanswered_run(n, solver, Status::Timeout)
    }

    fn counting_run(n: usize, solver: &str, nodes: u64) -> Row {
        Row { kind: Kind::Counting, stats: [(Stat::Nodes, nodes)].into(), ..run(n, solver, 1) }
    }

    #[test]
    fn timings_exclude_skipped_warmup_and_counting_runs() {
        let skipped_run = Row::skipped("r", "c", 8, Goal::Count, "s");
        let warmup = Row { kind: Kind::Warmup, ..run(8, "s", 900) };
        assert_eq!(timings(&[skipped_run.clone(), warmup.clone(), counting_run(8, "s", 9)]), []);
        let table = timings(&[skipped_run, run(8, "s", 100), warmup, run(8, "s", 300), run(8, "s", 200)]);
        let expected = TimingsRow {
            n: 8,
            variant: "queens".into(),
            goal: Goal::Count,
            solver: "s".into(),
            threads: 1,
            runs: 3,
            solved: 3,
            median_ns: Some(200),
            mad_ns: Some(100),
            min_ns: Some(100),
            p25_ns: Some(150),
            p75_ns: Some(250),
            outliers: Some(0),
            par2_ns: Some(200),
            mean_ns: Some(200),
            sd_ns: Some(100),
            ..TimingsRow::default()
        };
        assert_eq!(table, [expected]);
    }

    /// One of five runs was stopped after 10 µs: the median of all five runs is 8.39 µs, the median of the other four is 8.23 µs.
    #[test]
    fn censored_run_counts_as_longer_than_its_limit() {
        let with_limit = |row: Row| Row { time_limit_ns: Some(10_000), ..row };
        let mut rows = [8410, 7900, 8390, 8070].map(|time| with_limit(run(8, "s", time))).to_vec();
        rows.push(with_limit(timeout(8, "s")));
        let row = &timings(&rows)[0];
        assert_eq!((row.runs, row.solved, row.timeouts, row.limit_ns), (5, 4, 1, Some(10_000)));
        assert_eq!((row.median_ns, row.min_ns, row.p75_ns), (Some(8390), Some(7900), Some(8410)));
        assert_eq!((row.ci95_low_ns, row.ci95_high_ns), (None, None), "five runs have no interval");
        assert_eq!((row.mean_ns, row.sd_ns), (None, None), "a mean needs every time");
        // (8410 + 7900 + 8390 + 8070 + 2 * 10000) / 5
        assert_eq!(row.par2_ns, Some(10_554));
        let six_runs = [&rows[..], &[with_limit(run(8, "s", 8100))]].concat();
        let row_of_six = &timings(&six_runs)[0];
        assert_eq!(
            (row_of_six.ci95_low_ns, row_of_six.ci95_high_ns),
            (Some(7900), None),
            "the interval has no upper end"
        );
        // A crashed run does not count as longer than its limit.
        rows[4] = with_limit(unanswered_run(8, "s", Status::Crashed));
        assert_eq!(timings(&rows)[0].median_ns, Some(8230));
        rows[3] = with_limit(timeout(8, "s"));
        assert_eq!(timings(&rows)[0].median_ns, Some(8400), "three answers, one crash, one timeout");
        rows[2] = with_limit(unanswered_run(8, "s", Status::Memout));
        let row = &timings(&rows)[0];
        assert_eq!((row.median_ns, row.timeouts, row.memouts), (None, 1, 1), "half of four were stopped");
    }

    #[test]
    fn median_is_missing_if_all_runs_time_out() {
        let cpu = Row { wall_ns: Some(600), ..timeout(8, "s") };
        let row = &timings(&[timeout(8, "s"), cpu])[0];
        assert_eq!((row.runs, row.solved, row.timeouts), (2, 0, 2));
        assert_eq!((row.median_ns, row.mad_ns, row.min_ns, row.outliers), (None, None, None, None));
        assert_eq!(row.par2_ns, Some(2000));
        assert_eq!(row.limit_ns, Some(600), "a limit of CPU time stopped it earlier");
    }

    #[test]
    fn timings_by_wall_clock_use_wall_times() {
        let rows = [3, 5, 4].map(|wall| Row { wall_ns: Some(wall), ..run(8, "s", 1) });
        let row = super::timings(&runs(&ReportData::of_rows(&rows).parts), Clock::Wall).remove(0).1;
        assert_eq!((row.median_ns, row.mean_ns, row.par2_ns), (Some(4), Some(4), Some(4)));
    }

    #[test]
    fn wrong_answer_does_not_count_as_solved() {
        let wrong_run = Row { verdict: Verdict::Wrong, ..run(8, "s", 5) };
        let row = &timings(&[run(8, "s", 100), wrong_run])[0];
        assert_eq!((row.runs, row.solved, row.timeouts), (2, 1, 0));
        assert_eq!((row.median_ns, row.min_ns), (Some(100), Some(100)));
        assert_eq!(row.par2_ns, Some(1050));
        let wrong_nodes = nodes(&[Row { verdict: Verdict::Wrong, ..counting_run(8, "s", 9) }]);
        assert_eq!(wrong_nodes[0].stats.get(Stat::Nodes), None);
        let disagreeing_run = Row { verdict: Verdict::Disagree, ..run(8, "s", 5) };
        assert_eq!(timings(&[disagreeing_run])[0].solved, 1);
    }

    #[test]
    fn disturbed_runs_are_counted_and_replaced_runs_excluded() {
        let disturbed_run = |time, disturbed| Row { disturbed: Some(disturbed), ..run(8, "s", time) };
        let rows = [
            disturbed_run(100, Disturbed::No),
            disturbed_run(300, Disturbed::Yes),
            disturbed_run(900, Disturbed::Replaced),
        ];
        let row = &timings(&rows)[0];
        assert_eq!((row.runs, row.disturbed, row.median_ns), (2, 1, Some(200)));
    }

    #[test]
    fn crash_is_neither_solved_nor_a_timeout() {
        let crashed_run = Row { status: Status::Crashed, ..run(8, "s", 5) };
        let row = &timings(&[crashed_run])[0];
        assert_eq!((row.runs, row.solved, row.timeouts, row.median_ns), (1, 0, 0, None));
    }

    #[test]
    fn unsolved_run_without_a_limit_has_no_par2() {
        let without_limit = |row: Row| Row { time_limit_ns: None, ..row };
        assert_eq!(
            timings(&[without_limit(run(8, "s", 100)), without_limit(timeout(8, "s"))])[0].par2_ns,
            None
        );
        assert_eq!(timings(&[without_limit(run(8, "s", 100))])[0].par2_ns, Some(100));
    }

    #[test]
    fn tables_are_sorted_by_n_goal_solver_threads() {
        let rows = [
            Row { threads: 2, ..run(4, "b", 1) },
            run(10, "a", 1),
            run(4, "b", 1),
            Row { goal: Goal::First, ..run(4, "z", 1) },
            Row { goal: Goal::Enumerate, ..run(4, "a", 1) },
            run(4, "a", 1),
        ];
        let order: Vec<_> =
            timings(&rows).into_iter().map(|row| (row.n, row.goal, row.solver, row.threads)).collect();
        let expected = [
            (4, Goal::First, "z", 1),
            (4, Goal::Count, "a", 1),
            (4, Goal::Count, "b", 1),
            (4, Goal::Count, "b", 2),
            (4, Goal::Enumerate, "a", 1),
            (10, Goal::Count, "a", 1),
        ];
        assert_eq!(order, expected.map(|(n, goal, solver, threads)| (n, goal, solver.into(), threads)));
    }

    #[test]
    fn nodes_come_from_counting_runs_with_an_answer() {
        let unfinished_run = Row { status: Status::Timeout, solutions: Some(3), ..counting_run(9, "s", 7) };
        let table = nodes(&[run(8, "s", 100), counting_run(8, "s", 2057), unfinished_run]);
        let row = |n, status, nodes: Option<u64>| {
            let mut row = NodesRow { n, threads: 1, status, ..NodesRow::default() };
            (row.variant, row.goal, row.solver) = ("queens".into(), Goal::Count, "s".into());
            row.stats.set(Stat::Nodes, nodes);
            row
        };
        assert_eq!(table, [row(8, Status::Complete, Some(2057)), row(9, Status::Timeout, None)]);
    }

    #[test]
    fn nodes_have_a_row_for_each_thread_count() {
        let table = nodes(&[
            Row { threads: 4, ..counting_run(8, "s", 9) },
            counting_run(8, "s", 8),
            counting_run(8, "s", 8),
        ]);
        let threads_and_nodes: Vec<_> =
            table.iter().map(|row| (row.threads, row.stats.get(Stat::Nodes))).collect();
        assert_eq!(threads_and_nodes, [(1, Some(8)), (4, Some(9))]);
    }

    #[test]
    fn cpu_time_memory_and_faults_have_columns() {
        let run_with_usage = |cpu: u64, peak: u64| Row {
            cpu_user_ns: Some(cpu),
            cpu_sys_ns: Some(1),
            peak_rss_bytes: Some(peak),
            ..run(8, "s", 100)
        };
        let wrong_run = Row { verdict: Verdict::Wrong, ..run_with_usage(9000, 9000) };
        let unanswered_run = |status| Row { cpu_user_ns: Some(9000), ..unanswered_run(8, "s", status) };
        let rows = [
            run_with_usage(10, 7),
            run_with_usage(30, 5),
            run_with_usage(20, 6),
            wrong_run,
            unanswered_run(Status::Crashed),
            unanswered_run(Status::Unreadable),
        ];
        let row = &timings(&rows)[0];
        assert_eq!((row.cpu_ns, row.peak_rss_bytes), (Some(21), Some(7)));
        assert_eq!((row.runs, row.solved, row.wrong, row.crashed, row.unreadable), (6, 3, 1, 1, 1));
        assert_eq!((row.mean_ns, row.sd_ns), (Some(100), Some(0)));
    }

    proptest! {
        #[test]
        fn derived_tables_do_not_depend_on_run_order(
            runs in prop::collection::vec((4..7_usize, 0..3_u8, 1..1000_u64, 0..4_u8), 0..60),
            turn in any::<prop::sample::Index>(),
        ) {
            let rows: Vec<Row> = runs.iter().enumerate().map(|(seq, &(n, solver, time, kind))| {
                let solver = format!("s{solver}");
                let row = match kind {
                    0 => timeout(n, &solver),
                    1 => counting_run(n, &solver, time),
                    _ => run(n, &solver, time),
                };
                Row { seed: seq as u64, ..row }
            }).collect();
            let mut rotated_rows = rows.clone();
            if !rotated_rows.is_empty() {
                rotated_rows.rotate_left(turn.index(rows.len()));
            }
            prop_assert_eq!(timings(&rotated_rows), timings(&rows));
            prop_assert_eq!(nodes(&rotated_rows), nodes(&rows));
            let counted_runs: u64 = timings(&rows).iter().map(|row| row.runs).sum();
            prop_assert_eq!(counted_runs as usize, rows.iter().filter(|row| row.is_timed()).count());
        }
    }
}
