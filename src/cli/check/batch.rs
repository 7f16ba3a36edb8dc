//! `queenlab check --batch`: every submission in a directory at every size, one line each.
//!
//! A submission is a program, which is started once per size with the size as its only argument, or a print-out,
//! which is judged at one size. A right answer at one size is one point.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::board::sizes::Sizes;
use crate::escape::Escaped;
use crate::record::{nanoseconds, table, write_atomically};
use crate::solver::Goal;
use crate::verify::submission::{self, Judgement, Question, SubmissionError};
use anyhow::{Context, Error};
use serde_json::json;

use super::super::args::{CheckArguments, Global};
use super::super::units::counted;
use super::super::{BadInput, Exit, even_unread, interrupt, out, print_json, programs, terminal};
use super::{TIMEOUT, exit_of, exit_of_verdict, open, word_of};

struct Submission {
    /// The name of the file, safe to print on a terminal.
    name: String,
    path: PathBuf,
    /// The command, to which the size is appended; empty for a text file with boards.
    command: Option<Vec<OsString>>,
}

/// The result of a submission at one size.
struct Judged {
    n: BoardSize,
    verdict: &'static str,
    exit: Exit,
    message: String,
    report: Option<Judgement>,
    took: Duration,
}

pub fn run(directory: &Path, goal: Goal, arguments: &CheckArguments, global: &Global) -> Result<Exit, Error> {
    if let Some(given) = &arguments.n {
        let given = given.to_string_lossy();
        let advice = match given.parse::<Sizes>() {
            Ok(_) => format!("give the board sizes of --batch as an option: write --n {given}"),
            Err(_) => format!("--batch checks the files of one directory: leave out '{given}'"),
        };
        return Err(BadInput(advice).into());
    }
    let problems = problems(arguments)?;
    let submissions = submissions(directory)?;
    let graceful = interrupt::graceful();
    let cancel = graceful.flag();
    let sizes: Vec<BoardSize> = problems.iter().map(Problem::n).collect();
    let width =
        submissions.iter().map(|submission| submission.name.chars().count()).max().unwrap_or(0).max(10);
    // A closed standard output does not change the results.
    let print_if = |shown: bool, line: std::fmt::Arguments<'_>| {
        if shown { even_unread(writeln!(out(), "{line}").map_err(Error::from)) } else { Ok(()) }
    };
    let print = |line: std::fmt::Arguments<'_>| print_if(!global.quiet && !arguments.json, line);
    let names: String = sizes.iter().map(|n| format!("  {:<10}", format!("n = {n}"))).collect();
    print(format_args!("{:<width$}{names}  points", "submission"))?;
    let mut all: Vec<(&Submission, Vec<Judged>)> = Vec::new();
    let mut interrupted = None;
    for submission in &submissions {
        let own = submission.sizes(&sizes);
        let judge = |problem: &Problem| {
            let question = Question { problem: problem.clone(), notation: arguments.notation, goal };
            submission.judge(&question, &sizes, arguments, &cancel)
        };
        let name = &submission.name;
        let posed = problems.iter().filter(|problem| own.contains(&problem.n()));
        let Some(judged) = posed.map(judge).collect::<Option<Vec<_>>>() else {
            interrupted = Some(name);
            break;
        };
        let cell = |n: &BoardSize| {
            let verdict = judged.iter().find(|one| one.n == *n).map_or("-", |one| one.verdict);
            format!("  {verdict:<10}")
        };
        let cells: String = sizes.iter().map(cell).collect();
        print(format_args!("{name:<width$}{cells}  {} of {}", points(&judged), judged.len()))?;
        all.push((submission, judged));
    }
    let count = |exit: Exit| all.iter().filter(|(_, judged)| worst(judged) == exit).count();
    let (right, wrong) = (count(Exit::Success), count(Exit::WrongAnswer));
    let (unreadable, unfinished) = (count(Exit::BadInput), count(Exit::Failure));
    let total = counted(all.len(), "submission");
    print(format_args!(
        "\n{total}: {right} correct, {wrong} wrong, {unreadable} unreadable, {unfinished} unfinished"
    ))?;
    for (submission, judged) in &all {
        if let Some(first) = judged.iter().find(|one| one.exit != Exit::Success) {
            let Judged { n, verdict, message, .. } = first;
            print_if(!arguments.json, format_args!("  {}, n = {n}: {verdict}: {message}", submission.name))?;
        }
    }
    if let Some(file) = &arguments.csv {
        write_atomically(file, &csv(&all)?)?;
    }
    if let Some(file) = &arguments.junit {
        write_atomically(file, junit(&all).as_bytes())?;
    }
    if let Some(name) = interrupted {
        let (done, total) = (all.len(), submissions.len());
        terminal::say(format_args!(
            "interrupted while checking {name}: {done} of {total} submissions are checked, and only these are in the results"
        ));
    }
    let exit = match interrupted {
        Some(_) => Exit::Interrupted,
        None => worst(all.iter().flat_map(|(_, judged)| judged)),
    };
    if arguments.json {
        let submissions: Vec<_> = all
            .iter()
            .map(|(submission, judged)| {
                json!({
                    "submission": submission.name,
                    "points": points(judged),
                    "of": judged.len(),
                    "results": judged.iter().map(as_json).collect::<Vec<_>>(),
                })
            })
            .collect();
        print_json(&json!({ "schema_version": 1, "exit_code": exit as u8, "submissions": submissions }))?;
    }
    Ok(exit)
}

