use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Barrier, Condvar, Mutex};

use timestats::Time;

use super::*;
use crate::finished::RunOutcome;
use crate::plan::{PlannedCell, Schedule};
use crate::repeat::Repeat;

/// The row of a run with a scripted result.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    id: String,
    size: u64,
    run: Run,
    attempt: u32,
    outcome: RunOutcome,
    time: Option<Time>,
    /// The smaller sizes whose timeouts caused the run to be skipped.
    skipped_after: Vec<u64>,
    is_replaced: bool,
}

impl FinishedRun for Row {
    fn run_id(&self) -> &str {
        &self.id
    }

    fn outcome(&self) -> RunOutcome {
        self.outcome
    }

    fn time(&self) -> Option<Time> {
        self.time
    }

    fn wall(&self) -> Duration {
        Duration::from_millis(5)
    }

    fn is_replaced(&self) -> bool {
        self.is_replaced
    }
}

type Measured = (RunOutcome, Option<Time>);

const ANSWERED: Option<Measured> = Some((RunOutcome::Answered, Some(Time::Exact(1000))));
const TIMED_OUT: Option<Measured> = Some((RunOutcome::TimedOut, Some(Time::Censored(10_000))));

/// An executor that returns scripted results, without processes.
struct ScriptedExecutor<'p, F>(&'p RunPlan, F);

impl<F: FnMut(&PlannedCell, Kind) -> Option<Measured> + Send> Executor for ScriptedExecutor<'_, F> {
    type Measured = Measured;

    fn run(&mut self, cell: usize, kind: Kind, _: &AtomicBool) -> io::Result<Option<Measured>> {
        Ok((self.1)(&self.0.cells[cell], kind))
    }
}

/// A recorder that keeps rows in memory.
struct MemoryRecorder<'p> {
    plan: &'p RunPlan,
    rows: Vec<Row>,
    /// Whether other processes disturb the run with this number, from 1.
    is_disturbed: fn(usize) -> bool,
}

impl Recorder<Measured> for MemoryRecorder<'_> {
    type Row = Row;
    type Error = Infallible;

    fn record(&mut self, ended: EndedRun<'_, Measured>) -> Result<Row, Infallible> {
        let EndedRun { run, attempt, result, .. } = ended;
        let ((outcome, time), skipped_after) = match result {
            RunResult::Measured(measured) => (measured, Vec::new()),
            RunResult::Skipped(_) => ((RunOutcome::Skipped, None), Vec::new()),
            RunResult::SkippedAfterTimeouts(sizes) => ((RunOutcome::Skipped, None), sizes.to_vec()),
        };
        let is_replaced =
            (self.is_disturbed)(self.rows.len() + 1) && run.is_replaceable(self.plan.schedule.repeat);
        let (id, size) = (self.plan.run_id(run), self.plan.cell(run).size);
        let row = Row { id, size, run: run.clone(), attempt, outcome, time, skipped_after, is_replaced };
        self.rows.push(row.clone());
        Ok(row)
    }
}

/// The rows that an interrupted experiment has written.
#[derive(Debug, PartialEq)]
struct InterruptedRows(Vec<Row>);

