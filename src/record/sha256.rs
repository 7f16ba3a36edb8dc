//! SHA-256 as it is usually written: lower-case hexadecimal digits.

use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes, as 64 hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// A finished digest in hexadecimal digits.
pub fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
