//! The figures in README.md and docs/ that come from recorded runs. A block between `<!-- figures: NAME -->` and
//! `<!-- end -->` is made here from the records; `scripts/figures` writes the blocks, and this test fails if one is outdated.

mod certificates;
mod gates;
mod literature;
mod orders;
mod paradigms;
mod problems;
mod results;
mod samples;
mod steps;
mod values;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use queenlab::board::published;
use queenlab::experiment::StoredResults;
use queenlab::record::{NodesRow, Row, TimingsRow};
use queenlab::report::tables::{self, Clock};
use queenlab::report::{ReportData, Unit, runs};
use queenlab::solver::Stat;

use crate::harness::{record, run_in, scratch};

/// A recorded run.
struct Record {
    name: String,
    runs: Vec<Row>,
    timings: HashMap<(String, usize), TimingsRow>,
    nodes: HashMap<(String, usize), NodesRow>,
}

impl Record {
    fn read(name: &str) -> Self {
        let stored = StoredResults::read(&record(name)).expect("a record");
        Self::from_rows(name, stored.rows)
    }

    /// The record with these rows.
    fn from_rows(name: &str, rows: Vec<Row>) -> Self {
        let all_runs = runs(&ReportData::of_rows(&rows).parts);
        let timings = tables::timings(&all_runs, Clock::Solving).into_iter().map(|(_, row)| row);
        let timings = timings.map(|row| ((row.solver.to_string(), row.n), row)).collect();
        let nodes = tables::nodes(&all_runs)
            .into_iter()
            .map(|(_, row)| ((row.solver.to_string(), row.n), row))
            .collect();
        Self { name: name.to_owned(), timings, nodes, runs: rows }
    }

    /// The median in nanoseconds; `None` if the solver has no run of this size or reached its limit.
    fn median(&self, solver: &str, n: usize) -> Option<u64> {
        self.timings.get(&(solver.to_owned(), n))?.median_ns
    }

    fn median_ns(&self, solver: &str, n: usize) -> u64 {
        self.median(solver, n).unwrap_or_else(|| panic!("{}: no time of {solver} at n = {n}", self.name))
    }

    fn time(&self, solver: &str, n: usize) -> String {
        Unit::Time.show(self.median_ns(solver, n))
    }

    /// The ratio of the median time of the first solver to that of the second solver.
    fn ratio(&self, solver: &str, other: &str, n: usize) -> String {
        factor(self.median_ns(solver, n) as f64 / self.median_ns(other, n) as f64)
    }

    /// The sizes at which the first solver has the smaller median, or only the second solver reached its limit.
    fn faster_sizes(&self, solver: &str, other: &str) -> Vec<usize> {
        let mut sizes: Vec<usize> =
            self.timings.keys().filter(|(id, _)| id == solver).map(|(_, n)| *n).collect();
        sizes.sort_unstable();
        let is_faster = |n: &usize| match (self.median(solver, *n), self.median(other, *n)) {
            (Some(time), Some(other_time)) => time < other_time,
            (time, _) => time.is_some() && self.timings.contains_key(&(other.to_owned(), *n)),
        };
        sizes.into_iter().filter(is_faster).collect()
    }

    fn count(&self, solver: &str, n: usize, stat: Stat) -> u64 {
        self.nodes[&(solver.to_owned(), n)].stats.get(stat).expect("it was counted")
    }

    /// Solutions per second, in millions.
    fn rate(&self, solver: &str, n: usize) -> Option<String> {
        let rate = published::solutions(n)? as f64 / (self.median(solver, n)? as f64 / 1e9) / 1e6;
        Some(if rate < 9.95 { format!("{rate:.1}") } else { with_thousands_separators(rate.round() as u64) })
    }
}

/// Two significant digits.
fn factor(value: f64) -> String {
    match value {
        ..9.95 => format!("{value:.1}"),
        9.95..99.5 => format!("{value:.0}"),
        _ => with_thousands_separators(
            (value / 10_f64.powf(value.log10().floor() - 1.0)).round() as u64
                * 10_u64.pow(value.log10().floor() as u32 - 1),
        ),
    }
}

