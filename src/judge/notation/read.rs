//! Reads boards from text, one by one, in bounded memory.
//!
//! - The beginning of the text decides the notation: the one in which it holds the most solutions, or else the most
//!   permutations, or the first board. Two notations that say the same of different boards are an error that names them.
//! - From then on the text is read in this notation. Boards in another one may repeat boards, so they count only if they
//!   are not solutions, and then as malformed. If the notation was given, they are prose.
//! - Text that resembles a board but is not one, such as `[1, 3, None, 2]`, is a malformed board, never prose.
//! - Prose is passed over, even between the rows of a board; [`Reader::passed`] is the first that holds as many numbers as
//!   a board. A text of only prose has no board.
//! - `matrix`, `list`, `underscore`, `stars` and `unicode` are read in the same way. `columns` and `columns1` are
//!   distinguished by a 0 or an n, and `json` is read as `columns`.
//! - n = 1: a lone `0` or `1` may be a count, so it is an error unless the notation is given.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::io::BufRead;

use super::Notation;
use super::boards::{Boards, Certainty, Parsed, ParsedBoard, Taken};
use super::error::{NotationError, ReadError, excerpt};
use super::line::{Line, counts};
use super::segments::{HEAD, Segment, Segments};
use crate::board::BoardSize;
use crate::board::problem::Problem;

/// The most text without a board that is read: enough for a trace of a whole search.
const MOST_TEXT: u64 = 64 << 20;

/// The notations that are told apart.
const FAMILIES: [Notation; 9] = [
    Notation::Columns,
    Notation::Columns1,
    Notation::Digits0,
    Notation::Digits,
    Notation::Binary,
    Notation::Matrix,
    Notation::Squares,
    Notation::Pairs,
    Notation::Dimacs,
];

/// Reads boards of one size. An iterator that ends after its first error.
#[derive(Debug)]
pub struct Reader<'a, R> {
    segments: Segments<R>,
    problem: &'a Problem,
    /// The boards of the notation, once it is known.
    boards: Option<Boards<'a>>,
    certainty: Certainty,
    ready: VecDeque<Parsed>,
    /// Bytes since the last board.
    bytes: u64,
    passed: Option<(u64, String)>,
    /// As long as there was no board: the line that comes nearest to one, and how many numbers it has.
    nearest: Option<(usize, u64, String)>,
    any_board: bool,
    done: bool,
}

impl<'a, R: BufRead> Reader<'a, R> {
    /// Creates a reader of boards of a problem, which detects the notation unless it is given. Returns an error if
    /// there are no boards to be read, if the notation does not support their size, or if it can only be written
    /// (`svg`).
    pub fn new(input: R, problem: &'a Problem, notation: Option<Notation>) -> Result<Self, NotationError> {
        let n = problem.n().get();
        if n == 0 || n > BoardSize::MAX {
            return Err(NotationError::Unreadable(n));
        }
        if let Some(notation) = notation {
            notation.admit(n)?;
            if !notation.is_readable() {
                return Err(NotationError::WriteOnly(notation));
            }
        }
        // The longest reasonable model line: every square with its sign, eight digits and a space.
        let limit = HEAD + 16 * n.pow(2);
        Ok(Self {
            segments: Segments::new(input, limit),
            problem,
            boards: notation.map(|notation| Boards::new(notation.family(), problem, Certainty::Given)),
            certainty: if notation.is_some() { Certainty::Given } else { Certainty::Detected },
            ready: VecDeque::new(),
            bytes: 0,
            passed: None,
            nearest: None,
            any_board: false,
            done: false,
        })
    }

    /// The notation of the boards, as far as it is known.
    pub fn reading(&self) -> Option<Notation> {
        self.boards.as_ref().map(|boards| boards.notation)
    }

    /// The first line of prose that holds as many numbers as a board and is not read as one: its number, from 1,
    /// and its beginning.
    pub fn passed(&self) -> Option<&(u64, String)> {
        self.passed.as_ref()
    }

    /// The beginning of the text: all of it, if it has at most 64 KiB.
    pub fn head(&self) -> &[u8] {
        &self.segments.head
    }

    /// The next piece of text, if there is one.
    fn advance(&mut self) -> Result<Option<Segment>, ReadError> {
        let segment = self.segments.advance()?;
        self.bytes += self.segments.text.len() as u64 + 1;
        if self.bytes > MOST_TEXT { Err(ReadError::Endless(MOST_TEXT)) } else { Ok(segment) }
    }

