//! Tests of the verdicts of claims.

use serde_json::{Value, json};

use super::*;
use crate::record::Row;
use crate::report::fixture::{run, unanswered_run};
use crate::report::{ReportPart, runs};
use crate::solver::Goal;
use crate::solver::Stat;
use crate::spec::claim::tests::claim_with;

/// Rounds of a solver at a size.
fn rounds(n: usize, solver: &str, times: &[u64]) -> Vec<Row> {
    (1..).zip(times).map(|(round, &time)| Row { round, repetition: round, ..run(n, solver, time) }).collect()
}

/// A counting run with the correct number of solutions.
fn counting_run(n: usize, solver: &str, nodes: u64) -> Row {
    let stats = [(Stat::Nodes, nodes)].into();
    Row { kind: Kind::Counting, solutions: published::solutions(n), stats, ..run(n, solver, 1) }
}

fn judge_claim(rows: &[Row], claim: &Value) -> ClaimRow {
    let mut table = claim.as_object().expect("a table").clone();
    table.insert("says".to_owned(), "a".into());
    let claim = claim_with(&table.into());
    let source = ReportData { claims: Some(&[claim]), ..ReportData::of_rows(rows) };
    judge(&source, &runs(&source.parts)).remove(0).1
}

/// Returns the verdict, and the numbers in the texts of the observation and of the reason. Compares these texts with the
/// snapshot `key`.
#[track_caller]
fn explain(key: &str, rows: &[Row], claim: &Value) -> (ClaimVerdict, Vec<f64>, Vec<f64>) {
    let row = judge_claim(rows, claim);
    let [observed, reason] = [row.observed, row.counterexample].map(Option::unwrap_or_default);
    let lines = [("observed", &observed), ("reason", &reason)];
    let texts = lines.iter().filter(|(_, text)| !text.is_empty());
    let lines: Vec<String> = texts.map(|(name, text)| format!("{name}: {text}")).collect();
    wording::assert_wording!("claims", key, lines.join("\n"));
    (row.verdict, numbers(&observed), numbers(&reason))
}

fn numbers(text: &str) -> Vec<f64> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !".-".contains(c));
    words.filter_map(|word| word.parse().ok()).collect()
}

/// The value that [`explain`] must return.
fn expected_explanation(
    verdict: ClaimVerdict,
    observed: &[f64],
    reason: &[f64],
) -> (ClaimVerdict, Vec<f64>, Vec<f64>) {
    (verdict, observed.to_vec(), reason.to_vec())
}

#[test]
fn claim_about_counts_is_decided_or_lacks_runs() {
    let rows: Vec<Row> = (5..8)
        .flat_map(|n| {
            [counting_run(n, "fc", [10, 20, 45][n - 5]), counting_run(n, "bt", [20, 30, 40][n - 5])]
        })
        .collect();
    let claim =
        |n: &str| json!({"measure": "nodes", "of": "fc", "compared_with": "bt", "ratio": "< 1", "n": n});
    assert_eq!(
        explain("counts: holds", &rows, &claim("5-6")),
        expected_explanation(ClaimVerdict::Holds, &[0.5, 0.67], &[])
    );
    let failing_claim = explain("counts: fails", &rows, &claim("5-7"));
    assert_eq!(
        failing_claim,
        expected_explanation(ClaimVerdict::Fails, &[0.5, 1.12], &[7.0, 1.12, 45.0, 40.0])
    );
    // A counterexample refutes the claim even if values are missing at other sizes.
    assert_eq!(judge_claim(&rows, &claim("4-7")).verdict, ClaimVerdict::Fails);
    let missing_sizes = explain("counts: missing sizes", &rows, &claim("5-6,8-9"));
    assert_eq!(missing_sizes, expected_explanation(ClaimVerdict::Undecided, &[0.5, 0.67], &[8.0, 1.0]));
    let growth = json!({"measure": "nodes", "of": "bt", "growth_per_n": "1.2-1.405", "n": "5-7"});
    let growth = explain("counts: growth", &rows, &growth);
    // Computed by hand: the slope of three points at consecutive sizes is half the difference of the outer points.
    assert_eq!(growth, expected_explanation(ClaimVerdict::Fails, &[1.41], &[1.41, 20.0, 40.0]));
    let columns = json!({"measure": "updates", "of": "bt", "value": 1, "ratio": "< 1", "n": "5"});
    let columns = explain("counts: a missing column", &rows, &columns);
    assert_eq!(columns, expected_explanation(ClaimVerdict::Undecided, &[], &[5.0]));
}

