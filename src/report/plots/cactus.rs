//! Cactus plot: how many instances a solver solves when each may take so long. A point is the k-th
//! fastest of a solver's instances with its time; the further right a line goes, the better.

use super::Data;
use super::canvas::Drawn;
use super::chart::{Chart, Series};
use crate::report::Unit;
use crate::report::instances;

pub(super) fn draw(data: &Data<'_>) -> Drawn<String> {
    chart(data).svg()
}

fn chart(data: &Data<'_>) -> Chart {
    let keys = data.keys();
    let series = keys.iter().filter_map(|(key, style)| {
        let cells = instances::of_key(data.timings, &key);
        let mut times: Vec<u64> = cells.iter().filter_map(|cell| instances::solved_ns(cell)).collect();
        times.sort_unstable();
        (!times.is_empty()).then(|| Series {
            name: vec![keys.name(&key, true)],
            style,
            dashed: false,
            line: (1..).zip(times).collect(),
            dots: Vec::new(),
            band: Vec::new(),
            limits: Vec::new(),
            fit: None,
        })
    });
    let (title, subtitle) =
        data.headings("Cactus plot", "instances solved, fastest first; an instance is a board size");
    Chart {
        id: "cactus",
        title,
        subtitle,
        across: "instances solved",
        at: "instances",
        axis: "time of the slowest of them",
        unit: Unit::Time,
        series: series.collect(),
        notes: vec![
            "An instance is solved when at least half of its runs were answered; its time is their median."
                .to_owned(),
        ],
        empty: "no instance solved",
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
    fn instances_stand_by_time_and_the_unsolved_are_left_out() {
        let run = |n: usize, solver: &str, time| {
            let row = Row::skipped("r".into(), "c".into(), n, Goal::Count, solver.into());
            Row { status: Status::Complete, solve_ns: Some(time), ..row }
        };
        let timeout = |n, solver| Row { status: Status::Timeout, solve_ns: None, ..run(n, solver, 0) };
        let rows = [
            run(4, "a", 30),
            run(5, "a", 10),
            run(6, "a", 20),
            timeout(7, "a"),
            run(8, "a", 1),
            timeout(8, "a"),
            timeout(8, "a"),
            timeout(4, "b"),
        ];
        let rows = Run::all(&rows);
        let (timings, titles) = (tables::timings(&rows), Titles::default());
        let chart = chart(&Data { rows: &rows, timings: &timings, nodes: &[], titles: &titles, pair: None });
        let [series] = &chart.series[..] else { panic!("one series") };
        assert_eq!((series.name[0].as_str(), &series.line[..]), ("a", &[(1, 10), (2, 20), (3, 30)][..]));
    }
}
