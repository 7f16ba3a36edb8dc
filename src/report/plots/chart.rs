//! The shape of all plots: values against n or another quantity, with a line per series, and the names at the ends of the
//! lines. Of more series than [`ALL_COLOURED`], the best, the worst and the series of claims are in colour; the others are
//! thin and grey.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::axis::{Axis, Frame};
use super::style::{Font, GREY, LABEL, SMALL, Style};
use super::svg::{Canvas, Paint, Sheet, fill, stroke, text_width, wrap};
use super::{Look, Picture};
use crate::report::{Unit, counted};

/// The largest number of series that are all in colour.
const ALL_COLOURED: usize = 11;

/// The largest number of series in colour if there are others in grey.
const MOST_COLOURED: usize = 8;

/// Panels in a row, and the height of the plot of each.
const PANELS: usize = 3;
const PANEL_HEIGHT: f64 = 170.0;

/// Factor above a limit that leaves room for its label.
const LIMIT_ROOM: u64 = 2;

/// The largest number of markers on a line; a longer one has a marker at every second, third, ... point.
const MOST_MARKERS: usize = 60;

/// Width of a piece of a line before a name.
const SWATCH: f64 = 28.0;

/// Names: the space between them and the plot, the largest width, the height of a line, the space below, the most lines.
const LEADER: f64 = 26.0;
const WIDEST_NAME: f64 = 280.0;
const LINE: f64 = 15.0;
const GAP: f64 = 3.0;
const MOST_LINES: usize = 8;

/// A series: values against n or another quantity, which ascends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    /// Its name, and lines that explain it.
    pub name: Vec<String>,
    /// Its look.
    pub style: Style,
    /// The group whose series share its colour; empty if there is none.
    pub group: String,
    /// Whether a claim names it.
    pub is_claimed: bool,
    /// Whether another series, with the same look, names it.
    pub is_part: bool,
    /// Whether it is thin and grey, as one of many.
    pub is_grey: bool,
    /// The line and its markers.
    pub line: Vec<(u64, u64)>,
    /// Single observations.
    pub dots: Vec<(u64, u64)>,
    /// Low and high end of the spread around the line.
    pub band: Vec<(u64, u64, u64)>,
    /// Limits that were reached without an answer: hollow markers.
    pub limits: Vec<(u64, u64)>,
    /// Where its markers are outlines.
    pub hollow_at: Vec<u64>,
    /// The text that the page shows for each point of the line, without semicolons. If there is none, the page shows the value.
    pub says: Vec<String>,
    /// Its number in the picture; series of the same name share one.
    pub id: String,
}

impl Series {
    /// The look of its line.
    fn paint(&self) -> Paint {
        match self.is_grey {
            true => stroke(GREY, 1.0).faded(0.45),
            false => stroke(self.style.color(), 1.8),
        }
    }

    /// The lines of its name: the first part in black, explanations smaller in grey.
    fn lines(&self) -> Vec<(String, Font)> {
        let fonts = std::iter::once(if self.is_grey { SMALL } else { LABEL }).chain(std::iter::repeat(SMALL));
        let parts = self.name.iter().zip(fonts);
        let broken = |(part, font): (&String, Font)| {
            wrap(part, font, WIDEST_NAME, MOST_LINES).into_iter().map(move |line| (line, font))
        };
        parts.flat_map(broken).collect()
    }

    /// Where its line ends, or the last limit that it reached.
    fn end(&self) -> Option<(u64, u64)> {
        self.limits.last().max(self.line.last()).copied()
    }

    /// The height of its name.
    fn height(&self) -> f64 {
        self.lines().len() as f64 * LINE + GAP
    }

    /// Draws a piece of its line with a marker.
    fn draw_swatch(&self, canvas: &mut Canvas, (left, y): (f64, f64)) {
        canvas.line([(left, y), (left + SWATCH - 8.0, y)], &self.paint());
        if !self.is_grey {
            self.style.marker(canvas, (left + SWATCH / 2.0 - 4.0, y), 4.0, true);
        }
    }
}

