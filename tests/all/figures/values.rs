//! Numbers in sentences of README.md and docs/: `<!-- value: QUERY -->NUMBER<!-- /value -->`. The query defines how the number is
//! computed from a record. `scripts/figures` writes the numbers.
//!
//! | query | value |
//! |---|---|
//! | `time RECORD SOLVER N` | the median time, as in `timings.csv` |
//! | `ratio RECORD SOLVER OTHER N` | the median time of the solver divided by that of the other solver |
//! | `reach RECORD builtin\|other least\|most GOAL` | the largest size that each built-in or other solver answered: the minimum or maximum over these solvers |
//! | `job RECORD SOLVER N GOAL` | the median time of a goal; for programs, including their start; `> LIMIT` if a limit stopped every run |
//! | `reported RECORD SOLVER N GOAL` | the median of the times that a program reports |
//! | `growth RECORD SOLVER N M` | the median time at M divided by that at N |
//! | `growth A000170 N M` | the published number of solutions at M divided by that at N |
//! | `tail RECORD SOLVER N` | the time of the longest answered run divided by the median time |
//! | `peak RECORD SOLVER N` | the largest peak memory of the timed runs |
//! | `count RECORD SOLVER N STATISTIC` | a number that was counted |
//! | `counted RECORD SOLVER OTHER N STATISTIC` | a number that was counted for the solver divided by that of the other solver |
//! | `rate RECORD SOLVER N` | solutions per second in the median, in millions |
//! | `conditions RECORD` | the machine, and the share of disturbed timed runs |
//! | `observed RECORD CLAIM` | the observed value of the claim whose text begins with CLAIM |
//! | `holds RECORD CLAIM` | an empty text; an error if the claim does not hold, because the sentence would then be wrong |
//! | `disturbed RECORD` | the share of disturbed timed runs |
//! | `late RECORD` | the share of timed runs that take more than 10 % longer than the median of their cell, among cells with a median of at least 100 µs |
//! | `late simulation` | this share in the simulated sweeps of `tests/all/calibration.rs` |
//! | `explained mutants` | the number of entries of `scripts/mutants.txt` |

use std::collections::BTreeMap;

use queenlab::board::published;
use queenlab::experiment::StoredResults;
use queenlab::record::{ClaimVerdict, Disturbed, Row, Status};
use queenlab::report::{DerivedData, ReportData, ReportPart, Unit};
use queenlab::solver::Stat;
use regex_lite::{Captures, Regex};

use super::results::conditions;
use super::{Record, factor, with_thousands_separators};
use crate::calibration;
use crate::harness::record;

/// The document with the values of the records.
pub fn with_values(document: &str, file: &str) -> String {
    let marked_value = Regex::new("<!-- value: (.*?) -->[^<]*<!-- /value -->").expect("valid");
    let value = |captures: &Captures<'_>| {
        let query = &captures[1];
        format!(
            "<!-- value: {query} -->{}<!-- /value -->",
            value(query).unwrap_or_else(|why| panic!("{file}: '{query}': {why}"))
        )
    };
    marked_value.replace_all(document, value).into_owned()
}

