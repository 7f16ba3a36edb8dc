//! Files whose digest is computed while they are written.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::files::{Temporary, before_the_end};
use crate::os;

pub(super) use crate::record::hexadecimal;

/// A file of a certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digested {
    /// Its name, beside the certificate.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
}

impl Digested {
    /// Describes this content under the same name.
    pub fn redigest(&mut self, content: &[u8]) {
        self.bytes = content.len() as u64;
        self.sha256 = hexadecimal(&Sha256::digest(content));
    }
}

/// A new directory for a certificate in parts. It is deleted on drop unless it is kept.
pub struct NewDirectory(Temporary<Directory>);

/// A directory that is deleted with everything in it on drop.
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
    pub fn create(path: &Path) -> io::Result<Self> {
        Temporary::new(|| fs::create_dir(path).map(|()| Directory(path.to_owned()))).map(Self)
    }

    /// Writes a file into it.
    pub fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        before_the_end(|| fs::write(self.0.as_ref().join(name), content))
    }

    /// Keeps it.
    pub fn keep(self) {
        self.0.kept(std::mem::forget);
    }
}

/// A new file, digested while it is written. It has a temporary name in its directory, and is deleted on drop
/// unless it is given its final name.
pub struct Digesting {
    file: Temporary<NamedTempFile>,
    path: PathBuf,
    bytes: u64,
    hash: Sha256,
}

impl Digesting {
    /// Creates a file whose final path will be this one.
    pub fn create(path: &Path) -> io::Result<Self> {
        let part = |part: Option<&OsStr>| part.unwrap_or_default().to_owned();
        let (mut prefix, mut suffix) = (part(path.file_stem()), OsString::from("."));
        prefix.push(".");
        suffix.push(part(path.extension()));
        let directory = path.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let named = || tempfile::Builder::new().prefix(&prefix).suffix(&suffix).tempfile_in(directory);
        let file = Temporary::new(named)?;
        // Temporary files are private, but others must be able to read a certificate.
        os::let_others_read(file.as_file())?;
        Ok(Self { file, path: path.to_owned(), bytes: 0, hash: Sha256::new() })
    }

    /// Describes the written content, under the final name.
    pub fn digested(&self) -> Digested {
        let file = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Digested { file, bytes: self.bytes, sha256: hexadecimal(&self.hash.clone().finalize()) }
    }

    /// Reads the written content from its beginning: from the open file, even if its name was reused.
    pub fn read_back(&self) -> io::Result<impl Read> {
        let mut file = self.file.as_file();
        file.rewind()?;
        Ok(file)
    }

    /// Its temporary path.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Gives the file its final name, replacing an earlier file, and returns the name.
    pub fn keep(self) -> io::Result<PathBuf> {
        self.file.kept(|file| file.persist(&self.path)).map_err(|error| error.error)?;
        Ok(self.path)
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
    fn a_file_is_digested_as_it_is_written_and_appears_as_a_whole() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("abc.txt");
        let mut file = Digesting::create(&path).expect("writable");
        file.write_all(b"a").and_then(|()| file.write_all(b"bc")).expect("writable");
        let digested = file.digested();
        assert_eq!((digested.file.as_str(), digested.bytes), ("abc.txt", 3));
        assert_eq!(digested.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let mut read = String::new();
        file.read_back().and_then(|mut file| file.read_to_string(&mut read)).expect("readable");
        assert_eq!(read, "abc");
        assert!(!path.exists());
        assert_eq!(file.keep().expect("writable"), path);
        assert_eq!(std::fs::read(&path).expect("there"), b"abc");
        drop(Digesting::create(&path).expect("writable"));
        assert_eq!(std::fs::read_dir(directory.path()).expect("readable").count(), 1);
    }
}