/// Executes the runs of a plan that have no row in `earlier_rows`. Returns all rows, in the order of the plan.
fn resume<F: FnMut(&PlannedCell, Kind) -> Option<Measured> + Send>(
    plan: &RunPlan,
    earlier_rows: Vec<Row>,
    executors: &mut [ScriptedExecutor<'_, F>],
) -> Result<Vec<Row>, InterruptedRows> {
    let mut history = History::new(plan, earlier_rows);
    let mut memory = MemoryRecorder { plan, rows: Vec::new(), is_disturbed: |_| false };
    let is_complete =
        execute(plan, &mut history, executors, &mut memory, &AtomicBool::new(false), &mut |_| {})
            .expect("runs");
    let mut rows = history.into_rows();
    assert!(rows.ends_with(&memory.rows));
    if !is_complete {
        return Err(InterruptedRows(rows));
    }
    let indices: HashMap<String, usize> = plan.runs.iter().map(|run| plan.run_id(run)).zip(0..).collect();
    rows.sort_by_key(|row| indices[&row.id]);
    Ok(rows)
}

fn rows(plan: &RunPlan, script: impl FnMut(&PlannedCell, Kind) -> Option<Measured> + Send) -> Vec<Row> {
    resume(plan, Vec::new(), &mut [ScriptedExecutor(plan, script)]).expect("no interruption")
}

fn plan(sizes: std::ops::RangeInclusive<u64>, schedule: Schedule) -> RunPlan {
    let cell =
        |size| PlannedCell { is_counted: true, ..PlannedCell::new(format!("s{size}")).in_series("s", size) };
    RunPlan::new(sizes.map(cell).collect(), schedule)
}

fn schedule_with_runs(number: u32) -> Schedule {
    Schedule { repeat: Repeat::times(number), seed: 1, ..Schedule::default() }
}

#[test]
fn resume_executes_only_unfinished_runs() {
    let plan = plan(4..=6, schedule_with_runs(3));
    let mut calls = 0;
    let interrupted = resume(
        &plan,
        Vec::new(),
        &mut [ScriptedExecutor(&plan, |_: &PlannedCell, _| {
            calls += 1;
            if calls == 6 { None } else { ANSWERED }
        })],
    );
    let Err(InterruptedRows(earlier_rows)) = interrupted else { panic!("interrupted at the sixth run") };
    assert_eq!(History::new(&plan, earlier_rows.clone()).done(&plan), 5);
    let mut resumed_calls = 0;
    let rows_of_both_sessions = resume(
        &plan,
        earlier_rows,
        &mut [ScriptedExecutor(&plan, |_: &PlannedCell, _| {
            resumed_calls += 1;
            ANSWERED
        })],
    );
    assert_eq!(
        (rows_of_both_sessions.expect("complete"), resumed_calls),
        (rows(&plan, |_, _| ANSWERED), plan.runs.len() - 5)
    );
}

#[test]
fn rows_of_retried_runs_are_kept_but_unused() {
    let plan = plan(4..=6, Schedule { stop_after_timeouts: Some(1), ..schedule_with_runs(1) });
    let earlier_rows = rows(&plan, |cell, _| if cell.size == 5 { TIMED_OUT } else { ANSWERED });
    let count_rows = |rows: &[Row], outcome| rows.iter().filter(|row| row.outcome == outcome).count();
    assert_eq!(
        [RunOutcome::TimedOut, RunOutcome::Skipped].map(|outcome| count_rows(&earlier_rows, outcome)),
        [2, 2]
    );
    let mut history = History::new(&plan, earlier_rows.clone());
    let selected_outcomes = [RunOutcome::TimedOut, RunOutcome::Skipped];
    assert_eq!(history.retry(|row| selected_outcomes.contains(&row.outcome)), 4);
    assert_eq!(history.done(&plan), 2);
    let mut memory = MemoryRecorder { plan: &plan, rows: Vec::new(), is_disturbed: |_| false };
    let executors = &mut [ScriptedExecutor(&plan, |_: &PlannedCell, _| ANSWERED)];
    let is_complete =
        execute(&plan, &mut history, executors, &mut memory, &AtomicBool::new(false), &mut |_| {});
    assert!(is_complete.expect("runs") && history.done(&plan) == plan.runs.len());
    assert_eq!(history.rows()[..6], earlier_rows, "all attempts are kept");
    let new_rows = &history.rows()[6..];
    assert!(
        new_rows.iter().all(|row| row.attempt == 2 && row.outcome == RunOutcome::Answered),
        "{new_rows:?}"
    );
    // The last attempts are also used if the rows are read again.
    let mut reread_history = History::new(&plan, history.into_rows());
    assert_eq!(reread_history.retry(|row| row.outcome != RunOutcome::Answered), 0);
}

#[test]
fn parallel_runs_give_same_rows_without_overlapping_rounds() {
    let plan = plan(4..=9, Schedule { warmup: 1, ..schedule_with_runs(3) });
    let sequential_rows = rows(&plan, |_, _| ANSWERED);
    // The second run waits until three runs have begun, so that three runs are active at once. The first run waits until four
    // runs have begun, so that the runs end in another order than they begin.
    let (begun_runs, change_event) = (Mutex::new(0), Condvar::new());
    let ids = [0, 1].map(|run| plan.cell(&plan.runs[run]).id.clone());
    let awaited_numbers = Mutex::new(ids.into_iter().zip([4, 3]).collect::<HashMap<_, _>>());
    let script = |cell: &PlannedCell, _| {
        let awaited_number = awaited_numbers.lock().expect("no panic").remove(&cell.id).unwrap_or(0);
        let mut number = begun_runs.lock().expect("no panic");
        *number += 1;
        change_event.notify_all();
        let wait_result = change_event
            .wait_timeout_while(number, Duration::from_secs(600), |number| *number < awaited_number);
        assert!(!wait_result.expect("no panic").1.timed_out(), "there are never three active runs");
        ANSWERED
    };
    let mut history = History::new(&plan, Vec::new());
    let mut memory = MemoryRecorder { plan: &plan, rows: Vec::new(), is_disturbed: |_| false };
    let mut executors = [(); 3].map(|()| ScriptedExecutor(&plan, script));
    let cancel = AtomicBool::new(false);
    let is_complete = execute(&plan, &mut history, &mut executors, &mut memory, &cancel, &mut |_| {});
    assert!(is_complete.expect("runs"));
    let written_rows = memory.rows;
    assert!(
        written_rows.is_sorted_by_key(|row| row.run.round),
        "a round began before the previous round had ended"
    );
    assert!(!written_rows.iter().map(|row| &row.id).eq(sequential_rows.iter().map(|row| &row.id)));
    let sorted_rows = resume(
        &plan,
        written_rows,
        &mut [ScriptedExecutor(&plan, |_: &PlannedCell, _| -> Option<Measured> {
            panic!("all runs are done")
        })],
    );
    assert_eq!(sorted_rows, Ok(sequential_rows));
}

#[test]
fn interruption_preserves_finished_results_of_other_jobs() {
    let plan = plan(4..=6, schedule_with_runs(3));
    let barrier = Barrier::new(3);
    let script = |cell: &PlannedCell, _| {
        barrier.wait();
        if cell.size == 4 { None } else { ANSWERED }
    };
    let result = resume(&plan, Vec::new(), &mut [(); 3].map(|()| ScriptedExecutor(&plan, script)));
    let Err(InterruptedRows(written_rows)) = result else { panic!("interrupted") };
    let mut sizes: Vec<u64> = written_rows.iter().map(|row| row.size).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [5, 6]);
}

