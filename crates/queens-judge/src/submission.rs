//! Reads a submission and judges it board by board.

use std::collections::HashSet;
use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;

use plaintext::Decoder;

use super::key::{Key, MAX_RANKED};
use super::missing::{Missing, SolutionSource, count_classes, find_missing};
use super::notation::{self, Hints, Parsed, ParsedBoard, ReadError, excerpt};
use super::statement::{self, StatementError};
use super::{
    AnswerKind, CutReason, Duplicate, IllegalBoard, JudgeError, Judgement, MAX_EXAMPLES, Question,
    SubmissionVerdict,
};
use queens_board::problem::Problem;
use queens_board::symmetry::is_canonical;
use queens_board::{self as board, Placement, Square, published, squares};

/// The maximum number of bytes of a text that states the number of solutions.
const MAX_COUNT_BYTES: usize = 64 << 10;

/// The smallest limit on the number of boards. Shorter submissions are always read completely.
const MIN_BOARD_LIMIT: u64 = 1000;

/// The maximum number of bytes of stored boards: enough for all 95,815,104 solutions of n = 17.
const MAX_BOARD_BYTES: usize = 2 << 30;

/// Judges a text, and passes the columns of each placement in it to `on_placement`. If `reference` is `None`, the judge does not
/// search for missing solutions, and only published numbers of solutions are used.
///
/// # Errors
///
/// The text cannot be read, it is not certain which lines are boards, or the text lacks what the task asks for.
pub fn judge(
    mut text: &mut dyn BufRead,
    question: &Question,
    reference: Option<&dyn SolutionSource>,
    on_placement: &mut dyn FnMut(&[u32]),
) -> Result<Judgement, JudgeError> {
    judge_until(&mut text, question, reference, on_placement, |_| Ok(None))
}

/// Judges the output of a program. `stop_program` is called once, after the output has been read as far as necessary. It returns
/// why the output may be incomplete, and `None` if the output is complete.
///
/// # Errors
///
/// The errors of [`judge`].
pub fn judge_until<R: BufRead>(
    source: &mut R,
    question: &Question,
    reference: Option<&dyn SolutionSource>,
    on_placement: &mut dyn FnMut(&[u32]),
    stop_program: impl FnOnce(&mut R) -> io::Result<Option<CutReason>>,
) -> Result<Judgement, JudgeError> {
    if question.problem.n().get() <= MAX_RANKED {
        judge_with_keys::<u64, R>(source, question, reference, on_placement, stop_program)
    } else {
        judge_with_keys::<Placement, R>(source, question, reference, on_placement, stop_program)
    }
}

fn judge_with_keys<K: Key, R: BufRead>(
    source: &mut R,
    question: &Question,
    reference: Option<&dyn SolutionSource>,
    on_placement: &mut dyn FnMut(&[u32]),
    stop_program: impl FnOnce(&mut R) -> io::Result<Option<CutReason>>,
) -> Result<Judgement, JudgeError> {
    let mut submission = Submission::<K>::empty(question);
    let result = match question.answer_kind {
        AnswerKind::Count => submission.read_count(source),
        _ => submission.read_boards(source, question, on_placement),
    };
    let cut_reason = stop_program(source).map_err(ReadError::Io)?;
    match result {
        Ok(()) => {}
        // The output is unreadable because the program failed or was stopped. This reason is the more useful message.
        Err(
            JudgeError::Read(
                ReadError::NoBoard { .. } | ReadError::OtherSize { .. } | ReadError::Ambiguous { .. },
            )
            | JudgeError::NoCount(_)
            | JudgeError::OnlyCount { .. },
        ) if cut_reason.is_some() => submission = Submission::empty(question),
        Err(error) => return Err(error),
    }
    submission.into_judgement(cut_reason, reference)
}

/// A submission that is being read.
struct Submission<K> {
    /// The judgement so far. Distinct, missing and repeated boards are determined at the end.
    report: Judgement,
    /// Each legal board with its line number, saturated at 32 bits.
    legal_boards: Vec<(K, u32)>,
    /// The number of legal boards that are the canonical solution of their symmetry class, duplicates included.
    canonical_count: u64,
    /// The last board, if it is not a solution and the text ends within its last line, so that the board may be incomplete.
    incomplete_board: Option<Parsed>,
    /// The first line that may be a board but was not read as a board: its number and its beginning.
    doubtful_line: Option<(u64, String)>,
    /// Whether all lines of the text are blank, or there are no lines.
    is_blank: bool,
}

