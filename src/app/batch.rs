//! Judges every submission in a directory at every size.
//!
//! A submission is a print-out, which is judged at one size, or a program, which is started once per size. A right answer
//! at one size is one point. Print-outs are judged before any program runs, and programs are copied before: no submission
//! can change another one.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::check::{Answer, Grade, Judged};
use super::{AppError, Event, InputError, Observer, programs};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::files::temporary_directory;
use crate::judge::notation::{Notation, Symbols};
use crate::judge::{Asks, Question};
use crate::record::sha256_of_file;
use crate::submission::{ProgramError, judge_program, judge_text};
use plaintext::Escaped;

/// The submissions to judge, and at what.
#[derive(Clone, Debug)]
pub struct BatchInput<'a> {
    /// The directory with the submissions.
    pub directory: &'a Path,
    /// The problems, at least one.
    pub problems: Vec<Problem>,
    /// What the submissions were asked for.
    pub asks: Asks,
    /// The only notation that is read, instead of any.
    pub notation: Option<Notation>,
    /// The symbols of drawn boards.
    pub symbols: Symbols,
    /// The time limit of a program.
    pub timeout: Duration,
}

/// The submissions of a directory, as far as they were judged.
#[derive(Debug)]
pub struct Batch {
    /// Those that were judged at all their sizes, print-outs first, sorted by name.
    pub submissions: Vec<JudgedSubmission>,
    /// The submission that was not judged because the user interrupted, and the number of all submissions.
    pub interrupted: Option<(String, usize)>,
}

/// A submission with its results.
#[derive(Debug)]
pub struct JudgedSubmission {
    /// The name of its file, safe to print on a terminal.
    pub name: String,
    /// The result at each of its sizes.
    pub results: Vec<JudgedProblem>,
}

/// The result of a submission at one size.
#[derive(Debug)]
pub struct JudgedProblem {
    /// The problem.
    pub problem: Problem,
    /// The result.
    pub judged: Judged,
}

impl JudgedSubmission {
    /// The number of right answers.
    pub fn points(&self) -> usize {
        self.results.iter().filter(|one| one.judged.grade == Grade::Correct).count()
    }

    /// The worst of its grades: wrong, then unreadable, then unfinished.
    pub fn worst(&self) -> Grade {
        let grades = self.results.iter().map(|one| one.judged.grade);
        grades.max_by_key(|grade| *grade as u8).unwrap_or(Grade::Correct)
    }

    /// The rows of `--csv`.
    pub fn answers(&self) -> impl Iterator<Item = Answer<'_>> {
        self.results.iter().map(|one| one.judged.answer(Some(&self.name), &one.problem))
    }
}

impl Batch {
    /// The worst of all grades.
    pub fn worst(&self) -> Grade {
        let grades = self.submissions.iter().map(JudgedSubmission::worst);
        grades.max_by_key(|grade| *grade as u8).unwrap_or(Grade::Correct)
    }
}

/// Judges the submissions of a directory. Setting `cancel` to true ends it.
///
/// # Errors
///
/// The directory cannot be read, or has no files.
pub fn check_batch(
    input: &BatchInput<'_>,
    cancel: &AtomicBool,
    observe: Observer<'_>,
) -> Result<Batch, AppError> {
    let copies = temporary_directory().map_err(|error| {
        let what = "cannot make a directory for copies of the programs".to_owned();
        AppError::Io { what, error }
    })?;
    let submissions = submissions(input.directory, copies.path(), observe)?;
    let sizes: Vec<BoardSize> = input.problems.iter().map(Problem::n).collect();
    let names: Vec<&str> = submissions.iter().map(|submission| submission.name.as_str()).collect();
    observe(Event::SubmissionsFound(&names));
    let mut all = Vec::new();
    for submission in &submissions {
        let own = submission.sizes(&sizes);
        let problems = input.problems.iter().filter(|problem| own.contains(&problem.n()));
        let judge = |problem: &Problem| submission.judge(problem, &sizes, input, cancel, observe);
        let Some(results) = problems.map(judge).collect::<Option<Vec<_>>>() else {
            let interrupted = Some((submission.name.clone(), submissions.len()));
            return Ok(Batch { submissions: all, interrupted });
        };
        let judged = JudgedSubmission { name: submission.name.clone(), results };
        observe(Event::SubmissionJudged(&judged));
        all.push(judged);
    }
    Ok(Batch { submissions: all, interrupted: None })
}

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

