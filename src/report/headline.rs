//! The headline of a result, a few sentences: first problems of the result, then the answer to its question, then the verdicts of
//! its claims. The page and Markdown begin with the headline, and the output on the terminal ends with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::growth::MIN_COMPARED_NS;
use super::number_format::{precise_factor, precise_range, thousands};
use super::plots::goal_in_words;
use super::ratios::{PairedRatio, RoundTimes};
use super::series::{ReportKey, RunSeries, solved_ns};
use super::{DerivedData, ReportRun, Unit, claims};
use crate::board::sizes::ranges;
use crate::experiment::plan::Plan;
use crate::record::{ClaimVerdict, Disturbed, Status, Verdict};
use crate::solver::Goal;
use timestats::Range;

/// The severity of a problem, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// An answer is wrong, or answers contradict each other.
    Wrong,
    /// Runs failed.
    Failed,
    /// Runs are missing.
    Incomplete,
    /// Other programs disturbed timed runs.
    Disturbed,
}

/// The headline of a result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headline {
    /// Sentences about problems, the most severe first.
    pub problems: Vec<(Severity, String)>,
    /// The sentences that answer the question: the comparison, the answers, the claims.
    pub answer: Vec<String>,
    /// A sentence about recorded warnings.
    pub note: Option<String>,
}

impl fmt::Display for Headline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems = self.problems.iter().map(|(_, problem)| problem.as_str());
        let answer = self.answer.iter().chain(&self.note).map(String::as_str);
        f.write_str(&problems.chain(answer).collect::<Vec<_>>().join(" "))
    }
}

/// The maximum number of solvers in the description of a problem.
const MAX_NAMED_SOLVERS: usize = 3;

impl Headline {
    /// The headline of a report.
    pub fn of(data: &DerivedData<'_>) -> Self {
        let mut problems = wrong_answers(data);
        problems.extend(failed_sentence(data).map(|sentence| (Severity::Failed, sentence)));
        problems.extend(incomplete_sentence(data).map(|sentence| (Severity::Incomplete, sentence)));
        problems.extend(disturbed_sentence(data).map(|sentence| (Severity::Disturbed, sentence)));
        let is_wrong = problems.iter().any(|(severity, _)| *severity == Severity::Wrong);
        let answer = [comparison(data), answers(data, is_wrong), claims_sentence(data)];
        Self { problems, answer: answer.into_iter().flatten().collect(), note: warnings_sentence(data) }
    }
}

/// The solvers of runs with their sizes: `program/x at n = 8,10-12`.
fn solvers_with_sizes<'r>(data: &DerivedData<'_>, runs: impl Iterator<Item = &'r ReportRun<'r>>) -> String {
    let mut sizes: BTreeMap<ReportKey<'_>, BTreeSet<usize>> = BTreeMap::new();
    for run in runs {
        sizes.entry(ReportKey::of(run)).or_default().insert(run.n);
    }
    let omitted_solvers = sizes.len().saturating_sub(MAX_NAMED_SOLVERS);
    let names = sizes.iter().take(MAX_NAMED_SOLVERS).map(|(key, sizes)| {
        format!("{} at n = {}", data.name(key), ranges(&sizes.iter().copied().collect::<Vec<_>>()))
    });
    let omitted_text = (omitted_solvers > 0).then(|| format!("{omitted_solvers} more"));
    names.chain(omitted_text).collect::<Vec<_>>().join("; ")
}

/// The beginning of the sentence `1 of 2 answers is wrong` or `2 of 2 answers are wrong`, up to the verb.
fn subject_and_verb(count: usize, all: usize, what: &str) -> String {
    let verb = if count == 1 { "is" } else { "are" };
    format!("{} of {} {verb}", thousands(count as u64), counted(all, what))
}

/// A number with its noun: `2,230 runs`.
fn counted(count: usize, what: &str) -> String {
    format!("{} {what}{}", thousands(count as u64), if count == 1 { "" } else { "s" })
}

