//! Judges every submission in a directory at every size.
//!
//! A submission is a text file with boards, which is judged at one size, or a program, which is started once per size. A correct
//! answer at one size is one point.
//!
//! No submission can change another one. Before the first program runs, text files are judged and all programs are read into
//! memory. Each run gets a new directory with a copy of the submission.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::build::{BuildCommand, BuildOutcome};
use super::check::{Grade, JudgedAnswer, Refusal};
use super::files::SubmissionFiles;
use super::judged::{JudgedProblem, JudgedSubmission};
use super::submissions::{Submission, SubmissionContent, submissions_in};
use super::{AppError, Event, InputError, Observer, programs};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::files::temporary_directory;
use crate::judge::notation::{Notation, Symbols};
use crate::judge::{AnswerKind, Question};
use crate::submission::{Conditions, ProgramDirectory, SubmissionError, judge_program, judge_text};
use plaintext::Escaped;

/// The submissions to judge, with the problems and the conditions.
#[derive(Clone, Debug)]
pub struct BatchInput<'a> {
    /// The directory with the submissions.
    pub directory: &'a Path,
    /// The problems, at least one.
    pub problems: Vec<Problem>,
    /// What the submissions must print: all solutions, one solution or a count.
    pub answer_kind: AnswerKind,
    /// The only notation to read; `None` to detect the notation.
    pub notation: Option<Notation>,
    /// The symbols of drawn boards.
    pub symbols: Symbols,
    /// The time limit of a program.
    pub timeout: Duration,
    /// The limit of the CPU time of a program.
    pub cpu_timeout: Option<Duration>,
    /// The limit of the resident memory of a program, in bytes.
    pub memory: u64,
    /// The standard input of a program, in which `{n}` stands for the board size.
    pub input: &'a str,
    /// The commands that compile source code.
    pub builds: &'a [BuildCommand],
    /// Whether a program that ends with an exit code other than 0 gets no point for a correct answer.
    pub strict_exit: bool,
    /// The number of programs that run at the same time.
    pub jobs: usize,
}

/// The judged submissions of a directory.
#[derive(Debug)]
pub struct Batch {
    /// The submissions that were judged at all their sizes, in the natural order of their names.
    pub submissions: Vec<JudgedSubmission>,
    /// If the user interrupted the command: the name of the first submission that was not judged, and the number of all
    /// submissions.
    pub interrupted: Option<(String, usize)>,
}

impl Batch {
    /// The worst of all grades.
    pub fn worst_grade(&self) -> Grade {
        let grades = self.submissions.iter().map(JudgedSubmission::worst_grade);
        grades.max_by_key(|grade| *grade as u8).unwrap_or(Grade::Correct)
    }
}

/// Judges the submissions of a directory. Setting `cancel` to true ends it.
///
/// # Errors
///
/// The directory cannot be read, or has no submissions.
pub fn check_batch(
    input: &BatchInput<'_>,
    cancel: &AtomicBool,
    observe: Observer<'_>,
) -> Result<Batch, AppError> {
    let submissions = submissions_in(input.directory, input.builds, observe)?;
    if submissions.is_empty() {
        let folder = plaintext::path(input.directory).to_string();
        return Err(InputError::NoSubmissions(folder).into());
    }
    let names: Vec<&str> = submissions.iter().map(|submission| submission.name.as_str()).collect();
    observe(Event::SubmissionsFound(&names));
    let students = students(&submissions, observe);
    let progress =
        Mutex::new(JudgingProgress { judged: submissions.iter().map(|_| None).collect(), reported: 0 });
    let change_detector = ChangeDetector { submissions: &submissions, state: Mutex::default() };
    let indices_to_judge_again = Mutex::new(BTreeSet::new());
    let judge = |index: usize, is_alone: bool| {
        let was_disturbed = AtomicBool::new(false);
        let run = SubmissionRun {
            submission: &submissions[index],
            input,
            cancel,
            observe,
            change_detector: &change_detector,
            was_disturbed: &was_disturbed,
        };
        let results = run.results();
        if !is_alone && was_disturbed.load(Ordering::Relaxed) {
            indices_to_judge_again.lock().unwrap_or_else(PoisonError::into_inner).insert(index);
        } else if let Some((results, not_run)) = results {
            let name = submissions[index].name.clone();
            let judged = JudgedSubmission { name, student: students[index].clone(), results, not_run };
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.judged[index] = Some(judged);
            progress.report(observe);
        }
    };
    let (programs, text_files): (Vec<usize>, Vec<usize>) =
        (0..submissions.len()).partition(|&index| submissions[index].may_start_program());
    text_files.into_iter().for_each(|index| judge(index, true));
    let jobs = input.jobs.min(programs.len());
    let next_program = AtomicUsize::new(0);
    let judge_programs = || {
        while let Some(&index) = programs.get(next_program.fetch_add(1, Ordering::Relaxed)) {
            if !cancel.load(Ordering::Relaxed) {
                judge(index, jobs == 1);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(judge_programs);
        }
        judge_programs();
    });
    let indices_to_judge_again =
        std::mem::take(&mut *indices_to_judge_again.lock().unwrap_or_else(PoisonError::into_inner));
    if !indices_to_judge_again.is_empty() {
        let names: Vec<&str> =
            indices_to_judge_again.iter().map(|&index| submissions[index].name.as_str()).collect();
        observe(Event::Warning(&format!(
            "{}: files were changed while several programs ran; these submissions are judged again, one at a time",
            first_names(names)
        )));
    }
    let is_cancelled = || cancel.load(Ordering::Relaxed);
    indices_to_judge_again.into_iter().filter(|_| !is_cancelled()).for_each(|index| judge(index, true));
    let mut progress = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
    let first_missing = progress.judged.iter().position(Option::is_none);
    let interrupted = first_missing.map(|index| (submissions[index].name.clone(), submissions.len()));
    let first_unreported = progress.reported.min(progress.judged.len());
    progress.judged[first_unreported..]
        .iter()
        .flatten()
        .for_each(|judged| observe(Event::SubmissionJudged(judged)));
    Ok(Batch { submissions: progress.judged.drain(..).flatten().collect(), interrupted })
}

