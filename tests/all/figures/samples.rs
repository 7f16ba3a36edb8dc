//! The blocks of docs/COUNTING.md: samples of column sets, counted by an earlier version of the program, and estimates by probes.

use std::collections::{BTreeMap, BTreeSet};

use queenlab::board::published;
use serde_json::Value;

use super::with_thousands_separators;

const RECORD: &str = "experiments/record/2026-11-23-samples";
const PROBES: &str = "experiments/record/2026-11-23-estimates";
const SHARDS: &str = "experiments/record/2026-11-28-counting-shards";
const PEER: &str = "experiments/record/2026-11-28-counting-peer";

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
    with_thousands_separators(((hours / unit).round() * unit) as u64)
}

/// Seconds with two significant digits.
fn seconds(value: f64) -> String {
    let digits = if value < 1.0 { 2 } else { usize::from(value < 9.95) };
    format!("{value:.digits$} s")
}

fn memory(sample: &Sample) -> String {
    format!("{:.1} GiB", sample.number("peak_rss_bytes") / f64::from(1 << 30))
}

/// The cost of large boards, with the estimate of Q(n) by the same sample. If the interval of a sample does not contain Q(n), or the
/// best known estimate of Q(n), the sample is not used for the cost.
pub fn board_costs() -> String {
    let mut lines = vec![
        "| n | column sets | sample | CPU time per column set | core hours, all column sets | 95 % interval | peak memory, one thread | Q(n), estimated by the sample | 95 % interval | Q(n) | cost |\n\
         |---|---|---|---|---|---|---|---|---|---|---|"
            .to_owned(),
    ];
    for n in 24..=28 {
        let sample = Sample::read(n);
        let [cpu, low, high] = sample.estimate("estimated_cpu_s");
        let [count, count_low, count_high] = sample.estimate("estimated_solutions");
        let (count_to_compare, source) = match published::solutions(n) {
            Some(count) => (count as f64, "A000170"),
            None => (probes(n)["solutions"]["estimate"].as_f64().expect("a number"), "estimated by probes"),
        };
        let is_typical = (count_low..=count_high).contains(&count_to_compare);
        lines.push(format!(
            "| {n} | {} | {} column sets, one in {} of their top halves | {} | {} | {} to {} | {} | {count:.2e} | {count_low:.2e} to {count_high:.2e} | {count_to_compare:.4e} ({source}) | {} |",
            with_thousands_separators(sample.column_sets() as u64),
            sample.number("sampled"),
            sample.number("thin"),
            seconds(cpu / sample.column_sets()),
            core_hours(cpu),
            core_hours(low),
            core_hours(high),
            memory(&sample),
            if is_typical { "estimated" } else { "undecided" },
        ));
    }
    lines.join("\n")
}

/// The count of one shard, which is a line of `shards.csv`.
struct Shard {
    n: usize,
    number: usize,
    of: usize,
    solver: String,
    column_sets: f64,
    /// The number of comparisons of a bottom half with a piece of top halves, a measure of work that does not depend on the machine.
    meetings: f64,
    solutions: f64,
    cpu_s: f64,
}

impl Shard {
    fn read_all() -> Vec<Self> {
        let text = std::fs::read_to_string(format!("{SHARDS}/shards.csv")).expect("a record");
        let shard = |line: &str| {
            let fields: Vec<&str> = line.split(',').collect();
            let number = |at: usize| fields[at].parse::<f64>().expect("a number");
            let size = |at: usize| fields[at].parse().expect("a size");
            Self {
                n: size(0),
                number: size(1),
                of: size(2),
                solver: fields[3].to_owned(),
                column_sets: number(4),
                meetings: number(5),
                solutions: number(6),
                cpu_s: number(7) + number(8),
            }
        };
        text.lines().skip(1).map(shard).collect()
    }

    /// The total number of solutions, if all column sets had as many solutions on average as those of this shard.
    fn scaled_solutions(&self, column_sets: f64) -> f64 {
        self.solutions / self.column_sets * column_sets
    }
}

/// The shards of n = 18, counted by AVX-512, and the deviation of each scaled number of solutions from Q(18).
fn small_shards() -> (Vec<Shard>, Vec<f64>) {
    let shards: Vec<Shard> = Shard::read_all().into_iter().filter(|shard| shard.n == 18).collect();
    assert!(shards.iter().all(|shard| shard.of == shards.len() && shard.solver == "count/avx512"));
    let column_sets: f64 = shards.iter().map(|shard| shard.column_sets).sum();
    let solutions: f64 = shards.iter().map(|shard| shard.solutions).sum();
    assert_eq!(Some(solutions as u64), published::solutions(18), "the shards do not cover the whole board");
    let deviations =
        shards.iter().map(|shard| shard.scaled_solutions(column_sets) / solutions - 1.0).collect();
    (shards, deviations)
}

