//! The charts of counts: nodes, and sizes of formulas. Solvers with the same counts share a line with all their names.

use std::cmp::Reverse;

use super::chart::{Chart, Series};
use crate::record::NodesRow;
use crate::report::{Data, Unit};
use crate::solver::Stat;

/// Most names at a shared line; the others are only counted.
const MOST_NAMES: usize = 12;

fn values(rows: &[&NodesRow], stat: Stat) -> Vec<(u64, u64)> {
    rows.iter().filter_map(|row| Some((row.n as u64, row.stats.get(stat)?))).collect()
}

/// Nodes against n: what the counting run of each searcher visited. Searchers without nodes show the candidates that they
/// tested, dashed. SAT solvers have neither and are left out: a learned clause is not a node.
pub fn nodes(data: &Data<'_>) -> Chart {
    const CANDIDATES: &str = "candidates tested";
    let (mut series, mut sat, mut silent) = (Vec::new(), Vec::new(), Vec::new());
    for own in data.without_threads() {
        let (name, style) = (data.count_name(&own.key), own.style);
        let rows = data.counts(own);
        let (nodes, candidates) = (values(&rows, Stat::Nodes), values(&rows, Stat::Candidates));
        if !nodes.is_empty() {
            series.push(Series { name: vec![name], style, line: nodes, ..Series::default() });
        } else if !candidates.is_empty() {
            let name = vec![name, CANDIDATES.to_owned()];
            series.push(Series { name, style, dashed: true, line: candidates, ..Series::default() });
        } else if [Stat::Clauses, Stat::LearnedClauses].iter().any(|&stat| !values(&rows, stat).is_empty()) {
            sat.push(name);
        } else if !rows.is_empty() {
            silent.push(name);
        }
    }
    let has = |dashed: bool| series.iter().any(|series| series.dashed == dashed);
    let axis = match (has(false), has(true)) {
        (true, true) => "nodes visited; dashed: candidates tested",
        (false, true) => CANDIDATES,
        _ => "nodes visited",
    };
    let left_out =
        [("SAT solvers have no nodes: a learned clause is none", sat), ("Counted nothing", silent)];
    let notes = left_out.iter().filter(|(_, names)| !names.is_empty());
    Chart {
        axis: axis.into(),
        unit: Unit::Count,
        notes: notes.map(|(why, names)| format!("{why}; left out: {}.", names.join(", "))).collect(),
        series: merge(series, "searchers"),
        ..data.chart("Nodes against n", "counted in separate runs, which are not timed")
    }
}

/// Sizes of formulas against n: clauses, and dashed the variables. Clauses that a strategy adds while it searches
/// (blocking clauses, cubes) are not included.
pub fn encodings(data: &Data<'_>) -> Chart {
    Chart {
        axis: "clauses; dashed: variables".into(),
        unit: Unit::Count,
        series: merge(counted(data, &[(Stat::Clauses, None), (Stat::Vars, Some("variables"))]), "formulas"),
        ..data.chart("Size of the formula against n", "as encoded in the counting runs")
    }
}

/// A column of the tables.
pub enum Column {
    /// A statistic of the counting runs, and its name.
    Count(Stat, &'static str),
    /// The largest peak memory of the answered timed runs.
    Memory,
}

/// A column against n.
pub fn column(data: &Data<'_>, column: Column) -> Chart {
    let (axis, how, series) = match column {
        Column::Count(stat, name) => {
            (name, "counted in separate runs", merge(counted(data, &[(stat, None)]), "solvers"))
        }
        Column::Memory => {
            let peaks = data.lines(|own| {
                let cells = data.medians(own).into_iter();
                cells.filter_map(|cell| Some((cell.n as u64, cell.peak_rss_bytes?))).collect()
            });
            ("peak memory in bytes", "the largest of the timed runs", peaks)
        }
    };
    let title = format!("{}{} against n", axis[..1].to_uppercase(), &axis[1..]);
    Chart { axis: axis.into(), unit: Unit::Count, series, ..data.chart(&title, how) }
}

/// The counts of each solver that has some, for each statistic; `Some`: its line is dashed, and this is what it counts.
fn counted(data: &Data<'_>, stats: &[(Stat, Option<&'static str>)]) -> Vec<Series> {
    let mut all = Vec::new();
    for own in data.without_threads() {
        let (rows, solver) = (data.counts(own), data.count_name(&own.key));
        all.extend(stats.iter().map(|&(stat, what)| Series {
            name: [Some(solver.as_str()), what].into_iter().flatten().map(str::to_owned).collect(),
            style: own.style,
            dashed: what.is_some(),
            line: values(&rows, stat),
            ..Series::default()
        }));
    }
    all.retain(|series| !series.line.is_empty());
    all
}

/// One series for all counts that agree with those at the most sizes. `what`: the things counted, in the plural.
fn merge(mut all: Vec<Series>, what: &str) -> Vec<Series> {
    all.sort_by_key(|series| Reverse(series.line.len()));
    let mut groups: Vec<Vec<Series>> = Vec::new();
    for series in all {
        let same = |group: &&mut Vec<Series>| {
            let leader = &group[0];
            let agrees = |point| leader.line.binary_search(point).is_ok();
            leader.dashed == series.dashed && series.line.iter().all(agrees)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(series),
            None => groups.push(vec![series]),
        }
    }
    groups.iter().map(|group| shared(group, what)).collect()
}

