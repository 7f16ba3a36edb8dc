//! The readers of queenlab, for the fuzz targets: the functions that tests/corpus.rs runs, too.

#[path = "../../tests/readers/mod.rs"]
pub mod readers;
