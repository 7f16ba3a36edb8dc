//! Turns a spec into a list of runs. No function here reads the clock or the machine, and only
//! [`Plan::with_files`] reads files.
//!
//! A cell is one thing to measure: a size, a goal, a solver, its limits, and whether to count or to time. A
//! run is one repetition of a cell. Runs are grouped into rounds, so that drift of the machine affects all
//! cells alike: round 0 has the counting run of each cell, small boards first; then come warm-up and timed
//! rounds. Each of them is a pass over all timed cells in its own order, shuffled with the recorded seed.
//!
//! ```text
//! cell.rs     cells and their ids        making.rs   from a spec to cells and runs
//! ```

mod cell;
mod making;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::claim::Claim;
use super::commands;
use super::cpus::CpuList;
use super::files;
use super::repeat::Repeat;
use super::spec::{Spec, SpecError, at_most_1024};
use crate::command::CommandLine;
use crate::escape::{Escaped, is_plain};
use crate::record::{Meta, PROGRAM, sha256_hex};
use crate::registry::Registry;
use crate::solver::Options;
pub use cell::{Cell, CellInstance, ProgramCall, Series, only_zero, options_text, sat_program};

/// The largest number of threads that is accepted from a stored plan.
const MOST_THREADS: usize = 4096;

/// One repetition of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Index into [`Plan::cells`].
    pub cell: usize,
    /// Number of the pass over all cells.
    pub round: u32,
    /// Repetition, from 1; 0 for counting runs and skipped cells.
    pub repetition: u32,
    /// Whether this is a warm-up run: recorded, but excluded from statistics.
    pub warmup: bool,
}

/// Everything that an experiment will do, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Name of the experiment.
    pub name: String,
    /// The question that the experiment asks.
    pub question: String,
    /// The expected answer.
    pub expected: String,
    /// Timed runs of each cell; with `until`, the largest number of them. 0: only counting runs.
    pub repeat: u32,
    /// A cell is not repeated further when the interval of its median is within this percentage of the median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
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
    /// What the results are said to show; for reports only.
    #[serde(default)]
    pub claims: Vec<Claim>,
    /// The cells to measure.
    pub cells: Vec<Cell>,
    /// The runs in order; determined by the cells, the number of rounds and the seed.
    #[serde(skip)]
    pub runs: Vec<Run>,
}

impl Plan {
    /// Adds the versions of programs: the first line that their version commands print. Starts those programs.
    pub fn with_versions(mut self, spec: &Spec) -> Result<Self, SpecError> {
        let programs =
            spec.programs.iter().map(|program| (format!("program/{}", program.id), &program.version));
        let sat = spec.sat.iter().map(|program| (program.id.clone(), &program.version));
        let mut versions = BTreeMap::new();
        for (id, command) in programs.chain(sat) {
            let Some(command) = command else { continue };
            let version = commands::first_line(command).map_err(|reason| SpecError {
                place: spec.origin.clone(),
                reason: format!("the version of '{id}': {reason}"),
            })?;
            versions.insert(id, version);
        }
        for cell in &mut self.cells {
            let version = match cell.external {
                Some(_) => versions.get(sat_program(&cell.solver)),
                None => versions.get(&cell.solver),
            };
            if let Some(version) = version {
                cell.solver_version = Some(version.clone());
            }
        }
        Ok(self)
    }

    /// Adds the digests of the files that its commands name; they become part of the ids of their cells.
    /// Reads those files.
    pub fn with_files(mut self) -> Self {
        let mut known = files::Known::new();
        for cell in self.cells.iter_mut().filter(|cell| cell.skip.is_none()) {
            let words = match (&cell.program, &cell.external) {
                (Some(call), _) => call.command.clone(),
                (None, Some(command)) => {
                    CommandLine::parse(command).map(|line| line.words()).unwrap_or_default()
                }
                (None, None) => continue,
            };
            let files = files::of_command(&words, &mut known);
            *cell = Cell { files, ..cell.clone() }.with_id();
        }
        self
    }

