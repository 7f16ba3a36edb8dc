//! Reads a result directory: for a sweep that is resumed, and for reports, comparisons and exports. The
//! directory may come from an untrusted source, may have been cut off in the middle of a line, and may
//! contain any bytes. All of it is treated as data; nothing in it is used as a path or a command.
//!
//! The claims of a row are checked: its cell and its run must match its other fields and the plan, no run may
//! occur twice, and its answer is judged again.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::builtin;
use super::claim::Claim;
use super::plan::{Cell, Plan, run_id};
use super::runner::expect_published;
use super::runner::protocol::Report;
use super::runner::verdict::References;
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::record::{
    CrosscheckRow, LevelRow, Meta, RecordError, Row, Status, Table, VARIANT, Verdict, is_foreign, table,
};
use crate::solver::Goal;

/// The content of a result directory. `R` is the part of each run that is kept.
#[derive(Clone, Debug, Default)]
pub struct Stored<R = Row> {
    /// Every run, judged again.
    pub rows: Vec<R>,
    /// Every level of the runs' search trees.
    pub levels: Vec<LevelRow>,
    /// Every comparison; empty if the table is missing.
    pub crosscheck: Vec<CrosscheckRow>,
    /// What the results were made with, if `meta.json` exists.
    pub meta: Option<Meta>,
    /// What the results are said to show: the claims of the plan or, if it was made before there were claims, those of the
    /// built-in experiment of its name.
    pub claims: Vec<Claim>,
    /// Remarks for the user.
    pub remarks: Vec<String>,
}

impl Stored {
    /// Reads a result directory. Memory is proportional to the size of its tables.
    pub fn read(directory: &Path) -> Result<Self, RecordError> {
        Self::read_as(directory, |row| row)
    }
}

impl<R> Stored<R> {
    /// Reads a result directory and keeps `part` of each checked row of `runs.csv`. Memory: the parts, and about 50 bytes
    /// per run while the table is read; the table itself is never in memory.
    pub fn read_as(directory: &Path, mut part: impl FnMut(Row) -> R) -> Result<Self, RecordError> {
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
        // Errors of runs.csv come first.
        crate::files::open_regular(&runs).map_err(|error| RecordError::Io { path: runs.clone(), error })?;
        let meta = Meta::read(directory)?;
        let cells = meta.as_ref().map(|meta| cells(directory, meta)).transpose()?;
        let planned = meta.as_ref().map(|meta| Planned::of(&meta.plan));
        let mut judge = Judge::new(directory, cells.as_ref());
        let mut rows = Vec::new();
        let torn = table::for_each_complete(directory, |mut row: Row| {
            judge.row(&mut row)?;
            let replaced = |planned: &Planned<'_>| planned.has_replaced(row.n, &row.solver, &row.cell_id);
            if !planned.as_ref().is_some_and(replaced) {
                rows.push(part(row));
            }
            Ok(())
        })?;
        if torn {
            remarks.push(torn_remark::<Row>(directory));
        }
        if meta.is_none() {
            remarks.push(format!(
                "{}: meta.json does not exist: the machine, plan and command are unknown",
                directory.display()
            ));
        }
        let (mut firsts, remark) = judge.finish();
        remarks.extend(remark);
        if rows.is_empty() {
            remarks.push(format!("{}: the table contains no runs", runs.display()));
        }
        let mut levels: Vec<LevelRow> = optional(directory, &mut remarks)?;
        if let Some(planned) = &planned {
            firsts.retain(|id, first| !planned.has_replaced(first.fields.0, &first.solver, id));
        }
        check_levels(directory, &firsts, &mut levels)?;
        let claims = meta.as_ref().map(|meta| claims(directory, meta)).transpose()?.unwrap_or_default();
        Ok(Self { rows, levels, crosscheck: optional(directory, &mut remarks)?, meta, claims, remarks })
    }
}

/// Leaves out the runs of a foreign program that has been replaced since (`sweep --accept`): the plan has
/// cells of that program at that size, but none with the id of the row's cell.
pub fn without_replaced(mut rows: Vec<Row>, plan: &Value) -> Vec<Row> {
    let planned = Planned::of(plan);
    rows.retain(|row| !planned.has_replaced(row.n, &row.solver, &row.cell_id));
    rows
}

/// The cells of a plan: their ids, and the solvers with their sizes.
#[derive(Default)]
struct Planned<'a> {
    ids: HashSet<&'a str>,
    sizes: HashSet<(&'a str, u64)>,
}

impl<'a> Planned<'a> {
    fn of(plan: &'a Value) -> Self {
        let mut planned = Self::default();
        for cell in plan.get("cells").and_then(Value::as_array).into_iter().flatten() {
            planned.ids.extend(cell.get("id").and_then(Value::as_str));
            let size = cell.get("n").and_then(Value::as_u64);
            planned.sizes.extend(cell.get("solver").and_then(Value::as_str).zip(size));
        }
        planned
    }

