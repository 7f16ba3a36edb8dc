//! Counts shards, each of which writes a small result file to a directory, and merges the files.
//!
//! The subproblems of a shard follow from the board size, the number of shards and the version, so there is no plan file. A shard
//! has no lock, because machines may not see each other's locks; see [`Checkpoint`].

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ShouldStop;
use super::checkpoint::{Checkpoint, Stored, differences, identity};
use super::column_set::Work;
use super::error::{CountError, failed};
use super::run::{Counted, Job, ProgressObserver, count, division};
use super::shard::Shard;

/// The extension of a finished shard's file.
const RESULT: &str = "count";

/// Counts a shard, and writes its result to a directory, for example as `n22-shard-3-of-64.count`. Resumes from the checkpoint of an
/// earlier process, and does nothing if the result exists. If the result is damaged, the shard is counted again.
///
/// # Errors
///
/// The errors of [`count`]; a result of another process that has another number of solutions.
pub fn count_shard(
    job: &Job,
    directory: &Path,
    stop: ShouldStop<'_>,
    watch: &mut ProgressObserver<'_>,
) -> Result<Counted, CountError> {
    let (identity, _) = job.divide()?;
    fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
    let name = format!("n{}-shard-{}-of-{}", job.n, job.shard.number(), job.shard.of());
    let [result, checkpoint] = [RESULT, "checkpoint"].map(|end| directory.join(format!("{name}.{end}")));
    let finished = || match Checkpoint::resume(&result, &identity) {
        Err(CountError::File(_)) => Ok(None),
        result => result.map(|checkpoint| checkpoint.filter(Checkpoint::is_complete)),
    };
    if let Some(checkpoint) = finished()? {
        return Ok(Counted { earlier: checkpoint.finished, checkpoint, work: Work::default() });
    }
    let counted = count(job, Some(&checkpoint), stop, watch)?;
    if counted.checkpoint.is_complete() {
        match finished()? {
            Some(other) => agree(&result, &other, &counted.checkpoint)?,
            None => counted.checkpoint.write(&result)?,
        }
        // Another process may have removed the checkpoint.
        let _ = fs::remove_file(&checkpoint);
    }
    Ok(counted)
}

/// Fails if two results of a shard differ.
fn agree(path: &Path, result: &Checkpoint, other: &Checkpoint) -> Result<(), CountError> {
    let (path, solutions, others) = (plaintext::path(path), result.solutions, other.solutions);
    if solutions == others {
        return Ok(());
    }
    Err(CountError::Disagree(format!(
        "{path} has {solutions} solutions, but another result of this shard has {others}"
    )))
}

/// The merged results of all shards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The number of shards.
    pub shards: usize,
    /// The number of solutions of all shards.
    pub solutions: u128,
    /// The sum of the wall times of all shards.
    pub wall: Duration,
    /// The numbers of shards with more than one result.
    pub doubled: Vec<usize>,
}

