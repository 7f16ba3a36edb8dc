#![doc = include_str!("../README.md")]
//!
//! Files:
//!
//! ```text
//! decode.rs       encodings, line ends and escape sequences, of a whole text or of a stream
//! escape.rs       escaping for output: one line, several lines, JSON, cells, LaTeX
//! serde_error.rs  error messages of serde, reworded for the author of a file
//! ```

mod decode;
mod escape;
mod serde_error;

pub use decode::{Decoder, NotUtf8, decode, utf8};
pub use escape::{
    Escaped, EscapedLines, EscapingWriter, cell, is_plain, is_printable, json, latex, one_line, path,
};
pub use serde_error::explain_serde_error;
