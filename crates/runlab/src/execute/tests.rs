use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Barrier, Condvar, Mutex};

use timestats::Time;

use super::*;
use crate::finished::RunOutcome;
use crate::plan::{PlannedCell, Schedule};
use crate::repeat::Repeat;

/// What a scripted run returns, and how it is recorded.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    id: String,
    size: u64,
    run: Run,
    attempt: u32,
    outcome: RunOutcome,
    time: Option<Time>,
    /// The smaller sizes whose timeouts skipped it.
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

/// Returns scripted results and starts nothing.
struct Scripted<'p, F>(&'p RunPlan, F);

impl<F: FnMut(&PlannedCell, Kind) -> Option<Measured> + Send> Executor for Scripted<'_, F> {
    type Measured = Measured;

    fn run(&mut self, cell: usize, kind: Kind, _: &AtomicBool) -> io::Result<Option<Measured>> {
        Ok((self.1)(&self.0.cells[cell], kind))
    }
}

/// Keeps rows in memory: those that were written would be read after a crash.
struct Memory<'p> {
    plan: &'p RunPlan,
    rows: Vec<Row>,
    is_disturbed: fn(usize) -> bool,
}

impl Recorder<Measured> for Memory<'_> {
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

#[derive(Debug, PartialEq)]
struct Interrupted(Vec<Row>);

