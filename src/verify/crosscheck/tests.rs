use std::ops::ControlFlow;
use std::time::Duration;

use super::*;
use crate::record::Status;
use crate::sat::program::DimacsProgram;

use crate::solver::Silent;
use crate::solver::{Info, Outcome, Sink, Stop};

/// `backtrack/bitmask` with a function that changes each board.
struct ChangedBoards<F>(F);

impl<F: Fn(&[u32]) -> Vec<Vec<u32>> + Send + Sync> Solver for ChangedBoards<F> {
    fn info(&self) -> Info {
        Info::named("test/changed")
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let registry = Registry::builtin();
        let bitmask = registry.get("backtrack/bitmask").expect("built in");
        let mut solutions = 0;
        let outcome = bitmask.solve(
            &Task { budget: task.budget.clone(), ..Task::of(&task.problem, task.goal) },
            &mut |columns: &[u32]| {
                for board in (self.0)(columns) {
                    solutions += 1;
                    sink.solution(&board)?;
                }
                ControlFlow::Continue(())
            },
        )?;
        assert_ne!(outcome.stopped, Some(Stop::Sink));
        Ok(Outcome { solutions, ..outcome })
    }
}

/// Cross-checks rows whose boards were not stored.
fn crosscheck_recorded(
    rows: &[Row],
    levels: &[LevelRow],
    problem: &dyn Fn(&Row) -> Option<Problem>,
    registry: &Registry,
    deadline: Instant,
) -> Result<Crosscheck, SolveError> {
    crosscheck_runs(&RecordedAnswers { rows, levels, problem, boards: &|_| None }, registry, deadline)
}

fn deadline_in_a_minute() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

/// The plain problem of the size of a row.
fn plain_problem(row: &Row) -> Option<Problem> {
    BoardSize::new(row.n).ok().map(Problem::queens)
}

fn check(solver: &dyn Solver, sizes: &str) -> Crosscheck {
    let registry = Registry::builtin();
    let reference = registry.get("sat/pairwise/varisat").expect("built in");
    let entrants = [solver, reference].map(Entrant::new);
    let sizes: crate::board::sizes::Sizes = sizes.parse().expect("sizes");
    crosscheck(&entrants, sizes.iter().map(Problem::queens), &|_, _| &Silent).expect("no solver fails")
}

fn row_against_sat(report: &Crosscheck) -> &CrosscheckRow {
    let mut rows = report.rows.iter();
    rows.find(|row| row.solver == "test/changed" && row.against == "sat/pairwise/varisat").expect("compared")
}

/// The solver of each discrepancy, and the first board that differs if solvers were compared.
fn solvers_and_boards(report: &Crosscheck) -> Vec<(&str, Option<String>)> {
    let board = |discrepancy: &Discrepancy| discrepancy.board().map(|(_, board)| board.to_string());
    report.discrepancies.iter().map(|discrepancy| (discrepancy.solver.as_str(), board(discrepancy))).collect()
}

fn assert_discrepancies(key: &str, report: &Crosscheck) {
    let lines: Vec<String> = report.discrepancies.iter().map(ToString::to_string).collect();
    wording::assert_wording!("crosscheck", key, lines.join("\n"));
}

#[test]
fn correct_solver_agrees_with_every_reference() {
    let report = check(&ChangedBoards(|columns: &[u32]| vec![columns.to_vec()]), "0-7");
    assert!(report.agrees(), "{:?}", solvers_and_boards(&report));
    let references: std::collections::BTreeSet<&str> =
        report.rows.iter().filter(|row| row.n == 6).map(|row| row.against.as_str()).collect();
    let expected = ["A000170", "A002562", "board", "sat/pairwise/varisat"];
    assert!(references.iter().copied().eq(expected), "{references:?}");
    let row = row_against_sat(&report);
    assert_eq!([row.missing, row.extra, row.illegal, row.duplicates], [Some(0); 4]);
}

