//! Backjumping searchers. They compare a square with the queens above it, up to the first conflict. They differ in the row to which
//! the search returns when all columns of a row have been tried.

pub mod backjumping;
pub mod cbj;
pub mod conflicts;
pub mod row_by_row;
