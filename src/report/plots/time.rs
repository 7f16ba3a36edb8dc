//! Time against n: the median of timed runs, the runs themselves, their middle half as a band, and a
//! hollow marker at the limit wherever a run timed out.

use std::collections::HashMap;

use super::canvas::Drawn;
use super::chart::{BOARD_SIZE, Chart, Series};
use super::keys::Key;
use super::style::Style;
use super::{Data, counted};
use crate::record::{Status, TimingsRow, Verdict};
use crate::report::instances;
use crate::report::{Run, Unit};

/// Most dots that are drawn: more would hide each other and make the picture large.
const MOST_DOTS: usize = 20_000;

pub(super) fn draw(data: &Data<'_>) -> Drawn<String> {
    chart(data).svg()
}

fn chart(data: &Data<'_>) -> Chart {
    let keys = data.keys();
    let timed: Vec<&Run> = data.rows.iter().filter(|row| row.is_timed).collect();
    let mut runs: HashMap<Key<'_>, Vec<&Run>> = HashMap::new();
    for row in &timed {
        runs.entry(Key::of(row)).or_default().push(row);
    }
    let all = keys.iter().map(|(key, style)| {
        let runs = runs.get(&key).map_or(&[][..], Vec::as_slice);
        series(keys.name(&key, true), style, &key, data.timings, runs)
    });
    let mut series: Vec<Series> =
        all.filter(|series| !series.line.is_empty() || !series.limits.is_empty()).collect();
    let crowded = series.iter().map(|series| series.dots.len()).sum::<usize>() > MOST_DOTS;
    if crowded {
        series.iter_mut().for_each(|series| series.dots.clear());
    }
    let how = if crowded {
        "median of timed runs, encoding and solving; band: middle half of the runs, whose single times are in runs.csv"
    } else {
        "median of timed runs, encoding and solving; dots: single runs; band: middle half of the runs"
    };
    let (title, subtitle) = data.headings("Time against n", how);
    Chart {
        id: "time",
        title,
        subtitle,
        across: BOARD_SIZE,
        at: "n",
        axis: "time",
        unit: Unit::Time,
        notes: notes(&series, &timed),
        series,
        empty: "no timed runs",
    }
}

fn series(name: String, style: Style, key: &Key<'_>, timings: &[TimingsRow], runs: &[&Run]) -> Series {
    let cells = instances::of_key(timings, key);
    let mut dots: Vec<(usize, u64)> = runs.iter().filter_map(|row| Some((row.n, row.answered_ns?))).collect();
    dots.sort_unstable();
    let mut limits: Vec<(usize, u64)> =
        runs.iter().filter(|row| row.status == Status::Timeout).filter_map(limit).collect();
    limits.sort_unstable();
    limits.dedup();
    Series {
        name: vec![name],
        style,
        dashed: false,
        line: cells.iter().filter_map(|cell| Some((cell.n, cell.median_ns?))).collect(),
        dots,
        band: cells.iter().filter_map(|cell| Some((cell.n, cell.p25_ns?, cell.p75_ns?))).collect(),
        limits,
        fit: None,
    }
}

fn limit(row: &&Run) -> Option<(usize, u64)> {
    Some((row.n, row.time_limit_ns.or(row.wall_ns)?))
}

fn notes(series: &[Series], timed: &[&Run]) -> Vec<String> {
    let mut notes = Vec::new();
    if series.iter().any(|series| !series.limits.is_empty()) {
        notes.push(
            "Hollow marker (or how many, where there is no room): at least one run reached the time limit; medians are of the runs that did not."
                .to_owned(),
        );
    }
    let count = |is: fn(&Run) -> bool| timed.iter().filter(|row| is(row)).count();
    let left_out = [
        (count(|row| row.status.is_solved() && row.verdict == Verdict::Wrong), "wrong answer"),
        (count(|row| row.status == Status::Crashed), "crash"),
        (count(|row| row.status == Status::Unreadable), "unreadable output"),
        (count(|row| row.status == Status::Memout), "run out of memory"),
    ];
    let told: Vec<String> = left_out
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|&(count, what)| match (count, what) {
            (2.., "crash") => format!("{count} crashes"),
            (2.., "run out of memory") => format!("{count} runs out of memory"),
            _ => counted(count, what),
        })
        .collect();
    if !told.is_empty() {
        notes.push(format!("Not shown: {}.", told.join(", ")));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Row;
    use crate::report::plots::Titles;
    use crate::report::tables;
    use crate::solver::Goal;

    fn run(n: usize, time: u64) -> Row {
        let row = Row::skipped("r".into(), "c".into(), n, Goal::Count, "s".into());
        Row { status: Status::Complete, solve_ns: Some(time), time_limit_ns: Some(1000), ..row }
    }

    fn ended(n: usize, status: Status) -> Row {
        Row { status, solve_ns: None, ..run(n, 0) }
    }

    fn chart_of(rows: &[Row], question: &str) -> Chart {
        let titles = Titles { experiment: "e".into(), question: question.into() };
        let rows = &Run::all(rows);
        chart(&Data { rows, timings: &tables::timings(rows), nodes: &[], titles: &titles, pair: None })
    }

    #[test]
    fn the_line_is_the_median_and_the_band_the_middle_half() {
        let rows = [
            run(5, 10),
            run(4, 300),
            run(4, 100),
            run(4, 200),
            ended(6, Status::Timeout),
            ended(6, Status::Timeout),
        ];
        let chart = chart_of(&rows, "");
        let [series] = &chart.series[..] else { panic!("one series") };
        assert_eq!(series.line, [(4, 200), (5, 10)]);
        assert_eq!(series.dots, [(4, 100), (4, 200), (4, 300), (5, 10)]);
        assert_eq!(series.band, [(4, 150, 250), (5, 10, 10)]);
        assert_eq!(series.limits, [(6, 1000)]);
        assert!(chart.notes[0].starts_with("Hollow marker"));
    }

    #[test]
    fn the_question_is_the_title() {
        let rows = [run(4, 1)];
        assert_eq!(chart_of(&rows, "Why?").title, "Why?");
        assert!(chart_of(&rows, "Why?").subtitle.starts_with("Time against n · e · goal count · median"));
        assert_eq!(chart_of(&rows, "").title, "Time against n");
        assert!(chart_of(&rows, "").subtitle.starts_with("e · goal count · median"));
    }

    #[test]
    fn what_is_not_shown_is_said() {
        let wrong = Row { verdict: Verdict::Wrong, ..run(4, 1) };
        let rows = [wrong, ended(4, Status::Crashed), ended(4, Status::Crashed), ended(5, Status::Memout)];
        let chart = chart_of(&rows, "");
        assert_eq!(chart.series, []);
        assert_eq!(chart.notes, ["Not shown: 1 wrong answer, 2 crashes, 1 run out of memory."]);
    }
}
