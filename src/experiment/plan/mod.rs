//! Converts a spec to a list of runs. The functions in this folder do not read the clock, the state of the machine or files.
//!
//! A cell is one combination to measure: a problem, a size, a goal, a solver and its limits. A run is one repetition of a cell: a
//! counting run, a warm-up run or a timed run. Runs are grouped into rounds, so that drift of the machine affects all cells
//! alike. Round 0 consists of the counting runs and the skipped cells, small boards first. Each warm-up or timed round is a pass
//! over all timed cells in a different order, which is shuffled with the recorded seed.
//!
//! cells.rs makes the cells of a spec, claims.rs checks whether the runs can decide the claims, and file.rs reads and
//! writes `plan.json`.

mod cells;
mod claims;
mod file;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::problem::Problem;
use crate::board::{BoardSize, ProblemError};
use crate::command::CommandLine;
use crate::count::Shard;
use crate::instance::Instance;
use crate::model::{CellKey, ProgramColumn, SeriesKey};
use crate::record::{InstanceText, Row, sha256_hex, table};
use crate::solver::Stat;
use crate::spec::{CpuList, Naming, Repeat, Spec};
pub(super) use file::stored_instances;
pub use runlab::Run;
pub use runlab::plan::run_id;
use runlab::{PlannedCell, RunLimits, RunPlan, Schedule};

/// One combination to measure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// A digest of the other fields, except for `skip` and for the path and the rules of the instance, whose file has its own
    /// digest. The id does not depend on the order of the cells, the queenlab executable, the machine or the time.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The problem, size, goal, solver, threads and seed.
    #[serde(flatten)]
    pub key: CellKey,
    /// The problem, if it is an instance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<InstanceText>,
    /// The user's program to start, for `program/<id>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramCall>,
    /// The command of an external SAT solver or model counter, for example `clasp {cnf}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external: Option<String>,
    /// Exit codes that mean that the program, or the external solver, gave up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_exit_codes: Vec<i32>,
    /// Where the count is in the output of a model counter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The SHA-256 of each file named by the command of the program or of the external solver.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Limit of wall time, in nanoseconds.
    pub time_limit_ns: u64,
    /// Limit of the CPU time of all processes of a run, in nanoseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_limit_ns: Option<u64>,
    /// Limit of memory, in bytes: see [`RunLimits::memory`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit_bytes: Option<u64>,
    /// Why the cell is skipped; `None` if it is run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip: Option<String>,
}

/// The command of a user's program for one cell, with all placeholders replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgramCall {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The name of a notation, or `auto`.
    pub notation: String,
    /// Exit codes that mean success.
    pub accept_exit_codes: Vec<i32>,
    /// Where the answer is in the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Files of the program that its command does not name, such as modules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

impl Cell {
    /// Limit of wall time.
    pub fn time_limit(&self) -> Duration {
        Duration::from_nanos(self.time_limit_ns)
    }

    /// All limits of the cell.
    pub fn limits(&self) -> RunLimits {
        RunLimits {
            time: Some(self.time_limit()),
            cpu: self.cpu_limit_ns.map(Duration::from_nanos),
            memory: self.memory_limit_bytes,
        }
    }

    /// The problem.
    ///
    /// # Errors
    ///
    /// The text of the problem is invalid.
    pub fn problem(&self) -> Result<Problem, ProblemError> {
        let text = self.instance.as_ref().map_or(self.key.problem.as_str(), |instance| &instance.problem);
        Problem::from_text(BoardSize::large(self.key.n)?, text)
    }

    /// The series that the cell belongs to.
    pub fn series(&self) -> SeriesKey<'_> {
        self.key.series()
    }

    /// The problem and the solver, as in `n=8 toroidal backtrack/dlx`.
    pub fn name(&self) -> String {
        let CellKey { n, problem, solver, .. } = &self.key;
        let problem = if problem.is_plain() { String::new() } else { format!("{problem} ") };
        format!("n={n} {problem}{solver}")
    }

    /// Whether the process of a run starts other programs.
    pub fn starts_programs(&self) -> bool {
        self.program.is_some() || self.external.is_some()
    }

    /// The words of the command that the runs start; empty if they do not start a program.
    pub fn command(&self) -> Vec<String> {
        match (&self.program, &self.external) {
            (Some(call), _) => call.command.clone(),
            (None, Some(command)) => CommandLine::parse(command).map(|line| line.words()).unwrap_or_default(),
            (None, None) => Vec::new(),
        }
    }

    /// The words that may be paths of files: the words of the command, and the additional files of the program.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let additional_files = self.program.iter().flat_map(|call| call.files.iter().cloned());
        self.command().into_iter().chain(additional_files.collect::<Vec<_>>())
    }

    /// Whether a row has the size, series and limits of this cell.
    pub fn matches(&self, row: &Row) -> bool {
        let limits = (Some(self.time_limit_ns), self.cpu_limit_ns, self.memory_limit_bytes);
        row.n == self.key.n
            && row.series() == self.series()
            && (row.time_limit_ns, row.cpu_limit_ns, row.memory_limit_bytes) == limits
    }

    /// Sets the id, which is computed from the other fields.
    fn with_id(mut self) -> Self {
        let identity = Cell {
            id: String::new(),
            instance: self.instance.clone().map(|instance| InstanceText {
                problem: String::new(),
                path: String::new(),
                ..instance
            }),
            skip: None,
            ..self.clone()
        };
        // The keys of a JSON value are sorted, so the order of the fields does not matter.
        let identity =
            serde_json::to_value(&identity).expect("a cell has no maps with other keys than texts");
        self.id = format!("{CELL_ID_PREFIX}{}", &sha256_hex(identity.to_string().as_bytes())[..16]);
        self
    }
}