impl<K: Key> Submission<K> {
    /// A submission without a board.
    fn empty(question: &Question) -> Self {
        let Question { problem, notation, answer_kind, .. } = question.clone();
        let plain_size = Some(problem.n().get()).filter(|_| problem.is_plain());
        let (expected_count, expected_source) = published::of_problem(&problem).unzip();
        let report = Judgement {
            problem,
            answer_kind,
            is_notation_given: notation.is_some(),
            expected_count,
            expected_source,
            expected_fundamental_count: plain_size.and_then(published::fundamental_solutions),
            ..Judgement::default()
        };
        Self {
            report,
            legal_boards: Vec::new(),
            canonical_count: 0,
            incomplete_board: None,
            doubtful_line: None,
            is_blank: false,
        }
    }

    /// Reads a text that states the number of solutions.
    fn read_count(&mut self, source: &mut dyn BufRead) -> Result<(), JudgeError> {
        let mut text = Vec::new();
        let mut source = source.take(MAX_COUNT_BYTES as u64 + 1);
        Decoder::new(&mut source).read_to_end(&mut text).map_err(ReadError::Io)?;
        if source.limit() == 0 {
            return Err(StatementError::TooLong(MAX_COUNT_BYTES).into());
        }
        let lines: Vec<(u64, String)> =
            (1..).zip(plaintext::decode(&text).lines().map(str::to_owned)).collect();
        self.report.stated_count = Some(statement::count(&lines, self.report.n())?.ok_or_else(|| {
            let first = text.trim_ascii().split(|&byte| byte == b'\n').next().unwrap_or_default();
            StatementError::Missing { first_line: (!first.is_empty()).then(|| excerpt(first)) }
        })?);
        Ok(())
    }

