//! Starts programs of users and passes their output to the judge, for `check` and for sweeps.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::board::problem::Problem;
use crate::judge::{
    AnswerKind, CutReason, JudgeError, Judgement, Question, SolutionSource, judge, judge_until,
};
use crate::os;
use crate::os::process::{EndedProcess, Process, Stopped, Supervision};
use crate::registry::Registry;
use crate::solver::sink::Discard;
use crate::solver::{Budget, Goal, Task};
use plaintext::Escaped;
use runlab::program;

/// The expectation of the judge for a goal.
pub fn answer_kind(goal: Goal) -> AnswerKind {
    match goal {
        Goal::First => AnswerKind::One,
        Goal::Count => AnswerKind::Count,
        Goal::Enumerate => AnswerKind::All,
    }
}

/// The solvers that the judge compares submissions with.
pub struct Solvers;

/// A fast solver that enumerates in lexicographic order, and its node limit, which suffices for all solutions of n = 16.
const ENUMERATOR: (&str, u64) = ("backtrack/bitmask", 2_000_000_000);

/// The maximum size of the plain boards that are searched. For most larger boards, the node limit is reached before the first
/// solution.
const MAX_ENUMERATED_SIZE: usize = 32;

/// A solver that enumerates the solutions of any problem, and its node limit. It visits about a million nodes per second.
const GENERAL_ENUMERATOR: (&str, u64) = ("backtrack/dlx", 30_000_000);

/// A solver that decides whether a problem has a solution, and its time limit.
const DECIDER: (&str, Duration) = ("sat/product/varisat", Duration::from_secs(60));

impl SolutionSource for Solvers {
    fn enumerate(
        &self,
        problem: &Problem,
        mut on_solution: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Option<&'static str> {
        if problem.is_plain() && problem.n().get() > MAX_ENUMERATED_SIZE {
            return None;
        }
        let (id, nodes) = if problem.is_plain() { ENUMERATOR } else { GENERAL_ENUMERATOR };
        let budget = Budget { node_limit: Some(nodes), ..Budget::default() };
        let task = Task { budget, ..Task::of(problem, Goal::Enumerate) };
        let outcome = Registry::builtin().get(id).ok()?.solve(&task, &mut on_solution).ok()?;
        outcome.stopped.is_none().then_some(id)
    }

    fn decide(&self, problem: &Problem) -> Option<(bool, &'static str)> {
        let (id, time) = DECIDER;
        let budget = Budget { deadline: Instant::now().checked_add(time), ..Budget::default() };
        let task = Task { budget, ..Task::of(problem, Goal::First) };
        let outcome = Registry::builtin().get(id).ok()?.solve(&task, &mut Discard).ok()?;
        let is_solvable = outcome.solutions > 0;
        (is_solvable || outcome.stopped.is_none()).then_some((is_solvable, id))
    }
}

/// Judges a text by comparing its boards with all solutions.
///
/// # Errors
///
/// The errors of [`queens_judge::judge`].
pub fn judge_text(text: &mut dyn BufRead, question: &Question) -> Result<Judgement, JudgeError> {
    judge(text, question, Some(&Solvers), &mut |_| ())
}

/// An error that prevents the output of a program from being judged.
#[derive(Debug, thiserror::Error)]
pub enum SubmissionError {
    /// The output cannot be judged.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The program cannot be started.
    #[error("cannot start '{program}': {source}")]
    Start {
        /// The name of the program.
        program: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The program cannot be started because of its file, for example a text file without a `#!` line.
    #[error(transparent)]
    Unusable(program::ProgramError),
    /// The program does not exist.
    #[error("cannot start '{program}': {}", if program.contains('/') { "no such file" } else { "no such program in PATH" })]
    NotFound {
        /// The name of the program, as in the command.
        program: String,
    },
    /// The user interrupted the program.
    #[error("interrupted")]
    Interrupted,
}

/// The default standard input of a program: the board size.
pub const DEFAULT_INPUT: &str = "{n}";

/// The default memory limit of a program, in bytes.
pub const DEFAULT_MEMORY_BYTES: u64 = 4 << 30;

/// The maximum number of processes of a program.
pub const MAX_PROCESSES: u64 = 256;

/// The standard input of a program: the text with `{n}` replaced by the board size, followed by a line feed.
fn input_of(text: &str, n: usize) -> Vec<u8> {
    format!("{}\n", text.replace(DEFAULT_INPUT, &n.to_string())).into_bytes()
}

/// The limits of a program, and its standard input.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// The limit of wall time.
    pub timeout: Duration,
    /// The limit of CPU time.
    pub cpu_timeout: Option<Duration>,
    /// The limit of the resident memory of all processes of the program, in bytes.
    pub memory: u64,
    /// The text on its standard input, in which `{n}` stands for the board size.
    pub input: &'a str,
    /// The directory that the program runs in; `None` for the current directory.
    pub place: Option<ProgramDirectory<'a>>,
}

