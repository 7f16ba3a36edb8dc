//! How boards are written as numbers: which numbers of a line or list are rows and columns, and whether they count from 0 or 1.

mod find;

use super::Notation;
use super::candidate::{Candidate, is_permutation};
use super::sequences::{
    self, NO_VALUE, Number, Sequence, Wording, is_column, is_full_range, is_matrix_row, is_pairs,
};
use queens_board::BoardSize;
use queens_board::problem::Problem;

/// Which numbers of a sequence belong to the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Selection {
    /// Groups of `stride` numbers, one group for each queen. The first group begins at the number with the index `offset`.
    Groups {
        offset: usize,
        stride: usize,
        /// The index of the row in a group; `None` if the queens are in the order of the rows.
        row: Option<usize>,
        /// The index of the column in a group; `None` if the column is the letter before the number, as in `b1`.
        column: Option<usize>,
    },
    /// The digits of the number with this index.
    Digits(usize),
}

/// The format of boards that are written as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NumberFormat {
    pub n: usize,
    /// Whether sequences are lists in brackets rather than lines.
    pub is_list: bool,
    /// The number of numbers in a sequence.
    count: usize,
    selection: Selection,
    /// Whether each sequence is one queen rather than a board.
    pub is_one_queen: bool,
    /// The number of the first row, and that of the first column: 0 or 1.
    base: [i64; 2],
    /// The words that stand around the boards.
    wordings: Vec<Wording>,
    /// Whether the text leaves open if columns count from 0 or from 1.
    pub is_ambiguous: bool,
    /// Whether the boards may be the rows or a column of a table. This requires that none of them is a solution. It also requires
    /// either `n` boards or, as the only board, a column of numbers.
    pub may_be_table: bool,
}

impl NumberFormat {
    pub fn notation(&self) -> Notation {
        match (self.selection, self.base[1]) {
            (Selection::Groups { column: None, .. }, _) => Notation::Squares,
            (Selection::Groups { row: Some(_), .. }, _) => Notation::Pairs,
            (Selection::Digits(_), 0) => Notation::Digits0,
            (Selection::Digits(_), _) => Notation::Digits,
            (_, 0) => Notation::Columns,
            _ => Notation::Columns1,
        }
    }

    /// The index of the first column in a sequence, if a board is `n` columns in the order of the rows.
    fn first_column(&self) -> Option<usize> {
        match self.selection {
            Selection::Groups { offset, stride: 1, row: None, .. } if !self.is_one_queen => Some(offset),
            _ => None,
        }
    }

    /// Whether boards are numbers of columns within a sentence.
    pub fn is_in_sentence(&self) -> bool {
        matches!(self.notation(), Notation::Columns | Notation::Columns1)
            && !self.is_list
            && !self.wordings.iter().all(|wording| wording.is_empty())
    }

    /// Whether a sequence contains only the columns of a board.
    fn has_only_columns(&self) -> bool {
        self.first_column().is_some() && self.count == self.n
    }

    /// Whether a sequence contains only the numbers of a board, without words in brackets.
    fn has_only_board(&self) -> bool {
        let has_words = |wording: &Wording| !wording.is_empty() && (self.is_list || wording.has_brackets);
        let has_only_numbers_of_board = match self.selection {
            Selection::Groups { stride, .. } => self.is_one_queen || self.count == stride * self.n,
            Selection::Digits(_) => self.count == 1,
        };
        has_only_numbers_of_board && !self.wordings.iter().any(has_words)
    }

    /// Whether sequences consist of `n` numbers without words. Then they are boards, whatever the values of the numbers are.
    pub fn has_only_numbers(&self) -> bool {
        // Many sentences contain lists of two or three numbers.
        let is_short_list = self.is_list && self.n <= 3;
        !is_short_list && self.count == self.n && self.wordings.iter().all(|wording| wording.is_empty())
    }

    /// Reads a line that consists of `n` columns between blanks, if boards are written in this way. [`Self::board`] returns the
    /// same columns, but takes longer.
    pub fn bare_columns(&self, text: &[u8]) -> Option<Vec<u32>> {
        if self.is_list || !self.has_only_columns() || self.wordings != [Wording::NONE] {
            return None;
        }
        let base = u32::try_from(self.base[1]).ok()?;
        let mut columns = Vec::with_capacity(self.n);
        let mut number: Option<u32> = None;
        for &byte in text.iter().chain(b" ") {
            match byte {
                b'0'..=b'9' => number = Some(number.unwrap_or(0).checked_mul(10)? + u32::from(byte - b'0')),
                b' ' => {
                    if let Some(number) = number.take() {
                        columns.push(number.checked_sub(base)?);
                    }
                }
                _ => return None,
            }
        }
        (columns.len() == self.n && is_permutation(&columns)).then_some(columns)
    }

