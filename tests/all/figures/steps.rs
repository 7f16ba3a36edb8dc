//! The table of the ideas of the textbook searchers in docs/METHODOLOGY.md: how much time each idea saves, at two sizes.

use queenlab::experiment::StoredResults;
use queenlab::report::ratios::RoundTimes;
use queenlab::report::series::ReportKey;
use queenlab::report::{DerivedData, ReportData, ReportPart};

use super::results::digits;
use crate::harness::record;

/// Each idea, the searcher without it, the searcher with it, and two sizes at which both were recorded.
const STEPS: [(&str, &str, &str, [usize; 2]); 6] = [
    ("place queens in different columns only", "exhaustive", "permutations", [8, 9]),
    ("prune: place no queen that is attacked", "permutations", "board-scan", [10, 12]),
    ("keep a 1-D array instead of a 2-D board", "board-scan", "column-scan", [10, 13]),
    ("keep flags of attacked lines", "column-scan", "flag-arrays", [10, 13]),
    ("keep the free columns as a permutation", "flag-arrays", "permutations-pruned", [10, 13]),
    ("keep sets of squares as bit masks", "permutations-pruned", "bitmask", [10, 13]),
];

/// The table.
pub fn steps() -> String {
    let stored = StoredResults::read(&record("textbook")).expect("a record");
    let report_data = ReportData { parts: vec![ReportPart::of(&stored, "")], ..ReportData::default() };
    let data = DerivedData::of(&report_data);
    let times = RoundTimes::of(&data);
    let key = |name: &str| {
        let id = format!("backtrack/{name}");
        data.runs
            .iter()
            .find(|run| run.is_timed() && run.solver == id.as_str())
            .map(ReportKey::of)
            .expect("a timed run")
    };
    let mut lines = vec![
        "| idea | earlier searcher | later searcher | ratio at the smaller size | ratio at the larger size |\n|---|---|---|---|---|".to_owned(),
    ];
    for (idea, earlier, later, sizes) in STEPS {
        let cells = sizes.map(|n| {
            let ratio = times.ratio(key(earlier), key(later), n).expect("common rounds");
            let estimate = ratio.ratio.value().expect("no run was stopped");
            let interval = ratio.ci95.expect("enough rounds for an interval");
            format!("n = {n}: {} ({} to {})", digits(estimate), digits(interval.low), digits(interval.high))
        });
        lines.push(format!("| {idea} | `{earlier}` | `{later}` | {} |", cells.join(" | ")));
    }
    lines.join("\n")
}
