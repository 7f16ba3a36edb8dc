//! Scatter plot of two solvers: a point for each instance that either solved, its time with one against its
//! time with the other, both axes logarithmic. On the diagonal both are equally fast; lines beside it are
//! ten times. A hollow marker lies at the time limit of the solver that did not solve it.
//!
//! The two, unless they are named: of the pairs of different families (`backtrack`, `sat` ...) with the most
//! instances solved by both, the pair whose geometric means rank first; within one family if there is only one.

use std::collections::BTreeMap;

use plotters::style::text_anchor::HPos;

use super::Data;
use super::axis::LogAxis;
use super::canvas::{self, Canvas, Caption, Drawn, Font, Point, text_width, wrap};
use super::frame::{PAD, WIDTH};
use super::style::{FAINT, GREY, GRID, LABEL, SMALL, Style, TITLE};
use crate::record::Status;
use crate::report::instances::{self, Entrant, Instance, times};
use crate::report::ranking::ranking_from;
use crate::report::{Run, Unit};

const SIDE: f64 = 520.0;

/// Of more solvers than these, the first ones are paired: the work grows with the square.
const MOST_PAIRED: usize = 64;

/// An instance with its times; a time at the limit is a bound.
struct Spot {
    name: String,
    across: u64,
    up: u64,
    solved: bool,
}

/// Two solvers, and all that both attempted.
struct Scatter {
    across: String,
    up: String,
    spots: Vec<Spot>,
}

pub(super) fn draw(data: &Data<'_>) -> Drawn<String> {
    let scatter = scatter(data);
    let what = match &scatter {
        Some(Scatter { across, up, .. }) => format!("{up} against {across}"),
        None => "Two solvers against each other".to_owned(),
    };
    let (title, subtitle) = data.headings(&what, "medians; below the diagonal the vertical one is faster");
    svg(scatter.as_ref(), &title, &subtitle)
}

/// The two solvers that are compared, if there are two.
fn pair<'a>(data: &Data<'a>) -> Option<(Entrant<'a>, Entrant<'a>)> {
    let times = times(data.timings);
    if let Some([across, up]) = data.pair {
        let find = |id: &str| times.keys().find(|(solver, _)| *solver == id).copied();
        return Some((find(across)?, find(up)?));
    }
    let ranking = ranking_from(data.timings, 0);
    let mut order: Vec<Entrant<'a>> = ranking.ranked.iter().map(|place| place.entrant).collect();
    order.extend(ranking.unranked.iter().map(|&(entrant, ..)| entrant));
    order.truncate(MOST_PAIRED);
    let family = |entrant: &Entrant<'a>| entrant.0.split('/').next().unwrap_or_default();
    let common = |a: &Entrant<'a>, b: &Entrant<'a>| {
        let solved = times[a].iter().filter(|(_, time)| time.is_some());
        solved.filter(|(instance, _)| times[b].get(*instance).is_some_and(Option::is_some)).count()
    };
    let mut best: Option<((bool, usize), (Entrant<'a>, Entrant<'a>))> = None;
    for (rank, a) in order.iter().enumerate() {
        for b in &order[rank + 1..] {
            let worth = (family(a) != family(b), common(a, b));
            if worth.1 > 0 && best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, (*a, *b)));
            }
        }
    }
    best.map(|(_, (first, second))| (second, first))
}

fn scatter(data: &Data<'_>) -> Option<Scatter> {
    let (across, up) = pair(data)?;
    let times = times(data.timings);
    let limits = limits(data.rows);
    let keys = data.keys();
    let goals = times.values().flat_map(BTreeMap::keys).map(|&(_, variant, goal)| (variant, goal));
    let several = goals.collect::<std::collections::BTreeSet<_>>().len() > 1;
    let mut spots = Vec::new();
    for (instance, &x) in &times[&across] {
        let Some(&y) = times[&up].get(instance) else { continue };
        let bound =
            |of: Entrant<'_>, time: Option<u64>| time.or_else(|| limits.get(&(of, *instance)).copied());
        let (Some(right), Some(high)) = (bound(across, x), bound(up, y)) else { continue };
        // Where neither solved it there is nothing to compare.
        if x.is_some() || y.is_some() {
            let (n, _, goal) = instance;
            let name = if several { format!("{n} {goal}") } else { n.to_string() };
            spots.push(Spot { name, across: right, up: high, solved: x.is_some() && y.is_some() });
        }
    }
    Some(Scatter { across: instances::name(&keys, across), up: instances::name(&keys, up), spots })
}

/// The limit that each cell ran into.
fn limits(rows: &[Run]) -> BTreeMap<(Entrant<'_>, Instance<'_>), u64> {
    let ended = rows.iter().filter(|row| row.is_timed && row.status == Status::Timeout);
    let limit = |row: &Run| row.time_limit_ns.or(row.wall_ns);
    ended
        .filter_map(|row| {
            let instance = (row.n, &*row.variant, row.goal.name());
            Some((((&*row.solver, row.threads), instance), limit(row)?))
        })
        .collect()
}

