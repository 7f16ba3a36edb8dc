//! Reads a result directory: for a sweep that is resumed, and for reports, comparisons and exports. The
//! directory may come from an untrusted source, may have been cut off in the middle of a line, and may
//! contain any bytes. All of it is treated as data; nothing in it is used as a path or a command.
//!
//! The claims of a row are checked: its cell and its run must match its other fields and the plan, no run may
//! occur twice, and its answer is judged again.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

use serde_json::Value;

use super::plan::{Cell, Plan, run_id};
use super::runner::protocol::Report;
use super::runner::verdict::Bench;
use crate::board::{BoardSize, known};
use crate::record::{
    CrosscheckRow, LevelRow, Meta, RecordError, Row, Status, Table, Verdict, is_foreign, table,
};
use crate::solver::Goal;

/// The content of a result directory.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    /// Every run, judged again.
    pub rows: Vec<Row>,
    /// Every level of the runs' search trees.
    pub levels: Vec<LevelRow>,
    /// Every comparison; empty if the table is missing.
    pub crosscheck: Vec<CrosscheckRow>,
    /// What the results were made with, if `meta.json` exists.
    pub meta: Option<Meta>,
    /// Remarks for the user.
    pub remarks: Vec<String>,
}

impl Stored {
    /// Reads a result directory. Memory is proportional to the size of its tables.
    pub fn read(directory: &Path) -> Result<Self, RecordError> {
        let mut remarks = Vec::new();
        if !directory.is_dir() {
            let error = io::Error::new(io::ErrorKind::NotFound, "this result directory does not exist");
            return Err(RecordError::Io { path: directory.to_owned(), error });
        }
        let runs = directory.join(Row::FILE);
        if runs.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            let reason = "this file does not exist: give the directory of a sweep (its --out)".to_owned();
            return Err(RecordError::Table { path: runs, reason });
        }
        let mut rows: Vec<Row> = whole(directory, &mut remarks)?;
        let meta = Meta::read(directory)?;
        if meta.is_none() {
            remarks.push(format!(
                "{}: meta.json does not exist: the machine, plan and command are unknown",
                directory.display()
            ));
        }
        let cells = meta.as_ref().map(|meta| cells(directory, meta)).transpose()?;
        remarks.extend(judge(directory, &mut rows, cells.as_ref())?);
        if let Some(meta) = &meta {
            rows = without_replaced(rows, &meta.plan);
        }
        if rows.is_empty() {
            remarks.push(format!("{}: the table contains no runs", runs.display()));
        }
        let mut levels: Vec<LevelRow> = optional(directory, &mut remarks)?;
        check_levels(directory, &rows, &mut levels)?;
        Ok(Self { rows, levels, crosscheck: optional(directory, &mut remarks)?, meta, remarks })
    }
}

/// Leaves out the runs of a foreign program that has been replaced since (`sweep --accept`): the plan has
/// cells of that program at that size, but none with the id of the row's cell.
pub fn without_replaced(mut rows: Vec<Row>, plan: &Value) -> Vec<Row> {
    let cells = plan.get("cells").and_then(Value::as_array).into_iter().flatten();
    let mut ids: HashSet<&str> = HashSet::new();
    let mut sizes: HashSet<(&str, u64)> = HashSet::new();
    for cell in cells {
        ids.extend(cell.get("id").and_then(Value::as_str));
        sizes.extend(cell.get("solver").and_then(Value::as_str).zip(cell.get("n").and_then(Value::as_u64)));
    }
    rows.retain(|row| {
        !is_foreign(&row.solver)
            || ids.contains(row.cell_id.as_str())
            || !sizes.contains(&(row.solver.as_str(), row.n as u64))
    });
    rows
}

/// Reads a table without an incomplete last row, which a killed process may have left behind.
fn whole<T: Table>(directory: &Path, remarks: &mut Vec<String>) -> Result<Vec<T>, RecordError> {
    let (rows, torn) = table::read_whole(directory)?;
    if torn {
        let path = directory.join(T::FILE);
        remarks.push(format!("{}: the last line is incomplete and is ignored", path.display()));
    }
    Ok(rows)
}

