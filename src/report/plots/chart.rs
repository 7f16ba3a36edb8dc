//! The shape that most plots share: something on a logarithmic axis against n, a line per series.

use std::collections::{BTreeMap, BTreeSet};

use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::axis::{LogAxis, Unit, integer_ticks};
use super::canvas::{self, Canvas, Caption, Drawn, Font, Point, text_width, wrap};
use super::legend;
use super::style::{FAINT, GREY, GRID, LABEL, SMALL, Style, TITLE};

const WIDTH: f64 = 960.0;
const PAD: f64 = 24.0;
const PLOT_HEIGHT: f64 = 420.0;
/// Above a limit there must be room for its label.
const LIMIT_ROOM: u64 = 3;

/// A series: what is known at each n, n ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Its name, and lines that explain it.
    pub name: Vec<String>,
    /// Its look.
    pub style: Style,
    /// Whether its line is dashed.
    pub dashed: bool,
    /// The line and its markers.
    pub line: Vec<(usize, u64)>,
    /// Single observations.
    pub dots: Vec<(usize, u64)>,
    /// From and to: the spread around the line.
    pub band: Vec<(usize, u64, u64)>,
    /// Limits that were reached without an answer: hollow markers.
    pub limits: Vec<(usize, u64)>,
}

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Prefix of the ids inside the SVG.
    pub id: &'static str,
    /// The question.
    pub title: String,
    /// What is shown.
    pub subtitle: String,
    /// Name of the vertical axis.
    pub axis: &'static str,
    /// Unit of the vertical axis.
    pub unit: Unit,
    /// The series.
    pub series: Vec<Series>,
    /// What is to be known about the picture.
    pub notes: Vec<String>,
    /// What is said when there is nothing to show.
    pub empty: &'static str,
}

/// Where values lie on the canvas.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    low: f64,
    high: f64,
    axis: LogAxis,
}

impl Frame {
    fn x(&self, n: usize) -> f64 {
        self.left + (n as f64 - self.low) / (self.high - self.low) * (self.right - self.left)
    }

    fn y(&self, value: u64) -> f64 {
        self.bottom - self.axis.up(value)
    }

    fn at(&self, (n, value): (usize, u64)) -> Point {
        (self.x(n), self.y(value))
    }

    /// Width of one n.
    fn column(&self) -> f64 {
        (self.right - self.left) / (self.high - self.low)
    }
}

impl Chart {
    /// The chart as SVG.
    pub fn svg(&self) -> Drawn<String> {
        let title = wrap(&self.title, TITLE, WIDTH - 2.0 * PAD, 3);
        let subtitle = wrap(&self.subtitle, SMALL, WIDTH - 2.0 * PAD, 3);
        let notes: Vec<String> =
            self.notes.iter().flat_map(|note| wrap(note, SMALL, WIDTH - 2.0 * PAD, 4)).collect();
        let names = || self.series.iter().map(|series| series.name.as_slice());
        let head = PAD + 22.0 * title.len() as f64 + 16.0 * subtitle.len() as f64;
        let (top, plot_height) = (head + 34.0, PLOT_HEIGHT.max(legend::height(names())));
        let bottom = top + plot_height;
        let height = bottom + 50.0 + 16.0 * notes.len() as f64 + 12.0;
        let caption = Caption { id: self.id, title: &self.title, description: &self.description() };
        canvas::draw((WIDTH, height), &caption, |canvas| {
            lines(canvas, &title, PAD + 4.0, 22.0, TITLE)?;
            lines(canvas, &subtitle, PAD + 22.0 * title.len() as f64, 16.0, SMALL)?;
            lines(canvas, &notes, bottom + 58.0, 16.0, SMALL)?;
            let Some(frame) = self.frame(top, bottom, legend::width(names())) else {
                canvas.rectangle((PAD, head + 10.0), (WIDTH - PAD, bottom), &FAINT)?;
                let middle = (WIDTH / 2.0, f64::midpoint(head, bottom));
                return canvas.text(self.empty, middle, HPos::Center, Font { color: GREY, ..TITLE });
            };
            self.grid(canvas, &frame)?;
            self.bands(canvas, &frame)?;
            self.lines(canvas, &frame)?;
            self.hollow(canvas, &frame)?;
            self.names(canvas, &frame)
        })
    }

