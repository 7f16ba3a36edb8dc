//! The data of a chart, and the errors in this data.

use crate::format::{Formatter, Plain};
use crate::layout::PictureLayout;
use crate::style::Style;

/// A chart: series of values against a quantity.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The prefix of the ids inside the SVG, unique on its page; characters other than letters, digits, `-` and `_` become `-`.
    pub id: String,
    /// The title.
    pub title: String,
    /// The subtitle, which explains the content and the notation.
    pub subtitle: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Whether larger values are better. This determines the best and the worst series, which are coloured even if there are many series.
    pub more_is_better: bool,
    /// A shaded band of small values that should not be compared.
    pub shade: Option<Shade>,
    /// The series.
    pub series: Vec<Series>,
    /// Remarks below the picture.
    pub notes: Vec<String>,
    /// The caption of a figure in a paper, which explains the marks.
    pub caption: String,
    /// The words for limits and for groups of series.
    pub words: Words,
    /// The layout.
    pub layout: PictureLayout,
}

/// A shaded band with a label, for all values of the vertical axis below a bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Shade {
    /// The bound.
    pub below: f64,
    /// The label of the band.
    pub label: String,
}

/// The words of a chart that depend on the quantity that it shows.
#[derive(Clone, Debug)]
pub struct Words {
    /// The word before the value of a limit, as in `timeout 10 s`.
    pub limit: String,
    /// The word before the value of a rejected observation.
    pub rejected: String,
    /// The word before the value of an observation without a result.
    pub unanswered: String,
    /// The name of the emphasised series, in the remark about many series.
    pub emphasised: String,
    /// The remark about a chart with many series that are coloured by group.
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
    /// The title of the axis.
    pub title: String,
    /// A short name of the quantity for sentences, such as `n` in `n = 8`. Used for the horizontal axis only.
    pub name: String,
    /// The formatter of values.
    pub unit: &'static dyn Formatter,
    /// The scale.
    pub scale: Scale,
}

impl Default for Axis {
    /// A logarithmic axis of plain numbers, with a floor of 1.
    fn default() -> Self {
        let scale = Scale::Log { floor: 1.0 };
        Self { title: String::new(), name: String::new(), unit: &Plain, scale }
    }
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Whole numbers with short ticks. The scale is logarithmic if the numbers are spread unevenly over at least a factor of eight, such
    /// as 8, 10, 12, 50, 100, 200.
    Whole,
    /// A logarithmic scale of at least one decade.
    Log {
        /// The smallest value on the logarithmic scale. All smaller values, including 0, share one separate position at the low end.
        floor: f64,
    },
    /// A linear scale between two values.
    Linear {
        /// The low end.
        low: f64,
        /// The high end.
        high: f64,
    },
}

/// A series of values against an ascending quantity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name of the series, followed by lines that explain it.
    pub name: Vec<String>,
    /// The colour and the marker.
    pub style: Style,
    /// The group of the series, whose members share a colour; empty if it has no group.
    pub group: String,
    /// Whether the series is always coloured, even if there are many series.
    pub is_emphasised: bool,
    /// Whether the series has no separate name in the picture, because another series has the same name and style.
    pub shares_name: bool,
    /// The points (x, y) of the line, which have markers.
    pub line: Vec<(f64, f64)>,
    /// The text of each point of the line, for a script. If empty, the formatted values are used.
    pub labels: Vec<String>,
    /// The x values of points that are not connected with the previous point, because values between them are missing.
    pub interrupted_before: Vec<f64>,
    /// Single observations (x, y).
    pub dots: Vec<(f64, f64)>,
    /// Rejected observations (x, y), such as wrong results, which are drawn as crosses.
    pub rejected: Vec<(f64, f64)>,
    /// Observations (x, y) without a result, which are drawn as question marks. They are not drawn in grey series.
    pub unanswered: Vec<(f64, f64)>,
    /// The spread around the line: (x, low end, high end).
    pub band: Vec<(f64, f64, f64)>,
    /// Observations (x, limit) that reached a limit. They are drawn as outlined markers on the labelled line of the limit.
    pub limits: Vec<(f64, f64)>,
    /// The x values of points with outlined markers.
    pub hollow_at: Vec<f64>,
}

impl Series {
    /// The uninterrupted segments of the line.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &[(f64, f64)]> {
        self.line.chunk_by(|_, (x, _)| !self.interrupted_before.contains(x))
    }

    /// The uninterrupted segments of the band.
    pub(crate) fn band_segments(&self) -> impl Iterator<Item = &[(f64, f64, f64)]> {
        self.band.chunk_by(|(before, ..), (x, ..)| {
            !self.interrupted_before.iter().any(|gap| before < gap && gap <= x)
        })
    }
}

/// The reason why a chart cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlotError {
    /// A value of a series is infinite or not a number.
    #[error("the series '{}' has a value that is infinite or not a number: remove the value", plaintext::one_line(.series))]
    NotFinite {
        /// The name of the series.
        series: String,
    },
    /// The number of labels of a series differs from the number of its points.
    #[error("the series '{}' has {labels} labels for {points} points: give every point a label, or none", plaintext::one_line(.series))]
    Labels {
        /// The name of the series.
        series: String,
        /// The number of labels.
        labels: usize,
        /// The number of points of its line.
        points: usize,
    },
    /// The floor of a logarithmic axis is not a positive number.
    #[error("the floor of a logarithmic axis is {0}: it must be a finite number above 0")]
    Floor(f64),
    /// The low end of a linear axis is not less than the high end, or an end is not a finite number.
    #[error(
        "a linear axis reaches from {low} to {high}: the high end must be a finite number above the low end"
    )]
    Ends {
        /// The low end.
        low: f64,
        /// The high end.
        high: f64,
    },
    /// The exact values could not be written as JSON.
    #[error("cannot convert the values of a chart to JSON: {0}")]
    Json(String),
}

impl Default for Chart {
    /// A chart without series, with whole numbers on the horizontal axis and a logarithmic vertical axis.
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
            layout: PictureLayout::default(),
        }
    }
}

impl Chart {
    /// Whether the chart has content: a line of at least two points, a limit or an observation.
    pub fn has_content(&self) -> bool {
        let has_points = |series: &Series| {
            series.line.len() > 1
                || !series.dots.is_empty()
                || !series.limits.is_empty()
                || !series.rejected.is_empty()
                || !series.unanswered.is_empty()
        };
        self.series.iter().any(has_points)
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
            let marked_points = series.rejected.iter().chain(&series.unanswered).chain(&series.limits);
            let pairs = series.line.iter().chain(&series.dots).chain(marked_points);
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
