//! Shards: the parts into which the subproblems of a count are divided.

use std::fmt;
use std::iter::StepBy;
use std::ops::Range;
use std::str::FromStr;

/// A shard: every K-th subproblem. Shard I of K, numbered from 1, has the subproblems I - 1, I - 1 + K, and so on.
/// Adjacent subproblems take about the same time, so all shards take about the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    total: usize,
}

impl Shard {
    /// The shard with all subproblems.
    pub const WHOLE: Shard = Shard { number: 1, total: 1 };

    /// The number of this shard, from 1.
    pub fn number(self) -> usize {
        self.number
    }

    /// The number of shards.
    pub fn total(self) -> usize {
        self.total
    }

    /// The indices of this shard's subproblems. `count` is the number of all subproblems.
    pub fn subproblems(self, count: usize) -> StepBy<Range<usize>> {
        (self.number - 1..count).step_by(self.total)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.total)
    }
}

impl FromStr for Shard {
    type Err = NotAShard;

    fn from_str(text: &str) -> Result<Self, NotAShard> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, total)| Some((number.parse().ok()?, total.parse().ok()?)));
        let shard = numbers
            .map(|(number, total)| Shard { number, total })
            .filter(|s| (1..=s.total).contains(&s.number));
        shard.ok_or(NotAShard)
    }
}

/// The error for a text that is not a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write I/K, for example 3/64: the third of 64 shards, counted from 1")]
pub struct NotAShard;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shard_is_parsed_as_number_and_total() {
        assert_eq!("3/64".parse(), Ok(Shard { number: 3, total: 64 }));
        for bad in ["0/4", "5/4", "1/0", "1", "3", "/", "a/b", "1/", "-1/4", "1/2/3", ""] {
            assert_eq!(bad.parse::<Shard>(), Err(NotAShard), "{bad}");
        }
        wording::assert_wording!("shard", "not a shard", NotAShard);
    }
}
