//! Reads boards from text, one by one, in bounded memory.
//!
//! - The beginning of the text decides on the reading: the one in which it holds the most solutions, or else the most
//!   permutations, or else the most boards. Then the whole text is read so.
//! - Lines that this reading leaves over are offered to all readings. Boards in them may be drawn a second time, so they count
//!   only if they are not solutions.
//! - Boards of another size are skipped and counted. A piece of a board is a malformed board.
//! - What remains is prose. A line of it that may be a board is kept: such a text is not called correct.

use std::io::BufRead;
use std::ops::ControlFlow;

use super::found::{Found, Score, is_permutation};
use super::lines::{HEAD, Line, Lines};
use super::numbers::{self, Family, Models, Shape};
use super::places::{self, Drawn, Look};
use super::roles::Symbols;
use super::{Notation, NotationError, ReadError, excerpt, one, rows};
use crate::counted;
use queens_board::problem::Problem;
use queens_board::{BoardSize, Placement, Square};

/// The most text without a board that is read: enough for a trace of a whole search.
const MAX_TEXT: u64 = 64 << 20;

/// Up to here, text without a solution may be a trace of the search, and does not decide on the reading.
const MAX_HEAD: usize = 4 << 20;

/// The lines that are left over are offered to the other readings whenever they are so many bytes.
const MAX_REST: usize = 32 << 10;

/// Of more lines than these, the first and the last ones decide on the reading.
const MAX_LINES: usize = 6000;

/// How often lines that are left over are offered to all readings; after that, only lines of numbers are looked for.
const MAX_OFFERS: u32 = 8;

/// The bytes of prose that are kept at the beginning, and at the end, of a text.
const MAX_PROSE: usize = 32 << 10;

/// The largest other size that is recognised.
const MAX_OTHER_SIZE: usize = 14;

/// A board and the place where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The line of its first row, from 1.
    pub line: u64,
    /// The board.
    pub board: ParsedBoard,
    /// Whether the text ends in it, so that it may be incomplete.
    pub open: bool,
}

/// A board as it is in the text. Attacks between queens are not checked here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedBoard {
    /// One queen per row, all on the board.
    Placement(Placement),
    /// Anything else.
    Malformed {
        /// Its queens in the order of the text, from 0; they may be outside the board.
        queens: Vec<Square>,
        /// The first fault, such as `row 2 has no queen`.
        fault: String,
        /// Whether even its size differs from the expected size.
        misshapen: bool,
    },
}

/// What is known about a text before it is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// The notation; `None` to detect it.
    pub notation: Option<Notation>,
    /// The symbols of queens and empty squares.
    pub symbols: Symbols,
    /// Whether nothing is read behind the first board.
    pub first_only: bool,
}

/// What a text has besides its boards.
#[derive(Debug)]
pub struct Shown {
    /// The notation of the boards, if there are any.
    pub notation: Option<Notation>,
    /// The first line that may be a board and is not read as one: its number, from 1, and its beginning.
    pub doubtful: Option<(u64, String)>,
    /// Boards of another size, which are skipped: their side, how many there are, and the line of the first.
    pub skipped: Vec<(usize, u64, u64)>,
    /// The lines that are no boards, at the beginning and at the end of the text, with their numbers.
    pub prose: Vec<(u64, String)>,
    /// Why reading stopped before the end of the text.
    pub end: Result<(), ReadError>,
}

