//! The values of a parameter that an experiment varies. Each such parameter is an axis of the plan.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use serde::{Serialize, Serializer};

use super::place::Located;
use super::value_error::ValueError;

/// The maximum number of values in a list of numbers, with repetitions.
const MAX_VALUES: u64 = 10_000;

/// The values of a parameter in the given order, without repetitions; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisValues<T>(Vec<T>);

impl<T> AxisValues<T> {
    /// An axis with one value.
    pub fn of(value: T) -> Self {
        Self(vec![value])
    }

    /// The first value.
    pub fn first(&self) -> &T {
        &self.0[0]
    }

    /// All values.
    pub fn values(&self) -> &[T] {
        &self.0
    }

    /// Converts each value.
    pub fn map<U>(self, convert: impl Fn(T) -> U) -> AxisValues<U> {
        AxisValues(self.0.into_iter().map(convert).collect())
    }

    /// All values if `varies`, otherwise only the first one.
    pub fn values_if(&self, varies: bool) -> &[T] {
        if varies { &self.0 } else { &self.0[..1] }
    }
}

impl<T: PartialEq> AxisValues<T> {
    /// Parses values that are separated by commas or line ends.
    ///
    /// # Errors
    ///
    /// The error of the first invalid value.
    pub fn read(text: &str, parse: impl Fn(&str) -> Result<T, ValueError>) -> Result<Self, ValueError> {
        items(text).map(parse).collect::<Result<_, _>>().map(Self::distinct)
    }

    fn distinct(all: Vec<T>) -> Self {
        let mut values = Vec::new();
        for value in all {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        Self(values)
    }
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', '\n']).map(str::trim)
}

impl AxisValues<u64> {
    /// Parses numbers and inclusive ranges: `1,2` or `1-50`.
    ///
    /// # Errors
    ///
    /// An invalid number, an empty range, or too many values.
    pub fn read_numbers(
        text: &str,
        parse: impl Fn(&str) -> Result<u64, ValueError>,
    ) -> Result<Self, ValueError> {
        let mut values = Vec::new();
        for item in items(text) {
            if values.len() as u64 > MAX_VALUES {
                break;
            }
            let Some((first, last)) = item.split_once('-').filter(|(first, _)| !first.is_empty()) else {
                values.push(parse(item)?);
                continue;
            };
            let (first, last) = (parse(first.trim())?, parse(last.trim())?);
            if first > last {
                return Err(ValueError::EmptyRange { range: item.to_owned(), first, last });
            }
            if last - first >= MAX_VALUES {
                return Err(ValueError::LongRange { range: item.to_owned(), max: MAX_VALUES });
            }
            values.extend(first..=last);
        }
        if values.len() as u64 > MAX_VALUES {
            return Err(ValueError::LongList { max: MAX_VALUES });
        }
        Ok(Self::distinct(values))
    }
}

impl<T: Display> Display for AxisValues<T> {
    /// Prints the values, separated by commas, and three or more consecutive numbers as a range.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(T::to_string).collect();
        let is_successor = |a: &String, b: &String| matches!((a.parse::<u64>(), b.parse::<u64>()), (Ok(a), Ok(b)) if a.checked_add(1) == Some(b));
        let items = texts.chunk_by(is_successor).flat_map(|consecutive| match consecutive {
            [first, _, .., last] => vec![format!("{first}-{last}")],
            one_or_two => one_or_two.to_vec(),
        });
        f.write_str(&items.collect::<Vec<_>>().join(", "))
    }
}

/// A value of TOML or a list of values, each as a text. A value is a string, an integer, a float or a boolean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextValues(pub Vec<String>);

impl Display for TextValues {
    /// Prints one value per line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl Serialize for TextValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [single] => single.serialize(serializer),
            values => values.serialize(serializer),
        }
    }
}

/// Maps the names of a program's parameters, or of a solver's options, to their values.
pub type Factors = BTreeMap<String, Located<TextValues>>;

/// Serializes the text of a value: a string if the text has one line, else a list of its lines; `None` if the value is
/// missing.
///
/// # Errors
///
/// The errors of the serializer.
pub fn as_text<S: Serializer, T: Display>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        None => serializer.serialize_none(),
        Some(value) => {
            TextValues(value.to_string().lines().map(str::to_owned).collect()).serialize(serializer)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Result<Vec<u64>, ValueError> {
        text.parse().map(|axis: AxisValues<u64>| axis.0)
    }

    #[test]
    fn number_lists_are_parsed_without_repetitions() {
        assert_eq!(numbers("3"), Ok(vec![3]));
        assert_eq!(numbers("1-4,2,9"), Ok(vec![1, 2, 3, 4, 9]));
        assert_eq!(numbers("2\n1"), Ok(vec![2, 1]));
        for text in ["4-2", "0-10000", "0-9999,10000-10001"] {
            wording::assert_wording!("spec", &format!("axis: {text}"), numbers(text).expect_err(text));
        }
        for (text, item) in [("", ""), ("1,x", "x"), ("-1", "-1")] {
            assert_eq!(numbers(text), Err(ValueError::NotASeed(item.to_owned())));
        }
    }

    #[test]
    fn consecutive_numbers_are_printed_as_ranges() {
        let parse = |text: &str| text.parse::<AxisValues<u64>>();
        for (text, printed) in [
            ("1-10000", "1-10000"),
            ("7,1-3,5,6,0", "7, 1-3, 5, 6, 0"),
            ("3,2,1", "3, 2, 1"),
            ("18446744073709551614,18446744073709551615,0", "18446744073709551614, 18446744073709551615, 0"),
        ] {
            let axis = parse(text).expect("numbers");
            assert_eq!(axis.to_string(), printed);
            assert_eq!(parse(printed), Ok(axis));
        }
    }
}