/// The problem at each size, or the one of an instance.
fn problems(arguments: &CheckArguments) -> Result<Vec<Problem>, Error> {
    let options = &arguments.problem;
    match (&arguments.sizes, &options.instance) {
        (None, Some(_)) => Ok(vec![options.problem(None)?]),
        (None, None) => Err(BadInput(
            "--batch needs board sizes, for example --n 4-8, or the problem of --instance FILE".to_owned(),
        )
        .into()),
        (Some(sizes), _) => sizes.iter().map(|n| options.problem(Some(n))).collect(),
    }
}

/// The submissions of a directory, sorted by name. Hidden files are ignored.
fn submissions(directory: &Path) -> Result<Vec<Submission>, Error> {
    let shown = directory.display();
    // Absolute, so that the interpreter does not take a name for an option.
    let directory = directory.canonicalize().with_context(|| format!("cannot open {shown}"))?;
    let mut submissions = Vec::new();
    for entry in fs::read_dir(&directory).with_context(|| format!("cannot read {shown}"))? {
        let entry = entry.with_context(|| format!("cannot read {shown}"))?;
        let name = Escaped(entry.file_name().to_string_lossy()).to_string();
        let path = entry.path();
        if name.starts_with('.') {
            continue;
        }
        if !path.is_file() {
            terminal::warn(format_args!("{name} is ignored: it is not a file"));
            continue;
        }
        let command = programs::command(&path);
        submissions.push(Submission { name, path, command });
    }
    submissions.sort_by(|one, other| one.path.cmp(&other.path));
    if submissions.is_empty() {
        refuse!("{shown}: this directory has no files; put one file per submission into it");
    }
    Ok(submissions)
}

impl Submission {
    /// The sizes at which it is judged: a text file at the size in its name, or at the only one of --n.
    fn sizes(&self, all: &[BoardSize]) -> Vec<BoardSize> {
        let own: Vec<BoardSize> = all.iter().copied().filter(|&n| self.size_is_known(n, all)).collect();
        // A text file without a size in its name is reported once, as unreadable.
        if own.is_empty() { all[..1].to_vec() } else { own }
    }

    /// Whether it is a program, the only size is `n`, or its name ends with `n`, as in `ada_6.txt`.
    fn size_is_known(&self, n: BoardSize, all: &[BoardSize]) -> bool {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let size = stem.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        self.command.is_some() || all.len() == 1 || size.parse() == Ok(n.get())
    }

