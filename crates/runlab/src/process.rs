//! Executes each run in a separate process, so that a limit can end the run in any state, and no run influences later runs.
//!
//! The parent starts a program and writes a request to its standard input. The program calls [`serve`], which executes the request
//! and writes a report to standard output. Request and report are lines of JSON.

use std::ffi::OsString;
use std::io::{self, BufRead, Read, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use supervise::CpuUse;
use supervise::cgroup::OutOfMemoryKills;
use supervise::files::{self, temporary_directory};
use supervise::proc::Root;
pub use supervise::process::{EndedProcess, Stopped};
use supervise::process::{Process, Scope, Supervision};
use supervise::run_group::{self, RunGroup, RunGroups};

use crate::plan::{Kind, RunLimits, RunPlan};
use crate::{CpuList, Executor};

/// The program that executes runs, each in a separate process.
#[derive(Clone, Debug)]
pub struct Processes {
    program: PathBuf,
    arguments: Vec<OsString>,
    cpus: Option<CpuList>,
    machine: Root,
    kills: OutOfMemoryKills,
    groups: Option<Arc<RunGroups>>,
}

/// The measurements of a run in a separate process.
#[derive(Clone)]
pub struct Measured<R> {
    /// The report of the process.
    pub report: ProcessReport<R>,
    /// The ending of the process, with the CPU time and memory that it used.
    pub ended: EndedProcess,
    /// The time during the run in which some process of the machine waited for a CPU; Linux only.
    pub cpu_stall: Option<Duration>,
    /// Whether the system killed processes for lack of memory during the run: in the control group of the run, in the surrounding
    /// control group or, if there is none, on the whole machine.
    pub kills_for_memory: bool,
    /// The CPU time of the programs of a stopped run; `None` if the run did not start programs, or ended by itself.
    pub cpu_of_stopped_programs: Option<CpuUse>,
    /// The number of earlier executions that were discarded, because this process was suspended or the machine slept during them.
    pub unsupervised: u32,
}

/// Whether a run starts programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Programs {
    /// The run does not start programs.
    None,
    /// The run starts programs that do a part of its work. Their CPU time and memory are added to those of the process of the run.
    Parts,
    /// The run starts a program that does all of the work. Only the CPU time and memory of this program are measured.
    Whole,
}

/// The report of a run that is stopped, with the CPU time of its programs.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoppedPrograms {
    user_ns: u64,
    system_ns: u64,
    involuntary_switches: Option<u64>,
}

impl StoppedPrograms {
    fn cpu(&self) -> CpuUse {
        let [user, system] = [self.user_ns, self.system_ns].map(Duration::from_nanos);
        CpuUse { user, system, involuntary_switches: self.involuntary_switches }
    }
}

/// The report of a run that could not be prepared.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotPrepared {
    cannot_prepare: String,
}

/// The report of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessReport<R> {
    /// A valid report. The process may have failed afterwards.
    Received(R),
    /// The process ended without a report.
    Missing,
    /// The beginning of a line that is not a report.
    Garbled(String),
}

/// The request to a process. It is written to standard input, because a job may be too large for an argument.
#[derive(Serialize, Deserialize)]
struct Request<J> {
    job: J,
    kind: Kind,
    setup: Setup,
}

/// The preparations of a process for its job.
#[derive(Serialize, Deserialize)]
struct Setup {
    /// The id of the parent process, which waits for the report.
    parent: u32,
    /// Whether the run starts programs. If it does, standard input stays open until the parent ends. When standard input is
    /// closed, the process ends everything that the run started.
    programs: Programs,
    /// The folder of the control group of the run.
    group: Option<PathBuf>,
    /// The temporary directory, which is deleted when the parent ends.
    scratch: Option<PathBuf>,
    cpus: Option<CpuList>,
    memory_limit: Option<u64>,
}

/// The maximum length of a report, in bytes.
const MAX_REPORT_BYTES: u64 = 1 << 22;

impl Processes {
    /// Executes runs with `program`, which must call [`serve`] if it is started with `arguments`.
    pub fn new(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        let machine = Root::default();
        let kills = OutOfMemoryKills::new(&machine);
        Self { program: program.into(), arguments, cpus: None, machine, kills, groups: None }
    }

    /// Reads the state of the machine from the files below another root directory. Tests use this.
    #[must_use]
    pub fn on_machine(self, machine: Root) -> Self {
        Self { kills: OutOfMemoryKills::new(&machine), machine, ..self }
    }

    /// Executes runs with the program of this process, which must call [`serve`] if it is started with `arguments`.
    ///
    /// # Errors
    ///
    /// The path of this program is unknown.
    pub fn of_this_program(arguments: impl IntoIterator<Item = impl Into<OsString>>) -> io::Result<Self> {
        Ok(Self::new(supervise::own_executable()?, arguments))
    }

    /// Binds the runs to these CPUs.
    #[must_use]
    pub fn on_cpus(self, cpus: Option<CpuList>) -> Self {
        Self { cpus, ..self }
    }