#[test]
fn run_that_cannot_start_ends_the_experiment() {
    struct BrokenExecutor;
    impl Executor for BrokenExecutor {
        type Measured = Measured;

        fn run(&mut self, _: usize, _: Kind, _: &AtomicBool) -> io::Result<Option<Measured>> {
            Err(io::ErrorKind::NotFound.into())
        }
    }
    let plan = plan(4..=6, schedule_with_runs(1));
    let mut history = History::new(&plan, Vec::new());
    let mut memory = MemoryRecorder { plan: &plan, rows: Vec::new(), is_disturbed: |_| false };
    let cancel = AtomicBool::new(false);
    let result = execute(&plan, &mut history, &mut [BrokenExecutor], &mut memory, &cancel, &mut |_| {});
    assert!(matches!(result, Err(ExecuteError::Start(error)) if error.kind() == io::ErrorKind::NotFound));
    assert!(cancel.load(Ordering::Relaxed) && memory.rows.is_empty());
}

#[test]
fn events_are_sent_for_every_run() {
    let mut plan =
        plan(4..=6, Schedule { repeat: Repeat { maximum: 8, until: Some(2.0) }, ..schedule_with_runs(1) });
    plan.cells[0].skip = Some("no".to_owned());
    let plan = RunPlan::new(plan.cells, plan.schedule);
    let mut history = History::new(&plan, Vec::new());
    let mut memory = MemoryRecorder { plan: &plan, rows: Vec::new(), is_disturbed: |_| false };
    let mut counts = [0; 4];
    let mut observe = |event: RunEvent<'_, Row>| match event {
        RunEvent::Begins { done, .. } => counts[0] += 1 + done,
        RunEvent::RunBegins { .. } => counts[1] += 1,
        RunEvent::RunNotNeeded { .. } => counts[2] += 1,
        RunEvent::RunEnds { run, row } => {
            assert_eq!(*run, row.run);
            counts[3] += 1;
        }
    };
    let executors = &mut [ScriptedExecutor(&plan, |_: &PlannedCell, _| ANSWERED)];
    let cancel = AtomicBool::new(false);
    assert!(execute(&plan, &mut history, executors, &mut memory, &cancel, &mut observe).expect("runs"));
    // The rows are those of one skipped cell, of two counting runs, and of six timed runs of each of two cells. The other two timed
    // runs of each cell are not needed.
    assert_eq!(counts, [1, 15, 4, 15]);
}

/// For each round, the sizes that were run and the sizes that were skipped.
fn sizes_by_round(rows: &[Row]) -> Vec<(Vec<u64>, Vec<u64>)> {
    let rounds = rows.iter().map(|row| row.run.round).max().unwrap_or(0);
    let sizes = |round: u32, is_skipped: bool| {
        let rows = rows.iter().filter(|row| row.run.round == round);
        let rows = rows.filter(|row| (row.outcome == RunOutcome::Skipped) == is_skipped);
        let mut sizes: Vec<u64> = rows.map(|row| row.size).collect();
        sizes.sort_unstable();
        sizes
    };
    (0..=rounds).map(|round| (sizes(round, false), sizes(round, true))).collect()
}

