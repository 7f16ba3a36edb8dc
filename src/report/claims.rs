//! Verdicts of claims. A claim holds if its number is in its bound at every size; it fails if the number is outside at one
//! size; otherwise it is undecided, because runs are missing or the times vary too much.
//!
//! Counts are exact, or means over several seeds, with intervals by Student's t. The number of a time is an interval from
//! the runs of the same rounds (module `paired`): the claim holds where all of the 95 % interval is in the bound. It fails
//! where none of a wider interval is: its confidence is 1 - 0.05 / k for k sizes, so that a true claim fails in at most
//! one of twenty sweeps, however many sizes it has. If every run reached its limit, the time is known to be longer.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use super::unit::digits;
use super::{Run, Unit, counted, paired, rounded};
use crate::board::known;
use crate::experiment::claim::{Against, Claim, Kind, Measure};
use crate::record::{ClaimRow, Judgement, SCHEMA_VERSION, Status};

/// The verdicts of claims, in their order.
pub fn judge(claims: &[Claim], runs: &[Run]) -> Vec<ClaimRow> {
    if claims.is_empty() {
        return Vec::new();
    }
    let mut evidence = Evidence::default();
    for run in runs.iter().filter(|run| run.status != Status::Skipped) {
        let kind = match run.is_timed {
            true => &mut evidence.timed,
            // A counting run without an answer has no counts.
            false if run.counts.is_some() || run.repetition == 0 => &mut evidence.counted,
            false => continue,
        };
        kind.entry((&run.solver, run.n)).or_default().push(run);
    }
    (1..).zip(claims).map(|(number, claim)| row(number, claim, &evidence)).collect()
}

