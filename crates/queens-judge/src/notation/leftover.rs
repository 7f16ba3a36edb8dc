//! Examines the lines in which the chosen reading has no board. All readings are tried on these lines. A board that is not a
//! solution is an illegal board, and a line that may or may not be a board makes the text doubtful.

use std::collections::HashSet;

use super::candidate::{Candidate, is_permutation};
use super::lines::Line;
use super::other_sizes::OtherSizes;
use super::parsed::Parsed;
use super::prose::{sentence_hash, with_gaps};
use super::query::Query;
use super::reading::{Reading, best};
use super::{excerpt, single_line};

/// The lines are examined when they have more than this number of bytes.
const MAX_BYTES: usize = 32 << 10;

/// The maximum number of notations that are tried in one examination.
const MAX_NOTATIONS: usize = 4;

/// The maximum number of sentences and of boards that are stored.
const MAX_STORED: usize = 4096;

/// The lines in which the chosen reading has no board, and what they contain.
#[derive(Debug, Default)]
pub(super) struct Leftover {
    lines: Vec<Line>,
    bytes: usize,
    /// The hashes of sentences in which no reading found a board. A trace of a search repeats such sentences millions of times.
    sentences: HashSet<u64>,
    /// The first line that may be a board but was not read as a board: its number, from 1, and its beginning.
    pub doubtful_line: Option<(u64, String)>,
    /// The number of label sequences in all lines. A label sequence consists of consecutive numbers from 0 or 1, which may label
    /// the columns of a board.
    label_sequences: u64,
    /// The first line with a label sequence: its number and its beginning.
    first_label_line: Option<(u64, String)>,
    /// Boards with two queens in a column. They may be repeated in a second notation.
    boards_with_shared_column: HashSet<Vec<u32>>,
}

impl Leftover {
    /// Adds a line. Returns whether the lines should be examined.
    pub fn push(&mut self, line: &Line) -> bool {
        self.bytes += line.text.len();
        self.lines.push(line.clone());
        self.bytes > MAX_BYTES
    }

    /// Adds a break, because a board separates the lines before and behind it.
    pub fn push_break(&mut self) {
        if self.lines.last().is_some_and(|last| !last.is_break()) {
            self.lines.push(Line::BREAK);
        }
    }

    /// Makes the text doubtful because of a line.
    pub fn add_doubt(&mut self, line: u64, text: String) {
        self.doubtful_line.get_or_insert((line, text));
    }

    /// Stores a board if it has two queens in a column.
    pub fn store_if_column_is_shared(&mut self, columns: &[u32]) {
        if !is_permutation(columns) && self.boards_with_shared_column.len() < MAX_STORED {
            self.boards_with_shared_column.insert(columns.to_vec());
        }
    }

    /// Whether a line is a sentence in which no reading found a board before.
    pub fn is_repeated(&self, line: &Line, n: usize) -> bool {
        sentence_hash(&line.text, n).is_some_and(|hash| self.sentences.contains(&hash))
    }

    /// Examines the lines that were added since the last examination. Returns the illegal boards in them. `reading`: the chosen
    /// reading of the text.
    pub fn examine(&mut self, query: Query<'_>, reading: &Reading, sizes: &mut OtherSizes) -> Vec<Parsed> {
        let mut illegal = Vec::new();
        self.bytes = 0;
        let lines = std::mem::take(&mut self.lines);
        let lines = with_gaps(self.without_label_sequences(lines, query.n(), reading));
        // A doubtful text is unreadable, whatever follows.
        if self.doubtful_line.is_some() {
            return illegal;
        }
        let mut lines = with_gaps(sizes.skip(&lines, query));
        // Each round reads the boards of one notation.
        for _ in 0..MAX_NOTATIONS {
            let best_reading = best(&lines, query, false)
                .filter(|(score, _)| score.permutations > 0 || query.n() > 3 && score.boards > 0);
            let Some((_, mut reading)) = best_reading else { break };
            let (candidates, unread) = reading.read(&lines);
            for candidate in candidates {
                illegal.extend(self.illegal_board(candidate, query, &reading, &lines));
            }
            if unread.len() == lines.len() {
                break;
            }
            lines = with_gaps(unread);
        }
        for line in &lines {
            if single_line::may_be_board(&line.text, query.n()) {
                self.add_doubt(line.number, excerpt(&line.text));
            }
            if let Some(hash) = sentence_hash(&line.text, query.n())
                && self.sentences.len() < MAX_STORED
            {
                self.sentences.insert(hash);
            }
        }
        illegal
    }

    /// Removes the lines that consist of label sequences, and counts the sequences.
    fn without_label_sequences(&mut self, mut lines: Vec<Line>, n: usize, reading: &Reading) -> Vec<Line> {
        lines.retain(|line| {
            let label_sequences = single_line::label_sequences(&line.text, n, reading.is_drawn());
            if label_sequences > reading.max_boards_side_by_side() {
                self.add_doubt(line.number, excerpt(&line.text));
            }
            if label_sequences > 0 {
                self.label_sequences += label_sequences as u64;
                self.first_label_line.get_or_insert((line.number, excerpt(&line.text)));
            }
            label_sequences == 0
        });
        lines
    }

    /// Returns the candidate if it is certainly an illegal board. A solution is not counted, because it may be an earlier board
    /// in a second notation.
    fn illegal_board(
        &mut self,
        candidate: Candidate,
        query: Query<'_>,
        reading: &Reading,
        lines: &[Line],
    ) -> Option<Parsed> {
        match candidate {
            Candidate::OtherSize { .. } => {}
            Candidate::Board { columns, .. }
                if query.problem.is_solution(&columns)
                    || self.boards_with_shared_column.contains(&columns) => {}
            Candidate::Board { line, columns } if reading.is_certain_board(&columns) => {
                return Parsed::from_candidate(Candidate::Board { line, columns }, query.n());
            }
            Candidate::Board { line, .. }
            | Candidate::Malformed { line, .. }
            | Candidate::WrongLength { line, .. }
            | Candidate::Doubtful { line } => {
                let text = lines.iter().find(|other| other.number == line).map(|line| excerpt(&line.text));
                self.add_doubt(line, text.unwrap_or_default());
            }
        }
        None
    }

    /// Ends the text. Label sequences make the text doubtful unless they can be the column labels of drawn boards. Then they
    /// stand above each board, or above and below each board, so that their number is a multiple of the number of boards.
    pub fn end(&mut self, is_drawn: bool, boards: u64) {
        if !is_drawn || !self.label_sequences.is_multiple_of(boards) {
            self.doubtful_line = self.doubtful_line.take().or(self.first_label_line.take());
        }
    }
}
