//! Sweeps and runs that are killed at many points in time. No row is lost, and no finished run is repeated.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use queenlab::board::BoardSize;
use queenlab::board::problem::Problem;
use queenlab::record::{Status, Verdict};
use queenlab::sat::{am1, encoding};
use rustix::process::Signal;

use crate::harness::{read, rows, run_in, scratch, write};
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

/// The file with the standard error of the last sweep.
const STDERR: &str = "stderr";

fn start(directory: &Path, arguments: &[&str]) -> Guard {
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    let stderr = File::create(directory.join(STDERR)).expect("a file");
    command.args(arguments).current_dir(directory).stdout(Stdio::null()).stderr(stderr);
    Guard::start(&mut command)
}

/// The rows of a table without the columns that depend on time.
fn rows_without_times(text: &str) -> Vec<Vec<String>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let depends_on_time = |name: &String| {
        let suffixes = ["_ns", "_switches"];
        suffixes.iter().any(|suffix| name.ends_with(suffix))
            || ["started_at", "peak_rss_bytes", "outliers", "disturbed"].contains(&name.as_str())
    };
    let without_times = |line: Vec<String>| {
        assert_eq!(line.len(), header.len(), "these tables have no quoted fields");
        line.into_iter()
            .zip(&header)
            .filter(|(_, name)| !depends_on_time(name))
            .map(|(field, _)| field)
            .collect()
    };
    lines.map(without_times).collect()
}

/// The tables of a sweep without the columns that depend on time, and the names of its files.
fn files_without_times(directory: &Path) -> Vec<(&'static str, Vec<Vec<String>>)> {
    let out = directory.join("r");
    let files = ["runs.csv", "levels.csv", "crosscheck.csv", "timings.csv", "nodes.csv"];
    let mut contents: Vec<_> = files.map(|file| (file, rows_without_times(&read(&out, file)))).into();
    let entries = std::fs::read_dir(&out).expect("a directory").flatten();
    let names: BTreeSet<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    contents.push(("the names in the directory", vec![names.into_iter().collect()]));
    contents
}

/// The complete rows of a sweep that may be running, with the header.
fn complete_rows(directory: &Path) -> String {
    let mut text = std::fs::read_to_string(directory.join("r/runs.csv")).unwrap_or_default();
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    text
}

/// Runs sweeps in directories that `prepare` fills, kills a sweep `kills` times in total, and resumes each killed sweep until it
/// ends. A sweep is killed after up to two new rows and a random pause, so that the kills occur in all its phases. Asserts that the
/// files are those of an uninterrupted sweep, and returns these files.
fn resume_after_kills(
    arguments: &[&str],
    prepare: impl Fn(&Path),
    kills: usize,
) -> Vec<(&'static str, Vec<Vec<String>>)> {
    let uninterrupted = scratch();
    prepare(uninterrupted.path());
    let started = Instant::now();
    let (code, stdout, stderr) = run_in(uninterrupted.path(), arguments);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let expected = files_without_times(uninterrupted.path());
    let max_pause = (started.elapsed() / 10).min(Duration::from_millis(200));
    let mut random = fastrand::Rng::with_seed(20_261_121);
    let mut kill_count = 0;
    while kill_count < kills {
        let directory = scratch();
        prepare(directory.path());
        let mut last_rows = String::new();
        loop {
            let mut sweep = start(directory.path(), arguments);
            if kill_count < kills {
                let row_count = last_rows.lines().count() + random.usize(0..=2);
                let has_ended = |sweep: &mut Guard| sweep.try_wait().expect("a child").is_some();
                while !has_ended(&mut sweep) && complete_rows(directory.path()).lines().count() < row_count {
                    std::thread::sleep(Duration::from_millis(1));
                }
                std::thread::sleep(max_pause.mul_f64(random.f64().powi(2)));
                if !has_ended(&mut sweep) {
                    sweep.kill().expect("a running process");
                    kill_count += 1;
                }
            }
            let status = sweep.wait().expect("the program ends");
            let rows = complete_rows(directory.path());
            assert!(
                rows.starts_with(&last_rows),
                "an earlier row is missing or changed after {kill_count} kills"
            );
            last_rows = rows;
            if status.success() {
                break;
            }
            let stderr = read(directory.path(), STDERR);
            assert_eq!(
                status.code(),
                None,
                "the sweep was not killed but failed after {kill_count} kills: {stderr}"
            );
        }
        let meta: serde_json::Value =
            serde_json::from_str(&read(directory.path(), "r/meta.json")).expect("JSON");
        for session in meta["sessions"].as_array().expect("sessions") {
            assert_eq!(session["ended_at"].is_null(), session["runs"].is_null(), "{session}");
        }
        assert!(
            files_without_times(directory.path()) == expected,
            "{:#?}\n{expected:#?}",
            files_without_times(directory.path())
        );
    }
    expected
}

#[test]
#[ignore = "long: 160 kills"]
fn sweep_killed_160_times_resumes_without_lost_row() {
    let expected = resume_after_kills(&SWEEP, |_| {}, 160);
    assert_eq!(expected[0].1.len(), RUNS);
}

