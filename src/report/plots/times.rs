//! The charts of times: against n, with the fitted growth, as solutions per second, and the cactus plot.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::chart::{Chart, Series};
use super::style::Style;
use crate::record::{Status, TimingsRow, Verdict};
use crate::report::growth::{FEWEST, Growth, Unfitted};
use crate::report::keys::Key;
use crate::report::unit::digits;
use crate::report::{Data, Run, Unit, counted, instances, rounded};
use crate::solver::Goal;

/// With more dots than these, none is drawn: they would hide each other and make the picture large.
const MOST_DOTS: usize = 20_000;

/// Time against n: the median of timed runs, the runs themselves, their middle half as a band, and a hollow marker at
/// the limit where a run timed out.
pub fn time(data: &Data<'_>) -> Chart {
    let timed: Vec<&Run> = data.material.rows.iter().filter(|row| row.is_timed).collect();
    let mut runs: HashMap<Key<'_>, Vec<&Run>> = HashMap::new();
    for row in &timed {
        runs.entry(Key::of(row)).or_default().push(row);
    }
    let all = data.keys.iter().map(|(key, style)| {
        let runs = runs.get(&key).map_or(&[][..], Vec::as_slice);
        let cells = instances::of_key(&data.timings, &key);
        let mut dots: Vec<(u64, u64)> =
            runs.iter().filter_map(|row| Some((row.n as u64, row.answered_ns?))).collect();
        dots.sort_unstable();
        let mut limits: Vec<(u64, u64)> =
            runs.iter().filter_map(|row| Some((row.n as u64, row.timeout_ns()?))).collect();
        limits.sort_unstable();
        limits.dedup();
        Series {
            name: vec![data.keys.name(&key, true)],
            style,
            line: cells.iter().filter_map(|cell| Some((cell.n as u64, cell.median_ns?))).collect(),
            dots,
            band: cells.iter().filter_map(|cell| Some((cell.n as u64, cell.p25_ns?, cell.p75_ns?))).collect(),
            limits,
            ..Series::default()
        }
    });
    let mut series: Vec<Series> =
        all.filter(|series| !series.line.is_empty() || !series.limits.is_empty()).collect();
    let mut how =
        "median of timed runs, encoding and solving; dots: single runs; band: middle half of the runs";
    if series.iter().map(|series| series.dots.len()).sum::<usize>() > MOST_DOTS {
        series.iter_mut().for_each(|series| series.dots.clear());
        how = "median of timed runs, encoding and solving; band: middle half of the runs, whose single times are in runs.csv";
    }
    Chart { notes: notes(&series, &timed), series, ..data.chart("Time against n", how) }
}

fn notes(series: &[Series], timed: &[&Run]) -> Vec<String> {
    let mut notes = Vec::new();
    if series.iter().any(|series| !series.limits.is_empty()) {
        notes.push(
            "Hollow marker (or a number, where there is no room for several): at least one run reached the time limit; \
             medians are of the other runs."
                .to_owned(),
        );
    }
    let count = |is: fn(&Run) -> bool| timed.iter().filter(|row| is(row)).count();
    let left_out = [
        (count(|row| row.status.is_solved() && row.verdict == Verdict::Wrong), "wrong answer"),
        (count(|row| row.status == Status::Crashed), "crashed run"),
        (count(|row| row.status == Status::Unreadable), "unreadable output"),
        (count(|row| row.status == Status::Memout), "out-of-memory run"),
    ];
    let left_out = left_out.iter().filter(|(count, _)| *count > 0);
    let left_out: Vec<String> = left_out.map(|&(count, what)| counted(count, what)).collect();
    if !left_out.is_empty() {
        notes.push(format!("Not shown: {}.", left_out.join(", ")));
    }
    notes
}

/// Growth: medians, and as a dashed curve the exponential or the power law fitted to them.
pub fn growth(data: &Data<'_>) -> Chart {
    let mut series = Vec::new();
    let (mut few, mut poor) = (Vec::new(), Vec::new());
    for (key, style) in data.keys.iter() {
        let name = data.keys.name(&key, true);
        let growth = match Growth::of(&instances::of_key(&data.timings, &key)) {
            Ok(growth) => growth,
            Err(Unfitted::Few) => {
                few.push(name);
                continue;
            }
            Err(Unfitted::Poor(spread)) => {
                poor.push(format!("{name} (×{})", digits(spread)));
                continue;
            }
        };
        let ends = growth.points.first().zip(growth.points.last());
        let sizes = ends.map_or(0..=0, |(&(first, _), &(last, _))| first..=last);
        series.push(Series {
            name: vec![name, growth.to_string()],
            style,
            dashed: true,
            fit: Some(sizes.map(|n| (n as u64, growth.at(n))).collect()),
            line: growth.points.into_iter().map(|(n, time)| (n as u64, time)).collect(),
            ..Series::default()
        });
    }
    let mut notes = vec![format!(
        "Fitted to at least {FEWEST} sizes without a timeout whose medians are at least 100 µs."
    )];
    if !poor.is_empty() {
        let poor = poor.join(", ");
        notes.push(format!(
            "Neither an exponential nor a power law describes, with the typical deviation: {poor}."
        ));
    }
    if !few.is_empty() {
        notes.push(format!("Too few sizes: {}.", few.join(", ")));
    }
    let how = "markers: medians; dashed: the exponential or the power law that fits them better";
    let chart = data.chart("Growth of time with n", how);
    Chart { series, notes, empty: "no growth can be fitted", ..chart }
}