    /// All that has a place.
    fn places(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.series.iter().flat_map(|series| {
            let band = series.band.iter().flat_map(|&(n, from, to)| [(n, from), (n, to)]);
            let limits = series
                .limits
                .iter()
                .flat_map(|&(n, limit)| [(n, limit), (n, limit.saturating_mul(LIMIT_ROOM))]);
            series.line.iter().chain(&series.dots).copied().chain(band).chain(limits)
        })
    }

    fn frame(&self, top: f64, bottom: f64, legend: f64) -> Option<Frame> {
        let low = self.places().map(|(n, _)| n).min()? as f64;
        let high = self.places().map(|(n, _)| n).max()? as f64;
        let beside = if high > low { (0.035 * (high - low)).max(0.35) } else { 1.0 };
        let axis = LogAxis::of(self.places().map(|(_, value)| value), bottom - top);
        let labels = axis.ticks().into_iter().filter(|tick| tick.labelled);
        let widest = labels.map(|tick| text_width(&self.unit.show(tick.value), LABEL)).fold(0.0, f64::max);
        let (left, right) = (PAD + widest + 8.0, WIDTH - PAD - legend);
        Some(Frame { left, right, top, bottom, low: low - beside, high: high + beside, axis })
    }

    fn grid(&self, canvas: &Canvas<'_>, frame: &Frame) -> Drawn {
        let Frame { left, right, top, bottom, .. } = *frame;
        for tick in frame.axis.ticks() {
            let y = frame.y(tick.value);
            let color = if tick.power { GRID } else { FAINT };
            canvas.line(&[(left, y), (right, y)], &color, if tick.power { 1.0 } else { 0.7 })?;
            if tick.labelled {
                canvas.text(&self.unit.show(tick.value), (left - 8.0, y), HPos::Right, LABEL)?;
            }
        }
        canvas.line(&[(left, bottom), (right, bottom)], &GREY, 1.0)?;
        for n in integer_ticks(frame.low.ceil() as usize, frame.high.floor() as usize) {
            let x = frame.x(n);
            canvas.line(&[(x, bottom), (x, bottom + 5.0)], &GREY, 1.0)?;
            canvas.text(&n.to_string(), (x, bottom + 15.0), HPos::Center, LABEL)?;
        }
        let middle = f64::midpoint(left, right);
        canvas.text("n, the size of the board", (middle, bottom + 35.0), HPos::Center, LABEL)?;
        canvas.text(self.axis, (PAD, top - 12.0), HPos::Left, LABEL)
    }

    fn bands(&self, canvas: &Canvas<'_>, frame: &Frame) -> Drawn {
        for series in &self.series {
            let upper = series.band.iter().map(|&(n, _, to)| frame.at((n, to)));
            let lower = series.band.iter().rev().map(|&(n, from, _)| frame.at((n, from)));
            canvas.polygon(&upper.chain(lower).collect::<Vec<_>>(), &series.style.color().mix(0.18))?;
            for &dot in &series.dots {
                canvas.dot(frame.at(dot), 1.8, &series.style.color().mix(0.45))?;
            }
        }
        Ok(())
    }

    fn lines(&self, canvas: &Canvas<'_>, frame: &Frame) -> Drawn {
        for series in &self.series {
            let points: Vec<Point> = series.line.iter().map(|&place| frame.at(place)).collect();
            if series.dashed {
                canvas.dashed(&points, (5.0, 5.0), &series.style.color(), 1.8)?;
            } else if points.len() > 1 {
                canvas.line(&points, &series.style.color(), 1.8)?;
            }
        }
        for series in &self.series {
            for &place in &series.line {
                series.style.marker(canvas, frame.at(place), 3.8, true)?;
            }
        }
        Ok(())
    }

