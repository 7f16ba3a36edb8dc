//! The blocks of docs/COUNTING.md from samples of column sets and from probes.

use std::collections::BTreeMap;

use queenlab::board::known;
use queenlab::count::column_sets;
use serde_json::Value;
use statrs::distribution::{Binomial, DiscreteCDF};

use super::separated;

const RECORD: &str = "experiments/record/2026-11-23-samples";
const PROBES: &str = "experiments/record/2026-11-23-estimates";
const SEEDS: &str = "experiments/record/2026-11-23-coverage";

/// What `queenlab count N --sample K --json` printed for a board.
struct Sample(Value);

impl Sample {
    fn read(n: usize) -> Self {
        let path = format!("{RECORD}/n{n}.json");
        let text = std::fs::read_to_string(path).expect("a record");
        let sample = Self(serde_json::from_str(&text).expect("JSON"));
        assert_eq!(sample.number("n"), n as f64);
        assert_eq!(sample.number("column_sets"), column_sets(n).len() as f64);
        assert_eq!(sample.0["published"].as_u64(), known::solutions(n));
        sample
    }

    fn number(&self, key: &str) -> f64 {
        self.0[key].as_f64().unwrap_or_else(|| panic!("no {key}"))
    }

    /// An estimate and its interval.
    fn estimate(&self, key: &str) -> [f64; 3] {
        ["estimate", "ci95_low", "ci95_high"]
            .map(|part| self.0[key][part].as_f64().expect("a number").max(0.0))
    }

    fn column_sets(&self) -> f64 {
        self.number("column_sets")
    }
}

/// Two significant digits in powers of ten.
fn power(value: f64) -> String {
    format!("{value:.1e}")
}

/// In core hours, with two significant digits.
fn core_hours(seconds: f64) -> String {
    let hours = seconds / 3600.0;
    let unit = 10_f64.powf(hours.log10().floor() - 1.0).max(1.0);
    separated(((hours / unit).round() * unit) as u64)
}

/// Seconds with two significant digits.
fn seconds(value: f64) -> String {
    let digits = if value < 1.0 { 2 } else { usize::from(value < 9.95) };
    format!("{value:.digits$} s")
}

fn memory(sample: &Sample) -> String {
    format!("{:.1} GiB", sample.number("peak_rss_bytes") / f64::from(1 << 30))
}

/// Estimates of the counts and of their costs.
pub fn samples() -> String {
    let mut counts = vec![
        "| n | column sets counted | top halves | estimate of Q(n) | 95 % interval | A000170 |\n|---|---|---|---|---|---|"
            .to_owned(),
    ];
    let mut times = vec![
        "| n | column sets | CPU per column set | core hours for all | 95 % interval | memory per thread |\n\
         |---|---|---|---|---|---|"
            .to_owned(),
    ];
    for n in 24..=28 {
        let sample = Sample::read(n);
        let [solutions, low, high] = sample.estimate("estimated_solutions");
        let published =
            known::solutions(n).map_or("unknown".to_owned(), |count| format!("{:.3e}", count as f64));
        let (sampled, thin) = (sample.number("sampled"), sample.number("thin"));
        counts.push(format!(
            "| {n} | {sampled} | one in {thin} | {solutions:.2e} | {low:.2e} to {high:.2e} | {published} |",
        ));
        let [cpu, low, high] = sample.estimate("estimated_cpu_s");
        times.push(format!(
            "| {n} | {} | {} | {} | {} to {} | {} |",
            separated(sample.column_sets() as u64),
            seconds(cpu / sample.column_sets()),
            core_hours(cpu),
            core_hours(low),
            core_hours(high),
            memory(&sample),
        ));
    }
    format!("{}\n\n{}", counts.join("\n"), times.join("\n"))
}

fn probes(n: usize, name: &str) -> Value {
    let text = std::fs::read_to_string(format!("{PROBES}/n{n}{name}.json")).expect("a record");
    let found: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(found["n"], n);
    found
}

/// Estimates of the counts by probes, against the published counts.
pub fn estimates() -> String {
    let mut lines = vec![
        "| n | probes | estimate of Q(n) | 95 % interval | A000170 | the estimate is |\n|---|---|---|---|---|---|"
            .to_owned(),
    ];
    for n in 24..=28 {
        let found = probes(n, "");
        let solutions = &found["solutions"];
        let number = |value: &Value| value.as_f64().expect("a number");
        let (estimate, error) = (number(&solutions["estimate"]), number(&solutions["standard_error"]));
        let [low, high] = [0, 1].map(|end| number(&solutions["ci95"][end]));
        let (published, distance) = match known::solutions(n) {
            None => ("unknown".to_owned(), String::new()),
            Some(count) => {
                let errors = (estimate - count as f64) / error;
                let side = if errors < 0.0 { "below" } else { "above" };
                (format!("{:.4e}", count as f64), format!("{:.1} standard errors {side} it", errors.abs()))
            }
        };
        lines.push(format!(
            "| {n} | {} | {estimate:.4e} | {low:.4e} to {high:.4e} | {published} | {distance} |",
            separated(number(&found["probes"]) as u64),
        ));
    }
    lines.join("\n")
}