/// A chart.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Prefix of the ids inside the SVG.
    pub id: String,
    /// The question.
    pub title: String,
    /// What is shown.
    pub subtitle: String,
    /// Name of the horizontal axis.
    pub across: String,
    /// What the horizontal axis counts, in a word.
    pub at: &'static str,
    /// Unit of the horizontal axis; whole numbers have none. With a unit, both axes are logarithmic.
    pub across_unit: Option<Unit>,
    /// Name of the vertical axis.
    pub axis: String,
    /// Unit of the vertical axis.
    pub unit: Unit,
    /// Whether larger values are better.
    pub more_is_better: bool,
    /// The series.
    pub series: Vec<Series>,
    /// Remarks below the picture.
    pub notes: Vec<String>,
    /// The layout.
    pub look: Look,
}

impl Chart {
    /// Whether there is a line, a limit or an observation.
    pub fn shows_something(&self) -> bool {
        let shows =
            |series: &Series| series.line.len() > 1 || !series.dots.is_empty() || !series.limits.is_empty();
        self.series.iter().any(shows)
    }

    /// Leaves out times of 0, which are below the resolution of their clock and have no place on a logarithmic axis, and adds
    /// a remark about them.
    pub fn leave_out_unresolved_times(&mut self) {
        let [across, up] = [self.across_unit == Some(Unit::Time), self.unit == Unit::Time];
        let is_resolved = |x: u64, y: u64| !(across && x == 0 || up && y == 0);
        let mut left_out = 0;
        for series in &mut self.series {
            let keep: Vec<bool> = series.line.iter().map(|&(x, y)| is_resolved(x, y)).collect();
            left_out += keep.iter().filter(|keep| !**keep).count();
            if series.says.len() == keep.len() {
                let mut kept = keep.iter();
                series.says.retain(|_| *kept.next().unwrap_or(&true));
            }
            series.line.retain(|&(x, y)| is_resolved(x, y));
            series.dots.retain(|&(x, y)| is_resolved(x, y));
            series.band.retain(|&(x, low, _)| is_resolved(x, low));
        }
        self.series
            .retain(|series| !(series.line.is_empty() && series.dots.is_empty() && series.limits.is_empty()));
        if left_out > 0 {
            let times = counted(left_out, "time");
            self.notes.push(format!("Not shown: {times} of 0, below the resolution of the clock."));
        }
    }

    /// The chart as a picture.
    pub fn picture(mut self) -> Picture {
        if self.look.has_panels {
            return Picture { svg: self.panels(), title: self.title, key: Vec::new() };
        }
        self.mute();
        let mut ids: HashMap<Vec<String>, String> = HashMap::new();
        for series in &mut self.series {
            let next = ids.len().to_string();
            series.id.clone_from(ids.entry(series.name.clone()).or_insert(next));
        }
        let swatch = |series: &Series| {
            let svg = Canvas::alone((SWATCH, 12.0), |canvas| series.draw_swatch(canvas, (4.0, 6.0)));
            (series.name.join(", "), svg)
        };
        let key = self.named().into_iter().map(|series| swatch(&series)).collect();
        Picture { svg: self.svg(), title: self.title, key }
    }

