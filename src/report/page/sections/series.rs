//! Tables with one row per series and one column per size: times, counts and growth.

use std::collections::{BTreeMap, BTreeSet};

use super::super::table::{Cell, Table};
use super::{JSON, MOST_ROWS};
use crate::record::{NodesRow, TimingsRow};
use crate::report::grid::{Grid, shown};
use crate::report::growth::{Growth, Law};
use crate::report::unit::{digits, thousands};
use crate::report::{Data, Scale};
use crate::solver::Stat;

/// Most columns of a table of series.
const MOST_SIZES: usize = 24;

/// A table with one row per series and one column per size, given name and cells of each series.
pub(super) fn by_size(
    label: &str,
    caption: &str,
    file: &str,
    series: impl Iterator<Item = (String, BTreeMap<usize, Cell>)>,
) -> Option<Table> {
    let series: Vec<_> = series.collect();
    let all: BTreeSet<usize> = series.iter().flat_map(|(_, cells)| cells.keys().copied()).collect();
    let sizes: Vec<usize> = all.iter().skip(all.len().saturating_sub(MOST_SIZES)).copied().collect();
    let mut caption = caption.to_owned();
    if sizes.len() < all.len() {
        caption = format!("{caption}. The largest {} of {} sizes; {file} has all", sizes.len(), all.len());
    }
    let heads = std::iter::once("Solver".to_owned()).chain(sizes.iter().map(|n| format!("n = {n}")));
    let shown = series.into_iter().filter(|(_, cells)| sizes.iter().any(|n| cells.contains_key(n)));
    let row = |(name, mut cells): (String, BTreeMap<usize, Cell>)| {
        let cells = sizes.iter().map(|n| cells.remove(n).unwrap_or_default());
        std::iter::once(Cell::words(name)).chain(cells).collect()
    };
    Table::of((label, &caption), heads, shown, row, (MOST_ROWS, file))
}

/// Medians with their intervals, which are in the unit of the median.
pub fn times(data: &Data<'_>) -> Option<Table> {
    let show = |cell: &TimingsRow| {
        let scale = Scale::of(cell.median_ns.unwrap_or_default());
        let interval = cell.median_ns.and(cell.ci95_low_ns).map(|low| match cell.ci95_high_ns {
            Some(high) => format!("{} to {}", scale.show(low), scale.show(high)),
            None => format!("more than {}", scale.show(low)),
        });
        let shown = shown(cell, None);
        let lost = Some(shown.lost).filter(|lost| !lost.is_empty());
        let small = interval.into_iter().chain(lost).collect::<Vec<_>>().join("; ");
        Cell { small: Some(small).filter(|text| !text.is_empty()), ..Cell::of(shown.text) }
    };
    let grid = Grid::of(data, |_| true);
    let series = grid
        .rows
        .iter()
        .map(|(name, cells)| (name.clone(), cells.iter().map(|(&n, cell)| (n, show(cell))).collect()));
    let caption = "Median of the timed runs; below it, for at least five runs, its 95 % interval (bootstrap), and the runs that \
        have no answer. A run that a limit stopped counts as longer than all others; wrong and failed runs are left out";
    let caption = [caption].into_iter().chain(data.started()).collect::<Vec<_>>().join(". ");
    by_size("Times", &caption, "timings.csv", series)
}

/// The nodes that searchers visited; how a counting run without an answer ended.
pub fn nodes(data: &Data<'_>) -> Option<Table> {
    if data
        .nodes
        .iter()
        .all(|row| [Stat::Nodes, Stat::Candidates].iter().all(|&stat| row.stats.get(stat).is_none()))
    {
        return None;
    }
    counts(data, "Nodes", "Nodes visited, or complete candidates tested", |row| {
        match (row.stats.get(Stat::Nodes), row.stats.get(Stat::Candidates)) {
            (Some(nodes), _) => Some(Cell::of(thousands(nodes))),
            (None, Some(candidates)) => {
                Some(Cell { small: Some("candidates".to_owned()), ..Cell::of(thousands(candidates)) })
            }
            (None, None) => (!row.status.is_solved()).then(|| Cell::of(row.status.name())),
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
    let series = data.without_threads().map(|series| {
        let rows = data.counts(series).into_iter();
        (data.count_name(&series.key), rows.filter_map(|row| Some((row.n, show(row)?))).collect())
    });
    by_size(label, caption, "nodes.csv", series)
}

/// The fitted laws.
pub fn growth(data: &Data<'_>) -> Option<Table> {
    let fits = data.series.iter().filter_map(|series| {
        let fit = Growth::of(&data.medians(series)).ok()?;
        Some((data.name(&series.key), fit.points.first()?.0, fit.points.last()?.0, fit))
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
