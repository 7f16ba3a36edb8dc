//! References to problems. A problem is a variant of the rules, possibly with placed queens or excluded squares, or an instance
//! from a file.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::board::problem::Problem;

/// The text of the plain problem: the usual rules, without placed queens or excluded squares.
const PLAIN: &str = "queens";

/// The prefix of the text of an instance.
const INSTANCE_PREFIX: &str = "instance";

/// A problem without its size: the canonical text of a variant, or `instance:NAME`. Values are ordered by this text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProblemRef {
    text: String,
    is_instance: bool,
}

/// Why a text does not name a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProblemRefError {
    /// An empty text.
    #[error("the name of the problem is missing: write, for example, queens or toroidal")]
    Empty,
    /// `instance:` without a name.
    #[error("the name of the instance is missing: write, for example, instance:puzzle-1")]
    NoInstance,
}

impl ProblemRef {
    /// The instance of this name.
    pub fn instance(name: &str) -> Self {
        Self { text: format!("{INSTANCE_PREFIX}:{name}"), is_instance: true }
    }

    /// The canonical text of the variant, or `instance:NAME`.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether this is the plain problem.
    pub fn is_plain(&self) -> bool {
        self.text == PLAIN
    }

    /// The name of the instance; `None` for a variant.
    pub fn instance_name(&self) -> Option<&str> {
        self.text.split_once(':').filter(|_| self.is_instance).map(|(_, name)| name)
    }

    /// The canonical text of the variant; `None` for an instance, whose rules are in its file.
    pub fn rules(&self) -> Option<&str> {
        (!self.is_instance).then_some(&*self.text)
    }
}

/// The plain problem.
impl Default for ProblemRef {
    fn default() -> Self {
        Self { text: PLAIN.to_owned(), is_instance: false }
    }
}

impl From<&Problem> for ProblemRef {
    fn from(problem: &Problem) -> Self {
        Self { text: problem.to_string(), is_instance: false }
    }
}

impl FromStr for ProblemRef {
    type Err = ProblemRefError;

    fn from_str(text: &str) -> Result<Self, ProblemRefError> {
        let name = text.strip_prefix(INSTANCE_PREFIX).and_then(|suffix| suffix.strip_prefix(':'));
        match (text, name) {
            ("", _) => Err(ProblemRefError::Empty),
            (_, Some("")) => Err(ProblemRefError::NoInstance),
            (_, name) => Ok(Self { text: text.to_owned(), is_instance: name.is_some() }),
        }
    }
}

#[cfg(test)]
impl From<&str> for ProblemRef {
    fn from(text: &str) -> Self {
        text.parse().expect("a valid text")
    }
}

impl fmt::Display for ProblemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for ProblemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text)
    }
}

impl Deref for ProblemRef {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl PartialEq<str> for ProblemRef {
    fn eq(&self, text: &str) -> bool {
        self.text == text
    }
}

impl PartialEq<&str> for ProblemRef {
    fn eq(&self, text: &&str) -> bool {
        self.text == *text
    }
}

impl Serialize for ProblemRef {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for ProblemRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_problem_parses_to_the_same_problem() {
        for (text, instance) in [
            ("queens", None),
            ("queens;place=0:0", None),
            ("toroidal;place=0:1;block=2:2", None),
            ("instance:a;b:c", Some("a;b:c")),
            ("instances", None),
        ] {
            let problem: ProblemRef = text.parse().expect(text);
            assert_eq!(problem.to_string(), text);
            assert_eq!((problem.instance_name(), problem.rules().is_none()), (instance, instance.is_some()));
            assert_eq!(problem.is_plain(), text == "queens");
        }
        assert_eq!("instance:a;b:c".parse(), Ok(ProblemRef::instance("a;b:c")));
        assert_eq!("".parse::<ProblemRef>(), Err(ProblemRefError::Empty));
        assert_eq!("instance:".parse::<ProblemRef>(), Err(ProblemRefError::NoInstance));
        assert!(ProblemRef::default().is_plain());
    }
}
