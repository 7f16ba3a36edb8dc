use super::*;
use crate::record::{Kind, Row, Status, Verdict};
use crate::solver::{Goal, Stat};

fn run(n: usize, solver: &str, time: u64) -> Row {
    let row = Row::skipped("r", "c", n, Goal::Enumerate, solver);
    Row {
        status: Status::Complete,
        verdict: Verdict::Correct,
        solve_ns: Some(time),
        solutions: Some(92),
        digest: Some("aa".into()),
        ..row
    }
}

fn stored_results(rows: Vec<Row>) -> StoredResults {
    StoredResults { rows, ..StoredResults::default() }
}

fn runs(times: &[u64]) -> Vec<Row> {
    (1..).zip(times).map(|(repetition, &time)| Row { repetition, ..run(8, "s", time) }).collect()
}

fn comparison_of(old: Vec<Row>, new: Vec<Row>) -> Comparison<'static> {
    let [old, new] = [old, new].map(|rows| Box::leak(Box::new(stored_results(rows))));
    Comparison::of(old, new, 5.0)
}

const OLD_TIMES: [u64; 5] = [1000, 1010, 1020, 1030, 1040];

/// A result with a known machine.
fn result_on_machine(rows: Vec<Row>, host: &str) -> StoredResults {
    let meta = serde_json::json!({
        "schema_version": SCHEMA_VERSION, "queenlab_version": "", "executable_sha256": "", "rustc": "", "target": "",
        "target_features": "", "solvers": {}, "sessions": [], "warnings": [],
        "machine": {"host": host, "os": "", "kernel": "", "cpu_model": "", "cores": 1},
    });
    StoredResults { meta: Some(serde_json::from_value(meta).expect("every key")), ..stored_results(rows) }
}

/// The decision of a gate with this tolerance in percent for two results of one machine.
fn gate(old: Vec<Row>, new: Vec<Row>, percent: f64) -> Gate<'static> {
    let [old, new] = [old, new].map(|rows| Box::leak(Box::new(result_on_machine(rows, "m"))));
    Comparison::of(old, new, percent).gate()
}

fn is_undecided(gate: &Gate<'_>) -> bool {
    matches!(gate, Gate::Undecided(_))
}

#[test]
fn cell_is_slower_if_whole_interval_exceeds_one() {
    let (old, new) = (runs(&OLD_TIMES), runs(&OLD_TIMES.map(|time| time * 11 / 10)));
    let comparison = comparison_of(old.clone(), new.clone());
    let [CellRatio { time, p_holm, median_ns, .. }] = &comparison.ratios[..] else { panic!("one cell") };
    assert_eq!((time.verdict, time.runs, *median_ns), (TimeVerdict::Slower, [5, 5], [1020, 1122]));
    assert!((time.ratio.low - 1.1).abs() < 1e-9 && p_holm.is_some_and(|p| p < 0.01));
    let interval = time.ci95.expect("five runs");
    assert!((1.05..1.1).contains(&interval.low) && (1.1..1.15).contains(&interval.high), "{interval:?}");
    let [solver] = &comparison.solvers[..] else { panic!("one solver") };
    assert_eq!((solver.key.solver.as_str(), &solver.sizes, &solver.time), ("s", &[8].into(), time));
    assert_eq!(comparison.overall.map(|overall| (overall.cells, overall.time)), Some((1, time.clone())));
    assert_eq!(gate(old.clone(), new.clone(), 5.0), Gate::Regression);
    assert!(is_undecided(&gate(old.clone(), new.clone(), 10.0)), "the interval contains the bound");
    assert_eq!(gate(old, new, 20.0), Gate::Passed);
}

#[test]
fn verdict_depends_on_where_the_whole_interval_lies() {
    let verdict = |new: &[u64]| {
        let comparison = comparison_of(runs(&OLD_TIMES), runs(new));
        let solver = comparison.solvers[0].time.clone();
        assert_eq!(comparison.ratios[0].time.verdict, solver.verdict, "one cell");
        (solver.verdict, solver.runs_needed)
    };
    assert_eq!(verdict(&OLD_TIMES), (TimeVerdict::Within, None));
    assert_eq!(verdict(&OLD_TIMES.map(|time| time / 2)), (TimeVerdict::Faster, None));
    // The second result is slower by 1 %. The interval is within 5 % and excludes 1, so the verdict is "slower".
    let equal_times = [1000; 5];
    let slower_result = comparison_of(runs(&equal_times), runs(&equal_times.map(|time| time * 101 / 100)));
    assert_eq!(slower_result.solvers[0].time.verdict, TimeVerdict::Slower);
    let (wide_verdict, runs_needed) = verdict(&[900, 950, 1020, 1100, 1150]);
    assert_eq!(wide_verdict, TimeVerdict::Undecided);
    assert!(runs_needed.is_some_and(|runs| (6..200).contains(&runs)), "{runs_needed:?}");
    // Three runs of each result give no interval; four give one.
    let three_runs = comparison_of(runs(&OLD_TIMES[..3]), runs(&[5000; 3]));
    let three_runs = &three_runs.solvers[0].time;
    assert_eq!(
        (three_runs.verdict, three_runs.ci95, three_runs.runs_needed),
        (TimeVerdict::Undecided, None, Some(4))
    );
}

