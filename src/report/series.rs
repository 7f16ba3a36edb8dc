//! The series of a result, with their names and styles in all tables and plots; and the table of medians, with one row per series
//! and one column per size, for the terminal, the page and the exports.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use lineplot::Style;
use serde::Serialize;

use super::styles::StyleAssigner;
use super::tables::{Clock, ReportCell};
use super::{DerivedData, ReportPart, ReportRun, Unit, counted};
use crate::model::{ProblemRef, SolverRef, Status};
use crate::record::{NodesRow, TimingsRow};
use crate::solver::{Goal, Stat};
use crate::spec::Naming;
use plaintext::Escaped;

/// The key of a series in a report: a [`ReportCell`] without its size. All instances have the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ReportKey<'a> {
    /// The solver.
    pub solver: &'a SolverRef,
    /// The variant of the problem, or all instances.
    #[serde(rename = "variant")]
    pub problems: Problems<'a>,
    /// The goal of the runs.
    pub goal: Goal,
    /// The number of threads.
    pub threads: usize,
    /// The name of the result; empty if there is only one.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub result: &'a str,
}

/// The problems of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Problems<'a> {
    /// Instances from files.
    Instances,
    /// A variant.
    Variant(&'a ProblemRef),
}

impl fmt::Display for Problems<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Instances => f.write_str("instances"),
            Self::Variant(problem) => f.write_str(problem),
        }
    }
}

impl Serialize for Problems<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'a> ReportKey<'a> {
    /// The key of the series that a run belongs to.
    pub fn of(run: &ReportRun<'a>) -> Self {
        Self::of_cell(&ReportCell::of(run))
    }

    /// The key of the series that a cell belongs to.
    pub(super) fn of_cell(
        &ReportCell { problem, goal, solver, threads, result, .. }: &ReportCell<'a>,
    ) -> Self {
        let is_instance = problem.instance_name().is_some();
        let problems = if is_instance { Problems::Instances } else { Problems::Variant(problem) };
        Self { solver, problems, goal, threads, result }
    }
}

impl fmt::Display for ReportKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems = match self.problems {
            Problems::Variant(problem) if problem.is_plain() => String::new(),
            problems => format!("{problems} "),
        };
        write!(f, "{}{} {}", Escaped(problems), Escaped(self.solver), self.goal)?;
        if self.threads == 1 { Ok(()) } else { write!(f, " {} threads", self.threads) }
    }
}

/// A series: runs that differ only in their size, seed, repetition and instance.
#[derive(Clone, Debug)]
pub struct RunSeries<'a> {
    /// The key.
    pub key: ReportKey<'a>,
    /// The number of the series. It links rows of tables on the page with runs, because names are not unique.
    pub id: usize,
    /// The colour and the marker.
    pub style: Style,
    /// The label and the group from the experiment; empty if it has none.
    pub naming: Naming,
    /// The indices of the rows of this series in [`DerivedData::timings`].
    timings: Vec<usize>,
    /// The indices of the rows of this series in [`DerivedData::nodes`].
    nodes: Vec<usize>,
}

