//! Reads a submission and judges it board by board.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::io::{self, BufRead, Read};

use super::key::{Key, MAX_RANKED};
use super::{Cut, Duplicate, Illegal, Judgement, PrintedOrder, Question, SHOWN, SubmissionError, missing};
use crate::board::notation::{Parsed, ParsedBoard, ReadError, Reader, stated_count};
use crate::board::problem::Problem;
use crate::board::symmetry::is_canonical;
use crate::board::{self, Placement, Square, known, squares};
use crate::escape::Escaped;
use crate::solver::Goal;
use crate::words::counted;

/// The most text without a board that is read: enough for a trace of a whole search.
const TEXT_LIMIT: u64 = 64 << 20;

/// The most bytes of a text that states the number of solutions.
const COUNT_LIMIT: u64 = 64 << 10;

/// At least this many boards are read, so that a small submission is judged completely.
const BOARDS_AT_LEAST: u64 = 1000;

/// Memory for stored boards: enough for all solutions of n = 17, the largest board in practical use.
const BYTES_KEPT: usize = 2 << 30;

/// Judges the text of `input`.
pub fn judge(input: &mut dyn BufRead, question: &Question) -> Result<Judgement, SubmissionError> {
    let report = if question.problem.n().get() <= MAX_RANKED {
        Submission::<u64>::read(input, question)?.report(None)
    } else {
        Submission::<Placement>::read(input, question)?.report(None)
    };
    match report.cut {
        Some(Cut::Text(bytes)) if report.boards == 0 => Err(SubmissionError::NoBoard(bytes)),
        _ => Ok(report),
    }
}

/// A submission that has been read; the exit status of its program is not yet known.
pub(super) struct Submission<K> {
    /// The result so far; distinct, missing and repeated boards are found at the end.
    report: Judgement,
    /// Each legal board with its line number, saturated at 32 bits.
    legal: Vec<(K, u32)>,
    /// Solutions that are canonical in their class, duplicates included.
    canonical: u64,
    /// The last board, if it is faulty and at the end of the text: it may be incomplete.
    tail: Option<Parsed>,
    /// The first board, while no board of the expected size has been read.
    misshapen: Option<(u64, String)>,
}