/// The number with a comma after each thousand.
fn with_thousands_separators(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).expect("digits"));
    groups.collect::<Vec<_>>().join(",")
}

/// Sizes in words, for example `18, 20 and from 22 on` if `last` is the largest size.
fn in_words(sizes: &[usize], last: usize) -> String {
    let run_length = sizes.iter().rev().zip((0..=last).rev()).take_while(|(a, b)| **a == *b).count();
    let (single_sizes, run) = sizes.split_at(sizes.len() - run_length);
    let single_sizes: Vec<String> = single_sizes.iter().map(usize::to_string).collect();
    match (single_sizes.join(", "), run.first()) {
        (list, Some(first)) if !list.is_empty() => format!("{list} and from {first} on"),
        (_, Some(first)) => format!("{first} and above"),
        (list, None) => list,
    }
}

const SAT: &str = "sat/pairwise/varisat";
const BITMASK: &str = "backtrack/bitmask";
const SCAN: &str = "backtrack/column-scan";

/// The table of the textbook searchers in METHODOLOGY.md.
fn textbook() -> String {
    let record = Record::read("textbook");
    let mut lines = vec![
        "| searcher | n = 8 | n = 10 | n = 12 | n = 13 | time relative to `bitmask`, n = 12 |\n|---|---|---|---|---|---|".to_owned(),
    ];
    for name in [
        "exhaustive",
        "permutations",
        "board-scan-columns",
        "board-scan",
        "column-scan",
        "flag-arrays",
        "permutations-pruned",
        "bitmask",
    ] {
        let id = format!("backtrack/{name}");
        let cells =
            [8, 10, 12, 13].map(|n| record.median(&id, n).map_or(String::new(), |ns| Unit::Time.show(ns)));
        let ratio_cell = match record.median(&id, 12) {
            Some(_) => record.ratio(&id, BITMASK, 12),
            None => format!("{} (at n = 9)", record.ratio(&id, BITMASK, 9)),
        };
        let cells: Vec<String> = cells
            .into_iter()
            .chain([ratio_cell])
            .map(|cell| if cell.is_empty() { " ".to_owned() } else { format!(" {cell} ") })
            .collect();
        lines.push(format!("| `{name}` |{}|", cells.join("|")));
    }
    let growth = |name: &str| {
        let id = format!("backtrack/{name}");
        record.median_ns(&id, 13) as f64 / record.median_ns(&id, 12) as f64
    };
    let pruning_searchers =
        ["board-scan", "board-scan-columns", "column-scan", "flag-arrays", "permutations-pruned", "bitmask"];
    let growths = pruning_searchers.map(growth);
    let (smallest, largest) =
        growths.iter().fold((f64::MAX, 0.0_f64), |(smallest, largest), &g| (smallest.min(g), largest.max(g)));
    let nodes = record.count(BITMASK, 12, Stat::Nodes);
    for name in pruning_searchers {
        assert_eq!(record.count(&format!("backtrack/{name}"), 12, Stat::Nodes), nodes, "{name}");
    }
    format!(
        "{}\n\nFrom n = 12 to 13, the times of the searchers that prune grow by factors of {smallest:.1} to {largest:.1}. The search trees of these\n\
         searchers have the same size ({} nodes at n = 12). Machine: {}.",
        lines.join("\n"),
        with_thousands_separators(nodes),
        results::conditions("textbook")
    )
}

