//! The section about the ratios of times: a table over all sizes, and a table by size, with a choice of baselines.

use std::collections::BTreeSet;

use super::TypedHead::{Values, Words};
use super::sections::{JSON_COMMAND, MAX_ROWS, MAX_SIZES, size_range};
use super::{Baseline, PageCell, PageColumn, PagePart, PageTable, Section};
use crate::report::DerivedData;
use crate::report::number_format::precise_range;
use crate::report::ratios::{PairedRatio, Ratios, RoundTimes};
use crate::report::series::{ReportKey, RunSeries};

/// The maximum number of ratios on the page for all baselines together.
const MAX_RATIOS: usize = 4000;

/// The ratios of times within rounds; `None` if there are none. On the page, another baseline can be chosen.
pub fn ratios(data: &DerivedData<'_>) -> Option<Section> {
    let times = RoundTimes::of(data);
    let ratios = Ratios::of(data);
    let baseline = ratios.baseline?;
    if ratios.cells.is_empty() {
        return None;
    }
    let is_comparable = |series: &&RunSeries<'_>| {
        (series.key.problems, series.key.goal) == (baseline.problems, baseline.goal)
            && data.medians(series).iter().any(|cell| cell.median_ns.is_some() || cell.limit_ns.is_some())
    };
    let compared_series: Vec<&RunSeries<'_>> =
        data.series.iter().filter(is_comparable).take(MAX_ROWS).collect();
    let sizes: BTreeSet<usize> = ratios.cells.iter().flat_map(|cell| cell.sizes.iter().copied()).collect();
    let sizes: Vec<usize> = sizes.into_iter().rev().take(MAX_SIZES).collect();
    let heads: Vec<String> = sizes.iter().map(|n| format!("n = {n}")).collect();
    let method = "Each round gives one ratio of two runs that are close in time; over several sizes, it is the geometric mean of \
        the ratios of these sizes. The ratio in the table is the median of the geometric means of all pairs of rounds \
        (Hodges-Lehmann). p is the p-value of the signed-rank test, corrected for the number of ratios in the table: if no \
        solver differs from the baseline, at most one of twenty tables has a p below 0.05. If there are too few rounds for a \
        significant result, there is no p.";
    let overall_heads = ["Ratio", "95 % interval", "p", "Stopped", "Sizes", "Rounds"].map(str::to_owned);
    let rows = |ratios: &Ratios<'_>| -> [Vec<Vec<PageCell>>; 2] {
        let rows = compared_series
            .iter()
            .map(|series| (overall_cells(series, ratios), cells_of_sizes(series, ratios, &sizes)));
        let (overall, by_size) = rows.unzip();
        [overall, by_size]
    };
    let names: Vec<String> = compared_series.iter().map(|series| data.timed_name(&series.key)).collect();
    let [overall, by_size] = rows(&ratios);
    let table = |label: &str, caption: &str, heads: &[String], cells: Vec<Vec<PageCell>>| {
        let column =
            |at: usize| move |row: &(String, Vec<PageCell>)| row.1.get(at).cloned().unwrap_or_default();
        let columns: Vec<_> = (0..heads.len()).map(column).collect();
        let mut all_columns: Vec<PageColumn<'_, (String, Vec<PageCell>)>> =
            vec![(Words("Solver"), &|row| PageCell::of_text(&row.0))];
        let cell = |(head, cell)| (Values(head), cell as &dyn Fn(&(String, Vec<PageCell>)) -> PageCell);
        all_columns.extend(heads.iter().map(String::as_str).zip(&columns).map(cell));
        PageTable::of(
            (label, caption),
            &all_columns,
            names.iter().cloned().zip(cells),
            (MAX_ROWS, JSON_COMMAND),
        )
    };
    let mut overall_table = table(
        "Ratios over all sizes",
        "How many times as long as the baseline each solver takes, over all sizes at which both take at least 100 µs",
        &overall_heads,
        overall,
    );
    let caption = "How many times as long as the baseline each solver takes; below it, the 95 % interval";
    let mut size_table = table("Ratios", caption, &heads, by_size);
    // If there are several results, each has its own baseline, and the page does not offer others.
    let is_single_result = data.series.iter().all(|series| series.key.result.is_empty());
    if is_single_result && compared_series.len() * compared_series.len() * (sizes.len() + 1) <= MAX_RATIOS {
        for (series, name) in compared_series.iter().zip(&names) {
            let is_baseline = series.key == baseline;
            let rows_of_baseline =
                if is_baseline { rows(&ratios) } else { rows(&times.to_baseline(series.key)) };
            for (table, cells) in [&mut overall_table, &mut size_table].into_iter().zip(rows_of_baseline) {
                let Some(table) = table else { continue };
                let visible_columns = |row: Vec<PageCell>| -> Vec<PageCell> {
                    let columns = table.columns.iter().skip(1);
                    columns.map(|&column| row.get(column - 1).cloned().unwrap_or_default()).collect()
                };
                let rows = cells.into_iter().map(visible_columns).collect();
                table.baselines.push(Baseline { name: name.clone(), is_shown: is_baseline, rows });
            }
        }
    }
    let details = [
        PagePart::Collapsed("Ratios of each size, and how they are computed".to_owned()),
        PagePart::text(method),
    ];
    let parts = overall_table.map(PagePart::Table).into_iter().chain(details);
    let parts = parts.chain(size_table.map(PagePart::Table)).chain([PagePart::EndOfCollapsed]);
    Section::of("ratios", "Ratios", parts)
}

