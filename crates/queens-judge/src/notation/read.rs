//! Reads boards from text, one by one, in bounded memory.
//!
//! - The beginning of the text decides on the reading: the one in which it holds the most solutions, or else the most
//!   permutations, or else the most boards. Then the whole text is read so.
//! - Lines that this reading leaves over are offered to all readings. Boards in them may be drawn a second time, so they count
//!   only if they are not solutions.
//! - Boards of another size are skipped and counted. A piece of a board is a malformed board.
//! - What remains is prose. A line of it that may be a board is kept: such a text is not called correct.

use std::collections::HashSet;
use std::io::BufRead;
use std::ops::ControlFlow;

use super::candidate::{Candidate, is_permutation, keep_best};
use super::lines::{HEAD, Line, Lines};
use super::prose::{Prose, nearest, sentence, separated, split_prompt};
use super::reading::{Hints, NUMBERS, Reading, best};
use super::shape::is_counting;
use super::{Notation, NotationError, ReadError, alone, excerpt, one, table};
use queens_board::number::counted;
use queens_board::problem::Problem;
use queens_board::{BoardSize, Placement, Square};

/// The maximum length of a text without a board that is read: enough for a trace of a whole search.
const MAX_TEXT: u64 = 64 << 20;

/// Up to here, text without a solution may be a trace of the search, and does not decide on the reading.
const MAX_HEAD: usize = 4 << 20;

/// The lines that are left over are offered to the other readings whenever they are so many bytes.
const MAX_REST: usize = 32 << 10;

/// The maximum number of lines that may be rows of one table.
const MAX_PENDING: usize = 256;

/// The maximum number of notations besides the first one that are looked for in the lines that are left over at a time.
const MAX_NOTATIONS: usize = 4;

/// The maximum number of sentences that are known not to be boards, and of boards with two queens in a column.
const MAX_SENTENCES: usize = 4096;

/// How often boards of other sizes are looked for in vain, until only those sizes are skipped that were found before.
const MAX_FAILED_SEARCHES: u32 = 3;

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
    },
}

/// What a text has besides its boards.
#[derive(Debug)]
pub struct TextSummary {
    /// The notation of the boards, if there are any.
    pub notation: Option<Notation>,
    /// The first line that may be a board and is not read as one: its number, from 1, and its beginning.
    pub doubtful: Option<(u64, String)>,
    /// Boards of another size, which are skipped: their side, how many there are, and the line of the first.
    pub skipped: Vec<(usize, u64, u64)>,
    /// The lines that are not boards, at the beginning and at the end of the text, with their numbers.
    pub prose: Vec<(u64, String)>,
    /// Why reading stopped before the end of the text.
    pub end: Result<(), ReadError>,
}

/// Reads the boards of a problem, and passes each to `each`, until that breaks.
///
/// # Errors
///
/// The text has no boards, the notation does not support their size, or it can only be written (`svg`).
pub fn read(
    input: impl BufRead,
    problem: &Problem,
    hints: Hints,
    each: &mut dyn FnMut(Parsed) -> ControlFlow<()>,
) -> Result<TextSummary, NotationError> {
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
        candidates: Vec::new(),
        pending: Vec::new(),
        rest: Vec::new(),
        rest_bytes: 0,
        sentences: HashSet::new(),
        prose: Prose::default(),
        skipped: Vec::new(),
        sizes: Vec::new(),
        failed_searches: 0,
        doubtful: None,
        countings: 0,
        first_counting: None,
        boards: 0,
        last_board: 0,
        shared_columns: HashSet::new(),
        is_enough: false,
    };
    let end = text.run();
    let notation = text.reading.as_ref().map(Reading::notation).or(text.notation);
    Ok(TextSummary {
        notation: notation.filter(|_| text.boards > 0),
        doubtful: text.doubtful,
        skipped: text.skipped,
        prose: text.prose.lines(),
        end,
    })
}