fn schedule_with_skips(repeat: u32, timeouts: usize) -> Schedule {
    Schedule { stop_after_timeouts: Some(timeouts), ..schedule_with_runs(repeat) }
}

#[test]
fn timeouts_at_consecutive_sizes_skip_larger_sizes() {
    let plan = plan(4..=9, schedule_with_skips(3, 2));
    // The answer at size 6 resets the count of timeouts, so that the timeout at size 5 is not counted.
    let rows = rows(&plan, |cell, kind| {
        let first_timeout = if kind == Kind::Counting { 7 } else { 8 };
        if cell.size == 5 || cell.size >= first_timeout { TIMED_OUT } else { ANSWERED }
    });
    let sizes_of_round =
        |run: std::ops::RangeInclusive<u64>, skipped: &[u64]| (run.collect(), skipped.to_vec());
    let timed_round = sizes_of_round(4..=9, &[]);
    let expected_rounds =
        [sizes_of_round(4..=8, &[9]), timed_round.clone(), timed_round.clone(), timed_round];
    assert_eq!(sizes_by_round(&rows), expected_rounds);
    let reasons: Vec<&[u64]> =
        rows.iter().map(|row| &row.skipped_after[..]).filter(|s| !s.is_empty()).collect();
    assert_eq!(reasons, [[7, 8]]);
}

#[test]
fn skipped_sizes_are_skipped_in_later_rounds_too() {
    let plan = plan(4..=9, schedule_with_skips(3, 1));
    // Size 6 has a timeout only in the second timed round. Sizes 7 and larger are also skipped in the third timed round.
    let mut attempts: HashMap<(u64, bool), usize> = HashMap::new();
    let rows = rows(&plan, |cell, kind| {
        let attempt = attempts.entry((cell.size, kind == Kind::Counting)).or_default();
        *attempt += 1;
        if kind == Kind::Timed && cell.size == 6 && *attempt == 2 { TIMED_OUT } else { ANSWERED }
    });
    let round_without_skips = ((4..=9).collect::<Vec<_>>(), vec![]);
    let round_with_skips = (vec![4, 5, 6], vec![7, 8, 9]);
    assert_eq!(
        sizes_by_round(&rows),
        [round_without_skips.clone(), round_without_skips, round_with_skips.clone(), round_with_skips]
    );
}

#[test]
fn skipped_sizes_depend_neither_on_interruptions_nor_jobs() {
    let plan = plan(4..=9, schedule_with_skips(2, 2));
    let result = |cell: &PlannedCell| if [4, 6, 7, 9].contains(&cell.size) { TIMED_OUT } else { ANSWERED };
    let uninterrupted_rows = rows(&plan, |cell, _| result(cell));
    assert_eq!(sizes_by_round(&uninterrupted_rows)[2], (vec![4, 5, 6, 7], vec![8, 9]));
    for jobs in 1..=4 {
        for interrupted_at in 1..=uninterrupted_rows.len() {
            let calls = Mutex::new(0);
            let script = |cell: &PlannedCell, _| {
                let mut calls = calls.lock().expect("no panic");
                *calls += 1;
                if *calls == interrupted_at { None } else { result(cell) }
            };
            let execute_rest = |earlier_rows| {
                let mut executors: Vec<_> = (0..jobs).map(|_| ScriptedExecutor(&plan, &script)).collect();
                resume(&plan, earlier_rows, &mut executors)
            };
            let rows = execute_rest(Vec::new()).or_else(|InterruptedRows(rows)| execute_rest(rows));
            assert_eq!(
                rows.as_ref(),
                Ok(&uninterrupted_rows),
                "{jobs} jobs, interrupted at {interrupted_at}"
            );
        }
    }
}

const UNTIL_2_PERCENT: Repeat = Repeat { maximum: 20, until: Some(2.0) };

/// A script with varying times for the warm-up run and the first two timed runs of size 5, and with timeouts at size 6. The run
/// with the number `interrupted_at`, from 1, is interrupted.
fn varying_times(interrupted_at: usize) -> impl Fn(&PlannedCell, Kind) -> Option<Measured> + Send + Sync {
    let state = Mutex::new((0, HashMap::<(u64, bool), u64>::new()));
    move |cell, kind| {
        let mut state = state.lock().expect("no panic");
        state.0 += 1;
        if state.0 == interrupted_at {
            return None;
        }
        let repetition = state.1.entry((cell.size, kind == Kind::Counting)).or_default();
        *repetition += 1;
        let time = match (cell.size, kind, *repetition) {
            (5, Kind::Warmup | Kind::Timed, repetition @ 1..=3) => 1000 + 100 * repetition,
            _ => 1000,
        };
        if cell.size < 6 { Some((RunOutcome::Answered, Some(Time::Exact(time)))) } else { TIMED_OUT }
    }
}

