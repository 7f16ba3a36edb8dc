//! The errors of texts that are not values of an experiment.

use crate::board::SizeError;
use crate::solver::UnknownGoal;

/// The reason why a text is not a value of an experiment, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// Not an integer, or outside the range.
    #[error("must be a whole number from {low} to {high}")]
    NotBetween {
        /// The minimum.
        low: u64,
        /// The maximum.
        high: u64,
    },
    /// Not a duration, or zero.
    #[error("'{0}' is not a duration greater than zero: write 500ms, 10s or 5m")]
    NotADuration(String),
    /// A duration above the maximum.
    #[error("'{text}' is more than {years} years: write a shorter time")]
    TooLong {
        /// The duration.
        text: String,
        /// The maximum in years.
        years: u64,
    },
    /// Not a memory size, or zero.
    #[error("'{0}' is not a memory size greater than zero: write 512MiB or 2GiB")]
    NotAMemorySize(String),
    /// A memory size above the maximum.
    #[error("'{text}' is more memory than any machine has: write at most {max}")]
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
        /// The first number.
        first: u64,
        /// The last number.
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
    /// Only some of the lines begin with a goal.
    #[error("write sizes for each goal: n = {{ count = \"4-12\", first = \"4-32\" }}")]
    SizesWithoutGoal,
}

/// The reason why a name or a placeholder is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The name is too long for a file name.
    #[error("a name of {bytes} bytes is too long: use at most {max}")]
    TooLong {
        /// The length of the name in bytes.
        bytes: usize,
        /// The maximum.
        max: usize,
    },
    /// The name contains an invalid character, or does not begin with a letter or digit.
    #[error(
        "'{0}' is not a valid name: use letters, digits, '-', '_' and '.', and begin with a letter or digit"
    )]
    Invalid(String),
    /// `{cnf}` in the command of a program that does not read a formula.
    #[error("only [[sat]] and [[counter]] have {{cnf}}: write a script that calls {{queenlab}} encode")]
    NoFormula,
    /// An unknown placeholder.
    #[error(
        "unknown placeholder {{{name}}}; {suggestion}the placeholders here are {placeholders}; put a command that needs other braces into a \
         script"
    )]
    UnknownPlaceholder {
        /// The name in braces.
        name: String,
        /// A question that suggests a similar placeholder, or an empty text.
        suggestion: String,
        /// All placeholders, separated by spaces.
        placeholders: String,
    },
}
