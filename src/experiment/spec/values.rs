//! Values of settings: each is read from a text, in TOML and on the command line, and printed as that text.

use std::fmt::{self, Display};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use crate::board::problem::Variant;
use crate::experiment::axis::Axis;
use crate::sat;
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
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().filter(|number| (LOW..=HIGH).contains(number));
        number.map(Self).ok_or_else(|| format!("must be a whole number from {LOW} to {HIGH}"))
    }
}

impl<const LOW: u64, const HIGH: u64> Display for Bounded<LOW, HIGH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A duration greater than zero: `500ms`, `10s`, `5m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time(pub Duration);

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse_duration(text).map(Self)
    }
}

/// Parses a duration greater than zero: `500ms`, `10s`, `5m`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(format!("'{text}' is not a duration greater than zero: write 500ms, 10s or 5m")),
    }
}

impl Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_duration(self.0).fmt(f)
    }
}

/// A number of bytes greater than zero: `512MiB`, `2GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory(pub u64);

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<bytesize::ByteSize>() {
            Ok(size) if size.as_u64() > 0 => Ok(Self(size.as_u64())),
            _ => Err(format!("'{text}' is not a memory size greater than zero: write 512MiB or 2GiB")),
        }
    }
}

impl Display for Memory {
    /// The largest unit in which it is a whole number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        let unit = units.into_iter().find(|(bytes, _)| self.0.is_multiple_of(*bytes));
        let (bytes, name) = unit.unwrap_or((1, "B"));
        write!(f, "{}{name}", self.0 / bytes)
    }
}

/// Texts, one per line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines(pub Vec<String>);

impl FromStr for Lines {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self(text.lines().map(str::to_owned).collect()))
    }
}

impl Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

/// The texts of problems, one per line. What follows the name of a variant depends on the size of the board and is checked
/// with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variants(pub Vec<String>);

impl FromStr for Variants {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let check = |text: &str| match text.split(';').next() {
            Some("regions") => Ok(text.to_owned()),
            name => Variant::from_str(name.unwrap_or_default()).map(|_| text.to_owned()),
        };
        text.lines().map(check).collect::<Result<_, _>>().map(Self)
    }
}

impl Display for Variants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

/// Exit codes that mean success, one per line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitCodes(pub Vec<i32>);

impl FromStr for ExitCodes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let code = |word: &str| word.parse().ok().filter(|code| (0..=255).contains(code));
        let codes: Option<Vec<i32>> = text.lines().map(code).collect();
        codes
            .filter(|codes| !codes.is_empty())
            .map(Self)
            .ok_or_else(|| "give at least one exit code from 0 to 255, as in [0, 10, 20]".to_owned())
    }
}

impl Display for ExitCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().map(i32::to_string).collect::<Vec<_>>().join("\n"))
    }
}

impl FromStr for Axis<Goal> {
    type Err = String;

    /// Reads goals: `first,count`.
    fn from_str(text: &str) -> Result<Self, String> {
        Axis::read(text, Goal::from_str)
    }
}

impl FromStr for Axis<usize> {
    type Err = String;

    /// Reads numbers of threads: `1,2`. No machine has more CPUs than a [`crate::experiment::cpus::CpuList`] can have.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |word: &str| word.parse::<Bounded<1, 1024>>().map(|number| number.0);
        Ok(Axis::read_numbers(text, number)?.map(|number| usize::try_from(number).unwrap_or(1024)))
    }
}

impl FromStr for Axis<u64> {
    type Err = String;

    /// Reads seeds: `1-50`.
    fn from_str(text: &str) -> Result<Self, String> {
        Axis::read_numbers(text, |word| {
            word.parse().map_err(|_| {
                format!("'{word}' is not a seed: write a whole number from 0, or a range such as 1-50")
            })
        })
    }
}

/// Turns the stem of a path into a name that [`super::Spec`] accepts.
pub fn as_file_name(path: &Path) -> String {
    let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    let allowed = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = stem.chars().map(allowed).collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    if name.is_empty() { "program".to_owned() } else { name.to_owned() }
}

/// Checks that a name is safe as a file name: letters, digits, `-`, `_` and `.`, beginning with a letter or digit.
pub(super) fn is_file_name(name: &str) -> Result<(), String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.chars().all(allowed) && name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return Ok(());
    }
    Err(format!(
        "'{name}' is not a valid name: use letters, digits, '-', '_' and '.', and begin with a letter or digit"
    ))
}

/// Checks a part of SAT solver ids: a file name that is not that of a built-in solver.
pub(super) fn is_sat_name(name: &str) -> Result<(), String> {
    if name != super::EXTERNAL && sat::backend::ALL.iter().any(|backend| backend.name == name) {
        return Err(format!("'{name}' is a built-in SAT solver: choose another id"));
    }
    is_file_name(name)
}

pub(super) fn is_notation(name: &str) -> Result<(), String> {
    if name == "auto" {
        return Ok(());
    }
    name.parse::<crate::judge::notation::Notation>().map(drop).map_err(|error| error.to_string())
}
