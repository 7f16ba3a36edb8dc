//! Reads a result directory, to resume a sweep and for reports and comparisons. The directory may come from an untrusted
//! source: a file may end in the middle of a line and may contain any bytes. No text in these files is used as a path or as
//! a command.
//!
//! A row that contradicts the plan, its levels or itself is an error, because no sweep writes such rows. The answers are judged
//! again. A verdict can only become worse, because the boards were available only during the run.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::Path;

use plaintext::Escaped;

use super::plan::{Cell, Plan, run_id};
use super::runner::attempt::{LevelSums, contradiction};
use super::runner::expect_published;
use super::verdict::{self, References};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::count::{NotAShard, Shard};
use crate::judging::BoardCheck;
use crate::record::{
    CrosscheckRow, Kind, LevelRow, Meta, RecordError, Row, Status, Table, Verdict, bytes_if_any, table,
};
use crate::solver::Goal;
use crate::spec::Spec;

/// A result directory that was read.
#[derive(Debug, Default)]
pub struct StoredResults {
    /// The rows of the plan, with their verdicts judged again.
    pub rows: Vec<Row>,
    /// The number of rows that belong to earlier plans (`sweep --accept`).
    pub earlier_plan_runs: usize,
    /// The levels of the rows.
    pub levels: Vec<LevelRow>,
    /// The comparisons of solvers.
    pub crosscheck: Vec<CrosscheckRow>,
    /// The machine, versions and sessions; `None` if there is no `meta.json`.
    pub meta: Option<Meta>,
    /// The plan; `None` if it is unknown, so that the rows were not checked against it.
    pub plan: Option<Plan>,
    /// Remarks for the user.
    pub remarks: Vec<String>,
}

impl StoredResults {
    /// Reads a result directory.
    ///
    /// # Errors
    ///
    /// A table cannot be read, a row is impossible (the error gives its line), or the plan contradicts the experiment.
    pub fn read(directory: &Path) -> Result<Self, RecordError> {
        let mut remarks = Vec::new();
        let folder = plaintext::path(directory);
        let meta = Meta::read(directory)?;
        if meta.is_none() {
            remarks.push(format!(
                "{folder}: meta.json does not exist: the machine and the versions are unknown"
            ));
        }
        let runs = directory.join(Row::FILE);
        let missing_file_error = "this file does not exist: give the directory of a sweep (its --out)";
        let rows = read::<Row>(directory, &mut remarks)?;
        let mut rows = rows.ok_or_else(|| RecordError::table(&runs, missing_file_error))?;
        let plan = match plan(directory, meta.as_ref())? {
            StoredPlan::Read(plan) => Some(*plan),
            StoredPlan::Unknown(reason) => {
                remarks.push(format!("{folder}: the rows are not compared with their plan: {reason}"));
                None
            }
        };
        let levels = read(directory, &mut remarks)?.unwrap_or_default();
        let crosscheck = read(directory, &mut remarks)?.unwrap_or_default();
        remarks.extend(check(directory, &mut rows, &levels, plan.as_ref())?.remarks);
        let recorded_row_count = rows.len();
        rows = match &plan {
            Some(plan) => of_plan(rows, plan),
            None => last_attempts(rows),
        };
        let earlier_plan_runs = recorded_row_count - rows.len() - earlier_attempts(&rows);
        if earlier_plan_runs > 0 {
            let runs = match earlier_plan_runs {
                1 => "1 run of an earlier plan is not part of the experiment and is not shown".to_owned(),
                runs => {
                    format!("{runs} runs of earlier plans are not part of the experiment and are not shown")
                }
            };
            remarks.push(format!("{folder}: {runs}"));
        } else if rows.is_empty() {
            remarks.push(format!("{}: the table contains no runs", plaintext::path(&runs)));
        }
        let levels = of_rows(levels, &rows);
        Ok(Self { rows, earlier_plan_runs, levels, crosscheck, meta, plan, remarks })
    }
}

/// The plan of a directory, or the reason why it is unknown.
#[derive(Debug)]
pub enum StoredPlan {
    /// The plan.
    Read(Box<Plan>),
    /// The plan is unknown, for this reason.
    Unknown(String),
}