fn svg(scatter: Option<&Scatter>, title: &str, subtitle: &str) -> Drawn<String> {
    let (titles, subtitles) =
        (wrap(title, TITLE, WIDTH - 2.0 * PAD, 3), wrap(subtitle, SMALL, WIDTH - 2.0 * PAD, 3));
    let head = PAD + 22.0 * titles.len() as f64 + 16.0 * subtitles.len() as f64;
    let (top, bottom) = (head + 40.0, head + 40.0 + SIDE);
    let spots = scatter.map_or(&[][..], |scatter| &scatter.spots);
    let description = described(scatter, subtitle);
    let caption = Caption { id: "scatter", title, description: &description };
    canvas::draw((WIDTH, bottom + 66.0), &caption, |canvas| {
        super::chart::lines(canvas, &titles, PAD + 4.0, 22.0, TITLE)?;
        super::chart::lines(canvas, &subtitles, PAD + 22.0 * titles.len() as f64, 16.0, SMALL)?;
        let Some(scatter) = scatter.filter(|_| !spots.is_empty()) else {
            canvas.rectangle((PAD, head + 10.0), (WIDTH - PAD, bottom), &FAINT)?;
            let middle = (WIDTH / 2.0, f64::midpoint(head, bottom));
            return canvas.text(EMPTY, middle, HPos::Center, Font { color: GREY, ..TITLE });
        };
        // One axis for both, so that the diagonal is one.
        let axis = LogAxis::of(spots.iter().flat_map(|spot| [spot.across, spot.up]), SIDE);
        let ticks = axis.ticks();
        let show = |value| Unit::Time.show(value);
        let widest = ticks.iter().map(|tick| text_width(&show(tick.value), LABEL)).fold(0.0, f64::max);
        let left = PAD + widest + 8.0;
        let right = left + SIDE;
        let at = |across: u64, up: u64| (left + axis.up(across), bottom - axis.up(up));
        for tick in &ticks {
            let (x, y) = at(tick.value, tick.value);
            let (color, width) = if tick.power { (GRID, 1.0) } else { (FAINT, 0.7) };
            canvas.line(&[(left, y), (right, y)], &color, width)?;
            canvas.line(&[(x, top), (x, bottom)], &color, width)?;
            if tick.labelled {
                canvas.text(&show(tick.value), (left - 8.0, y), HPos::Right, LABEL)?;
            }
        }
        across_labels(canvas, &ticks, |value| at(value, 1).0, bottom)?;
        diagonals(canvas, &axis, (left, bottom))?;
        canvas.text(&scatter.across, (f64::midpoint(left, right), bottom + 40.0), HPos::Center, LABEL)?;
        canvas.text(&scatter.up, (PAD, top - 14.0), HPos::Left, LABEL)?;
        let places: Vec<Point> = spots.iter().map(|spot| at(spot.across, spot.up)).collect();
        for (spot, &place) in spots.iter().zip(&places) {
            Style::of_rank(if spot.solved { 0 } else { 1 }).marker(canvas, place, 4.2, spot.solved)?;
        }
        // A label that would lie on another or on a marker is left out: the table of times has all.
        let mut labels: Vec<(Point, f64)> = Vec::new();
        for (spot, &(x, y)) in spots.iter().zip(&places) {
            let width = text_width(&spot.name, SMALL);
            let on_marker = |left: f64, y: f64| {
                let near =
                    |&(px, py): &Point| px > left - 5.0 && px < left + width + 5.0 && (py - y).abs() < 10.0;
                places.iter().any(near)
            };
            let on_label = |left: f64, y: f64| {
                labels.iter().any(|&((from, to), other)| {
                    left < to + 3.0 && left + width > from - 3.0 && (other - y).abs() < 12.0
                })
            };
            let beside = [(x + 8.0, y), (x - 8.0 - width, y), (x - width / 2.0, y - 13.0)];
            let inside = |&(from, _): &Point| from > left && from + width < right;
            let free = |&&(from, y): &&Point| inside(&(from, y)) && !on_marker(from, y) && !on_label(from, y);
            if let Some(&(from, y)) = beside.iter().find(free) {
                canvas.text(&spot.name, (from, y), HPos::Left, SMALL)?;
                labels.push(((from, from + width), y));
            }
        }
        key(canvas, right + 30.0, top)
    })
}

const EMPTY: &str = "no two solvers solved the same instance";

/// Labels below the plot: those that would touch are left out.
fn across_labels(
    canvas: &Canvas<'_>,
    ticks: &[super::axis::Tick],
    x: impl Fn(u64) -> f64,
    bottom: f64,
) -> Drawn {
    let mut free = f64::MIN;
    for tick in ticks.iter().filter(|tick| tick.labelled) {
        let text = Unit::Time.show(tick.value);
        let (middle, half) = (x(tick.value), text_width(&text, LABEL) / 2.0);
        if middle - half > free {
            canvas.text(&text, (middle, bottom + 16.0), HPos::Center, LABEL)?;
            free = middle + half + 6.0;
        }
    }
    Ok(())
}