/// Solutions per second against n: the number of solutions over the median time, for goals that visit all solutions.
pub fn rate(data: &Data<'_>) -> Chart {
    // The correct numbers of solutions. Boards without a solution have no rate.
    let rows = data.material.rows.iter();
    let found: BTreeMap<usize, u64> = rows
        .filter(|row| row.goal != Goal::First && row.verdict == Verdict::Correct)
        .filter_map(|row| Some((row.n, row.solutions.filter(|&solutions| solutions > 0)?)))
        .collect();
    let rate = |solutions: u64, ns: u64| {
        let rate = u128::from(solutions) * 1_000_000_000 / u128::from(ns.max(1));
        u64::try_from(rate).unwrap_or(u64::MAX).max(1)
    };
    let line = |key: &Key<'_>| {
        let cells = instances::of_key(&data.timings, key).into_iter().filter(|_| key.goal != Goal::First);
        let point = |cell: &TimingsRow| Some((cell.n as u64, rate(*found.get(&cell.n)?, cell.median_ns?)));
        cells.filter_map(point).collect()
    };
    Chart {
        axis: "solutions per second".into(),
        unit: Unit::Count,
        series: data.lines(line),
        empty: "no run went through all solutions",
        ..data.chart("Solutions per second against n", "solutions over the median time")
    }
}

/// Cactus plot: how many instances a solver solves within a given time for each. The k-th point of a solver is the time of
/// its k-th fastest instance; the further right a line goes, the better.
pub fn cactus(data: &Data<'_>) -> Chart {
    let line = |key: &Key<'_>| {
        let cells = instances::all_of_key(&data.timings, key);
        let mut times: Vec<u64> = cells.iter().filter_map(|cell| instances::solved_ns(cell)).collect();
        times.sort_unstable();
        (1..).zip(times).collect()
    };
    let how = "instances solved, fastest first; an instance is a problem of one size";
    Chart {
        across: "instances solved".into(),
        at: "instances",
        axis: "time of the slowest of them".into(),
        series: data.lines(line),
        notes: vec![
            "An instance is solved when at least half of its runs were answered; its time is their median."
                .to_owned(),
        ],
        empty: "no instance solved",
        ..data.chart("Cactus plot", how)
    }
}

/// The fewest seeds whose times make a distribution.
const FEWEST_SEEDS: usize = 20;