    /// Decides on the notation by the beginning of the text, then reads that.
    fn decide(&mut self) -> Result<(), ReadError> {
        let problem = self.problem;
        let n = problem.n().get();
        let most = HEAD + 64 * n.pow(2);
        let trials = || FAMILIES.map(|notation| Trial::new(notation, problem));
        let (mut tried, mut head, mut bytes, mut enough) = (trials(), Vec::new(), 0, HEAD);
        loop {
            let Some(segment) = self.advance()? else {
                tried.iter_mut().for_each(|trial| trial.boards.end(&mut trial.found));
                break;
            };
            let text = self.segments.text.clone();
            let line = Line::of(&text, n);
            tried.iter_mut().for_each(|trial| _ = trial.boards.take(segment.line, &line, &mut trial.found));
            self.come_near(segment.line, &line, &text);
            bytes += text.len() + 1;
            head.push((segment, text));
            if bytes <= enough {
                continue;
            }
            if tried.iter().any(|trial| trial.evidence().is_some()) {
                break;
            }
            enough = most;
            if bytes > most {
                // No board is as long as this: it was prose.
                self.note_misshapen(&tried);
                (tried, head, bytes, enough) = (trials(), Vec::new(), 0, HEAD);
            }
        }
        match best(&tried) {
            Ok(Some(trial)) => {
                let mut boards = Boards::new(trial.boards.notation, problem, Certainty::Detected);
                boards.frames.clone_from(&trial.boards.frames);
                self.boards = Some(boards);
                head.iter().for_each(|(segment, text)| self.read(*segment, text));
                Ok(())
            }
            Ok(None) => {
                self.note_misshapen(&tried);
                self.finish()
            }
            Err((line, readings)) => {
                let text = head.iter().find(|(segment, _)| segment.line == line);
                let text = text.map_or(String::new(), |(_, text)| excerpt(text));
                Err(ReadError::Ambiguous { line, text, readings, or_number: false })
            }
        }
    }

    /// Keeps the line that comes nearest to a board: the first one with the most numbers.
    fn come_near(&mut self, at: u64, line: &Line, text: &[u8]) {
        let n = self.problem.n().get();
        let numbers = if let Line::Numbers(numbers) = line { numbers.values.len().min(n) } else { 0 };
        let is_nearer = self.nearest.as_ref().is_none_or(|(known, ..)| numbers > *known);
        // An empty list is no text.
        if is_nearer && !matches!(text.trim_ascii(), b"" | b"[]") {
            self.nearest = Some((numbers, at, excerpt(text)));
        }
        if n == 1 && matches!(text.trim_ascii(), b"0" | b"1") {
            self.passed.get_or_insert_with(|| (at, excerpt(text)));
        }
    }

    /// A board of another size comes nearer than any line.
    fn note_misshapen(&mut self, tried: &[Trial<'_>]) {
        let first = tried.iter().filter_map(|trial| trial.found.front()).min_by_key(|found| found.line);
        if let Some(Parsed { line, board: ParsedBoard::Malformed { fault, .. }, .. }) = first {
            self.nearest = Some((usize::MAX, *line, fault.clone()));
        }
    }

    /// Reads one piece of text in the notation that was decided on.
    fn read(&mut self, segment: Segment, text: &[u8]) {
        let Some(boards) = &mut self.boards else { return };
        let (at, before) = (segment.line, self.ready.len());
        let line = Line::of(text, self.problem.n().get());
        let is_of_columns = matches!(boards.notation, Notation::Columns | Notation::Columns1);
        match (boards.take(at, &line, &mut self.ready), &line) {
            (Taken::Passed, _) => _ = self.passed.get_or_insert_with(|| (at, excerpt(text))),
            (Taken::No, Line::Numbers(numbers))
                if self.certainty == Certainty::Detected && !is_of_columns =>
            {
                let board = Boards::among_others(self.problem, numbers);
                self.ready.extend(board.map(|board| Parsed::new(at, board)));
            }
            _ => {}
        }
        self.ready.iter_mut().skip(before).for_each(|found| found.open = segment.open);
        self.any_board |= !self.ready.is_empty();
        if !self.any_board {
            self.come_near(at, &line, text);
        }
    }

    fn finish(&mut self) -> Result<(), ReadError> {
        self.done = true;
        let before = self.ready.len();
        if let Some(boards) = &mut self.boards {
            boards.end(&mut self.ready);
        }
        self.ready.iter_mut().skip(before).for_each(|found| found.open = true);
        let n = self.problem.n().get();
        match (self.nearest.take(), self.passed.clone()) {
            _ if self.any_board || !self.ready.is_empty() => Ok(()),
            (_, Some((line, text))) if n == 1 => {
                let reading = if text == "0" { Notation::Columns } else { Notation::Columns1 };
                Err(ReadError::Ambiguous { line, text, readings: vec![reading], or_number: true })
            }
            (Some((numbers, line, text)), _) => {
                Err(ReadError::NoBoard { line, text, n, resembles: numbers > 1 })
            }
            (None, _) => Ok(()),
        }
    }

    fn step(&mut self) -> Result<(), ReadError> {
        if self.boards.is_none() {
            return self.decide();
        }
        let Some(segment) = self.advance()? else { return self.finish() };
        let text = std::mem::take(&mut self.segments.text);
        self.read(segment, &text);
        self.segments.text = text;
        Ok(())
    }
}

impl<R: BufRead> Iterator for Reader<'_, R> {
    type Item = Result<Parsed, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.ready.pop_front() {
                self.bytes = 0;
                return Some(Ok(found));
            }
            if self.done {
                return None;
            }
            if let Err(error) = self.step() {
                self.done = true;
                return Some(Err(error));
            }
        }
    }
}