/// The repetitions of the timed runs of each size.
fn repetitions(rows: &[Row]) -> Vec<(u64, Vec<u32>)> {
    let timed_runs =
        |size: u64| rows.iter().filter(move |row| row.size == size && row.run.kind == Kind::Timed);
    (4..=6).map(|size| (size, timed_runs(size).map(|row| row.run.repetition).collect())).collect()
}

#[test]
fn cells_are_repeated_until_their_median_is_precise() {
    let plan = |repeat| plan(4..=6, Schedule { repeat, warmup: 1, ..schedule_with_runs(1) });
    let plan_until = plan(UNTIL_2_PERCENT);
    let rows_until = rows(&plan_until, varying_times(0));
    let repetitions_up_to = |last: u32| (1..=last).collect::<Vec<_>>();
    // Two timed runs of size 5 are longer than the other runs, so that the interval is not narrow before twelve runs.
    assert_eq!(
        repetitions(&rows_until),
        [(4, repetitions_up_to(6)), (5, repetitions_up_to(12)), (6, repetitions_up_to(6))]
    );
    assert_eq!(plan_until.runs.len(), 3 + 3 * 21);
    let history = History::new(&plan_until, rows_until);
    assert_eq!(history.done(&plan_until), plan_until.runs.len());
    let plan_with_maximum = plan(Repeat { maximum: 7, ..UNTIL_2_PERCENT });
    assert_eq!(
        repetitions(&rows(&plan_with_maximum, varying_times(0)))[1],
        (5, repetitions_up_to(7)),
        "at most seven runs"
    );
}

#[test]
fn precise_cells_depend_neither_on_interruptions_nor_jobs() {
    let plan = plan(4..=6, Schedule { repeat: UNTIL_2_PERCENT, warmup: 1, ..schedule_with_runs(1) });
    let uninterrupted_rows = rows(&plan, varying_times(0));
    for interrupted_at in 1..=uninterrupted_rows.len() {
        let script = varying_times(interrupted_at);
        let Err(InterruptedRows(earlier_rows)) =
            resume(&plan, Vec::new(), &mut [ScriptedExecutor(&plan, &script)])
        else {
            panic!("interrupted at {interrupted_at}")
        };
        assert_eq!(earlier_rows.len(), interrupted_at - 1);
        let rows = resume(&plan, earlier_rows, &mut [ScriptedExecutor(&plan, &script)]);
        assert_eq!(rows.as_ref(), Ok(&uninterrupted_rows), "interrupted at {interrupted_at}");
    }
    let script = varying_times(0);
    let rows_of_three_jobs =
        resume(&plan, Vec::new(), &mut [(); 3].map(|()| ScriptedExecutor(&plan, &script)));
    assert_eq!(rows_of_three_jobs.expect("no interruption"), uninterrupted_rows);
}

#[test]
fn disturbed_runs_are_replaced_up_to_the_maximum() {
    let replaced_runs = |maximum, until, is_disturbed: fn(usize) -> bool| {
        let schedule = Schedule { repeat: Repeat { maximum, until }, ..schedule_with_runs(1) };
        let plan = plan(8..=8, schedule);
        let mut history = History::new(&plan, Vec::new());
        let mut memory = MemoryRecorder { plan: &plan, rows: Vec::new(), is_disturbed };
        let executors = &mut [ScriptedExecutor(&plan, |_: &PlannedCell, _| ANSWERED)];
        let cancel = AtomicBool::new(false);
        execute(&plan, &mut history, executors, &mut memory, &cancel, &mut |_| {}).expect("runs");
        memory.rows[1..].iter().map(|row| row.is_replaced).collect::<Vec<_>>()
    };
    // Row 1 is the row of the counting run.
    assert_eq!(replaced_runs(3, None, |row| row == 3), [false; 3]);
    let [o, x] = [false, true];
    assert_eq!(replaced_runs(9, Some(2.0), |row| row == 3 || row == 5), [o, x, o, x, o, o, o, o]);
    assert_eq!(replaced_runs(6, Some(2.0), |_| true), [x, x, x, x, x, o]);
}
