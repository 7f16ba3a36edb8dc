//! The log of a shard's finished subproblems, from which a killed task resumes.
//!
//! One file per attempt, one line per subproblem: `SUBPROBLEM SOLUTIONS DIGEST CHECK`. Each line is written
//! as a whole, and an attempt writes to its own file only. Reading stops at the first line whose check does
//! not match: a subproblem whose line a killed process cut off, or a crashed node never stored, is searched
//! again. The header names the plan and the shard and has its own check. A damaged header is not taken for
//! the log of another plan, and loses nothing, because the check of each line also covers the plan and the
//! shard.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{ClusterError, ShardPlan};
use crate::record::sha256_hex;
use crate::{files, os};

/// Log files in a shard's working directory have this extension.
const ENDING: &str = "log";

/// The beginning of the first line.
const HEADER: &str = "queenlab shard log 1 ";

/// A crash of the machine loses at most the work of this interval; a killed process loses one subproblem.
const SYNC_INTERVAL: Duration = Duration::from_secs(2);

/// The result of a subproblem, including its images under symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Number of solutions.
    pub solutions: u64,
    /// Sum of the solutions' hashes; `None` where solutions are only counted.
    pub digest: Option<u128>,
}

/// The finished subproblems, by number.
pub type Done = BTreeMap<usize, Found>;

/// The log of one attempt.
pub struct Log {
    file: File,
    path: PathBuf,
    key: String,
    synced: Instant,
}

/// The plan and shard, covered by each line's check, so that a line of another plan or shard does not match.
fn key(plan: &ShardPlan, index: usize) -> String {
    format!("{} {index}", plan.sha256)
}

fn header(plan: &ShardPlan, index: usize) -> String {
    let body = format!("{HEADER}{}", key(plan, index));
    format!("{body} {}\n", check(&body))
}

/// Whether the first line of a log is an undamaged header.
fn is_header(line: &str) -> bool {
    let parts = line.strip_suffix('\n').and_then(|line| line.rsplit_once(' '));
    parts.is_some_and(|(body, found)| body.starts_with(HEADER) && found == check(body))
}

/// The first 8 hexadecimal digits of a SHA-256.
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
    /// Creates the log of a new attempt in the shard's working directory.
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

    /// Appends the result of a subproblem. It is flushed to disk (fdatasync) every two seconds.
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

/// Reads the subproblems that all attempts at a shard have finished.
///
/// # Errors
///
/// A log that cannot be read or belongs to another plan or shard, or two attempts with different results.
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

/// The lines of a log before the first one whose check fails; `None` for the log of another plan or shard.
fn parse(text: &[u8], plan: &ShardPlan, index: usize) -> Option<Vec<(usize, Found)>> {
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    // Bytes that are not UTF-8 were never written here: the check of their line fails.
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
                // A new line end makes a second line, and no line after one that fails its check is used.
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
