//! The table `[sweep]`: each key is declared once, for TOML, the command line and the help.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};

use super::values::{
    at_least_one, at_most_1024, goals, parse_duration, parse_memory, patterns, seeds, threads, variants,
};
use crate::board::sizes::Sizes;
use crate::experiment::axis::{Axis, Words};
use crate::experiment::cpus::CpuList;
use crate::experiment::repeat::{Repeat, RepeatText};
use crate::solver::Goal;
use crate::words::suggestion;

/// Passes the keys of `[sweep]` to a macro, except `n`. Each entry declares a key: its name, the type of its value and of
/// its field, its default; its type in TOML, and its parser, also for the command line; its meaning, as in the help, and
/// the default there; the properties of its option, if `queenlab sweep` has one.
macro_rules! sweep_keys {
    ($declare:ident) => {
        $declare! {
            goal: Axis<Goal> => Axis<Goal> = Axis::of(Goal::Enumerate), Words => goals,
                "What solvers compute: first (one solution), count (the number of solutions) or enumerate (all \
                 solutions); or several of them, for example first,count", "enumerate", [long, value_name = "GOAL"];
            variant: Vec<String> => Vec<String> = Vec::new(), Words => variants,
                "Rules of the board, for example toroidal", "queens";
            instances: Vec<String> => Vec<String> = Vec::new(), Words => patterns,
                "Files with one problem each, for example puzzles/*.txt", "none";
            repeat: Repeat => Repeat = Repeat::times(3), RepeatText => Repeat::from_str,
                "Timed runs for each solver and board size; 0 for counting runs only, without times; or 'until 2%': repeat until \
                 both ends of the confidence interval of the median are within 2 % of it, with at most 50 runs; 'until 2%, at most 30' sets another maximum", "3",
                [long, value_name = "R"];
            warmup: u32 => u32 = 0, u64 => u32::from_str,
                "Warm-up runs per cell (recorded, excluded from statistics)", "0", [long, value_name = "W"];
            timeout: Duration => Duration = Duration::from_secs(60), String => parse_duration,
                "Time limit (wall clock) of a run, for example 500ms, 10s or 5m", "60s", [long, value_name = "D"];
            cpu_timeout: Duration => Option<Duration> = None, String => parse_duration,
                "Limit of the CPU time of a run, over all of its threads and processes, for example 30s; Linux only",
                "no limit", [long, value_name = "D"];
            memory: u64 => Option<u64> = None, String => parse_memory,
                "Memory limit of a run, for example 512MiB or 2GiB", "no limit", [long, value_name = "B"];
            threads: Axis<usize> => Axis<usize> = Axis::of(1), Words => threads,
                "Number of threads per run, for example 4, or several numbers, for example 1,2", "1",
                [long, value_name = "T"];
            seed: Axis<u64> => Axis<u64> = Axis::of(1), Words => seeds,
                "Random seed of randomized solvers, or several, for example 1-50; the first one also determines the \
                 order of runs", "1";
            jobs: usize => usize = 1, u64 => at_most_1024::<usize>,
                "Number of parallel runs, for example 4. Times are not comparable if it is more than 1", "1",
                [short, long, value_name = "J"];
            pin: CpuList => Option<CpuList> = None, String => CpuList::from_str,
                "CPUs that runs are bound to, for example 0, 0-3 or 0,2-3. Parallel runs divide them equally", "all CPUs",
                [long, value_name = "CPUS"];
            stop_after_timeouts: usize => Option<usize> = None, u64 => at_least_one::<usize>,
                "Once a solver has timed out at K sizes in a row, skip its larger sizes; for example 2", "never",
                [long, value_name = "K"];
        }
    };
}
#[cfg(feature = "cli")]
pub(crate) use sweep_keys;

