//! The settings of a sweep: the keys of `[sweep]`, `[[solver]]` and `[[program]]`, and the options of `queenlab sweep`.

use std::time::Duration;

use serde::Serialize;

use super::axis::{AxisValues, TextValues, as_text};
use super::place::{Located, SpecError, SpecSource};
use super::sizes::SweepSizes;
use super::table::{SpecTable, parsed, printable_values, sizes};
use super::values::{Bounded, Memory, PositiveDuration, Variants};
use runlab::{CpuList, Repeat};

use crate::board::BoardSize;
use crate::board::sizes::Sizes;
use crate::solver::Goal;

/// The default number of timed runs per cell. Six is the minimum for a 95 % interval of the median and for the signed-rank
/// test; with seven, the test can still decide after a correction for multiple tests.
const DEFAULT_REPEAT: u32 = 7;

/// Settings of a sweep or of a solver, each of which may be missing. [`Settings::or`] fills in missing settings. The functions that
/// return a setting, such as [`Settings::goals`], return the default if it is missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Settings {
    /// Board sizes.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub n: Option<Located<SweepSizes>>,
    /// What to compute: first (one solution), count or enumerate (all
    /// solutions), or several of them: first,count [default: enumerate]
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "GOAL"))]
    pub goal: Option<Located<AxisValues<Goal>>>,
    /// Problems: variants with their extra squares.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub variant: Option<Located<Variants>>,
    /// Glob patterns of files with one problem each.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub instances: Option<Located<TextValues>>,
    /// Timed runs per cell; 'until 2%, at most 30' repeats a cell until the
    /// confidence interval is within 2 % of the median [default: 7]
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "R"))]
    pub repeat: Option<Located<Repeat>>,
    /// Warm-up runs per cell, excluded from statistics [default: 0]
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "W"))]
    pub warmup: Option<Located<Bounded<0, 0xFFFF_FFFF>>>,
    /// Time limit of a run, for example 500ms or 5m [default: 60s]
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "D"))]
    pub timeout: Option<Located<PositiveDuration>>,
    /// Limit of the CPU time of a run; Linux only [default: no limit]
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "D"))]
    pub cpu_timeout: Option<Located<PositiveDuration>>,
    /// Memory limit of a run, for example 512MiB [default: no limit]
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "B"))]
    pub memory: Option<Located<Memory>>,
    /// Number of threads per run, or several numbers: 1,2 [default: 1]
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "T"))]
    pub threads: Option<Located<AxisValues<usize>>>,
    /// Random seeds, for example 1-50 [default: 1]
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "S"))]
    pub seed: Option<Located<AxisValues<u64>>>,
    /// Runs at the same time; above 1, times are not comparable [default: 1]
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "cli", arg(short, long, value_name = "J"))]
    pub jobs: Option<Located<Bounded<1, 1024>>>,
    /// CPUs that execute the runs, for example 0,2-3 [default: all CPUs]
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "CPUS"))]
    pub pin: Option<Located<CpuList>>,
    /// Skip larger sizes if K consecutive sizes timed out [default: never]
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "K"))]
    pub stop_after_timeouts: Option<Located<Bounded<1, 1_000_000>>>,
}

impl Settings {
    /// The settings that `[[solver]]` and `[[program]]` may have, too.
    pub const SOLVER_KEYS: [&str; 7] = ["n", "goal", "timeout", "cpu_timeout", "memory", "threads", "seed"];

    /// Reads the settings of `[sweep]`.
    ///
    /// # Errors
    ///
    /// The value of a key is invalid.
    pub fn read(table: &mut SpecTable<'_>) -> Result<Self, SpecError> {
        Ok(Self {
            n: table.optional("n", sizes)?,
            goal: table.optional("goal", parsed)?,
            variant: table.optional("variant", parsed)?,
            instances: table.optional("instances", printable_values)?,
            repeat: table.optional("repeat", parsed)?,
            warmup: table.optional("warmup", parsed)?,
            timeout: table.optional("timeout", parsed)?,
            cpu_timeout: table.optional("cpu_timeout", parsed)?,
            memory: table.optional("memory", parsed)?,
            threads: table.optional("threads", parsed)?,
            seed: table.optional("seed", parsed)?,
            jobs: table.optional("jobs", parsed)?,
            pin: table.optional("pin", parsed)?,
            stop_after_timeouts: table.optional("stop_after_timeouts", parsed)?,
        })
    }

    /// Reads the settings of `[[solver]]` and `[[program]]`, which replace those of the sweep.
    ///
    /// # Errors
    ///
    /// The value of a key is invalid.
    pub fn read_for_solver(table: &mut SpecTable<'_>) -> Result<Self, SpecError> {
        Ok(Self {
            n: table.optional("n", sizes)?,
            goal: table.optional("goal", parsed)?,
            timeout: table.optional("timeout", parsed)?,
            cpu_timeout: table.optional("cpu_timeout", parsed)?,
            memory: table.optional("memory", parsed)?,
            threads: table.optional("threads", parsed)?,
            seed: table.optional("seed", parsed)?,
            ..Self::default()
        })
    }

