//! The recorded runs in `experiments/`: their rows must give the tables that are recorded with them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

use queenlab::experiment::{StoredResults, statements};
use queenlab::record::{
    ClaimRow, CrosscheckRow, Kind, Meta, NodesRow, Row, Table, TimingsRow, sha256_hex, table,
};
use queenlab::report::{DerivedData, ReportData, ReportPart};
use queenlab::spec::Spec;
use runlab::History;

use crate::harness::RECORDS;

/// The folders with a table of runs, by name.
fn records() -> BTreeMap<String, PathBuf> {
    let folders = RECORDS.iter().flat_map(|place| Path::new(place).read_dir().expect("a folder").flatten());
    let folders = folders.map(|entry| entry.path()).filter(|path| path.join("runs.csv").exists());
    folders.map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), path)).collect()
}

/// The digest of a table, which does not depend on the version of the format.
fn digest<T: Table>(rows: &[T]) -> String {
    digest_of(&String::from_utf8(table::format(rows)).expect("UTF-8"))
}

/// The table without the column `unknown`, which version 2 of the format did not have. The column must be 0 everywhere.
fn without_unknown(rows: &[TimingsRow]) -> String {
    let text = String::from_utf8(table::format(rows)).expect("UTF-8");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let column =
        reader.headers().expect("a head").iter().position(|name| name == "unknown").expect("a column");
    let values: Vec<String> = reader.records().map(|row| row.expect("a row")[column].to_owned()).collect();
    assert!(values.iter().all(|value| value == "0"), "{values:?}");
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut table_reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    for row in table_reader.records() {
        let row = row.expect("a row");
        let other_values = row.iter().enumerate().filter(|&(at, _)| at != column).map(|(_, value)| value);
        writer.write_record(other_values).expect("memory");
    }
    String::from_utf8(writer.into_inner().expect("memory")).expect("UTF-8")
}

fn digest_of(text: &str) -> String {
    let has_version = text.starts_with("schema_version,");
    let line = |line: &'_ str| match line.split_once(',') {
        Some((_, other_fields)) if has_version => other_fields.to_owned(),
        _ => line.to_owned(),
    };
    sha256_hex(text.split('\n').map(line).collect::<Vec<_>>().join("\n").as_bytes())
}

/// `tests/data/derived_tables.csv` has the digests of the tables that version 2 of the format gave. The digests of the claims of
/// `textbook` and `sat-vs-backtracking` are newer, because a growth is now fitted to all sizes of a claim. The tables of a record
/// that is not listed there are stored in the record.
#[test]
fn recorded_rows_still_give_the_recorded_tables() {
    let mut digests = BTreeMap::new();
    for line in include_str!("../data/derived_tables.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        digests.insert((fields[0].to_owned(), fields[1].to_owned()), fields[2].to_owned());
    }
    let mut derived = BTreeMap::new();
    for (name, path) in records() {
        let stored = StoredResults::read(&path).expect("a record");
        assert_eq!((stored.earlier_plan_runs, &stored.remarks[..]), (0, &[][..]), "{name}");
        let report_data = ReportData { parts: vec![ReportPart::of(&stored, "")], ..ReportData::default() };
        let data = DerivedData::of(&report_data);
        if !digests.contains_key(&(name.clone(), "claims".to_owned())) {
            let tables = [
                (ClaimRow::FILE, table::format(&data.claims)),
                (TimingsRow::FILE, table::format(&data.timings)),
                (NodesRow::FILE, table::format(&data.nodes)),
            ];
            for (file, derived) in tables {
                // The records of experiments/problems do not contain the tables of times and nodes, which are long.
                if let Ok(recorded) = fs::read(path.join(file)) {
                    assert!(recorded == derived, "{name}/{file} is not the table that its rows give");
                }
            }
            continue;
        }
        let mut add_digest = |table: &str, digest| derived.insert((name.clone(), table.to_owned()), digest);
        add_digest("timings", digest_of(&without_unknown(&data.timings)));
        add_digest("nodes", digest::<NodesRow>(&data.nodes));
        add_digest("claims", digest::<ClaimRow>(&data.claims));
        // A table of an earlier version also has columns without values.
        let crosscheck = fs::read_to_string(path.join(CrosscheckRow::FILE)).expect("a table");
        add_digest("crosscheck", digest_of(&crosscheck));
    }
    for (table, digest) in derived {
        assert_eq!(Some(&digest), digests.get(&table), "{table:?}");
    }
}