/// Reads the plan of a result directory. The solvers and programs that made the results need not be available.
///
/// # Errors
///
/// A `plan.json` that cannot be read, or that contradicts the experiment.
pub fn plan(directory: &Path, meta: Option<&Meta>) -> Result<StoredPlan, RecordError> {
    let unknown_plan = |reason: String| Ok(StoredPlan::Unknown(reason));
    let Some(meta) = meta else { return unknown_plan(format!("{} does not exist", Meta::FILE)) };
    let path = directory.join(Plan::FILE);
    let Some(text) = bytes_if_any(&path)? else {
        return unknown_plan(format!("{} does not exist", Plan::FILE));
    };
    let spec_path = directory.join(Spec::FILE);
    let Some(spec) = bytes_if_any(&spec_path)? else {
        return unknown_plan(format!("{} does not exist", Spec::FILE));
    };
    let spec = match Spec::decode(&plaintext::path(&spec_path).to_string(), &spec) {
        Ok(spec) => spec,
        Err(error) => return unknown_plan(error.on_one_line()),
    };
    let meta_error = |reason: String| RecordError::table(&directory.join(Meta::FILE), reason);
    let shard = meta.shard.as_deref().map(|text| {
        let reason = |reason: NotAShard| meta_error(format!("shard '{text}': {reason}"));
        text.parse().map_err(reason)
    });
    let shard: Option<Shard> = shard.transpose()?;
    let plan = Plan::of_json(&path, &text, spec, meta.solvers.clone(), shard)?;
    Ok(StoredPlan::Read(Box::new(plan)))
}

/// The rows of the runs of a plan, in the order of the plan; only the last attempt at each run.
pub fn of_plan(mut rows: Vec<Row>, plan: &Plan) -> Vec<Row> {
    let positions: HashMap<String, usize> = plan.runs.iter().map(|run| plan.run_id(run)).zip(0..).collect();
    let positioned_rows =
        rows.iter().enumerate().filter_map(|(at, row)| Some((*positions.get(&row.run_id)?, at)));
    let mut order: Vec<(usize, usize)> = positioned_rows.collect();
    order.sort_unstable();
    let last_attempts = order.chunk_by(|a, b| a.0 == b.0).filter_map(<[_]>::last);
    last_attempts.map(|&(_, at)| std::mem::take(&mut rows[at])).collect()
}

/// Only the last attempt at each run, in the order of the rows.
fn last_attempts(mut rows: Vec<Row>) -> Vec<Row> {
    let mut last_attempt = HashMap::new();
    for row in &rows {
        last_attempt.insert(row.run_id.clone(), row.attempt);
    }
    rows.retain(|row| last_attempt.get(&row.run_id) == Some(&row.attempt));
    rows
}

/// The number of earlier attempts at the runs of these rows.
pub fn earlier_attempts(rows: &[Row]) -> usize {
    rows.iter().map(|row| row.attempt.map_or(0, |attempt| attempt.saturating_sub(1) as usize)).sum()
}

/// The levels that belong to these rows. An interrupted counting run may have levels without a row.
pub fn of_rows(mut levels: Vec<LevelRow>, rows: &[Row]) -> Vec<LevelRow> {
    let counting_rows = rows.iter().filter(|row| row.kind == Kind::Counting && !row.status.is_limit());
    let cells: HashSet<&str> = counting_rows.map(|row| row.cell_id.as_str()).collect();
    levels.retain(|level| cells.contains(level.cell_id.as_str()));
    levels
}

/// Reads a table without an incomplete last row, which a killed process may have written. `None` if the table does not exist.
fn read<T: Table>(directory: &Path, remarks: &mut Vec<String>) -> Result<Option<Vec<T>>, RecordError> {
    match table::read(directory) {
        Err(RecordError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
        Ok((rows, is_torn)) => {
            let path = directory.join(T::FILE);
            let remark = || format!("{}: the last line is incomplete and is ignored", plaintext::path(&path));
            remarks.extend(is_torn.then(remark));
            Ok(Some(rows))
        }
    }
}

/// The findings about rows that were read.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RowFindings {
    /// Remarks for the user about changed verdicts and statuses.
    pub remarks: Vec<String>,
    /// Whether comparing rows changed a verdict. If so, the stored verdicts were not final.
    pub is_reviewed: bool,
}

