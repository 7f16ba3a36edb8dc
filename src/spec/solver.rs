//! `[[solver]]`: a pattern that selects solvers, with their settings and options.

use serde::{Deserialize, Serialize};

use super::axis::Factors;
use super::place::{Located, Place, SpecError, SpecSource};
use super::settings::Settings;
use super::table::{SpecTable, combinations, line, prose, unprintable};
use crate::board::sizes::Sizes;

/// The names of series in reports. A text is empty if the experiment does not give one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Naming {
    /// The name that reports show in place of the solver's id.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The group that the series belongs to.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub group: String,
}

/// A pattern that selects solvers, with settings and options for them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SolverChoice {
    /// Glob pattern over solver ids.
    #[serde(rename = "id")]
    pub pattern: Located<String>,
    /// What distinguishes the solver from the previous solver of the experiment, for the report; empty if the experiment does not give it.
    #[serde(skip_serializing_if = "is_empty")]
    pub idea: Located<String>,
    /// The name of the series in reports; empty if the experiment does not give one.
    #[serde(skip_serializing_if = "is_empty")]
    pub label: Located<String>,
    /// The group of the series in reports; empty if the experiment does not give one.
    #[serde(skip_serializing_if = "is_empty")]
    pub group: Located<String>,
    /// Combinations of options that are not run.
    #[serde(skip_serializing_if = "is_empty_list")]
    pub exclude: Located<Vec<Factors>>,
    /// Settings that replace those of the sweep.
    #[serde(flatten)]
    pub settings: Settings,
    /// Options of the solvers.
    #[serde(flatten)]
    pub options: Factors,
}

pub(super) fn is_empty(text: &Located<String>) -> bool {
    text.is_empty()
}

pub(super) fn is_empty_list(exclude: &Located<Vec<Factors>>) -> bool {
    exclude.is_empty()
}

impl SolverChoice {
    /// A pattern without settings and options.
    pub fn of(pattern: &str, place: Place) -> Self {
        Self { pattern: Located::new(pattern.to_owned(), place), ..Self::default() }
    }

    pub(super) fn read(mut table: SpecTable<'_>) -> Result<Self, SpecError> {
        let choice = Self {
            pattern: table.required("id", line)?,
            idea: table.optional("idea", prose)?.unwrap_or_default(),
            label: table.optional("label", line)?.unwrap_or_default(),
            group: table.optional("group", line)?.unwrap_or_default(),
            exclude: table.optional("exclude", combinations)?.unwrap_or_default(),
            settings: Settings::read_for_solver(&mut table)?,
            options: Factors::new(),
        };
        Ok(Self { options: table.unread_keys()?.into_iter().collect(), ..choice })
    }

    /// Checks what can be checked without the registry of solvers. `sizes` are those of the sweep.
    pub(super) fn check(&self, source: &SpecSource, sizes: &Sizes) -> Result<(), SpecError> {
        if let Some(reason) = unprintable(&self.pattern) {
            return Err(source.error("id", self.pattern.place(), reason));
        }
        self.settings.check_sizes(source, sizes)?;
        for (key, text) in [("idea", &self.idea), ("label", &self.label)] {
            if !text.is_empty() && self.pattern.contains(['*', '?', '[', '{']) {
                let reason =
                    format!("'{}' may select several solvers: write the id of one solver", *self.pattern);
                return Err(source.error(key, text.place(), reason));
            }
        }
        check_excluded(source, &self.exclude, &self.options)
    }

    /// The names of the series in reports.
    pub fn naming(&self) -> Naming {
        Naming { label: self.label.to_string(), group: self.group.to_string() }
    }

    /// The place of the first option, or that of the pattern if there are no options.
    pub fn place_of_options(&self) -> &Place {
        let keys = self.options.values().map(Located::place);
        keys.min_by_key(|place| match place {
            Place::File { key, .. } => key.start,
            _ => 0,
        })
        .unwrap_or(self.pattern.place())
    }
}

/// Checks that excluded combinations contain only values of these factors, and that each combination has a factor.
pub(super) fn check_excluded(
    source: &SpecSource,
    excluded: &Located<Vec<Factors>>,
    factors: &Factors,
) -> Result<(), SpecError> {
    let exclude_error = |reason: String| Err(source.error("exclude", excluded.place(), reason));
    for (name, values) in excluded.iter().flatten() {
        let all_values = factors.get(name).map_or(&[][..], |texts| &texts.0);
        if all_values.is_empty() {
            return exclude_error(format!(
                "'{name}' has no values to exclude: name an option or a factor of this table"
            ));
        }
        if values.0.iter().any(|value| !all_values.contains(value)) {
            let (values, all_values) = (values.0.join(", "), all_values.join(", "));
            return exclude_error(format!("'{values}' is not among the values of '{name}' ({all_values})"));
        }
    }
    match excluded.iter().any(Factors::is_empty) {
        true => exclude_error("a table without keys would exclude all combinations".to_owned()),
        false => Ok(()),
    }
}