    fn has_replaced(&self, n: usize, solver: &str, cell_id: &str) -> bool {
        is_foreign(solver) && !self.ids.contains(cell_id) && self.sizes.contains(&(solver, n as u64))
    }
}

fn torn_remark<T: Table>(directory: &Path) -> String {
    format!("{}: the last line is incomplete and is ignored", directory.join(T::FILE).display())
}

/// Reads an optional table without its torn last row, which a killed process may have left behind.
fn optional<T: Table>(directory: &Path, remarks: &mut Vec<String>) -> Result<Vec<T>, RecordError> {
    let mut rows = Vec::new();
    let read = table::for_each_complete(directory, |row| {
        rows.push(row);
        Ok(())
    });
    match read {
        Err(RecordError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {}
        Ok(false) => {}
        Ok(true) => remarks.push(torn_remark::<T>(directory)),
        Err(error) => return Err(error),
    }
    Ok(rows)
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

/// The claims of the plan that a directory was made with.
fn claims(directory: &Path, meta: &Meta) -> Result<Vec<Claim>, RecordError> {
    let Some(claims) = meta.plan.get("claims") else {
        let name = meta.plan.get("name").and_then(Value::as_str).unwrap_or_default();
        return Ok(builtin::named(name).and_then(Result::ok).map_or(Vec::new(), |spec| spec.claims));
    };
    serde::Deserialize::deserialize(claims).map_err(|error| RecordError::Table {
        path: directory.join(Meta::FILE),
        reason: format!("a claim of its plan cannot be read: {error}"),
    })
}

/// Checks the rows of a directory's runs.csv and judges their answers again; `cells` is `None` if no plan is
/// known. Returns remarks about verdicts that were changed.
///
/// # Errors
///
/// The line of the first row that no sweep would have written there.
pub fn judge(directory: &Path, rows: &mut [Row], cells: Option<&Cells>) -> Result<Vec<String>, RecordError> {
    let mut judge = Judge::new(directory, cells);
    rows.iter_mut().try_for_each(|row| judge.row(row))?;
    Ok(judge.finish().1.into_iter().collect())
}

/// Does the work of [`judge`] row by row.
#[derive(Default)]
struct Judge<'a> {
    path: PathBuf,
    cells: Option<&'a Cells>,
    firsts: Firsts,
    /// The place of each run in the table, by the number of its cell, its repetition and whether it is a warm-up run.
    runs: HashMap<(u32, u32, bool), u32>,
    references: References,
    /// How many rows there were so far.
    place: usize,
    changed: usize,
    first_change: Option<String>,
}

/// The first row of each cell_id.
type Firsts = HashMap<String, First>;

/// What the rows of a cell have in common.
struct First {
    number: u32,
    solver: String,
    variant: String,
    options: Option<String>,
    instance_digest: Option<String>,
    fields: Fields,
}

/// Size, goal, threads, seed, whether it is a counting run, limits.
type Fields = (usize, Goal, usize, u64, bool, [Option<u64>; 2]);

/// The number of a row or cell in half the memory.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("a table of at most 1 GiB has fewer rows than u32 counts")
}

fn fields(row: &Row) -> Fields {
    let limits = [row.time_limit_ns, row.memory_limit_bytes];
    (row.n, row.goal, row.threads, row.seed, row.counting, limits)
}

impl First {
    fn is_like(&self, row: &Row) -> bool {
        self.fields == fields(row)
            && (&self.solver, &self.variant, &self.options, &self.instance_digest)
                == (&row.solver, &row.variant, &row.options, &row.instance_digest)
    }
}

impl<'a> Judge<'a> {
    fn new(directory: &Path, cells: Option<&'a Cells>) -> Self {
        Self { path: directory.join(Row::FILE), cells, ..Self::default() }
    }

    /// Checks and judges the next row of the table.
    fn row(&mut self, row: &mut Row) -> Result<(), RecordError> {
        let place = self.place;
        self.place += 1;
        let first = self.firsts.get(&row.cell_id);
        if let Some(fault) = fault(row, first, self.cells) {
            return Err(self.refusal(place, row, &fault));
        }
        let number = match first {
            Some(first) => first.number,
            None => {
                let number = narrow(self.firsts.len());
                let Row { solver, variant, options, instance_digest, .. } = row.clone();
                let first = First { number, solver, variant, options, instance_digest, fields: fields(row) };
                self.firsts.insert(row.cell_id.clone(), first);
                number
            }
        };
        if let Some(earlier) = self.runs.insert((number, row.repetition, row.warmup), narrow(place)) {
            let line = table::line_of(&self.path, earlier as usize);
            return Err(self.refusal(place, row, &format!("this run is already in line {line}")));
        }
        let recorded = row.verdict;
        let problem = self.problem_of(row);
        judge_again(row, problem.as_ref(), &self.references);
        self.references.remember(row);
        if row.verdict != recorded {
            self.changed += 1;
            if self.first_change.is_none() {
                let line = table::line_of(&self.path, place);
                let why =
                    row.error.as_deref().map_or(String::new(), |why| format!(" ({})", why.escape_debug()));
                let verdict = format!("{:?}", row.verdict).to_lowercase();
                self.first_change = Some(format!(
                    "{}: line {line}: the answer was judged again and is {verdict}{why}; the recorded verdict is ignored",
                    self.path.display()
                ));
            }
        }
        Ok(())
    }

