use std::collections::HashMap;
use std::sync::{Barrier, Condvar, Mutex};

use super::*;
use crate::board::known;
use crate::experiment::reference;
use crate::experiment::stored::{self, of_plan};
use crate::record::{Verdict, table};
use crate::registry::Registry;
use crate::solver::{Level, Stat};
use crate::spec::Spec;

/// An observer that ignores everything.
struct Unobserved;

impl Observer for Unobserved {}

/// A runner that returns scripted answers and starts nothing.
struct Scripted<F>(F);

impl<F: FnMut(&Cell, Kind) -> Option<Attempt>> Runner for Scripted<F> {
    fn run(&mut self, cell: &Cell, kind: Kind, _cancel: &AtomicBool) -> io::Result<Option<Attempt>> {
        let wall = |row: &Row| row.wall_ns.or(Some(5_000_000));
        let timed =
            |attempt: Attempt| Attempt { row: Row { wall_ns: wall(&attempt.row), ..attempt.row }, ..attempt };
        Ok((self.0)(cell, kind).map(timed))
    }
}

fn plan(sweep: &str) -> Plan {
    let text = format!(
        "schema_version = 1\nname = \"t\"\n[sweep]\n{sweep}\n[[solver]]\nid = \"backtrack/bitmask\"\n"
    );
    Plan::new(Spec::parse("t", &text).expect("a spec"), &Registry::builtin()).expect("a plan")
}

fn answered(solutions: u64, digest: Option<String>) -> Option<Attempt> {
    let (solutions, solve_ns) = (Some(solutions), Some(0));
    let row = Row { status: Status::Complete, solutions, solve_ns, digest, ..Row::default() };
    Some(Attempt { row, ..Attempt::default() })
}

fn reported(solutions: u64, digest: &str) -> Option<Attempt> {
    answered(solutions, Some(digest.to_owned()))
}

fn timeout() -> Option<Attempt> {
    Some(Attempt::failed(Status::Timeout, None))
}

/// All solutions.
fn right(n: usize) -> Option<Attempt> {
    reported(known::solutions(n).expect("known"), reference::digest(n).expect("a small board"))
}

#[derive(Debug)]
struct Interrupted;

fn execute_in(
    directory: &std::path::Path,
    plan: &Plan,
    script: impl FnMut(&Cell, Kind) -> Option<Attempt> + Send,
) -> Result<Vec<Row>, Interrupted> {
    execute_side_by_side(directory, plan, &mut [Scripted(script)])
}

fn execute_side_by_side<F: FnMut(&Cell, Kind) -> Option<Attempt> + Send>(
    directory: &std::path::Path,
    plan: &Plan,
    runners: &mut [Scripted<F>],
) -> Result<Vec<Row>, Interrupted> {
    let (mut logs, mut rows, _) = crate::experiment::open(plan, directory, &|_| {}).expect("a directory");
    let executed = execute(plan, &mut rows, &mut logs, runners, &AtomicBool::new(false), &mut Unobserved);
    if executed.expect("it starts") { Ok(of_plan(rows, plan)) } else { Err(Interrupted) }
}

fn rows(plan: &Plan, script: impl FnMut(&Cell, Kind) -> Option<Attempt> + Send) -> Vec<Row> {
    let directory = tempfile::tempdir().expect("temporary directory");
    execute_in(directory.path(), plan, script).expect("no interruption")
}

/// Up to n = 12 the set of solutions is known; above, either of two runs that differ may be right.
#[test]
fn the_right_number_of_wrong_boards_is_wrong_or_above_n_12_a_disagreement() {
    for (n, verdict) in [(8, Verdict::Wrong), (13, Verdict::Disagree)] {
        let plan = plan(&format!("n = \"{n}\"\nrepeat = 1"));
        let solutions = known::solutions(n).expect("known");
        let digest = reference::digest(n).unwrap_or("x");
        let mut rows =
            rows(&plan, |_, kind| reported(solutions, if kind == Kind::Counting { digest } else { "y" }));
        verdict::review(&mut rows, |_| true);
        assert_eq!((rows[0].verdict, rows[1].verdict), (Verdict::Correct, verdict), "n = {n}");
    }
}

