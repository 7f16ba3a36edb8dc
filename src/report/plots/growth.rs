//! Growth: medians and the exponential fitted through them, a dashed straight line on a logarithmic axis.

use super::Data;
use super::canvas::Drawn;
use super::chart::{BOARD_SIZE, Chart, Series};
use crate::report::Unit;
use crate::report::growth::Growth;
use crate::report::instances;

pub(super) fn draw(data: &Data<'_>) -> Drawn<String> {
    chart(data).svg()
}

fn chart(data: &Data<'_>) -> Chart {
    let keys = data.keys();
    let mut series = Vec::new();
    let mut unfitted = Vec::new();
    for (key, style) in keys.iter() {
        let name = keys.name(&key, true);
        let Some(growth) = Growth::of(&instances::of_key(data.timings, &key)) else {
            unfitted.push(name);
            continue;
        };
        let ends = growth.points.first().zip(growth.points.last());
        let sizes = ends.map_or(0..=0, |(&(first, _), &(last, _))| first..=last);
        series.push(Series {
            name: vec![name, growth.told()],
            style,
            dashed: true,
            fit: Some(sizes.map(|n| (n, growth.at(n))).collect()),
            line: growth.points,
            dots: Vec::new(),
            band: Vec::new(),
            limits: Vec::new(),
        });
    }
    let (title, subtitle) = data
        .headings("Growth of time with n", "markers: medians; dashed: the exponential fitted through them");
    let mut notes = vec![
        "Fitted through medians of at least 100 µs, of cells without a timeout; three such sizes at least."
            .to_owned(),
    ];
    if !unfitted.is_empty() {
        notes.push(format!("Not fitted: {}.", unfitted.join(", ")));
    }
    Chart {
        id: "growth",
        title,
        subtitle,
        across: BOARD_SIZE,
        at: "n",
        axis: "time",
        unit: Unit::Time,
        series,
        notes,
        empty: "too few sizes to fit a growth",
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
    fn the_line_is_the_fit_and_those_without_one_are_named() {
        let run = |n: usize, solver: &str, time| {
            let row = Row::skipped("r".into(), "c".into(), n, Goal::Count, solver.into());
            Row { status: Status::Complete, solve_ns: Some(time), ..row }
        };
        let rows = [run(4, "a", 200_000), run(5, "a", 400_000), run(7, "a", 1_600_000), run(4, "b", 200_000)];
        let rows = Run::all(&rows);
        let (timings, titles) = (tables::timings(&rows), Titles::default());
        let chart = chart(&Data { rows: &rows, timings: &timings, nodes: &[], titles: &titles, pair: None });
        let [series] = &chart.series[..] else { panic!("one series") };
        assert_eq!(series.name, ["a", "×2.00 per n (95 %: 2.00 to 2.00)"]);
        assert_eq!(series.line, [(4, 200_000), (5, 400_000), (7, 1_600_000)]);
        assert_eq!(
            series.fit.as_deref(),
            Some(&[(4, 200_000), (5, 400_000), (6, 800_000), (7, 1_600_000)][..])
        );
        assert_eq!(chart.notes[1], "Not fitted: b.");
    }
}