struct Text<'a, R> {
    lines: Lines<R>,
    problem: &'a Problem,
    hints: Hints,
    each: &'a mut dyn FnMut(Parsed) -> ControlFlow<()>,
    reading: Option<Reading>,
    /// The notation, if it needs no reading.
    notation: Option<Notation>,
    /// The candidates of a line; empty between lines.
    candidates: Vec<Candidate>,
    /// Lines that may be rows of a table: what the reading found in each, and whether it explains the line.
    pending: Vec<(Line, Vec<Candidate>, bool)>,
    /// Lines that the reading left over, and their bytes.
    rest: Vec<Line>,
    rest_bytes: usize,
    /// Sentences that no reading found a board in, as hashes. A trace has millions of them.
    sentences: HashSet<u64>,
    prose: Prose,
    skipped: Vec<(usize, u64, u64)>,
    /// The other sizes of boards in the text, and how they are written.
    sizes: Vec<(usize, Reading)>,
    failed_searches: u32,
    doubtful: Option<(u64, String)>,
    /// How often lines count from 1 to n, or from 0: they may number the columns of boards.
    countings: u64,
    first_counting: Option<(u64, String)>,
    /// Boards that were passed on, and the bytes before the last one.
    boards: u64,
    last_board: u64,
    /// Boards with two queens in a column: a second notation may repeat them.
    shared_columns: HashSet<Vec<u32>>,
    /// Whether no more boards are wanted.
    is_enough: bool,
}