impl<K: Key> Submission<K> {
    /// A submission without a board.
    pub fn empty(question: &Question) -> Self {
        let problem = question.problem.clone();
        let classes = Some(problem.n().get()).filter(|_| problem.is_plain());
        let (expected, expected_source) = known::published(&problem).unzip();
        let report = Judgement {
            problem,
            goal: question.goal,
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
        Self { report, legal: Vec::new(), canonical: 0, tail: None, misshapen: None }
    }

    /// Reads the text of `input`.
    pub fn read(input: &mut dyn BufRead, question: &Question) -> Result<Self, SubmissionError> {
        let n = question.problem.n().get();
        let mut kept = Self::empty(question);
        if question.goal == Goal::Count {
            kept.report.stated = Some(stated(input, n)?);
            return Ok(kept);
        }
        let most = most_solutions(&question.problem);
        let most = most.map(|count| count.saturating_mul(2).max(BOARDS_AT_LEAST));
        let keep_at_most = BYTES_KEPT / (size_of::<(K, u32)>() + if n > MAX_RANKED { 2 * n + 16 } else { 0 });
        let state = State::default();
        let mut reader = Reader::new(Watched { input, state: &state }, n, question.notation)?;
        for found in reader.by_ref() {
            let found = match found {
                // Report the flood, not the line that it cut in two.
                Err(_) if state.flooded.get() => break,
                found => found?,
            };
            state.text.set(0);
            if most == Some(kept.report.boards) {
                kept.report.cut = most.map(Cut::Boards);
                break;
            }
            if kept.legal.len() == keep_at_most {
                kept.report.cut = Some(Cut::Memory(keep_at_most as u64));
                break;
            }
            kept.take(found, state.ended.get());
            if question.goal == Goal::First {
                break;
            }
        }
        if let (Some((line, text)), None, None) = (kept.misshapen.take(), question.notation, &kept.report.cut)
            && !state.flooded.get()
        {
            // Labels, boards side by side or another n: none of this can be judged.
            return Err(ReadError::Unreadable { line, text, n }.into());
        }
        kept.report.reading = reader.reading().filter(|_| kept.report.boards > 0);
        if state.flooded.get() {
            kept.report.cut = Some(Cut::Text(TEXT_LIMIT));
        }
        Ok(kept)
    }

    /// `at_end`: the text ended with this board.
    fn take(&mut self, found: Parsed, at_end: bool) {
        self.report.boards += 1;
        match &found.board {
            ParsedBoard::Malformed { fault, misshapen: true, .. } if self.report.boards == 1 => {
                self.misshapen = Some((found.line, fault.clone()));
            }
            ParsedBoard::Malformed { misshapen: true, .. } => {}
            _ => self.misshapen = None,
        }
        match &found.board {
            ParsedBoard::Placement(placement) if self.report.problem.is_solution(placement.columns()) => {
                self.legal(found.line, placement.columns());
            }
            _ if at_end && self.tail.is_none() => self.tail = Some(found),
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
        self.legal.push((key, u32::try_from(line).unwrap_or(u32::MAX)));
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

    /// Judges the submission. `cut`: why the program was cut short, if it was.
    pub fn report(mut self, cut: Option<Cut>) -> Judgement {
        self.report.cut = cut.or(self.report.cut.take());
        match self.tail.take() {
            // The program was stopped while it printed this board.
            Some(_) if self.report.cut.is_some() => self.report.boards -= 1,
            Some(found) => self.illegal(found),
            None => {}
        }
        self.find_repeated();
        let mut report = self.report;
        report.distinct = self.legal.len() as u64;
        // A program that was cut short might have printed the missing boards.
        let complete = report.cut.is_none();
        let boards = || self.legal.iter().map(|(key, _)| key.clone()).collect::<Vec<K>>();
        let plain = report.problem.is_plain();
        match report.goal {
            Goal::Count if report.expected.is_none() && !plain && complete => {
                missing::count(&mut report);
            }
            Goal::Count => {}
            Goal::First if report.boards == 0 => missing::find_first(&mut report),
            Goal::First => {}
            Goal::Enumerate if report.expected == Some(report.distinct) && report.duplicates == 0 => {
                report.fundamental = plain.then_some(self.canonical);
            }
            Goal::Enumerate if !plain && complete => missing::find_any(&boards(), &mut report),
            Goal::Enumerate if !plain => {}
            Goal::Enumerate => {
                let (fundamental, missing) = missing::find(&boards(), report.n(), complete);
                (report.fundamental, report.missing) = (Some(fundamental), missing);
            }
        }
        report
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

/// The number of solutions that a text states: a number alone on its line, or a sentence such as
/// `92 solutions`. Other text is skipped. Two different numbers of solutions are an error.
fn stated(input: &mut dyn BufRead, n: usize) -> Result<u64, SubmissionError> {
    let mut text = Vec::new();
    input.take(COUNT_LIMIT + 1).read_to_end(&mut text).map_err(ReadError::Io)?;
    if text.len() as u64 > COUNT_LIMIT {
        let limit = COUNT_LIMIT >> 10;
        return Err(SubmissionError::NoCount(format!(
            "the text is longer than {limit} KiB: print only the number"
        )));
    }
    let text = String::from_utf8_lossy(&text);
    let mut first: Option<(usize, u64)> = None;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let Some(count) = line.parse().ok().or_else(|| stated_count(line, n)) else { continue };
        match first {
            Some((_, known)) if known == count => {}
            Some((at, known)) => {
                return Err(SubmissionError::NoCount(format!(
                    "line {}: '{}' states {}, but line {at} states {known}: print one number",
                    index + 1,
                    Escaped(line),
                    counted(count, "solution")
                )));
            }
            None => first = Some((index + 1, count)),
        }
    }
    let none = || {
        SubmissionError::NoCount(
            "no number of solutions found: print it alone on a line, or as '92 solutions'".into(),
        )
    };
    first.map(|(_, count)| count).ok_or_else(none)
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
    let words = |square: &Square, what: &str| {
        format!("row {}, column {} {what} a queen", square.row + 1, square.column + 1)
    };
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

/// What the reader of boards does not report: how much it read, and whether the text has ended.
#[derive(Default)]
struct State {
    /// Bytes since the last board.
    text: Cell<u64>,
    ended: Cell<bool>,
    flooded: Cell<bool>,
}

/// An input that ends after too much text without a board.
struct Watched<'a> {
    input: &'a mut dyn BufRead,
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
            self.state.ended.set(true);
            return Ok(&[]);
        }
        let chunk = self.input.fill_buf()?;
        self.state.ended.set(chunk.is_empty());
        Ok(chunk)
    }

    fn consume(&mut self, amount: usize) {
        self.state.text.set(self.state.text.get() + amount as u64);
        self.input.consume(amount);
    }
}