    /// Of many series, makes all grey but the best where most is reached, the one that is farthest behind the best where it
    /// ends, and the series of claims.
    fn mute(&mut self) {
        if self.series.iter().filter(|series| !series.is_part).count() <= ALL_COLOURED {
            return;
        }
        let groups = self.groups();
        if groups.iter().any(|(group, _)| !group.is_empty()) {
            self.notes
                .push("One colour for each group of series; the table of times names the groups.".to_owned());
            return;
        }
        let mut best: BTreeMap<u64, u64> = BTreeMap::new();
        for &(n, value) in self.series.iter().flat_map(|series| &series.line) {
            let known = best.entry(n).or_insert(value);
            *known = if self.more_is_better { value.max(*known) } else { value.min(*known) };
        }
        let all = || 0..self.series.len();
        let reached = |at: usize| self.series[at].line.last().map(|&(n, _)| n);
        let behind = |at: usize| {
            let end = self.series[at].end().and_then(|(n, value)| Some((value, *best.get(&n)?)));
            end.map_or(0.0, |(value, best)| (value.max(1) as f64 / best.max(1) as f64).ln().abs())
        };
        let first = all().max_by(|&a, &b| reached(a).cmp(&reached(b)).then(behind(b).total_cmp(&behind(a))));
        let worst = all().max_by(|&a, &b| behind(a).total_cmp(&behind(b)));
        let claimed = all().filter(|&at| self.series[at].is_claimed);
        let mut coloured: Vec<usize> = Vec::new();
        for at in first.into_iter().chain(worst).chain(claimed) {
            if coloured.len() < MOST_COLOURED && !coloured.contains(&at) {
                coloured.push(at);
            }
        }
        for (_, series) in self.series.iter_mut().enumerate().filter(|(at, _)| !coloured.contains(at)) {
            let Series { name, line, style, says, .. } = std::mem::take(series);
            *series = Series { name, line, style, says, is_grey: true, ..Series::default() };
        }
        // Grey lines lie below the others.
        self.series.sort_by_key(|series| !series.is_grey);
        let shown = match coloured.len() {
            2 => "the best and the worst series",
            _ => "the best series, the worst series and the series of claims",
        };
        let others = self.series.len() - coloured.len();
        self.notes.push(format!("In colour: {shown}. Thin and grey: {others} other series."));
    }

    /// The groups with their series; a series without a group is alone.
    fn groups(&self) -> Vec<(&str, Vec<&Series>)> {
        let mut groups: Vec<(&str, Vec<&Series>)> = Vec::new();
        for series in self.series.iter().filter(|series| !series.is_part) {
            match groups.iter_mut().find(|(group, _)| !group.is_empty() && *group == series.group) {
                Some((_, all)) => all.push(series),
                None => groups.push((&series.group, vec![series])),
            }
        }
        groups
    }

    /// The series that have a name beside the plot: those in colour, in the order in which their lines end, from the top, and
    /// the others as one.
    fn named(&self) -> Vec<Series> {
        let (grey, mut named): (Vec<&Series>, Vec<&Series>) =
            self.series.iter().filter(|series| !series.is_part).partition(|series| series.is_grey);
        // Of two that reached the limit, the slower one comes first.
        let last = |place: Option<&(u64, u64)>| place.map(|&(_, value)| value);
        named.sort_by_key(|series| Reverse((last(series.end().as_ref()), last(series.line.last()))));
        let id = "others".to_owned();
        let name = vec![format!("{} others", grey.len())];
        let others = Series { name, id, is_grey: true, ..Series::default() };
        named.into_iter().cloned().chain((!grey.is_empty()).then_some(others)).collect()
    }

    /// The numbers on the horizontal axis that have values.
    fn numbers(&self) -> Vec<u64> {
        let numbers: BTreeSet<u64> = self.places().map(|(n, _)| n).collect();
        numbers.into_iter().collect()
    }

    /// Everything that has a position.
    fn places(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.series.iter().flat_map(|series| {
            let band = series.band.iter().flat_map(|&(n, from, to)| [(n, from), (n, to)]);
            let above = |&(n, limit): &(u64, u64)| [(n, limit), (n, limit.saturating_mul(LIMIT_ROOM))];
            let limits = series.limits.iter().flat_map(above);
            series.line.iter().chain(&series.dots).copied().chain(band).chain(limits)
        })
    }

