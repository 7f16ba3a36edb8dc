//! Executes each run in its own process, so that a limit can stop the run in any state.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::attempt::Attempt;
use super::program;
use crate::experiment::plan::{Cell, Plan};
use crate::os;
use crate::os::cgroup;
use crate::os::proc::Root;
pub use crate::os::process::{GUARD_COMMAND, guard, use_guard};
use crate::os::run_group::{GroupUsage, RunGroups};
pub use crate::os::{adopt_orphans, own_executable};
use crate::record::{CPU_LIMIT_REASON, Kind, MEMORY_STOP_REASON, Status, Verdict, nanoseconds};
use crate::spec::CpuList;
use runlab::Executor;
use runlab::process::{
    EndedProcess, Measured, ProcessReport, Processes, Programs, Stopped, is_out_of_memory,
};

/// The internal command that reads a cell from standard input and runs it.
pub const CELL_COMMAND: &str = "__cell";

/// The number of the signal by which stopped processes are killed, the same on all systems.
const SIGKILL: i32 = 9;

/// A runner that starts one process per run.
pub struct ProcessRunner<'p> {
    cells: &'p [Cell],
    processes: Processes,
}

impl<'p> ProcessRunner<'p> {
    /// `executable` is the queenlab executable, whose processes are bound to `cpus`. Runs that start programs are measured in
    /// the control groups `groups`.
    pub fn new(
        plan: &'p Plan,
        executable: PathBuf,
        cpus: Option<CpuList>,
        groups: Option<Arc<RunGroups>>,
    ) -> Self {
        let processes = Processes::new(executable, [CELL_COMMAND]).on_cpus(cpus).in_groups(groups);
        Self { cells: &plan.cells, processes }
    }
}

impl Executor for ProcessRunner<'_> {
    type Measured = Attempt;

    fn run(&mut self, cell: usize, kind: Kind, cancel: &AtomicBool) -> io::Result<Option<Attempt>> {
        let cell = &self.cells[cell];
        let programs = match (&cell.program, cell.starts_programs()) {
            (Some(_), _) => Programs::Whole,
            (None, true) => Programs::Parts,
            (None, false) => Programs::None,
        };
        let measured_run: Option<Measured<Attempt>> =
            self.processes.run(cell, kind, cell.limits(), programs, cancel)?;
        if let Some(Measured { report: ProcessReport::Received(attempt), .. }) = &measured_run
            && let Some(fault) = &attempt.environment_fault
        {
            return Err(io::Error::other(fault.clone()));
        }
        Ok(measured_run.map(|measured_run| {
            let mut attempt = attempt(cell, measured_run);
            attempt.row.cpu = self.processes.cpus().map(ToString::to_string);
            attempt
        }))
    }
}

/// The result of a run that was not cancelled.
fn attempt(cell: &Cell, measured: Measured<Attempt>) -> Attempt {
    let Measured { report, ended, cpu_stall, kills_for_memory, cpu_of_stopped_programs, unsupervised } =
        measured;
    let is_garbled = matches!(report, ProcessReport::Garbled(_));
    let mut attempt = outcome(cell, &ended, report);
    let group = ended.group;
    if attempt.row.status == Status::Crashed && kills_for_memory && ended.stopped.is_none() {
        let is_at_limit = group.and_then(|group| group.memory).is_some_and(|memory| memory.has_reached_limit);
        attempt.row.status = Status::Memout;
        attempt.row.outcome_reason = Some(match is_at_limit {
            true => MEMORY_STOP_REASON.to_owned(),
            false => killed_for_memory(cgroup::Limits::of(&Root::default()).memory),
        });
    }
    if cell.program.is_some()
        && let Err(reason) = program::read_statistics(&mut attempt.row, &ended.stderr)
    {
        let failed_attempt =
            Attempt::failed(Status::Unreadable, Some(format!("its standard error: {reason}")));
        attempt = Attempt { output: attempt.output, ..failed_attempt };
    }
    attempt.output.error = ended.stderr;
    attempt.unsupervised = unsupervised;
    let mut attempt = attempt.without_pauses(&ended.pauses);
    let row = &mut attempt.row;
    row.wall_ns = Some(nanoseconds(ended.wall));
    row.cpu_stall_ns = cpu_stall.map(nanoseconds);
    // If the cell runs a program, the child process only starts that program, so the CPU time of the child is not counted.
    let cpu_of_process = Some(ended.cpu).filter(|_| cell.program.is_none());
    if let Some(cpu) = cpu_of_process.or(cpu_of_stopped_programs) {
        row.cpu_user_ns = Some(nanoseconds(cpu.user));
        row.cpu_sys_ns = Some(nanoseconds(cpu.system));
        row.involuntary_switches = cpu.involuntary_switches;
    }
    row.peak_rss_bytes = row.peak_rss_bytes.max(ended.peak_rss_bytes);
    if let Some(GroupUsage { cpu, memory }) = group {
        row.cpu_user_ns = Some(nanoseconds(cpu.user));
        row.cpu_sys_ns = Some(nanoseconds(cpu.system));
        row.peak_rss_bytes = memory.map(|memory| memory.peak_bytes).or(row.peak_rss_bytes);
    }
    // If the program has an exit code or signal, it is more informative than that of the process that started it.
    if cell.starts_programs() && !is_garbled && row.exit_code.is_none() && row.signal.is_none() {
        (row.exit_code, row.signal) = match ended.stopped {
            // All processes of a stopped run are killed. The child may see the end of its program first, and exit with code 0.
            Some(_) => (None, Some(SIGKILL)),
            None => (ended.status.code(), os::signal(ended.status)),
        };
    }
    attempt
}