#[test]
fn a_first_solution_is_right_exactly_where_one_exists_and_a_board_is_shown() {
    let plan = plan("n = \"2-4\"\ngoal = \"first\"\nrepeat = 1");
    let verdict = |solutions, digest: Option<&str>| {
        let digest = digest.map(str::to_owned);
        let rows = rows(&plan, |_, _| answered(solutions, digest.clone()));
        let statuses: Vec<Status> = rows.iter().map(|row| row.status).collect();
        assert!(statuses.iter().all(|&s| s == if solutions == 0 { Status::Unsat } else { Status::Sat }));
        rows.iter().filter(|row| row.kind == Kind::Counting).map(|row| row.verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdict(0, None), [Verdict::Correct, Verdict::Correct, Verdict::Wrong]);
    assert_eq!(verdict(1, Some("x")), [Verdict::Wrong, Verdict::Wrong, Verdict::Correct]);
    assert_eq!(verdict(1, None), [Verdict::Wrong; 3], "a claim without a board");
}

#[test]
fn resume_skips_finished_runs_and_repeats_none() {
    let plan = plan("n = \"4-6\"");
    let directory = tempfile::tempdir().expect("temporary directory");
    let answer = |cell: &Cell, _| right(cell.key.n);
    let mut calls = 0;
    let interrupted = execute_in(directory.path(), &plan, |cell, kind| {
        calls += 1;
        if calls == 6 { None } else { answer(cell, kind) }
    });
    assert!(interrupted.is_err());
    let mut more = 0;
    let rows = execute_in(directory.path(), &plan, |cell, kind| {
        more += 1;
        answer(cell, kind)
    })
    .expect("goes on");
    assert_eq!((rows.len(), more), (plan.runs.len(), plan.runs.len() - 5));
    let mut ids: Vec<&str> = rows.iter().map(|row| row.run_id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), plan.runs.len());
}

/// The content of a row that does not depend on when the run was made.
fn gist(row: &Row) -> Row {
    Row { started_at: String::new(), ..row.clone() }
}

#[test]
fn parallel_runs_give_the_same_rows_and_rounds_do_not_overlap() {
    let sweep = "n = \"4-9\"\nwarmup = 1";
    let answer = |cell: &Cell, _| right(cell.key.n);
    let alone = rows(&plan(sweep), answer);
    let plan = plan(&format!("{sweep}\njobs = 3"));
    // The second run waits for the beginning of a third one, so that three are active at once; the first run waits for
    // a fourth one, so that runs end in another order than they begin.
    let (begun, changed) = (Mutex::new(0), Condvar::new());
    let ids = [0, 1].map(|run| plan.cells[plan.runs[run].cell].id.clone());
    let waits = Mutex::new(ids.into_iter().zip([4, 3]).collect::<HashMap<_, _>>());
    let script = |cell: &Cell, _| {
        let wanted = waits.lock().expect("no panic").remove(&cell.id).unwrap_or(0);
        let mut number = begun.lock().expect("no panic");
        *number += 1;
        changed.notify_all();
        let waited = changed.wait_timeout_while(number, Duration::from_secs(600), |number| *number < wanted);
        assert!(!waited.expect("no panic").1.timed_out(), "not three runs at once");
        answer(cell, Kind::Timed)
    };
    let directory = tempfile::tempdir().expect("temporary directory");
    let mut runners = [(); 3].map(|()| Scripted(script));
    let together = execute_side_by_side(directory.path(), &plan, &mut runners).expect("no interruption");
    assert!(together.iter().map(gist).eq(alone.iter().map(gist)));
    let (written, _) = table::read::<Row>(directory.path()).expect("rows");
    assert!(written.is_sorted_by_key(|row| row.round), "a round began before the one before it had ended");
    assert!(!written.iter().map(|row| &row.run_id).eq(together.iter().map(|row| &row.run_id)));
}