/// The answer to a query.
fn value(query: &str) -> Result<String, String> {
    let words: Vec<&str> = query.split(' ').collect();
    let number = |text: &str| text.parse::<usize>().map_err(|_| format!("'{text}' is not a size"));
    match words[..] {
        ["time", name, solver, n] => Ok(read(name).time(solver, number(n)?)),
        ["ratio", name, solver, other, n] => Ok(read(name).ratio(solver, other, number(n)?)),
        ["count", name, solver, n, statistic] => {
            let statistic = Stat::named(statistic).ok_or("no such statistic")?;
            Ok(with_thousands_separators(read(name).count(solver, number(n)?, statistic)))
        }
        ["counted", name, solver, other, n, statistic] => {
            let (results, n) = (read(name), number(n)?);
            let statistic = Stat::named(statistic).ok_or("no such statistic")?;
            let count = |solver| results.count(solver, n, statistic) as f64;
            Ok(format!("{:.4}", count(solver) / count(other)))
        }
        ["rate", name, solver, n] => {
            read(name).rate(solver, number(n)?).ok_or_else(|| "no number of solutions or no time".to_owned())
        }
        ["conditions", name] => Ok(conditions(name)),
        ["explained", "mutants"] => {
            let list = include_str!("../../../scripts/mutants.txt");
            Ok(list.lines().filter(|line| !line.starts_with('#')).count().to_string())
        }
        ["reach", name, which @ ("builtin" | "other"), end @ ("least" | "most"), goal] => {
            let rows = StoredResults::read(&record(name)).expect("a record").rows;
            let mut largest: BTreeMap<String, usize> = BTreeMap::new();
            for row in rows.iter().filter(|row| row.is_timed() && row.goal.to_string() == goal) {
                let is_program = row.solver.starts_programs();
                if is_program == (which == "other") {
                    let size = largest.entry(row.solver.to_string()).or_default();
                    *size = (*size).max(if row.is_answered() { row.n } else { 0 });
                }
            }
            let sizes = largest.values().copied();
            let size = if end == "least" { sizes.min() } else { sizes.max() };
            size.map(|size| size.to_string()).ok_or_else(|| "no solver".to_owned())
        }
        ["job", name, solver, n, goal] => median(name, solver, number(n)?, goal, Row::job_ns),
        ["reported", name, solver, n, goal] => {
            median(name, solver, number(n)?, goal, |row| row.reported_solve_ns)
        }
        ["growth", name, ref solver @ .., from, to] => {
            let (from, to) = (number(from)?, number(to)?);
            let value_at = |n| match solver {
                [] => published::solutions(n).map(|solutions| solutions as f64).ok_or("not published"),
                [solver] => Ok(read(name).median_ns(solver, n) as f64),
                _ => Err("more than one solver"),
            };
            Ok(format!("{:.1}", value_at(to)? / value_at(from)?))
        }
        ["tail", name, solver, n] => {
            let (results, n) = (read(name), number(n)?);
            let runs = results.runs.iter().filter(|row| row.is_timed() && row.solver == solver && row.n == n);
            let longest_time = runs.filter_map(Row::answered_ns).max().ok_or("no answered run")?;
            Ok(factor(longest_time as f64 / results.median_ns(solver, n) as f64))
        }
        ["peak", name, solver, n] => {
            let results = read(name);
            let row = results.timings.get(&(solver.to_owned(), number(n)?)).ok_or("no timed run")?;
            let bytes = row.peak_rss_bytes.ok_or("no peak memory")?;
            Ok(format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)))
        }
        ["disturbed", name] => {
            let rows = read(name).runs;
            let timed_runs = rows.iter().filter(|row| row.is_timed());
            let disturbed_count =
                timed_runs.clone().filter(|row| row.disturbed == Some(Disturbed::Yes)).count();
            Ok(format!("{:.0} %", 100.0 * disturbed_count as f64 / timed_runs.count() as f64))
        }
        ["late", "simulation"] => {
            let sweeps = calibration::sweeps_of_equal_solvers();
            let ratios: Vec<f64> = sweeps
                .into_iter()
                .flat_map(|rows| ratios_to_median(&Record::from_rows("simulation", rows)))
                .collect();
            Ok(format!("{:.0} %", late_percentage(&ratios)))
        }
        ["late", name] => Ok(format!("{:.1} %", late_percentage(&ratios_to_median(&read(name))))),
        ["observed" | "holds", name, ..] => {
            let beginning = words[2..].join(" ");
            let stored = StoredResults::read(&record(name)).expect("a record");
            let report_data =
                ReportData { parts: vec![ReportPart::of(&stored, "")], ..ReportData::default() };
            let claims = DerivedData::of(&report_data).claims;
            let claim =
                claims.iter().find(|claim| claim.says.starts_with(&beginning)).ok_or("no such claim")?;
            match (words[0], claim.verdict) {
                ("observed", _) => Ok(claim.observed.clone().unwrap_or_default()),
                (_, ClaimVerdict::Holds) => Ok(String::new()),
                (_, verdict) => Err(format!("the claim is {verdict}: write this sentence anew")),
            }
        }
        _ => Err("not a query".to_owned()),
    }
}

/// The time of each timed run divided by the median of its cell, for cells with a median of at least 100 µs.
fn ratios_to_median(record: &Record) -> Vec<f64> {
    let timed_runs = record.runs.iter().filter(|row| row.is_timed());
    let ratio = |row: &Row| {
        let median = record.median(row.solver.as_str(), row.n).filter(|median| *median >= 100_000)?;
        Some(row.answered_ns()? as f64 / median as f64)
    };
    timed_runs.filter_map(ratio).collect()
}

/// The percentage of ratios above 1.1.
fn late_percentage(ratios: &[f64]) -> f64 {
    let late_count = ratios.iter().filter(|ratio| **ratio > 1.1).count();
    100.0 * late_count as f64 / ratios.len() as f64
}

fn read(name: &str) -> Record {
    Record::read(name)
}

/// The median of the timed runs of a goal, or their limit if it stopped every run. Otherwise, every run must have a time.
fn median(
    name: &str,
    solver: &str,
    n: usize,
    goal: &str,
    time: fn(&Row) -> Option<u64>,
) -> Result<String, String> {
    let rows = StoredResults::read(&record(name)).expect("a record").rows;
    let runs = rows
        .iter()
        .filter(|row| row.is_timed() && row.solver == solver && row.n == n && row.goal.to_string() == goal);
    let limits = runs.clone().map(|row| row.time_limit_ns.filter(|_| row.status == Status::Timeout));
    if let Some(limit) = limits.min().flatten() {
        return Ok(format!("> {}", Unit::Time.show(limit)));
    }
    let times: Option<Vec<u64>> = runs.map(|row| time(row).filter(|_| row.is_answered())).collect();
    let mut times = times.ok_or("a run without an answer")?;
    times.sort_unstable();
    let middle = times.len().checked_sub(1).ok_or("no run")? / 2;
    Ok(Unit::Time.show(times[middle]))
}

#[test]
fn value_queries_are_answered_or_refused() {
    for query in
        ["", "time", "time quick", "speed quick backtrack/bitmask 8", "time quick backtrack/bitmask x"]
    {
        assert!(value(query).is_err(), "{query}");
    }
    assert_eq!(value("count quick backtrack/bitmask 8 nodes"), Ok("2,057".to_owned()));
    let document = "a <!-- value: count quick backtrack/bitmask 8 nodes -->7<!-- /value --> b";
    assert_eq!(with_values(document, "a file"), document.replace(">7<", ">2,057<"));
}
