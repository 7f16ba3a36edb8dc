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

/// The number after `-k` in `instance:excluded-n10-k3-s7`.
fn restrictions(row: &Row) -> usize {
    let (_, number_and_seed) = row.variant.split_once("-k").expect("a generated instance");
    number_and_seed.split('-').next().and_then(|k| k.parse().ok()).expect("a number")
}

/// The median of the timed runs of a solver at this size and number of restrictions, in nanoseconds.
fn medians(rows: &[Row], solver: &str) -> BTreeMap<(usize, usize), u64> {
    let mut times: BTreeMap<(usize, usize), Vec<u64>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is_timed() && row.solver == solver) {
        times.entry((row.n, restrictions(row))).or_default().push(row.answered_ns().unwrap_or(u64::MAX));
    }
    let middle = |mut times: Vec<u64>| {
        times.sort_unstable();
        times[(times.len() - 1) / 2]
    };
    times.into_iter().map(|(at, times)| (at, middle(times))).collect()
}

/// The published shares of satisfiable instances, by size and by number of excluded diagonals.
fn published() -> BTreeMap<(usize, usize), f64> {
    let table = include_str!("../../data/excluded_diagonals_phase.csv");
    let rows = table.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let number = |field: &str| field.parse::<usize>().expect("a number");
    rows.map(|row| ((number(row[0]), number(row[1])), row[6].parse().expect("a share"))).collect()
}

/// The phase transition of excluded diagonals.
pub fn phase() -> String {
    let (rows, published) = (record("phase-transition"), published());
    let mut solvable: BTreeMap<(usize, usize), BTreeMap<&str, bool>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is_answered()) {
        let is_solvable = row.solutions.expect("an answer") > 0;
        let before =
            solvable.entry((row.n, restrictions(row))).or_default().insert(&row.variant, is_solvable);
        assert!(before.is_none_or(|before| before == is_solvable), "solvers disagree about {}", row.variant);
    }
    let mut lines = vec![
        "| n | more than 85 % are solvable up to | fewer than half from | the same, published | fewer than 15 % from | hardest for dancing links at | median time there | SAT there | SAT with cubes there |\n\
         |---|---|---|---|---|---|---|---|---|"
            .to_owned(),
    ];
    let (mut inside, mut points) = (0, 0);
    let times = [SOLVERS[0], SOLVERS[1], "sat/pairwise/varisat/cubes"].map(|solver| medians(&rows, solver));
    for n in solvable.keys().map(|&(n, _)| n).collect::<BTreeSet<usize>>() {
        let (mut half, mut high, mut low) = (None, None, None);
        for (&(_, k), answers) in solvable.range((n, 0)..(n + 1, 0)) {
            let (all, yes) = (answers.len() as f64, answers.values().filter(|yes| **yes).count() as f64);
            if let Some(share) = published.get(&(n, k)) {
                points += 1;
                // The published share lies in Wilson's 95 % interval of the measured share.
                let deviation = (all * share * (1.0 - share)).sqrt();
                inside += u32::from((yes - all * share).abs() <= 1.96 * deviation + 1e-9);
            }
            if yes > 0.85 * all {
                high = Some(k);
            }
            if yes < 0.15 * all {
                low.get_or_insert(k);
            }
            if yes < all / 2.0 {
                half.get_or_insert(k);
            }
        }
        let theirs = published.range((n, 0)..(n + 1, 0)).find(|(_, share)| **share < 0.5);
        let at_n = times[0].range((n, 0)..(n + 1, 0));
        let (&(_, hardest), _) = at_n.max_by_key(|(_, time)| **time).expect("times");
        let [dlx, sat, cubes] = times.each_ref().map(|times| match times.get(&(n, hardest)) {
            Some(&u64::MAX) => "over the limit".to_owned(),
            time => time.map_or(String::new(), |&time| Unit::Time.show(time)),
        });
        lines.push(format!(
            "| {n} | {} | {} | {} | {} | {hardest} | {dlx} | {sat} | {cubes} |",
            high.map_or(String::new(), |k| k.to_string()),
            half.expect("a transition"),
            theirs.map_or(String::new(), |((_, k), _)| k.to_string()),
            low.map_or(String::new(), |k: usize| k.to_string())
        ));
    }
    let all: BTreeSet<(usize, &str)> = rows.iter().map(|row| (row.n, &*row.variant)).collect();
    let decided =
        solvable.iter().flat_map(|(&(n, _), answers)| answers.keys().map(move |&variant| (n, variant)));
    let decided: BTreeSet<(usize, &str)> = decided.collect();
    let mut undecided: BTreeMap<usize, usize> = BTreeMap::new();
    all.difference(&decided).for_each(|&(n, _)| *undecided.entry(n).or_default() += 1);
    for (n, boards) in undecided {
        let size_count = all.iter().filter(|(size, _)| *size == n).count();
        lines.push(format!(
            "\nAt n = {n}, no solver decided {boards} of the {size_count} boards within its limit; they are left out of the shares."
        ));
    }
    lines.push(format!(
        "\nThe published share of solvable boards lies in the 95 % interval of the recorded one at {inside} of {points} points."
    ));
    lines.join("\n")
}

