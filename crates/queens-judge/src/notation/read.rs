//! Reads boards from text, one by one, in bounded memory.
//!
//! - The reading of the whole text is chosen by the beginning of the text. It is the reading that finds the most solutions there;
//!   of several such readings, the one with the most permutations, and then the one with the most boards.
//! - All readings are tried on the lines in which the chosen reading has no board (`leftover.rs`).
//! - Boards of another size are skipped and counted (`other_sizes.rs`). An incomplete board is a malformed board.
//! - All other lines are prose. A line of prose that may be a board makes the text doubtful. A doubtful text never counts as all
//!   solutions.

use std::io::BufRead;
use std::ops::ControlFlow;

use super::candidate::{Candidate, is_permutation};
use super::leftover::Leftover;
use super::lines::{HEAD_BYTES, Line, Lines};
use super::number_format::is_consecutive;
use super::other_sizes::OtherSizes;
use super::parsed::Parsed;
use super::prose::{Prose, closest_line, split_prompt};
use super::query::{Hints, Query};
use super::reading::{Reading, best};
use super::{Notation, NotationError, ReadError, excerpt, one, table};
use crate::SkippedSize;
use queens_board::BoardSize;
use queens_board::problem::Problem;

/// The maximum number of bytes that are read without a board: enough for the trace of a whole search.
const MAX_TEXT: u64 = 64 << 20;

/// The maximum number of bytes that are read before the reading is chosen, in addition to 64 bytes per square. The reading is
/// chosen earlier if there is a solution. A text may begin with a long trace of a search, which has no solution.
const MAX_HEAD: usize = 4 << 20;

/// The maximum number of lines that wait because they may be rows of a table.
const MAX_PENDING: usize = 256;

/// The properties of a text, without its boards.
#[derive(Debug)]
pub struct TextSummary {
    /// The notation of the boards, if there are any.
    pub notation: Option<Notation>,
    /// The first line that may be a board but was not read as a board: its number, from 1, and its beginning.
    pub doubtful_line: Option<(u64, String)>,
    /// The boards of other sizes, which were skipped.
    pub skipped_sizes: Vec<SkippedSize>,
    /// Lines that are not boards, from the beginning and from the end of the text, with their numbers.
    pub prose: Vec<(u64, String)>,
    /// An error if the text was not read to its end, or has lines but no board.
    pub end: Result<(), ReadError>,
}

/// Reads the boards of a problem. Passes each board to `on_board` until `on_board` breaks.
///
/// # Errors
///
/// The size is not between 1 and 1024, the notation does not support it, or the notation can only be written (`svg`). An error in
/// the text is in [`TextSummary::end`].
pub fn read(
    input: impl BufRead,
    problem: &Problem,
    hints: Hints,
    on_board: &mut dyn FnMut(Parsed) -> ControlFlow<()>,
) -> Result<TextSummary, NotationError> {
    let n = problem.n().get();
    if n == 0 || n > BoardSize::MAX {
        let max_size = BoardSize::MAX;
        return Err(NotationError(format!("boards are read from n = 1 to n = {max_size}, not for n = {n}")));
    }
    if let Some(notation) = hints.notation {
        notation.check_size(n)?;
        if !notation.is_readable() {
            let reason = format!("notation {notation} can be written but not read: choose another notation");
            return Err(NotationError(reason));
        }
    }
    // A model may be one line. Its literals, each with a sign and a blank, take at most 16 bytes per square.
    let limit = HEAD_BYTES + 16 * n.pow(2);
    let mut text = Text {
        lines: Lines::new(input, limit),
        query: Query { problem, hints },
        on_board,
        reading: None,
        candidates: Vec::new(),
        pending: Vec::new(),
        prose: Prose::default(),
        leftover: Leftover::default(),
        other_sizes: OtherSizes::default(),
        board_count: 0,
        bytes_at_last_board: 0,
        is_enough: false,
    };
    let end = text.run();
    // Boards of one square are read without a reading.
    let notation = text.reading.as_ref().map_or(Notation::Matrix, Reading::notation);
    Ok(TextSummary {
        notation: (text.board_count > 0).then_some(notation),
        doubtful_line: text.leftover.doubtful_line,
        skipped_sizes: text.other_sizes.sizes,
        prose: text.prose.lines(),
        end,
    })
}