    fn refusal(&self, place: usize, row: &Row, fault: &str) -> RecordError {
        let (line, run) = (table::line_of(&self.path, place), row.run_id.escape_debug());
        RecordError::Table { path: self.path.clone(), reason: format!("line {line}: run {run}: {fault}") }
    }

    /// The problem of a row, unless it is the plain one; that of an instance is in the plan.
    fn problem_of(&self, row: &Row) -> Option<Problem> {
        if row.variant == VARIANT {
            return None;
        }
        match self.cells.and_then(|cells| cells.get(&row.cell_id)) {
            Some(cell) => cell.problem().ok(),
            None => Problem::from_text(BoardSize::new(row.n).ok()?, &row.variant).ok(),
        }
    }

    /// The first rows, and a remark about verdicts that were changed.
    fn finish(self) -> (Firsts, Option<String>) {
        let changed = self.changed;
        let more = if changed > 1 { format!("; {} more such rows", changed - 1) } else { String::new() };
        (self.firsts, self.first_change.map(|change| change + &more))
    }
}

/// Why no sweep would have written this row; `first` is the first row with the same cell_id.
fn fault(row: &Row, first: Option<&First>, cells: Option<&Cells>) -> Option<String> {
    if row.n > BoardSize::MAX {
        return Some(format!("n = {} exceeds the largest board ({})", row.n, BoardSize::MAX));
    }
    let shown = row.cell_id.escape_debug();
    if !first.is_some_and(|first| first.is_like(row)) {
        let planned = cells.and_then(|cells| cells.get(&row.cell_id));
        if cells.is_some() && planned.is_none() {
            return Some(format!("the plan in meta.json has no cell {shown}"));
        }
        // Without the plan, the command of a program and the problem of an instance are not known.
        let is_known = planned.is_some() || !(is_foreign(&row.solver) || row.instance_digest.is_some());
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
fn judge_again(row: &mut Row, problem: Option<&Problem>, references: &References) {
    if !row.status.is_solved() {
        // A run that ended because of a wrong answer has no answer, and stays wrong.
        if row.verdict != Verdict::Wrong {
            row.verdict = Verdict::Unchecked;
        }
        return;
    }
    if row.goal != Goal::First {
        expect_published(row);
    }
    let rank = |verdict: Verdict| match verdict {
        Verdict::Correct => 0,
        Verdict::Unchecked => 1,
        Verdict::Disagree => 2,
        Verdict::Wrong => 3,
    };
    let (verdict, why) = references.judge(row, problem, &Report::default());
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
fn check_levels(directory: &Path, firsts: &Firsts, levels: &mut Vec<LevelRow>) -> Result<(), RecordError> {
    let mut seen = HashSet::new();
    for (place, level) in levels.iter().enumerate() {
        let Some(first) = firsts.get(&level.cell_id) else { continue };
        let same =
            (level.n, &level.solver, &level.variant) == (first.fields.0, &first.solver, &first.variant);
        if same && level.level <= level.n && seen.insert((level.cell_id.as_str(), level.level)) {
            continue;
        }
        let path = directory.join(LevelRow::FILE);
        let (line, cell) = (table::line_of(&path, place), level.cell_id.escape_debug());
        let what = if same && level.level <= level.n { "occurs twice" } else { "does not match its cell" };
        let reason = format!("line {line}: level {} of cell {cell} {what}", level.level);
        return Err(RecordError::Table { path, reason });
    }
    levels.retain(|level| firsts.contains_key(&level.cell_id));
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
    fn a_cell_outside_the_plan_is_refused() {
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

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(
            table in prop::collection::vec(any::<u8>(), 0..300),
            meta in prop::collection::vec(any::<u8>(), 0..100),
            header in any::<bool>(),
        ) {
            let directory = tempfile::tempdir().expect("temporary directory");
            let head = if header { Row::columns().join(",") + "\n" } else { String::new() };
            let text = [head.as_bytes(), &table].concat();
            std::fs::write(directory.path().join("runs.csv"), text).expect("write");
            std::fs::write(directory.path().join("meta.json"), meta).expect("write");
            let _ = Stored::read(directory.path());
        }
    }
}
