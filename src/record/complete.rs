//! Finds the end of the last complete line of a file whose writer may have been killed while it wrote.

use std::io::{self, BufRead, BufReader, Read};

use super::LARGEST;
use crate::files;

/// Number of bytes that are read at once.
pub(super) const BLOCK: usize = 1 << 16;

/// Returns the length of a text up to the end of its last complete line, and its total length, in bytes.
/// `ends` receives each byte in order and returns whether it ends a line. Memory: one block.
///
/// # Errors
///
/// Those of reading, and [`io::ErrorKind::InvalidData`] for more than 1 GiB.
pub fn complete_lines(text: impl Read, mut ends: impl FnMut(u8) -> bool) -> io::Result<(usize, usize)> {
    let mut text = BufReader::with_capacity(BLOCK, text.take(LARGEST + 1));
    let (mut complete, mut length) = (0, 0);
    loop {
        let block = text.fill_buf()?;
        let read = block.len();
        if read == 0 {
            break;
        }
        for &byte in block {
            length += 1;
            if ends(byte) {
                complete = length;
            }
        }
        text.consume(read);
    }
    if length as u64 > LARGEST { Err(files::too_large(LARGEST)) } else { Ok((complete, length)) }
}