/// Random completion.
pub fn completion() -> String {
    let rows = record("completion");
    let times = SOLVERS.map(|solver| medians(&rows, solver));
    let mut lines = vec![
        "| n | given queens | dancing links | SAT, pairwise | SAT, product |\n|---|---|---|---|---|"
            .to_owned(),
    ];
    // Of the shares of given queens, every second one is in the table.
    for &(n, k) in times[0].keys().filter(|(n, k)| k.is_multiple_of(n / 5)) {
        let cells: Vec<String> = times.iter().map(|times| Unit::Time.show(times[&(n, k)])).collect();
        lines.push(format!("| {n} | {k} | {} |", cells.join(" | ")));
    }
    let longest =
        rows.iter().filter(|row| row.is_timed()).map(|row| row.answered_ns().unwrap_or(u64::MAX)).max();
    lines.push(format!("\nThe longest of all runs took {}.", Unit::Time.show(longest.expect("runs"))));
    lines.join("\n")
}

/// Counts of the instances of CSPLib prob079.
pub fn excluded() -> String {
    let rows = record("excluded-diagonals");
    let table = include_str!("../../data/excluded_diagonals_instances.csv");
    let (mut instances, mut solvable) = (0, 0);
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let name = format!("instance:csplib-n{}-k{}-s{}", fields[0], fields[2], fields[1]);
        let of_instance: Vec<&Row> = rows.iter().filter(|row| *row.variant == name).collect();
        let solvers: BTreeSet<&str> = of_instance.iter().map(|row| &*row.solver).collect();
        assert_eq!(solvers.len(), 2, "{name}");
        for row in of_instance {
            assert_eq!(row.solutions, fields[5].parse().ok(), "{name} by {}", row.solver);
            assert_eq!(row.solutions > Some(0), fields[4] == "1", "{name}");
        }
        instances += 1;
        solvable += u32::from(fields[4] == "1");
    }
    format!(
        "In the recorded run, dancing links and SAT with cubes counted the solutions of {instances} instances of CSPLib prob079. Every\n\
         count equals the one that another program found, and every answer (solvable or not) agrees with the published one: {solvable} instances have a solution."
    )
}

/// The region puzzles and the instances of CSPLib prob079, solved by built-in solvers and by an external SAT solver.
pub fn all_instances() -> String {
    let rows = record("all-instances");
    let solvers = ["backtrack/dlx", "sat/pairwise/varisat", "sat/pairwise/clasp"];
    let mut lines = vec![
        "| instances | with a solution | dancing links | SAT, varisat | SAT, clasp |\n|---|---|---|---|---|"
            .to_owned(),
    ];
    for (name, prefix) in [("region puzzles", "instance:level"), ("CSPLib prob079", "instance:csplib")] {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.variant.starts_with(prefix)).collect();
        let mut answers: BTreeMap<&str, BTreeSet<bool>> = BTreeMap::new();
        for row in &rows {
            answers.entry(&row.variant).or_default().insert(row.solutions.expect("an answer") > 0);
        }
        assert!(answers.values().all(|verdicts| verdicts.len() == 1), "solvers disagree");
        let median = |solver: &&str| {
            let timed = rows.iter().filter(|row| row.is_timed() && &*row.solver == *solver);
            let mut times: Vec<u64> = timed.map(|row| row.answered_ns().expect("an answer")).collect();
            assert_eq!(times.len(), answers.len(), "{solver}");
            times.sort_unstable();
            Unit::Time.show(times[(times.len() - 1) / 2])
        };
        let solvable = answers.values().filter(|verdicts| verdicts.contains(&true)).count();
        let times: Vec<String> = solvers.iter().map(median).collect();
        lines.push(format!("| {} {name} | {solvable} | {} |", answers.len(), times.join(" | ")));
    }
    lines.join("\n")
}

/// The largest board of each variant that was enumerated within the limit.
pub fn variants() -> String {
    let rows = record("variants");
    let mut lines = vec![
        "| variant | dancing links: largest n | time | SAT with cubes: largest n | time | solutions at the larger n |\n|---|---|---|---|---|---|"
            .to_owned(),
    ];
    for variant in rows.iter().map(|row| &*row.variant).collect::<BTreeSet<&str>>() {
        let largest = |solver: &str| {
            let done = rows
                .iter()
                .filter(|row| row.is_timed() && &*row.variant == variant && &*row.solver == solver);
            let done = done.filter_map(|row| Some((row.n, row.answered_ns()?, row.solutions?)));
            done.max().expect("a run that ended within the limit")
        };
        let (dlx, sat) = (largest("backtrack/dlx"), largest("sat/pairwise/varisat/cubes"));
        let larger = dlx.max(sat);
        if variant == "queens" {
            assert_eq!(Some(larger.2), published::solutions(larger.0));
        }
        lines.push(format!(
            "| `{variant}` | {} | {} | {} | {} | {} |",
            dlx.0,
            Unit::Time.show(dlx.1),
            sat.0,
            Unit::Time.show(sat.1),
            super::separated(larger.2)
        ));
    }
    lines.join("\n")
}