/// The comparison of SAT with backtracking in METHODOLOGY.md.
fn sat() -> String {
    let [all_solutions, enumeration, first_solutions, large_boards] =
        ["sat-vs-backtracking", "enumeration", "sat-vs-backtracking-first", "first-solution"]
            .map(Record::read);
    let enumeration_time = |id: &str| enumeration.time(id, 12);
    format!(
        "| measured | result |\n|---|---|\n\
         | all solutions (`{}`): time of SAT divided by the time of `column-scan` | {} at n = 8, {} at n = 10, {} at n = 11 |\n\
         | all solutions of n = 12 (`enumeration`): varisat | blocking clauses {}, `cubes` {}, `cubes-full` {} |\n\
         | all solutions of n = 12 (`enumeration`): batsat | blocking clauses {}, `cubes` {}, `cubes-full` {} |\n\
         | all solutions of n = 12 (`enumeration`): `chrono` | {} |\n\
         | all solutions of n = 12 (`enumeration`): `bitmask` | {} |\n\
         | first solution (`{}`): the median of SAT is smaller than that of `column-scan` | n = {} |\n\
         | first solution (`{}`): the median of SAT is smaller than that of `bitmask` | n = {} |\n\
         | first solution (`{}`): median of `column-scan` | {} at n = 21, {} at n = 22, {} at n = 23 |\n\
         | first solution (`{}`): median of SAT | {} at n = 16, {} at n = 32 |\n\
         | first solution of n = 200 (`first-solution`) | bimander {}, pairwise {} with a formula of {} clauses |\n\n{}",
        all_solutions.name,
        all_solutions.ratio(SAT, SCAN, 8),
        all_solutions.ratio(SAT, SCAN, 10),
        all_solutions.ratio(SAT, SCAN, 11),
        enumeration_time(SAT),
        enumeration_time("sat/pairwise/varisat/cubes"),
        enumeration_time("sat/pairwise/varisat/cubes-full"),
        enumeration_time("sat/pairwise/batsat"),
        enumeration_time("sat/pairwise/batsat/cubes"),
        enumeration_time("sat/pairwise/batsat/cubes-full"),
        enumeration
            .median("sat/pairwise/chrono", 12)
            .map_or("not recorded".to_owned(), |ns| Unit::Time.show(ns)),
        enumeration_time(BITMASK),
        first_solutions.name,
        in_words(&first_solutions.faster_sizes(SAT, SCAN), 32),
        first_solutions.name,
        in_words(&first_solutions.faster_sizes(SAT, BITMASK), 32),
        first_solutions.name,
        first_solutions.time(SCAN, 21),
        first_solutions.time(SCAN, 22),
        first_solutions.time(SCAN, 23),
        first_solutions.name,
        first_solutions.time(SAT, 16),
        first_solutions.time(SAT, 32),
        large_boards.time("sat/bimander/varisat", 200),
        large_boards.time(SAT, 200),
        with_thousands_separators(large_boards.count(SAT, 200, Stat::Clauses)),
        [&all_solutions, &enumeration, &first_solutions, &large_boards]
            .map(|record| format!("- Machine of `{}`: {}", record.name, results::conditions(&record.name)))
            .join("\n")
    )
}

/// The error rates in METHODOLOGY.md: sweeps of equal solvers, and of a solver that is 3 % slower.
fn calibration() -> String {
    let path = record("calibration").join("sweeps.csv");
    let text = std::fs::read_to_string(path).expect("a record");
    let sweeps: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let share = |kind: &str, column: usize| {
        let sweeps_of_kind: Vec<_> = sweeps.iter().filter(|sweep| sweep[0] == kind).collect();
        let significant_count = sweeps_of_kind
            .iter()
            .filter(|sweep| sweep[column].parse::<f64>().expect("a number") < 0.05)
            .count();
        let percent = 100.0 * significant_count as f64 / sweeps_of_kind.len() as f64;
        (sweeps_of_kind.len(), format!("{significant_count} ({percent:.1} %)"))
    };
    let lines = [("equal", 15), ("slower", 15), ("slower-45", 45)].map(|(kind, rounds)| {
        let ((all, overall), (_, single)) = (share(kind, 2), share(kind, 3));
        let (kind, what) = match kind {
            "equal" => ("four equal solvers", "a false alarm"),
            _ => ("a solver that is 3 % slower", "the slower solver is detected"),
        };
        format!("| {kind} | {rounds} | {all} | {what} | {overall} | {single} |")
    });
    format!(
        "| solvers | rounds | sweeps | event | sweeps with the event, table over all sizes | sweeps with the event, table of single sizes |\n\
         |---|---|---|---|---|---|\n{}",
        lines.join("\n")
    )
}

