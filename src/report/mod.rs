//! Rows in; tables and plots out. Everything here is derived from `runs.csv` and can be made again;
//! the same rows give the same bytes.

pub mod stats;
pub mod tables;
/// t
pub struct Titles {
    /// x
    pub experiment: String,
    /// x
    pub question: String,
}
/// w
pub fn write(
    d: &std::path::Path,
    rows: &[crate::record::Row],
    _: &Titles,
) -> Result<(), crate::record::RecordError> {
    crate::record::table::write(d, &tables::timings(rows))?;
    crate::record::table::write(d, &tables::nodes(rows))
}
