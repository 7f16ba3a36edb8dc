//! Rewords error messages of serde for the authors of TOML and JSON files.

use std::fmt::{self, Display};

/// Converts an error message of serde about a TOML or JSON file to a message that states what to write instead. The messages of
/// serde name Rust types, which the author of the file does not know. Other messages are only put on one line.
pub fn explain_serde_error(message: &str) -> String {
    if let Some(names) = message.strip_prefix("unknown field ") {
        let mut names = quoted(names);
        let unknown_name = names.next().unwrap_or_default();
        return match names.collect::<Vec<_>>() {
            valid_names if valid_names.is_empty() => format!("unknown key '{unknown_name}'"),
            valid_names => {
                format!("unknown key '{unknown_name}'; the keys here are {}", valid_names.join(", "))
            }
        };
    }
    // Messages without backquotes are not from serde, and already state what to write.
    if let Some(names) = message.strip_prefix("unknown variant ").filter(|names| names.starts_with('`')) {
        let (name, valid_names) = names.split_once(", ").unwrap_or((names, ""));
        let valid_names: Vec<&str> = quoted(valid_names).collect();
        return format!("{} is none of {}", name.replace('`', "'"), valid_names.join(", "));
    }
    if let Some(name) = message.strip_prefix("missing field ") {
        let (name, location) = name.split_once("` at ").unwrap_or((name, ""));
        return format!("the key '{}' is missing{}", name.trim_matches('`'), in_parentheses(location));
    }
    if let Some(name) = message.strip_prefix("duplicate field ") {
        let (name, location) = name.split_once("` at ").unwrap_or((name, ""));
        return format!("the key '{}' occurs twice{}", name.trim_matches('`'), in_parentheses(location));
    }
    // The number is outside the range of its type.
    if message.ends_with(" value was too large") {
        return "the number is too large".to_owned();
    }
    let kinds = ["invalid type: ", "invalid value: ", "invalid length "];
    let Some((actual, expected)) =
        kinds.iter().find_map(|kind| message.strip_prefix(kind)?.rsplit_once(", expected "))
    else {
        return message.split_whitespace().collect::<Vec<_>>().join(" ");
    };
    let (expected, location) = expected.split_once(" at line ").map_or((expected, ""), |(expected, _)| {
        (expected, &message[message.rfind("line ").unwrap_or_default()..])
    });
    let expected = ExpectedType::parse(expected);
    let actual = actual.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = actual.strip_prefix("string \"").and_then(|text| text.strip_suffix('"'));
    let advice = match text {
        Some(text) if expected.accepts_without_quotes(text) => format!("write {text} without quotes"),
        Some(text) => format!("write {expected}, not the text \"{text}\""),
        None => format!("write {expected}, not {}", actual_in_words(&actual)),
    };
    advice + &in_parentheses(location)
}

/// A line and a column, in parentheses after a space; empty if they are unknown.
fn in_parentheses(location: &str) -> String {
    match location {
        "" => String::new(),
        location => format!(" ({})", location.replacen(" column", ", column", 1)),
    }
}

/// The texts in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The type that a value must have.
enum ExpectedType {
    /// An integer that is at least 0.
    Unsigned,
    /// An integer.
    Integer,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// Another type, in plain words.
    Other(String),
}

impl ExpectedType {
    /// Parses serde's name of a type.
    fn parse(name: &str) -> Self {
        let is_number = |letter: char| {
            let bits = name.strip_prefix(letter).unwrap_or_default();
            bits == "size" || !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let plain_words = match name {
            _ if is_number('u') || name.starts_with("a nonzero") => return Self::Unsigned,
            _ if is_number('i') => return Self::Integer,
            _ if is_number('f') => return Self::Number,
            "a boolean" => return Self::Boolean,
            "a string" | "str" | "string" | "a borrowed string" => "a text in quotes".to_owned(),
            "a sequence" | "sequence" => "a list in brackets".to_owned(),
            "a map" | "map" => "a table".to_owned(),
            _ if name.starts_with("struct ") => "a table".to_owned(),
            _ => match name.split_once(" of length ").or(name.split_once(" of size ")) {
                Some((_, length)) => format!("a list of {length} values"),
                None => name.replace("sequence", "list").replace("map", "table"),
            },
        };
        Self::Other(plain_words)
    }

    /// Whether the content of a text would be a value of this type if the quotes were removed.
    fn accepts_without_quotes(&self, text: &str) -> bool {
        match self {
            Self::Unsigned => text.parse::<u64>().is_ok(),
            Self::Integer => text.parse::<i64>().is_ok(),
            Self::Number => text.parse::<f64>().is_ok(),
            Self::Boolean => text.parse::<bool>().is_ok(),
            Self::Other(_) => false,
        }
    }
}

impl Display for ExpectedType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unsigned => "a whole number from 0",
            Self::Integer => "a whole number",
            Self::Number => "a number",
            Self::Boolean => "true or false",
            Self::Other(plain_words) => plain_words,
        })
    }
}

/// Converts serde's name of an actual value to plain words.
fn actual_in_words(actual: &str) -> String {
    let value = quoted(actual).next().unwrap_or_default();
    match actual.split([' ', ',']).next().unwrap_or_default() {
        "integer" | "floating" | "boolean" => value.to_owned(),
        "map" | "struct" => "a table".to_owned(),
        "sequence" => "a list".to_owned(),
        "null" | "unit" | "Option" => "null".to_owned(),
        "1" => "1 value".to_owned(),
        length if length.bytes().all(|byte| byte.is_ascii_digit()) => format!("{length} values"),
        _ => actual.replace('`', "'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    #[test]
    fn serde_errors_are_explained_in_plain_words() {
        let mut messages = String::new();
        for message in [
            "unknown field `numbr`, expected one of `n`, `goal`",
            "unknown field `numbr`, there are no fields",
            "unknown variant `fne`, expected `fine` or `disturbs`",
            "unknown variant 'kings': choose one of queens, toroidal",
            "missing field `machine` at line 4 column 1",
            "missing field `n`",
            "duplicate field `host` at line 4 column 1",
            "invalid type: string \"1\", expected u32 at line 2 column 20",
            "invalid type: string \"four, expected\n\", expected usize",
            "invalid type: string \"true\", expected a boolean",
            "invalid type: map, expected a sequence",
            "invalid type: sequence, expected a string",
            "invalid type: integer `8`, expected a string",
            "invalid type: floating point `1.5`, expected i64",
            "invalid type: null, expected struct Machine at line 1 column 9",
            "invalid value: integer `-1`, expected usize",
            "invalid length 3, expected an array of length 2",
            "u64 value was too large",
            "EOF while parsing\n a value",
        ] {
            writeln!(messages, "{}", explain_serde_error(message)).expect("a text");
        }
        for word in ["invalid", "expected one", "u32", "usize", "struct", "sequence", "map,", "field", "`"] {
            assert!(!messages.contains(word), "{word}: {messages}");
        }
        wording::assert_wording!("serde_error", "messages of serde", messages);
    }
}
