//! Counts shards, each of which writes a small result file to a directory, and merges the files.
//!
//! The subproblems of a shard follow from the board size, the number of shards and the version, so there is no plan file. A shard
//! has no lock, because machines may not see each other's locks; see [`Checkpoint`].

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ShouldStop;
use super::checkpoint::{Checkpoint, CheckpointFile, differences, identity};
use super::column_set::Work;
use super::error::{CountError, io_failure};
use super::run::{Counted, Job, ProgressObserver, count, division};
use super::shard::Shard;

/// The extension of a finished shard's file.
const RESULT_EXTENSION: &str = "count";

/// Counts a shard, and writes its result to a directory, for example as `n22-shard-3-of-64.count`. Resumes from the checkpoint of an
/// earlier process, and does nothing if the result exists. If the result is damaged, the shard is counted again.
///
/// # Errors
///
/// The errors of [`count`]; another process wrote a result of this shard with a different number of solutions.
pub fn count_shard(
    job: &Job,
    directory: &Path,
    stop: ShouldStop<'_>,
    observer: &mut ProgressObserver<'_>,
) -> Result<Counted, CountError> {
    let (identity, _) = job.divide()?;
    fs::create_dir_all(directory).map_err(|error| io_failure(directory, error))?;
    let name = format!("n{}-shard-{}-of-{}", job.n, job.shard.number(), job.shard.total());
    let [result, checkpoint] =
        [RESULT_EXTENSION, "checkpoint"].map(|extension| directory.join(format!("{name}.{extension}")));
    let existing_result = || match Checkpoint::resume(&result, &identity) {
        Err(CountError::File(_)) => Ok(None),
        result => result.map(|checkpoint| checkpoint.filter(Checkpoint::is_complete)),
    };
    if let Some(checkpoint) = existing_result()? {
        return Ok(Counted { earlier: checkpoint.finished, checkpoint, work: Work::default() });
    }
    let counted = count(job, Some(&checkpoint), stop, observer)?;
    if counted.checkpoint.is_complete() {
        match existing_result()? {
            Some(other_result) => check_agreement(&result, &other_result, &counted.checkpoint)?,
            None => counted.checkpoint.write(&result)?,
        }
        // Another process may have removed the checkpoint.
        let _ = fs::remove_file(&checkpoint);
    }
    Ok(counted)
}

