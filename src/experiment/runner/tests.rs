use super::*;
use crate::experiment::spec::Spec;
use crate::record::Verdict;
use crate::registry::Registry;

/// Answers with what a script says instead of starting anything.
struct Scripted<F>(F);

impl<F: FnMut(&Cell) -> Ending> Runner for Scripted<F> {
    fn run(&mut self, cell: &Cell, _live: &mut dyn FnMut(u64, u64)) -> io::Result<Attempt> {
        Ok(Attempt {
            ending: (self.0)(cell),
            wall: Duration::from_millis(5),
            cpu: None,
            peak_rss_bytes: None,
            exit_code: Some(0),
            signal: None,
        })
    }
}

fn plan(sweep: &str) -> Plan {
    let text = format!(
        "schema_version = 1\nname = \"t\"\n[sweep]\n{sweep}\n[[solver]]\nid = \"backtrack/bitmask\"\n"
    );
    Plan::new(&Spec::parse("t", &text).expect("a spec"), &Registry::builtin()).expect("a plan")
}

fn reported(solutions: u64, digest: &str) -> Ending {
    Ending::Reported(Box::new(Report { solutions, digest: Some(digest.into()), ..Report::default() }))
}

fn execute_in(
    directory: &std::path::Path,
    plan: &Plan,
    script: impl FnMut(&Cell) -> Ending,
) -> Result<Vec<Row>, ExecuteError> {
    let (runs, rows) = Log::open(directory)?;
    let (levels, _) = Log::open(directory)?;
    execute(plan, rows, &mut Logs { runs, levels }, &mut Scripted(script), &mut Unobserved)
}

fn rows(plan: &Plan, script: impl FnMut(&Cell) -> Ending) -> Vec<Row> {
    let directory = tempfile::tempdir().expect("temporary directory");
    execute_in(directory.path(), plan, script).expect("no interruption")
}

#[test]
fn a_timeout_a_crash_and_a_memout_are_rows_and_the_sweep_goes_on() {
    let plan = plan("n = \"4-7\"\nrepeat = 1");
    let rows = rows(&plan, |cell| match cell.n {
        4 => Ending::Timeout,
        5 => Ending::Memout,
        6 => Ending::Failed("it broke".into()),
        _ => reported(40, "x"),
    });
    let of = |n: usize| rows.iter().find(|row| row.n == n && !row.counting).expect("a row");
    assert_eq!((of(4).status, of(4).termination), (Status::Timeout, Some(Termination::Walltime)));
    assert_eq!((of(4).solve_ns, of(4).wall_ns), (None, Some(5_000_000)));
    assert_eq!((of(5).status, of(5).termination), (Status::Memout, Some(Termination::Memory)));
    assert_eq!((of(6).status, of(6).error.as_deref()), (Status::Crashed, Some("it broke")));
    assert_eq!((of(7).status, of(7).verdict), (Status::Complete, Verdict::Correct));
    assert_eq!(Faults::of(&rows), Faults { wrong: 0, crashed: 2, limited: 4 });
}

#[test]
fn a_wrong_count_is_a_row_with_its_verdict() {
    let plan = plan("n = \"8\"\nrepeat = 1");
    let rows = rows(&plan, |cell| reported(if cell.counting { 92 } else { 91 }, "x"));
    assert_eq!(rows[0].verdict, Verdict::Correct);
    assert_eq!(rows[1].verdict, Verdict::Wrong);
    assert_eq!(rows[1].error.as_deref(), Some("it found 91, A000170 says 92"));
    assert_eq!((rows[1].expected_solutions, rows[1].expected_source.as_deref()), (Some(92), Some("A000170")));
}

#[test]
fn the_right_number_of_other_boards_is_a_disagreement() {
    let plan = plan("n = \"8\"\nrepeat = 1");
    let rows = rows(&plan, |cell| reported(92, if cell.counting { "x" } else { "y" }));
    assert_eq!(rows[1].verdict, Verdict::Disagree);
}

#[test]
fn an_illegal_board_is_wrong_even_if_the_count_is_right() {
    let plan = plan("n = \"8\"\nrepeat = 1");
    let rows = rows(&plan, |_| {
        let report = Report { solutions: 92, illegal: Some(1), ..Report::default() };
        Ending::Reported(Box::new(report))
    });
    assert_eq!(rows[0].verdict, Verdict::Wrong);
}

#[test]
fn a_first_solution_is_right_exactly_where_one_exists() {
    let plan = plan("n = \"2-4\"\ngoal = \"first\"\nrepeat = 1");
    let verdict = |solutions| {
        let script = |_: &Cell| Ending::Reported(Box::new(Report { solutions, ..Report::default() }));
        let rows = rows(&plan, script);
        let statuses: Vec<Status> = rows.iter().map(|row| row.status).collect();
        assert!(statuses.iter().all(|&s| s == if solutions == 0 { Status::Unsat } else { Status::Sat }));
        rows.iter().filter(|row| row.counting).map(|row| row.verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdict(0), [Verdict::Correct, Verdict::Correct, Verdict::Wrong]);
    assert_eq!(verdict(1), [Verdict::Wrong, Verdict::Wrong, Verdict::Correct]);
}

#[test]
fn resume_skips_finished_runs_and_repeats_none() {
    let plan = plan("n = \"4-6\"");
    let directory = tempfile::tempdir().expect("temporary directory");
    let answer = |cell: &Cell| reported(known::solutions(cell.n).expect("known"), "x");
    let mut calls = 0;
    let interrupted = execute_in(directory.path(), &plan, |cell| {
        calls += 1;
        if calls == 6 { Ending::Interrupted } else { answer(cell) }
    });
    assert!(matches!(interrupted, Err(ExecuteError::Interrupted)));
    let mut more = 0;
    let rows = execute_in(directory.path(), &plan, |cell| {
        more += 1;
        answer(cell)
    })
    .expect("goes on");
    assert_eq!((rows.len(), more), (plan.runs.len(), plan.runs.len() - 5));
    let mut ids: Vec<&str> = rows.iter().map(|row| row.run_id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), plan.runs.len());
    assert!(rows.iter().map(|row| row.seq).eq(1..=rows.len() as u64));
}
