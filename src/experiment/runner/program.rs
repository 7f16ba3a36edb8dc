//! Runs a user's program as a solver. The program is timed from its start to its end, then its output is judged as by
//! `queenlab check`.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::process::Command;
use std::str::FromStr;

use plaintext::Decoder;

use super::attempt::Attempt;
use crate::board::{Placement, ProblemError, published};
use crate::command::filled;
use crate::experiment::plan::{Cell, ProgramCall};
use crate::judge::notation::NotationError;
use crate::judge::{CutReason, Question, judge};
use crate::judging::BoardCheck;
use crate::model::{MAX_NAME_BYTES, is_name};
use crate::os;
use crate::os::pause::monotonic;
use crate::os::process::EndedProcess;
use crate::record::{Excerpt, Row, Status, nanoseconds};
use crate::sat::answer_pattern::AnswerPattern;
use crate::solver::Goal;
use crate::solver::sink::Digest;
use crate::spec::QUEENLAB;
use crate::submission::{answer_kind, run as run_program};

/// Why the output of a program could not be judged.
#[derive(Debug, thiserror::Error)]
enum ProgramFailure {
    /// The path of the queenlab executable, which replaces `{queenlab}`, cannot be determined.
    #[error("cannot find the executable of queenlab: {0}")]
    NoExecutable(io::Error),
    /// The command of the cell is empty.
    #[error("the command is empty")]
    NoWords,
    /// The program cannot be started.
    #[error("cannot start '{program}': {error}")]
    Start {
        /// The program.
        program: String,
        /// The error.
        error: io::Error,
    },
    /// The output is longer than [`max_bytes`] allows.
    #[error("'{program}' was stopped because it printed more than {} MiB, the limit for n = {n}", bytes >> 20)]
    TooMuchOutput {
        /// The program.
        program: String,
        /// The limit.
        bytes: u64,
        /// The size of the board.
        n: usize,
    },
    /// The output cannot be stored or read.
    #[error("its output cannot be stored or read: {0}")]
    Output(#[from] io::Error),
    /// The notation of the cell is unknown.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The problem of the cell is invalid.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The pattern of the answer is invalid.
    #[error("answer: {0}")]
    Answer(<AnswerPattern as FromStr>::Err),
}

/// Starts the program of a cell, waits for it, and judges its output.
pub fn run(cell: &Cell, call: &ProgramCall) -> Attempt {
    attempt(cell, call).unwrap_or_else(Attempt::crashed)
}

fn attempt(cell: &Cell, call: &ProgramCall) -> Result<Attempt, ProgramFailure> {
    let executable = os::shared_executable().map_err(ProgramFailure::NoExecutable)?;
    let placeholder = format!("{{{QUEENLAB}}}");
    let words: Vec<OsString> =
        call.command.iter().map(|word| filled(word, &[(&placeholder, &executable)])).collect();
    let (program, arguments) = words.split_first().ok_or(ProgramFailure::NoWords)?;
    let name = program.to_string_lossy();
    let mut command = Command::new(program);
    command.args(arguments);
    let max_output_bytes = max_bytes(cell);
    let start = monotonic();
    let (output, ended) = match run_program(command, cell.key.n, max_output_bytes) {
        Err(error) if os::is_fault_of_machine(&error) => {
            let fault = Some(format!("'{name}' cannot be started: {error}"));
            return Ok(Attempt { environment_fault: fault, ..Attempt::default() });
        }
        started => started.map_err(|error| ProgramFailure::Start { program: name.to_string(), error })?,
    };
    let output_file = output.get_ref().try_clone()?;
    let measured_span = Some((start, monotonic()));
    let mut attempt = match ended.stopped {
        Some(_) => {
            let (program, bytes, n) = (name.to_string(), max_output_bytes, cell.key.n);
            failed(ProgramFailure::TooMuchOutput { program, bytes, n }, &ended)
        }
        None => judge_output(cell, call, output, &ended, &name).unwrap_or_else(Attempt::crashed),
    };
    attempt.timed = measured_span;
    let row = &mut attempt.row;
    row.cpu_user_ns = Some(nanoseconds(ended.cpu.user));
    row.cpu_sys_ns = Some(nanoseconds(ended.cpu.system));
    row.involuntary_switches = ended.cpu.involuntary_switches;
    // ru_maxrss also covers the process before exec. That process is small, so the value is the memory of the program.
    row.peak_rss_bytes = Some(ended.max_rss_bytes);
    if !is_certainly_correct(cell, &attempt) {
        attempt.output.output = Excerpt::of(output_file)?;
    }
    Ok(attempt)
}

/// Whether an answer is certainly correct. A count must equal the published number. An enumeration must have the published
/// number of boards, all legal and distinct. For the goal `first`, one legal board suffices. The output of such a run
/// is not stored.
pub fn is_certainly_correct(cell: &Cell, Attempt { row, boards, .. }: &Attempt) -> bool {
    let published = published::of_variant(cell.key.n, &cell.key.problem).map(|(count, _)| count);
    let is_expected = published.is_some() && row.solutions == published;
    row.status.is_solved()
        && match cell.key.goal {
            Goal::Count => is_expected,
            Goal::Enumerate => is_expected && boards.illegal == Some(0) && boards.repeated == Some(0),
            Goal::First => row.solutions == Some(1) && boards.illegal == Some(0),
        }
}

/// The run of a program that failed for this reason, with the exit code or signal of the program.
fn failed(reason: impl ToString, ended: &EndedProcess) -> Attempt {
    let mut attempt = Attempt::crashed(reason);
    (attempt.row.exit_code, attempt.row.signal) = (ended.status.code(), os::signal(ended.status));
    attempt
}

/// Judges the output of a program that has ended.
fn judge_output(
    cell: &Cell,
    call: &ProgramCall,
    mut output: BufReader<File>,
    ended: &EndedProcess,
    name: &str,
) -> Result<Attempt, ProgramFailure> {
    let exit_code = ended.status.code();
    let unknown_attempt = |reason: String| {
        let mut attempt = Attempt::failed(Status::Unknown, Some(reason));
        attempt.row.exit_code = exit_code;
        attempt
    };
    if exit_code.is_some_and(|code| cell.unknown_exit_codes.contains(&code)) {
        return Ok(unknown_attempt(format!("'{name}' gave up: it ended with {}", ended.status)));
    }
    if !exit_code.is_some_and(|code| call.accept_exit_codes.contains(&code)) {
        return Ok(failed(format!("'{name}' ended with {}", ended.status), ended));
    }
    let question = question(cell, call)?;
    let mut digest = Digest::of(&question.problem);
    if let Some(answer) = &call.answer {
        output = extracted_answer(output, answer)?;
    }
    if says_unknown(&mut output)? {
        return Ok(unknown_attempt(format!("'{name}' gave up: it printed '{UNKNOWN}'")));
    }
    let judgement = match judge(&mut output, &question, None, &mut |columns| digest.add(columns)) {
        Ok(judgement) => judgement,
        Err(reason) => {
            let mut attempt = Attempt::failed(Status::Unreadable, Some(format!("its output: {reason}")));
            attempt.row.exit_code = exit_code;
            return Ok(attempt);
        }
    };
    let row = Row {
        status: Status::Complete,
        solutions: Some(judgement.stated_count.unwrap_or(judgement.board_count)),
        digest: Some(digest.to_string()).filter(|_| digest.count() > 0 || cell.key.goal == Goal::Enumerate),
        solve_ns: Some(nanoseconds(ended.wall)),
        exit_code,
        ..Row::default()
    };
    let detects_repetitions =
        cell.key.goal == Goal::Enumerate && !matches!(judgement.cut_reason, Some(CutReason::BoardMemory(_)));
    let boards = BoardCheck {
        claimed: None,
        illegal: Some(judgement.illegal_count).filter(|_| cell.key.goal != Goal::Count),
        repeated: Some(judgement.duplicate_count).filter(|_| detects_repetitions),
        first_illegal: judgement.illegal_examples.first().map(ToString::to_string),
    };
    Ok(Attempt { row, boards, ..Attempt::default() })
}

/// What the judge expects in the output of a program.
fn question(cell: &Cell, call: &ProgramCall) -> Result<Question, ProgramFailure> {
    let notation = match call.notation.as_str() {
        "auto" => None,
        name => Some(name.parse()?),
    };
    let problem = cell.problem()?;
    Ok(Question { problem, notation, symbols: Default::default(), answer_kind: answer_kind(cell.key.goal) })
}

/// The boards in the output of a program. `None` if the output cannot be read or does not match the row.
pub fn boards(cell: &Cell, row: &Row, printed: &str) -> Option<Vec<Placement>> {
    let program_call = cell.program.as_ref()?;
    let question = question(cell, program_call).ok()?;
    let mut file = tempfile::tempfile().ok()?;
    file.write_all(printed.as_bytes()).and_then(|()| file.rewind()).ok()?;
    let mut output = BufReader::new(file);
    if let Some(answer) = &program_call.answer {
        output = extracted_answer(output, answer).ok()?;
    }
    let (mut digest, mut boards) = (Digest::of(&question.problem), Vec::new());
    let judgement = judge(&mut output, &question, None, &mut |columns| {
        digest.add(columns);
        boards.push(Placement::new(columns));
    });
    judgement.ok()?;
    let is_same_answer = row.solutions == Some(boards.len() as u64) && row.digest == Some(digest.to_string());
    is_same_answer.then_some(boards)
}

/// The output of a program that gives up, in upper or lower case.
const UNKNOWN: &str = "unknown";

/// Whether an output consists only of [`UNKNOWN`] and blanks. Then rewinds the output to its beginning.
fn says_unknown(output: &mut BufReader<File>) -> io::Result<bool> {
    const MAX_BYTES: u64 = 1 << 10;
    let mut beginning = Vec::new();
    output.by_ref().take(MAX_BYTES).read_to_end(&mut beginning)?;
    output.rewind()?;
    Ok(plaintext::decode(&beginning).trim().eq_ignore_ascii_case(UNKNOWN))
}

/// Extracts the answer from an output: the last line that is not empty, or the matches of a regular expression. The answer
/// consists of the first group of each matching line, or of the whole match if the expression has no group. If no line matches,
/// the whole output is the answer.
fn extracted_answer(mut output: BufReader<File>, answer: &str) -> Result<BufReader<File>, ProgramFailure> {
    let pattern: AnswerPattern = answer.parse().map_err(ProgramFailure::Answer)?;
    let is_last_only = matches!(pattern, AnswerPattern::LastLine);
    let mut answer_file = tempfile::tempfile().map(BufWriter::new)?;
    let (mut line, mut last_line, mut has_match) = (Vec::new(), String::new(), false);
    let mut decoder = Decoder::new(&mut output);
    while decoder.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        match pattern.in_line(text.trim_end_matches('\n')) {
            Some(answer) if is_last_only => last_line = answer.to_owned(),
            Some(answer) => {
                has_match = true;
                writeln!(answer_file, "{answer}")?;
            }
            None => {}
        }
        line.clear();
    }
    if is_last_only {
        has_match = true;
        writeln!(answer_file, "{last_line}")?;
    }
    let mut file =
        if has_match { answer_file.into_inner().map_err(io::Error::from)? } else { output.into_inner() };
    file.seek(SeekFrom::Start(0))?;
    Ok(BufReader::new(file))
}