/// The last lines that the sweep of `quick` printed, in TOUR.md. The sweep is repeated in its complete result
/// directory, and prints these lines again.
fn tour() -> String {
    let directory = scratch();
    let results = directory.path().join("results/quick");
    std::fs::create_dir_all(&results).expect("a writable directory");
    for entry in std::fs::read_dir(record("quick")).expect("a record").flatten() {
        if entry.path().is_file() {
            std::fs::copy(entry.path(), results.join(entry.file_name())).expect("a copy");
        }
    }
    // This test runs on another machine and with another executable than the recorded sweep, so it needs --accept.
    let arguments = ["sweep", "results/quick/experiment.toml", "--accept", "--progress", "none"];
    let (code, out, err) = run_in(directory.path(), &arguments);
    let runs = |directory: &Path| std::fs::read(directory.join("runs.csv")).expect("a record");
    assert!(code == 0 && runs(&results) == runs(&record("quick")), "{code}: {err}");
    // The warnings about the executable and the machine are not those of the record.
    let warning_pattern = regex_lite::Regex::new(
        r" (A|[0-9]+) warnings? (was|were) recorded; the page (shows it|lists them)\.",
    );
    let out = warning_pattern.expect("valid").replace_all(&out, "");
    format!("```text\n{out}```")
}

/// The cost of a process per run, in METHODOLOGY.md.
fn overhead() -> String {
    let quick_record = Record::read("quick");
    let cost = |run: &Row| Some(run.wall_ns?.saturating_sub(run.answered_ns()?));
    let mut costs: Vec<u64> =
        quick_record.runs.iter().filter(|run| run.is_timed()).filter_map(cost).collect();
    costs.sort_unstable();
    format!(
        "In the recorded run `{}`, `wall_ns` of a timed run exceeds\n`encode_ns + solve_ns` by {} in the median ({}).",
        record("quick").display(),
        Unit::Time.show(costs[costs.len() / 2]),
        results::conditions("quick")
    )
}

/// The rates of the counters, in COUNTING.md.
fn rates() -> String {
    let record = Record::read("counting");
    let sizes = [12, 13, 14, 15, 16, 17, 18, 19];
    let header_cells = sizes.map(|n| format!("n = {n}")).join(" | ");
    let mut lines = vec![format!("| | {header_cells} |\n|---|{}", "---:|".repeat(sizes.len()))];
    for id in [SCAN, "backtrack/flag-arrays", BITMASK, "count/portable", "count/avx2", "count/avx512"] {
        let cells = sizes.map(|n| record.rate(id, n).unwrap_or_default());
        lines.push(format!("| `{id}` | {} |", cells.join(" | ")));
    }
    lines.join("\n")
}

/// The count of 22 queens, in COUNTING.md.
fn n22() -> String {
    let path = record("counting-n22").join("n22.json");
    let text = std::fs::read_to_string(path).expect("a record");
    let count: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let solutions = count["solutions"].as_u64();
    assert_eq!(solutions, published::solutions(22));
    let number = |key: &str| count[key].as_u64().unwrap_or_else(|| panic!("no {key}"));
    format!(
        "The recorded count of n = 22 took {} s with {} threads, and counted {} solutions, the number in A000170.",
        with_thousands_separators((number("wall_ns") + 500_000_000) / 1_000_000_000),
        number("threads"),
        with_thousands_separators(number("solutions"))
    )
}

/// The experiment of a record, whose folder is named by a date and the experiment.
fn name_of(record: &Path) -> String {
    let folder = record.file_name().and_then(|name| name.to_str()).expect("UTF-8");
    folder.splitn(4, '-').nth(3).expect("a date and a name").to_owned()
}