/// Reads the boards of a problem, and passes each to `each`, until that breaks. An error if there are no boards to be read, if the
/// notation does not support their size, or if it can only be written (`svg`).
pub fn read(
    input: impl BufRead,
    problem: &Problem,
    hints: Hints,
    each: &mut dyn FnMut(Parsed) -> ControlFlow<()>,
) -> Result<Shown, NotationError> {
    let n = problem.n().get();
    if n == 0 || n > BoardSize::MAX {
        let max = BoardSize::MAX;
        return Err(NotationError(format!("boards are read from n = 1 to n = {max}, not for n = {n}")));
    }
    if let Some(notation) = hints.notation {
        notation.admit(n)?;
        if !notation.is_readable() {
            let reason = format!("notation {notation} can be written but not read: choose another");
            return Err(NotationError(reason));
        }
    }
    // The longest reasonable model line: every square with its sign, eight digits and a space.
    let limit = HEAD + 16 * n.pow(2);
    let mut text = Text {
        lines: Lines::new(input, limit),
        problem,
        hints,
        each,
        reading: None,
        notation: None,
        rest: Vec::new(),
        rest_bytes: 0,
        offers: 0,
        prose: Prose::default(),
        skipped: Vec::new(),
        doubtful: None,
        counting: 0,
        first_counting: None,
        boards: 0,
        last_board: 0,
        is_enough: false,
    };
    let end = text.run();
    let notation = text.reading.as_ref().map(|reading| reading.notation(problem)).or(text.notation);
    Ok(Shown {
        notation: notation.filter(|_| text.boards > 0),
        doubtful: text.doubtful,
        skipped: text.skipped,
        prose: text.prose.lines(),
        end,
    })
}

/// A way to read a text.
#[derive(Clone, Debug)]
enum Reading {
    Places(places::Reader, bool),
    Rows(rows::Reader, bool, bool),
    Numbers(numbers::Reader, Shape),
    Models(Models),
}

impl Reading {
    fn take(&mut self, line: &Line, out: &mut Vec<Found>) -> bool {
        match self {
            Self::Places(reader, _) => reader.take(line, out),
            Self::Rows(reader, ..) => reader.take(line, out),
            Self::Numbers(reader, _) => reader.take(line, out),
            Self::Models(models) => models.take(line, out),
        }
    }

    fn end(&mut self, is_open: bool, out: &mut Vec<Found>) {
        match self {
            Self::Places(reader, _) => reader.end(is_open, out),
            Self::Rows(reader, ..) => reader.end(is_open, out),
            Self::Numbers(reader, _) => reader.end(is_open, out),
            Self::Models(models) => models.end(is_open, out),
        }
    }

    fn notation(&self, problem: &Problem) -> Notation {
        match self {
            Self::Places(_, true) | Self::Rows(_, true, _) => Notation::Binary,
            Self::Rows(_, _, true) => Notation::Fen,
            Self::Places(..) | Self::Rows(..) => Notation::Matrix,
            Self::Models(_) => Notation::Dimacs,
            Self::Numbers(_, shape) => match (shape.family(), shape.first_column()) {
                (Family::Values, 0) => Notation::Columns,
                (Family::Values, _) => Notation::Columns1,
                (Family::Digits, 0) => Notation::Digits0,
                (Family::Digits, _) => Notation::Digits,
                (Family::Squares, _) if problem.n().get() <= 26 => Notation::Squares,
                _ => Notation::Pairs,
            },
        }
    }

    /// Whether a board of this reading is certain although its columns are not all different.
    fn is_certain(&self, score: Score, n: usize) -> bool {
        match self {
            // On small boards, many sentences have such numbers.
            Self::Numbers(_, shape) => shape.is_bare() || score.permutations > 0 && !matches!(n, 2 | 3),
            _ => true,
        }
    }
}

