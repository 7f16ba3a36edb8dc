//! Lists of CPUs in the notation of Linux: `0`, `0-3`, `0,2-3`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A non-empty list of CPU numbers, sorted and without duplicates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
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
        let number = |word: &str| word.parse::<usize>().ok().filter(|&cpu| cpu <= Self::MAX).ok_or_else(bad);
        let mut cpus = Vec::new();
        for part in text.split(',') {
            match part.split_once('-') {
                None => cpus.push(number(part)?),
                Some((first, last)) => {
                    let (first, last) = (number(first)?, number(last)?);
                    if first > last {
                        return Err(format!("the range {part} is empty: write {last}-{first}"));
                    }
                    cpus.extend(first..=last);
                }
            }
        }
        cpus.sort_unstable();
        cpus.dedup();
        Ok(Self(cpus))
    }
}

impl TryFrom<String> for CpuList {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<CpuList> for String {
    fn from(list: CpuList) -> Self {
        list.to_string()
    }
}

impl fmt::Display for CpuList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges = self.0.chunk_by(|a, b| a + 1 == *b);
        for (position, range) in ranges.enumerate() {
            let comma = if position > 0 { "," } else { "" };
            match range {
                [first, .., last] => write!(f, "{comma}{first}-{last}")?,
                _ => write!(f, "{comma}{}", range[0])?,
            }
        }
        Ok(())
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
        assert_eq!("3-1".parse::<CpuList>(), Err("the range 3-1 is empty: write 1-3".to_owned()));
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
