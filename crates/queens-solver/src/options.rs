//! Options of solvers: the options that a solver declares, and the values in a task.
//!
//! On the command line, a solver with options is `ID:key=value,key=value`. [`Options`] contains only the values that differ from the
//! defaults, sorted by name, so that equal options have equal texts.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Info, Order, Outcome, Sink, SolveError, Solver, Task};
use crate::words::suggestion;

/// An option that a solver declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SolverOption {
    /// The name of the option.
    pub name: &'static str,
    /// The valid values: words, and forms such as `geometric:N:X`, in which `N` is a whole number from 1 and `X` a decimal
    /// number from 1.
    pub values: &'static [&'static str],
    /// The default value.
    pub default: &'static str,
    /// The effect of the option, in one sentence.
    pub about: &'static str,
}

impl SolverOption {
    /// The canonical text of a value, in which numbers have no leading zeros. `None` if the value is not valid.
    fn canonical(&self, value: &str) -> Option<String> {
        self.values.iter().find_map(|form| {
            let parts: Vec<&str> = value.split(':').collect();
            let has_same_length = parts.len() == form.split(':').count();
            let canonical = |(form, part): (&str, &str)| match form {
                "N" => part.parse().ok().filter(|number: &u32| *number >= 1).map(|number| number.to_string()),
                "X" => part
                    .parse()
                    .ok()
                    .filter(|number: &f64| (1.0..=1e6).contains(number))
                    .map(|number| number.to_string()),
                word => (word == part).then(|| part.to_owned()),
            };
            let parts: Option<Vec<String>> =
                form.split(':').zip(parts).map(canonical).collect::<Option<_>>().filter(|_| has_same_length);
            Some(parts?.join(":"))
        })
    }
}

/// An example value of a form with numbers, such as `luby:100` for `luby:N`.
fn example(form: &str) -> String {
    let part = |part| match part {
        "N" => "100",
        "X" => "1.5",
        word => word,
    };
    form.split(':').map(part).collect::<Vec<_>>().join(":")
}

/// The values of a solver's options. Options that are not in the map have their default values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Options(BTreeMap<String, String>);

impl Options {
    /// Reads `key=value,key=value`; the empty text gives every option its default.
    ///
    /// # Errors
    ///
    /// A pair is not of the form `key=value`, or [`Self::of`] returns an error.
    pub fn parse(text: &str, info: &Info) -> Result<Self, OptionError> {
        let pairs = text.split(',').filter(|_| !text.is_empty()).map(|pair| {
            let error = || OptionError::NotAPair { solver: info.id.clone(), pair: pair.to_owned() };
            pair.split_once('=').ok_or_else(error)
        });
        Self::of(pairs.collect::<Result<Vec<_>, _>>()?, info)
    }

    /// Creates options from pairs of a name and a value. Checks the pairs against the options that the solver declares.
    ///
    /// # Errors
    ///
    /// The solver does not declare an option, an option does not have the value, or an option occurs twice.
    pub fn of<'t>(
        pairs: impl IntoIterator<Item = (&'t str, &'t str)>,
        info: &Info,
    ) -> Result<Self, OptionError> {
        let solver = || info.id.clone();
        let mut values = BTreeMap::new();
        for (name, value) in pairs {
            let option = declared_option(name.trim(), info)?;
            let Some(canonical) = option.canonical(value.trim()) else {
                return Err(OptionError::UnknownValue {
                    solver: solver(),
                    option: name.to_owned(),
                    value: value.to_owned(),
                    values: option.values,
                });
            };
            match values.entry(option.name.to_owned()) {
                Entry::Vacant(entry) => entry.insert((canonical, option.default)),
                Entry::Occupied(_) => {
                    return Err(OptionError::Repeated { solver: solver(), option: name.to_owned() });
                }
            };
        }
        let changed_values = values.into_iter().filter(|(_, (value, default))| value != default);
        Ok(Self(changed_values.map(|(name, (value, _))| (name, value)).collect()))
    }

    /// The value of an option.
    pub fn value<'o>(&'o self, option: &'o SolverOption) -> &'o str {
        self.0.get(option.name).map_or(option.default, String::as_str)
    }

    /// Whether every option has its default.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names and values, sorted by name, without defaults.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl fmt::Display for Options {
    /// `key=value,key=value`, sorted by key, without defaults.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> = self.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.pad(&pairs.join(","))
    }
}

/// The option of a solver with this name.
fn declared_option<'i>(name: &str, info: &'i Info) -> Result<&'i SolverOption, OptionError> {
    let option = info.options.iter().find(|option| option.name == name);
    option.ok_or_else(|| OptionError::UnknownOption {
        solver: info.id.clone(),
        option: name.to_owned(),
        options: info.options.iter().map(|option| option.name).collect(),
    })
}

/// The reason why names and values are not valid options of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionError {
    /// A part of the text is not of the form `key=value`.
    NotAPair {
        /// The id of the solver.
        solver: String,
        /// The part.
        pair: String,
    },
    /// The solver does not declare this option.
    UnknownOption {
        /// The id of the solver.
        solver: String,
        /// The option.
        option: String,
        /// The options that the solver declares.
        options: Vec<&'static str>,
    },
    /// The option does not have this value.
    UnknownValue {
        /// The id of the solver.
        solver: String,
        /// The option.
        option: String,
        /// The value.
        value: String,
        /// The valid values of the option.
        values: &'static [&'static str],
    },
    /// An option has two values.
    Repeated {
        /// The id of the solver.
        solver: String,
        /// The option.
        option: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAPair { solver, pair } => write!(f, "{solver}: '{pair}' is not of the form key=value"),
            Self::UnknownOption { solver, option, options } => {
                let hint = suggestion(option, options.iter().copied());
                let options = if options.is_empty() { "none".to_owned() } else { options.join(", ") };
                write!(f, "{solver} has no option '{option}'; {hint}its options: {options}")
            }
            Self::UnknownValue { solver, option, value, values } => {
                let examples: Vec<String> = values.iter().map(|form| example(form)).collect();
                let hint = suggestion(value, examples.iter().map(String::as_str));
                let values = values.join(", ");
                write!(f, "{solver}: option {option} has no value '{value}'; {hint}choose from {values}")
            }
            Self::Repeated { solver, option } => write!(f, "{solver}: option {option} is given twice"),
        }
    }
}