#[test]
fn published_numbers_and_exact_values_are_compared_exactly() {
    let rows = [counting_run(8, "bt", 2057), counting_run(9, "bt", 8393), counting_run(14, "bt", 1)];
    let nodes =
        |n: &str| json!({"measure": "nodes", "of": "bt", "published": "A319283", "equal": true, "n": n});
    assert_eq!(
        explain("published: holds", &rows, &nodes("8")),
        expected_explanation(ClaimVerdict::Holds, &[0.0], &[])
    );
    let different_number = explain("published: fails", &rows, &nodes("8-9"));
    assert_eq!(
        different_number,
        expected_explanation(ClaimVerdict::Fails, &[-1.0, 0.0], &[9.0, 8393.0, 8394.0])
    );
    let unknown_term = explain("published: an unknown term", &rows, &nodes("14"));
    assert_eq!(unknown_term, expected_explanation(ClaimVerdict::Undecided, &[], &[14.0]));
    let solutions =
        json!({"measure": "solutions", "of": "bt", "published": "A000170", "equal": true, "n": "8-9"});
    assert_eq!(judge_claim(&rows, &solutions).verdict, ClaimVerdict::Holds);
}

/// A counting run with a seed.
fn run_with_seed(n: usize, solver: &str, seed: u64, repairs: u64) -> Row {
    let stats = [(Stat::Repairs, repairs)].into();
    Row { seed, stats, ..counting_run(n, solver, 0) }
}

#[test]
fn counts_of_several_seeds_are_means_with_intervals() {
    let rows: Vec<Row> = (1..=9)
        .flat_map(|seed| {
            [run_with_seed(10, "lucky", seed, 46 + seed), run_with_seed(20, "lucky", seed, 92 + 2 * seed)]
        })
        .collect();
    let claim =
        |bound: &str| json!({"measure": "repairs", "of": "lucky", "value": 50, "ratio": bound, "n": "10"});
    // The mean is 51, its standard error 0.913, and t of 8 degrees of freedom 2.306.
    assert_eq!(
        explain("seeds: holds", &rows, &claim("0.9-1.1")),
        expected_explanation(ClaimVerdict::Holds, &[1.02], &[])
    );
    let interval_across_bound = explain("seeds: an interval across the bound", &rows, &claim("> 1"));
    let reason = [10.0, 1.02, 51.0, 9.0, 50.0, 95.0, 0.98, 1.06];
    assert_eq!(interval_across_bound, expected_explanation(ClaimVerdict::Undecided, &[1.02], &reason));
    assert_eq!(judge_claim(&rows, &claim("> 1.2")).verdict, ClaimVerdict::Fails);
    let claim_with_shift = json!({"measure": "repairs", "of": "lucky", "compared_with": "lucky", "shift": 10,
        "ratio": "0.4-0.6", "n": "10"});
    assert_eq!(
        explain("seeds: shifted", &rows, &claim_with_shift),
        expected_explanation(ClaimVerdict::Holds, &[0.5], &[])
    );
    let compared_solver = judge_claim(&rows, &claim_with_shift).compared_with.expect("a solver");
    assert!(
        compared_solver.starts_with("lucky ") && numbers(&compared_solver) == [10.0],
        "{compared_solver}"
    );
    wording::assert_wording!("claims", "seeds: another size", compared_solver);
    // Without the seeds that timed out, the mean would be too small.
    let timed_out_run =
        Row { kind: Kind::Counting, seed: 10, ..unanswered_run(10, "lucky", Status::Timeout) };
    let explanation =
        explain("seeds: one without an answer", &[rows, vec![timed_out_run]].concat(), &claim("0.9-1.1"));
    assert_eq!(explanation, expected_explanation(ClaimVerdict::Undecided, &[], &[10.0, 1.0, 10.0]));
}

