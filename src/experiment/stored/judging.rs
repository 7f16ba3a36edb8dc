//! Checks and judges stored rows.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::Cells;
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::experiment::plan::{Cell, run_id};
use crate::experiment::runner::expect_published;
use crate::experiment::runner::protocol::Report;
use crate::experiment::runner::verdict::{self, References};
use crate::record::{LevelRow, RecordError, Row, Status, Table, VARIANT, Verdict, is_foreign, table};
use crate::solver::Goal;

/// Checks the rows of a directory's runs.csv and judges their answers again; `cells` is `None` if no plan is
/// known. Returns remarks about verdicts that were changed.
///
/// # Errors
///
/// The line of the first row that no sweep would have written there.
pub fn judge(directory: &Path, rows: &mut [Row], cells: Option<&Cells>) -> Result<Vec<String>, RecordError> {
    let mut judge = Judge::new(directory, cells);
    rows.iter_mut().try_for_each(|row| judge.row(row))?;
    Ok(judge.finish().1.into_iter().chain(contradictions(directory, rows)).collect())
}

/// Judges the rows by each other; a remark if that changed a verdict.
pub(super) fn contradictions(directory: &Path, rows: &mut [Row]) -> Option<String> {
    let path = directory.join(Row::FILE);
    verdict::review(rows).then(|| {
        format!(
            "{}: answers were judged again by each other; the recorded verdicts are ignored",
            path.display()
        )
    })
}

/// Does the work of [`judge`] row by row.
#[derive(Default)]
pub(super) struct Judge<'a> {
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
pub(super) type Firsts = HashMap<String, First>;

/// What the rows of a cell have in common.
pub(super) struct First {
    number: u32,
    pub(super) solver: String,
    variant: String,
    options: Option<String>,
    instance_digest: Option<String>,
    pub(super) fields: Fields,
}

/// Size, goal, threads, seed, whether it is a counting run, limits.
pub(super) type Fields = (usize, Goal, usize, u64, bool, [Option<u64>; 3]);

/// The number of a row or cell in half the memory.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("a table of at most 1 GiB has fewer rows than u32 counts")
}

fn fields(row: &Row) -> Fields {
    let limits = [row.time_limit_ns, row.memory_limit_bytes, row.cpu_limit_ns];
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
    pub(super) fn new(directory: &Path, cells: Option<&'a Cells>) -> Self {
        Self { path: directory.join(Row::FILE), cells, ..Self::default() }
    }

    /// Checks and judges the next row of the table.
    pub(super) fn row(&mut self, row: &mut Row) -> Result<(), RecordError> {
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
            None => Problem::from_text(BoardSize::large(row.n).ok()?, &row.variant).ok(),
        }
    }

    /// The first rows, and a remark about verdicts that were changed.
    pub(super) fn finish(self) -> (Firsts, Option<String>) {
        let changed = self.changed;
        let more = if changed > 1 { format!("; {} more such rows", changed - 1) } else { String::new() };
        (self.firsts, self.first_change.map(|change| change + &more))
    }
}

/// Why no sweep would have written this row; `first` is the first row with the same cell_id.
fn fault(row: &Row, first: Option<&First>, cells: Option<&Cells>) -> Option<String> {
    if let Err(error) = BoardSize::large(row.n) {
        return Some(error.to_string());
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
pub(super) fn check_levels(
    directory: &Path,
    firsts: &Firsts,
    levels: &mut Vec<LevelRow>,
) -> Result<(), RecordError> {
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
