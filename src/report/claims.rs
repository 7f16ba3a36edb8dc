//! Verdicts of claims. A claim holds if its value is within its bound at every size. It fails if the value is outside the bound
//! at one size. Otherwise it is undecided, because runs are missing or the times vary too much. If the claim has the key `most`,
//! only a majority or a share of the sizes must be within the bound.
//!
//! Counts are exact, or means over several seeds with intervals by Student's t. Ratios of times are intervals, computed from runs
//! of the same rounds (`timestats::paired`). At a size, the claim holds if the whole 95 % interval is within the bound. It fails
//! if a wider interval is completely outside the bound. For k sizes, the confidence of the wider interval is 1 - 0.05 / k, so
//! that a true claim fails in at most one of twenty sweeps, whatever the number of sizes. A run that was stopped by a limit takes
//! longer than the limit.

mod doubt;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::number_format::{digits, range};
use super::tables::Clock;
use super::{ReportData, ReportRun, counted};
use crate::board::published;
use crate::board::sizes::ranges;
use crate::experiment::statements;
use crate::model::{ClaimVerdict, Kind, Measure, SolverRef, Status, Verdict};
use crate::record::{ClaimRow, SCHEMA_VERSION, Stated};
use crate::spec::claim::Claim;
use doubt::Doubt;
use timestats::paired::{self, Estimate};
use timestats::{Range, mean, mean_interval};

/// A claim with its values as numbers. The row of the claim has them only as texts.
#[derive(Clone, Debug)]
pub struct ObservedClaim<'a> {
    /// The claim.
    pub claim: &'a Claim,
    /// The smallest and the largest value; `None` if no value is known.
    pub values: Option<Range>,
}

impl ObservedClaim<'_> {
    /// Whether the claim states that two numbers are equal, and they are equal at all sizes at which both are known.
    pub fn is_equal(&self) -> bool {
        *self.claim.equal && self.claim.most.is_none() && self.values == Some(Range::exact(0.0))
    }
}

/// Judges the claims about each result, in the order of results and claims.
pub fn judge<'a>(source: &ReportData<'a>, runs: &[ReportRun<'_>]) -> Vec<(ObservedClaim<'a>, ClaimRow)> {
    let mut results = BTreeSet::new();
    let mut rows = Vec::new();
    for part in source.parts.iter().filter(|part| results.insert(part.result)) {
        let planned_claims = part.plan.map_or(&[][..], |plan| &plan.spec.claims);
        let claims = source.claims.unwrap_or(planned_claims);
        if claims.is_empty() {
            continue;
        }
        let claim_runs = ClaimRuns::new(runs.iter().filter(|run| run.result == part.result));
        let result = Some(part.result.to_owned()).filter(|result| !result.is_empty());
        let parts_of_result = || source.parts.iter().filter(|other| other.result == part.result);
        rows.extend((1..).zip(claims).map(|(number, claim)| {
            let observation = claim_runs.observation(claim);
            let row = ClaimRow {
                schema_version: SCHEMA_VERSION,
                result: result.clone(),
                claim: number,
                stated: statements::claim_stated(claim, parts_of_result().map(|part| part.meta)),
                ..claim_runs.row(claim, &observation)
            };
            (ObservedClaim { claim, values: observation.range() }, row)
        }));
    }
    rows
}

/// The number of claims with each verdict, and the time when the claims were stated:
/// `3 hold, 1 fails; all stated before the run`. The second part is missing if the results do not record the time.
pub fn summary(claims: &[ClaimRow]) -> String {
    let has_statement_times = claims.iter().any(|claim| claim.stated.is_some());
    let statement_text =
        if has_statement_times { format!("; {}", statement_times(claims)) } else { String::new() };
    verdicts(claims) + &statement_text
}

