//! The island: the exact values of a picture as JSON, for a script.

use serde::{Serialize, Serializer};

use crate::chart::{Axis, PlotError, Scale};
use crate::frame::{Frame, Ruler};

/// The exact values of a picture, from which a script can read points and redraw the picture. README.md describes the keys.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Island {
    pub(crate) title: String,
    #[serde(flatten)]
    pub(crate) places: Places,
    pub(crate) series: Vec<SeriesValues>,
}

/// The positions of the values of an island in one picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Places {
    pub(crate) x: PlacedAxis,
    pub(crate) y: PlacedAxis,
    /// The upper end of the shaded band.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "serialize_optional_number")]
    pub(crate) shade: Option<f64>,
    /// The outlined markers at limits in drawing order: series, x and y value, and offset to the right in pixels.
    #[serde(serialize_with = "serialize_quadruples")]
    pub(crate) limits: Vec<(usize, f64, f64, f64)>,
    /// The y values of the lines of limits.
    #[serde(serialize_with = "serialize_numbers")]
    pub(crate) limit_lines: Vec<f64>,
    /// The y values of the labels of limits.
    #[serde(serialize_with = "serialize_numbers")]
    pub(crate) limit_labels: Vec<f64>,
    /// The vertical positions of the names beside the plot, from the top.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "serialize_numbers")]
    pub(crate) names: Vec<f64>,
    /// The horizontal position at which the leader lines of the names end.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "serialize_optional_number")]
    pub(crate) leader_end: Option<f64>,
}

impl Island {
    /// The positions of the values. Only these differ between pictures of the same chart.
    pub fn places(&self) -> &Places {
        &self.places
    }
}

/// An axis with the positions of its ends in the picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct PlacedAxis {
    name: String,
    /// The position of the low end in the picture.
    from: f64,
    /// The position of the high end in the picture.
    to: f64,
    /// The value at the low end; on a logarithmic axis, its decimal logarithm.
    low: f64,
    /// The value at the high end; on a logarithmic axis, its decimal logarithm.
    high: f64,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "serialize_optional_number")]
    floor: Option<f64>,
    /// The position of values below the floor, as a decimal logarithm.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "serialize_optional_number")]
    zero: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    whole: bool,
    #[serde(serialize_with = "serialize_steps")]
    steps: Vec<(f64, String)>,
}

/// The values of a series.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct SeriesValues {
    pub id: String,
    pub name: String,
    #[serde(serialize_with = "serialize_numbers")]
    pub x: Vec<f64>,
    #[serde(serialize_with = "serialize_numbers")]
    pub y: Vec<f64>,
    pub labels: Vec<String>,
    /// The formatted x values; empty for whole numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub x_labels: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "serialize_triples")]
    pub band: Vec<(f64, f64, f64)>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "serialize_pairs")]
    pub dots: Vec<(f64, f64)>,
    /// The indices of the points before which the line is interrupted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<usize>,
    /// The rejected observations.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "serialize_pairs")]
    pub rejected: Vec<(f64, f64)>,
    /// The texts of the rejected observations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejected_labels: Vec<String>,
    /// The observations without a result.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "serialize_pairs")]
    pub unanswered: Vec<(f64, f64)>,
    /// The texts of the observations without a result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unanswered_labels: Vec<String>,
    /// The distance between points with markers: 1 if every point has a marker, 2 if every second point has one, and so on.
    #[serde(skip_serializing_if = "is_one")]
    pub every: usize,
    /// The indices of the points with outlined markers, each of which has two shapes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hollow: Vec<usize>,
}

fn is_one(number: &usize) -> bool {
    *number == 1
}

impl PlacedAxis {
    fn new(axis: &Axis, ruler: &Ruler<'_>, (from, to): (f64, f64)) -> Self {
        Self {
            name: axis.name.clone(),
            from,
            to,
            low: ruler.low,
            high: ruler.high,
            floor: ruler.floor,
            zero: ruler.zero,
            whole: axis.scale == Scale::Whole,
            steps: axis.unit.steps().iter().map(|&(factor, suffix)| (factor, suffix.to_owned())).collect(),
        }
    }

    /// The horizontal and the vertical axis.
    pub fn both((x, y): (&Axis, &Axis), frame: &Frame<'_>) -> (Self, Self) {
        let (left, right, top, bottom) = (frame.left, frame.right(), frame.top(), frame.bottom);
        (Self::new(x, &frame.x_axis, (left, right)), Self::new(y, &frame.y_axis, (bottom, top)))
    }
}

/// Formats a value as JSON for the content of an HTML element `script`. No text in the JSON can end the element.
///
/// # Errors
///
/// The value has no representation in JSON.
pub fn json_for_script(value: &impl Serialize) -> Result<String, PlotError> {
    let json = serde_json::to_string(value).map_err(|error| PlotError::Json(error.to_string()))?;
    Ok(plaintext::json(&json).replace('<', "\\u003c"))
}

/// A number that is written without `.0` if it is whole, to make pages smaller.
struct Number(f64);

/// The largest number up to which all whole numbers are exact 64-bit floating-point numbers.
const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.fract() == 0.0 && self.0.abs() < MAX_EXACT_INTEGER {
            true => serializer.serialize_i64(self.0 as i64),
            false => serializer.serialize_f64(self.0),
        }
    }
}

fn serialize_numbers<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|&value| Number(value)))
}

fn serialize_pairs<S: Serializer>(values: &[(f64, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|&(x, y)| (Number(x), Number(y))))
}

fn serialize_triples<S: Serializer>(values: &[(f64, f64, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|&(x, low, high)| (Number(x), Number(low), Number(high))))
}

fn serialize_quadruples<S: Serializer>(
    values: &[(usize, f64, f64, f64)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let convert =
        |&(series, x, y, offset): &(usize, f64, f64, f64)| (series, Number(x), Number(y), Number(offset));
    serializer.collect_seq(values.iter().map(convert))
}

fn serialize_steps<S: Serializer>(values: &[(f64, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|(factor, suffix)| (Number(*factor), suffix)))
}

fn serialize_optional_number<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    value.map(Number).serialize(serializer)
}
