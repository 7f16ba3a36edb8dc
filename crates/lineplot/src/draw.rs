//! Draws a chart: the lines in the plot, and their names at the ends of the lines. Of more series than [`MAX_COLOURED`], the best,
//! the worst and the emphasised ones are in colour; the others are thin and grey.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::chart::{Chart, PlotError, Scale, Series, Words};
use crate::frame::{Frame, Ruler};
use crate::island::{Island, Places, Side, Values};
use crate::look::{Look, Names};
use crate::style::{FAINT, FAULT, Font, GREY, LABEL, SMALL};
use crate::svg::{self, Canvas, Paint, Sheet, fill, stroke, text_width, wrap};

/// The largest number of series that are all in colour.
const MAX_COLOURED: usize = 11;

/// The largest number of series in colour if there are others in grey.
const MAX_COLOURED_OF_MANY: usize = 8;

/// Panels in a row, and the height of the plot of each.
const PANELS: usize = 3;
const PANEL_HEIGHT: f64 = 170.0;

/// How far the label of the shaded band is above its lower end.
const SHADE_LABEL: f64 = 9.0;

/// Factor above a limit that leaves room for its label.
pub(crate) const LIMIT_ROOM: f64 = 2.0;

/// The largest number of markers on a line; a longer one has a marker at every second, third, ... point.
const MAX_MARKERS: usize = 60;

/// Width of a piece of a line before a name.
const SWATCH: f64 = 28.0;

/// Names: the space between them and the plot, the largest width, the height of a line, the space below, the largest number of
/// lines.
const LEADER: f64 = 26.0;
const MAX_NAME: f64 = 280.0;
const LINE: f64 = 15.0;
const GAP: f64 = 3.0;
const MAX_LINES: usize = 8;

/// A drawn chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Its title.
    pub title: String,
    /// What the chart shows, and how.
    pub subtitle: String,
    /// Remarks.
    pub notes: Vec<String>,
    /// The picture.
    pub svg: String,
    /// For narrow screens, on which the names are too far to the right: the series that have names.
    pub key: Vec<KeyEntry>,
    /// The exact values for a script; none of a picture with panels.
    pub island: Option<Island>,
}

/// A series in the key of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEntry {
    /// The id of the series in the picture and in its island; `others` stands for all series in grey.
    pub id: String,
    /// Its name.
    pub name: String,
    /// A piece of its line with a marker, as SVG.
    pub swatch: String,
}

impl Chart {
    /// Draws the chart.
    ///
    /// # Errors
    ///
    /// If a value or an axis is not made of finite numbers, and if only some points of a line have texts.
    pub fn draw(&self) -> Result<Picture, PlotError> {
        self.check()?;
        Ok(Drawing::new(self).picture())
    }
}

/// A number that is sorted by its value.
#[derive(Clone, Copy, Debug, PartialEq)]
struct OrderedNumber(f64);

impl Eq for OrderedNumber {}

impl PartialOrd for OrderedNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderedNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A series in a drawing.
#[derive(Clone, Debug, Default)]
struct Curve {
    series: Series,
    /// Its id in the picture; series of the same name share one.
    id: String,
    /// Whether it is thin and grey, as one of many.
    is_grey: bool,
}

impl Curve {
    fn name(&self) -> String {
        self.series.name.join(", ")
    }

    /// The look of its line.
    fn paint(&self) -> Paint {
        match self.is_grey {
            true => stroke(GREY, 1.0).faded(0.45),
            false => stroke(self.series.style.color(), 1.8),
        }
    }

    /// The lines of its name: the first part in black, explanations smaller in grey.
    fn lines(&self) -> Vec<(String, Font)> {
        let fonts = std::iter::once(if self.is_grey { SMALL } else { LABEL }).chain(std::iter::repeat(SMALL));
        let parts = self.series.name.iter().zip(fonts);
        let broken = |(part, font): (&String, Font)| {
            wrap(part, font, MAX_NAME, MAX_LINES).into_iter().map(move |line| (line, font))
        };
        parts.flat_map(broken).collect()
    }

    /// The pieces of its line.
    fn pieces(&self) -> impl Iterator<Item = &[(f64, f64)]> {
        self.series.pieces()
    }

