//! Draws a chart. If there are more than [`MAX_COLOURED`] series and no groups, only the best, the worst and the emphasised series and
//! those with rejected observations are coloured; the others are thin and grey.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use crate::chart::{Chart, PlotError, Scale, Series};
use crate::curve::{
    Curve, KeyEntry, LINE_HEIGHT, OrderedNumber, ascending, draw_crosses_and_question_marks, draw_lines,
};
use crate::frame::{Frame, Ruler};
use crate::island::{Island, PlacedAxis, Places};
use crate::layout::{Names, PictureLayout};
use crate::limits::{LIMIT_ROOM, Limits};
use crate::names;
use crate::style::{GREY, LABEL, MINOR_GRID, SMALL};
use crate::svg::{self, Canvas, Sheet, fill, stroke, wrap};

/// The maximum number of series that are all coloured.
const MAX_COLOURED: usize = 11;

/// The maximum number of coloured series if other series are grey.
const MAX_COLOURED_OF_MANY: usize = 8;

/// The number of panels in a row.
const PANELS_PER_ROW: usize = 3;
/// The height of the plot of a panel, in pixels.
const PANEL_PLOT_HEIGHT: f64 = 170.0;

/// The distance of the label of the shaded band from the lower end of the band, in pixels.
const SHADE_LABEL_DISTANCE: f64 = 9.0;

