//! The directory of a certificate: a new one for `certify`, and one that exists already for an audit.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::CertifyError;
use crate::audit::Files;
use crate::files::{Temporary, before_the_end, open_regular};

/// A new directory. It is deleted with everything in it on drop, unless it is kept.
pub struct NewDirectory(Temporary<Directory>);

struct Directory(PathBuf);

impl AsRef<Path> for Directory {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // The error to report is the one that prevented the certificate.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl NewDirectory {
    /// Creates the directory. An error if the name is in use.
    pub fn create(path: &Path) -> Result<Self, CertifyError> {
        let created = Temporary::new(|| fs::create_dir(path).map(|()| Directory(path.to_owned())));
        created.map(Self).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => CertifyError::Exists(path.to_owned()),
            kind => io::Error::new(kind, format!("{}: {error}", path.display())).into(),
        })
    }

    /// Writes a file into it.
    pub fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let path = self.0.as_ref().join(name);
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        before_the_end(|| fs::write(&path, content)).map_err(named)
    }

    /// Keeps it.
    pub fn keep(self) {
        self.0.kept(std::mem::forget);
    }
}

/// The regular files beside a file.
pub struct Beside<'p>(pub &'p Path);

impl Files for Beside<'_> {
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(open_regular(&self.0.with_file_name(name))?))
    }
}