/// The first series of a group, with the names of all.
fn shared(group: &[Series], what: &str) -> Series {
    let mut leader = group[0].clone();
    if group.len() > 1 {
        let mut names = vec![format!("{} {what}, the same counts", group.len())];
        let named = |series: &Series| series.name[0].clone() + &range(series, &leader);
        names.extend(group.iter().take(MOST_NAMES).map(named));
        if group.len() > MOST_NAMES {
            names.push(format!("and {} more", group.len() - MOST_NAMES));
        }
        leader.name.splice(..1, names);
    }
    leader
}

/// The sizes of this series, unless they are those of the whole line.
fn range(series: &Series, leader: &Series) -> String {
    let ends = |Series { line, .. }: &Series| Some((line.first()?.0, line.last()?.0));
    match (ends(series), ends(leader)) {
        (mine, all) if mine == all => String::new(),
        (Some((low, high)), _) if low == high => format!(" (n = {low})"),
        (Some((low, high)), Some((first, _))) if low == first => format!(" (to n = {high})"),
        (Some((low, high)), _) => format!(" (n = {low}–{high})"),
        (None, _) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::style::Style;
    use super::*;
    use crate::record::{Kind, Row};
    use crate::report::fixture::{plotted, run};

    fn counting(n: usize, solver: &str) -> Row {
        Row { kind: Kind::Counting, ..run(n, solver, 1) }
    }

    fn visited(n: usize, solver: &str, nodes: u64) -> Row {
        Row { stats: [(Stat::Nodes, nodes)].into(), ..counting(n, solver) }
    }

    fn names(chart: &Chart) -> Vec<Vec<&str>> {
        chart.series.iter().map(|series| series.name.iter().map(String::as_str).collect()).collect()
    }

    #[test]
    fn searchers_that_count_the_same_are_one_line_with_all_their_names() {
        let counts = [(4, "a", 17), (4, "b", 17), (4, "c", 17), (4, "d", 18)];
        let more = [(5, "b", 54), (5, "d", 54), (6, "b", 153), (5, "c", 54)];
        let rows = [counts, more].concat();
        let chart =
            plotted(&rows.iter().map(|&(n, s, count)| visited(n, s, count)).collect::<Vec<_>>(), nodes);
        let group = vec!["3 searchers, the same counts", "b", "c (to n = 5)", "a (n = 4)"];
        assert_eq!(names(&chart), [group, vec!["d"]]);
        assert_eq!(chart.series[0].line, [(4, 17), (5, 54), (6, 153)]);
        assert_eq!(chart.axis, "nodes visited");
    }

    #[test]
    fn candidates_are_dashed_and_never_merged_with_nodes() {
        let tested = Row { stats: [(Stat::Candidates, 256)].into(), ..counting(4, "b") };
        let chart = plotted(&[visited(4, "a", 256), tested], nodes);
        assert_eq!(chart.series.iter().map(|series| series.dashed).collect::<Vec<_>>(), [false, true]);
        assert_eq!(chart.series[1].name, ["b", "candidates tested"]);
    }

    #[test]
    fn learned_clauses_are_not_nodes() {
        let sat = |solver| {
            let stats = [(Stat::Clauses, 84), (Stat::LearnedClauses, 9)].into();
            Row { stats, ..counting(4, solver) }
        };
        let chart = plotted(&[sat("sat/a"), counting(4, "program/x"), sat("sat/b")], nodes);
        assert_eq!(chart.series, []);
        assert_eq!(
            chart.notes,
            [
                "SAT solvers have no nodes: a learned clause is none; left out: sat/a, sat/b.",
                "Counted nothing; left out: program/x."
            ]
        );
    }

    #[test]
    fn a_solver_looks_the_same_as_in_the_plot_of_times() {
        let chart = plotted(&[counting(4, "a"), visited(4, "b", 17), visited(4, "c", 18)], nodes);
        assert_eq!(chart.series.iter().map(|series| series.style).collect::<Vec<_>>(), [Style(1), Style(2)]);
    }

    #[test]
    fn clauses_and_variables_are_lines_of_their_own_and_a_searcher_has_none() {
        let row = |n, solver, vars: Option<u64>, clauses: Option<u64>| {
            let mut row = counting(n, solver);
            row.stats.set(Stat::Vars, vars);
            row.stats.set(Stat::Clauses, clauses);
            row
        };
        let rows = [
            row(4, "sat/a", Some(16), Some(84)),
            row(5, "sat/a", Some(25), Some(170)),
            row(4, "sat/b", Some(16), Some(84)),
            row(4, "sat/c", Some(30), Some(60)),
            row(4, "backtrack/x", None, None),
        ];
        let chart = plotted(&rows, encodings);
        let group = vec!["2 formulas, the same counts", "sat/a", "sat/b (n = 4)"];
        let dashed = [&group[..], &["variables"]].concat();
        assert_eq!(names(&chart), [group, dashed, vec!["sat/c"], vec!["sat/c", "variables"]]);
        let lines: Vec<_> = chart.series.iter().map(|s| (s.dashed, s.line.clone())).collect();
        assert_eq!(lines[..2], [(false, vec![(4, 84), (5, 170)]), (true, vec![(4, 16), (5, 25)])]);
        assert_eq!(lines[2..], [(false, vec![(4, 60)]), (true, vec![(4, 30)])]);
    }
}
