//! The reader functions that the fuzz targets share with tests/all/corpus.rs and with the tests of lrat-check.

#[path = "../../crates/lrat-check/tests/readers/mod.rs"]
pub mod checker;
#[path = "../../tests/readers/mod.rs"]
pub mod readers;