#[test]
fn missing_solution_is_drawn_in_the_message() {
    let omitted_board = [1, 3, 5, 0, 2, 4];
    let report = check(
        &ChangedBoards(move |c: &[u32]| if c == omitted_board { vec![] } else { vec![c.to_vec()] }),
        "4-6",
    );
    // Three comparisons fail: with the other solver, and with the published numbers of all and of fundamental solutions.
    let board = || Some("1 3 5 0 2 4".to_owned());
    let differences = solvers_and_boards(&report);
    assert_eq!(differences, [("test/changed", board()), ("test/changed", None), ("test/changed", None)]);
    assert_discrepancies("a missing solution", &report);
    let row = row_against_sat_at(&report, 6);
    assert_eq!((row.missing, row.extra, row.agrees), (Some(1), Some(0), false));
    assert_eq!(row.first_difference.as_deref(), Some("missing: 1 3 5 0 2 4"));
}

fn row_against_sat_at(report: &Crosscheck, n: usize) -> &CrosscheckRow {
    let mut rows = report.rows.iter().filter(|row| row.n == n);
    rows.find(|row| row.solver == "test/changed" && row.against == "sat/pairwise/varisat").expect("compared")
}

/// The number of boards is right and each is legal. Only comparing the sets detects the error.
#[test]
fn duplicate_that_hides_a_missing_solution_is_detected() {
    let replace_board = |c: &[u32]| if c == [2, 0, 3, 1] { vec![vec![1, 3, 0, 2]] } else { vec![c.to_vec()] };
    let report = check(&ChangedBoards(replace_board), "4");
    let row = row_against_sat(&report);
    assert_eq!((row.solutions, row.missing, row.duplicates, row.agrees), (2, Some(1), Some(1), false));
    assert_eq!(row.first_difference.as_deref(), Some("duplicate: 1 3 0 2"));
    assert_eq!(report.rows.iter().filter(|row| !row.agrees && row.against == "A000170").count(), 0);
}

#[test]
fn illegal_board_is_reported_before_missing_boards() {
    let make_illegal = |c: &[u32]| if c[0] == 4 { vec![vec![0, 1, 2, 3, 4]] } else { vec![c.to_vec()] };
    let report = check(&ChangedBoards(make_illegal), "5");
    let row = row_against_sat(&report);
    assert_eq!((row.illegal, row.missing, row.duplicates), (Some(1), Some(2), Some(1)));
    assert_eq!(row.first_difference.as_deref(), Some("illegal: 0 1 2 3 4"));
    assert_discrepancies("illegal boards", &report);
}

#[test]
fn solver_that_mirrors_every_board_agrees() {
    let mirror = |c: &[u32]| vec![c.iter().map(|&column| c.len() as u32 - 1 - column).collect()];
    assert!(check(&ChangedBoards(mirror), "1-7").agrees());
}

fn recorded(solver: &str, n: usize, goal: Goal, solutions: u64, digest: &str) -> Row {
    Row {
        status: Status::Complete,
        solutions: Some(solutions),
        digest: (goal != Goal::Count).then(|| digest.to_owned()),
        ..Row::skipped("r", "c", n, goal, solver)
    }
}

/// The solver, goal and reference of each comparison that disagrees. The differences are compared with the snapshot `key`.
#[track_caller]
fn disagreements<'a>(key: &str, report: &'a Crosscheck) -> Vec<(&'a str, Goal, &'a str)> {
    let rows = || report.rows.iter().filter(|row| !row.agrees);
    let difference = |row: &CrosscheckRow| row.first_difference.clone().expect("each has one");
    let lines: Vec<String> = rows().map(|row| format!("{}: {}", row.solver, difference(row))).collect();
    wording::assert_wording!("crosscheck", key, lines.join("\n"));
    rows().map(|row| (row.solver.as_str(), row.goal, row.against.as_str())).collect()
}

#[test]
fn digest_difference_has_boards_or_a_reason() {
    let (registry, goal) = (Registry::builtin(), Goal::Enumerate);
    let report = check(&ChangedBoards(|columns: &[u32]| vec![columns.to_vec()]), "6");
    let digest = row_against_sat(&report).digest.clone().expect("visited");
    let rows = [
        recorded("sat/pairwise/varisat", 6, goal, 4, &digest),
        recorded("backtrack/bitmask", 6, goal, 4, &digest),
        recorded("program/mine", 6, goal, 4, "0"),
        recorded("backtrack/flag-arrays", 6, goal, 4, "0"),
    ];
    let report = crosscheck_recorded(&rows, &[], &plain_problem, &registry, deadline_in_a_minute())
        .expect("no solver fails");
    let sat = "sat/pairwise/varisat";
    let expected = [("program/mine", goal, sat), ("backtrack/flag-arrays", goal, sat)];
    assert_eq!(disagreements("digests that differ", &report), expected);
}

