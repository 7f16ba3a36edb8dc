//! One formula, one solver, and a clause for each model that forbids it: the baseline. Memory grows with the number of models.

use super::division::Division;
use super::whole::WHOLE;

/// The table entry.
pub static BLOCKING: Division = Division {
    name: "blocking",
    about: "all solutions by blocking clauses",
    is_for: |backend| backend.blocks_models,
    ..WHOLE
};