/// Merges the results of all shards of a board in a directory, and ignores results of other board sizes.
///
/// # Errors
///
/// A file that cannot be read or is damaged; a result of another board size, version or total number of shards; results of one shard
/// that differ; shards without a result.
pub fn merge(n: usize, directory: &Path) -> Result<Merged, CountError> {
    let unfit = |path: &Path, reason: &str| CountError::File(format!("{}: {reason}", plaintext::path(path)));
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let paths = entries.map_err(|error| failed(directory, error))?.into_iter().map(|entry| entry.path());
    let is_result = |path: &PathBuf| {
        path.extension() == Some(RESULT.as_ref()) && named_size(path).is_none_or(|named| named == n)
    };
    let mut paths: Vec<PathBuf> = paths.filter(is_result).collect();
    paths.sort_unstable();
    let sets = division(n)?;
    let whole = identity(n, Shard::WHOLE, &sets);
    let mut results: BTreeMap<usize, Checkpoint> = BTreeMap::new();
    let (mut shards, mut doubled) = (None, Vec::new());
    for path in paths {
        let stored = Stored::read(&path)?;
        if named_size(&path).is_none() && stored.n().is_some_and(|other| other != n) {
            continue;
        }
        let shard = stored.shard().unwrap_or(Shard::WHOLE);
        let (number, of) = (shard.number(), *shards.get_or_insert(shard.of()));
        let expected = whole.replacen("shard=1/1", &format!("shard={number}/{of}"), 1);
        if stored.identity != expected {
            let differences = differences(&stored.identity, &expected);
            return Err(unfit(&path, &format!("does not belong here: {differences}")));
        }
        let result = stored.checkpoint()?;
        if !result.is_complete() {
            return Err(unfit(&path, "is not finished: run the shard again"));
        }
        match results.get(&number) {
            Some(other) => agree(&path, &result, other).map(|()| doubled.push(number))?,
            None => drop(results.insert(number, result)),
        }
    }
    let shards = shards.ok_or_else(|| unfit(directory, "has no results of shards, which end in .count"))?;
    let missing = shards - results.len();
    if missing > 0 {
        let numbers = gaps(results.keys().copied(), shards);
        return Err(CountError::Failed(format!("{missing} of {shards} shards have no result: {numbers}")));
    }
    doubled.dedup();
    let solutions = results.values().map(|result| u128::from(result.solutions)).sum();
    Ok(Merged { shards, solutions, wall: results.values().map(|result| result.wall).sum(), doubled })
}

/// The board size in the name of a result file; `None` if the file has been renamed.
fn named_size(path: &Path) -> Option<usize> {
    path.file_name()?.to_str()?.strip_prefix('n')?.split_once("-shard-")?.0.parse().ok()
}