/// How evenly shards divide a count.
pub fn shard_balance() -> String {
    let (shards, _) = small_shards();
    let work: Vec<f64> = shards.iter().map(|shard| shard.meetings).collect();
    let mean = work.iter().sum::<f64>() / work.len() as f64;
    let largest = work.iter().fold(0.0_f64, |a, &b| a.max(b));
    format!(
        "of the {} shards of n = 18 in [a record](../experiments/record/2026-11-28-counting-shards), the one with the most work \
         compares bottom halves with pieces of top halves {:.2} times as often as the average shard.",
        work.len(),
        largest / mean
    )
}

/// The shards of n = 24 counted by two kernels, compared with each other, with the sample and with A000170.
pub fn shards() -> String {
    const KERNELS: [&str; 2] = ["count/avx512", "count/avx2"];
    let sample = Sample::read(24);
    let [estimate, low, high] = sample.estimate("estimated_solutions");
    let total = published::solutions(24).expect("it is published") as f64;
    let recorded_shards: Vec<Shard> = Shard::read_all().into_iter().filter(|shard| shard.n == 24).collect();
    let mut lines = vec![
        "| shard | column sets | solutions, AVX-512 | solutions, AVX2 | scaled to all column sets | divided by A000170 | in the interval of the sample | CPU time per column set, AVX-512 | CPU time per column set, AVX2 |\n\
         |---|---|---|---|---|---|---|---|---|"
            .to_owned(),
    ];
    for avx512_shard in recorded_shards.iter().filter(|shard| shard.solver == KERNELS[0]) {
        let is_same_shard =
            |shard: &&Shard| (shard.number, shard.of) == (avx512_shard.number, avx512_shard.of);
        let mut avx2_shards = recorded_shards.iter().filter(|shard| shard.solver == KERNELS[1]);
        let avx2_shard = avx2_shards.find(is_same_shard).expect("both kernels counted it");
        assert_eq!(avx512_shard.solutions, avx2_shard.solutions, "the kernels differ");
        let number = avx512_shard.scaled_solutions(sample.column_sets());
        let cpu = |shard: &Shard| seconds(shard.cpu_s / shard.column_sets);
        let solutions = |shard: &Shard| with_thousands_separators(shard.solutions as u64);
        lines.push(format!(
            "| {}/{} | {} | {} | {} | {number:.3e} | {:.3} | {} | {} | {} |",
            avx512_shard.number,
            avx512_shard.of,
            avx512_shard.column_sets,
            solutions(avx512_shard),
            solutions(avx2_shard),
            number / total,
            if (low..=high).contains(&number) { "yes" } else { "no" },
            cpu(avx512_shard),
            cpu(avx2_shard),
        ));
    }
    let (small, deviations) = small_shards();
    let root_mean_square = (deviations.iter().map(|x| x * x).sum::<f64>() / deviations.len() as f64).sqrt();
    let largest_deviation = deviations.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let percent = |x: f64| format!("{:.1} %", 100.0 * x);
    let inside_or_outside = if (low..=high).contains(&total) { "in" } else { "outside" };
    lines.push(format!(
        "\nBoth kernels counted the same number of solutions. The estimate of the sample is {estimate:.3e}, with the interval {low:.3e} to {high:.3e}; \
         the number in A000170, {total:.3e}, is {inside_or_outside} this interval. The scaled number of a shard can be outside the interval. For example, the scaled numbers \
         of the {} shards of n = 18, with {:.0} column sets on average, differ from Q(18) by {} (root mean square), and by at most {}. \
         Shards with consecutive numbers mostly differ in the same direction, because consecutive column sets have similar numbers of solutions.",
        small.len(),
        small.iter().map(|shard| shard.column_sets).sum::<f64>() / small.len() as f64,
        percent(root_mean_square),
        percent(largest_deviation),
    ));
    lines.join("\n")
}

/// The work of the recorded count of n = 22 and of the recorded shards of n = 18.
pub fn work() -> String {
    let path = super::record("counting-n22").join("n22.json");
    let text = std::fs::read_to_string(path).expect("a record");
    let count: Value = serde_json::from_str(&text).expect("JSON");
    let number = |key: &str| count["work"][key].as_u64().unwrap_or_else(|| panic!("no {key}"));
    let solutions = count["solutions"].as_u64().expect("a number");
    let (small, _) = small_shards();
    let sum =
        |value: fn(&Shard) -> f64| with_thousands_separators(small.iter().map(value).sum::<f64>() as u64);
    format!(
        "The recorded count of n = 22 had {} column sets, with {} top halves in {} pieces, and {} bottom halves. It compared\n\
         a bottom half with a piece {} times, that is, it made {} comparisons of two halves, or {} per solution.\n\
         The recorded shards of n = 18 had {} column sets, and compared a bottom half with a piece {} times.",
        with_thousands_separators(number("column_sets")),
        with_thousands_separators(number("top_halves")),
        with_thousands_separators(number("pieces")),
        with_thousands_separators(number("bottom_halves")),
        with_thousands_separators(number("meetings")),
        with_thousands_separators(number("comparisons")),
        with_thousands_separators((number("comparisons") + solutions / 2) / solutions),
        sum(|shard| shard.column_sets),
        sum(|shard| shard.meetings),
    )
}