/// The maximum number of statistics that a program may print.
const MAX_STATISTICS: usize = 64;

/// An invalid statistic or time on the standard error of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatisticsError {
    /// The name in this line is not a valid name of a column.
    #[error("'{0}': a name has up to {MAX_NAME_BYTES} letters, digits, '-' and '_'")]
    Name(String),
    /// The value in this line is not a number.
    #[error("'{0}': write a whole number from 0 and below 2^64")]
    Value(String),
    /// A name has two values.
    #[error("'{line}': {name} already has a value")]
    Second {
        /// The line with the second value.
        line: String,
        /// The name.
        name: String,
    },
    /// There are too many names.
    #[error("more than {MAX_STATISTICS} statistics")]
    TooMany,
    /// The reported time is longer than the run.
    #[error("solve_ns is longer than the run of the program")]
    LongerThanRun,
}

/// Reads the statistics and the time from the standard error of a program, and adds them to the row of an answered run. A
/// statistic is a line `stat NAME=VALUE`. The line `solve_ns=VALUE` gives the running time without the start of the process. Other
/// lines are ignored.
///
/// # Errors
///
/// A name is invalid or occurs twice, a value is not a whole number below 2^64, or the time is longer than the run.
pub fn read_statistics(row: &mut Row, stderr: &str) -> Result<(), StatisticsError> {
    for line in stderr.lines().map(str::trim).filter(|_| row.status.is_solved()) {
        let name = line.strip_prefix("stat ").or(line.strip_prefix("solve_ns=").map(|_| line));
        let Some((name, value)) = name.and_then(|pair| pair.trim().split_once('=')) else { continue };
        let excerpt = line.chars().take(100).collect::<String>();
        if !is_name(name) {
            return Err(StatisticsError::Name(excerpt));
        }
        let Ok(value) = value.parse() else { return Err(StatisticsError::Value(excerpt)) };
        let earlier_value = match line.starts_with("solve_ns=") {
            true => row.reported_solve_ns.replace(value),
            false => row.program_stats.insert(name.to_owned(), value),
        };
        if earlier_value.is_some() {
            return Err(StatisticsError::Second { line: excerpt, name: name.to_owned() });
        }
    }
    if row.program_stats.len() > MAX_STATISTICS {
        return Err(StatisticsError::TooMany);
    }
    let is_longer =
        row.reported_solve_ns.zip(row.solve_ns).is_some_and(|(reported, measured)| reported > measured);
    if is_longer { Err(StatisticsError::LongerThanRun) } else { Ok(()) }
}

