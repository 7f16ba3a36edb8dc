//! Sizes of formulas against n: clauses, and dashed the variables. Solvers whose formulas have the same
//! size are one line that bears all their names. What a strategy adds while it searches (blocking
//! clauses, cubes) is not in them.

use std::collections::BTreeMap;

use super::Data;
use super::alike::{Counts, merge};
use super::canvas::Drawn;
use super::chart::{BOARD_SIZE, Chart};
use crate::record::NodesRow;
use crate::report::Unit;
use crate::solver::Stat;

/// What stands beside the name of a dashed line.
const VARIABLES: &str = "variables";

pub(super) fn draw(data: &Data<'_>) -> Drawn<String> {
    chart(data).svg()
}

fn chart(data: &Data<'_>) -> Chart {
    let keys = data.keys();
    let mut counts: Vec<Counts> = Vec::new();
    for (key, style) in keys.without_threads() {
        let mine = |row: &&NodesRow| {
            (row.solver.as_str(), row.variant.as_str(), row.goal.as_str())
                == (key.solver, key.variant, key.goal.name())
        };
        let rows: Vec<&NodesRow> = data.nodes.iter().filter(mine).collect();
        let all = |stat| -> BTreeMap<usize, u64> {
            rows.iter().filter_map(|row| Some((row.n, row.stats.get(stat)?))).collect()
        };
        for (dashed, at) in [(None, all(Stat::Clauses)), (Some(VARIABLES), all(Stat::Vars))] {
            if !at.is_empty() {
                counts.push(Counts { name: keys.name(&key, false), style, dashed, at });
            }
        }
    }
    let (title, subtitle) = data.headings("Size of the formula against n", "as the counting runs encoded it");
    Chart {
        id: "encodings",
        title,
        subtitle,
        across: BOARD_SIZE,
        at: "n",
        axis: "clauses; dashed: variables",
        unit: Unit::Count,
        series: merge(counts, "formulas"),
        notes: Vec::new(),
        empty: "no formula encoded",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Row, Status};
    use crate::report::plots::Titles;
    use crate::report::{Run, tables};
    use crate::solver::Goal;

    #[test]
    fn clauses_and_variables_are_lines_of_their_own_and_a_searcher_has_none() {
        let row = |n: usize, solver: &str, vars: Option<u64>, clauses: Option<u64>| {
            let mut row = Row::skipped("r".into(), "c".into(), n, Goal::Count, solver.into());
            row.stats.set(Stat::Vars, vars);
            row.stats.set(Stat::Clauses, clauses);
            Row { status: Status::Complete, counting: true, ..row }
        };
        let rows = [
            row(4, "sat/a", Some(16), Some(84)),
            row(5, "sat/a", Some(25), Some(170)),
            row(4, "sat/b", Some(16), Some(84)),
            row(4, "sat/c", Some(30), Some(60)),
            row(4, "backtrack/x", None, None),
        ];
        let rows = Run::all(&rows);
        let (nodes, titles) = (tables::nodes(&rows), Titles::default());
        let chart = chart(&Data { rows: &rows, timings: &[], nodes: &nodes, titles: &titles, pair: None });
        let lines: Vec<_> = chart.series.iter().map(|s| (s.name.clone(), s.dashed, s.line.clone())).collect();
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(
            lines,
            [
                (
                    names(&["2 formulas, the same counts", "sat/a", "sat/b (n = 4)"]),
                    false,
                    vec![(4, 84), (5, 170)]
                ),
                (
                    names(&["2 formulas, the same counts", "sat/a", "sat/b (n = 4)", "variables"]),
                    true,
                    vec![(4, 16), (5, 25)]
                ),
                (names(&["sat/c"]), false, vec![(4, 60)]),
                (names(&["sat/c", "variables"]), true, vec![(4, 30)]),
            ]
        );
    }
}
