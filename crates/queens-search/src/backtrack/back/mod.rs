//! Searchers that compare a square with each queen above it, and differ in the row to which they return from a row that has no
//! column left.

pub mod backjumping;
pub mod cbj;
pub mod conflicts;
pub mod row_by_row;
