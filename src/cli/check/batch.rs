//! `queenlab check --batch`: checks every submission in a directory at every size and prints one line per submission.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::app::Event;
use crate::app::batch::{Batch, BatchInput, check_batch};
use crate::app::check::Grade;
use crate::app::feedback::grade_row;
use crate::app::judged::{JudgedProblem, JudgedSubmission};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::board::sizes::Sizes;
use crate::judge::AnswerKind;
use crate::record::table;
use crate::words::counted;
use anyhow::Error;

use super::super::options::Messages;
use super::super::options::{is_standard_output, write_output};
use super::super::progress::{self, BatchProgress};
use super::{BadInput, Check, Exit, exit_of, interrupt, out, print_json, terminal};

pub fn run(directory: &Path, answer_kind: AnswerKind, arguments: &Check) -> Result<Exit, Error> {
    if let Some(positional) = &arguments.n {
        let positional = positional.to_string_lossy();
        let advice = match positional.parse::<Sizes>() {
            Ok(_) => format!("--batch takes the board sizes as an option: write --n {positional}"),
            Err(_) => format!("--batch checks all submissions in its directory: leave out '{positional}'"),
        };
        return Err(BadInput(advice).into());
    }
    let writes_to_stdout = |file: &Option<PathBuf>| file.as_deref().is_some_and(is_standard_output);
    let standard_outputs = [
        (writes_to_stdout(&arguments.csv), "--csv -"),
        (writes_to_stdout(&arguments.grades), "--grades -"),
        (arguments.json, "--json"),
    ];
    let standard_outputs: Vec<&str> =
        standard_outputs.iter().filter(|(is_printed, _)| *is_printed).map(|(_, name)| *name).collect();
    if let [first, second, ..] = standard_outputs[..] {
        refuse!("{first} and {second} both write to standard output: leave one out, or name a file");
    }
    let problems = problems(arguments)?;
    let sizes: Vec<BoardSize> = problems.iter().map(Problem::n).collect();
    let text = arguments.input();
    let input = BatchInput {
        directory,
        problems,
        answer_kind,
        notation: arguments.notation,
        symbols: arguments.symbols(),
        timeout: arguments.timeout(),
        cpu_timeout: arguments.cpu_timeout,
        memory: arguments.memory(),
        input: &text,
        builds: &arguments.build,
        strict_exit: arguments.strict_exit,
        jobs: arguments.jobs.get(),
    };
    // Data on standard output must not be mixed with the table.
    let prints_text = standard_outputs.is_empty();
    let prints_table = prints_text && !arguments.messages.quiet.quiet;
    let table = Mutex::new(GradesTable {
        sizes: &sizes,
        width: 0,
        prints_table,
        judged_count: 0,
        progress: BatchProgress::new(&arguments.messages, 0),
        messages: arguments.messages,
        print_error: None,
    });
    let observe = |event: Event<'_>| {
        let mut table = table.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        table.observe(event);
    };
    let batch = {
        let graceful_step = interrupt::graceful_step();
        check_batch(&input, &graceful_step.flag(), &observe)?
    };
    let table = table.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    table.print_error.map_or(Ok(()), Err)?;
    let Batch { submissions, interrupted } = &batch;
    print(prints_table, &summary(submissions))?;
    for submission in submissions {
        let first_fault = submission.results.iter().find(|result| result.judged.grade != Grade::Correct);
        if let Some(reason) = &submission.not_run {
            print(prints_text, &format!("  {}: {reason}", submission.name))?;
        }
        if let Some(JudgedProblem { problem, judged }) = first_fault {
            let (n, verdict, message) = (problem.n(), judged.verdict, &judged.message);
            print(prints_text, &format!("  {}, n = {n}: {verdict}: {message}", submission.name))?;
        }
    }
    let answers: Vec<_> = submissions.iter().flat_map(JudgedSubmission::answers).collect();
    if let Some(file) = &arguments.csv {
        write_output(file, &table::spreadsheet_csv(&answers))?;
    }
    if let Some(file) = &arguments.grades {
        write_output(file, &table::spreadsheet_csv(submissions.iter().map(grade_row)))?;
    }
    let mut exit = exit_of(batch.worst_grade());
    if let Some((name, total)) = interrupted {
        let judged_count = submissions.len();
        terminal::say(format_args!(
            "interrupted while checking {name}: the results contain only {judged_count} of {total} submissions"
        ));
        exit = Exit::Interrupted;
    }
    if arguments.json {
        print_json(&answers)?;
    }
    Ok(exit)
}