/// Runtime distributions: the share of the runs of a randomised searcher, with different seeds, that take at least a given
/// time. Both axes are logarithmic, so that a heavy tail is a straight line.
pub fn runtimes(data: &Data<'_>) -> Chart {
    let mut groups: BTreeMap<(Key<'_>, usize), Vec<&Run>> = BTreeMap::new();
    for run in data.material.rows.iter().filter(|run| run.is_timed) {
        groups.entry((Key::of(run), run.n)).or_default().push(run);
    }
    groups.retain(|_, runs| runs.iter().map(|run| run.seed).collect::<BTreeSet<u64>>().len() >= FEWEST_SEEDS);
    let sizes: BTreeSet<usize> = groups.keys().map(|&(_, n)| n).collect();
    let series = groups.iter().enumerate().map(|(rank, ((key, n), runs))| {
        let mut times: Vec<u64> = runs.iter().filter_map(|run| run.answered_ns).collect();
        times.sort_unstable();
        let share = |faster: usize| rounded(1e6 * (runs.len() - faster) as f64 / runs.len() as f64);
        let mut name = vec![data.keys.name(key, true)];
        name.extend((sizes.len() > 1).then(|| format!("n = {n}")));
        let line = times.iter().enumerate().map(|(faster, &time)| (time, share(faster))).collect();
        Series { name, style: Style(rank), line, ..Series::default() }
    });
    let how = "runs with different seeds; a straight line that falls slowly is a heavy tail";
    Chart {
        across: "time".into(),
        across_unit: Some(Unit::Time),
        at: "time",
        axis: "runs that take at least this time".into(),
        unit: Unit::Share,
        series: series.filter(|series| !series.line.is_empty()).collect(),
        notes: vec![
            "A line that ends above the others: the remaining runs have no answer within the limit."
                .to_owned(),
        ],
        empty: "no solver ran with at least 20 seeds",
        ..data.chart("Runtime distributions", how)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Row;
    use crate::report::Material;
    use crate::report::fixture::{ended, plotted, run};

    fn only(chart: &Chart) -> &Series {
        let [series] = &chart.series[..] else { panic!("one series: {chart:?}") };
        series
    }

    #[test]
    fn the_line_is_the_median_and_the_band_the_middle_half() {
        let timeout = || ended(6, "s", Status::Timeout);
        let rows =
            [run(5, "s", 10), run(4, "s", 300), run(4, "s", 100), run(4, "s", 200), timeout(), timeout()];
        let chart = plotted(&rows, time);
        let series = only(&chart);
        assert_eq!(series.line, [(4, 200), (5, 10)]);
        assert_eq!(series.dots, [(4, 100), (4, 200), (4, 300), (5, 10)]);
        assert_eq!(series.band, [(4, 150, 250), (5, 10, 10)]);
        assert_eq!(series.limits, [(6, 1000)]);
        assert!(chart.notes[0].starts_with("Hollow marker"));
    }

    #[test]
    fn the_title_says_what_is_shown() {
        let rows = Run::all(&[run(4, "s", 1)]);
        let mut data = Data::of(&Material { rows: &rows, ..Material::default() });
        (data.titles.experiment, data.titles.question) = ("e".into(), "Why?".into());
        let chart = time(&data);
        assert_eq!(chart.title, "Time against n");
        assert!(chart.subtitle.starts_with("e · goal count · median"), "{}", chart.subtitle);
    }

    #[test]
    fn what_is_not_shown_is_said() {
        let wrong = Row { verdict: Verdict::Wrong, ..run(4, "s", 1) };
        let crash = || ended(4, "s", Status::Crashed);
        let chart = plotted(&[wrong, crash(), crash(), ended(5, "s", Status::Memout)], time);
        assert_eq!(chart.series, []);
        assert_eq!(chart.notes, ["Not shown: 1 wrong answer, 2 crashed runs, 1 out-of-memory run."]);
    }

    #[test]
    fn the_line_is_the_fit_and_those_without_one_are_named() {
        let mut rows = vec![(4, "a", 200_000), (5, "a", 400_000), (7, "a", 1_600_000), (8, "a", 3_200_000)];
        rows.extend([4, 5, 6].map(|n| (n, "b", 200_000)));
        let rows: Vec<Row> = rows.into_iter().map(|(n, solver, time)| run(n, solver, time)).collect();
        let chart = plotted(&rows, growth);
        let series = only(&chart);
        assert_eq!(series.name, ["a", "×2.00 per n (95 %: 2.00 to 2.00)"]);
        assert_eq!(series.line, [(4, 200_000), (5, 400_000), (7, 1_600_000), (8, 3_200_000)]);
        let fit = [(4, 200_000), (5, 400_000), (6, 800_000), (7, 1_600_000), (8, 3_200_000)];
        assert_eq!(series.fit.as_deref(), Some(&fit[..]));
        assert_eq!(chart.notes[1], "Too few sizes: b.");
    }

    #[test]
    fn the_rate_is_solutions_over_the_median_time_where_all_solutions_are_right_and_visited() {
        let found = |n, solutions, ns| Row { solutions: Some(solutions), ..run(n, "s", ns) };
        let rows =
            [found(8, 92, 1_000), found(8, 92, 2_000), found(8, 92, 4_000), found(9, 352, 1_000_000_000)];
        assert_eq!(only(&plotted(&rows, rate)).line, [(8, 46_000_000), (9, 352)]);
        let wrong = Row { verdict: Verdict::Wrong, ..found(8, 91, 1_000) };
        let first = Row { goal: Goal::First, ..found(6, 1, 10) };
        assert_eq!(plotted(&[first, found(3, 0, 10), wrong], rate).series, []);
    }

    #[test]
    fn instances_stand_by_time_and_the_unsolved_are_left_out() {
        let timeout = |n, solver| ended(n, solver, Status::Timeout);
        let mut rows = vec![run(4, "a", 30), run(5, "a", 10), run(6, "a", 20), timeout(7, "a")];
        rows.extend([run(8, "a", 1), timeout(8, "a"), timeout(8, "a"), timeout(4, "b")]);
        let chart = plotted(&rows, cactus);
        let series = only(&chart);
        assert_eq!((series.name[0].as_str(), &series.line[..]), ("a", &[(1, 10), (2, 20), (3, 30)][..]));
    }

    #[test]
    fn a_runtime_distribution_is_the_share_of_the_seeds_that_take_at_least_a_time() {
        let seeded = |seed: u64, row: Row| Row { seed, goal: Goal::First, ..row };
        let mut rows: Vec<Row> = (1..=20).map(|seed| seeded(seed, run(8, "random", 100 * seed))).collect();
        rows[19] = seeded(20, ended(8, "random", Status::Timeout));
        // Repetitions of one seed are no distribution.
        rows.extend((1..=30).map(|time| seeded(1, run(8, "fixed", time))));
        let chart = plotted(&rows, runtimes);
        let series = only(&chart);
        assert_eq!((series.name[0].as_str(), series.line.len()), ("random", 19));
        assert_eq!((series.line[0], series.line[18]), ((100, 1_000_000), (1900, 100_000)));
        let picture = chart.picture();
        assert!(picture.svg.contains(">10 %<") && picture.svg.contains(">1 µs<"), "{}", picture.svg);
        assert!(plotted(&rows[..18], runtimes).picture().is_empty);
    }
}
