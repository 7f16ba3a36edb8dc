//! Nodes against n: what the counting run of each searcher visited. Searchers without nodes show the
//! candidates that they tested, dashed. SAT solvers have neither and are left out: a learned clause is
//! not a node. Searchers that visit the same tree are one line that bears all their names.

use std::collections::BTreeMap;

use super::Data;
use super::alike::{Counts, merge};
use super::canvas::Drawn;
use super::chart::{BOARD_SIZE, Chart};
use crate::record::NodesRow;
use crate::report::Unit;
use crate::solver::Stat;

/// What stands beside the name of a dashed line.
const CANDIDATES: &str = "candidates tested";

pub(super) fn draw(data: &Data<'_>) -> Drawn<String> {
    chart(data).svg()
}

fn chart(data: &Data<'_>) -> Chart {
    let keys = data.keys();
    let mut counts: Vec<Counts> = Vec::new();
    let (mut sat, mut silent) = (None, None);
    for (key, style) in keys.without_threads() {
        let mine = |row: &&NodesRow| {
            (row.solver.as_str(), row.variant.as_str(), row.goal.as_str())
                == (key.solver, key.variant, key.goal.name())
        };
        let name = keys.name(&key, false);
        let rows: Vec<&NodesRow> = data.nodes.iter().filter(mine).collect();
        let all = |stat| -> BTreeMap<usize, u64> {
            rows.iter().filter_map(|row| Some((row.n, row.stats.get(stat)?))).collect()
        };
        let (nodes, candidates) = (all(Stat::Nodes), all(Stat::Candidates));
        if !nodes.is_empty() {
            counts.push(Counts { name, style, dashed: None, at: nodes });
        } else if !candidates.is_empty() {
            counts.push(Counts { name, style, dashed: Some(CANDIDATES), at: candidates });
        } else if !all(Stat::Clauses).is_empty() || !all(Stat::LearnedClauses).is_empty() {
            note(&mut sat, "SAT solvers have no nodes; left out", &name);
        } else if !rows.is_empty() {
            note(&mut silent, "Counted nothing; left out", &name);
        }
    }
    let axis = match (
        counts.iter().any(|counts| counts.dashed.is_none()),
        counts.iter().any(|counts| counts.dashed.is_some()),
    ) {
        (true, true) => "nodes visited; dashed: candidates tested",
        (false, true) => "candidates tested",
        _ => "nodes visited",
    };
    let (title, subtitle) =
        data.headings("Nodes against n", "counted in runs of their own, which are not timed");
    Chart {
        id: "nodes",
        title,
        subtitle,
        across: BOARD_SIZE,
        at: "n",
        axis,
        unit: Unit::Count,
        series: merge(counts, "searchers"),
        notes: [sat, silent].into_iter().flatten().map(|note| note + ".").collect(),
        empty: "no nodes counted",
    }
}

/// Adds a name to a note, or begins it.
fn note(note: &mut Option<String>, begin: &str, name: &str) {
    match note {
        Some(names) => *names += &format!(", {name}"),
        None => *note = Some(format!("{begin}: {name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Row, Status};
    use crate::report::plots::Titles;
    use crate::report::plots::style::Style;
    use crate::report::{Run, tables};
    use crate::solver::Goal;

    fn counting(n: usize, solver: &str) -> Row {
        let row = Row::skipped("r".into(), "c".into(), n, Goal::Count, solver.into());
        Row { status: Status::Complete, counting: true, ..row }
    }

    fn nodes(n: usize, solver: &str, nodes: u64) -> Row {
        Row { stats: [(Stat::Nodes, nodes)].into(), ..counting(n, solver) }
    }

    fn chart_of(rows: &[Row]) -> Chart {
        let rows = &Run::all(rows);
        chart(&Data {
            rows,
            timings: &[],
            nodes: &tables::nodes(rows),
            titles: &Titles::default(),
            pair: None,
        })
    }

    #[test]
    fn searchers_that_count_the_same_are_one_line_with_all_their_names() {
        let rows = [
            nodes(4, "a", 17),
            nodes(4, "b", 17),
            nodes(4, "c", 17),
            nodes(4, "d", 18),
            nodes(5, "b", 54),
            nodes(5, "d", 54),
            nodes(6, "b", 153),
            nodes(5, "c", 54),
        ];
        let chart = chart_of(&rows);
        let names: Vec<_> = chart.series.iter().map(|series| series.name.clone()).collect();
        assert_eq!(
            names,
            [vec!["3 searchers, the same counts", "b", "c (to n = 5)", "a (n = 4)"], vec!["d"]]
        );
        assert_eq!(chart.series[0].line, [(4, 17), (5, 54), (6, 153)]);
        assert_eq!(chart.axis, "nodes visited");
    }

    #[test]
    fn candidates_are_dashed_and_never_merged_with_nodes() {
        let rows = [nodes(4, "a", 256), Row { stats: [(Stat::Candidates, 256)].into(), ..counting(4, "b") }];
        let chart = chart_of(&rows);
        assert_eq!(chart.series.iter().map(|series| series.dashed).collect::<Vec<_>>(), [false, true]);
        assert_eq!(chart.series[1].name, ["b", "candidates tested"]);
    }

    #[test]
    fn learned_clauses_are_not_nodes() {
        let sat = |solver| Row { stats: [(Stat::Clauses, 84)].into(), ..counting(4, solver) };
        let chart = chart_of(&[sat("sat/a"), counting(4, "program/x"), sat("sat/b")]);
        assert_eq!(chart.series, []);
        assert_eq!(
            chart.notes,
            ["SAT solvers have no nodes; left out: sat/a, sat/b.", "Counted nothing; left out: program/x."]
        );
    }

    #[test]
    fn a_solver_looks_the_same_as_in_the_plot_of_times() {
        let rows = [counting(4, "a"), nodes(4, "b", 17), nodes(4, "c", 18)];
        let styles: Vec<_> = chart_of(&rows).series.iter().map(|series| series.style).collect();
        assert_eq!(styles, [Style::of_rank(1), Style::of_rank(2)]);
    }
}