/// The best reading of some lines, and how much speaks for it. `is_exact`: whether lists with other numbers than those of a board
/// are left alone.
fn best(lines: &[Line], problem: &Problem, hints: Hints, is_exact: bool) -> Option<(Reading, Score)> {
    let n = problem.n().get();
    let both_ends: Vec<Line>;
    let lines = match lines.len() {
        all if all > MAX_LINES + 8 * n => {
            let (first, last) = (&lines[..MAX_LINES / 2], &lines[all - MAX_LINES / 2..]);
            both_ends = first.iter().chain([&Line::default()]).chain(last).cloned().collect();
            &both_ends[..]
        }
        _ => lines,
    };
    let family = hints.notation.map(Notation::family);
    let is_allowed = |families: &[Notation]| family.is_none_or(|family| families.contains(&family));
    let mut best: Option<(Reading, Score)> = None;
    let mut offer = |reading: Reading, score: Score| {
        let is_asked = hints.notation.is_none_or(|notation| {
            let family = notation.family();
            let found = reading.notation(problem);
            family == found
                || family == Notation::Matrix && found == Notation::Fen && notation != Notation::Matrix
        });
        if is_asked && best.as_ref().is_none_or(|(_, other)| score > *other) {
            best = Some((reading, score));
        }
    };
    if is_allowed(&[Notation::Matrix, Notation::Binary, Notation::Fen]) {
        let has_colours = lines.iter().any(|line| line.text.contains(&0x1B));
        let has_bytes = lines.iter().any(|line| std::str::from_utf8(&line.text).is_err());
        for (colours, bytes) in [(false, true), (false, false), (true, true), (true, false)] {
            if colours && !has_colours || bytes && !has_bytes {
                continue;
            }
            let look = Look { colours, bytes };
            let drawn = Drawn::lines(lines, look);
            let find =
                |drawn: &[Drawn]| places::Layout::find(drawn, problem, hints.symbols, look, family.is_some());
            let found = find(&drawn);
            let has_permutation = found.as_ref().is_some_and(|(_, score)| score.permutations > 0);
            let unlabelled = if has_permutation { None } else { Drawn::without_labels(&drawn, n) };
            let found = unlabelled.and_then(|drawn| find(&drawn)).or(found);
            if let Some((layout, score)) = found {
                let is_binary = layout.is_binary();
                offer(Reading::Places(places::Reader::new(layout), is_binary), score);
            }
        }
        if let Some((layout, score)) = rows::Layout::find(lines, problem, hints.symbols, family) {
            let (is_binary, is_fen) = (layout.is_binary(), layout.is_fen());
            offer(Reading::Rows(rows::Reader::new(layout), is_binary, is_fen), score);
        }
    }
    let has_symbols = hints.symbols.queen.is_some();
    if !has_symbols && is_allowed(&NUMBERS) {
        let base = match family {
            Some(Notation::Columns | Notation::Digits0) => Some(0),
            Some(Notation::Columns1 | Notation::Digits) => Some(1),
            _ => None,
        };
        let is_asked = |shape: &Shape| {
            (!is_exact || shape.is_exact())
                && family.is_none_or(|family| match shape.family() {
                    Family::Values => matches!(family, Notation::Columns | Notation::Columns1),
                    Family::Digits => matches!(family, Notation::Digits | Notation::Digits0),
                    Family::Squares => family == Notation::Squares,
                    Family::Pairs => family == Notation::Pairs,
                })
        };
        if let Some((shape, score)) = Shape::find(lines, problem, base, family.is_some(), is_asked) {
            offer(Reading::Numbers(numbers::Reader::new(shape.clone()), shape), score);
        }
    }
    if !has_symbols && is_allowed(&[Notation::Dimacs]) {
        let score = Models::score(lines, problem);
        if score.boards > 0 || hints.notation == Some(Notation::Dimacs) {
            offer(Reading::Models(Models::new(problem.n().get())), score);
        }
    }
    best
}

const NUMBERS: [Notation; 6] = [
    Notation::Columns,
    Notation::Columns1,
    Notation::Digits,
    Notation::Digits0,
    Notation::Squares,
    Notation::Pairs,
];

/// The lines at the beginning and at the end of the prose of a text.
#[derive(Debug, Default)]
struct Prose {
    first: Vec<(u64, String)>,
    last: std::collections::VecDeque<(u64, String)>,
    bytes: [usize; 2],
}

