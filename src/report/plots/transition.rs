//! The charts of a phase transition: the share of instances with a solution, and the time to decide them, against the number
//! of restrictions (placed queens, forbidden squares, excluded diagonals). There is one line per board size.

use std::collections::{BTreeMap, HashMap};

use lineplot::{Axis, Chart, Scale, Series, Style};

use super::{TimeAxis, point, short_times, whole_axis, without_zero_times};
use crate::experiment::plan::Cell;
use crate::model::ProblemRef;
use crate::report::DerivedData;
use crate::report::number_format::Share;
use crate::report::series::solved_ns;

/// The horizontal axis.
fn restrictions_axis() -> Axis {
    whole_axis("given queens, forbidden squares and excluded diagonals", "restrictions")
}

/// The number of restrictions of each problem, by size and variant.
type Restrictions = HashMap<(usize, ProblemRef), u64>;

/// The share of solvable problems against their number of restrictions.
pub fn share(data: &DerivedData<'_>) -> Chart {
    shares(data, &restrictions(data))
}

/// The time to decide problems against their number of restrictions.
pub fn hardness(data: &DerivedData<'_>) -> Chart {
    times(data, &restrictions(data))
}

/// The number of restrictions of each problem of the plan.
fn restrictions(data: &DerivedData<'_>) -> Restrictions {
    let cells = data.source.parts.iter().filter_map(|part| part.plan).flat_map(|plan| &plan.cells);
    let restrictions_of_cell = |cell: &Cell| {
        let problem = cell.problem().ok()?;
        Some(((cell.key.n, cell.key.problem.clone()), problem.restrictions() as u64))
    };
    cells.filter_map(restrictions_of_cell).collect()
}

/// The share of solvable problems against their number of restrictions, with the 95 % interval of a binomial proportion. A
/// problem counts if a run of any solver answered it.
fn shares(data: &DerivedData<'_>, restrictions: &Restrictions) -> Chart {
    let mut solvable: BTreeMap<(usize, u64), HashMap<&str, bool>> = BTreeMap::new();
    for run in data.runs.iter().filter(|run| run.is_answered()) {
        let count = restrictions.get(&(run.n, run.variant.clone()));
        if let (Some(&count), Some(solutions)) = (count, run.solutions) {
            solvable.entry((run.n, count)).or_default().insert(&run.row.variant, solutions > 0);
        }
    }
    let mut sizes: BTreeMap<usize, Series> = BTreeMap::new();
    for ((n, count), problems) in solvable {
        let style_index = sizes.len();
        let new_series =
            || Series { name: vec![format!("n = {n}")], style: Style(style_index), ..Series::default() };
        let series = sizes.entry(n).or_insert_with(new_series);
        let solvable_count = problems.values().filter(|solvable| **solvable).count();
        let (low, high) = interval(solvable_count, problems.len());
        series.line.push((count as f64, solvable_count as f64 / problems.len() as f64));
        series.band.push((count as f64, low, high));
    }
    let subtitle = "over all problems that a solver decided; band: 95 % interval (Wilson)";
    Chart {
        x: restrictions_axis(),
        y: Axis {
            title: "problems with a solution".to_owned(),
            unit: &Share,
            scale: Scale::Linear { low: 0.0, high: 1.0 },
            ..Axis::default()
        },
        series: sizes.into_values().filter(|series| series.line.len() > 1).collect(),
        ..data.chart("Share of problems with a solution", subtitle)
    }
}