fn is_solved(run: &ReportRun<'_>) -> bool {
    run.status.is_solved() && !run.is_replaced()
}

/// Sentences about wrong answers, answers that contradict each other, and comparisons that disagree.
fn wrong_answers(data: &DerivedData<'_>) -> Vec<(Severity, String)> {
    let solved_count = data.runs.iter().filter(|run| is_solved(run)).count();
    let runs_with = |verdict| data.runs.iter().filter(move |run| run.verdict == verdict);
    let mut sentences = Vec::new();
    for (verdict, what) in [(Verdict::Wrong, "wrong"), (Verdict::Disagree, "contradicted by another solver")]
    {
        let count = runs_with(verdict).count();
        if count > 0 {
            let answer_count = solved_count.max(count);
            let place = solvers_with_sizes(data, runs_with(verdict));
            sentences.push(format!("{} {what}: {place}.", subject_and_verb(count, answer_count, "answer")));
        }
    }
    let comparisons = || data.source.crosscheck.iter().flat_map(|(_, rows)| rows.iter());
    let disagreement_count = comparisons().filter(|row| !row.agrees).count();
    if disagreement_count > 0 && sentences.is_empty() {
        let comparison_total = counted(comparisons().count(), "comparison");
        sentences.push(format!("{disagreement_count} of {comparison_total} of the answers disagree."));
    }
    sentences.into_iter().map(|sentence| (Severity::Wrong, sentence)).collect()
}

/// A sentence about failed runs.
fn failed_sentence(data: &DerivedData<'_>) -> Option<String> {
    let failed_runs = || data.runs.iter().filter(|run| run.status.is_failure() && !run.is_replaced());
    let count = failed_runs().count();
    (count > 0).then(|| {
        let verb = if count == 1 { "run failed" } else { "runs failed" };
        format!("{} {verb}: {}.", thousands(count as u64), solvers_with_sizes(data, failed_runs()))
    })
}

/// A sentence about missing runs and missing shards.
fn incomplete_sentence(data: &DerivedData<'_>) -> Option<String> {
    let plans = || data.source.parts.iter().filter_map(|part| Some((part.plan?, part.rows.len())));
    // With `repeat = "until ..."`, a plan has the maximum number of runs, of which not all are needed.
    let has_open_end = |plan: &Plan| plan.repeat.until.is_some();
    let is_missing_runs = plans().any(|(plan, rows)| !has_open_end(plan) && rows < plan.runs.len());
    let (done, all) = plans().fold((0, 0), |(done, all), (plan, rows)| (done + rows, all + plan.runs.len()));
    let runs =
        is_missing_runs.then(|| format!("{} of {} are done", thousands(done as u64), counted(all, "run")));
    let mut shards: BTreeMap<&str, (usize, BTreeSet<usize>)> = BTreeMap::new();
    for part in &data.source.parts {
        if let Some(shard) = part.plan.and_then(|plan| plan.shard) {
            shards.entry(part.result).or_insert((shard.total(), BTreeSet::new())).1.insert(shard.number());
        }
    }
    let incomplete_results = shards.into_iter().filter(|(_, (of, present))| present.len() < *of);
    let incomplete_results = incomplete_results.map(|(result, (of, present))| {
        let name = if result.is_empty() { String::new() } else { format!(" of {result}") };
        format!("{} of {}{name} are present", present.len(), counted(of, "shard"))
    });
    let parts: Vec<String> = runs.into_iter().chain(incomplete_results).collect();
    (!parts.is_empty()).then(|| format!("Incomplete: {}.", parts.join("; ")))
}

/// A sentence about disturbed runs.
fn disturbed_sentence(data: &DerivedData<'_>) -> Option<String> {
    let timed_runs = data.runs.iter().filter(|run| run.is_timed());
    let count = timed_runs.clone().filter(|run| run.disturbed == Some(Disturbed::Yes)).count();
    let timed_total = counted(timed_runs.count(), "timed run");
    (count > 0).then(|| format!("Other programs disturbed {} of {timed_total}.", thousands(count as u64)))
}