    /// Where its line ends, or the last limit that it reached.
    fn end(&self) -> Option<(f64, f64)> {
        let sorted = |&&(x, y): &&(f64, f64)| (OrderedNumber(x), OrderedNumber(y));
        let Series { line, limits, rejected, unanswered, .. } = &self.series;
        let ends = line.last().into_iter().chain(limits.last());
        ends.max_by_key(sorted).or(rejected.last()).or(unanswered.last()).copied()
    }

    /// The height of its name.
    fn height(&self) -> f64 {
        self.lines().len() as f64 * LINE + GAP
    }

    /// Every which point of its line has a marker.
    fn every(&self) -> usize {
        self.series.line.len().div_ceil(MAX_MARKERS).max(1)
    }

    /// Whether the marker at a place of the horizontal axis is an outline.
    fn is_hollow_at(&self, x: f64) -> bool {
        !self.is_grey && self.series.hollow_at.contains(&x)
    }

    /// Draws a piece of its line with a marker.
    fn draw_swatch(&self, canvas: &mut Canvas, (left, y): (f64, f64)) {
        canvas.line([(left, y), (left + SWATCH - 8.0, y)], &self.paint());
        if !self.is_grey {
            canvas.marker(self.series.style, (left + SWATCH / 2.0 - 4.0, y), 4.0, true);
        }
    }

    fn key_entry(&self) -> KeyEntry {
        let swatch = Canvas::alone((SWATCH, 12.0), |canvas| self.draw_swatch(canvas, (4.0, 6.0)));
        KeyEntry { id: self.id.clone(), name: self.name(), swatch }
    }

    fn values(&self, chart: &Chart) -> Values {
        let Series { line, labels, band, dots, interrupted_before, rejected, unanswered, .. } = &self.series;
        let breaks = (1..line.len()).filter(|&at| interrupted_before.contains(&line[at].0));
        let marked = |word: &str, points: &[(f64, f64)]| -> Vec<String> {
            points.iter().map(|&(_, y)| format!("{word}, {}", chart.y.unit.format(y))).collect()
        };
        let hollow = (0..line.len()).filter(|&at| self.is_hollow_at(line[at].0));
        let value_labels = || line.iter().map(|&(_, y)| chart.y.unit.format(y)).collect();
        let x_labels = match chart.x.scale {
            Scale::Whole => Vec::new(),
            _ => line.iter().map(|&(x, _)| chart.x.unit.format(x)).collect(),
        };
        Values {
            id: self.id.clone(),
            name: self.name(),
            x: line.iter().map(|&(x, _)| x).collect(),
            y: line.iter().map(|&(_, y)| y).collect(),
            labels: if labels.is_empty() { value_labels() } else { labels.clone() },
            x_labels,
            band: band.clone(),
            dots: dots.clone(),
            breaks: breaks.collect(),
            rejected: rejected.clone(),
            rejected_labels: marked(&chart.words.rejected, rejected),
            unanswered: unanswered.clone(),
            unanswered_labels: marked(&chart.words.unanswered, unanswered),
            every: self.every(),
            hollow: hollow.collect(),
        }
    }
}