/// The median over the problems of the time to decide them, against their number of restrictions. A problem that a solver
/// did not decide counts as slower than all others; if more than half of the problems are undecided, there is no median.
fn times(data: &DerivedData<'_>, restrictions: &Restrictions) -> Chart {
    let mut series = Vec::new();
    for run_series in &data.series {
        let mut times: BTreeMap<(usize, u64), Vec<u64>> = BTreeMap::new();
        for cell in data.cells(run_series) {
            if let Some(&count) = restrictions.get(&(cell.n, cell.variant.clone())) {
                times.entry((cell.n, count)).or_default().push(solved_ns(cell).unwrap_or(u64::MAX));
            }
        }
        let mut lines: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
        for ((n, count), mut times) in times {
            times.sort_unstable();
            let median = times[(times.len() - 1) / 2];
            if median < u64::MAX {
                lines.entry(n).or_default().push(point(count, median));
            }
        }
        lines.retain(|_, line| line.len() > 1);
        let sizes: Vec<String> = lines.keys().map(|n| n.to_string()).collect();
        let name = vec![data.timed_name(&run_series.key), format!("n = {}", sizes.join(", "))];
        let series_of_line =
            |line| Series { name: name.clone(), style: run_series.style, line, ..Series::default() };
        let solver_lines: Vec<Series> = lines.into_values().map(series_of_line).collect();
        // All lines of a solver share one name.
        let last_index = solver_lines.len().saturating_sub(1);
        series.extend(
            solver_lines
                .into_iter()
                .enumerate()
                .map(|(at, line)| Series { shares_name: at < last_index, ..line }),
        );
    }
    let subtitle = "median of all problems with the same size and number of restrictions";
    let chart = Chart {
        x: restrictions_axis(),
        series,
        shade: short_times(),
        ..data.chart("Time to decide a problem", subtitle)
    };
    without_zero_times(chart, TimeAxis::Vertical)
}

/// Wilson's 95 % interval of the proportion `yes / all`; `all` is at least 1.
fn interval(yes: usize, all: usize) -> (f64, f64) {
    const Z: f64 = 1.959_964;
    let (all, share) = (all as f64, yes as f64 / all as f64);
    let middle = share + Z * Z / (2.0 * all);
    let spread = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
    let scale = 1.0 + Z * Z / all;
    (((middle - spread) / scale).max(0.0), ((middle + spread) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardSize;
    use crate::board::problem::Problem;
    use crate::record::Row;
    use crate::report::fixture::{run, with_data};

    #[test]
    fn interval_of_a_proportion_follows_wilson() {
        // Newcombe, Statistics in Medicine 17 (1998), Table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        let references = [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ];
        for (yes, all, low, high) in references {
            let bounds = interval(yes, all);
            assert!(
                (bounds.0 - low).abs() < 6e-5 && (bounds.1 - high).abs() < 6e-5,
                "{yes} of {all}: {bounds:?}"
            );
        }
    }

    #[test]
    fn problems_with_equal_restriction_count_share_a_point() {
        // The problems 0 and 1 have one given queen, 2 to 4 have two; the first has no solution.
        let given_queens = ["0:0", "0:1", "0:0,1:2", "0:1,1:3", "0:2,1:0"];
        let restrictions: Restrictions = given_queens
            .iter()
            .enumerate()
            .map(|(index, squares)| {
                let problem = format!("queens;place={squares}");
                let problem = Problem::from_text(BoardSize::new(4).expect("small"), &problem).expect("valid");
                ((4, ProblemRef::instance(&index.to_string())), problem.restrictions() as u64)
            })
            .collect();
        let rows: Vec<Row> = (0..5_u64)
            .map(|index| {
                let solutions = Some(u64::from(index == 1 || index > 2));
                Row {
                    variant: ProblemRef::instance(&index.to_string()),
                    solutions,
                    ..run(4, "a/b", 1000 * (index + 1))
                }
            })
            .collect();
        let shares = with_data(&rows, |data| super::shares(data, &restrictions));
        assert_eq!(shares.series.len(), 1);
        assert_eq!(shares.series[0].line, [(1.0, 0.5), (2.0, 2.0 / 3.0)]);
        let in_percent =
            |&(at, low, high): &(f64, f64, f64)| [at, (100.0 * low).floor(), (100.0 * high).floor()];
        let band: Vec<_> = shares.series[0].band.iter().map(in_percent).collect();
        assert_eq!(band, [[1.0, 9.0, 90.0], [2.0, 20.0, 93.0]]);
        let times = with_data(&rows, |data| super::times(data, &restrictions));
        assert_eq!(times.series[0].name, ["a/b", "n = 4"]);
        assert_eq!(times.series[0].line, [(1.0, 1000.0), (2.0, 4000.0)]);
        let svg = shares.draw().expect("finite").svg;
        assert!(svg.contains(">50 %<") && svg.contains(">100 %<"), "{svg}");
    }
}
