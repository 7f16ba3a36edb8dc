//! The blocks of docs/PROBLEMS.md, from experiments/problems/record.

use std::collections::{BTreeMap, BTreeSet};

use queenlab::board::published;
use queenlab::record::{Row, table};
use queenlab::report::Unit;

use crate::harness;

const SOLVERS: [&str; 3] = ["backtrack/dlx", "sat/pairwise/varisat", "sat/product/varisat"];

fn record(name: &str) -> Vec<Row> {
    // The rows are not judged again, because judging thousands of problems takes too long.
    let rows: Vec<Row> = table::read(&harness::record(name)).expect("a record").0;
    assert!(
        rows.iter().all(|row| row.is_answered() || !row.is_timed() || row.time_limit_ns.is_some()),
        "{name}"
    );
    rows
}

/// The number of excluded diagonals or given queens: the number after `-k` in `instance:excluded-n10-k3-s7`.
fn restriction_count(row: &Row) -> usize {
    let (_, number_and_seed) = row.variant.split_once("-k").expect("a generated instance");
    number_and_seed.split('-').next().and_then(|k| k.parse().ok()).expect("a number")
}

/// The medians of the timed runs of a solver in nanoseconds, by size and number of restrictions.
fn medians(rows: &[Row], solver: &str) -> BTreeMap<(usize, usize), u64> {
    let mut times: BTreeMap<(usize, usize), Vec<u64>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is_timed() && row.solver == solver) {
        let time = row.answered_ns().unwrap_or(u64::MAX);
        times.entry((row.n, restriction_count(row))).or_default().push(time);
    }
    let median = |mut times: Vec<u64>| {
        times.sort_unstable();
        times[(times.len() - 1) / 2]
    };
    times.into_iter().map(|(n_and_k, times)| (n_and_k, median(times))).collect()
}

/// The published shares of satisfiable instances, by size and by number of excluded diagonals.
fn published_shares() -> BTreeMap<(usize, usize), f64> {
    let table = include_str!("../../data/excluded_diagonals_phase.csv");
    let lines = table.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let number = |field: &str| field.parse::<usize>().expect("a number");
    lines
        .map(|fields| ((number(fields[0]), number(fields[1])), fields[6].parse().expect("a share")))
        .collect()
}

