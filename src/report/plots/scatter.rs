//! Scatter plot of two solvers: a point for each instance that at least one of them solved, its time with one against its
//! time with the other, on equal logarithmic axes. On the diagonal both are equally fast; the lines beside it mark a factor
//! of ten. A hollow marker lies at the time limit of the solver that did not solve the instance.

use std::collections::BTreeSet;

use super::axis::Frame;
use super::chart::{Chart, Series};
use super::style::{GREY, SMALL, Style};
use super::svg::{Canvas, Point, stroke, text_width};
use super::times::with_stopped;
use crate::record::{TimingsRow, is_foreign};
use crate::report::instances::{self, Entrant, attempts, solved_ns};
use crate::report::ranking::pair;
use crate::report::{Data, Unit};

/// The instances that both of two solvers attempted and one solved.
pub fn scatter(data: &Data<'_>) -> Chart {
    let chart =
        data.chart("Two solvers", "medians; below the diagonal, the solver of the vertical axis is faster");
    let Some((across, up)) = pair(&data.timings, data.material.pair.as_ref()) else { return chart };
    let spots = spots(data, (across, up));
    let series = [(true, "solved by both, with its n"), (false, "solved by one; the other at its limit")];
    let series = series.into_iter().enumerate().map(|(rank, (both, name))| {
        let own = spots.iter().filter(|spot| spot.solved == both);
        let (line, labels) = own.map(|spot| ((spot.across, spot.up), spot.name.clone())).unzip();
        let (name, style) = (vec![name.to_owned()], Style(rank));
        Series { name, style, line, labels: Some(labels), hollow: !both, ..Series::default() }
    });
    let own = data.timings.iter().filter(|cell| [across, up].contains(&instances::entrant(cell)));
    let lines = "Solid line: equally fast; dashed: ten times as fast.".to_owned();
    let name = |entrant| instances::name(data, entrant);
    let started = data.started().filter(|_| [across, up].iter().any(|entrant| is_foreign(entrant.solver)));
    Chart {
        title: format!("{} against {}", name(up), name(across)),
        across: name(across),
        across_unit: Some(Unit::Time),
        at: "time",
        axis: name(up),
        compares: true,
        series: series.filter(|series| !series.line.is_empty()).collect(),
        notes: [Some(lines), with_stopped(own), started.map(str::to_owned)].into_iter().flatten().collect(),
        ..chart
    }
}

/// An instance with its times.
struct Spot {
    name: String,
    across: u64,
    up: u64,
    /// Whether both solved it; otherwise one of the times is a limit.
    solved: bool,
}

fn spots(data: &Data<'_>, (across, up): (Entrant<'_>, Entrant<'_>)) -> Vec<Spot> {
    let cells = attempts(&data.timings);
    let problems = data.timings.iter().map(|cell| (&cell.variant, &cell.goal)).collect::<BTreeSet<_>>();
    let spot = |(instance, &x): (&instances::Instance<'_>, &&TimingsRow)| {
        let &y = cells[&up].get(instance)?;
        let solved = [x, y].map(|cell| solved_ns(cell).is_some());
        let [across, up] = [x, y].map(|cell| solved_ns(cell).or(cell.limit_ns));
        let name = if problems.len() > 1 { format!("{} {}", x.n, x.goal) } else { x.n.to_string() };
        // If neither solved it, there is nothing to compare.
        (solved != [false; 2]).then_some(Spot { name, across: across?, up: up?, solved: solved == [true; 2] })
    };
    cells[&across].iter().filter_map(spot).collect()
}

/// Draws the lines on which both values are equal, and differ by a factor of ten.
pub fn draw_diagonals(canvas: &mut Canvas, frame: &Frame) {
    let (left, right, top, bottom) = (frame.left, frame.right(), frame.top(), frame.bottom);
    canvas.line([(left, bottom), (right, top)], &stroke(GREY, 1.2));
    let decade = frame.up.step();
    if decade < bottom - top {
        let tenfold = stroke(GREY, 0.9).dashed(3.0, 4.0);
        canvas.line([(left + decade, bottom), (right, top + decade)], &tenfold);
        canvas.line([(left, bottom - decade), (right - decade, top)], &tenfold);
    }
}

/// Writes names beside points. A name that would cover a point or another name is left out; the tables are complete.
pub fn draw_labels(canvas: &mut Canvas, frame: &Frame, points: &[(Point, &str)]) {
    let mut labels: Vec<(Point, f64)> = Vec::new();
    for &((x, y), name) in points {
        let width = text_width(name, SMALL);
        let free = |&&(from, y): &&Point| {
            let near = |&((px, py), _): &(Point, &str)| {
                px > from - 5.0 && px < from + width + 5.0 && (py - y).abs() < 10.0
            };
            let touches = |&((start, other), end): &(Point, f64)| {
                from < end + 3.0 && from + width > start - 3.0 && (other - y).abs() < 12.0
            };
            let inside = from > frame.left && from + width < frame.right();
            inside && !points.iter().any(near) && !labels.iter().any(touches)
        };
        let beside = [(x + 8.0, y), (x - 8.0 - width, y), (x - width / 2.0, y - 13.0)];
        if let Some(&(from, y)) = beside.iter().find(free) {
            canvas.text(name, (from, y), "start", SMALL);
            labels.push(((from, y), from + width));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Status;
    use crate::report::fixture::{ended, plotted, run};

    #[test]
    fn a_point_is_an_instance_and_a_timeout_lies_at_its_limit() {
        let timeout = |n| ended(n, "b/y", Status::Timeout);
        let rows = [run(4, "a/x", 10), run(4, "b/y", 40), run(5, "a/x", 20), timeout(5), timeout(6)];
        let chart = plotted(&rows, scatter);
        assert_eq!((chart.across.as_str(), chart.axis.as_str()), ("b/y", "a/x"));
        let [both, one] = &chart.series[..] else { panic!("two series: {chart:?}") };
        assert_eq!((&both.line[..], both.hollow), (&[(40, 10)][..], false));
        assert_eq!((&one.line[..], one.hollow), (&[(1000, 20)][..], true));
        let svg = chart.svg();
        assert!(svg.contains(">4</text>") && svg.contains(">5</text>"), "{svg}");
    }

    #[test]
    fn one_solver_alone_has_no_picture() {
        assert!(!plotted(&[run(4, "a", 1)], scatter).shows_something());
    }
}
