//! Tables with one row per series: times, counts, growth, the ranking and ratios.

use std::collections::{BTreeMap, BTreeSet};

use super::super::table::{Cell, Column, Table};
use super::{JSON, MOST_ROWS, Part, Section, ends};
use crate::record::{NodesRow, TimingsRow};
use crate::report::grid::{Grid, shown};
use crate::report::growth::{Growth, Law};
use crate::report::instances::{self, Entrant};
use crate::report::ranking::{self, Place};
use crate::report::ratios::{PairedRatio, Ratios};
use crate::report::unit::{digits, range, thousands};
use crate::report::{Data, Scale, Unit, counted};
use crate::solver::Stat;

/// Most columns of a table of series.
const MOST_SIZES: usize = 24;

/// A table with one row per series and one column per size, given name and cells of each series.
fn by_size(
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
    type Line = (String, BTreeMap<usize, Cell>);
    let heads: Vec<String> = sizes.iter().map(|n| format!("n = {n}")).collect();
    let cells: Vec<_> =
        sizes.iter().map(|n| |line: &Line| line.1.get(n).cloned().unwrap_or_default()).collect();
    let mut columns: Vec<Column<'_, Line>> = vec![("Solver", &|line| Cell::words(&line.0))];
    columns
        .extend(heads.iter().zip(&cells).map(|(head, cell)| (head.as_str(), cell as &dyn Fn(&Line) -> Cell)));
    let shown = series.into_iter().filter(|(_, cells)| sizes.iter().any(|n| cells.contains_key(n)));
    Table::of((label, &caption), &columns, shown, (MOST_ROWS, file))
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
        Cell::of(shown.text).with(interval.into_iter().chain([shown.lost]))
    };
    let grid = Grid::of(data, |_| true);
    let series = grid
        .rows
        .iter()
        .map(|(name, cells)| (name.clone(), cells.iter().map(|(&n, cell)| (n, show(cell))).collect()));
    let caption = "Median of the timed runs; below it, for at least five runs, its 95 % interval (bootstrap)";
    let caption = [caption].into_iter().chain(grid.notes(data)).collect::<Vec<_>>().join(". ");
    by_size("Times", &caption, "timings.csv", series)
}

/// The nodes that searchers visited; how a counting run without an answer ended.
pub fn nodes(data: &Data<'_>) -> Option<Table> {
    let count = |row: &NodesRow, stat| row.stats.get(stat).map(thousands);
    let nodes = |row: &NodesRow| match (count(row, Stat::Nodes), count(row, Stat::Candidates)) {
        (Some(nodes), _) => Some(Cell::of(nodes)),
        (None, Some(candidates)) => Some(Cell::of(candidates).with(["candidates".to_owned()])),
        (None, None) => None,
    };
    data.nodes.iter().find_map(nodes)?;
    counts(data, "Nodes", "Nodes visited, or complete candidates tested", |row| {
        nodes(row).or_else(|| (!row.status.is_solved()).then(|| Cell::of(row.status.name())))
    })
}

/// Sizes of formulas.
pub fn encodings(data: &Data<'_>) -> Option<Table> {
    counts(data, "Encodings", "Clauses, and below them the variables", |row| {
        let vars = row.stats.get(Stat::Vars).map(|vars| format!("{} variables", thousands(vars)));
        Some(Cell::of(thousands(row.stats.get(Stat::Clauses)?)).with(vars))
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
        let sizes = fit.points.iter().map(|&(n, _)| n).collect();
        Some((data.name(&series.key), sizes, fit))
    });
    type Fit = (String, BTreeSet<usize>, Growth);
    let rate = |fit: &Growth| {
        format!("{}{}", if fit.law == Law::Exponential { "×" } else { "n^" }, digits(fit.rate))
    };
    let caption = "Growth of the median with n; the spread is the factor by which medians typically differ from the curve";
    Table::of(
        ("Growth", caption),
        &[
            ("Solver", &|(name, ..): &Fit| Cell::words(name)),
            ("Law:", &|(.., fit)| Cell::words(fit.law.name())),
            ("Factor per n, or power", &|(.., fit)| Cell::of(rate(fit))),
            ("95 % interval", &|(.., fit)| Cell::of(range(fit.ci95))),
            ("Sizes", &|(_, sizes, _)| Cell::of(format!("{} ({})", sizes.len(), ends(sizes)))),
            ("Spread around the curve", &|(.., fit)| Cell::of(format!("×{}", digits(fit.residual.exp())))),
        ],
        fits,
        (MOST_ROWS, JSON),
    )
}

