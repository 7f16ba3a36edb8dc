//! `queenlab check --batch`: every submission in a directory at every size, one line each.
//!
//! A submission is a print-out, which is judged at one size, or a program, which is started once per size. A right answer
//! at one size is one point. Print-outs are judged before any program runs, and programs are copied before: no submission
//! can change another one.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::board::sizes::Sizes;
use crate::files::temporary_directory;
use crate::judge::{Asks, Question};
use crate::record::{sha256_of_file, table};
use crate::submission::{ProgramError, judge_program, judge_text};
use anyhow::{Context, Error};
use plaintext::Escaped;

use super::super::options::{is_standard_output, write_output};
use super::{Answer, BadInput, Check, Exit, Judged, interrupt, open, out, print_json, programs, terminal};
use crate::words::counted;

struct Submission {
    /// The name of the file, safe to print on a terminal.
    name: String,
    path: PathBuf,
    /// For a program.
    kept: Option<Kept>,
}

/// A program as it was handed in.
struct Kept {
    digest: String,
    copy: PathBuf,
}

/// The result of a submission at one size.
struct Graded {
    problem: Problem,
    judged: Judged,
}

/// A submission with its results.
type Results<'a> = (&'a Submission, Vec<Graded>);

pub fn run(directory: &Path, asks: Asks, arguments: &Check) -> Result<Exit, Error> {
    if let Some(given) = &arguments.n {
        let given = given.to_string_lossy();
        let advice = match given.parse::<Sizes>() {
            Ok(_) => format!("give the board sizes of --batch as an option: write --n {given}"),
            Err(_) => format!("--batch checks the files of one directory: leave out '{given}'"),
        };
        return Err(BadInput(advice).into());
    }
    let prints_csv = arguments.csv.as_deref().is_some_and(is_standard_output);
    if prints_csv && arguments.json {
        refuse!("--csv - and --json both write to standard output: leave one out, or name a file");
    }
    let problems = problems(arguments)?;
    let copies = temporary_directory().context("cannot make a directory for copies of the programs")?;
    let submissions = submissions(directory, copies.path())?;
    let graceful = interrupt::graceful();
    let cancel = graceful.flag();
    let sizes: Vec<BoardSize> = problems.iter().map(Problem::n).collect();
    let names = submissions.iter().map(|submission| submission.name.chars().count());
    let width = names.max().unwrap_or(0).max(10);
    let heads: String = sizes.iter().map(|n| format!("  {:<10}", format!("n = {n}"))).collect();
    // Two of them on standard output could not be told apart.
    let shows = !(arguments.json || prints_csv);
    print(shows && !arguments.quiet.quiet, &format!("{:<width$}{heads}  points", "submission"))?;
    let mut all: Vec<Results<'_>> = Vec::new();
    for submission in &submissions {
        let own = submission.sizes(&sizes);
        let posed = problems.iter().filter(|problem| own.contains(&problem.n()));
        let grade = |problem: &Problem| {
            let question = Question { problem: problem.clone(), notation: arguments.notation, asks };
            submission.grade(&question, &sizes, arguments, &cancel)
        };
        let Some(graded) = posed.map(grade).collect::<Option<Vec<_>>>() else { break };
        let verdict = |n: &BoardSize| {
            graded.iter().find(|one| one.problem.n() == *n).map_or("-", |one| one.judged.verdict)
        };
        let cells: String = sizes.iter().map(|n| format!("  {:<10}", verdict(n))).collect();
        let points = graded.iter().filter(|one| one.is_point()).count();
        let points = format!("{points} of {}", graded.len());
        print(shows && !arguments.quiet.quiet, &format!("{:<width$}{cells}  {points}", submission.name))?;
        all.push((submission, graded));
    }
    print(shows && !arguments.quiet.quiet, &summary(&all))?;
    for (submission, graded) in &all {
        if let Some(Graded { problem, judged }) = graded.iter().find(|one| !one.is_point()) {
            let (n, Judged { verdict, message, .. }) = (problem.n(), judged);
            print(shows, &format!("  {}, n = {n}: {verdict}: {message}", submission.name))?;
        }
    }
    let answers: Vec<_> = all.iter().flat_map(|(submission, graded)| answers(submission, graded)).collect();
    if let Some(file) = &arguments.csv {
        write_output(file, &table::of_structs(&answers))?;
    }
    let mut exit = worst(all.iter().flat_map(|(_, graded)| graded));
    if let Some(Submission { name, .. }) = submissions.get(all.len()) {
        let (done, total) = (all.len(), submissions.len());
        terminal::say(format_args!(
            "interrupted while checking {name}: {done} of {total} submissions are checked, and only these are in the results"
        ));
        exit = Exit::Interrupted;
    }
    if arguments.json {
        print_json(&answers)?;
    }
    Ok(exit)
}

/// A closed standard output does not change the results.
fn print(shown: bool, line: &str) -> Result<(), Error> {
    if shown { Ok(writeln!(out(), "{line}")?) } else { Ok(()) }
}