/// Describes when the claims were stated.
fn statement_times(claims: &[ClaimRow]) -> String {
    let count = |stated| claims.iter().filter(|claim| claim.stated == stated).count();
    let parts = [
        (count(Some(Stated::Before)), Stated::Before.in_words()),
        (count(Some(Stated::Afterwards)), Stated::Afterwards.in_words()),
        (count(None), "without a record of when they were stated"),
    ];
    let mut parts = parts.into_iter().filter(|(count, _)| *count > 0);
    match (parts.next(), parts.next()) {
        (Some((_, how)), None) => format!("all {how}"),
        (first, second) => {
            let parts = first.into_iter().chain(second).chain(parts);
            parts.map(|(count, how)| format!("{count} {how}")).collect::<Vec<_>>().join(", ")
        }
    }
}

fn verdicts(claims: &[ClaimRow]) -> String {
    let count = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
    let (holds, fails, undecided) =
        (count(ClaimVerdict::Holds), count(ClaimVerdict::Fails), count(ClaimVerdict::Undecided));
    let parts = [
        (holds, if holds == 1 { "holds" } else { "hold" }),
        (fails, if fails == 1 { "fails" } else { "fail" }),
        (undecided, if undecided == 1 { "is undecided" } else { "are undecided" }),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    parts.map(|(count, word)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
}

/// The value of a claim at a size.
struct ClaimValue {
    /// The estimate; `None` if only a bound is known.
    value: Option<f64>,
    /// The 95 % confidence interval; for an exact number, both ends are the number.
    interval_95: Range,
    /// The wider interval; the claim fails only if this whole interval is outside the bound.
    rejection_interval: Range,
    /// The value with its evidence, in words.
    text: String,
}

impl ClaimValue {
    fn exact(value: f64) -> Self {
        let range = Range::exact(value);
        Self { value: Some(value), interval_95: range, rejection_interval: range, text: value.to_string() }
    }
}

/// Formats the value of a claim.
fn formatted_value(claim: &Claim, number: f64) -> String {
    match number {
        _ if *claim.equal => format!("{number}"),
        0.995..1.005 => format!("{number:.4}"),
        _ => digits(number),
    }
}

/// The measurements at the sizes of a claim.
#[derive(Default)]
struct Observation {
    sizes: usize,
    sizes_inside: usize,
    sizes_outside: usize,
    values: Vec<f64>,
    /// The text of the first value of which only a lower or upper bound is known.
    one_sided: Option<String>,
    failure: Option<String>,
    doubts: Vec<String>,
}

impl Observation {
    /// The verdict, with the first counterexample or the first reason why a value is unknown.
    fn verdict(&self, claim: &Claim) -> (ClaimVerdict, Option<String>) {
        let doubt = match &self.doubts[..] {
            [] => None,
            [only] => Some(only.clone()),
            [first, more @ ..] => Some(format!("{first}; {}", counted(more.len(), "more size"))),
        };
        // Two values: whether enough sizes are within the bound, and whether enough sizes are not outside it.
        let enough_sizes = claim.most.as_ref().map(|most| {
            [self.sizes_inside, self.sizes - self.sizes_outside].map(|count| most.is_met(count, self.sizes))
        });
        match (enough_sizes, &self.failure) {
            (Some([true, _]), _) => (ClaimVerdict::Holds, None),
            (Some([_, true]), failure) => (ClaimVerdict::Undecided, doubt.or(failure.clone())),
            (_, Some(failure)) => (ClaimVerdict::Fails, Some(failure.clone())),
            (_, None) if doubt.is_some() => (ClaimVerdict::Undecided, doubt),
            (_, None) => (ClaimVerdict::Holds, None),
        }
    }

    /// The smallest and the largest value; `None` if there is none.
    fn range(&self) -> Option<Range> {
        let ends = [f64::min, f64::max].map(|end| self.values.iter().copied().reduce(end));
        let [Some(low), Some(high)] = ends else { return None };
        Some(Range { low, high })
    }

    /// Formats the range of the values, or the first bound if no value is known.
    fn observed_text(&self, claim: &Claim) -> Option<String> {
        let Some(Range { low, high }) = self.range() else { return self.one_sided.clone() };
        let (lowest, highest) = (formatted_value(claim, low), formatted_value(claim, high));
        let range = if lowest == highest { lowest } else { format!("{lowest} to {highest}") };
        Some(match &claim.most {
            Some(_) => format!("{range}; in the bound at {} of {} sizes", self.sizes_inside, self.sizes),
            None => range,
        })
    }
}

/// The runs of a solver at a size.
struct SolverRuns<'s, 'a> {
    solver: &'s SolverRef,
    runs: Vec<ReportRun<'a>>,
}

/// The runs of a result by solver and size, without skipped and warm-up runs.
struct ClaimRuns<'a>(HashMap<(&'a SolverRef, usize), Vec<ReportRun<'a>>>);

impl<'a> ClaimRuns<'a> {
    fn new<'r>(runs: impl Iterator<Item = &'r ReportRun<'a>>) -> Self
    where
        'a: 'r,
    {
        let mut runs_by_size: HashMap<(&SolverRef, usize), Vec<ReportRun<'_>>> = HashMap::new();
        for run in runs.filter(|run| run.status != Status::Skipped && run.kind != Kind::Warmup) {
            runs_by_size.entry((&run.row.solver, run.n)).or_default().push(*run);
        }
        Self(runs_by_size)
    }

    fn row(&self, claim: &Claim, observation: &Observation) -> ClaimRow {
        let (verdict, counterexample) = observation.verdict(claim);
        ClaimRow {
            says: claim.says.to_string(),
            source: claim.source.as_deref().cloned(),
            measure: claim.measure.to_string(),
            of: SolverRef::clone(&claim.of),
            compared_with: claim.comparison_text(),
            n: claim.n.as_ref().map_or(String::new(), ToString::to_string),
            observed: observation.observed_text(claim),
            bound: claim.to_string(),
            verdict,
            counterexample,
            caveat: self.caveat(claim),
            ..ClaimRow::default()
        }
    }

    fn observation(&self, claim: &Claim) -> Observation {
        let sizes = claim.sizes();
        let bound = claim.bound();
        let numbers: Vec<(String, Result<ClaimValue, Doubt>)> = if claim.growth_per_n.is_some() {
            vec![(ranges(&sizes), self.growth(claim, &sizes))]
        } else {
            let confidence = 1.0 - 0.05 / sizes.len() as f64;
            sizes.iter().map(|n| (n.to_string(), self.number(claim, *n, confidence))).collect()
        };
        let mut observation = Observation { sizes: numbers.len(), ..Observation::default() };
        for (n, number) in numbers {
            match number {
                Err(reason) => observation.doubts.push(format!("n = {n}: {reason}")),
                Ok(ClaimValue { value, interval_95, rejection_interval, text }) => {
                    observation.values.extend(value);
                    if value.is_none() {
                        observation.one_sided.get_or_insert_with(|| text.clone());
                    }
                    let detail = format!("n = {n}: {text}");
                    if bound.excludes(rejection_interval) {
                        observation.sizes_outside += 1;
                        observation.failure.get_or_insert(detail);
                    } else if bound.includes(interval_95) {
                        observation.sizes_inside += 1;
                    } else {
                        observation.doubts.push(detail);
                    }
                }
            }
        }
        observation
    }

    /// The caveat of a verdict: answers that are unchecked, or times of different kinds.
    fn caveat(&self, claim: &Claim) -> Option<String> {
        let solvers: Vec<&SolverRef> = claim.solvers().collect();
        let mut caveats = Vec::new();
        for (solver, shift) in solvers.iter().zip([0, claim.shift()]) {
            let is_unconfirmed = |n: &usize| {
                let side = self.select(claim, solver, *n);
                side.is_ok_and(|side| {
                    side.runs.iter().any(|run| run.is_answered() && run.verdict == Verdict::Unchecked)
                })
            };
            let sizes: Vec<usize> = claim.sizes().iter().map(|n| n + shift).filter(is_unconfirmed).collect();
            if !sizes.is_empty() {
                caveats.push(format!("nothing confirms the answers of {solver} at n = {}", ranges(&sizes)));
            }
        }
        let external_solvers: Vec<&SolverRef> =
            solvers.iter().copied().filter(|solver| solver.starts_programs()).collect();
        let are_two_programs =
            external_solvers.len() == 2 && external_solvers.iter().all(|solver| solver.is_program());
        if *claim.measure == Measure::Time && !external_solvers.is_empty() && !are_two_programs {
            caveats.push(format!(
                "times of {} include starting the program; measure = \"wall\" times whole processes",
                external_solvers.iter().map(|solver| solver.as_str()).collect::<Vec<_>>().join(" and ")
            ));
        }
        (!caveats.is_empty()).then(|| caveats.join("; "))
    }

    /// The runs of a solver at a size with the goal, the problem and the number of threads of a claim. Fails with a
    /// doubt if these runs belong to several series.
    fn select<'s>(
        &self,
        claim: &Claim,
        solver: &'s SolverRef,
        n: usize,
    ) -> Result<SolverRuns<'s, 'a>, Doubt> {
        let mut runs = self.0.get(&(solver, n)).cloned().unwrap_or_default();
        runs.retain(|run| {
            claim.goal().is_none_or(|goal| run.goal == goal)
                && claim.variant().is_none_or(|variant| run.variant.as_str() == variant)
        });
        let threads: BTreeSet<usize> = runs.iter().map(|run| run.threads).collect();
        if let Some(claimed_threads) = claim.threads().filter(|_| threads.len() > 1) {
            runs.retain(|run| run.threads == claimed_threads);
        }
        let series: BTreeSet<_> = runs.iter().map(|run| (&run.row.variant, run.goal, run.threads)).collect();
        if series.len() > 1 {
            return Err(Doubt::SeveralSeries(solver.clone()));
        }
        Ok(SolverRuns { solver, runs })
    }

    /// Like [`ClaimRuns::select`]. A wrong or contradicted answer is also a doubt.
    fn runs_without_faults<'s>(
        &self,
        claim: &Claim,
        solver: &'s SolverRef,
        n: usize,
    ) -> Result<SolverRuns<'s, 'a>, Doubt> {
        let side = self.select(claim, solver, n)?;
        if side.runs.iter().any(|run| run.verdict.is_fault()) {
            return Err(Doubt::Faults(solver.clone()));
        }
        Ok(side)
    }

    /// The factor per n of the exponential that is fitted by least squares to the times of each round, or to the counts.
    fn growth(&self, claim: &Claim, sizes: &[usize]) -> Result<ClaimValue, Doubt> {
        let doubt_at = |n: usize| move |doubt: Doubt| Doubt::At { n, doubt: Box::new(doubt) };
        let side =
            |n: &usize| Ok((*n, self.runs_without_faults(claim, &claim.of, *n).map_err(doubt_at(*n))?));
        let sides: Vec<(usize, SolverRuns<'_, '_>)> = sizes.iter().map(side).collect::<Result<_, Doubt>>()?;
        let weights = slope_weights(sizes);
        if claim.is_time() {
            let times = sides.iter().map(|(n, side)| times(claim, side).map_err(doubt_at(*n)));
            let times: Vec<BTreeMap<_, Range>> = times.collect::<Result<_, _>>()?;
            let slope = |round| {
                let round_times: Option<Vec<Range>> =
                    times.iter().map(|times| times.get(round).copied()).collect();
                Some(slope(&weights, &round_times?))
            };
            let slopes: Vec<Range> = times[0].keys().filter_map(slope).collect();
            return estimated_value(claim, &slopes, 0.95);
        }
        let counts = sides.iter().map(|(n, side)| count(claim, side, 0.95).map_err(doubt_at(*n)));
        let counts: Vec<ClaimValue> = counts.collect::<Result<_, _>>()?;
        let growth_of = |range: fn(&ClaimValue) -> Range| {
            let ranges: Vec<Range> = counts.iter().map(range).collect();
            slope(&weights, &ranges).map(f64::exp)
        };
        let estimate = growth_of(|count| count.value.map_or(count.interval_95, Range::exact));
        let value =
            estimate.value().filter(|value| value.is_finite() && *value > 0.0).ok_or(Doubt::ZeroCount)?;
        let interval_95 = growth_of(|count| count.interval_95);
        let interval_text = if interval_95.value().is_some() {
            String::new()
        } else {
            format!(", 95 %: {}", formatted_interval(claim, interval_95))
        };
        let [first, .., last] = &counts[..] else { return Err(Doubt::OneSize) };
        let text = format!(
            "{} (from {} to {}{interval_text})",
            formatted_value(claim, value),
            first.text,
            last.text
        );
        Ok(ClaimValue { value: Some(value), interval_95, rejection_interval: interval_95, text })
    }

    /// The value of a claim at a size, or the reason why it is unknown.
    fn number(&self, claim: &Claim, n: usize, confidence: f64) -> Result<ClaimValue, Doubt> {
        let claimed_runs = self.runs_without_faults(claim, &claim.of, n)?;
        let other_runs = match &claim.compared_with {
            Some(solver) => Some(self.runs_without_faults(claim, solver, n + claim.shift())?),
            None => None,
        };
        let question_of = |side: &SolverRuns<'_, 'a>| {
            let run = side.runs.first()?;
            // A claim with `shift` compares two sizes, so the problems of the two sides may differ.
            Some((run.goal, claim.shift.is_none().then_some(&run.row.variant)))
        };
        if let (Some(solver), Some(first), Some(second)) =
            (&claim.compared_with, question_of(&claimed_runs), other_runs.as_ref().and_then(question_of))
            && first != second
        {
            return Err(Doubt::OtherProblems(SolverRef::clone(&claim.of), SolverRef::clone(solver)));
        }
        if claim.is_time() {
            return time(claim, &claimed_runs, other_runs.as_ref(), confidence);
        }
        let claimed_count = count(claim, &claimed_runs, confidence)?;
        let other_count = match (&other_runs, &claim.published) {
            (Some(side), _) => count(claim, side, confidence)?,
            (None, Some(number)) => {
                let term = published::term(number, n);
                ClaimValue::exact(term.ok_or_else(|| Doubt::NoTerm(number.to_string()))? as f64)
            }
            (None, None) => ClaimValue::exact(claim.number().unwrap_or_default()),
        };
        compare_counts(claim, &claimed_count, &other_count)
    }
}

