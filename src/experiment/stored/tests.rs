use super::*;
use crate::experiment::plan::run_id;
use crate::record::{SCHEMA_VERSION, Status, Verdict};
use crate::solver::Goal;

fn row(repetition: u32) -> Row {
    let mut row = Row::skipped(String::new(), String::new(), 8, Goal::Count, "s".into());
    row.repetition = repetition;
    identified(row)
}

/// With the ids that follow from its fields.
fn identified(mut row: Row) -> Row {
    row.cell_id = Cell::of_row(&row, None).id;
    row.run_id = run_id(&row.cell_id, row.warmup, row.repetition);
    row
}

fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("temporary directory");
    table::write(directory.path(), &[row(1), row(2)]).expect("written");
    directory
}

fn refused(directory: &Path) -> String {
    Stored::read(directory).expect_err("bad").to_string()
}

fn runs(directory: &Path) -> String {
    std::fs::read_to_string(directory.join("runs.csv")).expect("runs")
}

/// The error that a directory with these rows gives.
fn refused_rows(rows: &[Row]) -> String {
    let directory = tempfile::tempdir().expect("temporary directory");
    table::write(directory.path(), rows).expect("written");
    refused(directory.path())
}

#[test]
fn a_torn_last_line_is_ignored_with_a_remark_and_the_file_is_unchanged() {
    let directory = directory();
    let text = runs(directory.path());
    let torn = &text[..text.len() - 3];
    std::fs::write(directory.path().join("runs.csv"), torn).expect("torn");
    let stored = Stored::read(directory.path()).expect("read");
    assert_eq!(stored.rows.len(), 1);
    assert!(stored.remarks[0].contains("last line is incomplete"), "{:?}", stored.remarks);
    assert_eq!(runs(directory.path()), torn);
}

#[test]
fn missing_and_empty_tables_and_other_versions_are_reported() {
    let empty = tempfile::tempdir().expect("temporary directory");
    assert!(refused(empty.path()).contains("runs.csv: this file does not exist"));
    assert!(refused(&empty.path().join("nowhere")).contains("does not exist"));
    std::fs::write(empty.path().join("runs.csv"), "").expect("write");
    let stored = Stored::read(empty.path()).expect("an empty table");
    assert!(stored.remarks[1].contains("contains no runs"), "{:?}", stored.remarks);
    std::fs::write(empty.path().join("runs.csv"), "schema_ver").expect("write");
    assert!(refused(empty.path()).contains("ends within its first line"));
    let directory = directory();
    let next = SCHEMA_VERSION + 1;
    let text = runs(directory.path()).replace("\n1,", &format!("\n{next},"));
    std::fs::write(directory.path().join("runs.csv"), text).expect("write");
    assert!(
        refused(directory.path()).contains(&format!("schema version '{next}'")),
        "{}",
        refused(directory.path())
    );
}

