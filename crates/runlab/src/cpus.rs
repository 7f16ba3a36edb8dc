//! Lists of CPUs that runs are bound to.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A non-empty list of CPU numbers, sorted and without duplicates. Its text has the format of Linux: `0,2-3`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuList(Vec<usize>);

/// The reason why a list of CPUs cannot be read or used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CpuError {
    /// The text is not a list of CPUs.
    #[error("'{}' is not a list of CPUs: write 0, 0-3 or 0,2-3", plaintext::Escaped(.0))]
    NotAList(String),
    /// The first number of a range is larger than its last one.
    #[error("the range {first}-{last} is empty: write {last}-{first}")]
    EmptyRange {
        /// The first number.
        first: usize,
        /// The last number.
        last: usize,
    },
    /// The system cannot bind processes to CPUs.
    #[error("this system cannot bind processes to CPUs")]
    Unsupported,
    /// This process is not allowed to use a CPU of the list.
    #[error("this process cannot use CPU {cpu}, only {usable}")]
    Unusable {
        /// The CPU.
        cpu: usize,
        /// The CPUs that this process is allowed to use.
        usable: CpuList,
    },
}

impl CpuList {
    /// The maximum CPU number, because the affinity mask of the system has 1024 bits.
    pub const MAX: usize = 1023;

    /// The CPU numbers in ascending order.
    pub fn numbers(&self) -> &[usize] {
        &self.0
    }

    /// Splits the list into `jobs` equal shares of neighbouring CPUs; `None` if it cannot be split evenly.
    pub fn shares(&self, jobs: usize) -> Option<Vec<CpuList>> {
        let is_divisible = jobs > 0 && self.0.len().is_multiple_of(jobs);
        is_divisible.then(|| self.0.chunks(self.0.len() / jobs).map(|share| Self(share.to_vec())).collect())
    }

    /// Checks that this process and its children can be bound to these CPUs.
    ///
    /// # Errors
    ///
    /// [`CpuError::Unsupported`], or [`CpuError::Unusable`] with the first CPU that this process is not allowed to use.
    pub fn check_usable(&self) -> Result<(), CpuError> {
        let usable_cpus = Self(supervise::usable_cpus().ok_or(CpuError::Unsupported)?);
        let unusable_cpu = self.0.iter().find(|cpu| !usable_cpus.0.contains(cpu));
        unusable_cpu.map_or(Ok(()), |&cpu| Err(CpuError::Unusable { cpu, usable: usable_cpus }))
    }
}

impl FromStr for CpuList {
    type Err = CpuError;

    fn from_str(text: &str) -> Result<Self, CpuError> {
        let parse_cpu = |word: &str| {
            let cpu = word.trim().parse().ok().filter(|&cpu| cpu <= Self::MAX);
            cpu.ok_or_else(|| CpuError::NotAList(text.to_owned()))
        };
        let mut cpus = Vec::new();
        for item in text.split(',') {
            let (first, last) = match item.split_once('-') {
                Some((first, last)) => (parse_cpu(first)?, parse_cpu(last)?),
                None => (parse_cpu(item)?, parse_cpu(item)?),
            };
            if first > last {
                return Err(CpuError::EmptyRange { first, last });
            }
            cpus.extend(first..=last);
        }
        cpus.sort_unstable();
        cpus.dedup();
        Ok(Self(cpus))
    }
}

impl fmt::Display for CpuList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges = self.0.chunk_by(|a, b| a + 1 == *b).map(|range| match range {
            [first, .., last] => format!("{first}-{last}"),
            one => one.iter().map(usize::to_string).collect(),
        });
        f.write_str(&ranges.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> CpuList {
        text.parse().expect("a list")
    }

    #[test]
    fn cpu_lists_use_the_format_of_linux() {
        for (text, numbers, canonical_text) in [
            ("0", vec![0], "0"),
            ("0-3", vec![0, 1, 2, 3], "0-3"),
            ("7,0,2-3,3", vec![0, 2, 3, 7], "0,2-3,7"),
            ("1,0", vec![0, 1], "0-1"),
            ("1023", vec![1023], "1023"),
        ] {
            assert_eq!(list(text).numbers(), numbers);
            assert_eq!(list(text).to_string(), canonical_text);
        }
        for text in ["", "a", "0-", "-1", "0,,1", "0 1", "1024", "0-1024", "1-2-3", "99999999999999999999"] {
            assert_eq!(text.parse::<CpuList>(), Err(CpuError::NotAList(text.to_owned())));
        }
        let error = "3-1".parse::<CpuList>().expect_err("an empty range");
        assert_eq!(error, CpuError::EmptyRange { first: 3, last: 1 });
        wording::assert_wording!("runlab", "CPUs 3-1", error);
        wording::assert_wording!("runlab", "CPUs x", "x".parse::<CpuList>().expect_err("not a list"));
    }

    #[test]
    fn cpus_are_shared_equally_or_not_at_all() {
        let shares = |text, jobs| {
            list(text).shares(jobs).map(|shares| shares.iter().map(CpuList::to_string).collect())
        };
        assert_eq!(shares("0-3", 2), Some(vec!["0-1".to_owned(), "2-3".to_owned()]));
        assert_eq!(shares("0,4,5", 3), Some(vec!["0".to_owned(), "4".to_owned(), "5".to_owned()]));
        assert_eq!(shares("0-2", 2), None::<Vec<String>>);
        assert_eq!(shares("0", 2), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn cpu_outside_the_affinity_mask_is_refused() {
        let usable = CpuList(supervise::usable_cpus().expect("Linux"));
        assert_eq!(usable.check_usable(), Ok(()));
        if let Some(cpu) = (0..=CpuList::MAX).find(|cpu| !usable.0.contains(cpu)) {
            assert_eq!(CpuList(vec![cpu]).check_usable(), Err(CpuError::Unusable { cpu, usable }));
        }
    }
}
