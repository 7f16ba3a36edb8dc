//! The operations of the file system that tables need, so that tests can replace it by a disk that fails.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// A disk.
pub(super) trait Disk: Send {
    /// Writes all bytes, or fails after writing some of them.
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<()>;

    /// Flushes a file to disk (fdatasync).
    fn sync(&mut self, file: &File) -> io::Result<()>;

    /// Renames a new file to `path`, and replaces the old file there.
    fn replace(&mut self, new: NamedTempFile, path: &Path) -> io::Result<()>;
}

/// The disk of this machine.
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

    /// A disk with room for `room` bytes, on which syncing and renaming may fail, too.
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
