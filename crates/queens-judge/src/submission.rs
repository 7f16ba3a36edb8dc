//! Reads a submission and judges it board by board.

use std::collections::HashSet;
use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;

use plaintext::Decoder;

use super::key::{Key, MAX_RANKED};
use super::missing::{self, Missing, SolutionSource};
use super::notation::{self, Hints, Parsed, ParsedBoard, ReadError, excerpt};
use super::statement::{self, StatementError};
use super::{
    AnswerKind, CutReason, Duplicate, Illegal, JudgeError, Judgement, MAX_EXAMPLES, Question,
    SubmissionVerdict,
};
use queens_board::problem::Problem;
use queens_board::symmetry::is_canonical;
use queens_board::{self as board, Placement, Square, published, squares};

/// The maximum number of bytes of a text that states the number of solutions.
const COUNT_LIMIT: usize = 64 << 10;

/// The minimum number of boards after which reading stops, so that a small submission is judged completely.
const MIN_BOARDS: u64 = 1000;

/// The maximum number of bytes of stored boards: enough for all solutions of n = 17, the largest board in practical use.
const MAX_BYTES: usize = 2 << 30;

/// Judges a text, and passes each placement in it to `each`. Without a reference, only published numbers are compared, and
/// missing solutions are not looked for.
///
/// # Errors
///
/// The text cannot be read or understood: it is not certain what its boards are, or it does not have what was to be printed.
pub fn judge(
    mut text: &mut dyn BufRead,
    question: &Question,
    reference: Option<&dyn SolutionSource>,
    each: &mut dyn FnMut(&[u32]),
) -> Result<Judgement, JudgeError> {
    judge_until(&mut text, question, reference, each, |_| Ok(None))
}

/// Judges the output of a program. When enough of it has been read, `end` ends the program. It returns why the output may be incomplete, if
/// it may.
///
/// # Errors
///
/// The errors of [`judge`].
pub fn judge_until<R: BufRead>(
    source: &mut R,
    question: &Question,
    reference: Option<&dyn SolutionSource>,
    each: &mut dyn FnMut(&[u32]),
    end: impl FnOnce(&mut R) -> io::Result<Option<CutReason>>,
) -> Result<Judgement, JudgeError> {
    if question.problem.n().get() <= MAX_RANKED {
        judge_keyed::<u64, R>(source, question, reference, each, end)
    } else {
        judge_keyed::<Placement, R>(source, question, reference, each, end)
    }
}

fn judge_keyed<K: Key, R: BufRead>(
    source: &mut R,
    question: &Question,
    reference: Option<&dyn SolutionSource>,
    each: &mut dyn FnMut(&[u32]),
    end: impl FnOnce(&mut R) -> io::Result<Option<CutReason>>,
) -> Result<Judgement, JudgeError> {
    let mut submission = Submission::<K>::empty(question);
    let read = match question.answer_kind {
        AnswerKind::Count => submission.count(source),
        _ => submission.read(source, question, each),
    };
    let cut = end(source).map_err(ReadError::Io)?;
    match read {
        Ok(()) => {}
        // The failure of the program is the cause of the unreadable output, and the better message.
        Err(
            JudgeError::Read(
                ReadError::NoBoard { .. } | ReadError::OtherSize { .. } | ReadError::Ambiguous { .. },
            )
            | JudgeError::NoCount(_)
            | JudgeError::OnlyCount { .. },
        ) if cut.is_some() => submission = Submission::empty(question),
        Err(error) => return Err(error),
    }
    submission.judged(cut, reference)
}

/// A submission while it is read.
struct Submission<K> {
    /// The result so far; distinct, missing and repeated boards are found at the end.
    report: Judgement,
    /// Each legal board with its line number, saturated at 32 bits.
    legal: Vec<(K, u32)>,
    /// Solutions that are canonical in their class, duplicates included.
    canonical: u64,
    /// The last board, if it is faulty and ends with the text, so that it may be incomplete.
    tail: Option<Parsed>,
    /// The first line that may be a board and is not read as one.
    doubtful: Option<(u64, String)>,
    /// Whether the text is empty.
    silent: bool,
}

