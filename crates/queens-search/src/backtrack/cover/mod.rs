//! Exact cover: rows and columns (and regions) must be covered by queens, in any order.

pub mod dlx;
pub mod dxz;