/// A text read in one of the notations.
struct Trial<'a> {
    boards: Boards<'a>,
    problem: &'a Problem,
    found: VecDeque<Parsed>,
}

/// How much a text speaks for a notation: its solutions, its permutations, whether it has a whole board. Columns that
/// count up or down may number those of a board below.
type Evidence = (usize, usize, bool);

impl<'a> Trial<'a> {
    fn new(notation: Notation, problem: &'a Problem) -> Self {
        Self { boards: Boards::new(notation, problem, Certainty::Tried), problem, found: VecDeque::new() }
    }

    /// The evidence and the line of the first board; `None` if there is no board.
    fn evidence(&self) -> Option<(Evidence, u64)> {
        let has_shape =
            |found: &&Parsed| !matches!(found.board, ParsedBoard::Malformed { misshapen: true, .. });
        let mut line = self.found.iter().find(has_shape)?.line;
        let (mut solutions, mut permutations, mut any) = (0, 0, false);
        for found in &self.found {
            let ParsedBoard::Placement(placement) = &found.board else { continue };
            if !std::mem::replace(&mut any, true) {
                line = found.line;
            }
            solutions += usize::from(self.problem.is_solution(placement.columns()));
            permutations += usize::from(is_permutation(placement.columns()));
        }
        // A lone number is a board only if it can be a solution.
        let is_number = matches!(self.boards.notation, Notation::Digits | Notation::Digits0);
        (!is_number || permutations > 0).then_some(((solutions, permutations, any), line))
    }
}

/// Whether each column occurs once, and they do not just count up or down.
fn is_permutation(columns: &[u16]) -> bool {
    let mut sorted: Vec<u32> = columns.iter().map(|&column| column.into()).collect();
    let is_heading = sorted.len() > 1 && counts(&sorted);
    sorted.sort_unstable();
    !is_heading && (0..).zip(&sorted).all(|(index, &column)| index == column)
}

/// The notation for which most speaks, the first board among equals. An error if that leaves several readings of the
/// same line.
fn best<'t, 'a>(tried: &'t [Trial<'a>]) -> Result<Option<&'t Trial<'a>>, (u64, Vec<Notation>)> {
    let with_evidence = || tried.iter().filter_map(|trial| Some((trial, trial.evidence()?)));
    let rank = |(evidence, line): &(Evidence, u64)| (Reverse(*evidence), *line);
    let Some((best, most)) = with_evidence().min_by_key(|(_, found)| rank(found)) else { return Ok(None) };
    let ((_, _, has_board), line) = most;
    let differs = |trial: &Trial<'_>| std::ptr::eq(trial, best) || trial.found != best.found;
    let equals = with_evidence().filter(|(trial, found)| *found == most && differs(trial));
    let readings: Vec<Notation> = equals.map(|(trial, _)| trial.boards.notation).collect();
    if readings.len() > 1 && has_board { Err((line, readings)) } else { Ok(Some(best)) }
}