/// The results of the submissions that were judged so far.
struct JudgingProgress {
    /// The results by the positions of the submissions.
    judged: Vec<Option<JudgedSubmission>>,
    /// The number of reported results. Results are reported in the order of the submissions.
    reported: usize,
}

impl JudgingProgress {
    fn report(&mut self, observe: Observer<'_>) {
        while let Some(Some(judged)) = self.judged.get(self.reported) {
            observe(Event::SubmissionJudged(judged));
            self.reported += 1;
        }
    }
}

/// The name of each student: the name of the file without its extension, or the whole name of the file if two students would
/// otherwise have the same name.
fn students(submissions: &[Submission], observe: Observer<'_>) -> Vec<String> {
    let mut names_by_stem: HashMap<&str, Vec<&str>> = HashMap::new();
    for submission in submissions {
        names_by_stem.entry(&submission.stem).or_default().push(&submission.name);
    }
    let mut shared_stems: Vec<(&str, &Vec<&str>)> = names_by_stem
        .iter()
        .filter(|(_, names)| names.len() > 1)
        .map(|(stem, names)| (*stem, names))
        .collect();
    shared_stems.sort_by_key(|(_, names)| *names);
    for (stem, names) in shared_stems {
        let names = names.join(" and ");
        observe(Event::Warning(&format!(
            "{names} would have the same student name '{stem}': their whole file names are used instead"
        )));
    }
    let student = |submission: &Submission| match names_by_stem[&*submission.stem].len() {
        1 => submission.stem.clone(),
        _ => submission.name.clone(),
    };
    submissions.iter().map(student).collect()
}

/// A submission that is being judged.
struct SubmissionRun<'a> {
    submission: &'a Submission,
    input: &'a BatchInput<'a>,
    cancel: &'a AtomicBool,
    observe: Observer<'a>,
    change_detector: &'a ChangeDetector<'a>,
    /// Set to true if the copy of the submission was changed during a run. The submission itself or a program that ran at the
    /// same time may have done this.
    was_disturbed: &'a AtomicBool,
}

/// Detects programs that change the files of other submissions.
struct ChangeDetector<'a> {
    submissions: &'a [Submission],
    state: Mutex<ChangeDetectorState>,
}

#[derive(Default)]
struct ChangeDetectorState {
    /// The names of the running submissions.
    running: BTreeSet<String>,
    /// The positions of the submissions that were changed.
    changed: BTreeSet<usize>,
}

/// The maximum number of submissions that a warning names.
const MAX_NAMED_SUBMISSIONS: usize = 3;