#[test]
fn intervals_are_corrected_for_number_of_solvers() {
    let sweep = |solvers: usize| {
        let runs_of = |solver: &str| {
            runs(&OLD_TIMES[..4])
                .into_iter()
                .map(|row| Row { solver: solver.into(), ..row })
                .collect::<Vec<_>>()
        };
        ["a", "b", "c"][..solvers].iter().flat_map(|solver| runs_of(solver)).collect::<Vec<_>>()
    };
    let runs_needed_without_interval = |solvers| {
        let comparison = comparison_of(sweep(solvers), sweep(solvers));
        assert_eq!(comparison.solvers.len(), solvers);
        comparison.solvers[0].time.ci95.is_none().then_some(comparison.solvers[0].time.runs_needed)
    };
    // Four runs against four give p = 2 / C(8, 4) = 0.029 at best, and five 2 / C(10, 5) = 0.0079.
    assert_eq!([1, 2].map(runs_needed_without_interval), [None, Some(Some(5))]);
}

/// The noise of a round is common to its sizes, and the noise of single sizes cancels in the mean.
#[test]
fn solver_ratio_uses_mean_times_of_complete_rounds() {
    let row = |n: usize, round: usize, time: u64| Row { repetition: round as u32, ..run(n, "s", time) };
    let drift = [100, 140, 110, 170, 120, 150, 130_u64];
    let sweep = |factor: u64| -> Vec<Row> {
        let rounds = (1..).zip(drift);
        // Size 9 is fast where size 8 is slow: their product is always the same.
        rounds
            .flat_map(|(round, time)| [row(8, round, time * factor), row(9, round, 182_000 * factor / time)])
            .collect()
    };
    let comparison = comparison_of(sweep(10_000), sweep(10_300));
    let [cell, _] = &comparison.ratios[..] else { panic!("two cells") };
    assert_eq!(cell.time.verdict, TimeVerdict::Undecided);
    let solver = &comparison.solvers[0];
    assert_eq!((solver.time.verdict, &solver.sizes), (TimeVerdict::Slower, &[8, 9].into()));
    assert!((solver.time.ratio.low - 1.03).abs() < 1e-3, "{solver:?}");
    // A round with a missing run is not used.
    let mut new_rows = sweep(10_300);
    new_rows.pop();
    assert_eq!(comparison_of(sweep(10_000), new_rows).solvers[0].time.runs, [7, 6]);
    // Sizes with times below 0.1 ms are not used if other sizes have longer times.
    let add_short_times = |mut rows: Vec<Row>| {
        rows.extend((1..8).map(|round| row(4, round, 10_000 * round as u64)));
        rows
    };
    let comparison_with_short_times =
        comparison_of(add_short_times(sweep(10_000)), add_short_times(sweep(10_300)));
    assert_eq!(
        (comparison_with_short_times.ratios.len(), &comparison_with_short_times.solvers[0].sizes),
        (3, &[8, 9].into())
    );
}

#[test]
fn p_values_are_corrected_for_the_cell_count() {
    let sweep = |cells: usize, slow: usize| {
        let times = |n: usize| OLD_TIMES.map(|time| if n < slow { time * 11 / 10 } else { time });
        let runs_of_size = |n: usize| runs(&times(n)).into_iter().map(move |row| Row { n, ..row });
        (0..cells).flat_map(runs_of_size).collect::<Vec<_>>()
    };
    let verdict = |cells| comparison_of(sweep(cells, 0), sweep(cells, 1)).ratios[0].time.verdict;
    // Five runs against five give p = 2 / C(10, 5) = 0.0079 at best, which is significant among six cells but not among seven.
    assert_eq!([6, 7].map(verdict), [TimeVerdict::Slower, TimeVerdict::Undecided]);
    let p = |cells| comparison_of(sweep(cells, 0), sweep(cells, 1)).ratios[0].p_holm;
    assert!(p(6).is_some_and(|p| (p - 12.0 / 252.0).abs() < 1e-12));
    assert_eq!(p(7), None, "among seven cells, five runs are never significant");
}

