//! The settings of a sweep: the keys of `[sweep]`, `[[solver]]` and `[[program]]`, and the options of `queenlab sweep`. Each
//! value is read from a text, in TOML and on the command line, and printed as that text.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::CpuList;
use super::Repeat;
use super::axis::{Axis, Words, text};
use crate::board::problem::Variant;
use crate::board::sizes::Sizes;
use crate::board::{BoardSize, ProblemError};
use crate::solver::Goal;

/// How often a cell is timed if the experiment does not say it: six runs are the least that give a 95 % interval of the median and can
/// decide by signed ranks, and seven leave room for a correction.
const DEFAULT_REPEAT: u32 = 7;

/// Settings, of which each may be missing; [`Settings::over`] lays one over another, and the functions below give the
/// default of a setting that is missing everywhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Board sizes.
    #[serde(with = "text")]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub n: Option<SweepSizes>,
    /// What solvers compute: first (one solution), count (the number of solutions) or enumerate (all solutions); or several
    /// of them, for example first,count [default: enumerate]
    #[serde(with = "text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "GOAL"))]
    pub goal: Option<Axis<Goal>>,
    /// Rules of the board.
    #[serde(with = "text")]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub variant: Option<Variants>,
    /// Files with one problem each.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub instances: Option<Words>,
    /// Timed runs for each solver and board size; 0 for counting runs only, without times; or 'until 2%': repeat until both
    /// ends of the confidence interval of the median are within 2 % of it, with at most 50 runs; 'until 2%, at most 30' sets
    /// another maximum [default: 3]
    #[serde(with = "text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "R"))]
    pub repeat: Option<Repeat>,
    /// Warm-up runs per cell (recorded, excluded from statistics) [default: 0]
    #[serde(with = "text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "W"))]
    pub warmup: Option<Bounded<0, 0xFFFF_FFFF>>,
    /// Time limit (wall clock) of a run, for example 500ms, 10s or 5m [default: 60s]
    #[serde(with = "text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "D"))]
    pub timeout: Option<Time>,
    /// Limit of the CPU time of a run, over all of its threads and processes, for example 30s; Linux only [default: no limit]
    #[serde(with = "text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "D"))]
    pub cpu_timeout: Option<Time>,
    /// Memory limit of a run, for example 512MiB or 2GiB [default: no limit]
    #[serde(with = "text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "B"))]
    pub memory: Option<Memory>,
    /// Number of threads per run, for example 4, or several numbers, for example 1,2 [default: 1]
    #[serde(with = "text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "T"))]
    pub threads: Option<Axis<usize>>,
    /// Random seed of randomized solvers, or several, for example 1-50; the first one also determines the order of runs
    /// [default: 1]
    #[serde(with = "text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "S"))]
    pub seed: Option<Axis<u64>>,
    /// Number of parallel runs, for example 4. Times are not comparable if it is more than 1 [default: 1]
    #[serde(with = "text")]
    #[cfg_attr(feature = "cli", arg(short, long, value_name = "J"))]
    pub jobs: Option<Bounded<1, 1024>>,
    /// CPUs that runs are bound to, for example 0, 0-3 or 0,2-3. Parallel runs divide them equally [default: all CPUs]
    #[serde(with = "text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "CPUS"))]
    pub pin: Option<CpuList>,
    /// Once a solver has timed out at K sizes in a row, skip its larger sizes; for example 2 [default: never]
    #[serde(with = "text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "K"))]
    pub stop_after_timeouts: Option<Bounded<1, 1_000_000>>,
}

/// The keys that `[[solver]]` and `[[program]]` may set for themselves.
pub const OWN: [&str; 7] = ["n", "goal", "timeout", "cpu_timeout", "memory", "threads", "seed"];

impl Settings {
    /// These settings, and those of `base` in place of missing ones.
    pub fn over(self, base: &Settings) -> Settings {
        Settings {
            n: self.n.or_else(|| base.n.clone()),
            goal: self.goal.or_else(|| base.goal.clone()),
            variant: self.variant.or_else(|| base.variant.clone()),
            instances: self.instances.or_else(|| base.instances.clone()),
            repeat: self.repeat.or(base.repeat),
            warmup: self.warmup.or(base.warmup),
            timeout: self.timeout.or(base.timeout),
            cpu_timeout: self.cpu_timeout.or(base.cpu_timeout),
            memory: self.memory.or(base.memory),
            threads: self.threads.or_else(|| base.threads.clone()),
            seed: self.seed.or_else(|| base.seed.clone()),
            jobs: self.jobs.or(base.jobs),
            pin: self.pin.or_else(|| base.pin.clone()),
            stop_after_timeouts: self.stop_after_timeouts.or(base.stop_after_timeouts),
        }
    }