/// The first [`MAX_NAMED_SUBMISSIONS`] names of a list, and the number of the other names.
fn first_names(mut names: Vec<&str>) -> String {
    let other_count = names.len().saturating_sub(MAX_NAMED_SUBMISSIONS);
    names.truncate(MAX_NAMED_SUBMISSIONS);
    let suffix = if other_count > 0 { format!(" and {other_count} more") } else { String::new() };
    names.join(", ") + &suffix
}

impl ChangeDetector<'_> {
    fn start(&self, name: &str) {
        self.lock().running.insert(name.to_owned());
    }

    /// Returns a warning if submissions were changed while this submission ran.
    fn finish(&self, name: &str) -> Option<String> {
        let mut state = self.lock();
        let changed: Vec<usize> = (0..self.submissions.len())
            .filter(|index| !state.changed.contains(index) && self.submissions[*index].was_changed())
            .collect();
        state.changed.extend(&changed);
        let running: Vec<&str> = state.running.iter().map(String::as_str).collect();
        let running = running.join(" and ");
        let names: Vec<&str> = changed.iter().map(|&index| self.submissions[index].name.as_str()).collect();
        state.running.remove(name);
        (!names.is_empty()).then(|| {
            format!(
                "while {running} ran, these submissions were changed: {}; their original files are judged",
                first_names(names)
            )
        })
    }

    fn lock(&self) -> MutexGuard<'_, ChangeDetectorState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The results at each size, and the reason why the submission was not run.
type SubmissionResults = (Vec<JudgedProblem>, Option<String>);

