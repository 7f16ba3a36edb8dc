//! What a table of medians shows: a series in each row, a size in each column. The terminal, the page and the exports print it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::series::Series;
use super::{Data, Scale, Unit, counted};
use crate::record::TimingsRow;

/// A table of medians.
pub struct Grid<'d> {
    /// The sizes, ascending.
    pub sizes: Vec<usize>,
    /// The name of each series, and its cells by size; of several instances of a size, the one with the median time.
    pub rows: Vec<(String, BTreeMap<usize, &'d TimingsRow>)>,
}

impl<'d> Grid<'d> {
    /// The table of the series that a condition holds for.
    pub fn of(data: &'d Data<'_>, is_shown: impl Fn(&Series<'_>) -> bool) -> Self {
        let row = |series: &Series<'_>| {
            let cells = data.medians(series).into_iter().map(|cell| (cell.n, cell));
            (data.name(&series.key), cells.collect::<BTreeMap<_, _>>())
        };
        let rows = data.series.iter().filter(|series| is_shown(series)).map(row);
        let rows: Vec<_> = rows.filter(|(_, cells)| !cells.is_empty()).collect();
        let sizes: BTreeSet<usize> = rows.iter().flat_map(|(_, cells)| cells.keys().copied()).collect();
        Self { sizes: sizes.into_iter().collect(), rows }
    }

    /// What the marks in it mean.
    pub fn notes(&self, data: &Data<'_>) -> Vec<&'static str> {
        let mut cells = self.rows.iter().flat_map(|(_, cells)| cells.values());
        let is_incomplete = cells.any(|cell| !shown(cell, None).lost.is_empty());
        is_incomplete.then_some(INCOMPLETE).into_iter().chain(data.started()).collect()
    }
}

/// What a median counts.
const INCOMPLETE: &str = "A median counts a run that a limit stopped as longer than all others; other runs without an answer are \
    left out.";

/// A cell in words.
pub struct Shown {
    /// The median, or why there is none.
    pub text: String,
    /// Whether it is a median.
    pub is_time: bool,
    /// The runs without an answer, as in `1 timeout, 2 crashed`; empty if there are none, or if the text says it of all runs.
    pub lost: String,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if self.lost.is_empty() { Ok(()) } else { write!(f, " ({})", self.lost) }
    }
}

/// A cell in this unit, or each time in its own. A median that is longer than the limit is shown as such.
pub fn shown(cell: &TimingsRow, unit: Option<Scale>) -> Shown {
    let time = |time: u64| unit.map_or_else(|| Unit::Time.show_padded(time), |unit| unit.show(time));
    let lost = [
        (cell.timeouts, "timeout"),
        (cell.memouts, "out of memory"),
        (cell.wrong, "wrong"),
        (cell.crashed, "crashed"),
        (cell.unreadable, "unreadable"),
    ];
    let lost = lost.into_iter().filter(|(count, _)| *count > 0);
    let words =
        |(count, what)| if what == "timeout" { counted(count, what) } else { format!("{count} {what}") };
    let first = lost.clone().next().map_or("no answer", |(_, what)| what);
    let text = match (cell.median_ns, cell.limit_ns) {
        (Some(median), _) => time(median),
        (None, Some(limit)) => {
            format!("> {}", unit.map_or_else(|| Unit::Time.show(limit), |unit| unit.show(limit)))
        }
        (None, None) => first.to_owned(),
    };
    let is_all = lost.clone().any(|(count, _)| count == cell.runs);
    let lost = lost.filter(|_| !is_all).map(words).collect::<Vec<_>>().join(", ");
    Shown { text, is_time: cell.median_ns.is_some(), lost }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_shows_its_median_with_what_is_not_in_it_or_why_it_has_none() {
        let cell = TimingsRow { runs: 5, solved: 5, median_ns: Some(8_390_000_000), ..TimingsRow::default() };
        let told = |cell: TimingsRow| {
            let Shown { text, lost, .. } = shown(&cell, None);
            (text, lost)
        };
        let pair = |text: &str, lost: &str| (text.to_owned(), lost.to_owned());
        let limit_ns = Some(10_000_000_000);
        assert_eq!(told(cell.clone()), pair("8.39 s", ""));
        let one = TimingsRow { solved: 4, timeouts: 1, limit_ns, ..cell.clone() };
        assert_eq!(told(one.clone()), pair("8.39 s", "1 timeout"));
        assert_eq!(shown(&one, Some(Scale::Milliseconds)).text, "8,390");
        let none = TimingsRow { solved: 0, median_ns: None, ..cell };
        assert_eq!(told(TimingsRow { timeouts: 5, limit_ns, ..none.clone() }), pair("> 10 s", ""));
        let mixed = TimingsRow { timeouts: 3, wrong: 2, limit_ns, ..none.clone() };
        assert_eq!(told(mixed), pair("> 10 s", "3 timeouts, 2 wrong"));
        assert_eq!(told(TimingsRow { memouts: 5, ..none.clone() }), pair("out of memory", ""));
        assert_eq!(
            told(TimingsRow { crashed: 4, wrong: 1, ..none.clone() }),
            pair("wrong", "1 wrong, 4 crashed")
        );
        assert_eq!(told(none), pair("no answer", ""));
    }
}