    /// Reads a text with boards.
    fn read_boards(
        &mut self,
        source: &mut dyn BufRead,
        question: &Question,
        on_placement: &mut dyn FnMut(&[u32]),
    ) -> Result<(), JudgeError> {
        let max_boards = max_solutions(&question.problem);
        let max_boards = max_boards.map(|count| count.saturating_mul(2).max(MIN_BOARD_LIMIT));
        let first_only = question.answer_kind == AnswerKind::One;
        let mut on_board = |parsed| {
            if max_boards == Some(self.report.board_count) {
                self.report.cut_reason = max_boards.map(CutReason::TooManyBoards);
                return ControlFlow::Break(());
            }
            self.add(parsed, on_placement);
            if first_only { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let Question { problem, notation, symbols, .. } = question;
        let hints = Hints { notation: *notation, symbols: *symbols, first_only };
        let summary = notation::read(source, problem, hints, &mut on_board)?;
        self.is_blank = summary.prose.is_empty() && summary.notation.is_none();
        self.report.notation = summary.notation;
        self.report.skipped_sizes = summary.skipped_sizes;
        self.doubtful_line = summary.doubtful_line;
        let n = self.report.n();
        match summary.end {
            Err(ReadError::Endless(limit)) if self.report.board_count > 0 => {
                self.report.cut_reason = Some(CutReason::TextWithoutBoard(limit));
                Ok(())
            }
            Err(error @ ReadError::NoBoard { .. }) => match statement::count(&summary.prose, n) {
                Ok(Some(0)) => Ok(()),
                Ok(Some(stated_count)) => {
                    Err(JudgeError::OnlyCount { stated_count, expected_count: self.report.expected_count })
                }
                _ if self.report.expected_count == Some(0) && statement::is_prompt(&summary.prose) => Ok(()),
                _ => Err(error.into()),
            },
            end => {
                end?;
                if question.answer_kind == AnswerKind::All {
                    self.report.stated_total = statement::total(&summary.prose, n);
                }
                Ok(())
            }
        }
    }

    fn add(&mut self, parsed: Parsed, on_placement: &mut dyn FnMut(&[u32])) {
        self.report.board_count += 1;
        if let ParsedBoard::Placement(placement) = &parsed.board {
            on_placement(placement.columns());
            if self.report.problem.is_solution(placement.columns()) {
                return self.add_legal(parsed.line, placement.columns());
            }
        }
        if parsed.is_open {
            self.incomplete_board = Some(parsed);
        } else {
            self.add_illegal(parsed);
        }
    }

    fn add_legal(&mut self, line: u64, columns: &[u32]) {
        let key = K::from_columns(columns);
        if self.report.problem.is_plain() && may_be_canonical(columns) && is_canonical(columns) {
            self.canonical_count += 1;
        }
        // The columns of a placement are on the heap; the allocator needs about 16 more bytes.
        let heap_bytes = if columns.len() > MAX_RANKED { size_of_val(columns) + 16 } else { 0 };
        let max_boards = MAX_BOARD_BYTES / (size_of::<(K, u32)>() + heap_bytes);
        if self.legal_boards.len() < max_boards && self.legal_boards.try_reserve(1).is_ok() {
            self.legal_boards.push((key, u32::try_from(line).unwrap_or(u32::MAX)));
        } else {
            let stored_boards = self.legal_boards.len() as u64;
            self.report.cut_reason.get_or_insert(CutReason::BoardMemory(stored_boards));
        }
    }

    fn add_illegal(&mut self, parsed: Parsed) {
        self.report.illegal_count += 1;
        let (queens, malformed): (Vec<Square>, _) = match parsed.board {
            ParsedBoard::Placement(placement) => (squares(placement.columns()).collect(), None),
            ParsedBoard::Malformed { queens, fault, .. } => (queens, Some(fault)),
        };
        self.report.malformed_count += u64::from(malformed.is_some());
        if self.report.illegal_examples.len() < MAX_EXAMPLES {
            let problem = &self.report.problem;
            let fault = malformed.or_else(|| contradictions(problem, &queens));
            let attacks = attacks(problem, &queens);
            self.report.illegal_examples.push(IllegalBoard { line: parsed.line, fault, queens, attacks });
        }
    }

    /// Completes the judgement after the text has been read. `cut_reason`: why the program was cut short, if it was.
    fn into_judgement(
        mut self,
        cut_reason: Option<CutReason>,
        reference: Option<&dyn SolutionSource>,
    ) -> Result<Judgement, JudgeError> {
        self.report.cut_reason = cut_reason.or(self.report.cut_reason.take());
        match self.incomplete_board.take() {
            // The program ended while it printed this board.
            Some(_) if self.report.cut_reason.is_some() => self.report.board_count -= 1,
            Some(parsed) => self.add_illegal(parsed),
            None => {}
        }
        self.remove_duplicates();
        self.report.distinct_count = self.legal_boards.len() as u64;
        if let Some(reference) = reference {
            self.compare_with_solutions(reference);
        }
        let report = self.report;
        let is_certain = report.answer_kind == AnswerKind::One && report.board_count > 0
            || report.verdict() == SubmissionVerdict::Unfinished;
        if let Some((line, text)) = self.doubtful_line.filter(|_| !is_certain) {
            return Err(JudgeError::Doubtful { line, text });
        }
        // An empty text does not state that there is no solution.
        let is_answer =
            !self.is_blank || report.answer_kind != AnswerKind::One || report.cut_reason.is_some();
        if is_answer || report.expected_count == Some(0) { Ok(report) } else { Err(JudgeError::EmptyText) }
    }

    /// Compares the boards with all solutions. If the program was cut short, no solution is reported as missing, because the
    /// program might have printed it later.
    fn compare_with_solutions(&mut self, reference: &dyn SolutionSource) {
        let report = &mut self.report;
        let (is_plain, is_count_known) = (report.problem.is_plain(), report.expected_count.is_some());
        let is_complete = report.expected_count == Some(report.distinct_count) && report.duplicate_count == 0;
        let boards = || self.legal_boards.iter().map(|(key, _)| key.clone()).collect::<Vec<K>>();
        match report.answer_kind {
            AnswerKind::All if is_complete => {
                report.fundamental_count = is_plain.then_some(self.canonical_count);
            }
            AnswerKind::All if report.cut_reason.is_none() => find_missing(&boards(), report, reference),
            AnswerKind::All if is_plain => {
                report.fundamental_count = Some(count_classes(&boards(), report.n()));
            }
            AnswerKind::Count if !is_count_known && !is_plain && report.cut_reason.is_none() => {
                find_missing::<K>(&[], report, reference);
                report.missing = None;
            }
            AnswerKind::One if report.board_count == 0 && report.cut_reason.is_none() => {
                let decision =
                    if is_count_known || is_plain { None } else { reference.decide(&report.problem) };
                if let Some((false, solver)) = decision {
                    (report.expected_count, report.expected_source) = (Some(0), Some(solver));
                }
                let count = report.expected_count;
                let is_wrong = is_plain || decision.is_some() || is_count_known;
                let missing = Missing { count, ..Missing::default() };
                report.missing = Some(missing).filter(|_| is_wrong && count != Some(0));
            }
            _ => {}
        }
    }

    /// Removes boards that repeat an earlier board, and reports them as duplicates.
    fn remove_duplicates(&mut self) {
        let n = self.report.n();
        self.legal_boards.sort_unstable();
        let count_before = self.legal_boards.len();
        // The line of each duplicate, the line of the first occurrence, and the board.
        let mut examples: Vec<(u32, u32, K)> = Vec::new();
        self.legal_boards.dedup_by(|later, first| {
            if later.0 != first.0 {
                return false;
            }
            // The boards are sorted by key. The examples are the duplicates with the smallest line numbers.
            if examples.len() < MAX_EXAMPLES || examples.last().is_some_and(|last| later.1 < last.0) {
                examples.push((later.1, first.1, later.0.clone()));
                examples.sort_unstable();
                examples.truncate(MAX_EXAMPLES);
            }
            true
        });
        let examples = examples.into_iter().map(|(line, first_line, key)| Duplicate {
            line: line.into(),
            first_line: first_line.into(),
            board: Placement::new(&key.columns(n)),
        });
        self.report.duplicate_examples = examples.collect();
        self.report.duplicate_count = (count_before - self.legal_boards.len()) as u64;
    }
}

/// Whether no mirror image and no half turn of a board has a smaller column in its first row. This is true of every canonical
/// board. The test is fast, and most other boards fail it.
fn may_be_canonical(columns: &[u32]) -> bool {
    let (Some(&first), Some(&last)) = (columns.first(), columns.last()) else { return true };
    let mirror_column = |column: u32| board::column(columns.len()) - 1 - column;
    first <= mirror_column(first) && first <= last && first <= mirror_column(last)
}

/// An upper bound on the number of solutions: the published number for the problem without placed queens and forbidden squares.
fn max_solutions(problem: &Problem) -> Option<u64> {
    let unrestricted = Problem::new(problem.n(), problem.variant().clone()).ok()?;
    published::of_problem(&unrestricted).map(|(count, _)| count)
}

/// Describes the squares where a board with one queen per row contradicts the placed queens and forbidden squares of the problem.
fn contradictions(problem: &Problem, queens: &[Square]) -> Option<String> {
    let missing = problem.placed().iter().filter(|square| !queens.contains(square));
    let sentence =
        |square: &Square, rule: &str| format!("row {}, column {} {rule} a queen", square.row, square.column);
    let forbidden = queens.iter().filter(|&&queen| !problem.may_hold(queen));
    let forbidden = forbidden.map(|square| sentence(square, "must not hold"));
    let contradictions: Vec<String> =
        forbidden.chain(missing.map(|square| sentence(square, "must hold"))).collect();
    let more_text = if contradictions.len() > MAX_EXAMPLES { "; and more" } else { "" };
    (!contradictions.is_empty())
        .then(|| contradictions[..contradictions.len().min(MAX_EXAMPLES)].join("; ") + more_text)
}

/// The first few pairs of queens that attack each other, in the order of the queens.
///
/// Several queens on the same square count as one queen. A text can have a million of them, and the search for pairs among them
/// would take hours.
fn attacks(problem: &Problem, queens: &[Square]) -> Vec<(Square, Square)> {
    let n = problem.n().get();
    let mut squares = HashSet::new();
    let is_new = |queen: &&Square| queen.row < n && queen.column < n && squares.insert(**queen);
    let queens: Vec<Square> = queens.iter().filter(is_new).copied().collect();
    let pairs = (0..queens.len()).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
    let pairs = pairs.map(|(earlier, later)| (queens[earlier], queens[later]));
    let is_attack = |&(earlier, later): &(Square, Square)| problem.variant().attacks(n, earlier, later);
    pairs.filter(is_attack).take(4 * MAX_EXAMPLES).collect()
}