/// Reads a table that may be missing.
fn optional<T: Table>(directory: &Path, remarks: &mut Vec<String>) -> Result<Vec<T>, RecordError> {
    match whole(directory, remarks) {
        Err(RecordError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

/// The cells that are allowed to have rows, by id.
pub type Cells = HashMap<String, Cell>;

/// The cells of a plan, by id.
pub fn planned(plan: &Plan) -> Cells {
    plan.cells.iter().map(|cell| (cell.id.clone(), cell.clone())).collect()
}

/// The cells of the plan that a directory was made with, and of its earlier plans.
pub fn cells(directory: &Path, meta: &Meta) -> Result<Cells, RecordError> {
    let planned = meta.plan.get("cells").and_then(|cells| cells.as_array()).into_iter().flatten();
    let mut cells = Cells::new();
    for cell in planned.chain(&meta.earlier_cells) {
        let cell: Cell = serde::Deserialize::deserialize(cell).map_err(|error| RecordError::Table {
            path: directory.join(Meta::FILE),
            reason: format!("a cell of its plan cannot be read: {error}"),
        })?;
        cells.insert(cell.id.clone(), cell);
    }
    Ok(cells)
}

/// Checks the rows of a directory's runs.csv and judges their answers again; `cells` is `None` if no plan is
/// known. Returns remarks about verdicts that were changed.
///
/// # Errors
///
/// The line of the first row that no sweep would have written there.
pub fn judge(directory: &Path, rows: &mut [Row], cells: Option<&Cells>) -> Result<Vec<String>, RecordError> {
    let path = directory.join(Row::FILE);
    let mut first_of_cell: HashMap<String, usize> = HashMap::new();
    let mut runs = HashSet::new();
    let mut bench = Bench::default();
    let (mut changed, mut first_change) = (0, None);
    for place in 0..rows.len() {
        let row = &rows[place];
        let first = match first_of_cell.get(&row.cell_id) {
            Some(&first) => first,
            None => *first_of_cell.entry(row.cell_id.clone()).or_insert(place),
        };
        let mut fault = fault(row, (first < place).then(|| &rows[first]), cells);
        if fault.is_none() && !runs.insert((first, row.warmup, row.repetition)) {
            let same = |other: &Row| other.run_id == row.run_id;
            let line = rows[..place].iter().position(same).map_or(0, |first| table::line_of(&path, first));
            fault = Some(format!("this run is already in line {line}"));
        }
        if let Some(fault) = fault {
            let (line, run) = (table::line_of(&path, place), row.run_id.escape_debug());
            return Err(RecordError::Table { path, reason: format!("line {line}: run {run}: {fault}") });
        }
        let said = row.verdict;
        judge_again(&mut rows[place], &bench);
        let row = &rows[place];
        bench.remember(row);
        if row.verdict != said {
            changed += 1;
            first_change.get_or_insert(place);
        }
    }
    let remark = first_change.map(|place| {
        let (line, row) = (table::line_of(&path, place), &rows[place]);
        let why = row.error.as_deref().map_or(String::new(), |why| format!(" ({})", why.escape_debug()));
        let verdict = format!("{:?}", row.verdict).to_lowercase();
        let more = if changed > 1 { format!("; {} more such rows", changed - 1) } else { String::new() };
        let path = path.display();
        format!(
            "{path}: line {line}: the answer was judged again and is {verdict}{why}; the recorded verdict is ignored{more}"
        )
    });
    Ok(remark.into_iter().collect())
}

/// Why no sweep would have written this row; `first` is the first row with the same cell_id.
fn fault(row: &Row, first: Option<&Row>, cells: Option<&Cells>) -> Option<String> {
    if row.n > BoardSize::MAX {
        return Some(format!("n = {} exceeds the largest board ({})", row.n, BoardSize::MAX));
    }
    let shown = row.cell_id.escape_debug();
    let fields = |row: &Row| {
        let limits = (row.time_limit_ns, row.memory_limit_bytes);
        (row.n, row.goal, row.threads, row.seed, row.counting, limits)
    };
    let same = |other: &Row| {
        fields(row) == fields(other) && row.solver == other.solver && row.variant == other.variant
    };
    if !first.is_some_and(same) {
        let planned = cells.and_then(|cells| cells.get(&row.cell_id));
        if cells.is_some() && planned.is_none() {
            return Some(format!("the plan in meta.json has no cell {shown}"));
        }
        // Without the plan, the command of a program is not known.
        let is_known = planned.is_some() || !is_foreign(&row.solver);
        if is_known && Cell::of_row(row, planned).id != row.cell_id {
            return Some(format!("cell_id {shown} does not match its size, goal, solver, seed and limits"));
        }
    }
    if row.run_id != run_id(&row.cell_id, row.warmup, row.repetition) {
        return Some("run_id does not match its cell_id, warmup and repetition".to_owned());
    }
    let fits = match row.status {
        Status::Complete => row.goal != Goal::First,
        Status::Sat => row.goal == Goal::First && row.solutions > Some(0),
        Status::Unsat => row.goal == Goal::First && row.solutions == Some(0),
        _ => return None,
    };
    if !fits || row.solutions.is_none() {
        return Some(format!("status '{}' does not match its goal and solutions", row.status));
    }
    let visited = row.goal == Goal::Enumerate && row.solutions_digest.is_none();
    visited.then(|| "an enumeration has no solutions_digest".to_owned())
}

/// Judges the answer of a row again. The verdict may become worse but never better: the boards themselves
/// were seen only during the run.
fn judge_again(row: &mut Row, bench: &Bench) {
    if !row.status.is_solved() {
        // A run that ended because of a wrong answer has no answer, and stays wrong.
        if row.verdict != Verdict::Wrong {
            row.verdict = Verdict::Unchecked;
        }
        return;
    }
    if row.goal != Goal::First {
        row.expected_solutions = known::solutions(row.n);
        row.expected_source = row.expected_solutions.map(|_| known::SOLUTIONS_SOURCE.to_owned());
    }
    let rank = |verdict: Verdict| match verdict {
        Verdict::Correct => 0,
        Verdict::Unchecked => 1,
        Verdict::Disagree => 2,
        Verdict::Wrong => 3,
    };
    let (verdict, why) = bench.judge(row, &Report::default());
    // Only during the run could the boards of a foreign program be checked for repetitions; the row does not
    // record it.
    let unseen = verdict == Verdict::Unchecked && row.expected_solutions.is_some();
    if rank(verdict) > rank(row.verdict) && !unseen {
        row.verdict = verdict;
        row.error = why.or(row.error.take());
    }
}

/// Removes levels of unfinished runs; a level that occurs twice or does not match the fields of its run is an
/// error.
fn check_levels(directory: &Path, rows: &[Row], levels: &mut Vec<LevelRow>) -> Result<(), RecordError> {
    let runs: HashMap<&str, &Row> = rows.iter().map(|row| (row.cell_id.as_str(), row)).collect();
    let mut seen = HashSet::new();
    for (place, level) in levels.iter().enumerate() {
        let Some(run) = runs.get(level.cell_id.as_str()) else { continue };
        let same = (level.n, &level.solver, &level.variant) == (run.n, &run.solver, &run.variant);
        if same && level.level <= level.n && seen.insert((level.cell_id.as_str(), level.level)) {
            continue;
        }
        let path = directory.join(LevelRow::FILE);
        let (line, cell) = (table::line_of(&path, place), level.cell_id.escape_debug());
        let what = if same && level.level <= level.n { "occurs twice" } else { "does not match its cell" };
        let reason = format!("line {line}: level {} of cell {cell} {what}", level.level);
        return Err(RecordError::Table { path, reason });
    }
    levels.retain(|level| runs.contains_key(level.cell_id.as_str()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::SCHEMA_VERSION;
    use proptest::prelude::*;

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
    fn a_torn_last_line_is_left_out_and_told_and_the_file_stays_as_it_is() {
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
    fn what_is_missing_empty_or_of_another_version_is_said() {
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
    fn a_size_that_is_no_board_is_refused() {
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
        assert_eq!(
            rows.each_ref().map(|row| row.verdict),
            [Correct, Wrong, Wrong, Unchecked, Unchecked, Wrong]
        );
        assert_eq!(rows[1].expected_solutions, Some(92));
        assert!(
            remarks[0].contains("line 3: the answer was judged again and is wrong (it found 91 solutions, "),
            "{remarks:?}"
        );
        assert!(remarks[0].ends_with("; 1 more such rows"), "{remarks:?}");
    }

    #[test]
    fn another_digest_than_that_of_the_boards_that_were_judged_disagrees() {
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
        for (bad, told) in [
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
            assert!(error.contains("runs.csv: line 3: run ") && error.contains(told), "{error}");
        }
    }

    #[test]
    fn a_cell_that_no_plan_has_is_refused() {
        let cell = Cell::of_row(&row(1), None);
        let cells: Cells = [(cell.id.clone(), cell)].into();
        let other = identified(Row { n: 9, ..row(1) });
        assert!(judge(Path::new("r"), &mut [row(1)], Some(&cells)).is_ok());
        let error =
            judge(Path::new("r"), &mut [row(1), other], Some(&cells)).expect_err("foreign").to_string();
        assert!(
            error.contains("line 3: run ") && error.contains("the plan in meta.json has no cell"),
            "{error}"
        );
    }

    #[test]
    fn levels_belong_to_a_cell_and_come_once() {
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
        let check = |levels: &[LevelRow]| {
            let mut levels = levels.to_vec();
            let checked = check_levels(Path::new("r"), std::slice::from_ref(&run), &mut levels);
            checked.map(|()| levels.len()).map_err(|error| error.to_string())
        };
        let unfinished = LevelRow { cell_id: "x".into(), ..level(0) };
        assert_eq!(check(&[level(0), level(1), unfinished]), Ok(2));
        let refused = |levels: &[LevelRow]| check(levels).expect_err("refused");
        assert!(refused(&[level(0), level(0)]).contains("levels.csv: line 3: level 0"));
        assert!(refused(&[LevelRow { n: 9, ..level(0) }]).contains("does not match"));
        assert!(refused(&[level(9)]).contains("does not match"));
    }

    proptest! {
        #[test]
        fn whatever_bytes_there_are_they_are_read_or_refused(
            table in prop::collection::vec(any::<u8>(), 0..300),
            meta in prop::collection::vec(any::<u8>(), 0..100),
            header in any::<bool>(),
        ) {
            let directory = tempfile::tempdir().expect("temporary directory");
            let head = if header { Row::COLUMNS.join(",") + "\n" } else { String::new() };
            let text = [head.as_bytes(), &table].concat();
            std::fs::write(directory.path().join("runs.csv"), text).expect("write");
            std::fs::write(directory.path().join("meta.json"), meta).expect("write");
            let _ = Stored::read(directory.path());
        }
    }
}
