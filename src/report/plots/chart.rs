//! The shape that most plots share: something on a logarithmic axis against n, a line per series.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, WHITE};

use super::canvas::{self, Canvas, Caption, Drawn, Font, Point, wrap};
use super::frame::{Frame, PAD, WIDTH};
use super::legend;
use super::style::{FAINT, GREY, SMALL, Style, TITLE};
use crate::report::Unit;

/// Name of the axis of n.
pub const BOARD_SIZE: &str = "n, the size of the board";

const PLOT_HEIGHT: f64 = 420.0;
/// Above a limit there must be room for its label.
const LIMIT_ROOM: u64 = 2;

/// Hollow markers closer than this cannot be told apart.
const CROWDED: f64 = 7.0;

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
    /// A line of its own, instead of one from marker to marker.
    pub fit: Option<Vec<(usize, u64)>>,
}

impl Series {
    /// The last point of the line below all limits: from there on, medians are of the lucky runs.
    fn before_limits(&self) -> Option<(usize, u64)> {
        let first = self.limits.first().map_or(usize::MAX, |&(n, _)| n);
        self.line.iter().copied().take_while(|&(n, _)| n < first).last()
    }
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
    /// Name of the horizontal axis.
    pub across: &'static str,
    /// What stands on it, in a word.
    pub at: &'static str,
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

impl Chart {
    /// The chart as SVG.
    pub fn svg(&self) -> Drawn<String> {
        let title = wrap(&self.title, TITLE, WIDTH - 2.0 * PAD, 3);
        let subtitle = wrap(&self.subtitle, SMALL, WIDTH - 2.0 * PAD, 3);
        let notes: Vec<String> =
            self.notes.iter().flat_map(|note| wrap(note, SMALL, WIDTH - 2.0 * PAD, 4)).collect();
        let names = || self.series.iter().map(|series| series.name.as_slice());
        let head = PAD + 22.0 * title.len() as f64 + 16.0 * subtitle.len() as f64;
        let (top, plot_height) = (head + 28.0, PLOT_HEIGHT.max(legend::height(names())));
        let bottom = top + plot_height;
        let height = bottom + 50.0 + 16.0 * notes.len() as f64 + 12.0;
        let caption = Caption { id: self.id, title: &self.title, description: &self.description() };
        canvas::draw((WIDTH, height), &caption, |canvas| {
            lines(canvas, &title, PAD + 4.0, 22.0, TITLE)?;
            lines(canvas, &subtitle, PAD + 22.0 * title.len() as f64, 16.0, SMALL)?;
            lines(canvas, &notes, bottom + 58.0, 16.0, SMALL)?;
            let places: Vec<(usize, u64)> = self.places().collect();
            let Some(frame) = Frame::of(&places, self.unit, (top, bottom), legend::width(names())) else {
                canvas.rectangle((PAD, head + 10.0), (WIDTH - PAD, bottom), &FAINT)?;
                let middle = (WIDTH / 2.0, f64::midpoint(head, bottom));
                return canvas.text(self.empty, middle, HPos::Center, Font { color: GREY, ..TITLE });
            };
            frame.grid(canvas, self.across, self.axis)?;
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
            let fit = series.fit.iter().flatten();
            series.line.iter().chain(&series.dots).chain(fit).copied().chain(band).chain(limits)
        })
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
            let through = series.fit.as_ref().unwrap_or(&series.line);
            let points: Vec<Point> = through.iter().map(|&place| frame.at(place)).collect();
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

    /// Limits that were reached: a line for each, and side by side the markers of the series that reached
    /// it; their number, where there is no room for all.
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
            let apart = 0.9 * frame.column() / reached.len() as f64;
            let crowded = apart < CROWDED;
            let (middle, y) = frame.at(place);
            for (index, series) in reached.iter().enumerate() {
                let aside = (index as f64 - (reached.len() - 1) as f64 / 2.0) * apart.min(12.0);
                let x = if crowded { middle } else { middle + aside };
                let first = series.limits.first() == Some(&place);
                if let Some(&last) = series.line.last().filter(|last| first && last.0 < place.0) {
                    canvas.dashed(&[frame.at(last), (x, y)], (1.0, 4.0), &series.style.color(), 1.2)?;
                }
                if !crowded {
                    series.style.marker(canvas, (x, y), 4.2, false)?;
                }
            }
            if crowded {
                canvas.dot((middle, y), 10.0, &GREY)?;
                canvas.dot((middle, y), 9.0, &WHITE)?;
                canvas.text(&reached.len().to_string(), (middle, y), HPos::Center, SMALL)?;
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
                tie: series.before_limits().map(|(n, value)| (n, Reverse(value))),
                end: reaches.map(|&end| frame.at(end)),
            });
        }
        legend::draw(canvas, frame.right, (frame.top, frame.bottom), &mut entries)
    }

    /// The chart in words: where each line begins and ends.
    fn description(&self) -> String {
        let mut words = vec![format!("{}.", self.subtitle)];
        if self.series.is_empty() {
            words.push(format!("{}.", self.empty));
        }
        for series in &self.series {
            let show = |(n, value): &(usize, u64)| format!("{} at {} = {n}", self.unit.show(*value), self.at);
            let mut told: Vec<String> = series.line.first().map(show).into_iter().collect();
            told.extend(series.line.last().filter(|_| series.line.len() > 1).map(show));
            if let Some((n, _)) = series.limits.first() {
                told.push(format!("timeout at {} = {n}", self.at));
            }
            words.push(format!("{}: {}.", series.name.join(", "), told.join(", ")));
        }
        words.extend(self.notes.iter().cloned());
        words.join(" ")
    }
}

