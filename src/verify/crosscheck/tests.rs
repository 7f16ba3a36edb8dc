use std::ops::ControlFlow;

use super::*;
use crate::solver::{Info, Outcome, Sink, Stop};

/// `backtrack/bitmask` with its boards changed on the way out.
struct Changed<F>(F);

impl<F: Fn(&[u16]) -> Vec<Vec<u16>> + Send + Sync> Solver for Changed<F> {
    fn info(&self) -> Info {
        Info::named("test/changed")
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let registry = Registry::builtin();
        let bitmask = registry.get("backtrack/bitmask").expect("built in");
        let mut solutions = 0;
        let outcome = bitmask.solve(
            &Task { budget: task.budget.clone(), ..Task::of(&task.problem, task.goal) },
            &mut |columns: &[u16]| {
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

fn check(solver: &dyn Solver, sizes: &str) -> Crosscheck {
    let registry = Registry::builtin();
    let reference = registry.get("sat/pairwise/varisat").expect("built in");
    let entrants = [solver, reference].map(Entrant::new);
    let sizes: crate::board::sizes::Sizes = sizes.parse().expect("sizes");
    crosscheck(&entrants, sizes.iter().map(BoardSize::get), &Unobserved).expect("no solver fails")
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
    let report = check(&Changed(|columns: &[u16]| vec![columns.to_vec()]), "0-7");
    assert!(report.agrees(), "{:?}", said(&report));
    let against: std::collections::BTreeSet<&str> =
        report.rows.iter().filter(|row| row.n == 6).map(|row| row.against.as_str()).collect();
    let expected = ["A000170", "A002562", "board", "sat/pairwise/varisat"];
    assert!(against.iter().copied().eq(expected), "{against:?}");
}

#[test]
fn a_missing_solution_is_drawn() {
    let lost = [1, 3, 5, 0, 2, 4];
    let report = check(&Changed(move |c: &[u16]| if c == lost { vec![] } else { vec![c.to_vec()] }), "4-6");
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
    let instead = |c: &[u16]| if c == [2, 0, 3, 1] { vec![vec![1, 3, 0, 2]] } else { vec![c.to_vec()] };
    let report = check(&Changed(instead), "4");
    let row = against_sat(&report);
    assert_eq!((row.solutions, row.missing, row.duplicates, row.agrees), (2, Some(1), Some(1), false));
    assert_eq!(row.first_difference.as_deref(), Some("duplicate: 1 3 0 2"));
    assert_eq!(report.discrepancies.iter().filter(|d| d.against == "A000170").count(), 0);
}

#[test]
fn an_illegal_board_is_named_first() {
    let wrong = |c: &[u16]| if c[0] == 4 { vec![vec![0, 1, 2, 3, 4]] } else { vec![c.to_vec()] };
    let report = check(&Changed(wrong), "5");
    let row = against_sat(&report);
    assert_eq!((row.illegal, row.missing, row.duplicates), (Some(1), Some(2), Some(1)));
    assert_eq!(row.first_difference.as_deref(), Some("illegal: 0 1 2 3 4"));
    assert!(said(&report).iter().any(|line| line.contains("found 2 boards that are not solutions")));
}

#[test]
fn every_board_mirrored_is_the_same_set() {
    let mirrored = |c: &[u16]| vec![c.iter().map(|&column| c.len() as u16 - 1 - column).collect()];
    assert!(check(&Changed(mirrored), "1-7").agrees());
}

#[test]
fn recorded_digests_that_differ_are_told_apart_from_those_that_agree() {
    let registry = Registry::builtin();
    let row = |solver: &str, digest: &str, solutions| Row {
        status: Status::Complete,
        solutions: Some(solutions),
        digest: Some(digest.into()),
        ..Row::skipped("r".into(), "c".into(), 6, Goal::Enumerate, solver.into())
    };
    let true_digest = {
        let report = check(&Changed(|columns: &[u16]| vec![columns.to_vec()]), "6");
        against_sat(&report).digest.clone().expect("visited")
    };
    let rows = [
        row("sat/pairwise/varisat", &true_digest, 4),
        row("backtrack/bitmask", &true_digest, 4),
        row("program/mine", "0", 4),
        row("backtrack/flag-arrays", "0", 4),
    ];
    let report = crosscheck_runs(&rows, &[], &plain, &registry).expect("no solver fails");
    let at_odds: Vec<&str> = report.discrepancies.iter().map(|d| d.solver.as_str()).collect();
    assert_eq!(at_odds, ["program/mine", "backtrack/flag-arrays"]);
    assert!(said(&report)[1].contains("not when both were run again"));
}

/// n = 28 would take far too long.
#[test]
fn solvers_do_not_run_again_beyond_the_deadline() {
    let registry = Registry::builtin();
    let row = |solver: &str, digest: &str| Row {
        status: Status::Complete,
        solutions: Some(7),
        digest: Some(digest.into()),
        ..Row::skipped("r".into(), "c".into(), 28, Goal::Enumerate, solver.into())
    };
    let rows = [row("backtrack/bitmask", "1"), row("backtrack/flag-arrays", "2")];
    let report =
        crosscheck_runs_until(Instant::now(), &rows, &[], &plain, &registry).expect("no solver fails");
    let said = said(&report).join("\n");
    assert!(said.contains("found 7 boards, backtrack/bitmask found 7, and the digests differ"), "{said}");
}

/// Only solvers that promise the lexicographically first solution, each answer of a solver once.
#[test]
fn first_solutions_are_compared_if_they_must_be_the_same() {
    let registry = Registry::builtin();
    let row = |label: &str, digest: &str| Row {
        status: Status::Sat,
        solutions: Some(1),
        digest: Some(digest.into()),
        ..Row::skipped("r".into(), "c".into(), 8, Goal::First, label.into())
    };
    let rows = [
        row("backtrack/mac", "1"),
        row("backtrack/bitmask", "1"),
        row("backtrack/mac", "1"),
        row("backtrack/cbj", "2"),
        row("sat/pairwise/varisat", "3"),
        row("backtrack/lds", "4"),
        row("backtrack/forward-checking:rows=smallest", "5"),
    ];
    let report = crosscheck_runs(&rows, &[], &plain, &registry).expect("no solver fails");
    let bitmask = "backtrack/bitmask";
    let compared = report.rows.iter().map(|row| (row.solver.as_str(), row.against.as_str(), row.agrees));
    assert_eq!(
        Vec::from_iter(compared),
        [("backtrack/mac", bitmask, true), ("backtrack/cbj", bitmask, false)]
    );
    let expected = format!("n=8: backtrack/cbj found another first solution than {bitmask}");
    assert_eq!(said(&report), [expected]);
}

/// A missing number must not be read as 0 boards.
#[test]
fn a_complete_enumeration_without_a_number_of_solutions_is_named() {
    let row = Row {
        status: Status::Complete,
        ..Row::skipped("r7".into(), "c".into(), 6, Goal::Enumerate, "program/mine".into())
    };
    let report = crosscheck_runs(&[row], &[], &plain, &Registry::builtin()).expect("no solver fails");
    assert!(report.rows.is_empty());
    let expected = "n=6: program/mine has no number of solutions in its complete run r7";
    assert_eq!(said(&report), [expected]);
}
