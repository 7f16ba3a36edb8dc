//! Fits the growth of the times of a series over n. The fit uses a cell if all of its runs were answered, and its median is at
//! least [`MIN_COMPARED_NS`]. Shorter times depend mainly on the first accesses to code and memory.

use timestats::Range;
use timestats::growth::{FitError, Growth, Law, fit};

use super::number_format::digits;
use crate::record::TimingsRow;

/// The minimum median that is used in fits, and in comparisons over several sizes, in nanoseconds.
pub const MIN_COMPARED_NS: u64 = 100_000;

/// Fits the growth of a series. Its cells are sorted by n, ascending.
pub fn fit_cells(cells: &[&TimingsRow]) -> Result<Growth, FitError> {
    let answered_cells = cells.iter().filter(|cell| cell.solved == cell.runs);
    let points = answered_cells
        .filter_map(|cell| Some((cell.n, cell.median_ns.filter(|&time| time >= MIN_COMPARED_NS)?)));
    fit(&points.collect::<Vec<_>>())
}

/// Formats a growth: `×5.62 per n (95 %: 5.41 to 5.84)`, `n^2.10 (95 %: 1.95 to 2.25)`.
pub fn show(growth: &Growth) -> String {
    let Range { low, high } = growth.ci95;
    let (rate, low, high) = (digits(growth.rate), digits(low), digits(high));
    match growth.law {
        Law::Exponential => format!("×{rate} per n (95 %: {low} to {high})"),
        Law::Power => format!("n^{rate} (95 %: {low} to {high})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(n: usize, median_ns: u64, solved: u64) -> TimingsRow {
        TimingsRow { n, runs: 3, solved, median_ns: Some(median_ns), ..TimingsRow::default() }
    }

    #[test]
    fn growth_is_printed_with_its_interval() {
        let growth_text = |time: fn(usize) -> u64| {
            let cells: Vec<TimingsRow> = (8..16).map(|n| cell(n, time(n), 3)).collect();
            show(&fit_cells(&cells.iter().collect::<Vec<_>>()).expect("a fit"))
        };
        assert_eq!(growth_text(|n| 7 << (2 * n)), "×4.00 per n (95 %: 4.00 to 4.00)");
        assert_eq!(growth_text(|n| 1000 * (n as u64).pow(3)), "n^3.00 (95 %: 3.00 to 3.00)");
    }

    #[test]
    fn growth_ignores_short_times_and_unanswered_cells() {
        let cells = [
            cell(5, MIN_COMPARED_NS - 1, 3),
            cell(6, MIN_COMPARED_NS, 3),
            cell(7, 2 * MIN_COMPARED_NS, 3),
            cell(8, 4 * MIN_COMPARED_NS, 3),
            cell(9, 8 * MIN_COMPARED_NS, 3),
            cell(10, 8 * MIN_COMPARED_NS, 2),
        ];
        let growth = fit_cells(&cells.iter().collect::<Vec<_>>()).expect("four points");
        assert_eq!(growth.points.iter().map(|&(n, _)| n).collect::<Vec<_>>(), [6, 7, 8, 9]);
        assert_eq!(fit_cells(&cells[..4].iter().collect::<Vec<_>>()), Err(FitError::TooFewPoints));
    }
}