impl Prose {
    fn push(&mut self, line: &Line) {
        let text = plaintext::decode(&line.text).into_owned();
        if text.trim().is_empty() {
            return;
        }
        if self.bytes[0] + text.len() <= MAX_PROSE {
            self.bytes[0] += text.len() + 1;
            return self.first.push((line.number, text));
        }
        self.bytes[0] = MAX_PROSE;
        self.bytes[1] += text.len() + 1;
        self.last.push_back((line.number, text));
        while self.bytes[1] > MAX_PROSE
            && let Some((_, text)) = self.last.pop_front()
        {
            self.bytes[1] -= text.len() + 1;
        }
    }

    fn lines(self) -> Vec<(u64, String)> {
        self.first.into_iter().chain(self.last).collect()
    }
}

struct Text<'a, R> {
    lines: Lines<R>,
    problem: &'a Problem,
    hints: Hints,
    each: &'a mut dyn FnMut(Parsed) -> ControlFlow<()>,
    reading: Option<Reading>,
    /// The notation, if it needs no reading.
    notation: Option<Notation>,
    /// Lines that the reading left over, and their bytes.
    rest: Vec<Line>,
    rest_bytes: usize,
    /// How often they were offered to other readings.
    offers: u32,
    prose: Prose,
    skipped: Vec<(usize, u64, u64)>,
    doubtful: Option<(u64, String)>,
    /// Lines that count from 1 to n, or from 0: they may number the columns of the boards.
    counting: u64,
    first_counting: Option<(u64, String)>,
    /// Boards that were passed on, and the bytes before the last one.
    boards: u64,
    last_board: u64,
    /// Whether no more boards are wanted.
    is_enough: bool,
}

