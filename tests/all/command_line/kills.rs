//! Sweeps and their runs, killed at 200 points in time: nothing is lost, and nothing is repeated.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use queenlab::record::{Status, Termination, Verdict};
use rustix::process::Signal;

use crate::harness::{read, rows, run_in, scratch};
use crate::processes::{Guard, descendants, signal_process};

const SWEEP: [&str; 13] = [
    "sweep",
    "--n",
    "4-6",
    "--repeat",
    "3",
    "--solver",
    "backtrack/bitmask",
    "--solver",
    "backtrack/column-scan",
    "--solver",
    "sat/pairwise/varisat",
    "--out",
    "r",
];
const RUNS: usize = 9 + 3 * 9;

fn start(directory: &Path) -> Guard {
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(SWEEP).current_dir(directory).stdout(Stdio::null()).stderr(Stdio::null());
    Guard::start(&mut command)
}

/// A table without the columns that hang on time.
fn timeless(text: &str) -> Vec<Vec<String>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let hangs_on_time = |name: &String| {
        name.ends_with("_ns") || ["started_at", "peak_rss_bytes", "outliers"].contains(&name.as_str())
    };
    let kept = |line: Vec<String>| {
        assert_eq!(line.len(), header.len(), "no field is quoted here");
        line.into_iter()
            .zip(&header)
            .filter(|(_, name)| !hangs_on_time(name))
            .map(|(field, _)| field)
            .collect()
    };
    lines.map(kept).collect()
}

/// Everything that a sweep writes, except what depends on time.
fn remains(directory: &Path) -> Vec<(&'static str, Vec<Vec<String>>)> {
    let out = directory.join("r");
    let files = ["runs.csv", "levels.csv", "crosscheck.csv", "timings.csv", "nodes.csv"];
    let mut remains: Vec<_> = files.map(|file| (file, timeless(&read(&out, file)))).into();
    remains.push(("plots/nodes.svg", vec![vec![read(&out, "plots/nodes.svg")]]));
    let entries = std::fs::read_dir(&out).expect("a directory").flatten();
    let names: BTreeSet<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    remains.push(("the directory", vec![names.into_iter().collect()]));
    remains
}

#[test]
#[ignore = "long: 160 kills"]
fn a_sweep_killed_at_160_instants_loses_no_run_repeats_none_and_leaves_the_same_files() {
    let untouched = scratch();
    let started = Instant::now();
    assert_eq!(run_in(untouched.path(), &SWEEP).0, 0);
    let whole = started.elapsed();
    let expected = remains(untouched.path());
    assert_eq!(expected[0].1.len(), RUNS);
    let mut random = fastrand::Rng::with_seed(20_261_121);
    let mut kills = 0;
    while kills < 160 {
        let directory = scratch();
        let mut known = String::new();
        loop {
            let mut sweep = start(directory.path());
            std::thread::sleep(whole.mul_f64(random.f64()));
            let finished = kills >= 160 || sweep.try_wait().expect("a child").is_some();
            if !finished {
                sweep.kill().expect("it runs");
                kills += 1;
            }
            let status = sweep.wait().expect("it ends");
            let file = directory.path().join("r/runs.csv");
            let now = std::fs::read_to_string(file).unwrap_or_default();
            let rows = &now[..now.rfind('\n').map_or(0, |end| end + 1)];
            assert!(rows.starts_with(&known), "a row that was there is gone or changed, after {kills} kills");
            rows.clone_into(&mut known);
            if status.success() {
                break;
            }
        }
        assert!(remains(directory.path()) == expected, "{:#?}\n{expected:#?}", remains(directory.path()));
    }
}

#[test]
#[ignore = "long: 40 kills"]
fn a_run_killed_at_40_instants_is_a_crashed_row_and_every_other_row_is_right() {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut kills, mut crashed) = (0, 0);
    while kills < 40 {
        let directory = scratch();
        let mut sweep = start(directory.path());
        while sweep.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_micros(random.u64(0..20_000)));
            if let Some(&run) = descendants(sweep.id()).first() {
                signal_process(run, Signal::KILL);
                kills += 1;
            }
        }
        let rows = rows(&directory.path().join("r"));
        let ids: BTreeSet<&str> = rows.iter().map(|row| row.run_id.as_str()).collect();
        assert_eq!((rows.len(), ids.len()), (RUNS, RUNS));
        let killed = rows.iter().filter(|row| row.status == Status::Crashed);
        let killed = killed.inspect(|row| {
            assert_eq!((row.termination, row.signal), (Some(Termination::Killed), Some(9)), "{row:?}");
        });
        crashed += killed.count();
        for row in rows.iter().filter(|row| row.status != Status::Crashed) {
            assert_eq!((row.status, row.verdict), (Status::Complete, Verdict::Correct), "{row:?}");
        }
    }
    assert!((1..=kills).contains(&crashed), "{crashed} crashed rows of {kills} kills");
}