/// A chart of which is decided what is in colour.
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
        if self.chart.look.has_panels {
            let (svg, notes) = (self.panels(), self.notes);
            return Picture { title, subtitle, notes, svg, key: Vec::new(), island: None };
        }
        self.mute();
        let key = self.named().iter().map(Curve::key_entry).collect();
        let (svg, island) = self.svg();
        Picture { title, subtitle, notes: self.notes, svg, key, island }
    }

    /// Of many series, makes all grey but the best where the line goes farthest, the one that is farthest behind the best where it
    /// ends, and the emphasised ones.
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
        // A value below the floor of its axis is drawn there. Other axes need a floor for ratios.
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
        // A wrong result is seen in any case.
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
        // Grey lines lie below the others.
        curves.sort_by_key(|curve| !curve.is_grey);
        let displayed = match coloured.len() {
            2 => "the best and the worst series".to_owned(),
            _ => format!("the best series, the worst series and {}", chart.words.emphasised),
        };
        let others = curves.len() - coloured.len();
        notes.push(format!("In colour: {displayed}. Thin and grey: {others} other series."));
    }

    /// The groups with their series; a series without a group is alone.
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

    /// The series that have a name beside the plot: those in colour, in the order in which their lines end, from the top, and
    /// the others as one.
    fn named(&self) -> Vec<Curve> {
        let (grey, mut named): (Vec<&Curve>, Vec<&Curve>) =
            self.curves.iter().filter(|curve| !curve.series.is_part).partition(|curve| curve.is_grey);
        // Of two that reached the limit, the slower one comes first.
        let last = |place: Option<(f64, f64)>| place.map(|(_, value)| OrderedNumber(value));
        named.sort_by_key(|curve| Reverse((last(curve.end()), last(curve.series.line.last().copied()))));
        let name = vec![format!("{} others", grey.len())];
        let series = Series { name, ..Series::default() };
        let others = Curve { series, id: "others".to_owned(), is_grey: true };
        named.into_iter().cloned().chain((!grey.is_empty()).then_some(others)).collect()
    }

    /// Everything that has a place.
    fn places(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.curves.iter().flat_map(|Curve { series, .. }| {
            let band = series.band.iter().flat_map(|&(x, from, to)| [(x, from), (x, to)]);
            let above = |&(x, limit): &(f64, f64)| [(x, limit), (x, (limit * LIMIT_ROOM).min(f64::MAX))];
            let limits = series.limits.iter().flat_map(above);
            let marked = series.rejected.iter().chain(&series.unanswered);
            series.line.iter().chain(&series.dots).chain(marked).copied().chain(band).chain(limits)
        })
    }

    /// The values on the horizontal axis, ascending.
    fn across_values(&self) -> Vec<f64> {
        ascending(self.places().map(|(x, _)| x))
    }

    /// The horizontal axis.
    fn across(&self, pixels: f64) -> Ruler<'c> {
        Ruler::new(&self.chart.x, &self.across_values(), pixels)
    }

    /// The vertical axis.
    fn up(&self, pixels: f64) -> Ruler<'c> {
        Ruler::new(&self.chart.y, &ascending(self.places().map(|(_, value)| value)), pixels)
    }

    fn sheet(&self, heights: (f64, f64)) -> Sheet<'_> {
        let Chart { id, title, subtitle, look, .. } = self.chart;
        let titles = (title.as_str(), subtitle.as_str());
        Sheet { id, titles, description: self.description(), notes: &self.notes, heights, look }
    }

    /// The chart as SVG, and its values.
    fn svg(&self) -> (String, Option<Island>) {
        let named = self.named();
        let Look { width, pad, height, .. } = self.chart.look;
        let place = self.chart.look.names;
        let rows = if place == Names::Below { self.rows_of_names(&named) } else { Vec::new() };
        let height = match place {
            Names::Beside => height.max(named.iter().map(Curve::height).sum()),
            _ => height,
        };
        let sheet = self.sheet((height, rows.iter().map(|row| row_height(row)).sum()));
        let mut island = None;
        let svg = sheet.svg(|canvas, top, bottom| {
            let lines = named.iter().flat_map(Curve::lines);
            let names = lines.map(|(line, font)| text_width(&line, font)).fold(0.0, f64::max);
            let beside = if place == Names::Beside { LEADER + SWATCH + names } else { 2.0 };
            let up = self.up(bottom - top);
            let left = pad + up.width();
            let across = self.across(width - pad - beside - left);
            let frame = Frame { across, up, left, bottom };
            let limits = Limits::new(self, &frame);
            self.draw_shade(canvas, &frame);
            frame.draw(canvas);
            canvas.group(&[("class", "plot")], |canvas| {
                draw_lines(canvas, &frame, &self.curves);
                limits.draw(canvas, &frame, &self.curves);
                draw_marked(canvas, &frame, &self.curves, &self.chart.words);
            });
            match place {
                Names::Beside => self.draw_names(canvas, &frame, &named),
                Names::Below => draw_rows(canvas, &rows, (left, bottom + 46.0 + LINE / 2.0)),
                Names::Absent => {}
            }
            island = Some(self.island(&frame, limits));
        });
        (svg, island)
    }

    fn island(&self, frame: &Frame<'_>, limits: Limits) -> Island {
        let (x, y) = Side::both((&self.chart.x, &self.chart.y), frame);
        let series = self.curves.iter().map(|curve| curve.values(self.chart)).collect();
        let places = Places {
            x,
            y,
            shade: self.shade(frame),
            limits: limits.marks,
            limit_lines: limits.lines,
            limit_labels: limits.labels.into_iter().map(|(limit, _)| limit).collect(),
        };
        Island { places, series }
    }

    /// The upper end of the shaded band; `None` if no value is in it.
    fn shade(&self, frame: &Frame<'_>) -> Option<f64> {
        let shade = self.chart.shade.as_ref()?;
        (frame.height(shade.below) < frame.bottom - 1.0).then_some(shade.below)
    }

    /// Draws the band of values that are not to be compared, below everything else.
    fn draw_shade(&self, canvas: &mut Canvas, frame: &Frame<'_>) {
        let (Some(below), Some(shade)) = (self.shade(frame), &self.chart.shade) else { return };
        let (left, right, bottom) = (frame.left, frame.right(), frame.bottom);
        let y = frame.height(below).max(frame.top());
        canvas.group(&[("class", "shade")], |canvas| {
            canvas.polygon([(left, y), (right, y), (right, bottom), (left, bottom)], &fill(FAINT));
            let label = svg::cut(&shade.label, SMALL, right - left - 12.0);
            // Lines that rise leave the lower right corner free.
            if bottom - y > 2.0 * SHADE_LABEL {
                canvas.text(&label, (right - 6.0, bottom - SHADE_LABEL), "end", SMALL);
            }
        });
    }

    /// A panel for each group, or for each series without one, in which the others are thin and grey.
    fn panels(&self) -> String {
        let Look { width, pad, .. } = self.chart.look;
        let groups = self.groups();
        let (wide, high) = ((width - pad) / PANELS as f64, PANEL_HEIGHT + 100.0);
        let rows = groups.len().div_ceil(PANELS).saturating_sub(1);
        self.sheet((PANEL_HEIGHT + 2.0 * LINE, high * rows as f64)).svg(|canvas, top, _| {
            let up = self.up(PANEL_HEIGHT);
            let left = pad + up.width();
            let across = self.across(wide - pad - up.width());
            let frame = Frame { across, up, left, bottom: top + 2.0 * LINE + PANEL_HEIGHT };
            let all = format!("{}-all", svg::id(&self.chart.id));
            canvas.group(&[("id", &all)], |canvas| {
                frame.draw(canvas);
                for piece in self.curves.iter().flat_map(Curve::pieces) {
                    let line = piece.iter().map(|&point| frame.at(point));
                    canvas.line(line, &stroke(GREY, 0.8).faded(0.35));
                }
            });
            for (index, (group, members)) in groups.into_iter().enumerate() {
                let by = ((index % PANELS) as f64 * wide, (index / PANELS) as f64 * high);
                if index > 0 {
                    canvas.again(&all, by);
                }
                let inner_frame =
                    Frame { left: frame.left + by.0, bottom: frame.bottom + by.1, ..frame.clone() };
                let names = members.iter().map(|curve| curve.name()).collect::<Vec<_>>().join(", ");
                let title = if group.is_empty() { names } else { format!("{group}: {names}") };
                for (at, line) in wrap(&title, LABEL, wide - pad, 2).iter().rev().enumerate() {
                    canvas.text(
                        line,
                        (pad + by.0, inner_frame.top() - 30.0 - at as f64 * LINE),
                        "start",
                        LABEL,
                    );
                }
                let curves = members.into_iter().cloned().collect();
                let alone = Drawing { chart: self.chart, curves, notes: Vec::new() };
                draw_lines(canvas, &inner_frame, &alone.curves);
                Limits::new(&alone, &inner_frame).draw(canvas, &inner_frame, &alone.curves);
                draw_marked(canvas, &inner_frame, &alone.curves, &self.chart.words);
            }
        })
    }

    /// Names side by side in the rows below a figure.
    fn rows_of_names<'n>(&self, named: &'n [Curve]) -> Vec<Vec<Name<'n>>> {
        let look = &self.chart.look;
        let room = look.width - 2.0 * look.pad - self.up(look.height).width();
        let mut rows: Vec<Vec<Name<'_>>> = Vec::new();
        let mut free = f64::MAX;
        for curve in named {
            let lines = wrap(&curve.name(), LABEL, room - SWATCH, MAX_LINES);
            let width = SWATCH + lines.iter().map(|line| text_width(line, LABEL)).fold(0.0, f64::max);
            if free + width > room {
                rows.push(Vec::new());
                free = 0.0;
            }
            rows.last_mut().expect("a row is pushed first").push(Name { distance: free, curve, lines });
            free += width + 12.0;
        }
        rows
    }

    /// Draws names as close as possible to the ends of their lines, with lines that lead to them.
    fn draw_names(&self, canvas: &mut Canvas, frame: &Frame<'_>, named: &[Curve]) {
        let mut tops = Vec::new();
        let mut free = frame.top();
        for curve in named {
            let wanted = curve.end().map_or(frame.bottom, |(_, value)| frame.height(value));
            tops.push(free.max(wanted - LINE / 2.0));
            free = tops[tops.len() - 1] + curve.height();
        }
        free = frame.bottom;
        for (top, curve) in tops.iter_mut().zip(named).rev() {
            *top = top.min(free - curve.height());
            free = *top;
        }
        let (left, last) = (frame.right() + LEADER, self.across_values().pop());
        for (curve, top) in named.iter().zip(tops) {
            let y = top + LINE / 2.0;
            let end = curve.series.line.last().filter(|(x, _)| Some(*x) == last && !curve.is_grey);
            if let Some(&end) = end {
                let end = frame.at(end);
                let leader = stroke(curve.series.style.color(), 0.8).faded(0.45);
                canvas.group(&[("class", "leader"), ("data-s", &curve.id)], |canvas| {
                    canvas.line([end, (frame.right(), end.1), (left - 4.0, y)], &leader);
                });
            }
            canvas.group(&[("class", "name"), ("data-s", &curve.id)], |canvas| {
                curve.draw_swatch(canvas, (left, y));
                for (index, (line, font)) in curve.lines().iter().enumerate() {
                    canvas.text(line, (left + SWATCH, y + index as f64 * LINE), "start", *font);
                }
            });
        }
    }

    /// The chart in words: the first and the last point of each line.
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