    /// Limits that were reached: a line for each, and side by side the markers of those that reached it.
    fn hollow(&self, canvas: &Canvas<'_>, frame: &Frame) -> Drawn {
        let all: BTreeSet<u64> =
            self.series.iter().flat_map(|series| series.limits.iter().map(|&(_, limit)| limit)).collect();
        let mut labels: Vec<(f64, String)> = Vec::new();
        for limit in all {
            let y = frame.y(limit);
            canvas.dashed(&[(frame.left, y), (frame.right, y)], (2.0, 4.0), &GREY, 1.0)?;
            let value = self.unit.show(limit);
            match labels.last_mut() {
                Some((below, label)) if *below - y < 16.0 => {
                    (*below, *label) = (y, format!("{label}, {value}"))
                }
                _ => labels.push((y, format!("timeout {value}"))),
            }
        }
        for (y, label) in labels {
            canvas.text(&label, (frame.left + 6.0, y - 13.0), HPos::Left, SMALL)?;
        }
        let mut at_place: BTreeMap<(usize, u64), Vec<&Series>> = BTreeMap::new();
        for series in &self.series {
            for &place in &series.limits {
                at_place.entry(place).or_default().push(series);
            }
        }
        for (place, reached) in at_place {
            let apart = (0.9 * frame.column() / reached.len() as f64).min(12.0);
            for (index, series) in reached.iter().enumerate() {
                let (x, y) = frame.at(place);
                let x = x + (index as f64 - (reached.len() - 1) as f64 / 2.0) * apart;
                let first = series.limits.first() == Some(&place);
                if let Some(&last) = series.line.last().filter(|last| first && last.0 < place.0) {
                    canvas.dashed(&[frame.at(last), (x, y)], (1.0, 4.0), &series.style.color(), 1.2)?;
                }
                series.style.marker(canvas, (x, y), 4.2, false)?;
            }
        }
        Ok(())
    }

    fn names(&self, canvas: &Canvas<'_>, frame: &Frame) -> Drawn {
        let last_n = self.places().map(|(n, _)| n).max();
        let mut entries: Vec<legend::Entry<'_>> = Vec::new();
        for series in &self.series {
            let Some(&last) = series.limits.last().max(series.line.last()) else { continue };
            let reaches =
                series.line.last().filter(|end| Some(end.0) == last_n && series.limits.last() < Some(end));
            entries.push(legend::Entry {
                lines: &series.name,
                style: series.style,
                dashed: series.dashed,
                y: frame.y(last.1),
                end: reaches.map(|&end| frame.at(end)),
            });
        }
        legend::draw(canvas, frame.right, (frame.top, frame.bottom), &mut entries)
    }

    /// The chart in words: where each line begins and ends.
    fn description(&self) -> String {
        let mut words = vec![self.subtitle.clone()];
        if self.series.is_empty() {
            words.push(self.empty.to_owned());
        }
        for series in &self.series {
            let show = |(n, value): &(usize, u64)| format!("{} at n = {n}", self.unit.show(*value));
            let mut told: Vec<String> = series.line.first().map(show).into_iter().collect();
            told.extend(series.line.last().filter(|_| series.line.len() > 1).map(show));
            if let Some((n, _)) = series.limits.first() {
                told.push(format!("timeout at n = {n}"));
            }
            words.push(format!("{}: {}.", series.name.join(", "), told.join(", ")));
        }
        words.extend(self.notes.iter().cloned());
        words.join("\n")
    }
}

fn lines(canvas: &Canvas<'_>, lines: &[String], y: f64, step: f64, font: Font) -> Drawn {
    let mut y = y;
    for line in lines {
        canvas.text(line, (PAD, y), HPos::Left, font)?;
        y += step;
    }
    Ok(())
}
