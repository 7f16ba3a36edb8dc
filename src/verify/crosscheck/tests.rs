use std::ops::ControlFlow;
use std::time::Duration;

use super::*;
use crate::record::Status;
use crate::solver::progress::Silent;
use crate::solver::{Info, Outcome, Sink, Stop};

/// `backtrack/bitmask` with its boards changed on the way out.
struct Changed<F>(F);

impl<F: Fn(&[u32]) -> Vec<Vec<u32>> + Send + Sync> Solver for Changed<F> {
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

fn later() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

/// The problem of a row whose variant says it all: the plain one.
fn plain(row: &Row) -> Option<Problem> {
    BoardSize::new(row.n).ok().map(Problem::queens)
}

fn check(solver: &dyn Solver, sizes: &str) -> Crosscheck {
    let registry = Registry::builtin();
    let reference = registry.get("sat/pairwise/varisat").expect("built in");
    let entrants = [solver, reference].map(Entrant::new);
    let sizes: crate::board::sizes::Sizes = sizes.parse().expect("sizes");
    crosscheck(&entrants, sizes.iter().map(Problem::queens), &|_, _| &Silent).expect("no solver fails")
}

fn against_sat(report: &Crosscheck) -> &CrosscheckRow {
    let mut rows = report.rows.iter();
    rows.find(|row| row.solver == "test/changed" && row.against == "sat/pairwise/varisat").expect("compared")
}

fn said(report: &Crosscheck) -> Vec<String> {
    report.discrepancies.iter().map(ToString::to_string).collect()
}

#[test]
fn the_unchanged_solver_agrees_with_everything() {
    let report = check(&Changed(|columns: &[u32]| vec![columns.to_vec()]), "0-7");
    assert!(report.agrees(), "{:?}", said(&report));
    let against: std::collections::BTreeSet<&str> =
        report.rows.iter().filter(|row| row.n == 6).map(|row| row.against.as_str()).collect();
    let expected = ["A000170", "A002562", "board", "sat/pairwise/varisat"];
    assert!(against.iter().copied().eq(expected), "{against:?}");
}

#[test]
fn a_missing_solution_is_drawn() {
    let lost = [1, 3, 5, 0, 2, 4];
    let report = check(&Changed(move |c: &[u32]| if c == lost { vec![] } else { vec![c.to_vec()] }), "4-6");
    assert_eq!(
        said(&report)[0],
        "n=6: test/changed found 3 boards, sat/pairwise/varisat found 4: 1 missing, 0 extra, 0 illegal, 0 \
         duplicate; first missing: 1 3 5 0 2 4\n  . Q . . . .\n  . . . Q . .\n  . . . . . Q\n  Q . . . . .\n  \
         . . Q . . .\n  . . . . Q ."
    );
    let row = against_sat_at(&report, 6);
    assert_eq!((row.missing, row.extra, row.agrees), (Some(1), Some(0), false));
    assert_eq!(row.first_difference.as_deref(), Some("missing: 1 3 5 0 2 4"));
    assert!(said(&report)[1].contains("found 3 solutions, A000170 has 4"));
}

fn against_sat_at(report: &Crosscheck, n: usize) -> &CrosscheckRow {
    let mut rows = report.rows.iter().filter(|row| row.n == n);
    rows.find(|row| row.solver == "test/changed" && row.against.starts_with("sat/")).expect("compared")
}

/// The number of boards is right and each is legal: only the sets show the fault.
#[test]
fn a_duplicate_that_hides_a_missing_solution_is_found() {
    let instead = |c: &[u32]| if c == [2, 0, 3, 1] { vec![vec![1, 3, 0, 2]] } else { vec![c.to_vec()] };
    let report = check(&Changed(instead), "4");
    let row = against_sat(&report);
    assert_eq!((row.solutions, row.missing, row.duplicates, row.agrees), (2, Some(1), Some(1), false));
    assert_eq!(row.first_difference.as_deref(), Some("duplicate: 1 3 0 2"));
    assert_eq!(report.rows.iter().filter(|row| !row.agrees && row.against == "A000170").count(), 0);
}

#[test]
fn an_illegal_board_is_named_first() {
    let wrong = |c: &[u32]| if c[0] == 4 { vec![vec![0, 1, 2, 3, 4]] } else { vec![c.to_vec()] };
    let report = check(&Changed(wrong), "5");
    let row = against_sat(&report);
    assert_eq!((row.illegal, row.missing, row.duplicates), (Some(1), Some(2), Some(1)));
    assert_eq!(row.first_difference.as_deref(), Some("illegal: 0 1 2 3 4"));
    assert!(said(&report).iter().any(|line| line.contains("found 2 boards that are not solutions")));
}

#[test]
fn every_board_mirrored_is_the_same_set() {
    let mirrored = |c: &[u32]| vec![c.iter().map(|&column| c.len() as u32 - 1 - column).collect()];
    assert!(check(&Changed(mirrored), "1-7").agrees());
}

fn recorded(solver: &str, n: usize, goal: Goal, solutions: u64, digest: &str) -> Row {
    Row {
        status: Status::Complete,
        solutions: Some(solutions),
        digest: (goal != Goal::Count).then(|| digest.to_owned()),
        ..Row::skipped("r".into(), "c".into(), n, goal, solver.into())
    }
}

/// The comparisons that disagree: solver, goal, against, and what the row says.
fn at_odds(report: &Crosscheck) -> Vec<(&str, Goal, &str, &str)> {
    let rows = report.rows.iter().filter(|row| !row.agrees);
    let shown = |row: &'_ CrosscheckRow| row.first_difference.clone().expect("each says how").leak() as &str;
    rows.map(|row| (row.solver.as_str(), row.goal, row.against.as_str(), shown(row))).collect()
}

#[test]
fn recorded_digests_that_differ_are_explained_by_solvers_that_run_again_or_the_row_says_why_not() {
    let (registry, goal) = (Registry::builtin(), Goal::Enumerate);
    let report = check(&Changed(|columns: &[u32]| vec![columns.to_vec()]), "6");
    let digest = against_sat(&report).digest.clone().expect("visited");
    let rows = [
        recorded("sat/pairwise/varisat", 6, goal, 4, &digest),
        recorded("backtrack/bitmask", 6, goal, 4, &digest),
        recorded("program/mine", 6, goal, 4, "0"),
        recorded("backtrack/flag-arrays", 6, goal, 4, "0"),
    ];
    let report = crosscheck_runs(&rows, &[], &plain, &registry, later()).expect("no solver fails");
    let sat = "sat/pairwise/varisat";
    let mine = "found 4 boards, sat/pairwise/varisat found 4, and the digests differ; the boards are not shown: \
                program/mine does not run again for that";
    let flags = "found 4 boards, sat/pairwise/varisat found 4, and the digests differ, but not when both were run again";
    let expected = [("program/mine", goal, sat, mine), ("backtrack/flag-arrays", goal, sat, flags)];
    assert_eq!(at_odds(&report), expected);
}

#[test]
fn a_recorded_enumeration_that_lacks_a_board_is_explained_by_that_board() {
    let rows = [
        recorded("backtrack/bitmask", 4, Goal::Enumerate, 2, "1"),
        recorded("test/changed", 4, Goal::Enumerate, 1, "2"),
    ];
    let mut registry = Registry::builtin();
    let without_last = |board: &[u32]| if board == [2, 0, 3, 1] { Vec::new() } else { vec![board.to_vec()] };
    registry.register(Box::new(Changed(without_last)));
    let report = crosscheck_runs(&rows, &[], &plain, &registry, later()).expect("no solver fails");
    let row = report.rows.iter().find(|row| !row.agrees).expect("a disagreement");
    assert_eq!((row.missing, row.extra, row.illegal, row.duplicates), (Some(1), Some(0), Some(0), Some(0)));
    assert_eq!(row.first_difference.as_deref(), Some("missing: 2 0 3 1"));
}

/// n = 28 would take far too long.
#[test]
fn solvers_do_not_run_again_beyond_the_deadline() {
    let rows = ["backtrack/bitmask", "backtrack/flag-arrays"]
        .map(|solver| recorded(solver, 28, Goal::Enumerate, 7, solver));
    let report = crosscheck_runs(&rows, &[], &plain, &Registry::builtin(), Instant::now());
    let report = report.expect("no solver fails");
    let expected = "found 7 boards, backtrack/bitmask found 7, and the digests differ; the boards are not shown: \
                    there are too many, or there is no time left to run both again";
    assert_eq!(at_odds(&report)[0].3, expected);
}

/// One problem for which nothing is published, and programs and SAT solvers that lie about each goal.
#[test]
fn answers_to_every_goal_are_compared_with_the_solvers_of_this_program() {
    let corner = |row: Row| Row { variant: "queens;place=0:0".to_owned(), ..row };
    let problem = |row: &Row| Problem::from_text(BoardSize::new(row.n).ok()?, &row.variant).ok();
    let first = |solver: &str, solutions| Row {
        status: if solutions > 0 { Status::Sat } else { Status::Unsat },
        ..recorded(solver, 18, Goal::First, solutions, "1")
    };
    let rows = [
        first("program/silent", 0),
        first("program/honest", 1),
        recorded("program/silent", 18, Goal::Count, 0, ""),
        recorded("sat/pairwise/liar", 18, Goal::Count, 6, ""),
        recorded("backtrack/dlx", 18, Goal::Count, 7, ""),
        recorded("program/honest", 18, Goal::Enumerate, 7, "2"),
        first("sat/pairwise/varisat", 1),
    ];
    let report =
        crosscheck_runs(&rows.map(corner), &[], &problem, &Registry::builtin(), later()).expect("no failure");
    let dlx = "backtrack/dlx";
    let expected = [
        ("program/silent", Goal::First, dlx, "found 0 solutions, backtrack/dlx found 7"),
        ("program/silent", Goal::Count, dlx, "found 0 solutions, backtrack/dlx found 7"),
        ("sat/pairwise/liar", Goal::Count, dlx, "found 6 solutions, backtrack/dlx found 7"),
    ];
    assert_eq!(at_odds(&report), expected);
    assert_eq!(report.rows.len(), 6, "all others against the count of dancing links");
}

/// Also if a program found none: its boards need no second run.
#[test]
fn an_enumeration_of_a_program_that_found_no_board_lacks_all_of_them() {
    let goal = Goal::Enumerate;
    let rows = [recorded("backtrack/bitmask", 4, goal, 2, "1"), recorded("program/silent", 4, goal, 0, "0")];
    let report = crosscheck_runs(&rows, &[], &plain, &Registry::builtin(), later()).expect("no solver fails");
    let row = report.rows.iter().find(|row| row.solver == "program/silent").expect("a comparison");
    assert_eq!((row.missing, row.extra, row.illegal, row.duplicates), (Some(2), Some(0), Some(0), Some(0)));
    assert_eq!(row.first_difference.as_deref(), Some("missing: 1 3 0 2"));
}

/// Only of solvers that list solutions row by row, with their usual options.
#[test]
fn first_solutions_are_compared_if_they_must_be_the_same() {
    let first =
        |solver: &str, digest| Row { status: Status::Sat, ..recorded(solver, 8, Goal::First, 1, digest) };
    let rows = [
        first("backtrack/mac", "1"),
        first("sat/pairwise/varisat", "3"),
        first("backtrack/cbj", "2"),
        first("backtrack/lds", "4"),
        first("backtrack/bitmask", "1"),
    ];
    let report = crosscheck_runs(&rows, &[], &plain, &Registry::builtin(), later()).expect("no solver fails");
    let mac = "backtrack/mac";
    let expected = [("backtrack/cbj", Goal::First, mac, "found another first solution than backtrack/mac")];
    assert_eq!(at_odds(&report), expected);
    let with_mac = report.rows.iter().filter(|row| row.against == mac).map(|row| row.solver.as_str());
    assert_eq!(with_mac.collect::<Vec<_>>(), ["backtrack/cbj", "backtrack/bitmask"]);
}

#[test]
fn a_foreign_sat_solver_is_not_the_reference_and_published_numbers_of_variants_are_compared() {
    let rooks = Problem::from_text(BoardSize::new(5).expect("small"), "rooks").expect("a problem");
    let registry = Registry::builtin().with_sat("external", "sh -c 'echo s UNSATISFIABLE' {cnf}");
    let [liar, own] =
        ["sat/pairwise/external", "sat/pairwise/batsat"].map(|id| registry.get(id).expect("a solver"));
    let report =
        crosscheck(&[liar, own].map(Entrant::new), [rooks], &|_, _| &Silent).expect("no solver fails");
    let found: Vec<_> =
        at_odds(&report).into_iter().map(|(solver, _, against, _)| (solver, against)).collect();
    let liar = "sat/pairwise/external";
    assert_eq!(found, [(liar, "sat/pairwise/batsat"), (liar, "A000142")]);
}

/// A missing number must not be read as 0 boards.
#[test]
fn a_complete_enumeration_without_a_number_of_solutions_is_named() {
    let row = Row {
        status: Status::Complete,
        ..Row::skipped("r7".into(), "c".into(), 6, Goal::Enumerate, "program/mine".into())
    };
    let report =
        crosscheck_runs(&[row], &[], &plain, &Registry::builtin(), later()).expect("no solver fails");
    assert!(report.rows.is_empty());
    let expected = "n=6: program/mine has no number of solutions in its complete run r7";
    assert_eq!(said(&report), [expected]);
}