/// The distinct values, ascending.
fn ascending(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: BTreeSet<OrderedNumber> = values.map(OrderedNumber).collect();
    values.into_iter().map(|OrderedNumber(value)| value).collect()
}

/// Draws bands and observations, then lines, then markers. The classes of the groups tell a script what their shapes are; it
/// finds the values in the [`Island`], in the same order.
fn draw_lines(canvas: &mut Canvas, frame: &Frame<'_>, curves: &[Curve]) {
    let at = |&point: &(f64, f64)| frame.at(point);
    for Curve { series, id, .. } in curves {
        if series.band.is_empty() && series.dots.is_empty() {
            continue;
        }
        let paint = fill(series.style.color()).faded(0.45);
        canvas.group(&[("class", "spread"), ("data-s", id)], |canvas| {
            for piece in series.band_pieces() {
                let upper = piece.iter().map(|&(x, _, to)| frame.at((x, to)));
                let lower = piece.iter().rev().map(|&(x, from, _)| frame.at((x, from)));
                canvas.polygon(upper.chain(lower), &fill(series.style.color()).faded(0.18));
            }
            series.dots.iter().for_each(|dot| canvas.circle(at(dot), 1.8, &paint));
        });
    }
    for curve in curves {
        canvas.group(&[("class", "line"), ("data-s", &curve.id)], |canvas| {
            canvas.title(&curve.name());
            for piece in curve.pieces() {
                canvas.line(piece.iter().map(at), &curve.paint());
            }
        });
    }
    for curve in curves {
        canvas.group(&[("class", "marks"), ("data-s", &curve.id)], |canvas| {
            for point in curve.series.line.iter().step_by(curve.every()) {
                match curve.is_grey {
                    true => canvas.circle(at(point), 1.4, &fill(GREY).faded(0.45)),
                    false => canvas.marker(curve.series.style, at(point), 3.8, !curve.is_hollow_at(point.0)),
                }
            }
        });
    }
}

