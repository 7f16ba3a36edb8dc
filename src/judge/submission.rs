//! Reads a submission and judges it board by board.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::io::{self, BufRead, Read};

use super::key::{Key, MAX_RANKED};
use super::notation::{Parsed, ParsedBoard, ReadError, Reader, excerpt};
use super::{
    Asks, Cut, Duplicate, Illegal, JudgeError, Judgement, PrintedOrder, Question, Reference, SHOWN, Source,
};
use super::{Verdict, missing, statement};
use crate::board::problem::Problem;
use crate::board::symmetry::is_canonical;
use crate::board::{self, Placement, Square, known, squares};

/// The most text without a board that is read: enough for a trace of a whole search.
const TEXT_LIMIT: u64 = 64 << 20;

/// The most bytes of a text that states the number of solutions.
const COUNT_LIMIT: usize = 64 << 10;

/// At least this many boards are read, so that a small submission is judged completely.
const BOARDS_AT_LEAST: u64 = 1000;

/// Memory for stored boards: enough for all solutions of n = 17, the largest board in practical use.
const BYTES_KEPT: usize = 2 << 30;

/// Judges a submission, and passes each placement in it to `each`. Without a reference, missing solutions are not looked
/// for, and only published numbers are compared.
pub fn judge(
    source: &mut dyn Source,
    question: &Question,
    reference: Option<&dyn Reference>,
    each: &mut dyn FnMut(&[u16]),
) -> Result<Judgement, JudgeError> {
    if question.problem.n().get() <= MAX_RANKED {
        judge_keyed::<u64>(source, question, reference, each)
    } else {
        judge_keyed::<Placement>(source, question, reference, each)
    }
}

