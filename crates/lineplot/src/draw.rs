//! Draws a chart. If there are more than [`MAX_COLOURED`] series, only the best, the worst and the emphasised series are coloured;
//! the others are thin and grey.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use crate::chart::{Chart, PlotError, Scale, Series};
use crate::curve::{Curve, KeyEntry, LINE_HEIGHT, OrderedNumber, ascending, draw_lines, draw_marked};
use crate::frame::{Frame, Ruler};
use crate::island::{Island, Places, Side};
use crate::layout::{Names, PictureLayout};
use crate::limits::{LIMIT_ROOM, Limits};
use crate::names;
use crate::style::{GREY, LABEL, MINOR_GRID, SMALL};
use crate::svg::{self, Canvas, Sheet, fill, stroke, wrap};

/// The maximum number of series that are all coloured.
const MAX_COLOURED: usize = 11;

/// The maximum number of coloured series if other series are grey.
const MAX_COLOURED_OF_MANY: usize = 8;

/// The number of panels in a row, and the height of the plot of a panel in pixels.
const PANELS: usize = 3;
const PANEL_HEIGHT: f64 = 170.0;

/// The distance of the label of the shaded band from its lower end, in pixels.
const SHADE_LABEL: f64 = 9.0;

/// A drawn chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The title.
    pub title: String,
    /// The subtitle, which explains the content and the notation.
    pub subtitle: String,
    /// Remarks.
    pub notes: Vec<String>,
    /// The picture as SVG.
    pub svg: String,
    /// The series that have names, as a key for narrow screens, on which the names are not visible.
    pub key: Vec<KeyEntry>,
    /// The exact values for a script; `None` for a picture with panels.
    pub island: Option<Island>,
}

impl Chart {
    /// Draws the chart.
    ///
    /// # Errors
    ///
    /// A value or an end of an axis is not a finite number, or the number of labels of a line differs from the number of its points.
    pub fn draw(&self) -> Result<Picture, PlotError> {
        self.check()?;
        Ok(Drawing::new(self).picture())
    }
}

/// A chart with the ids and colours of its series.
struct Drawing<'c> {
    chart: &'c Chart,
    curves: Vec<Curve>,
    notes: Vec<String>,
}

impl<'c> Drawing<'c> {
    fn new(chart: &'c Chart) -> Self {
        let mut ids: HashMap<&[String], String> = HashMap::new();
        let mut curves = Vec::new();
        for series in &chart.series {
            let next = ids.len().to_string();
            let id = ids.entry(&series.name).or_insert(next).clone();
            curves.push(Curve { series: series.clone(), id, is_grey: false });
        }
        Self { chart, curves, notes: chart.notes.clone() }
    }

    fn picture(mut self) -> Picture {
        let (title, subtitle) = (self.chart.title.clone(), self.chart.subtitle.clone());
        if self.chart.layout.has_panels {
            let (svg, notes) = (self.panels(), self.notes);
            return Picture { title, subtitle, notes, svg, key: Vec::new(), island: None };
        }
        self.mute();
        let key = self.named_curves().iter().map(Curve::key_entry).collect();
        let (svg, island) = self.svg();
        Picture { title, subtitle, notes: self.notes, svg, key, island }
    }