/// A text that is being read.
struct Text<'a, R> {
    lines: Lines<R>,
    query: Query<'a>,
    on_board: &'a mut dyn FnMut(Parsed) -> ControlFlow<()>,
    reading: Option<Reading>,
    /// A buffer for the candidates of a line; empty between lines.
    candidates: Vec<Candidate>,
    /// Lines that may be rows of a table, with the candidates in each line, and whether the line belongs to a board.
    pending: Vec<(Line, Vec<Candidate>, bool)>,
    prose: Prose,
    leftover: Leftover,
    other_sizes: OtherSizes,
    /// The number of boards that the chosen reading has passed on.
    board_count: u64,
    /// The number of bytes that had been read when the last board was passed on.
    bytes_at_last_board: u64,
    /// Whether no more boards are needed.
    is_enough: bool,
}

impl<R: BufRead> Text<'_, R> {
    fn run(&mut self) -> Result<(), ReadError> {
        if self.query.n() == 1 && !self.query.family().is_some_and(Notation::has_numbers) {
            return self.read_one_square();
        }
        let mut most_similar_line = None;
        let (mut at_end, mut is_open) = (false, true);
        while self.reading.is_none() && !at_end && !self.is_enough {
            let head;
            (head, at_end) = self.choose_reading()?;
            if self.reading.is_none() {
                let first_lines = head.iter().scan(0, |bytes, line| {
                    *bytes += line.text.len() + 1;
                    (*bytes <= HEAD_BYTES).then(|| line.clone())
                });
                self.other_sizes.skip(&first_lines.collect::<Vec<Line>>(), self.query);
                most_similar_line = most_similar_line.or_else(|| closest_line(&head, self.query.n()));
            }
            is_open = head.last().is_none_or(|line| line.is_open);
            for line in &head {
                if !self.is_enough {
                    self.read_line(line);
                }
            }
            if self.reading.is_none() && self.lines.bytes > MAX_TEXT {
                return Err(ReadError::Endless(MAX_TEXT));
            }
        }
        let mut line = Line::default();
        while !at_end && !self.is_enough && self.lines.advance(&mut line)? {
            is_open = line.is_open;
            self.read_line(&line);
            if self.lines.bytes - self.bytes_at_last_board > MAX_TEXT {
                return Err(ReadError::Endless(MAX_TEXT));
            }
        }
        self.end(is_open);
        self.check_has_board(most_similar_line)
    }

    /// Reads boards of one square from the beginning of the text.
    fn read_one_square(&mut self) -> Result<(), ReadError> {
        let is_given = self.query.hints.notation.is_some();
        let (mut head, mut bytes) = (Vec::new(), 0);
        let mut line = Line::default();
        while bytes <= HEAD_BYTES && self.lines.advance(&mut line)? {
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
            self.pass_on(&mut vec![Candidate::Board { line, columns: vec![0] }], is_open);
        }
        self.check_has_board(closest_line(&head, 1))
    }

    /// Returns an error if the text has lines but no board. `closest_line`: the line that the error quotes.
    fn check_has_board(&self, closest_line: Option<(u64, String)>) -> Result<(), ReadError> {
        let n = self.query.n();
        if self.board_count > 0 {
            return Ok(());
        }
        if let Some(&SkippedSize { side, board_count, first_line }) = self.other_sizes.sizes.first() {
            return Err(ReadError::OtherSize { side, boards: board_count, line: first_line, n });
        }
        match closest_line {
            Some((line, text)) => Err(ReadError::NoBoard { line, text, n }),
            None => Ok(()),
        }
    }

    /// Reads the beginning of the text until the reading can be chosen. Returns the lines, and whether the text has ended.
    fn choose_reading(&mut self) -> Result<(Vec<Line>, bool), ReadError> {
        let n = self.query.n();
        let start = self.lines.bytes;
        let (mut head, mut next) = (Vec::new(), if self.query.hints.first_only { 0 } else { HEAD_BYTES });
        loop {
            let mut line = Line::default();
            let at_end = !self.lines.advance(&mut line)?;
            if !at_end {
                if line.text.trim_ascii().is_empty() {
                    line.text.clear();
                }
                // Of several empty lines, only two are stored.
                let is_blank = |line: &&Line| line.text.is_empty();
                if !(line.text.is_empty() && head.iter().rev().take(2).filter(is_blank).count() == 2) {
                    head.push(line);
                }
            }
            let bytes = usize::try_from(self.lines.bytes - start).unwrap_or(usize::MAX);
            if !at_end && bytes <= next {
                continue;
            }
            // The input of the user is not a part of the output, so the text that follows a prompt stands on the line of the
            // prompt.
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
            // The text is examined again when it is four times as long. If only the first board is needed, a short text is
            // examined after each line, and a longer text when it has grown by up to a quarter.
            next =
                if self.query.hints.first_only { bytes + bytes.saturating_sub(4096) / 4 } else { 4 * bytes };
        }
    }

    /// Reads one line with the chosen reading.
    fn read_line(&mut self, line: &Line) {
        let mut out = std::mem::take(&mut self.candidates);
        let is_explained = self.reading.as_mut().is_some_and(|reading| reading.read_line(line, &mut out))
            || line.text.trim_ascii().is_empty();
        let is_faulty = |candidate: &Candidate| match candidate {
            Candidate::Board { columns, .. } => !is_permutation(columns) || is_consecutive(columns),
            Candidate::OtherSize { .. } => false,
            _ => true,
        };
        // A row of a table looks like a faulty board that is written as numbers.
        let are_numbers = || matches!(self.reading, Some(Reading::Numbers(_)));
        let may_be_row =
            if out.is_empty() { !is_explained } else { are_numbers() && out.iter().all(is_faulty) };
        let searches_tables =
            self.reading.is_some() && self.query.hints.notation.is_none() && !self.query.hints.first_only;
        if may_be_row
            && searches_tables
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

    /// Decides which of the waiting lines are rows of a table. These lines are prose; the others are settled.
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

    /// Passes on the boards of a line. A line that does not belong to a board is added to the prose and to the leftover lines.
    fn settle(&mut self, line: &Line, out: &mut Vec<Candidate>, is_explained: bool) {
        if !out.is_empty() {
            self.leftover.push_break();
        }
        self.pass_on(out, line.is_open);
        if is_explained {
            return;
        }
        self.prose.push(line);
        let is_examined = self.reading.is_some() && self.query.hints.notation.is_none();
        if is_examined && !self.leftover.is_repeated(line, self.query.n()) && self.leftover.push(line) {
            self.examine_leftover();
        }
    }

    /// Ends the text. `is_open`: whether its last line has no line feed.
    fn end(&mut self, is_open: bool) {
        self.settle_pending();
        let mut out = Vec::new();
        if let Some(reading) = &mut self.reading {
            reading.end(&mut out);
        }
        self.pass_on(&mut out, is_open);
        if self.board_count > 0 && !self.query.hints.first_only {
            self.examine_leftover();
        }
        self.leftover.end(self.reading.as_ref().is_some_and(Reading::is_drawn), self.board_count);
    }

    /// Passes on the boards among candidates. `is_open`: whether the text ends within the last candidate.
    fn pass_on(&mut self, candidates: &mut Vec<Candidate>, is_open: bool) {
        let last = candidates.len().wrapping_sub(1);
        for (at, candidate) in candidates.drain(..).enumerate() {
            match &candidate {
                Candidate::OtherSize { line, side } => self.other_sizes.count(*side, *line),
                Candidate::Doubtful { line } => {
                    self.leftover.add_doubt(*line, "a list of several lines".to_owned());
                }
                Candidate::Board { columns, .. } => self.leftover.store_if_column_is_shared(columns),
                Candidate::Malformed { .. } | Candidate::WrongLength { .. } => {}
            }
            let Some(parsed) = Parsed::from_candidate(candidate, self.query.n()) else { continue };
            self.board_count += 1;
            self.bytes_at_last_board = self.lines.bytes;
            let parsed = Parsed { is_open: is_open && at == last, ..parsed };
            self.is_enough = self.is_enough || (self.on_board)(parsed).is_break();
        }
    }

    /// Passes on the illegal boards in the leftover lines.
    fn examine_leftover(&mut self) {
        let Some(reading) = &self.reading else { return };
        for parsed in self.leftover.examine(self.query, reading, &mut self.other_sizes) {
            self.is_enough = self.is_enough || (self.on_board)(parsed).is_break();
        }
    }
}