#[test]
fn board_missing_from_recorded_enumeration_is_reported() {
    let rows = [
        recorded("backtrack/bitmask", 4, Goal::Enumerate, 2, "1"),
        recorded("test/changed", 4, Goal::Enumerate, 1, "2"),
    ];
    let mut registry = Registry::builtin();
    let omit_board = |board: &[u32]| if board == [2, 0, 3, 1] { Vec::new() } else { vec![board.to_vec()] };
    registry.register(Box::new(ChangedBoards(omit_board)));
    let report = crosscheck_recorded(&rows, &[], &plain_problem, &registry, deadline_in_a_minute())
        .expect("no solver fails");
    let row = report.rows.iter().find(|row| !row.agrees).expect("a disagreement");
    assert_eq!((row.missing, row.extra, row.illegal, row.duplicates), (Some(1), Some(0), Some(0), Some(0)));
    assert_eq!(row.first_difference.as_deref(), Some("missing: 2 0 3 1"));
}

/// The program lost a board and invented another. It cannot run again, because it is not in the registry.
#[test]
fn stored_boards_are_compared_without_running_the_program() {
    let rows = [
        recorded("backtrack/bitmask", 4, Goal::Enumerate, 2, "1"),
        recorded("program/mine", 4, Goal::Enumerate, 2, "2"),
    ];
    let boards = |row: &Row| {
        let boards = [[1, 3, 0, 2], [3, 1, 0, 2]].map(|columns: [u32; 4]| Placement::new(&columns));
        row.solver.is_program().then(|| boards.to_vec())
    };
    let recorded_answers =
        RecordedAnswers { rows: &rows, levels: &[], problem: &plain_problem, boards: &boards };
    let report = crosscheck_runs(&recorded_answers, &Registry::builtin(), deadline_in_a_minute())
        .expect("no solver fails");
    let row = report.rows.iter().find(|row| !row.agrees).expect("a disagreement");
    let numbers = [row.missing, row.extra, row.illegal, row.duplicates];
    assert_eq!((row.solver.as_str(), numbers), ("program/mine", [Some(1), Some(0), Some(1), Some(0)]));
    assert_discrepancies("boards that were stored", &report);
}

/// Enumerating n = 28 would take years.
#[test]
fn solvers_do_not_run_again_beyond_the_deadline() {
    let rows = ["backtrack/bitmask", "backtrack/flag-arrays"]
        .map(|solver| recorded(solver, 28, Goal::Enumerate, 7, solver));
    let report = crosscheck_recorded(&rows, &[], &plain_problem, &Registry::builtin(), Instant::now());
    let report = report.expect("no solver fails");
    let expected = ("backtrack/flag-arrays", Goal::Enumerate, "backtrack/bitmask");
    assert_eq!(disagreements("digests that differ after the deadline", &report)[0], expected);
}

/// A problem without published numbers. Programs and SAT solvers give wrong answers for each goal.
#[test]
fn every_answer_is_compared_with_a_builtin_reference() {
    let with_corner_queen = |row: Row| Row { variant: "queens;place=0:0".into(), ..row };
    let problem = |row: &Row| Problem::from_text(BoardSize::new(row.n).ok()?, &row.variant).ok();
    let first_goal_row = |solver: &str, solutions| Row {
        status: if solutions > 0 { Status::Sat } else { Status::Unsat },
        ..recorded(solver, 18, Goal::First, solutions, "1")
    };
    let rows = [
        first_goal_row("program/silent", 0),
        first_goal_row("program/honest", 1),
        recorded("program/silent", 18, Goal::Count, 0, ""),
        recorded("sat/pairwise/liar", 18, Goal::Count, 6, ""),
        recorded("backtrack/dlx", 18, Goal::Count, 7, ""),
        recorded("program/honest", 18, Goal::Enumerate, 7, "2"),
        first_goal_row("sat/pairwise/varisat", 1),
    ];
    let report = crosscheck_recorded(
        &rows.map(with_corner_queen),
        &[],
        &problem,
        &Registry::builtin(),
        deadline_in_a_minute(),
    )
    .expect("no failure");
    let dlx = "backtrack/dlx";
    let expected = [
        ("program/silent", Goal::First, dlx),
        ("program/silent", Goal::Count, dlx),
        ("sat/pairwise/liar", Goal::Count, dlx),
    ];
    assert_eq!(disagreements("answers to every goal", &report), expected);
    assert_eq!(report.rows.len(), 6, "all others against the count of dancing links");
    let boards = |row: &CrosscheckRow| [row.missing, row.extra, row.illegal, row.duplicates];
    assert!(report.rows.iter().all(|row| boards(row) == [None; 4]), "no boards are compared with a count");
}