#[test]
fn an_interruption_keeps_the_results_of_the_other_jobs() {
    let plan = plan("n = \"4-6\"\njobs = 3");
    let directory = tempfile::tempdir().expect("temporary directory");
    let all_three = Barrier::new(3);
    let script = |cell: &Cell, _| {
        all_three.wait();
        match cell.key.n {
            4 => None,
            n => right(n),
        }
    };
    let mut runners = [(); 3].map(|()| Scripted(script));
    let ended = execute_side_by_side(directory.path(), &plan, &mut runners);
    assert!(ended.is_err());
    let (written, _) = table::read::<Row>(directory.path()).expect("rows");
    let sizes: Vec<usize> = written.iter().map(|row| row.n).collect();
    assert!(sizes == [5, 6] || sizes == [6, 5], "{sizes:?}");
}

/// A solver that times out at the scripted sizes in the scripted rounds.
fn timing_out(
    slow: fn(n: usize, counting: bool, attempt: usize) -> bool,
) -> impl FnMut(&Cell, Kind) -> Option<Attempt> + Send {
    let mut attempts: HashMap<String, usize> = HashMap::new();
    move |cell, kind| {
        let counting = kind == Kind::Counting;
        let attempt = attempts.entry(format!("{} {counting}", cell.id)).or_default();
        *attempt += 1;
        if slow(cell.key.n, counting, *attempt) { timeout() } else { right(cell.key.n) }
    }
}

/// For each round, the sizes that were run and the sizes that were skipped.
fn spared(rows: &[Row]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let rounds = rows.iter().map(|row| row.round).max().unwrap_or(0);
    let sizes = |round: u32, skipped: bool| {
        let rows = rows.iter().filter(|row| row.round == round);
        let rows = rows.filter(|row| (row.status == Status::Skipped) == skipped);
        let mut sizes: Vec<usize> = rows.map(|row| row.n).collect();
        sizes.sort_unstable();
        sizes
    };
    (0..=rounds).map(|round| (sizes(round, false), sizes(round, true))).collect()
}

#[test]
fn timeouts_at_consecutive_sizes_skip_larger_sizes() {
    let plan = plan("n = \"4-9\"\nrepeat = 3\nstop_after_timeouts = 2");
    // An answer resets the count of timeouts: the one at n = 5 skips nothing.
    let found = rows(&plan, timing_out(|n, counting, _| n == 5 || n >= if counting { 7 } else { 8 }));
    assert_eq!(found.len(), plan.runs.len());
    let few = |runs: std::ops::RangeInclusive<usize>, spared: &[usize]| (runs.collect(), spared.to_vec());
    let timed = few(4..=9, &[]);
    assert_eq!(spared(&found), [few(4..=8, &[9]), timed.clone(), timed.clone(), timed]);
    let errors: Vec<&str> = found.iter().filter_map(|row| row.reason()).collect();
    let [error] = errors[..] else { panic!("one skipped size: {errors:?}") };
    assert!(error.contains("n = 7, 8") && error.contains("stop_after_timeouts = 2"), "{error}");
    wording::assert_wording!("runner", "skipped after timeouts", error);
    assert_eq!(Faults::of(&found).limited, 3 + 3 * 3);
}

#[test]
fn skipped_sizes_are_skipped_in_later_rounds_too() {
    let plan = plan("n = \"4-9\"\nrepeat = 3\nstop_after_timeouts = 1");
    // n = 6 times out in the second timed round only; 7 and larger stay skipped.
    let found = rows(&plan, timing_out(|n, counting, attempt| !counting && n == 6 && attempt == 2));
    let all = ((4..=9).collect::<Vec<_>>(), vec![]);
    let some = (vec![4, 5, 6], vec![7, 8, 9]);
    assert_eq!(spared(&found), [all.clone(), all, some.clone(), some]);
}

