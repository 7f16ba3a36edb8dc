//! Turns a spec into a list of runs. No function here reads the clock or the machine, and only [`Plan::with_files`] reads files.
//!
//! A cell is one thing to measure: a size, a goal, a solver, its limits. A run is one repetition of a cell: it counts, it warms
//! up, or it is timed. Runs are grouped into rounds, so that drift of the machine affects all cells alike: round 0 has the
//! counting run of each cell, small boards first; then come warm-up and timed rounds. Each of them is a pass over all timed
//! cells in its own order, shuffled with the recorded seed.
//!
//! ```text
//! cell.rs     cells and their ids        making.rs   from a spec to cells and runs
//! ```

mod cell;
mod making;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

use super::commands;
use super::cpus::CpuList;
use super::files;
use super::repeat::Repeat;
use super::spec::{Spec, SpecError};
use crate::record::{InstanceText, Kind, PROGRAM, Row, Series, table};
use crate::solver::Stat;
pub use cell::{Cell, ProgramCall};

/// One repetition of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Index into [`Plan::cells`].
    pub cell: usize,
    /// Number of the pass over all cells.
    pub round: u32,
    /// What it is for.
    pub kind: Kind,
    /// Repetition, from 1; 0 for counting runs and skipped cells.
    pub repetition: u32,
}

/// Everything that an experiment will do, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The experiment.
    pub spec: Spec,
    /// How often each cell is timed.
    pub repeat: Repeat,
    /// Warm-up runs of each cell before the timed runs.
    pub warmup: u32,
    /// Seed of the order of the runs.
    pub order_seed: u64,
    /// Number of parallel jobs.
    pub jobs: usize,
    /// CPUs that runs are bound to.
    pub pin: Option<CpuList>,
    /// After timeouts at this many consecutive sizes, a solver is not run on larger sizes.
    pub stop_after_timeouts: Option<usize>,
    /// The part of the plan that is carried out; `None` for all of it.
    pub shard: Option<Shard>,
    /// The version of each solver, by its id.
    pub versions: BTreeMap<String, String>,
    /// The statistics that its solvers count.
    pub statistics: BTreeSet<Stat>,
    /// The cells to measure.
    pub cells: Vec<Cell>,
    /// The runs in order; determined by the cells, the number of rounds and the seed.
    pub runs: Vec<Run>,
}

/// The I-th of K parts of a plan, from 1: every K-th of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// I.
    pub index: usize,
    /// K.
    pub count: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        let valid = parts.filter(|&(index, count): &(usize, usize)| (1..=count).contains(&index));
        let shard = valid.map(|(index, count)| Self { index, count });
        shard
            .ok_or_else(|| format!("'{text}' is not a shard: write 3/64 for the third of 64, counted from 1"))
    }
}

impl Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl Plan {
    /// Adds the versions of programs: the first line that their version commands print. Starts those programs.
    pub fn with_versions(mut self) -> Result<Self, SpecError> {
        let programs = self.spec.programs.iter();
        let programs = programs.map(|own| (format!("{PROGRAM}{}", own.id), own.version.as_ref(), &own.place));
        let sat = self.spec.sat.iter().map(|own| (own.id.clone(), own.version.as_ref(), &own.place));
        for (id, command, place) in programs.chain(sat) {
            let Some(command) = command else { continue };
            let version = commands::first_line(command).map_err(|reason| SpecError {
                place: place.clone(),
                reason: format!("the version of '{id}': {reason}"),
            })?;
            self.versions.insert(id, version);
        }
        Ok(self)
    }

    /// Adds the digests of the files that its commands name; they become part of the ids of their cells.
    /// Reads those files.
    pub fn with_files(self) -> Self {
        let mut known = files::Known::new();
        self.with_digests(|words| files::of_command(words, &mut known))
    }

    /// Adds the digests that these files had when a result was made.
    pub fn with_recorded_files(self, recorded: &BTreeMap<String, String>) -> Self {
        let known = |word: &String| Some((word.clone(), recorded.get(word)?.clone()));
        self.with_digests(|words| words.iter().filter_map(known).collect())
    }

    fn with_digests(mut self, mut digests: impl FnMut(&[String]) -> BTreeMap<String, String>) -> Self {
        for cell in self.cells.iter_mut().filter(|cell| cell.skip.is_none() && cell.starts_programs()) {
            let files = digests(&cell.command());
            *cell = Cell { files, ..cell.clone() }.with_id();
        }
        self
    }