/// The numbers of nodes of the row-by-row tree from n = 13 on, including the root. Source: Helbecque et al., P3D-DFS,
/// benchmarks/NQueens/README.md.
const LARGE_TREES: [u64; 7] =
    [4_674_890, 27_358_553, 171_129_072, 1_141_190_303, 8_017_021_932, 59_365_844_491, 461_939_618_824];

/// The share of intervals of `queenlab count --estimate` that contain the true numbers, in SEARCH.md.
fn coverage() -> String {
    let path = record("knuth-1975").join("intervals.csv");
    let text = std::fs::read_to_string(path).expect("a record");
    let mut sizes: BTreeMap<usize, (u64, u64, u64)> = BTreeMap::new();
    // These counts are for sizes from n = 20 on: the intervals, the intervals that do not contain the number of solutions, and the
    // intervals below the number of solutions.
    let (mut interval_count, mut miss_count, mut too_low_count) = (0, 0, 0);
    for line in text.lines().skip(1) {
        let fields: Vec<f64> = line.split(',').map(|field| field.parse().expect("a number")).collect();
        let [n, _seed, nodes_low, nodes_high, low, high] = fields[..] else { panic!("{line}") };
        let n = n as usize;
        let nodes = published::term("A319283", n).or_else(|| LARGE_TREES.get(n.checked_sub(13)?).copied());
        let interval_contains = |number: Option<u64>, low: f64, high: f64| {
            u64::from(number.is_some_and(|number| (low..=high).contains(&(number as f64))))
        };
        // Sizes are grouped by four.
        let size = sizes.entry(n - n % 4).or_default();
        size.0 += 1;
        size.1 += interval_contains(nodes, nodes_low, nodes_high);
        let solutions = published::solutions(n);
        size.2 += interval_contains(solutions, low, high);
        if n >= 20 {
            interval_count += 1;
            miss_count += 1 - interval_contains(solutions, low, high);
            too_low_count += u64::from(solutions.is_some_and(|solutions| high < solutions as f64));
        }
    }
    let mut lines =
        vec!["| n | intervals | share that contains the number of nodes | share that contains the number of solutions |\n|---|---|---|---|".to_owned()];
    for (n, (intervals, nodes, solutions)) in sizes {
        let share = |count: u64| format!("{:.0} %", 100.0 * count as f64 / intervals as f64);
        let nodes = if n < 13 + LARGE_TREES.len() { share(nodes) } else { String::new() };
        lines.push(format!("| {n} to {} | {intervals} | {nodes} | {} |", n + 3, share(solutions)));
    }
    lines.push(format!(
        "\nOf the {interval_count} intervals for n = 20 and above, {miss_count} do not contain the number of solutions, and {too_low_count} of these lie below that number."
    ));
    lines.join("\n")
}

type Block = (&'static str, &'static str, fn() -> String);

/// Each block: its file, its name, and the function that makes its content.
const BLOCKS: &[Block] = &[
    ("README.md", "results", results::results),
    ("docs/TOUR.md", "tour", tour),
    ("docs/METHODOLOGY.md", "textbook", textbook),
    ("docs/METHODOLOGY.md", "steps", steps::steps),
    ("docs/METHODOLOGY.md", "sat", sat),
    ("docs/METHODOLOGY.md", "overhead", overhead),
    ("docs/METHODOLOGY.md", "records", results::recorded),
    ("docs/METHODOLOGY.md", "calibration", calibration),
    ("docs/METHODOLOGY.md", "gates", gates::table),
    ("docs/COUNTING.md", "rates", rates),
    ("docs/COUNTING.md", "n22", n22),
    ("docs/COUNTING.md", "prices", samples::board_costs),
    ("docs/COUNTING.md", "estimates", samples::estimates),
    ("docs/COUNTING.md", "shards", samples::shards),
    ("docs/COUNTING.md", "peer", samples::peer_comparison),
    ("docs/COUNTING.md", "work", samples::work),
    ("docs/COUNTING.md", "tree", samples::tree),
    ("docs/SHARDS.md", "balance", samples::shard_balance),
    ("docs/PROBLEMS.md", "variants", problems::variants),
    ("docs/PROBLEMS.md", "phase", problems::phase_transition),
    ("docs/PROBLEMS.md", "excluded", problems::excluded),
    ("docs/PROBLEMS.md", "completion", problems::completion),
    ("docs/PROBLEMS.md", "instances", problems::all_instances),
    ("docs/LITERATURE.md", "literature", literature::literature),
    ("docs/SEARCH.md", "orders", orders::orders),
    ("docs/SEARCH.md", "coverage", coverage),
    ("docs/PARADIGMS.md", "paradigms", paradigms::paradigms),
    ("docs/PARADIGMS.md", "paradigm-claims", paradigms::claims),
    ("docs/CERTIFICATES.md", "agreement", certificates::agreement),
    ("docs/CERTIFICATES.md", "costs", certificates::costs),
    ("docs/CERTIFICATES.md", "samples-of-parts", certificates::samples),
];