/// Checks the rows of a directory and judges their answers again.
///
/// # Errors
///
/// A row that no sweep would have written there. The error gives the line of the first such row.
pub fn check(
    directory: &Path,
    rows: &mut [Row],
    levels: &[LevelRow],
    plan: Option<&Plan>,
) -> Result<RowFindings, RecordError> {
    let cells: HashMap<&str, &Cell> =
        plan.iter().flat_map(|plan| &plan.cells).map(|cell| (cell.id.as_str(), cell)).collect();
    let path = directory.join(Row::FILE);
    let sums = sums(directory, levels)?;
    let mut earlier_rows = HashMap::new();
    let references = References::default();
    let (mut changes, mut stopped) = (Vec::new(), Vec::new());
    for (line, row) in (2..).zip(rows.iter_mut()) {
        let error_in_run = |reason: String| {
            let run = Escaped(&row.run_id);
            RecordError::table(&path, format!("line {line}: run {run}: {reason}"))
        };
        let cell = cells.get(row.cell_id.as_str()).copied();
        let fault = fault(row, cell).or_else(|| contradiction(row, sums.get(row.cell_id.as_str())?));
        if let Some(reason) = fault {
            return Err(error_in_run(reason));
        }
        let attempt = row.attempt.unwrap_or(1);
        let earlier_attempt = earlier_rows.insert(row.run_id.clone(), (line, attempt, row.is_repeatable()));
        match earlier_attempt {
            Some((earlier_line, earlier_attempt, _)) if attempt != earlier_attempt.saturating_add(1) => {
                return Err(error_in_run(format!("this run is already in line {earlier_line}")));
            }
            Some((earlier_line, _, false)) => {
                return Err(error_in_run(format!(
                    "the run in line {earlier_line} already has an answer, so there cannot be another attempt"
                )));
            }
            None if attempt != 1 => {
                return Err(error_in_run(format!(
                    "this is attempt {attempt}, but the previous attempt is missing"
                )));
            }
            _ => {}
        }
        if plan.is_some() && cell.is_none() {
            // A row of an earlier plan is ignored: its instance may be a different problem with the same name.
            continue;
        }
        let recorded_verdict = row.verdict;
        judge_again(row, problem_of(row, cell).as_ref(), &references);
        if row.verdict != recorded_verdict {
            let reason_text =
                row.reason().map_or(String::new(), |reason_text| format!(" ({})", Escaped(reason_text)));
            changes.push(format!(
                "line {line}: the answer was judged again and is {}{reason_text}",
                row.verdict
            ));
        }
        if let Some((status, reason)) = row.exceeded_limit().filter(|_| !row.verdict.is_fault()) {
            stopped.push(format!("line {line}: {reason}"));
            *row = std::mem::take(row).without_answer(status, reason);
        }
    }
    let summary = |all: &[String], end: &str| {
        let omitted_changes = match all.len().saturating_sub(1) {
            0 => String::new(),
            1 => "; 1 more such row".to_owned(),
            number => format!("; {number} more such rows"),
        };
        all.first().map(|first| format!("{}: {first}; {end}{omitted_changes}", plaintext::path(&path)))
    };
    let verdict_remark = summary(&changes, "the recorded verdict is ignored");
    let limit_remark = summary(&stopped, "the row contradicts its limit and counts as stopped by that limit");
    let is_reviewed = verdict::review(rows, |row| plan.is_none() || cells.contains_key(row.cell_id.as_str()));
    let remark = "answers were compared with each other again; the recorded verdicts are ignored";
    let review_remark = is_reviewed.then(|| format!("{}: {remark}", plaintext::path(&path)));
    let remarks = [verdict_remark, limit_remark, review_remark].into_iter().flatten().collect();
    Ok(RowFindings { remarks, is_reviewed })
}

/// For each cell, the sums of nodes and dead ends over all levels.
type Sums<'a> = BTreeMap<&'a str, LevelSums>;