macro_rules! declare_sweep {
    ($($key:ident: $value:ty => $field:ty = $default:expr, $toml:ty => $parse:expr,
        $meaning:literal, $shown:literal $(, [$($option:tt)+])?;)+) => {
        /// The settings common to all cells.
        #[derive(Clone, Debug)]
        pub struct Sweep {
            /// Board sizes.
            pub n: Sizes,
            $(#[doc = $meaning] pub $key: $field,)+
        }

        impl Default for Sweep {
            /// The default of every key; the sizes are those of the built-in experiment.
            fn default() -> Self {
                Self { n: Sizes::from_str("1-10").expect("a range"), $($key: $default),+ }
            }
        }

        impl<'de> Visitor<'de> for SweepKeys {
            type Value = Sweep;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Sweep, M::Error> {
                let (mut n, mut sweep) = (None, Sweep::default());
                let known = ["n", $(stringify!($key)),+];
                while let Some(key) = map.next_key_seed(Parsed::<String, _>::by(|key| one_of(key, &known)))? {
                    match key {
                        $(stringify!($key) => {
                            let value: $value = map.next_value_seed(Parsed::<$toml, _>::by(|text| {
                                $parse(text).map_err(|error| format!("sweep.{key}: {error}"))
                            }))?;
                            sweep.$key = value.into();
                        })+
                        _ => n = Some(map.next_value_seed(Parsed::<String, _>::by(|text| {
                            Sizes::of_large(text).map_err(|error| format!("sweep.n: {error}"))
                        }))?),
                    }
                }
                let n = match n {
                    // Each instance has its own size.
                    None if !sweep.instances.is_empty() => Sizes::all(),
                    n => n.ok_or_else(|| M::Error::missing_field("n"))?,
                };
                Ok(Sweep { n, ..sweep })
            }
        }
    };
}
sweep_keys!(declare_sweep);

/// Reads the table `[sweep]`.
struct SweepKeys;

impl<'de> Deserialize<'de> for Sweep {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SweepKeys)
    }
}

pub(super) fn one_of(key: &str, known: &[&'static str]) -> Result<&'static str, String> {
    let found = known.iter().copied().find(|known| *known == key);
    found.ok_or_else(|| unknown_key(key, known))
}

/// The message about a key that does not exist.
pub(super) fn unknown_key(key: &str, known: &[&str]) -> String {
    let near = suggestion(key, known.iter().copied());
    format!("unknown key '{key}'; {near}the keys here are {}", known.join(", "))
}

/// Reads a value of type `V` and passes its text to a parser. An error has the place of the value.
struct Parsed<V, F>(F, PhantomData<V>);

impl<V, F> Parsed<V, F> {
    fn by<T>(parse: F) -> Self
    where
        F: Fn(&str) -> Result<T, String>,
    {
        Self(parse, PhantomData)
    }
}

impl<'de, V, T, F> DeserializeSeed<'de> for Parsed<V, F>
where
    V: Deserialize<'de> + ToString,
    F: Fn(&str) -> Result<T, String>,
{
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        (self.0)(&V::deserialize(deserializer)?.to_string()).map_err(D::Error::custom)
    }
}

/// Settings of one solver or program that replace those of the sweep.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the fields are those of Sweep")]
pub struct Own {
    pub n: Option<Sizes>,
    pub goal: Option<Axis<Goal>>,
    pub timeout: Option<Duration>,
    pub cpu_timeout: Option<Duration>,
    pub memory: Option<u64>,
    pub threads: Option<Axis<usize>>,
    pub seed: Option<Axis<u64>>,
}

impl Own {
    /// The keys of these settings.
    pub const KEYS: [&str; 7] = ["n", "goal", "timeout", "cpu_timeout", "memory", "threads", "seed"];

    /// The settings of the sweep with these in their places.
    pub fn over(&self, sweep: &Sweep) -> Sweep {
        let own = self.clone();
        let sweep = sweep.clone();
        Sweep {
            n: own.n.unwrap_or(sweep.n),
            goal: own.goal.unwrap_or(sweep.goal),
            timeout: own.timeout.unwrap_or(sweep.timeout),
            cpu_timeout: own.cpu_timeout.or(sweep.cpu_timeout),
            memory: own.memory.or(sweep.memory),
            threads: own.threads.unwrap_or(sweep.threads),
            seed: own.seed.unwrap_or(sweep.seed),
            ..sweep
        }
    }
}
