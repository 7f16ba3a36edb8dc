//! A file of a certificate. The file is read only once: its digest is computed while its content is checked. At most one byte more than
//! the claimed size is read.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

use super::description::Digested;
use super::{AuditError, CertificateFault, Files, hexadecimal};

/// A file that is being read.
pub struct Source<'a> {
    claimed: &'a Digested,
    input: io::Take<Box<dyn Read + 'a>>,
    bytes: u64,
    hash: Sha256,
    failure: Option<io::Error>,
}

impl<'a> Source<'a> {
    /// Opens a file that the certificate describes.
    pub fn open(claimed: &'a Digested, files: &'a dyn Files) -> Result<Self, AuditError> {
        let unreadable = |source| AuditError::Unreadable { file: claimed.file.clone(), source };
        // One byte more than claimed is read, to detect a longer file.
        let input = files.open(&claimed.file).map_err(unreadable)?.take(claimed.bytes.saturating_add(1));
        Ok(Self { claimed, input, bytes: 0, hash: Sha256::new(), failure: None })
    }

    /// Reads the rest of the file. Returns an error if the file cannot be read, or differs from its description.
    pub fn finish(&mut self) -> Result<(), AuditError> {
        let copy_error = if self.failure.is_none() { io::copy(self, &mut io::sink()).err() } else { None };
        if let Some(source) = self.failure.take().or(copy_error) {
            return Err(AuditError::Unreadable { file: self.claimed.file.clone(), source });
        }
        self.check_property("bytes", &self.claimed.bytes.to_string(), self.bytes.to_string())?;
        self.check_property("SHA-256", &self.claimed.sha256, hexadecimal(&self.hash.clone().finalize()))
    }

    fn check_property(
        &self,
        property: &'static str,
        claimed: &str,
        actual: String,
    ) -> Result<(), AuditError> {
        if claimed == actual {
            return Ok(());
        }
        let (file, claimed) = (self.claimed.file.clone(), claimed.to_owned());
        Err(CertificateFault::File { file, property, claimed, actual }.into())
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.input.read(buffer) {
            Ok(length) => {
                self.hash.update(&buffer[..length]);
                self.bytes += length as u64;
                Ok(length)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let copy = io::Error::new(error.kind(), error.to_string());
                self.failure = Some(error);
                Err(copy)
            }
        }
    }
}