/// The value of a claim that compares two counts.
fn compare_counts(claim: &Claim, claimed: &ClaimValue, other: &ClaimValue) -> Result<ClaimValue, Doubt> {
    let combine = |claimed: f64, other: f64| if *claim.equal { claimed - other } else { claimed / other };
    let value = claimed.value.zip(other.value).map_or(f64::NAN, |(claimed, other)| combine(claimed, other));
    if value.is_nan() {
        return Err(Doubt::ZeroByZero);
    }
    // The value increases with the first count and decreases with the second one, so each end of the interval combines opposite
    // ends.
    let interval = |claimed: Range, other: Range| {
        let (a, b) = (combine(claimed.low, other.high), combine(claimed.high, other.low));
        Range { low: a.min(b), high: a.max(b) }
    };
    let (interval_95, rejection_interval) = (
        interval(claimed.interval_95, other.interval_95),
        interval(claimed.rejection_interval, other.rejection_interval),
    );
    let interval_text = if interval_95.value().is_some() {
        String::new()
    } else {
        format!(", 95 %: {}", formatted_interval(claim, interval_95))
    };
    let (text, claimed, other) = (formatted_value(claim, value), &claimed.text, &other.text);
    let text = match *claim.equal {
        true => format!("{claimed} instead of {other}"),
        false => format!("{text} ({claimed} against {other}{interval_text})"),
    };
    Ok(ClaimValue { value: Some(value), interval_95, rejection_interval, text })
}

