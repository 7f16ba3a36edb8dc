//! What the finished subproblems of a shard came to, so that a killed task goes on where it was.
//!
//! A file an attempt, a line a subproblem, each written as a whole: `SUBPROBLEM SOLUTIONS DIGEST CHECK`.
//! Nobody appends to another attempt's file. Reading takes the lines up to the first that does not
//! check: what a killed process tore off, or a crashed node never stored, is searched again. The header
//! names the plan and the shard, with a check of its own: a damaged one is no log of another plan, and
//! costs nothing, for the check of each line covers plan and shard.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{ClusterError, ShardPlan};
use crate::record::sha256_hex;
use crate::{files, os};

/// Files of this ending in a shard's working directory are logs.
const ENDING: &str = "log";

/// How the first line begins.
const HEADER: &str = "queenlab shard log 1 ";

/// A crash of the machine costs so much work at most; a killed process costs one subproblem.
const SYNC_INTERVAL: Duration = Duration::from_secs(2);

/// What a subproblem came to, images under symmetry included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Solutions.
    pub solutions: u64,
    /// Sum of their hashes, where boards are visited.
    pub digest: Option<u128>,
}

/// The subproblems that are done, by their numbers.
pub type Done = BTreeMap<usize, Found>;

/// The log of one attempt.
pub struct Log {
    file: File,
    path: PathBuf,
    key: String,
    synced: Instant,
}

/// What each line's check covers beside the line: a line of another plan or shard does not check.
fn key(plan: &ShardPlan, index: usize) -> String {
    format!("{} {index}", plan.sha256)
}

fn header(plan: &ShardPlan, index: usize) -> String {
    let body = format!("{HEADER}{}", key(plan, index));
    format!("{body} {}\n", check(&body))
}

/// Whether the first line of a log is whole.
fn is_header(line: &str) -> bool {
    let parts = line.strip_suffix('\n').and_then(|line| line.rsplit_once(' '));
    parts.is_some_and(|(body, found)| body.starts_with(HEADER) && found == check(body))
}

/// The first 8 digits of a SHA-256.
fn check(text: &str) -> String {
    let mut digits = sha256_hex(text.as_bytes());
    digits.truncate(8);
    digits
}

fn line(key: &str, subproblem: usize, found: Found) -> String {
    let digest = found.digest.map_or_else(|| "-".to_owned(), |digest| format!("{digest:032x}"));
    let body = format!("{subproblem} {} {digest}", found.solutions);
    format!("{body} {}\n", check(&format!("{key} {body}")))
}

impl Log {
    /// Begins the log of a new attempt in the shard's working directory.
    pub fn begin(directory: &Path, plan: &ShardPlan, index: usize) -> Result<Self, ClusterError> {
        let fail = |error| ClusterError::io(index, directory, error);
        let file =
            tempfile::Builder::new().prefix("attempt-").suffix(&format!(".{ENDING}")).tempfile_in(directory);
        let mut file = file.map_err(fail)?;
        file.write_all(header(plan, index).as_bytes()).map_err(fail)?;
        os::let_others_read(file.as_file()).map_err(fail)?;
        let (file, path) = file.keep().map_err(|error| fail(error.error))?;
        Ok(Self { file, path, key: key(plan, index), synced: Instant::now() })
    }

    /// Adds a subproblem.
    pub fn append(&mut self, subproblem: usize, found: Found) -> Result<(), String> {
        let mut write = || {
            self.file.write_all(line(&self.key, subproblem, found).as_bytes())?;
            if self.synced.elapsed() >= SYNC_INTERVAL {
                self.file.sync_data()?;
                self.synced = Instant::now();
            }
            Ok(())
        };
        write().map_err(|error: std::io::Error| format!("{}: {error}", self.path.display()))
    }
}

/// Reads what all attempts at a shard have finished. Logs of another plan are an error, and so are two
/// attempts that found different things.
pub fn read(directory: &Path, plan: &ShardPlan, index: usize) -> Result<Done, ClusterError> {
    let fail = |error: std::io::Error| ClusterError::io(index, directory, error);
    let mut done = Done::new();
    for entry in std::fs::read_dir(directory).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            let text = files::read_regular(&path, u64::MAX)
                .map_err(|error| ClusterError::io(index, &path, error))?;
            let found = parse(&text, plan, index);
            let found = found.ok_or_else(|| ClusterError::Foreign { index, path: path.clone() })?;
            for (subproblem, found) in found {
                let earlier = *done.entry(subproblem).or_insert(found);
                if earlier != found {
                    return Err(ClusterError::Disagree {
                        index,
                        first: format!("subproblem {subproblem}: {earlier:?}"),
                        second: format!("{found:?} in {}", path.display()),
                    });
                }
            }
        }
    }
    Ok(done)
}