impl<R: BufRead> Text<'_, R> {
    fn run(&mut self) -> Result<(), ReadError> {
        let is_number = self.hints.notation.is_some_and(|notation| NUMBERS.contains(&notation.family()));
        if self.problem.n().get() == 1 && !is_number {
            return self.run_one();
        }
        let mut nearest_line = None;
        let (mut at_end, mut is_open) = (false, true);
        while self.reading.is_none() && !at_end && !self.is_enough {
            let head;
            (head, at_end) = self.head()?;
            if self.reading.is_none() {
                let first = head.iter().scan(0, |bytes, line| {
                    *bytes += line.text.len() + 1;
                    (*bytes <= HEAD).then(|| line.clone())
                });
                self.skip_other_sizes(&first.collect::<Vec<Line>>());
                nearest_line = nearest_line.or_else(|| nearest(&head, self.problem.n().get()));
            }
            is_open = head.last().is_none_or(|line| line.is_open);
            for line in &head {
                if !self.is_enough {
                    self.take(line);
                }
            }
            if self.reading.is_none() && self.lines.bytes > MAX_TEXT {
                return Err(ReadError::Endless(MAX_TEXT));
            }
        }
        let mut line = Line::default();
        while !at_end && !self.is_enough && self.lines.advance(&mut line)? {
            is_open = line.is_open;
            self.take(&line);
            if self.lines.bytes - self.last_board > MAX_TEXT {
                return Err(ReadError::Endless(MAX_TEXT));
            }
        }
        self.end(is_open);
        self.ended(nearest_line)
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
        let head = split_prompt(head, 1);
        let boards = one::boards(&head, is_given);
        for line in &head {
            if !boards.contains(&line.number) {
                self.prose.push(line);
            }
        }
        for &line in &boards {
            let is_open = head.last().is_some_and(|last| last.number == line && last.is_open);
            self.notation = Some(Notation::Matrix);
            self.deliver(&mut vec![Candidate::Board { line, columns: vec![0] }], is_open);
        }
        self.ended(nearest(&head, 1))
    }

    fn ended(&self, nearest: Option<(u64, String)>) -> Result<(), ReadError> {
        let n = self.problem.n().get();
        if self.boards > 0 {
            return Ok(());
        }
        if let Some(&(side, boards, line)) = self.skipped.first() {
            return Err(ReadError::OtherSize { side, boards, line, n });
        }
        match nearest {
            Some((line, text)) => Err(ReadError::NoBoard { line, text, n }),
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
            head = split_prompt(head, n);
            let best_reading = best(&head, self.problem, self.hints, false)
                .filter(|(score, reading)| self.hints.notation.is_some() || reading.is_certain(*score, n));
            let has_solution = best_reading.as_ref().is_some_and(|(score, _)| score.solutions > 0);
            if let Some((_, Reading::Numbers(reader))) = &best_reading
                && reader.shape.is_ambiguous
                && at_end
            {
                let text = head.iter().find(|line| !line.text.trim_ascii().is_empty());
                let (line, text) = text.map_or((1, String::new()), |line| (line.number, excerpt(&line.text)));
                return Err(ReadError::Ambiguous { line, text });
            }
            if has_solution || at_end || bytes > MAX_HEAD + 64 * n.pow(2) {
                self.reading = best_reading.map(|(_, reading)| reading);
                return Ok((head, at_end));
            }
            // A short text is examined at each line, a long one each time when it has grown by a part.
            next = if self.hints.first_only { bytes + bytes.saturating_sub(4096) / 4 } else { 4 * bytes };
        }
    }

    /// Skips and counts the boards of another size in some lines. Returns the lines that are left over.
    fn skip_other_sizes(&mut self, lines: &[Line]) -> Vec<Line> {
        if self.hints.notation.is_some() {
            return lines.to_vec();
        }
        let mut rest = lines.to_vec();
        let mut sizes = std::mem::take(&mut self.sizes);
        for (side, reading) in &mut sizes {
            rest = self.skip_boards(*side, reading, &rest);
        }
        while self.failed_searches < MAX_FAILED_SEARCHES && !rest.is_empty() {
            let before = rest.len();
            if let Some((side, mut reading)) = self.other_size(&rest) {
                rest = self.skip_boards(side, &mut reading, &rest);
                sizes.push((side, reading));
            }
            if rest.len() == before {
                self.failed_searches += 1;
                break;
            }
        }
        self.sizes = sizes;
        rest
    }

    /// Skips and counts the boards of one other size. Returns the lines that are left over.
    fn skip_boards(&mut self, side: usize, reading: &mut Reading, lines: &[Line]) -> Vec<Line> {
        let (candidates, rest) = reading.read(lines);
        for candidate in candidates {
            if let Candidate::Board { line, .. } = candidate {
                self.skip(side, line);
            }
        }
        rest
    }

    /// The size other than n in which the most solutions are found in some lines, and their reading.
    fn other_size(&self, lines: &[Line]) -> Option<(usize, Reading)> {
        let n = self.problem.n().get();
        let mut most = None;
        for side in (4..=MAX_OTHER_SIZE).filter(|&side| side != n) {
            let Ok(size) = BoardSize::new(side) else { continue };
            let best_reading = best(lines, &Problem::queens(size), self.hints, true);
            if let Some((score, reading)) = best_reading.filter(|(score, _)| score.solutions > 0) {
                keep_best(&mut most, score, || (side, reading));
            }
        }
        most.map(|(_, most)| most)
    }

    fn skip(&mut self, side: usize, line: u64) {
        match self.skipped.iter_mut().find(|(other, ..)| *other == side) {
            Some((_, count, _)) => *count += 1,
            None => self.skipped.push((side, 1, line)),
        }
    }

    fn is_drawn(&self) -> bool {
        matches!(self.reading, Some(Reading::Places(..) | Reading::Rows(..)))
    }

    /// Reads one line.
    fn take(&mut self, line: &Line) {
        let mut out = std::mem::take(&mut self.candidates);
        let is_explained = self.reading.as_mut().is_some_and(|reading| reading.take(line, &mut out))
            || line.text.trim_ascii().is_empty();
        let is_faulty = |candidate: &Candidate| match candidate {
            Candidate::Board { columns, .. } => !is_permutation(columns) || is_counting(columns),
            Candidate::OtherSize { .. } => false,
            _ => true,
        };
        // Rows of tables are like faulty boards that are written as numbers.
        let are_numbers = || matches!(self.reading, Some(Reading::Numbers(_)));
        let may_be_row =
            if out.is_empty() { !is_explained } else { are_numbers() && out.iter().all(is_faulty) };
        let is_searched = self.reading.is_some() && self.hints.notation.is_none() && !self.hints.first_only;
        if may_be_row && is_searched && self.pending.len() < MAX_PENDING && !self.is_repeated(line) {
            return self.pending.push((line.clone(), out, is_explained));
        }
        if !self.pending.is_empty() {
            self.settle_pending();
        }
        self.settle(line, &mut out, is_explained);
        self.candidates = out;
    }

    /// Whether a line is a sentence in which no reading found a board.
    fn is_repeated(&self, line: &Line) -> bool {
        let sentence = sentence(&line.text, self.problem.n().get());
        sentence.is_some_and(|sentence| self.sentences.contains(&sentence))
    }

    /// Settles the lines that may be rows of a table.
    fn settle_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let lines: Vec<&Line> = pending.iter().map(|(line, ..)| line).collect();
        let are_rows = table::rows(&lines, self.problem.n().get());
        for ((line, mut out, is_explained), is_row) in pending.into_iter().zip(are_rows) {
            if is_row {
                self.prose.push(&line);
            } else {
                self.settle(&line, &mut out, is_explained);
            }
        }
    }

    /// Passes on what was found in a line, or adds it to those that are left over.
    fn settle(&mut self, line: &Line, out: &mut Vec<Candidate>, is_explained: bool) {
        if !out.is_empty() && self.rest.last().is_some_and(|last| !last.is_break()) {
            self.rest.push(Line::BREAK);
        }
        self.deliver(out, line.is_open);
        if is_explained {
            return;
        }
        self.prose.push(line);
        if self.reading.is_none() || self.hints.notation.is_some() || self.is_repeated(line) {
            return;
        }
        self.rest_bytes += line.text.len();
        self.rest.push(line.clone());
        if self.rest_bytes > MAX_REST {
            self.offer_rest();
        }
    }

    fn end(&mut self, is_open: bool) {
        self.settle_pending();
        let mut out = Vec::new();
        if let Some(reading) = &mut self.reading {
            reading.end(&mut out);
        }
        self.deliver(&mut out, is_open);
        if self.boards > 0 && !self.hints.first_only {
            self.offer_rest();
        }
        // Numbers of columns stand at each board, above it or also below.
        if !self.is_drawn() || !self.countings.is_multiple_of(self.boards) {
            self.doubtful = self.doubtful.take().or(self.first_counting.take());
        }
    }

    /// Passes boards on. `is_open`: whether the text ends in the last one.
    fn deliver(&mut self, candidates: &mut Vec<Candidate>, is_open: bool) {
        let n = self.problem.n().get();
        let last = candidates.len().wrapping_sub(1);
        for (at, candidate) in candidates.drain(..).enumerate() {
            let parsed = match candidate {
                Candidate::OtherSize { line, side } => {
                    self.skip(side, line);
                    continue;
                }
                Candidate::Doubtful { line } => {
                    self.doubtful.get_or_insert((line, "a list of several lines".to_owned()));
                    continue;
                }
                Candidate::Board { line, columns } => {
                    if !is_permutation(&columns) && self.shared_columns.len() < MAX_SENTENCES {
                        self.shared_columns.insert(columns.clone());
                    }
                    placement(line, columns, n)
                }
                Candidate::Malformed { line, queens } => malformed(line, &queens, fault(&queens, n)),
                Candidate::Part { line, queens, count, unit } => {
                    malformed(line, &queens, format!("{} instead of {n}", counted(count as u64, unit)))
                }
            };
            self.boards += 1;
            self.last_board = self.lines.bytes;
            let parsed = Parsed { open: is_open && at == last, ..parsed };
            self.is_enough = self.is_enough || (self.each)(parsed).is_break();
        }
    }

    /// Takes out the lines that count from 0 or 1 to n, and remembers how many they are.
    fn without_countings(&mut self, mut lines: Vec<Line>) -> Vec<Line> {
        let (n, is_drawn) = (self.problem.n().get(), self.is_drawn());
        // Where boards stand beside each other, the columns of each may have numbers.
        let width = match &self.reading {
            Some(Reading::Places(reader)) => reader.layout.width(),
            _ => usize::MAX,
        };
        lines.retain(|line| {
            let countings = alone::countings(&line.text, n, is_drawn);
            if countings > width {
                self.doubtful.get_or_insert((line.number, excerpt(&line.text)));
            }
            if countings > 0 {
                self.countings += countings as u64;
                self.first_counting.get_or_insert((line.number, excerpt(&line.text)));
            }
            countings == 0
        });
        lines
    }

    /// Offers the lines that are left over to the other readings.
    fn offer_rest(&mut self) {
        let n = self.problem.n().get();
        let rest = std::mem::take(&mut self.rest);
        let rest = separated(self.without_countings(rest));
        self.rest_bytes = 0;
        // Such a text is unreadable, whatever follows.
        if self.doubtful.is_some() {
            return;
        }
        let mut rest = separated(self.skip_other_sizes(&rest));
        // Each round reads the boards of one notation.
        for _ in 0..MAX_NOTATIONS {
            let best_reading = best(&rest, self.problem, self.hints, false)
                .filter(|(score, _)| score.permutations > 0 || n > 3 && score.boards > 0);
            let Some((_, mut reading)) = best_reading else { break };
            let (candidates, unread) = reading.read(&rest);
            for candidate in candidates {
                self.take_other_board(candidate, &reading, &rest);
            }
            if unread.len() == rest.len() {
                break;
            }
            rest = separated(unread);
        }
        for line in &rest {
            if self.doubtful.is_none() && alone::resembles(&line.text, n) {
                self.doubtful = Some((line.number, excerpt(&line.text)));
            }
            if let Some(sentence) = sentence(&line.text, n)
                && self.sentences.len() < MAX_SENTENCES
            {
                self.sentences.insert(sentence);
            }
        }
    }

    /// A board in a second notation is taken for a copy of an earlier one, unless it is not a solution.
    fn take_other_board(&mut self, candidate: Candidate, reading: &Reading, lines: &[Line]) {
        let line = match candidate {
            Candidate::OtherSize { .. } => return,
            Candidate::Board { columns, .. }
                if self.problem.is_solution(&columns) || self.shared_columns.contains(&columns) =>
            {
                return;
            }
            Candidate::Board { line, columns } => {
                if reading.is_certain_board(&columns) {
                    let parsed = placement(line, columns, self.problem.n().get());
                    self.is_enough = self.is_enough || (self.each)(parsed).is_break();
                    return;
                }
                line
            }
            Candidate::Malformed { line, .. }
            | Candidate::Part { line, .. }
            | Candidate::Doubtful { line } => line,
        };
        let text = lines.iter().find(|other| other.number == line).map(|line| excerpt(&line.text));
        self.doubtful.get_or_insert((line, text.unwrap_or_default()));
    }
}

/// A board with one queen per row in the terms of the judge.
fn placement(line: u64, columns: Vec<u32>, n: usize) -> Parsed {
    if columns.iter().all(|&column| (column as usize) < n) {
        return Parsed { line, board: ParsedBoard::Placement(Placement::new(&columns)), open: false };
    }
    let queens: Vec<[u32; 2]> = (0..).zip(columns).map(|(row, column)| [row, column]).collect();
    malformed(line, &queens, fault(&queens, n))
}

fn malformed(line: u64, queens: &[[u32; 2]], fault: String) -> Parsed {
    let square = |&[row, column]: &[u32; 2]| Square { row: row as usize, column: column as usize };
    let queens = queens.iter().map(square).collect();
    Parsed { line, board: ParsedBoard::Malformed { queens, fault }, open: false }
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