/// The runs of a record up to the end of its first timed round, and the time that the later runs took.
fn split_after_first_round(stored: &StoredResults) -> Option<(Vec<Row>, Duration)> {
    let [session] = &stored.meta.as_ref()?.sessions[..] else { return None };
    let time = |text: &str| humantime::parse_rfc3339(text).expect("a time");
    let first_round = stored
        .rows
        .iter()
        .filter(|row| row.kind != Kind::Counting && row.round > 0)
        .map(|row| row.round)
        .min()?;
    let (rows, later_rows): (Vec<Row>, Vec<Row>) =
        stored.rows.iter().cloned().partition(|row| row.round <= first_round);
    let start_of_later_runs = later_rows.iter().map(|row| time(&row.started_at)).min()?;
    let end_of_session = time(session.ended_at.as_deref().expect("it was not killed"));
    Some((rows, end_of_session.duration_since(start_of_later_runs).expect("it began before")))
}

/// The estimate is computed as in the sweep, from the rows up to the end of the first timed round.
#[test]
fn duration_estimates_are_within_factor_two() {
    let mut compared_count = 0;
    for (name, path) in records() {
        let stored = StoredResults::read(&path).expect("a record");
        let Some((rows, remaining_time)) = split_after_first_round(&stored) else { continue };
        let plan = stored.plan.as_ref().expect("a plan");
        let harness = plan.run_plan();
        let remaining = |rows| History::<Row>::new(&harness, rows).remaining(&harness, plan.jobs);
        let expected = remaining(rows.clone()).expected.unwrap_or_else(|| panic!("{name}: no estimate"));
        let factor = expected.as_secs_f64() / remaining_time.as_secs_f64();
        assert!((0.5..2.0).contains(&factor), "{name}: {expected:?} expected, {remaining_time:?} measured");
        let counting_runs = rows.into_iter().filter(|row| row.kind == Kind::Counting).collect();
        assert_eq!(remaining(counting_runs).expected, None, "{name}");
        compared_count += 1;
    }
    assert!(compared_count >= 10, "{compared_count} records have two rounds");
}

/// Runs git in this repository, and returns its output if it succeeds.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).expect("UTF-8"))
}

/// Records from this day on say which claims were stated before the run. `experiments/*/README.md` marks the older records.
const FIRST_DAY: &str = "2026-11-28";

/// A record names the commit of its program. The experiment must be a file of this commit, the commit must be older than all runs,
/// and the recorded digests of expectations and claims must be those of the experiment in this commit.
#[test]
fn experiment_of_each_record_was_committed_before_it() {
    let is_shallow =
        git(&["rev-parse", "--is-shallow-repository"]).is_none_or(|answer| answer.trim() != "false");
    if is_shallow || git(&["ls-files", "--error-unmatch", "build.rs"]).is_none() {
        eprintln!("skipped: no repository with its history; records are not compared with their commits");
        return;
    }
    for (name, path) in records() {
        let (day, experiment) = name.split_at(FIRST_DAY.len());
        if day < FIRST_DAY {
            continue;
        }
        let experiment = &experiment[1..];
        let meta = Meta::read(&path).expect("a record").expect("a description");
        let commit = meta.git_revision.unwrap_or_else(|| panic!("{name} names no commit"));
        assert_eq!(meta.git_dirty, Some(false), "{name} was made from a tree with changes");
        assert!(
            git(&["merge-base", "--is-ancestor", &commit, "HEAD"]).is_some(),
            "{name}: {commit} is not an ancestor of this commit"
        );
        let seconds = git(&["show", "-s", "--format=%ct", &commit]).expect("a commit");
        let commit_time = UNIX_EPOCH + Duration::from_secs(seconds.trim().parse().expect("seconds"));
        for session in &meta.sessions {
            let session_start = humantime::parse_rfc3339(&session.started_at).expect("a time");
            assert!(
                commit_time < session_start,
                "{name} was started at {} before {commit}",
                session.started_at
            );
        }
        let folder = path.ancestors().nth(2).expect("a folder of experiments");
        let file = folder.join(format!("{experiment}.toml")).display().to_string();
        let text =
            git(&["show", &format!("{commit}:{file}")]).unwrap_or_else(|| panic!("{commit} has no {file}"));
        assert_eq!(
            fs::read_to_string(path.join(Spec::FILE)).expect("a record"),
            text,
            "{name}: another experiment than {file}"
        );
        let spec = Spec::parse(&file, &text).expect("an experiment");
        let stated_digests = meta.stated.unwrap_or_else(|| panic!("{name} has no digests of its claims"));
        assert_eq!(
            stated_digests,
            statements::of(&spec),
            "{name}: digests of other claims than those of {file}"
        );
    }
}