/// Formats the ends of an interval.
fn formatted_interval(claim: &Claim, interval: Range) -> String {
    let Range { low, high } = interval;
    match low > 0.0 && high < f64::INFINITY {
        true => format!("{} to {}", formatted_value(claim, low), formatted_value(claim, high)),
        false => range(interval),
    }
}

/// The count of a solver, or its mean over seeds. The number of solutions is taken from any run. Statistics are taken from counting
/// runs, or from any run of a program.
fn count(
    claim: &Claim,
    SolverRuns { solver, runs }: &SolverRuns<'_, '_>,
    confidence: f64,
) -> Result<ClaimValue, Doubt> {
    let statistic = claim.statistic();
    let mut values: BTreeMap<u64, Option<f64>> = BTreeMap::new();
    let is_program = solver.is_program();
    for run in runs.iter().filter(|run| statistic.is_none() || is_program || run.kind == Kind::Counting) {
        let value = statistic.map_or(run.solutions, |name| run.row.statistic(name));
        let not_reported = || {
            let what = statistic.unwrap_or("solutions").to_owned();
            Doubt::NotReported { what, solver: (*solver).clone() }
        };
        let value = if run.is_answered() { Some(value.ok_or_else(not_reported)? as f64) } else { None };
        let seed_value = values.entry(run.seed).or_insert(value);
        *seed_value = seed_value.or(value);
    }
    let all = values.len();
    let values: Vec<f64> = values.into_values().flatten().collect();
    let Some(value) = mean(&values) else {
        let kind = if statistic.is_some() && !is_program { "answered counting" } else { "answered" };
        return Err(Doubt::NoRun { kind, solver: (*solver).clone() });
    };
    if values.len() < all {
        let missing = all - values.len();
        return Err(Doubt::Unanswered { missing, all, what: "seeds", solver: (*solver).clone() });
    }
    let interval = |confidence| {
        mean_interval(&values, confidence).map(|interval| interval.map(|number| number.max(0.0)))
    };
    Ok(match interval(0.95).zip(interval(confidence)) {
        // With a single seed, there is no interval.
        None => ClaimValue::exact(value),
        Some((interval_95, rejection_interval)) => {
            let text = format!("{} on average of {all} seeds", digits(value));
            ClaimValue { value: Some(value), interval_95, rejection_interval, text }
        }
    })
}