/// A program that found no boards need not run again.
#[test]
fn empty_enumeration_misses_every_solution() {
    let problem = |row: &Row| Problem::from_text(BoardSize::new(row.n).ok()?, &row.variant).ok();
    for (variant, solutions) in [("queens", 2), ("queens;place=0:1", 1)] {
        let rows =
            [("backtrack/dlx", solutions, "1"), ("program/silent", 0, "0")].map(|(solver, count, digest)| {
                Row { variant: variant.into(), ..recorded(solver, 4, Goal::Enumerate, count, digest) }
            });
        let report = crosscheck_recorded(&rows, &[], &problem, &Registry::builtin(), deadline_in_a_minute())
            .expect("no solver fails");
        let row = report.rows.iter().find(|row| row.solver == "program/silent").expect("a comparison");
        let differences = [row.missing, row.extra, row.illegal, row.duplicates];
        assert_eq!(differences, [solutions, 0, 0, 0].map(Some), "{variant}");
        assert_eq!(row.first_difference.as_deref(), Some("missing: 1 3 0 2"));
    }
}

/// Only solvers that search row by row, with their default options, must find the same first solution.
#[test]
fn first_solutions_are_compared_if_they_must_match() {
    let first_goal_row =
        |solver: &str, digest| Row { status: Status::Sat, ..recorded(solver, 8, Goal::First, 1, digest) };
    let rows = [
        first_goal_row("sat/pairwise/varisat", "3"),
        first_goal_row("backtrack/mac", "1"),
        first_goal_row("backtrack/cbj", "2"),
        first_goal_row("backtrack/lds", "4"),
        first_goal_row("backtrack/bitmask", "1"),
    ];
    let report =
        crosscheck_recorded(&rows, &[], &plain_problem, &Registry::builtin(), deadline_in_a_minute())
            .expect("no solver fails");
    let mac = "backtrack/mac";
    let expected = [("backtrack/cbj", Goal::First, mac)];
    assert_eq!(disagreements("another first solution", &report), expected);
    let compared_with_mac =
        report.rows.iter().filter(|row| row.against == mac).map(|row| row.solver.as_str());
    assert_eq!(compared_with_mac.collect::<Vec<_>>(), ["backtrack/cbj", "backtrack/bitmask"]);
}

#[test]
fn external_sat_solver_is_not_the_reference() {
    let rooks = Problem::from_text(BoardSize::new(5).expect("small"), "rooks").expect("a problem");
    let registry =
        Registry::builtin().with_sat(&DimacsProgram::new("external", "sh -c 'echo s UNSATISFIABLE' {cnf}"));
    let [liar, honest] =
        ["sat/pairwise/external", "sat/pairwise/batsat"].map(|id| registry.get(id).expect("a solver"));
    let report =
        crosscheck(&[liar, honest].map(Entrant::new), [rooks], &|_, _| &Silent).expect("no solver fails");
    let differences = disagreements("a SAT solver that finds nothing", &report);
    let (liar, goal) = ("sat/pairwise/external", Goal::Enumerate);
    assert_eq!(differences, [(liar, goal, "sat/pairwise/batsat"), (liar, goal, "A000142")]);
}

/// A missing number does not mean 0 boards.
#[test]
fn enumeration_without_a_count_is_reported() {
    let row = Row { status: Status::Complete, ..Row::skipped("r7", "c", 6, Goal::Enumerate, "program/mine") };
    let report =
        crosscheck_recorded(&[row], &[], &plain_problem, &Registry::builtin(), deadline_in_a_minute())
            .expect("no solver fails");
    assert!(report.rows.is_empty());
    assert_eq!(solvers_and_boards(&report), [("program/mine", None)]);
    assert!(
        report.discrepancies[0].finding == Finding::NoNumber { run: "r7".to_owned() },
        "{:?}",
        report.discrepancies
    );
    assert_discrepancies("no number of solutions", &report);
}