/// A sentence about recorded warnings, for example that the plan changed between two sessions.
fn warnings_sentence(data: &DerivedData<'_>) -> Option<String> {
    let metas = data.source.parts.iter().filter_map(|part| part.meta);
    let warnings: BTreeSet<&String> = metas.flat_map(|meta| &meta.warnings).collect();
    match warnings.len() {
        0 => None,
        1 => Some("A warning was recorded; the page shows it.".to_owned()),
        some => Some(format!("{some} warnings were recorded; the page lists them.")),
    }
}

/// A sentence that compares two series at the largest size that both answered. If the experiment has the key `headline`, the key
/// names the two series; otherwise they are the first series and the fastest of the other series. If no other series can be
/// compared with the first series, the sentence gives the time of the first series.
fn comparison(data: &DerivedData<'_>) -> Option<String> {
    let times = |series: &RunSeries<'_>| -> BTreeMap<usize, u64> {
        data.medians(series).into_iter().filter_map(|cell| Some((cell.n, solved_ns(cell)?))).collect()
    };
    let plan = data.source.parts.iter().find_map(|part| part.plan);
    if let Some([of, baseline]) = plan.map(|plan| &plan.spec.headline[..]) {
        let series_of = |solver: &str| {
            let matching_series = data.series.iter().filter(move |series| series.key.solver == solver);
            matching_series.map(|series| (series.key, times(series))).collect::<Vec<_>>()
        };
        let (candidates, baselines) = (series_of(of), series_of(baseline));
        // Uses the first goal and problem that both solvers answered.
        let pairs = candidates.iter().flat_map(|series| baselines.iter().map(move |other| (series, other)));
        let comparable_pairs = pairs.filter(|((key, _), (baseline, _))| is_comparable(key, baseline));
        let with_common_size = |(series, other)| Some((series, other, largest_common_size(series, other)?));
        if let Some(((key, times), (baseline, others), n)) =
            comparable_pairs.filter_map(with_common_size).next()
        {
            let (series, other) = ((*key, times[&n]), (*baseline, others[&n]));
            let (slow, fast) = if series.1 <= other.1 { (other, series) } else { (series, other) };
            return Some(comparison_sentence(data, slow, fast, n));
        }
    }
    let mut series = data.series.iter().map(|series| (series.key, times(series)));
    let (first, of_first) = series.find(|(_, times)| !times.is_empty())?;
    let other_series: Vec<_> = series.filter(|(key, _)| is_comparable(key, &first)).collect();
    let has_other_series = |n: &usize| other_series.iter().any(|(_, times)| times.contains_key(n));
    let Some((&n, &time)) = of_first.iter().rev().find(|(n, _)| has_other_series(n)) else {
        let (n, time) = of_first.last_key_value()?;
        let time = Unit::Time.show(*time);
        return Some(format!("At n = {n}, {} took {time}.", data.name(&first)));
    };
    let times_at_n = other_series.iter().filter_map(|(key, times)| Some((*times.get(&n)?, *key)));
    let (other, fastest) = times_at_n.min()?;
    let (slow, fast) =
        if other <= time { ((first, time), (fastest, other)) } else { ((fastest, other), (first, time)) };
    Some(comparison_sentence(data, slow, fast, n))
}

/// A series with its medians by size.
type MediansBySize<'d> = (ReportKey<'d>, BTreeMap<usize, u64>);

/// The largest size at which both series have a median.
fn largest_common_size((_, first): &MediansBySize<'_>, (_, second): &MediansBySize<'_>) -> Option<usize> {
    first.keys().rev().find(|n| second.contains_key(n)).copied()
}

/// Whether the times of two series can be compared: they are different series of the same result, with the same problems and goal.
fn is_comparable(first: &ReportKey<'_>, second: &ReportKey<'_>) -> bool {
    (first.problems, first.goal, first.result) == (second.problems, second.goal, second.result)
        && first != second
}

