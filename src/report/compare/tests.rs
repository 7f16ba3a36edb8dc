use super::*;
use crate::record::{Kind, Row, Status, Verdict};
use crate::solver::{Goal, Stat};

fn run(n: usize, solver: &str, time: u64) -> Row {
    let row = Row::skipped("r".into(), "c".into(), n, Goal::Enumerate, solver.into());
    Row {
        status: Status::Complete,
        verdict: Verdict::Correct,
        solve_ns: Some(time),
        solutions: Some(92),
        digest: Some("aa".into()),
        ..row
    }
}

fn stored(rows: Vec<Row>) -> Stored {
    Stored { rows, ..Stored::default() }
}

fn runs(times: &[u64]) -> Vec<Row> {
    times.iter().map(|&time| run(8, "s", time)).collect()
}

fn compared(old: Vec<Row>, new: Vec<Row>) -> Comparison<'static> {
    let [old, new] = [old, new].map(|rows| Box::leak(Box::new(stored(rows))));
    Comparison::of(old, new)
}

const OLD: [u64; 5] = [1000, 1010, 1020, 1030, 1040];

#[test]
fn a_cell_is_slower_when_its_whole_interval_is_and_a_regression_beyond_what_that_clears() {
    let comparison = compared(runs(&OLD), runs(&OLD.map(|time| time * 11 / 10)));
    let [ratio] = &comparison.ratios[..] else { panic!("one cell") };
    assert_eq!((ratio.verdict, ratio.runs, ratio.median_ns), ("slower", [5, 5], [1020, 1122]));
    assert!((ratio.ratio - 1.1).abs() < 1e-9 && ratio.p_holm.is_some_and(|p| p < 0.01));
    let Range { low, high } = ratio.ci95.expect("five runs");
    assert!((1.05..1.1).contains(&low) && (1.1..1.15).contains(&high), "{low} {high}");
    assert_eq!((comparison.regressions(5.0).count(), comparison.regressions(9.0).count()), (1, 0));
    let overall = comparison.overall.expect("a cell");
    assert_eq!(overall.cells, 1);
    assert!(
        (overall.ratio - 1.1).abs() < 1e-9
            && (overall.ci95.low - low).abs() < 1e-12
            && (overall.ci95.high - high).abs() < 1e-12
    );
}

#[test]
fn p_is_corrected_for_the_number_of_cells() {
    let sweep = |cells: usize, slow: usize| {
        let times = |n: usize| OLD.map(|time| if n < slow { time * 11 / 10 } else { time });
        (0..cells).flat_map(|n| times(n).map(|time| run(n, "s", time))).collect::<Vec<_>>()
    };
    let verdicts = |cells| {
        let comparison = compared(sweep(cells, 0), sweep(cells, 1));
        (comparison.ratios[0].verdict, comparison.regressions(5.0).count())
    };
    // Five runs against five give p = 2 / C(10, 5) = 0.0079 at best: six cells are too many.
    assert_eq!((verdicts(6), verdicts(7)), (("slower", 1), ("unknown", 0)));
    let p = |cells| compared(sweep(cells, 0), sweep(cells, 1)).ratios[0].p_holm;
    assert!(p(6).is_some_and(|p| (p - 12.0 / 252.0).abs() < 1e-12));
    assert_eq!(p(7), None, "among seven cells, five runs can show nothing");
}

/// Two of five runs were stopped: the median is the slowest answered one, and the interval has no upper end.
#[test]
fn a_run_that_a_limit_stopped_is_longer_than_all_others() {
    let limited = |times: [u64; 5], limit: u64| {
        let with = |mut row: Row| {
            row.time_limit_ns = Some(limit);
            if row.solve_ns > Some(limit) {
                (row.status, row.verdict, row.solve_ns) = (Status::Timeout, Verdict::Unchecked, None);
            }
            row
        };
        runs(&times).into_iter().map(with).collect::<Vec<_>>()
    };
    let comparison = compared(limited(OLD, 2000), limited([1500, 1600, 1700, 9000, 9000], 2000));
    let [ratio] = &comparison.ratios[..] else { panic!("one cell") };
    assert_eq!((ratio.verdict, ratio.runs, ratio.stopped), ("slower", [5, 5], [0, 2]));
    assert_eq!(
        (ratio.median_ns, ratio.ci95.map(|interval| interval.high)),
        ([1020, 1700], Some(f64::INFINITY))
    );
    assert_eq!(
        (comparison.regressions(5.0).count(), comparison.overall, comparison.lost.len()),
        (1, None, 0)
    );
    // The median is not known: the cell is lost, and there is no ratio.
    let lost = compared(limited(OLD, 2000), limited([1500, 1600, 9000, 9000, 9000], 2000));
    assert_eq!((lost.ratios.len(), lost.lost.len()), (0, 1));
    // A run that was stopped after 1.8 µs may have taken less than one that was answered in 1.9 µs.
    let other = compared(limited([1900; 5], 2000), limited([1000, 1000, 1000, 1000, 9000], 1800));
    assert_eq!(other.ratios, []);
}