/// The lines of a log up to the first that does not check; `None` for the log of another plan or shard.
fn parse(text: &[u8], plan: &ShardPlan, index: usize) -> Option<Vec<(usize, Found)>> {
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    // Bytes that are no UTF-8 were never written here: the line that has them does not check.
    let text = String::from_utf8_lossy(&text[..whole]);
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    if is_header(first) && first != header(plan, index) {
        return None;
    }
    let key = key(plan, index);
    let checked = lines.map_while(|text| {
        let mut fields = text.split(' ');
        let subproblem: usize = fields.next()?.parse().ok()?;
        let solutions: u64 = fields.next()?.parse().ok()?;
        let digest = match fields.next()? {
            "-" => None,
            digits => Some(u128::from_str_radix(digits, 16).ok()?),
        };
        let found = Found { solutions, digest };
        let own = subproblem < plan.subproblems && subproblem % plan.shards == index;
        (own && text == line(&key, subproblem, found)).then_some((subproblem, found))
    });
    Some(checked.collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cluster::TaskKind;

    fn plan() -> ShardPlan {
        ShardPlan::search(TaskKind::Enumerate, 10, None, Some(2), Some(4)).expect("a plan")
    }

    fn log_of(plan: &ShardPlan, index: usize, found: &[(usize, Found)]) -> String {
        let lines = found.iter().map(|&(subproblem, found)| line(&key(plan, index), subproblem, found));
        header(plan, index) + &lines.collect::<String>()
    }

    fn three() -> Vec<(usize, Found)> {
        let found = |solutions| Found { solutions, digest: Some(u128::from(solutions) << 70) };
        [(1, found(7)), (5, found(0)), (9, found(u64::MAX))].into()
    }

    #[test]
    fn every_byte_may_be_the_last_one_and_whole_lines_count() {
        let plan = plan();
        let text = log_of(&plan, 1, &three());
        for end in 0..=text.len() {
            let lines = text[..end].matches('\n').count().saturating_sub(1);
            assert_eq!(parse(&text.as_bytes()[..end], &plan, 1), Some(three()[..lines].to_vec()), "{end}");
        }
    }

    #[test]
    fn a_log_of_another_plan_or_shard_is_told_from_a_torn_one() {
        let (one, other) = (plan(), ShardPlan::search(TaskKind::Enumerate, 10, None, Some(2), Some(5)));
        assert_eq!(parse(log_of(&one, 1, &three()).as_bytes(), &other.expect("a plan"), 1), None);
        assert_eq!(parse(log_of(&one, 1, &three()).as_bytes(), &one, 3), None);
    }

    #[test]
    fn a_damaged_header_costs_nothing_and_lines_of_another_plan_are_not_believed_behind_one() {
        let plan = plan();
        let text = log_of(&plan, 1, &three());
        let length = text.find('\n').expect("a header");
        for at in 0..length {
            for bit in 0..8 {
                let mut changed = text.clone().into_bytes();
                changed[at] ^= 1 << bit;
                // A new line end makes a second line, and no line is believed behind one that does not check.
                let expected = if changed[at] == b'\n' { Vec::new() } else { three() };
                assert_eq!(parse(&changed, &plan, 1), Some(expected), "bit {bit} of byte {at}");
            }
        }
        let foreign = log_of(&plan, 3, &[(3, three()[0].1)]).replacen("queenlab", "queenlap", 1);
        assert_eq!(parse(foreign.as_bytes(), &plan, 1), Some(Vec::new()));
    }

    proptest! {
        #[test]
        fn no_changed_byte_is_believed(at in 0_usize..1000, byte: u8) {
            let plan = plan();
            let text = log_of(&plan, 1, &three());
            let mut changed = text.clone().into_bytes();
            let lines = text.find('\n').expect("a header") + 1;
            let at = lines + at % (changed.len() - lines);
            prop_assume!(changed[at] != byte);
            changed[at] = byte;
            let found = parse(&changed, &plan, 1).unwrap_or_default();
            let line = text[..at].matches('\n').count().saturating_sub(1);
            prop_assert!(found.len() <= line && three().starts_with(&found), "{found:?}");
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes: Vec<u8>) {
            let plan = plan();
            let _ = parse(&bytes, &plan, 1);
            let after = [log_of(&plan, 1, &three()).into_bytes(), bytes].concat();
            prop_assert_eq!(parse(&after, &plan, 1), Some(three()));
        }
    }
}