#[test]
fn skipped_sizes_depend_neither_on_interruptions_nor_on_the_number_of_jobs() {
    let sweep = "n = \"4-9\"\nrepeat = 2\nstop_after_timeouts = 2";
    let slow = |cell: &Cell, _| match cell.key.n {
        4 | 6 | 7 | 9 => timeout(),
        n => right(n),
    };
    let whole = rows(&plan(sweep), slow);
    assert_eq!(spared(&whole)[2], (vec![4, 5, 6, 7], vec![8, 9]));
    for jobs in 1..=4 {
        let plan = plan(&format!("{sweep}\njobs = {jobs}"));
        for interrupted_at in 1..=whole.len() {
            let directory = tempfile::tempdir().expect("temporary directory");
            let calls = Mutex::new(0);
            let script = |cell: &Cell, _| {
                let mut calls = calls.lock().expect("no panic");
                *calls += 1;
                if *calls == interrupted_at { None } else { slow(cell, Kind::Timed) }
            };
            let go = || {
                let mut runners: Vec<_> = (0..jobs).map(|_| Scripted(&script)).collect();
                execute_side_by_side(directory.path(), &plan, &mut runners)
            };
            let rows = go().or_else(|_| go()).expect("interrupted once only");
            assert!(rows.iter().map(gist).eq(whole.iter().map(gist)), "{jobs} jobs, {interrupted_at}");
        }
    }
}

/// The time of a run in nanoseconds, by the size of its board and its repetition: those of n = 5 vary.
fn time(n: usize, repetition: u32) -> u64 {
    match (n, repetition) {
        (5, 1..=3) => 1000 + 100 * u64::from(repetition),
        _ => 1000,
    }
}

/// A solver with these times; the run with this number, from 1, is interrupted.
fn timed(plan: &Plan, interrupted_at: usize) -> impl Fn(&Cell, Kind) -> Option<Attempt> + Send + Sync {
    let state = Mutex::new((0, HashMap::<String, u32>::new()));
    let jobs = plan.jobs;
    move |cell: &Cell, kind| {
        let mut state = state.lock().expect("no panic");
        state.0 += 1;
        if state.0 == interrupted_at && jobs == 1 {
            return None;
        }
        let key = format!("{} {}", cell.id, kind == Kind::Counting);
        let repetition = state.1.entry(key).or_default();
        *repetition += 1;
        match right(cell.key.n) {
            Some(attempt) if cell.key.n < 6 => {
                let solve_ns = Some(time(cell.key.n, *repetition));
                Some(Attempt { row: Row { solve_ns, ..attempt.row }, ..attempt })
            }
            _ => timeout(),
        }
    }
}

/// The repetitions of the timed runs of each size.
fn repetitions(rows: &[Row]) -> Vec<(usize, Vec<u32>)> {
    let of = |n: usize| rows.iter().filter(move |row| row.n == n && row.kind == Kind::Timed);
    (4..=6).map(|n| (n, of(n).map(|row| row.repetition).collect())).collect()
}

const UNTIL: &str = "n = \"4-6\"\nwarmup = 1\nrepeat = \"until 2%, at most 20\"";

#[test]
fn a_cell_is_repeated_until_its_median_is_precise_and_other_cells_no_longer() {
    let plan = plan(UNTIL);
    let found = rows(&plan, timed(&plan, 0));
    let upto = |last: u32| (1..=last).collect::<Vec<_>>();
    // Two timed runs of n = 5 are far from the others, so that its interval is narrow only after twelve runs. A run of
    // n = 6 is never answered.
    assert_eq!(repetitions(&found), [(4, upto(6)), (5, upto(12)), (6, upto(6))]);
    assert!(found.is_sorted_by_key(|row| row.round) && found.iter().all(|row| row.round <= 13));
    assert_eq!((done(&plan, &found), plan.runs.len()), (plan.runs.len(), 3 + 3 * 21));
    let few = crate::spec::Repeat { most: 7, until: Some(2.0) };
    assert_eq!(few.to_string(), "until 2%, at most 7");
    let plan = self::plan(&UNTIL.replace("most 20", "most 7"));
    assert_eq!(repetitions(&rows(&plan, timed(&plan, 0)))[1], (5, upto(7)), "at most seven runs");
}

