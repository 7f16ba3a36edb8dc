//! Reads boards from text, one by one, in bounded memory.
//!
//! - The beginning of the text decides on the reading: the one in which it holds the most solutions, or else the most
//!   permutations, or else the most boards. Then the whole text is read so.
//! - Lines that this reading leaves over are offered to all readings (`leftover.rs`).
//! - Boards of another size are skipped and counted (`other_sizes.rs`). A piece of a board is a malformed board.
//! - All other lines are prose. A line of it that may be a board makes the text doubtful: such a text is not called correct.

use std::io::BufRead;
use std::ops::ControlFlow;

use super::candidate::{Candidate, is_permutation};
use super::leftover::Leftover;
use super::lines::{HEAD, Line, Lines};
use super::number_format::is_consecutive;
use super::other_sizes::OtherSizes;
use super::parsed::Parsed;
use super::prose::{Prose, nearest, split_prompt};
use super::query::{Hints, Query};
use super::reading::{Reading, best};
use super::{Notation, NotationError, ReadError, excerpt, one, table};
use queens_board::BoardSize;
use queens_board::problem::Problem;

/// The maximum number of bytes that are read without a board: enough for a trace of a whole search.
const MAX_TEXT: u64 = 64 << 20;

/// A text whose first bytes, up to this number, have no solution may begin with the trace of a search, so they do not decide on the
/// reading.
const MAX_HEAD: usize = 4 << 20;

/// The maximum number of lines that may be rows of one table.
const MAX_PENDING: usize = 256;

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
        query: Query { problem, hints },
        each,
        reading: None,
        candidates: Vec::new(),
        pending: Vec::new(),
        prose: Prose::default(),
        leftover: Leftover::default(),
        sizes: OtherSizes::default(),
        boards: 0,
        last_board: 0,
        is_enough: false,
    };
    let end = text.run();
    // Boards of one square need no reading.
    let notation = text.reading.as_ref().map_or(Notation::Matrix, Reading::notation);
    Ok(TextSummary {
        notation: (text.boards > 0).then_some(notation),
        doubtful: text.leftover.doubtful,
        skipped: text.sizes.counts,
        prose: text.prose.lines(),
        end,
    })
}

/// A text while it is read.
struct Text<'a, R> {
    lines: Lines<R>,
    query: Query<'a>,
    each: &'a mut dyn FnMut(Parsed) -> ControlFlow<()>,
    reading: Option<Reading>,
    /// The candidates of a line; empty between lines.
    candidates: Vec<Candidate>,
    /// Lines that may be rows of a table, with the candidates in each, and whether the reading explains the line.
    pending: Vec<(Line, Vec<Candidate>, bool)>,
    prose: Prose,
    leftover: Leftover,
    sizes: OtherSizes,
    /// The number of boards that were passed on, and of the bytes before the last one.
    boards: u64,
    last_board: u64,
    /// Whether no more boards are needed.
    is_enough: bool,
}