/// A document with a block replaced.
fn with_block(document: &str, name: &str, content: &str) -> String {
    let (begin, end) = (format!("<!-- figures: {name} -->\n"), "<!-- end -->");
    let start = document.find(&begin).unwrap_or_else(|| panic!("no block {name}")) + begin.len();
    let block_end = start + document[start..].find(end).unwrap_or_else(|| panic!("block {name} has no end"));
    format!("{}{content}\n{}", &document[..start], &document[block_end..])
}

/// The documents of the repository.
fn documents() -> Vec<String> {
    let docs = std::fs::read_dir("docs").expect("documents").flatten();
    let docs = docs.map(|entry| entry.path().display().to_string()).filter(|file| file.ends_with(".md"));
    docs.chain(["README.md".to_owned()]).collect()
}

/// The document with its links to records replaced by links to the newest record of the same experiment.
fn with_newest_records(document: &str) -> String {
    let link = regex_lite::Regex::new(r"experiments/(?:\w+/)?record/\d{4}-\d\d-\d\d-([a-z0-9-]+)");
    let newest = |captures: &regex_lite::Captures<'_>| record(&captures[1]).display().to_string();
    link.expect("valid").replace_all(document, newest).into_owned()
}

#[test]
fn figures_of_the_documents_match_the_records() {
    let is_writing = std::env::var_os("QUEENLAB_FIGURES").is_some_and(|how| how == "write");
    for &(file, name, content) in BLOCKS {
        let document = std::fs::read_to_string(file).expect("tests run in the package's directory");
        let expected = with_block(&document, name, &content());
        if is_writing {
            std::fs::write(file, expected).expect("written");
        } else {
            assert!(
                document == expected,
                "{file}: the figures of block '{name}' are outdated: run scripts/figures"
            );
        }
    }
    for file in documents() {
        let document = std::fs::read_to_string(&file).expect("tests run in the package's directory");
        let updated_document = with_newest_records(&values::with_values(&document, &file));
        if is_writing && updated_document != document {
            std::fs::write(&file, &updated_document).expect("written");
        }
        assert!(
            is_writing || updated_document == document,
            "{file} links an older record, or has another value: run scripts/figures"
        );
        let block_count = BLOCKS.iter().filter(|block| block.0 == file).count();
        assert_eq!(
            document.matches("<!-- figures: ").count(),
            block_count,
            "{file} has a block that BLOCKS does not list"
        );
    }
}

#[test]
fn sizes_and_ratios_are_formatted_as_in_prose() {
    assert_eq!(in_words(&[18, 20, 22, 23, 24], 24), "18, 20 and from 22 on");
    assert_eq!(in_words(&[23, 24], 24), "23 and above");
    assert_eq!(in_words(&[5], 24), "5");
    assert_eq!([1.54, 43.9, 779.6, 21_340.0].map(factor), ["1.5", "44", "780", "21,000"]);
    assert_eq!(
        with_block("a\n<!-- figures: x -->\nold\n<!-- end -->\nb", "x", "new"),
        "a\n<!-- figures: x -->\nnew\n<!-- end -->\nb"
    );
}