#[test]
fn a_sweep_until_a_precision_has_the_same_runs_however_often_it_is_interrupted_and_in_parallel() {
    let alone = plan(UNTIL);
    let whole = rows(&alone, timed(&alone, 0));
    for interrupted_at in 1..=whole.len() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let script = timed(&alone, interrupted_at);
        assert!(execute_in(directory.path(), &alone, &script).is_err(), "{interrupted_at}");
        let (before, _) = table::read::<Row>(directory.path()).expect("rows");
        assert_eq!(before.len(), interrupted_at - 1);
        let rows = execute_in(directory.path(), &alone, &script).expect("interrupted once only");
        assert!(rows.iter().map(gist).eq(whole.iter().map(gist)), "interrupted at {interrupted_at}");
        let again = execute_in(directory.path(), &alone, |_, _| panic!("all runs are done")).expect("done");
        assert_eq!(again.len(), whole.len());
    }
    let plan = plan(&format!("{UNTIL}\njobs = 3"));
    let directory = tempfile::tempdir().expect("temporary directory");
    let script = timed(&plan, 0);
    let mut runners = [(); 3].map(|()| Scripted(&script));
    let together = execute_side_by_side(directory.path(), &plan, &mut runners).expect("no interruption");
    assert!(together.iter().map(gist).eq(whole.iter().map(gist)));
}

/// A runner of one solver in whose runs with these numbers, from 1, others hold the CPU.
struct Busy {
    calls: u32,
    disturbed: fn(u32) -> bool,
}

impl Runner for Busy {
    fn run(&mut self, cell: &Cell, kind: Kind, cancel: &AtomicBool) -> io::Result<Option<Attempt>> {
        self.calls += 1;
        let involuntary_switches = Some(u64::from((self.disturbed)(self.calls)));
        let attempt = Scripted(|cell: &Cell, _| right(cell.key.n)).run(cell, kind, cancel)?;
        let row = |row| Row { involuntary_switches, cpu_stall_ns: Some(2_000_000), ..row };
        Ok(attempt.map(|attempt| Attempt { row: row(attempt.row), ..attempt }))
    }
}

#[test]
fn a_disturbed_run_is_flagged_and_until_replaces_it_as_long_as_runs_are_left() {
    use crate::record::Disturbed::{No, Replaced, Yes};
    let flags = |repeat: &str, disturbed: fn(u32) -> bool| {
        let plan = plan(&format!("n = \"8\"\nrepeat = {repeat}"));
        let directory = tempfile::tempdir().expect("temporary directory");
        let (mut logs, mut rows, _) =
            crate::experiment::open(&plan, directory.path(), &|_| {}).expect("a new directory");
        let runners = &mut [Busy { calls: 0, disturbed }];
        execute(&plan, &mut rows, &mut logs, runners, &AtomicBool::new(false), &mut Unobserved)
            .expect("no interruption");
        let rows = of_plan(rows, &plan);
        assert!(
            rows.iter()
                .all(|row| row.is_timed() == (row.kind == Kind::Timed && row.disturbed != Some(Replaced)))
        );
        let timed = rows.iter().filter(|row| row.kind != Kind::Counting);
        timed.map(|row| row.disturbed.expect("known")).collect::<Vec<_>>()
    };
    // The first run is the counting run.
    assert_eq!(flags("3", |call| call == 3), [No, Yes, No]);
    let until = "\"until 2%, at most 9\"";
    assert_eq!(flags(until, |call| call == 3 || call == 5), [No, Replaced, No, Replaced, No, No, No, No]);
    let always = flags("\"until 2%, at most 6\"", |_| true);
    assert_eq!(always, [Replaced, Replaced, Replaced, Replaced, Replaced, Yes]);
}