/// Draws lines of text below each other.
pub fn lines(canvas: &Canvas<'_>, lines: &[String], y: f64, step: f64, font: Font) -> Drawn {
    let mut y = y;
    for line in lines {
        canvas.text(line, (PAD, y), HPos::Left, font)?;
        y += step;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn series(rank: usize, line: &[(usize, u64)], limits: &[(usize, u64)]) -> Series {
        Series {
            name: vec![format!("family/variant-{rank}")],
            style: Style::of_rank(rank),
            dashed: rank % 3 == 1,
            line: line.to_vec(),
            dots: line.to_vec(),
            band: line.iter().map(|&(n, value)| (n, value / 2, value)).collect(),
            limits: limits.to_vec(),
            fit: None,
        }
    }

    fn chart(series: Vec<Series>) -> Chart {
        Chart {
            id: "x",
            title: "a question ".repeat(20),
            subtitle: "what is shown ".repeat(20),
            across: BOARD_SIZE,
            at: "n",
            axis: "time",
            unit: Unit::Time,
            series,
            notes: vec!["a note".to_owned()],
            empty: "nothing",
        }
    }

    /// The numbers of every attribute of this name.
    fn numbers(svg: &str, attribute: &str) -> Vec<f64> {
        let begin = format!(" {attribute}=\"");
        let values = svg.split(&begin).skip(1).filter_map(|rest| rest.split('"').next());
        values.flat_map(|value| value.split([' ', ','])).filter_map(|number| number.parse().ok()).collect()
    }

    /// Lowest and highest of both coordinates of all shapes and anchors lie on the sheet.
    fn is_on_the_sheet(svg: &str) -> bool {
        let sheet = numbers(svg, "viewBox");
        let points = numbers(svg, "points");
        let xs =
            points.iter().step_by(2).copied().chain(["x", "cx"].iter().flat_map(|name| numbers(svg, name)));
        let ys = points
            .iter()
            .skip(1)
            .step_by(2)
            .copied()
            .chain(["y", "cy"].iter().flat_map(|name| numbers(svg, name)));
        let (width, height) = (sheet[2], sheet[3]);
        xs.into_iter().all(|x| (0.0..=width).contains(&x))
            && ys.into_iter().all(|y| (0.0..=height).contains(&y))
    }

    #[test]
    fn a_chart_of_nothing_says_so() {
        let svg = chart(Vec::new()).svg().expect("drawn");
        assert!(svg.contains(">\nnothing\n</text>"), "{svg}");
        assert!(svg.contains("<desc id=\"x-desc\">") && svg.contains("nothing. a note</desc>"), "{svg}");
    }

    #[test]
    fn a_chart_names_its_series_and_its_limit() {
        let svg =
            chart(vec![series(0, &[(4, 1000), (5, 30_000)], &[(6, 10_000_000_000)])]).svg().expect("drawn");
        assert!(svg.contains(">\nfamily/variant-0\n</text>"));
        assert!(svg.contains(">\ntimeout 10 s\n</text>"));
        assert!(svg.contains("family/variant-0: 1 µs at n = 4, 30 µs at n = 5, timeout at n = 6."), "{svg}");
    }

    #[test]
    fn the_slower_of_two_that_timed_out_is_named_first() {
        let limit = [(6, 10_000_000_000), (7, 10_000_000_000)];
        // A lucky run at n = 6 does not make the slow one fast.
        let slow = series(0, &[(4, 1000), (5, 90_000), (6, 5)], &limit);
        let fast = series(1, &[(4, 1000), (5, 30_000)], &limit);
        let svg = chart(vec![fast, slow]).svg().expect("drawn");
        let at = |name: &str| svg.find(&format!(">\n{name}\n")).expect("named");
        assert!(at("family/variant-0") < at("family/variant-1"));
    }

    #[test]
    fn where_markers_would_hide_each_other_their_number_stands() {
        let limit = [(6, 10_000_000_000)];
        let many = (0..40).map(|rank| series(rank, &[(4, 1000), (5, 2000), (15, 3000)], &limit));
        let svg = chart(many.collect()).svg().expect("drawn");
        assert!(svg.contains(">\n40\n</text>"));
    }

    proptest! {
        #[test]
        fn whatever_the_data_all_is_drawn_on_the_sheet(
            all in prop::collection::vec(
                (prop::collection::btree_map(0..40_usize, 0..u64::MAX, 0..8), prop::collection::btree_map(0..40_usize, 0..u64::MAX, 0..3)),
                0..45,
            ),
        ) {
            let series: Vec<Series> = all.into_iter().enumerate().map(|(rank, (line, limits))| {
                series(rank, &line.into_iter().collect::<Vec<_>>(), &limits.into_iter().collect::<Vec<_>>())
            }).collect();
            let svg = chart(series).svg().expect("drawn");
            prop_assert!(is_on_the_sheet(&svg), "{}", svg);
            prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
    }
}
