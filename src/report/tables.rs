//! Derives `timings.csv` and `nodes.csv` from the rows of `runs.csv`. Both are sorted by n, variant, goal
//! (first, count, enumerate), solver and threads; the order of the runs does not matter.
//!
//! A run is *answered* when it reached its goal and its answer is not known to be wrong. The time of a wrong
//! answer is not the time of this job, so wrong answers are treated as in competitions: the run counts as a
//! run but not as solved, it is excluded from median, spread and minimum, and PAR-2 charges twice the limit.
//! Its counters are excluded, too. An answer that only disagrees with another solver is kept: it is not known
//! which of the two is wrong, and crosscheck.csv lists both.
//!
//! `runs` is solved + timeouts + the rest (crashed, out of memory, wrong). PAR-2 stays empty when a
//! run that was not solved had no time limit: there is nothing to double.

use std::collections::BTreeMap;

use super::rounded;
use super::run::Run;
use super::stats::{self, Bootstrap, Scored, Summary};
use crate::record::{NodesRow, Row, Status, TimingsRow, Verdict};
use crate::solver::Goal;

/// The columns by which `timings.csv` is grouped and sorted.
type Cell<'a> = (usize, &'a str, Goal, &'a str, usize);

fn cell(run: &Run) -> Cell<'_> {
    (run.n, &run.variant, run.goal, &run.solver, run.threads)
}

/// One row per n, variant, goal, solver and number of threads that has a timed run.
pub fn timings(runs: &[Run]) -> Vec<TimingsRow> {
    let mut cells: BTreeMap<Cell<'_>, Vec<&Run>> = BTreeMap::new();
    for run in runs.iter().filter(|run| run.is_timed) {
        cells.entry(cell(run)).or_default().push(run);
    }
    let mut bootstrap = Bootstrap::default();
    cells.into_iter().map(|(cell, runs)| timings_row(cell, &runs, &mut bootstrap)).collect()
}

fn timings_row(
    (n, variant, goal, solver, threads): Cell<'_>,
    runs: &[&Run],
    bootstrap: &mut Bootstrap,
) -> TimingsRow {
    let count = |is: fn(&Run) -> bool| runs.iter().filter(|run| is(run)).count() as u64;
    let times: Vec<u64> = runs.iter().filter_map(|run| run.answered_ns).collect();
    let summary = Summary::with(bootstrap, &times);
    let summary = summary.as_ref();
    TimingsRow {
        n,
        variant: variant.to_owned(),
        goal: goal.to_string(),
        solver: solver.to_owned(),
        threads,
        runs: runs.len() as u64,
        solved: count(|run| run.is_answered),
        timeouts: count(|run| run.status == Status::Timeout),
        median_ns: summary.map(|times| times.median),
        mad_ns: summary.and_then(|times| times.mad),
        min_ns: summary.map(|times| times.min),
        p25_ns: summary.map(|times| times.p25),
        p75_ns: summary.map(|times| times.p75),
        ci95_low_ns: summary.and_then(|times| times.ci95).map(|(low, _)| low),
        ci95_high_ns: summary.and_then(|times| times.ci95).map(|(_, high)| high),
        outliers: summary.and_then(|times| times.outliers),
        par2_ns: runs
            .iter()
            .map(|run| scored(run))
            .collect::<Option<Vec<_>>>()
            .and_then(|runs| stats::par2(&runs)),
        mean_ns: stats::mean(&times).map(rounded),
        sd_ns: stats::standard_deviation(&times).map(rounded),
        cpu_ns: median(runs.iter().filter(|run| run.is_answered).filter_map(|run| run.cpu_ns)),
        peak_rss_bytes: runs.iter().filter(|run| run.is_answered).filter_map(|run| run.peak_rss_bytes).max(),
        wrong: count(|run| run.status.is_solved() && run.verdict == Verdict::Wrong),
        crashed: count(|run| run.status == Status::Crashed),
        unreadable: count(|run| run.status == Status::Unreadable),
        disturbed: count(|run| run.is_disturbed),
    }
}

fn median(values: impl Iterator<Item = u64>) -> Option<u64> {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    (!values.is_empty()).then(|| stats::percentile(&values, 50))
}

/// `None` where a time or a limit is missing.
fn scored(run: &Run) -> Option<Scored> {
    if run.is_answered {
        run.answered_ns.map(Scored::Solved)
    } else {
        run.time_limit_ns.map(Scored::Unsolved)
    }
}

