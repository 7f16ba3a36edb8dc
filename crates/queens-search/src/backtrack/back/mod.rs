//! Where to return to? These searchers compare a square with the queens above it. They differ in the row to which they return from
//! one that has no column left.

pub mod backjumping;
pub mod cbj;
pub mod conflicts;
pub mod row_by_row;
