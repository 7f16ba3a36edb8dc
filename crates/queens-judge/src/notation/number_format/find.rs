//! The search for the format of boards that are written as numbers.

use std::collections::HashMap;

use super::{NumberFormat, Selection, is_consecutive};
use crate::notation::candidate::{Score, is_permutation, keep_best};
use crate::notation::lines::Line;
use crate::notation::query::Query;
use crate::notation::sequences::{MAX_EXTRA, Piece, Sequence, Splitter, Wording, is_full_range};

/// The maximum number of different wordings of boards.
const MAX_WORDINGS: usize = 16;

/// The wording and the queens of a possible board.
type WordedBoard = (Wording, Vec<[i64; 2]>);

impl NumberFormat {
    /// The best format of the boards among some lines, and its score. If `is_strict`, a list with additional numbers is not a
    /// board, and a run of single queens must consist of whole boards.
    pub fn find(lines: &[Line], query: Query<'_>, is_strict: bool) -> Option<(Score, Self)> {
        let n = query.n();
        let mut best: Option<((Score, u8), Self)> = None;
        for is_list in [false, true] {
            let mut splitter = Splitter::new(is_list, n);
            let mut pieces = Vec::new();
            for line in lines {
                splitter.split_line(line.number, &line.text, &mut pieces);
            }
            let counts = pieces.iter().filter_map(Piece::sequence).map(|sequence| sequence.numbers.len());
            let mut counts: Vec<usize> = counts.collect();
            counts.sort_unstable();
            counts.dedup();
            for count in counts {
                for (selection, is_one_queen) in selections(n, count, query.family().is_some()) {
                    let format = Self {
                        n,
                        is_list,
                        count,
                        selection,
                        is_one_queen,
                        base: [0, 0],
                        wordings: Vec::new(),
                        is_ambiguous: false,
                        may_be_table: false,
                    };
                    if let Some((score, format)) = format.with_best_bases(&pieces, query, is_strict)
                        && (!is_strict || format.has_only_board())
                    {
                        keep_best(&mut best, (score, format.preference()), || format);
                    }
                }
            }
        }
        best.map(|((score, _), format)| (score, format))
    }

    /// The preference among formats with the same score: first a list of columns, then a whole line, then any other list.
    fn preference(&self) -> u8 {
        match self.first_column() {
            Some(_) if self.is_list => 2,
            _ => u8::from(!self.is_list),
        }
    }

