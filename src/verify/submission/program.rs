//! Starts a program and judges its output while it runs.

use std::ffi::OsString;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::judge::Submission;
use super::key::{Key, MAX_RANKED};
use super::{Cut, Judgement, Question, SubmissionError};
use crate::board::Placement;
use crate::board::notation::ReadError;
use crate::escape::Escaped;
use crate::os;
use crate::os::process::{Process, Stopped, Supervision};

/// Runs `program` with `arguments` for at most `timeout`, and judges its output. Stops the program when `cancel`
/// becomes true.
pub fn judge_program(
    command: (&OsString, &[OsString]),
    timeout: Duration,
    question: &Question,
    cancel: &AtomicBool,
) -> Result<Judgement, SubmissionError> {
    if question.problem.n().get() <= MAX_RANKED {
        judge_keyed::<u64>(command, timeout, question, cancel)
    } else {
        judge_keyed::<Placement>(command, timeout, question, cancel)
    }
}

fn judge_keyed<K: Key>(
    (program, arguments): (&OsString, &[OsString]),
    timeout: Duration,
    question: &Question,
    cancel: &AtomicBool,
) -> Result<Judgement, SubmissionError> {
    let mut command = Command::new(program);
    command.args(arguments);
    let supervision =
        Supervision { time_limit: Some(timeout), cancel: Some(cancel), ..Supervision::default() };
    let mut running = Process::start(command, supervision).map_err(|source| SubmissionError::Start {
        program: program.to_string_lossy().into_owned(),
        source,
    })?;
    let read = Submission::<K>::read(&mut running, question);
    if !running.is_at_end_of_output() {
        running.stop(Stopped::Enough).map_err(ReadError::Io)?;
    }
    let ended = running.finish().map_err(ReadError::Io)?;
    let cut = match ended.stopped {
        Some(Stopped::Cancelled) => return Err(SubmissionError::Interrupted),
        Some(Stopped::Deadline | Stopped::CpuTime) => Some(Cut::Timeout(timeout)),
        Some(Stopped::Enough | Stopped::TooMuch(_)) => None,
        None if ended.status.success() => None,
        None => Some(Cut::Died {
            exit_code: ended.status.code(),
            signal: os::signal(ended.status),
            message: ended.last_words().map(|message| Escaped(message).to_string()),
        }),
    };
    match (read, cut) {
        // The failure of the program is the cause of the unreadable output, and the better message.
        (
            Err(SubmissionError::Read(ReadError::Unreadable { .. }) | SubmissionError::NoCount(_)),
            Some(cut),
        ) => Ok(Submission::<K>::empty(question).report(Some(cut))),
        (read, cut) => Ok(read?.report(cut)),
    }
}