    /// The row and column of each queen in a sequence, as they are written in the text.
    pub fn queens(&self, numbers: &[Number]) -> Vec<[i64; 2]> {
        let rows = self.base[0]..;
        match self.selection {
            Selection::Groups { offset, stride, row, column } => {
                let letter = |number: &Number| match number.letter {
                    letter @ b'a'..=b'z' => i64::from(letter - b'a') + self.base[1],
                    _ => NO_VALUE,
                };
                let queen = |(default_row, group): (i64, &[Number])| {
                    let column = column.map_or_else(|| letter(&group[0]), |column| group[column].value);
                    [row.map_or(default_row, |row| group[row].value), column]
                };
                rows.zip(numbers[offset..].chunks_exact(stride).take(self.n)).map(queen).collect()
            }
            Selection::Digits(offset) => {
                rows.zip(numbers[offset].digit_values()).map(|(row, digit)| [row, digit]).collect()
            }
        }
    }

    /// If the text does not contain the rows of the queens, numbers the rows in the order of the queens.
    pub fn number_rows(&self, queens: &mut [[i64; 2]]) {
        if let Selection::Groups { row: None, .. } = self.selection {
            for (row, queen) in (self.base[0]..).zip(queens) {
                queen[0] = row;
            }
        }
    }

    /// The words around a sequence by which boards of this format are recognised.
    fn wording(&self, sequence: &Sequence) -> Wording {
        if self.is_list && self.is_one_queen { sequence.full_wording() } else { sequence.wording }
    }

    /// Whether a sequence has the words of a board.
    pub fn has_wording_of(&self, sequence: &Sequence) -> bool {
        self.wordings.contains(&self.wording(sequence))
    }

    /// Whether a sequence has the numbers of a board, or of a queen. The queens may be outside the board.
    pub fn fits(&self, sequence: &Sequence) -> bool {
        let numbers = &sequence.numbers;
        let is_line_of_lists = sequence.has_board_list && self.n > 3 && !self.has_only_columns();
        if numbers.len() != self.count || is_line_of_lists {
            return false;
        }
        match self.selection {
            Selection::Digits(offset) => numbers[offset].digits as usize == self.n,
            Selection::Groups { offset, column: None, .. } => {
                numbers[offset..].iter().take(self.n).all(|number| is_column(number.letter, self.n))
            }
            // A number with n digits is a board, not one queen.
            Selection::Groups { .. } if self.is_one_queen => {
                self.n <= 3 || numbers.iter().all(|number| (number.digits as usize) < self.n)
            }
            Selection::Groups { offset, stride: 1, .. } => {
                let (columns, behind) = numbers[offset..].split_at(self.n);
                // Squares such as `b1`, the names `q1, q2, q3` and the rows of a matrix are not lists of columns.
                let are_squares = columns.iter().any(|number| number.letter != columns[0].letter);
                let are_names = columns[0].letter != 0 && sequences::is_consecutive(columns) && self.n > 1;
                let is_matrix_row = self.n > 2 && is_matrix_row(columns);
                // If no words stand around the sequence, small numbers behind the columns are columns of a larger board.
                let is_larger_board = sequence.wording.is_empty()
                    && behind.iter().any(|number| {
                        self.is_small(number.value) && number.has_fraction == columns[0].has_fraction
                    });
                !(are_squares || are_names || is_matrix_row || is_larger_board || is_pairs(numbers, self.n))
            }
            // In each group, all numbers except the column must be the same for all queens.
            Selection::Groups { offset, stride, row: None, column } => {
                let first = &numbers[offset..];
                first.chunks_exact(stride).take(self.n).all(|group| {
                    (0..stride).all(|place| Some(place) == column || first[place] == group[place])
                })
            }
            Selection::Groups { .. } => true,
        }
    }

    /// Whether a value may be a row or column, counted from 0 or from 1.
    fn is_small(&self, value: i64) -> bool {
        (0..=self.n as i64).contains(&value)
    }

