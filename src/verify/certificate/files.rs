//! Files that are digested as they are written.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub(super) use crate::record::hexadecimal;

/// A file of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digested {
    /// Its name, beside the certificate.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
}

impl Digested {
    /// Describes other content under the same name.
    pub(in crate::verify) fn redigest(&mut self, content: &[u8]) {
        self.bytes = content.len() as u64;
        self.sha256 = hexadecimal(&Sha256::digest(content));
    }
}

/// Digests what it passes on to a file.
pub struct Digesting {
    file: File,
    name: String,
    bytes: u64,
    hash: Sha256,
}

impl Digesting {
    /// Creates or replaces a file.
    pub fn create(path: &Path) -> io::Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { file: File::create(path)?, name, bytes: 0, hash: Sha256::new() })
    }

    /// What was written.
    pub fn digested(self) -> Digested {
        Digested { file: self.name, bytes: self.bytes, sha256: hexadecimal(&self.hash.finalize()) }
    }
}

impl Write for Digesting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of FIPS 180-2.
    #[test]
    fn a_file_is_digested_as_it_is_written() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("abc.txt");
        let mut file = Digesting::create(&path).expect("writable");
        file.write_all(b"a").and_then(|()| file.write_all(b"bc")).expect("writable");
        let digested = file.digested();
        assert_eq!((digested.file.as_str(), digested.bytes), ("abc.txt", 3));
        assert_eq!(digested.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(std::fs::read(path).expect("there"), b"abc");
    }
}