#[test]
fn cross_check_uses_solver_only_for_supported_problems() {
    let registry = Registry::builtin();
    let solver = registry.get("backtrack/bitmask").expect("built in");
    let problem = |n, text| Problem::from_text(BoardSize::new(n).expect("small"), text).expect(text);
    let takes_part = |max_size, n, text| Entrant { solver, max_size }.takes_part(&problem(n, text));
    assert!(takes_part(None, 6, "queens") && takes_part(Some(6), 6, "queens"));
    assert!(!takes_part(Some(6), 7, "queens") && !takes_part(Some(6), 5, "queens;place=0:0"));
    // A cross-check without a comparison does not agree.
    assert!(!crosscheck(&[], [problem(6, "queens")], &|_, _| &Silent).expect("no solver fails").agrees());
}

/// Compares the levels with A319284, and checks every field of the rows.
#[test]
fn solver_is_compared_level_by_level() {
    /// Counts the reports of progress, and stores the started solvers.
    #[derive(Default)]
    struct Watch(std::sync::atomic::AtomicUsize, std::sync::Mutex<Vec<String>>);
    impl Progress for Watch {
        fn advance(&self, _: u64, _: u64) {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    }
    let registry = Registry::builtin();
    let entrant = Entrant::new(registry.get("backtrack/flag-arrays").expect("built in"));
    let watch = Watch::default();
    let problem = Problem::queens(BoardSize::new(10).expect("small"));
    let on_start = |n: BoardSize, solver: &str| -> &dyn Progress {
        watch.1.lock().expect("no panic").push(format!("{n} {solver}"));
        &watch
    };
    let report = crosscheck(&[entrant], [problem], &on_start).expect("no solver fails");
    assert!(report.agrees());
    let row = |against: &str| CrosscheckRow {
        schema_version: SCHEMA_VERSION,
        n: 10,
        variant: "queens".into(),
        goal: Goal::Enumerate,
        solver: "backtrack/flag-arrays".into(),
        against: against.parse().expect("a reference"),
        solutions: 724,
        digest: report.rows[0].digest.clone(),
        agrees: true,
        illegal: Some(0),
        ..CrosscheckRow::default()
    };
    assert_eq!(report.rows, ["board", "A000170", "A002562", "A319284"].map(row));
    assert!(report.rows[0].digest.is_some());
    assert_eq!(watch.1.into_inner().expect("no panic"), ["10 backtrack/flag-arrays"]);
    assert!(watch.0.into_inner() > 0);
}

#[test]
fn recorded_levels_are_compared_with_published_ones() {
    let goal = Goal::Enumerate;
    let rows = [("backtrack/bitmask", 4), ("backtrack/cbj", 4), ("backtrack/mac", 28)].map(|(solver, n)| {
        Row { cell_id: solver.to_owned(), ..recorded(solver, n, goal, if n == 4 { 2 } else { 7 }, "1") }
    });
    let level = |solver: &str, nodes, dead_ends| LevelRow {
        cell_id: solver.to_owned(),
        nodes,
        dead_ends,
        ..LevelRow::default()
    };
    // A319284, n = 4: 1, 4, 6, 4 and 2 nodes; 0, 0, 2, 2 and 0 dead ends.
    let levels = [
        level("backtrack/bitmask", 1, 0),
        level("backtrack/bitmask", 4, 0),
        level("backtrack/bitmask", 6, 2),
        level("backtrack/bitmask", 4, 1),
        level("backtrack/cbj", 1, 0),
        level("backtrack/cbj", 5, 0),
        level("backtrack/mac", 1, 9),
    ];
    let report =
        crosscheck_recorded(&rows, &levels, &plain_problem, &Registry::builtin(), deadline_in_a_minute())
            .expect("no solver fails");
    let expected = [("backtrack/bitmask", goal, "A319284"), ("backtrack/cbj", goal, "A319284")];
    assert_eq!(disagreements("levels", &report), expected);
}

/// The first solver in the list is not the reference if it has an illegal board.
#[test]
fn solver_with_an_illegal_board_is_not_reference() {
    let illegal_solver =
        ChangedBoards(|c: &[u32]| if c[0] == 1 { vec![vec![0, 1, 2, 3]] } else { vec![c.to_vec()] });
    let registry = Registry::builtin();
    let bitmask = registry.get("backtrack/bitmask").expect("built in");
    let problem = Problem::queens(BoardSize::new(4).expect("small"));
    let entrants = [&illegal_solver as &dyn Solver, bitmask].map(Entrant::new);
    let report = crosscheck(&entrants, [problem], &|_, _| &Silent).expect("no solver fails");
    let comparison = report.rows.iter().find(|row| row.against == "backtrack/bitmask").expect("compared");
    assert_eq!((comparison.solver.as_str(), comparison.illegal), ("test/changed", Some(1)));
    assert!(
        solvers_and_boards(&report).iter().all(|&(solver, _)| solver == "test/changed"),
        "{:?}",
        solvers_and_boards(&report)
    );
    assert_discrepancies("an illegal board of the first solver", &report);
}

/// Of several runs of a solver, a wrong one is compared, otherwise the counting run, otherwise the first one.
#[test]
fn only_one_run_per_cell_is_compared() {
    let run = |digest: &str, kind, verdict| Row {
        kind,
        verdict,
        ..recorded("backtrack/mac", 28, Goal::Enumerate, 7, digest)
    };
    use crate::record::Verdict::{Correct, Unchecked, Wrong};
    let (timed, counting) = (Kind::Timed, Kind::Counting);
    let reference = recorded("backtrack/cbj", 28, Goal::Enumerate, 7, "0");
    for (runs, compared_digest) in [
        ([("a", timed, Unchecked), ("b", timed, Correct), ("c", timed, Unchecked)], "a"),
        ([("a", timed, Unchecked), ("b", counting, Unchecked), ("c", timed, Unchecked)], "b"),
        ([("a", timed, Unchecked), ("b", counting, Unchecked), ("c", timed, Wrong)], "c"),
        ([("a", counting, Wrong), ("b", timed, Wrong), ("c", counting, Unchecked)], "a"),
        ([("a", counting, Unchecked), ("b", counting, Unchecked), ("c", timed, Unchecked)], "a"),
    ] {
        let mut rows = vec![reference.clone()];
        rows.extend(runs.map(|(digest, kind, verdict)| run(digest, kind, verdict)));
        // Neither an incomplete run nor a run with another goal is a candidate.
        rows.push(Row { status: Status::Timeout, ..run("d", counting, Wrong) });
        rows.push(Row { goal: Goal::Count, digest: None, ..run("e", counting, Unchecked) });
        let report = crosscheck_recorded(&rows, &[], &plain_problem, &Registry::builtin(), Instant::now());
        let report = report.expect("no solver fails");
        let mac_rows = report.rows.iter().filter(|row| row.solver == "backtrack/mac");
        let digests: Vec<_> = mac_rows.map(|row| (row.goal, row.digest.as_deref())).collect();
        assert_eq!(digests, [(Goal::Enumerate, Some(compared_digest)), (Goal::Count, None)]);
    }
}

/// An answer to the goal `first` only states whether a solution exists. n = 3 has no solutions, and n = 8 has 92.
#[test]
fn first_solution_agrees_with_every_positive_count() {
    let first_goal_row = |n, solutions| Row {
        status: if solutions > 0 { Status::Sat } else { Status::Unsat },
        ..recorded("sat/pairwise/varisat", n, Goal::First, solutions, "1")
    };
    let rows = [first_goal_row(8, 1), first_goal_row(3, 0), first_goal_row(5, 0), first_goal_row(2, 1)];
    let report =
        crosscheck_recorded(&rows, &[], &plain_problem, &Registry::builtin(), deadline_in_a_minute())
            .expect("no solver fails");
    let (goal, sat) = (Goal::First, "sat/pairwise/varisat");
    let expected = [(sat, goal, "A000170"), (sat, goal, "A000170")];
    assert_eq!(disagreements("first solutions", &report), expected);
    assert_eq!(report.rows.len(), 4);
    assert!(report.rows.iter().all(|row| row.digest.is_none() && row.illegal.is_none()));
}