#[test]
fn claim_about_most_sizes_requires_a_majority() {
    let rows: Vec<Row> = (4..9).map(|n| counting_run(n, "s", n as u64)).collect();
    let claim = |bound: &str, n: &str| json!({"measure": "nodes", "of": "s", "value": 1, "ratio": bound, "most": true, "n": n});
    let explanation = explain("most sizes: holds", &rows, &claim(">= 6", "4-8"));
    assert_eq!(explanation, expected_explanation(ClaimVerdict::Holds, &[4.0, 8.0, 3.0, 5.0], &[]));
    assert_eq!(judge_claim(&rows, &claim(">= 6", "4-7")).verdict, ClaimVerdict::Fails);
    // The claim holds at two of five sizes, and the value at one size is missing.
    let explanation = explain("most sizes: one is missing", &rows, &claim(">= 7", "5-9"));
    assert_eq!(explanation, expected_explanation(ClaimVerdict::Undecided, &[5.0, 8.0, 2.0, 5.0], &[9.0]));
}

/// The claim holds at four of five sizes. The value at the fifth size is missing or outside the bound.
#[test]
fn claim_about_share_of_sizes_needs_enough_sizes() {
    let rows: Vec<Row> = (4..9).map(|n| counting_run(n, "s", n as u64)).collect();
    let claim = |n: &str, most: f64| json!({"measure": "nodes", "of": "s", "value": 1, "ratio": ">= 5", "most": most, "n": n});
    let share = explain("a share of the sizes: holds", &rows, &claim("5-9", 0.8));
    assert_eq!(share, expected_explanation(ClaimVerdict::Holds, &[5.0, 8.0, 4.0, 5.0], &[]));
    assert_eq!(judge_claim(&rows, &claim("5-9", 0.81)).verdict, ClaimVerdict::Undecided);
    assert_eq!(judge_claim(&rows, &claim("4-8", 0.8)).verdict, ClaimVerdict::Holds);
    assert_eq!(judge_claim(&rows, &claim("4-8", 0.81)).verdict, ClaimVerdict::Fails);
}

#[test]
fn claim_must_name_problem_if_results_have_several() {
    let toroidal_run = Row { variant: "toroidal".into(), ..counting_run(7, "s", 5) };
    let rows = [counting_run(7, "s", 4), toroidal_run];
    let claim = |variant: Option<&str>| {
        let mut claim = json!({"measure": "nodes", "of": "s", "value": 5, "equal": true, "n": "7"});
        claim
            .as_object_mut()
            .expect("a table")
            .extend(variant.map(|text| ("variant".to_owned(), text.into())));
        claim
    };
    let toroidal = explain("several problems: one of them", &rows, &claim(Some("toroidal")));
    assert_eq!(toroidal, expected_explanation(ClaimVerdict::Holds, &[0.0], &[]));
    assert_eq!(judge_claim(&rows, &claim(Some("queens"))).verdict, ClaimVerdict::Fails);
    let all_problems = explain("several problems: all of them", &rows, &claim(None));
    assert_eq!(all_problems, expected_explanation(ClaimVerdict::Undecided, &[], &[7.0]));
}

#[test]
fn claim_about_times_holds_if_interval_is_inside() {
    let claim =
        |bound: &str| json!({"measure": "time", "of": "a", "compared_with": "b", "ratio": bound, "n": "8"});
    // The machine becomes slower from round to round, but the ratio is the same within each.
    let increasing_times = [1000, 2000, 4000, 8000, 16_000, 32_000];
    let rows =
        [rounds(8, "a", &increasing_times), rounds(8, "b", &increasing_times.map(|time| time * 21 / 20))]
            .concat();
    assert_eq!(
        explain("times: holds", &rows, &claim("< 1")),
        expected_explanation(ClaimVerdict::Holds, &[0.95], &[])
    );
    let failing_claim = explain("times: fails", &rows, &claim("> 1"));
    assert_eq!(
        failing_claim,
        expected_explanation(ClaimVerdict::Fails, &[0.95], &[8.0, 0.95, 95.0, 0.95, 0.95])
    );
    let noisy_rows =
        [rounds(8, "a", &increasing_times), rounds(8, "b", &[1100, 1900, 4100, 7900, 16_100, 31_000])]
            .concat();
    let (verdict, _, reason) = explain("times: noise", &noisy_rows, &claim("< 1"));
    let [n, _, level, low, high] = reason[..] else { panic!("a ratio with its interval: {reason:?}") };
    assert_eq!((verdict, n, level, low < 1.0, high > 1.0), (ClaimVerdict::Undecided, 8.0, 95.0, true, true));
    // One round of each solver has no interval.
    let single_round = [rounds(8, "a", &[1000]), rounds(8, "b", &[2000])].concat();
    assert_eq!(judge_claim(&single_round, &claim("< 1")).verdict, ClaimVerdict::Undecided);
    let without_common_round =
        [rounds(8, "a", &[1000]), vec![Row { round: 2, ..run(8, "b", 2000) }]].concat();
    let without_common_round = explain("times: no common round", &without_common_round, &claim("< 1"));
    assert_eq!(without_common_round, expected_explanation(ClaimVerdict::Undecided, &[], &[8.0]));
}