/// Two of five runs were stopped, so the median is the slowest answered run, and the interval has no upper end.
#[test]
fn stopped_run_ranks_after_all_finished_runs() {
    let limited_runs = |times: [u64; 5], limit: u64| {
        let with_limit = |mut row: Row| {
            row.time_limit_ns = Some(limit);
            if row.solve_ns > Some(limit) {
                (row.status, row.verdict, row.solve_ns) = (Status::Timeout, Verdict::Unchecked, None);
            }
            row
        };
        runs(&times).into_iter().map(with_limit).collect::<Vec<_>>()
    };
    let (old, new) = (limited_runs(OLD_TIMES, 2000), limited_runs([1500, 1600, 1700, 9000, 9000], 2000));
    let comparison = comparison_of(old.clone(), new.clone());
    let [ratio] = &comparison.ratios[..] else { panic!("one cell") };
    assert_eq!((ratio.time.verdict, ratio.time.runs, ratio.stopped), (TimeVerdict::Slower, [5, 5], [0, 2]));
    let upper_end = ratio.time.ci95.map(|interval| interval.high);
    assert_eq!((ratio.median_ns, upper_end, comparison.lost.len()), ([1020, 1700], Some(f64::INFINITY), 0));
    assert_eq!(gate(old.clone(), new, 5.0), Gate::Regression);
    // If the median is unknown, the cell is lost and has no ratio.
    let unknown_median = comparison_of(old, limited_runs([1500, 1600, 9000, 9000, 9000], 2000));
    assert_eq!(
        (unknown_median.ratios.len(), unknown_median.lost.len(), unknown_median.gate()),
        (0, 1, Gate::Regression)
    );
    // A run that was stopped after 1.8 µs may have taken less than one that was answered in 1.9 µs.
    let different_limits =
        comparison_of(limited_runs([1900; 5], 2000), limited_runs([1000, 1000, 1000, 1000, 9000], 1800));
    assert_eq!(different_limits.ratios, []);
}

#[test]
fn results_of_different_machines_are_undecided_unless_slower() {
    let (first, second) =
        (result_on_machine(runs(&OLD_TIMES), "a"), result_on_machine(runs(&OLD_TIMES), "b"));
    let slower_result = result_on_machine(runs(&OLD_TIMES.map(|time| time * 2)), "b");
    assert_eq!(Comparison::of(&first, &first, 5.0).gate(), Gate::Passed);
    let different_machines = Gate::Undecided(vec![Undecided::DifferentMachines]);
    assert_eq!(Comparison::of(&first, &second, 5.0).gate(), different_machines);
    assert_eq!(Comparison::of(&first, &slower_result, 5.0).gate(), Gate::Regression);
    let unknown_machine = stored_results(runs(&OLD_TIMES));
    assert_eq!(Comparison::of(&first, &unknown_machine, 5.0).gate(), different_machines);
}

#[test]
fn series_of_one_sweep_are_compared_within_rounds() {
    // The machine is slower in some rounds by far more than the two series differ.
    let drift = [100_000, 300_000, 150_000, 700_000, 120_000, 500_000, 90_000_u64];
    let rounds = |solver: &'static str, factor: u64| {
        let row = move |(round, time): (u32, u64)| Row {
            round,
            repetition: round,
            ..run(8, solver, time * factor / 100 + u64::from(round))
        };
        (1..).zip(drift).map(row)
    };
    let sweep = |factor| stored_results(rounds("old", 100).chain(rounds("new", factor)).collect());
    let slower_sweep = sweep(107);
    let comparison = Comparison::of_series(&slower_sweep, "new", "old", 5.0).expect("two series");
    let [solver] = &comparison.solvers[..] else { panic!("one series") };
    assert_eq!(
        (solver.key.solver.as_str(), solver.time.runs, solver.time.verdict),
        ("new", [7, 7], TimeVerdict::Slower)
    );
    assert_eq!(comparison.gate(), Gate::Regression);
    let comparison_as_results = Comparison::of(&slower_sweep, &slower_sweep, 5.0);
    assert_eq!(
        comparison_as_results.solvers[0].time.verdict,
        TimeVerdict::Undecided,
        "as independent samples, the times are too noisy"
    );
    let equal_series = sweep(100);
    assert_eq!(
        Comparison::of_series(&equal_series, "new", "old", 5.0).expect("two series").gate(),
        Gate::Passed
    );
    let error =
        |of, baseline| Comparison::of_series(&equal_series, of, baseline, 5.0).expect_err("no comparison");
    assert!(matches!(error("none", "old"), SeriesError::Unknown { series, .. } if series == ["new", "old"]));
    assert_eq!(error("old", "old"), SeriesError::Same("old".into(), "old".into()));
}