#[test]
fn an_impossible_board_size_is_refused() {
    let directory = directory();
    let text = runs(directory.path()).replace(",8,queens", ",99999999999,queens");
    std::fs::write(directory.path().join("runs.csv"), text).expect("write");
    let error = refused(directory.path());
    assert!(error.contains("line 2: run ") && error.contains("n = 99999999999 exceeds"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_not_read() {
    let directory = tempfile::tempdir().expect("temporary directory");
    std::os::unix::fs::symlink("/dev/zero", directory.path().join("runs.csv")).expect("link");
    assert!(refused(directory.path()).contains("not a regular file"));
}

#[test]
fn answers_are_judged_again_and_no_verdict_becomes_better() {
    let solved = |repetition, solutions, verdict| Row {
        status: Status::Complete,
        solutions: Some(solutions),
        verdict,
        ..row(repetition)
    };
    let mut rows = [
        solved(1, 92, Verdict::Correct),
        solved(2, 91, Verdict::Correct),
        solved(3, 92, Verdict::Wrong),
        solved(4, 92, Verdict::Unchecked),
        Row { verdict: Verdict::Correct, status: Status::Timeout, ..row(5) },
        Row { verdict: Verdict::Wrong, status: Status::Crashed, ..row(6) },
    ];
    let remarks = judge(Path::new("nowhere"), &mut rows, None).expect("a sweep could have written them");
    use Verdict::{Correct, Unchecked, Wrong};
    assert_eq!(rows.each_ref().map(|row| row.verdict), [Correct, Wrong, Wrong, Unchecked, Unchecked, Wrong]);
    assert_eq!(rows[1].expected_solutions, Some(92));
    assert!(
        remarks[0].contains("line 3: the answer was judged again and is wrong (it found 91 solutions, "),
        "{remarks:?}"
    );
    assert!(remarks[0].ends_with("; 1 more such rows"), "{remarks:?}");
}

#[test]
fn a_digest_that_differs_from_that_of_judged_boards_disagrees() {
    let enumerated = |counting, digest: &str| {
        // 13 queens: for smaller boards the digest of all solutions is known.
        identified(Row {
            n: 13,
            goal: Goal::Enumerate,
            status: Status::Complete,
            verdict: Verdict::Correct,
            solutions: Some(73_712),
            solutions_digest: Some(digest.into()),
            counting,
            ..row(1)
        })
    };
    let mut rows = [enumerated(true, "aa"), enumerated(false, "bb")];
    judge(Path::new("nowhere"), &mut rows, None).expect("a sweep could have written them");
    assert_eq!(rows.map(|row| row.verdict), [Verdict::Correct, Verdict::Disagree]);
}

#[test]
fn rows_that_no_sweep_would_write_are_refused_with_their_line() {
    let solved = |goal, status, solutions| identified(Row { goal, status, solutions, ..row(2) });
    for (bad, expected) in [
        (row(1), "is already in line 2"),
        (Row { n: 9, ..row(2) }, "does not match its size"),
        (Row { seed: 7, ..row(2) }, "does not match its size"),
        (Row { cell_id: "c".into(), run_id: "c.2".into(), ..row(2) }, "cell_id c does not match"),
        (Row { repetition: 3, ..row(2) }, "run_id does not match"),
        (solved(Goal::Count, Status::Complete, None), "does not match its goal"),
        (solved(Goal::Count, Status::Sat, Some(1)), "does not match its goal"),
        (solved(Goal::First, Status::Complete, Some(1)), "does not match its goal"),
        (solved(Goal::First, Status::Unsat, Some(1)), "does not match its goal"),
        (solved(Goal::Enumerate, Status::Complete, Some(92)), "has no solutions_digest"),
    ] {
        let error = refused_rows(&[row(1), bad]);
        assert!(error.contains("runs.csv: line 3: run ") && error.contains(expected), "{error}");
    }
}

#[test]
fn levels_belong_to_a_cell_and_are_unique() {
    let run = row(1);
    let level = |level: usize| LevelRow {
        schema_version: SCHEMA_VERSION,
        cell_id: run.cell_id.clone(),
        n: 8,
        variant: run.variant.clone(),
        solver: run.solver.clone(),
        level,
        nodes: 1,
        dead_ends: 0,
        expected_nodes: None,
        expected_source: None,
    };
    let mut judge = Judge::new(Path::new("r"), None);
    judge.row(&mut run.clone()).expect("a sweep could have written it");
    let (firsts, _) = judge.finish();
    let check = |levels: &[LevelRow]| {
        let mut levels = levels.to_vec();
        let checked = check_levels(Path::new("r"), &firsts, &mut levels);
        checked.map(|()| levels.len()).map_err(|error| error.to_string())
    };
    let unfinished = LevelRow { cell_id: "x".into(), ..level(0) };
    assert_eq!(check(&[level(0), level(1), unfinished]), Ok(2));
    let refused = |levels: &[LevelRow]| check(levels).expect_err("refused");
    assert!(refused(&[level(0), level(0)]).contains("levels.csv: line 3: level 0"));
    assert!(refused(&[LevelRow { n: 9, ..level(0) }]).contains("does not match"));
    assert!(refused(&[level(9)]).contains("does not match"));
}