/// A directory for a program.
#[derive(Clone, Copy, Debug)]
pub struct ProgramDirectory<'a> {
    /// The directory that the program may write to. The total size of its files is limited to [`MAX_FILE_BYTES`].
    pub root: &'a Path,
    /// The working directory of the program: `root`, or a directory in it.
    pub working: &'a Path,
}

impl Conditions<'_> {
    /// The default conditions with this limit of wall time.
    pub fn with_time_limit(timeout: Duration) -> Self {
        Self { timeout, cpu_timeout: None, memory: DEFAULT_MEMORY_BYTES, input: DEFAULT_INPUT, place: None }
    }
}

/// The maximum total size of the files in the directory of a program, in bytes.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// The maximum number of directory entries that [`size_of_files`] visits.
const MAX_ENTRIES: usize = 10_000;

/// The total size of the files in a directory, in bytes; at most `MAX_ENTRIES` entries are visited.
pub fn size_of_files(directory: &Path) -> u64 {
    let (mut remaining, mut bytes, mut directories) = (MAX_ENTRIES, 0, vec![directory.to_owned()]);
    while let Some(entries) = directories.pop().and_then(|directory| fs::read_dir(directory).ok()) {
        for entry in entries.flatten().take(remaining) {
            remaining -= 1;
            match entry.metadata() {
                Ok(file) if file.is_dir() => directories.push(entry.path()),
                Ok(file) => bytes += file.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}

/// Runs a command and judges its output while it runs. Setting `cancel` to true ends the command. As in a sweep, the command is
/// started again if this process was suspended, or the machine slept, while the command ran.
///
/// # Errors
///
/// The program cannot be started, or its output cannot be judged.
pub fn judge_program(
    command: &[OsString],
    conditions: Conditions<'_>,
    cancel: &AtomicBool,
    question: &Question,
) -> Result<Judgement, SubmissionError> {
    loop {
        let run = ProgramRun { command, conditions, cancel, question, is_repeatable: true };
        if let Some(judged) = run.judged(Some(&Solvers), &mut |_| ())? {
            return Ok(judged);
        }
    }
}

/// Like [`judge_program`], but with any reference or none, and with a function `on_board` that receives each board. Because
/// calls of `on_board` cannot be undone, the command is not started again.
///
/// # Errors
///
/// The program cannot be started, or its output cannot be judged.
pub fn read_program(
    command: &[OsString],
    conditions: Conditions<'_>,
    cancel: &AtomicBool,
    question: &Question,
    reference: Option<&dyn SolutionSource>,
    on_board: &mut dyn FnMut(&[u32]),
) -> Result<Judgement, SubmissionError> {
    let run = ProgramRun { command, conditions, cancel, question, is_repeatable: false };
    // `None` is impossible, because the run is not repeatable.
    run.judged(reference, on_board)?.ok_or(SubmissionError::Interrupted)
}

/// One run of a command.
#[derive(Clone, Copy)]
struct ProgramRun<'a> {
    command: &'a [OsString],
    conditions: Conditions<'a>,
    cancel: &'a AtomicBool,
    question: &'a Question,
    is_repeatable: bool,
}

impl ProgramRun<'_> {
    /// The judgement of the output; `None` if this process was suspended while the command ran, so that the run must be
    /// repeated.
    fn judged(
        self,
        reference: Option<&dyn SolutionSource>,
        on_board: &mut dyn FnMut(&[u32]),
    ) -> Result<Option<Judgement>, SubmissionError> {
        let ProgramRun { command, conditions, cancel, question, is_repeatable } = self;
        let Conditions { timeout, cpu_timeout, memory, input, place } = conditions;
        let program = command.first().expect("a command has a program").to_string_lossy().into_owned();
        let start_error = |source| SubmissionError::Start { program: program.clone(), source };
        // A shell would run a text file without a `#!` line, but queenlab does not. A sweep checks this, too.
        program::check(&program).map_err(|error| match error {
            program::ProgramError::NotFound(program) => SubmissionError::NotFound { program },
            error => SubmissionError::Unusable(error),
        })?;
        let written_bytes = || place.map_or(0, |place| size_of_files(place.root));
        let start = |words: &[OsString]| {
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]);
            if let Some(ProgramDirectory { root, working }) = place {
                command.current_dir(working).env("TMPDIR", root);
            }
            let supervision = Supervision {
                time_limit: Some(timeout),
                cpu_limit: cpu_timeout,
                memory_limit: Some(memory),
                process_limit: Some(MAX_PROCESSES),
                cancel: Some(cancel),
                input: Some(input_of(input, question.problem.n().get())),
                written: place.is_some().then_some(&written_bytes),
                max_bytes: Some(MAX_FILE_BYTES),
                is_repeatable,
                ..Supervision::default()
            };
            Process::start(command, supervision)
        };
        let mut process = start(command).map_err(start_error)?;
        let mut stopped = None;
        let finish = |process: &mut Process<'_>| {
            if !process.is_at_end_of_output() {
                process.stop(Stopped::NotNeeded)?;
            }
            let ended_process = process.finish()?;
            stopped = ended_process.stopped;
            Ok(match ended_process.stopped {
                Some(Stopped::Deadline) => Some(CutReason::Timeout(timeout)),
                Some(Stopped::CpuTime) => cpu_timeout.map(CutReason::CpuTime),
                Some(Stopped::Memory(bytes)) => Some(CutReason::ProgramMemory(bytes)),
                Some(Stopped::Processes(number)) => Some(CutReason::Processes(number)),
                Some(Stopped::WrittenBytes(bytes)) => Some(CutReason::Files(bytes)),
                Some(Stopped::NotNeeded) => None,
                None if ended_process.status.success() => None,
                None | Some(Stopped::Cancelled | Stopped::Unsupervised) => Some(CutReason::Failed {
                    exit_code: ended_process.status.code(),
                    signal: os::signal(ended_process.status),
                    message: ended_process.last_error_line().map(|message| Escaped(message).to_string()),
                }),
            })
        };
        let judged = judge_until(&mut process, question, reference, on_board, finish);
        match stopped {
            Some(Stopped::Cancelled) => Err(SubmissionError::Interrupted),
            Some(Stopped::Unsupervised) => Ok(None),
            _ => Ok(Some(judged?)),
        }
    }
}

/// Runs a program with the board size on its standard input, until the program ends or has printed more than `max_bytes` bytes.
/// The output is written to a file, so that the program does not wait for a reader. Returns a reader of the whole output, and how
/// the program ended.
///
/// # Errors
///
/// The program cannot be started, or its output cannot be stored.
pub fn run(command: Command, n: usize, max_bytes: u64) -> io::Result<(BufReader<File>, EndedProcess)> {
    let mut output = tempfile::tempfile()?;
    let stdout = output.try_clone()?;
    let written_bytes = || output.metadata().map_or(0, |file| file.len());
    let supervision = Supervision {
        input: Some(input_of(DEFAULT_INPUT, n)),
        output: Some(stdout.into()),
        written: Some(&written_bytes),
        max_bytes: Some(max_bytes),
        ..Supervision::default()
    };
    let ended_process = Process::start(command, supervision)?.finish()?;
    output.seek(SeekFrom::Start(0))?;
    Ok((BufReader::new(output), ended_process))
}
