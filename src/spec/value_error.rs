//! Why a text is not a value of an experiment.

use crate::board::SizeError;
use crate::solver::UnknownGoal;

/// Why a text is not a value of an experiment, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// A number outside its range, or no number.
    #[error("must be a whole number from {low} to {high}")]
    NotBetween {
        /// The smallest number.
        low: u64,
        /// The largest number.
        high: u64,
    },
    /// No duration, or one of zero.
    #[error("'{0}' is not a duration greater than zero: write 500ms, 10s or 5m")]
    NotADuration(String),
    /// A longer duration than files and clocks can hold.
    #[error("'{text}' is more than {years} years: write a shorter time")]
    TooLong {
        /// The duration.
        text: String,
        /// The maximum in years.
        years: u64,
    },
    /// No memory size, or one of zero.
    #[error("'{0}' is not a memory size greater than zero: write 512MiB or 2GiB")]
    NotAMemorySize(String),
    /// A larger memory size than any machine has.
    #[error("'{text}' is more than {max}, which no machine has: write a smaller size")]
    TooMuchMemory {
        /// The size.
        text: String,
        /// The maximum.
        max: bytesize::ByteSize,
    },
    /// Not a seed.
    #[error("'{0}' is not a seed: write a whole number from 0, or a range such as 1-50")]
    NotASeed(String),
    /// A range whose first number is larger than its last one.
    #[error("the range {range} is empty: write {last}-{first}")]
    EmptyRange {
        /// The range.
        range: String,
        /// Its first number.
        first: u64,
        /// Its last number.
        last: u64,
    },
    /// A range of too many values.
    #[error("the range {range} has more than {max} values")]
    LongRange {
        /// The range.
        range: String,
        /// The maximum.
        max: u64,
    },
    /// Too many values.
    #[error("the list has more than {max} values")]
    LongList {
        /// The maximum.
        max: u64,
    },
    /// Not a bound of a claim.
    #[error("'{0}' is not a bound: write \"< 1\", \"<= 1\", \"> 2\", \">= 2\" or a range as in \"5.2-5.8\"")]
    NotABound(String),
    /// Not a goal.
    #[error(transparent)]
    Goal(#[from] UnknownGoal),
    /// Not a list of sizes.
    #[error(transparent)]
    Sizes(#[from] SizeError),
    /// Lines of which only some have a goal.
    #[error("write sizes for each goal: n = {{ count = \"4-12\", first = \"4-32\" }}")]
    SizesWithoutGoal,
}

/// Why a text is not a name, or a command has something else than placeholders in braces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The name of a file would be too long.
    #[error("a name of {bytes} bytes is too long: use at most {max}")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The maximum.
        max: usize,
    },
    /// A character that names of files do not have.
    #[error(
        "'{0}' is not a valid name: use letters, digits, '-', '_' and '.', and begin with a letter or digit"
    )]
    Invalid(String),
    /// `{cnf}` in the command of a program that gets no formula.
    #[error("{{cnf}} is for [[sat]] and [[counter]]; here, write a script that calls {{queenlab}} encode")]
    NoFormula,
    /// An unknown placeholder.
    #[error(
        "unknown placeholder {{{name}}}; {near}the placeholders here are {placeholders}; put a command that needs other braces into a \
         script"
    )]
    UnknownPlaceholder {
        /// The name in braces.
        name: String,
        /// A sentence with a similar one, if there is one.
        near: String,
        /// Those that there are.
        placeholders: String,
    },
}