/// With more sizes, more of the 95 % intervals miss the true value by chance, so the verdict that a claim fails needs wider
/// intervals.
#[test]
fn claim_about_many_sizes_uses_wider_intervals() {
    let claim = |n: &str| json!({"measure": "time", "of": "a", "compared_with": "b", "ratio": "< 1", "n": n});
    let rows: Vec<Row> = (8..18)
        .flat_map(|n| {
            [rounds(n, "a", &[101, 102, 104, 110, 150, 300, 600]), rounds(n, "b", &[100; 7])].concat()
        })
        .collect();
    // Each 95 % interval is above 1, but the intervals with a confidence of 1 - 0.05 / 10 contain 1.
    assert_eq!(judge_claim(&rows, &claim("8")).verdict, ClaimVerdict::Fails);
    let (verdict, _, reason) = explain("times: many sizes", &rows, &claim("8-17"));
    assert_eq!((verdict, reason.first(), reason.last()), (ClaimVerdict::Undecided, Some(&8.0), Some(&9.0)));
}

#[test]
fn claims_about_growth_and_values_use_every_round() {
    let rows: Vec<Row> = (8..11)
        .flat_map(|n| rounds(n, "a", &[1000, 1010, 1020].map(|time| time * 5_u64.pow(n as u32 - 8))))
        .collect();
    let growth = |bound: &str, n: &str| json!({"measure": "time", "of": "a", "growth_per_n": bound, "n": n});
    for n in ["8-10", "8,10"] {
        let growth = explain(&format!("growth of times: {n}"), &rows, &growth("4.9-5.1", n));
        assert_eq!(growth, expected_explanation(ClaimVerdict::Holds, &[5.0], &[]));
    }
    assert_eq!(judge_claim(&rows, &growth("> 5.5", "8-10")).verdict, ClaimVerdict::Fails);
    let value = |bound: &str| json!({"measure": "time", "of": "a", "value": "1us", "ratio": bound, "n": "8"});
    assert_eq!(judge_claim(&rows, &value("0.9-1.1")).verdict, ClaimVerdict::Holds);
}

/// The fitted factor, 5.46206, was computed with a Python program that shares no code with this one.
#[test]
fn growth_is_fitted_within_rounds_over_all_sizes() {
    let times = [(8, 1000), (9, 6000), (10, 22_000), (12, 950_000)];
    // A disturbance of a whole round does not change the slope of the round.
    let rows: Vec<Row> = times
        .iter()
        .flat_map(|&(n, time)| rounds(n, "a", &[1, 2, 5, 3, 4, 6].map(|slow| slow * time)))
        .collect();
    let growth = |bound: &str| json!({"measure": "time", "of": "a", "growth_per_n": bound, "n": "8-10,12"});
    let fitted_growth = explain("growth of times: fitted", &rows, &growth("5.462-5.463"));
    assert_eq!(fitted_growth, expected_explanation(ClaimVerdict::Holds, &[5.46], &[]));
    // From one size to the next the factors are 6, 3.7 and 6.6.
    assert_eq!(judge_claim(&rows, &growth("3.7-5.4")).verdict, ClaimVerdict::Fails);
    let rows: Vec<Row> = rows.into_iter().filter(|row| (row.n, row.round) != (9, 2)).collect();
    assert_eq!(
        judge_claim(&rows, &growth("5.462-5.463")).verdict,
        ClaimVerdict::Holds,
        "the other five rounds decide"
    );
    // At n = 7, all rounds take 100 ns. At n = 8, all rounds are stopped after 1000 ns, so the growth is at least 10.
    let rows: Vec<Row> =
        rounds(7, "b", &[100; 3]).into_iter().chain(rounds_with_limit("b", &[None; 3])).collect();
    let limit = |bound: &str| json!({"measure": "time", "of": "b", "growth_per_n": bound, "n": "7-8"});
    let verdicts = ["> 9", "< 9", "> 11"].map(|bound| judge_claim(&rows, &limit(bound)).verdict);
    assert_eq!(verdicts, [ClaimVerdict::Holds, ClaimVerdict::Fails, ClaimVerdict::Undecided]);
}

