#![doc = include_str!("../README.md")]
//!
//! Files:
//!
//! ```text
//! decode.rs  encodings, line ends and escape sequences, of a whole text or of a stream
//! escape.rs  one line, several lines, JSON, cells, LaTeX
//! misread.rs error messages of serde, reworded for the author of a file
//! ```

mod decode;
mod escape;
mod misread;

pub use decode::{Decoder, NotUtf8, decode, utf8};
pub use escape::{
    Escaped, EscapedLines, EscapingWriter, cell, is_plain, is_printable, json, latex, one_line, path,
};
pub use misread::misread;