/// The reason for a run that the system killed for lack of memory. `limit` is the limit of the surrounding control group.
fn killed_for_memory(limit: Option<u64>) -> String {
    let group_limit = limit.map(|bytes| format!(": the limit of this control group is {} MiB", bytes >> 20));
    format!("the system killed it for lack of memory{}", group_limit.unwrap_or_default())
}

/// The outcome of a run that was not cancelled, determined from the report of its process and its exit status.
fn outcome(cell: &Cell, ended: &EndedProcess, report: ProcessReport<Attempt>) -> Attempt {
    let add_failure_reason = |mut attempt: Attempt| {
        let reason = attempt.row.outcome_reason.take().unwrap_or_default();
        let out_of_memory = is_out_of_memory(&ended.stderr) || is_out_of_memory(&reason);
        if cell.memory_limit_bytes.is_some() && out_of_memory {
            attempt.row.status = Status::Memout;
            return attempt;
        }
        attempt.row.outcome_reason = Some(match ended.last_error_line() {
            Some(line) => format!("{reason}; last line of its standard error: {line}"),
            None => reason,
        });
        attempt
    };
    match (ended.stopped, report) {
        (Some(Stopped::Deadline), _) => Attempt::failed(Status::Timeout, None),
        (Some(Stopped::CpuTime), _) => Attempt::failed(Status::Timeout, Some(CPU_LIMIT_REASON.to_owned())),
        (Some(Stopped::Memory(_)), _) => Attempt::failed(Status::Memout, Some(MEMORY_STOP_REASON.to_owned())),
        // When the child prints an invalid line, the parent ends the child. The exit status of the child then has no meaning.
        (_, ProcessReport::Garbled(line)) => {
            Attempt::crashed(format!("it printed a line that is not a report: {line}"))
        }
        (_, ProcessReport::Received(attempt)) if attempt.row.verdict == Verdict::Wrong => attempt,
        (_, ProcessReport::Received(attempt)) if !attempt.row.status.is_solved() => {
            add_failure_reason(attempt)
        }
        (_, ProcessReport::Received(attempt)) if ended.status.success() => attempt,
        _ => add_failure_reason(Attempt::crashed(format!("the process ended with {}", ended.status))),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use super::*;
    use crate::registry::Registry;
    use crate::spec::Spec;

    fn cell() -> Cell {
        let text =
            "schema_version = 1\nname = \"t\"\n[sweep]\nn = \"8\"\n[[solver]]\nid = \"backtrack/bitmask\"\n";
        let plan = Plan::new(Spec::parse("t", text).expect("a spec"), &Registry::builtin()).expect("a plan");
        plan.cells[0].clone()
    }

    /// The status of a run whose process was killed.
    fn status_of_killed_run(kills_for_memory: bool, stopped: Option<Stopped>) -> Status {
        let ended_process =
            EndedProcess { status: ExitStatus::from_raw(9), stopped, ..EndedProcess::default() };
        let measured_run = Measured {
            report: ProcessReport::Missing,
            ended: ended_process,
            cpu_stall: None,
            kills_for_memory,
            cpu_of_stopped_programs: None,
            unsupervised: 0,
        };
        attempt(&cell(), measured_run).row.status
    }

    #[test]
    fn run_killed_for_lack_of_memory_is_memout() {
        assert_eq!(status_of_killed_run(true, None), Status::Memout);
        assert_eq!(status_of_killed_run(false, None), Status::Crashed);
        // The system killed a process for lack of memory, but this run was stopped at its time limit.
        assert_eq!(status_of_killed_run(true, Some(Stopped::Deadline)), Status::Timeout);
        wording::assert_wording!("runner", "killed for memory in a group", killed_for_memory(Some(1 << 30)));
        wording::assert_wording!("runner", "killed for memory", killed_for_memory(None));
    }
}