    /// The chart as SVG.
    fn svg(&self) -> String {
        let named = self.named();
        let Look { width, pad, height, .. } = self.look;
        let is_figure = self.look.inches.is_some();
        let rows = if is_figure { self.rows_of_names(&named) } else { Vec::new() };
        let height = if is_figure { height } else { height.max(named.iter().map(Series::height).sum()) };
        let titles = (self.title.as_str(), self.subtitle.as_str());
        let heights = (height, rows.iter().map(|row| row_height(row)).sum());
        let description = self.description();
        let sheet =
            Sheet { id: &self.id, titles, description, notes: &self.notes, heights, look: &self.look };
        sheet.svg(|canvas, top, bottom| {
            let lines = named.iter().flat_map(Series::lines);
            let names = lines.map(|(line, font)| text_width(&line, font)).fold(0.0, f64::max);
            let beside = if is_figure { 2.0 } else { LEADER + SWATCH + names };
            let up = self.up(bottom - top);
            let left = pad + up.width();
            let across = self.across(width - pad - beside - left);
            let frame = Frame { across, up, left, bottom };
            frame.draw(canvas, (&self.across, self.at), &self.axis);
            canvas.group(&[("class", "plot")], |canvas| self.draw(canvas, &frame));
            match is_figure {
                false => self.draw_names(canvas, &frame, &named),
                true => draw_rows(canvas, &rows, (left, bottom + 46.0 + LINE / 2.0)),
            }
        })
    }

    /// A panel for each group, or for each series without one, in which the others are thin and grey.
    fn panels(&self) -> String {
        let Look { width, pad, .. } = self.look;
        let named = self.groups();
        let (wide, high) = ((width - pad) / PANELS as f64, PANEL_HEIGHT + 100.0);
        let rows = named.len().div_ceil(PANELS).saturating_sub(1);
        let heights = (PANEL_HEIGHT + 2.0 * LINE, high * rows as f64);
        let (titles, description) = ((self.title.as_str(), self.subtitle.as_str()), self.description());
        let sheet =
            Sheet { id: &self.id, titles, description, notes: &self.notes, heights, look: &self.look };
        sheet.svg(|canvas, top, _| {
            let up = self.up(PANEL_HEIGHT);
            let left = pad + up.width();
            let frame = Frame {
                across: self.across(wide - pad - up.width()),
                up,
                left,
                bottom: top + 2.0 * LINE + PANEL_HEIGHT,
            };
            let all = format!("{}-all", self.id);
            canvas.group(&[("id", &all)], |canvas| {
                frame.draw(canvas, (&self.across, self.at), &self.axis);
                for series in &self.series {
                    let line = series.line.iter().map(|&(n, value)| frame.at(n, value));
                    canvas.line(line, &stroke(GREY, 0.8).faded(0.35));
                }
            });
            for (index, (group, members)) in named.into_iter().enumerate() {
                let by = ((index % PANELS) as f64 * wide, (index / PANELS) as f64 * high);
                if index > 0 {
                    canvas.again(&all, by);
                }
                let own = Frame { left: frame.left + by.0, bottom: frame.bottom + by.1, ..frame };
                let names =
                    members.iter().map(|series| series.name.join(", ")).collect::<Vec<_>>().join(", ");
                let title = if group.is_empty() { names } else { format!("{group}: {names}") };
                for (at, line) in wrap(&title, LABEL, wide - pad, 2).iter().rev().enumerate() {
                    canvas.text(line, (pad + by.0, own.top() - 30.0 - at as f64 * LINE), "start", LABEL);
                }
                let alone = Chart { series: members.into_iter().cloned().collect(), ..Chart::default() };
                alone.draw(canvas, &own);
            }
        })
    }