/// One row per n, variant, goal, solver and number of threads with an answered counting run. If there are several such
/// runs, the first one is used: the table has no column to distinguish them.
pub fn nodes(runs: &[Run]) -> Vec<NodesRow> {
    let mut counted: Vec<(&Run, &NodesRow)> =
        runs.iter().filter_map(|run| Some((run, run.counts.as_deref()?))).collect();
    counted.sort_by_key(|(run, _)| (cell(run), run.repetition, run.seed));
    counted.dedup_by(|(later, _), (first, _)| cell(later) == cell(first));
    counted.into_iter().map(|(_, counts)| counts.clone()).collect()
}

/// The row of `nodes.csv` of a counting run.
pub(super) fn nodes_row(row: &Row) -> NodesRow {
    NodesRow {
        n: row.n,
        variant: row.variant.clone(),
        goal: row.goal.to_string(),
        solver: row.solver.clone(),
        threads: row.threads,
        solutions: row.solutions,
        stats: row.stats.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Disturbed;
    use crate::report::fixture::{ended, run};
    use crate::solver::Stat;
    use proptest::prelude::*;

    fn timings(rows: &[Row]) -> Vec<TimingsRow> {
        super::timings(&Run::all(rows))
    }

    fn nodes(rows: &[Row]) -> Vec<NodesRow> {
        super::nodes(&Run::all(rows))
    }

    fn timeout(n: usize, solver: &str) -> Row {
        ended(n, solver, Status::Timeout)
    }

    fn counted(n: usize, solver: &str, nodes: u64) -> Row {
        Row { kind: crate::record::Kind::Counting, stats: [(Stat::Nodes, nodes)].into(), ..run(n, solver, 1) }
    }

    #[test]
    fn only_timed_attempts_are_timings() {
        let skipped = Row::skipped("r".into(), "c".into(), 8, Goal::Count, "s".into());
        let warmup = Row { kind: crate::record::Kind::Warmup, ..run(8, "s", 900) };
        assert_eq!(timings(&[skipped.clone(), warmup.clone(), counted(8, "s", 9)]), []);
        let table = timings(&[skipped, run(8, "s", 100), warmup, run(8, "s", 300), run(8, "s", 200)]);
        let expected = TimingsRow {
            n: 8,
            variant: "queens".into(),
            goal: "count".into(),
            solver: "s".into(),
            threads: 1,
            runs: 3,
            solved: 3,
            timeouts: 0,
            median_ns: Some(200),
            mad_ns: Some(100),
            min_ns: Some(100),
            p25_ns: Some(150),
            p75_ns: Some(250),
            ci95_low_ns: None,
            ci95_high_ns: None,
            outliers: Some(0),
            par2_ns: Some(200),
            mean_ns: Some(200),
            sd_ns: Some(100),
            cpu_ns: None,
            peak_rss_bytes: None,
            wrong: 0,
            crashed: 0,
            unreadable: 0,
            disturbed: 0,
        };
        assert_eq!(table, [expected]);
    }

    #[test]
    fn a_timeout_costs_twice_the_limit_and_leaves_the_median_alone() {
        let table = timings(&[run(8, "s", 100), timeout(8, "s"), run(8, "s", 200)]);
        let row = &table[0];
        assert_eq!((row.runs, row.solved, row.timeouts), (3, 2, 1));
        assert_eq!(row.median_ns, Some(150));
        // (100 + 200 + 2 * 1000) / 3 = 766.67
        assert_eq!(row.par2_ns, Some(767));
    }

    #[test]
    fn timeouts_alone_have_no_median() {
        let row = &timings(&[timeout(8, "s"), timeout(8, "s")])[0];
        assert_eq!((row.runs, row.solved, row.timeouts), (2, 0, 2));
        assert_eq!((row.median_ns, row.mad_ns, row.min_ns, row.outliers), (None, None, None, None));
        assert_eq!(row.par2_ns, Some(2000));
    }

    #[test]
    fn a_wrong_answer_is_not_solved_however_fast_it_was() {
        let wrong = Row { verdict: Verdict::Wrong, ..run(8, "s", 5) };
        let row = &timings(&[run(8, "s", 100), wrong])[0];
        assert_eq!((row.runs, row.solved, row.timeouts), (2, 1, 0));
        assert_eq!((row.median_ns, row.min_ns), (Some(100), Some(100)));
        assert_eq!(row.par2_ns, Some(1050));
        assert_eq!(nodes(&[Row { verdict: Verdict::Wrong, ..counted(8, "s", 9) }]), []);
        let disagrees = Row { verdict: Verdict::Disagree, ..run(8, "s", 5) };
        assert_eq!(timings(&[disagrees])[0].solved, 1);
    }

    #[test]
    fn disturbed_runs_are_counted_and_replaced_ones_are_left_out() {
        let with = |time, disturbed| Row { disturbed: Some(disturbed), ..run(8, "s", time) };
        let rows = [with(100, Disturbed::No), with(300, Disturbed::Yes), with(900, Disturbed::Replaced)];
        let row = &timings(&rows)[0];
        assert_eq!((row.runs, row.disturbed, row.median_ns), (2, 1, Some(200)));
    }

    #[test]
    fn a_crash_is_neither_solved_nor_a_timeout_and_its_partial_times_do_not_count() {
        let crashed = Row { status: Status::Crashed, ..run(8, "s", 5) };
        let row = &timings(&[crashed])[0];
        assert_eq!((row.runs, row.solved, row.timeouts, row.median_ns), (1, 0, 0, None));
    }

    #[test]
    fn without_a_limit_there_is_no_par2_for_an_unsolved_run() {
        let unlimited = |row: Row| Row { time_limit_ns: None, ..row };
        assert_eq!(timings(&[unlimited(run(8, "s", 100)), unlimited(timeout(8, "s"))])[0].par2_ns, None);
        assert_eq!(timings(&[unlimited(run(8, "s", 100))])[0].par2_ns, Some(100));
    }

    #[test]
    fn tables_are_sorted_by_n_then_goal_then_solver_then_threads() {
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
            (4, "first", "z", 1),
            (4, "count", "a", 1),
            (4, "count", "b", 1),
            (4, "count", "b", 2),
            (4, "enumerate", "a", 1),
            (10, "count", "a", 1),
        ];
        assert_eq!(
            order,
            expected.map(|(n, goal, solver, threads)| (n, goal.to_owned(), solver.to_owned(), threads))
        );
    }

    #[test]
    fn nodes_come_from_counting_runs_that_were_answered() {
        let unfinished = Row { status: Status::Timeout, ..counted(9, "s", 7) };
        let table = nodes(&[run(8, "s", 100), counted(8, "s", 2057), unfinished]);
        let expected = NodesRow {
            n: 8,
            variant: "queens".into(),
            goal: "count".into(),
            solver: "s".into(),
            stats: [(Stat::Nodes, 2057)].into(),
            threads: 1,
            ..NodesRow::default()
        };
        assert_eq!(table, [expected]);
    }

    #[test]
    fn each_number_of_threads_has_its_nodes() {
        let table =
            nodes(&[Row { threads: 4, ..counted(8, "s", 9) }, counted(8, "s", 8), counted(8, "s", 8)]);
        let found: Vec<_> = table.iter().map(|row| (row.threads, row.stats.get(Stat::Nodes))).collect();
        assert_eq!(found, [(1, Some(8)), (4, Some(9))]);
    }

    #[test]
    fn cpu_time_memory_and_faults_have_columns() {
        let used = |cpu: u64, peak: u64| Row {
            cpu_user_ns: Some(cpu),
            cpu_sys_ns: Some(1),
            peak_rss_bytes: Some(peak),
            ..run(8, "s", 100)
        };
        let wrong = Row { verdict: Verdict::Wrong, ..used(9000, 9000) };
        let ended = |status| Row { cpu_user_ns: Some(9000), ..ended(8, "s", status) };
        let rows =
            [used(10, 7), used(30, 5), used(20, 6), wrong, ended(Status::Crashed), ended(Status::Unreadable)];
        let row = &timings(&rows)[0];
        assert_eq!((row.cpu_ns, row.peak_rss_bytes), (Some(21), Some(7)));
        assert_eq!((row.runs, row.solved, row.wrong, row.crashed, row.unreadable), (6, 3, 1, 1, 1));
        assert_eq!((row.mean_ns, row.sd_ns), (Some(100), Some(0)));
    }

    proptest! {
        #[test]
        fn the_order_of_runs_changes_no_table(
            runs in prop::collection::vec((4..7_usize, 0..3_u8, 1..1000_u64, 0..4_u8), 0..60),
            turn in any::<prop::sample::Index>(),
        ) {
            let rows: Vec<Row> = runs.iter().enumerate().map(|(seq, &(n, solver, time, kind))| {
                let solver = format!("s{solver}");
                let row = match kind {
                    0 => timeout(n, &solver),
                    1 => counted(n, &solver, time),
                    _ => run(n, &solver, time),
                };
                Row { seed: seq as u64, ..row }
            }).collect();
            let mut turned = rows.clone();
            if !turned.is_empty() {
                turned.rotate_left(turn.index(rows.len()));
            }
            prop_assert_eq!(timings(&turned), timings(&rows));
            prop_assert_eq!(nodes(&turned), nodes(&rows));
            let attempted: u64 = timings(&rows).iter().map(|row| row.runs).sum();
            prop_assert_eq!(attempted as usize, rows.iter().filter(|row| row.is_timed()).count());
        }
    }
}