/// Equally fast, and ten times faster on either side.
fn diagonals(canvas: &Canvas<'_>, axis: &LogAxis, (left, bottom): Point) -> Drawn {
    let decade = axis.up(10) - axis.up(1);
    canvas.line(&[(left, bottom), (left + SIDE, bottom - SIDE)], &GREY, 1.2)?;
    if decade < SIDE {
        let aside = [(left + decade, bottom), (left + SIDE, bottom - SIDE + decade)];
        canvas.dashed(&aside, (3.0, 4.0), &GREY, 0.9)?;
        let above = [(left, bottom - decade), (left + SIDE - decade, bottom - SIDE)];
        canvas.dashed(&above, (3.0, 4.0), &GREY, 0.9)?;
    }
    Ok(())
}

fn key(canvas: &Canvas<'_>, x: f64, top: f64) -> Drawn {
    Style::of_rank(0).marker(canvas, (x, top + 8.0), 4.2, true)?;
    canvas.text("solved by both, with its n", (x + 14.0, top + 8.0), HPos::Left, LABEL)?;
    Style::of_rank(1).marker(canvas, (x, top + 30.0), 4.2, false)?;
    canvas.text("solved by one; the other at its limit", (x + 14.0, top + 30.0), HPos::Left, LABEL)?;
    canvas.line(&[(x - 8.0, top + 52.0), (x + 8.0, top + 52.0)], &GREY, 1.2)?;
    canvas.text("equally fast", (x + 14.0, top + 52.0), HPos::Left, LABEL)?;
    canvas.dashed(&[(x - 8.0, top + 74.0), (x + 8.0, top + 74.0)], (3.0, 4.0), &GREY, 0.9)?;
    canvas.text("ten times", (x + 14.0, top + 74.0), HPos::Left, LABEL)
}

/// The picture in words.
fn described(scatter: Option<&Scatter>, subtitle: &str) -> String {
    let Some(Scatter { across, up, spots }) = scatter.filter(|scatter| !scatter.spots.is_empty()) else {
        return format!("{EMPTY}.");
    };
    let both = spots.iter().filter(|spot| spot.solved);
    let faster = both.clone().filter(|spot| spot.up < spot.across).count();
    let show = |value| Unit::Time.show(value);
    let first = both.clone().next().into_iter().chain(both.clone().next_back());
    let ends: Vec<String> = first
        .map(|spot| format!("n = {}: {} against {}", spot.name, show(spot.up), show(spot.across)))
        .collect();
    format!(
        "{subtitle}. {up} against {across}: {} instances solved by both, {faster} of them faster by {up}. {}.",
        both.count(),
        ends.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Row;
    use crate::report::plots::Titles;
    use crate::report::tables;
    use crate::solver::Goal;

    fn run(n: usize, solver: &str, time: u64) -> Row {
        let row = Row::skipped("r".into(), "c".into(), n, Goal::Count, solver.into());
        Row { status: Status::Complete, solve_ns: Some(time), time_limit_ns: Some(9000), ..row }
    }

    fn timeout(n: usize, solver: &str) -> Row {
        Row { status: Status::Timeout, solve_ns: None, ..run(n, solver, 0) }
    }

    fn of<T>(rows: &[Row], pair: Option<&[String; 2]>, then: impl FnOnce(&Data<'_>) -> T) -> T {
        let rows = &Run::all(rows);
        let (timings, titles) = (tables::timings(rows), Titles::default());
        then(&Data { rows, timings: &timings, nodes: &[], titles: &titles, pair })
    }

    #[test]
    fn a_point_is_an_instance_and_a_timeout_lies_at_its_limit() {
        let rows =
            [run(4, "a/x", 10), run(4, "b/y", 40), run(5, "a/x", 20), timeout(5, "b/y"), timeout(6, "b/y")];
        let scatter = of(&rows, None, scatter).expect("two solvers");
        assert_eq!((scatter.across.as_str(), scatter.up.as_str()), ("b/y", "a/x"));
        let spots: Vec<_> =
            scatter.spots.iter().map(|s| (s.name.as_str(), s.across, s.up, s.solved)).collect();
        assert_eq!(spots, [("4", 40, 10, true), ("5", 9000, 20, false)]);
    }

    #[test]
    fn solvers_of_different_families_come_first_and_named_ones_before_all() {
        let rows: Vec<Row> =
            (4..9).flat_map(|n| [run(n, "a/x", 10), run(n, "a/y", 11), run(n, "b/z", 50)]).collect();
        let chosen = |pair: Option<&[String; 2]>| {
            of(&rows, pair, |data| {
                super::pair(data).map(|(across, up)| (across.0.to_owned(), up.0.to_owned()))
            })
        };
        assert_eq!(chosen(None), Some(("b/z".into(), "a/x".into())));
        let named = ["a/y".to_owned(), "b/z".to_owned()];
        assert_eq!(chosen(Some(&named)), Some(("a/y".into(), "b/z".into())));
    }

    #[test]
    fn one_solver_alone_gives_a_picture_that_says_so() {
        let svg = of(&[run(4, "a", 1)], None, draw).expect("drawn");
        assert!(svg.contains(EMPTY));
    }
}