/// The rows of a plan in its order, after earlier ones.
fn resume<F: FnMut(&PlannedCell, Kind) -> Option<Measured> + Send>(
    plan: &RunPlan,
    earlier: Vec<Row>,
    executors: &mut [Scripted<'_, F>],
) -> Result<Vec<Row>, Interrupted> {
    let mut history = History::new(plan, earlier);
    let mut memory = Memory { plan, rows: Vec::new(), is_disturbed: |_| false };
    let complete = execute(plan, &mut history, executors, &mut memory, &AtomicBool::new(false), &mut |_| {})
        .expect("runs");
    let mut rows = history.into_rows();
    assert!(rows.ends_with(&memory.rows));
    if !complete {
        return Err(Interrupted(rows));
    }
    let places: HashMap<String, usize> = plan.runs.iter().map(|run| plan.run_id(run)).zip(0..).collect();
    rows.sort_by_key(|row| places[&row.id]);
    Ok(rows)
}

fn rows(plan: &RunPlan, script: impl FnMut(&PlannedCell, Kind) -> Option<Measured> + Send) -> Vec<Row> {
    resume(plan, Vec::new(), &mut [Scripted(plan, script)]).expect("no interruption")
}

fn plan(sizes: std::ops::RangeInclusive<u64>, schedule: Schedule) -> RunPlan {
    let cell =
        |size| PlannedCell { is_counted: true, ..PlannedCell::new(format!("s{size}")).in_series("s", size) };
    RunPlan::new(sizes.map(cell).collect(), schedule)
}

fn times(number: u32) -> Schedule {
    Schedule { repeat: Repeat::times(number), seed: 1, ..Schedule::default() }
}

#[test]
fn resume_skips_finished_runs_and_repeats_none() {
    let plan = plan(4..=6, times(3));
    let mut calls = 0;
    let interrupted = resume(
        &plan,
        Vec::new(),
        &mut [Scripted(&plan, |_: &PlannedCell, _| {
            calls += 1;
            if calls == 6 { None } else { ANSWERED }
        })],
    );
    let Err(Interrupted(earlier)) = interrupted else { panic!("interrupted at the sixth run") };
    assert_eq!(History::new(&plan, earlier.clone()).done(&plan), 5);
    let mut more = 0;
    let all = resume(
        &plan,
        earlier,
        &mut [Scripted(&plan, |_: &PlannedCell, _| {
            more += 1;
            ANSWERED
        })],
    );
    assert_eq!((all.expect("complete"), more), (rows(&plan, |_, _| ANSWERED), plan.runs.len() - 5));
}

#[test]
fn retried_runs_remain_and_the_last_attempt_counts() {
    let plan = plan(4..=6, Schedule { stop_after_timeouts: Some(1), ..times(1) });
    let earlier = rows(&plan, |cell, _| if cell.size == 5 { TIMED_OUT } else { ANSWERED });
    let count = |rows: &[Row], outcome| rows.iter().filter(|row| row.outcome == outcome).count();
    assert_eq!([RunOutcome::TimedOut, RunOutcome::Skipped].map(|outcome| count(&earlier, outcome)), [2, 2]);
    let mut history = History::new(&plan, earlier.clone());
    let selected = [RunOutcome::TimedOut, RunOutcome::Skipped];
    assert_eq!(history.retry(|row| selected.contains(&row.outcome)), 4);
    assert_eq!(history.done(&plan), 2);
    let mut memory = Memory { plan: &plan, rows: Vec::new(), is_disturbed: |_| false };
    let executors = &mut [Scripted(&plan, |_: &PlannedCell, _| ANSWERED)];
    let complete = execute(&plan, &mut history, executors, &mut memory, &AtomicBool::new(false), &mut |_| {});
    assert!(complete.expect("runs") && history.done(&plan) == plan.runs.len());
    assert_eq!(history.rows()[..6], earlier, "all attempts stay");
    let later = &history.rows()[6..];
    assert!(later.iter().all(|row| row.attempt == 2 && row.outcome == RunOutcome::Answered), "{later:?}");
    // Read again, the last attempts count.
    let mut again = History::new(&plan, history.into_rows());
    assert_eq!(again.retry(|row| row.outcome != RunOutcome::Answered), 0);
}

#[test]
fn parallel_runs_give_same_rows_without_overlapping_rounds() {
    let plan = plan(4..=9, Schedule { warmup: 1, ..times(3) });
    let alone = rows(&plan, |_, _| ANSWERED);
    // The second run waits for the beginning of a third one, so that three are active at once; the first run waits for
    // a fourth one, so that runs end in another order than they begin.
    let (begun, changed) = (Mutex::new(0), Condvar::new());
    let ids = [0, 1].map(|run| plan.cell(&plan.runs[run]).id.clone());
    let waits = Mutex::new(ids.into_iter().zip([4, 3]).collect::<HashMap<_, _>>());
    let script = |cell: &PlannedCell, _| {
        let wanted = waits.lock().expect("no panic").remove(&cell.id).unwrap_or(0);
        let mut number = begun.lock().expect("no panic");
        *number += 1;
        changed.notify_all();
        let waited = changed.wait_timeout_while(number, Duration::from_secs(600), |number| *number < wanted);
        assert!(!waited.expect("no panic").1.timed_out(), "not three runs at once");
        ANSWERED
    };
    let mut history = History::new(&plan, Vec::new());
    let mut memory = Memory { plan: &plan, rows: Vec::new(), is_disturbed: |_| false };
    let mut executors = [(); 3].map(|()| Scripted(&plan, script));
    let cancel = AtomicBool::new(false);
    let complete = execute(&plan, &mut history, &mut executors, &mut memory, &cancel, &mut |_| {});
    assert!(complete.expect("runs"));
    let written = memory.rows;
    assert!(
        written.is_sorted_by_key(|row| row.run.round),
        "a round began before the one before it had ended"
    );
    assert!(!written.iter().map(|row| &row.id).eq(alone.iter().map(|row| &row.id)));
    let together = resume(
        &plan,
        written,
        &mut [Scripted(&plan, |_: &PlannedCell, _| -> Option<Measured> { panic!("all runs are done") })],
    );
    assert_eq!(together, Ok(alone));
}

#[test]
fn interruption_preserves_finished_results_of_other_jobs() {
    let plan = plan(4..=6, times(3));
    let all_three = Barrier::new(3);
    let script = |cell: &PlannedCell, _| {
        all_three.wait();
        if cell.size == 4 { None } else { ANSWERED }
    };
    let ended = resume(&plan, Vec::new(), &mut [(); 3].map(|()| Scripted(&plan, script)));
    let Err(Interrupted(written)) = ended else { panic!("interrupted") };
    let mut sizes: Vec<u64> = written.iter().map(|row| row.size).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [5, 6]);
}

#[test]
fn run_that_cannot_start_ends_the_experiment() {
    struct Broken;
    impl Executor for Broken {
        type Measured = Measured;

        fn run(&mut self, _: usize, _: Kind, _: &AtomicBool) -> io::Result<Option<Measured>> {
            Err(io::ErrorKind::NotFound.into())
        }
    }
    let plan = plan(4..=6, times(1));
    let mut history = History::new(&plan, Vec::new());
    let mut memory = Memory { plan: &plan, rows: Vec::new(), is_disturbed: |_| false };
    let cancel = AtomicBool::new(false);
    let ended = execute(&plan, &mut history, &mut [Broken], &mut memory, &cancel, &mut |_| {});
    assert!(matches!(ended, Err(ExecuteError::Start(error)) if error.kind() == io::ErrorKind::NotFound));
    assert!(cancel.load(Ordering::Relaxed) && memory.rows.is_empty());
}