#[test]
fn equal_faster_and_few_runs_are_no_regression() {
    let verdict = |old: &[u64], new: &[u64]| {
        let comparison = compared(runs(old), runs(new));
        assert_eq!(comparison.regressions(0.0).count(), 0);
        comparison.ratios[0].verdict
    };
    assert_eq!(verdict(&OLD, &OLD), "same");
    assert_eq!(verdict(&OLD, &OLD.map(|time| time / 2)), "faster");
    assert_eq!(verdict(&OLD[..4], &[5000; 4]), "unknown");
    // One slow run in five moves no median's interval as a whole.
    assert_eq!(verdict(&OLD, &[1000, 1010, 1020, 1030, 9000]), "same");
}

#[test]
fn an_answer_that_became_wrong_comes_first_and_one_that_was_mended_does_not() {
    let wrong = |row: Row| Row {
        verdict: Verdict::Wrong,
        solutions: Some(91),
        verdict_reason: Some("bad".into()),
        ..row
    };
    let comparison = compared(runs(&OLD), vec![wrong(run(8, "s", 5))]);
    assert_eq!(comparison.wrong.len(), 1);
    wording::assert_wording!("compare", "an answer that became wrong", comparison.wrong[0].what);
    assert_eq!(comparison.ratios, [], "the time of a wrong answer is no time");
    let mended = compared(vec![wrong(run(8, "s", 5))], runs(&OLD));
    assert_eq!((mended.wrong.len(), mended.changed.len()), (0, 0));
}

#[test]
fn two_complete_answers_that_differ_cannot_both_be_right_but_two_first_solutions_can() {
    let unchecked =
        |row: Row, digest: &str| Row { verdict: Verdict::Unchecked, digest: Some(digest.into()), ..row };
    let comparison = compared(vec![unchecked(run(30, "s", 5), "aa")], vec![unchecked(run(30, "s", 5), "bb")]);
    assert_eq!((comparison.wrong.len(), comparison.changed.len()), (1, 0));
    wording::assert_wording!("compare", "two answers that differ", comparison.wrong[0].what);
    let first =
        |digest| vec![Row { goal: Goal::First, status: Status::Sat, ..unchecked(run(30, "s", 5), digest) }];
    let comparison = compared(first("aa"), first("bb"));
    assert_eq!((comparison.wrong.len(), comparison.changed.len()), (0, 1));
    wording::assert_wording!("compare", "two first solutions", comparison.changed[0].what);
}

