//! Scatter plot of two solvers: a point for each instance that at least one of them solved, its time with one against its
//! time with the other, on logarithmic axes. On the diagonal both are equally fast; the lines beside it mark a factor of
//! ten. A hollow marker lies at the time limit of the solver that did not solve the instance.

use std::collections::BTreeSet;

use super::Picture;
use super::axis::{Axis, Frame};
use super::style::{GREY, LABEL, SMALL, Style};
use super::svg::{Canvas, Point, Sheet, stroke, text_width};
use crate::report::instances::{self, Entrant, times};
use crate::report::ranking::pair;
use crate::report::{Data, Unit};

const SIDE: f64 = 520.0;

const EMPTY: &str = "no two solvers solved the same instance";

/// An instance with its times.
struct Spot {
    name: String,
    across: u64,
    up: u64,
    /// Whether both solved it; otherwise one of the times is a limit.
    solved: bool,
}

/// Two solvers, and the instances that both attempted.
struct Scatter {
    across: String,
    up: String,
    spots: Vec<Spot>,
}

pub(super) fn draw(data: &Data<'_>) -> Picture {
    let scatter = scatter(data);
    let what = match &scatter {
        Some(Scatter { across, up, .. }) => format!("{up} against {across}"),
        None => "Two solvers against each other".to_owned(),
    };
    let how = "medians; below the diagonal, the solver of the vertical axis is faster";
    let (title, subtitle) = data.headings(&what, how);
    let scatter = scatter.filter(|scatter| !scatter.spots.is_empty());
    let empty = || format!("{EMPTY}.");
    let description = scatter.as_ref().map_or_else(empty, |scatter| scatter.description(&subtitle));
    let sheet = Sheet { id: "scatter", titles: (&title, &subtitle), description, notes: &[], height: SIDE };
    let plot = scatter.ok_or(EMPTY);
    let is_empty = plot.is_err();
    let svg = sheet
        .svg(plot.map(|scatter| move |canvas: &mut Canvas, top, bottom| scatter.draw(canvas, top, bottom)));
    Picture { svg, is_empty, key: Vec::new() }
}

fn scatter(data: &Data<'_>) -> Option<Scatter> {
    let (across, up) = pair(&data.timings, data.material.pair)?;
    let times = times(&data.timings);
    let limits = instances::limits(data.material.rows);
    let goals = times.values().flat_map(|own| own.keys()).map(|&(_, variant, goal)| (variant, goal));
    let several = goals.collect::<BTreeSet<_>>().len() > 1;
    let mut spots = Vec::new();
    for (instance, &x) in &times[&across] {
        let Some(&y) = times[&up].get(instance) else { continue };
        let bound =
            |of: Entrant<'_>, time: Option<u64>| time.or_else(|| limits.get(&(of, *instance)).copied());
        let (Some(right), Some(high)) = (bound(across, x), bound(up, y)) else { continue };
        // If neither solved it, there is nothing to compare.
        if x.is_some() || y.is_some() {
            let (n, _, goal) = instance;
            let name = if several { format!("{n} {goal}") } else { n.to_string() };
            spots.push(Spot { name, across: right, up: high, solved: x.is_some() && y.is_some() });
        }
    }
    let name = |entrant| instances::name(&data.keys, entrant);
    Some(Scatter { across: name(across), up: name(up), spots })
}