/// The ranking, then the solvers that are not ranked.
pub fn ranking(data: &Data<'_>) -> Section {
    let ranking = ranking::ranking(&data.timings);
    let left_out = match ranking.short {
        0 => String::new(),
        short => format!(" Left out because a solver took less than 100 µs: {}.", counted(short, "instance")),
    };
    let about = match ranking.common {
        0 => format!(
            "There is no ranking: no instance was solved by all solvers that solved at least half as many instances as \
             the most successful one.{left_out}"
        ),
        common => format!(
            "Geometric mean of the medians on the {} that all ranked solvers solved. PAR-2 is a mean on the instances that \
             all of them attempted, where an unsolved run counts as twice its limit. A solver that solved fewer than half as \
             many instances as the most successful one has no place.{left_out}",
            counted(common, "instance")
        ),
    };
    let time = |time| Cell::of(Unit::Time.show_padded(time));
    let ranked = ranking.ranked.iter().map(|of| (of.entrant, Some(of), of.solved, of.attempted));
    let ranked = ranked.filter(|_| ranking.common > 0).enumerate();
    let others =
        ranking.unranked.iter().map(|&(entrant, solved, attempted)| (entrant, None, solved, attempted));
    type Line<'l> = (usize, (Entrant<'l>, Option<&'l Place<'l>>, usize, usize));
    let table = Table::of(
        ("Ranking", "Solvers, fastest first"),
        &[
            ("Solver", &|(_, (entrant, ..)): &Line<'_>| Cell::words(instances::name(data, *entrant))),
            ("Place", &|(at, (_, place, ..))| {
                Cell::of(place.map_or(String::new(), |_| (at + 1).to_string()))
            }),
            ("Geometric mean", &|(_, (_, place, ..))| place.map_or(Cell::default(), |of| time(of.mean_ns))),
            ("Times the fastest", &|(_, (_, place, ..))| {
                place.map_or(Cell::default(), |of| Cell::of(digits(of.ratio)))
            }),
            ("PAR-2", &|(_, (_, place, ..))| place.and_then(|of| of.par2_ns).map_or(Cell::default(), time)),
            ("Solved", &|(_, (_, _, solved, _))| Cell::of(solved.to_string())),
            ("Attempted", &|(_, (.., attempted))| Cell::of(attempted.to_string())),
        ],
        ranked.chain(others.map(|other| (0, other))),
        (MOST_ROWS, JSON),
    );
    let parts = std::iter::once(Part::text(about)).chain(table.map(Part::Table)).collect();
    Section { id: "ranking", heading: "Ranking".to_owned(), parts }
}

/// The ratios of times within rounds; none if there is nothing to compare.
pub fn ratios(data: &Data<'_>) -> Option<Section> {
    let ratios = Ratios::of(data);
    let reference = data.name(&ratios.reference?);
    let about = format!(
        "How many times as long as {reference} each solver takes. The runs of one round are neighbours in time and are compared \
         with each other; the ratio is the Hodges-Lehmann estimate from these pairs, with its 95 % interval. p is that of the \
         signed-rank test, corrected for all rows of its table: if no solver differs, some p is below 0.05 in at most one of \
         twenty tables. It is left out where the rounds are too few to show anything. The first table is over all sizes at \
         which both take at least 100 µs, the second one for each size."
    );
    let show = |of: &PairedRatio<'_>| {
        let p = of.p.map(|p| if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") });
        let stopped = (of.stopped > 0).then(|| format!("{} of {} stopped", of.stopped, of.rounds));
        let small = of.ci95.map(range).into_iter().chain(p).chain(stopped);
        Cell::of(range((of.ratio.least, of.ratio.most))).with(small)
    };
    let overall = Table::of(
        ("Ratios over all sizes", &format!("Time over that of {reference}, over all sizes")),
        &[
            ("Solver", &|of: &&PairedRatio<'_>| Cell::words(data.name(&of.key))),
            ("Ratio", &|of| show(of)),
            ("Sizes", &|of| Cell::of(ends(&of.sizes.iter().copied().collect()))),
            ("Rounds", &|of| Cell::of(of.rounds.to_string())),
        ],
        ratios.overall.iter(),
        (MOST_ROWS, JSON),
    );
    let series = data.series.iter().map(|series| {
        let own = ratios.cells.iter().filter(|cell| cell.key == series.key);
        let cells = own.flat_map(|cell| cell.sizes.iter().map(|&n| (n, show(cell))));
        (data.name(&series.key), cells.collect::<BTreeMap<_, _>>())
    });
    let caption = format!("Time over that of {reference}, within rounds");
    let by_size = by_size("Ratios", &caption, JSON, series.filter(|(_, cells)| !cells.is_empty()))?;
    let tables = overall.into_iter().chain([by_size]).map(Part::Table);
    let parts = std::iter::once(Part::text(about)).chain(tables).collect();
    Some(Section { id: "ratios", heading: "Ratios".to_owned(), parts })
}