/// The series of all runs that were not skipped. They are sorted by group, then by the order of the solvers in the experiment,
/// then by key. `timings_cells` and `nodes_cells` are the cells of the rows of `timings.csv` and `nodes.csv`.
pub fn of<'a>(
    parts: &[ReportPart<'a>],
    runs: &[ReportRun<'a>],
    timings_cells: Vec<ReportCell<'a>>,
    nodes_cells: Vec<ReportCell<'a>>,
) -> Vec<RunSeries<'a>> {
    let mut order: HashMap<&SolverRef, usize> = HashMap::new();
    for cell in parts.iter().filter_map(|part| part.plan).flat_map(|plan| &plan.cells) {
        let next_position = order.len();
        order.entry(&cell.key.solver).or_insert(next_position);
    }
    let attempted_runs = runs.iter().filter(|run| run.status != Status::Skipped);
    let keys: BTreeSet<ReportKey<'_>> = attempted_runs.map(ReportKey::of).collect();
    let mut keys: Vec<ReportKey<'_>> = keys.into_iter().collect();
    keys.sort_by_key(|key| order.get(key.solver).copied().unwrap_or(usize::MAX));
    let plans = || parts.iter().filter_map(|part| part.plan);
    let naming = |key: &ReportKey<'_>| {
        plans().find_map(|plan| plan.names.get(key.solver.as_str())).cloned().unwrap_or_default()
    };
    let mut groups: Vec<(String, usize)> = Vec::new();
    // If there is only one solver, colours distinguish its problems, goals or numbers of threads.
    let is_single = keys.windows(2).all(|pair| pair[0].solver == pair[1].solver);
    let mut styles = StyleAssigner::default();
    let mut series_of_key = |(rank, key)| {
        let naming = naming(&key);
        let group = groups.iter().position(|(group, _)| *group == naming.group).unwrap_or(groups.len());
        if group == groups.len() {
            groups.push((naming.group.clone(), 0));
        }
        let style = match naming.group.is_empty() {
            true if is_single => Style(rank),
            true => styles.of(key.solver),
            false => Style::of_group(group, groups[group].1),
        };
        groups[group].1 += 1;
        (group, RunSeries { key, id: rank, style, naming, timings: Vec::new(), nodes: Vec::new() })
    };
    let mut grouped_series: Vec<(usize, RunSeries<'_>)> =
        keys.into_iter().enumerate().map(&mut series_of_key).collect();
    grouped_series.sort_by_key(|(group, _)| *group);
    let mut all_series: Vec<RunSeries<'_>> = grouped_series.into_iter().map(|(_, series)| series).collect();
    let positions: HashMap<ReportKey<'_>, usize> =
        all_series.iter().enumerate().map(|(at, series)| (series.key, at)).collect();
    for (row, cell) in timings_cells.iter().enumerate() {
        all_series[positions[&ReportKey::of_cell(cell)]].timings.push(row);
    }
    for (row, cell) in nodes_cells.iter().enumerate() {
        all_series[positions[&ReportKey::of_cell(cell)]].nodes.push(row);
    }
    all_series
}

