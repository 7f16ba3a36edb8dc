//! The blocks of docs/COUNTING.md from samples of column sets, which an earlier version counted, and from probes.

use queenlab::board::published;
use serde_json::Value;

use super::separated;

const RECORD: &str = "experiments/record/2026-11-23-samples";
const PROBES: &str = "experiments/record/2026-11-23-estimates";

/// The result of a sample of a board's column sets.
struct Sample(Value);

impl Sample {
    fn read(n: usize) -> Self {
        let path = format!("{RECORD}/n{n}.json");
        let text = std::fs::read_to_string(path).expect("a record");
        let sample = Self(serde_json::from_str(&text).expect("JSON"));
        assert_eq!(sample.number("n"), n as f64);
        assert_eq!(sample.0["published"].as_u64(), published::solutions(n));
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

/// The cost of large boards, with the estimate of Q(n) by the same sample: a sample whose interval does not contain Q(n), or the best
/// estimate of it, does not decide the cost.
pub fn prices() -> String {
    let mut lines = vec![
        "| n | column sets | counted | CPU per column set | core hours for all | 95 % interval | memory per thread | Q(n) by the sample | 95 % interval | Q(n) | cost |\n\
         |---|---|---|---|---|---|---|---|---|---|---|"
            .to_owned(),
    ];
    for n in 24..=28 {
        let sample = Sample::read(n);
        let [cpu, low, high] = sample.estimate("estimated_cpu_s");
        let [count, count_low, count_high] = sample.estimate("estimated_solutions");
        let (best, how) = match published::solutions(n) {
            Some(count) => (count as f64, "A000170"),
            None => (probes(n)["solutions"]["estimate"].as_f64().expect("a number"), "by probes, below"),
        };
        let decides = (count_low..=count_high).contains(&best);
        lines.push(format!(
            "| {n} | {} | {}, one in {} top halves | {} | {} | {} to {} | {} | {count:.2e} | {count_low:.2e} to {count_high:.2e} | {best:.4e} ({how}) | {} |",
            separated(sample.column_sets() as u64),
            sample.number("sampled"),
            sample.number("thin"),
            seconds(cpu / sample.column_sets()),
            core_hours(cpu),
            core_hours(low),
            core_hours(high),
            memory(&sample),
            if decides { "estimated" } else { "undecided" },
        ));
    }
    lines.join("\n")
}

fn probes(n: usize) -> Value {
    let text = std::fs::read_to_string(format!("{PROBES}/n{n}.json")).expect("a record");
    let estimate: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(estimate["n"], n);
    estimate
}

/// Estimates of the counts by probes, against the published counts.
pub fn estimates() -> String {
    let mut lines = vec![
        "| n | probes | estimate of Q(n) | 95 % interval | A000170 | the estimate is |\n|---|---|---|---|---|---|"
            .to_owned(),
    ];
    for n in 24..=28 {
        let estimated = probes(n);
        let solutions = &estimated["solutions"];
        let number = |value: &Value| value.as_f64().expect("a number");
        let (estimate, error) = (number(&solutions["estimate"]), number(&solutions["standard_error"]));
        let [low, high] = [0, 1].map(|end| number(&solutions["ci95"][end]));
        let (published, distance) = match published::solutions(n) {
            None => ("unknown".to_owned(), String::new()),
            Some(count) => {
                let errors = (estimate - count as f64) / error;
                let side = if errors < 0.0 { "below" } else { "above" };
                (format!("{:.4e}", count as f64), format!("{:.1} standard errors {side} it", errors.abs()))
            }
        };
        lines.push(format!(
            "| {n} | {} | {estimate:.4e} | {low:.4e} to {high:.4e} | {published} | {distance} |",
            separated(number(&estimated["probes"]) as u64),
        ));
    }
    lines.join("\n")
}