    /// Makes a control group for each run that starts programs. Other runs have a single process, which is measured without a
    /// control group.
    #[must_use]
    pub fn in_groups(self, groups: Option<Arc<RunGroups>>) -> Self {
        Self { groups, ..self }
    }

    /// The CPUs that runs are bound to.
    pub fn cpus(&self) -> Option<&CpuList> {
        self.cpus.as_ref()
    }

    /// Executes a job within its limits. Returns `None` if `cancel` becomes true. When the run ends, all programs that it started
    /// are ended. The programs have a temporary directory, which is then deleted. If this process could not supervise the run all
    /// the time, the run is repeated.
    ///
    /// # Errors
    ///
    /// The process could not be started or supervised.
    pub fn run<J: Serialize, R: DeserializeOwned>(
        &self,
        job: &J,
        kind: Kind,
        limits: RunLimits,
        programs: Programs,
        cancel: &AtomicBool,
    ) -> io::Result<Option<Measured<R>>> {
        let mut unsupervised_executions = 0;
        loop {
            let measured = self.run_once(job, kind, limits, programs, cancel)?;
            match measured {
                Some(run) if run.ended.stopped == Some(Stopped::Unsupervised) => unsupervised_executions += 1,
                measured => {
                    return Ok(measured
                        .map(|measured| Measured { unsupervised: unsupervised_executions, ..measured }));
                }
            }
        }
    }

    fn run_once<J: Serialize, R: DeserializeOwned>(
        &self,
        job: &J,
        kind: Kind,
        limits: RunLimits,
        programs: Programs,
        cancel: &AtomicBool,
    ) -> io::Result<Option<Measured<R>>> {
        let starts_programs = programs != Programs::None;
        let scratch = if starts_programs { Some(temporary_directory("runlab-")?) } else { None };
        let scratch = scratch.as_ref().map(|scratch| scratch.path());
        let groups = self.groups.as_ref().filter(|_| starts_programs);
        let group = groups.map(|groups| groups.create(limits.memory)).transpose()?;
        let group_limits_memory = group.as_ref().is_some_and(RunGroup::measures_memory);
        let setup = Setup {
            parent: std::process::id(),
            programs,
            group: group.as_ref().map(RunGroup::path),
            scratch: scratch.map(Path::to_owned),
            cpus: self.cpus.clone(),
            // A control group limits the memory in use. Without such a group, the process limits its address space.
            memory_limit: limits.memory.filter(|_| !group_limits_memory),
        };
        let request = Request { job, kind, setup };
        let supervision = Supervision {
            time_limit: limits.time,
            cpu_limit: limits.cpu,
            memory_limit: limits.memory.filter(|_| starts_programs),
            measures_memory: starts_programs,
            scope: if programs == Programs::Whole { Scope::Descendants } else { Scope::Tree },
            group: group.as_ref(),
            is_repeatable: true,
            cancel: Some(cancel),
            input: Some((serde_json::to_string(&request)? + "\n").into_bytes()),
            ..Supervision::default()
        };
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).envs(scratch.map(|scratch| ("TMPDIR", scratch)));
        let (stall_before, kills_before) = (self.machine.cpu_stall(), self.kills.count());
        let mut process = Process::launch(command, supervision, starts_programs)?;
        let line = receive(&mut process)?;
        if let Ok(NotPrepared { cannot_prepare }) = serde_json::from_slice(&line) {
            process.finish()?;
            return Err(io::Error::other(cannot_prepare));
        }
        let stopped_programs = serde_json::from_slice::<StoppedPrograms>(&line).ok();
        let report = if stopped_programs.is_some() { ProcessReport::Missing } else { report_in(&line) };
        if matches!(report, ProcessReport::Garbled(_)) {
            process.stop(Stopped::NotNeeded)?;
        }
        let ended = process.finish()?;
        if ended.stopped == Some(Stopped::Cancelled) {
            return Ok(None);
        }
        let stall = stall_before.zip(self.machine.cpu_stall());
        let cpu_stall = stall.map(|(before, after)| after.saturating_sub(before));
        let kills = kills_before.zip(self.kills.count());
        // In the surrounding control group, the system may have killed processes of other runs.
        let kills_for_memory = match ended.group.and_then(|group| group.memory) {
            Some(memory) => memory.has_killed_process,
            None => kills.is_some_and(|(before, after)| after > before),
        };
        let cpu_of_stopped_programs = stopped_programs.filter(|_| ended.stopped.is_some());
        Ok(Some(Measured {
            report,
            ended,
            cpu_stall,
            kills_for_memory,
            cpu_of_stopped_programs: cpu_of_stopped_programs.map(|programs| programs.cpu()),
            unsupervised: 0,
        }))
    }
}

/// The first line that the process of a run prints.
fn receive(process: &mut Process<'_>) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    // The length is limited, because a line without an end would exhaust the memory.
    process.by_ref().take(MAX_REPORT_BYTES).read_until(b'\n', &mut line)?;
    Ok(line)
}

