//! The values of settings. Each is parsed from the same text in TOML and on the command line, and printed in a form that can be
//! parsed again.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

use super::axis::AxisValues;
use super::value_error::ValueError;
use crate::board::ProblemError;
use crate::board::problem::Problem;
use crate::solver::Goal;

/// A whole number from `LOW` to `HIGH`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounded<const LOW: u64, const HIGH: u64>(pub u64);

impl<const LOW: u64, const HIGH: u64> Bounded<LOW, HIGH> {
    /// The number.
    pub fn as_usize(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<const LOW: u64, const HIGH: u64> FromStr for Bounded<LOW, HIGH> {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let number = text.parse().ok().filter(|number| (LOW..=HIGH).contains(number));
        number.map(Self).ok_or(ValueError::NotBetween { low: LOW, high: HIGH })
    }
}

impl<const LOW: u64, const HIGH: u64> Display for Bounded<LOW, HIGH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A duration greater than zero: `500ms`, `10s`, `5m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositiveDuration(pub Duration);

impl FromStr for PositiveDuration {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        parse_duration(text).map(Self)
    }
}

/// The length of a year of 365.25 days, in seconds.
const SECONDS_PER_YEAR: u64 = 31_557_600;

/// The maximum duration: 100 years. In nanoseconds, the sum of five such durations fits in `u64`.
const MAX_DURATION: Duration = Duration::from_secs(100 * SECONDS_PER_YEAR);

/// Parses a duration greater than zero: `500ms`, `10s`, `5m`.
///
/// # Errors
///
/// The text is not a duration, or the duration is zero or longer than 100 years.
pub fn parse_duration(text: &str) -> Result<Duration, ValueError> {
    match humantime::parse_duration(text) {
        Ok(duration) if duration > MAX_DURATION => Err(ValueError::TooLong {
            text: text.to_owned(),
            years: MAX_DURATION.as_secs() / SECONDS_PER_YEAR,
        }),
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(ValueError::NotADuration(text.to_owned())),
    }
}

impl Display for PositiveDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_duration(self.0).fmt(f)
    }
}

/// The maximum memory size.
const MAX_MEMORY: bytesize::ByteSize = bytesize::ByteSize::eib(1);

/// A number of bytes greater than zero: `512MiB`, `2GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory(pub u64);

impl FromStr for Memory {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        match text.parse::<bytesize::ByteSize>() {
            // `bytesize` parses all sizes above `u64::MAX` bytes as `u64::MAX` bytes.
            Ok(size) if size > MAX_MEMORY => {
                Err(ValueError::TooMuchMemory { text: text.to_owned(), max: MAX_MEMORY })
            }
            Ok(size) if size.as_u64() > 0 => Ok(Self(size.as_u64())),
            _ => Err(ValueError::NotAMemorySize(text.to_owned())),
        }
    }
}

impl Display for Memory {
    /// Prints a whole number of the largest unit, up to GiB, that divides the size.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        let unit = units.into_iter().find(|(bytes, _)| self.0.is_multiple_of(*bytes));
        let (bytes, name) = unit.unwrap_or((1, "B"));
        write!(f, "{}{name}", self.0 / bytes)
    }
}

/// The texts of problems, one per line. Parsing checks only the names of the variants. The extra squares are checked when the
/// board size is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variants(pub Vec<String>);

impl FromStr for Variants {
    type Err = ProblemError;

    fn from_str(text: &str) -> Result<Self, ProblemError> {
        let checked_text = |text: &str| Problem::check_name(text).map(|()| text.to_owned());
        text.lines().map(checked_text).collect::<Result<_, _>>().map(Self)
    }
}

impl Display for Variants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl FromStr for AxisValues<Goal> {
    type Err = ValueError;

    /// Parses goals: `first,count`.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        AxisValues::read(text, |item| Ok(Goal::from_str(item)?))
    }
}

impl FromStr for AxisValues<usize> {
    type Err = ValueError;

    /// Parses numbers of threads: `1,2`. The maximum is that of a [`CpuList`](super::CpuList).
    fn from_str(text: &str) -> Result<Self, ValueError> {
        let parse = |item: &str| item.parse::<Bounded<1, 1024>>().map(|number| number.0);
        Ok(AxisValues::read_numbers(text, parse)?.map(|number| usize::try_from(number).unwrap_or(1024)))
    }
}

impl FromStr for AxisValues<u64> {
    type Err = ValueError;

    /// Parses seeds: `1-50`.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        AxisValues::read_numbers(text, |item| item.parse().map_err(|_| ValueError::NotASeed(item.to_owned())))
    }
}
