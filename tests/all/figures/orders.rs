//! The block of docs/SEARCH.md about first solutions, from the record of first-solution-orders.

use std::collections::{BTreeMap, BTreeSet};

use queenlab::record::{Kind, Row, table};
use queenlab::report::Unit;

use crate::harness::record;

/// For each size, the time in nanoseconds of the timed run, or `None` if the run found no solution.
type Times = BTreeMap<usize, Option<u64>>;

/// The value of an option in a solver's name, for example `first` for `rows` in `backtrack/forward-checking:rows=first`, or the
/// default.
fn option<'a>(solver: &'a str, name: &str, default: &'a str) -> &'a str {
    let options = solver.split_once(':').map_or("", |(_, options)| options);
    let value = options.split(',').find_map(|option| option.strip_prefix(name)?.strip_prefix('='));
    value.unwrap_or(default)
}

/// The share of boards that forward checking solves with each order.
pub fn orders() -> String {
    let folder = record("first-solution-orders");
    let rows: Vec<Row> = table::read(&folder).expect("a record").0;
    let mut orders: BTreeMap<String, Times> = BTreeMap::new();
    // A skipped run also has a row.
    for row in rows.iter().filter(|row| row.kind != Kind::Counting) {
        assert_eq!(row.time_limit_ns, Some(1_000_000_000));
        let time = row.answered_ns().filter(|_| row.solutions == Some(1));
        orders.entry(row.solver.to_string()).or_default().insert(row.n, time);
    }
    let sizes_of = |times: &Times| times.keys().copied().collect::<BTreeSet<_>>();
    let common_sizes = orders.values().map(sizes_of).reduce(|a, b| &a & &b).expect("orders");
    let count_solved = |times: &Times, sizes: &BTreeSet<usize>| {
        sizes.iter().filter(|n| times.get(n).copied().flatten().is_some()).count()
    };
    let mut sorted_orders: Vec<(&String, &Times)> = orders.iter().collect();
    sorted_orders.sort_by_key(|(_, times)| std::cmp::Reverse(count_solved(times, &common_sizes)));
    let mut lines = vec![
        "| rows | values | restarts | solved | share | largest n solved |\n|---|---|---|---|---|---|"
            .to_owned(),
    ];
    // The table shows the orders that solved at least a quarter of the boards.
    let row_count = sorted_orders
        .iter()
        .take_while(|(_, times)| 4 * count_solved(times, &common_sizes) >= common_sizes.len())
        .count();
    for (solver, times) in &sorted_orders[..row_count] {
        let solved_count = count_solved(times, &common_sizes);
        let largest_solved = common_sizes.iter().rev().find(|n| times[n].is_some()).expect("n = 4");
        lines.push(format!(
            "| `{}` | `{}` | `{}` | {solved_count} of {} | {:.0} % | {largest_solved} |",
            option(solver, "rows", "first"),
            option(solver, "values", "lowest"),
            option(solver, "restarts", "none"),
            common_sizes.len(),
            100.0 * solved_count as f64 / common_sizes.len() as f64,
        ));
    }
    let solved_by_next = count_solved(sorted_orders[row_count].1, &common_sizes);
    lines.push(format!(
        "\nThe other {} orders solved at most {solved_by_next} of {} ({:.0} %).",
        sorted_orders.len() - row_count,
        common_sizes.len(),
        100.0 * solved_by_next as f64 / common_sizes.len() as f64,
    ));
    // Exactly one order was run at every size, so it is the order with the largest number of runs.
    let (best, times) = orders.iter().max_by_key(|(_, times)| times.len()).expect("orders");
    let sizes = sizes_of(times);
    let (longest, slowest_n) = times.iter().filter_map(|(n, time)| Some(((*time)?, n))).max().expect("times");
    let solved_count = count_solved(times, &sizes);
    format!(
        "{}\n\nOf all {} boards from n = {} to {}, `{}` solved {solved_count} within 1 s ({:.1} %). The slowest of these runs, for n = {slowest_n}, took {}.",
        lines.join("\n"),
        sizes.len(),
        sizes.first().expect("sizes"),
        sizes.last().expect("sizes"),
        best.split_once(':').map_or("", |(_, options)| options),
        100.0 * solved_count as f64 / sizes.len() as f64,
        Unit::Time.show(longest),
    )
}