impl<R: BufRead> Text<'_, R> {
    fn run(&mut self) -> Result<(), ReadError> {
        let is_number = self.hints.notation.is_some_and(|notation| NUMBERS.contains(&notation.family()));
        if self.problem.n().get() == 1 && !is_number {
            return self.run_one();
        }
        let mut nearest = None;
        let mut is_open;
        loop {
            let (head, at_end) = self.head()?;
            self.find_other_sizes_or_nearest(&head, &mut nearest);
            is_open = head.last().is_none_or(|line| line.is_open);
            for line in &head {
                self.take(line);
                if self.is_enough {
                    break;
                }
            }
            if self.reading.is_none() && self.lines.bytes > MAX_TEXT {
                return Err(ReadError::Endless(MAX_TEXT));
            }
            if self.reading.is_some() || at_end {
                if at_end || self.is_enough {
                    self.end(is_open);
                    return self.ended(nearest);
                }
                break;
            }
        }
        let mut line = Line::default();
        while !self.is_enough && self.lines.advance(&mut line)? {
            is_open = line.is_open;
            self.take(&line);
            if self.lines.bytes - self.last_board > MAX_TEXT {
                return Err(ReadError::Endless(MAX_TEXT));
            }
        }
        self.end(is_open);
        self.ended(nearest)
    }

    /// Reads the board of one square, from the beginning of the text.
    fn run_one(&mut self) -> Result<(), ReadError> {
        let is_given = self.hints.notation.is_some();
        let (mut head, mut bytes) = (Vec::new(), 0);
        let mut line = Line::default();
        while bytes <= HEAD && self.lines.advance(&mut line)? {
            bytes += line.text.len() + 1;
            head.push(line.clone());
            if self.hints.first_only && !one::boards(&head, is_given).is_empty() {
                break;
            }
        }
        let head = split_prompt(head);
        let boards = one::boards(&head, is_given);
        for line in &head {
            if !boards.contains(&line.number) {
                self.prose.push(line);
            }
        }
        for &line in &boards {
            let is_open = head.last().is_some_and(|last| last.number == line && last.is_open);
            self.notation = Some(Notation::Matrix);
            self.deliver(vec![Found::Board { line, columns: vec![0], is_open }]);
        }
        let first = head.iter().find(|line| !matches!(line.text.trim_ascii(), b"" | b"[]"));
        self.ended(first.map(|line| (line.number, format!("'{}'", excerpt(&line.text)), false)))
    }

    fn ended(&self, nearest: Option<(u64, String, bool)>) -> Result<(), ReadError> {
        let n = self.problem.n().get();
        if self.boards > 0 {
            return Ok(());
        }
        if let Some(&(side, boards, line)) = self.skipped.first() {
            return Err(ReadError::OtherSize { side, boards, line, n });
        }
        match nearest {
            Some((line, text, _)) => Err(ReadError::NoBoard { line, text, n }),
            None => Ok(()),
        }
    }

    /// Reads the beginning of the text, until it decides on the reading. Returns its lines, and whether the text has ended.
    fn head(&mut self) -> Result<(Vec<Line>, bool), ReadError> {
        let n = self.problem.n().get();
        let start = self.lines.bytes;
        let (mut head, mut next) = (Vec::new(), if self.hints.first_only { 0 } else { HEAD });
        loop {
            let mut line = Line::default();
            let at_end = !self.lines.advance(&mut line)?;
            if !at_end {
                if line.text.trim_ascii().is_empty() {
                    line.text.clear();
                }
                // Many empty lines separate no more than two.
                let is_blank = |line: &&Line| line.text.is_empty();
                if !(line.text.is_empty() && head.iter().rev().take(2).filter(is_blank).count() == 2) {
                    head.push(line);
                }
            }
            let bytes = usize::try_from(self.lines.bytes - start).unwrap_or(usize::MAX);
            if !at_end && bytes <= next {
                continue;
            }
            // The input is not a part of the output: what follows a prompt stands on the same line.
            head = split_prompt(head);
            let found = best(&head, self.problem, self.hints, false)
                .filter(|(reading, score)| self.hints.notation.is_some() || reading.is_certain(*score, n));
            let has_solution = found.as_ref().is_some_and(|(_, score)| score.solutions > 0);
            if let Some((Reading::Numbers(_, shape), _)) = &found
                && shape.is_ambiguous
                && at_end
            {
                let text = head.iter().find(|line| !line.text.trim_ascii().is_empty());
                let (line, text) = text.map_or((1, String::new()), |line| (line.number, excerpt(&line.text)));
                let names = ["columns", "columns1"];
                return Err(ReadError::Ambiguous(format!(
                    "line {line}: '{text}' may be {}: give --notation {}",
                    names.join(" or "),
                    names.join(" or --notation ")
                )));
            }
            if has_solution || at_end || bytes > MAX_HEAD + 64 * n.pow(2) {
                self.reading = found.map(|(reading, _)| reading);
                return Ok((head, at_end));
            }
            // A short text is examined at each line, a long one each time when it has grown by a part.
            next = if self.hints.first_only { bytes + bytes.saturating_sub(4096) / 4 } else { 4 * bytes };
        }
    }

    /// Without a reading, looks for boards of another size and for the line that comes nearest to a board.
    fn find_other_sizes_or_nearest(&mut self, head: &[Line], nearest: &mut Option<(u64, String, bool)>) {
        if self.reading.is_some() {
            return;
        }
        let mut bytes = 0;
        let first = head.iter().take_while(|line| {
            bytes += line.text.len() + 1;
            bytes <= HEAD
        });
        self.skip_other_sizes(&first.cloned().collect::<Vec<Line>>());
        let n = self.problem.n().get();
        for line in head {
            let text = plaintext::decode(&line.text);
            let trimmed = text.trim();
            if matches!(trimmed, "" | "[]") {
                continue;
            }
            let resembles = numbers::Reader::resembles(&line.text, n);
            if nearest.as_ref().is_none_or(|(_, _, other)| resembles && !other) {
                *nearest = Some((line.number, format!("'{}'", excerpt(&line.text)), resembles));
            }
        }
    }

    /// Skips and counts the boards of another size in some lines. Returns the lines that are left over.
    fn skip_other_sizes(&mut self, lines: &[Line]) -> Vec<Line> {
        let n = self.problem.n().get();
        if self.hints.notation.is_some() || lines.is_empty() {
            return lines.to_vec();
        }
        let mut found: Option<(Reading, Score, usize)> = None;
        for side in (4..=MAX_OTHER_SIZE).filter(|&side| side != n) {
            let Ok(size) = BoardSize::new(side) else { continue };
            let problem = Problem::queens(size);
            let Some((reading, score)) = best(lines, &problem, self.hints, true) else { continue };
            if score.solutions > 0 && found.as_ref().is_none_or(|(_, other, _)| score > *other) {
                found = Some((reading, score, side));
            }
        }
        let Some((mut reading, _, side)) = found else { return lines.to_vec() };
        let (mut out, mut rest) = (Vec::new(), Vec::new());
        for line in lines {
            if !reading.take(line, &mut out) {
                rest.push(line.clone());
            }
        }
        reading.end(false, &mut out);
        let boards = out.iter().filter_map(|found| match found {
            Found::Board { line, .. } => Some(*line),
            _ => None,
        });
        for line in boards {
            self.skip(side, line);
        }
        if rest.len() == lines.len() { rest } else { self.skip_other_sizes(&rest) }
    }

    fn skip(&mut self, side: usize, line: u64) {
        match self.skipped.iter_mut().find(|(other, ..)| *other == side) {
            Some((_, count, _)) => *count += 1,
            None => self.skipped.push((side, 1, line)),
        }
    }

    /// Reads one line.
    fn take(&mut self, line: &Line) {
        let mut out = Vec::new();
        let is_explained = self.reading.as_mut().is_some_and(|reading| reading.take(line, &mut out));
        self.deliver(out);
        if is_explained || line.text.is_empty() {
            return;
        }
        self.prose.push(line);
        if self.reading.is_none() || self.hints.notation.is_some() {
            return;
        }
        if is_prose(&line.text) {
            return;
        }
        self.rest_bytes += line.text.len();
        self.rest.push(line.clone());
        if self.rest_bytes > MAX_REST {
            self.offer_rest();
        }
    }

    fn end(&mut self, is_open: bool) {
        let mut out = Vec::new();
        if let Some(reading) = &mut self.reading {
            reading.end(is_open, &mut out);
        }
        self.deliver(out);
        if self.boards > 0 && !self.hints.first_only {
            self.offer_rest();
        }
        // Numbers of columns stand at each board.
        let is_drawn = matches!(self.reading, Some(Reading::Places(..) | Reading::Rows(..)));
        if !is_drawn || self.counting < self.boards.div_ceil(4) {
            self.doubtful = self.doubtful.take().or(self.first_counting.take());
        }
    }

    /// Passes boards on.
    fn deliver(&mut self, found: Vec<Found>) {
        for found in found {
            let parsed = match found {
                Found::Other { line, side } => {
                    self.skip(side, line);
                    continue;
                }
                Found::Doubtful { line } => {
                    self.doubtful.get_or_insert((line, "a list of several lines".to_owned()));
                    continue;
                }
                found => self.parsed(found),
            };
            self.boards += 1;
            self.last_board = self.lines.bytes;
            self.is_enough = self.is_enough || (self.each)(parsed).is_break();
        }
    }

    /// Offers the lines that are left over to the other readings.
    fn offer_rest(&mut self) {
        let mut rest = separated(std::mem::take(&mut self.rest));
        self.offers += 1;
        if self.offers == 1 {
            rest = separated(self.skip_other_sizes(&rest));
        }
        // A long trace is not searched for drawn boards to its end.
        let rounds = if self.offers <= MAX_OFFERS { 4 } else { 0 };
        self.rest_bytes = 0;
        let n = self.problem.n().get();
        for _ in 0..rounds {
            let found = best(&rest, self.problem, self.hints, false);
            let is_board =
                |(_, score): &(Reading, Score)| score.permutations > 0 || n > 3 && score.boards > 0;
            let Some((mut reading, _)) = found.filter(is_board) else {
                break;
            };
            let (mut out, mut left) = (Vec::new(), Vec::new());
            for line in &rest {
                if !reading.take(line, &mut out) {
                    left.push(line.clone());
                }
            }
            reading.end(false, &mut out);
            let is_number = matches!(reading, Reading::Numbers(..));
            let is_list = matches!(&reading, Reading::Numbers(_, shape) if shape.is_list());
            let has_words = matches!(&reading, Reading::Numbers(_, shape) if shape.has_words());
            let text = |number: u64| {
                let line = rest.iter().find(|line| line.number == number);
                line.map_or(String::new(), |line| excerpt(&line.text))
            };
            for found in out {
                self.other_board(found, [is_number, has_words, is_list], &text);
            }
            if left.len() == rest.len() {
                break;
            }
            rest = separated(left);
        }
        for line in rest {
            if numbers::Reader::counts(&line.text, n) {
                self.counting += 1;
                self.first_counting.get_or_insert_with(|| (line.number, excerpt(&line.text)));
            } else if self.doubtful.is_none() && numbers::Reader::resembles(&line.text, n) {
                self.doubtful = Some((line.number, excerpt(&line.text)));
            }
        }
    }

    /// A board in another notation counts if it is not a solution; numbers that are no permutation, or stand in a sentence, may
    /// be something else.
    fn other_board(
        &mut self,
        found: Found,
        [is_number, has_words, is_list]: [bool; 3],
        text: &dyn Fn(u64) -> String,
    ) {
        let line = match &found {
            Found::Board { columns, line, .. } => {
                if self.problem.is_solution(columns) {
                    return;
                }
                if is_number && !is_list && !has_words && numbers::is_counting(columns) {
                    self.counting += 1;
                    self.first_counting.get_or_insert_with(|| (*line, text(*line)));
                    return;
                }
                if is_permutation(columns) && !has_words || !is_number {
                    let parsed = self.parsed(found);
                    self.is_enough = self.is_enough || (self.each)(parsed).is_break();
                    return;
                }
                *line
            }
            Found::Malformed { line, .. } | Found::Part { line, .. } => *line,
            Found::Other { .. } | Found::Doubtful { .. } => return,
        };
        self.doubtful.get_or_insert_with(|| (line, text(line)));
    }

    /// A found board in the terms of the judge.
    fn parsed(&self, found: Found) -> Parsed {
        let n = self.problem.n().get();
        let (line, open) = match &found {
            Found::Board { line, is_open, .. }
            | Found::Malformed { line, is_open, .. }
            | Found::Part { line, is_open, .. } => (*line, *is_open),
            Found::Other { line, .. } | Found::Doubtful { line } => (*line, false),
        };
        let square = |&[row, column]: &[u32; 2]| Square { row: row as usize, column: column as usize };
        let board = match found {
            Found::Board { columns, .. } if columns.iter().all(|&column| (column as usize) < n) => {
                ParsedBoard::Placement(Placement::new(&columns))
            }
            Found::Board { columns, .. } => {
                let queens: Vec<[u32; 2]> = (0..).zip(columns).map(|(row, column)| [row, column]).collect();
                let fault = fault(&queens, n);
                ParsedBoard::Malformed {
                    queens: queens.iter().map(square).collect(),
                    fault,
                    misshapen: false,
                }
            }
            Found::Malformed { queens, .. } => {
                let fault = fault(&queens, n);
                ParsedBoard::Malformed {
                    queens: queens.iter().map(square).collect(),
                    fault,
                    misshapen: false,
                }
            }
            Found::Part { queens, rows, what, .. } => ParsedBoard::Malformed {
                queens: queens.iter().map(square).collect(),
                fault: format!("{} instead of {n}", counted(rows as u64, what)),
                misshapen: true,
            },
            Found::Other { .. } | Found::Doubtful { .. } => ParsedBoard::Malformed {
                queens: Vec::new(),
                fault: "not a board".to_owned(),
                misshapen: true,
            },
        };
        Parsed { line, board, open }
    }
}