/// A drawn chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The title.
    pub title: String,
    /// The subtitle, which explains the content and the notation.
    pub subtitle: String,
    /// Remarks below the picture.
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
    /// A value is not a finite number, the ends or the floor of an axis are invalid, or the number of labels of a line differs from the
    /// number of its points.
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
            let next_id = ids.len().to_string();
            let id = ids.entry(&series.name).or_insert(next_id).clone();
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
        self.grey_out_series();
        let key = self.named_curves().iter().map(Curve::key_entry).collect();
        let (svg, island) = self.svg();
        Picture { title, subtitle, notes: self.notes, svg, key, island }
    }

    /// Makes most series grey, if there are many series and no groups. At most [`MAX_COLOURED_OF_MANY`] series stay coloured, in
    /// this order: the best series among those with the largest last x value; the series whose last value is worst in comparison
    /// with the best value at the same x; series with rejected observations; emphasised series.
    fn grey_out_series(&mut self) {
        let Self { chart, curves, notes } = self;
        if chart.series.iter().filter(|series| !series.shares_name).count() <= MAX_COLOURED {
            return;
        }
        if chart.series.iter().any(|series| !series.shares_name && !series.group.is_empty()) {
            notes.push(chart.words.grouped.clone());
            return;
        }
        let mut best_values: BTreeMap<OrderedNumber, f64> = BTreeMap::new();
        for &(x, value) in chart.series.iter().flat_map(|series| &series.line) {
            let best = best_values.entry(OrderedNumber(x)).or_insert(value);
            *best = if chart.more_is_better { value.max(*best) } else { value.min(*best) };
        }
        let indices = || 0..curves.len();
        let last_x = |index: usize| curves[index].series.line.last().map(|&(x, _)| OrderedNumber(x));
        // Values below the floor of a logarithmic axis are drawn at the floor. On other axes, values are raised to a small positive
        // number, so that ratios of values are defined.
        let raised_to_floor = |value: f64| match chart.y.scale {
            Scale::Log { floor } => value.max(floor),
            Scale::Whole => value.max(1.0),
            Scale::Linear { low, high } => value.max((high - low) / 1e6),
        };
        let gap_to_best = |index: usize| {
            let end = curves[index]
                .end()
                .and_then(|(x, value)| Some((value, *best_values.get(&OrderedNumber(x))?)));
            end.map_or(0.0, |(value, best)| (raised_to_floor(value) / raised_to_floor(best)).ln().abs())
        };
        let best_series = indices()
            .max_by(|&a, &b| last_x(a).cmp(&last_x(b)).then(gap_to_best(b).total_cmp(&gap_to_best(a))));
        let worst_series = indices().max_by(|&a, &b| gap_to_best(a).total_cmp(&gap_to_best(b)));
        // Series with rejected observations come before emphasised series.
        let has_rejected = |index: &usize| !curves[*index].series.rejected.is_empty();
        let is_emphasised = |index: &usize| curves[*index].series.is_emphasised;
        let important_series = indices().filter(has_rejected).chain(indices().filter(is_emphasised));
        let mut coloured: Vec<usize> = Vec::new();
        for index in best_series.into_iter().chain(worst_series).chain(important_series) {
            if coloured.len() < MAX_COLOURED_OF_MANY && !coloured.contains(&index) {
                coloured.push(index);
            }
        }
        for (_, curve) in curves.iter_mut().enumerate().filter(|(index, _)| !coloured.contains(index)) {
            let Series { name, line, style, labels, interrupted_before, rejected, .. } =
                std::mem::take(&mut curve.series);
            curve.series =
                Series { name, line, style, labels, interrupted_before, rejected, ..Series::default() };
            curve.is_grey = true;
        }
        // Grey lines are drawn first, so that they are below the others.
        curves.sort_by_key(|curve| !curve.is_grey);
        let coloured_kinds = match coloured.len() {
            2 => "the best and the worst series".to_owned(),
            _ => format!("the best series, the worst series and {}", chart.words.emphasised),
        };
        let grey_count = curves.len() - coloured.len();
        notes.push(format!("In colour: {coloured_kinds}. Thin and grey: {grey_count} other series."));
    }

    /// The groups with their series. A series without a group forms a separate group.
    fn groups(&self) -> Vec<(&str, Vec<&Curve>)> {
        let mut groups: Vec<(&str, Vec<&Curve>)> = Vec::new();
        for curve in self.curves.iter().filter(|curve| !curve.series.shares_name) {
            let group_name = &curve.series.group;
            match groups.iter_mut().find(|(group, _)| !group.is_empty() && group == group_name) {
                Some((_, members)) => members.push(curve),
                None => groups.push((group_name, vec![curve])),
            }
        }
        groups
    }

    /// The series that get a name: the coloured series in the order of the ends of their lines from the top, and one entry for all grey
    /// series.
    fn named_curves(&self) -> Vec<Curve> {
        let (grey, mut named_curves): (Vec<&Curve>, Vec<&Curve>) =
            self.curves.iter().filter(|curve| !curve.series.shares_name).partition(|curve| curve.is_grey);
        // If two series reached the same limit, the series whose line ends at a larger value comes first.
        let value_of = |point: Option<(f64, f64)>| point.map(|(_, value)| OrderedNumber(value));
        named_curves.sort_by_key(|curve| {
            Reverse((value_of(curve.end()), value_of(curve.series.line.last().copied())))
        });
        let name = vec![format!("{} others", grey.len())];
        let series = Series { name, ..Series::default() };
        let others = Curve { series, id: "others".to_owned(), is_grey: true };
        named_curves.into_iter().cloned().chain((!grey.is_empty()).then_some(others)).collect()
    }

    /// All points of the chart, and points above limits that leave room for labels.
    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.curves.iter().flat_map(|Curve { series, .. }| {
            let band = series.band.iter().flat_map(|&(x, from, to)| [(x, from), (x, to)]);
            let limit_and_label_room =
                |&(x, limit): &(f64, f64)| [(x, limit), (x, (limit * LIMIT_ROOM).min(f64::MAX))];
            let limits = series.limits.iter().flat_map(limit_and_label_room);
            let marked_points = series.rejected.iter().chain(&series.unanswered);
            series.line.iter().chain(&series.dots).chain(marked_points).copied().chain(band).chain(limits)
        })
    }

    /// The distinct x values, in ascending order.
    fn x_values(&self) -> Vec<f64> {
        ascending(self.points().map(|(x, _)| x))
    }

    /// The horizontal axis.
    fn x_axis(&self, pixels: f64) -> Ruler<'c> {
        Ruler::new(&self.chart.x, &self.x_values(), pixels)
    }

    /// The vertical axis.
    fn y_axis(&self, pixels: f64) -> Ruler<'c> {
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
        let name_placement = self.chart.layout.names;
        let rows = match name_placement {
            Names::Below => names::rows(&named_curves, width - 2.0 * pad - self.y_axis(height).width()),
            _ => Vec::new(),
        };
        let height = match name_placement {
            Names::Beside => height.max(named_curves.iter().map(Curve::name_height).sum()),
            _ => height,
        };
        let sheet = self.sheet((height, names::height_of_rows(&rows)));
        let mut island = None;
        let svg = sheet.svg(|canvas, top, bottom| {
            let names_width =
                if name_placement == Names::Beside { names::width_beside(&named_curves) } else { 2.0 };
            let y_axis = self.y_axis(bottom - top);
            let left = pad + y_axis.width();
            let x_axis = self.x_axis(width - pad - names_width - left);
            let frame = Frame { x_axis, y_axis, left, bottom };
            let limits = Limits::new(self.chart, &self.curves, &self.x_values(), &frame);
            self.draw_shade(canvas, &frame);
            frame.draw(canvas);
            canvas.group(&[("class", "plot")], |canvas| {
                draw_lines(canvas, &frame, &self.curves);
                limits.draw(canvas, &frame, &self.curves);
                draw_crosses_and_question_marks(canvas, &frame, &self.curves, &self.chart.words);
            });
            let mut name_positions = Vec::new();
            match name_placement {
                Names::Beside => {
                    name_positions = names::draw_beside(canvas, &frame, &named_curves, self.x_values().pop())
                }
                Names::Below => names::draw_rows(canvas, &rows, (left, bottom + 46.0 + LINE_HEIGHT / 2.0)),
                Names::Absent => {}
            }
            island = Some(self.island(&frame, limits, name_positions));
        });
        (svg, island)
    }

    fn island(&self, frame: &Frame<'_>, limits: Limits, names: Vec<f64>) -> Island {
        let (x, y) = PlacedAxis::both((&self.chart.x, &self.chart.y), frame);
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
        let (Some(upper_end), Some(shade)) = (self.shade(frame), &self.chart.shade) else { return };
        let (left, right, bottom) = (frame.left, frame.right(), frame.bottom);
        let y = frame.height(upper_end).max(frame.top());
        canvas.group(&[("class", "shade")], |canvas| {
            canvas.polygon([(left, y), (right, y), (right, bottom), (left, bottom)], &fill(MINOR_GRID));
            let label = svg::cut(&shade.label, SMALL, right - left - 12.0);
            // The label is in the lower right corner, where lines that rise do not cross it.
            if bottom - y > 2.0 * SHADE_LABEL_DISTANCE {
                canvas.text(&label, (right - 6.0, bottom - SHADE_LABEL_DISTANCE), "end", SMALL);
            }
        });
    }

    /// Draws a panel for each group, and for each series without a group. The other series are thin and grey lines in each panel.
    fn panels(&self) -> String {
        let PictureLayout { width, pad, .. } = self.chart.layout;
        let groups = self.groups();
        let (panel_width, panel_height) = ((width - pad) / PANELS_PER_ROW as f64, PANEL_PLOT_HEIGHT + 100.0);
        let rows = groups.len().div_ceil(PANELS_PER_ROW).saturating_sub(1);
        self.sheet((PANEL_PLOT_HEIGHT + 2.0 * LINE_HEIGHT, panel_height * rows as f64)).svg(
            |canvas, top, _| {
                let y_axis = self.y_axis(PANEL_PLOT_HEIGHT);
                let left = pad + y_axis.width();
                let x_axis = self.x_axis(panel_width - pad - y_axis.width());
                let frame =
                    Frame { x_axis, y_axis, left, bottom: top + 2.0 * LINE_HEIGHT + PANEL_PLOT_HEIGHT };
                let all_lines_id = format!("{}-all", svg::id(&self.chart.id));
                canvas.group(&[("id", &all_lines_id)], |canvas| {
                    frame.draw(canvas);
                    for segment in self.curves.iter().flat_map(Curve::segments) {
                        let line = segment.iter().map(|&point| frame.position(point));
                        canvas.line(line, &stroke(GREY, 0.8).faded(0.35));
                    }
                });
                for (index, (group, members)) in groups.into_iter().enumerate() {
                    let offset = (
                        (index % PANELS_PER_ROW) as f64 * panel_width,
                        (index / PANELS_PER_ROW) as f64 * panel_height,
                    );
                    if index > 0 {
                        canvas.reuse(&all_lines_id, offset);
                    }
                    let panel_frame = Frame {
                        left: frame.left + offset.0,
                        bottom: frame.bottom + offset.1,
                        ..frame.clone()
                    };
                    let names = members.iter().map(|curve| curve.name()).collect::<Vec<_>>().join(", ");
                    let title = if group.is_empty() { names } else { format!("{group}: {names}") };
                    for (index, line) in wrap(&title, LABEL, panel_width - pad, 2).iter().rev().enumerate() {
                        canvas.text(
                            line,
                            (pad + offset.0, panel_frame.top() - 30.0 - index as f64 * LINE_HEIGHT),
                            "start",
                            LABEL,
                        );
                    }
                    let curves = members.into_iter().cloned().collect();
                    let panel = Drawing { chart: self.chart, curves, notes: Vec::new() };
                    draw_lines(canvas, &panel_frame, &panel.curves);
                    Limits::new(self.chart, &panel.curves, &panel.x_values(), &panel_frame).draw(
                        canvas,
                        &panel_frame,
                        &panel.curves,
                    );
                    draw_crosses_and_question_marks(canvas, &panel_frame, &panel.curves, &self.chart.words);
                }
            },
        )
    }

    /// Describes the chart for screen readers: for each series, the first and the last point of the line, the marked observations and the
    /// first limit.
    fn description(&self) -> String {
        let Chart { x, y, subtitle, words, .. } = self.chart;
        let mut sentences = vec![format!("{subtitle}.")];
        let at_x = |value: f64| match x.name.is_empty() {
            true => format!("at {}", x.unit.format(value)),
            false => format!("at {} = {}", x.name, x.unit.format(value)),
        };
        let describe = |&(x, value): &(f64, f64)| format!("{} {}", y.unit.format(value), at_x(x));
        for curve in &self.curves {
            let Series { line, limits, rejected, unanswered, .. } = &curve.series;
            let mut points: Vec<String> = line.first().map(describe).into_iter().collect();
            points.extend(line.last().filter(|_| line.len() > 1).map(describe));
            points.extend(rejected.iter().map(|point| format!("{} {}", words.rejected, describe(point))));
            points.extend(unanswered.iter().map(|point| format!("{} {}", words.unanswered, describe(point))));
            points.extend(limits.first().map(|&(x, _)| format!("{} {}", words.limit, at_x(x))));
            sentences.push(format!("{}: {}.", curve.name(), points.join(", ")));
        }
        sentences.extend(self.notes.iter().cloned());
        sentences.join(" ")
    }
}

#[cfg(test)]
#[path = "draw_tests.rs"]
mod tests;
