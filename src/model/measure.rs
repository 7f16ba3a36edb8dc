//! The measures by which runs are compared, and the columns that exist only in tables with runs of users' programs.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::solver::Stat;

/// The prefix of the columns for factors of programs.
const FACTOR_PREFIX: &str = "factor.";

/// The prefix of the columns for statistics that programs print.
const STATISTIC_PREFIX: &str = "stat.";

/// The column of the time that a program reports.
const REPORTED_TIME: &str = "reported_solve_ns";

/// A column that exists only in tables with runs of users' programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramColumn<'a> {
    /// `factor.NAME`: the value of a factor.
    Factor(&'a str),
    /// `stat.NAME`: a statistic that the program prints.
    Statistic(&'a str),
}

impl<'a> ProgramColumn<'a> {
    /// Parses the name of a column; `None` if the column has neither prefix. The part after the dot is not checked, see
    /// [`is_name`].
    pub fn of(column: &'a str) -> Option<Self> {
        let factor = column.strip_prefix(FACTOR_PREFIX).map(Self::Factor);
        factor.or_else(|| column.strip_prefix(STATISTIC_PREFIX).map(Self::Statistic))
    }

    /// The part of the column's name after the dot.
    pub fn name(self) -> &'a str {
        let (Self::Factor(name) | Self::Statistic(name)) = self;
        name
    }
}

impl fmt::Display for ProgramColumn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Factor(name) => write!(f, "{FACTOR_PREFIX}{name}"),
            Self::Statistic(name) => write!(f, "{STATISTIC_PREFIX}{name}"),
        }
    }
}

/// The maximum length of the name of a factor or statistic of a program, in bytes.
pub const MAX_NAME_BYTES: usize = 64;

/// Whether a text is a valid name of a factor or statistic of a program: up to [`MAX_NAME_BYTES`] letters, digits, `-` and `_`.
pub fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.chars().all(is_plain)
}

/// A property by which runs can be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// The time of encoding and solving.
    #[default]
    Time,
    /// The wall time of the whole process.
    Wall,
    /// The time that a program reports.
    Reported,
    /// The number of solutions.
    Solutions,
    /// A statistic that built-in solvers have, or a statistic of the same name that a program prints.
    Statistic(Stat),
    /// Any other statistic that a program prints.
    ProgramStatistic(String),
}

/// The text does not name a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown measure; choose one of {}", Measure::names().collect::<Vec<_>>().join(", "))]
pub struct MeasureError;

impl Measure {
    /// The texts of all measures except the statistics that only programs print.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ["time", "wall", REPORTED_TIME, "solutions"]
            .into_iter()
            .chain(Stat::ALL.iter().map(|stat| stat.name()))
    }

    /// Whether the measure is a time.
    pub fn is_time(&self) -> bool {
        matches!(self, Self::Time | Self::Wall | Self::Reported)
    }

    /// The name of the statistic; `None` if the measure is not a statistic.
    pub fn statistic(&self) -> Option<&str> {
        match self {
            Self::Statistic(stat) => Some(stat.name()),
            Self::ProgramStatistic(name) => Some(name),
            Self::Time | Self::Wall | Self::Reported | Self::Solutions => None,
        }
    }
}

impl FromStr for Measure {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Self, MeasureError> {
        Ok(match (text, ProgramColumn::of(text), Stat::named(text)) {
            ("time", ..) => Self::Time,
            ("wall", ..) => Self::Wall,
            (REPORTED_TIME, ..) => Self::Reported,
            ("solutions", ..) => Self::Solutions,
            (_, Some(ProgramColumn::Statistic(name)), _) if !name.is_empty() => {
                Self::ProgramStatistic(name.to_owned())
            }
            (_, _, Some(stat)) => Self::Statistic(stat),
            _ => return Err(MeasureError),
        })
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time => f.write_str("time"),
            Self::Wall => f.write_str("wall"),
            Self::Reported => f.write_str(REPORTED_TIME),
            Self::Solutions => f.write_str("solutions"),
            Self::Statistic(stat) => f.write_str(stat.name()),
            Self::ProgramStatistic(name) => ProgramColumn::Statistic(name).fmt(f),
        }
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_measure_parses_to_the_same_measure() {
        for text in Measure::names().chain(["stat.nodes", "stat.zdd-size"]) {
            let measure: Measure = text.parse().expect(text);
            assert_eq!(measure.to_string(), text);
            assert_eq!(measure.is_time(), ["time", "wall", "reported_solve_ns"].contains(&text), "{text}");
            assert_eq!(measure.statistic().is_none(), measure.is_time() || text == "solutions", "{text}");
        }
        for text in ["", "speed", "stat.", "factor.h", "Time"] {
            assert_eq!(text.parse::<Measure>(), Err(MeasureError), "{text}");
        }
    }

    #[test]
    fn program_columns_are_distinguished_by_their_prefix() {
        assert_eq!(ProgramColumn::of("factor.h"), Some(ProgramColumn::Factor("h")));
        assert_eq!(ProgramColumn::of("stat.a.b"), Some(ProgramColumn::Statistic("a.b")));
        assert_eq!([ProgramColumn::of("status"), ProgramColumn::of("factor")], [None; 2]);
        assert_eq!(ProgramColumn::Statistic("x").to_string(), "stat.x");
    }
}