impl Scatter {
    fn draw(&self, canvas: &mut Canvas, top: f64, bottom: f64) {
        // Both directions have the same axis, so that the diagonal means equal times.
        let values = self.spots.iter().flat_map(|spot| [spot.across, spot.up]);
        let axis = Axis::log(values, bottom - top, Unit::Time);
        let frame = Frame { across: axis, up: axis, left: axis.width(), bottom };
        let (left, right) = (frame.left, frame.right());
        frame.draw(canvas, &self.across, &self.up);
        let (equal, tenfold) = (stroke(GREY, 1.2), stroke(GREY, 0.9).dashed(3.0, 4.0));
        canvas.line([(left, bottom), (right, top)], &equal);
        let decade = axis.step();
        if decade < SIDE {
            canvas.line([(left + decade, bottom), (right, top + decade)], &tenfold);
            canvas.line([(left, bottom - decade), (right - decade, top)], &tenfold);
        }
        let places: Vec<Point> = self.spots.iter().map(|spot| frame.at(spot.across, spot.up)).collect();
        let marker = |canvas: &mut Canvas, place: Point, solved: bool| {
            Style(usize::from(!solved)).marker(canvas, place, 4.2, solved);
        };
        for (spot, &place) in self.spots.iter().zip(&places) {
            marker(canvas, place, spot.solved);
        }
        // A label that would cover a marker or another label is left out; the table of times is complete.
        let mut labels: Vec<(Point, f64)> = Vec::new();
        for (spot, &(x, y)) in self.spots.iter().zip(&places) {
            let width = text_width(&spot.name, SMALL);
            let free = |&&(from, y): &&Point| {
                let near =
                    |&(px, py): &Point| px > from - 5.0 && px < from + width + 5.0 && (py - y).abs() < 10.0;
                let touches = |&((start, other), end): &(Point, f64)| {
                    from < end + 3.0 && from + width > start - 3.0 && (other - y).abs() < 12.0
                };
                let inside = from > left && from + width < right;
                inside && !places.iter().any(near) && !labels.iter().any(touches)
            };
            let beside = [(x + 8.0, y), (x - 8.0 - width, y), (x - width / 2.0, y - 13.0)];
            if let Some(&(from, y)) = beside.iter().find(free) {
                canvas.text(&spot.name, (from, y), "start", SMALL);
                labels.push(((from, y), from + width));
            }
        }
        let x = right + 30.0;
        let row = |index: usize| top + 8.0 + 22.0 * index as f64;
        marker(canvas, (x, row(0)), true);
        marker(canvas, (x, row(1)), false);
        canvas.line([(x - 8.0, row(2)), (x + 8.0, row(2))], &equal);
        canvas.line([(x - 8.0, row(3)), (x + 8.0, row(3))], &tenfold);
        let one = "solved by one; the other at its limit";
        for (index, text) in
            ["solved by both, with its n", one, "equally fast", "ten times"].iter().enumerate()
        {
            canvas.text(text, (x + 14.0, row(index)), "start", LABEL);
        }
    }

    /// The picture in words.
    fn description(&self, subtitle: &str) -> String {
        let Self { across, up, spots } = self;
        let both: Vec<&Spot> = spots.iter().filter(|spot| spot.solved).collect();
        let faster = both.iter().filter(|spot| spot.up < spot.across).count();
        let show = |value| Unit::Time.show(value);
        let ends: Vec<String> = both
            .first()
            .into_iter()
            .chain(both.last())
            .map(|spot| format!("n = {}: {} against {}", spot.name, show(spot.up), show(spot.across)))
            .collect();
        format!(
            "{subtitle}. {up} against {across}: {} instances solved by both, {faster} of them faster by {up}. {}.",
            both.len(),
            ends.join("; ")
        )
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
        let scatter = plotted(&rows, scatter).expect("two solvers");
        assert_eq!((scatter.across.as_str(), scatter.up.as_str()), ("b/y", "a/x"));
        let spots: Vec<_> =
            scatter.spots.iter().map(|s| (s.name.as_str(), s.across, s.up, s.solved)).collect();
        assert_eq!(spots, [("4", 40, 10, true), ("5", 1000, 20, false)]);
    }

    #[test]
    fn one_solver_alone_gives_a_picture_that_says_so() {
        let picture = plotted(&[run(4, "a", 1)], draw);
        assert!(picture.is_empty && picture.svg.contains(EMPTY));
    }
}
