//! Tables with one row per series and one column per size: times, counts and growth.

use std::collections::{BTreeMap, BTreeSet};

use super::super::table::{Cell, Table};
use super::{JSON, MOST_ROWS};
use crate::record::{NodesRow, TimingsRow};
use crate::report::growth::{Growth, Law, Unfitted};
use crate::report::unit::{digits, thousands};
use crate::report::{Data, Scale, instances};
use crate::solver::Stat;

/// Most columns of a table of series.
const MOST_SIZES: usize = 24;

/// A table with one row per series and one column per size, given name and cells of each series.
pub(super) fn by_size(
    label: &str,
    caption: &str,
    file: &str,
    series: impl Iterator<Item = (String, BTreeMap<usize, Cell>)>,
    unit: impl Fn(usize) -> Option<&'static str>,
) -> Option<Table> {
    let series: Vec<_> = series.collect();
    let all: BTreeSet<usize> = series.iter().flat_map(|(_, cells)| cells.keys().copied()).collect();
    let sizes: Vec<usize> = all.iter().skip(all.len().saturating_sub(MOST_SIZES)).copied().collect();
    let mut caption = caption.to_owned();
    if sizes.len() < all.len() {
        caption = format!("{caption}. The largest {} of {} sizes; {file} has all", sizes.len(), all.len());
    }
    let heads = std::iter::once("Solver".to_owned()).chain(sizes.iter().map(|&n| match unit(n) {
        Some(unit) => format!("n = {n}, {unit}"),
        None => format!("n = {n}"),
    }));
    let shown = series.into_iter().filter(|(_, cells)| sizes.iter().any(|n| cells.contains_key(n)));
    let row = |(name, mut cells): (String, BTreeMap<usize, Cell>)| {
        let cells = sizes.iter().map(|n| cells.remove(n).unwrap_or_default());
        std::iter::once(Cell::words(name)).chain(cells).collect()
    };
    Table::of((label, &caption), heads, shown, row, (MOST_ROWS, file))
}

/// Medians with their intervals. All times of a size are in one unit.
pub fn times(data: &Data<'_>) -> Option<Table> {
    let mut medians: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for cell in &data.timings {
        medians.entry(cell.n).or_default().extend(cell.median_ns);
    }
    let scales: BTreeMap<usize, Scale> =
        medians.into_iter().filter_map(|(n, times)| Some((n, Scale::of(times)?))).collect();
    let show = |cell: &TimingsRow| {
        // Without a median of its size, a cell has no time.
        let scale = scales.get(&cell.n).copied().unwrap_or(Scale::Nanoseconds);
        let interval = cell.ci95_low_ns.zip(cell.ci95_high_ns);
        let interval = interval.map(|(low, high)| format!("{} to {}", scale.show(low), scale.show(high)));
        let some = cell.median_ns.is_some() && cell.solved < cell.runs;
        let solved = some.then(|| format!("{} of {} runs", cell.solved, cell.runs));
        let faults = Some(instances::faults(cell)).filter(|faults| some && !faults.is_empty());
        let small: Vec<String> = interval.into_iter().chain(solved).chain(faults).collect();
        let small = Some(small.join("; ")).filter(|text| !text.is_empty());
        let text =
            cell.median_ns.map_or_else(|| instances::failure(cell).to_owned(), |time| scale.show(time));
        Cell { small, ..Cell::of(text) }
    };
    let series = data.keys.iter().map(|(key, _)| {
        let cells = instances::of_key(&data.timings, &key).into_iter();
        (data.keys.name(&key, true), cells.map(|cell| (cell.n, show(cell))).collect())
    });
    let caption = "Median of the timed runs; below it, for at least five runs, its 95 % interval (bootstrap)";
    let unit = |n| scales.get(&n).map(|scale| scale.name());
    by_size("Times", caption, "timings.csv", series, unit)
}

/// The nodes that searchers visited.
pub fn nodes(data: &Data<'_>) -> Option<Table> {
    counts(data, "Nodes", "Nodes visited, or complete candidates tested", |row| {
        match row.stats.get(Stat::Nodes) {
            Some(nodes) => Some(Cell::of(thousands(nodes))),
            None => {
                let candidates = thousands(row.stats.get(Stat::Candidates)?);
                Some(Cell { small: Some("candidates".to_owned()), ..Cell::of(candidates) })
            }
        }
    })
}

/// Sizes of formulas.
pub fn encodings(data: &Data<'_>) -> Option<Table> {
    counts(data, "Encodings", "Clauses, and below them the variables", |row| {
        let vars = row.stats.get(Stat::Vars).map(|vars| format!("{} variables", thousands(vars)));
        Some(Cell { small: vars, ..Cell::of(thousands(row.stats.get(Stat::Clauses)?)) })
    })
}

fn counts(
    data: &Data<'_>,
    label: &str,
    caption: &str,
    show: impl Fn(&NodesRow) -> Option<Cell>,
) -> Option<Table> {
    let series = data.keys.without_threads().map(|(key, _)| {
        let rows = instances::counts_of_key(&data.nodes, &key).into_iter();
        (data.keys.name(&key, false), rows.filter_map(|row| Some((row.n, show(row)?))).collect())
    });
    by_size(label, caption, "nodes.csv", series, |_| None)
}

/// The fitted laws.
pub fn growth(data: &Data<'_>) -> Option<Table> {
    let fits = data.keys.iter().filter_map(|(key, _)| {
        let fit = Growth::of(&instances::of_key(&data.timings, &key)).ok()?;
        Some((data.keys.name(&key, true), fit.points.first()?.0, fit.points.last()?.0, fit))
    });
    let row = |(name, first, last, fit): (String, usize, usize, Growth)| {
        let rate = if fit.law == Law::Exponential { "×" } else { "n^" };
        vec![
            Cell::words(name),
            Cell::words(fit.law.name()),
            Cell::of(format!("{rate}{}", digits(fit.rate))),
            Cell::of(format!("{} to {}", digits(fit.ci95.0), digits(fit.ci95.1))),
            Cell::of(format!("{} ({first} to {last})", fit.points.len())),
            Cell::of(format!("×{}", digits(fit.residual.exp()))),
        ]
    };
    let heads =
        ["Solver", "Law:", "Factor per n, or power", "95 % interval", "Sizes", "Spread around the curve"];
    let caption = "Growth of the median with n; the spread is the factor by which medians typically differ from the curve";
    Table::of(("Growth", caption), heads, fits, row, (MOST_ROWS, JSON))
}

/// The series whose growth neither law describes, with the typical deviation of their medians.
pub fn poor_growth(data: &Data<'_>) -> Option<String> {
    let poor =
        data.keys.iter().filter_map(|(key, _)| match Growth::of(&instances::of_key(&data.timings, &key)) {
            Err(Unfitted::Poor(spread)) => {
                Some(format!("{} (×{})", data.keys.name(&key, true), digits(spread)))
            }
            _ => None,
        });
    let poor: Vec<String> = poor.collect();
    (!poor.is_empty()).then(|| format!("That is so for {}.", poor.join(", ")))
}
