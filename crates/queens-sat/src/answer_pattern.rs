//! Where the answer of a program is among its other output.

use std::str::FromStr;

use regex_lite::Regex;

/// Selects lines of an output, or parts of them.
#[derive(Clone, Debug)]
pub enum AnswerPattern {
    /// The last line that is not blank.
    LastLine,
    /// Of each line that the expression matches, its first group, or the match if it has none.
    Matches(Regex),
}

impl AnswerPattern {
    /// The word for [`AnswerPattern::LastLine`].
    pub const LAST_LINE: &str = "last-line";

    /// What a line without its end has of the answer. Of several results of [`AnswerPattern::LastLine`], the last one counts.
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
