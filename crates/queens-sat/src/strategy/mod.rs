//! Strategies: how the solutions of a board are divided among calls of a SAT solver.
//! Each file contains one strategy; this file contains the table of strategies.

mod blocking;
mod cubes;
mod division;
mod lookahead;
mod models;
mod residual;
mod whole;

pub use blocking::BLOCKING;
pub use division::{Division, DivisionInput, Strategy};

use crate::backend::BackendKind;
use crate::symmetry::SymmetryGroup;

/// Every division, the baseline first.
pub static ALL: [&Division; 3] = [&BLOCKING, &whole::WHOLE, &cubes::CUBES];

impl Strategy {
    /// Every strategy, the baseline first.
    pub fn all() -> impl Iterator<Item = Strategy> {
        let strategies_of = |division| SymmetryGroup::ALL.map(|symmetry| Strategy { division, symmetry });
        ALL.into_iter().flat_map(strategies_of)
    }

    /// The strategies that a backend supports.
    pub fn of(backend: &BackendKind) -> impl Iterator<Item = Strategy> + use<'_> {
        Self::all().filter(|strategy| (strategy.division.supports_backend)(backend))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_have_distinct_names_and_descriptions() {
        for (first, second) in [(0, 1), (0, 2), (1, 2)].map(|(first, second)| (ALL[first], ALL[second])) {
            assert!(
                first.name != second.name && first.about != second.about,
                "{}, {}",
                first.name,
                second.name
            );
        }
        for strategy in Strategy::all() {
            let about = strategy.about();
            assert!(about.starts_with(strategy.division.about), "{about}");
            assert_eq!(about.contains("symmetry"), strategy.symmetry != SymmetryGroup::None, "{about}");
        }
    }

    #[test]
    fn backend_enumerates_with_or_without_blocking_clauses() {
        for backend in crate::backend::ALL {
            let names: Vec<&str> = Strategy::of(&backend)
                .filter(|strategy| strategy.symmetry == SymmetryGroup::None)
                .map(|strategy| strategy.division.name)
                .collect();
            let expected_name = if backend.name == "chrono" { "whole" } else { "blocking" };
            assert_eq!(names, [expected_name, "cubes"], "{}", backend.name);
        }
    }
}