/// Adds up the levels of each cell. A repeated level is an error.
fn sums<'a>(directory: &Path, levels: &'a [LevelRow]) -> Result<Sums<'a>, RecordError> {
    let mut earlier_levels = HashSet::new();
    let mut sums = Sums::new();
    for (line, level) in (2..).zip(levels) {
        if level.level > level.n || !earlier_levels.insert((level.cell_id.as_str(), level.level)) {
            let cell = Escaped(&level.cell_id);
            let reason =
                format!("line {line}: level {} of cell {cell} occurs twice or exceeds n", level.level);
            return Err(RecordError::table(&directory.join(LevelRow::FILE), reason));
        }
        let [nodes, dead_ends] = sums.entry(level.cell_id.as_str()).or_default();
        *nodes = nodes.saturating_add(level.nodes);
        *dead_ends = dead_ends.saturating_add(level.dead_ends);
    }
    Ok(sums)
}

/// A contradiction in a row; `None` if a sweep could have written the row.
fn fault(row: &Row, cell: Option<&Cell>) -> Option<String> {
    if let Err(error) = BoardSize::large(row.n) {
        return Some(error.to_string());
    }
    if cell.is_some_and(|cell| !cell.matches(row)) {
        let cell = Escaped(&row.cell_id);
        return Some(format!("its size, problem, goal, solver, seed or limits are not those of cell {cell}"));
    }
    if row.run_id != run_id(&row.cell_id, row.kind, row.repetition) {
        return Some("run_id does not match its cell_id, kind and repetition".to_owned());
    }
    let has_solution = row.solutions > Some(0);
    let is_status_possible = match row.status {
        _ if !row.status.is_solved() => return None,
        _ if row.goal != Goal::First => row.status == Status::Complete,
        Status::Sat => has_solution,
        status => status == Status::Unsat && !has_solution,
    };
    if !is_status_possible || row.solutions.is_none() {
        return Some(format!("status '{}' does not match its goal and solutions", row.status));
    }
    let lacks_digest = row.goal == Goal::Enumerate && row.digest.is_none();
    lacks_digest.then(|| "an enumeration has no digest".to_owned())
}

/// The problem of a row, unless it is plain queens. The plan contains the problems of instances.
fn problem_of(row: &Row, cell: Option<&Cell>) -> Option<Problem> {
    match cell {
        _ if row.variant.is_plain() => None,
        Some(cell) => cell.problem().ok(),
        None => Problem::from_text(BoardSize::large(row.n).ok()?, &row.variant).ok(),
    }
}

