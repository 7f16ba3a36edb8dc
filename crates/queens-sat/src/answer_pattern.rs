//! A pattern that selects the answer of a program from its output.

use std::str::FromStr;

use regex_lite::Regex;

/// A pattern that selects lines of an output, or parts of lines.
#[derive(Clone, Debug)]
pub enum AnswerPattern {
    /// The last line that is not blank.
    LastLine,
    /// The first group of a regular expression in each line that it matches, or the whole match if it has no group.
    Matches(Regex),
}

impl AnswerPattern {
    /// The text that is parsed as [`AnswerPattern::LastLine`].
    pub const LAST_LINE: &str = "last-line";

    /// The part of a line that the pattern selects; `None` if it selects nothing. `line` has no line terminator.
    /// [`AnswerPattern::LastLine`] selects every line that is not blank, and the caller uses the last selected line.
    pub fn in_line<'t>(&self, line: &'t str) -> Option<&'t str> {
        match self {
            Self::LastLine => Some(line.trim()).filter(|line| !line.is_empty()),
            Self::Matches(expression) => {
                let captures = expression.captures(line)?;
                Some(captures.get(1).or(captures.get(0))?.as_str())
            }
        }
    }
}

impl FromStr for AnswerPattern {
    type Err = regex_lite::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == Self::LAST_LINE { Ok(Self::LastLine) } else { Ok(Self::Matches(Regex::new(text)?)) }
    }
}