/// Rounds with a limit of 1000 ns. Runs without a time were stopped by the limit.
fn rounds_with_limit(solver: &str, times: &[Option<u64>]) -> Vec<Row> {
    let row = |time: &Option<u64>| {
        time.map_or(unanswered_run(8, solver, Status::Timeout), |time| run(8, solver, time))
    };
    (1..).zip(times.iter().map(row)).map(|(round, row)| Row { round, ..row }).collect()
}

#[test]
fn censored_time_is_treated_as_lower_bound() {
    let rows = [
        rounds_with_limit("slow", &[None, None, None]),
        rounds_with_limit("fast", &[Some(100), Some(110), Some(120)]),
        rounds_with_limit("mixed", &[None, Some(5), Some(7)]),
        vec![run(8, "crashing", 10), unanswered_run(8, "crashing", Status::Crashed)],
    ]
    .concat();
    let ratio = |of: &str, with: &str, bound: &str| {
        let claim = json!({"measure": "time", "of": of, "compared_with": with, "ratio": bound, "n": "8"});
        explain(&format!("limit: {of} / {with} {bound}"), &rows, &claim)
    };
    assert_eq!(ratio("slow", "fast", "> 8"), expected_explanation(ClaimVerdict::Holds, &[8.33], &[]));
    assert_eq!(ratio("fast", "slow", "< 1").0, ClaimVerdict::Holds);
    assert_eq!(
        ratio("slow", "fast", "< 1"),
        expected_explanation(ClaimVerdict::Fails, &[8.33], &[8.0, 8.33])
    );
    assert_eq!(ratio("slow", "fast", "> 9").0, ClaimVerdict::Undecided);
    assert_eq!(ratio("slow", "slow", "> 0"), expected_explanation(ClaimVerdict::Undecided, &[], &[8.0]));
    // In each of the two rounds, one of the solvers was stopped.
    let [first, second] = [&[None, Some(5)], &[Some(5), None]].map(|times| rounds_with_limit("x", times));
    let second = second.into_iter().map(|row| Row { solver: "y".into(), ..row });
    let claim = json!({"measure": "time", "of": "x", "compared_with": "y", "ratio": "< 1", "n": "8"});
    let alternating_limits =
        explain("limit: alternating", &first.into_iter().chain(second).collect::<Vec<_>>(), &claim);
    assert_eq!(alternating_limits, expected_explanation(ClaimVerdict::Undecided, &[], &[8.0, 2.0, 2.0]));
    // The size, the number of rounds, and how many of them were stopped.
    let few_rounds = ratio("mixed", "fast", "< 1").2;
    assert_eq!((few_rounds.first(), &few_rounds[few_rounds.len() - 2..]), (Some(&8.0), &[3.0, 1.0][..]));
    assert_eq!(ratio("crashing", "fast", "< 1").2, [8.0, 1.0, 2.0]);
    let value = json!({"measure": "time", "of": "slow", "value": "1us", "ratio": ">= 1", "n": "8"});
    assert_eq!(judge_claim(&rows, &value).verdict, ClaimVerdict::Holds);
}

