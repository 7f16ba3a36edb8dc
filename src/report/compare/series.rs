//! Compares two series of one result within rounds.

use std::collections::BTreeSet;

use super::{Cells, Comparison, Pairing, ReportKey, attempted_cells, different_files};
use crate::experiment::StoredResults;
use crate::report::tables::ReportCell;
use plaintext::Escaped;

/// Two series that cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeriesError {
    /// No solver of the result has this name or label.
    #[error("no series '{}'; this result has {}", Escaped(.name), Escaped(.series.join(", ")))]
    Unknown {
        /// The name.
        name: String,
        /// The solvers of the result.
        series: Vec<String>,
    },
    /// Both names are names of the same series.
    #[error("'{}' and '{}' are the same series", Escaped(.0), Escaped(.1))]
    Same(String, String),
    /// The two series have no problem and goal in common.
    #[error("'{}' and '{}' have no problem and goal in common", Escaped(.0), Escaped(.1))]
    NothingInCommon(String, String),
}

impl<'a> Comparison<'a> {
    /// Compares two series of the same result within rounds. Each series is named by its solver or its label.
    ///
    /// # Errors
    ///
    /// A series is unknown, both series are the same, or they have no problem and goal in common.
    pub fn of_series(
        stored: &'a StoredResults,
        of: &str,
        baseline: &str,
        within_percent: f64,
    ) -> Result<Self, SeriesError> {
        let cells = attempted_cells(stored);
        let (new, old) = (series(stored, &cells, of)?, series(stored, &cells, baseline)?);
        if new == old {
            return Err(SeriesError::Same(of.to_owned(), baseline.to_owned()));
        }
        // The cells of both series get the solver and the number of threads of the first series, so that they match.
        let is_match = |key: &ReportKey<'a>, other: &ReportKey<'a>| {
            (key.problems, key.goal) == (other.problems, other.goal)
                && (key.threads == other.threads || (new.len(), old.len()) == (1, 1))
        };
        let cells_of_series = |keys: &BTreeSet<ReportKey<'a>>| -> Cells<'a> {
            let mut matching_cells = Cells::new();
            for (cell, runs) in &cells {
                let Some(key) = keys.get(&ReportKey::of_cell(cell)) else { continue };
                let Some(ReportKey { solver, threads, .. }) =
                    new.iter().find(|new_key| is_match(key, new_key))
                else {
                    continue;
                };
                matching_cells.insert(ReportCell { solver, threads: *threads, ..*cell }, runs.clone());
            }
            matching_cells
        };
        let sides = [cells_of_series(&old), cells_of_series(&new)];
        if sides.iter().any(Cells::is_empty) {
            return Err(SeriesError::NothingInCommon(of.to_owned(), baseline.to_owned()));
        }
        let differences = differences(stored, &old, &new);
        let comparison = Self { differences, ..Self::new(within_percent, Pairing::Rounds) };
        Ok(comparison.compare_cells(&sides[0], &sides[1]))
    }
}

/// The differences between the versions and files of two series.
fn differences(
    stored: &StoredResults,
    old: &BTreeSet<ReportKey<'_>>,
    new: &BTreeSet<ReportKey<'_>>,
) -> Vec<String> {
    let [Some(old), Some(new)] = [old, new].map(|keys| keys.first().map(|key| key.solver.as_str())) else {
        return Vec::new();
    };
    let version = |solver: &str| stored.meta.as_ref()?.solvers.get(solver).cloned();
    let versions = version(old).zip(version(new)).map(|(was, is)| [was, is]);
    let versions = versions.filter(|[was, is]| was != is);
    let files = different_files([(stored, old), (stored, new)]);
    let pairs = [("version", versions), ("files", files)].into_iter();
    pairs
        .filter_map(|(what, pair)| pair.map(|[was, is]| format!("{what}: {was} in {old}, {is} in {new}")))
        .collect()
}

/// The series of the solver with this name or label.
fn series<'a>(
    stored: &StoredResults,
    cells: &Cells<'a>,
    name: &str,
) -> Result<BTreeSet<ReportKey<'a>>, SeriesError> {
    let keys: BTreeSet<ReportKey<'a>> = cells.keys().map(ReportKey::of_cell).collect();
    let has_label = |key: &&ReportKey<'_>| {
        let names = stored.plan.as_ref().and_then(|plan| plan.names.get(key.solver.as_str()));
        names.is_some_and(|names| names.label == name)
    };
    let keys_by_id: BTreeSet<ReportKey<'a>> =
        keys.iter().filter(|key| *key.solver == *name).copied().collect();
    let keys_by_label: BTreeSet<ReportKey<'a>> = keys.iter().filter(has_label).copied().collect();
    let matching_keys = if keys_by_id.is_empty() { keys_by_label } else { keys_by_id };
    if matching_keys.is_empty() {
        let solvers: BTreeSet<&str> = keys.iter().map(|key| key.solver.as_str()).collect();
        let series = solvers.into_iter().map(ToOwned::to_owned).collect();
        return Err(SeriesError::Unknown { name: name.to_owned(), series });
    }
    Ok(matching_keys)
}