/// Samples of column sets and probes beside each other: their errors and times.
pub fn estimates_compared() -> String {
    let mut lines = vec![
        "| n | column sets | standard error | time | probes | standard error | time | error of probes / sample, at equal time |\n\
         |---|---|---|---|---|---|---|---|"
            .to_owned(),
    ];
    for n in [16, 18, 20, 22] {
        let (sample, found) = (probes(n, "-sample"), probes(n, "-probes"));
        let of = |found: &Value, key: &str| {
            let part = |name: &str| found[key][name].as_f64().expect("a number");
            let wall = found["wall_ns"].as_f64().expect("a time") / 1e9;
            (part("standard_error") / part("estimate"), wall)
        };
        let (own, of_sample) = of(&sample, "estimated_solutions");
        let (error, of_probes) = of(&found, "solutions");
        lines.push(format!(
            "| {n} | {} | {:.2} % | {} | {} | {:.2} % | {} | {:.2} |",
            separated(sample["sampled"].as_u64().expect("a number")),
            100.0 * own,
            seconds(of_sample),
            separated(found["probes"].as_u64().expect("a number")),
            100.0 * error,
            seconds(of_probes),
            error * of_probes.sqrt() / (own * of_sample.sqrt()),
        ));
    }
    lines.join("\n")
}

/// How often the intervals of samples contain the published count.
pub fn sample_coverage() -> String {
    #[derive(Default)]
    struct Size {
        intervals: usize,
        hits: usize,
        squares: f64,
    }
    let text = std::fs::read_to_string(format!("{SEEDS}/samples.csv")).expect("a record");
    let mut sizes: BTreeMap<[usize; 3], Size> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<f64> = line.split(',').map(|field| field.parse().expect("a number")).collect();
        let [n, sampled, thin, _seed, estimate, low, high] = fields[..] else { panic!("{line}") };
        let published = known::solutions(n as usize).expect("a published count") as f64;
        let size = sizes.entry([n, sampled, thin].map(|field| field as usize)).or_default();
        size.intervals += 1;
        size.hits += usize::from((low..=high).contains(&published));
        size.squares += (estimate / published - 1.0).powi(2);
    }
    let mut lines = vec![
        "| n | column sets | top halves | samples | intervals that contain Q(n) | expected | root mean square error |\n\
         |---|---|---|---|---|---|---|"
            .to_owned(),
    ];
    for ([n, sampled, thin], Size { intervals, hits, squares }) in sizes {
        let thinned = if thin == 1 { "all".to_owned() } else { format!("one in {thin}") };
        let [least, most] = [0.005, 0.995].map(|share| quantile(intervals, share));
        assert!((least..=most).contains(&hits), "n = {n}: {hits} of {intervals} intervals");
        let error = 100.0 * (squares / intervals as f64).sqrt();
        lines.push(format!(
            "| {n} | {sampled} | {thinned} | {intervals} | {hits} | {least} to {most} | {error:.1} % |"
        ));
    }
    lines.join("\n")
}

/// What the count of n = 23 would take.
pub fn n23() -> String {
    let text = std::fs::read_to_string(format!("{SEEDS}/n23.json")).expect("a record");
    let sample = Sample(serde_json::from_str(&text).expect("JSON"));
    assert_eq!(sample.number("n"), 23.0);
    let [cpu, low, high] = sample.estimate("estimated_cpu_s").map(|seconds| seconds / 3600.0);
    format!(
        "n = 23 would take {cpu:.0} core hours (95 % interval {low:.0} to {high:.0}) on the machine of a sample of {} column \
         sets, or {:.0} hours with both of its cores. So it has not been counted in full either.",
        sample.number("sampled"),
        cpu / 2.0,
    )
}

/// The CPU time of n = 22 that samples predict, against that of shards of the whole count.
pub fn predicted() -> String {
    let text = std::fs::read_to_string(format!("{RECORD}/n22-predicted.json")).expect("a record");
    let rounds: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let mut lines = vec![
        "| seed | predicted | standard error | shard of 64 | measured, for all shards | predicted / measured |\n|---|---|---|---|---|---|"
            .to_owned(),
    ];
    let mut sums = [0.0; 2];
    for round in &rounds {
        let number = |key: &str| round[key].as_f64().unwrap_or_else(|| panic!("no {key}"));
        let (predicted, whole) = (number("predicted_s"), number("whole_s"));
        sums = [sums[0] + predicted, sums[1] + whole];
        lines.push(format!(
            "| {} | {predicted:.0} s | {:.1} % | {} | {whole:.0} s | {:.3} |",
            number("seed"),
            100.0 * number("standard_error_s") / predicted,
            number("shard"),
            predicted / whole
        ));
    }
    lines.push(format!("| sum | | | | | {:.3} |", sums[0] / sums[1]));
    lines.join("\n")
}

/// The number of exact 95 % intervals that contain the truth, not exceeded with this probability.
fn quantile(intervals: usize, share: f64) -> usize {
    let binomial = Binomial::new(0.95, intervals as u64).expect("a distribution");
    binomial.inverse_cdf(share) as usize
}

/// What n = 28 would take.
pub fn plan() -> String {
    let sample = Sample::read(28);
    let [cpu, low, high] = sample.estimate("estimated_cpu_s");
    let (sets, shards) = (sample.column_sets(), 100_000.0);
    let per_shard = sets / shards;
    format!(
        "| | |\n|---|---|\n\
         | work | {} column sets, {} of CPU time each on the machine of the samples |\n\
         | in all | {} core hours, 95 % interval {} to {} ({} CPU seconds) |\n\
         | on 10,000 cores | {:.0} days |\n\
         | memory | {} per thread, measured as the peak of a process that counted {} column sets; nothing is shared |\n\
         | shards | 100,000 of {:.0} column sets, {:.0} core hours each |\n\
         | files | the plan, less than 1 KB; a result of less than 1 KB per shard, 0.1 GB in all; while a shard runs, its log of about {:.0} KB |",
        separated(sets as u64),
        seconds(cpu / sets),
        core_hours(cpu),
        core_hours(low),
        core_hours(high),
        power(cpu),
        cpu / 10_000.0 / 86_400.0,
        memory(&sample),
        sample.number("sampled"),
        per_shard,
        cpu / shards / 3600.0,
        per_shard * 40.0 / 1000.0,
    )
}
