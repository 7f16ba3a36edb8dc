//! Lines that the reading of a text leaves over. They are offered to all readings: what is a board in them and not a solution is an
//! illegal board, and what only may be a board makes the text doubtful.

use std::collections::HashSet;

use super::candidate::{Candidate, is_permutation};
use super::lines::Line;
use super::other_sizes::OtherSizes;
use super::parsed::Parsed;
use super::prose::{sentence, separated};
use super::query::Query;
use super::reading::{Reading, best};
use super::{excerpt, single_line};

/// The lines are examined whenever they have this many bytes.
const MAX_BYTES: usize = 32 << 10;

/// The maximum number of notations that are looked for each time.
const MAX_NOTATIONS: usize = 4;

/// The maximum number of sentences and of boards that are remembered.
const MAX_REMEMBERED: usize = 4096;

/// The lines that the reading of a text leaves over, and what they contain.
#[derive(Debug, Default)]
pub(super) struct Leftover {
    lines: Vec<Line>,
    bytes: usize,
    /// Sentences in which no reading found a board, as hashes. A trace has millions of them.
    sentences: HashSet<u64>,
    /// The first line that may be a board and is not read as one: its number, from 1, and its beginning.
    pub doubtful: Option<(u64, String)>,
    /// The number of label sequences (consecutive numbers from 0 or 1) in all lines, and the first line with one. The numbers may label
    /// the columns of boards.
    label_sequences: u64,
    first_labels: Option<(u64, String)>,
    /// Boards with two queens in a column, which may be repeated in a second notation.
    shared_columns: HashSet<Vec<u32>>,
}

impl Leftover {
    /// Adds a line. Returns whether the lines should be examined.
    pub fn push(&mut self, line: &Line) -> bool {
        self.bytes += line.text.len();
        self.lines.push(line.clone());
        self.bytes > MAX_BYTES
    }

    /// Marks that a board follows, which separates the lines before and behind it.
    pub fn push_break(&mut self) {
        if self.lines.last().is_some_and(|last| !last.is_break()) {
            self.lines.push(Line::BREAK);
        }
    }

    /// Makes the text doubtful because of a line.
    pub fn doubt(&mut self, line: u64, text: String) {
        self.doubtful.get_or_insert((line, text));
    }

    /// Remembers a board if it has two queens in a column.
    pub fn remember(&mut self, columns: &[u32]) {
        if !is_permutation(columns) && self.shared_columns.len() < MAX_REMEMBERED {
            self.shared_columns.insert(columns.to_vec());
        }
    }

    /// Whether a line is a sentence in which no reading found a board before.
    pub fn is_repeated(&self, line: &Line, n: usize) -> bool {
        sentence(&line.text, n).is_some_and(|sentence| self.sentences.contains(&sentence))
    }

    /// Examines the lines. Returns the illegal boards in them. `reading`: the reading that left them over.
    pub fn examine(&mut self, query: Query<'_>, reading: &Reading, sizes: &mut OtherSizes) -> Vec<Parsed> {
        let mut illegal = Vec::new();
        self.bytes = 0;
        let lines = std::mem::take(&mut self.lines);
        let lines = separated(self.without_label_sequences(lines, query.n(), reading));
        // A doubtful text is unreadable, whatever follows.
        if self.doubtful.is_some() {
            return illegal;
        }
        let mut lines = separated(sizes.skip(&lines, query));
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
            lines = separated(unread);
        }
        for line in &lines {
            if single_line::may_be_board(&line.text, query.n()) {
                self.doubt(line.number, excerpt(&line.text));
            }
            if let Some(sentence) = sentence(&line.text, query.n())
                && self.sentences.len() < MAX_REMEMBERED
            {
                self.sentences.insert(sentence);
            }
        }
        illegal
    }

    /// Removes the lines of label sequences, and counts the sequences.
    fn without_label_sequences(&mut self, mut lines: Vec<Line>, n: usize, reading: &Reading) -> Vec<Line> {
        lines.retain(|line| {
            let label_sequences = single_line::label_sequences(&line.text, n, reading.is_drawn());
            if label_sequences > reading.width() {
                self.doubt(line.number, excerpt(&line.text));
            }
            if label_sequences > 0 {
                self.label_sequences += label_sequences as u64;
                self.first_labels.get_or_insert((line.number, excerpt(&line.text)));
            }
            label_sequences == 0
        });
        lines
    }

    /// Returns the candidate if it is an illegal board. A solution in a second notation may repeat an earlier board.
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
                if query.problem.is_solution(&columns) || self.shared_columns.contains(&columns) => {}
            Candidate::Board { line, columns } if reading.is_certain_board(&columns) => {
                return Parsed::of(Candidate::Board { line, columns }, query.n());
            }
            Candidate::Board { line, .. }
            | Candidate::Malformed { line, .. }
            | Candidate::Part { line, .. }
            | Candidate::Doubtful { line } => {
                let text = lines.iter().find(|other| other.number == line).map(|line| excerpt(&line.text));
                self.doubt(line, text.unwrap_or_default());
            }
        }
        None
    }

    /// Ends the text. Label sequences make the text doubtful unless they label the columns of all drawn boards: above each board, or
    /// above and below it.
    pub fn end(&mut self, is_drawn: bool, boards: u64) {
        if !is_drawn || !self.label_sequences.is_multiple_of(boards) {
            self.doubtful = self.doubtful.take().or(self.first_labels.take());
        }
    }
}