#[test]
fn counts_that_changed_cells_that_were_lost_and_cells_of_one_side_are_listed() {
    let counted =
        |nodes| Row { kind: Kind::Counting, stats: [(Stat::Nodes, nodes)].into(), ..run(8, "s", 1) };
    let timeout =
        |n| Row { status: Status::Timeout, solve_ns: None, verdict: Verdict::Unchecked, ..run(n, "s", 1) };
    let old = vec![counted(2057), run(8, "s", 5), run(9, "s", 5), timeout(10), run(11, "s", 5)];
    let new = vec![counted(2056), run(8, "s", 5), timeout(9), run(10, "s", 5), run(12, "s", 5)];
    let comparison = compared(old, new);
    let [changed] = &comparison.changed[..] else { panic!("one: {:?}", comparison.changed) };
    assert!(changed.cell.n == 8 && changed.what.contains("2057") && changed.what.contains("2056"));
    wording::assert_wording!(
        "compare",
        "a count that changed",
        format!("{}: {}", changed.cell, changed.what)
    );
    let ended = |changes: &[Change<'_>]| {
        changes.iter().map(|change| (change.cell.n, change.what.clone())).collect::<Vec<_>>()
    };
    assert_eq!(ended(&comparison.lost), [(9, "timeout".to_owned())]);
    assert_eq!(ended(&comparison.gained), [(10, "timeout".to_owned())]);
    let sizes = |cells: &[Cell<'_>]| cells.iter().map(|cell| cell.n).collect::<Vec<_>>();
    assert_eq!((sizes(&comparison.only_first), sizes(&comparison.only_second)), (vec![11], vec![12]));
}

#[test]
fn every_deterministic_column_is_looked_at() {
    for name in deterministic() {
        let with = |value: u64| {
            let mut row = run(8, "s", 5);
            match name {
                "digest" => row.digest = Some(value.to_string()),
                "solutions" => row.solutions = Some(value),
                _ => row.stats.set(Stat::named(name).expect("a statistic"), value),
            }
            row
        };
        let comparison = compared(vec![with(1)], vec![with(2)]);
        let found = [&comparison.wrong[..], &comparison.changed].concat();
        assert!(found.iter().any(|change| change.what.contains(&format!("{name}: 1,"))), "{name}: {found:?}");
    }
}

#[test]
fn which_of_several_threads_finds_the_first_solution_is_no_difference() {
    let first = |threads: usize, nodes: u64, board: &str| {
        let mut row = Row { goal: Goal::First, status: Status::Sat, threads, ..run(8, "s", 5) };
        (row.solutions, row.digest) = (Some(1), Some(board.to_owned()));
        row.stats.set(Stat::Nodes, Some(nodes));
        row
    };
    let changes =
        |threads| compared(vec![first(threads, 1, "a")], vec![first(threads, 2, "b")]).changed.len();
    assert_eq!((changes(1), changes(2)), (2, 0));
}

#[test]
fn cells_of_one_side_only_are_no_agreement() {
    let counted = |nodes: Option<u64>| {
        let mut row = Row { kind: Kind::Counting, ..run(8, "s", 1) };
        row.stats.set(Stat::Nodes, nodes);
        row
    };
    let timeout = |row: Row| Row { status: Status::Timeout, verdict: Verdict::Unchecked, ..row };
    let one_sided = |comparison: &Comparison<'_>| comparison.one_sided.len();
    let assert_shown = |key: &str, comparison: &Comparison<'_>| {
        wording::assert_wording!("compare", &format!("one-sided: {key}"), comparison.one_sided[0].what);
    };
    let same = compared(vec![counted(Some(5)), run(8, "s", 5)], vec![counted(Some(5)), run(8, "s", 5)]);
    assert_eq!((one_sided(&same), same.compared), (0, 1));
    let lost = compared(vec![counted(Some(5)), run(8, "s", 5)], vec![timeout(counted(None)), run(8, "s", 5)]);
    assert_eq!((one_sided(&lost), lost.compared), (1, 1));
    assert_shown("the counting run", &lost);
    let blanked = compared(vec![counted(None)], vec![counted(Some(5))]);
    assert_eq!(one_sided(&blanked), 1);
    assert_shown("a count", &blanked);
    // All timed runs of one side: these are reported as lost.
    let none = compared(runs(&OLD), vec![timeout(run(8, "s", 5))]);
    assert_eq!((one_sided(&none), none.lost.len(), none.compared), (0, 1, 0));
    let some = compared(vec![run(8, "s", 5), timeout(run(8, "s", 5))], vec![timeout(run(8, "s", 5))]);
    assert_eq!((one_sided(&some), some.compared), (1, 0));
    assert_shown("timed runs", &some);
}

#[test]
fn levels_are_compared_where_both_have_the_cell() {
    let level = |level, nodes| LevelRow {
        schema_version: SCHEMA_VERSION,
        cell_id: "c".into(),
        n: 8,
        variant: "queens".into(),
        solver: "s".into(),
        level,
        nodes,
        dead_ends: 0,
        expected_nodes: None,
        expected_source: None,
    };
    let with = |levels: &[LevelRow]| Stored { levels: levels.to_vec(), ..stored(runs(&OLD)) };
    let (old, new) = (with(&[level(0, 1), level(1, 8)]), with(&[level(0, 1), level(1, 7), level(2, 3)]));
    let comparison = Comparison::of(&old, &new);
    assert_eq!((comparison.changed.len(), comparison.one_sided.len()), (1, 1));
    for (key, change, level) in
        [("changed", &comparison.changed[0], "level 1:"), ("one-sided", &comparison.one_sided[0], "level 2:")]
    {
        assert!(change.what.starts_with(level), "{}", change.what);
        wording::assert_wording!("compare", &format!("a level: {key}"), change.what);
    }
}