/// The value of a claim about times, computed from the runs of the same rounds.
fn time(
    claim: &Claim,
    claimed: &SolverRuns<'_, '_>,
    other: Option<&SolverRuns<'_, '_>>,
    confidence: f64,
) -> Result<ClaimValue, Doubt> {
    let claimed_times = times(claim, claimed)?;
    let other_times = match (other, claim.number()) {
        (Some(side), _) => times(claim, side)?,
        (None, value) => {
            claimed_times.keys().map(|round| (*round, Range::exact(value.unwrap_or_default()))).collect()
        }
    };
    let pairs = claimed_times.iter().filter_map(|(round, time)| Some((time, other_times.get(round)?)));
    let differences: Vec<Range> = pairs.map(|(a, b)| a.map(f64::ln) - b.map(f64::ln)).collect();
    estimated_value(claim, &differences, confidence)
}

/// The weights of the values at these sizes in the slope of a straight line fitted by least squares.
fn slope_weights(sizes: &[usize]) -> Vec<f64> {
    let mean = sizes.iter().sum::<usize>() as f64 / sizes.len() as f64;
    let distances: Vec<f64> = sizes.iter().map(|n| *n as f64 - mean).collect();
    let squares: f64 = distances.iter().map(|distance| distance * distance).sum();
    distances.into_iter().map(|distance| distance / squares).collect()
}