/// The names of the solvers that have a label, by solver. The name is the label, followed by the id if the label is also the name
/// of another solver.
pub fn labels<'a>(parts: &[ReportPart<'a>], all: &[RunSeries<'a>]) -> HashMap<&'a str, String> {
    let names = parts.iter().filter_map(|part| part.plan).flat_map(|plan| &plan.names);
    let names = names.filter(|(_, naming)| !naming.label.is_empty());
    let labels: BTreeMap<&str, &str> =
        names.map(|(solver, naming)| (solver.as_str(), naming.label.as_str())).collect();
    let mut solvers_by_name: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    let ids = all.iter().map(|series| (series.key.solver.as_str(), series.key.solver.as_str()));
    for (solver, name) in ids.filter(|(solver, _)| !labels.contains_key(solver)).chain(labels.clone()) {
        solvers_by_name.entry(name).or_default().insert(solver);
    }
    let with_unique_name = |(solver, label): (&'a str, &'a str)| match solvers_by_name[label].len() {
        1 => (solver, label.to_owned()),
        _ => (solver, format!("{label} ({solver})")),
    };
    labels.into_iter().map(with_unique_name).collect()
}

/// The median time of a cell if more than half of its runs were answered. One answer among timeouts does not make the instance
/// solved.
pub fn solved_ns(cell: &TimingsRow) -> Option<u64> {
    cell.median_ns.filter(|_| 2 * cell.solved > cell.runs)
}

/// The explanation of `STARTED_MARK`.
pub const STARTED_NOTE: &str =
    "† The times include the start of the program; an external SAT solver is started for each call.";

/// The mark of a series whose times include the start of programs.
const STARTED_MARK: &str = " †";

impl<'a> DerivedData<'a> {
    /// The cells of a series, n ascending: one for each size and instance.
    pub fn cells(&self, series: &RunSeries<'_>) -> Vec<&TimingsRow> {
        series.timings.iter().map(|&row| &self.timings[row]).collect()
    }

    /// The cells of a series, one for each size, n ascending. If a size has several instances, its cell is the one with the
    /// median time.
    pub fn medians(&self, series: &RunSeries<'_>) -> Vec<&TimingsRow> {
        let cost = |cell: &TimingsRow| solved_ns(cell).unwrap_or(u64::MAX);
        middle_of_each_size(self.cells(series), |cell| cell.n, cost)
    }

    /// The counts of a series, one row for each size, n ascending. If a size has several instances, its row is the one with the
    /// median number of nodes, or of learned clauses.
    pub fn counts(&self, series: &RunSeries<'_>) -> Vec<&NodesRow> {
        let rows = series.nodes.iter().map(|&row| &self.nodes[row]).collect();
        let cost =
            |row: &NodesRow| row.stats.get(Stat::Nodes).or(row.stats.get(Stat::LearnedClauses)).unwrap_or(0);
        middle_of_each_size(rows, |row| row.n, cost)
    }

    /// The name of a series: the solver, and the properties that distinguish the series from others.
    pub fn name(&self, key: &ReportKey<'_>) -> String {
        let label = self.labels.get(key.solver.as_str()).map_or(key.solver.as_str(), String::as_str);
        let mut parts = vec![label.to_owned()];
        let differing = self.differing;
        parts.extend(differing.problems.then(|| key.problems.to_string()));
        parts.extend(differing.goal.then(|| key.goal.to_string()));
        parts.extend(differing.result.then(|| key.result.to_owned()));
        parts.extend(differing.threads.then(|| counted(key.threads, "thread")));
        parts.join(" · ")
    }

    /// The name of a series, with a mark if its times include the start of programs.
    pub fn timed_name(&self, key: &ReportKey<'_>) -> String {
        self.name(key) + if self.includes_start(key.solver) { STARTED_MARK } else { "" }
    }

    /// The explanation of `STARTED_MARK`, if a series has this mark.
    pub fn started_note(&self) -> Option<&'static str> {
        let is_marked =
            |series: &RunSeries<'_>| self.includes_start(series.key.solver) && !series.timings.is_empty();
        self.series.iter().any(is_marked).then_some(STARTED_NOTE)
    }

    /// Whether the times of a solver include the start of a program.
    fn includes_start(&self, solver: &SolverRef) -> bool {
        self.source.clock == Clock::Solving && solver.starts_programs()
    }

    /// The goals of the series.
    pub fn goals(&self) -> BTreeSet<Goal> {
        self.series.iter().map(|series| series.key.goal).collect()
    }
}

/// The properties, other than the solver, in which the series of a report differ.
#[derive(Clone, Copy)]
pub struct DistinguishingParts {
    problems: bool,
    goal: bool,
    result: bool,
    threads: bool,
}

impl DistinguishingParts {
    /// The properties in which the series differ if all of them have the same goal.
    pub fn without_goal(self) -> Self {
        Self { goal: false, ..self }
    }