/// The averages of a column set in the recorded count of n = 22, in a drawing of the tree of keys.
pub fn tree() -> String {
    let path = super::record("counting-n22").join("n22.json");
    let text = std::fs::read_to_string(path).expect("a record");
    let count: Value = serde_json::from_str(&text).expect("JSON");
    let number = |key: &str| count["work"][key].as_f64().unwrap_or_else(|| panic!("no {key}"));
    let three_digits = |value: f64| {
        let unit = 10_f64.powf(value.log10().floor() - 2.0);
        with_thousands_separators(((value / unit).round() * unit) as u64)
    };
    let top_average = three_digits(number("top_halves") / number("column_sets"));
    let bottom_average = three_digits(number("bottom_halves") / number("column_sets"));
    let meetings = three_digits(number("meetings") / number("pieces"));
    format!(
        "```text\n    {top_average} tops, {bottom_average} bottoms                a column set of n = 22, on average\n\
         \x20      /            |           \\\n\
         \x20 tops with     tops with   ..  other tops     parts of at least 8 pieces; the part with the keys A\n\
         \x20 the keys A    the keys B                     gets the bottoms without the keys A, and so on\n\
         \x20   /    \\\n\
         512 tops  512 tops  ..                          pieces, each compared with {meetings} bottoms on average\n```"
    )
}

/// The counters compared with another program: medians, and ratios within rounds.
pub fn peer_comparison() -> String {
    let text = std::fs::read_to_string(format!("{PEER}/times.csv")).expect("a record");
    let mut times: BTreeMap<(usize, &str), BTreeMap<&str, f64>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let [round, n, program, solutions, user, system] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let n = n.parse().expect("a size");
        assert_eq!(solutions.parse().ok(), published::solutions(n), "{line}");
        let cpu = [user, system].map(|seconds| seconds.parse::<f64>().expect("seconds"));
        times.entry((n, program)).or_default().insert(round, cpu.iter().sum());
    }
    let sizes: BTreeSet<usize> = times.keys().map(|(n, _)| *n).collect();
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let digits = |value: f64| format!("{value:.*}", usize::from(value < 9.95) + usize::from(value < 0.995));
    let mut lines = vec![
        "| n | rounds | Kluev | `avx512` | `avx2` | `portable` | Kluev / `avx512` | Kluev / `avx2` | Kluev / `portable` |\n|---|---|---|---|---|---|---|---|---|"
            .to_owned(),
    ];
    for n in sizes {
        let times_of = |program| &times[&(n, program)];
        let kluev_times = times_of("kluev");
        let mut cells = vec![n.to_string(), kluev_times.len().to_string()];
        for program in ["kluev", "avx512", "avx2", "portable"] {
            cells.push(format!("{} s", digits(median(times_of(program).values().copied().collect()))));
        }
        for program in ["avx512", "avx2", "portable"] {
            let ratios: Vec<f64> =
                kluev_times.iter().map(|(round, time)| time / times_of(program)[round]).collect();
            let [low, high] = [f64::min, f64::max]
                .map(|times_of| ratios.iter().copied().reduce(times_of).expect("a round"));
            cells.push(format!("{} ({} to {})", digits(median(ratios)), digits(low), digits(high)));
        }
        lines.push(format!("| {} |", cells.join(" | ")));
    }
    lines.push(
        "\nTimes are medians of CPU times. A ratio is the median of the ratios within each round; the smallest and the largest of them are in parentheses.".to_owned(),
    );
    lines.join("\n")
}

fn probes(n: usize) -> Value {
    let text = std::fs::read_to_string(format!("{PROBES}/n{n}.json")).expect("a record");
    let estimate: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(estimate["n"], n);
    estimate
}

/// The estimates of the counts by probes, compared with the published counts.
pub fn estimates() -> String {
    let mut lines = vec![
        "| n | probes | estimate of Q(n) | 95 % interval | A000170 | distance of the estimate from A000170 |\n|---|---|---|---|---|---|"
            .to_owned(),
    ];
    for n in 24..=28 {
        let probe_result = probes(n);
        let solutions = &probe_result["solutions"];
        let number = |value: &Value| value.as_f64().expect("a number");
        let (estimate, error) = (number(&solutions["estimate"]), number(&solutions["standard_error"]));
        let [low, high] = [0, 1].map(|end| number(&solutions["ci95"][end]));
        let (published, distance) = match published::solutions(n) {
            None => ("unknown".to_owned(), String::new()),
            Some(count) => {
                let errors = (estimate - count as f64) / error;
                let side = if errors < 0.0 { "below" } else { "above" };
                (format!("{:.4e}", count as f64), format!("{:.1} standard errors {side}", errors.abs()))
            }
        };
        lines.push(format!(
            "| {n} | {} | {estimate:.4e} | {low:.4e} to {high:.4e} | {published} | {distance} |",
            with_thousands_separators(number(&probe_result["probes"]) as u64),
        ));
    }
    lines.join("\n")
}
