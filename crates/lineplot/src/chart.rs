//! A chart as data, and what is wrong with it.

use crate::format::{Formatter, Plain};
use crate::look::Look;
use crate::style::Style;

/// A chart: series of values against a quantity.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The prefix of the ids inside the SVG, unique on its page; characters other than letters, digits, `-` and `_` become `-`.
    pub id: String,
    /// The title.
    pub title: String,
    /// What the chart shows, and how.
    pub subtitle: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Whether larger values are better. Of many series, only the best, the worst and the emphasised ones are in colour.
    pub more_is_better: bool,
    /// Small values that are not to be compared.
    pub shade: Option<Shade>,
    /// The series.
    pub series: Vec<Series>,
    /// Remarks below the picture.
    pub notes: Vec<String>,
    /// What the marks mean, for the caption of a figure in a paper.
    pub caption: String,
    /// The words for limits and groups of series.
    pub words: Words,
    /// The layout.
    pub look: Look,
}

/// The values of the vertical axis below a bound, which lie in a shaded band with a label.
#[derive(Clone, Debug, PartialEq)]
pub struct Shade {
    /// The bound.
    pub below: f64,
    /// The label of the band.
    pub label: String,
}

/// The words of a chart that depend on what it shows.
#[derive(Clone, Debug)]
pub struct Words {
    /// A limit, in front of its value, as in `timeout 10 s`.
    pub limit: String,
    /// An observation that is rejected, in front of its value.
    pub rejected: String,
    /// An observation without a result, in front of its value.
    pub unanswered: String,
    /// The emphasised series, in the remark about many series.
    pub emphasised: String,
    /// The remark about a chart with many series whose colours are those of their groups.
    pub grouped: String,
}

impl Default for Words {
    fn default() -> Self {
        Self {
            limit: "limit".to_owned(),
            rejected: "rejected".to_owned(),
            unanswered: "no result".to_owned(),
            emphasised: "the emphasised series".to_owned(),
            grouped: "One colour for each group of series.".to_owned(),
        }
    }
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its title.
    pub title: String,
    /// The quantity in a word, for sentences: `n = 8` if it is `n`. Used of the horizontal axis.
    pub name: String,
    /// How values appear.
    pub unit: &'static dyn Formatter,
    /// Where values are.
    pub scale: Scale,
}

impl Default for Axis {
    /// A logarithmic axis of plain numbers of at least 1.
    fn default() -> Self {
        let scale = Scale::Log { floor: 1.0 };
        Self { title: String::new(), name: String::new(), unit: &Plain, scale }
    }
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Whole numbers with short ticks. It is logarithmic where they are spread unevenly over at least a factor of eight, as 8,
    /// 10, 12, 50, 100, 200.
    Whole,
    /// Logarithmic, with at least a decade.
    Log {
        /// The smallest value on the logarithmic scale. Smaller ones, which include 0, have one place, apart from the others, at the
        /// low end.
        floor: f64,
    },
    /// Linear between two values.
    Linear {
        /// The low end.
        low: f64,
        /// The high end.
        high: f64,
    },
}

/// A series: values against a quantity that ascends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name, and lines that explain it.
    pub name: Vec<String>,
    /// Its colour and marker.
    pub style: Style,
    /// The group whose series share its colour; empty if there is none.
    pub group: String,
    /// Whether it is in colour, however many series there are.
    pub is_emphasised: bool,
    /// Whether another series, with the same name and style, names it.
    pub is_part: bool,
    /// The line and its markers: places on both axes.
    pub line: Vec<(f64, f64)>,
    /// The text of each point of the line, for a script. If there is none, it is the formatted value.
    pub labels: Vec<String>,
    /// The places on the horizontal axis where the line begins anew: what lies before them was not measured.
    pub interrupted_before: Vec<f64>,
    /// Single observations.
    pub dots: Vec<(f64, f64)>,
    /// Observations that do not count, such as wrong results, each with a cross.
    pub rejected: Vec<(f64, f64)>,
    /// Observations that ended without a result, each with a question mark. They are not drawn in grey series.
    pub unanswered: Vec<(f64, f64)>,
    /// The spread around the line: a place on the horizontal axis, the low and the high end.
    pub band: Vec<(f64, f64, f64)>,
    /// Limits that were reached: outlines of markers, on a labelled line for each limit.
    pub limits: Vec<(f64, f64)>,
    /// The places on the horizontal axis where its markers are outlines.
    pub hollow_at: Vec<f64>,
}

