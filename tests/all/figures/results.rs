//! The table of results of README.md, and that of the recorded runs in docs/METHODOLOGY.md.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use queenlab::board::BoardSize;
use queenlab::experiment::StoredResults;
use queenlab::record::{ClaimRow, ClaimVerdict, Disturbed, Meta, Row};
use queenlab::report::ratios::RoundTimes;
use queenlab::report::series::ReportKey;
use queenlab::report::{DerivedData, ReportData, ReportPart};
use queenlab::spec::Spec;
use queenlab::spec::claim::Claim;
use runlab::machine::Machine;
use timestats::Range;

use super::factor;
use crate::harness::{RECORDS, record};

/// The experiments in the table of README.md, and the beginnings of the claims in its rows.
const RESULTS: [(&str, &[&str]); 8] = [
    ("quick", &["Pruning takes less", "SAT with blocking clauses takes at least"]),
    (
        "textbook",
        &[
            "A searcher that prunes",
            "Testing every permutation",
            "The 1-D array is about",
            "Boolean arrays are about",
            "Permutations with flags are about",
            "Bit masks are about",
        ],
    ),
    ("sat-vs-backtracking", &["At n = 11 SAT with blocking", "SAT without blocking clauses is slower"]),
    (
        "sat-vs-backtracking-first",
        &["SAT finds a first solution", "SAT is faster than bit masks", "Up to n = 20 bit masks"],
    ),
    ("encodings", &["Pairwise enumerates faster than bimander", "Commander stays", "Ladder stays"]),
    (
        "enumeration",
        &["Cubes are at least 15", "Full symmetry", "Without blocking clauses", "Bit masks are still"],
    ),
    ("first-solution", &["The 1-D array needs", "At n = 200 bimander"]),
    ("counting", &["Meeting in the middle is", "AVX-512 is faster"]),
];

/// The verdict of a claim as the table prints it.
pub fn verdict(row: &ClaimRow) -> &'static str {
    match row.verdict {
        ClaimVerdict::Holds => "holds",
        ClaimVerdict::Fails => "refuted",
        ClaimVerdict::Undecided => "undecided",
    }
}

/// The 95 % interval of a ratio of times. For several sizes, it reaches from the lowest to the highest end of their intervals.
pub fn interval(row: &ClaimRow, claim: &Claim, data: &DerivedData<'_>) -> Option<String> {
    // The tables contain the times of solving; other times have no interval here.
    if row.measure != "time" {
        return None;
    }
    let sizes: Vec<usize> = claim.n.as_ref()?.all.iter().map(BoardSize::get).collect();
    let times = RoundTimes::of(data);
    let is_of_goal = |goal| claim.goal.as_ref().is_none_or(|claimed_goal| **claimed_goal == goal);
    let key = |solver: &str| {
        data.runs
            .iter()
            .find(|run| run.is_timed() && run.solver == solver && is_of_goal(run.goal))
            .map(ReportKey::of)
    };
    let (solver, reference) = (key(row.of.as_str())?, key(row.compared_with.as_deref()?)?);
    let intervals: Option<Vec<Range>> =
        sizes.into_iter().map(|n| times.ratio(solver, reference, n).and_then(|ratio| ratio.ci95)).collect();
    let hull =
        intervals?.into_iter().reduce(|a, b| Range { low: a.low.min(b.low), high: a.high.max(b.high) })?;
    Some(match hull.high.is_finite() {
        true => format!("{} to {}", digits(hull.low), digits(hull.high)),
        false => format!("more than {}", digits(hull.low)),
    })
}

/// Three significant digits for values below 10, and two for larger values.
pub fn digits(value: f64) -> String {
    match value {
        ..0.01 => format!("{value:.5}"),
        0.01..0.1 => format!("{value:.4}"),
        0.1..9.95 => format!("{value:.2}"),
        _ => factor(value),
    }
}