/// All runs of an experiment, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The experiment.
    pub spec: Spec,
    /// The number of timed runs per cell.
    pub repeat: Repeat,
    /// Warm-up runs of each cell before the timed runs.
    pub warmup: u32,
    /// Number of parallel jobs.
    pub jobs: usize,
    /// CPUs that runs are bound to.
    pub pin: Option<CpuList>,
    /// After timeouts at this many consecutive sizes, a solver is not run on larger sizes.
    pub stop_after_timeouts: Option<usize>,
    /// The shard of the plan; `None` for the whole plan.
    pub shard: Option<Shard>,
    /// The version of each solver, by its id.
    pub versions: BTreeMap<String, String>,
    /// The statistics that the solvers count.
    pub statistics: BTreeSet<Stat>,
    /// The labels and groups of series, by the full name of the solver.
    pub names: BTreeMap<String, Naming>,
    /// The cells to measure.
    pub cells: Vec<Cell>,
    /// The runs in order; determined by the cells, the number of rounds and the seed.
    pub runs: Vec<Run>,
    /// The instances that the spec selects.
    pub instances: Vec<Instance>,
}

/// The programs of a plan that are installed on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstalledPrograms {
    /// The first lines that version commands print, by the ids of their programs.
    pub versions: BTreeMap<String, String>,
    /// The cells that cannot be run on this machine: for each position in the plan, the reason with the command that installs
    /// the program.
    pub missing: BTreeMap<usize, String>,
}

impl Plan {
    /// Makes the plan of these cells, with all runs.
    fn of_cells(
        spec: Spec,
        cells: Vec<Cell>,
        instances: Vec<Instance>,
        versions: BTreeMap<String, String>,
        statistics: BTreeSet<Stat>,
        names: BTreeMap<String, Naming>,
    ) -> Self {
        let settings = &spec.sweep;
        let mut plan = Self {
            repeat: settings.repeats(),
            warmup: settings.warmups(),
            jobs: settings.parallel_runs(),
            pin: settings.cpus(),
            stop_after_timeouts: settings.timeouts_to_stop(),
            shard: None,
            versions,
            statistics,
            names,
            cells,
            runs: Vec::new(),
            instances,
            spec,
        };
        plan.runs = plan.all_runs();
        plan
    }

    /// Adds the digests of files to the cells whose commands name them. The keys of `digests` are words of commands. The
    /// digests become part of the ids of the cells.
    pub fn with_files(mut self, digests: &BTreeMap<String, String>) -> Self {
        // The id of a cell does not depend on whether its program is installed.
        for cell in self.cells.iter_mut().filter(|cell| cell.starts_programs()) {
            let with_digest = |word: String| digests.get(&word).cloned().map(|digest| (word, digest));
            let files = cell.words().filter_map(with_digest).collect();
            *cell = Cell { files, ..cell.clone() }.with_id();
        }
        self
    }

    /// Adapts the plan to a machine that has these programs: the cells of missing programs are skipped.
    pub fn with_programs(mut self, installed: InstalledPrograms) -> Self {
        self.versions.extend(installed.versions);
        for (at, reason) in installed.missing {
            self.cells[at].skip = Some(reason);
        }
        self.runs = self.all_runs();
        self
    }

    /// The digests of the files that commands of the plan name. The keys are words of commands.
    pub fn files(&self) -> BTreeMap<String, String> {
        self.cells.iter().flat_map(|cell| cell.files.clone()).collect()
    }

    /// The instances of the plan, by name.
    pub fn instances(&self) -> BTreeMap<String, InstanceText> {
        self.instances.iter().map(|instance| (instance.name.clone(), instance.text.clone())).collect()
    }