impl<K: Key> Submission<K> {
    /// A submission without a board.
    fn empty(question: &Question) -> Self {
        let Question { problem, notation, answer_kind, .. } = question.clone();
        let classes = Some(problem.n().get()).filter(|_| problem.is_plain());
        let (expected, expected_source) = published::of_problem(&problem).unzip();
        let report = Judgement {
            problem,
            answer_kind,
            given: notation.is_some(),
            expected,
            expected_source,
            expected_fundamental: classes.and_then(published::fundamental_solutions),
            ..Judgement::default()
        };
        Self { report, legal: Vec::new(), canonical: 0, tail: None, doubtful: None, silent: false }
    }

    /// Reads a text that states the number of solutions.
    fn count(&mut self, source: &mut dyn BufRead) -> Result<(), JudgeError> {
        let mut text = Vec::new();
        let mut source = source.take(COUNT_LIMIT as u64 + 1);
        Decoder::new(&mut source).read_to_end(&mut text).map_err(ReadError::Io)?;
        if source.limit() == 0 {
            return Err(StatementError::TooLong(COUNT_LIMIT).into());
        }
        let lines: Vec<(u64, String)> =
            (1..).zip(plaintext::decode(&text).lines().map(str::to_owned)).collect();
        self.report.stated = Some(statement::count(&lines, self.report.n())?.ok_or_else(|| {
            let first = text.trim_ascii().split(|&byte| byte == b'\n').next().unwrap_or_default();
            StatementError::Missing { first_line: (!first.is_empty()).then(|| excerpt(first)) }
        })?);
        Ok(())
    }

