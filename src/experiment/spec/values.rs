//! Parsers of single values, for specs and for the command line. An error says what to write.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use crate::board::BoardSize;
use crate::board::problem::Variant;
use crate::board::sizes::Sizes;
use crate::experiment::axis::Axis;
use crate::sat;
use crate::solver::Goal;

/// Parses the goals of a sweep, for example `first,count`.
pub fn goals(text: &str) -> Result<Axis<Goal>, String> {
    Axis::read(text, Goal::from_str)
}

/// Parses numbers of threads, for example `1,2`.
pub fn threads(text: &str) -> Result<Axis<usize>, String> {
    let number = |word: &str| at_most_1024::<u64>(word);
    Ok(Axis::read_numbers(text, number)?.map(|number| usize::try_from(number).unwrap_or(1024)))
}

/// Parses seeds, for example `1-50`.
pub fn seeds(text: &str) -> Result<Axis<u64>, String> {
    Axis::read_numbers(text, |word| {
        word.parse().map_err(|_| {
            format!("'{word}' is not a seed: write a whole number from 0, or a range such as 1-50")
        })
    })
}

/// Parses the texts of problems, one per line. What follows the name depends on the size of the board.
pub(super) fn variants(text: &str) -> Result<Vec<String>, String> {
    let check = |text: &str| match text.split(';').next() {
        Some("regions") => Ok(text.to_owned()),
        name => Variant::from_str(name.unwrap_or_default()).map(|_| text.to_owned()),
    };
    text.lines().map(check).collect()
}

/// The patterns of instances, one per line.
pub(super) fn patterns(text: &str) -> Result<Vec<String>, String> {
    Ok(text.lines().map(str::to_owned).collect())
}

/// Parses exit codes, one per line.
pub(super) fn exit_codes(text: &str) -> Result<Vec<i32>, String> {
    let code = |word: &str| word.parse().ok().filter(|code| (0..=255).contains(code));
    let codes: Option<Vec<i32>> = text.lines().map(code).collect();
    codes.filter(|codes| !codes.is_empty()).ok_or_else(|| {
        "accept_exit_codes: give at least one exit code from 0 to 255, as in [0, 10, 20]".to_owned()
    })
}

pub(super) fn not_in_sweep(n: BoardSize, sweep: &Sizes) -> String {
    format!("n = {n} is not among the sizes of the sweep ({sweep}): extend sweep.n or restrict this n")
}

/// Turns the stem of a path into a name that [`super::Spec`] accepts.
pub fn as_file_name(path: &Path) -> String {
    let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    let allowed = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = stem.chars().map(allowed).collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    if name.is_empty() { "program".to_owned() } else { name.to_owned() }
}

/// Checks that a name is safe as a file name: letters, digits, `-`, `_` and `.`, beginning with a letter or
/// digit.
pub(super) fn is_file_name(name: &str) -> Result<String, String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.chars().all(allowed) && name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        Ok(name.to_owned())
    } else {
        Err(format!(
            "'{name}' is not a valid name: use letters, digits, '-', '_' and '.', and begin with a letter or digit"
        ))
    }
}

/// Checks a part of SAT solver ids: a file name that is not that of a built-in solver.
pub(super) fn is_sat_name(name: &str) -> Result<String, String> {
    if sat::backend::ALL.iter().any(|backend| backend.name == name) {
        return Err(format!("'{name}' is a built-in SAT solver: choose another id"));
    }
    is_file_name(name)
}

pub(super) fn is_notation(name: &str) -> Result<String, String> {
    if name != "auto" {
        name.parse::<crate::judge::notation::Notation>().map_err(|error| error.to_string())?;
    }
    Ok(name.to_owned())
}

/// Parses a whole number of at least 1.
pub fn at_least_one<T: FromStr + PartialOrd + From<u16>>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| *number >= T::from(1));
    number.ok_or_else(|| "must be a whole number from 1".to_owned())
}

/// Parses a number of threads or of parallel jobs: no machine has more CPUs than a [`crate::experiment::cpus::CpuList`] can have.
pub fn at_most_1024<T: FromStr + PartialOrd + From<u16>>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (T::from(1)..=T::from(1024)).contains(number));
    number.ok_or_else(|| "must be a whole number from 1 to 1024".to_owned())
}

/// Parses a duration greater than zero: `500ms`, `10s`, `5m`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(format!("'{text}' is not a duration greater than zero: write 500ms, 10s or 5m")),
    }
}

/// Parses a number of bytes greater than zero: `512MiB`, `2GiB`.
pub fn parse_memory(text: &str) -> Result<u64, String> {
    match text.parse::<bytesize::ByteSize>() {
        Ok(size) if size.as_u64() > 0 => Ok(size.as_u64()),
        _ => Err(format!("'{text}' is not a memory size greater than zero: write 512MiB or 2GiB")),
    }
}