    /// Reads the plan stored in `meta.json`, which may come from an untrusted source: each cell must match
    /// its digest, and its solver must be in `registry`. [`Plan::commands`] lists the programs that the plan
    /// would start.
    pub fn of_meta(meta: &Meta, registry: &Registry) -> Result<Self, String> {
        let mut plan: Self = serde_json::from_value(meta.plan.clone()).map_err(|error| error.to_string())?;
        let repetitions = u64::from(plan.warmup) + u64::from(plan.repeat) + 1;
        if repetitions.saturating_mul(plan.cells.len() as u64) > MOST_RUNS {
            return Err(format!("more than {MOST_RUNS} runs"));
        }
        let mut external: BTreeMap<(&str, Option<&str>), Registry> = BTreeMap::new();
        for cell in &plan.cells {
            let problem = cell.problem()?;
            if cell.digest() != cell.id {
                return Err(format!("the fields of cell {} do not match its id", cell.id));
            }
            let names = cell.options.iter().flat_map(|(name, value)| [name, value]);
            if let Some(name) = names.chain([&cell.solver, &cell.variant]).find(|name| !is_plain(name)) {
                return Err(format!("a cell has a name with control characters: {}", Escaped(name)));
            }
            if cell.threads == 0 || cell.threads > MOST_THREADS {
                return Err(format!("a cell has {} threads, outside 1 to {MOST_THREADS}", cell.threads));
            }
            if cell.program.is_none() && cell.skip.is_none() {
                let registry = external
                    .entry((sat_program(&cell.solver), cell.external.as_deref()))
                    .or_insert_with_key(|(name, command)| {
                        command.map_or(registry.clone(), |command| registry.with_sat(name, command))
                    });
                let solver = registry.get(&cell.solver).map_err(|error| error.to_string())?;
                let info = solver.info();
                let options = cell.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                Options::of(options, &info)?;
                if let Some(refusal) = info.refusal(&problem, cell.goal) {
                    return Err(refusal.to_string());
                }
            }
        }
        at_most_1024::<usize>(&plan.jobs.to_string()).map_err(|reason| format!("jobs {reason}"))?;
        if !(Repeat { most: plan.repeat, until: plan.until }).is_valid() {
            return Err("its numbers of repetitions are out of range".to_owned());
        }
        if plan.stop_after_timeouts == Some(0) {
            return Err("stop_after_timeouts is 0, and must be at least 1".to_owned());
        }
        plan.make_runs();
        if plan.sha256() != meta.plan_sha256 {
            return Err("its cells and runs do not match plan_sha256".to_owned());
        }
        Ok(plan)
    }

    /// Every command that the runs would start: programs, and external SAT solvers (`sat/*/external`).
    pub fn commands(&self) -> BTreeSet<String> {
        let cells = self.cells.iter().filter(|cell| cell.skip.is_none());
        let programs =
            cells.clone().filter_map(|cell| cell.program.as_ref()).map(|call| call.command.join(" "));
        programs.chain(cells.filter_map(|cell| cell.external.clone())).collect()
    }

    /// The names of the factors of its programs.
    pub fn factors(&self) -> BTreeSet<String> {
        let programs = self.cells.iter().filter(|cell| cell.solver.starts_with(PROGRAM));
        programs.flat_map(|cell| cell.options.keys().cloned()).collect()
    }

    /// SHA-256 of the plan's cells and runs, and of `jobs`, `pin`, `stop_after_timeouts` and `until` if any of them is
    /// not the default. The same work has the same digest, whatever the texts around it.
    pub fn sha256(&self) -> String {
        let ids: Vec<&str> = self.cells.iter().map(|cell| cell.id.as_str()).collect();
        let plain = self.jobs == 1 && self.pin.is_none() && self.stop_after_timeouts.is_none();
        let mut work = if plain {
            serde_json::json!([ids, self.runs])
        } else {
            serde_json::json!([ids, self.runs, self.jobs, self.pin, self.stop_after_timeouts])
        };
        if let (Some(until), Some(work)) = (self.until, work.as_array_mut()) {
            work.push(serde_json::json!({ "until": until }));
        }
        sha256_hex(work.to_string().as_bytes())
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
        run_id(&self.cells[run.cell].id, run.warmup, run.repetition)
    }
}

/// The key of a repetition of a cell.
pub fn run_id(cell_id: &str, warmup: bool, repetition: u32) -> String {
    let mark = if warmup { "w" } else { "" };
    format!("{cell_id}.{mark}{repetition}")
}

/// Limits of a plan. A plan beyond them would take too long to wait for, and gigabytes of memory before its
/// first run.
const MOST_CELLS: usize = 200_000;
const MOST_RUNS: u64 = 1_000_000;
