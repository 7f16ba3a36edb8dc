//! The values of a parameter that an experiment varies: each is an axis of its plan.

use std::fmt::{self, Display};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Value;

/// The maximum number of values of one parameter, so that they can be printed and read again however they were written.
const MAX: u64 = 10_000;

/// The values of a parameter in the given order, each once, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis<T>(Vec<T>);

impl<T> Axis<T> {
    /// A parameter that does not vary.
    pub fn of(value: T) -> Self {
        Self(vec![value])
    }

    /// The first value, for what takes only one.
    pub fn first(&self) -> &T {
        &self.0[0]
    }

    /// The values.
    pub fn values(&self) -> &[T] {
        &self.0
    }

    /// The same axis with other values.
    pub fn map<U>(self, value: impl Fn(T) -> U) -> Axis<U> {
        Axis(self.0.into_iter().map(value).collect())
    }

    /// All values if `varies`, otherwise the first alone.
    pub fn values_if(&self, varies: bool) -> &[T] {
        if varies { &self.0 } else { &self.0[..1] }
    }
}

impl<T: PartialEq> Axis<T> {
    /// Reads values that are separated by commas or line ends.
    pub fn read(text: &str, value: impl Fn(&str) -> Result<T, String>) -> Result<Self, String> {
        items(text).map(value).collect::<Result<_, _>>().map(Self::distinct)
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

impl Axis<u64> {
    /// Reads numbers and inclusive ranges: `1,2` or `1-50`.
    pub fn read_numbers(text: &str, number: impl Fn(&str) -> Result<u64, String>) -> Result<Self, String> {
        let mut values = Vec::new();
        for item in items(text) {
            if values.len() as u64 > MAX {
                break;
            }
            let Some((first, last)) = item.split_once('-').filter(|(first, _)| !first.is_empty()) else {
                values.push(number(item)?);
                continue;
            };
            let (first, last) = (number(first.trim())?, number(last.trim())?);
            if first > last {
                return Err(format!("the range {item} is empty: write {last}-{first}"));
            }
            if last - first >= MAX {
                return Err(format!("the range {item} has more than {MAX} values"));
            }
            values.extend(first..=last);
        }
        if values.len() as u64 > MAX {
            return Err(format!("the list has more than {MAX} values"));
        }
        Ok(Self::distinct(values))
    }
}

impl<T: Display> Display for Axis<T> {
    /// The values, separated by commas; three or more consecutive numbers as a range.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(T::to_string).collect();
        let follows = |a: &String, b: &String| matches!((a.parse::<u64>(), b.parse::<u64>()), (Ok(a), Ok(b)) if a.checked_add(1) == Some(b));
        let items = words.chunk_by(follows).flat_map(|run| match run {
            [first, _, .., last] => vec![format!("{first}-{last}")],
            few => few.to_vec(),
        });
        f.write_str(&items.collect::<Vec<_>>().join(", "))
    }
}

/// A value or a list of values in TOML, as text: strings, whole numbers, decimal numbers, true and false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(pub Vec<String>);

impl Display for Words {
    /// One value per line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl Serialize for Words {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => one.serialize(serializer),
            several => several.serialize(serializer),
        }
    }
}

/// Reads and writes a value by its text: in TOML a string, a number or a list of them, each on its own line of the text.
pub mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use toml::Value;

    use super::{EXPECTED, Words};

    /// Reads the value.
    pub fn deserialize<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        D: Deserializer<'de>,
        T: FromStr<Err: Display>,
    {
        let text = match Value::deserialize(deserializer)? {
            // Values by goal.
            Value::Table(table) => {
                let line =
                    |(key, value): (String, Value)| Some(format!("{key}: {}", Words::of(value)?.0.join(",")));
                table.into_iter().map(line).collect::<Option<Vec<_>>>().map(|lines| lines.join("\n"))
            }
            value => Words::of(value).map(|words| words.to_string()),
        };
        let text = text.ok_or_else(|| D::Error::custom(EXPECTED))?;
        text.parse().map(Some).map_err(D::Error::custom)
    }

    /// Writes the value; nothing if there is none.
    pub fn serialize<S: Serializer, T: Display>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            None => serializer.serialize_none(),
            Some(value) => {
                Words(value.to_string().lines().map(str::to_owned).collect()).serialize(serializer)
            }
        }
    }
}

const EXPECTED: &str = "write a text, a number, or a list of texts and numbers";

impl Words {
    fn of(value: Value) -> Option<Self> {
        let word = |value| match value {
            Value::String(text) => Some(text),
            Value::Integer(number) => Some(number.to_string()),
            Value::Float(number) => Some(number.to_string()),
            Value::Boolean(truth) => Some(truth.to_string()),
            _ => None,
        };
        let values = match value {
            Value::Array(values) => values,
            value => vec![value],
        };
        values.into_iter().map(word).collect::<Option<_>>().map(Self)
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of(Value::deserialize(deserializer)?).ok_or_else(|| D::Error::custom(EXPECTED))
    }
}

/// Reads a list of words.
pub fn words<'de, D: Deserializer<'de>, T: From<Vec<String>>>(deserializer: D) -> Result<T, D::Error> {
    Words::deserialize(deserializer).map(|words| words.0.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Result<Vec<u64>, String> {
        let number = |word: &str| word.parse().map_err(|_| word.to_owned());
        Axis::read_numbers(text, number).map(|axis| axis.0)
    }

    #[test]
    fn numbers_ranges_and_lists_are_read_and_repetitions_dropped() {
        assert_eq!(numbers("3"), Ok(vec![3]));
        assert_eq!(numbers("1-4,2,9"), Ok(vec![1, 2, 3, 4, 9]));
        assert_eq!(numbers("2\n1"), Ok(vec![2, 1]));
        for text in ["4-2", "0-10000", "0-9999,10000-10001"] {
            wording::assert_wording!("spec", &format!("axis: {text}"), numbers(text).expect_err(text));
        }
        for (text, word) in [("", ""), ("1,x", "x"), ("-1", "-1")] {
            assert_eq!(numbers(text), Err(word.to_owned()));
        }
    }

    #[test]
    fn values_are_written_briefly_and_read_back_in_their_order() {
        let read = |text: &str| Axis::read_numbers(text, |word| word.parse().map_err(|_| word.to_owned()));
        for (text, written) in [
            ("1-10000", "1-10000"),
            ("7,1-3,5,6,0", "7, 1-3, 5, 6, 0"),
            ("3,2,1", "3, 2, 1"),
            ("18446744073709551614,18446744073709551615,0", "18446744073709551614, 18446744073709551615, 0"),
        ] {
            let axis = read(text).expect("numbers");
            assert_eq!(axis.to_string(), written);
            assert_eq!(read(written), Ok(axis));
        }
    }

    #[test]
    fn words_are_read_from_single_values_and_lists() {
        #[derive(Deserialize)]
        struct Table {
            key: Words,
        }
        let words = |value: &str| toml::from_str::<Table>(&format!("key = {value}")).map(|table| table.key.0);
        assert_eq!(words("\"a b\"").expect("a string"), ["a b"]);
        assert_eq!(words("[1, \"x\", 0.5, true]").expect("a list"), ["1", "x", "0.5", "true"]);
        for bad in ["[[1]]", "{ a = 1 }"] {
            let error = words(bad).expect_err(bad);
            assert_eq!(error.span().map(|span| span.start), Some("key = ".len()), "{error}");
            wording::assert_wording!("spec", &format!("axis: {bad}"), error.message());
        }
    }
}