    /// The board sizes; those of instances are their own.
    pub fn sizes(&self) -> Sizes {
        self.n.clone().map_or_else(Sizes::all, |n| n.all)
    }

    /// Whether a size is among those of a goal.
    pub fn has(&self, goal: Goal, n: BoardSize) -> bool {
        self.n.as_ref().is_none_or(|sizes| sizes.of_goal(goal).is_some_and(|sizes| sizes.contains(n)))
    }

    /// The goals.
    pub fn goals(&self) -> Axis<Goal> {
        self.goal.clone().unwrap_or(Axis::of(Goal::Enumerate))
    }

    /// The texts of problems; without any and without instances, that of the plain board.
    pub fn variants(&self) -> &[String] {
        self.variant.as_ref().map_or(&[], |variants| &variants.0)
    }

    /// The patterns of instances.
    pub fn patterns(&self) -> &[String] {
        self.instances.as_ref().map_or(&[], |patterns| &patterns.0)
    }

    /// How often a cell is timed.
    pub fn repeats(&self) -> Repeat {
        self.repeat.unwrap_or(Repeat::times(DEFAULT_REPEAT))
    }

    /// The number of warm-up runs.
    pub fn warmups(&self) -> u32 {
        self.warmup.map_or(0, |warmup| u32::try_from(warmup.0).unwrap_or(u32::MAX))
    }

    /// The limit of wall time.
    pub fn time_limit(&self) -> Duration {
        self.timeout.map_or(Duration::from_secs(60), |limit| limit.0)
    }

    /// The numbers of threads.
    pub fn thread_counts(&self) -> Axis<usize> {
        self.threads.clone().unwrap_or(Axis::of(1))
    }

    /// The seeds.
    pub fn seeds(&self) -> Axis<u64> {
        self.seed.clone().unwrap_or(Axis::of(1))
    }

    /// The number of parallel runs.
    pub fn parallel(&self) -> usize {
        self.jobs.map_or(1, |jobs| jobs.as_usize())
    }
}

/// Sizes of which some may exceed those of most solvers; either the same for all goals, or those of each goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepSizes {
    /// The sizes of all goals together.
    pub all: Sizes,
    by_goal: Vec<(Goal, Sizes)>,
}

impl SweepSizes {
    /// The same sizes for all goals.
    pub fn of(all: Sizes) -> Self {
        Self { all, by_goal: Vec::new() }
    }

    /// The sizes of a goal; none if only other goals have sizes.
    pub fn of_goal(&self, goal: Goal) -> Option<&Sizes> {
        match self.by_goal.is_empty() {
            true => Some(&self.all),
            false => self.by_goal.iter().find(|(own, _)| *own == goal).map(|(_, sizes)| sizes),
        }
    }

    /// The sizes that are among others, too; none if there is none.
    pub fn common(&self, others: &Sizes) -> Option<Self> {
        let of_goal = |(goal, sizes): &(Goal, Sizes)| Some((*goal, sizes.common(others)?));
        Some(Self {
            all: self.all.common(others)?,
            by_goal: self.by_goal.iter().filter_map(of_goal).collect(),
        })
    }

    /// Whether goals have their own sizes.
    pub fn is_by_goal(&self) -> bool {
        !self.by_goal.is_empty()
    }
}

impl FromStr for SweepSizes {
    type Err = String;

    /// Reads sizes, or lines such as `count: 4-12`.
    fn from_str(text: &str) -> Result<Self, String> {
        let sizes = |text: &str| Sizes::of_large(text).map_err(|error| error.to_string());
        let goal = |line: &str| {
            line.split_once(": ").and_then(|(goal, own)| Some((Goal::named(goal)?, own.to_owned())))
        };
        let by_goal: Vec<(Goal, String)> = text.lines().filter_map(goal).collect();
        if by_goal.is_empty() {
            return sizes(&text.replace('\n', ",")).map(Self::of);
        }
        if by_goal.len() < text.lines().count() {
            return Err("write sizes for each goal: n = { count = \"4-12\", first = \"4-32\" }".to_owned());
        }
        let all: Vec<&str> = by_goal.iter().map(|(_, own)| own.as_str()).collect();
        let all = sizes(&all.join(","))?;
        let of_goal = |(goal, own): &(Goal, String)| Ok((*goal, sizes(own)?));
        Ok(Self { all, by_goal: by_goal.iter().map(of_goal).collect::<Result<_, String>>()? })
    }
}