/// The lines with what stands behind a prompt in the first one on a line of its own. A label is no prompt: other lines begin
/// with it, too.
fn split_prompt(mut lines: Vec<Line>) -> Vec<Line> {
    let Some(at) = lines.iter().position(|line| !line.text.trim_ascii().is_empty()) else { return lines };
    let line = &lines[at];
    let Some(end) = line.text.windows(2).position(|two| matches!(two, [b':' | b'?' | b'>', b' '])) else {
        return lines;
    };
    let (prompt, rest) = line.text.split_at(end + 2);
    let letters =
        |text: &[u8]| text.iter().filter(|byte| byte.is_ascii_alphabetic()).copied().collect::<Vec<u8>>();
    let words = letters(prompt);
    let is_label = lines.iter().enumerate().any(|(other, line)| {
        let beginning = &line.text[..line.text.len().min(prompt.len() + 4)];
        other != at && !words.is_empty() && letters(beginning).starts_with(&words)
    });
    let is_failure = crate::statement::is_failure(&String::from_utf8_lossy(prompt));
    if is_label || is_failure || words.len() < 2 || rest.trim_ascii().is_empty() {
        return lines;
    }
    let prompt = Line { number: line.number, text: prompt.to_vec(), is_open: false };
    let rest = Line { number: line.number, text: rest.to_vec(), is_open: line.is_open };
    lines.splice(at..=at, [prompt, rest]);
    lines
}