/// Judges the answer of a row again. The verdict can become worse, but not better.
fn judge_again(row: &mut Row, problem: Option<&Problem>, references: &References) {
    if !row.status.is_solved() {
        // A run that was ended because of a wrong answer has a row without an answer. Its verdict stays `wrong`.
        if row.verdict != Verdict::Wrong {
            row.verdict = Verdict::Unchecked;
        }
        return;
    }
    if !row.variant.is_plain() && problem.is_none() {
        return;
    }
    if row.goal != Goal::First {
        expect_published(row);
    }
    let (verdict, why) = references.judge(row, problem, &BoardCheck::default());
    // Repeated boards could be detected only while the program ran, and the row does not record whether there were any.
    let is_unproven =
        verdict == Verdict::Unchecked && row.verdict == Verdict::Correct && row.expected_solutions.is_none();
    if is_unproven || verdict == Verdict::Wrong && row.verdict != Verdict::Wrong {
        row.verdict = verdict;
        row.verdict_reason = why.or(row.verdict_reason.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ProblemRef;
    use crate::record::SCHEMA_VERSION;
    use crate::registry::Registry;
    use crate::solver::Stat;

    fn plan(goal: &str) -> Plan {
        let text = format!(
            "schema_version = 1\nname = \"t\"\n[sweep]\nn = \"8\"\ngoal = \"{goal}\"\nrepeat = 4\n\
             [[solver]]\nid = \"backtrack/bitmask\"\n"
        );
        Plan::new(Spec::parse("t", &text).expect("a spec"), &Registry::builtin()).expect("a plan")
    }

    /// The row of a run that completed with the right answer.
    fn row(plan: &Plan, kind: Kind, repetition: u32) -> Row {
        let cell = &plan.cells[0];
        let is_first_solution = cell.key.goal == Goal::First;
        Row {
            run_id: run_id(&cell.id, kind, repetition),
            time_limit_ns: Some(cell.time_limit_ns),
            kind,
            repetition,
            status: if is_first_solution { Status::Sat } else { Status::Complete },
            verdict: Verdict::Correct,
            solutions: Some(if is_first_solution { 1 } else { 92 }),
            ..Row::skipped("", &cell.id, 8, cell.key.goal, &cell.key.solver)
        }
    }

    fn check_remarks(plan: &Plan, rows: &mut [Row], levels: &[LevelRow]) -> Result<Vec<String>, String> {
        let findings = check(Path::new("r"), rows, levels, Some(plan));
        findings.map(|findings| findings.remarks).map_err(|error| error.to_string())
    }

    #[test]
    fn reread_rows_never_get_a_better_verdict() {
        let plan = plan("count");
        let timed_row = |repetition| row(&plan, Kind::Timed, repetition);
        let mut rows = [
            timed_row(1),
            Row { solutions: Some(91), ..timed_row(2) },
            Row { verdict: Verdict::Wrong, ..timed_row(3) },
            Row { verdict: Verdict::Unchecked, ..timed_row(4) },
            Row { status: Status::Timeout, ..row(&plan, Kind::Counting, 0) },
        ];
        let remarks = check_remarks(&plan, &mut rows, &[]).expect("a sweep could have written them");
        use Verdict::{Correct, Unchecked, Wrong};
        assert_eq!(rows.each_ref().map(|row| row.verdict), [Correct, Wrong, Wrong, Unchecked, Unchecked]);
        assert_eq!(rows[1].expected_solutions, Some(92));
        let [remark] = &remarks[..] else { panic!("one remark: {remarks:?}") };
        assert!(remark.starts_with("r/runs.csv: line 3: ") && remark.contains(" 91 "), "{remark}");
        wording::assert_wording!("stored", "answers that are judged again", remark);
    }

    /// A row can exceed its own time limit if it was edited, or if an earlier version of queenlab was suspended while the run
    /// continued.
    #[test]
    fn answered_rows_above_their_limit_count_as_timeouts() {
        let plan = plan("count");
        let timed_row = |repetition| row(&plan, Kind::Timed, repetition);
        let limit = plan.cells[0].time_limit_ns;
        let late_row =
            |repetition| Row { wall_ns: Some(2 * limit), solve_ns: Some(7), ..timed_row(repetition) };
        let mut rows = [timed_row(1), late_row(2), late_row(3), Row { solutions: Some(91), ..late_row(4) }];
        let remarks = check_remarks(&plan, &mut rows, &[]).expect("readable");
        use Status::{Complete, Timeout};
        assert_eq!(rows.each_ref().map(|row| row.status), [Complete, Timeout, Timeout, Complete]);
        assert_eq!(rows[1].stopped_ns(), Some(limit));
        assert_eq!((rows[1].solve_ns, rows[1].solutions), (None, None));
        assert_eq!(rows[3].verdict, Verdict::Wrong, "a wrong answer stays wrong");
        wording::assert_wording!("report", "rows that contradict their limit", remarks.join("\n"));
    }

    /// An instance of an earlier plan may be a different problem with the same name.
    #[test]
    fn rows_of_an_earlier_plan_are_ignored() {
        let plan = plan("enumerate");
        let earlier_row = Row {
            cell_id: "earlier".to_owned(),
            run_id: run_id("earlier", Kind::Counting, 0),
            variant: ProblemRef::instance("a"),
            digest: Some("x".to_owned()),
            ..row(&plan, Kind::Counting, 0)
        };
        let mut rows = [earlier_row];
        assert_eq!(check_remarks(&plan, &mut rows, &[]), Ok(Vec::new()));
        assert_eq!(rows[0].verdict, Verdict::Correct);
        // Without the plan, the problem of an instance is not known.
        assert_eq!(check(Path::new("r"), &mut rows, &[], None).expect("no fault"), RowFindings::default());
        assert_eq!(rows[0].verdict, Verdict::Correct);
    }

    #[test]
    fn impossible_rows_are_refused_with_their_line() {
        let (count_plan, first_plan, enumeration_plan) = (plan("count"), plan("first"), plan("enumerate"));
        let timed_row = |plan: &Plan| row(plan, Kind::Timed, 2);
        let row_with_status = |status, solutions| Row { status, solutions, ..timed_row(&first_plan) };
        for (plan, bad, key) in [
            (&count_plan, row(&count_plan, Kind::Timed, 1), "a run twice"),
            (&count_plan, Row { n: 9, ..timed_row(&count_plan) }, "another size"),
            (&count_plan, Row { seed: 7, ..timed_row(&count_plan) }, "another seed"),
            (&count_plan, Row { time_limit_ns: Some(1), ..timed_row(&count_plan) }, "another limit"),
            (&count_plan, Row { repetition: 3, ..timed_row(&count_plan) }, "another repetition"),
            (&count_plan, Row { kind: Kind::Warmup, ..timed_row(&count_plan) }, "another kind"),
            (&count_plan, Row { solutions: None, ..timed_row(&count_plan) }, "a count without solutions"),
            (
                &count_plan,
                Row { status: Status::Sat, ..timed_row(&count_plan) },
                "a count with the status sat",
            ),
            (
                &first_plan,
                row_with_status(Status::Complete, Some(1)),
                "a first solution with the status complete",
            ),
            (&first_plan, row_with_status(Status::Unsat, Some(1)), "a solution with the status unsat"),
            (&first_plan, row_with_status(Status::Sat, Some(0)), "no solution with the status sat"),
            (&enumeration_plan, timed_row(&enumeration_plan), "an enumeration without a digest"),
        ] {
            let digest = (bad.goal == Goal::Enumerate).then(|| "x".to_owned());
            let possible_row = Row { digest, ..row(plan, Kind::Timed, 1) };
            let error = check_remarks(plan, &mut [possible_row, bad], &[]).expect_err(key);
            assert!(error.contains("runs.csv: line 3: run "), "{error}");
            wording::assert_wording!("stored", key, error.replace(&plan.cells[0].id, "CELL"));
        }
        let too_large_size = BoardSize::LARGEST + 1;
        let error =
            check(Path::new("r"), &mut [Row { n: too_large_size, ..timed_row(&count_plan) }], &[], None);
        assert!(error.expect_err("too large").to_string().contains("line 2: run "));
    }

    /// The search tree of 8 queens has 2057 nodes (A319283) and 644 dead ends (the sum of the levels in A319284).
    #[test]
    fn counts_that_contradict_their_levels_are_refused() {
        let plan = plan("enumerate");
        let counting_row = |nodes: u64| Row {
            digest: Some("x".to_owned()),
            stats: [(Stat::Nodes, nodes), (Stat::DeadEnds, 644)].into(),
            ..row(&plan, Kind::Counting, 0)
        };
        let level = |level: usize, nodes: u64, dead_ends: u64| LevelRow {
            schema_version: SCHEMA_VERSION,
            cell_id: plan.cells[0].id.clone(),
            n: 8,
            level,
            nodes,
            dead_ends,
            ..LevelRow::default()
        };
        let levels = [level(0, 1, 0), level(1, 2056, 644)];
        assert!(check_remarks(&plan, &mut [counting_row(2057)], &levels).is_ok());
        assert!(
            check_remarks(&plan, &mut [counting_row(99)], &[]).is_ok(),
            "without levels, nothing contradicts"
        );
        for (nodes, levels, number) in
            [(99, &levels[..], "nodes is 99"), (2057, &[level(1, 2057, 0)], "dead_ends is 644")]
        {
            let error =
                check_remarks(&plan, &mut [counting_row(nodes)], levels).expect_err("a contradiction");
            assert!(error.contains("line 2: run ") && error.contains(number), "{error}");
            wording::assert_wording!(
                "stored",
                &format!("levels: {number}"),
                error.replace(&plan.cells[0].id, "CELL")
            );
        }
        for levels in [[level(1, 1, 0), level(1, 2, 0)], [level(0, 1, 0), level(9, 2, 0)]] {
            let error = check_remarks(&plan, &mut [], &levels).expect_err("no sweep writes this");
            assert!(error.contains("levels.csv: line 3: level "), "{error}");
            let key = format!("levels: level {} second", levels[1].level);
            wording::assert_wording!("stored", &key, error.replace(&plan.cells[0].id, "CELL"));
        }
    }
}
