//! Our own form, which can express every problem: TOML with the words of the command line.

use serde::{Deserialize, Serialize};

use super::InstanceError;
use crate::board::BoardSize;
use crate::board::problem::{Problem, Regions, Variant, read_diagonals, read_squares};

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Own {
    n: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    regions: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    place: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    forbid: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    exclude_diagonals: String,
}

/// Reads an instance.
pub fn read(text: &str) -> Result<Problem, InstanceError> {
    let own: Own = toml::from_str(text).map_err(|error| {
        let before = &text[..error.span().map_or(0, |span| span.start)];
        InstanceError::At {
            line: before.matches('\n').count() + 1,
            column: before.chars().rev().take_while(|&c| c != '\n').count() + 1,
            what: error.message().to_owned(),
        }
    })?;
    let key = |key: &'static str| {
        move |what: String| {
            let line = text.lines().position(|line| line.trim_start().starts_with(key)).unwrap_or(0) + 1;
            InstanceError::At { line, column: 1, what }
        }
    };
    let variant = match (own.variant.as_deref(), own.regions.is_empty()) {
        (None | Some("regions"), false) => {
            let rows = own.regions.iter().map(String::as_str);
            Variant::Regions(Regions::from_rows(rows, 1).map_err(|error| key("regions")(error.to_string()))?)
        }
        (Some(_), false) => return Err(key("variant")("only the variant 'regions' has regions".to_owned())),
        (None, true) => Variant::Queens,
        (Some(name), true) => name.parse().map_err(key("variant"))?,
    };
    fn list<T>(text: &str, read: fn(&str) -> Result<Vec<T>, String>) -> Result<Vec<T>, String> {
        if text.is_empty() { Ok(Vec::new()) } else { read(text) }
    }
    let problem = Problem::new(BoardSize::new(own.n)?, variant)?
        .forbid(list(&own.forbid, read_squares).map_err(key("forbid"))?)?
        .exclude(list(&own.exclude_diagonals, read_diagonals).map_err(key("exclude_diagonals"))?)?
        .place(list(&own.place, read_squares).map_err(key("place"))?)?;
    Ok(problem)
}

/// The problem in our own form.
pub fn to_toml(problem: &Problem) -> String {
    let text = problem.to_string();
    let part = |key: &str| {
        let part = text.split(';').find_map(|part| part.strip_prefix(key)?.strip_prefix('='));
        part.unwrap_or_default().to_owned()
    };
    let own = Own {
        n: problem.n().get(),
        variant: Some(problem.variant().name().to_owned()),
        regions: match problem.variant() {
            Variant::Regions(regions) => regions.rows().collect(),
            _ => Vec::new(),
        },
        place: part("place"),
        forbid: part("forbid"),
        exclude_diagonals: part("exclude"),
    };
    toml::to_string(&own).expect("strings and numbers are TOML")
}