/// The table that is printed line by line while submissions are judged.
struct GradesTable<'a> {
    sizes: &'a [BoardSize],
    /// The width of the column of names, in characters.
    width: usize,
    prints_table: bool,
    /// The number of judged submissions.
    judged_count: usize,
    progress: BatchProgress,
    messages: Messages,
    /// The error of the first line that could not be printed.
    print_error: Option<Error>,
}

impl GradesTable<'_> {
    fn observe(&mut self, event: Event<'_>) {
        let print_result = match event {
            Event::SubmissionsFound(names) => {
                let max_width = names.iter().map(|name| name.chars().count()).max();
                self.width = max_width.unwrap_or(0).max(10);
                self.progress = BatchProgress::new(&self.messages, names.len());
                let heads: String =
                    self.sizes.iter().map(|n| format!("  {:<10}", format!("n = {n}"))).collect();
                print(self.prints_table, &format!("{:<1$}{heads}  points", "submission", self.width))
            }
            Event::SubmissionBegins { name, n } => {
                return self.progress.submission_started(self.judged_count, name, n);
            }
            Event::SubmissionJudged(submission) => {
                self.judged_count += 1;
                self.progress.clear();
                print(self.prints_table, &self.line(submission))
            }
            event => return progress::notice(event),
        };
        self.print_error = self.print_error.take().or(print_result.err());
    }

    fn line(&self, submission: &JudgedSubmission) -> String {
        let JudgedSubmission { name, results, not_run, .. } = submission;
        if not_run.is_some() {
            return format!("{name:<0$}  not run", self.width);
        }
        let verdict = |n: &BoardSize| {
            results.iter().find(|result| result.problem.n() == *n).map_or("-", |result| result.judged.verdict)
        };
        let cells: String = self.sizes.iter().map(|n| format!("  {:<10}", verdict(n))).collect();
        let points = format!("{} of {}", submission.points(), results.len());
        format!("{name:<0$}{cells}  {points}", self.width)
    }
}

/// Prints a line to standard output if `is_enabled` is set.
fn print(is_enabled: bool, line: &str) -> Result<(), Error> {
    if is_enabled { Ok(writeln!(out(), "{line}")?) } else { Ok(()) }
}

fn summary(submissions: &[JudgedSubmission]) -> String {
    let judged_submissions = || submissions.iter().filter(|submission| submission.not_run.is_none());
    let count = |grade| judged_submissions().filter(|submission| submission.worst_grade() == grade).count();
    let points: usize = submissions.iter().map(JudgedSubmission::points).sum();
    let maximum: usize = submissions.iter().map(|submission| submission.results.len()).sum();
    let not_run = match submissions.len() - judged_submissions().count() {
        0 => String::new(),
        count => format!(", {count} not run"),
    };
    format!(
        "\n{}: {} correct, {} wrong, {} unreadable, {} unfinished{not_run}; {points} of {maximum} points",
        counted(submissions.len(), "submission"),
        count(Grade::Correct),
        count(Grade::Wrong),
        count(Grade::Unreadable),
        count(Grade::Unfinished)
    )
}

/// The problem of each size, or the problem of the instance.
fn problems(arguments: &Check) -> Result<Vec<Problem>, Error> {
    let options = &arguments.problem;
    match (&arguments.sizes, &options.instance) {
        (None, Some(_)) => Ok(vec![options.problem(None)?]),
        (None, None) => {
            refuse!("--batch needs board sizes (for example --n 4-8) or --instance FILE")
        }
        (Some(sizes), _) => sizes.iter().map(|n| options.problem(Some(n))).collect(),
    }
}