    /// Reads boards.
    fn read(
        &mut self,
        source: &mut dyn BufRead,
        question: &Question,
        each: &mut dyn FnMut(&[u32]),
    ) -> Result<(), JudgeError> {
        let max_boards = max_solutions(&question.problem);
        let max_boards = max_boards.map(|count| count.saturating_mul(2).max(MIN_BOARDS));
        let first_only = question.answer_kind == AnswerKind::One;
        let mut take = |parsed| {
            if max_boards == Some(self.report.boards) {
                self.report.cut = max_boards.map(CutReason::Boards);
                return ControlFlow::Break(());
            }
            self.take(parsed, each);
            if first_only { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let Question { problem, notation, symbols, .. } = question;
        let hints = Hints { notation: *notation, symbols: *symbols, first_only };
        let summary = notation::read(source, problem, hints, &mut take)?;
        self.silent = summary.prose.is_empty() && summary.notation.is_none();
        self.report.reading = summary.notation;
        self.report.skipped = summary.skipped;
        self.doubtful = summary.doubtful;
        let n = self.report.n();
        match summary.end {
            Err(ReadError::Endless(limit)) if self.report.boards > 0 => {
                self.report.cut = Some(CutReason::Text(limit));
                Ok(())
            }
            Err(error @ ReadError::NoBoard { .. }) => match statement::count(&summary.prose, n) {
                Ok(Some(0)) => Ok(()),
                Ok(Some(stated)) => Err(JudgeError::OnlyCount { stated, expected: self.report.expected }),
                _ if self.report.expected == Some(0) && statement::is_prompt(&summary.prose) => Ok(()),
                _ => Err(error.into()),
            },
            end => {
                end?;
                if question.answer_kind == AnswerKind::All {
                    self.report.total = statement::total(&summary.prose, n);
                }
                Ok(())
            }
        }
    }

    fn take(&mut self, parsed: Parsed, each: &mut dyn FnMut(&[u32])) {
        self.report.boards += 1;
        if let ParsedBoard::Placement(placement) = &parsed.board {
            each(placement.columns());
            if self.report.problem.is_solution(placement.columns()) {
                return self.legal(parsed.line, placement.columns());
            }
        }
        if parsed.open {
            self.tail = Some(parsed);
        } else {
            self.illegal(parsed);
        }
    }

    fn legal(&mut self, line: u64, columns: &[u32]) {
        let key = K::of(columns);
        if self.report.problem.is_plain() && may_be_canonical(columns) && is_canonical(columns) {
            self.canonical += 1;
        }
        let boxed = if columns.len() > MAX_RANKED { 2 * columns.len() + 16 } else { 0 };
        let max_boards = MAX_BYTES / (size_of::<(K, u32)>() + boxed);
        if self.legal.len() < max_boards && self.legal.try_reserve(1).is_ok() {
            self.legal.push((key, u32::try_from(line).unwrap_or(u32::MAX)));
        } else {
            self.report.cut.get_or_insert(CutReason::Memory(self.legal.len() as u64));
        }
    }

    fn illegal(&mut self, parsed: Parsed) {
        self.report.illegal += 1;
        let (queens, malformed): (Vec<Square>, _) = match parsed.board {
            ParsedBoard::Placement(placement) => (squares(placement.columns()).collect(), None),
            ParsedBoard::Malformed { queens, fault, .. } => (queens, Some(fault)),
        };
        self.report.malformed += u64::from(malformed.is_some());
        if self.report.illegal_shown.len() < MAX_EXAMPLES {
            let problem = &self.report.problem;
            let fault = malformed.or_else(|| contradictions(problem, &queens));
            let attacks = attacks(problem, &queens);
            self.report.illegal_shown.push(Illegal { line: parsed.line, fault, queens, attacks });
        }
    }

    /// Judges what was read. `cut`: why the program was cut short, if it was.
    fn judged(
        mut self,
        cut: Option<CutReason>,
        reference: Option<&dyn SolutionSource>,
    ) -> Result<Judgement, JudgeError> {
        self.report.cut = cut.or(self.report.cut.take());
        match self.tail.take() {
            // The program was stopped while it printed this board.
            Some(_) if self.report.cut.is_some() => self.report.boards -= 1,
            Some(parsed) => self.illegal(parsed),
            None => {}
        }
        self.find_repeated();
        self.report.distinct = self.legal.len() as u64;
        if let Some(reference) = reference {
            self.compare(reference);
        }
        let report = self.report;
        let is_certain = report.answer_kind == AnswerKind::One && report.boards > 0
            || report.verdict() == SubmissionVerdict::Unfinished;
        if let Some((line, text)) = self.doubtful.filter(|_| !is_certain) {
            return Err(JudgeError::Doubtful { line, text });
        }
        // Printing nothing does not state that there is no solution.
        let is_answer = !self.silent || report.answer_kind != AnswerKind::One || report.cut.is_some();
        if is_answer || report.expected == Some(0) { Ok(report) } else { Err(JudgeError::Silent) }
    }

    /// Compares the boards with all solutions. Those of a program that was cut short might have been printed later.
    fn compare(&mut self, reference: &dyn SolutionSource) {
        let report = &mut self.report;
        let (plain, is_known) = (report.problem.is_plain(), report.expected.is_some());
        let boards = || self.legal.iter().map(|(key, _)| key.clone()).collect::<Vec<K>>();
        match report.answer_kind {
            AnswerKind::All if report.expected == Some(report.distinct) && report.duplicates == 0 => {
                report.fundamental = plain.then_some(self.canonical);
            }
            AnswerKind::All if report.cut.is_none() => missing::find(&boards(), report, reference),
            AnswerKind::All if plain => {
                report.fundamental = Some(missing::classes(&boards(), report.n()));
            }
            AnswerKind::Count if !is_known && !plain && report.cut.is_none() => {
                missing::find::<K>(&[], report, reference);
                report.missing = None;
            }
            AnswerKind::One if report.boards == 0 && report.cut.is_none() => {
                let decided = if is_known || plain { None } else { reference.decide(&report.problem) };
                if let Some((false, solver)) = decided {
                    (report.expected, report.expected_source) = (Some(0), Some(solver));
                }
                let solutions = report.expected;
                let is_wrong = plain || decided.is_some() || is_known;
                let missing = Missing { solutions, ..Missing::default() };
                report.missing = Some(missing).filter(|_| is_wrong && solutions != Some(0));
            }
            _ => {}
        }
    }

    /// Removes boards that repeat an earlier one.
    fn find_repeated(&mut self) {
        let n = self.report.n();
        self.legal.sort_unstable();
        let all = self.legal.len();
        let mut repeated: Vec<(u32, u32, K)> = Vec::new();
        self.legal.dedup_by(|later, first| {
            if later.0 != first.0 {
                return false;
            }
            // The first few by line number, because keys are not in the order of the text.
            if repeated.len() < MAX_EXAMPLES || repeated.last().is_some_and(|last| later.1 < last.0) {
                repeated.push((later.1, first.1, later.0.clone()));
                repeated.sort_unstable();
                repeated.truncate(MAX_EXAMPLES);
            }
            true
        });
        let duplicates = repeated.into_iter().map(|(line, first_line, key)| Duplicate {
            line: line.into(),
            first_line: first_line.into(),
            board: Placement::new(&key.columns(n)),
        });
        self.report.duplicates_shown = duplicates.collect();
        self.report.duplicates = (all - self.legal.len()) as u64;
    }
}

/// Whether no mirror image or half turn has a smaller first column. This is a fast test that most boards fail which are not canonical.
fn may_be_canonical(columns: &[u32]) -> bool {
    let (Some(&first), Some(&last)) = (columns.first(), columns.last()) else { return true };
    let mirrored = |column: u32| board::column(columns.len()) - 1 - column;
    first <= mirrored(first) && first <= last && first <= mirrored(last)
}

/// An upper bound on the number of solutions, if one is known: that of the problem without placed queens and forbidden squares.
fn max_solutions(problem: &Problem) -> Option<u64> {
    let unrestricted = Problem::new(problem.n(), problem.variant().clone()).ok()?;
    published::of_problem(&unrestricted).map(|(count, _)| count)
}

/// The squares on which a board with one queen per row contradicts the problem, in words.
fn contradictions(problem: &Problem, queens: &[Square]) -> Option<String> {
    let missing = problem.placed().iter().filter(|square| !queens.contains(square));
    let words =
        |square: &Square, what: &str| format!("row {}, column {} {what} a queen", square.row, square.column);
    let forbidden = queens.iter().filter(|&&queen| !problem.may_hold(queen));
    let forbidden = forbidden.map(|square| words(square, "must not hold"));
    let all: Vec<String> = forbidden.chain(missing.map(|square| words(square, "must hold"))).collect();
    let more = if all.len() > MAX_EXAMPLES { "; and more" } else { "" };
    (!all.is_empty()).then(|| all[..all.len().min(MAX_EXAMPLES)].join("; ") + more)
}

/// The first few pairs of queens that attack each other, in the order of the queens.
/// Queens on the same square are not a pair: with a million of them, the search for pairs would not end.
fn attacks(problem: &Problem, queens: &[Square]) -> Vec<(Square, Square)> {
    let n = problem.n().get();
    let mut taken = HashSet::new();
    let is_new = |queen: &&Square| queen.row < n && queen.column < n && taken.insert(**queen);
    let queens: Vec<Square> = queens.iter().filter(is_new).copied().collect();
    let pairs = (0..queens.len()).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
    let pairs = pairs.map(|(earlier, later)| (queens[earlier], queens[later]));
    pairs.filter(|&(one, other)| problem.variant().attacks(n, one, other)).take(4 * MAX_EXAMPLES).collect()
}