/// The submissions of a directory, print-outs first, sorted by name. Hidden files are ignored, and so are links: they may
/// lead to files that nobody handed in.
fn submissions(directory: &Path, copies: &Path, observe: Observer<'_>) -> Result<Vec<Submission>, AppError> {
    let shown = plaintext::path(directory).to_string();
    let failed = |what: String| move |error| AppError::Io { what, error };
    // Absolute, so that the interpreter does not take a name for an option.
    let directory = directory.canonicalize().map_err(failed(format!("cannot open {shown}")))?;
    let mut submissions = Vec::new();
    for entry in fs::read_dir(&directory).map_err(failed(format!("cannot read {shown}")))? {
        let entry = entry.map_err(failed(format!("cannot read {shown}")))?;
        let name = Escaped(entry.file_name().to_string_lossy()).to_string();
        let path = entry.path();
        if name.starts_with('.') {
            continue;
        }
        let kind = entry.file_type().map_err(failed(format!("cannot read {name}")))?;
        if !kind.is_file() {
            let what = if kind.is_symlink() { "a symbolic link" } else { "not a file" };
            observe(Event::Warning(&format!("{name} is ignored: it is {what}")));
            continue;
        }
        let copy = copies.join(submissions.len().to_string());
        let kept = programs::command(&path).map(|_| Kept::of(&path, &copy));
        let kept = kept.transpose().map_err(failed(format!("cannot copy {name}")))?;
        submissions.push(Submission { name, path, kept });
    }
    submissions.sort_by_key(|submission| (submission.kept.is_some(), submission.path.clone()));
    if submissions.is_empty() { Err(InputError::NoSubmissions(shown).into()) } else { Ok(submissions) }
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
    /// The sizes at which it is judged: a text file at the size in its name, or at the only one.
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
    fn command(&self, kept: &Kept, observe: Observer<'_>) -> Option<Vec<OsString>> {
        let is_intact = |file: &&Path| sha256_of_file(file).is_ok_and(|digest| digest == kept.digest);
        let file = [&*self.path, &*kept.copy].into_iter().find(is_intact)?;
        if file != self.path {
            let name = &self.name;
            observe(Event::Warning(&format!(
                "{name} was changed during the batch: it is judged as it was handed in"
            )));
        }
        programs::command(file)
    }

    /// Judges it at one size. Returns `None` if interrupted.
    fn judge(
        &self,
        problem: &Problem,
        all: &[BoardSize],
        input: &BatchInput<'_>,
        cancel: &AtomicBool,
        observe: Observer<'_>,
    ) -> Option<JudgedProblem> {
        let &BatchInput { asks, notation, symbols, timeout, .. } = input;
        let question = Question { problem: problem.clone(), notation, symbols, asks };
        let n = problem.n();
        let judged = match &self.kept {
            Some(kept) => match self.command(kept, observe) {
                Some(mut command) => {
                    command.push(n.to_string().into());
                    Judged::of(judge_program(&command, timeout, cancel, &question))?
                }
                None => Judged::failed("its file was changed during the batch: check it alone".to_owned()),
            },
            None if !self.size_is_known(n, all) => {
                let advice = "a text file has boards of one size: end its name with the size, as in ada_6.txt, or \
                              give only one size";
                Judged::refused("unreadable", Grade::Unreadable, advice.to_owned())
            }
            None => match File::open(&self.path) {
                Ok(file) => {
                    let mut file = BufReader::with_capacity(super::check::BUFFER_BYTES, file);
                    Judged::of(judge_text(&mut file, &question).map_err(ProgramError::Judge))?
                }
                Err(error) => {
                    let path = plaintext::path(&self.path);
                    Judged::failed(Escaped(format_args!("cannot open {path}: {error}")).to_string())
                }
            },
        };
        Some(JudgedProblem { problem: problem.clone(), judged })
    }
}
