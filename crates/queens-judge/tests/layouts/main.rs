//! Checks that the judge reads the layouts that a person can read, and never calls a faulty text correct.
//!
//! These tests use only the public function `judge`. Their solutions come from brute force.
//!
//! ```text
//! design.rs    combinations of axis values in which every pair occurs
//! judged.rs    calls the judge
//! boards.rs    solutions by brute force, and solutions with a fault
//! grids.rs     generated drawn boards             numbers.rs   generated boards written as numbers
//! beside.rs    generated boards side by side      around.rs    text around boards: headings, prompts, traces, statistics
//! measure.rs   judges generated texts, and counts the expected verdicts for each axis value
//! pairs.rs     two notations in one text          files.rs     layouts and outputs in tests/data/layouts
//! counts.rs    stated numbers of solutions        negatives.rs texts without boards, or with boards that are not solutions
//! tables.rs    tables of counts, times and memory, alone and beside boards
//! languages.rs output of programs in many languages
//! effort.rs    the number of bytes that are read, and the speed
//! ```
//!
//! With `LAYOUTS_FAILURES=DIR`, texts without the expected verdict are written to this directory. With `LAYOUTS_SEED=200`, the
//! long tests judge the combinations of another seed.

// Tests convert small numbers freely.
#![allow(clippy::cast_possible_truncation)]

mod around;
mod beside;
mod boards;
mod counts;
mod design;
mod effort;
mod files;
mod grids;
mod judged;
mod languages;
mod measure;
mod negatives;
mod numbers;
mod pairs;
mod tables;