impl Display for SweepSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> =
            self.by_goal.iter().map(|(goal, sizes)| format!("{goal}: {sizes}")).collect();
        if lines.is_empty() { self.all.fmt(f) } else { f.write_str(&lines.join("\n")) }
    }
}

/// A whole number from `LOW` to `HIGH`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounded<const LOW: u64, const HIGH: u64>(pub u64);

impl<const LOW: u64, const HIGH: u64> Bounded<LOW, HIGH> {
    /// The number.
    pub fn as_usize(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<const LOW: u64, const HIGH: u64> FromStr for Bounded<LOW, HIGH> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().filter(|number| (LOW..=HIGH).contains(number));
        number.map(Self).ok_or_else(|| format!("must be a whole number from {LOW} to {HIGH}"))
    }
}

impl<const LOW: u64, const HIGH: u64> Display for Bounded<LOW, HIGH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A duration greater than zero: `500ms`, `10s`, `5m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time(pub Duration);

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse_duration(text).map(Self)
    }
}

/// A year of 365.25 days, in seconds.
const YEAR: u64 = 31_557_600;

/// The longest duration; its nanoseconds, and those of many of them, are numbers that every file and clock can hold.
const MAX_DURATION: Duration = Duration::from_secs(100 * YEAR);

/// Parses a duration greater than zero: `500ms`, `10s`, `5m`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(duration) if duration > MAX_DURATION => Err(format!(
            "'{text}' is more than {} years: write a shorter time",
            MAX_DURATION.as_secs() / YEAR
        )),
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(format!("'{text}' is not a duration greater than zero: write 500ms, 10s or 5m")),
    }
}

impl Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_duration(self.0).fmt(f)
    }
}

/// The largest memory size.
const MAX_MEMORY: bytesize::ByteSize = bytesize::ByteSize::eib(1);

/// A number of bytes greater than zero: `512MiB`, `2GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory(pub u64);

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<bytesize::ByteSize>() {
            // Larger sizes are not what was written, but the largest number.
            Ok(size) if size > MAX_MEMORY => {
                Err(format!("'{text}' is more than {MAX_MEMORY}, which no machine has: write a smaller size"))
            }
            Ok(size) if size.as_u64() > 0 => Ok(Self(size.as_u64())),
            _ => Err(format!("'{text}' is not a memory size greater than zero: write 512MiB or 2GiB")),
        }
    }
}

impl Display for Memory {
    /// The largest unit in which it is a whole number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        let unit = units.into_iter().find(|(bytes, _)| self.0.is_multiple_of(*bytes));
        let (bytes, name) = unit.unwrap_or((1, "B"));
        write!(f, "{}{name}", self.0 / bytes)
    }
}

/// The texts of problems, one per line. What follows the name of a variant depends on the size of the board and is checked
/// with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variants(pub Vec<String>);

impl FromStr for Variants {
    type Err = ProblemError;

    fn from_str(text: &str) -> Result<Self, ProblemError> {
        let check = |text: &str| match text.split(';').next() {
            Some("regions") => Ok(text.to_owned()),
            name => Variant::from_str(name.unwrap_or_default()).map(|_| text.to_owned()),
        };
        text.lines().map(check).collect::<Result<_, _>>().map(Self)
    }
}

impl Display for Variants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl FromStr for Axis<Goal> {
    type Err = String;

    /// Reads goals: `first,count`.
    fn from_str(text: &str) -> Result<Self, String> {
        Axis::read(text, |word| Goal::from_str(word).map_err(|error| error.to_string()))
    }
}

impl FromStr for Axis<usize> {
    type Err = String;

    /// Reads numbers of threads: `1,2`. No machine has more CPUs than a [`crate::spec::CpuList`] can have.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |word: &str| word.parse::<Bounded<1, 1024>>().map(|number| number.0);
        Ok(Axis::read_numbers(text, number)?.map(|number| usize::try_from(number).unwrap_or(1024)))
    }
}

impl FromStr for Axis<u64> {
    type Err = String;

    /// Reads seeds: `1-50`.
    fn from_str(text: &str) -> Result<Self, String> {
        Axis::read_numbers(text, |word| {
            word.parse().map_err(|_| {
                format!("'{word}' is not a seed: write a whole number from 0, or a range such as 1-50")
            })
        })
    }
}
