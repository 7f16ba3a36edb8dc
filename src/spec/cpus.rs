//! Lists of CPUs that runs are bound to.

use std::fmt;
use std::str::FromStr;

use super::axis::Axis;
use crate::board::sizes::ranges;

/// A non-empty list of CPU numbers, sorted and without duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuList(Vec<usize>);

impl CpuList {
    /// The largest CPU number: the system's affinity mask has 1024 bits.
    pub const MAX: usize = 1023;

    /// The CPU numbers in ascending order.
    pub fn numbers(&self) -> &[usize] {
        &self.0
    }

    /// Splits the list into `jobs` equal shares of neighbouring CPUs; `None` if it cannot be split evenly.
    pub fn shares(&self, jobs: usize) -> Option<Vec<CpuList>> {
        let even = jobs > 0 && self.0.len().is_multiple_of(jobs);
        even.then(|| self.0.chunks(self.0.len() / jobs).map(|share| Self(share.to_vec())).collect())
    }
}

impl FromStr for CpuList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("'{text}' is not a list of CPUs: write 0, 0-3 or 0,2-3");
        let number = |word: &str| word.parse().ok().filter(|&cpu| cpu <= Self::MAX as u64).ok_or_else(bad);
        let cpus = Axis::read_numbers(text, number)?.map(|cpu| usize::try_from(cpu).unwrap_or(Self::MAX));
        let mut cpus = cpus.values().to_vec();
        cpus.sort_unstable();
        Ok(Self(cpus))
    }
}

impl fmt::Display for CpuList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ranges(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> CpuList {
        text.parse().expect("a list")
    }

    #[test]
    fn lists_are_read_and_written_as_linux_does() {
        for (text, numbers, written) in [
            ("0", vec![0], "0"),
            ("0-3", vec![0, 1, 2, 3], "0-3"),
            ("7,0,2-3,3", vec![0, 2, 3, 7], "0,2-3,7"),
            ("1,0", vec![0, 1], "0-1"),
            ("1023", vec![1023], "1023"),
        ] {
            assert_eq!(list(text).numbers(), numbers);
            assert_eq!(list(text).to_string(), written);
        }
        for text in ["", "a", "0-", "-1", "0,,1", "0 1", "1024", "0-1024", "1-2-3", "99999999999999999999"] {
            assert!(text.parse::<CpuList>().is_err(), "{text}");
        }
        let empty = "3-1".parse::<CpuList>().expect_err("an empty range");
        wording::assert_wording!("machine", "CPUs 3-1", empty);
    }

    #[test]
    fn shares_are_equal_or_none() {
        let shares = |text, jobs| {
            list(text).shares(jobs).map(|shares| shares.iter().map(CpuList::to_string).collect())
        };
        assert_eq!(shares("0-3", 2), Some(vec!["0-1".to_owned(), "2-3".to_owned()]));
        assert_eq!(shares("0,4,5", 3), Some(vec!["0".to_owned(), "4".to_owned(), "5".to_owned()]));
        assert_eq!(shares("0-2", 2), None::<Vec<String>>);
        assert_eq!(shares("0", 2), None);
    }
}
