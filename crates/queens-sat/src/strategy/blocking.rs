//! The baseline strategy: one solver gets the formula of the whole board, and a blocking clause is added after each model. Memory grows
//! with the number of models.

use super::division::Division;
use super::whole::WHOLE;

/// The entry of this strategy in [`super::ALL`].
pub static BLOCKING: Division = Division {
    name: "blocking",
    about: "all solutions by blocking clauses",
    supports_backend: |backend| backend.blocks_models,
    ..WHOLE
};