/// The numbers of `1..=last` that are missing from the ascending `numbers`, as ranges. The time depends on `numbers` and not on `last`,
/// because a small file may claim any number of shards.
fn gaps(numbers: impl Iterator<Item = usize>, last: usize) -> String {
    let mut next = 1;
    let mut gaps = Vec::new();
    // `last + 1` may not fit into a usize.
    let behind = last as u128 + 1;
    for number in numbers.map(|number| number as u128).chain([behind]) {
        match number - next {
            0 => {}
            1 => gaps.push(next.to_string()),
            _ => gaps.push(format!("{next}-{}", number - 1)),
        }
        next = number + 1;
    }
    gaps.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_board::published;

    fn run(shard: &str, directory: &Path) -> Result<Counted, CountError> {
        let job = Job { shard: shard.parse().expect("a shard"), ..Job::new(13) };
        count_shard(&job, directory, &|| false, &mut |_| {})
    }

    fn three(directory: &Path) {
        for shard in ["1/3", "2/3", "3/3"] {
            run(shard, directory).expect("it counts");
        }
    }

    fn stored(path: &Path) -> Checkpoint {
        Stored::read(path).and_then(Stored::checkpoint).expect("a result")
    }

    /// Compares the message of an error about a directory.
    fn assert_message(key: &str, error: &CountError, directory: &Path) {
        let message = error.to_string().replace(&plaintext::path(directory).to_string(), "DIR");
        wording::assert_wording!("shard", key, message.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    }

    #[test]
    fn shards_write_small_files_with_the_published_count() {
        let directory = tempfile::tempdir().expect("a directory");
        let out = directory.path().join("new/shards");
        three(&out);
        let names: Vec<String> = fs::read_dir(&out)
            .expect("a directory")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
            .collect();
        assert!(names.len() == 3 && names.contains(&"n13-shard-3-of-3.count".to_owned()), "{names:?}");
        let merged = merge(13, &out).expect("complete");
        assert_eq!(
            (merged.shards, merged.solutions),
            (3, published::solutions(13).expect("published").into())
        );
        assert!(merged.doubled.is_empty() && !merged.wall.is_zero());
        let again = run("2/3", &out).expect("nothing to do");
        assert_eq!((again.earlier, again.work), (again.checkpoint.finished, Work::default()));
    }

    #[test]
    fn merge_names_missing_and_duplicate_shards() {
        let directory = tempfile::tempdir().expect("a directory");
        let out = directory.path();
        let empty = merge(13, out).expect_err("no results");
        assert!(matches!(empty, CountError::File(_)), "{empty}");
        assert_message("no results", &empty, out);
        for number in [1, 2, 5, 7] {
            run(&format!("{number}/7"), out).expect("it counts");
        }
        let missing = merge(13, out).expect_err("three are missing");
        assert!(matches!(missing, CountError::Failed(_)), "{missing}");
        assert_message("missing shards", &missing, out);
        for number in [3, 4, 6] {
            run(&format!("{number}/7"), out).expect("it counts");
        }
        fs::copy(out.join("n13-shard-4-of-7.count"), out.join("copy.count")).expect("copied");
        let merged = merge(13, out).expect("complete");
        assert_eq!((merged.doubled, merged.solutions), (vec![4], 73_712));
    }

    #[test]
    fn merge_refuses_foreign_and_contradictory_results() {
        let directory = tempfile::tempdir().expect("a directory");
        let out = directory.path();
        three(out);
        let (shard_file, other) = (out.join("n13-shard-2-of-3.count"), out.join("other.count"));
        let text = fs::read_to_string(&shard_file).expect("a text");
        let refused = |text: &str| {
            fs::write(&other, text).expect("written");
            merge(13, out).expect_err("refused")
        };
        for (key, damaged) in [
            ("half a result", &text[..text.len() / 2]),
            ("a changed result", &text.replace("solutions=", "solutions=1")),
            ("an empty file", ""),
            ("other text", "my notes\n"),
        ] {
            let error = refused(damaged);
            assert!(matches!(error, CountError::File(_)), "{error}");
            assert_message(key, &error, out);
        }
        let sealed = |from: &str, to: &str| {
            let mut result = stored(&shard_file);
            match from {
                "" => result.solutions += 1,
                line => result.identity = result.identity.replace(line, to),
            }
            result.to_string()
        };
        let version = concat!("version=", env!("CARGO_PKG_VERSION"));
        let fourth = run("2/4", &out.join("other")).expect("it counts").checkpoint;
        for (key, other) in [
            ("another version", sealed(version, "version=9.9.9")),
            ("another number of shards", fourth.to_string()),
            ("another partition", sealed("partition=924:", "partition=924:0")),
        ] {
            let error = refused(&other);
            assert!(matches!(error, CountError::File(_)), "{error}");
            assert_message(key, &error, out);
        }
        let error = refused(&sealed("", ""));
        assert!(matches!(error, CountError::Disagree(_)), "{error}");
        assert_message("another count", &error, out);
        fs::remove_file(&other).expect("removed");
        assert!(merge(13, out).is_ok());
    }

    #[test]
    fn merge_ignores_results_of_other_sizes() {
        let directory = tempfile::tempdir().expect("a directory");
        let out = directory.path();
        three(out);
        let other = Job { shard: "1/2".parse().expect("a shard"), ..Job::new(12) };
        count_shard(&other, out, &|| false, &mut |_| {}).expect("it counts");
        fs::write(out.join("n14-shard-1-of-2.count"), "damaged").expect("written");
        fs::copy(out.join("n12-shard-1-of-2.count"), out.join("renamed.count")).expect("copied");
        assert_eq!(merge(13, out).expect("complete").solutions, 73_712);
        // A result of another board size is refused if its name has this size.
        fs::copy(out.join("n12-shard-1-of-2.count"), out.join("n13-shard-1-of-2.count")).expect("copied");
        assert!(matches!(merge(13, out), Err(CountError::File(_))));
    }

    #[test]
    fn merge_time_is_independent_of_shard_total() {
        let directory = tempfile::tempdir().expect("a directory");
        let out = directory.path();
        three(out);
        let mut result = stored(&out.join("n13-shard-2-of-3.count"));
        fs::remove_dir_all(out).and_then(|()| fs::create_dir(out)).expect("emptied");
        result.identity = result.identity.replace("2/3", "2/18446744073709551615");
        (result.done, result.finished) = (vec![true], 1);
        fs::write(out.join("x.count"), result.to_string()).expect("written");
        let error = merge(13, out).expect_err("most are missing");
        assert!(error.to_string().contains("1,3-18446744073709551615"), "{error}");
        assert_eq!(gaps([1, 2, 5, 7].into_iter(), 7), "3-4,6");
        assert_eq!(gaps([].into_iter(), 1), "1");
    }

    #[test]
    fn shard_resumes_from_checkpoint_and_replaces_damaged_result() {
        let directory = tempfile::tempdir().expect("a directory");
        let out = directory.path();
        let job = Job { shard: "2/3".parse().expect("a shard"), ..Job::new(14) };
        let mut finished = 0;
        let stopped = std::sync::atomic::AtomicBool::new(false);
        let stop = || stopped.load(std::sync::atomic::Ordering::Relaxed);
        let first = count_shard(&job, out, &stop, &mut |progress| {
            finished = progress.checkpoint.finished;
            stopped.store(finished == 50, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(first.expect("stopped").checkpoint.finished, 50);
        assert!(matches!(merge(14, out), Err(CountError::File(_))), "a checkpoint is not a result");
        let whole = count_shard(&job, out, &|| false, &mut |_| {}).expect("it counts");
        assert_eq!((whole.earlier, whole.checkpoint.finished), (50, 572));
        let alone = count(&job, None, &|| false, &mut |_| {}).expect("it counts");
        assert_eq!(whole.checkpoint.solutions, alone.checkpoint.solutions);
        let result = out.join("n14-shard-2-of-3.count");
        let text = fs::read_to_string(&result).expect("a text");
        fs::write(&result, &text[..text.len() - 5]).expect("written");
        let again = count_shard(&job, out, &|| false, &mut |_| {}).expect("it counts");
        assert_eq!((again.earlier, again.checkpoint.solutions), (0, alone.checkpoint.solutions));
        assert_eq!(stored(&result), again.checkpoint);
    }

    /// The second attempt ends while the first attempt still counts, and both use the same file.
    #[test]
    fn simultaneous_attempts_at_one_shard_leave_valid_result() {
        let directory = tempfile::tempdir().expect("a directory");
        let out = directory.path();
        let job = Job { shard: "1/2".parse().expect("a shard"), ..Job::new(13) };
        let mut other = None;
        let first = count_shard(&job, out, &|| false, &mut |progress| {
            if progress.checkpoint.finished == 100 {
                other = Some(count_shard(&job, out, &|| false, &mut |_| {}).expect("it counts"));
            }
        });
        let (first, other) = (first.expect("it counts").checkpoint, other.expect("it ran").checkpoint);
        assert_eq!((first.solutions, first.finished), (other.solutions, other.finished));
        assert_eq!(fs::read_dir(out).expect("a directory").count(), 1);
        run("2/2", out).expect("it counts");
        assert_eq!(merge(13, out).expect("complete").solutions, 73_712);
        // A wrong count by one of two attempts is an error.
        let result = out.join("n13-shard-1-of-2.count");
        let mut wrong = stored(&result);
        wrong.solutions += 8;
        let erring = count_shard(&job, &out.join("again"), &|| false, &mut |progress| {
            if progress.checkpoint.finished == 100 {
                wrong.write(&out.join("again/n13-shard-1-of-2.count")).expect("written");
            }
        });
        assert!(matches!(erring, Err(CountError::Disagree(_))));
    }
}
