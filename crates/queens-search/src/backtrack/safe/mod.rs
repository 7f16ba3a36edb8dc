//! Searchers that place one queen per row (or column) and always backtrack to the row above, and searchers that test complete
//! assignments only. The searchers differ in how they test whether a square is attacked.

pub mod backmarking;
pub mod bitmask;
pub mod bitmask_recursive;
pub mod board_scan;
pub mod board_scan_columns;
pub mod column_scan;
pub mod exhaustive;
pub mod flag_arrays;
pub mod line_by_line;
pub mod nested_loops;
pub mod permutations;
pub mod permutations_pruned;