/// The p-value of a ratio: `p < 0.001`, `p = 0.031`.
fn p_value(ratio: &PairedRatio<'_>) -> Option<String> {
    ratio.p.map(|p| if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") })
}

/// The number of rounds with a run that was stopped by a limit, as in `3 of 7`; `None` if there are none.
fn stopped_rounds(ratio: &PairedRatio<'_>) -> Option<String> {
    (ratio.stopped > 0).then(|| format!("{} of {}", ratio.stopped, ratio.rounds))
}

/// A ratio with its interval, its p-value and the number of stopped rounds.
fn ratio(ratio: &PairedRatio<'_>) -> PageCell {
    let stopped = stopped_rounds(ratio).map(|stopped| format!("{stopped} stopped"));
    let small_print = ratio.ci95.map(precise_range).into_iter().chain(p_value(ratio)).chain(stopped);
    PageCell::of(precise_range(ratio.ratio)).with_small_print(small_print).with_value(ratio.ratio.low)
}

/// Whether a series is the baseline of these ratios.
fn is_baseline(series: &RunSeries<'_>, ratios: &Ratios<'_>) -> bool {
    ratios.baseline.is_some_and(|baseline| ReportKey { result: series.key.result, ..baseline } == series.key)
}

/// The ratio of a series over all sizes with its interval, its p-value, the stopped rounds, the sizes and the number of rounds.
fn overall_cells(series: &RunSeries<'_>, ratios: &Ratios<'_>) -> Vec<PageCell> {
    if is_baseline(series, ratios) {
        return vec![PageCell::of("1").with_value(1.0), PageCell::of("baseline")];
    }
    let Some(ratio) = ratios.overall.iter().find(|ratio| ratio.key == series.key) else { return Vec::new() };
    let text = |text: Option<String>| text.map_or_else(PageCell::default, PageCell::of);
    vec![
        PageCell::of(precise_range(ratio.ratio)).with_value(ratio.ratio.low),
        text(ratio.ci95.map(precise_range)),
        ratio.p.map_or_else(PageCell::default, |p| text(p_value(ratio)).with_value(p)),
        text(stopped_rounds(ratio)),
        PageCell::of(size_range(&ratio.sizes.iter().copied().collect())),
        PageCell::of(ratio.rounds.to_string()).with_value(ratio.rounds),
    ]
}

/// The ratio of a series at each of these sizes.
fn cells_of_sizes(series: &RunSeries<'_>, ratios: &Ratios<'_>, sizes: &[usize]) -> Vec<PageCell> {
    let is_baseline_row = is_baseline(series, ratios);
    let cell =
        |n: &usize| match ratios.cells.iter().find(|ratio| ratio.key == series.key && ratio.sizes == [*n]) {
            Some(paired) => ratio(paired),
            None if is_baseline_row => PageCell::of("1").with_value(1.0),
            None => PageCell::default(),
        };
    sizes.iter().map(cell).collect()
}