/// The maximum output of a program in bytes: twice the space of all solutions in the longest notation, plus 64 MiB, but at most
/// 64 GiB. The limit prevents a program from filling the disk.
fn max_bytes(cell: &Cell) -> u64 {
    let boards = match cell.key.goal {
        Goal::Enumerate => {
            published::of_variant(cell.key.n, &cell.key.problem).map_or(u64::MAX, |(count, _)| count)
        }
        _ => 0,
    };
    let board = 16 * (cell.key.n as u64 + 1).pow(2);
    boards.saturating_mul(2 * board).saturating_add(64 << 20).min(64 << 30)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn invalid_or_repeated_statistics_are_refused() {
        let parse = |stderr: &str| {
            let mut row = Row { status: Status::Complete, solve_ns: Some(1000), ..Row::default() };
            let result = read_statistics(&mut row, stderr).map_err(|error| error.to_string());
            result.map(|()| (row.program_stats, row.reported_solve_ns))
        };
        let (statistics, reported) =
            parse("hello\n stat nodes=2057 \nstat: cannot stat x\nsolve_ns=999\nstat zdd-size=0\n")
                .expect("valid statistics");
        assert_eq!(statistics, [("nodes".to_owned(), 2057), ("zdd-size".to_owned(), 0)].into());
        assert_eq!(reported, Some(999));
        let many_statistics: String = (0..65).map(|name| format!("stat s{name}=1\n")).collect();
        for stderr in [
            "stat nodes=1\nstat nodes=1",
            "solve_ns=1\nsolve_ns=1",
            "stat nodes=nan",
            "stat nodes=-1",
            "stat nodes=18446744073709551616",
            "stat nodes=",
            "solve_ns=inf",
            "stat a b=1",
            "stat =1",
            "solve_ns=1001",
        ] {
            let error = parse(stderr).expect_err(stderr);
            let first_line = stderr.lines().next().expect("a line");
            assert_eq!(error.contains(&format!("'{first_line}'")), stderr != "solve_ns=1001", "{error}");
            wording::assert_wording!("runner", &format!("standard error: {}", stderr.escape_debug()), error);
        }
        let error = parse(&many_statistics).expect_err("65 statistics");
        wording::assert_wording!("runner", "standard error: 65 statistics", error);
        // The statistics of a run without an answer are ignored.
        let mut row = Row { status: Status::Crashed, ..Row::default() };
        assert_eq!((read_statistics(&mut row, "stat nodes=nan"), row.program_stats.len()), (Ok(()), 0));
    }

    #[test]
    fn answer_is_read_among_other_output() {
        let extraction = |text: &str, answer: &str| {
            let mut file = tempfile::tempfile().expect("temporary file");
            file.write_all(text.as_bytes()).and_then(|()| file.seek(SeekFrom::Start(0))).expect("written");
            let mut answer_text = String::new();
            super::extracted_answer(BufReader::new(file), answer)
                .expect("readable")
                .read_to_string(&mut answer_text)
                .map(|_| answer_text)
                .expect("text")
        };
        assert_eq!(extraction("Solving...\nModels : 92\nCPU : 1 s\n", r"^Models\s*: (\d+)"), "92\n");
        assert_eq!(extraction("a 1 3\nb\na 2 4", "^a .*$"), "a 1 3\na 2 4\n");
        assert_eq!(extraction("x\n 92 \n\n", AnswerPattern::LAST_LINE), "92\n");
        // A sentence such as "no solution" does not match the pattern, so the whole text is read.
        assert_eq!(extraction("UNSATISFIABLE\n", r"^Models: (\d+)"), "UNSATISFIABLE\n");
        assert_eq!(extraction("", AnswerPattern::LAST_LINE), "\n");
    }
}