fn judge_keyed<K: Key>(
    source: &mut dyn Source,
    question: &Question,
    reference: Option<&dyn Reference>,
    each: &mut dyn FnMut(&[u16]),
) -> Result<Judgement, JudgeError> {
    let mut submission = Submission::<K>::empty(question);
    let read = submission.read(source, question, each);
    let cut = source.end().map_err(ReadError::Io)?;
    match read {
        Ok(()) => {}
        // The failure of the program is the cause of the unreadable output, and the better message.
        Err(
            JudgeError::Read(ReadError::NoBoard { .. })
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
    /// The last board, if it is faulty and at the end of the text: it may be incomplete.
    tail: Option<Parsed>,
    /// The first line that may be a board and is not read as one.
    passed: Option<(u64, String)>,
    /// Whether the text is empty.
    silent: bool,
}

impl<K: Key> Submission<K> {
    /// A submission without a board.
    fn empty(question: &Question) -> Self {
        let problem = question.problem.clone();
        let classes = Some(problem.n().get()).filter(|_| problem.is_plain());
        let (expected, expected_source) = known::published(&problem).unzip();
        let report = Judgement {
            problem,
            asks: question.asks,
            given: question.notation.is_some(),
            stated: None,
            reading: None,
            boards: 0,
            illegal: 0,
            malformed: 0,
            illegal_shown: Vec::new(),
            duplicates: 0,
            duplicates_shown: Vec::new(),
            distinct: 0,
            fundamental: None,
            order: PrintedOrder::None,
            expected,
            expected_source,
            expected_fundamental: classes.and_then(known::fundamental_solutions),
            missing: None,
            cut: None,
        };
        Self { report, legal: Vec::new(), canonical: 0, tail: None, passed: None, silent: false }
    }

    /// Reads the text of `source`.
    fn read(
        &mut self,
        source: &mut dyn Source,
        question: &Question,
        each: &mut dyn FnMut(&[u16]),
    ) -> Result<(), JudgeError> {
        if question.asks == Asks::Count {
            let mut text = Vec::new();
            source.take(COUNT_LIMIT as u64 + 1).read_to_end(&mut text).map_err(ReadError::Io)?;
            let stated = stated(&text, self.report.n()).and_then(|count| {
                let first = text.trim_ascii().split(|&byte| byte == b'\n').next().unwrap_or_default();
                let found =
                    if first.is_empty() { String::new() } else { format!(" in '{}'", excerpt(first)) };
                let what = "no number of solutions found";
                count.ok_or_else(|| format!("{what}{found}: print it alone on a line, or as '92 solutions'"))
            });
            self.report.stated = Some(stated.map_err(JudgeError::NoCount)?);
            return Ok(());
        }
        let most = most_solutions(&question.problem);
        let most = most.map(|count| count.saturating_mul(2).max(BOARDS_AT_LEAST));
        let state = State::default();
        let mut reader =
            Reader::new(Watched { source, state: &state }, &question.problem, question.notation)?;
        for found in reader.by_ref() {
            let found = match found {
                // Report the flood, not the line that it cut in two.
                Err(_) if state.flooded.get() => break,
                Err(error @ ReadError::NoBoard { resembles: false, .. }) => {
                    match stated(&state.head.borrow(), self.report.n()) {
                        Ok(Some(0)) => break,
                        Ok(Some(stated)) => {
                            return Err(JudgeError::OnlyCount { stated, expected: self.report.expected });
                        }
                        _ => return Err(error.into()),
                    }
                }
                found => found?,
            };
            state.text.set(0);
            if most == Some(self.report.boards) {
                self.report.cut = most.map(Cut::Boards);
                break;
            }
            self.take(found, each);
            if question.asks == Asks::One {
                break;
            }
        }
        self.silent = state.head.borrow().trim_ascii().is_empty();
        self.report.reading = reader.reading().filter(|_| self.report.boards > 0);
        self.passed = reader.passed().cloned();
        if state.flooded.get() {
            if self.report.boards == 0 {
                return Err(JudgeError::Endless(TEXT_LIMIT));
            }
            self.report.cut = Some(Cut::Text(TEXT_LIMIT));
        }
        Ok(())
    }

    fn take(&mut self, found: Parsed, each: &mut dyn FnMut(&[u16])) {
        self.report.boards += 1;
        if let ParsedBoard::Placement(placement) = &found.board {
            each(placement.columns());
        }
        match &found.board {
            ParsedBoard::Placement(placement) if self.report.problem.is_solution(placement.columns()) => {
                self.legal(found.line, placement.columns());
            }
            _ if found.open => self.tail = Some(found),
            _ => self.illegal(found),
        }
    }

    fn legal(&mut self, line: u64, columns: &[u16]) {
        let key = K::of(columns);
        if let Some((last, _)) = self.legal.last() {
            let step = match last.cmp(&key) {
                Ordering::Less => PrintedOrder::Lexicographic,
                Ordering::Equal => self.report.order,
                Ordering::Greater => PrintedOrder::Reversed,
            };
            if self.report.order == PrintedOrder::None || self.report.order == step {
                self.report.order = step;
            } else {
                self.report.order = PrintedOrder::Other;
            }
        }
        if self.report.problem.is_plain() && may_be_canonical(columns) && is_canonical(columns) {
            self.canonical += 1;
        }
        let most = BYTES_KEPT
            / (size_of::<(K, u32)>() + if columns.len() > MAX_RANKED { 2 * columns.len() + 16 } else { 0 });
        if self.legal.len() < most && self.legal.try_reserve(1).is_ok() {
            self.legal.push((key, u32::try_from(line).unwrap_or(u32::MAX)));
        } else {
            self.report.cut.get_or_insert(Cut::Memory(self.legal.len() as u64));
        }
    }

    fn illegal(&mut self, found: Parsed) {
        self.report.illegal += 1;
        let (queens, malformed): (Vec<Square>, _) = match found.board {
            ParsedBoard::Placement(placement) => (squares(placement.columns()).collect(), None),
            ParsedBoard::Malformed { queens, fault, .. } => (queens, Some(fault)),
        };
        self.report.malformed += u64::from(malformed.is_some());
        if self.report.illegal_shown.len() < SHOWN {
            let problem = &self.report.problem;
            let forbidden: Vec<Square> =
                queens.iter().copied().filter(|&queen| !problem.may_hold(queen)).collect();
            let fault = malformed.or_else(|| contradictions(problem, &forbidden, &queens));
            let attacks = attacks(problem, &queens);
            self.report.illegal_shown.push(Illegal { line: found.line, fault, queens, forbidden, attacks });
        }
    }

    /// Judges what was read. `cut`: why the program was cut short, if it was.
    fn judged(
        mut self,
        cut: Option<Cut>,
        reference: Option<&dyn Reference>,
    ) -> Result<Judgement, JudgeError> {
        self.report.cut = cut.or(self.report.cut.take());
        match self.tail.take() {
            // The program was stopped while it printed this board.
            Some(_) if self.report.cut.is_some() => self.report.boards -= 1,
            Some(found) => self.illegal(found),
            None => {}
        }
        self.find_repeated();
        self.report.distinct = self.legal.len() as u64;
        self.compare(reference);
        let report = self.report;
        let is_missing =
            report.asks == Asks::All && report.cut.is_none() && report.expected != Some(report.distinct);
        match self.passed {
            Some((line, text)) if is_missing || report.verdict() == Verdict::Wrong => {
                return Err(JudgeError::Passed { line, text });
            }
            _ => {}
        }
        // To print nothing is not to say that there is no solution.
        let is_answer = !self.silent || report.asks != Asks::One || report.cut.is_some();
        if is_answer || report.expected == Some(0) { Ok(report) } else { Err(JudgeError::Silent) }
    }

    /// Compares the boards with all solutions. Those of a program that was cut short might have been printed later.
    fn compare(&mut self, reference: Option<&dyn Reference>) {
        let report = &mut self.report;
        let plain = report.problem.is_plain();
        let boards = || self.legal.iter().map(|(key, _)| key.clone()).collect::<Vec<K>>();
        let Some(reference) = reference.filter(|_| report.cut.is_none()) else {
            if plain && report.asks == Asks::All {
                report.fundamental = Some(missing::classes(&boards(), report.n()).len() as u64);
            }
            return;
        };
        match report.asks {
            Asks::Count if report.expected.is_none() && !plain => {
                missing::find::<K>(&[], report, reference);
                report.missing = None;
            }
            Asks::One if report.boards == 0 => {
                if report.expected.is_none() && !plain {
                    let decided = reference.decide(&report.problem);
                    let none = decided.filter(|(is_solvable, _)| !is_solvable).map(|(_, solver)| (0, solver));
                    (report.expected, report.expected_source) = none.unzip();
                    if decided.is_none() {
                        return;
                    }
                }
                let solutions = report.expected;
                report.missing =
                    (solutions != Some(0)).then(|| missing::Missing { solutions, ..Default::default() });
            }
            Asks::Count | Asks::One => {}
            Asks::All if report.expected == Some(report.distinct) && report.duplicates == 0 => {
                report.fundamental = plain.then_some(self.canonical);
            }
            Asks::All => missing::find(&boards(), report, reference),
        }
    }

    /// Removes boards that repeat an earlier one.
    fn find_repeated(&mut self) {
        let n = self.report.n();
        self.legal.sort_unstable();
        let all = self.legal.len();
        let mut again: Vec<(u32, u32, K)> = Vec::new();
        self.legal.dedup_by(|later, first| {
            if later.0 != first.0 {
                return false;
            }
            // Keep the first few by line number: keys are not in the order of the text.
            if again.len() < SHOWN || again.last().is_some_and(|last| later.1 < last.0) {
                again.push((later.1, first.1, later.0.clone()));
                again.sort_unstable();
                again.truncate(SHOWN);
            }
            true
        });
        let shown = again.into_iter().map(|(line, first_line, key)| Duplicate {
            line: u64::from(line),
            first_line: u64::from(first_line),
            board: Placement::new(&key.columns(n)),
        });
        self.report.duplicates_shown = shown.collect();
        self.report.duplicates = (all - self.legal.len()) as u64;
    }
}

/// The number of solutions that a text states; an error if it states two, or is too long.
fn stated(text: &[u8], n: usize) -> Result<Option<u64>, String> {
    if text.len() > COUNT_LIMIT {
        return Err(format!("the text is longer than {} KiB: print only the number", COUNT_LIMIT >> 10));
    }
    statement::stated(&String::from_utf8_lossy(text), n)
}

/// A cheap test that most boards fail: whether no mirror image or half turn has a smaller first column.
fn may_be_canonical(columns: &[u16]) -> bool {
    let (Some(&first), Some(&last)) = (columns.first(), columns.last()) else { return true };
    let mirrored = |column: u16| board::column(columns.len()) - 1 - column;
    first <= mirrored(first) && first <= last && first <= mirrored(last)
}

/// A number that the solutions of a problem cannot exceed: placed queens and forbidden squares leave fewer solutions.
fn most_solutions(problem: &Problem) -> Option<u64> {
    let unrestricted = Problem::new(problem.n(), problem.variant().clone()).ok()?;
    known::published(&unrestricted).map(|(count, _)| count)
}

/// The squares on which a board with one queen per row contradicts the problem, in words.
fn contradictions(problem: &Problem, forbidden: &[Square], queens: &[Square]) -> Option<String> {
    let missing = problem.placed().iter().filter(|square| !queens.contains(square));
    let words =
        |square: &Square, what: &str| format!("row {}, column {} {what} a queen", square.row, square.column);
    let forbidden = forbidden.iter().map(|square| words(square, "must not hold"));
    let all: Vec<String> = forbidden.chain(missing.map(|square| words(square, "must hold"))).collect();
    let more = if all.len() > SHOWN { "; and more" } else { "" };
    (!all.is_empty()).then(|| all[..all.len().min(SHOWN)].join("; ") + more)
}

/// The first few pairs of queens that attack each other, in the order of the queens.
/// Queens on the same square are not a pair: with a million of them, the search for pairs would not end.
fn attacks(problem: &Problem, queens: &[Square]) -> Vec<(Square, Square)> {
    let n = problem.n().get();
    let mut taken = HashSet::new();
    let queens: Vec<Square> = queens
        .iter()
        .copied()
        .filter(|queen| queen.row < n && queen.column < n && taken.insert(*queen))
        .collect();
    let pairs = queens.iter().enumerate().flat_map(|(index, &later)| {
        queens[..index]
            .iter()
            .filter(move |&&earlier| problem.variant().attacks(n, earlier, later))
            .map(move |&earlier| (earlier, later))
    });
    pairs.take(4 * SHOWN).collect()
}

/// What the reader of boards does not report: how much it read.
#[derive(Default)]
struct State {
    /// The beginning of the text, a little more than may state a number of solutions.
    head: RefCell<Vec<u8>>,
    /// Bytes since the last board.
    text: Cell<u64>,
    flooded: Cell<bool>,
}

/// A text that ends after too much of it without a board.
struct Watched<'a> {
    source: &'a mut dyn Source,
    state: &'a State,
}

impl Read for Watched<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(bytes)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Watched<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.state.text.get() > TEXT_LIMIT {
            self.state.flooded.set(true);
        }
        if self.state.flooded.get() {
            return Ok(&[]);
        }
        self.source.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        let mut head = self.state.head.borrow_mut();
        if head.len() <= COUNT_LIMIT
            && let Ok(chunk) = self.source.fill_buf()
        {
            head.extend_from_slice(&chunk[..amount.min(COUNT_LIMIT + 1)]);
        }
        self.state.text.set(self.state.text.get() + amount as u64);
        self.source.consume(amount);
    }
}