impl std::error::Error for OptionError {}

/// A solver with values for its options. Its id is `ID:key=value,key=value`.
pub struct ConfiguredSolver<'s> {
    /// The solver.
    pub solver: &'s dyn Solver,
    /// The values that every task gets.
    pub options: Options,
}

impl Solver for ConfiguredSolver<'_> {
    fn info(&self) -> Info {
        let info = self.solver.info();
        if self.options.is_empty() {
            return info;
        }
        // With options other than the defaults, the search tree and the order of the solutions may differ.
        let id = format!("{}:{}", info.id, self.options);
        Info { id, order: Order::Unspecified, walks_published_tree: false, ..info }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        self.solver.search(&Task { options: self.options.clone(), ..task.clone() }, sink)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[&str] = &["first", "smallest"];
    const RESTARTS: &[&str] = &["none", "luby:N", "geometric:N:X"];

    fn info() -> Info {
        let rows = SolverOption {
            name: "rows",
            values: ROWS,
            default: "first",
            about: "The row that is tried next.",
        };
        let restarts = SolverOption {
            name: "restarts",
            values: RESTARTS,
            default: "none",
            about: "When the search begins again.",
        };
        Info { options: vec![rows, restarts], ..Info::named("mine/solver") }
    }

    fn parse(text: &str) -> Result<String, OptionError> {
        Options::parse(text, &info()).map(|options| options.to_string())
    }

    #[test]
    fn options_are_printed_sorted_and_without_defaults() {
        let normalized = |text: &str| parse(text).expect("declared");
        assert_eq!(normalized("rows=smallest,restarts=luby:100"), "restarts=luby:100,rows=smallest");
        assert_eq!(
            normalized("rows = smallest , restarts=geometric:0100:1.50"),
            "restarts=geometric:100:1.5,rows=smallest"
        );
        assert_eq!(normalized("rows=first,restarts=none"), "");
        assert_eq!(normalized(""), "");
        assert_eq!(Options::parse("rows=first", &info()), Ok(Options::default()));
    }

    #[test]
    fn omitted_option_has_its_default_value() {
        let options = Options::parse("restarts=luby:7", &info()).expect("declared");
        let values: Vec<&str> =
            info().options.iter().map(|option| options.value(option).to_owned().leak() as &str).collect();
        assert_eq!(values, ["first", "luby:7"]);
    }

    fn unknown_option_error(option: &str) -> OptionError {
        let (solver, option) = ("mine/solver".to_owned(), option.to_owned());
        OptionError::UnknownOption { solver, option, options: vec!["rows", "restarts"] }
    }

    fn unknown_value_error(option: &str, value: &str, values: &'static [&'static str]) -> OptionError {
        let solver = "mine/solver".to_owned();
        OptionError::UnknownValue { solver, option: option.to_owned(), value: value.to_owned(), values }
    }

    #[test]
    fn every_suggested_value_is_valid_for_its_option() {
        for value in ["luby:N", "luby:0", "luby", "geometric:N:X", "geometric:7", "nome"] {
            let error = parse(&format!("restarts={value}")).expect_err(value).to_string();
            let (_, suggested) = error.split_once("did you mean '").expect("a suggestion");
            let (suggested, _) = suggested.split_once('\'').expect("a quote");
            assert!(suggested != value && parse(&format!("restarts={suggested}")).is_ok(), "{error}");
        }
    }

    #[test]
    fn invalid_options_and_values_are_refused() {
        let solver = || "mine/solver".to_owned();
        for (text, error) in [
            ("row=first", unknown_option_error("row")),
            ("x=1", unknown_option_error("x")),
            ("rows=smalest", unknown_value_error("rows", "smalest", ROWS)),
            ("restarts=luby:0", unknown_value_error("restarts", "luby:0", RESTARTS)),
            ("rows", OptionError::NotAPair { solver: solver(), pair: "rows".to_owned() }),
            ("rows=first,", OptionError::NotAPair { solver: solver(), pair: String::new() }),
            (
                "rows=first,rows=smallest",
                OptionError::Repeated { solver: solver(), option: "rows".to_owned() },
            ),
        ] {
            wording::assert_wording!("options", text, error);
            assert_eq!(parse(text), Err(error), "{text}");
        }
        for value in [
            "luby",
            "luby:-1",
            "luby:1:2",
            "geometric:1",
            "geometric:1:0.5",
            "geometric:1:NaN",
            "geometric:1:inf",
            "first:1",
            "",
        ] {
            let error = unknown_value_error("restarts", value, RESTARTS);
            assert_eq!(parse(&format!("restarts={value}")), Err(error), "{value}");
        }
        let error = Options::parse("rows=first", &Info::named("mine/plain")).expect_err("no options");
        wording::assert_wording!("options", "a solver without options", error);
    }
}
