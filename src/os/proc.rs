//! Reads files of Linux's /proc and /sys. On other systems, all of them are missing.

use std::fs;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

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

    /// The time since the system started during which some process could run and had no CPU.
    pub fn cpu_stall(&self) -> Option<Duration> {
        let text = self.read("proc/pressure/cpu")?;
        let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
        let total = some.split(' ').find_map(|field| field.strip_prefix("total="))?;
        Some(Duration::from_micros(total.parse().ok()?))
    }

    /// The load average over the last minute.
    pub fn load(&self) -> Option<f64> {
        self.read("proc/loadavg")?.split(' ').next()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stall_of_the_cpu_is_read_where_the_kernel_has_it() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let root = Root(directory.path().to_owned());
        assert_eq!(root.cpu_stall(), None);
        fs::create_dir_all(directory.path().join("proc/pressure")).expect("a folder");
        let text = "some avg10=1.00 avg60=2.00 avg300=3.00 total=4567\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=9\n";
        fs::write(directory.path().join("proc/pressure/cpu"), text).expect("written");
        assert_eq!(root.cpu_stall(), Some(Duration::from_micros(4567)));
        fs::write(directory.path().join("proc/pressure/cpu"), "some total=x\n").expect("written");
        assert_eq!(root.cpu_stall(), None);
    }
}