/// The slope of the logarithms of these numbers. Each number may be an interval.
fn slope(weights: &[f64], numbers: &[Range]) -> Range {
    let mut sum = Range::exact(0.0);
    for (&weight, number) in weights.iter().zip(numbers).filter(|(weight, _)| **weight != 0.0) {
        let (a, b) = (weight * number.low.ln(), weight * number.high.ln());
        sum = Range { low: sum.low + a.min(b), high: sum.high + a.max(b) };
    }
    sum
}

/// The value of a claim, computed from one logarithm for each round.
fn estimated_value(claim: &Claim, differences: &[Range], confidence: f64) -> Result<ClaimValue, Doubt> {
    let estimate = |confidence| paired::estimate(differences, confidence);
    let Estimate { value, interval } = estimate(0.95).ok_or(Doubt::NoRound)?;
    let interval = interval.zip(estimate(confidence).and_then(|estimate| estimate.interval));
    let (all, stopped) =
        (differences.len(), differences.iter().filter(|difference| difference.value().is_none()).count());
    let value = value.map(f64::exp);
    let text =
        value.value().map_or_else(|| formatted_interval(claim, value), |value| formatted_value(claim, value));
    let Some((interval_95, rejection_interval)) = interval else {
        let is_unknown = |difference: &Range| difference.low.is_infinite() && difference.high.is_infinite();
        return Err(match differences.iter().all(is_unknown) {
            true => Doubt::NotFaster,
            false => Doubt::NoInterval { value: text, rounds: all, stopped },
        });
    };
    let [interval_95, rejection_interval] =
        [interval_95, rejection_interval].map(|interval| interval.map(f64::exp));
    let text = match stopped {
        0 => format!("{text} (95 %: {})", formatted_interval(claim, interval_95)),
        some if some == all => format!("{} (time limit)", range(interval_95)),
        some => format!(
            "{text} (95 %: {}; a limit stopped {some} of {all} rounds)",
            formatted_interval(claim, interval_95)
        ),
    };
    Ok(ClaimValue { value: value.value(), interval_95, rejection_interval, text })
}