/// Letters that differ, from which on a line is prose, unless its words are repeated or it has several numbers.
const MAX_LETTERS: usize = 6;

/// Whether a line is a sentence rather than a part of a board.
fn is_prose(line: &[u8]) -> bool {
    let text = plaintext::decode(line);
    let text = text.to_lowercase();
    let mut letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
    letters.sort_unstable();
    letters.dedup();
    if letters.len() < MAX_LETTERS {
        return false;
    }
    let is_digit = |c: char| c.is_ascii_digit();
    let numbers = text.split(|c| !is_digit(c)).filter(|digits| !digits.is_empty());
    let has_board = numbers.clone().count() > 1 || numbers.clone().any(|digits| digits.len() > 2);
    let mut words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let count = words.len();
    words.sort_unstable();
    words.dedup();
    !has_board && words.len() == count
}

/// The lines with an empty one where others were between them.
fn separated(lines: Vec<Line>) -> Vec<Line> {
    let mut all: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines {
        if let Some(last) = all.last()
            && last.number + 1 < line.number
        {
            all.push(Line { number: last.number + 1, ..Line::default() });
        }
        all.push(line);
    }
    all
}

/// The first fault of a board without one queen in each row.
fn fault(queens: &[[u32; 2]], n: usize) -> String {
    let mut rows = vec![0_u32; n];
    for &[row, column] in queens {
        if row == u32::MAX || column == u32::MAX {
            return "a row or column is not a number of the board".to_owned();
        }
        match rows.get_mut(row as usize).filter(|_| (column as usize) < n) {
            Some(count) => *count += 1,
            None => return format!("a queen outside the board, in row {row}, column {column}"),
        }
    }
    match rows.iter().position(|&count| count != 1) {
        Some(row) if rows[row] == 0 => format!("row {row} has no queen"),
        Some(row) => format!("row {row} has several queens"),
        None => "not a board".to_owned(),
    }
}