/// A sentence that says by which factor one series is faster than another at a size, or that this is undecided.
fn comparison_sentence(
    data: &DerivedData<'_>,
    slow: (ReportKey<'_>, u64),
    fast: (ReportKey<'_>, u64),
    n: usize,
) -> String {
    // Both series have the same goal.
    let goal_data = data.of_goal(fast.0.goal);
    let names = (goal_data.name(&fast.0), goal_data.name(&slow.0));
    // If there is only one goal, the sentence omits it, because the title of the first plot contains it.
    let place = match data.goals().len() {
        ..=1 => format!("At n = {n}"),
        _ => format!("To {} at n = {n}", goal_in_words(fast.0.goal)),
    };
    let ratio = RoundTimes::of(data).ratio(slow.0, fast.0, n);
    let interval = ratio.as_ref().and_then(|ratio| ratio.ci95);
    if interval.is_some_and(|interval| interval.contains(1.0)) {
        let interval = interval.map(precise_range).unwrap_or_default();
        return format!(
            "{place}, it is undecided whether {} or {} is faster (ratio of times, 95 %: {interval}).",
            names.0, names.1
        );
    }
    // If runs were stopped, only a lower bound of the ratio is known. If there are no common rounds, the medians are compared,
    // except for times of 0, which are below the resolution of the clock.
    let medians = (fast.1 > 0).then(|| precise_factor(slow.1 as f64 / fast.1 as f64));
    let paired_factor = ratio.map(|PairedRatio { ratio: Range { low, high }, .. }| match high > low {
        true => format!("at least {}", precise_factor(low)),
        false => precise_factor(low),
    });
    let Some(factor) = paired_factor.or(medians) else {
        let times = (Unit::Time.show(fast.1), Unit::Time.show(slow.1));
        return format!("{place}, {} took {}, and {} took {}.", names.0, times.0, names.1, times.1);
    };
    let interval = interval.map(|interval| format!("95 %: {}", precise_range(interval)));
    let short_note = (fast.1 < MIN_COMPARED_NS)
        .then(|| format!("imprecise, because a time is below {}", Unit::Time.show(MIN_COMPARED_NS)));
    let notes: Vec<String> = interval.into_iter().chain(short_note).collect();
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
    format!("{place}, {} ran {factor} times as fast as {}{notes}.", names.0, names.1)
}

/// A sentence about the number of answers and whether they agree.
fn answers(data: &DerivedData<'_>, is_wrong: bool) -> Option<String> {
    let solved_runs: Vec<&ReportRun<'_>> = data.runs.iter().filter(|run| is_solved(run)).collect();
    let stopped_count = data.runs.iter().filter(|run| run.status.is_limit() && !run.is_replaced()).count();
    let gave_up_count =
        data.runs.iter().filter(|run| run.status == Status::Unknown && !run.is_replaced()).count();
    let gave_up_text = match gave_up_count {
        0 => String::new(),
        some => format!("; {} gave up", counted(some, "run")),
    };
    let stopped_text = match stopped_count {
        0 => String::new(),
        1 => "; a limit stopped 1 run".to_owned(),
        some => format!("; limits stopped {} runs", thousands(some as u64)),
    };
    let stopped_text = stopped_text + &gave_up_text;
    let skipped_runs = data.runs.iter().filter(|run| run.status == Status::Skipped).count();
    if solved_runs.is_empty() {
        let attempted_runs = data.runs.len() - skipped_runs;
        return Some(match attempted_runs {
            0 => "No run was started.".to_owned(),
            some => format!("None of {} has an answer{stopped_text}.", counted(some, "run")),
        });
    }
    if is_wrong {
        return (!stopped_text.is_empty())
            .then(|| stopped_text.trim_start_matches("; ").to_owned() + ".")
            .map(capitalized);
    }
    let unchecked_count = solved_runs.iter().filter(|run| run.verdict == Verdict::Unchecked).count();
    // Correct first solutions may differ.
    let verb = if solved_runs.iter().any(|run| run.goal == Goal::First) { "are correct" } else { "agree" };
    let answer_total = counted(solved_runs.len(), "answer");
    let agreement_text = match (unchecked_count, solved_runs.len()) {
        (0, 1) => "The only answer is correct".to_owned(),
        (0, _) => format!("All {answer_total} {verb}"),
        (1, 1) => "The only answer is unchecked".to_owned(),
        (some, _) if some == solved_runs.len() => format!("None of the {answer_total} is checked"),
        (some, _) => format!("Of {answer_total}, {} unchecked, and the others {verb}", is_or_are(some)),
    };
    Some(format!("{agreement_text}{stopped_text}."))
}

/// A number with its verb: `1 is` or `2 are`.
fn is_or_are(count: usize) -> String {
    format!("{} {}", thousands(count as u64), if count == 1 { "is" } else { "are" })
}

fn capitalized(text: String) -> String {
    let mut letters = text.chars();
    letters.next().map(char::to_uppercase).into_iter().flatten().chain(letters).collect()
}

/// A sentence about the verdicts of the claims: `6 of 6 claims hold.`
fn claims_sentence(data: &DerivedData<'_>) -> Option<String> {
    let claim_count = data.claims.len();
    let holding_count = data.claims.iter().filter(|claim| claim.verdict == ClaimVerdict::Holds).count();
    let other_claims: Vec<_> =
        data.claims.iter().filter(|claim| claim.verdict != ClaimVerdict::Holds).cloned().collect();
    let verb = if holding_count == 1 { "holds" } else { "hold" };
    let other_verdicts =
        if other_claims.is_empty() { String::new() } else { format!(", {}", claims::summary(&other_claims)) };
    match claim_count {
        0 => None,
        1 if other_claims.is_empty() => Some("The claim holds.".to_owned()),
        1 => Some(format!("The claim {}.", claims::summary(&other_claims).trim_start_matches("1 "))),
        _ => Some(format!("{holding_count} of {} {verb}{other_verdicts}.", counted(claim_count, "claim"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{CrosscheckRow, Row};
    use crate::report::fixture::{run, unanswered_run, with_data};
    use crate::report::{ReportData, ReportPart};

    const MS: u64 = 1_000_000;

    /// Six rounds of two solvers at two sizes; the second is three times as fast as the first.
    fn rounds() -> Vec<Row> {
        let rows_of_round = |round: u32| {
            let row = |n, solver, time| Row { round, repetition: round, ..run(n, solver, time) };
            let extra_ns = u64::from(round) * 1000;
            [
                row(8, "a", 3 * MS),
                row(9, "a", 30 * MS + extra_ns),
                row(8, "b", MS),
                row(9, "b", 10 * MS + extra_ns),
            ]
        };
        (1..=6).flat_map(rows_of_round).collect()
    }

    fn headline(rows: &[Row]) -> Headline {
        with_data(rows, Headline::of)
    }

    fn severities(headline: &Headline) -> Vec<Severity> {
        headline.problems.iter().map(|(severity, _)| *severity).collect()
    }

    #[test]
    fn headline_compares_first_series_with_fastest_other_series() {
        let actual = headline(&rounds());
        assert_eq!(actual.problems, []);
        let answer = &actual.answer[0];
        assert!(answer.contains("n = 9") && answer.contains("3.00 times"), "{answer}");
        wording::assert_wording!("report", "headline: two series", actual.to_string());
        // With a single series, the headline gives its time at the largest size.
        let single_series: Vec<Row> = rounds().into_iter().filter(|row| row.solver == "b").collect();
        wording::assert_wording!("report", "headline: one series", headline(&single_series).to_string());
        // The first series may be the fastest series.
        let fast_rows = rounds().into_iter().map(|row| match row.solver.as_str() {
            "b" => Row { solver: "c".into(), solve_ns: row.solve_ns.map(|time| 9 * time), ..row },
            _ => row,
        });
        wording::assert_wording!(
            "report",
            "headline: the first is the fastest",
            headline(&fast_rows.collect::<Vec<_>>()).to_string()
        );
        // If each series is faster in some rounds, the comparison is undecided.
        let mixed_rows = rounds().into_iter().map(|row| {
            let time = if (row.round % 2 == 0) == (row.solver == "a") { 10 } else { 12 };
            Row { solve_ns: Some(time * MS), ..row }
        });
        wording::assert_wording!(
            "report",
            "headline: undecided",
            headline(&mixed_rows.collect::<Vec<_>>()).to_string()
        );
        let short_rows =
            rounds().into_iter().map(|row| Row { solve_ns: row.solve_ns.map(|time| time / 1000), ..row });
        wording::assert_wording!(
            "report",
            "headline: short times",
            headline(&short_rows.collect::<Vec<_>>()).to_string()
        );
    }

    #[test]
    fn headline_names_the_goal_if_several_exist() {
        let first_rows = rounds().into_iter().map(|row| Row { goal: Goal::First, ..row });
        let actual = headline(&first_rows.chain(rounds()).collect::<Vec<_>>());
        wording::assert_wording!("report", "headline: two goals", actual.answer[0]);
    }

    #[test]
    fn headline_lists_the_most_serious_problem_first() {
        let wrong_row = |row: Row| Row { verdict: Verdict::Wrong, ..row };
        let mut rows = rounds();
        rows[0].disturbed = Some(Disturbed::Yes);
        rows.push(unanswered_run(10, "c", Status::Crashed));
        assert_eq!(severities(&headline(&rows)), [Severity::Failed, Severity::Disturbed]);
        rows.push(wrong_row(run(10, "b", 1)));
        rows.push(wrong_row(run(8, "b", 1)));
        let actual = headline(&rows);
        assert_eq!(severities(&actual), [Severity::Wrong, Severity::Failed, Severity::Disturbed]);
        assert!(
            actual.problems[0].1.contains("2 of 26 ") && actual.problems[0].1.contains("b at n = 8,10"),
            "{actual}"
        );
        assert!(actual.problems[2].1.contains(" 1 of 27 "), "{actual}");
        wording::assert_wording!("report", "headline: problems", actual.to_string());
        // The headline does not state that all answers agree.
        assert!(!actual.to_string().contains("agree"), "{actual}");
    }

    #[test]
    fn failed_comparisons_count_as_wrong_answers() {
        let row = |agrees| CrosscheckRow { agrees, ..CrosscheckRow::default() };
        let (rows, compared) = (rounds(), [row(true), row(false)]);
        let parts = vec![ReportPart { rows: &rows, ..ReportPart::default() }];
        let source = ReportData { parts, crosscheck: vec![("", &compared)], ..ReportData::default() };
        let actual = Headline::of(&DerivedData::of(&source));
        assert_eq!(severities(&actual), [Severity::Wrong]);
        wording::assert_wording!("report", "headline: comparisons", actual.to_string());
    }

    #[test]
    fn headline_counts_stopped_runs_and_unchecked_answers() {
        let stopped = [unanswered_run(9, "a", Status::Timeout), unanswered_run(9, "a", Status::Timeout)];
        wording::assert_wording!("report", "headline: no answer", headline(&stopped).to_string());
        let with_stopped_runs = [rounds(), stopped.to_vec()].concat();
        wording::assert_wording!(
            "report",
            "headline: stopped runs",
            headline(&with_stopped_runs).to_string()
        );
        assert_eq!(headline(&[]).answer.len(), 1);
        let unchecked_row = |row: Row| Row { verdict: Verdict::Unchecked, ..row };
        let answers: Vec<Row> = rounds().into_iter().map(unchecked_row).collect();
        wording::assert_wording!("report", "headline: unchecked answers", headline(&answers).answer[1]);
        wording::assert_wording!(
            "report",
            "headline: one unchecked answer",
            headline(&answers[..1]).answer[1]
        );
    }
}
