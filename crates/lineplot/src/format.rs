//! How values appear: with which digits and which unit.

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
    /// Returns a value for readers, with its unit, as in `1.5 ms`: at ticks, limits and points.
    fn format(&self, value: f64) -> String;

    /// The units that a script has for the ticks of an enlarged picture, ascending: how many times as large as 1 each is, and
    /// what follows its numbers.
    fn steps(&self) -> &[(f64, &str)] {
        &[(1.0, "")]
    }

    /// Returns a value as a decimal number, for the table of [`Chart::pgfplots`](crate::Chart::pgfplots). It may be in another
    /// unit than that of the chart, which [`Formatter::in_title`] names.
    fn in_table(&self, value: f64) -> String {
        value.to_string()
    }

    /// What follows the title of the axis in pgfplots, for example ` in seconds`.
    fn in_title(&self) -> &str {
        ""
    }
}

/// Numbers without a unit, in full.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Formatter for Plain {
    fn format(&self, value: f64) -> String {
        value.to_string()
    }
}