    /// Fills in missing settings from `defaults`.
    pub fn or(self, defaults: Self) -> Self {
        Self {
            n: self.n.or(defaults.n),
            goal: self.goal.or(defaults.goal),
            variant: self.variant.or(defaults.variant),
            instances: self.instances.or(defaults.instances),
            repeat: self.repeat.or(defaults.repeat),
            warmup: self.warmup.or(defaults.warmup),
            timeout: self.timeout.or(defaults.timeout),
            cpu_timeout: self.cpu_timeout.or(defaults.cpu_timeout),
            memory: self.memory.or(defaults.memory),
            threads: self.threads.or(defaults.threads),
            seed: self.seed.or(defaults.seed),
            jobs: self.jobs.or(defaults.jobs),
            pin: self.pin.or(defaults.pin),
            stop_after_timeouts: self.stop_after_timeouts.or(defaults.stop_after_timeouts),
        }
    }

    /// Checks that the sizes of a solver are sizes of the sweep.
    ///
    /// # Errors
    ///
    /// A size is not in the sweep.
    pub fn check_sizes(&self, source: &SpecSource, sizes: &Sizes) -> Result<(), SpecError> {
        let Some(n) = &self.n else { return Ok(()) };
        let missing_size = n.all.iter().find(|&n| !sizes.contains(n));
        missing_size
            .map_or(Ok(()), |size| Err(source.error("n", n.place(), size_not_in_sweep(size.get(), sizes))))
    }

    /// The board sizes; all sizes if the key is missing, because instances define their sizes.
    pub fn sizes(&self) -> Sizes {
        self.n.as_ref().map_or_else(Sizes::all, |n| n.all.clone())
    }

    /// Whether runs with this goal have this size.
    pub fn has_size(&self, goal: Goal, n: BoardSize) -> bool {
        self.n.as_ref().is_none_or(|sizes| sizes.of_goal(goal).is_some_and(|sizes| sizes.contains(n)))
    }

    /// The goals.
    pub fn goals(&self) -> AxisValues<Goal> {
        self.goal.as_deref().cloned().unwrap_or(AxisValues::of(Goal::Enumerate))
    }

    /// The texts of the problems. If there are neither texts nor instances, the sweep has the plain problem.
    pub fn variants(&self) -> &[String] {
        self.variant.as_ref().map_or(&[], |variants| &variants.0)
    }

    /// The glob patterns of instance files.
    pub fn patterns(&self) -> &[String] {
        self.instances.as_ref().map_or(&[], |patterns| &patterns.0)
    }

    /// The number of timed runs of each cell.
    pub fn repeats(&self) -> Repeat {
        self.repeat.as_deref().copied().unwrap_or(Repeat::times(DEFAULT_REPEAT))
    }

    /// The number of warm-up runs.
    pub fn warmups(&self) -> u32 {
        self.warmup.as_ref().map_or(0, |warmup| u32::try_from(warmup.0).unwrap_or(u32::MAX))
    }

    /// The limit of wall time.
    pub fn time_limit(&self) -> Duration {
        self.timeout.as_ref().map_or(Duration::from_secs(60), |limit| limit.0)
    }

    /// The limit of CPU time.
    pub fn cpu_limit(&self) -> Option<Duration> {
        self.cpu_timeout.as_ref().map(|limit| limit.0)
    }

    /// The limit of memory, in bytes.
    pub fn memory_limit(&self) -> Option<u64> {
        self.memory.as_ref().map(|limit| limit.0)
    }

    /// The numbers of threads.
    pub fn thread_counts(&self) -> AxisValues<usize> {
        self.threads.as_deref().cloned().unwrap_or(AxisValues::of(1))
    }

    /// The seeds.
    pub fn seeds(&self) -> AxisValues<u64> {
        self.seed.as_deref().cloned().unwrap_or(AxisValues::of(1))
    }

    /// The number of parallel runs.
    pub fn parallel_runs(&self) -> usize {
        self.jobs.as_ref().map_or(1, |jobs| jobs.as_usize())
    }

    /// The CPUs that runs are bound to.
    pub fn cpus(&self) -> Option<CpuList> {
        self.pin.as_deref().cloned()
    }

    /// The number of consecutive sizes with timeouts after which larger sizes are skipped.
    pub fn timeouts_to_stop(&self) -> Option<usize> {
        self.stop_after_timeouts.as_ref().map(|sizes| sizes.as_usize())
    }
}

/// The message for a size that is not in the sweep.
pub fn size_not_in_sweep(n: usize, sweep: &Sizes) -> String {
    format!("{n} is not among the sizes of the sweep ({sweep}): extend sweep.n, or leave {n} out")
}