/// Different answers of two programs contradict each other, but different numbers of nodes do not.
#[test]
fn series_contradict_each_other_only_by_different_answers() {
    let counting_run = |solver: &str, digest: &str, nodes| {
        let stats = [(Stat::Nodes, nodes)].into();
        let (digest, verdict) = (Some(digest.into()), Verdict::Unchecked);
        vec![run(8, solver, 5), Row { kind: Kind::Counting, stats, digest, verdict, ..run(8, solver, 1) }]
    };
    let wrong_and_changed = |digest| {
        let both_series =
            stored_results([counting_run("old", "aa", 1), counting_run("new", digest, 2)].concat());
        let comparison = Comparison::of_series(&both_series, "new", "old", 5.0).expect("two series");
        (comparison.wrong.len(), comparison.changed.len())
    };
    assert_eq!([wrong_and_changed("aa"), wrong_and_changed("bb")], [(0, 0), (1, 0)]);
}

#[test]
fn answer_that_became_wrong_is_reported() {
    let wrong_row = |row: Row| Row {
        verdict: Verdict::Wrong,
        solutions: Some(91),
        verdict_reason: Some("bad".into()),
        ..row
    };
    let comparison = comparison_of(runs(&OLD_TIMES), vec![wrong_row(run(8, "s", 5))]);
    assert_eq!(comparison.wrong.len(), 1);
    wording::assert_wording!("compare", "an answer that became wrong", comparison.wrong[0].what);
    assert_eq!(comparison.ratios, [], "the time of a wrong answer is not compared");
    let comparison_with_correct = comparison_of(vec![wrong_row(run(8, "s", 5))], runs(&OLD_TIMES));
    assert_eq!((comparison_with_correct.wrong.len(), comparison_with_correct.changed.len()), (0, 0));
}

#[test]
fn different_complete_answers_are_reported_as_wrong() {
    let unchecked_row =
        |row: Row, digest: &str| Row { verdict: Verdict::Unchecked, digest: Some(digest.into()), ..row };
    let comparison =
        comparison_of(vec![unchecked_row(run(30, "s", 5), "aa")], vec![unchecked_row(run(30, "s", 5), "bb")]);
    assert_eq!((comparison.wrong.len(), comparison.changed.len()), (1, 0));
    wording::assert_wording!("compare", "two answers that differ", comparison.wrong[0].what);
    let first_solution = |digest| {
        vec![Row { goal: Goal::First, status: Status::Sat, ..unchecked_row(run(30, "s", 5), digest) }]
    };
    let comparison = comparison_of(first_solution("aa"), first_solution("bb"));
    assert_eq!((comparison.wrong.len(), comparison.changed.len()), (0, 1));
    wording::assert_wording!("compare", "two first solutions", comparison.changed[0].what);
}