/// Draws a question mark at each observation without a result, and a cross at each one that does not count.
fn draw_marked(canvas: &mut Canvas, frame: &Frame<'_>, curves: &[Curve], words: &Words) {
    for Curve { series, id, .. } in curves.iter().filter(|curve| !curve.series.unanswered.is_empty()) {
        canvas.group(&[("class", "unanswered"), ("data-s", id)], |canvas| {
            canvas.title(&words.unanswered);
            let font = Font { size: 17.0, color: series.style.color(), bold: true };
            series.unanswered.iter().for_each(|&point| canvas.letter('?', frame.at(point), font));
        });
    }
    for Curve { series, id, .. } in curves.iter().filter(|curve| !curve.series.rejected.is_empty()) {
        canvas.group(&[("class", "rejected"), ("data-s", id)], |canvas| {
            canvas.title(&words.rejected);
            series.rejected.iter().for_each(|&point| canvas.cross(frame.at(point), 6.5, FAULT));
        });
    }
}

/// The limits that were reached: a labelled line for each, and on it, side by side, the markers of the series that reached it.
/// Limits that are close share a label.
struct Limits {
    /// Their lines.
    lines: Vec<f64>,
    /// Their labels, each at a limit.
    labels: Vec<(f64, String)>,
    /// The series of each marker, its values, and how far it is to the right in pixels.
    marks: Vec<(usize, f64, f64, f64)>,
}