    /// The part of the plan that belongs to a shard. All cells of one size, problem and goal are in the same shard, so that ratios
    /// compare runs of one machine.
    pub fn of_shard(self, shard: Shard) -> Self {
        let mut groups = HashMap::new();
        let (cells, runs) = self.select(|cell| {
            let CellKey { n, problem, goal, .. } = &cell.key;
            let next_group = groups.len();
            let group = *groups.entry((*n, problem, *goal)).or_insert(next_group);
            group % shard.total() == shard.number() - 1
        });
        Self { runs, cells, shard: Some(shard), ..self }
    }

    /// The part of the plan about one solver: its cells with their runs, and the claims that are only about this solver.
    pub fn of_solver(mut self, solver: &str) -> Self {
        let (cells, runs) = self.select(|cell| cell.key.solver == solver);
        self.spec.claims.retain(|claim| claim.solvers().all(|of_claim| *of_claim == solver));
        Self { runs, cells, ..self }
    }

    /// The cells for which `keep` is true, and their runs.
    fn select<'a>(&'a self, mut keep: impl FnMut(&'a Cell) -> bool) -> (Vec<Cell>, Vec<Run>) {
        let mut cells: Vec<Cell> = Vec::new();
        // For each cell of the plan, the position among the selected cells.
        let mut positions: Vec<Option<usize>> = Vec::new();
        for cell in &self.cells {
            let is_selected = keep(cell);
            positions.push(is_selected.then_some(cells.len()));
            cells.extend(is_selected.then(|| cell.clone()));
        }
        let runs = self.runs.iter().filter_map(|run| Some(Run { cell: positions[run.cell]?, ..run.clone() }));
        (cells, runs.collect())
    }

    /// Every command that the runs would start: programs, external SAT solvers and model counters.
    pub fn commands(&self) -> BTreeSet<String> {
        let cells = self.cells.iter().filter(|cell| cell.skip.is_none() && cell.starts_programs());
        cells.map(|cell| cell.command().join(" ")).collect()
    }

    /// The columns of `runs.csv` that the runs of this plan can fill.
    pub fn columns(&self) -> Vec<String> {
        let any_cell = |has: fn(&Cell) -> bool| self.cells.iter().any(has);
        let programs = self.spec.programs.iter();
        let factors = programs
            .flat_map(|program| program.factors.keys().map(|name| ProgramColumn::Factor(name).to_string()));
        table::columns::<Row>(&factors.collect(), |column| match column {
            "cpu_limit_ns" => any_cell(|cell| cell.cpu_limit_ns.is_some()),
            "memory_limit_bytes" => any_cell(|cell| cell.memory_limit_bytes.is_some()),
            "cpu" => self.pin.is_some(),
            "exit_code" | "signal" => any_cell(Cell::starts_programs),
            "reported_solve_ns" => any_cell(|cell| cell.program.is_some()),
            _ => Stat::named(column).is_none_or(|stat| self.statistics.contains(&stat)),
        })
    }

    /// The plan for `runlab`: the runs, and the limits of the cells.
    pub fn run_plan(&self) -> RunPlan {
        let cell = |cell: &Cell| {
            let series = cell.series();
            PlannedCell {
                id: cell.id.clone(),
                series: series.to_string(),
                size: cell.key.n as u64,
                limits: cell.limits(),
                is_counted: cell.program.is_none(),
                is_timed: true,
                skip: cell.skip.clone(),
            }
        };
        let schedule = Schedule {
            repeat: self.repeat,
            warmup: self.warmup,
            seed: *self.spec.sweep.seeds().first(),
            stop_after_timeouts: self.stop_after_timeouts,
        };
        RunPlan { cells: self.cells.iter().map(cell).collect(), schedule, runs: self.runs.clone() }
    }

    /// Schedules the runs of all cells.
    fn all_runs(&self) -> Vec<Run> {
        let RunPlan { cells, schedule, .. } = Self { runs: Vec::new(), ..self.clone() }.run_plan();
        RunPlan::new(cells, schedule).runs
    }

    /// The `run_id` of a run. A resumed sweep uses it to find out which runs are done.
    pub fn run_id(&self, run: &Run) -> String {
        run_id(&self.cells[run.cell].id, run.kind, run.repetition)
    }
}

/// The first character of the ids of cells. It is a letter, so that spreadsheets do not read an id of digits as a number.
const CELL_ID_PREFIX: char = 'c';

/// The maximum number of cells. More cells would take gigabytes of memory.
const MAX_CELLS: usize = 200_000;
/// The maximum number of runs, for the same reason.
const MAX_RUNS: u64 = 1_000_000;
