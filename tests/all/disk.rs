//! Small file systems for tests of a full disk.

use std::path::PathBuf;
use std::process::Command;

/// A file system in memory, which is unmounted when this value is dropped.
pub struct Disk(pub PathBuf);

impl Disk {
    /// Mounts a file system. Returns `None` and prints a remark if this user may not mount.
    pub fn new(at: PathBuf, size: &str) -> Option<Self> {
        std::fs::create_dir(&at).expect("a writable directory");
        let disk = Self(at);
        if disk.mount(&["-t", "tmpfs", "-o", &format!("size={size}"), "none"]) {
            return Some(disk);
        }
        println!("skipped: this user may not mount a tmpfs; full disks are not tried");
        None
    }

    pub fn mount(&self, arguments: &[&str]) -> bool {
        let mount = Command::new("mount").args(arguments).arg(&self.0).output();
        mount.is_ok_and(|output| output.status.success())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}
