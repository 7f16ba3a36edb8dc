//! Large numbers of signals, failing writes and damaged results. `scripts/torture` runs these tests at full size and prints the
//! numbers of attacks; `scripts/test --full` runs the tests at a tenth of this size. The environment variable QUEENLAB_TORTURE is
//! the size in percent.

use queenlab::count::merge;

use crate::harness::{run_in, scratch};

/// The number at full size, scaled by QUEENLAB_TORTURE and rounded up.
fn scaled_number(full_size: usize) -> usize {
    let percent = std::env::var("QUEENLAB_TORTURE").map_or(10, |text| text.parse().expect("a percentage"));
    (full_size * percent).div_ceil(100)
}

#[cfg(target_os = "linux")]
mod sweeps {
    use std::collections::HashSet;
    use std::path::Path;
    use std::process::{Command, ExitStatus, Stdio};

    use queenlab::record::{Status, Verdict};
    use rustix::process::Signal;

    use super::scaled_number;
    use crate::harness::disk::Disk;
    use crate::harness::processes::{Guard, descendants, signal_process, until};
    use crate::harness::{interrupting_signals, rows, run_in, scratch};

    const SOLVERS: [&str; 4] = ["--solver", "backtrack/bitmask", "--solver", "backtrack/column-scan"];

    /// A sweep of six cells into the directory `r`.
    fn sweep(repeat: &str) -> Vec<&str> {
        [&["sweep", "--n", "4-6", "--repeat", repeat, "--out", "r", "--progress", "none"][..], &SOLVERS]
            .concat()
    }

    fn complete_rows(directory: &Path) -> String {
        let text = std::fs::read_to_string(directory.join("r/runs.csv")).unwrap_or_default();
        text[..text.rfind('\n').map_or(0, |end| end + 1)].to_owned()
    }

    /// Asserts that the table still begins with the rows of the last call. Stores the rows that are complete now.
    fn assert_keeps_rows(directory: &Path, last_rows: &mut String) {
        let current_rows = complete_rows(directory);
        assert!(current_rows.starts_with(last_rows.as_str()), "an earlier row is missing or changed");
        *last_rows = current_rows;
    }

    fn wait_for_end(sweep: &mut Guard) -> ExitStatus {
        until("the end of a sweep", || sweep.try_wait().expect("a child"))
    }

    /// Each sweep has 1,140 rows. The test sends 17 signals, each after a random number of rows. A signal ends the sweep, which is
    /// then started again, or one of its runs. If a run is killed, its row must be complete or record the signal.
    #[test]
    #[ignore = "long: thousands of runs under hundreds of signals"]
    fn torture_signals_cause_no_lost_or_repeated_row() {
        const ROWS: usize = 6 * 190;
        const SIGNALS: usize = 17;
        let mut random = fastrand::Rng::with_seed(323);
        let (mut sent, mut all_rows, mut killed, mut crashed) = (0, 0, 0, 0);
        for _ in 0..scaled_number(20) {
            let directory = scratch();
            let start = || {
                let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
                command.args(sweep("189")).current_dir(directory.path());
                Guard::start(command.stdout(Stdio::null()).stderr(Stdio::null()))
            };
            let mut row_counts: Vec<usize> = (0..SIGNALS).map(|_| random.usize(0..ROWS - 100)).collect();
            row_counts.sort_unstable();
            let mut last_rows = String::new();
            let mut running = start();
            for row_count in row_counts {
                until("enough rows", || {
                    let ended = running.try_wait().expect("a child");
                    assert_eq!(ended, None, "the sweep ended before its last signal");
                    (complete_rows(directory.path()).lines().count() >= row_count).then_some(())
                });
                sent += 1;
                match random.u8(0..4) {
                    0 => {
                        let run = until("a run", || descendants(running.id()).first().copied());
                        signal_process(run, Signal::KILL);
                        killed += 1;
                        continue;
                    }
                    1 => {
                        running.signal(Signal::KILL);
                        assert_eq!(wait_for_end(&mut running).code(), None);
                    }
                    number => {
                        let signals = interrupting_signals();
                        running.signal(signals[usize::from(number) % signals.len()]);
                        // If the process has not yet installed its signal handler, the signal ends it without an exit code.
                        let code = wait_for_end(&mut running).code();
                        assert!(matches!(code, Some(130) | None), "{code:?}");
                    }
                }
                assert_keeps_rows(directory.path(), &mut last_rows);
                running = start();
            }
            let code = wait_for_end(&mut running).code();
            assert_keeps_rows(directory.path(), &mut last_rows);
            let rows = rows(&directory.path().join("r"));
            let ids: HashSet<&str> = rows.iter().map(|row| row.run_id.as_str()).collect();
            assert_eq!((rows.len(), ids.len()), (ROWS, ROWS));
            let crashed_row_count = rows.iter().filter(|row| row.status == Status::Crashed).count();
            assert_eq!(code, Some(i32::from(crashed_row_count > 0)));
            for row in &rows {
                let is_correct = (row.status, row.verdict) == (Status::Complete, Verdict::Correct);
                let is_killed = row.outcome_reason.as_ref().is_some_and(|error| error.contains("SIGKILL"));
                assert!(is_correct || (row.status == Status::Crashed && is_killed), "{row:?}");
            }
            (all_rows, crashed) = (all_rows + rows.len(), crashed + crashed_row_count);
        }
        assert!(crashed <= killed, "{crashed} crashed rows of {killed} killed runs");
        println!(
            "torture: {all_rows} rows under {sent} signals: none lost, none doubled; {crashed} rows say that their run \
             was killed"
        );
    }

