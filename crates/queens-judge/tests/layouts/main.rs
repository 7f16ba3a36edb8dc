//! Measures how many of the layouts that a person reads at a glance the judge reads, and that it never confirms a faulty text.
//!
//! These tests do not look into the judge: they call `judge` alone, and their solutions come from brute force.
//!
//! ```text
//! design.rs    combinations of axis values in which every pair occurs
//! judged.rs    the judge, and how it may end
//! boards.rs    solutions by brute force, and texts with a fault
//! grids.rs     drawn boards, generated            numbers.rs   boards written as numbers, generated
//! around.rs    what stands around boards: headings, prompts, traces, statistics
//! measure.rs   judges what is generated, and prints a table for each axis value
//! pairs.rs     two notations in one text          files.rs     layouts and outputs in tests/data/layouts
//! counts.rs    numbers of solutions, and none     negatives.rs texts that are not boards, or not solutions
//! tables.rs    tables of counts, times and memory, alone and beside boards
//! languages.rs what programs in many languages print
//! effort.rs    how much is read, and how fast     beside.rs    boards beside each other, generated
//! ```
//!
//! `LAYOUTS_FAILURES=DIR` keeps the texts that are not judged as they should be; `LAYOUTS_SEED=200` makes the long tests judge the
//! combinations of another seed.

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