/// The phase transition of excluded diagonals.
pub fn phase_transition() -> String {
    let (rows, published) = (record("phase-transition"), published_shares());
    // For each n and k, whether each board has a solution.
    let mut answers_by_n_and_k: BTreeMap<(usize, usize), BTreeMap<&str, bool>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is_answered()) {
        let is_solvable = row.solutions.expect("an answer") > 0;
        let answers = answers_by_n_and_k.entry((row.n, restriction_count(row))).or_default();
        let earlier_answer = answers.insert(&row.variant, is_solvable);
        assert!(
            earlier_answer.is_none_or(|answer| answer == is_solvable),
            "solvers disagree about {}",
            row.variant
        );
    }
    let mut lines = vec![
        "| n | largest k with more than 85 % solvable boards | smallest k with fewer than 50 % | smallest k with fewer than 50 %, published | smallest k with fewer than 15 % | hardest k | median of dancing links at the hardest k | median of SAT at this k | median of SAT with cubes at this k |\n\
         |---|---|---|---|---|---|---|---|---|"
            .to_owned(),
    ];
    let (mut share_count, mut agreeing_share_count) = (0, 0);
    let times = [SOLVERS[0], SOLVERS[1], "sat/pairwise/varisat/cubes"].map(|solver| medians(&rows, solver));
    for n in answers_by_n_and_k.keys().map(|&(n, _)| n).collect::<BTreeSet<usize>>() {
        let (mut largest_above_85, mut smallest_below_50, mut smallest_below_15) = (None, None, None);
        for (&(_, k), answers) in answers_by_n_and_k.range((n, 0)..(n + 1, 0)) {
            let boards = answers.len() as f64;
            let solvable_count = answers.values().filter(|is_solvable| **is_solvable).count() as f64;
            if let Some(share) = published.get(&(n, k)) {
                share_count += 1;
                // The published share lies in Wilson's 95 % interval of the measured share.
                let deviation = (boards * share * (1.0 - share)).sqrt();
                let agrees = (solvable_count - boards * share).abs() <= 1.96 * deviation + 1e-9;
                agreeing_share_count += u32::from(agrees);
            }
            if solvable_count > 0.85 * boards {
                largest_above_85 = Some(k);
            }
            if solvable_count < 0.15 * boards {
                smallest_below_15.get_or_insert(k);
            }
            if solvable_count < boards / 2.0 {
                smallest_below_50.get_or_insert(k);
            }
        }
        let published_below_50 = published.range((n, 0)..(n + 1, 0)).find(|(_, share)| **share < 0.5);
        let times_of_n = times[0].range((n, 0)..(n + 1, 0));
        let (&(_, hardest_k), _) = times_of_n.max_by_key(|(_, time)| **time).expect("times");
        let [dlx, sat, cubes] = times.each_ref().map(|times| match times.get(&(n, hardest_k)) {
            Some(&u64::MAX) => "over the limit".to_owned(),
            time => time.map_or(String::new(), |&time| Unit::Time.show(time)),
        });
        lines.push(format!(
            "| {n} | {} | {} | {} | {} | {hardest_k} | {dlx} | {sat} | {cubes} |",
            largest_above_85.map_or(String::new(), |k| k.to_string()),
            smallest_below_50.expect("a transition"),
            published_below_50.map_or(String::new(), |((_, k), _)| k.to_string()),
            smallest_below_15.map_or(String::new(), |k: usize| k.to_string())
        ));
    }
    let boards: BTreeSet<(usize, &str)> = rows.iter().map(|row| (row.n, &*row.variant)).collect();
    let decided_boards: BTreeSet<(usize, &str)> = answers_by_n_and_k
        .iter()
        .flat_map(|(&(n, _), answers)| answers.keys().map(move |&variant| (n, variant)))
        .collect();
    let mut undecided_counts: BTreeMap<usize, usize> = BTreeMap::new();
    boards.difference(&decided_boards).for_each(|&(n, _)| *undecided_counts.entry(n).or_default() += 1);
    for (n, undecided_count) in undecided_counts {
        let board_count = boards.iter().filter(|(size, _)| *size == n).count();
        lines.push(format!(
            "\nAt n = {n}, no solver decided {undecided_count} of the {board_count} boards within its limit; the shares do not include these boards."
        ));
    }
    lines.push(format!(
        "\nFor {agreeing_share_count} of {share_count} pairs of n and k, the published share of solvable boards lies in the 95 % interval of the recorded share."
    ));
    lines.join("\n")
}

/// Random completion.
pub fn completion() -> String {
    let rows = record("completion");
    let times = SOLVERS.map(|solver| medians(&rows, solver));
    let mut lines = vec![
        "| n | given queens | dancing links | SAT | SAT, product encoding |\n|---|---|---|---|---|"
            .to_owned(),
    ];
    // The table shows every second number of given queens.
    for &(n, k) in times[0].keys().filter(|(n, k)| k.is_multiple_of(n / 5)) {
        let cells: Vec<String> = times.iter().map(|times| Unit::Time.show(times[&(n, k)])).collect();
        lines.push(format!("| {n} | {k} | {} |", cells.join(" | ")));
    }
    let longest_time =
        rows.iter().filter(|row| row.is_timed()).map(|row| row.answered_ns().unwrap_or(u64::MAX)).max();
    lines.push(format!("\nThe longest timed run took {}.", Unit::Time.show(longest_time.expect("runs"))));
    lines.join("\n")
}