impl<R: BufRead> Text<'_, R> {
    fn run(&mut self) -> Result<(), ReadError> {
        if self.query.n() == 1 && !self.query.family().is_some_and(Notation::is_number) {
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
                self.sizes.skip(&first.collect::<Vec<Line>>(), self.query);
                nearest_line = nearest_line.or_else(|| nearest(&head, self.query.n()));
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
        let is_given = self.query.hints.notation.is_some();
        let (mut head, mut bytes) = (Vec::new(), 0);
        let mut line = Line::default();
        while bytes <= HEAD && self.lines.advance(&mut line)? {
            bytes += line.text.len() + 1;
            head.push(line.clone());
            if self.query.hints.first_only && !one::boards(&head, is_given).is_empty() {
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
            self.deliver(&mut vec![Candidate::Board { line, columns: vec![0] }], is_open);
        }
        self.ended(nearest(&head, 1))
    }

    /// Checks at the end of the text that it had a board. `nearest` is the line that resembles a board most, for the error.
    fn ended(&self, nearest: Option<(u64, String)>) -> Result<(), ReadError> {
        let n = self.query.n();
        if self.boards > 0 {
            return Ok(());
        }
        if let Some(&(side, boards, line)) = self.sizes.counts.first() {
            return Err(ReadError::OtherSize { side, boards, line, n });
        }
        match nearest {
            Some((line, text)) => Err(ReadError::NoBoard { line, text, n }),
            None => Ok(()),
        }
    }

    /// Reads the beginning of the text, until it decides on the reading. Returns its lines, and whether the text has ended.
    fn head(&mut self) -> Result<(Vec<Line>, bool), ReadError> {
        let n = self.query.n();
        let start = self.lines.bytes;
        let (mut head, mut next) = (Vec::new(), if self.query.hints.first_only { 0 } else { HEAD });
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
            let best_reading = best(&head, self.query, false).filter(|(score, reading)| {
                self.query.hints.notation.is_some() || reading.is_certain(*score, n)
            });
            let has_solution = best_reading.as_ref().is_some_and(|(score, _)| score.solutions > 0);
            if let Some((_, Reading::Numbers(reader))) = &best_reading
                && reader.format.is_ambiguous
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
            next =
                if self.query.hints.first_only { bytes + bytes.saturating_sub(4096) / 4 } else { 4 * bytes };
        }
    }

    /// Reads one line.
    fn take(&mut self, line: &Line) {
        let mut out = std::mem::take(&mut self.candidates);
        let is_explained = self.reading.as_mut().is_some_and(|reading| reading.take(line, &mut out))
            || line.text.trim_ascii().is_empty();
        let is_faulty = |candidate: &Candidate| match candidate {
            Candidate::Board { columns, .. } => !is_permutation(columns) || is_consecutive(columns),
            Candidate::OtherSize { .. } => false,
            _ => true,
        };
        // Rows of tables are like faulty boards that are written as numbers.
        let are_numbers = || matches!(self.reading, Some(Reading::Numbers(_)));
        let may_be_row =
            if out.is_empty() { !is_explained } else { are_numbers() && out.iter().all(is_faulty) };
        let is_searched =
            self.reading.is_some() && self.query.hints.notation.is_none() && !self.query.hints.first_only;
        if may_be_row
            && is_searched
            && self.pending.len() < MAX_PENDING
            && !self.leftover.is_repeated(line, self.query.n())
        {
            return self.pending.push((line.clone(), out, is_explained));
        }
        if !self.pending.is_empty() {
            self.settle_pending();
        }
        self.settle(line, &mut out, is_explained);
        self.candidates = out;
    }

    /// Settles the lines that may be rows of a table.
    fn settle_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let lines: Vec<&Line> = pending.iter().map(|(line, ..)| line).collect();
        let are_rows = table::rows(&lines, self.query.n());
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
        if !out.is_empty() {
            self.leftover.push_break();
        }
        self.deliver(out, line.is_open);
        if is_explained {
            return;
        }
        self.prose.push(line);
        let is_examined = self.reading.is_some() && self.query.hints.notation.is_none();
        if is_examined && !self.leftover.is_repeated(line, self.query.n()) && self.leftover.push(line) {
            self.examine_leftover();
        }
    }

    /// Ends the text. `is_open`: whether its last line has no line end.
    fn end(&mut self, is_open: bool) {
        self.settle_pending();
        let mut out = Vec::new();
        if let Some(reading) = &mut self.reading {
            reading.end(&mut out);
        }
        self.deliver(&mut out, is_open);
        if self.boards > 0 && !self.query.hints.first_only {
            self.examine_leftover();
        }
        self.leftover.end(self.reading.as_ref().is_some_and(Reading::is_drawn), self.boards);
    }

    /// Passes boards on. `is_open`: whether the text ends in the last one.
    fn deliver(&mut self, candidates: &mut Vec<Candidate>, is_open: bool) {
        let last = candidates.len().wrapping_sub(1);
        for (at, candidate) in candidates.drain(..).enumerate() {
            match &candidate {
                Candidate::OtherSize { line, side } => self.sizes.count(*side, *line),
                Candidate::Doubtful { line } => {
                    self.leftover.doubt(*line, "a list of several lines".to_owned());
                }
                Candidate::Board { columns, .. } => self.leftover.remember(columns),
                Candidate::Malformed { .. } | Candidate::Part { .. } => {}
            }
            let Some(parsed) = Parsed::of(candidate, self.query.n()) else { continue };
            self.boards += 1;
            self.last_board = self.lines.bytes;
            let parsed = Parsed { open: is_open && at == last, ..parsed };
            self.is_enough = self.is_enough || (self.each)(parsed).is_break();
        }
    }

    /// Passes on the illegal boards in the lines that the reading left over.
    fn examine_leftover(&mut self) {
        let Some(reading) = &self.reading else { return };
        for parsed in self.leftover.examine(self.query, reading, &mut self.sizes) {
            self.is_enough = self.is_enough || (self.each)(parsed).is_break();
        }
    }
}