    /// The digests of the files that its commands name, by the word that names the file.
    pub fn files(&self) -> BTreeMap<String, String> {
        self.cells.iter().flat_map(|cell| cell.files.clone()).collect()
    }

    /// The problems of its instances, by name.
    pub fn instances(&self) -> BTreeMap<String, InstanceText> {
        self.spec.instances.iter().map(|own| (own.name.clone(), own.text.clone())).collect()
    }

    /// The part of the plan that a shard carries out.
    pub fn of_shard(self, shard: Shard) -> Self {
        let is_own = |cell: usize| cell % shard.count == shard.index - 1;
        let cells = self.cells.iter().enumerate().filter(|&(cell, _)| is_own(cell));
        let cells: Vec<Cell> = cells.map(|(_, cell)| cell.clone()).collect();
        let runs = self.runs.iter().filter(|run| is_own(run.cell));
        let runs = runs.map(|run| Run { cell: run.cell / shard.count, ..run.clone() }).collect();
        Self { cells, runs, shard: Some(shard), ..self }
    }

    /// Every command that the runs would start: programs and external SAT solvers.
    pub fn commands(&self) -> BTreeSet<String> {
        let cells = self.cells.iter().filter(|cell| cell.skip.is_none() && cell.starts_programs());
        cells.map(|cell| cell.command().join(" ")).collect()
    }

    /// The columns of `runs.csv` that its runs can fill.
    pub fn columns(&self) -> Vec<String> {
        let any = |has: fn(&Cell) -> bool| self.cells.iter().any(has);
        let programs = self.spec.programs.iter();
        let factors = programs.flat_map(|own| own.factors.keys().cloned()).collect();
        table::columns::<Row>(&factors, |column| match column {
            "cpu_limit_ns" => any(|cell| cell.cpu_limit_ns.is_some()),
            "memory_limit_bytes" => any(|cell| cell.memory_limit_bytes.is_some()),
            "cpu" => self.pin.is_some(),
            "exit_code" | "signal" => any(Cell::starts_programs),
            _ => Stat::named(column).is_none_or(|stat| self.statistics.contains(&stat)),
        })
    }

    /// An upper bound for the duration of the plan: every run takes up to its limit. With several jobs, a
    /// round takes at most the total divided by the jobs, plus the longest chain of runs that wait for each
    /// other (Graham 1966).
    pub fn worst_case(&self) -> Duration {
        let jobs = u32::try_from(self.jobs).unwrap_or(u32::MAX).max(1);
        let rounds = self.runs.chunk_by(|a, b| a.round == b.round);
        rounds.map(|round| self.worst_round(round, jobs)).fold(Duration::ZERO, Duration::saturating_add)
    }

    fn worst_round(&self, round: &[Run], jobs: u32) -> Duration {
        let cells = || round.iter().map(|run| &self.cells[run.cell]).filter(|cell| cell.skip.is_none());
        let sum = cells().map(Cell::time_limit).fold(Duration::ZERO, Duration::saturating_add);
        if jobs == 1 {
            return sum;
        }
        let mut chains: BTreeMap<Series<'_>, Duration> = BTreeMap::new();
        for cell in cells() {
            let chain = chains.entry(cell.series()).or_default();
            *chain = match self.stop_after_timeouts {
                Some(_) => chain.saturating_add(cell.time_limit()),
                None => cell.time_limit().max(*chain),
            };
        }
        let longest = chains.into_values().max().unwrap_or_default();
        sum.min((sum / jobs).saturating_add(longest))
    }

    /// The key of a run, by which a resumed sweep knows that the run is done.
    pub fn run_id(&self, run: &Run) -> String {
        run_id(&self.cells[run.cell].id, run.kind, run.repetition)
    }
}

/// The key of a repetition of a cell.
pub fn run_id(cell_id: &str, kind: Kind, repetition: u32) -> String {
    match kind {
        Kind::Timed => format!("{cell_id}.{repetition}"),
        Kind::Warmup => format!("{cell_id}.w{repetition}"),
        Kind::Counting => format!("{cell_id}.counting"),
    }
}

/// Limits of a plan. A plan beyond them would take too long to wait for, and gigabytes of memory before its
/// first run.
const MOST_CELLS: usize = 200_000;
const MOST_RUNS: u64 = 1_000_000;