fn report_in<R: DeserializeOwned>(line: &[u8]) -> ProcessReport<R> {
    if line.is_empty() {
        return ProcessReport::Missing;
    }
    serde_json::from_slice(line).map_or_else(
        |_| ProcessReport::Garbled(String::from_utf8_lossy(line).trim_end().chars().take(200).collect()),
        ProcessReport::Received,
    )
}

/// Whether a text, such as standard error, contains the message of a failed allocation in Rust, Python, C++, Java or the C library.
pub fn is_out_of_memory(text: &str) -> bool {
    const SIGNS: [&str; 5] =
        ["memory allocation of", "MemoryError", "bad_alloc", "OutOfMemoryError", "Cannot allocate memory"];
    SIGNS.iter().any(|sign| text.contains(sign))
}

/// Executes jobs in processes, one job for each cell of a plan.
pub struct ProcessExecutor<'p, J, R> {
    processes: Processes,
    plan: &'p RunPlan,
    jobs: &'p [J],
    report: PhantomData<fn() -> R>,
}

impl<'p, J, R> ProcessExecutor<'p, J, R> {
    /// Creates an executor of these jobs, which are in the order of the cells of the plan.
    pub fn new(processes: Processes, plan: &'p RunPlan, jobs: &'p [J]) -> Self {
        Self { processes, plan, jobs, report: PhantomData }
    }
}

impl<J: Serialize + Sync, R: DeserializeOwned + Send> Executor for ProcessExecutor<'_, J, R> {
    type Measured = Measured<R>;

    fn run(&mut self, cell: usize, kind: Kind, cancel: &AtomicBool) -> io::Result<Option<Measured<R>>> {
        self.processes.run(&self.jobs[cell], kind, self.plan.cells[cell].limits, Programs::None, cancel)
    }
}

/// The reason why a process cannot execute its request.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Standard input has no request, because the program was not started by [`Processes::run`].
    #[error("this is not a request of runlab: {0}")]
    Request(#[from] serde_json::Error),
    /// Standard input cannot be read, or the report cannot be written.
    #[error("cannot report: {0}")]
    Report(#[from] io::Error),
    /// The process could not be bound to its CPUs, limited, or tied to its parent.
    #[error("cannot prepare the run: {0}")]
    Prepare(io::Error),
}

/// Executes the request on standard input, and writes the result of `work` to standard output. Before that, the process is bound to
/// its CPUs, and its memory is limited. When the parent ends, this process and everything that it started end, too.
///
/// # Errors
///
/// [`ServeError`]. In this case, the parent receives no report. [`ServeError::Prepare`] ends the experiment.
pub fn serve<J: DeserializeOwned, R: Serialize>(work: impl FnOnce(J, Kind) -> R) -> Result<(), ServeError> {
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    let Request { job, kind, setup } = serde_json::from_str(&line)?;
    drop(line);
    if let Err(error) = prepare(setup).map_err(ServeError::Prepare) {
        report(&NotPrepared { cannot_prepare: error.to_string() })?;
        return Err(error);
    }
    report(&work(job, kind))
}

/// Prepares this process for its request.
fn prepare(setup: Setup) -> io::Result<()> {
    let Setup { parent, programs, group, scratch, cpus, memory_limit } = setup;
    if programs == Programs::None {
        supervise::die_with(parent);
    } else {
        // `die_with` would kill only this process, and not the processes that it started.
        scratch.iter().for_each(|scratch| files::remove_at_end(scratch));
        supervise::adopt_orphans();
        supervise::end_with_parent(report_programs)?;
    }
    match group {
        Some(group) if programs == Programs::Whole => run_group::use_for_programs(group)?,
        Some(group) => run_group::enter(&group)?,
        None => {}
    }
    cpus.map_or(Ok(()), |cpus| supervise::bind_to(cpus.numbers()))?;
    memory_limit.map_or(Ok(()), supervise::limit_memory)
}

fn report(report: &impl Serialize) -> Result<(), ServeError> {
    // A single write wakes up the parent only once.
    let mut out = io::stdout();
    out.write_all((serde_json::to_string(report)? + "\n").as_bytes())?;
    Ok(out.flush()?)
}

/// Reports the CPU time of programs. Called when the run is stopped and all its programs have ended.
fn report_programs() {
    files::remove_temporary();
    let CpuUse { user, system, involuntary_switches } = CpuUse::of_reaped_children();
    let [user_ns, system_ns] = [user, system].map(supervise::nanoseconds);
    if let Ok(report) = serde_json::to_string(&StoppedPrograms { user_ns, system_ns, involuntary_switches }) {
        // Standard output may be locked by a thread that waits for the parent. If the write fails, the CPU time stays unknown.
        let _ = supervise::write_unlocked((report + "\n").as_bytes());
    }
}

#[cfg(test)]
mod tests;
