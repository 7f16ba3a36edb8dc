//! Opens files from untrusted sources.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file for reading. Anything else is refused, because reading a FIFO, a terminal or a device
/// such as `/dev/zero` might never end. Symbolic links are followed. The check is made on the open handle, so
/// the file cannot be replaced between the check and the first read.
///
/// # Errors
///
/// Those of [`File::open`], and [`io::ErrorKind::InvalidInput`] for anything that is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    // Opening a FIFO without a writer would block; a terminal could become the controlling one.
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32);
    }
    let file = options.open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_file() {
        return Ok(file);
    }
    let what = if kind.is_dir() { "a directory" } else { special(kind) };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("this is {what}, not a regular file")))
}

/// Reads a regular file of at most `most` bytes, opened by [`open_regular`].
///
/// # Errors
///
/// Those of [`open_regular`], and [`io::ErrorKind::InvalidData`] for a larger file.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    open_regular(path)?.take(most.saturating_add(1)).read_to_end(&mut content)?;
    if content.len() as u64 <= most {
        return Ok(content);
    }
    Err(too_large(most))
}

/// The error for a file that has more than `most` bytes.
pub fn too_large(most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the file is larger than {} MiB", most >> 20))
}

#[cfg(unix)]
fn special(kind: std::fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() { "a FIFO" } else { "a device" }
}

#[cfg(not(unix))]
fn special(_: std::fs::FileType) -> &'static str {
    "a device"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regular_file_is_opened_and_a_directory_is_refused() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("x");
        std::fs::write(&path, "text").expect("writable");
        let mut text = String::new();
        open_regular(&path).and_then(|mut file| file.read_to_string(&mut text)).expect("readable");
        assert_eq!(text, "text");
        let error = open_regular(directory.path()).expect_err("a directory");
        // Windows does not open directories at all.
        if cfg!(unix) {
            assert_eq!(error.to_string(), "this is a directory, not a regular file");
        }
        let error = open_regular(&directory.path().join("y")).expect_err("it is not there");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn fifos_devices_and_links_to_them_are_refused_without_waiting() {
        use std::os::unix::fs::symlink;
        let directory = tempfile::tempdir().expect("a temporary directory");
        let [fifo, link] = ["fifo", "link"].map(|name| directory.path().join(name));
        let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo starts");
        assert!(made.success());
        symlink("/dev/zero", &link).expect("a link");
        let refused = |path: &Path| open_regular(path).expect_err("not regular").to_string();
        assert_eq!(refused(&fifo), "this is a FIFO, not a regular file");
        assert_eq!(refused(&link), "this is a device, not a regular file");
        assert_eq!(refused(Path::new("/dev/null")), "this is a device, not a regular file");
    }
}