    /// If there are many series, makes all series grey except the best series among those that reach farthest, the series that is
    /// farthest behind the best value at its end, and the emphasised series.
    fn mute(&mut self) {
        let Self { chart, curves, notes } = self;
        if chart.series.iter().filter(|series| !series.is_part).count() <= MAX_COLOURED {
            return;
        }
        if chart.series.iter().any(|series| !series.is_part && !series.group.is_empty()) {
            notes.push(chart.words.grouped.clone());
            return;
        }
        let mut best: BTreeMap<OrderedNumber, f64> = BTreeMap::new();
        for &(x, value) in chart.series.iter().flat_map(|series| &series.line) {
            let so_far = best.entry(OrderedNumber(x)).or_insert(value);
            *so_far = if chart.more_is_better { value.max(*so_far) } else { value.min(*so_far) };
        }
        let all = || 0..curves.len();
        let reached = |at: usize| curves[at].series.line.last().map(|&(x, _)| OrderedNumber(x));
        // Values below the floor of a logarithmic axis are drawn at the floor. On other axes, a floor is needed for ratios.
        let floored = |value: f64| match chart.y.scale {
            Scale::Log { floor } => value.max(floor),
            Scale::Whole => value.max(1.0),
            Scale::Linear { low, high } => value.max((high - low) / 1e6),
        };
        let behind = |at: usize| {
            let end = curves[at].end().and_then(|(x, value)| Some((value, *best.get(&OrderedNumber(x))?)));
            end.map_or(0.0, |(value, best)| (floored(value) / floored(best)).ln().abs())
        };
        let first = all().max_by(|&a, &b| reached(a).cmp(&reached(b)).then(behind(b).total_cmp(&behind(a))));
        let worst = all().max_by(|&a, &b| behind(a).total_cmp(&behind(b)));
        // Series with wrong results are always coloured.
        let is_rejected = |at: &usize| !curves[*at].series.rejected.is_empty();
        let emphasised = all().filter(is_rejected).chain(all().filter(|&at| curves[at].series.is_emphasised));
        let mut coloured: Vec<usize> = Vec::new();
        for at in first.into_iter().chain(worst).chain(emphasised) {
            if coloured.len() < MAX_COLOURED_OF_MANY && !coloured.contains(&at) {
                coloured.push(at);
            }
        }
        for (_, curve) in curves.iter_mut().enumerate().filter(|(at, _)| !coloured.contains(at)) {
            let Series { name, line, style, labels, interrupted_before, rejected, .. } =
                std::mem::take(&mut curve.series);
            curve.series =
                Series { name, line, style, labels, interrupted_before, rejected, ..Series::default() };
            curve.is_grey = true;
        }
        // Grey lines are drawn first, so that they are below the others.
        curves.sort_by_key(|curve| !curve.is_grey);
        let displayed = match coloured.len() {
            2 => "the best and the worst series".to_owned(),
            _ => format!("the best series, the worst series and {}", chart.words.emphasised),
        };
        let others = curves.len() - coloured.len();
        notes.push(format!("In colour: {displayed}. Thin and grey: {others} other series."));
    }

    /// The groups with their series. A series without a group forms a separate group.
    fn groups(&self) -> Vec<(&str, Vec<&Curve>)> {
        let mut groups: Vec<(&str, Vec<&Curve>)> = Vec::new();
        for curve in self.curves.iter().filter(|curve| !curve.series.is_part) {
            let group_name = &curve.series.group;
            match groups.iter_mut().find(|(group, _)| !group.is_empty() && group == group_name) {
                Some((_, all)) => all.push(curve),
                None => groups.push((group_name, vec![curve])),
            }
        }
        groups
    }

    /// The series that get a name: the coloured series in the order of the ends of their lines from the top, and one entry for all grey
    /// series.
    fn named_curves(&self) -> Vec<Curve> {
        let (grey, mut named_curves): (Vec<&Curve>, Vec<&Curve>) =
            self.curves.iter().filter(|curve| !curve.series.is_part).partition(|curve| curve.is_grey);
        // If two series reached the same limit, the slower series comes first.
        let last = |place: Option<(f64, f64)>| place.map(|(_, value)| OrderedNumber(value));
        named_curves
            .sort_by_key(|curve| Reverse((last(curve.end()), last(curve.series.line.last().copied()))));
        let name = vec![format!("{} others", grey.len())];
        let series = Series { name, ..Series::default() };
        let others = Curve { series, id: "others".to_owned(), is_grey: true };
        named_curves.into_iter().cloned().chain((!grey.is_empty()).then_some(others)).collect()
    }

