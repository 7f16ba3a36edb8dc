//! Solutions per second against n: the number of solutions over the median time, for goals that visit all
//! solutions.

use std::collections::BTreeMap;

use super::Data;
use super::canvas::Drawn;
use super::chart::{BOARD_SIZE, Chart, Series};
use crate::record::Verdict;
use crate::report::Unit;
use crate::report::instances;
use crate::solver::Goal;

pub(super) fn draw(data: &Data<'_>) -> Drawn<String> {
    chart(data).svg()
}

fn chart(data: &Data<'_>) -> Chart {
    let keys = data.keys();
    // What was found, where it was not found wrong; boards without a solution have no rate.
    let found: BTreeMap<usize, u64> = data
        .rows
        .iter()
        .filter(|row| row.goal != Goal::First && row.verdict == Verdict::Correct)
        .filter_map(|row| Some((row.n, row.solutions.filter(|&solutions| solutions > 0)?)))
        .collect();
    let series = keys.iter().filter(|(key, _)| key.goal != Goal::First).map(|(key, style)| {
        let cells = instances::of_key(data.timings, &key);
        let rate = |solutions: u64, ns: u64| {
            let rate = u128::from(solutions) * 1_000_000_000 / u128::from(ns.max(1));
            u64::try_from(rate).unwrap_or(u64::MAX).max(1)
        };
        let line =
            cells.iter().filter_map(|cell| Some((cell.n, rate(*found.get(&cell.n)?, cell.median_ns?))));
        Series {
            name: vec![keys.name(&key, true)],
            style,
            dashed: false,
            line: line.collect(),
            dots: Vec::new(),
            band: Vec::new(),
            limits: Vec::new(),
            fit: None,
        }
    });
    let (title, subtitle) = data.headings("Solutions per second against n", "solutions over the median time");
    Chart {
        id: "rate",
        title,
        subtitle,
        across: BOARD_SIZE,
        at: "n",
        axis: "solutions per second",
        unit: Unit::Count,
        series: series.filter(|series| !series.line.is_empty()).collect(),
        notes: Vec::new(),
        empty: "no run went through all solutions",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Row, Status};
    use crate::report::plots::Titles;
    use crate::report::{Run, tables};

    fn lines(rows: &[Row]) -> Vec<Vec<(usize, u64)>> {
        let rows = &Run::all(rows);
        let (timings, titles) = (tables::timings(rows), Titles::default());
        let data = Data { rows, timings: &timings, nodes: &[], titles: &titles, pair: None };
        chart(&data).series.into_iter().map(|series| series.line).collect()
    }

    fn run(n: usize, goal: Goal, solutions: u64, ns: u64) -> Row {
        let row = Row::skipped("r".into(), "c".into(), n, goal, "s".into());
        let (status, verdict) = (Status::Complete, Verdict::Correct);
        Row { status, verdict, solutions: Some(solutions), solve_ns: Some(ns), ..row }
    }

    #[test]
    fn the_rate_is_solutions_over_the_median_time() {
        let rows = [
            run(8, Goal::Count, 92, 1_000),
            run(8, Goal::Count, 92, 2_000),
            run(8, Goal::Count, 92, 4_000),
            run(9, Goal::Count, 352, 1_000_000_000),
        ];
        assert_eq!(lines(&rows), [[(8, 46_000_000), (9, 352)]]);
    }

    #[test]
    fn first_solutions_boards_without_one_and_wrong_counts_have_no_rate() {
        let wrong = Row { verdict: Verdict::Wrong, ..run(8, Goal::Count, 91, 1_000) };
        assert_eq!(lines(&[run(6, Goal::First, 1, 10), run(3, Goal::Count, 0, 10), wrong]), [[]; 0]);
    }
}