#[test]
fn a_run_is_disturbed_if_it_lost_the_cpu_and_others_waited_for_long_enough() {
    let plan = plan("n = \"8\"");
    let disturbed = |switches, stall, wall| {
        let row = Row {
            involuntary_switches: switches,
            cpu_stall_ns: stall,
            wall_ns: Some(wall),
            ..Row::skipped("r".into(), "c".into(), 8, crate::solver::Goal::Count, "s".into())
        };
        attempt::disturbance(&row, &plan).map(|disturbed| disturbed == crate::record::Disturbed::Yes)
    };
    let ms = 1_000_000;
    for (switches, stall, wall, expected) in [
        (Some(1), Some(ms + 1), 10 * ms, Some(true)),
        (Some(0), Some(500 * ms), 1000 * ms, Some(false)),
        (Some(9), Some(ms), 10 * ms, Some(false)),
        (Some(9), Some(10 * ms), 1000 * ms, Some(false)),
        (Some(9), Some(10 * ms + 1), 1000 * ms, Some(true)),
        (None, Some(500 * ms), 1000 * ms, None),
        (Some(9), None, 1000 * ms, None),
    ] {
        assert_eq!(disturbed(switches, stall, wall), expected, "{switches:?} {stall:?} {wall}");
    }
}

/// Reading the directory must not fail because of what a solver reported.
fn assert_readable(plan: &Plan, rows: &[Row], levels: &[LevelRow]) {
    let checked = stored::check(std::path::Path::new("r"), &mut rows.to_vec(), levels, Some(plan));
    assert_eq!(checked.expect("what a sweep writes is read"), Vec::<String>::new());
}

#[test]
fn impossible_levels_are_a_crash() {
    let plan = plan("n = \"8\"\nrepeat = 2\ngoal = \"enumerate\"");
    let level = Level { nodes: 1, dead_ends: 0 };
    let counted = |nodes: u64| [(Stat::Nodes, nodes)].into_iter().collect();
    for (levels, nodes, expected) in [
        (9, 9, Status::Complete),
        (10, 10, Status::Crashed),
        (4000, 4000, Status::Crashed),
        (9, 8, Status::Crashed),
    ] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let rows = execute_in(directory.path(), &plan, |cell, _| {
            let attempt = right(cell.key.n)?;
            let row = Row { stats: counted(nodes), ..attempt.row };
            Some(Attempt { row, levels: vec![level; levels], ..attempt })
        })
        .expect("no interruption");
        let found: Vec<Status> = rows.iter().map(|row| row.status).collect();
        // Only the levels of a counting run are read.
        assert_eq!(found, [expected, Status::Complete, Status::Complete]);
        let (levels, _) = table::read::<LevelRow>(directory.path()).expect("a table");
        assert_eq!(levels.len(), if expected == Status::Complete { 9 } else { 0 });
        assert_readable(&plan, &rows, &levels);
    }
}

#[test]
fn an_answer_beyond_a_limit_counts_as_stopped() {
    const SECOND: u64 = 1_000_000_000;
    let plan = plan(
        "n = \"8\"\nrepeat = 1\ngoal = \"count\"\ntimeout = \"1s\"\ncpu_timeout = \"1s\"\nmemory = \"1MiB\"",
    );
    for (wall, cpu, memory, expected) in [
        (SECOND, SECOND / 2, 1 << 20, Status::Complete),
        (SECOND + SECOND / 10, 0, 0, Status::Complete),
        (SECOND + SECOND / 10 + 1, 0, 0, Status::Timeout),
        (u64::MAX, u64::MAX, u64::MAX, Status::Timeout),
        (0, SECOND / 2 + 1, 0, Status::Timeout),
        (0, 0, (1 << 20) + 1, Status::Memout),
    ] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let rows = execute_in(directory.path(), &plan, |_, _| {
            let attempt = answered(92, None)?;
            let row = Row {
                wall_ns: Some(wall),
                cpu_user_ns: Some(cpu),
                cpu_sys_ns: Some(cpu),
                peak_rss_bytes: Some(memory),
                ..attempt.row
            };
            Some(Attempt { row, ..attempt })
        })
        .expect("no interruption");
        for row in &rows {
            assert_eq!(
                (row.status, row.solve_ns.is_some()),
                (expected, expected == Status::Complete),
                "{row:?}"
            );
            assert_eq!(row.stopped_ns().is_some(), expected != Status::Complete);
        }
        assert_readable(&plan, &rows, &[]);
    }
}
