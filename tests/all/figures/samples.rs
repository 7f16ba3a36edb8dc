//! The blocks of docs/COUNTING.md from samples of column sets, experiments/record/2026-11-22-samples.

use queenlab::board::known;
use queenlab::count::column_sets;
use serde_json::Value;

use super::separated;

const RECORD: &str = "experiments/record/2026-11-22-samples";

/// What `queenlab count N --sample K --json` printed for a board.
struct Sample(Value);

impl Sample {
    /// A sample of this board: `name` is `counts`, for its number of solutions, or `time`, for its CPU time.
    fn read(n: usize, name: &str) -> Self {
        let path = format!("{RECORD}/n{n}-{name}.json");
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
        "| n | column sets counted | estimate of Q(n) | 95 % interval | A000170 |\n|---|---|---|---|---|"
            .to_owned(),
    ];
    let mut times = vec![
        "| n | column sets | counted | CPU per column set | core hours for all | 95 % interval | memory per thread |\n\
         |---|---|---|---|---|---|---|"
            .to_owned(),
    ];
    for n in [24, 25, 26, 28] {
        let sample = Sample::read(n, "counts");
        let [solutions, low, high] = sample.estimate("estimated_solutions");
        let published =
            known::solutions(n).map_or("unknown".to_owned(), |count| format!("{:.3e}", count as f64));
        let thinned = match sample.0["thin"].as_u64().unwrap_or(1) {
            1 => String::new(),
            thin => format!(", one in {thin} top halves"),
        };
        counts.push(format!(
            "| {n} | {}{thinned} | {solutions:.2e} | {low:.2e} to {high:.2e} | {published} |",
            sample.number("sampled"),
        ));
    }
    for n in [24, 25, 26, 28] {
        let sample = Sample::read(n, "time");
        let [cpu, low, high] = sample.estimate("estimated_cpu_s");
        times.push(format!(
            "| {n} | {} | {} | {} | {} | {} to {} | {} |",
            separated(sample.column_sets() as u64),
            sample.number("sampled"),
            seconds(cpu / sample.column_sets()),
            core_hours(cpu),
            core_hours(low),
            core_hours(high),
            memory(&sample),
        ));
    }
    format!("{}\n\n{}", counts.join("\n"), times.join("\n"))
}

/// What n = 28 would take.
pub fn plan() -> String {
    let sample = Sample::read(28, "time");
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