/// Fails if two results of a shard have different numbers of solutions. `path` is the file of the first result.
fn check_agreement(path: &Path, result: &Checkpoint, other: &Checkpoint) -> Result<(), CountError> {
    let (path, solutions, other_solutions) = (plaintext::path(path), result.solutions, other.solutions);
    if solutions == other_solutions {
        return Ok(());
    }
    Err(CountError::Disagree(format!(
        "{path} has {solutions} solutions, but another result of this shard has {other_solutions}"
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
    /// The numbers of the shards that have more than one result, all with the same number of solutions.
    pub repeated_shards: Vec<usize>,
}

/// Merges the results of all shards of a board in a directory, and ignores results of other board sizes.
///
/// # Errors
///
/// A file that cannot be read or is damaged; a result of another version or total number of shards; results of one shard with different
/// numbers of solutions; shards without a result. If the name of a file contains the board size `n`, a result of another size in
/// this file is an error, too.
pub fn merge(n: usize, directory: &Path) -> Result<Merged, CountError> {
    let file_error =
        |path: &Path, reason: &str| CountError::File(format!("{}: {reason}", plaintext::path(path)));
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let paths = entries.map_err(|error| io_failure(directory, error))?.into_iter().map(|entry| entry.path());
    let is_result = |path: &PathBuf| {
        path.extension() == Some(RESULT_EXTENSION.as_ref()) && named_size(path).is_none_or(|size| size == n)
    };
    let mut paths: Vec<PathBuf> = paths.filter(is_result).collect();
    paths.sort_unstable();
    let sets = division(n)?;
    let unsharded_identity = identity(n, Shard::WHOLE, &sets);
    let mut results: BTreeMap<usize, Checkpoint> = BTreeMap::new();
    let (mut shards, mut repeated_shards) = (None, Vec::new());
    for path in paths {
        let file = CheckpointFile::read(&path)?;
        if named_size(&path).is_none() && file.n().is_some_and(|size| size != n) {
            continue;
        }
        let shard = file.shard().unwrap_or(Shard::WHOLE);
        let (number, total) = (shard.number(), *shards.get_or_insert(shard.total()));
        let expected = unsharded_identity.replacen("shard=1/1", &format!("shard={number}/{total}"), 1);
        if file.identity != expected {
            let differences = differences(&file.identity, &expected);
            return Err(file_error(&path, &format!("does not belong here: {differences}")));
        }
        let result = file.checkpoint()?;
        if !result.is_complete() {
            return Err(file_error(&path, "is not finished: run the shard again"));
        }
        match results.get(&number) {
            Some(earlier_result) => {
                check_agreement(&path, &result, earlier_result)?;
                repeated_shards.push(number);
            }
            None => drop(results.insert(number, result)),
        }
    }
    let shards =
        shards.ok_or_else(|| file_error(directory, "has no results of shards, which end in .count"))?;
    let missing = shards - results.len();
    if missing > 0 {
        let numbers = gaps(results.keys().copied(), shards);
        return Err(CountError::Failed(format!("{missing} of {shards} shards have no result: {numbers}")));
    }
    repeated_shards.dedup();
    let solutions = results.values().map(|result| u128::from(result.solutions)).sum();
    Ok(Merged { shards, solutions, wall: results.values().map(|result| result.wall).sum(), repeated_shards })
}

/// The board size in the name of a result file; `None` if the file has been renamed.
fn named_size(path: &Path) -> Option<usize> {
    path.file_name()?.to_str()?.strip_prefix('n')?.split_once("-shard-")?.0.parse().ok()
}

/// The numbers of `1..=last` that are missing from the ascending `numbers`, as ranges. The time does not depend on `last`, because a
/// small file may claim any number of shards.
fn gaps(numbers: impl Iterator<Item = usize>, last: usize) -> String {
    let mut next = 1;
    let mut gaps = Vec::new();
    // `last + 1` may not fit into a usize.
    let end = last as u128 + 1;
    for number in numbers.map(|number| number as u128).chain([end]) {
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

    fn run_three_shards(directory: &Path) {
        for shard in ["1/3", "2/3", "3/3"] {
            run(shard, directory).expect("it counts");
        }
    }

    fn read_result(path: &Path) -> Checkpoint {
        CheckpointFile::read(path).and_then(CheckpointFile::checkpoint).expect("a result")
    }

    /// Compares the message of an error about a directory.
    fn assert_message(key: &str, error: &CountError, directory: &Path) {
        let message = error.to_string().replace(&plaintext::path(directory).to_string(), "DIR");
        wording::assert_wording!("shard", key, message.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    }

    #[test]
    fn shards_write_small_files_with_the_published_count() {
        let directory = tempfile::tempdir().expect("a directory");
        let shard_directory = directory.path().join("new/shards");
        run_three_shards(&shard_directory);
        let names: Vec<String> = fs::read_dir(&shard_directory)
            .expect("a directory")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
            .collect();
        assert!(names.len() == 3 && names.contains(&"n13-shard-3-of-3.count".to_owned()), "{names:?}");
        let merged = merge(13, &shard_directory).expect("complete");
        assert_eq!(
            (merged.shards, merged.solutions),
            (3, published::solutions(13).expect("published").into())
        );
        assert!(merged.repeated_shards.is_empty() && !merged.wall.is_zero());
        let repeated_count = run("2/3", &shard_directory).expect("nothing to do");
        assert_eq!(
            (repeated_count.earlier, repeated_count.work),
            (repeated_count.checkpoint.finished, Work::default())
        );
    }

    #[test]
    fn merge_names_missing_and_duplicate_shards() {
        let directory = tempfile::tempdir().expect("a directory");
        let shard_directory = directory.path();
        let empty_error = merge(13, shard_directory).expect_err("no results");
        assert!(matches!(empty_error, CountError::File(_)), "{empty_error}");
        assert_message("no results", &empty_error, shard_directory);
        for number in [1, 2, 5, 7] {
            run(&format!("{number}/7"), shard_directory).expect("it counts");
        }
        let missing_error = merge(13, shard_directory).expect_err("three are missing");
        assert!(matches!(missing_error, CountError::Failed(_)), "{missing_error}");
        assert_message("missing shards", &missing_error, shard_directory);
        for number in [3, 4, 6] {
            run(&format!("{number}/7"), shard_directory).expect("it counts");
        }
        fs::copy(shard_directory.join("n13-shard-4-of-7.count"), shard_directory.join("copy.count"))
            .expect("copied");
        let merged = merge(13, shard_directory).expect("complete");
        assert_eq!((merged.repeated_shards, merged.solutions), (vec![4], 73_712));
    }

    #[test]
    fn merge_refuses_damaged_unrelated_and_contradictory_results() {
        let directory = tempfile::tempdir().expect("a directory");
        let shard_directory = directory.path();
        run_three_shards(shard_directory);
        let (shard_file, other_file) =
            (shard_directory.join("n13-shard-2-of-3.count"), shard_directory.join("other.count"));
        let text = fs::read_to_string(&shard_file).expect("a text");
        let merge_error = |text: &str| {
            fs::write(&other_file, text).expect("written");
            merge(13, shard_directory).expect_err("refused")
        };
        for (key, damaged) in [
            ("half a result", &text[..text.len() / 2]),
            ("a changed result", &text.replace("solutions=", "solutions=1")),
            ("an empty file", ""),
            ("other text", "my notes\n"),
        ] {
            let error = merge_error(damaged);
            assert!(matches!(error, CountError::File(_)), "{error}");
            assert_message(key, &error, shard_directory);
        }
        // The text of the changed result has a valid checksum, so only its identity is wrong.
        let result_with_identity = |from: &str, to: &str| {
            let mut result = read_result(&shard_file);
            result.identity = result.identity.replace(from, to);
            result.to_string()
        };
        let version = concat!("version=", env!("CARGO_PKG_VERSION"));
        let other_partition = run("2/4", &shard_directory.join("other")).expect("it counts").checkpoint;
        for (key, text) in [
            ("another version", result_with_identity(version, "version=9.9.9")),
            ("another number of shards", other_partition.to_string()),
            ("another partition", result_with_identity("partition=924:", "partition=924:0")),
        ] {
            let error = merge_error(&text);
            assert!(matches!(error, CountError::File(_)), "{error}");
            assert_message(key, &error, shard_directory);
        }
        let mut wrong_result = read_result(&shard_file);
        wrong_result.solutions += 1;
        let error = merge_error(&wrong_result.to_string());
        assert!(matches!(error, CountError::Disagree(_)), "{error}");
        assert_message("another count", &error, shard_directory);
        fs::remove_file(&other_file).expect("removed");
        assert!(merge(13, shard_directory).is_ok());
    }

    #[test]
    fn merge_ignores_results_of_other_sizes() {
        let directory = tempfile::tempdir().expect("a directory");
        let shard_directory = directory.path();
        run_three_shards(shard_directory);
        let smaller_job = Job { shard: "1/2".parse().expect("a shard"), ..Job::new(12) };
        count_shard(&smaller_job, shard_directory, &|| false, &mut |_| {}).expect("it counts");
        fs::write(shard_directory.join("n14-shard-1-of-2.count"), "damaged").expect("written");
        fs::copy(shard_directory.join("n12-shard-1-of-2.count"), shard_directory.join("renamed.count"))
            .expect("copied");
        assert_eq!(merge(13, shard_directory).expect("complete").solutions, 73_712);
        // A result of another board size is refused if the file name has the size that is merged.
        fs::copy(
            shard_directory.join("n12-shard-1-of-2.count"),
            shard_directory.join("n13-shard-1-of-2.count"),
        )
        .expect("copied");
        assert!(matches!(merge(13, shard_directory), Err(CountError::File(_))));
    }

    #[test]
    fn merge_time_is_independent_of_shard_total() {
        let directory = tempfile::tempdir().expect("a directory");
        let shard_directory = directory.path();
        run_three_shards(shard_directory);
        let mut result = read_result(&shard_directory.join("n13-shard-2-of-3.count"));
        fs::remove_dir_all(shard_directory).and_then(|()| fs::create_dir(shard_directory)).expect("emptied");
        result.identity = result.identity.replace("2/3", "2/18446744073709551615");
        (result.is_finished, result.finished) = (vec![true], 1);
        fs::write(shard_directory.join("x.count"), result.to_string()).expect("written");
        let error = merge(13, shard_directory).expect_err("most are missing");
        assert!(error.to_string().contains("1,3-18446744073709551615"), "{error}");
        assert_eq!(gaps([1, 2, 5, 7].into_iter(), 7), "3-4,6");
        assert_eq!(gaps([].into_iter(), 1), "1");
    }

    #[test]
    fn shard_resumes_from_checkpoint_and_replaces_damaged_result() {
        let directory = tempfile::tempdir().expect("a directory");
        let shard_directory = directory.path();
        let job = Job { shard: "2/3".parse().expect("a shard"), ..Job::new(14) };
        let mut finished_count = 0;
        let should_stop = std::sync::atomic::AtomicBool::new(false);
        let stop = || should_stop.load(std::sync::atomic::Ordering::Relaxed);
        let interrupted_count = count_shard(&job, shard_directory, &stop, &mut |progress| {
            finished_count = progress.checkpoint.finished;
            should_stop.store(finished_count == 50, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(interrupted_count.expect("stopped").checkpoint.finished, 50);
        assert!(
            matches!(merge(14, shard_directory), Err(CountError::File(_))),
            "a checkpoint is not a result"
        );
        let resumed_count = count_shard(&job, shard_directory, &|| false, &mut |_| {}).expect("it counts");
        assert_eq!((resumed_count.earlier, resumed_count.checkpoint.finished), (50, 572));
        let uninterrupted_count = count(&job, None, &|| false, &mut |_| {}).expect("it counts");
        assert_eq!(resumed_count.checkpoint.solutions, uninterrupted_count.checkpoint.solutions);
        let result = shard_directory.join("n14-shard-2-of-3.count");
        let text = fs::read_to_string(&result).expect("a text");
        fs::write(&result, &text[..text.len() - 5]).expect("written");
        let repeated_count = count_shard(&job, shard_directory, &|| false, &mut |_| {}).expect("it counts");
        assert_eq!(
            (repeated_count.earlier, repeated_count.checkpoint.solutions),
            (0, uninterrupted_count.checkpoint.solutions)
        );
        assert_eq!(read_result(&result), repeated_count.checkpoint);
    }

    /// The second attempt ends while the first attempt still counts, and both use the same file.
    #[test]
    fn simultaneous_attempts_at_one_shard_leave_valid_result() {
        let directory = tempfile::tempdir().expect("a directory");
        let shard_directory = directory.path();
        let job = Job { shard: "1/2".parse().expect("a shard"), ..Job::new(13) };
        let mut second_count = None;
        let first_count = count_shard(&job, shard_directory, &|| false, &mut |progress| {
            if progress.checkpoint.finished == 100 {
                second_count =
                    Some(count_shard(&job, shard_directory, &|| false, &mut |_| {}).expect("it counts"));
            }
        });
        let (first_count, second_count) =
            (first_count.expect("it counts").checkpoint, second_count.expect("it ran").checkpoint);
        assert_eq!(
            (first_count.solutions, first_count.finished),
            (second_count.solutions, second_count.finished)
        );
        assert_eq!(fs::read_dir(shard_directory).expect("a directory").count(), 1);
        run("2/2", shard_directory).expect("it counts");
        assert_eq!(merge(13, shard_directory).expect("complete").solutions, 73_712);
        // A wrong count by one of two attempts is an error.
        let result = shard_directory.join("n13-shard-1-of-2.count");
        let mut wrong_result = read_result(&result);
        wrong_result.solutions += 8;
        let contradicted_count =
            count_shard(&job, &shard_directory.join("again"), &|| false, &mut |progress| {
                if progress.checkpoint.finished == 100 {
                    wrong_result
                        .write(&shard_directory.join("again/n13-shard-1-of-2.count"))
                        .expect("written");
                }
            });
        assert!(matches!(contradicted_count, Err(CountError::Disagree(_))));
    }
}