/// The claims of the experiments with the observed values, and the machines and days of their records.
pub fn results() -> String {
    let mut lines = vec![
        "| question | claim | n | measured | 95 % interval | rounds | verdict |\n|---|---|---|---|---|---|---|".to_owned(),
    ];
    let mut machines = BTreeSet::new();
    let (mut claim_count, mut holding) = (0, 0);
    for (name, beginnings) in RESULTS {
        let folder = record(name);
        let stored = StoredResults::read(&folder).expect("a record");
        let report_data = ReportData { parts: vec![ReportPart::of(&stored, "")], ..ReportData::default() };
        let data = DerivedData::of(&report_data);
        let spec = Spec::parse(name, &read(&format!("experiments/{name}.toml"))).expect("an experiment");
        let recorded_spec = &stored.plan.as_ref().expect("a plan").spec;
        let mut question =
            format!("[{}](experiments/{name}.toml) ([run]({}))", recorded_spec.question, folder.display());
        for beginning in beginnings {
            let is_shown_claim = |says: &str| says.starts_with(beginning);
            assert!(
                spec.claims.iter().any(|claim| is_shown_claim(&claim.says)),
                "{name} claims no '{beginning}'"
            );
            let Some(at) = recorded_spec.claims.iter().position(|claim| is_shown_claim(&claim.says)) else {
                continue;
            };
            let (row, claim) = (&data.claims[at], &recorded_spec.claims[at]);
            let timed_runs = data.runs.iter().filter(|run| run.is_timed() && run.solver == row.of);
            let rounds = timed_runs.map(|run| run.round).collect::<BTreeSet<_>>().len();
            claim_count += 1;
            holding += u32::from(row.verdict == ClaimVerdict::Holds);
            let cells = [
                std::mem::take(&mut question),
                row.says.clone(),
                row.n.clone(),
                row.observed.clone().unwrap_or_default(),
                interval(row, claim, &data).unwrap_or_default(),
                rounds.to_string(),
                verdict(row).to_owned(),
            ];
            lines.push(format!("| {} |", cells.join(" | ")));
        }
        let meta = stored.meta.as_ref().expect("a description");
        machines.insert(format!("{} ({})", record_date(&folder), processor(&meta.machine)));
    }
    let machines: Vec<String> = machines.into_iter().collect();
    lines.push(format!(
        "\nRecorded on {}. {holding} of these {claim_count} claims hold. The column \"measured\" has ratios of times, or the factor per n that is \
         fitted to all sizes; `claims.csv` of each run names the two solvers and the bound. The interval is computed from the paired rounds; for \
         several sizes, it contains the intervals of all sizes. \
         [Recorded runs](docs/METHODOLOGY.md#recorded-runs) says how many runs other programs disturbed.",
        machines.join(" and ")
    ));
    lines.join("\n")
}

fn read(file: &str) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The date of a record.
fn record_date(folder: &Path) -> String {
    folder.file_name().expect("a name").to_string_lossy()[..10].to_owned()
}

/// The processor of a machine, and the number of cores that the sweep could use.
fn processor(machine: &Machine) -> String {
    let plural = if machine.cores == 1 { "" } else { "s" };
    format!("{}, {} core{plural}", machine.cpu_model, machine.cores)
}

/// The machine of a record, and the share of timed runs that other programs disturbed.
pub fn conditions(name: &str) -> String {
    let folder = record(name);
    let rows: Vec<Row> = queenlab::record::table::read(&folder).expect("a record").0;
    let meta = Meta::read(&folder).expect("a record").expect("a description");
    format!("{}; {} of the timed runs disturbed", processor(&meta.machine), disturbed_share(&rows))
}

/// The share of disturbed runs among the timed runs for which this is known; empty if there are none.
fn disturbed_share(rows: &[Row]) -> String {
    let judged_runs: Vec<_> = rows.iter().filter(|row| row.is_timed() && row.disturbed.is_some()).collect();
    let disturbed_count = judged_runs.iter().filter(|row| row.disturbed == Some(Disturbed::Yes)).count();
    match judged_runs.len() {
        0 => String::new(),
        all => format!("{:.0} %", 100.0 * disturbed_count as f64 / all as f64),
    }
}

/// For each record, the conditions of its runs and the verdicts of its claims.
pub fn recorded() -> String {
    let mut folders: Vec<PathBuf> = RECORDS
        .iter()
        .flat_map(|records| std::fs::read_dir(records).expect("records").flatten())
        .map(|entry| entry.path())
        .filter(|folder| folder.join("runs.csv").exists())
        .collect();
    folders.sort_by_key(|folder| super::name_of(folder));
    let mut lines = vec![
        "| record | date | machine | commit | rounds | timed runs | disturbed | claims: hold, undecided, refuted | stated before the run |\n\
         |---|---|---|---|---|---|---|---|---|"
            .to_owned(),
    ];
    for folder in folders {
        let rows: Vec<Row> = queenlab::record::table::read(&folder).expect("a record").0;
        let claims: Vec<ClaimRow> =
            queenlab::record::table::read(&folder).map(|read| read.0).unwrap_or_default();
        let meta = Meta::read(&folder).expect("a record").expect("a description");
        let timed_runs: Vec<_> = rows.iter().filter(|row| row.is_timed()).collect();
        let share = disturbed_share(&rows);
        let rounds = timed_runs.iter().map(|row| row.round).collect::<BTreeSet<_>>().len();
        let count = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
        let [hold, undecided, refuted] =
            [ClaimVerdict::Holds, ClaimVerdict::Undecided, ClaimVerdict::Fails].map(count);
        let claims =
            if claims.is_empty() { String::new() } else { format!("{hold}, {undecided}, {refuted}") };
        let revision = meta.git_revision.as_deref().unwrap_or("unknown");
        let commit = match meta.git_dirty {
            Some(false) => format!("`{}`", &revision[..8.min(revision.len())]),
            _ => format!("`{}` with changes", &revision[..8.min(revision.len())]),
        };
        lines.push(format!(
            "| `{}` | {} | {} | {commit} | {rounds} | {} | {share} | {claims} | {} |",
            super::name_of(&folder),
            record_date(&folder),
            processor(&meta.machine),
            super::with_thousands_separators(timed_runs.len() as u64),
            if meta.stated.is_some() { "yes" } else { "not known" }
        ));
    }
    lines.join("\n")
}
