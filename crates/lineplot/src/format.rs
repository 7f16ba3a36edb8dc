//! Formatters of values, which determine the digits and the unit.

use std::fmt::Debug;

/// Formats the values of an axis.
///
/// ```
/// use lineplot::Formatter;
///
/// #[derive(Debug)]
/// struct Bytes;
///
/// impl Formatter for Bytes {
///     fn format(&self, value: f64) -> String {
///         if value < 1000.0 { format!("{value:.0} B") } else { format!("{:.1} kB", value / 1000.0) }
///     }
///
///     fn steps(&self) -> &[(f64, &str)] {
///         &[(1.0, " B"), (1000.0, " kB")]
///     }
/// }
///
/// assert_eq!(Bytes.format(1500.0), "1.5 kB");
/// ```
pub trait Formatter: Debug + Send + Sync {
    /// Formats a value with its unit, as in `1.5 ms`, for ticks, limits and points.
    fn format(&self, value: f64) -> String;

    /// The units for the ticks of an enlarged picture in a script, in ascending order: the size of each unit, and the text after numbers
    /// in this unit.
    fn steps(&self) -> &[(f64, &str)] {
        &[(1.0, "")]
    }

    /// Formats a value as a decimal number for the table of [`Chart::pgfplots`](crate::Chart::pgfplots). The unit may differ from the
    /// unit of the chart; [`Formatter::in_title`] names it.
    fn in_table(&self, value: f64) -> String {
        value.to_string()
    }

    /// The text after the title of the axis in pgfplots, for example ` in seconds`.
    fn in_title(&self) -> &str {
        ""
    }
}

/// Formats numbers without a unit and with all digits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Formatter for Plain {
    fn format(&self, value: f64) -> String {
        value.to_string()
    }
}
