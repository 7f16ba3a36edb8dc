//! Verdicts of claims. A claim holds if its number is in its bound at every size; it fails if the number is outside at one
//! size; otherwise it is undecided, because runs are missing or the times vary too much.
//!
//! Counts are exact. The number of a time is an interval from the runs of the same rounds ([`paired`]): the
//! claim holds where all of the 95 % interval is in the bound. It fails where none of a wider interval is: its confidence
//! is 1 - 0.05 / k for k sizes, so that a true claim fails in at most one of twenty sweeps, however many sizes it has. If
//! every run reached its limit, the time is known to be longer.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::unit::digits;
use super::{Run, Unit, paired, rounded};
use crate::board::known;
use crate::experiment::claim::{Against, Claim, Kind, Measure};
use crate::record::{ClaimRow, Judgement, NodesRow, SCHEMA_VERSION, Status};

/// The verdicts of claims, in their order.
pub fn judge(claims: &[Claim], runs: &[Run], nodes: &[NodesRow]) -> Vec<ClaimRow> {
    if claims.is_empty() {
        return Vec::new();
    }
    let mut timed: HashMap<(&str, usize), Vec<&Run>> = HashMap::new();
    for run in runs.iter().filter(|run| run.is_timed) {
        timed.entry((&run.solver, run.n)).or_default().push(run);
    }
    let mut counted: HashMap<(&str, usize), Vec<&NodesRow>> = HashMap::new();
    for row in nodes {
        counted.entry((&row.solver, row.n)).or_default().push(row);
    }
    let evidence = Evidence { timed, counted };
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

/// The runs and counts that claims can name, by solver and size.
struct Evidence<'a> {
    timed: HashMap<(&'a str, usize), Vec<&'a Run>>,
    counted: HashMap<(&'a str, usize), Vec<&'a NodesRow>>,
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
    for &(n, next) in &steps {
        match evidence.number(claim, n, next, confidence) {
            Err(reason) => doubts.push(reason),
            Ok(number) => {
                seen.extend(number.value);
                let place = if n == next { format!("n = {n}") } else { format!("n = {n} to {next}") };
                let told = format!("{place}: {}", number.shown);
                if claim.bound.excludes(number.wide) {
                    failure.get_or_insert(told);
                } else if !claim.bound.includes(number.narrow) {
                    doubts.push(told);
                }
            }
        }
    }
    let (verdict, counterexample) = match (failure, &doubts[..]) {
        (Some(failure), _) => (Judgement::Fails, Some(failure)),
        (None, []) => (Judgement::Holds, None),
        (None, [only]) => (Judgement::Undecided, Some(only.clone())),
        (None, [first, more @ ..]) => {
            (Judgement::Undecided, Some(format!("{first}; {} more sizes", more.len())))
        }
    };
    let least = seen.iter().copied().min_by(f64::total_cmp);
    let most = seen.iter().copied().max_by(f64::total_cmp);
    let observed = least.zip(most).map(|(least, most)| {
        let (least, most) = (claim.show(least), claim.show(most));
        if least == most { least } else { format!("{least} to {most}") }
    });
    ClaimRow {
        schema_version: SCHEMA_VERSION,
        claim: number,
        says: claim.says.clone(),
        source: claim.source.clone(),
        measure: claim.measure.name().to_owned(),
        of: claim.of.clone(),
        compared_with: claim.against.as_ref().map(ToString::to_string),
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
            (Kind::Ratio | Kind::Growth, _) if number < 0.0995 => format!("{number:.2e}"),
            (Kind::Ratio | Kind::Growth, _) => digits(number),
        }
    }
}

impl Evidence<'_> {
    /// The number of a claim at a size, or from one size to the next; or why there is none.
    fn number(&self, claim: &Claim, n: usize, next: usize, confidence: f64) -> Result<Number, String> {
        match claim.measure {
            Measure::Time => self.time(claim, n, next, confidence),
            _ => self.count(claim, n, next),
        }
    }

    fn count(&self, claim: &Claim, n: usize, next: usize) -> Result<Number, String> {
        let own = self.counted(&claim.of, claim.measure, n)?;
        let other = match &claim.against {
            None => self.counted(&claim.of, claim.measure, next)? as f64,
            Some(Against::Solver(id)) => self.counted(id, claim.measure, n)? as f64,
            Some(Against::Value(value, _)) => *value,
            Some(Against::Published(number)) => {
                let term = known::term(number, n);
                term.ok_or_else(|| format!("{number} is not known at n = {n}"))? as f64
            }
        };
        let value = match claim.kind {
            Kind::Ratio => own as f64 / other,
            Kind::Difference | Kind::Equal => own as f64 - other,
            Kind::Growth => (other / own as f64).powf(1.0 / (next - n) as f64),
        };
        if value.is_nan() {
            return Err(format!("n = {n}: 0 / 0"));
        }
        let shown = match claim.kind {
            Kind::Growth => format!("{} ({own}, then {other})", claim.show(value)),
            Kind::Equal => format!("{own} instead of {other}"),
            Kind::Ratio | Kind::Difference => format!("{} ({own} against {other})", claim.show(value)),
        };
        Ok(Number { value: Some(value), narrow: (value, value), wide: (value, value), shown })
    }

    fn counted(&self, solver: &str, measure: Measure, n: usize) -> Result<u64, String> {
        let rows = self.counted.get(&(solver, n)).map_or(&[][..], Vec::as_slice);
        let value = |row: &NodesRow| match measure {
            Measure::Stat(stat) => row.stats.get(stat),
            _ => row.solutions,
        };
        match rows {
            [] => Err(format!("n = {n}: no answered counting run of {solver}")),
            [row] => {
                value(row).ok_or_else(|| format!("n = {n}: {solver} does not report {}", measure.name()))
            }
            _ => Err(format!("n = {n}: {solver} has several goals, variants or threads")),
        }
    }

    fn time(&self, claim: &Claim, n: usize, next: usize, confidence: f64) -> Result<Number, String> {
        let own = self.times(&claim.of, n)?;
        let other = match &claim.against {
            None => self.times(&claim.of, next)?,
            Some(Against::Solver(id)) => self.times(id, n)?,
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

    fn times(&self, solver: &str, n: usize) -> Result<Times, String> {
        let runs = self.timed.get(&(solver, n)).map_or(&[][..], Vec::as_slice);
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

/// A number of which only an end is known.
fn limited(claim: &Claim, interval: (f64, f64)) -> Number {
    let shown = match interval {
        (low, high) if high.is_infinite() => format!("more than {} (time limit)", claim.show(low)),
        (_, high) => format!("less than {} (time limit)", claim.show(high)),
    };
    Number { value: None, narrow: interval, wide: interval, shown }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::record::Row;
    use crate::report::fixture::{ended, run};
    use crate::report::tables;
    use crate::solver::Stat;

    /// Rounds of a solver at a size.
    fn rounds(n: usize, solver: &str, times: &[u64]) -> Vec<Row> {
        (1..)
            .zip(times)
            .map(|(round, &time)| Row { round, repetition: round, ..run(n, solver, time) })
            .collect()
    }

    fn counted(n: usize, solver: &str, nodes: u64) -> Row {
        let stats = [(Stat::Nodes, nodes)].into();
        Row { counting: true, solutions: known::solutions(n), stats, ..run(n, solver, 1) }
    }

    fn judged(rows: &[Row], claim: &Value) -> ClaimRow {
        let mut table = claim.as_object().expect("a table").clone();
        table.insert("says".to_owned(), "a".into());
        let claim = Claim::of_table(table, None).expect("a claim");
        let runs = Run::all(rows);
        judge(&[claim], &runs, &tables::nodes(&runs)).remove(0)
    }

    /// The verdict, what was observed, and the reason.
    fn told(rows: &[Row], claim: &Value) -> (Judgement, String, String) {
        let row = judged(rows, claim);
        (row.verdict, row.observed.unwrap_or_default(), row.counterexample.unwrap_or_default())
    }

    fn is(verdict: Judgement, observed: &str, why: &str) -> (Judgement, String, String) {
        (verdict, observed.to_owned(), why.to_owned())
    }

    #[test]
    fn counts_hold_fail_with_the_first_counterexample_or_are_missing() {
        let rows: Vec<Row> = (5..8)
            .flat_map(|n| [counted(n, "fc", [10, 20, 45][n - 5]), counted(n, "bt", [20, 30, 40][n - 5])])
            .collect();
        let claim =
            |n: &str| json!({"measure": "nodes", "of": "fc", "compared_with": "bt", "ratio": "< 1", "n": n});
        assert_eq!(told(&rows, &claim("5-6")), is(Judgement::Holds, "0.50 to 0.67", ""));
        assert_eq!(
            told(&rows, &claim("5-7")),
            is(Judgement::Fails, "0.50 to 1.12", "n = 7: 1.12 (45 against 40)")
        );
        // A counterexample is one, whatever is missing elsewhere.
        assert_eq!(told(&rows, &claim("4-7")).0, Judgement::Fails);
        let missing = "n = 8: no answered counting run of fc; 1 more sizes";
        assert_eq!(told(&rows, &claim("5-6,8-9")), is(Judgement::Undecided, "0.50 to 0.67", missing));
        let growth = json!({"measure": "nodes", "of": "bt", "growth_per_n": "1.2-1.4", "n": "5-7"});
        assert_eq!(
            told(&rows, &growth),
            is(Judgement::Fails, "1.33 to 1.50", "n = 5 to 6: 1.50 (20, then 30)")
        );
        let columns = json!({"measure": "updates", "of": "bt", "value": 1, "difference": "< 1", "n": "5"});
        assert_eq!(told(&rows, &columns), is(Judgement::Undecided, "", "n = 5: bt does not report updates"));
    }

    #[test]
    fn published_numbers_and_exact_values_are_compared_as_they_are() {
        let rows = [counted(8, "bt", 2057), counted(9, "bt", 8393), counted(14, "bt", 1)];
        let nodes =
            |n: &str| json!({"measure": "nodes", "of": "bt", "published": "A319283", "equal": true, "n": n});
        assert_eq!(told(&rows, &nodes("8")), is(Judgement::Holds, "0", ""));
        assert_eq!(told(&rows, &nodes("8-9")).2, "n = 9: 8393 instead of 8394");
        assert_eq!(told(&rows, &nodes("14")), is(Judgement::Undecided, "", "A319283 is not known at n = 14"));
        let solutions =
            json!({"measure": "solutions", "of": "bt", "published": "A000170", "equal": true, "n": "8-9"});
        assert_eq!(told(&rows, &solutions).0, Judgement::Holds);
    }

    #[test]
    fn times_hold_where_the_interval_of_the_rounds_is_in_the_bound() {
        let claim = |bound: &str| json!({"measure": "time", "of": "a", "compared_with": "b", "ratio": bound, "n": "8"});
        // The machine becomes slower from round to round, but the ratio is the same within each.
        let slower = [1000, 2000, 4000, 8000, 16_000, 32_000];
        let rows = [rounds(8, "a", &slower), rounds(8, "b", &slower.map(|time| time * 21 / 20))].concat();
        assert_eq!(told(&rows, &claim("< 1")), is(Judgement::Holds, "0.95", ""));
        let fails = told(&rows, &claim("> 1"));
        assert_eq!(fails, is(Judgement::Fails, "0.95", "n = 8: 0.95 (95 %: 0.95 to 0.95)"));
        let noisy =
            [rounds(8, "a", &slower), rounds(8, "b", &[1100, 1900, 4100, 7900, 16_100, 31_000])].concat();
        let (verdict, _, why) = told(&noisy, &claim("< 1"));
        assert_eq!(verdict, Judgement::Undecided);
        assert!(why.starts_with("n = 8: ") && why.contains("(95 %: "), "{why}");
        // One round of each says nothing about the noise.
        let once = [rounds(8, "a", &[1000]), rounds(8, "b", &[2000])].concat();
        assert_eq!(told(&once, &claim("< 1")).0, Judgement::Undecided);
        let apart = [rounds(8, "a", &[1000]), vec![Row { round: 2, ..run(8, "b", 2000) }]].concat();
        assert_eq!(told(&apart, &claim("< 1")).2, "n = 8: no round has runs of both");
    }

    #[test]
    fn growth_and_values_of_times_use_rounds_too() {
        let rows: Vec<Row> = (8..11)
            .flat_map(|n| rounds(n, "a", &[1000, 1010, 1020].map(|time| time * 5_u64.pow(n as u32 - 8))))
            .collect();
        let growth =
            |bound: &str, n: &str| json!({"measure": "time", "of": "a", "growth_per_n": bound, "n": n});
        assert_eq!(told(&rows, &growth("4.9-5.1", "8-10")), is(Judgement::Holds, "5.00", ""));
        assert_eq!(told(&rows, &growth("4.9-5.1", "8,10")), is(Judgement::Holds, "5.00", ""));
        assert_eq!(told(&rows, &growth("> 5.5", "8-10")).0, Judgement::Fails);
        let value =
            |bound: &str| json!({"measure": "time", "of": "a", "value": "1us", "ratio": bound, "n": "8"});
        assert_eq!(told(&rows, &value("0.9-1.1")).0, Judgement::Holds);
        let difference =
            json!({"measure": "time", "of": "a", "value": "1us", "difference": "< 1ms", "n": "8"});
        assert_eq!(told(&rows, &difference), is(Judgement::Holds, "10 ns", ""));
    }

    #[test]
    fn a_limit_says_that_a_time_is_longer() {
        // The limit is 1000 ns.
        let rows = [
            vec![ended(8, "slow", Status::Timeout), ended(8, "slow", Status::Timeout)],
            rounds(8, "fast", &[100, 110, 120]),
            vec![ended(8, "torn", Status::Timeout), run(8, "torn", 5)],
        ]
        .concat();
        let ratio = |of: &str, with: &str, bound: &str| {
            told(
                &rows,
                &json!({"measure": "time", "of": of, "compared_with": with, "ratio": bound, "n": "8"}),
            )
        };
        assert_eq!(ratio("slow", "fast", "> 8"), is(Judgement::Holds, "", ""));
        assert_eq!(ratio("fast", "slow", "< 1").0, Judgement::Holds);
        assert_eq!(
            ratio("slow", "fast", "< 1"),
            is(Judgement::Fails, "", "n = 8: more than 8.33 (time limit)")
        );
        assert_eq!(ratio("slow", "fast", "> 9").0, Judgement::Undecided);
        assert_eq!(ratio("slow", "slow", "> 0").2, "n = 8: no run was faster than its limit");
        assert_eq!(
            ratio("torn", "fast", "< 1").2,
            "n = 8: 1 of 2 runs of torn have no answer, 1 at the limit"
        );
        let value = json!({"measure": "time", "of": "slow", "value": "1us", "ratio": ">= 1", "n": "8"});
        assert_eq!(told(&rows, &value).0, Judgement::Holds);
    }

    #[test]
    fn verdicts_are_counted_in_words() {
        let with = |verdict| ClaimRow { verdict, ..ClaimRow::default() };
        let all = [Judgement::Holds, Judgement::Holds, Judgement::Fails, Judgement::Undecided].map(with);
        assert_eq!(summary(&all), "2 hold, 1 fails, 1 is undecided");
        assert_eq!(summary(&all[..1]), "1 holds");
    }
}
