//! Blocking clauses, the baseline: one solver gets one formula, and a blocking clause for each model. Memory grows with the number of
//! models.

use super::division::Division;
use super::whole::WHOLE;

/// The entry of this strategy in the table.
pub static BLOCKING: Division = Division {
    name: "blocking",
    about: "all solutions by blocking clauses",
    is_for: |backend| backend.blocks_models,
    ..WHOLE
};