#[test]
fn changed_counts_and_unmatched_cells_are_listed() {
    let counting_run =
        |nodes| Row { kind: Kind::Counting, stats: [(Stat::Nodes, nodes)].into(), ..run(8, "s", 1) };
    let timeout =
        |n| Row { status: Status::Timeout, solve_ns: None, verdict: Verdict::Unchecked, ..run(n, "s", 1) };
    let old_rows = vec![counting_run(2057), run(8, "s", 5), run(9, "s", 5), timeout(10), run(11, "s", 5)];
    let new_rows = vec![counting_run(2056), run(8, "s", 5), timeout(9), run(10, "s", 5), run(12, "s", 5)];
    let comparison = comparison_of(old_rows, new_rows);
    let [changed] = &comparison.changed[..] else { panic!("one: {:?}", comparison.changed) };
    assert!(changed.cell.n == 8 && changed.what.contains("2057") && changed.what.contains("2056"));
    wording::assert_wording!(
        "compare",
        "a count that changed",
        format!("{}: {}", changed.cell, changed.what)
    );
    let statuses = |changes: &[CellChange<'_>]| {
        changes.iter().map(|change| (change.cell.n, change.what.clone())).collect::<Vec<_>>()
    };
    assert_eq!(statuses(&comparison.lost), [(9, "timeout".to_owned())]);
    assert_eq!(statuses(&comparison.gained), [(10, "timeout".to_owned())]);
    let sizes = |cells: &[ReportCell<'_>]| cells.iter().map(|cell| cell.n).collect::<Vec<_>>();
    assert_eq!((sizes(&comparison.only_first), sizes(&comparison.only_second)), (vec![11], vec![12]));
}

#[test]
fn change_in_any_deterministic_column_is_reported() {
    for name in compared_columns() {
        let row_with_value = |value: u64| {
            let mut row = run(8, "s", 5);
            match name {
                "digest" => row.digest = Some(value.to_string()),
                "solutions" => row.solutions = Some(value),
                _ => row.stats.set(Stat::named(name).expect("a statistic"), value),
            }
            row
        };
        let comparison = comparison_of(vec![row_with_value(1)], vec![row_with_value(2)]);
        let changes = [&comparison.wrong[..], &comparison.changed].concat();
        assert!(
            changes.iter().any(|change| change.what.contains(&format!("{name}: 1,"))),
            "{name}: {changes:?}"
        );
    }
}

#[test]
fn first_solutions_of_several_threads_may_differ() {
    let first_solution = |threads: usize, nodes: u64, board: &str| {
        let mut row = Row { goal: Goal::First, status: Status::Sat, threads, ..run(8, "s", 5) };
        (row.solutions, row.digest) = (Some(1), Some(board.to_owned()));
        row.stats.set(Stat::Nodes, Some(nodes));
        row
    };
    let changes = |threads| {
        comparison_of(vec![first_solution(threads, 1, "a")], vec![first_solution(threads, 2, "b")])
            .changed
            .len()
    };
    assert_eq!((changes(1), changes(2)), (2, 0));
}

#[test]
fn answers_missing_from_one_result_are_listed() {
    let counting_run = |nodes: Option<u64>| {
        let mut row = Row { kind: Kind::Counting, ..run(8, "s", 1) };
        row.stats.set(Stat::Nodes, nodes);
        row
    };
    let timeout = |row: Row| Row { status: Status::Timeout, verdict: Verdict::Unchecked, ..row };
    let one_sided = |comparison: &Comparison<'_>| comparison.one_sided.len();
    let assert_text = |key: &str, comparison: &Comparison<'_>| {
        wording::assert_wording!("compare", &format!("one-sided: {key}"), comparison.one_sided[0].what);
    };
    let equal_results = comparison_of(
        vec![counting_run(Some(5)), run(8, "s", 5)],
        vec![counting_run(Some(5)), run(8, "s", 5)],
    );
    assert_eq!((one_sided(&equal_results), equal_results.compared), (0, 1));
    let without_counting_run = comparison_of(
        vec![counting_run(Some(5)), run(8, "s", 5)],
        vec![timeout(counting_run(None)), run(8, "s", 5)],
    );
    assert_eq!((one_sided(&without_counting_run), without_counting_run.compared), (1, 1));
    assert_text("the counting run", &without_counting_run);
    let without_count = comparison_of(vec![counting_run(None)], vec![counting_run(Some(5))]);
    assert_eq!(one_sided(&without_count), 1);
    assert_text("a count", &without_count);
    // If all timed runs of the second result are unanswered, the cell is lost instead.
    let without_timed_runs = comparison_of(runs(&OLD_TIMES), vec![timeout(run(8, "s", 5))]);
    assert_eq!(
        (one_sided(&without_timed_runs), without_timed_runs.lost.len(), without_timed_runs.compared),
        (0, 1, 0)
    );
    let without_one_run =
        comparison_of(vec![run(8, "s", 5), timeout(run(8, "s", 5))], vec![timeout(run(8, "s", 5))]);
    assert_eq!((one_sided(&without_one_run), without_one_run.compared), (1, 0));
    assert_text("timed runs", &without_one_run);
}

#[test]
fn levels_are_compared_in_cells_of_both_results() {
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
    let result_with_levels =
        |levels: &[LevelRow]| StoredResults { levels: levels.to_vec(), ..stored_results(runs(&OLD_TIMES)) };
    let (old, new) = (
        result_with_levels(&[level(0, 1), level(1, 8)]),
        result_with_levels(&[level(0, 1), level(1, 7), level(2, 3)]),
    );
    let comparison = Comparison::of(&old, &new, 5.0);
    assert_eq!((comparison.changed.len(), comparison.one_sided.len()), (1, 1));
    for (key, change, level) in
        [("changed", &comparison.changed[0], "level 1:"), ("one-sided", &comparison.one_sided[0], "level 2:")]
    {
        assert!(change.what.starts_with(level), "{}", change.what);
        wording::assert_wording!("compare", &format!("a level: {key}"), change.what);
    }
}