    /// The format with its bases and wordings, and its score.
    fn with_best_bases(
        mut self,
        pieces: &[Piece],
        query: Query<'_>,
        is_strict: bool,
    ) -> Option<(Score, Self)> {
        let (n, problem, family) = (self.n, query.problem, query.family());
        let boards = self.boards(pieces, is_strict);
        if boards.is_empty() || !self.explains_other_numbers(pieces) {
            return None;
        }
        let mut best: Option<(Score, [i64; 2])> = None;
        let bases: &[[i64; 2]] = match self.selection {
            Selection::Groups { row: Some(_), .. } => &[[0, 0], [1, 1], [0, 1], [1, 0]],
            _ => &[[0, 0], [0, 1]],
        };
        // Consecutive numbers on one line may be the column labels of a drawn board. On several lines, they may be anything.
        let may_be_labels = family.is_none()
            && match self.selection {
                Selection::Groups { stride: 1, row: None, .. } => self.is_one_queen || !self.is_list,
                Selection::Groups { .. } => false,
                Selection::Digits(_) => !self.is_list,
            };
        let are_squares =
            matches!(self.selection, Selection::Groups { column: None, .. }) && !self.is_one_queen;
        for &base in bases {
            self.base = base;
            if family.is_some_and(|family| family != self.notation()) {
                continue;
            }
            let mut score = Score::default();
            for (wording, queens) in &boards {
                match self.board(queens) {
                    Ok(columns) if may_be_labels && is_consecutive(&columns) => {
                        let has_no_words = self.is_one_queen && wording.is_empty();
                        score.boards += usize::from(self.first_column().is_some() || has_no_words);
                    }
                    Ok(columns) => score.add(&columns, problem),
                    // There is not one queen in each row. Squares count as a board nevertheless, if all of them are on the board.
                    Err(_) => score.boards += usize::from(are_squares && self.are_on_board(queens)),
                }
            }
            keep_best(&mut best, score, || base);
        }
        let (score, base) = best.filter(|(score, _)| score.boards > 0)?;
        let mut all_are_boards = |base: [i64; 2]| {
            self.base = base;
            boards.iter().all(|(_, queens)| self.board(queens).is_ok())
        };
        let is_ambiguous =
            score.permutations == 0 && family.is_none() && all_are_boards([0, 0]) && all_are_boards([0, 1]);
        (self.is_ambiguous, self.base) = (is_ambiguous, base);
        let is_column_of_table = self.is_one_queen && boards.len() == 1 && boards[0].0.is_empty();
        self.may_be_table = n > 3 && score.solutions == 0 && (boards.len() == n || is_column_of_table);
        for (wording, queens) in &boards {
            let is_board = match self.board(queens) {
                Ok(columns) if score.solutions > 0 => problem.is_solution(&columns),
                Ok(columns) => is_permutation(&columns) || score.permutations == 0,
                Err(_) => score.permutations == 0 && self.are_on_board(queens),
            };
            if is_board && !self.wordings.contains(wording) && self.wordings.len() < MAX_WORDINGS {
                self.wordings.push(*wording);
            }
        }
        Some((score, self))
    }

    /// Whether all queens are on the board.
    fn are_on_board(&self, queens: &[[i64; 2]]) -> bool {
        let is_on_board = |queen: &[i64; 2]| {
            (0..2).all(|place| (self.base[place]..self.base[place] + self.n as i64).contains(&queen[place]))
        };
        queens.iter().all(is_on_board)
    }

    /// Whether the numbers beside the columns of a board can belong to something else. The other numbers of a list cannot. In a
    /// line, each number before the columns must be a label: the number of the board, or a constant. A board of size n + 1 is not a
    /// board of size n with a label.
    fn explains_other_numbers(&self, pieces: &[Piece]) -> bool {
        let Some(offset) = self.first_column() else { return true };
        if self.count == self.n {
            return true;
        }
        if self.is_list {
            return false;
        }
        let sequences = || self.fitting_sequences(pieces);
        let is_larger_board = |sequence: &Sequence| is_full_range(sequence.values());
        let is_label = |place: usize| {
            let values: Vec<i64> = sequences().map(|sequence| sequence.numbers[place].value).collect();
            let mut steps = values.windows(2).map(|two| two[1].wrapping_sub(two[0]));
            let step = steps.next().unwrap_or(0);
            // Other lines may stand between boards, so only a quarter of the steps must be equal to the first step.
            steps.len() < 2 || 4 * steps.filter(|&other| other == step).count() >= values.len()
        };
        !sequences().all(is_larger_board) && (0..offset).all(is_label)
    }

