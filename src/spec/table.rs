//! Reads tables of TOML key by key. A key that was not read is an error. Every error has the place of its key or value.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::ops::Range;
use std::str::FromStr;

use plaintext::{Escaped, is_plain, is_printable};
use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeTable, DeValue};

use super::axis::{Factors, TextValues};
use super::place::{Located, Place, SpecError, SpecSource};
use super::sizes::SweepSizes;
use super::value_error::ValueError;
use crate::solver::Goal;
use crate::words::suggestion;

/// A table of a spec, and the names of the keys that were read from it.
pub struct SpecTable<'t> {
    source: &'t SpecSource,
    place: Place,
    values: &'t DeTable<'t>,
    read_keys: Vec<&'static str>,
    missing_key: Option<&'static str>,
}

/// The reason why the value of a key is invalid, and the bytes of the invalid part if only a part of the value is invalid.
pub struct Mismatch {
    span: Option<Range<usize>>,
    reason: String,
}

impl From<String> for Mismatch {
    fn from(reason: String) -> Self {
        Self { span: None, reason }
    }
}

impl From<ValueError> for Mismatch {
    fn from(error: ValueError) -> Self {
        error.to_string().into()
    }
}

/// A function that converts a value of TOML.
pub type ValueReader<T> = fn(&Spanned<DeValue<'_>>) -> Result<T, Mismatch>;

impl<'t> SpecTable<'t> {
    /// The table of the top-level keys.
    pub fn new(source: &'t SpecSource, values: &'t DeTable<'t>) -> Self {
        Self { source, place: Place::Nowhere, values, read_keys: Vec::new(), missing_key: None }
    }

    /// A table inside this one; `header` is the range of bytes of its header.
    fn inner_table(&self, header: Range<usize>, values: &'t DeTable<'t>) -> Self {
        let place = Place::File { key: header.clone(), value: header };
        Self { place, ..Self::new(self.source, values) }
    }

    /// The text that contains the table.
    pub fn source(&self) -> &'t SpecSource {
        self.source
    }

    /// The place of the header.
    pub fn place(&self) -> &Place {
        &self.place
    }

    fn value(&mut self, key: &'static str) -> Option<(Place, &'t Spanned<DeValue<'t>>)> {
        self.read_keys.push(key);
        let (name, value) = self.values.iter().find(|(name, _)| name.get_ref() == key)?;
        Some((Place::File { key: name.span(), value: value.span() }, value))
    }

    /// The value of a key, if the table has it.
    ///
    /// # Errors
    ///
    /// The value is invalid.
    pub fn optional<T>(
        &mut self,
        key: &'static str,
        read: ValueReader<T>,
    ) -> Result<Option<Located<T>>, SpecError> {
        let Some((place, value)) = self.value(key) else { return Ok(None) };
        let value = read(value).map_err(|error| self.mismatch(key, &place, error))?;
        Ok(Some(Located::new(value, place)))
    }

    /// The value of a required key. If the key is missing, returns `T::default()`, and [`Self::finish`] or [`Self::unread_keys`]
    /// reports the missing key. Unknown keys are reported first, because one of them may be the required key, misspelt.
    ///
    /// # Errors
    ///
    /// The value is invalid.
    pub fn required<T: Default>(
        &mut self,
        key: &'static str,
        read: ValueReader<T>,
    ) -> Result<Located<T>, SpecError> {
        let value = self.optional(key, read)?;
        if value.is_none() {
            self.missing_key.get_or_insert(key);
        }
        Ok(value.unwrap_or_default())
    }

    /// The required table `[key]`, in single brackets. [`Self::finish`] reports a missing table.
    ///
    /// # Errors
    ///
    /// The value of the key is not a table.
    pub fn table(&mut self, key: &'static str) -> Result<Option<SpecTable<'t>>, SpecError> {
        let Some((place, value)) = self.value(key) else {
            self.missing_key.get_or_insert(key);
            return Ok(None);
        };
        match value.get_ref() {
            DeValue::Table(table) => Ok(Some(self.inner_table(value.span(), table))),
            DeValue::Array(list) if list.iter().all(|item| item.get_ref().is_table()) => {
                let reason = format!("write [{key}], in single brackets: only one such table is allowed");
                Err(self.source.error(key, &place, reason))
            }
            _ => Err(self.source.error(key, &place, format!("write [{key}] above its keys"))),
        }
    }

    /// The tables `[[key]]`, in double brackets.
    ///
    /// # Errors
    ///
    /// The value of the key is not a list of tables.
    pub fn tables(&mut self, key: &'static str) -> Result<Vec<SpecTable<'t>>, SpecError> {
        let Some((place, value)) = self.value(key) else { return Ok(Vec::new()) };
        let reason = match value.get_ref() {
            DeValue::Array(list) => {
                let table = |item: &'t Spanned<DeValue<'t>>| {
                    Some(self.inner_table(item.span(), item.get_ref().as_table()?))
                };
                match list.iter().map(table).collect() {
                    Some(tables) => return Ok(tables),
                    None => format!("write [[{key}]] above its keys"),
                }
            }
            DeValue::Table(_) => {
                format!("write [[{key}]], in double brackets: there can be several of them")
            }
            _ => format!("write [[{key}]] above its keys"),
        };
        Err(self.source.error(key, &place, reason))
    }

    /// The keys that were not read, in their order in the file, with their values.
    ///
    /// # Errors
    ///
    /// A key is not printable on one line, a value is neither a text, a number, a boolean nor a list of these, or a required key
    /// is missing.
    pub fn unread_keys(&self) -> Result<Vec<(String, Located<TextValues>)>, SpecError> {
        let unread = self.unknown_keys().into_iter().map(|(name, value)| {
            let place = Place::File { key: name.span(), value: value.span() };
            let key = name.get_ref();
            if let Some(reason) = unprintable(key) {
                let reason = format!("'{}' is not a key: {reason}", Escaped(key));
                return Err(self.source.error_in_key(&place, reason));
            }
            let value = printable_values(value)
                .map_err(|error| self.mismatch(&Escaped(key).to_string(), &place, error))?;
            Ok((key.to_string(), Located::new(value, place)))
        });
        let unread = unread.collect::<Result<_, _>>()?;
        self.check_required()?;
        Ok(unread)
    }

    /// Checks that all keys of the table were read and that all required keys exist.
    ///
    /// # Errors
    ///
    /// An unknown or a missing key.
    pub fn finish(&self) -> Result<(), SpecError> {
        let Some((name, value)) = self.unknown_keys().into_iter().next() else {
            return self.check_required();
        };
        let place = Place::File { key: name.span(), value: value.span() };
        Err(self.source.error_in_key(&place, unknown_key(name.get_ref(), &self.read_keys)))
    }

    fn check_required(&self) -> Result<(), SpecError> {
        let Some(key) = self.missing_key else { return Ok(()) };
        Err(self.source.error("", &self.place, format!("the key '{key}' is missing")))
    }

    fn unknown_keys(&self) -> Vec<(&'t Spanned<Cow<'t, str>>, &'t Spanned<DeValue<'t>>)> {
        let is_known = |key: &str| self.read_keys.contains(&key);
        let mut unknown: Vec<_> = self.values.iter().filter(|(name, _)| !is_known(name.get_ref())).collect();
        unknown.sort_by_key(|(name, _)| name.span().start);
        unknown
    }

    fn mismatch(&self, key: &str, place: &Place, error: Mismatch) -> SpecError {
        match error.span {
            Some(span) => self.source.error_at(span, format!("{key}: {}", error.reason)),
            None => self.source.error(key, place, error.reason),
        }
    }
}

/// The message about a key that does not exist.
pub fn unknown_key(key: &str, read_keys: &[&str]) -> String {
    let suggestion = suggestion(key, read_keys.iter().copied());
    format!("unknown key '{}'; {suggestion}the keys here are {}", Escaped(key), read_keys.join(", "))
}

/// Reads a printable text of one line, which can be shown in tables.
pub fn line(value: &Spanned<DeValue<'_>>) -> Result<String, Mismatch> {
    let text = text(value)?;
    require_printable(text, value.span())
}

/// Reads a text for reports. Each sequence of spaces and line breaks becomes one space.
pub fn prose(value: &Spanned<DeValue<'_>>) -> Result<String, Mismatch> {
    let text = text(value)?.split_whitespace().collect::<Vec<_>>().join(" ");
    require_printable(text, value.span())
}

/// Reads a text, for example a command line. All characters are allowed.
pub fn text(value: &Spanned<DeValue<'_>>) -> Result<String, Mismatch> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        other => Err(type_mismatch(ExpectedType::Text, other)),
    }
}

/// Reads a printable value or a list of printable values, each on one line.
pub fn printable_values(value: &Spanned<DeValue<'_>>) -> Result<TextValues, Mismatch> {
    read_list(value, |item| require_printable(value_text(item)?, item.span())).map(TextValues)
}

/// Reads a value or a list of values, for example the words of a command. All characters are allowed.
pub fn arguments(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Mismatch> {
    read_list(value, value_text)
}

/// Reads a text, a number or a list of them, and parses the result with `FromStr`. List items are separated by line feeds.
pub fn parsed<T>(value: &Spanned<DeValue<'_>>) -> Result<T, Mismatch>
where
    T: FromStr<Err: Display>,
{
    printable_values(value)?.to_string().parse().map_err(|error: T::Err| error.to_string().into())
}

/// Reads sizes, or a table of the sizes of each goal.
pub fn sizes(value: &Spanned<DeValue<'_>>) -> Result<SweepSizes, Mismatch> {
    let DeValue::Table(table) = value.get_ref() else { return parsed(value) };
    let goal_line = |(goal, sizes): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
        let name = goal.get_ref();
        if Goal::named(name).is_none() {
            let reason = format!(
                "'{}' is not a goal: write sizes for each goal, as in {{ count = \"4-12\", first = \"4-32\" }}",
                Escaped(name)
            );
            return Err(Mismatch { span: Some(goal.span()), reason });
        }
        Ok(format!("{name}: {}", printable_values(sizes)?.0.join(",")))
    };
    let lines: Vec<String> = table.iter().map(goal_line).collect::<Result<_, Mismatch>>()?;
    lines.join("\n").parse().map_err(Mismatch::from)
}

/// Reads a boolean.
pub fn boolean(value: &Spanned<DeValue<'_>>) -> Result<bool, Mismatch> {
    value.get_ref().as_bool().ok_or_else(|| type_mismatch(ExpectedType::Boolean, value.get_ref()))
}

/// Reads an integer that is at least 0.
pub fn number<T: TryFrom<i64>>(value: &Spanned<DeValue<'_>>) -> Result<T, Mismatch> {
    let integer = value.get_ref().as_integer();
    let number = integer.and_then(to_i64).and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| type_mismatch(ExpectedType::WholeNumber, value.get_ref()))
}

/// Reads a list of integers.
pub fn numbers(value: &Spanned<DeValue<'_>>) -> Result<Vec<i32>, Mismatch> {
    let list = value.get_ref().as_array();
    let number = |item: &Spanned<DeValue<'_>>| {
        item.get_ref().as_integer().and_then(to_i64).and_then(|number| i32::try_from(number).ok())
    };
    let numbers = list.and_then(|list| list.iter().map(number).collect());
    numbers.ok_or_else(|| "write a list of whole numbers in brackets, as in [0, 10]".to_owned().into())
}

