//! Untrusted text. What comes in is decoded, whatever the editor or the shell made of it; what goes out is escaped, so that it
//! cannot start a line, move the cursor, hide itself or change the direction of reading.
//!
//! ```
//! use plaintext::{Escaped, decode, utf8};
//!
//! assert_eq!(decode(b"\xef\xbb\xbf\x1b[32m92\x1b[0m\r\n"), "92\n");
//! assert_eq!(utf8(b"\xff\xfe9\0").unwrap_err().to_string(), "it is UTF-16, not UTF-8: save it as UTF-8");
//! assert_eq!(Escaped("bitmask\nverified").to_string(), "bitmask\\nverified");
//! ```
//!
//! ```text
//! decode.rs  encodings, line ends and escape sequences, of a whole text or of a stream
//! escape.rs  one line, several lines, JSON, cells, LaTeX
//! misread.rs what serde says about a file, in words for its author
//! ```

mod decode;
mod escape;
mod misread;

pub use decode::{Decoder, NotUtf8, decode, utf8};
pub use escape::{
    Escaped, EscapedLines, EscapingWriter, cell, is_plain, is_printable, json, latex, one_line, path,
};
pub use misread::misread;