    /// The sequences that have the numbers of a board, or of a queen.
    fn fitting_sequences<'p>(&self, pieces: &'p [Piece]) -> impl Iterator<Item = &'p Sequence> {
        pieces.iter().filter_map(Piece::sequence).filter(|sequence| self.fits(sequence))
    }

    /// The possible boards. If `is_strict`, a run of single queens must consist of whole boards.
    fn boards(&self, pieces: &[Piece], is_strict: bool) -> Vec<WordedBoard> {
        if !self.is_one_queen {
            let board = |sequence: &Sequence| (self.wording(sequence), self.queens(&sequence.numbers));
            return self.fitting_sequences(pieces).map(board).collect();
        }
        let wording = |piece: &Piece| {
            let sequence = piece.sequence().filter(|sequence| self.fits(sequence))?;
            Some(self.wording(sequence))
        };
        let mut boards = Vec::new();
        // For each wording: the number of runs that consist of boards, and the number of runs with additional queens.
        let mut runs: HashMap<Wording, [usize; 2]> = HashMap::new();
        for run in pieces.chunk_by(|one, next| wording(one) == wording(next)) {
            let Some(wording) = wording(&run[0]) else { continue };
            if is_strict && run.len() % self.n != 0 {
                continue;
            }
            let count_before = boards.len();
            let mut queens: Vec<[i64; 2]> = Vec::new();
            for sequence in run.iter().filter_map(Piece::sequence) {
                queens.extend(self.queens(&sequence.numbers));
                self.number_rows(&mut queens);
                if queens.len() < self.n {
                    continue;
                }
                if self.may_be_board(&queens, wording) {
                    boards.push((wording, std::mem::take(&mut queens)));
                } else {
                    queens.remove(0);
                }
            }
            let has_additional_queens = (boards.len() - count_before) * self.n < run.len();
            runs.entry(wording).or_default()[usize::from(has_additional_queens)] += 1;
        }
        // Runs with additional queens are probably the steps of a search.
        boards.retain(|(wording, _)| wording.is_empty() || runs[wording][0] >= runs[wording][1]);
        boards
    }

    /// Whether `n` single queens may be a board. If the text contains their rows, the rows must all be different. Otherwise the
    /// columns must all be different, unless there are no words and only small numbers.
    fn may_be_board(&self, queens: &[[i64; 2]], wording: Wording) -> bool {
        let are_small = || queens.iter().all(|queen| self.is_small(queen[1]));
        let is_permutation = |place: usize| is_full_range(queens.iter().map(|queen| queen[place]).collect());
        if let Selection::Groups { row: None, .. } = self.selection {
            return is_permutation(1) || wording.is_empty() && are_small();
        }
        // The steps of a search have squares, too, but seldom one in each row in the order of the rows. `n` steps may visit all
        // squares of a column.
        let is_ascending = queens.windows(2).all(|two| two[1][0] == two[0][0] + 1);
        let is_one_column = queens.iter().all(|queen| queen[1] == queens[0][1]);
        is_permutation(0) && are_small() && (is_permutation(1) || is_ascending && !is_one_column)
    }
}

/// The possible indices of row and column in groups of one, two and three numbers.
const PLACES: [&[(Option<usize>, Option<usize>)]; 3] = [
    &[(None, Some(0)), (Some(0), None)],
    &[(Some(0), Some(1)), (Some(1), Some(0)), (None, Some(1)), (None, Some(0))],
    &[(Some(1), Some(2)), (Some(0), Some(2)), (Some(0), Some(1))],
];

/// The ways to select a board from `count` numbers, and whether these numbers are one queen.
fn selections(n: usize, count: usize, is_given: bool) -> Vec<(Selection, bool)> {
    let (mut boards, mut queens) = (Vec::new(), Vec::new());
    for (stride, places) in (1..).zip(PLACES) {
        let extra_count = count.checked_sub(stride * n).filter(|&extra_count| extra_count <= MAX_EXTRA);
        let groups = |offset| {
            places.iter().map(move |&(row, column)| Selection::Groups { offset, stride, row, column })
        };
        boards.extend(extra_count.into_iter().flat_map(|extra_count| 0..=extra_count).flat_map(groups));
        if count == stride {
            // One number may be the column of a queen. Of several numbers, one must be the row.
            let is_queen =
                |groups: &Selection| stride == 1 || !matches!(groups, Selection::Groups { row: None, .. });
            queens.extend(groups(0).filter(is_queen));
        }
    }
    if (n > 3 || is_given) && n <= 10 && count <= MAX_EXTRA {
        boards.extend((0..count).map(Selection::Digits));
    }
    let pair_with = |is_one_queen| move |selection| (selection, is_one_queen);
    boards.into_iter().map(pair_with(false)).chain(queens.into_iter().map(pair_with(true))).collect()
}