/// Reads a list of tables in which each key has a value or a list of values.
pub fn combinations(value: &Spanned<DeValue<'_>>) -> Result<Vec<Factors>, Mismatch> {
    let not_a_list_error =
        || Mismatch::from("write a list of tables, as in [{ h = \"a\", k = [1, 2] }]".to_owned());
    let list = value.get_ref().as_array().ok_or_else(not_a_list_error)?;
    let pair = |(name, value): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
        let name = require_printable(name.get_ref().to_string(), name.span())?;
        Ok((name, Located::from(printable_values(value)?)))
    };
    let table = |item: &Spanned<DeValue<'_>>| {
        item.get_ref()
            .as_table()
            .ok_or_else(not_a_list_error)?
            .iter()
            .map(pair)
            .collect::<Result<_, Mismatch>>()
    };
    list.iter().map(table).collect()
}

/// Converts an integer of TOML; `None` if it is outside the range of `i64`.
pub fn to_i64(integer: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// Converts a float of TOML; `None` if a finite number is outside the range of `f64`.
pub fn to_f64(float: &DeFloat<'_>) -> Option<f64> {
    let number: f64 = float.as_str().parse().ok()?;
    Some(number).filter(|number| number.is_finite() || float.as_str().contains("inf") || number.is_nan())
}

fn read_list<T>(
    value: &Spanned<DeValue<'_>>,
    read: impl Fn(&Spanned<DeValue<'_>>) -> Result<T, Mismatch>,
) -> Result<Vec<T>, Mismatch> {
    match value.get_ref() {
        DeValue::Array(list) => list.iter().map(read).collect(),
        _ => read(value).map(|single| vec![single]),
    }
}

fn value_text(value: &Spanned<DeValue<'_>>) -> Result<String, Mismatch> {
    let too_large_error = || Mismatch::from("the number is too large".to_owned());
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) => {
            to_i64(number).map(|number| number.to_string()).ok_or_else(too_large_error)
        }
        DeValue::Float(number) => to_f64(number).map(|number| number.to_string()).ok_or_else(too_large_error),
        DeValue::Boolean(truth) => Ok(truth.to_string()),
        _ => Err("write a text, a number, or a list of texts and numbers".to_owned().into()),
    }
}

