//! Rows in; tables and plots out. Everything here is derived from `runs.csv` and can be made again;
//! the same rows give the same bytes.

pub mod stats;
pub mod tables;