    /// Whenever the disk is full, the test enlarges it by a few pages, until the sweep and its report are complete.
    #[test]
    #[ignore = "long: a hundred full disks"]
    fn torture_sweeps_on_full_disks_lose_no_row() {
        const ROWS: usize = 6 * 41;
        let mut random = fastrand::Rng::with_seed(28);
        let (mut full, mut sweeps) = (0, 0);
        while full < scaled_number(100) {
            let directory = scratch();
            let mut kibibytes = random.usize(4..32) * 4;
            let out = directory.path().join("r");
            let Some(disk) = Disk::new(out.clone(), &format!("{kibibytes}k")) else { return };
            let mut last_rows = String::new();
            loop {
                let (code, _, stderr) = run_in(directory.path(), &sweep("40"));
                assert_keeps_rows(directory.path(), &mut last_rows);
                if code == 0 {
                    break;
                }
                let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error: ")).collect();
                let [error] = &errors[..] else { panic!("{stderr}") };
                assert!(code == 1 && error.contains("(os error 28)"), "{code}: {stderr}");
                full += 1;
                kibibytes += random.usize(1..9) * 4;
                assert!(disk.mount(&["-o", &format!("remount,size={kibibytes}k")]), "the disk cannot grow");
            }
            let rows = rows(&out);
            let ids: HashSet<&str> = rows.iter().map(|row| row.run_id.as_str()).collect();
            assert_eq!((rows.len(), ids.len()), (ROWS, ROWS));
            assert!(rows.iter().all(|row| row.verdict == Verdict::Correct));
            sweeps += 1;
        }
        println!("torture: {full} full disks under {sweeps} sweeps: nothing lost, nothing doubled");
    }
}

/// Makes a random change in a text: changes a bit or a digit, or removes, repeats, inserts or cuts off bytes.
fn with_random_change(text: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = text.to_vec();
    let position = random.usize(..bytes.len());
    let end = position + random.usize(..(bytes.len() - position).min(40)) + 1;
    match random.u8(0..7) {
        0 => bytes[position] ^= 1 << random.u8(0..8),
        1 => bytes[position] = random.u8(..),
        2 => drop(bytes.drain(position..end)),
        3 => {
            let repeated = bytes[position..end].to_vec();
            drop(bytes.splice(position..position, repeated));
        }
        4 => drop(bytes.splice(
            position..position,
            std::iter::repeat_with(|| random.u8(..)).take(3).collect::<Vec<_>>(),
        )),
        5 => bytes.truncate(position),
        _ => {
            let digits: Vec<usize> =
                (0..bytes.len()).filter(|&position| bytes[position].is_ascii_digit()).collect();
            bytes[digits[random.usize(..digits.len())]] = random.u8(b'0'..=b'9');
        }
    }
    bytes
}

/// A damaged result is refused because of its checksum, or its meaning is unchanged. The test calls `merge`, which does not compare
/// the total with the published count. That comparison would detect most changes.
#[test]
#[ignore = "long: hundreds of merges"]
fn torture_damaged_shard_results_never_give_wrong_total() {
    let directory = scratch();
    let succeed = |arguments: &[&str]| {
        let (code, _, stderr) = run_in(directory.path(), arguments);
        assert_eq!(code, 0, "{arguments:?}: {stderr}");
    };
    for shard in ["1/4", "2/4", "3/4", "4/4"] {
        succeed(&["count", "13", "--shard", shard, "--out", "shards"]);
    }
    let out = directory.path().join("shards");
    let mut random = fastrand::Rng::with_seed(600);
    let (mut refused, mut unchanged_in_meaning) = (0, 0);
    while refused < scaled_number(600) {
        let path = out.join(format!("n13-shard-{}-of-4.count", random.u8(1..5)));
        let original_result = std::fs::read(&path).expect("a result");
        let bytes = with_random_change(&original_result, &mut random);
        std::fs::write(&path, &bytes).expect("a writable directory");
        match merge(13, &out) {
            Ok(merged) => {
                assert_eq!(merged.solutions, 73_712, "{}", String::from_utf8_lossy(&bytes));
                unchanged_in_meaning += 1;
            }
            Err(error) => {
                assert!(error.to_string().contains(&path.display().to_string()), "{error}");
                refused += 1;
            }
        }
        std::fs::write(&path, &original_result).expect("a writable directory");
    }
    println!(
        "torture: {refused} changed results of shards refused, {unchanged_in_meaning} that still mean the same counted: no wrong total"
    );
}