fn require_printable(text: String, span: Range<usize>) -> Result<String, Mismatch> {
    match unprintable(&text) {
        None => Ok(text),
        Some(reason) => Err(Mismatch { span: Some(span), reason }),
    }
}

/// The reason why a text cannot be shown on one line of a terminal, a table or a page; `None` if it can.
pub fn unprintable(text: &str) -> Option<String> {
    if is_plain(text) {
        return None;
    }
    let c = text.chars().find(|&c| !is_printable(c)).unwrap_or_default();
    let unprintable = match c {
        '\n' | '\r' => "the line end".to_owned(),
        c => format!("the unprintable character {}", Escaped(c)),
    };
    Some(format!("remove {unprintable}, because this text is shown on one line"))
}

/// The type that the value of a key must have.
#[derive(Clone, Copy)]
pub enum ExpectedType {
    /// A text.
    Text,
    /// A boolean.
    Boolean,
    /// An integer that is at least 0.
    WholeNumber,
    /// A number, or the text of a time.
    NumberOrTime,
}

impl ExpectedType {
    /// Whether the content of a text would be a value of this type if the quotes were removed.
    fn accepts_without_quotes(self, text: &str) -> bool {
        match self {
            Self::Text | Self::NumberOrTime => false,
            Self::Boolean => text.parse::<bool>().is_ok(),
            Self::WholeNumber => text.parse::<u32>().is_ok(),
        }
    }
}

impl Display for ExpectedType {
    /// Prints what to write, for messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "a text in quotes",
            Self::Boolean => "true or false",
            Self::WholeNumber => "a whole number from 0",
            Self::NumberOrTime => "a number, or a time in quotes",
        })
    }
}

/// The error for a value of the wrong type.
pub fn type_mismatch(expected: ExpectedType, value: &DeValue<'_>) -> Mismatch {
    let reason = match value {
        DeValue::String(text) if expected.accepts_without_quotes(text) => {
            format!("write {text} without quotes")
        }
        other => format!("write {expected}, not {}", description(other)),
    };
    reason.into()
}

/// Describes a value in a message.
fn description(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text \"{}\"", Escaped(text)),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(_) => "a date or a time".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
