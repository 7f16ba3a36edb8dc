//! Exact cover searchers: rows, columns and regions must each be covered by one queen, and the search may choose them in any order.

pub mod dlx;
pub mod dxz;
