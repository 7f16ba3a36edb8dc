//! Options of solvers: what a solver declares, and the values that a task gives it.
//!
//! On the command line a selection is `ID:key=value,key=value`. [`Options`] keeps only the values that differ from the
//! defaults, sorted by name, so that equal settings have one text.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Info, Order, Outcome, Sink, SolveError, Solver, Task};
use crate::words::suggestion;

/// An option that a solver declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SolverOption {
    /// Its name.
    pub name: &'static str,
    /// Its values: words, and forms such as `geometric:N:X`, in which `N` is a whole number from 1 and `X` a decimal
    /// number from 1.
    pub values: &'static [&'static str],
    /// The value that it has unless another one is given.
    pub default: &'static str,
    /// What it decides, in one sentence.
    pub about: &'static str,
}

impl SolverOption {
    /// The canonical text of a value: numbers without leading zeros. `None` if the option has no such value.
    fn canonical(&self, value: &str) -> Option<String> {
        self.values.iter().find_map(|form| {
            let parts: Vec<&str> = value.split(':').collect();
            let same_length = parts.len() == form.split(':').count();
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
                form.split(':').zip(parts).map(canonical).collect::<Option<_>>().filter(|_| same_length);
            Some(parts?.join(":"))
        })
    }
}

/// A value of a form with numbers: `luby:100` of `luby:N`.
fn example(form: &str) -> String {
    let part = |part| match part {
        "N" => "100",
        "X" => "1.5",
        word => word,
    };
    form.split(':').map(part).collect::<Vec<_>>().join(":")
}

/// The values of a solver's options. An option without a value here has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Options(BTreeMap<String, String>);

impl Options {
    /// Reads `key=value,key=value`; the empty text gives every option its default. An error names the solver and the
    /// option, and what to write instead.
    pub fn parse(text: &str, info: &Info) -> Result<Self, String> {
        let pairs = text.split(',').filter(|_| !text.is_empty()).map(|pair| {
            let missing = || format!("{}: '{pair}' is not of the form key=value", info.id);
            pair.split_once('=').ok_or_else(missing)
        });
        Self::of(pairs.collect::<Result<Vec<_>, _>>()?, info)
    }

    /// Checks names and values against what the solver declares. An error names the solver and the option, and what to
    /// write instead.
    pub fn of<'t>(pairs: impl IntoIterator<Item = (&'t str, &'t str)>, info: &Info) -> Result<Self, String> {
        let mut given = BTreeMap::new();
        for (name, value) in pairs {
            let option = declared(name.trim(), info)?;
            let Some(canonical) = option.canonical(value.trim()) else {
                let examples: Vec<String> = option.values.iter().map(|form| example(form)).collect();
                let near = suggestion(value, examples.iter().map(String::as_str));
                let (id, values) = (&info.id, option.values.join(", "));
                return Err(format!(
                    "{id}: option {name} has no value '{value}'; {near}choose from {values}"
                ));
            };
            match given.entry(option.name.to_owned()) {
                Entry::Vacant(place) => place.insert((canonical, option.default)),
                Entry::Occupied(_) => return Err(format!("{}: option {name} is given twice", info.id)),
            };
        }
        let given = given.into_iter().filter(|(_, (value, default))| value != default);
        Ok(Self(given.map(|(name, (value, _))| (name, value)).collect()))
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
fn declared<'i>(name: &str, info: &'i Info) -> Result<&'i SolverOption, String> {
    let found = info.options.iter().find(|option| option.name == name);
    found.ok_or_else(|| {
        let names = info.options.iter().map(|option| option.name);
        let known = match names.clone().collect::<Vec<_>>().as_slice() {
            [] => "it has no options".to_owned(),
            names => format!("it has {}", names.join(", ")),
        };
        format!("{} has no option '{name}'; {}{known}", info.id, suggestion(name, names))
    })
}

/// A solver with values for its options. Its id is `ID:key=value,key=value`.
pub struct Configured<'s> {
    /// The solver.
    pub solver: &'s dyn Solver,
    /// The values that every task gets.
    pub options: Options,
}

impl Solver for Configured<'_> {
    fn info(&self) -> Info {
        let info = self.solver.info();
        if self.options.is_empty() {
            return info;
        }
        // With other options it may walk another tree, in another order.
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

    fn info() -> Info {
        let rows = SolverOption {
            name: "rows",
            values: &["first", "smallest"],
            default: "first",
            about: "The row that is tried next.",
        };
        let restarts = SolverOption {
            name: "restarts",
            values: &["none", "luby:N", "geometric:N:X"],
            default: "none",
            about: "When the search begins again.",
        };
        Info { options: vec![rows, restarts], ..Info::named("mine/solver") }
    }

    fn parse(text: &str) -> Result<String, String> {
        Options::parse(text, &info()).map(|options| options.to_string())
    }

    #[test]
    fn options_are_shown_sorted_and_without_defaults() {
        let shown = |text: &str| parse(text).expect("declared");
        assert_eq!(shown("rows=smallest,restarts=luby:100"), "restarts=luby:100,rows=smallest");
        assert_eq!(
            shown("rows = smallest , restarts=geometric:0100:1.50"),
            "restarts=geometric:100:1.5,rows=smallest"
        );
        assert_eq!(shown("rows=first,restarts=none"), "");
        assert_eq!(shown(""), "");
        assert_eq!(Options::parse("rows=first", &info()), Ok(Options::default()));
    }

    #[test]
    fn a_value_that_is_not_given_is_the_default() {
        let options = Options::parse("restarts=luby:7", &info()).expect("declared");
        let values: Vec<&str> =
            info().options.iter().map(|option| options.value(option).to_owned().leak() as &str).collect();
        assert_eq!(values, ["first", "luby:7"]);
    }

    #[test]
    fn every_suggested_value_is_one_that_the_option_has() {
        for value in ["luby:N", "luby:0", "luby", "geometric:N:X", "geometric:7", "nome"] {
            let told = parse(&format!("restarts={value}")).expect_err(value);
            let (_, suggested) = told.split_once("did you mean '").expect("a suggestion");
            let (suggested, _) = suggested.split_once('\'').expect("a quote");
            assert!(suggested != value && parse(&format!("restarts={suggested}")).is_ok(), "{told}");
        }
    }

    #[test]
    fn a_wrong_option_is_answered_with_the_nearest_right_one() {
        for (text, told) in [
            ("row=first", "mine/solver has no option 'row'; did you mean 'rows'? it has rows, restarts"),
            ("x=1", "mine/solver has no option 'x'; it has rows, restarts"),
            (
                "rows=smalest",
                "mine/solver: option rows has no value 'smalest'; did you mean 'smallest'? choose from first, smallest",
            ),
            (
                "restarts=luby:0",
                "mine/solver: option restarts has no value 'luby:0'; did you mean 'luby:100'? choose from none, luby:N, \
                 geometric:N:X",
            ),
            ("rows", "mine/solver: 'rows' is not of the form key=value"),
            ("rows=first,", "mine/solver: '' is not of the form key=value"),
            ("rows=first,rows=smallest", "mine/solver: option rows is given twice"),
        ] {
            assert_eq!(parse(text), Err(told.to_owned()), "{text}");
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
            assert!(parse(&format!("restarts={value}")).is_err(), "{value}");
        }
        let none = Options::parse("rows=first", &Info::named("mine/plain"));
        assert_eq!(none, Err("mine/plain has no option 'rows'; it has no options".to_owned()));
    }
}