    /// Names side by side in the rows below a figure.
    fn rows_of_names<'s>(&self, named: &'s [Series]) -> Vec<Vec<Name<'s>>> {
        let room = self.look.width - 2.0 * self.look.pad - self.up(self.look.height).width();
        let mut rows: Vec<Vec<Name<'_>>> = Vec::new();
        let mut free = f64::MAX;
        for series in named {
            let lines = wrap(&series.name.join(", "), LABEL, room - SWATCH, MOST_LINES);
            let width = SWATCH + lines.iter().map(|line| text_width(line, LABEL)).fold(0.0, f64::max);
            if free + width > room {
                rows.push(Vec::new());
                free = 0.0;
            }
            rows.last_mut().expect("a row is pushed first").push(Name { distance: free, series, lines });
            free += width + 12.0;
        }
        rows
    }

    /// Draws names as close as possible to the ends of their lines, with lines that lead to them.
    fn draw_names(&self, canvas: &mut Canvas, frame: &Frame, named: &[Series]) {
        let mut tops = Vec::new();
        let mut free = frame.top();
        for series in named {
            let wanted = series.end().map_or(frame.bottom, |(n, value)| frame.at(n, value).1);
            tops.push(free.max(wanted - LINE / 2.0));
            free = tops[tops.len() - 1] + series.height();
        }
        free = frame.bottom;
        for (top, series) in tops.iter_mut().zip(named).rev() {
            *top = top.min(free - series.height());
            free = *top;
        }
        let (left, last) = (frame.right() + LEADER, self.numbers().pop());
        for (series, top) in named.iter().zip(tops) {
            let y = top + LINE / 2.0;
            if let Some(end) = series.line.last().filter(|(n, _)| Some(*n) == last && !series.is_grey) {
                let end = frame.at(end.0, end.1);
                let leader = stroke(series.style.color(), 0.8).faded(0.45);
                canvas.group(&[("class", "leader"), ("data-s", &series.id)], |canvas| {
                    canvas.line([end, (frame.right(), end.1), (left - 4.0, y)], &leader);
                });
            }
            canvas.group(&[("class", "name"), ("data-s", &series.id)], |canvas| {
                series.draw_swatch(canvas, (left, y));
                for (index, (line, font)) in series.lines().iter().enumerate() {
                    canvas.text(line, (left + SWATCH, y + index as f64 * LINE), "start", *font);
                }
            });
        }
    }

    /// The vertical axis.
    fn up(&self, pixels: f64) -> Axis {
        let values = self.places().map(|(_, value)| value);
        match self.across_unit {
            Some(_) => Axis::log(values, pixels, self.unit),
            None => Axis::of(values, pixels, self.unit),
        }
    }

    /// The horizontal axis.
    fn across(&self, pixels: f64) -> Axis {
        match self.across_unit {
            Some(unit) => Axis::log(self.numbers().into_iter(), pixels, unit),
            None => Axis::numbers(&self.numbers(), pixels),
        }
    }

    /// Draws the series.
    fn draw(&self, canvas: &mut Canvas, frame: &Frame) {
        let at = |&(n, value): &(u64, u64)| frame.at(n, value);
        for series in self.series.iter().filter(|series| !series.band.is_empty() || !series.dots.is_empty()) {
            let upper = series.band.iter().map(|&(n, _, to)| at(&(n, to)));
            let lower = series.band.iter().rev().map(|&(n, from, _)| at(&(n, from)));
            let paint = fill(series.style.color()).faded(0.45);
            canvas.group(&[("data-s", &series.id)], |canvas| {
                if !series.band.is_empty() {
                    canvas.polygon(upper.chain(lower), &fill(series.style.color()).faded(0.18));
                }
                series.dots.iter().for_each(|dot| canvas.circle(at(dot), 1.8, &paint));
            });
        }
        for series in &self.series {
            let says = series.says.join("; ");
            canvas.group(&[("data-s", &series.id), ("data-says", &says)], |canvas| {
                canvas.title(&series.name.join(", "));
                canvas.line(series.line.iter().map(at), &series.paint());
            });
        }
        for series in &self.series {
            let every = series.line.len().div_ceil(MOST_MARKERS).max(1);
            canvas.group(&[("data-s", &series.id)], |canvas| {
                for point in series.line.iter().step_by(every) {
                    match series.is_grey {
                        true => canvas.circle(at(point), 1.4, &fill(GREY).faded(0.45)),
                        false => {
                            series.style.marker(canvas, at(point), 3.8, !series.hollow_at.contains(&point.0));
                        }
                    }
                }
            });
        }
        self.draw_limits(canvas, frame);
    }

    /// A labelled line for each limit that was reached, and on it, side by side, the markers of the series that reached it.
    /// Limits that are close share a label.
    fn draw_limits(&self, canvas: &mut Canvas, frame: &Frame) {
        let mut at_place: BTreeMap<(u64, u64), Vec<&Series>> = BTreeMap::new();
        for series in &self.series {
            for &(n, limit) in &series.limits {
                at_place.entry((limit, n)).or_default().push(series);
            }
        }
        let mut labels: Vec<(f64, String)> = Vec::new();
        for limit in at_place.keys().map(|&(limit, _)| limit).collect::<BTreeSet<u64>>() {
            let (_, y) = frame.at(0, limit);
            canvas.group(&[("class", "limit")], |canvas| {
                canvas.line([(frame.left, y), (frame.right(), y)], &stroke(GREY, 1.0).dashed(2.0, 4.0));
            });
            let value = self.unit.show(limit);
            match labels.last_mut() {
                Some((below, label)) if *below - y < 16.0 => {
                    (*below, *label) = (y, format!("{label}, {value}"));
                }
                _ => labels.push((y, format!("timeout {value}"))),
            }
        }
        for (y, label) in labels {
            canvas.group(&[("class", "limit")], |canvas| {
                canvas.text(&label, (frame.left + 6.0, y - 13.0), "start", SMALL);
            });
        }
        let numbers = self.numbers();
        for ((limit, n), reached) in at_place {
            let (middle, y) = frame.at(n, limit);
            let apart = (0.9 * frame.across.room(n, &numbers) / reached.len() as f64).min(12.0);
            for (index, series) in reached.iter().enumerate() {
                let aside = (index as f64 - (reached.len() - 1) as f64 / 2.0) * apart;
                canvas.group(&[("data-s", &series.id)], |canvas| {
                    series.style.marker(canvas, (middle + aside, y), 4.2, false);
                });
            }
        }
    }

    /// The chart in words: the first and the last point of each line.
    fn description(&self) -> String {
        let mut words = vec![format!("{}.", self.subtitle)];
        let number = |n: u64| self.across_unit.map_or_else(|| n.to_string(), |unit| unit.show(n));
        let show =
            |&(n, value): &(u64, u64)| format!("{} at {} = {}", self.unit.show(value), self.at, number(n));
        for series in &self.series {
            let mut points: Vec<String> = series.line.first().map(show).into_iter().collect();
            points.extend(series.line.last().filter(|_| series.line.len() > 1).map(show));
            points.extend(series.limits.first().map(|(n, _)| format!("timeout at {} = {n}", self.at)));
            words.push(format!("{}: {}.", series.name.join(", "), points.join(", ")));
        }
        words.extend(self.notes.iter().cloned());
        words.join(" ")
    }
}