#[test]
fn every_run_has_its_events() {
    let mut plan = plan(4..=6, Schedule { repeat: Repeat { maximum: 8, until: Some(2.0) }, ..times(1) });
    plan.cells[0].skip = Some("no".to_owned());
    let plan = RunPlan::new(plan.cells, plan.schedule);
    let mut history = History::new(&plan, Vec::new());
    let mut memory = Memory { plan: &plan, rows: Vec::new(), is_disturbed: |_| false };
    let mut numbers = [0; 4];
    let mut observe = |event: RunEvent<'_, Row>| match event {
        RunEvent::Begins { done, .. } => numbers[0] += 1 + done,
        RunEvent::RunBegins { .. } => numbers[1] += 1,
        RunEvent::RunNotNeeded { .. } => numbers[2] += 1,
        RunEvent::RunEnds { run, row } => {
            assert_eq!(*run, row.run);
            numbers[3] += 1;
        }
    };
    let executors = &mut [Scripted(&plan, |_: &PlannedCell, _| ANSWERED)];
    let cancel = AtomicBool::new(false);
    assert!(execute(&plan, &mut history, executors, &mut memory, &cancel, &mut observe).expect("runs"));
    // A skipped cell, two counting runs, and six of eight timed runs of two cells.
    assert_eq!(numbers, [1, 15, 4, 15]);
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

fn stopping(repeat: u32, timeouts: usize) -> Schedule {
    Schedule { stop_after_timeouts: Some(timeouts), ..times(repeat) }
}

#[test]
fn timeouts_at_consecutive_sizes_skip_larger_sizes() {
    let plan = plan(4..=9, stopping(3, 2));
    // An answer resets the count of timeouts: the one at size 5 skips nothing.
    let rows = rows(&plan, |cell, kind| {
        let first = if kind == Kind::Counting { 7 } else { 8 };
        if cell.size == 5 || cell.size >= first { TIMED_OUT } else { ANSWERED }
    });
    let of_round = |run: std::ops::RangeInclusive<u64>, skipped: &[u64]| (run.collect(), skipped.to_vec());
    let timed = of_round(4..=9, &[]);
    let expected = [of_round(4..=8, &[9]), timed.clone(), timed.clone(), timed];
    assert_eq!(sizes_by_round(&rows), expected);
    let deciding: Vec<&[u64]> =
        rows.iter().map(|row| &row.skipped_after[..]).filter(|s| !s.is_empty()).collect();
    assert_eq!(deciding, [[7, 8]]);
}

#[test]
fn skipped_sizes_are_skipped_in_later_rounds_too() {
    let plan = plan(4..=9, stopping(3, 1));
    // Size 6 times out in the second timed round only; 7 and larger stay skipped.
    let mut attempts: HashMap<(u64, bool), usize> = HashMap::new();
    let rows = rows(&plan, |cell, kind| {
        let attempt = attempts.entry((cell.size, kind == Kind::Counting)).or_default();
        *attempt += 1;
        if kind == Kind::Timed && cell.size == 6 && *attempt == 2 { TIMED_OUT } else { ANSWERED }
    });
    let all = ((4..=9).collect::<Vec<_>>(), vec![]);
    let some = (vec![4, 5, 6], vec![7, 8, 9]);
    assert_eq!(sizes_by_round(&rows), [all.clone(), all, some.clone(), some]);
}