/// The time of each round. Rounds are distinguished by part and session, because different sessions are not close in time.
fn times(
    claim: &Claim,
    SolverRuns { solver, runs }: &SolverRuns<'_, '_>,
) -> Result<BTreeMap<(usize, usize, u32), Range>, Doubt> {
    let clock = match &*claim.measure {
        Measure::Wall => Clock::Wall,
        Measure::Reported => Clock::Reported,
        _ => Clock::Solving,
    };
    let runs: Vec<&ReportRun<'_>> = runs.iter().filter(|run| run.is_timed()).collect();
    let times =
        runs.iter().filter_map(|run| Some(((run.part, run.session, run.round), clock.time(run)?.range())));
    let times: BTreeMap<(usize, usize, u32), Range> = times.collect();
    match &runs[..] {
        [] => Err(Doubt::NoRun { kind: "timed", solver: (*solver).clone() }),
        [first, ..] if runs.iter().any(|run| run.seed != first.seed) => {
            Err(Doubt::SeveralSeeds((*solver).clone()))
        }
        all if clock == Clock::Reported
            && all.iter().any(|run| run.is_answered() && clock.answered_ns(run).is_none()) =>
        {
            Err(Doubt::NotReported { what: "solve_ns".to_owned(), solver: (*solver).clone() })
        }
        // The actual time is below the resolution of the clock, so its ratio to other times is unknown.
        _ if times.values().any(|time| time.low == 0.0) => Err(Doubt::ZeroTime((*solver).clone())),
        all if times.len() < all.len() => {
            let (missing, all) = (all.len() - times.len(), all.len());
            Err(Doubt::Unanswered { missing, all, what: "runs", solver: (*solver).clone() })
        }
        _ => Ok(times),
    }
}

#[cfg(test)]
mod tests;
