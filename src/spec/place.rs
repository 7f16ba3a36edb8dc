//! Places of values in the text of an experiment, and errors that show the place.

use std::fmt::{self, Display};
use std::ops::{Deref, Range};
use std::str::FromStr;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use plaintext::{Escaped, EscapedLines};
use serde::{Serialize, Serializer};

/// The place where a value was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: the value is a default.
    #[default]
    Nowhere,
    /// In the file: the bytes of the key and of the value. For a table, both are the bytes of its header.
    File {
        /// The bytes of the key.
        key: Range<usize>,
        /// The bytes of the value.
        value: Range<usize>,
    },
    /// In the command-line option with the same name as the key.
    OptionOfKey,
    /// In this command-line option.
    Option(&'static str),
}

/// A value and its place. Two located values are equal if their values are equal, even if their places differ.
#[derive(Clone, Debug, Default)]
pub struct Located<T> {
    value: T,
    place: Place,
}

impl<T> Located<T> {
    /// A value with its place.
    pub fn new(value: T, place: Place) -> Self {
        Self { value, place }
    }

    /// The place of the value.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Converts the value and keeps the place.
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> Located<U> {
        Located { value: convert(self.value), place: self.place }
    }
}

impl<T> From<T> for Located<T> {
    fn from(value: T) -> Self {
        Self { value, place: Place::Nowhere }
    }
}

impl<T> Deref for Located<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: PartialEq> PartialEq for Located<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Display> Display for Located<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<T: FromStr> FromStr for Located<T> {
    type Err = T::Err;

    /// Parses the value of an option.
    fn from_str(text: &str) -> Result<Self, T::Err> {
        text.parse().map(|value| Self { value, place: Place::OptionOfKey })
    }
}

impl<T: Serialize> Serialize for Located<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// The text of an experiment, with the name of its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecSource {
    name: String,
    text: Arc<str>,
}

impl SpecSource {
    /// `name` is the name of the file for messages. For an experiment from the command line, `text` is empty.
    pub fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.into() }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// An error in the value of a key. The key is empty if the error concerns a whole table.
    pub fn error(&self, key: &str, place: &Place, reason: impl Display) -> SpecError {
        let with_key = || if key.is_empty() { reason.to_string() } else { format!("{key}: {reason}") };
        match place {
            Place::File { value, .. } => self.error_at(value.clone(), with_key()),
            Place::Nowhere => SpecError::new(self.name.clone(), with_key()),
            Place::OptionOfKey => SpecError::new(format!("--{}", key.replace('_', "-")), reason.to_string()),
            Place::Option(option) => SpecError::new((*option).to_owned(), reason.to_string()),
        }
    }

    /// An error in a key itself.
    pub fn error_in_key(&self, place: &Place, reason: impl Display) -> SpecError {
        match place {
            Place::File { key, .. } => self.error_at(key.clone(), reason.to_string()),
            _ => self.error("", place, reason),
        }
    }

    /// An error at these bytes of the text.
    pub fn error_at(&self, span: Range<usize>, reason: String) -> SpecError {
        let start = span.start.min(self.text.len());
        let line_number = self.text[..start].matches('\n').count() + 1;
        let line_start = self.text[..start].rfind('\n').map_or(0, |end| end + 1);
        let column = self.text[line_start..start].chars().count() + 1;
        let line = self.text[line_start..].lines().next().unwrap_or_default();
        // If the bytes extend over several lines, only those on the first line are marked.
        let marked_bytes =
            start - line_start..(span.end.max(start) - line_start).min(line.len().max(start - line_start));
        SpecError {
            excerpt: excerpt(line, line_number, marked_bytes),
            ..SpecError::new(format!("{}:{line_number}:{column}", self.name), reason)
        }
    }
}

/// The line with its number and with a marker below `marked_bytes`.
fn excerpt(line: &str, line_number: usize, marked_bytes: Range<usize>) -> String {
    let snippet =
        Snippet::source(line).line_start(line_number).annotation(AnnotationKind::Primary.span(marked_bytes));
    Renderer::plain().render(&[Group::with_level(Level::ERROR).element(snippet)])
}

/// An error in a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// `file:line:column`, the command-line option, or the name of the experiment.
    pub place: String,
    /// What is wrong, and how to correct it.
    pub reason: String,
    /// The line of the file with a marker; empty if the error has no place in a file.
    excerpt: String,
}

impl SpecError {
    fn new(place: String, reason: String) -> Self {
        Self { place, reason, excerpt: String::new() }
    }

    /// The place and the reason on one line, for messages that quote the error.
    pub fn on_one_line(&self) -> String {
        format!("{}: {}", Escaped(&self.place), Escaped(&self.reason))
    }
}

impl std::error::Error for SpecError {}

impl Display for SpecError {
    /// Prints the place and the reason on one line, and below, indented, the line of the file with a marker.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.on_one_line())?;
        self.excerpt.lines().try_for_each(|line| write!(f, "\n  {}", EscapedLines(line)))
    }
}