/// The numbers of solutions of the instances of CSPLib prob079.
pub fn excluded() -> String {
    let rows = record("excluded-diagonals");
    let table = include_str!("../../data/excluded_diagonals_instances.csv");
    let (mut instances, mut solvable) = (0, 0);
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let name = format!("instance:csplib-n{}-k{}-s{}", fields[0], fields[2], fields[1]);
        let instance_rows: Vec<&Row> = rows.iter().filter(|row| *row.variant == name).collect();
        let solvers: BTreeSet<&str> = instance_rows.iter().map(|row| &*row.solver).collect();
        assert_eq!(solvers.len(), 2, "{name}");
        for row in instance_rows {
            assert_eq!(row.solutions, fields[5].parse().ok(), "{name} by {}", row.solver);
            assert_eq!(row.solutions > Some(0), fields[4] == "1", "{name}");
        }
        instances += 1;
        solvable += u32::from(fields[4] == "1");
    }
    format!(
        "In the record of [excluded-diagonals.toml](../experiments/problems/excluded-diagonals.toml), dancing links and SAT with cubes enumerated the\n\
         solutions of {instances} instances of CSPLib prob079. Every number of solutions equals the number that another program found, and every answer\n\
         (solvable or not) agrees with the published answer: {solvable} instances have a solution."
    )
}

/// The region puzzles and the instances of CSPLib prob079, solved by built-in solvers and by an external SAT solver.
pub fn all_instances() -> String {
    let rows = record("all-instances");
    let solvers = ["backtrack/dlx", "sat/pairwise/varisat", "sat/pairwise/clasp"];
    let mut lines = vec![
        "| instances | instances with a solution | dancing links | SAT | clasp |\n|---|---|---|---|---|"
            .to_owned(),
    ];
    for (name, prefix) in [("region puzzles", "instance:level"), ("CSPLib prob079", "instance:csplib")] {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.variant.starts_with(prefix)).collect();
        let mut answers: BTreeMap<&str, BTreeSet<bool>> = BTreeMap::new();
        for row in &rows {
            answers.entry(&row.variant).or_default().insert(row.solutions.expect("an answer") > 0);
        }
        assert!(answers.values().all(|different_answers| different_answers.len() == 1), "solvers disagree");
        let median = |solver: &&str| {
            let timed_runs = rows.iter().filter(|row| row.is_timed() && &*row.solver == *solver);
            let mut times: Vec<u64> = timed_runs.map(|row| row.answered_ns().expect("an answer")).collect();
            assert_eq!(times.len(), answers.len(), "{solver}");
            times.sort_unstable();
            Unit::Time.show(times[(times.len() - 1) / 2])
        };
        let solvable_count =
            answers.values().filter(|different_answers| different_answers.contains(&true)).count();
        let times: Vec<String> = solvers.iter().map(median).collect();
        lines.push(format!("| {} {name} | {solvable_count} | {} |", answers.len(), times.join(" | ")));
    }
    lines.join("\n")
}

/// The largest board of each variant that was enumerated within the limit.
pub fn variants() -> String {
    let rows = record("variants");
    let mut lines = vec![
        "| variant | dancing links: largest n | dancing links: time at this n | SAT with cubes: largest n | SAT with cubes: time at this n | solutions at the larger of the two n |\n|---|---|---|---|---|---|"
            .to_owned(),
    ];
    for variant in rows.iter().map(|row| &*row.variant).collect::<BTreeSet<&str>>() {
        let largest_size = |solver: &str| {
            let runs = rows
                .iter()
                .filter(|row| row.is_timed() && &*row.variant == variant && &*row.solver == solver);
            let answers = runs.filter_map(|row| Some((row.n, row.answered_ns()?, row.solutions?)));
            answers.max().expect("a run that ended within the limit")
        };
        let (dlx, sat) = (largest_size("backtrack/dlx"), largest_size("sat/pairwise/varisat/cubes"));
        let larger_size = dlx.max(sat);
        if variant == "queens" {
            assert_eq!(Some(larger_size.2), published::solutions(larger_size.0));
        }
        lines.push(format!(
            "| `{variant}` | {} | {} | {} | {} | {} |",
            dlx.0,
            Unit::Time.show(dlx.1),
            sat.0,
            Unit::Time.show(sat.1),
            super::with_thousands_separators(larger_size.2)
        ));
    }
    lines.join("\n")
}