/// A name below a figure: its distance from the left edge of the plot, and its lines.
struct Name<'s> {
    distance: f64,
    series: &'s Series,
    lines: Vec<String>,
}

fn row_height(row: &[Name<'_>]) -> f64 {
    LINE * row.iter().map(|name| name.lines.len()).max().unwrap_or(0) as f64
}

/// Draws names in rows below a plot.
fn draw_rows(canvas: &mut Canvas, rows: &[Vec<Name<'_>>], (left, mut y): (f64, f64)) {
    for row in rows {
        for Name { distance, series, lines } in row {
            series.draw_swatch(canvas, (left + distance, y));
            for (index, line) in lines.iter().enumerate() {
                canvas.text(line, (left + distance + SWATCH, y + index as f64 * LINE), "start", LABEL);
            }
        }
        y += row_height(row);
    }
}

#[cfg(test)]
mod tests {
    use super::super::svg::Point;
    use super::*;
    use proptest::prelude::*;

    fn series(rank: usize, line: &[(u64, u64)], limits: &[(u64, u64)]) -> Series {
        Series {
            name: vec![format!("family/variant-{rank}")],
            style: Style(rank),
            line: line.to_vec(),
            dots: line.to_vec(),
            band: line.iter().map(|&(n, value)| (n, value / 2, value)).collect(),
            limits: limits.to_vec(),
            ..Series::default()
        }
    }

    #[test]
    fn times_of_zero_are_left_out_with_a_remark() {
        let line = [(4, 0), (5, 10), (6, 20)];
        let mut times = chart(vec![series(0, &line, &[]), series(1, &[(4, 0)], &[])]);
        times.series[0].says = ["zero", "ten", "twenty"].map(str::to_owned).to_vec();
        let mut counts = Chart { unit: Unit::Count, ..times.clone() };
        times.leave_out_unresolved_times();
        let [only] = &times.series[..] else { panic!("one series has times") };
        assert_eq!((&only.line[..], &only.dots[..], only.says.len()), (&line[1..], &line[1..], 2));
        assert_eq!(times.notes.len(), 2);
        counts.leave_out_unresolved_times();
        assert_eq!((counts.series[0].line.len(), counts.notes.len()), (3, 1), "a count of 0 is exact");
    }

    fn svg(series: Vec<Series>) -> String {
        chart(series).picture().svg
    }

    fn chart(series: Vec<Series>) -> Chart {
        Chart {
            id: "x".into(),
            title: "a question ".repeat(20),
            subtitle: "what is shown ".repeat(20),
            series,
            at: "n",
            notes: vec!["a note".to_owned()],
            ..Chart::default()
        }
    }

    /// Pairs of numbers that follow a text, up to a mark.
    fn pairs(svg: &str, begin: &str, end: char) -> Vec<Point> {
        let values = svg.split(begin).skip(1).filter_map(|rest| rest.split(end).next());
        let numbers =
            values.flat_map(|value| value.split([' ', ','])).filter_map(|number| number.parse().ok());
        numbers.collect::<Vec<f64>>().chunks(2).map(|pair| (pair[0], pair[1])).collect()
    }

    /// Whether the points of all shapes and the places of all texts lie on the sheet.
    fn is_on_the_sheet(svg: &str) -> bool {
        let (width, height) = pairs(svg, " viewBox=\"", '"')[1];
        let svg = svg.replace("\" y=\"", ",").replace("\" cy=\"", ",");
        let begins = [(" points=\"", '"'), ("\"translate(", ')'), (" x=\"", '"'), (" cx=\"", '"')];
        let points: Vec<Point> =
            begins.into_iter().flat_map(|(begin, end)| pairs(&svg, begin, end)).collect();
        let on_sheet = |(x, y): &Point| (0.0..=width).contains(x) && (0.0..=height).contains(y);
        points.len() > 4 && points.iter().all(on_sheet)
    }

    #[test]
    fn a_chart_names_its_series_and_its_limit() {
        let svg = svg(vec![series(0, &[(4, 1000), (5, 30_000)], &[(6, 10_000_000_000)])]);
        assert!(svg.contains(">family/variant-0</text>"));
        assert!(svg.contains(">timeout 10 s</text>"));
        let described = svg.split(['<', '>']).find(|text| text.contains("1 µs")).expect("a description");
        assert!(["family/variant-0", "30 µs", "n = 6"].iter().all(|part| described.contains(part)), "{svg}");
        let series = &described[described.find("family").expect("its name")..];
        wording::assert_wording!("plots", "description of a chart", series.trim());
    }

    #[test]
    fn the_slower_of_two_that_timed_out_is_named_first() {
        let limit = [(6, 10_000_000_000), (7, 10_000_000_000)];
        let slow = series(0, &[(4, 1000), (5, 90_000)], &limit);
        let fast = series(1, &[(4, 1000), (5, 30_000)], &limit);
        let svg = svg(vec![fast, slow]);
        let at = |name: &str| svg.find(&format!(">{name}</text>")).expect("named");
        assert!(at("family/variant-0") < at("family/variant-1"));
    }

    #[test]
    fn of_forty_series_in_one_plot_the_best_the_worst_and_the_claimed_are_named_in_colour() {
        let of = |rank: usize| {
            let line = [(4, 1000), (5, 2000 * (40 - rank as u64))];
            Series { is_claimed: [7, 9].contains(&rank), ..series(rank, &line, &[]) }
        };
        let colours = |picture: &Picture| {
            let drawn = picture.svg.split("<polyline fill=\"none\" stroke=\"").skip(1);
            drawn.filter(|line| line.contains("stroke-width=\"1.80\"")).count()
        };
        let names = |picture: &Picture| picture.key.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let many = chart((0..40).map(of).collect()).picture();
        let expected =
            ["family/variant-0", "family/variant-7", "family/variant-9", "family/variant-39", "36 others"];
        assert_eq!(names(&many), expected);
        assert!(expected.iter().all(|name| many.svg.contains(&format!(">{name}</text>"))), "{}", many.svg);
        // Each is drawn once in the plot, and once before its name; all forty have a line in the only plot.
        assert_eq!((colours(&many), many.svg.matches("\n<title>family").count()), (8, 40));
        assert_eq!(many.svg.matches(">10 µs</text>").count(), 1, "one axis");
        let eight = chart((0..8).map(of).collect()).picture();
        assert_eq!((names(&eight).len(), colours(&eight)), (8, 16));
        // A figure has the same names, and in panels each series is in colour in one of them.
        let of_look = |look| Chart { look, ..chart((0..40).map(of).collect()) }.picture();
        let figure = of_look(Look::figure(false, None));
        assert!(
            expected.iter().all(|name| figure.svg.contains(&format!(">{name}</text>"))),
            "{}",
            figure.svg
        );
        let panels = of_look(Look::panels());
        assert_eq!((colours(&panels), panels.svg.matches("<use ").count()), (40, 39));
        // Where more is better, the best is the largest.
        let rate = Chart { more_is_better: true, ..chart((0..12).map(of).collect()) };
        assert_eq!(names(&rate.picture())[0], "family/variant-0");
        // A single small board is not bad; the worst is 1000 times as slow as the best where it gives up.
        let small = Series { line: vec![(3, 1)], ..of(1) };
        let worst = Series { line: vec![(4, 1_000_000)], ..of(3) };
        let names = names(&chart((4..16).map(of).chain([small, worst]).collect()).picture());
        assert_eq!(names[0], "family/variant-3");
        assert_eq!(names.len(), 5, "{names:?}");
    }

    #[test]
    fn many_names_of_one_series_are_broken_into_lines_that_fit_a_figure() {
        let name = (0..9).map(|rank| format!("family/variant-{rank}")).collect();
        let all = Series { name, ..series(0, &[(4, 10), (5, 20)], &[]) };
        let svg = Chart { look: Look::figure(false, None), ..chart(vec![all]) }.picture().svg;
        let texts = svg.split("</text>").filter_map(|text| text.rsplit('>').next());
        let widths: Vec<f64> =
            texts.filter(|text| text.contains("family")).map(|text| text_width(text, LABEL)).collect();
        assert!(widths.len() > 2 && widths.iter().all(|width| *width < 370.0), "{widths:?}");
    }

    proptest! {
        #[test]
        fn whatever_the_data_all_is_drawn_on_the_sheet(
            all in prop::collection::vec(
                (prop::collection::btree_map(0..40_u64, 0..u64::MAX, 0..8), prop::collection::btree_map(0..40_u64, 0..u64::MAX, 0..3)),
                0..45,
            ),
        ) {
            let series: Vec<Series> = all.into_iter().enumerate().map(|(rank, (line, limits))| {
                series(rank, &line.into_iter().collect::<Vec<_>>(), &limits.into_iter().collect::<Vec<_>>())
            }).collect();
            for look in [Look::default(), Look::panels(), Look::figure(false, None), Look::figure(true, Some("Serif"))] {
                let svg = Chart { look, ..chart(series.clone()) }.picture().svg;
                prop_assert!(is_on_the_sheet(&svg), "{}", svg);
                prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
            }
        }
    }
}