    /// The properties in which these series differ.
    pub fn of(all: &[RunSeries<'_>]) -> Self {
        let differs_in = |is_same: fn(&ReportKey<'_>, &ReportKey<'_>) -> bool| {
            all.windows(2).any(|pair| !is_same(&pair[0].key, &pair[1].key))
        };
        Self {
            problems: differs_in(|a, b| a.problems == b.problems),
            goal: differs_in(|a, b| a.goal == b.goal),
            result: differs_in(|a, b| a.result == b.result),
            threads: differs_in(|a, b| a.threads == b.threads),
        }
    }
}

/// For each size, the row with the median cost. If the number of rows is even, the cheaper of the two middle rows is used.
fn middle_of_each_size<T>(mut rows: Vec<&T>, n: fn(&T) -> usize, cost: impl Fn(&T) -> u64) -> Vec<&T> {
    rows.sort_by_key(|row| (n(row), cost(row)));
    rows.chunk_by(|a, b| n(a) == n(b)).map(|of_size| of_size[(of_size.len() - 1) / 2]).collect()
}

/// A table of medians.
pub struct Grid<'d> {
    /// The sizes, ascending.
    pub sizes: Vec<usize>,
    /// The name of each series, and its cells by size, as in [`DerivedData::medians`].
    pub rows: Vec<(String, BTreeMap<usize, &'d TimingsRow>)>,
    /// The group of each row; empty if it has none.
    pub groups: Vec<&'d str>,
    /// The number of the series of each row.
    pub ids: Vec<usize>,
}

impl<'d> Grid<'d> {
    /// The table of the series that satisfy a condition.
    pub fn of(data: &'d DerivedData<'_>, is_shown: impl Fn(&RunSeries<'_>) -> bool) -> Self {
        let row = |series: &RunSeries<'_>| {
            let cells = data.medians(series).into_iter().map(|cell| (cell.n, cell));
            (data.timed_name(&series.key), cells.collect::<BTreeMap<_, _>>())
        };
        let series = data.series.iter().filter(|series| is_shown(series) && !series.timings.is_empty());
        let series: Vec<&RunSeries<'_>> = series.collect();
        let groups = series.iter().map(|series| series.naming.group.as_str()).collect();
        let ids = series.iter().map(|series| series.id).collect();
        let rows: Vec<_> = series.into_iter().map(row).collect();
        let sizes: BTreeSet<usize> = rows.iter().flat_map(|(_, cells)| cells.keys().copied()).collect();
        Self { sizes: sizes.into_iter().collect(), rows, groups, ids }
    }

    /// The explanations of the marks in the table.
    pub fn notes(&self, data: &DerivedData<'_>) -> Vec<&'static str> {
        let mut cells = self.rows.iter().flat_map(|(_, cells)| cells.values());
        let is_incomplete = cells.any(|cell| !median_text(cell).unanswered.is_empty());
        let mut cells = self.rows.iter().flat_map(|(_, cells)| cells.values());
        let has_earlier = cells.any(|cell| cell.earlier.is_some());
        let notes = is_incomplete.then_some(INCOMPLETE_NOTE).into_iter().chain(data.started_note());
        notes.chain(has_earlier.then_some(EARLIER_NOTE)).collect()
    }
}

/// The mark of a cell that has runs of another day or machine.
const EARLIER_MARK: &str = " ‡";

/// The explanation of `EARLIER_MARK`.
pub const EARLIER_NOTE: &str = "‡ Some runs were made on a different day or machine than the last session.";

/// The explanation of medians with stopped runs.
const INCOMPLETE_NOTE: &str = "In a median, a run that was stopped by a limit or gave up \
    counts as longer than all others; wrong and failed runs are left out.";

/// The text of a cell.
pub struct MedianText {
    /// The median, or the reason why it is unknown.
    pub text: String,
    /// The numbers of runs without an answer, as in `1 timeout, 2 crashed`. Empty if all runs have an answer, or if `text`
    /// describes all runs.
    pub unanswered: String,
}

impl fmt::Display for MedianText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if self.unanswered.is_empty() { Ok(()) } else { write!(f, " ({})", self.unanswered) }
    }
}

