//! A file of a certificate, read once: digested while it is judged, and never read beyond its claimed size.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{AuditError, CertificateFault};
use crate::files::open_regular;
use crate::verify::certificate::files::{Digested, hexadecimal};

/// A file that is being read.
pub(super) struct Source<R> {
    claimed: Digested,
    path: PathBuf,
    input: io::Take<R>,
    bytes: u64,
    hash: Sha256,
    failure: Option<io::Error>,
}

impl Source<File> {
    /// Opens a file beside a certificate: it must be regular and of the claimed size.
    pub fn open(certificate: &Path, claimed: Digested) -> Result<Self, AuditError> {
        let path = certificate.with_file_name(&claimed.file);
        let opened = open_regular(&path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (bytes, file) = opened.map_err(|source| AuditError::Unreadable { path: path.clone(), source })?;
        let source = Self::new(path, claimed, file);
        source.has_size(bytes)?;
        Ok(source)
    }
}

impl<R: Read> Source<R> {
    pub fn new(path: PathBuf, claimed: Digested, input: R) -> Self {
        // One more byte shows that the file is longer than claimed.
        let input = input.take(claimed.bytes.saturating_add(1));
        Self { claimed, path, input, bytes: 0, hash: Sha256::new(), failure: None }
    }

    /// Reads the rest. An error: the file could not be read, or differs from the one in the certificate.
    pub fn end(&mut self) -> Result<(), AuditError> {
        let mut buffer = vec![0; 1 << 16];
        while self.failure.is_none() {
            match self.read(&mut buffer) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // `read` has stored the error.
                Err(_) => {}
            }
        }
        if let Some(failure) = self.failure.take() {
            return Err(self.unreadable(failure));
        }
        self.has_size(self.bytes)?;
        let found = hexadecimal(&self.hash.clone().finalize());
        if found != self.claimed.sha256 {
            return Err(self.differs("SHA-256", self.claimed.sha256.clone(), found));
        }
        Ok(())
    }

    /// The error for a file that could not be read.
    pub fn unreadable(&self, source: io::Error) -> AuditError {
        AuditError::Unreadable { path: self.path.clone(), source }
    }

    fn has_size(&self, bytes: u64) -> Result<(), AuditError> {
        if bytes == self.claimed.bytes {
            return Ok(());
        }
        Err(self.differs("bytes", self.claimed.bytes.to_string(), bytes.to_string()))
    }

    fn differs(&self, what: &'static str, claimed: String, found: String) -> AuditError {
        CertificateFault::File { file: self.claimed.file.clone(), what, claimed, found }.into()
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.input.read(buffer) {
            Ok(read) => {
                self.hash.update(&buffer[..read]);
                self.bytes += read as u64;
                Ok(read)
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