/// How many claims have each verdict, in words: `3 hold, 1 fails`.
pub fn summary(claims: &[ClaimRow]) -> String {
    let count = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
    let (holds, fails, undecided) =
        (count(Judgement::Holds), count(Judgement::Fails), count(Judgement::Undecided));
    let parts = [
        (holds, if holds == 1 { "holds" } else { "hold" }),
        (fails, if fails == 1 { "fails" } else { "fail" }),
        (undecided, if undecided == 1 { "is undecided" } else { "are undecided" }),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    parts.map(|(count, word)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
}

/// The runs that claims can name, by solver and size.
#[derive(Default)]
struct Evidence<'a> {
    timed: HashMap<(&'a str, usize), Vec<&'a Run>>,
    counted: HashMap<(&'a str, usize), Vec<&'a Run>>,
}

/// A count, or its mean over several seeds.
struct Count {
    value: f64,
    /// The intervals as in [`Number`]; of one run, the value alone.
    narrow: (f64, f64),
    wide: (f64, f64),
    seeds: usize,
}

impl Count {
    fn exact(value: f64) -> Self {
        Self { value, narrow: (value, value), wide: (value, value), seeds: 1 }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seeds {
            1 => write!(f, "{}", self.value),
            seeds => write!(f, "{} on average of {seeds} seeds", digits(self.value)),
        }
    }
}

/// The number of a claim at a size.
struct Number {
    /// The most likely value; `None` if only a limit is known.
    value: Option<f64>,
    /// The interval in which it lies with 95 % confidence.
    narrow: (f64, f64),
    /// The interval for a verdict that the claim fails.
    wide: (f64, f64),
    /// The number with its evidence, in words.
    shown: String,
}

/// The times of a solver at a size.
enum Times {
    /// The answered run of each round, in nanoseconds.
    Answered(BTreeMap<u32, f64>),
    /// Every run reached this limit, in nanoseconds.
    Limit(f64),
}

fn row(number: usize, claim: &Claim, evidence: &Evidence<'_>) -> ClaimRow {
    let sizes: Vec<usize> = claim.n.iter().map(|n| n.get()).collect();
    let steps: Vec<(usize, usize)> = match claim.kind {
        Kind::Growth => sizes.windows(2).map(|pair| (pair[0], pair[1])).collect(),
        _ => sizes.iter().map(|&n| (n, n)).collect(),
    };
    let confidence = 1.0 - 0.05 / steps.len() as f64;
    let mut seen: Vec<f64> = Vec::new();
    let (mut failure, mut doubts) = (None, Vec::new());
    let (mut inside, mut outside) = (0, 0);
    for &(n, next) in &steps {
        match evidence.number(claim, n, next, confidence) {
            Err(reason) => doubts.push(reason),
            Ok(number) => {
                seen.extend(number.value);
                let place = if n == next { format!("n = {n}") } else { format!("n = {n} to {next}") };
                let told = format!("{place}: {}", number.shown);
                if claim.bound.excludes(number.wide) {
                    outside += 1;
                    failure.get_or_insert(told);
                } else if claim.bound.includes(number.narrow) {
                    inside += 1;
                } else {
                    doubts.push(told);
                }
            }
        }
    }
    if let Some(most) = claim.most {
        if most.is_met(inside, steps.len()) {
            (failure, doubts) = (None, Vec::new());
        } else if most.is_met(steps.len() - outside, steps.len()) {
            // What is open decides.
            doubts.extend(failure.take());
        }
    }
    let (verdict, counterexample) = match (failure, &doubts[..]) {
        (Some(failure), _) => (Judgement::Fails, Some(failure)),
        (None, []) => (Judgement::Holds, None),
        (None, [only]) => (Judgement::Undecided, Some(only.clone())),
        (None, [first, more @ ..]) => {
            (Judgement::Undecided, Some(format!("{first}; {}", counted(more.len(), "more size"))))
        }
    };
    let least = seen.iter().copied().min_by(f64::total_cmp);
    let most = seen.iter().copied().max_by(f64::total_cmp);
    let observed = least.zip(most).map(|(least, most)| {
        let (least, most) = (claim.show(least), claim.show(most));
        let range = if least == most { least } else { format!("{least} to {most}") };
        match claim.most {
            Some(_) => format!("{range}; in the bound at {inside} of {} sizes", steps.len()),
            None => range,
        }
    });
    ClaimRow {
        schema_version: SCHEMA_VERSION,
        claim: number,
        says: claim.says.clone(),
        source: claim.source.clone(),
        measure: claim.measure.name().to_owned(),
        of: claim.of.clone(),
        compared_with: claim.against.as_ref().map(|against| match claim.shift {
            0 => against.to_string(),
            shift => format!("{against} at n + {shift}"),
        }),
        n: claim.n.to_string(),
        observed,
        bound: claim.to_string(),
        verdict,
        counterexample,
    }
}

impl Claim {
    /// A number of this claim in words.
    fn show(&self, number: f64) -> String {
        match (self.kind, self.measure) {
            (Kind::Difference, Measure::Time) => {
                let sign = if number < 0.0 { "-" } else { "" };
                format!("{sign}{}", Unit::Time.show(rounded(number.abs())))
            }
            (Kind::Difference | Kind::Equal, _) => format!("{number}"),
            (Kind::Ratio | Kind::Growth, _) if (0.995..1.005).contains(&number) => format!("{number:.4}"),
            (Kind::Ratio | Kind::Growth, _) => digits(number),
        }
    }
}

impl Evidence<'_> {
    /// The number of a claim at a size, or from one size to the next; or why there is none.
    fn number(&self, claim: &Claim, n: usize, next: usize, confidence: f64) -> Result<Number, String> {
        match claim.measure {
            Measure::Time => self.time(claim, n, next, confidence),
            _ => self.count(claim, n, next, confidence),
        }
    }

    fn count(&self, claim: &Claim, n: usize, next: usize, confidence: f64) -> Result<Number, String> {
        let counted = |solver: &str, n: usize| self.counted(claim, solver, n, confidence);
        let own = counted(&claim.of, n)?;
        let other = match &claim.against {
            None => counted(&claim.of, next)?,
            Some(Against::Solver(id)) => counted(id, n + claim.shift)?,
            Some(Against::Value(value, _)) => Count::exact(*value),
            Some(Against::Published(number)) => {
                let term = known::term(number, n);
                Count::exact(term.ok_or_else(|| format!("{number} is not known at n = {n}"))? as f64)
            }
        };
        let combined = |own: f64, other: f64| match claim.kind {
            Kind::Ratio => own / other,
            Kind::Difference | Kind::Equal => own - other,
            Kind::Growth => (other / own).powf(1.0 / (next - n) as f64),
        };
        let value = combined(own.value, other.value);
        if value.is_nan() {
            return Err(format!("n = {n}: 0 / 0"));
        }
        // One end of each: the number rises with one of the two and falls with the other.
        let interval = |own: (f64, f64), other: (f64, f64)| {
            let (a, b) = (combined(own.0, other.1), combined(own.1, other.0));
            (a.min(b), a.max(b))
        };
        let (narrow, wide) = (interval(own.narrow, other.narrow), interval(own.wide, other.wide));
        let reach = match own.seeds.max(other.seeds) {
            1 => String::new(),
            _ => format!(", 95 %: {} to {}", claim.show(narrow.0), claim.show(narrow.1)),
        };
        let shown = match claim.kind {
            Kind::Growth => format!("{} ({own}, then {other}{reach})", claim.show(value)),
            Kind::Equal => format!("{own} instead of {other}"),
            Kind::Ratio | Kind::Difference => {
                format!("{} ({own} against {other}{reach})", claim.show(value))
            }
        };
        Ok(Number { value: Some(value), narrow, wide, shown })
    }

    fn counted(&self, claim: &Claim, solver: &str, n: usize, confidence: f64) -> Result<Count, String> {
        let runs = of_claim(&self.counted, claim, solver, n);
        let series: BTreeSet<_> = runs.iter().map(|run| (&run.variant, run.goal, run.threads)).collect();
        if series.len() > 1 {
            return Err(format!("n = {n}: {solver} has several goals, variants or threads"));
        }
        let seeds: BTreeSet<u64> = runs.iter().map(|run| run.seed).collect();
        let mut values: BTreeMap<u64, f64> = BTreeMap::new();
        for (run, counts) in runs.iter().filter_map(|run| Some((run, run.counts.as_ref()?))) {
            let value = match claim.measure {
                Measure::Stat(stat) => counts.stats.get(stat),
                _ => counts.solutions,
            };
            let missing = || format!("n = {n}: {solver} does not report {}", claim.measure.name());
            values.entry(run.seed).or_insert(value.ok_or_else(missing)? as f64);
        }
        let (all, lost) = (seeds.len(), seeds.len() - values.len());
        match values.into_values().collect::<Vec<_>>()[..] {
            [] => Err(format!("n = {n}: no answered counting run of {solver}")),
            _ if lost > 0 => Err(format!("n = {n}: {lost} of {all} seeds of {solver} have no answer")),
            [value] => Ok(Count::exact(value)),
            ref values => {
                let interval = |confidence: f64| {
                    let (mean, reach) = paired::student(values, (1.0 - confidence) / 2.0);
                    ((mean - reach).max(0.0), mean + reach)
                };
                let value = values.iter().sum::<f64>() / all as f64;
                Ok(Count { value, narrow: interval(0.95), wide: interval(confidence), seeds: all })
            }
        }
    }

    fn time(&self, claim: &Claim, n: usize, next: usize, confidence: f64) -> Result<Number, String> {
        let own = self.times(claim, &claim.of, n)?;
        let other = match &claim.against {
            None => self.times(claim, &claim.of, next)?,
            Some(Against::Solver(id)) => self.times(claim, id, n + claim.shift)?,
            Some(Against::Value(value, _)) => {
                let rounds = match &own {
                    Times::Answered(rounds) => rounds.keys().copied().collect(),
                    Times::Limit(_) => vec![0],
                };
                Times::Answered(rounds.into_iter().map(|round| (round, *value)).collect())
            }
            Some(Against::Published(number)) => return Err(format!("{number} has no times")),
        };
        // What the differences of two transformed times are, transformed back.
        let is_ratio = claim.kind != Kind::Difference;
        let per = (next - n).max(1) as f64;
        let there = |time: f64| if is_ratio { time.max(1.0).ln() / per } else { time };
        let back = |value: f64| if is_ratio { value.exp() } else { value };
        let (first, second) = if claim.kind == Kind::Growth { (&other, &own) } else { (&own, &other) };
        let (first, second) = match (first, second) {
            (Times::Answered(first), Times::Answered(second)) => (first, second),
            (Times::Limit(_), Times::Limit(_)) => {
                return Err(format!("n = {n}: no run was faster than its limit"));
            }
            (Times::Limit(limit), Times::Answered(rounds)) => {
                let most = rounds.values().copied().fold(0.0, f64::max);
                return Ok(limited(claim, (back(there(*limit) - there(most)), f64::INFINITY)));
            }
            (Times::Answered(rounds), Times::Limit(limit)) => {
                let most = rounds.values().copied().fold(0.0, f64::max);
                return Ok(limited(claim, (back(f64::NEG_INFINITY), back(there(most) - there(*limit)))));
            }
        };
        let pairs = first.iter().filter_map(|(round, time)| Some((*time, *second.get(round)?)));
        let differences: Vec<f64> = pairs.map(|(a, b)| there(a) - there(b)).collect();
        let interval = |confidence: f64| {
            let (value, interval) = paired::estimate(&differences, confidence)?;
            let interval = interval.map(|(low, high)| (back(low), back(high)));
            Some((back(value), interval))
        };
        let (value, narrow) = interval(0.95).ok_or_else(|| format!("n = {n}: no round has runs of both"))?;
        let wide = interval(confidence).and_then(|(_, interval)| interval);
        let shown = claim.show(value);
        let (Some(narrow), Some(wide)) = (narrow, wide) else {
            return Err(format!("n = {n}: {shown}, but one round has no interval"));
        };
        let shown = format!("{shown} (95 %: {} to {})", claim.show(narrow.0), claim.show(narrow.1));
        Ok(Number { value: Some(value), narrow, wide, shown })
    }

    fn times(&self, claim: &Claim, solver: &str, n: usize) -> Result<Times, String> {
        let runs = of_claim(&self.timed, claim, solver, n);
        if runs.is_empty() {
            return Err(format!("n = {n}: no timed run of {solver}"));
        }
        let series: BTreeSet<_> =
            runs.iter().map(|run| (&run.variant, run.goal, run.threads, run.seed)).collect();
        if series.len() > 1 {
            return Err(format!("n = {n}: {solver} has several goals, variants, threads or seeds"));
        }
        if let Some(limit) = runs.iter().map(|run| run.timeout_ns()).min().flatten() {
            return Ok(Times::Limit(limit as f64));
        }
        let answered = runs.iter().filter_map(|run| Some((run.round, run.answered_ns? as f64)));
        let answered: BTreeMap<u32, f64> = answered.collect();
        if answered.len() < runs.len() {
            let limited = runs.iter().filter(|run| run.status == Status::Timeout).count();
            let (all, lost) = (runs.len(), runs.len() - answered.len());
            return Err(format!(
                "n = {n}: {lost} of {all} runs of {solver} have no answer, {limited} at the limit"
            ));
        }
        Ok(Times::Answered(answered))
    }
}

/// The runs of a solver at a size, of the problem of the claim.
fn of_claim<'r>(
    runs: &'r HashMap<(&'r str, usize), Vec<&'r Run>>,
    claim: &Claim,
    solver: &'r str,
    n: usize,
) -> Vec<&'r Run> {
    let runs = runs.get(&(solver, n)).map_or(&[][..], Vec::as_slice).iter().copied();
    runs.filter(|run| claim.variant.as_deref().is_none_or(|variant| *run.variant == *variant)).collect()
}

/// A number of which only an end is known.
fn limited(claim: &Claim, interval: (f64, f64)) -> Number {
    let shown = match interval {
        (low, high) if high.is_infinite() => format!("more than {} (time limit)", claim.show(low)),
        (_, high) => format!("less than {} (time limit)", claim.show(high)),
    };
    Number { value: None, narrow: interval, wide: interval, shown }
}

#[cfg(test)]
mod tests;