/// Formats a cell. If the median is longer than the limit, the text is `> LIMIT`.
pub fn median_text(cell: &TimingsRow) -> MedianText {
    let unanswered = [
        (cell.timeouts, "timeout"),
        (cell.memouts, "out of memory"),
        (cell.unknown, "unknown"),
        (cell.wrong, "wrong"),
        (cell.crashed, "crashed"),
        (cell.unreadable, "unreadable"),
    ];
    let unanswered = unanswered.into_iter().filter(|(count, _)| *count > 0);
    let words =
        |(count, what)| if what == "timeout" { counted(count, what) } else { format!("{count} {what}") };
    let text = match (cell.median_ns, cell.limit_ns) {
        (Some(median), _) => Unit::Time.show_padded(median),
        (None, Some(limit)) => format!("> {}", Unit::Time.show(limit)),
        (None, None) => unanswered.clone().next().map_or("no answer", |(_, what)| what).to_owned(),
    };
    let text = text + if cell.earlier.is_some() { EARLIER_MARK } else { "" };
    let text_describes_all = unanswered.clone().any(|(count, _)| count == cell.runs);
    let unanswered = unanswered.filter(|_| !text_describes_all).map(words).collect::<Vec<_>>().join(", ");
    MedianText { text, unanswered }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Row;
    use crate::report::ReportData;

    fn run(solver: &str, goal: Goal, threads: usize) -> Row {
        let row = Row::skipped("r", "c", 8, goal, solver);
        Row { status: Status::Complete, threads, ..row }
    }

    fn names(rows: &[Row], name: fn(&DerivedData<'_>, &ReportKey<'_>) -> String) -> Vec<String> {
        let source = ReportData::of_rows(rows);
        let data = DerivedData::of(&source);
        data.series.iter().map(|series| name(&data, &series.key)).collect()
    }

    #[test]
    fn series_name_has_only_distinguishing_parts() {
        assert_eq!(
            names(&[run("a", Goal::Count, 4), run("b", Goal::Count, 4)], |data, key| data.name(key)),
            ["a", "b"]
        );
        let rows = [run("a", Goal::Count, 4), run("a", Goal::Count, 1), run("a", Goal::First, 1)];
        assert_eq!(
            names(&rows, |data, key| data.name(key)),
            ["a · first · 1 thread", "a · count · 1 thread", "a · count · 4 threads"]
        );
    }

    #[test]
    fn times_of_external_programs_are_marked() {
        let solvers =
            ["backtrack/bitmask", "program/mine:h=1", "sat/pairwise/kissat", "sat/pairwise/varisat"];
        let rows = solvers.map(|solver| Row { solve_ns: Some(1), ..run(solver, Goal::Count, 1) });
        let marks = |rows: &[Row], clock| {
            let source = ReportData { clock, ..ReportData::of_rows(rows) };
            let data = DerivedData::of(&source);
            let marks = data
                .series
                .iter()
                .filter(|series| data.timed_name(&series.key).ends_with(STARTED_MARK))
                .count();
            (marks, data.started_note())
        };
        assert_eq!(marks(&rows, Clock::Solving), (2, Some(STARTED_NOTE)));
        assert_eq!(marks(&rows, Clock::Wall), (0, None));
        assert_eq!(marks(&rows[..1], Clock::Solving), (0, None));
    }

    #[test]
    fn skipped_runs_give_no_series() {
        assert_eq!(
            names(&[Row::skipped("r", "c", 8, Goal::Count, "s")], |data, key| data.name(key)),
            [] as [&str; 0]
        );
    }

    #[test]
    fn table_cell_contains_median_or_reason_for_none() {
        let cell = TimingsRow { runs: 5, solved: 5, median_ns: Some(8_390_000_000), ..TimingsRow::default() };
        let cell_texts = |cell: TimingsRow| {
            let MedianText { text, unanswered } = median_text(&cell);
            (text, unanswered)
        };
        let texts = |text: &str, unanswered: &str| (text.to_owned(), unanswered.to_owned());
        let limit_ns = Some(10_000_000_000);
        assert_eq!(cell_texts(cell.clone()), texts("8.39 s", ""));
        let one_timeout = TimingsRow { solved: 4, timeouts: 1, limit_ns, ..cell.clone() };
        assert_eq!(cell_texts(one_timeout), texts("8.39 s", "1 timeout"));
        let no_answers = TimingsRow { solved: 0, median_ns: None, ..cell };
        assert_eq!(
            cell_texts(TimingsRow { timeouts: 5, limit_ns, ..no_answers.clone() }),
            texts("> 10 s", "")
        );
        let timeouts_and_wrong = TimingsRow { timeouts: 3, wrong: 2, limit_ns, ..no_answers.clone() };
        assert_eq!(cell_texts(timeouts_and_wrong), texts("> 10 s", "3 timeouts, 2 wrong"));
        assert_eq!(cell_texts(TimingsRow { memouts: 5, ..no_answers.clone() }), texts("out of memory", ""));
        assert_eq!(
            cell_texts(TimingsRow { crashed: 4, wrong: 1, ..no_answers.clone() }),
            texts("wrong", "1 wrong, 4 crashed")
        );
        assert_eq!(cell_texts(no_answers), texts("no answer", ""));
    }
}