fn summary(all: &[Results<'_>]) -> String {
    let count = |exit: Exit| all.iter().filter(|(_, graded)| worst(graded) == exit).count();
    format!(
        "\n{}: {} correct, {} wrong, {} unreadable, {} unfinished",
        counted(all.len(), "submission"),
        count(Exit::Success),
        count(Exit::WrongAnswer),
        count(Exit::BadInput),
        count(Exit::Failure)
    )
}

/// The problem at each size, or the one of an instance.
fn problems(arguments: &Check) -> Result<Vec<Problem>, Error> {
    let options = &arguments.problem;
    match (&arguments.sizes, &options.instance) {
        (None, Some(_)) => Ok(vec![options.problem(None)?]),
        (None, None) => {
            refuse!("--batch needs board sizes, for example --n 4-8, or the problem of --instance FILE")
        }
        (Some(sizes), _) => sizes.iter().map(|n| options.problem(Some(n))).collect(),
    }
}

/// The submissions of a directory, print-outs first, sorted by name. Hidden files are ignored, and so are links: they may
/// lead to files that nobody handed in.
fn submissions(directory: &Path, copies: &Path) -> Result<Vec<Submission>, Error> {
    let shown = plaintext::path(directory);
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
        let kind = entry.file_type().with_context(|| format!("cannot read {name}"))?;
        if !kind.is_file() {
            let what = if kind.is_symlink() { "a symbolic link" } else { "not a file" };
            terminal::warn(format_args!("{name} is ignored: it is {what}"));
            continue;
        }
        let copy = copies.join(submissions.len().to_string());
        let kept = programs::command(&path).map(|_| Kept::of(&path, &copy));
        let kept = kept.transpose().with_context(|| format!("cannot copy {name}"))?;
        submissions.push(Submission { name, path, kept });
    }
    submissions.sort_by_key(|submission| (submission.kept.is_some(), submission.path.clone()));
    if submissions.is_empty() {
        refuse!("{shown}: this directory has no files; put one file per submission into it");
    }
    Ok(submissions)
}

impl Kept {
    fn of(path: &Path, directory: &Path) -> std::io::Result<Self> {
        fs::create_dir(directory)?;
        let copy = directory.join(path.file_name().unwrap_or_default());
        fs::copy(path, &copy)?;
        Ok(Self { digest: sha256_of_file(&copy)?, copy })
    }
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
        self.kept.is_some() || all.len() == 1 || size.parse() == Ok(n.get())
    }

    /// The command of a program, without the size. If another submission changed its file, that of its copy.
    fn command(&self, kept: &Kept) -> Option<Vec<OsString>> {
        let is_intact = |file: &&Path| sha256_of_file(file).is_ok_and(|digest| digest == kept.digest);
        let file = [&*self.path, &*kept.copy].into_iter().find(is_intact)?;
        if file != self.path {
            let name = &self.name;
            terminal::warn(format_args!(
                "{name} was changed during the batch: it is judged as it was handed in"
            ));
        }
        programs::command(file)
    }

    /// Judges it at one size. Returns `None` if interrupted.
    fn grade(
        &self,
        question: &Question,
        all: &[BoardSize],
        arguments: &Check,
        cancel: &AtomicBool,
    ) -> Option<Graded> {
        let n = question.problem.n();
        let failed = |message: String| Some(Judged::refused("failed", Exit::Failure, message));
        let judged = match &self.kept {
            Some(kept) => match self.command(kept) {
                Some(mut command) => {
                    command.push(n.to_string().into());
                    Judged::of(judge_program(&command, arguments.timeout(), cancel, question))
                }
                None => failed("its file was changed during the batch: check it alone".to_owned()),
            },
            None if !self.size_is_known(n, all) => {
                let advice = "a text file has boards of one size: end its name with the size, as in ada_6.txt, or \
                              give only one size";
                Some(Judged::refused("unreadable", Exit::BadInput, advice.to_owned()))
            }
            None => match open(Some(&self.path)) {
                Ok(mut file) => Judged::of(judge_text(&mut file, question).map_err(ProgramError::Judge)),
                Err(error) => failed(Escaped(format_args!("{error:#}")).to_string()),
            },
        };
        Some(Graded { problem: question.problem.clone(), judged: judged? })
    }
}

fn answers<'a>(submission: &'a Submission, graded: &'a [Graded]) -> impl Iterator<Item = Answer<'a>> {
    graded.iter().map(|one| one.judged.answer(Some(&submission.name), &one.problem))
}

impl Graded {
    fn is_point(&self) -> bool {
        self.judged.exit == Exit::Success
    }
}

/// The worst of several results counts: wrong, then unreadable, then unfinished.
fn worst<'a>(graded: impl IntoIterator<Item = &'a Graded>) -> Exit {
    const FROM_WORST: [Exit; 4] = [Exit::WrongAnswer, Exit::BadInput, Exit::Failure, Exit::Success];
    let place = |exit: &Exit| FROM_WORST.iter().position(|other| other == exit);
    graded.into_iter().map(|one| one.judged.exit).min_by_key(place).unwrap_or(Exit::Success)
}