/// One of ten runs was stopped. Without it, all ratios would be 5 or less.
#[test]
fn interval_covers_every_possible_time_of_stopped_runs() {
    let times = [400, 410, 420, 430, 440, 450, 460, 470, 480].map(Some);
    let slow_rows = rounds_with_limit("slow", &[&times[..], &[None]].concat());
    let rows = [slow_rows, rounds_with_limit("fast", &[Some(100); 10])].concat();
    let claim = |bound: &str| json!({"measure": "time", "of": "slow", "compared_with": "fast", "ratio": bound, "n": "8"});
    let (verdict, _, reason) = explain("limit: one of ten rounds", &rows, &claim("< 4"));
    assert_eq!((verdict, &reason[reason.len() - 2..]), (ClaimVerdict::Fails, &[1.0, 10.0][..]));
    assert_eq!(judge_claim(&rows, &claim("> 4")).verdict, ClaimVerdict::Holds);
    assert_eq!(
        judge_claim(&rows, &claim("< 4.8")).verdict,
        ClaimVerdict::Undecided,
        "the stopped run may have taken any longer time"
    );
}

#[test]
fn wall_time_claim_includes_the_process_start() {
    let with_process_start = |row: Row| Row { wall_ns: row.solve_ns.map(|time| time + 75_000), ..row };
    let rows =
        [rounds(8, "a", &[1000, 1010, 1020]), rounds(8, "program/b", &[76_000, 76_010, 76_020])].concat();
    let rows: Vec<Row> = rows.into_iter().map(with_process_start).collect();
    let claim = |measure: &str| json!({"measure": measure, "of": "program/b", "compared_with": "a", "ratio": "< 2", "n": "8"});
    let time = judge_claim(&rows, &claim("time"));
    assert_eq!(time.verdict, ClaimVerdict::Fails);
    let caveat = time.caveat.expect("a program");
    assert!(caveat.contains("program/b"), "{caveat}");
    wording::assert_wording!("claims", "times of a program", caveat);
    let wall_claim = judge_claim(&rows, &claim("wall"));
    assert_eq!(
        (wall_claim.verdict, wall_claim.observed.as_deref(), wall_claim.caveat),
        (ClaimVerdict::Holds, Some("1.99"), None)
    );
}

#[test]
fn time_of_zero_leaves_claim_undecided() {
    let all_times_zero = [rounds(8, "a", &[0, 0, 0, 0, 0, 0, 0]), rounds(8, "b", &[1_000_000; 7])].concat();
    let one_time_zero = [rounds(8, "a", &[0, 9, 9, 9, 9, 9, 9]), rounds(8, "b", &[1_000_000; 7])].concat();
    for rows in [&all_times_zero, &one_time_zero] {
        for (of, other, ratio) in [("a", "b", "< 1"), ("b", "a", "> 1"), ("a", "b", "> 1")] {
            let claim =
                json!({"measure": "time", "of": of, "compared_with": other, "ratio": ratio, "n": "8"});
            assert_eq!(judge_claim(rows, &claim).verdict, ClaimVerdict::Undecided, "{of} {ratio}");
        }
        let value = json!({"measure": "time", "of": "a", "value": "5ns", "ratio": "< 1", "n": "8"});
        assert_eq!(judge_claim(rows, &value).verdict, ClaimVerdict::Undecided);
    }
}

#[test]
fn infinite_ratio_refutes_an_upper_bound() {
    let rows = [counting_run(8, "a", 4), counting_run(8, "b", 0)];
    let claim =
        |bound: &str| json!({"measure": "nodes", "of": "a", "compared_with": "b", "ratio": bound, "n": "8"});
    assert_eq!(judge_claim(&rows, &claim("> 1")).verdict, ClaimVerdict::Holds);
    assert_eq!(judge_claim(&rows, &claim("< 100")).verdict, ClaimVerdict::Fails);
}

#[test]
fn first_solution_is_not_compared_with_a_count() {
    let first_solution = Row { goal: Goal::First, status: Status::Sat, ..counting_run(8, "a", 10) };
    let rows = [first_solution.clone(), counting_run(8, "b", 20), counting_run(8, "a", 30)];
    let claim = |goal: Option<&str>| {
        let mut claim =
            json!({"measure": "nodes", "of": "a", "compared_with": "b", "ratio": "< 1", "n": "8"});
        claim.as_object_mut().expect("a table").extend(goal.map(|goal| ("goal".to_owned(), goal.into())));
        claim
    };
    let different_goals = explain("goals: different ones", &rows[..2], &claim(None));
    assert_eq!(different_goals, expected_explanation(ClaimVerdict::Undecided, &[], &[8.0]));
    assert_eq!(judge_claim(&rows, &claim(None)).verdict, ClaimVerdict::Undecided);
    let count = explain("goals: count", &rows, &claim(Some("count")));
    assert_eq!(count, expected_explanation(ClaimVerdict::Fails, &[1.5], &[8.0, 1.5, 30.0, 20.0]));
    assert_eq!(judge_claim(&rows, &claim(Some("first"))).verdict, ClaimVerdict::Undecided);
}

