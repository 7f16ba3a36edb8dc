//! What tables ask of the file system, so that tests can put a disk in its place that fails.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// A disk.
pub(super) trait Disk: Send {
    /// Writes all of it, or fails after any part of it.
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<()>;

    /// Returns when what was written would outlive the power.
    fn sync(&mut self, file: &File) -> io::Result<()>;

    /// Puts a new file in the place of an old one, if there is one.
    fn replace(&mut self, new: NamedTempFile, path: &Path) -> io::Result<()>;
}

/// The disk that there is.
pub(super) struct Real;

impl Disk for Real {
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn sync(&mut self, file: &File) -> io::Result<()> {
        file.sync_data()
    }

    fn replace(&mut self, new: NamedTempFile, path: &Path) -> io::Result<()> {
        new.persist(path).map(drop).map_err(|error| error.error)
    }
}

#[cfg(test)]
pub(super) mod faulty {
    use super::*;

    /// A disk with room for so many bytes; perhaps it also fails to sync or to rename.
    pub struct Faulty {
        pub room: usize,
        pub syncs: bool,
        pub replaces: bool,
    }

    impl Faulty {
        pub fn with_room(room: usize) -> Self {
            Self { room, syncs: true, replaces: true }
        }
    }

    impl Disk for Faulty {
        fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
            let fits = bytes.len().min(self.room);
            file.write_all(&bytes[..fits])?;
            self.room -= fits;
            if fits < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }

        fn sync(&mut self, _file: &File) -> io::Result<()> {
            if self.syncs { Ok(()) } else { Err(io::Error::other("input/output error")) }
        }

        fn replace(&mut self, new: NamedTempFile, path: &Path) -> io::Result<()> {
            if self.replaces { Real.replace(new, path) } else { Err(io::Error::other("input/output error")) }
        }
    }
}