    /// The columns of the board with these queens, which are given as they are written. If there is not one queen in each row,
    /// the error contains the row and column of each queen, from 0.
    pub fn board(&self, queens: &[[i64; 2]]) -> Result<Vec<u32>, Vec<[u32; 2]>> {
        let mut columns = vec![None; self.n];
        let mut is_complete = queens.len() == self.n;
        for &[row, column] in queens {
            let column = index(column, self.base[1]);
            match columns.get_mut(index(row, self.base[0]) as usize) {
                Some(place @ None) if (column as usize) < self.n => *place = Some(column),
                _ => is_complete = false,
            }
        }
        let columns: Option<Vec<u32>> = columns.into_iter().collect();
        let indices = |queen: &[i64; 2]| [0, 1].map(|place| index(queen[place], self.base[place]));
        columns.filter(|_| is_complete).ok_or_else(|| queens.iter().map(indices).collect())
    }

    /// Whether a sequence is written like a board, with the same words and nearly as many numbers, but is not a board.
    pub fn is_nearly_board(&self, sequence: &Sequence) -> bool {
        let (n, numbers, count) = (self.n, &sequence.numbers, sequence.numbers.len());
        // If a line contains a list of n numbers, the list is the board.
        let is_list_in_line = sequence.has_board_list && !self.has_only_columns();
        if n < 3 || is_list_in_line || self.is_one_queen || !self.has_wording_of(sequence) {
            return false;
        }
        match self.selection {
            Selection::Groups { offset, stride: 1, row: None, .. } => {
                count + 1 >= self.count
                    && count < self.count + n
                    && count > offset + 1
                    && numbers.iter().all(|number| number.letter == numbers[0].letter)
                    && !is_matrix_row(numbers)
                    && !(count == n && is_full_range(sequence.values()))
                    && !is_pairs(numbers, n)
            }
            Selection::Groups { column: None, .. } => {
                count + 1 >= self.count.max(3)
                    && numbers.iter().filter(|number| is_column(number.letter, n)).count() + 1 >= n
            }
            Selection::Groups { stride, .. } => {
                let is_like_first = |number: &Number| (number.letter == 0) == (numbers[0].letter == 0);
                (self.count - stride..=self.count + stride).contains(&count)
                    && numbers.iter().step_by(stride).all(is_like_first)
            }
            Selection::Digits(offset) => {
                let mut numbers = numbers.iter().skip(offset);
                (self.count..=self.count + 1).contains(&count)
                    && numbers.any(|number| number.digits as usize + 1 >= n)
            }
        }
    }

    /// Reads a sequence that is nearly a board as a malformed board or as a board of another size.
    pub fn near_board(&self, sequence: &Sequence) -> Candidate {
        let (line, count) = (sequence.line, sequence.numbers.len());
        let Some(offset) = self.first_column() else {
            return Candidate::WrongLength { line, queens: Vec::new(), count, noun: "number" };
        };
        if let Some(side) = self.other_size(sequence, offset) {
            return Candidate::OtherSize { line, side };
        }
        let columns = sequence.numbers[offset..].iter().take(2 * self.n);
        let queens =
            (0..).zip(columns).map(|(row, number)| [row, index(number.value, self.base[1])]).collect();
        Candidate::WrongLength { line, queens, count, noun: "column" }
    }

    /// The side of the board of another size whose columns begin at the index `offset`, if it is a solution.
    fn other_size(&self, sequence: &Sequence, offset: usize) -> Option<usize> {
        let values = sequence.numbers.get(offset..)?;
        let values = &values[..values.len().checked_sub(self.count - offset - self.n)?];
        let columns = values.iter().map(|number| u32::try_from(number.value.checked_sub(self.base[1])?).ok());
        let columns: Vec<u32> = columns.collect::<Option<_>>()?;
        let problem = Problem::queens(BoardSize::new(columns.len()).ok()?);
        (columns.len() != self.n && is_permutation(&columns) && problem.is_solution(&columns))
            .then_some(columns.len())
    }
}

/// The index, from 0, of a row or column that is counted from `base`. An invalid value has the index `u32::MAX`.
fn index(value: i64, base: i64) -> u32 {
    value.checked_sub(base).and_then(|index| u32::try_from(index).ok()).unwrap_or(u32::MAX)
}

/// Whether each column is greater by one than the column before it, or each is smaller by one. Such numbers may be the column
/// labels of a drawn board.
pub(super) fn is_consecutive(columns: &[u32]) -> bool {
    columns.len() > 1
        && (columns.windows(2).all(|two| two[1] == two[0].wrapping_add(1))
            || columns.windows(2).all(|two| two[0] == two[1].wrapping_add(1)))
}