impl Limits {
    fn new(drawing: &Drawing<'_>, frame: &Frame<'_>) -> Self {
        let mut at_place: BTreeMap<(OrderedNumber, OrderedNumber), Vec<usize>> = BTreeMap::new();
        for (index, curve) in drawing.curves.iter().enumerate() {
            for &(x, limit) in &curve.series.limits {
                at_place.entry((OrderedNumber(limit), OrderedNumber(x))).or_default().push(index);
            }
        }
        let lines = ascending(at_place.keys().map(|(limit, _)| limit.0));
        let Chart { y, words, .. } = drawing.chart;
        let mut labels: Vec<(f64, String)> = Vec::new();
        for &limit in &lines {
            let value = y.unit.format(limit);
            match labels.last_mut() {
                Some((below, label)) if frame.height(*below) - frame.height(limit) < 16.0 => {
                    (*below, *label) = (limit, format!("{label}, {value}"));
                }
                _ => labels.push((limit, format!("{} {value}", words.limit))),
            }
        }
        let values = drawing.across_values();
        let mut marks = Vec::new();
        for ((OrderedNumber(limit), OrderedNumber(x)), reached) in at_place {
            let apart = (0.9 * frame.across.room(x, &values) / reached.len() as f64).min(12.0);
            for (index, &series) in reached.iter().enumerate() {
                let aside = (index as f64 - (reached.len() - 1) as f64 / 2.0) * apart;
                marks.push((series, x, limit, aside));
            }
        }
        Self { lines, labels, marks }
    }

    fn draw(&self, canvas: &mut Canvas, frame: &Frame<'_>, curves: &[Curve]) {
        for &limit in &self.lines {
            let y = frame.height(limit);
            canvas.group(&[("class", "limit")], |canvas| {
                canvas.line([(frame.left, y), (frame.right(), y)], &stroke(GREY, 1.0).dashed(2.0, 4.0));
            });
        }
        for (limit, label) in &self.labels {
            let label = svg::cut(label, SMALL, frame.right() - frame.left - 6.0);
            canvas.group(&[("class", "limit-label")], |canvas| {
                canvas.text(&label, (frame.left + 6.0, frame.height(*limit) - 13.0), "start", SMALL);
            });
        }
        for &(series, x, limit, aside) in &self.marks {
            let Curve { series, id, .. } = &curves[series];
            let (middle, y) = frame.at((x, limit));
            canvas.group(&[("class", "limit-mark"), ("data-s", id)], |canvas| {
                canvas.marker(series.style, (middle + aside, y), 4.2, false);
            });
        }
    }
}

/// A name below a figure: its distance from the left edge of the plot, and its lines.
struct Name<'n> {
    distance: f64,
    curve: &'n Curve,
    lines: Vec<String>,
}

fn row_height(row: &[Name<'_>]) -> f64 {
    LINE * row.iter().map(|name| name.lines.len()).max().unwrap_or(0) as f64
}

/// Draws names in rows below a plot.
fn draw_rows(canvas: &mut Canvas, rows: &[Vec<Name<'_>>], (left, mut y): (f64, f64)) {
    for row in rows {
        for Name { distance, curve, lines } in row {
            curve.draw_swatch(canvas, (left + distance, y));
            for (index, line) in lines.iter().enumerate() {
                canvas.text(line, (left + distance + SWATCH, y + index as f64 * LINE), "start", LABEL);
            }
        }
        y += row_height(row);
    }
}

#[cfg(test)]
#[path = "draw_tests.rs"]
mod tests;
