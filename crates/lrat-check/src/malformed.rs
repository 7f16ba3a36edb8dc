//! Syntax errors of a formula or of a step of a proof.

use std::fmt;
use std::io;

/// The reason why a step of a proof is malformed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Malformed {
    /// The proof ends within the step.
    Truncated,
    /// This byte is neither part of a number nor the whitespace after a number.
    UnexpectedByte(u8),
    /// A number is written `-0`.
    NegativeZero,
    /// A number has more than 18 digits in a text proof, or more than 9 bytes in a binary proof.
    LongNumber,
    /// The code of a number or a literal in a binary proof is 1, which is not a valid code.
    CodeOne,
    /// The id at the beginning of a step is not positive.
    NotAnId(i64),
    /// A step of a binary proof begins with this byte.
    UnknownStep(u8),
    /// A variable exceeds [`crate::MAX_VARIABLE`].
    LargeVariable,
    /// A comment contains a carriage return.
    CarriageReturn,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("the proof ends within a step"),
            Self::UnexpectedByte(byte) => {
                write!(f, "unexpected '{}' in a number", char::from(*byte).escape_default())
            }
            Self::NegativeZero => f.write_str("-0 is not a number"),
            Self::LongNumber => f.write_str("a number is too long"),
            Self::CodeOne => f.write_str("the code 1 encodes neither a number nor a literal"),
            Self::NotAnId(number) => write!(f, "the id of a step is {number}, which is not positive"),
            Self::UnknownStep(byte) => write!(f, "a step cannot begin with byte {byte:#04x}"),
            Self::LargeVariable => f.write_str("the variable of a literal is too large for this checker"),
            Self::CarriageReturn => f.write_str(CARRIAGE_RETURN),
        }
    }
}

impl std::error::Error for Malformed {}

/// The reason why a formula cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum FormulaError {
    /// Reading the file failed.
    Io(io::Error),
    /// The formula is not valid DIMACS CNF.
    Invalid {
        /// The line, from 1.
        line: u64,
        /// The fault on this line.
        fault: FormulaFault,
    },
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Invalid { line, fault } => write!(f, "line {line}: {fault}"),
        }
    }
}

impl std::error::Error for FormulaError {}

/// A fault in a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormulaFault {
    /// The line `p cnf VARIABLES CLAUSES` is missing.
    NoHeader,
    /// A word is not a number.
    NotANumber(String),
    /// A word is longer than every 64-bit number.
    LongWord,
    /// The variable of a literal exceeds the number of variables in the `p` line.
    UndeclaredVariable {
        /// The literal.
        literal: i64,
        /// The number of variables.
        variables: u64,
    },
    /// The variable of this literal exceeds [`crate::MAX_VARIABLE`].
    LargeVariable(i64),
    /// There are more clauses than the number in the `p` line.
    TooManyClauses {
        /// The number in the `p` line.
        declared: u64,
    },
    /// There are fewer clauses than the number in the `p` line.
    TooFewClauses {
        /// The number of clauses.
        read: u64,
        /// The number in the `p` line.
        declared: u64,
    },
    /// The last clause has no final 0.
    OpenClause,
    /// A comment contains a carriage return.
    CarriageReturn,
}

impl fmt::Display for FormulaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeader => f.write_str("the line 'p cnf VARIABLES CLAUSES' is missing"),
            Self::NotANumber(word) => write!(f, "'{}' is not a number", word.escape_debug()),
            Self::LongWord => f.write_str("a word is too long"),
            Self::UndeclaredVariable { literal, variables } => {
                write!(
                    f,
                    "the variable of literal {literal} exceeds the {variables} variables declared in the 'p' line"
                )
            }
            Self::LargeVariable(literal) => {
                write!(f, "the variable of literal {literal} is too large for this checker")
            }
            Self::TooManyClauses { declared } => {
                write!(f, "the formula has more clauses than the {declared} declared in the 'p' line")
            }
            Self::TooFewClauses { read, declared } => {
                write!(f, "the formula ends after {read} of the {declared} clauses declared in the 'p' line")
            }
            Self::OpenClause => f.write_str("the last clause has no final 0"),
            Self::CarriageReturn => f.write_str(CARRIAGE_RETURN),
        }
    }
}

impl std::error::Error for FormulaFault {}

const CARRIAGE_RETURN: &str = "a carriage return within a comment: convert the line ends first";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_syntax_error_has_its_message() {
        for (key, error) in [
            ("step, truncated", Malformed::Truncated),
            ("step, unexpected byte", Malformed::UnexpectedByte(b'x')),
            ("step, unexpected control character", Malformed::UnexpectedByte(b'\x1b')),
            ("step, negative zero", Malformed::NegativeZero),
            ("step, long number", Malformed::LongNumber),
            ("step, code one", Malformed::CodeOne),
            ("step, not an id", Malformed::NotAnId(-9)),
            ("step, unknown step", Malformed::UnknownStep(b'b')),
            ("step, large variable", Malformed::LargeVariable),
            ("step, carriage return", Malformed::CarriageReturn),
        ] {
            wording::assert_wording!("malformed", key, error);
        }
        for (key, fault) in [
            ("formula, no header", FormulaFault::NoHeader),
            ("formula, not a number", FormulaFault::NotANumber("x\u{1b}".to_owned())),
            ("formula, long word", FormulaFault::LongWord),
            ("formula, undeclared variable", FormulaFault::UndeclaredVariable { literal: -3, variables: 2 }),
            ("formula, large variable", FormulaFault::LargeVariable(-999_999_999)),
            ("formula, too many clauses", FormulaFault::TooManyClauses { declared: 1 }),
            ("formula, too few clauses", FormulaFault::TooFewClauses { read: 1, declared: 2 }),
            ("formula, open clause", FormulaFault::OpenClause),
            ("formula, carriage return", FormulaFault::CarriageReturn),
        ] {
            wording::assert_wording!("malformed", key, FormulaError::Invalid { line: 2, fault });
        }
    }
}