/// An experiment with two programs that have factors, and two external SAT solvers. Each program and SAT solver finds the solutions
/// of 4 queens in one of two orders. REPEAT is the number of rounds.
const FACTORS: &str = r#"schema_version = 1
name = "x"

[sweep]
n = "4"
repeat = REPEAT
seed = "1-2"

[[sat]]
id = "up"
command = "sh sat.sh 0 {cnf}"

[[sat]]
id = "down"
command = "sh sat.sh 1 {cnf}"

[[solver]]
id = "sat/pairwise/up"

[[solver]]
id = "sat/pairwise/down"

[[program]]
id = "one"
command = ["sh", "one.sh", "{order}", "{n}", "{seed}"]
order = ["first", "last"]

[[program]]
id = "two"
command = ["sh", "one.sh", "last", "{speed}", "{n}"]
speed = [1, 2]

[[claim]]
says = "Both programs find all solutions"
measure = "solutions"
of = "sat/pairwise/up"
value = 2
equal = true
"#;

const PROGRAM: &str = "case $1 in first) echo 1 3 0 2; echo 2 0 3 1;; *) echo 2 0 3 1; echo 1 3 0 2;; esac\n";

/// A script that acts as a SAT solver for 4 queens. The answer depends on the number of clauses, because each solution adds a
/// blocking clause.
const SAT: &str = "case $(($(sed -n 's/^p cnf [0-9]* //p' $2) - CLAUSES + $1)) in\n\
    0) echo 's SATISFIABLE'; echo v -1 2 -3 -4 -5 -6 -7 8 9 -10 -11 -12 -13 -14 15 -16 0; exit 10;;\n\
    1) echo 's SATISFIABLE'; echo v -1 -2 3 -4 5 -6 -7 -8 -9 -10 -11 12 -13 14 -15 -16 0; exit 10;;\n\
    2) [ $1 = 0 ] && { echo 's UNSATISFIABLE'; exit 20; }\n\
       echo 's SATISFIABLE'; echo v -1 2 -3 -4 -5 -6 -7 8 9 -10 -11 -12 -13 -14 15 -16 0; exit 10;;\n\
    *) echo 's UNSATISFIABLE'; exit 20;;\n\
    esac\n";

fn assert_resumes_after_kills(rounds: usize, kills: usize) {
    let spec = FACTORS.replace("REPEAT", &rounds.to_string());
    let pairwise = am1::by_name("pairwise").expect("an encoding");
    let problem = Problem::queens(BoardSize::new(4).expect("small"));
    let sat = SAT.replace("CLAUSES", &encoding::encode(&problem, pairwise).cnf.len().to_string());
    let prepare = |directory: &Path| {
        for (name, text) in [("x.toml", spec.as_str()), ("one.sh", PROGRAM), ("sat.sh", &sat)] {
            write(directory, name, text);
        }
    };
    let expected = resume_after_kills(&["sweep", "x.toml", "--out", "r", "--quiet"], prepare, kills);
    // The first program has two values of its factor and two seeds. The second program has two values of its factor. The two SAT
    // solvers use no seed, and each has one counting run.
    let table = &expected[0].1;
    assert_eq!(table.len(), rounds * (2 * 2 + 2 + 2) + 2);
    let ids: BTreeSet<&String> = table.iter().map(|row| &row[1]).collect();
    assert_eq!(ids.len(), table.len());
    assert!(table.iter().all(|row| row.contains(&"correct".to_owned())), "{table:?}");
    let solvers: BTreeSet<&str> = table.iter().map(|row| row[7].as_str()).collect();
    let expected_solvers = ["one:order=first", "one:order=last", "two:speed=1", "two:speed=2"]
        .map(|name| format!("program/{name}"));
    let expected_solvers =
        expected_solvers.iter().map(String::as_str).chain(["sat/pairwise/down", "sat/pairwise/up"]);
    assert!(solvers.into_iter().eq(expected_solvers));
}

#[test]
fn sweep_of_programs_resumes_after_kills() {
    assert_resumes_after_kills(2, 2);
}

#[test]
#[ignore = "long: 200 kills"]
fn sweep_of_programs_resumes_after_200_kills() {
    // Each sweep has 202 rows, so one or two sweeps are enough for 200 kills.
    assert_resumes_after_kills(25, 200);
}

#[test]
#[ignore = "long: 40 kills"]
fn killed_run_is_recorded_as_crashed() {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut kills, mut crashed) = (0, 0);
    while kills < 40 {
        let directory = scratch();
        let mut sweep = start(directory.path(), &SWEEP);
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
        let crashed_rows: Vec<_> = rows.iter().filter(|row| row.status == Status::Crashed).collect();
        let names_signal =
            |error: &Option<String>| error.as_ref().is_some_and(|error| error.contains("SIGKILL"));
        assert!(crashed_rows.iter().all(|row| names_signal(&row.outcome_reason)), "{crashed_rows:?}");
        crashed += crashed_rows.len();
        for row in rows.iter().filter(|row| row.status != Status::Crashed) {
            assert_eq!((row.status, row.verdict), (Status::Complete, Verdict::Correct), "{row:?}");
        }
    }
    assert!((1..=kills).contains(&crashed), "{crashed} crashed rows of {kills} kills");
}