#[test]
fn skipped_sizes_depend_neither_on_interruptions_nor_jobs() {
    let plan = plan(4..=9, stopping(2, 2));
    let slow = |cell: &PlannedCell| if [4, 6, 7, 9].contains(&cell.size) { TIMED_OUT } else { ANSWERED };
    let whole = rows(&plan, |cell, _| slow(cell));
    assert_eq!(sizes_by_round(&whole)[2], (vec![4, 5, 6, 7], vec![8, 9]));
    for jobs in 1..=4 {
        for interrupted_at in 1..=whole.len() {
            let calls = Mutex::new(0);
            let script = |cell: &PlannedCell, _| {
                let mut calls = calls.lock().expect("no panic");
                *calls += 1;
                if *calls == interrupted_at { None } else { slow(cell) }
            };
            let go = |earlier| {
                let mut executors: Vec<_> = (0..jobs).map(|_| Scripted(&plan, &script)).collect();
                resume(&plan, earlier, &mut executors)
            };
            let rows = go(Vec::new()).or_else(|Interrupted(rows)| go(rows));
            assert_eq!(rows.as_ref(), Ok(&whole), "{jobs} jobs, {interrupted_at}");
        }
    }
}

const UNTIL: Repeat = Repeat { maximum: 20, until: Some(2.0) };

/// A solver whose warm-up and first two timed runs of size 5 vary, and that never answers at size 6; the run with this number, from 1,
/// is interrupted.
fn varying(interrupted_at: usize) -> impl Fn(&PlannedCell, Kind) -> Option<Measured> + Send + Sync {
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
    let of = |size: u64| rows.iter().filter(move |row| row.size == size && row.run.kind == Kind::Timed);
    (4..=6).map(|size| (size, of(size).map(|row| row.run.repetition).collect())).collect()
}

#[test]
fn cells_are_repeated_until_their_median_is_precise() {
    let plan = |repeat| plan(4..=6, Schedule { repeat, warmup: 1, ..times(1) });
    let until = plan(UNTIL);
    let rows_until = rows(&until, varying(0));
    let upto = |last: u32| (1..=last).collect::<Vec<_>>();
    // Two timed runs of size 5 are far from the others, so that its interval is narrow only after twelve runs.
    assert_eq!(repetitions(&rows_until), [(4, upto(6)), (5, upto(12)), (6, upto(6))]);
    assert_eq!(until.runs.len(), 3 + 3 * 21);
    let history = History::new(&until, rows_until);
    assert_eq!(history.done(&until), until.runs.len());
    let few = plan(Repeat { maximum: 7, ..UNTIL });
    assert_eq!(repetitions(&rows(&few, varying(0)))[1], (5, upto(7)), "at most seven runs");
}

#[test]
fn precision_does_not_depend_on_interruptions_or_jobs() {
    let plan = plan(4..=6, Schedule { repeat: UNTIL, warmup: 1, ..times(1) });
    let whole = rows(&plan, varying(0));
    for interrupted_at in 1..=whole.len() {
        let script = varying(interrupted_at);
        let Err(Interrupted(earlier)) = resume(&plan, Vec::new(), &mut [Scripted(&plan, &script)]) else {
            panic!("interrupted at {interrupted_at}")
        };
        assert_eq!(earlier.len(), interrupted_at - 1);
        let rows = resume(&plan, earlier, &mut [Scripted(&plan, &script)]);
        assert_eq!(rows.as_ref(), Ok(&whole), "interrupted at {interrupted_at}");
    }
    let script = varying(0);
    let together = resume(&plan, Vec::new(), &mut [(); 3].map(|()| Scripted(&plan, &script)));
    assert_eq!(together.expect("no interruption"), whole);
}

#[test]
fn disturbed_runs_are_replaced_up_to_the_maximum() {
    let flags = |maximum, until, is_disturbed: fn(usize) -> bool| {
        let schedule = Schedule { repeat: Repeat { maximum, until }, ..times(1) };
        let plan = plan(8..=8, schedule);
        let mut history = History::new(&plan, Vec::new());
        let mut memory = Memory { plan: &plan, rows: Vec::new(), is_disturbed };
        let executors = &mut [Scripted(&plan, |_: &PlannedCell, _| ANSWERED)];
        let cancel = AtomicBool::new(false);
        execute(&plan, &mut history, executors, &mut memory, &cancel, &mut |_| {}).expect("runs");
        memory.rows[1..].iter().map(|row| row.is_replaced).collect::<Vec<_>>()
    };
    // The first row is that of the counting run.
    assert_eq!(flags(3, None, |row| row == 3), [false; 3]);
    let [o, x] = [false, true];
    assert_eq!(flags(9, Some(2.0), |row| row == 3 || row == 5), [o, x, o, x, o, o, o, o]);
    assert_eq!(flags(6, Some(2.0), |_| true), [x, x, x, x, x, o]);
}