impl SubmissionRun<'_> {
    /// The result at each size, or the reason why the submission was not run; `None` if the user interrupted the command.
    fn results(&self) -> Option<SubmissionResults> {
        let problems = self.problems();
        let for_each_size = |judge: &dyn Fn(&Problem) -> Option<JudgedAnswer>| {
            let judged_problem = |problem: &&Problem| {
                Some(JudgedProblem { problem: (*problem).clone(), judged: judge(problem)? })
            };
            problems.iter().map(judged_problem).collect::<Option<Vec<_>>>().map(|results| (results, None))
        };
        match &self.submission.content {
            SubmissionContent::PrintOut { path, .. } => {
                for_each_size(&|problem| self.judge_print_out(path, problem))
            }
            SubmissionContent::Refused(reason) => for_each_size(&|_| {
                let judged = JudgedAnswer::unreadable(reason.clone());
                Some(JudgedAnswer { refusal: Some(Refusal::NotJudged), ..judged })
            }),
            SubmissionContent::Program { files, main } => self.run_program(&problems, files, main, main),
            SubmissionContent::Source { files, main } => {
                let Some(build) = self.input.builds.iter().find(|build| build.is_for(main)) else {
                    return Some((Vec::new(), Some("source code, not run".to_owned())));
                };
                match build.build(files, main, self.cancel) {
                    BuildOutcome::Program(files, program) => {
                        self.run_program(&problems, &files, &program, main)
                    }
                    BuildOutcome::Refused(reason) => {
                        for_each_size(&|_| Some(JudgedAnswer::not_compiled(&reason)))
                    }
                    BuildOutcome::NoCompiler(compiler) => {
                        let reason =
                            format!("source code, not run: the compiler '{compiler}' is not installed");
                        Some((Vec::new(), Some(reason)))
                    }
                    BuildOutcome::Interrupted => None,
                }
            }
        }
    }

    /// The problems of this submission: for a text file, the problem of the size in its name, or the only problem.
    fn problems(&self) -> Vec<&Problem> {
        let all_problems = &self.input.problems;
        let is_judged = |problem: &&Problem| self.is_judged_at(problem.n());
        let problems: Vec<&Problem> = all_problems.iter().filter(is_judged).collect();
        // A text file without a size in its name is reported once, as unreadable.
        if problems.is_empty() { all_problems.iter().take(1).collect() } else { problems }
    }

    /// Whether the submission is judged at `n`. If there are several sizes, a text file is judged only at the size at the end of its
    /// name (`ada_6.txt`).
    fn is_judged_at(&self, n: BoardSize) -> bool {
        let SubmissionContent::PrintOut { path, .. } = &self.submission.content else { return true };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let size = stem.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        self.input.problems.len() == 1 || size.parse() == Ok(n.get())
    }

    fn question(&self, problem: &Problem) -> Question {
        let &BatchInput { answer_kind, notation, symbols, .. } = self.input;
        Question { problem: problem.clone(), notation, symbols, answer_kind }
    }

    fn judge_print_out(&self, path: &Path, problem: &Problem) -> Option<JudgedAnswer> {
        if !self.is_judged_at(problem.n()) {
            let advice = "a text file has boards of one size: end its name with the size, as in ada_6.txt, or \
                          give only one size";
            let judged = JudgedAnswer::unreadable(advice.to_owned());
            return Some(JudgedAnswer { refusal: Some(Refusal::NoSize), ..judged });
        }
        match File::open(path) {
            Ok(file) => {
                let mut file = BufReader::with_capacity(super::check::BUFFER_BYTES, file);
                JudgedAnswer::from_result(
                    judge_text(&mut file, &self.question(problem)).map_err(SubmissionError::Judge),
                )
            }
            Err(error) => {
                let path = plaintext::path(path);
                Some(JudgedAnswer::failed(Escaped(format_args!("cannot open {path}: {error}")).to_string()))
            }
        }
    }

    /// Runs a program at each size, in the folder of `submitted_file`. After the program has reached a limit, it is not
    /// started again.
    fn run_program(
        &self,
        problems: &[&Problem],
        files: &SubmissionFiles,
        program: &Path,
        submitted_file: &Path,
    ) -> Option<SubmissionResults> {
        let name = &self.submission.name;
        self.change_detector.start(name);
        let mut size_at_limit = None;
        let judged = problems.iter().map(|&problem| {
            let judged = match size_at_limit {
                Some(n) => JudgedAnswer::not_started(n),
                None => self.run_at_size(problem, files, program, submitted_file)?,
            };
            if judged.has_reached_limit() {
                size_at_limit = Some(problem.n());
            }
            Some(JudgedProblem { problem: problem.clone(), judged })
        });
        let results: Option<Vec<_>> = judged.collect();
        if let Some(warning) = self.change_detector.finish(name) {
            (self.observe)(Event::Warning(&warning));
        }
        results.map(|results| (results, None))
    }

    /// Runs a program at one size, in a new directory.
    fn run_at_size(
        &self,
        problem: &Problem,
        files: &SubmissionFiles,
        program: &Path,
        submitted_file: &Path,
    ) -> Option<JudgedAnswer> {
        let n = problem.n();
        (self.observe)(Event::SubmissionBegins { name: &self.submission.name, n });
        let directory = temporary_directory("queenlab-").and_then(|directory| {
            // The path is absolute, so that an interpreter does not mistake a name for an option. The program runs in a
            // subdirectory of the temporary directory, so that writing to `..` does not affect the files of other submissions.
            let path = fs::canonicalize(directory.path())?.join("run");
            fs::create_dir(&path)?;
            files.write_to(&path)?;
            Ok((directory, path))
        });
        let (_directory, path) = match directory {
            Ok(created) => created,
            Err(error) => {
                self.was_disturbed.store(true, Ordering::Relaxed);
                return Some(cannot_copy(&error));
            }
        };
        let Some(mut command) = programs::command(&path.join(program)) else {
            return Some(JudgedAnswer::unreadable("the file is not a program".to_owned()));
        };
        command.push(n.to_string().into());
        let &BatchInput { timeout, cpu_timeout, memory, input, strict_exit, .. } = self.input;
        let working_directory =
            submitted_file.parent().map_or_else(|| path.clone(), |folder| path.join(folder));
        let program_directory = Some(ProgramDirectory { root: &path, working: &working_directory });
        let conditions = Conditions { timeout, cpu_timeout, memory, input, place: program_directory };
        let question = self.question(problem);
        let judged = JudgedAnswer::from_result(judge_program(&command, conditions, self.cancel, &question))?;
        if files.names().any(|name| files.was_changed(&path, name)) {
            self.was_disturbed.store(true, Ordering::Relaxed);
        }
        Some(if strict_exit { judged } else { judged.ignoring_exit_code() })
    }
}

fn cannot_copy(error: &io::Error) -> JudgedAnswer {
    JudgedAnswer::failed(
        Escaped(format_args!("cannot make a directory for the program: {error}")).to_string(),
    )
}

impl JudgedAnswer {
    fn not_compiled(reason: &str) -> Self {
        Self { refusal: Some(Refusal::NotCompiled), ..Self::failed(format!("does not compile: {reason}")) }
    }

    /// The result of a program that was not started, because it reached a limit at a smaller size.
    fn not_started(n: BoardSize) -> Self {
        let message = format!("not started, because the program did not finish at n = {n}");
        Self { refusal: Some(Refusal::NotStarted), ..Self::refused("unfinished", Grade::Unfinished, message) }
    }
}