#[test]
fn claim_selects_a_thread_count_if_several_exist() {
    let rows: Vec<Row> =
        [(1, 30), (4, 10)].map(|(threads, nodes)| Row { threads, ..counting_run(8, "a", nodes) }).into();
    let rows = [rows, vec![counting_run(8, "b", 20)]].concat();
    let claim =
        json!({"measure": "nodes", "of": "a", "compared_with": "b", "ratio": "< 1", "n": "8", "threads": 4});
    assert_eq!(explain("threads", &rows, &claim), expected_explanation(ClaimVerdict::Holds, &[0.5], &[]));
}

#[test]
fn wrong_or_contradicted_answer_decides_no_claim() {
    let claim = json!({"measure": "solutions", "of": "a", "compared_with": "b", "equal": true, "n": "8"});
    let rows_with_verdict = |verdict| [Row { verdict, ..counting_run(8, "a", 1) }, counting_run(8, "b", 1)];
    for verdict in [Verdict::Wrong, Verdict::Disagree] {
        let explanation = explain("answers: wrong or contradicted", &rows_with_verdict(verdict), &claim);
        assert_eq!(explanation, expected_explanation(ClaimVerdict::Undecided, &[], &[8.0]));
    }
    let unchecked_claim = judge_claim(&rows_with_verdict(Verdict::Unchecked), &claim);
    assert_eq!(unchecked_claim.verdict, ClaimVerdict::Holds);
    let caveat = unchecked_claim.caveat.expect("it is named");
    assert_eq!(numbers(&caveat), [8.0]);
    wording::assert_wording!("claims", "answers: unchecked", caveat);
    assert_eq!(judge_claim(&rows_with_verdict(Verdict::Correct), &claim).caveat, None);
}

#[test]
fn claim_about_solutions_accepts_any_kind_of_run() {
    let program = Row { solutions: Some(92), ..run(8, "program/a", 5) };
    let claim =
        json!({"measure": "solutions", "of": "program/a", "published": "A000170", "equal": true, "n": "8"});
    assert_eq!(
        explain("solutions of a program", &[program], &claim),
        expected_explanation(ClaimVerdict::Holds, &[0.0], &[])
    );
}

#[test]
fn claims_are_judged_for_each_result_separately() {
    let (first, second) = ([counting_run(8, "a", 5)], [counting_run(8, "a", 50)]);
    let claim = json!({"says": "a", "measure": "nodes", "of": "a", "value": 10, "ratio": "< 1", "n": "8"});
    let claim = claim_with(&claim);
    let report_part = |result, rows| ReportPart { result, rows, ..ReportPart::default() };
    let parts = vec![report_part("first", &first[..]), report_part("second", &second[..])];
    let source = ReportData { parts, claims: Some(std::slice::from_ref(&claim)), ..ReportData::default() };
    let rows = judge(&source, &runs(&source.parts));
    let verdicts: Vec<_> = rows.iter().map(|(_, row)| (row.result.as_deref(), row.verdict)).collect();
    assert_eq!(verdicts, [(Some("first"), ClaimVerdict::Holds), (Some("second"), ClaimVerdict::Fails)]);
}

#[test]
fn summary_gives_the_number_of_each_verdict() {
    let claim_with_verdict = |verdict| ClaimRow { verdict, ..ClaimRow::default() };
    let all_claims = [ClaimVerdict::Holds, ClaimVerdict::Holds, ClaimVerdict::Fails, ClaimVerdict::Undecided]
        .map(claim_with_verdict);
    assert_eq!(numbers(&summary(&all_claims)), [2.0, 1.0, 1.0]);
    wording::assert_wording!("claims", "several verdicts", summary(&all_claims));
    assert_eq!(numbers(&summary(&all_claims[..1])), [1.0]);
    wording::assert_wording!("claims", "one verdict", summary(&all_claims[..1]));
}
