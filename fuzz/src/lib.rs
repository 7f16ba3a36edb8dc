//! The reader functions that the fuzz targets share with tests/corpus.rs.

#[path = "../../tests/readers/mod.rs"]
pub mod readers;