    /// All points of the chart, and points above limits that leave room for labels.
    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.curves.iter().flat_map(|Curve { series, .. }| {
            let band = series.band.iter().flat_map(|&(x, from, to)| [(x, from), (x, to)]);
            let above = |&(x, limit): &(f64, f64)| [(x, limit), (x, (limit * LIMIT_ROOM).min(f64::MAX))];
            let limits = series.limits.iter().flat_map(above);
            let marked = series.rejected.iter().chain(&series.unanswered);
            series.line.iter().chain(&series.dots).chain(marked).copied().chain(band).chain(limits)
        })
    }

    /// The distinct x values, in ascending order.
    fn x_values(&self) -> Vec<f64> {
        ascending(self.points().map(|(x, _)| x))
    }

    /// The horizontal axis.
    fn across(&self, pixels: f64) -> Ruler<'c> {
        Ruler::new(&self.chart.x, &self.x_values(), pixels)
    }

    /// The vertical axis.
    fn up(&self, pixels: f64) -> Ruler<'c> {
        Ruler::new(&self.chart.y, &ascending(self.points().map(|(_, value)| value)), pixels)
    }

    fn sheet(&self, heights: (f64, f64)) -> Sheet<'_> {
        let Chart { id, title, subtitle, layout, .. } = self.chart;
        let titles = (title.as_str(), subtitle.as_str());
        Sheet { id, titles, description: self.description(), notes: &self.notes, heights, layout }
    }

    /// Draws the chart as SVG, and collects its exact values.
    fn svg(&self) -> (String, Option<Island>) {
        let named_curves = self.named_curves();
        let PictureLayout { width, pad, height, .. } = self.chart.layout;
        let place = self.chart.layout.names;
        let rows = match place {
            Names::Below => names::rows(&named_curves, width - 2.0 * pad - self.up(height).width()),
            _ => Vec::new(),
        };
        let height = match place {
            Names::Beside => height.max(named_curves.iter().map(Curve::height).sum()),
            _ => height,
        };
        let sheet = self.sheet((height, names::height_of_rows(&rows)));
        let mut island = None;
        let svg = sheet.svg(|canvas, top, bottom| {
            let beside = if place == Names::Beside { names::width_beside(&named_curves) } else { 2.0 };
            let up = self.up(bottom - top);
            let left = pad + up.width();
            let across = self.across(width - pad - beside - left);
            let frame = Frame { across, up, left, bottom };
            let limits = Limits::new(self.chart, &self.curves, &self.x_values(), &frame);
            self.draw_shade(canvas, &frame);
            frame.draw(canvas);
            canvas.group(&[("class", "plot")], |canvas| {
                draw_lines(canvas, &frame, &self.curves);
                limits.draw(canvas, &frame, &self.curves);
                draw_marked(canvas, &frame, &self.curves, &self.chart.words);
            });
            let mut heights_of_names = Vec::new();
            match place {
                Names::Beside => {
                    heights_of_names =
                        names::draw_beside(canvas, &frame, &named_curves, self.x_values().pop())
                }
                Names::Below => names::draw_rows(canvas, &rows, (left, bottom + 46.0 + LINE_HEIGHT / 2.0)),
                Names::Absent => {}
            }
            island = Some(self.island(&frame, limits, heights_of_names));
        });
        (svg, island)
    }

    fn island(&self, frame: &Frame<'_>, limits: Limits, names: Vec<f64>) -> Island {
        let (x, y) = Side::both((&self.chart.x, &self.chart.y), frame);
        let series = self.curves.iter().map(|curve| curve.values(self.chart)).collect();
        let places = Places {
            x,
            y,
            shade: self.shade(frame),
            limits: limits.marks,
            limit_lines: limits.lines,
            limit_labels: limits.labels.into_iter().map(|(limit, _)| limit).collect(),
            leader_end: (!names.is_empty()).then(|| names::leader_end(frame)),
            names,
        };
        Island { title: self.chart.title.clone(), places, series }
    }

    /// The upper end of the shaded band; `None` if the band is not visible.
    fn shade(&self, frame: &Frame<'_>) -> Option<f64> {
        let shade = self.chart.shade.as_ref()?;
        (frame.height(shade.below) < frame.bottom - 1.0).then_some(shade.below)
    }

    /// Draws the shaded band, below everything else.
    fn draw_shade(&self, canvas: &mut Canvas, frame: &Frame<'_>) {
        let (Some(below), Some(shade)) = (self.shade(frame), &self.chart.shade) else { return };
        let (left, right, bottom) = (frame.left, frame.right(), frame.bottom);
        let y = frame.height(below).max(frame.top());
        canvas.group(&[("class", "shade")], |canvas| {
            canvas.polygon([(left, y), (right, y), (right, bottom), (left, bottom)], &fill(MINOR_GRID));
            let label = svg::cut(&shade.label, SMALL, right - left - 12.0);
            // Rising lines leave the lower right corner free.
            if bottom - y > 2.0 * SHADE_LABEL {
                canvas.text(&label, (right - 6.0, bottom - SHADE_LABEL), "end", SMALL);
            }
        });
    }

    /// Draws a panel for each group, and for each series without a group. The other series are thin and grey lines in each panel.
    fn panels(&self) -> String {
        let PictureLayout { width, pad, .. } = self.chart.layout;
        let groups = self.groups();
        let (wide, high) = ((width - pad) / PANELS as f64, PANEL_HEIGHT + 100.0);
        let rows = groups.len().div_ceil(PANELS).saturating_sub(1);
        self.sheet((PANEL_HEIGHT + 2.0 * LINE_HEIGHT, high * rows as f64)).svg(|canvas, top, _| {
            let up = self.up(PANEL_HEIGHT);
            let left = pad + up.width();
            let across = self.across(wide - pad - up.width());
            let frame = Frame { across, up, left, bottom: top + 2.0 * LINE_HEIGHT + PANEL_HEIGHT };
            let all = format!("{}-all", svg::id(&self.chart.id));
            canvas.group(&[("id", &all)], |canvas| {
                frame.draw(canvas);
                for segment in self.curves.iter().flat_map(Curve::segments) {
                    let line = segment.iter().map(|&point| frame.at(point));
                    canvas.line(line, &stroke(GREY, 0.8).faded(0.35));
                }
            });
            for (index, (group, members)) in groups.into_iter().enumerate() {
                let by = ((index % PANELS) as f64 * wide, (index / PANELS) as f64 * high);
                if index > 0 {
                    canvas.reuse(&all, by);
                }
                let inner_frame =
                    Frame { left: frame.left + by.0, bottom: frame.bottom + by.1, ..frame.clone() };
                let names = members.iter().map(|curve| curve.name()).collect::<Vec<_>>().join(", ");
                let title = if group.is_empty() { names } else { format!("{group}: {names}") };
                for (at, line) in wrap(&title, LABEL, wide - pad, 2).iter().rev().enumerate() {
                    canvas.text(
                        line,
                        (pad + by.0, inner_frame.top() - 30.0 - at as f64 * LINE_HEIGHT),
                        "start",
                        LABEL,
                    );
                }
                let curves = members.into_iter().cloned().collect();
                let alone = Drawing { chart: self.chart, curves, notes: Vec::new() };
                draw_lines(canvas, &inner_frame, &alone.curves);
                Limits::new(self.chart, &alone.curves, &alone.x_values(), &inner_frame).draw(
                    canvas,
                    &inner_frame,
                    &alone.curves,
                );
                draw_marked(canvas, &inner_frame, &alone.curves, &self.chart.words);
            }
        })
    }

    /// Describes the chart for screen readers: the first and the last point of each line.
    fn description(&self) -> String {
        let Chart { x, y, subtitle, words: terms, .. } = self.chart;
        let mut words = vec![format!("{subtitle}.")];
        let place = |value: f64| match x.name.is_empty() {
            true => format!("at {}", x.unit.format(value)),
            false => format!("at {} = {}", x.name, x.unit.format(value)),
        };
        let show = |&(at, value): &(f64, f64)| format!("{} {}", y.unit.format(value), place(at));
        for curve in &self.curves {
            let Series { line, limits, rejected, unanswered, .. } = &curve.series;
            let mut points: Vec<String> = line.first().map(show).into_iter().collect();
            points.extend(line.last().filter(|_| line.len() > 1).map(show));
            points.extend(rejected.iter().map(|point| format!("{} {}", terms.rejected, show(point))));
            points.extend(unanswered.iter().map(|point| format!("{} {}", terms.unanswered, show(point))));
            points.extend(limits.first().map(|&(at, _)| format!("{} {}", terms.limit, place(at))));
            words.push(format!("{}: {}.", curve.name(), points.join(", ")));
        }
        words.extend(self.notes.iter().cloned());
        words.join(" ")
    }
}

#[cfg(test)]
#[path = "draw_tests.rs"]
mod tests;
