//! The directory of a certificate: a new directory for `certify`, and an existing directory for an audit.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::CertifyError;
use queens_audit::Files;
use supervise::files::{Temporary, open_regular, run_before_removal};

/// A new directory, which is deleted with its content when this value is dropped, unless [`NewDirectory::keep`] is called.
pub struct NewDirectory(Temporary<PathBuf>);

impl NewDirectory {
    /// Creates the directory. Returns an error if the path exists.
    pub fn create(path: &Path) -> Result<Self, CertifyError> {
        let directory = Temporary::new(|| fs::create_dir(path).map(|()| path.to_owned()));
        directory.map(Self).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => CertifyError::Request(format!(
                "{}: this exists already; choose a directory that does not exist",
                plaintext::path(path)
            )),
            kind => io::Error::new(kind, format!("{}: {error}", plaintext::path(path))).into(),
        })
    }

    /// Writes a file into the directory.
    pub fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let path = self.0.join(name);
        let error_with_path =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", plaintext::path(&path)));
        run_before_removal(|| fs::write(&path, content)).map_err(error_with_path)
    }

    /// Consumes this value without deleting the directory.
    pub fn keep(self) {
        self.0.keep(drop);
    }
}

/// The regular files in the directory of a file.
pub struct SiblingFiles<'p>(pub &'p Path);

impl Files for SiblingFiles<'_> {
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(open_regular(&self.0.with_file_name(name))?))
    }
}
