//! Reads files of Linux's /proc and /sys. On other systems, all of them are missing.

use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

/// The directory that contains /proc and /sys: `/`, except in tests. Paths are relative to it.
pub struct Root(pub PathBuf);

impl Default for Root {
    fn default() -> Self {
        Self(PathBuf::from("/"))
    }
}

impl Root {
    /// The trimmed text of a file; `None` if it is empty or cannot be read.
    pub fn read(&self, path: &str) -> Option<String> {
        let text = fs::read(self.0.join(path)).ok()?;
        let text = String::from_utf8_lossy(&text).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// Whether a file or folder exists.
    pub fn exists(&self, path: &str) -> bool {
        self.0.join(path).exists()
    }

    /// The value of a file that contains nothing else.
    pub fn number<T: FromStr>(&self, path: &str) -> Option<T> {
        self.read(path)?.parse().ok()
    }

    /// The value of the first line `key: value` of a file; there may be white space before the colon.
    pub fn field(&self, path: &str, key: &str) -> Option<String> {
        let text = self.read(path)?;
        let mut fields = text.lines().filter_map(|line| line.split_once(':'));
        fields.find(|(found, _)| found.trim() == key).map(|(_, value)| value.trim().to_owned())
    }

    /// The value of a line `key: value kB`, in bytes.
    pub fn bytes(&self, path: &str, key: &str) -> Option<u64> {
        self.field(path, key)?.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    }

    /// The paths in a folder whose name is `prefix` followed by a number.
    pub fn numbered(&self, folder: &str, prefix: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(folder)).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
        names
            .filter(|name| name.strip_prefix(prefix).is_some_and(is_number))
            .map(|name| format!("{folder}/{name}"))
            .collect()
    }

    /// The load average over the last minute.
    pub fn load(&self) -> Option<f64> {
        self.read("proc/loadavg")?.split(' ').next()?.parse().ok()
    }
}