    /// Judges it at one size. Returns `None` if interrupted.
    fn judge(
        &self,
        question: &Question,
        all: &[BoardSize],
        arguments: &CheckArguments,
        cancel: &AtomicBool,
    ) -> Option<Judged> {
        let n = question.problem.n();
        let started = Instant::now();
        let refused = |error: SubmissionError| (word_of(&error), exit_of(&error), error.to_string());
        let judged = match &self.command {
            Some(command) => {
                let size = OsString::from(n.to_string());
                let parameters: Vec<OsString> = command[1..].iter().cloned().chain([size]).collect();
                let timeout = arguments.timeout.unwrap_or(TIMEOUT);
                submission::judge_program((&command[0], &parameters), timeout, question, cancel)
                    .map_err(refused)
            }
            None if !self.size_is_known(n, all) => {
                let advice = "a text file has boards of one size: end its name with the size, as in ada_6.txt, or \
                              give only one size";
                Err(("unreadable", Exit::BadInput, advice.to_owned()))
            }
            None => open(Some(&self.path))
                .map_err(|error| ("failed", Exit::Failure, Escaped(format_args!("{error:#}")).to_string()))
                .and_then(|mut file| submission::judge(&mut *file, question).map_err(refused)),
        };
        let took = started.elapsed();
        match judged {
            Err((_, Exit::Interrupted, _)) => None,
            Err((verdict, exit, message)) => Some(Judged { n, verdict, exit, message, report: None, took }),
            Ok(report) => {
                let (verdict, mut message) = (report.verdict(), report.summary());
                if let Some(cut) = &report.cut {
                    message += &format!("; {cut}");
                }
                let (exit, verdict) = (exit_of_verdict(verdict), verdict.name());
                Some(Judged { n, verdict, exit, message, report: Some(report), took })
            }
        }
    }
}

fn points(judged: &[Judged]) -> usize {
    judged.iter().filter(|one| one.exit == Exit::Success).count()
}

/// The worst of several results counts: wrong, then unreadable, then unfinished.
fn weight(exit: Exit) -> u8 {
    match exit {
        Exit::Success => 0,
        Exit::WrongAnswer => 3,
        Exit::BadInput => 2,
        _ => 1,
    }
}

fn worst<'a>(judged: impl IntoIterator<Item = &'a Judged>) -> Exit {
    judged.into_iter().map(|one| one.exit).max_by_key(|&exit| weight(exit)).unwrap_or(Exit::Success)
}

fn as_json(judged: &Judged) -> serde_json::Value {
    json!({
        "n": judged.n.get(),
        "verdict": judged.verdict,
        "exit_code": judged.exit as u8,
        "message": judged.message,
        "wall_ns": nanoseconds(judged.took),
        "report": judged.report.as_ref().map(|report| super::as_json(report, judged.exit)),
    })
}

fn csv(all: &[(&Submission, Vec<Judged>)]) -> Result<Vec<u8>, Error> {
    const HEADER: &str = "submission,n,verdict,points,boards,solutions,expected,illegal,duplicates,missing,stated,\
                          wall_ns,message\n";
    let mut rows = Vec::new();
    for (submission, judged) in all {
        rows.extend(judged.iter().map(|one| {
            let report = one.report.as_ref();
            let boards = report.filter(|report| report.goal != Goal::Count);
            (
                &submission.name,
                one.n.get(),
                one.verdict,
                u8::from(one.exit == Exit::Success),
                boards.map(|report| report.boards),
                boards.map(|report| report.distinct),
                report.and_then(|report| report.expected),
                boards.map(|report| report.illegal),
                boards.map(|report| report.duplicates),
                report.and_then(|report| report.missing.as_ref()?.solutions),
                report.and_then(|report| report.stated),
                nanoseconds(one.took),
                &one.message,
            )
        }));
    }
    Ok([HEADER.as_bytes(), &table::lines_of(&rows)].concat())
}

fn junit(all: &[(&Submission, Vec<Judged>)]) -> String {
    let escaped = |text: &str| {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
    };
    let mut text =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"queenlab check\">\n");
    for (submission, judged) in all {
        let of = |exits: &[Exit]| judged.iter().filter(|one| exits.contains(&one.exit)).count();
        let (failures, errors) = (of(&[Exit::WrongAnswer]), of(&[Exit::BadInput, Exit::Failure]));
        let name = escaped(&submission.name);
        let _ = writeln!(
            text,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\">",
            judged.len()
        );
        for one in judged {
            let seconds = one.took.as_secs_f64();
            let head =
                format!("    <testcase classname=\"{name}\" name=\"n = {}\" time=\"{seconds:.3}\"", one.n);
            let what = match one.exit {
                Exit::Success => {
                    let _ = writeln!(text, "{head}/>");
                    continue;
                }
                Exit::WrongAnswer => "failure",
                _ => "error",
            };
            let message = escaped(&one.message);
            let _ = writeln!(
                text,
                "{head}>\n      <{what} type=\"{}\" message=\"{message}\"/>\n    </testcase>",
                one.verdict
            );
        }
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}