impl Series {
    /// The pieces of its line.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &[(f64, f64)]> {
        self.line.chunk_by(|_, (x, _)| !self.interrupted_before.contains(x))
    }

    /// The pieces of its band.
    pub(crate) fn band_pieces(&self) -> impl Iterator<Item = &[(f64, f64, f64)]> {
        self.band.chunk_by(|(before, ..), (x, ..)| {
            !self.interrupted_before.iter().any(|place| before < place && place <= x)
        })
    }
}

/// Why a chart cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlotError {
    /// A value of a series is infinite or not a number.
    #[error("the series '{}' has a value that is infinite or not a number: leave it out", plaintext::one_line(.series))]
    NotFinite {
        /// The name of the series.
        series: String,
    },
    /// A series has texts for some of its points only.
    #[error("the series '{}' has {labels} texts for {points} points: give all of them a text, or none", plaintext::one_line(.series))]
    Labels {
        /// The name of the series.
        series: String,
        /// The number of texts.
        labels: usize,
        /// The number of points of its line.
        points: usize,
    },
    /// The smallest value of a logarithmic axis is not a positive number.
    #[error("a logarithmic axis begins at {0}: its smallest value must be a number above 0")]
    Floor(f64),
    /// The ends of a linear axis are not two numbers, the low one first.
    #[error("a linear axis reaches from {low} to {high}: the high end must be a number above the low end")]
    Ends {
        /// The low end.
        low: f64,
        /// The high end.
        high: f64,
    },
    /// The exact values could not be written as JSON.
    #[error("the values of a chart as JSON: {0}")]
    Json(String),
}

impl Default for Chart {
    /// A chart without series, whose horizontal axis has whole numbers and whose vertical axis is logarithmic.
    fn default() -> Self {
        Self {
            id: "chart".to_owned(),
            title: String::new(),
            subtitle: String::new(),
            x: Axis { scale: Scale::Whole, ..Axis::default() },
            y: Axis::default(),
            more_is_better: false,
            shade: None,
            series: Vec::new(),
            notes: Vec::new(),
            caption: String::new(),
            words: Words::default(),
            look: Look::default(),
        }
    }
}

impl Chart {
    /// Whether there is a line of two points, a limit or an observation.
    pub fn shows_something(&self) -> bool {
        let shows = |series: &Series| {
            series.line.len() > 1
                || !series.dots.is_empty()
                || !series.limits.is_empty()
                || !series.rejected.is_empty()
                || !series.unanswered.is_empty()
        };
        self.series.iter().any(shows)
    }

    /// Checks that the chart can be drawn.
    pub(crate) fn check(&self) -> Result<(), PlotError> {
        for axis in [&self.x, &self.y] {
            match axis.scale {
                Scale::Log { floor } if !(floor > 0.0 && floor.is_finite()) => {
                    return Err(PlotError::Floor(floor));
                }
                Scale::Linear { low, high } if !(low < high && (high - low).is_finite()) => {
                    return Err(PlotError::Ends { low, high });
                }
                _ => {}
            }
        }
        for series in &self.series {
            let name = || series.name.join(", ");
            let marked = series.rejected.iter().chain(&series.unanswered).chain(&series.limits);
            let pairs = series.line.iter().chain(&series.dots).chain(marked);
            let band = series.band.iter().flat_map(|&(x, low, high)| [x, low, high]);
            let mut values = pairs
                .flat_map(|&(x, y)| [x, y])
                .chain(band)
                .chain(series.hollow_at.iter().chain(&series.interrupted_before).copied());
            if values.any(|value| !value.is_finite()) {
                return Err(PlotError::NotFinite { series: name() });
            }
            let (labels, points) = (series.labels.len(), series.line.len());
            if labels != 0 && labels != points {
                return Err(PlotError::Labels { series: name(), labels, points });
            }
        }
        Ok(())
    }
}
